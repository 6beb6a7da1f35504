"""The work database: made from the press files and the state, or taken over from a night that was broken off."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from crawl import pressfile, ranges, urls
from crawl.errors import NightHeld, StoreDamaged
from crawl.exclusions import grave
from crawl.model import Outlet, Source
from crawl.registry import Registry

INDEXES = (
    "CREATE UNIQUE INDEX work_outlet ON outlets(slug)",
    "CREATE UNIQUE INDEX work_article_key ON articles(key)",
    "CREATE INDEX work_article_guid ON articles(source, guid)",
    "CREATE INDEX work_article_picture ON articles(source, image_url) WHERE image_url IS NOT NULL",
    "CREATE UNIQUE INDEX work_tag ON tags(tag)",
    "CREATE INDEX work_check_source ON checks(source)",
    "CREATE INDEX work_log_server ON request_log(server)",
    "CREATE INDEX work_log_source ON request_log(source, day)",
    "CREATE INDEX work_log_night ON request_log(night)",
    "CREATE INDEX work_look_source ON looks(source)",
)


def locked(folder: Path) -> int:
    """Hold the lock of a folder until the returned descriptor is closed; it dies with the process. Raises NightHeld."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as trouble:
        os.close(held)
        raise NightHeld(str(folder)) from trouble
    return held


def connect(path: Path) -> sqlite3.Connection:
    """Open a work database for writing: rollback journal, no row lost to a killed process (data.md)."""
    db = sqlite3.connect(pressfile.uri(path), uri=True, isolation_level=None)
    db.execute("PRAGMA journal_mode=TRUNCATE")
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("PRAGMA foreign_keys=ON")
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of the block's writes or none; a transaction within a transaction is part of it."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # a full disk has rolled back already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def prepare(data: Path, state: Path) -> tuple[Path, int]:
    """The work database's path, ready to open, and how many articles were rescued from a broken-off night.

    A work database left by a kill goes on if the press files are still those it began from; otherwise a fresh one is
    made and what only the left one holds is taken over.
    """
    work, left = state / "work.db", state / "work-left.db"
    if work.exists() and not left.exists():
        try:
            with closing(connect(work)) as db:
                base = db.execute("SELECT value FROM state_meta WHERE name = 'base_digest'").fetchone()
                ours = db.execute("PRAGMA user_version").fetchone()[0] == pressfile.SCHEMA_VERSION
        except sqlite3.Error as trouble:
            what = f"the work database of a night that was broken off cannot be read ({trouble})"
            raise StoreDamaged(str(work), what, "move it away; the next night then begins from press.db") from trouble
        # A kill amid the writing of several press files leaves one of the states it was going through.
        if ours and base is not None and pressfile.press_digest(data) in base[0].split(" "):
            return work, 0
        work.replace(left)
    _make(data, state, work)
    if not left.exists():
        return work, 0
    taken = _salvage(work, left)
    left.unlink()
    return work, taken


def _make(data: Path, state: Path, work: Path) -> None:
    fresh = state / "work.new"
    for path in (fresh, Path(f"{fresh}-journal")):
        path.unlink(missing_ok=True)
    paths, digest = ranges.whole(data, oldest=1), pressfile.press_digest(data)
    with closing(connect(fresh)) as db:
        # Killed halfway, the file is thrown away, so it needs no journal; whether its rows refer to something was checked.
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF"):
            db.execute(f"PRAGMA {pragma}")
        db.execute(f"PRAGMA user_version = {pressfile.SCHEMA_VERSION}")
        for statement in pressfile.statements(pressfile.PRESS_SQL + pressfile.STATE_SQL):
            db.execute(statement)
        for path in paths:
            pressfile.copy_in(db, path, pressfile.PRESS_SQL)
        if (state / "state.db").exists():
            _remember(db, state / "state.db", digest)
        try:
            for index in INDEXES:
                db.execute(index)
        except sqlite3.IntegrityError as trouble:
            what = f"and the files beside it hold a row twice ({trouble})"
            raise StoreDamaged(str(data / "press.db"), what, ranges.SAME_COMMIT) from trouble
        _watch(db)
        db.execute("INSERT OR REPLACE INTO state_meta VALUES ('base_digest', ?)", (digest,))
    with open(fresh, "rb") as file:
        os.fsync(file.fileno())
    fresh.replace(work)


