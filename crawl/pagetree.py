"""A strange page as a tree, in bounded time. Pure; never raises.

The parser's work grows with the square of the nesting depth, of the attributes of one tag, of the choices of one list of
them and of a repeated `<body>`. Real pages stay under a hundred of each; what goes far beyond is cut off before parsing.
"""

from __future__ import annotations

import re
from collections import Counter

from selectolax.lexbor import LexborHTMLParser

_DEPTH_MAX = 1_500
_TAG_CHARS = 4_000
_ATTRIBUTES_MAX = 200
_ATTRIBUTE = r"""[\s/]++|=?+[^\s/>=]++(?>\s*+=\s*+(?>"[^"]*+"|'[^']*+'|[^\s>]*+))?|="""
_TOKEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<(?P<raw>script|style|textarea|title|xmp)(?=[\s/>])[^>]*+>.*?(?:</(?P=raw)(?=[\s/>])|\Z)"
    rf"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*+)(?P<attributes>(?>{_ATTRIBUTE})*+)>?",
    re.IGNORECASE | re.DOTALL,
)
_OPTIONS_MAX = 500
_CHOICE = re.compile(r"<option(?=[\s/>])", re.IGNORECASE)
_ONE_ATTRIBUTE = re.compile(_ATTRIBUTE)
_NEVER_DEEP = frozenset({
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p", "param",
    "source", "td", "th", "tr", "track", "wbr",
})  # fmt: skip
"""Elements without an end, or whose end is commonly left out and implied by the next of their kind."""


def tree(text: str) -> LexborHTMLParser:
    """The tree of a page's text; what follows a place of absurd depth is left out, and so is a tag's surplus of attributes."""
    return LexborHTMLParser(_bounded(text))


def _bounded(text: str) -> str:
    kept: list[str] = []
    done = depth = 0
    open_: Counter[str] = Counter()
    roots: set[str] = set()
    crowded = len(_CHOICE.findall(text)) > _OPTIONS_MAX
    for found in _TOKEN.finditer(text):
        name = found["name"]
        if name is None:
            continue
        name = name.lower()
        root = name in ("html", "body") and not found["end"]
        if (root and name in roots) or (crowded and name in ("select", "option", "optgroup")):
            # Each one more would be merged into the first, or checked against all before it.
            kept.append(text[done : found.start()])
            done = found.end()
            continue
        if found.end() - found.start() > _TAG_CHARS:
            kept += [text[done : found.start("attributes")], _first_attributes(found["attributes"]), ">"]
            done = found.end()
        if root:
            roots.add(name)
        if name in _NEVER_DEEP:
            continue
        if found["end"]:
            if open_[name]:
                open_[name] -= 1
                depth -= 1
        else:
            open_[name] += 1
            depth += 1
            if depth > _DEPTH_MAX:
                return "".join(kept) + text[done : found.start()]
    return "".join(kept) + text[done:]


def _first_attributes(attributes: str) -> str:
    """The first attributes of a tag, each whole."""
    found = _ONE_ATTRIBUTE.finditer(attributes)
    return "".join(one[0] for one, _ in zip(found, range(2 * _ATTRIBUTES_MAX), strict=False))
