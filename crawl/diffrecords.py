"""What two states of the record differ in, as facts: made by `datadiff`, judged by `anomalies`, shown by the reports.

Nothing here carries a word of an article that must not be shown: a pull request is for ever (P61).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Weight = Literal["block", "look", "proposal"]
Verdict = Literal["PASS", "LOOK", "BLOCK"]


@dataclass(frozen=True, slots=True)
class FileFact:
    """One press file: its plain name, length, sha256 as hex, schema version, and its rows of articles."""

    name: str
    size_bytes: int
    sha256: str
    schema: int
    rows: int


@dataclass(frozen=True, slots=True)
class Article:
    """An article as far as a reviewer needs it; `key` in hex, times in epoch seconds UTC, `outlet` a slug.

    `hidden`: left out (P60) or asking for no index; then no other field tells what it says or where it stands.
    """

    id: int
    key: str
    outlet: str
    source: int
    kind: str
    url: str
    title: str
    summary: str
    published: int | None
    precision: str
    first_seen: int
    via: str
    media_url: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class Edit:
    """One article before and after; `fields`: the columns that differ, `tags` for its tags."""

    before: Article
    after: Article
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """An article that was readable and is not any more: its key in hex, and why; `reason` empty: nothing on record says so.

    `asked`: whether a row of exclusions.csv covers it; where there is no such file, a tombstone is enough.
    """

    key: str
    outlet: str
    reason: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """One outlet's articles before and after, counted in the files themselves.

    `new`: found by a look; `archived`: brought by backfill or a file; `unexplained`: those of `gone` without a reason;
    `retitled`: articles with another title, `retitled_newest` of the `newest` its newest before; `busiest_day`: the most
    articles it ever had on one Korean day, 0 where that was not asked; `known_titles`: new articles whose long titles it had
    before.
    """

    slug: str
    name: str
    before: int
    new: int
    archived: int
    changed: int
    retitled: int
    gone: int
    unexplained: int
    after: int
    newest: int
    retitled_newest: int
    busiest_day: int
    known_titles: int


@dataclass(frozen=True, slots=True)
class NightFact:
    """A night that the newer record tells of and the older does not, or tells differently; its columns as stored."""

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
class Coverage:
    """All listed sources in the newer record: how many rest, are closed by robots.txt, stand failing; `usual_new`: the
    median of new articles in the nights before."""

    sources: int
    resting: int
    closed_by_robots: int
    failing: int
    usual_new: int


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row of a small table that came, went or changed; `fields`: column, before, after as text, none where not to be told."""

    table: str
    name: str
    how: Literal["added", "removed", "changed"]
    fields: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class CheckFact:
    """A source's outcome that is new since; `articles`: how many it had before."""

    outlet: str
    url: str
    result: str
    reason: str
    status: int
    articles: int


@dataclass(frozen=True, slots=True)
class Silence:
    """A source that became silent since: the Korean day of its newest article."""

    outlet: str
    url: str
    newest: str


@dataclass(frozen=True, slots=True)
class StrangeHost:
    """A server that the outlet never linked to before, and how many new or changed links lead there."""

    outlet: str
    server: str
    links: int


@dataclass(frozen=True, slots=True)
class Move:
    """Where feeds moved for good (P50): one source a proposal, several at once an alarm."""

    target: str
    sources: tuple[str, ...]
    alarm: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """Something the gate refuses, by name, with the file, outlet or key it is about."""

    name: str
    subject: str
    told: str


@dataclass(frozen=True, slots=True)
class DataDiff:
    """Everything that differs between two states of the record, in a fixed order: same files, same facts.

    `forgotten`: nights and outcomes that only the older one tells of.
    """

    old_files: tuple[FileFact, ...]
    new_files: tuple[FileFact, ...]
    outlets: tuple[Tally, ...]
    new: tuple[Article, ...]
    edits: tuple[Edit, ...]
    gone: tuple[Gone, ...]
    renumbered: int
    returned: int
    nights: tuple[NightFact, ...]
    forgotten: tuple[int, int]
    coverage: Coverage
    registry: tuple[RowChange, ...]
    policy: tuple[RowChange, ...]
    tombstones: tuple[int, int]
    revisions: tuple[int, int]
    checks: tuple[CheckFact, ...]
    silences: tuple[Silence, ...]
    strange_hosts: tuple[StrangeHost, ...]
    faults: tuple[Fault, ...]
    wishes: int | None
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One thing a reviewer must see: its name, its weight, the outlet (slug) or empty, what is told, and a few examples.

    `samples` are foreign text: whoever shows them escapes them.
    """

    name: str
    weight: Weight
    outlet: str
    told: str
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A diff with the judgement on it."""

    diff: DataDiff
    anomalies: tuple[Anomaly, ...]
    verdict: Verdict
