"""The simulated servers do what their moods say, and their access log tells it rightly."""

from __future__ import annotations

import random
import zlib
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import get_args

import pytest

from tests.sim import damage, datewords, kits, moods
from tests.sim.access import Access, line, read, smallest_gap
from tests.sim.campus import VALIDATORS, Campus, Source
from tests.sim.hosts import split
from tests.sim.moods import MOODS, Mood
from tests.sim.web import Answer, Web

NIGHT = datetime(2026, 12, 1, tzinfo=datewords.KST).timestamp()
DAY_S = 86_400
SIM = Path(__file__).parent / "sim"


@pytest.fixture(scope="module")
def campus() -> Campus:
    """A world wide enough to hold every kit; nothing in it changes by being read."""
    return Campus(2, 60)


def source_of(campus: Campus, family: str = "rss", encoding: str = "utf-8", **asked: object) -> Source:
    """The first source of a dialect family that stands alone on its server."""
    alone = [server.sources[0] for server in campus.servers.values() if len(server.sources) == 1]
    for source in alone:
        fits = all(getattr(source.dialect, name) == value for name, value in asked.items())
        if fits and (source.dialect.family, source.encoding) == (family, encoding):
            return source
    raise AssertionError(f"no {family} in {encoding} with {asked}")


def ask(campus: Campus, source: Source, mood: Mood | None = None, times: int = 1, **headers: str) -> list[Answer]:
    """Answers of one source in a mood."""
    web = Web(campus, 1, {source.url: mood} if mood else {})
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return [web.answer(source.url, sent, NIGHT + 60 * turn) for turn in range(times)]


@pytest.mark.parametrize("habit", VALIDATORS)
def test_validators_bring_a_304_until_something_changes(campus: Campus, habit: str) -> None:
    server = next(s for s in campus.servers.values() if s.validators == habit and not s.sources[0].dialect.stamped)
    source, web = server.sources[0], Web(campus)
    first = web.answer(source.url, {}, NIGHT)
    held = dict(first.headers)
    asked = {"If-None-Match": held.get("ETag"), "If-Modified-Since": held.get("Last-Modified")}
    conditions = {name: value for name, value in asked.items() if value is not None}
    second = web.answer(source.url, conditions, NIGHT + 5)
    assert second.status == (200 if habit in ("none", "never_matches") else 304)
    assert (second.body == b"") == (second.status == 304)
    later = NIGHT + 60 * DAY_S
    assert source.body(later) != first.body
    assert web.answer(source.url, conditions, later).status == 200
    if "Last-Modified" in held:
        assert parsedate_to_datetime(held["Last-Modified"]).timestamp() == source.outlet.desk.changed_at(NIGHT)


def test_if_none_match_goes_before_if_modified_since(campus: Campus) -> None:
    server = next(s for s in campus.servers.values() if s.validators == "both" and not s.sources[0].dialect.stamped)
    source = server.sources[0]
    late = datewords.http_date(NIGHT)
    assert ask(campus, source, If_None_Match='"old"', If_Modified_Since=late)[0].status == 200
    assert ask(campus, source, If_Modified_Since=late)[0].status == 304
    assert ask(campus, source, If_Modified_Since="yesterday or so")[0].status == 200


@pytest.mark.parametrize(
    ("name", "status", "retry_after"),
    [
        ("429", 429, None), ("429 seconds", 429, "600"), ("429 huge", 429, "31536000"), ("429 invalid", 429, "soon, please"),
        ("503 seconds", 503, "1800"), ("500", 500, None), ("403", 403, None), ("404", 404, None), ("410", 410, None),
    ],
)  # fmt: skip
def test_a_refusing_mood_answers_its_status(campus: Campus, name: str, status: int, retry_after: str | None) -> None:
    given = ask(campus, source_of(campus), MOODS[name])[0]
    assert (given.status, dict(given.headers).get("Retry-After")) == (status, retry_after)


@pytest.mark.parametrize(("name", "seconds"), [("429 date", 900), ("429 past", -3600)])
def test_a_retry_after_date_counts_from_the_answers_end(campus: Campus, name: str, seconds: int) -> None:
    headers = dict(ask(campus, source_of(campus), MOODS[name])[0].headers)
    gap = parsedate_to_datetime(headers["Retry-After"]) - parsedate_to_datetime(headers["Date"])
    assert gap.total_seconds() == seconds


