"""What may stand in one cell of the registry: clean text, known words, slugs, days and public web
addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urlsplit

from crawl import urls
from crawl.csvtable import MEND, Row, Table, did_you_mean
from crawl.errors import Problem

_SPACE = r"[ \t\r\n\f\v\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
_WHITE = re.compile(_SPACE)
_ENDS = re.compile(f"^{_SPACE}|{_SPACE}$")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_AUTHORITY = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_OWN_PORT = {"http": "80", "https": "443"}
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_PRIVATE_ENDS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
_YOUTUBE = ("youtube.com", "youtu.be", "youtube-nocookie.com", "ytimg.com")


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found wrong. `wrong` stops everything; a night can live with `bearable`: the mere form of a
    cell or row, and rows an exclusion covers (the gate refuses them anyway)."""

    wrong: list[Problem] = field(default_factory=list)
    bearable: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Cells:
    """One row being read: its cells by column, and where its problems are gathered."""

    table: Table
    row: Row
    found: Findings

    def text(self, column: str) -> str:
        """The cell, trimmed, in NFC; stray white space and unseen characters are problems."""
        cell = self.table.place(self.row, column)
        clean = tidy(cell)
        if clean != cell:
            self.untidy(f'the cell "{column}" has stray white space or decomposed letters')
        for character in clean:
            if unicodedata.category(character) in _HIDDEN or character == "�":
                self.add(f'the cell "{column}" holds the unseen or damaged character U+{ord(character):04X}',
                         "delete it and type the text anew")  # fmt: skip
                break
        return clean

    def needed(self, column: str, what: str) -> str:
        """A cell that must not be empty."""
        cell = self.text(column)
        if not cell:
            self.add(f'the cell "{column}" is empty', f"write {what}")
        return cell

    def remark(self, column: str) -> str:
        """Free text for everybody to read: no mail address in it (the files are public)."""
        cell = self.text(column)
        if _MAIL.search(cell):
            self.add(f'the cell "{column}" holds a mail address', "remove it: these files are public for ever")
        return cell

    def word(self, column: str, known: Iterable[str]) -> str:
        """One of a fixed set of words."""
        cell = self.text(column)
        words = tuple(known)
        if cell not in words:
            shown = f'the {column} "{cell}" is unknown' if cell else f'the cell "{column}" is empty'
            self.add(shown, f"use one of: {' '.join(filter(None, words))}{did_you_mean(cell, words)}")
        return cell

    def slug(self, column: str) -> str:
        """A short name as it stands in addresses."""
        cell = self.needed(column, "a short name of a-z, 0-9 and hyphens")
        if cell and not is_slug(cell):
            self.add(f'the {column} "{cell}" is no slug', 'use a-z, 0-9 and single hyphens, for example "cau-news"')
        return cell

    def day(self, column: str) -> str:
        """A day `YYYY-MM-DD`, or nothing."""
        cell = self.text(column)
        if cell and not is_day(cell):
            self.add(f'the {column} "{cell}" is not a date', "write it as YYYY-MM-DD, for example 2026-12-01")
        return cell

    def address(self, column: str) -> str:
        """A public http(s) address, its scheme and host in lower case and without a default port."""
        cell = self.needed(column, "an address that begins with https:// or http://")
        fault = address_fault(cell) if cell else None
        if fault:
            self.add(f'the {column} "{cell}" {fault[0]}', fault[1])
        elif tidy_address(cell) != cell:
            self.untidy(f'the {column} "{cell}" has capitals in its host or a default port')
        return tidy_address(cell)

    def add(self, what: str, cure: str) -> None:
        """Note a problem of this row."""
        self.found.wrong.append(Problem(self.table.file, self.row.line, what, cure))

    def untidy(self, what: str) -> None:
        """Note what `check --fix` mends without changing any meaning."""
        self.found.bearable.append(Problem(self.table.file, self.row.line, what, f"write it clean or {MEND}"))


def tidy(cell: str) -> str:
    """The cell without stray white space, in NFC. An address keeps its own letters: NFC would be another
    address."""
    trimmed = _ENDS.sub("", cell)
    if trimmed.lower().startswith(("http://", "https://")):
        return trimmed
    return unicodedata.normalize("NFC", _WHITE.sub(" ", trimmed))


def tidy_address(url: str) -> str:
    """The same address with scheme and host in lower case and without the scheme's own port; all else as it
    stands. What is no address is left alone."""
    parts = _AUTHORITY.fullmatch(url)
    if parts is None or _WHITE.search(url) or not _has_host(url):
        return url
    scheme, authority = parts["scheme"].lower(), parts["authority"].lower()
    host, colon, port = authority.rpartition(":")
    if colon and port in ("", _OWN_PORT[scheme]) and (":" not in host or host.endswith("]")):
        authority = host
    return f"{scheme}://{authority}{parts['rest']}"


def _has_host(url: str) -> bool:
    try:
        return bool(urls.host(url))
    except ValueError:
        return False


def is_slug(word: str) -> bool:
    """Whether the word may be a slug: a-z, 0-9 and single hyphens between them."""
    return _SLUG.fullmatch(word) is not None


def is_day(word: str) -> bool:
    """Whether the word is a real day written YYYY-MM-DD."""
    try:
        return _DAY.fullmatch(word) is not None and bool(date.fromisoformat(word))
    except ValueError:
        return False


def is_youtube(server: str) -> bool:
    """Whether a server is YouTube's, which is never asked (P05)."""
    return any(server == host or server.endswith("." + host) for host in _YOUTUBE)


def is_host(word: str) -> bool:
    """Whether the word is a bare host name of at least two labels, in ASCII letters."""
    labels = word.lower().split(".")
    return len(labels) > 1 and all(_LABEL.fullmatch(label) for label in labels)


def address_fault(url: str) -> tuple[str, str] | None:
    """What is wrong with a registered address and its cure, or None: http(s), a public host (P51), no
    credentials."""
    if _WHITE.search(url):
        return "has white space in it", "write each space as %20, or cut what does not belong to the address"
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            return "is not an http(s) address", "begin it with https:// or http://"
        if parts.username is not None or parts.password is not None:
            return "carries a user name or password", "remove it: only public addresses are registered"
        name, literal = urls.host(url), urls.literal_address(url)
    except ValueError:
        return "is not an address anybody could ask", "copy it anew from the browser's address bar"
    if "#" in url:
        return "ends in a #fragment, which is never sent", "remove the # and what follows"
    if (literal and not urls.is_public(literal)) or (not literal and _only_local(name)):
        return "points to a private or loopback host (P51)", "register a public address"
    return None if literal or is_host(name) else ("has a host that cannot exist", "correct the host name")


def _only_local(name: str) -> bool:
    """Whether a host name can only exist inside a private network (RFC 6761, 6762, 8375 and what resolvers add)."""
    return "." not in name or name.endswith(_PRIVATE_ENDS)
