"""What a page says of its own outlet before anybody knows it: name, publishing system, and where feeds and lists may be.

Nothing is asked for here. Addresses come in the order in which a polite look should try them: what the page announces, what
it links, and last what its publishing system is known to do; a board that may have switched its feed off is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawl import pagetree, text, urls
from crawl.characters import tidy
from crawl.encoding import decode

Why = Literal["given", "host", "announced", "linked", "convention", "forwarded", "home"]

PAGE_MAX_CHARS = 2_000_000
"""More of a page is not searched: what announces a feed stands at its beginning."""
LINKS_MAX = 5_000
CANDIDATES_MAX = 30
SHORT_CHARS = 600
"""A page with less seen text may be a mere signpost to the real one."""

_FEED_TYPE = re.compile(r"application/(?:rss|atom|rdf|feed)\+(?:xml|json)|(?:application|text)/xml", re.I)
_FEED_LINK = re.compile(
    r"/rss/[\w.-]+\.xml$|/(?:rss|feeds?|atom|index)(?:\.xml)?/?$|[/_](?:rss|feed)\.(?:xml|php)$|\.(?:rss|atom)$|/rssList\.do"
    r"|[?&](?:feed=(?:rss2?|atom)\b|act=(?:rss|atom)\b)",
    re.I,
)
_NOT_NEWS = re.compile(r"comment|댓글|clickTop|oembed|/index\.xml$.*sitemap|sitemap", re.I)
_SECTION = re.compile(
    r"/rss/(?:gns?_(?:rss_)?)?S[12]N\d+\.xml|/(?:category|tag|author)/|[?&](?:cat|category|tag)=", re.I
)
_ALL = re.compile(r"allArticle|/feed/?$|/rss/?$|news\.xml|feed=rss2$", re.I)
_ARTICLES = re.compile(r"뉴스|기사|신문|학보|보도|news|article|press", re.I)
_NO_ARTICLES = re.compile(
    r"자유\s*게시판|공지|건의|질문|문의|제보|방명록|자료실|소개|연혁|인사말|오시는|모집|신청|q\W{0,5}a\b|\bqna\b|\bfaq\b"
    r"|=(?:free|notice|qna|faq|guest|request)(?:board)?(?![a-z])",
    re.I,
)
"""Boards of a site where nobody looks for articles: everybody's talk, notices, the office's own pages."""
_FORWARD = re.compile(r"""location(?:\.href|\.replace)?\s*[=(]\s*["']([^"'\s]{1,500})["']""", re.I)
_REFRESH = re.compile(r"""\d*\s*[;,]\s*url\s*=\s*["']?([^"'\s]{1,500})""", re.I)
_TAIL = re.compile(r"\s*(?:[-|:–<]|::)\s*(?:홈|메인|main|home|전체|기사목록)\s*$|\s+1\s*페이지\s*$", re.I)
_CRUMB = re.compile(r".* < .* - (.{1,80})", re.DOTALL)

_MARKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("naver", re.compile(r"blogPostFrameset|PostList\.naver|blog\.naver\.com/PostView", re.I)),
    ("tistory", re.compile(r"tistory_admin|name=[\"']generator[\"'][^>]{0,40}tistory|TistoryBlog|window\.T\.config", re.I)),
    ("ghost", re.compile(r"generator[\"'][^>]{0,40}\bghost\b|ghost-portal|/ghost/api/", re.I)),
    ("wix", re.compile(r"static\.wixstatic\.com|generator[\"'][^>]{0,40}wix\.com", re.I)),
    ("imweb", re.compile(r"vendor-cdn\.imweb\.me|cdn\.imweb\.me", re.I)),
    ("k2web", re.compile(r"jf_viewArtcl|artclView\.do|_artclTd|/subview\.do", re.I)),
    ("gnuboard", re.compile(r"g5_bbs_url|[?&;]bo_table=|/skin/board/", re.I)),
    ("xe", re.compile(r"xe_content|document_srl|generator[\"'][^>]{0,40}(?:xpressengine|rhymix)|/common/js/xe", re.I)),
    ("mediaon", re.compile(r"/news/article\.html\?no=|article_list_all\.html|section_list_all\.html|/data/cache/public/photos",
                           re.I)),
    ("ndsoft", re.compile(r"articleView\.html\?idxno=|/news/articleList\.html|ndsoft\.co\.kr|/com/com-1\.html", re.I)),
    ("happycgi", re.compile(r"happynews_rss|/happy_(?:news|config)", re.I)),
    ("wordpress", re.compile(r"/wp-content/|/wp-json/|generator[\"'][^>]{0,40}wordpress", re.I)),
)  # fmt: skip
"""Fingerprints of publishing systems (the words of sources.csv's `cms`), the surest first."""

_FEED_BY_SYSTEM = {
    "ndsoft": "/rss/allArticle.xml", "mediaon": "/data/rss/news.xml", "ghost": "/rss/", "tistory": "/rss",
    "wix": "/blog-feed.xml",
}  # fmt: skip
"""Where a system usually has its feed, below the site's root."""

_LIST_BY_SYSTEM = {"ndsoft": "/news/articleList.html?view_type=sm", "mediaon": "/news/article_list_all.html"}
"""Where a system always has its list of all articles."""
_BOARD_BY_SYSTEM = {
    "gnuboard": r"[?&]bo_table=(?!.*[?&](?:wr_id|page|sca|sst)=)",
    "xe": r"[?&]mid=(?!.*(?:document_srl|act|sort_index|order_type|page)=)",
    "k2web": r"/subview\.do$",
}
"""The address of a board, as opposed to one of its articles or a view of it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address worth a look and why; `label` as the page calls it."""

    url: str
    why: Why
    label: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a page says. `cms`: a word of sources.csv, empty where no fingerprint matches; `forward`: where a page that shows
    nothing itself sends its readers."""

    title: str = ""
    language: str = ""
    cms: str = ""
    feeds: tuple[Candidate, ...] = ()
    lists: tuple[Candidate, ...] = ()
    forward: Candidate | None = None


def known_feed(url: str) -> Candidate | None:
    """The feed of an address whose host says all about it (blog services); None for every other. Never raises."""
    try:
        host, parts = urls.host(url), urlsplit(url)
    except ValueError:
        return None
    first = next(iter(part for part in parts.path.split("/") if part), "")
    feed = None
    if host in ("blog.naver.com", "m.blog.naver.com"):
        blog = next(iter(parse_qs(parts.query).get("blogId", [])), first)
        feed = f"https://rss.blog.naver.com/{blog}.xml" if re.fullmatch(r"[\w-]+", blog, re.ASCII) else None
    elif host in ("velog.io", "www.velog.io") and re.fullmatch(r"@[\w.-]+", first, re.ASCII):
        feed = f"https://v2.velog.io/rss/{first}"
    elif host.endswith(".tistory.com"):
        feed = f"{urls.origin(url)}/rss"
    elif host == "medium.com" and re.fullmatch(r"@?[\w.-]+", first, re.ASCII) and first != "feed":
        feed = f"https://medium.com/feed/{first}"
    if feed is None or urls.normal(feed) == urls.normal(url):
        return None
    return Candidate(feed, "host")


def cms_of(url: str) -> str:
    """The publishing system that a host alone gives away, empty where it does not. Never raises."""
    try:
        host = urls.host(url)
    except ValueError:
        return ""
    if host.endswith("blog.naver.com"):
        return "naver"
    return "tistory" if host.endswith(".tistory.com") else ""


def fingerprint(words: str) -> str:
    """The publishing system that markup, or the addresses of articles, give away; empty where none does."""
    return next((name for name, mark in _MARKS if mark.search(words)), "")


def read(body: bytes, *, base: str, content_type: str | None) -> Facts:
    """What a page says of its outlet; `base`: the address it was read from. Never raises."""
    markup = decode(body, content_type).text[:PAGE_MAX_CHARS]
    tree = pagetree.tree(markup)
    cms = cms_of(base) or fingerprint(markup)
    html = tree.css_first("html")
    links = list(_links(tree, base))
    return Facts(
        title=_title(tree),
        language=(html.attributes.get("lang") or "").strip().lower()[:10] if html else "",
        cms=cms,
        feeds=tuple(_once(_feeds(tree, links, base, cms)))[:CANDIDATES_MAX],
        lists=tuple(_once(_lists(links, base, cms)))[:CANDIDATES_MAX],
        forward=_forward(tree, markup, base),
    )


def _title(tree: LexborHTMLParser) -> str:
    """The outlet's own name as the page gives it: its site name, else the title without what is no name."""
    for node in tree.css('meta[property="og:site_name"]')[:1]:
        if name := text.title(node.attributes.get("content") or "", html=False):
            return name
    head = tree.css_first("title")
    name = text.title(head.text(), html=False) if head else ""
    crumb = _CRUMB.fullmatch(name)
    return _TAIL.sub("", crumb[1] if crumb else name).strip()


def _links(tree: LexborHTMLParser, base: str) -> Iterator[tuple[str, str]]:
    """The page's own links with their words."""
    for node in tree.css("a[href]")[:LINKS_MAX]:
        url = urls.link(node.attributes.get("href"), base)
        if url is not None:
            yield url, tidy(node.text()[:200])


def _feeds(tree: LexborHTMLParser, links: list[tuple[str, str]], base: str, cms: str) -> Iterator[Candidate]:
    announced = [one for node in tree.css("link[href]")[:200] if (one := _announced(node, base)) is not None]
    yield from sorted(announced, key=lambda one: (_rank(one), announced.index(one)))
    linked = [
        Candidate(url, "linked", label)
        for url, label in links
        if _FEED_LINK.search(url.partition("#")[0]) and not _NOT_NEWS.search(url)
    ]
    yield from sorted(linked, key=_rank)
    guess = _convention(links, base, cms)
    if guess is not None:
        yield Candidate(guess, "convention")


def _announced(node: LexborNode, base: str) -> Candidate | None:
    relation = (node.attributes.get("rel") or "").lower().split()
    kind, label = node.attributes.get("type") or "", tidy(node.attributes.get("title") or "")[:200]
    url = urls.link(node.attributes.get("href"), base)
    if url is None or "alternate" not in relation or not _FEED_TYPE.fullmatch(kind.partition(";")[0].strip()):
        return None
    return None if _NOT_NEWS.search(f"{url} {label}") else Candidate(url, "announced", label)


def _rank(one: Candidate) -> int:
    """The feed of everything before the feed of a part."""
    if _SECTION.search(one.url):
        return 2
    return 0 if _ALL.search(one.url) else 1


def _convention(links: list[tuple[str, str]], base: str, cms: str) -> str | None:
    """Where a publishing system usually has its feed, if it has one without somebody switching it on."""
    if cms in _FEED_BY_SYSTEM:
        return urls.link(_FEED_BY_SYSTEM[cms], f"{urls.origin(base)}/")
    if cms == "wordpress":
        # The blog may live below the root: its own files tell where.
        below = next(
            (found[1] for url, _ in links if (found := re.match(r"(.*?/)wp-(?:content|json|login)", url))), None
        )
        return urls.link("feed/", below or f"{urls.origin(base)}/")
    if cms == "k2web":
        board = next((found[0] for url, _ in links if (found := re.match(r"https?://[^/]+/bbs/[^/]+/\d+/", url))), None)
        return f"{board}rssList.do?row=50" if board else None
    return None


def _lists(links: list[tuple[str, str]], base: str, cms: str) -> Iterator[Candidate]:
    if cms in _LIST_BY_SYSTEM:
        url = urls.link(_LIST_BY_SYSTEM[cms], f"{urls.origin(base)}/")
        if url is not None:
            yield Candidate(url, "convention")
    shape = _BOARD_BY_SYSTEM.get(cms)
    boards = [
        Candidate(url, "linked", label)
        for url, label in links
        if shape is not None and label and urls.server(url) == urls.server(base) and re.search(shape, url)
    ]
    said = {board.url: f"{board.label} {urlsplit(board.url).query}" for board in boards}
    boards = [board for board in boards if not _NO_ARTICLES.search(said[board.url])]
    yield from sorted(boards, key=lambda board: _ARTICLES.search(said[board.url]) is None)


def _forward(tree: LexborHTMLParser, markup: str, base: str) -> Candidate | None:
    """Where a signpost page leads: a refresh, a script, or the only frame."""
    body = tree.body
    if body is not None and len(tidy(body.text()[: SHORT_CHARS * 4])) > SHORT_CHARS:
        return None
    raw: str | None = None
    for node in tree.css("meta[http-equiv]")[:20]:
        found = _REFRESH.fullmatch((node.attributes.get("content") or "").strip().rstrip("\"'"))
        if (node.attributes.get("http-equiv") or "").lower() == "refresh" and found:
            raw = found[1]
    if raw is None and len(markup) < 20_000:
        script = _FORWARD.search(markup)
        frames = [src for node in tree.css("frame[src], iframe[src]")[:5] if (src := node.attributes.get("src"))]
        raw = script[1] if script else (frames[0] if len(frames) == 1 else None)
    url = urls.link(raw, base) if raw else None
    return Candidate(url, "forwarded") if url is not None and urls.normal(url) != urls.normal(base) else None


def _once(found: Iterable[Candidate]) -> Iterator[Candidate]:
    """Each address once, under the best reason it came with."""
    seen: set[str] = set()
    for one in found:
        key = urls.normal(one.url)
        if key not in seen:
            seen.add(key)
            yield one
