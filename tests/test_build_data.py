"""/data/: what can be taken away, described in both languages; CSV that spreadsheets read and no formula runs in."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
import weakref
from array import array
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from build import csvfiles, datapage, db, dictionary, make, site
from build.records import Card, Hub, Press
from build.render import Renderer
from tests import sitefixture
from tests.sitefixture import Story
from tests.test_build_site import built, content, page, text

LANGS = {"ko": "data/index.html", "en": "en/data/index.html"}


def press_of(folder: Path, *stories: Story, **hub: str) -> Press:
    sitefixture.fill(folder / "press.db", stories or sitefixture.STORIES)
    if hub:
        sitefixture.hub(folder, **hub)
    with db.opened(folder) as press:
        return press


def rows(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline="")))


def test_every_story_stands_in_the_file_of_its_month(tmp_path: Path) -> None:
    root = built(tmp_path)
    files = {path: rows(body) for path, body in content(root).items() if path.startswith("data/articles/")}
    assert {path: len(found) for path, found in files.items()} == {
        "data/articles/2019-02.csv": 1, "data/articles/2026-09.csv": 1, "data/articles/2026-11.csv": 6,
        "data/articles/2026-12.csv": 1, "data/articles/undated.csv": 1,
    }  # fmt: skip
    (first,) = files["data/articles/2026-12.csv"]
    assert tuple(first) == csvfiles.COLUMNS
    assert first == {
        "article": "1", "published_kst": "2026-12-01 00:01", "outlet": "hanbit-news", "outlet_name": "한빛대학보",
        "university": "한빛대학교", "outlet_kind": "newspaper", "kind": "article",
        "title": "총학생회 선거 투표율 58.2%…두 해 만에 개표 성사", "byline": "김하늘 기자", "tags": '["보도", "총학생회"]',
        "url": "https://hanbit-news.example/news/1", "first_seen_kst": "2026-12-01 00:05:00",
    }  # fmt: skip
    assert files["data/articles/undated.csv"][0]["published_kst"] == ""
    day = next(row for row in files["data/articles/2026-11.csv"] if row["kind"] == "photo")
    assert day["published_kst"] == "2026-11-30"


def test_a_csv_agrees_with_the_open_tables_of_the_database(tmp_path: Path) -> None:
    root = built(tmp_path)
    found = {row["article"]: row for path, body in content(root).items() if "/articles/" in path for row in rows(body)}
    with closing(sqlite3.connect(root / "data" / "press.db")) as press:
        press.row_factory = sqlite3.Row
        for row in press.execute("SELECT * FROM open_articles"):
            for name in set(csvfiles.COLUMNS) - {"tags"}:
                assert found[str(row["article"])][name] == ("" if row[name] is None else str(row[name])), name
        for table in csvfiles.TABLES:
            columns = {row["name"] for row in press.execute(f"PRAGMA table_info(open_{table})")}
            assert set(next(iter(rows((root / f"data/{table}.csv").read_bytes())))) <= columns | {"univ", "former"}


@pytest.mark.parametrize("sign", [*"=+-@＝＋－＠\t\r\n"])
def test_no_text_is_run_as_a_formula(sign: str) -> None:
    (_, row) = csv.reader(io.StringIO(csvfiles.written(["a"], [[f'{sign}HYPERLINK("x")', 1]]).decode("utf-8-sig")))
    assert row == [f'\'{sign}HYPERLINK("x")', "1"]


def test_commas_quotes_and_line_ends_stay_inside_their_cell(tmp_path: Path) -> None:
    hostile = 'a,"b"\r\nc;<script>'
    body = csvfiles.written(["title", "x"], [[hostile, "다음"]])
    assert body.startswith(b"\xef\xbb\xbf")
    assert rows(body) == [{"title": hostile, "x": "다음"}]


def test_an_unsafe_address_stands_in_no_csv(tmp_path: Path) -> None:
    root = built(tmp_path, Story("hanbit-news", "글", "2026-12-01", url="javascript:alert(1)"))
    assert rows((root / "data/articles/2026-12.csv").read_bytes())[0]["url"] == ""


def test_no_summary_leaves_in_a_csv(tmp_path: Path) -> None:
    bodies = [body.decode() for path, body in content(built(tmp_path)).items() if path.endswith(".csv")]
    assert not [
        story for story in sitefixture.STORIES if story.summary and any(story.summary in body for body in bodies)
    ]


def test_a_month_with_more_than_a_file_holds_goes_on_in_a_second() -> None:
    whole = array("i", range(1, 2 * csvfiles.ROWS + 2))
    files = list(csvfiles.month_files("2026-11", whole))
    assert [file.path for file in files] == [
        "data/articles/2026-11.csv",
        "data/articles/2026-11-2.csv",
        "data/articles/2026-11-3.csv",
    ]
    assert [len(file.ids) for file in files] == [csvfiles.ROWS, csvfiles.ROWS, 1]
    assert list(csvfiles.month_files("2026-11", whole[:-1]))[:2] == files[:2]


def test_old_months_of_a_large_record_come_packed_and_hold_the_same(tmp_path: Path) -> None:
    press = press_of(tmp_path / "data")
    plain, large = (list(csvfiles.months(press.index, large)) for large in (False, True))
    assert [file.path for file in large] == [
        "data/articles/2019-02.csv.gz", "data/articles/2026-09.csv", "data/articles/2026-11.csv",
        "data/articles/2026-12.csv", "data/articles/undated.csv",
    ]  # fmt: skip
    with db.opened(tmp_path / "data") as opened:
        cards = {card.id: card for card in opened.read(large[0].ids)}
    packed = large[0].body(cards)
    assert gzip.decompress(packed) == plain[0].body(cards)
    assert packed[4:8] == bytes(4), "when it was packed is not told"
    paths = [file.path for file in large]
    shown = datapage.page(press, "", "ko", paths)
    assert shown.packed
    assert not datapage.page(press, "", "ko", [file.path for file in plain]).packed
    assert [files for year, files in shown.months if year == "2019"] == [(("2019-02", paths[0]),)]


class Kept(Card):
    """A card that can be watched leaving memory."""


CARD = Kept(0, "", "", "", "", "", "", "", "", "", "", False, "", None, "none", 0, 0, 0, "undated", (), None, None, None, None,
            None, None)  # fmt: skip


@dataclass(frozen=True)
class Lot:
    """A file made from many articles; `note` is told of them when it is made."""

    path: str
    ids: tuple[int, ...]
    note: Callable[[], None]

    def body(self, cards: Mapping[int, Card]) -> bytes:
        """How many it was given."""
        self.note()
        return str(len(cards)).encode()


def test_many_files_of_many_articles_are_made_without_holding_all_of_them_at_once(tmp_path: Path) -> None:
    alive: weakref.WeakSet[Card] = weakref.WeakSet()
    most = [0]

    def read(ids: Iterable[int]) -> list[Card]:
        found = [replace(CARD, id=id) for id in ids]
        alive.update(found)
        return list(found)

    def note() -> None:
        most[0] = max(most[0], len(alive))

    lots = [Lot(f"{n}.csv", tuple(range(n * 1500, n * 1500 + 1500)), note) for n in range(20)]
    with closing(make.Maker(Renderer(Hub(), "", lambda id, tag: ""), read, tmp_path)) as maker:
        assert set(maker(lots)) == {b"1500"}
    assert 0 < most[0] <= 2 * (make.AT_ONCE + 1500)


def test_both_pages_describe_every_open_column_in_their_language(tmp_path: Path) -> None:
    press = press_of(tmp_path)
    wanted = {(column.relation, column.name) for column in press.columns if column.relation.startswith("open_")}
    assert wanted
    for lang in LANGS:
        described = datapage.page(press, "", lang, ()).described
        assert {(table.name, column.name) for table in described for column in table.columns} == wanted
        assert [column for table in described for column in table.columns if column.lang] == []
        assert [table for table in described if table.lang] == []
    units = {column.unit for column in press.columns if column.relation.startswith("open_") and column.unit}
    assert units <= dictionary.UNITS.keys()


def test_the_dictionary_translates_nothing_that_is_no_longer_there(tmp_path: Path) -> None:
    press = press_of(tmp_path)
    there = {table.about for table in press.tables} | {column.about for column in press.columns}
    assert dictionary.KOREAN.keys() - there == set()


def test_a_description_without_a_korean_answer_is_shown_in_english_and_says_so() -> None:
    assert dictionary.told("a column of tomorrow", "ko") == ("a column of tomorrow", "en")


def test_small_databases_are_copied_with_their_size(tmp_path: Path) -> None:
    root = built(tmp_path)
    assert (root / "data/press.db").read_bytes() == (tmp_path / "data/press.db").read_bytes()
    item = page(root, LANGS["ko"]).css_first(".files li")
    assert item.css_first("a").attributes["href"] == "../data/press.db"  # type: ignore[union-attr]
    size = (tmp_path / "data/press.db").stat().st_size
    assert f"{size // 1000} KB" in text(item)


@pytest.mark.parametrize(
    ("repository", "href"),
    [("someone/hub", "https://github.com/someone/hub/raw/HEAD/data/press.db"), ("", "")],
)
def test_large_databases_are_linked_from_the_repository_and_not_copied(
    tmp_path: Path, repository: str, href: str
) -> None:
    press = press_of(tmp_path, **({"repository": repository} if repository else {}))
    large = replace(press, files=tuple(replace(file, size_bytes=60_000_000) for file in press.files))
    sheets = list(datapage.sheets(large, ""))
    assert [
        sheet.path for sheet in sheets if not isinstance(sheet, datapage.DataPage) and sheet.path.endswith(".db")
    ] == []
    found = sheets[0]
    assert isinstance(found, datapage.DataPage)
    assert [download.href for download in found.databases] == [href]


def test_datasette_stands_there_where_hub_toml_names_it(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    sitefixture.hub(tmp_path, '[web]\ndatasette = "https://data.campus.example/"\n', name="허브")
    with db.opened(tmp_path) as press:
        named = datapage.page(press, "https://campus.example/", "ko", ())
        nowhere = datapage.page(press, "", "ko", ())
    assert named.datasette == "https://data.campus.example/"
    assert named.lite == "https://lite.datasette.io/?url=https%3A%2F%2Fcampus.example%2Fdata%2Fpress.db"
    assert nowhere.lite == ""


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_says_how_to_cite_and_under_which_terms(tmp_path: Path, lang: str) -> None:
    root = built(tmp_path, base_url="https://campus.example/")
    tree = page(root, LANGS[lang])
    cite = text(tree.css_first("#cite + pre"))
    assert ("https://campus.example/" in cite, sitefixture.NIGHT in cite) == (True, True)
    terms = text(tree.css_first("#terms + ul"))
    for word in ("CC0 1.0", "MIT"):
        assert word in terms
    other = "en" if lang == "ko" else "ko"
    twin = tree.css_first(f'main a[hreflang="{other}"]')
    assert twin is not None
    assert f'<link rel="alternate" hreflang="{other}" href="https://campus.example/' in (root / LANGS[lang]).read_text()


def test_a_hub_of_one_name_is_cited_by_it_once(tmp_path: Path) -> None:
    root = built(tmp_path, name="우리 허브")
    cites = [text(page(root, path).css_first("#cite + pre")) for path in LANGS.values()]
    assert [cite.count("우리 허브") for cite in cites] == [1, 1]
    assert cites[0].startswith("우리 허브. 대학 언론 색인")


def test_an_empty_record_has_pages_with_words(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "data" / "press.db", [], outlets=[], sources=[], nights=False)
    site.build(tmp_path / "data", tmp_path / "site")
    assert "아직 실은 글이 없습니다" in text(page(tmp_path / "site", LANGS["ko"]).css_first("main"))
    assert "No stories are held yet" in text(page(tmp_path / "site", LANGS["en"]).css_first("main"))
    assert json.dumps(rows((tmp_path / "site/data/nights.csv").read_bytes())) == "[]"
