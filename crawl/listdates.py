"""The dates of a list: which words of an item are one, and which day a date without a year means there. Pure.

Decisions:
- a page's own clock (`___currentTime`, else the day of `발행일`) is "now" for dates without a year and relative ones, else the
  fetch time is;
- relative dates are kept to the day only (`dates`); a bare time of day is today's, to the minute;
- where a system never prints a year, dates fall down the list: one that rises by more than a few days is of the year before.
  A pinned item stands outside that order and is dated only if its number lies between two dated ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborHTMLParser

from crawl import dates
from crawl.clock import DAY_S
from crawl.dates import Dated

_CLOCK = re.compile(r"___currentTime\s*=\s*(?:parseInt\(\s*)?[\"']?(\d{9,11})(?!\d)")
_CLOCK_EARLIEST = 1_100_000_000
_CLOCK_AHEAD_S = 2 * DAY_S
_RISE_MAX_S = 3 * DAY_S
_RAW_MAX_CHARS = 100
_YEARS_BACK = 12
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_TOKEN = re.compile(
    r"(?<!\d)(?:19|20)\d\d\s?(?:[-./,]|년)\s?\d{1,2}\s?(?:[-./,]|월)\s?\d{1,2}(?!\d)"
    r"|(?<![\d.])\d\d[-./]\d{1,2}[-./]\d{1,2}(?![\d.]*\d)"
    r"|(?<!\d)\d{1,2}[-/]\d{1,2}[-/]20\d\d(?!\d)"
    rf"|(?<![^\W_])(?:{_MONTHS})[a-z]{{0,6}}\.?\s?\d{{1,2}}(?:st|nd|rd|th)?\s?,?\s?(?:19|20)\d\d"
    rf"|(?<!\d)\d{{1,2}}(?:st|nd|rd|th)?\s(?:{_MONTHS})[a-z]{{0,6}}\.?,?\s(?:19|20)\d\d",
    re.IGNORECASE,
)
_LABEL = r"[^\W\d_]{0,6}\s?:?\s?"
_ALONE = re.compile(
    rf"\W*{_LABEL}(?:\d{{1,2}}[-./]\d{{1,2}}\.?(?:\s+\d{{1,2}}:\d\d(?::\d\d)?)?|\d{{1,2}}:\d\d(?::\d\d)?|\d{{1,2}}월\s?\d{{1,2}}일"
    rf"(?:\s+\d{{1,2}}:\d\d)?|\d{{1,2}}\.\s\d{{1,2}}\.(?:\s+\d{{1,2}}:\d\d)?)\W*"
)
_RELATIVE = re.compile(
    r"\W*(?:약\s?)?(?:\d{1,5}\s?(?:초|분|시간|일|주일?)\s?전|방금(?:\s?전)?|조금\s?전|어제|오늘|그제|그저께|하루\s?전|이틀\s?전|한\s?시간\s?전"
    r"|(?:\d{1,5}|an?|one)\s(?:sec|min|hour|hr|day|week)\w*\sago|yesterday|today|just\snow)(?:\s\d{1,2}:\d\d)?\W*",
    re.IGNORECASE,
)
_EDITED = re.compile(r"(?:수정|최종|편집|갱신|updated?|modified)\W{0,4}$", re.IGNORECASE)
_TIME_ONLY = re.compile(r"\D*\d{1,2}:\d\d(?::\d\d)?\D*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Moment:
    """A list's date as kept, and why it had to be resolved, if it had: no year was printed, or it is told from now."""

    dated: Dated
    resolved: Literal["", "year", "relative"] = ""


@dataclass(frozen=True, slots=True)
class Written:
    """An item's date as printed, its article's number where it has one, and whether it is pinned above the order."""

    raw: str
    number: int | None = None
    pinned: bool = False


_NOTHING = Moment(Dated(None, "none", False))


