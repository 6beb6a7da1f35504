"""Bytes of a web list to its entries: the skins of the campus web, else links that look alike. Pure.

Order of judgement:
1. the skin that finds the most items wins, of equals one of the source's own content system: a skin may change under an address;
2. where a skin's container stands on the page but none of its items, links of article shape inside it count, never those of
   other boxes;
3. without any known container, links of article shape outside the boxes beside the list (`listshapes`).
Pictures are never taken from lists.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawl import encoding, listdates, listentries, listlinks, listolder, listrows, listshapes, pagetree, text
from crawl.characters import cut, tidy
from crawl.errors import FeedUnreadable
from crawl.listleaves import Columns
from crawl.listrows import Row
from crawl.listtext import children, decoy
from crawl.model import Feed
from crawl.skins import BY_NAME, SKINS, Family, Skin

ITEMS_MAX = 500
_LANGUAGE_MAX_CHARS = 35
_FEED_START = re.compile(r"<(?:rss|feed|rdf:RDF)[\s>]|[{\[]", re.IGNORECASE)
_BEFORE_START = re.compile(r"(?:\s|\ufeff)+|<\?xml[^>]*>|<!--.*?(?:-->|\Z)", re.DOTALL)
_HTML = re.compile(r"<(?:html|body|head|!doctype html|div|table|ul|a)[\s>]", re.IGNORECASE)
_MESSAGE_TITLE = re.compile(r"알림\s?메[세시]지|오류\s?안내(?:\s?페이지)?|에러|error", re.IGNORECASE)
_MESSAGE = re.compile(
    r"RSS 보기가 금지|비회원 읽기가 가능한 게시판만|존재하지 않는 (?:게시판|글|페이지|게시물)|존재하지 않습니다|권한이 없습니다|"
    r"잘못된 접근|대상을 찾을 수 없습니다|로그인이 필요|로그인 후 이용|삭제된 (?:게시물|글)"
)
_MESSAGE_MAX_CHARS = 2_000
_NOTHING_HERE = re.compile(
    r"(?:기사|게시물|게시글|글|자료|데이터|내용|검색\s?결과|등록된\s?\S{1,6})[이가은는]?\s?(?:아직\s?)?"
    r"(?:없습니다|존재하지 않습니다)"
    r"|no (?:articles?|posts?) (?:found|yet)|nothing found",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A page's list: the format's name, its family, the items in page order, and what was noticed on the way."""

    format: str
    family: Family
    rows: list[Row]
    notices: Counter[str]


def parse(body: bytes, *, base: str, content_type: str | None, cms: str, seen: float, summary_max_chars: int) -> Feed:
    """Read a list page. `base`: the address it came from; `cms`: the source's content system, a hint; `seen`: fetch time, epoch
    seconds, "now" for dates the page does not date itself (of an older page: the date of the last item of the page before);
    `summary_max_chars`: Policy's number (P02).

    Raises FeedUnreadable: `empty_body`, `feed_not_list`, `board_message` (an error text with status 200), `list_empty` (a
    list's place without items), `not_a_list`. Flags: those of the decoding, `pinned:N`, `secret:N` (left out), `decoy:N` (left
    out), `duplicates:N` (merged), `no_date:N`, `resolved_year:N`, `relative:N`, `items_capped`.
    """
    decoded = encoding.decode(body, content_type)
    source = decoded.text
    if not source.strip("\ufeff \t\r\n\x00"):
        raise FeedUnreadable("empty_body")
    if _is_feed(source):
        raise FeedUnreadable("feed_not_list")
    tree = pagetree.tree(source)
    _refuse_messages(tree)
    resolved = listlinks.base(tree, base)
    found = _find(tree, source, resolved, cms, last=listolder.is_older(base))
    rows = listentries.decided(listentries.merged(found.rows), tree)
    now = listdates.clock(tree, source, seen=seen)
    entries, noticed = listentries.entries(rows, tree, found.family, now=now, limit=summary_max_chars)
    notices = found.notices + Counter(duplicates=len(found.rows) - len(rows)) + noticed
    following = listolder.older(
        tree, url=base, base=resolved, source=source, family=found.family, articles=frozenset(row.url for row in rows),
        items=sum(not row.pinned for row in rows),
    )  # fmt: skip
    flags = (f"{name}:{count}" if name != "items_capped" else name for name, count in notices.items())
    heading = tree.css_first("title")
    return Feed(
        found.format,
        text.title(heading.text(), html=False) if heading is not None else "",
        cut(tidy(tree.root.attributes.get("lang") or ""), _LANGUAGE_MAX_CHARS) if tree.root is not None else "",
        entries,
        (*decoded.flags, *flags),
        following,
    )