def test_broken_lines_have_their_names(campus: Campus) -> None:
    source = source_of(campus)
    told = {
        name: ask(campus, source, MOODS[name])[0] for name in ("dead", "reset", "no name", "cut off", "drip", "slow")
    }
    assert {name: answer.error for name, answer in told.items()} == {
        "dead": "refused_connection", "reset": "reset", "no name": "dns", "cut off": "cut_off", "drip": None, "slow": None,
    }  # fmt: skip
    assert told["dead"].status == told["reset"].status == 0
    assert int(dict(told["cut off"].headers)["Content-Length"]) > len(told["cut off"].body) > 0
    assert told["drip"].duration_s == float("inf")
    assert told["slow"].duration_s == 12.0
    assert Web(campus).answer("http://elsewhere.example/feed", {}, NIGHT).error == "dns"


def test_a_redirect_leads_to_the_same_feed_on_the_same_or_another_host(campus: Campus) -> None:
    source = source_of(campus)
    host = split(source.url)[0]
    for name, status, target in (
        ("redirect path", 302, "/moved"), ("moved", 301, "/moved"), ("redirect host", 302, f"http://moved.{host}"),
        ("moved host", 308, f"http://moved.{host}"),
    ):  # fmt: skip
        web = Web(campus, 1, {source.url: MOODS[name]})
        hop = web.answer(source.url, {}, NIGHT)
        location = dict(hop.headers)["Location"]
        assert (hop.status, location) == (status, target + split(source.url)[1])
        landed = web.answer(location if "://" in location else f"http://{host}{location}", {}, NIGHT)
        assert (landed.status, landed.body) == (200, source.body(NIGHT))


def test_loops_chains_private_targets_and_logins_never_arrive(campus: Campus) -> None:
    source = source_of(campus)
    host = split(source.url)[0]
    for name in ("redirect loop", "redirect chain"):
        web, url, seen = Web(campus, 1, {source.url: MOODS[name]}), source.url, []
        for _ in range(8):
            hop = web.answer(url, {}, NIGHT)
            assert 300 <= hop.status < 400
            url = f"http://{host}{dict(hop.headers)['Location']}"
            seen.append(url)
        assert len(set(seen)) == (2 if name == "redirect loop" else 8)
    location = {
        name: dict(ask(campus, source, MOODS[name])[0].headers)["Location"]
        for name in ("redirect private", "redirect login")
    }
    assert location["redirect private"].startswith("http://10.")
    assert location["redirect login"].startswith("/member/login")


def test_ill_bodies_are_ill_in_the_way_they_say(campus: Campus) -> None:
    source = source_of(campus, guid="link", stamped=False)
    healthy = source.body(NIGHT)
    told = {name: ask(campus, source, mood)[0] for name, mood in MOODS.items() if mood.status == 200}
    assert told["healthy"].body == healthy
    assert told["html"].body.startswith(b"<!doctype html>")
    assert dict(told["html"].headers)["Content-Type"].startswith("text/html")
    assert (told["empty"].status, told["empty"].body) == (200, b"")
    assert len(told["huge"].body) > 9 * 1024 * 1024
    assert healthy.startswith(told["truncated"].body)
    assert b"</rss>" not in told["truncated"].body
    assert told["warning"].body.startswith(b"<br />")
    assert told["warning"].body.endswith(healthy)
    assert told["surrogates"].body.count(b"&#xD83D;&#xDE00;") == len(source.shown(NIGHT)) + 1
    items = told["javascript"].body.count(b"<link>javascript:alert(1)//")
    assert items == (len(source.shown(NIGHT)) + 1) // 2
    assert dict(told["gzip lie"].headers)["Content-Encoding"] == "gzip"
    assert told["gzip lie"].body == healthy


def test_a_bomb_is_small_on_the_wire_and_swells_beyond_any_cap(campus: Campus) -> None:
    given = ask(campus, source_of(campus), MOODS["bomb"])[0]
    assert dict(given.headers)["Content-Encoding"] == "gzip"
    assert len(given.body) < 200_000
    unpacked = zlib.decompressobj(wbits=31).decompress(given.body, 10 * 1024 * 1024)
    assert len(unpacked) == 10 * 1024 * 1024


def test_a_wrong_charset_label_stands_over_valid_utf_8(campus: Campus) -> None:
    source = source_of(campus, encoding="cp949")
    given = ask(campus, source, MOODS["wrong charset"])[0]
    assert dict(given.headers)["Content-Type"].endswith("charset=euc-kr")
    assert b'encoding="euc-kr"' in given.body[:60]
    assert source.shown(NIGHT)[0].headline(NIGHT) in given.body.decode("utf-8")


