"""Bytes of a feed to its entries: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed. Pure.

A feed's own link to older entries is not followed: backfill reads the outlet's public lists and nothing else (P22).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from crawl import encoding, feedjson, feedxml, text
from crawl.characters import cut, tidy
from crawl.errors import FeedUnreadable
from crawl.feedelements import Document, Element
from crawl.feeditems import Enclosure, Item, Passage, Said, entries, http_only
from crawl.model import Feed

_LANGUAGE_MAX_CHARS = 35
_LANGUAGE_READ_CHARS = 300
_DATES = ("published", "date", "issued", "created")
_RELATION = "http://www.iana.org/assignments/relation/"
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
    if source[0] in "{[":
        said = feedjson.read(source)
    else:
        document = feedxml.read(source, base=base)
        if not document.items and "truncated" in document.flags:
            raise FeedUnreadable("feed_broken", "it ends before its first entry is complete")
        said = _said(document)
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


_Named = Mapping[str, list[Element]]


def _said(document: Document) -> Said:
    channel = _by_name(document.channel)
    title = _titled(channel, atom=document.format.startswith("atom"))
    language = _first(channel, "language") or document.language
    items = tuple(_item(elements, document.format) for elements in document.items)
    return Said(document.format, title, language, items, document.flags)


def _by_name(elements: Iterable[Element]) -> _Named:
    found: defaultdict[str, list[Element]] = defaultdict(list)
    for element in elements:
        found[element.name].append(element)
    return found


def _item(elements: Iterable[Element], format: str) -> Item:
    found = _by_name(elements)
    atom = format.startswith("atom")
    address = _first(found, "permalink")
    # Atom and RSS 1.0 name an item by an address; RSS says with isPermaLink whether its guid is one.
    named_by_address = address or (_first(found, "guid") if atom or format == "rss10" else "")
    links = [(one.attribute("href") or one.text, _relation(one), one) for one in found["link"]]
    return Item(
        title=_titled(found, atom=atom),
        addresses=(*_addresses(links), http_only(named_by_address)),
        guid=address or _first(found, "guid"),
        summaries=(
            *(_passage(one, atom=atom) for one in found["summary"]),
            *(Passage(one.text, html=True) for one in found["itunes:summary"]),
        ),
        texts=tuple(_passage(one, atom=atom) for name in ("content", "content:encoded") for one in found[name]),
        authors=tuple(one.text for one in found["author"]),
        presenter=_first(found, "itunes:author"),
        dates=tuple(one.text for name in _DATES for one in found[name]),
        edited=tuple(one.text for one in found["updated"]),
        tags=tuple(one.attribute("label") or one.attribute("term") or one.text for one in found["category"]),
        enclosures=tuple(
            Enclosure(address, one.attribute("type"), one.attribute("length"))
            for address, relation, one in (
                *((one.attribute("url"), "enclosure", one) for one in found["enclosure"]),
                *links,
            )
            if relation == "enclosure"
        ),
        pictures=tuple(
            one.text
            for one in found["picture"]
            if (one.attribute("medium") or one.attribute("type") or "image").lower().startswith("image")
        ),
    )


def _addresses(links: Iterable[tuple[str, str, Element]]) -> list[str]:
    """The links to the article itself, pages before other files; never enclosures, replies or the feed."""
    pages = [(address, one.attribute("type")) for address, relation, one in links if relation == "alternate"]
    pages.sort(key=lambda page: page[1] not in ("", "text/html", "application/xhtml+xml"))
    return [address for address, type in pages if type not in _FEED_TYPES]


def _relation(link: Element) -> str:
    return link.attribute("rel").strip().lower().removeprefix(_RELATION) or "alternate"


def _titled(where: _Named, *, atom: bool) -> Passage:
    return next((_passage(one, atom=atom) for one in where["title"] if one.text.strip()), Passage())


def _passage(element: Element, *, atom: bool) -> Passage:
    """RSS never says what it holds: HTML. Atom does."""
    plain = atom and element.name != "content:encoded" and element.attribute("type") in ("", "text", "text/plain")
    return Passage(element.text, html=not plain)


def _first(where: _Named, name: str) -> str:
    return next((one.text for one in where[name] if one.text.strip()), "")
