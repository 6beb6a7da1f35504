"""Words that rise: those which more outlets than usual wrote into headlines of a month. Pure; titles and numbers in."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from build import titlewords

BEFORE_MONTHS = 12
MONTH_LEAST = 50
"""Headlines a month needs before anything is said of it."""

BEFORE_LEAST = 10
"""Outlets, over the months before, that a comparison needs."""

OUTLETS_LEAST = 3
KIND_OUTLETS_LEAST = 2
"""Outlets that must have written a word: of all, or of one kind."""

SURPRISE_LEAST = 10.83
"""Log-likelihood that chance passes once in a thousand words."""

SAME_SHARE = 0.8
"""Words that share so many of their headlines stand in one row."""

WORDS_JOINED = 3


@dataclass(frozen=True, slots=True)
class Month:
    """The headlines of one month. `number` as in Index.month; `words`: each word with the articles whose headline has it.

    `outlets`: those behind the articles of each word; `titles`: headlines by outlet.
    """

    number: int
    ids: Sequence[int]
    words: Mapping[str, Sequence[int]]
    outlets: Mapping[str, frozenset[int]]
    titles: Mapping[int, int]

    @property
    def writing(self) -> frozenset[int]:
        """The outlets that wrote anything."""
        return frozenset(self.titles)


@dataclass(frozen=True, slots=True)
class Rising:
    """One word of a month, or a few that stand in nearly the same headlines.

    `outlets` wrote it; `before`: outlets a month in the months before, None where there are too few to compare with;
    `months`: outlets in each month, oldest first, the month itself last; `ids`: its articles, of whatever outlets.
    """

    word: str
    outlets: int
    before: float | None
    months: tuple[int, ...]
    ids: tuple[int, ...]


def month(number: int, titles: Iterable[tuple[int, str]], outlet_of: Sequence[int]) -> Month:
    """The words of a month's headlines; `titles`: (article, headline). `outlet_of`: outlet by article."""
    pieces = {id: titlewords.pieces(title) for id, title in titles}
    settled = titlewords.settled(Counter(piece for some in pieces.values() for piece in some))
    words: dict[str, list[int]] = {}
    for id, some in pieces.items():
        for word in dict.fromkeys(settled[piece] for piece in some if piece in settled):
            words.setdefault(word, []).append(id)
    return _month(number, tuple(pieces), words, outlet_of)


def _month(number: int, ids: Sequence[int], words: Mapping[str, Sequence[int]], outlet_of: Sequence[int]) -> Month:
    titles = Counter([outlet_of[id] for id in ids])
    # Most words stand in one headline: their sets of one are shared.
    alone = {outlet: frozenset((outlet,)) for outlet in titles}
    outlets = {
        word: alone[outlet_of[some[0]]] if len(some) == 1 else frozenset([outlet_of[id] for id in some])
        for word, some in words.items()
    }
    return Month(number, ids, words, outlets, titles)


def settled_over(now: Month, before: Sequence[Month], outlet_of: Sequence[int]) -> Month:
    """The month with its words settled by what stands alone in the months before too.

    Else a word that happened to stand in one form only (`총학생회가`) might seem never to have been written before.
    """

    def alone(word: str) -> int:
        return sum(len(one.words.get(word, ())) for one in (*before, now))

    words: dict[str, Sequence[int]] = {}
    for word, ids in now.words.items():
        plain = titlewords.without_particle(word, alone)
        words[plain] = sorted({*words[plain], *ids}) if plain in words else ids
    words = {word: ids for word, ids in words.items() if word not in titlewords.STOP}
    return _month(now.number, now.ids, words, outlet_of)


def comparable(before: Sequence[Month]) -> bool:
    """Whether these months hold enough to compare with."""
    return sum(len(one.titles) for one in before) >= BEFORE_LEAST


def rising(now: Month, before: Sequence[Month], most: int, among: frozenset[int] | None = None) -> list[Rising]:
    """The `most` words that rise most in `now` over the months `before` it (oldest first), foremost first.

    `now` is settled over them. `among`: only these outlets' headlines count. Ranked by how unlikely it is (log-likelihood)
    that as many outlets would write the word at the pace of the months before; where those are too few, by outlets.
    """
    compared = comparable(before)
    writing = _many(now.writing, among)
    writing_before = sum(_many(one.writing, among) for one in before)
    least = OUTLETS_LEAST if among is None else KIND_OUTLETS_LEAST
    if compared and writing:
        # Not even a word never met before surprises with fewer.
        least = max(least, math.floor(SURPRISE_LEAST / (2 * math.log(1 + writing_before / writing) or 1)) + 1)
    ranked: list[tuple[float, Rising]] = []
    for word, behind in now.outlets.items():
        outlets = len(behind) if len(behind) < least else _many(behind, among)
        if outlets < least:
            continue
        months = [_many(one.outlets.get(word, _NONE), among) for one in before]
        score = _surprise(outlets, writing, sum(months), writing_before) if compared else float(outlets)
        if score > (SURPRISE_LEAST if compared else 0):
            pace = sum(months) / len(before) if compared else None
            ranked.append((score, Rising(word, outlets, pace, (*months, outlets), tuple(now.words[word]))))
    ranked.sort(key=lambda item: (-round(item[0], 6), -len(item[1].ids), item[1].word))
    return _joined([word for _, word in ranked], list(now.words), most)


_NONE: frozenset[int] = frozenset()


def _many(outlets: frozenset[int], among: frozenset[int] | None) -> int:
    return len(outlets if among is None else outlets & among)


def _joined(ranked: Sequence[Rising], order: Sequence[str], most: int) -> list[Rising]:
    """The foremost, those of nearly the same headlines as one row (`천원의 아침밥`); `order`: of words as headlines have them."""
    rows: list[list[Rising]] = []
    for one in ranked:
        ids = set(one.ids)
        row = next((row for row in rows if _same(ids, row[0].ids)), None)
        if row is not None:
            row.append(one)
        elif len(rows) < most:
            rows.append([one])
        else:
            break
    place = {word: at for at, word in enumerate(order)}
    return [
        replace(row[0], word=" ".join(sorted((one.word for one in row[:WORDS_JOINED]), key=lambda word: place[word])))
        for row in rows
    ]


def _same(ids: set[int], others: Sequence[int]) -> bool:
    return len(ids.intersection(others)) >= SAME_SHARE * max(len(ids), len(others))


def _surprise(now: int, of: int, before: int, of_before: int) -> float:
    """Dunning's log-likelihood of `now` out of `of` against `before` out of `of_before`; 0 where the word did not rise."""
    if not of_before:
        return 0.0
    pace = (now + before) / (of + of_before)
    if now <= of * pace:
        return 0.0
    return 2 * (now * math.log(now / (of * pace)) + (before * math.log(before / (of_before * pace)) if before else 0.0))
