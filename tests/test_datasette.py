"""The edition for researchers, asked through Datasette itself."""

from __future__ import annotations

import asyncio
import csv
import json
import re
import runpy
import sqlite3
import unicodedata
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import yaml
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st

from build import explore
from build.cli import main
from build.normal import normal
from build.records import BuildError, BuildMisuse
from tests import sitefixture
from tests.sitefixture import Story
from tests.test_normal import CASES
from tests.test_open_views import OPEN

PLUGIN = runpy.run_path(str(explore.EDITION / "plugins" / "ko_match.py"))
HANDWRITTEN: dict[str, Any] = yaml.safe_load((explore.EDITION / "metadata.yaml").read_text("utf-8"))["databases"][
    "public"
]
OLD = (Story("mulgyeol", "옛 도서관 이야기", "2019-01-01"), Story("hanbit-news", "옛 총학생회칙", "2018-01-01"))


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The edition of the fictional press, whose oldest articles stand in a file of their own."""
    root = tmp_path_factory.mktemp("edition")
    sitefixture.fill(root / "data" / "press.db", first_id=len(OLD) + 1)
    sitefixture.fill(root / "data" / "press-0001.db", OLD, whole=False)
    sitefixture.hub(root / "data", name="우리 허브", address="https://hub.example/", repository="someone/hub")
    with closing(sqlite3.connect(root / "data" / "press.db")) as db:
        sitefixture.row(db, "revisions", id=1, article=3, seen=0, field="title", old="고치기 전 제목")
        db.commit()
    explore.write(root / "data", root / "out")
    return root / "out"


def ask(edition: Path, *addresses: str) -> list[Any]:
    """Datasette's answers to these addresses, over the folder as it would be deployed."""

    async def asked() -> list[Any]:
        served = Datasette(config_dir=edition)
        await served.invoke_startup()
        return [await served.client.get(address) for address in addresses]

    return asyncio.run(asked())


def rows(edition: Path, address: str) -> list[dict[str, Any]]:
    (answer,) = ask(edition, address + ("&" if "?" in address else "?") + "_shape=array")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def test_every_open_view_is_shown_as_page_json_and_csv_with_its_descriptions(edition: Path) -> None:
    for view in OPEN:
        page, data, sheet = ask(edition, *(f"/public/{view}{kind}" for kind in ("", ".json?_shape=array", ".csv")))
        assert [page.status_code, data.status_code, sheet.status_code] == [200, 200, 200], view
        with closing(sqlite3.connect(edition / "public.db")) as db:
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({view})")]
            held = db.execute(f"SELECT count(*) FROM {view}").fetchone()[0]
        assert len(data.json()) == min(held, 50)
        assert next(csv.reader(sheet.text.splitlines())) == columns
        for column in columns:
            assert f"<dt>{column}</dt><dd>" in page.text, (view, column)


def test_a_description_is_that_of_the_sql_with_its_unit(edition: Path) -> None:
    (page,) = ask(edition, "/public/open_articles")
    assert (
        "<dt>published</dt><dd>publication time, NULL where unknown (never invented) (epoch seconds UTC)</dd>"
        in page.text
    )
    assert "The record itself: one row an article, everything joined." in page.text


def test_public_db_holds_the_open_views_and_its_search_index_alone(edition: Path) -> None:
    with closing(sqlite3.connect(edition / "public.db")) as db:
        names = db.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
        )
        held = {name for (name,) in names if not name.startswith("search_index")}
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert held == set(OPEN)


def test_it_is_opened_immutable_and_may_be_downloaded(edition: Path) -> None:
    listed, download = ask(edition, "/-/databases.json", "/public.db")
    assert [base["is_mutable"] for base in listed.json()] == [False]
    assert download.content == (edition / "public.db").read_bytes()


def test_articles_of_all_files_stand_in_one_table(edition: Path) -> None:
    assert len(rows(edition, "/public/open_articles.json?_size=max")) == len(sitefixture.STORIES) + len(OLD)
    (found,) = rows(edition, "/public/open_articles.json?article=1")
    assert found["title"] == "옛 도서관 이야기"


