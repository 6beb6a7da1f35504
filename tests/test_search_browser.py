"""The search's engine in a real browser, held against a plain reading of every article."""

from __future__ import annotations

import base64
import gzip
import json
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from bench.searchcorpus import Article
from bench.searchqueries import Query, Truth, queries
from bench.searchserver import served
from build.normal import normal
from tests.searchfixture import OUTLETS, article, put, random_articles
from tests.test_normal import CASES
from tests.test_site_browser import browser

__all__ = ["browser"]
pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="ko"><meta charset="utf-8"><link rel="icon" href="data:,"><title>search</title>
<script type="module">
import * as engine from "./assets/search/engine.js";
import * as query from "./assets/search/query.js";
Object.assign(window, engine, query);
window.engine = new Engine(new URL("search/", location.href).href, 100000);
window.all = async (text) => {
  const results = await window.engine.search(text);
  const told = results.count;
  const hits = [];
  while (!results.ended) for (const card of await results.next(60)) hits.push({ url: card.url, day: card.day });
  return { told, count: results.count, hits };
};
window.ready = true;
</script></html>"""

ARTICLES = random_articles(12_000, 5)
TRUTH = Truth(ARTICLES, OUTLETS)


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_function("window.ready")
    try:
        yield page
    finally:
        context.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("search")
    put(made, ARTICLES)
    (made / "index.html").write_text(PAGE, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    with served(folder) as address, opened(browser, address) as page:
        yield page


def all_of(page: Page, text: str) -> tuple[dict[str, Any], list[str], list[int]]:
    """What a query's count said at first, and every hit: addresses and days."""
    answer = page.evaluate("(text) => window.all(text)", text)
    return answer["told"], [hit["url"] for hit in answer["hits"]], [hit["day"] for hit in answer["hits"]]


def agrees(page: Page, truth: Truth, query: Query) -> None:
    """Fail unless the engine's answer is the truth, newest first, each once, and rightly counted."""
    told, urls, days = all_of(page, query.text)
    must = truth.hits(query)
    days_of = {truth.articles[at].url: truth.days[at] for at in must}
    if len(query.words) == 1 and len(query.words[0]) == 1 and query.text == query.words[0]:
        assert (query, told) == (query, {"value": len(must), "exact": True})
        assert days == sorted(days_of.values(), reverse=True)[:200]
        assert set(urls) <= days_of.keys()
    else:
        assert (query, sorted(urls)) == (query, sorted(days_of))
        assert told["value"] == len(must) if told["exact"] else told["value"] >= len(must)
    assert days == sorted(days, reverse=True)
    assert len(set(urls)) == len(urls)
    assert [days_of[url] for url in urls] == days


def test_every_case_of_the_shared_table_in_the_browser(page: Page) -> None:
    texts = [text for text, _ in CASES]
    assert page.evaluate("(texts) => texts.map(normal)", texts) == [expected for _, expected in CASES]


def test_the_two_normalisers_agree_on_every_character(page: Page) -> None:
    known = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in ("Cn", "Cs")]
    moved = {code: normal(chr(code)) for code in known if normal(chr(code)) != chr(code)}
    assert len(moved) > 2_000
    script = """([known, moved]) => {
      const wrong = [];
      for (const [first, last] of known) for (let code = first; code <= last; code++) {
        const char = String.fromCodePoint(code);
        if (normal(char) !== (moved[code] ?? char)) wrong.push(code);
      }
      return wrong;
    }"""
    assert page.evaluate(script, [spans(known), moved]) == []


def spans(codes: list[int]) -> list[list[int]]:
    """Ascending numbers as first and last of each unbroken run."""
    runs: list[list[int]] = []
    for code in codes:
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return runs


def test_every_character_that_is_written_in_two_bytes_is_read_back(page: Page) -> None:
    chars = []
    for code in range(0x20, 0x10000):
        try:
            chr(code).encode("cp949")
        except UnicodeEncodeError:
            continue
        chars.append(chr(code))
    text = "".join(chars)
    assert len(text) > 17_000
    raw = base64.b64encode(text.encode("cp949")).decode()
    script = "(raw) => new TextDecoder('euc-kr').decode(Uint8Array.from(atob(raw), (char) => char.charCodeAt(0)))"
    assert page.evaluate(script, raw) == text


def test_every_query_finds_what_a_plain_reading_finds(page: Page) -> None:
    asked = queries(ARTICLES, OUTLETS, 120)
    assert len({query.sort for query in asked}) > 12
    for query in asked:
        agrees(page, TRUTH, query)


