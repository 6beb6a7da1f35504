"""Which rows of two sets of press files differ, found by SQLite itself, file against file; equal files are not opened twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from crawl import pressfile
from crawl.diffrecords import FileFact
from crawl.errors import StoreDamaged

NOT_CONTENT = ("changed", "digest")
"""Columns of an article that follow from the others."""


@dataclass(frozen=True, slots=True)
class Part:
    """One press file with the numbers of its first and last article (1 and 0 where it has none)."""

    path: Path
    fact: FileFact
    first: int
    last: int


@dataclass(slots=True)
class Differences:
    """Numbers of articles: with another row (or other tags), in the newer files alone, in the older files alone."""

    changed: set[int] = field(default_factory=set)
    retagged: set[int] = field(default_factory=set)
    added: set[int] = field(default_factory=set)
    removed: set[int] = field(default_factory=set)


class Side:
    """All press files of one state of the record, for reading only; `paths` older ranges first, press.db last."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Raises StoreDamaged where a file is no readable press database."""
        self.parts = tuple(_part(path) for path in paths)
        if paths and len(paths) > 1 and paths[-1].name != "press.db":
            raise StoreDamaged(str(paths[-1]), "has no press.db beside it", "take it from git")
        self._open: dict[Path, sqlite3.Connection] = {}
        self.no_text = 0
        """How many of the texts that were read are none: bytes that are not UTF-8 stop whoever reads them next."""

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *_: object) -> None:
        for db in self._open.values():
            db.close()

    @property
    def facts(self) -> tuple[FileFact, ...]:
        return tuple(part.fact for part in self.parts)

    def main(self) -> sqlite3.Connection | None:
        """The file that holds every table but older ranges of articles; None for an empty side."""
        return self._connection(self.parts[-1].path) if self.parts else None

    def small(self, table: str) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """Column names and rows of one of the small tables, in the order of its key; nothing where it does not exist."""
        db = self.main()
        if db is None:
            return (), []
        key = ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5])
        if not key:
            return (), []
        cursor = db.execute(f"SELECT * FROM {table} ORDER BY {key}")
        return tuple(column[0] for column in cursor.description), cursor.fetchall()

    def each(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, asked of every file in turn; `tombstones` is press.db's as `book.tombstones`."""
        for part in self.parts:
            yield from self._connection(part.path).execute(sql, values)

    def rows(self, table: str, ids: Iterable[int]) -> dict[int, dict[str, Any]]:
        """Rows of articles (or of another rolling table with `id`) by number, as column to value."""
        found: dict[int, dict[str, Any]] = {}
        for part in self.parts:
            wanted = json.dumps(sorted(number for number in ids if part.first <= number <= part.last))
            cursor = self._connection(part.path).execute(
                f"SELECT * FROM {table} WHERE id IN (SELECT value FROM json_each(?))", (wanted,)
            )
            names = tuple(column[0] for column in cursor.description)
            for row in cursor:
                facts = dict(zip(names, row, strict=True))
                found[facts["id"]] = facts
        return found

    def connections(self) -> Iterator[tuple[Part, sqlite3.Connection]]:
        """Every file with its open connection."""
        for part in self.parts:
            yield part, self._connection(part.path)

    def _connection(self, path: Path) -> sqlite3.Connection:
        if path not in self._open:
            db = pressfile.read_only(path)
            db.text_factory = self._text
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("ATTACH ? AS book", (_uri(self.parts[-1].path),))
            self._open[path] = db
        return self._open[path]

    def _text(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.no_text += 1
            return raw.decode("utf-8", "replace")


def differences(old: Side, new: Side) -> Differences:
    """Every article whose row is not the same in both, by number."""
    same = {part.fact.sha256 for part in old.parts} & {part.fact.sha256 for part in new.parts}
    olds = [part for part in old.parts if part.fact.sha256 not in same]
    news = [part for part in new.parts if part.fact.sha256 not in same]
    found = Differences()
    only_new: dict[Path, set[int]] = {}
    only_old: dict[Path, set[int]] = {}
    for after in news:
        for before in olds:
            if before.first <= after.last and after.first <= before.last:
                _pair(before, after, found, only_old, only_new)
    for parts, sole, into in ((news, only_new, found.added), (olds, only_old, found.removed)):
        for part in parts:
            into |= sole[part.path] if part.path in sole else _all(part)
    return found


def _pair(
    before: Part, after: Part, found: Differences, only_old: dict[Path, set[int]], only_new: dict[Path, set[int]]
) -> None:
    """Compare two files whose numbers overlap; what one has and none of its partners had is left in `only_*`."""
    with closing(pressfile.read_only(after.path)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("ATTACH ? AS old", (_uri(before.path),))
        columns = [name for name in pressfile.shared_columns(db, "articles", "old") if name != "id"]
        theirs, ours = (", ".join(f"{side}.{name}" for name in columns) for side in ("o", "n"))
        both = "old.articles o JOIN main.articles n ON n.id = o.id"
        found.changed |= _numbers(db, f"SELECT n.id FROM {both} WHERE ({theirs}) IS NOT ({ours})")
        for mine, other in (("main", "old"), ("old", "main")):
            found.retagged |= _numbers(
                db,
                f"""SELECT DISTINCT t.article FROM {mine}.article_tags t WHERE t.article BETWEEN {max(before.first, after.first)}
                    AND {min(before.last, after.last)} AND NOT EXISTS (SELECT 1 FROM {other}.article_tags x
                      WHERE x.article = t.article AND x.tag = t.tag)
                    AND EXISTS (SELECT 1 FROM {other}.articles a WHERE a.id = t.article)""",
            )
        for part, mine, other, into in (
            (after, "main", "old", only_new),
            (before, "old", "main", only_old),
        ):
            sole = _numbers(
                db,
                f"SELECT id FROM {mine}.articles a WHERE NOT EXISTS (SELECT 1 FROM {other}.articles x WHERE x.id = a.id)",
            )
            into[part.path] = into[part.path] & sole if part.path in into else sole


def _all(part: Part) -> set[int]:
    with closing(pressfile.read_only(part.path)) as db:
        return _numbers(db, "SELECT id FROM articles")


def _numbers(db: sqlite3.Connection, sql: str) -> set[int]:
    return {row[0] for row in db.execute(sql)}


def _part(path: Path) -> Part:
    with closing(pressfile.read_only(path)) as db:
        try:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            first, last, rows = db.execute(
                "SELECT coalesce(min(id), 1), coalesce(max(id), 0), count(*) FROM articles"
            ).fetchone()
        except sqlite3.DatabaseError as trouble:
            raise StoreDamaged(str(path), f"is no readable press database ({trouble})", pressfile.GIT_CURE) from trouble
        _shaped(db, path, version)
    content = path.read_bytes()
    fact = FileFact(path.name, len(content), hashlib.sha256(content).hexdigest(), version, rows)
    return Part(path, fact, first, last)


def _shaped(db: sqlite3.Connection, path: Path, version: int) -> None:
    """Raise StoreDamaged unless the tables hold what their columns promise: everything after this relies on it."""
    kinds = {row[1]: (row[2], row[5]) for row in db.execute("PRAGMA main.table_list")}
    with closing(sqlite3.connect(":memory:")) as ours:
        for statement in pressfile.statements(pressfile.PRESS_SQL):
            ours.execute(statement)
        for table in pressfile.tables(pressfile.PRESS_SQL):
            meant, held = (
                {row[1]: row[2] for row in one.execute(f"PRAGMA main.table_xinfo({table})")} for one in (ours, db)
            )
            lacking = version == pressfile.SCHEMA_VERSION and meant.keys() - held.keys()
            if held and (kinds[table] != ("table", 1) or lacking or any(held[n] != meant.get(n) for n in held)):
                raise StoreDamaged(str(path), f"has a table {table} of another shape than ours", pressfile.GIT_CURE)


def _uri(path: Path) -> str:
    return f"file:{quote(str(path.resolve()))}?mode=ro"


def grouped(rows: Iterable[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    """Second members by their first."""
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for key, value in rows:
        found[key].append(value)
    return dict(found)
