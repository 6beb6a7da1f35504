"""The site's own feeds: of everything, each outlet, university and kind, of photos, videos and sounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from build import feedatom, feedjsonout, feedpodcast, filters, words
from build.feedchannel import Channel
from build.records import Card, Outlet, Press

ALL_ENTRIES = 100
ENTRIES = 50
CARD_KINDS = {"photo": ("photos", "사진"), "video": ("videos", "영상"), "audio": ("audio", "소리")}
"""Kinds of cards with feeds of their own: where these stand, and the word for them."""

Format = Literal["atom", "json", "rss"]
_WRITERS: dict[Format, Callable[[Channel, Iterable[Card]], bytes]] = {
    "atom": feedatom.document,
    "json": feedjsonout.document,
    "rss": feedpodcast.document,
}


@dataclass(frozen=True, slots=True)
class OutFeed:
    """One channel in one format."""

    channel: Channel
    format: Format

    @property
    def path(self) -> str:
        """Its file below the site's root."""
        return f"{self.channel.place}.{self.format}"

    @property
    def ids(self) -> tuple[int, ...]:
        """The articles it tells."""
        return self.channel.ids

    def body(self, cards: Mapping[int, Card]) -> bytes:
        """The feed as a document, newest entries first."""
        return _WRITERS[self.format](self.channel, [cards[id] for id in self.channel.ids])


def feeds(press: Press, base_url: str) -> Iterator[OutFeed]:
    """Every channel as Atom and as JSON Feed, and the sounds as a podcast too."""
    for channel in channels(press, base_url, _newest(press)):
        yield OutFeed(channel, "atom")
        yield OutFeed(channel, "json")
        if channel.name == "audio":
            yield OutFeed(channel, "rss")


def channels(press: Press, base_url: str, newest: Mapping[str, Sequence[int]]) -> Iterator[Channel]:
    """Everything that has feeds; `newest`: its newest articles by its name."""
    hub = press.hub
    began = press.nights[0].started if press.nights else 0

    def channel(name: str, place: str, title: str, subtitle: str, page: str, began: int = 0) -> Channel:
        ids = tuple(newest.get(name, ()))
        return Channel(name, f"feeds/{place}", title, subtitle, ids, base_url, page, hub.name, began)

    yield channel("all", "all", hub.name, hub.tagline, "", began)
    for place, word in CARD_KINDS.values():
        yield channel(place, place, f"{hub.name}: {word}", f"대학 언론의 새 {word}", f"{place}/")
    for kind in _kinds(press.outlets):
        word = words.kind(kind)
        yield channel(f"kind:{kind}", f"kind/{kind}", f"대학 {word}", f"전국 대학 {word}의 새 글", f"kind/{kind}/")
    for univ, university in universities(press.outlets):
        yield channel(
            f"university:{univ}", f"u/{univ}", f"{university}의 언론", f"{university} 매체들의 새 글", f"u/{univ}/"
        )
    for outlet in press.outlets:
        yield channel(f"outlet:{outlet.slug}", f"o/{outlet.slug}", outlet.name, outlet.university, f"o/{outlet.slug}/")


def universities(outlets: Iterable[Outlet]) -> list[tuple[str, str]]:
    """The universities of these outlets as (short name, name), by name."""
    there = {outlet.univ: outlet.university for outlet in outlets if filters.landing(outlet.univ, "u")}
    return sorted(there.items(), key=_by_name)


def _by_name(one: tuple[str, str]) -> tuple[str, str]:
    return one[1], one[0]


def _kinds(outlets: Iterable[Outlet]) -> list[str]:
    there = {outlet.kind for outlet in outlets if filters.landing(outlet.kind, "kind")}
    return [*(kind for kind in words.KINDS if kind in there), *sorted(there - words.KINDS.keys())]


def _newest(press: Press) -> dict[str, list[int]]:
    """The newest articles of every channel by its name."""
    index = press.index
    found = {"all": index.newest_of(range(len(press.outlets)), ALL_ENTRIES)}
    for kind, (name, _) in CARD_KINDS.items():
        found[name] = index.newest(index.of_kind(kind), ENTRIES)
    own: dict[str, list[int]] = {}
    for place, outlet in enumerate(press.outlets):
        for name in (f"outlet:{outlet.slug}", f"university:{outlet.univ}", f"kind:{outlet.kind}"):
            own.setdefault(name, []).append(place)
    return found | {name: index.newest_of(places, ENTRIES) for name, places in own.items()}
