"""The home page: the newest of all outlets by day, a strip of pictures, a strip of films, the last night's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from build import filters, words
from build.archive import day_path, recent_days
from build.currents import Currents
from build.index import FILM, PICTURE
from build.media import PHOTOS, VIDEOS, newest_few
from build.pagekinds import Head, Listed, Section
from build.pages import kinds_of
from build.records import Night, Press

HOME_CARDS = 50
HOME_DAYS = 7
DAY_CARDS = 24
DAY_CARDS_PER_OUTLET = 3
STRIP_PHOTOS = 6
STRIP_FILMS = 4


@dataclass(frozen=True, slots=True)
class Home:
    """The newest of all outlets by Korean day, the newest pictures and films, and what campuses write about."""

    template: ClassVar[str] = "home.html"
    head: Head
    sections: tuple[Section, ...]
    photos: Listed
    films: Listed
    currents: Currents
    night: Night | None
    state: str
    kinds: tuple[tuple[str, int], ...]
    outlets: int

    def listed(self) -> Iterable[Listed]:
        """The cards of all days, and both strips."""
        return [*(section.cards for section in self.sections), self.photos, self.films]


def home(press: Press, currents: Currents) -> Home:
    """The home page by days; which of them is today only the reader's own clock can say."""
    sections: list[Section] = []
    left = HOME_CARDS
    days = groupby(press.index.newest_first(press.index.ids), key=press.index.day.__getitem__)
    pages_of_days = {day for day, _ in recent_days(press.index)}
    for (day, ids), _ in zip(days, range(HOME_DAYS), strict=False):
        if left <= 0:
            break
        section = _day_section(press, filters.day_of(day), ids, min(left, DAY_CARDS), day in pages_of_days)
        left -= len(section.cards)
        sections.append(section)
    return Home(
        head=Head("index.html", press.hub.name, press.hub.tagline or press.hub.name, nav="home"),
        sections=tuple(sections),
        photos=newest_few(press.index, PHOTOS, STRIP_PHOTOS, marks=PICTURE),
        films=newest_few(press.index, VIDEOS, STRIP_FILMS, marks=FILM),
        currents=currents,
        night=press.last_night,
        state=words.night_state(press.last_night) if press.last_night else "",
        kinds=kinds_of(press),
        outlets=len(press.outlets),
    )


def _day_section(press: Press, day: str, ids: Iterable[int], most: int, own: bool) -> Section:
    shown: list[int] = []
    per_outlet: Counter[int] = Counter()
    rest: Counter[tuple[str, str]] = Counter()
    for id in ids:
        number = press.index.outlet[id]
        if per_outlet[number] < DAY_CARDS_PER_OUTLET and len(shown) < most:
            per_outlet[number] += 1
            shown.append(id)
        else:
            rest[press.outlets[number].slug, press.outlets[number].name] += 1
    ranked = sorted(rest.items(), key=lambda item: (-item[1], item[0]))
    named, others = ranked[:6], ranked[6:]
    return Section(
        title=filters.day_text(day),
        note="",
        day=day,
        cards=Listed("card", tuple(shown)),
        more=tuple((slug, name, count) for (slug, name), count in named),
        others=sum(count for _, count in others),
        whole=day_path(day) if own else "",
    )
