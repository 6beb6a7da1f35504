"""Article pages of every family: the publication date among all the dates a page shows, its picture, its wishes."""

from __future__ import annotations

from datetime import datetime
from time import process_time

import htmldate.utils
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawl import articlepages
from crawl.articlepages import ArticlePage
from crawl.clock import KST
from crawl.model import Response

SEEN = datetime.fromisoformat("2026-12-01T00:10:00+09:00").timestamp()
URL = "https://news.hanbit.ac.example/news/articleView.html?idxno=94"


def read(body: str | bytes, *headers: tuple[str, str], url: str = URL) -> ArticlePage:
    sent = body.encode() if isinstance(body, str) else body
    return articlepages.read(Response(url, 200, SEEN - 1, SEEN, headers=headers, body=sent), seen=SEEN)


def page(body: str, head: str = "", title: str = "총학생회 선거 시작 &lt; 보도 &lt; 기사본문 - 한빛대신문") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def shown(found: ArticlePage) -> str:
    """A date as far as it is known, in Korean time; `-` for none."""
    dated = found.dated
    if dated is None or dated.at is None:
        assert (found.date_from, found.date_raw) == ("none", "")
        return "-"
    assert found.date_from != "none"
    form = {"second": "%Y-%m-%d %H:%M:%S", "minute": "%Y-%m-%d %H:%M", "hour": "%Y-%m-%d %H", "day": "%Y-%m-%d"}
    return datetime.fromtimestamp(dated.at, KST).strftime(form[dated.precision])


BANNER = """<div id="top"><span class="gl-updated">발행일: 2026-12-01 00:05 (화)</span></div>
<div class="logo"><p>UPDATED. 2026-12-01 00:05 (화)</p></div><div>최종편집 : 2026.11.30 월 22:31</div>
<p class="today_txt">2026.12.01 (화)</p><div class="weather_box">서울 3.1℃ 2026.12.01</div>"""
SIDE = """<aside><h4>많이 본 기사</h4><ul><li><a href="?idxno=3">축제 <em>2020.05.05 11:00</em></a></li></ul></aside>
<div class="box-skin auto-article"><a href="?idxno=4">도서관</a> 등록 2019.01.01 10:00</div>"""
FOOT = """<div class="reply-list"><p>독자 작성일 2026.11.30 12:00</p></div>
<footer><p>등록일 2008.01.01 | 발행일 1999년 3월 2일 | Copyright © 2026.12.01</p></footer>"""
TEXT = "<p>" + "학생회관 앞에서 2026년 11월 3일 열린 토론회에는 등록 2026.11.03 기준 백 명이 모였다. " * 6 + "</p>"

