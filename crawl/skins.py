"""The list skins of the campus web as tables: where a page keeps its list, and where an item keeps its facts.

A `Family` is a content system, known by the shape of its article addresses and how its lists are paged. A `Skin` is one way
it prints a list, in CSS. What a skin does not name, `listrows` finds by the words of classes and column headings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Part = Literal["section", "byline"]


@dataclass(frozen=True, slots=True)
class Family:
    """A content system. `article`: an article's address, `id` what names the article; `never`: look-alikes.

    `page`: the query parameter that pages a list, `path` for `/page/N/`, empty where lists cannot be paged by GET.
    `page_step`: how far it moves. `page_items`: items of a full page, where a page without a pager has a next one (0: never).
    `dropped`: parameters that are no part of a list's address. `falling`: dates without a year of any age, in falling order.
    `board`: titles carry what the template adds (comment counts, categories). `pretty`: an article's other, wordless address,
    trusted only where a skin says that a link is an article's. `told`: words of a page without which `article` says too little.
    """

    name: str
    cms: tuple[str, ...] = ()
    article: re.Pattern[str] | None = None
    never: re.Pattern[str] | None = None
    page: str = ""
    page_step: int = 1
    page_items: int = 0
    pager: str = ".pagination, .paging, .paginate, .pager, .page-nav, .pg_wrap, .pagenation, .board-paging"
    dropped: tuple[str, ...] = ()
    falling: bool = True
    board: bool = True
    pretty: re.Pattern[str] | None = None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Skin:
    """One way a family prints lists, as CSS. `container` holds the items, also when there are none.

    `items`: one item each; `climb`: the element to climb to from what `items` finds. All others are looked for inside an item:
    `link` to the article, `title` where that is not the link's text, `meta` cells or one `a | b | c` string in the order
    section, byline, date; `lone`: what a single unlabelled part of it is, where the skin says so. Of several selectors the first
    that finds something counts (of `items` and `container` all do). `broad`: it fits much else too, so it is asked last.
    """

    name: str
    family: str
    items: str
    link: str
    container: str = ""
    climb: str = ""
    title: str = ""
    summary: str = ""
    meta: str = ""
    lone: Part | None = None
    section: str = ""
    byline: str = ""
    date: str = ""
    broad: bool = False


def _shape(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


FAMILIES: tuple[Family, ...] = (
    Family(
        "ndsoft", ("ndsoft",), _shape(r"/articleview(?:amp)?\.html\?(?:[^#]*&)?idxno=(?P<id>\d+)"),
        page="page", page_items=20, dropped=("total",), falling=False, board=False,
    ),
    Family(
        "mediaon", ("mediaon",), _shape(r"/article\.html\?(?:[^#]*&)?no=(?P<id>\d+)"),
        page="page", page_items=20, pager=".btn_pagenum, .pagenum, .paging, .pagination", falling=False, board=False,
    ),
    Family(
        "gnuboard", ("gnuboard", "happycgi"), _shape(r"[?&](?P<id>(?:bo_table=\w+&(?:[^#]*&)?)?wr_id=\d+)"),
        _shape(r"/(?:write|download|delete|password|view_comment|good|move|scrap_popin|link|sns_send)\w*\.php"),
        page="page", page_items=15, dropped=("wr_id",), pretty=_shape(r"/(?P<id>[\w-]+/\d+)/?(?:[?#]|$)"),
    ),
    Family(
        "xe", ("xe",), _shape(r"[?&]document_srl=(?P<id>\d+)"), _shape(r"[?&]act=|[?&]comment_srl="),
        page="page", page_items=20, pager=".bd_pg, .pagination, .paging, .pageNavigation, .page_navi",
        dropped=("document_srl", "listStyle", "best_document_srl"), pretty=_shape(r"/(?P<id>\d+)(?:[?#]|$)"),
    ),
    Family(
        "k2web", ("k2web",),
        _shape(r"(?P<id>/(?:bbs|commonnotice|magazine)/[^?#]+/(?:artclview|view)\.do)"),
    ),
    Family("ntt", (), _shape(r"[?&](?:nttSn|nttNo|nttId)=(?P<id>\d+)"), page="pageIndex", page_items=10),
    Family(
        "smu", (), _shape(r"[?&]articleNo=(?P<id>\d+)"), _shape(r"mode=(?:download|write|list)|attachNo="),
        page="article.offset", page_step=10, page_items=10, dropped=("articleNo", "mode"),
    ),
    Family("sogang", (), _shape(r"/cmsboardview\.do\?(?P<id>[^#]*(?:pkid|bbsIdx|idx|seq|no|num)=\d+)"), page="*"),
    Family("ulsan", (), _shape(r"\?(?=[^#]*\baction=view)(?:[^#]*&)?no=(?P<id>\d+)"), page="*"),
    Family(
        "chungbuk", (), _shape(r"/main2?\.php\?(?P<id>[^#]*mode=(?:view|read)[^#]*(?:idx|no|num|number|seq|id|uid)=\d+[^#]*)"),
        page="page",
    ),
    Family("imweb", ("imweb",), _shape(r"\?(?=[^#]*bmode=view)(?:[^#]*&)?idx=(?P<id>\d+)"), page="page"),
    Family("kgu", (), _shape(r"/view\.php\?(?:[^#]*&)?idx=(?P<id>\d+)"), page="page"),
    Family("shingu", (), _shape(r"/detail\.php\?(?:[^#]*&)?number=(?P<id>\d+)"), page="page"),
    Family("seoultech", (), _shape(r"/\?(?![^#]*bmode=)(?:[^#]*&)?idx=(?P<id>\d+)"), page="page"),
    Family(
        "wordpress", ("wordpress",),
        _shape(r"[?&]p=(?P<id>\d+)|(?P<id2>/(?:19|20)\d\d/\d\d?/(?:\d\d?/)?[^/?#]+/?)(?:[?#]|$)|/archives/(?P<id3>\d+)"),
        _shape(r"[?&](?:cat|paged|replytocom|share)=|/page/\d+"),
        page="path", page_items=10, pager=".pagination, .nav-links, .page-nav, .wp-pagenavi, .navigation, .paging-navigation",
        falling=False, board=False, told="wp-content", pretty=_shape(r"^https?://[^/?#]+/(?!(?:category|tag|author|page)/)[^?#]+"),
    ),
    Family(
        "tistory", ("tistory",), _shape(r"^https?://[^/?#]+(?P<id>/(?:\d{1,7}|entry/[^/?#]+))(?:[?#]|$)"),
        page="page", pager=".pagination, .paging, .area_paging, #paging", falling=False, board=False,
        told="tistory",
    ),
    Family(
        "ghost", ("ghost",), page="path", page_items=12, pager=".pagination", falling=False, board=False,
        pretty=_shape(r"^https?://[^/?#]+/(?!(?:tag|author|page)/)[^?#]+"),
    ),
    Family("links", ("wix",), None, page="*", falling=False),
)  # fmt: skip
"""By how much an address says; the first whose shape fits names it. `page` `*`: the parameter that the pager's links use."""

