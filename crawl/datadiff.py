"""Two states of the record compared: every row that differs, counted, named and made ready for a reviewer. Reads no clock."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from crawl import gatechecks, status, urls, watch
from crawl.clock import DAY_S, kst_day
from crawl.diffrecords import (
    Article,
    CheckFact,
    Coverage,
    DataDiff,
    Edit,
    Fault,
    Gone,
    NightFact,
    RowChange,
    Silence,
    StrangeHost,
    Tally,
)
from crawl.diffrows import NOT_CONTENT, Differences, Side, differences, grouped
from crawl.exclusions import Exclusions
from crawl.model import HEALTHY

NEWEST = 30
"""A source shows about so many articles at once: what changes in all of them changes at the outlet, not in the archive."""

ARCHIVED = ("backfill", "import")
"""How articles come that no look at the newest ones found (`via`)."""

KST_S = 9 * 3600

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Names:
    """What the numbers of one side mean: outlets' slugs and names, sources' addresses, systems and outlets."""

    slugs: Mapping[int, str]
    names: Mapping[int, str]
    urls: Mapping[int, str]
    cms: Mapping[int, str]
    owners: Mapping[int, str]
    homepages: Mapping[int, str]
    listed: frozenset[int]


@dataclass(slots=True)
class _Sorted:
    """Article rows by what became of them; `replaced`: numbers that name another article than before."""

    new: dict[int, Row]
    edits: dict[int, tuple[Row, Row]]
    gone: dict[int, Row]
    renumbered: int
    replaced: list[int]


def compare(old: Side, new: Side, wishes: Exclusions | None, *, summary_max_chars: int) -> DataDiff:
    """What lies between two states of the record.

    `wishes`: who is left out by exclusions.csv; None where there is no such file, then tombstones alone are asked.
    """
    before, after = _names(old), _names(new)
    found = differences(old, new)
    sorted_rows = _sort(old, new, found)
    asked = wishes or Exclusions()
    covered = gatechecks.covered(new, asked, after.slugs, after.cms)
    slugs = {**before.slugs, **after.slugs}
    fresh = [_article(row, slugs, hidden=id in covered) for id, row in sorted_rows.new.items()]
    edits = [_edit(*pair, found, slugs, hidden=id in covered) for id, pair in sorted_rows.edits.items()]
    buried_before, buried = _tombstones(old), _tombstones(new)
    gone = _gone(sorted_rows.gone, buried, asked, slugs, before.cms)
    outlets = [
        replace(one, name="") if asked.covers("", one.slug) else one
        for one in _tallies(old, new, sorted_rows, fresh, edits, gone, before, after)
    ]
    same = frozenset(fact.sha256 for fact in old.facts)
    faults = gatechecks.faults(new, same, summary_max_chars=summary_max_chars)
    faults += [
        Fault("excluded_present", row["key"].hex(), covered[id])
        for id, row in sorted(new.rows("articles", covered).items())
    ]
    faults += [Fault("number_reused", str(id), "names another article than before") for id in sorted_rows.replaced]
    faults += _sums(outlets)
    return DataDiff(
        old.facts, new.facts, tuple(outlets), tuple(fresh), tuple(edits), tuple(gone), sorted_rows.renumbered,
        returned=sum(row["key"] in buried_before for row in sorted_rows.new.values()),
        nights=tuple(_nights(old, new)),
        coverage=_coverage(old, new),
        registry=tuple(_registry(old, new, before, after, asked)),
        policy=tuple(_small(old, new, "policy", "name", ("rule", "name"), skip=("id", "breaches"))),
        tombstones=(len(buried.keys() - buried_before.keys()), len(buried_before.keys() - buried.keys())),
        revisions=_revisions(old, new),
        checks=tuple(_checks(old, new, before, after)),
        silences=tuple(_silences(old, new, after)),
        strange_hosts=tuple(_strange_hosts(old, fresh, edits, after)),
        faults=tuple(faults),
        wishes=None if wishes is None else len(wishes.rows),
    )  # fmt: skip


# -- articles ------------------------------------------------------------------------------------------------------


def _sort(old: Side, new: Side, found: Differences) -> _Sorted:
    """A row without an address is one that was emptied: nobody can read it, so it is gone, and comes back when filled."""
    differing = found.changed | found.retagged
    was, now = old.rows("articles", differing | found.removed), new.rows("articles", differing | found.added)
    result = _Sorted({}, {}, {}, 0, [])
    for id in sorted(was.keys() | now.keys()):
        left, right = was.get(id), now.get(id)
        readable = bool(left and left["url"]), bool(right and right["url"])
        if left and right and all(readable) and not _another(left, right):
            result.edits[id] = (left, right)
            continue
        if left and right and all(readable):
            result.replaced.append(id)
        if left and readable[0]:
            result.gone[id] = left
        if right and readable[1]:
            result.new[id] = right
    keys = {row["key"]: id for id, row in result.gone.items()}
    for id in [id for id, row in result.new.items() if row["key"] in keys]:
        gone = keys[result.new[id]["key"]]
        result.edits[id] = (result.gone.pop(gone), result.new.pop(id))
        result.renumbered += gone != id
    result.edits = dict(sorted(result.edits.items()))
    return result


def _another(left: Row, right: Row) -> bool:
    """Whether a number names another article now: another key, and neither guid nor title to witness a move (Identity)."""
    if left["key"] == right["key"]:
        return False
    same_guid = left["guid"] is not None and left["guid"] == right["guid"] and left["source"] == right["source"]
    return not same_guid and watch.bare(left["title"]) != watch.bare(right["title"])


def _article(row: Row, slugs: Mapping[int, str], *, hidden: bool) -> Article:
    hidden = hidden or row.get("withheld") == "noindex"
    told = {"url": "", "title": "", "summary": "", "media_url": ""} if hidden else row
    return Article(
        row["id"], row["key"].hex(), slugs.get(row["outlet"], ""), row["source"], row["kind"], told["url"], told["title"],
        told["summary"], row["published"], row["precision"], row["first_seen"], row["via"], told["media_url"] or "", hidden,
    )  # fmt: skip


def _edit(left: Row, right: Row, found: Differences, slugs: Mapping[int, str], *, hidden: bool) -> Edit:
    differing = [name for name in left if name in right and name != "id" and left[name] != right[name]]
    fields = [name for name in differing if name not in NOT_CONTENT]
    fields += ["tags"] if right["id"] in found.retagged else []
    hidden = hidden or right.get("withheld") == "noindex"
    return Edit(_article(left, slugs, hidden=hidden), _article(right, slugs, hidden=hidden), tuple(fields or differing))


def _gone(
    rows: Mapping[int, Row], buried: Mapping[bytes, str], wishes: Exclusions, slugs: Mapping[int, str], cms: Mapping[int, str]
) -> list[Gone]:  # fmt: skip
    found = []
    for row in rows.values():
        slug = slugs.get(row["outlet"], "")
        reason = buried.get(row["key"])
        if reason is None:
            reason = gatechecks.wish(wishes, row["key"], row["url"], slug, cms.get(row["source"], ""), row["byline"])
        found.append(Gone(row["key"].hex(), slug, reason or ""))
    return found


# -- counts --------------------------------------------------------------------------------------------------------


def _tallies(
    old: Side, new: Side, rows: _Sorted, fresh: list[Article], edits: list[Edit], gone: list[Gone], was: _Names, now: _Names
) -> list[Tally]:  # fmt: skip
    """Every outlet of either side, by slug."""
    before, after = _counts(old), _counts(new)
    by_slug = {slug: number for names in (was, now) for number, slug in names.slugs.items()}
    news = grouped((one.outlet, one) for one in fresh)
    changed = grouped((one.after.outlet, one) for one in edits)
    went = grouped((one.outlet, one) for one in gone)
    many = {slug for slug, listed in news.items() if len(listed) >= watch.MASS}
    retitled = {slug: [e for e in listed if "title" in e.fields] for slug, listed in changed.items()}
    shaken = {slug for slug, listed in retitled.items() if len(listed) >= watch.MASS}
    newest = _newest(old, [by_slug[slug] for slug in shaken])
    busiest = _busiest(old, [by_slug[slug] for slug in many])
    known = _known_titles(old, [one for slug in many for one in news[slug]], by_slug)
    found = []
    for slug, number in sorted(by_slug.items()):
        top = newest.get(number, frozenset())
        own, lost = news.get(slug, []), went.get(slug, [])
        archived = sum(one.via in ARCHIVED for one in own)
        found.append(
            Tally(
                slug, now.names.get(number, was.names.get(number, "")), before.get(number, 0), len(own) - archived, archived,
                len(changed.get(slug, [])), len(retitled.get(slug, [])), len(lost), sum(not one.reason for one in lost),
                after.get(number, 0), len(top), sum(one.before.id in top for one in retitled.get(slug, [])),
                busiest.get(number, 0), known.get(number, 0),
            )
        )  # fmt: skip
    return found


def _counts(side: Side) -> Counter[int]:
    total: Counter[int] = Counter()
    for outlet, count in side.each("SELECT outlet, count(*) FROM main.articles WHERE url <> '' GROUP BY outlet"):
        total[outlet] += count
    return total


def _newest(side: Side, outlets: Iterable[int]) -> dict[int, frozenset[int]]:
    """The numbers of the newest articles of some outlets."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for outlet, id in side.each(
        "SELECT outlet, id FROM main.articles WHERE url <> '' AND outlet IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(sorted(outlets)),),
    ):
        found[outlet].append(id)
    return {outlet: frozenset(ids[-NEWEST:]) for outlet, ids in found.items()}


