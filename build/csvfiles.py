"""The record as CSV: small tables whole, the articles a file a month; the columns are those of the open_* tables."""

from __future__ import annotations

import csv
import gzip
import io
import json
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from build import filters
from build.index import UNDATED, Index, grouped, month_name
from build.pagekinds import Plain
from build.records import Card, Night, Outlet, Press, Source

ROWS = 2_000
"""Articles of one file at most: a month that has more goes on in a second one."""

PLAIN_YEARS = 2
"""Of a large record the months of so many years stand as they are; those before come packed, in a quarter of the room."""

COLUMNS = (
    "article", "published_kst", "outlet", "outlet_name", "university", "outlet_kind", "kind", "title", "byline", "tags", "url",
    "first_seen_kst",
)  # fmt: skip
"""Of the articles; summaries are left to the database, which many need less and which weigh most."""

TABLES = ("outlets", "sources", "nights")

# An encoder made once: json.dumps makes one each time it is told anything.
_JSON = json.JSONEncoder(ensure_ascii=False).encode
_RISKY = frozenset("=+-@＝＋－＠\t\r\n")


@dataclass(frozen=True, slots=True)
class MonthFile:
    """The articles of one month, or a part of them, in first-seen order."""

    path: str
    ids: tuple[int, ...]

    def body(self, cards: Mapping[int, Card]) -> bytes:
        """The file."""
        plain = written(COLUMNS, (_article(cards[id]) for id in self.ids))
        return gzip.compress(plain, mtime=0) if self.path.endswith(".gz") else plain


def files(press: Press, large: bool) -> Iterator[MonthFile | Plain]:
    """Every file; `large`: whether the record is so large that old months are packed."""
    yield from months(press.index, large)
    yield _table(
        "outlets",
        "slug",
        press.outlets,
        ("name", "name_en", "university", "univ", "kind", "homepage", "region", "status", "former"),
    )
    yield _table(
        "sources",
        "id",
        press.sources,
        ("outlet", "kind", "url", "cms", "state", "format", "language", "result", "reason", "status", "since_day"),
    )
    yield _table(
        "nights",
        "id",
        press.nights,
        (
            "day",
            "mode",
            "started",
            "ended",
            "due",
            "ok",
            "unchanged",
            "failed",
            "refused",
            "put_off",
            "new_articles",
            "changed_articles",
            "requests",
            "body_bytes",
            "breaches",
        ),
    )


def _table(name: str, key: str, records: Iterable[Outlet | Source | Night], fields: tuple[str, ...]) -> Plain:
    """A small table whole; its first column bears the name that it has in the open_* tables."""
    rows = ([_fact(one, field) for field in (key, *fields)] for one in records)
    return Plain(f"data/{name}.csv", written((name.removesuffix("s"), *fields), rows))


def _fact(one: Outlet | Source | Night, field: str) -> object:
    """A value of a small table; addresses only where one may follow them."""
    value = getattr(one, field)
    return filters.web(value) if field in ("homepage", "url") else value


def months(index: Index, large: bool) -> Iterator[MonthFile]:
    """The articles' files, oldest month first, those without a date last."""
    by_month = grouped(index.ids, index.month)
    newest = filters.kst(max(map(index.first_seen.__getitem__, index.ids), default=0)).year
    for month in sorted(by_month, key=lambda number: (number == UNDATED, number)):
        name = month_name(month)
        packed = large and month != UNDATED and int(name[:4]) <= newest - PLAIN_YEARS
        yield from month_files(name, by_month[month], ".csv.gz" if packed else ".csv")


def month_files(month: str, ids: array[int], ending: str = ".csv") -> Iterator[MonthFile]:
    """The files of one month (`2026-03`, `undated`); one once full stays as it is."""
    for part, at in enumerate(range(0, len(ids), ROWS), 1):
        more = f"-{part}" if part > 1 else ""
        yield MonthFile(f"data/articles/{month}{more}{ending}", tuple(ids[at : at + ROWS]))


def written(head: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    """A CSV file (RFC 4180) with a byte order mark, without which Korean spreadsheets garble it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    # Text that a spreadsheet would run as a formula gets an apostrophe in front.
    writer.writerows(
        [f"'{value}" if isinstance(value, str) and value[:1] in _RISKY else value for value in row] for row in rows
    )
    return out.getvalue().encode("utf-8-sig")


def _article(card: Card) -> tuple[object, ...]:
    return (
        card.id,
        _published(card),
        card.outlet,
        card.outlet_name,
        card.university,
        card.outlet_kind,
        card.kind,
        card.title,
        card.byline,
        _JSON(card.tags) if card.tags else "",
        filters.web(card.url),
        _moment(card.first_seen, 19),
    )


_CHARS = {"day": 10, "hour": 13, "minute": 16, "second": 19}
"""How much of `2026-03-05 10:20:30` is known."""


def _published(card: Card) -> str:
    """The Korean moment of publication, no finer than it is known; empty where it is not."""
    chars = _CHARS.get(card.precision)
    if card.published is None or chars is None or card.month == "undated":
        return ""
    return _moment(card.published, chars)


def _moment(at: int, chars: int) -> str:
    return filters.kst(at).isoformat(" ", "seconds")[:chars]
