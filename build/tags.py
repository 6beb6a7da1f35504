"""Tags of all outlets: which of them are one and the same, where each has its page, and how often it was used when and where.

Everything counts by article number over `Index`; nothing here reads a word of an article.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from build.filters import kst
from build.index import UNDATED, Index, grouped

PAGE_LEAST = 3
"""Articles a tag needs for a page of its own."""

SLUG_MAX_CHARS = 40
_OUTLETS = 65_536
_PLAIN = re.compile("[a-z0-9가-힣-]")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\Z")


def key(tag: str) -> str:
    """What makes two spellings one tag: composed letters, no difference of case, single spaces, no `#` before it."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", tag).casefold())
    return " ".join(folded.split()).lstrip("# ")


def slug(tag: str) -> str:
    """A tag's own place below `t/`: no two tags share one, and no tag leads anywhere else. Empty for a tag without a letter.

    Small letters, digits and Hangul syllables stand for themselves, a space is `-`, any other character its number between
    `_`. What that makes too long is cut and ends in `.` and a digest, which no shorter one can hold.
    """
    name = key(tag)
    if not name:
        return ""
    parts = [
        "-" if char == " " else char if char != "-" and _PLAIN.match(char) else f"_{ord(char):x}_" for char in name
    ]
    if _DEVICES.match(name):
        parts[0] = f"_{ord(name[0]):x}_"
    whole = "".join(parts)
    if len(whole) <= SLUG_MAX_CHARS:
        return whole
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    kept = 0
    while kept + len(parts[0]) <= SLUG_MAX_CHARS:
        kept += len(parts.pop(0))
    return f"{whole[:kept]}.{digest}"


def path(tag: str) -> str:
    """The address of a tag's page below the site's root: `t/총학생회/`."""
    return f"t/{slug(tag)}/"


class TagLinks:
    """From which article on a tag leads to its page: the third that bears it, in the order of first sight.

    A card must not change because others are written later. That a tag has been used often enough by then holds for good (but
    for articles that are removed: `mark` tells), and the page is there: it needs no more articles than that.
    """

    def __init__(self, book: TagBook) -> None:
        self._early = book.early()
        self._path = lru_cache(maxsize=10_000)(path)

    def of(self, id: int, tag: str) -> str:
        """Where a tag of an article leads, below the site's root; nothing where it does not."""
        name = key(tag)
        return self._path(name) if name and name not in self._early.get(id, ()) else ""

    def mark(self, ids: Iterable[int]) -> str:
        """What changes whenever a tag of one of these articles gets or loses its link."""
        found = [(id, self._early[id]) for id in ids if id in self._early]
        return repr(found) if found else ""


@lru_cache(maxsize=1)
def book_of(index: Index) -> TagBook:
    """The tags of an index; a build asks for them more than once."""
    return TagBook(index)


@lru_cache(maxsize=1)
def links_of(index: Index) -> TagLinks:
    """Where the tags of an index lead."""
    return TagLinks(book_of(index))


class TagBook:
    """The tags of an index with their spellings put together. A tag is known by its number here, from 0.

    `keys`: what makes each one tag. `names`: each as it was first written. `number`: of each place in `Index.tag_names`,
    -1 for one without a letter.
    """

    def __init__(self, index: Index) -> None:
        numbers: dict[str, int] = {}
        self.names: list[str] = []
        self.number = array("i")
        self._index = index
        self._varied: set[int] = set()
        for name in index.tag_names:
            folded = key(name)
            number = numbers.setdefault(folded, len(numbers)) if folded else -1
            if number == len(self.names):
                self.names.append(_neat(name))
            elif number >= 0:
                self._varied.add(number)
            self.number.append(number)
        self.keys = list(numbers)
        tagged = index.tagged()
        self._articles = self._gathered(tagged)
        # Places that are no tag, or one of several spellings of one: of any others an article has each tag once.
        odd = (place for place, number in enumerate(self.number) if number < 0 or number in self._varied)
        self._mended = {id: self._places(id) for place in odd for id in tagged[place]}
        places, self._starts, self._counts = index.tag_columns()
        self._all = array("i", map(self.number.__getitem__, places))

    def places(self, id: int) -> Sequence[int]:
        """Where in `Index.tag_names` the tags of an article stand: one place for each tag, whatever spellings it has."""
        return self._mended[id] if id in self._mended else self._index.tags(id)

    def _places(self, id: int) -> list[int]:
        first = {self.number[place]: place for place in reversed(self._index.tags(id))}
        first.pop(-1, None)
        return list(first.values())[::-1]

    def of(self, id: int) -> Sequence[int]:
        """The tags of an article, each once."""
        if id in self._mended:
            return [self.number[place] for place in self._mended[id]]
        start = self._starts[id]
        return self._all[start : start + self._counts[id]]

    def outlets(self, ids: Iterable[int]) -> frozenset[int]:
        """The outlets (places in `Press.outlets`) of those of these articles that have tags at all."""
        outlet, counts = self._index.outlet, self._counts
        bare = {id for id, places in self._mended.items() if not places}
        return frozenset([outlet[id] for id in ids if counts[id] and id not in bare])

    def articles(self) -> dict[int, array[int]]:
        """The articles of every tag that has a page of its own, in the order of first sight."""
        return {number: ids for number, ids in enumerate(self._articles) if len(ids) >= PAGE_LEAST}

    def early(self) -> dict[int, tuple[str, ...]]:
        """The articles that bore a tag before it could have a page, each with the keys of these tags."""
        found: dict[int, list[str]] = {}
        for number, ids in enumerate(self._articles):
            for id in ids[: PAGE_LEAST - 1]:
                found.setdefault(id, []).append(self.keys[number])
        return {id: tuple(names) for id, names in found.items()}

    def _gathered(self, tagged: Sequence[array[int]]) -> list[array[int]]:
        """The articles by tag, those of all its spellings together and each once."""
        found = [array("i") for _ in self.names]
        for place, ids in enumerate(tagged):
            number = self.number[place]
            if number >= 0:
                found[number] = array("i", sorted({*found[number], *ids})) if found[number] else ids
        return found

    def spelled(self, numbers: Iterable[int], uses: Callable[[], Iterable[tuple[int, int]]]) -> dict[int, str]:
        """How each of some tags is mostly written in a part of the index; `uses` gives that part's (place, times).

        A page shows what its own articles wrote, so that it stays as it is whatever others write.
        """
        names = {number: self.names[number] for number in numbers}
        varied = self._varied.intersection(names)
        if varied:
            counts: dict[int, Counter[str]] = {number: Counter() for number in varied}
            for place, times in uses():
                if self.number[place] in varied:
                    counts[self.number[place]][_neat(self._index.tag_names[place])] += times
            names |= {
                number: min(found, key=lambda name: (-found[name], name)) for number, found in counts.items() if found
            }
        return names

    def spelled_in(self, numbers: Iterable[int], ids: Iterable[int]) -> dict[int, str]:
        """How each of some tags is mostly written by these articles."""
        return self.spelled(numbers, lambda: ((place, 1) for id in ids for place in self.places(id)))


