"""Every kind of page on paper, without motion, in a reader's own colours, and when pictures come late, fail or are left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests import wholesite
from tests.test_site_browser import DESK, PHONE, browser, look, opened
from tests.test_site_flows import ALL_PICTURES, MOVED
from tests.webworld import outside

__all__ = ["browser"]
pytestmark = pytest.mark.browser

SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
LARGE = "html { font-size: 200% !important }"
SPACED = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }"
BEYOND = """[...document.body.querySelectorAll('*')].filter(node => node.getBoundingClientRect().right > innerWidth + 1)
.map(node => node.outerHTML.slice(0, 120)).slice(0, 3)"""
MOVING = """[...document.querySelectorAll('*')].filter(node => ['', '::before', '::after'].some(part => {
  const style = getComputedStyle(node, part || null);
  return style.animationName !== 'none' || style.transitionDuration.split(', ').some(span => parseFloat(span));
})).map(node => node.outerHTML.slice(0, 80))"""
PALE = """() => {
  const light = colour => {
    const part = colour.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const shown = node => node.checkVisibility() && node.closest('svg, .v, .pic, button, .skip') === null
    && [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
  return [...document.body.querySelectorAll('*')].filter(shown)
    .filter(node => 1.05 / (light(getComputedStyle(node).color) + 0.05) < 4.5)
    .map(node => node.outerHTML.slice(0, 120));
}"""
"""What would be too pale on white paper, where backgrounds are not printed."""


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("pictures", [True, False], ids=["pictures", "no pictures"])
def test_nothing_moves_on_any_kind_of_page_whether_pictures_come_or_fail(
    browser: Browser, whole_site: Path, whole_address: str, size: tuple[int, int], pictures: bool
) -> None:
    moved = {}
    with opened(browser, size) as (page, _, _asked):
        outside(page, whole_address, pictures=pictures)
        page.add_init_script(MOVED)
        for path in wholesite.pages(whole_site):
            page.goto(whole_address + path)
            look(page, ALL_PICTURES)
            look(page, SETTLED)
            moved[path] = look(page, "window.moved")
            assert bool(look(page, "document.querySelector('.pic img')")) <= pictures, path
    assert {path: by for path, by in moved.items() if by} == {}


def test_letters_twice_as_large_or_set_wide_move_nothing_off_a_phones_screen(
    browser: Browser, whole_site: Path, whole_address: str
) -> None:
    """WCAG 1.4.4 and 1.4.12: readers set their own size and spacing of letters, without zooming the page."""
    wide = []
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address)
        for path in wholesite.pages(whole_site):
            page.goto(whole_address + path)
            for how in (LARGE, SPACED):
                look(page, f"void (document.adoptedStyleSheets = [new CSSStyleSheet()]).at(0).replaceSync({how!r})")
                if (needed := look(page, "document.documentElement.scrollWidth")) != PHONE[0]:
                    wide.append((path, how[:12], needed, look(page, BEYOND)))
    assert not wide, "\n".join(map(str, wide))


def test_printed_pages_are_dark_on_white_and_without_controls(
    browser: Browser, whole_site: Path, whole_address: str
) -> None:
    """Also for readers whose screen is dark: paper is white whatever they read on."""
    pale, controls = {}, {}
    with opened(browser, DESK, dark=True) as (page, _, _asked):
        outside(page, whole_address)
        for path in wholesite.pages(whole_site):
            page.emulate_media(media="screen", reduced_motion="reduce")
            page.goto(whole_address + path)
            look(page, "document.documentElement.dataset.theme = 'dark'")
            page.emulate_media(media="print")
            pale[path] = look(page, PALE)
            controls[path] = look(
                page,
                "[...document.querySelectorAll('button, input, nav.main, audio, iframe')]"
                ".filter(node => node.checkVisibility()).map(node => node.outerHTML.slice(0, 120))",
            )
            assert page.locator("h1").is_visible(), path
            assert look(page, "document.documentElement.scrollWidth <= innerWidth"), path
    assert {path: found for path, found in pale.items() if found} == {}
    assert {path: found for path, found in controls.items() if found} == {}


def test_nothing_stirs_for_readers_who_want_no_motion(browser: Browser, whole_site: Path, whole_address: str) -> None:
    stirring = {}
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address)
        page.emulate_media(reduced_motion="reduce")
        for path in wholesite.pages(whole_site):
            page.goto(whole_address + path)
            stirring[path] = look(page, MOVING)
        page.emulate_media(reduced_motion="no-preference")
        assert look(page, MOVING), "the test would see what stirs"
    assert {path: found for path, found in stirring.items() if found} == {}


def test_in_a_readers_own_colours_focus_and_buttons_keep_their_edges(
    browser: Browser, whole_site: Path, whole_address: str
) -> None:
    """Backgrounds are taken away there; what only a background told apart would be lost."""
    bare = """[...document.querySelectorAll('button')].filter(node => node.checkVisibility({visibilityProperty: true})
      && parseFloat(getComputedStyle(node).borderTopWidth) < 1 && !node.matches('.play'))
      .map(node => node.outerHTML.slice(0, 120))"""
    with opened(browser, DESK) as (page, _, _asked):
        outside(page, whole_address)
        page.emulate_media(forced_colors="active")
        for path in wholesite.pages(whole_site):
            page.goto(whole_address + path)
            assert (path, look(page, bare)) == (path, [])
            page.keyboard.press("Tab")
            assert look(page, "getComputedStyle(document.activeElement).outlineStyle") != "none", path
