"""One item of a list to its facts as text: by a skin's places, else by the words of classes and column headings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from selectolax.lexbor import LexborNode

from crawl import listdates, listlinks
from crawl.listtext import badge, badge_words, children, classes, words
from crawl.skins import Family, Part, Skin

_LEAVES_MAX = 400
_COLUMNS_MAX = 30
_SHORT_CHARS = 40
_BAR = re.compile(r"\s*[|ㅣ│┃•]\s*|\s+Ι\s+|\s+·\s+")
_DATE_WORD = re.compile(r"date|time|regist|reg_?dt|wdate|rdate|dated|(?:^|[\s_-])day(?:$|[\s_-])", re.IGNORECASE)
_BYLINE_WORD = re.compile(
    r"writ(?:er|e)|author|byline|reporter|nick|(?:^|[\s_-])(?:name|user|by)(?:$|[\s_-])", re.IGNORECASE
)
_SECTION_WORD = re.compile(r"cate(?:gory)?|section|(?:^|[\s_-])(?:cat|sec|tag)(?:$|[\s_-])", re.IGNORECASE)
_SUMMARY_WORD = re.compile(r"summary|desc|excerpt|preview|(?:^|[\s_-])(?:lead|ffd)(?:$|[\s_-])", re.IGNORECASE)
_TEXT_WORD = re.compile(r"(?:^|[\s_-])(?:txt|text|cont|contents?|body)(?:$|[\s_-])", re.IGNORECASE)
_TITLE_WORD = re.compile(r"titles?|subject|tit|headline|heading|hx", re.IGNORECASE)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5"})
_COLUMNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("date", re.compile(r"작성일|등록일|날짜|게시일|일자|일시|발행일|승인일|date|registered", re.IGNORECASE)),
    ("byline", re.compile(r"작성자|글쓴이|기자|이름|등록자|저자|필자|writer|author|name|reporter", re.IGNORECASE)),
    ("section", re.compile(r"분류|구분|카테고리|섹션|지면|category|section", re.IGNORECASE)),
)
_WRITER = re.compile(
    r"기자|편집|위원|교수|학생|에디터|리포터|특파원|논설|작가|총장|국장|주간|객원|통신원|회장|학우|(?:^|\s)PD|reporter|editor|writer|^by\s|journalist",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^(?:기자명|작성자|글쓴이|등록자|글|writer|author|posted by|by)\s*[:：]\s*|^기자명\s+", re.IGNORECASE
)
_NOT_WRITER = re.compile(
    r"조회|추천|댓글|승인|등록|입력|수정|호수|번호|첨부|hits?|views?|\d{3,}호|^\W*\d+\W*$|^\d+\s?(?:면|호)$",
    re.IGNORECASE,
)
_SECRET_CSS = (
    ".fa-lock, .xi-lock, .icon_lock, .icon-lock, .icon_secret, .ico-lock, .ico_lock, .secret, img[src*=icon_secret], "
    "img[src*=ico_secret], img[src*=icon_lock], img[src*=ico_lock], img[alt*=비밀글]"
)
_SECRET_TITLE = re.compile(r"비밀\s?글(?:\s?입니다)?\.?")
_PINNED_MARK = re.compile(r"공지(?:사항)?|\[?공지\]?|일반공지|중요|알림|필독|notice|pinned", re.IGNORECASE)
_PINNED_CLASS = re.compile(
    r"(?:^|\s)(?:bo_notice|notice|notice_body|headline|sticky|top-?notice|b-top-box|is-notice)(?:\s|$)", re.IGNORECASE
)
_NUMBER_CELL = re.compile(r"(?:\S*[_-]|\S*td)?num(?:ber)?\d?|(?:td[_-]?)?no", re.IGNORECASE)
_ELLIPSIS = ("…", "...", "..", "‥")
_LEAD_WRITER = re.compile(r"^\s*\[[^\]\[]{1,40}?[=＝]\s*([^\]\[]{1,40}?)\s*\]")
_LABEL_BEFORE = re.compile(r"^(?:승인|등록(?:일(?:시)?)?|입력|작성일|게시일|날짜|date)\s*:?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """One item as text. `name` names its article on this page; `lone`: a part that may be section or byline."""

    url: str
    name: str
    title: str
    summary: str = ""
    byline: str = ""
    section: str = ""
    date: str = ""
    lone: str = ""
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A text of an item with the class words of the two elements around it, and what its column holds: `cell` where its
    table has no heading for it; `title` marks where the title stands."""

    text: str
    names: str
    column: str


