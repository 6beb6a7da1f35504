"""The stored press files: where SQLite opens them, whether each is whole, and whether all of them fit together."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from build.part import DIGEST_BYTES
from build.records import BuildError

SCHEMA_VERSION = 3
ROLLING = ("articles", "article_tags", "revisions")
"""The tables that older press-000N.db files hold a range of; everything else stands in press.db alone."""

SAME_COMMIT = "take all press files from one and the same commit of git"

ID_LIMIT = 50_000_000
"""The index has a place for each number up to the highest: far beyond any press, a number is damage."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """One press file as the views show it; no article of it has a number above `last`. `digest`: of its bytes."""

    path: Path
    last: int
    db: sqlite3.Connection
    digest: bytes


def address(path: Path) -> str:
    """Where SQLite opens a stored file so that nothing is written, to it or beside it.

    Raises BuildError where changes wait beside it. By a full URI: anything less is either writable or loses its mode at a
    `#`. A file that was last written with a log beside it (WAL) would get a log anew even from who only reads, unless told
    that it stands still.
    """
    whole = path.resolve()
    log = whole.with_name(f"{whole.name}-wal")
    if log.is_file() and log.stat().st_size:
        raise BuildError(
            f"{path}: {log.name} beside it holds changes not yet in it; close whatever writes to it, then build"
        )
    return f"{whole.as_uri()}?mode=ro" + ("&immutable=1" if _logged(whole) else "")


def _logged(path: Path) -> bool:
    """Whether a file says of itself that its changes go to a log first: in the 18th and 19th byte of the file format."""
    try:
        with open(path, "rb") as file:
            return file.read(20)[18:] == b"\x02\x02"
    except OSError:
        return False


def checked(db: sqlite3.Connection, path: Path, name: str) -> None:
    """Raise BuildError unless the file attached under that name is of our version and whole."""
    version = db.execute(f"PRAGMA {name}.user_version").fetchone()[0]
    if version != SCHEMA_VERSION:
        raise BuildError(
            f"{path}: schema version {version}, but this build reads version {SCHEMA_VERSION}; "
            f"use the checkout that wrote it"
        )
    if db.execute(f"PRAGMA {name}.integrity_check(1)").fetchone()[0] not in ("ok", b"ok"):
        raise BuildError(f"{path}: fails its integrity check; restore it from git")


def unreadable(path: Path, exc: sqlite3.DatabaseError) -> BuildError:
    """The error of a file that SQLite cannot read."""
    return BuildError(f"{path}: not a readable press database ({exc}); restore it from git")


def older(db: sqlite3.Connection, data: Path) -> list[tuple[Path, int, int]]:
    """The older files that press.db lists, with their ranges of articles. Raises BuildError where the folder has others."""
    listed = [
        (data / f"press-{number:04}.db", first, last)
        for number, first, last in db.execute("SELECT file, first, last FROM older_files ORDER BY file")
    ]
    there = set(data.glob("press-[0-9][0-9][0-9][0-9].db"))
    for path in sorted(there ^ {path for path, _, _ in listed}):
        wrong = "is not among the older files that press.db lists" if path in there else "is missing"
        raise BuildError(f"{path}: {wrong}; {SAME_COMMIT}")
    return listed


def fits(shelf: Shelf, first: int, before: int) -> None:
    """Raise BuildError unless an older file holds what press.db says of it, and refers to nothing that is not there."""
    count, lowest, highest = shelf.db.execute("SELECT count(*), min(id), max(id) FROM part.articles").fetchone()
    listed = shelf.db.execute("SELECT articles FROM older_files WHERE last = ?", (shelf.last,)).fetchone()[0]
    if count and lowest <= before:
        raise _doubled(shelf.path)
    if count != listed or (count and not first <= lowest <= highest <= shelf.last):
        raise BuildError(f"{shelf.path}: does not hold the articles that press.db says; {SAME_COMMIT}")
    for table in ROLLING:
        for key in shelf.db.execute(f"PRAGMA press.foreign_key_list({table})").fetchall():
            other, column, target = (key[at].decode() for at in (2, 3, 4))
            place = "part" if other in ROLLING else "press"
            lost = f"SELECT 1 FROM part.{table} WHERE {column} NOT IN (SELECT {target} FROM {place}.{other}) LIMIT 1"
            if shelf.db.execute(lost).fetchone():
                raise _orphan(shelf.path, table)


def parents(db: sqlite3.Connection) -> bytes:
    """The digest of all that rows of older files may refer to in press.db, and of what it says of these files."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    asked = {"SELECT * FROM older_files ORDER BY 1"}
    for table in ROLLING:
        for key in db.execute(f"PRAGMA press.foreign_key_list({table})").fetchall():
            other, target = key[2].decode(), key[4].decode()
            if other not in ROLLING:
                asked.add(f"SELECT {target} FROM press.{other} ORDER BY 1")
    for sql in sorted(asked):
        digest.update(repr((sql, db.execute(sql).fetchall())).encode())
    return digest.digest()


def main_fits(front: Shelf, last: int) -> None:
    """Raise BuildError where press.db holds articles of an older file's range, or refers to nothing."""
    lowest, highest = front.db.execute("SELECT min(id), max(id) FROM press.articles").fetchone()
    if lowest is not None and lowest <= last:
        raise _doubled(front.path)
    if highest is not None and highest > ID_LIMIT:
        raise BuildError(f"{front.path}: an article has the number {highest}; restore the file from git")
    orphan = front.db.execute("PRAGMA press.foreign_key_check").fetchone()
    if orphan is not None:
        raise _orphan(front.path, orphan[0].decode())


def _doubled(path: Path) -> BuildError:
    return BuildError(f"{path}: holds rows that another press file holds too; restore it from git")


def _orphan(path: Path, table: str) -> BuildError:
    return BuildError(f"{path}: a row in {table}, there or in an older file, refers to nothing; {SAME_COMMIT}")
