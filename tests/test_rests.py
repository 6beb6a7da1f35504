"""What an answer means for source and server: politeness.md, tables P33 and P35, rules P30 and P31."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from crawl import rests
from crawl.clock import kst_midnight, parse_at
from crawl.model import Request, Response, Rest
from crawl.policy import Policy
from crawl.rests import Past

POLICY = Policy()
ENDED = parse_at("2026-03-05T00:05")
NEXT_NIGHT = kst_midnight("2026-03-06")
ASKED = Request("https://www.hanbit.example/rss", "feed", 7, "hanbit")


def after(
    status: int = 0,
    *,
    retry_after: str | None = None,
    error: str | None = None,
    failures: int = 0,
    past: Past | None = None,
) -> tuple[Rest, ...]:
    headers = () if retry_after is None else (("Retry-After", retry_after), ("Date", formatdate(ENDED, usegmt=True)))
    response = Response(ASKED.url, status, ENDED - 1, ENDED, error=error, headers=headers)
    return rests.after(ASKED, response, past or Past(failures=failures), POLICY)


def ends(found: tuple[Rest, ...]) -> dict[str, float]:
    return {f"{rest.scope} {rest.subject} {rest.rule}": rest.until - ENDED for rest in found}


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 599])
def test_P33_row_1_retry_after_rests_the_whole_server_until_it_ends(status: int) -> None:
    assert ends(after(status, retry_after="600")) == {"server hanbit.example P33": 600, "source 7 P33": 600}


def test_P31_a_date_is_measured_from_the_end_of_the_answer() -> None:
    found = ends(after(503, retry_after=formatdate(ENDED + 1200, usegmt=True)))
    assert found == {"server hanbit.example P33": 1200, "source 7 P33": 1200}


def test_P31_longer_than_a_day_counts_as_a_day() -> None:
    found = ends(after(429, retry_after="604800"))
    assert found == {"server hanbit.example P33": POLICY.retry_after_max_s, "source 7 P33": POLICY.retry_after_max_s}


@pytest.mark.parametrize("invalid", ["0", "-5", "soon", "", "Thu, 01 Jan 2015 00:00:00 GMT"])
def test_P31_invalid_zero_or_past_counts_as_none(invalid: str) -> None:
    assert ends(after(429, retry_after=invalid))["server hanbit.example P33"] == POLICY.slow_down_rest_s


def test_P33_row_2_429_without_retry_after_rests_the_whole_server_an_hour() -> None:
    assert ends(after(429)) == {"server hanbit.example P33": 3600, "source 7 P33": 3600}


@pytest.mark.parametrize(
    ("status", "error"), [(500, None), (503, None), (0, "timeout"), (0, "reset"), (200, "too_large")]
)
def test_P33_row_5_a_failure_rests_the_source_alone(status: int, error: str | None) -> None:
    found = after(status, error=error)
    assert [(rest.scope, rest.rule) for rest in found] == [("source", "P30")]


@pytest.mark.parametrize("status", [401, 403, 404, 410, 451])
def test_P35_a_denial_rests_that_source_alone_until_the_next_night(status: int) -> None:
    assert after(status) == (Rest("source", "7", ENDED, NEXT_NIGHT, "P35"),)
    assert after(status, retry_after="60") == (Rest("source", "7", ENDED, NEXT_NIGHT, "P35"),)


def test_P35_a_denials_retry_after_that_ends_later_counts() -> None:
    (rest,) = after(403, retry_after="86400")
    assert rest.until == ENDED + 86_400
    assert rest.until > NEXT_NIGHT


def test_P30_repeated_failures_back_off_and_never_past_the_cap() -> None:
    waits = [ends(after(500, failures=failures))["source 7 P30"] for failures in range(8)]
    assert waits == [3600, 7200, 14_400, 28_800, 57_600, 57_600, 57_600, 57_600]


def test_P30_a_failure_in_the_evening_does_not_cost_the_next_nights_look() -> None:
    evening = parse_at("2026-03-05T22:00")
    rest = rests.failed(7, evening, failures=9, policy=POLICY)
    assert rest.until == NEXT_NIGHT


@pytest.mark.parametrize(
    "answer", [(429, None, True), (503, "60", True), (503, None, False), (403, "60", False), (500, "0", False)]
)
def test_a_slow_down_is_429_or_5xx_with_retry_after(answer: tuple[int, str | None, bool]) -> None:
    status, retry_after, wanted = answer
    headers = () if retry_after is None else (("retry-after", retry_after),)
    assert rests.slow_down(Response(ASKED.url, status, ENDED, ENDED, headers=headers)) is wanted


SEEN_BEFORE = Past(bare_429=True, others_answered=True)


def test_P34_row_3_a_second_bare_429_in_a_row_rests_that_source_alone_when_others_of_the_server_answered() -> None:
    assert after(429, past=SEEN_BEFORE) == (Rest("source", "7", ENDED, NEXT_NIGHT, "P34"),)


@pytest.mark.parametrize(
    "past",
    [
        Past(bare_429=True, others_answered=True, others_slowed=True),
        Past(bare_429=True, others_answered=False),
        Past(bare_429=False, others_answered=True),
    ],
)
def test_P34_row_4_the_same_but_another_slowed_or_none_answered_rests_the_whole_server(past: Past) -> None:
    assert ends(after(429, past=past)) == {"server hanbit.example P33": 3600, "source 7 P33": 3600}


def test_P33_row_1_retry_after_rests_the_whole_server_even_repeated() -> None:
    assert ends(after(429, retry_after="600", past=SEEN_BEFORE))["server hanbit.example P33"] == 600


def test_P32_the_first_long_retry_after_is_only_its_own_time() -> None:
    assert ends(after(429, retry_after="3600", past=Past(long_rests=0)))["source 7 P33"] == 3600


def test_P32_the_second_in_a_row_waits_for_a_run_that_starts_later() -> None:
    server, source = after(503, retry_after="3600", past=Past(long_rests=1))
    assert (server.rule, server.until, server.by_start) == ("P33", ENDED + 3600, False)
    assert (source.rule, source.until, source.by_start) == ("P32", ENDED + 3600 + 5400, True)


@pytest.mark.parametrize("answer", [(429, "3599"), (429, None), (503, "60")])
def test_P32_a_shorter_rest_does_not_count(answer: tuple[int, str | None]) -> None:
    status, wait = answer
    assert all(rest.rule == "P33" for rest in after(status, retry_after=wait, past=Past(long_rests=3)))


def test_P33_a_slow_down_on_a_robots_txt_counts_for_the_source_it_was_read_for() -> None:
    robots = Request(
        "https://hanbit.example/robots.txt", "robots", 7, "hanbit", sake="list", origin="https://hanbit.example"
    )
    answer = Response(robots.url, 429, ENDED - 1, ENDED, headers=(("Retry-After", "60"),))
    assert rests.after(robots, answer, Past(), POLICY) == (
        Rest("server", "hanbit.example", ENDED, ENDED + 60, "P33"),
        Rest("source", "7", ENDED, ENDED + 60, "P33"),
    )
    assert rests.after(robots, Response(robots.url, 500, ENDED - 1, ENDED), Past(), POLICY) == ()
