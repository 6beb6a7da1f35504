"""/data/ and /en/data/: the record to take away; its files, what every column holds, how to cite it, under which terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar
from urllib.parse import quote

from build import csvfiles, dictionary, filters
from build.pagekinds import Head, Listed, Plain
from build.records import Press, PressFile

COPIED_MAX_BYTES = 50_000_000
"""Databases up to this size altogether are copied into the site; beyond it they are taken from the repository."""

CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"
LITE = "https://lite.datasette.io/?url="

Files = tuple[tuple[str, str], ...]
"""Files as (label, path)."""


@dataclass(frozen=True, slots=True)
class Download:
    """One file to take away; `href` is below the site's root or a whole address, empty where it can be had nowhere yet."""

    name: str
    href: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """One column of a table in the page's language; `lang` where its words are in another."""

    name: str
    about: str
    lang: str
    unit: str


@dataclass(frozen=True, slots=True)
class DescribedTable:
    """One table, described."""

    name: str
    about: str
    lang: str
    columns: tuple[DescribedColumn, ...]


@dataclass(frozen=True, slots=True)
class DataPage:
    """Everything about taking the record away. `months`: (year, ((label, path), …)), newest year first."""

    template: ClassVar[str] = "data.html"
    head: Head
    databases: tuple[Download, ...]
    tables: tuple[str, ...]
    months: tuple[tuple[str, Files], ...]
    undated: Files
    columns: tuple[str, ...]
    described: tuple[DescribedTable, ...]
    datasette: str
    lite: str
    day: str
    cite: str

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()

    @property
    def packed(self) -> bool:
        """Whether some months come packed."""
        return any(path.endswith(".gz") for _, files in self.months for _, path in files)

    @property
    def licence(self) -> str:
        """Where the terms of the facts stand."""
        return CC0


def sheets(press: Press, base_url: str) -> Iterator[DataPage | csvfiles.MonthFile | Plain]:
    """Both pages, the CSV files, and the databases while they are small."""
    files = tuple(csvfiles.files(press, large=not copied(press)))
    months = tuple(file.path for file in files if isinstance(file, csvfiles.MonthFile))
    yield page(press, base_url, "ko", months)
    yield page(press, base_url, "en", months)
    yield from files
    if copied(press):
        for file in press.files:
            yield Plain(f"data/{file.name}", file.path.read_bytes())


def copied(press: Press) -> bool:
    """Whether the databases stand in the site itself."""
    return sum(file.size_bytes for file in press.files) <= COPIED_MAX_BYTES


def page(press: Press, base_url: str, lang: str, articles: Iterable[str]) -> DataPage:
    """The page in Korean or English; `articles`: where the articles' files stand."""
    korean = lang == "ko"
    databases = tuple(_download(press, file) for file in press.files)
    night = press.last_night
    months, undated = _months(articles)
    whole = base_url if base_url.startswith("http") else ""
    return DataPage(
        head=Head(
            "data/index.html" if korean else "en/data/index.html",
            "자료" if korean else "Data",
            "색인의 기록 전체를 내려받는 곳. 칸마다 무엇이 담겼는지, 어떻게 인용하고 어디까지 쓸 수 있는지."
            if korean
            else "The whole record to download: what each column holds, how to cite it, and under which terms.",
            nav="data" if korean else "en-data",
            lang=lang,
            twin="en/data/" if korean else "data/",
        ),
        databases=databases,
        tables=csvfiles.TABLES,
        months=months,
        undated=undated,
        columns=csvfiles.COLUMNS,
        described=_described(press, lang),
        datasette=filters.web(press.hub.datasette),
        lite=_lite(databases, whole),
        day=night.day if night else "",
        cite=whole or filters.repository(press.hub),
    )


def _download(press: Press, file: PressFile) -> Download:
    repository = filters.repository(press.hub)
    elsewhere = f"{repository}/raw/HEAD/data/{file.name}" if repository else ""
    href = f"data/{file.name}" if copied(press) else elsewhere
    return Download(file.name, href, file.size_bytes)


def _lite(databases: tuple[Download, ...], whole: str) -> str:
    """Where Datasette Lite opens the newest database in the browser; empty where it stands at no whole address."""
    href = databases[0].href if databases else ""
    if href and not filters.web(href):
        href = f"{whole}{href}" if whole else ""
    return f"{LITE}{quote(href, safe='')}" if href else ""


def _months(articles: Iterable[str]) -> tuple[tuple[tuple[str, Files], ...], Files]:
    """The articles' files by year, newest first, and those without a date."""
    named = [(path.removeprefix("data/articles/").partition(".")[0], path) for path in articles]
    undated = tuple(one for one in named if one[0].startswith("undated"))
    dated = [one for one in named if not one[0].startswith("undated")]
    years = [(year, tuple(files)) for year, files in groupby(dated, key=lambda one: one[0][:4])]
    return tuple(reversed(years)), undated


def _described(press: Press, lang: str) -> tuple[DescribedTable, ...]:
    tables = []
    for table in press.tables:
        if table.name.startswith("open_"):
            about, other = dictionary.told(table.about, lang)
            columns = tuple(
                DescribedColumn(column.name, *dictionary.told(column.about, lang), dictionary.unit(column.unit, lang))
                for column in press.columns
                if column.relation == table.name
            )
            tables.append(DescribedTable(table.name, about, other, columns))
    return tuple(tables)
