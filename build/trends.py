"""Words that rise: those which more outlets than usual wrote into headlines of a month. Pure; titles and numbers in."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from build import titlewords

BEFORE_MONTHS = 12
MONTH_LEAST = 50
"""Headlines a month needs before anything is said of it."""

BEFORE_LEAST = 10
"""Outlets, over the months before, that a comparison needs."""

OUTLETS_LEAST = 3
KIND_OUTLETS_LEAST = 2
"""Outlets that must have written a word: of all, or of one kind."""


@dataclass(frozen=True, slots=True)
class Month:
    """The headlines of one month. `number` as in Index.month; `words`: each word with the articles whose headline has it."""

    number: int
    ids: Sequence[int]
    words: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Rising:
    """One word of a month.

    `outlets` and `articles` wrote it; `before`: outlets a month in the months before, None where there are too few to compare
    with; `months`: outlets in each month, oldest first, the month itself last; `ids`: its articles.
    """

    word: str
    outlets: int
    articles: int
    before: float | None
    months: tuple[int, ...]
    ids: tuple[int, ...]


def month(number: int, titles: Iterable[tuple[int, str]]) -> Month:
    """The words of a month's headlines; `titles`: (article, headline)."""
    pieces = {id: titlewords.pieces(title) for id, title in titles}
    settled = titlewords.settled(Counter(piece for some in pieces.values() for piece in some))
    words: dict[str, list[int]] = {}
    for id, some in pieces.items():
        for word in dict.fromkeys(settled[piece] for piece in some if piece in settled):
            words.setdefault(word, []).append(id)
    return Month(number, tuple(pieces), words)


def rising(
    now: Month, before: Sequence[Month], outlet_of: Sequence[int], among: frozenset[int] | None = None
) -> list[Rising]:
    """The words that rise most in `now` over the months `before` it (oldest first), foremost first.

    `outlet_of`: outlet by article. `among`: only these outlets' headlines count. Ranked by how unlikely it is (log-likelihood)
    that as many outlets would write the word at the pace of the months before; where those are too few, by outlets.
    """
    held = _Held(outlet_of, among)
    writing = held.outlets(now.ids)
    writing_before = sum(held.outlets(one.ids) for one in before)
    compared = writing_before >= BEFORE_LEAST
    least = OUTLETS_LEAST if among is None else KIND_OUTLETS_LEAST
    ranked: list[tuple[float, Rising]] = []
    for word, ids in now.words.items():
        if len(ids) < least:
            continue
        own = held.kept(ids)
        outlets = len({outlet_of[id] for id in own})
        if outlets < least:
            continue
        months = [held.outlets(one.words.get(word, ())) for one in before]
        score = _surprise(outlets, writing, sum(months), writing_before) if compared else float(outlets)
        if score > 0:
            pace = sum(months) / len(before) if compared else None
            ranked.append((score, Rising(word, outlets, len(own), pace, (*months, outlets), tuple(own))))
    ranked.sort(key=lambda item: (-round(item[0], 6), -item[1].articles, item[1].word))
    return [word for _, word in ranked]


class _Held:
    """Which articles count, and how many outlets stand behind some of them."""

    def __init__(self, outlet_of: Sequence[int], among: frozenset[int] | None) -> None:
        self._outlet_of = outlet_of
        self._among = among

    def kept(self, ids: Sequence[int]) -> Sequence[int]:
        among = self._among
        return ids if among is None else [id for id in ids if self._outlet_of[id] in among]

    def outlets(self, ids: Sequence[int]) -> int:
        found = {self._outlet_of[id] for id in ids}
        return len(found if self._among is None else found & self._among)


def _surprise(now: int, of: int, before: int, of_before: int) -> float:
    """Dunning's log-likelihood of `now` out of `of` against `before` out of `of_before`; 0 where the word did not rise."""
    pace = (now + before) / (of + of_before)
    if now <= of * pace:
        return 0.0
    return 2 * (now * math.log(now / (of * pace)) + (before * math.log(before / (of_before * pace)) if before else 0.0))