def by_skin(item: LexborNode, skin: Skin, family: Family, base: str, columns: Columns) -> Row | None:
    """The facts of an item where the skin says they are; None where it links no article of this family."""
    link, url, name = _article_link(item, skin, family, base)
    if link is None:
        return None
    headed = _first(item, skin.title) or link
    row = Row(url, name, _title(headed, link))
    summary = _first(item, skin.summary)
    if summary is not None:
        row = replace(row, summary=words(summary))
    row = _with_cells(row, item, skin)
    if skin.meta:
        cells = next((found for css in _choices(skin.meta) if (found := item.css(css))), [])
        row = _with_meta(row, cells, skin.lone)
    row = replace(row, pinned=_pinned(item))
    # A place for the writer that is empty says that there is none to guess.
    guessed = family.board and not row.byline and _first(item, skin.byline) is None
    if not row.date or guessed:
        without = {headed.mem_id} | ({summary.mem_id} if summary is not None else set())
        row = _filled(row, [item], without, columns, everything=guessed)
    return row


def by_shape(roots: Sequence[LexborNode], links: Sequence[LexborNode], url: str, name: str, columns: Columns) -> Row:
    """The facts of an item of no known skin: the elements that belong to one article, and its links among them."""
    link = _best_link(links)
    headed = _heading_in(link) or link
    row = Row(url, name, _title(headed, link), pinned=any(_pinned(root) for root in roots))
    return _filled(row, roots, {headed.mem_id}, columns, everything=True)


def secret(item: LexborNode, title: str) -> bool:
    """Whether a board shows an item that only some may read."""
    return bool(_SECRET_TITLE.fullmatch(title)) or item.css_first(_SECRET_CSS) is not None


def is_writer(text: str) -> bool:
    """Whether a part of a meta line says by its words that it is a person or desk."""
    return bool(_WRITER.search(text))


def lead_writer(summary: str) -> str:
    """The writer that a summary's opening names: `[매체=홍길동 기자] …`."""
    found = _LEAD_WRITER.match(summary)
    return found[1] if found else ""


def _article_link(item: LexborNode, skin: Skin, family: Family, base: str) -> tuple[LexborNode | None, str, str]:
    """The first link to an article that has words, its address and its name; shaped addresses before pretty ones."""
    links = [link for css in _choices(skin.link) for link in item.css(css)[:10]]
    if item.tag == "a":
        links.insert(0, item)
    plain: tuple[LexborNode | None, str, str] = (None, "", "")
    for link in links:
        url = listlinks.address(link, base)
        if url is None or (not skin.title and not words(link).strip()):
            continue
        twin = listlinks.document(link, url) if family.name == "xe" else None
        name = twin or listlinks.named(url, family)
        if name:
            return link, url, name
        if plain[0] is None and (name := listlinks.named(url, family, pretty=True)):
            plain = (link, url, name)
    return plain


@cache
def _choices(css: str) -> tuple[str, ...]:
    """The selectors of a list of them, best first: a query of the whole list would answer in the page's order."""
    return tuple(css.split(", ")) if css else ()


def _first(item: LexborNode, css: str) -> LexborNode | None:
    return next((found for choice in _choices(css) if (found := item.css_first(choice)) is not None), None)


