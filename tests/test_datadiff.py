"""The diff is exact, over any split into files, agrees with Debian's sqldiff, and its gate refuses what must not be merged."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import crawl.cli
from crawl import clidiff, diffhtml, diffmarkdown, pressfile
from crawl.diffrecords import Review
from crawl.errors import StoreDamaged
from crawl.exclusions import Exclusions
from tests import twostates
from tests.nights import DAY_S, Hub, Scripted, answer, registry, rss
from tests.sitefixture import row
from tests.twostates import add, article, tonight

ROOT = Path(__file__).parent.parent
ROWS = range(1, 301)


def judged(old: Path, new: Path, wishes: Exclusions | None = None) -> Review:
    return clidiff.review(pressfile.press_files(old), pressfile.press_files(new), wishes or Exclusions(), None)


def everywhere(folder: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    """The same change in every file of a state."""
    for path in pressfile.press_files(folder):
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            change(db)


def told(review: Review) -> set[str]:
    return {one.told for one in review.anomalies}


SPLITS: dict[str, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {
    "one file each": ([], []),
    "three files each": ([(1, 100), (101, 200)], [(1, 100), (101, 200)]),
    "rolled since": ([], [(1, 100), (101, 200)]),
    "rolled on": ([(1, 100)], [(1, 100), (101, 250)]),
    "split otherwise": ([(1, 90), (91, 120)], [(1, 150)]),
}


@pytest.mark.parametrize("split", SPLITS, ids=str)
def test_every_change_is_found_and_nothing_else(split: str, tmp_path: Path) -> None:
    before, after = SPLITS[split]
    retitled, retagged, emptied, dropped, filled = (
        {7, 99, 100, 101, 222},
        {8, 102, 300},
        {9, 150, 299},
        {10, 11},
        {12, 250},
    )
    empty = {"url": "", "title": "", "summary": "", "byline": ""}
    rows = [article(n) | ({**empty} if n in filled else {}) for n in ROWS]
    old = twostates.write(tmp_path / "old", rows, spans=before)
    kept = [article(n) | ({**empty} if n in emptied else {}) | ({"title": f"고친 제목 {n}"} if n in retitled else {})
            for n in ROWS if n not in dropped]  # fmt: skip
    new = twostates.write(tmp_path / "new", [*kept, *(tonight(n) for n in range(301, 311))], spans=after)
    changed = ", ".join(map(str, retagged))
    everywhere(new, lambda db: db.execute(f"UPDATE article_tags SET tag = tag % 12 + 1 WHERE article IN ({changed})"))
    diff = judged(old, new).diff
    assert [one.id for one in diff.new] == sorted(filled | set(range(301, 311)))
    assert {one.after.id: one.fields for one in diff.edits} == dict.fromkeys(
        sorted(retitled), ("title",)
    ) | dict.fromkeys(retagged, ("tags",))
    assert [one.after.id for one in diff.edits] == sorted(retitled | retagged)
    assert {one.key for one in diff.gone} == {article(n)["key"].hex() for n in emptied | dropped}
    assert {(one.before.title, one.after.title) for one in diff.edits if "title" in one.fields} == {
        (article(n)["title"], f"고친 제목 {n}") for n in retitled
    }
    for tally in diff.outlets:
        assert tally.before + tally.new + tally.archived - tally.gone == tally.after
    assert sum(one.before for one in diff.outlets) == 298
    assert sum(one.after for one in diff.outlets) == 298 + 12 - 5
    assert not any("sums" in one for one in told(judged(old, new)))


@pytest.mark.parametrize("spans", [[], [(1, 100), (101, 200)]])
def test_two_equal_states_pass_without_a_change(spans: list[tuple[int, int]], tmp_path: Path) -> None:
    old, new = (twostates.write(tmp_path / name, map(article, ROWS), spans=spans) for name in ("old", "new"))
    review = judged(old, new)
    assert (review.verdict, review.anomalies) == ("PASS", ())
    diff = review.diff
    assert [*diff.new, *diff.edits, *diff.gone, *diff.nights, *diff.registry, *diff.policy, *diff.checks] == []
    assert {one.sha256 for one in diff.old_files} == {one.sha256 for one in diff.new_files}


def test_an_article_that_moved_is_edited_and_a_number_given_away_again_blocks(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))

    def moved(db: sqlite3.Connection) -> None:
        db.execute("UPDATE articles SET key = x'0102030405060708', url = 'https://press2.example/neu/5' WHERE id = 5")
        db.execute(
            "UPDATE articles SET key = x'0102030405060709', guid = NULL, url = url || '0', title = title || '!' WHERE id = 6"
        )

    first = judged(old, twostates.after(old, moved))
    assert [(one.after.id, one.fields) for one in first.diff.edits] == [
        (5, ("key", "url")),
        (6, ("key", "url", "guid", "title")),
    ]
    assert not first.diff.gone
    shutil.rmtree(tmp_path / "old-after")

    def reused(db: sqlite3.Connection) -> None:
        db.execute(
            """UPDATE articles SET key = x'0102030405060708', guid = 'x', url = 'https://press2.example/9', title = '딴 글'
               WHERE id = 7"""
        )

    second = judged(old, twostates.after(old, reused))
    assert [one.title for one in second.diff.new] == ["딴 글"]
    assert [one.key for one in second.diff.gone] == [article(7)["key"].hex()]
    assert second.verdict == "BLOCK"
    assert "number_reused (1)" in told(second)


def test_what_a_sqldiff_of_the_same_two_files_counts_is_what_we_count(tmp_path: Path) -> None:
    if shutil.which("sqldiff") is None:
        pytest.skip("sqldiff is not installed (Debian: sqlite3-tools)")
    old = twostates.write(tmp_path / "old", map(article, ROWS))

    def change(db: sqlite3.Connection) -> None:
        db.execute("UPDATE articles SET title = title || '.' WHERE id % 37 = 0")
        db.execute("UPDATE articles SET byline = '', published = published + 60 WHERE id % 53 = 0")
        db.execute("DELETE FROM article_tags WHERE article % 41 = 0")
        db.execute("DELETE FROM articles WHERE id % 41 = 0")
        db.execute("INSERT INTO tombstones VALUES (x'00112233445566aa', 1, 'asked')")
        db.execute("UPDATE sources SET format = 'atom10' WHERE id = 2")
        add(db, *(tonight(n) for n in range(301, 318)))

    new = twostates.after(old, change)
    diff = judged(old, new).diff
    printed = subprocess.run(
        ["sqldiff", "--summary", "--primarykey", str(old / "press.db"), str(new / "press.db")], capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip
    counts = {
        name: tuple(map(int, numbers))
        for name, *numbers in re.findall(r"^(\w+): (\d+) changes, (\d+) inserts, (\d+) deletes", printed, re.MULTILINE)
    }
    assert counts["articles"] == (len(diff.edits), len(diff.new), len(diff.gone)) == (13, 17, 7)
    assert counts["tombstones"] == (0, *diff.tombstones)
    assert counts["sources"] == (sum(one.table == "sources" for one in diff.registry), 0, 0)
    assert counts["nights"][1] == len(diff.nights) == 1
    assert counts["policy"] == (0, 0, 0) == (len(diff.policy), 0, 0)
    # And number by number: sqldiff writes the statements that lead from one to the other.
    script = subprocess.run(
        ["sqldiff", "--primarykey", "--table", "articles", str(old / "press.db"), str(new / "press.db")], capture_output=True,
        text=True, check=True,
    ).stdout  # fmt: skip
    updated = {int(n) for n in re.findall(r"^UPDATE articles SET .* WHERE id=(\d+);$", script, re.MULTILINE)}
    deleted = {int(n) for n in re.findall(r"^DELETE FROM articles WHERE id=(\d+);$", script, re.MULTILINE)}
    assert updated == {one.after.id for one in diff.edits}
    assert {article(n)["key"].hex() for n in deleted} == {one.key for one in diff.gone}


def test_P61_what_is_gone_is_a_key_and_a_reason_never_a_title(tmp_path: Path) -> None:
    rows = [
        article(n, title=f"떠나는 기사 {n}", summary=f"떠나는 요약 {n}", byline="떠나는 사람") if n < 4 else article(n)
        for n in ROWS
    ]
    old = twostates.write(tmp_path / "old", rows)

    def leave(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO tombstones SELECT key, 1, 'author-asked' FROM articles WHERE id < 3")
        db.execute("UPDATE articles SET url = '', title = '', summary = '', byline = '' WHERE id < 3")
        db.execute("UPDATE articles SET withheld = 'noindex', title = title || '!' WHERE id = 3")
        db.execute("UPDATE outlets SET name = '', homepage = '', listed = 0 WHERE id = 1")
        db.execute("UPDATE sources SET url = '', listed = 0 WHERE id = 1")

    review = judged(old, twostates.after(old, leave))
    assert [(one.key, one.reason) for one in review.diff.gone] == [
        (article(n, title="x")["key"].hex(), "author-asked") for n in (1, 2)
    ]
    for text in (
        diffmarkdown.write(review),
        diffhtml.write(review),
        json.dumps(json.loads(clidiff.as_json(review)), ensure_ascii=False),
    ):
        assert "떠나는" not in text
        assert article(1)["key"].hex() in text
        assert "author-asked" in text
    assert [one for one in review.diff.registry if one.fields] == [], "nor what an outlet was called"


def test_backfill_is_summed_apart_and_its_titles_are_not_listed(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))
    archive = [
        tonight(400 + n, via="backfill", title=f"옛글 {n}", published=1_500_000_000 + n * DAY_S) for n in range(9)
    ]
    new = twostates.after(old, lambda db: add(db, *archive))
    review = judged(old, new)
    assert (sum(one.new for one in review.diff.outlets), sum(one.archived for one in review.diff.outlets)) == (0, 9)
    markdown = diffmarkdown.write(review)
    assert "Backfill and imports brought 9 older articles" in markdown
    assert "2017-07" in markdown
    assert "옛글" not in markdown
    assert "옛글" in diffhtml.write(review)


# -- the gate ------------------------------------------------------------------------------------------------------

GATE: dict[str, str] = {
    "foreign_table": "CREATE TABLE notes (words TEXT)",
    "foreign_view": "CREATE VIEW mine AS SELECT 1",
    "foreign_index": "CREATE INDEX articles_title ON articles(title)",
    "foreign_trigger": "CREATE TRIGGER t AFTER INSERT ON articles BEGIN SELECT 1; END",
    "foreign_table ": "CREATE VIRTUAL TABLE words USING fts5(title)",
    "schema_unknown": "PRAGMA user_version = 99",
    "refers_to_nothing": "UPDATE articles SET outlet = 77 WHERE id = 5",
    "refers_to_nothing ": "INSERT INTO article_tags VALUES (9999, 1)",
    "refers_to_nothing  ": "UPDATE article_tags SET tag = 999 WHERE article = 5",
    "refers_to_nothing   ": "UPDATE sources SET outlet = 55 WHERE id = 1",
    "bad_link": "UPDATE articles SET url = 'ftp://press2.example/' WHERE id = 5",
    "bad_link ": "UPDATE articles SET image_url = 'data:image/png;base64,AAAA' WHERE id = 5",
    "bad_link  ": "UPDATE articles SET media_url = 'https://a:b@press2.example/x.mp3' WHERE id = 5",
    "summary_too_long": f"UPDATE articles SET summary = '{'가' * 201}' WHERE id = 5",
    "schema_older": f"PRAGMA user_version = {pressfile.SCHEMA_VERSION - 1}",
    "altered_view": "CREATE VIEW open_gaps AS SELECT '2026-01-01' AS first_day, '2026-01-01' AS last_day, 1 AS days",
    "rows_twice": "INSERT INTO tags SELECT 900, tag FROM tags WHERE id = 1",
    "rows_twice ": "UPDATE articles SET key = (SELECT key FROM articles WHERE id = 6) WHERE id = 5",
    "rows_twice  ": "UPDATE outlets SET slug = 'press-1'",
    "misshapen": "UPDATE articles SET key = zeroblob(9) WHERE id = 5",
    "misshapen ": "UPDATE articles SET title = hex(zeroblob(501)) WHERE id = 5",
    "misshapen  ": "UPDATE articles SET summary = '안' || char(0) || '밖' WHERE id = 5",
    "misshapen   ": "UPDATE articles SET video_id = 'a\"><b>' WHERE id = 5",
    "no_text": "UPDATE articles SET title = CAST(x'66ff' AS TEXT) WHERE id = 5",
    "no_text ": "UPDATE nights SET mode = CAST(x'66ff' AS TEXT) WHERE id = 7",
    "excluded_present": "INSERT INTO tombstones SELECT key, 1, 'asked' FROM articles WHERE id = 5",
}


@pytest.mark.parametrize(("name", "sql"), GATE.items(), ids=GATE)
def test_the_gate_refuses_what_must_not_be_merged(name: str, sql: str, tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))

    def spoil(db: sqlite3.Connection) -> None:
        if "altered" in name:
            db.execute("DROP VIEW open_gaps")
        db.execute(sql)

    new = twostates.after(old, spoil)
    review = judged(old, new)
    assert name.strip() in {one.name for one in review.diff.faults}
    assert review.verdict == "BLOCK"
    run = ["diff", str(old), str(new), "--data", str(tmp_path)]
    assert crawl.cli.main(run) == 0, "without --gate it only tells"
    assert crawl.cli.main([*run, "--gate"]) == 1


def test_the_gate_sees_a_key_that_came_back_in_a_frozen_file(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS), spans=[(1, 100)])
    new = twostates.after(
        old, lambda db: db.execute("INSERT INTO tombstones VALUES (?, 1, 'asked')", (article(5)["key"],))
    )
    review = judged(old, new)
    assert review.diff.old_files[0].sha256 == review.diff.new_files[0].sha256
    assert [(one.name, one.subject) for one in review.diff.faults] == [("excluded_present", article(5)["key"].hex())]


def test_the_gate_refuses_a_file_too_large_one_missing_and_numbers_twice(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS), spans=[(1, 100)])
    new = twostates.after(old)
    os.truncate(new / "press-0001.db", pressfile.FILE_MAX_BYTES + 1)
    assert "file_too_large" in {one.name for one in judged(old, new).diff.faults}
    (new / "press-0001.db").unlink()
    review = judged(old, new)
    assert "file_missing" in {one.name for one in review.diff.faults}
    assert {one.name for one in review.anomalies if one.weight == "block"} >= {"lost_rows", "fault"}
    shutil.copy(old / "press.db", new / "press-0001.db")
    assert "numbers_twice" in {one.name for one in judged(old, new).diff.faults}


def test_the_gate_refuses_older_files_that_changed_places_or_that_press_db_does_not_know(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS), spans=[(1, 100), (101, 200)])
    new = twostates.after(old)
    shutil.copy(old / "press-0001.db", new / "press-0002.db")
    shutil.copy(old / "press-0002.db", new / "press-0001.db")
    review = judged(old, new)
    assert [(one.name, one.subject) for one in review.diff.faults] == [
        ("file_exchanged", "press-0001.db"), ("file_exchanged", "press-0002.db"),
    ]  # fmt: skip
    shutil.copytree(old, tmp_path / "other")
    with closing(sqlite3.connect(tmp_path / "other" / "press.db", isolation_level=None)) as db:
        db.execute("DELETE FROM older_files WHERE file = 2")
    assert [(one.name, one.subject) for one in judged(old, tmp_path / "other").diff.faults] == [
        ("file_unlisted", "press-0002.db")
    ]


def test_the_gate_refuses_a_new_article_that_an_older_file_holds_already(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS), spans=[(1, 100)])
    new = twostates.after(old, lambda db: add(db, tonight(900, key=article(5)["key"])))
    assert [(one.name, one.told) for one in judged(old, new).diff.faults] == [
        ("rows_twice", "in press-0001.db and in press.db")
    ]


def test_a_view_that_stood_before_as_it_is_may_be_from_a_program_of_then(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))
    with closing(sqlite3.connect(old / "press.db", isolation_level=None)) as db:
        db.execute("DROP VIEW open_gaps")
        db.execute("CREATE VIEW open_gaps AS SELECT '2026-01-01' AS first_day, '2026-01-01' AS last_day, 1 AS days")
    assert judged(old, twostates.after(old)).verdict == "PASS"


def test_an_older_state_given_as_the_newer_one_is_no_quiet_night(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))
    new = twostates.after(old)
    assert judged(old, new).verdict == "PASS"
    assert any("is the older state given as the newer?" in one for one in told(judged(new, old)))
    with closing(sqlite3.connect(new / "press.db", isolation_level=None)) as db:
        row(db, "checks", id=1, source=1, night=7, stage="answered", result="failed", reason="http_429", status=429)
    later = twostates.after(new, lambda db: db.execute("DELETE FROM checks"), number=8)
    assert "1 recorded outcomes are gone, and with them who asked for rest" in told(judged(new, later))


def test_a_file_that_another_program_left_open_is_refused_and_nothing_is_left_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))
    new = twostates.after(old, lambda db: db.execute("PRAGMA journal_mode = WAL"))
    for left in new.glob("press.db-*"):
        left.unlink()
    assert crawl.cli.main(["diff", str(old), str(new), "--data", str(tmp_path), "--gate"]) == 1
    assert "WAL" in capsys.readouterr().err
    assert [path.name for path in new.iterdir()] == ["press.db"]


@pytest.mark.parametrize("where", ["header", "page", "empty"])
def test_a_damaged_file_is_named_and_never_passes(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))
    new = twostates.after(old)
    content = bytearray((new / "press.db").read_bytes())
    if where == "page":
        content[4096 * 30 : 4096 * 60] = os.urandom(4096 * 30)
    (new / "press.db").write_bytes(b"" if where == "empty" else b"garbage" * 900 if where == "header" else content)
    assert crawl.cli.main(["diff", str(old), str(new), "--data", str(tmp_path), "--gate"]) == 1
    printed = capsys.readouterr()
    assert "press.db" in printed.err + printed.out
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    "wrong", ["published TEXT", "no STRICT", "no url", "view", "a column of its own making"]
)  # fmt: skip
def test_a_table_of_another_shape_is_refused_before_anything_is_read(wrong: str, tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))

    def reshape(db: sqlite3.Connection) -> None:
        sql = db.execute("SELECT sql FROM sqlite_master WHERE name = 'articles'").fetchone()[0]
        made = {
            "published TEXT": sql.replace("published INTEGER", "published TEXT"),
            "no STRICT": sql.replace("STRICT", ""),
            "no url": sql.replace("url TEXT NOT NULL", "web TEXT NOT NULL"),
            "view": "CREATE VIEW articles AS SELECT * FROM kept",
            "a column of its own making": sql.replace(
                "digest BLOB NOT NULL", "digest BLOB NOT NULL, own TEXT AS (title || url)"
            ),
        }[wrong]
        assert made != sql
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("PRAGMA legacy_alter_table = ON")
        db.execute("ALTER TABLE articles RENAME TO kept")
        db.execute(made)

    new = twostates.after(old, reshape)
    with pytest.raises(StoreDamaged, match="another shape"):
        judged(old, new)


def test_moments_beyond_every_calendar_are_told_as_numbers(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))

    def far(db: sqlite3.Connection) -> None:
        db.execute("UPDATE nights SET started = 9223372036854775807, ended = -9223372036854775808 WHERE id = 7")
        add(db, tonight(301, published=-(2**63)), tonight(302, published=2**63 - 1, precision="day"))

    review = judged(old, twostates.after(old, far))
    assert "@-9223372036854775808" in diffhtml.write(review)
    assert diffmarkdown.write(review).startswith("## Data: LOOK")


def test_a_lost_row_does_not_hide_behind_a_new_one(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))

    def swap(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM article_tags WHERE article <= 90")
        db.execute("DELETE FROM articles WHERE id <= 90")
        add(db, *(tonight(n) for n in range(301, 391)))

    review = judged(old, twostates.after(old, swap))
    assert {one.outlet for one in review.anomalies if one.name == "lost_rows"} == {"press-1", "press-2", "press-3"}
    assert review.verdict == "BLOCK"


# -- the command ---------------------------------------------------------------------------------------------------


def test_P50_a_feed_moved_on_five_nights_is_proposed_from_the_states_log(tmp_path: Path) -> None:
    url, target = "https://old.example/rss", "https://new.example/rss"
    body = answer(body=rss("기사 하나", "기사 둘", host="old.example"))
    one = Hub(tmp_path, Scripted({url: [answer(301, headers={"Location": target})], target: [body]}), registry([url]))
    for number in range(1, 6):
        one.night(number)
        if number == 4:
            shutil.copytree(one.data, tmp_path / "before")
            early = clidiff.review(
                pressfile.press_files(one.data), pressfile.press_files(one.data), Exclusions(), one.state
            )
            assert early.diff.moves == ()
    review = clidiff.review(
        pressfile.press_files(tmp_path / "before"), pressfile.press_files(one.data), Exclusions(), one.state
    )
    assert [(move.target, move.sources, move.alarm) for move in review.diff.moves] == [(target, (url,), False)]
    assert [(one.name, one.weight) for one in review.anomalies] == [("moved", "proposal")]


def test_a_real_night_passes_and_its_coverage_is_told(tmp_path: Path) -> None:
    urls = [f"https://s{number}.example/rss" for number in range(3)]
    answers = {url: [answer(body=rss("첫 기사", host=url.split("/")[2]))] for url in urls[:2]}
    answers[urls[0]].append(answer(body=rss("첫 기사", "둘째 기사", host="s0.example")))
    one = Hub(tmp_path, Scripted(answers | {urls[2]: [answer(503)]}), registry(urls))
    one.night()
    shutil.copytree(one.data, tmp_path / "before")
    one.night(2)
    review = judged(tmp_path / "before", one.data)
    assert (review.verdict, review.anomalies) == ("PASS", ())
    (night,) = review.diff.nights
    assert (night.due, night.ok, night.unchanged, night.failed) == (3, 1, 1, 1)
    assert [one.title for one in review.diff.new] == ["둘째 기사"]
    assert review.diff.coverage.failing == 1
    assert "| 2026-03-06 00:00–00:0" in diffmarkdown.write(review).replace("&#45;", "-")


def test_the_first_night_of_all_is_compared_with_nothing(tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    new = twostates.write(tmp_path / "new", map(article, ROWS))
    review = judged(tmp_path / "nothing", new)
    assert (len(review.diff.new), review.verdict) == (300, "LOOK")
    assert "the older side holds no press file: everything counts as new" in told(review)
    assert review.diff.registry == ()


@pytest.mark.parametrize("version", [1, 2])
def test_a_state_of_an_earlier_schema_is_compared_by_what_both_have(version: int, tmp_path: Path) -> None:
    schema = (ROOT / "tests" / "schemas" / f"press-{version}.sql").read_text(encoding="utf-8")
    new = twostates.write(tmp_path / "new", map(article, range(1, 31)))
    old = tmp_path / "old"
    old.mkdir()
    with closing(sqlite3.connect(old / "press.db")) as db:
        db.executescript(schema)
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("ATTACH ? AS new", (str(new / "press.db"),))
        for table in ("outlets", "sources", "tags", "articles", "article_tags", "nights", "policy"):
            shared = ", ".join(pressfile.shared_columns(db, table, "new"))
            db.execute(f"INSERT INTO main.{table}({shared}) SELECT {shared} FROM new.{table}")
        db.commit()
        db.execute("UPDATE articles SET title = '옛 제목' WHERE id = 3")
        db.commit()
    review = judged(old, new)
    assert [(one.after.id, one.fields) for one in review.diff.edits] == [(3, ("title",))]
    assert review.verdict == "PASS"


@pytest.fixture
def scratch_repository(tmp_path: Path) -> Path:
    """A git repository with a commit of a data folder, and a later state in its working tree."""
    root = tmp_path / "repository"
    old = twostates.write(root / "data", map(article, ROWS), spans=[(1, 100)])
    git = ["git", "-C", str(root), "-c", "user.name=Test", "-c", "user.email=test@hub.example"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "a night"], check=True)
    with closing(sqlite3.connect(old / "press.db", isolation_level=None)) as db:
        twostates.night(db, twostates.NIGHTS + 1)
        add(db, tonight(301), tonight(302))
    return root


def test_a_git_revision_is_a_side_as_good_as_a_folder(
    scratch_repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(scratch_repository)
    for old, new in (("main:data", "data"), ("HEAD:data/press.db", "data/press.db")):
        assert crawl.cli.main(["diff", old, new, "--format", "json", "--gate"]) == 0
        facts = json.loads(capsys.readouterr().out)["diff"]
        assert [one["id"] for one in facts["new"]] == [301, 302]
        assert [one["name"] for one in facts["old_files"]] == ["press-0001.db", "press.db"]
    monkeypatch.chdir(scratch_repository / "data")
    assert crawl.cli.main(["diff", "main:.", ".", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["diff"]["new"]) == 2
    for words in ("nowhere:data", "--upload-pack=x:data", "there-is-no-such-folder"):
        assert crawl.cli.main(["diff", "--", words, "."]) == 2
        assert "Traceback" not in capsys.readouterr().err


def test_the_report_goes_where_it_is_told_with_the_whole_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))
    new = twostates.after(old, lambda db: add(db, tonight(301)))
    out = tmp_path / "review.md"
    run = ["diff", str(old), str(new), "--data", str(tmp_path)]
    assert crawl.cli.main([*run, "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"LOOK: {out}\n", "without an exclusions.csv nobody can say that all is well"
    (tmp_path / "exclusions.csv").write_text("key,scope,reason,requested,since\n", encoding="utf-8")
    assert crawl.cli.main([*run, "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"PASS: {out}\n"
    assert out.read_text(encoding="utf-8").startswith("## Data: PASS")
    assert out.with_suffix(".html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert crawl.cli.main(run) == 0
    assert capsys.readouterr().out == out.read_text(encoding="utf-8")
    assert str(tmp_path) not in out.read_text(encoding="utf-8"), "no path of a machine"
    assert crawl.cli.main(["diff", str(new), str(tmp_path / "empty"), "--data", str(tmp_path)]) == 2


def test_git_shows_a_press_file_as_rows_of_text(scratch_repository: Path) -> None:
    root = scratch_repository
    shutil.copy(ROOT / ".gitattributes", root / ".gitattributes")
    git = ["git", "-C", str(root)]
    line = next(
        one for one in (ROOT / ".gitattributes").read_text().splitlines() if "git config diff.sqlite.textconv" in one
    )
    command = line.split("textconv ")[1].strip("'\"")
    assert command == ".venv/bin/python -m crawl dump"
    subprocess.run([*git, "config", "diff.sqlite.textconv", f"{sys.executable} -m crawl dump"], check=True)
    here = os.environ | {"PYTHONPATH": str(ROOT)}
    shown = subprocess.run([*git, "diff"], capture_output=True, text=True, check=True, env=here).stdout
    added = [one for one in shown.splitlines() if one.startswith("+") and not one.startswith("+++")]
    assert [json.loads(one.partition(" ")[2])["id"] for one in added if one.startswith("+articles ")] == [301, 302]
    assert sum(one.startswith("+nights ") for one in added) == 1
    assert not [one for one in shown.splitlines() if one.startswith("-") and not one.startswith("---")]


def test_a_dump_shows_what_a_terminal_would_obey(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = twostates.write(tmp_path / "data", [article(1, title="\x1b[2J \u202e뒤집힘")])
    assert crawl.cli.main(["dump", str(folder / "press.db")]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    assert "⟨U+202E⟩뒤집힘" in printed
    assert crawl.cli.main(["dump", str(tmp_path / "none.db")]) == 2


def test_a_policy_row_or_an_outlet_that_changed_is_told_by_name(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", map(article, ROWS))

    def change(db: sqlite3.Connection) -> None:
        db.execute("UPDATE policy SET value = 4")
        db.execute("UPDATE outlets SET status = 'ended' WHERE id = 2")
        row(db, "sources", id=4, outlet=3, kind="list", url="https://press3.example/list", state="active", listed=1)

    review = judged(old, twostates.after(old, change))
    assert [(one.name, one.fields) for one in review.diff.policy] == [("P20 spacing_s", (("value", "3", "4"),))]
    assert [(one.table, one.name, one.how) for one in review.diff.registry] == [
        ("outlets", "press-2", "changed"),
        ("sources", "4 https://press3.example/list", "added"),
    ]
    assert "active → ended" in diffmarkdown.write(review)
    assert review.verdict == "LOOK"
