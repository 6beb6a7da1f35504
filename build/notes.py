"""What was noted of files that are worked out together: kept from build to build, so that others can be made beside them."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from build.part import DIGEST_BYTES


class Notes:
    """Notes by name, each of one state of its subject; kept in a folder where there is one, which may lose any of them."""

    def __init__(self, folder: Path | None = None, stamp: bytes = b"") -> None:
        """`stamp`: digest of the code that makes them."""
        self._folder = folder
        self._stamp = stamp
        self._at_hand: dict[str, tuple[bytes, bytes]] = {}

    def find(self, name: str, state: str) -> bytes | None:
        """The note of that name and state; None where it is lost, damaged or of another state."""
        key = self._key(state)
        if name not in self._at_hand and self._folder is not None:
            try:
                kept = self._path(self._folder, name).read_bytes()
            except OSError:
                return None
            note = kept[2 * DIGEST_BYTES :]
            if kept[DIGEST_BYTES : 2 * DIGEST_BYTES] != blake2b(note, digest_size=DIGEST_BYTES).digest():
                return None
            self._at_hand[name] = kept[:DIGEST_BYTES], note
        of, note = self._at_hand.get(name, (b"", b""))
        return note if of == key else None

    def keep(self, name: str, state: str, note: bytes) -> None:
        """Put a note in the place of an older one, in one step."""
        key = self._key(state)
        self._at_hand[name] = key, note
        if self._folder is not None:
            path = self._path(self._folder, name)
            fresh = path.with_name(f"{path.name}.new")
            fresh.write_bytes(key + blake2b(note, digest_size=DIGEST_BYTES).digest() + note)
            fresh.replace(path)

    def _key(self, state: str) -> bytes:
        return blake2b(self._stamp + state.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()

    @staticmethod
    def _path(folder: Path, name: str) -> Path:
        return folder / f"{name.replace('/', '-')}.note"
