"""What a result shows, and what proves it right: the articles' own words, a few to a gzip file.

JavaScript reads them in site_templates/assets/search/cards.js.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, digits

A_FILE = 5
"""Results lie scattered, so most of a file is read in vain: five cards are about 1.1 KB. Fewer would be too many files."""

FOLDER_FILES = 256
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


def prefixes(articles: Iterable[Searchable]) -> dict[int, str]:
    """What most addresses of an outlet begin with, up to their last `=` or `/`, so that cards need not repeat it."""
    counted: dict[int, Counter[str]] = {}
    for article in articles:
        end = max(article.url.rfind("="), article.url.rfind("/")) + 1
        counted.setdefault(article.outlet, Counter())[article.url[:end]] += 1
    return {
        outlet: max(found.items(), key=lambda one: (one[1], one[0]))[0] for outlet, found in sorted(counted.items())
    }


def files(articles: Sequence[Searchable], begins: Mapping[int, str]) -> Iterator[tuple[str, bytes]]:
    """The cards in the order of their numbers, as path and content."""
    for at in range(0, len(articles), A_FILE):
        number = at // A_FILE
        text = "\n".join(_row(article, begins.get(article.outlet, "")) for article in articles[at : at + A_FILE])
        yield f"c/{number // FOLDER_FILES}/{number % FOLDER_FILES}.gz", gzipped(_encoded(text))


def gzipped(body: bytes) -> bytes:
    """Gzip without a time or a system's name: same content, same bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31, 9)
    return packer.compress(body) + packer.flush()


def _row(article: Searchable, begin: str) -> str:
    url = article.url
    short = bool(begin) and url.startswith(begin)
    fields = (
        article.title,
        f"={url[len(begin) :]}" if short else url,
        _number(article.outlet),
        _when(article),
        "" if article.kind == "article" else article.kind,
        article.byline,
        article.summary,
    )
    return "\t".join(_CONTROL.sub(" ", field) for field in fields)


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
