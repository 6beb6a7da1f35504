"""Landings of universities, kinds and regions: their outlets, their newest rows, and the ways between them."""

from __future__ import annotations

from pathlib import Path

from build import db, landings
from build.landings import Landing
from tests import sitefixture
from tests.sitefixture import Story
from tests.test_build_site import built, page, text


def landings_of(folder: Path, *stories: Story) -> dict[str, Landing]:
    sitefixture.fill(folder / "press.db", stories or sitefixture.STORIES)
    with db.opened(folder) as press:
        return {sheet.head.url_path: sheet for sheet in landings.landings(press)}


def test_every_university_kind_and_region_with_an_outlet_has_one(tmp_path: Path) -> None:
    assert set(landings_of(tmp_path)) == {
        "u/goyo/", "u/hanbit/", "u/haneul/", "u/mulgyeol/", "u/nuri/", "u/saebom/", "u/solbit/",
        "kind/newspaper/", "kind/broadcaster/", "kind/magazine/", "kind/english/", "kind/independent/",
        "region/강원/", "region/경기/", "region/광주/", "region/대전/", "region/부산/", "region/서울/",
    }  # fmt: skip


def test_a_region_groups_its_outlets_by_university_and_shows_the_newest_of_all(tmp_path: Path) -> None:
    seoul = landings_of(tmp_path)["region/서울/"]
    assert [(group.title, group.path, [outlet.name for outlet in group.outlets]) for group in seoul.groups] == [
        ("하늘대학교", "u/haneul/", ["하늘타임스"]),
        ("한빛대학교", "u/hanbit/", ["한빛대학보"]),
    ]
    assert list(seoul.rows.ids) == [1, 2, 4, 3, 5]


def test_a_kind_groups_its_outlets_by_region(tmp_path: Path) -> None:
    papers = landings_of(tmp_path)["kind/newspaper/"]
    assert [(group.title, group.path) for group in papers.groups] == [
        ("강원", "region/강원/"), ("경기", "region/경기/"), ("서울", "region/서울/"),
    ]  # fmt: skip
    assert papers.outlets == 3


def test_a_landing_ends_at_its_newest_rows(tmp_path: Path) -> None:
    many = [Story("hanbit-news", f"글 {n}", f"2026-11-30 10:{n % 60:02}") for n in range(90)]
    assert len(landings_of(tmp_path, *many)["u/hanbit/"].rows) == landings.ROWS


def test_a_landing_reads_as_a_page_and_leads_on(tmp_path: Path) -> None:
    root = built(tmp_path)
    tree = page(root, "u/hanbit/index.html")
    assert text(tree.css_first("h1")) == "한빛대학교"
    assert text(tree.css_first("header .chips a[href='#outlets']")) == "매체 1곳 보기"
    assert [text(node) for node in tree.css(".theirs li")] == ["한빛대학보 학보"]
    assert len(tree.css("li.row")) == 3
    assert tree.css_first('link[rel="alternate"]').attributes["href"] == "../../feeds/u/hanbit.atom"  # type: ignore[union-attr]
    ways = {node.attributes["href"] for node in tree.css("main a, aside a")}
    assert {"../../outlets/", "../../o/hanbit-news/", "../../region/%EC%84%9C%EC%9A%B8/", "#outlets"} <= ways


def test_a_landing_without_stories_says_where_the_reason_stands(tmp_path: Path) -> None:
    assert "까닭은 매체마다" in text(page(built(tmp_path), "u/goyo/index.html").css_first(".empty"))


def test_the_directory_the_home_page_and_outlets_lead_to_landings(tmp_path: Path) -> None:
    root = built(tmp_path)

    def ways(path: str, selector: str) -> set[str | None]:
        return {node.attributes["href"] for node in page(root, path).css(selector)}

    assert "../u/hanbit/" in ways("outlets/index.html", "dt a")
    assert "../region/%EC%84%9C%EC%9A%B8/" in ways("outlets/index.html", "h2 a")
    assert "./kind/english/" in ways("index.html", ".kinds a")
    assert {"../../kind/newspaper/", "../../u/hanbit/", "../../region/%EC%84%9C%EC%9A%B8/"} == ways(
        "o/hanbit-news/index.html", ".kicker a"
    )


def test_a_region_whose_name_gives_no_address_has_no_page(tmp_path: Path) -> None:
    outlets = [("bad", "악", "Bad", "악대학교", "bad", "newspaper", '../"><b>', "active", 0, "")]
    sitefixture.fill(tmp_path / "press.db", [], outlets=outlets, sources=[])
    with db.opened(tmp_path) as press:
        assert [sheet.head.url_path for sheet in landings.landings(press)] == ["u/bad/", "kind/newspaper/"]
