"""The list skins by name: who writes them down, what they show, and how their pages follow one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tests.sim import boardpages, ndpages, sitepages
from tests.sim.sheet import Listing

_ALL = frozenset({"byline", "section", "summary"})
_META = frozenset({"byline", "section"})
_NAME = frozenset({"byline"})


@dataclass(frozen=True, slots=True)
class Skin:
    """`dates`: a style of datewords; `shows`: what stands beside title and date; `links`: how addresses are written.

    `pinned`: so many notices stand above every page. `past_end`: what a page beyond the last one is. `pages`: False where
    another page cannot be had by GET. `nameless_every`: each row of such a number names no writer.
    """

    write: Callable[[Listing], str]
    dates: str
    shows: frozenset[str] = _ALL
    links: Literal["absolute", "rooted", "bare"] = "absolute"
    pinned: int = 0
    past_end: Literal["first", "empty", "missing"] = "first"
    pages: bool = True
    nameless_every: int = 0


SKINS: dict[str, Skin] = {
    "ndsoft-block": Skin(ndpages.block, "hyphen", links="rooted"),
    "ndsoft-type": Skin(ndpages.type2, "dots"),
    "ndsoft-webzine": Skin(ndpages.webzine, "alt", past_end="first"),
    "ndsoft-text": Skin(ndpages.text, "alt_day", _META),
    "ndsoft-tile": Skin(ndpages.tile, "alt", _META, "rooted"),
    "ndsoft-table": Skin(ndpages.table, "hyphen", frozenset({"byline", "summary"}), "bare"),
    "ndsoft-mobile": Skin(ndpages.mobile, "mobile", _META, "rooted"),
    "mediaon": Skin(sitepages.mediaon, "dots", frozenset({"byline", "summary"}), "rooted", past_end="empty"),
    "gnuboard": Skin(boardpages.gnuboard, "gnuboard", _META, pinned=2, past_end="empty"),
    "gnuboard-full": Skin(boardpages.gnuboard, "day", _META, pinned=1, past_end="empty"),
    "xe": Skin(boardpages.xe, "xe", _NAME, "rooted", pinned=1, past_end="empty"),
    "k2web": Skin(boardpages.k2web, "dotday", _NAME, "rooted", pinned=2, pages=False),
    "k2web-dot": Skin(boardpages.k2web, "dotday_end", _NAME, "rooted", pages=False),
    "ntt": Skin(boardpages.ntt, "dotday", _NAME, "rooted"),
    "numbered": Skin(boardpages.numbered, "dotday", _NAME, "rooted", past_end="empty"),
    "numbered-minute": Skin(boardpages.numbered, "hyphen", _NAME, "bare"),
    "numbered-korean": Skin(boardpages.numbered, "glued", _NAME, "rooted"),
    "smu": Skin(boardpages.smu, "dotday", _NAME, "bare", past_end="empty"),
    "kgu": Skin(boardpages.kgu, "space", links="bare"),
    "seoultech": Skin(boardpages.seoultech, "hour", frozenset({"byline", "summary"}), "rooted", nameless_every=7),
    "wordpress": Skin(sitepages.wordpress, "w3c", past_end="missing"),
    "tistory": Skin(sitepages.tistory, "spaced_day", frozenset({"summary"}), "rooted"),
    "ghost": Skin(sitepages.ghost, "day", links="rooted", past_end="missing"),
    "plain": Skin(sitepages.plain, "dots", _NAME),
    "plain-korean": Skin(sitepages.plain, "korean", _NAME, "rooted"),
    "plain-english": Skin(sitepages.plain, "english", _NAME, "rooted"),
    "plain-relative": Skin(sitepages.plain, "relative", _NAME, "rooted"),
    "plain-undated": Skin(sitepages.plain, "none", _NAME, "rooted"),
    "editions": Skin(sitepages.editions, "korean_day", frozenset(), "rooted", pages=False),
}
