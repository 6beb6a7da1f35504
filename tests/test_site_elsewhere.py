"""The same code as somebody else's hub: its own names and address everywhere, and nothing of ours."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from selectolax.lexbor import LexborHTMLParser

from build import db, site
from build.check import check
from build.records import AGENT, ROBOTS_TOKEN, Hub
from tests import sitefixture, wholesite
from tests.feedrules import ATOM

NAME = "Student Papers of the Far Northern Coast and the Islands " * 3
ADDRESS = "https://papers.example/north/"
OURS = re.compile("대학언론 ?허브|campus ?press ?hub", re.IGNORECASE)
TEXT = {".html", ".atom", ".json", ".rss", ".xml", ".txt", ".webmanifest", ".csv", ".svg", ".js", ".css"}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hub with a long name in Latin letters, no tagline, no contact and no repository."""
    folder = tmp_path_factory.mktemp("elsewhere")
    sitefixture.fill(folder / "press.db", wholesite.stories(), outlets=(*sitefixture.OUTLETS, *wholesite.STRANGERS))
    sitefixture.hub(folder, name=NAME.strip(), name_en="Northern Papers", tagline="", address=ADDRESS)
    site.build(folder, folder / "site")
    return folder / "site"


def test_no_file_names_our_hub(elsewhere: Path) -> None:
    """The crawler's own name stays: by it servers know the program, whoever runs it (P01, P41)."""
    found = []
    for path in elsewhere.rglob("*"):
        if path.suffix in TEXT:
            text = path.read_text("utf-8")
            told = re.sub(rf"<code[^>]*>[^<]*{ROBOTS_TOKEN}[^<]*</code>", "", text)
            if path.name == "bot.json":
                told = json.dumps({name: value for name, value in json.loads(text).items()
                                   if name not in ("user_agent", "robots_txt")}, ensure_ascii=False)  # fmt: skip
            found += [(path.name, hit.group()) for hit in OURS.finditer(told)]
    assert found == []
    assert AGENT in (elsewhere / "policy/index.html").read_text("utf-8")


def test_its_own_names_and_address_stand_everywhere(elsewhere: Path) -> None:
    name = NAME.strip()
    for path in elsewhere.rglob("*.html"):
        tree = LexborHTMLParser(path.read_bytes())
        lang, title = tree.css_first("html"), tree.css_first("title")
        assert lang is not None
        assert title is not None
        assert title.text().endswith(name if lang.attributes["lang"] == "ko" else "Northern Papers"), path
        canonical = [node.attributes["href"] or "" for node in tree.css('link[rel="canonical"]')]
        assert [one.startswith(ADDRESS) for one in canonical] == [True] * (path.name != "404.html"), path
        assert tree.css('a[href^="mailto:"], a[href*="github.com"]') == [], path
    manifest = json.loads((elsewhere / "manifest.webmanifest").read_text())
    assert (manifest["name"], manifest["description"]) == (name, name)
    feed = ET.parse(elsewhere / "feeds/all.atom").getroot()
    assert (feed.findtext(f"{ATOM}title"), feed.findtext(f"{ATOM}author/{ATOM}name")) == (name, name)
    assert name in (elsewhere / "opml.xml").read_text("utf-8")
    assert f"Sitemap: {ADDRESS}sitemap.xml" in (elsewhere / "robots.txt").read_text()


def test_it_keeps_all_rules_of_a_site(elsewhere: Path) -> None:
    assert check(elsewhere) == []


@pytest.mark.parametrize(
    ("written", "name", "name_en", "tagline"),
    [
        ({"name": "북쪽 모임"}, "북쪽 모임", "북쪽 모임", Hub().tagline),
        ({"name_en": "Northern Papers", "tagline": ""}, "Northern Papers", "Northern Papers", ""),
        ({"name": "북쪽 모임", "name_en": "Northern Papers"}, "북쪽 모임", "Northern Papers", Hub().tagline),
        ({"address": ADDRESS}, Hub().name, Hub().name_en, Hub().tagline),
    ],
)  # fmt: skip
def test_a_hub_that_gives_one_name_bears_that_one(
    tmp_path: Path, written: dict[str, str], name: str, name_en: str, tagline: str
) -> None:
    sitefixture.hub(tmp_path, **written)
    found = db.read_hub(tmp_path)
    assert (found.name, found.name_en, found.tagline) == (name, name_en, tagline)


@pytest.mark.parametrize("moved", ["its name", "its place"])
def test_a_hubs_other_name_or_place_alone_reaches_every_page_at_once(tmp_path: Path, moved: str) -> None:
    name, place = ("Papers", ADDRESS) if moved == "its name" else (NAME.strip(), "https://papers.example/south/")
    data = tmp_path / "data"
    sitefixture.fill(data / "press.db")
    sitefixture.hub(data, name=NAME.strip())
    site.build(data, tmp_path / "site", ADDRESS)
    sitefixture.hub(data, name=name)
    site.build(data, tmp_path / "site", place)
    site.build(data, tmp_path / "first" / "site", place)
    made = [{path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
            for root in (tmp_path / "site", tmp_path / "first" / "site")]  # fmt: skip
    assert made[0] == made[1]
