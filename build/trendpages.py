"""The pages of what campuses write about: rising words month by month, and on the front page the map of tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from markupsafe import Markup

from build import charts, tagmap, tagpages, tagperiods, tags, trends, words
from build.currents import MonthsRead, Word, plain, word
from build.index import UNDATED, month_name
from build.pagekinds import Head, Listed, Page, Read
from build.records import Press
from build.tagpages import TagSheet
from build.tagperiods import StatisticsSheet, Step
from build.tags import TagBook

KIND_WORDS = 8
STORIES_WORDS = 6
STORIES_EACH = 2
MAP_MONTHS = 12
WIDE, TALL = (760, 520), (358, 620)
"""Pixels of the map on a desk and on a phone."""


@dataclass(frozen=True, slots=True)
class KindWords:
    """What rose with the outlets of one kind. `chart`: its headlines by month."""

    kind: str
    titles: int
    chart: Markup
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two tags that stand together."""

    one: str
    one_path: str
    other: str
    other_path: str
    together: int


@dataclass(frozen=True, slots=True)
class MapShown:
    """The map of tags, once for a wide and once for a narrow window, and its table."""

    label: str
    wide: Markup
    tall: Markup
    pairs: tuple[PairRow, ...]


@dataclass(frozen=True, slots=True)
class TrendsPage:
    """One month. `since`: the first month it is compared with, empty where there is none."""

    template: ClassVar[str] = "trends.html"
    head: Head
    month: str
    label: str
    front: bool
    running: bool
    titles: int
    enough: bool
    outlets: int
    since: str
    words: tuple[Word, ...]
    stories: tuple[tuple[str, Listed], ...]
    kinds: tuple[KindWords, ...]
    map: MapShown | None
    older: Step | None
    newer: Step | None
    years: tuple[tuple[str, tuple[Step, ...]], ...]

    def listed(self) -> Iterable[Listed]:
        """The newest stories of the foremost words."""
        return [rows for _, rows in self.stories]


@dataclass(frozen=True, slots=True)
class TrendsSheet:
    """A month's page yet to be worked out. `digests`: what the articles of the month and those before it are."""

    head: Head
    month: int
    running: bool
    digests: tuple[str, ...]
    older: Step | None
    newer: Step | None
    years: tuple[tuple[str, tuple[Step, ...]], ...]
    held: MonthsRead = field(repr=False)
    book: TagBook | None = field(repr=False)

    def worked_out(self, read: Read) -> Page:
        """The page; with a tag book it is the front page, which has the map."""
        press, outlet = self.held.press, self.held.press.index.outlet
        told = self.held.compared(self.month)
        now, before, found, span = told.now, told.before, told.found, told.span
        enough = len(now.ids) >= trends.MONTH_LEAST
        return TrendsPage(
            head=self.head,
            month=month_name(self.month),
            label=plain(self.month),
            front=self.book is not None,
            running=self.running,
            titles=len(now.ids),
            enough=enough,
            outlets=len(now.titles),
            since=plain(before[0].number) if trends.comparable(before) else "",
            words=tuple(word(one, span, outlet) for one in found),
            stories=tuple((one.word, _stories(press, one.ids)) for one in found[:STORIES_WORDS]),
            kinds=tuple(_kinds(press, now, before)) if enough else (),
            map=_map(self.held, self.book, self.month) if self.book else None,
            older=self.older,
            newer=self.newer,
            years=self.years,
        )


def _stories(press: Press, ids: Sequence[int]) -> Listed:
    """The newest story of each of some outlets."""
    shown: dict[int, int] = {}
    for id in press.index.newest_first(ids):
        shown.setdefault(press.index.outlet[id], id)
    return Listed("row", tuple(shown.values())[:STORIES_EACH])


def _kinds(press: Press, now: trends.Month, before: Sequence[trends.Month]) -> Iterator[KindWords]:
    outlet = press.index.outlet
    span = [one.number for one in (*before, now)]
    for kind in words.KINDS:
        among = frozenset(at for at, one in enumerate(press.outlets) if one.kind == kind)
        counts = [sum(month.titles.get(one, 0) for one in among) for month in (*before, now)]
        if counts[-1]:
            told = ", ".join(f"{plain(month)} {count:,}편" for month, count in zip(span, counts, strict=True))
            chart = charts.columns(
                [(tags.month_mark(month), count) for month, count in zip(span, counts, strict=True)],
                name=f"kind-{kind}",
                title=f"{words.kind(kind)}의 글, 달마다",
                told=told,
            )
            found = trends.rising(now, before, KIND_WORDS, among)
            yield KindWords(kind, counts[-1], chart, tuple(word(one, span, outlet, among) for one in found))


