"""Strange words on every kind of page and in every file: they stay words, and stay where they belong."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from selectolax.lexbor import LexborHTMLParser

from build.rows import clean
from tests import feedrules, searchfixture, wholesite
from tests.test_site_browser import DESK, PHONE, browser, look, opened
from tests.webworld import outside

__all__ = ["browser"]

UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
ALIVE = re.compile(r"^\s*(?!https?:|mailto:|data:)[a-z][a-z0-9+.-]*\s*:", re.IGNORECASE)
"""An address with a scheme that a page of ours never uses."""

TURNED = r"""() => {
  const rtl = /[\u0590-\u08ff]/, turned = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let before = null;
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.data.trim() || node.parentElement.closest('.v, script, noscript')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    if (!boxes.length) continue;
    if (before && (rtl.test(node.data) || rtl.test(before.data)))
      for (const a of before.boxes) for (const b of boxes)
        if (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4 && b.left < a.left)
          turned.push(`${before.data.slice(-40)} | ${node.data.slice(0, 40)}`);
    if (/[\u0590-\u08ff][^\p{L}]*\d/u.test(node.data.replaceAll('OURS', ''))) turned.push(node.data.slice(-80));
    before = {data: node.data, boxes};
  }
  return turned;
}"""
"""What stands left of what comes before it on the same line, or would: words written from right to left leave their place."""


def decoded(path: Path) -> str:
    """A file as the text it holds, packed cards unpacked."""
    raw = path.read_bytes()
    if path.suffix != ".z":
        return raw.decode("utf-8-sig")
    raw = searchfixture.unpacked(raw)
    return raw[1:].decode("cp949") if raw[:1] == b"K" else raw[1:].decode()


def texts(root: Path) -> dict[str, str]:
    """Every file of the site that is text, by path: the search's cards among them, its numbers and lists not."""
    paths = ((path, path.relative_to(root).as_posix()) for path in root.rglob("*") if path.is_file())
    return {
        name: decoded(path)
        for path, name in paths
        if path.suffix not in (".png", ".db")
        and (not name.startswith("search/") or re.fullmatch(r"search/(index\.html|\w+/c/.*)", name))
    }


@pytest.mark.browser
def test_words_from_right_to_left_stay_in_their_place(browser: Browser, whole_site: Path, whole_address: str) -> None:
    ours = clean(wholesite.WORDS[1])
    turned: list[tuple[str, str]] = []
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address)
        for path in wholesite.pages(whole_site):
            page.goto(whole_address + path)
            for width, height in (DESK, PHONE):
                page.set_viewport_size({"width": width, "height": height})
                turned += [(path, found) for found in look(page, TURNED.replace("OURS", ours))]
    assert turned == []


def test_no_file_holds_a_sign_that_is_not_seen(whole_site: Path) -> None:
    found = {path: set(UNSEEN.findall(text)) for path, text in texts(whole_site).items()}
    assert len([path for path in found if path.endswith(".z")]) > 10
    assert {path: signs for path, signs in found.items() if signs} == {}


def test_no_file_gives_a_password_away(whole_site: Path) -> None:
    assert [path for path, text in texts(whole_site).items() if wholesite.PASSWORD in text] == []


def test_no_address_of_a_page_is_alive(whole_site: Path) -> None:
    """Whatever may be followed, loaded or sent leads into the site, to the web or to a mailbox."""
    pages = {path: text for path, text in texts(whole_site).items() if path.endswith(".html")}
    found = {
        (name, value)
        for text in pages.values()
        for node in LexborHTMLParser(text).css("*")
        for name, value in node.attributes.items()
        if name in ("href", "src", "action", "formaction", "srcset", "poster", "data-sound", "data", "background")
        and ALIVE.match(value or "")
    }
    assert len(pages) > 100
    assert found == set()


def test_no_markup_of_others_became_an_element(whole_site: Path) -> None:
    """Every script and image of a page is one of ours or an outlet's picture; nothing listens, nothing is styled in place."""
    for path, text in texts(whole_site).items():
        if not path.endswith(".html"):
            continue
        tree = LexborHTMLParser(text)
        assert tree.css("[onmouseover], [onerror], [onload], [onclick], [style], svg[onload], main svg script") == [], (
            path
        )
        loaded = [node.attributes.get("src") or "" for node in tree.css("script:not([type='application/ld+json'])")]
        assert [
            src for src in loaded if not re.fullmatch(r"(?:\.{0,2}/|\.\./)*(?:press/)?assets/[\w/]+\.js", src)
        ] == [], path


def test_what_pages_tell_search_engines_is_whole_and_leads_to_pages(whole_site: Path) -> None:
    told = 0
    for path, text in texts(whole_site).items():
        if path.endswith(".html"):
            for block in LexborHTMLParser(text).css('script[type="application/ld+json"]'):
                for address in addresses(json.loads(block.text())["@graph"]):
                    assert feedrules.whole(address), (path, address)
                    told += 1
    assert told > 200


def addresses(found: Any) -> Iterator[str]:
    """Every address within a data block."""
    if isinstance(found, list):
        for one in found:
            yield from addresses(one)
    elif isinstance(found, dict):
        for name, value in found.items():
            if name in ("@id", "url", "item", "contentUrl", "license") and isinstance(value, str):
                yield value
            else:
                yield from addresses(value)


RULES = {".atom": feedrules.atom, ".rss": feedrules.rss}


def test_every_feed_keeps_the_rules_of_its_format(whole_site: Path) -> None:
    broken: dict[str, list[str]] = {}
    read = 0
    for path in whole_site.rglob("*"):
        name = path.relative_to(whole_site).as_posix()
        if path.suffix in RULES:
            broken[name] = list(RULES[path.suffix](path.read_bytes()))
        elif name == "opml.xml":
            broken[name] = list(feedrules.opml(path.read_bytes()))
        elif name.startswith("sitemap"):
            broken[name] = list(feedrules.sitemap(path.read_bytes(), wholesite.BASE))
        elif name.startswith("feeds/") and path.suffix == ".json":
            broken[name] = list(feedrules.json_feed(path.read_bytes()))
        read += name in broken
    assert {name: said for name, said in broken.items() if said} == {}
    assert read > 60
    assert {Path(name).suffix for name in broken} == {".atom", ".rss", ".json", ".xml"}


def test_no_cell_of_a_csv_is_run_as_a_formula(whole_site: Path) -> None:
    risky, held = re.compile(r"[=+\-@\t\r\n＝＋－＠](?!\d+$)"), 0
    for path, text in texts(whole_site).items():
        if path.endswith(".csv"):
            rows = list(csv.reader(io.StringIO(text, newline="")))
            assert {len(row) for row in rows} == {len(rows[0])}, path
            assert [cell for row in rows for cell in row if risky.match(cell)] == [], path
            held += sum("cmd|" in cell for row in rows for cell in row)
    assert held > 5


def test_the_manifest_and_the_robots_files_stay_what_they_are(whole_site: Path) -> None:
    manifest = json.loads((whole_site / "manifest.webmanifest").read_text())
    assert [(whole_site / icon["src"]).is_file() for icon in manifest["icons"]] == [True] * len(manifest["icons"])
    lines = (whole_site / "robots.txt").read_text().splitlines()
    assert lines == ["User-agent: *", "Allow: /", f"Sitemap: {wholesite.BASE}sitemap.xml"]
    assert json.loads((whole_site / "bot.json").read_text())["policy"]["ko"] == f"{wholesite.BASE}policy/"
