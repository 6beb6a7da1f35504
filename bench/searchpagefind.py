"""Pagefind beside it: the same articles, the same queries where it has words for them, the same columns.

Pagefind is no dependency: it is fetched into a temporary folder when asked for (`--pagefind`), and builds in a process
of its own.
"""

from __future__ import annotations

import gzip
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from bench.searchqueries import Query, Truth
from bench.searchserver import Sent, served
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


def run(browser: Browser, folder: Path, truth: Truth, asked: Sequence[Query]) -> None:
    """Build, measure, print."""
    print("  Pagefind", flush=True)
    (folder / "site").mkdir(parents=True)
    (folder / "site" / "index.html").write_text(PAGE)
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder / "lib", PACKAGE],
        check=True, capture_output=True,
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
    sent = Sent()
    with served(folder / "site", sent) as address:
        _measured(browser, address, sent, asked)
        _right(browser, address, folder / "site" / "pagefind", truth, [query for query in asked if query.sort in SORTS])


def _build(folder: Path, truth: Truth) -> tuple[float, float]:
    """Write a page for each article, let Pagefind read them; its CPU seconds and peak MB."""
    for at, one in enumerate(truth.articles):
        page = folder / "pages" / str(at // 1_000) / f"{at}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(
            f'<!doctype html><html lang="ko"><title>{escape(one.title)}</title><body><main data-pagefind-body>'
            f"<h1>{escape(one.title)}</h1><p>{escape(one.summary)}</p><p>{escape(one.byline)}</p></main></body></html>",
            encoding="utf-8",
        )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = folder / "lib" / "pagefind_bin" / "pagefind"
    paths = ["--site", str(folder / "pages"), "--output-path", str(folder / "site" / "pagefind")]
    subprocess.run([str(program), "--silent", *paths], check=True, timeout=BUILD_MAX_S)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder / "pages")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu_s, after.ru_maxrss / 1024


def _measured(browser: Browser, address: str, sent: Sent, asked: Sequence[Query]) -> None:
    """Counted at the server: Pagefind asks from a worker, which a page's wire does not show."""
    begun, cost, slow_ms = Cost(), Cost(), []
    for query in asked[:COLD]:
        before = sent.bytes, sent.answers
        with opened(browser, address) as (page, _):
            page.evaluate("window.begin()")
            page.wait_for_timeout(300)
            begun.add(sent.bytes - before[0], sent.answers - before[1])
            before = sent.bytes, sent.answers
            page.evaluate("([text, wanted]) => window.ask(text, wanted)", [query.text, FIRST])
            cost.add(sent.bytes - before[0], sent.answers - before[1])
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
    ids = {path.stem: int(Path(_fragment(path)["url"]).stem) for path in folder.rglob("*.pf_fragment")}
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
