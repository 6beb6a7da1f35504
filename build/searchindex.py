"""The search as files: every article found by any word in its title, summary or byline, from a few small files a query.

Two segments, each with its dictionary (searchwords) and its cards (searchcards). The base holds what was found before
the month of the newest find, newest first; it stays byte for byte the same while the month lasts, unless an article in
it changes (a few files) or leaves (all are numbered anew: nothing of it stays in any file). The delta holds what was
found since, in the order of the nights, so that a new night leaves the cards of earlier ones alone.

Everything follows from the articles alone: the same articles give the same bytes.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from build import searchcards
from build.normal import normal
from build.searchcards import Medium, Searchable, gzipped
from build.searchwords import Table, Words

KST_S = 9 * 3_600
DAY_S = 86_400
FORMAT = 1
"""What the reading side must know how to read."""


def files(
    articles: Iterable[Searchable], media: Iterable[Medium], kinds: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, bytes]]:
    """Every file of the search, as path below its folder and content; the entrance `index.gz` comes last.

    `kinds`: what else a kind may be called after `kind:`, for example photo: 사진.
    """
    kept = list(articles)
    base = sorted(in_base(kept), key=lambda article: (-article.sort_at, -article.id))
    found_in_base = {article.id for article in base}
    delta = sorted(
        (article for article in kept if article.id not in found_in_base),
        key=lambda article: (_day(article.first_seen), article.sort_at, article.id),
    )
    del kept, found_in_base
    outlets = sorted(media, key=attrgetter("id"))
    by_id = {medium.id: medium for medium in outlets}
    begins = searchcards.prefixes(base)
    told: dict[str, Any] = {"format": FORMAT, "a_file": searchcards.A_FILE}
    for name, part in (("base", base), ("delta", delta)):
        segment = _Segment(name, part, newest_first=name == "base")
        yield from segment.files(begins, by_id)
        told[name] = segment.told
    yield "outlets.gz", gzipped(_json(_outlets(outlets, begins, kinds)))
    yield "index.gz", gzipped(_json(told))


def in_base(articles: Iterable[Searchable]) -> list[Searchable]:
    """Those found before the Korean month of the newest find, in the order given."""
    kept = list(articles)
    cutoff = _month_start(max((article.first_seen for article in kept), default=0))
    return [article for article in kept if article.first_seen < cutoff]


class _Segment:
    """Writes one segment; `told` is then what the entrance says of it."""

    def __init__(self, name: str, articles: Sequence[Searchable], *, newest_first: bool) -> None:
        self._name, self._articles, self._newest_first = name, articles, newest_first
        self.told: dict[str, Any] = {}

    def files(self, begins: Mapping[int, str], media: Mapping[int, Medium]) -> Iterator[tuple[str, bytes]]:
        """Every file of the segment."""
        tag = _tag(self._articles)
        words = Words()
        for id, article in enumerate(self._articles):
            texts = [normal(text) for text in (article.title, article.summary, article.byline)]
            words.add(id, texts, _facets(article, media.get(article.outlet)))
        days = _runs(self._articles)
        self.told = {"articles": len(self._articles), "tag": tag.hex(), "undated": len(words.ids_of("undated"))}
        for found in words.files(len(self._articles), tag):
            if isinstance(found, Table):
                self.told |= {"own": _deltas(found.own), "blocks": _deltas(found.blocks)}
            else:
                yield f"{self._name}/{found[0]}", found[1]
        if self._newest_first:
            self.told["newest"] = days[0][0] if days else 0
            yield f"{self._name}/days.gz", gzipped(_json(_deltas(days)))
        else:
            self.told["days"] = _deltas(days)
        for path, body in searchcards.files(self._articles, begins):
            yield f"{self._name}/{path}", body


def _facets(article: Searchable, medium: Medium | None) -> list[str]:
    """The filters' words that find an article."""
    found = [f"outlet:{article.outlet}", f"kind:{article.kind}", *(f"tag:{normal(tag)}" for tag in article.tags)]
    if medium is not None:
        found += [f"kind:{medium.kind}", f"univ:{medium.univ or medium.university}"]
    if article.date != searchcards.day_text(article.sort_day):
        found.append("undated")
    return sorted(set(found))


def _outlets(
    outlets: Sequence[Medium], begins: Mapping[int, str], kinds: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    rows = [
        [one.id, one.slug, one.name, one.name_en, one.university, one.univ, one.kind, begins.get(one.id, "")]
        for one in outlets
    ]
    return {"outlets": rows, "kinds": {kind: list(names) for kind, names in sorted(kinds.items())}}


def _tag(articles: Sequence[Searchable]) -> bytes:
    """Four bytes that change whenever an article has another number than before."""
    numbers = ",".join(str(article.id) for article in articles)
    return zlib.crc32(numbers.encode()).to_bytes(4, "big")


def _runs(articles: Sequence[Searchable]) -> list[tuple[int, int]]:
    """The days of the articles in order, each with how many stand on it in a row."""
    return [(day, sum(1 for _ in run)) for day, run in groupby(articles, key=attrgetter("sort_day"))]


def _deltas(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Pairs as one flat list, the first of each as the step from the pair before."""
    flat, last = [], 0
    for first, second in pairs:
        flat += [first - last, second]
        last = first
    return flat


def _json(what: Any) -> bytes:
    return json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode()


def _day(at: int) -> int:
    """The Korean day of a moment, in days since 1970-01-01."""
    return (at + KST_S) // DAY_S


def _month_start(at: int) -> int:
    """When the Korean month of a moment began, epoch seconds."""
    day = _day(at)
    return (day - int(searchcards.day_text(day)[-2:]) + 1) * DAY_S - KST_S
