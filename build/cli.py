"""`python -m build`: make, check and show the site and the Datasette edition. Exit status 0 done, 1 something wrong, 2 misuse."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from build import explore, site
from build.check import check
from build.progress import Teller, budget
from build.records import BuildError, BuildMisuse
from build.serve import SiteServer


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; what to read goes to standard output, what is wrong to standard error."""
    try:
        asked = _parser().parse_args(argv)
    except SystemExit as exc:
        return exc.code if isinstance(exc.code, int) else 2
    try:
        return int(asked.run(asked))
    except BuildMisuse as exc:
        print(exc, file=sys.stderr)
        return 2
    except BuildError as exc:
        print(exc, file=sys.stderr)
        return 1
    except OSError as exc:
        where = f"{exc.filename}: " if exc.filename else ""
        what = (exc.strerror or str(exc)).lower()
        print(f"{where}{what}; check who may write there and whether the disk is full", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m build", description="Make, check and show the site.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    made = commands.add_parser("site", help="make the site from the databases of a data folder")
    made.add_argument("--data", type=Path, default=Path("data"), metavar="DIR", help="data folder (default: data)")
    made.add_argument("--out", type=Path, default=Path("_site"), metavar="DIR", help="site folder (default: _site)")
    made.add_argument("--base-url", metavar="URL", help="where the site will stand (default: address in hub.toml)")
    made.set_defaults(run=_site)
    checked = commands.add_parser("check", help="check the links, required parts and weights of a finished site")
    checked.add_argument("site", type=Path, metavar="DIR")
    checked.set_defaults(run=_check)
    served = commands.add_parser("serve", help="show a finished site on this machine")
    served.add_argument("site", type=Path, metavar="DIR")
    served.add_argument("--port", type=int, default=8000, metavar="N", help="port on loopback (default: 8000)")
    served.set_defaults(run=_serve)
    explored = commands.add_parser(
        "explore", help="show the record in Datasette on this machine, or write that edition"
    )
    explored.add_argument("--data", type=Path, default=Path("data"), metavar="DIR", help="data folder (default: data)")
    explored.add_argument("--out", type=Path, metavar="DIR", help="write the edition there and show nothing")
    explored.add_argument("--port", type=int, default=8001, metavar="N", help="port on loopback (default: 8001)")
    explored.set_defaults(run=_explore)
    return parser


def _site(asked: argparse.Namespace) -> int:
    with closing(Teller()) as teller:
        done = site.build(asked.data, asked.out, asked.base_url, step=teller)
    print(
        f"{asked.out}: {done.written:,} files written, {done.unchanged:,} unchanged, {done.removed:,} removed; "
        f"{done.site_bytes:,} bytes in all"
    )
    print(budget(done))
    return 0


def _explore(asked: argparse.Namespace) -> int:
    if asked.out is not None:
        _write_edition(asked.data, asked.out)
        return 0
    with tempfile.TemporaryDirectory(prefix="explore-") as folder:
        _write_edition(asked.data, Path(folder))
        return explore.serve(Path(folder), asked.port)


def _write_edition(data: Path, out: Path) -> None:
    done = explore.write(data, out)
    print(f"{out}: {sum(done.rows.values()):,} rows in {len(done.rows)} tables; {done.db_bytes:,} bytes", flush=True)


def _check(asked: argparse.Namespace) -> int:
    flaws = check(asked.site)
    for flaw in flaws:
        print(flaw, file=sys.stderr)
    print(f"{asked.site}: {len(flaws):,} flaws" if flaws else f"{asked.site}: no flaw found")
    return 1 if flaws else 0


def _serve(asked: argparse.Namespace) -> int:
    with SiteServer(asked.site, asked.port) as server:
        print(f"{server.address}  (Ctrl-C ends)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