def _busiest(side: Side, outlets: Iterable[int]) -> dict[int, int]:
    """The most articles some outlets had on one Korean day."""
    days: Counter[tuple[int, int]] = Counter()
    for outlet, day, count in side.each(
        f"""SELECT outlet, (published + {KST_S}) / {DAY_S} AS day, count(*) FROM main.articles
            WHERE published IS NOT NULL AND outlet IN (SELECT value FROM json_each(?)) GROUP BY outlet, day""",
        (json.dumps(sorted(outlets)),),
    ):
        days[outlet, day] += count
    found: dict[int, int] = {}
    for (outlet, _), count in days.items():
        found[outlet] = max(count, found.get(outlet, 0))
    return found


def _known_titles(side: Side, fresh: Iterable[Article], numbers: Mapping[str, int]) -> dict[int, int]:
    """How many new articles have a title that their outlet had before; names of columns, which are short, do not count."""
    wanted = Counter(
        (numbers[one.outlet], one.title)
        for one in fresh
        if not one.hidden and len(watch.bare(one.title)) >= watch.LONG_HEADLINE_CHARS
    )
    seen = set(
        side.each(
            """SELECT DISTINCT outlet, title FROM main.articles WHERE url <> '' AND (outlet, title) IN
               (SELECT value ->> 0, value ->> 1 FROM json_each(?))""",
            (json.dumps(sorted(wanted)),),
        )
    )
    found: Counter[int] = Counter()
    for place in seen:
        found[place[0]] += wanted[place]
    return dict(found)


