"""Lists as boards show them: Gnuboard, XpressEngine, K2Web and other boards of universities."""

from __future__ import annotations

from datetime import timedelta

from tests.sim.datewords import korean
from tests.sim.sheet import Listing, document, e, footer, padded


def gnuboard(listing: Listing) -> str:
    """Gnuboard 5 as shipped: a day is `MM-DD` without its year; notices above, a secret post among the rows."""
    root, rows = f"http://{listing.host}", []
    for number, row in enumerate((*listing.pinned, *listing.rows)):
        pinned = number < len(listing.pinned)
        mark = '<strong class="notice_icon"><i class="fa fa-bullhorn"></i>공지</strong>' if pinned else str(row.number)
        rows.append(
            f"""<tr class="{"bo_notice" if pinned else ""} {"even" if number % 2 else ""}">
<td class="td_num2">{mark}</td>
<td class="td_subject" style="padding-left:0px"><a href="{root}{listing.path}&amp;sca=%EB%8C%80%ED%95%99" class="bo_cate_link">\
{e(row.section)}</a>
<div class="bo_tit"><a href="{e(row.href)}">{padded(row.title)}</a>
<span class="sound_only">댓글</span><span class="cnt_cmt">{1 + row.number % 9}</span><span class="sound_only">개</span></div></td>
<td class="td_name sv_use"><span class="sv_member">{e(row.byline)}</span></td>
<td class="td_num">{row.number * 7 % 900}</td><td class="td_datetime">{row.date}</td></tr>
"""
        )
    secret = f"""<tr class=""><td class="td_num2">7</td><td class="td_subject"><div class="bo_tit">
<a href="{root}{listing.path}&amp;wr_id=7"><i class="fa fa-lock" aria-hidden="true"></i> 비밀글입니다.</a></div></td>
<td class="td_name">독자</td><td class="td_num">1</td><td class="td_datetime">01-02</td></tr>"""
    if rows[len(listing.pinned) :]:
        rows.insert(len(listing.pinned) + 1, secret)
    else:
        rows.append('<tr><td colspan="5" class="empty_table">게시물이 없습니다.</td></tr>')
    return document(
        listing, f"{listing.outlet} {listing.page} 페이지", "", _gnuboard_body(listing, root, "".join(rows))
    )


def _gnuboard_body(listing: Listing, root: str, rows: str) -> str:
    pages = "".join(
        f'<strong class="pg_current">{page}</strong>'
        if page == listing.page
        else f'<a href="{root}{e(listing.link(page))}" class="pg_page">{page}<span class="sound_only">페이지</span></a>'
        for page in listing.around()
    )
    last = f'<a href="{root}{e(listing.link(listing.pages))}" class="pg_page pg_end">맨끝</a>'
    aside = "".join(
        f'<li><a href="{root}{e(listing.path)}&amp;wr_id={row.number}">{e(row.title)}</a></li>'
        for row in listing.decoys
    )
    return f"""<div id="hd"><ul id="gnb"><li><a href="{root}{e(listing.path)}">보도</a></li></ul></div>
<div id="container"><div id="bo_list"><div id="bo_list_total">
<span>Total {listing.pages * 15}건</span> {listing.page} 페이지</div>
<div class="tbl_head01 tbl_wrap"><table><caption>보도 목록</caption><thead><tr><th scope="col">번호</th><th scope="col">제목</th>
<th scope="col">글쓴이</th><th scope="col">조회</th>
<th scope="col"><a href="{root}{e(listing.path)}&amp;sst=wr_datetime&amp;sod=desc&amp;page=1">날짜</a></th></tr></thead><tbody>
{rows}</tbody></table></div>
<nav class="pg_wrap"><span class="pg">{pages}{last}</span></nav></div></div>
<aside id="aside"><div class="lat"><h2>인기글</h2><ul>{aside}</ul><span class="lt_date">11-30</span></div>
</aside>{footer(listing)}"""


