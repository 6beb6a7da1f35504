"""P20: servers that live at one address share a lane, as soon as the address is known."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from crawl import audit, registry
from crawl.addresses import AddressBook
from crawl.clock import kst_midnight, parse_at
from crawl.connectto import ConnectTo
from crawl.dial import Resolve
from crawl.gate import Gate, Memory, Ticket
from crawl.hosts import folded
from crawl.model import Request, Response
from crawl.night import Night
from crawl.policy import Policy
from crawl.store import Store
from crawl.workers import look_up_all
from tests.sim.campus import Campus
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Web

POLICY = Policy()
DAY = "2026-03-05"
MIDNIGHT = kst_midnight(DAY)
HERE, THERE, THIRD = "203.0.114.7", "203.0.114.8", "203.0.114.9"


class Names:
    """A name service that notes what it was asked; a name it does not know has no address."""

    def __init__(self, **known: Sequence[str]) -> None:
        self.known = {f"{name}.example": tuple(found) for name, found in known.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if host not in self.known:
            raise OSError("no such name")
        return self.known[host]


# --- the book


def lanes_of(servers: Iterable[str], look_up: Resolve) -> dict[str, str]:
    """The lane of each server, after looking all of them up at once."""
    book, names = AddressBook(look_up), list(servers)
    book.meet(names)
    return {name: book.lane_of(folded(name)) for name in names}


def test_P20_servers_at_one_address_share_a_lane_and_others_have_their_own() -> None:
    names = Names(a=[HERE], b=[HERE], c=[THERE])
    lanes = lanes_of(["a.example", "b.example", "c.example", "lost.example"], names)
    assert lanes == {"a.example": HERE, "b.example": HERE, "c.example": THERE, "lost.example": "?lost.example"}


def test_P20_a_host_with_several_addresses_joins_the_lanes_of_all_of_them() -> None:
    both = Names(a=[HERE], b=[THERE], c=["2001:4860::1", THERE, HERE])
    assert len(set(lanes_of(both.known, both).values())) == 1


@pytest.mark.parametrize("order", [("x.example", "www.x.example"), ("www.x.example", "x.example")])
def test_P20_twins_of_a_host_are_one_server_wherever_each_of_them_lives(order: tuple[str, ...]) -> None:
    book = AddressBook(lambda host, port: {"x.example": [HERE], "www.x.example": [THERE]}[host])
    book.learn("near-x.example", [HERE])
    book.learn("near-www.example", [THERE])
    for host in order:
        book.resolve(host, 443)
    assert len({book.lane_of(name) for name in ("x.example", "near-x.example", "near-www.example", HERE, THERE)}) == 1


def test_a_name_is_looked_up_once_a_night_and_what_was_found_is_what_is_dialled() -> None:
    names = Names(a=[HERE])
    book = AddressBook(names)
    book.meet(["a.example", "a.example"])
    names.known["a.example"] = (THERE,)
    assert (book.resolve("a.example", 80), names.asked) == ((HERE,), ["a.example"])
    assert book.lane_of("a.example") == HERE


def test_a_private_address_makes_no_lane_but_is_handed_on_to_be_refused_at_the_dial() -> None:
    book = AddressBook(Names(a=["10.0.0.7"], b=["10.0.0.7"]))
    book.meet(["a.example", "b.example"])
    assert (book.lane_of("a.example"), book.resolve("a.example", 80)) == ("?a.example", ("10.0.0.7",))


def test_a_name_that_failed_is_looked_up_again_when_it_is_dialled() -> None:
    names = Names()
    book = AddressBook(names)
    book.meet(["a.example"])
    with pytest.raises(OSError, match="no such name"):
        book.resolve("a.example", 80)
    names.known["a.example"] = (HERE,)
    assert (book.resolve("a.example", 80), book.lane_of("a.example")) == ((HERE,), HERE)


def test_many_names_are_looked_up_at_once_and_a_resolver_that_hangs_is_left_behind() -> None:
    together, hung = threading.Barrier(3, timeout=10), threading.Event()

    def look_up(host: str, port: int) -> list[str]:
        if host == "hung.example":
            assert hung.wait(5), "somebody waits for the resolver that hangs"
        else:
            together.wait()
        return [HERE]

    found = look_up_all(["a.example", "b.example", "c.example", "hung.example"], look_up, patience_s=0.2)
    hung.set()
    assert found == {"a.example": (HERE,), "b.example": (HERE,), "c.example": (HERE,)}


def test_a_bug_in_a_look_up_stops_loudly() -> None:
    def broken(host: str, port: int) -> list[str]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        look_up_all(["a.example"], broken)
    assert look_up_all([], broken) == {}


def test_P50_the_target_of_a_redirect_is_looked_up_before_the_hop_is_offered() -> None:
    names = Names(b=[HERE])
    book = AddressBook(names)

    def send(ticket: Ticket) -> Response:
        moved = (("Location", "https://b.example/rss"),)
        return Response(ticket.spend().url, ticket.id, MIDNIGHT, MIDNIGHT, headers=moved)

    for status in (200, 301, 302):
        one = Ticket(status, Request("https://a.example/rss", "feed", 1, "a"), "a.example", "a.example", MIDNIGHT + 30)
        assert book.following(send)(one).status == status
        assert book.lane_of("b.example") == ("?b.example" if status == 200 else HERE)
    assert names.asked == ["b.example"]


# --- the gate


def gate(book: AddressBook, memory: Memory | None = None) -> Gate:
    return Gate(POLICY, day=DAY, started=MIDNIGHT, scheduled=True, memory=memory or Memory(), excluded=lambda *_: False,
                connect_to=ConnectTo(()), lane_of=book.lane_of)  # fmt: skip


def feed(server: str, source: int = 1, **fields: float) -> Request:
    return Request(f"https://{server}/rss", "feed", source, "hanbit", not_before=fields.get("not_before", 0.0))


def ticket(door: Gate, now: float) -> Ticket:
    step = door.next_ticket(now)
    assert isinstance(step, Ticket)
    return step


def test_P20_two_servers_at_one_address_are_asked_one_after_the_other() -> None:
    book = AddressBook(Names(a=[HERE], b=[HERE], c=[THERE]))
    book.meet(["a.example", "b.example", "c.example"])
    door = gate(book)
    for number, name in enumerate(("a", "b", "c"), start=1):
        door.offer(feed(f"{name}.example", number))
    first, other = ticket(door, MIDNIGHT), ticket(door, MIDNIGHT)
    assert [(one.server, one.lane) for one in (first, other)] == [("a.example", HERE), ("c.example", THERE)]
    assert door.next_ticket(MIDNIGHT + 2) is None
    door.settle(first, MIDNIGHT + 2)
    assert door.next_time() == MIDNIGHT + 2 + POLICY.spacing_s
    assert ticket(door, MIDNIGHT + 2 + POLICY.spacing_s).server == "b.example"


def test_P20_a_server_whose_address_becomes_known_joins_that_lane_with_all_that_waits() -> None:
    book = AddressBook(Names(a=[HERE], new=[HERE]))
    book.meet(["a.example"])
    door = gate(book)
    for source, server in ((1, "new.example"), (2, "new.example"), (3, "a.example"), (4, "a.example")):
        door.offer(feed(server, source))
    new = ticket(door, MIDNIGHT)
    known = ticket(door, MIDNIGHT)
    assert (new.lane, known.lane) == ("?new.example", HERE)
    book.resolve("new.example", 443)
    door.offer(feed("new.example", 5))
    assert door.next_ticket(MIDNIGHT + 9) is None, "while a request is on the way its server stays in its lane"
    door.settle(known, MIDNIGHT + 1)
    door.settle(new, MIDNIGHT + 8)
    order = []
    now = MIDNIGHT + 8 + POLICY.spacing_s
    assert door.next_time() == now
    while (step := door.next_ticket(now)) is not None:
        assert isinstance(step, Ticket)
        assert door.next_ticket(now + 30) is None, "one lane, one request"
        order.append((step.request.source, step.lane))
        door.settle(step, now)
        now += POLICY.spacing_s
    assert order == [(4, HERE), (2, HERE), (5, HERE)]


def test_P20_two_lanes_that_turn_out_to_be_one_are_joined_with_every_server_of_theirs() -> None:
    book = AddressBook(Names(a=[HERE], b=[HERE], c=[THERE], d=[HERE, THERE]))
    book.meet(["a.example", "b.example", "c.example"])
    door = gate(book)
    for source, server in enumerate(("a", "b", "c", "c"), start=1):
        door.offer(feed(f"{server}.example", source))
    book.resolve("d.example", 443)
    door.offer(feed("d.example", 9))
    for source, name in enumerate(("b", "c", "a"), start=20):
        door.offer(feed(f"{name}.example", source))
    now, seen = MIDNIGHT, 0
    while (step := door.next_ticket(now)) is not None:
        assert isinstance(step, Ticket)
        assert door.next_ticket(now + 30) is None
        door.settle(step, now)
        now, seen = now + POLICY.spacing_s, seen + 1
    assert seen == 8


@pytest.mark.parametrize("subject", ["a.example", "b.example", HERE])
def test_P20_a_restart_remembers_when_an_address_was_last_asked_under_whatever_name(subject: str) -> None:
    book = AddressBook(Names(a=[HERE], b=[HERE]))
    book.meet(["a.example", "b.example"])
    door = gate(book, Memory(last_ends=((subject, MIDNIGHT + 10), ("a.example", MIDNIGHT))))
    door.offer(feed("b.example"))
    assert door.next_time() == MIDNIGHT + 10 + POLICY.spacing_s


# --- whole nights


def run(root: Path, *, by_address: bool) -> tuple[Campus, Web, dict[str, int]]:
    """One night over a campus whose servers share three machines."""
    campus = Campus(1, 24)
    for number, (name, server) in enumerate(sorted(campus.servers.items())):
        campus.servers[name] = dataclasses.replace(server, address=(HERE, THERE, THIRD)[number % 3])
    web = Web(campus, 1, {})
    books = registry.parse(campus.registry_files())
    clock = VirtualClock(parse_at("2026-12-01T00:00"))
    book = AddressBook(lambda host, port: [web.address(host)] if web.address(host) else [])
    lanes = {"lane_of": book.lane_of, "meet": book.meet} if by_address else {}
    with closing(Store(root / "data", root / "state", books)) as store:
        Night(store, VirtualWorkers(web, clock, POLICY), clock, POLICY, books.exclusions, **lanes).run()  # type: ignore[arg-type]
        store.publish()
    with closing(audit.open_files(root / "data", root / "state")) as db:
        return campus, web, audit.breach_counts(audit.audit(db, POLICY, lambda *_: False))


def machine_gaps(campus: Campus, web: Web) -> list[float]:
    """Pauses at each machine, by the servers' own log: below zero where two requests were under way at once."""
    gaps = []
    for machine in (HERE, THERE, THIRD):
        heard = sorted((n.started, n.ended) for n in web.log if campus.servers[n.server].address == machine)
        gaps += [later[0] - max(end for _, end in heard[:at]) for at, later in enumerate(heard) if at]
    return gaps


def test_P20_a_whole_night_never_asks_one_machine_twice_at_once(memory_path: Path) -> None:
    campus, web, breaches = run(memory_path, by_address=True)
    gaps = machine_gaps(campus, web)
    assert len(gaps) > 20
    assert min(gaps) >= POLICY.spacing_s
    assert {name: rows for name, rows in breaches.items() if rows} == {}


def test_P20_lanes_by_host_ask_one_machine_at_once_and_claim_no_more(memory_path: Path) -> None:
    campus, web, breaches = run(memory_path, by_address=False)
    assert min(machine_gaps(campus, web)) < 0
    assert breaches["P20"] == 0