def _is_feed(source: str) -> bool:
    start = 0
    while found := _BEFORE_START.match(source, start):
        start = found.end()
    return bool(_FEED_START.match(source, start)) or ("<?xml" in source[:start] and not _HTML.search(source))


def _refuse_messages(tree: LexborHTMLParser) -> None:
    heading = tree.css_first("title")
    title = tidy(heading.text()) if heading is not None else ""
    if _MESSAGE_TITLE.fullmatch(title) or (tree.css_first(".message_box") is not None and _MESSAGE_TITLE.search(title)):
        raise FeedUnreadable("board_message", title)


def _find(tree: LexborHTMLParser, source: str, base: str, cms: str, *, last: bool) -> _Found:
    hinted = sorted(SKINS, key=lambda skin: cms not in BY_NAME[skin.family].cms)
    for broad in (False, True):
        read = [found for skin in hinted if skin.broad is broad and (found := _by_skin(tree, skin, base)).rows]
        if read:
            return max(read, key=lambda found: len(found.rows))
    containers = _containers(tree)
    shaped = listshapes.find(tree, roots=containers, source=source, base=base, cms=cms, last=last)
    if shaped is not None:
        family, rows = shaped
        notices = Counter({"items_capped": 1}) if len(rows) > ITEMS_MAX else Counter()
        return _Found("links" if family.name == "ndsoft" else family.name, family, rows[:ITEMS_MAX], notices)
    visible = tree.body.text()[: _MESSAGE_MAX_CHARS * 50] if tree.body is not None else ""
    if containers or _NOTHING_HERE.search(visible):
        raise FeedUnreadable("list_empty")
    if len(visible) < _MESSAGE_MAX_CHARS and (message := _MESSAGE.search(source)):
        raise FeedUnreadable("board_message", message[0])
    raise FeedUnreadable("not_a_list")


def _containers(tree: LexborHTMLParser) -> list[LexborNode]:
    """The places where a list would stand, outermost first, none inside another."""
    css = ", ".join(skin.container for skin in SKINS if skin.container)
    return _outer(tree.css(css)[:50])


def _outer(nodes: Sequence[LexborNode]) -> list[LexborNode]:
    """The nodes that lie in no other of them, once each: a query names one twice that fits it twice."""
    each = {node.mem_id: node for node in nodes}
    return [node for node in each.values() if not _inside(node, each.keys())]


def _inside(node: LexborNode, known: Container[int]) -> bool:
    one = node.parent
    for _ in range(60):
        if one is None:
            return False
        if one.mem_id in known:
            return True
        one = one.parent
    return True


def _by_skin(tree: LexborHTMLParser, skin: Skin, base: str) -> _Found:
    family = BY_NAME[skin.family]
    notices: Counter[str] = Counter()
    items = _items(tree, skin)
    if len(items) > ITEMS_MAX:
        notices["items_capped"] = 1
        items = items[:ITEMS_MAX]
    if skin.climb:
        items = [above for item in items if (above := _climbed(item, skin.climb)) is not None]
    rows: list[Row] = []
    sides, columns = listlinks.Sides(), Columns()
    for item in _outer(items):
        if decoy(item):
            notices["decoy"] += 1
        elif not sides.hold(item) and (row := listrows.by_skin(item, skin, family, base, columns)) is not None:
            if listrows.secret(item, row.title):
                notices["secret"] += 1
            else:
                rows.append(row)
    # An article's own page looks like a list of one to a broad skin.
    own = listlinks.same(listlinks.own(tree, base)) if skin.broad and rows else ""
    return _Found(skin.name, family, [row for row in rows if not own or listlinks.same(row.url) != own], notices)


def _items(tree: LexborHTMLParser, skin: Skin) -> list[LexborNode]:
    """What a skin's selectors of items find, in page order. Step by step: a selector of three steps at once costs the cube of
    a page's depth."""
    found: dict[int, LexborNode] = {}
    several = 0
    for choice in skin.items.split(", "):
        first, _, rest = choice.partition(" ")
        heads = tree.css(first)
        if rest.startswith("> "):
            mine = [child for head in heads for child in children(head) if child.tag == rest[2:]]
        else:
            mine = [node for head in _outer(heads) for node in head.css(rest)] if rest else heads
        several += bool(mine)
        found |= {node.mem_id: node for node in mine}
    if several < 2:
        return list(found.values())
    tags = {node.tag or "" for node in found.values()}
    return [node for node in tree.css(", ".join(sorted(tags))) if node.mem_id in found]


def _climbed(node: LexborNode, tag: str) -> LexborNode | None:
    one = node.parent
    for _ in range(6):
        if one is None or one.tag == tag:
            return one
        one = one.parent
    return None
