"""Atom 1.0 (RFC 4287): the same words as the cards, always linking to the original."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from build import feedchannel, filters
from build.feedchannel import Channel
from build.records import Card

ATOM = "http://www.w3.org/2005/Atom"
TYPE = "application/atom+xml"


def document(channel: Channel, cards: Iterable[Card]) -> bytes:
    """The channel as an Atom document; `cards` newest first. Written as text: of thousands of entries no tree is made."""
    shown = feedchannel.told(cards)
    lines = [
        "<?xml version='1.0' encoding='utf-8'?>",
        f'<feed xmlns="{ATOM}" xml:lang="ko">',
        _text(" ", "id", feedchannel.lasting_id(f"feed:{channel.name}")),
        _text(" ", "title", channel.title),
    ]
    if channel.subtitle:
        lines.append(_text(" ", "subtitle", channel.subtitle))
    lines += [
        _text(" ", "updated", filters.utc_stamp(channel.updated(shown))),
        _author(" ", channel.hub or channel.title),
        _text(" ", "rights", feedchannel.RIGHTS),
    ]
    if channel.address(""):
        lines += [
            _link(" ", "self", channel.address(f"{channel.place}.atom"), TYPE),
            _link(" ", "alternate", channel.address(channel.page), "text/html"),
            _text(" ", "icon", channel.address("assets/cover.png")),
        ]
    lines += [_entry(card) for card in shown]
    return "\n".join([*lines, "</feed>\n"]).encode("utf-8", "xmlcharrefreplace")


def _entry(card: Card) -> str:
    lang = filters.lang_of(card.title, card.outlet_kind)
    lines = [
        f' <entry xml:lang="{lang}">' if lang else " <entry>",
        _text("  ", "id", feedchannel.entry_id(card)),
        _text("  ", "title", feedchannel.title(card)),
        _link("  ", "alternate", filters.uri(card.url)),
        _text("  ", "updated", filters.utc_stamp(card.changed)),
    ]
    published = feedchannel.published(card)
    if published is not None:
        lines.append(_text("  ", "published", filters.utc_stamp(published)))
    lines.append(_author("  ", feedchannel.author(card)))
    lines += [f'  <category term="{escape(tag, _QUOTED)}" />' for tag in card.tags]
    if card.summary:
        lines.append(_text("  ", "summary", card.summary))
    if media := filters.uri(card.media_url):
        lines.append(_link("  ", "enclosure", media, feedchannel.media_type(card), card.media_bytes))
    lines.append(" </entry>")
    return "\n".join(lines)


_QUOTED = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}


def _text(indent: str, tag: str, text: str) -> str:
    return f"{indent}<{tag}>{escape(text)}</{tag}>" if text else f"{indent}<{tag} />"


def _author(indent: str, name: str) -> str:
    return "\n".join((f"{indent}<author>", _text(f"{indent} ", "name", name), f"{indent}</author>"))


def _link(indent: str, rel: str, href: str, media_type: str = "", size_bytes: int | None = None) -> str:
    kind = f' type="{escape(media_type, _QUOTED)}"' if media_type else ""
    length = f' length="{size_bytes}"' if size_bytes and size_bytes > 0 else ""
    return f'{indent}<link rel="{rel}" href="{escape(href, _QUOTED)}"{kind}{length} />'
