"""Lists as ND Soft sites show them: four desktop skins and the mobile one, with their boxes, decoys and pagers."""

from __future__ import annotations

from tests.sim.datewords import korean
from tests.sim.sheet import Listing, Row, banner, document, e, footer, padded

_TAIL = "&sc_section_code=&sc_sub_section_code=&sc_serial_code=&sc_area=&sc_level=&sc_order_by=E&view_type=sm"


def block(listing: Listing) -> str:
    """Skin A of about 2016: the meta line is one string `section | writer | date`."""
    items = "".join(
        f"""<div class="list-block">
  <div class="list-titles"><a href="{e(row.href)}" target="_top"><strong>{e(row.title)}</strong></a></div>
  <p class="list-summary"><a href="{e(row.href)}" class="line-height-3-2x">{e(row.summary)}</a></p>
  <div class="list-dated">{e(row.section)} | {e(row.byline)} | {row.date}</div>
  <div class="list-image" style="background-image:url({row.image})"></div>
</div>
"""
        for row in listing.rows
    )
    body = f"""<div id="user-wrap"><header>{_top(listing)}</header>
<section class="article-list"><header><h3>전체기사</h3> <small>총 {listing.pages * 20}건</small></header>
<section class="article-list-content text-left">
{items or '<p class="text-center">기사가 없습니다</p>'}</section>
{_pager(listing)}</section>
{_boxes(listing)}</div>{_foot(listing)}"""
    return document(listing, f"전체 < 기사목록 - {listing.outlet}", _head(listing), body)


def type2(listing: Listing) -> str:
    """Skin B of about 2019: `ul.type2`, the byline as three `em`."""
    items = "".join(
        f"""<li class="item">
<a href="{e(row.href)}" class="thumb"><img src="{e(row.image)}" alt="{e(row.title)}"></a>
<div class="view-cont"><H4 class="titles"><a href="{e(row.href)}" target="_top">{e(row.title)}</a></H4>
<p class="lead line-6x2"><a href="{e(row.href)}">{e(row.summary)}</a></p>
<span class="byline"><em>{e(row.section)}</em><em>{e(row.byline)}</em><em>{row.date}</em></span></div>
</li>
"""
        for row in listing.rows
    )
    body = f"""<div id="user-wrap"><header>{_top(listing)}</header><div id="sections">
<header class="section-header"><h3>{"All Articles" if listing.english else "전체기사"}</h3></header>
<section id="section-list"><ul class="type2">
{items}</ul></section>
{_pager(listing)}</div>{_boxes(listing)}</div>{_foot(listing)}"""
    return document(listing, f"전체 < 기사목록 - {listing.outlet}", _head(listing), body)


def webzine(listing: Listing) -> str:
    """Skin C of about 2023, items with picture and summary."""
    return _alt(listing, "webzine", "".join(_webzine_item(row) for row in listing.rows))


def text(listing: Listing) -> str:
    """Skin C, titles only."""
    items = "".join(
        f"""<li class="altlist-text-item"><div class="altlist-text-group">
<H2 class="altlist-subject"><a href="{e(row.href)}" target="_top">{padded(row.title)}</a></H2>
{_info(row)}</div></li>
"""
        for row in listing.rows
    )
    return _alt(listing, "text", items)


def tile(listing: Listing) -> str:
    """Skin C as tiles; the image stands behind `data-src`."""
    items = "".join(
        f"""<li class="altlist-tile-item"><a href="{e(row.href)}" class="altlist-image"><img data-src="{e(row.image)}"
 src="/image/blank.gif" alt="{e(row.title)}"></a>
<H2 class="altlist-subject"><a href="{e(row.href)}">{padded(row.title)}</a></H2>
{_info(row)}</li>
"""
        for row in listing.rows
    )
    return _alt(listing, "tile", items)


