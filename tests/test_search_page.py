"""The page of the search in a real browser: the query in the address, keys, chips, offers, and never a blank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from unicodedata import normalize
from urllib.parse import parse_qs, quote, unquote, urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Route, expect
from selectolax.lexbor import LexborHTMLParser

from build import site
from build.check import check
from tests import sitefixture, wholesite
from tests.sitefixture import Story
from tests.test_site_axe import complaints
from tests.test_site_browser import DESK, NARROW, PHONE, SMALL_TARGETS, browser, look, opened
from tests.test_site_flows import MOVED

__all__ = ["browser"]
pytestmark = pytest.mark.browser

DAY = date(2026, 3, 1)


def stories() -> Iterator[Story]:
    """Fifty-three of one word, hostile ones, and those of the fixture, most of them found in earlier months."""
    yield from sitefixture.STORIES
    for number in range(53):
        day = DAY + timedelta(days=number)
        summary = "봄 축제를 알린다. " * 5 + "대동제를 앞두고 학생 자치 기구가 모였다."
        outlet = "hanbit-news" if number % 2 else "mulgyeol"
        yield Story(
            outlet, f"대동제 소식 {number:02}", f"{day} 10:00", summary, tags=("축제",), first_seen=f"{day} 12:00"
        )
    yield Story("nuri-eye", normalize("NFD", "풀린 글자로 적은 제목"), "2026-11-02 09:00")
    for number, words in enumerate(wholesite.HOSTILE):
        yield Story("haneul-times", f"가시밭 {words[:280]}", f"2026-11-{number + 1:02} 10:00", words[:200], words[:80])
    for number, link in enumerate(wholesite.LINKS):
        yield Story("nuri-eye", f"이음새 {number}", f"2026-11-{number + 1:02} 11:00", url=link)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search-page")
    sitefixture.fill(folder / "press.db", stories())
    sitefixture.hub(folder, contact="hub@campus.example")
    site.build(folder, folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    with wholesite.served(built) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A fresh page on which nothing may go wrong, and which may ask nobody but the site."""
    with opened(browser, DESK) as (page, troubles, asked):
        page.set_default_timeout(5_000)
        yield page
        assert troubles == []
        assert [url for url in asked if not url.startswith(address)] == []


def search(page: Page, address: str, query: str) -> None:
    page.goto(f"{address}search/?q={quote(query)}")
    settled(page)


def settled(page: Page) -> None:
    expect(page.locator("#count")).not_to_have_text("찾는 중…")
    expect(page.locator("#hits[aria-busy]")).to_have_count(0)


def asked_for(page: Page, query: str) -> None:
    """Wait until the address asks for that."""
    expect(page).to_have_url(re.compile(re.escape("?q=" + quote(query, safe="").replace("%20", "+")) + "$"))
    settled(page)


def titles(page: Page) -> list[str]:
    return [node.inner_text() for node in page.locator("#hits .t").all()]


def query_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("q", [""])[0]


def test_the_field_of_every_page_leads_to_the_results(page: Page, address: str) -> None:
    page.goto(address + "o/mulgyeol/")
    page.get_by_label("찾을 말").fill("총학생회")
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_have_text("모두 1건, 새 글부터")
    assert page.url == f"{address}search/?q={quote('총학생회')}"
    assert titles(page) == ["총학생회 선거 투표율 58.2%…두 해 만에 개표 성사"]
    assert page.locator("#hits mark").all_inner_texts() == ["총학생회"]
    assert page.title().startswith("총학생회 · 찾기")


def test_a_result_says_what_the_sites_rows_say(page: Page, address: str) -> None:
    search(page, address, "열람실")
    row = page.locator("#hits li.row.newspaper")
    link = row.locator(".t a")
    assert link.get_attribute("rel") == "noopener"
    assert (link.get_attribute("href") or "").startswith("https://hanbit-news.example/")
    assert row.locator(".outlet").get_attribute("href") == f"{address}o/hanbit-news/"
    assert row.locator("time").inner_text() == "2026. 11. 30. (월)"
    assert row.locator(".by").inner_text() == "박서준"
    search(page, address, "Extends")
    assert page.locator("#hits .t").get_attribute("lang") == "en"
    search(page, address, "겨울호")
    assert page.locator("#hits .when").inner_text() == "날짜 미상"
    search(page, address, "난방")
    assert page.locator("#hits .mark").inner_text() == "영상"


