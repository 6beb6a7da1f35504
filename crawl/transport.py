"""Sends one ticket: the only code that speaks HTTP, under our own name and within the promised bounds.

No connection outlives its request: each says `Connection: close`, has its own socket and is closed with its answer, so no
kept-open connection can run ahead of the spacing (P20) or carry one server's state to the next request (P01).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter

from crawl import policy as promise
from crawl.clock import Clock
from crawl.connectto import ConnectTo
from crawl.dial import Line, PlainPool, Resolve, TlsPool, look_up
from crawl.errors import Misuse
from crawl.gate import Ticket
from crawl.headers import cookie_header
from crawl.inflate import PIECE_BYTES, inflated
from crawl.model import Request, Response
from crawl.policy import Policy
from crawl.tls import Contexts
from crawl.trouble import Trouble, named
from crawl.urls import origin, requestable

ACCEPT_FEED = (
    "application/rss+xml, application/atom+xml, application/feed+json, "
    "application/rdf+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.1"
)
_BODYLESS = frozenset({204, 304})
_PAGES = frozenset({"date", "photo"})
"""Purposes that read an article page."""
_HEADER_SAFE = re.compile(r"[\t\x20-\x7e\x80-\xff]+")


class Transport:
    """Turns a ticket into a Response; `cut` ends it from another thread. Nothing here waits for the clock."""

    def __init__(
        self,
        clock: Clock,
        policy: Policy,
        *,
        contact_url: str = "",
        connect_to: ConnectTo = ConnectTo(()),  # noqa: B008 - a frozen value
        tls: Contexts | None = None,
        resolve: Resolve = look_up,
    ) -> None:
        """`tls`: whose certificates count, None: the public roots. Raises Misuse where the contact address is unfit."""
        self._clock, self._policy, self._connect_to, self._resolve = clock, policy, connect_to, resolve
        self._agent = f"{promise.AGENT} (+{contact_url})" if contact_url else promise.AGENT
        if not (_HEADER_SAFE.fullmatch(self._agent) and self._agent.isascii()):
            raise Misuse(f"the contact address {contact_url!r} cannot stand in a header; write it as a plain URL")
        self._tls = tls or Contexts()
        self._lock = threading.Lock()
        self._lines: dict[int, Line] = {}
        self._cut_early: set[int] = set()

    def send(self, ticket: Ticket) -> Response:
        """Spend the ticket and give what came of it; expected trouble is a value (P70), a bug raises."""
        request = ticket.spend()
        started = self._clock.now()
        outcome = _Outcome()
        prepared = requests.PreparedRequest()
        line = Line(self._clock, ticket.deadline, self._resolve, self._connect_to)
        self._enter(ticket, line)
        try:
            self._prepare(prepared, request)
            self._exchange(prepared, line, outcome, request)
        except Exception as raised:
            outcome.fail(raised, line)
        finally:
            line.close()
            with self._lock:
                self._lines.pop(ticket.id, None)
        return Response(
            url=request.url,
            status=outcome.status,
            started=started,
            ended=self._clock.now(),
            error=outcome.error,
            detail=outcome.detail,
            headers=outcome.headers,
            body=bytes(outcome.body),
            body_bytes=len(outcome.body),
            address=line.address,
            agent=prepared.headers["User-Agent"],
            referer=prepared.headers.get("Referer", ""),
            replayed=line.replayed,
        )

    def cut(self, ticket: Ticket) -> None:
        """End the ticket's request now, from any thread; one not begun yet will not dial."""
        with self._lock:
            line = self._lines.get(ticket.id)
            if line is None:
                self._cut_early.add(ticket.id)
        if line:
            line.cut()

    def _enter(self, ticket: Ticket, line: Line) -> None:
        with self._lock:
            self._lines[ticket.id] = line
            if ticket.id in self._cut_early:
                self._cut_early.discard(ticket.id)
                line.cut()

    def _prepare(self, prepared: requests.PreparedRequest, request: Request) -> None:
        """Built by hand: no cookies, no credentials from the address, no Referer, no environment (P01).

        Validators go out byte for byte as the server gave them (H1, H5).
        """
        prepared.prepare_method("GET")
        prepared.prepare_headers(
            {
                "User-Agent": self._agent,
                "Accept": ACCEPT_FEED if request.purpose == "feed" else "*/*",
                "Accept-Encoding": "identity" if request.identity else "gzip, deflate",
                "Connection": "close",
            }
        )
        for name, value in (("If-None-Match", request.etag), ("If-Modified-Since", request.last_modified)):
            if value is None:
                continue
            if not _HEADER_SAFE.fullmatch(value):
                raise Trouble("protocol", f"the stored {name} cannot stand in a header")
            prepared.headers[name] = value
        try:
            if (cookie := cookie_header(request.cookies, origin(request.url))) is not None:
                prepared.headers["Cookie"] = cookie
            prepared.url = requestable(request.url)
        except ValueError as unfit:
            raise Trouble("protocol", "the address cannot be requested") from unfit

    def _exchange(self, prepared: requests.PreparedRequest, line: Line, outcome: _Outcome, request: Request) -> None:
        adapter = _OneLine(line, self._tls)
        raw = adapter.send(prepared, stream=True, timeout=line.left_s()).raw
        try:
            outcome.status, outcome.headers = raw.status, _headers(raw)
            self._refuse_unreadable(raw, outcome, request)
            if outcome.status not in _BODYLESS:
                self._read(raw, outcome, request)
        finally:
            raw.close()

    def _read(self, raw: Any, outcome: _Outcome, request: Request) -> None:
        """The body up to its cap: a longer list or feed is an error, of an article page the beginning is enough (P23)."""
        is_page = request.purpose in _PAGES
        cap_bytes = self._policy.page_max_bytes if is_page else self._policy.feed_max_bytes
        try:
            for piece in inflated(_wire(raw), outcome.joined("content-encoding"), cap_bytes):
                outcome.body += piece
        except Trouble as trouble:
            if not (is_page and trouble.error == "too_large"):
                raise

    def _refuse_unreadable(self, raw: Any, outcome: _Outcome, request: Request) -> None:
        """Turn away, before a byte of it is read, a body announced too large or in an unknown framing."""
        if 100 <= outcome.status < 200:
            raise Trouble("protocol", "the server switched to another protocol unasked")
        if outcome.joined("transfer-encoding").lower() not in ("", "identity", "chunked"):
            raise Trouble("protocol", "the body is framed in an unknown way")
        whole = outcome.status not in _BODYLESS and request.purpose not in _PAGES
        if whole and (raw.length_remaining or 0) > self._policy.feed_max_bytes:
            raise Trouble("too_large", "the announced body is larger than the cap")


