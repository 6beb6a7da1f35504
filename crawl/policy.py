"""The one politeness table: every number the crawler obeys, its floor, its rule and the query that proves it.

No number here stands a second time in code, template or README. Audit queries read the request log and the
committed tables, never the scheduler's own memory; `:value` is the promised value,
any other value goes by its name. They may call the SQL
functions that `crawl.audit` provides: `is_public`, `is_excluded`, `is_login`, `origin_of`, `robots_closes`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from crawl.errors import PolicyRuder

Polite = Literal["high", "low"]
"""Which direction is politer: `high` for gaps and rests, `low` for counts and sizes."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table: a number with its floor, or a promise without a number (`value` None)."""

    rule: str
    name: str
    value: float | None
    floor: float | None
    unit: str
    audit: str
    in_force: bool = True


def _number(rule: str, value: float, *, polite: Polite, unit: str, audit: str, floor: float | None = None) -> Any:
    """A field of the table; the value is its own floor unless one is given."""
    facts = {
        "rule": rule,
        "floor": value if floor is None else floor,
        "polite": polite,
        "unit": unit,
        "audit": audit,
    }
    return field(default=value, metadata=facts)


def _SD(row: str) -> str:
    """SQL for "this answer told us to slow down": 429, or 5xx with Retry-After."""
    return f"({row}.status = 429 OR ({row}.status >= 500 AND {row}.retry_after_s > 0))"


_LOOK = "purpose IN ('feed', 'list')"

_LATE = f"""WITH longs AS (SELECT id, source, ended + min(retry_after_s, :retry_after_max_s) AS r FROM request_log x
          WHERE ({_LOOK} OR sake IN ('feed', 'list')) AND {_SD("x")} AND retry_after_s >= :long_rest_s)
    SELECT later.id FROM request_log later
    JOIN longs b ON b.id = (SELECT max(id) FROM longs WHERE source = later.source AND id < later.id)
    JOIN longs a ON a.id = (SELECT max(id) FROM longs WHERE source = later.source AND id < b.id)
    WHERE later.hop = 0 AND later.{_LOOK} AND later.run_started <= b.r + :late_start_margin_s
    AND NOT EXISTS (SELECT 1 FROM request_log h WHERE h.source = later.source AND h.id > a.id AND h.id < later.id
                    AND h.{_LOOK} AND (h.status BETWEEN 200 AND 299 OR h.status = 304))"""

_BARE_429 = f"""SELECT later.id FROM request_log later JOIN request_log e ON e.server = later.server AND e.id < later.id
    WHERE e.status = 429 AND e.retry_after_s IS NULL AND coalesce(nullif(e.sake, ''), e.purpose) <> 'photo'
    AND later.started < e.ended + :value AND NOT (e.{_LOOK} AND EXISTS (
      SELECT 1 FROM request_log first WHERE first.id = (SELECT max(p.id) FROM request_log p WHERE p.source = e.source
        AND p.{_LOOK} AND p.day < e.day) AND first.status = 429 AND first.retry_after_s IS NULL
      AND EXISTS (SELECT 1 FROM request_log o WHERE o.server = e.server AND o.source <> e.source AND o.id > first.id
        AND o.id < e.id AND o.{_LOOK} AND (o.status BETWEEN 200 AND 299 OR o.status = 304))
      AND NOT EXISTS (SELECT 1 FROM request_log o WHERE o.server = e.server AND o.source <> e.source AND o.id > first.id
        AND o.id < e.id AND {_SD("o")})))"""


_PHOTO_SD = f"coalesce(nullif(e.sake, ''), e.purpose) = 'photo' AND {_SD('e')}"

_TRIES = """SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY purpose, url, series ORDER BY id) AS n FROM (
      SELECT id, purpose, url, sum(fresh) OVER (PARTITION BY purpose, url ORDER BY id) AS series FROM (
        SELECT id, purpose, url, coalesce(started >= lag(ended) OVER page + :page_rest_s, 1) AS fresh FROM request_log
        WHERE purpose IN ('date', 'photo', 'backfill') AND hop = 0
        WINDOW page AS (PARTITION BY purpose, url ORDER BY id)))) WHERE n > :page_tries"""

