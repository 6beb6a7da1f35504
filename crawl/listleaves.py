"""The texts of a list's item, each with what its place on the page says about it: class words, its column, its label. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborNode

from crawl import listdates
from crawl.listtext import badge, children, classes, words

_NODES_MAX = 200
_LEAVES_MAX = 60
"""Real items hold under thirty texts."""
_COLUMNS_MAX = 30
DATE_WORD = re.compile(r"date|time|regist|reg_?dt|wdate|rdate|dated|(?:^|[\s_-])day(?:$|[\s_-])", re.IGNORECASE)
_COLUMNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("date", re.compile(r"작성일|등록일|날짜|게시일|일자|일시|발행일|승인일|date|registered", re.IGNORECASE)),
    ("byline", re.compile(r"작성자|글쓴이|기자|이름|등록자|저자|필자|writer|author|name|reporter", re.IGNORECASE)),
    ("section", re.compile(r"분류|구분|카테고리|섹션|지면|category|section", re.IGNORECASE)),
)
_LABELS: tuple[tuple[str, re.Pattern[str]], ...] = (
    *((kind, pattern) for kind, pattern in _COLUMNS if kind == "date"),
    ("byline", re.compile(r"작성자|글쓴이|기자명|등록자|저자|필자|writer|author", re.IGNORECASE)),
    ("section", re.compile(r"분류|구분|카테고리|섹션|category|section", re.IGNORECASE)),
    ("other", re.compile(r"조회수?|추천수?|댓글수?|첨부(?:파일)?|번호|hits?|views?", re.IGNORECASE)),
)
LABEL_CHARS = 12


@dataclass(frozen=True, slots=True)
class Leaf:
    """A text of an item with the class words of the two elements around it, and what its column holds: `cell` where its
    table has no heading for it; `title` marks where the title stands; and the date in the text, if there is one."""

    text: str
    names: str
    column: str
    date: str = ""


def leaves(roots: Iterable[LexborNode], without: set[int], columns: Columns) -> list[Leaf]:
    """The texts of an item's elements in page order, without labels (`작성자`), which say what follows them. `without`: elements
    (`mem_id`) whose words are known already."""
    found: list[Leaf] = []
    told = ""
    for leaf in (leaf for root in roots for leaf in _below(root, without, columns)):
        label = _label(leaf)
        if not label:
            found.append(replace(leaf, column=told) if told and leaf.column in ("", "cell") else leaf)
        told = label
    return found


def _label(leaf: Leaf) -> str:
    """What a text announces the next one to be, where it does nothing else."""
    text = leaf.text.rstrip(" :：")
    if len(text) > LABEL_CHARS or leaf.column not in ("", "cell"):
        return ""
    return next((kind for kind, pattern in _LABELS if pattern.fullmatch(text)), "")


def _below(root: LexborNode, without: set[int], columns: Columns) -> list[Leaf]:
    found: list[Leaf] = []
    stack: list[tuple[LexborNode, str, str]] = [(root, "", "")]
    left = _NODES_MAX
    while stack and left and len(found) < _LEAVES_MAX:
        left -= 1
        node, names, column = stack.pop()
        tag = node.tag or "-"
        if node.mem_id in without:
            found.append(Leaf("", "", "title"))
            # What a link says beside its title (a date, a writer) is no part of that.
            stack += [
                (child, names, column) for child in reversed(children(node)) if child.tag != "-text" and badge(child)
            ]
            continue
        if tag == "-text":
            text = " ".join((node.text_content or "").split())
            if text:
                found.append(Leaf(text, names, column, listdates.shaped(text)))
            continue
        if tag[0] == "-" or tag in ("script", "style", "select", "noscript", "template"):
            continue
        own = "" if node.mem_id == root.mem_id else classes(node)
        if tag in ("td", "th"):
            column = columns.of(node) or column or "cell"
        moment = (
            date_of(node) if tag == "time" or (own and node.attributes.get("title") and DATE_WORD.search(own)) else ""
        )
        if moment:
            found.append(Leaf(moment, f"date {own}", "date", moment))
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


def date_of(node: LexborNode) -> str:
    """The date an element shows: its machine-written one, else its words, with the time of day from its tooltip."""
    written = node.attributes.get("datetime") or ""
    if written and listdates.shaped(written):
        return written.strip()
    text = words(node, bare=True)
    tooltip = node.attributes.get("title") or ""
    return listdates.shaped(listdates.joined(text, tooltip) if tooltip else text)
