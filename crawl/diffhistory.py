"""What only the history of an outlet tells: whether a night is like it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from crawl import gatechecks, status, urls, watch
from crawl.clock import DAY_S
from crawl.diffrecords import Article, Edit, Silence, StrangeHost
from crawl.diffrows import Side
from crawl.difftables import Names, by
from crawl.shown import moment

NEWEST = 30
"""A source shows about so many articles at once: what changes in all of them changes at the outlet, not in the archive."""

KST_S = 9 * 3600


def newest(side: Side, outlets: Iterable[int]) -> dict[int, frozenset[int]]:
    """The numbers of the newest articles of some outlets."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for outlet, id in side.each(
        "SELECT outlet, id FROM main.articles WHERE url <> '' AND outlet IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(sorted(outlets)),),
    ):
        found[outlet].append(id)
    return {outlet: frozenset(ids[-NEWEST:]) for outlet, ids in found.items()}


def busiest(side: Side, outlets: Iterable[int]) -> dict[int, int]:
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


def known_titles(side: Side, fresh: Iterable[Article], numbers: Mapping[str, int]) -> dict[int, int]:
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


def silences(old: Side, new: Side, names: Names) -> list[Silence]:
    """Sources that fell silent since: told once, in the night it becomes true, by the rule `status` goes by."""
    moments = [max((row["started"] for row in by(side, "nights", "id").values()), default=0) for side in (old, new)]
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
            found.append(Silence(names.owners.get(id, ""), names.urls.get(id, ""), moment(newest[id], 10)))
    return sorted(found, key=lambda one: (one.outlet, one.url))


def strange_hosts(old: Side, fresh: list[Article], edits: list[Edit], names: Names) -> list[StrangeHost]:
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
