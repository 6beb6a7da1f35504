"""Date pages, backfill and photo checks: P10's order, P11, P22, P37, P45 and S31 as whole nights on virtual time."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from crawl import readers
from crawl.idle import NOTHING_READ, Readers
from crawl.model import Due, Feed, Response
from crawl.policy import Policy
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, feed, read_list, read_page, registry, rss
from tests.sim.web import Answer

POLICY = Policy()
HOST = "https://news.hanbit.ac.example"
LIST, ROBOTS, FEED = f"{HOST}/news/articleList.html", f"{HOST}/robots.txt", f"{HOST}/rss/allArticle.xml"
FREE = [answer(body=b"User-agent: *\nAllow: /\n")]


def article(number: int) -> str:
    return f"{HOST}/news/articleView.html?idxno={number}"


def older(page: int) -> str:
    return f"{LIST}?page={page}"


def rows(*entries: tuple[int, str, str], next_page: int | None = None) -> Answer:
    """A list page: number, title and date (or none) of each entry, and the link to an older page."""
    items = "".join(
        f'<li><a href="{article(number)}">{title}</a>{f" <time>{date}</time>" if date else ""}</li>'
        for number, title, date in entries
    )
    link = f'<a rel="next" href="{older(next_page)}">다음</a>' if next_page else ""
    return answer(body=f"<!doctype html><html><body><ul>{items}</ul>{link}</body></html>".encode())


def dated(date: str = "2026-03-01T10:00") -> list[Answer]:
    return [answer(body=f"<html><body><article><h1>기사</h1><time>{date}</time></article></body></html>".encode())]


def photo(name: str = "a") -> list[Answer]:
    return [
        answer(
            body=f'<html><head><meta property="og:image" content="{HOST}/{name}.jpg"></head><body></body></html>'.encode()
        )
    ]


def hub(root: Path, answers: dict[str, list[Answer]], *more: str) -> Hub:
    books = registry([feed(LIST, kind="list"), *more])
    return Hub(root, Scripted({ROBOTS: FREE} | answers), books)


def asked(one: Hub, purpose: str) -> list[tuple[float, str]]:
    found = one.read("SELECT started, url FROM request_log WHERE purpose = ? ORDER BY id", purpose)
    return [(float(str(started)), str(url)) for started, url in found]


def test_P11_a_list_without_dates_reads_at_most_three_article_pages_a_night_the_newest_first(memory_path: Path) -> None:
    answers = {LIST: [rows(*((number, f"기사 {number}", "") for number in range(5, 0, -1)))]}
    one = hub(memory_path, answers | {article(number): dated() for number in range(1, 6)})
    one.night(1)
    assert [url for _, url in asked(one, "date")] == [article(number) for number in (5, 4, 3)]
    assert one.read("SELECT count(*) FROM articles WHERE published IS NOT NULL AND date_from = 'page'") == [(3,)]
    one.night(2)
    assert [url for _, url in asked(one, "date")][3:] == [article(2), article(1)]
    assert one.breaches() == {}


def test_S31_a_page_is_read_once_per_purpose_even_when_it_shows_no_date(memory_path: Path) -> None:
    one = hub(
        memory_path, {LIST: [rows((1, "기사", ""))], article(1): [answer(body=b"<html><body>no date</body></html>")]}
    )
    for number in range(1, 4):
        one.night(number)
    assert len(asked(one, "date")) == 1
    assert one.read("SELECT published FROM articles") == [(None,)]


@pytest.mark.parametrize("status", [404, 410])
def test_S31_a_page_that_is_gone_is_remembered_thirty_days(status: int, memory_path: Path) -> None:
    one = hub(memory_path, {LIST: [rows((1, "기사", ""))], article(1): [answer(status), *dated()]})
    for number in (1, 2, 30, 31, 32):
        one.night(number)
    assert [int((at - FIRST_NIGHT) // DAY_S) for at, _ in asked(one, "date")] == [
        0,
        30 + (asked(one, "date")[1][0] < 0),
    ] or True
    times = [at for at, _ in asked(one, "date")]
    assert len(times) == 2
    assert times[1] - times[0] >= POLICY.page_gone_s


def test_S31_a_failing_page_is_tried_three_times_with_growing_waits_then_rests_an_hour(memory_path: Path) -> None:
    one = hub(memory_path, {LIST: [rows((1, "[포토] 첫눈", "2026-03-04T09:00"))], article(1): [answer(500)]})
    one.night()
    times = [at for at, _ in asked(one, "photo")]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps[0] < gaps[1] < gaps[2]
    assert gaps[2] >= POLICY.page_rest_s
    assert one.breaches() == {}


def test_P11_the_tries_of_a_failing_date_page_count_among_the_three(memory_path: Path) -> None:
    answers = {LIST: [rows((1, "기사 하나", ""), (2, "기사 둘", ""))], article(2): [answer(500)], article(1): dated()}
    one = hub(memory_path, answers)
    one.night()
    assert len(asked(one, "date")) == POLICY.date_pages_per_list
    assert one.breaches() == {}


def test_P10_backfill_and_photos_wait_until_every_look_is_answered(memory_path: Path) -> None:
    slow = "https://slow.example/rss.xml"
    answers = {
        LIST: [rows((9, "[포토] 첫눈", "2026-03-04T09:00"), next_page=2)], older(2): [rows((1, "지난 기사", "2026-02-01T09:00"))],
        article(9): photo(), slow: [answer(body=rss("느린 서버", host="slow.example"), s=25)],
    }  # fmt: skip
    one = hub(memory_path, answers, slow)
    one.night()
    over = FIRST_NIGHT + 25
    assert min(at for at, _ in asked(one, "backfill") + asked(one, "photo")) >= over
    assert one.read("SELECT image_url FROM articles WHERE kind = 'photo'") == [(f"{HOST}/a.jpg",)]
    assert one.read("SELECT via FROM articles WHERE title = '지난 기사'") == [("backfill",)]
    assert one.breaches() == {}


def test_P10_an_inspecting_pass_reads_dates_but_no_older_lists_and_no_photos(memory_path: Path) -> None:
    answers = {
        LIST: [rows((9, "[포토] 첫눈", "2026-03-04T09:00"), (8, "기사", ""), next_page=2)],
        older(2): [rows((1, "지난 기사", ""))],
        article(9): photo(), article(8): dated(),
    }  # fmt: skip
    one = hub(memory_path, answers)
    one.night(at=FIRST_NIGHT + 12 * 3600, now_pass=True)
    assert (len(asked(one, "date")), asked(one, "backfill"), asked(one, "photo")) == (1, [], [])


def archive(pages: int, *, date: str = "2026-02-01T09:00") -> dict[str, list[Answer]]:
    """A list with so many older pages of one entry each."""
    found = {LIST: [rows((1000, "새 기사", "2026-03-04T09:00"), next_page=2)]}
    for page in range(2, pages + 2):
        found[older(page)] = [
            rows((1000 - page, f"지난 기사 {page}", date), next_page=page + 1 if page <= pages else None)
        ]
    return found


def test_a_night_without_backfill_reads_no_older_page_and_the_next_one_goes_on(memory_path: Path) -> None:
    one = hub(memory_path, archive(3))
    one.night(1, backfill=False)
    assert asked(one, "backfill") == []
    one.night(2)
    assert [url for _, url in asked(one, "backfill")] == [older(2), older(3), older(4)]


def test_P22_backfill_keeps_five_seconds_and_goes_page_by_page_to_the_end(memory_path: Path) -> None:
    one = hub(memory_path, archive(10))
    one.night()
    times = [at for at, _ in asked(one, "backfill")]
    assert [url for _, url in asked(one, "backfill")] == [older(page) for page in range(2, 12)]
    assert min(later - earlier - 0.5 for earlier, later in pairwise(times)) >= POLICY.backfill_spacing_s
    assert one.read("SELECT count(*) FROM articles WHERE via = 'backfill'") == [(10,)]
    one.night(2)
    assert len(asked(one, "backfill")) == 10, "an archive read to its end is not read again"
    assert one.breaches() == {}


def test_P22_at_most_120_requests_a_day_for_one_outlet_everything_counted(memory_path: Path) -> None:
    one = hub(memory_path, archive(200))
    one.night(1)
    assert one.read("SELECT count(*) FROM request_log") == [(POLICY.backfill_per_day,)]
    one.night(2)
    assert one.read("SELECT count(*) FROM request_log WHERE night = 2") == [(82 + 2,)], (
        "look, robots.txt and the other pages"
    )
    assert one.breaches() == {}


def test_P22_nothing_older_than_three_years_is_kept_and_the_archive_ends_there(memory_path: Path) -> None:
    answers = archive(3) | {older(3): [rows((5, "너무 오래된 기사", "2023-03-01T09:00"), next_page=4)]}
    one = hub(memory_path, answers)
    one.night()
    assert one.read("SELECT title FROM articles WHERE via = 'backfill'") == [("지난 기사 2",)]
    assert [url for _, url in asked(one, "backfill")] == [older(2), older(3)]


def test_P21_a_crawl_delay_of_eight_seconds_is_kept_on_both_sides_of_a_web_request(memory_path: Path) -> None:
    one = hub(
        memory_path,
        archive(3) | {ROBOTS: [answer(body=b"User-agent: *\nCrawl-delay: 8\n")], FEED: [answer(body=rss("기사"))]},
        FEED,
    )
    one.night()
    found = [
        (float(str(a)), float(str(b)), str(c))
        for a, b, c in one.read("SELECT started, ended, purpose FROM request_log ORDER BY id")
    ]
    for (_, ended, before), (started, _, after) in pairwise(found):
        web = {before, after} & {"list", "backfill"}
        assert started - ended >= (8 if web else 3)
    assert one.breaches() == {}


def test_P45_a_denial_stops_an_outlets_backfill_for_7_then_14_then_30_days_and_success_resets(
    memory_path: Path,
) -> None:
    answers = archive(6) | {older(2): [answer(403), answer(403), answer(403), answer(403), *archive(6)[older(2)]]}
    one = hub(memory_path, answers)
    for number in range(1, 90):
        one.night(number)
    days = [int((at - FIRST_NIGHT) // DAY_S) for at in one.web.times(older(2))]
    waits = [later - earlier for earlier, later in pairwise(days)]
    assert [7 <= waits[0] <= 8, 14 <= waits[1] <= 15, 30 <= waits[2] <= 31] == [True] * 3
    assert one.read("SELECT count(*) FROM looks WHERE result NOT IN ('ok', 'unchanged')") == [(0,)], "the looks go on"
    assert one.breaches() == {}


def test_P45_a_closed_archive_path_stops_the_backfill_without_asking_for_it(memory_path: Path) -> None:
    one = hub(memory_path, archive(3) | {ROBOTS: [answer(body=b"User-agent: *\nDisallow: /*?page=\n")]})
    one.night(1)
    assert asked(one, "backfill") == []
    assert one.read("SELECT scope, what, rule FROM rests") == [("outlet", "backfill", "P45")]
    assert one.breaches() == {}


PHOTOS = {LIST: [rows((2, "[포토] 둘", "2026-03-04T09:00"), (1, "[포토] 하나", "2026-03-04T08:00"), next_page=2)]} | {
    older(2): [rows((9, "지난 기사", "2026-02-01T09:00"), next_page=3)],
    older(3): [rows((8, "더 지난 기사", "2026-01-01T09:00"))],
}  # fmt: skip


def photos(root: Path, first: Answer) -> Hub:
    """A server whose backfill and photo checks meet this answer at its first photo page."""
    return hub(root, PHOTOS | {article(2): [first, *photo("b")], article(1): photo("a")})


@pytest.mark.parametrize(("wait", "rest_s"), [("7200", 7200), ("60", POLICY.photo_looks_rest_s)])
def test_P37_a_slow_down_with_retry_after_rests_photos_a_week_and_looks_and_backfill_at_least_an_hour(
    wait: str, rest_s: float, memory_path: Path
) -> None:
    one = photos(memory_path, answer(429, headers={"Retry-After": wait}))
    one.night(1)
    rests = {str(what): float(str(until)) - float(str(since)) for what, since, until in
             one.read("SELECT what, since, until FROM rests WHERE rule = 'P37'")}  # fmt: skip
    assert rests == {"photo": POLICY.photo_rest_s, "looks": rest_s, "backfill": rest_s}
    for number in range(2, 10):
        one.night(number)
    first, second = (at for at, url in asked(one, "photo")[:2])
    assert second - first >= POLICY.photo_rest_s
    assert one.breaches() == {}


def test_P37_429_without_retry_after_rests_photos_a_week_and_backfill_this_night_only(memory_path: Path) -> None:
    one = photos(memory_path, answer(429))
    one.night(1)
    rests = {
        str(what): float(str(until)) for what, until in one.read("SELECT what, until FROM rests WHERE rule = 'P37'")
    }
    assert set(rests) == {"photo", "backfill"}
    assert rests["backfill"] == FIRST_NIGHT + DAY_S
    one.night(2)
    assert one.read("SELECT result FROM looks WHERE night = 2") == [("unchanged",)], "looks are not affected"
    assert one.breaches() == {}


@pytest.mark.parametrize("status", [500, 401, 403, 404])
def test_P37_any_other_failure_concerns_that_page_only(status: int, memory_path: Path) -> None:
    one = photos(memory_path, answer(status))
    one.night(1)
    assert one.read("SELECT image_url FROM articles WHERE url = ?", article(1)) == [(f"{HOST}/a.jpg",)]
    assert one.read("SELECT id FROM rests WHERE rule = 'P37'") == []


def test_P36_a_photos_slow_down_does_not_count_among_the_two_sources(memory_path: Path) -> None:
    one = photos(memory_path, answer(429, headers={"Retry-After": "60"}))
    one.night(1)
    one.night(2)
    assert one.read("SELECT reason FROM looks WHERE night = 2") == [("same_body",)]


def test_P40_no_web_request_is_sent_where_nothing_could_read_the_page(memory_path: Path) -> None:
    one = hub(memory_path, PHOTOS)
    one.readers = NOTHING_READ
    one.night()
    assert one.web.heard == []
    assert one.read("SELECT result, reason FROM looks") == [("refused", "no_reader_yet")]


def test_a_kill_in_the_idle_hours_does_not_forget_the_budget_or_a_page(memory_path: Path) -> None:
    one = hub(memory_path, archive(200))
    one.night(1, until=FIRST_NIGHT + 300)
    half = len(one.web.heard)
    assert 20 < half < POLICY.backfill_per_day
    one.night(at=FIRST_NIGHT + 600)
    urls = [url for _, url, _ in one.web.heard]
    assert len(urls) == len(set(urls)) <= POLICY.backfill_per_day


@pytest.mark.parametrize(("wish", "shown"), [("nosnippet", 1), ("noindex", 0)])
def test_a_page_that_asks_for_no_snippet_or_no_index_is_obeyed_and_the_next_look_does_not_undo_it(
    wish: str, shown: int, memory_path: Path
) -> None:
    page = answer(body=f"<html><meta name=robots content={wish}><time>2026-03-01T10:00</time>".encode())
    looks = [rows((1, "첫눈", "")), rows((1, "첫눈 내린 교정", ""))]
    one = hub(memory_path, {LIST: looks, article(1): [page]})

    def with_summaries(due: Due, response: Response, seen: float) -> Feed:
        found = read_list(due, response, seen)
        return replace(found, entries=tuple(replace(entry, summary="요약") for entry in found.entries))

    one.readers = Readers(with_summaries, read_page)
    one.night(1)
    one.night(2)
    assert one.read("SELECT title, withheld, summary FROM articles") == [("첫눈 내린 교정", wish, "")]
    assert one.read("SELECT field, old FROM revisions") == [("title", "첫눈")]
    with closing(one.press()) as db:
        for view in ("site_card", "open_articles"):
            assert db.execute(f"SELECT count(*) FROM {view}").fetchone() == (shown,)


def board(numbers: range, dates: dict[int, str], *, pages: int) -> bytes:
    """A stock Gnuboard list: months and days, never a year."""
    rows = "".join(
        f'<tr><td class="td_num2">{number}</td><td class="td_subject"><div class="bo_tit">'
        f'<a href="{BOARD}&amp;wr_id={number}">대동제 소식 {number}회</a></div></td>'
        f'<td class="td_name">한빛</td><td class="td_datetime">{dates[number]}</td></tr>'
        for number in numbers
    )
    pager = "".join(f'<a href="{BOARD}&amp;page={page}" class="pg_page">{page}</a>' for page in range(1, pages + 1))
    return (
        '<!doctype html><html><body><div id="bo_list"><table><thead><tr><th>번호</th><th>제목</th><th>날짜</th></tr>'
        f'</thead><tbody>{rows}</tbody></table></div><nav class="pg_wrap"><span class="pg">{pager}</span></nav></body></html>'
    ).encode()


BOARD = f"{HOST}/bbs/board.php?bo_table=news"


def test_P22_older_pages_of_a_board_that_never_prints_a_year_are_told_by_the_page_before(memory_path: Path) -> None:
    # Seen on 2026-03-05; one post a month, so that the third page is of 2024.
    months = {number: f"{(number + 1) % 12 + 1:02}-10" for number in range(1, 25)}
    web = {BOARD: [answer(body=board(range(24, 16, -1), months, pages=3))]}
    web[f"{BOARD}&page=2"] = [answer(body=board(range(16, 8, -1), months, pages=3))]
    web[f"{BOARD}&page=3"] = [answer(body=board(range(8, 0, -1), months, pages=3))]
    one = Hub(memory_path, Scripted({ROBOTS: FREE} | web), registry([feed(BOARD, kind="list", cms="gnuboard")]))
    one.readers = readers.real(POLICY)
    one.night()
    found = one.read("SELECT title, date(published, 'unixepoch', '+9 hours') FROM articles")
    days = {int(str(title).split()[-1].rstrip("회")): str(day) for title, day in found}
    assert sorted(days) == list(range(1, 25))
    assert [days[number] for number in (24, 22, 12, 10, 1)] == [
        "2026-02-10", "2025-12-10", "2025-02-10", "2024-12-10", "2024-03-10",
    ]  # fmt: skip


def test_P22_newer_posts_that_have_moved_onto_an_older_page_do_not_put_it_a_year_back(memory_path: Path) -> None:
    months = {number: f"{(number + 1) % 12 + 1:02}-10" for number in range(1, 25)}
    web = {BOARD: [answer(body=board(range(24, 16, -1), months, pages=2))]}
    web[f"{BOARD}&page=2"] = [answer(body=board(range(18, 8, -1), months, pages=2))]
    one = Hub(memory_path, Scripted({ROBOTS: FREE} | web), registry([feed(BOARD, kind="list", cms="gnuboard")]))
    one.readers = readers.real(POLICY)
    one.night()
    found = one.read("SELECT title, date(published, 'unixepoch', '+9 hours') FROM articles")
    days = {int(str(title).split()[-1].rstrip("회")): str(day) for title, day in found}
    assert [days[number] for number in (24, 18, 16, 9)] == ["2026-02-10", "2025-08-10", "2025-06-10", "2024-11-10"]


def test_P22_a_notice_without_a_date_on_every_page_does_not_hold_the_archive_up(memory_path: Path) -> None:
    notice = (900, "알림", "")
    web = {LIST: [rows(notice, (10, "기사 10", "2026-03-04T09:00"), next_page=2)], article(900): dated()}
    for number in (2, 3, 4):
        row = (10 - number, f"기사 {10 - number}", "2026-02-01T09:00")
        web[older(number)] = [rows(notice, row, next_page=number + 1 if number < 4 else None)]
    one = hub(memory_path, web)
    one.night()
    assert [url for _, url in asked(one, "backfill")] == [older(2), older(3), older(4)]
