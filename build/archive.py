"""The archive in compact rows: every article by Korean month of publication, and recent days on pages of their own."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import ClassVar

from build import filters, spans, words
from build.index import UNDATED, Index, grouped, month_name
from build.pagekinds import Head, Listed, Month
from build.pages import NO_DATE_NOTE, calendar
from build.records import Press
from build.spans import Span

MONTH_ROWS = 200
"""Rows of one page; what a month holds beyond them stands on pages named by the day they begin on."""

DAY_ROWS = 400

RECENT_DAYS = 31
"""How many days back from the newest one have pages of their own."""

INDEX_DAYS = 14
"""How many of these the archive's first page names; from there each leads to the one before."""

Step = tuple[str, str]
"""Where a neighbouring page stands below the root, and words for it."""


@dataclass(frozen=True, slots=True)
class ArchiveIndex:
    """All months with how much each holds, and the way to recent days."""

    template: ClassVar[str] = "archive.html"
    head: Head
    days: tuple[tuple[str, int], ...]
    years: tuple[tuple[str, tuple[Month, ...]], ...]
    undated: int

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()


@dataclass(frozen=True, slots=True)
class DayCell:
    """One day of a month's calendar; `path` empty for a day without articles."""

    day: int
    count: int
    path: str


@dataclass(frozen=True, slots=True)
class RowSection:
    """Rows under one heading; `anchor` is its id on the page."""

    title: str
    anchor: str
    rows: Listed


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """One page of a month (`span` says which days, empty for the month's own page), or of what has no date.

    `weekday`: on which column (1 Monday, 7 Sunday) the calendar's first day stands; `days` is empty where there is none.
    """

    template: ClassVar[str] = "archive_month.html"
    head: Head
    label: str
    span: str
    month: Step
    note: str
    weekday: int
    days: tuple[DayCell, ...]
    sections: tuple[RowSection, ...]
    older: Step | None
    newer: Step | None

    def listed(self) -> Iterable[Listed]:
        """The rows of all its days."""
        return [section.rows for section in self.sections]


@dataclass(frozen=True, slots=True)
class DayPage:
    """One recent day: what all outlets dated so, by kind of outlet and then by outlet.

    `rest`: how many more there are where a day has too many for one page.
    """

    template: ClassVar[str] = "day.html"
    head: Head
    day: str
    month: Step | None
    rest: int
    sections: tuple[RowSection, ...]
    older: Step | None
    newer: Step | None

    def listed(self) -> Iterable[Listed]:
        """The rows of all kinds."""
        return [section.rows for section in self.sections]


ArchiveSheet = ArchiveIndex | ArchivePage | DayPage


def archive(press: Press) -> Iterator[ArchiveSheet]:
    """Every page of the archive."""
    index = press.index
    months = grouped(index.by_publication(index.ids), index.month)
    undated = sorted(months.pop(UNDATED, array("i")))
    counts = {month_name(month): len(ids) for month, ids in months.items()}
    days = recent_days(index)
    yield ArchiveIndex(
        head=Head(
            "m/index.html", "보관함", "모든 매체의 지난 글을 달별로, 요즘 글을 날짜별로 찾습니다.", nav="archive"
        ),
        days=tuple((filters.day_of(day), len(ids)) for day, ids in days[:INDEX_DAYS]),
        years=calendar(counts),
        undated=len(undated),
    )
    order = sorted(months)
    paths = {month: f"m/{month_name(month)}/" for month in order}
    for at, month in enumerate(order):
        before = _step(paths, order[at - 1]) if at else None
        after = _step(paths, order[at + 1]) if at + 1 < len(order) else None
        yield from _month(index, month, months[month], before, after)
    yield from _undated(undated)
    yield from _days(press, days, counts)


def _step(paths: dict[int, str], month: int) -> Step:
    return paths[month], filters.month_text(month_name(month))


def _month(
    index: Index, number: int, ids: Sequence[int], before: Step | None, after: Step | None
) -> Iterator[ArchivePage]:
    """A month's own page with its calendar and its last days, and a page for each earlier span of a month that is full."""
    name = month_name(number)
    label = filters.month_text(name)
    own: Step = (f"m/{name}/", f"{label} 달력")
    parts = spans.of_month(index, ids, MONTH_ROWS)
    steps = [(f"{own[0]}{part.day_name}/", part.label) for part in parts[:-1]] + [(own[0], parts[-1].label)]
    counts = Counter(spans.published_days(index, ids))
    before_first = parts[0].first.replace(day=1).toordinal() - 1
    # A day in several parts is entered by its first one.
    homes = {day: path for part, (path, _) in reversed(list(zip(parts, steps, strict=True))) for day in _days_of(part)}
    for at, part in enumerate(parts):
        last = at + 1 == len(parts)
        title = label if last else f"{part.first.year}년 {part.label}"
        yield ArchivePage(
            head=Head(f"{steps[at][0]}index.html", title, f"대학 언론이 {title}에 낸 글의 목록.", nav="archive"),
            label=title,
            span=part.label if len(parts) > 1 else "",
            month=own,
            note="",
            weekday=part.first.replace(day=1).isoweekday() if last else 0,
            days=tuple(_cell(day, counts[before_first + day], homes.get(day, "")) for day in _whole_month(part))
            if last
            else (),
            sections=tuple(_by_day(index, part)),
            older=steps[at - 1] if at else before,
            newer=steps[at + 1] if not last else after,
        )