@pytest.mark.parametrize(
    "query",
    [
        Query("pages of a long list", "학생회", ("학생회",)),
        Query("two words of one character", "총 B", ("총", "B")),
        Query("one character and another word", "학생 B", ("학생", "B")),
        Query("one character without another", "가 -나 -학", ("가",), ("나", "학")),
        Query("a word inside another", "학 학생 학생회", ("학", "학생", "학생회")),
        Query("without what is wanted", "학생회 -학생", ("학생회",), ("학생",)),
        Query("only without", "-a -학 -생 -등", (), ("a", "학", "생", "등")),
        Query("across many spaces", '"a a a"', ("aaa",)),
        Query("the Korean name of a filter", "매체:한빛대학보 종류:사진 생회", ("생회",), outlet=0, kind="photo"),
        Query("a university of two outlets", "univ:hanbit 학생", ("학생",), univ="한빛대학교"),
        Query("an outlet's kind", "kind:magazine 학생", ("학생",), kind="magazine"),
        Query("a tag", "tag:ai", (), tag="AI"),
        Query("a tag and a word", "태그:보도 총학", ("총학",), tag="보도"),
        Query("an unknown tag", "tag:없음 총학", ("총학",), tag="없음"),
        Query("one day", "from:2026-10-20 to:2026-10-20", (), first=20_746, last=20_746),
        Query("a month written short", "from:2026-10 to:2026-11 학생", ("학생",), first=20_727, last=20_787),
        Query("a year", "to:2025 학생", ("학생",), last=20_453),
        Query("a phrase left open", '"학생 회', ("학생회",)),
        Query("quotes of a telephone", "“학생 회”", ("학생회",)),
        Query("capitals and spaces", "B1 . A", ("b1", ".", "a")),
    ],
    ids=lambda query: query.sort,
)
def test_a_query_of_this_sort_finds_what_a_plain_reading_finds(page: Page, query: Query) -> None:
    agrees(page, TRUTH, query)


def test_several_outlets_are_any_of_them_and_a_part_of_a_name_is_enough(page: Page) -> None:
    both = TRUTH.hits(Query("", "", ("학생",), outlet=0)) | TRUTH.hits(Query("", "", ("학생",), outlet=3))
    wanted = sorted(ARTICLES[at].url for at in both)
    for text in ("outlet:hanbit-news outlet:hanbit-bs 학생", "outlet:한빛대 학생"):
        assert sorted(all_of(page, text)[1]) == wanted


def test_a_filter_may_be_turned_round(page: Page) -> None:
    wanted = TRUTH.hits(Query("", "", ("학생",))) - TRUTH.hits(Query("", "", ("학생",), tag="보도"))
    wanted -= TRUTH.hits(Query("", "", ("학생",), outlet=1)) | TRUTH.hits(Query("", "", ("학생",), kind="video"))
    _, urls, _ = all_of(page, "학생 -tag:보도 -outlet:haneul-times -kind:영상")
    assert sorted(urls) == sorted(ARTICLES[at].url for at in wanted)


def test_nothing_asked_finds_nothing(page: Page) -> None:
    for text in ("", "   ", '""', "outlet:", "-"):
        told, urls, _ = all_of(page, text)
        assert (text, told, urls) == (text, {"value": 0, "exact": True}, [])


def test_a_card_brings_what_a_result_shows(page: Page, folder: Path) -> None:
    wanted = next(
        one for one in reversed(ARTICLES) if one.summary and one.byline and one.kind == "photo" and one.published
    )
    script = """async (text) => {
      const results = await engine.search(text);
      for (;;) {
        const cards = await results.next(50);
        const found = cards.find((card) => card.url === window.wanted);
        if (found || results.ended) return found;
      }
    }"""
    page.evaluate("(url) => { window.wanted = url; }", wanted.url)
    card = page.evaluate(script, f"outlet:{OUTLETS[wanted.outlet].slug} kind:photo")
    assert (card["title"], card["summary"], card["byline"]) == (wanted.title, wanted.summary, wanted.byline)
    assert (card["outlet"]["name"], card["outlet"]["university"]) == (
        OUTLETS[wanted.outlet].name,
        OUTLETS[wanted.outlet].university,
    )
    assert card["kind"] == "photo"
    assert card["date"] == page.evaluate("(day) => new Date(day * 86400000).toISOString().slice(0, 10)", card["day"])


