"""Shows a finished site on this machine only, the way a static host would: types, charsets, its own 404 page."""

from __future__ import annotations

import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from build.check import site_root
from build.records import BuildMisuse

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".atom": "application/atom+xml; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".xml": "application/xml; charset=utf-8",
    ".db": "application/vnd.sqlite3",
    "": "application/octet-stream",
}


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = TYPES
    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, root: str, **kwargs: Any) -> None:
        self._root = root
        super().__init__(*args, **kwargs)

    def translate_path(self, path: str) -> str:
        """A site built for a folder of a host is shown both there and at the top."""
        if self._root != "/" and path.startswith(self._root):
            path = path[len(self._root) - 1 :]
        return super().translate_path(path)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", TYPES[".html"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def list_directory(self, path: Any) -> None:
        """A folder without a page is nothing, as on a static host."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """A reader who leaves early is no error."""
        try:
            super().copyfile(source, outputfile)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """The one line that matters is the address, printed at the start."""


class SiteServer(ThreadingHTTPServer):
    """A loopback server for one site; `address` is what to open."""

    daemon_threads = True

    def __init__(self, site: Path, port: int) -> None:
        """`port` 0 takes any free one. Raises BuildMisuse where there is no site or the port is taken."""
        if not (site / "index.html").is_file():
            raise BuildMisuse(f"{site}: no site here; build one with `python -m build site --out {site}`")
        self.root = site_root(site)
        try:
            super().__init__(("127.0.0.1", port), partial(_Handler, directory=str(site), root=self.root))
        except (OSError, OverflowError) as exc:
            raise BuildMisuse(f"port {port}: cannot be used ({exc}); name another with --port") from exc

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader who hangs up is no error, whatever was being said."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """The site's front page on this machine."""
        return f"http://127.0.0.1:{self.server_address[1]}{urlsplit(self.root).path}"
