"""The commands `export-opml` and `import-opml`: subscription lists out of the registry, and foreign ones into it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from crawl import cells, csvtable, opml, proposal, registry, tidy
from crawl.clifiles import read_hub, read_registry
from crawl.errors import Misuse, RegistryInvalid
from crawl.opml import Judged, Subscriptions
from crawl.registry import Registry
from crawl.registryrows import OUTLET_COLUMNS, SOURCE_COLUMNS

NAMED_AT_MOST = 40
"""Lines of one kind on the screen; --json lists all."""

NOTE = "from an OPML list, never looked at yet"
SECOND = "from an OPML list; paused: the outlet is asked at another address already"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> tuple[argparse.ArgumentParser, ...]:
    """The commands' words; the second takes `--json`."""
    exporting = commands.add_parser("export-opml", help="the feeds we read as an OPML list, grouped by university")
    exporting.add_argument("--out", metavar="FILE", type=Path, help="write it there instead of to the screen")
    exporting.set_defaults(run=_export)
    importing = commands.add_parser(
        "import-opml", help="sort out a foreign OPML list: rows to paste, what is known, what may not be"
    )
    importing.add_argument("file", metavar="FILE", type=Path)
    importing.add_argument("--write", action="store_true", help="add the feeds of registered outlets to sources.csv")
    importing.set_defaults(run=_import)
    return exporting, importing


def _export(args: argparse.Namespace) -> int:
    written = opml.write(read_hub(args.data).name, opml.own(registry.for_night(read_registry(args.data))))
    if args.out is None:
        sys.stdout.write(written.decode("utf-8"))
    else:
        args.out.write_bytes(written)
    return 0


def _import(args: argparse.Namespace) -> int:
    if not args.file.is_file():
        raise Misuse(f"{args.file}: there is no such file")
    books = registry.for_night(read_registry(args.data))
    found = opml.read(args.file.read_bytes())
    judged = opml.judge(found.channels, books)
    rows = source_rows(judged, books)
    if args.write and rows:
        _write(args.data, rows)
    if args.json:
        print(json.dumps({"problems": found.problems, "channels": [asdict(one) for one in judged], "rows": rows},
                         ensure_ascii=False))  # fmt: skip
    else:
        print(screen(str(args.file), found, judged, books, written=args.write))
    return 1 if found.problems else 0


def source_rows(judged: Iterable[Judged], books: Registry) -> list[tuple[str, ...]]:
    """The rows of sources.csv for the feeds whose outlet is known. An outlet is asked at one address; further ones are
    paused until a person decides (P11)."""
    asked = {one.outlet for one in books.sources if one.state == "active"}
    rows: list[tuple[str, ...]] = []
    for one in judged:
        if one.how == "ready":
            state, note = ("paused", SECOND) if one.outlet in asked else ("active", NOTE)
            rows.append((one.outlet, "feed", cells.tidy_address(one.channel.feed), "", state, "", note))
            asked.add(one.outlet)
    return rows


def outlet_rows(judged: Iterable[Judged], books: Registry) -> list[tuple[str, ...]]:
    """A row of outlets.csv for every home page whose outlet is unknown, with `?` where only a person can know."""
    rows: dict[str, tuple[str, ...]] = {}
    for one in judged:
        if one.how == "outlet_unknown":
            home = one.channel.page or one.channel.feed
            row = list(proposal.outlet_row(home, one.channel.title, books))
            if not one.channel.page:
                row[OUTLET_COLUMNS.index("homepage")] = "?home page"
            rows.setdefault(home, tuple(row))
    return list(rows.values())


def screen(file: str, found: Subscriptions, judged: Sequence[Judged], books: Registry, *, written: bool) -> str:
    """What a maintainer reads: the trouble by line, what is known or may not be, and the rows to paste."""
    lines = _some(f"{file}:{line}: {what}; the rest is read" for line, what in found.problems)
    for how, word in (("registered", "known"), ("refused", "refused")):
        lines += _some(f"{word:<8} {one.channel.feed}  {_whose(one)}" for one in judged if one.how == how)
    lines += _some(
        f"unsure   {one.channel.feed}  {one.told}" for one in judged if one.how == "outlet_unknown" and one.told
    )
    sources, outlets = source_rows(judged, books), outlet_rows(judged, books)
    if sources:
        lines += [
            "",
            "added to sources.csv:" if written else "for sources.csv (--write adds them):",
            _csv(SOURCE_COLUMNS, sources),
        ]
    if outlets:
        lines += ["", "for outlets.csv: fill in every ?, then run this again and their feeds are ready:",
                  _csv(OUTLET_COLUMNS, outlets)]  # fmt: skip
    counts = {
        how: sum(one.how == how for one in judged) for how in ("ready", "outlet_unknown", "registered", "refused")
    }
    lines += ["", f"{len(judged)} feeds: {counts['ready']} ready, {counts['outlet_unknown']} of unknown outlets, "
                  f"{counts['registered']} known, {counts['refused']} refused; nothing was sent"]  # fmt: skip
    return "\n".join(lines).lstrip("\n")


def _whose(one: Judged) -> str:
    return f"{one.told} ({one.outlet})" if one.outlet else one.told


def _some(lines: Iterable[str]) -> list[str]:
    listed = list(lines)
    more = [f"… and {len(listed) - NAMED_AT_MOST} more (--json lists all)"] if len(listed) > NAMED_AT_MOST else []
    return listed[:NAMED_AT_MOST] + more


def _csv(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return csvtable.write(columns, rows).decode("utf-8").rstrip("\n")


def _write(data: Path, rows: Sequence[tuple[str, ...]]) -> None:
    """Add rows to sources.csv, sorted, or change nothing. Raises RegistryInvalid where the registry would not be valid."""
    files = read_registry(data)
    table = registry.tables(files)["sources.csv"]
    if table.unreadable:
        raise RegistryInvalid(list(table.unreadable))
    files[table.file] = csvtable.write(SOURCE_COLUMNS, [*(row.cells for row in table.rows), *rows])
    tidied = tidy.tidy(files)
    registry.parse(tidied)
    path = Path(table.file)
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(tidied[table.file])
    os.replace(fresh, path)