def _title(headed: LexborNode, link: LexborNode) -> str:
    text = words(headed, bare=True).strip()
    if text.endswith(_ELLIPSIS):
        start = text.rstrip(".…‥ ")
        for attribute in ("title", "aria-label"):
            whole = (link.attributes.get(attribute) or headed.attributes.get(attribute) or "").strip()
            if start and len(whole) > len(start) and whole.startswith(start):
                return whole
    if not text:
        picture = link.css_first("img[alt]")
        text = (link.attributes.get("title") or "") or (
            picture.attributes.get("alt") or "" if picture is not None else ""
        )
    return text


def _with_cells(row: Row, item: LexborNode, skin: Skin) -> Row:
    date = ""
    for css in _choices(skin.date):
        date = next((found for node in item.css(css)[:4] if (found := _date_of(node))), "")
        if date:
            break
    byline = _first(item, skin.byline)
    section = _first(item, skin.section)
    return replace(
        row,
        date=date,
        byline=_writer(words(byline)) if byline is not None else "",
        section=words(section).strip("[]〔〕<>() ") if section is not None else "",
    )


def _date_of(node: LexborNode) -> str:
    """The date an element shows: its machine-written one, else its words, with the time of day from its tooltip."""
    written = node.attributes.get("datetime") or ""
    if written and listdates.shaped(written):
        return written.strip()
    text = words(node, bare=True)
    tooltip = node.attributes.get("title") or ""
    return listdates.shaped(listdates.joined(text, tooltip) if tooltip else text)


def _with_meta(row: Row, nodes: Sequence[LexborNode], lone: Part | None) -> Row:
    """Section, byline and date out of a skin's meta line, by class where classes say it, else by order."""
    slots: list[str] = []
    found: dict[str, str] = {}
    for node in nodes[:12]:
        kind = _kind(classes(node))
        text = words(node)
        if kind and len(nodes) > 1:
            found.setdefault(kind, text)
        else:
            slots += _BAR.split(text) if len(nodes) == 1 else [text]
    row = replace(
        row,
        section=found.get("section", row.section),
        byline=_writer(found.get("byline", row.byline)),
        date=listdates.shaped(found.get("date", "")) or row.date,
    )
    return _with_slots(row, slots, lone)


def _kind(names: str) -> str:
    if not names:
        return ""
    if _DATE_WORD.search(names):
        return "date"
    return "byline" if _BYLINE_WORD.search(names) else "section" if _SECTION_WORD.search(names) else ""


def _with_slots(row: Row, slots: list[str], lone: Part | None) -> Row:
    date = ""
    for place in reversed(range(len(slots))):
        date = listdates.shaped(slots[place])
        if date:
            del slots[place]
            break
    row = replace(row, date=row.date or date)
    slots = [slot.strip() for slot in slots]
    if len(slots) > 1:
        return replace(row, section=row.section or slots[0], byline=row.byline or _writer(slots[1]))
    if slots and slots[0]:
        if lone == "byline" or (not lone and is_writer(slots[0])):
            return replace(row, byline=row.byline or _writer(slots[0]))
        return replace(row, lone=slots[0]) if not lone else replace(row, section=row.section or slots[0])
    return row


def _writer(text: str) -> str:
    return _LABELLED.sub("", text.strip())


def _pinned(item: LexborNode) -> bool:
    """Whether an item stands above the list's order: by its class, or by what stands where others have a number."""
    names = f"{classes(item)} {classes(item.parent) if item.parent is not None and item.tag == 'li' else ''}"
    if _PINNED_CLASS.search(names):
        return True
    first = next((child for child in children(item) if child.tag in ("td", "li", "span", "div")), None)
    numbers = first is not None and any(_NUMBER_CELL.fullmatch(word) for word in classes(first).split())
    if first is None or not (first.tag == "td" or numbers):
        return False
    text = words(first).strip()
    mark = first.css_first("img[alt]") if not text else None
    text = text or (mark.attributes.get("alt") or "" if mark is not None else "")
    if numbers:
        return not any(char.isdecimal() for char in text) and first.css_first("input") is None
    return bool(_PINNED_MARK.fullmatch(text))