def test_a_query_is_taken_apart_as_readers_mean_it(page: Page) -> None:
    def parts(text: str) -> list[tuple[str, str, bool]]:
        found = page.evaluate("(text) => parts(text)", text)
        assert [text[one["start"] : one["end"]] for one in found] == [one["raw"] for one in found]
        return [(one["filter"], one["word"], one["without"]) for one in found]

    assert parts('총학생회 "학생 자치" -선거') == [("", "총학생회", False), ("", "학생자치", False), ("", "선거", True)]
    assert parts('-"두 낱말" tag:"학생 자치" -tag:보도') == [
        ("", "두낱말", True),
        ("tag", "학생자치", False),
        ("tag", "보도", True),
    ]
    assert parts("10:30 http://x.example/ a-b - 대학:한빛") == [
        ("", "10:30", False),
        ("", "http://x.example/", False),
        ("", "a-b", False),
        ("", "-", False),
        ("univ", "한빛", False),
    ] or parts("10:30")[0] == ("", "10:30", False)
    assert parts("FROM:2024 From:2024-03") == [("from", "2024", False), ("from", "2024-03", False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024", ["2024-01-01", "2024-12-31"]),
        ("2024-02", ["2024-02-01", "2024-02-29"]),
        ("2023.2", ["2023-02-01", "2023-02-28"]),
        ("2024/2/9", ["2024-02-09", "2024-02-09"]),
        ("20240229", ["2024-02-29", "2024-02-29"]),
        ("202402", ["2024-02-01", "2024-02-29"]),
        ("2024년3월5일", ["2024-03-05", "2024-03-05"]),
        ("2023-02-29", None),
        ("2024-13", None),
        ("어제", None),
    ],
)
def test_days_are_read_in_every_usual_writing(page: Page, text: str, expected: list[str] | None) -> None:
    assert page.evaluate("(text) => period(text)", text) == expected


def test_what_cannot_be_meant_is_named(page: Page) -> None:
    troubles = page.evaluate("(text) => parse(text).troubles", "학생 from:어제 to:2024-02-30")
    assert [(one["part"]["filter"], one["part"]["text"], one["why"]) for one in troubles] == [
        ("from", "어제", "date"),
        ("to", "2024-02-30", "date"),
    ]


def test_a_filter_is_written_so_that_it_is_read_back(page: Page) -> None:
    def read_back(name: str, text: str) -> Any:
        return page.evaluate("(given) => parts(written(...given)).map((one) => [one.filter, one.text])", [name, text])

    assert read_back("tag", "보도") == [["tag", "보도"]]
    assert read_back("tag", "학생 자치") == [["tag", "학생 자치"]]
    assert read_back("tag", 'a "b" c') == [["tag", "a  b  c"]]


def test_a_query_that_reads_much_in_vain_stops_to_ask_and_goes_on(browser: Browser, tmp_path: Path) -> None:
    many = [
        article(id, f"기계공학부 소식 {id}" if id % 97 else f"기계공학과 소식 {id}", day=-id) for id in range(2, 600)
    ]
    put(tmp_path, many)
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    script = """async () => {
      const results = await engine.search("공학 -공학부");
      const portions = [];
      while (!results.ended) portions.push((await results.next(10)).map((card) => card.title));
      return [portions, results.count];
    }"""
    with served(tmp_path) as address, opened(browser, address) as page:
        portions, count = page.evaluate(script)
    found = [title for portion in portions for title in portion]
    assert found == [f"기계공학과 소식 {id}" for id in range(97, 600, 97)]
    assert count == {"value": len(found), "exact": True}
    assert len(portions) > 3
    assert len(portions[0]) < 3


def test_matches_are_marked_in_what_is_shown(page: Page) -> None:
    def marked(text: str, *words: str) -> list[str]:
        ranges = page.evaluate("([text, words]) => marks(text, words.map(normal))", [text, list(words)])
        raw = text.encode("utf-16-le")
        return [raw[start * 2 : end * 2].decode("utf-16-le") for start, end in ranges]

    assert marked("학생 자치는 학생의 것", "학생자치", "학생") == ["학생 자치", "학생"]
    assert marked("🎓 Straße für ALLE", "STRASSE", "alle") == ["Straße", "ALLE"]
    assert marked("가가가", "가가") == ["가가"]
    assert marked("총학생회장", "학생", "생회") == ["학생회"]
    assert marked("없다", "있다", "") == []


