"""Atom 1.0 (RFC 4287) of all outlets and of each: the same words as the cards, always linking to the original."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from build import filters
from build.pages import newest_first
from build.records import Card, Outlet, Press

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
    """One feed of the site: its file and its bytes."""

    path: str
    body: bytes


def all_outlets(press: Press, base_url: str) -> OutFeed:
    """The newest stories of every outlet."""
    cards = newest_first(list(press.cards))[:ALL_ENTRIES]
    night = press.last_night
    began = night.started if night else NEVER
    return _feed("feeds/all.atom", "all", press.hub.name, press.hub.tagline, cards, base_url, "", began)


def of_outlet(outlet: Outlet, cards: list[Card], base_url: str) -> OutFeed:
    """The newest stories of one outlet."""
    newest = newest_first(cards)[:OUTLET_ENTRIES]
    return _feed(
        f"feeds/o/{outlet.slug}.atom",
        f"outlet:{outlet.slug}",
        outlet.name,
        outlet.university,
        newest,
        base_url,
        f"o/{outlet.slug}/",
        outlet.since or NEVER,
    )


def _feed(
    path: str, name: str, title: str, subtitle: str, cards: list[Card], base_url: str, page: str, began: int
) -> OutFeed:
    ET.register_namespace("", ATOM)
    feed = ET.Element(f"{{{ATOM}}}feed", {f"{{{XML}}}lang": "ko"})
    _text(feed, "id", _id(f"feed:{name}"))
    _text(feed, "title", title)
    if subtitle:
        _text(feed, "subtitle", subtitle)
    _text(feed, "updated", filters.utc_stamp(max((card.changed for card in cards), default=began)))
    _text(ET.SubElement(feed, f"{{{ATOM}}}author"), "name", title)
    if base_url.startswith("http"):
        _link(feed, "self", f"{base_url}{path}", "application/atom+xml")
        _link(feed, "alternate", f"{base_url}{page}", "text/html")
    for card in cards:
        if filters.web(card.url):
            _entry(feed, card)
    ET.indent(feed, " ")
    return OutFeed(path, ET.tostring(feed, encoding="utf-8", xml_declaration=True) + b"\n")


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
