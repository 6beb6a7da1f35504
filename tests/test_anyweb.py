"""For any web, any registry, kills, inspecting passes and lost states: the servers' own logs show no breach of a promise."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawl.policy import Policy
from tests import anyweb
from tests.sim import anyworlds, judge
from tests.sim.anyservers import Seen
from tests.sim.testimony import Run, Watched

NIGHT = 1_772_636_400.0
"""2026-03-05 00:00 in Korea."""
FEED, OTHER, LIST = "https://a.example/rss", "https://a.example/other", "https://a.example/list"
DATE, PHOTO, OLDER = (f"https://a.example/{page}/2/1" for page in ("date", "photo", "older"))
HELLO = {"User-Agent": "CampusPressHub/1.0"}


@settings(max_examples=60)
@given(seed=st.integers(0, 10**9))
def test_P10_P11_P20_P31_P33_P36_P37_P40_P42_P43_P50_P70_no_web_no_kill_and_no_lost_state_makes_us_rude(
    seed: int,
) -> None:
    with anyweb.in_memory() as root:
        assert anyweb.tell(root, anyworlds.draw(seed)) == []


FOUND = {
    0: "a look that a kill cut off had no outcome",
    2: "robots.txt was asked again after its redirect had been refused",
    7: "a lost state forgot the first of two long rests",
    13: "a restart forgot the Crawl-delay behind the last request",
    22: "robots.txt was asked again after a kill",
    42: "an older state let a day be looked at twice",
    58: "a night given up and then lost was begun anew",
    123: "a rest passed on by a later night was lost with the state",
    139: "a rest learnt as the night ended was not put on record",
    184: "a second slow-down hid how long the server wanted to rest",
    69: "an older state forgot that photo pages rest for a week",
    452: "a lost state granted P34's exception",
    461: "a refused source's older rest was forgotten",
}


@pytest.mark.parametrize("seed", FOUND, ids=lambda seed: FOUND[seed].replace(" ", "_"))
def test_what_the_proof_once_found_stays_mended(seed: int, memory_path: Path) -> None:
    assert anyweb.tell(memory_path, anyworlds.draw(seed)) == []


@pytest.mark.parametrize(
    ("rule", "ruder"),
    [
        ("P20", {"spacing_s": 1.0}), ("P31", {"retry_after_max_s": 60.0}), ("P33", {"slow_down_rest_s": 60.0}),
        ("P32", {"long_rest_s": 1e9}), ("P21", {"crawl_delay_max_s": 40.0}), ("P36", {"slowed_sources_max": 3}),
        ("P50", {"redirects_max": 7}), ("P50", {"redirect_gap_s": 1.0}), ("P40", {"robots_max_age_s": 200_000.0}),
        ("P11", {"looks_per_night": 2}), ("P23", {"request_max_s": 31.0}), ("P10", {"night_last_start_s": 22_000.0}),
    ],
)  # fmt: skip
def test_the_judge_convicts_a_ruder_crawler(rule: str, ruder: dict[str, float], memory_path: Path) -> None:
    policy = replace(Policy(), **ruder)  # type: ignore[arg-type]
    for seed in range(60):
        found = anyweb.tell(memory_path / str(seed), anyworlds.draw(seed), policy)
        if any(breach.startswith(rule) for breach in found):
            return
    pytest.fail(f"no world of sixty shows {ruder}")


def seen(url: str, at: float, status: int = 200, *, s: float = 0.5, wait: str = "", location: str = "") -> Seen:
    return Seen("a.example", url, NIGHT + at, NIGHT + at + s, status, HELLO, wait, location)


def verdict(*log: Seen) -> list[str]:
    registry = [Watched(FEED, "feed"), Watched(OTHER, "feed"), Watched(LIST, "list")]
    nights = [Run(NIGHT + day * 86_400, True, NIGHT + day * 86_400 + 21_600) for day in range(4)]
    return [breach.split()[0] for breach in judge.judge(log, registry, nights)]


def test_the_judge_finds_a_polite_night_polite() -> None:
    assert verdict(seen(FEED, 0), seen(OTHER, 3.5), seen(FEED, 86_400, 304)) == []


@pytest.mark.parametrize(
    ("rule", "log"),
    [
        ("P20", [seen(FEED, 0), seen(OTHER, 3.4)]),
        ("P20", [seen(FEED, 0, s=10), seen(OTHER, 5)]),
        ("P11", [seen(FEED, 0), seen(FEED, 100)]),
        ("P10", [seen(FEED, 21_580)]),
        ("P31", [seen(FEED, 0, 503, wait="600"), seen(OTHER, 500)]),
        ("P31", [seen(FEED, 0, 429, wait="Wed, 04 Mar 2026 15:10:00 GMT"), seen(OTHER, 500)]),
        ("P33", [seen(FEED, 0, 429), seen(OTHER, 3_500)]),
        ("P35", [seen(FEED, 100, 403, wait="90000"), seen(FEED, 86_400)]),
        ("P36", [seen(FEED, 0, 429, wait="5"), seen(OTHER, 10, 429, wait="5"), seen(LIST, 20)]),
        ("P40", [seen(LIST, 0)]),
        ("P42", [seen("https://a.example/robots.txt", 0, 503), seen("https://a.example/robots.txt", 100, 503)]),
        ("P37", [seen(PHOTO, 0, 429, wait="60"), seen(FEED, 100)]),
        ("P37", [seen(PHOTO, 0, 429), seen(PHOTO, 86_400)]),
        ("P20", [seen(OLDER, 0), seen(FEED, 4)]),
        ("P11", [seen(DATE, at) for at in (0, 4, 8, 12)]),
        ("P50", [seen(FEED, 0, 302, location="https://b.example/x"), seen("https://b.example/x", 2)]),
        ("P04", [seen("https://a.example/never-registered", 0)]),
        ("P51", [seen(FEED, 0, 302, location="http://10.1.2.3/"), seen("http://10.1.2.3/", 10)]),
        ("P23", [seen(FEED, 0, s=30.5)]),
        ("P01", [replace(seen(FEED, 0), headers={"User-Agent": "Mozilla/5.0 CampusPressHub/1.0"})]),
        ("P01", [replace(seen(FEED, 0), headers={**HELLO, "Referer": "https://a.example/"})]),
    ],
)  # fmt: skip
def test_the_judge_names_the_rule_that_a_log_breaks(rule: str, log: list[Seen]) -> None:
    assert rule in verdict(*log)


def test_P34_the_judge_knows_the_exception_and_its_limits() -> None:
    first, answered = seen(FEED, 0, 429), seen(OTHER, 3_601)
    again = seen(FEED, 86_400, 429)
    assert verdict(first, answered, again, seen(OTHER, 86_410)) == []
    assert "P33" in verdict(first, seen(OTHER, 3_601, 500), again, seen(OTHER, 86_410))


def test_P32_the_judge_wants_a_late_start_after_two_long_rests() -> None:
    first, second = seen(FEED, 0, 429, wait="80000"), seen(FEED, 86_400, 429, wait="86400")
    assert "P32" in verdict(first, second, seen(FEED, 2 * 86_400 + 1_000))
    assert verdict(first, second, seen(FEED, 3 * 86_400)) == []


def test_the_judge_and_the_web_know_nothing_of_the_crawler() -> None:
    for module in ("judge", "testimony", "anyservers", "anyworlds"):
        tree = ast.parse((Path(__file__).parent / "sim" / f"{module}.py").read_text("utf-8"))
        names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert not {name for name in names if name.split(".")[0] in ("crawl", "build")}
