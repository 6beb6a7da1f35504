"""One row of outlets.csv or sources.csv to one record, with everything wrong in that row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from crawl import cells, urls
from crawl.cells import Cells, Findings
from crawl.csvtable import Row, Table
from crawl.model import Outlet, OutletKind, Source, SourceKind

OUTLET_COLUMNS = ("slug", "name", "name_en", "university", "univ", "kind", "homepage", "region", "status",
                  "title_only", "former", "note")  # fmt: skip
SOURCE_COLUMNS = ("outlet", "kind", "url", "cms", "state", "recheck", "note")

REGIONS = (
    *("서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종"),
    *("경기", "강원", "충북", "충남", "전북", "전남", "경북", "경남", "제주", "전국"),
)
"""Provinces and metropolitan cities in their short form; 전국 is an outlet of no single campus."""

CMS = (
    *("ghost", "gnuboard", "happycgi", "imweb", "jsonfeed", "k2web", "mediaon", "naver", "ndsoft"),
    *("tistory", "wix", "wordpress", "xe"),
)
"""Names of publishing systems; an empty cell is an unknown one. `jsonfeed` marks a feed in JSON (P40)."""

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Placed(Generic[R]):
    """A record with the physical line it begins on."""

    line: int
    record: R


def outlet(table: Table, row: Row, found: Findings) -> Placed[Outlet]:
    """The outlet of a row. Where something is wrong the record is a best reading, fit for comparing rows
    only."""
    read = Cells(table, row, found)
    title_only = read.text("title_only")
    if title_only not in ("", "0", "1"):
        read.add(
            f'title_only is "{title_only}"',
            "leave the cell empty, or write 1 where no summaries may be shown",
        )
    values: dict[str, Any] = {
        "slug": read.slug("slug"),
        "name": read.needed("name", "the outlet's own name"),
        "name_en": read.text("name_en"),
        "university": read.needed("university", "the university's name, or 연합 for an outlet of several"),
        "univ": read.slug("univ"),
        "kind": read.word("kind", get_args(OutletKind)),
        "homepage": read.address("homepage"),
        "region": read.word("region", REGIONS),
        "status": read.word("status", get_args(get_type_hints(Outlet)["status"])),
        "title_only": title_only == "1",
        "former": tuple(read.text("former").split()),
        "note": read.remark("note"),
    }
    for earlier in values["former"]:
        if not cells.is_slug(earlier):
            read.add(f'the former slug "{earlier}" is no slug', "separate earlier slugs by one space")
    if title_only == "0":
        read.untidy("title_only is 0, which is what an empty cell means")
    if values["slug"] in values["former"]:
        read.add(f'the slug "{values["slug"]}" is its own former slug', "remove it from the former column")
    return Placed(row.line, Outlet(**values))


def source(table: Table, row: Row, found: Findings) -> Placed[Source]:
    """The source of a row. Where something is wrong the record is a best reading, fit for comparing rows
    only."""
    read = Cells(table, row, found)
    values: dict[str, Any] = {
        "outlet": read.slug("outlet"),
        "kind": read.word("kind", get_args(SourceKind)),
        "url": read.address("url"),
        "cms": read.word("cms", ("", *CMS)),
        "state": read.word("state", get_args(get_type_hints(Source)["state"])),
        "recheck": read.day("recheck"),
        "note": read.remark("note"),
    }
    record = Source(**values)
    _judge_youtube(read, record)
    return Placed(row.line, record)


def _judge_youtube(read: Cells, record: Source) -> None:
    """P05: a YouTube address is a frozen youtube source or nothing, and nothing else is frozen."""
    if cells.address_fault(record.url) is not None:
        return
    on_youtube = cells.is_youtube(urls.server(record.url))
    if record.kind == "youtube":
        if record.state != "frozen":
            read.add("a youtube source is never requested (P05)", 'set its state to "frozen"')
        if not on_youtube:
            read.add("a youtube source must be an address on youtube.com", "correct its kind or its address")
    elif on_youtube:
        read.add(
            "YouTube is never requested (P05)",
            'set kind to "youtube" and state to "frozen", or remove the row',
        )
    elif record.state == "frozen":
        read.add("only youtube sources are frozen", 'use "paused" or "closed"')
