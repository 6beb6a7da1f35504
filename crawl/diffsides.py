"""The two sides of a diff: a press.db, a folder of press files, or either as a git revision has it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from crawl import pressfile
from crawl.errors import Misuse

_PRESS_NAME = re.compile(r"press(?:-[0-9]+)?\.db")


def files(words: str, scratch: Path) -> list[Path]:
    """The press files a side means, older id ranges first, press.db last.

    `words`: a folder, a press.db (which stands for its folder's press files; a file of another name for itself alone), or
    `REVISION:PATH`, taken out of this machine's own git into the empty folder `scratch`. An empty list: a folder, or a
    revision, without a press.db. Raises Misuse where there is no such thing.
    """
    path = Path(words)
    if path.is_dir():
        return pressfile.press_files(path)
    if path.is_file():
        return pressfile.press_files(path.parent) if path.name == "press.db" else [path]
    revision, colon, inner = words.partition(":")
    if not colon or not revision:
        raise Misuse(f"{words}: there is no such file or folder; a git revision is written as main:data")
    _taken_out(revision, inner.rstrip("/") or ".", scratch)
    return pressfile.press_files(scratch)


def _taken_out(revision: str, inner: str, scratch: Path) -> None:
    scratch.mkdir(parents=True, exist_ok=True)
    commit = _git(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]).decode().strip()
    if not commit:
        raise Misuse(f"{revision}: git knows no such revision here; fetch it first, this command asks nobody")
    folder = inner.rpartition("/")[0] if inner.endswith(".db") else inner
    where = f"{commit}:./{folder.removeprefix('./').removeprefix('.')}"
    listed = _git(["ls-tree", "--full-tree", "-z", "--name-only", where])
    for name in listed.decode("utf-8", "replace").split("\0"):
        if _PRESS_NAME.fullmatch(name):
            (scratch / name).write_bytes(_git(["cat-file", "blob", f"{where.rstrip('/')}/{name}"]))


def _git(words: Sequence[str]) -> bytes:
    """What git prints, nothing where it fails; it never fetches (politeness: the gate alone speaks to the network)."""
    environment = os.environ | {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        return subprocess.run(["git", *words], capture_output=True, check=False, env=environment).stdout
    except OSError as trouble:
        raise Misuse(f"git cannot be run here ({trouble}); give files or folders") from trouble
