"""What the reader's own browser does: own outlets, reading without a network, pictures left out, an address copied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from build import comforts
from build.records import Hub
from tests.test_site_browser import DESK, PHONE, browser, look, opened
from tests.webworld import outside

__all__ = ["browser"]
pytestmark = pytest.mark.browser

SEEN_BY_WORKER = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
KEPT = "caches.open('pages-1').then(c => c.keys()).then(keys => keys.map(key => key.url))"


def tab_to(page: Page, words: str, *, most: int = 200) -> None:
    """Walk with the Tab key alone until what is focused says these words, seen and outlined."""
    for _ in range(most):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        if focused.count() and words in (focused.text_content() or ""):
            assert look(page, "getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"the Tab key never came to {words!r}")


def test_own_outlets_are_chosen_and_read_with_the_keyboard_alone(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, troubles, asked):
        strange = outside(page, whole_address)
        page.goto(whole_address + "mine/")
        assert "아직 고른 매체가 없습니다" in page.locator("main").inner_text()
        assert not page.locator("main h2").first.is_visible()
        page.goto(whole_address + "o/mulgyeol/")
        tab_to(page, "내 매체: 교지 물결")
        page.keyboard.press("Enter")
        assert page.locator(":focus").get_attribute("aria-pressed") == "true"
        page.goto(whole_address + "outlets/")
        tab_to(page, "내 매체 고르기")
        page.keyboard.press("Enter")
        page.locator(".choice", has_text="솔빛대신문").focus()
        page.keyboard.press("Space")
        tab_to(page, "내 매체의 새 글")
        page.keyboard.press("Enter")
        page.wait_for_url("**/mine/")
        page.locator(".chosen li").first.wait_for()
        assert page.locator("[data-mine] [role=status]").inner_text() == "내 매체 2곳, 글 100편"
        names = {row.inner_text() for row in page.locator(".row .outlet").all()}
        assert names == {"교지 물결", "솔빛대신문"}
        assert page.locator(".row.magazine").count() + page.locator(".row.newspaper").count() == 100
        days = page.locator(".row time").evaluate_all("times => times.map(time => time.dateTime)")
        assert days == sorted(days, reverse=True)
        assert len(days) > 50
        assert (troubles, strange) == ([], [])
        assert [url for url in asked if "mine" in url and "mulgyeol" in url] == []


def test_hostile_stories_are_only_text_among_own_outlets(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, troubles, _):
        strange = outside(page, whole_address)
        page.goto(whole_address)
        page.evaluate("localStorage.setItem('mine', JSON.stringify(['hanbit-news', 'gone-paper', '../../bot', '<b>']))")
        page.goto(whole_address + "mine/")
        page.locator(".chosen li").first.wait_for()
        assert page.locator(".row a[href^='javascript' i], .row a[href^=data], .row img, .row script").count() == 0
        assert "<script>alert" in page.locator(".list").inner_text()
        assert "gone-paper 이 색인에서 빠졌습니다" in page.locator(".chosen").inner_text()
        assert page.locator(".chosen li").count() == 2
        assert look(page, "document.documentElement.scrollWidth") == PHONE[0]
        assert [said for said in troubles if "404" not in said] == []
        assert strange == []


@pytest.mark.parametrize("spoilt", ["{", '"text"', "null", "7", '{"a": 1}', "[1, null, {}]"])
def test_a_spoilt_choice_counts_as_none(browser: Browser, whole_address: str, spoilt: str) -> None:
    with opened(browser, PHONE) as (page, troubles, _):
        page.goto(whole_address)
        page.evaluate("text => localStorage.setItem('mine', text)", spoilt)
        page.goto(whole_address + "mine/")
        assert "아직 고른 매체가 없습니다" in page.locator("main").inner_text()
        assert troubles == []


def test_without_a_script_the_page_of_own_outlets_says_what_to_do(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE, script=False) as (page, _, _asked):
        page.goto(whole_address + "mine/")
        assert "자바스크립트가 필요합니다" in page.locator("main").inner_text()


def test_pages_seen_are_read_without_a_network_and_no_picture_is_kept(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE, worker=True) as (page, _, _asked):
        guard(page.context, whole_address)
        page.goto(whole_address)
        assert look(page, SEEN_BY_WORKER) is not None
        for path in ("photos/", "o/mulgyeol/", ""):
            page.goto(whole_address + path)
        kept = look(page, KEPT)
        assert {whole_address, whole_address + "photos/", whole_address + "assets/style.css"} <= set(kept)
        assert [url for url in kept if not url.startswith(whole_address)] == []
        assert [url for url in kept if "search" in url or url.endswith((".db", ".jpg", ".png"))] == []
        page.context.set_offline(True)
        page.goto(whole_address + "o/mulgyeol/")
        assert page.locator("h1").inner_text() == "교지 물결"
        assert look(page, "getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 246)"
        page.goto(whole_address + "u/hanbit/")
        assert page.locator("h1").inner_text() == "인터넷에 이어져 있지 않습니다"
        page.locator("a", has_text="새 글").click()
        assert page.locator("h1").inner_text() == "대학언론 허브"


def test_own_outlets_are_read_without_a_network_as_they_were_seen(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE, worker=True) as (page, _, _asked):
        guard(page.context, whole_address)
        page.goto(whole_address + "outlets/")
        assert look(page, SEEN_BY_WORKER) is not None
        page.reload()
        page.locator("button", has_text="내 매체 고르기").click()
        for at in range(3):
            page.locator(".directory .choice").nth(at).click()
        page.locator("main a", has_text="내 매체의 새 글").click()
        page.locator(".chosen li").nth(2).wait_for()
        told = page.locator("[data-mine]").inner_text()
        assert "내 매체 3곳" in told
        page.wait_for_function(f"{KEPT}.then(kept => kept.filter(url => url.endsWith('.json')).length === 3)")
        page.context.set_offline(True)
        page.goto(whole_address + "mine/")
        page.locator(".chosen li").nth(2).wait_for()
        assert page.locator("[data-mine]").inner_text() == told


def guard(context: BrowserContext, address: str) -> None:
    """A worker's requests pass a page's guard by; this one stands before all of them."""
    context.route(lambda url: not url.startswith(address), lambda route: route.abort())


def test_what_is_kept_stays_small_and_old_caches_go(whole_site: Path) -> None:
    worker = (whole_site / comforts.WORKER).read_text()
    assert len(worker.encode()) < 4_000
    assert "const MOST = 80;" in worker
    assert "http" not in worker.replace("http-equiv", "")


def test_pictures_can_be_left_out_and_are_then_never_asked_for(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, troubles, asked):
        outside(page, whole_address)
        page.goto(whole_address + "photos/")
        assert page.locator(".pic img").count() > 3
        page.locator("button.pictures", has_text="사진 받지 않기").click()
        page.locator("button.pictures", has_text="사진 받기").wait_for()
        asked.clear()
        page.goto(whole_address + "photos/")
        look(page, "window.scrollTo(0, document.documentElement.scrollHeight)")
        assert page.locator(".pic img").count() == 0
        assert page.locator(".pic.lost").count() > 3
        assert [url for url in asked if not url.startswith(whole_address)] == []
        page.locator("button.pictures").click()
        page.locator("button.pictures", has_text="사진 받지 않기").wait_for()
        assert page.locator(".pic img").count() > 3
        assert troubles == []


def test_the_address_of_a_page_and_of_its_feed_is_copied(browser: Browser, whole_address: str) -> None:
    with opened(browser, DESK) as (page, _, _asked):
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(whole_address + "o/mulgyeol/")
        page.locator("footer button.copy").click()
        page.locator("footer [role=status]", has_text="복사했습니다").wait_for()
        assert look(page, "navigator.clipboard.readText()") == whole_address + "o/mulgyeol/"
        page.locator("main button.copy").click()
        page.locator("main [role=status]", has_text="복사했습니다").wait_for()
        assert look(page, "navigator.clipboard.readText()") == whole_address + "feeds/o/mulgyeol.atom"


def test_the_manifest_names_the_hub_and_nothing_of_another_host() -> None:
    told = json.loads(comforts.manifest(Hub(name="봄 & 가을", tagline="두 계절")))
    assert (told["name"], told["description"], told["start_url"]) == ("봄 & 가을", "두 계절", "./")
    assert "://" not in json.dumps(told)
