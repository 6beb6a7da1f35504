"""Atom 1.0 (RFC 4287) of all outlets and of each: the same words as the cards, always linking to the original."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from build import filters
from build.records import Card, Press

ATOM = "http://www.w3.org/2005/Atom"
XML = "http://www.w3.org/XML/1998/namespace"
ALL_ENTRIES = 100
OUTLET_ENTRIES = 50
NEVER = 0
"""The moment an empty feed of an empty database was last updated: RFC 4287 demands one, data gives none."""

# Names derived from facts of the database alone, so that an entry keeps its id when the site moves.
_NAMESPACE = uuid.UUID("6f1d1b52-6a58-5d0e-9a3e-2c2f0f3b8c11")


@dataclass(frozen=True, slots=True)
class OutFeed:
    """One feed of the site. `name` is what its id is made from, `page` the page it follows, `began` its age while empty."""

    path: str
    name: str
    title: str
    subtitle: str
    ids: tuple[int, ...]
    base_url: str
    page: str
    began: int

    def body(self, cards: Mapping[int, Card]) -> bytes:
        """The feed as a document, newest entries first."""
        shown = [cards[id] for id in self.ids]
        ET.register_namespace("", ATOM)
        feed = ET.Element(f"{{{ATOM}}}feed", {f"{{{XML}}}lang": "ko"})
        _text(feed, "id", _id(f"feed:{self.name}"))
        _text(feed, "title", self.title)
        if self.subtitle:
            _text(feed, "subtitle", self.subtitle)
        _text(feed, "updated", filters.utc_stamp(max((card.changed for card in shown), default=self.began)))
        _text(ET.SubElement(feed, f"{{{ATOM}}}author"), "name", self.title)
        if self.base_url.startswith("http"):
            _link(feed, "self", f"{self.base_url}{self.path}", "application/atom+xml")
            _link(feed, "alternate", f"{self.base_url}{self.page}", "text/html")
        for card in shown:
            if filters.web(card.url):
                _entry(feed, card)
        ET.indent(feed, " ")
        document: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
        return document + b"\n"


def feeds(press: Press, base_url: str) -> Iterator[OutFeed]:
    """The feed of everything and one of each outlet."""
    index, night = press.index, press.last_night
    newest = tuple(index.newest_first(index.ids)[:ALL_ENTRIES])
    began = night.started if night else NEVER
    hub = press.hub
    yield OutFeed("feeds/all.atom", "all", hub.name, hub.tagline, newest, base_url, "", began)
    by_outlet = index.by_outlet()
    for number, outlet in enumerate(press.outlets):
        own = tuple(index.newest_first(by_outlet.get(number, ()))[:OUTLET_ENTRIES])
        yield OutFeed(
            f"feeds/o/{outlet.slug}.atom",
            f"outlet:{outlet.slug}",
            outlet.name,
            outlet.university,
            own,
            base_url,
            f"o/{outlet.slug}/",
            outlet.since or NEVER,
        )


def _entry(feed: ET.Element, card: Card) -> None:
    entry = ET.SubElement(feed, f"{{{ATOM}}}entry")
    lang = filters.lang_of(card.title, card.outlet_kind)
    if lang:
        entry.set(f"{{{XML}}}lang", lang)
    _text(entry, "id", _id(f"article:{card.key}"))
    _text(entry, "title", card.title or "(제목 없음)")
    _link(entry, "alternate", card.url)
    _text(entry, "updated", filters.utc_stamp(card.changed))
    if card.published is not None and card.precision != "none":
        _text(entry, "published", filters.utc_stamp(card.published))
    author = f"{card.byline} ({card.outlet_name})" if card.byline else card.outlet_name
    _text(ET.SubElement(entry, f"{{{ATOM}}}author"), "name", author)
    for tag in card.tags:
        ET.SubElement(entry, f"{{{ATOM}}}category", {"term": tag})
    if card.summary:
        _text(entry, "summary", card.summary)


def _text(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, f"{{{ATOM}}}{tag}").text = text


def _link(parent: ET.Element, rel: str, href: str, media_type: str = "") -> None:
    facts = {"rel": rel, "href": href} | ({"type": media_type} if media_type else {})
    ET.SubElement(parent, f"{{{ATOM}}}link", facts)


def _id(name: str) -> str:
    return uuid.uuid5(_NAMESPACE, name).urn
