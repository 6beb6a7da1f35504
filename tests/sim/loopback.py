"""The simulated web over real sockets on 127.0.0.1: real waits, drips, resets and bombs, within bounded resources."""

from __future__ import annotations

import gzip
import math
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import IO

from tests.sim import access
from tests.sim.hosts import fold
from tests.sim.web import Answer, Web

DRIP_EVERY_S = 0.5
DRIP_LONGEST_S = 90.0
"""A drip outlasts any honest deadline, but not the patience of the machine it runs on."""
PIECE_BYTES = 65_536
_GZIP_FROM_BYTES = 400


class CampusServer(ThreadingHTTPServer):
    """Serves a Web by Host header. `close()` ends drips and waits and frees the port."""

    daemon_threads = False
    request_queue_size = 128

    def __init__(self, web: Web, now: Callable[[], float], *, port: int = 0, log: IO[str] | None = None) -> None:
        """`now`: the moment of this world; `log`: where each finished access goes as a JSON line."""
        super().__init__(("127.0.0.1", port), _Handler)
        self.web, self.now, self.stopping = web, now, threading.Event()
        self.one_at_a_time = threading.Lock()
        self._log = log

    @property
    def port(self) -> int:
        return self.server_address[1]

    def note(self, number: int, ended: float, status: int) -> None:
        """Write down how an access ended."""
        with self.one_at_a_time:
            self.web.closed(number, ended, status)
            if self._log:
                self._log.write(access.line(self.web.log[number]) + "\n")
                self._log.flush()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no trouble of ours; anything else is a bug worth its traceback."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def start(self) -> None:
        """Serve from a thread of its own."""
        threading.Thread(target=self.serve_forever, args=(0.05,), name="campus", daemon=True).start()

    def close(self) -> None:
        """End everything under way, then the server itself."""
        self.stopping.set()
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    """One connection, one request."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "campus", ""
    timeout = 5
    server: CampusServer

    def do_GET(self) -> None:
        """Answer as the web says, taking the time it says."""
        self.close_connection = True
        server, host = self.server, self.headers.get("Host", "")
        started = server.now()
        with server.one_at_a_time:
            given = server.web.answer(f"http://{host}{self.path}", dict(self.headers.items()), started)
        self._last_write = server.now()
        status = given.status
        try:
            status = self._play(given, self._packed(given, host))
        finally:
            server.note(given.number, self._last_write, status)

    def _play(self, given: Answer, packed: tuple[tuple[tuple[str, str], ...], bytes]) -> int:
        """Send the answer and give the status that went out (0: none)."""
        if math.isfinite(given.duration_s):
            self.server.stopping.wait(given.duration_s)
        if given.error == "dns":
            given, packed = Answer(502), ((), b"no such host in this world\n")
        if given.error in ("refused_connection", "reset"):
            self._break_off()
            return 0
        headers, body = packed
        self._head(given.status, headers, body)
        if math.isinf(given.duration_s):
            self._drip()
        elif given.status != 304:
            for at in range(0, len(body), PIECE_BYTES):
                self._write(body[at : at + PIECE_BYTES])
        return given.status

    def _packed(self, given: Answer, host: str) -> tuple[tuple[tuple[str, str], ...], bytes]:
        """Headers and body as sent: some servers compress, and then weaken their ETag as nginx does (H1)."""
        machine = self.server.web.campus.servers.get(fold(host))
        wanted = machine is not None and machine.gzip and "gzip" in self.headers.get("Accept-Encoding", "")
        names = {name for name, _ in given.headers}
        fits = given.status == 200 and given.error is None and len(given.body) >= _GZIP_FROM_BYTES
        if not (wanted and fits) or "Content-Encoding" in names:
            return given.headers, given.body
        headers = tuple(
            (name, f"W/{value}" if name == "ETag" and value.startswith('"') else value) for name, value in given.headers
        )
        return (*headers, ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")), gzip.compress(given.body, 5)

    def _head(self, status: int, headers: tuple[tuple[str, str], ...], body: bytes) -> None:
        names = {name for name, _ in headers}
        lines = [f"HTTP/1.1 {status} {self.responses.get(status, ('',))[0]}"]
        lines += [f"{name}: {value}" for name, value in headers]
        if "Content-Length" not in names and status != 304:
            lines.append(f"Content-Length: {len(body)}")
        self._write(("\r\n".join([*lines, "Connection: close"]) + "\r\n\r\n").encode("latin-1"))

    def _drip(self) -> None:
        """A byte now and then until the asker, this server or the bound has had enough."""
        until = time.monotonic() + DRIP_LONGEST_S
        while time.monotonic() < until and not self.server.stopping.wait(DRIP_EVERY_S):
            self._write(b" ")

    def _write(self, piece: bytes) -> None:
        """Send; the time noted is the one before, so that the log never claims a later end than the asker saw."""
        self._last_write = self.server.now()
        self.wfile.write(piece)

    def _break_off(self) -> None:
        """Close with a reset instead of a proper end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def log_message(self, format: str, *args: object) -> None:
        """The access log is kept elsewhere."""
