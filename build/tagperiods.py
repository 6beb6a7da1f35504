"""How often tags were used: in the last whole year, in every year and month, by all outlets and by each kind of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from markupsafe import Markup

from build import charts, filters, tags, words
from build.index import month_name
from build.pagekinds import Head, Listed, Page, Read
from build.records import Press
from build.tags import MonthCounts, Months, TagBook

TOP_TAGS = 100
RECENT_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Step:
    """A link to another page of the same kind. `path` is below the root; `here`: it is the page itself."""

    path: str
    label: str
    here: bool = False


@dataclass(frozen=True, slots=True)
class TagRow:
    """One tag in a list. `path` is empty where it has no page of its own."""

    name: str
    path: str
    articles: int
    outlets: int
    bar: Markup


@dataclass(frozen=True, slots=True)
class TagStatistics:
    """How often tags were used in a period, by all outlets or those of one kind.

    `kinds`, `older`, `newer`, `months`: other such pages. `years`: on the front page alone, every year with its months.
    """

    template: ClassVar[str] = "tags.html"
    head: Head
    label: str
    kind: str
    rows: tuple[TagRow, ...]
    kinds: tuple[Step, ...]
    older: Step | None
    newer: Step | None
    months: tuple[Step, ...]
    years: tuple[tuple[Step, tuple[Step, ...]], ...]
    front: bool
    running: bool

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()


@dataclass(frozen=True, slots=True)
class StatisticsSheet:
    """Statistics of a period yet to be worked out. `digests`: what its articles are."""

    blank: TagStatistics
    months: tuple[int, ...]
    digests: tuple[str, ...]
    outlets: frozenset[int] = field(repr=False)
    counts: MonthCounts = field(repr=False)

    @property
    def head(self) -> Head:
        """What the page says about itself."""
        return self.blank.head

    def worked_out(self, read: Read) -> Page:
        """The page."""
        top = self.counts.top(self.months, self.outlets, TOP_TAGS)
        most = top[0].articles if top else 0
        rows = []
        for one in top:
            # Whatever else is written under it, a tag used so often in this period alone has a page.
            place = tags.path(one.name) if one.articles >= tags.PAGE_LEAST else ""
            rows.append(TagRow(one.name, place, one.articles, one.outlets, charts.bar(one.articles, most)))
        return replace(self.blank, rows=tuple(rows))


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of months under one address: `2026`, `2026-11`, or the front page's, which is empty."""

    name: str
    label: str
    months: tuple[int, ...]

    def path(self, kind: str = "") -> str:
        """The address of its statistics, of all outlets or one kind."""
        return "tags/" + (f"{self.name}/" if self.name else "") + (f"{kind}/" if kind else "")


def sheets(press: Press, book: TagBook, held: Months) -> Iterator[StatisticsSheet]:
    """Statistics of the last twelve whole months, of every year and month, for all outlets and each kind of them."""
    counts = MonthCounts(press.index, book, held)
    used = {month: book.outlets(ids) for month, ids in held.ids.items()}
    used = {month: outlets for month, outlets in used.items() if outlets}
    recent, years, months = periods(list(used), held.running)
    for row in ([recent], years, months):
        for at, period in enumerate(row):
            outlets = frozenset[int]().union(*(used[month] for month in period.months))
            kinds = {kind: frozenset(one for one in outlets if press.outlets[one].kind == kind) for kind in words.KINDS}
            kinds = {"": outlets} | {kind: among for kind, among in kinds.items() if among}
            for kind, among in kinds.items():
                page = replace(
                    _blank(period, kind, list(kinds)),
                    older=_step(row[at - 1]) if at else None,
                    newer=_step(row[at + 1]) if at + 1 < len(row) else None,
                    months=tuple(_step(one, short=True) for one in _within(months, period)) if row is years else (),
                    years=_calendar(years, months) if row[0] is recent else (),
                    running=held.running in period.months,
                )
                yield StatisticsSheet(page, period.months, held.digests(period.months), among, counts)


def _within(months: Sequence[Period], period: Period) -> list[Period]:
    return [one for one in months if one.months[0] in period.months]


def _calendar(years: Sequence[Period], months: Sequence[Period]) -> tuple[tuple[Step, tuple[Step, ...]], ...]:
    """Every year with its months, newest first; before them the month that is still outside its year."""
    held = {month for year in years for month in year.months}
    rows = [(_step(year), tuple(_step(one, short=True) for one in _within(months, year))) for year in reversed(years)]
    loose = tuple(_step(one) for one in months if one.months[0] not in held)
    return ((Step("", "모으는 중"), loose), *rows) if loose else tuple(rows)


def _step(period: Period, *, short: bool = False) -> Step:
    return Step(period.path(), f"{(period.months[0] - 1) % 12 + 1}월" if short else period.label)


def periods(months: Sequence[int], running: int) -> tuple[Period, list[Period], list[Period]]:
    """The front page's months, the years and the months that have statistics, oldest first.

    The month that still fills has its own page and stands in no other, so that those keep still until it ends; but where there
    is none before it, the front page is its.
    """
    whole = [month for month in months if month != running]
    recent = tuple(month for month in whole if month >= running - RECENT_MONTHS) or tuple(months[-1:])
    label = "아직 셀 글이 없음"
    if recent:
        first, last = (filters.month_text(month_name(month)) for month in (recent[0], recent[-1]))
        label = first if first == last else f"{first} – {last}"
    by_year: dict[int, list[int]] = {}
    for month in whole:
        by_year.setdefault((month - 1) // 12, []).append(month)
    years = []
    for year, held in by_year.items():
        part = f", {(held[-1] - 1) % 12 + 1}월까지" if (running - 1) // 12 == year else ""
        years.append(Period(f"{year:04}", f"{year}년{part}", tuple(held)))
    singles = [Period(month_name(month), filters.month_text(month_name(month)), (month,)) for month in months]
    return Period("", label, recent), years, singles


def _blank(period: Period, kind: str, kinds: Sequence[str]) -> TagStatistics:
    """The page of a period and kind before anything is counted."""
    whose = words.kind(kind) if kind else "모든 매체"
    what = period.label if period.name else "최근 열두 달"
    plain = not period.name and not kind
    return TagStatistics(
        head=Head(
            f"{period.path(kind)}index.html",
            "태그" if plain else f"태그 {what}" + (f" · {whose}" if kind else ""),
            f"{whose}의 글에 {what} 동안 많이 달린 태그.",
            nav="tags",
        ),
        label=period.label,
        kind=kind,
        rows=(),
        kinds=tuple(Step(period.path(one), words.kind(one) if one else "모든 매체", one == kind) for one in kinds),
        older=None,
        newer=None,
        months=(),
        years=(),
        front=not period.name,
        running=False,
    )