def table(listing: Listing) -> str:
    """Skin D of before 2016: nested tables, `writer | date` with hard spaces, links relative to the page."""
    items = "".join(
        f"""<tr><td colspan="4"><table width="100%" border="0"><tr>
<td width="180"><div class="list-photos border-box"><a href="{e(row.href)}">
<img src="./thumbnail/{row.number}_v150.jpg"></a></div></td>
<td valign="top"><table width="100%"><tr><td class="list-titles"><a href="{e(row.href)}">{e(row.title)}</a>      </td></tr>
<tr><td class="list-summary"><a href="{e(row.href)}">{e(row.summary)}</a></td></tr>
<tr><td class="list-times list-pad-10">{e(row.byline)}&nbsp;&nbsp;<i>|</i>&nbsp;&nbsp;{row.date}</td></tr></table></td>
</tr></table></td></tr>
<tr><td colspan="4"><div class="list-line-dot">라인</div></td></tr>
"""
        for row in listing.rows
    )
    here = korean(listing.now)
    head = f"""<script language="javascript">
<!--
var ___currentTime = parseInt("{int(listing.now)}", 10);
//-->
</script><link rel="alternate" type="application/rss+xml" href="/rss/allArticle.xml">"""
    body = f"""<div id="HeadTop"><ul><li class="update"><strong>UPDATE</strong> :
{here.year}.{here.month}.{here.day} {"월화수목금토일"[here.weekday()]} {here:%H:%M}</li></ul></div>
<table width="630" border="0"><tr><td><b>기사</b> (전체 {listing.pages * 20}건)</td>
<td><a href="articleList.html?page=1&total=177{_TAIL}" title="제목보기"><img src="/image2006/default/btn_c.gif"></a></td></tr>
{items}</table>
{_pager(listing)}
<table class="side"><tr><td class="auto-fontA"><a href="articleView.html?idxno={listing.decoys[0].number}">
{e(listing.decoys[0].title)}</a></td></tr></table>
{_foot(listing)}"""
    return document(listing, listing.outlet, head, body)


def mobile(listing: Listing) -> str:
    """The mobile skin: the whole row is one link; the date is found by its class, never by its place."""
    items = "".join(
        f"""<li><a href="{e(row.href)}"><div class="titles">{e(row.title)}</div>
<div class="byline">{_mobile_info(row)}</div></a></li>
"""
        for row in listing.rows
    )
    body = f"""<header><h1><a href="/">{e(listing.outlet)}</a></h1></header>
<div class="today">{banner(listing)}</div><ul id="section-list" class="list">
{items}</ul>{_pager(listing)}{_foot(listing)}"""
    return document(listing, listing.outlet, _head(listing), body)


def _mobile_info(row: Row) -> str:
    dated = f'<em class="info dated">{row.date}</em>'
    others = f'<em class="info category">{e(row.section)}</em><em class="info name">{e(row.byline)}</em>'
    return dated + others if row.number % 3 == 0 else others + dated


def _webzine_item(row: Row) -> str:
    image = f"""<a href="{e(row.href)}" target="_top" class="altlist-image"><img src="{e(row.image)}" alt="{e(row.title)}"
 width="300" height="180" loading="lazy"/></a>"""
    return f"""<li class="altlist-webzine-item">
{"" if row.number % 20 == 11 else image}
<div class="altlist-webzine-content">
<H2 class="altlist-subject"><a href="{e(row.href)}" target="_top">{padded(row.title)}</a></H2>
<p class="altlist-summary">{padded(row.summary)}</p>
{_info(row)}</div></li>
"""


def _info(row: Row) -> str:
    cells = (e(row.section), e(row.byline), row.date)
    return f'<div class="altlist-info">{"".join(f"""<div class="altlist-info-item">{cell}</div>""" for cell in cells)}</div>'


