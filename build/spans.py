"""A long list cut at dates of the calendar, so that what is found late moves no page but the one it belongs on."""

from __future__ import annotations

from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from build.index import Index, day_number

EPOCH_ORDINAL = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class Span:
    """What was published from `first` to `last` (Korean days), oldest first.

    `part`: 1, or which of several where one day alone holds more than a page does.
    """

    first: date
    last: date
    ids: tuple[int, ...]
    part: int = 1

    @property
    def day_name(self) -> str:
        """Its name below its month: the day it begins on, `17`, or `17-2`."""
        return f"{self.first.day}" + (f"-{self.part}" if self.part > 1 else "")

    @property
    def month_name(self) -> str:
        """Its name below its year: `04` where it begins with a month, else `04-17`, or `04-17-2`."""
        month, day = f"{self.first.month:02}", f"{self.first.day:02}"
        if self.part > 1:
            return f"{month}-{day}-{self.part}"
        return month if self.first.day == 1 else f"{month}-{day}"

    @property
    def label(self) -> str:
        """From when to when, without the year: `4월`, `4월–6월`, `4월 1일–15일`, `4월 17일`."""
        first, last = self.first, self.last
        if first.day == 1 and last == last_of_month(last):
            return f"{first.month}월" + (f"–{last.month}월" if last.month != first.month else "")
        whole = f"{first.month}월 {first.day}일" + (f"–{last.day}일" if last != first else "")
        return f"{whole} ({self.part})" if self.part > 1 else whole


def published_days(index: Index, ids: Iterable[int]) -> list[int]:
    """The Korean days articles show as their dates, as numbers of `date.toordinal`; only for those that stand in a month."""
    published = index.published
    return [day_number(published[id]) + EPOCH_ORDINAL for id in ids]


def _published_day(index: Index, id: int) -> date:
    return date.fromordinal(*published_days(index, (id,)))


def of_month(index: Index, ids: Sequence[int], most: int) -> list[Span]:
    """The articles of one month (oldest first) in spans of at most that many: of the whole month, or halves of it, and so on.

    Where a span ends is the calendar's to say, not what it holds: one more article touches its own span alone, or cuts it in two.
    """
    some = _published_day(index, ids[0])
    return list(_cut(index, ids, some.replace(day=1), last_of_month(some), most))


def of_year(index: Index, ids: Sequence[int], most: int) -> list[Span]:
    """The same for the articles of one year: halves of the year, quarters, months, and so on."""
    some = _published_day(index, ids[0])
    return list(_cut(index, ids, date(some.year, 1, 1), date(some.year, 12, 31), most))


def _cut(index: Index, ids: Sequence[int], first: date, last: date, most: int) -> Iterator[Span]:
    if len(ids) <= most:
        if ids:
            yield Span(first, last, tuple(ids))
    elif first == last:
        # In the order they were found, so that a part once full stays as it is.
        found = sorted(ids)
        for at in range(0, len(found), most):
            part = index.by_publication(found[at : at + most])
            yield Span(first, last, tuple(part), at // most + 1)
    else:
        middle = _middle(first, last)
        at = bisect_left(ids, middle.toordinal(), key=lambda id: published_days(index, (id,))[0])
        yield from _cut(index, ids[:at], first, middle - timedelta(1), most)
        yield from _cut(index, ids[at:], middle, last, most)


def _middle(first: date, last: date) -> date:
    """The day on which the second half begins: of a month where there are several, else any day."""
    if first.month != last.month:
        return first.replace(month=first.month + (last.month - first.month + 2) // 2)
    return first + timedelta(((last - first).days + 2) // 2)


def last_of_month(day: date) -> date:
    """The last day of that day's month."""
    return day.replace(day=monthrange(day.year, day.month)[1])
