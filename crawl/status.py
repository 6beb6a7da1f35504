"""The command `status`: every source by the state it is in, from press.db and the state alone; nothing is asked."""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from crawl import pressfile, ranges, urls
from crawl.clinight import moment
from crawl.clock import DAY_S, SystemClock, kst_day, kst_text
from crawl.model import HEALTHY
from crawl.policy import MOVED_AFTER_NIGHTS

STATES = (
    "healthy", "silent", "failing", "resting", "closed_by_robots", "blocked", "moved", "gone", "refused", "frozen", "paused",
    "closed", "not_asked_yet",
)  # fmt: skip
"""Every state, in the order the screen lists them."""

PERMANENT = (301, 308)
BLOCKS = ("challenge_page", "block_page", "http_403")
"""Reasons that say the server answers, but not us (H31)."""
SERVERS_OWN_WORD = ("P31", "P32", "P33", "P34", "P36", "P37")
"""Rules by which a rest is what the server asked for, and not just the wait after a failure."""

SILENT_AFTER_GAPS, SILENT_AT_LEAST_S, SILENT_WITHOUT_RHYTHM_S = 3, 30 * DAY_S, 180 * DAY_S
RHYTHM_DAYS = 40
"""Days with something new that make a source's rhythm; its longest pause among them is what silence is measured by."""

NAMED_AT_MOST = 16


@dataclass(frozen=True, slots=True)
class Status:
    """One source: its state, the reason by name, since which Korean day, and until when it rests by which rule.

    `newest`: when its newest article was published or first seen; `moved_to`: the address a move leads to.
    """

    outlet: str
    url: str
    kind: str
    state: str
    reason: str
    since: str
    rule: str
    until: float | None
    newest: int | None
    moved_to: str


@dataclass(frozen=True, slots=True)
class Alarm:
    """Many sources that moved to one place at once: a portal or a maintenance page rather than a move (P50)."""

    target: str
    sources: tuple[str, ...]


def statuses(db: sqlite3.Connection, now: float) -> tuple[list[Status], list[Alarm]]:
    """Every registered source, and the moves that must not be believed; `db` holds press.db and the state's tables."""
    moved = _moves(db)
    alarms = list(_alarms(moved))
    suspect = {url for alarm in alarms for url in alarm.sources}
    rests = _rests(db, now)
    newest = _times(db, now)
    rows = db.execute(
        """SELECT s.id, o.slug, s.url, s.kind, s.state, c.stage, c.result, c.reason, c.status, c.rest_rule, c.rest_until, n.day
           FROM sources s JOIN outlets o ON o.id = s.outlet
           LEFT JOIN (SELECT max(id) AS last, source FROM checks GROUP BY source) l ON l.source = s.id
           LEFT JOIN checks c ON c.id = l.last LEFT JOIN nights n ON n.id = c.night WHERE s.listed ORDER BY o.slug, s.url"""
    ).fetchall()
    found = []
    for id, slug, url, kind, registered, stage, result, reason, status, rule, until, day in rows:
        rest = rests.get(("source", str(id))) or rests.get(("server", urls.server(url)))
        if until is not None and until > (rest[0] + 1 if rest else now):
            # The public record, in whole seconds: it counts where the state was lost or is older.
            rest = (until, rule)
        times = newest.get(id, [])
        target = "" if url in suspect else moved.get((slug, url), "")
        own_no = stage == "planned" and result == "refused"
        state = _state(registered, "refused" if own_no else result, reason, status, rest, target, times, now)
        until, rule = rest if state == "resting" and rest else (None, rule if state == "refused" else "")
        found.append(
            Status(slug, url, kind, state, reason or "", day or "", rule, until, times[-1] if times else None,
                   target if state == "moved" else "")
        )  # fmt: skip
    return found, alarms


