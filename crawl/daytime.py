"""Reads the time of day and the zone that follow a date, in Korean, ISO and RFC 822 manner. Pure; never raises."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crawl.model import Precision


@dataclass(frozen=True, slots=True)
class Daytime:
    """A time of day. `after_midnight_s`: 0 to 86,400 (24:00). `zone_s`: east of UTC, None where none was written."""

    after_midnight_s: int
    precision: Precision
    zone_s: int | None


_HALVES = r"오전|오후|새벽|아침|낮|저녁|밤|[ap]\.?m\b\.?"
_GAP = re.compile(
    rf"(?:[\s,.)\]>|/~:]|ㅣ|_(?=\d)|-(?=\d{{6}}(?!\d))|(?<=\s)-(?=\s))*(?:[(\[<]?(?!{_HALVES})[^\W\d_]{{1,12}}\.?[)\]>]?(?:[\s,.|/]|-(?=\s))*){{0,3}}"
)
_CLOCK = re.compile(
    rf"(?P<before>{_HALVES})?\s?(?P<hour>\d{{1,2}})\s?(?:[:시h]\s?(?P<minute>\d{{1,2}})(?!\d)"
    rf"(?:\s?[:분m]\s?(?P<second>\d{{1,2}})(?!\d)(?:(?<=:\d\d)|(?<=:\d)|(?=\s?[초s]))(?:[.,]\d+)?\s?초?|\s?분)?|시\s?(?P<half>반)?|(?=\s?[ap]\.?m\b)|(?P<bare>))"
    r"\s?(?P<after>[ap]\.?m\b\.?|오전|오후)?"
)
_COMPACT = re.compile(
    r"(?P<hour>\d\d)(?:(?P<minute>\d\d)(?:(?P<second>\d\d)(?:\d{3})?)?)?(?:[.,]\d+)?(?=$|\s(?!시)|z|[+-]\d|[|,)ㅣ])"
)
_POINTED = re.compile(r"(?P<hour>\d\d)(?P<sign>[.-])(?P<minute>\d\d)(?P=sign)(?P<second>\d\d)(?!\d)")
_ZONE = re.compile(
    r"[.,]?\s?\(?(?P<name>[a-z]{1,5}\b|z)?(?P<space>\s?)(?P<offset>(?:[+-]|\+\s(?=\d{4}))(?:\d{1,2}:\d\d|\d{1,4})(?![\d:]))?"
)
_LONG_NAMES = (
    (re.compile(r"\s?[(\[]?(?:한국|대한민국|korean? standard|asia/seoul)"), 9 * 3600),
    (
        re.compile(
            r"\s?[(\[]?(?:etc/(?:utc|gmt|uct|zulu)|coordinated universal|greenwich mean|협정 ?세계|세계 ?협정|그리니치)"
        ),
        0,
    ),
)
_HOURS = {
    "kst": 9, "jst": 9, "z": 0, "utc": 0, "gmt": 0, "ut": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2,
    "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "msk": 3, "hkt": 8, "sgt": 8, "awst": 8, "aest": 10, "aedt": 11,
    "nzst": 12, "nzdt": 13, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "akst": -9, "akdt": -8, "hst": -10,
}  # fmt: skip
"""Names with one meaning in feeds (RFC 822 section 5.1 settles the American ones); any other name is no zone."""
_EASTMOST_S = 14 * 3600
_WESTMOST_S = -12 * 3600


def read(rest: str) -> Daytime | None:
    """The time at the start of what follows a date (lower case), weekdays passed over; None where there is none."""
    gap = _GAP.match(rest)
    start = gap.end() if gap else 0
    near = rest[:start].strip() in ("", "t", ":", "-", "_")
    found = (_POINTED.match(rest, start) or _COMPACT.match(rest, start)) if near else None
    if found is None:
        found = _CLOCK.match(rest, start)
        if found is None or (found["bare"] is not None and not (found["before"] or found["after"])):
            return None
    part = found.groupdict()
    time = _after_midnight(part)
    if time is None:
        return None
    zone_s = _zone(rest, found.end())
    if time[0] == 0 and zone_s is None and not (part.get("before") or part.get("after")):
        return None
    return Daytime(*time, zone_s)


def _after_midnight(part: dict[str, str | None]) -> tuple[int, Precision] | None:
    hour = _hour(int(part["hour"] or 0), part.get("before") or part.get("after") or "")
    minute = 30 if part.get("half") else int(part["minute"] or 0)
    second = int(part["second"] or 0)
    if hour > 24 or minute > 59 or (hour == 24 and (minute or second)):
        return None
    precision: Precision = "minute" if part["minute"] or part.get("half") else "hour"
    if part["second"] and second <= 60:
        # A leap second has no epoch second of its own.
        return hour * 3600 + minute * 60 + min(second, 59), "second"
    return hour * 3600 + minute * 60, precision


def _hour(hour: int, half: str) -> int:
    """The hour on a 24-hour clock. A half that contradicts it (`오전 14:30`) is passed over."""
    if half.startswith("p") or half in ("오후", "저녁") or (half == "낮" and hour < 6):
        return hour + 12 if hour < 12 else hour
    if half == "밤" and 6 <= hour <= 12:
        return hour + 12
    return 0 if hour == 12 and (half.startswith("a") or half in ("오전", "새벽")) else hour


def _zone(rest: str, start: int) -> int | None:
    """Seconds east of UTC; a number beats a name beside it (`GMT+0900`), an impossible number is no zone."""
    found = _ZONE.match(rest, start)
    if found is None:
        return None
    named = _HOURS.get(found["name"] or "")
    digits = (found["offset"] or "")[1:].strip()
    # ` -1` apart from its time is rather a page number than a zone.
    if digits and (len(digits) > 2 or named is not None or not found["space"]):
        hours, minutes = digits.split(":") if ":" in digits else (digits[:-2], digits[-2:])
        if len(digits) <= 2:
            hours, minutes = digits, "0"
        offset = (-1 if found["offset"].startswith("-") else 1) * (int(hours) * 3600 + int(minutes) * 60)
        if _WESTMOST_S <= offset <= _EASTMOST_S and int(minutes) < 60:
            return offset
    if named is None:
        return next((zone_s for pattern, zone_s in _LONG_NAMES if pattern.match(rest, start)), None)
    return named * 3600
