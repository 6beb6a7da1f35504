"""Which pages there are, what stands on them and in which order."""

from __future__ import annotations

import ast
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from build import currents, db, directory, pages, reasons, words
from build import home as front
from build.pagekinds import MonthPage, OutletPage
from build.records import Press, Source
from crawl import robots
from tests import sitefixture
from tests.sitefixture import NIGHT, Story


def press_of(folder: Path, *stories: Story, breaches: int = 0) -> Press:
    sitefixture.fill(folder / "press.db", stories or sitefixture.STORIES, breaches=breaches)
    return loaded(folder)


def loaded(folder: Path) -> Press:
    with db.opened(folder) as press:
        return press


def months_of(press: Press, slug: str) -> list[MonthPage]:
    return [page for page in pages.outlets(press) if isinstance(page, MonthPage) and page.outlet.slug == slug]


def ids(page: MonthPage) -> list[int]:
    return [id for section in page.sections for id in section.cards.ids]


def at_home(press: Press) -> front.Home:
    """The home page of that press."""
    return front.home(press, currents.currents(currents.MonthsRead(press)))


def test_home_is_told_by_dates_that_stay_true_on_any_day(tmp_path: Path) -> None:
    home = at_home(press_of(tmp_path))
    assert [(one.title, one.day) for one in home.sections[:3]] == [
        ("2026. 12. 1. (화)", "2026-12-01"),
        ("2026. 11. 30. (월)", "2026-11-30"),
        ("2026. 11. 29. (일)", "2026-11-29"),
    ]
    assert list(home.sections[0].cards.ids) == [7, 1]  # undated: by first sight
    assert list(home.sections[1].cards.ids) == [9, 2, 4, 3]


def test_home_shows_at_most_fifty_cards_and_three_of_an_outlet_a_day(tmp_path: Path) -> None:
    many = [Story("hanbit-news", f"글 {n}", f"2026-11-30 10:{n:02}") for n in range(9)]
    many += [Story("mulgyeol", f"글 {n}", f"2026-11-{day:02} 10:{n:02}") for day in range(1, 31) for n in range(3)]
    press = press_of(tmp_path, *many)
    home = at_home(press)
    first = home.sections[0]
    assert [press.outlets[press.index.outlet[id]].slug for id in first.cards.ids].count("hanbit-news") == 3
    assert first.more == (("hanbit-news", "한빛대학보", 6),)
    assert sum(len(section.cards) for section in home.sections) <= front.HOME_CARDS
    assert len(home.sections) == front.HOME_DAYS