def test_a_match_far_into_a_summary_is_shown(page: Page, address: str) -> None:
    search(page, address, "학생자치")
    said = page.locator("#hits .said").first
    assert said.inner_text().startswith("… ")
    assert said.locator("mark").inner_text() == "학생 자치"


def test_newest_first_and_more_on_demand_by_a_button_alone(page: Page, address: str) -> None:
    search(page, address, "대동제 소식")
    numbers = [f"대동제 소식 {number:02}" for number in reversed(range(53))]
    assert titles(page) == numbers[:20]
    page.mouse.wheel(0, 20_000)
    page.wait_for_timeout(300)
    assert titles(page) == numbers[:20]
    page.locator("#onward").click()
    expect(page.locator("#hits li")).to_have_count(40)
    assert page.locator(":focus").inner_text() == numbers[20]
    page.locator("#onward").click()
    expect(page.locator("#hits li")).to_have_count(53)
    assert titles(page) == numbers
    expect(page.locator("#onward")).to_be_hidden()
    assert page.locator("#count").inner_text() == "모두 53건, 새 글부터"
    page.goto(address)
    page.go_back()
    expect(page.locator("#hits li")).to_have_count(53)


def test_the_query_lives_in_the_address_and_back_works(page: Page, address: str) -> None:
    page.goto(address + "search/")
    expect(page.locator("#how")).to_be_visible()
    for word in ("기숙사", "자취방"):
        page.locator("#q").fill(word)
        page.keyboard.press("Enter")
        settled(page)
        assert query_of(page) == word
    page.go_back()
    expect(page.locator("#hits li")).to_have_count(2)
    assert page.locator("#q").input_value() == "기숙사"
    page.go_back()
    expect(page.locator("#how")).to_be_visible()
    assert (titles(page), page.locator("#q").input_value()) == ([], "")
    page.go_forward()
    expect(page.locator("#hits li")).to_have_count(2)


def test_what_is_typed_without_a_stop_is_one_step_back(page: Page, address: str) -> None:
    page.goto(address + "search/")
    page.locator("#q").press_sequentially("기숙")
    expect(page.locator("#hits li")).to_have_count(2)
    page.locator("#q").press_sequentially("사 난방")
    expect(page.locator("#hits li")).to_have_count(1)
    assert query_of(page) == "기숙사 난방"
    page.go_back()
    expect(page.locator("#how")).to_be_visible()
    assert query_of(page) == ""


def test_filters_of_the_address_join_the_query(page: Page, address: str) -> None:
    page.goto(f"{address}search/?q={quote('대동제')}&outlet=mulgyeol&from=2026-04-01")
    settled(page)
    assert page.locator("#q").input_value() == "대동제 outlet:mulgyeol from:2026-04-01"
    assert set(page.locator("#hits .outlet").all_inner_texts()) == {"교지 물결"}
    assert [chip.inner_text() for chip in page.locator("#asked b").all()] == ["교지 물결", "2026-04-01"]


def test_operators_and_their_chips_that_can_be_taken_off(page: Page, address: str) -> None:
    search(page, address, '"학생 자치" -소식 태그:축제')
    expect(page.locator("#nothing .fewer")).to_be_visible()
    assert page.locator("#count").inner_text() == "찾은 글이 없습니다."
    page.get_by_role("button", name="제외 낱말 소식").click()
    expect(page.locator("#hits li")).to_have_count(20)
    assert query_of(page) == '"학생 자치" 태그:축제'
    assert page.locator(":focus b").inner_text() == "축제"
    search(page, address, "기숙사 부터:어제")
    assert "날짜를 읽을 수 없음" in page.locator("#asked .odd").inner_text()
    assert len(titles(page)) == 2


