"""The words of a list page's elements: what a reader sees of them, without badges, counters and templates. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

_NODES_MAX = 2_000
_WORDS_MAX_CHARS = 20_000
_UNSEEN = frozenset({
    "script", "style", "noscript", "template", "iframe", "svg", "math", "select", "textarea", "object", "button",
})  # fmt: skip
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "big", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "s",
    "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
_BADGE_CLASS = re.compile(
    r"newartcl|(?:ico|icon|xi|fa|glyphicon)(?:[-_]\S+)?|\S+[-_](?:ico|icon|badge)|new|hot|badge\S*|cnt|cnt_cmt|cmt\S*|comment\S*|"
    r"reply\S*|sound_only|blind|hidden|hide|a11y|sr-only|screen-?(?:reader|out)\S*|skip|bo_cate_link|bo_v_cate|cate?|category\S*|"
    r"ca_?name|b-cate|num|no|hits?|views?|count|label|label[-_]\S+|(?:w|reg|td_)?date(?:time)?|time|writer|author|name|summary|"
    r"desc\S*|excerpt|lead",
    re.IGNORECASE,
)
_BADGE_WORDS = re.compile(
    r"새\s?글|new!?|n|hot|h|첨부(?:파일)?|파일\s?첨부|비밀글"
    r"|댓글\s?(?:수\s?)?[\[(]?\d*[\])]?개?|개"
    r"|[\[(+]\s?\+?\d{1,5}\s?[\])]?",
    re.IGNORECASE,
)
_BADGE_MAX_CHARS = 12
_BLIND = re.compile(r"(?:^|\s)(?:blind|sample|template|hidden|replace-\S+|is-template)(?:\s|$)", re.IGNORECASE)
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def classes(node: LexborNode) -> str:
    """An element's class words as written."""
    return node.attributes.get("class") or ""


def words(node: LexborNode, *, bare: bool = False) -> str:
    """The text of an element, a blank where a block or cell ends. `bare`: without badges and counters, if more is left."""
    child = node.child
    if child is not None and child.tag == "-text" and child.next is None:
        return (child.text_content or "")[:_WORDS_MAX_CHARS]
    text = " ".join("".join(_pieces(node, bare)).split())[:_WORDS_MAX_CHARS]
    return text if text or not bare else words(node)


def _pieces(node: LexborNode, bare: bool) -> Iterator[str]:
    left = _NODES_MAX
    stack: list[LexborNode | None] = [node]
    while stack and left:
        left -= 1
        one = stack.pop()
        if one is None:
            yield " "
            continue
        tag = one.tag or "-"
        if tag == "-text":
            yield one.text_content or ""
        elif tag[0] == "-" or tag in _UNSEEN or (bare and one is not node and badge(one)):
            continue
        elif tag in ("br", "img"):
            yield " "
        else:
            if tag not in _INLINE:
                yield " "
                stack.append(None)
            stack += reversed(children(one))


def children(node: LexborNode) -> list[LexborNode]:
    """Elements and texts right below, as many as will be looked at."""
    found: list[LexborNode] = []
    one = node.child
    while one is not None and len(found) < _NODES_MAX:
        found.append(one)
        one = one.next
    return found


def badge(node: LexborNode) -> bool:
    """Whether an element inside a title is none of its words: a counter, an icon, a category, a note for screen readers, another
    fact of the item."""
    if node.tag == "time":
        return True
    name = classes(node)
    if name and any(_BADGE_CLASS.fullmatch(word) for word in name.split()):
        return True
    return badge_words(node.text() or "")


def badge_words(text: str) -> bool:
    """Whether a text is a counter or a mark for something new, not words of an item."""
    text = text.strip()
    return len(text) <= _BADGE_MAX_CHARS and bool(_BADGE_WORDS.fullmatch(text))


def decoy(node: LexborNode) -> bool:
    """Whether an item is a template for scripts, or hidden."""
    attributes = node.attributes
    return (
        attributes.get("id") == "sample"
        or "hidden" in attributes
        or bool(_BLIND.search(attributes.get("class") or ""))
        or bool(_NOT_SHOWN.search(attributes.get("style") or ""))
    )
