"""A CSV file people edit, as rows with the physical line each one begins on, and back to bytes."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from crawl import filetext
from crawl.errors import Problem, RegistryInvalid

MEND = 'run "python -m crawl check --fix"'


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the physical line it begins on and its cells in the order of the columns."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A file as read. `unreadable`: rows whose meaning is uncertain, so that nothing may rewrite the file;
    `untidy`: what a rewrite mends without changing any meaning."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    unreadable: tuple[Problem, ...] = ()
    untidy: tuple[Problem, ...] = ()

    def place(self, row: Row, column: str) -> str:
        """The cell of that column."""
        return row.cells[self.columns.index(column)]


def read(raw: bytes, file: str, columns: tuple[str, ...]) -> Table:
    """The table in `raw`, its cells in the order of `columns`; what is wrong with its form stands in the
    table."""
    try:
        written = filetext.text(raw, file)
    except RegistryInvalid as exc:
        return Table(file, columns, (), unreadable=tuple(exc.problems))
    unreadable: list[Problem] = []
    untidy: list[Problem] = []
    records = _filled(written, file, unreadable, untidy)
    if not records and not unreadable:
        unreadable.append(Problem(file, 1, "the header row is missing", f'begin the file with "{",".join(columns)}"'))
    # Where the header itself was unreadable the next row is no header, and naming its columns would mislead.
    lost = not records or (bool(unreadable) and unreadable[0].line < records[0][0])
    faults = [] if lost else _header_faults(file, *records[0], columns)
    rows = [] if lost or faults else _rows(file, records, columns, unreadable, untidy)
    return Table(file, columns, tuple(rows), (*unreadable, *faults), tuple(untidy))


def write(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> bytes:
    """The table as this project writes it: UTF-8 without a mark, LF, quotes only where CSV needs them."""
    return "".join(",".join(map(_quoted, cells)) + "\n" for cells in (columns, *rows)).encode("utf-8")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean "…"?)` where one known word is close, else nothing."""
    close = get_close_matches(word, sorted(set(known)), n=1, cutoff=0.75)
    return f' (did you mean "{close[0]}"?)' if close else ""


def _quoted(cell: str) -> str:
    # Not csv.writer: before Python 3.13 it leaves a lone CR unquoted, and the row falls apart when read again.
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in ',"\r\n') else cell


def _records(written: str) -> Iterator[tuple[int, list[str] | str]]:
    """Each record with its first physical line, or what is wrong with its quotes; reading goes on behind
    it."""
    physical = filetext.lines(written)
    at = 0
    while at < len(physical):
        reader = csv.reader((physical[index] for index in range(at, len(physical))), strict=True)
        begins = at
        try:
            for cells in reader:
                yield begins + 1, cells
                begins = at + reader.line_num
            return
        except csv.Error as exc:
            yield begins + 1, _quote_fault(str(exc))
            at = begins + 1


def _filled(written: str, file: str, unreadable: list[Problem], untidy: list[Problem]) -> list[tuple[int, list[str]]]:
    """The records that say something, the header first; the others are noted."""
    records = []
    for line, record in _records(written):
        if isinstance(record, str):
            unreadable.append(Problem(file, line, record, "mend the quotes of this row"))
        elif not any(cell.strip() for cell in record):
            untidy.append(Problem(file, line, "this row is empty", f"remove it or {MEND}"))
        else:
            records.append((line, record))
    return records


def _rows(
    file: str,
    records: list[tuple[int, list[str]]],
    columns: tuple[str, ...],
    unreadable: list[Problem],
    untidy: list[Problem],
) -> list[Row]:
    """The records behind a sound header, each with its cells in the order of `columns`."""
    header_line, header = records[0]
    names = [name.strip() for name in header if name.strip()]
    if tuple(header) != columns:
        cure = f'write "{",".join(columns)}" or {MEND}'
        untidy.append(Problem(file, header_line, "the header is not written as it should be", cure))
    order = [names.index(column) for column in columns]
    rows = []
    for line, cells in records[1:]:
        spare = cells[len(columns) :]
        if len(cells) < len(columns) or any(cell.strip() for cell in spare):
            unreadable.append(_count_fault(file, line, len(cells), len(columns)))
            continue
        if spare:
            untidy.append(Problem(file, line, "there are empty cells behind the last column", f"remove them or {MEND}"))
        rows.append(Row(line, tuple(cells[at] for at in order)))
    return rows


def _quote_fault(reason: str) -> str:
    if "end of data" in reason:
        return "a quote opened in this row is never closed"
    if "expected after" in reason:
        return "text stands behind a closed quote, or a quote inside the cell is not doubled"
    return f"the row cannot be read ({reason})"


def _header_faults(file: str, line: int, header: list[str], columns: tuple[str, ...]) -> list[Problem]:
    names = [name.strip() for name in header]
    while names and not names[-1]:
        names.pop()
    for sign, word in ((";", "semicolons"), ("\t", "tabs")):
        if len(names) == 1 and sign in names[0]:
            return [Problem(file, line, f"the columns are separated by {word}", f"use commas, or {filetext.RESAVE}")]
    missing = [column for column in columns if column not in names]
    if len(missing) == len(columns):
        return [Problem(file, line, "the header row is missing", f'begin the file with "{",".join(columns)}"')]
    faults = []
    for name in dict.fromkeys(names):
        if name not in columns:
            cure = f"remove or rename it{did_you_mean(name, missing)}"
            faults.append(Problem(file, line, f'the column "{name}" is unknown', cure))
        elif names.count(name) > 1:
            faults.append(Problem(file, line, f'the column "{name}" stands there twice', "keep one of them"))
    for column in missing:
        cure = f'the header is "{",".join(columns)}"'
        faults.append(Problem(file, line, f'the column "{column}" is missing', cure))
    return faults


def _count_fault(file: str, line: int, found: int, expected: int) -> Problem:
    cure = (
        "put a cell that holds a comma into double quotes"
        if found > expected
        else "add the missing commas (an empty cell needs its comma too)"
    )
    return Problem(file, line, f"the row has {found} cells where {expected} are expected", cure)
