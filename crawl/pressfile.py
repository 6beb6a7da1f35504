"""One committed file or the state file: checked, loaded into a work database, and written from it always in the same way."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from crawl.columns import spelt
from crawl.errors import StoreDamaged

SCHEMA_VERSION = 3
"""Grows with every column; a file of an earlier version is read as it is, what it lacks takes the column's default."""

APPLICATION_ID = 0x43505248
"""`CPRH` in the file's header, so that `file` and we can tell our databases from others."""

FILE_MAX_BYTES = 45 * 1024 * 1024
"""The most that one committed file may weigh (data.md: long before the wall of the place it is pushed to)."""

GIT_CURE = "take the last good version from git"
STATE_CURE = "move it away; the next night goes on without it, never ruder for that"

HERE = Path(__file__).parent
PRESS_SQL = (HERE / "schema.sql").read_text(encoding="utf-8")
VIEWS_SQL = spelt((HERE / "views.sql").read_text(encoding="utf-8"), PRESS_SQL)
STATE_SQL = (HERE / "state.sql").read_text(encoding="utf-8")

ROLLING = {"articles": "id", "article_tags": "article", "revisions": "article"}
"""The tables that older files hold a range of, each with its column of the article's number (data.md)."""


def _older_sql() -> str:
    """The rolling tables alone. What a row refers to outside of them stands in press.db, where no foreign key can reach;
    `rolling.fits` looks it up instead."""
    kept = (part for part in statements(PRESS_SQL) if (found := tables(part)) and found[0] in ROLLING)
    return re.sub(r" REFERENCES (?!articles)\w+\(id\)", "", "\n\n".join(kept))


@dataclass(frozen=True, slots=True)
class Part:
    """What one file holds of a work database: its tables and views, and of the rolling ones which range of articles."""

    sql: str
    views: str = ""
    first: int = 0
    last: int = 2**63 - 1

    def where(self, table: str) -> str:
        """The condition of a row of a table to stand in this file; integers only, so that it is SQL as it is."""
        return f"{ROLLING[table]} BETWEEN {self.first} AND {self.last}" if table in ROLLING else "TRUE"


def read_only(path: Path) -> sqlite3.Connection:
    """Open a database that cannot be written through this connection. Raises StoreDamaged where there is none."""
    if not path.exists():
        raise StoreDamaged(str(path), "there is no such file", "run a night first")
    with open(path, "rb") as file:
        if file.read(20)[18:] == b"\x02\x02":
            # SQLite would leave a `-wal` and a `-shm` beside it, which are never committed (data.md).
            raise StoreDamaged(str(path), "was left open for writing by another program (WAL)", GIT_CURE)
    return sqlite3.connect(f"{uri(path)}?mode=ro", uri=True, isolation_level=None)


def uri(path: Path) -> str:
    """A database's address for SQLite: anything less loses its mode at a `#` in the path."""
    return f"file:{quote(str(path.resolve()))}"


def tables(sql: str) -> list[str]:
    """The tables a schema text creates, in its order."""
    return re.findall(r"^CREATE TABLE (\w+)", sql, re.MULTILINE)


def copy_in(work: sqlite3.Connection, path: Path, sql: str) -> None:
    """Copy every table of a file, of this or an earlier version, into the open work database; the file was checked."""
    work.execute("ATTACH ? AS old", (f"{uri(path)}?mode=ro",))
    try:
        for table in tables(sql):
            ours, shared = columns(work, table, "main"), shared_columns(work, table, "old")
            if not shared:
                continue
            listed = ", ".join(shared)
            # Without a list of columns SQLite takes whole pages over.
            whole = shared == ours == columns(work, table, "old")
            what = f"main.{table} SELECT *" if whole else f"main.{table}({listed}) SELECT {listed}"
            work.execute(f"INSERT INTO {what} FROM old.{table}")
    except sqlite3.IntegrityError as trouble:
        raise StoreDamaged(str(path), f"holds a row that another file holds too ({trouble})", GIT_CURE) from trouble
    finally:
        work.execute("DETACH old")


def columns(db: sqlite3.Connection, table: str, place: str) -> list[str]:
    """The columns of a table of an attached database, in its order; those that it works out itself too."""
    return [row[1] for row in db.execute(f"PRAGMA {place}.table_xinfo({table})")]


def shared_columns(db: sqlite3.Connection, table: str, other: str) -> list[str]:
    """The columns of a table that an attached database's table has too, in our order."""
    theirs = set(columns(db, table, other))
    return [name for name in columns(db, table, "main") if name in theirs]


