"""Sources that were not requested because their server rested, and their one second look tonight (P36)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from crawl.model import Refusal, Request
from crawl.policy import Policy


@dataclass(frozen=True, slots=True)
class Parked:
    """A put-off look: its server, and when the rest it waits for ends."""

    request: Request
    server: str
    until: float
    rule: str


class SecondLooks:
    """What is put off, in which batch it comes back, and which servers have said "slow down" too often tonight."""

    def __init__(self, policy: Policy, slowed: Iterable[tuple[str, int]] = ()) -> None:
        """`slowed`: server and source of each slow-down that tonight has already brought (a restart's memory)."""
        self._policy = policy
        self._parked: list[Parked] = []
        self._batch: set[int] = set()
        self._slowed: defaultdict[str, set[int]] = defaultdict(set)
        for server, source in slowed:
            self._slowed[server].add(source)

    def slowed(self, server: str, source: int) -> None:
        """A source of a server was told to slow down tonight."""
        self._slowed[server].add(source)

    def over(self, server: str) -> bool:
        """Whether so many of a server's sources were told to slow down that the rest waits for the next day."""
        return len(self._slowed[server]) >= self._policy.slowed_sources_max

    def was_slowed(self, source: int | None) -> bool:
        """Whether a source was itself told to slow down tonight: then it waits for the next night."""
        return any(source in sources for sources in self._slowed.values())

    def park(self, parked: Parked) -> None:
        """Put a look off until its server's rest ends; one of a batch that must wait anew leaves its batch."""
        self._batch.discard(parked.request.source or 0)
        self._parked.append(parked)

    def done(self, source: int) -> None:
        """A look of a batch has settled."""
        self._batch.discard(source)

    def next_time(self) -> float | None:
        """When the next batch may come back, None while one is out or nothing is put off."""
        return None if self._batch or not self._parked else min(parked.until for parked in self._parked)

    def waiting(self, server: str, now: float) -> bool:
        """Whether a look of this server waits that may be asked by now: it goes before backfill and photos (P10)."""
        return any(parked.server == server and parked.until <= now for parked in self._parked)

    def release(self, now: float) -> list[Request]:
        """The next batch, at most so many looks as the policy allows at a time on the whole run, in the order put off."""
        if self._batch:
            return []
        ready = [parked for parked in self._parked if parked.until <= now][: self._policy.second_looks_at_once]
        self._parked = [parked for parked in self._parked if parked not in ready]
        self._batch = {parked.request.source for parked in ready if parked.request.source is not None}
        return [replace(parked.request, put_off=True) for parked in ready]

    def hopeless(self, last_start: float) -> list[tuple[Request, Refusal]]:
        """What must wait for the next night after all, with the reason; it is put off no longer."""
        found = [
            (parked.request, Refusal("P36", "server_slowed_twice", parked.until))
            if self.over(parked.server)
            else (parked.request, Refusal(parked.rule, "server_resting", parked.until))
            for parked in self._parked
            if self.over(parked.server) or parked.until > last_start
        ]
        gone = {id(request) for request, _ in found}
        self._parked = [parked for parked in self._parked if id(parked.request) not in gone]
        return found

    def give_up(self) -> list[Parked]:
        """Everything still put off when the night is over."""
        parked, self._parked = self._parked, []
        return parked
