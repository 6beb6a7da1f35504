"""A page as its lines of text in reading order, each with what it stands in. Pure; never raises.

Boxes around a line are told by element names and class words: those of other things than the article (menus, weather,
comments, lists of other articles), those named for an article's head, and those named for its text.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

_NODES_MAX = 40_000
_LINE_CHARS = 2_000
_STAMP_CHARS = 100
_BOXES_MAX = 30

HEADING_RANK, TITLE_RANK, NO_RANK = 5, 6, 9
"""`<h5>`; a class word for titles; neither."""
_UNSEEN = frozenset({
    "script", "style", "noscript", "template", "iframe", "svg", "math", "select", "textarea", "button", "object", "head",
})  # fmt: skip
_OTHER_TAGS = frozenset({"nav", "aside"})
_PAGE_EDGES = frozenset({"header", "footer"})
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": HEADING_RANK}
_OTHERS = re.compile(
    r"sidebar|comment|related|relation|popular|ranking|footer|weather|copyright|recommend|paging|pagination|banner"
    r"|gl-updated|last-?update|today|newest"
    r"|(?:^|[\s_-])(?:updated?|foot|side|snb|lnb|gnb|tnb|nav|menu|reply|replies|cmt|bo_vc|fdb|rank|best|hot|latest|recent|auto"
    r"|box-skin|prev|next|pager|search|calendar|widget|ticker|most|attach|files?|login|popup|edit)"
    r"(?=$|[\s_-]|\d|date|box|list|wrap|area)"
)
_THING = r"(?:article|view|art|post|entry|bbs|board|news|read|content|bo_v)[_-]?(?:view[_-]?)?"
_BARS = frozenset({"nav", "menu", "side"})
_HEAD = re.compile(
    rf"(?:^|\s)(?:{_THING}(?:head(?:er)?|top|title)|rd_hd|entry-footer|byline|posted-on)(?=$|[\s_-])"
    r"|(?:^|[\s_-])(?:publish|pub|write|reg|view|art|post|news)?_?date(?=$|\s)"
)
_META_LINE = re.compile(
    rf"(?:^|[\s_-]){_THING}(?:info(?:r?mation)?|meta)(?=$|[\s_-])"
    r"|(?:^|\s)(?:article-(?:view-)?head(?:er|-info)?|info-text|infomation|info-group|artclviewhead)(?=$|\s)"
)
_BODY = re.compile(
    r"(?:^|\s)(?:article-view-content-div|article-veiw-body|news_body_area|bo_v_con|xe_content|rhymix_content|artclview"
    r"|(?:article|entry|post|view|board|bbs|news|art)[_-]?(?:body|contents?|txt|text|cont?)|gh-content"
    r"|tt_article_useless_p_margin)(?=$|\s)"
)
_TITLE = re.compile(r"(?:^|[\s_-])(?:title|subject|tit|heading|headline)(?=$|[\s_-])|bo_v_title|viewtitle")
_LOGO = re.compile(r"(?:^|[\s_-])logo(?=$|[\s_-])")
_HOME = re.compile(r"(?:https?:)?(?://[^/?#]*)?/?(?:\./|(?:index|main|home)\.\w{2,5})?", re.IGNORECASE)
_EDIT_CLASS = re.compile(r"updat|modif|edit")

Kind = Literal["home", "other", "head", "meta", "body", "heading"]


@dataclass(frozen=True, slots=True)
class Line:
    """One piece of text, or a stamp: a date in an attribute or element made for it.

    `boxes`: indices into `Lines.kinds` of what it stands in. `rank`: of the heading it is part of (1 to 5, `TITLE_RANK`,
    `NO_RANK`), and `heading` that element's index. `stated`: a stamp that says it is the publication date.
    """

    text: str
    boxes: tuple[int, ...]
    rank: int = NO_RANK
    heading: int = -1
    stamp: bool = False
    stated: bool = False


@dataclass(slots=True)
class Lines:
    """All lines, and the kind of every box and heading they stand in.

    `home`: a logo or a link to the front page. `other`: not the article's. `head`: holds an article's head and maybe its
    title; `meta`: the line about writer and date. `body`: its text.
    """

    lines: list[Line] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)

    def inside(self, line: Line, kind: Kind, *, but: frozenset[int] = frozenset()) -> bool:
        """Whether a line stands in a box of that kind; `but`: boxes that do not count."""
        return any(self.kinds[box] == kind and box not in but for box in line.boxes)


@dataclass(frozen=True, slots=True)
class _Around:
    """What a node stands in; `article`: inside an element that says so."""

    boxes: tuple[int, ...] = ()
    rank: int = NO_RANK
    heading: int = -1
    article: bool = False


def read(tree: LexborHTMLParser) -> Lines:
    """The lines of a page that its readers see."""
    found = Lines()
    body = tree.body
    stack: list[tuple[LexborNode | None, _Around]] = [(body.child if body is not None else None, _Around())]
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
                found.lines.append(Line(text, around.boxes, around.rank, around.heading))
        elif tag not in _UNSEEN and not tag.startswith(("-", "!")):
            inner = _entered(node.attributes, tag, around, found)
            if inner is not None:
                stack.append((node.child, inner))
    return found


def _entered(fields: dict[str, str | None], tag: str, around: _Around, found: Lines) -> _Around | None:
    """What the children of an element stand in; None for an element nobody sees."""
    words = " "
    if fields:
        if "hidden" in fields or "display:none" in (fields.get("style") or "").replace(" ", "").lower():
            return None
        words = f"{fields.get('class') or ''} {fields.get('id') or ''}".lower()
        _note_stamp(fields, tag, words, around, found)
    boxes, rank, heading = around.boxes, around.rank, around.heading
    kind = _kind(fields, tag, words, around, found)
    if kind is not None:
        found.kinds.append(kind)
        boxes = (*boxes[-_BOXES_MAX:], len(found.kinds) - 1)
    own = _HEADINGS.get(tag) or (TITLE_RANK if _TITLE.search(words) else NO_RANK)
    if own < rank:
        found.kinds.append("heading")
        rank, heading = own, len(found.kinds) - 1
    return _Around(boxes, rank, heading, around.article or tag in ("article", "main"))


def _within(around: _Around, kind: Kind, found: Lines) -> bool:
    return any(found.kinds[box] == kind for box in around.boxes)


def _kind(fields: dict[str, str | None], tag: str, words: str, around: _Around, found: Lines) -> Kind | None:
    if _LOGO.search(words) or (tag == "a" and _HOME.fullmatch((fields.get("href") or "#").strip())):
        return "home"
    if tag in _OTHER_TAGS:
        return "other"
    if "articlebody" in (fields.get("itemprop") or "").lower() or _BODY.search(words):
        return "body"
    if _META_LINE.search(words):
        return "meta"
    if _HEAD.search(words):
        return "head"
    if tag not in ("html", "body", "time") and (others := _OTHERS.findall(words)):
        # A bar inside an article's head is its line of facts (XpressEngine's `rd_nav`).
        bars = all(word.strip(" _-") in _BARS for word in others) and _within(around, "head", found)
        return None if bars else "other"
    return "other" if tag in _PAGE_EDGES and not around.article else None


def _note_stamp(fields: dict[str, str | None], tag: str, words: str, around: _Around, found: Lines) -> None:
    means = (fields.get("itemprop") or "").lower()
    stated = "datepublished" in means.split() or (
        tag in ("time", "abbr") and ("published" in words or "pubdate" in fields)
    )
    names = ("content", "datetime", "title") if stated else ("datetime",) if tag == "time" else ()
    raw = next((value for name in names if (value := fields.get(name))), "")
    if raw and "datemodified" not in means and (stated or not _EDIT_CLASS.search(words)):
        found.lines.append(Line(raw[:_STAMP_CHARS], around.boxes, stamp=True, stated=stated))
