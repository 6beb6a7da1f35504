"""Every table, view and column is described once, beside its SQL, and the file carries those words with it."""

from __future__ import annotations

import dataclasses
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from build import records
from crawl import columns, pressfile
from crawl.columns import Column, Relation

VIEWS = (pressfile.HERE / "views.sql").read_text(encoding="utf-8")
BOOK = columns.read(pressfile.PRESS_SQL, VIEWS)
STATE = columns.read(pressfile.STATE_SQL)
RECORDS = {
    "site_card": records.Card,
    "site_outlet": records.Outlet,
    "site_source": records.Source,
    "site_night": records.Night,
    "site_policy": records.PolicyRow,
    "site_server": records.Server,
    "site_table": records.Table,
    "site_column": records.Column,
}
MOMENT = re.compile(
    r"(?:published|first_seen|changed|seen|started|ended|since|earliest|sort_at|rest_until|first_start|last_end)"
)


@pytest.fixture
def press() -> Iterator[sqlite3.Connection]:
    """An empty press.db, made as the rebuild makes one."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in pressfile.statements(pressfile.PRESS_SQL) + pressfile.statements(pressfile.VIEWS_SQL):
            db.execute(statement)
        yield db


def stored(db: sqlite3.Connection) -> dict[str, list[str]]:
    """The columns of every table and view that SQLite itself knows."""
    names = db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
    return {name: [row[1] for row in db.execute(f"PRAGMA table_info({name})")] for (name,) in names.fetchall()}


def described(book: columns.Dictionary) -> dict[str, list[str]]:
    return {row.name: [column.name for column in book.columns if column.relation == row.name] for row in book.relations}


def test_every_column_of_every_table_and_view_is_described_and_no_description_is_without_its_column(
    press: sqlite3.Connection,
) -> None:
    assert described(BOOK) == stored(press)
    assert all(column.about for column in BOOK.columns)


def test_every_table_and_view_says_what_it_holds() -> None:
    assert [row.name for row in BOOK.relations if not row.about] == []


def test_the_words_of_a_column_are_one_phrase_and_its_unit_stands_apart() -> None:
    for column in BOOK.columns:
        assert "[" not in column.about, column
        assert not column.about.endswith((".", ",", ";")), column
        assert column.about == column.about.strip(), column


def test_every_column_of_the_state_is_described_too() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(pressfile.STATE_SQL)
        assert described(STATE) == stored(db)


def test_the_file_itself_carries_the_dictionary(press: sqlite3.Connection) -> None:
    tables = [Relation(*row) for row in press.execute("SELECT name, kind, about FROM site_table ORDER BY id")]
    held = [Column(*row) for row in press.execute("SELECT relation, name, unit, about FROM site_column ORDER BY id")]
    assert (tuple(tables), tuple(held)) == (BOOK.relations, BOOK.columns)
    theirs = press.execute("SELECT DISTINCT relation FROM open_columns").fetchall()
    assert {name for (name,) in theirs} == {row.name for row in BOOK.relations if row.name.startswith("open_")}


def test_every_number_that_counts_or_measures_has_its_unit(press: sqlite3.Connection) -> None:
    """Numbers of rows and references have none."""
    known = {(column.relation, column.name): column for column in BOOK.columns}
    identities = {"id", "outlet", "source", "article", "tag", "night", "file", "first", "last"}
    for relation in described(BOOK):
        for row in press.execute(f"PRAGMA table_info({relation})"):
            if row[2] in ("INTEGER", "REAL") and row[1] not in identities:
                assert known[relation, row[1]].unit, (relation, row[1])
    for column in BOOK.columns:
        if (MOMENT.fullmatch(column.name) and column.name != "changed") or column.name.endswith("_at"):
            assert column.unit == "epoch seconds UTC", column
        if column.name.endswith(("_kst", "_day", "day")):
            assert not column.unit, column


@pytest.mark.parametrize("view", RECORDS)
def test_every_column_of_a_view_of_the_site_is_a_field_and_every_field_a_column(view: str) -> None:
    """In any order: the build names what it reads."""
    fields = {field.name for field in dataclasses.fields(RECORDS[view])}
    assert fields == set(described(BOOK)[view])


def test_the_site_has_a_record_for_every_view_it_may_read() -> None:
    assert set(RECORDS) == {name for name in described(BOOK) if name.startswith("site_")}


def test_a_column_that_a_view_shows_as_it_is_keeps_its_words_and_unit() -> None:
    by_name = {(column.relation, column.name): column for column in BOOK.columns}
    for view, column, table, source in (
        ("site_card", "byline", "articles", "byline"),
        ("site_card", "outlet_kind", "outlets", "kind"),
        ("open_articles", "published", "articles", "published"),
        ("open_articles", "tags", "site_card", "tags"),
        ("open_servers", "last_end", "servers_last_night", "last_end"),
    ):
        ours, theirs = by_name[view, column], by_name[table, source]
        assert (ours.about, ours.unit) == (theirs.about, theirs.unit)
    assert by_name["site_card", "title"].about != by_name["articles", "title"].about


SMALL = "-- People.\nCREATE TABLE people (\n  id INTEGER, -- number\n  age INTEGER -- years [years]\n) STRICT;\n"


def test_words_of_its_own_go_before_those_of_the_column_shown() -> None:
    view = "-- The old.\nCREATE VIEW old AS\nSELECT p.id,\n       p.age AS years -- how old [a]\nFROM people p;\n"
    assert columns.read(SMALL, view).columns[2:] == (
        Column("old", "id", "", "number"),
        Column("old", "years", "a", "how old"),
    )


def test_a_view_that_shows_a_column_nobody_described_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match=r"old: p\.name"):
        columns.read(SMALL, "CREATE VIEW old AS\nSELECT p.name\nFROM people p;\n")


def test_words_with_quotes_stand_in_the_dictionary_as_written() -> None:
    schema = SMALL.replace("-- years [years]", "-- one's years; not 'days'")
    template = "CREATE VIEW site_column AS\nSELECT c.about -- words\nFROM described_columns c;\n"
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema + columns.spelt(template, schema))
        assert ("one's years; not 'days'",) in db.execute("SELECT about FROM site_column").fetchall()
