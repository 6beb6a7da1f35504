"""The commands `drop` and `reread`: a person's corrections of what nights stored; nothing is sent."""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import asdict
from datetime import date
from pathlib import Path

from crawl import forecast, leaving, pressfile, registry, takeback, urls
from crawl.clifiles import read_registry
from crawl.csvtable import did_you_mean
from crawl.errors import Misuse
from crawl.store import Store
from crawl.takeback import Taken


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> tuple[argparse.ArgumentParser, ...]:
    """The commands' words."""
    drop = commands.add_parser("drop", help="take back what one night stored of one source")
    drop.add_argument("--source", metavar="SOURCE", required=True, help="its address, or its number in press.db")
    drop.add_argument("--night", metavar="YYYY-MM-DD", required=True, help="the Korean day of the night")
    drop.add_argument("--dry-run", action="store_true", help="say what would be taken back and change nothing")
    drop.set_defaults(run=_drop)
    reread = commands.add_parser("reread", help="let the next look at a source read it whole and take what it shows")
    reread.add_argument("source", metavar="SOURCE", help="its address, or its number in press.db")
    reread.set_defaults(run=_reread)
    return drop, reread


def _drop(args: argparse.Namespace) -> int:
    _needs_press(args.data)
    day = _day(args.night)
    row, url = _known(args.data, args.source)
    if not args.dry_run:
        with closing(Store(args.data, args.state, registry.for_night(read_registry(args.data)))) as store:
            taken = _taken(store, row, day)
            store.publish()
    else:
        with tempfile.TemporaryDirectory() as scratch:
            copied = forecast.copies(args.data, args.state, Path(scratch))
            with closing(Store(*copied, registry.for_night(read_registry(args.data)))) as store:
                taken = _taken(store, row, day)
    if args.json:
        print(json.dumps(asdict(taken) | {"source": url, "night": day, "dry_run": args.dry_run}))
        return 0
    print(f"{url}, night of {day}: {taken.articles} articles and {taken.edits} edits "
          f"{'would be' if args.dry_run else 'are'} taken back")  # fmt: skip
    if taken.unrecorded:
        print(f"{taken.unrecorded} more articles changed that night in ways nobody recorded; the next look sets them")
    if args.dry_run:
        print("nothing was changed")
    elif not (taken.articles or taken.edits):
        print(
            "that night left nothing of this source to take back; status and open_checks tell what its nights brought"
        )
    else:
        print("the next look reads the source whole; if its skin was mended: reread")
    return 0


def _taken(store: Store, row: int, day: str) -> Taken:
    with store.transaction():
        return takeback.drop(store.readable(), row, day)


def _reread(args: argparse.Namespace) -> int:
    _needs_press(args.data)
    books = registry.for_night(read_registry(args.data))
    row, url = _known(args.data, args.source)
    _refuse_unasked(url, {source.state for source in leaving.staying(books).sources if source.url == url})
    with closing(Store(args.data, args.state, books)) as store:
        with store.transaction():
            takeback.reread(store.readable(), row)
        store.publish()
    if args.json:
        print(json.dumps({"source": url}))
    else:
        print(f"{url}: the next scheduled look asks for it whole and takes what it shows, held or not, once;")
        print("known titles under new addresses keep their place in the record. Nothing was sent.")
    return 0


def _refuse_unasked(url: str, states: set[str]) -> None:
    """Raises Misuse for a source that no night looks at: the wish would be granted never, or at a moment nobody expects."""
    if not states:
        raise Misuse(f"{url}: it stands no longer in sources.csv, so no night looks at it")
    if "active" not in states:
        raise Misuse(
            f"{url}: sources.csv says {' and '.join(sorted(states))}, so no night looks at it; make it active first"
        )


def _needs_press(data: Path) -> None:
    if not pressfile.press_files(data):
        raise Misuse(f"{data} holds no press.db: there is nothing to correct before a first night")


def _known(data: Path, wanted: str) -> tuple[int, str]:
    """The number and address of the source a person means, asked of press.db before a store is opened: one that is opened
    and then not published looks like a night that was broken off. Raises Misuse."""
    path = data / "press.db"
    with closing(pressfile.read_only(path)) as db:
        pressfile.check(db, path, oldest=1)
        return _source(db, wanted)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as trouble:
        raise Misuse(f"--night {text}: not a day; write it as 2026-03-05") from trouble


def _source(db: sqlite3.Connection, wanted: str) -> tuple[int, str]:
    """The number and address of the source a person means. Raises Misuse where there is none, or more than one."""
    rows = db.execute("SELECT id, url FROM sources ORDER BY id").fetchall()
    if wanted.isdecimal():
        found = [(row, url) for row, url in rows if row == int(wanted)]
    else:
        found = [(row, url) for row, url in rows if url == wanted] or [
            (row, url) for row, url in rows if _normal(url) == _normal(wanted)
        ]
    if not found:
        raise Misuse(f"{wanted}: there is no such source{did_you_mean(wanted, (url for _, url in rows))}")
    if len(found) > 1:
        numbers = " and ".join(str(row) for row, _ in found)
        raise Misuse(f"{wanted}: the sources {numbers} share this address; give one of the numbers")
    return int(found[0][0]), str(found[0][1])


def _normal(url: str) -> str:
    try:
        return urls.normal(url)
    except ValueError:
        return url
