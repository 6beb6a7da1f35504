"""Whether what a source shows may be believed: damage, a changed skin and old news in new clothes are held, not filed.

A held look files nothing and forgets nothing; the next night judges anew. A person lets it in by the `recheck` column of
sources.csv, and then known articles under new addresses are moved, not doubled (data.md, Identity). Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crawl.clock import DAY_S
from crawl.model import Entry, Feed, Filed

MASS = 5
"""Fewer doubtful entries are no flood: an evening's corrections, a handful of columns that always bear the same title."""

WHOLE_DOCUMENT = 3
"""A document so small that it cannot reach MASS is held when every entry of it, at least so many, is an old one again."""

HEADLINE_CHARS, LONG_HEADLINE_CHARS = 8, 12
"""Columns (사설, 만평, 이 주의 인물) bear short titles again and again: where no date helps, a title of so many signs names
one article; where the dates speak against it, only a longer one does."""

DAMAGED_AT_LEAST = 3
"""One or two broken titles are the outlet's own slips; damage of a template or of an encoding shows in all of them."""

NEWEST_TITLES = 50
CLEAN_SHARE = 10
"""Titles were clean before if not one in so many of the newest was damaged."""

STANDING_CLOCK_S = 600
"""Nobody publishes a whole page of articles, all dated to the minute, within moments of our coming: that is a clock."""

RHYTHM_ARTICLES = 20
"""Fewer dated articles tell nothing about how many come out on one day."""

WHOLE_DAY_MASS = 10
"""An issue is put online at once and bears one day: dates without an hour need twice the number to look wrong."""

FEED_FORMATS = frozenset({"rss09x", "rss10", "rss20", "rss", "atom03", "atom10", "jsonfeed"})

KST_S = 9 * 3600

