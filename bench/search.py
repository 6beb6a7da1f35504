"""The search, measured: `python -m bench.search [N ...] [--headlines FILE] [--pagefind]` (10k, 50k and 300k articles).

`--only cold,cpu` measures some parts alone, `--kept FOLDER` takes the index that lies there already, or leaves it there.

For each number of articles: the index is built from press files (CPU, peak memory, files, bytes), again with 300 articles
more and when the month turns (files changed), served as GitHub Pages serves, and asked 500 queries by the real engine in
Chromium. Every hit is read out of the browser and held against a plain reading of every article (bench/searchqueries.py).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench import searchcorpus, searchpagefind
from bench.searchbuild import MORE, apart, corpus
from bench.searchqueries import Query, Truth, queries, typed
from bench.searchserver import served
from bench.searchwire import FIRST, Cost, Wire, opened, percentile

ROOT = Path(__file__).resolve().parent.parent
NUMBERS = (10_000, 50_000, 300_000)
ASKED, COLD, SLOW, SESSION = 500, 200, 40, 5
NEWEST_OF_ONE = 200
PARTS = ("night", "cold", "slow", "cpu", "typed", "right", "pagefind")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--js-flags=--max-old-space-size=8192"]  # fmt: skip
TYPED = (
    "총학생회",
    "등록금 인상",
    "기숙사",
    "장학금 확대",
    "도서관",
    "축제 라인업",
    "트럼프",
    "삼성전자",
    "수강신청",
    "김하늘",
)
PAGE = """<!doctype html><html lang="ko"><meta charset="utf-8"><link rel="icon" href="data:,"><title>search</title>
<script type="module" src="harness.js"></script></html>"""
HARNESS = """import { Engine } from "./assets/search/engine.js";
const address = new URL("search/", location.href).href;
window.fresh = (keep) => { window.engine = new Engine(address, keep); };
window.fresh();
window.ask = async (text, wanted) => {
  const start = performance.now();
  const results = await window.engine.search(text);
  const cards = await results.next(wanted);
  return { ms: performance.now() - start, count: results.count, hits: cards.map((card) => card.url) };
};
window.all = async (text) => {
  const results = await window.engine.search(text);
  const told = results.count;
  const hits = [];
  while (!results.ended) for (const card of await results.next(500)) hits.push([card.url, card.day]);
  return { told, count: results.count, hits };
};
window.ready = true;
"""


def ask(page: Page, wire: Wire, text: str) -> tuple[float, int, int]:
    """One query's first results: milliseconds, bytes, requests."""
    before = wire.bytes, wire.requests
    answer = page.evaluate("([text, wanted]) => window.ask(text, wanted)", [text, FIRST])
    return (answer["ms"], *wire.since(page, before))


def cold(browser: Browser, address: str, asked: Sequence[Query]) -> None:
    """Bytes and requests of a first query, and of those after it."""
    first, further = Cost(), Cost()
    sorts: list[Counter[str]] = [Counter(), Counter()]
    for at_query in range(COLD):
        with opened(browser, address) as (page, wire):
            wire.by_sort.clear()
            _, size, requests = ask(page, wire, asked[at_query].text)
            first.add(size, requests)
            sorts[0] += wire.by_sort
            wire.by_sort.clear()
            for query in asked[at_query + 1 : at_query + 1 + (SESSION if at_query % 4 == 0 else 0)]:
                _, size, requests = ask(page, wire, query.text)
                further.add(size, requests)
            sorts[1] += wire.by_sort
    for name, cost, by_sort in (("first query (cold)", first, sorts[0]), ("next queries", further, sorts[1])):
        parts = ", ".join(f"{sort} {by_sort[sort] / len(cost.bytes) / 1000:.1f}" for sort in sorted(by_sort))
        print(f"  {name:20} {cost.told()}; mean {statistics.mean(cost.bytes) / 1000:.1f}: {parts}")
    dearest = sorted(range(COLD), key=lambda one: -first.bytes[one])[:8]
    told = ", ".join(f"{first.bytes[one] / 1000:.0f} ({asked[one].text})" for one in dearest)
    print(f"  dearest first queries, KB: {told}", flush=True)