def _sums(outlets: Iterable[Tally]) -> list[Fault]:
    """An outlet whose numbers do not add up has articles that changed hands, or this comparison is wrong."""
    return [
        Fault("sums_differ", one.slug, f"{one.before} + {one.new + one.archived} - {one.gone} is not {one.after}")
        for one in outlets
        if one.before + one.new + one.archived - one.gone != one.after
    ]


# -- the small tables ----------------------------------------------------------------------------------------------


def _names(side: Side) -> _Names:
    outlets, sources = _by(side, "outlets", "id"), _by(side, "sources", "id")
    slugs = {number: str(row["slug"]) for number, row in outlets.items()}
    return _Names(
        slugs,
        {number: str(row["name"]) for number, row in outlets.items()},
        {number: str(row["url"]) for number, row in sources.items()},
        {number: str(row["cms"]) for number, row in sources.items()},
        {number: slugs.get(row["outlet"], "") for number, row in sources.items()},
        {number: str(row["homepage"]) for number, row in outlets.items()},
        frozenset(number for number, row in sources.items() if row["listed"]),
    )


def _by(side: Side, table: str, key: str) -> dict[Any, Row]:
    columns, rows = side.small(table)
    found = (dict(zip(columns, row, strict=True)) for row in rows)
    return {row[key]: row for row in found}


