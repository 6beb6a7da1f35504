"""The press files side by side, each behind the views of press.db: checked once, scanned once, then asked for single cards."""

from __future__ import annotations

import marshal
import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from hashlib import blake2b, file_digest
from itertools import chain
from pathlib import Path
from typing import Any

from build import rows
from build.index import FILM, LIVE, MEDIA, NEVER, PICTURE, SHORTS, SUMMARY, month_number
from build.part import CARD_DIGEST_BYTES, DIGEST_BYTES, Part
from build.partbook import PartBook
from build.pressfiles import ID_LIMIT, ROLLING, Shelf, address, checked, fits, main_fits, older, parents, unreadable
from build.records import BuildMisuse, Card

AT_ONCE = 2_000

_COLUMNS = rows.columns(Card)
_NAMES = _COLUMNS.split(", ")


class Shelves:
    """All press files of a folder, oldest numbers first; the last is press.db."""

    def __init__(self, shelves: Sequence[Shelf]) -> None:
        self._shelves = shelves
        self._lasts = [shelf.last for shelf in shelves]

    @property
    def main(self) -> sqlite3.Connection:
        """press.db, whose views of anything but articles are whole."""
        return self._shelves[-1].db

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files themselves, press.db first, then the oldest."""
        return (self._shelves[-1].path, *(shelf.path for shelf in self._shelves[:-1]))

    def parts(self, book: PartBook) -> Iterator[Part]:
        """The articles of each file, read anew or, where it would come to the same, from the book of an earlier build."""
        for shelf in self._shelves:
            key = _key(shelf, book.stamp)
            part = book.find(shelf.path.name, key)
            if part is None:
                part = _scan(shelf.db)
                book.keep(shelf.path.name, key, part)
            yield part

    def read(self, ids: Iterable[int]) -> list[Card]:
        """The cards of these numbers, in that order."""
        wanted = list(ids)
        found = {card.id: card for card in rows.cards(self._rows(_COLUMNS, wanted))}
        return [found[id] for id in wanted]

    def titles(self, ids: Iterable[int]) -> list[str]:
        """The titles of these numbers, in that order."""
        wanted = list(ids)
        found = {id: rows.text(title) for id, title in self._rows("id, title", wanted)}
        return [found[id] for id in wanted]

    def _rows(self, columns: str, wanted: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        for at in range(0, len(wanted), AT_ONCE):
            by_shelf: dict[int, list[int]] = {}
            for id in wanted[at : at + AT_ONCE]:
                by_shelf.setdefault(bisect_left(self._lasts, id), []).append(id)
            for number, some in by_shelf.items():
                marks = ",".join(map(str, some))
                db = self._shelves[number].db
                yield from db.execute(f"SELECT {columns} FROM site_card WHERE id IN ({marks})").fetchall()


def _key(shelf: Shelf, stamp: bytes) -> bytes:
    """The digest of all that decides what site_card says of a file's articles: the file, the views, what they read elsewhere."""
    digest = blake2b(stamp + shelf.digest, digest_size=DIGEST_BYTES)
    views = shelf.db.execute("SELECT sql FROM press.sqlite_master WHERE type = 'view' ORDER BY name").fetchall()
    digest.update(repr((_COLUMNS, shelf.last, views)).encode())
    for table in sorted(_read_of(shelf.db)):
        # Tags join every night: those that no article of this file has say nothing of it.
        used = " WHERE id IN (SELECT tag FROM article_tags)" if table == "tags" else ""
        digest.update(repr((table, shelf.db.execute(f'SELECT * FROM "{table}"{used} ORDER BY 1').fetchall())).encode())
    return digest.digest()


