"""The press files together, for reading: which range of articles each holds, and whether they belong together.

`articles`, `article_tags` and `revisions` roll: their oldest ranges stand in press-0001.db, press-0002.db … and everything
else in press.db, which also lists the ranges (`older_files`).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from crawl import pressfile
from crawl.errors import StoreDamaged

SAME_COMMIT = "take all press files from one and the same commit of git"

INSIDE = """
SELECT (SELECT count(*) FROM {file}.articles), (SELECT count(*) FROM {file}.articles WHERE id NOT BETWEEN ?1 AND ?2)
     + (SELECT count(*) FROM {file}.article_tags WHERE article NOT BETWEEN ?1 AND ?2)
     + (SELECT count(*) FROM {file}.revisions WHERE article NOT BETWEEN ?1 AND ?2)"""
ORPHANS = """
SELECT 'articles' FROM {file}.articles WHERE outlet NOT IN (SELECT id FROM press.outlets)
   OR source NOT IN (SELECT id FROM press.sources)
UNION ALL SELECT 'article_tags' FROM {file}.article_tags WHERE tag NOT IN (SELECT id FROM press.tags) LIMIT 1"""


def whole(data: Path, *, oldest: int = pressfile.SCHEMA_VERSION) -> list[Path]:
    """The press files of a folder, older first, each checked by itself and all of them together. Raises StoreDamaged."""
    paths = pressfile.press_files(data)
    for path in paths:
        with closing(pressfile.read_only(path)) as db:
            pressfile.check(db, path, oldest=oldest)
    fits(data)
    return paths


def fits(data: Path) -> None:
    """Raise StoreDamaged unless the press files, each of them whole, belong together: none is missing or strange, each holds
    its own range and what it counts, and what their rows refer to is there."""
    main = data / "press.db"
    strangers = {path.name: path for path in pressfile.press_files(data) if path != main}
    if not main.exists():
        if strangers:
            raise StoreDamaged(str(main), f"is missing beside {', '.join(strangers)}", SAME_COMMIT)
        return
    with closing(sqlite3.connect("", uri=True, isolation_level=None)) as db:
        db.execute("ATTACH ? AS press", (f"{pressfile.uri(main)}?mode=ro",))
        newest = 0
        for number, first, last, articles in listed(db, "press"):
            path = pressfile.older(data, number)
            strangers.pop(path.name, None)
            if not path.exists():
                raise StoreDamaged(str(path), f"is missing; press.db says it holds {articles} articles", SAME_COMMIT)
            db.execute("ATTACH ? AS part", (f"{pressfile.uri(path)}?mode=ro",))
            _fit(db, path, "part", (first, last), articles)
            db.execute("DETACH part")
            newest = last
        _fit(db, main, "press", (newest + 1, 2**63 - 1), None)
    for path in strangers.values():
        raise StoreDamaged(str(path), "is not among the older files that press.db lists", SAME_COMMIT)


def _fit(db: sqlite3.Connection, path: Path, file: str, span: tuple[int, int], articles: int | None) -> None:
    held, strays = db.execute(INSIDE.format(file=file), span).fetchone()
    if strays:
        raise StoreDamaged(str(path), f"holds rows of articles outside its range {span[0]} to {span[1]}", SAME_COMMIT)
    if articles not in (None, held):
        raise StoreDamaged(str(path), f"holds {held} articles, press.db says {articles}", SAME_COMMIT)
    orphan = None if file == "press" else db.execute(ORPHANS.format(file=file)).fetchone()
    if orphan is not None:
        raise StoreDamaged(str(path), f"has a row in {orphan[0]} that refers to nothing in press.db", SAME_COMMIT)


def listed(db: sqlite3.Connection, place: str) -> list[tuple[int, int, int, int]]:
    """The older files (number, first and last article, articles) that a database lists; one of an earlier schema has none."""
    if not db.execute(f"PRAGMA {place}.table_info(older_files)").fetchall():
        return []
    return db.execute(f"SELECT file, first, last, articles FROM {place}.older_files ORDER BY file").fetchall()


def opened(data: Path) -> sqlite3.Connection:
    """All press files as one readable database, checked: press.db attached as `press`, its rolling tables joined by those of
    the older files where there are any. Raises StoreDamaged."""
    paths = whole(data)
    pressfile.read_only(data / "press.db").close()
    db = sqlite3.connect("", uri=True, isolation_level=None)
    db.execute("ATTACH ? AS press", (f"{pressfile.uri(data / 'press.db')}?mode=ro",))
    if len(paths) > 1:
        # Hides press.db's own tables of these names: a view cannot span files, and no more than ten can be attached.
        for statement in pressfile.statements(pressfile.OLDER_SQL):
            db.execute(statement)
        for path in paths:
            pressfile.copy_in(db, path, pressfile.OLDER_SQL)
    return db
