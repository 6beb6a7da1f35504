"""Bodies that make parsers slow: each is about as many bytes as asked for, and none of them is what it seems."""

from __future__ import annotations

from collections.abc import Callable, Iterator

_HEAD = '<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>목록</title></head><body>'
_RSS = '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>학보</title>'
_ITEM = "<item><title>제목</title><link>https://news.example/a?n={}</link><pubDate>2026-12-01 10:00:00</pubDate></item>"
_LI = '<li><a href="/news/articleView.html?idxno={}">총학생회 소식</a> <span>2026.12.01 10:00</span></li>'


def html(size: int) -> Iterator[tuple[str, bytes]]:
    """Name and body of each page."""
    for name, make in _PAGES.items():
        yield name, (_HEAD + make(size)).encode()
    yield "zero bytes", b"\0" * size
    yield "half characters", "대".encode()[:2] * (size // 2)


def xml(size: int) -> Iterator[tuple[str, bytes]]:
    """Name and body of each feed."""
    for name, make in _FEEDS.items():
        yield name, (_RSS + make(size)).encode()
    yield "json nesting", b'{"version":"https://jsonfeed.org/version/1.1","items":' + b"[" * size
    yield "json items", b'{"version":"https://jsonfeed.org/version/1.1","items":[' + b"{}," * (size // 3) + b"{}]}"


def robots(size: int) -> Iterator[tuple[str, bytes]]:
    """Name and body of each robots.txt."""
    yield "stars", b"User-agent: *\nDisallow: /" + b"*a" * (size // 2)
    yield "rules", b"User-agent: *\n" + b"Disallow: /a*b$\n" * (size // 16)
    yield "agents", b"User-agent: a\nDisallow: /\n" * (size // 26)
    yield "one line", b"User-agent:" + b" x" * (size // 2)


def _many(text: str, size: int) -> str:
    return text * (size // len(text.encode()) + 1)


def _numbered(text: str, size: int) -> str:
    return "".join(text.format(number) for number in range(size // len(text.encode()) + 1))


def _skin(opening: str, item: str) -> Callable[[int], str]:
    return lambda size: opening + _numbered(item, size)


_PAGES: dict[str, Callable[[int], str]] = {
    "deep nesting": lambda size: _many("<div>", size),
    "deep lists": lambda size: _many("<ul><li>", size),
    "deep tables": lambda size: _many("<table><tr><td>", size),
    "deep formats": lambda size: _many("<b><i>", size),
    "deep links": lambda size: _many('<div><a href="/news/articleView.html?idxno=1">기사', size),
    "empty items": lambda size: "<ul>" + _many("<li>", size),
    "empty rows": lambda size: '<table class="bd_lst"><tbody>' + _many("<tr><td>", size),
    "items": lambda size: "<ul>" + _numbered(_LI, size),
    "list blocks": _skin('<section class="article-list-content">',
                         '<div class="list-block"><div class="list-titles"><a href="/news/articleView.html?idxno={}">가</a></div>'
                         '<div class="list-dated">대학 | 김하늘 기자 | 2026-12-01 10:00</div></div>'),
    "altlist": _skin('<article id="section-list" class="altlist-body"><ul>',
                     '<li class="altlist-text-item"><H2 class="altlist-subject">'
                     '<a href="/news/articleView.html?idxno={}">가</a></H2>'
                     '<div class="altlist-info"><div class="altlist-info-item">12-01 10:00</div></div></li>'),
    "board rows": _skin('<table><tbody>',
                        '<tr><td class="td_subject"><div class="bo_tit">'
                        '<a href="/bbs/board.php?bo_table=n&wr_id={}">가</a></div></td>'
                        '<td class="td_datetime">12-01</td></tr>'),
    "k2web rows": _skin('<table class="artclTable"><tbody>',
                        '<tr><td class="_artclTdTitle"><a href="/bbs/p/1/{}/artclView.do"><strong>가</strong></a></td>'
                        '<td class="_artclTdRdate">2026.12.01</td></tr>'),
    "nested items": lambda size: _many('<li><a href="/news/articleView.html?idxno=7">가</a>', size),
    "one item": lambda size: '<ul><li><a href="/news/articleView.html?idxno=1">' + _many("가 ", size) + "</a></li></ul>",
    "giant attribute": lambda size: f'<ul><li><a href="/news/articleView.html?idxno=1&x={"가" * (size // 3)}">기사</a></li></ul>',
    "many attributes": lambda size: "<a " + _numbered("x{}=1 ", size) + ">",
    "entity flood": lambda size: '<li><a href="/read/1">' + _many("&amp;", size),
    "numeric entities": lambda size: '<li><a href="/read/1">' + _many("&#xAC00;", size),
    "unknown entities": lambda size: '<li><a href="/read/1">' + _many("&nosuch", size),
    "dates": lambda size: "<li><a href='/read/1'>기사</a> " + _many("2026.12.01 10:00 ", size),
    "half dates": lambda size: "<li><a href='/read/1'>기사</a> " + _many("2026.12.", size),
    "digits": lambda size: "<li><a href='/read/1'>기사</a> " + "1" * size,
    "approvals": lambda size: _many("<p>승인 2026.12. 입력 등록일 </p>", size),
    "brackets": lambda size: '<li><a href="/read/1">' + _many("[포토]", size),
    "spaces": lambda size: '<li><a href="/read/1">' + " " * size,
    "scripts": lambda size: _many("<script>", size),
    "json-ld": lambda size: '<script type="application/ld+json">' + _many('{"@graph":[', size),
    "many json-ld": lambda size: _many('<script type="application/ld+json">{"datePublished":"x"}</script>', size),
    "metas": lambda size: _many('<meta property="og:image" content="/image/logo/x.png">', size),
    "comments": lambda size: _many("<!-- <li> -->", size),
    "pdf links": lambda size: _numbered('<li><a href="/pdf/a_{}.pdf">제1호</a> 2026년 3월 2일</li>', size),
    "times": lambda size: _numbered('<time datetime="2026-12-01">{}</time>', size),
}  # fmt: skip

_FEEDS: dict[str, Callable[[int], str]] = {
    "deep nesting": lambda size: _many("<item>", size),
    "other nesting": lambda size: _many("<a><b>", size),
    "empty items": lambda size: _many("<item/>", size),
    "items": lambda size: _numbered(_ITEM, size),
    "giant attribute": lambda size: f'<item><link href="{"x" * size}"/></item>',
    "entity flood": lambda size: "<item><title>" + _many("&amp;", size) + "</title></item>",
    "twice escaped": lambda size: "<item><title>" + _many("&amp;amp;lt;", size) + "</title></item>",
    "markup in text": lambda size: "<item><description>" + _many("&lt;div&gt;", size) + "</description></item>",
    "open tags in text": lambda size: "<item><description><![CDATA[" + _many("<p", size) + "]]></description></item>",
    "cdata": lambda size: "<item><title>" + _many("<![CDATA[가]]>", size) + "</title></item>",
    "open cdata": lambda size: _many("<![CDATA[", size),
    "doctype": lambda size: _many("<!ENTITY a 'b'>", size),
    "dates": lambda size: "<item><pubDate>" + _many("2026-12-01 10:00 ", size) + "</pubDate></item>",
    "categories": lambda size: "<item>" + _numbered("<category>말{}</category>", size) + "</item>",
    "one line": lambda size: "x" * size,
    "brackets": lambda size: "<" * size,
}
