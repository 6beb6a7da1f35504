"""The memory of pages read for one fact, and how far each list's backfill has come (S31, P22, P45)."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from crawl import decide, takeback, workdb
from crawl.articlepages import ArticlePage
from crawl.model import Page
from crawl.pages import Fate
from crawl.picturebook import PictureBook
from crawl.shelf import Shelf

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

    def learn(self, page: Page, found: ArticlePage, now: float) -> None:
        """The one fact an article's page was read for, its date (P11) or its picture (P03), and what it asks to leave out."""
        shelf = Shelf(self._db)
        old = shelf.numbered(page.article or 0)
        if old is None:
            return
        new = decide.withhold(old.entry, "noindex" if found.noindex else "nosnippet" if found.nosnippet else "")
        if page.purpose == "photo" and found.picture is not None and not shelf.is_logo(old.source, found.picture):
            new = replace(new, image_url=found.picture)
        if page.purpose == "date" and found.dated is not None and found.dated.at is not None:
            dated = found.dated
            new = replace(
                new,
                published=dated.at,
                precision=dated.precision,
                published_raw=found.date_raw,
                date_from=found.date_from,
            )
        if new == old.entry:
            return
        facts = {
            "summary": new.summary, "summary_derived": int(new.summary_derived), "published": new.published,
            "precision": new.precision, "published_raw": new.published_raw, "date_from": new.date_from,
            "image_url": new.image_url, "withheld": new.withheld, "changed": int(now), "digest": decide.digest(new),
        }  # fmt: skip
        workdb.put(self._db, "articles", page.article, facts)
        if page.purpose == "photo":
            PictureBook(self._db).weed(old.source, new.image_url, now)

    def move_backfill(self, source: int, next_url: str) -> None:
        """Where an outlet's backfill goes on; reading a page has ended a row of denials (P45)."""
        self._db.execute("UPDATE backfills SET next_url = ? WHERE source = ?", (next_url, source))
        self._db.execute(f"UPDATE backfills SET stops = 0 WHERE source IN ({SIBLINGS})", (source,))

    def hold_backfill(self, source: int, doubt: str) -> None:
        """A source's archive is left where it shows what may not be believed, by name (data.md, Identity)."""
        self._db.execute("UPDATE backfills SET next_url = '', held = ? WHERE source = ?", (doubt, source))

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
        takeback.delete(self._db, row)
        return True
