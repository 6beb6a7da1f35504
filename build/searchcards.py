"""What a result shows, and what proves it right: the articles' own words, a few to a file.

JavaScript reads them in site_templates/assets/search/cards.js.
"""

from __future__ import annotations

import marshal
import re
import tempfile
import zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase, digits

from build.searchprimer import packed

A_FILE = 5
"""Results lie scattered, so most of a file is read in vain: five cards are about 900 bytes. Fewer would be too many files."""

FOLDER_FILES = 256
AT_ONCE = 200 * A_FILE
"""Cards kept in memory before they are put away: whole files of them."""

_CONTROL = re.compile("[\x00-\x1f\x7f]+")
_DIGITS = digits + ascii_lowercase


@dataclass(frozen=True, slots=True)
class Medium:
    """An outlet that articles belong to; `id` is the number cards know it by. Its names may be asked for by `outlet:`."""

    id: int
    slug: str
    name: str
    name_en: str = ""
    university: str = ""
    univ: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Searchable:
    """One article as the search knows it.

    `outlet`: a Medium's id; `sort_at` and `first_seen`: epoch seconds; `date`: the date as shown, a prefix of
    YYYY-MM-DD, empty where unknown; `sort_day`: the Korean day of `sort_at` in days since 1970-01-01.
    """

    id: int
    outlet: int
    kind: str
    url: str
    title: str
    summary: str
    byline: str
    date: str
    sort_at: int
    sort_day: int
    first_seen: int
    tags: tuple[str, ...] = ()


class Begins:
    """Counts what most addresses of an outlet begin with, up to their last `=` or `/`, so that cards need not repeat it."""

    def __init__(self) -> None:
        self._counted: dict[int, Counter[str]] = {}

    def add(self, article: Searchable) -> None:
        """Count one more."""
        end = max(article.url.rfind("="), article.url.rfind("/")) + 1
        self._counted.setdefault(article.outlet, Counter())[article.url[:end]] += 1

    def most(self) -> dict[int, str]:
        """By the outlet's number."""
        return {
            outlet: max(found.items(), key=lambda one: (one[1], one[0]))[0]
            for outlet, found in sorted(self._counted.items())
        }


class Cards:
    """The cards of one segment in the order of their numbers; until the last is added they wait in a file without a name."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder`: where that file may stand."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (closed by files)
        self._sizes: list[int] = []
        self._fresh: list[tuple[str, ...]] = []

    def add(self, article: Searchable) -> None:
        """Take the next one."""
        self._fresh.append(_fields(article))
        if len(self._fresh) == AT_ONCE:
            self._put_away()

    def files(self, begins: Mapping[int, str], states: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bytes]]:
        """Path and content of every file; addresses are cut by what those of their outlet begin with.

        `states`: spans of the numbering, each as the number it ends before and what names it: at the head of a file stands
        that of its last card, so that no reader takes a card for one of another numbering.
        """
        self._put_away()
        starts = {_number(outlet): begin for outlet, begin in begins.items() if begin}
        ends = [end for end, _ in states]
        number = last = 0
        self._file.seek(0)
        for size in self._sizes:
            rows = marshal.loads(self._file.read(size))
            for at in range(0, len(rows), A_FILE):
                some = rows[at : at + A_FILE]
                last += len(some)
                tag = states[bisect_left(ends, last)][1].to_bytes(4, "big")
                text = "\n".join([_row(fields, starts) for fields in some])
                yield f"c/{number // FOLDER_FILES}/{number % FOLDER_FILES}.z", tag + packed(_encoded(text))
                number += 1
        self._file.close()

    def _put_away(self) -> None:
        if self._fresh:
            packed = marshal.dumps(self._fresh)
            self._file.write(packed)
            self._sizes.append(len(packed))
            self._fresh = []


def gzipped(body: bytes) -> bytes:
    """Gzip without a time or a system's name: same content, same bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31, 9)
    return packer.compress(body) + packer.flush()


def _fields(article: Searchable) -> tuple[str, ...]:
    fields = (
        article.title,
        article.url,
        _number(article.outlet),
        _when(article),
        "" if article.kind == "article" else article.kind,
        article.byline,
        article.summary,
    )
    # One look tells that there is nothing to clean in most of them.
    if not _CONTROL.search("".join(fields)):
        return fields
    return tuple(_CONTROL.sub(" ", field) for field in fields)


def _row(fields: tuple[str, ...], begins: Mapping[str, str]) -> str:
    title, url, outlet, *others = fields
    begin = begins.get(outlet)
    return "\t".join((title, f"={url[len(begin) :]}" if begin and url.startswith(begin) else url, outlet, *others))


def _when(article: Searchable) -> str:
    """The day it is ordered by, and the date shown where that is not the same day."""
    day = _number(article.sort_day)
    return day if article.date == day_text(article.sort_day) else f"{day} {article.date}"


def day_text(day: int) -> str:
    """Days since 1970-01-01 as YYYY-MM-DD, for any day at all (Python's own calendar ends at the years 1 and 9999)."""
    # Years are taken to begin in March, so that a leap day is the last of its year; 719468 days lie before 1970.
    era, day_of_era = divmod(day + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = year_of_era + era * 400 + (month <= 2)
    return f"{year:04}-{month:02}-{day_of_year - (153 * shifted + 2) // 5 + 1:02}"


def _number(number: int) -> str:
    """Base 36, as JavaScript's parseInt reads it."""
    if number < 0:
        return "-" + _number(-number)
    out = _DIGITS[number % 36]
    while number := number // 36:
        out = _DIGITS[number % 36] + out
    return out


def _encoded(text: str) -> bytes:
    """K and two bytes a syllable where the whole text can be written so (an eighth smaller, packed), else U and UTF-8."""
    try:
        return b"K" + text.encode("cp949")
    except UnicodeEncodeError:
        return b"U" + text.encode("utf-8", "replace")
