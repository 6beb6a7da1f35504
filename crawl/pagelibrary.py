"""The last resort for a page's date: a library that knows many names of meta elements and forms of addresses. Pure.

It is given a small tree of our own making, never an address or a page: of a whole page it answers with the banner's date,
and of a string that looks like an address with a request. Its answer counts where the page itself shows that day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from crawl import dates
from crawl.characters import cut, tidy
from crawl.clock import DAY_S, KST, kst_day
from crawl.dates import Dated
from crawl.pagedates import DATE, OTHER_LABEL, RAW_CHARS, Found
from crawl.pagehead import Head

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_EARLIEST = datetime(1946, 1, 1)  # noqa: DTZ001 - the library compares naive days
_METAS_MAX = 100
_LINES_MAX = 60
_PIECE_CHARS = 300
_NOT_PUBLISHED = re.compile(
    r"modif|updat|revis|last|expir|copyright|image|title|description|keyword|url", re.IGNORECASE
)
_IN_ADDRESS = re.compile(r"(?<!\d)((?:19|20)\d\d)[/_-](\d{1,2})[/_-](\d{1,2})(?!\d)")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of the page given to the library, and whether readers see it in the article's head."""

    text: str
    name: str = ""
    seen_by_readers: bool = False


def published(tree: LexborHTMLParser, head: Head, *, seen: float) -> Found | None:
    """The day the library finds, if the page shows it; None otherwise. `seen`: epoch seconds of the fetch.

    The day of the fetch counts only where readers see it in the article's head: metadata may be the request's time.
    """
    pieces = [*_metas(tree), *_lines(head)]
    day = _answer(pieces, _canonical(tree), seen) if pieces or _canonical(tree) else None
    if day is None:
        return None
    shown = [
        (piece, found)
        for piece in (*pieces, _Piece(_canonical(tree)))
        for found in _days(piece.text, seen)
        if found.dated.at is not None and kst_day(found.dated.at) == day
    ]
    if day == kst_day(seen):
        shown = [(piece, found) for piece, found in shown if piece.seen_by_readers]
    return shown[0][1] if shown else None


def _answer(pieces: list[_Piece], canonical: str, seen: float) -> str | None:
    """What the library says of a tree that holds these pieces alone, as YYYY-MM-DD."""
    # Imported when needed, as few pages do: it costs more time than reading twenty.
    from htmldate import find_date

    latest = datetime.fromtimestamp(seen + DAY_S, KST).replace(tzinfo=None)
    try:
        return find_date(
            _document(pieces, canonical),
            extensive_search=False,
            original_date=True,
            min_date=_EARLIEST,
            max_date=latest,
        )
    except Exception:  # fed by strangers: whatever it stumbles over means that it found nothing
        return None


def _document(pieces: list[_Piece], canonical: str) -> HtmlElement:
    from lxml.html import document_fromstring

    document = document_fromstring("<html><head></head><body></body></html>")
    if canonical:
        document.head.append(document.makeelement("link", {"rel": "canonical", "href": canonical}))
    for piece in pieces:
        if piece.name:
            document.head.append(document.makeelement("meta", {"name": piece.name, "content": piece.text}))
        else:
            line = document.makeelement("p")
            line.text = piece.text
            document.body.append(line)
    return document


def _metas(tree: LexborHTMLParser) -> Iterator[_Piece]:
    for node in tree.css("head meta[content]")[:_METAS_MAX]:
        fields = node.attributes
        name = tidy(fields.get("name") or fields.get("property") or fields.get("itemprop") or "").lower()
        content = tidy((fields.get("content") or "")[:_PIECE_CHARS])
        if name and content and not _NOT_PUBLISHED.search(name):
            yield _Piece(content, cut(name, RAW_CHARS))


def _lines(head: Head) -> Iterator[_Piece]:
    lines = f"{head.marked}\n{head.head}".split("\n")
    for before, line in zip(["", *lines[:_LINES_MAX]], lines[:_LINES_MAX], strict=False):
        found = DATE.search(line)
        said = f"{before}\n{line[: found.start()]}" if found else ""
        if found and not OTHER_LABEL.search(said) and len(line) <= _PIECE_CHARS:
            yield _Piece(tidy(line), seen_by_readers=True)


def _canonical(tree: LexborHTMLParser) -> str:
    node = tree.css_first("link[rel=canonical]")
    return tidy((node.attributes.get("href") or "")[:_PIECE_CHARS]) if node is not None else ""


def _days(text: str, seen: float) -> Iterator[Found]:
    """The dates a piece shows; those of an address as days."""
    for found in DATE.finditer(text):
        dated = dates.read(text[found.start() : found.end() + RAW_CHARS // 2], seen=seen)
        yield Found(dated, cut(tidy(text[found.start() :]), RAW_CHARS))
    for found in _IN_ADDRESS.finditer(text):
        dated = dates.read("-".join(found.groups()), seen=seen)
        yield Found(Dated(dated.at, dated.precision, True), cut(text, RAW_CHARS))
