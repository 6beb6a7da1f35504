"""Reads a publication date as Korean sites and feeds write it: what is known, and no more. Pure; never raises.

The first complete date in a text counts; labels, weekdays in any language and what else stands around are passed over.
Known are RFC 822 and its kin, asctime, ISO 8601, Korean forms, bare digits, seconds since 1970, dates without a year
and relative ones. Decisions where a text leaves room:
- a month or a year alone (`2026-03`, `2026년 3월호`, `3개월 전`) names no day, so it is no date;
- two digits first are a year (`26.03.05`); two-digit years reach from 1946 to 2045;
- year last: `03/05/2026` and `03-05-2026` are March 5th, as English pages of Korean outlets write it; dots mean day
  first, as in Europe (`05.03.2026` is March 5th too); a number above 12 settles it either way;
- midnight to the minute without a zone is how old archives print a date without a time: precision `day`;
- an unreadable time leaves the day;
- `3시간 전` is the day on which it was three hours before `seen` (at 00:05, yesterday), precision `day`;
- before 1946, from 2100 on, and lost timestamps (second 0 or -1 of 1970, in any zone) are no date, and neither is a day
  whose year is one of those: `01 Jan 0001` is not this year's January 1st.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime

from crawl import ago, daytime
from crawl.clock import DAY_S, KST
from crawl.model import Precision


@dataclass(frozen=True, slots=True)
class Dated:
    """A moment in epoch seconds (Korean midnight where only the day is known) and how much of it was written.

    `at` is None exactly when `precision` is `none`. `zone_assumed`: no zone was written, Korean time was taken.
    """

    at: int | None
    precision: Precision
    zone_assumed: bool


_NOTHING = Dated(None, "none", False)
_EARLIEST = int(datetime(1946, 1, 1, tzinfo=KST).timestamp())
_END = int(datetime(2100, 1, 1, tzinfo=KST).timestamp())
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_KST_S = 9 * 3600
_LONGEST = 300
_LABEL_CHARS = 24
"""How much may stand before a date without a year: labels and a name, not a sentence that happens to say `오늘`."""
_READ_CHARS = 10_000
_GRACE_S = 600
"""How far a page's clock may run ahead of ours before a bare time of day must be yesterday's."""

_SIGNS = str.maketrans(
    {**dict.fromkeys("‐‑‒–—−﹣", "-"), **dict.fromkeys("·ㆍ・･‧。", "."), **dict.fromkeys("∶꞉", ":"),
     "年": "년", "月": "월", "日": "일", "時": "시", "分": "분", "秒": "초"}
)  # fmt: skip
_MONTHS = (
    "january januar janvier janeiro enero gennaio", "february februar fevrier fevereiro febbraio", "march marz mars marco",
    "april avril abril aprile", "may mai mayo maio maggio", "june juni juin junio junho giugno",
    "july juli juillet julio julho luglio", "august aout agosto", "september septiembre setembro settembre",
    "october oktober octubre outubro ottobre", "november", "december dezember diciembre dezembro dicembre",
)  # fmt: skip
"""English first; the rest are the languages of feeds met in the wild, without their accents."""
_MONTH = r"(?P<month>[^\W\d_]{3,10}(?![^\W\d_])|(?:1[0-2]|0?[1-9]) ?월)\.?"
_YEAR = r"(?P<year>\d{4}(?!\d)|\d{2,3}(?![\d:]| ?[시월일]))"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_BY = r"(?: ?[-/.,] ?| )"
_ASCTIME = re.compile(
    rf"{_MONTH} {_DAY},? (?P<time>\d\d?:\d\d(?::\d\d)?)(?P<zone>(?: [a-z]{{1,5}})?(?: ?[+-]\d\d:?\d\d)?) {_YEAR}"
)
_WHOLE = [
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4}|\d\d) ?년 ?(?P<month>\d{1,2}) ?월 ?(?P<day>\d{1,2})(?!\d)(?: ?일)?자?",
        r"(?<![\d.])(?P<year>\d{4}) ?[-./,] ?(?P<month>\d{1,2}) ?[-./,] ?(?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)(?=\d{2}(?:\d\d){0,2}(?!\d)|\d{9}(?!\d)|(?!\d))",
        r"(?<!\d)(?P<year>\d{4}):(?P<month>\d\d):(?P<day>\d\d)(?=[ t]\d\d:)",
        r"[^\W\d_],? (?P<day>\d{1,2}) (?P<month>\d{1,2}) (?P<year>\d{4})(?= \d{1,2}:)",
        rf"(?<!\d){_DAY}(?:{_BY}| of | ?일 |(?=[a-z])){_MONTH}(?:{_BY}|){_YEAR}(?: ?년)?",
        rf"(?<![^\W_]){_MONTH}(?:{_BY}|){_DAY}{_BY}{_YEAR}",
        rf"(?<!\d)(?P<year>\d{{4}}){_BY}{_MONTH}(?:{_BY}|){_DAY}(?!\d)",
        r"(?<![\d.])(?P<first>\d{1,2}) ?(?P<sign>[-./]) ?(?P<second>\d{1,2}) ?[-./] ?(?P<year>\d{4})(?!\d)",
        r"(?<![\d.])(?P<year>\d\d) ?[-./] ?(?P<month>\d{1,2}) ?[-./] ?(?P<day>\d{1,2})(?!\d)",
        r"(?<![\d.])(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d\d)(?!\d)",
    )
]
_YEARLESS = [
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<month>\d{1,2}) ?월 ?(?P<day>\d{1,2}) ?일",
        r"[^\da-z]*(?P<month>\d{1,2})[-/](?P<day>\d{1,2})(?=$|[\s(])",
        r"[^\da-z]*(?P<month>\d\d)\.(?P<day>\d\d)\.?(?=$|[\s(])",
        r"[^\da-z]*(?P<month>\d{1,2})\. ?(?P<day>\d{1,2})\.(?=$|[\s(])",
        rf"(?<!\d){_DAY}{_BY}{_MONTH}(?![^\W_])",
        rf"(?<![^\W_]){_MONTH}{_BY}{_DAY}(?![\d:])",
    )
]
_STRANGE_YEAR_BEFORE = re.compile(r"\d ?년 ?$|\d[-/.,] ?$")
_STRANGE_YEAR_AFTER = re.compile(r"일?(?: ?[-/.,] ?| )(?:-\d+|\d{3,})(?![\d:]| ?[시월일호면])")
_STAMP = re.compile(r"@?(1\d{9})(?:\.\d*|(?:\d{3}){1,2})?")
_BARE_TIME = re.compile(r"[^\d]*?(?:[ap]\.?m\.? ?)?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?")
_EDITED = re.compile(r"(?:수정|최종|편집|갱신|업데이트|updated?|modified|edited)[^\d]{0,6}$")


def read(raw: str, *, seen: float) -> Dated:
    """The date a text names. `seen`: epoch seconds of our fetch, "now" for relative dates and those without a year.

    A date without a year is the newest such day not later than `seen` + 1 day.
    """
    text = _plain(raw)
    if not text or len(text) > _LONGEST:
        return _NOTHING
    stamp = _since_1970(text)
    if stamp is not None:
        return stamp
    text = _ASCTIME.sub(r"\g<day> \g<month> \g<year> \g<time>\g<zone>", text)
    return _whole(text) or _ago(text, seen) or _yearless(text, seen) or _today(text, seen) or _NOTHING


def _plain(raw: str) -> str:
    """One line of lower-case text with ASCII digits and signs: full width, look-alikes and odd blanks resolved."""
    text = unicodedata.normalize("NFKC", raw[:_READ_CHARS].translate(_SIGNS)).translate(_SIGNS)
    if not text.isascii() or not text.isprintable():
        text = "".join(_plain_sign(sign) for sign in text)
    return " ".join(text.lower().split())


def _plain_sign(sign: str) -> str:
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    category = unicodedata.category(sign)
    return "" if category == "Cf" else " " if category in ("Cc", "Cs") else sign


def _since_1970(text: str) -> Dated | None:
    """Seconds (10 digits, fractions too), milli- or microseconds since 1970; None where it is not that, or is a date as
    YYYYMMDDHH."""
    found = _STAMP.fullmatch(text)
    if not found or (len(text) == 10 and _whole(text)):
        return None
    return _in_range(Dated(int(found[1]), "second", False))


def _whole(text: str) -> Dated | None:
    """The first date with a year that exists; one marked as the date of an edit only where no other stands."""
    edited = None
    for pattern in _WHOLE:
        for found in pattern.finditer(text):
            day = _day(found)
            dated = _in_range(_at(day, text[found.end() :])) if day else None
            if dated and not _EDITED.search(text, 0, found.start()):
                return dated
            edited = edited or dated
    return edited


def _day(found: re.Match[str]) -> date | None:
    part = found.groupdict()
    if "first" in part:
        first, second = int(part["first"]), int(part["second"])
        day_first = first > 12 or (part["sign"] == "." and second <= 12)
        month, day = (second, first) if day_first else (first, second)
    else:
        month, day = _month(part["month"]), int(part["day"])
    return _existing(_year(part["year"]), month, day)


def _existing(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month(text: str) -> int:
    """1 to 12, or 0 for a word that is no month; three letters of a name are enough."""
    if text[0].isdecimal():
        return int(text.rstrip("월 "))
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text) if unicodedata.category(sign) != "Mn")
    named = (month for month, names in enumerate(_MONTHS, 1) if any(name.startswith(plain) for name in names.split()))
    return next(named, 0)


def _year(text: str) -> int:
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 46 else 1900)
    # Three digits are years since 1900 (RFC 2822 section 4.3).
    return year + 1900 if len(text) == 3 else year


def _at(day: date, rest: str) -> Dated:
    """The moment of a day and the time that follows it in the text."""
    midnight = (day.toordinal() - _EPOCH_DAY) * DAY_S
    time = daytime.read(rest)
    if time is None:
        return Dated(midnight - _KST_S, "day", True)
    zone_s = _KST_S if time.zone_s is None else time.zone_s
    return Dated(midnight + time.after_midnight_s - zone_s, time.precision, time.zone_s is None)


def _in_range(dated: Dated) -> Dated | None:
    if dated.at is None or dated.at in (-1, 0) or (dated.zone_assumed and dated.at == -_KST_S):
        return None
    return dated if _EARLIEST <= dated.at < _END else None


def _yearless(text: str, seen: float) -> Dated | None:
    for pattern in _YEARLESS:
        found = pattern.match(text) if pattern.pattern.startswith("[^") else pattern.search(text)
        if found and found.start("month") <= _LABEL_CHARS and not _has_year(text, found):
            newest = _kst_day(seen).year + 1
            # Nine years back there has been a February 29th, whatever the century.
            for year in range(newest, newest - 10, -1):
                day = _existing(year, _month(found["month"]), int(found["day"]))
                dated = _at(day, text[found.end() :]) if day else None
                if dated and dated.at is not None and dated.at <= seen + DAY_S:
                    return _in_range(dated)
    return None


def _has_year(text: str, found: re.Match[str]) -> bool:
    """Whether a year stands beside a day: one that is no date with it (0001, 1970 for a lost stamp) is not ours to guess."""
    before = text[: min(found.start("month"), found.start("day"))]
    return bool(_STRANGE_YEAR_BEFORE.search(before) or _STRANGE_YEAR_AFTER.match(text, found.end()))


def _today(text: str, seen: float) -> Dated | None:
    """A bare time of day, as boards print it for today's posts."""
    if not _BARE_TIME.fullmatch(text):
        return None
    dated = _at(_kst_day(seen), text)
    if dated.precision == "day" or dated.at is None:
        return None
    return dated if dated.at <= seen + _GRACE_S else _at(_kst_day(seen - DAY_S), text)


def _kst_day(at: float) -> date:
    return datetime.fromtimestamp(at, KST).date()


def _ago(text: str, seen: float) -> Dated | None:
    found = ago.read(text)
    if found is None or found.start > _LABEL_CHARS or found.back_s > seen - _EARLIEST:
        return None
    return _in_range(_at(_kst_day(seen - found.back_s), text[found.end :]))
