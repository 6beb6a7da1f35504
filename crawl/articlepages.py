"""An article's own page, read for one fact and dropped (P02): when it was published, its picture, what it asks to leave out.

Pure; never raises.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborHTMLParser

from crawl import encoding, pagedates, pagehead, pagelibrary, pagepicture, pagetree, pagewishes
from crawl.dates import Dated
from crawl.model import Response
from crawl.pagedates import Found

_SEARCHED_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """What an article's page says of itself. `dated` is None where it names no date, and never invented.

    `date_raw`: the words the date was read from. `date_from`: `page`, `library` (the page shows it, but only a library
    found it) or `none`. `picture`: a requestable http(s) address (P03). `noindex`, `nosnippet`: asked of indexes there.
    """

    dated: Dated | None
    date_raw: str
    date_from: Literal["page", "library", "none"]
    picture: str | None
    noindex: bool
    nosnippet: bool


def read(response: Response, *, seen: float) -> ArticlePage:
    """Read an article's page. `seen`: epoch seconds of the fetch, for dates without a year and impossible ones."""
    found = encoding.decode(response.body[:_SEARCHED_BYTES], response.header("content-type"))
    tree = pagetree.tree(found.text)
    wishes = pagewishes.read(tree, response.headers, seen=seen)
    picture = pagepicture.picture(tree, base=pagepicture.base(tree, response.url))
    date, source = _date(tree, response.url, seen)
    if date is None:
        return ArticlePage(None, "", "none", picture, wishes.noindex, wishes.nosnippet)
    return ArticlePage(date.dated, date.raw, source, picture, wishes.noindex, wishes.nosnippet)


def _date(tree: LexborHTMLParser, url: str, seen: float) -> tuple[Found | None, Literal["page", "library"]]:
    stated = pagedates.stated(tree, url=url, seen=seen)
    if stated is not None and stated.dated.precision != "day":
        return stated, "page"
    head = pagehead.read(tree)
    found = pagedates.shown(head, stated, seen=seen)
    return (found, "page") if found else (pagelibrary.published(tree, head, seen=seen), "library")
