"""The record as CSV: small tables whole, the articles a file a month; the columns are those of the open_* tables."""

from __future__ import annotations

import csv
import io
import json
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from build import filters
from build.index import UNDATED, Index, grouped, month_name
from build.pagekinds import Plain
from build.records import Card, Night, Outlet, Press, Source

ROWS = 10_000
"""Articles of one file at most: a month that has more goes on in a second one."""

COLUMNS = (
    "article", "published_kst", "outlet", "outlet_name", "university", "outlet_kind", "kind", "title", "byline", "tags", "url",
    "first_seen_kst",
)  # fmt: skip
"""Of the articles; summaries are left to the database, which many need less and which weigh most."""

TABLES = ("outlets", "sources", "nights")

# An encoder made once: json.dumps makes one each time it is told anything.
_JSON = json.JSONEncoder(ensure_ascii=False).encode
_RISKY = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class MonthFile:
    """The articles of one month, or a part of them, in first-seen order."""

    path: str
    ids: tuple[int, ...]

    def body(self, cards: Mapping[int, Card]) -> bytes:
        """The file."""
        return written(COLUMNS, (_article(cards[id]) for id in self.ids))


def files(press: Press) -> Iterator[MonthFile | Plain]:
    """Every file."""
    yield from months(press.index)
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


def months(index: Index) -> Iterator[MonthFile]:
    """The articles' files, oldest month first, those without a date last."""
    by_month = grouped(index.ids, index.month)
    for month in sorted(by_month, key=lambda number: (number == UNDATED, number)):
        yield from month_files(month_name(month), by_month[month])


def month_files(month: str, ids: array[int]) -> Iterator[MonthFile]:
    """The files of one month (`2026-03`, `undated`); one once full stays as it is."""
    for part, at in enumerate(range(0, len(ids), ROWS), 1):
        more = f"-{part}" if part > 1 else ""
        yield MonthFile(f"data/articles/{month}{more}.csv", tuple(ids[at : at + ROWS]))


def written(head: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    """A CSV file (RFC 4180) with a byte order mark, without which Korean spreadsheets garble it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _cell(value: object) -> object:
    """A value as a spreadsheet may meet it: text that would be run as a formula gets an apostrophe in front."""
    if isinstance(value, str) and value.startswith(_RISKY):
        return f"'{value}"
    return value


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
        f"{filters.kst(card.first_seen):%Y-%m-%d %H:%M:%S}",
    )


_FORMS = {"day": "%Y-%m-%d", "hour": "%Y-%m-%d %H", "minute": "%Y-%m-%d %H:%M", "second": "%Y-%m-%d %H:%M:%S"}


def _published(card: Card) -> str:
    """The Korean moment of publication, no finer than it is known; empty where it is not."""
    form = _FORMS.get(card.precision)
    if card.published is None or form is None or card.month == "undated":
        return ""
    return filters.kst(card.published).strftime(form)