def _remember(db: sqlite3.Connection, path: Path, digest: str) -> None:
    """Take the state over, and no more of it than fits the press files of this digest."""
    with closing(pressfile.read_only(path)) as state:
        pressfile.check(state, path, oldest=1)
    pressfile.copy_in(db, path, pressfile.STATE_SQL)
    belongs = db.execute("SELECT value FROM state_meta WHERE name = 'press_digest'").fetchone()
    if belongs is None or belongs[0] != digest:
        # A 304 for articles that this press file does not hold would lose them for good (data.md).
        db.execute("DELETE FROM validators")
        db.execute("UPDATE backfills SET next_url = NULL")
        db.execute("UPDATE pages SET done = 0")


def _watch(db: sqlite3.Connection) -> None:
    """Let the work database note which older files its changes touch, in the transaction of the change."""
    db.execute("CREATE TABLE touched (file INTEGER PRIMARY KEY) STRICT")
    for table, column in pressfile.ROLLING.items():
        for event, row in (("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")):
            db.execute(
                f"""CREATE TRIGGER touched_{table}_{event.lower()} AFTER {event} ON {table}
                    WHEN {row}.{column} <= (SELECT coalesce(max(last), 0) FROM older_files)
                    BEGIN INSERT OR IGNORE INTO touched
                    SELECT file FROM older_files WHERE {row}.{column} BETWEEN first AND last; END"""
            )


def _salvage(work: Path, left: Path) -> int:
    """Take over what only a left-behind work database holds: articles by identity; log, looks and rests after ours."""
    with closing(connect(left)):
        pass  # rolls back what the kill interrupted
    with closing(connect(work)) as db:
        db.execute("ATTACH ? AS gone", (f"{pressfile.uri(left)}?mode=ro",))
        db.execute("BEGIN")
        for table, mark in (("outlets", "slug"), ("sources", "url")):
            _missing(db, table, mark)
        shared = pressfile.shared_columns(db, "articles", "gone")
        columns = [name for name in shared if name not in ("id", "outlet", "source")]
        listed = ", ".join(columns)
        taken = db.execute(
            f"""INSERT INTO articles(outlet, source, {listed})
                SELECT o.id, s.id, {", ".join(f"a.{name}" for name in columns)} FROM gone.articles a
                JOIN gone.outlets go ON go.id = a.outlet JOIN main.outlets o ON o.slug = go.slug
                JOIN gone.sources gs ON gs.id = a.source JOIN main.sources s ON s.url = gs.url
                WHERE a.key NOT IN (SELECT key FROM main.articles) AND a.key NOT IN (SELECT key FROM main.tombstones)
                ORDER BY a.id"""
        ).rowcount
        db.execute("INSERT OR IGNORE INTO tags(tag) SELECT tag FROM gone.tags ORDER BY id")
        db.execute(
            """INSERT OR IGNORE INTO article_tags SELECT a.id, t.id FROM gone.article_tags x
               JOIN gone.articles ga ON ga.id = x.article JOIN main.articles a ON a.key = ga.key
               JOIN gone.tags gt ON gt.id = x.tag JOIN main.tags t ON t.tag = gt.tag"""
        )
        _nights(db)
        _pages(db)
        # What was taken over has not been held against exclusions.csv (P60).
        db.execute("DELETE FROM state_meta WHERE name = 'exclusions'")
        db.execute("DELETE FROM validators")
        db.execute("COMMIT")
        db.execute("DETACH gone")
    return taken


def _nights(db: sqlite3.Connection) -> None:
    """Take over the log, looks and rests of nights that only the left-behind database knows, each under a number of its own."""
    gone = db.execute("SELECT * FROM gone.nights ORDER BY id").fetchall()
    known = {tuple(row[1:]): row[0] for row in db.execute("SELECT id, day, mode, started FROM nights")}
    # A look by hand is no night: it keeps its number below zero.
    numbers = {row[0]: row[0] for row in db.execute("SELECT DISTINCT night FROM gone.request_log WHERE night < 0")}
    for night in gone:
        number = known.get(tuple(night[1:4]))
        if number is None:
            number = db.execute(f"INSERT INTO nights VALUES (NULL{', ?' * (len(night) - 1)})", night[1:]).lastrowid
        numbers[night[0]] = number
    for theirs, ours in numbers.items():
        for table in ("request_log", "looks", "rests"):
            columns = [row[1] for row in db.execute(f"PRAGMA main.table_info({table})")]
            values = ", ".join("?" if name == "night" else name for name in columns)
            db.execute(
                f"INSERT OR IGNORE INTO main.{table} SELECT {values} FROM gone.{table} WHERE night = ?",
                (ours, theirs),
            )


