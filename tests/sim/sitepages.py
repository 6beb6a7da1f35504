"""Lists as MediaOn, blog systems and hand-made sites show them."""

from __future__ import annotations

from tests.sim.datewords import korean, written
from tests.sim.sheet import Listing, Row, document, e, footer


def mediaon(listing: Listing) -> str:
    """MediaOn: today and the weather first, one link around heading, sub-heading, lead and picture."""
    rows = "".join(
        f"""<li><a href="{e(row.href)}"><span class="thumb"><img src="{e(row.image)}" alt=""></span>
<h2 class="clamp c2">{e(row.title)}</h2><h4 class="ofe">{e(row.section)} 소식</h4>
<p class="ffd clamp c2">{e(row.summary)}</p>
<ul class="art_info"><li class="name">{e(row.byline)}</li><li class="date">{row.date}</li></ul></a></li>
"""
        for row in listing.rows
    )
    pages = "".join(
        f"<strong>{page}</strong>" if page == listing.page else f'<a href="{e(listing.link(page))}">{page}</a>'
        for page in listing.around()
    )
    slide = "".join(
        f'<li><a href="/news/article.html?no={row.number}">{e(row.title)}</a></li>' for row in listing.decoys
    )
    here = korean(listing.now)
    body = f"""<div class="top_nav"><p class="today_txt">{here:%Y.%m.%d} ({"월화수목금토일"[here.weekday()]})</p>
<div class="weather_box"><ul><li><span>흐림</span>동두천 15.1℃</li></ul></div></div>
<ul id="gnb"><li><a href="/news/section.html?sec_no=3">대학</a><ul><li><a href="/news/section_list_all.html?sec_no=14">학사</a>
</li></ul></li></ul><div class="recent_art"><h3>실시간뉴스</h3><ul class="lst_pop">{slide}</ul></div>
<div class="arl_022"><ul class="art_list_all">
{rows}</ul></div><div class="btn_pagenum">{pages}</div>
<div class="hdl_006"><h3>포토</h3><ul class="ver_list">{slide}</ul></div>{footer(listing)}"""
    return document(listing, f"{listing.outlet} 전체기사", '<meta property="og:type" content="article">', body)


def wordpress(listing: Listing) -> str:
    """A WordPress theme: one `article` a post, the moment in `datetime`; recent posts beside it."""
    rows = "".join(
        f"""<article id="post-{row.number}" class="post-{row.number} post type-post status-publish hentry">
<header class="entry-header"><span class="cat-links"><a href="/category/s1/" rel="category tag">{e(row.section)}</a></span>
<h2 class="entry-title"><a href="{e(row.href)}" rel="bookmark">{e(row.title)}</a></h2>
<div class="entry-meta"><span class="posted-on"><a href="{e(row.href)}" rel="bookmark"><time class="entry-date published"
 datetime="{written(row.at, "w3c")}">{written(row.at, "korean_day")}</time>
<time class="updated" datetime="{written(row.at + 7200, "w3c")}">\
{written(row.at + 7200, "korean_day")}</time></a></span>
<span class="byline">글쓴이 <span class="author vcard"><a class="url fn n" href="/author/desk/">{e(row.byline)}</a>
</span></span></div>
</header><div class="entry-summary"><p>{e(row.summary)} <a href="{e(row.href)}" class="more-link">더 읽기</a></p></div>
<footer><span class="comments-link"><a href="{e(row.href)}#respond">댓글 남기기</a></span></footer></article>
"""
        for row in listing.rows
    )
    recent = "".join(
        f'<li><a href="https://{listing.host}/archives/{row.number}">{e(row.title)}</a></li>' for row in listing.decoys
    )
    older = f'<div class="nav-previous"><a href="{e(listing.link(listing.page + 1))}">이전 글</a></div>'
    body = f"""<div id="content"><main id="main" class="site-main">
{rows}<nav class="navigation posts-navigation"><div class="nav-links">{older if listing.page < listing.pages else ""}</div></nav>
</main><aside id="secondary" class="widget-area"><section class="widget widget_recent_entries"><h2>최신 글</h2><ul>{recent}</ul>
</section><section class="widget widget_archive"><ul><li><a href="/2026/11/">2026년 11월</a></li></ul></section></aside></div>
{footer(listing)}"""
    return document(listing, listing.outlet, '<meta name="generator" content="WordPress 6.4">', body)


