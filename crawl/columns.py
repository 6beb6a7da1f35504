"""The dictionary of the committed file: what each table, view and column holds, read from the comments of the SQL texts.

Each is described once, there. A table's or view's words are the comment lines right above its CREATE. A column's stand
behind it on its line, its unit in brackets at their end; a view's column without words of its own has those of the
column it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Relation:
    """A table or a view, and what it holds."""

    name: str
    kind: Literal["table", "view"]
    about: str


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table or view: what it holds, and the unit of its values, empty where they have none."""

    relation: str
    name: str
    unit: str
    about: str


@dataclass(frozen=True, slots=True)
class Dictionary:
    """All tables, then all views, each in the order of its text; the columns in the order of theirs."""

    relations: tuple[Relation, ...]
    columns: tuple[Column, ...]


_CREATE = re.compile(r"((?:^--[^\n]*\n)*)^CREATE (TABLE|VIEW) (\w+)(.*?);$", re.MULTILINE | re.DOTALL)
_TABLE_COLUMN = re.compile(r"^  ([a-z_]+) [A-Z].*?--(.*)$")
_SHOWN = re.compile(r"(?:SELECT )?(\w+)\.(\w+)(?: AS (\w+))?")
_MADE = re.compile(r".*\bAS (\w+)")
_ALIAS = re.compile(r"\b(?:FROM|JOIN) (\w+) (\w+)")
_UNIT = re.compile(r"(.*) \[([^\]]+)\]")


def read(schema: str, views: str = "") -> Dictionary:
    """The dictionary of a schema text and of the views over it. Raises ValueError where a column shows one nobody described."""
    relations: list[Relation] = []
    columns: dict[tuple[str, str], Column] = {}
    for words, kind, name, body in _CREATE.findall(schema + "\n" + views):
        about = " ".join(line.removeprefix("--").strip() for line in words.splitlines())
        relations.append(Relation(name, "table" if kind == "TABLE" else "view", about))
        found = _of_table(name, body) if kind == "TABLE" else _of_view(name, body, columns)
        columns |= {(name, column.name): column for column in found}
    return Dictionary(tuple(relations), tuple(columns.values()))


def spelt(views: str, schema: str) -> str:
    """The views as a file holds them: with the dictionary written into `site_table` and `site_column`."""
    book = read(schema, views)
    tables = [(row.name, row.kind, row.about) for row in book.relations]
    columns = [(row.relation, row.name, row.unit, row.about) for row in book.columns]
    return views.replace("described_tables", _rows(("name", "kind", "about"), tables)).replace(
        "described_columns", _rows(("relation", "name", "unit", "about"), columns)
    )


def _of_table(name: str, body: str) -> Iterator[Column]:
    for line in body.splitlines():
        if found := _TABLE_COLUMN.match(line):
            yield _column(name, found[1], found[2])


def _of_view(name: str, body: str, known: dict[tuple[str, str], Column]) -> Iterator[Column]:
    """The columns of a view, from its lines before the first FROM that stands at the left edge."""
    shown, _, origin = body.partition("\nFROM ")
    aliases: dict[str, str] = {}
    for relation, alias in _ALIAS.findall("FROM " + origin):
        aliases.setdefault(alias, relation)
    for line in shown.splitlines():
        code, _, words = line.partition(" -- ")
        code = code.strip().removesuffix(",")
        taken, made = _SHOWN.fullmatch(code), _MADE.fullmatch(code)
        if words and (taken or made):
            yield _column(name, (taken[3] or taken[2]) if taken else made[1] if made else "", words)
        elif taken:
            source = known.get((aliases.get(taken[1], ""), taken[2]))
            if source is None:
                raise ValueError(f"{name}: {taken[1]}.{taken[2]} is described neither here nor where it comes from")
            yield Column(name, taken[3] or taken[2], source.unit, source.about)


def _column(relation: str, name: str, words: str) -> Column:
    with_unit = _UNIT.fullmatch(words.strip())
    return Column(relation, name, with_unit[2] if with_unit else "", with_unit[1] if with_unit else words.strip())


def _rows(names: Sequence[str], rows: Sequence[tuple[str, ...]]) -> str:
    """A table of constant rows, numbered from 1, as SQL."""
    listed = ", ".join(f"column{place} AS {name}" for place, name in enumerate(("id", *names), 1))
    values = ",\n".join(f"({number}, {', '.join(map(_quoted, row))})" for number, row in enumerate(rows, 1))
    return f"(SELECT {listed} FROM (VALUES\n{values}))"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