FAMILIES = {
    "ndsoft_newest": (
        """<header class="article-view-header"><div class="section-name">보도</div><H1 class="heading">총학생회 선거 시작</H1>
        <ul class="breadcrumbs"><li class="info-name" aria-label="기자명">홍길동 기자</li><li>입력 2026.11.07 16:50</li>
        <li>수정 2026.11.08 09:00</li></ul></header><article id="article-view-content-div">{text}</article>""",
        "2026-11-07 16:50",
    ),
    "ndsoft_middle": (
        """<div class="article-head-title">총학생회 선거 시작</div><div class="info-text"><ul><li>홍길동 기자</li>
        <li><i></i> 승인 2014.11.25 21:33</li><li>호수 1441</li><li>댓글 0</li></ul></div>
        <div id="article-view-content-div" class="article-veiw-body">{text}</div>""",
        "2014-11-25 21:33",
    ),
    "ndsoft_one_line": (
        """<h3 class="heading">총학생회 선거 시작</h3><div>기자명 홍길동 기자&nbsp;&nbsp;
        승인2022.10.06l수정2022.10.07 13:14l397호 1면</div><div id="article-view-content-div">{text}</div>""",
        "2022-10-06",
    ),
    "ndsoft_edited_first": (
        """<h1>총학생회 선거 시작</h1><ul class="infomation"><li>수정 2022.10.07 13:14</li><li>승인 2022.10.06 09:01</li></ul>
        <div id="article-view-content-div">{text}</div>""",
        "2022-10-06 09:01",
    ),
    "ndsoft_migrated": (
        """<h1>총학생회 선거 시작</h1><ul class="infomation"><li>승인 2010.09.08 00:00</li></ul>
        <div id="article-view-content-div"><p>최종수정일 / 2008년 09월 05일</p>{text}</div>""",
        "2010-09-08",
    ),
    "ndsoft_english": (
        """<h1>총학생회 선거 시작</h1><ul class="infomation"><li>By Lee Yeon-Ju,Editor-in-chief</li><li>승인 2020.06.15 08:43</li>
        <li>호수 278</li></ul><div id="article-view-content-div">{text}</div>""",
        "2020-06-15 08:43",
    ),
    "english_bare": (
        """<h2>총학생회 선거 시작</h2><p>Jeong Seung-In, reporter</p><p>2020.06.15 08:43</p><div>{text}</div>""",
        "2020-06-15 08:43",
    ),
    "english_month": (
        """<h2>총학생회 선거 시작</h2><p>By Kim Min-su | March 5, 2021</p><div>{text}</div>""",
        "2021-03-05",
    ),
    "amp": (
        """<h1>총학생회 선거 시작</h1><p>2011-01-03     강수정(영어영문 4) 모니터요원</p><div>{text}</div>""",
        "2011-01-03",
    ),
    "mediaon": (
        """<div class="art_top"><h2>총학생회 선거 시작</h2><ul class="art_info"><li>홍길동 기자</li>
        <li>등록 2023.05.01 12:34:56</li></ul></div><div id="news_body_area">{text}</div>""",
        "2023-05-01 12:34:56",
    ),
    "kgu": (
        """<div><h3>총학생회 선거 시작</h3><div>기사 메일전송 페이스북 트위터 • 김도욱 기자 • 등록 2022-11-14 09:58:11 … 기사수정
        2022-11-15 10:00</div></div><div>{text}</div><p>김도욱 기자 Ι mail</p>""",
        "2022-11-14 09:58:11",
    ),
    "shingu": (
        """<table><tr><td class="title">총학생회 선거 시작</td></tr><tr><td>등록일 2013년06월19일 10시35분</td></tr>
        <tr><td>{text}</td></tr></table>""",
        "2013-06-19 10:35",
    ),
    "seoultech": (
        """<h2>총학생회 선거 시작</h2><div>백주원 ㅣ 기사 승인 2018-04-02 05 | 600호 ㅣ 조회수 : 65</div><div>{text}</div>""",
        "2018-04-02 05",
    ),
    "gnuboard_old": (
        """<article id="bo_v"><h1 id="bo_v_title">보도 | 총학생회 선거 시작</h1><section id="bo_v_info">작성자
        <strong><span class="sv_member">학보사</span></strong><span class="sound_only">작성일</span>
        <strong>14-06-22 14:11</strong>조회<strong>65회</strong></section>
        <section id="bo_v_file"><span>DATE : 2014-06-23 14:11:06</span></section>
        <div id="bo_v_con">{text}</div></article>""",
        "2014-06-22 14:11",
    ),
    "gnuboard_new": (
        """<article id="bo_v"><header><h2 id="bo_v_title"><span class="bo_v_cate">보도</span><span class="bo_v_tit">
        총학생회 선거 시작</span></h2></header><section id="bo_v_info"><strong class="if_date">
        <span class="sound_only">작성일</span><i></i> 18-02-06 12:14</strong></section><div id="bo_v_con">{text}</div>
        <section id="bo_vc"><h2>댓글목록</h2>
        <time datetime="2026-11-30T12:00:00+09:00">26-11-30 12:00</time></section></article>""",
        "2018-02-06 12:14",
    ),
    "xe": (
        """<div class="rd rd_nav_style2"><div class="rd_hd"><div class="top_area"><h1 class="np_18px">
        <a href="/news/33973">총학생회 선거
        시작</a></h1></div><span>편집장</span><b class="date">17.03.02 12:16</b><span>조회 수 11</span></div>
        <div class="rd_body"><!--BeforeDocument(1,2)--><div class="document_1_2 xe_content">{text}</div></div></div>
        <div class="fdb_lst"><div class="date">2026.11.30 12:00</div></div>""",
        "2017-03-02 12:16",
    ),
    "xe_bar": (
        """<div class="rd_hd"><h1 class="np_18px"><a href="/news/33973">총학생회 선거 시작</a></h1>
        <div class="rd_nav"><span>편집장</span><span class="date m_no">2017.03.02 12:16</span></div></div>
        <div class="document_1_2 xe_content">{text}</div>
        <div class="nav"><span class="date">2026.11.30 12:00</span></div>""",
        "2017-03-02 12:16",
    ),
    "k2web": (
        """<div class="artclView"><h2 class="artclViewTitle">총학생회 선거 시작</h2><div class="artclViewHead"><div class="right">
        <dl><dt>작성일</dt><dd>2026.03.02</dd></dl><dl><dt>수정일</dt><dd>2026.03.05</dd></dl></div></div>
        <div class="artclView">{text}</div></div>""",
        "2026-03-02",
    ),
    "ntt": (
        """<table class="bbsView"><caption>상세</caption><thead><tr>
        <th colspan="4" class="subject">총학생회 선거 시작</th></tr></thead>
        <tr><th>작성자</th><td>신문사</td><th>등록일</th><td>2023.03.15</td></tr><tr><td>{text}</td></tr>
        <tr><th>다음글</th><td>체육대회 2023.03.20</td></tr></table>""",
        "2023-03-15",
    ),
    "day_and_time_apart": (
        """<h3 class="view_tit">총학생회 선거 시작</h3><dl><dt>작성일</dt><dd>2016.10.06 (목)</dd>
        <dd>17:49</dd></dl><div>{text}</div>""",
        "2016-10-06 17:49",
    ),
    "wordpress": (
        """<article><header class="entry-header"><div class="entry-meta"><time class="entry-date published updated"
        datetime="2025-04-30T01:00:00+00:00">2025년 4월 30일</time></div><h1 class="entry-title">총학생회 선거 시작</h1></header>
        <div class="entry-content">{text}</div></article>""",
        "2025-04-30 10:00:00",
    ),
    "no_date_at_all": ("""<h1>총학생회 선거 시작</h1><p>홍길동 기자</p><div>{text}</div>""", "-"),
    "only_edited": (
        """<h1>총학생회 선거 시작</h1><p>최종수정 2026.11.07 16:50</p><p>업데이트 : 2026-11-08</p><div>{text}</div>""",
        "-",
    ),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_P11_the_article_s_own_date_is_read_on_every_family_of_pages(name: str) -> None:
    markup, expected = FAMILIES[name]
    body = f"{BANNER}<div id='container' class='with-sidebar'>{markup.format(text=TEXT)}{SIDE}</div>{FOOT}"
    found = read(page(body))
    assert shown(found) == expected
    assert found.date_from == ("none" if expected == "-" else "page")


@pytest.mark.parametrize("name", FAMILIES)
def test_P11_the_same_page_in_cp949_says_the_same(name: str) -> None:
    markup, expected = FAMILIES[name]
    body = page(f"{BANNER}{markup.format(text=TEXT)}{SIDE}{FOOT}", '<meta charset="euc-kr">')
    assert shown(read(body.encode("cp949", "xmlcharrefreplace"))) == expected


TRAPS = {
    "todays_date_in_a_class_for_dates": (
        """<div class="top"><span class="date">2026.12.01 (화)</span></div><h1>총학생회 선거 시작</h1>
        <p class="date">2026.11.07</p>""",
        "2026-11-07",
    ),
    "only_todays_date": (
        """<div><span class="date">2026.12.01 (화)</span></div><h1>총학생회 선거 시작</h1>{text}""",
        "-",
    ),
    "logo_says_the_outlet": (
        """<h1 class="logo"><a href="/">한빛대신문</a></h1><p>2026.12.01 (화)</p><h1><a href="/index.php">한빛대신문</a></h1>
        <p>2026.12.01</p><h3>총학생회 선거 시작</h3><p>홍길동 기자 2026.11.07 16:50</p>{text}""",
        "2026-11-07 16:50",
    ),
    "title_in_the_most_read_box_first": (
        """<div id="left"><ol><li>총학생회 선거 시작</li><li>축제 2020.01.02</li></ol></div>
        <div class="view"><strong class="subject">총학생회 선거 시작</strong><em>2026.11.07</em>
        <div class="view_content">{text}</div></div>""",
        "2026-11-07",
    ),
    "without_any_heading": (
        """<table><tr><td>한빛대신문</td><td>2026년 12월 1일 화요일</td></tr><tr><td>총학생회 선거 시작</td></tr>
        <tr><td>홍길동 기자 | 2014년 11월 25일 (화) 21:33</td></tr><tr><td>{text}</td></tr></table>""",
        "2014-11-25 21:33",
    ),
    "label_after_the_date": (
        "<h1>총학생회 선거 시작</h1><p>2022.10.06 10:00 입력</p><p>2022.10.08 13:14 수정</p>{text}",
        "2022-10-06 10:00",
    ),
    "edited_after_the_date": ("<h1>총학생회 선거 시작</h1><p>2022.10.08 13:14 수정</p>{text}", "-"),
    "both_labels_after": ("<h1>총학생회 선거 시작</h1><p>2022.10.06 수정 2022.10.07</p>{text}", "2022-10-06"),
    "long_label": (
        "<h1>총학생회 선거 시작</h1><p>최종수정일시 : 2022.10.08 / 등록일시 : 2022.10.06</p>{text}",
        "2022-10-06",
    ),
    "editor_in_chief": ("<h1>총학생회 선거 시작</h1><p>김민수 편집장</p><p>2022.10.06</p>{text}", "2022-10-06"),
    "hyphen_before_the_time": ("<h1>총학생회 선거 시작</h1><p>등록 2022-10-06 - 14:05</p>{text}", "2022-10-06 14:05"),
    "tistory": ("<h2>총학생회 선거 시작</h2><span class='date'>2023. 10. 4. 14:05</span>{text}", "2023-10-04 14:05"),
    "naver": ("<h3>총학생회 선거 시작</h3><span class='se_publishDate pcol2'>3시간 전</span>{text}", "2026-11-30"),
    "afternoon": ("<h3>총학생회 선거 시작</h3><p>입력 : 2013-05-02 오후 3:20:11</p>{text}", "2013-05-02 15:20:11"),
    "comments_below": (
        """<h3>총학생회 선거 시작</h3><div>{text}</div><h4>댓글목록</h4><div><b>독자</b> 등록 2026.11.30 12:00</div>""",
        "-",
    ),
    "date_below_the_text": (
        """<h3>총학생회 선거 시작</h3><div>{text}</div><p>기사입력: 2013-05-02 10:00</p>
        <h4>관련기사</h4><p>등록 2026.11.30</p>""",
        "2013-05-02 10:00",
    ),
    "edited_and_entered": ("<h1>총학생회 선거 시작</h1><p>수정입력 2022.10.08 13:14</p>{text}", "-"),
    "in_a_line_of_other_words": (
        """<h1>총학생회 선거 시작</h1><p>학생회관 앞 잔디밭을 가득 메운 학생들 사이로 2022.10.06
        첫 토론회의 막이 오르고 후보들이 차례로 손을 흔드는 모습
        (사진 한빛대신문 사진부 제공)</p>{text}""",
        "-",
    ),
    "after_text_nobody_marked": ("<h1>총학생회 선거 시작</h1>{text}<p>2022.10.06</p>", "-"),
    "in_a_subheading": ("<h1>총학생회 선거 시작</h1><h4>2022.10.06 광장에서</h4>{text}", "-"),
    "in_an_aside": ("<h1>총학생회 선거 시작</h1><aside><p>2020.05.05</p></aside><p>2022.10.06</p>{text}", "2022-10-06"),
    "hidden": (
        "<h3>총학생회 선거 시작</h3><p style='display: none'>입력 2020.01.01</p><p hidden>입력 2020.01.02</p>{text}",
        "-",
    ),
    "next_article": (
        """<h3>총학생회 선거 시작</h3><div class="view_content">{text}</div><ul><li>다음글</li><li>등록일 2026.11.30</li></ul>""",
        "-",
    ),
    "section_before_the_title": (
        """<div class="title_area"><h2>보도 | 총학생회 선거 시작</h2><span>2022.10.06</span></div>{text}""",
        "2022-10-06",
    ),
    "modified_stamp": (
        """<article><h1>총학생회 선거 시작</h1>수정 <time datetime="2022-10-08">10월 8일</time><time class="updated"
        datetime="2022-10-09"></time><time datetime="2022-10-06T10:00:00+09:00"></time>{text}</article>""",
        "2022-10-06 10:00:00",
    ),
    "stamp_of_a_comment": (
        """<h1>총학생회 선거 시작</h1><p>2022.10.06</p>{text}<div class="comment"><time datetime="2026-11-30"></time></div>""",
        "2022-10-06",
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_P11_dates_of_other_things_are_passed_over(name: str) -> None:
    markup, expected = TRAPS[name]
    assert shown(read(page(f"{BANNER}{markup.format(text=TEXT)}{SIDE}{FOOT}"))) == expected


def test_P11_a_page_that_names_only_its_outlet_still_shows_its_article_s_date() -> None:
    body = f"""<h1><a href="/">한빛대신문</a></h1><p>2026.12.01</p><div id="bo_v_title">총학생회 선거 시작</div>
    <section id="bo_v_info">작성일 14-06-22 14:11</section><div id="bo_v_con">{TEXT}</div>"""
    assert shown(read(page(body, title="한빛대신문"))) == "2014-06-22 14:11"
    assert shown(read(page(body, title=""))) == "2014-06-22 14:11"


def test_P11_metadata_beats_what_readers_see() -> None:
    markup = FAMILIES["ndsoft_newest"][0].format(text=TEXT)
    meta = '<meta property="article:published_time" content="2026-11-07T16:49:12+09:00">'
    assert shown(read(page(markup, meta))) == "2026-11-07 16:49:12"


def test_P11_a_board_that_keeps_title_and_text_in_one_box_shows_its_date() -> None:
    title, line = (
        '<div class="bbs_title">총학생회 선거 시작</div>',
        '<ul class="board-view-info"><li>2022.10.06</li></ul>',
    )
    for inside in (f"{title}<p>등록일 2022.10.06</p>", f"<p>학보</p>{line}"):
        body = f'<h1>학보</h1><div class="board_content">{inside}<div class="view_con">{TEXT}</div></div>'
        assert shown(read(page(body, title="게시글 상세 | 한빛대학교"))) == "2022-10-06"


def test_P11_midnight_in_metadata_is_a_day() -> None:
    meta = '<meta property="article:published_time" content="2010-09-08T00:00:00+09:00">'
    assert shown(read(page("<h1>총학생회 선거 시작</h1>", meta))) == "2010-09-08"


def test_P11_a_day_in_metadata_takes_its_time_from_the_page_when_both_name_the_same_day() -> None:
    markup = FAMILIES["ndsoft_newest"][0].format(text=TEXT)
    same = '<meta itemprop="datePublished" content="2026-11-07">'
    assert shown(read(page(markup, same))) == "2026-11-07 16:50"
    assert shown(read(page(markup, same.replace("07", "06")))) == "2026-11-06"


def test_P11_a_time_of_editing_is_no_date() -> None:
    head = '<meta property="article:modified_time" content="2026-11-08T10:00:00+09:00">'
    data = (
        '<script type="application/ld+json">{"@type":"NewsArticle","dateModified":"2026-11-08T10:00:00+09:00"}</script>'
    )
    assert shown(read(page("<h1>총학생회 선거 시작</h1>", head + data))) == "-"


LD = '<script type="application/ld+json">{}</script>'
STRUCTURED = {
    "plain": ('{"@type":"NewsArticle","datePublished":"2026-02-22T07:47:52+09:00"}', "2026-02-22 07:47:52"),
    "types": ('{"@type":["Thing","BlogPosting"],"datePublished":"2026-02-22"}', "2026-02-22"),
    "graph": (
        '{"@graph":[{"@type":"WebSite","datePublished":"2001-01-01"},{"@type":"WebPage","datePublished":"2026-02-21"},'
        '{"@type":"Article","datePublished":"2026-02-22T00:10:00Z"}]}',
        "2026-02-22 09:10:00",
    ),
    "list": ('[{"@type":"Person","name":"홍길동"},{"@type":"Article","datePublished":"2026-02-22"}]', "2026-02-22"),
    "person": ('{"@type":"Person","name":"홍길동","datePublished":"2026-02-22"}', "-"),
    "comment": ('{"@type":"Comment","datePublished":"2026-02-22"}', "-"),
    "mentioned": ('{"@type":"ItemList","itemListElement":[{"@type":"Article","datePublished":"2020-02-22"}]}', "-"),
    "broken": ('{"@type":"NewsArticle","datePublished":"2026-02-22",', "-"),
    "newline_in_string": ('{"@type":"NewsArticle","headline":"가\n나","datePublished":"2026-02-22"}', "2026-02-22"),
    "another_article": (
        '[{"@type":"NewsArticle","url":"https://news.hanbit.ac.example/news/articleView.html?idxno=93","headline":"축제",'
        '"datePublished":"2020-02-22"},{"@type":"NewsArticle","headline":"총학생회 선거 시작","datePublished":"2026-02-22"}]',
        "2026-02-22",
    ),
    "only_another_article": (
        '{"@type":"NewsArticle","url":"https://news.hanbit.ac.example/news/articleView.html?idxno=93","headline":"축제",'
        '"datePublished":"2020-02-22"}',
        "-",
    ),
    "deep": ("[" * 100_000, "-"),
    "numbers": ('{"@type":"NewsArticle","datePublished":20260222,"headline":7,"url":[1],"mainEntityOfPage":3}', "-"),
}


@pytest.mark.parametrize("name", STRUCTURED)
def test_P11_structured_data_counts_for_the_article_it_is_about(name: str) -> None:
    source, expected = STRUCTURED[name]
    assert shown(read(page("<h1>총학생회 선거 시작</h1>", LD.replace("{}", source)))) == expected


def test_P11_what_stands_in_a_comment_of_the_markup_is_not_on_the_page() -> None:
    hidden = f'<!-- <meta property="article:published_time" content="2020-01-01">{LD.replace("{}", STRUCTURED["plain"][0])} -->'
    assert shown(read(page("<h1>총학생회 선거 시작</h1><!-- 입력 2020.01.01 10:00 -->", hidden))) == "-"


def test_P11_a_date_in_the_title_is_not_the_article_s() -> None:
    title = "신문 (2026.11.30.발간예정) 안내"
    body = f"<h1>{title}</h1><p>입력 2026.11.07 16:50</p><div id='article-view-content-div'>{TEXT}</div>"
    assert shown(read(page(body, title=f"{title} - 한빛대신문"))) == "2026-11-07 16:50"
    undated = body.replace("<p>입력 2026.11.07 16:50</p>", "")
    assert shown(read(page(undated, title=f"{title} - 한빛대신문"))) == "-"
    title = "2026.11.30 축제 안내"
    assert shown(read(page(f"<p>{title}</p><p>홍길동</p>{TEXT}", title=title))) == "-"


def test_P11_an_event_s_days_are_not_the_article_s() -> None:
    for line in ("행사 일시 2026.11.20", "접수 기간 2026.11.01 ~ 2026.11.20", "2026.11.01 ~ 2026.11.20"):
        assert shown(read(page(f"<h1>총학생회 선거 시작</h1><p>{line}</p>{TEXT}"))) == "-"


LIBRARY = {
    "rare_meta": ("", '<meta name="citation_date" content="2021/03/05">', "2021-03-05"),
    "meta_with_time": ("", '<meta name="date" content="2021-03-05 10:20">', "2021-03-05 10:20"),
    "canonical": ("", '<link rel="canonical" href="https://hanbit.example/2025/04/30/69899">', "2025-04-30"),
    "banner": (BANNER, "", "-"),
    "footer": (FOOT, "", "-"),
    "sidebar": (SIDE, "", "-"),
    "text": (TEXT, "", "-"),
    "copyright_year": ("<p>Copyright 2019 한빛대신문</p>", '<meta name="copyright" content="2019-01-01">', "-"),
    "month_alone": ("<p>2026-03</p>", '<meta name="date" content="2026-03">', "-"),
    "time_of_the_request": ("", '<meta name="date" content="2026-12-01 00:05">', "-"),
    "edited": ("", '<meta name="last-modified" content="2021-03-05"><meta name="revised" content="2021-03-05">', "-"),
    "picture": ("", '<meta property="og:image" content="/2021/03/05/a.jpg">', "-"),
    "control_characters": ("", '<meta name="date" content="2021-03-05\x01\x0b">', "2021-03-05"),
}


@pytest.mark.parametrize("name", LIBRARY)
def test_P11_a_library_is_the_last_resort_and_believed_only_where_the_page_shows_the_day(name: str) -> None:
    body, head, expected = LIBRARY[name]
    found = read(page(f"<h1>총학생회 선거 시작</h1>{body}", head))
    assert shown(found) == expected
    assert found.date_from == ("none" if expected == "-" else "library")


def test_the_library_is_never_given_an_address_it_could_ask() -> None:
    read("http://news.hanbit.ac.example/")
    read(page("http://news.hanbit.ac.example/", '<link rel="canonical" href="http://news.hanbit.ac.example/">'))
    assert len(htmldate.utils.HTTP_POOL.pools) == 0


PICTURES = {
    "plain": ("https://cdn.hanbit.example/news/photo/202611/94_1_1.jpg",) * 2,
    "http_stays": ("http://hanbit.example/a.jpg",) * 2,
    "relative": ("./photo/94.jpg", "https://news.hanbit.ac.example/news/photo/94.jpg"),
    "rooted": ("/data/94.jpg", "https://news.hanbit.ac.example/data/94.jpg"),
    "no_scheme": ("//cdn.hanbit.example/94.jpg", "https://cdn.hanbit.example/94.jpg"),
    "reference": ("/p?a=1&amp;b=2", "https://news.hanbit.ac.example/p?a=1&b=2"),
    "reference_twice": ("/p?a=1&amp;amp;b=2", "https://news.hanbit.ac.example/p?a=1&b=2"),
    "blanks": (" /data/봄 축제.jpg\n", "https://news.hanbit.ac.example/data/%EB%B4%84%20%EC%B6%95%EC%A0%9C.jpg"),
    "encoded": ("/data/%EB%B4%84.jpg", "https://news.hanbit.ac.example/data/%EB%B4%84.jpg"),
    "drupal": ("/sites/default/files/94.jpg", "https://news.hanbit.ac.example/sites/default/files/94.jpg"),
    "catalogue": ("/photo/catalogoue_2.jpg", "https://news.hanbit.ac.example/photo/catalogoue_2.jpg"),
    "logo": ("https://hanbit.example/image/logo/snslogo_2026.png", None),
    "logo_folder": ("/image/logo/main_2026.png", None),
    "logo_name": ("/img/og_logo.png", None),
    "noimage": ("/img/noimage.gif", None),
    "no_image": ("/img/no_image.gif", None),
    "default": ("/img/default.jpg", None),
    "favicon": ("/favicon-32x32.png", None),
    "svg": ("/img/mark.svg?v=2", None),
    "one_pixel": ("/img/1x1.png", None),
    "data": ("data:image/png;base64,AAAA", None),
    "script": ("javascript:alert(1)", None),
    "mail": ("mailto:a@hanbit.example", None),
    "host_only": ("https://cdn.hanbit.example", None),
    "empty": (" ", None),
    "long": ("/a" * 3_000 + ".jpg", None),
    "broken_host": ("https://[::1/a.jpg", None),
}


@pytest.mark.parametrize("name", PICTURES)
def test_P03_a_picture_s_address_is_resolved_and_judged_by_its_syntax(name: str) -> None:
    written, expected = PICTURES[name]
    assert read(page("", f'<meta property="og:image" content="{written}">')).picture == expected


def test_P03_the_first_good_picture_of_several_is_taken() -> None:
    logo = '<meta property="og:image" content="/image/logo/snslogo.png">'
    second = '<meta property="og:image" content="/b.jpg">'
    twitter = '<meta name="twitter:image" content="/c.jpg">'
    assert read(page("", twitter + logo + second)).picture == "https://news.hanbit.ac.example/b.jpg"
    assert read(page("", twitter + logo)).picture == "https://news.hanbit.ac.example/c.jpg"
    assert read(page("", logo)).picture is None


def test_P03_a_picture_resolves_against_the_page_s_base() -> None:
    head = '<base href="//cdn.hanbit.example/x/"><meta property="og:image" content="b.jpg">'
    assert read(page("", head)).picture == "https://cdn.hanbit.example/x/b.jpg"


ROBOTS = {
    '<meta name="robots" content="noindex">': (True, False),
    '<META NAME="ROBOTS" CONTENT="NOINDEX,NOFOLLOW">': (True, False),
    '<meta name="robots" content="none">': (True, False),
    '<meta name="robots" content="index, nosnippet">': (False, True),
    '<meta name="robots" content="max-snippet:0">': (False, True),
    '<meta name="robots" content="max-snippet: 0, index">': (False, True),
    '<meta name="robots" content="max-snippet:50, max-image-preview:none">': (False, False),
    '<meta name="robots" content="nofollow"><meta name="robots" content="noindex">': (True, False),
    '<meta name="googlebot" content="noindex">': (False, False),
    '<meta name="CampusPressHub" content="nosnippet">': (False, True),
    '<meta name="robots" content="noindex"><meta name="campuspresshub" content="index">': (False, False),
    '<meta name="campuspresshub" content="noindex"><meta name="robots" content="all">': (True, False),
    '<!-- <meta name="robots" content="noindex"> -->': (False, False),
    '<meta name="description" content="noindex">': (False, False),
}
HEADERS = {
    "noindex": (True, False),
    "NoIndex, nofollow": (True, False),
    "none": (True, False),
    "nosnippet": (False, True),
    "max-snippet:0": (False, True),
    "max-snippet: 20, max-image-preview:large": (False, False),
    "googlebot: noindex": (False, False),
    "googlebot: nofollow, noindex": (False, False),
    "CampusPressHub: noindex": (True, False),
    "campuspresshub/1.0: noindex": (True, False),
    "googlebot: noindex, campuspresshub: nosnippet": (False, True),
    "unavailable_after: 25 Jun 2026 15:00:00 KST": (True, False),
    "unavailable_after: Friday, 25-Jun-2027 15:00:00 GMT": (False, False),
    "": (False, False),
}


@pytest.mark.parametrize("meta", ROBOTS)
def test_a_page_s_robots_meta_is_heeded_and_our_name_wins(meta: str) -> None:
    found = read(page("", meta))
    assert (found.noindex, found.nosnippet) == ROBOTS[meta]


@pytest.mark.parametrize("value", HEADERS)
def test_an_x_robots_tag_is_heeded_unless_it_names_another(value: str) -> None:
    found = read(b"", ("Content-Type", "text/html"), ("x-robots-TAG", value))
    assert (found.noindex, found.nosnippet) == HEADERS[value]


def test_several_x_robots_tags_and_metas_add_up() -> None:
    found = read(
        page("", '<meta name="robots" content="nosnippet">'), ("X-Robots-Tag", "nofollow"), ("X-Robots-Tag", "noindex")
    )
    assert (found.noindex, found.nosnippet) == (True, True)


def test_only_the_first_megabyte_is_searched() -> None:
    late = "<p>" + " " * 1_000_000 + '</p><meta name="robots" content="noindex">'
    assert not read(page("", late)).noindex


WORDS = (
    "<div class='", "info-text'>", "<h1>", "</h1>", "<time datetime='", "'>", "입력 ", "2026.11.07 16:50", "수정",
    "<meta ", "property=", '"article:published_time"', " content='",
    "<script type=application/ld+json>", '{"@type":"Article","datePublished":',
    "</script>", "<!--", "-->", "</", "<", ">", "&amp;", "\x00", "�", "<title>", "<table>", "<svg>", "\ud7a3", "03.02", "~", "\n",
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=2_000), st.lists(st.sampled_from(WORDS), max_size=60).map(lambda w: "".join(w).encode())
    )
)
def test_no_bytes_make_the_reader_raise(body: bytes) -> None:
    read(body)


WORST = {
    "deep": "<div>" * 200_000,
    "deep_formats": "<b><a>" * 150_000,
    "attributes": "<p " + " ".join(f"a{n}=b" for n in range(100_000)) + ">",
    "paragraphs": "<p>x" * 250_000,
    "library": "<meta name=date content=x>" * 10_000 + "<h1>x</h1>" + "<p>2026.13.45" * 60_000,
    "dates": "<h1>x</h1>" + "<p>입력 2026.13.77 " * 40_000,
    "one_line_of_dates": "<h1>x</h1>입력 " + "2026.13.77 " * 80_000,
    "headings": "<h1>" * 250_000,
    "titles": "<title>" * 140_000,
    "boxes": "<div class=side-comment>" * 40_000,
    "metas": "<meta property=og:image content=/logo.png>" * 23_000,
    "metas_of_dates": '<meta name=date content="x">' * 35_000,
    "scripts": "<script type=application/ld+json>[{}]</script>" * 20_000,
    "script": "<script type=application/ld+json>" + "[" * 900_000,
    "stamps": "<h1>x</h1>" + "<time datetime=2026-13-77></time>" * 30_000,
    "classes": "<p class='" + "article-" * 120_000 + "'>",
    "blanks": "<h1>x</h1><p>입력" + " " * 900_000,
    "labels": "<h1>x</h1><p>" + "입력등록" * 80_000,
    "digits": "<h1>x</h1><p>" + "2" * 900_000,
}


@pytest.mark.parametrize("name", WORST)
def test_a_megabyte_takes_less_than_a_second(name: str) -> None:
    body = WORST[name].encode()
    begun = process_time()
    read(body)
    assert process_time() - begun < len(body) / 1_000_000 + 0.2