def _file_digest(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file_digest(file, "blake2b").digest()


def _read_of(db: sqlite3.Connection) -> set[str]:
    """The tables that site_card reads, but for those that roll."""
    read: set[str] = set()

    def watch(action: int, table: str | None, column: str | None, place: str | None, view: str | None) -> int:
        if action == sqlite3.SQLITE_READ and table and place == "press":
            read.add(table)
        return sqlite3.SQLITE_OK

    db.set_authorizer(watch)
    try:
        db.execute(f"EXPLAIN SELECT {_COLUMNS} FROM site_card ORDER BY id").close()
    finally:
        db.set_authorizer(None)
    return read - {*ROLLING, "sqlite_master"}


def _scan(db: sqlite3.Connection) -> Part:
    """One pass over site_card, by the number of the article, thousands of rows at a time."""
    found = Part()
    names = _Names()
    rows_of = db.execute(f"SELECT {_COLUMNS} FROM site_card ORDER BY id")
    while some := rows_of.fetchmany(AT_ONCE):
        columns = dict(zip(_NAMES, zip(*some, strict=True), strict=True))
        found.ids.extend(columns["id"])
        for name in ("first_seen", "changed", "sort_at"):
            getattr(found, name).extend(columns[name])
        found.published.extend([NEVER if at is None else at for at in columns["published"]])
        found.outlet.extend([names.outlet(slug) for slug in columns["outlet"]])
        found.kind.extend([names.kind(kind) for kind in columns["kind"]])
        found.month.extend([names.month(month) for month in columns["month"]])
        sets = [names.tag_set(tags) for tags in columns["tags"]]
        found.tag_counts.extend(map(len, sets))
        found.tags.extend(chain.from_iterable(sets))
        found.marks.extend(map(_marks, *(columns[name] for name in _MARKED)))
        # Marshal's second version writes equal values as equal bytes (later ones depend on how often they are referred to).
        for row in some:
            found.digests.frombytes(blake2b(marshal.dumps(row, 2), digest_size=CARD_DIGEST_BYTES).digest())
    found.outlets, found.kinds, found.tag_names = names.all()
    return found


class _Names:
    """Names on their way into a part: each gets a number when it is first met."""

    def __init__(self) -> None:
        self._outlets: dict[bytes, int] = {}
        self._kinds: dict[bytes, int] = {}
        self._months: dict[bytes, int] = {}
        self._tags: dict[str, int] = {}
        self._tag_sets: dict[bytes, tuple[int, ...]] = {}

    def outlet(self, slug: bytes) -> int:
        return self._outlets.setdefault(slug, len(self._outlets))

    def kind(self, kind: bytes) -> int:
        return self._kinds.setdefault(kind, len(self._kinds))

    def month(self, month: bytes) -> int:
        if month not in self._months:
            self._months[month] = month_number(month.decode())
        return self._months[month]

    def tag_set(self, tags: bytes) -> tuple[int, ...]:
        if tags not in self._tag_sets:
            words = rows.words(tags)
            self._tag_sets[tags] = tuple(self._tags.setdefault(word, len(self._tags)) for word in words)
        return self._tag_sets[tags]

    def all(self) -> tuple[list[str], list[str], list[str]]:
        """Outlets, kinds and tags in the order of their numbers."""
        texts = (
            [rows.clean(name.decode("utf-8", "replace")) for name in some] for some in (self._outlets, self._kinds)
        )
        outlets, kinds = texts
        return outlets, kinds, list(self._tags)


_MARKED = ("image_url", "media_url", "video_id", "video_form", "summary")


def _marks(picture: bytes, media: bytes, film: bytes, form: bytes, summary: bytes) -> int:
    return (
        (PICTURE if picture else 0)
        | (MEDIA if media else 0)
        | (FILM if film else 0)
        | (SHORTS if form == b"shorts" else LIVE if form == b"live" else 0)
        | (SUMMARY if summary else 0)
    )


@contextmanager
def opened(data: Path, book: PartBook) -> Iterator[Shelves]:
    """The press files of a folder, read-only and checked. Raises BuildMisuse where it holds none, BuildError for damage.

    What the book says was found sound is not checked again.
    """
    main = data / "press.db"
    if not main.is_file():
        raise BuildMisuse(f"{main}: there is no database; make an empty one with `python -m crawl init --data {data}`")
    with ExitStack() as stack:
        front = Shelf(main, ID_LIMIT, stack.enter_context(closing(sqlite3.connect("", uri=True))), _file_digest(main))
        _attach(front.db, main, "press")
        whole = parents(front.db)
        shelves = []
        last = 0
        for path, first, upto in older(front.db, data):
            db = stack.enter_context(closing(sqlite3.connect("", uri=True)))
            shelf = Shelf(path, upto, db, _file_digest(path))
            facts = (book.stamp, shelf.digest, whole, first, last, upto)
            key = blake2b(repr(facts).encode(), digest_size=DIGEST_BYTES).digest()
            known = book.sound(path.name, key)
            _attach(db, main, "press", check=False)
            _attach(db, path, "part", check=not known)
            if not known:
                fits(shelf, first, last)
                book.keep_sound(path.name, key)
            shelves.append(shelf)
            last = upto
        main_fits(front, last)
        for shelf in (*shelves, front):
            _behind_views(shelf.db, "press" if shelf is front else "part")
        yield Shelves((*shelves, front))


def _attach(db: sqlite3.Connection, path: Path, name: str, *, check: bool = True) -> None:
    """Open a stored file beside others."""
    db.text_factory = bytes
    try:
        db.execute("ATTACH ? AS " + name, (address(path),))
        if check:
            checked(db, path, name)
    except sqlite3.DatabaseError as exc:
        raise unreadable(path, exc) from exc


def _behind_views(db: sqlite3.Connection, rolling: str) -> None:
    """Let the views stored in press.db stand over one file: its range of articles, and press.db for everything else."""
    kept = db.execute("SELECT type, name, sql FROM press.sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
    for name in (name.decode() for kind, name, _ in kept if kind == b"table"):
        place = rolling if name in ROLLING else "press"
        db.execute(f'CREATE TEMP VIEW "{name}" AS SELECT * FROM {place}."{name}"')
    for sql in (sql.decode("utf-8", "replace") for kind, _, sql in kept if kind == b"view"):
        db.execute(re.sub(r"\ACREATE VIEW", "CREATE TEMP VIEW", sql))