def _cell(day: int, count: int, path: str) -> DayCell:
    return DayCell(day, count, f"{path}#d{day}" if count else "")


def _days_of(part: Span) -> range:
    return range(part.first.day, part.last.day + 1)


def _whole_month(part: Span) -> range:
    return range(1, spans.last_of_month(part.first).day + 1)


def _by_day(index: Index, part: Span) -> Iterator[RowSection]:
    """The rows of a span under their days, newest first."""
    newest = part.ids[::-1]
    days = zip(spans.published_days(index, newest), newest, strict=True)
    for number, some in groupby(days, key=itemgetter(0)):
        day = date.fromordinal(number)
        yield RowSection(filters.day_text(day.isoformat()), f"d{day.day}", Listed("dated", tuple(id for _, id in some)))


def _undated(ids: Sequence[int]) -> Iterator[ArchivePage]:
    """What shows no date, in the order it was found: numbered parts from the oldest, the newest at the address itself."""
    parts = [ids[at : at + MONTH_ROWS] for at in range(0, len(ids), MONTH_ROWS)]
    paths = [f"m/undated/{number}/" for number in range(1, len(parts))] + ["m/undated/"]
    for at, part in enumerate(parts):
        title = "날짜 미상" if at + 1 == len(parts) else f"날짜 미상 ({at + 1})"
        yield ArchivePage(
            head=Head(f"{paths[at]}index.html", title, "날짜를 밝히지 않은 글의 목록.", nav="archive"),
            label=title,
            span="",
            month=("", ""),
            note=NO_DATE_NOTE,
            weekday=0,
            days=(),
            sections=(RowSection("찾은 순서", "found", Listed("row", tuple(reversed(part)))),),
            older=(paths[at - 1], "먼저 찾은 글") if at else None,
            newer=(paths[at + 1], "나중에 찾은 글") if at + 1 < len(parts) else None,
        )


def recent_days(index: Index) -> list[tuple[int, list[int]]]:
    """The newest days (as `Index.day` counts them) that hold articles, with these; newest day first."""
    if not len(index):
        return []
    day = index.day
    newest = max(map(day.__getitem__, index.ids))
    recent = [id for id in index.ids if day[id] > newest - RECENT_DAYS]
    return sorted(((day, list(ids)) for day, ids in grouped(recent, index.day).items()), reverse=True)


def day_path(day: str) -> str:
    """Where a recent day's page stands."""
    return f"day/{day}/"


def _days(press: Press, days: Sequence[tuple[int, list[int]]], months: dict[str, int]) -> Iterator[DayPage]:
    steps = [(day_path(name := filters.day_of(day)), filters.day_text(name)) for day, _ in days]
    for at, (number, ids) in enumerate(days):
        day = filters.day_of(number)
        month = day[:7]
        yield DayPage(
            head=Head(f"{steps[at][0]}index.html", steps[at][1], f"{steps[at][1]} 대학 언론의 글 모두.", nav="archive"),
            day=day,
            month=(f"m/{month}/", filters.month_text(month)) if month in months else None,
            rest=max(0, len(ids) - DAY_ROWS),
            sections=tuple(_by_kind(press, press.index.newest_first(ids)[:DAY_ROWS])),
            older=steps[at + 1] if at + 1 < len(steps) else None,
            newer=steps[at - 1] if at else None,
        )


def _by_kind(press: Press, ids: Sequence[int]) -> Iterator[RowSection]:
    """Rows (newest first) by kind of outlet; those of one university and one outlet stand together."""
    places = {kind: at for at, kind in enumerate(words.KINDS)}
    kinds: dict[str, list[int]] = {}
    for id in ids:
        kinds.setdefault(press.outlets[press.index.outlet[id]].kind, []).append(id)
    for kind in sorted(kinds, key=lambda kind: (places.get(kind, len(places)), kind)):
        rows = sorted(kinds[kind], key=lambda id: _whose(press, id))
        yield RowSection(words.kind(kind), filters.anchor(kind), Listed("dated", tuple(rows)))


def _whose(press: Press, id: int) -> tuple[str, str]:
    outlet = press.outlets[press.index.outlet[id]]
    return outlet.university, outlet.name
