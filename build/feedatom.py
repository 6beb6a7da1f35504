"""Atom 1.0 (RFC 4287): the same words as the cards, always linking to the original."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from build import feedchannel, filters
from build.feedchannel import Channel
from build.records import Card

ATOM = "http://www.w3.org/2005/Atom"
XML = "http://www.w3.org/XML/1998/namespace"
TYPE = "application/atom+xml"


def document(channel: Channel, cards: Iterable[Card]) -> bytes:
    """The channel as an Atom document; `cards` newest first."""
    shown = feedchannel.told(cards)
    ET.register_namespace("", ATOM)
    feed = ET.Element(f"{{{ATOM}}}feed", {f"{{{XML}}}lang": "ko"})
    _text(feed, "id", feedchannel.lasting_id(f"feed:{channel.name}"))
    _text(feed, "title", channel.title)
    if channel.subtitle:
        _text(feed, "subtitle", channel.subtitle)
    _text(feed, "updated", filters.utc_stamp(channel.updated(shown)))
    _text(ET.SubElement(feed, f"{{{ATOM}}}author"), "name", channel.hub or channel.title)
    _text(feed, "rights", feedchannel.RIGHTS)
    if channel.address(""):
        _link(feed, "self", channel.address(f"{channel.place}.atom"), TYPE)
        _link(feed, "alternate", channel.address(channel.page), "text/html")
        _text(feed, "icon", channel.address("assets/cover.png"))
    for card in shown:
        _entry(feed, card)
    ET.indent(feed, " ")
    whole: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return whole + b"\n"


def _entry(feed: ET.Element, card: Card) -> None:
    entry = ET.SubElement(feed, f"{{{ATOM}}}entry")
    lang = filters.lang_of(card.title, card.outlet_kind)
    if lang:
        entry.set(f"{{{XML}}}lang", lang)
    _text(entry, "id", feedchannel.entry_id(card))
    _text(entry, "title", feedchannel.title(card))
    _link(entry, "alternate", filters.uri(card.url))
    _text(entry, "updated", filters.utc_stamp(card.changed))
    published = feedchannel.published(card)
    if published is not None:
        _text(entry, "published", filters.utc_stamp(published))
    _text(ET.SubElement(entry, f"{{{ATOM}}}author"), "name", feedchannel.author(card))
    for tag in card.tags:
        ET.SubElement(entry, f"{{{ATOM}}}category", {"term": tag})
    if card.summary:
        _text(entry, "summary", card.summary)
    if media := filters.uri(card.media_url):
        _link(entry, "enclosure", media, feedchannel.media_type(card), card.media_bytes)


def _text(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, f"{{{ATOM}}}{tag}").text = text


def _link(parent: ET.Element, rel: str, href: str, media_type: str = "", size_bytes: int | None = None) -> None:
    facts = {"rel": rel, "href": href} | ({"type": media_type} if media_type else {})
    if size_bytes and size_bytes > 0:
        facts["length"] = str(size_bytes)
    ET.SubElement(parent, f"{{{ATOM}}}link", facts)
