"""The loop until morning: offers in, tickets out, answers settled and stored, in the one order that keeps promises."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crawl import plan, rests, urls
from crawl.audit import Finding, audit, breach_counts, excluded_before
from crawl.clock import Clock, kst_day, kst_midnight
from crawl.connectto import ConnectTo
from crawl.errors import Misuse
from crawl.exclusions import Exclusions
from crawl.gate import Gate, Refused, Ticket
from crawl.handle import Handler
from crawl.idle import NOTHING_READ, Idle, Readers
from crawl.model import HEALTHY, Due, Outcome, Refusal, Request, Response
from crawl.photos import Pictures
from crawl.policy import Policy
from crawl.rests import Past
from crawl.robots import Rules
from crawl.robotsbook import PROMISED, Copy, Options
from crawl.store import Store
from crawl.workers import Workers

CHECKPOINT_EVERY_S = 1_800
TELL_EVERY_S = 60
CLOCK_SLACK_S = 60
"""A clock may have been set back by so much between two runs."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the night is: looks done of looks planned, at what moment."""

    done: int
    planned: int
    now: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished run. `night` is None where nothing was due; `why` then says why in one sentence."""

    night: int | None
    day: str
    why: str = ""
    findings: tuple[Finding, ...] = ()


class Night:
    """One run over the sources that are due, from the first offer to the audited totals."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        clock: Clock,
        policy: Policy,
        exclusions: Exclusions,
        *,
        now_pass: bool = False,
        connect_to: ConnectTo | None = None,
        only: frozenset[str] = frozenset(),
        until: float | None = None,
        promise: Policy | None = None,
        options: Options = PROMISED,
        lane_of: Callable[[str], str] = str,
        meet: Callable[[Iterable[str]], None] = lambda _: None,
        readers: Readers = NOTHING_READ,
        backfill: bool = True,
        pictures: Pictures = Pictures(),  # noqa: B008 - a frozen value
        tell: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        """`now_pass`: an inspecting pass at any hour (P10); `only`: outlet slugs; `until`: start nothing
        after this moment; `promise`: what the audit holds it to; `options`: P44; `lane_of(server)`: P20; `meet(hosts)`: makes
        the addresses of hosts known before the first offer; `readers`: how pages are
        read; what has no reader is not asked for; `backfill`: whether older list pages are; `pictures`: P03."""
        self._store, self._workers, self._clock, self._policy = store, workers, clock, policy
        self._exclusions, self._now_pass, self._only, self._until, self._tell = (
            exclusions,
            now_pass,
            only,
            until,
            tell,
        )
        self._connect_to = connect_to or ConnectTo(())
        self._promise = promise or policy
        self._options, self._readers, self._backfill = options, readers, backfill
        self._lane_of, self._meet = lane_of, meet
        self._handler = Handler(policy, store.shelf, self._excluded, self._past, readers.list, pictures)
        self._pictures = pictures
        self._dues: dict[int, Due] = {}
        self._done = self._planned = 0

    def run(self) -> Summary:
        """Look at every due source once and store what it shows; returns when all are settled or the night is over."""
        started = self._started = self._clock.now()
        if self._store.recall.newest_request() > started + CLOCK_SLACK_S:
            raise Misuse(
                "the state knows requests later than this clock; a replay of an earlier day needs another --state"
            )
        self._day = kst_day(started - self._policy.night_opens_s)
        self._mode = "now" if self._now_pass else "scheduled"
        why = self._nothing_to_do(started)
        if why:
            return Summary(None, self._day, why)
        memory = self._store.recall.memory(self._day, started, self._policy)
        tonight = plan.night(
            self._active(), looks=dict(memory.looks), policy=self._policy, reads_lists=self._readers.list is not None
        )
        if not tonight.offers and self._store.recall.has_night(self._day):
            return Summary(None, self._day, "every source was looked at already on this day (P10)")
        self._meet({urls.host(request.url) for _, request in tonight.offers})
        self._night = self._store.begin_night(self._day, self._mode, started)
        if self._pictures.of == "photo":
            with self._store.transaction():
                self._store.pictures.keep_photo_stories_only(started)
        self._checked = started
        self._gate = Gate(
            self._policy,
            day=self._day,
            started=started,
            scheduled=not self._now_pass,
            until=self._until,
            memory=self._store.recall.memory(self._day, started, self._policy),
            excluded=self._may_not_be_asked,
            connect_to=self._connect_to,
            options=self._options,
            lane_of=self._lane_of,
        )
        self._idle = Idle(
            self._store,
            self._policy,
            self._handler,
            self._readers,
            self._dues,
            day=self._day,
            now_pass=self._now_pass,
            backfill=self._backfill,
        )
        self._idle_begun = False
        self._offer(tonight)
        self._until_morning()
        return self._end()

    def _nothing_to_do(self, now: float) -> str:
        if not self._now_pass and now > kst_midnight(self._day) + self._policy.night_last_start_s:
            return "the night hours are over; the next scheduled run begins at midnight in Seoul (P10)"
        if self._store.recall.collected(self._day):
            return "this day was collected already and its log is not here; looking twice would break P10"
        return ""

    def _active(self) -> list[Due]:
        return [
            due
            for due in self._store.recall.due(self._policy, self._day)
            if not self._only or due.source.outlet in self._only
        ]

    def _past(self, source: int, failures: int, server: str, row: int) -> Past:
        return self._store.recall.past(source, failures, server, row, self._policy)

    def _excluded(self, url: str, outlet: str, cms: str = "", byline: str = "") -> bool:
        by_name = bool(byline) and self._exclusions.covers_byline(outlet, byline) is not None
        return by_name or self._exclusions.covers(url, outlet, cms=cms) is not None

    def _may_not_be_asked(self, request: Request) -> bool:
        """Whether an exclusion forbids a request, by the address's identity in the system of its source (P60)."""
        due = self._dues.get(request.source or 0)
        return self._excluded(request.url, request.outlet, due.source.cms if due else "")

    def _offer(self, tonight: plan.Plan) -> None:
        self._planned = len(tonight.offers)
        for due, refusal in tonight.refused:
            self._note(due, refusal)
        self._dues.update((due.source_id, due) for due in self._active())
        for due, request in tonight.offers:
            if due.recheck:
                self._gate.robots.forget_older(urls.origin(due.source.url))
            refused = self._gate.offer(request)
            if refused is not None:
                self._refuse(request, refused)

    def _until_morning(self) -> None:
        finished: list[tuple[Ticket, Response]] = []
        while True:
            # One transaction a turn: what came back and what is sent next are on disk before anything is sent.
            with self._store.transaction():
                for ticket, response in finished:
                    self._settle(ticket, response)
                tickets = self._tickets(self._workers.room())
                while self._use_idle_hours():
                    tickets += self._tickets(self._workers.room() - len(tickets))
            for ticket in tickets:
                self._workers.start(ticket)
            until = self._next_time()
            if until is None and not self._workers.busy():
                return
            finished = self._workers.wait(self._look_up_at(until if self._workers.room() else None))
            self._checkpoint()
            self._tell(Progress(self._done, self._planned, self._clock.now()))

    def _look_up_at(self, until: float | None) -> float:
        """When to look up from waiting: for what comes next, but never so late that a log would fall silent (data.md)."""
        told = self._clock.now() + TELL_EVERY_S
        return told if until is None else min(until, told)

    def _checkpoint(self) -> None:
        """Now and then the press file is brought up to date, so that losing the work database costs little."""
        if self._clock.now() >= self._checked + CHECKPOINT_EVERY_S:
            self._checked = self._clock.now()
            self._store.checkpoint()

    def _use_idle_hours(self) -> bool:
        """Offer pages once every look is answered or put off (P10); whether there were any."""
        if not self._gate.looks_are_over():
            return False
        if not self._idle_begun:
            self._idle_begun = True
            self._idle.begin(self._clock.now())
            self._meet(self._idle.hosts())
        offers = self._idle.offers(self._clock.now(), self._gate.second_look_waits)
        for request in offers:
            refused = self._gate.offer(request)
            if refused is not None:
                self._refuse(request, refused)
        return bool(offers)

    def _next_time(self) -> float | None:
        times = [self._gate.next_time()]
        if self._idle_begun and not self._now_pass:
            times.append(self._idle.next_time(self._clock.now()))
        return min(
            (at for at in times if at is not None and (at == times[0] or at <= self._gate.last_start)), default=None
        )

    def _tickets(self, room: int) -> list[Ticket]:
        """What may start now, as far as there is room, written to the log."""
        tickets: list[Ticket] = []
        while room > len(tickets) and (step := self._gate.next_ticket(self._clock.now())) is not None:
            if isinstance(step, Refused):
                self._refuse(step.request, step.refusal)
            else:
                tickets.append(step)
                self._store.begin(self._night, self._day, self._mode, self._started, step, self._clock.now())
        return tickets

    def _settle(self, ticket: Ticket, response: Response) -> None:
        self._gate.settle(ticket, response.ended, slowed=rests.slow_down(response))
        request = ticket.request
        if request.purpose == "robots":
            outcome = self._read_robots(ticket, response)
        elif request.purpose not in ("feed", "list"):
            outcome = self._idle.settle(request, response, row=ticket.id)
            refused = self._hop(outcome)
            if refused is not None:
                outcome = self._idle.refused(request, refused, response.ended)
            self._gate.rest(outcome.rests)
        else:
            due = self._dues[request.source or 0]
            outcome = self._handler.answer(due, request, response, row=ticket.id)
            refused = self._hop(outcome)
            if refused is not None:
                outcome = self._handler.hop_refused(due, request, response.ended, refused)
            self._gate.rest(outcome.rests)
        self._store.save(ticket, response, outcome, rests.uncapped_retry_after_s(response))
        self._looked(outcome)

    def _read_robots(self, ticket: Ticket, response: Response) -> Outcome:
        outcome, rules = self._handler.robots(ticket.request, response, row=ticket.id)
        refused = self._hop(outcome)
        if refused is not None:
            rules = Rules("unreadable", refused.reason)
        self._gate.rest(outcome.rests)
        if rules is not None:
            wait_s = rests.retry_after_s(response, self._policy) if rules.state == "unreadable" else None
            copy = Copy(rules, response.ended, None if wait_s is None else response.ended + wait_s)
            self._store.keep_robots(ticket.request.origin, response, copy)
            for source, due in self._dues.items():
                lives_here = (
                    due.source.kind in ("list", "edition") and urls.origin(due.source.url) == ticket.request.origin
                )
                if lives_here and rules.state == "rules" and rules.verdict(due.source.url) == "closed":
                    self._close(source)
            self._gate.read_robots(ticket.request.origin, copy)
        return outcome

    def _close(self, source: int) -> None:
        """A source whose own address is closed: what hangs on it is left alone at once (P43)."""
        self._gate.close(source)
        self._idle.close(source)

    def _hop(self, outcome: Outcome) -> Refusal | None:
        """Offer the redirect hop an outcome asks for; the refusal, if a rule forbids it whatever the hour."""
        return next((refused for hop in outcome.offers if (refused := self._gate.offer(hop)) is not None), None)

    def _looked(self, outcome: Outcome) -> None:
        if outcome.check is None:
            return
        self._done += 1
        self._gate.looked(outcome.check.source)
        due = self._dues[outcome.check.source]
        if outcome.check.reason == "closed_by_robots":
            self._close(due.source_id)
        read = outcome.check.result in HEALTHY
        if due.recheck and (read or (due.closed and self._gate.robots.was_read(urls.origin(due.source.url)))):
            self._store.rechecked(due)

    def _refuse(self, request: Request, refusal: Refusal) -> None:
        due, now = self._dues[request.source or 0], self._clock.now()
        if request.purpose == "robots":
            if request.hop:
                # One try a night (P42): a hop that may not be made is an answer nobody could read.
                copy = Copy(Rules("unreadable", refusal.reason), now)
                self._store.keep_robots(request.origin, Response(request.url, 0, now, now), copy)
                self._gate.read_robots(request.origin, copy)
            return
        if request.purpose not in ("feed", "list"):
            outcome = self._idle.refused(request, refusal, now)
            self._gate.rest(outcome.rests)
            self._store.keep_rests(outcome.rests, request.parent)
            return
        if request.hop:
            outcome = self._handler.hop_refused(due, request, now, refusal)
        else:
            outcome = Outcome(self._handler.refused(due, refusal))
        self._gate.rest(outcome.rests)
        self._record(outcome, request.parent)
        self._looked(outcome)

    def _note(self, due: Due, refusal: Refusal) -> None:
        self._record(Outcome(self._handler.refused(due, refusal)), None)

    def _record(self, outcome: Outcome, row: int | None) -> None:
        assert outcome.check is not None
        self._store.note(outcome.check, outcome.rests, self._clock.now(), row)

    def _end(self) -> Summary:
        findings = audit(self._store.readable(), self._promise, excluded_before(self._exclusions), night=self._night)
        self._store.end_night(self._night, self._policy, breach_counts(findings), self._clock.now())
        return Summary(self._night, self._day, findings=tuple(findings))
