"""`make demo`: the whole product in one go, against the fictional campus web on loopback with the real spacing.

The campus web is a process of its own; the crawler reaches it with `--connect-to`, so registry, request, Host header
and politeness all keep the invented names. Everything is written under `.demo/`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
HERE = Path(".demo")
KST = timezone(timedelta(hours=9))
HOUSES = 15
"""Outlets with lists, article pages, films, issues and full-text blogs; each has a server of its own, so they cost no time."""


def main(argv: list[str]) -> int:
    """Run the demo; returns 0 when every step did."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim.demo")
    parser.add_argument("--serve", type=int, default=1, choices=(0, 1), help="0: end instead of serving the site")
    parser.add_argument("--port", type=int, default=8765, help="where the site is served; 0 picks a free one")
    args = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    if args.serve and args.port and _taken(args.port):
        print(f"port {args.port} is taken; choose another: make demo PORT={args.port + 1}", file=sys.stderr)
        return 2
    began = time.monotonic()
    shutil.rmtree(ROOT / HERE, ignore_errors=True)
    (ROOT / HERE).mkdir()
    try:
        today = datetime.now(KST).replace(hour=0, minute=0, second=0, microsecond=0)
        for night, at in enumerate((today - timedelta(days=1), today), start=1):
            _night(night, at)
        _step("what the rules' own queries find in the request log", "crawl", "audit", *_folders())
        _gaps()
        _step("building the site", "build", "site", "--data", f"{HERE}/data", "--out", f"{HERE}/site")
        _step("checking the site", "build", "check", f"{HERE}/site")
        print(f"\nready after {time.monotonic() - began:.0f} s", flush=True)
        if not args.serve:
            print(f"look around: {HERE}/site, {HERE}/data/press.db, {HERE}/access-*.log")
            print(f"see the site: .venv/bin/python -m build serve {HERE}/site")
            return 0
        _run("build", "serve", f"{HERE}/site", "--port", str(args.port))
    except KeyboardInterrupt:
        print("\nstopping and cleaning up")
        shutil.rmtree(ROOT / HERE, ignore_errors=True)
    except subprocess.CalledProcessError as failed:
        print(
            f"\nthe demo stopped: `{' '.join(map(str, failed.cmd[1:]))}` ended with {failed.returncode}",
            file=sys.stderr,
        )
        return 1
    return 0


def _taken(port: int) -> bool:
    """Whether somebody serves on a loopback port already: better known before than after the nights."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def _night(number: int, at: datetime) -> None:
    moment = at.strftime("%Y-%m-%dT%H:%M")
    with _campus_web(number, moment) as address:
        if number == 1:
            _step("checking the registry", "crawl", "check", "--data", f"{HERE}/data")
        _step(
            f"night {number}: the real crawler, the real spacing, clock at {moment}",
            "crawl", "night", *_folders(), "--connect-to", f"::{address}", "--at", moment, "--no-backfill",
        )  # fmt: skip


@contextmanager
def _campus_web(number: int, moment: str) -> Iterator[str]:
    """The fictional campus web on a free loopback port while the block runs."""
    command = [sys.executable, "-m", "tests.sim.serve", "--port", "0", "--seed", "1", "--houses", str(HOUSES), "--at", moment,
               "--registry", f"{HERE}/data", "--access-log", f"{HERE}/access-{number}.log"]  # fmt: skip
    web = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert web.stdout is not None
        line = web.stdout.readline()
        if not line.startswith("listening "):
            raise subprocess.CalledProcessError(web.wait() or 1, command)
        yield line.split()[1]
    finally:
        web.send_signal(signal.SIGTERM)
        web.wait()


def _folders() -> list[str]:
    return ["--data", f"{HERE}/data", "--state", f"{HERE}/state"]


def _step(title: str, *command: str) -> None:
    print(f"\n== {title}\n   $ python -m {' '.join(command)}", flush=True)
    _run(*command)


def _run(*command: str) -> None:
    """A command of ours; on Ctrl-C it is given the time to end by itself."""
    running = subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT)
    try:
        code = running.wait()
    except KeyboardInterrupt:
        running.send_signal(signal.SIGINT)
        running.wait()
        raise
    if code:
        raise subprocess.CalledProcessError(code, ["python", "-m", *command])


def _gaps() -> None:
    """The smallest gap per server, by the servers' own access logs."""
    print("\n== the servers' own access logs: smallest gap between the end of one answer and the next request")
    for log in sorted((ROOT / HERE).glob("access-*.log")):
        last: dict[str, float] = {}
        smallest: dict[str, float] = {}
        for row in sorted(
            map(json.loads, log.read_text(encoding="utf-8").splitlines()), key=lambda row: row["started"]
        ):
            server = row["server"]
            if server in last:
                smallest[server] = min(smallest.get(server, float("inf")), row["started"] - last[server])
            last[server] = row["ended"]
        print(
            f"   {log.name}: {len(last)} servers; "
            + ", ".join(f"{s} {gap:.3f} s" for s, gap in sorted(smallest.items()))
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
