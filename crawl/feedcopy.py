"""Writes the mended copy of a feed that the library reads: well-formed, flat, and no more of it than it reads in time. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from xml.sax.saxutils import quoteattr

from crawl.feednames import AS_IS, LINE_END, RAW

REPEATS_MAX = 20_000
"""Five tags of each of 5,000 items stay below."""
_MOST = {"title": 1, "guid": 1, "permalink": 1, "presenter": 1, "content": 2}
"""So many of these are read of an item, the first: more would only cost the library time."""
_LINE_END = re.compile(r"\r\n?|\n")
_POINTING = frozenset({"href", "url", "term", "label"})


class Copy:
    """An RSS or Atom document that grows by whole items: one that is never ended is left out."""

    def __init__(self, *, atom: bool) -> None:
        self._atom = atom
        self._channel: dict[str, str] = {}
        self.items: list[str] = []
        self.is_in_item = False
        self._inside: list[str] = []
        self._had: Counter[str] = Counter()
        self._raw: list[tuple[str, str]] = []
        self._repeats = 0

    @property
    def is_capped(self) -> bool:
        """Whether repeats were left out."""
        return self._repeats > REPEATS_MAX

    def start_item(self) -> None:
        """Begin an item; what is written from now on is its own."""
        self.is_in_item, self._inside, self._had, self._raw = True, [], Counter(), []

    def end_item(self) -> None:
        """Add the item begun."""
        name = "entry" if self._atom else "item"
        self.items.append(f"<{name}>{''.join(self._inside)}<{AS_IS}{_written(self._raw)}/></{name}>")
        self.is_in_item = False

    def text(self, name: str, text: str, *, html: bool = False) -> None:
        """Write an element of text; one that says nothing is none."""
        if not text.strip() or self._had[name] == _MOST.get(name):
            return
        if name == "summary" and self._had[name]:
            name = "other"
        if name in RAW:
            self._had[name] += 1
            self._raw.append((f"{name}_{len(self._raw)}", text))
            return
        # As CDATA without line ends the library gets it in one piece, not in one for each reference and each line.
        inside = _LINE_END.sub(LINE_END, text).replace("]]>", "]]]]><![CDATA[>")
        type = ' type="html"' if html else ""
        self._write(name, f"<{name}{type}><![CDATA[{inside}]]></{name}>")

    def point(self, name: str, attributes: Mapping[str, str]) -> None:
        """Write an element that says everything in its attributes."""
        if not _POINTING.isdisjoint(attributes):
            self._write(name, f"<{name}{_written(attributes.items())}/>")

    def document(self) -> str:
        """The whole copy."""
        opening = '<feed xmlns="http://www.w3.org/2005/Atom"' if self._atom else '<rss version="2.0"'
        inside = "".join((*self._channel.values(), *self.items))
        whole = f"{inside}</feed>" if self._atom else f"<channel>{inside}</channel></rss>"
        # The declaration has a line of its own: the library looks for `encoding=` to the end of the first one, and again
        # from each place it finds.
        return f'<?xml version="1.0" encoding="utf-8"?>\n{opening} xmlns:media="http://search.yahoo.com/mrss/">{whole}'

    def _write(self, name: str, element: str) -> None:
        if not self.is_in_item:
            self._channel.setdefault(name, element)
            return
        self._repeats += self._had[name] > 0
        if not self._had[name] or not self.is_capped:
            self._had[name] += 1
            self._inside.append(element)


def _written(attributes: Iterable[tuple[str, str]]) -> str:
    return "".join(f" {key}={quoteattr(value)}" for key, value in attributes)
