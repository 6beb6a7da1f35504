"""What a refusal means for source and server: pure judgement from one answer to who rests until when."""

from __future__ import annotations

from crawl import headers, urls
from crawl.clock import DAY_S, kst_day, kst_midnight
from crawl.model import Request, Response, Rest
from crawl.policy import Policy

DENIALS = frozenset({401, 403, 404, 410, 451})
"""Answers that speak of the one address only (P35)."""


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


def after(request: Request, response: Response, *, failures: int, policy: Policy) -> tuple[Rest, ...]:
    """The rests that a failed answer to a look brings.

    `failures`: how often in a row the source had failed before this answer. P33 rows 1, 2 and 5, P35, P30.
    """
    wait_s = retry_after_s(response, policy)
    if slow_down(response):
        until = response.ended + (policy.slow_down_rest_s if wait_s is None else wait_s)
        server = Rest("server", urls.server(request.url), response.ended, until, "P33")
        source = Rest("source", str(request.source), response.ended, until, "P33")
        return server, source
    if response.status in DENIALS:
        until = max(next_night(response.ended, policy), response.ended + (wait_s or 0))
        return (Rest("source", str(request.source), response.ended, until, "P35"),)
    return (failed(request.source, response.ended, failures=failures, policy=policy),)


def failed(source: int | None, ended: float, *, failures: int, policy: Policy) -> Rest:
    """The rest of a failed source: doubling from one failure to the next up to the cap, never past the next night (P30)."""
    rest_s = policy.failure_rest_max_s / 2 ** max(0, 4 - failures)
    until = min(ended + rest_s, next_night(ended, policy))
    return Rest("source", str(source), ended, until, "P30")


def next_night(at: float, policy: Policy) -> float:
    """When the next night opens after a moment, epoch seconds (P10)."""
    day = kst_day(at - policy.night_opens_s)
    return kst_midnight(day) + DAY_S + policy.night_opens_s