def _map(held: MonthsRead, book: TagBook, newest: int) -> MapShown | None:
    months = [month for month in range(newest - MAP_MONTHS + 1, newest + 1) if month in held.months.ids]
    outlet = held.press.index.outlet
    ids = [id for month in months for id in held.months.ids[month]]
    picked = tagmap.chosen(((outlet[id], book.of(id)) for id in ids), book.keys)
    if picked is None:
        return None
    spelled = book.spelled_in((number for number, _ in picked.tags), ids)
    names = [spelled[number] for number, _ in picked.tags]
    label = plain(months[0]) if len(months) == 1 else f"{plain(months[0])} – {plain(months[-1])}"
    title = f"함께 쓰인 태그의 지도, {label}"
    first = ", ".join(f"‘{names[pair.one]}’와 ‘{names[pair.other]}’" for pair in picked.pairs[:3])
    told = f"태그 {len(names)}개와 그 사이의 줄 {len(picked.pairs)}개. 가장 가까운 쌍: {first}. 모든 쌍은 아래 표에 있습니다."
    return MapShown(
        label,
        tagmap.drawn(picked, names, size=WIDE, name="map-wide", title=title, told=told),
        tagmap.drawn(picked, names, size=TALL, name="map-tall", title=title, told=told),
        tuple(
            PairRow(names[pair.one], tags.path(names[pair.one]), names[pair.other], tags.path(names[pair.other]), pair.together)
            for pair in picked.pairs
        ),
    )  # fmt: skip


def tags_and_trends(held: MonthsRead) -> Iterator[TagSheet | StatisticsSheet | TrendsSheet]:
    """Every page about tags and words; what they count is gathered once."""
    press = held.press
    book = tags.book_of(press.index)
    yield from tagpages.sheets(press, book)
    yield from tagperiods.sheets(press, book, held.months)
    yield from sheets(held, book)


def sheets(held: MonthsRead, book: TagBook) -> Iterator[TrendsSheet]:
    """The page of every month with enough headlines, and the front page, which is the newest of them with the map."""
    months = held.months
    shown = [month for month, ids in months.ids.items() if len(ids) >= trends.MONTH_LEAST]
    for at, month in enumerate(shown):
        label = plain(month)
        yield TrendsSheet(
            Head(_path(month) + "index.html", f"{label}의 흐름", f"대학 언론이 {label}에 평소보다 많이 쓴 낱말.", nav="trends"),
            month,
            month == months.running,
            months.digests(range(month - trends.BEFORE_MONTHS, month + 1)),
            _step(shown[at - 1]) if at else None,
            _step(shown[at + 1]) if at + 1 < len(shown) else None,
            (),
            held,
            None,
        )  # fmt: skip
    yield _front(held, shown, book)


def _front(held: MonthsRead, shown: Sequence[int], book: TagBook) -> TrendsSheet:
    months = held.months
    month = shown[-1] if shown else max(months.ids, default=UNDATED)
    years: dict[str, list[Step]] = {}
    for one in reversed(shown):
        years.setdefault(month_name(one)[:4], []).append(Step(_path(one), f"{int(month_name(one)[5:])}월"))
    return TrendsSheet(
        Head(
            "trends/index.html",
            "흐름",
            "대학 언론이 요즘 평소보다 많이 쓰는 낱말, 함께 쓰인 태그의 지도.",
            nav="trends",
        ),
        month,
        month == months.running,
        months.digests(range(month - trends.BEFORE_MONTHS, month + 1)),
        _step(shown[-2]) if len(shown) > 1 else None,
        None,
        tuple((year, tuple(steps)) for year, steps in years.items()),
        held,
        book,
    )


def _step(month: int) -> Step:
    return Step(_path(month), plain(month))


def _path(month: int) -> str:
    return f"trends/{month_name(month)}/"
