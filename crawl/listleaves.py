"""The texts of a list's item and what they are, told by class words, column headings and their own shape. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborNode

from crawl import listdates
from crawl.listtext import badge, badge_words, children, classes, words

_NODES_MAX = 200
_LEAVES_MAX = 60
"""Real items hold under thirty texts."""
_COLUMNS_MAX = 30
_SHORT_CHARS = 40
_SENTENCE_LEAST_CHARS = 10
_PROSE_LEAST_CHARS = 60
_LABEL_MAX_CHARS = 20
BAR = re.compile(r"\s*[|ㅣ│┃•]\s*|\s+Ι\s+|\s+·\s+")
_DATE_WORD = re.compile(r"date|time|regist|reg_?dt|wdate|rdate|dated|(?:^|[\s_-])day(?:$|[\s_-])", re.IGNORECASE)
_BYLINE_WORD = re.compile(
    r"writ(?:er|e)|author|byline|reporter|nick|sv_(?:member|guest)|(?:^|[\s_-])(?:name|user|by)(?:$|[\s_-])",
    re.IGNORECASE,
)
_SECTION_WORD = re.compile(r"cate(?:gory)?|section|(?:^|[\s_-])(?:cat|sec|tag)(?:$|[\s_-])", re.IGNORECASE)
_SUMMARY_WORD = re.compile(r"summary|desc|excerpt|preview|(?:^|[\s_-])(?:lead|ffd)(?:$|[\s_-])", re.IGNORECASE)
_TEXT_WORD = re.compile(r"(?:^|[\s_-])(?:txt|text|cont|contents?|body)(?:$|[\s_-])", re.IGNORECASE)
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
_LABEL_CHARS = 12
_SENTENCE = re.compile(r"[.!?…。][\"'”’)]?$")
_WRITER = re.compile(
    r"기자|편집|위원|교수|학생|에디터|리포터|특파원|논설|작가|총장|국장|주간|객원|통신원|회장|학우|(?:^|\s)PD|reporter|editor|writer|^by\s|journalist"
    r"|^(?:아나운서|앵커|프로듀서|엔지니어|(?:제작|보도|취재|편성|기술|영상|사진|방송|뉴미디어)[부팀국])\s[가-힣]{2,4}$"
    r"|^[가-힣]{2,4}\s(?:아나운서|앵커|프로듀서|엔지니어)$",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^(?:기자명|작성자|글쓴이|등록자|글|writer|author|posted by|by)\s*[:：]\s*|^기자명\s+", re.IGNORECASE
)
_NOT_WRITER = re.compile(
    r"조회|추천|댓글|승인|등록|입력|수정|호수|번호|첨부|hits?|views?|\d{3,}호|^\W*\d+\W*$|^\d+\s?(?:면|호)$",
    re.IGNORECASE,
)
_LABEL_BEFORE = re.compile(r"^(?:승인|등록(?:일(?:시)?)?|입력|작성일|게시일|날짜|date)\s*:?\s*", re.IGNORECASE)


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
    if len(text) > _LABEL_CHARS or leaf.column not in ("", "cell"):
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
            date_of(node) if tag == "time" or (own and node.attributes.get("title") and _DATE_WORD.search(own)) else ""
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


def kind(names: str) -> str:
    if not names:
        return ""
    if _DATE_WORD.search(names):
        return "date"
    return "byline" if _BYLINE_WORD.search(names) else "section" if _SECTION_WORD.search(names) else ""


def date_of(node: LexborNode) -> str:
    """The date an element shows: its machine-written one, else its words, with the time of day from its tooltip."""
    written = node.attributes.get("datetime") or ""
    if written and listdates.shaped(written):
        return written.strip()
    text = words(node, bare=True)
    tooltip = node.attributes.get("title") or ""
    return listdates.shaped(listdates.joined(text, tooltip) if tooltip else text)


def date(leaves: Sequence[Leaf]) -> str:
    told = [leaf for leaf in leaves if leaf.column == "date" or _DATE_WORD.search(leaf.names)]
    for candidates in (told, leaves):
        for leaf in reversed(candidates):
            if len(leaf.text) <= 200 and leaf.date:
                return leaf.date
    return ""


def byline(leaves: Sequence[Leaf]) -> str:
    """Who an item says wrote it."""
    return _told(leaves, "byline", _BYLINE_WORD) or _named_writer(leaves) or _between(leaves)


def section(leaves: Sequence[Leaf]) -> str:
    """The outlet's own label of an item."""
    return unbracketed(_told(leaves, "section", _SECTION_WORD) or _before_writer(leaves))


def summary(leaves: Sequence[Leaf], title: str) -> str:
    """The outlet's own summary of an item: a text that is named so, else the one that is prose."""
    return next((leaf.text for leaf in leaves if _is_summary(leaf)), "") or _prose(leaves, title)


def unbracketed(label: str) -> str:
    """A label without the brackets a template puts around it."""
    return label.strip("[]〔〕<>() ")


