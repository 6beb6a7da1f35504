"""/status/: how every source fares, in a sentence its publisher understands, and what each server was sent last night."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from build import words
from build.pagekinds import Head, Listed
from build.records import Night, Outlet, Press, Server, Source

MOODS = (
    ("bad", "읽지 못하는 곳", "답이 없거나, 답을 글 목록으로 읽을 수 없었습니다. 매체의 잘못이 아닐 수 있습니다."),
    ("wait", "기다리는 곳", "robots.txt나 매체의 뜻, 서버의 쉬는 때를 따르느라 지금은 묻지 않습니다."),
    ("good", "잘 읽히는 곳", ""),
)
"""Moods in the order pages list them, with their names and what is said of them."""


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
class Group:
    """The sources of one mood."""

    mood: str
    title: str
    note: str
    lines: tuple[Line, ...]


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


def page(press: Press) -> StatusPage:
    """The page as the newest night left it."""
    night = press.last_night
    outlets = {outlet.slug: outlet for outlet in press.outlets}
    at = (night.ended or night.started) if night else 0
    watched = {source.outlet for source in press.sources if source.state == "active"}
    lines: dict[str, list[Line]] = {mood: [] for mood, _, _ in MOODS}
    for source in press.sources:
        if source.outlet in outlets:
            mood, sentence = words.health(source, source.outlet in watched, at)
            lines[mood].append(_line(outlets[source.outlet], source, sentence))
    having = {source.outlet for source in press.sources}
    bare = [(outlet.slug, outlet.name) for outlet in press.outlets if outlet.slug not in having]
    return StatusPage(
        head=Head(
            "status/index.html", "수집 상태", nav="status",
            description="매체마다 새 글을 읽을 수 있는지, 없다면 왜인지, 지난밤 서버마다 무엇을 보냈는지.",
        ),
        groups=tuple(
            Group(mood, title, note, tuple(sorted(lines[mood], key=_order))) for mood, title, note in MOODS if lines[mood]
        ),
        bare=tuple(sorted(bare, key=lambda one: (one[1], one[0]))),
        night=night,
        state=words.night_state(night) if night else "",
        servers=press.servers,
    )  # fmt: skip


def _line(outlet: Outlet, source: Source, sentence: str) -> Line:
    return Line(outlet.slug, outlet.name, outlet.university, outlet.kind, source.kind, source.url, sentence)


def _order(line: Line) -> tuple[str, str, str]:
    return line.outlet, line.slug, line.url
