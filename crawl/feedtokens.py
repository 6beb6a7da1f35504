"""Reads feed markup piece by piece, however broken: where the document starts, and its tags and texts in order.

Every step passes over what it read, and no tag reaches beyond the next `<`: linear in the length. Pure, raises only
FeedUnreadable.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Literal, NamedTuple

from crawl.errors import FeedUnreadable

_JUNK_MAX_CHARS = 4_096
_STARTS_MAX = 20
_NAME = r"[A-Za-z_][\w.-]*"
_TAG = re.compile(
    rf"<(/?)(?:({_NAME}):)?({_NAME})((?:[\s/](?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+)?)>",
    re.ASCII,
)
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w.:-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.ASCII)
_FEED_NAME = rf"(?:{_NAME}:)?(?:rss|feed|rdf)(?=[\s/>])"
_ROOT = re.compile(rf"<{_FEED_NAME}", re.IGNORECASE | re.ASCII)
_START = re.compile(rf"<\?xml\s|<{_FEED_NAME}", re.IGNORECASE | re.ASCII)
_PAGE = re.compile(r"<!doctype\s+html|<(?:html|head|body)(?=[\s/>])", re.IGNORECASE)
_HTML = re.compile(
    r"<!doctype\s+html|<(?:html|head|body|title|meta|script|div|center|font|table|h[1-6]|p|br|b)(?=[\s/>])",
    re.IGNORECASE,
)
_FIRST_INSIDE = frozenset(
    {"channel", "item", "entry", "title", "id", "link", "updated", "author", "generator", "subtitle"}
)
_ITEM_END = re.compile(rf"</(?:{_NAME}:)?(?:item|entry)\s*>", re.IGNORECASE | re.ASCII)
_SHOWN_AS_TEXT = re.compile(r"<(/?)(pre|code|textarea|script|style|xmp|template)(?=[\s/>])", re.IGNORECASE)
_SUBSET_END = re.compile(r"\]\s*>")
_SPACE = re.compile(r"\s*")

Kind = Literal["text", "cdata", "open", "empty", "close"]


class Token(NamedTuple):
    """One piece: `source` as it stands (of CDATA the content), prefix and local name in lower case, where it ends."""

    kind: Kind
    source: str
    end: int
    prefix: str = ""
    local: str = ""
    rest: str = ""

    def attributes(self) -> dict[str, str]:
        """Attributes by lower-case name, references not yet decoded; the first of each name counts."""
        found: dict[str, str] = {}
        for one in _ATTRIBUTE.finditer(self.rest):
            found.setdefault(one[1].lower(), one[2] or one[3] or one[4] or "")
        return found


class Tokens:
    """A document read from any place on."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Known once, so that a thousand openings without an end do not each search the whole document.
        self._last = {closer: text.rfind(closer) for closer in ("]]>", "-->", "?>")}

    def at(self, place: int) -> Token | None:
        """The piece that starts at `place`; None at the end. Comments and processing instructions are passed over.

        A `<` that starts nothing well-formed is text, together with what follows it.
        """
        text = self._text
        while place < len(text):
            if text[place] != "<":
                end = text.find("<", place)
                end = len(text) if end < 0 else end
                return Token("text", text[place:end], end)
            found = self._marked(place)
            if found is None:
                return self._loose(place)
            if not isinstance(found, int):
                return found
            place = found
        return None

    def root(self) -> tuple[Token, bool]:
        """The tag of the feed's root element, and whether junk stands before the document (E15: within 4 KB).

        Raises FeedUnreadable: `html_not_feed`, `not_a_feed`.
        """
        text, begin = self._text, self._past_prolog(0)
        if (found := self._root_at(begin)) is not None:
            return found, False
        for started in islice(_START.finditer(text, 0, _JUNK_MAX_CHARS + 10), _STARTS_MAX):
            found = self._root_at(self._past_prolog(started.start()))
            amid_page = _PAGE.search(text, 0, started.start()) is not None
            if found is not None and (not amid_page or self._is_sent_as_feed(found, started.start())):
                return found, True
        other_xml = text[begin : begin + 1] == "<"
        page = _HTML.match(text, begin) or (not other_xml and _HTML.search(text, begin, begin + _JUNK_MAX_CHARS))
        opening = " ".join(text[:80].split())
        raise FeedUnreadable("html_not_feed" if page else "not_a_feed", f"it begins with {opening!r}")

    def _is_sent_as_feed(self, root: Token, start: int) -> bool:
        """Whether a feed that begins amid a page is the document and not an example that the page shows: it says its kind,
        holds a whole item, and nothing around it makes it text."""
        text = self._text
        if root.kind != "open" or not ("version" in root.rest or "xmlns" in root.rest):
            return False
        inner = self.at(root.end)
        if inner is not None and inner.kind == "text" and not inner.source.strip():
            inner = self.at(inner.end)
        if inner is None or inner.local not in _FIRST_INSIDE or not _ITEM_END.search(text, root.end):
            return False
        shown = {found[2].lower(): not found[1] for found in _SHOWN_AS_TEXT.finditer(text, 0, start)}
        return not any(shown.values()) and text.rfind("<!--", 0, start) <= text.rfind("-->", 0, start)

    def is_over(self, place: int) -> bool:
        """Whether nothing but blanks, comments and processing instructions follows."""
        return self._past_prolog(place) >= len(self._text)

    def _find(self, closer: str, place: int) -> int | None:
        return None if self._last[closer] < place else self._text.find(closer, place)

    def _passed(self, place: int) -> int | None:
        """The place after the comment or processing instruction that starts here, if one does and it ends."""
        for opener, closer in (("<!--", "-->"), ("<?", "?>")):
            if self._text.startswith(opener, place):
                end = self._find(closer, place + len(opener))
                return None if end is None else end + len(closer)
        return None

    def _marked(self, place: int) -> Token | int | None:
        """The CDATA section or tag that starts here, the place after a comment or instruction, None where neither does."""
        if self._text[place + 1 : place + 2] not in ("!", "?"):
            return self._tag(place)
        if self._text.startswith("<![CDATA[", place) and (closed := self._find("]]>", place + 9)) is not None:
            return Token("cdata", self._text[place + 9 : closed], closed + 3)
        return self._passed(place)

    def _loose(self, place: int) -> Token:
        """Text from a `<` that starts nothing up to one that may: a flood of them is one piece."""
        text, end = self._text, place
        while 0 <= end < len(text) and (end == place or self._marked(end) is None):
            end = text.find("<", end + 1)
        end = len(text) if end < 0 else end
        return Token("text", text[place:end], end)

    def _tag(self, place: int) -> Token | None:
        found = _TAG.match(self._text, place)
        if not found:
            return None
        kind: Kind = "close" if found[1] else "empty" if found[4].endswith("/") else "open"
        prefix, rest = (found[2] or "").lower(), found[4].removesuffix("/")
        return Token(kind, found[0], found.end(), prefix, found[3].lower(), rest)

    def _root_at(self, place: int) -> Token | None:
        if not _ROOT.match(self._text, place):
            return None
        return self._tag(place)

    def _past_prolog(self, place: int) -> int:
        """The place after XML declaration, processing instructions, comments and DOCTYPE (a DOCTYPE of HTML stays)."""
        text = self._text
        while True:
            blank = _SPACE.match(text, place)
            place = blank.end() if blank else place
            if text[place : place + 9].lower() == "<!doctype" and not _PAGE.match(text, place):
                place = self._past_doctype(place)
                continue
            passed = self._passed(place)
            if passed is None:
                return place
            place = passed

    def _past_doctype(self, place: int) -> int:
        text = self._text
        end = text.find(">", place)
        bracket = text.find("[", place, end) if end >= 0 else -1
        if bracket >= 0:
            subset = _SUBSET_END.search(text, bracket)
            return subset.end() if subset else len(text)
        return end + 1 if end >= 0 else len(text)
