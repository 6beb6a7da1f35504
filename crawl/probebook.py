"""How a look by hand stands in the request log: under a number below zero, since it is no night and no part of the record."""

from __future__ import annotations

import sqlite3

from crawl.errors import Misuse
from crawl.policy import Policy


class ProbeBook:
    """Writes what a probe leaves in the state; each call is part of the store's open transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def begin(self, now: float) -> int:
        """The probe's number for the log: -1, -2 and so on. Raises Misuse where a night was broken off and waits to go on."""
        if self._db.execute("SELECT 1 FROM nights WHERE ended IS NULL").fetchone():
            raise Misuse("a night was broken off with this state folder; run it again to finish it, then probe")
        self.mend(now)
        lowest = self._db.execute("SELECT min(night) FROM request_log").fetchone()[0]
        return min(0, lowest or 0) - 1

    def mend(self, now: float) -> None:
        """Close the rows of a probe that was stopped: their end is unknown, so the latest possible is taken, and a robots.txt
        that was asked for and never read is not asked for again that day (P42)."""
        self._db.execute(
            """UPDATE request_log SET ended = max(started, min(started + ?, ?)), error = 'interrupted'
               WHERE ended IS NULL AND night < 0""",
            (Policy().request_max_s, now),
        )
        self._db.execute(
            """INSERT OR REPLACE INTO robots SELECT l.origin, max(l.started), 0, 'interrupted', '', x'', NULL FROM request_log l
               WHERE l.night < 0 AND l.purpose = 'robots' AND l.hop = 0
               AND NOT EXISTS (SELECT 1 FROM robots r WHERE r.origin = l.origin AND r.read_at >= l.started) GROUP BY l.origin"""
        )
