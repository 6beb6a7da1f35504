"""What researchers get: the open_* views show all of the record and nothing that was asked to be left out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests import sitefixture
from tests.sitefixture import Story, at, row

OPEN = ("open_articles", "open_outlets", "open_sources", "open_checks", "open_nights", "open_gaps", "open_revisions", "open_tags",
        "open_article_tags", "open_removals", "open_servers", "open_policy", "open_columns")  # fmt: skip


@pytest.fixture
def press(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The fictional press, open for changes."""
    sitefixture.fill(tmp_path / "press.db")
    with closing(sqlite3.connect(tmp_path / "press.db")) as db:
        yield db


def everything(db: sqlite3.Connection) -> str:
    """Every row of every open view, as one text."""
    return "\n".join(str(db.execute(f"SELECT * FROM {view}").fetchall()) for view in OPEN)


def test_these_are_all_the_open_views(press: sqlite3.Connection) -> None:
    found = press.execute(r"SELECT name FROM sqlite_master WHERE type = 'view' AND name LIKE 'open\_%' ESCAPE '\'")
    assert {name for (name,) in found} == set(OPEN)


HIDDEN = {
    "P60: a tombstone": "INSERT INTO tombstones SELECT key, 0, 'asked' FROM articles WHERE id = 1",
    "an emptied row": "UPDATE articles SET url = '' WHERE id = 1",
    "an outlet that left the registry": "UPDATE outlets SET listed = 0 WHERE id = 1",
    "a page that asks for no index": "UPDATE articles SET withheld = 'noindex' WHERE id = 1",
}


@pytest.mark.parametrize("change", HIDDEN.values(), ids=HIDDEN)
def test_P60_what_may_not_be_shown_stands_in_no_open_view(press: sqlite3.Connection, change: str) -> None:
    row(press, "revisions", id=1, article=1, seen=at("2026-12-01 00:05"), field="title", old="쀍쀎 옛 제목")
    row(press, "tags", id=99, tag="쀍쀎 칸")
    row(press, "article_tags", article=1, tag=99)
    press.execute("UPDATE articles SET title = '쀍쀎 제목', byline = '쀍쀎' WHERE id = 1")
    assert everything(press).count("쀍쀎") > 4
    press.execute(change)
    assert "쀍쀎" not in everything(press)
    assert press.execute("SELECT count(*) FROM open_articles WHERE article = 1").fetchone() == (0,)
    assert press.execute("SELECT count(*) FROM open_article_tags WHERE article = 1").fetchone() == (0,)


@pytest.mark.parametrize(
    "change",
    ["UPDATE outlets SET title_only = 1 WHERE id = 1", "UPDATE articles SET withheld = 'nosnippet' WHERE id = 1"],
    ids=["title_only", "nosnippet"],
)
def test_where_no_summary_is_wanted_neither_it_nor_an_earlier_one_is_shown(
    press: sqlite3.Connection, change: str
) -> None:
    seen = at("2026-12-01 00:05")
    row(press, "revisions", id=1, article=1, seen=seen, field="summary", old="쀍쀎 옛 요약")
    row(press, "revisions", id=2, article=1, seen=seen, field="title", old="옛 제목")
    press.execute("UPDATE articles SET summary = '쀍쀎 요약', summary_derived = 1 WHERE id = 1")
    assert "쀍쀎" in everything(press)
    press.execute(change)
    assert "쀍쀎" not in everything(press)
    assert press.execute("SELECT old FROM open_revisions").fetchall() == [("옛 제목",)]
    assert press.execute("SELECT summary_derived FROM open_articles WHERE article = 1").fetchone() == (0,)
    assert press.execute("SELECT summary_derived FROM site_card WHERE id = 1").fetchone() == (0,)


def test_a_source_that_left_the_registry_is_named_nowhere(press: sqlite3.Connection) -> None:
    press.execute("UPDATE sources SET listed = 0, url = 'https://gone.example/rss' WHERE id = 1")
    assert "gone.example" not in everything(press)
    assert press.execute("SELECT count(*) FROM open_checks WHERE source = 1").fetchone() == (0,)
    assert press.execute("SELECT DISTINCT source FROM open_articles").fetchall() == [(None,)]


@pytest.mark.parametrize(
    ("precision", "shown"),
    [
        ("second", "2026-11-30 18:20:07"), ("minute", "2026-11-30 18:20"), ("hour", "2026-11-30 18"), ("day", "2026-11-30"),
    ],
)  # fmt: skip
def test_a_korean_date_says_no_more_than_is_known(press: sqlite3.Connection, precision: str, shown: str) -> None:
    press.execute(
        "UPDATE articles SET published = ?, precision = ? WHERE id = 2", (at("2026-11-30 18:20") + 7, precision)
    )
    assert press.execute("SELECT published_kst FROM open_articles WHERE article = 2").fetchone() == (shown,)


@pytest.mark.parametrize("published", [None, -(10**14), 10**14])
def test_an_unknown_or_impossible_date_is_no_korean_date(press: sqlite3.Connection, published: int | None) -> None:
    press.execute("UPDATE articles SET published = ? WHERE id = 2", (published,))
    assert press.execute("SELECT published_kst FROM open_articles WHERE article = 2").fetchone() == (None,)


def test_the_night_between_two_korean_days_is_told_in_korean_time(press: sqlite3.Connection) -> None:
    first = press.execute("SELECT first_seen_kst, changed_kst FROM open_articles WHERE article = 1").fetchone()
    assert first == ("2026-12-01 00:05:00", "2026-12-01 00:05:00")
    assert press.execute("SELECT started_kst FROM open_nights").fetchone() == ("2026-12-01 00:00:00",)


