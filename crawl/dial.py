"""One request's way to its server: the name is looked up once and that very address is dialled (P51)."""

from __future__ import annotations

import http.client
import io
import os
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import urllib3

from crawl.clock import Clock
from crawl.connectto import ConnectTo
from crawl.trouble import Trouble
from crawl.urls import is_public

FINISH_S = 0.5
"""Kept back from every deadline, so that closing and writing down still fall inside the promise of P23."""
ADDRESS_WAIT_S = 5.0
"""How long one address may keep the next ones waiting."""
ADDRESSES_MAX = 4

Resolve = Callable[[str, int], Sequence[str]]
"""Name and port to address literals. Raises OSError where the name has none."""


def look_up(host: str, port: int) -> list[str]:
    """The addresses the system knows for a name, in its order. Raises OSError."""
    return [str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


class Line:
    """The one connection of one request; after a cut from any thread nothing is dialled or sent.

    `address`: the address dialled last, "" before. `replayed`: `--connect-to` chose it.
    """

    def __init__(self, clock: Clock, deadline: float, resolve: Resolve, connect_to: ConnectTo) -> None:
        self.address, self.replayed = "", False
        self._clock, self._until, self._resolve, self._connect_to = (
            clock,
            deadline - FINISH_S,
            resolve,
            connect_to,
        )
        self._lock = threading.Lock()
        self._is_cut = False
        self._handle: socket.socket | None = None

    @property
    def is_cut(self) -> bool:
        """Whether the line ended by the clock and not by the server."""
        return self._is_cut

    def left_s(self) -> float:
        """Seconds this request may still take, always above zero. Raises TimeoutError once there are none."""
        left = self._until - self._clock.now()
        if self._is_cut or left <= 0:
            self._is_cut = True
            raise TimeoutError("the request's time is over")
        return left

    def open(self, host: str, port: int) -> socket.socket:
        """A connected socket for `host`:`port`, IPv4 first. Raises Trouble or TimeoutError."""
        target = self._connect_to.target(host, port)
        self.replayed = target is not None
        name, port = target or (host, port)
        self.left_s()
        addresses = self._addresses(name, port)
        while True:
            address = addresses.pop(0)
            left_s = self.left_s()
            try:
                return self._dial(address, port, min(left_s, ADDRESS_WAIT_S) if addresses else left_s)
            except OSError as failed:
                self.left_s()
                if not addresses:
                    raise _unreached(failed) from failed

    def cut(self) -> None:
        """End it now, from any thread: a waiting read wakes up, a dial not yet begun never happens."""
        with self._lock:
            self._is_cut = True
            self._shut()

    def close(self) -> None:
        """Let go of the socket; always called when the request is over."""
        with self._lock:
            self._shut()
            if self._handle:
                self._handle.close()
                self._handle = None

    def _addresses(self, name: str, port: int) -> list[str]:
        try:
            found = list(dict.fromkeys(self._resolve(name, port)))
        except (OSError, UnicodeError) as failed:
            raise Trouble("dns", "the name has no address") from failed
        if not found:
            raise Trouble("dns", "the name has no address")
        public = [address for address in found if self.replayed or is_public(address)]
        if not public:
            raise Trouble("address_refused", f"{found[0]} is not a public address")
        return sorted(public, key=lambda address: ":" in address)[:ADDRESSES_MAX]

    def _dial(self, address: str, port: int, patience_s: float) -> socket.socket:
        sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        try:
            self._hold(sock)
            self.address = address
            sock.settimeout(patience_s)
            sock.connect((address, port))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.settimeout(self.left_s())
        except BaseException:
            sock.close()
            raise
        return sock

    def _hold(self, sock: socket.socket) -> None:
        """Keep a second handle: TLS replaces the first, and shutting down any of them ends the connection."""
        with self._lock:
            if self._is_cut:
                raise TimeoutError("the request's time is over")
            if self._handle:
                self._handle.close()
            self._handle = sock.dup()

    def _shut(self) -> None:
        if self._handle:
            with suppress(OSError):
                self._handle.shutdown(socket.SHUT_RDWR)


def _unreached(failed: OSError) -> Trouble:
    match failed:
        case TimeoutError():
            return Trouble("timeout", "no address answered the dial")
        case ConnectionRefusedError():
            return Trouble("refused_connection", "nobody listens there")
        case ConnectionError():
            return Trouble("reset", "the dial was broken off")
    return Trouble("refused_connection", os.strerror(failed.errno).lower() if failed.errno else "the dial failed")


class _Watched(io.RawIOBase):
    """The bytes of an answer, read under the line's own deadline: a drip of headers ends on time too."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, line: Line) -> None:
        self._raw, self._sock, self._line = raw, sock, line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        self._sock.settimeout(self._line.left_s())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class Answer(http.client.HTTPResponse):
    """An answer read from a line; interim answers (RFC 9110 section 15.2) are all passed over."""

    def __init__(self, sock: socket.socket, *args: Any, line: Line, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Watched(self.fp.detach(), sock, line))

    def begin(self) -> None:
        super().begin()
        while 100 < self.status < 200 and self.status != http.HTTPStatus.SWITCHING_PROTOCOLS:
            self.headers = self.msg = None  # type: ignore[assignment]
            super().begin()


class PlainConnection(urllib3.connection.HTTPConnection):
    """A connection that only its line may open."""

    def __init__(self, *args: Any, line: Line, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._line = line
        self.response_class = partial(Answer, line=line)  # type: ignore[assignment]

    def _new_conn(self) -> socket.socket:
        return self._line.open(self.host, self.port)


class TlsConnection(urllib3.connection.HTTPSConnection):
    """The same under TLS: the certificate is checked for the registered host, wherever the line leads."""

    def __init__(self, *args: Any, line: Line, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._line = line
        self.response_class = partial(Answer, line=line)  # type: ignore[assignment]

    def _new_conn(self) -> socket.socket:
        return self._line.open(self.host, self.port)


class PlainPool(urllib3.HTTPConnectionPool):
    """urllib3's pool around one plain connection."""

    ConnectionCls = PlainConnection


class TlsPool(urllib3.HTTPSConnectionPool):
    """urllib3's pool around one TLS connection."""

    ConnectionCls = TlsConnection
