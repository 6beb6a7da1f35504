"""The site in a real browser: quiet, whole on a phone, readable without a script, asking nobody else."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from build import site
from build.serve import SiteServer
from tests import sitefixture
from tests.sitefixture import Story
from tests.test_build_site import HOSTILE

PAGES = ("", "outlets/", "outlets/#english", "o/mulgyeol/", "o/hanbit-news/", "o/hanbit-news/2026-11/",
         "o/mulgyeol/undated/", "policy/", "en/policy/", "trends/", "tags/", "tags/2026-11/",
         "t/보도/", "status/", "data/", "mine/")  # fmt: skip
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
NO_WORKER = "Service Worker registration blocked by Playwright"
PHONE, NARROW, DESK = (390, 844), (320, 640), (1280, 900)

pytestmark = pytest.mark.browser


def chromium() -> str:
    """The browser to drive; without one the tests skip, or fail where CHROMIUM_REQUIRED is set."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if found:
        return found
    if os.environ.get("CHROMIUM_REQUIRED"):
        pytest.fail("Chromium is required here but was not found; install it or set CHROMIUM to its path")
    pytest.skip("no Chromium: install it or set CHROMIUM to its path")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield running
        finally:
            running.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A served site with plain and hostile stories."""
    folder = tmp_path_factory.mktemp("site")
    hostile = [
        Story("hanbit-news", words or "x", f"2026-11-2{n} 10:00", words[:200], words[:100], tags=(words[:60],))
        for n, words in enumerate(HOSTILE)
    ]
    long_word = Story("haneul-times", "Donaudampfschifffahrt" * 12, "2026-12-01 00:01", "W" * 200, tags=("보도",))
    sitefixture.fill(folder / "press.db", [*sitefixture.STORIES, *hostile, long_word])
    site.build(folder, folder / "site")
    with SiteServer(folder / "site", 0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.address
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def opened(
    browser: Browser, size: tuple[int, int], *, dark: bool = False, script: bool = True, worker: bool = False
) -> Iterator[tuple[Page, list[str], list[str]]]:
    """A fresh page with what went wrong on it and what it asked for; `worker`: whether the site's own may start."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        java_script_enabled=script,
        service_workers="allow" if worker else "block",
    )
    context.set_default_timeout(20_000)
    page = context.new_page()
    troubles: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: None if NO_WORKER in message.text else troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: asked.append(request.url))
    try:
        yield page, troubles, asked
    finally:
        context.close()


def look(page: Page, expression: str) -> Any:
    return page.evaluate(expression)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_no_page_complains_or_asks_another_host(
    browser: Browser, address: str, size: tuple[int, int], dark: bool
) -> None:
    with opened(browser, size, dark=dark) as (page, troubles, asked):
        for path in PAGES:
            page.goto(address + path)
        assert troubles == []
        assert asked
        assert [url for url in asked if not url.startswith(address)] == []


def test_nothing_scrolls_sideways_at_320_pixels(browser: Browser, address: str) -> None:
    with opened(browser, NARROW) as (page, _, _asked):
        for path in PAGES:
            page.goto(address + path)
            assert (path, look(page, "document.documentElement.scrollWidth")) == (path, 320)


def test_every_page_reads_without_a_script(browser: Browser, address: str) -> None:
    with opened(browser, PHONE, script=False) as (page, _, asked):
        for path in PAGES:
            page.goto(address + path)
            assert page.locator("h1").is_visible(), path
            assert len(page.locator("main").inner_text()) > 40, path
            assert not page.locator("button.theme").is_visible(), path
        assert [url for url in asked if not url.startswith(address)] == []


def test_dark_paper_is_dark_and_light_paper_light(browser: Browser, address: str) -> None:
    seen = []
    for dark in (False, True):
        with opened(browser, PHONE, dark=dark) as (page, _, _asked):
            page.goto(address)
            seen.append(look(page, "getComputedStyle(document.body).backgroundColor"))
    assert seen == ["rgb(251, 250, 246)", "rgb(21, 20, 15)"]


