"""The only writer: one work database a night, an article and its request-log row in one transaction.

`state/work.db` is made from the press files and the state at the start, survives a kill, and is what both are rebuilt
from at the end (data.md, the committed database). Judgement asks it through its `shelf`, the past through `recall`.
"""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path

from crawl import decide, leaving, pressfile, rolling, takeback, workdb
from crawl.clock import DAY_S, kst_day, kst_midnight
from crawl.exclusions import Exclusions
from crawl.gate import Permit, Ticket
from crawl.model import HEALTHY, Change, Check, Due, Entry, Filed, Outcome, Page, Response, Rest
from crawl.pagebook import PageBook
from crawl.pages import fate
from crawl.picturebook import PictureBook
from crawl.policy import AGENT, Policy
from crawl.probebook import ProbeBook
from crawl.recall import SERVERS_WISH, Recall
from crawl.registry import Registry
from crawl.robotsbook import Copy
from crawl.rolling import LIMITS, Limits
from crawl.shelf import Shelf

NIGHT_TOTALS = ("due", "ok", "unchanged", "failed", "refused", "put_off", "new_articles", "changed_articles", "requests",
                "body_bytes", "breaches")  # fmt: skip

LOG_DAYS = 60
"""How long request-log rows, looks and rests are kept in the state: twice what any rule looks back."""


