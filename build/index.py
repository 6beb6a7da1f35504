"""What pages need to know of every article to choose among them: numbers and marks, no text, a few dozen bytes each."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate

from build.part import Part

NEVER = -(2**62)
"""`published` of an article that shows no date."""

UNDATED = 0
"""`month` of an article outside of every month."""

PICTURE, MEDIA, FILM, SHORTS, LIVE, SUMMARY = 1, 2, 4, 8, 16, 32
"""`marks`: it has a picture's address, an enclosure, a YouTube film (a vertical one, a broadcast), a summary that is shown."""

TOP = 100
"""How many of each outlet's newest are at hand."""

DAY_S, KST_S = 86_400, 32_400


class Index:
    """All articles that may be shown, as columns read by their number: `index.sort_at[id]`.

    Columns reach as far as the highest number; only the numbers in `ids` (ascending) stand for articles. Times are epoch
    seconds, `day` whole Korean days since 1970-01-01 of `sort_at`, `month` as `month_number` writes it, `outlet` the place in
    `Press.outlets`, `kind` the place in `kinds`, tags the places in `tag_names`.
    """

    __slots__ = (
        "_by_kind", "_dates", "_digests", "_films", "_ranks", "_tag_counts", "_tag_starts", "_tags", "_tops", "changed", "day",
        "first_seen", "ids", "kind", "kinds", "marks", "month", "outlet", "published", "sort_at", "tag_names",
    )  # fmt: skip

    def __init__(self, parts: Iterable[Part], outlets: Sequence[str]) -> None:
        """Parts with ever higher numbers; `outlets` are the slugs in the order of `Press.outlets`."""
        self.ids = array("i")
        self.outlet = array("i")
        self.kind = array("h")
        self.marks = array("b")
        self.published = array("q")
        self.first_seen = array("q")
        self.changed = array("q")
        self.sort_at = array("q")
        self.month = array("i")
        self.day = array("i")
        self._tags = array("i")
        self._tag_starts = array("i")
        self._tag_counts = array("i")
        self._digests = array("Q")
        kinds: dict[str, int] = {}
        tags: dict[str, int] = {}
        places = {slug: number for number, slug in enumerate(outlets)}
        for part in parts:
            self._extend(part, places, kinds, tags)
        self.kinds = list(kinds)
        self.tag_names = list(tags)
        self._ranks = self._ranked(self.sort_at)
        shown = map(_shown, self.published, self.first_seen)
        self._dates = self._ranked(list(shown))
        self._tops = {outlet: self.newest(ids, TOP) for outlet, ids in self.by_outlet().items()}
        self._by_kind = grouped(self.ids, self.kind)
        marks = self.marks
        self._films = frozenset([id for id in self.ids if marks[id] & FILM])

    def __len__(self) -> int:
        return len(self.ids)

    def _extend(self, part: Part, outlets: dict[str, int], kinds: dict[str, int], tags: dict[str, int]) -> None:
        tag_starts = array("i", accumulate(part.tag_counts, initial=len(self._tags)))
        tag_starts.pop()
        columns = (
            (self.outlet, _renumbered(part.outlet, part.outlets, outlets)),
            (self.kind, _renumbered(part.kind, part.kinds, kinds)),
            (self.marks, part.marks),
            (self.published, part.published),
            (self.first_seen, part.first_seen),
            (self.changed, part.changed),
            (self.sort_at, part.sort_at),
            (self.month, part.month),
            (self.day, array("i", map(day_number, part.sort_at))),
            (self._tag_starts, tag_starts),
            (self._tag_counts, part.tag_counts),
            (self._digests, part.digests),
        )
        for column, packed in columns:
            _spread(column, packed, part.ids)
        self._tags.extend(_renumbered(part.tags, part.tag_names, tags))
        self.ids.extend(part.ids)

    def tags(self, id: int) -> Sequence[int]:
        """The tags of an article, by place in `tag_names`."""
        start = self._tag_starts[id]
        return self._tags[start : start + self._tag_counts[id]]

    def tag_columns(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """The tags of all articles one after another, and by article where its own begin and how many they are."""
        return self._tags, self._tag_starts, self._tag_counts

    def tagged(self) -> list[array[int]]:
        """The articles of each tag, ascending, by place in `tag_names`."""
        found = [array("i") for _ in self.tag_names]
        starts, counts, tags = self._tag_starts, self._tag_counts, self._tags
        for id in self.ids:
            if counts[id]:
                for tag in tags[starts[id] : starts[id] + counts[id]]:
                    found[tag].append(id)
        return found

    def digest(self, ids: Iterable[int]) -> bytes:
        """What changes whenever the card of one of these changes."""
        digests = self._digests
        return array("Q", [digests[id] for id in ids]).tobytes()

    def last_change(self, ids: Iterable[int]) -> int | None:
        """When one of these last changed for us (epoch seconds); None of none."""
        return max(map(self.changed.__getitem__, ids), default=None)

    def newest_first(self, ids: Iterable[int]) -> list[int]:
        """In the order readers meet them: by `sort_at`; of two of one moment the later found comes first."""
        return sorted(ids, key=self._ranks.__getitem__, reverse=True)

    def newest(self, ids: Iterable[int], most: int) -> list[int]:
        """The first few of these in that order."""
        return self.newest_first(ids)[:most]

    def newest_of(self, outlets: Iterable[int], most: int) -> list[int]:
        """The newest articles of some outlets (places in `Press.outlets`), TOP of each at most."""
        return self.newest([id for outlet in outlets for id in self._tops.get(outlet, ())], most)

    def by_publication(self, ids: Iterable[int]) -> list[int]:
        """Oldest first by the date they show, or by first sight where they show none."""
        return sorted(ids, key=self._dates.__getitem__)

    def _ranked(self, column: Sequence[int]) -> array[int]:
        """The place of each article among all, lowest first: what is asked for hundreds of times is compared once."""
        ranks = array("i", bytes(4 * len(column)))
        # Sorting keeps the order of what is equal, and `ids` ascend.
        for rank, id in enumerate(sorted(self.ids, key=column.__getitem__)):
            ranks[id] = rank
        return ranks

    def of_kind(self, kind: str) -> Sequence[int]:
        """The articles of a kind by its name, ascending."""
        return self._by_kind.get(self.kinds.index(kind), ()) if kind in self.kinds else ()

    def films(self) -> frozenset[int]:
        """The articles with a film."""
        return self._films

    def by_outlet(self) -> dict[int, array[int]]:
        """The numbers of each outlet's articles, ascending, by place in `Press.outlets`."""
        return grouped(self.ids, self.outlet)


def _renumbered(column: array[int], names: Sequence[str], numbers: dict[str, int]) -> array[int]:
    """A column with the numbers of the whole; names not met before get the next ones."""
    table = [numbers.setdefault(name, len(numbers)) for name in names]
    return array(column.typecode, map(table.__getitem__, column))


def _spread(column: array[int], packed: array[int], ids: array[int]) -> None:
    """Append packed values so that each stands at its article's number."""
    if not ids:
        return
    start = len(column)
    if len(ids) == ids[-1] + 1 - start:  # no number is missing
        column.extend(packed)
        return
    column.frombytes(bytes(column.itemsize * (ids[-1] + 1 - start)))
    for id, value in zip(ids, packed, strict=True):
        column[id] = value


def _shown(published: int, first_seen: int) -> int:
    return first_seen if published == NEVER else published


def grouped(ids: Iterable[int], column: Sequence[int]) -> dict[int, array[int]]:
    """Numbers of articles by what a column holds for each, in the order given."""
    some = ids if isinstance(ids, (list, array, tuple)) else list(ids)
    groups: defaultdict[int, array[int]] = defaultdict(_numbers)
    for value, id in zip(map(column.__getitem__, some), some, strict=True):
        groups[value].append(id)
    return dict(groups)


def _numbers() -> array[int]:
    return array("i")


def day_number(at: int) -> int:
    """The Korean day of a moment (epoch seconds), in days since 1970-01-01."""
    return (at + KST_S) // DAY_S


def month_number(month: str) -> int:
    """`2026-03` as a number that counts months; UNDATED for what is no month."""
    return int(month[:4]) * 12 + int(month[5:7]) if month[:4].isdigit() else UNDATED


@cache
def month_name(number: int) -> str:
    """The month of a number as addresses write it: `2026-03`, or `undated`."""
    return f"{(number - 1) // 12:04}-{(number - 1) % 12 + 1:02}" if number else "undated"
