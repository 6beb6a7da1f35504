"""The kinds of page a site is made of: what each shows, and the template that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from build import filters
from build.records import Card, Hub, Night, Outlet, PolicyRow, Server, Source


@dataclass(frozen=True, slots=True)
class Head:
    """What every page says about itself. `path` is its file; `nav` the menu entry it belongs to; `feed` a path."""

    path: str
    title: str
    description: str
    nav: str = ""
    lang: str = "ko"
    feed: str = "feeds/all.atom"
    feed_title: str = "모든 매체의 새 글"

    @property
    def url_path(self) -> str:
        """The page's address below the site's root."""
        return self.path.removesuffix("index.html")

    @property
    def root(self) -> str:
        """The way from the page to the site's root."""
        return "../" * self.path.count("/") or "./"


@dataclass(frozen=True, slots=True)
class Section:
    """Cards under one heading.

    `day`: the Korean day it is about, if one. `more`: what the same day holds beyond them, as (slug, name, count).
    """

    title: str
    note: str
    cards: tuple[Card, ...]
    more: tuple[tuple[str, str, int], ...] = ()
    others: int = 0
    day: str = ""


@dataclass(frozen=True, slots=True)
class Home:
    """The newest of all outlets by Korean day."""

    template: ClassVar[str] = "home.html"
    head: Head
    sections: tuple[Section, ...]
    night: Night | None
    state: str
    kinds: tuple[tuple[str, int], ...]
    outlets: int


@dataclass(frozen=True, slots=True)
class University:
    """One university of the directory with its outlets."""

    name: str
    outlets: tuple[Outlet, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """One region of the directory."""

    name: str
    universities: tuple[University, ...]

    @property
    def outlets(self) -> int:
        """How many outlets it has."""
        return sum(len(university.outlets) for university in self.universities)


@dataclass(frozen=True, slots=True)
class Directory:
    """All listed outlets by region, university and kind."""

    template: ClassVar[str] = "outlets.html"
    head: Head
    regions: tuple[Region, ...]
    kinds: tuple[tuple[str, int], ...]
    outlets: int
    field: int
    silent: frozenset[str]


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
    cards: tuple[Card, ...]
    silence: str
    years: tuple[tuple[str, tuple[Month, ...]], ...]
    undated: int
    total: int
    first: Card | None
    told_at: int

    @property
    def watched(self) -> bool:
        """Whether any of its sources is being looked at."""
        return any(source.state == "active" for source in self.sources)


@dataclass(frozen=True, slots=True)
class MonthPage:
    """Up to a hundred cards of one month. `older` and `newer` are (path, words) of the neighbours."""

    template: ClassVar[str] = "month.html"
    head: Head
    outlet: Outlet
    label: str
    sections: tuple[Section, ...]
    part: int
    older: tuple[str, str] | None
    newer: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class PolicyPage:
    """The promises, in words of the template and numbers of the table."""

    template: ClassVar[str] = "policy.html"
    head: Head
    rows: tuple[PolicyRow, ...]
    servers: tuple[Server, ...]
    night: Night | None
    hub: Hub

    def amount(self, name: str) -> str:
        """The value of that name with its unit; words of its own where the table does not have it yet."""
        for row in self.rows:
            if row.name == name and row.value is not None:
                return filters.amount(row.value, row.unit, self.head.lang)
        return "(표에 오르면 표시)" if self.head.lang == "ko" else "(shown once it is in the table)"

    def plain(self, name: str) -> str:
        """The bare figure of that name, as a robots.txt would hold it; empty where the table does not have it yet."""
        return next((f"{row.value:g}" for row in self.rows if row.name == name and row.value is not None), "")

    def known(self, rule: str) -> bool:
        """Whether the table has that rule."""
        return any(row.rule == rule for row in self.rows)

    def in_force(self, rule: str) -> bool:
        """Whether that rule is enforced and audited."""
        return any(row.rule == rule and row.in_force for row in self.rows)

    def broken(self, rule: str) -> int:
        """How often the last night broke that rule."""
        return sum(row.breaches for row in self.rows if row.rule == rule)

    @property
    def breaches(self) -> int:
        """How often the last night broke any rule."""
        return sum(row.breaches for row in self.rows)

    def rules(self, in_force: bool) -> int:
        """How many rules are in force, or announced."""
        return len({row.rule for row in self.rows if self.in_force(row.rule) == in_force})

    @property
    def requests(self) -> int:
        """Requests sent last night, over all servers."""
        return sum(server.requests for server in self.servers)


@dataclass(frozen=True, slots=True)
class Missing:
    """The page shown where there is none."""

    template: ClassVar[str] = "404.html"
    head: Head


Page = Home | Directory | OutletPage | MonthPage | PolicyPage | Missing
