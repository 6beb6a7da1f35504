"""A polite look at a site before anybody registers it: a handful of requests through the gate, like any others.

The same lanes, spacing, robots.txt, redirects, exclusions, rests and budget as at night, and every request leaves its row in
the log of the state, so that a night right after a probe waits for it (P10, P20, P70). What was read is told and not stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from crawl import cells, declined, finding, rests, urls
from crawl.clock import Clock, kst_day
from crawl.connectto import ConnectTo
from crawl.errors import Misuse
from crawl.finding import Looked, ReadList, Step
from crawl.gate import Gate, Refused, Ticket
from crawl.handle import REDIRECTS, Handler
from crawl.model import Outcome, Refusal, Request, Response
from crawl.night import CLOCK_SLACK_S
from crawl.policy import Policy
from crawl.registry import Registry
from crawl.rests import Past
from crawl.robots import Rules
from crawl.robotsbook import PROMISED, Copy, Options
from crawl.store import Store
from crawl.workers import Workers

PRIVATE = "P51"


class Probe:
    """One look by hand at one site, from the first request to the last."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        clock: Clock,
        policy: Policy,
        books: Registry,
        read_list: ReadList,
        *,
        connect_to: ConnectTo | None = None,
        options: Options = PROMISED,
        lane_of: Callable[[str], str] = str,
        meet: Callable[[Iterable[str]], None] = lambda _: None,
        tell: Callable[[Looked], None] = lambda _: None,
    ) -> None:
        """`options`: P44; `lane_of(server)`: P20; `meet(hosts)`: makes addresses of hosts known before an offer; `tell`: hears
        of every address as soon as it is settled."""
        self._store, self._workers, self._clock, self._policy, self._books = store, workers, clock, policy, books
        self._read_list = read_list
        self._connect_to, self._options = connect_to or ConnectTo(()), options
        self._lane_of, self._meet, self._tell = lane_of, meet, tell
        self._handler = Handler(policy, store.shelf, self._covered, lambda *_: Past())
        self._outlet = ""

    def look(self, start: str) -> tuple[Looked, ...]:
        """Look at a site from one of its addresses, and tell what was seen in that order; the state is then put away.

        Raises Misuse where a night was broken off or the clock lies before what the state knows.
        """
        self._started = self._clock.now()
        self._day = kst_day(self._started - self._policy.night_opens_s)
        self._outlet = whose(start, self._books)
        with self._store.transaction():
            self._number = self._store.probes.begin(self._started)
        try:
            return self._walk(start)
        finally:
            with self._store.transaction():
                self._store.probes.mend(self._clock.now())
            self._store.keep_state()

    def _walk(self, start: str) -> tuple[Looked, ...]:
        if self._store.recall.newest_request() > self._started + CLOCK_SLACK_S:
            raise Misuse(
                "the state knows requests later than this clock; a replay of an earlier day needs another --state"
            )
        self._gate = Gate(
            self._policy,
            day=self._day,
            started=self._started,
            scheduled=False,
            memory=self._store.recall.memory(self._day, self._started, self._policy),
            excluded=lambda request: self._covered(request.url, request.outlet),
            connect_to=self._connect_to,
            options=self._options,
            lane_of=self._lane_of,
        )
        seen: list[Looked] = []
        while (step := finding.following(start, seen)) is not None:
            seen.append(self._look(step))
            self._tell(seen[-1])
        return tuple(seen)

    def _covered(self, url: str, outlet: str, cms: str = "", byline: str = "") -> bool:
        return self._books.exclusions.covers(url, outlet, cms=cms) is not None

    def _look(self, step: Step) -> Looked:
        url = step.candidate.url
        told = may_not_be_asked(url, self._books)
        if told is not None:
            return finding.refused(step, *told)
        self._meet({urls.host(url)})
        request = Request(url, "probe", None, self._outlet, origin=url)
        answer = self._ask(request)
        if isinstance(answer, Refusal):
            looked = finding.refused(step, answer)
        else:
            looked = finding.judge(
                step, answer, read_list=self._read_list, summary_max_chars=self._policy.summary_max_chars
            )
        return self._with_robots(looked, replace(request, url=looked.at or url))

    def _with_robots(self, looked: Looked, request: Request) -> Looked:
        """What the robots.txt of an address says, as far as it was read."""
        copy = self._gate.robots.copy(request, self._clock.now())
        if copy is None:
            return looked
        if copy.rules.state == "unreadable":
            return replace(looked, robots="unreadable")
        verdict = self._gate.robots.verdict(request, copy)
        return replace(looked, robots=verdict, crawl_delay_s=copy.rules.crawl_delay_s() or 0.0)

    def _ask(self, request: Request) -> Response | Refusal:
        """The answer to one address, redirects and its robots.txt included, or the rule that forbids it."""
        refusal = self._gate.offer(request)
        if refusal is not None:
            return refusal
        finished: list[tuple[Ticket, Response]] = []
        while True:
            answer: Response | Refusal | None = None
            tickets: list[Ticket] = []
            with self._store.transaction():
                for ticket, response in finished:
                    answer = self._settle(ticket, response) or answer
                while answer is None and (step := self._gate.next_ticket(self._clock.now())) is not None:
                    if isinstance(step, Refused):
                        answer = self._refused(step)
                        continue
                    tickets.append(step)
                    self._store.begin(self._number, self._day, "probe", self._started, step, self._clock.now())
            if answer is not None:
                return answer
            for ticket in tickets:
                self._workers.start(ticket)
            finished = self._workers.wait(self._gate.next_time())

    def _settle(self, ticket: Ticket, response: Response) -> Response | Refusal | None:
        self._gate.settle(ticket, response.ended, slowed=rests.slow_down(response))
        request, answer = ticket.request, None
        if request.purpose == "robots":
            outcome = self._read_robots(ticket, response)
        else:
            outcome = Outcome(None, rests=rests.after(request, response, Past(), self._policy))
            answer = self._hop(ticket, response)
        self._gate.rest(outcome.rests)
        self._store.save(ticket, response, outcome, rests.uncapped_retry_after_s(response))
        return answer

    def _hop(self, ticket: Ticket, response: Response) -> Response | Refusal | None:
        """The answer itself, or None while a redirect is followed; a target that may not be asked is a refusal (P50)."""
        request = ticket.request
        if response.error or response.status not in REDIRECTS:
            return response
        outcome = self._handler.page_redirected(request, response, ticket.id)
        if outcome is None:
            return Refusal("P38", "redirect_to_login_or_nowhere")
        (hop,) = outcome.offers
        if (hop.url, hop.cookies) == (request.url, request.cookies):
            return Refusal("P50", "redirect_to_itself")
        told = may_not_be_asked(hop.url, self._books)
        return told[0] if told is not None else self._gate.offer(hop)

    def _read_robots(self, ticket: Ticket, response: Response) -> Outcome:
        outcome, rules = self._handler.robots(ticket.request, response, row=ticket.id)
        refusal = next((no for hop in outcome.offers if (no := self._gate.offer(hop)) is not None), None)
        if refusal is not None:
            rules = Rules("unreadable", refusal.reason)
        if rules is not None:
            wait_s = rests.retry_after_s(response, self._policy) if rules.state == "unreadable" else None
            copy = Copy(rules, response.ended, None if wait_s is None else response.ended + wait_s)
            self._store.keep_robots(ticket.request.origin, response, copy)
            self._gate.read_robots(ticket.request.origin, copy)
        return outcome

    def _refused(self, step: Refused) -> Refusal | None:
        """The refusal of what was asked for; a robots.txt whose hop may not be made is one nobody could read (P42)."""
        request, now = step.request, self._clock.now()
        if request.purpose != "robots":
            return step.refusal
        if request.hop:
            copy = Copy(Rules("unreadable", step.refusal.reason), now)
            self._store.keep_robots(request.origin, Response(request.url, 0, now, now), copy)
            self._gate.read_robots(request.origin, copy)
        return None


