"""The temperaments a server or a single address can have, and a few ways to hand them out."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from tests.sim.campus import Campus

Kind = Literal[
    "healthy", "slow", "drip", "dead", "reset", "no_name", "private_name", "cut_off", "status", "redirect", "stubborn",
    "html", "empty", "huge", "bomb", "gzip_lie", "truncated", "warning", "wrong_charset", "surrogates", "javascript",
]  # fmt: skip
EVERYWHERE = frozenset({"slow", "drip", "dead", "reset", "no_name", "private_name"})
"""Kinds that concern the machine, robots.txt included; the others concern its feeds and lists."""


@dataclass(frozen=True, slots=True)
class Mood:
    """How a server answers.

    `retry_after`: the header's value; `in 600` stands for the date 600 s after the answer's end; empty: no header.
    `to` (redirects): `path`, `host`, `loop`, `chain`, `private`, `login`. `times`: only so many answers, healthy
    afterwards (None: always). `every` 2: only each second answer. `duration_s`: None for a usual one.
    """

    kind: Kind
    status: int = 200
    retry_after: str = ""
    to: str = ""
    times: int | None = None
    every: int = 1
    duration_s: float | None = None

    @property
    def everywhere(self) -> bool:
        return self.kind in EVERYWHERE or (self.kind == "status" and (self.status == 429 or self.status >= 500))

    def strikes(self, turn: int) -> bool:
        """Whether the answer of that turn (0, 1, 2 …) shows the mood."""
        return turn % self.every == 0 and (self.times is None or turn // self.every < self.times)


HEALTHY = Mood("healthy")
MOODS: dict[str, Mood] = {
    "healthy": HEALTHY,
    "slow": Mood("slow", duration_s=12.0),
    "drip": Mood("drip"),
    "dead": Mood("dead"),
    "reset": Mood("reset"),
    "no name": Mood("no_name"),
    "private name": Mood("private_name"),
    "cut off": Mood("cut_off"),
    "429": Mood("status", 429),
    "429 seconds": Mood("status", 429, "600"),
    "429 date": Mood("status", 429, "in 900"),
    "429 huge": Mood("status", 429, "31536000"),
    "429 invalid": Mood("status", 429, "soon, please"),
    "429 past": Mood("status", 429, "in -3600"),
    "503 seconds": Mood("status", 503, "1800"),
    "500": Mood("status", 500),
    "403": Mood("status", 403),
    "404": Mood("status", 404),
    "410": Mood("status", 410),
    "redirect path": Mood("redirect", 302, to="path"),
    "redirect host": Mood("redirect", 302, to="host"),
    "redirect loop": Mood("redirect", 302, to="loop"),
    "redirect chain": Mood("redirect", 307, to="chain"),
    "redirect private": Mood("redirect", 302, to="private"),
    "redirect login": Mood("redirect", 302, to="login"),
    "moved": Mood("redirect", 301, to="path"),
    "moved host": Mood("redirect", 308, to="host"),
    "stubborn": Mood("stubborn"),
    "html": Mood("html"),
    "empty": Mood("empty"),
    "huge": Mood("huge"),
    "bomb": Mood("bomb"),
    "gzip lie": Mood("gzip_lie"),
    "truncated": Mood("truncated"),
    "warning": Mood("warning"),
    "wrong charset": Mood("wrong_charset"),
    "surrogates": Mood("surrogates"),
    "javascript": Mood("javascript"),
    "flaky": Mood("status", 500, every=2),
    "flaky reset": Mood("reset", every=2),
    "busy once": Mood("status", 429, "600", times=1),
}
"""Every character by name."""


def mixed(campus: Campus, seed: int, share: float = 0.3) -> dict[str, Mood]:
    """A mood for about `share` of the servers, any of MOODS with equal chance."""
    rng = random.Random(f"moods/{seed}")
    return {name: rng.choice(list(MOODS.values())) for name in campus.servers if rng.random() < share}


def demo(campus: Campus) -> dict[str, Mood]:
    """A mostly healthy world with a few characters, none of which needs more than some seconds of real time."""
    cast = [
        Mood("slow", duration_s=4.0), Mood("status", 429, "7200"), Mood("truncated"), Mood("html"), Mood("status", 410),
        Mood("redirect", 301, to="path"),
    ]  # fmt: skip
    # Each plays an address of its own, one feed in three of those that stand alone on their server.
    alone = [server.sources[0] for server in campus.servers.values() if len(server.sources) == 1]
    feeds = [source for source in alone if source.dialect.family not in ("json", "html")]
    return {source.url: mood for source, mood in zip(feeds[1::3] + feeds[2::3], cast, strict=False)}