def check(db: sqlite3.Connection, path: Path, *, oldest: int = SCHEMA_VERSION) -> None:
    """Raise StoreDamaged unless a database is whole, its references hold and its version is ours, or from `oldest` on."""
    cure = STATE_CURE if path.name == "state.db" else GIT_CURE
    try:
        found = db.execute("PRAGMA main.integrity_check(3)").fetchall()
        version = db.execute("PRAGMA user_version").fetchone()[0]
        orphans = db.execute("PRAGMA main.foreign_key_check").fetchone()
    except sqlite3.DatabaseError as trouble:
        raise StoreDamaged(str(path), f"is no readable database ({trouble})", cure) from trouble
    if found != [("ok",)]:
        raise StoreDamaged(str(path), f"fails its integrity check ({found[0][0]})", cure)
    if not oldest <= version <= SCHEMA_VERSION:
        cure = "the next night writes it anew" if 0 < version < SCHEMA_VERSION else cure
        raise StoreDamaged(str(path), f"has schema version {version}, this program knows {SCHEMA_VERSION}", cure)
    if orphans is not None:
        raise StoreDamaged(str(path), f"has a row in {orphans[0]} that refers to nothing", cure)


def misencoded(db: sqlite3.Connection) -> str:
    """Where a text stands that is not UTF-8, as `table.column (row N)`; empty where all are. SQLite's own check passes such."""
    db.text_factory = _told
    try:
        for table in tables(PRESS_SQL):
            # An older range holds some of the tables only.
            for row in db.execute(f"SELECT * FROM main.{table}") if (names := columns(db, table, "main")) else ():
                if _BROKEN in row:
                    return f"{table}.{names[row.index(_BROKEN)]} (row {row[0]})"
    finally:
        db.text_factory = str
    return ""


_BROKEN = object()


def _told(raw: bytes) -> object:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return _BROKEN


def write(work: Path, target: Path, part: Part, *, max_bytes: int = 2**63) -> Path:
    """Write a part of the work database into a file beside `target`, and return that file: same content, same bytes
    (data.md, the committed database).

    It is checked for integrity, row counts and weight, and flushed; `place` puts it in the target's place.
    """
    fresh = target.with_name(target.name + ".new")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(uri(fresh), uri=True, isolation_level=None)) as db:
        for pragma in ("page_size=4096", "journal_mode=OFF", "synchronous=OFF", "secure_delete=ON",
                       f"application_id={APPLICATION_ID}", f"user_version={SCHEMA_VERSION}"):  # fmt: skip
            db.execute(f"PRAGMA {pragma}")
        db.execute("ATTACH ? AS work", (f"{uri(work)}?mode=ro",))
        db.execute("BEGIN")
        for statement in statements(part.sql):
            db.execute(statement)
        for table in tables(part.sql):
            order = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({table})") if row[5])
            db.execute(
                f"INSERT INTO main.{table} SELECT * FROM work.{table} WHERE {part.where(table)} ORDER BY {order}"
            )
        for statement in statements(part.views):
            db.execute(statement)
        db.execute("COMMIT")
        check(db, fresh)
        for table in tables(part.sql):
            ours = db.execute(f"SELECT count(*) FROM main.{table}").fetchone()[0]
            theirs = db.execute(f"SELECT count(*) FROM work.{table} WHERE {part.where(table)}").fetchone()[0]
            if ours != theirs:
                raise StoreDamaged(str(fresh), f"holds {ours} rows of {table}, the work database {theirs}")
    if fresh.stat().st_size > max_bytes:
        raise StoreDamaged(
            str(target), f"would weigh more than {max_bytes} bytes", "say so where this program comes from"
        )
    with open(fresh, "rb") as file:
        os.fsync(file.fileno())
    return fresh


def place(fresh: Path, target: Path) -> None:
    """Put a written file in its place, at once and for good."""
    os.replace(fresh, target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def older(data: Path, number: int) -> Path:
    """The path of the older file of that number."""
    return data / f"press-{number:04}.db"


def press_files(data: Path) -> list[Path]:
    """The committed database files of a data folder, older id ranges first."""
    return sorted(data.glob("press-[0-9][0-9][0-9][0-9].db")) + [path for path in [data / "press.db"] if path.exists()]


def press_digest(data: Path) -> str:
    """What the state remembers of the press files it belongs to; empty where there are none."""
    return together(digests(data))


def digests(data: Path) -> dict[str, str]:
    """The digest of every press file by its name."""
    return {path.name: file_digest(path) for path in press_files(data)}


def file_digest(path: Path) -> str:
    """The digest of a file's bytes."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def together(found: Mapping[str, str]) -> str:
    """One digest of all press files: of a single one its own, of none the empty text."""
    if len(found) <= 1:
        return next(iter(found.values()), "")
    return hashlib.sha256("".join(f"{name} {found[name]}\n" for name in sorted(found)).encode()).hexdigest()


@cache
def statements(sql: str) -> tuple[str, ...]:
    """The single statements of a schema text: `executescript` would commit behind our back."""
    found, part = [], ""
    for line in sql.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part.strip())
            part = ""
    return tuple(found)


OLDER_SQL = _older_sql()
"""The tables of an older file."""
