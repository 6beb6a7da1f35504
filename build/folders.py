"""What putting a site in place asks of the disk: files with their numbers, shared, removed, out of each other's way, and a
whole folder in the place of another.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def holds(path: str, body: bytes) -> bool:
    """Whether a file has just these bytes."""
    try:
        if os.stat(path).st_size != len(body):
            return False
        with open(path, "rb") as file:
            return file.read() == body
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False


def share(standing: str, target: str) -> None:
    """Let a free place have a standing file: the same one where the system can."""
    try:
        os.link(standing, target)
    except OSError:  # a file system without hard links
        shutil.copy2(standing, target)


def files_of(root: str, *, tidy: bool = False) -> Iterator[tuple[str, int]]:
    """Each file below a folder with its number on the disk; `tidy` removes links on the way, which might lead elsewhere."""
    folders = [""] if os.path.isdir(root) else []
    while folders:
        folder = folders.pop()
        with os.scandir(f"{root}/{folder}") as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{folder}{entry.name}/")
                elif tidy and entry.is_symlink():
                    os.unlink(entry.path)
                else:
                    yield f"{folder}{entry.name}", entry.inode()


def remove(root: str, path: str) -> None:
    """Remove a file and the folders that then are empty."""
    try:
        os.unlink(f"{root}/{path}")
        while path := path.rpartition("/")[0]:
            os.rmdir(f"{root}/{path}")
    except OSError:  # made way already, or not empty
        return


def clear_way(root: str, path: str) -> None:
    """Remove the folder that stands where a file goes, or the file where a folder goes."""
    steps = path.split("/")
    for count in range(1, len(steps) + 1):
        place = f"{root}/{'/'.join(steps[:count])}"
        if count == len(steps):
            shutil.rmtree(place, ignore_errors=True)
        elif os.path.isfile(place):
            os.unlink(place)
            return


def swap(ground: Path, out: Path, aside: Path) -> None:
    """Put a folder in the place of another, which becomes the ground; `aside`: where that one stands for a moment if it must."""
    if not out.exists():
        ground.rename(out)
    elif not _exchange(ground, out):
        out.rename(aside)
        ground.rename(out)
        aside.rename(ground)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two folders in one step where the system can (Linux, renameat2); False where it cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0)
