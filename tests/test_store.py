"""Kills, damage, resumption: no stored row is ever lost, nothing half-written is ever committed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from crawl import pressfile
from crawl.errors import Misuse, NightHeld, StoreDamaged
from crawl.night import Night
from crawl.policy import Policy
from crawl.store import Store
from tests.nights import FIRST_NIGHT, Hub, Scripted, answer, registry, rss
from tests.sim.virtual import VirtualClock, VirtualWorkers

URLS = [f"https://s{number % 3}.example/rss/{number}.xml" for number in range(9)]


class Killed(BaseException):
    """Stands for a SIGKILL: nothing of the program runs afterwards."""


def hub(root: Path) -> Hub:
    answers = {
        url: [answer(body=rss(f"기사 {number}", host=f"s{number % 3}.example", first=number + 1))]
        for number, url in enumerate(URLS)
    }
    return Hub(root, Scripted(dict(answers)), registry(URLS))


def broken_off(one: Hub, after: int) -> None:
    """A night whose process dies when the given number of answers has been stored."""
    clock = VirtualClock(FIRST_NIGHT)
    store = Store(one.data, one.state, one.books)
    save, saved = store.save, 0

    def counting(*args: object) -> None:
        nonlocal saved
        if saved == after:
            raise Killed
        saved += 1
        save(*args)  # type: ignore[arg-type]

    store.save = counting  # type: ignore[method-assign, assignment]
    with pytest.raises(Killed):
        Night(store, VirtualWorkers(one.web, clock, Policy()), clock, Policy(), one.books.exclusions).run()
    store.close()


def titles(one: Hub) -> set[str]:
    return {str(row[0]) for row in one.read("SELECT title FROM articles")}


ALL = {f"기사 {number}" for number in range(9)}


@pytest.mark.parametrize("after", range(9))
def test_a_kill_at_any_answer_costs_no_stored_row_and_no_second_look(after: int, tmp_path: Path) -> None:
    one = hub(tmp_path)
    broken_off(one, after)
    assert one.dump("articles") == [], "nothing half-done is committed"
    with closing(sqlite3.connect(one.state / "work.db")) as left:
        stored = {str(row[0]) for row in left.execute("SELECT title FROM articles")}
        begun = {str(row[0]) for row in left.execute("SELECT url FROM request_log")}
    assert begun == {url for _, url, _ in one.web.heard}, "what was sent stood in the log before it was sent"
    one.night(at=FIRST_NIGHT + 60)
    asked = [url for _, url, _ in one.web.heard]
    assert len(asked) == len(set(asked)) == 9, "no source is looked at twice in a night"
    assert stored <= titles(one), "no stored row is lost"
    unstored = {f"기사 {URLS.index(url)}" for url in begun} - stored
    assert titles(one) == ALL - unstored, "only answers that had not been stored yet may be missing"
    assert len(stored) >= after - after % 3
    outcomes = one.read("SELECT count(*), count(DISTINCT source), sum(reason = 'interrupted') FROM looks")
    assert outcomes == [(9, 9, len(unstored))], "every source has one outcome, the lost answers by name"
    assert one.breaches() == {}


def test_P20_a_restart_keeps_the_gap_to_the_last_request_before_the_kill(tmp_path: Path) -> None:
    one = hub(tmp_path)
    broken_off(one, 3)
    last = {}
    for now, url, _ in one.web.heard:
        last[url.split("/")[2]] = now + 0.5
    count = len(one.web.heard)
    restart = max(last.values())
    one.night(at=restart)
    for now, url, _ in one.web.heard[count:]:
        assert now >= last.pop(url.split("/")[2], 0) + Policy().spacing_s


def test_a_night_broken_off_on_top_of_an_older_press_file_is_rescued_into_the_newer_one(tmp_path: Path) -> None:
    one = hub(tmp_path / "one")
    broken_off(one, 5)
    other = Hub(
        tmp_path / "two",
        Scripted({URLS[0]: [answer(body=rss("다른 곳의 기사", host="elsewhere.example"))]}),
        registry(URLS[:1]),
    )
    other.night()
    (one.data / "press.db").write_bytes((other.data / "press.db").read_bytes())
    one.night(2)
    assert titles(one) == ALL | {"다른 곳의 기사"}
    assert one.read("SELECT count(*), count(DISTINCT id), count(DISTINCT started) FROM nights") == [(2, 2, 2)]
    assert one.read("SELECT due, requests FROM nights WHERE day = '2026-03-06'") == [(9, 9)]


def test_two_nights_cannot_run_on_one_state_folder_nor_on_one_data_folder(tmp_path: Path) -> None:
    one = hub(tmp_path)
    with closing(Store(one.data, one.state, one.books)):
        with pytest.raises(NightHeld, match="another night"):
            Store(one.data, one.root / "other", one.books)
        with pytest.raises(NightHeld, match="another night"):
            Store(one.root / "other", one.state, one.books)
    Store(one.data, one.state, one.books).close()


@pytest.mark.parametrize("content", [b"garbage", b"", b"SQLite format 3\0" + b"\0" * 100])
def test_a_damaged_work_database_is_named_with_its_cure(content: bytes, tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night()
    (one.state / "work.db").write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"work\.db.*move it away"):
        one.night(2)
    (one.state / "work.db").unlink()
    one.night(2)
    assert titles(one) == ALL


def test_P10_a_stopped_night_whose_state_was_lost_is_not_collected_again_that_day(tmp_path: Path) -> None:
    one = hub(tmp_path)
    broken_off(one, 4)
    asked = len(one.web.heard)
    for path in one.state.iterdir():
        path.unlink()
    assert one.night(at=FIRST_NIGHT + 60).night is None
    assert len(one.web.heard) == asked
    one.night(2)
    assert titles(one) == ALL


def test_a_run_in_which_nothing_could_be_sent_does_not_block_the_day(tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night(at=FIRST_NIGHT + 600, until=FIRST_NIGHT + 300)
    assert one.web.heard == []
    one.night(at=FIRST_NIGHT + 700)
    assert titles(one) == ALL
    assert len(one.dump("nights")) == 1, "one night, run in two parts"


def test_a_later_part_of_a_night_adds_to_its_totals(tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night(until=FIRST_NIGHT + 2)
    assert one.read("SELECT due, ok, put_off FROM nights") == [(9, 3, 6)]
    one.night(at=FIRST_NIGHT + 60)
    assert one.read("SELECT due, ok, put_off, requests FROM nights") == [(9, 9, 0, 9)]


def test_a_replay_of_an_earlier_day_needs_a_state_of_its_own(tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night(2)
    with pytest.raises(Misuse, match="another --state"):
        one.night(1)


def test_a_damaged_press_file_stops_the_night_and_stays_as_it_is(tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night()
    path = one.data / "press.db"
    damaged = path.read_bytes()[:-4096] + b"\0" * 4096
    path.write_bytes(damaged)
    with pytest.raises(StoreDamaged, match=r"press\.db"):
        one.night(2)
    assert path.read_bytes() == damaged


def test_a_press_file_of_an_unknown_schema_version_is_refused_by_name(tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night()
    with closing(sqlite3.connect(one.data / "press.db")) as db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(StoreDamaged, match="schema version 9"):
        one.night(2)


def test_a_rebuild_that_fails_its_check_leaves_the_target_alone(tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night()
    before = (one.data / "press.db").read_bytes()
    with closing(sqlite3.connect(tmp_path / "work.db")) as db:
        db.executescript(pressfile.PRESS_SQL)
        db.execute("INSERT INTO article_tags VALUES (1, 1)")
        db.commit()
    with pytest.raises(StoreDamaged, match="refers to nothing"):
        pressfile.write(tmp_path / "work.db", one.data / "press.db", pressfile.Part(pressfile.PRESS_SQL))
    assert (one.data / "press.db").read_bytes() == before


def test_the_committed_file_is_strict_and_carries_no_index_no_fts_and_its_views(tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night()
    with closing(one.press()) as db:
        kinds = dict(db.execute("SELECT name, type FROM sqlite_master").fetchall())
        strict = {row[1] for row in db.execute("PRAGMA table_list") if row[2] == "table" and row[5]}
        assert db.execute("PRAGMA page_size").fetchone() == (4096,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    indexes = [name for name, kind in kinds.items() if kind == "index" and not name.startswith("sqlite_autoindex")]
    assert indexes == []
    assert strict >= set(pressfile.tables(pressfile.PRESS_SQL))
    assert {name for name, kind in kinds.items() if kind == "view"} >= {"site_card", "site_policy", "open_articles"}


def test_no_journal_or_scratch_file_is_left_beside_the_committed_one(tmp_path: Path) -> None:
    one = hub(tmp_path)
    one.night()
    assert sorted(path.name for path in one.data.iterdir()) == ["press.db"]
    assert sorted(path.name for path in one.state.iterdir()) == ["state.db"]


def test_a_data_folder_with_odd_characters_in_its_name_works(tmp_path: Path) -> None:
    one = hub(tmp_path / "한빛 #1?%20")
    one.night()
    assert titles(one) == ALL
    assert sorted(path.name for path in tmp_path.iterdir()) == ["한빛 #1?%20"]


def test_every_column_of_the_schema_has_its_one_line_description() -> None:
    for line in pressfile.PRESS_SQL.splitlines():
        if line.startswith("  ") and not line.startswith("  PRIMARY KEY"):
            assert " -- " in line or ", --" in line or ",--" in line, line