@dataclass(slots=True)
class _Outcome:
    """What is known so far of one exchange; a failure keeps it."""

    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytearray = field(default_factory=bytearray)
    error: str | None = None
    detail: str = ""

    def joined(self, name: str) -> str:
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    def fail(self, raised: Exception, line: Line) -> None:
        """Name what went wrong; an exception without a name is a bug and goes on."""
        trouble = named(raised, reading_body=self.status > 0)
        if trouble is None:
            raise raised
        if line.is_cut:
            trouble = Trouble("timeout", "")
        self.error, self.detail = trouble.error, trouble.detail
        if self.error == "timeout" and not self.detail:
            self.detail = "the body did not end in time" if self.status else "no answer in time"


class _OneLine(HTTPAdapter):
    """requests' adapter with one connection of ours: no proxies, no pool shared with anybody, no retries."""

    def __init__(self, line: Line, tls: Contexts) -> None:
        super().__init__()
        self._line, self._tls = line, tls

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, *args: Any, **kwargs: Any
    ) -> urllib3.HTTPConnectionPool:
        parts = urlsplit(request.url or "")
        host = parts.hostname or ""
        if parts.scheme == "https":
            return TlsPool(host, parts.port or 443, maxsize=1, ssl_context=self._tls.of(host), line=self._line)
        return PlainPool(host, parts.port or 80, maxsize=1, line=self._line)

    def build_response(self, req: requests.PreparedRequest, resp: Any) -> requests.Response:
        """Only the raw answer: requests would parse every cookie, which we neither keep nor send."""
        response = requests.Response()
        response.raw = resp
        return response

    def cert_verify(self, *args: Any, **kwargs: Any) -> None:
        """Nothing to add: the context handed to the pool verifies always."""


def _wire(raw: Any) -> Iterator[bytes]:
    """The body as it comes, at most one read of the socket at a time."""
    while piece := raw.read1(PIECE_BYTES):
        yield piece


def _headers(raw: Any) -> tuple[tuple[str, str], ...]:
    """Every header line in its order; urllib3 has joined folds, outer blanks go (RFC 9112 section 5)."""
    return tuple((name, str(value).strip(" \t")) for name, value in raw._original_response.msg.items())
