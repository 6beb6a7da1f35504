"""The Datasette edition: what researchers may have, each open_* view as a table of public.db, ready to be served (data.md)."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import runpy
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from build import db
from build.records import BuildError, BuildMisuse, Hub
from build.rows import clean

OURS = frozenset({"public.db", "metadata.json", "settings.json", "plugins", "inspect-data.json"})
"""What an edition's folder holds."""

EDITION = Path(__file__).resolve().parent.parent / "data"
"""Where metadata.yaml, settings.json and plugins/ stand: they belong to this checkout, whatever data it shows."""

KEYS = {
    "open_tags": ("outlet", "tag"),
    "open_article_tags": ("article", "tag"),
    "open_columns": ("relation", "name"),
}
"""The primary keys of the tables whose first column is none."""

LEADS_TO = {
    "article": "open_articles",
    "outlet": "open_outlets",
    "source": "open_sources",
}
"""A column of this name names a row of that table."""

INDEXES = {
    "open_articles": ("outlet", "published", "first_seen", "kind", "outlet_kind", "region"),
    "open_checks": ("source", "outlet"),
    "open_revisions": ("article", "outlet"),
    "open_article_tags": ("tag",),
}

SEARCHED = ("title", "summary", "byline")


@dataclass(frozen=True, slots=True)
class Edition:
    """What was written: rows by table, and the weight of public.db."""

    rows: dict[str, int]
    db_bytes: int


def write(data: Path, out: Path) -> Edition:
    """Write the edition of a data folder into `out`: public.db, its metadata, settings, plugin and counts.

    Same content, same bytes. Raises BuildMisuse where Datasette or press.db is missing or `out` holds something else,
    BuildError on damage.
    """
    if importlib.util.find_spec("datasette") is None:
        raise BuildMisuse("Datasette is not installed here; `make explore` installs what it needs")
    hub = db.read_hub(data)
    _refuse_foreign(data, out)
    out.mkdir(parents=True, exist_ok=True)
    fresh = out / "public.db.new"
    fresh.unlink(missing_ok=True)
    split = runpy.run_path(str(EDITION / "plugins" / "ko_match.py"))["split"]
    with db.scratch(data) as press:
        try:
            about = _about(press)
            rows = _public(press, fresh, about, split)
        except sqlite3.OperationalError as exc:
            raise BuildError(
                f"{data / 'press.db'}: cannot be copied into the edition ({exc}); rebuild it with this checkout's crawler"
            ) from exc
    os.replace(fresh, out / "public.db")
    _put(out / "metadata.json", _json(_metadata(hub, about)))
    _put(out / "settings.json", (EDITION / "settings.json").read_bytes())
    (out / "plugins").mkdir(exist_ok=True)
    _put(out / "plugins" / "ko_match.py", (EDITION / "plugins" / "ko_match.py").read_bytes())
    body = (out / "public.db").read_bytes()
    # Datasette opens a database as immutable, counts known, when this file names it.
    counts = {table: {"count": count} for table, count in rows.items()}
    _put(out / "inspect-data.json", _json({"public": {
        "hash": hashlib.sha256(body).hexdigest(), "size": len(body), "file": "public.db", "tables": counts,
    }}))  # fmt: skip
    return Edition(rows, len(body))


def serve(edition: Path, port: int) -> int:
    """Show a written edition on this machine until it is stopped; returns Datasette's exit status."""
    command = [sys.executable, "-m", "datasette", "serve", str(edition), "--host", "127.0.0.1", "--port", str(port)]
    return subprocess.run(command, check=False).returncode


def _refuse_foreign(data: Path, out: Path) -> None:
    """Raise BuildMisuse where something else than an edition of ours stands, a data folder above all."""
    if not out.exists():
        return
    if not out.is_dir():
        raise BuildMisuse(f"{out}: is a file; name a folder with --out")
    names = {path.name.removesuffix(".new") for path in out.iterdir()}
    if out.resolve() == data.resolve() or not (names <= OURS or "inspect-data.json" in names):
        raise BuildMisuse(
            f"{out}: holds files that this command did not write; empty it or name another folder with --out"
        )


@dataclass(frozen=True, slots=True)
class _Open:
    """One open_* view: what it holds, and its columns as name, SQL type and words."""

    about: str
    columns: tuple[tuple[str, str, str], ...]