def test_an_outlet_counts_only_what_may_be_shown(press: sqlite3.Connection) -> None:
    early = at("2001-01-01 00:00")
    for number, change in ((1, "url = ''"), (2, "withheld = 'noindex'")):
        press.execute(
            f"UPDATE articles SET first_seen = ?, published = ?, {change} WHERE id = ?", (early, early, number)
        )
    shown = press.execute("SELECT articles, earliest, since FROM site_outlet WHERE slug = 'hanbit-news'").fetchone()
    assert shown == (1, at("2026-11-30 00:00"), at("2026-12-01 00:05"))
    held = "SELECT articles, earliest_kst, since_kst FROM open_outlets WHERE outlet = 'hanbit-news'"
    assert press.execute(held).fetchone() == (1, "2026-11-30", "2026-12-01")


def test_an_outlet_says_since_when_it_is_followed_and_what_is_undated_or_came_later(press: sqlite3.Connection) -> None:
    press.execute("UPDATE articles SET via = 'look' WHERE outlet = 3")
    press.execute("UPDATE articles SET via = 'backfill' WHERE id = 6")
    held = "SELECT articles, undated, looked, sources, earliest_kst, latest_kst, newest_kst FROM open_outlets WHERE outlet = ?"
    assert press.execute(held, ("mulgyeol",)).fetchone() == (2, 1, 1, 1, "2026-09-01", "2026-09-01", "2026-12-01")
    assert press.execute(held, ("silent-press",)).fetchone() == (0, 0, 0, 1, None, None, None)


def test_days_without_a_whole_night_are_gaps(press: sqlite3.Connection) -> None:
    assert press.execute("SELECT * FROM open_gaps").fetchall() == []
    for number, (day, ended) in enumerate(
        (("2026-12-02", 1), ("2026-12-03", None), ("2026-12-06", 1), ("2027-01-01", 1)), 2
    ):
        row(press, "nights", id=number, day=day, mode="scheduled", started=0, ended=ended)
    assert press.execute("SELECT * FROM open_gaps").fetchall() == [
        ("2026-12-03", "2026-12-05", 3),
        ("2026-12-07", "2026-12-31", 25),
    ]


def test_each_stretch_of_one_outcome_ends_where_the_next_begins(press: sqlite3.Connection) -> None:
    for number, day in ((2, "2026-12-04"), (3, "2026-12-09")):
        row(press, "nights", id=number, day=day, mode="scheduled", started=0, ended=1)
    row(press, "checks", id=90, source=1, night=2, stage="asked", result="failed", reason="timeout")
    row(press, "checks", id=91, source=1, night=3, stage="stored", result="ok", reason="read")
    stretches = press.execute(
        "SELECT outlet, result, from_day, until_day FROM open_checks WHERE source = 1 ORDER BY id"
    )
    assert stretches.fetchall() == [
        ("hanbit-news", "ok", "2026-12-01", "2026-12-04"),
        ("hanbit-news", "failed", "2026-12-04", "2026-12-09"),
        ("hanbit-news", "ok", "2026-12-09", None),
    ]
    newest = press.execute("SELECT result, reason, since_day FROM open_sources WHERE source = 1").fetchone()
    assert newest == ("ok", "read", "2026-12-09")


def test_an_edit_shows_the_value_before_and_after_each_time(press: sqlite3.Connection) -> None:
    seen = at("2026-12-01 00:05")
    edits = (("title", "처음"), ("summary", "첫 요약"), ("title", "둘째"))
    for number, (field, old) in enumerate(edits, 1):
        row(press, "revisions", id=number, article=2, seen=seen + number * 86_400, field=field, old=old)
    press.execute("UPDATE articles SET title = '셋째', summary = '새 요약' WHERE id = 2")
    assert press.execute("SELECT field, old, new, seen_kst FROM open_revisions ORDER BY id").fetchall() == [
        ("title", "처음", "둘째", "2026-12-02 00:05:00"),
        ("summary", "첫 요약", "새 요약", "2026-12-03 00:05:00"),
        ("title", "둘째", "셋째", "2026-12-04 00:05:00"),
    ]


def test_tags_are_counted_by_outlet(press: sqlite3.Connection) -> None:
    row(press, "article_tags", article=4, tag=1)
    counted = press.execute("SELECT outlet, tag, articles FROM open_tags ORDER BY outlet, tag").fetchall()
    assert counted == [("hanbit-news", "보도", 2), ("hanbit-news", "총학생회", 1), ("haneul-times", "보도", 1)]
    assert len(press.execute("SELECT * FROM open_article_tags").fetchall()) == 4


def test_P60_removals_are_numbers_alone(press: sqlite3.Connection) -> None:
    for number in (1, 2):
        row(press, "tombstones", key=bytes([number]) * 8, since=at(f"2026-11-0{number} 09:00"), reason="outlet-asked")
    assert press.execute("SELECT * FROM open_removals").fetchall() == [("outlet-asked", 2, "2026-11-01", "2026-11-02")]


def test_no_open_view_tells_a_key_of_what_left_or_how_a_wish_reads(press: sqlite3.Connection) -> None:
    row(press, "tombstones", key=b"KEYOFONE", since=0, reason="asked")
    row(press, "wishes", wish=b"WISHOFIT", key=b"KEYOFONE")
    shown = everything(press).lower()
    for word in ("keyofone", "wishofit", b"KEYOFONE".hex(), b"WISHOFIT".hex()):
        assert word not in shown


def test_a_very_long_title_is_whole_in_the_record(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", [Story("hanbit-news", "가" * 400, "2026-11-01")])
    with closing(sqlite3.connect(tmp_path / "press.db")) as db:
        assert db.execute("SELECT length(title) FROM open_articles").fetchone() == (400,)