def test_a_file_that_does_not_come_at_once_is_asked_for_again(browser: Browser, folder: Path) -> None:
    with served(folder) as address, opened(browser, address) as page:
        failed: list[str] = []

        def once(route: Route) -> None:
            if route.request.url in failed:
                route.continue_()
            else:
                failed.append(route.request.url)
                route.abort()

        page.route("**/search/**", once)
        agrees(page, TRUTH, Query("", "B1.가", ("B1.가",)))
        assert len(failed) > 4


def test_a_file_that_never_comes_is_told_and_the_engine_lives_on(browser: Browser, folder: Path) -> None:
    with served(folder) as address, opened(browser, address) as page:
        page.route("**/search/base/s/**", lambda route: route.abort())
        told = page.evaluate("(text) => engine.search(text).catch((error) => error instanceof Unreachable)", "학생회")
        assert told is True
        page.unroute("**/search/base/s/**")
        agrees(page, TRUTH, Query("", "학생회장", ("학생회장",)))
        agrees(page, TRUTH, Query("", "총학생회", ("총학생회",)))


@pytest.mark.parametrize("text", ["학생", "학생회", "학"])
def test_a_site_published_while_we_read_is_read_anew(browser: Browser, tmp_path: Path, text: str) -> None:
    old = [article(id, f"학생회 {id}", day=-id % 300 - 2) for id in range(1, 400)]
    new = [one for one in old if one.id % 3] + [article(900, "총학생회", day=3), article(901, "학생회", day=-500)]
    put(tmp_path, old)
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    with served(tmp_path) as address, opened(browser, address) as page:
        page.evaluate("() => engine.edition()")
        put(tmp_path, new)
        agrees(page, Truth(new, OUTLETS), Query("", text, (text,)))


def test_a_site_published_between_two_portions_goes_on_behind_what_was_given(browser: Browser, tmp_path: Path) -> None:
    old = [article(id, f"학생 {id}", day=-2 - id) for id in range(1, 200)]
    put(tmp_path, old)
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    with served(tmp_path) as address, opened(browser, address) as page:
        script = (
            "async () => { window.r = await engine.search('학생'); return (await r.next(10)).map((one) => one.url); }"
        )
        first = page.evaluate(script)
        put(tmp_path, old[2:])
        script = """async () => {
          const urls = [];
          while (!r.ended) for (const card of await r.next(40)) urls.push(card.url);
          return urls;
        }"""
        rest = page.evaluate(script)
    assert first == [one.url for one in old[:10]]
    assert len(set(rest)) == len(rest)
    assert set(rest) <= {one.url for one in old}
    assert rest[-1] == old[-1].url


def test_a_night_between_two_portions_gives_nothing_twice_and_leaves_nothing_out(
    browser: Browser, tmp_path: Path
) -> None:
    old = [article(id, f"학생 {id}", day=-2 - id) for id in range(1, 200)]
    put(tmp_path, old)
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    night = [article(900 + id, f"새 학생 {id}", day=3) for id in range(30)]
    with served(tmp_path) as address, opened(browser, address) as page:
        first = page.evaluate(
            "async () => { window.r = await engine.search('학생'); return (await r.next(10)).map((one) => one.url); }"
        )
        put(tmp_path, [*old[:4], *old[5:], *night])
        script = """async () => {
          const urls = [];
          while (!r.ended) for (const card of await r.next(40)) urls.push(card.url);
          return [urls, r.count];
        }"""
        rest, count = page.evaluate(script)
    assert first + rest == [one.url for one in old]
    assert count == {"value": len(old), "exact": True}


@pytest.mark.parametrize(
    "query",
    [
        Query("", "tag:보도", tag="보도"),
        Query("", "종류:photo", kind="photo"),
        Query("", "from:2026", first=20_454),
        Query("", "생 tag:보도", ("생",), tag="보도"),
    ],
    ids=lambda query: query.text,
)
@pytest.mark.parametrize("seen", [-1, 20], ids=["base", "delta"])
def test_a_card_of_another_numbering_is_never_taken_for_a_result(
    browser: Browser, tmp_path: Path, query: Query, seen: int
) -> None:
    """The lists are still at hand; some articles have left, what stood behind them has moved up, as many have come."""

    def some(ids: range, day: int) -> list[Article]:
        odd = {False: ("photo", ("보도",)), True: ("video", ("기획",))}
        return [
            article(id, f"학생 {id}", day=day - id % 20, seen=seen, kind=odd[id % 3 == 0][0], tags=odd[id % 3 == 0][1])
            for id in ids
        ]

    old = [*some(range(1, 60), -300), *some(range(60, 120), 20 if seen > 0 else -20)]
    new = [one for one in old if one.id not in (2, 50, 51, 53, 61, 77)] + some(
        range(200, 206), -900 if seen < 0 else 40
    )
    put(tmp_path, old)
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    with served(tmp_path) as address, opened(browser, address) as page:
        page.evaluate("async (text) => { await engine.search(text); }", query.text)
        put(tmp_path, new)
        _, urls, days = all_of(page, query.text)
    assert sorted(urls) == sorted(new[at].url for at in Truth(new, OUTLETS).hits(query))
    assert days == sorted(days, reverse=True)


