"""Press files of the search's articles, and what building their index costs, each step in a process of its own.

`python -m bench.searchbuild FOLDER STEP NUMBER [--headlines FILE]`; steps: `press` writes the files of so many articles, `night`
adds some, `turn` those of the first night of the next month; `build` builds a site of nothing but the search and says
its cost as JSON, `around` one of not even that, as what any build costs.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from bench import searchcorpus
from bench.searchcorpus import Article
from build import site
from crawl import rolling, workdb
from tests.sitefixture import row

ROOT = Path(__file__).resolve().parent.parent
MORE = 300
DAY_S = 86_400
STEPS = ("press", "night", "turn", "build", "around")
ARTICLE = (
    "id, key, outlet, source, kind, url, title, summary, summary_derived, byline, published, precision, published_raw, "
    "date_from, first_seen, changed, via, digest"
)


def corpus(number: int, headlines: str) -> list[Article]:
    """The articles, a night more than are searched at first."""
    lines = searchcorpus.read_headlines(headlines) if headlines else []
    return list(searchcorpus.articles(number + MORE, lines))


def stored(folder: Path, articles: Sequence[Article]) -> None:
    """Put articles into the press files below `folder`/data, new ones where there are none yet."""
    begun = (folder / "data").is_dir()
    for name in ("data", "state"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    work, _ = workdb.prepare(folder / "data", folder / "state")
    with closing(workdb.connect(work)) as db:
        with workdb.transaction(db):
            numbers = {name: id for id, name in db.execute("SELECT id, tag FROM tags")}
            if not begun:
                for number, one in enumerate(searchcorpus.outlets(), 1):
                    row(db, "outlets", id=number, slug=one.slug, name=one.name, name_en=one.name_en, listed=1,
                        university=one.university, univ=one.univ, kind=one.kind, status="active",
                        homepage=f"https://{one.slug}.example/", region="서울")  # fmt: skip
                    row(db, "sources", id=number, outlet=number, kind="feed", url=f"https://{one.slug}.example/rss",
                        state="active", listed=1, format="rss20", language="ko")  # fmt: skip
            fresh = sorted({tag for one in articles for tag in one.tags} - numbers.keys())
            numbers |= {name: len(numbers) + at for at, name in enumerate(fresh, 1)}
            db.executemany("INSERT INTO tags VALUES (?, ?)", ((numbers[name], name) for name in fresh))
            marks = ", ".join("?" * len(ARTICLE.split(", ")))
            db.executemany(f"INSERT INTO articles ({ARTICLE}) VALUES ({marks})", map(_stored, articles))
            tagged = [(one.id + 1, numbers[tag]) for one in articles for tag in one.tags]
            db.executemany("INSERT INTO article_tags VALUES (?, ?)", sorted(tagged))
        rolling.rebuild(db, work, folder / "data")


def _stored(one: Article) -> tuple[object, ...]:
    key = blake2b(str(one.id).encode(), digest_size=8).digest()
    return (one.id + 1, key, one.outlet + 1, one.outlet + 1, one.kind, one.url, one.title, one.summary, 0, one.byline,
            one.published, "none" if one.published is None else "minute", "", "feed", one.first_seen, one.first_seen,
            "look", key)  # fmt: skip


def of_next_month(night: Iterable[Article]) -> list[Article]:
    """Other articles like these, found two days later: on the first of a month."""
    return [
        replace(one, id=one.id + MORE, url=f"{one.url}{one.id}", first_seen=one.first_seen + 2 * DAY_S,
                published=None if one.published is None else one.published + 2 * DAY_S)
        for one in night
    ]  # fmt: skip


def build(data: Path, out: Path, kinds: Sequence[str]) -> dict[str, float]:
    """Build a site of some kinds of pages alone; CPU seconds, peak MiB, files and bytes of the search."""
    site.KINDS = tuple(kind for kind in site.KINDS if kind[0] in kinds)
    before = time.process_time()
    done = site.build(data, out)
    spent = time.process_time() - before
    files, size = next(((files, size) for kind, files, size in done.kinds if kind == "search"), (0, 0))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu_s": spent, "peak_mib": peak, "files": files, "bytes": size, "made": done.made, "written": done.written}


def apart(folder: Path, step: str, number: int, headlines: str) -> dict[str, float]:
    """A step in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-m", "bench.searchbuild", str(folder), step, str(number), "--headlines", headlines],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return dict(json.loads(run.stdout or "{}"))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("number", type=int)
    parser.add_argument("--headlines", default="", help="a file of Korean headlines, one a line")
    given = parser.parse_args()
    if given.step in ("build", "around"):
        name, kinds = ("built", ("404", "search")) if given.step == "build" else ("around", ("404",))
        print(json.dumps(build(given.folder / "data", given.folder / name, kinds)))
        return
    articles = corpus(given.number, given.headlines)
    night = articles[given.number :]
    stored(given.folder, {"press": articles[: given.number], "night": night, "turn": of_next_month(night)}[given.step])


if __name__ == "__main__":
    main()