def _best_link(links: Sequence[LexborNode]) -> LexborNode:
    """The link that holds the title: one with or in a heading, one named so, else the shortest of more than a word."""

    def rank(link: LexborNode) -> tuple[int, int]:
        text = words(link, bare=True).strip()
        if not text:
            return (9, 0)
        if _heading_in(link) is not None or (link.parent is not None and link.parent.tag in _HEADINGS):
            return (0, 0)
        parent = classes(link.parent) if link.parent is not None else ""
        if _TITLE_WORD.search(classes(link)) or _TITLE_WORD.search(parent):
            return (1, 0)
        return (2 if len(text) > 4 else 3, len(text))

    return min(links[:20], key=rank)


def _heading_in(link: LexborNode) -> LexborNode | None:
    if link.child is None or (link.child.tag == "-text" and link.child.next is None):
        return None
    found = link.css_first("h1, h2, h3, h4, h5")
    return found or next(
        (node for node in link.css("strong, b, p, span, div, em")[:12]
         if _TITLE_WORD.search(classes(node)) and words(node).strip() and not badge(node)),
        None,
    )  # fmt: skip


def _filled(row: Row, roots: Iterable[LexborNode], without: set[int], columns: Columns, *, everything: bool) -> Row:
    """The facts a skin does not name, read from an item's texts: by class words, column headings, and shape."""
    leaves = [leaf for root in roots for leaf in _leaves(root, without, columns)]
    if not row.date:
        row = replace(row, date=_last_date(leaves))
    if not everything:
        return row
    if not row.byline:
        row = replace(row, byline=_told(leaves, "byline", _BYLINE_WORD) or _named_writer(leaves) or _between(leaves))
    if not row.section:
        row = replace(row, section=_told(leaves, "section", _SECTION_WORD).strip("[]〔〕<>() "))
    if not row.summary:
        row = replace(row, summary=next((leaf.text for leaf in leaves if _is_summary(leaf)), ""))
    return row


