"""Subscription lists (OPML): the one we give away, and foreign ones read and sorted out. Pure; nothing in them is expanded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from crawl import cells, characters, declined, encoding, text, urls
from crawl.feedtokens import Token, Tokens
from crawl.model import Outlet
from crawl.registry import Registry

CHANNELS_MAX = 20_000
"""So many feeds of one file are read; no list a person keeps is longer."""

FOLDERS_MAX = 8
"""So many folders around a feed are named; nobody nests deeper, and a flood of openings must not make the work grow."""

How = Literal["ready", "outlet_unknown", "registered", "refused"]


@dataclass(frozen=True, slots=True)
class Channel:
    """One feed of a list: its title, address, home page and the folder it lies in (each empty where not given), and the line
    it begins on."""

    title: str
    feed: str
    page: str = ""
    folder: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Subscriptions:
    """What a list holds, and what of it could not be read: line and what is wrong there."""

    channels: tuple[Channel, ...]
    problems: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a channel means for the registry. `outlet`: its slug where it is known; `told`: why, or what it is a twin of."""

    channel: Channel
    how: How
    outlet: str = ""
    told: str = ""


def own(books: Registry) -> list[Channel]:
    """The feeds we read, as a list to give away: active feeds of living outlets, none that an exclusion covers (P60)."""
    outlets = {one.slug: one for one in books.outlets if one.status == "active"}
    return [
        Channel(outlets[source.outlet].name, source.url, outlets[source.outlet].homepage, outlets[source.outlet].university)
        for source in books.sources
        if source.kind == "feed" and source.state == "active" and source.outlet in outlets
        and books.exclusions.covers(source.url, source.outlet, cms=source.cms) is None
    ]  # fmt: skip


def write(title: str, channels: Iterable[Channel]) -> bytes:
    """An OPML 2.0 document, a folder a group, sorted: the same feeds give the same bytes."""
    ordered = sorted(channels, key=lambda one: (one.folder, one.title, one.feed))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<opml version="2.0">',
             f"  <head><title>{escape(title)}</title></head>", "  <body>"]  # fmt: skip
    for folder, group in groupby(ordered, key=lambda one: one.folder):
        lines.append(f"    <outline text={quoteattr(folder)}>")
        for one in group:
            page = f" htmlUrl={quoteattr(one.page)}" if one.page else ""
            name = quoteattr(one.title)
            lines.append(f'      <outline type="rss" text={name} title={name} xmlUrl={quoteattr(one.feed)}{page}/>')
        lines.append("    </outline>")
    return ("\n".join([*lines, "  </body>", "</opml>"]) + "\n").encode("utf-8")


def read(body: bytes) -> Subscriptions:
    """The feeds of a foreign list, whatever state it is in: what is broken is named by its line, the rest is read (E25)."""
    decoded = encoding.decode(body, None)
    problems: list[tuple[int, str]] = []
    if "\ufffd" in decoded.text:
        problems.append((_line(decoded.text, decoded.text.index("\ufffd")), "some characters could not be read"))
    reading = _Reading(characters.whole(decoded.text))
    reading.all()
    if not reading.outlines:
        problems.append((1, "this is no OPML list: it holds no outline"))
    problems += reading.problems
    return Subscriptions(tuple(reading.channels), tuple(sorted(problems)))


