"""The page of one article in each family: small, with the date, the picture and the wishes such pages really carry."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tests.sim.datewords import korean, meant, written
from tests.sim.newsroom import Piece
from tests.sim.pictures import picture
from tests.sim.sheet import e

Wish = Literal["", "noindex", "nosnippet"]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a page is made of. `image`: as og:image holds it; `dated`: when its own clock says it was made."""

    outlet: str
    host: str
    piece: Piece
    title: str
    image: str
    robots: str
    now: float
    declared: str

    def said(self, style: str) -> str:
        """The date of publication in a style."""
        return written(self.piece.published, style, self.now)


@dataclass(frozen=True, slots=True)
class Look:
    """`dates`: the style of the most exact date on the page, be it a meta element; `write` gives head and body."""

    dates: str
    write: Callable[[Facts], tuple[str, str]]


def wish(piece: Piece) -> tuple[Wish, Literal["", "meta", "header"]]:
    """What the page of a piece asks of indexes, and where it says so."""
    if piece.number % 17 == 5:
        return "noindex", "header" if piece.number % 2 else "meta"
    return ("nosnippet", "meta") if piece.number % 17 == 11 else ("", "")


def page(
    outlet: str, piece: Piece, now: float, look: str, *, declared: str, hides: bool, logo: bool
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The page at `now` and the headers that come with it."""
    asked, where = wish(piece) if hides else ("", "")
    tag = {"noindex": "noindex, follow", "nosnippet": "nosnippet"}.get(asked, "")
    host = piece.page.partition("://")[2].partition("/")[0]
    image = picture(piece.page, piece.number, piece.published, always_logo=logo).written
    robots = f'<meta name="robots" content="{tag}">\n' if where == "meta" else ""
    facts = Facts(outlet, host, piece, piece.headline(now), image, robots, now, declared)
    head, body = LOOKS[look].write(facts)
    text = (
        f'<!doctype html>\n<html lang="ko"><head><meta charset="{declared}">\n<title>{e(facts.title)} &lt; 기사본문 - {e(outlet)}'
        f'</title>\n{robots}<meta property="og:title" content="{e(facts.title)}">\n'
        f'<meta property="og:image" content="{e(image)}">\n'
        f'<meta property="og:site_name" content="{e(outlet)}">\n{head}\n</head>\n<body>\n{body}\n'
        f"<footer>저작권자 © {e(outlet)} 무단전재 및 재배포 금지 | 등록일자 2011.05.16</footer></body></html>\n"
    )
    return text, ((("X-Robots-Tag", tag),) if where == "header" else ())


def meant_on(look: str, piece: Piece) -> tuple[int | None, str]:
    """The most exact date on a piece's page: epoch seconds and precision."""
    return meant(piece.published, LOOKS[look].dates)


def _text(facts: Facts, attributes: str) -> str:
    body = "".join(f"<p>{e(paragraph)}</p>" for paragraph in facts.piece.story.paragraphs)
    return f"<div {attributes}>{body}</div>"


def _ndsoft_new(facts: Facts) -> tuple[str, str]:
    exact = facts.said("w3c")
    data = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": facts.title, "datePublished": exact,
            "dateModified": exact, "image": [f"https://{facts.host}/image/logo/snslogo.png"]}  # fmt: skip
    head = f"""<meta property="article:section" content="{e(facts.piece.story.section)}">
<meta property="article:published_time" content="{exact}">
<!--<link rel="amphtml" href="https://{facts.host}/news/articleViewAmp.html?idxno=1">-->
<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>
<script>var ___currentTime = {int(facts.now)}; $('#article-view-content-div').on('copy', null);</script>"""
    body = f"""<div class="gl-updated">발행일: {written(facts.now, "hyphen")} (화)</div>
<header class="article-view-header"><div class="section-name">{e(facts.piece.story.section)}</div>
<H1 class="heading">{e(facts.title)}</H1>
<ul class="breadcrumbs"><li class="info-name" aria-label="기자명">{e(facts.piece.story.byline)}</li>
<li>입력 {facts.said("dots")}</li>
</ul></header>{_text(facts, 'id="article-view-content-div" itemprop="articleBody"')}
<aside><ul><li><a href="/news/articleView.html?idxno=3">다른 기사</a> 2025.01.02 03:04</li></ul></aside>"""
    return head, body


