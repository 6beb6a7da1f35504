"""Bytes of a feed to its entries: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed. Pure.

The library that reads the XML formats gets bytes only (it would fetch an address), mended ones only (it loses whole
feeds to one surrogate), and is asked neither for dates (it misreads Korean ones) nor for addresses or markup (it
resolves identifiers and rewrites HTML): those are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import feedparser

from crawl import encoding, feedjson, text
from crawl.characters import cut, tidy
from crawl.errors import FeedUnreadable
from crawl.feeditems import Enclosure, Item, Passage, entries, http_only
from crawl.feedxml import Mended, mend
from crawl.model import Feed

_LANGUAGE_MAX_CHARS = 35
_DATES = ("rawpublished", "rawdate", "rawissued", "rawcreated", "rawupdated")
_RELATION = "http://www.iana.org/assignments/relation/"
_FEED_TYPES = ("application/atom+xml", "application/rss+xml", "application/feed+json", "application/json")


def parse(body: bytes, *, base: str, content_type: str | None, seen: float, summary_max_chars: int) -> Feed:
    """Read a feed. `base`: the address it came from; `seen`: when, epoch seconds (for relative and impossible dates);
    `summary_max_chars`: Policy's number (P02).

    Raises FeedUnreadable: `empty_body`, `html_not_feed`, `not_a_feed`, `feed_broken` (cut off before its first entry
    was complete), `json_broken`.
    """
    found = encoding.decode(body, content_type)
    source = found.text.strip("\ufeff \t\r\n\x00")
    if not source:
        raise FeedUnreadable("empty_body")
    if source[0] in "{[":
        document = feedjson.read(source)
        kept, flags = entries(document.items, base=base, seen=seen, summary_max_chars=summary_max_chars)
        title = text.title(document.title, html=False)
        return Feed("jsonfeed", title, _language(document.language), kept, (*found.flags, *flags))
    mended = mend(source, base=base)
    channel, items = _read(mended)
    kept, flags = entries(items, base=base, seen=seen, summary_max_chars=summary_max_chars)
    if not items and "truncated" in mended.flags:
        raise FeedUnreadable("feed_broken", "it ends before its first entry is complete")
    heading = _passage(channel, "title", atom=mended.format.startswith("atom"))
    language = _text(channel, "language") or mended.language
    return Feed(
        mended.format,
        text.title(heading.source, html=heading.html),
        _language(language),
        kept,
        (*found.flags, *mended.flags, *flags),
    )


def is_json_feed(body: bytes) -> bool:
    """Whether a body claims to be JSON Feed, told cheaply and before parsing."""
    start = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and (b"jsonfeed.org" in body or b'"items"' in body)


def _read(mended: Mended) -> tuple[Mapping[str, Any], tuple[Item, ...]]:
    try:
        found = feedparser.parse(BytesIO(mended.xml), resolve_relative_uris=False, sanitize_html=False)
    except Exception as trouble:  # a library fed by strangers: whatever it stumbles over is this feed's failure alone
        raise FeedUnreadable("feed_broken", f"{type(trouble).__name__}: {trouble}"[:200]) from trouble
    format = mended.format
    return found["feed"], tuple(_item(entry, format) for entry in found["entries"])


def _item(entry: Mapping[str, Any], format: str) -> Item:
    atom = format.startswith("atom")
    address = _text(entry, "rawaddress")
    # Atom and RSS 1.0 name an item by an address; RSS says with isPermaLink whether its guid is one.
    named_by_address = address or (_text(entry, "rawguid") if atom or format == "rss10" else "")
    named = [name for author in _mappings(entry, "authors") if text.byline(name := _text(author, "name"))]
    described = [_passage(entry, "summary", atom=atom)] if _get(entry, "summary_detail") is not None else []
    return Item(
        title=_passage(entry, "title", atom=atom),
        addresses=(*_addresses(entry), http_only(named_by_address)),
        guid=address or _text(entry, "rawguid"),
        summaries=(*described, Passage(_text(entry, "rawsummary"), html=True)),
        texts=tuple(_written(detail, atom=atom) for detail in _mappings(entry, "content")),
        authors=tuple(named) or (_text(entry, "rawauthor"),),
        dates=tuple(_text(entry, name) for name in _DATES),
        tags=tuple(_text(tag, "label") or _text(tag, "term") for tag in _mappings(entry, "tags")),
        enclosures=tuple(
            Enclosure(_text(link, "href"), _text(link, "type"), _text(link, "length"))
            for link in _mappings(entry, "links")
            if _relation(link) == "enclosure"
        ),
    )


def _addresses(entry: Mapping[str, Any]) -> list[str]:
    """The links to the article itself, pages before other files; never enclosures, replies or the feed."""
    links = [link for link in _mappings(entry, "links") if _relation(link) == "alternate"]
    pages = sorted(links, key=lambda link: _text(link, "type") not in ("", "text/html", "application/xhtml+xml"))
    return [_text(link, "href") for link in pages if _text(link, "type") not in _FEED_TYPES]


def _relation(link: Mapping[str, Any]) -> str:
    return _text(link, "rel").strip().lower().removeprefix(_RELATION) or "alternate"


def _passage(where: Mapping[str, Any], name: str, *, atom: bool) -> Passage:
    detail = _get(where, f"{name}_detail")
    if not isinstance(detail, dict):
        return Passage(_text(where, name), html=not atom)
    return _written(detail, atom=atom)


def _written(detail: Mapping[str, Any], *, atom: bool) -> Passage:
    """RSS never says what it holds: HTML. Atom does."""
    return Passage(_text(detail, "value"), html=not atom or _text(detail, "type") != "text/plain")


def _language(raw: str) -> str:
    return cut(tidy(raw), _LANGUAGE_MAX_CHARS)


def _get(where: Mapping[str, Any], name: str) -> Any:
    """A member as it is: the library's own look-up answers for missing ones with others, and warns."""
    return dict.get(where, name) if isinstance(where, dict) else None


def _text(where: Mapping[str, Any], name: str) -> str:
    value = _get(where, name)
    return value if isinstance(value, str) else ""


def _mappings(where: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = _get(where, name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