def _tombstones(side: Side) -> dict[bytes, str]:
    return {key: row["reason"] for key, row in _by(side, "tombstones", "key").items()}


def _small(
    old: Side, new: Side, table: str, key: str, named: tuple[str, ...], *, skip: tuple[str, ...] = ()
) -> list[RowChange]:
    """The changes of a small table; an empty older side has none to speak of."""
    was, now = _by(old, table, key), _by(new, table, key)
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


def _registry(old: Side, new: Side, was: _Names, now: _Names, wishes: Exclusions) -> list[RowChange]:
    """Changes of outlets and sources. Of those that are left out nothing is told but that something changed."""
    listed = set()
    for names in (was, now):
        for number, slug in names.slugs.items():
            if wishes.covers(names.homepages[number], slug):
                listed.add(("outlets", slug))
        for number, url in names.urls.items():
            if wishes.covers(url, names.owners[number], cms=names.cms[number]):
                listed.add(("sources", f"{number} {url}"))
    changes = _small(old, new, "outlets", "id", ("slug",)) + _small(old, new, "sources", "id", ("id", "url"))
    return [_unnamed(one) if (one.table, one.name) in listed or _emptied(one) else one for one in changes]


def _emptied(change: RowChange) -> bool:
    """Whether a row lost what names it: so does one that left, whatever exclusions.csv says here."""
    return any(column in ("name", "url") and not now for column, _, now in change.fields)


def _unnamed(change: RowChange) -> RowChange:
    name = change.name if change.table == "outlets" else change.name.partition(" ")[0]
    return RowChange(change.table, name, change.how, ())


def _nights(old: Side, new: Side) -> list[NightFact]:
    was, now = _by(old, "nights", "id"), _by(new, "nights", "id")
    names = NightFact.__dataclass_fields__
    return [NightFact(**{name: row[name] for name in names}) for id, row in sorted(now.items()) if was.get(id) != row]


def _coverage(old: Side, new: Side) -> Coverage:
    sources = {number: row for number, row in _by(new, "sources", "id").items() if row["listed"]}
    newest = {row["source"]: row for _, row in sorted(_by(new, "checks", "id").items()) if row["source"] in sources}
    ends = max((row["ended"] or row["started"] for row in _by(new, "nights", "id").values()), default=0)
    resting = [row for row in newest.values() if row["rest_until"] is not None and row["rest_until"] > ends]
    before = [row["new_articles"] for _, row in sorted(_by(old, "nights", "id").items()) if row["mode"] == "scheduled"]
    return Coverage(
        len(sources),
        len(resting),
        sum(row["reason"] == "closed_by_robots" for row in newest.values()),
        sum(row["result"] == "failed" for row in newest.values()),
        int(median(before[-14:])) if len(before) >= 5 else 0,
    )


def _revisions(old: Side, new: Side) -> tuple[int, int]:
    """Edits that are recorded anew, and recorded ones that are gone, by their numbers in all files."""
    was, now = ({row[0] for row in side.each("SELECT id FROM main.revisions")} for side in (old, new))
    return len(now - was), len(was - now)


