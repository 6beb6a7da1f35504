"""Small servers on loopback for tests of the transport: each connection is played by one function."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

NOON = 1_796_094_000.0
"""2026-12-01 12:00 KST."""


class SetClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, at: float = NOON) -> None:
        self.at = at

    def now(self) -> float:
        return self.at


Talk = Callable[[socket.socket], None]
"""Plays the server's part once the request's head has been read."""


@dataclass
class Loopback:
    """A running server: its port, the raw head of every request it got, the names TLS greetings asked for."""

    port: int
    heads: list[bytes] = field(default_factory=list)
    dials: int = 0
    names: list[str | None] = field(default_factory=list)

    def to_here(self) -> tuple[str, ...]:
        """`--connect-to` values that lead every host here."""
        return (f"::127.0.0.1:{self.port}",)


def answering(head: str, body: bytes = b"") -> Talk:
    """A server that sends this head (its lines end in a bare newline here) and this body, and closes."""
    raw = head.strip().replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body
    return lambda conn: conn.sendall(raw)


def feed(body: bytes = b"<rss/>", *lines: str) -> Talk:
    """A plain 200 with a length."""
    return answering("\n".join(["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *lines]), body)


def silent(conn: socket.socket) -> None:
    """Say nothing until the client has gone."""
    conn.recv(1)


@contextlib.contextmanager
def serving(talk: Talk, *, tls: ssl.SSLContext | None = None, reads_head: bool = True) -> Iterator[Loopback]:
    """Run `talk` for each connection to a fresh port of 127.0.0.1 until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        here = Loopback(listener.getsockname()[1])
        if tls:
            tls.sni_callback = lambda sock, name, context: here.names.append(name)
        threads: list[threading.Thread] = []
        conns: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    conn, _ = listener.accept()
                except OSError:
                    return
                here.dials += 1
                conns.append(conn)
                threads.append(threading.Thread(target=_play, args=(conn, talk, here, tls, reads_head)))
                threads[-1].start()

        acceptor = threading.Thread(target=accept)
        acceptor.start()
        try:
            yield here
        finally:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            acceptor.join()
            for conn in conns:
                with contextlib.suppress(OSError):
                    conn.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()
            for conn in conns:
                conn.close()


def _play(conn: socket.socket, talk: Talk, here: Loopback, tls: ssl.SSLContext | None, reads_head: bool) -> None:
    with contextlib.suppress(OSError), tls.wrap_socket(conn, server_side=True) if tls else conn as spoken:
        if reads_head:
            here.heads.append(_head(spoken))
        talk(spoken)
        spoken.shutdown(socket.SHUT_WR)


def _head(conn: socket.socket) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head and (more := conn.recv(65_536)):
        head += more
    return head
