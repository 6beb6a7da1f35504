"""What a run tells the person at the terminal: progress while it lasts, one screen at its end."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from crawl.audit import Finding
from crawl.clock import kst_text
from crawl.night import Progress, Summary

NAMED_AT_MOST = 12
"""Failing sources named on the one screen; the rest are counted."""

LINE_EVERY_S = 60


class Teller:
    """Shows a night's progress: a bar on a terminal, a line a minute in a log."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self._out = out
        self._last_line = float("-inf")
        self._bar: Bar | None = None
        if out.isatty():
            self._bar = Bar(TextColumn("night"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                            console=Console(file=out), transient=True)  # fmt: skip
            self._task = self._bar.add_task("night", total=None)
            self._bar.start()

    def __call__(self, progress: Progress) -> None:
        """Take note of how far the night is."""
        if self._bar is not None:
            self._bar.update(self._task, completed=progress.done, total=progress.planned)
        elif progress.now >= self._last_line + LINE_EVERY_S:
            self._last_line = progress.now
            print(
                f"{kst_text(progress.now)}  {progress.done} of {progress.planned} sources",
                file=self._out,
                flush=True,
            )

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._bar is not None:
            self._bar.stop()


def night_screen(db: sqlite3.Connection, summary: Summary, salvaged: int) -> str:
    """The one-screen summary of a finished night, from the database that holds it."""
    if summary.night is None:
        return f"{summary.day}: nothing sent: {summary.why}"
    facts = night_facts(db, summary)
    lines = [
        "Night {day} ({mode}), {begun} to {done} KST",
        "  sources   {due} due: {ok} read, {unchanged} unchanged, {failed} failed, {refused} refused by our rules,"
        " {put_off} put off",
        "  articles  {new_articles} new, {changed_articles} changed",
        "  requests  {requests}, {kib:,.0f} KiB, smallest gap on one server {gap}",
        "  audit     {breaches} breaches in {rules} rules",
    ]
    lines = [line.format(
        **facts, begun=kst_text(facts["started"])[11:19], done=kst_text(facts["ended"])[11:19],
        kib=facts["body_bytes"] / 1024, gap=_smallest_gap(db, summary.night), rules=len(summary.findings),
    ) for line in lines]  # fmt: skip
    if salvaged:
        lines.append(f"  rescued   {salvaged} articles from a night that was broken off")
    lines += list(_troubles(db, summary.night))
    lines += list(_left_archives(db))
    return "\n".join(lines)


def night_facts(db: sqlite3.Connection, summary: Summary) -> dict[str, Any]:
    """The night's totals by name. `asked`: sources a look was due for and no rule refused; `answered`: those that any
    HTTP answer came for, a failing one included."""
    if summary.night is None:
        return {"night": None, "day": summary.day, "why": summary.why}
    cursor = db.execute("SELECT * FROM nights WHERE id = ?", (summary.night,))
    facts = dict(zip((column[0] for column in cursor.description), cursor.fetchone(), strict=True))
    asked, answered = db.execute(
        """SELECT count(*) FILTER (WHERE result <> 'refused'), count(*) FILTER (WHERE status > 0) FROM looks
           WHERE id IN (SELECT max(id) FROM looks WHERE night = ? GROUP BY source)""",
        (summary.night,),
    ).fetchone()
    return facts | {"asked": asked, "answered": answered}


def _smallest_gap(db: sqlite3.Connection, night: int) -> str:
    gap = db.execute(
        """SELECT min(gap) FROM (SELECT started - max(ended) OVER (PARTITION BY server ORDER BY started, id
           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS gap FROM request_log WHERE night = ?)""",
        (night,),
    ).fetchone()[0]
    return "none (one request each)" if gap is None else f"{gap:.3f} s"


def _troubles(db: sqlite3.Connection, night: int) -> Iterable[str]:
    rows = db.execute(
        """SELECT l.result, l.reason, o.slug, s.url FROM looks l JOIN sources s ON s.id = l.source
           JOIN outlets o ON o.id = s.outlet
           WHERE l.id IN (SELECT max(id) FROM looks WHERE night = ? GROUP BY source)
           AND l.result NOT IN ('ok', 'unchanged', 'not_modified')
           ORDER BY l.result, l.reason, o.slug""",
        (night,),
    ).fetchall()
    for result, reason, slug, url in rows[:NAMED_AT_MOST]:
        yield f"  {result:<11} {reason:<24} {slug}  {url}"
    if len(rows) > NAMED_AT_MOST:
        yield f"  … and {len(rows) - NAMED_AT_MOST} more (table looks in the state database)"


def _left_archives(db: sqlite3.Connection) -> Iterable[str]:
    rows = db.execute(
        """SELECT b.held, o.slug, s.url FROM backfills b JOIN sources s ON s.id = b.source JOIN outlets o ON o.id = s.outlet
           WHERE b.held <> '' AND s.listed ORDER BY b.held, o.slug"""
    ).fetchall()
    for held, slug, url in rows[:NAMED_AT_MOST]:
        yield f"  archive     {held:<24} {slug}  {url}"


def audit_table(findings: Iterable[Finding]) -> str:
    """The audit's table: rule, promised value, rows that break it."""
    lines = [f"{'rule':<5} {'value':<28} {'promised':>12}  {'breaches':>8}  rows"]
    for finding in findings:
        rule = finding.rule
        promised = "" if rule.value is None else f"{rule.value:,.10g}"
        first = " ".join(str(row) for row in finding.rows[:5])
        name = rule.name if rule.value is not None else "-"
        lines.append(f"{rule.rule:<5} {name:<28} {promised:>12}  {len(finding.rows):>8}  {first}".rstrip())
    return "\n".join(lines)
