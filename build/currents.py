"""What campuses write about: the words of months, each read once, and which of them rose; the front page asks for the newest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from markupsafe import Markup

from build import charts, filters, trends
from build.index import UNDATED, month_name
from build.records import Press
from build.tags import Months
from build.trends import Rising

TOP_WORDS = 20
CURRENT_WORDS = 5


@dataclass(frozen=True, slots=True)
class Word:
    """One rising word as a row."""

    word: str
    outlets: int
    articles: int
    before: str
    line: Markup


@dataclass(frozen=True, slots=True)
class Compared:
    """A month's words, those of the months before it, and which of them rose."""

    now: trends.Month
    before: tuple[trends.Month, ...]
    found: tuple[Rising, ...]

    @property
    def span(self) -> list[int]:
        """The months' numbers, the month itself last."""
        return [*(one.number for one in self.before), self.now.number]


class MonthsRead:
    """The words of months, each read once while it is needed again."""

    def __init__(self, press: Press) -> None:
        self.press = press
        self.months = Months(press.index)
        self._held = lru_cache(maxsize=trends.BEFORE_MONTHS + 2)(self._month)
        self._told = lru_cache(maxsize=2)(self._compared)

    def month(self, number: int) -> trends.Month:
        """The words of a month, none where no article is dated to it."""
        return self._held(number)

    def compared(self, number: int) -> Compared:
        """A month beside those before it; the home page and the month's own ask for the same."""
        return self._told(number)

    def _compared(self, number: int) -> Compared:
        before = [self.month(one) for one in range(number - trends.BEFORE_MONTHS, number)]
        # Months before anything was dated say nothing of how rare a word was.
        before = before[next((at for at, one in enumerate(before) if one.ids), len(before)) :]
        now = trends.settled_over(self.month(number), before, self.press.index.outlet)
        enough = len(now.ids) >= trends.MONTH_LEAST
        return Compared(now, tuple(before), tuple(trends.rising(now, before, TOP_WORDS)) if enough else ())

    def _month(self, number: int) -> trends.Month:
        ids = self.months.ids.get(number, ())
        titles = zip(ids, self.press.titles(ids), strict=True)
        return trends.month(number, titles, self.press.index.outlet)


@dataclass(frozen=True, slots=True)
class Currents:
    """What campuses write about now, for the home page: counted only when that page must be made.

    `months`: the newest first, of which the first with a rising word is told; `digests`: what their articles are.
    """

    months: tuple[int, ...]
    digests: tuple[str, ...]
    held: MonthsRead = field(repr=False)

    def told(self) -> tuple[str, tuple[Word, ...]]:
        """The month and its foremost words; no word where none rose."""
        for month in self.months:
            told = self.held.compared(month)
            if told.found and trends.comparable(told.before):
                outlet = self.held.press.index.outlet
                return plain(month), tuple(word(one, told.span, outlet) for one in told.found[:CURRENT_WORDS])
        return "", ()


def currents(held: MonthsRead) -> Currents:
    """Of the newest two months that have enough headlines: on the first days of a month the one before still speaks."""
    months = [month for month, ids in held.months.ids.items() if len(ids) >= trends.MONTH_LEAST][-2:]
    span = range(min(months) - trends.BEFORE_MONTHS, max(months) + 1) if months else range(0)
    return Currents(tuple(reversed(months)), held.months.digests(span), held)


def word(one: Rising, span: Sequence[int], outlet: Sequence[int], among: frozenset[int] | None = None) -> Word:
    """A rising word as a row; `span`: the months it was counted in; `among`: the outlets that are told of, all if None."""
    told = f"{plain(span[0])}부터 {plain(span[-1])}까지 달마다 쓴 매체: {', '.join(map(str, one.months))}곳"
    before = "" if one.before is None else f"{one.before:.1f}".removesuffix(".0")
    articles = sum(1 for id in one.ids if among is None or outlet[id] in among)
    return Word(one.word, one.outlets, articles, before, charts.spark(one.months, told))


def plain(month: int) -> str:
    """A month by its number as readers write it; empty for what has none."""
    return "" if month == UNDATED else filters.month_text(month_name(month))
