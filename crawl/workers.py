"""The one place that waits: requests under way on threads, watched against their deadlines (P23)."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from crawl import policy
from crawl.clock import Clock
from crawl.dial import FINISH_S, Resolve
from crawl.gate import Ticket
from crawl.model import Response

GIVE_UP_S = FINISH_S / 2
"""Before the deadline by this much a thread that did not heed the cut is given up."""
TICK_S = 0.05
"""The longest sleep between two looks at the clock, so that a clock that jumps is noticed."""
JOIN_S = 0.2
LOOK_UP_PATIENCE_S = 60.0
"""How long a night waits for names to be looked up before it begins without the rest."""


class Workers(Protocol):
    """Where tickets are being sent."""

    def room(self) -> int:
        """How many more may be started."""
        ...

    def busy(self) -> int:
        """How many were started and not yet handed back by `wait`."""
        ...

    def start(self, ticket: Ticket) -> None:
        """Send it in the background."""
        ...

    def wait(self, until: float | None) -> list[tuple[Ticket, Response]]:
        """Block until something finished or the clock reaches `until`; hand back what finished, if anything.

        Without `until` and with nothing under way it returns at once.
        """
        ...

    def close(self) -> None:
        """End whatever is under way; nothing is sent afterwards."""
        ...


@dataclass(slots=True)
class _Flight:
    """One request under way."""

    ticket: Ticket
    started: float
    thread: threading.Thread | None = None
    is_cut: bool = False


class ThreadWorkers:
    """Workers on threads, one thread for each request.

    `send` and `cut` are a Transport's. A thread that hangs where no cut reaches it (a resolver) is given up:
    its request is handed back as timed out, and the cut keeps the late thread from dialling or sending.
    """

    def __init__(
        self,
        send: Callable[[Ticket], Response],
        cut: Callable[[Ticket], None],
        clock: Clock,
        *,
        at_once: int = 16,
    ) -> None:
        self._send, self._cut, self._clock, self._at_once = send, cut, clock, at_once
        self._news = threading.Condition()
        self._under_way: dict[int, _Flight] = {}
        self._finished: list[tuple[Ticket, Response]] = []
        self._bug: BaseException | None = None
        self._is_closed = False

    def room(self) -> int:
        return 0 if self._is_closed else self._at_once - self.busy()

    def busy(self) -> int:
        with self._news:
            return len(self._under_way) + len(self._finished)

    def start(self, ticket: Ticket) -> None:
        """Raises RuntimeError once closed."""
        flight = _Flight(ticket, self._clock.now())
        flight.thread = threading.Thread(target=self._run, args=(flight,), name=f"ticket-{ticket.id}", daemon=True)
        with self._news:
            if self._is_closed:
                raise RuntimeError("the workers are closed")
            self._under_way[ticket.id] = flight
        flight.thread.start()

    def wait(self, until: float | None) -> list[tuple[Ticket, Response]]:
        """Raises what a send raised (a bug). Leaving by an exception, Ctrl-C too, closes the workers."""
        try:
            with self._news:
                while True:
                    self._watch()
                    if self._bug:
                        raise self._bug
                    patience_s = self._patience_s(until)
                    if self._finished or patience_s <= 0:
                        finished, self._finished = self._finished, []
                        return finished
                    self._news.wait(min(patience_s, TICK_S))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Cut everything under way and see the threads out, as far as they heed it. May be called twice."""
        with self._news:
            self._is_closed = True
            flights = list(self._under_way.values())
            self._under_way.clear()
        for flight in flights:
            self._cut(flight.ticket)
        for flight in flights:
            if flight.thread and flight.thread.ident:
                flight.thread.join(JOIN_S)

    def _run(self, flight: _Flight) -> None:
        try:
            response = self._send(flight.ticket)
        except BaseException as bug:
            with self._news:
                self._bug = bug
                self._news.notify_all()
            return
        with self._news:
            if self._under_way.pop(flight.ticket.id, None):
                self._finished.append((flight.ticket, response))
                self._news.notify_all()

    def _watch(self) -> None:
        """Cut what has used up its time, give up what did not heed the cut."""
        now = self._clock.now()
        for flight in list(self._under_way.values()):
            deadline = flight.ticket.deadline
            if now >= deadline - FINISH_S and not flight.is_cut:
                flight.is_cut = True
                self._cut(flight.ticket)
            if now >= deadline - GIVE_UP_S:
                del self._under_way[flight.ticket.id]
                self._finished.append((flight.ticket, _given_up(flight, now)))

    def _patience_s(self, until: float | None) -> float:
        """Seconds until the next thing to do here; zero or less: hand back what there is."""
        now = self._clock.now()
        if until is None:
            return TICK_S if self._under_way else 0.0
        return until - now


def _given_up(flight: _Flight, now: float) -> Response:
    """A request whose thread is lost: nothing of it was seen but the name it would have carried."""
    return Response(
        url=flight.ticket.request.url,
        status=0,
        started=flight.started,
        ended=now,
        error="timeout",
        detail="the request did not come back in time",
        agent=policy.AGENT,
    )


def look_up_all(
    hosts: Iterable[str], look_up: Resolve, *, at_once: int = 16, patience_s: float = LOOK_UP_PATIENCE_S
) -> dict[str, tuple[str, ...]]:
    """The addresses of many hosts, several looked up at once; a host that has none, or not in time, is left out.

    A resolver that hangs is waited for no longer than `patience_s` in all. Raises what a look-up raised but an OSError or
    UnicodeError (a bug).
    """
    waiting, news = deque(hosts), threading.Condition()
    found: dict[str, tuple[str, ...]] = {}
    bugs: list[BaseException] = []
    open_threads = min(at_once, len(waiting))

    def work() -> None:
        nonlocal open_threads
        try:
            while not bugs:
                host = waiting.popleft()
                try:
                    found[host] = tuple(look_up(host, 0))
                except (OSError, UnicodeError):
                    continue
        except IndexError:
            pass
        except BaseException as bug:
            bugs.append(bug)
        with news:
            open_threads -= 1
            news.notify_all()

    for number in range(open_threads):
        threading.Thread(target=work, name=f"look-up-{number}", daemon=True).start()
    with news:
        news.wait_for(lambda: not open_threads, patience_s)
    waiting.clear()
    if bugs:
        raise bugs[0]
    return {host: addresses for host, addresses in found.copy().items() if addresses}