def _state(
    registered: str, result: str | None, reason: str, status: int, rest: tuple[float, str] | None, moved_to: str,
    times: list[int], now: float,
) -> str:  # fmt: skip
    """The one state that says most about a source; what people decided comes first, then what its server said."""
    if registered in ("frozen", "paused", "closed"):
        return registered
    if result is None:
        return "not_asked_yet"
    if reason == "closed_by_robots":
        return "closed_by_robots"
    if status == 410:
        return "gone"
    if rest is not None and rest[1] in SERVERS_OWN_WORD:
        return "resting"
    if reason in BLOCKS:
        return "blocked"
    if result == "refused":
        return "refused"
    if result not in HEALTHY and not (result in ("put_off", "not_reached") and rest is None):
        return "failing"
    if moved_to:
        return "moved"
    return "silent" if is_silent(times, now) else "healthy"


def is_silent(times: list[int], now: float) -> bool:
    """Whether nothing new came for far longer than this source's own longest pause."""
    if not times:
        return False
    days = [time * DAY_S for time in sorted({time // DAY_S for time in times})][-RHYTHM_DAYS:]
    quiet_s = now - times[-1]
    if len(days) < 5:
        return quiet_s > SILENT_WITHOUT_RHYTHM_S
    longest_s = max(later - earlier for earlier, later in pairwise(days))
    return quiet_s > max(SILENT_AFTER_GAPS * longest_s, SILENT_AT_LEAST_S)


def _times(db: sqlite3.Connection, now: float) -> dict[int, list[int]]:
    """When each source's articles came out, oldest first; a date in the future counts as first seen."""
    times: defaultdict[int, list[int]] = defaultdict(list)
    for source, at in db.execute(
        """SELECT source, CASE WHEN published <= :now AND published > 0 THEN published ELSE first_seen END AS at
           FROM articles WHERE url <> '' ORDER BY at""",
        {"now": now},
    ):
        times[source].append(at)
    return times


def _rests(db: sqlite3.Connection, now: float) -> dict[tuple[str, str], tuple[float, str]]:
    """Rests of looks in force: scope and subject to the latest end and its rule."""
    rows = db.execute(
        "SELECT scope, subject, until, rule FROM rests WHERE until > ? AND what IN ('all', 'looks') ORDER BY until",
        (now,),
    )
    return {(scope, subject): (until, rule) for scope, subject, until, rule in rows}


def _moves(db: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Outlet and address of every feed that is moved for good, with where it leads (P50).

    Its latest looks, on so many nights, must all have been led there by permanent redirects, and the last of them must have
    shown what we know already: an unchanged body, or entries that were stored before.
    """
    found: dict[tuple[str, str], str] = {}
    known = _shows_known_entries(db)
    for (source, slug, url), looks in _redirected_looks(db).items():
        latest = looks[-MOVED_AFTER_NIGHTS:]
        targets = {target for _, target in latest}
        if (
            source in known
            and len({day for day, _ in latest}) >= MOVED_AFTER_NIGHTS
            and len(targets) == 1
            and "" not in targets
        ):
            found[slug, url] = targets.pop()
    return found


def _shows_known_entries(db: sqlite3.Connection) -> set[int]:
    rows = db.execute(
        """SELECT source FROM looks WHERE id IN (SELECT max(id) FROM looks GROUP BY source)
           AND (result IN ('unchanged', 'not_modified') OR (result = 'ok' AND entries > new))"""
    )
    return {source for (source,) in rows}


def _redirected_looks(db: sqlite3.Connection) -> dict[tuple[int, str, str], list[tuple[str, str]]]:
    """Every look at the feeds that ever answered with a permanent redirect, oldest first: its day, and where permanent
    redirects led it, empty where its first answer was none."""
    rows = db.execute(
        """SELECT r.id, r.parent, r.day, r.status, r.url, s.id, o.slug, s.url FROM request_log r
           JOIN sources s ON s.id = r.source JOIN outlets o ON o.id = s.outlet
           WHERE s.listed AND s.state = 'active' AND r.purpose = 'feed' AND r.source IN (
             SELECT source FROM request_log WHERE purpose = 'feed' AND hop = 0 AND status IN (301, 308)) ORDER BY r.id"""
    ).fetchall()
    hops = {parent: (row, status, url) for row, parent, _, status, url, *_ in rows if parent is not None}
    found: defaultdict[tuple[int, str, str], list[tuple[str, str]]] = defaultdict(list)
    for row, parent, day, status, _, source, slug, registered in rows:
        if parent is None:
            target = ""
            while status in PERMANENT and row in hops:
                row, status, target = hops[row]
            found[source, slug, registered].append((day, target))
    return found


def _alarms(moved: dict[tuple[str, str], str]) -> Iterator[Alarm]:
    """One address that several sources moved to, or one server that sources of several outlets did."""
    addresses: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    servers: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for source, target in moved.items():
        addresses[urls.normal(target)].add(source)
        servers[urls.server(target)].add(source)
    for target, sources in sorted(addresses.items()):
        if len(sources) > 1:
            yield Alarm(target, tuple(sorted(url for _, url in sources)))
    for server, sources in sorted(servers.items()):
        if len({slug for slug, _ in sources}) > 1 and sources not in addresses.values():
            yield Alarm(server, tuple(sorted(url for _, url in sources)))


# -- the command ---------------------------------------------------------------------------------------------------


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """The command's words."""
    words = commands.add_parser("status", help="every source by its state, from what past nights left; nothing is sent")
    words.add_argument("--at", metavar="2026-03-05T00:00", help="the moment to look from, instead of now")
    words.set_defaults(run=run)
    return words


def run(args: argparse.Namespace) -> int:
    """Print the states. Raises StoreDamaged where press.db is missing or a file is damaged."""
    now = SystemClock().now() if args.at is None else moment(args.at)
    with closing(open_files(args.data, args.state)) as db:
        found, alarms = statuses(db, now)
    if args.json:
        print(json.dumps(facts(found, alarms), ensure_ascii=False))
    else:
        print(screen(found, alarms))
    return 0


def open_files(data: Path, state: Path) -> sqlite3.Connection:
    """press.db and the state as one readable database; a state that was lost leaves its tables empty."""
    log, db = state / "state.db", ranges.opened(data)
    if not log.exists():
        for statement in pressfile.statements(pressfile.STATE_SQL):
            db.execute(statement)
        return db
    with closing(pressfile.read_only(log)) as one:
        pressfile.check(one, log)
    db.execute("ATTACH ? AS log", (f"{pressfile.uri(log)}?mode=ro",))
    return db


def facts(found: Iterable[Status], alarms: Iterable[Alarm]) -> dict[str, Any]:
    """The same for a machine."""
    listed = list(found)
    counts = Counter(one.state for one in listed)
    return {
        "counts": {state: counts[state] for state in STATES},
        "sources": [asdict(one) for one in listed],
        "alarms": [asdict(alarm) for alarm in alarms],
    }


def screen(found: list[Status], alarms: list[Alarm]) -> str:
    """One screen: how many are in each state, then those that want a look, the rest counted."""
    counts = Counter(one.state for one in found)
    lines = [f"{len(found)} sources: " + ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])]
    for alarm in alarms:
        lines.append(
            f"  ALARM: {len(alarm.sources)} sources moved to {alarm.target} at once; do not follow them unseen"
        )
    quiet = ("healthy", "frozen", "paused", "closed", "not_asked_yet")
    wanted = sorted(
        (one for one in found if one.state not in quiet), key=lambda one: (STATES.index(one.state), one.url)
    )
    lines += [f"  {one.state:<16} {_what(one):<36} {one.outlet}  {one.url}" for one in wanted[:NAMED_AT_MOST]]
    if len(wanted) > NAMED_AT_MOST:
        lines.append(f"  … and {len(wanted) - NAMED_AT_MOST} more (--json lists all)")
    if any(one.reason.startswith("held_") for one in wanted):
        lines.append(
            "  held: nothing was filed; compare with the page, and if it is right, put a date into its recheck column"
        )
    return "\n".join(lines)


def _what(one: Status) -> str:
    match one.state:
        case "resting":
            return f"until {kst_text(one.until or 0)[:16]} by {one.rule}"
        case "moved":
            return f"to {one.moved_to}"
        case "silent":
            return f"nothing new since {kst_day(one.newest or 0)}"
    return f"{one.reason} since {one.since}"
