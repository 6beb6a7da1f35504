"""What `check --fix` writes: the same registry sorted and cleanly written. No row is lost and no meaning
changes."""

from __future__ import annotations

from collections.abc import Mapping

from crawl import cells, csvtable, exclusions, registry
from crawl.csvtable import Row, Table
from crawl.errors import RegistryInvalid


def tidy(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The three tables rewritten, under the paths they came with; `files` as in `registry.parse`.

    Rows are sorted, cells trimmed and in NFC, hosts in lower case, default ports, the byte-order mark and
    empty rows gone, line ends LF. Wrong but readable cells stay as they are: only `check` judges them. Raises
    RegistryInvalid with every reason why a file cannot be read for certain; then nothing should be written at
    all.
    """
    tables = registry.tables(files)
    unreadable = [problem for table in tables.values() for problem in table.unreadable]
    if unreadable:
        raise RegistryInvalid(unreadable)
    written = {}
    for name, table in tables.items():
        by = [table.columns.index(column) for column in registry.ORDER[name]]
        rows = [_row(table, row) for row in table.rows]
        rows.sort(key=lambda row: ([row[at] for at in by], row))
        written[table.file] = csvtable.write(table.columns, rows)
    return written


def _row(table: Table, row: Row) -> tuple[str, ...]:
    scope = cells.tidy(table.place(row, "scope")) if "scope" in table.columns else ""
    return tuple(_cell(column, cells.tidy(cell), scope) for column, cell in zip(table.columns, row.cells, strict=True))


def _cell(column: str, cell: str, scope: str) -> str:
    if column in ("homepage", "url"):
        return cells.tidy_address(cell)
    if column == "key":
        return exclusions.tidy_key(cell, scope)
    return "" if (column, cell) == ("title_only", "0") else cell