_NOT_WORDS = re.compile(r"[\W_]+")
_MISREAD = re.compile("\ufffd|占쏙|占싼|ï¿½|[ÃÂìíêëâ][\u0080-\u00bf\u2018-\u203a\u2122]|[\u00a1-\u00ff]{4}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored article as far as it serves to recognise it: its number, the source that showed it first, title and time."""

    id: int
    source: int
    title: str
    published: int | None


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of a source before a look.

    `format`: as last read, empty where it was never read or is to be read anew; `entries`: how many the last look that was
    read showed; `articles`: its own and those its siblings on the same server showed first, oldest first.
    """

    source: int
    format: str
    entries: int
    articles: tuple[Kept, ...]


NOTHING_KNOWN = Known(0, "", 0, ())


def held(feed: Feed, filed: Sequence[Filed], known: Known, now: float) -> str:
    """Why a look is held, by name, or empty where it may be filed; `now`: when it was fetched, epoch seconds.

    `held_empty` nothing is left where there was much; `held_damaged` titles are damaged or changed in a mass;
    `held_skin:OLD>NEW` another page than the one registered; `held_moved` known titles under new addresses (I5);
    `held_dates` the dates are not the articles'. The first look at a source is never held.
    """
    if not known.format:
        return ""
    if not feed.entries:
        return "held_empty" if known.entries >= MASS else ""
    if damaged(filed, known):
        return "held_damaged"
    new = sum(one.change.action == "insert" for one in filed)
    listed = len(feed.entries)
    if _other_skin(known.format, feed.format) and 2 * new > listed:
        return f"held_skin:{known.format}>{feed.format}"
    if reappeared(filed, known, listed):
        return "held_moved"
    return "held_dates" if _dates_of_a_template(filed, known, now) else ""


def held_page(feed: Feed, filed: Sequence[Filed], known: Known) -> str:
    """The same for an older list page of the archive, of which only its titles can be judged."""
    if damaged(filed, known):
        return "held_damaged"
    return "held_moved" if reappeared(filed, known, len(feed.entries)) else ""


def damaged(filed: Sequence[Filed], known: Known) -> bool:
    """Whether more than a third of known titles changed at once, or titles came damaged that used to be clean."""
    old = [one for one in filed if one.old is not None]
    retitled = sum(any(revision.field == "title" for revision in one.change.revisions) for one in old)
    if retitled >= MASS and 3 * retitled > len(old):
        return True
    fresh = [one.change.entry.title for one in filed if one.change.action != "skip"]
    broken = sum(map(is_misread, fresh))
    if broken < DAMAGED_AT_LEAST or 3 * broken <= len(fresh):
        return False
    before = [kept.title for kept in known.articles[-NEWEST_TITLES:]]
    return CLEAN_SHARE * sum(map(is_misread, before)) < len(before)


def is_misread(title: str) -> bool:
    """Whether a title shows the marks of bytes read in a wrong encoding."""
    if _MISREAD.search(title):
        return True
    # Korean in UTF-8 read as CP949 is full of syllables that no word has; a real title bears one or two at most.
    rare = sum("가" <= sign <= "힣" and len(sign.encode("euc_kr")) > 2 for sign in title)
    return rare >= 3


def reappeared(filed: Sequence[Filed], known: Known, listed: int) -> bool:
    """Whether most entries of a document are known articles under new addresses; `listed`: how many it shows (I5)."""
    new = sum(one.change.action == "insert" for one in filed)
    if 2 * new <= listed or not known.articles:
        return False  # as on most nights: no title need be compared
    found = moves(filed, known)
    if len(found) >= MASS and 2 * len(found) > listed:
        return True
    times = {kept.id: kept.published for kept in known.articles}
    exact = sum(
        one.key in found
        and one.change.entry.published is not None
        and times[found[one.key]] == one.change.entry.published
        for one in filed
    )
    return exact == listed >= WHOLE_DOCUMENT


def moves(filed: Sequence[Filed], known: Known) -> dict[bytes, int]:
    """New keys whose articles are known: to the number of the article each is the new address of.

    Titles count without signs and case. The same title on the same day is the same article; on another day, or where one of
    the two has no date, only if the source never used the title twice and it is no column's name.
    """
    taken = {one.old.id for one in filed if one.old is not None}
    shelf: defaultdict[str, list[Kept]] = defaultdict(list)
    for kept in known.articles:
        shelf[bare(kept.title)].append(kept)
    shelf.pop("", None)
    new = [one for one in filed if one.change.action == "insert"]
    often = Counter(bare(one.change.entry.title) for one in new)
    found: dict[bytes, int] = {}
    for one in new:
        title = bare(one.change.entry.title)
        same = _same(one.change.entry, title, shelf.get(title, ()), taken, alone=often[title] == 1)
        if same is not None:
            found[one.key] = same.id
            taken.add(same.id)
    return found


def _same(entry: Entry, title: str, candidates: Sequence[Kept], taken: set[int], *, alone: bool) -> Kept | None:
    if entry.published is not None:
        at = entry.published
        days = [one for one in candidates if one.published is not None and _day(one.published) == _day(at)]
        free = sorted((one for one in days if one.id not in taken), key=lambda one: abs((one.published or 0) - at))
        if days:
            return free[0] if free else None
    if len(candidates) != 1 or not alone or candidates[0].id in taken:
        return None
    dated = entry.published is not None and candidates[0].published is not None
    return candidates[0] if len(title) >= (LONG_HEADLINE_CHARS if dated else HEADLINE_CHARS) else None


def _other_skin(before: str, now: str) -> bool:
    """Whether two formats are different pages; one dialect of feeds is as good as another."""
    return before != now and not (before in FEED_FORMATS and now in FEED_FORMATS)


def _dates_of_a_template(filed: Sequence[Filed], known: Known, now: float) -> bool:
    """Whether the dates are the page's own and not the articles': a day or a clock that the template prints."""
    return _all_moved_to_one_day(filed) or _all_on_the_fetch_day(filed, known, now)


def _all_moved_to_one_day(filed: Iterable[Filed]) -> bool:
    """The strong sign: articles known by different days are all of one and the same day now."""
    pairs = [
        (_day(one.old.entry.published), _day(one.change.entry.published))
        for one in filed
        if one.old is not None and one.old.entry.published is not None and one.change.entry.published is not None
    ]
    moved = [after for before, after in pairs if before != after]
    return len(moved) >= MASS and 2 * len(moved) > len(pairs) and len(set(moved)) == 1


def _all_on_the_fetch_day(filed: Iterable[Filed], known: Known, now: float) -> bool:
    """The weak sign, for new articles alone: all of one moment of this very day, where so many never came on one day.

    It asks for little patience where it errs: the day after, a true date is one of the past and a template's is not.
    """
    new = [one.change.entry for one in filed if one.change.action == "insert"]
    times = {entry.published for entry in new}
    at = next(iter(times), None)
    if len(new) < MASS or at is None:
        return False
    printed = not any(entry.date_from == "list_resolved" for entry in new)
    timed = all(entry.precision in ("second", "minute") for entry in new)
    if timed and printed and all(abs((entry.published or 0) - now) <= STANDING_CLOCK_S for entry in new):
        return True
    if len(times) > 1 or _day(at) != _day(int(now)) or len(new) < (MASS if timed else WHOLE_DAY_MASS):
        return False
    days = Counter(_day(kept.published) for kept in known.articles if kept.published is not None)
    return sum(days.values()) >= RHYTHM_ARTICLES and 2 * max(days.values()) < len(new)


def _day(at: int) -> int:
    """A Korean calendar day as a number, for any moment however far."""
    return (at + KST_S) // DAY_S


def bare(title: str) -> str:
    """A title without signs, blanks and case: what two writings of the same headline share."""
    return _NOT_WORDS.sub("", unicodedata.normalize("NFC", title).casefold())