_STOP = """WITH stops AS (SELECT r.subject, r.since, (SELECT count(*) FROM rests q WHERE q.rule = 'P45'
        AND q.subject = r.subject AND q.since <= r.since AND q.since > coalesce((SELECT max(ok.ended) FROM request_log ok
          WHERE ok.purpose = 'backfill' AND ok.outlet = r.subject AND ok.status = 200 AND ok.ended < r.since
          AND NOT EXISTS (SELECT 1 FROM rests z WHERE z.request = ok.id)), 0)) AS n FROM rests r WHERE r.rule = 'P45')
    SELECT later.id FROM request_log later JOIN stops s ON s.subject = later.outlet AND s.n {nth} AND later.started > s.since
    WHERE later.purpose = 'backfill' AND later.started < s.since + :value"""


@dataclass(frozen=True, slots=True)
class Policy:
    """The values in force. `Policy()` is the promise; a politer one may be made with `dataclasses.replace`."""

    summary_max_chars: int = _number(
        "P02", 200, polite="low", unit="characters",
        audit="SELECT id FROM articles WHERE length(summary) > :value",
    )  # fmt: skip
    night_opens_s: float = _number(
        "P10", 0, polite="high", unit="s after KST midnight",
        audit="""SELECT id FROM request_log WHERE mode = 'scheduled'
                 AND started < unixepoch(day) - 32400 + :value""",
    )  # fmt: skip
    night_last_start_s: float = _number(
        "P10", 21_570, polite="low", unit="s after KST midnight",
        audit="""SELECT id FROM request_log WHERE mode = 'scheduled'
                 AND started > unixepoch(day) - 32400 + :value""",
    )  # fmt: skip
    probe_requests: int = _number(
        "P10", 6, polite="low", unit="requests per probe",
        audit="""SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY night ORDER BY id) AS n FROM request_log
                 WHERE night < 0 AND purpose <> 'robots') WHERE n > :value""",
    )  # fmt: skip
    looks_per_night: int = _number(
        "P11", 1, polite="low", unit="looks per source and night",
        audit="""SELECT min(id) FROM request_log WHERE purpose IN ('feed', 'list') AND hop = 0
                 GROUP BY source, day HAVING count(*) > :value""",
    )  # fmt: skip
    date_pages_per_list: int = _number(
        "P11", 3, polite="low", unit="pages per list and night",
        audit="""SELECT max(id) FROM request_log WHERE purpose = 'date' AND hop = 0
                 GROUP BY source, day HAVING count(*) > :value""",
    )  # fmt: skip
    spacing_s: float = _number(
        "P20", 3, polite="high", unit="s",
        audit="""SELECT id FROM (SELECT id, started, max(coalesce(ended, started)) OVER earlier AS free FROM request_log
                 WINDOW earlier AS (PARTITION BY server ORDER BY started, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
                 WHERE started < free + :value""",
    )  # fmt: skip
    crawl_delay_max_s: float = _number(
        "P21", 10, polite="low", unit="s",
        audit="""SELECT id FROM request_log WHERE purpose NOT IN ('feed', 'robots') AND crawl_delay_s > :value""",
    )  # fmt: skip
    backfill_spacing_s: float = _number(
        "P22", 5, floor=3, polite="high", unit="s",
        audit="""SELECT id FROM (SELECT id, started, purpose, lag(ended) OVER server AS ended, lag(purpose) OVER server AS before
                 FROM request_log WINDOW server AS (PARTITION BY server ORDER BY started, id))
                 WHERE 'backfill' IN (purpose, before) AND started < ended + :value""",
    )  # fmt: skip
    backfill_per_day: int = _number(
        "P22", 120, polite="low", unit="requests per outlet and day",
        audit="""SELECT id FROM (SELECT id, purpose, row_number() OVER (PARTITION BY outlet, day ORDER BY id) AS n
                 FROM request_log)
                 WHERE n > :value AND purpose IN ('backfill', 'date', 'photo', 'probe')""",
    )  # fmt: skip
    backfill_years: int = _number(
        "P22", 3, polite="low", unit="years",
        audit="SELECT id FROM articles WHERE via = 'backfill' AND published < first_seen - :value * 31557600",
    )  # fmt: skip
    request_max_s: float = _number(
        "P23", 30, polite="low", unit="s",
        audit="SELECT id FROM request_log WHERE ended - started > :value",
    )  # fmt: skip
    feed_max_bytes: int = _number(
        "P23", 8 * 1024 * 1024, polite="low", unit="bytes",
        audit="SELECT id FROM request_log WHERE purpose IN ('feed', 'list') AND body_bytes > :value",
    )  # fmt: skip
    page_max_bytes: int = _number(
        "P23", 1_000_000, polite="low", unit="bytes",
        audit="SELECT id FROM request_log WHERE purpose IN ('date', 'photo') AND body_bytes > :value",
    )  # fmt: skip
    failure_rest_max_s: float = _number(
        "P30", 57_600, polite="low", unit="s",
        audit="SELECT id FROM rests WHERE rule = 'P30' AND until - since > :value",
    )  # fmt: skip
    retry_after_max_s: float = _number(
        "P31", 86_400, polite="high", unit="s",
        audit="""SELECT id FROM (SELECT id, started, max(CASE WHEN status = 429 OR status >= 500
                   THEN ended + min(retry_after_s, :value) END) OVER earlier AS free FROM request_log
                 WINDOW earlier AS (PARTITION BY server ORDER BY started, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
                 WHERE started < free""",
    )  # fmt: skip
    long_rest_s: float = _number(
        "P32", 3_600, polite="low", unit="s", audit=_LATE.replace(":long_rest_s", ":value"),
    )  # fmt: skip
    late_start_margin_s: float = _number(
        "P32", 5_400, polite="high", unit="s", audit=_LATE.replace(":late_start_margin_s", ":value"),
    )  # fmt: skip
    slow_down_rest_s: float = _number(
        "P33", 3_600, polite="high", unit="s", audit=_BARE_429,
    )  # fmt: skip
    second_looks_at_once: int = _number(
        "P36", 2, polite="low", unit="looks",
        audit="""SELECT a.id FROM request_log a WHERE a.put_off AND a.hop = 0 AND (SELECT count(*) FROM request_log b
                 WHERE b.put_off AND b.night = a.night AND b.id < a.id AND b.ended > a.started) >= :value""",
    )  # fmt: skip
    slowed_sources_max: int = _number(
        "P36", 2, polite="low", unit="sources",
        audit=f"""WITH slowed AS (SELECT server, day, source, min(ended) AS at FROM request_log e WHERE {_SD("e")}
                   AND source IS NOT NULL AND coalesce(nullif(sake, ''), purpose) <> 'photo' GROUP BY server, day, source),
                 cut AS (SELECT server, day, at FROM (SELECT *, row_number() OVER (PARTITION BY server, day ORDER BY at) AS n
                   FROM slowed) WHERE n = :value)
                 SELECT l.id FROM request_log l JOIN cut c ON c.server = l.server AND c.day = l.day
                 WHERE l.hop = 0 AND l.started >= c.at""",
    )  # fmt: skip
    photo_rest_s: float = _number(
        "P37", 604_800, polite="high", unit="s",
        audit=f"""SELECT later.id FROM request_log e JOIN request_log later ON later.server = e.server AND later.id > e.id
                 WHERE {_PHOTO_SD} AND coalesce(nullif(later.sake, ''), later.purpose) = 'photo'
                 AND later.started < e.ended + :value""",
    )  # fmt: skip
    photo_looks_rest_s: float = _number(
        "P37", 3_600, polite="high", unit="s",
        audit=f"""SELECT later.id FROM request_log e JOIN request_log later ON later.server = e.server AND later.id > e.id
                 WHERE {_PHOTO_SD} AND e.retry_after_s > 0
                 AND later.started < e.ended + max(:value, min(e.retry_after_s, :retry_after_max_s))""",
    )  # fmt: skip
    robots_max_age_s: float = _number(
        "P40", 86_400, polite="low", unit="s", audit="SELECT id FROM request_log WHERE robots_age_s > :value",
    )  # fmt: skip
    redirect_gap_s: float = _number(
        "P50", 3, polite="high", unit="s",
        audit="""SELECT hop.id FROM request_log hop JOIN request_log parent ON parent.id = hop.parent
                 WHERE hop.started < parent.ended + :value""",
    )  # fmt: skip
    redirects_max: int = _number(
        "P50", 5, polite="low", unit="hops",
        audit="SELECT id FROM request_log WHERE hop > :value",
    )  # fmt: skip
    backfill_stop_first_s: float = _number("P45", 604_800, polite="high", unit="s", audit=_STOP.format(nth="= 1"))
    backfill_stop_second_s: float = _number("P45", 1_209_600, polite="high", unit="s", audit=_STOP.format(nth="= 2"))
    backfill_stop_later_s: float = _number("P45", 2_592_000, polite="high", unit="s", audit=_STOP.format(nth="> 2"))
    page_gone_s: float = _number(
        "S31", 2_592_000, polite="high", unit="s",
        audit="""SELECT later.id FROM request_log later JOIN request_log e ON e.purpose = later.purpose AND e.url = later.url
                 AND e.id < later.id WHERE later.purpose IN ('date', 'photo') AND e.status IN (404, 410)
                 AND later.started < e.ended + :value""",
    )  # fmt: skip
    page_tries: int = _number(
        "S31", 3, polite="low", unit="tries", audit=_TRIES.replace(":page_tries", ":value"),
    )  # fmt: skip
    page_rest_s: float = _number(
        "S31", 3_600, polite="high", unit="s", audit=_TRIES.replace(":page_rest_s", ":value"),
    )  # fmt: skip
    unconditional_every_nights: int = _number(
        "S30", 14, polite="low", unit="nights",
        audit="""SELECT max(id) FROM (SELECT id, source, day, conditional, sum(NOT conditional) OVER
                   (PARTITION BY source ORDER BY id) AS run FROM request_log WHERE purpose = 'feed')
                 WHERE conditional GROUP BY source, run HAVING count(DISTINCT day) >= :value""",
    )  # fmt: skip

    def values(self) -> dict[str, float]:
        """Every value by its name, as the audit queries may ask for them."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    def rules(self) -> Iterator[Rule]:
        """Every row of the table in rule order: numbers, promises, and rules announced but not yet built."""
        rows = [
            Rule(f.metadata["rule"], f.name, getattr(self, f.name), f.metadata["floor"], f.metadata["unit"],
                 f.metadata["audit"])
            for f in dataclasses.fields(self)
        ]  # fmt: skip
        rows += PROMISES
        rows += [Rule(rule, rule, None, None, "", "") for rule in KEPT_ELSEWHERE]
        rows += [Rule(rule, rule, None, None, "", "", in_force=False) for rule in ANNOUNCED]
        return iter(sorted(rows, key=lambda row: (row.rule[0] != "P", row.rule, row.name)))

    def refuse_ruder(self) -> None:
        """Raise PolicyRuder where a value is ruder than its floor."""
        for f in dataclasses.fields(self):
            value, floor, polite = getattr(self, f.name), f.metadata["floor"], f.metadata["polite"]
            if value < floor if polite == "high" else value > floor:
                raise PolicyRuder(f.metadata["rule"], f.name, value, floor)


LAST_VIDEO_DAY = "2026-09-30"
"""P05: the last Korean day whose videos were collected; none published later is brought in from a file."""


def _promise(rule: str, audit: str) -> Rule:
    return Rule(rule, rule, None, None, "", audit)


PROMISES: list[Rule] = [
    _promise("P01", """SELECT id FROM request_log WHERE agent NOT LIKE 'CampusPressHub/1.0%' OR agent LIKE '%Mozilla%'
             OR referer <> ''"""),
    _promise("P20", """SELECT id FROM (SELECT id, started, max(coalesce(ended, started)) OVER earlier AS free FROM (
               SELECT *, row_number() OVER (PARTITION BY night, server ORDER BY id) AS meeting FROM request_log
               WHERE address <> '' AND NOT replayed AND (lane <> server OR address = server))
             WHERE NOT (meeting = 1 AND lane LIKE '?%')
             WINDOW earlier AS (PARTITION BY address ORDER BY started, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
             WHERE started < free + :spacing_s"""),
    _promise("P33", """SELECT later.id FROM request_log earlier CROSS JOIN request_log later
             ON earlier.source = later.source AND earlier.id < later.id AND earlier.day = later.day AND later.hop = 0
             AND later.purpose IN ('feed', 'list') AND earlier.purpose IN ('feed', 'list')
             WHERE earlier.error <> '' OR earlier.status = 429 OR earlier.status >= 500"""),
    _promise("P35", """SELECT id FROM rests WHERE rule = 'P35' AND scope <> 'source'
             UNION ALL
             SELECT later.id FROM request_log earlier CROSS JOIN request_log later
             ON earlier.source = later.source AND earlier.id < later.id AND later.hop = 0
             AND later.purpose IN ('feed', 'list') AND earlier.purpose IN ('feed', 'list')
             WHERE earlier.status IN (401, 403, 404, 410, 451)
             AND (later.day = earlier.day OR later.started < earlier.ended + min(coalesce(earlier.retry_after_s, 0),
                  :retry_after_max_s))"""),
    _promise("P21", """SELECT id FROM (SELECT id, started, crawl_delay_s, lag(ended) OVER server AS ended,
               lag(crawl_delay_s) OVER server AS before FROM request_log
               WINDOW server AS (PARTITION BY server ORDER BY started, id))
             WHERE started < ended + max(coalesce(crawl_delay_s, 0), coalesce(before, 0))"""),
    _promise("P34", """SELECT r.id FROM rests r WHERE r.rule = 'P34' AND r.scope <> 'source'"""),
    _promise("P40", "SELECT id FROM request_log WHERE purpose NOT IN ('feed', 'robots') AND robots NOT IN ('open', 'no_rules')"),
    _promise("P38", "SELECT id FROM request_log WHERE hop > 0 AND is_login(url)"),
    _promise("P41", """SELECT l.id FROM request_log l JOIN robots r ON r.origin = origin_of(l.url) AND r.read_at <= l.started
             WHERE l.purpose NOT IN ('feed', 'robots') AND robots_closes(r.status, r.error, r.content_type, r.body, l.url)"""),
    _promise("P44", "SELECT id FROM request_log WHERE purpose = 'feed' AND robots = 'closed'"),
    _promise("S32", """SELECT id FROM request_log WHERE purpose IN ('date', 'photo') AND hop = 0
             AND url NOT IN (SELECT url FROM articles) AND url NOT IN (SELECT url FROM pages WHERE article IS NOT NULL)"""),
    _promise("P42", """SELECT later.id FROM request_log later JOIN request_log e
             ON e.purpose = 'robots' AND later.purpose = 'robots'
             AND e.hop = 0 AND later.hop = 0 AND e.origin = later.origin AND e.day = later.day AND e.id < later.id
             WHERE e.status = 0 OR e.status >= 500 OR e.status IN (401, 403, 429)"""),
    _promise("P43", """SELECT later.id FROM request_log later JOIN looks l
             ON l.source = later.source AND l.reason = 'closed_by_robots'
             AND l.at < later.started AND l.day < later.day WHERE later.hop = 0 AND later.recheck = ''"""),
    _promise("P03", """SELECT id FROM request_log WHERE hop = 0 AND purpose <> 'robots'
             AND url IN (SELECT image_url FROM articles WHERE image_url IS NOT NULL) AND url NOT IN (SELECT url FROM articles)
             AND url NOT IN (SELECT url FROM sources) AND url NOT IN (SELECT url FROM pages)"""),
    _promise("P05", f"""SELECT id FROM request_log WHERE server IN ('youtube.com', 'youtu.be', 'youtube-nocookie.com')
             OR server LIKE '%.youtube.com'
             UNION ALL
             SELECT id FROM articles WHERE via = 'import' AND published >= unixepoch('{LAST_VIDEO_DAY}', '+1 day') - 32400"""),
    _promise("P51", "SELECT id FROM request_log WHERE address <> '' AND NOT replayed AND NOT is_public(address)"),
    _promise("P60", """SELECT id FROM request_log
             WHERE is_excluded(url, outlet, (SELECT cms FROM sources s WHERE s.id = source), started)"""),
    _promise("P70", """SELECT id FROM request_log WHERE ended IS NULL OR ended < started OR server = '' OR agent = ''
             OR (status = 0 AND error = '') OR (hop > 0 AND parent IS NULL)
             UNION ALL
             SELECT id FROM looks WHERE result NOT IN ('refused', 'put_off', 'not_reached') AND request IS NULL"""),
]  # fmt: skip
"""Rules without a number of their own; each has a named counter-example in the tests."""

KEPT_ELSEWHERE = ("P04", "P61", "S34")
"""Rules that no request can break: the registry's check keeps P04, the site's own pages keep P61 and S34."""

ANNOUNCED = ("S01", "S33")
"""Rules of the design that the policy page shows as not yet in force."""

MOVED_AFTER_NIGHTS = 5
"""P50: on so many nights a feed must have been seen moved for good before that is proposed to the maintainers."""

AGENT = "CampusPressHub/1.0"
"""P01: the product token every request begins its User-Agent with."""
