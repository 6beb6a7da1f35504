"""Time comes from one injected clock (architecture: nothing else reads it), and days are Korean days."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Protocol

KST = timezone(timedelta(hours=9), "KST")
DAY_S = 86_400


class Clock(Protocol):
    """What the crawler asks for the time: seconds since 1970-01-01 UTC."""

    def now(self) -> float: ...


class SystemClock:
    """The machine's own time, kept monotonic so that a clock correction never shortens a promised gap."""

    def __init__(self, at: float | None = None) -> None:
        """`at`: where this clock starts (a rehearsal's `--at`); otherwise now."""
        self._base = time.time() if at is None else at
        self._mark = time.monotonic()

    def now(self) -> float:
        return self._base + (time.monotonic() - self._mark)


def kst_day(at: float) -> str:
    """The Korean calendar day of a moment, `YYYY-MM-DD`."""
    return datetime.fromtimestamp(at, KST).strftime("%Y-%m-%d")


def kst_midnight(day: str) -> float:
    """The moment a Korean day (`YYYY-MM-DD`) begins."""
    return datetime.fromisoformat(day).replace(tzinfo=KST).timestamp()


def kst_text(at: float) -> str:
    """A moment for people: `2026-12-01 00:05:09 KST`."""
    return datetime.fromtimestamp(at, KST).strftime("%Y-%m-%d %H:%M:%S KST")


def parse_at(text: str) -> float:
    """A moment written as `2026-03-05T00:00` (KST unless it carries a zone). Raises ValueError."""
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=KST)).astimezone(UTC).timestamp()
