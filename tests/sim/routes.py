"""Which page of the campus a path leads to: a source, an older page of a list, or an article's own page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from tests.sim.campus import Campus, Outlet, Server, Source
    from tests.sim.newsroom import Piece

_WORDPRESS = re.compile(r"(?P<list>/.*?)page/(?P<page>\d+)/")
_OFFSET_STEP = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """A list page or feed: the source, and 1 for its newest page."""

    source: Source
    page: int


@dataclass(frozen=True, slots=True)
class Told:
    """An article's own page."""

    outlet: Outlet
    piece: Piece


def find(campus: Campus, server: Server, path: str, now: float) -> Shown | Told | None:
    """What stands at a path with query of a server at that moment; None for nothing."""
    source = campus.by_address.get((server.name, path))
    if source is not None:
        return Shown(source, 1)
    for listed in server.sources:
        page = _page(listed, path) if listed.kind != "feed" else None
        if page is not None:
            return Shown(listed, page)
    for outlet in dict.fromkeys(source.outlet for source in server.sources):
        piece = story(outlet, path, now)
        if piece is not None:
            return Told(outlet, piece)
    return None


def story(outlet: Outlet, path: str, now: float) -> Piece | None:
    """The piece whose page a path is; parameters that name no piece may stand beside or be missing."""
    wanted = urlsplit(outlet.desk.address)
    asked = urlsplit(path)
    if "{n}" in wanted.path:
        shape = re.escape(wanted.path).replace(re.escape("{n}"), r"(\d+)")
        found = re.fullmatch(shape, asked.path)
        number = found[1] if found else ""
    elif asked.path == wanted.path:
        name = next(name for name, value in parse_qsl(wanted.query) if value == "{n}")
        number = dict(parse_qsl(asked.query)).get(name, "")
    else:
        number = ""
    return outlet.desk.piece(int(number), now) if number.isdigit() and len(number) < 12 else None


def _page(source: Source, path: str) -> int | None:
    """Which page of a list a path asks for; None where it asks for something else."""
    wanted, asked = urlsplit(source.url), urlsplit(path)
    if source.page_arg == "/page/":
        found = _WORDPRESS.fullmatch(asked.path)
        return int(found["page"]) if found and found["list"] == wanted.path else None
    given = dict(parse_qsl(asked.query))
    own = dict(parse_qsl(wanted.query))
    names_more = {"idxno", "wr_id", "no", "idx", "articleNo", "nttSn", "document_srl"} & (given.keys() - own.keys())
    if asked.path != wanted.path or names_more or any(given.get(name) != value for name, value in own.items()):
        return None
    number = given.get(source.page_arg, "")
    if not number.isdigit():
        return 1
    return int(number) // _OFFSET_STEP + 1 if source.page_arg == "article.offset" else max(1, int(number))