def clock(tree: LexborHTMLParser, source: str, *, seen: float) -> float:
    """When the page was made by its own account, epoch seconds; the fetch time where it does not say or cannot be right."""
    found = _CLOCK.search(source)
    if found:
        at = int(found[1])
        return float(at) if _CLOCK_EARLIEST <= at <= seen + _CLOCK_AHEAD_S else seen
    updated = tree.css_first(".gl-updated") if "gl-updated" in source else None
    if updated is not None:
        printed = dates.read(updated.text().partition(":")[2] or updated.text(), seen=seen)
        if printed.at is not None:
            return min(seen, printed.at + DAY_S)
    return seen


def shaped(text: str) -> str:
    """The part of a line from its last date on, empty where it holds none. A date of an edit counts only when alone."""
    text = text.strip()[:300]
    found = [token.start() for token in _TOKEN.finditer(text)]
    if found:
        published = [start for start in found if not _EDITED.search(text, 0, start)]
        start = (published or found)[-1]
        after = next((place for place in found if place > start), len(text))
        return text[start:after][:_RAW_MAX_CHARS].strip()
    if len(text) <= 40 and (_ALONE.fullmatch(text) or _RELATIVE.fullmatch(text)):
        return text
    return ""


def joined(text: str, beside: str) -> str:
    """A day and the time of day that stands in another place (an attribute), whichever way round, as one date."""
    text, beside = text.strip(), beside.strip()
    if beside and _TIME_ONLY.fullmatch(beside) and not _TIME_ONLY.fullmatch(text) and ":" not in text:
        return f"{text} {beside}"
    if beside and _TIME_ONLY.fullmatch(text) and _TOKEN.search(beside) and ":" not in beside:
        return f"{beside} {text}"
    return text


def resolve(written: Sequence[Written], *, now: float, falling: bool) -> list[Moment]:
    """Each item's moment, in the order given. `now`: epoch seconds; `falling`: years are carried down the list."""
    moments: list[Moment] = []
    limits: list[tuple[int | None, float]] = []
    for one in written:
        carried = falling and not one.pinned
        # Only what is numbered higher is surely newer: some lists run upwards, and a few items stand out of order.
        above = [limit for number, limit in limits if number is None or one.number is None or number > one.number]
        moment = _moment(one.raw, min(above, default=now) if carried else now, now)
        moments.append(moment)
        if carried and moment.dated.at is not None:
            limits.append((one.number, min(now, moment.dated.at + _RISE_MAX_S - DAY_S)))
    return [
        _between(one, moment, written, moments) if falling and one.pinned and moment.resolved == "year" else moment
        for one, moment in zip(written, moments, strict=True)
    ]


def _moment(raw: str, ceiling: float, now: float) -> Moment:
    if not raw:
        return _NOTHING
    if _RELATIVE.fullmatch(raw) or _TIME_ONLY.fullmatch(raw):
        return _resolved(dates.read(raw, seen=now), "relative")
    if _YEAR.search(raw) or _TOKEN.search(raw):
        return Moment(dates.read(raw, seen=now))
    return _resolved(dates.read(raw, seen=ceiling), "year")


def _resolved(dated: Dated, why: Literal["year", "relative"]) -> Moment:
    return Moment(dated, why) if dated.at is not None else _NOTHING


def _between(one: Written, moment: Moment, written: Sequence[Written], moments: Sequence[Moment]) -> Moment:
    """A pinned item's moment in the one year that lies between its neighbours by number, else none at all."""
    if one.number is None:
        return _NOTHING
    known = [
        (other.number, other_moment.dated.at)
        for other, other_moment in zip(written, moments, strict=True)
        if other.number is not None and other_moment.dated.at is not None and not other.pinned
    ]
    below = [at for number, at in known if number < one.number]
    above = [at for number, at in known if number > one.number]
    if not below:
        return _NOTHING
    earliest, latest = max(below) - _RISE_MAX_S, (min(above) if above else float("inf"))
    at = moment.dated.at
    fits: list[Moment] = []
    for _ in range(_YEARS_BACK):
        if at is None or at < earliest:
            break
        candidate = dates.read(one.raw, seen=at)
        if candidate.at is None:
            break
        if earliest <= candidate.at <= latest + _RISE_MAX_S:
            fits.append(Moment(candidate, "year"))
        at = candidate.at - 2 * DAY_S
    return fits[0] if len(fits) == 1 else _NOTHING
