"""What a build holds of hundreds of thousands of articles while it lasts: on disk in a file without a name, not in memory."""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path


class Spill:
    """Bytes by number of the article, written once each."""

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (closed by close)
        self._number = self._file.fileno()
        self._starts = array("q")
        self._sizes = array("i")
        self._end = 0

    def missing(self, ids: Sequence[int]) -> list[int]:
        """Those of these that nothing was kept of yet."""
        further = max(ids, default=-1) + 1 - len(self._starts)
        if further > 0:
            self._starts.extend([-1] * further)
            self._sizes.extend([0] * further)
        return [id for id in ids if self._starts[id] < 0]

    def keep(self, ids: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Put these away, which `missing` has named."""
        for id, body in zip(ids, bodies, strict=True):
            self._starts[id], self._sizes[id] = self._end, len(body)
            self._end += len(body)
        self._file.write(b"".join(bodies))
        self._file.flush()

    def get(self, id: int) -> bytes:
        """What was kept of an article."""
        return os.pread(self._number, self._sizes[id], self._starts[id])

    def close(self) -> None:
        """Give the disk back."""
        self._file.close()
