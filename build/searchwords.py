"""The dictionary of one segment of the search: which articles hold which two characters in a row, in small files.

A segment numbers its articles from 0. Each pair of neighbouring characters of a normal text (spaces are gone, so pairs
cross them) has the list of its articles. Pairs are spread over shards of a few kilobytes by their first character: a
character with much to tell has shards of its own (spread by the second), the others share one with their neighbours.
A long list goes on in pages of its own. Beside the pairs stand the lists of single characters (`ONE`) and of the filters'
words (`FACET`). Figures are so few that two of them tell little: three in a row have a list too.

JavaScript reads all this in site_templates/assets/search/words.js.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from operator import sub
from pathlib import Path
from typing import NamedTuple

from build.searchbits import Rice, packed, varint, varints
from build.searchlists import Lists

ONE = 0
"""A second character that no text has: the first one alone."""

FACET = 0x110000
"""A first character that no text has: what follows is a filter's word as a number."""

THREE = 0x200000
"""A second character that no text has: two figures after the first, the number they make added."""

SHARD_BYTES = 1_300
OWN_BYTES = 1_000
"""A first character with this much to tell gets shards of its own."""
INLINE_BYTES = 800
HEAD_BYTES = 200
PAGE_BYTES = (2_000, 6_000)
"""How large the pages of a long list are: the first small, for most readers want only the newest."""

BLOCK_BITS = 8

SHORT, SHORT_KEPT = 2, 50_000
"""Lists of so many articles are written once, and so many of them remembered."""

_FIGURES = re.compile("(?=([0-9]{3}))")


def spread(number: int, shards: int) -> int:
    """Which of several shards a number belongs to (the reader computes the same)."""
    return ((number & 0xFFFFFFFF) * 2_654_435_761 % 2**32 >> 8) % shards


@cache
def facet(text: str) -> int:
    """The number of a filter's word such as `tag:보도`: 52 bits of its characters, the same in both languages."""
    high, low = 2_166_136_261, 40_389
    for char in text:
        high = ((high ^ ord(char)) * 16_777_619) & 0xFFFFFFFF
        low = ((low ^ ord(char)) * 2_654_435_761 + 12_345) & 0xFFFFFFFF
    return (high & 0xFFFFF) << 32 | low


@dataclass(frozen=True, slots=True)
class Table:
    """Which shards there are: first characters with own ones, and blocks of the others, each with how many."""

    own: tuple[tuple[int, int], ...]
    blocks: tuple[tuple[int, int], ...]


class Words:
    """Collects the lists of one segment, and writes them once."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder`: where what is too much for memory may wait in files without a name."""
        self._lists = Lists(folder)
        self._facets: defaultdict[int, array[int]] = defaultdict(partial(array, "I"))

    def add(self, id: int, texts: Iterable[str], facets: Iterable[str]) -> None:
        """Enter the next article; `texts` are normal."""
        words: set[str] = set()
        for text in texts:
            words.update(text, map(str.__add__, text, text[1:]))
            if _FIGURES.search(text):
                words.update(_FIGURES.findall(text))
        self._lists.add(id, words)
        for name in facets:
            self._facets[facet(name)].append(id)

    def count_of(self, name: str) -> int:
        """How many articles a filter's word finds."""
        return len(self._facets.get(facet(name), ()))

    def files(self, universe: int, tag: bytes) -> Iterator[tuple[str, bytes] | Table]:
        """Every shard and page as path and content, and at last the table of shards.

        `universe`: how many articles there are; `tag`: four bytes that name this numbering, at the head of every file.
        """
        written = _Written(universe)
        own: list[tuple[int, int]] = []
        light: dict[int, list[_Entry]] = {}
        for first, entries, pages in self._by_first(written):
            for name, page in pages:
                yield f"p/{name}", tag + page
            size = sum(len(entry.head) + len(entry.body) + 3 for entry in entries)
            if size < OWN_BYTES and first != FACET:
                light.setdefault(first >> BLOCK_BITS, []).extend(entries)
                continue
            count = max(1, round(size / SHARD_BYTES))
            own.append((first, count))
            yield from _shards(f"s/{first:x}", entries, count, tag, by_first=False)
        blocks: list[tuple[int, int]] = []
        for block, entries in sorted(light.items()):
            count = max(1, round(sum(len(entry.head) + len(entry.body) + 3 for entry in entries) / SHARD_BYTES))
            blocks.append((block, count))
            yield from _shards(f"s/b{block:x}", entries, count, tag, by_first=True)
        yield Table(tuple(own), tuple(blocks))

    def _by_first(self, written: _Written) -> Iterator[tuple[int, list[_Entry], list[tuple[str, bytes]]]]:
        """First character by first character: its entries in order, and the pages of its long lists."""
        for char, words in self._lists.by_first():
            first = ord(char)
            lists = sorted((_second(word), ids) for word, ids in words.items())
            yield first, *_entries(first, lists, written)
        if self._facets:
            yield FACET, *_entries(FACET, sorted(self._facets.items()), written)


