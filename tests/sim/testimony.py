"""What the servers' log says of one request: whose it was, when, what the answer meant; words for the judge."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

from tests.sim.anyservers import Kind, Robots, Seen

KST = timezone(timedelta(hours=9))
DAY_S = 86_400.0
LONGEST_S = 30.0
HAIR_S = 1e-4
"""Float sums of the same seconds may differ by less than this."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A registered address and how it is read."""

    url: str
    kind: Kind

    @property
    def is_web(self) -> bool:
        """Whether robots.txt binds it: lists and JSON Feeds (P40, P44)."""
        return self.kind != "feed"


@dataclass(frozen=True, slots=True)
class Run:
    """One run as the operator started it; a night that was broken off and started again is two."""

    started: float
    is_scheduled: bool
    ended: float


@dataclass(slots=True)
class Asked:
    """One request understood: whose it is (a registered address, or the origin of a robots.txt), which hop of its chain."""

    seen: Seen
    watched: Watched | None
    robots_for: str = ""
    hop: int = 0
    parent: Asked | None = None
    page: str = ""
    """`date`, `photo` or `older` for a page that a list leads to."""

    @property
    def is_look(self) -> bool:
        return self.watched is not None and self.hop == 0 and not self.page

    @property
    def is_web(self) -> bool:
        return self.watched is not None and self.watched.is_web


def kst_day(at: float) -> str:
    return datetime.fromtimestamp(at, KST).strftime("%Y-%m-%d")


def kst_second(at: float) -> float:
    """Seconds since midnight in Korea."""
    return (at + 9 * 3600) % DAY_S


def wait_s(seen: Seen) -> float | None:
    """Retry-After of an answer in seconds, at most a day; None where there is none that means anything (P31)."""
    text = seen.wait.strip()
    if re.fullmatch(r"[0-9]+", text):
        seconds = float(text)
    else:
        try:
            seconds = parsedate_to_datetime(text).astimezone(UTC).timestamp() - int(seen.ended)
        except ValueError:
            return None
    return min(seconds, DAY_S) if seconds > 0 else None


def slowed(seen: Seen) -> bool:
    """Whether the answer arrived and said "slow down"."""
    return not lost(seen) and (seen.status == 429 or (seen.status >= 500 and wait_s(seen) is not None))


def lost(seen: Seen) -> bool:
    """Whether the asker was gone before a whole answer (killed; a drip cut at its deadline has spoken its status)."""
    return seen.cut and seen.ended - seen.started < LONGEST_S - HAIR_S


def readable(seen: Seen) -> Robots | None:
    """What an answer about robots.txt lets us do; None where it could not be read (P42). No rules: everything."""
    if seen.robots is None or seen.status in (0, 401, 403, 429) or seen.status >= 500:
        return None
    if seen.cut and seen.status == 200:
        return None
    return seen.robots if seen.status == 200 and not seen.robots.html else Robots(404)
