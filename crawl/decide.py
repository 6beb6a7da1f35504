"""Insert, update or skip: old row, new entry and `now` in, a decision with its reason out."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import blake2b

from crawl import dates, photos
from crawl.clock import DAY_S, kst_day
from crawl.model import Change, Entry, Precision, Revision, StoredArticle, Withheld

_EXACT: tuple[Precision, ...] = ("second", "minute", "hour", "day", "none")


def digest(entry: Entry) -> bytes:
    """8-byte hash of an entry's content columns: equal exactly when nothing a reader or researcher sees has changed."""
    facts = (
        entry.url, entry.title, entry.guid, entry.summary, entry.summary_derived, entry.byline, entry.published,
        entry.precision, entry.published_raw, entry.date_from, sorted(entry.tags), entry.kind, entry.image_url,
        entry.media_url, entry.media_type, entry.media_bytes, entry.video_id, entry.video_form, entry.withheld,
    )  # fmt: skip
    return blake2b(json.dumps(facts, ensure_ascii=False).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def change(old: StoredArticle | None, new: Entry, now: float) -> Change:
    """What to do with one entry.

    An edited title or summary leaves its earlier value as a revision. A date that depends on when it was read
    (`3시간 전`, `12월 31일`) was resolved when the article was first seen and is never computed again; nor does a feed's
    `updated` move a date that is known, nor a list that prints last year's articles with their day alone. A photo story by
    the label of a section (`completed`) stays one.
    """
    if old is None or old.is_empty:
        return Change("insert", "new", new)
    new = _keep_known(old.entry, new, now)
    if digest(new) == old.digest:
        return Change("skip", "unchanged", new)
    moved = old.entry.url != new.url
    revisions = tuple(
        Revision(field, before)
        for field, before, after in (
            ("title", old.entry.title, new.title),
            ("summary", old.entry.summary, new.summary),
        )
        if before != after
    )
    return Change("update", "moved" if moved and not revisions else "edited", new, revisions)


def completed(old: StoredArticle, other: Entry) -> Change | None:
    """What another source of the outlet adds to the record of the one that showed an article first; None where nothing.

    A date that one does not print, so that no page need be read for it (P11), and a list's section of photo stories (P03),
    kept as a tag: feeds often name no sections.
    """
    entry = old.entry
    if entry.published is None and other.published is not None:
        entry = replace(
            entry,
            published=other.published,
            precision=other.precision,
            published_raw=other.published_raw,
            date_from=other.date_from,
        )
    if entry.kind == "article" and other.kind == "photo":
        labels = [tag for tag in other.tags if photos.is_label(tag)]
        entry = replace(entry, kind="photo", tags=(*entry.tags, labels[0])) if labels else entry
    return None if entry == old.entry else Change("update", "completed", entry)


def _keep_known(old: Entry, new: Entry, now: float) -> Entry:
    same_date = (
        old.published_raw == new.published_raw
        or new.published is None
        or new.date_from == "feed_updated"
        or _says_less(old, new)
        or _depends_on_now(new.published_raw, now)
    )
    if old.published is not None and same_date:
        new = replace(
            new,
            published=old.published,
            precision=old.precision,
            published_raw=old.published_raw,
            date_from=old.date_from,
        )
    if old.kind == "photo" and new.kind == "article":
        labels = [tag for tag in old.tags if photos.is_label(tag) and tag not in new.tags]
        new = replace(new, kind="photo", tags=(*new.tags, labels[0])) if labels else new
    if new.guid is None and old.guid is not None:
        new = replace(new, guid=old.guid)
    if new.image_url is None and new.kind == "photo":
        new = replace(new, image_url=old.image_url)
    return withhold(new, old.withheld)


def withhold(entry: Entry, wish: Withheld) -> Entry:
    """An entry as its own page asks to have it kept: without its summary, or without a card at all."""
    return entry if not wish else replace(entry, withheld=wish, summary="", summary_derived=False)


def _says_less(old: Entry, new: Entry) -> bool:
    """Whether a date names the same day as the one known, less exactly."""
    if old.published is None or new.published is None or _EXACT.index(new.precision) <= _EXACT.index(old.precision):
        return False
    return kst_day(old.published) == kst_day(new.published)


def _depends_on_now(raw: str, now: float) -> bool:
    return dates.read(raw, seen=now).at != dates.read(raw, seen=now + 400 * DAY_S).at
