"""Rows of the site_* views as records: which value a field takes, and which characters no reader may meet."""

from __future__ import annotations

import dataclasses
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from build.records import Card

# Control characters (not legal in XML, and our own separators), marks that turn the writing direction round,
# byte-order marks and noncharacters. A title must not be able to carry any of them into a page.
_NEVER_SHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
_BETWEEN = b"\x1f"
_SELDOM_SHOWN = re.compile(_NEVER_SHOWN.pattern.replace("\x0e-\x1f", "\x0e-\x1e"))
"""The same but for the character between texts that are looked through together."""

T = TypeVar("T")


def clean(text: str) -> str:
    """Text without characters that no page, feed or reader should meet."""
    return _NEVER_SHOWN.sub("", text) if _NEVER_SHOWN.search(text) else text


def columns(record: type) -> str:
    """The columns of a record's view, in the order of its fields."""
    return ", ".join(field.name for field in dataclasses.fields(record))


def records(db: sqlite3.Connection, view: str, record: Callable[..., T], *, order: str = "id") -> tuple[T, ...]:
    """Every row of a view as its record; the record's field types say how a stored value is read. Text comes as bytes."""
    assert isinstance(record, type)
    readers = [_READERS[str(field.type)] for field in dataclasses.fields(record)]
    rows = db.execute(f"SELECT {columns(record)} FROM {view} ORDER BY {order}")
    return tuple(record(*(read(value) for read, value in zip(readers, row, strict=True))) for row in rows)


def cards(rows: Iterable[tuple[Any, ...]]) -> Iterator[Card]:
    """Rows of site_card, text as bytes, as cards. Of hundreds of thousands most hold nothing to clean: one look tells."""
    for row in rows:
        values = list(row)
        joined = _BETWEEN.join([row[at] or b"" for at in _TEXTS]).decode("utf-8", "replace")
        found = joined.split("\x1f")
        if len(found) != len(_TEXTS) or _SELDOM_SHOWN.search(joined):
            found = [text(row[at]) for at in _TEXTS]
        for at, value in zip(_TEXTS, found, strict=True):
            values[at] = value
        for at in _MAY_LACK:
            if row[at] is None:
                values[at] = None
        values[_TAGS] = words(row[_TAGS])
        values[_DERIVED] = bool(row[_DERIVED])
        yield Card(*values)


def words(value: bytes) -> tuple[str, ...]:
    """A stored list of tags, in the order of their letters."""
    if value == b"[]":
        return ()
    return tuple(sorted(clean(str(word)) for word in json.loads(value.decode("utf-8", "replace"))))


def _same(value: Any) -> Any:
    return value


def text(value: bytes | None) -> str:
    """A stored text as a reader may meet it."""
    return clean((value or b"").decode("utf-8", "replace"))


_READERS: dict[str, Callable[[Any], Any]] = {
    "int": _same,
    "int | None": _same,
    "float | None": _same,
    "bool": bool,
    "str": text,
    "str | None": lambda value: None if value is None else text(value),
    "tuple[str, ...]": words,
}

_CARD = [(field.name, str(field.type)) for field in dataclasses.fields(Card)]
_TEXTS = [at for at, (_, kind) in enumerate(_CARD) if kind.startswith("str")]
_MAY_LACK = [at for at, (_, kind) in enumerate(_CARD) if kind == "str | None"]
_TAGS = [name for name, _ in _CARD].index("tags")
_DERIVED = [name for name, _ in _CARD].index("summary_derived")
