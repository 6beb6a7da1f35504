"""Mends a feed document into well-formed XML holding only what we read, fit for the library's strict parser.

What servers send around and inside feeds is repaired by one rule each: junk around the document (E13, E15), entities
nobody declared, bare ampersands, illegal characters and surrogates (E17), raw markup in text, missing end tags, missing
namespace declarations, a document cut off. A DOCTYPE is dropped with every entity it declares, so there is nothing to
expand. Floods end here, before the library. Pure.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from urllib.parse import urljoin
from xml.sax.saxutils import escape

from crawl.characters import whole
from crawl.feedcopy import REPEATS_MAX, Copy
from crawl.feeditems import ITEMS_MAX
from crawl.feednames import ATTRIBUTES, CHANNEL, ITEM, TYPED, UNLIKE_HTML, USUAL_PREFIXES, WRITINGS, space
from crawl.feedtokens import Token, Tokens
from crawl.text import decoded

_ILLEGAL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]")
_REFERENCE = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,8}|#x[0-9a-fA-F]{1,7});", re.ASCII)
_MISSPELT_END = re.compile(r"</[\w:.-]+\s*>\s*$", re.ASCII)
_ABSOLUTE = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:")
_PLAIN_TYPES = frozenset({"", "text", "text/plain"})
_RELATION = "http://www.iana.org/assignments/relation/"
_SAME_MAX = 50
_NEVER = sys.maxsize
_ENVELOPES = frozenset({"rss", "rdf", "feed", "channel"})
_ITEMS = frozenset({"item", "entry"})
_STRAYS = frozenset({"a", "b", "br", "center", "div", "em", "font", "hr", "i", "img", "p", "span", "strong"})
"""What error messages of servers are made of; such a tag has nothing to skip."""


@dataclass(frozen=True, slots=True)
class Mended:
    """UTF-8 XML for a strict parser, the format its root claims, its xml:lang, and what had to be repaired.

    Flags: `bad_characters`, `junk_before`, `junk_after`, `truncated`, `bad_entities`, `bad_markup`, `items_capped:N` (only
    the first N are there), `repeats_capped:N` (only N elements beyond the first of their name in an item are).
    """

    xml: bytes
    format: str
    language: str
    flags: tuple[str, ...]


def mend(text: str, *, base: str) -> Mended:
    """Find and repair the feed in `text`; `base`: the document's own address, against which xml:base is read (I11).

    Items cut off in the middle are left out. Raises FeedUnreadable: `html_not_feed`, `not_a_feed`.
    """
    text = whole(text).replace("\x0b", " ").replace("\x0c", " ")
    clean = _ILLEGAL.sub("", text)
    tokens = Tokens(clean.lstrip("\ufeff\u200b \t\r\n"))
    start, junk = tokens.root()
    document = _Document(tokens, start, base)
    xml = document.written()
    noticed = {"bad_characters": clean != text, "junk_before": junk}
    flags = (*(flag for flag, holds in noticed.items() if holds), *sorted(document.flags))
    return Mended(xml.encode("utf-8"), _format(start), start.attributes().get("xml:lang", ""), flags)


def _format(start: Token) -> str:
    """The format a root element claims (values of `Feed.format`)."""
    claims, version = start.rest.lower(), start.attributes().get("version", "").strip()
    if start.local == "rdf":
        return "rss09x" if "my.netscape.com/rdf" in claims else "rss10"
    if start.local == "feed":
        return "atom03" if "purl.org/atom/ns" in claims or version.startswith("0.") else "atom10"
    return {"0": "rss09x", "1": "rss10", "2": "rss20"}.get(version.partition(".")[0], "rss")


class _Document:
    """One document on its way from tokens to mended XML."""

    def __init__(self, tokens: Tokens, start: Token, base: str) -> None:
        self.flags: set[str] = set()
        self._tokens, self._at, self._over = tokens, start.end, start.kind == "empty"
        self._root = start.local
        self._spaces = dict(USUAL_PREFIXES)
        for name, value in start.attributes().items():
            if name.startswith("xmlns:"):
                self._spaces[name[6:]] = space(value)
        self._spaces[start.prefix] = ""
        self._address = base
        self._channel_base = self._joined(base, start)
        self._item_base = ""
        self._copy = Copy(atom=self._root == "feed")
        self._author = ""
        self._said_of_author: list[str] = []
        self._capped = False
        self._careless = False
        self._ends: dict[tuple[str, str], int] = {}
        self._seen: Counter[str] = Counter()

    def written(self) -> str:
        """The whole document. Elements we do not know are left out with all they hold."""
        while not self._over and (token := self._tokens.at(self._at)) is not None:
            self._at = token.end
            if token.kind in ("open", "empty"):
                self._opened(token)
            elif token.kind == "close":
                self._closed(token)
            else:
                self._said(token)
        if not self._over:
            self.flags.add("truncated")
        elif not self._capped and not self._tokens.is_over(self._at):
            self.flags.add("junk_after")
        if self._copy.is_capped:
            self.flags.add(f"repeats_capped:{REPEATS_MAX}")
        return self._copy.document()

    def _opened(self, token: Token) -> None:
        name = (self._spaces.get(token.prefix, "other"), token.local)
        if name in (("", "item"), ("", "entry")):
            self._start_item(token)
        elif self._author:
            if name == ("", "name") and self._counts("name"):
                self._leaf(token, "author")
                self._said_of_author.clear()
            elif token.kind == "open":
                self._skip(token)
        elif (known := (ITEM if self._copy.is_in_item else CHANNEL).get(name)) and self._counts(known):
            if known == "author" and token.kind == "open":
                self._author = token.local
                self._said_of_author = []
            elif known == "media:content":
                self._picture(token)
            else:
                self._leaf(token, known)
        elif token.kind == "open" and token.local not in _ENVELOPES and token.local not in _STRAYS:
            self._skip(token)
        elif token.local == "channel":
            self._channel_base = self._joined(self._channel_base, token)

    def _start_item(self, token: Token) -> None:
        self._end_item(repaired=True)
        if token.kind == "empty":
            return
        if len(self._copy.items) == ITEMS_MAX:
            self._capped = self._over = True
            self.flags.add(f"items_capped:{ITEMS_MAX}")
            return
        self._careless = False
        self._ends.clear()
        self._seen.clear()
        self._copy.start_item()
        self._item_base = self._joined(self._channel_base, token)
        about = token.attributes().get("rdf:about") if "about" in token.rest else None
        if about:
            self._copy.text("guid", self._plain(about))

    def _end_item(self, *, repaired: bool = False) -> None:
        self._end_author(repaired=repaired)
        if self._copy.is_in_item:
            self._copy.end_item()
            if repaired:
                self.flags.add("bad_markup")

    def _end_author(self, *, repaired: bool = False) -> None:
        if self._author:
            self._copy.text("author", "".join(self._said_of_author))
            self._author = ""
            if repaired:
                self.flags.add("bad_markup")

    def _closed(self, token: Token) -> None:
        if token.local == self._author:
            self._end_author()
        elif self._spaces.get(token.prefix, "other"):
            self.flags.add("bad_markup")
        elif token.local in _ITEMS:
            self._end_item()
        elif token.local in _ENVELOPES:
            self._end_item(repaired=True)
            self._over = token.local == self._root
        else:
            self.flags.add("bad_markup")

    def _said(self, token: Token) -> None:
        if self._author:
            self._said_of_author.append(self._words(token))
        elif token.source.startswith("<"):
            self.flags.add("bad_markup")

    def _skip(self, token: Token) -> None:
        """Pass over an element we do not read; where its end is missing, only over its tag."""
        depth, at = 1, token.end
        while not self._careless and (inner := self._tokens.at(at)) is not None and not self._ends_item(inner):
            at = inner.end
            if inner.local == token.local and inner.prefix == token.prefix:
                depth += {"open": 1, "close": -1}.get(inner.kind, 0)
            if depth == 0:
                self._at = at
                return
        # Only once per item: looking for ends that are not there would cost the square of its length.
        self._careless = True
        self.flags.add("bad_markup")

    def _ends_item(self, token: Token) -> bool:
        """Whether no element inside an item can run past this: another item, or the end of item, channel or document."""
        structural = token.local in _ITEMS or (token.local in _ENVELOPES and token.kind == "close")
        return structural and self._spaces.get(token.prefix, "other") == ""

    def _counts(self, name: str) -> bool:
        """Whether an element is among the first of its name in this item; nobody writes more of them in earnest."""
        self._seen[name] += 1
        return self._seen[name] <= _SAME_MAX

    def _leaf(self, token: Token, name: str) -> None:
        """One element of text, its content made nothing but text."""
        attributes = self._attributes(token, name)
        type, mode = attributes.get("type", ""), attributes.pop("mode", "")
        nested = name in TYPED and ("xhtml" in type or mode == "xml")
        text = "" if token.kind == "empty" else self._content(token, nested=nested, short=name not in WRITINGS)
        if name in TYPED:
            # RSS never says what it holds: HTML. Atom does.
            plain = self._root == "feed" and not nested and type in _PLAIN_TYPES
            self._copy.text(name, text, html=not plain)
        elif name == "content:encoded":
            self._copy.text("content", text, html=True)
        elif name == "link":
            self._link(attributes, self._resolved(self._base(token), text))
        elif name == "category":
            self._copy.point(name, attributes or ({"term": text} if text.strip() else {}))
        elif name == "enclosure":
            self._copy.point(name, attributes)
        elif token.local == "guid" and token.attributes().get("ispermalink", "true").strip().lower() == "true":
            self._copy.text("permalink", text)
        else:
            self._copy.text(name, text)

    def _link(self, attributes: dict[str, str], text: str) -> None:
        """Only links that lead to the article or a file of it: no others are read, and some items hold many."""
        relation = attributes.get("rel", "").strip().lower().removeprefix(_RELATION) or "alternate"
        address = attributes.get("href") or text
        type = {"type": attributes["type"]} if "type" in attributes else {}
        if address.strip() and relation == "alternate":
            self._copy.point("link", {"href": address} | type)
        elif address.strip() and relation == "enclosure":
            # A link without a type becomes a page to the library, whatever it is.
            self._copy.point("enclosure", {"url": address} | type)

    def _attributes(self, token: Token, name: str) -> dict[str, str]:
        """The attributes we read that say something, addresses against the base that counts here."""
        if not token.rest or name not in ATTRIBUTES:
            return {}
        said = {key: self._plain(value) for key, value in token.attributes().items() if key in ATTRIBUTES[name]}
        for key in ("href", "url"):
            if key in said:
                said[key] = self._resolved(self._base(token), said[key])
        return {key: value for key, value in said.items() if value.strip()}

    def _picture(self, token: Token) -> None:
        """A picture beside an item: its attributes, without the credits and descriptions it may hold."""
        self._copy.point("media:content", self._attributes(token, "media:content"))
        if token.kind == "open":
            self._skip(token)

    def _content(self, token: Token, *, nested: bool, short: bool) -> str:
        """The text an element holds; `nested`: as HTML source, its markup being part of the document (Atom xhtml).

        Where another element of the item begins and its own end tag never comes (missing, misspelt), it ends there;
        unless `short` only before elements that HTML cannot know.
        """
        pieces: list[str] = []
        depth = 1
        while (inner := self._tokens.at(self._at)) is not None:
            if inner.kind == "text" or inner.kind == "cdata":
                self._at = inner.end
                pieces.append(self._words(inner, nested=nested))
                continue
            if self._ends_item(inner):
                break
            if not nested and self._is_next(inner, short=short) and self._lacks_end(token):
                self.flags.add("bad_markup")
                return _MISSPELT_END.sub("", "".join(pieces))
            self._at = inner.end
            if inner.local == token.local and inner.prefix == token.prefix and (nested or inner.kind == "close"):
                depth += {"open": 1, "close": -1}.get(inner.kind, 0)
                if depth == 0:
                    return "".join(pieces)
            if not nested:
                self.flags.add("bad_markup")
            pieces.append(inner.source.replace(f"{inner.prefix}:", "", 1) if nested and inner.prefix else inner.source)
        self.flags.add("bad_markup")
        return "".join(pieces)

    def _is_next(self, token: Token, *, short: bool) -> bool:
        known = ITEM.get((self._spaces.get(token.prefix, "other"), token.local), "")
        return token.kind != "close" and (short or known in UNLIKE_HTML) and known != ""

    def _lacks_end(self, token: Token) -> bool:
        """Whether no end tag of this name comes before the item ends, or another of the name begins.

        What was found is kept, so that the pieces of an item are not read again and again.
        """
        name, at = (token.prefix, token.local), self._at
        while self._ends.get(name, -1) <= self._at:
            inner = self._tokens.at(at)
            if inner is None or self._ends_item(inner):
                self._ends[name] = _NEVER
            elif inner.kind != "text" and (inner.prefix, inner.local) == name:
                self._ends[name] = inner.end
                return inner.kind != "close"
            else:
                at = inner.end
        return self._ends[name] == _NEVER

    def _words(self, token: Token, *, nested: bool = False) -> str:
        if nested:
            return escape(token.source) if token.kind == "cdata" else token.source
        return token.source if token.kind == "cdata" else self._plain(token.source)

    def _plain(self, source: str) -> str:
        """Document text with its references decoded, the undeclared ones HTML knows too; others stay as they are."""
        if "&" not in source:
            return source
        if "&" in _REFERENCE.sub("", source):
            self.flags.add("bad_entities")
        return _ILLEGAL.sub("", whole(decoded(source)))

    def _base(self, token: Token) -> str:
        return self._joined(self._item_base or self._channel_base, token)

    def _joined(self, base: str, token: Token) -> str:
        written = token.attributes().get("xml:base", "") if "base" in token.rest else ""
        return _against(base, self._plain(written)) or base

    def _resolved(self, base: str, address: str) -> str:
        """An address against an xml:base; one that needs none stays as published."""
        if base == self._address or _ABSOLUTE.match(address) or not address.strip():
            return address
        return _against(base, address) or address


def _against(base: str, address: str) -> str:
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return ""
