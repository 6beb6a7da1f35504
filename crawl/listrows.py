"""One item of a list to its facts as text: by a skin's places, else by the words of classes and column headings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from crawl import listdates, listfacts, listleaves, listlinks
from crawl.listfacts import BAR, is_writer, kind, unbracketed, writer
from crawl.listleaves import Columns, date_of
from crawl.listtext import badge, children, classes, words
from crawl.skins import Family, Part, Skin

_TITLE_WORD = re.compile(r"titles?|subject|tit|headline|heading|hx|(?:^|[\s_-])sj(?:$|[\s_-])", re.IGNORECASE)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "dt"})
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


class _Parts(NamedTuple):
    section: str
    byline: str
    date: str
    lone: str = ""


def by_skin(item: LexborNode, skin: Skin, family: Family, base: str, columns: Columns) -> Row | None:
    """The facts of an item where the skin says they are; None where it links no article of this family."""
    link, url, name = _article_link(item, skin, family, base)
    if link is None:
        return None
    headed = _first(item, skin.title) or link
    summary = _first(item, skin.summary)
    parts = _meta(item, skin) if skin.meta else _cells(item, skin)
    row = Row(
        url, name, _title(headed, link), words(summary) if summary is not None else "", parts.byline, parts.section, parts.date,
        parts.lone, _pinned(item),
    )  # fmt: skip
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
    title = _title(headed, link)
    row = Row(url, name, title, _lead(links, link, title), pinned=any(_pinned(root) for root in roots))
    return _filled(row, roots, {headed.mem_id}, columns, everything=True)


def _lead(links: Sequence[LexborNode], titled: LexborNode, title: str) -> str:
    """What an item's other links to the same article say below its headed title, where one of them is a sentence."""
    if titled.parent is None or titled.parent.tag not in _HEADINGS:
        return ""
    after = False
    for link in links[:20]:
        text = words(link, bare=True).strip() if after else ""
        if text != title and listfacts.sentence(text):
            return text
        after = after or link.mem_id == titled.mem_id
    return ""


def secret(item: LexborNode, title: str) -> bool:
    """Whether a board shows an item that only some may read."""
    return bool(_SECRET_TITLE.fullmatch(title)) or item.css_first(_SECRET_CSS) is not None


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
        if plain[0] is None and (name := listlinks.film(url) or listlinks.named(url, family, pretty=True)):
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


def _cells(item: LexborNode, skin: Skin) -> _Parts:
    """Section, byline and date from the places a skin names for each."""
    dates = (date_of(node) for css in _choices(skin.date) for node in item.css(css)[:4])
    byline = _first(item, skin.byline)
    section = _first(item, skin.section)
    return _Parts(
        unbracketed(words(section)) if section is not None else "",
        writer(words(byline)) if byline is not None else "",
        next((date for date in dates if date), ""),
    )


def _meta(item: LexborNode, skin: Skin) -> _Parts:
    """Section, byline and date out of a skin's meta line, by class where classes say it, else by order."""
    nodes = next((found for css in _choices(skin.meta) if (found := item.css(css))), [])
    slots: list[str] = []
    told: dict[str, str] = {}
    for node in nodes[:12]:
        what = kind(classes(node)) if len(nodes) > 1 else ""
        text = words(node).strip()
        if what:
            told.setdefault(what, text)
        else:
            slots += BAR.split(text) if len(nodes) == 1 else [text]
    date = listdates.shaped(told.get("date", ""))
    for place in reversed(range(len(slots) if not date else 0)):
        date = listdates.shaped(slots[place])
        if date:
            del slots[place]
            break
    section, byline, lone = _ordered([slot.strip() for slot in slots], skin.lone)
    return _Parts(told.get("section") or section, writer(told.get("byline") or byline), date, lone)


def _ordered(slots: list[str], lone: Part | None) -> tuple[str, str, str]:
    """Section, byline, and what may be either, of a meta line's parts without the date."""
    if len(slots) > 1:
        return slots[0], slots[1], ""
    only = slots[0] if slots else ""
    if lone == "byline" or (lone is None and is_writer(only)):
        return "", only, ""
    return (only, "", "") if lone == "section" else ("", "", only)


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
    """The facts a skin does not name, read from an item's texts."""
    leaves = listleaves.leaves(roots, without, columns)
    row = replace(row, date=row.date or listfacts.date(leaves))
    if not everything:
        return row
    byline = row.byline or listfacts.byline(leaves)
    section = row.section or listfacts.section(leaves)
    return replace(
        row,
        byline=byline,
        section=section,
        lone=row.lone or ("" if byline or section else listfacts.lone(leaves)),
        summary=row.summary or listfacts.summary(leaves, row.title),
    )
