"""A source that watches itself: doubtful looks are held and named, let in once by a person, and never flood the record."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build import reasons
from crawl import audit, decide, report, watch
from crawl.clock import kst_midnight, parse_at
from crawl.model import Entry, Feed, Filed, Source, StoredArticle
from crawl.watch import Kept, Known
from tests.nights import Hub, Scripted, answer, feed, registry, rss
from tests.sim.web import Answer

A = "https://news.hanbit.ac.example/rss/allArticle.xml"
LIST = "https://news.hanbit.ac.example/news/articleList.html"
ROBOTS = "https://news.hanbit.ac.example/robots.txt"
NOW = parse_at("2026-03-10T00:30")

HEADLINES = (
    "총학생회 새 집행부 꾸려",
    "도서관 열람실 밤새 열기로",
    "등록금 심의 위원회 회의록 공개",
    "기숙사 식당 값 오른다",
    "정문 앞 버스 노선 바뀐다",
    "동아리방 배정 두고 엇갈린 말",
    "장학금 기준 다음 학기부터 바뀌어",
    "교양 수업 절반이 온라인",
    "축구부 열두 해 만에 결승으로",
    "캠퍼스 길고양이 돌보는 사람들",
    "연구실 안전 점검 결과 나와",
    "졸업 전시 사흘 동안 열려",
)


def entry(title: str, number: int = 1, *, at: str | None = "2026-03-09T10:00", precision: str = "minute",
          date_from: str = "feed_kst") -> Entry:  # fmt: skip
    published = None if at is None else int(parse_at(at))
    return Entry(f"https://news.hanbit.ac.example/view/{number}", title, published=published, published_raw=at or "",
                 precision=precision if at else "none", date_from=date_from if at else "none")  # type: ignore[arg-type]  # fmt: skip


def new(*entries: Entry) -> list[Filed]:
    return [
        Filed(number.to_bytes(8, "big"), None, decide.change(None, one, NOW)) for number, one in enumerate(entries, 1)
    ]


def again(*pairs: tuple[Entry, Entry]) -> list[Filed]:
    """Known articles as stored, and as the look shows them."""
    found = []
    for number, (before, after) in enumerate(pairs, 1):
        old = StoredArticle(number, number.to_bytes(8, "little"), 1, 0, before, decide.digest(before))
        found.append(Filed(old.key, old, decide.change(old, after, NOW)))
    return found


def shown(filed: list[Filed], format: str = "rss20") -> Feed:
    return Feed(format, "", "ko", tuple(one.change.entry for one in filed))


def known(*titles: str, at: str | None = "2026-03-01T10:00", format: str = "rss20", entries: int = 10) -> Known:
    published = None if at is None else int(parse_at(at))
    kept = tuple(Kept(number, 1, title, published) for number, title in enumerate(titles, 100))
    return Known(1, format, entries, kept)


def verdict(filed: list[Filed], past: Known, *, format: str = "rss20", now: float = NOW) -> str:
    return watch.held(shown(filed, format), filed, past, now)


# -- judgement -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "reason"), [(5, "held_empty"), (4, ""), (0, "")])
def test_a_feed_without_entries_is_held_where_there_were_many(before: int, reason: str) -> None:
    assert verdict([], known(*HEADLINES, entries=before)) == reason


def test_the_first_look_at_a_source_is_never_held() -> None:
    filed = new(*(entry(title, number, at="2026-03-10T00:30") for number, title in enumerate(HEADLINES)))
    assert verdict(filed, known(*HEADLINES, format="")) == ""
    assert verdict([], known(format="")) == ""


@pytest.mark.parametrize(
    ("before", "after", "known_keys", "new_keys", "reason"),
    [
        ("ndsoft-table", "wordpress", 0, 4, "held_skin:ndsoft-table>wordpress"),
        ("ndsoft-table", "links", 2, 3, "held_skin:ndsoft-table>links"),
        ("ndsoft-table", "links", 3, 3, ""),
        ("ndsoft-block", "ndsoft-type", 8, 2, ""),
        ("ndsoft-block", "ndsoft-block", 0, 4, ""),
        ("rss20", "atom10", 0, 4, ""),
        ("jsonfeed", "rss20", 0, 4, ""),
    ],
)
def test_another_skin_is_held_only_where_its_articles_are_strangers(
    before: str, after: str, known_keys: int, new_keys: int, reason: str
) -> None:
    same = [(entry(f"아는 글 {number}"), entry(f"아는 글 {number}")) for number in range(known_keys)]
    filed = again(*same) + new(*(entry(f"새 글 {number}", number) for number in range(new_keys)))
    assert verdict(filed, known("아는 글", format=before), format=after) == reason


def test_I5_known_titles_under_new_addresses_are_held() -> None:
    old_news = [entry(title, 900 + number, at="2026-03-01T10:00") for number, title in enumerate(HEADLINES[:6])]
    fresh = [entry(f"오늘 처음 보는 소식 {number}", number) for number in range(5)]
    past = known(*HEADLINES)
    assert verdict(new(*old_news, *fresh), past) == "held_moved"
    assert verdict(new(*old_news, *fresh, entry("하나 더", 77)), past) == ""  # six of twelve: not more than half
    assert verdict(new(*old_news[:4]), known(*HEADLINES), format="atom10") == "held_moved"  # all of a small document
    assert verdict(new(*old_news[:4], fresh[0]), past) == ""


def test_I5_signs_and_case_of_a_title_do_not_count() -> None:
    past = known(*(f"[단독] Campus “{title}”" for title in HEADLINES[:6]))
    filed = new(*(entry(f"단독 CAMPUS '{title}'…", number, at=None) for number, title in enumerate(HEADLINES[:6])))
    assert verdict(filed, past) == "held_moved"


def test_columns_that_always_bear_the_same_title_are_new_every_week() -> None:
    columns = ("사설", "만평", "기자수첩", "독자의견", "이 주의 인물", "포토뉴스")
    once = known(*columns, at="2026-03-02T09:00")
    often = dataclasses.replace(once, articles=once.articles + known(*columns, at="2026-02-23T09:00").articles)
    issue = new(*(entry(title, number, at="2026-03-09T09:00") for number, title in enumerate(columns)))
    undated = new(*(entry(title, number, at=None) for number, title in enumerate(columns)))
    assert verdict(issue, once) == ""
    assert verdict(issue, often) == ""
    assert verdict(undated, often) == ""


def test_a_title_used_twice_is_recognised_by_its_day() -> None:
    weeks = known("만평", "만평").articles
    past = Known(1, "rss20", 9, (weeks[0], dataclasses.replace(weeks[1], published=int(parse_at("2026-03-08T10:00")))))
    filed = new(entry("만평", 1, at="2026-03-08T11:00"), entry("만평", 2, at="2026-03-09T10:00"))
    assert watch.moves(filed, past) == {filed[0].key: 101}


def test_two_new_articles_of_one_title_are_not_both_the_old_one_nor_either() -> None:
    title = "총학생회장 선거 결과를 알립니다"
    filed = new(entry(title, 1, at=None), entry(title, 2, at=None))
    assert watch.moves(filed, known(title)) == {}
    assert watch.moves(filed[:1], known(title)) == {filed[0].key: 100}


def test_an_article_that_is_shown_under_its_old_address_too_has_not_moved() -> None:
    before = entry(HEADLINES[0], at="2026-03-01T10:00")
    filed = again((before, before)) + new(entry(HEADLINES[0], 9, at="2026-03-01T10:00"))
    past = Known(1, "rss20", 9, (Kept(1, 1, HEADLINES[0], before.published),))
    assert watch.moves(filed, past) == {}


@given(st.integers(0, 12), st.integers(0, 12))
def test_I5_no_look_of_which_most_is_really_new_is_held(old: int, fresh: int) -> None:
    filed = new(*(entry(title, number, at="2026-03-01T10:00") for number, title in enumerate(HEADLINES[:old])),
                *(entry(f"전혀 다른 이야기 {number}", 50 + number) for number in range(fresh)))  # fmt: skip
    held = verdict(filed, known(*HEADLINES)) == "held_moved"
    assert held == (old > fresh and (old >= 5 or (fresh == 0 and old >= 3)))


@pytest.mark.parametrize(
    ("edited", "listed", "reason"), [(5, 14, "held_damaged"), (5, 15, ""), (4, 4, ""), (9, 9, "held_damaged")]
)
def test_more_than_a_third_of_the_titles_changed_at_once_is_held(edited: int, listed: int, reason: str) -> None:
    pairs = [(entry(f"기사 {n}", n), entry(f"메뉴 {n}" if n < edited else f"기사 {n}", n)) for n in range(listed)]
    assert verdict(again(*pairs), known(*(f"기사 {n}" for n in range(listed)))) == reason


UTF8_AS_CP949 = "총학생회 새 집행부 꾸려".encode().decode("cp949", "replace")
CP949_AS_LATIN = "한빛대신문 소식".encode("cp949").decode("latin-1")
UTF8_AS_LATIN = "한빛대신문 소식".encode().decode("latin-1")


@pytest.mark.parametrize("spoilt", ["�ѱ��� �Ź�", "占쏙옙占쏙옙 占신뱄옙", UTF8_AS_CP949, CP949_AS_LATIN, UTF8_AS_LATIN])
def test_titles_in_a_wrong_encoding_are_held_where_they_used_to_be_clean(spoilt: str) -> None:
    filed = new(*(entry(f"{spoilt} {n}" if n < 3 else f"멀쩡한 글 {n}", n) for n in range(8)))
    assert verdict(filed, known(*HEADLINES)) == "held_damaged"
    assert verdict(filed[1:], known(*HEADLINES)) == ""  # two are the outlet's own slips
    assert verdict(filed, known(*(f"{spoilt} {n}" for n in range(20)))) == ""  # it was never otherwise


@pytest.mark.parametrize(
    "title", ["쀼의 세계와 뷁 소동", "Café à Paris, São Tomé", "“총장 직선제” — 2차 투표", "中國 유학생 間談會"]
)
def test_unusual_titles_are_no_damage(title: str) -> None:
    assert not watch.is_misread(title)


def test_known_articles_that_are_all_of_one_day_now_are_held() -> None:
    def look(days: Callable[[int], str], count: int = 6) -> str:
        pairs = [
            (entry(f"글 {n}", n, at=f"2026-02-{10 + n}T10:00"), entry(f"글 {n}", n, at=days(n))) for n in range(count)
        ]
        return verdict(again(*pairs), known(*(f"글 {n}" for n in range(count))))

    assert look(lambda _: "2026-03-10T00:30") == "held_dates"
    assert look(lambda _: "2026-01-01T00:00") == "held_dates"
    assert look(lambda n: f"2026-02-{11 + n}T10:00") == ""  # the zone was mended: each moved by itself
    assert look(lambda n: f"2026-02-{10 + n}T23:00") == ""
    assert look(lambda _: "2026-03-10T00:30", 4) == ""


def trickle(count: int, per_day: int = 2) -> Known:
    """A source that brings a few articles every day."""
    kept = tuple(
        Kept(n, 1, f"지난 글 {n}", int(kst_midnight("2026-02-01")) + n // per_day * 86_400 + n) for n in range(count)
    )
    return Known(1, "rss20", 10, kept)


@pytest.mark.parametrize(
    ("count", "at", "precision", "past", "reason"),
    [
        (5, "2026-03-10T00:30", "minute", trickle(4), "held_dates"),  # a clock, whatever came before
        (4, "2026-03-10T00:30", "minute", trickle(30), ""),
        (5, "2026-03-10T00:05", "minute", trickle(30), "held_dates"),
        (5, "2026-03-10T00:05", "minute", trickle(30, 3), ""),  # the paper brings three a day: five is possible
        (5, "2026-03-10T00:05", "minute", trickle(19), ""),  # too little known for a rhythm
        (5, "2026-03-09T00:05", "minute", trickle(30), ""),  # yesterday's batch
        (9, "2026-03-10T00:00", "day", trickle(30), ""),
        (10, "2026-03-10T00:00", "day", trickle(30), "held_dates"),
        (30, "2026-03-10T00:00", "day", trickle(40, 20), ""),  # a weekly puts an issue online at once
        (30, "2026-03-09T00:00", "day", trickle(30), ""),
    ],
)
def test_new_articles_all_of_this_moment_are_held_only_against_the_sources_rhythm(
    count: int, at: str, precision: str, past: Known, reason: str
) -> None:
    now = NOW if at != "2026-03-10T00:05" else NOW + 3_600
    filed = new(*(entry(f"새로운 글 {n}", n, at=at, precision=precision) for n in range(count)))
    assert verdict(filed, past, now=now) == reason


def test_articles_of_a_moment_ago_by_a_list_of_relative_times_are_believed() -> None:
    filed = new(*(entry(f"방금 올린 글 {n}", n, at="2026-03-10T00:30", date_from="list_resolved") for n in range(6)))
    assert verdict(filed, trickle(4)) == ""


@given(st.integers(-(2**62), 2**62))
def test_no_date_is_too_far_for_the_watch(at: int) -> None:
    far = dataclasses.replace(entry("먼 옛날"), published=at)
    filed = new(*[far] * 6)
    watch.held(shown(filed), filed, Known(1, "rss20", 9, (Kept(1, 1, "먼 옛날", at),)), NOW)


def test_every_reason_to_hold_has_words_for_the_reader() -> None:
    for reason in ("held_empty", "held_damaged", "held_skin:ndsoft-table>links", "held_moved", "held_dates"):
        assert "recheck" in reasons.known(reason)


# -- whole nights --------------------------------------------------------------------------------------------------


def headlines(first: int, *more: str, host: str = "news.hanbit.ac.example") -> bytes:
    return rss(*HEADLINES[:8], *more, first=first, host=host)


def hub(path: Path, *bodies: bytes) -> Hub:
    return Hub(path, Scripted({A: [answer(body=body) for body in bodies]}), registry([A]))


def recheck(one: Hub, day: str) -> None:
    sources = tuple(dataclasses.replace(source, recheck=day) for source in one.books.sources)
    one.books = dataclasses.replace(one.books, sources=sources)


def outcome(one: Hub) -> tuple[object, ...]:
    return one.read("SELECT stage, result, reason, new, changed FROM looks ORDER BY id DESC LIMIT 1")[0]


def stored(one: Hub) -> list[tuple[object, ...]]:
    return one.read("SELECT id, url, title, first_seen FROM articles ORDER BY id")


def test_I5_addresses_that_change_at_every_fetch_never_double_an_article(memory_path: Path) -> None:
    one = hub(memory_path, *(headlines(first) for first in (1, 101, 201, 301)))
    one.night(1)
    before = stored(one)
    for number in (2, 3, 4):
        one.night(number)
        assert outcome(one) == ("parsed", "failed", "held_moved", 0, 0)
    assert stored(one) == before
    assert one.read("SELECT result, reason FROM checks ORDER BY id") == [("ok", "read"), ("failed", "held_moved")]
    assert one.read("SELECT count(*) FROM rests") == [(0,)]
    assert one.breaches() == {}


def test_a_held_source_is_let_in_once_and_its_articles_move(memory_path: Path) -> None:
    one = hub(memory_path, headlines(1), headlines(101, "새 소식 하나"), headlines(101, "새 소식 하나"), headlines(301))
    one.night(1)
    before = stored(one)
    one.night(2)
    recheck(one, "2026-03-07")
    one.night(3)
    assert outcome(one) == ("stored", "ok", "read", 1, 8)
    after = stored(one)
    assert [(row[0], row[2], row[3]) for row in after[:8]] == [(row[0], row[2], row[3]) for row in before]
    assert [str(row[1])[-3:] for row in after] == [str(number) for number in range(101, 110)]
    assert one.read("SELECT rechecked FROM sources") == [("2026-03-07",)]
    one.night(4)
    assert outcome(one) == ("parsed", "failed", "held_moved", 0, 0)
    assert stored(one) == after


def test_a_recheck_waits_for_a_look_that_can_be_judged(memory_path: Path) -> None:
    web = {A: [answer(body=headlines(1)), answer(body=headlines(101)), answer(500), answer(body=headlines(101))]}
    one = Hub(memory_path, Scripted(web), registry([A]))
    one.night(1)
    one.night(2)
    recheck(one, "2026-03-07")
    one.night(3)
    assert one.read("SELECT rechecked FROM sources") == [("",)]
    one.night(4)
    assert outcome(one) == ("stored", "ok", "read", 0, 8)


def test_a_held_answer_leaves_no_validators_and_is_asked_for_whole_again(memory_path: Path) -> None:
    marked = [answer(body=headlines(first), headers={"ETag": f'"{first}"'}) for first in (1, 101, 101, 101)]
    one = Hub(memory_path, Scripted({A: marked}), registry([A]))
    for number in (1, 2, 3):
        one.night(number)
    assert [asked.get("If-None-Match") for _, _, asked in one.web.heard] == [None, '"1"', '"1"']
    assert outcome(one)[2] == "held_moved"


def test_a_held_source_that_heals_by_itself_goes_on(memory_path: Path) -> None:
    one = hub(memory_path, headlines(1), headlines(101), headlines(1, "다음 소식"))
    for number in (1, 2, 3):
        one.night(number)
    assert outcome(one) == ("stored", "ok", "read", 1, 0)


def test_an_emptied_feed_is_named_and_loses_nothing(memory_path: Path) -> None:
    one = hub(memory_path, headlines(1), rss(), rss(), rss() + b" ")
    for number in (1, 2):
        one.night(number)
    assert outcome(one) == ("parsed", "failed", "held_empty", 0, 0)
    assert len(stored(one)) == 8
    recheck(one, "2026-03-07")
    one.night(3)
    assert outcome(one)[:3] == ("stored", "ok", "read")
    one.night(4)
    assert outcome(one)[:3] == ("stored", "ok", "read")  # let in, it is the usual thing


def test_a_list_that_holds_nothing_any_more_is_a_failed_look(memory_path: Path) -> None:
    full = b'<ul><li><a href="/news/1">\xea\xb8\x80</a></li></ul>'
    web = {ROBOTS: [answer(404)], LIST: [answer(body=full), answer(body=b"<ul></ul>")],
           "https://news.hanbit.ac.example/news/1": [answer(404)]}  # fmt: skip
    one = Hub(memory_path, Scripted(web), registry([feed(LIST, kind="list")]))
    one.night(1)
    one.night(2)
    assert outcome(one)[1:3] == ("failed", "list_empty")
    assert len(stored(one)) == 1


def test_damaged_titles_do_not_reach_the_record(memory_path: Path) -> None:
    spoilt = rss(*(f"�ѱ��� �Ź� {n}" for n in range(8)))
    one = hub(memory_path, headlines(1), spoilt)
    one.night(1)
    before = stored(one)
    one.night(2)
    assert outcome(one)[2] == "held_damaged"
    assert stored(one) == before
    assert one.dump("revisions") == []


def test_a_list_beside_a_feed_is_held_with_it(memory_path: Path) -> None:
    """The list's articles were first seen at the feed: new addresses at both must not come in through the list."""

    def rows(first: int) -> bytes:
        listed = "".join(
            f'<li><a href="/news/articleView.html?idxno={number}">{title}</a> <time>2026-03-04T14:30</time></li>'
            for number, title in enumerate(HEADLINES[:8], first)
        )
        return f"<ul>{listed}</ul>".encode()

    web = {A: [answer(body=headlines(1)), answer(body=headlines(101))], ROBOTS: [answer(404)],
           LIST: [answer(body=rows(1)), answer(body=rows(101))]}  # fmt: skip
    books = registry([feed(A), feed(LIST, kind="list")])
    one = Hub(memory_path, Scripted(web), books)
    one.night(1)
    assert len(stored(one)) == 8
    one.night(2)
    assert len(stored(one)) == 8
    assert one.read("SELECT DISTINCT reason FROM looks WHERE night = 2") == [("held_moved",)]


