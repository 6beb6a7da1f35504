"""The command `plan`: tonight's requests by server with their earliest times; nothing is sent and nothing written.

It is the real night, gate and all, over copies of the databases in a temporary folder and on a clock that jumps: only the
workers are make-believe, each answer taking as long as that server took before.
"""

from __future__ import annotations

import argparse
import heapq
import json
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from crawl import pressfile, registry
from crawl.articlepages import ArticlePage
from crawl.clifiles import read_hub, read_registry
from crawl.clinight import moment
from crawl.clock import DAY_S, SystemClock, kst_day, kst_midnight, kst_text
from crawl.gate import Ticket
from crawl.hub import Hub
from crawl.idle import Readers
from crawl.model import Feed, Response
from crawl.night import Night
from crawl.policy import AGENT, Policy
from crawl.registry import Registry
from crawl.store import Store

ASSUMED_S = 1.0
"""How long an answer takes from a server that was never asked before, where no server was."""

READS_NOTHING = Readers(
    lambda due, response, seen: Feed("", "", "", ()), lambda response: ArticlePage(None, "", "none", None, False, False)
)
"""Pages are planned like everything else; what they would show is not known."""

EMPTY_FEED = b'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title/></channel></rss>'


@dataclass(frozen=True, slots=True)
class Planned:
    """One request as it would be sent: the earliest start and the expected end, epoch seconds. `sake`: what a robots.txt
    is read for."""

    starts: float
    ends: float
    server: str
    lane: str
    purpose: str
    sake: str
    outlet: str
    url: str
    conditional: bool
    second_look: bool


@dataclass(frozen=True, slots=True)
class Held:
    """A source that would not be asked: refused, put off or not reached, by which rule and until when."""

    result: str
    rule: str
    reason: str
    until: float | None
    outlet: str
    url: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """A night that was not held. `why`: why nothing would be sent, empty otherwise; `fits`: every look starts in its hours."""

    day: str
    begins: float
    last_start: float
    why: str
    fits: bool
    requests: tuple[Planned, ...]
    held: tuple[Held, ...]


class _Clock:
    """Stands still until the make-believe workers move it on."""

    def __init__(self, at: float) -> None:
        self.at = at

    def now(self) -> float:
        return self.at


class _DryWorkers:
    """Takes tickets and sends nothing: each comes back after its server's usual time, with the plainest answer there is."""

    def __init__(self, clock: _Clock, log: sqlite3.Connection) -> None:
        self._clock = clock
        self._usual_s = dict(log.execute("SELECT server, avg(ended - started) FROM request_log GROUP BY server"))
        self._else_s = log.execute("SELECT avg(ended - started) FROM request_log").fetchone()[0] or ASSUMED_S
        self._robots = {row[0]: row[1:] for row in log.execute("SELECT origin, status, content_type, body FROM robots")}
        self._flights: list[tuple[float, int, Ticket, Response]] = []
        self.planned: list[Planned] = []

    def room(self) -> int:
        return max(0, 16 - len(self._flights))

    def busy(self) -> int:
        return len(self._flights)

    def start(self, ticket: Ticket) -> None:
        """Note what would be sent, and when it would be answered."""
        asked, now = ticket.spend(), self._clock.at
        ended = min(now + (self._usual_s.get(ticket.server) or self._else_s), ticket.deadline)
        conditional = asked.etag is not None or asked.last_modified is not None
        self.planned.append(
            Planned(now, ended, ticket.server, ticket.lane, asked.purpose, asked.sake or "", asked.outlet, asked.url,
                    conditional, asked.put_off)
        )  # fmt: skip
        status, kind, body = 200, "application/rss+xml", EMPTY_FEED
        if asked.purpose == "robots":
            status, kind, body = self._robots.get(asked.origin, (404, "", b""))
        elif conditional:
            status, body = 304, b""
        answer = Response(asked.url, status, now, ended, headers=(("Content-Type", kind),), body=body, agent=AGENT)
        heapq.heappush(self._flights, (ended, ticket.id, ticket, answer))

    def wait(self, until: float | None) -> list[tuple[Ticket, Response]]:
        """Move the clock to the next end, or to `until` if that comes first."""
        ends = [self._flights[0][0]] if self._flights else []
        self._clock.at = max(self._clock.at, min([*ends, *([] if until is None else [until])], default=self._clock.at))
        finished = []
        while self._flights and self._flights[0][0] <= self._clock.at:
            finished.append(heapq.heappop(self._flights)[2:])
        return finished

    def close(self) -> None:
        """Nothing is under way."""