def xe(listing: Listing) -> str:
    """XpressEngine, the sketchbook skin: the day as text, the time in `title`; pretty links beside viewer links."""
    prefix = listing.path.partition("?")[0].rpartition("/")[0]
    rows = [
        f"""<tr class="{"notice" if number < len(listing.pinned) else ""}">
<td class="no">{"<span>공지</span>" if number < len(listing.pinned) else row.number}</td>
<td class="title"><a href="{e(row.href)}" class="{"" if number < len(listing.pinned) else "hx"}"
 data-viewer="{prefix}/index.php?mid=news&amp;document_srl={row.number}&amp;listStyle=viewer">{padded(row.title)}</a>
<a href="{e(row.href)}#{row.number}_comment" class="replyNum" title="댓글">{1 + row.number % 5}</a>
<span class="extraimages"></span></td>
<td class="author"><span><a href="#popup_menu_area" class="member_4" onclick="return false">{e(row.byline)}</a></span></td>
<td class="time" title="{korean(row.at):%H:%M}">{row.date}</td><td class="m_no">{row.number % 99}</td></tr>
"""
        for number, row in enumerate((*listing.pinned, *listing.rows))
    ]
    pages = "".join(
        f'<a class="frst_last bubble this" href="{e(listing.path)}">{page}</a>'
        if page == listing.page
        else f'<a href="{e(listing.link(page))}">{page}</a>'
        for page in listing.around()
    )
    following = listing.link(min(listing.page + 1, listing.pages))
    decoys = "".join(f'<li><a href="{prefix}/news/{row.number}">{e(row.title)}</a></li>' for row in listing.decoys)
    body = f"""<div class="widget"><h3>최근 댓글</h3><ul>{decoys}</ul><span class="date">2026.11.30</span></div>
<table class="bd_lst bd_tb_lst bd_tb"><caption class="blind">List of Articles</caption><thead class="bg_f_f9"><tr>
<th scope="col" class="no"><a href="{prefix}/index.php?mid=news&amp;order_type=desc">번호</a></th><th class="title">제목</th>
<th>글쓴이</th><th>날짜</th><th class="m_no">조회 수</th></tr></thead><tbody>
{"".join(rows)}</tbody></table>
<form action="./" method="get" class="bd_pg clear"><fieldset><legend class="blind">Board Pagination</legend>
<strong class="direction">Prev</strong> {pages} <a class="direction" href="{e(following)}">Next</a>
<input type="text" name="page" class="itx" />/ {listing.pages}</fieldset></form>{footer(listing)}"""
    return document(listing, listing.outlet, '<meta name="Generator" content="XpressEngine">', body)


def k2web(listing: Listing) -> str:
    """K2Web: pinned rows from another board number, a badge inside the link, paging by a form's script."""
    rows = [
        f"""<tr class="{"headline _artclEven" if number < len(listing.pinned) else ""}">
<td class="_artclTdNum">{"<span>일반공지</span>" if number < len(listing.pinned) else row.number}</td>
<td class="_artclTdTitle"><a href="{e(row.href)}" onclick="jf_viewArtcl('press','4930','{row.number}')" class="artclLinkView">
<strong>{padded(row.title)}</strong>{'<span class="newArtcl">새글</span>' if listing.now - row.at < 2 * 86_400 else ""}</a></td>
<td class="_artclTdWriter">{e(row.byline)}</td><td class="_artclTdRdate">{row.date}</td>
<td class="_artclTdAtchFile"></td><td class="_artclTdAccess">{row.number * 3 % 700}</td></tr>
"""
        for number, row in enumerate((*listing.pinned, *listing.rows))
    ]
    numbers = "".join(f"<a href=\"javascript:page_link('{page}')\">{page}</a>" for page in listing.around())
    body = f"""<div class="_fnctWrap"><table class="artclTable artclHorNum1"><thead><tr><th>번호</th><th>제목</th><th>작성자</th>
<th>작성일</th><th>첨부파일</th><th>조회</th></tr></thead><tbody>
{"".join(rows)}</tbody></table>
<form name="pageForm" method="post" action="{e(listing.path)}"><input type="hidden" name="page" value="{listing.page}"></form>
<div class="_paging">{numbers}</div></div>
<div class="quick"><a href="/bbs/press/77/900001/artclView.do">증명서 발급 안내</a> <span>2026.11.02</span>
</div>{footer(listing)}"""
    return document(listing, listing.outlet, "", body)


def ntt(listing: Listing) -> str:
    """An `ntt` board: the title carries its page of the paper, the row its day."""
    rows = [
        f"""<tr><td class="bbs_num">{row.number}</td><td class="bbs_tit alignL"><a href="{e(row.href)}">{e(row.title)}</a></td>
<td class="bbs_nm">{e(row.byline)}</td><td class="bbs_date">{row.date}</td><td class="bbs_hit">{row.number % 300}</td></tr>
"""
        for row in listing.rows
    ]
    pages = "".join(f'<a href="{e(listing.link(page))}">{page}</a>' for page in listing.around())
    body = f"""<div class="total">총 {listing.pages * 10}건 ({listing.page}/{listing.pages} 쪽)</div>
<table class="bbsList"><thead><tr><th>번호</th><th>제목</th><th>작성자</th><th>등록일</th><th>조회</th></tr></thead><tbody>
{"".join(rows)}</tbody></table><div class="paging">{pages}</div>{footer(listing)}"""
    return document(listing, listing.outlet, "", body)