def _about(press: sqlite3.Connection) -> dict[str, _Open]:
    """Every open_* view of the file by its name, in the dictionary's order."""
    found: dict[str, _Open] = {}
    for view, about in press.execute(
        r"SELECT name, about FROM site_table WHERE name LIKE 'open\_%' ESCAPE '\' ORDER BY id"
    ).fetchall():
        words = {
            name: (unit, f"{text} ({unit})" if unit else text)
            for name, unit, text in press.execute(
                "SELECT name, unit, about FROM site_column WHERE relation = ? ORDER BY id", (view,)
            )
        }
        declared = [(row[1], row[2]) for row in press.execute(f"PRAGMA table_info({view})")]
        found[view] = _Open(about, tuple(
            (name, kind or ("INTEGER" if words[name][0] else "TEXT"), words[name][1]) for name, kind in declared
        ))  # fmt: skip
    return found


def _public(
    press: sqlite3.Connection, path: Path, about: dict[str, _Open], split: Callable[[str], str]
) -> dict[str, int]:
    """Make public.db; returns the rows of each table."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rwc", uri=True, isolation_level=None)) as public:
        for pragma in ("page_size=4096", "journal_mode=OFF", "synchronous=OFF"):
            public.execute(f"PRAGMA {pragma}")
        public.execute("BEGIN")
        counts = {}
        for view, what in about.items():
            public.execute(_table(view, what))
            names = [name for name, _, _ in what.columns]
            marks = ", ".join("?" * len(names))
            rows = press.execute(f"SELECT {', '.join(names)} FROM {view} ORDER BY {', '.join(_key(view, what))}")
            counts[view] = public.executemany(f"INSERT INTO {view} VALUES ({marks})", _clean(rows)).rowcount
        for table, columns in INDEXES.items():
            for column in columns:
                public.execute(f"CREATE INDEX {table}_{column} ON {table}({column})")
        public.execute(
            "CREATE VIRTUAL TABLE search_index USING fts5(words, content='', tokenize='unicode61 remove_diacritics 0')"
        )
        texts = public.execute(f"SELECT article, {', '.join(SEARCHED)} FROM open_articles ORDER BY article")
        public.executemany(
            "INSERT INTO search_index(rowid, words) VALUES (?, ?)",
            ((row[0], split(" | ".join(row[1:]))) for row in texts),
        )
        public.execute("INSERT INTO search_index(search_index) VALUES ('optimize')")
        public.execute("COMMIT")
        public.execute("ANALYZE")
        if (found := public.execute("PRAGMA integrity_check(1)").fetchone()) != ("ok",):
            raise BuildError(f"{path}: fails its integrity check ({found[0]}); check the disk and build it again")
    return {view: max(count, 0) for view, count in counts.items()}


def _key(view: str, what: _Open) -> tuple[str, ...]:
    return KEYS.get(view, (what.columns[0][0],))


def _table(view: str, what: _Open) -> str:
    key = _key(view, what)
    lines = []
    for name, kind, _ in what.columns:
        target = LEADS_TO.get(name)
        leads = f" REFERENCES {target}({name})" if target and target != view else ""
        lines.append(f"{name} {kind}{' PRIMARY KEY' if key == (name,) else ''}{leads}")
    if len(key) > 1:
        lines.append(f"PRIMARY KEY ({', '.join(key)})")
    listed = ",\n  ".join(lines)
    return f"CREATE TABLE {view} (\n  {listed}\n)"


def _clean(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        yield tuple(clean(value) if isinstance(value, str) else value for value in row)


def _metadata(hub: Hub, about: dict[str, _Open]) -> dict[str, Any]:
    """metadata.yaml with the hub's name, and with the words of every table and column from the database."""
    metadata: dict[str, Any] = yaml.safe_load((EDITION / "metadata.yaml").read_text("utf-8"))
    metadata["title"] = f"{hub.name} · {hub.name_en}"
    if hub.address:
        metadata |= {"source": hub.name, "source_url": hub.address}
    if hub.repository:
        metadata |= {"about": hub.repository, "about_url": f"https://github.com/{hub.repository}"}
    tables = metadata["databases"]["public"]["tables"]
    for view, what in about.items():
        tables[view] = {
            **tables.get(view, {}),
            "description": what.about,
            "columns": {name: words for name, _, words in what.columns},
        }
    return metadata


def _json(content: object) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def _put(path: Path, body: bytes) -> None:
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(body)
    os.replace(fresh, path)