def test_the_hub_is_named_with_its_addresses(edition: Path) -> None:
    (page,) = ask(edition, "/")
    for words in ("우리 허브", "https://hub.example/", "https://github.com/someone/hub"):
        assert words in page.text


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("선거", ["총학생회 선거 투표율 58.2%…두 해 만에 개표 성사"]),
        ("학생회", ["총학생회 선거 투표율 58.2%…두 해 만에 개표 성사", "옛 총학생회칙"]),
        ("회칙", ["옛 총학생회칙"]),
        ("열", ["도서관 열람실, 시험 기간 밤샘 운영 시작"]),
        ("선거 투표율", ["총학생회 선거 투표율 58.2%…두 해 만에 개표 성사"]),
        ("선거 기숙사", []),
        ("도서관열람", ["도서관 열람실, 시험 기간 밤샘 운영 시작"]),
        ("관 열람", ["도서관 열람실, 시험 기간 밤샘 운영 시작"]),
        ("libraryextends", ["Library Extends Opening Hours Ahead of Final Exams"]),
        ("LIBRARY", ["Library Extends Opening Hours Ahead of Final Exams"]),
        (unicodedata.normalize("NFD", "회칙"), ["옛 총학생회칙"]),
        ('" NEAR(x) *', []),
        ("", []),
        ("…", []),
        ("보여서는", []),
    ],
)
def test_korean_words_are_found_from_one_syllable_on(edition: Path, words: str, titles: list[str]) -> None:
    found = rows(edition, f"/public/search.json?words={quote(words)}")
    assert sorted(row["title"] for row in found) == sorted(titles)


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_the_edition_takes_for_the_same_what_the_sites_search_takes_for_the_same(text: str, expected: str) -> None:
    assert PLUGIN["normal"](text) == normal(text) == expected
    said = [run for run in re.findall(r"[^\W_]+", expected) if run]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE held USING fts5(words, tokenize='unicode61 remove_diacritics 0')")
        db.execute("INSERT INTO held VALUES (?)", (PLUGIN["split"](text),))
        for asked in (text, expected):
            found = db.execute("SELECT count(*) FROM held WHERE held MATCH ?", (PLUGIN["match"](asked),)).fetchone()
            assert found == (1 if said else 0,)


def test_no_word_runs_from_a_title_into_its_summary(edition: Path) -> None:
    (title, summary), *_ = (
        (story.title, story.summary) for story in sitefixture.STORIES if story.summary and story.title[-1].isalnum()
    )
    word = title.split()[-1][-2:] + summary.split()[0][:2]
    assert rows(edition, f"/public/search.json?words={quote(word)}") == []
    assert rows(edition, f"/public/search.json?words={quote(title.split()[-1])}") != []


@pytest.mark.parametrize(
    ("text", "count"),
    [("선거", 1), ("학생회", 2), ("도서관", 2), ("관", 3), ("58.2%", 1), ("%", 1), ("_", 0), ("\\", 0), ("", 0)],
)
def test_plain_sql_finds_two_syllables_too(edition: Path, text: str, count: int) -> None:
    assert len(rows(edition, f"/public/search_titles.json?text={quote(text)}")) == count


VALUES = {"words": "총학생회", "text": "도서관", "outlet": "hanbit-news"}


@pytest.mark.parametrize("name", HANDWRITTEN["queries"])
def test_every_ready_made_query_runs_and_finds_something(edition: Path, name: str) -> None:
    asked = "&".join(f"{key}={quote(value)}" for key, value in VALUES.items())
    assert rows(edition, f"/public/{name}.json?{asked}")
    page, sheet = ask(edition, f"/public/{name}?{asked}", f"/public/{name}.csv?{asked}")
    assert (page.status_code, sheet.status_code) == (200, 200)
    assert HANDWRITTEN["queries"][name]["title"] in page.text


def test_the_handwritten_metadata_names_only_what_there_is_and_describes_no_column(edition: Path) -> None:
    with closing(sqlite3.connect(edition / "public.db")) as db:
        for table, what in HANDWRITTEN["tables"].items():
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            named = [
                *what.get("facets", ()),
                *(what[key] for key in ("sort", "sort_desc", "label_column") if key in what),
            ]
            assert set(named) <= columns, table
            assert {"columns", "description"} & set(what) == set()
    assert set(HANDWRITTEN["tables"]) <= set(OPEN)


def test_facets_count(edition: Path) -> None:
    (answer,) = ask(edition, "/public/open_articles.json?_facet_array=tags")
    facets = answer.json()["facet_results"]
    assert {"kind", "outlet_kind", "region", "tags"} <= set(facets)
    assert {row["value"]: row["count"] for row in facets["tags"]["results"]} == {"보도": 2, "총학생회": 1}


def test_an_article_leads_to_its_outlet_and_source(edition: Path) -> None:
    (page,) = ask(edition, "/public/open_articles?article=3")
    assert 'href="/public/open_outlets/hanbit-news">한빛대학보</a>' in page.text
    assert 'href="/public/open_sources/1">' in page.text