def _checks(old: Side, new: Side, was: _Names, now: _Names) -> list[CheckFact]:
    known = _by(old, "checks", "id")
    fresh = {id: row for id, row in sorted(_by(new, "checks", "id").items()) if known.get(id) != row}
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


# -- what only the history tells -----------------------------------------------------------------------------------


def _silences(old: Side, new: Side, names: _Names) -> list[Silence]:
    """Sources that fell silent since: told once, in the night it becomes true, by the rule `status` goes by."""
    moments = [max((row["started"] for row in _by(side, "nights", "id").values()), default=0) for side in (old, new)]
    then, now = moments
    if not then or now <= then:
        return []
    columns, rows = new.small("sources")
    asked = [dict(zip(columns, row, strict=True)) for row in rows]
    ours = [row["id"] for row in asked if row["listed"] and row["state"] == "active"]
    at = "CASE WHEN published <= ?1 AND published > 0 THEN published ELSE first_seen END"
    newest: dict[int, int] = {}
    for source, time in new.each(
        f"SELECT source, max({at}) FROM main.articles WHERE url <> '' GROUP BY source", (now,)
    ):
        newest[source] = max(time, newest.get(source, time))
    quiet = [id for id in ours if id in newest and now - newest[id] > status.SILENT_AT_LEAST_S]
    days: defaultdict[int, set[int]] = defaultdict(set)
    for source, day in new.each(
        f"""SELECT DISTINCT source, {at} / {DAY_S} * {DAY_S} FROM main.articles WHERE url <> ''
            AND source IN (SELECT value FROM json_each(?2))""",
        (now, json.dumps(quiet)),
    ):
        days[source].add(day)
    found = []
    for id in quiet:
        times = sorted(days[id] | {newest[id]})
        if status.is_silent(times, now) and not status.is_silent(times, then):
            found.append(Silence(names.owners.get(id, ""), names.urls.get(id, ""), kst_day(newest[id])))
    return sorted(found, key=lambda one: (one.outlet, one.url))


def _strange_hosts(old: Side, fresh: list[Article], edits: list[Edit], names: _Names) -> list[StrangeHost]:
    """Servers that an outlet's new or changed links lead to, and never did: neither its articles', sources' nor home page's.

    An outlet without earlier articles has no habits yet; a film's address at YouTube is no habit either.
    """
    links: Counter[tuple[str, str]] = Counter()
    changed = [one.after for one in edits if {"url", "media_url"} & set(one.fields)]
    for one in [*fresh, *changed]:
        for url in {one.url, one.media_url} if one.kind != "video" else ():
            if url and gatechecks.is_link(url):
                links[one.outlet, urls.server(url)] += 1
    numbers = {slug: number for number, slug in names.slugs.items()}
    own = {(slug, _server(names.homepages[number])) for number, slug in names.slugs.items()}
    own |= {(names.owners[number], _server(url)) for number, url in names.urls.items()}
    left = {place: count for place, count in links.items() if place not in own}
    if not left:
        return []
    asked = sorted({numbers[slug] for slug, _ in left if slug in numbers})
    used = set()
    for outlet, place in _hosts_used(old, asked):
        used.add((names.slugs.get(outlet, ""), _server(f"https://{place}/")))
    habits = {slug for slug, _ in used}
    return [
        StrangeHost(slug, server, count)
        for (slug, server), count in sorted(left.items())
        if (slug, server) not in used and slug in habits
    ]


def _hosts_used(side: Side, outlets: list[int]) -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for column in ("url", "media_url"):
        rest = f"substr({column}, instr({column}, '://') + 3)"
        found |= set(
            side.each(
                f"""SELECT DISTINCT outlet, substr({rest}, 1, instr({rest} || '/', '/') - 1) FROM main.articles
                    WHERE {column} <> '' AND outlet IN (SELECT value FROM json_each(?))""",
                (json.dumps(outlets),),
            )
        )
    return found


def _server(url: str) -> str:
    try:
        return urls.server(url)
    except ValueError:
        return urlsplit(url).netloc if url.isascii() else ""
