"""The commands of `python -m crawl`: the doors people use. Exit 0 done, 1 a breach or errors found, 2 misuse."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from crawl import audit, hub, pressfile, registry, report, tidy
from crawl.clock import Clock, SystemClock, kst_day, kst_midnight, parse_at
from crawl.connectto import ConnectTo
from crawl.errors import CrawlError, Misuse, NightHeld, Problem, RegistryInvalid, StoreDamaged
from crawl.night import Night, Summary
from crawl.store import Store, write_empty_press
from crawl.transport import Transport
from crawl.workers import ThreadWorkers

REGISTRY_FILES = ("outlets.csv", "sources.csv", "exclusions.csv")
PRESS_FILE_MAX_BYTES = 45 * 1024 * 1024
"""data.md: one committed file is refused long before the hosting's own limit."""


def main(argv: list[str]) -> int:
    """Run one command; returns the exit status."""
    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except (Misuse, NightHeld) as trouble:
        print(f"crawl: {trouble}", file=sys.stderr)
        return 2
    except CrawlError as trouble:
        print(f"crawl: {trouble}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m crawl", description="Collect, check and audit the campus press.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    init = commands.add_parser("init", help="write an empty, valid set of data files")
    init.set_defaults(run=_init)
    check = commands.add_parser("check", help="validate everything under the data folder, every error at once")
    check.add_argument("--fix", action="store_true", help="sort and normalise the registry files first")
    check.set_defaults(run=_check)
    night = commands.add_parser("night", help="look at every due source once, politely, and store what it shows")
    night.add_argument(
        "--now", action="store_true", help="one inspecting pass at any hour, sources looked at today skipped"
    )
    night.add_argument("--until", metavar="HH:MM", help="start nothing after this time of the Korean day")
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
    night.set_defaults(run=_night)
    audits = commands.add_parser("audit", help="re-check the request log against every rule")
    audits.set_defaults(run=_audit)
    for command in (init, check, night, audits):
        command.add_argument("--data", metavar="DIR", type=Path, default=Path("data"), help="registry and databases")
    for command in (night, audits):
        command.add_argument(
            "--state", metavar="DIR", type=Path, default=Path("state"), help="what changes every night"
        )
    for command in (check, night, audits):
        command.add_argument("--json", action="store_true", help="print the result for a machine")
    return parser


def _init(args: argparse.Namespace) -> int:
    files = registry.empty()
    for name in [*files, "press.db"]:
        if (args.data / name).exists():
            raise Misuse(f"{args.data / name} exists already; init writes only into a folder without these files")
    args.data.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (args.data / name).write_bytes(content)
    with tempfile.TemporaryDirectory() as scratch:
        write_empty_press(args.data, Path(scratch))
    print(f"wrote {', '.join([*files, 'press.db'])} into {args.data}")
    return 0


def _read(data: Path) -> dict[str, bytes]:
    """The registry files by the path a message should name."""
    return {str(data / name): (data / name).read_bytes() for name in REGISTRY_FILES if (data / name).exists()}


def _check(args: argparse.Namespace) -> int:
    problems: list[Problem] = []
    try:
        if args.fix:
            for path, content in tidy.tidy(_read(args.data)).items():
                if Path(path).read_bytes() != content:
                    Path(path).write_bytes(content)
                    print(f"mended {path}")
        registry.parse(_read(args.data))
    except RegistryInvalid as trouble:
        problems += trouble.problems
    try:
        _hub(args.data)
    except RegistryInvalid as trouble:
        problems += trouble.problems
    problems += _database_problems(args.data)
    if args.json:
        print(json.dumps([asdict(problem) for problem in sorted(problems)], ensure_ascii=False))
    else:
        print("\n".join(str(problem) for problem in sorted(problems)) or f"{args.data}: everything is in order")
    return 1 if problems else 0


def _database_problems(data: Path) -> list[Problem]:
    problems = []
    for path in pressfile.press_files(data):
        try:
            with closing(pressfile.read_only(path)) as db:
                pressfile.check(db, path)
        except StoreDamaged as trouble:
            problems.append(Problem(str(path), 0, trouble.what, "take the last good version from git"))
        if path.stat().st_size > PRESS_FILE_MAX_BYTES:
            problems.append(
                Problem(str(path), 0, "is larger than one committed file may be", "roll older articles off")
            )
    return problems


def _hub(data: Path) -> hub.Hub:
    path = data / "hub.toml"
    if not path.exists():
        raise RegistryInvalid(
            [Problem(str(path), 0, "there is no such file", "run `python -m crawl init` and compare")]
        )
    return hub.parse(path.read_bytes(), str(path))


def _night(args: argparse.Namespace) -> int:
    connect_to = ConnectTo(args.connect_to)
    _refuse_misuse(args, connect_to)
    settings = _hub(args.data)
    policy = settings.policy()
    books = registry.for_night(_read(args.data))
    unknown = sorted(set(args.only) - {outlet.slug for outlet in books.outlets})
    if unknown:
        raise Misuse(f"--only {unknown[0]}: there is no such outlet in {args.data / 'outlets.csv'}")
    clock = SystemClock(None if args.at is None else _moment(args.at))
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with closing(Store(args.data, args.state, books)) as store:
        transport = Transport(
            clock, policy, contact_url=_contact_url(settings), connect_to=connect_to, ca_file=args.ca_file
        )
        with closing(ThreadWorkers(transport.send, transport.cut, clock)) as workers:
            teller = report.Teller(sys.stderr)
            night = Night(
                store, workers, clock, policy, books.exclusions, now_pass=args.now, connect_to=connect_to,
                only=frozenset(args.only), until=_until(args.until, clock), tell=teller,
            )  # fmt: skip
            try:
                summary = night.run()
            except KeyboardInterrupt:
                workers.close()
                store.publish()
                print(
                    "crawl: stopped; what was stored is published, run again to finish the night",
                    file=sys.stderr,
                )
                return 1
            finally:
                teller.close()
        return _finish(store, summary, args.json)


def _contact_url(settings: hub.Hub) -> str:
    return f"{settings.address.rstrip('/')}/policy/" if settings.address else ""


def _refuse_misuse(args: argparse.Namespace, connect_to: ConnectTo) -> None:
    if not (connect_to.catches_all and connect_to.only_loopback):
        raise Misuse(
            "a night on the real web waits for the rules that are not yet in force (robots.txt among them); until then "
            "give a --connect-to that leads every host to this machine, for example --connect-to ::127.0.0.1:8000"
        )


def _moment(text: str) -> float:
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


def _audit(args: argparse.Namespace) -> int:
    books = registry.for_night(_read(args.data))
    with closing(audit.open_files(args.data, args.state)) as db:
        findings = audit.audit(db, _hub(args.data).policy(), audit.excluded_before(books.exclusions))
    if args.json:
        rows = [{"rule": f.rule.rule, "name": f.rule.name, "promised": f.rule.value, "rows": f.rows} for f in findings]
        print(json.dumps(rows))
    else:
        print(report.audit_table(findings))
    return 1 if any(finding.rows for finding in findings) else 0
