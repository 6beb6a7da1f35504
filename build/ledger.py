"""What an earlier build knew of the files it wrote: from which state of its sources each came, and how it then stood on disk.

Nothing is believed on its word: a file counts as the right one only if its sources are in the same state (a digest of the
page, its cards, the templates, the code, the hub) and the file itself has not been written to since. A ledger that is
missing, damaged or of another state of templates and code is an empty one, and everything is made anew.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

MAGIC = "campuspresshub ledger 1"
KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: the digest of what it was made from, its bytes, and when it was last written to."""

    key: bytes
    size: int
    mtime_ns: int


def read(path: Path, stamp: bytes) -> dict[str, Entry]:
    """The entries by path, or none unless the ledger is whole and of that stamp (templates, code, hub)."""
    try:
        head, _, rest = path.read_bytes().partition(b"\n")
        if head != _head(stamp, rest):
            return {}
        lines = [line.split("\t") for line in rest.decode().splitlines()]
    except OSError:
        return {}
    return {name: Entry(bytes.fromhex(key), int(size), int(mtime)) for name, key, size, mtime in lines}


def write(path: Path, stamp: bytes, entries: dict[str, Entry]) -> None:
    """Put a new ledger in the place of the old one, in one step."""
    lines = [f"{name}\t{e.key.hex()}\t{e.size}\t{e.mtime_ns}" for name, e in entries.items()]
    rest = "\n".join(lines).encode()
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
