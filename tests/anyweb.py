"""Any web, any registry, a few nights with kills, inspecting passes and lost states: drawn from a seed, run, judged.

The judge is `tests.sim.judge`, which reads the servers' own log only. A world that fails can be made smaller.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Literal, get_args
from urllib.parse import urlsplit

from crawl import audit
from crawl.clock import kst_midnight, parse_at
from crawl.exclusions import Exclusions
from crawl.gate import Ticket
from crawl.idle import Readers
from crawl.model import Response, Source
from crawl.night import Night, Summary
from crawl.policy import Policy
from crawl.registry import Registry
from crawl.store import Store
from tests.nights import feed, read_date, read_list, read_photo, registry
from tests.sim import judge
from tests.sim.anyservers import AnyWeb, Page, Reply, Robots, Seen, Site, Temper
from tests.sim.judge import Watched
from tests.sim.virtual import VirtualClock, VirtualWorkers

POLICY = Policy()
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


class Killed(BaseException):
    """The process is no more; not an Exception, so that nothing can go on after it."""


class MortalWorkers(VirtualWorkers):
    """Workers whose process dies at a moment of the clock, or as it is about to send its so-manieth request."""

    def __init__(self, web: AnyWeb, clock: VirtualClock, policy: Policy, kill: Kill | None) -> None:
        super().__init__(web, clock, policy)
        self._dies_at = clock.now() + kill.after_s if kill else float("inf")
        self._left = kill.tickets if kill else 10**9

    def start(self, ticket: Ticket) -> None:
        self._left -= 1
        if self._left < 0:
            self._die()
        super().start(ticket)

    def wait(self, until: float | None) -> list[tuple[Ticket, Response]]:
        marks = [self._flights[0][0]] if self._flights else []
        marks += [until] if until is not None else []
        if marks and min(marks) > self._dies_at:
            self._clock.advance_to(max(self._dies_at, self._clock.now()))
            self._die()
        return super().wait(until)

    def _die(self) -> None:
        self.close()
        raise Killed


@dataclass
class Story:
    """A world as it happens, in one folder."""

    root: Path
    world: World
    policy: Policy = POLICY

    def __post_init__(self) -> None:
        self.midnight = parse_at(f"{self.world.first_day}T00:00")
        shifted = tuple(
            replace(
                site, robots=tuple((since + self.midnight if since else 0.0, rules) for since, rules in site.robots)
            )
            for site in self.world.sites
        )
        self.web = AnyWeb(shifted)
        self.books = books(self.world)
        self.runs: list[judge.Run] = []
        self.closed: list[tuple[str, float]] = []
        self.wrong: list[str] = []
        self._now = 0.0
        self._olds: list[Path] = []

    def tell(self) -> list[str]:
        """Run every start; returns what is wrong, breaches first by the servers' own log."""
        for start in self.world.starts:
            self._lose(start.state)
            self._run(start)
        pages = [(site, page) for site in self.world.sites for page in site.pages]
        watched = [Watched(site.origin + page.path, page.kind) for site, page in pages]
        return [
            *judge.judge(self.web.log, watched, self.runs), *judge.never_again(self.web.log, self.closed), *self.wrong,
        ]  # fmt: skip

    def _lose(self, state: State) -> None:
        """Between two finished runs the state may vanish, or an older one come back; never while a night is broken off."""
        kept = self.root / "state" / "state.db"
        if state == "kept" or not kept.exists() or (kept.parent / "work.db").exists():
            return
        kept.unlink()
        if state == "older" and len(self._olds) > 1:
            shutil.copy(self._olds[-2], kept)

    def _run(self, start: Start) -> None:
        at = max(self.midnight + start.at_s, self._now)
        for kill in (*start.kills, None):
            mark = len(self.web.log)
            clock = VirtualClock(at)
            summary = self._process(start, clock, kill)
            self._now = clock.now()
            self.runs.append(judge.Run(at, start.is_scheduled, self._now))
            self._agree(mark, at)
            if summary is not None:
                self._check(start, summary)
                break
            assert kill is not None
            at = self._now + kill.gap_s

    def _process(self, start: Start, clock: VirtualClock, kill: Kill | None) -> Summary | None:
        """One process, until it ends (then the files are published) or is killed (None)."""
        workers = MortalWorkers(self.web, clock, self.policy, kill)
        try:
            with closing(Store(self.root / "data", self.root / "state", self.books)) as store:
                night = Night(store, workers, clock, self.policy, self.books.exclusions, now_pass=not start.is_scheduled,
                              readers=Readers(read_list, read_date, read_photo))  # fmt: skip
                summary = night.run()
                store.publish()
        except Killed:
            return None
        self._olds.append(self.root / f"state-{len(self._olds)}.db")
        shutil.copy(self.root / "state" / "state.db", self._olds[-1])
        return summary

    def _agree(self, mark: int, since: float) -> None:
        """The two logs tell the same of this process: every request, its start, its end where the answer arrived (P70)."""
        with closing(self._open()) as db:
            rows = db.execute(
                """SELECT started, url, ended, status FROM request_log WHERE started >= ?
                   AND error NOT IN ('address_refused', 'interrupted') ORDER BY started, url""", (since - 1e-6,)
            ).fetchall()  # fmt: skip
        theirs = sorted(self.web.log[mark:], key=lambda seen: (seen.started, seen.url))
        ours = {(started, url): (ended, status) for started, url, ended, status in rows}
        for seen in theirs:
            known = ours.pop((seen.started, seen.url), None)
            if known is None:
                self.wrong.append(f"P70 {seen.url}: not in the request log")
            elif known[0] is not None and (abs(known[0] - seen.ended) > 1e-6 or known[1] != seen.status):
                self.wrong.append(f"P70 {seen.url}: the logs differ: {known} and {(seen.ended, seen.status)}")
        self.wrong += [
            f"P70 {url}: logged, but never arrived" for (_, url), (ended, _) in ours.items() if ended is not None
        ]

    def _open(self) -> sqlite3.Connection:
        state = self.root / "state"
        if (state / "work.db").exists():
            return sqlite3.connect(state / "work.db")
        return audit.open_files(self.root / "data", state)

    def _check(self, start: Start, summary: Summary) -> None:
        """A run that ended: in time, nothing found by the audit, one outcome for each source that was due."""
        if start.is_scheduled and summary.night is not None and self._now > kst_midnight(summary.day) + 6 * 3600:
            self.wrong.append(f"P10 the night ended at {self._now - kst_midnight(summary.day):.0f} s")
        for finding in summary.findings:
            if finding.rows:
                self.wrong.append(f"audit {finding.rule.rule} {finding.rule.name}: rows {finding.rows[:3]}")
        if summary.night is None:
            return
        with closing(self._open()) as db:
            outcomes = db.execute(
                """SELECT s.url, l.reason, l.at FROM looks l JOIN sources s ON s.id = l.source WHERE l.id IN
                   (SELECT max(id) FROM looks WHERE night = ?1 GROUP BY source) ORDER BY l.id""",
                (summary.night,),
            ).fetchall()
            before = {url for (url,) in db.execute(
                """SELECT s.url FROM request_log l JOIN sources s ON s.id = l.source WHERE l.day = ? AND l.night < ?
                   AND l.hop = 0 AND l.purpose IN ('feed', 'list')""", (summary.day, summary.night)
            )}  # fmt: skip
        self.closed += [(url, at) for url, reason, at in outcomes if reason == "closed_by_robots"]
        told = [url for url, _, _ in outcomes]
        for source in self.books.sources:
            if told.count(source.url) > 1 or (told.count(source.url) == 0 and source.url not in before):
                self.wrong.append(f"outcomes {source.url}: {told.count(source.url)} in night {summary.night}")


