"""The memory of pages read for one fact, and how far each list's backfill has come (S31, P22, P45)."""

from __future__ import annotations

import sqlite3

from crawl import workdb
from crawl.dates import Dated
from crawl.model import Page
from crawl.pages import Fate


class PageBook:
    """Writes what was learnt of single pages; each call is part of the store's open transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def keep_page(self, page: Page, fate: Fate) -> None:
        """What a page is owed from now on (S31)."""
        self._db.execute(
            "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)",
            (page.url, page.purpose, page.article, page.source, fate.tries, fate.until, int(fate.done)),
        )

    def set_date(self, page: Page, found: Dated, now: float) -> None:
        """The publication date that an article's own page shows (P11)."""
        facts = {"published": found.at, "precision": found.precision, "date_from": "page", "changed": int(now)}
        workdb.put(self._db, "articles", page.article, facts)

    def set_picture(self, page: Page, url: str, now: float) -> None:
        """The address of a photo story's picture (P03)."""
        workdb.put(self._db, "articles", page.article, {"image_url": url, "changed": int(now)})

    def move_backfill(self, source: int, next_url: str) -> None:
        """Where an outlet's backfill goes on; reading a page has ended a row of denials (P45)."""
        self._db.execute("UPDATE backfills SET next_url = ?, stops = 0 WHERE source = ?", (next_url, source))

    def stop_backfill(self, source: int) -> int:
        """One more denial in a row; returns how many there are (P45)."""
        self._db.execute("UPDATE backfills SET stops = stops + 1 WHERE source = ?", (source,))
        return int(self._db.execute("SELECT stops FROM backfills WHERE source = ?", (source,)).fetchone()[0])
