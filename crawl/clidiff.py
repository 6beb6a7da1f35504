"""The commands `diff` and `dump`: what changed in the record, for a reviewer, a gate and git's own diff; nothing is sent."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

from crawl import anomalies, datadiff, diffhtml, diffmarkdown, diffsides, pressfile, registry, status
from crawl.diffrecords import Move, Review
from crawl.diffrows import Side
from crawl.errors import Misuse, StoreDamaged
from crawl.exclusions import Exclusions
from crawl.policy import Policy
from crawl.shown import plain


def as_json(review: Review) -> str:
    """The review for a machine: ASCII, so that nothing in it can mislead a terminal."""
    return json.dumps(asdict(review), indent=1) + "\n"


_WRITERS = {"md": diffmarkdown.write, "html": diffhtml.write, "json": as_json}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> tuple[argparse.ArgumentParser, ...]:
    """The commands' words; the first takes `--data` for exclusions.csv."""
    diff = commands.add_parser("diff", help="what changed between two states of the record, judged for a reviewer")
    for name in ("old", "new"):
        diff.add_argument(name, metavar=name.upper(), help="a press.db, a folder of press files, or REVISION:PATH")
    diff.add_argument("--format", choices=sorted(_WRITERS), default="md", help="md is for a pull request")
    diff.add_argument("--gate", action="store_true", help="exit 1 where the verdict is BLOCK")
    diff.add_argument("--out", metavar="FILE", type=Path, help="write it there; beside Markdown the whole as HTML")
    diff.add_argument("--state", metavar="DIR", type=Path, help="a state folder: proposes feeds that moved for good")
    diff.set_defaults(run=_diff)
    dump = commands.add_parser("dump", help="a press file as text, a line for every row: for git's own diff")
    dump.add_argument("file", metavar="FILE", type=Path)
    dump.set_defaults(run=_dump)
    return diff, dump


def _diff(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        sides = [diffsides.files(words, Path(scratch) / name) for words, name in ((args.old, "old"), (args.new, "new"))]
        if not sides[1]:
            raise Misuse(f"{args.new}: it holds no press.db, so there is nothing to review")
        judged = review(sides[0], sides[1], wishes(args.data), args.state)
    text = _WRITERS[args.format](judged)
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, encoding="utf-8")
        if args.format == "md":
            args.out.with_suffix(".html").write_text(diffhtml.write(judged), encoding="utf-8")
        print(f"{judged.verdict}: {args.out}")
    return 1 if args.gate and judged.verdict == "BLOCK" else 0


def review(old: list[Path], new: list[Path], asked: Exclusions | None, state: Path | None) -> Review:
    """Two states of the record compared and judged. Raises StoreDamaged where a file cannot be read at all."""
    with Side(old) as before, Side(new) as after:
        try:
            found = datadiff.compare(before, after, asked, summary_max_chars=Policy().summary_max_chars)
        except sqlite3.DatabaseError as trouble:
            raise StoreDamaged(str(new[-1]), f"or its other side cannot be read ({trouble})") from trouble
    if state is not None:
        found = replace(found, moves=tuple(moves(new[-1].parent, state)))
    return anomalies.review(found)


def wishes(data: Path) -> Exclusions | None:
    """exclusions.csv of a data folder, None where there is none. Raises RegistryInvalid."""
    path = data / "exclusions.csv"
    if not path.exists():
        return None
    return registry.for_night(registry.empty() | {str(path): path.read_bytes()}).exclusions


def moves(data: Path, state: Path) -> Iterator[Move]:
    """Feeds that moved for good, as the request log of the state tells (P50), looked at from the newest night."""
    with closing(status.open_files(data, state)) as db:
        now = db.execute("SELECT coalesce(max(started), 0) FROM nights").fetchone()[0]
        found, alarms = status.statuses(db, now)
    yield from (Move(one.target, one.sources, alarm=True) for one in alarms)
    yield from (Move(one.moved_to, (one.url,), alarm=False) for one in found if one.state == "moved")


def _dump(args: argparse.Namespace) -> int:
    if not args.file.is_file():
        raise Misuse(f"{args.file}: there is no such file")
    with closing(pressfile.read_only(args.file)) as db:
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        for line in _lines(db):
            print(line)
    return 0


def _lines(db: sqlite3.Connection) -> Iterator[str]:
    yield f"schema {db.execute('PRAGMA user_version').fetchone()[0]}"
    named = db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name").fetchall()
    for kind, name, sql in named:
        yield f"{kind} {name}: {plain(sql)}"
    for kind, name, _ in named:
        if kind != "table":
            continue
        quoted = '"' + name.replace('"', '""') + '"'
        key = ", ".join(f'"{row[1]}"' for row in db.execute(f"PRAGMA table_info({quoted})") if row[5]) or "rowid"
        cursor = db.execute(f"SELECT * FROM {quoted} ORDER BY {key}")
        columns = [column[0] for column in cursor.description]
        for row in cursor:
            told = {
                column: value.hex() if isinstance(value, bytes) else value
                for column, value in zip(columns, row, strict=True)
            }
            yield f"{name} {plain(json.dumps(told, ensure_ascii=False))}"