def test_kinds_and_days_are_set_by_buttons_and_fields(page: Page, address: str) -> None:
    search(page, address, "기숙사")
    page.locator("#narrow summary").click()
    station = page.locator("[data-kind=broadcaster]")
    station.click()
    expect(page.locator("#hits li")).to_have_count(1)
    assert query_of(page) == "기숙사 kind:방송국"
    assert station.get_attribute("aria-pressed") == "true"
    station.click()
    expect(page.locator("#hits li")).to_have_count(2)
    page.get_by_label("이날까지").fill("2026-11-29")
    expect(page.locator("#hits li")).to_have_count(1)
    assert query_of(page) == "기숙사 to:2026-11-29"


def counts(page: Page) -> dict[str, str]:
    """The numbers that stand on the buttons of kinds, by kind."""
    numbers = {
        button.get_attribute("data-kind") or "": button.locator("small").text_content() or ""
        for button in page.locator("[data-kind]").all()
    }
    return {kind: number for kind, number in numbers.items() if number}


def test_kinds_are_counted_over_all_results_or_over_what_is_shown_and_the_page_says_which(
    page: Page, address: str
) -> None:
    search(page, address, "대동제 소식")
    page.locator("#narrow summary").click()
    assert counts(page) == {"newspaper": "10", "magazine": "10"}
    assert page.locator("#over").text_content() == "지금 보이는 20건만 갈래마다 센 수입니다."
    for shown in (40, 53):
        page.locator("#onward").click()
        expect(page.locator("#hits li")).to_have_count(shown)
    assert counts(page) == {"newspaper": "26", "magazine": "27"}
    assert page.locator("#over").text_content() == "찾은 글 모두를 갈래마다 센 수입니다."
    search(page, address, "난방")
    assert counts(page)["video"] == "1"
    search(page, address, "없는말이다")
    assert (counts(page), page.locator("#over").text_content()) == ({}, "")


def test_every_result_says_how_to_have_it_removed(page: Page, address: str) -> None:
    search(page, address, "대동제 소식")
    links = page.locator("#hits li > a.report")
    assert links.count() == len(titles(page)) == 20
    href = links.first.get_attribute("href") or ""
    assert href.startswith("mailto:hub@campus.example?subject=")
    assert unquote(href).endswith("신고·삭제 " + (page.locator("#hits .t a").first.get_attribute("href") or ""))


def test_one_character_tells_the_whole_count(page: Page, address: str) -> None:
    search(page, address, "숙")
    assert page.locator("#count").inner_text() == "모두 2건, 새 글부터"
    assert len(titles(page)) == 2


def test_what_finds_nothing_is_answered_with_advice_that_fits(page: Page, address: str) -> None:
    search(page, address, "없는말이다")
    assert page.locator("#count").inner_text() == "찾은 글이 없습니다."
    expect(page.locator("#nothing")).to_be_visible()
    expect(page.locator("#nothing .fewer")).to_be_hidden()


def test_a_query_of_nothing_but_signs_is_told(page: Page, address: str) -> None:
    search(page, address, "-")
    assert titles(page) or page.locator("#count").inner_text()
    search(page, address, "   ")
    expect(page.locator("#how")).to_be_visible()


def test_slash_goes_to_the_field_on_every_page_and_can_be_turned_off(page: Page, address: str) -> None:
    for path in ("search/", "", "o/mulgyeol/", "en/about/"):
        page.goto(address + path)
        page.keyboard.press("Control+/")
        expect(page.locator("#q")).not_to_be_focused()
        page.keyboard.press("/")
        expect(page.locator("#q")).to_be_focused()
        page.keyboard.type("a/")
        assert page.locator("#q").input_value() == "a/"
    page.goto(address + "search/")
    page.get_by_label("키를 누르면").uncheck()
    for path in ("search/", ""):
        page.goto(address + path)
        page.keyboard.press("/")
        expect(page.locator("#q")).not_to_be_focused()
    page.goto(address + "search/")
    page.get_by_label("키를 누르면").check()
    page.goto(address)
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()


