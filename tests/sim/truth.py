"""What a perfect reader of this web would know: told page by page, and summed up over everything it was answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from tests.sim import listings, pictures, routes, storypages
from tests.sim.access import Access
from tests.sim.datewords import written
from tests.sim.skins import SKINS

if TYPE_CHECKING:
    from tests.sim.campus import Campus, Outlet, Source
    from tests.sim.films import Form
    from tests.sim.newsroom import Piece

Kind = Literal["article", "photo", "video", "audio", "edition"]


@dataclass(frozen=True, slots=True)
class Item:
    """A piece as one page of one source shows it. `section`, `byline`, `summary` are empty where it shows none.

    `summary` is the text it begins with, of any length. `published`: epoch seconds, with the precision that was written;
    `counted`: as so long before the request, which is vague.
    """

    piece: Piece
    url: str
    title: str
    byline: str
    section: str
    summary: str
    published: int | None
    precision: str
    kind: Kind
    film: str
    form: Form | None
    counted: bool


@dataclass(frozen=True, slots=True)
class Known:
    """All that is known of a piece: what its first source last showed, with what its own page added.

    The date is the first that was told, for one counted back means something else on another night, until a page writes it out.
    `reads`: how often its page
    was read, each time for one fact; `on_page`: the date that stands there. `picture`: None where the page was not read or names
    none but a logo. `wish`: what the page asks for, empty where it was not read.
    """

    outlet: Outlet
    source: Source
    item: Item
    published: int | None
    precision: str
    from_page: bool = False
    reads: int = 0
    on_page: tuple[int | None, str] = (None, "none")
    picture: str | None = None
    wish: storypages.Wish = ""


Book = dict[tuple[str, int], Known]
"""Outlet slug and the piece's number -> what is known of it."""


def items(source: Source, now: float, page: int = 1) -> Iterator[Item]:
    """What a page of a source shows at that moment, pinned notices first; nothing where there is no such page."""
    if source.kind == "feed":
        pieces = source.shown(now)
    else:
        found = listings.pieces_on(source, now, page)
        pieces = [*listings.pinned(source, now), *found[0]] if found else []
    for piece in dict.fromkeys(pieces):
        yield _item(source, piece, now)


def known(campus: Campus, log: Iterable[Access]) -> Book:
    """What one knows who was given exactly the answers of an access log."""
    book: Book = {}
    for access in log:
        server = campus.servers.get(access.server)
        found = routes.find(campus, server, access.path, access.started) if server else None
        if access.status not in (200, 304) or found is None:
            continue
        if isinstance(found, routes.Told):
            _read(book, found, access.url)
        else:
            for item in items(found.source, access.started, found.page):
                _show(book, found.source, item)
    return book


def identity(outlet: Outlet, url: str, now: float) -> Piece | None:
    """The piece an address of an outlet is about, however it is spelt; None where it is about none."""
    rest = url.partition("://")[2]
    films = {piece.url: piece for piece in outlet.published_by(now) if piece.film is not None}
    return films.get(url) or routes.story(outlet, f"/{rest.partition('/')[2]}", now)


def same_address(one: str, other: str) -> bool:
    """Whether two spellings name one address, percent-encoded or not."""
    return unquote(one) == unquote(other)


def _show(book: Book, source: Source, item: Item) -> None:
    key = (source.outlet.slug, item.piece.number)
    old = book.get(key)
    if old is None:
        book[key] = Known(source.outlet, source, item, item.published, item.precision)
    elif old.source is source:
        book[key] = replace(old, item=item)
        if old.item.counted and not item.counted:
            book[key] = replace(book[key], published=item.published, precision=item.precision)


def _read(book: Book, found: routes.Told, url: str) -> None:
    key = (found.outlet.slug, found.piece.number)
    old = book.get(key)
    if old is None:
        return
    at, precision = storypages.meant_on(found.outlet.kit.story, found.piece)
    if old.published is None:
        old = replace(old, published=at, precision=precision, from_page=True)
    logo, hides = "logo" in found.outlet.mix, "hides" in found.outlet.mix
    shown = pictures.picture(url, found.piece.number, found.piece.published, always_logo=logo)
    wish = storypages.wish(found.piece)[0] if hides else ""
    book[key] = replace(old, reads=old.reads + 1, on_page=(at, precision), picture=shown.meant or None, wish=wish)


def _item(source: Source, piece: Piece, now: float) -> Item:
    published, precision = source.meant(piece, now)
    is_feed, story, dialect = source.kind == "feed", piece.story, source.dialect
    if is_feed:
        section = story.section if dialect.categories or dialect.family == "rdf" else ""
        named = dialect.author_tag != "" and dialect.author == "byline" if dialect.family == "rss" else True
        byline = story.byline if named else ""
        summary = {"none": "", "summary": story.summary, "both": story.summary}.get(dialect.body, story.text)
        tail = dialect.link_tail
    else:
        skin = SKINS[source.skin]
        section = story.section if "section" in skin.shows else ""
        byline, summary, tail = listings.byline(skin, piece), story.text if "summary" in skin.shows else "", ""
    url = piece.url + tail if is_feed else listings.address(source, piece)
    film = piece.film
    return Item(
        piece, url, piece.headline(now), byline, section, summary, published, precision, _kind(source, piece, section),
        film.id if film else "", film.form if film else None,
        not is_feed and written(piece.published, SKINS[source.skin].dates, now).endswith("전"),
    )  # fmt: skip


def _kind(source: Source, piece: Piece, section: str) -> Kind:
    if source.kind == "edition":
        return "edition"
    if piece.film is not None and piece.film.form is not None:
        return "video"
    if source.dialect.enclosures:
        return "audio"
    is_photo = piece.marked in ("title", "column") or (piece.marked == "section" and section != "")
    return "photo" if is_photo else "article"
