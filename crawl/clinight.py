"""The command `night`: what it needs before it may begin, the run itself, and how it ends."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from crawl import dial, photos, readers, registry, report
from crawl.addresses import AddressBook
from crawl.clifiles import read_hub, read_registry
from crawl.clock import Clock, SystemClock, kst_day, kst_midnight, parse_at
from crawl.connectto import ConnectTo
from crawl.errors import Misuse
from crawl.gate import Ticket
from crawl.hub import Hub
from crawl.model import Response
from crawl.night import Night, Summary
from crawl.store import Store
from crawl.tls import Contexts
from crawl.transport import Transport
from crawl.workers import ThreadWorkers

_ORIGIN = re.compile(r"[/:](?P<name>[^/:]+/[^/:]+?)(?:\.git)?/?")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """The command's words."""
    night = commands.add_parser("night", help="look at every due source once, politely, and store what it shows")
    night.add_argument(
        "--now", action="store_true", help="one inspecting pass at any hour, sources looked at today skipped"
    )
    night.add_argument("--until", metavar="HH:MM", help="start nothing after this time of the Korean day")
    night.add_argument("--no-backfill", action="store_true", help="read no older list pages tonight")
    night.add_argument("--only", metavar="OUTLET", action="append", default=[], help="only this outlet (repeatable)")
    night.add_argument(
        "--connect-to",
        metavar="H1:P1:H2:P2",
        action="append",
        default=[],
        help="send the socket elsewhere, as curl does",
    )
    night.add_argument("--at", metavar="2026-03-05T00:00", help="where the clock of a replay starts")
    night.add_argument("--ca-file", metavar="FILE", help="certificates to trust in a replay; only with --connect-to")
    night.set_defaults(run=run)
    return night


def run(args: argparse.Namespace) -> int:
    """Run the night. Raises Misuse where it may not begin."""
    connect_to = ConnectTo(args.connect_to)
    settings = read_hub(args.data)
    refuse_loose_replay(args, connect_to)
    if not args.now and not args.connect_to:
        refuse_foreign(settings, repository_here(args.data, os.environ))
    books = registry.for_night(read_registry(args.data))
    unknown = sorted(set(args.only) - {outlet.slug for outlet in books.outlets})
    if unknown:
        raise Misuse(f"--only {unknown[0]}: there is no such outlet in {args.data / 'outlets.csv'}")
    clock = SystemClock(None if args.at is None else moment(args.at))
    ways = ways_to(settings, connect_to)
    contexts = Contexts(settings.tls, folder=args.data, ca_file=args.ca_file)
    signal.signal(signal.SIGTERM, _stop)
    with closing(Store(args.data, args.state, books)) as store:
        policy = settings.policy()
        transport = Transport(
            clock, policy, contact_url=contact_url(settings), connect_to=connect_to, tls=contexts, resolve=ways.resolve
        )
        with closing(ThreadWorkers(ways.following(transport.send), transport.cut, clock)) as workers:
            teller = report.Teller(sys.stderr)
            night = Night(
                store, workers, clock, policy, books.exclusions, now_pass=args.now, connect_to=connect_to,
                only=frozenset(args.only), until=_until(args.until, clock), options=settings.options,
                lane_of=ways.lane_of, meet=ways.meet, readers=readers.real(policy), tell=teller,
                backfill=not args.no_backfill,
                pictures=photos.pictures(books.outlets, settings.pictures, settings.photo_columns),
            )  # fmt: skip
            try:
                summary = night.run()
            except KeyboardInterrupt:
                # What is stored is being written out: a second wish to stop must not break that off.
                for number in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(number, signal.SIG_IGN)
                workers.close()
                store.publish()
                print("crawl: stopped; what was stored is published, run again to finish the night", file=sys.stderr)
                return 1
            finally:
                teller.close()
        return _finish(store, summary, args.json)


def _stop(*_: object) -> None:
    """SIGTERM stops a night as Ctrl-C does, also where the shell made Ctrl-C ignored."""
    raise KeyboardInterrupt


