"""Reads what a data folder holds: press*.db through its own site_* views, and what hub.toml says about this hub."""

from __future__ import annotations

import dataclasses
import ipaddress
import json
import re
import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from build import wishes
from build.records import (
    BuildError,
    BuildMisuse,
    Card,
    Column,
    Hub,
    Night,
    Outlet,
    PolicyRow,
    Press,
    Server,
    Source,
    Table,
)

SCHEMA_VERSION = 3
ROLLING = ("articles", "article_tags", "revisions")
"""The tables that older press-000N.db files hold a range of; everything else stands in press.db alone."""

SAME_COMMIT = "take all press files from one and the same commit of git"

INDEXES = """
CREATE INDEX article_outlet ON articles(outlet);
CREATE INDEX check_source ON checks(source);
"""

# Control characters (not legal in XML, and our own separators), marks that turn the writing direction round,
# byte-order marks and noncharacters. A title must not be able to carry any of them into a page.
_NEVER_SHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)

T = TypeVar("T")


def load(data: Path) -> Press:
    """Everything a build shows. Raises BuildMisuse where `data` holds no press.db, BuildError where it is damaged."""
    with scratch(data) as db:
        try:
            return _read(db, read_hub(data))
        except sqlite3.OperationalError as exc:
            raise BuildError(
                f"{data / 'press.db'}: its views are not the ones this build reads ({exc}); rebuild it with this "
                f"checkout's crawler"
            ) from exc


@contextmanager
def scratch(data: Path) -> Iterator[sqlite3.Connection]:
    """All files of a folder in one database of its own, which views can span: those of press.db stand over all of them.

    Raises BuildMisuse where `data` holds no press.db, BuildError where a file is damaged.
    """
    main = data / "press.db"
    if not main.is_file():
        raise BuildMisuse(f"{main}: there is no database; make an empty one with `python -m crawl init --data {data}`")
    with closing(sqlite3.connect("", uri=True)) as db:
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        _copy(db, main, whole=True)
        for older, first, last in _older(db, data):
            _copy(db, older, whole=False)
            _in_range(db, older, first, last)
        _fit_together(db, main)
        wishes.refuse_unheard(data, db)
        yield db


def clean(text: str) -> str:
    """Text without characters that no page, feed or reader should meet."""
    return _NEVER_SHOWN.sub("", text) if _NEVER_SHOWN.search(text) else text


