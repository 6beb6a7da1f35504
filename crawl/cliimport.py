"""The command `import-videos`: videos collected before YouTube's feeds were closed, from a file into the record (P05)."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from crawl import importvideos, registry
from crawl.clifiles import read_hub, read_registry
from crawl.clock import SystemClock
from crawl.store import Store


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """The command's words."""
    command = commands.add_parser(
        "import-videos", help="take in videos collected before October 2026 from a CSV or NDJSON file; nothing is asked"
    )
    command.add_argument("file", metavar="FILE", type=Path, help="outlet,url,title,published[,summary][,byline]")
    command.set_defaults(run=run)
    return command


def run(args: argparse.Namespace) -> int:
    """Take in the videos of a file. Raises RegistryInvalid with every bad line, and then nothing of it is taken."""
    policy, file, now = read_hub(args.data).policy(), str(args.file), SystemClock(None).now()
    books = registry.for_night(read_registry(args.data))
    films = importvideos.read(args.file.read_bytes(), file, books, seen=now, summary_max_chars=policy.summary_max_chars)
    with closing(Store(args.data, args.state, books)) as store:
        importvideos.refuse_buried(films, file, (film.key for film in films if store.shelf.buried(film.key)))
        new = store.take_in(((film.outlet, film.key, film.entry) for film in films), now)
        store.publish()
    print(f"{file}: {new} videos taken in, {len(films) - new} known already or written twice")
    return 0
