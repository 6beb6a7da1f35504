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
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawl import encoding, listdates, listlinks, listolder, listrows, listshapes, pagetree, text
from crawl.characters import cut, tidy
from crawl.errors import FeedUnreadable
from crawl.feeditems import UNTITLED
from crawl.listdates import Moment, Written
from crawl.listrows import Row
from crawl.listtext import decoy
from crawl.model import Entry, Feed
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
_BREADCRUMB = re.compile(r"\s<\s[^<>]{1,40}(?:\s<\s[^<>]{1,60})*$")
_LIST_WORDS = re.compile(r"기사본문|기사목록|전체기사")
_TRAILING_COUNT = re.compile(r"(?<=\S)\s+[\[(]\s?\d{1,4}\s?[\])]$|\s*새글$")
_SECTIONS_MAX = 200
_MENU_CSS = "a[href*=section_code], a[href*=sec_no], a[href*=category]"
_COMMON_SECTIONS = frozenset(
    [
        "보도",
        "대학",
        "학내",
        "교내",
        "대학보도",
        "사회",
        "문화",
        "학술",
        "여론",
        "기획",
        "특집",
        "사설",
        "칼럼",
        "오피니언",
        "종합",
        "인터뷰",
        "사람",
        "인물",
        "스포츠",
        "국제",
        "경제",
        "정치",
        "과학",
        "취재",
        "포토",
        "사진",
        "화보",
        "문예",
        "연재",
        "기고",
        "독자",
        "시론",
        "만평",
        "만화",
        "영상",
        "뉴스",
        "공지",
        "라이프",
        "캠퍼스",
        "campus",
        "culture",
        "society",
        "opinion",
        "news",
        "feature",
        "features",
        "report",
        "people",
        "sports",
        "world",
        "editorial",
        "column",
        "science",
        "international",
        "interview",
        "photo",
    ]
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
    found = _find(tree, source, resolved, cms)
    rows = _merged(found.rows, found.notices)
    rows = _with_parts_decided(rows, tree)
    entries = _entries(
        rows, found, now=listdates.clock(tree, source, seen=seen), limit=summary_max_chars, site=_site(tree)
    )
    following = listolder.older(
        tree, url=base, base=resolved, source=source, family=found.family, articles=frozenset(row.url for row in rows),
        items=sum(not row.pinned for row in rows),
    )  # fmt: skip
    flags = (f"{name}:{count}" if name != "items_capped" else name for name, count in found.notices.items() if count)
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


def _find(tree: LexborHTMLParser, source: str, base: str, cms: str) -> _Found:
    hinted = sorted(SKINS, key=lambda skin: cms not in BY_NAME[skin.family].cms)
    for broad in (False, True):
        read = [found for skin in hinted if skin.broad is broad and (found := _by_skin(tree, skin, base)).rows]
        if read:
            return max(read, key=lambda found: len(found.rows))
    containers = _containers(tree)
    shaped = listshapes.find(tree, roots=containers, source=source, base=base, cms=cms)
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
    items = tree.css(skin.items)
    if len(items) > ITEMS_MAX:
        notices["items_capped"] = 1
        items = items[:ITEMS_MAX]
    if skin.climb:
        items = [above for item in items if (above := _climbed(item, skin.climb)) is not None]
    rows: list[Row] = []
    sides, columns = listlinks.Sides(), listrows.Columns()
    for item in _outer(items):
        if decoy(item):
            notices["decoy"] += 1
        elif not sides.hold(item) and (row := listrows.by_skin(item, skin, family, base, columns)) is not None:
            if listrows.secret(item, row.title):
                notices["secret"] += 1
            else:
                rows.append(row)
    return _Found(skin.name, family, rows, notices)


def _climbed(node: LexborNode, tag: str) -> LexborNode | None:
    one = node.parent
    for _ in range(6):
        if one is None or one.tag == tag:
            return one
        one = one.parent
    return None


def _merged(rows: Sequence[Row], notices: Counter[str]) -> list[Row]:
    """Each article once, where it first stands, with all that any of its places says."""
    merged: dict[str, Row] = {}
    for row in rows:
        first = merged.get(row.name)
        if first is None:
            merged[row.name] = row
            continue
        notices["duplicates"] += 1
        merged[row.name] = replace(
            first,
            title=row.title if row.title and (not first.title or first.title.endswith(("…", "..."))) else first.title,
            summary=first.summary or row.summary,
            byline=first.byline or row.byline,
            section=first.section or row.section,
            date=first.date or row.date,
            lone=first.lone or row.lone,
        )
    return list(merged.values())


def _with_parts_decided(rows: list[Row], tree: LexborHTMLParser) -> list[Row]:
    """Each lone part of a meta line as section or byline: a section is one that the page names as such elsewhere."""
    if not any(row.lone for row in rows):
        return rows
    sections = {row.section.casefold() for row in rows if row.section}
    sections |= {menu.text().strip().casefold() for menu in tree.css(_MENU_CSS)[:_SECTIONS_MAX]}
    decided = []
    for row in rows:
        word = row.lone.strip().casefold()
        if not word:
            decided.append(row)
        elif (
            word in sections
            or word in _COMMON_SECTIONS
            or any(part in _COMMON_SECTIONS for part in re.split(r"[/·&]", word))
        ):
            decided.append(replace(row, section=row.section or row.lone))
        else:
            decided.append(replace(row, byline=row.byline or row.lone))
    return decided


def _site(tree: LexborHTMLParser) -> str:
    named = tree.css_first('meta[property="og:site_name"]')
    return tidy(named.attributes.get("content") or "") if named is not None else ""


def _entries(rows: list[Row], found: _Found, *, now: float, limit: int, site: str) -> tuple[Entry, ...]:
    family = found.family
    written = [Written(row.date, _number(row.name), row.pinned) for row in rows]
    moments = listdates.resolve(written, now=now, falling=family.falling)
    found.notices.update(
        pinned=sum(row.pinned for row in rows),
        no_date=sum(moment.dated.at is None for moment in moments),
        resolved_year=sum(moment.resolved == "year" for moment in moments),
        relative=sum(moment.resolved == "relative" for moment in moments),
    )
    return tuple(_entry(row, moment, family, limit, site) for row, moment in zip(rows, moments, strict=True))


def _number(name: str) -> int | None:
    digits = re.search(r"\d{1,18}$", name, re.ASCII)
    return int(digits[0]) if digits else None


def _entry(row: Row, moment: Moment, family: Family, limit: int, site: str) -> Entry:
    section = cut(text.title(row.section, html=True), text.TAG_MAX_CHARS)
    title = _title(row.title, family, site)
    summary = text.summary(row.summary, html=True, limit=limit, title=title) if row.summary else ""
    dated = moment.dated
    return Entry(
        url=row.url,
        title=title or UNTITLED,
        guid=f"document_srl={row.name}" if family.name == "xe" and row.name.isdecimal() else None,
        summary=summary,
        byline=text.byline(row.byline or (listrows.lead_writer(row.summary) if family.name == "mediaon" else "")),
        published=dated.at,
        precision=dated.precision,
        published_raw=cut(tidy(row.date), 100),
        date_from="none" if dated.at is None else "list_resolved" if moment.resolved else "list",
        tags=text.tags([section]) if section else (),
        section=section,
    )


def _title(raw: str, family: Family, site: str) -> str:
    title = text.title(raw, html=True)
    if _LIST_WORDS.search(title):
        title = _BREADCRUMB.sub("", title)
    if site and title.endswith(f" - {site}"):
        title = title.removesuffix(f" - {site}").rstrip()
    if family.board:
        title = _TRAILING_COUNT.sub("", title) or title
    return title
