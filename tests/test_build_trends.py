"""Rising words: found where several outlets write more than usual, in forms that readers would call one word."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from build import currents, db, site, titlewords, trendpages, trends
from build.trendpages import TrendsPage
from tests import sitefixture
from tests.sitefixture import Story

OUTLETS = ("hanbit-news", "mulgyeol", "nuri-eye", "saebom-bs", "silent-press", "solbit-news")


def words_of(*titles: str) -> list[set[str]]:
    """The words each of these headlines of one month counts for."""
    pieces = [titlewords.pieces(title) for title in titles]
    settled = titlewords.settled(Counter(piece for some in pieces for piece in some))
    return [{settled[piece] for piece in some if piece in settled} for some in pieces]


def months(*titles: list[tuple[int, str]]) -> list[trends.Month]:
    """Months of (outlet, headline)."""
    outlet_of: list[int] = []
    made = []
    for number, some in enumerate(titles, 1):
        first = len(outlet_of)
        outlet_of.extend(outlet for outlet, _ in some)
        numbered = [(first + at, title) for at, (_, title) in enumerate(some)]
        made.append(trends.month(number, numbered, outlet_of))
    return [*made[:-1], trends.settled_over(made[-1], made[:-1], outlet_of)]


PLAIN = [(outlet, "도서관 열람실 개방") for outlet in range(12)]


def test_sure_particles_are_cut_from_any_word() -> None:
    assert words_of("등록금을 기숙사에서 셔틀버스까지") == [{"등록금", "기숙사", "셔틀버스"}]


def test_a_doubtful_particle_is_cut_only_where_the_rest_stands_alone() -> None:
    assert words_of("총학생회가 축제의", "총학생회 축제") == [{"총학생회", "축제"}] * 2
    assert words_of("코로나 확산", "코로나 검사") == [{"코로나", "확산"}, {"코로나", "검사"}]
    assert words_of("김하늘은 휴가", "휴가") == [{"김하늘은", "휴가"}, {"휴가"}]
    assert words_of("경영학과 신설", "경영학 강의") == [{"경영학과", "신설"}, {"경영학", "강의"}]


def test_a_short_word_is_cut_only_where_the_rest_is_as_common() -> None:
    assert words_of("코로나", "코로나", "코로") == [{"코로나"}, {"코로나"}, {"코로"}]


def test_labels_figures_verbs_and_everyday_words_are_left_out() -> None:
    assert words_of("[사설] 2026학년도 신입생 3,200명 대학 총장이 말한다") == [{"신입생", "총장이"}]
    assert words_of("<보도> 학교가 학생에게 묻는 기숙사") == [{"기숙사"}]


def test_english_words_and_abbreviations_keep_their_own_form() -> None:
    assert words_of("The Library Opens AI Center", "AI로 배우는 강의") == [{"library", "AI", "center"}, {"AI", "강의"}]


@pytest.mark.parametrize(
    "title", ["", "1", "가" * 5_000, "a" * 5_000, "[" * 300, "[a]" * 300, "1." * 2_000, "<>" * 200, "a'" * 1_000]
)
def test_no_headline_takes_long_to_read(title: str) -> None:
    started = time.process_time()
    titlewords.settled(Counter(titlewords.pieces(title)))
    assert time.process_time() - started < 0.05


def test_a_word_rises_that_more_outlets_write_than_before() -> None:
    before = [PLAIN] * 6
    found = trends.rising(
        (held := months(*before, PLAIN + [(outlet, "무전공 입학") for outlet in range(5)]))[-1], held[:-1], 10
    )
    assert [(one.word, one.outlets, one.before, one.months) for one in found] == [
        ("무전공 입학", 5, 0.0, (0, 0, 0, 0, 0, 0, 5))
    ]


def test_one_loud_outlet_lets_no_word_rise() -> None:
    held = months(*[PLAIN] * 6, PLAIN + [(3, "농구 결승")] * 40)
    assert trends.rising(held[-1], held[:-1], 10) == []


def test_a_word_at_its_usual_pace_does_not_rise() -> None:
    steady = PLAIN + [(outlet, "장학금 안내문") for outlet in range(4)]
    held = months(*[steady] * 7)
    assert trends.rising(held[-1], held[:-1], 10) == []


def test_an_outlet_kind_is_judged_by_its_own_outlets() -> None:
    held = months(*[PLAIN] * 8, PLAIN + [(outlet, "전파 장비") for outlet in (0, 1, 2)])
    assert [one.word for one in trends.rising(held[-1], held[:-1], 10, frozenset(range(4)))] == ["전파 장비"]
    assert trends.rising(held[-1], held[:-1], 10, frozenset(range(4, 12))) == []


def test_without_months_before_the_most_written_words_stand_first() -> None:
    held = months(PLAIN + [(outlet, "기숙사") for outlet in range(3)])
    found = trends.rising(held[0], [], 10)
    assert [(one.word, one.outlets, one.before) for one in found] == [
        ("도서관 열람실 개방", 12, None),
        ("기숙사", 3, None),
    ]


def test_a_form_that_was_never_written_before_does_not_seem_new() -> None:
    before = [PLAIN + [(outlet, "동아리연합회 모집 공고") for outlet in range(6)]] * 6
    held = months(*before, PLAIN + [(outlet, "동아리연합회가 공고") for outlet in range(6)])
    assert [one.word for one in trends.rising(held[-1], held[:-1], 10)] == []


def month(day: str, titles: list[str]) -> list[Story]:
    return [Story(OUTLETS[at % 6], title, f"{day} 10:{at % 60:02}") for at, title in enumerate(titles)]


def main_of(path: Path) -> LexborNode:
    """The text of a built page."""
    node = LexborHTMLParser(path.read_text()).css_first("main")
    assert node is not None
    return node


def pages_of(folder: Path, stories: list[Story]) -> dict[str, TrendsPage]:
    sitefixture.fill(folder / "press.db", stories)
    with db.opened(folder) as press:
        made = [sheet.worked_out(press.read) for sheet in trendpages.tags_and_trends(currents.MonthsRead(press))]
    return {page.head.url_path: page for page in made if isinstance(page, TrendsPage)}


YEAR = [story for at in range(1, 11) for story in month(f"2026-{at:02}-05", ["도서관 열람실 개방"] * 60)]
NOVEMBER = month("2026-11-05", ["무전공 입학 갈등"] * 30 + ["도서관 열람실 개방"] * 30)


def test_every_month_with_enough_headlines_has_a_page_and_the_newest_is_the_front(tmp_path: Path) -> None:
    pages = pages_of(tmp_path, YEAR + NOVEMBER + month("2026-12-01", ["글"] * 20))
    assert sorted(pages) == ["trends/", *(f"trends/2026-{at:02}/" for at in range(1, 12))]
    front, november = pages["trends/"], pages["trends/2026-11/"]
    assert [(one.word, one.outlets, one.before) for one in front.words] == [("무전공 입학 갈등", 6, "0")]
    assert front.words == november.words
    assert (front.since, front.titles, front.outlets, front.running) == ("2026년 1월", 60, 6, False)
    assert len(front.stories[0][1].ids) == trendpages.STORIES_EACH
    assert november.newer is None
    assert pages["trends/2026-01/"].since == ""


def test_a_night_moves_the_newest_month_alone(tmp_path: Path) -> None:
    keys: list[dict[str, bytes]] = []
    for at, more in enumerate(([], month("2026-11-09", ["새 글"]))):
        sitefixture.fill(tmp_path / str(at) / "press.db", [*YEAR, *NOVEMBER, *more])
        with db.opened(tmp_path / str(at)) as press:
            keys.append({one.path: one.key for one in site.claims(press, "") if one.path.startswith("trends/")})
    assert {path for path in keys[0] if keys[0][path] != keys[1][path]} == {
        "trends/index.html",
        "trends/2026-11/index.html",
    }


def test_the_page_tells_its_figures_its_method_and_its_charts_in_words(tmp_path: Path) -> None:
    tagged = [
        Story(OUTLETS[at % 6], "글", "2026-11-06 10:00", tags=(f"태그{at % 6}", f"태그{(at + 1) % 6}"))
        for at in range(36)
    ]
    sitefixture.fill(tmp_path / "press.db", [*YEAR, *NOVEMBER, *tagged])
    site.build(tmp_path, tmp_path / "site")
    main = main_of(tmp_path / "site" / "trends" / "index.html")
    assert "무전공 입학 갈등" in main.css("table")[0].text()
    assert "어떻게 셌나" in main.text()
    for drawn in main.css("svg"):
        told = drawn.attributes.get("aria-label") or drawn.attributes.get("aria-labelledby")
        assert drawn.attributes.get("aria-hidden") == "true" or told
    ids = [node.attributes["id"] for node in main.css("[id]")]
    assert len(ids) == len(set(ids))
    assert len(main.css(".tagmap")) == 2
    assert len(main.css(".pairs tbody tr")) == 6


def test_too_few_headlines_and_none_at_all_are_said(tmp_path: Path) -> None:
    few = pages_of(tmp_path / "few", month("2026-11-05", ["글"] * 9))["trends/"]
    assert (few.enough, few.titles, few.words, few.map) == (False, 9, (), None)
    sitefixture.fill(tmp_path / "none" / "press.db", [], outlets=[], sources=[], nights=False)
    site.build(tmp_path / "none", tmp_path / "none" / "site")
    assert (
        "아직 날짜가 알려진 글이 모이지 않았습니다"
        in (tmp_path / "none" / "site" / "trends" / "index.html").read_text()
    )


def test_the_home_page_says_what_rises_and_on_a_months_first_days_what_rose(tmp_path: Path) -> None:
    december = month("2026-12-01", ["도서관 열람실 개방"] * 60)
    sitefixture.fill(tmp_path / "press.db", YEAR + NOVEMBER + december)
    site.build(tmp_path, tmp_path / "site")
    tree = LexborHTMLParser((tmp_path / "site/index.html").read_text())
    told = [(one.css_first("a").text(), one.css_first("a").attributes["href"]) for one in tree.css(".currents li")]  # type: ignore[union-attr]
    assert told == [("무전공 입학 갈등", f"./search/?q={quote('무전공 입학 갈등')}")]
    assert "2026년 11월, 평소보다 많이 쓴 낱말" in tree.css_first("aside").text()  # type: ignore[union-attr]


def test_the_home_page_of_a_young_hub_says_that_nothing_rose_yet(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", NOVEMBER)
    site.build(tmp_path, tmp_path / "site")
    tree = LexborHTMLParser((tmp_path / "site/index.html").read_text())
    assert tree.css(".currents") == []
    assert "많이 쓰인 낱말이 아직 없습니다" in tree.css_first("aside").text()  # type: ignore[union-attr]


def test_the_home_page_moves_when_a_headline_of_its_months_does(tmp_path: Path) -> None:
    keys = []
    for at, title in enumerate(("도서관", "기숙사")):
        # One of a day that the home page no longer shows.
        sitefixture.fill(tmp_path / str(at) / "press.db", [*YEAR, *month("2026-01-03", [title]), *NOVEMBER])
        with db.opened(tmp_path / str(at)) as press:
            (key,) = (one.key for one in site.claims(press, "") if one.path == "index.html")
            keys.append(key)
    assert keys[0] != keys[1]


def test_a_words_row_leads_to_its_stories_of_that_month(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db", YEAR + NOVEMBER)
    site.build(tmp_path, tmp_path / "site")
    link = main_of(tmp_path / "site/trends/2026-11/index.html").css_first("table.figures tbody th a")
    assert link is not None
    asked = unquote(str(link.attributes["href"]))
    assert asked == "../../search/?q=무전공 입학 갈등+부터:2026-11+까지:2026-11"
