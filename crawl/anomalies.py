"""What a reviewer must see in a diff: each anomaly a pure function of the facts, and the verdict they add up to."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from crawl import spamwords, watch
from crawl.clock import DAY_S, kst_midnight
from crawl.diffrecords import Anomaly, Article, DataDiff, Review, Tally, Verdict
from crawl.diffrows import grouped
from crawl.gatechecks import is_link
from crawl.policy import Policy
from crawl.shown import moment

SAMPLES = 3
SHARE = 3
"""More than one in three."""

LOST_MANY, LOST_SOME, LOST_SHARE = 20, 5, 10
"""Rows an outlet may not lose without a wish: so many, or so few if they are more than one in ten."""

BEFORE_ALL_PAPERS = int(kst_midnight("1946-01-01"))

NIGHT_WITH_MANY = 20
"""New articles a night usually brings, so that a night with none is a sign."""

FLOOD = 3
"""So many times more on one day than on the busiest ever."""

_EMPTY = ("held_empty", "list_empty", "not_a_list", "empty_body", "board_message")
"""Named outcomes that mean: nothing is left where there was something."""

_WATCHED = ("held_damaged", "held_skin", "held_moved", "held_dates")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|nbsp|#\d{2,5}|#x[0-9a-f]{2,4});", re.IGNORECASE)

Found = Iterator[Anomaly]


def review(diff: DataDiff) -> Review:
    """The facts with every anomaly in them, the worst first, and the verdict."""
    found = [one for ask in QUESTIONS for one in ask(diff)]
    weights = ("block", "look", "proposal")
    found.sort(
        key=lambda one: (weights.index(one.weight), [ask.__name__ for ask in QUESTIONS].index(one.name), one.outlet)
    )
    verdict: Verdict = "BLOCK" if any(one.weight == "block" for one in found) else "LOOK" if found else "PASS"
    return Review(diff, tuple(found), verdict)


# -- what the gate refuses -----------------------------------------------------------------------------------------


def fault(diff: DataDiff) -> Found:
    """Whatever the gate found in the files themselves, an excluded key above all (P60)."""
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for one in diff.faults:
        by_name[one.name].append(f"{one.subject}: {one.told}".strip(": "))
    for name, told in by_name.items():
        yield Anomaly("fault", "block", "", f"{name} ({len(told)})", tuple(told[:10]))


def lost_rows(diff: DataDiff) -> Found:
    """An outlet lost articles that nobody asked to be removed."""
    for one in diff.outlets:
        lost = one.unexplained
        if lost >= LOST_MANY or (lost >= LOST_SOME and LOST_SHARE * lost > one.before):
            yield Anomaly(
                "lost_rows", "block", one.slug, f"{lost} of {one.before} articles are gone without an exclusion"
            )
        elif lost:
            yield Anomaly(
                "lost_rows", "look", one.slug, f"{_many(lost, 'article is', 'articles are')} gone without an exclusion"
            )


def unasked(diff: DataDiff) -> Found:
    """Articles were emptied with a tombstone that no row of exclusions.csv explains."""
    for slug, listed in sorted(grouped((one.outlet, one) for one in diff.gone if one.reason and not one.asked).items()):
        told = f"{_many(len(listed), 'article is', 'articles are')} left out, and no row of exclusions.csv asks for it"
        yield Anomaly("unasked", "look", slug, told, tuple(one.key for one in listed[:SAMPLES]))


def bad_link(diff: DataDiff) -> Found:
    """A new or changed link that is no http or https address, or carries credentials."""
    for slug, listed in _by_outlet(_touched(diff)).items():
        bad = [one for one in listed if not all(is_link(url) for url in (one.url, one.media_url) if url)]
        if bad:
            yield Anomaly("bad_link", "block", slug, f"{_many(len(bad), 'link', 'links')} not to be followed",
                          tuple(one.url for one in bad[:SAMPLES]))  # fmt: skip


def long_summary(diff: DataDiff) -> Found:
    """More of a summary than may be kept (P02)."""
    limit = Policy().summary_max_chars
    for slug, listed in _by_outlet(_touched(diff)).items():
        long = [one for one in listed if len(one.summary) > limit]
        if long:
            yield Anomaly("long_summary", "block", slug, f"{_many(len(long), 'summary', 'summaries')} over {limit} characters",
                          tuple(one.title for one in long[:SAMPLES]))  # fmt: skip


# -- what a person must look at ------------------------------------------------------------------------------------


def breach(diff: DataDiff) -> Found:
    """A night broke a promise. The record of it must be published, so it does not block; but somebody must read it."""
    for night in diff.nights:
        if night.breaches:
            yield Anomaly(
                "breach",
                "look",
                "",
                f"the night of {night.day} broke a promise {_many(night.breaches, 'time', 'times')}",
            )


def unfinished(diff: DataDiff) -> Found:
    """A night that never ended, or in which fewer than half of the due sources answered."""
    for night in diff.nights:
        if night.ended is None:
            yield Anomaly("unfinished", "look", "", f"the night of {night.day} was broken off")
        elif 2 * (night.ok + night.unchanged) < night.due - night.refused:
            told = f"{night.ok + night.unchanged} of {night.due} due sources answered well in the night of {night.day}"
            yield Anomaly("unfinished", "look", "", told)


def nothing_new(diff: DataDiff) -> Found:
    """A whole night without an article where nights usually bring many."""
    usual = diff.coverage.usual_new
    for night in diff.nights:
        if night.mode == "scheduled" and night.due and not night.new_articles and usual >= NIGHT_WITH_MANY:
            yield Anomaly(
                "nothing_new", "look", "", f"the night of {night.day} brought nothing, usually {usual} articles come"
            )


def emptied(diff: DataDiff) -> Found:
    """A source shows nothing where there was much."""
    for one in diff.checks:
        if one.reason in _EMPTY and one.articles >= watch.MASS:
            told = f"shows nothing now ({one.reason}), {one.articles} articles came from it"
            yield Anomaly("emptied", "look", one.outlet, told, (one.url,))


def held(diff: DataDiff) -> Found:
    """A source that holds itself: what it shows was not filed."""
    for one in diff.checks:
        if one.reason.partition(":")[0] in _WATCHED:
            yield Anomaly("held", "look", one.outlet, f"holds itself ({one.reason})", (one.url,))


def silent(diff: DataDiff) -> Found:
    """A source that fell silent far beyond its own rhythm, told in the night it becomes true."""
    for one in diff.silences:
        yield Anomaly(
            "silent", "look", one.outlet, f"nothing new since {one.newest}, far beyond its rhythm", (one.url,)
        )


def mass_edit(diff: DataDiff) -> Found:
    """More than a third of an outlet's titles changed at once, of all or of those a list page shows: a template changed."""
    for one in diff.outlets:
        of_all = SHARE * one.retitled > one.before
        of_newest = SHARE * one.retitled_newest > one.newest
        if one.retitled >= watch.MASS and (of_all or of_newest):
            told = f"{one.retitled} titles changed at once, {one.retitled_newest} of its newest {one.newest}"
            yield Anomaly("mass_edit", "look", one.slug, told)


