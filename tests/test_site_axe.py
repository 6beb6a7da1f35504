"""Every kind of page as axe sees it: on a phone and a desk, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests import wholesite
from tests.test_site_browser import DESK, PHONE, browser, opened
from tests.webworld import outside

__all__ = ["browser"]
pytestmark = pytest.mark.browser

COLOURS = ("color-contrast", "link-in-text-block")
LOOK = """rules => axe.run(document, {resultTypes: ["violations"], ...rules}).then(found => found.violations.flatMap(
  one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 160)} (${node.failureSummary.slice(0, 200)})`)))"""


def complaints(page: Page, path: str, *, rules: tuple[str, ...] = ()) -> list[str]:
    """What axe says against the page as it stands; all its rules, or these alone."""
    wanted: dict[str, Any] = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    return [f"/{path} {said}" for said in page.evaluate(LOOK, wanted)]


def test_axe_finds_nothing_on_any_kind_of_page(browser: Browser, whole_site: Path, whole_address: str) -> None:
    said: list[str] = []
    with opened(browser, PHONE) as (page, troubles, _):
        outside(page, whole_address)
        page.emulate_media(reduced_motion="reduce")  # or a colour is caught halfway
        for path in wholesite.pages(whole_site):
            page.goto(whole_address + path)
            page.evaluate(AXE_SCRIPT)
            said += complaints(page, path)
            page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
            said += complaints(page, f"{path} (desk)")
            # What is dark about a page is its colours; the rest was looked at in the light.
            page.emulate_media(color_scheme="dark")
            said += complaints(page, f"{path} (dark desk)", rules=COLOURS)
            page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            said += complaints(page, f"{path} (dark)", rules=COLOURS)
            page.emulate_media(color_scheme="light")
    assert said == []
    assert troubles == []


def test_axe_finds_nothing_on_a_hub_before_its_first_night(browser: Browser, tmp_path: Path) -> None:
    said: list[str] = []
    root = wholesite.bare(tmp_path)
    with wholesite.served(root) as address, opened(browser, PHONE) as (page, troubles, _):
        strange = outside(page, address)
        page.emulate_media(reduced_motion="reduce")
        for path in wholesite.pages(root):
            page.goto(address + path)
            page.evaluate(AXE_SCRIPT)
            said += complaints(page, path)
            assert len(page.locator("main").inner_text()) > 40, f"{path} explains itself"
    assert (said, troubles, strange) == ([], [], [])


def test_axe_would_find_something(browser: Browser, whole_address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        page.goto(whole_address + "404.html")
        page.evaluate(AXE_SCRIPT)
        page.evaluate("document.querySelector('main').append(document.createElement('button'))")
        assert [said.split(":")[0] for said in complaints(page, "404.html")] == ["/404.html button-name"]
