"""sitemap.xml, robots.txt and what pages tell search engines: whole, honest, stable, and nothing that runs."""

from __future__ import annotations

import json
import struct
import threading
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import sync_playwright
from selectolax.lexbor import LexborHTMLParser

from build import sharepicture, site, sitemap
from build.check import check
from build.serve import SiteServer
from tests import sitefixture
from tests.sitefixture import Story
from tests.test_build_site import built, content, page
from tests.test_site_browser import FLAGS, chromium

BASE = "https://campus.example/press/"
NS = f"{{{sitemap.NAMESPACE}}}"


def places(body: bytes) -> dict[str, str | None]:
    """lastmod by address."""
    return {node.findtext(f"{NS}loc") or "": node.findtext(f"{NS}lastmod") for node in ET.fromstring(body)}


def test_every_page_that_may_be_found_stands_in_the_sitemap(tmp_path: Path) -> None:
    root = built(tmp_path, base_url=BASE)
    found = places((root / "sitemap.xml").read_bytes())
    pages = {path for path in content(root) if path.endswith(".html")}
    hidden = {path for path in pages if page(root, path).css_first('meta[name="robots"][content="noindex"]')}
    assert hidden == {"404.html", "mine/index.html"}
    assert {unquote(address) for address in found} == {
        BASE + path.removesuffix("index.html") for path in pages - hidden
    }
    for address in found:
        assert address.isascii()
        canonical = page(root, f"{unquote(address).removeprefix(BASE)}index.html").css_first('link[rel="canonical"]')
        assert canonical is not None
        assert canonical.attributes["href"] == address


def test_lastmod_is_when_a_story_of_the_page_last_changed(tmp_path: Path) -> None:
    old = Story("hanbit-news", "옛 글", "2026-09-01", first_seen="2026-09-02 00:05")
    root = built(
        tmp_path, old, Story("hanbit-news", "새 글", "2026-11-01", first_seen="2026-11-02 00:05"), base_url=BASE
    )
    found = places((root / "sitemap.xml").read_bytes())
    assert found[f"{BASE}o/hanbit-news/2026-09/"] == "2026-09-01T15:05:00Z"
    assert found[f"{BASE}o/hanbit-news/"] == found[BASE] == "2026-11-01T15:05:00Z"
    assert found[f"{BASE}policy/"] is None


def test_a_later_story_moves_only_the_pages_it_stands_on(tmp_path: Path) -> None:
    def lastmods(folder: Path, *stories: Story) -> dict[str, str | None]:
        return places((built(folder, *stories, base_url=BASE) / "sitemap.xml").read_bytes())

    before = lastmods(tmp_path / "a", *sitefixture.STORIES)
    later = Story("mulgyeol", "겨울호", "2026-12-02", first_seen="2026-12-02 00:05")
    after = lastmods(tmp_path / "b", *sitefixture.STORIES, later)
    moved = {address.removeprefix(BASE) for address in before if before[address] != after[address]}
    assert {"", "o/mulgyeol/", "kind/magazine/"} <= moved
    assert not [path for path in moved if path.startswith(("o/hanbit-news/", "m/2026-11/", "o/mulgyeol/2026-09/"))]


def test_more_pages_than_a_sitemap_holds_are_split_under_an_index() -> None:
    """The protocol's limits are 50,000 addresses and 50 MB."""
    assert sitemap.PAGES_MAX == 50_000
    whole = [sitemap.Place(f"o/{'가' * 60}/{n}/", 86_400 * n or None) for n in range(2 * sitemap.PAGES_MAX + 1)]
    found = {file.path: file.content for file in sitemap.files(whole, BASE)}
    assert set(found) == {"robots.txt", "sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"}
    assert ET.fromstring(found["sitemap.xml"]).tag == f"{NS}sitemapindex"
    assert places(found["sitemap.xml"]) == {
        f"{BASE}sitemap-1.xml": "2106-11-23T00:00:00Z", f"{BASE}sitemap-2.xml": "2243-10-16T00:00:00Z",
        f"{BASE}sitemap-3.xml": "2243-10-17T00:00:00Z",
    }  # fmt: skip
    assert [len(places(found[f"sitemap-{n}.xml"])) for n in (1, 2, 3)] == [50_000, 50_000, 1]
    assert max(len(body) for body in found.values()) < 50 * 1024 * 1024
    assert [file.path for file in sitemap.files(whole[:50_000], BASE)] == ["robots.txt", "sitemap.xml"]


