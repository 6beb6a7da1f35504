"""The campus over real sockets: it answers by host name, behaves as badly as it says, and ends when told."""

from __future__ import annotations

import gzip
import http.client
import io
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.sim.access import read
from tests.sim.campus import Campus, Source
from tests.sim.hosts import split
from tests.sim.loopback import CampusServer
from tests.sim.moods import MOODS, Mood
from tests.sim.web import Web

NIGHT = 1_796_050_800.0
ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def campus() -> Campus:
    return Campus(1, 24)


@contextmanager
def serving(campus: Campus, moods: dict[str, Mood], log: io.StringIO | None = None) -> Iterator[CampusServer]:
    """A campus on a free port at a standing moment."""
    quick = {name: Mood("healthy", duration_s=0.0) for name in campus.servers}
    server = CampusServer(Web(campus, 1, quick | moods), lambda: NIGHT + time.monotonic() % 1000, log=log)
    server.start()
    try:
        yield server
    finally:
        server.close()


def get(server: CampusServer, source: Source, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """One plain request, the host named in its header."""
    host, path = source.url.partition("://")[2].split("/", 1)
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    try:
        line.request("GET", f"/{path}", headers={"Host": host} | {k.replace("_", "-"): v for k, v in headers.items()})
        answer = line.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        line.close()


def feed(campus: Campus, *, zipped: bool) -> Source:
    """A feed alone on a server that does or does not compress."""
    return next(
        server.sources[0]
        for server in campus.servers.values()
        if server.gzip == zipped and len(server.sources) == 1 and server.validators in ("both", "etag", "weak")
        and not server.sources[0].dialect.stamped
    )  # fmt: skip


def test_each_source_is_found_by_its_host_header(campus: Campus) -> None:
    log = io.StringIO()
    with serving(campus, {}, log) as server:
        for source in campus.sources:
            status, _, body = get(server, source)
            assert (status, body[:20]) == (200, source.body(NIGHT)[:20])
    told = read(log.getvalue().splitlines())
    assert sorted(access.url for access in told) == sorted(source.url for source in campus.sources)
    assert all(access.ended >= access.started and access.status == 200 for access in told)


def test_a_compressing_server_weakens_its_etag_and_still_answers_304(campus: Campus) -> None:
    source = feed(campus, zipped=True)
    with serving(campus, {}) as server:
        status, headers, body = get(server, source, Accept_Encoding="gzip")
        assert (status, headers["Content-Encoding"]) == (200, "gzip")
        assert gzip.decompress(body).startswith(b"<?xml")
        assert headers["ETag"].startswith('W/"')
        status, headers, body = get(server, source, If_None_Match=headers["ETag"])
        assert (status, body, "Content-Length" in headers) == (304, b"", False)
        assert "Content-Encoding" not in get(server, source)[1]


def test_a_dead_and_a_resetting_server_break_the_line(campus: Campus) -> None:
    source = feed(campus, zipped=False)
    for mood in (Mood("dead", duration_s=0.0), Mood("reset", duration_s=0.0)):
        log = io.StringIO()
        with serving(campus, {source.url: mood}, log) as server, pytest.raises(ConnectionResetError) as raised:
            get(server, source)
        assert raised.type is ConnectionResetError, "a proper end is no reset"
        assert [access.status for access in read(log.getvalue().splitlines())] == [0]


def test_a_cut_off_body_ends_before_its_announced_end(campus: Campus) -> None:
    source = feed(campus, zipped=False)
    mood = Mood("cut_off", duration_s=0.0)
    with serving(campus, {source.url: mood}) as server, pytest.raises(http.client.IncompleteRead):
        get(server, source)


def test_a_bomb_goes_over_the_wire_packed(campus: Campus) -> None:
    source = feed(campus, zipped=False)
    with serving(campus, {source.url: Mood("bomb", duration_s=0.0)}) as server:
        status, headers, body = get(server, source)
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert len(body) < 200_000


def test_a_drip_never_ends_by_itself_and_ends_with_the_server(campus: Campus) -> None:
    source = feed(campus, zipped=False)
    host, path = source.url.partition("://")[2].split("/", 1)
    log = io.StringIO()
    with (
        serving(campus, {source.url: MOODS["drip"]}, log) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=5) as line,
    ):
        line.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert line.recv(4096).startswith(b"HTTP/1.1 200 ")
        assert line.recv(1) == b" "
        assert log.getvalue() == ""
        server.close()
        assert line.recv(100).strip(b" ") == b""
    assert [json.loads(row)["status"] for row in log.getvalue().splitlines()] == [200]


def test_a_foreign_host_gets_no_feed(campus: Campus) -> None:
    with serving(campus, {}) as server:
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        line.request("GET", "/rss", headers={"Host": "news.elsewhere.example"})
        assert line.getresponse().status == 502
        line.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_writes_the_registry_says_where_it_listens_and_ends_cleanly(
    tmp_path: Path, number: signal.Signals
) -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.sim.serve", "--seed", "3", "--outlets", "6", "--houses", "4"]
    command += ["--registry", str(tmp_path / "data"), "--at", "2026-12-01T00:00", "--access-log", str(tmp_path / "log")]
    campus = Campus(3, 6, houses=4)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.startswith("listening 127.0.0.1:")
        line = http.client.HTTPConnection("127.0.0.1", int(said.rpartition(":")[2]), timeout=15)
        line.request(
            "GET", "/robots.txt", headers={"Host": split(campus.sources[0].url)[0], "User-Agent": "견본".encode()}
        )
        assert line.getresponse().status in (200, 404)
        line.close()
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "")
    assert {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()} == campus.registry_files()
    [row] = [json.loads(row) for row in (tmp_path / "log").read_text("utf-8").splitlines()]
    assert set(row) >= {"server", "started", "ended", "status", "path", "user_agent"}
    assert (row["path"], row["server"]) == ("/robots.txt", split(campus.sources[0].url)[0])
    assert NIGHT <= row["started"] <= row["ended"] < NIGHT + 60
