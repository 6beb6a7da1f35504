"""The only maker of tickets: every request of the crawler is an offer here first, and may be refused by rule.

A lane stands in the heap only while it is free, so two requests at once to one server cannot be expressed.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crawl import cells, rests, urls
from crawl.clock import DAY_S, kst_midnight
from crawl.connectto import ConnectTo
from crawl.lane import Lane
from crawl.model import Refusal, Request, Rest
from crawl.policy import Policy
from crawl.restbook import RestBook, is_look
from crawl.robotsbook import PROMISED, Copy, Options, RobotsBook
from crawl.secondlooks import Parked, SecondLooks


@dataclass(frozen=True, slots=True)
class Permit:
    """robots.txt's word on one request: `open` or `no_rules`, the age of the copy, the Crawl-delay that applies (P70)."""

    verdict: str
    age_s: float
    crawl_delay_s: float | None


class Ticket:
    """Leave to send one request, once. Made by the Gate only; `Transport.send` spends it.

    `id` is the request-log row; `deadline` the epoch second by which everything about it is over (P23); `permit` what
    robots.txt said, where it was asked (P40).
    """

    __slots__ = ("_spent", "deadline", "id", "lane", "permit", "request", "server")

    def __init__(
        self, id: int, request: Request, server: str, lane: str, deadline: float, permit: Permit | None = None
    ) -> None:
        self.id, self.request, self.server, self.lane, self.deadline = id, request, server, lane, deadline
        self.permit = permit
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

    `last_ends`: server, or address dialled, to the end of its last request; `looks`: how often each source was
    looked at this Korean day;
    `slowed`: server and source of tonight's slow-downs; `copies`: robots.txt by origin; `sent`: requests of this
    day by outlet; `next_id`: the next log row.
    """

    next_id: int = 1
    last_ends: tuple[tuple[str, float], ...] = ()
    rests: tuple[Rest, ...] = ()
    looks: tuple[tuple[int, int], ...] = ()
    slowed: tuple[tuple[str, int], ...] = ()
    copies: tuple[tuple[str, Copy], ...] = ()
    sent: tuple[tuple[str, int], ...] = ()


class Gate:
    """Takes offers, gives tickets when a promise allows, learns from what was settled."""

    def __init__(
        self,
        policy: Policy,
        *,
        day: str,
        started: float,
        scheduled: bool,
        until: float | None = None,
        memory: Memory,
        excluded: Callable[[Request], bool],
        connect_to: ConnectTo,
        options: Options = PROMISED,
        lane_of: Callable[[str], str] = str,
    ) -> None:
        """`day`: the night's Korean day; `started`: when the run began; `scheduled`: keep to the night hours (P10);
        `until`: start nothing later than this; `excluded`: P60; `options`: P44; `lane_of(server)`:
        the lane a server shares with others, by what is known of its address now (P20)."""
        self._policy = policy
        midnight = kst_midnight(day)
        self._opens = midnight + policy.night_opens_s if scheduled else float("-inf")
        # An inspecting pass belongs to one Korean day: what it would ask after midnight, the new day's run asks (P10).
        self.last_start = midnight + (policy.night_last_start_s if scheduled else DAY_S - 1)
        if until is not None:
            self.last_start = min(self.last_start, until)
        # An inspecting pass does not stay for the end of a rest (P10): it has no second looks.
        self._come_back_until = self.last_start if scheduled else float("-inf")
        self._excluded = excluded
        self._connect_to = connect_to
        self.robots = RobotsBook(policy, day, options)
        self._rests = RestBook(started)
        self._second = SecondLooks(policy, memory.slowed)
        self._lane_of = lane_of
        self._lanes: dict[str, Lane] = {}
        self._lane_names: dict[str, str] = {}
        self._heap: list[tuple[float, int, int, Lane]] = []
        self._ready: list[tuple[float, int, int, Lane]] = []
        self._order = 0
        self._next_id = memory.next_id
        self._looks = dict(memory.looks)
        self._sent = Counter(dict(memory.sent))
        self._probed = 0
        self._open_looks: set[int] = set()
        self._closed: set[int] = set()
        self._awaiting: defaultdict[str, list[Request]] = defaultdict(list)
        self._refused: deque[Refused] = deque()
        self._remember(memory)

    def _remember(self, memory: Memory) -> None:
        """Take up where earlier runs left off: robots.txt copies, rests, when each server was last asked."""
        for origin, copy in memory.copies:
            self.robots.learn(origin, copy)
        self._rests.learn(memory.rests)
        for server, ended in memory.last_ends:
            lane = self._lane(server)
            lane.last_end = max(lane.last_end, ended)

    def offer(self, request: Request) -> Refusal | None:
        """Queue a request for its server, or say at once which rule forbids it whatever the hour."""
        refusal = self._never(request)
        if refusal is None:
            self._queue(request)
        return refusal

    def next_ticket(self, now: float) -> Ticket | Refused | None:
        """What may start at `now`: a ticket, an offer that must be refused, or None (ask again at `next_time`)."""
        if now < self._opens:
            return None
        self._second_looks(now)
        while not self._refused and (lane := self._free_lane(now)) is not None:
            if (ticket := self._turn(lane, now)) is not None:
                return ticket
        return self._refused.popleft() if self._refused else None

    def next_time(self) -> float | None:
        """The earliest moment at which `next_ticket` can give something; None when nothing is queued and free."""
        _drop_outdated(self._heap)
        _drop_outdated(self._ready)
        times = [self._heap[0][0]] if self._heap else []
        if self._refused or self._ready:
            times.append(float("-inf"))
        if (second := self._second.next_time()) is not None:
            times.append(second)
        return max(min(times), self._opens) if times else None

    def settle(self, ticket: Ticket, ended: float, *, slowed: bool = False) -> None:
        """The ticket's request has ended: the lane is free again after the promised gap (P20); `slowed`: the answer told
        us to slow down (P36; a photo's does not count)."""
        request = ticket.request
        lane = self._lanes[ticket.lane]
        lane.settle(request, ended)
        if slowed and request.source is not None and (request.sake or request.purpose) != "photo":
            self._second.slowed(ticket.server, request.source)
        self._enter(self._lane(ticket.server))

    def looked(self, source: int) -> None:
        """A source's look is over, redirects and all: the next batch of second looks may come (P36)."""
        self._second.done(source)
        self._open_looks.discard(source)

    def close(self, source: int) -> None:
        """A source is closed by its robots.txt: its pages and its archive are not asked for any more (P43)."""
        self._closed.add(source)

    def looks_are_over(self) -> bool:
        """Whether every look offered is answered, refused or put off, so that the night's other work may begin (P10)."""
        return not self._open_looks

    def second_look_waits(self, server: str, now: float) -> bool:
        """Whether a put-off look of a server may be asked by now: it goes before backfill and photos (P10)."""
        return self._second.waiting(server, now)

    def rest(self, rests: Iterable[Rest]) -> None:
        """Learn who rests until when."""
        self._rests.learn(rests)

    def read_robots(self, origin: str, copy: Copy) -> None:
        """An origin's robots.txt was read, or could not be: what waited for it is queued again, in its old order."""
        self.robots.learn(origin, copy)
        for request in reversed(self._awaiting.pop(origin, [])):
            self._queue(request, first=True)

    def _queue(self, request: Request, *, first: bool = False) -> None:
        if is_look(request) and request.source is not None:
            self._open_looks.add(request.source)
        lane = self._lane(urls.server(request.url))
        lane.add(request, first=first)
        self._enter(lane)

    def _lane(self, server: str) -> Lane:
        """The lane of a server. One whose address became known joins that address's lane, with all that waits there, but
        not while a request of it is on the way: one server is never in two lanes (P20)."""
        name = self._lane_of(server)
        lane = self._lanes.setdefault(name, Lane(name, self._gap_s))
        known = self._lane_names.setdefault(server, name)
        if known == name:
            return lane
        before = self._lanes.get(known)
        if before is not None and before.on_the_way:
            return before
        self._lane_names[server] = name
        if before is not None:
            lane.join(self._lanes.pop(known))
            self._enter(lane)
        return lane

    def _enter(self, lane: Lane) -> None:
        if lane.queue and not lane.on_the_way:
            self._order += 1
            heapq.heappush(self._heap, (lane.ready_at(), self._order, lane.turn, lane))

    def _free_lane(self, now: float) -> Lane | None:
        """The lane whose turn it is: of those that are ready, or of all once nothing may start any more, the one with most
        to ask, so that the busiest server's spacing alone decides how long a night takes."""
        _drop_outdated(self._heap)
        while self._heap and (self._heap[0][0] <= now or now > self.last_start):
            _, order, turn, lane = heapq.heappop(self._heap)
            heapq.heappush(self._ready, (-len(lane.queue), order, turn, lane))
            _drop_outdated(self._heap)
        _drop_outdated(self._ready)
        return heapq.heappop(self._ready)[3] if self._ready else None

    def _turn(self, lane: Lane, now: float) -> Ticket | None:
        """Deal with the head of a lane: a ticket, or it is refused, put off, or waits for its robots.txt."""
        request = lane.queue[0]
        refusal, permit = self._not_now(request, now), None
        if refusal is None and self.robots.needed(request):
            copy = self.robots.copy(request, now)
            if copy is None:
                self._await_robots(lane, request)
                return None
            refusal = self.robots.refusal(request, copy)
            permit = Permit(self.robots.verdict(request, copy), now - copy.read_at, copy.rules.crawl_delay_s())
        if refusal is None:
            return self._ticket(lane, now, permit)
        lane.drop()
        self._enter(lane)
        if self._may_come_back(request, refusal):
            assert refusal.until is not None
            self._open_looks.discard(request.source or 0)
            self._second.park(Parked(request, urls.server(request.url), refusal.until, refusal.rule))
        else:
            self._refuse(request, refusal)
        return None

    def _await_robots(self, lane: Lane, request: Request) -> None:
        origin = urls.origin(request.url)
        self._awaiting[origin].append(lane.drop())
        if not self.robots.reading(origin):
            lane.add(self.robots.start(request), first=True)
        self._enter(lane)

    def _refuse(self, request: Request, refusal: Refusal) -> None:
        """Say no to a request, and to all that waited for it if it was to read a robots.txt."""
        self._refused.append(Refused(request, refusal))
        if request.purpose == "robots":
            for waiting in self._awaiting.pop(request.origin, []):
                self._refused.append(Refused(waiting, refusal))

    def _second_looks(self, now: float) -> None:
        if now > self.last_start:
            for parked in self._second.give_up():
                self._refused.append(Refused(parked.request, Refusal(parked.rule, "server_resting", parked.until)))
        for request, refusal in self._second.hopeless(self.last_start):
            self._refused.append(Refused(request, refusal))
        for request in reversed(self._second.release(now)):
            self._queue(request, first=True)

    def _may_come_back(self, request: Request, refusal: Refusal) -> bool:
        """Whether P36 gives a source that was not requested a second chance tonight."""
        return (
            is_look(request)
            and refusal.reason in ("server_resting", "source_resting")
            and refusal.rule in ("P33", "P37")
            and refusal.until is not None
            and refusal.until <= self._come_back_until
            and not self._second.was_slowed(request.source)
            and not self._second.over(urls.server(request.url))
        )

    def _ticket(self, lane: Lane, now: float, permit: Permit | None) -> Ticket:
        request = lane.take()
        if is_look(request) and request.source is not None:
            self._looks[request.source] = self._looks.get(request.source, 0) + 1
        self._sent[request.outlet] += 1
        self._probed += request.purpose == "probe"
        server, deadline = urls.server(request.url), now + self._policy.request_max_s
        ticket = Ticket(self._next_id, request, server, lane.name, deadline, permit)
        self._next_id += 1
        return ticket

    def _gap_s(self, request: Request) -> float:
        """The gap a request promises on either side of itself (P20, P21, P22)."""
        least = self._policy.backfill_spacing_s if request.purpose == "backfill" else self._policy.spacing_s
        return max(least, self.robots.delay_s(request))

    def _never(self, request: Request) -> Refusal | None:
        if request.hop > self._policy.redirects_max:
            return Refusal("P50", "too_many_redirects")
        if self._excluded(request):
            return Refusal("P60", "excluded")
        if cells.is_youtube(urls.server(request.url)):
            return Refusal("P05", "youtube_is_never_asked")
        return self._private(request.url)

    def _private(self, url: str) -> Refusal | None:
        literal = urls.literal_address(url)
        host = urls.host(url)
        local = host == "localhost" or host.endswith(".localhost") or (literal and not urls.is_public(literal))
        if local and self._connect_to.target(host, urls.port(url)) is None:
            return Refusal("P51", "private_address")
        return None

    def _not_now(self, request: Request, now: float) -> Refusal | None:
        if is_look(request) and self._looks.get(request.source or 0, 0) >= self._policy.looks_per_night:
            return Refusal("P11", "already_looked_at")
        server = urls.server(request.url)
        rest = self._rests.of_server(server, request, now)
        if self._second.over(server) and request.hop == 0:
            until = rests.next_night(now, self._policy)
            return Refusal("P36", "server_slowed_twice", max(until, rest.until) if rest else until)
        if request.source in self._closed and request.purpose in ("backfill", "date", "photo"):
            return Refusal("P43", "source_closed")
        if (request.sake or request.purpose) in ("backfill", "date", "photo", "probe") and self._sent[
            request.outlet
        ] >= self._policy.backfill_per_day:
            return Refusal("P22", "outlet_budget")
        if request.purpose == "probe" and self._probed >= self._policy.probe_requests:
            return Refusal("P10", "probe_is_over")
        if rest is not None:
            return Refusal(rest.rule, "server_resting", rest.until)
        rest = self._rests.of_outlet(request, now)
        if rest is not None:
            return Refusal(rest.rule, "outlet_resting", rest.until)
        rest = self._rests.of_source(request, now) if is_look(request) else None
        if rest is not None:
            return Refusal(rest.rule, "source_resting", rest.until)
        # Asked last, so that the public record names a rest that outlasts the night.
        return Refusal("P10", "night_over") if now > self.last_start else None


def _drop_outdated(heap: list[tuple[float, int, int, Lane]]) -> None:
    """Take away the places of lanes that have changed since, or are busy."""
    while heap and (heap[0][2] != heap[0][3].turn or heap[0][3].on_the_way):
        heapq.heappop(heap)
