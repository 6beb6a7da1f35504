"""Every anomaly of the diff has a night that shows it and one that looks much the same and must not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from crawl import anomalies, clidiff, diffhtml, diffmarkdown, pressfile, spamwords
from crawl.diffrecords import Move, Review
from crawl.exclusions import Exclusion, Exclusions, byline_key
from tests import twostates
from tests.sitefixture import row
from tests.twostates import DAY_S, add, article, tonight
from tests.twostates import TONIGHT as NIGHT

Change = Callable[[sqlite3.Connection], object]


def reviewed(folder: Path, change: Change, *, rows: int = 120, wishes: Exclusions | None = None) -> Review:
    """A record of three outlets and six nights, an hour between two articles, and its seventh night with a change."""
    first = 20_001 - rows
    old = twostates.write(folder / "old", (article(n) for n in range(first, 20_001)))
    new = twostates.after(old, change)
    return clidiff.review(pressfile.press_files(old), pressfile.press_files(new), wishes or Exclusions(), None)


def found(review: Review) -> dict[str, str]:
    return {one.name: one.weight for one in review.anomalies}


def new(count: int, **over: object) -> Change:
    """So many new articles of the second outlet, `{n}` in a text being a number."""

    def change(db: sqlite3.Connection) -> None:
        for n in range(count):
            told = {name: value.format(n=n) if isinstance(value, str) else value for name, value in over.items()}
            add(db, tonight(20_002 + 3 * n, **({"published": NIGHT - 7200 - 600 * n} | told)))

    return change


def edited(count: int, sql: str) -> Change:
    """An update of so many of the newest articles of the second outlet."""

    def change(db: sqlite3.Connection) -> None:
        newest = "SELECT id FROM articles WHERE outlet = 2 ORDER BY id DESC LIMIT ?"
        db.execute(f"UPDATE articles SET {sql} WHERE id IN ({newest})", (count,))

    return change


def checked(reason: str, result: str = "failed") -> Change:
    """A new outcome of the second source."""
    return lambda db: row(
        db, "checks", id=9, source=2, night=7, stage="parsed", result=result, reason=reason, status=200
    )


def night_with(**over: object) -> Change:
    """The newest night told otherwise."""

    def change(db: sqlite3.Connection) -> None:
        for name, value in over.items():
            db.execute(f"UPDATE nights SET {name} = ? WHERE id = 7", (value,))

    return change


def removed(count: int, *, buried: bool = False) -> Change:
    """So many rows of the second outlet are emptied, with a tombstone or without."""

    def change(db: sqlite3.Connection) -> None:
        keys = db.execute("SELECT key FROM articles WHERE outlet = 2 ORDER BY id LIMIT ?", (count,)).fetchall()
        for (key,) in keys:
            db.execute("UPDATE articles SET url = '', title = '', summary = '', byline = '' WHERE key = ?", (key,))
            if buried:
                db.execute("INSERT INTO tombstones VALUES (?, ?, 'outlet-asked')", (key, NIGHT))

    return change


def both(*changes: Change) -> Change:
    def change(db: sqlite3.Connection) -> None:
        for one in changes:
            one(db)

    return change


def sql(statement: str) -> Change:
    def change(db: sqlite3.Connection) -> None:
        db.execute(statement)

    return change


def spaced(count: int, step_s: int) -> Change:
    """So many new articles of the second outlet, each so much older than the one before."""

    def change(db: sqlite3.Connection) -> None:
        add(db, *(tonight(20_002 + 3 * n, published=NIGHT - DAY_S + 7200 - step_s * n) for n in range(count)))

    return change


def new_with_known_titles(db: sqlite3.Connection) -> None:
    """The newest articles again, under other addresses."""
    titles = db.execute("SELECT title FROM articles WHERE outlet = 2 ORDER BY id DESC LIMIT 6").fetchall()
    add(db, *(tonight(20_002 + 3 * n, title=title, published=NIGHT - 600 * n) for n, (title,) in enumerate(titles)))


def buried_again(db: sqlite3.Connection) -> None:
    """A tombstone for an article that is there all the same."""
    db.execute("INSERT INTO tombstones SELECT key, 1, 'outlet-asked' FROM articles WHERE id = 20000")


MISREAD = "ì´í•™ìƒíšŒ ì„ ê±° {n}"
LONG = "총학생회 선거 투표율 오십팔 퍼센트로 개표 성사"

CASES: dict[str, list[tuple[str, Change, str | None]]] = {
    "fault": [
        ("an excluded key reappears", buried_again, "block"),
        ("a tombstone of an address nobody has", sql("INSERT INTO tombstones VALUES (x'0011223344556677', 1, 'asked')"), None),
    ],
    "lost_rows": [
        ("thirty rows go", removed(30), "block"),
        ("six of forty rows go", removed(6), "block"),
        ("one row goes", removed(1), "look"),
        ("thirty rows go by a wish", removed(30, buried=True), None),
    ],
    "unasked": [
        ("a tombstone that no wish explains", removed(1, buried=True), "look"),
        ("a row that is gone without one", removed(1), None),
    ],
    "bad_link": [
        ("a script", new(1, url="javascript:alert({n})"), "block"),
        ("credentials", new(1, url="https://press2.example@evil.example/{n}"), "block"),
        ("a sign in a path", new(1, url="https://press2.example/@author/{n}"), None),
    ],
    "long_summary": [
        ("more than may be kept", new(1, summary="가" * 201), "block"),
        ("all that may be kept", new(1, summary="가" * 200), None),
    ],
    "breach": [
        ("a promise broken", night_with(breaches=1), "look"),
        ("none broken", night_with(breaches=0), None),
    ],
    "unfinished": [
        ("broken off", night_with(ended=None), "look"),
        ("few answered", night_with(due=10, ok=2, unchanged=2), "look"),
        ("half answered", night_with(due=10, ok=2, unchanged=3), None),
        ("most refused by our own rules", night_with(due=10, ok=2, unchanged=1, refused=5), None),
    ],
    "nothing_new": [
        ("nothing where there is much", night_with(new_articles=0), "look"),
        ("little where there is much", night_with(new_articles=1), None),
    ],
    "emptied": [
        ("held as empty", checked("held_empty"), "look"),
        ("its list has no items", checked("list_empty"), "look"),
        ("not reached at all", checked("timeout"), None),
    ],
    "held": [
        ("another skin", checked("held_skin:ndsoft-block>links"), "look"),
        ("a failure like any other", checked("http_503"), None),
    ],
    "silent": [
        ("sixty days later", night_with(started=NIGHT + 60 * DAY_S, ended=NIGHT + 60 * DAY_S), "look"),
        ("ten days later", night_with(started=NIGHT + 10 * DAY_S, ended=NIGHT + 10 * DAY_S), None),
    ],
    "mass_edit": [
        ("twelve of the newest thirty", edited(12, "title = title || ' | 홈'"), "look"),
        ("four corrections", edited(4, "title = title || '(수정)'"), None),
        ("twelve summaries", edited(12, "summary = summary || '.'"), None),
    ],
    "damaged_text": [
        ("a wrong encoding", new(6, title=MISREAD), "look"),
        ("lost characters in known titles", edited(5, "title = '\ufffd' || title"), "look"),
        ("markup left in titles", new(6, title="A&amp;B &quot;소식&quot; {n}"), "look"),
        ("one slip among many", both(new(6), edited(1, "title = '\ufffd' || title")), None),
        ("an ampersand", new(6, title="A&B 소식 {n}"), None),
    ],
    "odd_date": [
        ("next week", new(1, published=NIGHT + 8 * DAY_S), "look"),
        ("1901", new(1, published=-2_177_452_800), "look"),
        ("beyond every calendar", new(1, published=9 * 10**15), "look"),
        ("1947", new(1, published=-720_000_000), None),
        ("tomorrow morning", new(1, published=NIGHT + DAY_S - 3600), None),
    ],
    "one_date": [
        ("one minute for all", new(6, published=NIGHT - 7200), "look"),
        ("one day for more than ever", new(20, published=NIGHT - DAY_S, precision="day"), "look"),
        ("known ones redated", edited(6, f"published = {NIGHT - 7000}"), "look"),
        ("an issue of six", new(6, published=NIGHT - DAY_S, precision="day"), None),
        ("times of their own", new(6), None),
        ("no dates", new(6, published=None, precision="none", first_seen=NIGHT), None),
    ],
    "flood": [
        ("many times more on one day than ever", spaced(90, 60), "look"),
        ("a busy day", spaced(20, 60), None),
        ("an archive of years", spaced(90, 30 * DAY_S), None),
    ],
    "strange_host": [
        ("a new server", new(1, url="https://casino.example/{n}"), "look"),
        ("its mobile twin", new(1, url="https://m.press2.example/{n}"), None),
        ("a film", new(1, url="https://www.youtube.com/watch?v=abcdefghij{n}", kind="video"), None),
    ],
    "spam": [
        ("an advert", new(1, title="온라인카지노 추천 먹튀없는 카지노사이트 가입코드"), "look"),
        ("an advert in a summary", new(1, summary="바카라 토토 슬롯 첫충 보너스"), "look"),
        ("a department", new(1, title="카지노경영학과, 바카라 실습실 열다"), None),
    ],
    "doubled": [
        ("one title again and again", new(6, title=LONG), "look"),
        ("known titles under new addresses", new_with_known_titles, "look"),
        ("a column's name", new(6, title="사설"), None),
        ("new titles", new(6, title="새 소식을 여러 가지로 전하는 {n}번째 제목"), None),
    ],
    "promise_changed": [
        ("a ruder pause", sql("UPDATE policy SET value = 2"), "look"),
        ("a breach counted", sql("UPDATE policy SET breaches = 1"), None),
    ],
    "memory_changed": [
        ("an article under another number", sql("UPDATE articles SET id = 30000 WHERE id = 19990"), "look"),
        ("a night is gone", sql("DELETE FROM nights WHERE id = 3"), "look"),
        ("nothing at all", lambda db: None, None),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "change", "weight"),
    [pytest.param(name, change, weight, id=f"{name}: {told}") for name, cases in CASES.items() for told, change, weight in cases],
)  # fmt: skip
def test_an_anomaly_is_told_where_it_is_one_and_only_there(
    name: str, change: Change, weight: str | None, tmp_path: Path
) -> None:
    review = reviewed(tmp_path, change)
    assert found(review).get(name) == weight
    if weight == "block":
        assert review.verdict == "BLOCK"
    elif weight is not None:
        assert review.verdict in ("LOOK", "BLOCK")


def test_every_question_has_a_night_that_shows_it_and_one_that_does_not() -> None:
    asked = {ask.__name__ for ask in anomalies.QUESTIONS} - {"moved"}
    assert asked == CASES.keys()
    for name, cases in CASES.items():
        weights = [weight for _, _, weight in cases]
        assert None in weights, name
        assert set(weights) - {None}, name


def test_a_night_of_ordinary_news_passes(tmp_path: Path) -> None:
    def change(db: sqlite3.Connection) -> None:
        new(4)(db)
        edited(2, "title = title || '(종합)'")(db)
        checked("http_503")(db)

    review = reviewed(tmp_path, change)
    assert review.anomalies == ()
    assert review.verdict == "PASS"


def test_P50_a_move_is_a_proposal_and_many_to_one_place_are_an_alarm(tmp_path: Path) -> None:
    review = reviewed(tmp_path, lambda db: None)
    one = Move("https://new.example/rss", ("https://old.example/rss",), alarm=False)
    many = Move("https://portal.example/", ("https://a.example/rss", "https://b.example/rss"), alarm=True)
    proposed = anomalies.review(replace(review.diff, moves=(one,)))
    assert [(each.name, each.weight, each.samples) for each in proposed.anomalies] == [
        ("moved", "proposal", ("https://new.example/rss", "https://old.example/rss"))
    ]
    assert proposed.verdict == "LOOK", "a proposal waits for a person"
    alarmed = anomalies.review(replace(review.diff, moves=(many,)))
    assert [each.weight for each in alarmed.anomalies] == ["look"]
    assert "ALARM" in alarmed.anomalies[0].told
    assert anomalies.review(review.diff).verdict == "PASS"


@pytest.mark.parametrize("nights_before", [0, 1])
def test_a_source_that_was_silent_before_is_not_told_again(nights_before: int, tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", (article(n) for n in range(19_881, 20_001)))
    late = NIGHT + 60 * DAY_S
    with closing(sqlite3.connect(old / "press.db", isolation_level=None)) as db:
        if nights_before:
            twostates.night(db, 7, started=late, ended=late)
    new_side = twostates.after(
        old, lambda db: twostates.night(db, 8, started=late + DAY_S, ended=late + DAY_S), number=0
    )
    review = clidiff.review(pressfile.press_files(old), pressfile.press_files(new_side), Exclusions(), None)
    assert ("silent" in found(review)) is (nights_before == 0)


def test_P60_who_comes_back_though_exclusions_csv_keeps_him_out_blocks_and_is_not_named(tmp_path: Path) -> None:
    def wish(key: str, scope: str) -> Exclusions:
        return Exclusions([Exclusion(key, scope, "outlet-asked", None, date(2026, 3, 1))])  # type: ignore[arg-type]

    change = new(1, title="지워 달라고 한 제목", byline="이름 기자")
    url = str(tonight(20_002)["url"])
    key = tonight(20_002)["key"].hex()
    byline = f"press-2:{byline_key('press-2', '이름 기자')}"
    for place, (asked, scope) in enumerate(
        [("press-2", "outlet"), (url, "url"), (key, "url"), ("press2.example", "host"), ("https://press2.example/news", "prefix"),
         (byline, "byline")]
    ):  # fmt: skip
        review = reviewed(tmp_path / str(place), change, wishes=wish(asked, scope))
        assert review.verdict == "BLOCK", (asked, scope)
        assert any("excluded_present" in one.told for one in review.anomalies), (asked, scope)
        assert all(one.title != "지워 달라고 한 제목" for one in review.diff.new)
        for text in (clidiff.as_json(review), diffmarkdown.write(review), diffhtml.write(review)):
            assert "지워 달라고" not in text
            assert "\\uc9c0\\uc6cc \\ub2ec\\ub77c" not in text
    assert reviewed(tmp_path / "other", change, wishes=wish("press-9", "outlet")).verdict == "PASS"


NEWS = (
    "카지노경영학과, 바카라 실습실 열다",
    "강원랜드 카지노 채용 설명회 열려",
    "이웃집 토토로 상영회",
    "불법 토토사이트 홍보 문자에 학생 피해 늘어",
    "대학생 온라인 도박 중독 심각… 바카라·토토 예방 교육",
    "국토 토론회 개최",
    "도서관 대출 권수 확대",
    "학자금 대출 금리 동결",
    "카지노 딜러를 꿈꾸는 사람들",
    "슬롯머신의 원리로 배우는 확률",
    "스포츠토토 후원 대학 축구 대회",
    "먹튀 논란 헬스장, 학우 피해 호소",
    "영토 토지 제도의 역사",
    "바카라",
    "카지노",
    "비아그라는 어떻게 심장약에서 시작됐나",
    "Casino Royale, 고전을 다시 보다",
    "Time slot booking opens for the library",
    "성매매 근절 캠페인",
    "[만평] 안전놀이터",
    "홀덤펍에 빠진 대학생들",
    "토토즐 페스티벌",
    "파워볼 복권 당첨금 논란",
)
ADVERTS = (
    "온라인카지노 추천 먹튀없는 카지노사이트 가입코드",
    "카 지 노 사 이 트 추천 1위",
    "카지노.바카라.토토",
    "바카라 게임 입금 보너스 첫충 30%",
    "먹튀검증 완료 메이저놀이터 추천",
    "정품비아그라 구매 당일배송",
    "강남 출장안마 후기 좋은 곳",
    "소액결제 현금화 즉시 입금",
    "토토 사이트 총판 모집",
    "Online Casino bonus baccarat slots",
    "CASINO SITE promo",
    "먹튀 피해 예방! 토토사이트 추천 가입코드 보너스",
)


def test_campus_news_of_gambling_is_no_advert_of_it() -> None:
    assert [text for text in NEWS if spamwords.advertises(text)] == []
    assert [text for text in ADVERTS if not spamwords.advertises(text)] == []
