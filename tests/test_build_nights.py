"""/nights/: what each night did and brought, in pages by month that no later night moves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from build import db, nights, site
from tests import sitefixture
from tests.sitefixture import Story, at
from tests.test_build_site import built, content, page, text


def night(folder: Path, day: str, id: int, *, ended: bool = True, ok: int = 5, new: int = 3, breaches: int = 0) -> None:
    """Add one night to the database of a folder."""
    start = at(f"{day} 00:00")
    with closing(sqlite3.connect(folder / "press.db")) as press:
        values = (
            id,
            day,
            "scheduled",
            start,
            start + 900 if ended else None,
            6,
            ok,
            0,
            6 - ok,
            0,
            0,
            new,
            0,
            9,
            50_000,
            breaches,
        )
        press.execute(f"INSERT INTO nights VALUES ({', '.join('?' * 16)})", values)
        press.commit()


def several(folder: Path) -> None:
    """Three nights over two months; the first two brought stories."""
    stories = [
        Story("hanbit-news", "가", "2026-10-30", first_seen="2026-10-31 00:05"),
        Story("hanbit-news", "나", "2026-10-30", first_seen="2026-10-31 00:06"),
        Story("mulgyeol", "다", "2026-10-30", first_seen="2026-10-31 00:07"),
        Story("mulgyeol", "파일에서", "2019-01-01", first_seen="2026-10-31 12:00"),
        Story("haneul-times", "라", "2026-11-01", first_seen="2026-11-01 00:05"),
    ]
    sitefixture.fill(folder / "press.db", stories, nights=False)
    night(folder, "2026-10-31", 1, new=4)
    night(folder, "2026-11-01", 2, new=1, breaches=2)
    night(folder, "2026-11-02", 3, ended=False, ok=0, new=0)


def test_a_night_says_which_outlet_brought_how_much(tmp_path: Path) -> None:
    several(tmp_path)
    with db.opened(tmp_path) as press:
        newest, october, november = nights.sheets(press)
    assert [one.head.path for one in (newest, november, october)] == [
        "nights/index.html", "nights/2026-11/index.html", "nights/2026-10/index.html",
    ]  # fmt: skip
    (first,) = october.nights
    assert first.brought == (("hanbit-news", "한빛대학보", 2), ("mulgyeol", "교지 물결", 1))
    assert first.gone == 1
    assert [one.night.id for one in newest.nights] == [3, 2, 1]
    assert newest.years == (("2026", ("2026-10", "2026-11")),)
    assert (november.older, november.newer, october.newer) == (
        ("nights/2026-10/", "2026년 10월"), None, ("nights/2026-11/", "2026년 11월"),
    )  # fmt: skip


def test_more_outlets_than_a_night_names_are_summed(tmp_path: Path) -> None:
    outlets = [(f"o{n:02}", f"매체 {n}", "", "대학", f"u{n}", "newspaper", "서울", "active", 0, "") for n in range(20)]
    stories = [Story(f"o{n:02}", f"글 {n}-{m}", "2026-11-30") for n in range(20) for m in range(1 + (n == 7))]
    sitefixture.fill(tmp_path / "press.db", stories, outlets=outlets, sources=[("o00", *sitefixture.SOURCES[0][1:])])
    with db.opened(tmp_path) as press:
        told = next(nights.sheets(press)).nights[0]
    assert (told.brought[0], len(told.brought)) == (("o07", "매체 7", 2), nights.OUTLETS)
    assert (told.others, told.others_stories) == (8, 8)


def test_a_later_night_moves_no_month_that_is_over(tmp_path: Path) -> None:
    data, root = tmp_path / "data", tmp_path / "site"
    data.mkdir()
    several(data)
    site.build(data, root)
    before = content(root)
    night(data, "2026-11-03", 4, new=0)
    site.build(data, root)
    after = content(root)
    moved = {path for path in after if path.startswith("nights/") and after[path] != before.get(path)}
    assert moved == {"nights/index.html", "nights/2026-11/index.html"}
    night(data, "2026-12-03", 5, new=0)
    site.build(data, root)
    moved = {path for path, body in content(root).items() if path.startswith("nights/") and body != after.get(path)}
    assert moved == {"nights/index.html", "nights/2026-11/index.html", "nights/2026-12/index.html"}


def test_what_went_wrong_in_a_night_is_said(tmp_path: Path) -> None:
    data, root = tmp_path / "data", tmp_path / "site"
    data.mkdir()
    several(data)
    site.build(data, root)
    tree = page(root, "nights/index.html")
    assert "도중에 끊겼습니다" in text(tree.css_first("#n3"))
    assert "끝을 맺지 못했습니다" in text(tree.css_first("#n3"))
    assert text(tree.css_first("#n2 .bad")) == "어긴 원칙 2"
    assert text(tree.css_first("#n1 .kept")) == "어긴 원칙 0"
    assert "notice" not in {name for node in tree.css("#n1 p") for name in (node.attributes.get("class") or "").split()}


def test_before_the_first_night_the_page_says_what_will_stand_there(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "data" / "press.db", [], nights=False)
    site.build(tmp_path / "data", tmp_path / "site")
    assert "아직 수집한 밤이 없습니다." in text(page(tmp_path / "site", "nights/index.html").css_first("main"))
    assert not [path for path in content(tmp_path / "site") if path.startswith("nights/2")]


def test_figures_of_a_night_are_those_of_the_database(tmp_path: Path) -> None:
    section = page(built(tmp_path), "nights/2026-12/index.html").css_first("#n1")
    assert text(section.css_first(".figs")) == "새 글 10 바뀐 글 0 확인한 주소 2 / 6 보낸 요청 5 어긴 원칙 0"  # type: ignore[union-attr]
    assert text(section.css_first(".fine")) == (  # type: ignore[union-attr]
        "00:00:00에 시작해 00:12:41에 마쳤습니다. 읽지 못한 주소 2곳. 원칙에 따라 묻지 않은 주소 1곳. "
        "다음으로 미룬 주소 1곳. 받은 양 81 KB."
    )
