"""What reading costs: milliseconds for a feed of 50 entries and a list of 20 items, where they go, and the worst case.

Processor time, whatever else the machine does. `python -m bench.parsers` prints both tables; `python -m bench.parsers worst
[BYTES]` the hostile bodies alone, `usual` the others. A body that takes longer than BROKEN_OFF_S is broken off.
"""

from __future__ import annotations

import cProfile
import functools
import pstats
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from bench import hostile
from crawl import articlepages, editions, encoding, feeds, listpages, robots
from crawl.clock import parse_at
from crawl.errors import FeedUnreadable
from crawl.model import Response
from crawl.policy import Policy
from tests.sim.campus import Campus, Source
from tests.sim.houses import HOUSES

NOW = parse_at("2026-12-01T00:00")
POLICY = Policy()
PAGE = "https://news.hanbit.example/news/articleList.html?view_type=sm"
BROKEN_OFF_S = 20
WORST_BYTES = 1_000_000
ROUNDS = 20
ROOMS = {
    "dates": ("listdates", "dates", "ago", "daytime", "pagedates"), "text": ("text", "characters", "photos", "listtext"),
    "addresses": ("urls", "hosts"),
}  # fmt: skip
"""Modules by what their time is counted as; all other time but decoding and the tree is finding things in it."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of one body: all, and its parts."""

    name: str
    items: int
    size: int
    whole: float
    decode: float
    tree: float
    shares: tuple[float, ...]


def read_feed(body: bytes, content_type: str | None = None) -> int:
    """How many entries a feed has."""
    return _entries(
        lambda: (
            feeds.parse(
                body, base=PAGE, content_type=content_type, seen=NOW, summary_max_chars=POLICY.summary_max_chars
            ).entries
        )
    )


def read_list(body: bytes, cms: str = "", base: str = PAGE) -> int:
    """How many entries a list has."""
    return _entries(
        lambda: (
            listpages.parse(
                body, base=base, content_type="text/html", cms=cms, seen=NOW, summary_max_chars=POLICY.summary_max_chars
            ).entries
        )
    )


def read_editions(body: bytes) -> int:
    """How many issues a page of editions has."""
    return _entries(
        lambda: (
            editions.parse(
                body, base=PAGE, content_type="text/html", seen=NOW, summary_max_chars=POLICY.summary_max_chars
            ).entries
        )
    )


def read_article(body: bytes) -> int:
    """1 for an article page that shows a date."""
    return int(articlepages.read(_response(body, "text/html"), seen=NOW).dated is not None)


def read_robots(body: bytes) -> int:
    """1 for a robots.txt that was read."""
    return int(robots.read(_response(body, "text/plain")) is not None)


def _entries(read: Callable[[], Sequence[object]]) -> int:
    try:
        return len(read())
    except FeedUnreadable:
        return 0


def _response(body: bytes, kind: str) -> Response:
    return Response(PAGE, 200, NOW, NOW, headers=(("Content-Type", kind),), body=body)


def usual() -> Iterator[Cost]:
    """One feed of each dialect with 50 entries, one list of each skin with 20 items, one article page of each look."""
    campus = Campus(2, 60, houses=len(HOUSES))
    seen: set[str] = set()
    for source in campus.sources:
        name = f"list {source.skin}" if source.kind == "list" else f"feed {_dialect(source)}"
        if source.kind == "edition" or name in seen:
            continue
        seen.add(name)
        source.items = 20 if source.kind == "list" else 50
        body = source.body(NOW)
        read = (
            functools.partial(read_list, body, source.cms, source.url)
            if source.kind == "list"
            else functools.partial(read_feed, body, source.content_type)
        )
        yield _cost(name, read, body, is_html=source.kind == "list")
    for outlet in campus.outlets:
        name = f"page {outlet.kit.story}"
        if name not in seen:
            seen.add(name)
            body, _ = outlet.story_page(outlet.published_by(NOW)[-1], NOW)
            yield _cost(name, functools.partial(read_article, body), body, is_html=True)


