"""What the record itself costs a night when it is large: `python -m bench.load [ARTICLES] [HEADLINES]` (450,000).

Fills a hub with so many articles, lets them roll into older files, then measures opening the work database, a checkpoint, the
publishing at the end of a night, and the other doors: CPU and wall seconds, MB on disk and in memory.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from bench.growth import made_up
from build import db as site
from crawl import pressfile, ranges
from crawl.exclusions import Exclusions
from crawl.registry import Registry
from crawl.store import Store
from tests.sitefixture import row

T = TypeVar("T")
EMPTY = Registry((), (), Exclusions())
OUTLETS, TAGS = 350, 2_000


def measured(name: str, task: Callable[[], T]) -> T:
    """Run a task and print what it took."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = task()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:<44} {time.process_time() - cpu:6.2f} s CPU {time.perf_counter() - wall:6.2f} s, peak {peak:4.0f} MiB",
        flush=True,
    )
    return result


def fill(store: Store, articles: int, headlines: Sequence[str]) -> None:
    """So many articles of 350 outlets, each with two tags, one in thirty edited once."""
    db, rng = store.readable(), random.Random(1)
    with store.transaction():
        for number in range(1, OUTLETS + 1):
            row(db, "outlets", id=number, slug=f"paper{number}", name=f"대학신문 {number}", listed=1)
            row(db, "sources", id=number, outlet=number, kind="feed", url=f"https://p{number}.example/rss", listed=1)
        db.executemany("INSERT INTO tags VALUES (?, ?)", ((number, f"{number}면") for number in range(1, TAGS + 1)))
        names = (
            "key, outlet, source, url, title, summary, byline, published, published_raw, first_seen, changed, digest"
        )
        marks = ", ".join("?" * (len(names.split(", ")) + 1))
        db.executemany(
            f"""INSERT INTO articles(kind, precision, date_from, via, summary_derived, id, {names})
                VALUES ('article', 'minute', 'feed_kst', 'look', 0, {marks})""",
            (_article(number, rng, headlines) for number in range(1, articles + 1)),
        )
        tags = ((number, tag) for number in range(1, articles + 1) for tag in rng.sample(range(1, TAGS + 1), 2))
        db.executemany("INSERT INTO article_tags VALUES (?, ?)", tags)
        edits = ((number, number, rng.choice(headlines)) for number in range(30, articles + 1, 30))
        db.executemany("INSERT INTO revisions VALUES (NULL, ?, ?, 'title', ?)", edits)


def _article(number: int, rng: random.Random, headlines: Sequence[str]) -> tuple[object, ...]:
    outlet, seen = rng.randint(1, OUTLETS), 1_700_000_000 + number * 60
    url = f"http://www.p{outlet}.example/news/articleView.html?idxno={number}"
    summary = " ".join(rng.choices(headlines, k=8))[:200]
    return (number, rng.randbytes(8), outlet, outlet, url, rng.choice(headlines), summary, "김하늘 기자", seen - 3600,
            "2026-03-04 14:30:00", seen, seen, rng.randbytes(8))  # fmt: skip


def scratch_copy(data: Path) -> int:
    """The build's copy of all files."""
    with site.scratch(data) as db:
        return int(db.execute("SELECT count(*) FROM articles").fetchone()[0])


def main(words: Sequence[str]) -> int:
    """The command line."""
    articles = next((int(word) for word in words if word.isdecimal()), 450_000)
    named = [Path(word) for word in words if not word.isdecimal()]
    headlines = named[0].read_text("utf-8").splitlines() if named else made_up(random.Random(1))
    with tempfile.TemporaryDirectory() as root:
        data, state = Path(root, "data"), Path(root, "state")
        with closing(Store(data, state, EMPTY)) as store:
            fill(store, articles, headlines)
            measured("all files for the first time", store.publish)
        files = pressfile.press_files(data)
        sizes = [path.stat().st_size / 2**20 for path in files]
        print(f"{articles} articles in {len(files)} files, {sum(sizes):.0f} MiB, the heaviest {max(sizes):.1f} MiB")
        cpu = time.process_time()
        with closing(measured("a night opens its work database", lambda: Store(data, state, EMPTY))) as store:
            work = sum(path.stat().st_size for path in state.glob("work*")) / 2**20
            measured("a checkpoint", store.checkpoint)
            measured("the end of a night", store.publish)
        night_s = time.process_time() - cpu
        with closing(Store(data, state, EMPTY)) as store:
            with store.transaction():
                store.readable().execute("UPDATE articles SET title = title || ' (정정)' WHERE id = 7")
            measured("the end of a night with a late edit", store.publish)
        measured("check and audit read all files", lambda: ranges.opened(data).close())
        measured("the build's scratch copy", lambda: scratch_copy(data))
        print(
            f"a night with one checkpoint: {night_s:.1f} s CPU for the record itself; its work database {work:.0f} MiB"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
