"""What earlier runs left behind, read from the work database: the gate's memory and what is due."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from crawl import robots, urls
from crawl.gate import Memory
from crawl.model import HEALTHY, Due, Page, Response, Rest, Source
from crawl.policy import Policy
from crawl.rests import Past
from crawl.robotsbook import Copy

SERVERS_WISH = frozenset({"P32", "P33", "P36"})
"""Rules of rests that a server asked for, whole and not for one address."""
_MOVED_ON_S = 60 * 86_400
"""By so much later a page may begin than the one before it ended: it may be read weeks after that one."""


class Recall:
    """Questions to a work database about the past; it writes nothing."""

    def __init__(self, db: sqlite3.Connection, sources: Mapping[int, Source]) -> None:
        """`sources`: the registered sources by their number in the database."""
        self._db, self._sources = db, sources

    def memory(self, day: str, now: float, policy: Policy) -> Memory:
        """What the gate must know of earlier runs: last ends, rests, today's looks and slow-downs, robots.txt copies."""
        read = self._db.execute
        rests = [
            Rest(scope, subject, since, until, rule, what, bool(by_start))
            for scope, subject, since, until, rule, what, by_start in read(
                "SELECT scope, subject, since, until, rule, what, by_start FROM rests WHERE until > ?", (now,)
            )
        ]
        return Memory(
            next_id=read("SELECT coalesce(max(id), 0) + 1 FROM request_log").fetchone()[0],
            last_ends=self._last_ends(policy),
            rests=(*rests, *self._committed_rests(now, policy)),
            looks=tuple(
                read(
                    """SELECT source, count(*) FROM request_log WHERE day = ? AND hop = 0 AND source IS NOT NULL
                       AND purpose IN ('feed', 'list') GROUP BY source""",
                    (day,),
                )
            ),
            slowed=tuple(
                read(
                    """SELECT DISTINCT server, source FROM request_log WHERE day = ? AND source IS NOT NULL
                       AND (status = 429 OR (status >= 500 AND retry_after_s > 0))
                       AND purpose <> 'photo' AND sake <> 'photo'""",
                    (day,),
                )
            ),
            copies=tuple(self._copies(now, policy)),
            sent=tuple(read("SELECT outlet, count(*) FROM request_log WHERE day = ? GROUP BY outlet", (day,))),
        )

    def _last_ends(self, policy: Policy) -> tuple[tuple[str, float], ...]:
        """When each server, and each address dialled, was last asked; a gap beyond the usual counts as part of the end."""
        end = """max(ended + max(coalesce(crawl_delay_s, 0) - :usual, iif(purpose = 'backfill', :backfill - :usual, 0), 0))"""
        return tuple(
            self._db.execute(
                f"""SELECT server, {end} FROM request_log GROUP BY server UNION ALL
                    SELECT address, {end} FROM request_log WHERE address <> '' AND NOT replayed GROUP BY address UNION ALL
                    SELECT server, last_end + 1 + :longest - :usual FROM servers_last_night s WHERE NOT EXISTS
                      (SELECT 1 FROM request_log l WHERE l.server = s.server AND l.ended >= s.last_end)""",
                {"usual": policy.spacing_s, "backfill": policy.backfill_spacing_s, "longest": policy.crawl_delay_max_s},
            )
        )

    def _copies(self, now: float, policy: Policy) -> Iterator[tuple[str, Copy]]:
        rows = self._db.execute(
            "SELECT origin, read_at, status, error, content_type, body, until FROM robots WHERE read_at >= ? OR until > ?",
            (now - policy.robots_max_age_s, now),
        )
        for origin, read_at, status, error, content_type, body, until in rows:
            answer = Response(
                f"{origin}/robots.txt", status, read_at, read_at, error=error or None,
                headers=(("Content-Type", content_type),), body=body,
            )  # fmt: skip
            yield origin, Copy(robots.read(answer), read_at, until)

    def past(self, source: int, failures: int, server: str, row: int, policy: Policy) -> Past:
        """What the tables of `rests` ask about the time before the answer in log row `row`."""
        long_rests, first, well = 0, None, 0
        looks = self._db.execute(
            """SELECT id, night, status, retry_after_s, purpose = 'robots' FROM request_log WHERE source = ?1 AND id < ?2
               AND (purpose IN ('feed', 'list') OR (purpose = 'robots' AND sake IN ('feed', 'list')))
               AND day < (SELECT day FROM request_log WHERE id = ?2) AND status NOT BETWEEN 301 AND 303
               AND status NOT BETWEEN 305 AND 399 ORDER BY id DESC""",
            (source, row),
        )
        for at, night, status, wait_s, is_robots in looks:
            if not is_robots:
                if 200 <= status < 300 or status == 304:
                    well = night
                    break
                first = (at, status, wait_s, night) if first is None else first
            long_rests += bool((status == 429 or status >= 500) and wait_s is not None and wait_s >= policy.long_rest_s)
        long_rests += self._lost_long_rests(source, well, policy)
        if first is None or first[1] != 429 or first[2] is not None or not self._log_is_whole(first[3]):
            return Past(failures, long_rests)
        slowed, answered = self._db.execute(
            """SELECT coalesce(sum((status = 429 OR (status >= 500 AND retry_after_s > 0)) AND purpose <> 'photo'
                 AND sake <> 'photo'), 0),
               coalesce(sum((status BETWEEN 200 AND 299 OR status = 304) AND purpose IN ('feed', 'list')), 0)
               FROM request_log WHERE server = ? AND source <> ? AND id > ? AND id < ?""",
            (server, source, first[0], row),
        ).fetchone()
        return Past(failures, long_rests, True, bool(slowed), bool(answered))

    def _lost_long_rests(self, source: int, well: int, policy: Policy) -> int:
        """How many long rests in a row the public record tells of whose log the state has lost (P32).

        `well`: the night of the last good answer in the log. The record keeps when a rest ends and not how long it was:
        counted from the night's start it is never taken for shorter.
        """
        rows = self._db.execute(
            """SELECT c.result, c.rest_rule IN ('P32', 'P33') AND c.status > 0 AND c.rest_until - n.started >= ?
               FROM checks c JOIN nights n ON n.id = c.night
               WHERE c.source = ?2 AND c.night > ?3 AND c.stage <> 'planned'
               AND NOT EXISTS (SELECT 1 FROM request_log l WHERE l.source = ?2 AND l.night = c.night) ORDER BY c.id DESC""",
            (policy.long_rest_s, source, well),
        )
        return sum(is_long for _, is_long in itertools.takewhile(lambda row: row[0] not in HEALTHY, rows))

    def _log_is_whole(self, since: int) -> bool:
        """Whether the log of that night and of every later one is here."""
        lost = self._db.execute(
            """SELECT EXISTS (SELECT 1 FROM nights n WHERE n.id >= ?
               AND n.requests > (SELECT count(*) FROM request_log l WHERE l.night = n.id))""",
            (since,),
        ).fetchone()
        return not lost[0]

    def _committed_rests(self, now: float, policy: Policy) -> Iterator[Rest]:
        """Rests of the public record from nights the state knows nothing of: losing it must never make us ruder (data.md)."""
        rows = self._db.execute(
            """SELECT c.source, s.url, c.rest_until, c.rest_rule FROM checks c JOIN sources s ON s.id = c.source
               WHERE c.rest_until > ? AND (c.night NOT IN (SELECT night FROM looks) OR EXISTS (SELECT 1 FROM nights n
                 WHERE n.id = c.night AND n.requests > (SELECT count(*) FROM request_log l WHERE l.night = n.id)))""",
            (now,),
        ).fetchall()
        resting = self._db.execute(
            """SELECT server, rest_until FROM servers_last_night s WHERE rest_until > ? AND NOT EXISTS
               (SELECT 1 FROM rests r WHERE r.scope = 'server' AND r.subject = s.server AND r.until > s.rest_until - 2)""",
            (now,),
        )
        for server, until in resting.fetchall():
            yield Rest("server", server, now, until, "P33")
        for source, url, until, rule in rows:
            yield Rest("source", str(source), now, until, rule, by_start=rule == "P32")
            if rule in SERVERS_WISH:
                server_until = until - (policy.late_start_margin_s if rule == "P32" else 0)
                yield Rest("server", urls.server(url), now, server_until, "P33")

    def collected(self, day: str) -> bool:
        """Whether a run of this Korean day is on record that the state knows too little of (it was lost, or is an older one)."""
        known = self._db.execute("SELECT value FROM state_meta WHERE name = 'last_night'").fetchone()
        newest = self._db.execute("SELECT max(id) FROM nights WHERE day = ?", (day,)).fetchone()[0]
        lost = self._db.execute(
            """SELECT EXISTS (SELECT 1 FROM nights n WHERE n.day = ?
               AND n.requests > (SELECT count(*) FROM request_log l WHERE l.night = n.id))""",
            (day,),
        ).fetchone()[0]
        return newest is not None and (known is None or newest > int(known[0]) or bool(lost))

    def has_night(self, day: str) -> bool:
        """Whether some run of this Korean day is on record and none was broken off."""
        runs, ended = self._db.execute(
            "SELECT count(*) FILTER (WHERE day = ?), count(*) = count(ended) FROM nights", (day,)
        ).fetchone()
        return bool(runs and ended)

    def newest_request(self) -> float:
        """When the newest request that the state knows of ended, 0 for none."""
        return float(self._db.execute("SELECT coalesce(max(ended), 0) FROM request_log").fetchone()[0])

    def due(self, policy: Policy, day: str) -> list[Due]:
        """Every active source with what its last well-parsed answer left (S30), in registry order; `day`: tonight."""
        return [
            replace(
                self._due(row, source, policy),
                closed=self._closed(row),
                recheck=self._recheck(row, source, day),
                identity=self._lied(row),
            )
            for row, source in self._sources.items()
            if source.state == "active"
        ]

    def _lied(self, row: int) -> bool:
        last = self._db.execute("SELECT reason FROM looks WHERE source = ? ORDER BY id DESC LIMIT 1", (row,)).fetchone()
        return last is not None and last[0] == "bad_encoding"

    def _closed(self, row: int) -> bool:
        last = self._db.execute(
            """SELECT reason FROM checks WHERE source = ? AND (reason = 'closed_by_robots' OR stage <> 'planned')
               ORDER BY id DESC LIMIT 1""",
            (row,),
        ).fetchone()
        return last is not None and last[0] == "closed_by_robots"

    def _recheck(self, row: int, source: Source, day: str) -> str:
        done = self._db.execute("SELECT rechecked FROM sources WHERE id = ?", (row,)).fetchone()[0]
        return source.recheck if source.recheck and source.recheck <= day and source.recheck != done else ""

    def _due(self, row: int, source: Source, policy: Policy) -> Due:
        failures = 0
        for (result,) in self._db.execute("SELECT result FROM looks WHERE source = ? ORDER BY id DESC", (row,)):
            if result in HEALTHY:
                break
            failures += result == "failed"
        kept = self._db.execute(
            "SELECT url, etag, last_modified, body_digest FROM validators WHERE source = ?", (row,)
        ).fetchone()
        if kept is None:
            return Due(row, source, failures)
        conditional_in_a_row = self._db.execute(
            """SELECT count(DISTINCT day) FROM request_log WHERE source = ?1 AND conditional AND id > (SELECT coalesce(max(id), 0)
               FROM request_log WHERE source = ?1 AND purpose IN ('feed', 'list') AND NOT conditional AND status = 200)""",
            (row,),
        ).fetchone()[0]
        if conditional_in_a_row >= policy.unconditional_every_nights - 1:
            return Due(row, source, failures, body_digest=kept[3])
        url, etag, last_modified, body_digest = kept
        return Due(
            row, source, failures, validators_url=url, etag=etag, last_modified=last_modified, body_digest=body_digest
        )

    # -- pages -----------------------------------------------------------------------------------------------------

    def pages_without_date(self, dues: Mapping[int, Due]) -> list[Page]:
        """Article pages of lists that show no dates, those never asked first, then newest first (P11)."""
        return self._wanting("date", "a.published IS NULL AND s.kind = 'list'", dues)

    def pages_without_photo(self, dues: Mapping[int, Due]) -> list[Page]:
        """Pages of photo stories whose picture is not known yet, in the same order (P03)."""
        return self._wanting("photo", "a.kind = 'photo' AND a.image_url IS NULL", dues)

    def _wanting(self, purpose: Literal["date", "photo"], where: str, dues: Mapping[int, Due]) -> list[Page]:
        rows = self._db.execute(
            f"""SELECT a.url, a.source, a.id, coalesce(p.tries, 0), p.until FROM articles a JOIN sources s ON s.id = a.source
                LEFT JOIN (SELECT article, max(tries) AS tries, max(until) AS until, max(done) AS done FROM pages
                  WHERE purpose = ? GROUP BY article) p ON p.article = a.id
                WHERE {where} AND a.url <> '' AND coalesce(p.done, 0) = 0
                ORDER BY p.article IS NOT NULL, a.first_seen DESC, a.id""",
            (purpose,),
        )
        return [
            Page(url, purpose, source, article, tries, until)
            for url, source, article, tries, until in rows
            if source in dues
        ]

    def lost_at(self) -> float:
        """When the state was last found missing or older than the press file, long ago where it never was."""
        row = self._db.execute("SELECT value FROM state_meta WHERE name = 'lost_at'").fetchone()
        return float(row[0]) if row else float("-inf")

    def page_was_read(self, url: str) -> bool:
        """Whether an older list page was read already: a pager that leads back has no end."""
        return bool(
            self._db.execute("SELECT 1 FROM pages WHERE purpose = 'backfill' AND url = ? AND done", (url,)).fetchone()
        )

    def older_pages(self, dues: Mapping[int, Due]) -> list[Page]:
        """Where each list's backfill goes on (P22); what its last look showed must have been believed, and no article of the
        archive be without a date that its page was not asked for: how far back the archive has come is known by dates."""
        rows = self._db.execute(
            """SELECT b.next_url, b.source, coalesce(p.tries, 0), p.until FROM backfills b
               LEFT JOIN pages p ON p.purpose = 'backfill' AND p.url = b.next_url WHERE b.next_url <> ''
               AND NOT EXISTS (SELECT 1 FROM looks WHERE reason GLOB 'held_*' AND id = (
                 SELECT max(id) FROM looks l WHERE l.source = b.source AND l.stage <> 'planned'))
               AND NOT EXISTS (SELECT 1 FROM articles a WHERE a.source = b.source AND a.via = 'backfill' AND a.published IS NULL
                 AND a.url <> '' AND NOT EXISTS (SELECT 1 FROM pages d WHERE d.purpose = 'date' AND d.article = a.id))
               ORDER BY b.source"""
        )
        return [
            Page(url, "backfill", source, None, tries, until) for url, source, tries, until in rows if source in dues
        ]

    def list_time(self, source: int, now: float) -> float:
        """The moment by which an older page of a list is to be read: boards that never print a year are told by what stood
        on the page before, the last of the archive's or, at its beginning, the oldest of the looks'. Articles published since
        have moved newer ones onto it."""
        # A day and a month; `3일 전` counts from the moment of the answer.
        resolved = """SELECT published FROM articles WHERE source = ? AND date_from = 'list_resolved' AND url <> ''
                      AND published_raw GLOB '*[0-9]*[-./월]*[0-9]*'"""
        found = self._db.execute(f"{resolved} AND via = 'backfill' ORDER BY id DESC LIMIT 1", (source,)).fetchone()
        found = found or self._db.execute(f"{resolved} ORDER BY published LIMIT 1", (source,)).fetchone()
        return min(now, float(found[0]) + _MOVED_ON_S) if found else now

    def date_pages_asked(self, day: str) -> dict[int, int]:
        """How many date pages of each source this Korean day has asked for, tries included (P11)."""
        return dict(
            self._db.execute(
                "SELECT source, count(*) FROM request_log WHERE day = ? AND purpose = 'date' AND hop = 0 GROUP BY source",
                (day,),
            ).fetchall()
        )