def slow(browser: Browser, address: str, asked: Sequence[Query]) -> None:
    """How long a reader with a slow telephone waits for a first result."""
    waited_ms = []
    for query in asked[:SLOW]:
        with opened(browser, address, slow=True) as (page, wire):
            waited_ms.append(ask(page, wire, query.text)[0])
    median, high = percentile(waited_ms, 50), percentile(waited_ms, 90)
    print(f"  first result, 4x slower CPU and 60 ms: {median:.0f} / {high:.0f} ms", flush=True)


def cpu(browser: Browser, address: str, asked: Sequence[Query]) -> None:
    """How long the browser works for a query."""
    spent_ms = []
    with opened(browser, address) as (page, wire):
        # Other work on the machine must not count: the clock of the thread, not of the wall.
        wire.session.send("Performance.enable", {"timeDomain": "threadTicks"})
        for query in asked:
            before = task_s(wire)
            page.evaluate("([text, wanted]) => window.ask(text, wanted)", [query.text, FIRST])
            spent_ms.append((task_s(wire) - before) * 1000)
    slowest = sorted(range(len(asked)), key=lambda one: -spent_ms[one])[:5]
    told = ", ".join(f"{spent_ms[one]:.0f} ({asked[one].text})" for one in slowest)
    median, high = percentile(spent_ms, 50), percentile(spent_ms, 90)
    print(f"  CPU a query: {median:.0f} / {high:.0f} ms, slowest {told}", flush=True)


def task_s(wire: Wire) -> float:
    """Seconds the page's main thread has worked."""
    metrics = wire.session.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def as_you_type(browser: Browser, address: str) -> None:
    """A word typed key by key, every state asked: what the whole word costs."""
    cost, keys = Cost(), []
    for word in TYPED:
        with opened(browser, address) as (page, wire):
            states = list(typed(word))
            spent = [ask(page, wire, state) for state in states]
            cost.add(sum(size for _, size, _ in spent), sum(requests for _, _, requests in spent))
            keys.append(len(states))
    print(f"  typed key by key     {cost.told()} a word of {statistics.mean(keys):.0f} keys, every key asked")


def right(browser: Browser, address: str, truth: Truth, asked: Sequence[Query]) -> None:
    """Recall and precision over every hit of every query; order and counts too."""
    places = {article.url: place for place, article in enumerate(truth.articles)}
    hit = wanted = given = wrong = inexact = 0
    sorts: Counter[str] = Counter()
    with opened(browser, address) as (page, _):
        page.evaluate("window.fresh(100000)")
        for query in asked:
            answer = page.evaluate("(text) => window.all(text)", query.text)
            found = [places.get(url, -1) for url, _ in answer["hits"]]
            must = truth.hits(query)
            days = [day for _, day in answer["hits"]]
            fine = days == sorted(days, reverse=True) and [truth.days[one] for one in found] == days
            fine &= len(set(found)) == len(found)
            if answer["told"]["exact"]:
                fine &= answer["told"]["value"] == len(must)
            else:
                inexact += 1
                fine &= answer["told"]["value"] >= len(must)
            if query.sort == "one character":
                newest = sorted((truth.days[one] for one in must), reverse=True)[:NEWEST_OF_ONE]
                fine &= answer["told"]["exact"] and days == newest and set(found) <= must
            else:
                fine &= set(found) == must and answer["count"] == {"value": len(must), "exact": True}
                hit += len(must & set(found))
                wanted += len(must)
                given += len(found)
            if not fine:
                wrong += 1
                sorts[query.sort] += 1
                if wrong < 6:
                    print(f"  WRONG {query}: {len(found)} found, {len(must)} true, told {answer['told']}")
    print(f"  {len(asked)} queries: recall {hit / wanted:.6f}, precision {hit / given:.6f} over {wanted:,} hits; "
          f"{wrong} queries wrong in hits, order or count {dict(sorts)}; {len(asked) - inexact} counted at once")  # fmt: skip


