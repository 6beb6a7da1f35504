"""The checker finds what is planted, and asks nobody."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from build import check as checking
from build import site
from build.check import check, site_root
from build.cli import main
from build.render import TEMPLATES
from tests import sitefixture


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small flawless site."""
    sitefixture.fill(tmp_path / "press.db")
    site.build(tmp_path, tmp_path / "site", "https://campus.example/press/")
    assert check(tmp_path / "site") == []
    return tmp_path / "site"


def plant(root: Path, old: str, new: str, path: str = "outlets/index.html") -> list[str]:
    """Change one page and say what the checker then finds."""
    page = root / path
    assert old in page.read_text("utf-8")
    page.write_text(page.read_text("utf-8").replace(old, new, 1), "utf-8")
    return [str(flaw) for flaw in check(root)]


def test_a_planted_broken_link_is_found(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = plant(root, 'href="../o/mulgyeol/"', 'href="../o/mulgyeol/2001-01/"')
    assert found == [
        "outlets/index.html: the link '../o/mulgyeol/2001-01/' leads to nothing; correct the link or make the page"
    ]
    assert main(["check", str(root)]) == 1
    assert "leads to nothing" in capsys.readouterr().err


def test_a_planted_broken_anchor_is_found(root: Path) -> None:
    (flaw,) = plant(root, 'href="../policy/#leave"', 'href="../policy/#gone"')
    assert "names a place that is not on the page" in flaw


def test_an_anchor_in_korean_is_followed(root: Path) -> None:
    assert 'href="#%EC%84%9C%EC%9A%B8"' in (root / "outlets/index.html").read_text()
    (flaw,) = plant(root, 'id="서울"', 'id="서을"')
    assert "'#%EC%84%9C%EC%9A%B8' names a place" in flaw


def test_a_link_out_of_the_site_is_found(root: Path) -> None:
    (flaw,) = plant(root, 'href="../o/mulgyeol/"', 'href="../../other/"')
    assert "leaves the site" in flaw
    (flaw,) = plant(root, 'href="/press/outlets/"', 'href="/outlets/"', "404.html")[:1]
    assert "leaves the site" in flaw


def test_links_of_a_404_page_count_from_the_folder_of_the_host(root: Path) -> None:
    assert site_root(root) == "/press/"
    (flaw,) = plant(root, 'href="/press/outlets/"', 'href="/press/outlet/"', "404.html")
    assert "'/press/outlet/' leads to nothing" in flaw


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<h1>매체</h1>", "<p>매체</p>", "0 h1 headings"),
        ("<h1>매체</h1>", "<h1>매체</h1><h1>또</h1>", "2 h1 headings"),
        ("script-src 'self'", "script-src *", "content security policy"),
        ('<meta charset="utf-8">', "", "meta charset is missing"),
        ('name="description"', 'name="descriptor"', "meta description is missing"),
        ('<html lang="ko">', "<html>", "lang on html is missing"),
        ("<h1>매체</h1>", "<h1>매체</h1><style>p{}</style>", "inline style or script in <style>"),
        ("<h1>매체</h1>", "<h1>매체</h1><script>x()</script>", "inline style or script in <script>"),
        ("<h1>매체</h1>", '<h1 style="color:red">매체</h1>', "inline style or script in <h1>"),
        ("<h1>매체</h1>", '<h1 onclick="x()">매체</h1>', "an inline handler onclick"),
        ("<h1>매체</h1>", '<h1>매체</h1><a href="javascript:x()">y</a>', "a link with the scheme javascript:"),
        ("<h1>매체</h1>", '<h1>매체</h1><a href=" JavaScript:x()">y</a>', "a link with the scheme javascript:"),
        ("<h1>매체</h1>", '<h1>매체</h1><a href="https://x.example/">y</a>', "has no rel=noopener"),
        ("<h1>매체</h1>", '<h1>매체</h1><script src="https://x.example/t.js"></script>', "makes the browser ask"),
        ("<h1>매체</h1>", '<h1>매체</h1><iframe src="https://x.example/"></iframe>', "makes the browser ask"),
        ("<h1>매체</h1>", '<h1>매체</h1><img src="http://x.example/a.png">', "makes the browser ask"),
        ("<h1>매체</h1>", '<h1>매체</h1><link rel="stylesheet" href="https://x.example/a.css">', "makes the browser ask"),
        ("<h1>매체</h1>", '<h1>매체</h1><img src="../gone.png">', "leads to nothing"),
    ],
)  # fmt: skip
def test_what_a_page_must_have_and_must_not_have(root: Path, old: str, new: str, said: str) -> None:
    (flaw,) = plant(root, old, new)
    assert said in flaw


def test_a_picture_from_an_outlets_own_server_is_allowed(root: Path) -> None:
    assert plant(root, "<h1>매체</h1>", '<h1>매체</h1><img src="https://x.example/a.png">') == []


def test_a_page_too_heavy_for_its_cards_is_found(root: Path) -> None:
    (flaw,) = plant(root, "<h1", "<!--" + "x" * 65_000 + "--><h1", "index.html")
    assert "for 10 cards; make its cards lighter" in flaw


def test_a_page_may_weigh_what_its_cards_weigh(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "CARDS", 5)
    assert plant(root, "<h1", "<!--" + "x" * 65_000 + "--><h1", "index.html") == []


def test_heavy_styles_are_found(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "ASSETS_GZIP_BYTES", 3_000)
    flaws = check(root)
    assert "404.html" in [flaw.path for flaw in flaws]
    assert {flaw.cure for flaw in flaws} == {"keep to 3,000"}


def test_what_a_script_imports_weighs_on_its_page(root: Path) -> None:
    heavy = "".join(chr(0xAC00 + number * 7_919 % 11_172) for number in range(9_000))
    (root / "assets/search/offer.js").write_text('import "./heavy.js"; import("./offer.js");')
    assert check(root) == []
    (root / "assets/search/heavy.js").write_text(heavy)
    assert [flaw.path for flaw in check(root)] == ["search/index.html"]


def test_styles_and_scripts_are_far_below_their_weight(root: Path) -> None:
    assert checking.ASSETS_GZIP_BYTES == 30_000
    assert (root / "assets/style.css").stat().st_size + (root / "assets/site.js").stat().st_size < 28_000


def test_lines_of_comment_stay_at_home_and_nothing_else_does(root: Path) -> None:
    for path in sorted((root / "assets").rglob("*.[cj]s*")):
        source = (TEMPLATES / "assets" / path.relative_to(root / "assets")).read_text()
        kept, inside = [], False
        for line in source.splitlines():
            inside = inside or line.lstrip().startswith("/*")
            if not inside and not line.lstrip().startswith("//"):
                kept.append(line)
            inside = inside and not line.endswith("*/")
        assert (path.name, path.read_text().splitlines()) == (path.name, kept)


def test_dark_by_the_system_is_dark_by_choice() -> None:
    style = (TEMPLATES / "assets/style.css").read_text("utf-8")
    by_system, by_choice = re.findall(r":root\S*theme\S* \{\s*color-scheme: dark;([^}]*)\}", style)
    assert by_system.split() == by_choice.split() != []


def test_a_feed_that_is_no_xml_is_found(root: Path) -> None:
    (root / "feeds/all.atom").write_text("<feed><b></feed>")
    assert [flaw.path for flaw in check(root)] == ["feeds/all.atom"]


def test_the_checker_asks_nobody(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("the checker opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert check(root) == []
