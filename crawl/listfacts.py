"""What the texts of a list's item are, told by class words, column headings and their own shape. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from crawl import listdates
from crawl.listleaves import DATE_WORD, LABEL_CHARS, Leaf
from crawl.listtext import badge_words

BAR = re.compile(r"\s*[|ㅣ│┃•]\s*|\s+Ι\s+|\s+·\s+")
_SHORT_CHARS = 40
_SENTENCE_LEAST_CHARS = 10
_PROSE_LEAST_CHARS = 60
_LABEL_MAX_CHARS = 20
_BYLINE_WORD = re.compile(
    r"writ(?:er|e)|author|byline|reporter|nick|sv_(?:member|guest)|(?:^|[\s_-])(?:name|user|by)(?:$|[\s_-])",
    re.IGNORECASE,
)
_SECTION_WORD = re.compile(r"cate(?:gory)?|section|(?:^|[\s_-])(?:cat|sec|tag)(?:$|[\s_-])", re.IGNORECASE)
_SUMMARY_WORD = re.compile(r"summary|desc|excerpt|preview|(?:^|[\s_-])(?:lead|ffd)(?:$|[\s_-])", re.IGNORECASE)
_TEXT_WORD = re.compile(r"(?:^|[\s_-])(?:txt|text|cont|contents?|body)(?:$|[\s_-])", re.IGNORECASE)
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


def kind(names: str) -> str:
    if not names:
        return ""
    if DATE_WORD.search(names):
        return "date"
    return "byline" if _BYLINE_WORD.search(names) else "section" if _SECTION_WORD.search(names) else ""


def date(leaves: Sequence[Leaf]) -> str:
    told = [leaf for leaf in leaves if leaf.column == "date" or DATE_WORD.search(leaf.names)]
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
        title.startswith(text.rstrip(".… ")) or (text.startswith(title) and len(text) - len(title) <= LABEL_CHARS)
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
