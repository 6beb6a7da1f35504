"""The frozen records of the build: one shape per site_* view, who runs the site, and the errors a build ends with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from build.index import Index

AGENT = "CampusPressHub/1.0"
"""P01: how every request of the crawler names itself; a test holds it equal to the crawler's own word."""

ROBOTS_TOKEN = "CampusPressHub"
"""P41: the name by which a robots.txt speaks to the crawler."""


class BuildError(Exception):
    """A build cannot go on; the message says what is wrong and what to do (exit status 1)."""


class BuildMisuse(BuildError):
    """A command used against its meaning (exit status 2)."""


@dataclass(frozen=True, slots=True)
class Card:
    """One article a reader may see (site_card). Times are epoch seconds; `month` is `YYYY-MM` or `undated`."""

    id: int
    key: str
    outlet: str
    outlet_name: str
    outlet_name_en: str
    university: str
    outlet_kind: str
    kind: str
    url: str
    title: str
    summary: str
    summary_derived: bool
    byline: str
    published: int | None
    precision: str
    first_seen: int
    changed: int
    sort_at: int
    month: str
    tags: tuple[str, ...]
    image_url: str | None
    media_url: str | None
    media_type: str | None
    media_bytes: int | None
    video_id: str | None
    video_form: str | None


@dataclass(frozen=True, slots=True)
class Outlet:
    """One listed medium (site_outlet). `earliest` and `since` are epoch seconds or None while nothing is stored.

    `articles`, `earliest` and `since` move from night to night: a page that holds the whole record is made anew each time.
    """

    id: int
    slug: str
    name: str
    name_en: str
    university: str
    univ: str
    kind: str
    homepage: str
    region: str
    status: str
    title_only: bool
    former: str
    note: str
    articles: int
    earliest: int | None
    since: int | None


@dataclass(frozen=True, slots=True)
class Source:
    """One address of an outlet with its newest outcome (site_source); `result` is empty where it was never due."""

    id: int
    outlet: str
    kind: str
    url: str
    cms: str
    state: str
    note: str
    title: str
    format: str
    language: str
    result: str
    reason: str
    status: int
    stage: str
    rest_until: int | None
    rest_rule: str
    since_day: str | None


@dataclass(frozen=True, slots=True)
class Night:
    """One run of the crawler (site_night). `ended` is None where it was broken off."""

    id: int
    day: str
    mode: str
    started: int
    ended: int | None
    due: int
    ok: int
    unchanged: int
    failed: int
    refused: int
    put_off: int
    new_articles: int
    changed_articles: int
    requests: int
    body_bytes: int
    breaches: int


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """One value of the table the last night obeyed (site_policy)."""

    id: int
    rule: str
    name: str
    value: float | None
    floor: float | None
    unit: str
    in_force: bool
    breaches: int


@dataclass(frozen=True, slots=True)
class Server:
    """What one server was sent last night (site_server)."""

    server: str
    requests: int
    first_start: int
    last_end: int


@dataclass(frozen=True, slots=True)
class Table:
    """One table or view of the file and what it holds (site_table); `kind` is `table` or `view`."""

    id: int
    name: str
    kind: str
    about: str


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table or view (site_column): what it holds, and its unit, empty where there is none."""

    id: int
    relation: str
    name: str
    unit: str
    about: str


@dataclass(frozen=True, slots=True)
class PressFile:
    """One database of the data folder."""

    name: str
    size_bytes: int
    path: Path


@dataclass(frozen=True, slots=True)
class Hub:
    """Who runs this site and what they chose: `[site]`, `[options]`, `[bot]` and `[web]` of hub.toml; empty where it says
    nothing.

    `addresses`: IP addresses and networks the crawler comes from (S34). `field_outlets`: about how many outlets there are
    in all, 0 where that is not said. `datasette`: where the data can be looked through.
    """

    name: str = "대학언론 허브"
    name_en: str = "CampusPressHub"
    tagline: str = "전국 대학의 학보·방송국·교지·영자신문을 한곳에서, 원문으로"
    address: str = ""
    contact: str = ""
    repository: str = ""
    operator: str = ""
    feeds_obey_named_group: bool = False
    robots_unreachable: str = "wait"
    lane_by: str = "address"
    addresses: tuple[str, ...] = ()
    field_outlets: int = 0
    datasette: str = ""
    google_site_verification: str = ""
    naver_site_verification: str = ""

    @property
    def user_agent(self) -> str:
        """What the crawler's requests carry in full: its name, and where its rules stand once the address is known (P01)."""
        return f"{AGENT} (+{self.address.rstrip('/')}/policy/)" if self.address else AGENT


@dataclass(frozen=True, slots=True)
class Press:
    """Everything one build knows, in the order of the database: the articles as `index`, their words by `read`.

    `read` gives the cards of these numbers in that order, while the data folder is open (db.opened); `titles` their titles
    alone, for an eighth of that.
    """

    hub: Hub
    index: Index
    read: Callable[[Iterable[int]], list[Card]]
    titles: Callable[[Iterable[int]], list[str]]
    outlets: tuple[Outlet, ...]
    sources: tuple[Source, ...]
    nights: tuple[Night, ...]
    policy: tuple[PolicyRow, ...]
    servers: tuple[Server, ...]
    tables: tuple[Table, ...]
    columns: tuple[Column, ...]
    files: tuple[PressFile, ...]

    @property
    def last_night(self) -> Night | None:
        """The newest run, whole or broken off."""
        return self.nights[-1] if self.nights else None
