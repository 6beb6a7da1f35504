"""The press files written from one work database: the oldest ranges of articles roll off into older files.

An older file is written again only where its rows changed: late edits, exclusions, corrections (data.md).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from crawl import pressfile
from crawl.errors import StoreDamaged
from crawl.pressfile import Part
from crawl.ranges import listed
from crawl.workdb import transaction

MIB = 1024 * 1024
HOT_AND_OLDER = """
SELECT coalesce(max(last), 0), (SELECT count(*) FROM articles WHERE id > (SELECT coalesce(max(last), 0) FROM older_files))
FROM older_files"""


@dataclass(frozen=True, slots=True)
class Limits:
    """When the oldest articles leave press.db, and how many at once (data.md).

    Edits meet the newest articles: those that stay behind keep a rolled file from being written night after night.
    """

    articles: int = 50_000
    """The most that press.db holds."""
    at_once: int = 40_000
    """How many an older file gets."""
    roll_bytes: int = 40 * MIB
    """Beyond this weight press.db rolls although its articles are fewer."""
    text_bytes: int = 30 * MIB
    """How much text an older file gets at most."""
    file_bytes: int = pressfile.FILE_MAX_BYTES


LIMITS = Limits()


def rebuild(db: sqlite3.Connection, work: Path, data: Path, limits: Limits = LIMITS) -> str:
    """Write the press files from the open work database at `work`; returns what `press_digest` then says.

    All are written and checked before the first is put in its place. Between the first and the last a kill leaves files of
    two moments: the work database knows every state it may find (`base_digest`) and goes on from there, so no row is lost or
    doubled. Raises StoreDamaged, and then no file was touched.
    """
    _clear(data)
    with transaction(db):
        db.execute(
            """UPDATE older_files SET articles = (SELECT count(*) FROM articles WHERE id BETWEEN first AND last)
               WHERE file IN (SELECT file FROM touched)"""
        )
        while _hot(db) > limits.articles:
            _roll(db, limits)
    try:
        main = _main(db, work, data, limits), data / "press.db"
        _place(db, data, [*_older(db, work, data, limits), main])
    finally:
        _clear(data)
    with transaction(db):
        db.execute("DELETE FROM touched")
    return pressfile.press_digest(data)


def _clear(data: Path) -> None:
    for left in data.glob("press*.db.new"):
        left.unlink()


def _place(db: sqlite3.Connection, data: Path, fresh: list[tuple[Path, Path]]) -> None:
    """press.db comes last: until then it lists only files that are there, and nothing it refers to is missing."""
    now = pressfile.digests(data)
    states, changed = [pressfile.together(now)], []
    for path, target in fresh:
        digest = pressfile.file_digest(path)
        if now.get(target.name) != digest:
            now[target.name] = digest
            states.append(pressfile.together(now))
            changed.append((path, target))
    _remember(db, " ".join(states))
    for path, target in changed:
        pressfile.place(path, target)
    _remember(db, states[-1])


def _remember(db: sqlite3.Connection, states: str) -> None:
    with transaction(db):
        db.execute("INSERT OR REPLACE INTO state_meta VALUES ('base_digest', ?)", (states,))


def _main(db: sqlite3.Connection, work: Path, data: Path, limits: Limits) -> Path:
    """press.db, written beside its place; heavier than it should be, it rolls."""
    while True:
        first = db.execute(HOT_AND_OLDER).fetchone()[0] + 1
        fresh = pressfile.write(work, data / "press.db", Part(pressfile.PRESS_SQL, pressfile.VIEWS_SQL, first))
        weight = fresh.stat().st_size
        # Where so few articles are left, something else is what weighs, and rolling would go on night after night.
        if weight <= limits.roll_bytes or _hot(db) <= limits.at_once // 8:
            break
        with transaction(db):
            _roll(db, limits)
    if weight > limits.file_bytes:
        fresh.unlink()
        raise StoreDamaged(str(data / "press.db"), f"would weigh {weight} bytes without an article to roll off")
    return fresh


def _older(db: sqlite3.Connection, work: Path, data: Path, limits: Limits) -> Iterator[tuple[Path, Path]]:
    """The older files that are new, changed or of an earlier schema, written beside their places."""
    touched = {number for (number,) in db.execute("SELECT file FROM touched")}
    for number, first, last, _ in listed(db, "main"):
        target = pressfile.older(data, number)
        if number in touched or not target.exists() or _version(target) != pressfile.SCHEMA_VERSION:
            part = Part(pressfile.OLDER_SQL, first=first, last=last)
            yield pressfile.write(work, target, part, max_bytes=limits.file_bytes), target


def _version(path: Path) -> int:
    with closing(pressfile.read_only(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def _hot(db: sqlite3.Connection) -> int:
    return int(db.execute(HOT_AND_OLDER).fetchone()[1])


def _roll(db: sqlite3.Connection, limits: Limits) -> None:
    """Give press.db's oldest articles to the next older file: as many as the limits allow, and never all."""
    behind, hot = db.execute(HOT_AND_OLDER).fetchone()
    texts = [row[1] for row in db.execute("PRAGMA main.table_info(articles)") if row[2] == "TEXT"]
    weight_of = " + ".join(f"coalesce(length(CAST({name} AS BLOB)), 0)" for name in texts)
    rows = db.execute(
        f"SELECT id, {weight_of} FROM articles WHERE id > ? ORDER BY id LIMIT ?",
        (behind, max(1, min(limits.at_once, hot * 4 // 5))),
    )
    last, articles, weight = behind, 0, 0
    for article, own in rows:
        weight += own
        if articles and weight > limits.text_bytes:
            break
        last, articles = article, articles + 1
    number = len(listed(db, "main")) + 1
    db.execute("INSERT INTO older_files VALUES (?, ?, ?, ?)", (number, behind + 1, last, articles))