def test_flaky_and_passing_moods_keep_their_turns(campus: Campus) -> None:
    source = source_of(campus)
    assert [given.status for given in ask(campus, source, MOODS["flaky"], times=5)] == [500, 200, 500, 200, 500]
    assert [given.status for given in ask(campus, source, MOODS["busy once"], times=3)] == [429, 200, 200]
    once = Mood("status", 503, every=2, times=1)
    assert [given.status for given in ask(campus, source, once, times=4)] == [503, 200, 200, 200]


def test_an_address_may_have_a_mood_of_its_own_on_a_healthy_server(campus: Campus) -> None:
    server = next(server for server in campus.servers.values() if len(server.sources) > 1)
    one, other = server.sources[:2]
    web = Web(campus, 1, {one.url: MOODS["410"]})
    assert web.answer(one.url, {}, NIGHT).status == 410
    assert web.answer(other.url, {}, NIGHT + 9).status == 200
    everywhere = Web(campus, 1, {server.name: MOODS["429"]})
    assert everywhere.answer(f"http://{server.name}/robots.txt", {}, NIGHT).status == 429


def test_the_name_service_gives_public_addresses_and_knows_its_own_only(campus: Campus) -> None:
    web = Web(campus, 1, {"hanbitnews.example": MOODS["private name"]})
    addresses = [web.address(name) for name in campus.servers]
    assert len(set(addresses)) == len(addresses)
    assert all(address.startswith("11.") for address in addresses)
    assert web.address("nowhere.example") == ""
    source = source_of(campus)
    name = split(source.url)[0]
    assert Web(campus, 1, {name: MOODS["private name"]}).address(f"www.{name}").startswith("10.")
    assert Web(campus, 1, {name: MOODS["no name"]}).address(name) == ""


def entry(server: str, started: float, ended: float) -> Access:
    return Access(server, server, "/feed", f"http://{server}/feed", started, ended, 200, {"User-Agent": "이음/1.0"})


def test_the_smallest_gap_runs_from_an_end_to_the_next_start() -> None:
    log = [
        entry("a", 0, 2),
        entry("a", 5, 6),
        entry("b", 1, 2),
        entry("a", 8.5, 9),
        entry("c", 3, 4),
        entry("c", 3.5, 5),
    ]
    assert smallest_gap(log) == {"a": 2.5, "c": -0.5}
    assert smallest_gap(reversed(log)) == {"a": 2.5, "c": -0.5}
    # The second request is long over when the third starts, the first is not.
    assert smallest_gap([entry("d", 0, 30), entry("d", 5, 6), entry("d", 20, 21)]) == {"d": -25}


def test_the_log_knows_every_request_and_survives_its_file(campus: Campus) -> None:
    web, source = Web(campus), source_of(campus)
    first = web.answer(source.url, {"User-Agent": "견본/1.0"}, NIGHT)
    web.answer("http://nobody.example/", {}, NIGHT + 1)
    web.closed(first.number, NIGHT + 0.25)
    assert web.count() == {split(source.url)[0]: 1, "nobody.example": 1}
    assert (web.log[0].started, web.log[0].ended, web.log[0].agent) == (NIGHT, NIGHT + 0.25, "견본/1.0")
    assert read(line(access) for access in web.log) == web.log


def test_every_mood_kind_can_be_had_by_name_and_the_demo_has_its_cast() -> None:
    drawn = {mood.kind for mood in MOODS.values()}
    assert drawn == set(get_args(moods.Kind))
    for seed in (1, 2, 3):
        world = Campus(seed, 24)
        cast = moods.demo(world)
        assert len(cast) == 6
        assert not any(mood.kind == "drip" for mood in cast.values())
        assert all(world.by_address[split(url)].kind == "feed" for url in cast)
        assert moods.mixed(world, seed) == moods.mixed(world, seed)


def test_ill_feeds_of_any_family_keep_their_kind() -> None:
    world = Campus(random.Random("any").randint(1, 99), 24)
    for source in world.sources:
        body = source.body(NIGHT)
        poisoned, _ = damage.damaged("javascript", body, source.content_type, source.encoding)
        wants = source.dialect.family in ("rss", "rdf", "atom03", "atom10")
        assert (b"javascript:alert(1)//" in poisoned) == wants
    assert {kit.dialect.family for choice in kits.KITS.values() for kit in choice} >= {"rss", "rdf", "json"}
