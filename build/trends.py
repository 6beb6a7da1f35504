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

SURPRISE_LEAST = 6.63
"""Log-likelihood that chance passes once in a hundred words."""

SAME_SHARE = 0.8
"""Words that share so many of their headlines stand in one row."""

WORDS_JOINED = 3


@dataclass(frozen=True, slots=True)
class Month:
    """The headlines of one month. `number` as in Index.month; `words`: each word with the articles whose headline has it."""

    number: int
    ids: Sequence[int]
    words: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Rising:
    """One word of a month, or a few that stand in nearly the same headlines.

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


def settled_over(now: Month, before: Sequence[Month]) -> Month:
    """The month with its words settled by what stands alone in the months before too.

    Else a word that happened to stand in one form only (`총학생회가`) might seem never to have been written before.
    """

    def alone(word: str) -> int:
        return sum(len(one.words.get(word, ())) for one in (*before, now))

    words: dict[str, Sequence[int]] = {}
    for word, ids in now.words.items():
        plain = titlewords.without_particle(word, alone)
        words[plain] = sorted({*words[plain], *ids}) if plain in words else ids
    return replace(now, words={word: ids for word, ids in words.items() if word not in titlewords.STOP})


def comparable(before: Sequence[Month], outlet_of: Sequence[int], among: frozenset[int] | None = None) -> bool:
    """Whether these months hold enough to compare with."""
    held = _Held(outlet_of, among)
    return sum(held.outlets(one.ids) for one in before) >= BEFORE_LEAST


def rising(
    now: Month, before: Sequence[Month], outlet_of: Sequence[int], most: int, among: frozenset[int] | None = None
) -> list[Rising]:
    """The `most` words that rise most in `now` over the months `before` it (oldest first), foremost first.

    `now` is settled over them. `outlet_of`: outlet by article. `among`: only these outlets' headlines count. Ranked by how
    unlikely it is (log-likelihood) that as many outlets would write the word at the pace of the months before; where those are
    too few, by outlets.
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
        if score > (SURPRISE_LEAST if compared else 0):
            pace = sum(months) / len(before) if compared else None
            ranked.append((score, Rising(word, outlets, len(own), pace, (*months, outlets), tuple(own))))
    ranked.sort(key=lambda item: (-round(item[0], 6), -item[1].articles, item[1].word))
    return _joined([word for _, word in ranked], list(now.words), most)


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
