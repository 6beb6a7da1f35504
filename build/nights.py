"""/nights/: what each night did and what it changed in the record; a page a month, so that old ones never move."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from build import filters, words
from build.index import Index
from build.pagekinds import Head, Listed
from build.records import Night, Press

NEWEST = 14
"""Nights of the front page; each stands on its month's page too."""

OUTLETS = 12
"""Outlets named under one night; the others are summed."""


@dataclass(frozen=True, slots=True)
class Told:
    """One night: its figures, what a reader should know of it, and how many new stories each outlet brought.

    `brought`: (slug, name, stories), most first; `others`: outlets beyond those, `others_stories` of them;
    `gone`: of the new stories, those that are shown no more.
    """

    night: Night
    state: str
    brought: tuple[tuple[str, str, int], ...]
    others: int
    others_stories: int
    gone: int


@dataclass(frozen=True, slots=True)
class NightsPage:
    """The newest nights, and the way to all months."""

    template: ClassVar[str] = "nights.html"
    head: Head
    nights: tuple[Told, ...]
    years: tuple[tuple[str, tuple[str, ...]], ...]
    label: str = ""
    older: tuple[str, str] | None = None
    newer: tuple[str, str] | None = None

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()

    @property
    def broken(self) -> int:
        """How many of these nights broke a rule."""
        return sum(1 for one in self.nights if one.night.breaches)


def sheets(press: Press) -> Iterator[NightsPage]:
    """The newest nights, and a page for each month."""
    told = _told(press)
    months = [(month, tuple(nights)) for month, nights in groupby(told, key=lambda one: one.night.day[:7])]
    names = [month for month, _ in months]
    years = groupby(reversed(names), key=lambda month: month[:4])
    yield NightsPage(
        head=Head(
            "nights/index.html", "밤마다 한 일", "밤마다 무엇을 확인했고 무엇이 새로 실렸는지, 원칙을 어긴 일은 없었는지.",
            nav="nights",
        ),
        nights=tuple(reversed(told[-NEWEST:])),
        years=tuple((year, tuple(sorted(own))) for year, own in years),
    )  # fmt: skip
    for at, (month, nights) in enumerate(months):
        label = filters.month_text(month)
        title = f"{label}의 밤"
        yield NightsPage(
            head=Head(
                f"nights/{month}/index.html", title, f"{label}에 밤마다 한 일과 새로 실린 글의 수.", nav="nights"
            ),
            nights=tuple(reversed(nights)),
            years=(),
            label=label,
            older=_way(names[at - 1]) if at else None,
            newer=_way(names[at + 1]) if at + 1 < len(names) else None,
        )


def _way(month: str) -> tuple[str, str]:
    return f"nights/{month}/", filters.month_text(month)


def _told(press: Press) -> list[Told]:
    """All nights, oldest first."""
    brought = _brought(press.index, press.nights)
    return [_night(press, night, brought[place]) for place, night in enumerate(press.nights)]


def _night(press: Press, night: Night, brought: Counter[int]) -> Told:
    ranked = sorted(brought.items(), key=lambda one: (-one[1], press.outlets[one[0]].slug))
    rest = ranked[OUTLETS:]
    return Told(
        night=night,
        state=words.night_trouble(night),
        brought=tuple((press.outlets[at].slug, press.outlets[at].name, count) for at, count in ranked[:OUTLETS]),
        others=len(rest),
        others_stories=sum(count for _, count in rest),
        gone=max(night.new_articles - sum(brought.values()), 0),
    )


def _brought(index: Index, nights: tuple[Night, ...]) -> list[Counter[int]]:
    """For each night, the stories first seen in it by outlet; what was imported between nights belongs to none."""
    starts = [night.started for night in nights]
    found: list[Counter[int]] = [Counter() for _ in nights]
    for id in index.ids:
        seen = index.first_seen[id]
        place = bisect_right(starts, seen) - 1
        if place >= 0:
            ended = nights[place].ended
            if ended is None or seen <= ended:
                found[place][index.outlet[id]] += 1
    return found
