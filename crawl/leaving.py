"""Carries out what exclusions.csv asks (P60): empties what is stored of those who leave, and lets them in again when a wish
is withdrawn. Every call is part of the store's open transaction; nothing is asked of anybody.

What stays of an article is its number, its key, its outlet and source, and when it was first seen; a tombstone keeps it away.
What stays of a request is when it was sent to which server, since pauses and budgets count by it (P20, P22), not for what.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace

from crawl import decide, takeback, urls, workdb
from crawl.clock import kst_midnight
from crawl.exclusions import Exclusion, grave, mark
from crawl.registry import Registry
from crawl.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Left:
    """What one settling changed. `wishes`: rows of exclusions.csv carried out for the first time; `withdrawn`: rows that are
    no longer there; `returning`: emptied articles that the next looks may fill again; the others were emptied or deleted."""

    wishes: int = 0
    withdrawn: int = 0
    articles: int = 0
    pictures: int = 0
    outlets: int = 0
    sources: int = 0
    requests: int = 0
    pages: int = 0
    returning: int = 0


def staying(books: Registry) -> Registry:
    """The registry without the outlets and sources that an exclusion covers, though their rows may still stand in it."""
    asked = books.exclusions
    if not asked.rows:
        return books
    outlets = [one for one in books.outlets if asked.covers("", one.slug) is None]
    hidden = [one if asked.covers(one.homepage, one.slug) is None else replace(one, homepage="") for one in outlets]
    slugs = {one.slug for one in outlets}
    kept = [one for one in books.sources if asked.covers(one.url, one.outlet, cms=one.cms) is None]
    return replace(books, outlets=tuple(hidden), sources=tuple(one for one in kept if one.outlet in slugs))


def settle(db: sqlite3.Connection, books: Registry) -> Left:
    """Bring the database in line with exclusions.csv; where nothing was asked anew it costs next to nothing.

    The record notes which wishes it has carried out and the state notes it too, since each may come from another day or
    another machine than the other.
    """
    asked = books.exclusions
    wishes = {mark(row): row for row in asked.rows}
    done = {wish for (wish,) in db.execute("SELECT wish FROM wishes WHERE key = x''")}
    returning = _let_in(db, done - wishes.keys())
    known = db.execute("SELECT value FROM state_meta WHERE name = 'exclusions'").fetchone()
    whole = hashlib.blake2b(repr(asked.rows).encode(), digest_size=16).hexdigest()
    left = Left()
    if wishes.keys() - done or known is None or known[0] != whole:
        if wishes:
            left = _Farewell(db, books).bid()
        db.executemany("INSERT OR IGNORE INTO wishes VALUES (?, x'')", [(wish,) for wish in wishes])
        db.execute("INSERT OR REPLACE INTO state_meta VALUES ('exclusions', ?)", (whole,))
    return replace(left, wishes=len(wishes.keys() - done), withdrawn=len(done - wishes.keys()), returning=returning)


def _let_in(db: sqlite3.Connection, withdrawn: Iterable[bytes]) -> int:
    """Take away the tombstones that only these wishes justified; how many emptied articles may be filled again.

    Feeds that have not changed and archives that were read are read anew, or nothing would ever bring them back.
    """
    gone = list(withdrawn)
    if not gone:
        return 0
    marks = ", ".join("?" * len(gone))
    freed = f"SELECT key FROM wishes WHERE wish IN ({marks}) AND key NOT IN (SELECT key FROM wishes WHERE wish NOT IN ({marks}))"
    keys = [key for (key,) in db.execute(freed, gone * 2) if key]
    db.executemany("DELETE FROM tombstones WHERE key = ?", [(key,) for key in keys])
    db.execute(f"DELETE FROM wishes WHERE wish IN ({marks})", gone)
    db.execute("DELETE FROM validators")
    rows = [db.execute("SELECT id, source FROM articles WHERE key = ? AND url = ''", (key,)).fetchone() for key in keys]
    back = [row for row in rows if row is not None]
    for source in {source for _, source in back}:
        takeback.archive_anew(db, source)
    db.executemany("UPDATE pages SET done = 0, tries = 0 WHERE article = ?", [(article,) for article, _ in back])
    return len(back)


class _Farewell:
    """One pass over everything stored, with the wishes that cover it."""

    def __init__(self, db: sqlite3.Connection, books: Registry) -> None:
        self._db, self._asked = db, books.exclusions
        # An outlet that was renamed and left at once stands here under its former slug.
        now = {former: one.slug for one in books.outlets for former in one.former}
        self._slugs = {row: now.get(slug, slug) for row, slug in db.execute("SELECT id, slug FROM outlets")}
        self._cms: dict[int | None, str] = dict(db.execute("SELECT id, cms FROM sources").fetchall())
        self._gone: set[int] = set()
        """Sources that leave."""

    def bid(self) -> Left:
        """Empty what is covered, and say how much that was."""
        outlets = self._outlets()
        servers = self._servers()
        sources = self._sources()
        articles = self._articles()
        pictures = self._pictures()
        pages = self._pages()
        requests = self._requests()
        pages += self._robots(servers - self._servers())
        return Left(
            articles=articles, pictures=pictures, outlets=outlets, sources=sources, requests=requests, pages=pages
        )

    def _covers(self, url: str, outlet: str = "", cms: str = "") -> bool:
        return self._asked.covers(url, outlet, cms=cms) is not None

    # -- the record ------------------------------------------------------------------------------------------------

    def _outlets(self) -> int:
        """Of an outlet that leaves the slug stays, by which exclusions.csv names it."""
        nothing = dict.fromkeys(("name", "name_en", "university", "univ", "homepage", "region", "former", "note"), "")
        found = [
            row
            for row, slug in self._slugs.items()
            if self._covers("", slug)
            and self._db.execute(
                "SELECT name <> '' OR homepage <> '' OR listed FROM outlets WHERE id = ?", (row,)
            ).fetchone()[0]
        ]
        for row in found:
            workdb.put(self._db, "outlets", row, nothing | {"listed": 0})
        for row, homepage in self._db.execute("SELECT id, homepage FROM outlets WHERE homepage <> ''").fetchall():
            if self._covers(homepage, self._slugs[row]):
                workdb.put(self._db, "outlets", row, {"homepage": ""})
        return len(found)

    def _servers(self) -> set[str]:
        """The servers of all sources that are not emptied."""
        rows = self._db.execute("SELECT url FROM sources").fetchall()
        return {urls.server(url) for (url,) in rows if url and url != grave(url)}

    def _sources(self) -> int:
        changed = 0
        for row, outlet, url in self._db.execute("SELECT id, outlet, url FROM sources").fetchall():
            buried = url == grave(url)
            if not buried and not self._covers(url, self._slugs[outlet], self._cms[row]):
                continue
            self._gone.add(row)
            for table in ("validators", "backfills", "logos"):
                self._db.execute(f"DELETE FROM {table} WHERE source = ?", (row,))
            if not buried:
                workdb.put(
                    self._db, "sources", row, {"url": grave(url), "title": "", "language": "", "note": "", "listed": 0}
                )
                changed += 1
        return changed

    def _articles(self) -> int:
        """Every article that is covered, emptied; every one that is or was, with a tombstone for each wish it answers."""
        self._db.execute("CREATE TEMP TABLE leaving (article INTEGER PRIMARY KEY)")
        covered = [
            (article, key, url, covering)
            for article, key, url, outlet, source, byline in self._db.execute(
                "SELECT id, key, url, outlet, source, byline FROM articles"
            )
            if (covering := self._asked.every(url, self._slugs[outlet], cms=self._cms[source], key=key, byline=byline))
        ]
        emptied = 0
        for article, key, url, covering in covered:
            self._bury(key, covering)
            if url:
                self._db.execute("INSERT INTO leaving VALUES (?)", (article,))
                workdb.put(self._db, "articles", article, takeback.emptied())
                emptied += 1
        left = "SELECT article FROM leaving"
        self._db.execute(f"UPDATE articles SET changed = first_seen WHERE id IN ({left})")
        self._db.execute(f"DELETE FROM revisions WHERE article IN ({left})")
        self._db.execute(f"DELETE FROM article_tags WHERE article IN ({left})")
        # Not only theirs: a kill between two press files, with the state lost, leaves tags of articles emptied before.
        self._db.execute("DELETE FROM tags WHERE id NOT IN (SELECT tag FROM article_tags)")
        return emptied

    def _bury(self, key: bytes, covering: Iterable[Exclusion]) -> None:
        rows = sorted(covering, key=lambda row: (row.since, row.reason))
        since = int(kst_midnight(rows[0].since.isoformat()))
        self._db.execute(
            """INSERT INTO tombstones VALUES (?, ?, ?)
               ON CONFLICT DO UPDATE SET since = excluded.since, reason = excluded.reason""",
            (key, since, rows[0].reason),
        )
        self._db.executemany("INSERT OR IGNORE INTO wishes VALUES (?, ?)", [(mark(row), key) for row in rows])

    def _pictures(self) -> int:
        """Articles that stay lose the picture and the enclosure whose address leaves: readers' browsers would ask for them."""
        shelf, changed = Shelf(self._db), 0
        rows = self._db.execute(
            "SELECT id, outlet, image_url, media_url FROM articles WHERE image_url IS NOT NULL OR media_url IS NOT NULL"
        ).fetchall()
        for article, outlet, image, media in rows:
            slug = self._slugs[outlet]
            facts = dict.fromkeys(("image_url",) if image and self._covers(image, slug) else ())
            if media and self._covers(media, slug):
                facts |= dict.fromkeys(("media_url", "media_type", "media_bytes"))
            if facts:
                workdb.put(self._db, "articles", article, facts)
                kept = shelf.numbered(article)
                assert kept is not None
                workdb.put(self._db, "articles", article, {"digest": decide.digest(kept.entry)})
                changed += 1
        return changed

    # -- the state -------------------------------------------------------------------------------------------------

    def _pages(self) -> int:
        """What is remembered of single pages and archives."""
        rows = self._db.execute(
            "SELECT purpose, url, source, article IN (SELECT article FROM leaving) FROM pages ORDER BY purpose, url"
        ).fetchall()
        changed = 0
        for purpose, url, source, emptied in rows:
            slug, cms = self._of(source)
            if url == grave(url) or not (emptied or source in self._gone or self._covers(url, slug, cms)):
                continue
            changed += 1
            if purpose == "backfill":
                self._db.execute("DELETE FROM pages WHERE purpose = ? AND url = ?", (purpose, url))
            else:
                # S32 and S31 ask whether a page that was read was an article's, and when it may be read again.
                self._db.execute(
                    "UPDATE OR REPLACE pages SET url = ? WHERE purpose = ? AND url = ?", (grave(url), purpose, url)
                )
        for table, column in (("validators", "url"), ("backfills", "next_url"), ("logos", "picture")):
            for source, url in self._db.execute(
                f"SELECT source, {column} FROM {table} WHERE {column} <> ''"
            ).fetchall():
                if self._covers(url, *self._of(source)):
                    self._db.execute(f"DELETE FROM {table} WHERE source = ? AND {column} = ?", (source, url))
                    changed += 1
        self._db.execute("DROP TABLE leaving")
        return changed

    def _of(self, source: int | None) -> tuple[str, str]:
        """The outlet's slug and the system of a source."""
        found = self._db.execute("SELECT outlet FROM sources WHERE id = ?", (source,)).fetchone()
        return (self._slugs[found[0]], self._cms[source]) if found else ("", "")

    def _requests(self) -> int:
        """Log rows keep when and whom, and forget what for: an address that leads nowhere, the same for the same page."""
        changed = 0
        emptied = self._emptied_pages()
        rows = self._db.execute("SELECT id, url, origin, outlet, source FROM request_log").fetchall()
        for row, url, origin, outlet, source in rows:
            cms = self._cms.get(source, "")
            leaves = source in self._gone or grave(url) in emptied or grave(origin) in emptied
            leaves = leaves or self._covers(url, outlet, cms) or (bool(origin) and self._covers(origin, outlet, cms))
            hidden = (grave(url), grave(origin) if origin else "")
            if leaves and hidden != (url, origin):
                self._db.execute("UPDATE request_log SET url = ?, origin = ? WHERE id = ?", (*hidden, row))
                changed += 1
        return changed

    def _emptied_pages(self) -> set[str]:
        return {url for (url,) in self._db.execute("SELECT url FROM pages") if url == grave(url)}

    def _robots(self, gone: set[str]) -> int:
        """The robots.txt copies of servers that leave, and what the record says of last night's requests to them."""
        changed = 0
        for (origin,) in self._db.execute("SELECT origin FROM robots").fetchall():
            if urls.server(origin) in gone or self._covers(f"{origin}/"):
                self._db.execute("DELETE FROM robots WHERE origin = ?", (origin,))
                changed += 1
        for (server,) in self._db.execute("SELECT server FROM servers_last_night").fetchall():
            if server in gone or self._covers(f"https://{server}/"):
                self._db.execute("DELETE FROM servers_last_night WHERE server = ?", (server,))
                changed += 1
        return changed
