"""Pictures and players in a real browser: failures become words, nothing moves, nothing is asked before a click."""

from __future__ import annotations

import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from build import site
from build.serve import SiteServer
from tests import sitefixture
from tests.sitefixture import Story
from tests.test_build_media import SHOWN, photos
from tests.test_site_browser import DESK, NARROW, PHONE, browser, look

__all__ = ["browser"]

pytestmark = pytest.mark.browser

PAGES = ("photos/", "photos/2026/", "photos/o/hanbit-news/", "videos/", "audio/", "editions/", "m/", "m/2026-11/",
         "m/undated/", "day/2026-11-30/", "u/hanbit/", "kind/newspaper/", "region/서울/", "")  # fmt: skip
MOVED = (
    "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(e => window.moved += e.value))"
    ".observe({type: 'layout-shift', buffered: true})"
)


def png(width: int, height: int) -> bytes:
    """A grey picture of that size."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = (b"\x00" + b"\x80" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("media")
    many = [Story("hanbit-news", f"글 {n}", f"2026-11-{1 + n % 28:02} 10:00") for n in range(230)]
    sitefixture.fill(folder / "press.db", [*SHOWN, *photos(60), *many])
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
    browser: Browser,
    address: str,
    size: tuple[int, int],
    *,
    fail: str = "",
    grey: str = "",
    script: bool = True,
) -> Iterator[tuple[Page, list[str]]]:
    """A page whose every outside request is answered here: pictures with a grey one, `fail` in the address with none,
    `grey` with YouTube's small one; beside it the outside addresses it asked for."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, java_script_enabled=script, service_workers="block"
    )
    context.set_default_timeout(20_000)
    asked: list[str] = []

    def answer(route: Route) -> None:
        url = route.request.url
        asked.append(url)
        if fail and fail in url:
            route.abort()
        elif route.request.resource_type == "image":
            route.fulfill(body=png(120, 90) if grey and grey in url else png(320, 180), content_type="image/png")
        elif route.request.resource_type == "document":
            route.fulfill(body="<p>player</p>", content_type="text/html")
        else:
            route.abort()

    context.route(lambda url: not url.startswith(address), answer)
    page = context.new_page()
    page.add_init_script(MOVED)
    try:
        yield page, asked
    finally:
        context.close()


def to_the_end(page: Page) -> None:
    """Scroll through the page, so that every lazy picture is asked for."""
    page.evaluate(
        "async () => { for (let y = 0; y < document.body.scrollHeight; y += 400) {"
        " scrollTo(0, y); await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); } }"
    )
    page.wait_for_load_state("networkidle")


def boxes(page: Page) -> Any:
    return look(page, "[...document.querySelectorAll('.pic')].map(n => [n.clientWidth, n.clientHeight])")


@pytest.mark.parametrize("fail", ["", ".jpg"], ids=["pictures come", "pictures fail"])
def test_nothing_moves_whether_pictures_come_or_fail(browser: Browser, address: str, fail: str) -> None:
    with opened(browser, address, PHONE, fail=fail) as (page, _):
        for path in ("", "photos/", "videos/", "audio/"):
            page.goto(address + path, wait_until="networkidle")
            before = boxes(page)
            assert all(width > 80 and height > 60 for width, height in before), path
            to_the_end(page)
            assert (path, look(page, "window.moved")) == (path, 0)
            assert boxes(page) == before


def test_a_picture_that_fails_becomes_its_words(browser: Browser, address: str) -> None:
    with opened(browser, address, DESK, fail="snow.jpg") as (page, _):
        page.goto(address + "photos/", wait_until="networkidle")
        tile = page.locator("li.tile", has_text="첫눈")
        tile.locator(".pic.lost").wait_for()
        assert tile.locator("img").count() == 0
        assert tile.get_by_role("link", name="[포토] 첫눈").is_visible()
        whole = page.locator("li.tile:has(img)").first
        assert whole.locator(".pic").get_attribute("class") == "pic"


def test_youtubes_small_grey_picture_counts_as_none(browser: Browser, address: str) -> None:
    with opened(browser, address, DESK, grey="abcdefghij1") as (page, _):
        page.goto(address + "videos/", wait_until="networkidle")
        page.locator("li.film", has_text="가로 영상").locator(".pic.lost").wait_for()
        assert page.locator("li.film .pic.lost img").count() == 0
        assert page.locator("li.film img").count() == 3
        assert page.locator("li.film .pic.lost button.play").is_visible()