def numbered(listing: Listing) -> str:
    """A board that no product made: a table with a head, the bare minimum of classes, an editing date above it."""
    rows = [
        f"""<tr><td>{row.number}</td><td class="left">
<a href="{e(row.href)}">{e(row.title)}</a> <span>[{row.number % 4}]</span></td>
<td>{e(row.byline)}</td><td>{row.date}</td><td>{row.number % 300}</td></tr>
"""
        for row in listing.rows
    ]
    pages = " ".join(
        f"<b>{page}</b>" if page == listing.page else f'<a href="{e(listing.link(page))}">[{page}]</a>'
        for page in listing.around()
    )
    here = korean(listing.now)
    top = f"최종편집 : {here.year}.{here.month}.{here.day} {'월화수목금토일'[here.weekday()]} {here:%H:%M}"
    body = f"""<div class="last_edit">{top}</div><table><thead><tr><th>번호</th><th>제목</th><th>글쓴이</th>
<th>작성일</th><th>조회</th>
</tr></thead><tbody>
{"".join(rows)}</tbody></table><p class="pages">{pages}</p>
<table><tr><td><a href="/main.php">첫 화면</a></td><td>2011.05.16 창간</td></tr></table>{footer(listing)}"""
    return document(listing, listing.outlet, "", body)


def smu(listing: Listing) -> str:
    """A board of `mode=view&articleNo=`: pages are offsets; items of a list, not of a table."""
    rows = [
        f"""<li><dl class="board-thumb-content-wrap"><dt class="board-thumb-content-title">
<a href="{e(row.href)}" title="{e(row.title)} 자세히 보기">{padded(row.title)}</a></dt>
<dd class="board-thumb-content-info"><ul><li class="board-thumb-content-date"><span>작성일</span> {row.date}</li>
<li class="board-thumb-content-writer"><span>작성자</span> {e(row.byline)}</li><li>조회수 {row.number % 321}</li></ul>
</dd></dl></li>
"""
        for row in listing.rows
    ]
    pages = "".join(
        f'<li><a class="{"active" if page == listing.page else ""}"'
        f' href="{e(listing.link(page).replace(listing.path, ""))}">{page}</a></li>'
        for page in listing.around()
    )
    body = f"""<div class="board-name">{e(listing.outlet)}</div><ul class="board-thumb-wrap">
{"".join(rows)}</ul><div class="paging"><ul class="paging-wrap">{pages}</ul></div>{footer(listing)}"""
    return document(listing, listing.outlet, "", body)


def kgu(listing: Listing) -> str:
    """The `view.php?idx=` family: links with a section code, dates to the second."""
    rows = "".join(
        f"""<div class="news_list"><a href="{e(row.href)}" class="thumb"><img src="{e(row.image)}" alt=""></a>
<dl><dt><a href="{e(row.href)}">{e(row.title)}</a></dt><dd class="text"><a href="{e(row.href)}">{e(row.summary)}</a></dd>
<dd class="info"><span>{e(row.section)}</span> <span>{e(row.byline)}</span> <span>{row.date}</span></dd></dl></div>
"""
        for row in listing.rows
    )
    pages = "".join(f'<a href="{e(listing.link(page))}">{page}</a>' for page in listing.around())
    top = "".join(f'<li><a href="view.php?idx={row.number}">{e(row.title)}</a></li>' for row in listing.decoys)
    day = korean(listing.now) - timedelta(days=1)
    body = f"""<div class="top_date">{day:%Y-%m-%d} (편집)</div><div id="list_body">{rows}</div><div class="paging">{pages}</div>
<div id="right"><h4>많이 본 기사</h4><ol>{top}</ol></div>{footer(listing)}"""
    return document(listing, listing.outlet, "", body)


def seoultech(listing: Listing) -> str:
    """The `?category=&idx=` family: an hour without minutes, and now and then no writer at all."""
    rows = "".join(
        f"""<div class="report_item"><h4><a href="{e(row.href)}">{e(row.title)}</a></h4><p>{e(row.summary)}</p>
<p class="report_info">{e(row.byline)} ㅣ 기사 승인 {row.date} | 600호 ㅣ 조회수 : {row.number % 88}</p></div>
"""
        for row in listing.rows
    )
    pages = "".join(f'<a href="{e(listing.link(page))}">{page}</a>' for page in listing.around())
    body = f"""<nav><a href="/reports/?category=53">보도</a><a href="/reports/?category=54">기획</a></nav>
<div class="report_list">{rows}</div><div class="pages">{pages}</div>{footer(listing)}"""
    return document(listing, listing.outlet, "", body)
