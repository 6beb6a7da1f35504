"""`python -m tests.sim.serve`: the fictional campus on loopback, for the demo and for rehearsals."""

from __future__ import annotations

import argparse
import signal
import threading
import time
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from tests.sim import moods
from tests.sim.campus import Campus
from tests.sim.datewords import KST
from tests.sim.loopback import CampusServer
from tests.sim.web import Web


def main(argv: list[str] | None = None) -> int:
    """Write the registry, serve until SIGTERM or Ctrl-C, end cleanly."""
    args = _parser().parse_args(argv)
    campus = Campus(args.seed, args.outlets, houses=args.houses)
    args.registry.mkdir(parents=True, exist_ok=True)
    for name, content in campus.registry_files().items():
        (args.registry / name).write_bytes(content)
    begun, base = time.monotonic(), args.at if args.at is not None else time.time()
    enough = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: enough.set())
    with ExitStack() as stack:
        log = stack.enter_context(args.access_log.open("w", encoding="utf-8")) if args.access_log else None
        web = Web(campus, args.seed, moods.demo(campus))
        server = CampusServer(web, lambda: base + time.monotonic() - begun, port=args.port, log=log)
        stack.callback(server.close)
        server.start()
        print(f"listening 127.0.0.1:{server.port}", flush=True)
        enough.wait()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.sim.serve", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (0: any free one)")
    parser.add_argument("--seed", type=int, default=1, help="which fictional world")
    parser.add_argument("--outlets", type=int, default=24, help="how many outlets it has")
    parser.add_argument("--houses", type=int, default=0, help="how many more have lists, films, issues or blogs")
    parser.add_argument("--registry", type=Path, required=True, help="folder for the three tables and hub.toml")
    parser.add_argument("--at", type=_moment, help="the moment it begins with, as 2026-12-01T00:00 (Korean time)")
    parser.add_argument("--access-log", type=Path, help="file for one JSON line per finished request")
    return parser


def _moment(text: str) -> float:
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=KST)).timestamp()


if __name__ == "__main__":
    raise SystemExit(main())
