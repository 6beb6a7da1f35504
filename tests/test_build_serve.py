"""The local server behaves like a static host, on loopback only."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from build import site
from build.records import BuildMisuse
from build.serve import SiteServer
from tests import sitefixture


@contextmanager
def serving(folder: Path, base_url: str = "") -> Iterator[SiteServer]:
    """A small site on a free port."""
    sitefixture.fill(folder / "press.db")
    site.build(folder, folder / "site", base_url)
    with SiteServer(folder / "site", 0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def get(server: SiteServer, path: str, method: str = "GET") -> tuple[int, str, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.headers["Content-Type"], answer.read()
    finally:
        connection.close()


def test_pages_come_with_their_types_and_charsets(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.server_address[0] == "127.0.0.1"
        assert get(server, "/")[:2] == (200, "text/html; charset=utf-8")
        assert "대학언론" in get(server, "/")[2].decode()
        assert get(server, "/feeds/all.atom")[:2] == (200, "application/atom+xml; charset=utf-8")
        assert get(server, "/assets/style.css")[:2] == (200, "text/css; charset=utf-8")
        assert get(server, "/assets/site.js")[:2] == (200, "text/javascript; charset=utf-8")
        assert get(server, "/assets/icon.svg")[:2] == (200, "image/svg+xml")


def test_an_address_without_a_page_gets_the_sites_own_404(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        for path in ("/gone/deep/", "/assets/", "/../../etc/passwd"):
            status, kind, body = get(server, path)
            assert (status, kind) == (404, "text/html; charset=utf-8")
            assert "찾는 쪽이 없습니다" in body.decode()
        assert get(server, "/gone", "HEAD") == (404, "text/html; charset=utf-8", b"")


def test_a_site_for_a_folder_is_shown_in_that_folder(tmp_path: Path) -> None:
    with serving(tmp_path, "https://campus.example/press/") as server:
        assert server.address.endswith("/press/")
        assert get(server, "/press/outlets/")[0] == 200
        assert get(server, "/press/assets/style.css")[0] == 200
        assert get(server, "/")[0] == 200


def test_a_taken_port_is_misuse_with_its_cure(tmp_path: Path) -> None:
    with serving(tmp_path) as server, pytest.raises(BuildMisuse, match="name another with --port"):
        SiteServer(tmp_path / "site", int(server.server_address[1]))


def test_a_reader_who_hangs_up_leaves_no_trace_on_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path) as server:
        for _ in range(5):
            rude = socket.create_connection(("127.0.0.1", int(server.server_address[1])))
            rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close() resets
            rude.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            rude.recv(1)
            rude.close()
        assert get(server, "/")[0] == 200
        try:
            raise ValueError("a fault of ours")
        except ValueError:
            server.handle_error(None, ("127.0.0.1", 1))
    told = capsys.readouterr().err
    assert "a fault of ours" in told
    assert "Connection" not in told
