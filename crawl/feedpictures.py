"""The first picture that an entry of a feed shows, for hubs whose publishers want it (P03, option `pictures`). Pure.

Only addresses are judged; nothing is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from crawl import pagepicture
from crawl.text import decoded

_IMG = re.compile(r"<img\b([^<>]{1,4000})>", re.IGNORECASE)
_SAID = re.compile(r"(?:^|(?<=[\s\"'/]))([a-z-]{3,15})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_ADDRESSES = ("data-src", "data-lazy-src", "data-original", "src")
"""Where the address stands, that of a picture loaded late first: its `src` is a filler then."""

_ICON_MAX_PX = 32
_SIDE = re.compile(r"\s*([0-9]{1,5})(?:px)?\s*")
_TRIED_MAX = 20
_SEARCHED_MAX_CHARS = 50_000


def first(addresses: Iterable[str], writings: Iterable[str], *, base: str, page: str) -> str | None:
    """The first address that can be a picture, of those given beside an entry, then of those in its HTML `writings`.

    `base`: what relative ones resolve against; `page`: the entry's own link, which is no picture.
    """
    candidates = chain(addresses, (address for markup in writings for address in _in(markup)))
    judged = (pagepicture.address(raw, base) for raw in islice(candidates, _TRIED_MAX))
    return next((kept for kept in judged if kept is not None and kept != page), None)


def _in(markup: str) -> Iterator[str]:
    """The addresses of pictures in markup; counting pixels, icons and emoji are none."""
    for tag in _IMG.finditer(markup[:_SEARCHED_MAX_CHARS]):
        said = {one[1].lower(): decoded(one[2] or one[3] or one[4] or "") for one in _SAID.finditer(tag[1])}
        sides = [int(side[1]) for name in ("width", "height") if (side := _SIDE.fullmatch(said.get(name, "")))]
        if min(sides, default=_ICON_MAX_PX + 1) > _ICON_MAX_PX and "emoji" not in said.get("class", ""):
            yield from (said[name] for name in _ADDRESSES if said.get(name))