def _dialect(source: Source) -> str:
    dialect = source.dialect
    version = f" {dialect.version}" if dialect.family == "rss" else ""
    return f"{dialect.family}{version} {dialect.body} {source.encoding}"


def _cost(name: str, read: Callable[[], int], body: bytes, *, is_html: bool) -> Cost:
    items, whole = read(), _ms(read)
    decode = _ms(lambda: encoding.decode(body, None))
    text = encoding.decode(body, None).text
    tree = _ms(lambda: LexborHTMLParser(text)) if is_html else 0.0
    profile = cProfile.Profile()
    profile.runcall(lambda: [read() for _ in range(ROUNDS)])
    spent: dict[str, float] = {}
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, *_) in stats.items():
        room = file.rpartition("/")[2].removesuffix(".py")
        part = next((part for part, rooms in ROOMS.items() if room in rooms), "")
        spent[part] = spent.get(part, 0.0) + own
    every = sum(spent.values()) or 1.0
    return Cost(name, items, len(body), whole, decode, tree, tuple(spent.get(part, 0.0) / every for part in ROOMS))


def _ms(read: Callable[[], object]) -> float:
    """The least milliseconds of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        read()
        best = min(best, time.process_time() - begun)
    return best * 1000


def print_usual() -> None:
    """The first table."""
    print(f"{'':32}{'items':>6}{'KB':>6}{'ms':>8}{'decode':>8}{'tree':>8}" + "".join(f"{part:>11}" for part in ROOMS))
    for cost in usual():
        parts = "".join(f"{share:>11.0%}" for share in cost.shares)
        print(
            f"{cost.name:32}{cost.items:>6}{cost.size / 1000:>6.0f}{cost.whole:>8.2f}{cost.decode:>8.2f}{cost.tree:>8.2f}{parts}"
        )


class _TooLong(Exception):
    """A body took longer than it may."""


def worst(size: int) -> list[tuple[float, str, str]]:
    """Seconds per million bytes, parser and body, the slowest first."""

    def stop(*_: object) -> None:
        raise _TooLong

    signal.signal(signal.SIGALRM, stop)
    found = []
    kinds: tuple[tuple[str, Callable[[bytes], int], list[tuple[str, bytes]]], ...] = (
        ("feeds", read_feed, [*hostile.xml(size), *hostile.html(size)]),
        *(
            (f"lists {cms or 'unknown'}", functools.partial(read_list, cms=cms), [*hostile.html(size)])
            for cms in ("", "ndsoft", "gnuboard", "xe", "k2web", "wordpress")
        ),
        ("articles", read_article, [*hostile.html(size)]),
        ("editions", read_editions, [*hostile.html(size)]),
        ("robots", read_robots, [*hostile.robots(size)]),
    )
    for parser, read, bodies in kinds:
        for name, body in bodies:
            signal.alarm(BROKEN_OFF_S)
            begun = time.process_time()
            try:
                read(body)
            except _TooLong:
                name += " (broken off)"
            finally:
                signal.alarm(0)
            found.append(((time.process_time() - begun) / len(body) * 1e6, parser, name))
    return sorted(found, reverse=True)


def print_worst(size: int) -> int:
    """The second table; returns how many bodies took more than a second per million bytes."""
    rows = worst(size)
    print(f"\nseconds per million bytes, worst bodies of each parser ({size:,} bytes)")
    shown: dict[str, int] = {}
    for s, parser, name in rows:
        shown[parser] = shown.get(parser, 0) + 1
        if shown[parser] <= 4 or s > 1:
            print(f"{s:8.3f}  {parser:16} {name}")
    return sum(s > 1 for s, _, _ in rows)


def main(words: Sequence[str]) -> int:
    """The command line; 1 where the worst case is worse than promised."""
    match words:
        case ["usual"]:
            print_usual()
            return 0
        case ["worst", *size]:
            return int(print_worst(int(size[0]) if size else WORST_BYTES) > 0)
        case []:
            print_usual()
            return int(print_worst(WORST_BYTES) > 0)
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
