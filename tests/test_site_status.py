"""/status/ with many sources: what fares well is folded, and a name finds its lines wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from build import site
from tests import sitefixture, wholesite
from tests.test_site_axe import complaints
from tests.test_site_browser import DESK, NARROW, PHONE, SMALL_TARGETS, browser, look, opened
from tests.test_site_flows import MOVED

__all__ = ["browser"]
pytestmark = pytest.mark.browser

MANY = 40


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Forty sources that fare well, in four regions; the fixture's own; an outlet without any."""
    folder: Path = tmp_path_factory.mktemp("status")
    regions = ("서울", "부산", "광주", "대전")
    outlets = [
        (
            f"paper-{n}",
            f"글터{n:02}신문",
            "",
            f"글터{n:02}대학교",
            f"geulteo-{n}",
            "newspaper",
            regions[n % 4],
            "active",
            0,
            "",
        )
        for n in range(MANY + 1)
    ]
    sources = [
        (f"paper-{n}", "feed", f"https://paper-{n}.example/rss", "active", "ok", "read", 200, "", "")
        for n in range(MANY)
    ]
    sitefixture.fill(
        folder / "press.db", outlets=[*sitefixture.OUTLETS, *outlets], sources=[*sitefixture.SOURCES, *sources]
    )
    site.build(folder, folder / "site")
    with wholesite.served(folder / "site") as found:
        yield found


def lines(page: Page) -> list[str]:
    """The outlets of the lines that can be seen."""
    return [one.inner_text() for one in page.locator(".sifted li a:not(.address)").all() if one.is_visible()]


def test_what_fares_well_is_folded_and_what_does_not_is_read_first(browser: Browser, address: str) -> None:
    for script in (True, False):
        with opened(browser, PHONE, script=script) as (page, troubles, _):
            page.goto(address + "status/")
            assert len(lines(page)) == len(sitefixture.SOURCES) - 2 + 1
            assert page.locator("#good details").count() == 4
            page.locator("#good summary").first.click()
            assert len(lines(page)) == len(sitefixture.SOURCES) - 2 + 1 + MANY // 4 + 2
            assert page.locator("#sift").is_visible() == script
            assert troubles == []


def test_a_name_finds_its_lines_wherever_they_stand(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, troubles, _):
        page.goto(address + "status/")
        before = lines(page)
        field, said = page.get_by_label("매체나 대학 이름으로 추리기"), page.locator(".sift [role=status]")
        field.press_sequentially("글터 17")
        expect(said).to_have_text("모두 1줄")
        assert lines(page) == ["글터17신문"]
        assert page.locator("h2:visible").all_inner_texts()[0].startswith("잘 읽히는 곳")
        field.fill(normalize("NFD", "고요대학교"))
        assert lines(page) == ["고요대신문"]
        field.fill("글터40")
        assert lines(page) == ["글터40신문"]
        field.fill("SBBS.EXAMPLE")
        expect(said).to_have_text("맞는 줄이 없습니다. 등록되지 않은 매체일 수 있습니다.")
        assert lines(page) == []
        field.fill("HTTPS:")
        field.fill("")
        expect(said).to_have_text("")
        assert lines(page) == before
        assert troubles == []


def test_a_syllable_in_the_making_takes_nothing_away(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        page.goto(address + "status/")
        typed = """text => {
          const field = document.getElementById("sift");
          field.value = text;
          field.dispatchEvent(new InputEvent("input", {bubbles: true, isComposing: true}));
        }"""
        page.evaluate(typed, "고ㅇ")
        assert lines(page) == ["고요대신문"]
        page.evaluate(typed, "고욛")
        assert lines(page) == ["고요대신문"]
        page.evaluate(typed, "없는ㅇ")
        assert lines(page) == []


@pytest.mark.parametrize("size", [NARROW, PHONE, DESK], ids=["narrow", "phone", "desk"])
def test_nothing_moves_and_nothing_is_wrong_with_it(browser: Browser, address: str, size: tuple[int, int]) -> None:
    with opened(browser, size) as (page, troubles, _):
        page.emulate_media(reduced_motion="reduce")
        page.add_init_script(MOVED)
        page.goto(address + "status/")
        page.wait_for_load_state("networkidle")
        assert look(page, "window.moved") == 0
        page.evaluate(AXE_SCRIPT)
        for words in ("", "글터", "없는이름"):
            page.locator("#sift").fill(words)
            assert complaints(page, f"status/ sifted by {words}") == []
            assert (words, look(page, SMALL_TARGETS)) == (words, [])
            assert look(page, "document.documentElement.scrollWidth") == size[0]
        assert troubles == []
