"""Older articles roll off into files of their own: nothing lost or doubled, nothing written again without need."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from build import db as site
from build.records import BuildError
from crawl import audit, cli, forecast, hub, pressfile, ranges, status, takeback
from crawl.errors import StoreDamaged
from crawl.exclusions import Exclusions
from crawl.registry import Registry
from crawl.rolling import Limits
from crawl.store import Store
from tests.nights import FIRST_NIGHT, Hub, Scripted, answer, outlet, registry, rss

URL = "https://news.hanbit.ac.example/rss/all.xml"
SETTINGS = hub.parse(hub.TEMPLATE.encode(), "hub.toml")
LIMITS = Limits(articles=20, at_once=10)
TABLES = pressfile.tables(pressfile.PRESS_SQL)
NIGHTLY = {"nights", "servers_last_night", "policy"}
"""What data.md lets change on a night that found nothing new."""


def paper(nights: int, a_night: int) -> Scripted:
    """A paper whose feed shows, night after night, so many new articles."""
    shown = [
        answer(
            body=rss(
                *(f"기사 {n}" for n in range(1 + night * a_night, 1 + (night + 1) * a_night)), first=1 + night * a_night
            )
        )
        for night in range(nights)
    ]
    return Scripted({URL: shown})


def hub_of(root: Path, nights: int = 5, a_night: int = 7, limits: Limits = LIMITS) -> Hub:
    return Hub(root, paper(nights, a_night), registry([URL]), limits=limits)


def rolled(root: Path) -> Hub:
    """Thirty-five articles: one older file of ten, a second of ten, fifteen in press.db."""
    one = hub_of(root)
    for number in range(1, 6):
        one.night(number)
    return one


def files(one: Hub) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in one.data.iterdir()}


def written(one: Hub) -> dict[str, tuple[int, int]]:
    """Which file stands under each name, and when it was written."""
    found = {path.name: path.stat() for path in one.data.iterdir()}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in found.items()}


def ids(path: Path, table: str = "articles", column: str = "id") -> list[int]:
    with closing(pressfile.read_only(path)) as db:
        return [row[0] for row in db.execute(f"SELECT {column} FROM {table} ORDER BY 1")]


def dumps(one: Hub) -> dict[str, list[tuple[object, ...]]]:
    """Every table over all files."""
    with closing(ranges.opened(one.data)) as db:
        return {table: db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES}


@contextmanager
def edited(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        yield db


# -- rolling ---------------------------------------------------------------------------------------------------------


def test_the_oldest_articles_roll_off_once_press_db_would_hold_too_many(tmp_path: Path) -> None:
    one = hub_of(tmp_path)
    one.night(1)
    one.night(2)
    assert list(files(one)) == ["press.db"], "fourteen are no reason to roll"
    one.night(3)
    assert sorted(files(one)) == ["press-0001.db", "press.db"]
    assert ids(one.data / "press-0001.db") == list(range(1, 11))
    assert ids(one.data / "press.db") == list(range(11, 22))
    assert one.dump("older_files") == [(1, 1, 10, 10)]
    one.night(4)
    one.night(5)
    assert one.dump("older_files") == [(1, 1, 10, 10), (2, 11, 20, 10)]
    assert ids(one.data / "press.db") == list(range(21, 36))
    assert {title for (title,) in one.read("SELECT title FROM articles")} == {f"기사 {n}" for n in range(1, 36)}
    assert one.breaches() == {}


def test_only_articles_their_tags_and_their_edits_roll(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    with closing(pressfile.read_only(one.data / "press-0001.db")) as db:
        kinds = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite%'")}
        pressfile.check(db, one.data / "press-0001.db")
        assert db.execute("PRAGMA page_size").fetchone() == (4096,)
    assert kinds == {"articles", "article_tags", "revisions"}


def test_rolled_or_not_the_record_is_the_same(tmp_path: Path) -> None:
    one = rolled(tmp_path / "rolled")
    other = hub_of(tmp_path / "whole", limits=Limits())
    for number in range(1, 6):
        other.night(number)
    ours, theirs = dumps(one), dumps(other)
    assert ours.pop("older_files") != theirs.pop("older_files")
    assert ours == theirs
    assert sorted(site_cards(one.data)) == sorted(site_cards(other.data))


def site_cards(data: Path) -> list[tuple[int, str]]:
    with site.opened(data) as press:
        return [(card.id, card.title) for card in press.read(press.index.ids)]


def test_many_articles_at_once_fill_several_older_files(tmp_path: Path) -> None:
    one = hub_of(tmp_path, nights=1, a_night=57)
    one.night(1)
    assert one.dump("older_files") == [(1, 1, 10, 10), (2, 11, 20, 10), (3, 21, 30, 10), (4, 31, 40, 10)]
    assert ids(one.data / "press.db") == list(range(41, 58))


def test_a_heavy_press_db_rolls_although_its_articles_are_few(tmp_path: Path) -> None:
    bytes_of = 4096 * 40
    one = hub_of(tmp_path, nights=1, a_night=500, limits=Limits(at_once=300, roll_bytes=bytes_of))
    one.night(1)
    assert one.dump("older_files"), "it weighed more than it should"
    assert (one.data / "press.db").stat().st_size <= bytes_of
    assert len(one.read("SELECT id FROM articles")) == 500


def test_a_press_db_that_weighs_by_something_else_does_not_roll_its_last_articles_night_after_night(
    tmp_path: Path,
) -> None:
    one = hub_of(tmp_path, nights=4, a_night=30, limits=Limits(at_once=80, roll_bytes=4096))
    for number in (1, 2, 3, 4):
        one.night(number)
    assert [articles for _, _, _, articles in one.dump("older_files")] == [24, 28, 30, 30]


def test_an_older_file_gets_no_more_text_than_it_can_carry(tmp_path: Path) -> None:
    one = hub_of(tmp_path, nights=1, a_night=30, limits=replace(LIMITS, text_bytes=800))
    one.night(1)
    held = [int(str(articles)) for _, _, _, articles in one.dump("older_files")]
    assert held
    assert max(held) < LIMITS.at_once
    assert len(one.read("SELECT id FROM articles")) == 30


def test_a_file_too_heavy_to_be_committed_stops_the_rebuild_and_touches_nothing(tmp_path: Path) -> None:
    one = hub_of(tmp_path)
    one.night(1)
    before = files(one)
    one.limits = Limits(roll_bytes=4096, file_bytes=4096 * 3)
    with pytest.raises(StoreDamaged, match="would weigh"):
        one.night(2)
    assert files(one) == before
    one.limits = LIMITS
    one.night(2)
    assert len(one.read("SELECT id FROM articles")) == 14, "the broken-off night is taken up again"


# -- what stays as it is -----------------------------------------------------------------------------------------------


def test_a_second_identical_night_changes_the_nights_own_rows_alone(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    before, bytes_before = dumps(one), files(one)
    one.night(6)
    after, bytes_after = dumps(one), files(one)
    assert {table for table in TABLES if before[table] != after[table]} == {"nights", "servers_last_night"}
    changed = {name for name in bytes_after if bytes_after[name] != bytes_before[name]}
    assert changed == {"press.db"}


def test_an_untouched_older_file_is_not_even_written(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    before = written(one)
    one.night(6)
    after = written(one)
    assert {name for name in after if after[name] != before[name]} == {"press.db"}


def edit_article(db: sqlite3.Connection) -> None:
    db.execute("UPDATE articles SET title = '고친 제목' WHERE id = 3")


def edit_tags(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO tags(tag) VALUES ('보도')")
    db.execute("INSERT INTO article_tags SELECT 3, id FROM tags WHERE tag = '보도'")


def edit_revisions(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO revisions VALUES (NULL, 3, 1, 'title', '옛 제목')")


def delete(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM articles WHERE id = 3")


def fill_again(db: sqlite3.Connection) -> None:
    row = db.execute("SELECT * FROM articles WHERE id = 3").fetchone()
    db.execute("DELETE FROM articles WHERE id = 3")
    db.execute("DELETE FROM touched")
    db.execute(f"INSERT INTO articles VALUES ({', '.join('?' * len(row))})", row)
    db.execute("UPDATE articles SET title = '돌아온 제목' WHERE id = 3")


@pytest.mark.parametrize("edit", [edit_article, edit_tags, edit_revisions, delete, fill_again])
def test_a_late_change_writes_the_file_of_its_article_and_no_other(
    edit: Callable[[sqlite3.Connection], None], tmp_path: Path
) -> None:
    one = rolled(tmp_path)
    before = files(one)
    with closing(Store(one.data, one.state, one.books, LIMITS)) as store:
        with store.transaction():
            edit(store.readable())
        store.publish()
    after = files(one)
    changed = {name for name in after if after[name] != before[name]}
    assert "press-0001.db" in changed
    assert changed <= {"press-0001.db", "press.db"}
    ranges.whole(one.data)
    assert one.read("SELECT value FROM state_meta WHERE name = 'press_digest'") == [(pressfile.press_digest(one.data),)]


def test_what_an_older_file_held_is_gone_from_its_bytes_once_emptied(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    secret = "기사 3".encode()
    assert secret in (one.data / "press-0001.db").read_bytes()
    with closing(Store(one.data, one.state, one.books, LIMITS)) as store:
        with store.transaction():
            store.readable().execute("UPDATE articles SET title = '', summary = '', url = '' WHERE id = 3")
        store.publish()
    ours = (one.data / "press-0001.db").read_bytes()
    assert secret + " 요약".encode() not in ours
    assert ours.count(secret) == 0


def test_a_change_that_changes_nothing_writes_nothing(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    before = written(one)
    with closing(Store(one.data, one.state, one.books, LIMITS)) as store:
        with store.transaction():
            store.readable().execute("UPDATE articles SET title = title")
        store.publish()
    assert written(one) == before


def test_the_same_content_gives_the_same_bytes_whatever_way_it_came(tmp_path: Path) -> None:
    one, other = rolled(tmp_path / "one"), hub_of(tmp_path / "other")
    for number in range(1, 6):
        other.night(number)
        with closing(Store(other.data, other.state, other.books, LIMITS)) as store:  # a visit more, and all read anew
            store.publish()
    assert files(one) == files(other)


def test_a_drop_in_an_older_range_leaves_its_number_unused_and_its_file_in_order(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    with closing(Store(one.data, one.state, one.books, LIMITS)) as store:
        with store.transaction():
            taken = takeback.drop(store.readable(), 1, "2026-03-05")
        store.publish()
    assert taken.articles == 7
    assert one.dump("older_files")[0] == (1, 1, 10, 3)
    assert ids(one.data / "press-0001.db") == [8, 9, 10]
    one.night(6)
    assert min(ids(one.data / "press.db")) > 20


def test_an_older_file_of_an_earlier_schema_is_read_and_written_as_todays(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    held = files(one)
    with edited(one.data / "press-0001.db") as db:
        db.execute("ALTER TABLE articles DROP COLUMN withheld")
        db.execute(f"PRAGMA user_version = {pressfile.SCHEMA_VERSION - 1}")
    one.night(6)
    after = files(one)
    assert {name: after[name] for name in ("press-0001.db", "press-0002.db")} == {
        name: held[name] for name in ("press-0001.db", "press-0002.db")
    }
    assert one.breaches() == {}


def test_a_night_broken_off_over_other_press_files_is_rescued_into_those_that_rolled(tmp_path: Path) -> None:
    one = rolled(tmp_path / "one")
    other = hub_of(tmp_path / "other")
    other.night(1)
    other.night(2)
    with closing(Store(other.data, other.state, other.books, LIMITS)) as store, store.transaction():
        db = store.readable()
        names = ", ".join(
            name for name in pressfile.columns(db, "articles", "main") if name not in ("id", "key", "title")
        )
        db.execute(
            f"INSERT INTO articles(key, title, {names}) SELECT ?, '건진 기사', {names} FROM articles WHERE id = 1",
            (b"12345678",),
        )
    shutil.rmtree(other.data)
    shutil.copytree(one.data, other.data)
    other.night(6)
    assert other.read("SELECT id, title FROM articles WHERE id > 35") == [(36, "건진 기사")]
    assert {str(title) for (title,) in other.read("SELECT title FROM articles WHERE id < 36")} == {
        f"기사 {number}" for number in range(1, 36)
    }
    ranges.whole(other.data)


# -- files that do not belong together -------------------------------------------------------------------------------------


def lose(data: Path) -> None:
    (data / "press-0001.db").unlink()


def lose_the_last(data: Path) -> None:
    (data / "press-0002.db").unlink()


def older_press(data: Path) -> None:
    with edited(data / "press.db") as db:
        db.execute("DELETE FROM older_files WHERE file = 2")


def stranger(data: Path) -> None:
    shutil.copyfile(data / "press-0002.db", data / "press-0003.db")


def exchange(data: Path) -> None:
    shutil.copyfile(data / "press-0002.db", data / "press-0001.db")


def fewer(data: Path) -> None:
    with edited(data / "press-0002.db") as db:
        db.execute("DELETE FROM articles WHERE id = 12")


def no_outlet(data: Path) -> None:
    with edited(data / "press-0002.db") as db:
        db.execute("UPDATE articles SET outlet = 99 WHERE id = 12")


def no_tag(data: Path) -> None:
    with edited(data / "press-0002.db") as db:
        db.execute("INSERT INTO article_tags VALUES (12, 99)")


def no_article(data: Path) -> None:
    with edited(data / "press-0002.db") as db:
        db.execute("INSERT INTO revisions VALUES (9, 99, 1, 'title', '옛')")


def doubled(data: Path) -> None:
    with edited(data / "press.db") as db:
        db.execute("UPDATE articles SET id = 12 WHERE id = 22")


def damaged(data: Path) -> None:
    path = data / "press-0002.db"
    path.write_bytes(path.read_bytes()[:4096] + b"\x07" * 4096 + path.read_bytes()[8192:])


WRONGS = [lose, lose_the_last, older_press, stranger, exchange, fewer, no_outlet, no_tag, no_article, doubled, damaged]


@pytest.mark.parametrize("wrong", WRONGS)
def test_every_door_refuses_press_files_that_do_not_belong_together(
    wrong: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = rolled(tmp_path)
    shutil.copytree(one.data, tmp_path / "good")
    wrong(one.data)
    before = files(one)
    doors: list[Callable[[], object]] = [
        lambda: one.night(7),
        lambda: audit.open_files(one.data, one.state),
        lambda: status.open_files(one.data, one.state),
        lambda: forecast.forecast(one.data, one.state, one.books, SETTINGS, FIRST_NIGHT + 7 * 86_400),
    ]
    for door in doors:
        with pytest.raises(StoreDamaged, match=r"press.*\.db"):
            door()
    with pytest.raises(BuildError, match=r"press.*\.db"):
        site_cards(one.data)
    assert cli.main(["check", "--data", str(one.data)]) == 1
    assert "press" in capsys.readouterr().out
    review = ["diff", str(tmp_path / "good"), str(one.data), "--gate", "--data", str(tmp_path)]
    assert cli.main(review) == 1
    assert files(one) == before


def test_the_same_article_in_two_files_is_named(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    with closing(pressfile.read_only(one.data / "press.db")) as db:
        key = db.execute("SELECT key FROM articles WHERE id = 22").fetchone()[0]
    with edited(one.data / "press-0001.db") as db:
        db.execute("UPDATE articles SET key = ? WHERE id = 3", (key,))
    with pytest.raises(StoreDamaged, match="a row twice"):
        one.night(7)


def test_older_files_without_press_db_are_not_taken_for_an_empty_hub(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    (one.data / "press.db").unlink()
    with pytest.raises(StoreDamaged, match=r"press\.db: is missing beside press-0001\.db"):
        one.night(7)


# -- judgement over all files ----------------------------------------------------------------------------------------------


def test_an_article_of_an_older_file_is_known_and_its_edit_is_no_new_article(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    one.web.answers[URL].append(answer(body=rss("고친 기사 3", first=3)))
    one.night(6)
    assert one.read("SELECT id, title FROM articles WHERE id = 3") == [(3, "고친 기사 3")]
    assert one.read("SELECT article, field, old FROM revisions ORDER BY field DESC")[0] == (3, "title", "기사 3")
    assert len(one.read("SELECT id FROM articles")) == 35
    assert ids(one.data / "press-0001.db", "revisions", "article") != []
    assert ids(one.data / "press.db", "revisions", "article") == []


def test_the_audit_and_the_states_see_the_articles_of_all_files(tmp_path: Path) -> None:
    one = rolled(tmp_path)
    with closing(Store(one.data, one.state, one.books, LIMITS)) as store:
        with store.transaction():
            store.readable().execute("UPDATE articles SET summary = ? WHERE id = 3", ("가" * 5_000,))
        store.publish()
    assert one.breaches() == {"summary_max_chars": 1}
    with closing(status.open_files(one.data, one.state)) as db:
        assert db.execute("SELECT count(*) FROM articles").fetchone() == (35,)
    (one.state / "state.db").unlink()
    with closing(status.open_files(one.data, one.state)) as db:
        assert db.execute("SELECT count(*), (SELECT count(*) FROM looks) FROM articles").fetchone() == (35, 0)


def test_a_new_feed_of_an_empty_hub_needs_no_older_file(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "data", tmp_path / "state", Registry((outlet("a"),), (), Exclusions()))) as store:
        store.publish()
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["press.db"]
    assert ranges.whole(tmp_path / "data") == [tmp_path / "data" / "press.db"]
