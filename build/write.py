"""Puts a site in place: built aside, only what differs written, swapped whole; a killed build leaves the old one."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from build import ledger
from build.folders import clear_way, files_of, holds, remove, share, swap
from build.ledger import Entry
from build.pagekinds import Sheet, Single, Whole, is_whole
from build.records import BuildError, BuildMisuse

SITE_MAX_BYTES = 900_000_000
"""GitHub Pages ends at 1 GB; the build fails before that."""

MARK = b'name="site-root"'
"""What the 404 page of a site of ours holds; without it a folder is not ours to replace."""

GROUND, OLD, LEDGER = "ground", "old", "ledger"

_SAFE_PART = re.compile(r"[A-Za-z0-9가-힣_][A-Za-z0-9가-힣._-]*")

AT_ONCE = 200
"""Files made in one go: their cards are rendered together."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One file of the site: where it stands, of which kind of page it is, what it is made from and the digest of that.

    With an empty `key` it is made every time. The claim of a whole stands for all files in the folder `path`.
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


Make = Callable[[Sequence[Single]], Iterable[bytes]]
Files = Callable[[Whole], Iterable[tuple[str, bytes]]]
Step = Callable[[int, int], None]
"""Told after each batch: files settled so far, and how many the earlier build had (0 where none is known)."""


def publish(
    out: Path,
    claims: Iterable[Claim],
    make: Make,
    files: Files = lambda whole: (),
    *,
    stamp: bytes = b"",
    step: Step = lambda done, expected: None,
) -> Written:
    """Make `out` hold exactly the files of `claims`, whose content `make` gives, or `files` for all files of a whole.

    Raises BuildError; `out` is then as it was.

    `stamp`: digest of what every file depends on; a ledger of another stamp saves no work. The folder that
    `workshop` names holds the ledger and, as the ground of the next site, what this one shares with the one before.
    """
    out = real(out)
    shop = workshop(out)
    _recover(out)
    refuse_foreign(out)
    shop.mkdir(parents=True, exist_ok=True)
    try:
        fresh = _Fresh(out, shop / GROUND, ledger.read(shop / LEDGER, stamp))
        for some in _batches(_singles(claims, fresh, files, step), fresh):
            bodies = make([cast(Single, claim.sheet) for claim in some])
            for claim, body in zip(some, bodies, strict=True):
                fresh.put(claim, body)
            step(len(fresh.entries), len(fresh.before))
        done = fresh.done()
        if done.written or done.removed:
            fresh.complete()
            swap(shop / GROUND, out, shop / OLD)
        fresh.forget()
        if fresh.entries != fresh.before:
            ledger.write(shop / LEDGER, stamp, fresh.entries)
    except BaseException:
        _recover(out)
        if not out.exists():
            shutil.rmtree(shop, ignore_errors=True)
        raise
    return done


def workshop(out: Path) -> Path:
    """The hidden folder beside a site where its next state is prepared. It may be deleted at any time: that costs time only."""
    out = real(out)
    return out.with_name(f".{out.name}.build")


