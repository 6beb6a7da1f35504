"""Files of every earlier schema version: read as they are, written anew as today's, nothing lost on the way."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from crawl import pressfile
from tests.nights import FIRST_NIGHT, Hub, Scripted, answer, registry, rss
from tests.sitefixture import row

SCHEMAS = Path(__file__).parent / "schemas"
OLDER = sorted(int(path.stem.removeprefix("press-")) for path in SCHEMAS.glob("press-*.sql"))
BEFORE = int(FIRST_NIGHT) - 4 * 86_400
URL = "https://news.hanbit.ac.example/rss/all.xml"


def written(path: Path, sql: str, version: int, rows: Mapping[str, Mapping[str, object]]) -> None:
    """A database file as an earlier program left it."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(sql)
        db.execute(f"PRAGMA user_version = {version}")
        for table, facts in rows.items():
            row(db, table, **facts)
        db.commit()


def left_by(version: int, root: Path) -> Hub:
    """A hub whose files are of an earlier version, with one stored article and a night."""
    one = Hub(root, Scripted({URL: [answer(body=rss("새 기사", first=2))]}), registry([URL]))
    one.data.mkdir(parents=True)
    one.state.mkdir(parents=True)
    written(one.data / "press.db", (SCHEMAS / f"press-{version}.sql").read_text(), version, {
        "outlets": {"id": 1, "slug": "news", "name": "뉴스", "listed": 1},
        "sources": {"id": 1, "outlet": 1, "kind": "feed", "url": URL, "cms": "ndsoft", "listed": 1, "format": "rss20"},
        "articles": {"id": 1, "key": b"12345678", "outlet": 1, "source": 1, "kind": "article", "title": "옛 기사",
                     "url": "https://news.hanbit.ac.example/news/articleView.html?idxno=900", "summary": "요약",
                     "precision": "none", "date_from": "none", "first_seen": BEFORE, "via": "look"},
        "nights": {"id": 7, "day": "2026-03-01", "mode": "scheduled", "started": BEFORE, "ended": BEFORE + 100},
    })  # fmt: skip
    digest = pressfile.press_digest(one.data)
    written(one.state / "state.db", (SCHEMAS / f"state-{version}.sql").read_text(), version, {
        "state_meta": {"name": "press_digest", "value": digest},
        "looks": {"id": 5, "night": 7, "day": "2026-03-01", "source": 1, "at": BEFORE, "result": "ok"},
    })  # fmt: skip
    return one


def test_every_earlier_schema_is_kept_for_its_test() -> None:
    assert list(range(1, pressfile.SCHEMA_VERSION)) == OLDER


@pytest.mark.parametrize("version", OLDER)
def test_a_night_over_files_of_an_earlier_schema_writes_todays_and_loses_nothing(version: int, tmp_path: Path) -> None:
    one = left_by(version, tmp_path)
    one.night()
    with closing(pressfile.read_only(one.data / "press.db")) as db:
        pressfile.check(db, one.data / "press.db")
        assert db.execute("SELECT id, title, summary, video_id, withheld FROM articles").fetchall() == [
            (1, "옛 기사", "요약", None, ""),
            (2, "새 기사", "새 기사 요약", None, ""),
        ]
        assert db.execute("SELECT id, day FROM nights").fetchall() == [(7, "2026-03-01"), (8, "2026-03-05")]
    assert one.read("SELECT night, result FROM looks ORDER BY id") == [(7, "ok"), (8, "ok")]


@pytest.mark.parametrize("version", OLDER)
def test_a_night_broken_off_by_an_earlier_program_is_taken_over(version: int, tmp_path: Path) -> None:
    one = left_by(version, tmp_path)
    both = (SCHEMAS / f"press-{version}.sql").read_text() + (SCHEMAS / f"state-{version}.sql").read_text()
    written(one.state / "work.db", both, 0, {
        "outlets": {"id": 1, "slug": "news", "name": "뉴스", "listed": 1},
        "sources": {"id": 1, "outlet": 1, "kind": "feed", "url": URL, "cms": "ndsoft", "listed": 1},
        "articles": {"id": 2, "key": b"87654321", "outlet": 1, "source": 1, "kind": "article", "title": "건진 기사",
                     "url": "https://news.hanbit.ac.example/news/articleView.html?idxno=901", "precision": "none",
                     "date_from": "none", "via": "look"},
        "state_meta": {"name": "base_digest", "value": pressfile.press_digest(one.data)},
    })  # fmt: skip
    one.night()
    assert [title for (title,) in one.read("SELECT title FROM articles ORDER BY id")] == [
        "옛 기사",
        "건진 기사",
        "새 기사",
    ]