def test_before_a_click_only_pictures_are_asked_for(browser: Browser, address: str) -> None:
    with opened(browser, address, DESK) as (page, asked):
        for path in PAGES:
            page.goto(address + path, wait_until="networkidle")
            to_the_end(page)
        assert asked
        assert {url for url in asked if not url.endswith(".jpg")} == set()
        assert {url for url in asked if not url.startswith("https://")} == set()


def test_a_click_plays_a_film_without_cookies_and_tells_which_site_it_stands_on(browser: Browser, address: str) -> None:
    with opened(browser, address, DESK) as (page, asked):
        page.goto(address + "videos/", wait_until="networkidle")
        before = boxes(page)
        page.get_by_role("button", name="영상 틀기: 가로 영상").click()
        frame = page.locator("li.film iframe")
        assert frame.get_attribute("src") == "https://www.youtube-nocookie.com/embed/abcdefghij1?autoplay=1"
        assert frame.get_attribute("referrerpolicy") == "strict-origin-when-cross-origin"
        assert frame.get_attribute("title") == "영상 틀기: 가로 영상"
        assert look(page, "document.activeElement.tagName") == "IFRAME"
        page.wait_for_load_state("networkidle")
        assert [url for url in asked if "youtube" in url] == [frame.get_attribute("src")]
        assert boxes(page) == before


def test_a_sound_is_asked_for_once_its_button_is_pressed_and_says_when_it_cannot_be_played(
    browser: Browser, address: str
) -> None:
    with opened(browser, address, PHONE) as (page, asked):
        page.goto(address + "audio/", wait_until="networkidle")
        assert asked == []
        page.get_by_role("button", name="듣기 점심 라디오").press("Enter")
        page.locator(".player .fine").wait_for()
        assert asked[0] == "https://saebom-bs.example/a.mp3"
        assert (
            page.locator(".player").inner_text() == "이 소리 파일을 틀 수 없습니다. 제목을 눌러 원문에서 들어 보세요."
        )


def test_media_read_without_a_script(browser: Browser, address: str) -> None:
    with opened(browser, address, PHONE, script=False) as (page, asked):
        page.goto(address + "videos/")
        assert not page.locator("button.play").first.is_visible()
        assert page.locator("li.film h3 a").first.is_visible()
        page.goto(address + "audio/")
        assert page.locator("noscript audio, audio").first.is_visible()
        assert [url for url in asked if not url.endswith(".jpg")] == []
        page.goto(address + "photos/")
        page.locator(".pick a", has_text="2026년").click()
        assert page.locator("h1").inner_text() == "2026년"


def test_no_page_scrolls_sideways_and_targets_are_large_enough(browser: Browser, address: str) -> None:
    small = """() => [...document.querySelectorAll('a, button, summary')].filter(node => {
      const box = node.getBoundingClientRect();
      const inText = node.closest('p') && getComputedStyle(node).display === 'inline';
      return box.width && !inText && !node.matches('.skip') && (box.height < 24 || box.width < 24);
    }).map(node => node.outerHTML.slice(0, 90) + ' ' + node.getBoundingClientRect().height)"""
    with opened(browser, address, NARROW) as (page, _):
        for path in PAGES:
            page.goto(address + path)
            assert (path, look(page, "document.documentElement.scrollWidth")) == (path, 320)
            assert (path, look(page, small)) == (path, [])


def test_the_menu_fits_a_phone_in_one_line_and_leads_to_every_page_at_the_foot(browser: Browser, address: str) -> None:
    with opened(browser, address, PHONE) as (page, _):
        page.goto(address + "editions/")
        menu = page.locator("nav.main")
        assert look(page, "document.querySelector('nav.main').clientHeight") < 60
        assert menu.locator("a[aria-current]").inner_text() == "지면", (
            "the page one stands on is named though it is far"
        )
        menu.get_by_text("더 보기").click()
        everything = page.locator("#more .map a")
        assert everything.first.is_visible()
        assert {"사진", "영상", "소리 (라디오·팟캐스트)", "지면 (PDF)", "보관함", "수집 원칙"} <= set(
            everything.all_inner_texts()
        )
    with opened(browser, address, DESK) as (page, _):
        page.goto(address)
        assert page.locator("nav.main a", has_text="지면").is_visible()
        assert not page.locator("nav.main .rest").is_visible()
