"""Where an article's head lies on its page: its lines around the title and before the text. Pure; never raises.

Old content systems share no markup, but they share an order: title, a line about writer and date, the text. The page's own
title says which heading is the article's; what stands in boxes around it (menus, weather, comments, lists of other
articles) is told by element names and class words, unless such a box holds the title itself.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

_NODES_MAX = 60_000
_LINE_CHARS = 2_000
_TITLE_CHARS = 1_000
_REGION_CHARS = 20_000
_PROSE_CHARS = 160
_SENTENCE = re.compile(r"[다요까]\.(?:\s|$|[”\"’'])")
_SENTENCE_CHARS = 50

_UNSEEN = frozenset({
    "script", "style", "noscript", "template", "iframe", "svg", "math", "select", "textarea", "button", "object", "head",
})  # fmt: skip
_OTHER_TAGS = frozenset({"nav", "aside"})
_PAGE_EDGES = frozenset({"header", "footer"})
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5}
_TITLE_RANK, _NO_RANK = 6, 9
_OTHERS = re.compile(
    r"sidebar|comment|related|relation|popular|ranking|footer|weather|copyright|recommend|paging|pagination|banner|gl-updated"
    r"|lastupdate|last-update|today|newest|"
    r"(?:^|[\s_-])(?:updated?|foot|side|snb|lnb|gnb|tnb|nav|menu|reply|replies|cmt|bo_vc|fdb|rank|best|hot|latest|recent|auto|"
    r"box-skin|prev|next|pager|search|calendar|widget|ticker|most|attach|files?|login|popup|logo|edit)(?=$|[\s_-]|\d|date|box|list|wrap|area)"
)
_HEAD = re.compile(
    r"(?:^|[\s_-])(?:article|view|art|post|entry|bbs|board|news|read|content)[_-]?(?:view[_-]?)?(?:head(?:er)?|info(?:r?mation)?|meta|top)(?=$|[\s_-])"
    r"|(?:^|\s)(?:info-text|infomation|info-group|artclviewhead|bo_v_info|posted-on|byline|rd_hd|entry-footer|date|art_info)(?=$|\s)"
)
_BODY = re.compile(
    r"(?:^|\s)(?:article-view-content-div|article-veiw-body|news_body_area|bo_v_con|xe_content|rhymix_content|artclview|"
    r"(?:article|entry|post|view|board|bbs|news|art)[_-]?(?:body|content|contents|txt|text|cont|con)|gh-content|tt_article_useless_p_margin)(?=$|\s)"
)
_TITLE = re.compile(r"(?:^|[\s_-])(?:title|subject|tit|heading|headline)(?=$|[\s_-])|bo_v_title|viewtitle")
_END = frozenset({
    "관련기사", "관련뉴스", "댓글목록", "댓글쓰기", "이전글", "다음글", "이전기사", "다음기사", "많이본기사", "많이본뉴스",
    "인기기사", "최신기사", "최신뉴스", "다른기사보기", "이기사를공유합니다",
    "relatedarticles", "comments", "leaveareply", "저작권자",
})  # fmt: skip
"""Lines with which the article has ended, letters only."""
_NOT_LETTERS = re.compile(r"[\W_]+")
_EDIT_CLASS = re.compile(r"updat|modif|edit")
_SPLIT_TITLE = re.compile(r"\s+[<|:·ㅣ»›]\s+|\s+[-–—]\s+")

Place = Literal["marked", "head", "before", "after"]


@dataclass(frozen=True, slots=True)
class Stamp:
    """A date in an attribute or element made for it. `stated`: it says it is the publication date."""

    raw: str
    place: Place
    stated: bool


@dataclass(frozen=True, slots=True)
class Head:
    """The lines of a page around its article. `title`: the page's name for itself.

    `marked`: lines in elements named for an article's head; `head`: between title and text; `before`: above the title;
    `after`: below the text.
    """

    title: str = ""
    marked: str = ""
    head: str = ""
    before: str = ""
    after: str = ""
    stamps: tuple[Stamp, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    """One piece of text, or a stamp. `boxes`: numbers of the elements around it that `_Walk.kinds` tells about."""

    text: str
    boxes: tuple[int, ...]
    rank: int = _NO_RANK
    heading: int = -1
    stamp: bool = False
    stated: bool = False


@dataclass(slots=True)
class _Walk:
    lines: list[_Line] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Around:
    """What a node stands in."""

    boxes: tuple[int, ...] = ()
    rank: int = _NO_RANK
    heading: int = -1
    inside: bool = False


def read(tree: LexborHTMLParser) -> Head:
    """The article's head, found by what the page calls itself in its og:title or `<title>`."""
    title = _own_title(tree)
    body = tree.body
    if body is None:
        return Head(title)
    walk = _walked(body)
    at = _title_at(walk.lines, walk.kinds, title)
    return _regions(walk, at, title)


