"""Who lives where tonight: every host is looked up once, and servers found at one address share a lane (P20)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from crawl import urls
from crawl.dial import Resolve
from crawl.gate import Ticket
from crawl.hosts import folded, is_literal, is_public
from crawl.model import Response
from crawl.workers import look_up_all

UNKNOWN = "?"
"""Begins the name of a lane of a server whose address is not known."""
HOP_PATIENCE_S = 5.0
"""How long a redirect may wait for the address of its target."""


class AddressBook:
    """The addresses of one night. What was looked up stays, so that what is dialled is what the lanes were made by.

    Safe on many threads. A server that was not looked up, or has no address, has a lane of its own.
    """

    def __init__(self, look_up: Resolve) -> None:
        self._look_up = look_up
        self._lock = threading.Lock()
        self._addresses: dict[str, tuple[str, ...]] = {}
        self._lanes: dict[str, str] = {}
        self._owners: dict[str, str] = {}

    def lane_of(self, server: str) -> str:
        """The lane of a server, or of an address, by what is known now."""
        with self._lock:
            return self._owners.get(server, server) if is_literal(server) else self._lanes.get(server, UNKNOWN + server)

    def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses of a host, for the dial; looked up only where they are not known. Raises OSError."""
        with self._lock:
            known = self._addresses.get(host)
        if known is None:
            known = tuple(self._look_up(host, port))
            self.learn(host, known)
        return known

    def meet(self, hosts: Iterable[str]) -> None:
        """Look up many hosts before the night's first request; those that fail keep a lane of their own for now."""
        with self._lock:
            strangers = sorted(set(hosts) - self._addresses.keys())
        for host, addresses in sorted(look_up_all(strangers, self._look_up).items()):
            self.learn(host, addresses)

    def following(self, send: Callable[[Ticket], Response]) -> Callable[[Ticket], Response]:
        """`send`, which in its own thread and after its answer also makes the address of a redirect's target known, so
        that the hop is offered to the right lane."""

        def sent(ticket: Ticket) -> Response:
            response = send(ticket)
            target = urls.location(response.header("Location"), response.url) if response.status // 100 == 3 else None
            if target is not None and self._is_strange(urls.host(target)):
                host = urls.host(target)
                for addresses in look_up_all([host], self._look_up, patience_s=HOP_PATIENCE_S).values():
                    self.learn(host, addresses)
            return response

        return sent

    def learn(self, host: str, addresses: Iterable[str]) -> None:
        """Take note of a host's addresses. A host found in several lanes makes one of them."""
        with self._lock:
            self._addresses[host] = tuple(addresses)
            public = [address for address in self._addresses[host] if is_public(address)]
            if not public:
                return
            server = folded(host)
            lanes = [self._lanes[server]] if server in self._lanes else []
            lanes += [self._owners[address] for address in public if address in self._owners]
            lane = lanes[0] if lanes else public[0]
            self._lanes[server] = lane
            self._owners |= dict.fromkeys(public, lane)
            for book in (self._lanes, self._owners):
                book.update({name: lane for name, other in book.items() if other in lanes})

    def _is_strange(self, host: str) -> bool:
        with self._lock:
            return host not in self._addresses and not is_literal(host)
