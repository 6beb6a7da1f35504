"""What judgement may ask of the stored articles: by identity, by guid, and what must never come back (data.md, Identity)."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from crawl import urls
from crawl.model import Entry, StoredArticle
from crawl.watch import Kept, Known


class Shelf:
    """The articles of a work database, for reading only."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def article(self, key: bytes) -> StoredArticle | None:
        """The article of an identity, if stored."""
        return self._article("key = ?", (key,))

    def by_guid(self, source: int, guid: str) -> StoredArticle | None:
        """The article a source published under a raw guid, if stored."""
        return self._article("source = ? AND guid = ?", (source, guid))

    def numbered(self, row: int) -> StoredArticle | None:
        """The article of a row number, if stored."""
        return self._article("id = ?", (row,))

    def buried(self, key: bytes) -> bool:
        """Whether an address must never be collected again (P60)."""
        return self._db.execute("SELECT 1 FROM tombstones WHERE key = ?", (key,)).fetchone() is not None

    def is_logo(self, source: int, picture: str) -> bool:
        """Whether a picture is one that too many articles of a source showed (I31)."""
        found = self._db.execute("SELECT 1 FROM logos WHERE source = ? AND picture = ?", (source, picture)).fetchone()
        return found is not None

    def title_only(self, outlet: str) -> bool:
        """Whether an outlet wants nothing but its titles kept (outlets.csv)."""
        return self._db.execute("SELECT 1 FROM outlets WHERE slug = ? AND title_only", (outlet,)).fetchone() is not None

    def known(self, source: int) -> Known:
        """What a source's look is judged by: its format, its last look and the articles of its server."""
        found = self._db.execute("SELECT format, url FROM sources WHERE id = ?", (source,)).fetchone()
        last = self._db.execute(
            "SELECT entries FROM looks WHERE source = ? AND result = 'ok' ORDER BY id DESC LIMIT 1", (source,)
        ).fetchone()
        server = urls.server(found[1])
        rows = self._db.execute(
            """SELECT id, source, title, published, url FROM articles WHERE url <> '' AND source IN (
                 SELECT b.id FROM sources a JOIN sources b ON b.outlet = a.outlet WHERE a.id = ?) ORDER BY id""",
            (source,),
        )
        kept = tuple(Kept(*row[:4]) for row in rows if row[1] == source or urls.server(row[4]) == server)
        return Known(source, found[0], len(kept) if last is None else last[0], kept)

    def _article(self, where: str, values: tuple[Any, ...]) -> StoredArticle | None:
        row = self._db.execute(
            f"""SELECT id, key, source, first_seen, digest, url, title, guid, summary, summary_derived, byline, published,
                precision, published_raw, date_from, kind, image_url, media_url, media_type, media_bytes, video_id, video_form,
                withheld,
                (SELECT json_group_array(t.tag) FROM article_tags x JOIN tags t ON t.id = x.tag WHERE x.article = a.id)
                FROM articles a WHERE {where} ORDER BY id LIMIT 1""",
            values,
        ).fetchone()
        if row is None:
            return None
        entry = Entry(
            url=row[5], title=row[6], guid=row[7], summary=row[8], summary_derived=bool(row[9]), byline=row[10],
            published=row[11], precision=row[12], published_raw=row[13], date_from=row[14], kind=row[15],
            image_url=row[16], media_url=row[17], media_type=row[18], media_bytes=row[19], video_id=row[20], video_form=row[21],
            withheld=row[22], tags=tuple(json.loads(row[23])),
        )  # fmt: skip
        return StoredArticle(row[0], row[1], row[2], row[3], entry, row[4])
