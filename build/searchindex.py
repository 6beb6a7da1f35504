"""The search as files: every article found by any word in its title, summary or byline, from a few small files a query.

Two segments, each with its dictionary (searchwords) and its cards (searchcards). The base holds what was found before
the month of the newest find, newest first; it stays byte for byte the same while the month lasts, unless an article in
it changes (a few files) or leaves (all are numbered anew: nothing of it stays in any file). The delta holds what was
found since, in the order of the nights, so that a new night leaves the cards of earlier ones alone.

Everything follows from the articles alone: the same articles give the same bytes.
"""

from __future__ import annotations

import json
import re
import zlib
from array import array
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter, not_
from pathlib import Path
from typing import Any

from build import searchcards
from build.index import DAY_S, KST_S, day_number
from build.normal import normal
from build.searchcards import Begins, Cards, Medium, Searchable, gzipped
from build.searchprimer import PRIMER
from build.searchwords import Table, Words

FORMAT = 3
"""What the reading side must know how to read."""

_QUOTES = re.compile('["“”]')


@dataclass(frozen=True, slots=True)
class Known:
    """What must be known of a segment outside of it: what the entrance says, and what addresses of an outlet begin with."""

    told: Mapping[str, Any]
    begins: Mapping[int, str]


Column = Mapping[int, int] | Sequence[int]
"""Moments by the number of the article, epoch seconds."""


def parted(ids: Sequence[int], first_seen: Column) -> tuple[array[int], array[int]]:
    """The articles of the base, and those of the delta, in the order given."""
    cutoff = _month_start(max(map(first_seen.__getitem__, ids), default=0))
    older = [first_seen[id] < cutoff for id in ids]
    return array("i", compress(ids, older)), array("i", compress(ids, map(not_, older)))


def base_order(ids: Iterable[int], sort_at: Column) -> list[int]:
    """The articles of the base by their number there: the newest first."""
    return sorted(ids, key=lambda id: (-sort_at[id], -id))


def delta_order(ids: Iterable[int], first_seen: Column, sort_at: Column) -> list[int]:
    """The articles of the delta by their number there: night by night."""
    return sorted(ids, key=lambda id: (day_number(first_seen[id]), sort_at[id], id))


def segment(
    articles: Iterable[Searchable],
    media: Mapping[int, Medium],
    begins: Mapping[int, str] | None = None,
    folder: Path | None = None,
) -> Generator[tuple[str, bytes], None, Known]:
    """Every file of a segment, as path below its folder and content; what is known of it then is returned.

    `articles` in its order; `begins`: what the base knows, where this is the delta; `folder`: where files without a name
    may stand meanwhile.
    """
    words, cards, days, counted = Words(folder), Cards(folder), _Runs(), Begins()
    nights: dict[int, tuple[int, int]] = {}
    tag = count = 0
    for article in articles:
        texts = [normal(text) for text in (article.title, article.summary, article.byline)]
        words.add(count, texts, _facets(article, media.get(article.outlet)))
        cards.add(article)
        days.add(article.sort_day)
        if begins is None:
            counted.add(article)
        tag = zlib.crc32(f",{article.id}".encode() if count else str(article.id).encode(), tag)
        count += 1
        # The base is numbered all at once.
        nights[day_number(article.first_seen) if begins is not None else 0] = count, tag
    told: dict[str, Any] = {"articles": count, "tag": f"{tag:08x}", "undated": words.count_of("undated")}
    for found in words.files(count, tag.to_bytes(4, "big")):
        if isinstance(found, Table):
            told |= {"own": _deltas(found.own), "blocks": _deltas(found.blocks)}
        else:
            yield found
    if begins is None:
        told["newest"] = days.all[0][0] if days.all else 0
        yield "days.gz", gzipped(written([tag, *_deltas(days.all)]))
        yield "primer.gz", gzipped(PRIMER)
        begins = counted.most()
    else:
        told["days"] = _deltas(days.all)
    told["nights"] = _deltas(nights.values())
    yield from cards.files(begins, list(nights.values()))
    return Known(told, begins)


def entrance(base: Mapping[str, Any], delta: Mapping[str, Any]) -> bytes:
    """The file that is read first: what is told of both segments."""
    return gzipped(written({"format": FORMAT, "a_file": searchcards.A_FILE, "base": base, "delta": delta}))


def outlets(media: Iterable[Medium], base: Known, kinds: Mapping[str, Sequence[str]]) -> bytes:
    """The file of outlets. `kinds`: what else a kind may be called after `kind:`, for example photo: 사진."""
    rows = [
        [one.id, one.slug, one.name, one.name_en, one.university, one.univ, one.kind, base.begins.get(one.id, "")]
        for one in sorted(media, key=attrgetter("id"))
    ]
    named = {kind: list(names) for kind, names in sorted(kinds.items())}
    return gzipped(written({"base": base.told["tag"], "outlets": rows, "kinds": named}))


def written(what: Any) -> bytes:
    """JSON as the search's files hold it."""
    return json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode()


def _facets(article: Searchable, medium: Medium | None) -> list[str]:
    """The filters' words that find an article."""
    found = [f"outlet:{article.outlet}", f"kind:{article.kind}", *(f"tag:{_askable(tag)}" for tag in article.tags)]
    if medium is not None:
        found += [f"kind:{medium.kind}", f"univ:{medium.univ or medium.university}"]
    if article.date != searchcards.day_text(article.sort_day):
        found.append("undated")
    return sorted(set(found))


def _askable(tag: str) -> str:
    """A tag as a query can name it: quotes only hold its words together there."""
    return _QUOTES.sub("", normal(tag))


class _Runs:
    """The days of the articles in order, each with how many stand on it in a row."""

    def __init__(self) -> None:
        self.all: list[tuple[int, int]] = []

    def add(self, day: int) -> None:
        if self.all and self.all[-1][0] == day:
            self.all[-1] = day, self.all[-1][1] + 1
        else:
            self.all.append((day, 1))


def _deltas(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Pairs as one flat list, the first of each as the step from the pair before."""
    flat, last = [], 0
    for first, second in pairs:
        flat += [first - last, second]
        last = first
    return flat


def _month_start(at: int) -> int:
    """When the Korean month of a moment began, epoch seconds."""
    day = day_number(at)
    return (day - int(searchcards.day_text(day)[-2:]) + 1) * DAY_S - KST_S
