"""Puts a site in place: built aside, only what differs written, swapped whole; a killed build leaves the old one."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from build.records import BuildError, BuildMisuse

SITE_MAX_BYTES = 900_000_000
"""GitHub Pages ends at 1 GB; the build fails before that."""

MARK = b'name="site-root"'
"""What the 404 page of a site of ours holds; without it a folder is not ours to replace."""

_SAFE_PART = re.compile(r"[A-Za-z0-9가-힣_][A-Za-z0-9가-힣._-]*")
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@dataclass(frozen=True, slots=True)
class Written:
    """What a build did to the site: counts of files, and all bytes of the new one."""

    written: int
    unchanged: int
    removed: int
    site_bytes: int


def publish(out: Path, files: Iterable[tuple[str, bytes]]) -> Written:
    """Make `out` hold exactly `files` (path below it, content). Raises BuildError; `out` is then as it was."""
    out = out.absolute()
    _recover(out)
    _refuse_foreign(out)
    aside = _beside(out, "new")
    shutil.rmtree(aside, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        done = _fill(aside, out, files)
        if done.written or done.removed:
            _swap(aside, out)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return done


def _fill(aside: Path, out: Path, files: Iterable[tuple[str, bytes]]) -> Written:
    claimed: set[str] = set()
    written = unchanged = size = 0
    made: set[Path] = set()
    for path, body in files:
        _check(path, claimed)
        target, standing = aside / path, out / path
        if target.parent not in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            made.add(target.parent)
        if _holds(standing, body):
            _keep(standing, target)
            unchanged += 1
        else:
            target.write_bytes(body)
            written += 1
        size += len(body)
        if size > SITE_MAX_BYTES:
            raise BuildError(
                f"the site passes {SITE_MAX_BYTES:,} bytes at {path}; publish less or move parts elsewhere"
            )
    removed = sum(1 for path in _files(out) if path not in claimed)
    return Written(written, unchanged, removed, size)


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
    return [path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()]


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
