"""Pages of printed issues, hand-made in every way: each issue once, with its file, name and day."""

from __future__ import annotations

from datetime import datetime
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawl import editions
from crawl.clock import kst_day
from crawl.errors import FeedUnreadable
from crawl.model import Entry, Feed
from crawl.policy import Policy

SEEN = datetime.fromisoformat("2026-12-01T00:10:00+09:00").timestamp()
BASE = "https://paper.hanbit.ac.example/pdf/list.do"
LIMIT = Policy().summary_max_chars
FILES = "https://paper.hanbit.ac.example/f"


def parse(body: str | bytes) -> Feed:
    sent = body.encode() if isinstance(body, str) else body
    return editions.parse(sent, base=BASE, content_type="text/html", seen=SEEN, summary_max_chars=LIMIT)


def facts(entry: Entry) -> tuple[str, str | None, str]:
    day = kst_day(entry.published) if entry.published is not None else "-"
    return entry.title, entry.media_url, day


def read(body: str) -> list[tuple[str, str | None, str]]:
    feed = parse(body)
    assert feed.format == "editions"
    assert feed.older is None
    for entry in feed.entries:
        assert entry.kind == "edition"
        assert entry.media_type == ("application/pdf" if entry.media_url else None)
        assert (entry.date_from == "none") == (entry.published is None)
    return [facts(entry) for entry in feed.entries]


TWO = [("제1234호", f"{FILES}/1234.pdf", "2026-03-02"), ("제1233호", f"{FILES}/1233.pdf", "2026-02-16")]


def test_a_table_of_issues_is_read_row_by_row() -> None:
    assert (
        read("""<table><tr><th>호수</th><th>발행일</th><th>파일</th></tr>
    <tr><td>제1234호</td><td>2026.03.02</td><td><a href="/f/1234.pdf">PDF 보기</a></td></tr>
    <tr><td>제1233호</td><td>2026.02.16</td><td><a href="/f/1233.pdf"><img src="i.gif" alt="PDF"></a></td></tr></table>""")
        == TWO
    )


def test_cards_without_rows_keep_their_own_words() -> None:
    assert (
        read("""<div class="grid"><div><a href="/f/1234.pdf"><img src="a.jpg" alt="제1234호"></a><p>2026.03.02</p></div>
    <div><a href="/f/1233.pdf"><img src="b.jpg"></a><p>제1233호</p><p>2026년 2월 16일</p></div></div>""")
        == TWO
    )


def test_a_file_linked_twice_is_one_issue() -> None:
    assert (
        read("""<ul><li><a href="/f/1234.pdf"><img src="a.jpg"></a><a href="/f/1234.pdf#page=1">제1234호</a> 2026.03.02</li>
    <li><a href="/f/1233.pdf">제1233호</a> 2026.02.16 <a href="http://www.paper.hanbit.ac.example/f/1233.pdf">다운로드</a></li></ul>
    <div><a href="/f/1234.pdf">최신호 다운로드</a></div>""")
        == TWO
    )


def test_a_download_address_is_a_file_when_its_label_or_query_says_so() -> None:
    found = read("""<ul><li><a href="download.do?fileId=7">한빛대신문 제1234호.pdf (3.2MB)</a> <span>2026-03-02</span></li>
    <li><a href="download.do?fileId=8" title="PDF 내려받기">제1233호</a> 2026-02-16</li>
    <li><a href="/get.php?name=1232.pdf">제1232호</a></li><li><a href="download.do?fileId=9">투고 양식.hwp</a></li></ul>""")
    assert [title for title, _, _ in found] == ["한빛대신문 제1234호", "제1233호", "제1232호"]
    assert found[0][1] == "https://paper.hanbit.ac.example/pdf/download.do?fileId=7"


def test_a_viewer_is_a_page_without_a_file_unless_it_names_one() -> None:
    feed = parse("""<ul><li><a href="https://ebook.hanbit.example/1234/">제1234호</a> 2026.03.02</li>
    <li><a href="/viewer/index.html?file=%2Ff%2F1233.pdf">제1233호</a></li></ul>""")
    assert [(entry.url, entry.media_url) for entry in feed.entries] == [
        ("https://ebook.hanbit.example/1234/", None),
        ("https://paper.hanbit.ac.example/viewer/index.html?file=%2Ff%2F1233.pdf", f"{FILES}/1233.pdf"),
    ]


def test_an_issue_with_a_viewer_and_a_file_goes_by_its_file() -> None:
    assert (
        read("""<li><a href="/ebook/1234">e-book</a> 제1234호 <a href="/f/1234.pdf">PDF</a> 2026.3.2</li>
    <li>제1233호 <a href="/ebook/1233">e-book</a> <a href="/f/1233.pdf">PDF</a> 2026.2.16</li>""")
        == TWO
    )


