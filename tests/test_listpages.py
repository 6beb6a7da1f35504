"""Web lists to entries: each trap that the lists of the campus web are known to hold."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawl import listpages
from crawl.clock import KST
from crawl.errors import FeedUnreadable
from crawl.model import Entry, Feed

SEEN = datetime(2026, 12, 1, 3, 0, tzinfo=KST).timestamp()
ND = "https://press.example/news/articleList.html?sc_section_code=S1N1&view_type=sm"
GNUBOARD = "https://media.example/bbs/board.php?bo_table=paper"


def parse(html: str | bytes, base: str = ND, *, cms: str = "", seen: float = SEEN) -> Feed:
    body = html.encode() if isinstance(html, str) else html
    return listpages.parse(body, base=base, content_type="text/html", cms=cms, seen=seen, summary_max_chars=200)


def reason(html: str | bytes, base: str = ND, cms: str = "") -> str:
    with pytest.raises(FeedUnreadable) as caught:
        parse(html, base, cms=cms)
    return caught.value.reason


def day(entry: Entry) -> str:
    """The printed moment in Korea, as precisely as it is known."""
    if entry.published is None:
        return ""
    return f"{datetime.fromtimestamp(entry.published, KST):%Y-%m-%d %H:%M}"[: 10 if entry.precision == "day" else 16]


def nd_c(*items: str, head: str = "", after: str = "") -> str:
    return (
        f'<html lang="ko"><head><title>전체 &lt; 기사목록 - 가상대신문</title>{head}</head><body>'
        '<div id="sections" class="altlist">'
        f'<article id="section-list" class="altlist-body"><ul class="altlist-text">{"".join(items)}</ul></article>'
        f"</div>{after}</body></html>"
    )


def nd_c_item(number: int, title: str = "제목", info: tuple[str, ...] = ("보도", "김하늘 기자", "11-30 09:22")) -> str:
    told = "".join(f'<div class="altlist-info-item">{part}</div>' for part in info)
    return (
        '<li class="altlist-text-item">'
        f'<H2 class="altlist-subject">\n\t<a href="/news/articleView.html?idxno={number}">\n\t{title}\t</a></H2>'
        f'<div class="altlist-info">{told}</div></li>'
    )


def gnuboard_row(
    number: int, title: str, date: str, *, row: str = "", num: str = "7", before: str = "", inside: str = ""
) -> str:
    return (
        f'<tr class="{row}"><td class="td_num2">{num}</td><td class="td_subject">{before}<div class="bo_tit">'
        f'<a href="https://media.example/bbs/board.php?bo_table=paper&amp;wr_id={number}">{inside} {title} </a>'
        "</div></td>"
        f'<td class="td_name sv_use"><span class="sv_member">편집국</span></td><td class="td_datetime">{date}</td>'
        '<td class="td_num">47</td></tr>'
    )


CATEGORY = '<a class="bo_cate_link" href="?bo_table=paper&amp;sca=1">학내</a>'
PAGES = '<nav class="pg_wrap"><a class="pg_page" href="/bbs/board.php?bo_table=paper&amp;page=2">2</a></nav>'


def gnuboard(*rows: str, after: str = "") -> str:
    return f'<div id="bo_list"><div class="tbl_head01 tbl_wrap"><table><tbody>{"".join(rows)}</tbody></table></div>{after}</div>'


def test_an_altlist_item_gives_section_writer_and_a_date_resolved_by_the_pages_own_clock() -> None:
    clock = datetime(2026, 3, 9, 10, 48, tzinfo=KST).timestamp()
    page = nd_c(
        nd_c_item(132, "고객 확인 전화", ("경제", "최보람 기자", "03-08 02:25")),
        nd_c_item(146, "지난 기사", ("사회", "편집국", "2024-09-07 09:22")),
        nd_c_item(99, "날만 있는 기사", ("사회", "편집국", "2025-02-06")),
        head=f"<script>var a = 1\n\t,___currentTime\t= {clock:.0f};</script>",
    )
    feed = parse(page)
    assert feed.format == "ndsoft-alt"
    assert feed.language == "ko"
    first, second, third = feed.entries
    assert (first.title, first.section, first.tags, first.byline) == (
        "고객 확인 전화",
        "경제",
        ("경제",),
        "최보람 기자",
    )
    assert (day(first), first.precision, first.date_from) == ("2026-03-08 02:25", "minute", "list_resolved")
    assert (day(second), second.date_from) == ("2024-09-07 09:22", "list")
    assert (day(third), third.precision) == ("2025-02-06", "day")
    assert "resolved_year:1" in feed.flags
    assert first.image_url is None


def test_a_date_without_a_year_is_never_in_the_future() -> None:
    entries = parse(
        nd_c(nd_c_item(1, info=("보도", "편집국", "12-05 09:00")), nd_c_item(2, info=("보도", "편집국", "12-02 02:00")))
    ).entries
    assert [day(entry) for entry in entries] == ["2025-12-05 09:00", "2026-12-02 02:00"]


def test_the_day_of_the_last_issue_dates_a_list_without_a_clock() -> None:
    page = nd_c(
        nd_c_item(1, info=("보도", "편집국", "09-07 09:22")),
        head='<div class="gl-updated">발행일: 2024-11-08 03:45 (일)</div>',
    )
    assert day(parse(page).entries[0]) == "2024-09-07 09:22"


def test_a_clock_from_the_future_is_not_believed() -> None:
    page = nd_c(
        nd_c_item(1, info=("보도", "편집국", "09-07 09:22")), head="<script>var ___currentTime = 1999999999;</script>"
    )
    assert day(parse(page).entries[0]) == "2026-09-07 09:22"


def test_a_single_part_beside_the_date_is_a_section_where_the_page_names_it_so_and_a_writer_elsewhere() -> None:
    page = nd_c(
        nd_c_item(1, info=("보도", "03-02 10:00")),
        nd_c_item(2, info=("한빛문화", "03-02 10:00")),
        nd_c_item(3, info=("박지현 편집국장", "03-02 10:00")),
        nd_c_item(4, info=("가상대신문", "03-02 10:00")),
        after='<a href="/news/articleList.html?sc_section_code=S1N4">한빛문화</a>',
    )
    assert [(entry.section, entry.byline) for entry in parse(page).entries] == [
        ("보도", ""), ("한빛문화", ""), ("", "박지현 편집국장"), ("", "가상대신문"),
    ]  # fmt: skip


def test_decoys_and_boxes_beside_the_list_are_no_items() -> None:
    decoy = '<li id="sample" class="altlist-text-item blind"><h2 class="altlist-subject"><a href=""></a></h2></li>'
    side = (
        '<aside class="grid side"><div class="box-skin"><h3>많이 본 뉴스</h3><div class="auto-article">'
        '<a href="/news/articleView.html?idxno=5">옛 기사'
        "</a></div></div></aside>"
    )
    feed = parse(nd_c(nd_c_item(7), decoy, after=side))
    assert [entry.url for entry in feed.entries] == ["https://press.example/news/articleView.html?idxno=7"]
    assert "decoy:1" in feed.flags


def test_the_block_skin_splits_its_one_line_and_keeps_a_date_in_the_title() -> None:
    page = """<section class="article-list-content">
      <div class="list-block"><div class="list-titles"><a href="articleView.html?idxno=9">
      <strong>교지 (2026.11.30.발간예정) 안내</strong></a></div>
      <p class="list-summary"><a href="articleView.html?idxno=9">가을호를 엮는다.</a></p>
      <div class="list-dated">문화 | 정승원 수습기자, 홍성범 수습기자 | 2025-11-10 02:06</div></div>
      <div class="list-block"><div class="list-titles"><a href="articleView.html?idxno=8"><strong>둘째</strong></a>
      </div>
      <div class="list-dated">사설 | . | 2025-11-09 00:00</div></div></section>"""
    feed = parse(page)
    first, second = feed.entries
    assert feed.format == "ndsoft-block"
    assert first.url == "https://press.example/news/articleView.html?idxno=9"
    assert first.title == "교지 (2026.11.30.발간예정) 안내"
    assert first.summary == "가을호를 엮는다."
    assert (first.section, first.byline, day(first)) == ("문화", "정승원 수습기자, 홍성범 수습기자", "2025-11-10 02:06")
    assert (second.section, second.byline, day(second)) == ("사설", "", "2025-11-09")


def test_info_is_told_by_its_class_whatever_its_order() -> None:
    page = """<ul id="section-list"><li><a href="/news/articleView.html?idxno=4">
      <em class="info dated">09.07 09:22</em><div class="titles">첫 기사</div>
      <em class="info name">이가람</em></a></li>
      <li><a href="/news/articleView.html?idxno=3"><div class="titles">둘째 기사</div>
      <em class="info category">학술</em><em class="info dated">09.06 10:00</em></a></li></ul>"""
    feed = parse(page)
    assert feed.format == "ndsoft-mobile"
    assert [(entry.title, entry.section, entry.byline, day(entry)) for entry in feed.entries] == [
        ("첫 기사", "", "이가람", "2026-09-07 09:22"),
        ("둘째 기사", "학술", "", "2026-09-06 10:00"),
    ]


def test_the_type_skin_reads_three_parts_in_order() -> None:
    page = """<section id="section-list"><ul class="type2"><li><a class="thumb" href="/news/articleView.html?idxno=4">
      <img src="x.jpg"></a>
      <h4 class="titles"><a href="/news/articleView.html?idxno=4">기사</a></h4><p class="lead line-6x1">
      <a href="/news/articleView.html?idxno=4">요약이 선다.</a></p>
      <span class="byline"><em>보도</em><em>최별 기자</em><em>2021.03.02 14:05</em></span></li></ul></section>"""
    feed = parse(page)
    entry = feed.entries[0]
    assert feed.format == "ndsoft-type"
    assert (entry.title, entry.summary, entry.section, entry.byline, day(entry)) == (
        "기사",
        "요약이 선다.",
        "보도",
        "최별 기자",
        "2021-03-02 14:05",
    )


def test_the_old_table_skin_in_euc_kr_names_writer_and_date_only() -> None:
    page = """<html><head><meta http-equiv="Content-Type" content="text/html; charset=euc-kr"></head><body><table><tr>
      <td><table><tr><td>
      <table><tr><td class="list-titles"><a href="articleView.html?idxno=7883">난독증 이야기</a></td></tr>
      <tr><td class="list-summary"><a href="articleView.html?idxno=7883">요약문이 여기 있다.</a></td></tr>
      <tr><td class="list-times list-pad-10">정재석 전문의&nbsp;&nbsp;<i>|</i>&nbsp;&nbsp;2018-03-06 07:38</td></tr>
      </table></td></tr></table></td></tr></table>
      <div class="auto-article"><a href="/news/articleView.html?idxno=1">인기 기사 제목</a></div></body>
      </html>""".encode("cp949")
    feed = parse(page)
    assert feed.format == "ndsoft-table"
    assert len(feed.entries) == 1
    entry = feed.entries[0]
    assert (entry.title, entry.byline, entry.section, day(entry)) == (
        "난독증 이야기",
        "정재석 전문의",
        "",
        "2018-03-06 07:38",
    )
    assert entry.summary == "요약문이 여기 있다."


def test_an_unknown_skin_of_a_known_system_is_read_inside_its_container_only() -> None:
    page = """<article id="section-list"><div class="fresh"><a href="/news/articleView.html?idxno=4">
      <h3>새 틀의 기사</h3></a><span>2026.11.02 10:00</span></div>
      <div class="fresh"><a href="/news/articleView.html?idxno=3"><h3>새 틀의 둘째 기사</h3></a>
      <span>2026.11.01 10:00</span></div></article>
      <div><a href="/news/articleView.html?idxno=1">옆 기사</a></div>"""
    feed = parse(page)
    assert feed.format == "links"
    assert [(entry.title, day(entry)) for entry in feed.entries] == [
        ("새 틀의 기사", "2026-11-02 10:00"), ("새 틀의 둘째 기사", "2026-11-01 10:00"),
    ]  # fmt: skip


def test_gnuboard_days_without_a_year_fall_down_the_list_into_earlier_years() -> None:
    rows = (
        gnuboard_row(58, "공지입니다", "05-10", row="bo_notice", num='<img alt="공지">'), gnuboard_row(99, "오늘 글", "01:05"),
        gnuboard_row(98, "가을 글", "11-28"), gnuboard_row(97, "늦봄 글", "05-30"), gnuboard_row(60, "작년 글", "12-20"),
        gnuboard_row(55, "작년 봄 글", "03-02"), gnuboard_row(50, "재작년 글", "09-01"),
    )  # fmt: skip
    feed = parse(gnuboard(*rows), GNUBOARD)
    assert feed.format == "gnuboard"
    assert [day(entry) for entry in feed.entries] == [
        "2025-05-10", "2026-12-01 01:05", "2026-11-28", "2026-05-30", "2025-12-20", "2025-03-02", "2024-09-01",
    ]  # fmt: skip
    assert "pinned:1" in feed.flags


def test_a_list_that_runs_upwards_carries_no_year() -> None:
    rows = [gnuboard_row(10 + place, f"글 {place}", raw) for place, raw in enumerate(("03-01", "03-20", "09-09"))]
    assert [day(entry) for entry in parse(gnuboard(*rows), GNUBOARD).entries] == [
        "2026-03-01",
        "2026-03-20",
        "2026-09-09",
    ]


def test_a_pinned_item_whose_year_nothing_tells_has_no_date() -> None:
    feed = parse(gnuboard(gnuboard_row(3, "공지", "05-10", row="bo_notice"), gnuboard_row(9, "글", "11-28")), GNUBOARD)
    assert [day(entry) for entry in feed.entries] == ["", "2026-11-28"]
    assert feed.entries[0].published_raw == "05-10"
    assert "no_date:1" in feed.flags


def test_gnuboard_titles_come_without_category_counter_and_badge_and_secret_posts_are_left_out() -> None:
    page = gnuboard(
        gnuboard_row(9, '축제 소식<span class="cnt_cmt">3</span><span class="new_icon">N</span>', "26-11-28",
                     before=CATEGORY),
        gnuboard_row(8, "수영 관련", "26-11-27", inside='<i class="fa fa-lock"></i>'),
        gnuboard_row(7, "[학내] 이름표가 둘", "26-11-26 14:05", before=CATEGORY),
    )  # fmt: skip
    feed = parse(page, GNUBOARD)
    assert [(entry.title, entry.section, entry.byline) for entry in feed.entries] == [
        ("축제 소식", "학내", "편집국"), ("[학내] 이름표가 둘", "학내", "편집국"),
    ]  # fmt: skip
    assert [(day(entry), entry.date_from) for entry in feed.entries] == [
        ("2026-11-28", "list"),
        ("2026-11-26 14:05", "list"),
    ]
    assert "secret:1" in feed.flags


def test_a_customised_gnuboard_is_read_by_its_links() -> None:
    cards = "".join(
        f'<div class="card"><a href="/bbs/board.php?bo_table=paper&wr_id={n}"><img src="a.jpg"></a><p class="tit">'
        f'<a href="/bbs/board.php?bo_table=paper&wr_id={n}">'
        f'카드 기사 {n}</a></p><span class="date">2026.11.{n:02}</span></div>'
        for n in (21, 20)
    )
    feed = parse(
        (
            f'<div class="cards">{cards}</div><div class="lat">'
            '<a href="/bbs/board.php?bo_table=free&wr_id=3">자유글</a></div>'
        ),
        GNUBOARD,
    )
    assert feed.format == "gnuboard"
    assert [(entry.title, day(entry)) for entry in feed.entries] == [
        ("카드 기사 21", "2026-11-21"),
        ("카드 기사 20", "2026-11-20"),
    ]


def test_xe_joins_the_day_with_the_time_in_the_tooltip_and_knows_a_document_by_its_number() -> None:
    page = """<table class="bd_lst bd_tb_lst"><tbody><tr class="notice"><td class="no">공지</td><td class="title">
      <a href="/news/5">알립니다</a></td><td class="time" title="10:00">2016.01.06</td></tr>
      <tr><td class="no">8</td><td class="title">
      <a href="/news/1683" class="hx"
      data-viewer="/index.php?mid=news&amp;document_srl=1683&amp;listStyle=viewer"> 세 번째 글 </a>
      <a href="/news/1683#comment" class="replyNum">2</a></td><td class="author"><a href="#popup">편집부</a></td>
      <td class="time" title="17:49">2016.10.06</td></tr>
      <tr><td class="no">7</td><td class="title">
      <a href="/index.php?mid=news&amp;document_srl=5" class="hx">알립니다</a></td>
      <td class="time">17.03.02 12:16</td></tr></tbody></table>"""
    feed = parse(page, "https://xe.example/news")
    assert feed.format == "xe"
    assert [(entry.url, entry.title, day(entry)) for entry in feed.entries] == [
        ("https://xe.example/news/5", "알립니다", "2016-01-06 10:00"),
        ("https://xe.example/news/1683", "세 번째 글", "2016-10-06 17:49"),
    ]
    assert feed.entries[1].byline == "편집부"
    assert {"pinned:1", "duplicates:1"} <= set(feed.flags)


def test_k2web_links_are_found_in_scripts_and_deep_links_and_titles_lose_their_badge() -> None:
    page = """<table class="artclTable"><tbody><tr class="headline"><td class="_artclTdNum"></td>
      <td class="_artclTdTitle"><a href="/bbs/chnews/1/7/artclView.do"><strong>고정 공지</strong></a></td>
      <td class="_artclTdRdate">2026.03.05</td></tr>
      <tr><td class="_artclTdNum">9</td><td class="_artclTdTitle">
      <a href="javascript:jf_viewArtcl('chnews', '2', '9')"><strong>새 소식</strong><span class="newArtcl">새글</span>
      </a></td><td>행사</td><td class="_artclTdWriter"></td><td class="_artclTdRdate">2026.07.01.</td></tr>
      <tr><td class="_artclTdNum">8</td><td class="_artclTdTitle">
      <a href="index.do?enc=Zm5jdDF8QEB8JTJGbWFnYXppbmUlMkZjaG5ld3MlMkYxNjklMkYzMzE2JTJGdmlldy5kbyUzRnBhZ2UlM0Qx">
      <span>깊은 글</span></a></td><td class="_artclTdWriter">학보사</td><td class="_artclTdRdate">2026.06.19</td>
      </tr></tbody></table>"""
    feed = parse(page, "https://www3.univ.example/chnews/1/subview.do", cms="k2web")
    assert feed.format == "k2web"
    assert [(entry.url, entry.title, day(entry), entry.byline) for entry in feed.entries] == [
        ("https://www3.univ.example/bbs/chnews/1/7/artclView.do", "고정 공지", "2026-03-05", ""),
        ("https://www3.univ.example/bbs/chnews/2/9/artclView.do", "새 소식", "2026-07-01", ""),
        ("https://www3.univ.example/magazine/chnews/169/3316/view.do", "깊은 글", "2026-06-19", "학보사"),
    ]
    assert feed.older is None


def test_mediaon_takes_the_first_heading_and_the_writer_of_the_lead() -> None:
    page = """<p class="today_txt">2026.12.01 (화)</p><ul class="lst_pop"><li>
      <a href="/news/article.html?no=1">실시간 기사</a></li></ul>
      <ul class="art_list_all"><li><a href="/news/article.html?no=62"><h2 class="clamp c2">첫 제목</h2><h3>부제목</h3>
      <p class="ffd">[가상신문=한누리 기자] 첫 문장이다.</p>
      <ul class="art_info"><li class="date">2026.11.20 09:12</li></ul></a></li></ul>"""
    feed = parse(page, "https://m.example/news/article_list_all.html")
    assert feed.format == "mediaon"
    (entry,) = feed.entries
    assert (entry.title, entry.byline, day(entry)) == ("첫 제목", "한누리 기자", "2026-11-20 09:12")


def test_wordpress_reads_the_machine_written_time_and_no_widget() -> None:
    page = """<main><article class="post sticky"><h2 class="entry-title">
      <a href="https://wp.example/?p=10773">첫 글</a></h2>
      <time class="updated" datetime="2026-11-30T00:00:00+00:00">x</time>
      <time class="entry-date published" datetime="2026-03-01T15:30:00+00:00">2026년 3월 2일</time>
      <span class="author vcard"><a href="/author/kim">김솔</a></span><span class="cat-links">
      <a href="?cat=3" rel="category">기획</a></span>
      <div class="entry-summary"><p>발췌한 글이다.</p></div></article></main>
      <aside class="widget-area"><article><h3><a href="https://wp.example/?p=1">인기 글</a></h3></article></aside>"""
    feed = parse(page, "https://wp.example/?cat=3")
    assert feed.format == "wordpress"
    (entry,) = feed.entries
    assert (entry.title, entry.byline, entry.section, day(entry), entry.summary) == (
        "첫 글", "김솔", "기획", "2026-03-02 00:30", "발췌한 글이다.",
    )  # fmt: skip


BOARDS = [
    ("ntt", "https://u.example/press/na/ntt/selectNttList.do", "selectNttInfo.do?nttSn=281{n}"),
    ("ntt", "https://u.example/n/selectBbsNttList.do?bbsNo=1", "./selectBbsNttView.do?bbsNo=1&amp;nttNo={n}&amp;key=3"),
    (
        "smu",
        "https://u.example/newspaper/university.do",
        "?mode=view&amp;articleNo={n}&amp;article.offset=0&amp;articleLimit=10",
    ),
    ("sogang", "https://u.example/front/cmsboardlist.do?siteId=a", "/front/cmsboardview.do?siteId=a&amp;pkid={n}"),
    ("ulsan", "https://u.example/media/4205", "?action=view&amp;no={n}"),
    (
        "chungbuk",
        "https://u.example/ktimes/news/main2.php?mode=listall&section=113",
        "main2.php?mode=view&amp;section=113&amp;no={n}",
    ),
    ("seoultech", "https://u.example/reports/", "/reports/?category=53&amp;idx={n}"),
    ("kgu", "https://u.example/news/list.php?mcode=m1", "view.php?idx={n}&amp;mcode=m1"),
    ("shingu", "https://u.example/list.php?thread=03", "detail.php?number={n}&amp;thread=03r02"),
    ("imweb", "https://u.example/1", "/1/?idx={n}&amp;bmode=view"),
]


@pytest.mark.parametrize(("format", "base", "href"), BOARDS)
def test_a_university_board_is_told_by_its_addresses_and_read_by_its_column_headings(
    format: str, base: str, href: str
) -> None:
    rows = "".join(
        f'<tr><td>{n}</td><td class="left"><a href="{href.format(n=n)}">[7면] 기사 제목 {n}</a></td>'
        f"<td>학보사 이름</td><td>2023.03.{n - 100}</td><td>812</td></tr>"
        for n in (115, 114, 113)
    )
    heads = "".join(f"<th>{word}</th>" for word in ("번호", "제목", "작성자", "등록일", "조회"))
    menu = "<ul class='gnb'><li><a href='/main'>홈</a></li></ul>"
    page = f"{menu}<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    feed = parse(page, base)
    assert feed.format == format
    assert [(entry.title, entry.byline, day(entry)) for entry in feed.entries] == [
        (f"[7면] 기사 제목 {n}", "학보사 이름", f"2023-03-{n - 100}") for n in (115, 114, 113)
    ]


def test_an_hour_without_minutes_and_a_line_of_several_facts_are_read() -> None:
    page = "".join(
        f'<div class="one"><a href="/reports/?category=53&idx={n}"><b>기사 제목 {n}</b></a>'
        "<p>백주원 ㅣ 기사 승인 2018-04-02 05 | 600호 ㅣ 조회수 : 65</p></div>"
        for n in (2, 1)
    )
    entry = parse(f"<div>{page}</div>", "https://u.example/reports/").entries[0]
    assert (entry.title, entry.byline, day(entry), entry.precision) == (
        "기사 제목 2",
        "백주원",
        "2018-04-02 05:00",
        "hour",
    )


def test_tistory_and_ghost_lists() -> None:
    page = """<div class="list_content"><a href="/749" class="link_post"><strong class="tit_post">티스토리 글</strong>
      <p class="txt_post">발췌</p></a>
      <div class="detail_info"><a class="link_cate">기획</a><span class="txt_date">2023. 10. 4.</span></div></div>"""
    feed = parse(page, "https://u.tistory.example/category/a", cms="tistory")
    assert (feed.format, feed.entries[0].title, day(feed.entries[0]), feed.entries[0].section) == (
        "tistory",
        "티스토리 글",
        "2023-10-04",
        "기획",
    )
    page = """<div class="post-feed"><article class="post-card">
      <a class="post-card-content-link" href="/sinmun-500ho-2967/"><h2 class="post-card-title">500호 발간</h2>
      <div class="post-card-excerpt">발췌한다.</div></a>
      <time class="post-card-meta-date" datetime="2026-03-02">Mar 2, 2026</time></article></div>"""
    feed = parse(page, "https://g.example/tag/opinion/")
    assert (feed.format, feed.entries[0].title, day(feed.entries[0])) == ("ghost", "500호 발간", "2026-03-02")


def test_a_page_of_no_known_system_is_read_by_links_that_look_alike() -> None:
    items = "".join(
        f'<li><a href="/article/opinion/{n}">An English story number {n}</a> '
        f"<span>Thursday, February {n}, 2023</span></li>"
        for n in (9, 8, 7)
    )
    side = '<h3>Most Read</h3><ul><li><a href="/article/opinion/2">An old popular story</a></li></ul>'
    page = f'<nav><a href="/article/list/1">Sections and more</a></nav><ul>{items}</ul><div>{side}</div>'
    feed = parse(page, "https://q.example/article/opinion")
    assert feed.format == "links"
    assert (feed.entries[0].title, day(feed.entries[0])) == ("An English story number 9", "2023-02-09")
    assert len(feed.entries) == 3


def test_a_box_of_popular_articles_is_left_out_of_a_list_without_a_container() -> None:
    main = "".join(
        f'<div><a href="/news/articleView.html?idxno={n}"><b>본 목록의 기사 {n}</b></a></div>' for n in (9, 8, 7)
    )
    side = '<div><h4>많이 본 뉴스</h4><ol><li><a href="/news/articleView.html?idxno=1">옛날에 많이 본 기사</a></li></ol></div>'
    assert [entry.title[-1] for entry in parse(f"<div><div>{main}</div>{side}</div>").entries] == ["9", "8", "7"]


def test_relative_dates_are_kept_to_the_day_and_a_bare_time_to_the_minute() -> None:
    rows = [
        gnuboard_row(9 - place, f"글 {place}", raw)
        for place, raw in enumerate(("방금", "3시간 전", "어제", "02:10", "5일 전"))
    ]
    entries = parse(gnuboard(*rows), GNUBOARD).entries
    assert [day(entry) for entry in entries] == [
        "2026-12-01",
        "2026-12-01",
        "2026-11-30",
        "2026-12-01 02:10",
        "2026-11-26",
    ]
    assert {entry.date_from for entry in entries} == {"list_resolved"}


def test_a_title_cut_by_the_list_is_taken_whole_from_its_tooltip_and_markup_in_it_is_text() -> None:
    page = nd_c(
        nd_c_item(1, "아주 긴 제목이 잘…").replace('idxno=1"', 'idxno=1" title="아주 긴 제목이 잘리지 않았다"'),
        nd_c_item(2, "&lt;b&gt;속보&lt;/b&gt; &lt;포토뉴스&gt; 첫눈"),
    )  # fmt: skip
    assert [entry.title for entry in parse(page).entries] == ["아주 긴 제목이 잘리지 않았다", "속보 <포토뉴스> 첫눈"]


def test_links_are_resolved_against_the_base_element() -> None:
    page = nd_c(nd_c_item(5), head='<base href="https://www.other.example/x/">').replace('href="/news/', 'href="')
    assert parse(page).entries[0].url == "https://www.other.example/x/articleView.html?idxno=5"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (b"", "empty_body"),
        ("  \n", "empty_body"),
        ("<?xml version='1.0'?><rss><channel></channel></rss>", "feed_not_list"),
        ('{"items": []}', "feed_not_list"),
        (nd_c(after='<a href="/news/articleView.html?idxno=5">옆 기사</a>'), "list_empty"),
        (
            (
                "<div id='bo_list'><table><tbody><tr><td class='empty_table'>게시물이 없습니다.</td></tr></tbody></table>"
                "</div>"
            ),
            "list_empty",
        ),
        (
            (
                "<html><head><title>알림메세지</title></head><body><div class='message_box'>요청하신 글이 없습니다</div>"
                "</body></html>"
            ),
            "board_message",
        ),
        ("RSS 보기가 금지되어 있습니다.", "board_message"),
        ("<html><body><p>학보사 소개</p><a href='/'>홈</a></body></html>", "not_a_list"),
    ],
)
def test_a_page_that_is_no_list_says_why(page: str | bytes, expected: str) -> None:
    assert reason(page) == expected


def test_an_articles_own_page_is_no_list() -> None:
    head = '<html><head><meta property="og:url" content="https://wp.example/?p=7"></head><body>'
    assert (
        reason(
            f'{head}<article><h1 class="entry-title"><a href="/?p=7">글</a></h1></article>', "https://wp.example/?p=7"
        )
        == "not_a_list"
    )
    head = head.replace("/?p=7", "/news/articleView.html?idxno=7")
    page = f'{head}<h1>기사</h1><a href="/news/articleView.html?idxno=7">모바일버전</a></body></html>'
    assert reason(page, "https://wp.example/news/articleView.html?idxno=7") == "not_a_list"


def test_a_row_that_is_one_link_keeps_its_facts_apart() -> None:
    row = (
        '<li><a href="/bbs/board.php?bo_table=news&wr_id=33"><h3>개표 <em>[4]</em></h3><p class="desc">개표가 끝났다.</p>'
        '<span class="name">한별 기자</span> <span class="date">11.29</span></a></li>'
    )
    (entry,) = parse(f'<ul class="webzine">{row}</ul>', GNUBOARD).entries
    assert (entry.title, entry.summary, entry.byline, day(entry)) == (
        "개표",
        "개표가 끝났다.",
        "한별 기자",
        "2026-11-29",
    )


def test_a_gallery_gives_its_category_as_section_and_keeps_a_mark_in_the_title() -> None:
    page = (
        '<ul id="gall_ul"><li class="gall_li"><a href="?bo_table=paper&sca=x" class="bo_cate_link">포토</a>'
        f'<a href="{GNUBOARD}&wr_id=12" class="bo_tit">[포토] 눈 온 날 <span class="sound_only">댓글</span>'
        '<span class="cnt_cmt">2</span></a>'
        '<span class="gall_date"><span class="sound_only">작성일 </span>11-20</span></li></ul>'
    )
    (entry,) = parse(page, GNUBOARD).entries
    assert (entry.title, entry.section, day(entry)) == ("[포토] 눈 온 날", "포토", "2026-11-20")


def test_the_writer_of_a_table_without_headings_is_the_one_short_text_before_the_date() -> None:
    title = '<td class="subject"><a href="?mode=view&articleNo=9">기사 제목</a></td>'
    row = f"<tr><td>9</td>{title}<td>학보사</td><td>2024.05.28</td><td>77</td></tr>"
    (entry,) = parse(f"<table><tbody>{row}</tbody></table>", "https://u.example/n.do").entries
    assert (entry.title, entry.byline, day(entry)) == ("기사 제목", "학보사", "2024-05-28")


def test_column_headings_say_what_a_cell_holds_wherever_it_stands() -> None:
    heads = "".join(f"<th>{word}</th>" for word in ("작성일", "구분", "제목", "수정일자", "기자"))
    title = '<td><a href="?mode=view&articleNo=9">기사 제목</a></td>'
    row = f"<tr><td>2024.05.28</td><td>여론</td>{title}<td>비고</td><td>나래</td></tr>"
    (entry,) = parse(
        f"<table><thead><tr>{heads}</tr></thead><tbody>{row}</tbody></table>", "https://u.example/n.do"
    ).entries
    assert (entry.title, entry.section, entry.byline, day(entry)) == ("기사 제목", "여론", "나래", "2024-05-28")


def test_the_last_date_of_a_line_counts_but_never_that_of_an_edit() -> None:
    items = "".join(
        f'<li><a href="/news/articleView.html?idxno={number}">기사 {number}</a><p>{line}</p></li>'
        for number, line in (
            (2, "2026.09.30 축제 | 등록 2026.10.02 10:00"),
            (1, "승인 2026.10.01 09:00 수정 2026.11.01 10:00"),
        )
    )
    assert [day(entry) for entry in parse(f"<ul>{items}</ul>").entries] == ["2026-10-02 10:00", "2026-10-01 09:00"]


def test_boxes_without_dates_are_left_out_of_a_list_with_dates_and_so_are_elements_meant_for_asides() -> None:
    item = '<li><a href="/news/articleView.html?idxno={0}">어떤 기사의 제목 {0}</a>{1}</li>'
    listed = "".join(item.format(number, "<span>2026.11.02</span>") for number in (9, 8))
    boxed = f"<div><ul>{item.format(2, '')}</ul></div><aside><p>{item.format(3, '<i>2026.11.01</i>')}</p></aside>"
    assert [entry.title[-1] for entry in parse(f"<div><ul>{listed}</ul></div>{boxed}").entries] == ["9", "8"]


def test_scripts_in_place_of_links_lead_where_they_say() -> None:
    page = """<table><thead><tr><th>제목</th><th>등록일</th></tr></thead><tbody>
      <tr><td><a href="#" class="nttInfoBtn" data-id="281160194">순천만에서</a></td><td>2023.03.15</td></tr>
      <tr><td><a href="#" onclick="location.href='selectNttInfo.do?nttSn=7'; return false;">다른 기사</a></td>
      <td>2023.03.14</td></tr></tbody></table>
      <div class="pagination"><a href="javascript:goPage(1)">1</a><a href="javascript:goPage(2);">2</a></div>"""
    feed = parse(page, "https://u.example/press/na/ntt/selectNttList.do?mi=12")
    place = "https://u.example/press/na/ntt/selectNttInfo.do?nttSn="
    assert [(entry.url, day(entry)) for entry in feed.entries] == [
        (f"{place}281160194", "2023-03-15"),
        (f"{place}7", "2023-03-14"),
    ]
    assert feed.older == "https://u.example/press/na/ntt/selectNttList.do?mi=12&pageIndex=2"


def test_only_so_many_items_of_a_page_are_read_and_it_is_said() -> None:
    feed = parse(nd_c(*(nd_c_item(number) for number in range(600))))
    assert len(feed.entries) == listpages.ITEMS_MAX
    assert "items_capped" in feed.flags


def test_the_page_decides_over_the_registered_system() -> None:
    assert parse(nd_c(nd_c_item(5)), cms="wordpress").format == "ndsoft-alt"


PAGER = (
    '<div class="page-nav"><a class="p-num on">{0}</a>'
    '<a class="p-num" href="./articleList.html?page={1}&amp;total=177">{1}</a></div>'
)


@pytest.mark.parametrize(
    ("page", "base", "expected"),
    [
        (nd_c(nd_c_item(5), after=PAGER.format(1, 2)), ND, f"{ND}&page=2"),
        (nd_c(nd_c_item(5), after=PAGER.format(9, 8)), f"{ND}&page=9&total=177", None),
        (nd_c(*(nd_c_item(n) for n in range(20))), f"{ND}&page=3&total=99", f"{ND}&page=4"),
        (nd_c(*(nd_c_item(n) for n in range(19))), ND, None),
        (nd_c(*(nd_c_item(n) for n in range(20)), head='<p class="altlist-count">총 <strong>20</strong>건</p>'), ND, None),
        (gnuboard(gnuboard_row(9, "글", "11-28"), after=PAGES),
         GNUBOARD, f"{GNUBOARD}&page=2"),
        (gnuboard(gnuboard_row(9, "글", "11-28"), after='<nav class="pg_wrap"><strong>1</strong></nav>'), GNUBOARD, None),
    ],
)  # fmt: skip
def test_P22_the_older_page_is_built_from_the_lists_own_address_while_there_is_one(
    page: str, base: str, expected: str | None
) -> None:
    assert parse(page, base).older == expected


@pytest.mark.parametrize(
    ("cms", "base", "links", "expected"),
    [
        ("wordpress", "https://wp.example/", ["/2026/03/02/a", "/page/2/"], "https://wp.example/page/2/"),
        ("wordpress", "https://wp.example/?cat=84", ["/2026/03/02/a", "/?cat=84&paged=2"], "https://wp.example/?cat=84&paged=2"),
        ("xe", "https://xe.example/news", ["/index.php?mid=news&document_srl=5", "/news?page=2"], "https://xe.example/news?page=2"),
        ("mediaon", "https://m.example/news/article_list_all.html", ["/news/article.html?no=4", "?page=2"],
         "https://m.example/news/article_list_all.html?page=2"),
        ("tistory", "https://t.example/category/a?page=2", ["/749", "?page=3"], "https://t.example/category/a?page=3"),
        ("", "https://u.example/p/selectNttList.do?bbsNo=1", ["selectNttInfo.do?nttSn=5", "?bbsNo=1&pageIndex=2"],
         "https://u.example/p/selectNttList.do?bbsNo=1&pageIndex=2"),
        ("", "https://u.example/n.do?article.offset=10&articleLimit=10",
         ["?mode=view&articleNo=5", "?article.offset=20&articleLimit=10"],
         "https://u.example/n.do?article.offset=20&articleLimit=10"),
        ("", "https://u.example/news/list.php?mcode=a", ["view.php?idx=7", "list.php?mcode=a&page=2"],
         "https://u.example/news/list.php?mcode=a&page=2"),
    ],
)  # fmt: skip
def test_P22_each_family_has_its_own_way_to_the_older_page(
    cms: str, base: str, links: list[str], expected: str
) -> None:
    article, older = links
    item = f'<ul><li><a href="{article}">어떤 기사의 제목</a> 2026.11.02</li></ul>'
    page = f'{item}<div class="paging"><a href="{older}">2</a></div>'
    assert parse(page, base, cms=cms).older == expected


def links_list(*items: str, after: str = "") -> str:
    return f"<div id='content'><div class='list'>{''.join(items)}</div>{after}</div>"


def board(titles: list[str], *, beside: str = "") -> str:
    rows = "".join(
        f'<tr><td>{9 - n}</td><td><a href="read.asp?seq={9 - n}">{title}</a>{beside}</td><td>2026.11.{20 - n}</td></tr>'
        for n, title in enumerate(titles)
    )
    return f"<table><thead><tr><th>번호</th><th>제목</th><th>날짜</th></tr></thead><tbody>{rows}</tbody></table>"


BOARD = "https://paper.example/board/list.asp?b=1"


def test_a_number_after_a_title_is_the_titles_own_unless_many_titles_of_the_page_end_so() -> None:
    counted = [
        "도서관 새벽 개방 [12]",
        "[연재] 강을 건너는 법 (3)",
        "학생총회 무산 [3]",
        "새 총장 취임 [7]",
        "축제 결산",
    ]
    assert [entry.title for entry in parse(board(counted), BOARD).entries] == [
        "도서관 새벽 개방", "[연재] 강을 건너는 법 (3)", "학생총회 무산", "새 총장 취임", "축제 결산",
    ]  # fmt: skip
    for own in (
        ["강을 건너는 법 (4)", "도서관 새벽 개방", "강을 건너는 법 (3)", "학생총회 무산", "새 총장 [2]"],
        ["강을 건너는 법 [9]", "강을 건너는 법 [7]", "강을 건너는 법 [4]"],
        ["겨울 강가에서 (12)", "가을 들판에서 (11)", "여름 숲에서 (10)", "봄 언덕에서 (9)"],
    ):
        assert [entry.title for entry in parse(board(own), BOARD).entries] == own
        counter = ' <span class="cnt">[5]</span>'
        assert [entry.title for entry in parse(board(own, beside=counter), BOARD).entries] == own


def test_a_headed_title_stands_before_a_shorter_lead_that_links_the_same_article() -> None:
    item = (
        '<div class="box"><h3><a href="/a/{0}">실습실 컴퓨터 열 대 중 넷은 꺼져 있다</a></h3>'
        '<p><a href="/a/{0}">교체는 아직 없다.</a></p><i>2026.11.0{0}</i></div>'
    )
    entries = parse(links_list(*(item.format(n) for n in (3, 2, 1))), "https://paper.example/list").entries
    assert {(entry.title, entry.summary) for entry in entries} == {
        ("실습실 컴퓨터 열 대 중 넷은 꺼져 있다", "교체는 아직 없다.")
    }


def test_a_lead_in_the_row_below_the_title_is_a_summary_and_a_second_title_is_not() -> None:
    item = (
        '<tr><td><img src="/t.jpg"></td><td><a href="read.asp?seq={0}">후임 없는 강의 세 개가 사라져</a></td></tr>'
        '<tr><td><a href="read.asp?seq={0}">{1}</a></td></tr><tr><td>2026-11-0{0} | 조회 3</td></tr>'
    )
    told = ("후임은 정해지지 않았다.", "강의 세 개 폐강", "다음 학기 계획도 없다.")
    page = f"<table>{''.join(item.format(3 - n, text) for n, text in enumerate(told))}</table>"
    entries = parse(page, BOARD).entries
    assert [entry.title for entry in entries] == ["후임 없는 강의 세 개가 사라져"] * 3
    assert [entry.summary for entry in entries] == ["후임은 정해지지 않았다.", "", "다음 학기 계획도 없다."]


def test_I23_what_a_page_writes_about_markup_is_text_and_what_was_escaped_twice_is_not() -> None:
    rows = [
        gnuboard_row(3, "&lt;table&gt;로 배운 세상", "11-28"),
        gnuboard_row(2, "&lt;br&gt;줄바꿈 &lt;b&gt;굵게&lt;/b&gt;", "11-27"),
    ]  # fmt: skip
    assert [entry.title for entry in parse(gnuboard(*rows), GNUBOARD).entries] == ["<table>로 배운 세상", "줄바꿈 굵게"]


def test_a_folder_named_page_is_no_pager() -> None:
    item = '<li><a href="/sub/page/view.asp?sid={0}">학과 개편안 {0}호 확정</a> <i>2026-11-1{0}</i></li>'
    page = f"<ul>{''.join(item.format(n) for n in (5, 4, 3))}</ul>"
    assert len(parse(page, "https://paper.example/sub/page/list.asp").entries) == 3


def test_a_part_that_is_unlike_all_writers_of_the_page_is_a_section() -> None:
    block = (
        '<div class="list-block"><div class="list-titles"><a href="/news/articleView.html?idxno={0}">제목</a></div>'
        '<div class="list-dated">{1} | 2026-11-0{0} 10:00</div></div>'
    )
    told = ["대학 | 김하늘 기자", "너른마당", "문화 | 편집국", "한솔이", "너른대신문"]
    items = [block.format(9 - n, meta) for n, meta in enumerate(told)]
    page = f'<section class="article-list-content">{"".join(items)}</section>'
    assert [(entry.section, entry.byline) for entry in parse(page).entries] == [
        ("대학", "김하늘 기자"), ("너른마당", ""), ("문화", "편집국"), ("", "한솔이"), ("", "너른대신문"),
    ]  # fmt: skip


def test_a_bar_parts_a_section_or_a_writer_from_the_date() -> None:
    item = (
        '<div class="row"><p><a href="/board/view/2/{0}">섬대 실습선 새 이름 공모</a></p><p>'
        "<span>{1}</span><i>|</i><span>2022-04-1{0}</span></p></div>"
    )
    page = links_list(item.format(3, "신문사"), item.format(2, "문화"), item.format(1, "조회 12"))
    entries = parse(page, "https://paper.example/board/2").entries
    assert [(entry.byline, entry.section) for entry in entries] == [("신문사", ""), ("", "문화"), ("", "")]


def test_a_label_in_an_element_of_its_own_says_what_follows_it() -> None:
    item = (
        '<li><a href="view.do?id=B{0}x"><div class="sj"><span class="cat">Campus</span>Dorm Curfew Ends</div></a>'
        "<dl><dt>작성자 :</dt><dd>Lee Haram</dd><dt>조회수</dt><dd>Many</dd><dt>작성일</dt><dd>2025-12-0{0}</dd></dl></li>"
    )
    page = f"<ul>{''.join(item.format(n) for n in (3, 2, 1))}</ul>"
    first = parse(page, "https://paper.example/prog/list.do").entries[0]
    assert (first.title, first.byline, first.section, day(first)) == (
        "Dorm Curfew Ends",
        "Lee Haram",
        "Campus",
        "2025-12-03",
    )


def test_a_short_sentence_in_a_card_is_its_summary_and_a_word_to_click_is_not() -> None:
    item = (
        '<li><a href="/v.do?no={0}"><strong class="tit">작은 극장 지도</strong>'
        '<span class="txt">{1}</span><em>2026.11.1{0}</em></a></li>'
    )
    told = ("객석 서른 개면 충분하다.", "기사 보기", "걷기 좋은 밤이다.")
    page = f"<ul>{''.join(item.format(3 - n, text) for n, text in enumerate(told))}</ul>"
    entries = parse(page, "https://paper.example/list.do").entries
    assert [entry.summary for entry in entries] == ["객석 서른 개면 충분하다.", "", "걷기 좋은 밤이다."]


def test_the_short_text_right_before_the_writer_is_the_section_and_prose_without_a_class_is_the_summary() -> None:
    item = (
        '<div class="news_list"><dl><dt><a href="view.php?idx={0}&amp;mcode=m648iai">기사 제목 {0}호</a></dt><dd>{1}</dd>'
        '<dd class="info"><span>{2}</span> <span>{3}</span> <span>2026-11-1{0} 09:58:11</span></dd></dl></div>'
    )
    told = [
        ("교양 수업 한 반이 산길을 걸었다.", "포토", "산들 기자"),
        ("기사 제목 2호…", "1면", "바다 기자"),
        ("조회 12", "산들 기자", "바다 기자"),
    ]
    page = f"<div>{''.join(item.format(3 - n, *facts) for n, facts in enumerate(told))}</div>"
    entries = parse(page, "https://u.example/news/list.php?mcode=m648iai").entries
    assert [(entry.summary, entry.section, entry.byline) for entry in entries] == [
        ("교양 수업 한 반이 산길을 걸었다.", "포토", "산들 기자"), ("", "", "바다 기자"), ("", "", "산들 기자"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("base", "fact", "items"),
    [("stories?page=3", "2026.11.10", 1), ("stories/page/3", "김하늘 기자", 1), ("stories?page=3", "", 0),
     ("stories", "2026.11.10", 0), ("stories?page=1", "2026.11.10", 0)],
)  # fmt: skip
def test_P22_the_last_page_of_an_archive_may_hold_one_item_that_tells_its_date_or_writer(
    base: str, fact: str, items: int
) -> None:
    page = f"<nav><a href='/about'>우리 신문 소개</a></nav><ul><li><a href='/story/41'>첫 번째 이야기</a> <i>{fact}</i></li></ul>"
    if items:
        assert [entry.url for entry in parse(page, f"https://u.example/{base}").entries] == [
            "https://u.example/story/41"
        ]
    else:
        assert reason(page, f"https://u.example/{base}") == "not_a_list"


@pytest.mark.parametrize("byline", ["아나운서 정채원", "제작부 허도현", "신가을 PD", "신가을 아나운서"])
def test_a_broadcasters_crew_are_writers(byline: str) -> None:
    item = "<li><a href='/watch/{0}'>정오의 산책 {0}</a><p><em>{1}</em> <span>2026.11.1{0} 19:10</span></p></li>"
    page = f"<ul>{''.join(item.format(n, byline) for n in (3, 2, 1))}</ul>"
    assert [entry.byline for entry in parse(page, "https://ubs.example/replay").entries] == [byline] * 3


FILM = "https://youtu.be/dQw4w9WgXcQ?si=1"


def test_rows_that_link_a_film_are_items_of_the_list_they_stand_in_and_other_films_are_not() -> None:
    row = "<li><a href='{0}'>{1}</a><p><em>한빛 기자</em> <span>2026.11.1{2} 19:10</span></p></li>"
    rows = [row.format("/watch/9", "캠퍼스 온에어 9회", 9), row.format(FILM, "비 오는 날의 신청곡", 8)]
    rows += [row.format(f"/watch/{n}", f"캠퍼스 온에어 {n}회", n) for n in (7, 6)]
    rows[3] = rows[3].replace("<p>", "<p><a href='https://youtu.be/aaaaaaaaaaa'>영상으로 보기</a>")
    box = "<div><ul><li><a href='https://youtu.be/bbbbbbbbbbb'>우리 방송국 소개 영상</a></li></ul></div>"
    entries = parse(f"<ul>{''.join(rows)}</ul>{box}", "https://ubs.example/replay").entries
    assert [(entry.url, entry.byline) for entry in entries] == [
        ("https://ubs.example/watch/9", "한빛 기자"),
        (FILM, "한빛 기자"),
        ("https://ubs.example/watch/7", "한빛 기자"),
        ("https://ubs.example/watch/6", "한빛 기자"),
    ]


def test_a_page_of_films_alone_is_a_list_and_two_films_are_none() -> None:
    films = [
        f"<li><a href='https://www.youtube.com/watch?v=aaaaaaaaaa{n}'>정오의 산책 {n}화</a></li>" for n in (3, 2, 1)
    ]
    assert len(parse(f"<ul>{''.join(films)}</ul>", "https://ubs.example/replay").entries) == 3
    assert reason(f"<ul>{''.join(films[1:])}</ul>", "https://ubs.example/replay") == "not_a_list"


def test_an_item_of_a_skin_that_links_a_film_is_an_item() -> None:
    film = gnuboard_row(8, "비 오는 날의 신청곡", "11-28").replace(f"{GNUBOARD}&amp;wr_id=8", FILM)
    page = f'<div id="bo_list"><table><tbody>{gnuboard_row(9, "둘째 소식", "11-29")}{film}</tbody></table></div>'
    assert [entry.title for entry in parse(page, GNUBOARD).entries] == ["둘째 소식", "비 오는 날의 신청곡"]


@pytest.mark.parametrize(
    "byline", ['<li class="author-list-item"><a href="/author/a/">등대 기자</a></li>', "<li>등대 기자</li>"]
)
def test_ghosts_default_theme_lists_its_writers(byline: str) -> None:
    page = (
        '<div class="post-feed"><article class="post-card"><a class="post-card-content-link" href="/a-1/"><h2 '
        'class="post-card-title">어판장의 새벽</h2></a><footer><ul class="author-list">'
        f'{byline}</ul><time datetime="2026-11-24">24일</time></footer></article></div>'
    )
    assert parse(page, "https://ghost.example/tag/a/").entries[0].byline == "등대 기자"


@pytest.mark.parametrize(
    ("base", "pager", "expected"),
    [
        ("media/4205", "?action=list&pageIndex=2", "media/4205?action=list&pageIndex=2"),
        ("1", "/1/?q=YTox&page=2", "1/?q=YTox&page=2"),
        ("b/list.jsp?cate=C7", "list.jsp?skin=a&page=2", "b/list.jsp?cate=C7&skin=a&page=2"),
        ("b/list.jsp?cate=C7", "list.jsp?cate=C9&page=2", "b/list.jsp?cate=C7&page=2"),
        ("b/list.jsp?pager.offset=15", "?pager.offset=30", "b/list.jsp?pager.offset=30"),
        ("b/list.jsp", "?pager.offset=15", "b/list.jsp?pager.offset=15"),
        ("b/list.jsp", "?cur=2", "b/list.jsp?cur=2"),
        ("b/list.jsp", "?day=2", None),
        ("b/list.jsp?cur=2", "?cur=2", None),
        ("press/blog", "/press/blog/page/2", "press/blog/page/2"),
        ("press/blog/page/2", "/press/blog/page/2", None),
    ],
)
def test_P22_the_pagers_own_link_is_kept_with_the_lists_own_parameters(
    base: str, pager: str, expected: str | None
) -> None:
    items = "".join(
        f'<li><a href="/x/view.jsp?no={n}">어느 기사의 긴 제목 {n}</a> 2026.11.2{n}</li>' for n in (3, 2, 1)
    )
    page = f'<ul>{items}</ul><div class="pg"><a href="{pager}">2</a></div>'
    host = "https://paper.example/"
    assert parse(page, f"{host}{base}").older == (expected and f"{host}{expected}")


SHREDS = [
    *(
        "<ul>",
        "</ul>",
        "<table>",
        "</table>",
        "<tbody>",
        "<dt>",
        "<h3>",
        "</h3>",
        "<title>",
        "</title>",
        "<!--",
        "-->",
        "<article>",
        "</a>",
    ),
    *("<li class='altlist-text-item'>", "<h2 class='altlist-subject'>", "<a href='/news/articleView.html?idxno=1'>"),
    *("<tr class='bo_notice'>", "<td class='td_subject'>", "<div class='bo_tit'>", "<a href='?wr_id=2&bo_table=a'>"),
    *("<td class='td_datetime'>", "02-29", "14:05", "2026.13.45", "99-99", "어제", "3시간 전", "<time datetime='x'>"),
    *(
        "<h2 class='entry-title'>",
        "<a href='javascript:jf_viewArtcl(1,2)'>",
        "<a href='index.do?enc=////'>",
        "<td class='_artclTdTitle'>",
    ),
    *(
        "<table class='artclTable'>",
        "<base href='http://['>",
        "<a href='http://[x'>",
        "___currentTime = 99999999999",
        "많이 본 뉴스",
    ),
    *(
        "<div id='section-list'>",
        "<td class='list-titles'>",
        "<a href='/a?page=2'>",
        "&#xD800;",
        "<ul class='art_list_all'>",
        "\x00",
    ),
]
HTMLISH = st.lists(st.sampled_from(SHREDS) | st.text(max_size=8), max_size=60).map(
    lambda parts: "".join(parts).encode("utf-8", "surrogatepass")
)


@settings(max_examples=150, deadline=None)
@given(body=HTMLISH | st.binary(max_size=300), cms=st.sampled_from(["", "gnuboard", "xe", "wordpress", "tistory"]))
def test_no_bytes_make_it_raise_anything_but_its_named_refusal(body: bytes, cms: str) -> None:
    try:
        feed = parse(body, GNUBOARD, cms=cms)
    except FeedUnreadable:
        return
    assert feed.entries
    assert all(entry.url.startswith("http") and entry.title for entry in feed.entries)
    assert all((entry.published is None) == (entry.date_from == "none") for entry in feed.entries)
