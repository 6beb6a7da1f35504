"""The commands of `python -m crawl`: the doors people use. Exit 0 done, 1 a breach or errors found, 2 misuse."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from crawl import (
    audit,
    clidiff,
    cliedit,
    cliexclude,
    cliimport,
    clinight,
    cliopml,
    cliprobe,
    forecast,
    pressfile,
    ranges,
    registry,
    report,
    status,
    tidy,
)
from crawl.clifiles import read_hub, read_registry, unknown_columns
from crawl.errors import CrawlError, Misuse, NightHeld, Problem, RegistryInvalid, StoreDamaged
from crawl.store import write_empty_press


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
    except (OSError, sqlite3.OperationalError) as trouble:
        print(f"crawl: {_system_trouble(trouble)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("crawl: stopped; nothing stored is lost", file=sys.stderr)
        return 130


def _system_trouble(trouble: OSError | sqlite3.OperationalError) -> str:
    """What the machine refused, with the place where it names one."""
    place = getattr(trouble, "filename", None)
    what = getattr(trouble, "strerror", None) or str(trouble)
    where = f"{place}: " if place else ""
    cure = "check who may write there and whether the disk is full, then run it again: nothing stored is lost"
    if isinstance(trouble, FileNotFoundError):
        cure = "is the name written right? A folder to write into must exist"
    return f"{where}{what.lower()}; {cure}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m crawl", description="Collect, check and audit the campus press.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    init = commands.add_parser("init", help="write an empty, valid set of data files")
    init.set_defaults(run=_init)
    check = commands.add_parser("check", help="validate everything under the data folder, every error at once")
    check.add_argument("--fix", action="store_true", help="sort and normalise the registry files first")
    check.set_defaults(run=_check)
    planned, night = forecast.add_to(commands), clinight.add_to(commands)
    audits = commands.add_parser("audit", help="re-check the request log against every rule")
    audits.set_defaults(run=_audit)
    state, probe = status.add_to(commands), cliprobe.add_to(commands)
    edits, lists = cliedit.add_to(commands), cliopml.add_to(commands)
    films, edits = cliimport.add_to(commands), (*edits, cliexclude.add_to(commands))
    diff, _ = clidiff.add_to(commands)
    for command in (init, check, planned, night, audits, state, probe, films, diff, *edits, *lists):
        command.add_argument("--data", metavar="DIR", type=Path, default=Path("data"), help="registry and databases")
    for command in (planned, night, audits, state, probe, films, *edits):
        command.add_argument(
            "--state", metavar="DIR", type=Path, default=Path("state"), help="what changes every night"
        )
    for command in (check, planned, night, audits, state, probe, *edits, lists[1]):
        command.add_argument("--json", action="store_true", help="print the result for a machine")
    return parser


def _init(args: argparse.Namespace) -> int:
    files = {name: content for name, content in registry.empty().items() if not (args.data / name).exists()}
    has_press = (args.data / "press.db").exists()
    if not files and has_press:
        raise Misuse(f"{args.data} has all its files; init writes only what is missing and never over a file")
    args.data.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (args.data / name).write_bytes(content)
    if not has_press:
        with tempfile.TemporaryDirectory() as scratch:
            write_empty_press(args.data, Path(scratch))
    print(f"wrote {', '.join([*files, *([] if has_press else ['press.db'])])} into {args.data}")
    return 0


def _check(args: argparse.Namespace) -> int:
    problems: list[Problem] = []
    try:
        if args.fix:
            for path, content in tidy.tidy(read_registry(args.data)).items():
                if Path(path).read_bytes() != content:
                    Path(path).write_bytes(content)
                    print(f"mended {path}")
        outlets = registry.parse(read_registry(args.data)).outlets
    except RegistryInvalid as trouble:
        problems, outlets = [*problems, *trouble.problems], None
    try:
        problems += unknown_columns(args.data, read_hub(args.data), outlets)
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
                if place := pressfile.misencoded(db):
                    raise StoreDamaged(str(path), f"holds a text that is not UTF-8 in {place}", pressfile.GIT_CURE)
        except StoreDamaged as trouble:
            problems.append(Problem(str(path), 0, trouble.what, trouble.cure))
        if path.stat().st_size > pressfile.FILE_MAX_BYTES:
            cure = "let a night run: it rolls older articles off"
            problems.append(Problem(str(path), 0, "is larger than one committed file may be", cure))
    if not problems:
        try:
            ranges.fits(data)
        except StoreDamaged as trouble:
            problems.append(Problem(trouble.path, 0, trouble.what, trouble.cure))
    return problems


def _audit(args: argparse.Namespace) -> int:
    books = registry.for_night(read_registry(args.data))
    with closing(audit.open_files(args.data, args.state)) as db:
        findings = audit.audit(db, read_hub(args.data).policy(), audit.excluded_before(books.exclusions))
    if args.json:
        rows = [{"rule": f.rule.rule, "name": f.rule.name, "promised": f.rule.value, "rows": f.rows} for f in findings]
        print(json.dumps(rows))
    else:
        print(report.audit_table(findings))
    return 1 if any(finding.rows for finding in findings) else 0
