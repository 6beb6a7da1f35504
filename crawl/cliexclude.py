"""The command `exclude`: carries out exclusions.csv at once, and writes the rows of private requests; nothing is sent (P60)."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from crawl import forecast, pressfile, ranges, registry, urls
from crawl.clifiles import read_registry
from crawl.clock import SystemClock, kst_day
from crawl.errors import Misuse
from crawl.exclusions import byline_key
from crawl.leaving import Left
from crawl.registryrows import CMS
from crawl.store import Store


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """The command's words."""
    command = commands.add_parser(
        "exclude", help="carry out exclusions.csv now: empty what is stored of those who asked to be left out"
    )
    what = command.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="say what would be emptied and change nothing")
    what.add_argument(
        "--row-for", metavar="ADDRESS", help="print the row that leaves one article out without naming it"
    )
    what.add_argument(
        "--rows-for-byline", metavar="OUTLET", help="print the rows for a name, read from standard input, of an outlet"
    )
    command.set_defaults(run=run)
    return command


def run(args: argparse.Namespace) -> int:
    """Carry out, try, or write rows. Raises Misuse where there is no database yet."""
    if not pressfile.press_files(args.data):
        raise Misuse(f"{args.data} holds no press.db: there is nothing to empty before a first night")
    if args.row_for or args.rows_for_byline:
        today = kst_day(SystemClock(None).now())
        rows = _row_for(args.data, args.row_for) if args.row_for else _rows_for_byline(args.data, args.rows_for_byline)
        print("\n".join(f"{key},private-request,,{today}" for key in rows))
        return 0
    books = registry.for_night(read_registry(args.data))
    with tempfile.TemporaryDirectory() as scratch:
        data, state = forecast.copies(args.data, args.state, Path(scratch)) if args.dry_run else (args.data, args.state)
        with closing(Store(data, state, books)) as store:
            store.publish()
    facts = asdict(store.left) | {"rows": len(books.exclusions.rows), "dry_run": args.dry_run}
    print(json.dumps(facts) if args.json else screen(args.data, store.left, facts["rows"], dry_run=args.dry_run))
    return 0


def screen(data: Path, left: Left, rows: int, *, dry_run: bool) -> str:
    """What was done, in counts alone: what left is named nowhere."""
    would = "would be " if dry_run else ""
    lines = [
        f"{data / 'exclusions.csv'}: {rows} rows, {left.wishes} carried out for the first time, {left.withdrawn} withdrawn"
    ]
    lines.append(
        f"  record: {left.articles} articles, {left.outlets} outlets and {left.sources} sources {would}emptied; "
        f"{left.pictures} more articles {would}without their picture or enclosure"
    )
    lines.append(
        f"  state: {left.requests} log rows {would}made nameless, {left.pages} remembered pages {would}forgotten"
    )
    if left.returning:
        lines.append(f"  {left.returning} emptied articles may be filled again by the next looks")
    if dry_run:
        lines.append("nothing was changed")
    elif left.wishes or left.articles:
        lines.append(
            "commit what changed under the data folder; git's history, pull requests and copies: docs/purge.md"
        )
    return "\n".join(lines)


def _row_for(data: Path, url: str) -> list[str]:
    """The row of one article: the key that the database uses, whichever system made it, so that nobody reads an address."""
    try:
        keys = list(dict.fromkeys(urls.key(url, name) for name in ("", *CMS)))
    except ValueError as trouble:
        raise Misuse(f"--row-for {url}: not an http or https address") from trouble
    with closing(ranges.opened(data)) as db:
        marks = ", ".join("?" * len(keys))
        stored = [key for (key,) in db.execute(f"SELECT key FROM articles WHERE key IN ({marks})", keys)]
    if not stored:
        print("no such article is stored; the row keeps it from being collected", file=sys.stderr)
    return [f"{key.hex()},url" for key in stored or keys[:1]]


def _rows_for_byline(data: Path, outlet: str) -> list[str]:
    """A row for the name as it was given, and for each way in which the outlet's stored articles write it."""
    name = sys.stdin.readline().strip()
    if not name:
        raise Misuse("--rows-for-byline: write the name on standard input, so that it stays out of the shell's history")
    with closing(ranges.opened(data)) as db:
        bylines = [
            byline for (byline,) in db.execute(
                "SELECT a.byline FROM articles a JOIN outlets o ON o.id = a.outlet WHERE o.slug = ? AND a.byline <> ''", (outlet,)
            )
        ]  # fmt: skip
    bare = "".join(name.split()).casefold()
    keys = Counter(byline_key(outlet, one) for one in bylines if bare in "".join(one.split()).casefold())
    print(f"{sum(keys.values())} stored articles bear this name, written in {len(keys)} ways", file=sys.stderr)
    return [f"{outlet}:{key},byline" for key in sorted({byline_key(outlet, name), *keys})]