class Ime:
    """Types as a Korean input method does: a syllable is in the making until it is settled."""

    def __init__(self, page: Page) -> None:
        self.page, self.session = page, page.context.new_cdp_session(page)

    def making(self, text: str) -> None:
        """What the syllable in the making looks like now."""
        place = {"selectionStart": len(text), "selectionEnd": len(text)}
        self.session.send("Input.imeSetComposition", {"text": text, **place})

    def settle(self, text: str) -> None:
        """The syllable is finished."""
        self.session.send("Input.insertText", {"text": text})


def test_a_syllable_in_the_making_is_asked_for_and_never_disturbed(page: Page, address: str) -> None:
    page.goto(address + "search/")
    field, ime = page.locator("#q"), Ime(page)
    field.focus()
    for state in ("ㄱ", "기"):
        ime.making(state)
    ime.settle("기")
    for state in ("ㅅ", "수", "숙"):
        ime.making(state)
    # The reader stops here; the input method still holds the last syllable.
    expect(page.locator("#hits li")).to_have_count(2)
    assert (field.input_value(), query_of(page)) == ("기숙", "기숙")
    ime.settle("숙")
    ime.making("ㅅ")
    page.wait_for_timeout(600)
    assert (field.input_value(), query_of(page), len(titles(page))) == ("기숙ㅅ", "기숙", 2)
    ime.making("사")
    expect(page.locator("#hits li")).to_have_count(2)
    ime.settle("사")
    asked_for(page, "기숙사")
    assert field.input_value() == "기숙사"