def tistory(listing: Listing) -> str:
    """A Tistory skin: category, title, a day with spaces."""
    rows = "".join(
        f"""<div class="post-item"><a href="{e(row.href)}"><span class="thum"><img src="{e(row.image)}" alt=""></span>
<span class="title">{e(row.title)}</span><span class="excerpt">{e(row.summary)}</span>
<span class="meta"><span class="date">{row.date}</span></span></a></div>
"""
        for row in listing.rows
    )
    recent = "".join(f'<li><a href="/{row.number}">{e(row.title)}</a></li>' for row in listing.decoys)
    pages = "".join(
        f'<a href="{e(listing.link(page))}" class="link_page">'
        f'<span class="{"selected" if page == listing.page else ""}">{page}</span></a>'
        for page in listing.around()
    )
    body = f"""<div id="container"><div class="post-header"><h1>전체 글</h1></div><div class="inner">
{rows}</div><div class="pagination">{pages}</div></div>
<div class="sidebar"><div class="recent-posts"><h2>최근글</h2><ul>{recent}</ul></div><div class="tags">
<a href="/tag/교지">교지</a></div>
<div class="count">Today 12 Total 3,456</div></div>{footer(listing)}"""
    return document(listing, listing.outlet, '<meta name="generator" content="Tistory">', body)


def ghost(listing: Listing) -> str:
    """A Ghost theme: cards with tag, excerpt, authors and a machine-readable day."""
    rows = "".join(
        f"""<article class="post-card post"><a class="post-card-image-link" href="{e(row.href)}">
<img src="{e(row.image)}" alt=""></a>
<div class="post-card-content"><a class="post-card-content-link" href="{e(row.href)}"><header class="post-card-header">
<div class="post-card-tags"><span class="post-card-primary-tag">{e(row.section)}</span></div>
<h2 class="post-card-title">{e(row.title)}</h2></header><div class="post-card-excerpt">{e(row.summary)}</div></a>
<footer class="post-card-meta"><ul class="author-list"><li class="author-list-item">
<a href="/author/desk/">{e(row.byline)}</a></li></ul>
<time class="post-card-meta-date" datetime="{written(row.at, "day")}">{korean(row.at):%d %b %Y}</time></footer></div></article>
"""
        for row in listing.rows
    )
    older = f'<a class="older-posts" href="{e(listing.link(listing.page + 1))}">Older Posts</a>'
    body = f"""<main class="site-main"><div class="post-feed">
{rows}</div><nav class="pagination">{older if listing.page < listing.pages else ""}</nav></main>{footer(listing)}"""
    return document(listing, listing.outlet, '<meta name="generator" content="Ghost 5.8">', body)


def plain(listing: Listing) -> str:
    """A site made by hand: a list of links, each with a name and a date or none."""
    rows = "".join(
        f"""<li><a href="{e(row.href)}">{e(row.title)}</a><p>{_by(row)}{f"<span>{row.date}</span>" if row.date else ""}</p></li>
"""
        for row in listing.rows
    )
    side = "".join(f'<li><a href="{_sibling(row, listing)}">{e(row.title)}</a></li>' for row in listing.decoys)
    pages = " ".join(f'<a href="{e(listing.link(page))}">{page}</a>' for page in listing.around())
    body = f"""<header><a href="/">{e(listing.outlet)}</a><nav><a href="/about">소개</a><a href="/contact">연락처</a>
</nav></header>
<div class="main"><ul class="articles">
{rows}</ul><div class="pages">{pages}</div></div>
<div class="aside"><h3>{"Most Read" if listing.english else "많이 본 글"}</h3><ul>{side}</ul></div>{footer(listing)}"""
    return document(listing, listing.outlet, "", body)


def _by(row: Row) -> str:
    return f"<em>{e(row.byline)}</em> " if row.byline else ""


def _sibling(row: Row, listing: Listing) -> str:
    """The address of a decoy, of the same shape as the articles beside it."""
    own = next((one for one in listing.rows if not one.film), row)
    return e(own.href.replace(str(own.number), str(row.number)))


def editions(listing: Listing) -> str:
    """A page of printed issues: each links to its PDF and tells its number and day."""
    rows = "".join(
        f"""<li class="issue"><a href="{e(row.href)}"><img src="{e(row.image)}" alt="1면"><strong>{e(row.title)}</strong></a>
<span class="day">{row.date}</span></li>
"""
        for row in listing.rows
    )
    body = f"""<header><a href="/">{e(listing.outlet)}</a></header><h1>지면 보기</h1><ul class="issues">
{rows}</ul><a href="/pdf/rate-card.pdf">광고 단가표 (PDF)</a>{footer(listing)}"""
    return document(listing, f"지면 보기 - {listing.outlet}", "", body)
