"""What only shows when the rows of the registry are held against each other: twins, strangers, rows that may
not be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crawl import cells, declined, urls
from crawl.cells import Findings
from crawl.csvtable import MEND, Table, did_you_mean
from crawl.errors import Problem
from crawl.exclusions import Exclusion, Exclusions
from crawl.model import Outlet, Source
from crawl.registryrows import Placed

Outlets = Sequence[Placed[Outlet]]
Sources = Sequence[Placed[Source]]

UNKNOWN = "?"
"""Begins a cell that somebody who knows the outlet has still to fill in."""


def order(table: Table, by: tuple[str, ...], found: Findings) -> None:
    """Rows stand sorted, so that a review shows what changed and two people's new rows rarely collide."""
    last: tuple[str, ...] = ()
    for row in table.rows:
        key = tuple(cells.tidy(table.place(row, column)) for column in by)
        if key < last:
            what = f"the row is out of order (sorted by {', '.join(by)})"
            found.bearable.append(Problem(table.file, row.line, what, f"move it up or {MEND}"))
        last = key


def slugs(file: str, outlets: Outlets, found: Findings) -> None:
    """A slug names one outlet for ever: neither taken twice nor taken from another's past."""
    owner: dict[str, int] = {}
    for placed in outlets:
        if placed.record.slug in owner:
            what = f'the slug "{placed.record.slug}" stands in line {owner[placed.record.slug]} too'
            found.wrong.append(Problem(file, placed.line, what, "give each outlet its own slug, or remove one row"))
        owner.setdefault(placed.record.slug, placed.line)
    past: dict[str, int] = {}
    for placed in outlets:
        for former in placed.record.former:
            line = owner.get(former, past.get(former, placed.line))
            if line != placed.line:
                what = f'the former slug "{former}" belongs to the outlet in line {line} too'
                found.wrong.append(
                    Problem(file, placed.line, what, "old addresses can lead to one outlet only: keep one")
                )
            past.setdefault(former, placed.line)


def universities(file: str, outlets: Outlets, found: Findings) -> None:
    """One slug for one university and one university for one slug."""
    names: dict[str, Placed[Outlet]] = {}
    marks: dict[str, Placed[Outlet]] = {}
    for placed in outlets:
        name, mark = placed.record.university, placed.record.univ
        first = names.setdefault(mark, placed)
        if first.record.university != name:
            what = f'the univ "{mark}" is "{name}" here and "{first.record.university}" in line {first.line}'
            found.wrong.append(
                Problem(file, placed.line, what, "use one spelling, or give each university its own slug")
            )
        first = marks.setdefault(name, placed)
        if first.record.univ != mark:
            what = f'"{name}" has the univ "{mark}" here and "{first.record.univ}" in line {first.line}'
            found.wrong.append(Problem(file, placed.line, what, "use one slug for one university"))


def owners(file: str, sources: Sources, outlets: Outlets, found: Findings) -> None:
    """Every source belongs to an outlet that stands in outlets.csv and lives while the source is active."""
    known = {placed.record.slug: placed.record for placed in outlets}
    past = {former: placed.record.slug for placed in outlets for former in placed.record.former}
    for placed in sources:
        slug = placed.record.outlet
        outlet = known.get(slug)
        if outlet is None:
            cure = f"correct the name or add the outlet{did_you_mean(slug, known)}"
            if slug in past:
                cure = f'it is called "{past[slug]}" now: use that slug'
            found.wrong.append(Problem(file, placed.line, f'the outlet "{slug}" is not in outlets.csv', cure))
        elif outlet.status == "ended" and placed.record.state == "active":
            what = f'the outlet "{slug}" has ended, but this source is active'
            found.wrong.append(Problem(file, placed.line, what, 'set the state to "closed", or the outlet to "active"'))


def twins(file: str, sources: Sources, found: Findings) -> None:
    """One address is asked once a night (P11): http/https, www, m and slash twins are the same address."""
    first: dict[str, int] = {}
    for placed in sources:
        if cells.address_fault(placed.record.url) is not None:
            continue
        line = first.setdefault(urls.normal(placed.record.url), placed.line)
        if line != placed.line:
            what = f'the address "{placed.record.url}" stands in line {line} too, as it is or as a twin'
            found.wrong.append(Problem(file, placed.line, what, f"keep one of the lines {line} and {placed.line}"))


def banned(file: str, rows: Iterable[tuple[int, str]], found: Findings) -> None:
    """P04: hosts that a review has turned down stay out; `rows` are lines with their address."""
    for line, url in rows:
        if cells.address_fault(url) is not None:
            continue
        why = declined.reason_for(url)
        if why:
            cure = "remove the row, or have the reason reviewed in crawl/declined.py"
            found.wrong.append(Problem(file, line, f'"{url}" may not be registered: {why}', cure))


def unfilled(file: str, outlets: Outlets, found: Findings) -> None:
    """What `probe` could not know stands in its rows as `?what it is`, and waits for a person; free text would pass else."""
    for placed in outlets:
        record = placed.record
        for column, cell in (("name", record.name), ("name_en", record.name_en), ("university", record.university)):
            if cell.startswith(UNKNOWN):
                what = f'the cell "{column}" still says "{cell}"'
                cure = "write what is meant" + (", or leave it empty" if column == "name_en" else "")
                found.wrong.append(Problem(file, placed.line, what, cure))


def left_out(
    files: tuple[str, str, str],
    outlets: Outlets,
    sources: Sources,
    exclusions: Sequence[Placed[Exclusion]],
    found: Findings,
) -> None:
    """P60: who is left out stands no longer in the registry. A night bears it: the gate refuses such rows.

    `files`: the names of outlets.csv, sources.csv and exclusions.csv.
    """
    lines = {placed.record: placed.line for placed in exclusions}
    asked = Exclusions(placed.record for placed in exclusions)
    rows = [(files[0], p.line, p.record.slug, p.record.homepage, "") for p in outlets]
    rows += [(files[1], p.line, p.record.outlet, p.record.url, p.record.cms) for p in sources]
    for file, line, slug, url, cms in rows:
        row = asked.covers(url, slug, cms=cms)
        if row:
            who = slug if row.scope == "outlet" else url
            what = f'"{who}" is left out by {files[2]}:{lines[row]} (P60)'
            found.bearable.append(Problem(file, line, what, "remove this row; the exclusion stays"))
    past = {former: placed.record.slug for placed in outlets for former in placed.record.former}
    for placed in exclusions:
        if placed.record.scope == "outlet" and placed.record.key in past:
            what = f'"{placed.record.key}" is a former slug of "{past[placed.record.key]}"'
            found.wrong.append(Problem(files[2], placed.line, what, f'write "{past[placed.record.key]}"'))


def repeated(file: str, exclusions: Sequence[Placed[Exclusion]], found: Findings) -> None:
    """The same wish twice is one wish."""
    first: dict[tuple[str, str], int] = {}
    for placed in exclusions:
        line = first.setdefault((placed.record.scope, placed.record.key), placed.line)
        if line != placed.line:
            what = f'the key "{placed.record.key}" stands in line {line} too'
            found.wrong.append(Problem(file, placed.line, what, "keep one of the two rows"))