def _told(leaves: Sequence[Leaf], column: str, word: re.Pattern[str]) -> str:
    """The first short text whose column or class says what it is."""
    for leaf in leaves:
        if (leaf.column == column or (leaf.column in ("", "cell") and word.search(leaf.names))) and len(
            leaf.text
        ) <= 100:
            text = writer(leaf.text) if column == "byline" else leaf.text
            if text and not leaf.date and not (column == "byline" and _NOT_WRITER.search(text)):
                return text
    return ""


def _named_writer(leaves: Sequence[Leaf]) -> str:
    """A writer in a line of several facts, or a short text that says it is one."""
    leaves = [leaf for leaf in leaves if not _is_summary(leaf) and not leaf.text.startswith("[")]
    for leaf in leaves:
        for part in BAR.split(leaf.text[:200]):
            part = _without_date(part) if leaf.date else _LABEL_BEFORE.sub("", part).strip(" :|-")
            if part and len(part) <= _SHORT_CHARS and _WRITER.search(part) and not _NOT_WRITER.search(part):
                return writer(part)
    for leaf in leaves:
        parts = BAR.split(leaf.text[:200])
        if len(parts) > 1 and leaf.date:
            first = _without_date(parts[0])
            if first and len(first) <= 20 and not _NOT_WRITER.search(first):
                return writer(first)
    return ""


def _between(leaves: Sequence[Leaf]) -> str:
    """The one short text in a cell of its own between title and date, where boards without headings print the writer."""
    after = _after_title(leaves)
    short = [
        leaf.text
        for leaf in after
        if len(leaf.text) <= 20 and not (_NOT_WRITER.search(leaf.text) or badge_words(leaf.text))
    ]
    cells = all(leaf.column == "cell" for leaf in after)
    return writer(short[0]) if cells and len(short) == 1 else ""


def _before_writer(leaves: Sequence[Leaf]) -> str:
    """The short text right before the writer in a line that holds both of them and the date."""
    for label, name in itertools.pairwise(_after_title(leaves)):
        beside = label.names == name.names and label.column == name.column == ""
        named = len(name.text) <= _SHORT_CHARS and is_writer(name.text) and not is_writer(label.text)
        if beside and named and _is_label(label.text):
            return label.text
    return ""


def _is_label(text: str) -> bool:
    """Whether a text may be a section's or a writer's name, by its shape."""
    return len(text) <= _LABEL_MAX_CHARS and not (
        BAR.fullmatch(text) or _NOT_WRITER.search(text) or badge_words(text) or sentence(text)
    )


def _prose(leaves: Sequence[Leaf], title: str) -> str:
    """The first text in no cell of its own that reads as prose, and not as the title again."""
    for leaf in leaves:
        text = leaf.text
        if (
            leaf.column == ""
            and (sentence(text) or (len(text) >= _PROSE_LEAST_CHARS and not leaf.date))
            and not (is_writer(text) and len(text) <= _SHORT_CHARS)
            and not _says(text, title)
        ):
            return text
    return ""


def _says(text: str, title: str) -> bool:
    """Whether a text is the title once more, cut short or with a few signs behind it."""
    return bool(title) and (
        title.startswith(text.rstrip(".… ")) or (text.startswith(title) and len(text) - len(title) <= _LABEL_CHARS)
    )


def _is_summary(leaf: Leaf) -> bool:
    return bool(
        _SUMMARY_WORD.search(leaf.names)
        or (_TEXT_WORD.search(leaf.names) and (len(leaf.text) > _SHORT_CHARS // 2 or sentence(leaf.text)))
    )


def sentence(text: str) -> bool:
    """Whether a text of an item is a sentence, as a lead is and a title or label is not."""
    return len(text) >= _SENTENCE_LEAST_CHARS and _SENTENCE.search(text) is not None and not listdates.shaped(text)


def lone(leaves: Sequence[Leaf]) -> str:
    """The one short text between title and date that a bar parts from the date: a section or a writer."""
    after = _after_title(leaves)
    if not any(BAR.fullmatch(leaf.text) for leaf in after):
        return ""
    short = [leaf.text for leaf in after if not (BAR.fullmatch(leaf.text) or badge_words(leaf.text))]
    return short[0] if len(short) == 1 and len(short[0]) <= 20 and not _NOT_WRITER.search(short[0]) else ""


def _after_title(leaves: Sequence[Leaf]) -> Sequence[Leaf]:
    """What stands between an item's title and its date."""
    places = [place for place, leaf in enumerate(leaves) if leaf.column == "title"]
    after = leaves[places[-1] + 1 :] if places else []
    return after[: next((place for place, leaf in enumerate(after) if leaf.date), 0)]


def _without_date(part: str) -> str:
    """A part of a meta line without the date in it."""
    date = listdates.shaped(part)
    return _LABEL_BEFORE.sub("", part.replace(date, "") if date else part).strip(" :|-")


def writer(text: str) -> str:
    return _LABELLED.sub("", text.strip())


def is_writer(text: str) -> bool:
    """Whether a part of a meta line says by its words that it is a person or desk."""
    return bool(_WRITER.search(text))
