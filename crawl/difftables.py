"""What differs in the small tables of the record: outlets, sources, promises, nights and outcomes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from crawl.diffrecords import CheckFact, Coverage, NightFact, RowChange
from crawl.diffrows import Side
from crawl.exclusions import Exclusions
from crawl.model import HEALTHY

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Names:
    """What the numbers of one side mean: outlets' slugs and names, sources' addresses, systems and outlets."""

    slugs: Mapping[int, str]
    names: Mapping[int, str]
    urls: Mapping[int, str]
    cms: Mapping[int, str]
    owners: Mapping[int, str]
    homepages: Mapping[int, str]
    listed: frozenset[int]


def names_of(side: Side) -> Names:
    outlets, sources = by(side, "outlets", "id"), by(side, "sources", "id")
    slugs = {number: str(row["slug"]) for number, row in outlets.items()}
    return Names(
        slugs,
        {number: str(row["name"]) for number, row in outlets.items()},
        {number: str(row["url"]) for number, row in sources.items()},
        {number: str(row["cms"]) for number, row in sources.items()},
        {number: slugs.get(row["outlet"], "") for number, row in sources.items()},
        {number: str(row["homepage"]) for number, row in outlets.items()},
        frozenset(number for number, row in sources.items() if row["listed"]),
    )


def by(side: Side, table: str, key: str) -> dict[Any, Row]:
    columns, rows = side.small(table)
    found = (dict(zip(columns, row, strict=True)) for row in rows)
    return {row[key]: row for row in found}


def tombstones(side: Side) -> dict[bytes, str]:
    return {key: row["reason"] for key, row in by(side, "tombstones", "key").items()}


def changes(
    old: Side, new: Side, table: str, key: str, named: tuple[str, ...], *, skip: tuple[str, ...] = ()
) -> list[RowChange]:
    """The changes of a small table; an empty older side has none to speak of."""
    was, now = by(old, table, key), by(new, table, key)
    if not was:
        return []
    found = []
    for place in sorted(was.keys() | now.keys()):
        left, right = was.get(place), now.get(place)
        name = " ".join(str((right or left or {})[column]) for column in named)
        if left is None or right is None:
            found.append(RowChange(table, name, "added" if left is None else "removed", ()))
            continue
        fields = tuple(
            (column, _told(left[column]), _told(right[column]))
            for column in left
            if column in right and column not in skip and left[column] != right[column]
        )
        if fields:
            found.append(RowChange(table, name, "changed", fields))
    return found


def _told(value: object) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def registry(old: Side, new: Side, was: Names, now: Names, wishes: Exclusions) -> list[RowChange]:
    """Changes of outlets and sources. Of those that are left out nothing is told but that something changed."""
    listed = set()
    for names in (was, now):
        for number, slug in names.slugs.items():
            if wishes.covers(names.homepages[number], slug):
                listed.add(("outlets", slug))
        for number, url in names.urls.items():
            if wishes.covers(url, names.owners[number], cms=names.cms[number]):
                listed.add(("sources", f"{number} {url}"))
    found = changes(old, new, "outlets", "id", ("slug",)) + changes(old, new, "sources", "id", ("id", "url"))
    return [_unnamed(one) if (one.table, one.name) in listed or _emptied(one) else one for one in found]


def _emptied(change: RowChange) -> bool:
    """Whether a row lost what names it: so does one that left, whatever exclusions.csv says here."""
    return any(column in ("name", "url") and not now for column, _, now in change.fields)


def _unnamed(change: RowChange) -> RowChange:
    name = change.name if change.table == "outlets" else change.name.partition(" ")[0]
    return RowChange(change.table, name, change.how, ())


def nights(old: Side, new: Side) -> list[NightFact]:
    was, now = by(old, "nights", "id"), by(new, "nights", "id")
    names = NightFact.__dataclass_fields__
    return [NightFact(**{name: row[name] for name in names}) for id, row in sorted(now.items()) if was.get(id) != row]


def forgotten(old: Side, new: Side) -> tuple[int, int]:
    """Nights and outcomes that are gone: with them goes what was sent, what is missing, and who asked for rest until when."""
    nights, checks = (len(by(old, table, "id").keys() - by(new, table, "id").keys()) for table in ("nights", "checks"))
    return nights, checks


def coverage(old: Side, new: Side) -> Coverage:
    sources = {number: row for number, row in by(new, "sources", "id").items() if row["listed"]}
    newest = {row["source"]: row for _, row in sorted(by(new, "checks", "id").items()) if row["source"] in sources}
    ends = max((row["ended"] or row["started"] for row in by(new, "nights", "id").values()), default=0)
    resting = [row for row in newest.values() if row["rest_until"] is not None and row["rest_until"] > ends]
    before = [row["new_articles"] for _, row in sorted(by(old, "nights", "id").items()) if row["mode"] == "scheduled"]
    return Coverage(
        len(sources),
        len(resting),
        sum(row["reason"] == "closed_by_robots" for row in newest.values()),
        sum(row["result"] == "failed" for row in newest.values()),
        int(median(before[-14:])) if len(before) >= 5 else 0,
    )


def revisions(old: Side, new: Side) -> tuple[int, int]:
    """Edits that are recorded anew, and recorded ones that are gone, by their numbers in all files."""
    was, now = ({row[0] for row in side.each("SELECT id FROM main.revisions")} for side in (old, new))
    return len(now - was), len(was - now)


def checks(old: Side, new: Side, was: Names, now: Names) -> list[CheckFact]:
    known = by(old, "checks", "id")
    fresh = {id: row for id, row in sorted(by(new, "checks", "id").items()) if known.get(id) != row}
    newest = {row["source"]: row for row in fresh.values()}
    counts = Counter(dict(side_rows) if (side_rows := _per_source(old, newest)) else {})  # articles each had before
    return [
        CheckFact(now.owners.get(source, ""), now.urls.get(source, ""), row["result"], row["reason"], row["status"],
                  counts[source])
        for source, row in sorted(newest.items())
        if row["result"] not in HEALTHY
    ]  # fmt: skip


def _per_source(side: Side, sources: Iterable[int]) -> list[tuple[int, int]]:
    total: Counter[int] = Counter()
    for source, count in side.each(
        """SELECT source, count(*) FROM main.articles WHERE url <> '' AND source IN (SELECT value FROM json_each(?))
           GROUP BY source""",
        (json.dumps(sorted(sources)),),
    ):
        total[source] += count
    return list(total.items())