def test_a_count_is_called_exact_only_where_every_list_was_read(browser: Browser, tmp_path: Path) -> None:
    """All found this month: one list names nearly every article, the other a twentieth."""
    many = [
        article(id, "가나 " + ("다라" if id % 20 else "") + ("가" if id % 3 else " 마") + "바사" * (id % 25 == 0), day=id % 28,
                seen=28, summary="" if id % 40 else "다라")
        for id in range(1, 9_000)
    ]  # fmt: skip
    put(tmp_path, many)
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    truth = Truth(many, OUTLETS)
    with served(tmp_path) as address, opened(browser, address) as page:
        for text in ("다라 바사", "나다 바사", "라가 바사", "바사 라가 다라"):
            agrees(page, truth, Query("", text, tuple(text.split())))


@pytest.mark.parametrize("broken", ["index.gz", "outlets.gz", "base/days.gz", "base/s/", "base/p/", "base/c/"])
@pytest.mark.parametrize("how", ["page", "half"])
def test_what_is_no_file_of_ours_is_told_and_mends_itself(
    browser: Browser, folder: Path, broken: str, how: str
) -> None:
    """A gate to a wireless network answers every address with a page of its own; a file may come cut."""

    def answer(route: Route) -> None:
        body = b"<!doctype html><title>login</title>" * 9
        if how == "half":
            body = route.fetch().body()
            body = body[: len(body) // 2]
        route.fulfill(status=200, body=body, headers={"Cache-Control": "max-age=600"})

    text = "from:2024 학"
    with served(folder) as address, opened(browser, address) as page:
        page.route(f"**/search/{broken}**", answer)
        told = page.evaluate(
            "async (text) => { try { return await window.all(text); } catch (e) { return e instanceof Unreachable; } }",
            text,
        )
        assert told is True
        page.unroute_all(behavior="wait")
        agrees(page, TRUTH, Query("", text, ("학",), first=19_723))


def test_a_filter_finds_what_has_quotes_in_it(browser: Browser, tmp_path: Path) -> None:
    put(
        tmp_path,
        [article(1, "하나", tags=('"첫" 눈',)), article(2, "둘", tags=("첫눈 내린",)), article(3, "셋", day=3)],
    )
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    with served(tmp_path) as address, opened(browser, address) as page:
        for tag, wanted in (('"첫" 눈', "하나"), ("첫눈 내린", "둘")):
            text = page.evaluate("(tag) => written('tag', tag)", tag)
            titles = page.evaluate(
                "async (text) => (await (await engine.search(text)).next(9)).map((one) => one.title)", text
            )
            assert titles == [wanted]


def test_marks_of_direction_copied_with_a_word_do_not_hide_it(page: Page) -> None:
    for text in ("\u200e학생회\u200f", "\u202a학생회\u202c", "\u2066학생\u0007회\u2069"):
        assert sorted(all_of(page, text)[1]) == sorted(
            ARTICLES[at].url for at in TRUTH.hits(Query("", "", ("학생회",)))
        )


def test_files_that_a_host_unpacked_on_the_way_are_read_too(browser: Browser, tmp_path: Path) -> None:
    put(tmp_path, ARTICLES[:300])
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    for path in (tmp_path / "search").rglob("*.gz"):
        path.write_bytes(gzip.decompress(path.read_bytes()))
    with served(tmp_path) as address, opened(browser, address) as page:
        agrees(page, Truth(ARTICLES[:300], OUTLETS), Query("", "학생", ("학생",)))


def test_the_table_of_cases_is_worth_its_name() -> None:
    assert len(CASES) == len({text for text, _ in CASES})
    assert sum(text != expected for text, expected in CASES) > 25
    assert json.dumps(CASES).isascii()
