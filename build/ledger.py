"""What an earlier build knew of the files it wrote: from which state of its sources each came, and how it then stood on disk.

Nothing is believed on its word: a file counts as the right one only if its sources are in the same state (a digest of the
page, its cards, the templates, the code, the hub) and the file itself has not been written to since. A ledger that is
missing, damaged or of another state of templates and code is an empty one, and everything is made anew.
"""

from __future__ import annotations

import os
from array import array
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

MAGIC = "campuspresshub ledger 2"
KEY_BYTES = 16


class Entry(NamedTuple):
    """One file: the digest of what it was made from, its bytes, and when it was last written to."""

    key: bytes
    size: int
    mtime_ns: int


def read(path: Path, stamp: bytes) -> dict[str, Entry]:
    """The entries by path, or none unless the ledger is whole and of that stamp (templates, code, hub)."""
    try:
        head, _, rest = path.read_bytes().partition(b"\n")
    except OSError:
        return {}
    if head != _head(stamp, rest):
        return {}
    count = int.from_bytes(rest[:8], "little")
    numbers = array("q", rest[8 : 8 + 16 * count])
    names, _, keys = rest[8 + 16 * count :].decode().partition("\n\n")
    made_from = map(bytes.fromhex, keys.split("\n"))
    entries = map(Entry, made_from, numbers[:count], numbers[count:])
    return dict(zip(names.split("\n"), entries, strict=False))


def write(path: Path, stamp: bytes, entries: dict[str, Entry]) -> None:
    """Put a new ledger in the place of the old one, in one step: sizes and times as columns, then names, then keys."""
    numbers = array("q", [entry.size for entry in entries.values()])
    numbers.extend([entry.mtime_ns for entry in entries.values()])
    keys = "\n".join([entry.key.hex() for entry in entries.values()])
    names = "\n".join(entries)
    rest = len(entries).to_bytes(8, "little") + numbers.tobytes() + f"{names}\n\n{keys}".encode()
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(_head(stamp, rest) + b"\n" + rest)
    fresh.replace(path)


def _head(stamp: bytes, rest: bytes) -> bytes:
    return f"{MAGIC} {stamp.hex()} {blake2b(rest, digest_size=16).hexdigest()}".encode()


def standing(path: str) -> tuple[int, int] | None:
    """Size and time of the last writing of a file; None where there is none."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_size, found.st_mtime_ns