def test_pages_of_one_issue_are_named_by_the_heading_above_them() -> None:
    found = read("""<h2>지면 보기</h2><h3>제1234호 (2026.03.02)</h3><p><a href="/f/1.pdf">1면</a> <a href="/f/2.pdf">2면</a></p>
    <h3>제1233호 (2026.02.16)</h3><p><a href="/f/3.pdf">1면</a></p>""")
    assert [(title, day) for title, _, day in found] == [
        ("제1234호 (2026.03.02) 1면", "2026-03-02"),
        ("제1234호 (2026.03.02) 2면", "2026-03-02"),
        ("제1233호 (2026.02.16) 1면", "2026-02-16"),
    ]


def test_pages_in_one_row_are_told_apart_by_their_numbers() -> None:
    cells = "".join(
        f'<a href="/f/1234_{at}.pdf">{label}</a>' for at, label in enumerate(("1면", "2~3면", "전체 보기"), 1)
    )
    titles = [
        title for title, _, _ in read(f"<table><tr><td>제1234호</td><td>2026.03.02</td><td>{cells}</td></tr></table>")
    ]
    assert titles == ["제1234호 1면", "제1234호 2~3면", "제1234호"]


def test_forms_rules_and_what_stands_in_menus_are_no_issues() -> None:
    feed = parse("""<nav><a href="/f/9.pdf">제9호</a></nav><ul><li><a href="/f/1234.pdf">제1234호</a> 2026.03.02</li>
    <li><a href="/f/1233.pdf">제1233호</a> 2026.02.16</li></ul><a href="/ads.pdf">광고 단가표</a><a href="/map.pdf">배포 지도</a>
    <footer><a href="/rule.pdf">편집 규정 제3호</a></footer>""")
    assert [facts(entry) for entry in feed.entries] == TWO
    assert feed.flags == ("not_issues:1",)


def test_a_file_without_a_name_is_called_by_its_file_name_or_day() -> None:
    assert read('<p><a href="/f/%EC%A0%9C1234%ED%98%B8_%EB%B4%84.pdf">다운로드</a></p>')[0][0] == "제1234호 봄"
    assert read('<p><a href="/f/1.pdf">다운로드</a> 2026.03.02</p>')[0][0] == "2026.03.02"


def test_a_heading_that_names_no_issue_dates_none() -> None:
    assert read('<h3>최근 갱신 2026.11.30</h3><p><a href="/f/1.pdf">제2호</a></p>') == [
        ("제2호", f"{FILES}/1.pdf", "-")
    ]


def test_a_day_without_a_year_is_resolved_and_a_month_is_no_day() -> None:
    feed = parse('<ul><li><a href="/f/1.pdf">제2호</a> 11-20</li><li><a href="/f/2.pdf">2026년 3월호</a></li></ul>')
    assert [(facts(entry)[2], entry.date_from) for entry in feed.entries] == [
        ("2026-11-20", "list_resolved"),
        ("-", "none"),
    ]
    assert feed.flags == ("no_date:1",)


def test_an_old_page_in_cp949_with_a_base_is_read() -> None:
    page = '<meta charset="euc-kr"><base href="/f/"><li><a href="1234.pdf">제1234호</a> 2026.03.02</li>'
    assert [facts(entry) for entry in parse(page.encode("cp949")).entries] == TWO[:1]


def refused(body: bytes) -> str:
    with pytest.raises(FeedUnreadable) as trouble:
        parse(body)
    return trouble.value.reason


def test_a_page_without_issues_says_so() -> None:
    assert refused(b" \n") == "empty_body"
    assert refused(b"<p>none</p>") == "no_editions"
    assert refused('<a href="x.pdf">학칙 규정</a>'.encode()) == "no_editions"


WORDS = (
    "<a href='", "x.pdf", "'>", "</a>", "<li>", "<h3>", "제1호", "2026.03.02", "<table><tr><td>", "/viewer?file=", "<", "\x00",
    "[::1", "&",
)  # fmt: skip


def outcome(body: bytes) -> int | str:
    """How many issues, or the name of what is wrong."""
    try:
        return len(parse(body).entries)
    except FeedUnreadable as trouble:
        return trouble.reason


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=1_000), st.lists(st.sampled_from(WORDS), max_size=40).map(lambda w: "".join(w).encode())
    )
)
def test_no_bytes_make_the_reader_raise_anything_else(body: bytes) -> None:
    assert outcome(body) not in {0, "not_a_feed"}


WORST = {
    "one_row": "<li>" + "".join(f"<a href={n}.pdf>제{n}호</a>" for n in range(35_000)),
    "deep": "<div>" * 1_400 + "".join(f"<a href={n}.pdf>제{n}호</a>" for n in range(35_000)),
    "menus": "<nav>" * 1_400 + "<a href=x.pdf>1</a>" * 50_000,
    "pages": "<h3>제1호</h3>" + "<p>x</p>" * 30 + "".join(f"<p><a href={n}.pdf>{n}면</a></p>" for n in range(32_000)),
}


@pytest.mark.parametrize("name", WORST)
def test_a_megabyte_takes_less_than_a_second(name: str) -> None:
    body = WORST[name].encode()
    begun = process_time()
    assert outcome(body) == ("no_editions" if name == "menus" else 500)
    assert process_time() - begun < len(body) / 1_000_000 + 0.2


def test_what_is_left_out_of_a_flood_is_said() -> None:
    assert "items_capped" in parse(WORST["one_row"]).flags