def _is_summary(leaf: _Leaf) -> bool:
    return bool(
        _SUMMARY_WORD.search(leaf.names) or (_TEXT_WORD.search(leaf.names) and len(leaf.text) > _SHORT_CHARS // 2)
    )


def _between(leaves: Sequence[_Leaf]) -> str:
    """The one short text in a cell of its own between title and date, where boards without headings print the writer."""
    places = [place for place, leaf in enumerate(leaves) if leaf.column == "title"]
    after = leaves[places[-1] + 1 :] if places else []
    end = next((place for place, leaf in enumerate(after) if listdates.shaped(leaf.text)), 0)
    short = [
        leaf.text
        for leaf in after[:end]
        if len(leaf.text) <= 20 and not (_NOT_WRITER.search(leaf.text) or badge_words(leaf.text))
    ]
    cells = all(leaf.column == "cell" for leaf in after[:end])
    return _writer(short[0]) if cells and len(short) == 1 else ""


def _last_date(leaves: Sequence[_Leaf]) -> str:
    told = [leaf for leaf in leaves if leaf.column == "date" or _DATE_WORD.search(leaf.names)]
    for candidates in (told, leaves):
        for leaf in reversed(candidates):
            if len(leaf.text) <= 200 and (found := listdates.shaped(leaf.text)):
                return found
    return ""


def _told(leaves: Sequence[_Leaf], column: str, word: re.Pattern[str]) -> str:
    """The first short text whose column or class says what it is."""
    for leaf in leaves:
        if (leaf.column == column or (leaf.column in ("", "cell") and word.search(leaf.names))) and len(
            leaf.text
        ) <= 100:
            text = _writer(leaf.text) if column == "byline" else leaf.text
            if text and not listdates.shaped(text) and not (column == "byline" and _NOT_WRITER.search(text)):
                return text
    return ""


def _named_writer(leaves: Sequence[_Leaf]) -> str:
    """A writer in a line of several facts, or a short text that says it is one."""
    leaves = [leaf for leaf in leaves if not _is_summary(leaf) and not leaf.text.startswith("[")]
    for leaf in leaves:
        for part in _BAR.split(leaf.text[:200]):
            part = _without_date(part)
            if part and len(part) <= _SHORT_CHARS and _WRITER.search(part) and not _NOT_WRITER.search(part):
                return _writer(part)
    for leaf in leaves:
        parts = _BAR.split(leaf.text[:200])
        if len(parts) > 1 and listdates.shaped(leaf.text):
            first = _without_date(parts[0])
            if first and len(first) <= 20 and not _NOT_WRITER.search(first):
                return _writer(first)
    return ""


def _without_date(part: str) -> str:
    """A part of a meta line without the date in it."""
    date = listdates.shaped(part)
    return _LABEL_BEFORE.sub("", part.replace(date, "") if date else part).strip(" :|-")


def _leaves(root: LexborNode, without: set[int], columns: Columns) -> list[_Leaf]:
    found: list[_Leaf] = []
    stack: list[tuple[LexborNode, str, str]] = [(root, "", "")]
    left = _LEAVES_MAX
    while stack and left:
        left -= 1
        node, names, column = stack.pop()
        tag = node.tag or "-"
        if node.mem_id in without:
            found.append(_Leaf("", "", "title"))
            # What a link says beside its title (a date, a writer) is no part of that.
            stack += [
                (child, names, column) for child in reversed(children(node)) if child.tag != "-text" and badge(child)
            ]
            continue
        if tag == "-text":
            text = " ".join((node.text_content or "").split())
            if text:
                found.append(_Leaf(text, names, column))
            continue
        if tag[0] == "-" or tag in ("script", "style", "select", "noscript", "template"):
            continue
        own = "" if node.mem_id == root.mem_id else classes(node)
        if tag in ("td", "th"):
            column = columns.of(node) or column or "cell"
        moment = (
            _date_of(node) if tag == "time" or (own and node.attributes.get("title") and _DATE_WORD.search(own)) else ""
        )
        if moment:
            found.append(_Leaf(moment, f"date {own}", "date"))
            continue
        below = f"{names.rpartition(chr(10))[2]}\n{own}" if own else names
        stack += [(child, below, column) for child in reversed(children(node))]
    return found


class Columns:
    """What the headings of a page's tables say about their columns; each table is read once."""

    def __init__(self) -> None:
        self._tables: dict[int, tuple[str, ...]] = {}

    def of(self, cell: LexborNode) -> str:
        """What a cell holds by its heading: date, byline, section, `other`, or nothing where no heading says."""
        row = cell.parent
        body = row.parent if row is not None and row.tag == "tr" else None
        table = body.parent if body is not None and body.tag == "tbody" else None
        if row is None or body is None or table is None:
            return ""
        kinds = self._tables.get(body.mem_id)
        if kinds is None:
            kinds = self._tables[body.mem_id] = _kinds(table, body)
        place = 0
        one = row.child
        while one is not None and one.mem_id != cell.mem_id and place < len(kinds):
            place += one.tag in ("td", "th")
            one = one.next
        return kinds[place] if place < len(kinds) else ""


def _kinds(table: LexborNode, body: LexborNode) -> tuple[str, ...]:
    """The kind of each column by the first row of headings: in the table's head, or at the top of its body."""
    head = next((part for part in children(table)[:_COLUMNS_MAX] if part.tag == "thead"), body)
    row = next((part for part in children(head)[:_COLUMNS_MAX] if part.tag == "tr"), None)
    headings = [cell for cell in children(row)[: 2 * _COLUMNS_MAX] if cell.tag == "th"] if row is not None else []
    texts = [words(cell).strip() for cell in headings[:_COLUMNS_MAX]]
    return tuple(
        next((kind for kind, pattern in _COLUMNS if pattern.search(text)), "other") if text else "" for text in texts
    )
