"""Which articles hold which word, gathered in bounded memory: what grows too large meanwhile waits on disk, in order."""

from __future__ import annotations

import marshal
import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

AT_ONCE = 30_000
"""Articles held in memory: some seven million entries, 40 MB with their words."""


class Lists:
    """Lists of ascending numbers by word, filled article by article and read once."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder`: where a file without a name may stand meanwhile."""
        self._folder = folder
        self._fresh: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))
        self._runs: list[_Run] = []
        self._added = 0

    def add(self, id: int, words: Iterable[str]) -> None:
        """Enter an article under each of its words, none of them empty."""
        if self._added == AT_ONCE:
            self._runs.append(_Run(self._taken(), self._folder))
            self._added = 0
        self._added += 1
        fresh = self._fresh
        for word in words:
            fresh[word].append(id)

    def by_first(self) -> Iterator[tuple[str, dict[str, array[int]]]]:
        """First character by first character: all words that begin with it, in no order."""
        last = self._taken()
        for first in sorted(set(last).union(*(run.places for run in self._runs))):
            if not self._runs:
                yield first, last.pop(first)
                continue
            joined: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))
            for run in self._runs:
                for word, ids in run.lists(first).items():
                    joined[word].frombytes(ids)
            for word, numbers in last.pop(first, {}).items():
                joined[word].extend(numbers)
            yield first, joined
        for run in self._runs:
            run.close()

    def _taken(self) -> dict[str, dict[str, array[int]]]:
        """What is held in memory, by first character, and held no more."""
        found: dict[str, dict[str, array[int]]] = {}
        while self._fresh:
            word, ids = self._fresh.popitem()
            found.setdefault(word[0], {})[word] = ids
        return found


class _Run:
    """The lists of some articles on disk; `places`: where those of each first character stand."""

    def __init__(self, lists: dict[str, dict[str, array[int]]], folder: Path | None) -> None:
        self.places: dict[str, tuple[int, int]] = {}
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (closed by close)
        at = 0
        while lists:
            first, words = lists.popitem()
            packed = marshal.dumps({word: ids.tobytes() for word, ids in words.items()})
            self._file.write(packed)
            self.places[first] = at, len(packed)
            at += len(packed)

    def lists(self, first: str) -> dict[str, bytes]:
        """Those of one first character, as bytes of this machine's own order."""
        at, size = self.places.get(first, (0, 0))
        self._file.seek(at)
        return dict(marshal.loads(self._file.read(size))) if size else {}

    def close(self) -> None:
        """Give the disk back."""
        self._file.close()
