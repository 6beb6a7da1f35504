"""The registry: outlets.csv, sources.csv and exclusions.csv to checked records, or every problem at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crawl import csvtable, exclusions, hub, registrycheck, registryrows
from crawl.cells import Findings
from crawl.csvtable import Table
from crawl.errors import Problem, RegistryInvalid
from crawl.exclusions import EXCLUSION_COLUMNS, Exclusions
from crawl.model import Outlet, Source
from crawl.registryrows import OUTLET_COLUMNS, SOURCE_COLUMNS

COLUMNS = {"outlets.csv": OUTLET_COLUMNS, "sources.csv": SOURCE_COLUMNS, "exclusions.csv": EXCLUSION_COLUMNS}
ORDER = {
    "outlets.csv": ("slug",),
    "sources.csv": ("outlet", "kind", "url"),
    "exclusions.csv": ("scope", "key"),
}
"""How the rows of each file are sorted."""


@dataclass(frozen=True, slots=True)
class Registry:
    """Everything registered, in the order of the files."""

    outlets: tuple[Outlet, ...]
    sources: tuple[Source, ...]
    exclusions: Exclusions


def parse(files: Mapping[str, bytes]) -> Registry:
    """The registry as `check` wants it. `files`: bytes by path as shown to people ("data/outlets.csv"), other
    files are ignored. Raises RegistryInvalid with every problem of every file."""
    registry, found = _read(files)
    if found.wrong or found.bearable:
        raise RegistryInvalid(found.wrong + found.bearable)
    return registry


def for_night(files: Mapping[str, bytes]) -> Registry:
    """The registry as a night takes it: like `parse`, but bearing what cannot lead to a wrong request.

    Rows out of order or untidily written are read as `check --fix` would write them. Rows that an exclusion
    covers stay, so that one new row in exclusions.csv takes effect the same night (P60): the gate refuses
    them.
    """
    registry, found = _read(files)
    if found.wrong:
        raise RegistryInvalid(found.wrong)
    return registry


def tables(files: Mapping[str, bytes]) -> dict[str, Table]:
    """The three tables by their plain file name; a missing file is an unreadable table."""
    paths = {path.replace("\\", "/").rpartition("/")[2]: path for path in files}
    read = {}
    for name, columns in COLUMNS.items():
        if name in paths:
            read[name] = csvtable.read(files[paths[name]], paths[name], columns)
        else:
            folder = next(iter(files), "").replace("\\", "/").rpartition("/")[0]
            path = f"{folder}/{name}" if folder else name
            gone = Problem(path, 1, "the file is missing", 'restore it, or let "python -m crawl init" make a new one')
            read[name] = Table(path, columns, (), unreadable=(gone,))
    return read


def empty() -> dict[str, bytes]:
    """The valid files that `init` writes, by plain file name: tables without rows and the hub.toml to fill
    in."""
    files = {name: csvtable.write(columns, ()) for name, columns in COLUMNS.items()}
    return files | {"hub.toml": hub.TEMPLATE.encode("utf-8")}


def _read(files: Mapping[str, bytes]) -> tuple[Registry, Findings]:
    found = Findings()
    read = tables(files)
    for name, table in read.items():
        found.wrong.extend(table.unreadable)
        found.bearable.extend(table.untidy)
        registrycheck.order(table, ORDER[name], found)
    outlet_table, source_table, exclusion_table = (read[name] for name in COLUMNS)
    outlets = [registryrows.outlet(outlet_table, row, found) for row in outlet_table.rows]
    sources = [registryrows.source(source_table, row, found) for row in source_table.rows]
    wishes = [w for row in exclusion_table.rows if (w := exclusions.exclusion(exclusion_table, row, found))]
    registrycheck.slugs(outlet_table.file, outlets, found)
    registrycheck.unfilled(outlet_table.file, outlets, found)
    registrycheck.universities(outlet_table.file, outlets, found)
    if not outlet_table.unreadable:
        registrycheck.owners(source_table.file, sources, outlets, found)
    registrycheck.twins(source_table.file, sources, found)
    registrycheck.banned(outlet_table.file, ((p.line, p.record.homepage) for p in outlets), found)
    registrycheck.banned(source_table.file, ((p.line, p.record.url) for p in sources), found)
    registrycheck.repeated(exclusion_table.file, wishes, found)
    registrycheck.left_out(
        (outlet_table.file, source_table.file, exclusion_table.file), outlets, sources, wishes, found
    )
    registry = Registry(
        tuple(p.record for p in outlets),
        tuple(p.record for p in sources),
        Exclusions(p.record for p in wishes),
    )
    return registry, found
