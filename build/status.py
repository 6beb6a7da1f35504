"""/status/: how every source fares, in a sentence its publisher understands, and what each server was sent last night."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from build import words
from build.pagekinds import Head, Listed
from build.records import Night, Outlet, Press, Server, Source

GROUPS = (
    (
        "bad",
        "bad",
        "읽지 못하는 곳",
        "답이 없거나, 답을 글 목록으로 읽을 수 없었습니다. 매체의 잘못이 아닐 수 있습니다.",
    ),
    ("wait", "wait", "기다리는 곳", "robots.txt나 매체의 뜻, 서버의 쉬는 때를 따르느라 지금은 묻지 않습니다."),
    (
        "idle",
        "wait",
        "지금 확인하지 않는 곳",
        "첫 수집을 기다리거나, 아직 살펴보거나, 같은 매체의 다른 주소로 대신하거나, 더는 보지 않는 주소입니다.",
    ),
    ("good", "good", "잘 읽히는 곳", ""),
)
"""In the order the page lists them: name, mood (see words.health), title, and what is said of the group."""
FOLDED = ("idle", "good")
"""Groups whose lines need no reading: where they are many they are folded, a region each."""
FOLDED_FROM = 12
"""How many lines of a group or of the servers' table stand open at most."""


@dataclass(frozen=True, slots=True)
class Line:
    """One source and how it fares."""

    slug: str
    outlet: str
    university: str
    outlet_kind: str
    source_kind: str
    url: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Part:
    """Lines of a group: those of a region, folded under its name, or all of them, where `region` is empty."""

    region: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The sources that fare alike."""

    name: str
    mood: str
    title: str
    note: str
    parts: tuple[Part, ...]

    @property
    def count(self) -> int:
        """How many sources it has."""
        return sum(len(part.lines) for part in self.parts)


@dataclass(frozen=True, slots=True)
class StatusPage:
    """Every source by how it fares, the outlets that have none, and what each server was sent."""

    template: ClassVar[str] = "status.html"
    head: Head
    groups: tuple[Group, ...]
    bare: tuple[tuple[str, str], ...]
    night: Night | None
    state: str
    servers: tuple[Server, ...]

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()

    @property
    def requests(self) -> int:
        """Requests sent to all servers."""
        return sum(server.requests for server in self.servers)

    @property
    def folded(self) -> bool:
        """Whether the servers' table is folded."""
        return len(self.servers) > FOLDED_FROM


def page(press: Press) -> StatusPage:
    """The page as the newest night left it."""
    night = press.last_night
    outlets = {outlet.slug: outlet for outlet in press.outlets}
    at = (night.ended or night.started) if night else 0
    watched = {source.outlet for source in press.sources if source.state == "active"}
    lines: dict[str, list[tuple[str, Line]]] = {name: [] for name, *_ in GROUPS}
    for source in press.sources:
        if source.outlet in outlets:
            mood, sentence = words.health(source, source.outlet in watched, at)
            outlet = outlets[source.outlet]
            name = "idle" if _idle(source) else mood
            lines[name].append((outlet.region, _line(outlet, source, sentence)))
    having = {source.outlet for source in press.sources}
    bare = [(outlet.slug, outlet.name) for outlet in press.outlets if outlet.slug not in having]
    return StatusPage(
        head=Head(
            "status/index.html", "수집 상태", nav="status",
            description="매체마다 새 글을 읽을 수 있는지, 없다면 왜인지, 지난밤 서버마다 무엇을 보냈는지.",
        ),
        groups=tuple(
            Group(name, mood, title, note, _parts(lines[name], name in FOLDED))
            for name, mood, title, note in GROUPS
            if lines[name]
        ),
        bare=tuple(sorted(bare, key=lambda one: (one[1], one[0]))),
        night=night,
        state=words.night_state(night) if night else "",
        servers=press.servers,
    )  # fmt: skip


def _line(outlet: Outlet, source: Source, sentence: str) -> Line:
    return Line(outlet.slug, outlet.name, outlet.university, outlet.kind, source.kind, source.url, sentence)


def _idle(source: Source) -> bool:
    """Whether nothing happened to it that anyone would have to read about."""
    return source.state in ("paused", "frozen") or (source.state == "active" and not source.result)


def _parts(lines: list[tuple[str, Line]], folds: bool) -> tuple[Part, ...]:
    """Sorted lines; regions with most of them first, as the directory has them."""
    if not folds or len(lines) <= FOLDED_FROM:
        return (Part("", tuple(sorted((line for _, line in lines), key=_order))),)
    regions: dict[str, list[Line]] = {}
    for region, line in lines:
        regions.setdefault(region or "지역 미상", []).append(line)
    parts = [Part(region, tuple(sorted(own, key=_order))) for region, own in regions.items()]
    return tuple(sorted(parts, key=lambda part: (-len(part.lines), part.region)))


def _order(line: Line) -> tuple[str, str, str]:
    return line.outlet, line.slug, line.url
