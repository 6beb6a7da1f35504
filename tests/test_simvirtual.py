"""Virtual time is right: the clock moves only when told, and answers come back when their time has come."""

from __future__ import annotations

import itertools

import pytest

from crawl.gate import Ticket
from crawl.model import Request, Response
from crawl.policy import Policy
from tests.sim.campus import Campus, Source
from tests.sim.hosts import split
from tests.sim.moods import MOODS, Mood
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Web

NIGHT = 1_796_050_800.0
LONGEST_S = 30.0
_IDS = itertools.count(1)


@pytest.fixture(scope="module")
def campus() -> Campus:
    return Campus(1, 24)


def ticket(url: str, *, etag: str | None = None, at: float = NIGHT) -> Ticket:
    server = split(url)[0]
    return Ticket(next(_IDS), Request(url, "feed", 1, "hanbit", etag=etag), server, server, at + LONGEST_S)


def alone(campus: Campus) -> Source:
    return next(s.sources[0] for s in campus.servers.values() if len(s.sources) == 1 and s.sources[0].kind == "feed")


def one(campus: Campus, mood: Mood, url: str = "") -> tuple[Response, Web]:
    """What a single request in a mood comes to."""
    source, clock = alone(campus), VirtualClock(NIGHT)
    web = Web(campus, 1, {split(source.url)[0]: mood})
    workers = VirtualWorkers(web, clock, Policy(), "https://hub.example/bot")
    workers.start(ticket(url or source.url))
    [(_, response)] = workers.wait(None)
    assert clock.now() == response.ended
    return response, web


def test_the_clock_moves_only_forward() -> None:
    clock = VirtualClock(NIGHT)
    clock.advance_to(NIGHT + 5)
    clock.advance_to(NIGHT + 5)
    assert clock.now() == NIGHT + 5
    with pytest.raises(ValueError, match="backwards"):
        clock.advance_to(NIGHT)


def test_waiting_stops_at_the_next_end_or_at_the_mark() -> None:
    campus, clock = Campus(1, 24), VirtualClock(NIGHT)
    fast, slow, *_ = [source for source in campus.sources if source.dialect.family == "rss"]
    moods = {fast.url: Mood("slow", duration_s=2.0), slow.url: Mood("slow", duration_s=7.0)}
    web = Web(campus, 1, moods)
    workers = VirtualWorkers(web, clock, Policy())
    assert workers.wait(None) == []
    first, second = ticket(fast.url), ticket(slow.url)
    workers.start(second)
    workers.start(first)
    assert workers.busy() == 2
    assert workers.wait(NIGHT + 1) == []
    assert clock.now() == NIGHT + 1
    [(done, response)] = workers.wait(NIGHT + 60)
    assert (done, response.ended, clock.now()) == (first, NIGHT + 2, NIGHT + 2)
    assert workers.wait(NIGHT + 2) == []
    [(done, response)] = workers.wait(None)
    assert (done, response.started, response.ended) == (second, NIGHT, NIGHT + 7)
    assert workers.busy() == 0


def test_room_ends_where_as_many_are_under_way_as_allowed(campus: Campus) -> None:
    workers = VirtualWorkers(Web(campus), VirtualClock(NIGHT), Policy(), at_once=2)
    for source in campus.sources[:2]:
        assert workers.room()
        workers.start(ticket(source.url))
    assert not workers.room()


def test_P01_the_server_hears_the_name_and_the_contact(campus: Campus) -> None:
    response, web = one(campus, MOODS["healthy"])
    assert response.status == 200
    assert response.body == alone(campus).body(NIGHT)
    assert response.body_bytes == len(response.body)
    assert web.log[0].agent == response.agent == "CampusPressHub/1.0 (+https://hub.example/bot)"


def test_P23_a_drip_ends_at_the_deadline_in_both_logs(campus: Campus) -> None:
    response, web = one(campus, MOODS["drip"])
    assert (response.error, response.ended - response.started) == ("timeout", LONGEST_S)
    assert web.log[0].ended == response.ended


@pytest.mark.parametrize("name", ["huge", "bomb"])
def test_P23_a_body_beyond_the_cap_is_cut_and_named(campus: Campus, name: str) -> None:
    response, _ = one(campus, MOODS[name])
    assert (response.error, response.body_bytes) == ("too_large", Policy().feed_max_bytes)


@pytest.mark.parametrize(
    ("name", "error"),
    [("dead", "refused_connection"), ("reset", "reset"), ("cut off", "cut_off"), ("gzip lie", "bad_encoding")],
)
def test_broken_lines_come_back_as_values(campus: Campus, name: str, error: str) -> None:
    assert one(campus, MOODS[name])[0].error == error


def test_P51_a_private_address_is_refused_before_any_server_hears_of_it(campus: Campus) -> None:
    by_name, web = one(campus, MOODS["private name"])
    assert (by_name.error, by_name.status, web.log) == ("address_refused", 0, [])
    by_number, web = one(campus, MOODS["healthy"], "http://10.11.12.13/feed")
    assert (by_number.error, by_number.address, web.log) == ("address_refused", "", [])


def test_validators_are_sent_byte_for_byte(campus: Campus) -> None:
    source, clock = alone(campus), VirtualClock(NIGHT)
    web = Web(campus)
    workers = VirtualWorkers(web, clock, Policy())
    workers.start(ticket(source.url, etag='W/"옛것--gzip"'))
    workers.wait(None)
    assert web.log[0].headers["If-None-Match"] == 'W/"옛것--gzip"'
    assert "If-Modified-Since" not in web.log[0].headers


def test_closing_hangs_up_and_nothing_is_sent_afterwards(campus: Campus) -> None:
    source, clock = alone(campus), VirtualClock(NIGHT)
    web = Web(campus, 1, {source.url: MOODS["slow"]})
    workers = VirtualWorkers(web, clock, Policy())
    workers.start(ticket(source.url))
    workers.wait(NIGHT + 1)
    workers.close()
    assert (workers.busy(), web.log[0].ended) == (0, NIGHT + 1)
    with pytest.raises(RuntimeError):
        workers.start(ticket(source.url))


def test_a_ticket_is_spent_by_starting_it(campus: Campus) -> None:
    workers = VirtualWorkers(Web(campus), VirtualClock(NIGHT), Policy())
    spent = ticket(alone(campus).url)
    workers.start(spent)
    with pytest.raises(RuntimeError):
        workers.start(spent)
