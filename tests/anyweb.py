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
from tests.nights import feed, read_list, read_page, registry
from tests.sim import judge
from tests.sim.anyservers import AnyWeb, Seen
from tests.sim.anyworlds import Kill, Start, State, World
from tests.sim.testimony import Run, Watched
from tests.sim.virtual import VirtualClock, VirtualWorkers

POLICY = Policy()


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
        self.runs: list[Run] = []
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
            self.runs.append(Run(at, start.is_scheduled, self._now))
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
                              readers=Readers(read_list, read_page))  # fmt: skip
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


def told(log: list[Seen]) -> str:
    """The servers' log for people."""
    return "\n".join(
        f"{(s.started + 9 * 3600) % 86_400:9.2f} +{s.ended - s.started:5.2f} {s.status:3} {'cut ' if s.cut else ''}"
        f"{urlsplit(s.url).netloc}{urlsplit(s.url).path} {s.wait} {s.location}"
        for s in sorted(log, key=lambda s: s.started)
    )
