"""What pages need to know of every article to choose among them: numbers and marks, no text, a few dozen bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

NEVER = -(2**62)
"""`published` of an article that shows no date."""

UNDATED = 0
"""`month` of an article outside of every month."""

PICTURE, MEDIA, FILM, SHORTS, LIVE, SUMMARY = 1, 2, 4, 8, 16, 32
"""`marks`: it has a picture's address, an enclosure, a YouTube film (a vertical one, a broadcast), a summary that is shown."""

DIGEST_BYTES = 8


class Index:
    """All articles that may be shown, as columns read by their number: `index.sort_at[id]`.

    Columns reach as far as the highest number; only the numbers in `ids` (ascending) stand for articles. Times are epoch
    seconds, `day` whole Korean days since 1970-01-01 of `sort_at`, `month` as `month_number` writes it, `outlet` the place in
    `Press.outlets`, `kind` the place in `kinds`, tags the places in `tag_names`.
    """

    __slots__ = (
        "_digests", "_tag_ends", "_tags", "changed", "day", "first_seen", "ids", "kind", "kinds", "marks", "month", "outlet",
        "published", "sort_at", "tag_names",
    )  # fmt: skip

    def __init__(self) -> None:
        self.ids = array("i")
        self.outlet = array("i")
        self.kind = array("b")
        self.marks = array("b")
        self.published = array("q")
        self.first_seen = array("q")
        self.changed = array("q")
        self.sort_at = array("q")
        self.month = array("i")
        self.day = array("i")
        self.kinds: list[str] = []
        self.tag_names: list[str] = []
        self._tags = array("i")
        self._tag_ends = array("i")
        self._digests = bytearray()

    def __len__(self) -> int:
        return len(self.ids)

    def add(
        self,
        id: int,
        digest: bytes,
        *,
        outlet: int,
        kind: int,
        marks: int,
        published: int,
        first_seen: int,
        changed: int,
        sort_at: int,
        month: int,
        tags: Iterable[int],
    ) -> None:
        """Put in the article with the next higher number; `digest` (8 bytes) tells its whole card from any other state of it."""
        gap = id - len(self.outlet)
        if gap:
            self._leave_out(gap)
        self.ids.append(id)
        self.outlet.append(outlet)
        self.kind.append(kind)
        self.marks.append(marks)
        self.published.append(published)
        self.first_seen.append(first_seen)
        self.changed.append(changed)
        self.sort_at.append(sort_at)
        self.month.append(month)
        self.day.append((sort_at + 32_400) // 86_400)
        self._tags.extend(tags)
        self._tag_ends.append(len(self._tags))
        self._digests += digest

    def _leave_out(self, numbers: int) -> None:
        for column in (self.outlet, self.kind, self.marks, self.month, self.day, self.published, self.first_seen):
            column.extend([0] * numbers)
        for column in (self.changed, self.sort_at):
            column.extend([0] * numbers)
        self._tag_ends.extend([len(self._tags)] * numbers)
        self._digests += bytes(DIGEST_BYTES * numbers)

    def tags(self, id: int) -> Sequence[int]:
        """The tags of an article, by place in `tag_names`."""
        return self._tags[self._tag_ends[id - 1] if id else 0 : self._tag_ends[id]]

    def digest(self, ids: Iterable[int]) -> bytes:
        """What changes whenever the card of one of these changes."""
        held = self._digests
        return b"".join([held[id * DIGEST_BYTES : (id + 1) * DIGEST_BYTES] for id in ids])

    def newest_first(self, ids: Iterable[int]) -> list[int]:
        """In the order readers meet them: by `sort_at`; of two of one moment the later found comes first."""
        at = self.sort_at
        return sorted(ids, key=lambda id: (at[id], id), reverse=True)

    def by_publication(self, ids: Iterable[int]) -> list[int]:
        """Oldest first by the date they show, or by first sight where they show none."""
        published, seen = self.published, self.first_seen
        return sorted(ids, key=lambda id: (seen[id] if published[id] == NEVER else published[id], id))

    def by_outlet(self) -> dict[int, array[int]]:
        """The numbers of each outlet's articles, ascending, by place in `Press.outlets`."""
        return grouped(self.ids, self.outlet)


def grouped(ids: Iterable[int], column: Sequence[int]) -> dict[int, array[int]]:
    """Numbers of articles by what a column holds for each, in the order given."""
    groups: dict[int, array[int]] = {}
    for id in ids:
        value = column[id]
        group = groups.get(value)
        if group is None:
            group = groups[value] = array("i")
        group.append(id)
    return groups


def month_number(month: str) -> int:
    """`2026-03` as a number that counts months; UNDATED for what is no month."""
    return int(month[:4]) * 12 + int(month[5:7]) if month[:4].isdigit() else UNDATED


def month_name(number: int) -> str:
    """The month of a number as addresses write it: `2026-03`, or `undated`."""
    return f"{(number - 1) // 12:04}-{(number - 1) % 12 + 1:02}" if number else "undated"