def damaged_text(diff: DataDiff) -> Found:
    """Titles with the marks of a wrong encoding or of markup: a few are slips, a third of what came is damage."""
    for slug, listed in _by_outlet(_retold(diff)).items():
        broken = [one for one in listed if watch.is_misread(one.title) or _ENTITY.search(one.title)]
        if len(broken) >= watch.DAMAGED_AT_LEAST and SHARE * len(broken) > len(listed):
            told = f"{len(broken)} of {len(listed)} new or changed titles are damaged"
            yield Anomaly("damaged_text", "look", slug, told, tuple(one.title for one in broken[:SAMPLES]))


def odd_date(diff: DataDiff) -> Found:
    """Dates of the future, or before there were campus papers of today."""
    dated = [*diff.new, *(edit.after for edit in diff.edits if "published" in edit.fields)]
    for slug, listed in _by_outlet(dated).items():
        future = [one for one in listed if one.published is not None and one.published > one.first_seen + DAY_S]
        ancient = [one for one in listed if one.published is not None and one.published < BEFORE_ALL_PAPERS]
        for odd, what in ((future, "later than the day after we saw it"), (ancient, "before 1946")):
            if odd:
                samples = tuple(f"{_day(one.published or 0)} {one.title}" for one in odd[:SAMPLES])
                yield Anomaly("odd_date", "look", slug, f"{_many(len(odd), 'date', 'dates')} {what}", samples)


def one_date(diff: DataDiff) -> Found:
    """All new articles of an outlet bear one moment, or one day such as it never had; or known ones were moved to one day."""
    sizes = {one.slug: one.busiest_day for one in diff.outlets}
    for slug, listed in _by_outlet(diff.new).items():
        times = {one.published for one in listed}
        if len(times) == 1 and None not in times and len(listed) >= watch.MASS:
            at = listed[0].published or 0
            timed = all(one.precision in ("second", "minute") for one in listed)
            if timed or (len(listed) >= watch.WHOLE_DAY_MASS and len(listed) > 2 * sizes.get(slug, 0)):
                yield Anomaly(
                    "one_date", "look", slug, f"all {len(listed)} new articles are of {_day(at)}, to the same moment"
                )
    redated: defaultdict[str, list[int]] = defaultdict(list)
    for edit in diff.edits:
        if "published" in edit.fields and edit.before.published is not None and edit.after.published is not None:
            redated[edit.after.outlet].append(edit.after.published)
    for slug, moments in sorted(redated.items()):
        days = {_day(at) for at in moments}
        if len(moments) >= watch.MASS and len(days) == 1:
            yield Anomaly("one_date", "look", slug, f"{len(moments)} known articles were all redated to {days.pop()}")


