"""Takes back what one night stored of one source, and lets a source be read anew; part of the store's open transaction."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from crawl import decide, workdb
from crawl.clock import DAY_S, kst_midnight
from crawl.model import Entry
from crawl.shelf import Shelf

OF_THE_DAY = "source = ?1 AND first_seen >= ?2 AND first_seen < ?3 AND via <> 'import' AND url <> ''"
"""What a night stored: neither what a person imported nor a row that was emptied already."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken back: articles, edited fields that have their earlier value again, and changed articles whose earlier
    state nobody recorded (a date, an address, a byline; the next look sets them)."""

    articles: int
    edits: int
    unrecorded: int


def drop(db: sqlite3.Connection, source: int, day: str) -> Taken:
    """Take back what the Korean `day` stored of a source; a second time there is nothing left to take."""
    begins = int(kst_midnight(day))
    span = (source, begins, begins + DAY_S)
    rows = db.execute(f"SELECT id, via FROM articles WHERE {OF_THE_DAY} ORDER BY id", span).fetchall()
    edits, edited = _undo_edits(db, *span)
    changed = db.execute(
        "SELECT id FROM articles WHERE source = ?1 AND changed >= ?2 AND changed < ?3 AND first_seen < ?2", span
    )
    unrecorded = len({row for (row,) in changed} - edited)
    delete(db, [row for row, _ in rows])
    db.execute("DELETE FROM validators WHERE source = ?", (source,))
    if any(via == "backfill" for _, via in rows):
        archive_anew(db, source)
    if db.execute("SELECT 1 FROM articles WHERE source = ? AND url <> ''", (source,)).fetchone() is None:
        db.execute("UPDATE sources SET format = '' WHERE id = ?", (source,))
    else:
        _skin_of_before(db, source, day)
    return Taken(len(rows), edits, unrecorded)


def _skin_of_before(db: sqlite3.Connection, source: int, day: str) -> None:
    """A skin that a person let in on the dropped night is strange again; it would come back unasked the next night."""
    before = db.execute(
        """SELECT c.reason FROM checks c JOIN nights n ON n.id = c.night WHERE c.source = ? AND n.day < ?
           ORDER BY c.id DESC LIMIT 1""",
        (source, day),
    ).fetchone()
    if before is not None and before[0].startswith("held_skin:"):
        known, _, strange = before[0].removeprefix("held_skin:").partition(">")
        db.execute("UPDATE sources SET format = ? WHERE id = ? AND format = ?", (known, source, strange))


def reread(db: sqlite3.Connection, source: int) -> None:
    """Let the next look at a source ask for it whole and take what it shows: nothing is left to compare it with."""
    db.execute("DELETE FROM validators WHERE source = ?", (source,))
    db.execute("UPDATE sources SET format = '' WHERE id = ?", (source,))
    if db.execute("SELECT 1 FROM backfills WHERE source = ? AND held <> ''", (source,)).fetchone() is not None:
        archive_anew(db, source)


def take_summaries(db: sqlite3.Connection) -> None:
    """Empty what is stored of the summaries of outlets that want their titles alone, from the day they say so (P02)."""
    wanted = "outlet IN (SELECT id FROM outlets WHERE title_only)"
    if db.execute("SELECT 1 FROM outlets WHERE title_only").fetchone() is None:
        return
    shelf = Shelf(db)
    for (row,) in db.execute(f"SELECT id FROM articles WHERE {wanted} AND summary <> ''").fetchall():
        stored = shelf.numbered(row)
        assert stored is not None
        bare = replace(stored.entry, summary="", summary_derived=False)
        workdb.put(db, "articles", row, {"summary": "", "summary_derived": 0, "digest": decide.digest(bare)})
    db.execute(f"DELETE FROM revisions WHERE field = 'summary' AND article IN (SELECT id FROM articles WHERE {wanted})")


def archive_anew(db: sqlite3.Connection, source: int) -> None:
    """Let a source's archive be read from its beginning again."""
    db.execute("UPDATE backfills SET next_url = NULL, held = '' WHERE source = ?", (source,))
    db.execute("UPDATE pages SET done = 0 WHERE source = ? AND purpose = 'backfill'", (source,))


