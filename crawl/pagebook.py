"""The memory of pages read for one fact, and how far each list's backfill has come (S31, P22, P45)."""

from __future__ import annotations

import sqlite3

from crawl import workdb
from crawl.dates import Dated
from crawl.model import Page
from crawl.pages import Fate

SIBLINGS = "SELECT b.id FROM sources a JOIN sources b ON b.outlet = a.outlet WHERE a.id = ?"
"""All sources of a source's outlet: its archive is stopped and goes on as one (P45)."""


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
        self._db.execute("UPDATE backfills SET next_url = ? WHERE source = ?", (next_url, source))
        self._db.execute(f"UPDATE backfills SET stops = 0 WHERE source IN ({SIBLINGS})", (source,))

    def stop_backfill(self, source: int) -> int:
        """One more denial in a row; returns how many there are (P45)."""
        stops = self._db.execute(
            f"SELECT max(stops) + 1 FROM backfills WHERE source IN ({SIBLINGS})", (source,)
        ).fetchone()[0]
        self._db.execute(f"UPDATE backfills SET stops = ? WHERE source IN ({SIBLINGS})", (stops, source))
        return int(stops)

    def too_old(self, page: Page, oldest: float) -> bool:
        """Take back an article of the archive whose own page shows that it is older than what is kept (P22)."""
        row = self._db.execute(
            "SELECT id FROM articles WHERE id = ? AND via = 'backfill' AND published < ?", (page.article, oldest)
        ).fetchone()
        if row is None:
            return False
        for table, column in (("article_tags", "article"), ("revisions", "article"), ("articles", "id")):
            self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", row)
        return True
