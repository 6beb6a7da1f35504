"""An outlet's desk: which pieces exist at which moment, and what they were called then."""

from __future__ import annotations

import random
from bisect import bisect_right
from typing import Literal

from tests.sim import films, pictures
from tests.sim.datewords import korean
from tests.sim.films import Film
from tests.sim.pictures import Marked
from tests.sim.stories import Story, Voice, as_issue, write

Rhythm = Literal["daily", "weekly", "monthly", "programme", "seasonal", "issue"]
DAY_S = 86_400


class Piece:
    """One published work. `published` and `edited` (None: never) are epoch seconds; the text is written when asked."""

    __slots__ = ("_desk", "_marked", "_story", "edited", "film", "guid", "number", "published", "url")

    def __init__(self, desk: Newsroom, number: int, published: int, edited: int | None) -> None:
        self._desk, self.number, self.published, self.edited = desk, number, published, edited
        self.film = _film(desk, number)
        self.url = self.film.url if self.film else desk.address.format(n=desk.first_number + number)
        self._marked: Marked = ""
        self.guid = f"{desk.seed}-{desk.first_number + number}"
        self._story: Story | None = None

    @property
    def story(self) -> Story:
        if self._story is None:
            desk = self._desk
            self._story = write(desk.seed, self.number, desk.univ, korean(self.published), desk.voice)
            self._marked = "title" if self._story.photo else ""
            if "issue" in desk.mix:
                self._story = as_issue(self._story, desk.first_number + self.number)
            if "photo" in desk.mix:
                self._story, self._marked = pictures.posed(
                    self._story, self.number, desk.short, english=desk.voice == "english", column="column" in desk.mix
                )
        return self._story

    @property
    def marked(self) -> Marked:
        """How it may be known as a photo story."""
        return self._marked if self.story else ""

    @property
    def page(self) -> str:
        """The address of the piece's own page at the outlet, be it that lists link to a film instead."""
        return self._desk.address.format(n=self._desk.first_number + self.number)

    def headline(self, now: float) -> str:
        """What the piece is called at that moment."""
        edited = self.edited is not None and self.edited <= now
        return self.story.later_headline if edited else self.story.headline


class Newsroom:
    """Publishes for ever from `opened` on, the same pieces for the same seed however far one looks ahead."""

    def __init__(
        self,
        seed: str,
        univ: str,
        voice: Voice,
        rhythm: Rhythm,
        *,
        opened: float,
        address: str,
        first_number: int,
        mix: frozenset[str] = frozenset(),
        short: str = "",
    ) -> None:
        """`univ`: the university's short name; `address`: article addresses with `{n}` for the number.

        `mix`: what stands among the articles: `photo`, `column`, `film`, `look_alike`; `issue`: printed issues instead.
        `short`: the outlet's own short name, which it puts before 포토.
        """
        self.seed, self.univ, self.voice = seed, univ, voice
        self.address, self.first_number, self.mix = address, first_number, mix
        self.short = short or univ
        self._rhythm, self._opened = rhythm, opened
        self._rng = random.Random(f"desk/{seed}")
        self._turn = self._rng.randrange(45)
        self._days = 0
        self._pieces: list[Piece] = []
        self._published: list[int] = []
        self._events: list[int] = []

    def published_by(self, now: float) -> list[Piece]:
        """Every piece out at that moment, oldest first."""
        self._work_until(now)
        return self._pieces[: bisect_right(self._published, now)]

    def newest(self, now: float, count: int) -> list[Piece]:
        """The last `count` pieces, newest first."""
        self._work_until(now)
        end = bisect_right(self._published, now)
        return self._pieces[max(0, end - count) : end][::-1]

    def piece(self, number: int, now: float) -> Piece | None:
        """The piece that the outlet's addresses call by this number; None where none is out."""
        at = number - self.first_number - 1
        pieces = self.published_by(now)
        return pieces[at] if 0 <= at < len(pieces) else None

    def version(self, now: float) -> int:
        """How many publications and edits have happened: the same number means the same content."""
        self._work_until(now)
        return bisect_right(self._events, now)

    def changed_at(self, now: float) -> float:
        """When something was last published or edited; the opening if nothing was."""
        version = self.version(now)
        return self._events[version - 1] if version else self._opened

    def _work_until(self, now: float) -> None:
        """Plan every day that has begun; a day's pieces never appear before it, so the past stays as it was."""
        grown = False
        while self._opened + self._days * DAY_S <= now:
            self._one_day(self._opened + self._days * DAY_S)
            self._days += 1
            grown = True
        if grown:
            self._events.sort()

    def _one_day(self, midnight: float) -> None:
        for second in sorted(self._rng.randrange(*self._hours()) for _ in range(self._count(midnight))):
            published = int(midnight) + second
            edited = published + self._rng.randrange(3600, 30 * 3600) if self._rng.random() < 0.08 else None
            self._pieces.append(Piece(self, len(self._pieces) + 1, published, edited))
            self._published.append(published)
            self._events += [published] if edited is None else [published, edited]

    def _hours(self) -> tuple[int, int]:
        match self._rhythm:
            case "weekly":
                return 6 * 3600, 11 * 3600
            case "programme":
                return 12 * 3600, 19 * 3600
        return 8 * 3600, 23 * 3600

    def _count(self, midnight: float) -> int:
        """How many pieces appear on the day that begins at `midnight`."""
        rng, weekday = self._rng, korean(midnight).weekday()
        turn = (self._days + self._turn) % 45
        match self._rhythm:
            case "daily":
                return rng.randint(1, 4) if weekday < 5 else rng.randint(0, 1)
            case "weekly":
                return rng.randint(8, 14) if weekday == 0 else rng.choice((0, 0, 1))
            case "monthly":
                return rng.randint(6, 10) if turn in (0, 22) else rng.choice((0, 0, 0, 0, 1))
            case "programme":
                return rng.choice((0, 1, 1, 2)) if weekday < 5 else 0
            case "issue":
                return 1 if weekday == 0 and self._days // 7 % 2 == 0 else 0
        return rng.randint(5, 9) if turn == 0 else 0


def _film(desk: Newsroom, number: int) -> Film | None:
    """What a piece links to instead of a page of the outlet: every fifth a film, one in twenty-five a look-alike."""
    if "look_alike" in desk.mix and number % 25 == 4:
        return films.look_alike(desk.seed, number // 25)
    if "film" in desk.mix and number % 5 == 2:
        return films.film(desk.seed, number // 5)
    return None
