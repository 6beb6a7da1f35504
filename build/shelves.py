"""The press files side by side, each behind the views of press.db: checked once, scanned once, then asked for single cards."""

from __future__ import annotations

import marshal
import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from build import rows
from build.index import DIGEST_BYTES, FILM, LIVE, MEDIA, NEVER, PICTURE, SHORTS, SUMMARY, Index, month_number
from build.records import BuildError, BuildMisuse, Card

SCHEMA_VERSION = 3
ROLLING = ("articles", "article_tags", "revisions")
"""The tables that older press-000N.db files hold a range of; everything else stands in press.db alone."""

SAME_COMMIT = "take all press files from one and the same commit of git"
AT_ONCE = 2_000
ID_LIMIT = 50_000_000
"""The index has a place for each number up to the highest: far beyond any press, a number is damage."""

_COLUMNS = rows.columns(Card)
_AT = {name: at for at, name in enumerate(_COLUMNS.split(", "))}


@dataclass(frozen=True, slots=True)
class Shelf:
    """One press file as the views show it; no article of it has a number above `last`."""

    path: Path
    last: int
    db: sqlite3.Connection


class Shelves:
    """All press files of a folder, oldest numbers first; the last is press.db."""

    def __init__(self, shelves: Sequence[Shelf]) -> None:
        self._shelves = shelves
        self._lasts = [shelf.last for shelf in shelves]

    @property
    def main(self) -> sqlite3.Connection:
        """press.db, whose views of anything but articles are whole."""
        return self._shelves[-1].db

    def scan(self, outlets: Sequence[str]) -> Index:
        """The index of all articles; `outlets` are the slugs in the order of `Press.outlets`."""
        scan = _Scan({slug.encode(): number for number, slug in enumerate(outlets)})
        for shelf in self._shelves:
            for row in shelf.db.execute(f"SELECT {_COLUMNS} FROM site_card ORDER BY id"):
                scan.add(row)
        return scan.index

    def read(self, ids: Iterable[int]) -> list[Card]:
        """The cards of these numbers, in that order."""
        wanted = list(ids)
        found: dict[int, Card] = {}
        for at in range(0, len(wanted), AT_ONCE):
            by_shelf: dict[int, list[int]] = {}
            for id in wanted[at : at + AT_ONCE]:
                by_shelf.setdefault(bisect_left(self._lasts, id), []).append(id)
            for number, some in by_shelf.items():
                marks = ",".join(map(str, some))
                rows_of = self._shelves[number].db.execute(f"SELECT {_COLUMNS} FROM site_card WHERE id IN ({marks})")
                found.update((card.id, card) for card in rows.cards(rows_of))
        return [found[id] for id in wanted]


class _Scan:
    """Rows of site_card on their way into the index."""

    def __init__(self, outlets: dict[bytes, int]) -> None:
        self.index = Index()
        self._outlets = outlets
        self._kinds: dict[bytes, int] = {}
        self._tags: dict[str, int] = {}
        self._tag_sets: dict[bytes, tuple[int, ...]] = {b"[]": ()}
        self._months: dict[bytes, int] = {}

    def add(self, row: tuple[Any, ...]) -> None:
        published, month, tags = row[_AT["published"]], row[_AT["month"]], row[_AT["tags"]]
        if month not in self._months:
            self._months[month] = month_number(month.decode())
        # Marshal's second version writes equal values as equal bytes (later ones depend on how often they are referred to).
        self.index.add(
            row[0],
            blake2b(marshal.dumps(row, 2), digest_size=DIGEST_BYTES).digest(),
            outlet=self._outlets[row[_AT["outlet"]]],
            kind=self._kind(row[_AT["kind"]]),
            marks=_marks(row),
            published=NEVER if published is None else published,
            first_seen=row[_AT["first_seen"]],
            changed=row[_AT["changed"]],
            sort_at=row[_AT["sort_at"]],
            month=self._months[month],
            tags=self._tag_sets[tags] if tags in self._tag_sets else self._tag_set(tags),
        )

    def _kind(self, kind: bytes) -> int:
        if kind not in self._kinds:
            self._kinds[kind] = len(self._kinds)
            self.index.kinds.append(rows.clean(kind.decode("utf-8", "replace")))
        return self._kinds[kind]

    def _tag_set(self, tags: bytes) -> tuple[int, ...]:
        numbers = []
        for word in rows.words(tags):
            if word not in self._tags:
                self._tags[word] = len(self._tags)
                self.index.tag_names.append(word)
            numbers.append(self._tags[word])
        self._tag_sets[tags] = tuple(numbers)
        return self._tag_sets[tags]


def _marks(row: tuple[Any, ...]) -> int:
    form = row[_AT["video_form"]]
    return (
        (PICTURE if row[_AT["image_url"]] else 0)
        | (MEDIA if row[_AT["media_url"]] else 0)
        | (FILM if row[_AT["video_id"]] else 0)
        | (SHORTS if form == b"shorts" else LIVE if form == b"live" else 0)
        | (SUMMARY if row[_AT["summary"]] else 0)
    )