def test_the_toggle_changes_the_paper_and_is_remembered(browser: Browser, address: str) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, DESK) as (page, troubles, _):
        page.goto(address)
        button = page.locator("button.theme")
        assert button.inner_text() == "어둡게"
        button.click()
        assert look(page, paper) == "rgb(21, 20, 15)"
        assert button.inner_text() == "밝게"
        page.goto(address + "policy/")
        assert look(page, paper) == "rgb(21, 20, 15)"
        page.locator("button.theme").click()
        assert look(page, paper) == "rgb(251, 250, 246)"
        assert look(page, "localStorage.length") == 0
        assert troubles == []


def test_an_old_night_is_called_late_by_the_readers_clock(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        page.clock.set_fixed_time("2026-12-02T06:00:00+09:00")
        page.goto(address)
        assert page.locator(".dateline").inner_text() == "2026. 12. 1. (화) 새벽 수집"
        page.clock.set_fixed_time("2026-12-05T06:00:00+09:00")
        page.goto(address)
        assert page.locator(".dateline").inner_text() == "2026. 12. 1. (화) 뒤로 4일째 새 수집이 없습니다"


def test_lists_say_today_and_yesterday_by_the_readers_clock(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        told = []
        for now in ("2026-12-01T00:30:00+09:00", "2026-12-02T23:30:00+09:00", "2026-12-03T00:30:00+09:00"):
            page.clock.set_fixed_time(now)
            page.goto(address + "u/hanbit/")
            told.append(page.locator(".row time[datetime^='2026-12-01']").first.inner_text())
        assert told == ["오늘 (화)", "어제 (화)", "2026. 12. 1. (화)"]


def test_a_kind_of_outlet_can_be_picked_without_a_script(browser: Browser, address: str) -> None:
    with opened(browser, DESK, script=False) as (page, _, _asked):
        page.goto(address + "outlets/")
        page.locator(".chips a", has_text="영자신문").click()
        shown = [node.inner_text() for node in page.locator(".region dd a").all() if node.is_visible()]
        assert shown == ["하늘타임스"]
        assert [node.inner_text() for node in page.locator(".region h2").all() if node.is_visible()] == ["서울"]


def test_the_skip_link_comes_first_and_leads_to_the_text(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        page.goto(address)
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        assert focused.inner_text() == "본문으로 건너뛰기"
        box = focused.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        page.keyboard.press("Enter")
        assert look(page, "document.activeElement.id") == "main"


SMALL_TARGETS = """() => [...document.querySelectorAll('a, button, summary')].filter(node => {
  const box = node.getBoundingClientRect();
  const inText = node.closest('p, .health li') && getComputedStyle(node).display === 'inline';
  return box.width && !inText && !node.matches('.skip') && (box.height < 24 || box.width < 24);
}).map(node => node.outerHTML.slice(0, 90) + ' ' + node.getBoundingClientRect().height)"""


def test_targets_are_at_least_24_pixels(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        for path in PAGES:
            page.goto(address + path)
            assert (path, look(page, SMALL_TARGETS)) == (path, [])


CONTRASTS = """() => {
  const light = colour => {
    const part = colour.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll('.outlet, .who, .when, .tags, .report, h3 a, .kicker span, .rule, .state')]
    .map(node => {
      const ink = light(getComputedStyle(node).color);
      const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      return [node.className, Math.round(ratio * 10) / 10];
    }).filter(([, ratio]) => ratio < 4.5);
}"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_ink_is_readable_on_its_paper(browser: Browser, address: str, dark: bool) -> None:
    with opened(browser, DESK, dark=dark) as (page, _, _asked):
        for path in ("", "o/mulgyeol/", "policy/"):
            page.goto(address + path)
            assert look(page, CONTRASTS) == []


def test_nothing_moves_after_the_first_paint(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        page.add_init_script(
            "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(e => window.moved += e.value))"
            ".observe({type: 'layout-shift', buffered: true})"
        )
        page.goto(address, wait_until="networkidle")
        assert look(page, "window.moved") == 0


def test_a_missing_page_helps(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        answer = page.goto(address + "gone/for/good/")
        assert answer is not None
        assert answer.status == 404
        page.locator("main a", has_text="매체 목록").click()
        assert page.locator("h1").inner_text() == "매체"
