"""Two states of the record compared: every row that differs, counted, named and made ready for a reviewer. Reads no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from crawl import diffhistory, difftables, gatechecks, watch
from crawl.diffrecords import (
    Article,
    DataDiff,
    Edit,
    Fault,
    Gone,
    Tally,
)
from crawl.diffrows import NOT_CONTENT, Differences, Side, differences, grouped
from crawl.difftables import Names
from crawl.exclusions import Exclusions

ARCHIVED = ("backfill", "import")
"""How articles come that no look at the newest ones found (`via`)."""

Row = Mapping[str, Any]


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
    before, after = difftables.names_of(old), difftables.names_of(new)
    found = differences(old, new)
    sorted_rows = _sort(old, new, found)
    asked = wishes or Exclusions()
    covered = gatechecks.covered(new, asked, after.slugs, after.cms)
    slugs = {**before.slugs, **after.slugs}
    fresh = [_article(row, slugs, hidden=id in covered) for id, row in sorted_rows.new.items()]
    edits = [_edit(*pair, found, slugs, hidden=id in covered) for id, pair in sorted_rows.edits.items()]
    buried_before, buried = difftables.tombstones(old), difftables.tombstones(new)
    gone = _gone(sorted_rows.gone, buried, wishes, slugs, before.cms)
    outlets = [
        replace(one, name="") if asked.covers("", one.slug) else one
        for one in _tallies((old, new), (before, after), fresh, edits, gone)
    ]
    faults = gatechecks.faults(new, old, summary_max_chars=summary_max_chars)
    faults += _present(new, covered)
    faults += [Fault("number_reused", str(id), "names another article than before") for id in sorted_rows.replaced]
    rekeyed = (right["key"] for left, right in sorted_rows.edits.values() if left["key"] != right["key"])
    faults += gatechecks.keys_twice(new, {*(row["key"] for row in sorted_rows.new.values()), *rekeyed})
    faults += _sums(outlets)
    told = DataDiff(
        old.facts, new.facts, tuple(outlets), tuple(fresh), tuple(edits), tuple(gone), sorted_rows.renumbered,
        returned=sum(row["key"] in buried_before for row in sorted_rows.new.values()),
        nights=tuple(difftables.nights(old, new)),
        forgotten=difftables.forgotten(old, new),
        coverage=difftables.coverage(old, new),
        registry=tuple(difftables.registry(old, new, before, after, asked)),
        policy=tuple(difftables.changes(old, new, "policy", "name", ("rule", "name"), skip=("id", "breaches"))),
        tombstones=(len(buried.keys() - buried_before.keys()), len(buried_before.keys() - buried.keys())),
        revisions=difftables.revisions(old, new),
        checks=tuple(difftables.checks(old, new, before, after)),
        silences=tuple(diffhistory.silences(old, new, after)),
        strange_hosts=tuple(diffhistory.strange_hosts(old, fresh, edits, after)),
        faults=tuple(faults),
        wishes=None if wishes is None else len(wishes.rows),
    )  # fmt: skip
    if not new.no_text:
        return told
    return replace(
        told, faults=(*faults, Fault("no_text", "", f"{new.no_text} of the texts that were read are not UTF-8"))
    )


def _present(new: Side, covered: Mapping[int, str]) -> list[Fault]:
    """Articles that can be read though they are left out, by key and reason (P60)."""
    rows = sorted(new.rows("articles", covered).items())
    return [Fault("excluded_present", row["key"].hex(), covered[id]) for id, row in rows]


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
    hidden = hidden or "noindex" in (left.get("withheld"), right.get("withheld"))
    return Edit(_article(left, slugs, hidden=hidden), _article(right, slugs, hidden=hidden), tuple(fields or differing))


def _gone(
    rows: Mapping[int, Row], buried: Mapping[bytes, str], wishes: Exclusions | None, slugs: Mapping[int, str],
    cms: Mapping[int, str],
) -> list[Gone]:  # fmt: skip
    found = []
    for row in rows.values():
        slug = slugs.get(row["outlet"], "")
        wish = gatechecks.wish(
            wishes or Exclusions(), row["key"], row["url"], slug, cms.get(row["source"], ""), row["byline"]
        )
        reason = buried.get(row["key"], wish)
        asked = wish is not None or (wishes is None and reason is not None)
        found.append(Gone(row["key"].hex(), slug, reason or "", asked))
    return found


# -- counts --------------------------------------------------------------------------------------------------------


def _tallies(
    sides: tuple[Side, Side], names: tuple[Names, Names], fresh: list[Article], edits: list[Edit], gone: list[Gone]
) -> list[Tally]:
    """Every outlet of either side, by slug."""
    old, (was, now) = sides[0], names
    before, after = map(_counts, sides)
    by_slug = {slug: number for one in names for number, slug in one.slugs.items()}
    news = grouped((one.outlet, one) for one in fresh)
    changed = grouped((one.after.outlet, one) for one in edits)
    went = grouped((one.outlet, one) for one in gone)
    many = {slug for slug, listed in news.items() if len(listed) >= watch.MASS}
    retitled = {slug: [e for e in listed if "title" in e.fields] for slug, listed in changed.items()}
    shaken = {slug for slug, listed in retitled.items() if len(listed) >= watch.MASS}
    newest = diffhistory.newest(old, [by_slug[slug] for slug in shaken])
    busiest = diffhistory.busiest(old, [by_slug[slug] for slug in many])
    known = diffhistory.known_titles(old, [one for slug in many for one in news[slug]], by_slug)
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


def _sums(outlets: Iterable[Tally]) -> list[Fault]:
    """An outlet whose numbers do not add up has articles that changed hands, or this comparison is wrong."""
    return [
        Fault("sums_differ", one.slug, f"{one.before} + {one.new + one.archived} - {one.gone} is not {one.after}")
        for one in outlets
        if one.before + one.new + one.archived - one.gone != one.after
    ]
