"""Reads what a data folder holds: press*.db through its own site_* views, and what hub.toml says about this hub."""

from __future__ import annotations

import ipaddress
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from build import rows, shelves, wishes
from build.index import NEVER, Index
from build.partbook import PartBook
from build.pressfiles import ROLLING, SAME_COMMIT, address, checked, older, unreadable
from build.records import (
    BuildError,
    BuildMisuse,
    Column,
    Hub,
    Night,
    Outlet,
    PolicyRow,
    Press,
    PressFile,
    Server,
    Source,
    Table,
)
from build.shelves import Shelves

INDEXES = """
CREATE INDEX article_outlet ON articles(outlet);
CREATE INDEX check_source ON checks(source);
"""


@contextmanager
def opened(data: Path, book: PartBook | None = None) -> Iterator[Press]:
    """Everything a build shows, readable within the block. Raises BuildMisuse where `data` holds no press.db, BuildError
    where it is damaged. `book`: what an earlier build kept of the same files."""
    book = book or PartBook()
    with shelves.opened(data, book) as held:
        wishes.refuse_unheard(data, held.main)
        try:
            yield _press(held, read_hub(data), book)
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
        for path, first, last in older(db, data):
            _copy(db, path, whole=False)
            _in_range(db, path, first, last)
        _fit_together(db, main)
        wishes.refuse_unheard(data, db)
        yield db


def _copy(db: sqlite3.Connection, path: Path, *, whole: bool) -> None:
    """Copy one stored file into the scratch database `db`; `whole` makes its tables and views too."""
    try:
        db.execute("ATTACH ? AS press", (address(path),))
        checked(db, path, "press")
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
        raise unreadable(path, exc) from exc


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


def _press(held: Shelves, hub: Hub, book: PartBook) -> Press:
    db = held.main
    outlets = rows.records(db, "site_outlet", Outlet)
    index = Index(held.parts(book), [outlet.slug for outlet in outlets])
    return Press(
        hub=hub,
        index=index,
        read=held.read,
        titles=held.titles,
        outlets=_counted(outlets, index),
        sources=rows.records(db, "site_source", Source),
        nights=rows.records(db, "site_night", Night),
        policy=rows.records(db, "site_policy", PolicyRow),
        servers=rows.records(db, "site_server", Server, order="server"),
        tables=rows.records(db, "site_table", Table),
        columns=rows.records(db, "site_column", Column),
        files=tuple(PressFile(path.name, path.stat().st_size, path) for path in held.paths),
    )


def _counted(outlets: tuple[Outlet, ...], index: Index) -> tuple[Outlet, ...]:
    """Outlets with how much of each is held over all files: site_outlet itself saw press.db alone."""
    by_outlet = index.by_outlet()
    return tuple(
        replace(
            outlet,
            articles=len(ids := by_outlet.get(number, ())),
            earliest=min((at for id in ids if (at := index.published[id]) != NEVER), default=None),
            since=min((index.first_seen[id] for id in ids), default=None),
        )
        for number, outlet in enumerate(outlets)
    )


HUB_TABLES = {
    "site": ("name", "name_en", "tagline", "address", "contact", "repository", "operator"),
    "options": ("feeds_obey_named_group", "robots_unreachable", "lane_by"),
    "bot": ("addresses",),
    "web": ("field_outlets", "datasette", "google_site_verification", "naver_site_verification"),
}
"""What is read of hub.toml; the crawler's own check is the one that judges the file."""


def read_hub(data: Path) -> Hub:
    """What hub.toml says; our own words where it or a key is missing, but never our name in place of another hub's.

    Raises BuildError.
    """
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
    site = tree.get("site", {})
    if not site.get("tagline", "-"):
        given["tagline"] = ""
    called = [given[name] for name in ("name", "name_en") if given.get(name)]
    return Hub(**given | ({"name": called[0], "name_en": called[-1]} if called else {}))


def _hub_value(path: Path, table: str, name: str, value: Any) -> str | bool | int | tuple[str, ...]:
    if name == "addresses" and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(_network(path, rows.clean(each).strip()) for each in value)
    if name == "feeds_obey_named_group" and isinstance(value, bool):
        return value
    if name == "field_outlets" and isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    if name not in ("addresses", "feeds_obey_named_group", "field_outlets") and isinstance(value, str):
        return rows.clean(value).strip()
    wanted = {
        "addresses": "a list of texts",
        "feeds_obey_named_group": "true or false",
        "field_outlets": "a number",
    }.get(name, "text in quotes")
    raise BuildError(f"{path}: {table}.{name} must be {wanted}")


def _network(path: Path, written: str) -> str:
    try:
        found = ipaddress.ip_network(written)
    except ValueError as exc:
        raise BuildError(f"{path}: bot.addresses: {written!r} is no IP address or network") from exc
    return str(found.network_address) if found.num_addresses == 1 else str(found)
