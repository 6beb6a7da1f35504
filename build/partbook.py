"""What a build keeps of the press files for the next one: what it read of each, and that it found them sound."""

from __future__ import annotations

from pathlib import Path

from build import part
from build.part import Part


class PartBook:
    """What is kept of press files from build to build in a folder; nothing where there is none. `stamp`: digest of the code
    that reads them.
    """

    def __init__(self, folder: Path | None = None, stamp: bytes = b"") -> None:
        self._folder = folder
        self.stamp = stamp

    def find(self, name: str, key: bytes) -> Part | None:
        """The part of the file of that name if it was read from just what `key` is the digest of."""
        try:
            return part.unpack((self._folder / f"{name}.part").read_bytes(), key) if self._folder else None
        except OSError:
            return None

    def keep(self, name: str, key: bytes, found: Part) -> None:
        """Put a part away, in one step."""
        self._put(f"{name}.part", part.pack(found, key))

    def sound(self, name: str, key: bytes) -> bool:
        """Whether the file of that name was found whole, and to fit with the others, when `key` was the digest of them all."""
        try:
            return self._folder is not None and (self._folder / f"{name}.sound").read_bytes() == key
        except OSError:
            return False

    def keep_sound(self, name: str, key: bytes) -> None:
        """Note that it was."""
        self._put(f"{name}.sound", key)

    def _put(self, name: str, body: bytes) -> None:
        """Write one file in one step."""
        if self._folder:
            self._folder.mkdir(parents=True, exist_ok=True)
            fresh = self._folder / f"{name}.new"
            fresh.write_bytes(body)
            fresh.replace(self._folder / name)