def flood(diff: DataDiff) -> Found:
    """More new articles of one day than an outlet ever had, several times over: a board full of adverts, or two sites in one."""
    sizes = {one.slug: one.busiest_day for one in diff.outlets if one.before}
    for slug, listed in _by_outlet(diff.new).items():
        days = Counter(_day(one.published) for one in listed if one.published is not None)
        day, often = max(days.items(), key=lambda item: (item[1], item[0]), default=("", 0))
        if slug in sizes and often >= watch.WHOLE_DAY_MASS and often > FLOOD * sizes[slug]:
            told = f"{often} new articles of {day}, where no day before had more than {sizes[slug]}"
            yield Anomaly("flood", "look", slug, told, tuple(one.title for one in listed[:SAMPLES]))


def strange_host(diff: DataDiff) -> Found:
    """Links to a server the outlet never used."""
    for one in diff.strange_hosts:
        told = f"{_many(one.links, 'link leads', 'links lead')} to a server it never used"
        yield Anomaly("strange_host", "look", one.outlet, told, (one.server,))


def spam(diff: DataDiff) -> Found:
    """Adverts of gambling, sex, pills or loans: a site that was broken into."""
    for slug, listed in _by_outlet(_retold(diff)).items():
        found = [one for one in listed if spamwords.advertises(one.title) or spamwords.advertises(one.summary)]
        if found:
            told = f"{_many(len(found), 'article reads', 'articles read')} like adverts of a broken-into site"
            yield Anomaly("spam", "look", slug, told, tuple(one.title for one in found[:SAMPLES]))


def doubled(diff: DataDiff) -> Found:
    """The same long title again and again among the new articles, or new articles that are mostly known ones (I5)."""
    tallies: dict[str, Tally] = {one.slug: one for one in diff.outlets}
    for slug, listed in _by_outlet(diff.new).items():
        titles = Counter(watch.bare(one.title) for one in listed)
        title, often = max(titles.items(), key=lambda item: (item[1], item[0]))
        if often >= watch.MASS and len(title) >= watch.HEADLINE_CHARS:
            sample = next(one.title for one in listed if watch.bare(one.title) == title)
            yield Anomaly("doubled", "look", slug, f"{often} new articles bear the same title", (sample,))
        known = tallies[slug].known_titles if slug in tallies else 0
        if known >= watch.MASS and 2 * known > len(listed):
            yield Anomaly("doubled", "look", slug, f"{known} of {len(listed)} new articles have titles it had before")


def moved(diff: DataDiff) -> Found:
    """A feed moved for good: a proposal; many to one place: an alarm (P50)."""
    for move in diff.moves:
        if move.alarm:
            told = f"ALARM: {len(move.sources)} sources moved to one place at once; do not follow them unseen"
            yield Anomaly("moved", "look", "", told, (move.target, *move.sources[:10]))
        else:
            yield Anomaly(
                "moved",
                "proposal",
                "",
                "moved for good; change its address in sources.csv to",
                (move.target, *move.sources),
            )


def promise_changed(diff: DataDiff) -> Found:
    """A row of the politeness table came, went or has another value."""
    for change in diff.policy:
        told = "; ".join(f"{column} {before} → {after}" for column, before, after in change.fields) or change.how
        yield Anomaly("promise_changed", "look", "", f"{change.name}: {told}")


def memory_changed(diff: DataDiff) -> Found:
    """Nights, outcomes or edits on record lost, wishes withdrawn, articles under other numbers, a side without its files."""
    told = [
        (diff.forgotten[0], "nights on record are gone: is the older state given as the newer?"),
        (diff.forgotten[1], "recorded outcomes are gone, and with them who asked for rest"),
        (diff.tombstones[1], "tombstones are gone: their articles may come back"),
        (diff.returned, "articles came back that had been left out"),
        (diff.revisions[1] if not diff.gone else 0, "recorded edits are gone"),
        (diff.renumbered, "articles have another number than before"),
        (not diff.old_files, "the older side holds no press file: everything counts as new"),
        (diff.wishes is None, "there is no exclusions.csv: only tombstones could be asked"),
    ]
    for count, what in told:
        if count:
            yield Anomaly("memory_changed", "look", "", what if count is True else f"{count} {what}")


QUESTIONS: tuple[Callable[[DataDiff], Found], ...] = (
    fault, lost_rows, unasked, bad_link, long_summary, breach, unfinished, nothing_new, emptied, held, silent, mass_edit,
    damaged_text, odd_date, one_date, flood, strange_host, spam, doubled, moved, promise_changed, memory_changed,
)  # fmt: skip


def _touched(diff: DataDiff) -> list[Article]:
    return [one for one in (*diff.new, *(edit.after for edit in diff.edits)) if not one.hidden]


def _retold(diff: DataDiff) -> list[Article]:
    """New articles, and known ones with another title or summary."""
    edited = (edit.after for edit in diff.edits if {"title", "summary"} & set(edit.fields))
    return [one for one in (*diff.new, *edited) if not one.hidden]


def _by_outlet(listed: list[Article] | tuple[Article, ...]) -> dict[str, list[Article]]:
    found: defaultdict[str, list[Article]] = defaultdict(list)
    for one in listed:
        if not one.hidden:
            found[one.outlet].append(one)
    return dict(sorted(found.items()))


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _day(at: int) -> str:
    return moment(at, 10)