def delete(db: sqlite3.Connection, articles: Sequence[int]) -> None:
    """Take articles out with all that hangs on them; no number is ever given away again (data.md)."""
    newest = db.execute("SELECT max(id) FROM articles").fetchone()[0]
    for article in articles:
        tags = db.execute("SELECT tag FROM article_tags WHERE article = ?", (article,)).fetchall()
        db.execute("DELETE FROM article_tags WHERE article = ?", (article,))
        for tag in tags:
            db.execute("DELETE FROM tags WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM article_tags WHERE tag = ?1)", tag)
        db.execute("DELETE FROM revisions WHERE article = ?", (article,))
        db.execute("DELETE FROM pages WHERE article = ?", (article,))
        if article == newest:
            _empty(db, article)
        else:
            db.execute("DELETE FROM articles WHERE id = ?", (article,))


def _empty(db: sqlite3.Connection, article: int) -> None:
    """The newest row stays, empty and seen by nobody: it alone tells the database, and whoever gets the file, up to where
    numbers were given away, so that none ever names a second article (data.md)."""
    key = blake2b(f"number {article}".encode(), digest_size=8).digest()
    workdb.put(db, "articles", article, {"key": key} | emptied())


def emptied() -> dict[str, Any]:
    """The content columns of an article of which nothing is left."""
    nothing = Entry(url="", title="")
    return {
        "kind": nothing.kind, "url": "", "guid": None, "title": "", "summary": "", "summary_derived": 0, "byline": "",
        "published": None, "precision": "none", "published_raw": "", "date_from": "none", "image_url": None, "media_url": None,
        "media_type": None, "media_bytes": None, "video_id": None, "video_form": None, "withheld": "",
        "digest": decide.digest(nothing),
    }  # fmt: skip


def _undo_edits(db: sqlite3.Connection, source: int, begins: int, ends: int) -> tuple[int, set[int]]:
    """Give titles and summaries edited in a span of time their earlier values; how many, and the articles they belong to."""
    rows = db.execute(
        """SELECT r.article, r.field, r.id, r.seen, r.old FROM revisions r JOIN articles a ON a.id = r.article
           WHERE a.source = ?1 AND a.first_seen < ?2 AND a.url <> '' AND r.seen >= ?2 ORDER BY r.id""",
        (source, begins),
    ).fetchall()
    fields: defaultdict[tuple[int, str], list[tuple[int, int, str]]] = defaultdict(list)
    for article, field, row, seen, old in rows:
        fields[article, field].append((row, seen, old))
    undone = {place: edits for place, edits in fields.items() if edits[0][1] < ends}
    for (article, field), edits in undone.items():
        _undo(db, article, field, edits, ends)
    for article in {article for article, _ in undone}:
        last = "SELECT max(seen) FROM revisions WHERE article = a.id"
        db.execute(f"UPDATE articles AS a SET changed = coalesce(({last}), first_seen) WHERE id = ?", (article,))
    return len(undone), {article for article, _ in undone}


def _undo(db: sqlite3.Connection, article: int, field: str, edits: Sequence[tuple[int, int, str]], ends: int) -> None:
    before = edits[0][2]
    later = [edit for edit in edits if edit[1] >= ends]
    gone = [row for row, seen, _ in edits if seen < ends]
    stored = Shelf(db).numbered(article)
    assert stored is not None
    now = stored.entry.title if field == "title" else stored.entry.summary
    if later:
        # A later edit stands; it led from the value before this night to its own, or back to it and was none.
        db.execute("UPDATE revisions SET old = ? WHERE id = ?", (before, later[0][0]))
        after = later[1][2] if len(later) > 1 else now
        gone += [later[0][0]] if after == before else []
    else:
        old = replace(stored.entry, title=before) if field == "title" else replace(stored.entry, summary=before)
        old = decide.withhold(old, old.withheld)
        facts = {"title": old.title, "summary": old.summary, "digest": decide.digest(old)}
        workdb.put(db, "articles", article, facts)
    for row in gone:
        db.execute("DELETE FROM revisions WHERE id = ?", (row,))
