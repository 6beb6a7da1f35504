"""What each origin's robots.txt says, as read this night or within the promised age (P40 to P44, P21)."""

from __future__ import annotations

from dataclasses import dataclass

from crawl import robots, urls
from crawl.clock import kst_day
from crawl.model import Options as Options
from crawl.model import Refusal, Request
from crawl.policy import Policy
from crawl.restbook import WEB
from crawl.robots import Rules

PROMISED = Options()
"""What holds where the operator chooses nothing."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One origin's robots.txt: its rules and when it was read, epoch seconds; `until`: the server asked not to be asked
    again before (P31)."""

    rules: Rules
    read_at: float
    until: float | None = None


class RobotsBook:
    """The copies at hand and the reading under way."""

    def __init__(self, policy: Policy, day: str, options: Options) -> None:
        """`day`: the night's Korean day."""
        self._policy, self._day, self._options = policy, day, options
        self._copies: dict[str, Copy] = {}
        self._asked: set[str] = set()
        self._read: set[str] = set()

    def learn(self, origin: str, copy: Copy) -> None:
        """Take note of a copy."""
        self._copies[origin] = copy
        self._asked.discard(origin)

    def forget_older(self, origin: str) -> None:
        """Let go of a copy of an earlier day, so that tonight reads it anew (P43)."""
        copy = self._copies.get(origin)
        if copy is not None and kst_day(copy.read_at) != self._day:
            del self._copies[origin]

    def needed(self, request: Request) -> bool:
        """Whether robots.txt is read before this request (P40, P44)."""
        web = request.purpose in WEB or request.json_feed
        return web or (request.purpose == "feed" and self._options.obey_named_group)

    def was_read(self, origin: str) -> bool:
        """Whether this run itself has asked for the origin's robots.txt (P43)."""
        return origin in self._read

    def reading(self, origin: str) -> bool:
        """Whether the origin's robots.txt is being asked for."""
        return origin in self._asked

    def start(self, request: Request) -> Request:
        """The request for the robots.txt that a request waits for."""
        origin = urls.origin(request.url)
        self._asked.add(origin)
        self._read.add(origin)
        return Request(
            url=robots.robots_url(request.url), purpose="robots", source=request.source, outlet=request.outlet,
            sake=request.purpose, origin=origin, recheck=request.recheck,
        )  # fmt: skip

    def copy(self, request: Request, now: float) -> Copy | None:
        """The copy that may decide about a request now, or None where it must be read first."""
        copy = self._copies.get(urls.origin(request.url))
        if copy is None:
            return None
        if copy.until is not None and now < copy.until:
            return copy
        if now - copy.read_at > self._policy.robots_max_age_s:
            return None
        tonight = kst_day(copy.read_at) == self._day
        delay_s = copy.rules.crawl_delay_s()
        too_slow = delay_s is not None and delay_s > self._policy.crawl_delay_max_s
        # Neither a failure nor a long Crawl-delay is carried over: both are read again every night (P42, P21).
        return copy if tonight or not (copy.rules.state == "unreadable" or too_slow) else None

    def refusal(self, request: Request, copy: Copy) -> Refusal | None:
        """Which rule forbids a request by this copy, if any."""
        feed = request.purpose == "feed" and not request.json_feed
        if copy.rules.state == "unreadable":
            allowed = feed and self._options.allow_unreachable
            return None if allowed else Refusal("P42", f"robots_{copy.rules.reason}")
        delay_s = copy.rules.crawl_delay_s() or 0
        if delay_s > self._policy.crawl_delay_max_s:
            return Refusal("P21", "crawl_delay_too_long")
        if self.verdict(request, copy) != "closed":
            return None
        look = request.hop == 0 and request.purpose in ("feed", "list")
        return Refusal("P43" if look else "P40", "closed_by_robots")

    def verdict(self, request: Request, copy: Copy) -> str:
        """What the copy says on a request: a feed is bound by the group that names us alone (P44)."""
        feed = request.purpose == "feed" and not request.json_feed
        return (copy.rules.named_verdict(request.url) or "no_rules") if feed else copy.rules.verdict(request.url)

    def delay_s(self, request: Request) -> float:
        """The Crawl-delay that applies to a request, 0 where none is known (P21; a feed reads no robots.txt)."""
        copy = self._copies.get(urls.origin(request.url)) if self.needed(request) else None
        return (copy.rules.crawl_delay_s() or 0.0) if copy else 0.0