def test_a_query_without_an_end_is_stopped(edition: Path) -> None:
    endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n"
    (answer,) = ask(edition, f"/public.json?sql={quote(endless)}")
    assert answer.status_code == 400
    assert "interrupted" in answer.text.lower()


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_P60_what_was_asked_to_be_left_out_is_in_no_byte_of_the_edition(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", [
        Story("hanbit-news", "쀍쀎 제목", "2026-11-01", "쀍쀎 요약", "쀍쀎", tags=("쀍쀎",), url="https://hanbit.example/secret-page"),
        Story("nuri-eye", "제목만 보이는 글", "2026-11-01", "쀏쀐 요약"),
    ])  # fmt: skip
    explore.write(tmp_path, tmp_path / "out")
    before = b"".join(files(tmp_path / "out").values())
    assert "쀍쀎".encode() in before
    assert "쀏쀐".encode() not in before
    with closing(sqlite3.connect(tmp_path / "press.db")) as db:
        db.execute("INSERT INTO tombstones SELECT key, 0, 'asked' FROM articles WHERE id = 1")
        sitefixture.row(db, "revisions", id=1, article=2, seen=0, field="summary", old="쀏쀐 옛 요약")
        db.commit()
    explore.write(tmp_path, tmp_path / "out")
    after = b"".join(files(tmp_path / "out").values())
    for secret in ("쀍쀎", "쀏쀐", "secret-page"):
        assert secret.encode() not in after
    assert "제목만 보이는 글".encode() in after


def test_the_same_record_gives_the_same_bytes(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    explore.write(tmp_path, tmp_path / "one")
    explore.write(tmp_path, tmp_path / "two")
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert set(files(tmp_path / "one")) == {
        "public.db", "metadata.json", "settings.json", "inspect-data.json", str(Path("plugins") / "ko_match.py"),
    }  # fmt: skip


def test_an_empty_record_can_be_explored_too(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", [], outlets=(), sources=(), nights=False)
    explore.write(tmp_path, tmp_path / "out")
    answers = ask(
        tmp_path / "out", "/", "/public/open_articles", "/public/open_articles.csv", "/public/search?words=가"
    )
    assert [answer.status_code for answer in answers] == [200] * 4


def test_a_hostile_title_is_text_on_every_page(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e"
    sitefixture.fill(tmp_path / "press.db", [Story("hanbit-news", hostile, "2026-11-01")])
    explore.write(tmp_path, tmp_path / "out")
    for answer in ask(
        tmp_path / "out", "/public/open_articles", "/public/open_articles/1", "/public/search?words=alert"
    ):
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text
        assert "\u202e" not in answer.text
        assert "&lt;script&gt;alert(1)" in answer.text


def test_the_command_writes_the_edition_and_says_how_much(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sitefixture.fill(tmp_path / "press.db")
    assert main(["explore", "--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    assert f"in {len(OPEN)} tables" in capsys.readouterr().out
    assert json.loads((tmp_path / "out" / "inspect-data.json").read_bytes())["public"]["tables"]["open_articles"] == {
        "count": len(sitefixture.STORIES)
    }


def test_what_the_command_did_not_write_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, foreign = tmp_path / "data", tmp_path / "foreign"
    sitefixture.fill(data / "press.db")
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("years of work")
    (tmp_path / "file").write_text("x")
    for out, why in ((data, "did not write"), (foreign, "did not write"), (tmp_path / "file", "is a file")):
        before = sorted(path.name for path in out.parent.rglob("*"))
        assert main(["explore", "--data", str(data), "--out", str(out)]) == 2
        assert why in capsys.readouterr().err
        assert sorted(path.name for path in out.parent.rglob("*")) == before
    for _ in range(2):
        assert main(["explore", "--data", str(data), "--out", str(tmp_path / "edition")]) == 0


def test_without_a_database_the_command_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BuildMisuse, match="python -m crawl init"):
        explore.write(tmp_path, tmp_path / "out")


def test_a_file_without_its_dictionary_is_named(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    with closing(sqlite3.connect(tmp_path / "press.db")) as db:
        db.execute("DROP VIEW site_table")
        db.commit()
    with pytest.raises(BuildError, match=r"press\.db: cannot be copied .*site_table"):
        explore.write(tmp_path, tmp_path / "out")


SYLLABLES = st.text(st.sampled_from('가나다라선거학생회ab1 ,."*'), max_size=12)


@given(st.lists(SYLLABLES, min_size=1, max_size=6), SYLLABLES)
def test_the_search_finds_exactly_what_holds_every_word(texts: Sequence[str], asked: str) -> None:
    """The truth is a plain look for each word of the query in the words of the text."""
    words = "".join(c if c.isalnum() else " " for c in asked).split()
    truth = [number for number, text in enumerate(texts) if words and all(word in text for word in words)]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE s USING fts5(words, content='', tokenize='unicode61 remove_diacritics 0')")
        db.executemany(
            "INSERT INTO s(rowid, words) VALUES (?, ?)", ((n, PLUGIN["split"](t)) for n, t in enumerate(texts))
        )
        found = db.execute("SELECT rowid FROM s WHERE s MATCH ? ORDER BY rowid", (PLUGIN["match"](asked),)).fetchall()
    assert [number for (number,) in found] == truth
