"""The address of a page's representative picture (P03), judged by its syntax alone: nothing is asked for. Pure; never raises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from crawl import text, urls

_NAMES = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
_LONGEST = 2_000
_ENTITIES_MAX = 3
_CANDIDATES_MAX = 50
_NO_PICTURE_PLACE = re.compile(r"/image/logo/|/favicon|/static/images?/(?:opengraph|default)", re.IGNORECASE)
_NO_PICTURE_NAME = re.compile(
    r"(?:^|[^a-z])(?:(?:sns|og|fb|kakao|site|main|top|head(?:er)?|foot(?:er)?|default|univ|press)?logo(?:trans|type)?"
    r"|default|no[_-]?(?:image|img|photo|pic|thumb)|noimg|favicon|blank|spacer|transparent|opengraph|1x1|pixel)(?![a-z])"
    r"|apple-touch-icon|\.(?:svgz?|ico)$",
    re.IGNORECASE,
)


def picture(tree: LexborHTMLParser, *, base: str) -> str | None:
    """The first candidate that can be a picture of the article, as a requestable http(s) address; None where none can.

    `base`: the page's own address, or what it says it is.
    """
    return next((kept for raw in islice(_candidates(tree), _CANDIDATES_MAX) if (kept := address(raw, base))), None)


def base(tree: LexborHTMLParser, url: str) -> str:
    """What relative addresses of a page resolve against: its `<base href>` where that is an address, else its own."""
    node = tree.css_first("base[href]")
    return (urls.link(node.attributes.get("href"), url) if node is not None else None) or url


def _candidates(tree: LexborHTMLParser) -> Iterator[str]:
    found: dict[str, list[str]] = {name: [] for name in _NAMES}
    for node in tree.css("meta[content]"):
        fields = node.attributes
        name = (fields.get("property") or fields.get("name") or fields.get("itemprop") or "").strip().lower()
        if name in found:
            found[name].append(fields.get("content") or "")
    for name in _NAMES:
        yield from found[name]


def address(raw: str, base: str) -> str | None:
    """A picture's address as published, made requestable; None where it is no address or names a logo or filler."""
    written = raw.strip()
    if not written or written.startswith("#") or len(written) > _LONGEST:
        return None
    for _ in range(_ENTITIES_MAX):
        written = text.decoded(written)
    link = urls.link(written, base)
    if link is None:
        return None
    try:
        wire = urls.requestable(link)
    except ValueError:
        return None
    place = unquote(wire.partition("?")[0].partition("://")[2].partition("/")[2])
    name = place.rpartition("/")[2]
    if len(wire) > _LONGEST or not (name or "?" in wire):
        return None
    return None if _NO_PICTURE_PLACE.search(f"/{place}") or _NO_PICTURE_NAME.search(name) else wire
