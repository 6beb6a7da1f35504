"""RSS 2.0 with the itunes names: what campus radio stations put up to hear, for podcast players."""

from __future__ import annotations

from collections.abc import Iterable
from email.utils import format_datetime
from xml.etree import ElementTree as ET

from build import feedchannel, filters
from build.feedchannel import Channel
from build.records import Card

ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
ATOM = "http://www.w3.org/2005/Atom"
TYPE = "application/rss+xml"


def document(channel: Channel, cards: Iterable[Card]) -> bytes:
    """The channel as a podcast; only what has a file to hear is told. `cards` newest first."""
    shown = [card for card in feedchannel.told(cards) if filters.uri(card.media_url)]
    ET.register_namespace("itunes", ITUNES)
    ET.register_namespace("atom", ATOM)
    rss = ET.Element("rss", {"version": "2.0"})
    top = ET.SubElement(rss, "channel")
    _text(top, "title", channel.title)
    # RSS demands a link; a site that does not know its address yet can only say where its pages would lead.
    _text(top, "link", channel.address(channel.page) or channel.page)
    _text(top, "description", channel.subtitle or channel.title)
    _text(top, "language", "ko")
    _text(top, "copyright", feedchannel.RIGHTS)
    _text(top, "lastBuildDate", _rfc822(channel.updated(shown)))
    _text(top, f"{{{ITUNES}}}author", channel.hub or channel.title)
    _text(top, f"{{{ITUNES}}}explicit", "false")
    ET.SubElement(top, f"{{{ITUNES}}}category", {"text": "News"})
    # These are the stations' shows, not ours: no directory of podcasts is to list them under our name.
    _text(top, f"{{{ITUNES}}}block", "Yes")
    if channel.address(""):
        facts = {"rel": "self", "href": channel.address(f"{channel.place}.rss"), "type": TYPE}
        ET.SubElement(top, f"{{{ATOM}}}link", facts)
        ET.SubElement(top, f"{{{ITUNES}}}image", {"href": channel.address("assets/cover.png")})
    for card in shown:
        _item(top, card)
    ET.indent(rss, " ")
    whole: bytes = ET.tostring(rss, encoding="utf-8", xml_declaration=True)
    return whole + b"\n"


def _item(top: ET.Element, card: Card) -> None:
    item = ET.SubElement(top, "item")
    _text(item, "title", feedchannel.title(card))
    _text(item, "link", filters.uri(card.url))
    ET.SubElement(item, "guid", {"isPermaLink": "false"}).text = feedchannel.entry_id(card)
    _text(item, "description", card.summary or feedchannel.title(card))
    published = feedchannel.published(card)
    if published is not None:
        _text(item, "pubDate", _rfc822(published))
    _text(item, f"{{{ITUNES}}}author", feedchannel.author(card))
    for tag in card.tags:
        _text(item, "category", tag)
    # A length is demanded; 0 says that it is not known.
    size = str(max(card.media_bytes or 0, 0))
    facts = {"url": filters.uri(card.media_url), "length": size, "type": feedchannel.media_type(card)}
    ET.SubElement(item, "enclosure", facts)


def _text(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, tag).text = text


def _rfc822(at: int) -> str:
    return format_datetime(filters.kst(at))