def test_robots_txt_lets_everybody_in_and_names_the_sitemap(tmp_path: Path) -> None:
    lines = (built(tmp_path, base_url=BASE) / "robots.txt").read_text().splitlines()
    reader = RobotFileParser()
    reader.parse(lines)
    assert reader.can_fetch("AnyBot", f"{BASE}o/hanbit-news/")
    assert reader.site_maps() == [f"{BASE}sitemap.xml"]


def test_a_site_that_does_not_know_its_address_has_no_sitemap(tmp_path: Path) -> None:
    root = built(tmp_path)
    assert not (root / "sitemap.xml").exists()
    assert "Sitemap" not in (root / "robots.txt").read_text()
    front = page(root)
    assert front.css_first('script[type="application/ld+json"]') is None
    assert front.css_first('meta[property="og:image"]') is None


def graph(tree: LexborHTMLParser) -> list[dict[str, Any]]:
    """What the page's data block says."""
    (block,) = tree.css('script[type="application/ld+json"]')
    found = json.loads(block.text())
    assert found["@context"] == "https://schema.org"
    nodes: list[dict[str, Any]] = found["@graph"]
    return nodes


def test_the_front_page_says_which_site_this_is(tmp_path: Path) -> None:
    root = built(tmp_path, base_url=BASE, name="우리 허브", name_en="Our Hub", operator="학보 모임", tagline="한곳에서")
    (found,) = graph(page(root))
    assert found == {
        "@type": "WebSite", "@id": f"{BASE}#site", "url": BASE, "name": "우리 허브", "alternateName": "Our Hub",
        "inLanguage": "ko", "description": "한곳에서", "publisher": {"@type": "Organization", "name": "학보 모임"},
    }  # fmt: skip


def test_an_outlets_page_says_which_outlet_it_is_about(tmp_path: Path) -> None:
    listed, trail = graph(page(built(tmp_path, base_url=BASE), "o/hanbit-news/index.html"))
    assert listed["@type"] == "CollectionPage"
    assert listed["mainEntity"] == {
        "@type": "NewsMediaOrganization", "name": "한빛대학보", "alternateName": "The Hanbit Press",
        "url": "https://hanbit-news.example/", "parentOrganization": {"@type": "CollegeOrUniversity", "name": "한빛대학교"},
        "areaServed": "서울",
    }  # fmt: skip
    assert [(step["position"], step["item"]) for step in trail["itemListElement"]] == [
        (1, f"{BASE}outlets/"),
        (2, f"{BASE}o/hanbit-news/"),
    ]


def test_the_data_page_can_be_found_as_a_dataset(tmp_path: Path) -> None:
    root = built(tmp_path, base_url=BASE)
    (found,) = graph(page(root, "data/index.html"))
    assert (found["@type"], found["isAccessibleForFree"]) == ("Dataset", True)
    assert 50 <= len(found["description"]) <= 5000
    for download in found["distribution"]:
        assert (root / download["contentUrl"].removeprefix(BASE)).is_file()