def _ndsoft_old(facts: Facts) -> tuple[str, str]:
    head = f"""<script type="application/ld+json">{{"@context":"http://schema.org","@type":"Person","name":"{e(facts.outlet)}"}}</script>
<script>var ___currentTime = {int(facts.now)};</script>"""
    body = f"""<div class="update">UPDATED. {written(facts.now, "hyphen")} (화)</div>
<header><div class="article-head-title">{e(facts.title)}</div><section class="info-text"><ul>
<li><i class="fa"></i> {e(facts.piece.story.byline)}</li><li>승인 {facts.said("dots")}</li><li>호수 1441</li>
<li>댓글 0</li></ul></section>
</header>{_text(facts, 'id="article-view-content-div" class="article-veiw-body"')}"""
    return head, body


def _ndsoft_table(facts: Facts) -> tuple[str, str]:
    here = korean(facts.now)
    body = f"""<div id="HeadTop"><ul><li class="update">
<strong>UPDATE</strong> : {here.year}.{here.month}.{here.day} 화 21:25</li></ul></div>
<td class="View_Title"><span>{e(facts.title)}</span></td><td class="View_Info">{e(facts.piece.story.byline)}
<span>승인{facts.said("dots")}l수정{written(facts.piece.published + 3600, "dots")}l397호 1면</span></td>
{_text(facts, 'id="articleBody"')}"""
    return f'<script>var ___currentTime = parseInt("{int(facts.now)}", 10);</script>', body


def _mediaon(facts: Facts) -> tuple[str, str]:
    here = korean(facts.now)
    body = f"""<p class="today_txt">{here:%Y.%m.%d} (화)</p><div class="weather_box">동두천 15.1℃</div>
<div class="art_top"><h2>{e(facts.title)}</h2><ul class="art_info"><li class="name">{e(facts.piece.story.byline)}</li>
<li>등록 {facts.said("space").replace("-", ".")}</li></ul></div>{_text(facts, 'id="news_body_area"')}"""
    return '<meta property="og:type" content="article">', body


def _gnuboard(facts: Facts) -> tuple[str, str]:
    body = f"""<article id="bo_v"><h2 id="bo_v_title"><span class="bo_v_cate">{e(facts.piece.story.section)}</span>
<span class="bo_v_tit">{e(facts.title)}</span></h2>
<section id="bo_v_info"><strong>{e(facts.piece.story.byline)}</strong> <strong>조회 12회</strong>
<strong class="if_date"><span class="sound_only">작성일</span> {facts.said("short_year")}</strong></section>
<section id="bo_v_file"><li>사진.jpg DATE : {written(facts.piece.published + 86_400, "space")}</li></section>
{_text(facts, 'id="bo_v_con"')}</article>"""
    return "", body


def _xe(facts: Facts) -> tuple[str, str]:
    body = f"""<div class="rd_hd"><h1 class="np_18px"><a href="{e(facts.piece.page)}">{e(facts.title)}</a></h1>
<div class="rd_nav"><span>{e(facts.piece.story.byline)}</span><span class="date m_no">{facts.said("dots")}</span></div></div>
<!--BeforeDocument(1,4)-->{_text(facts, 'class="document_1_4 rhymix_content xe_content"')}<!--AfterDocument(1,4)-->"""
    return "", body


def _k2web(facts: Facts) -> tuple[str, str]:
    body = f"""<h2 class="artclViewTitle">{e(facts.title)}</h2><div class="artclViewHead"><div class="right">
<dl><dt>작성일</dt><dd>{facts.said("dotday")}</dd></dl><dl><dt>조회수</dt><dd>3</dd></dl></div>
</div>{_text(facts, 'class="artclView"')}"""
    return "", body