@contextmanager
def opened(data: Path) -> Iterator[Shelves]:
    """The press files of a folder, read-only and checked. Raises BuildMisuse where it holds none, BuildError for damage."""
    main = data / "press.db"
    if not main.is_file():
        raise BuildMisuse(f"{main}: there is no database; make an empty one with `python -m crawl init --data {data}`")
    with ExitStack() as stack:
        front = Shelf(main, ID_LIMIT, stack.enter_context(closing(sqlite3.connect("", uri=True))))
        _attach(front.db, main, "press")
        shelves = []
        last = 0
        for path, first, upto in older(front.db, data):
            shelf = Shelf(path, upto, stack.enter_context(closing(sqlite3.connect("", uri=True))))
            _attach(shelf.db, main, "press", check=False)
            _attach(shelf.db, path, "part")
            _fits(shelf, first, last)
            shelves.append(shelf)
            last = upto
        _main_fits(front, last)
        for shelf in (*shelves, front):
            _behind_views(shelf.db, "press" if shelf is front else "part")
        yield Shelves((*shelves, front))


def _attach(db: sqlite3.Connection, path: Path, name: str, *, check: bool = True) -> None:
    """Open a stored file beside others. By a full URI: anything less is either writable or loses its mode at a `#`."""
    db.text_factory = bytes
    try:
        db.execute("ATTACH ? AS " + name, (f"{path.resolve().as_uri()}?mode=ro",))
        if check:
            checked(db, path, name)
    except sqlite3.DatabaseError as exc:
        raise unreadable(path, exc) from exc


def checked(db: sqlite3.Connection, path: Path, name: str) -> None:
    """Raise BuildError unless the file attached under that name is of our version and whole."""
    version = db.execute(f"PRAGMA {name}.user_version").fetchone()[0]
    if version != SCHEMA_VERSION:
        raise BuildError(
            f"{path}: schema version {version}, but this build reads version {SCHEMA_VERSION}; "
            f"use the checkout that wrote it"
        )
    if db.execute(f"PRAGMA {name}.integrity_check(1)").fetchone()[0] not in ("ok", b"ok"):
        raise BuildError(f"{path}: fails its integrity check; restore it from git")


def unreadable(path: Path, exc: sqlite3.DatabaseError) -> BuildError:
    """The error of a file that SQLite cannot read."""
    return BuildError(f"{path}: not a readable press database ({exc}); restore it from git")


def older(db: sqlite3.Connection, data: Path) -> list[tuple[Path, int, int]]:
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


def _fits(shelf: Shelf, first: int, before: int) -> None:
    """Raise BuildError unless an older file holds what press.db says of it, and refers to nothing that is not there."""
    count, lowest, highest = shelf.db.execute("SELECT count(*), min(id), max(id) FROM part.articles").fetchone()
    listed = shelf.db.execute("SELECT articles FROM older_files WHERE last = ?", (shelf.last,)).fetchone()[0]
    if count and lowest <= before:
        raise _doubled(shelf.path)
    if count != listed or (count and not first <= lowest <= highest <= shelf.last):
        raise BuildError(f"{shelf.path}: does not hold the articles that press.db says; {SAME_COMMIT}")
    for table in ROLLING:
        for key in shelf.db.execute(f"PRAGMA press.foreign_key_list({table})").fetchall():
            other, column, target = (key[at].decode() for at in (2, 3, 4))
            place = "part" if other in ROLLING else "press"
            lost = f"SELECT 1 FROM part.{table} WHERE {column} NOT IN (SELECT {target} FROM {place}.{other}) LIMIT 1"
            if shelf.db.execute(lost).fetchone():
                raise _orphan(shelf.path, table)


def _main_fits(front: Shelf, last: int) -> None:
    """Raise BuildError where press.db holds articles of an older file's range, or refers to nothing."""
    lowest, highest = front.db.execute("SELECT min(id), max(id) FROM press.articles").fetchone()
    if lowest is not None and lowest <= last:
        raise _doubled(front.path)
    if highest is not None and highest > ID_LIMIT:
        raise BuildError(f"{front.path}: an article has the number {highest}; restore the file from git")
    orphan = front.db.execute("PRAGMA press.foreign_key_check").fetchone()
    if orphan is not None:
        raise _orphan(front.path, orphan[0].decode())


def _doubled(path: Path) -> BuildError:
    return BuildError(f"{path}: holds rows that another press file holds too; restore it from git")


def _orphan(path: Path, table: str) -> BuildError:
    return BuildError(f"{path}: a row in {table}, there or in an older file, refers to nothing; {SAME_COMMIT}")


def _behind_views(db: sqlite3.Connection, rolling: str) -> None:
    """Let the views stored in press.db stand over one file: its range of articles, and press.db for everything else."""
    kept = db.execute("SELECT type, name, sql FROM press.sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
    for name in (name.decode() for kind, name, _ in kept if kind == b"table"):
        place = rolling if name in ROLLING else "press"
        db.execute(f'CREATE TEMP VIEW "{name}" AS SELECT * FROM {place}."{name}"')
    for sql in (sql.decode("utf-8", "replace") for kind, _, sql in kept if kind == b"view"):
        db.execute(re.sub(r"\ACREATE VIEW", "CREATE TEMP VIEW", sql))
