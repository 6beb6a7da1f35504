"""Bytes of a feed to its entries: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed. Pure.

The library that reads the XML formats gets bytes only (it would fetch an address), mended ones only (it loses whole
feeds to one surrogate), and is asked neither for dates (it misreads Korean ones) nor for addresses or markup (it
resolves identifiers and rewrites HTML): those are ours.

A feed's own link to older entries is not followed: backfill reads the outlet's public lists and nothing else (P22).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import feedparser

from crawl import encoding, feedjson, text
from crawl.characters import cut, tidy
from crawl.errors import FeedUnreadable
from crawl.feeditems import Enclosure, Item, Passage, Said, entries, http_only
from crawl.feednames import AS_IS, LINE_END
from crawl.feedxml import mend
from crawl.model import Feed

_LANGUAGE_MAX_CHARS = 35
_LANGUAGE_READ_CHARS = 300
_DATES = ("published", "date", "issued", "created")
_FEED_TYPES = ("application/atom+xml", "application/rss+xml", "application/feed+json", "application/json")


def parse(
    body: bytes, *, base: str, content_type: str | None, seen: float, summary_max_chars: int, pictures: bool = False
) -> Feed:
    """Read a feed. `base`: the address it came from; `seen`: when, epoch seconds (for relative and impossible dates);
    `summary_max_chars`: Policy's number (P02); `pictures`: also the first picture that an entry itself shows (P03).

    Raises FeedUnreadable: `empty_body`, `html_not_feed`, `not_a_feed`, `feed_broken` (cut off before its first entry
    was complete), `json_broken`.
    """
    found = encoding.decode(body, content_type)
    source = found.text.strip("\ufeff \t\r\n\x00")
    if not source:
        raise FeedUnreadable("empty_body")
    said = feedjson.read(source) if source[0] in "{[" else _said(source, base)
    title = text.title(said.title.source, html=said.title.html)
    kept, flags = entries(
        said.items, base=base, seen=seen, summary_max_chars=summary_max_chars, pictures=pictures, channel=title
    )
    language = cut(tidy(said.language[:_LANGUAGE_READ_CHARS]), _LANGUAGE_MAX_CHARS)
    return Feed(said.format, title, language, kept, (*found.flags, *said.flags, *flags))


def is_json_feed(body: bytes) -> bool:
    """Whether a body claims to be JSON Feed, told cheaply and before parsing."""
    start = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and (b"jsonfeed.org" in body or b'"items"' in body)


def _said(source: str, base: str) -> Said:
    mended = mend(source, base=base)
    try:
        found = feedparser.parse(BytesIO(mended.xml), resolve_relative_uris=False, sanitize_html=False)
    except Exception as trouble:  # a library fed by strangers: whatever it stumbles over is this feed's failure alone
        raise FeedUnreadable("feed_broken", f"{type(trouble).__name__}: {trouble}"[:200]) from trouble
    items = tuple(_item(entry, mended.format) for entry in found["entries"])
    if not items and "truncated" in mended.flags:
        raise FeedUnreadable("feed_broken", "it ends before its first entry is complete")
    channel = found["feed"]
    language = _text(channel, "language") or mended.language
    return Said(mended.format, _passage(channel, "title"), language, items, mended.flags)


def _item(entry: Mapping[str, Any], format: str) -> Item:
    raw = defaultdict[str, list[str]](list)
    for name, value in _mapping(entry, AS_IS).items():
        raw[name.rpartition("_")[0]].append(value)
    address, identifier = next(iter(raw["permalink"]), ""), next(iter(raw["guid"]), "")
    # Atom and RSS 1.0 name an item by an address; RSS says with isPermaLink whether its guid is one.
    named_by_address = address or (identifier if format.startswith("atom") or format == "rss10" else "")
    links = _mappings(entry, "links")
    return Item(
        title=_passage(entry, "title"),
        addresses=(*_addresses(links), http_only(named_by_address)),
        guid=address or identifier,
        summaries=(_passage(entry, "summary"), *(Passage(words, html=True) for words in raw["other"])),
        texts=tuple(_written(detail) for detail in _mappings(entry, "content")),
        authors=tuple(raw["author"]),
        presenter=next(iter(raw["presenter"]), ""),
        dates=tuple(words for name in _DATES for words in raw[name]),
        edited=tuple(raw["updated"]),
        tags=tuple(_text(tag, "label") or _text(tag, "term") for tag in _mappings(entry, "tags")),
        enclosures=tuple(
            Enclosure(_text(link, "href"), _text(link, "type"), _text(link, "length"))
            for link in links
            if _text(link, "rel") == "enclosure"
        ),
        pictures=tuple(
            _text(one, "url")
            for one in _mappings(entry, "media_content")
            if (_text(one, "medium") or _text(one, "type") or "image").lower().startswith("image")
        ),
    )


def _addresses(links: list[Mapping[str, Any]]) -> list[str]:
    """The links to the article itself, pages before other files; never enclosures or the feed."""
    pages = [link for link in links if _text(link, "rel") == "alternate"]
    pages.sort(key=lambda link: _text(link, "type") not in ("", "text/html", "application/xhtml+xml"))
    return [_text(link, "href") for link in pages if _text(link, "type") not in _FEED_TYPES]


def _passage(where: Mapping[str, Any], name: str) -> Passage:
    return _written(_mapping(where, f"{name}_detail"))


def _written(detail: Mapping[str, Any]) -> Passage:
    return Passage(_text(detail, "value").replace(LINE_END, "\n"), html=_text(detail, "type") != "text/plain")


def _get(where: Mapping[str, Any], name: str) -> Any:
    """A member as it is: the library's own look-up answers for missing ones with others, and warns."""
    return dict.get(where, name) if isinstance(where, dict) else None


def _text(where: Mapping[str, Any], name: str) -> str:
    value = _get(where, name)
    return value if isinstance(value, str) else ""


def _mapping(where: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = _get(where, name)
    return value if isinstance(value, dict) else {}


def _mappings(where: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = _get(where, name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
