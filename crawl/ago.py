"""Reads relative dates (`3시간 전`, `어제`, `2 hours ago`) as a distance from now. Pure; never raises.

How exactly they were said is not kept: a page cached for hours goes on saying `3시간 전`, so what they tell is a day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from crawl.clock import DAY_S


@dataclass(frozen=True, slots=True)
class Ago:
    """How far back, and where in the text it stands (a time of day may follow)."""

    back_s: int
    start: int
    end: int


_DAYS = {
    "엊그제": 2, "그저께": 2, "그제": 2, "어제": 1, "오늘": 0, "하루 ?전": 1, "이틀 ?전": 2, "사흘 ?전": 3,
    "나흘 ?전": 4, "닷새 ?전": 5, "엿새 ?전": 6, r"the day before yesterday\b": 2, r"yesterday\b": 1, r"today\b": 0,
}  # fmt: skip
_NOW = re.compile(r"(?:방금|조금 ?전|지금|막 ?전|just now|moments? ago|now)(?: ?전)?(?![^\W\d_])")
_COUNTS = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "일": 1, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_UNITS_S = {
    "초": 1, "분": 60, "시간": 3600, "일": DAY_S, "주": 7 * DAY_S, "주일": 7 * DAY_S, "s": 1, "m": 60, "h": 3600, "d": DAY_S,
    "w": 7 * DAY_S,
}  # fmt: skip
_STEP = (
    r"(\d{1,5}|(?:한|두|세|네|다섯)(?= ?(?:시간|주))|일(?=주)|an?|one|two|three) ?"
    r"(시간|주일?|초|분|일|(?:s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:(?:ee)?ks?)?)(?![a-z]))"
)
_STEPS = re.compile(rf"(?<![^\W_])(?:{_STEP}(?:,? (?:and )?)?){{1,4}}(?:전|ago\b)")
_LONGER = re.compile(r"(?:년|달|개월|years?|months?)[ ,]*(?:and )?$")


def read(text: str) -> Ago | None:
    """The first relative date of a lower-case text; None where there is none, or only a month or year is named."""
    steps = _STEPS.search(text)
    if steps:
        if _LONGER.search(text, 0, steps.start()):
            return None
        found = [(_COUNTS.get(count) or int(count), unit) for count, unit in re.findall(_STEP, steps[0])]
        back_s = sum(count * _UNITS_S[unit if unit in _UNITS_S else unit[0]] for count, unit in found)
        return Ago(back_s, steps.start(), steps.end())
    now = _NOW.search(text)
    if now:
        return Ago(0, now.start(), now.end())
    for word, days in _DAYS.items():
        named = re.search(rf"(?<![^\W_]){word}(?![^\W\d_])", text)
        if named:
            return Ago(days * DAY_S, named.start(), named.end())
    return None