def test_a_new_source_of_a_known_outlet_is_filed_as_it_is(memory_path: Path) -> None:
    blog = "https://blog.hanbit.example/feed"
    web = {A: [answer(body=headlines(1))], blog: [answer(body=headlines(1, host="blog.hanbit.example"))]}
    one = Hub(memory_path, Scripted(web), registry([A]))
    one.night(1)
    sources: list[str | Source] = [A, Source("news", "feed", blog, "", "active", "", "")]
    one.books = registry(sources)
    one.night(2)
    assert len(stored(one)) == 16


def archive(listed: str, older: str) -> dict[str, list[Answer]]:
    """A list with one older page behind it."""
    on = f'<a rel="next" href="{LIST}?page=2">다음</a>'
    pages = {f"https://news.hanbit.ac.example/news/{number}": [answer(404)] for number in range(1, 200)}
    return {ROBOTS: [answer(404)], LIST: [answer(body=f"<ul>{listed}</ul>{on}".encode())],
            f"{LIST}?page=2": [answer(body=f"<ul>{older}</ul>".encode())], **pages}  # fmt: skip


def row(number: int, title: str) -> str:
    return f'<li><a href="/news/{number}">{title}</a> <time>2026-03-04T14:30</time></li>'


@pytest.mark.parametrize(
    ("older", "held", "articles"),
    [
        ([row(100 + n, title) for n, title in enumerate(HEADLINES[:6])], "held_moved", 6),
        ([row(100 + n, f"�ѱ��� {n}") for n in range(6)], "held_damaged", 6),
        ([row(100 + n, f"지난 학기의 글 {n}") for n in range(6)], "", 12),
    ],
)
def test_an_archive_is_left_by_name_where_it_may_not_be_believed(
    memory_path: Path, older: list[str], held: str, articles: int
) -> None:
    web = Scripted(archive("".join(row(n, title) for n, title in enumerate(HEADLINES[:6], 1)), "".join(older)))
    one = Hub(memory_path, web, registry([feed(LIST, kind="list")]))
    summary = one.night(1)
    assert len(web.times(f"{LIST}?page=2")) == 1
    assert one.read("SELECT held, next_url FROM backfills") == [(held, "")]
    assert len(stored(one)) == articles
    with closing(audit.open_files(one.data, one.state)) as db:
        assert (f"archive     {held}" in report.night_screen(db, summary, 0)) == bool(held)
    assert one.breaches() == {}


def test_the_archive_of_a_held_list_waits(memory_path: Path) -> None:
    answers = archive("".join(row(n, title) for n, title in enumerate(HEADLINES[:6], 1)), row(99, "지난 글"))
    moved = archive("".join(row(100 + n, title) for n, title in enumerate(HEADLINES[:6], 1)), row(99, "지난 글"))
    web = Scripted(answers | {LIST: [*answers[LIST], *moved[LIST]]})
    one = Hub(memory_path, web, registry([feed(LIST, kind="list")]))
    one.night(1, until=parse_at("2026-03-05T00:00:08"))
    assert len(stored(one)) == 6
    assert web.times(f"{LIST}?page=2") == []
    one.night(2)
    assert outcome(one)[2] == "held_moved"
    assert web.times(f"{LIST}?page=2") == []