def test_hostile_names_stay_inside_the_data_block(tmp_path: Path) -> None:
    bad = '</script><script>alert(1)</script></script /><script >alert(2)</script ><!-- \u2028 "'
    outlets = [("bad", bad, bad, bad, "bad", "newspaper", "서울", "active", 0, "")]
    sources = [("bad", *sitefixture.SOURCES[0][1:])]
    sitefixture.fill(tmp_path / "press.db", [Story("bad", bad, "2026-12-01")], outlets=outlets, sources=sources)
    sitefixture.hub(tmp_path, name=bad, tagline=bad, operator=bad)
    site.build(tmp_path, tmp_path / "site", BASE)
    assert check(tmp_path / "site") == []
    assert graph(page(tmp_path / "site"))[0]["name"].startswith("</script><script>alert(1)</script>")
    assert graph(page(tmp_path / "site", "o/bad/index.html"))[0]["mainEntity"]["@type"] == "NewsMediaOrganization"
    made = {
        path: body for path, body in content(tmp_path / "site").items() if path.endswith((".html", ".xml", ".atom"))
    }
    assert [path for path, body in made.items() if b"<script>alert" in body] == []


def test_only_a_picture_of_our_own_is_shared(tmp_path: Path) -> None:
    photo = Story(
        "hanbit-news", "[포토] 첫눈", "2026-11-30", kind="photo", image_url="https://hanbit-news.example/p.jpg"
    )
    root = built(tmp_path, photo, base_url=BASE)
    shared = {
        node.attributes["content"]
        for path in content(root)
        if path.endswith(".html")
        for node in page(root, path).css('meta[property="og:image"]')
    }
    assert shared == {f"{BASE}assets/share.png"}


@pytest.mark.parametrize(("path", "size"), [(sharepicture.SHARE, (1200, 630)), (sharepicture.COVER, (1400, 1400))])
def test_our_pictures_are_whole_pngs(path: str, size: tuple[int, int]) -> None:
    body = next(file.content for file in sharepicture.files() if file.path == path)
    assert body[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, place = {}, 8
    while place < len(body):
        (length,) = struct.unpack(">I", body[place : place + 4])
        name, held = body[place + 4 : place + 8], body[place + 8 : place + 8 + length]
        assert struct.unpack(">I", body[place + 8 + length : place + 12 + length]) == (zlib.crc32(name + held),)
        chunks[name] = held
        place += 12 + length
    assert struct.unpack(">II", chunks[b"IHDR"][:8]) == size
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == size[1] * (size[0] + 1)
    assert max(pixels) < len(chunks[b"PLTE"]) // 3
    assert len(body) < 20_000


def test_search_engines_find_their_verification_on_the_front_page_alone(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    codes = '[web]\ngoogle_site_verification = "abcdefghijkl"\nnaver_site_verification = "mnopqrstuvwx"\n'
    sitefixture.hub(tmp_path, codes, name="허브")
    site.build(tmp_path, tmp_path / "site", BASE)
    for name, code in (("google", "abcdefghijkl"), ("naver", "mnopqrstuvwx")):
        node = page(tmp_path / "site").css_first(f'meta[name="{name}-site-verification"]')
        assert node is not None
        assert node.attributes["content"] == code
        assert page(tmp_path / "site", "outlets/index.html").css_first(f'meta[name="{name}-site-verification"]') is None


BLOCK = "JSON.parse(document.querySelector('script[type=\"application/ld+json\"]').text)"


REFUSED = (
    "window.refused = []; "
    "document.addEventListener('securitypolicyviolation', event => refused.push(event.violatedDirective))"
)


@pytest.mark.browser
def test_chromium_neither_runs_nor_refuses_a_data_block(tmp_path: Path) -> None:
    """The policy `script-src 'self'` speaks of scripts; a block of data is none, so nothing is reported."""
    root = built(tmp_path, base_url="https://campus.example/")
    with SiteServer(root, 0) as server, sync_playwright() as playwright:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        tab = browser.new_page()
        troubles: list[str] = []
        tab.on("console", lambda message: troubles.append(message.text))
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        tab.add_init_script(REFUSED)
        try:
            for path in ("", "o/hanbit-news/", "o/hanbit-news/2026-11/", "data/", "en/data/"):
                tab.goto(server.address + path)
                assert tab.evaluate(BLOCK)["@graph"]
                assert tab.evaluate("refused") == []
            assert troubles == []
        finally:
            browser.close()
            server.shutdown()
            thread.join()
