"""What the search's field offers: small files by initial, and matching while a syllable is still being typed."""

from __future__ import annotations

import gzip
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from bench.searchserver import served
from build.searchcomplete import KEYS, Counts, file, key_of
from build.searchindex import parted
from tests.searchfixture import ASSETS, OUTLETS, article, media, searchable
from tests.test_search_browser import opened
from tests.test_site_browser import browser

__all__ = ["browser"]

TITLES = (
    "총학생회 선거 시작", "총학생회는 왜", "총학생회, 등록금 인상 반대", "등록금 동결", "등록금을 돌려 달라",
    "등록금 협상", "과학관 개관", "과학관의 밤", "과학관 탐방", "갉아먹는 소음 갉작거림", "트럼프 관세",
    "트럼프 방한", "트럼프 회담", "도서관 좌석", "도서관 책", "도서관 소음", "ChatGPT 시험", "ChatGPT 과제",
    "ChatGPT 논쟁", "하가마 하나", "하가마 둘", "하가마 셋",
)  # fmt: skip
ARTICLES = [
    article(id, title, day=-40 - id, tags=("학생 자치", "AI") if id % 2 else ("학생자치", "총학생회"))
    for id, title in enumerate(TITLES)
] + [article(500 + id, f"{word} {word}", day=3) for id, word in enumerate(["십일월새말"] * 5)]

PAGE = """<!doctype html><html lang="ko"><meta charset="utf-8"><link rel="icon" href="data:,"><title>offers</title>
<script type="module">
import { Complete, matched } from "./assets/search/complete.js";
import { Files } from "./assets/search/files.js";
window.complete = new Complete(new Files(new URL("search/", location.href).href));
window.matched = matched;
window.ready = true;
</script></html>"""


def made() -> dict[str, bytes]:
    by_id = {one.id: searchable(one) for one in ARTICLES}
    first_seen = {id: one.first_seen for id, one in by_id.items()}
    counts = Counts()
    deque(counts.watch(by_id[id] for id in parted(list(by_id), first_seen)[0]), maxlen=0)
    offered = counts.offered()
    return {f"complete/{key}.gz": file(key, offered[key], media(OUTLETS)) for key in KEYS}


def rows(key: str) -> list[list[str]]:
    return list(json.loads(gzip.decompress(made()[f"complete/{key}.gz"])))


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder: Path = tmp_path_factory.mktemp("offers")
    for path, body in made().items():
        (folder / "search" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "search" / path).write_bytes(body)
    (folder / "assets").mkdir()
    (folder / "assets" / "search").symlink_to(ASSETS)
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    with served(folder) as address, opened(browser, address) as page:
        yield page


def offers(page: Page, typed: str) -> list[tuple[str, str]]:
    found = page.evaluate("(typed) => complete.offers(typed, 8)", typed)
    return [(one["kind"], one["text"]) for one in found]


def test_every_initial_has_a_file_so_that_none_is_asked_for_in_vain() -> None:
    assert set(made()) == {f"complete/{key}.gz" for key in KEYS}
    assert [key_of(char) for char in "가까나힣az09"] == ["k0", "k1", "k2", "k18", "la", "lz", "d", "d"]
    assert key_of("字") == key_of("[") == key_of("") == ""


def test_names_stand_under_the_initial_of_each_of_their_words() -> None:
    assert ["outlet", "교지 물결", "mulgyeol"] in rows("k0")
    assert ["outlet", "교지 물결", "mulgyeol"] in rows("k6")
    assert ["outlet", "The Haneul Times", "haneul-times"] in rows("lh")
    assert [row for row in rows("k18") if row[0] == "univ"] == [
        ["univ", "한빛대학교", "hanbit"],
        ["univ", "하늘대학교", "haneul"],
    ]


def test_of_words_as_usual_as_each_other_the_first_by_letter_comes_first() -> None:
    """A title's words are counted as a set, whose order is another one in every run."""
    words = ["가게", "가난", "가마", "가방", "가수", "가을", "가지"]
    counts, one = Counts(), searchable(ARTICLES[0])
    deque(counts.watch(replace(one, id=id, title=" ".join(words[::-1]), tags=()) for id in range(3)), maxlen=0)
    assert counts.offered()["k0"] == [["word", word] for word in words]


def test_words_and_tags_are_counted_before_this_month_and_offered_once() -> None:
    assert [row for row in rows("k14") if row[1] == "총학생회"] == [["word", "총학생회"]]
    assert [row for row in rows("k9") if row[0] == "tag"] == []
    assert [row for row in rows("k18") if row[0] == "tag"] == [["tag", "학생 자치"]] or [
        row for row in rows("k18") if row[0] == "tag"
    ] == [["tag", "학생자치"]]
    assert "십일월새말" not in str([rows(key) for key in KEYS])


@pytest.mark.browser
@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("ㅊ", "총학생회"), ("초", "총학생회"), ("총", "총학생회"), ("총ㅎ", "총학생회"), ("총하", "총학생회"),
        ("총학", "총학생회"), ("총학ㅅ", "총학생회"), ("총학새", "총학생회"), ("ㅊㅎㅅㅎ", "총학생회"),
        ("ㄷㄹㄱ", "등록금"), ("드", "등록금"), ("등로", "등록금"), ("고", "과학관"), ("과하", "과학관"),
        ("하", "하가마"), ("학", "하가마"), ("하ㄱ", "하가마"), ("ㅎㄱㅁ", "하가마"), ("ㅌㄹㅍ", "트럼프"),
        ("chat", "chatgpt"), ("CHATG", "chatgpt"), ("학생자", "학생 자치"), ("물", "교지 물결"),
        ("ㅁㄱ", "교지 물결"), ("times", "The Haneul Times"), ("하느", "하늘타임스"), ("ㅎㄴㄷ", "하늘대학교"),
        ("한비", "한빛대학보"),
    ],
)  # fmt: skip
def test_what_is_typed_so_far_offers_what_is_meant(page: Page, typed: str, text: str) -> None:
    assert text.replace(" ", "").lower() in [one.replace(" ", "").lower() for _, one in offers(page, typed)]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("typed", "text", "range"),
    [
        ("총하", "총학생회", [0, 2]),
        ("총가", "총학생회", None),
        ("학생", "총학생회", None),
        ("ㅎㅅ", "총학생회", None),
        ("갈", "갉다", [0, 1]),
        ("갉", "갉다", [0, 1]),
        ("갉", "갈가마귀", [0, 2]),
        ("각", "가구", [0, 2]),
        ("각", "갂", None),
        ("ㄳ", "감사", [0, 2]),
        ("고", "괜찮다", [0, 1]),
        ("괜", "고맙다", None),
        ("학생자", "학생 자치", [0, 4]),
        ("자치", "학생 자치", [3, 5]),
        ("총학생회장이다", "총학생회", None),
        ("", "총학생회", None),
        ("a", "Apple", [0, 1]),
        ("2", "2026", [0, 1]),
    ],
)
def test_a_syllable_in_the_making_fits_what_it_may_become(
    page: Page, typed: str, text: str, range: list[int] | None
) -> None:
    assert page.evaluate("([typed, text]) => matched(typed, text)", [typed, text]) == range


@pytest.mark.browser
def test_without_its_file_the_field_offers_nothing_and_goes_on(page: Page) -> None:
    assert offers(page, "字") == offers(page, "") == offers(page, "[") == []
    page.route("**/complete/lp.gz", lambda route: route.abort())
    assert offers(page, "pres") == []
    page.unroute("**/complete/lp.gz")
    assert ("outlet", "The Hanbit Press") in offers(page, "pres")
