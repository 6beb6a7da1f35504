"""Puts a site in place: built aside, only what differs written, swapped whole; a killed build leaves the old one."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from build import ledger
from build.ledger import Entry
from build.pagekinds import Sheet
from build.records import BuildError, BuildMisuse

SITE_MAX_BYTES = 900_000_000
"""GitHub Pages ends at 1 GB; the build fails before that."""

MARK = b'name="site-root"'
"""What the 404 page of a site of ours holds; without it a folder is not ours to replace."""

_SAFE_PART = re.compile(r"[A-Za-z0-9가-힣_][A-Za-z0-9가-힣._-]*")
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


AT_ONCE = 200
"""Files made in one go: their cards are rendered together."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One file of the site: where it stands, of which kind of page it is, what it is made from and the digest of that.

    With an empty `key` it is made every time.
    """

    path: str
    kind: str
    sheet: Sheet
    key: bytes = b""


@dataclass(frozen=True, slots=True)
class Written:
    """What a build did to the site: counts of files, all bytes of the new one, and (kind, files, bytes) by kind of page.

    `made`: how many files were rendered at all; the others stood as they had to.
    """

    written: int
    unchanged: int
    removed: int
    site_bytes: int
    made: int
    kinds: tuple[tuple[str, int, int], ...]


Make = Callable[[Sequence[Sheet]], Iterable[bytes]]
Step = Callable[[int, int], None]
"""Told after each batch: files settled so far, and how many the earlier build had (0 where none is known)."""


def publish(
    out: Path, claims: Iterable[Claim], make: Make, *, stamp: bytes = b"", step: Step = lambda done, expected: None
) -> Written:
    """Make `out` hold exactly the files of `claims`, whose content `make` gives. Raises BuildError; `out` is then as it was.

    `stamp`: digest of what every file depends on; a ledger of another stamp saves no work.
    """
    out = out.absolute()
    _recover(out)
    _refuse_foreign(out)
    aside = _beside(out, "new")
    shutil.rmtree(aside, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    book = _beside(out, "ledger")
    try:
        fresh = _Fresh(out, aside, ledger.read(book, stamp))
        for some in _batches(claims, fresh):
            bodies = make([claim.sheet for claim in some])
            for claim, body in zip(some, bodies, strict=True):
                fresh.put(claim, body)
            step(len(fresh.entries), len(fresh.before))
        done = fresh.done()
        if done.written or done.removed:
            _swap(aside, out)
        if fresh.entries != fresh.before:
            ledger.write(book, stamp, fresh.entries)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return done


def _batches(claims: Iterable[Claim], fresh: _Fresh) -> Iterator[list[Claim]]:
    """What must be made, some at a time; what stands as it has to is taken over on the way."""
    some: list[Claim] = []
    for claim in claims:
        if not fresh.keep(claim):
            some.append(claim)
        if len(some) == AT_ONCE:
            yield some
            some = []
    yield some


class _Fresh:
    """The new site on its way: files of the old one that hold are shared with it, the others written."""

    def __init__(self, out: Path, aside: Path, before: dict[str, Entry]) -> None:
        self.before = before
        self.entries: dict[str, Entry] = {}
        self._out, self._aside = out, aside
        self._claimed: set[str] = set()
        self._folders: set[str] = set()
        self._files: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()
        self._size = self._written = self._made = 0

    def keep(self, claim: Claim) -> bool:
        """Take the standing file over if it was made from the same and not written to since."""
        _check(claim.path, self._claimed)
        entry = self.before.get(claim.path)
        standing = self._out / claim.path
        if not claim.key or entry is None or entry.key != claim.key:
            return False
        if ledger.standing(standing) != (entry.size, entry.mtime_ns):
            return False
        _keep(standing, self._place(claim.path))
        self._settle(claim, entry)
        return True

    def put(self, claim: Claim, body: bytes) -> None:
        """Write the file, or take the standing one over if it holds these bytes."""
        target, standing = self._place(claim.path), self._out / claim.path
        self._made += 1
        if _holds(standing, body):
            _keep(standing, target)
        else:
            target.write_bytes(body)
            self._written += 1
        self._settle(claim, Entry(claim.key, len(body), target.stat().st_mtime_ns))

    def done(self) -> Written:
        """What became of it all."""
        removed = sum(1 for path in _files(self._out) if path not in self._claimed)
        kinds = tuple((kind, self._files[kind], self._bytes[kind]) for kind in self._files)
        unchanged = len(self.entries) - self._written
        return Written(self._written, unchanged, removed, self._size, self._made, kinds)

    def _place(self, path: str) -> Path:
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            (self._aside / folder).mkdir(parents=True, exist_ok=True)
            self._folders.add(folder)
        return self._aside / path

    def _settle(self, claim: Claim, entry: Entry) -> None:
        self.entries[claim.path] = entry
        self._files[claim.kind] += 1
        self._bytes[claim.kind] += entry.size
        self._size += entry.size
        if self._size > SITE_MAX_BYTES:
            raise BuildError(
                f"the site passes {SITE_MAX_BYTES:,} bytes at {claim.path}; publish less or move parts elsewhere"
            )


def _check(path: str, claimed: set[str]) -> None:
    if not all(_SAFE_PART.fullmatch(part) for part in path.split("/")):
        raise BuildError(f"{path!r}: not a path of a site; correct the slug in data/outlets.csv")
    if path in claimed:
        raise BuildError(f"{path}: two pages claim this path; correct the slugs in data/outlets.csv")
    claimed.add(path)


def _holds(path: Path, body: bytes) -> bool:
    try:
        return path.stat().st_size == len(body) and path.read_bytes() == body
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False


def _keep(standing: Path, target: Path) -> None:
    try:
        os.link(standing, target)
    except OSError:  # a file system without hard links
        shutil.copy2(standing, target)


def _files(root: Path) -> list[str]:
    cut = len(str(root)) + 1
    return [f"{folder}/{name}"[cut:] for folder, _, names in os.walk(root) for name in names]


def _refuse_foreign(out: Path) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise BuildMisuse(f"{out}: is a file; name a folder with --out")
    page = out / "404.html"
    ours = page.is_file() and MARK in page.read_bytes() and not (out / ".git").exists()
    if not ours and any(out.iterdir()):
        raise BuildMisuse(
            f"{out}: holds files that this build did not make; empty it or name another folder with --out"
        )


def _beside(out: Path, what: str) -> Path:
    return out.with_name(f".{out.name}.{what}")


def _recover(out: Path) -> None:
    """Bring the old site back where an earlier build died between its two renames."""
    old = _beside(out, "old")
    if old.exists() and not out.exists():
        old.rename(out)
    shutil.rmtree(old, ignore_errors=True)


def _swap(aside: Path, out: Path) -> None:
    if not out.exists():
        aside.rename(out)
    elif not _exchange(aside, out):
        old = _beside(out, "old")
        out.rename(old)
        aside.rename(out)
        shutil.rmtree(old)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two folders in one step where the system can (Linux, renameat2); False where it cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0)