def test_home_of_an_empty_database_has_no_sections_and_no_night(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", [], outlets=[], sources=[], nights=False)
    home = at_home(loaded(tmp_path))
    assert (home.sections, home.night, home.state, home.outlets) == ((), None, "", 0)


def test_a_broken_off_night_is_said(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("UPDATE nights SET ended = NULL")
        raw.commit()
    assert "끊겼습니다" in at_home(loaded(tmp_path)).state


def test_a_night_that_read_nothing_is_said(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("UPDATE nights SET ok = 0, unchanged = 0")
        raw.commit()
    assert "어느 매체도 읽지 못했습니다" in at_home(loaded(tmp_path)).state


def test_the_directory_goes_by_region_university_and_kind(tmp_path: Path) -> None:
    shown = directory.page(press_of(tmp_path))
    assert next(region.name for region in shown.regions) == "서울"
    assert [one.name for one in shown.regions[0].universities] == ["하늘대학교", "한빛대학교"]
    assert shown.kinds == (
        ("newspaper", 3), ("broadcaster", 1), ("magazine", 1), ("english", 1), ("independent", 1)
    )  # fmt: skip
    assert (shown.outlets, shown.field) == (7, 0)
    listed = [outlet for region in shown.regions for one in region.universities for outlet in one.outlets]
    assert [outlet.slug for outlet in listed if outlet.silent] == ["silent-press"]


def test_an_outlet_page_knows_its_months_and_its_gaps(tmp_path: Path) -> None:
    press = press_of(tmp_path)
    own = [page for page in pages.outlets(press) if isinstance(page, OutletPage)]
    page = next(page for page in own if page.outlet.slug == "mulgyeol")
    ((year, months),) = page.years
    assert (year, [month.count for month in months]) == ("2026", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
    assert (page.undated, page.total) == (1, 2)
    assert page.outlet.earliest == sitefixture.at("2026-09-01")


def test_a_month_belongs_to_the_korean_calendar(tmp_path: Path) -> None:
    months = months_of(press_of(tmp_path, Story("mulgyeol", "자정", "2026-12-01 00:00")), "mulgyeol")
    assert [page.head.path for page in months] == ["o/mulgyeol/2026-12/index.html"]


def test_months_link_to_their_neighbours(tmp_path: Path) -> None:
    stories = [Story("mulgyeol", month, f"2026-{month}-05") for month in ("03", "05", "09")]
    first, middle, last = months_of(press_of(tmp_path, *stories), "mulgyeol")
    assert (first.older, first.newer) == (None, ("o/mulgyeol/2026-05/", "2026년 5월"))
    assert middle.older == ("o/mulgyeol/2026-03/", "2026년 3월")
    assert (last.older, last.newer) == (("o/mulgyeol/2026-05/", "2026년 5월"), None)


def busy(count: int) -> list[Story]:
    return [
        Story("mulgyeol", f"글 {n}", f"2026-11-{1 + n * 30 // count:02} {n // 60:02}:{n % 60:02}") for n in range(count)
    ]


def test_a_busy_month_is_cut_at_days_of_the_calendar(tmp_path: Path) -> None:
    found = months_of(press_of(tmp_path, *busy(250)), "mulgyeol")
    assert [(page.head.path, page.label, page.span, len(ids(page))) for page in found] == [
        ("o/mulgyeol/2026-11/1/index.html", "2026년 11월 1일–8일", "", 67),
        ("o/mulgyeol/2026-11/9/index.html", "2026년 11월 9일–15일", "", 58),
        ("o/mulgyeol/2026-11/16/index.html", "2026년 11월 16일–23일", "", 67),
        ("o/mulgyeol/2026-11/index.html", "2026년 11월", "11월 24일–30일", 58),
    ]
    assert ids(found[0]) == list(range(67, 0, -1))
    assert found[0].newer == ("o/mulgyeol/2026-11/9/", "11월 9일–15일")
    assert found[3].older == ("o/mulgyeol/2026-11/16/", "11월 16일–23일")


def test_a_story_found_late_moves_the_page_of_its_own_days_alone(tmp_path: Path) -> None:
    late = Story("mulgyeol", "늦게 찾은 글", "2026-11-03 23:00", first_seen="2026-12-01 00:05")
    before = months_of(press_of(tmp_path / "a", *busy(250)), "mulgyeol")
    after = months_of(press_of(tmp_path / "b", *busy(250), late), "mulgyeol")
    assert [page.head.path for page in after if page not in before] == ["o/mulgyeol/2026-11/1/index.html"]
    assert len(after) == len(before)


def test_a_month_of_exactly_a_hundred_is_one_page(tmp_path: Path) -> None:
    stories = [Story("mulgyeol", f"글 {n}", f"2026-11-01 10:{n % 60:02}") for n in range(100)]
    assert [page.head.path for page in months_of(press_of(tmp_path, *stories), "mulgyeol")] == [
        "o/mulgyeol/2026-11/index.html"
    ]


def test_undated_stories_have_a_page_of_their_own(tmp_path: Path) -> None:
    page = months_of(press_of(tmp_path), "mulgyeol")[-1]
    assert (page.head.path, page.label, ids(page)) == ("o/mulgyeol/undated/index.html", "날짜 미상", [7])


def source(**changes: object) -> Source:
    facts: dict[str, object] = {
        "id": 1, "outlet": "x", "kind": "feed", "url": "https://x.example/", "cms": "", "state": "active", "note": "",
        "title": "", "format": "", "language": "", "result": "ok", "reason": "read", "status": 200, "stage": "stored",
        "rest_until": None, "rest_rule": "", "since_day": "2026-11-20",
    }  # fmt: skip
    return Source(**(facts | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "mood", "said"),
    [
        ({}, "good", "2026. 11. 20. (금)부터 잘 읽히고 있습니다."),
        ({"result": "not_modified", "status": 304}, "good", "잘 읽히고"),
        ({"result": "", "since_day": None}, "wait", "아직 한 번도 확인하지 않았습니다"),
        ({"result": "failed", "status": 404, "reason": "http_404"}, "bad", "아무것도 없다고 답했습니다(404)."),
        ({"result": "failed", "status": 503, "reason": "http_503"}, "bad", "서버에 오류가 났습니다(503)."),
        ({"result": "failed", "status": 0, "reason": "timeout"}, "bad", "정해 둔 시간 안에"),
        ({"result": "failed", "status": 200, "reason": "riddle"}, "bad", "읽을 수 있는 피드가 아니었습니다(riddle)."),
        ({"result": "failed", "status": 410, "reason": "http_410"}, "bad", "아주 없앴다고 답했습니다(410)."),
        ({"result": "failed", "status": 429, "reason": "http_429"}, "bad", "요청을 줄여 달라고 했습니다(429)."),
        ({"result": "failed", "status": 200, "reason": "login_page"}, "bad", "로그인 화면이 나왔습니다."),
        ({"result": "failed", "status": 403, "reason": "challenge_page"}, "bad", "사람인지 확인하는 화면이 나왔습니다."),
        ({"result": "failed", "status": 0, "reason": "tls_expired"}, "bad", "쓸 수 있는 기간을 벗어났습니다."),
        ({"result": "refused", "status": 0, "reason": "robots_not_read_yet"}, "wait", "robots.txt를 먼저"),
        ({"result": "refused", "status": 0, "reason": "robots_http_503"}, "wait", "읽지 못했습니다(서버의 답 503). 허락으로"),
        ({"result": "refused", "status": 0, "reason": "robots_timeout"}, "wait", "읽지 못했습니다(제때 답하지 않음)."),
        ({"result": "refused", "status": 0, "reason": "robots_tls_expired"}, "wait", "읽지 못했습니다(보안 연결 문제)."),
        ({"result": "refused", "status": 0, "reason": "robots_riddle"}, "wait", "읽지 못했습니다(답이 온전하지 않음)."),
        ({"result": "refused", "status": 0, "reason": "closed_by_robots"}, "wait", "robots.txt가 이 주소를 닫아"),
        ({"result": "refused", "status": 0, "reason": "crawl_delay_too_long"}, "wait", "하룻밤에 지키기에는 길어"),
        ({"result": "put_off", "reason": "server_slowed_twice"}, "wait", "거듭 요청을 줄여 달라고 해서 다음 날로"),
        ({"result": "put_off", "reason": "source_resting"}, "wait", "이 주소가 쉬는 중이라"),
        ({"result": "put_off", "reason": "server_resting"}, "wait", "서버가 쉬는 중이라"),
        ({"result": "refused", "status": 0, "reason": "riddle", "rest_rule": "P99"}, "wait", "묻지 않았습니다(P99)."),
        ({"result": "put_off", "rest_until": sitefixture.at(f"{NIGHT} 01:05")}, "wait", "(화) 01:05 뒤에 다시"),
        ({"result": "not_reached"}, "wait", "차례가 오지 않았습니다"),
        ({"state": "paused"}, "wait", "지금은 확인하지 않습니다"),
        ({"state": "frozen", "kind": "youtube"}, "wait", "그전에 모은 글만"),
    ],
)  # fmt: skip
def test_a_sources_health_is_told_in_plain_words(changes: dict[str, object], mood: str, said: str) -> None:
    found, sentence = words.health(source(**changes))
    assert found == mood
    assert said in sentence


def test_a_rest_that_is_over_is_not_told() -> None:
    until = sitefixture.at(f"{NIGHT} 01:05")
    tired = source(result="failed", reason="timeout", status=0, rest_until=until)
    assert "다시 봅니다" in words.health(tired, at=until - 1)[1]
    assert "다시 봅니다" not in words.health(tired, at=until)[1]


def test_a_paused_source_beside_a_watched_one_is_no_trouble() -> None:
    assert words.health(source(state="paused"), watched=True) == (
        "wait",
        "같은 매체의 다른 주소를 보고 있어 이 주소는 확인하지 않습니다.",
    )


def test_a_silent_outlet_says_why(tmp_path: Path) -> None:
    press = press_of(tmp_path)
    outlet = next(one for one in press.outlets if one.slug == "silent-press")
    assert "등록된 피드나 기사 목록이 없습니다" in words.silence(outlet, [])
    assert "지금은 확인하지 않아" in words.silence(outlet, [source(state="paused")])
    assert "첫 수집을 하지 않았습니다" in words.silence(outlet, [source(result="")])
    assert "실을 글이 없었습니다" in words.silence(outlet, [source()])
    assert "한 번도 읽지 못했습니다" in words.silence(outlet, [source(result="failed", reason="timeout", status=0)])
    closed = source(result="refused", reason="closed_by_robots", status=0)
    assert "robots.txt가 닫아 둔 주소뿐" in words.silence(outlet, [closed, source(state="paused")])


def reasons_of_the_crawler() -> set[str]:
    """Every reason that stands as a word in the crawler's code: refusals, unreadable feeds, troubles, walls, robots.txt."""
    told: set[str] = set()
    for path in (Path(__file__).parent.parent / "crawl").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Refusal", "FeedUnreadable", "Trouble"):
                at = 1 if ast.unparse(node.func) == "Refusal" else 0
                named = [each.value for each in ast.walk(node.args[at]) if isinstance(each, ast.Constant)]
                told |= {word for word in named if isinstance(word, str)}
    return {word for word in told if word and not word.endswith("_")}


def test_every_reason_the_crawler_gives_has_words_for_its_publisher() -> None:
    found = reasons_of_the_crawler()
    assert {"closed_by_robots", "feed_broken", "timeout", "no_reader_yet"} <= found
    found |= {*robots._WALLS, "paywall", "redirect_to_login", "redirect_without_target", "not_modified_unasked"}
    assert sorted(reason for reason in found if not reasons.known(reason)) == []


def test_every_sentence_of_a_reason_is_whole() -> None:
    for sentence in reasons._REASONS.values():
        assert sentence.endswith("다.")
        assert not re.search(r"[a-z]+_[a-z]+", sentence)


@pytest.mark.parametrize(
    ("sources", "mood", "told"),
    [
        ((), "", ""),
        (("active", "ok"), "good", "밤마다 읽고"),
        (("active", "failed"), "bad", "읽지 못하고"),
        (("active", "failed", "active", "not_modified"), "good", "밤마다 읽고"),
        (("active", "put_off"), "wait", "묻지 않고 기다립니다"),
        (("active", ""), "wait", "첫 수집을"),
        (("paused", "", "frozen", ""), "wait", "확인하지 않습니다"),
    ],
)
def test_an_outlet_is_told_to_fare_as_its_best_source(sources: tuple[str, ...], mood: str, told: str) -> None:
    given = [source(state=state, result=result) for state, result in zip(sources[::2], sources[1::2], strict=True)]
    assert words.standing(given, 0)[0] == mood
    assert told in words.standing(given, 0)[1]
