"""What a refusal means for source and server: pure judgement from the past, one answer and the night to who rests until
when, by which rule (politeness.md, "When a server says no", each table a function)."""

from __future__ import annotations

from dataclasses import dataclass

from crawl import headers, urls
from crawl.clock import DAY_S, kst_day, kst_midnight
from crawl.model import Request, Response, Rest
from crawl.policy import Policy

DENIALS = frozenset({401, 403, 404, 410, 451})
"""Answers that speak of the one address only (P35)."""


@dataclass(frozen=True, slots=True)
class Past:
    """What came before an answer, as far as the tables ask for it.

    `failures`: failed looks of the source in a row (P30). `long_rests`: its answers with a Retry-After of an hour or more
    since it last answered well (P32). `bare_429`: its look before this one was answered 429 without Retry-After; since
    then `others_slowed`: another source of the server was told to slow down, `others_answered`: one answered well (P34).
    """

    failures: int = 0
    long_rests: int = 0
    bare_429: bool = False
    others_slowed: bool = False
    others_answered: bool = False


def retry_after_s(response: Response, policy: Policy) -> float | None:
    """Retry-After of an answer in seconds, at most the promised cap; None for none, zero, past or invalid (P31)."""
    seconds = uncapped_retry_after_s(response)
    return None if seconds is None else min(seconds, policy.retry_after_max_s)


def uncapped_retry_after_s(response: Response) -> float | None:
    """Retry-After as the server meant it, in seconds, for the request log (P70)."""
    return headers.retry_after_s(response.header("Retry-After"), date=response.header("Date"), received=response.ended)


def slow_down(response: Response) -> bool:
    """Whether an answer asks us to slow down: 429, or 5xx with Retry-After (politeness.md, SD)."""
    return response.status == 429 or (response.status >= 500 and uncapped_retry_after_s(response) is not None)


def after(request: Request, response: Response, past: Past, policy: Policy) -> tuple[Rest, ...]:
    """The rests that a failed answer brings, by what it was asked for.

    A look follows P33 to P35 and P30; a date or backfill page, and a robots.txt read for any of them, P33's first rows; a
    photo page, and a robots.txt read for one, P37. What a page itself is owed afterwards is `pages`' to say (S31).
    """
    if (request.sake or request.purpose) == "photo":
        return _photo(request, response, policy)
    if slow_down(response):
        return _slowed(request, response, past, policy)
    if request.purpose not in ("feed", "list"):
        return ()
    if response.status in DENIALS:
        until = max(next_night(response.ended, policy), response.ended + (retry_after_s(response, policy) or 0))
        return (_of_source(request, response.ended, until, "P35"),)
    return (failed(request.source, response.ended, failures=past.failures, policy=policy),)


def failed(source: int | None, ended: float, *, failures: int, policy: Policy) -> Rest:
    """The rest of a failed source: doubling from failure to failure up to the cap, never past the next night (P30)."""
    rest_s = policy.failure_rest_max_s / 2 ** max(0, 4 - failures)
    return Rest("source", str(source), ended, min(ended + rest_s, next_night(ended, policy)), "P30")


def stopped(outlet: str, ended: float, stops: int, policy: Policy) -> Rest:
    """The rest of an outlet's backfill after a closed path, a block page or a denial, the `stops`th in a row (P45)."""
    steps = (policy.backfill_stop_first_s, policy.backfill_stop_second_s, policy.backfill_stop_later_s)
    return Rest("outlet", outlet, ended, ended + steps[min(stops, 3) - 1], "P45", what="backfill")


def next_night(at: float, policy: Policy) -> float:
    """When the next night opens after a moment, epoch seconds (P10)."""
    day = kst_day(at - policy.night_opens_s)
    return kst_midnight(day) + DAY_S + policy.night_opens_s


def _slowed(request: Request, response: Response, past: Past, policy: Policy) -> tuple[Rest, ...]:
    wait_s = retry_after_s(response, policy)
    look = (request.sake or request.purpose) in ("feed", "list")
    if (
        wait_s is None
        and request.purpose != "robots"
        and look
        and past.bare_429
        and past.others_answered
        and not past.others_slowed
    ):
        return (_of_source(request, response.ended, next_night(response.ended, policy), "P34"),)
    until = response.ended + (policy.slow_down_rest_s if wait_s is None else wait_s)
    server = Rest("server", urls.server(request.url), response.ended, until, "P33")
    if not look:
        return (server,)
    if wait_s is not None and wait_s >= policy.long_rest_s and past.long_rests > 0:
        late = until + policy.late_start_margin_s
        return server, Rest("source", str(request.source), response.ended, late, "P32", by_start=True)
    return server, _of_source(request, response.ended, until, "P33")


def _photo(request: Request, response: Response, policy: Policy) -> tuple[Rest, ...]:
    if not slow_down(response):
        return ()
    server, ended, wait_s = urls.server(request.url), response.ended, retry_after_s(response, policy)
    photos = Rest("server", server, ended, ended + policy.photo_rest_s, "P37", what="photo")
    if wait_s is None:
        return photos, Rest("server", server, ended, next_night(ended, policy), "P37", what="backfill")
    until = ended + max(wait_s, policy.photo_looks_rest_s)
    return (
        photos,
        Rest("server", server, ended, until, "P37", what="looks"),
        Rest("server", server, ended, until, "P37", what="backfill"),
    )


def _of_source(request: Request, ended: float, until: float, rule: str) -> Rest:
    return Rest("source", str(request.source), ended, until, rule)
