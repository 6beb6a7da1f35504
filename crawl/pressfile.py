"""The committed file and the state file: loaded into a work database, and rebuilt from it always in the same way."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from crawl.errors import StoreDamaged

SCHEMA_VERSION = 2
"""Grows with every column; a file of an earlier version is read as it is, what it lacks takes the column's default."""

APPLICATION_ID = 0x43505248
"""`CPRH` in the file's header, so that `file` and we can tell our databases from others."""

STATE_CURE = "move it away; the next night goes on without it, never ruder for that"

HERE = Path(__file__).parent
PRESS_SQL = (HERE / "schema.sql").read_text(encoding="utf-8")
VIEWS_SQL = (HERE / "views.sql").read_text(encoding="utf-8")
STATE_SQL = (HERE / "state.sql").read_text(encoding="utf-8")


def read_only(path: Path) -> sqlite3.Connection:
    """Open a database that cannot be written through this connection. Raises StoreDamaged where there is none."""
    if not path.exists():
        raise StoreDamaged(str(path), "there is no such file", "run a night first")
    return sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True, isolation_level=None)


def tables(sql: str) -> list[str]:
    """The tables a schema text creates, in its order."""
    return re.findall(r"^CREATE TABLE (\w+)", sql, re.MULTILINE)


def copy_in(work: sqlite3.Connection, path: Path, sql: str) -> None:
    """Copy every table of a file, of this or an earlier version, into the open work database.

    Raises StoreDamaged on damage or a foreign version.
    """
    with closing(read_only(path)) as source:
        check(source, path, oldest=1)
    work.execute("ATTACH ? AS old", (f"file:{quote(str(path.resolve()))}?mode=ro",))
    try:
        for table in tables(sql):
            listed = ", ".join(shared_columns(work, table, "old"))
            if listed:
                work.execute(f"INSERT INTO main.{table}({listed}) SELECT {listed} FROM old.{table}")
    finally:
        work.execute("DETACH old")


def shared_columns(db: sqlite3.Connection, table: str, other: str) -> list[str]:
    """The columns of a table that an attached database's table has too, in our order."""
    theirs = {row[1] for row in db.execute(f"PRAGMA {other}.table_info({table})")}
    return [row[1] for row in db.execute(f"PRAGMA main.table_info({table})") if row[1] in theirs]


def check(db: sqlite3.Connection, path: Path, *, oldest: int = SCHEMA_VERSION) -> None:
    """Raise StoreDamaged unless a database is whole, its references hold and its version is ours, or from `oldest` on."""
    cure = STATE_CURE if path.name == "state.db" else "take the last good version from git"
    try:
        found = db.execute("PRAGMA integrity_check(3)").fetchall()
        version = db.execute("PRAGMA user_version").fetchone()[0]
        orphans = db.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as trouble:
        raise StoreDamaged(str(path), f"is no readable database ({trouble})", cure) from trouble
    if found != [("ok",)]:
        raise StoreDamaged(str(path), f"fails its integrity check ({found[0][0]})", cure)
    if not oldest <= version <= SCHEMA_VERSION:
        raise StoreDamaged(str(path), f"has schema version {version}, this program knows {SCHEMA_VERSION}", cure)
    if orphans is not None:
        raise StoreDamaged(str(path), f"has a row in {orphans[0]} that refers to nothing", cure)


def rebuild(work: Path, target: Path, sql: str, *, views: str = "") -> None:
    """Write `target` anew from the work database: same content, same bytes (data.md, the committed database).

    Built beside the target, checked for integrity, row counts and key order, flushed, then put in its place at once;
    on any trouble the target stays as it was.
    """
    fresh = target.with_name(target.name + ".new")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(f"file:{quote(str(fresh.resolve()))}", uri=True, isolation_level=None)) as db:
        for pragma in ("page_size=4096", "journal_mode=OFF", "synchronous=OFF", "secure_delete=ON",
                       f"application_id={APPLICATION_ID}", f"user_version={SCHEMA_VERSION}"):  # fmt: skip
            db.execute(f"PRAGMA {pragma}")
        db.execute("ATTACH ? AS work", (f"file:{quote(str(work.resolve()))}?mode=ro",))
        db.execute("BEGIN")
        for statement in statements(sql):
            db.execute(statement)
        for table in tables(sql):
            order = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({table})") if row[5])
            db.execute(f"INSERT INTO main.{table} SELECT * FROM work.{table} ORDER BY {order}")
        for statement in statements(views):
            db.execute(statement)
        db.execute("COMMIT")
        check(db, fresh)
        for table in tables(sql):
            ours, theirs = (
                db.execute(f"SELECT count(*) FROM {name}.{table}").fetchone()[0] for name in ("main", "work")
            )
            if ours != theirs:
                raise StoreDamaged(str(fresh), f"holds {ours} rows of {table}, the work database {theirs}")
    with open(fresh, "rb") as file:
        os.fsync(file.fileno())
    os.replace(fresh, target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def press_files(data: Path) -> list[Path]:
    """The committed database files of a data folder, older id ranges first."""
    return sorted(data.glob("press-[0-9]*.db")) + [path for path in [data / "press.db"] if path.exists()]


def press_digest(data: Path) -> str:
    """What the state remembers of the press files it belongs to; empty where there are none."""
    files = press_files(data)
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest() if files else ""


def statements(sql: str) -> list[str]:
    """The single statements of a schema text: `executescript` would commit behind our back."""
    found, part = [], ""
    for line in sql.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part.strip())
            part = ""
    return found