def _neat(name: str) -> str:
    return " ".join(name.split()).lstrip("# ")


@dataclass(frozen=True, slots=True)
class TagCount:
    """How often a tag was used in a period, and by how many outlets."""

    name: str
    articles: int
    outlets: int


class MonthCounts:
    """Uses of tags by month and outlet, worked out month by month when asked."""

    def __init__(self, index: Index, book: TagBook, months: Months) -> None:
        self.months = months
        self._index = index
        self.book = book
        self._counted = lru_cache(maxsize=14)(self._count)

    def top(self, months: Sequence[int], outlets: frozenset[int], most: int) -> list[TagCount]:
        """The tags used most in these months by these outlets (places in `Press.outlets`)."""
        book = self.book
        articles: Counter[int] = Counter()
        pairs: set[int] = set()
        for place, outlet, times in self._uses(months, outlets):
            number = book.number[place]
            articles[number] += times
            pairs.add(number * _OUTLETS + outlet)
        by = Counter(pair // _OUTLETS for pair in pairs)
        ranked = sorted(articles, key=lambda number: (-articles[number], -by[number], book.keys[number]))[:most]
        names = book.spelled(ranked, lambda: ((place, times) for place, _, times in self._uses(months, outlets)))
        return [TagCount(names[number], articles[number], by[number]) for number in ranked]

    def _uses(self, months: Iterable[int], outlets: frozenset[int]) -> Iterator[tuple[int, int, int]]:
        for month in months:
            for pair, times in self._counted(month).items():
                place, outlet = divmod(pair, _OUTLETS)
                if outlet in outlets:
                    yield place, outlet, times

    def _count(self, month: int) -> Counter[int]:
        outlet, places = self._index.outlet, self.book.places
        return Counter(place * _OUTLETS + outlet[id] for id in self.months.ids.get(month, ()) for place in places(id))


class Months:
    """The dated articles of an index by month, oldest first; none without a date, none from the future.

    `ids`: articles by month. `running`: the month that still fills, in which an article was last found; 0 where there is none.
    """

    def __init__(self, index: Index) -> None:
        by_month = grouped(index.ids, index.month)
        self.running = _month_of(max(index.first_seen[id] for id in index.ids)) if index.ids else 0
        self.ids = {month: by_month[month] for month in sorted(by_month) if UNDATED < month <= self.running}
        self._digests = {month: digested(index, ids) for month, ids in self.ids.items()}

    def digests(self, months: Iterable[int]) -> tuple[str, ...]:
        """What changes whenever an article of these months does."""
        return tuple(self._digests.get(month, "") for month in months)


def _month_of(at: int) -> int:
    moment = kst(at)
    return moment.year * 12 + moment.month


def month_mark(month: int) -> str:
    """A month as charts have room for it: `26. 3.`"""
    return f"{(month - 1) // 12 % 100:02}. {(month - 1) % 12 + 1}."


def digested(index: Index, ids: Iterable[int]) -> str:
    """What changes whenever one of these articles does, in a few letters."""
    return blake2b(index.digest(ids), digest_size=12).hexdigest()
