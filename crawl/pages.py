"""What a page read for one fact is owed after an answer: read once, remembered when gone, tried a few times (S31)."""

from __future__ import annotations

from dataclasses import dataclass

from crawl import rests
from crawl.model import Response
from crawl.policy import Policy

GONE = frozenset({404, 410})


@dataclass(frozen=True, slots=True)
class Fate:
    """A page's memory: failed tries in a row, not again before `until` (None: at any time), or read for good."""

    tries: int
    until: float | None
    done: bool


def fate(tries: int, response: Response, policy: Policy) -> Fate:
    """The memory of a page after an answer; `tries`: failed tries in a row before it.

    A time-out or server error is tried again after a while that doubles, then rests; a slow-down is not tried again
    tonight, whoever else rests by it (P33, P37).
    """
    ended = response.ended
    wished = ended + (rests.retry_after_s(response, policy) or 0)
    if response.status == 200 and not response.error:
        return Fate(0, None, True)
    if response.status in GONE:
        return Fate(0, max(ended + policy.page_gone_s, wished), False)
    if rests.slow_down(response) or (response.status and response.status < 500 and not response.error):
        return Fate(tries, max(rests.next_night(ended, policy), wished), False)
    if tries + 1 < policy.page_tries:
        return Fate(tries + 1, ended + policy.page_rest_s / 60 * 2**tries, False)
    return Fate(0, ended + policy.page_rest_s, False)
