"""The publishing systems of fictional outlets: addresses, feed dialects, encodings and date habits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Family = Literal["rss", "rdf", "atom03", "atom10", "json", "html"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one feed is written. `body`: what the description holds; `guid`: what identifies an item.

    `link_tail` follows each link; `author`: the writer, or the blog's account, which is nobody's name.
    """

    family: Family
    version: str = "2.0"
    date_tag: str = "pubDate"
    author_tag: str = ""
    guid: Literal["none", "link", "own"] = "none"
    body: Literal["summary", "html", "both", "encoded", "cut", "none"] = "summary"
    categories: bool = False
    cdata: bool = False
    enclosures: bool = False
    stamped: bool = False
    generator: str = ""
    link_tail: str = ""
    author: Literal["byline", "account"] = "byline"


@dataclass(frozen=True, slots=True)
class Kit:
    """One way to run a campus site. `declared`: the encoding's name as the document says, `label` as the header says.

    `skin` and `page_arg`: of its list page, and the parameter that asks for another page of it; `story`: of its articles.
    """

    cms: str
    article: str
    feed: str
    dialect: Dialect
    dates: str
    items: int
    section: str = ""
    list_page: str = ""
    encoding: str = "utf-8"
    declared: str = "utf-8"
    media_type: str = "application/rss+xml"
    label: str = ""
    skin: str = "plain"
    page_arg: str = "page"
    story: str = "plain"


NDSOFT = Dialect("rss", author_tag="author", cdata=True)
NDSOFT_OLD = Dialect("rss", author_tag="author")
GNUBOARD = Dialect("rss", date_tag="dc:date", author_tag="dc:creator", body="html", cdata=True)
XE = Dialect("rss", author_tag="dc:creator", guid="link", body="html", categories=True)
MEDIAON = Dialect("rss", author_tag="author", categories=True)
WORDPRESS = Dialect(
    "rss", author_tag="dc:creator", guid="own", body="both", categories=True, cdata=True, generator="wordpress 6.4"
)
TISTORY = Dialect(
    "rss", author_tag="author", guid="link", body="html", categories=True, stamped=True, generator="TISTORY"
)
GHOST = Dialect("rss", author_tag="dc:creator", guid="own", body="both", categories=True, cdata=True)
VELOG = Dialect("rss", guid="link", body="html", cdata=True)
MEDIUM = Dialect("rss", author_tag="dc:creator", guid="own", body="encoded", categories=True, cdata=True,
                 link_tail="?source=rss-9f8e7d6c5b4a------2", generator="Medium")  # fmt: skip
NAVER = Dialect("rss", author_tag="author", author="account", guid="link", body="cut", categories=True, cdata=True, stamped=True,
                link_tail="?fromRss=true&trackingCode=rss", generator="Naver Blog")  # fmt: skip
PODCAST = Dialect("rss", author_tag="itunes:author", guid="own", categories=True, enclosures=True)
PLAIN = Dialect("rss", guid="link", categories=True)
RSS091 = Dialect("rss", version="0.91", date_tag="")
RSS092 = Dialect("rss", version="0.92", categories=True)
RDF = Dialect("rdf", date_tag="dc:date", author_tag="dc:creator")
ATOM03 = Dialect("atom03", date_tag="issued")
ATOM10 = Dialect("atom10", date_tag="published", categories=True)
JSONFEED = Dialect("json", date_tag="date_published", categories=True)
PAGE = Dialect("html", date_tag="span")

_ND = {
    "article": "/news/articleView.html?idxno={n}",
    "feed": "/rss/allArticle.xml",
    "section": "/rss/S1N{k}.xml",
    "list_page": "/news/articleList.html?view_type=sm",
    "dates": "space",
    "items": 50,
    "media_type": "text/xml",
    "skin": "ndsoft-block",
    "story": "ndsoft-old",
}
_CP949 = {"encoding": "cp949", "declared": "euc-kr"}
_EUCKR = {"encoding": "euc_kr", "declared": "EUC-KR", "label": "EUC-KR"}

KITS: dict[str, tuple[Kit, ...]] = {
    "newspaper": (
        Kit("ndsoft", dialect=NDSOFT, **_ND),  # type: ignore[arg-type]
        Kit("wordpress", "/archives/{n}", "/feed/", WORDPRESS, "rfc822_utc", 10, section="/category/s{k}/feed/"),
        Kit("ndsoft", dialect=NDSOFT_OLD, **(_ND | _CP949 | {"skin": "ndsoft-table", "story": "ndsoft-table"})),  # type: ignore[arg-type]
        Kit("gnuboard", "/bbs/board.php?bo_table=news&wr_id={n}", "/bbs/rss.php?bo_table=news", GNUBOARD, "rfc822", 15,
            list_page="/bbs/board.php?bo_table=news", skin="gnuboard", story="gnuboard"),
        Kit("mediaon", "/news/article.html?no={n}", "/data/rss/news.xml", MEDIAON, "rfc822", 25, **_EUCKR),
        Kit("", "/article/{n}", "/index.rdf", RDF, "w3c", 15, media_type="application/rdf+xml"),
        Kit("xe", "/news/{n}", "/index.php?mid=news&act=rss", XE, "rfc822_kst", 20,
            list_page="/index.php?mid=news", media_type="text/xml", skin="xe", story="xe"),
        Kit("", "/view.php?idx={n}", "/rss/rss.xml", RSS092, "dots", 20, media_type="application/xml", **_EUCKR),
        Kit("", "/read/{n}", "/rss.xml", PLAIN, "rfc822_bare", 20, media_type="text/html"),
    ),
    "english": (
        Kit("wordpress", "/archives/{n}", "/feed/", WORDPRESS, "rfc822_utc", 10),
        Kit("", "/story/{n}", "/atom.xml", ATOM10, "w3c", 20, media_type="application/atom+xml", label="utf-8"),
        Kit("ndsoft", dialect=NDSOFT, **(_ND | {"section": ""})),  # type: ignore[arg-type]
        Kit("", "/read/{n}", "/rss.xml", RSS091, "none", 15, media_type="application/xml"),
        Kit("", "/story/{n}", "/rss/", PLAIN, "rfc822_gmt", 20, label="UTF-8"),
    ),
    "broadcaster": (
        Kit("", "/episode/{n}", "/podcast.xml", PODCAST, "rfc822", 30),
        Kit("tistory", "/{n}", "/rss", TISTORY, "rfc822", 10, media_type="text/xml"),
        Kit("", "/episode/{n}", "/feed/audio.xml", PODCAST, "rfc822_gmt", 20, label="utf-8"),
    ),
    "magazine": (
        Kit("tistory", "/{n}", "/rss", TISTORY, "rfc822", 10, media_type="text/xml"),
        Kit("", "/essay/{n}", "/atom.xml", ATOM03, "w3c", 15, media_type="application/atom+xml"),
        Kit("", "/essay/{n}", "/rss.xml", PLAIN, "day", 12),
        Kit("wordpress", "/archives/{n}", "/?feed=rss2", WORDPRESS, "rfc822_utc", 10),
    ),
    "independent": (
        Kit("ghost", "/p{n}/", "/rss/", GHOST, "rfc822_gmt", 15),
        Kit("jsonfeed", "/notes/{n}", "/feed.json", JSONFEED, "w3c", 15, media_type="application/feed+json"),
        Kit("", "/notes/{n}", "/atom.xml", ATOM10, "w3c_utc", 20, media_type="application/atom+xml"),
        Kit("", "/view/{n}", "/rss.php", PLAIN, "compact", 20, media_type="text/xml", **_CP949),
    ),
}  # fmt: skip
