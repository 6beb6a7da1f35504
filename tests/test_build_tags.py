"""Tags: one address each, counted once, and pages that keep still while others write on."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from build import currents, db, site, tagpages, tagperiods, tags, trendpages
from build.records import Press
from build.tagpages import TagPage
from build.tagperiods import TagStatistics
from tests import sitefixture
from tests.sitefixture import Story

HOSTILE = ("<script>alert(1)</script>", "../../../etc/passwd", "..", ".", "/", "a/b", "a\\b", 'x" onload="y',
           "javascript:alert(1)", "CON", "nul", "com1", "가" * 100, "Ω" * 60,
           "%2e%2e%2f", "&amp;", "a?b#c", "émile", "e\u0301mile", "日本", "🏫", "שלום", "-", "--",
           "a-b", "a b", "a_2d_b", "_", "~", "a.b", "tag.0123456789abcdef0123456789abcdef",
           "\u202eabc", "İ", "ß", "ss")  # fmt: skip


def month_of(press: Press) -> dict[str, TagStatistics]:
    """Every statistics page by its path."""
    found = {}
    for sheet in trendpages.tags_and_trends(currents.MonthsRead(press)):
        page = sheet.worked_out(press.read)
        if isinstance(page, TagStatistics):
            found[page.head.url_path] = page
    return found


def tag_page(press: Press, name: str) -> TagPage:
    pages = [
        sheet.worked_out(press.read)
        for sheet in trendpages.tags_and_trends(currents.MonthsRead(press))
        if sheet.head.title == f"#{name}"
    ]
    (page,) = pages
    assert isinstance(page, TagPage)
    return page


def stories(*given: tuple[str, str, Sequence[str]]) -> list[Story]:
    """Stories from (outlet, day, tags)."""
    return [
        Story(outlet, f"글 {at}", f"{day} 10:00", tags=tuple(names)) for at, (outlet, day, names) in enumerate(given)
    ]


def main_of(path: Path) -> LexborNode:
    """The text of a built page."""
    node = LexborHTMLParser(path.read_text()).css_first("main")
    assert node is not None
    return node


def filled(folder: Path, some: list[Story]) -> Path:
    sitefixture.fill(folder / "press.db", some)
    return folder


def test_every_address_of_a_tag_is_a_harmless_folder() -> None:
    for tag in HOSTILE:
        name = tags.slug(tag)
        assert re.fullmatch(r"[a-z0-9가-힣_][a-z0-9가-힣._-]*", name), tag
        assert len(name.encode()) <= 200
        assert name not in ("..", ".", "con", "nul", "com1")


def test_no_two_tags_share_an_address() -> None:
    given = random.Random(6)
    letters = "ab가나 -_./~#%:A\u0301é🏫漢"
    many = {"".join(given.choices(letters, k=given.randint(1, 6))) for _ in range(20_000)} | set(HOSTILE)
    many |= {"가" * 39 + end for end in ("", "가", "나", "가나", "나가")} | {"_2d_", "-", "x" * 41, "x" * 42}
    seen: dict[str, str] = {}
    for tag in many:
        if tags.key(tag):
            assert seen.setdefault(tags.slug(tag), tags.key(tag)) == tags.key(tag)
    assert len(seen) == len({tags.key(tag) for tag in many if tags.key(tag)})


@pytest.mark.parametrize(
    ("tag", "address"),
    [
        ("총학생회", "t/총학생회/"),
        ("천원의 아침밥", "t/천원의-아침밥/"),
        ("#AI", "t/ai/"),
        ("사회·문화", "t/사회_b7_문화/"),
        ("a-b", "t/a_2d_b/"),
    ],
)
def test_the_address_of_a_tag_stays_what_readers_once_linked(tag: str, address: str) -> None:
    assert tags.path(tag) == address


def test_spellings_of_a_tag_are_one_tag_and_an_article_counts_once(tmp_path: Path) -> None:
    some = stories(*(("haneul-times", f"2026-11-0{day}", ("Campus", "CAMPUS")) for day in (1, 2)),
                   ("hanbit-news", "2026-11-03", ("#campus",)))  # fmt: skip
    with db.opened(filled(tmp_path, some)) as press:
        row = month_of(press)["tags/2026-11/"].rows[0]
        assert (row.articles, row.outlets, row.path) == (3, 2, "t/campus/")
        assert tag_page(press, "CAMPUS").total == 3


def test_a_tag_gets_its_page_with_its_third_article(tmp_path: Path) -> None:
    some = stories(
        *(("hanbit-news", "2026-11-01", ("셋",)) for _ in range(3)),
        *(("hanbit-news", "2026-11-01", ("둘",)) for _ in range(2)),
    )
    with db.opened(filled(tmp_path, some)) as press:
        assert [
            sheet.name
            for sheet in trendpages.tags_and_trends(currents.MonthsRead(press))
            if isinstance(sheet, tagpages.TagSheet)
        ] == ["셋"]
        assert [(row.name, row.path) for row in month_of(press)["tags/2026-11/"].rows] == [("셋", "t/셋/"), ("둘", "")]


def test_a_tags_page_shows_its_newest_two_hundred_and_what_stands_beside_it(tmp_path: Path) -> None:
    some = stories(
        *(
            ("hanbit-news", f"2026-{1 + at // 28:02}-{1 + at % 28:02}", ("보도", "축제") if at % 2 else ("보도",))
            for at in range(220)
        )
    )
    with db.opened(filled(tmp_path, some)) as press:
        page = tag_page(press, "보도")
        assert page.total == 220
        assert page.rows.ids == tuple(range(220, 20, -1))
        assert page.related == (("축제", "t/축제/", 110),)
        assert page.outlets == (("hanbit-news", "한빛대학보", "newspaper", 220),)


def test_statistics_go_by_period_and_kind(tmp_path: Path) -> None:
    some = stories(
        ("hanbit-news", "2025-12-31", ("가",)),
        ("hanbit-news", "2026-01-01", ("나",)),
        ("saebom-bs", "2026-01-02", ("다", "나")),
        ("saebom-bs", "2026-12-01", ("라",)),
    )
    with db.opened(filled(tmp_path, some)) as press:
        pages = month_of(press)
    shown = {path: [(row.name, row.articles) for row in page.rows] for path, page in pages.items()}
    assert shown["tags/2025/"] == [("가", 1)]
    assert shown["tags/2026-01/"] == [("나", 2), ("다", 1)]
    assert shown["tags/2026-01/broadcaster/"] == [("나", 1), ("다", 1)]
    assert shown["tags/2026-01/newspaper/"] == [("나", 1)]
    assert "tags/2025/broadcaster/" not in shown
    assert shown["tags/"] == [("나", 2), ("가", 1), ("다", 1)]


ABOUT = ("t/", "tags/", "trends/")


def test_the_month_that_still_fills_moves_no_other_statistics(tmp_path: Path) -> None:
    some = stories(("hanbit-news", "2026-11-30", ("가",)), ("hanbit-news", "2026-12-01", ("나",)))
    more = stories(
        ("hanbit-news", "2026-11-30", ("가",)),
        ("hanbit-news", "2026-12-01", ("나",)),
        ("hanbit-news", "2026-12-01", ("나",)),
    )
    keys: list[dict[str, bytes]] = []
    for at, each in enumerate((some, more)):
        with db.opened(filled(tmp_path / str(at), each)) as press:
            keys.append({claim.path: claim.key for claim in site.claims(press, "") if claim.path.startswith(ABOUT)})
    moved = {path for path in keys[0] if keys[0][path] != keys[1][path]}
    assert moved == {"tags/2026-12/index.html", "tags/2026-12/newspaper/index.html", "trends/index.html"}


def test_a_page_of_a_tag_keeps_still_while_others_are_written(tmp_path: Path) -> None:
    base: list[tuple[str, str, tuple[str, ...]]] = [
        ("hanbit-news", f"2026-10-0{day}", ("축제", "News")) for day in range(1, 6)
    ]
    base.append(("hanbit-news", "2026-11-01", ("보도",)))
    keys: list[dict[str, bytes]] = []
    for at, each in enumerate((base, [*base, *(("saebom-bs", "2026-11-01", ("기숙사", "등록금")) for _ in range(4))])):
        with db.opened(filled(tmp_path / str(at), stories(*each))) as press:
            keys.append({claim.path: claim.key for claim in site.claims(press, "") if claim.path.startswith(ABOUT)})
    kept = ("t/축제/index.html", "tags/2026-10/newspaper/index.html")
    assert [keys[0][path] for path in kept] == [keys[1][path] for path in kept]
    assert keys[0]["tags/2026/index.html"] != keys[1]["tags/2026/index.html"]


def test_articles_without_a_date_or_from_the_future_are_not_counted(tmp_path: Path) -> None:
    some = [
        *stories(("hanbit-news", "2026-11-01", ("가",)), ("hanbit-news", "2031-01-01", ("가",))),
        Story("hanbit-news", "x", tags=("가",)),
    ]
    with db.opened(filled(tmp_path, some)) as press:
        pages = month_of(press)
    assert {path for path in pages if path.startswith("tags/20")} == {
        "tags/2026/",
        "tags/2026/newspaper/",
        "tags/2026-11/",
        "tags/2026-11/newspaper/",
    }
    assert pages["tags/2026-11/"].rows[0].articles == 1


def test_periods_end_with_the_last_whole_month() -> None:
    december = 2026 * 12 + 12
    months = list(range(december - 25, december + 1))
    recent, years, singles = tagperiods.periods(months, december)
    assert recent.months == tuple(range(december - 12, december))
    assert [year.label for year in years] == ["2024년", "2025년", "2026년, 11월까지"]
    assert [one.name for one in singles][-1] == "2026-12"
    assert tagperiods.periods([december], december)[0].months == (december,)
    assert tagperiods.periods([], 0)[0].months == ()


def test_hostile_tags_are_harmless_on_every_page(tmp_path: Path) -> None:
    names = [name for name in HOSTILE if name.strip() and "\u202e" not in name]
    some = stories(
        *(("hanbit-news", f"2026-11-{1 + at:02}", names) for at in range(3)),
        *(("saebom-bs", "2026-11-09", names) for _ in range(3)),
    )
    site.build(filled(tmp_path, some), tmp_path / "site")
    pages = [
        *(tmp_path / "site" / "t").rglob("*.html"),
        *(tmp_path / "site" / "tags").rglob("*.html"),
        tmp_path / "site" / "trends" / "index.html",
    ]
    assert len([path for path in pages if "t" in path.parts[-3:-2]]) == len(
        {tags.key(name) for name in names if tags.key(name)}
    )
    for path in pages:
        html = LexborHTMLParser(path.read_text())
        assert {node.attributes.get("src") for node in html.css("script")} <= {
            "../" * n + "assets/site.js" for n in range(5)
        }
        for node in html.css("*"):
            assert not [name for name in node.attributes if name.startswith("on") or name == "style"], (path, node.html)
        for link in html.css("main a"):
            href = link.attributes.get("href") or ""
            assert href.startswith(("http", "../", "#")), href
            if href.startswith("../"):
                assert (path.parent / href / "index.html").resolve().is_file(), href


def test_a_site_without_a_tag_says_so(tmp_path: Path) -> None:
    site.build(filled(tmp_path, [Story("hanbit-news", "글", "2026-11-01")]), tmp_path / "site")
    assert "태그가 달린 글이 없습니다" in main_of(tmp_path / "site" / "tags" / "index.html").text()
    assert not (tmp_path / "site" / "t").exists()


def linked(root: Path, page: str = "o/hanbit-news/index.html") -> dict[str, list[str | None]]:
    """Where the tags of each card lead, by title, None for one that leads nowhere."""
    cards = main_of(root / page).css(".story")
    return {
        card.css_first("h3").text(): [tag.attributes.get("href") for tag in card.css(".tag")]  # type: ignore[union-attr]
        for card in cards
    }


def test_a_tag_of_a_card_leads_to_its_page_from_the_third_article_on(tmp_path: Path) -> None:
    some = stories(*(("hanbit-news", f"2026-11-0{day}", ("축제", f"홀로 {day}")) for day in range(1, 5)))
    site.build(filled(tmp_path, some), tmp_path / "site")
    assert linked(tmp_path / "site") == {
        "글 0": [None, None],
        "글 1": [None, None],
        "글 2": ["../../t/축제/", None],
        "글 3": ["../../t/축제/", None],
    }
    assert (tmp_path / "site/t/축제/index.html").is_file()


def test_a_card_keeps_still_while_others_write_its_tags(tmp_path: Path) -> None:
    built = []
    for count in (2, 3, 6):
        folder = tmp_path / str(count)
        several = stories(*(("hanbit-news", f"2026-{6 + at:02}-01", ("축제",)) for at in range(count)))
        site.build(filled(folder, several), folder / "site")
        built.append((folder / "site/o/hanbit-news/2026-06/index.html").read_text())
    assert '<span class="tag">축제</span>' in built[0]
    # The way to the next month appears; the card stays.
    assert len({page.partition('<ol class="list">')[2].partition("</ol>")[0] for page in built}) == 1


@pytest.mark.parametrize("gone", [0, 2])
def test_a_removed_article_takes_the_link_from_others_in_the_next_build_too(tmp_path: Path, gone: int) -> None:
    every = stories(
        *(("haneul-times" if at == gone else "hanbit-news", f"2026-11-0{at + 1}", ("축제",)) for at in range(4))
    )
    site.build(filled(tmp_path / "one", every), tmp_path / "site")
    before = linked(tmp_path / "site")
    with closing(sqlite3.connect(tmp_path / "one/press.db")) as database:
        for table in ("article_tags WHERE article", "articles WHERE id"):
            database.execute(f"DELETE FROM {table} = ?", (gone + 1,))
        database.commit()
    site.build(tmp_path / "one", tmp_path / "site")
    site.build(tmp_path / "one", tmp_path / "fresh")
    after = linked(tmp_path / "site")
    assert after.keys() == before.keys()
    assert sum(ways == ["../../t/축제/"] for ways in after.values()) == 1
    assert (tmp_path / "site/o/hanbit-news/index.html").read_bytes() == (
        tmp_path / "fresh/o/hanbit-news/index.html"
    ).read_bytes()


@pytest.mark.parametrize("tag", [*HOSTILE, "\xa0#a", "# #b", "#\xa0c", " d "])
def test_the_key_of_a_tag_is_its_own_key(tag: str) -> None:
    assert tags.key(tags.key(tag)) == tags.key(tag)
    assert tags.path(tags.key(tag)) == tags.path(tag)