def _wordpress(facts: Facts) -> tuple[str, str]:
    exact = facts.said("w3c_utc").replace("Z", "+00:00")
    data = {"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": facts.outlet},
            {"@type": "Article", "headline": facts.title, "datePublished": exact, "dateModified": exact}]}  # fmt: skip
    head = f"""<meta property="article:published_time" content="{exact}" />
<script type="application/ld+json" class="yoast-schema-graph">{json.dumps(data, ensure_ascii=False)}</script>"""
    body = f"""<article><h1 class="entry-title">{e(facts.title)}</h1>
<time class="entry-date published" datetime="{facts.said("w3c")}">
{facts.said("korean_day")}</time>{_text(facts, 'class="entry-content"')}</article>"""
    return head, body


def _tistory(facts: Facts) -> tuple[str, str]:
    head = f"""<meta property="og:article:author" content="desk">
<meta property="article:published_time" content="{facts.said("w3c")}">"""
    body = f"""<div class="hgroup"><h1>{e(facts.title)}</h1><div class="post-meta"><span class="author">desk</span>
<span class="date">{facts.said("spaced")}</span></div>
</div>{_text(facts, 'class="tt_article_useless_p_margin contents_style"')}"""
    return head, body


def _ghost(facts: Facts) -> tuple[str, str]:
    head = f'<meta property="article:published_time" content="{facts.said("w3c_utc").replace("Z", ".000Z")}">'
    body = f"""<h1 class="article-title">{e(facts.title)}</h1><time datetime="{facts.said("day")}">{facts.said("day")}</time>
{_text(facts, 'class="gh-content"')}"""
    return head, body


def _seoultech(facts: Facts) -> tuple[str, str]:
    body = f"""<h3>{e(facts.title)}</h3>
<p>{e(facts.piece.story.byline)} ㅣ 기사 승인 {facts.said("hour")} | 600호 ㅣ 조회수 : 65</p>
{_text(facts, 'class="view"')}"""
    return "", body


def _kgu(facts: Facts) -> tuple[str, str]:
    body = f"""<div class="top">기사 메일전송</div><h1>{e(facts.title)}</h1><ul><li>{e(facts.piece.story.byline)}</li>
<li>등록 {facts.said("space")}</li></ul>{_text(facts, 'id="viewConts"')}<p>{e(facts.piece.story.byline)} Ι mail</p>"""
    return "", body


def _ntt(facts: Facts) -> tuple[str, str]:
    body = f"""<div class="view_tit">{e(facts.title)}</div><ul><li><strong>등록일</strong> {facts.said("dotday")}</li>
<li>조회 5</li></ul>{_text(facts, 'class="bbsV_cont"')}"""
    return "", body


def _shingu(facts: Facts) -> tuple[str, str]:
    body = f"""<h2>{e(facts.title)}</h2>
<p>등록일 {facts.said("glued")} | {e(facts.piece.story.byline)}</p>{_text(facts, 'class="detail"')}"""
    return "", body


def _plain(facts: Facts) -> tuple[str, str]:
    body = f"""<div id="today">{written(facts.now, "dotday")}</div><h1>{e(facts.title)}</h1>
<p class="by">{e(facts.piece.story.byline)} | 입력 {facts.said("korean")}</p>{_text(facts, 'class="text"')}
<div class="next"><a href="/read/1">다음 글</a> 2025.01.02</div>"""
    return "", body


LOOKS: dict[str, Look] = {
    "ndsoft-new": Look("w3c", _ndsoft_new),
    "ndsoft-old": Look("dots", _ndsoft_old),
    "ndsoft-table": Look("dots", _ndsoft_table),
    "mediaon": Look("space", _mediaon),
    "gnuboard": Look("short_year", _gnuboard),
    "xe": Look("dots", _xe),
    "k2web": Look("dotday", _k2web),
    "wordpress": Look("w3c", _wordpress),
    "tistory": Look("w3c", _tistory),
    "ghost": Look("w3c", _ghost),
    "seoultech": Look("hour", _seoultech),
    "kgu": Look("space", _kgu),
    "ntt": Look("dotday", _ntt),
    "shingu": Look("glued", _shingu),
    "plain": Look("korean", _plain),
}
