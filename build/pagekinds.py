"""What a site is made of: sheets, each one file. Pages name the cards they show and in which form; nothing is rendered here."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Protocol, TypeGuard

from build import words
from build.records import Card, Outlet, Source


@dataclass(frozen=True, slots=True)
class Head:
    """What every page says about itself. `path` is its file; `nav` the menu entry it belongs to; `feed` a path.

    `twin`: the address below the root of the same page in the other language, if there is one.
    """

    path: str
    title: str
    description: str
    nav: str = ""
    lang: str = "ko"
    feed: str = "feeds/all.atom"
    feed_title: str = "모든 매체의 새 글"
    twin: str = ""

    @property
    def url_path(self) -> str:
        """The page's address below the site's root."""
        return self.path.removesuffix("index.html")

    @property
    def root(self) -> str:
        """The way from the page to the site's root."""
        return "../" * self.path.count("/") or "./"


Form = Literal["card", "own", "row", "dated", "tile", "film", "sound", "issue"]
"""How an article stands on a page: `card` with its summary and tags, `own` the same below the name of its outlet, `row` in one
or two lines, `dated` the same below its date, `tile` with its picture, `film` and `sound` with a player, `issue` with its PDF.

Full cards stand on an outlet's own pages and the home page alone, everything else shows rows (site.md, Pages that hardly change).
"""


@dataclass(frozen=True, slots=True, repr=False)
class Listed:
    """Articles by number, as a page shows them; a template writes them with `{{ show(...) }}`."""

    form: Form
    ids: tuple[int, ...]

    def __repr__(self) -> str:
        # Pages are compared by what they say of themselves and by their cards' digests, which tell which articles these are.
        return f"Listed({self.form}, {len(self.ids)})"

    def __len__(self) -> int:
        return len(self.ids)


class Page(Protocol):
    """One HTML page: a frozen dataclass with the template that shows it.

    What a page looks like follows from its fields, its template and its cards alone; the build compares just these to tell
    whether a page must be made again. So a field holds no more than is shown (not a whole Outlet, whose counts move every
    night), and no set or function, whose `repr` differs from run to run.
    """

    template: ClassVar[str]

    @property
    def head(self) -> Head:
        """What it says about itself."""

    def listed(self) -> Iterable[Listed]:
        """All cards its template shows."""


class Drawn(Protocol):
    """One file that is no page, made from articles: a feed, a chart. A frozen dataclass, compared as a page is."""

    @property
    def path(self) -> str:
        """Its place below the site's root."""

    @property
    def ids(self) -> tuple[int, ...]:
        """The articles it is made from."""

    def body(self, cards: Mapping[int, Card]) -> bytes:
        """Its bytes; `cards` holds the articles of `ids`, in that order."""


Read = Callable[[Iterable[int]], list[Card]]
"""Gives the cards of these articles, in that order."""


class Deferred(Protocol):
    """One page that takes so much to work out that this waits until it must be made. A frozen dataclass, compared as a page is.

    No articles stand beside it, so its own fields must differ whenever anything it is worked out from does.
    """

    @property
    def head(self) -> Head:
        """What the page says about itself."""

    def worked_out(self, read: Read) -> Page:
        """The page."""


class Whole(Protocol):
    """The files of one folder that are worked out together, or none of them. A frozen dataclass, compared as a page is.

    No articles stand beside it, so its own fields must differ whenever anything it is worked out from does.
    """

    @property
    def folder(self) -> str:
        """Its place below the site's root; no other sheet has a file there."""

    @property
    def needs(self) -> tuple[Whole, ...]:
        """Those whose notes it is worked out from."""

    def files(self, notes: Sequence[bytes], read: Read, scratch: Path) -> Generator[tuple[str, bytes], None, bytes]:
        """Path below its folder and content of each file; its note is returned: what others must know of it.

        `notes` of those it needs; `scratch`: where files without a name may stand meanwhile.
        """