BY_NAME = {family.name: family for family in FAMILIES}

SKINS: tuple[Skin, ...] = (
    Skin(
        "ndsoft-alt", "ndsoft", ".altlist-webzine-item, .altlist-text-item, .altlist-tile-item", ".altlist-subject a",
        container=".altlist-body, .altlist-webzine, .altlist-text, .altlist-tile",
        summary=".altlist-summary", meta=".altlist-info-item, .altlist-info",
    ),
    Skin(
        "ndsoft-block", "ndsoft", ".list-block, div.table-row", ".list-titles a",
        container=".article-list-content", summary=".list-summary", meta=".list-dated",
    ),
    Skin(
        "ndsoft-type", "ndsoft", "#section-list ul.type1 > li, #section-list ul.type2 > li, #section-list ul.type3 > li",
        ".titles a", container="#section-list",
        summary=".lead", meta=".byline em, em.info, .byline span, .byline",
    ),
    Skin(
        "ndsoft-mobile", "ndsoft", "ul#section-list > li", "a[href*=idxno]",
        container="ul#section-list", title=".titles", summary=".lead", meta="em.info",
    ),
    Skin(
        "ndsoft-table", "ndsoft", "td.list-titles", ".list-titles a", climb="table",
        summary=".list-summary", meta=".list-times", lone="byline",
    ),
    Skin(
        "mediaon", "mediaon", "ul.art_list_all > li", "a[href*=\"article.html\"]", container="ul.art_list_all",
        title="h2, h3", summary="p", date=".art_info .date, li.date, .date", section=".art_info .cate, .art_info .section",
        byline=".art_info .name, .art_info .writer",
    ),
    Skin(
        "gnuboard", "gnuboard",
        "#bo_list tbody tr, .tbl_head01 tbody tr, #fboardlist tbody tr, #gall_ul > li, .gall_li, #bo_list .list_item, "
        "#bo_webzine li",
        ".bo_tit a[href*=wr_id], .bo_subject a[href*=wr_id], .td_subject a[href*=wr_id], a.bo_tit, .bo_tit a:not(.bo_cate_link), "
        ".td_subject a:not(.bo_cate_link)",
        container="#bo_list tbody, .tbl_head01 tbody, #fboardlist tbody, #gall_ul",
        section=".bo_cate_link, .td_cate, .td_category", byline=".sv_member, .sv_guest, .td_name, .gall_name",
        date=".td_datetime, .td_date, .gall_date, .datetime, .date",
    ),
    Skin(
        "xe", "xe", ".bd_lst tbody tr, .board_list tbody tr, .bd_lst > li, .bd_lst ol > li, .board_list > li",
        "a.hx, .title a:not(.replyNum):not(.category), a.title, h3 a, a[href*=document_srl]",
        container=".bd_lst tbody, .board_list tbody",
        section=".cate, .category", byline=".author, .writer, .nick_name", date=".time, .date, .regdate",
    ),
    Skin(
        "k2web", "k2web", ".artclTable tbody tr, tr.headline, .board-table tbody tr, .artclList > li",
        "._artclTdTitle a, .td-subject a, td.title a, a.artclLinkView",
        container=".artclTable tbody", byline="._artclTdWriter, .td-write, .td-writer", date="._artclTdRdate, .td-date",

    ),
    Skin(
        "smu", "smu", ".board-table tbody tr, .board-thumb-wrap > li, .board-list-wrap > li",
        ".b-title-box a, .board-thumb-content-title a, td.b-td-left a, a[href*=articleNo]",
        container=".board-table tbody", section=".b-cate", byline=".b-writer, .board-thumb-content-writer",
        date=".b-date, .board-thumb-content-date",
    ),
    Skin(
        "imweb", "imweb", "ul.li_body, .list-style-card .item_container", "a.list_text_title, .list_text_title a, a[href*=bmode]",
        container=".li_board", section=".category", byline="li.name, .write .name, .name", date="li.time, .time",

    ),
    Skin(
        "ghost", "ghost", "article.post-card, article.gh-card, .post-card, .gh-card",
        "a.post-card-content-link, a.gh-card-link, a",
        container=".post-feed, .gh-postfeed, .gh-feed", title=".post-card-title, .gh-card-title",
        summary=".post-card-excerpt, .gh-card-excerpt", section=".post-card-primary-tag, .post-card-tags span, .gh-card-tag",
        byline=".post-card-author, .post-card-byline-content a, .author-list a, .author-list, .gh-card-author",
        date="time[datetime], .post-card-meta-date, .gh-card-date",
    ),
    Skin(
        "wordpress", "wordpress",
        "article, .hentry, .td_module_wrap, .td-block-span6, .jeg_post, .post-item, li.wp-block-post, .type-post",
        ".entry-title a, h2 a, h3 a, h1 a, .jeg_post_title a, .wp-block-post-title a, .post-title a",
        summary=".entry-summary, .excerpt, .td-excerpt, .jeg_post_excerpt, .wp-block-post-excerpt, .post-excerpt, "
        ".entry-content p",
        section=".cat-links a, .td-post-category, a[rel~=category], .jeg_post_category a, .wp-block-post-terms a, "
        ".entry-category a",
        byline=".author a, .author, .byline a, .byline, a[rel=author], .td-post-author-name a, .post-author, "
        ".jeg_meta_author a",
        date="time.published, time.entry-date:not(.updated), time[datetime]:not(.updated), time, .entry-date, .posted-on, "
        ".post-date, .published, .date, .jeg_meta_date",
 broad=True,
    ),
    Skin(
        "tistory", "tistory", ".list_content, .post-item, .article_item, .searchList li, .list-item, .post_item, .inner_content, "
        ".list_type li, ol.list li, ul.list li",
        "a.link_post, .tit_post a, .title a, h2 a, h3 a, a[href]",
        title=".tit_post, .title, .tit, strong", summary=".txt_post, .excerpt, .summary, .txt",
        section=".link_cate, .category, .cate", date=".txt_date, .date, time, .meta .date", broad=True,
    ),
)  # fmt: skip