def real(out: Path) -> Path:
    """Where the site really stands: a link to it stays a link, and what it leads to is made anew."""
    return Path(os.path.realpath(out))


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Keep every other build of this site away, until the block ends or the process dies. Raises BuildError if one is at work."""
    shop = workshop(out)
    shop.mkdir(parents=True, exist_ok=True)
    held = os.open(shop, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        os.close(held)
        raise BuildError(
            f"{out}: another build is making this site; wait until it has ended, or name another --out"
        ) from exc
    try:
        yield
    finally:
        with suppress(OSError):  # a build that never began leaves nothing behind
            shop.rmdir()
        os.close(held)


def _singles(claims: Iterable[Claim], fresh: _Fresh, files: Files, step: Step) -> Iterator[Claim]:
    """All claims but those of wholes, which are settled on the way."""
    for claim in claims:
        if not is_whole(claim.sheet):
            yield claim
        elif not fresh.keep_whole(claim):
            for number, (path, body) in enumerate(files(claim.sheet), 1):
                fresh.put(Claim(f"{claim.path}/{path}", claim.kind, claim.sheet, claim.key), body)
                if number % AT_ONCE == 0:
                    step(len(fresh.entries), len(fresh.before))


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
    """The new site on its way. Its ground is whatever an earlier build left there, most of it one file with the standing site's.

    Nothing there is ever written to in place, since that would change the standing site too.
    """

    def __init__(self, out: Path, ground: Path, before: dict[str, Entry]) -> None:
        self.before = before
        self.entries: dict[str, Entry] = {}
        self._out, self._ground = str(out), str(ground)
        self._standing = dict(files_of(self._out))
        self._left = dict(files_of(self._ground, tidy=True))
        self._own: set[str] = set()
        self._kinds: dict[str, list[int]] = {}
        self._size = self._made = 0

    def keep(self, claim: Claim) -> bool:
        """Take the standing file over if it was made from the same and not written to since."""
        _check(claim.path, self.entries)
        entry = self.before.get(claim.path)
        if not claim.key or entry is None or entry.key != claim.key or claim.path not in self._standing:
            return False
        if ledger.standing(f"{self._out}/{claim.path}") != (entry.size, entry.mtime_ns):
            return False
        self._settle(claim, entry)
        return True

    def keep_whole(self, claim: Claim) -> bool:
        """Take over all files of a folder if all of them were made from the same and none was written to since."""
        start = f"{claim.path}/"
        held = {path: entry for path, entry in self.before.items() if path.startswith(start)}
        if (
            not held
            or not held.keys() <= self._standing.keys()
            or {entry.key for entry in held.values()} != {claim.key}
        ):
            return False
        root, standing = self._out, ledger.standing
        if any(standing(f"{root}/{path}") != (entry.size, entry.mtime_ns) for path, entry in held.items()):
            return False
        self.entries.update(held)
        self._weigh(claim, len(held), sum(entry.size for entry in held.values()))
        return True

    def put(self, claim: Claim, body: bytes) -> None:
        """Write the file, or take the standing one over if it holds these bytes."""
        _check(claim.path, self.entries)
        self._made += 1
        standing = f"{self._out}/{claim.path}"
        if claim.path not in self._standing or not holds(standing, body):
            standing = self._place(claim.path)
            with open(standing, "xb") as file:
                file.write(body)
            self._own.add(claim.path)
        self._settle(claim, Entry(claim.key, len(body), os.stat(standing).st_mtime_ns))

    def done(self) -> Written:
        """What became of it all."""
        removed = sum(1 for path in self._standing if path not in self.entries)
        kinds = tuple((kind, files, size) for kind, (files, size) in self._kinds.items())
        written = len(self._own)
        return Written(written, len(self.entries) - written, removed, self._size, self._made, kinds)

    def complete(self) -> None:
        """Bring the ground to what was settled: every kept file is the standing one, and nothing else is left."""
        for path in self._left:
            if path not in self.entries:
                remove(self._ground, path)
        for path in self.entries:
            if path not in self._own and self._left.get(path) != self._standing[path]:
                self._share(path)

    def forget(self) -> None:
        """Take from the ground whatever the site does not hold as it is now: who left must not stay there (P60)."""
        removed = [path for path in self._standing if path not in self.entries]
        if self._own or removed:  # the two changed places
            gone = [*removed, *(path for path in self._own if path in self._standing)]
        else:
            gone = [path for path, file in self._left.items() if self._standing.get(path) != file]
        for path in gone:
            remove(self._ground, path)

    def _share(self, path: str) -> None:
        """Let the ground have the standing file."""
        standing = f"{self._out}/{path}"
        try:  # nearly always there is a folder for it and nothing in its way
            os.link(standing, f"{self._ground}/{path}")
        except OSError:
            share(standing, self._place(path))

    def _place(self, path: str) -> str:
        """A free place on the ground, whatever stands in the way."""
        target = f"{self._ground}/{path}"
        try:
            os.unlink(target)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
        except (NotADirectoryError, IsADirectoryError, PermissionError):
            clear_way(self._ground, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
        return target

    def _settle(self, claim: Claim, entry: Entry) -> None:
        self.entries[claim.path] = entry
        self._weigh(claim, 1, entry.size)

    def _weigh(self, claim: Claim, files: int, size: int) -> None:
        weight = self._kinds.setdefault(claim.kind, [0, 0])
        weight[0] += files
        weight[1] += size
        self._size += size
        if self._size > SITE_MAX_BYTES:
            raise BuildError(
                f"the site passes {SITE_MAX_BYTES:,} bytes at {claim.path}; publish less or move parts elsewhere"
            )


def _check(path: str, claimed: Container[str]) -> None:
    if not all(_SAFE_PART.fullmatch(part) for part in path.split("/")):
        raise BuildError(f"{path!r}: not a path of a site; correct the slug in data/outlets.csv")
    if path in claimed:
        raise BuildError(f"{path}: two pages claim this path; correct the slugs in data/outlets.csv")


def refuse_foreign(out: Path) -> None:
    """Raise BuildMisuse where something else than a site of ours stands."""
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


def _recover(out: Path) -> None:
    """Bring the old site back where a build died, or could not go on, between its two renames."""
    old = workshop(out) / OLD
    if old.exists() and not out.exists():
        old.rename(out)
    shutil.rmtree(old, ignore_errors=True)
