"""Every path the site promises stands there, every kind of page is walked by the tests, and every own address leads somewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin
from xml.etree import ElementTree as ET

import pytest
from selectolax.lexbor import LexborHTMLParser

from build import db, site
from build.check import check
from build.pagekinds import Page, Read, Sheet, is_deferred, is_page
from build.render import TEMPLATES
from tests import wholesite

MONTH, DAY, NAME, KIND = (
    r"\d{4}-\d\d",
    r"\d{4}-\d\d-\d\d",
    r"[^/]+",
    "newspaper|broadcaster|magazine|english|independent",
)
PROMISED = (
    "", "outlets/", f"o/{NAME}/", f"o/{NAME}/{MONTH}/", rf"o/{NAME}/{MONTH}/\d+/", f"o/{NAME}/undated/",
    f"u/{NAME}/", f"kind/({KIND})/", f"region/{NAME}/", "m/", f"m/{MONTH}/", rf"m/{MONTH}/\d+/", "m/undated/", f"day/{DAY}/",
    "photos/", "videos/", "audio/", "editions/", rf"(photos|videos|audio|editions)/o/{NAME}/",
    "tags/", f"tags/{MONTH}/", f"tags/{MONTH}/({KIND})/", r"tags/\d{4}/", rf"tags/\d{{4}}/({KIND})/", f"tags/({KIND})/",
    f"t/{NAME}/", "trends/", f"trends/{MONTH}/",
    "search/", "status/", "nights/", f"nights/{MONTH}/", "about/", "404.html", "policy/", "data/", "feeds/", "mine/",
    "en/policy/", "en/about/", "en/data/",
)  # fmt: skip
"""Every kind of page. What the design promises must be there, and a page of no kind named here is one no test was told of."""

MAY_LACK = (
    rf"(photos|videos|audio|editions)/(o/{NAME}/)?\d{{4}}/(\d+/)?",
    rf"(m|o/{NAME})/undated/\d+/",
    rf"(photos|videos|audio|editions)(/o/{NAME})?/\d+/",
)
"""Kinds of pages that there are once a list is long."""

FILES = (
    "bot.json", "bot/ips.json", "opml.xml", "sitemap.xml", "robots.txt", "manifest.webmanifest", "sw.js",
    "data/press.db", rf"data/articles/{MONTH}\.csv", r"data/articles/undated\.csv", r"data/(outlets|sources|nights)\.csv",
    r"feeds/(all|photos|videos|audio)\.(atom|json)", r"feeds/audio\.rss", rf"feeds/(o|u)/{NAME}\.(atom|json)",
    rf"feeds/kind/({KIND})\.(atom|json)", r"assets/(share|cover)\.png", r"assets/icon\.svg",
)  # fmt: skip


def paths(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def pages(root: Path) -> list[str]:
    return [path.removesuffix("index.html") for path in paths(root) if path.endswith(".html")]


@pytest.mark.parametrize("promised", PROMISED)
def test_every_promised_page_stands_there(whole_site: Path, promised: str) -> None:
    assert [path for path in pages(whole_site) if re.fullmatch(promised, path)]


@pytest.mark.parametrize("promised", FILES)
def test_every_promised_file_stands_there(whole_site: Path, promised: str) -> None:
    assert [path for path in paths(whole_site) if re.fullmatch(promised, path)]


def test_no_page_is_of_a_kind_that_was_not_promised(whole_site: Path) -> None:
    known = [re.compile(pattern) for pattern in (*PROMISED, *MAY_LACK)]
    assert [path for path in pages(whole_site) if not any(pattern.fullmatch(path) for pattern in known)] == []


def test_the_tests_in_the_browser_walk_every_kind_of_page(whole_site: Path) -> None:
    """Axe, the validator, hostile words, weights and layout all look at `wholesite.pages`."""
    walked = [unquote(path) for path in wholesite.pages(whole_site)]
    assert [promised for promised in PROMISED if not any(re.fullmatch(promised, path) for path in walked)] == []


def test_every_template_stands_behind_a_page_that_is_walked(whole_site: Path) -> None:
    walked = {unquote(path) for path in wholesite.pages(whole_site)}
    with db.opened(whole_site.parent) as press:
        made = [claim.sheet for claim in site.claims(press, wholesite.BASE)]
        found = {page.template for page in heads(made, press.read) if page.head.url_path in walked}
    parts = {"base.html", "policy_ko.html", "policy_en.html"}
    assert found | parts >= {path.name for path in TEMPLATES.glob("[!_]*.html")} - parts


def heads(sheets: Iterable[Sheet], read: Read) -> Iterator[Page]:
    """The pages among these, worked out where they wait for it."""
    for sheet in sheets:
        if is_deferred(sheet):
            yield sheet.worked_out(read)
        elif is_page(sheet):
            yield sheet


def own(root: Path) -> Iterator[tuple[str, str]]:
    """Every address of this site that one of its files names whole or, outside its pages, relative: (file, path)."""
    for path in paths(root):
        at = wholesite.BASE + path
        match path.rpartition(".")[2]:
            case "html":
                tree = LexborHTMLParser((root / path).read_bytes())
                named = [node.attributes[name] or "" for name in ("href", "content", "data-copy", "srcset", "data-src")
                         for node in tree.css(f"[{name}]") if node.tag != "a" or name != "href"]  # fmt: skip
                named = [
                    one for one in named if one and (one.startswith(wholesite.BASE) or ("/" in one and " " not in one))
                ]
                named = [
                    one for one in named if not re.match(r"https?://(?!campus\.example/press)|[a-z]+/[a-z+.]+$", one)
                ]
                blocks = [node.text() for node in tree.css('script[type="application/ld+json"]')]
                named += [
                    one for block in blocks for one in re.findall(rf'"({re.escape(wholesite.BASE)}[^"#]*)', block)
                ]
            case "atom" | "rss" | "xml":
                text = [
                    value for node in ET.parse(root / path).iter() for value in (node.text or "", *node.attrib.values())
                ]
                named = [one for one in text if one.startswith(wholesite.BASE)]
            case "json" | "webmanifest":
                named = re.findall(rf'"({re.escape(wholesite.BASE)}[^"]*)"', (root / path).read_text("utf-8"))
                if path == "manifest.webmanifest":
                    manifest = json.loads((root / path).read_text("utf-8"))
                    named += [manifest["start_url"], manifest["scope"], *(icon["src"] for icon in manifest["icons"])]
            case "txt":
                named = re.findall(r"Sitemap: (\S+)", (root / path).read_text())
            case "css" | "svg":
                named = re.findall(r"url\(([^)]+)\)", (root / path).read_text())
            case _:
                continue
        for one in named:
            yield path, urljoin(at, one)


def test_every_own_address_leads_to_a_file(whole_site: Path) -> None:
    there, asked, dead = set(paths(whole_site)), 0, set()
    for path, address in own(whole_site):
        asked += 1
        target = unquote(address.partition("#")[0].partition("?")[0]).removeprefix(wholesite.BASE)
        if (f"{target}index.html" if target.endswith("/") or not target else target) not in there:
            dead.add((path, address))
    assert dead == set()
    assert asked > 2_000
    assert check(whole_site) == []


def test_every_own_address_is_written_in_ascii_where_it_is_whole(whole_site: Path) -> None:
    assert [(path, address) for path, address in own(whole_site)
            if address.startswith(wholesite.BASE) and not path.endswith(".html") and not address.isascii()] == []  # fmt: skip
    for path in ("region/서울/index.html", "t/축제/index.html"):
        tree = LexborHTMLParser((whole_site / path).read_bytes())
        for selector, name in (('link[rel="canonical"]', "href"), ('meta[property="og:url"]', "content")):
            node = tree.css_first(selector)
            address = (node.attributes[name] if node else "") or ""
            assert address.isascii()
            assert unquote(address) == wholesite.BASE + path.removesuffix("index.html")


def test_a_hub_before_its_first_night_has_every_page_that_needs_none(tmp_path: Path) -> None:
    root = wholesite.bare(tmp_path)
    assert check(root) == []
    needed = [path for path in PROMISED if not re.search(r"\\d|\[|\(", path) and "undated" not in path]
    assert [path for path in needed if path not in pages(root)] == []