class _Reading:
    """One list on its way from tokens to channels."""

    def __init__(self, document: str) -> None:
        self._document, self._tokens = document, Tokens(document)
        self._folders: list[str] = []
        self._counted, self._newlines = 0, 1
        self.channels: list[Channel] = []
        self.problems: list[tuple[int, str]] = []
        self.outlines = 0

    def all(self) -> None:
        place = 0
        while (token := self._tokens.at(place)) is not None:
            begins, place = token.end - len(token.source), token.end
            if token.kind == "text":
                self._loose(begins, token.source)
            elif token.local == "outline":
                self._outline(begins, token)
            if len(self.channels) >= CHANNELS_MAX:
                self.problems.append((self._at(place), f"more than {CHANNELS_MAX} feeds: the rest is left out"))
                return
        if self._folders:
            self.problems.append((self._at(len(self._document)), "the list ends in the middle"))

    def _loose(self, begins: int, source: str) -> None:
        found = source.find("<outline")
        while found >= 0:
            self.problems.append(
                (self._at(begins + found), "this outline is broken: its quotes or its end are missing")
            )
            found = source.find("<outline", found + 1)

    def _outline(self, begins: int, token: Token) -> None:
        self.outlines += 1
        if token.kind == "close":
            if self._folders:
                self._folders.pop()
            return
        said = {name: text.decoded(value).strip() for name, value in token.attributes().items()}
        name = text.title(said.get("text") or said.get("title") or "", html=False)
        if said.get("xmlurl"):
            self._channel(self._at(begins), name, said)
        elif said.get("type", "").lower() in ("rss", "atom"):
            self.problems.append((self._at(begins), f'the feed "{name}" has no address (xmlUrl)'))
        if token.kind == "open":
            self._folders.append(name)

    def _channel(self, line: int, name: str, said: dict[str, str]) -> None:
        given = said["xmlurl"]
        bare = given.removeprefix("feed:")
        address = urls.link(f"http:{bare}" if bare.startswith("//") else bare, "")
        if address is None:
            self.problems.append((line, f'"{given[:200]}" is no web address'))
            return
        page = urls.link(said.get("htmlurl", ""), address) if said.get("htmlurl") else None
        folder = " / ".join(part for part in self._folders[:FOLDERS_MAX] if part)
        self.channels.append(Channel(name, address, page or "", folder, line))

    def _at(self, place: int) -> int:
        """The line of a place; places are asked for in their order."""
        self._newlines += self._document.count("\n", self._counted, place)
        self._counted = max(self._counted, place)
        return self._newlines


def _line(document: str, place: int) -> int:
    return document.count("\n", 0, place) + 1


def judge(channels: Sequence[Channel], books: Registry) -> list[Judged]:
    """What each channel means for the registry, in the order of the list; nothing is guessed."""
    known = {urls.normal(one.url): one.outlet for one in books.sources if cells.address_fault(one.url) is None}
    met: set[str] = set()
    found = []
    for channel in channels:
        address = cells.tidy_address(channel.feed)
        why = _refusal(address, channel, books)
        same = "" if why else urls.normal(address)
        if why:
            found.append(Judged(channel, "refused", told=why))
        elif same in known or same in met:
            told = "registered already, as it is or as a twin" if same in known else "stands in this list twice"
            found.append(Judged(channel, "registered", known.get(same, ""), told))
        else:
            met.add(same)
            found.append(_owned(channel, books.outlets))
    return found


def _refusal(address: str, channel: Channel, books: Registry) -> str:
    fault = cells.address_fault(address)
    if fault is not None:
        return f"the address {fault[0]}"
    if cells.is_youtube(urls.server(address)):
        return "YouTube is never requested (P05); a channel is registered as a frozen youtube source"
    for one in (address, channel.page):
        why = declined.reason_for(one) if one and cells.address_fault(one) is None else None
        if why is not None:
            return why
    return "" if books.exclusions.covers(address, "") is None else "it was asked to be left out (P60)"


def _owned(channel: Channel, outlets: Iterable[Outlet]) -> Judged:
    """Whose feed it is: the outlet whose registered home page it lies under, or names as its own; one of several the nearest."""
    places = [urls.normal(one) for one in (channel.feed, channel.page) if one and cells.address_fault(one) is None]
    homes = {one: urls.normal(one.homepage) for one in outlets if cells.address_fault(one.homepage) is None}
    over = [one for one, home in homes.items() if any(place == home or place.startswith((f"{home}/", f"{home}?"))
                                                     for place in places)]  # fmt: skip
    longest = max((len(homes[one]) for one in over), default=0)
    nearest = [one for one in over if len(homes[one]) == longest]
    if len(nearest) != 1:
        told = " or ".join(one.slug for one in nearest)
        return Judged(channel, "outlet_unknown", told=f"it may be of {told}" if told else "")
    (outlet,) = nearest
    if outlet.status == "ended":
        return Judged(channel, "refused", outlet.slug, "its outlet is registered as ended")
    return Judged(channel, "ready", outlet.slug)
