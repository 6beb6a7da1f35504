"""The only maker of tickets: every request of the crawler is an offer here first, and may be refused by rule.

A lane stands in the heap only while it is free, so two requests at once to one server cannot be expressed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crawl import urls
from crawl.clock import kst_midnight
from crawl.connectto import ConnectTo
from crawl.lane import Lane
from crawl.model import Refusal, Request, Rest
from crawl.policy import Policy


class Ticket:
    """Leave to send one request, once. Made by the Gate only; `Transport.send` spends it.

    `id` is the request-log row; `deadline` the epoch second by which everything about it is over (P23).
    """

    __slots__ = ("_spent", "deadline", "id", "lane", "request", "server")

    def __init__(self, id: int, request: Request, server: str, lane: str, deadline: float) -> None:
        self.id, self.request, self.server, self.lane, self.deadline = id, request, server, lane, deadline
        self._spent = False

    def spend(self) -> Request:
        """Give the request out, once. Raises RuntimeError the second time (a bug, so it stops loudly)."""
        if self._spent:
            raise RuntimeError(f"ticket {self.id} was spent already")
        self._spent = True
        return self.request


@dataclass(frozen=True, slots=True)
class Refused:
    """An offer that was queued and whose turn came, but which a rule forbids now."""

    request: Request
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Memory:
    """What earlier runs and an interrupted night left behind, read back from the work database.

    `last_ends`: server to end of its last request; `looks`: how often each source was looked at this Korean day;
    `next_id`: the next request-log row.
    """

    next_id: int = 1
    last_ends: tuple[tuple[str, float], ...] = ()
    rests: tuple[Rest, ...] = ()
    looks: tuple[tuple[int, int], ...] = ()


class Gate:
    """Takes offers, gives tickets when a promise allows, learns from what was settled."""

    def __init__(
        self,
        policy: Policy,
        *,
        day: str,
        scheduled: bool,
        until: float | None = None,
        memory: Memory,
        excluded: Callable[[str, str], bool],
        connect_to: ConnectTo,
    ) -> None:
        """`day`: the night's Korean day; `scheduled`: keep to the night hours (P10); `until`: start nothing later than
        this; `excluded(url, outlet)`: P60."""
        self._policy = policy
        midnight = kst_midnight(day)
        self._opens = midnight + policy.night_opens_s if scheduled else float("-inf")
        self._last_start = midnight + policy.night_last_start_s if scheduled else float("inf")
        if until is not None:
            self._last_start = min(self._last_start, until)
        self._excluded = excluded
        self._connect_to = connect_to
        self._lanes: dict[str, Lane] = {
            server: Lane(server, ended + policy.spacing_s) for server, ended in memory.last_ends
        }
        self._heap: list[tuple[float, int, int, Lane]] = []
        self._order = 0
        self._next_id = memory.next_id
        self._looks = dict(memory.looks)
        self._rests: dict[tuple[str, str], Rest] = {}
        self.rest(memory.rests)

    def offer(self, request: Request) -> Refusal | None:
        """Queue a request for its server, or say at once which rule forbids it whatever the hour."""
        refusal = self._never(request)
        if refusal is None:
            lane = self._lane(urls.server(request.url))
            lane.add(request)
            self._enter(lane)
        return refusal

    def next_ticket(self, now: float) -> Ticket | Refused | None:
        """What may start at `now`: a ticket, an offer that must be refused, or None (ask again at `next_time`)."""
        while self._heap:
            ready_at, _, turn, lane = self._heap[0]
            if turn != lane.turn or lane.on_the_way:
                heapq.heappop(self._heap)
                continue
            if now < self._opens or (now <= self._last_start and ready_at > now):
                return None
            request = lane.queue[0]
            refusal = self._not_now(request, now)
            heapq.heappop(self._heap)
            if refusal is not None:
                lane.drop()
                self._enter(lane)
                return Refused(request, refusal)
            return self._ticket(lane, now)
        return None

    def next_time(self) -> float | None:
        """The earliest moment at which `next_ticket` can give something; None when nothing is queued and free."""
        while self._heap and (self._heap[0][2] != self._heap[0][3].turn or self._heap[0][3].on_the_way):
            heapq.heappop(self._heap)
        return max(self._heap[0][0], self._opens) if self._heap else None

    def settle(self, ticket: Ticket, ended: float) -> None:
        """The ticket's request has ended: the lane is free again after the promised gap (P20)."""
        lane = self._lanes[ticket.lane]
        lane.settle(ended, self._policy.spacing_s)
        self._enter(lane)

    def rest(self, rests: Iterable[Rest]) -> None:
        """Learn who rests until when; of two rests for one subject the longer counts."""
        for rest in rests:
            key = (rest.scope, rest.subject)
            known = self._rests.get(key)
            if known is None or known.until < rest.until:
                self._rests[key] = rest

    def _lane(self, server: str) -> Lane:
        return self._lanes.setdefault(server, Lane(server))

    def _enter(self, lane: Lane) -> None:
        if lane.queue and not lane.on_the_way:
            self._order += 1
            heapq.heappush(self._heap, (lane.ready_at(), self._order, lane.turn, lane))

    def _ticket(self, lane: Lane, now: float) -> Ticket:
        request = lane.take()
        if _is_look(request) and request.source is not None:
            self._looks[request.source] = self._looks.get(request.source, 0) + 1
        ticket = Ticket(self._next_id, request, lane.name, lane.name, now + self._policy.request_max_s)
        self._next_id += 1
        return ticket

    def _never(self, request: Request) -> Refusal | None:
        if request.purpose != "feed":
            return Refusal("P40", "robots_not_read_yet")
        if request.hop > self._policy.redirects_max:
            return Refusal("P50", "too_many_redirects")
        if self._excluded(request.url, request.outlet):
            return Refusal("P60", "excluded")
        return self._private(request.url)

    def _private(self, url: str) -> Refusal | None:
        literal = urls.literal_address(url)
        host = urls.host(url)
        local = host == "localhost" or host.endswith(".localhost") or (literal and not urls.is_public(literal))
        if local and self._connect_to.target(host, urls.port(url)) is None:
            return Refusal("P51", "private_address")
        return None

    def _not_now(self, request: Request, now: float) -> Refusal | None:
        if now > self._last_start:
            return Refusal("P10", "night_over")
        if _is_look(request) and request.source is not None:
            if self._looks.get(request.source, 0) >= self._policy.looks_per_night:
                return Refusal("P11", "already_looked_at")
            rest = self._resting("source", str(request.source), now)
            if rest is not None:
                return Refusal(rest.rule, "source_resting", rest.until)
        rest = self._resting("server", urls.server(request.url), now)
        return Refusal(rest.rule, "server_resting", rest.until) if rest else None

    def _resting(self, scope: str, subject: str, now: float) -> Rest | None:
        rest = self._rests.get((scope, subject))
        return rest if rest is not None and now < rest.until else None


def _is_look(request: Request) -> bool:
    return request.hop == 0 and request.purpose in ("feed", "list")
