"""Golden pages: what a careful reader of a page notes down, and how far a parser's answer is from it.

A pair is `NAME.html` (bytes as a server sends them) and `NAME.expected.json`. Only what the JSON states is compared, but the
sequence of entries always. Run as a module it prints the score: `python -m tests.goldenpages [NAME ...]`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from crawl import articlepages, editions, listpages
from crawl.clock import KST
from crawl.errors import FeedUnreadable
from crawl.model import Entry, Feed, Response
from crawl.policy import Policy

HERE = Path(__file__).parent
FOLDERS = ("lists", "articles", "editions")
LIMIT = Policy().summary_max_chars
_PAGER_NOISE = {"total", "sc_order_by"}
"""ND Soft's own pager repeats a cached count and its default order; neither says which page it is."""


@dataclass(frozen=True, slots=True)
class Golden:
    """One pair; `expected` is the JSON as written."""

    folder: str
    name: str
    page: bytes
    expected: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Compared:
    """One stated fact and what the parser made of it."""

    place: str
    field: str
    expected: object
    got: object

    @property
    def right(self) -> bool:
        return self.expected == self.got


def pairs(folder: str) -> list[Golden]:
    """All pairs of a folder, by name."""
    found = []
    for path in sorted((HERE / folder).glob("*.html")):
        expected = json.loads(path.with_name(f"{path.stem}.expected.json").read_text(encoding="utf-8"))
        found.append(Golden(folder, path.stem, path.read_bytes(), expected))
    return found


def compare(golden: Golden) -> list[Compared]:
    """Every stated fact of a pair beside the parser's answer."""
    return list(_COMPARE[golden.folder](golden))


def wrong(golden: Golden) -> list[str]:
    """The facts the parser got wrong, one readable line each."""
    return [f"{c.place} {c.field}: {c.expected!r} is {c.got!r}" for c in compare(golden) if not c.right]


def moment(iso: str) -> float:
    """Epoch seconds of an ISO date with its zone."""
    return datetime.fromisoformat(iso).timestamp()


def _list(golden: Golden) -> Iterator[Compared]:
    asked = golden.expected
    parse: Callable[..., Feed] = listpages.parse if golden.folder == "lists" else editions.parse
    more = {"cms": asked["cms"]} if golden.folder == "lists" else {}
    try:
        feed = parse(
            golden.page,
            base=asked["base"],
            content_type=asked["content_type"],
            seen=moment(asked["seen"]),
            summary_max_chars=LIMIT,
            **more,
        )
    except FeedUnreadable as trouble:
        yield Compared("page", "error", asked.get("error"), trouble.reason)
        return
    if "error" in asked:
        yield Compared("page", "error", asked["error"], [entry.title for entry in feed.entries])
        return
    yield from _page_facts(asked, feed)
    wanted = [wire(entry["url"]) for entry in asked["entries"]]
    yield Compared("page", "sequence", wanted, [wire(entry.url) for entry in feed.entries])
    by_url = {wire(entry.url): entry for entry in feed.entries}
    for stated in asked["entries"]:
        entry = by_url.get(wire(stated["url"]))
        for field in stated.keys() - {"url"}:
            got = "no such entry" if entry is None else _fact(entry, field, stated[field])
            yield Compared(stated["url"], field, stated[field], got)


def _page_facts(asked: dict[str, Any], feed: Feed) -> Iterator[Compared]:
    if "format" in asked:
        yield Compared("page", "format", asked["format"], feed.format)
    if "older" in asked:
        told = asked["older"] if isinstance(asked["older"], list) else [asked["older"]]
        named = [_page_named(url) for url in told]
        got = _page_named(feed.older)
        yield Compared("page", "older", got if got in named else named, got)
    for flag in asked.get("flags_include", ()):
        yield Compared("page", "flags", flag, flag if flag in feed.flags else feed.flags)


def _fact(entry: Entry, field: str, stated: object) -> object:
    """What the entry says of a field, in the form the JSON states it."""
    if field == "summary_start":
        fits = entry.summary.startswith(str(stated)) and len(entry.summary) <= LIMIT
        return stated if fits else entry.summary
    if field == "published":
        return _iso(entry.published)
    if field == "published_day":
        return (_iso(entry.published) or "")[:10] or None
    got = getattr(entry, field)
    return stated if field.endswith("_url") and got and stated and wire(got) == wire(str(stated)) else got


def _article(golden: Golden) -> Iterator[Compared]:
    asked = golden.expected
    seen = moment(asked["seen"])
    headers = tuple((str(name), str(value)) for name, value in asked["headers"])
    body_bytes = len(golden.page)
    page = articlepages.read(
        Response(asked["url"], 200, seen - 1, seen, headers=headers, body=golden.page, body_bytes=body_bytes), seen=seen
    )
    dated = page.dated
    got: dict[str, object] = {
        "published": _iso(dated.at if dated else None),
        "precision": dated.precision if dated else "none",
        "date_from": page.date_from,
        "picture": wire(page.picture) if page.picture else None,
        "noindex": page.noindex,
        "nosnippet": page.nosnippet,
    }
    for field in got.keys() & asked.keys():
        stated = asked[field]
        yield Compared("page", field, wire(stated) if field == "picture" and stated else stated, got[field])


_COMPARE: dict[str, Callable[[Golden], Iterator[Compared]]] = {"lists": _list, "articles": _article, "editions": _list}


def wire(url: str) -> str:
    """An address as sent: Hangul written out or percent-encoded is the same address."""
    return quote(url, safe="%/:?&=#+,;@!$'()*[]~|")


def _page_named(url: str | None) -> object:
    """Which page a pager's address names, whatever the order of its parameters and its empty ones."""
    if url is None:
        return None
    parts = urlsplit(url)
    query = sorted((k, v) for k, v in parse_qsl(parts.query) if k not in _PAGER_NOISE)
    return [f"{parts.scheme}://{parts.netloc}{wire(parts.path)}", *(f"{k}={v}" for k, v in query)]


def _iso(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, KST).isoformat()


def _print_score(names: list[str]) -> None:
    fields: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for golden in (golden for folder in FOLDERS for golden in pairs(folder)):
        if names and golden.name not in names:
            continue
        compared = compare(golden)
        fields.update((golden.folder, c.field) for c in compared)
        right.update((golden.folder, c.field) for c in compared if c.right)
        print(f"{sum(c.right for c in compared):4}/{len(compared):<4} {golden.folder}/{golden.name}")
        if names:
            print("\n".join(f"       {line}" for line in wrong(golden)))
    for key in sorted(fields):
        print(f"{right[key]:5}/{fields[key]:<5} {key[0]:9} {key[1]}")


if __name__ == "__main__":
    _print_score(sys.argv[1:])
