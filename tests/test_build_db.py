"""What the build reads, and what it refuses to read."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from build import db, filters, pressfiles, records, site
from build.index import NEVER, SUMMARY, Index, month_name
from build.partbook import PartBook
from build.records import BuildError, BuildMisuse, Card, Press
from crawl.policy import AGENT
from tests import sitefixture
from tests.sitefixture import Story


def press_of(data: Path) -> Press:
    with db.opened(data) as press:
        return press


def cards_of(data: Path) -> list[Card]:
    """All cards, by number."""
    with db.opened(data) as press:
        return press.read(press.index.ids)


def test_every_view_comes_as_records(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    press, cards = press_of(tmp_path), cards_of(tmp_path)
    assert [card.id for card in cards] == list(range(1, len(sitefixture.STORIES) + 1))
    first = cards[0]
    assert (first.outlet, first.outlet_kind, first.tags) == ("hanbit-news", "newspaper", ("보도", "총학생회"))
    assert (first.month, first.precision, first.summary_derived) == ("2026-12", "minute", False)
    assert first.key == "0000000000000001"
    assert cards[6].published is None
    assert cards[6].month == "undated"
    assert {outlet.slug for outlet in press.outlets} == {row[0] for row in sitefixture.OUTLETS}
    assert [source.result for source in press.sources[:3]] == ["ok", "not_modified", "failed"]
    assert press.last_night is not None
    assert press.last_night.day == sitefixture.NIGHT
    assert [server.server for server in press.servers] == ["news.hanbit.example", "times.haneul.example"]
    assert {row.value for row in press.policy if row.name == "spacing_s"} == {3}


def test_articles_of_older_files_join_those_of_press_db(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", [Story("hanbit-news", "새 글", "2026-11-01")], first_id=3)
    old = [Story("mulgyeol", "옛 글", "2019-01-01", tags=()), Story("hanbit-news", "더 옛 글", "2018-01-01")]
    sitefixture.fill(tmp_path / "press-0001.db", old, whole=False)
    assert [(card.id, card.title) for card in cards_of(tmp_path)] == [(1, "옛 글"), (2, "더 옛 글"), (3, "새 글")]


def test_a_row_held_by_two_files_is_an_error_with_its_file(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    sitefixture.fill(tmp_path / "press-0001.db", sitefixture.STORIES[:1], whole=False)
    with pytest.raises(BuildError, match=r"press\.db: holds rows that another"):
        press_of(tmp_path)


def test_a_folder_name_with_hash_and_question_mark_is_opened_read_only(tmp_path: Path) -> None:
    data = tmp_path / "a#b?c%20d"
    sitefixture.fill(data / "press.db")
    (data / "press.db").chmod(0o444)
    before = sorted(data.iterdir())
    assert len(cards_of(data)) == len(sitefixture.STORIES)
    assert sorted(data.iterdir()) == before


def test_another_schema_version_is_refused_by_name(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", version=pressfiles.SCHEMA_VERSION + 1)
    with pytest.raises(BuildError, match=rf"press\.db: schema version {pressfiles.SCHEMA_VERSION + 1}, but"):
        press_of(tmp_path)


def test_an_older_file_of_another_version_is_refused_too(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    sitefixture.fill(tmp_path / "press-0001.db", [], version=7, whole=False)
    with pytest.raises(BuildError, match=r"press-0001\.db: schema version 7"):
        press_of(tmp_path)


def test_no_database_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BuildMisuse, match="python -m crawl init"):
        press_of(tmp_path)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "press.db").write_bytes(b"hello, not a database" * 100)
    with pytest.raises(BuildError, match=r"press\.db: not a readable press database"):
        press_of(tmp_path)


def test_a_missing_view_is_named_not_a_traceback(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("DROP VIEW site_card")
        raw.commit()
    with pytest.raises(BuildError, match="no such table: site_card"):
        press_of(tmp_path)


def test_the_views_stored_in_the_file_decide_what_is_shown(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("DROP VIEW site_server")
        raw.execute("CREATE VIEW site_server AS SELECT 'one' AS server, 7 AS requests, 0 AS first_start, 1 AS last_end")
        raw.commit()
    assert press_of(tmp_path).servers == (records.Server("one", 7, 0, 1),)


def test_P60_a_tombstoned_article_is_not_read(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("INSERT INTO tombstones SELECT key, 0, 'request' FROM articles WHERE id = 1")
        raw.commit()
    assert next(card.id for card in cards_of(tmp_path)) == 2


def test_an_outlet_that_wants_titles_only_has_no_summaries(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    assert {card.summary for card in cards_of(tmp_path) if card.outlet == "nuri-eye"} == {""}


def test_control_and_direction_characters_never_reach_a_record(tmp_path: Path) -> None:
    title = "a\x1fa\x00b\x1d\x1ec\u202ed\u2066e\u200ff\ufeffg\u2028h\x9fi\uffff"
    sitefixture.fill(tmp_path / "press.db", [Story("hanbit-news", title, "2026-11-01", tags=("t\u202eag",))])
    card = cards_of(tmp_path)[0]
    assert card.tags == ("tag",)
    assert card.title == "aabcdefghi"


def test_bytes_that_are_not_utf_8_are_shown_as_damage(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", [Story("hanbit-news", "x", "2026-11-01")])
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("UPDATE articles SET title = CAST(x'EAB3A0FF' AS TEXT)")
        raw.commit()
    assert cards_of(tmp_path)[0].title == "고\ufffd"


def test_a_title_far_beyond_any_headline_is_cut(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", [Story("hanbit-news", "가" * 5_000, "2026-11-01")])
    assert cards_of(tmp_path)[0].title == "가" * 299 + "…"


def test_a_far_future_date_is_kept_but_does_not_lead_the_order(tmp_path: Path) -> None:
    story = Story("hanbit-news", "x", "2099-01-01 00:00", first_seen="2026-12-01 00:05")
    sitefixture.fill(tmp_path / "press.db", [story])
    card = cards_of(tmp_path)[0]
    assert (card.published, card.sort_at) == (sitefixture.at("2099-01-01 00:00"), card.first_seen)


def test_hub_toml_may_be_missing_or_say_only_part(tmp_path: Path) -> None:
    assert db.read_hub(tmp_path) == records.Hub()
    sitefixture.hub(tmp_path, name="우리 허브", contact="", unknown="x")
    assert db.read_hub(tmp_path) == records.Hub(name="우리 허브", name_en="우리 허브")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[site]\nname = 3\n", "site.name must be text"),
        ("[site\n", "hub.toml"),
        ("site = 'x'\n", "must be a table"),
        ("options = 'x'\n", "options must be a table"),
        ("[options]\nfeeds_obey_named_group = 'yes'\n", "options.feeds_obey_named_group must be true or false"),
        ("[options]\nlane_by = 3\n", "options.lane_by must be text"),
        ("[bot]\naddresses = '1.2.3.4'\n", "bot.addresses must be a list of texts"),
        ("[bot]\naddresses = [1]\n", "bot.addresses must be a list of texts"),
        ("[bot]\naddresses = ['nowhere']\n", "bot.addresses: 'nowhere' is no IP address or network"),
    ],
)
def test_a_broken_hub_toml_is_an_error_that_names_it(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "hub.toml").write_text(text, "utf-8")
    with pytest.raises(BuildError, match=message):
        db.read_hub(tmp_path)


def test_P01_the_name_on_the_policy_page_is_the_crawlers_own() -> None:
    assert records.AGENT == AGENT


@pytest.mark.parametrize("name", ["plain", "a#b", "a?b", "a%23b"])
def test_a_press_file_is_opened_for_reading_only(tmp_path: Path, name: str) -> None:
    """A writable opening would make the missing file, or one of a shorter name where `#` cuts the address."""
    with closing(sqlite3.connect("", uri=True)) as scratch, pytest.raises(BuildError, match="not a readable"):
        db._copy(scratch, tmp_path / name, whole=True)
    assert list(tmp_path.iterdir()) == []


def standing(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_build_leaves_the_data_folder_as_it_was_whatever_the_journal(tmp_path: Path, mode: str) -> None:
    data = tmp_path / "data"
    rolled(data)
    for path in data.glob("*.db"):
        with closing(sqlite3.connect(path)) as raw:
            raw.execute(f"PRAGMA journal_mode={mode}")
    before = standing(data)
    assert len(before) == 3
    site.build(data, tmp_path / "site")
    with db.scratch(data) as whole:
        assert whole.execute("SELECT count(*) FROM articles").fetchone() == (13,)
    assert standing(data) == before


def test_changes_that_stand_in_a_log_alone_are_refused_not_overlooked(tmp_path: Path) -> None:
    data = tmp_path / "data"
    sitefixture.fill(data / "press.db")
    with closing(sqlite3.connect(data / "press.db")) as raw:
        raw.execute("PRAGMA journal_mode=wal")
        raw.execute("UPDATE articles SET title = '새 제목' WHERE id = 1")
        raw.commit()
        with pytest.raises(BuildError, match=r"press\.db-wal beside it holds changes"):
            press_of(data)


# -- the index ---------------------------------------------------------------------------------------------------------


def rolled(folder: Path) -> None:
    """Three files: two stories, then a gap in the numbers and one, then all of the fixture from 11 on."""
    sitefixture.fill(folder / "press.db", first_id=11)
    old = [Story("mulgyeol", "옛 글", "2019-01-01", tags=()), Story("hanbit-news", "더 옛 글", "2018-01-01", tags=())]
    sitefixture.fill(folder / "press-0001.db", old, first_id=2, whole=False)
    sitefixture.fill(folder / "press-0002.db", [Story("saebom-bs", "셋", "2020-01-01")], first_id=7, whole=False)


def columns_of(index: Index) -> dict[int, tuple[object, ...]]:
    """All that an index says of each article, with names for numbers."""
    return {
        id: (
            index.outlet[id], index.kinds[index.kind[id]], index.marks[id], index.published[id], index.first_seen[id],
            index.changed[id], index.sort_at[id], index.day[id], month_name(index.month[id]),
            tuple(sorted(index.tag_names[tag] for tag in index.tags(id))),
        )
        for id in index.ids
    }  # fmt: skip


def test_the_index_says_of_each_article_what_its_card_says(tmp_path: Path) -> None:
    rolled(tmp_path)
    with db.opened(tmp_path) as press:
        cards = press.read(press.index.ids)
    found = columns_of(press.index)
    assert list(found) == [2, 3, 7, *range(11, 21)]
    for card in cards:
        outlet, kind, marks, published, first_seen, changed, sort_at, day, month, tags = found[card.id]
        assert isinstance(outlet, int)
        assert isinstance(day, int)
        assert isinstance(marks, int)
        assert press.outlets[outlet].slug == card.outlet
        assert (kind, month, tags) == (card.kind, card.month, card.tags)
        assert published == (NEVER if card.published is None else card.published)
        assert (first_seen, changed, sort_at) == (card.first_seen, card.changed, card.sort_at)
        assert filters.day_of(day) == filters.kst_day(card.sort_at)
        assert bool(marks & SUMMARY) == bool(card.summary)


def test_outlets_are_counted_over_all_files_as_the_view_over_all_of_them_counts(tmp_path: Path) -> None:
    rolled(tmp_path)
    with db.scratch(tmp_path) as whole:
        counted = whole.execute("SELECT slug, articles, earliest, since FROM site_outlet ORDER BY id").fetchall()
    outlets = press_of(tmp_path).outlets
    assert [(one.slug, one.articles, one.earliest, one.since) for one in outlets] == counted


def test_cards_come_in_the_order_asked_for_over_all_files(tmp_path: Path) -> None:
    rolled(tmp_path)
    with db.opened(tmp_path) as press:
        cards = press.read([12, 2, 7, 11])
        assert [card.id for card in cards] == [12, 2, 7, 11]
        assert press.titles([12, 2, 7, 11]) == [card.title for card in cards]


def test_any_change_of_a_card_changes_its_digest_and_no_others(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    before = press_of(tmp_path).index
    for change in (
        "UPDATE articles SET title = title || '!' WHERE id = 3",
        "UPDATE articles SET summary = 'x' WHERE id = 3",
        "UPDATE articles SET precision = 'hour' WHERE id = 3",
        "UPDATE articles SET image_url = 'https://x.example/' WHERE id = 3",
        "INSERT INTO article_tags VALUES (3, 1)",
        "UPDATE articles SET withheld = 'nosnippet' WHERE id = 3",
    ):
        with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
            raw.execute(change)
            raw.commit()
        after = press_of(tmp_path).index
        assert after.digest([3]) != before.digest([3]), change
        assert after.digest(id for id in after.ids if id != 3) == before.digest(id for id in before.ids if id != 3)
        before = after


CHANGES = [
    "UPDATE outlets SET name = '새 이름' WHERE slug = 'mulgyeol'",
    "UPDATE outlets SET title_only = 1",
    "UPDATE tags SET tag = '다른 말'",
    "INSERT INTO tombstones SELECT key, 0, 'request' FROM old.articles WHERE id = 2",
    "UPDATE old.articles SET title = 'x', summary = 'y' WHERE id = 2",
    "INSERT INTO old.article_tags VALUES (2, 1)",
    "DROP VIEW shown; CREATE VIEW shown AS SELECT a.id, a.outlet, 1 AS with_summary FROM articles a "
    "JOIN outlets o ON o.id = a.outlet WHERE a.id % 2 AND o.listed AND a.key NOT IN (SELECT key FROM tombstones)",
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_kept_part_never_hides_a_change(tmp_path: Path, change: str) -> None:
    """Whatever an earlier build kept, the index is the one that a first build would read."""
    rolled(tmp_path)
    book = PartBook(tmp_path / "kept")
    with db.opened(tmp_path, book) as first:
        pass
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("ATTACH ? AS old", (str(tmp_path / "press-0001.db"),))
        raw.executescript(change)
        raw.commit()
    with db.opened(tmp_path, book) as press:
        after = press.index
    fresh = press_of(tmp_path).index
    assert columns_of(after) == columns_of(fresh)
    assert after.digest(after.ids) == fresh.digest(fresh.ids)
    assert after.digest(after.ids) != first.index.digest(first.index.ids)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("DELETE FROM old.article_tags; DELETE FROM old.articles WHERE id = 3", "does not hold the articles"),
        ("UPDATE old.articles SET source = 99 WHERE id = 3", "a row in articles"),
        ("DELETE FROM sources WHERE id = 1", "a row in"),
        ("UPDATE older_files SET articles = 5 WHERE file = 1", "does not hold the articles"),
        ("PRAGMA old.user_version = 77", "schema version 77"),
    ],
)
def test_what_was_once_found_sound_is_checked_again_when_it_or_what_it_refers_to_changes(
    tmp_path: Path, change: str, told: str
) -> None:
    rolled(tmp_path)
    book = PartBook(tmp_path / "kept")
    for _ in range(2):
        with db.opened(tmp_path, book):
            pass
    assert len(list((tmp_path / "kept").glob("*.sound"))) == 2
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("PRAGMA foreign_keys = off")
        raw.execute("ATTACH ? AS old", (str(tmp_path / "press-0001.db"),))
        raw.executescript(change)
        raw.commit()
    with pytest.raises(BuildError, match=told), db.opened(tmp_path, book):
        pass


def test_what_was_kept_is_used_and_damage_to_it_is_seen(tmp_path: Path) -> None:
    rolled(tmp_path)
    book = PartBook(tmp_path / "kept")
    with db.opened(tmp_path, book) as press:
        expected = columns_of(press.index)
    kept = sorted((tmp_path / "kept").glob("*.part"))
    assert [path.name for path in kept] == ["press-0001.db.part", "press-0002.db.part", "press.db.part"]
    before = [path.stat().st_mtime_ns for path in kept]
    with db.opened(tmp_path, book):
        pass
    assert [path.stat().st_mtime_ns for path in kept] == before
    for path in kept:
        whole = path.read_bytes()
        for damaged in (b"", whole[:-1], whole[:100], whole[:-9] + b"x" + whole[-8:]):
            path.write_bytes(damaged)
            with db.opened(tmp_path, book) as press:
                assert columns_of(press.index) == expected
            assert path.read_bytes() == whole
    with db.opened(tmp_path, PartBook(tmp_path / "kept", b"other code")):
        pass
    assert [path.stat().st_mtime_ns for path in kept] != before
