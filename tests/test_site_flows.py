"""Every kind of page in a browser, plain and hostile: quiet, whole when narrow, readable without a script."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

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

ALIVE = 'document.querySelectorAll(\'[onload], [onerror], [onmouseover], [style], a[href^="data:"], '
ALIVE += 'script:not([src], [type="application/ld+json"]), '
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


SEEN = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const box = node.getBoundingClientRect(), style = getComputedStyle(node);
  const lit = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const seen = box.width > 0 && box.height > 0 && style.visibility === 'visible' && inside;
  return {words: (node.getAttribute('aria-label') || node.textContent || node.tagName).trim().slice(0, 60),
          place: node.tagName + '.' + node.className, seen: seen && (lit || ['AUDIO', 'IFRAME', 'MAIN'].includes(node.tagName))};
}"""
STOPS = """[...document.querySelectorAll("a[href], button, input, select, summary, audio, iframe, [tabindex='0']")]
  .filter(node => node.checkVisibility({visibilityProperty: true}))"""
KINDS_WALKED = ("", "outlets/", "o/mulgyeol/", "o/mulgyeol/undated/", "u/hanbit/", "region/부산/", "m/", "m/2026-08/",
                "photos/", "videos/", "audio/", "editions/", "tags/", "tags/2025/", "trends/", "search/", "status/", "nights/",
                "about/", "policy/", "en/policy/", "data/", "feeds/", "mine/", "404.html")  # fmt: skip
NEAR, LAST = 45, 12
"""Stops walked from a page's head on, and to its end."""


def step_on(page: Page, key: str = "Tab") -> dict[str, str | bool] | None:
    """Press Tab once; what is focused then, None past the page's end. It must be seen and outlined."""
    page.keyboard.press(key)
    found: dict[str, str | bool] | None = look(page, SEEN)
    assert found is None or found["seen"], found
    return found


def walk_to(page: Page, words: str, *, within: str = "", most: int = 400, key: str = "Tab") -> None:
    """Press Tab until what is focused says these words (and stands within such an element), seen all the way."""
    for _ in range(most):
        found = step_on(page, key)
        assert found is not None, f"the page ended before {words!r}"
        inside = f"document.activeElement.closest({json.dumps(within)}) !== null"
        if words in str(found["words"]) and (not within or look(page, inside)):
            return
    raise AssertionError(f"the Tab key never came to {words!r}")


def enter(page: Page, path: str) -> None:
    """Press Enter on a link and wait for where it leads, below the site's root."""
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{quote(path)}")
    page.wait_for_load_state()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_focus_is_seen_at_every_stop_and_never_trapped(
    browser: Browser, whole_site: Path, whole_address: str, size: tuple[int, int]
) -> None:
    with opened(browser, size) as (page, _, _asked):
        outside(page, whole_address)
        for path in KINDS_WALKED:
            page.goto(whole_address + quote(path))
            stops = look(page, f"{STOPS}.length")
            walked = [step_on(page) for _ in range(min(NEAR, stops))]
            assert (path, walked.count(None)) == (path, 0)
            assert walked[0] is not None
            assert walked[0]["place"] == "A.skip"
            if stops > NEAR + LAST:
                look(page, f"{STOPS}.at(-{LAST}).focus()")
                walked = [step_on(page) for _ in range(LAST + 2)]
                # Past the end a browser leaves the page, or begins anew at its head.
                assert (path, any(stop is None or stop["place"] == "A.skip" for stop in walked)) == (path, True)


def test_from_the_directory_over_an_outlet_and_a_month_to_the_original(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        strange = outside(page, whole_address)
        page.goto(whole_address)
        walk_to(page, "매체", within="nav.main")
        enter(page, "outlets/")
        walk_to(page, "교지 물결", within=".directory dd")
        enter(page, "o/mulgyeol/")
        walk_to(page, "지난 글", within=".links")
        page.keyboard.press("Enter")
        walk_to(page, "9월", within="#months")
        enter(page, "o/mulgyeol/2026-09/")
        walk_to(page, "우리는 왜 자취방에서", within="h3")
        page.keyboard.press("Enter")
        page.wait_for_timeout(0)
        assert [url for url in strange if url.startswith("https://mulgyeol.example/news/")] == strange != []


def test_the_skip_link_leads_past_the_menu_and_the_phones_menu_to_the_foot(
    browser: Browser, whole_address: str
) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address)
        page.goto(whole_address + "outlets/")
        walk_to(page, "본문으로 건너뛰기")
        page.keyboard.press("Enter")
        assert look(page, "document.activeElement.id") == "main"
        step_on(page)
        assert look(page, "document.activeElement.closest('main') !== null")
        page.goto(whole_address + "outlets/")
        walk_to(page, "더 보기", within="nav.main")
        page.keyboard.press("Enter")
        step_on(page)
        assert look(page, "document.activeElement.closest('footer') !== null")
        walk_to(page, "지면 (PDF)", within="footer")
        enter(page, "editions/")