def changed(old: Path, new: Path) -> tuple[int, int]:
    """How many files differ or are there in one alone, and the bytes to send."""
    before = {path.relative_to(old): path for path in old.rglob("*") if path.is_file()}
    after = {path.relative_to(new): path for path in new.rglob("*") if path.is_file()}
    differ = [name for name in after if name not in before or before[name].read_bytes() != after[name].read_bytes()]
    return len(differ) + len(before.keys() - after.keys()), sum(after[name].stat().st_size for name in differ)


def told(what: str, cost: dict[str, float]) -> None:
    """One build."""
    print(f"  {what}: {cost['bytes'] / 1e6:.1f} MB in {cost['files']:,.0f} files, {cost['made']:,.0f} made, "
          f"{cost['cpu_s']:.1f} s of CPU, {cost['peak_mib']:.0f} MiB", flush=True)  # fmt: skip


def later(folder: Path, number: int, headlines: str) -> None:
    """Builds after the first: with nothing new, a night more, and the first night of the next month."""
    told("again", apart(folder, "build", number, headlines))
    apart(folder, "around", number, headlines)
    for step in ("night", "turn"):
        shutil.copytree(folder / "built" / "search", folder / "before", copy_function=os.link)
        apart(folder, step, number, headlines)
        told(f"{step} of {MORE} articles", apart(folder, "build", number, headlines))
        files, size = changed(folder / "before", folder / "built" / "search")
        print(f"    {files:,} files change, {size / 1e6:.2f} MB", flush=True)
        shutil.rmtree(folder / "before")
        print(f"    {apart(folder, 'around', number, headlines)['cpu_s']:.1f} s of CPU without the search", flush=True)


def run(number: int, headlines: str, parts: Collection[str], folder: Path) -> None:
    """The parts wanted for one number of articles; `folder` keeps the site."""
    print(f"{number:,} articles", flush=True)
    site = folder / "site"
    shutil.copytree(ROOT / "site_templates" / "assets" / "search", site / "assets" / "search", dirs_exist_ok=True)
    (site / "index.html").write_text(PAGE)
    (site / "harness.js").write_text(HARNESS)
    if not (site / "search").is_dir():
        for kept in ("data", "state", "built", ".built.build", "around", ".around.build", "before"):
            shutil.rmtree(folder / kept, ignore_errors=True)
        apart(folder, "press", number, headlines)
        told("first", apart(folder, "build", number, headlines))
        shutil.copytree(folder / "built" / "search", site / "search", copy_function=os.link)
        if "night" in parts:
            later(folder, number, headlines)
    articles, outlets = corpus(number, headlines)[:number], searchcorpus.outlets()
    asked = queries(articles, outlets, ASKED)
    with served(site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for part, measure in (("cold", cold), ("slow", slow), ("cpu", cpu)):
            if part in parts:
                measure(browser, address, asked)
        if "typed" in parts:
            as_you_type(browser, address)
        sys.stdout.flush()
        if "right" in parts or "pagefind" in parts:
            truth = Truth(articles, outlets)
            if "right" in parts:
                right(browser, address, truth, asked)
            if "pagefind" in parts:
                searchpagefind.run(browser, folder / "pagefind", truth, asked)
        browser.close()
    sys.stdout.flush()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, default=list(NUMBERS))
    parser.add_argument("--headlines", default="", help="a file of Korean headlines, one a line")
    parser.add_argument(
        "--pagefind", action="store_true", help="measure Pagefind too (fetched into a temporary folder)"
    )
    parser.add_argument("--only", default=",".join(PARTS[:-1]), help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--kept", type=Path, help="a folder for the sites, one for each number")
    given = parser.parse_args()
    parts = given.only.split(",") + ["pagefind"] * given.pagefind
    for number in given.numbers:
        with tempfile.TemporaryDirectory() as name:
            run(number, given.headlines, parts, given.kept / str(number) if given.kept else Path(name))


if __name__ == "__main__":
    main()
