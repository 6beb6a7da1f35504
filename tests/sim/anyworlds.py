"""Worlds drawn from a seed: servers with their tempers and pages, runs with their kills, states that are lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, get_args

from tests.sim.anyservers import Page, Reply, Robots, Site, Temper

FIRST_DAYS = ("2026-03-05", "2026-12-30", "2026-12-31", "2028-02-27")
WAITS = ("", "0", "2", "30", "600", "3600", "5400", "21000", "86400", "200000", "31536000", "in 900", "in 7200", "in -60",
         "in 100000", "soon", "-5", "")  # fmt: skip
State = Literal["kept", "lost", "older"]


@dataclass(frozen=True, slots=True)
class Kill:
    """The process dies `after_s` seconds into a run, or at its `tickets`th request; it is started again after `gap_s`."""

    after_s: float
    tickets: int
    gap_s: float


@dataclass(frozen=True, slots=True)
class Start:
    """A run the operator starts, seconds after the first midnight; `state`: what became of the state before it."""

    at_s: float
    is_scheduled: bool
    kills: tuple[Kill, ...] = ()
    state: State = "kept"


@dataclass(frozen=True, slots=True)
class World:
    """Everything that decides what happens: the same world always tells the same story."""

    first_day: str
    sites: tuple[Site, ...]
    starts: tuple[Start, ...]


def draw(seed: int, servers: int = 12) -> World:
    """The world of a seed."""
    rng = Random(f"any/{seed}")
    hosts = [f"{rng.choice(('www.', '', 'm.', ''))}s{at}.example" for at in range(1 + rng.randrange(servers))]
    sites = tuple(_site(rng, host, len(hosts)) for host in hosts)
    nights = 2 + rng.randrange(3)
    return World(rng.choice(FIRST_DAYS), sites, tuple(_starts(rng, nights)))


def _site(rng: Random, host: str, sites: int) -> Site:
    temper = rng.choices(get_args(Temper), (50, 6, 4, 4, 3, 3, 3, 27))[0]
    pages = tuple(_page(rng, at) for at in range(1 + rng.randrange(5)))
    robots = [(0.0, _robots(rng, sites))]
    for _ in range(rng.choice((0, 0, 1, 2))):
        robots.append((robots[-1][0] + rng.choice((20, 3_000, 40_000, 86_400)), _robots(rng, sites)))
    return Site(
        host, temper, rng.choice(("https", "https", "http")), rng.choice((2.9, 3.5, 6, 20, 400, 4_000)), rng.choice(WAITS),
        tuple(robots), pages,
    )  # fmt: skip


def _robots(rng: Random, sites: int) -> Robots:
    kind = rng.random()
    if kind < 0.3:
        return Robots(rng.choice((404, 404, 410)))
    if kind < 0.5:
        return Robots(rng.choice((500, 503, 429, 403, 401)), wait=rng.choice(WAITS))
    if kind < 0.58:
        return Robots(moved=rng.randrange(sites))
    if kind < 0.64:
        return Robots(html=True) if rng.random() < 0.5 else Robots(drips=True)
    delay = rng.choice((None, None, 1, 4, 8, 10, 10.5, 30))
    closed = rng.choice(((), (), ("/",), ("/p1",), ("/to/",), ("/p0", "/p2")))
    return Robots(closed=closed, delay_s=delay, named=rng.random() < 0.3)


def _page(rng: Random, at: int) -> Page:
    kind = rng.choices(("feed", "list", "json"), (50, 35, 15))[0]
    path = f"/p{at}.json" if kind == "json" else f"/p{at}"
    inner = tuple(_reply(rng) for _ in range(1 + rng.randrange(3))) if kind == "list" and rng.random() < 0.5 else ()
    return Page(path, kind, tuple(_reply(rng) for _ in range(1 + rng.randrange(4))), inner)  # type: ignore[arg-type]


def _reply(rng: Random) -> Reply:
    kind, s = rng.random(), rng.choice((0.1, 0.4, 0.4, 2.5, 29.9, 31))
    if kind < 0.35:
        return Reply(s=s, lies=rng.random() < 0.2)
    if kind < 0.55:
        return Reply(rng.choice((429, 429, 503, 500)), rng.choice(WAITS), s=s)
    if kind < 0.7:
        status = rng.choice((401, 403, 404, 410, 451, 204))
        return Reply(status, rng.choice(("", "600", "100000")), s=s)
    if kind < 0.9:
        where = rng.choice(("here", "there", "loop", "self", "chain", "private", "private_name", "login"))
        return Reply(rng.choice((301, 302, 303, 307, 308)), where=where, s=s)  # type: ignore[arg-type]
    return rng.choice((Reply(drips=True), Reply(0), Reply(rubbish=True)))


def _starts(rng: Random, nights: int) -> Iterator[Start]:
    for night in range(nights):
        midnight = night * 86_400.0
        late = rng.choice((0, 0, 0, 3, 300, 5_400, 21_000, 21_570))
        yield _start(rng, midnight + late, True)
        for hour in sorted(rng.sample((6.5, 9, 15, 23.9, 23.99), rng.choice((0, 0, 1, 2)))):
            yield _start(rng, midnight + hour * 3_600 + rng.choice((0, 24, 33)), False)


def _start(rng: Random, at_s: float, is_scheduled: bool) -> Start:
    kills: list[Kill] = []
    while rng.random() < 0.3 and len(kills) < 3:
        tickets = rng.choice((10**6, 10**6, 1 + rng.randrange(8)))
        kills.append(
            Kill(rng.choice((1, 5, 30, 700, 9_000)) * rng.random(), tickets, rng.choice((0, 1, 2, 60, 4_000, 30_000)))
        )
    state: State = "kept" if rng.random() < 0.75 else rng.choice(("lost", "older"))
    return Start(at_s, is_scheduled, tuple(kills), state)


def smaller(world: World) -> Iterator[World]:
    """The same world with one thing less, the largest things first."""
    for at in range(len(world.sites)):
        # Sites are named by number in redirects: one is emptied, not taken out.
        if world.sites[at].pages:
            yield _with_site(world, at, replace(world.sites[at], pages=()))
    for at in range(len(world.starts)):
        yield replace(world, starts=world.starts[:at] + world.starts[at + 1 :])
    for at, start in enumerate(world.starts):
        for less in (replace(start, kills=start.kills[:-1]), replace(start, state="kept")):
            if less != start:
                yield replace(world, starts=(*world.starts[:at], less, *world.starts[at + 1 :]))
    for at, site in enumerate(world.sites):
        for gone in range(len(site.pages)):
            yield _with_site(world, at, replace(site, pages=site.pages[:gone] + site.pages[gone + 1 :]))
        if len(site.robots) > 1:
            yield _with_site(world, at, replace(site, robots=site.robots[:-1]))
        if site.robots != ((0.0, Robots(404)),):
            yield _with_site(world, at, replace(site, robots=((0.0, Robots(404)),)))
        if site.temper != "healthy":
            yield _with_site(world, at, replace(site, temper="healthy"))


def _with_site(world: World, at: int, site: Site) -> World:
    return replace(world, sites=(*world.sites[:at], site, *world.sites[at + 1 :]))
