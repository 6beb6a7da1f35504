"""A page for each tag that is used a little: its newest articles, when it was used, by whom and beside which others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar

from markupsafe import Markup

from build import charts, tags
from build.index import UNDATED, Index, month_name
from build.pagekinds import Head, Listed, Page, Read
from build.records import Press
from build.tags import TagBook

TAG_CARDS = 200
CHART_MONTHS = 24
RELATED = 12
TAG_OUTLETS = 8


@dataclass(frozen=True, slots=True)
class TagPage:
    """One tag. `outlets`: (slug, name, kind, articles) of those that use it most; `related`: (name, path, articles with both).

    `years`: the years of more articles than the page shows, newest first, with how many each has; none where it shows all.
    """

    template: ClassVar[str] = "tag.html"
    head: Head
    name: str
    total: int
    chart: Markup
    outlets: tuple[tuple[str, str, str, int], ...]
    more_outlets: int
    related: tuple[tuple[str, str, int], ...]
    years: tuple[tuple[str, int], ...]
    rows: Listed

    @property
    def search(self) -> str:
        """What the search is asked for its articles."""
        return f'태그:"{self.name}"' if " " in self.name else f"태그:{self.name}"

    def listed(self) -> Iterable[Listed]:
        """Its newest."""
        return (self.rows,)


@dataclass(frozen=True, slots=True)
class TagSheet:
    """A tag's page yet to be worked out. `digest`: what its articles are."""

    head: Head
    name: str
    digest: str
    ids: Sequence[int] = field(repr=False)
    press: Press = field(repr=False)
    book: TagBook = field(repr=False)

    def worked_out(self, read: Read) -> Page:
        """The page."""
        index = self.press.index
        by = Counter(map(index.outlet.__getitem__, self.ids)).items()
        ranked = sorted(by, key=lambda item: (-item[1], self.press.outlets[item[0]].slug))
        named = [(self.press.outlets[at], count) for at, count in ranked[:TAG_OUTLETS]]
        return TagPage(
            head=self.head,
            name=self.name,
            total=len(self.ids),
            chart=_uses_by_month(index, self.ids, self.name),
            outlets=tuple((outlet.slug, outlet.name, outlet.kind, count) for outlet, count in named),
            more_outlets=len(ranked) - len(named),
            related=_related(self.ids, self.book, self.name),
            years=_years(index, self.ids) if len(self.ids) > TAG_CARDS else (),
            rows=Listed("row", tuple(index.newest(self.ids, TAG_CARDS))),
        )


def _uses_by_month(index: Index, ids: Sequence[int], name: str) -> Markup:
    """Columns of the tag's last two years, which end with its own newest month: what is not touched does not move."""
    by_month = Counter(map(index.month.__getitem__, ids))
    by_month.pop(UNDATED, None)
    if not by_month:
        return Markup("")
    last = max(by_month)
    first = max(min(by_month), last - CHART_MONTHS + 1)
    points = [(tags.month_mark(month), by_month[month]) for month in range(first, last + 1)]
    if len(points) < 2:
        return Markup("")
    told = ", ".join(
        f"{tags.month_mark(month)} {by_month[month]:,}편" for month in range(first, last + 1) if by_month[month]
    )
    return charts.columns(points, name="uses", title=f"‘{name}’ 글, 달마다", told=told)


def _years(index: Index, ids: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Articles by the year they were published in, newest first; those without a date are in none."""
    by_year = Counter(month_name(index.month[id])[:4] for id in ids if index.month[id] != UNDATED)
    return tuple(sorted(by_year.items(), reverse=True))


def _related(ids: Sequence[int], book: TagBook, name: str) -> tuple[tuple[str, str, int], ...]:
    """Tags that stand beside this one often enough to have a page themselves."""
    beside = Counter(chain.from_iterable(map(book.of, ids)))
    own = tags.key(name)
    shown = [number for number in beside if beside[number] >= tags.PAGE_LEAST and book.keys[number] != own]
    shown = sorted(shown, key=lambda number: (-beside[number], book.keys[number]))[:RELATED]
    names = book.spelled_in(shown, ids)
    return tuple((names[number], tags.path(names[number]), beside[number]) for number in shown)


def sheets(press: Press, book: TagBook) -> Iterator[TagSheet]:
    """Every tag used often enough, its page to be worked out when one of its articles changed."""
    for number, ids in book.articles().items():
        name = book.names[number]
        head = Head(
            f"{tags.path(name)}index.html", f"#{name}", f"대학 언론이 ‘{name}’ 태그를 단 글의 목록.", nav="tags"
        )
        yield TagSheet(head, name, tags.digested(press.index, ids), ids, press, book)
