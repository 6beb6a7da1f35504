"""The dry run: what it says is what the night then does, and it leaves everything as it was."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import crawl.cli
from crawl import hub
from crawl.clock import parse_at
from crawl.forecast import Forecast, forecast, screen
from crawl.policy import Policy
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, registry, rss

A, B, C = (f"https://news.hanbit.ac.example/rss/{name}.xml" for name in "abc")
OTHER = "https://new.saebom.ac.example/rss.xml"
JSON_FEED, ROBOTS = "https://api.yeoul.example/feed.json", "https://api.yeoul.example/robots.txt"
OK = [answer(body=rss("총학생회 선거 시작"))]
SETTINGS = hub.parse(hub.TEMPLATE.encode(), "hub.toml")
BY_HOST = replace(SETTINGS, lane_by="host")
SECOND = FIRST_NIGHT + DAY_S


def made(one: Hub, now: float = SECOND, settings: hub.Hub = SETTINGS) -> Forecast:
    return forecast(one.data, one.state, one.books, settings, now)


def times(plan: Forecast) -> list[tuple[str, float]]:
    return [(one.url, round(one.starts - plan.begins, 3)) for one in plan.requests]


def files(root: Path) -> dict[str, tuple[bytes, int]]:
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in root.rglob("*") if path.is_file()}


def test_the_plan_says_what_the_night_then_does(memory_path: Path) -> None:
    web = Scripted({A: [answer(body=rss("하나"), headers={"ETag": '"1"'}, s=0.5), answer(304, s=0.5)],
                    B: [answer(body=rss("둘"), s=0.5)], OTHER: [answer(body=rss("셋"), s=2)],
                    ROBOTS: [answer(404, s=0.25)], JSON_FEED: [answer(500, s=0.25)]})  # fmt: skip
    one = Hub(memory_path, web, registry([A, B, OTHER, JSON_FEED]))
    one.night(1)
    plan = made(one)
    one.night(2)
    did = one.read("SELECT url, started, conditional, purpose, server FROM request_log WHERE started >= ?", SECOND)
    assert [(p.url, p.starts, int(p.conditional), p.purpose, p.server) for p in plan.requests] == did
    assert len(did) == 4, "the robots.txt of the night before is still fresh"
    assert plan.fits


def test_a_plan_for_a_hub_that_was_never_run_counts_on_the_spacing_alone(memory_path: Path) -> None:
    one = Hub(memory_path, Scripted({}), registry([A, B, C]))
    (memory_path / "data").mkdir()
    first, second, third = (starts for _, starts in times(made(one, FIRST_NIGHT)))
    assert (first, second, third) == (0, 1 + Policy().spacing_s, 2 * (1 + Policy().spacing_s))
    assert list(memory_path.rglob("*")) == [memory_path / "data"]


def test_a_plan_leaves_every_file_as_it_was(memory_path: Path) -> None:
    one = Hub(memory_path, Scripted({A: OK, B: [answer(429)]}), registry([A, B]))
    one.night(1)
    before = files(memory_path)
    made(one)
    assert files(memory_path) == before
    assert len(one.web.heard) == 2


def test_P40_a_robots_txt_stands_before_what_it_is_read_for(memory_path: Path) -> None:
    one = Hub(memory_path, Scripted({}), registry([JSON_FEED, OTHER]))
    (memory_path / "data").mkdir()
    plan = made(one, FIRST_NIGHT)
    assert [(p.purpose, p.sake, p.url) for p in plan.requests if p.server == "api.yeoul.example"] == [
        ("robots", "feed", ROBOTS),
        ("feed", "", JSON_FEED),
    ]
    assert "api.yeoul.example" in screen(plan)
    assert next(line for line in screen(plan).splitlines() if "api.yeoul" in line).endswith("robots.txt")


def test_P43_what_robots_txt_closes_is_named_with_its_rule(memory_path: Path) -> None:
    closed = [answer(body=b"User-agent: *\nDisallow: /", s=0.25)]
    one = Hub(memory_path, Scripted({ROBOTS: closed, A: OK}), registry([JSON_FEED, A]))
    one.night(1)
    plan = made(one)
    assert [(h.rule, h.reason, h.url) for h in plan.held] == [("P43", "closed_by_robots", JSON_FEED)]
    assert [p.url for p in plan.requests] == [A]
    assert f"P43  closed_by_robots         api  {JSON_FEED}" in screen(plan)


def test_P36_a_rest_that_ends_in_the_night_is_planned_as_a_second_look_and_P32_as_held(memory_path: Path) -> None:
    day, long = ({"Retry-After": seconds} for seconds in ("86400", "82800"))
    web = Scripted({A: [*OK, answer(429, headers=day), *OK], B: OK,
                    OTHER: [answer(429, headers=long), answer(429, headers=long), *OK]})  # fmt: skip
    one = Hub(memory_path, web, registry([A, B, OTHER]))
    one.night(1)
    one.night(2)
    plan = made(one, SECOND + DAY_S)
    again = SECOND + DAY_S + 0.5
    assert [(p.url, p.starts, p.second_look) for p in plan.requests] == [
        (A, again, True),
        (B, again + 0.5 + Policy().spacing_s, True),
    ]
    held = [(h.result, h.rule, h.reason, h.url) for h in plan.held]
    assert held == [("put_off", "P32", "source_resting", OTHER)]
    assert "source_resting" in screen(plan)
    assert plan.held[0].until is not None
    assert "until 2026-03-07 00:30" in screen(plan)


def test_P20_the_lanes_of_a_plan_are_those_the_servers_were_last_asked_in(memory_path: Path) -> None:
    one = Hub(memory_path, Scripted({A: OK, OTHER: OK}), registry([A, OTHER]))
    one.night(1)
    with closing(sqlite3.connect(one.state / "state.db", isolation_level=None)) as db:
        db.execute("UPDATE request_log SET lane = '203.0.114.7'")
    assert [starts for _, starts in times(made(one))] == [0, 0.5 + Policy().spacing_s]
    assert [starts for _, starts in times(made(one, settings=BY_HOST))] == [0, 0]


@pytest.mark.parametrize(
    ("now", "begins"),
    [
        ("2026-03-06T00:00", "2026-03-06T00:00"),
        ("2026-03-06T02:30", "2026-03-06T02:30"),
        ("2026-03-06T05:59", "2026-03-06T05:59"),
        ("2026-03-06T06:00", "2026-03-07T00:00"),
        ("2026-03-06T15:00", "2026-03-07T00:00"),
    ],
)
def test_P10_a_plan_is_for_the_hours_that_are_open_or_open_next(now: str, begins: str, memory_path: Path) -> None:
    one = Hub(memory_path, Scripted({A: OK}), registry([A]))
    one.night(1)
    plan = made(one, parse_at(now))
    assert plan.begins == parse_at(begins)
    assert [p.starts for p in plan.requests] == [parse_at(begins)]


def test_a_night_that_is_over_has_no_plan_but_a_reason(memory_path: Path) -> None:
    one = Hub(memory_path, Scripted({A: OK}), registry([A]))
    one.night(1)
    plan = made(one, FIRST_NIGHT + 600)
    assert (plan.requests, plan.fits) == ((), True)
    assert screen(plan) == "2026-03-05: nothing would be sent: every source was looked at already on this day (P10)"


def test_a_night_too_short_for_its_sources_is_said_not_to_fit(memory_path: Path) -> None:
    data = memory_path / "data"
    assert crawl.cli.main(["init", "--data", str(data)]) == 0
    (data / "outlets.csv").write_text(OUTLETS, encoding="utf-8")
    (data / "sources.csv").write_text(SOURCES, encoding="utf-8")
    with (data / "hub.toml").open("a", encoding="utf-8") as file:
        file.write("\n[politeness]\nspacing_s = 20000.0\n")
    words = ["plan", "--data", str(data), "--state", str(memory_path / "state"), "--at", "2026-03-05T00:00"]
    assert crawl.cli.main(words) == 1
    assert crawl.cli.main([*words, "--json"]) == 1


def test_a_plan_for_a_machine_holds_every_request_and_every_no(
    memory_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = memory_path / "data"
    crawl.cli.main(["init", "--data", str(data)])
    (data / "outlets.csv").write_text(OUTLETS, encoding="utf-8")
    (data / "sources.csv").write_text(SOURCES, encoding="utf-8")
    capsys.readouterr()
    words = ["plan", "--data", str(data), "--state", str(memory_path / "state"), "--at", "2026-03-05T00:00", "--json"]
    assert crawl.cli.main(words) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [one["url"] for one in facts["requests"]] == [A, B, C]
    assert (facts["day"], facts["begins"], facts["fits"], facts["held"]) == ("2026-03-05", FIRST_NIGHT, True, [])
    assert not (memory_path / "state").exists()


OUTLETS = """slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note
news,한빛대신문,Hanbit News,한빛대학교,hanbit,newspaper,https://news.hanbit.ac.example,서울,active,,,
"""
SOURCES = "outlet,kind,url,cms,state,recheck,note\n" + "".join(f"news,feed,{url},,active,,\n" for url in (A, B, C))
