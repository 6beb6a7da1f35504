"""The workers: the one place that waits, and what keeps a request inside its deadline."""

from __future__ import annotations

import signal
import socket
import threading

import pytest

from crawl.clock import SystemClock
from crawl.connectto import ConnectTo
from crawl.gate import Ticket
from crawl.model import Request, Response
from crawl.policy import Policy
from crawl.transport import Transport
from crawl.workers import ThreadWorkers
from tests.loopback import NOON, SetClock, feed, serving, silent

TIME_S = Policy().request_max_s


def ticket(id: int, deadline: float = NOON + TIME_S) -> Ticket:
    return Ticket(
        id, Request(f"http://news{id}.example/rss", "feed", id, "news"), f"news{id}.example", "lane", deadline
    )


def answer(one: Ticket) -> Response:
    return Response(one.spend().url, 200, NOON, NOON, agent="CampusPressHub/1.0")


def no_cut(one: Ticket) -> None:
    raise AssertionError(f"ticket {one.id} was cut")


class Held:
    """A sender whose requests come back when the test lets them; remembers what was cut."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.cuts: list[int] = []

    def send(self, one: Ticket) -> Response:
        assert self.go.wait(10)
        return answer(one)

    def cut(self, one: Ticket) -> None:
        self.cuts.append(one.id)


def test_what_was_started_comes_back_with_its_ticket() -> None:
    workers = ThreadWorkers(answer, no_cut, SetClock())
    tickets = [ticket(n) for n in range(5)]
    for one in tickets:
        workers.start(one)
    back: list[tuple[Ticket, Response]] = []
    while workers.busy():
        back += workers.wait(None)
    assert sorted((one.id, response.url) for one, response in back) == [
        (n, f"http://news{n}.example/rss") for n in range(5)
    ]
    workers.close()


def test_there_is_room_for_as_many_at_once_as_was_said_until_they_are_handed_back() -> None:
    held = Held()
    workers = ThreadWorkers(held.send, held.cut, SetClock(), at_once=2)
    workers.start(ticket(1))
    assert (workers.room(), workers.busy()) == (1, 1)
    workers.start(ticket(2))
    assert (workers.room(), workers.busy()) == (0, 2)
    held.go.set()
    back = workers.wait(None)
    while workers.busy():
        back += workers.wait(None)
    assert {one.id for one, _ in back} == {1, 2}
    assert workers.room() == 2
    assert held.cuts == []
    workers.close()


def test_a_finished_answer_nobody_has_taken_yet_still_counts_as_busy() -> None:
    done = threading.Event()

    def send(one: Ticket) -> Response:
        done.set()
        return answer(one)

    workers = ThreadWorkers(send, no_cut, SetClock())
    workers.start(ticket(1))
    assert done.wait(10)
    assert workers.busy() == 1
    assert [one.id for one, _ in workers.wait(None)] == [1]
    assert workers.busy() == 0
    workers.close()


def test_waiting_ends_when_the_clock_reaches_the_moment_even_with_nothing_under_way() -> None:
    clock = SystemClock()
    workers = ThreadWorkers(answer, no_cut, clock)
    until = clock.now() + 0.1
    assert workers.wait(until) == []
    assert until <= clock.now() < until + 5
    assert workers.wait(clock.now() - 1) == []
    workers.close()


def test_waiting_for_nothing_without_a_moment_returns_at_once() -> None:
    assert ThreadWorkers(answer, no_cut, SetClock()).wait(None) == []


def test_a_clock_that_jumps_is_noticed_while_waiting() -> None:
    clock, held = SetClock(), Held()
    workers = ThreadWorkers(held.send, held.cut, clock)
    workers.start(ticket(1))
    jump = threading.Timer(0.02, lambda: setattr(clock, "at", NOON + 20))
    jump.start()
    real = SystemClock()
    began = real.now()
    assert workers.wait(NOON + 20) == []
    assert real.now() - began < 10
    assert workers.busy() == 1
    held.go.set()
    workers.close()
    jump.join()


def test_P23_a_request_is_cut_shortly_before_its_deadline_and_not_sooner() -> None:
    clock, held = SetClock(), Held()
    workers = ThreadWorkers(held.send, held.cut, clock)
    workers.start(ticket(1))
    clock.at = NOON + TIME_S - 1
    assert workers.wait(clock.at) == []
    assert held.cuts == []
    clock.at = NOON + TIME_S - 0.4
    assert workers.wait(clock.at) == []
    assert workers.wait(clock.at) == []
    assert held.cuts == [1]
    held.go.set()
    ((one, response),) = workers.wait(None)
    assert (one.id, response.status) == (1, 200)
    workers.close()


def test_P23_a_thread_that_does_not_heed_the_cut_is_given_up_inside_the_promise() -> None:
    clock, held = SetClock(), Held()
    workers = ThreadWorkers(held.send, held.cut, clock)
    clock.at = NOON + 1
    workers.start(ticket(1))
    clock.at = NOON + TIME_S - 0.1
    ((one, response),) = workers.wait(None)
    assert (one.id, held.cuts) == (1, [1])
    assert (response.status, response.error, response.url) == (0, "timeout", "http://news1.example/rss")
    assert (response.started, response.ended) == (NOON + 1, clock.at)
    assert response.agent == "CampusPressHub/1.0"
    assert (workers.busy(), workers.room()) == (0, 16)
    held.go.set()
    workers.close()


def test_P23_a_late_answer_of_a_given_up_request_is_not_handed_back_a_second_time() -> None:
    clock, held = SetClock(), Held()
    workers = ThreadWorkers(held.send, held.cut, clock)
    workers.start(ticket(1))
    clock.at = NOON + TIME_S
    assert len(workers.wait(None)) == 1
    held.go.set()
    workers.start(ticket(2, NOON + 2 * TIME_S))
    back: list[int] = []
    while workers.busy():
        back += [one.id for one, _ in workers.wait(None)]
    assert back == [2]
    workers.close()


def test_P23_P51_a_hung_resolver_is_given_up_and_its_late_thread_does_not_dial() -> None:
    clock, go = SetClock(), threading.Event()
    threads: list[threading.Thread] = []

    def hanging(host: str, port: int) -> list[str]:
        threads.append(threading.current_thread())
        asked.set()
        assert go.wait(10)
        return ["127.0.0.1"]

    asked = threading.Event()
    with serving(feed()) as here:
        to = ConnectTo((f"::localhost:{here.port}",))
        transport = Transport(clock, Policy(), connect_to=to, resolve=hanging)
        workers = ThreadWorkers(transport.send, transport.cut, clock)
        workers.start(ticket(1))
        assert asked.wait(10)
        clock.at = NOON + TIME_S - 0.1
        ((_, response),) = workers.wait(None)
        clock.at = NOON  # even a clock set back revives nothing
        go.set()
        threads[0].join(10)
        workers.close()
    assert (response.error, response.address, here.dials) == ("timeout", "", 0)


def test_P23_a_silent_server_is_cut_by_the_workers_alone() -> None:
    clock = SetClock()
    begun = threading.Event()

    def talk(conn: socket.socket) -> None:
        begun.set()
        silent(conn)

    with serving(talk) as here:
        transport = Transport(clock, Policy(), connect_to=ConnectTo(here.to_here()))
        workers = ThreadWorkers(transport.send, transport.cut, clock)
        workers.start(ticket(1))
        assert begun.wait(10)
        clock.at = NOON + TIME_S - 0.4
        ((_, response),) = workers.wait(None)
        workers.close()
    assert (response.status, response.error, response.detail) == (0, "timeout", "no answer in time")
    assert response.ended - response.started <= TIME_S


def test_a_bug_in_sending_is_raised_where_the_night_waits() -> None:
    def broken(one: Ticket) -> Response:
        raise ZeroDivisionError("a bug")

    held = Held()
    workers = ThreadWorkers(lambda one: broken(one) if one.id == 2 else held.send(one), held.cut, SetClock())
    workers.start(ticket(1))
    workers.start(ticket(2))
    with pytest.raises(ZeroDivisionError, match="a bug"):
        workers.wait(None)
    assert 1 in held.cuts
    held.go.set()
    with pytest.raises(RuntimeError, match="closed"):
        workers.start(ticket(3))


class Interrupting(SetClock):
    """Presses Ctrl-C on whoever looks at the clock once `armed` is set; only the main thread takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.armed = threading.Event()

    def now(self) -> float:
        if self.armed.is_set() and threading.current_thread() is threading.main_thread():
            self.armed.clear()
            signal.raise_signal(signal.SIGINT)
        return self.at


def test_ctrl_c_while_waiting_leaves_no_thread_that_still_sends() -> None:
    clock = Interrupting()

    def talk(conn: socket.socket) -> None:
        clock.armed.set()
        silent(conn)

    with serving(talk) as here:
        transport = Transport(clock, Policy(), connect_to=ConnectTo(here.to_here()))
        workers = ThreadWorkers(transport.send, transport.cut, clock)
        workers.start(ticket(1))
        with pytest.raises(KeyboardInterrupt):
            workers.wait(None)
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("ticket-")]
    assert workers.busy() == 0


def test_closing_twice_is_harmless_and_nothing_starts_afterwards() -> None:
    workers = ThreadWorkers(answer, no_cut, SetClock())
    workers.close()
    workers.close()
    assert workers.room() == 0
    with pytest.raises(RuntimeError, match="closed"):
        workers.start(ticket(1))