def whose(url: str, books: Registry) -> str:
    """The outlet whose budget pays for a look (P22): the registered one that lives there, else the server by its name."""
    server = urls.server(url)
    for slug, address in [(one.outlet, one.url) for one in books.sources] + [
        (o.slug, o.homepage) for o in books.outlets
    ]:
        with suppress(ValueError):
            if urls.server(address) == server:
                return slug
    return server


def may_not_be_asked(url: str, books: Registry) -> tuple[Refusal, str] | None:
    """Why an address is not asked by hand whatever the hour, and what to do instead; None where it may be.

    What may never be registered is not looked at either (P04, P05, P51), and what the nights look at already is not looked at
    twice (P11).
    """
    fault = cells.address_fault(url)
    if fault is not None:
        return Refusal(
            PRIVATE if PRIVATE in fault[0] else "", "address_cannot_be_registered"
        ), f"it {fault[0]}; {fault[1]}"
    server = urls.server(url)
    if cells.is_youtube(server):
        cure = 'a channel may stand in sources.csv with kind "youtube" and state "frozen"; it is never requested'
        return Refusal("P05", "youtube_is_never_asked"), cure
    why = declined.reason_for(url)
    if why is not None:
        return Refusal("P04", "may_not_be_registered"), why
    for source in books.sources:
        if source.state == "active" and urls.normal(source.url) == urls.normal(url):
            told = f'it is an active source of "{source.outlet}" already, and the nights look at it; see python -m crawl status'
            return Refusal("P11", "registered_already"), told
    return None