def _own_title(tree: LexborHTMLParser) -> str:
    for css in ("meta[property='og:title' i]", "title"):
        node = tree.css_first(css)
        said = (node.attributes.get("content") or node.text()) if node is not None else ""
        if said.strip():
            return said[:_TITLE_CHARS].strip()
    return ""


def squeezed(text: str) -> str:
    """Letters and digits only, to compare titles by."""
    return _NOT_LETTERS.sub("", unicodedata.normalize("NFKC", text)).casefold()


def _walked(body: LexborNode) -> _Walk:
    walk = _Walk()
    stack: list[tuple[LexborNode | None, _Around]] = [(body.child, _Around())]
    visited = 0
    while stack and visited < _NODES_MAX:
        node, around = stack.pop()
        if node is None:
            continue
        visited += 1
        stack.append((node.next, around))
        tag = node.tag or ""
        if tag == "-text":
            text = " ".join(unicodedata.normalize("NFKC", (node.text_content or "")[:_LINE_CHARS]).split())
            if text:
                walk.lines.append(_Line(text, around.boxes, around.rank, around.heading))
        elif tag not in _UNSEEN and not tag.startswith(("-", "!")):
            inner = _entered(node, tag, around, walk)
            if inner is not None:
                stack.append((node.child, inner))
    return walk


def _entered(node: LexborNode, tag: str, around: _Around, walk: _Walk) -> _Around | None:
    """What the children of an element stand in; None for an element nobody sees."""
    fields = node.attributes
    words = f"{fields.get('class') or ''} {fields.get('id') or ''}".lower() if fields else " "
    if fields and ("hidden" in fields or "display:none" in (fields.get("style") or "").replace(" ", "").lower()):
        return None
    boxes, rank, heading = around.boxes, around.rank, around.heading
    if fields:
        _note_stamp(fields, tag, words, around, walk)
    kind = _kind(tag, words, around)
    if fields and "articlebody" in (fields.get("itemprop") or "").lower():
        kind = "body"
    if kind:
        walk.kinds.append(kind)
        boxes = (*boxes[-30:], len(walk.kinds) - 1)
    own = _HEADINGS.get(tag) or (_TITLE_RANK if _TITLE.search(words) else _NO_RANK)
    if own < rank:
        walk.kinds.append("heading")
        rank, heading = own, len(walk.kinds) - 1
    return _Around(boxes, rank, heading, around.inside or tag in ("article", "main"))


def _kind(tag: str, words: str, around: _Around) -> str:
    if tag in _OTHER_TAGS:
        return "other"
    if words != " ":
        if _BODY.search(words):
            return "body"
        if _HEAD.search(words):
            return "marked"
        if tag not in ("html", "body", "time") and _OTHERS.search(words):
            return "other"
    return "other" if tag in _PAGE_EDGES and not around.inside else ""