def test_enter_that_ends_a_syllable_asks_once(page: Page, address: str) -> None:
    page.goto(address + "search/")
    field, ime = page.locator("#q"), Ime(page)
    field.focus()
    steps = look(page, "history.length")
    look(page, "void (window.asked = 0, document.addEventListener('submit', () => window.asked++))")
    ime.making("난방")
    expect(page.get_by_role("listbox")).to_be_hidden()
    page.keyboard.press("Enter")
    ime.settle("난방")
    page.keyboard.press("Enter")
    expect(page.locator("#hits li")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_timeout(600)
    assert (field.input_value(), query_of(page), len(titles(page))) == ("난방", "난방", 1)
    assert look(page, "history.length") == steps + 1
    page.go_back()
    expect(page.locator("#how")).to_be_visible()


def test_arrows_that_end_a_syllable_move_once_and_an_offer_is_taken_whole(page: Page, address: str) -> None:
    page.goto(address + "search/")
    field, ime = page.locator("#q"), Ime(page)
    field.focus()
    ime.making("한")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") is None
    ime.settle("한")
    page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == "offer-0"
    page.keyboard.press("Escape")
    field.fill("")
    ime.making("한")
    page.get_by_role("option").filter(has_text="한빛대학보").click()
    settled(page)
    assert field.input_value() == "outlet:hanbit-news "
    expect(field).to_be_focused()
    page.keyboard.type("대동제")
    asked_for(page, "outlet:hanbit-news 대동제")


SAID = """window.said = [];
document.addEventListener("DOMContentLoaded", () => {
  const status = document.getElementById("count");
  new MutationObserver(() => window.said.push(status.textContent)).observe(status, { childList: true });
});"""


def test_the_count_is_told_politely_once_an_answer(page: Page, address: str) -> None:
    page.add_init_script(SAID)
    page.goto(address + "search/")
    count = page.locator("#count")
    assert (count.get_attribute("role"), count.get_attribute("aria-live")) == ("status", None)
    field = page.locator("#q")
    field.press_sequentially("기숙사", delay=60)
    expect(page.locator("#hits li")).to_have_count(2)
    field.press("Enter")
    page.wait_for_timeout(500)
    field.press_sequentially(" 난방", delay=60)
    expect(page.locator("#hits li")).to_have_count(1)
    said = [words for words in look(page, "window.said") if words]
    assert [words.rpartition(" ")[0].split()[-2:] for words in said] == [["2건,", "새"], ["1건,", "새"]]


def test_a_text_of_loose_jamo_is_found_and_marked_across_its_spaces(page: Page, address: str) -> None:
    search(page, address, normalize("NFD", "풀린글자"))
    assert titles(page) == ["풀린 글자로 적은 제목"]
    assert page.locator("#hits mark").all_inner_texts() == ["풀린 글자"]


def test_arrows_walk_the_results_and_escape_clears(page: Page, address: str) -> None:
    search(page, address, "기숙사")
    page.locator("#q").focus()
    page.keyboard.press("ArrowDown")
    assert (
        page.locator(":focus").inner_text() == titles(page)[0] or page.locator(":focus").inner_text() in titles(page)[0]
    )
    page.keyboard.press("ArrowDown")
    assert page.locator(":focus").inner_text() in titles(page)[1]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#how")).to_be_visible()
    assert (titles(page), query_of(page), page.locator("#q").input_value()) == ([], "", "")


def test_offers_are_a_combobox_that_keys_alone_can_use(page: Page, address: str) -> None:
    page.goto(address + "search/")
    field = page.get_by_role("combobox", name="찾을 말")
    field.press_sequentially("한ㅂ")
    options = page.get_by_role("option")
    expect(options.first).to_be_visible()
    assert field.get_attribute("aria-expanded") == "true"
    assert "한빛대학보" in options.first.inner_text()
    page.keyboard.press("ArrowDown")
    active = field.get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-selected") == "true"
    page.keyboard.press("Enter")
    expect(page.get_by_role("listbox")).to_be_hidden()
    assert field.input_value() == "outlet:hanbit-news "
    settled(page)
    expect(page.locator("#asked b")).to_have_text("한빛대학보")
    assert set(page.locator("#hits .outlet").all_inner_texts()) == {"한빛대학보"}
    field.press_sequentially("대도")
    expect(options.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    assert field.input_value() == "outlet:hanbit-news 대도"


def test_an_offer_can_be_clicked_and_the_field_keeps_the_focus(page: Page, address: str) -> None:
    page.goto(address + "search/")
    page.locator("#q").press_sequentially("tag:ㅊㅈ")
    page.get_by_role("option").filter(has_text="축제").click()
    settled(page)
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#hits li")).to_have_count(20)
    assert query_of(page) == "tag:축제"


def places(page: Page, address: str) -> list[str]:
    """Where the names above the results lead, below the site's root."""
    hrefs = [way.get_attribute("href") or "" for way in page.locator("#places:not([hidden]) a").all()]
    return [href.removeprefix(address) for href in hrefs]


def test_a_name_that_no_story_holds_leads_to_its_university_and_outlets(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    search(page, address, "고요대")
    assert page.locator("#count").inner_text() == "찾은 글이 없습니다. 이름이 맞는 곳은 아래에 있습니다."
    assert places(page, address) == ["u/goyo/", "o/silent-press/"]
    assert page.locator("#places li").all_inner_texts() == ["고요대학교\n대학", "고요대신문\n학보"]
    assert [path for path in asked if "complete" in path] == []
    read = [path for path in asked if path.startswith("/search/") and path.endswith(".gz")]
    assert sorted(read) == ["/search/base/primer.gz", "/search/index.gz", "/search/outlets.gz"]
    page.locator("#places a").first.click()
    expect(page.locator("h1")).to_contain_text("고요대학교")
    page.go_back()
    settled(page)
    page.locator("#q").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#how")).to_be_visible()
    assert places(page, address) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("한빛대학보", ["o/hanbit-news/"]),
        ("HANEUL-times", ["o/haneul-times/"]),
        ("the haneul", ["o/haneul-times/"]),
        ("교지 물결", ["o/mulgyeol/"]),
        ("대동제 물결", ["u/mulgyeol/"]),
        ("univ:goyo", ["u/goyo/"]),
        ("매체:고요 기숙사", ["u/goyo/", "o/silent-press/"]),
        ("대동제", []),
        ("종류:학보", []),
        ("-고요대신문", []),
        ("고", []),
        ("요대신문", []),
    ],
)
def test_only_what_is_called_so_is_named_and_what_is_called_just_so_before_the_rest(
    page: Page, address: str, query: str, expected: list[str]
) -> None:
    search(page, address, query)
    assert places(page, address) == expected


def test_hostile_words_stay_words(page: Page, address: str) -> None:
    search(page, address, "가시밭")
    assert len(titles(page)) == len(wholesite.HOSTILE)
    assert any('<script>alert("x")</script>' in title for title in titles(page))
    assert (
        look(page, "document.querySelectorAll('#hits script, #hits img, #hits svg, #hits [style], #hits h1').length")
        == 0
    )
    search(page, address, '<img src=x onerror=alert(1)> tag:"><b>')
    assert look(page, "document.querySelectorAll('main img, #asked b b').length") == 0
    search(page, address, "이음새")
    hrefs = [node.get_attribute("href") or "" for node in page.locator("#hits .t a").all()]
    assert hrefs
    assert all(href.startswith(("https://", "http://")) for href in hrefs)


def test_a_file_that_cannot_be_had_is_told_and_tried_again(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        page.goto(address + "search/")
        page.wait_for_load_state("networkidle")
        page.route("**/search/*/s/**", lambda route: route.abort())
        page.locator("#q").fill("기숙사")
        page.keyboard.press("Enter")
        expect(page.locator("#trouble")).to_be_visible()
        assert "받지 못했습니다" in page.locator("#trouble").inner_text()
        page.unroute("**/search/*/s/**")
        page.locator("#again").click()
        expect(page.locator("#hits li")).to_have_count(2)
        expect(page.locator("#trouble")).to_be_hidden()


def test_a_card_that_fails_later_leaves_what_is_shown(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        search(page, address, "대동제")
        refused: list[str] = []

        def refuse(route: Route) -> None:
            refused.append(route.request.url)
            route.fulfill(status=503)

        page.route("**/search/*/c/**", refuse)
        page.locator("#onward").click()
        expect(page.locator("#trouble")).to_be_visible()
        assert refused
        assert len(titles(page)) == 20
        page.unroute("**/search/*/c/**")
        page.locator("#again").click()
        expect(page.locator("#hits li")).to_have_count(40)
        assert len(set(titles(page))) == 40


def test_being_offline_is_told_and_mends_itself(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        page.goto(address + "search/")
        page.wait_for_load_state("networkidle")
        page.context.set_offline(True)
        page.locator("#q").fill("기숙사")
        page.keyboard.press("Enter")
        expect(page.locator("#trouble")).to_be_visible()
        assert "인터넷에 이어져 있지 않습니다" in page.locator("#trouble").inner_text()
        page.context.set_offline(False)
        expect(page.locator("#hits li")).to_have_count(2)


def test_scripts_that_cannot_be_had_are_told_and_asked_for_again(browser: Browser, address: str) -> None:
    for name in ("ui", "bits"):
        with opened(browser, PHONE) as (page, _, _asked):
            page.route(f"**/assets/search/{name}.js", lambda route: route.abort())
            page.goto(f"{address}search/?q={quote('기숙사')}")
            expect(page.locator("#trouble")).to_be_visible()
            assert "받지 못했습니다" in page.locator("#trouble").inner_text()
            page.unroute(f"**/assets/search/{name}.js")
            page.locator("#again").click()
            expect(page.locator("#hits li")).to_have_count(2)
            expect(page.locator("#trouble")).to_be_hidden()


def test_a_browser_too_old_for_the_search_is_told_so(browser: Browser, address: str) -> None:
    with opened(browser, PHONE) as (page, _, _asked):
        page.add_init_script("delete window.DecompressionStream")
        page.goto(f"{address}search/?q={quote('기숙사')}")
        expect(page.locator("#trouble")).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert "오래되어" in page.locator("#trouble").inner_text()


def holding(page: Page, *patterns: str) -> list[Route]:
    """What is asked for of these, held back until the list's owner lets it go on."""
    held: list[Route] = []
    for pattern in patterns:
        page.route(pattern, lambda route: held.append(route))
    return held


PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_nothing_moves_while_results_come(browser: Browser, address: str) -> None:
    for size in (PHONE, DESK):
        for query in ("대동제 태그:축제 -없는말", "기숙사", "없는말이다 태그:축제", "물결", "고요대"):
            with opened(browser, size) as (page, _, _asked):
                page.add_init_script(MOVED)
                held = holding(page, "**/search/ui.js", "**/search/index.gz", "**/search/*/c/**")
                page.goto(f"{address}search/?q={quote(query)}", wait_until="commit")
                while not (told := page.locator("#count").inner_text()) or told == "찾는 중…":
                    look(page, PAINTED)  # what stands while files are on their way is seen
                    while held:
                        held.pop().continue_()
                look(page, PAINTED)
                assert (size, query, look(page, "window.moved")) == (size, query, 0)


def test_what_is_loaded_ahead_is_what_the_page_needs_at_first(built: Path) -> None:
    tree = LexborHTMLParser((built / "search/index.html").read_bytes())
    ahead = {str(node.attributes["href"]).split("/")[-1] for node in tree.css('link[rel="modulepreload"]')}
    needed, waiting = set(), {"ui.js"}
    while waiting:
        name = waiting.pop()
        needed.add(name)
        script = (built / "assets/search" / name).read_text(encoding="utf-8")
        waiting |= set(re.findall(r'from "\./([a-z]+\.js)"', script)) - needed
    assert ahead == needed - {"ui.js"}


def test_without_a_script_the_page_says_what_it_needs(browser: Browser, address: str) -> None:
    with opened(browser, PHONE, script=False) as (page, _, _asked):
        page.goto(address)
        page.locator("#q").fill("기숙사")
        page.keyboard.press("Enter")
        expect(page.locator("noscript .notice, main > .notice").first).to_be_visible()
        assert query_of(page) == "기숙사"
        assert "자바스크립트" in page.locator("main .notice").first.inner_text()
        assert not page.locator("#narrow").is_visible()


@pytest.mark.parametrize(
    "query", ["", "대동제 -겨울 tag:축제", "없는말이다", "고요대"], ids=["empty", "found", "nothing", "names"]
)
def test_axe_finds_nothing_on_any_state(browser: Browser, address: str, query: str) -> None:
    for size, dark in ((PHONE, False), (DESK, True)):
        with opened(browser, size, dark=dark) as (page, troubles, _):
            page.emulate_media(reduced_motion="reduce")
            search(page, address, query)
            page.locator("#narrow summary").click()
            page.locator("#q").focus()
            page.evaluate(AXE_SCRIPT)
            assert complaints(page, f"search/?q={query}") == []
            page.locator("#q").fill("")
            page.locator("#q").press_sequentially("한")
            expect(page.get_by_role("option").first).to_be_visible()
            page.keyboard.press("ArrowDown")
            assert complaints(page, "search/ with offers") == []
            assert troubles == []


def test_the_page_fits_320_pixels_and_its_targets_a_finger(browser: Browser, address: str) -> None:
    with opened(browser, NARROW) as (page, _, _asked):
        for query in ("", "가시밭", "고요대", "대동제 tag:축제 -" + "긴말" * 40):
            search(page, address, query)
            if page.locator("#narrow").get_attribute("open") is None:
                page.locator("#narrow summary").click()
            assert (query, look(page, "document.documentElement.scrollWidth")) == (query, 320)
            assert look(page, SMALL_TARGETS) == []


def test_the_site_with_its_search_has_no_flaw(built: Path) -> None:
    assert check(built) == []