class Noted(Protocol):
    """One file made from what is noted of wholes. A frozen dataclass, compared as a page is."""

    @property
    def path(self) -> str:
        """Its place below the site's root."""

    @property
    def needs(self) -> tuple[Whole, ...]:
        """Those whose notes it is made from."""

    def content_of(self, notes: Sequence[bytes]) -> bytes:
        """Its bytes."""


@dataclass(frozen=True, slots=True)
class Plain:
    """One file made from few facts, cheap enough to make every time."""

    path: str
    content: bytes


Ready = Page | Drawn | Noted | Plain
Single = Ready | Deferred
Sheet = Single | Whole
"""Whatever a page kind yields; each becomes one file, but for wholes."""


def is_page(sheet: Sheet) -> TypeGuard[Page]:
    """Whether a sheet is an HTML page. (Asking the protocol itself costs a second in a hundred thousand.)"""
    return hasattr(sheet, "template")


def is_deferred(sheet: Sheet) -> TypeGuard[Deferred]:
    """Whether a sheet is a page yet to be worked out."""
    return hasattr(sheet, "worked_out")


def is_drawn(sheet: Sheet) -> TypeGuard[Drawn]:
    """Whether a sheet is a file drawn from articles."""
    return hasattr(sheet, "body")


def is_whole(sheet: Sheet) -> TypeGuard[Whole]:
    """Whether a sheet is many files."""
    return hasattr(sheet, "folder")


def is_noted(sheet: Sheet) -> TypeGuard[Noted]:
    """Whether a sheet is a file made from notes."""
    return hasattr(sheet, "content_of")


@dataclass(frozen=True, slots=True)
class Section:
    """Cards under one heading.

    `day`: the Korean day it is about, if one; `whole`: where that day's own page stands, if it has one.
    `more`: what the same day holds beyond them, as (slug, name, count).
    """

    title: str
    note: str
    cards: Listed
    more: tuple[tuple[str, str, int], ...] = ()
    others: int = 0
    day: str = ""
    whole: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """Which outlet it is, and nothing of it that moves from night to night. `silent`: none of its stories is held."""

    slug: str
    name: str
    kind: str
    university: str
    status: str
    silent: bool


@dataclass(frozen=True, slots=True)
class Month:
    """One month of an outlet's calendar; `count` 0 for a month without stories."""

    month: str
    count: int

    @property
    def number(self) -> int:
        """1 to 12."""
        return int(self.month[5:])


@dataclass(frozen=True, slots=True)
class OutletPage:
    """One outlet: who they are, how well its sources can be read, its newest cards and its months."""

    template: ClassVar[str] = "outlet.html"
    head: Head
    outlet: Outlet
    sources: tuple[Source, ...]
    cards: Listed
    silence: str
    years: tuple[tuple[str, tuple[Month, ...]], ...]
    undated: int
    total: int
    told_at: int
    media: tuple[tuple[str, str], ...]

    @property
    def state(self) -> tuple[str, str]:
        """How it fares as a whole, as (mood, sentence)."""
        return words.standing(self.sources, self.told_at)

    def listed(self) -> Iterable[Listed]:
        """Its newest."""
        return (self.cards,)

    @property
    def watched(self) -> bool:
        """Whether any of its sources is being looked at."""
        return any(source.state == "active" for source in self.sources)


@dataclass(frozen=True, slots=True)
class MonthPage:
    """Up to a hundred cards of one month, or of what has no date. `older` and `newer` are (path, words) of the neighbours.

    `span`: the days that stand on a full month's own page, empty where it shows the whole month.
    """

    template: ClassVar[str] = "month.html"
    head: Head
    outlet: Named
    label: str
    span: str
    sections: tuple[Section, ...]
    older: tuple[str, str] | None
    newer: tuple[str, str] | None

    def listed(self) -> Iterable[Listed]:
        """The cards of all days."""
        return [section.cards for section in self.sections]


@dataclass(frozen=True, slots=True)
class Missing:
    """The page shown where there is none."""

    template: ClassVar[str] = "404.html"
    head: Head

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()