def _second(word: str) -> int:
    """By what a word is told from others of the same first character; single ones come first, three figures last."""
    return ONE if len(word) == 1 else ord(word[1]) if len(word) == 2 else THREE + int(word[1:])


def _entries(
    first: int, lists: Iterable[tuple[int, array[int]]], written: _Written
) -> tuple[list[_Entry], list[tuple[str, bytes]]]:
    entries, pages = [], []
    for second, ids in lists:
        entry, more = written.entry(first, second, ids)
        entries.append(entry)
        pages += more
    return entries, pages


class _Entry(NamedTuple):
    first: int
    second: int
    head: bytes
    body: bytes


class _Written:
    """Writes lists; those of one or two articles, which most words have and many share, once for all of them."""

    def __init__(self, universe: int) -> None:
        self._rice = Rice(universe)
        self._short: dict[bytes, tuple[bytes, bytes]] = {}

    def entry(self, first: int, second: int, ids: array[int]) -> tuple[_Entry, list[tuple[str, bytes]]]:
        """A list whole in its shard, or its head there, with what each page holds, and the rest in pages."""
        if len(ids) <= SHORT:
            key = ids.tobytes()
            found = self._short.get(key)
            if found is None:
                if len(self._short) == SHORT_KEPT:
                    self._short.clear()
                found = self._short[key] = _whole(len(ids), packed(self._rice.codes(ids, len(ids))))
            return _Entry(first, second, *found), []
        codes = self._rice.codes(ids, len(ids))
        body = packed(codes)
        if len(body) <= INLINE_BYTES:
            return _Entry(first, second, *_whole(len(ids), body)), []
        cuts = _cuts(codes)
        pages = [
            (f"{first:x}/{second:x}-{number}.bin", packed(codes[start:end]))
            for number, (start, end) in enumerate(zip(cuts, [*cuts[1:], len(codes)], strict=True))
        ]
        lasts = [-1, *(ids[start - 1] for start in cuts)]
        starts = [0, *cuts]
        directory = varints((len(cuts), *map(sub, cuts, starts), *map(sub, lasts[1:], lasts)))
        body = directory + packed(codes[: cuts[0]])
        return _Entry(first, second, varints((len(ids), len(body) << 1 | 1)), body), pages


def _whole(count: int, body: bytes) -> tuple[bytes, bytes]:
    return varint(count) + varint(len(body) << 1), body


def _cuts(codes: list[str]) -> list[int]:
    """Where the head ends and each page begins."""
    cuts, bits, limit = [], 0, HEAD_BYTES * 8
    for at, code in enumerate(codes):
        bits += len(code)
        if bits > limit:
            cuts.append(at)
            bits = len(code)
            limit = PAGE_BYTES[min(len(cuts), len(PAGE_BYTES)) - 1] * 8
    return cuts


def _shards(name: str, entries: list[_Entry], count: int, tag: bytes, *, by_first: bool) -> Iterator[tuple[str, bytes]]:
    parts: list[list[_Entry]] = [[] for _ in range(count)]
    for entry in entries:
        parts[spread(entry.first if by_first else entry.second, count)].append(entry)
    for number, part in enumerate(parts):
        yield f"{name}-{number}.bin", tag + bytes((count & 255,)) + _shard(part)


def _shard(entries: list[_Entry]) -> bytes:
    """How many entries, the keys and heads of all, then their bodies in the same order."""
    out, bodies = [varint(len(entries))], []
    first = second = 0
    for entry in entries:
        if entry.first != first:
            second = 0
        out += [varint(entry.first - first), varint(entry.second - second), entry.head]
        bodies.append(entry.body)
        first, second = entry.first, entry.second
    return b"".join(out + bodies)