def _note_stamp(fields: dict[str, str | None], tag: str, words: str, around: _Around, walk: _Walk) -> None:
    stated = "datepublished" in (fields.get("itemprop") or "").lower().split()
    published = stated or "published" in words or "pubdate" in fields
    raw = (fields.get("content") or fields.get("datetime") or fields.get("title") or "") if stated else ""
    if tag == "time" and (published or not _EDIT_CLASS.search(words)):
        raw = raw or fields.get("datetime") or ""
    elif tag == "abbr" and published:
        raw = raw or fields.get("title") or ""
    if raw and "datemodified" not in (fields.get("itemprop") or "").lower():
        walk.lines.append(_Line(raw[:100], around.boxes, stamp=True, stated=published))


def _title_at(lines: list[_Line], kinds: list[str], title: str) -> int:
    """The line that begins the article's title; -1 where none can be told."""
    names = [squeezed(part) for part in (title, _SPLIT_TITLE.split(title.strip())[0])]
    best, found = (2, _NO_RANK + 1), -1
    for number, line in enumerate(lines):
        if line.stamp or (line.rank == _NO_RANK and not names[1]):
            continue
        called = squeezed(line.text) if names[1] else ""
        same = bool(called) and _same_title(called, names)
        boxed = any(kinds[box] == "other" for box in line.boxes)
        if not same and (boxed or line.rank > 3 or names[1]):
            continue
        worth = (int(boxed), line.rank)
        if worth < best:
            best, found = worth, number
    return found if found >= 0 or not names[1] else _title_at(lines, kinds, "")


def _same_title(called: str, names: list[str]) -> bool:
    """Whether a line says most of the title, or the title after its section."""
    if called in names[0]:
        return len(called) * 2 >= len(names[1])
    return len(names[1]) > 3 and names[1] in called and len(called) <= 2 * len(names[1])


def _regions(walk: _Walk, at: int, title: str) -> Head:
    lines, kinds = walk.lines, walk.kinds
    own = set(lines[at].boxes) if at >= 0 else set()
    heading = lines[at].heading if at >= 0 else -1
    names = squeezed(title)
    kept: dict[Place, list[str]] = {"marked": [], "head": [], "before": [], "after": []}
    stamps: list[Stamp] = []
    has_body = any(_in(line, kinds, "body", own) for line in lines[max(at, 0) :])
    place: Place = "before"
    previous = ""
    for number, line in enumerate(lines):
        if number == at:
            place = "head"
        if _in(line, kinds, "other", own):
            continue
        if _in(line, kinds, "body", own) or (not has_body and number > at >= 0 and _is_prose(line.text)):
            place = "after" if number > at else place
            continue
        letters = squeezed(line.text)
        if number > at >= 0 and letters in _END and (place == "after" or not has_body):
            break
        if (line.heading >= 0 and line.heading == heading) or (
            len(letters) > 5 and letters in names and not line.stamp
        ):
            continue
        where: Place = "marked" if place != "after" and _in(line, kinds, "marked", set()) else place
        if line.stamp:
            if line.stated or not _EDIT_LABEL.search(previous):
                stamps.append(Stamp(line.text, where, line.stated))
        else:
            kept[where].append(line.text)
            previous = line.text
    return Head(
        title,
        _joined(kept["marked"]),
        _joined(kept["head"]),
        _joined(kept["before"]),
        _joined(kept["after"]),
        tuple(stamps),
    )


_EDIT_LABEL = re.compile(
    r"(?:수정|최종|편집(?!장|부|국|인|위원)|갱신|업데이트|updated?|modified|edited)\W*$", re.IGNORECASE
)


def _in(line: _Line, kinds: list[str], kind: str, but: set[int]) -> bool:
    return any(kinds[box] == kind and box not in but for box in line.boxes)


def _is_prose(text: str) -> bool:
    return len(text) >= _PROSE_CHARS or (len(text) >= _SENTENCE_CHARS and _SENTENCE.search(text) is not None)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines)[:_REGION_CHARS]
