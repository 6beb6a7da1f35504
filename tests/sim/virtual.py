"""Virtual time: a clock that only moves when told, and workers that answer from the simulated web without waiting."""

from __future__ import annotations

import heapq
import ipaddress
import zlib
from collections.abc import Mapping
from typing import Protocol
from urllib.parse import urlsplit

from crawl.gate import Ticket
from crawl.model import Response
from crawl.policy import AGENT, Policy
from tests.sim.web import Answer

AT_ONCE = 32
"""As many requests as may be under way; servers are many and none is asked twice at once."""


class VirtualClock:
    """A clock that stands still until it is moved on."""

    def __init__(self, at: float) -> None:
        self._now = at

    def now(self) -> float:
        return self._now

    def advance_to(self, at: float) -> None:
        """Move on to a moment; raises ValueError for one in the past."""
        if at < self._now:
            raise ValueError(f"time does not run backwards: {at} lies before {self._now}")
        self._now = at


class Asked(Protocol):
    """A web as the workers need it: the campus web, or a test's own script."""

    def answer(self, url: str, headers: Mapping[str, str], now: float) -> Answer: ...

    def address(self, host: str) -> str: ...

    def closed(self, number: int, ended: float) -> None: ...


class VirtualWorkers:
    """Workers whose requests take their time on the virtual clock only."""

    def __init__(
        self, web: Asked, clock: VirtualClock, policy: Policy, contact_url: str = "", *, at_once: int = AT_ONCE
    ) -> None:
        self._web, self._clock, self._policy, self._at_once = web, clock, policy, at_once
        self._agent = f"{AGENT} (+{contact_url})" if contact_url else AGENT
        self._flights: list[tuple[float, int, int, Ticket, Response]] = []
        self._is_closed = False

    def room(self) -> int:
        return self._at_once - len(self._flights)

    def busy(self) -> int:
        return len(self._flights)

    def start(self, ticket: Ticket) -> None:
        """Ask the web at this very moment; the answer is handed back when its time has come."""
        if self._is_closed:
            raise RuntimeError("the workers are closed")
        response, number = self._response(ticket)
        heapq.heappush(self._flights, (response.ended, ticket.id, number, ticket, response))

    def wait(self, until: float | None) -> list[tuple[Ticket, Response]]:
        """Move the clock to the next end or to `until`, whichever comes first; hand back what has ended."""
        marks = [self._flights[0][0]] if self._flights else []
        marks += [until] if until is not None else []
        if not marks:
            return []
        self._clock.advance_to(max(self._clock.now(), min(marks)))
        finished = []
        while self._flights and self._flights[0][0] <= self._clock.now():
            *_, ticket, response = heapq.heappop(self._flights)
            finished.append((ticket, response))
        return finished

    def close(self) -> None:
        """Hang up on whatever is under way."""
        self._is_closed = True
        for _, _, number, *_ in self._flights:
            self._hang_up(number)
        self._flights.clear()

    def _response(self, ticket: Ticket) -> tuple[Response, int]:
        """What the sender would make of it: refused address, broken line, time over, too large, or the answer.

        With it the place in the access log, -1 where no server was reached.
        """
        request, started = ticket.spend(), self._clock.now()
        address = self._address(request.url)
        if address and not ipaddress.ip_address(address).is_global:
            return Response(request.url, 0, started, started, error="address_refused", agent=self._agent), -1
        encodings = "identity" if request.identity else "gzip, deflate"
        sent = {"User-Agent": self._agent, "Accept-Encoding": encodings, "Connection": "close"}
        origin = request.url.partition("://")[0] + "://" + request.url.partition("://")[2].partition("/")[0]
        cookies = [f"{name}={value}" for where, name, value in request.cookies if where == origin]
        sent |= {"Cookie": "; ".join(cookies)} if cookies else {}
        sent |= {"If-None-Match": request.etag} if request.etag is not None else {}
        sent |= {"If-Modified-Since": request.last_modified} if request.last_modified is not None else {}
        answer = self._web.answer(request.url, sent, started)
        ended, error = started + answer.duration_s, answer.error
        is_page = request.purpose in ("date", "photo")
        body, trouble = _decoded(answer, self._policy.page_max_bytes if is_page else self._policy.feed_max_bytes)
        trouble = None if is_page and trouble == "too_large" else trouble
        if ended > ticket.deadline:
            ended, error, body = ticket.deadline, "timeout", b""
            self._hang_up(answer.number, ended)
        return Response(
            request.url,
            answer.status,
            started,
            ended,
            error=error or trouble,
            headers=answer.headers,
            body=body,
            body_bytes=len(body),
            address=address,
            agent=self._agent,
        ), answer.number

    def _address(self, url: str) -> str:
        """Where the host of an address lies; empty where nobody says."""
        host = urlsplit(url).hostname or ""
        if _is_literal(host):
            return host
        return self._web.address(host)

    def _hang_up(self, number: int, at: float | None = None) -> None:
        if number >= 0:
            self._web.closed(number, self._clock.now() if at is None else at)


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _decoded(answer: Answer, cap: int) -> tuple[bytes, str | None]:
    """The body as far as it may be read, and what was wrong with it."""
    body, packed = answer.body, dict(answer.headers).get("Content-Encoding") == "gzip"
    if packed:
        try:
            body = zlib.decompressobj(wbits=31).decompress(body, cap + 1)
        except zlib.error:
            return b"", "bad_encoding"
    return (body[:cap], "too_large") if len(body) > cap else (body, None)