class Store:
    """The work database of one data folder and one state folder, held by a file lock while open."""

    def __init__(self, data: Path, state: Path, registry: Registry, limits: Limits = LIMITS) -> None:
        """Open or resume; `limits`: when articles roll into older files. Raises NightHeld where another night runs,
        StoreDamaged where a file is not whole."""
        self.data, self.state, self._limits = data, state, limits
        data.mkdir(parents=True, exist_ok=True)
        state.mkdir(parents=True, exist_ok=True)
        self._locks = [workdb.locked(data)]
        try:
            self._locks.append(workdb.locked(state))
            self._work, self.salvaged = workdb.prepare(data, state)
            self._db = workdb.connect(self._work)
            self._db.execute("PRAGMA secure_delete=ON")  # what leaves is overwritten, not only unlinked (P60)
            with self.transaction():
                self._outlets, self._sources = workdb.know(self._db, leaving.staying(registry))
                self.left = leaving.settle(self._db, registry)
                takeback.take_summaries(self._db)
            self.recall = Recall(self._db, self._sources)
            self.shelf, self.pages, self.probes = Shelf(self._db), PageBook(self._db), ProbeBook(self._db)
            self.pictures = PictureBook(self._db)
        except BaseException:
            self._unlock()
            raise

    # -- the night -------------------------------------------------------------------------------------------------

    def begin_night(self, day: str, mode: str, now: float) -> int:
        """The night's number: a later run of the same day and mode goes on with the night that is there."""
        with self.transaction():
            self._mend(now)
            newest = self._db.execute("SELECT coalesce(max(id), 0) FROM nights").fetchone()[0]
            self._db.execute(
                "UPDATE nights SET ended = ? WHERE ended IS NULL AND NOT (day = ? AND mode = ?)", (int(now), day, mode)
            )
            found = self._db.execute(
                "SELECT id FROM nights WHERE day = ? AND mode = ? ORDER BY id DESC", (day, mode)
            ).fetchone()
            if found is not None:
                self._db.execute("UPDATE nights SET ended = NULL WHERE id = ?", found)
                night = int(found[0])
            else:
                # A night whose press files were refused stands in the log alone; its rows are no part of this one.
                seen = self._db.execute(
                    "SELECT max((SELECT coalesce(max(night), 0) FROM request_log), (SELECT coalesce(max(night), 0) FROM looks))"
                ).fetchone()[0]
                facts = {"id": max(newest, seen) + 1, "day": day, "mode": mode, "started": int(now), "ended": None}
                night = workdb.put(self._db, "nights", None, facts | dict.fromkeys(NIGHT_TOTALS, 0))
            known = self._db.execute("SELECT value FROM state_meta WHERE name = 'last_night'").fetchone()
            if newest > (int(known[0]) if known else 0):
                self._db.execute("INSERT OR REPLACE INTO state_meta VALUES ('lost_at', ?)", (str(now),))
            # From now on the state knows of this night; one whose press file knows of more nights was lost or is an older one.
            self._db.execute("INSERT OR REPLACE INTO state_meta VALUES ('last_night', ?)", (str(night),))
        self.checkpoint()
        return night

    def checkpoint(self) -> None:
        """Bring the press files up to date while the night goes on (data.md, the committed database)."""
        rolling.rebuild(self._db, self._work, self.data, self._limits)

    def _mend(self, now: float) -> None:
        """Close what a killed process left open: log rows, whose end is unknown, so the latest possible is taken, and looks
        that were begun, whose answer is lost; they are not begun again that night (P30)."""
        self._db.execute(
            """UPDATE request_log SET ended = max(started, min(started + ?, ?)), error = 'interrupted' WHERE ended IS NULL""",
            (Policy().request_max_s, now),
        )
        # A robots.txt that was asked for and never read is not asked for again that day (P42).
        self._db.execute(
            """INSERT OR REPLACE INTO robots SELECT l.origin, max(l.started), 0, 'interrupted', '', x'', NULL FROM request_log l
               JOIN nights n ON n.id = l.night WHERE n.ended IS NULL AND l.purpose = 'robots' AND l.hop = 0
               AND NOT EXISTS (SELECT 1 FROM robots r WHERE r.origin = l.origin AND r.read_at > l.started) GROUP BY l.origin"""
        )
        self.probes.mend(now)
        self._mend_pages()
        begun = self._db.execute(
            """SELECT l.source, max(l.id) FROM request_log l JOIN nights n ON n.id = l.night WHERE n.ended IS NULL
               AND l.purpose IN ('feed', 'list') AND l.source NOT IN (SELECT source FROM looks WHERE night = n.id)
               GROUP BY l.source"""
        ).fetchall()
        for source, row in begun:
            self._look(row, Check(source, "asked", "failed", "interrupted"), now)

    def _mend_pages(self) -> None:
        """A page whose answer was lost has had one of its tries (S31)."""
        rows = self._db.execute(
            """SELECT l.origin, l.purpose, l.source, max(l.ended), p.article, coalesce(p.tries, 0) FROM request_log l
               JOIN nights n ON n.id = l.night LEFT JOIN pages p ON p.purpose = l.purpose AND p.url = l.origin
               WHERE n.ended IS NULL AND l.error = 'interrupted' AND l.purpose IN ('date', 'photo', 'backfill')
               AND NOT EXISTS (SELECT 1 FROM request_log x WHERE x.origin = l.origin AND x.purpose = l.purpose AND x.id > l.id)
               GROUP BY l.origin, l.purpose"""
        ).fetchall()
        for url, purpose, source, ended, article, tries in rows:
            if article is None:
                found = self._db.execute("SELECT id FROM articles WHERE url = ? ORDER BY id LIMIT 1", (url,)).fetchone()
                article = found[0] if found else None
            lost = fate(tries, Response(url, 0, ended, ended, error="interrupted"), Policy())
            self.pages.keep_page(Page(url, purpose, source, article, tries), lost)

    def readable(self) -> sqlite3.Connection:
        """The work database for reading (audit, report)."""
        return self._db

    def begin(self, night: int, day: str, mode: str, run_started: float, ticket: Ticket, now: float) -> None:
        """Write the log row before anything is sent, so that a kill cannot make us forget a request (P70)."""
        asked = ticket.request
        conditional = int(asked.etag is not None or asked.last_modified is not None)
        permit = ticket.permit or Permit("", 0.0, None)
        facts = {
            "id": ticket.id, "night": night, "day": day, "mode": mode, "started": now, "server": ticket.server,
            "lane": ticket.lane, "address": "", "replayed": 0, "purpose": asked.purpose, "sake": asked.sake or "",
            "origin": asked.origin, "source": asked.source, "outlet": asked.outlet, "hop": asked.hop, "parent": asked.parent,
            "url": asked.url, "agent": AGENT, "referer": "", "conditional": conditional, "status": 0, "error": "",
            "body_bytes": 0, "crawl_delay_s": permit.crawl_delay_s, "robots": permit.verdict,
            "robots_age_s": permit.age_s if ticket.permit else None, "run_started": run_started,
            "put_off": int(asked.put_off), "recheck": asked.recheck,
        }  # fmt: skip
        with self.transaction():
            workdb.put(self._db, "request_log", None, facts)

    def save(self, ticket: Ticket, response: Response, outcome: Outcome, retry_after_s: float | None) -> None:
        """One settled request, whole or not at all: its articles, log row, rests, validators, look and check."""
        with self.transaction():
            self._db.execute(
                """UPDATE request_log SET started = ?, ended = ?, address = ?, replayed = ?, agent = ?, referer = ?, status = ?,
                   error = ?, body_bytes = ?, retry_after_s = ? WHERE id = ?""",
                (response.started, response.ended, response.address, int(response.replayed), response.agent, response.referer,
                 response.status, response.error or "", response.body_bytes, retry_after_s, ticket.id),
            )  # fmt: skip
            source = ticket.request.source
            if source is not None:
                for filed in outcome.filed:
                    self._file(source, filed, int(response.ended), outcome.via)
                self._learn(source, outcome, response)
            self._record(ticket.id, outcome, response.ended)

    def keep_robots(self, origin: str, response: Response, copy: Copy) -> None:
        """Keep an origin's robots.txt as answered, or by name why it could not be read (P40, P42)."""
        trouble = copy.rules.reason if copy.rules.state == "unreadable" else ""
        kept = (response.header("Content-Type") or "", response.body, copy.until)
        with self.transaction():
            self._db.execute(
                "INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?, ?, ?, ?)",
                (origin, copy.read_at, response.status, response.error or trouble, *kept),
            )

    def rechecked(self, due: Due) -> None:
        """Take note that the operator's wish to look again at a closed source was carried out (P43)."""
        with self.transaction():
            self._db.execute("UPDATE sources SET rechecked = ? WHERE id = ?", (due.recheck, due.source_id))

    def note(self, check: Check, rests: tuple[Rest, ...], now: float, row: int | None = None) -> None:
        """An outcome without an answer of its own: a refusal, before anything was sent or instead of a hop."""
        with self.transaction():
            self._record(row, Outcome(check, rests=rests), now)

    def _record(self, row: int | None, outcome: Outcome, now: float) -> None:
        self.keep_rests(outcome.rests, row)
        self._look(row, outcome.check, now)

    def keep_rests(self, rests: tuple[Rest, ...], row: int | None) -> None:
        """Rests with the log row that caused them; one without a row came from a rule's own word (P45)."""
        asked = "coalesce((SELECT id FROM nights WHERE ended IS NULL), (SELECT night FROM request_log WHERE id = ?))"
        night = self._db.execute(f"SELECT {asked}", (row,)).fetchone()[0]
        for rest in rests:
            self._db.execute(
                "INSERT INTO rests VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    night,
                    rest.scope,
                    rest.subject,
                    rest.since,
                    rest.until,
                    rest.rule,
                    rest.what,
                    int(rest.by_start),
                    row,
                ),
            )

    def _look(self, row: int | None, check: Check | None, now: float) -> None:
        if check is None:
            return
        night, day = self._db.execute("SELECT id, day FROM nights WHERE ended IS NULL").fetchone()
        self._db.execute(
            "INSERT INTO looks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (night, day, check.source, now, row, check.stage, check.result, check.reason, check.status, check.entries,
             check.new, check.changed),
        )  # fmt: skip
        self._outcome(night, check, now)

    def _outcome(self, night: int, check: Check, now: float) -> None:
        """A `checks` row, but only where the outcome differs from the source's last one (data.md: a row per change)."""
        healthy = check.result in HEALTHY
        last = self._db.execute(
            "SELECT result, reason, status, rest_rule FROM checks WHERE source = ? ORDER BY id DESC LIMIT 1",
            (check.source,),
        ).fetchone()
        if last is not None and healthy and last[0] in HEALTHY:
            return
        until = None if check.rest_until is None else math.ceil(check.rest_until)
        # A server's own request for rest is always written: its end must outlive a lost state. (An end that is no midnight
        # was named by the server for this one address.)
        wished = check.rest_rule in SERVERS_WISH or (
            check.rest_rule == "P35" and until is not None and until != kst_midnight(kst_day(until))
        )
        if last == (check.result, check.reason, check.status, check.rest_rule) and not wished:
            return
        self._db.execute(
            "INSERT INTO checks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                check.source,
                night,
                check.stage,
                check.result,
                check.reason,
                check.status,
                until,
                check.rest_rule,
            ),
        )

    def _file(self, source: int, filed: Filed, now: int, via: str) -> None:
        entry, old = filed.change.entry, filed.old
        if filed.change.action == "skip":
            return
        if entry.image_url is not None and self.shelf.is_logo(source, entry.image_url):
            entry = replace(entry, image_url=None)  # it turned out to be one within this document
        facts = {
            "key": filed.key, "kind": entry.kind, "url": entry.url, "guid": entry.guid, "title": entry.title,
            "summary": entry.summary, "summary_derived": int(entry.summary_derived), "byline": entry.byline,
            "published": entry.published, "precision": entry.precision, "published_raw": entry.published_raw,
            "date_from": entry.date_from, "changed": now, "image_url": entry.image_url, "media_url": entry.media_url,
            "media_type": entry.media_type, "media_bytes": entry.media_bytes, "video_id": entry.video_id,
            "video_form": entry.video_form, "withheld": entry.withheld, "digest": decide.digest(entry),
        }  # fmt: skip
        if old is None or old.is_empty:
            facts |= {"outlet": self._outlets[self._sources[source].outlet], "source": source, "via": via}
        if old is None:
            article = workdb.put(self._db, "articles", None, facts | {"first_seen": now})
        else:
            article = workdb.put(self._db, "articles", old.id, facts)
            self._db.execute("DELETE FROM article_tags WHERE article = ?", (article,))
            for revision in filed.change.revisions:
                self._db.execute(
                    "INSERT INTO revisions VALUES (NULL, ?, ?, ?, ?)",
                    (article, now, revision.field, revision.old),
                )
        for tag in entry.tags:
            self._db.execute("INSERT OR IGNORE INTO tags(tag) VALUES (?)", (tag,))
            self._db.execute("INSERT OR IGNORE INTO article_tags SELECT ?, id FROM tags WHERE tag = ?", (article, tag))
        self.pictures.weed(source, entry.image_url, now)

    def take_in(self, films: Iterable[tuple[str, bytes, Entry]], now: float) -> int:
        """Videos from a file (outlet, key, facts), filed at their outlet's youtube source, all or none (P05); those known
        already stay as they are. Returns how many were new."""
        homes = {source.outlet: row for row, source in reversed(self._sources.items()) if source.kind == "youtube"}
        new = 0
        with self.transaction():
            for outlet, key, entry in films:
                old = self.shelf.article(key)
                if outlet in homes and (old is None or old.is_empty):
                    self._file(homes[outlet], Filed(key, old, Change("insert", "import", entry)), int(now), "import")
                    new += 1
        return new

    def _learn(self, source: int, outcome: Outcome, response: Response) -> None:
        if (given := outcome.validators) is not None:
            self._db.execute(
                "INSERT OR REPLACE INTO validators VALUES (?, ?, ?, ?, ?, ?)",
                (source, given.url, given.etag, given.last_modified, given.body_digest, response.ended),
            )
        if (feed := outcome.feed) is not None:
            workdb.put(
                self._db, "sources", source, {"title": feed.title, "format": feed.format, "language": feed.language}
            )
            if feed.older is not None:
                # The first older page is where backfill begins; it is never moved back by a later look.
                self._db.execute(
                    """INSERT INTO backfills(source, next_url, stops) VALUES (?, ?, 0)
                       ON CONFLICT DO UPDATE SET next_url = excluded.next_url WHERE next_url IS NULL""",
                    (source, feed.older),
                )

    # -- the end ---------------------------------------------------------------------------------------------------

    def end_night(self, night: int, policy: Policy, breaches: Mapping[str, int], now: float) -> None:
        """Write the night's totals, the politeness table it obeyed and what each server was sent (P70)."""
        with self.transaction():
            self._db.execute(
                """UPDATE nights SET (due, ok, unchanged, failed, refused, put_off, new_articles, changed_articles) = (
                     SELECT count(*), count(*) FILTER (WHERE result = 'ok'),
                       count(*) FILTER (WHERE result IN ('unchanged', 'not_modified')), count(*) FILTER (WHERE result = 'failed'),
                       count(*) FILTER (WHERE result = 'refused'), count(*) FILTER (WHERE result IN ('put_off', 'not_reached')),
                       (SELECT coalesce(sum(new), 0) FROM looks WHERE night = ?1),
                       (SELECT coalesce(sum(changed), 0) FROM looks WHERE night = ?1)
                     FROM looks WHERE id IN (SELECT max(id) FROM looks WHERE night = ?1 GROUP BY source)),
                   (requests, body_bytes) = (SELECT count(*), coalesce(sum(body_bytes), 0) FROM request_log WHERE night = ?1),
                   ended = ?2, breaches = ?3 WHERE id = ?1""",
                (night, int(now), sum(breaches.values())),
            )
            # A server that rests stays on record until then, whatever runs come between.
            self._db.execute("DELETE FROM servers_last_night WHERE coalesce(rest_until, 0) <= ?", (now,))
            self._db.execute(
                """INSERT OR REPLACE INTO servers_last_night SELECT server, count(*), CAST(min(started) AS INTEGER),
                   CAST(max(ended) AS INTEGER), (SELECT CAST(max(until) AS INTEGER) + 1 FROM rests r
                     WHERE r.scope = 'server' AND r.subject = l.server AND r.what IN ('all', 'looks') AND r.until > ?)
                   FROM request_log l WHERE night = ? GROUP BY server""",
                (now, night),
            )
            self._write_policy(policy, breaches)

    def _write_policy(self, policy: Policy, breaches: Mapping[str, int]) -> None:
        self._db.execute("DELETE FROM policy")
        for rule in policy.rules():
            self._db.execute(
                "INSERT INTO policy VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                (
                    rule.rule,
                    rule.name,
                    rule.value,
                    rule.floor,
                    rule.unit,
                    int(rule.in_force),
                    breaches.get(rule.name, 0),
                ),
            )

    def publish(self) -> None:
        """Rebuild the press files and state.db from the work database and put it away (data.md, the committed database)."""
        oldest = self._db.execute("SELECT max(started) FROM request_log").fetchone()[0]
        if oldest is not None:
            with self.transaction():
                for table, column in (("request_log", "started"), ("looks", "at"), ("rests", "since")):
                    self._db.execute(f"DELETE FROM {table} WHERE {column} < ?", (oldest - LOG_DAYS * DAY_S,))
        digest = rolling.rebuild(self._db, self._work, self.data, self._limits)
        with self.transaction():
            self._db.execute("INSERT OR REPLACE INTO state_meta VALUES ('press_digest', ?)", (digest,))
        self.keep_state()

    def keep_state(self) -> None:
        """Rebuild state.db alone and put the work database away: a look by hand leaves the record as it is."""
        kept = self.state / "state.db"
        pressfile.place(pressfile.write(self._work, kept, pressfile.Part(pressfile.STATE_SQL)), kept)
        self._db.close()
        for path in (self._work, self._work.with_name(f"{self._work.name}-journal")):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the database and the lock; a night not yet published stays in the work database."""
        self._db.close()
        self._unlock()

    def _unlock(self) -> None:
        for held in self._locks:
            os.close(held)
        self._locks = []

    def transaction(self) -> AbstractContextManager[None]:
        """All of the block's writes or none; a transaction within a transaction is part of it."""
        return workdb.transaction(self._db)


def write_empty_press(data: Path, scratch: Path) -> None:
    """Write a valid press.db without an article: what a new hub begins with; `scratch` is an empty folder."""
    with closing(Store(data, scratch, Registry((), (), Exclusions()))) as store:
        with store.transaction():
            store._write_policy(Policy(), {})
        store.publish()