def _pages(db: sqlite3.Connection) -> None:
    """Take over what is remembered of pages, archives and robots.txt files; the left-behind database knew it last."""
    source = "(SELECT s.id FROM gone.sources g JOIN main.sources s ON s.url = g.url WHERE g.id = x.source)"
    db.execute(
        f"""INSERT OR REPLACE INTO main.pages SELECT x.url, x.purpose, (SELECT a.id FROM gone.articles g JOIN main.articles a
              ON a.key = g.key WHERE g.id = x.article), {source}, x.tries, x.until, x.done FROM gone.pages x"""
    )
    db.execute(
        f"""INSERT OR REPLACE INTO main.backfills(source, next_url, stops)
            SELECT {source}, x.next_url, x.stops FROM gone.backfills x"""
    )
    db.execute("INSERT OR REPLACE INTO main.robots SELECT * FROM gone.robots")


def _missing(db: sqlite3.Connection, table: str, mark: str) -> None:
    """Add the outlets or sources that only the left-behind database knows."""
    columns = [row[1] for row in db.execute(f"PRAGMA main.table_info({table})") if row[1] not in ("id", "outlet")]
    outlet = "(SELECT o.id FROM gone.outlets g JOIN main.outlets o ON o.slug = g.slug WHERE g.id = x.outlet), "
    db.execute(
        f"""INSERT INTO main.{table}({"outlet, " if table == "sources" else ""}{", ".join(columns)})
            SELECT {outlet if table == "sources" else ""}{", ".join(f"x.{name}" for name in columns)} FROM gone.{table} x
            WHERE x.{mark} NOT IN (SELECT {mark} FROM main.{table}) ORDER BY x.id"""
    )


def know(db: sqlite3.Connection, registry: Registry) -> tuple[dict[str, int], dict[int, Source]]:
    """Bring `outlets` and `sources` up to the registry and return their numbers; what left it stays, marked unlisted."""
    outlets = {outlet.slug: _outlet(db, outlet) for outlet in registry.outlets}
    sources = {_source(db, source, outlets[source.outlet]): source for source in registry.sources}
    for table, listed in (("outlets", set(outlets.values())), ("sources", set(sources))):
        for (row,) in db.execute(f"SELECT id FROM {table} WHERE listed").fetchall():
            if row not in listed:
                db.execute(f"UPDATE {table} SET listed = 0 WHERE id = ?", (row,))
    return outlets, sources


def _outlet(db: sqlite3.Connection, outlet: Outlet) -> int:
    slugs = (outlet.slug, *outlet.former)
    found = db.execute(
        f"SELECT id FROM outlets WHERE slug IN ({', '.join('?' * len(slugs))}) ORDER BY slug <> ?",
        (*slugs, outlet.slug),
    ).fetchone()
    facts = {
        "slug": outlet.slug, "name": outlet.name, "name_en": outlet.name_en, "university": outlet.university,
        "univ": outlet.univ, "kind": outlet.kind, "homepage": outlet.homepage, "region": outlet.region,
        "status": outlet.status, "title_only": int(outlet.title_only), "former": " ".join(outlet.former),
        "note": outlet.note, "listed": 1,
    }  # fmt: skip
    return put(db, "outlets", found[0] if found else None, facts)


def _source(db: sqlite3.Connection, source: Source, outlet: int) -> int:
    rows = db.execute("SELECT id, url FROM sources WHERE outlet = ?", (outlet,)).fetchall()
    found = next((row for row, url in rows if url == source.url), None)
    if found is None:
        # The same address under http/https or www is the same source: its articles stay with it.
        # So is one that was left out and comes back (P60).
        twins = {urls.normal(source.url), urls.normal(grave(source.url))}
        found = next((row for row, url in rows if urls.normal(url) in twins), None)
    facts: dict[str, Any] = {
        "outlet": outlet, "kind": source.kind, "url": source.url, "cms": source.cms, "state": source.state,
        "note": source.note, "listed": 1,
    }  # fmt: skip
    if found is None:
        facts |= {"rechecked": "", "title": "", "format": "", "language": ""}
    return put(db, "sources", found, facts)


def put(db: sqlite3.Connection, table: str, row: int | None, facts: Mapping[str, Any]) -> int:
    """Write facts to a row, or to a new one where `row` is None; returns its number."""
    if row is not None:
        db.execute(
            f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in facts)} WHERE id = ?",
            (*facts.values(), row),
        )
        return row
    cursor = db.execute(
        f"INSERT INTO {table} ({', '.join(facts)}) VALUES ({', '.join('?' * len(facts))})",
        tuple(facts.values()),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid
