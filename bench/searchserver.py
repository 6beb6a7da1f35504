"""A loopback server that sends files the way GitHub Pages does: etag, ten minutes of cache, `.gz` as it lies there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "application/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".wasm": "application/wasm",
    ".gz": "application/gzip",
}


@dataclass
class Sent:
    """What a server has sent: bytes with their headers, and answers."""

    bytes: int = 0
    answers: int = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def __init__(self, *args: Any, root: Path, sent: Sent, **kwargs: Any) -> None:
        self._root, self._sent = root, sent
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        path = self._root / self.path.split("?")[0].lstrip("/")
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            self._send(404, "text/plain", b"not found", "")
            return
        body = path.read_bytes()
        etag = f'"{md5(body).hexdigest()[:20]}"'
        if self.headers.get("If-None-Match") == etag:
            self._send(304, "", b"", etag)
            return
        self._send(200, TYPES.get(path.suffix, "application/octet-stream"), body, etag)

    def _send(self, status: int, type: str, body: bytes, etag: str) -> None:
        self.send_response(status)
        if status != 304:
            self.send_header("Content-Type", type)
            self.send_header("Content-Length", str(len(body)))
        if etag:
            self.send_header("ETag", etag)
            self.send_header("Cache-Control", "max-age=600")
        self.send_header("Access-Control-Allow-Origin", "*")
        self._sent.answers += 1
        self._sent.bytes += sum(map(len, getattr(self, "_headers_buffer", ()))) + 2 + len(body)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the measures are taken in the browser."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextmanager
def served(root: Path, sent: Sent | None = None) -> Iterator[str]:
    """The address of a folder while it is served; `sent` counts."""
    with _Server(("127.0.0.1", 0), partial(_Handler, root=root, sent=sent or Sent())) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()
