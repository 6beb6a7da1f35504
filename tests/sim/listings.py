"""What a list page shows at a moment: its rows as its skin puts them, and the page written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from tests.sim.datewords import written
from tests.sim.newsroom import Piece
from tests.sim.sheet import Listing, Row
from tests.sim.skins import SKINS, Skin

if TYPE_CHECKING:
    from tests.sim.campus import Source

_OLD_TITLES = ("지난해 가장 많이 읽힌 기사", "[포토] 다시 보는 대동제", "등록금 특집 모아 보기")
_SUMMARY_CHARS = 300


def pieces_on(source: Source, now: float, page: int) -> tuple[list[Piece], int] | None:
    """The pieces of a page, newest first, and how many pages there are; None where no such page is."""
    skin = SKINS[source.skin]
    every = source.every(now)
    pages = max(1, -(-len(every) // source.items))
    if page > pages or not skin.pages:
        if skin.past_end == "missing" and skin.pages:
            return None
        if skin.past_end == "empty" and skin.pages:
            return [], pages
        page = 1
    return every[(page - 1) * source.items : page * source.items], pages


def pinned(source: Source, now: float) -> list[Piece]:
    """The notices above every page: the outlet's first pieces, which also stand at the end of the list."""
    return source.every(now)[::-1][: SKINS[source.skin].pinned]


def href(skin: Skin, piece: Piece) -> str:
    """The link to a piece as the skin writes it."""
    if piece.film is not None or skin.links == "absolute":
        return piece.url
    parts = urlsplit(piece.page)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return path.rpartition("/")[2] if skin.links == "bare" else path


def address(source: Source, piece: Piece) -> str:
    """Where the link leads from this list."""
    return urljoin(source.url, href(SKINS[source.skin], piece))


def byline(skin: Skin, piece: Piece) -> str:
    """The writer as the skin names one; empty where it does not."""
    nameless = skin.nameless_every and piece.number % skin.nameless_every == 0
    return piece.story.byline if "byline" in skin.shows and not nameless else ""


def page(source: Source, now: float, number: int) -> str | None:
    """The page written down; None where there is none of that number."""
    found = pieces_on(source, now, number)
    if found is None:
        return None
    skin = SKINS[source.skin]
    rows, pages = found
    listing = Listing(
        outlet=source.outlet.name,
        host=urlsplit(source.url).netloc,
        path=source.url.partition("://")[2].partition("/")[1] + source.url.partition("://")[2].partition("/")[2],
        rows=_rows(source, rows, now),
        pinned=_rows(source, pinned(source, now), now),
        decoys=_decoys(source, now),
        page=1 if rows and number > pages else number,
        pages=pages,
        now=now,
        english=source.outlet.kind == "english",
        declared=source.declared,
        page_arg=source.page_arg,
    )
    return skin.write(listing)


def _rows(source: Source, pieces: Sequence[Piece], now: float) -> tuple[Row, ...]:
    skin, desk = SKINS[source.skin], source.outlet.desk
    return tuple(
        Row(
            number=desk.first_number + piece.number,
            href=href(skin, piece),
            title=piece.headline(now),
            byline=byline(skin, piece) or ("null" if "byline" in skin.shows else ""),
            section=piece.story.section if "section" in skin.shows else "",
            summary=piece.story.text[:_SUMMARY_CHARS] if "summary" in skin.shows else "",
            at=piece.published,
            date=written(piece.published, skin.dates, now),
            image=f"./thumbnail/202612/{desk.first_number + piece.number}_7322_1123_v150.jpg",
            film=piece.film is not None,
        )
        for piece in pieces
    )


def _decoys(source: Source, now: float) -> tuple[Row, ...]:
    """Rows of the boxes beside the list: pieces of years ago, which no list shows, and the newest one once more."""
    first = source.outlet.desk.first_number
    old = [Row(first - 700 - at, "", title, "", "", "", 0.0, "", "") for at, title in enumerate(_OLD_TITLES, start=1)]
    newest = source.every(now)[:1]
    return (*old, *_rows(source, newest, now))