def forecast(data: Path, state: Path, books: Registry, settings: Hub, now: float) -> Forecast:
    """The night that a scheduled run at `now` would hold, or the next one; the folders are only read."""
    policy = settings.policy()
    clock = _Clock(_begins(now, policy))
    day = kst_day(clock.at - policy.night_opens_s)
    begins, last_start = clock.at, kst_midnight(day) + policy.night_last_start_s
    with tempfile.TemporaryDirectory() as scratch:
        copied = copies(data, state, Path(scratch))
        with closing(Store(*copied, books)) as store:
            log = store.readable()
            workers = _DryWorkers(clock, log)
            lanes = {} if settings.lane_by == "host" else _lanes(log)
            night = Night(
                store, workers, clock, policy, books.exclusions, options=settings.options, readers=READS_NOTHING,
                lane_of=lambda server: lanes.get(server, server),
            )  # fmt: skip
            summary = night.run()
            held = tuple(_held(log, summary.night))
    fits = all(one.reason != "night_over" for one in held)
    return Forecast(day, begins, last_start, summary.why, fits, tuple(workers.planned), held)


def _begins(now: float, policy: Policy) -> float:
    """Now where the night's hours are open, else when they open next (P10)."""
    midnight = kst_midnight(kst_day(now - policy.night_opens_s))
    return now if now <= midnight + policy.night_last_start_s else midnight + DAY_S + policy.night_opens_s


def copies(data: Path, state: Path, scratch: Path) -> tuple[Path, Path]:
    """Copies of what a night begins from."""
    for name in ("data", "state"):
        (scratch / name).mkdir()
    for path in pressfile.press_files(data):
        shutil.copyfile(path, scratch / "data" / path.name)
    for name in ("state.db", "work.db", "work.db-journal", "work-left.db"):
        if (state / name).exists():
            shutil.copyfile(state / name, scratch / "state" / name)
    return scratch / "data", scratch / "state"


def _lanes(log: sqlite3.Connection) -> dict[str, str]:
    """The lane each server was last asked in: a plan looks no name up, so it goes by what is remembered (P20)."""
    return dict(
        log.execute(
            """SELECT server, lane FROM request_log WHERE id IN (SELECT max(id) FROM request_log
               WHERE lane NOT LIKE '?%' GROUP BY server)"""
        )
    )


def _held(log: sqlite3.Connection, night: int | None) -> Iterator[Held]:
    rows = log.execute(
        """SELECT l.result, c.rest_rule, l.reason, c.rest_until, o.slug, s.url FROM looks l JOIN sources s ON s.id = l.source
           JOIN outlets o ON o.id = s.outlet
           JOIN checks c ON c.id = (SELECT max(id) FROM checks WHERE source = l.source)
           WHERE l.night = ? AND l.result IN ('refused', 'put_off', 'not_reached') ORDER BY c.rest_rule, l.reason, s.url""",
        (night,),
    )
    yield from (Held(*row) for row in rows)


# -- the command ---------------------------------------------------------------------------------------------------


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """The command's words."""
    words = commands.add_parser("plan", help="tonight's requests by server with earliest times; nothing is sent")
    words.add_argument("--at", metavar="2026-03-05T00:00", help="plan the night that a run at this moment would hold")
    words.set_defaults(run=run)
    return words


def run(args: argparse.Namespace) -> int:
    """Print the plan; exit 1 where the night would not fit into its hours."""
    settings, books = read_hub(args.data), registry.for_night(read_registry(args.data))
    now = SystemClock().now() if args.at is None else moment(args.at)
    made = forecast(args.data, args.state, books, settings, now)
    print(json.dumps(asdict(made), ensure_ascii=False) if args.json else screen(made))
    return 0 if made.fits else 1


def screen(made: Forecast) -> str:
    """The plan for people."""
    if made.why:
        return f"{made.day}: nothing would be sent: {made.why}"
    lines = [f"Plan for the night of {made.day}, from {_hour(made.begins)} KST; nothing is sent and nothing written"]
    kinds = Counter(one.purpose for one in made.requests)
    kinds_text = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common()) or "none"
    servers = sorted({one.server for one in made.requests})
    lines.append(f"  requests  {len(made.requests)} to {len(servers)} servers: {kinds_text}")
    if made.requests:
        end = max(one.ends for one in made.requests)
        verdict = "fits" if made.fits else "DOES NOT FIT"
        lines.append(f"  hours     {verdict}: ends about {_hour(end)}, the last start is {_hour(made.last_start)}")
        lines.append(f"  {'server':<40} {'requests':>8}  {'first':<8}  {'last':<8}  before its pages")
    for server in servers:
        own = [one for one in made.requests if one.server == server]
        robots = "robots.txt" if any(one.purpose == "robots" for one in own) else ""
        first, last = min(one.starts for one in own), max(one.starts for one in own)
        lines.append(f"  {server:<40} {len(own):>8}  {_hour(first):<8}  {_hour(last):<8}  {robots}".rstrip())
    if made.held:
        lines.append(f"Not asked: {len(made.held)}")
    for one in made.held:
        until = f"until {kst_text(one.until)[:16]}" if one.until else ""
        lines.append(f"  {one.rule or '-':<4} {one.reason:<24} {one.outlet}  {one.url}  {until}".rstrip())
    return "\n".join(lines)


def _hour(at: float) -> str:
    return kst_text(at)[11:19]