def _alt(listing: Listing, kind: str, items: str) -> str:
    views = "".join(
        f'<a href="https://{listing.host}/news/articleList.html?page=1&total=73{_TAIL}" class="altlist-btn" title="보기"></a>'
        for _ in range(3)
    )
    body = f"""<div id="user-wrap">{_top(listing)}
<main><section class="grid body"><div id="sections" class="altlist">
<header class="altlist-header"><H1 class="altlist-title">전체기사
<small class="altlist-count">총 <strong>{listing.pages * 20}</strong>건의 기사가 있습니다.</small></H1>{views}</header>
<article id="section-list" class="altlist-body"><ul class="altlist-{kind}">
{items}</ul>
<li id="sample" class="altlist-{kind}-item blind"><a href="" class="replace-link altlist-image">
<img src="" class="replace-image"></a>
<H2 class="altlist-subject"><a href="" class="replace-titles"></a></H2><div class="altlist-info">
<div class="altlist-info-item replace-section"></div></div></li>
<button type="button" class="list-btn-more" data-page="1">더보기</button>
<script>var pagingType = "more", total = {listing.pages * 20}, list_per_page = 20, page_per_page = 10;</script>
</article></div></section>{_boxes(listing)}</main></div>{_foot(listing)}"""
    return document(listing, f"전체 < 기사목록 - {listing.outlet}", _head(listing), body)


def _head(listing: Listing) -> str:
    return f"""<meta property="og:image" content="https://{listing.host}/image/logo/snslogo_1.png">
<link rel="canonical" href="https://{listing.host}/news/articleList.html?sc_section_code=&sc_sub_section_code=&sc_serial_code=">
<script>
var SITE_DOMAIN = 'https://{listing.host}', ___currentTime	= {int(listing.now)};
</script>"""


def _top(listing: Listing) -> str:
    menu = "".join(
        f'<li><a href="https://{listing.host}/news/articleList.html?sc_section_code=S1N{k}&view_type=sm">{name}</a></li>'
        for k, name in enumerate(("대학", "사회", "문화", "포토"), start=1)
    )
    slide = "".join(
        f'<li><a href="/news/articleView.html?idxno={row.number}" class="auto-titles">{e(row.title)}</a></li>'
        for row in listing.decoys[:2]
    )
    return f"""<div class="gl-updated">발행일: {banner(listing)[9:]}</div><ul id="user-menu">{menu}</ul>
<div class="head-slide"><ul>{slide}</ul></div>"""


def _boxes(listing: Listing) -> str:
    links = "".join(
        f"""<li class="auto-article"><a href="https://{listing.host}/news/articleView.html?idxno={row.number}">
<span class="auto-titles">{e(row.title)}</span></a></li>"""
        for row in listing.decoys
    )
    boxes = "".join(
        f'<div class="box-skin"><header class="header">{name}</header><ul>{links}</ul></div>'
        for name in ("많이 본 뉴스", "포토뉴스")
    )
    return f'<aside class="grid side">{boxes}<div class="auto-martop-10">공모 마감 2027-01-31 18:00</div></aside>'


def _pager(listing: Listing) -> str:
    def link(page: int) -> str:
        return f"{listing.link(page)}&total={listing.pages * 20}&box_idxno={_TAIL}"

    numbers = "".join(
        f'<a class="p-num on">{page}</a>'
        if page == listing.page
        else f'<a class="p-num" href="{link(page)}">{page}</a>'
        for page in listing.around()
    )
    return f"""<div class="page-nav"><div class="wb"><a class="pre-btn" href="{link(1)}">-</a>{numbers}
<a class="next-btn" href="{link(listing.pages)}">-</a></div></div>"""


def _foot(listing: Listing) -> str:
    return f"""{footer(listing)}<div class="copy">C<a href="/admin/adminLoginForm.html">o</a>pyright
<a href="/news/articleList.html?page=1&view_type=sm">All</a> rights reserved.</div>
<div class="ndsoft"><a href="https://www.ndsoft.example/"><img src="/image/ndsoft.svg" alt="ND소프트"></a></div>
<a href="/com/com-1.html">매체소개</a>"""
