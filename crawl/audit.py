"""Re-checks the request log against each rule's own query, independently of the scheduler's code (P70)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from crawl import blocks, pressfile, ranges, robots, urls
from crawl.clock import kst_day
from crawl.errors import StoreDamaged
from crawl.exclusions import Exclusions
from crawl.model import Response
from crawl.policy import Policy, Rule

Excluded = Callable[[str, str, str, float], bool]
"""Whether an address of an outlet was already excluded at a moment (P60)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule of the table with the rows that break it (`rows`: their numbers, the first few hundred at most)."""

    rule: Rule
    rows: tuple[int, ...]


def audit(db: sqlite3.Connection, promise: Policy, excluded: Excluded, *, night: int | None = None) -> list[Finding]:
    """Every rule that a request could break with its breaches, from a database of the log and the committed tables.

    `promise`: the values to hold the log to (a test's loosened night is judged by `Policy()`). With `night`, only
    request-log breaches of that night count; the rules still see the earlier rows they compare with.
    """
    db.create_function("is_public", 1, urls.is_public, deterministic=True)
    db.create_function("is_excluded", 4, excluded)
    db.create_function("is_login", 1, blocks.is_login_address, deterministic=True)
    db.create_function("origin_of", 1, urls.origin, deterministic=True)
    db.create_function("robots_closes", 5, _robots_closes, deterministic=True)
    values = promise.values()
    return [
        Finding(rule, _breaches(db, rule, values | {"value": rule.value or 0}, night))
        for rule in promise.rules()
        if rule.audit
    ]


def _breaches(db: sqlite3.Connection, rule: Rule, values: Mapping[str, float], night: int | None) -> tuple[int, ...]:
    found = [row[0] for row in db.execute(rule.audit, values)]
    log_alone = not any(f"FROM {table}" in rule.audit for table in ("rests", "looks", "articles"))
    if night is not None and log_alone and found:
        tonight = {row[0] for row in db.execute("SELECT id FROM request_log WHERE night = ?", (night,))}
        found = [row for row in found if row in tonight]
    return tuple(found)


def _robots_closes(status: int, error: str, content_type: str, body: bytes, url: str) -> bool:
    """Whether a kept robots.txt closes an address to us (P41)."""
    answer = Response(url, status, 0, 0, error=error or None, headers=(("Content-Type", content_type),), body=body)
    return robots.read(answer).verdict(url) == "closed"


def breach_counts(findings: list[Finding]) -> dict[str, int]:
    """Breaches by the name of the table's row."""
    return {finding.rule.name: len(finding.rows) for finding in findings}


def excluded_before(exclusions: Exclusions) -> Excluded:
    """P60's question to the log: was this address already excluded when it was asked? (A row counts from the day after
    it was written, since its hour is unknown.)"""

    def excluded(url: str, outlet: str, cms: str, at: float) -> bool:
        row = exclusions.covers(url, outlet, cms=cms or "")
        return row is not None and row.since.isoformat() < kst_day(at)

    return excluded


def open_files(data: Path, state: Path) -> sqlite3.Connection:
    """The files of finished nights as one readable database. Raises StoreDamaged where one is missing or damaged."""
    log, db = state / "state.db", ranges.opened(data)
    with closing(pressfile.read_only(log)) as one:
        pressfile.check(one, log)
    if (state / "work.db").exists():
        raise StoreDamaged(
            str(state / "work.db"), "belongs to a night that was broken off; run the night again to finish it"
        )
    db.execute("ATTACH ? AS log", (f"{pressfile.uri(log)}?mode=ro",))
    return db
