"""Every kind of page in a browser, plain and hostile: quiet, whole when narrow, readable without a script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from selectolax.lexbor import LexborHTMLParser

from build.check import check
from tests import wholesite
from tests.test_site_browser import DESK, NARROW, PHONE, browser, look, opened
from tests.webworld import outside

__all__ = ["browser"]
pytestmark = pytest.mark.browser

ZOOMED = (DESK[0] // 2, DESK[1] // 2)
"""A desk's window at 200 %."""

ALIVE = 'document.querySelectorAll(\'[onload], [onerror], [onmouseover], [style], script:not([src], [type="application/ld+json"]), a[href^="data:"], '
ALIVE += 'a[href^="javascript:" i], img[src="x"]\').length'
MOVED = """window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(e => window.moved += e.value))
.observe({type: 'layout-shift', buffered: true})"""
ALL_PICTURES = """Promise.all([...document.images].map(img => {
  img.loading = 'eager';
  return img.complete || new Promise(done => img.onload = img.onerror = done);
})).then(() => new Promise(requestAnimationFrame))"""


def test_no_kind_of_page_complains_lives_asks_a_stranger_or_scrolls_sideways(
    browser: Browser, whole_site: Path, whole_address: str
) -> None:
    wide = []
    with opened(browser, PHONE) as (page, troubles, _):
        strange = outside(page, whole_address)
        for path in wholesite.pages(whole_site):
            page.goto(whole_address + path)
            look(page, ALL_PICTURES)
            assert (path, look(page, ALIVE), page.locator("h1").count()) == (path, 0, 1)
            assert (path, troubles, strange) == (path, [], [])
            for width, height in (NARROW, ZOOMED, PHONE):
                page.set_viewport_size({"width": width, "height": height})
                if (needed := look(page, "document.documentElement.scrollWidth")) != width:
                    wide.append((path, width, needed))
    assert wide == []


def test_every_kind_of_page_reads_without_a_script(browser: Browser, whole_site: Path, whole_address: str) -> None:
    with opened(browser, PHONE, script=False) as (page, _, _asked):
        strange = outside(page, whole_address)
        for path in wholesite.pages(whole_site):
            page.goto(whole_address + path)
            assert page.locator("h1").is_visible(), path
            assert len(page.locator("main").inner_text()) > 40, path
            assert dead_buttons(page) == [], path
        assert strange == []


def dead_buttons(page: Page) -> list[str]:
    """Buttons that are seen though no script is there to hear them; a form is heard by the site itself."""
    return [button.inner_text() for button in page.locator("button:not(form button)").all() if button.is_visible()]


def test_nothing_moves_and_words_stand_in_when_pictures_fail(
    browser: Browser, whole_site: Path, whole_address: str
) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address, pictures=False)
        page.add_init_script(MOVED)
        for path in ("", "photos/", "videos/"):
            page.goto(whole_address + path)
            look(page, ALL_PICTURES)
            assert (path, look(page, "window.moved"), page.locator(".pic img").count()) == (path, 0, 0)
            assert page.locator(".pic").count() > 3
            assert [pic for pic in page.locator(".pic").all() if not pic.inner_text().strip()] == []


def test_the_whole_site_keeps_its_weights_and_its_links(whole_site: Path) -> None:
    assert check(whole_site) == []


def test_every_picture_film_sound_and_issue_says_how_to_have_it_removed(whole_site: Path) -> None:
    for path, item in (("photos", "tile"), ("videos", "film"), ("audio", "sound"), ("editions", "issue")):
        tree = LexborHTMLParser((whole_site / path / "index.html").read_bytes())
        items = tree.css(f"li.{item}")
        assert len(items) > 3
        assert [len(node.css("a.report[href^='mailto:hub@campus.example']")) for node in items] == [1] * len(items)


def test_json_and_text_of_the_site_hold_no_living_script(whole_site: Path) -> None:
    for file in whole_site.rglob("*.json"):
        json.loads(file.read_text())
    assert [file.name for file in whole_site.rglob("*.svg") if "<script" in file.read_text()] == []
