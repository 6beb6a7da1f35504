"""Pagefind beside it: the same articles, the same queries where it has words for them, the same columns.

Pagefind is no dependency: it is fetched into a temporary folder when asked for (`--pagefind`), and builds in a process
of its own.
"""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from bench.searchqueries import Query, Truth
from bench.searchserver import served
from bench.searchwire import FIRST, Cost, opened, percentile

PACKAGE = "pagefind[bin]==1.5.2"
BUILD_MAX_S = 1_800
COLD = 100
SORTS = ("inside a word", "with a particle", "across a space", "English", "digits", "mixed", "several words", "a phrase",
         "nowhere")  # fmt: skip
"""What a query for Pagefind can say: words, and phrases in quotes."""

PAGE = """<!doctype html><html lang="ko"><meta charset="utf-8"><link rel="icon" href="data:,"><title>search</title>
<script type="module">
const pagefind = await import("./pagefind/pagefind.js");
window.begin = () => pagefind.init();
window.ask = async (text, wanted) => {
  const found = await pagefind.search(text);
  for (const one of found.results.slice(0, wanted)) await one.data();
  return found.results.map((one) => one.id);
};
window.ready = true;
</script></html>"""

BUILDER = """
import asyncio, json, sys
from pagefind.index import PagefindIndex

async def main(folder):
    async with PagefindIndex() as index:
        for line in sys.stdin:
            url, title, content, sort = json.loads(line)
            await index.add_custom_record(url=url, content=content, language="ko", meta={"title": title}, sort={"date": sort})
        await index.write_files(output_path=folder)

asyncio.run(main(sys.argv[1]))
"""


def run(browser: Browser, folder: Path, truth: Truth, asked: Sequence[Query]) -> None:
    """Build, measure, print."""
    print("  Pagefind", flush=True)
    (folder / "site").mkdir(parents=True)
    (folder / "site" / "index.html").write_text(PAGE)
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder / "lib", PACKAGE],
        check=True,
    )  # fmt: skip
    try:
        cpu_s, peak_mb = _build(folder, truth)
    except subprocess.TimeoutExpired:
        print(f"    not done after {BUILD_MAX_S} s")
        return
    sizes = [path.stat().st_size for path in (folder / "site" / "pagefind").rglob("*") if path.is_file()]
    print(
        f"    index {sum(sizes) / 1e6:.1f} MB in {len(sizes):,} files, the largest {max(sizes) / 1e6:.1f} MB, built in "
        f"{cpu_s:.0f} s of CPU and {peak_mb:.0f} MB",
        flush=True,
    )
    with served(folder / "site") as address:
        _measured(browser, address, asked)
        _right(browser, address, folder / "site" / "pagefind", truth, [query for query in asked if query.sort in SORTS])


def _build(folder: Path, truth: Truth) -> tuple[float, float]:
    """CPU seconds and peak MB of the whole."""
    lines = [
        json.dumps([one.url, one.title, f"{one.title}. {one.summary} {one.byline}", f"{day:08}"])
        for one, day in zip(truth.articles, truth.days, strict=True)
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", BUILDER, str(folder / "site" / "pagefind")], input="\n".join(lines), text=True, check=True,
        env={"PYTHONPATH": str(folder / "lib")}, timeout=BUILD_MAX_S,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu_s, after.ru_maxrss / 1024


def _measured(browser: Browser, address: str, asked: Sequence[Query]) -> None:
    begun, cost, slow_ms = Cost(), Cost(), []
    for query in asked[:COLD]:
        with opened(browser, address) as (page, wire):
            page.evaluate("window.begin()")
            begun.add(*wire.since(page, (0, 0)))
            before = wire.bytes, wire.requests
            page.evaluate("([text, wanted]) => window.ask(text, wanted)", [query.text, FIRST])
            cost.add(*wire.since(page, before))
    for query in asked[:20]:
        with opened(browser, address, slow=True) as (page, _):
            page.evaluate("window.begin()")
            start = time.monotonic()
            page.evaluate("([text, wanted]) => window.ask(text, wanted)", [query.text, FIRST])
            slow_ms.append((time.monotonic() - start) * 1000)
    print(f"    page and beginning   {begun.told()}")
    print(f"    first query          {cost.told()}")
    print(
        f"    first result, 4x slower CPU and 60 ms: {percentile(slow_ms, 50):.0f} / {percentile(slow_ms, 90):.0f} ms"
    )


def _right(browser: Browser, address: str, folder: Path, truth: Truth, asked: Sequence[Query]) -> None:
    places = {article.url: at for at, article in enumerate(truth.articles)}
    ids = {path.stem: places[_fragment(path)["url"]] for path in folder.rglob("*.pf_fragment")}
    hit = wanted = given = 0
    recalls = []
    with opened(browser, address) as (page, _):
        for query in asked:
            found = {ids[id] for id in page.evaluate("(text) => window.ask(text, 0)", query.text)}
            must = truth.hits(query)
            hit, wanted, given = hit + len(found & must), wanted + len(must), given + len(found)
            if must:
                recalls.append(len(found & must) / len(must))
    print(
        f"    {len(asked)} queries it can say: recall {hit / wanted:.3f} (mean of queries {sum(recalls) / len(recalls):.3f}), "
        f"precision {hit / given:.3f}",
        flush=True,
    )


def _fragment(path: Path) -> dict[str, Any]:
    body = gzip.decompress(path.read_bytes())
    return dict(json.loads(body[body.index(b"{") :]))
