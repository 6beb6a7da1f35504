"""Every state a source can be in, each brought about by real nights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from email.utils import formatdate
from pathlib import Path

import pytest

import crawl.cli
from crawl.policy import MOVED_AFTER_NIGHTS
from crawl.status import STATES, Alarm, Status, open_files, screen, statuses
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, feed, registry, rss
from tests.sim.web import Answer

FEED = "https://news.hanbit.ac.example/rss.xml"
OK = [answer(body=rss("총학생회 선거 시작"))]


def after(
    root: Path,
    answers: dict[str, list[Answer]],
    *,
    nights: int = 1,
    sources: Sequence[str] = (FEED,),
    **fields: str,
) -> Hub:
    """A hub after some nights of these answers."""
    one = Hub(root, Scripted(answers), registry([feed(url, **fields) for url in sources]))
    for number in range(1, nights + 1):
        one.night(number)
    return one


def look(one: Hub, at: float) -> tuple[list[Status], list[Alarm]]:
    with closing(open_files(one.data, one.state)) as db:
        return statuses(db, at)


def only(one: Hub, at: float = FIRST_NIGHT + 3600) -> Status:
    (status,), alarms = look(one, at)
    assert alarms == []
    return status


def test_a_source_that_answers_well_is_healthy(memory_path: Path) -> None:
    status = only(after(memory_path, {FEED: OK}))
    assert (status.state, status.reason, status.until, status.outlet) == ("healthy", "read", None, "news")
    assert status.newest is not None


def test_a_source_no_night_came_to_yet_is_not_asked_yet(memory_path: Path) -> None:
    late = "https://late.saebom.example/rss.xml"
    one = after(memory_path, {FEED: OK, late: OK})
    one.books = registry([feed(FEED), feed(late)])
    one.night(1, at=FIRST_NIGHT + 23 * 3600)
    assert {s.outlet: s.state for s in look(one, FIRST_NIGHT)[0]} == {"late": "not_asked_yet", "news": "healthy"}
    one.night(2)
    assert {s.outlet: s.state for s in look(one, FIRST_NIGHT)[0]} == {"late": "healthy", "news": "healthy"}


@pytest.mark.parametrize(
    ("given", "state", "reason"),
    [
        (answer(500), "failing", "http_500"),
        (answer(404), "failing", "http_404"),
        (answer(0, error="tls_expired"), "failing", "tls_expired"),
        (answer(body=b"<html><body>gone elsewhere</body></html>"), "failing", "html_not_feed"),
        (answer(410), "gone", "http_410"),
        (answer(403), "blocked", "http_403"),
        (answer(403, body=b"<html><title>Just a moment...</title></html>", headers={"Content-Type": "text/html"}),
         "blocked", None),
        (answer(403, headers={"cf-mitigated": "challenge"}), "blocked", "challenge_page"),
    ],
)  # fmt: skip
def test_H25_H31_a_source_that_does_not_answer_well_is_named_by_what_it_said(
    given: Answer, state: str, reason: str | None, memory_path: Path
) -> None:
    status = only(after(memory_path, {FEED: [given]}))
    assert status.state == state
    assert reason is None or status.reason == reason
    assert (status.since, status.rule, status.until) == ("2026-03-05", "", None)


def test_a_failing_source_says_since_when_and_is_healthy_once_it_answers(memory_path: Path) -> None:
    one = after(memory_path, {FEED: [*OK, answer(500), answer(500), *OK]}, nights=3)
    assert (only(one).state, only(one).since) == ("failing", "2026-03-06")
    one.night(4)
    assert only(one).state == "healthy"


def test_P33_a_resting_source_says_until_when_and_by_which_rule_and_its_server_rests_with_it(memory_path: Path) -> None:
    other = "https://news.hanbit.ac.example/other.xml"
    answers = {FEED: [answer(429, headers={"Retry-After": "80000"})], other: OK}
    one = after(memory_path, answers, sources=(FEED, other))
    found, _ = look(one, FIRST_NIGHT + 3600)
    until = FIRST_NIGHT + 0.5 + 80_000
    assert [(s.state, s.rule, s.until) for s in found] == [("resting", "P33", until)] * 2
    assert "until 2026-03-05 22:13 by P33" in screen(found, [])
    assert [s.state for s in look(one, until + 1)[0]] != ["resting", "resting"]


def test_a_rest_of_the_public_record_counts_where_the_state_was_lost(memory_path: Path) -> None:
    one = after(memory_path, {FEED: [answer(429, headers={"Retry-After": "80000"})]})
    (one.state / "state.db").unlink()
    status = only(one)
    assert (status.state, status.rule, status.until) == ("resting", "P33", FIRST_NIGHT + 80_001)


def test_P43_a_source_closed_by_its_robots_txt_is_said_to_be(memory_path: Path) -> None:
    url, robots = "https://api.yeoul.example/feed.json", "https://api.yeoul.example/robots.txt"
    one = after(memory_path, {robots: [answer(body=b"User-agent: *\nDisallow: /")]}, sources=(url,))
    assert only(one).state == "closed_by_robots"


def test_what_our_own_rules_refuse_is_named_with_its_rule(memory_path: Path) -> None:
    status = only(after(memory_path, {}, sources=("https://www.youtube.com/feeds/videos.xml?channel_id=UC1",)))
    assert (status.state, status.rule) == ("refused", "P05")


@pytest.mark.parametrize("registered", ["frozen", "paused", "closed"])
def test_what_people_decided_comes_first(registered: str, memory_path: Path) -> None:
    one = after(memory_path, {FEED: [answer(410)]})
    one.books = registry([feed(FEED, state=registered), feed("https://late.saebom.example/rss.xml")])
    one.web.answers["https://late.saebom.example/rss.xml"] = OK
    one.night(2)
    assert {s.url: s.state for s in look(one, FIRST_NIGHT + DAY_S)[0]}[FEED] == registered


def daily(days: int, every: int, hours: int = 0) -> bytes:
    """A feed with a piece every so many days before the first night."""
    items = "".join(
        f"<item><title>{number}호</title><link>https://news.hanbit.ac.example/{number}</link>"
        f"<pubDate>{_date(FIRST_NIGHT - number * every * DAY_S - hours * 3600)}</pubDate></item>"
        for number in range(days)
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>한빛</title>{items}</channel></rss>'.encode()


def _date(at: float) -> str:
    return formatdate(at, localtime=False)


@pytest.mark.parametrize(
    ("every", "pieces", "quiet_days", "state"),
    [
        (1, 20, 20, "healthy"),
        (1, 20, 31, "silent"),
        (14, 12, 31, "healthy"),
        (14, 12, 41, "healthy"),
        (14, 12, 43, "silent"),
        (60, 8, 150, "healthy"),
        (60, 8, 200, "silent"),
        (1, 3, 100, "healthy"),
        (1, 3, 190, "silent"),
    ],
)
def test_a_source_is_silent_when_nothing_comes_far_beyond_its_own_rhythm(
    every: int, pieces: int, quiet_days: int, state: str, memory_path: Path
) -> None:
    one = after(memory_path, {FEED: [answer(body=daily(pieces, every))]})
    status = only(one, FIRST_NIGHT + quiet_days * DAY_S)
    assert status.state == state
    assert status.newest == FIRST_NIGHT


def moving(*targets: str, status: int = 301) -> list[Answer]:
    return [answer(status, headers={"Location": target}) for target in targets]


NEW = "https://press.hanbit.ac.example/rss.xml"
STRANGE = [answer(body=rss("모르는 글", first=90 + night)) for night in range(9)]


def test_P50_a_feed_moved_for_good_is_a_proposal_after_the_promised_nights_and_not_before(memory_path: Path) -> None:
    one = after(memory_path, {FEED: [*OK, *moving(NEW)], NEW: OK}, nights=MOVED_AFTER_NIGHTS)
    assert only(one).state == "healthy"
    one.night(MOVED_AFTER_NIGHTS + 1)
    assert (only(one).state, only(one).moved_to) == ("moved", NEW)
    assert f"to {NEW}" in screen([only(one)], [])


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({FEED: [*OK, *moving(NEW, status=302)], NEW: OK}, "a passing redirect"),
        (
            {FEED: [*OK, *moving(NEW)], NEW: STRANGE},
            "an address that shows nothing known",
        ),
        (
            {FEED: [*OK, *moving(*[f"{NEW}?{n}" for n in range(9)])], **{f"{NEW}?{n}": OK for n in range(9)}},
            "a moving target",
        ),
        ({FEED: [*OK, *moving(NEW, NEW), *OK], NEW: OK}, "one that came back"),
    ],
)
def test_P50_what_is_not_a_move_is_not_proposed(answers: dict[str, list[Answer]], why: str, memory_path: Path) -> None:
    one = after(memory_path, answers, nights=MOVED_AFTER_NIGHTS + 1)
    status = only(one)
    assert (status.state, status.moved_to) == ("healthy", ""), why


def test_H23_P50_many_sources_moving_to_one_address_are_an_alarm_and_no_proposal(memory_path: Path) -> None:
    other, portal = "https://ubs.saebom.ac.example/rss.xml", "https://portal.example/rss.xml"
    answers = {url: [*OK, *moving(portal)] for url in (FEED, other)}
    one = after(memory_path, {**answers, portal: OK}, nights=MOVED_AFTER_NIGHTS + 1, sources=(FEED, other))
    found, alarms = look(one, FIRST_NIGHT)
    assert alarms == [Alarm("portal.example/rss.xml", (FEED, other))]
    assert [(s.state, s.moved_to) for s in found] == [("healthy", "")] * 2
    assert "ALARM: 2 sources moved to portal.example/rss.xml" in screen(found, alarms)


def test_H23_sources_of_several_outlets_moving_to_one_server_are_an_alarm_too(memory_path: Path) -> None:
    other = "https://ubs.saebom.ac.example/rss.xml"
    answers = {FEED: [*OK, *moving("https://portal.example/1")], other: [*OK, *moving("https://portal.example/2")]}
    answers |= {f"https://portal.example/{n}": OK for n in (1, 2)}
    one = after(memory_path, answers, nights=MOVED_AFTER_NIGHTS + 1, sources=(FEED, other))
    assert look(one, FIRST_NIGHT)[1] == [Alarm("portal.example", (FEED, other))]


def test_the_command_prints_one_screen_or_every_fact(memory_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    urls = [f"https://s{number}.example/rss.xml" for number in range(40)]
    after(memory_path, {url: [answer(500)] for url in urls}, sources=urls)
    words = [
        "status",
        "--data",
        str(memory_path / "data"),
        "--state",
        str(memory_path / "state"),
        "--at",
        "2026-03-05T09:00",
    ]
    assert crawl.cli.main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "40 sources: 40 failing"
    assert len(lines) <= 24
    assert "and 24 more" in lines[-1]
    assert crawl.cli.main([*words, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["counts"]["failing"], set(facts["counts"]), len(facts["sources"])) == (40, set(STATES), 40)


def test_status_without_a_database_says_which_file_is_missing(
    memory_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl.cli.main(["status", "--data", str(memory_path), "--state", str(memory_path)]) == 1
    assert "press.db" in capsys.readouterr().err
