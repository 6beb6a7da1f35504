"""Which picture addresses stay in the record: none that repeats over a source's articles, as a logo does (I31, P03)."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from crawl import decide, workdb
from crawl.shelf import Shelf

SAME_PICTURE_MAX = 3
"""A picture that more articles of one source show is the source's logo."""


class PictureBook:
    """Takes pictures back; each call is part of the store's open transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._shelf = Shelf(db)

    def weed(self, source: int, picture: str | None, now: float) -> None:
        """A picture was just kept for an article of a source: with one too many it goes from all, and stays away."""
        if picture is None:
            return
        rows = self._db.execute(
            "SELECT id FROM articles WHERE source = ? AND image_url = ?", (source, picture)
        ).fetchall()
        if len(rows) > SAME_PICTURE_MAX:
            self._db.execute("INSERT OR IGNORE INTO logos VALUES (?, ?)", (source, picture))
            self._clear(rows, now)

    def keep_photo_stories_only(self, now: float) -> None:
        """Pictures of other articles go where the operator no longer wants them (P03, option `pictures`)."""
        self._clear(
            self._db.execute("SELECT id FROM articles WHERE image_url IS NOT NULL AND kind <> 'photo'").fetchall(), now
        )

    def _clear(self, rows: list[tuple[int]], now: float) -> None:
        for (row,) in rows:
            old = self._shelf.numbered(row)
            if old is not None:
                new = replace(old.entry, image_url=None)
                facts = {"image_url": None, "changed": int(now), "digest": decide.digest(new)}
                workdb.put(self._db, "articles", row, facts)
