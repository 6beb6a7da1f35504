"""Nights over the whole simulated campus: the servers' own log is the judge, the newsrooms' truth the measure."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from crawl import audit, pressfile, registry
from crawl.clock import DAY_S, parse_at
from crawl.night import Night, Summary
from crawl.policy import Policy
from crawl.store import Store
from tests.sim.campus import Campus, Source
from tests.sim.moods import Mood, mixed
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Web

MIDNIGHT = parse_at("2026-12-01T00:00")
POLICY = Policy()


@dataclass
class World:
    """A campus with its web, and the hub's files about it."""

    root: Path
    campus: Campus
    web: Web

    def night(self, number: int = 1) -> Summary:
        books = registry.parse(self.campus.registry_files())
        clock = VirtualClock(MIDNIGHT + (number - 1) * DAY_S)
        workers = VirtualWorkers(self.web, clock, POLICY)
        with closing(Store(self.root / "data", self.root / "state", books)) as store:
            summary = Night(store, workers, clock, POLICY, books.exclusions).run()
            store.publish()
        return summary

    def read(self, sql: str) -> list[tuple[object, ...]]:
        with closing(audit.open_files(self.root / "data", self.root / "state")) as db:
            return db.execute(sql).fetchall()


def world(root: Path, *, seed: int = 1, outlets: int = 24, moods: dict[str, Mood] | None = None) -> World:
    campus = Campus(seed, outlets)
    return World(root, campus, Web(campus, seed, moods or {}))


def feeds(campus: Campus) -> list[Source]:
    """Everything but list pages, which have no reader yet."""
    return [source for source in campus.sources if source.kind == "feed"]


def test_what_healthy_feeds_show_is_stored_whole_with_the_dates_that_were_meant(memory_path: Path) -> None:
    one = world(memory_path, outlets=36)
    one.night()
    stored = {
        (str(url), str(title)): (published, precision)
        for url, title, published, precision in one.read("SELECT url, title, published, precision FROM articles")
    }
    meant: dict[tuple[str, str], set[tuple[int | None, str]]] = {}
    for source in feeds(one.campus):
        for piece in source.shown(MIDNIGHT):
            meant.setdefault((piece.url, piece.headline(MIDNIGHT)), set()).add(source.meant(piece))
    assert set(stored) == set(meant), "every piece shown is stored, and nothing else"
    wrong = {where: (stored[where], dates) for where, dates in meant.items() if stored[where] not in dates}
    assert wrong == {}
    assert len(stored) > 500


def test_a_week_of_nights_keeps_every_piece_once_and_every_edit(memory_path: Path) -> None:
    one = world(memory_path, outlets=12)
    for number in range(1, 8):
        one.night(number)
    seen: dict[str, set[str]] = {}
    for number in range(7):
        for source in feeds(one.campus):
            for piece in source.shown(MIDNIGHT + number * DAY_S):
                seen.setdefault(piece.url, set()).add(piece.headline(MIDNIGHT + number * DAY_S))
    titles = {str(url): str(title) for url, title in one.read("SELECT url, title FROM articles")}
    assert set(titles) == set(seen)
    assert len(titles) == one.read("SELECT count(*) FROM articles")[0][0]
    old = {(url, text) for url, text in one.read(
        "SELECT a.url, r.old FROM revisions r JOIN articles a ON a.id = r.article WHERE r.field = 'title'")}  # fmt: skip
    edited = {(url, text) for url, texts in seen.items() if len(texts) > 1 for text in texts - {titles[url]}}
    assert old == edited
    unchanged = one.read("SELECT sum(unchanged) FROM nights")[0][0]
    assert isinstance(unchanged, int)
    assert unchanged > 0


@pytest.mark.parametrize("seed", range(1, 7))
def test_P20_P23_P31_P33_P50_P70_no_temperament_makes_a_night_rude_and_both_logs_agree(
    seed: int, memory_path: Path
) -> None:
    campus = Campus(seed, 24)
    one = World(memory_path, campus, Web(campus, seed, mixed(campus, seed, share=0.7)))
    for number in range(1, 4):
        summary = one.night(number)
        assert [finding.rule.rule for finding in summary.findings if finding.rows] == []
    assert all(gap >= POLICY.spacing_s for gap in one.web.smallest_gap().values())
    theirs = sorted((access.started, access.url, access.ended) for access in one.web.log)
    ours = sorted(
        one.read(
            "SELECT started, url, ended FROM request_log WHERE address <> '' AND error NOT IN ('dns', 'address_refused')"
        )
    )
    unheard = [access for access in theirs if access not in ours]
    assert {url for _, url, _ in unheard} <= {access.url for access in one.web.log if access.status == 0}
    assert [row for row in ours if row not in theirs] == []
    for access in one.web.log:
        assert access.agent.startswith("CampusPressHub/1.0")
        assert "Referer" not in access.headers
        assert access.ended - access.started <= POLICY.request_max_s


def test_a_night_over_250_servers_asks_each_source_once_and_breaks_no_rule(memory_path: Path) -> None:
    one = world(memory_path, seed=3, outlets=300)
    one.web = Web(one.campus, 3, mixed(one.campus, 3, share=0.2))
    summary = one.night()
    assert len({access.server for access in one.web.log}) >= 250
    assert [finding.rule.name for finding in summary.findings if finding.rows] == []
    due, ok = one.read("SELECT due, ok FROM nights")[0]
    assert due == len(one.campus.sources)
    assert isinstance(ok, int)
    assert ok > len(feeds(one.campus)) * 0.75
    assert all(gap >= POLICY.spacing_s for gap in one.web.smallest_gap().values())


def test_the_same_night_gives_the_same_press_file(memory_path: Path) -> None:
    files = []
    for name in ("one", "two"):
        one = world(memory_path / name, seed=5, outlets=10)
        one.night()
        files.append((one.root / "data" / "press.db").read_bytes())
    assert files[0] == files[1]


def test_the_committed_file_of_a_campus_passes_its_own_check(memory_path: Path) -> None:
    one = world(memory_path, outlets=10)
    one.night()
    path = one.root / "data" / "press.db"
    with closing(pressfile.read_only(path)) as db:
        pressfile.check(db, path)
        assert (
            db.execute("SELECT count(*) FROM site_card").fetchone()
            == db.execute("SELECT count(*) FROM articles").fetchone()
        )
