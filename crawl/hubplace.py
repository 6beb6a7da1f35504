"""Where a key of hub.toml stands, so that a problem can name its line: the TOML reader itself keeps no lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crawl import filetext
from crawl.errors import Problem

_HEADER = re.compile(r"\s*(\[{1,2})\s*[\"']?([A-Za-z0-9_-]+)[\"']?\s*\]{1,2}\s*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Place:
    """One hub.toml: its path as shown to people, and what it says."""

    file: str
    written: str

    def problem(self, table: str, key: str, what: str, cure: str, *, nth: int = 1) -> Problem:
        """A problem at the line of `key` in the `nth` `[table]` or `[[table]]`; `table` empty: above all tables."""
        return Problem(self.file, self._line(table, key, nth), what, cure)

    def _line(self, table: str, key: str, nth: int) -> int:
        """The line of the key as far as a search by line can tell; its table's line where it is not found, else the first."""
        best, inside, met = 1, not table, 0
        wanted = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
        for number, line in enumerate(filetext.lines(self.written), start=1):
            header = _HEADER.match(line.rstrip("\r\n"))
            if header:
                met += header[2] == (table or key)
                inside = header[2] == table and met == nth
                best = number if header[2] == (table or key) and met == nth else best
            elif inside and key and wanted.match(line):
                return number
        return best
