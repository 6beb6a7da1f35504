"""What earlier runs left behind, read from the work database: the gate's memory and what is due."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

from crawl import urls
from crawl.gate import Memory
from crawl.model import HEALTHY, Due, Rest, Source
from crawl.policy import Policy


class Recall:
    """Questions to a work database about the past; it writes nothing."""

    def __init__(self, db: sqlite3.Connection, sources: Mapping[int, Source]) -> None:
        """`sources`: the registered sources by their number in the database."""
        self._db, self._sources = db, sources

    def memory(self, day: str, now: float) -> Memory:
        """What the gate must know of earlier runs: last ends, rests in force, today's looks, the next log row."""
        read = self._db.execute
        ends = read("SELECT server, max(ended) FROM request_log GROUP BY server").fetchall()
        rests = [
            Rest(*row) for row in read("SELECT scope, subject, since, until, rule FROM rests WHERE until > ?", (now,))
        ]
        rests += self._committed_rests(now)
        looks = read(
            """SELECT source, count(*) FROM request_log WHERE day = ? AND hop = 0 AND source IS NOT NULL
               AND purpose IN ('feed', 'list') GROUP BY source""",
            (day,),
        ).fetchall()
        next_id = read("SELECT coalesce(max(id), 0) + 1 FROM request_log").fetchone()[0]
        return Memory(next_id, tuple(ends), tuple(rests), tuple(looks))

    def _committed_rests(self, now: float) -> Iterator[Rest]:
        """Rests of the public record: losing the state must never make us ruder (data.md)."""
        rows = self._db.execute(
            """SELECT c.source, s.url, c.rest_until, c.rest_rule FROM checks c JOIN sources s ON s.id = c.source
               WHERE c.id IN (SELECT max(id) FROM checks GROUP BY source) AND c.rest_until > ?""",
            (now,),
        ).fetchall()
        for source, url, until, rule in rows:
            yield Rest("source", str(source), now, until, rule)
            if rule == "P33":
                yield Rest("server", urls.server(url), now, until, rule)

    def collected(self, day: str) -> bool:
        """Whether an earlier run has ended on this Korean day while its looks are unknown to us (the state was lost)."""
        ended, logged = self._db.execute(
            """SELECT EXISTS (SELECT 1 FROM nights WHERE day = ?1 AND ended IS NOT NULL),
               EXISTS (SELECT 1 FROM request_log WHERE day = ?1)""",
            (day,),
        ).fetchone()
        return bool(ended and not logged)

    def has_night(self, day: str) -> bool:
        """Whether some run of this Korean day is on record and none was broken off."""
        runs, ended = self._db.execute(
            "SELECT count(*) FILTER (WHERE day = ?), count(*) = count(ended) FROM nights", (day,)
        ).fetchone()
        return bool(runs and ended)

    def due(self, policy: Policy) -> list[Due]:
        """Every active source with what its last well-parsed answer left (S30), in registry order."""
        return [self._due(row, source, policy) for row, source in self._sources.items() if source.state == "active"]

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
               FROM request_log WHERE source = ?1 AND NOT conditional AND status = 200)""",
            (row,),
        ).fetchone()[0]
        if conditional_in_a_row >= policy.unconditional_every_nights - 1:
            return Due(row, source, failures, "", None, None, kept[3])
        return Due(row, source, failures, *kept)
