"""The politeness table: loosening any number alone must make the strict audit find rows (architecture, decision 4)."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from crawl.errors import PolicyRuder
from crawl.policy import KEPT_ELSEWHERE, Policy
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, feed, registry, rss
from tests.sim.web import Answer
from tests.test_idle import FREE, LIST, ROBOTS, article, dated, older, photo, rows
from tests.test_idle import archive as older_pages

A, B = "https://news.hanbit.ac.example/rss/a.xml", "https://news.hanbit.ac.example/rss/b.xml"
OTHER = "https://new.saebom.ac.example/rss.xml"
OK = [answer(body=rss("총학생회 선거 시작"))]


@dataclass(frozen=True)
class Loosening:
    """A ruder value, a web that tempts, and the nights that show it."""

    value: float
    web: Callable[[], Scripted]
    sources: tuple[str, ...] = (A,)
    nights: tuple[float, ...] = (FIRST_NIGHT,)
    probe: str = ""
    """An address to look at by hand after the nights."""


def web(**answers: object) -> Callable[[], Scripted]:
    names = {"a": A, "b": B, "other": OTHER}
    return lambda: Scripted({names.get(name, name): given for name, given in answers.items()})  # type: ignore[misc]


def chain() -> Scripted:
    hops = [f"https://news.hanbit.ac.example/hop{number}" for number in range(9)]
    answers = {at: [answer(302, headers={"Location": to})] for at, to in zip([A, *hops], hops, strict=False)}
    return Scripted({**answers, hops[-1]: OK})


def parts() -> Scripted:
    """A site whose home page announces feeds that all have moved, and a feed of another."""
    home = "".join(
        f'<link rel="alternate" type="application/rss+xml" href="/{part}.rss">' for part in range(9)
    ).encode()
    moved = {f"https://s.example/{part}.rss": [answer(302, headers={"Location": f"/{part}.html"})] for part in range(9)}
    gone = {f"https://s.example/{part}.html": [answer(404)] for part in range(9)}
    return Scripted(
        {A: OK, "https://s.example/robots.txt": FREE, "https://s.example/": [answer(body=home)]} | moved | gone
    )


def nights(count: int) -> tuple[float, ...]:
    return tuple(FIRST_NIGHT + number * DAY_S for number in range(count))


FOUR = tuple(f"https://s.example/rss/{number}.xml" for number in range(4))
THREE_PAIRS = tuple(f"https://s{server}.example/rss/{number}.xml" for server in range(3) for number in range(2))


def site(rules: str) -> Callable[[], Scripted]:
    """A server with a robots.txt and one list page."""
    return lambda: Scripted(
        {ROBOTS: [answer(body=rules.encode())], LIST: [rows((1, "총학생회 선거 시작", "2026-03-04T09:00"))]}
    )


def three_rests() -> Scripted:
    """Three servers whose first feed asks for ten minutes of rest, and whose second answers slowly."""
    slow = [answer(body=rss("나중"), s=20)]
    return Scripted(
        {url: [answer(429, headers={"Retry-After": "600"})] if url.endswith("/0.xml") else slow for url in THREE_PAIRS}
    )


def listed(*entries: tuple[int, str, str], page: Answer | None = None) -> Callable[[], Scripted]:
    """A list of these entries, each of whose pages gives this answer (an article with a date by default)."""
    pages = {article(number): [page or dated()[0]] for number, _, _ in entries}
    return lambda: Scripted({ROBOTS: FREE, LIST: [rows(*entries)]} | pages)


def archive(pages: int, *, date: str = "2026-02-01T09:00") -> dict[str, list[Answer]]:
    """A list with so many older pages."""
    return {ROBOTS: FREE} | older_pages(pages, date=date)


def denied(times: int) -> dict[str, list[Answer]]:
    """A list whose archive is denied so many times."""
    return archive(2) | {older(2): [answer(403)] * times}


PHOTOS: dict[str, list[Answer]] = {
    ROBOTS: FREE, LIST: [rows((2, "[포토] 둘", "2026-03-04T09:00"), (1, "[포토] 하나", "2026-03-04T08:00"))],
    article(2): [answer(429, headers={"Retry-After": "60"})], article(1): photo(),
}  # fmt: skip
"""A photo page that asks us to slow down, and another photo after it."""

PHOTOS_AND_MORE = [rows((2, "[포토] 둘", "2026-03-04T09:00"), (1, "[포토] 하나", "2026-03-04T08:00"), next_page=2)]
"""The same photos on a list with an archive."""

LOOSENED: dict[str, Loosening] = {
    "summary_max_chars": Loosening(400, web(a=[answer(body=rss("가" * 250))])),
    "night_opens_s": Loosening(-3600, web(a=OK), nights=(FIRST_NIGHT - 1800,)),
    "night_last_start_s": Loosening(DAY_S - 1, web(a=OK), nights=(FIRST_NIGHT + 7 * 3600,)),
    "probe_requests": Loosening(9, parts, probe="https://s.example/"),
    "looks_per_night": Loosening(2, web(a=OK), nights=(FIRST_NIGHT, FIRST_NIGHT + 600)),
    "spacing_s": Loosening(1, web(a=OK, b=OK), sources=(A, B)),
    "request_max_s": Loosening(60, web(a=[answer(body=rss("느린 답"), s=45)])),
    "feed_max_bytes": Loosening(16 * 1024 * 1024, web(a=[answer(body=b"<rss>" + b" " * (9 * 1024 * 1024))])),
    "page_max_bytes": Loosening(2_000_000, listed((1, "기사", ""), page=answer(body=b" " * 1_500_000)), sources=(LIST,)),
    "failure_rest_max_s": Loosening(4 * DAY_S, web(a=[answer(500)]), nights=nights(4)),
    "retry_after_max_s": Loosening(3600, web(a=[answer(429, headers={"Retry-After": "90000"})]), nights=nights(2)),
    "slow_down_rest_s": Loosening(1, web(a=[answer(429)], b=OK), sources=(A, B)),
    "crawl_delay_max_s": Loosening(20, site("User-agent: *\nCrawl-delay: 15"), sources=(LIST,)),
    "long_rest_s": Loosening(
        86_000, web(a=[answer(429, headers={"Retry-After": "82800"}), answer(429, headers={"Retry-After": "82800"}), *OK]),
        nights=nights(3),
    ),
    "late_start_margin_s": Loosening(
        60, web(a=[answer(429, headers={"Retry-After": "86400"}), answer(429, headers={"Retry-After": "82800"}), *OK]),
        nights=nights(4),
    ),
    "second_looks_at_once": Loosening(5, three_rests, sources=THREE_PAIRS),
    "slowed_sources_max": Loosening(9, lambda: Scripted({url: [answer(429, headers={"Retry-After": "600"})] for url in FOUR}),
                                    sources=FOUR),
    "robots_max_age_s": Loosening(9 * DAY_S, site("User-agent: *\nAllow: /"), sources=(LIST,), nights=nights(3)),
    "date_pages_per_list": Loosening(
        9, listed(*((number, f"기사 {number}", "") for number in range(6))), sources=(LIST,)
    ),
    "backfill_spacing_s": Loosening(2, lambda: Scripted(archive(3)), sources=(LIST,)),
    "backfill_per_day": Loosening(500, lambda: Scripted(archive(140)), sources=(LIST,)),
    "backfill_years": Loosening(9, lambda: Scripted(archive(2, date="2022-02-01T09:00")), sources=(LIST,)),
    "photo_rest_s": Loosening(3600, lambda: Scripted(PHOTOS), sources=(LIST,), nights=nights(2)),
    "photo_looks_rest_s": Loosening(60, lambda: Scripted(archive(3) | PHOTOS | {LIST: PHOTOS_AND_MORE}), sources=(LIST,)),
    "backfill_stop_first_s": Loosening(3600, lambda: Scripted(denied(9)), sources=(LIST,), nights=nights(3)),
    "backfill_stop_second_s": Loosening(3600, lambda: Scripted(denied(9)), sources=(LIST,), nights=nights(11)),
    "backfill_stop_later_s": Loosening(3600, lambda: Scripted(denied(9)), sources=(LIST,), nights=nights(26)),
    "page_gone_s": Loosening(3600, listed((1, "기사", ""), page=answer(404)), sources=(LIST,), nights=nights(2)),
    "page_tries": Loosening(9, listed((1, "[포토] 첫눈", "2026-03-04T09:00"), page=answer(500)), sources=(LIST,)),
    "page_rest_s": Loosening(120, listed((1, "[포토] 첫눈", "2026-03-04T09:00"), page=answer(500)), sources=(LIST,)),
    "redirect_gap_s": Loosening(0, web(a=[answer(302, headers={"Location": OTHER})], other=OK)),
    "redirects_max": Loosening(9, chain),
    "unconditional_every_nights": Loosening(
        100, web(a=[answer(body=rss("기사"), headers={"ETag": '"v1"'}), answer(304)]), nights=nights(16)
    ),
}  # fmt: skip


def loosened(field: str) -> Policy:
    return dataclasses.replace(Policy(), **{field: LOOSENED[field].value})  # type: ignore[arg-type]


def run(root: Path, case: Loosening, policy: Policy) -> Hub:
    sources = [feed(url, kind="list" if url == LIST else "feed") for url in case.sources]
    hub = Hub(root, case.web(), registry(sources), policy)
    for at in case.nights:
        hub.night(at=at)
    if case.probe:
        hub.probe(case.probe)
    return hub


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Policy)])
def test_loosening_a_number_makes_the_strict_audit_find_rows(field: str, memory_path: Path) -> None:
    case = LOOSENED[field]
    loose = loosened(field)
    breaches = run(memory_path, case, loose).breaches()
    assert breaches.get(field, 0) > 0, f"nothing proves {field}"


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Policy)])
def test_the_same_web_meets_no_breach_under_the_promise(field: str, memory_path: Path) -> None:
    hub = run(memory_path, LOOSENED[field], Policy())
    if (hub.data / "press.db").exists() and hub.web.heard:
        assert hub.breaches() == {}
    else:
        assert field in ("night_opens_s", "night_last_start_s"), "outside the night hours nothing is sent at all"


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Policy)])
def test_a_value_ruder_than_its_floor_is_refused_by_name(field: str) -> None:
    loose = loosened(field)
    with pytest.raises(PolicyRuder, match=field):
        loose.refuse_ruder()


def test_a_politer_value_is_accepted() -> None:
    dataclasses.replace(Policy(), spacing_s=5, request_max_s=20, retry_after_max_s=100_000).refuse_ruder()


def test_every_number_names_its_rule_and_a_query() -> None:
    for rule in Policy().rules():
        assert rule.rule[0] in "PS"
        assert rule.rule[1:].isdigit()
        assert bool(rule.audit) is (rule.in_force and rule.rule not in KEPT_ELSEWHERE)
        if rule.value is not None:
            assert ":value" in rule.audit, rule.name


TAMPERED = {
    "P01": "UPDATE request_log SET agent = 'Mozilla/5.0 (compatible; CampusPressHub/1.0)'",
    "P05": "UPDATE request_log SET server = 'youtube.com' WHERE id = 1",
    "P20": "UPDATE request_log SET address = '203.0.114.7', lane = '203.0.114.7'",
    "P21": "UPDATE request_log SET crawl_delay_s = 8, server = 'one'",
    "P33": "UPDATE request_log SET source = 1, error = 'timeout'",
    "P34": "INSERT INTO rests VALUES (NULL, 1, 'server', 'one', 0, 9, 'P34', 'all', 0, 1)",
    "P42": "UPDATE request_log SET purpose = 'robots', origin = 'one', status = 503",
    "P43": "UPDATE looks SET reason = 'closed_by_robots', day = '2026-03-04', at = 0 WHERE source = 1",
    "P35": "UPDATE request_log SET status = 403 WHERE id = 1; UPDATE request_log SET source = 1, day = '2026-03-05'",
    "P38": "UPDATE request_log SET hop = 1, parent = 1, url = 'https://a.example/member/login.php' WHERE id = 2",
    "P41": "INSERT INTO robots VALUES ('https://news.hanbit.ac.example', 0, 200, '', 'text/plain',"
    " CAST('User-agent: campuspresshub/1.0' || char(10) || 'Disallow: /' AS BLOB), NULL);"
    " UPDATE request_log SET purpose = 'list', robots = 'open' WHERE id = 1",
    "P44": "UPDATE request_log SET robots = 'closed' WHERE id = 1",
    "S32": "UPDATE request_log SET purpose = 'date', robots = 'open' WHERE id = 1",
    "P40": "UPDATE request_log SET purpose = 'list' WHERE id = 1",
    "P51": "UPDATE request_log SET address = '10.0.0.7' WHERE id = 1",
    "P60": "UPDATE request_log SET url = 'https://gone.example/rss' WHERE id = 1",
    "P70": "UPDATE request_log SET ended = NULL WHERE id = 1",
}


@pytest.mark.parametrize("rule", TAMPERED)
def test_a_log_that_breaks_a_promise_is_found_by_that_rule(rule: str, memory_path: Path) -> None:
    from datetime import date

    from crawl.exclusions import Exclusion, Exclusions

    gone = Exclusions([Exclusion("gone.example", "host", "outlet_request", None, date(2026, 3, 1))])
    sources = (A, OTHER)
    scripted = Scripted({A: OK, OTHER: [answer(500)]})
    hub = Hub(memory_path, scripted, registry(sources, gone))
    hub.night()
    assert hub.breaches() == {}
    with closing(sqlite3.connect(hub.state / "state.db")) as db:
        db.executescript(TAMPERED[rule])
    assert hub.breaches().get(rule, 0) > 0
