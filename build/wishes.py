"""Nothing is built while exclusions.csv asks for something that the databases do not show yet (P60, the third point).

What a row covers only the crawler can tell: it knows when two addresses are one. So the build asks whether each row was
carried out, which the database notes, and hides what has a tombstone; it never works out by itself who is meant.
"""

from __future__ import annotations

import csv
import io
import sqlite3
import unicodedata
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from build.records import BuildError

CURE = "run `python -m crawl exclude` and commit what it changes; if this stays, `python -m crawl check --fix` first"


def refuse_unheard(data: Path, db: sqlite3.Connection) -> None:
    """Raise BuildError unless every row of the folder's exclusions.csv was carried out in the database `db`."""
    path = data / "exclusions.csv"
    if not path.is_file():
        return
    asked = dict(_rows(path))
    if not asked:
        return
    done: set[bytes] = set()
    if db.execute("PRAGMA table_info(wishes)").fetchall():
        done = {wish for (wish,) in db.execute("SELECT wish FROM wishes WHERE key = x''")}
    unheard = sorted(line for mark, line in asked.items() if mark not in done)
    if unheard:
        more = f" and {len(unheard) - 1} more" if len(unheard) > 1 else ""
        raise BuildError(f"{path}:{unheard[0]}: this row{more} was not carried out yet, so nothing is built; {CURE}")


def mark(scope: str, key: str) -> bytes:
    """The 8 bytes by which the database notes a row; a test holds them equal to the crawler's."""
    return blake2b(f"{scope}\n{key}".encode(), digest_size=8).digest()


def _rows(path: Path) -> Iterator[tuple[bytes, int]]:
    """The mark of each row with its line."""
    try:
        table = csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline=""), strict=True)
        for row in table:
            scope, key = (unicodedata.normalize("NFC", (row[name] or "").strip()) for name in ("scope", "key"))
            if scope or key:
                yield mark(scope, key if "://" not in key else (row["key"] or "").strip()), table.line_num
    except (UnicodeDecodeError, csv.Error, KeyError) as exc:
        raise BuildError(
            f"{path}: not a readable list of who is left out ({exc}); run `python -m crawl check`"
        ) from exc