def books(world: World) -> Registry:
    """The registry of a world: one outlet for each server."""
    rows: list[str | Source] = [
        feed(site.origin + page.path, slug=f"outlet{at}", kind="list" if page.kind == "list" else "feed",
             cms="jsonfeed" if page.kind == "json" else "")
        for at, site in enumerate(world.sites) for page in site.pages
    ]  # fmt: skip
    return registry(rows, Exclusions())


def tell(root: Path, world: World, policy: Policy = POLICY) -> list[str]:
    """Run a world in an empty folder; returns what is wrong. `policy`: a ruder one, for a judge's own trial."""
    return Story(root, world, policy).tell()


@contextmanager
def in_memory() -> Iterator[Path]:
    """An empty folder in memory where the system has one: a night flushes often, and its subject is not the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(
        dir=memory if os.access(memory, os.W_OK) else None, prefix="campuspresshub-"
    ) as root:
        yield Path(root)


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


def told(log: list[Seen]) -> str:
    """The servers' log for people."""
    return "\n".join(
        f"{(s.started + 9 * 3600) % 86_400:9.2f} +{s.ended - s.started:5.2f} {s.status:3} {'cut ' if s.cut else ''}"
        f"{urlsplit(s.url).netloc}{urlsplit(s.url).path} {s.wait} {s.location}"
        for s in sorted(log, key=lambda s: s.started)
    )