def _copy(db: sqlite3.Connection, path: Path, *, whole: bool) -> None:
    """Copy one stored file into the scratch database `db`; `whole` makes its tables and views too.

    The file is opened by a full URI: anything less is either writable or loses its mode at a `#` in the path.
    """
    try:
        db.execute("ATTACH ? AS press", (f"{path.resolve().as_uri()}?mode=ro",))
        version = db.execute("PRAGMA press.user_version").fetchone()[0]
        if version != SCHEMA_VERSION:
            raise BuildError(
                f"{path}: schema version {version}, but this build reads version {SCHEMA_VERSION}; "
                f"use the checkout that wrote it"
            )
        if db.execute("PRAGMA press.integrity_check(1)").fetchone() != ("ok",):
            raise BuildError(f"{path}: fails its integrity check; restore it from git")
        kept = db.execute("SELECT type, name, sql FROM press.sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
        for _, name, sql in (row for row in kept if row[0] == "table"):
            if whole:
                db.execute(sql)
            if whole or name in ROLLING:
                db.execute(f'INSERT INTO main."{name}" SELECT * FROM press."{name}"')
        db.commit()
        db.execute("DETACH press")
        if whole:
            db.executescript(INDEXES)
            for _, _, sql in (row for row in kept if row[0] == "view"):
                db.execute(sql)
    except sqlite3.IntegrityError as exc:
        raise BuildError(f"{path}: holds rows that another press file holds too ({exc}); restore it from git") from exc
    except sqlite3.DatabaseError as exc:
        raise BuildError(f"{path}: not a readable press database ({exc}); restore it from git") from exc


def _older(db: sqlite3.Connection, data: Path) -> list[tuple[Path, int, int]]:
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


def _in_range(db: sqlite3.Connection, path: Path, first: int, last: int) -> None:
    """Raise BuildError unless the file just copied brought what press.db says of it."""
    counted = (
        "SELECT count(*) = (SELECT articles FROM older_files WHERE last = ?2) FROM articles WHERE id BETWEEN ?1 AND ?2"
    )
    if not db.execute(counted, (first, last)).fetchone()[0]:
        raise BuildError(f"{path}: does not hold the articles that press.db says; {SAME_COMMIT}")


def _fit_together(db: sqlite3.Connection, main: Path) -> None:
    """Raise BuildError where a row of one file refers to one that no file holds: foreign keys do not span files."""
    orphan = db.execute("PRAGMA main.foreign_key_check").fetchone()
    if orphan is not None:
        raise BuildError(f"{main}: a row in {orphan[0]}, there or in an older file, refers to nothing; {SAME_COMMIT}")


def _read(db: sqlite3.Connection, hub: Hub) -> Press:
    return Press(
        hub=hub,
        cards=_records(db, "site_card", Card),
        outlets=_records(db, "site_outlet", Outlet),
        sources=_records(db, "site_source", Source),
        nights=_records(db, "site_night", Night),
        policy=_records(db, "site_policy", PolicyRow),
        servers=_records(db, "site_server", Server, order="server"),
        tables=_records(db, "site_table", Table),
        columns=_records(db, "site_column", Column),
    )


def _records(db: sqlite3.Connection, view: str, record: Callable[..., T], *, order: str = "id") -> tuple[T, ...]:
    """Every row of a view as its record; the record's field types say how a stored value is read."""
    fields = dataclasses.fields(record)  # type: ignore[arg-type]
    columns = ", ".join(field.name for field in fields)
    readers = [_READERS[str(field.type)] for field in fields]
    rows = db.execute(f"SELECT {columns} FROM {view} ORDER BY {order}")
    return tuple(record(*(read(value) for read, value in zip(readers, row, strict=True))) for row in rows)


def _same(value: Any) -> Any:
    return value


def _words(value: str) -> tuple[str, ...]:
    return tuple(sorted(clean(str(word)) for word in json.loads(value)))


_READERS: dict[str, Callable[[Any], Any]] = {
    "int": _same,
    "int | None": _same,
    "float | None": _same,
    "bool": bool,
    "str": lambda value: clean(value or ""),
    "str | None": lambda value: None if value is None else clean(value),
    "tuple[str, ...]": _words,
}


HUB_TABLES = {
    "site": ("name", "name_en", "tagline", "address", "contact", "repository", "operator"),
    "options": ("feeds_obey_named_group", "robots_unreachable", "lane_by"),
    "bot": ("addresses",),
}
"""What is read of hub.toml; the crawler's own check is the one that judges the file."""


def read_hub(data: Path) -> Hub:
    """What hub.toml says; our own words where it or a key is missing. Raises BuildError."""
    path = data / "hub.toml"
    if not path.is_file():
        return Hub()
    try:
        tree = tomllib.loads(path.read_text("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise BuildError(f"{path}: {exc}; correct the file as its comments describe") from exc
    given: dict[str, Any] = {}
    for table, names in HUB_TABLES.items():
        found = tree.get(table, {})
        if not isinstance(found, dict):
            raise BuildError(f"{path}: {table} must be a table, written as [{table}]")
        given |= {name: _hub_value(path, table, name, found[name]) for name in names if found.get(name)}
    return Hub(**given)


def _hub_value(path: Path, table: str, name: str, value: Any) -> str | bool | tuple[str, ...]:
    if name == "addresses" and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(_network(path, clean(each).strip()) for each in value)
    if name == "feeds_obey_named_group" and isinstance(value, bool):
        return value
    if name not in ("addresses", "feeds_obey_named_group") and isinstance(value, str):
        return clean(value).strip()
    wanted = {"addresses": "a list of texts", "feeds_obey_named_group": "true or false"}.get(name, "text in quotes")
    raise BuildError(f"{path}: {table}.{name} must be {wanted}")


def _network(path: Path, written: str) -> str:
    try:
        found = ipaddress.ip_network(written)
    except ValueError as exc:
        raise BuildError(f"{path}: bot.addresses: {written!r} is no IP address or network") from exc
    return str(found.network_address) if found.num_addresses == 1 else str(found)