@dataclass(frozen=True, slots=True)
class Ways:
    """How names become addresses and servers become lanes tonight (P20)."""

    resolve: dial.Resolve
    lane_of: Callable[[str], str]
    meet: Callable[[Iterable[str]], None]
    following: Callable[[Callable[[Ticket], Response]], Callable[[Ticket], Response]]


def ways_to(settings: Hub, connect_to: ConnectTo) -> Ways:
    """By address as promised; by host where the operator chose so, and in a replay, where all addresses are this machine's."""
    if settings.lane_by == "host" or connect_to.detours:
        return Ways(dial.look_up, str, lambda _: None, lambda send: send)
    book = AddressBook(dial.look_up)
    return Ways(book.resolve, book.lane_of, book.meet, book.following)


def contact_url(settings: Hub) -> str:
    """The address every request names (P01), empty where the site has none."""
    return f"{settings.address.rstrip('/')}/policy/" if settings.address else ""


def refuse_foreign(settings: Hub, here: str) -> None:
    """Raise Misuse unless a scheduled night may run in the repository `here`: copies of a hub must not double the load
    on the same outlets, and whoever is asked must be able to answer (data.md, hub.toml)."""
    way_out = "for one look by hand use --now, for a replay --connect-to"
    if not settings.contact:
        raise Misuse(f"a scheduled night needs a contact for outlets: fill in contact in hub.toml; {way_out}")
    if not settings.repository:
        raise Misuse(f"a scheduled night runs in one repository only: fill in repository in hub.toml; {way_out}")
    if here.casefold() != settings.repository.casefold():
        where = f"this is {here}" if here else "here is none (no GITHUB_REPOSITORY, no git origin)"
        raise Misuse(
            f"a scheduled night runs only in the repository that hub.toml names, {settings.repository}, and {where}; "
            f"a hub of your own names its own repository there; {way_out}"
        )


def repository_here(data: Path, environment: Mapping[str, str]) -> str:
    """The repository a run happens in as `owner/name`, empty where nobody knows: the workflow's own word, else git's origin."""
    named = environment.get("GITHUB_REPOSITORY", "").strip()
    if named:
        return named
    try:
        asked = subprocess.run(
            ["git", "-C", str(data), "config", "--get", "remote.origin.url"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    found = re.search(_ORIGIN.pattern + "$", asked.stdout.strip())
    return found["name"] if found else ""


def refuse_loose_replay(args: argparse.Namespace, connect_to: ConnectTo) -> None:
    """Raise Misuse where a replay could reach a real host, or a real run has a replay's options."""
    if args.connect_to and not (connect_to.catches_all and connect_to.only_loopback):
        raise Misuse("a replay must lead every host to this machine, for example --connect-to ::127.0.0.1:8000")
    for name in ("at", "ca_file"):
        if getattr(args, name) is not None and not args.connect_to:
            raise Misuse(f"--{name.replace('_', '-')} is for replays only; give --connect-to too")


def moment(text: str) -> float:
    """A moment as a person writes it. Raises Misuse."""
    try:
        return parse_at(text)
    except ValueError as trouble:
        raise Misuse(f"--at {text}: not a moment; write it as 2026-03-05T00:00") from trouble


def _until(text: str | None, clock: Clock) -> float | None:
    if text is None:
        return None
    hour, _, minute = text.partition(":")
    if not (hour.isdecimal() and minute.isdecimal() and int(hour) < 24 and int(minute) < 60):
        raise Misuse(f"--until {text}: not a time of day; write it as 05:30")
    return kst_midnight(kst_day(clock.now())) + int(hour) * 3600 + int(minute) * 60


def _finish(store: Store, summary: Summary, as_json: bool) -> int:
    db = store.readable()
    screen = report.night_screen(db, summary, store.salvaged)
    facts = report.night_facts(db, summary)
    store.publish()
    print(json.dumps(facts, ensure_ascii=False) if as_json else screen)
    if summary.night is None:
        return 0
    return 1 if facts["breaches"] or facts["answered"] * 2 < facts["asked"] else 0