def test_a_kind_of_outlet_is_picked_and_left_again_with_the_keyboard(browser: Browser, whole_address: str) -> None:
    with opened(browser, DESK) as (page, _, _asked):
        outside(page, whole_address)
        page.goto(whole_address + "outlets/")
        walk_to(page, "영자신문", within=".chips")
        page.keyboard.press("Enter")
        walk_to(page, "하늘타임스", within=".directory dd")
        assert page.locator(".directory dd:visible").count() == 1
        walk_to(page, "모두", within=".chips", key="Shift+Tab")
        page.keyboard.press("Enter")
        assert page.locator(".directory dd", has_text="한빛대학보").is_visible()


def test_films_are_sifted_and_played_with_the_keyboard_and_leave_it_free(browser: Browser, whole_address: str) -> None:
    with opened(browser, DESK) as (page, _, _asked):
        outside(page, whole_address)
        page.goto(whole_address)
        walk_to(page, "영상", within="nav.main")
        enter(page, "videos/")
        walk_to(page, "매체별로 보기")
        page.keyboard.press("Enter")
        walk_to(page, "교지 물결", within=".whose")
        enter(page, "videos/o/mulgyeol/")
        walk_to(page, "영상 틀기")
        page.keyboard.press("Enter")
        assert look(page, "document.activeElement.tagName") == "IFRAME"
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert look(page, "document.activeElement.tagName") != "IFRAME"
        page.goto(whole_address + "audio/")
        walk_to(page, "듣기")
        page.keyboard.press("Enter")
        page.locator(".player p", has_text="틀 수 없습니다").wait_for()
        assert look(page, "document.activeElement.closest('.player') !== null")
        walk_to(page, "", most=1)
        assert look(page, "document.activeElement.closest('main') !== null")


def test_tags_are_read_by_period_and_lead_to_their_stories(browser: Browser, whole_address: str) -> None:
    with opened(browser, DESK) as (page, _, _asked):
        outside(page, whole_address)
        page.goto(whole_address)
        walk_to(page, "태그", within="nav.main")
        enter(page, "tags/")
        walk_to(page, "2025", within="aside")
        enter(page, "tags/2025/")
        walk_to(page, "학보", within=".pick")
        enter(page, "tags/2025/newspaper/")
        assert "학보" in page.locator("h1").inner_text()
        walk_to(page, "총학생회", within="table")
        enter(page, "t/총학생회/")
        walk_to(page, "등록금", within=".tally")
        enter(page, "t/등록금/")


def test_a_tag_of_a_card_leads_to_its_page(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address)
        page.goto(whole_address + "o/saebom-bs/")
        walk_to(page, "축제", within=".story .tags")
        enter(page, "t/축제/")


def test_the_map_of_tags_opens_as_a_table_with_the_keyboard(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address)
        page.goto(whole_address + "trends/")
        walk_to(page, "지도를 표로 보기")
        assert not page.locator("table.pairs").is_visible()
        page.keyboard.press("Enter")
        assert page.locator("table.pairs").is_visible()
        found = step_on(page)
        assert found is not None
        page.keyboard.press("Enter")
        page.wait_for_url("**/t/**")


def test_the_paper_turns_dark_with_the_keyboard_and_the_focus_stays(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address)
        page.goto(whole_address + "status/")
        walk_to(page, "어둡게")
        page.keyboard.press("Space")
        assert look(page, "document.documentElement.dataset.theme") == "dark"
        assert look(page, "document.activeElement.className") == "theme"
        page.keyboard.press("Enter")
        assert look(page, "document.documentElement.dataset.theme === undefined")


def test_why_an_outlet_shows_nothing_new_stands_two_keys_from_its_head(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        outside(page, whole_address)
        page.goto(whole_address + "o/mulgyeol/")
        walk_to(page, "지금은 새 글을 읽지 못하고 있습니다.", within="header")
        page.keyboard.press("Enter")
        page.wait_for_url("**/#health")
        top = look(page, "document.getElementById('health').getBoundingClientRect().top")
        assert 0 <= top < PHONE[1]
        assert "서버에 오류가 났습니다(503)." in page.locator("#health").inner_text()
