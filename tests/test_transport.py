"""The transport against small real servers on loopback: what it says, what it bears, where it stops."""

from __future__ import annotations

import dataclasses
import gzip
import socket
import struct
import threading
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawl.clock import SystemClock
from crawl.connectto import ConnectTo
from crawl.errors import Misuse
from crawl.gate import Ticket
from crawl.model import Purpose, Request, Response
from crawl.policy import Policy
from crawl.transport import Transport
from tests.loopback import NOON, SetClock, Talk, answering, feed, serving, silent

URL = "http://news.example.ac.kr/rss/allArticle.xml"
CAP = 1_000
SMALL = dataclasses.replace(Policy(), feed_max_bytes=CAP)
TIME_S = Policy().request_max_s


def ticket(url: str = URL, *, deadline: float = NOON + TIME_S, id: int = 1, **fields: Any) -> Ticket:
    return Ticket(id, Request(url, "feed", 7, "news", **fields), "news.example.ac.kr", "lane", deadline)


def ask(
    talk: Talk, *, policy: Policy = SMALL, url: str = URL, clock: SetClock | None = None, **fields: Any
) -> Response:
    with serving(talk) as here:
        transport = Transport(clock or SetClock(), policy, connect_to=ConnectTo(here.to_here()))
        return transport.send(ticket(url, **fields))


def heads(url: str = URL, contact_url: str = "", **fields: Any) -> list[str]:
    with serving(feed()) as here:
        transport = Transport(SetClock(), Policy(), contact_url=contact_url, connect_to=ConnectTo(here.to_here()))
        transport.send(ticket(url, **fields))
    (head,) = here.heads
    return head.decode("latin-1").split("\r\n")[:-2]


# --- what a request says


def test_P01_a_request_says_who_we_are_and_nothing_of_a_browser() -> None:
    assert heads() == [
        "GET /rss/allArticle.xml HTTP/1.1",
        "Host: news.example.ac.kr",
        "User-Agent: CampusPressHub/1.0",
        "Accept: application/rss+xml, application/atom+xml, application/feed+json, "
        "application/rdf+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.1",
        "Accept-Encoding: gzip, deflate",
        "Connection: close",
    ]


def test_P01_the_contact_address_follows_the_name_and_both_are_read_back_from_what_was_sent() -> None:
    with serving(feed()) as here:
        to = ConnectTo(here.to_here())
        response = Transport(SetClock(), Policy(), contact_url="https://hub.example/bot", connect_to=to).send(ticket())
    assert response.agent == "CampusPressHub/1.0 (+https://hub.example/bot)"
    assert f"User-Agent: {response.agent}\r\n".encode() in here.heads[0]
    assert response.referer == ""


@pytest.mark.parametrize("contact_url", ["https://hub.example/\r\nCookie: a=1", "https://허브.example/"])
def test_a_contact_address_that_cannot_stand_in_a_header_is_a_misuse(contact_url: str) -> None:
    with pytest.raises(Misuse, match="contact address"):
        Transport(SetClock(), Policy(), contact_url=contact_url)


@pytest.mark.parametrize("etag", ['"abc"', 'W/"abc"', "RSS-f3fd", '"x--gzip"', '"caf\xe9"', '"a  b"'])
def test_H1_H5_validators_go_out_byte_for_byte_as_the_server_gave_them(etag: str) -> None:
    sent = heads(etag=etag, last_modified="Thu, 5 Mar 2026 14:30:00 KST")
    assert f"If-None-Match: {etag}" in sent
    assert "If-Modified-Since: Thu, 5 Mar 2026 14:30:00 KST" in sent


@pytest.mark.parametrize("value", ['"a"\r\nCookie: x=1', '"a"\nX: 1', '"a\x00"', '"가"', ""])
def test_a_stored_validator_that_would_break_the_request_is_refused_before_any_dial(value: str) -> None:
    with serving(feed()) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        response = transport.send(ticket(etag=value))
    assert (response.status, response.error) == (0, "protocol")
    assert response.detail == "the stored If-None-Match cannot stand in a header"
    assert (here.dials, response.address, response.agent) == (0, "", "CampusPressHub/1.0")


def test_P01_no_cookie_comes_back_to_the_server_that_set_it() -> None:
    with serving(feed(b"x", "Set-Cookie: session=1; Path=/")) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        transport.send(ticket(id=1))
        transport.send(ticket(id=2))
    assert len(here.heads) == 2
    assert b"cookie" not in here.heads[1].lower()


def test_proxies_and_credentials_of_the_environment_are_ignored(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine news.example.ac.kr login somebody password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))
    with serving(feed()) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        sent = heads()
    assert proxy.dials == 0
    assert not [line for line in sent if line.lower().startswith(("authorization", "proxy"))]


def test_credentials_in_an_address_are_not_sent() -> None:
    with serving(feed()) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        transport.send(ticket("http://user:secret@news.example.ac.kr/rss"))
    assert not [head for head in here.heads if b"authorization" in head.lower() or b"secret" in head]


def test_P20_no_connection_is_kept_for_a_later_request_even_where_the_server_offers_it() -> None:
    gone = threading.Event()

    def keeping(conn: socket.socket) -> None:
        feed(b"x", "Connection: keep-alive", "Keep-Alive: timeout=60, max=100")(conn)
        conn.settimeout(10)
        if not conn.recv(1):
            gone.set()

    with serving(keeping) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        transport.send(ticket(id=1))
        assert gone.wait(10), "the client hung up with the answer"
        transport.send(ticket(id=2))
    assert (here.dials, len(here.heads)) == (2, 2)


def test_an_address_nobody_can_request_is_a_value_not_an_exception() -> None:
    transport = Transport(SetClock(), Policy())
    for url in ("http://", "http://[::1/rss", "news.example.ac.kr/rss", "http://a.example:99999/"):
        response = transport.send(ticket(url))
        assert (response.status, response.error, response.address) == (0, "protocol", ""), url
        assert response.agent == "CampusPressHub/1.0"


def test_P50_a_redirect_is_handed_back_and_not_followed() -> None:
    with serving(answering("HTTP/1.1 301 Moved\nLocation: http://other.example/a\nContent-Length: 0")) as here:
        response = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here())).send(ticket())
    assert (response.status, response.error, response.header("location")) == (301, None, "http://other.example/a")
    assert len(here.heads) == 1


def test_the_address_goes_on_the_wire_as_it_was_judged() -> None:
    url = "http://news.example.ac.kr/%B1%E2%BB%E7/~a/%7Eb?no=1&b=%ea%b0%80#part"
    assert heads(url)[0] == "GET /%B1%E2%BB%E7/~a/%7Eb?no=1&b=%EA%B0%80 HTTP/1.1"
    assert heads("http://news.example.ac.kr:8080//rss?")[:2] == ["GET //rss HTTP/1.1", "Host: news.example.ac.kr:8080"]
    assert heads("http://신문.example/기사")[:2] == ["GET /%EA%B8%B0%EC%82%AC HTTP/1.1", "Host: xn--z92b13l.example"]


def test_a_ticket_is_spent_once() -> None:
    with serving(feed()) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        one = ticket()
        transport.send(one)
        with pytest.raises(RuntimeError, match="spent"):
            transport.send(one)
    assert here.dials == 1


# --- what an answer becomes


def test_P70_an_answer_carries_times_address_and_whether_it_was_a_replay() -> None:
    clock = SetClock()

    def talk(conn: socket.socket) -> None:
        clock.at += 2.5
        feed(b"<rss/>")(conn)

    response = ask(talk, clock=clock)
    assert (response.started, response.ended) == (NOON, NOON + 2.5)
    assert (response.url, response.status, response.body, response.body_bytes) == (URL, 200, b"<rss/>", 6)
    assert (response.address, response.replayed, response.error, response.detail) == ("127.0.0.1", True, None, "")


def test_headers_keep_order_repeats_and_their_latin1_bytes() -> None:
    response = ask(
        answering(
            'HTTP/1.1 200 OK\nX-One: 1\nSet-Cookie: a=1\nETag:  W/"\xea\xb0\x80" \t\nSet-Cookie: b=2\n'
            "X-Folded: one\n  two\nLocation: /\xec\x82\xac\nX-Empty:\nContent-Length: 0"
        )
    )
    assert response.headers == (
        ("X-One", "1"),
        ("Set-Cookie", "a=1"),
        ("ETag", 'W/"\xea\xb0\x80"'),
        ("Set-Cookie", "b=2"),
        ("X-Folded", "one two"),
        ("Location", "/\xec\x82\xac"),
        ("X-Empty", ""),
        ("Content-Length", "0"),
    )
    assert response.header("location") == "/사".encode().decode("latin-1")


@pytest.mark.parametrize(
    ("status", "lines"),
    [
        (304, "Content-Length: 500"),
        (304, "Transfer-Encoding: chunked"),
        (304, "Content-Encoding: gzip"),
        (304, "Content-Length: 99999999"),
        (204, "Content-Length: 5"),
        (204, "Transfer-Encoding: chunked"),
    ],
)
def test_an_answer_without_a_body_is_whole_whatever_its_headers_announce(status: int, lines: str) -> None:
    response = ask(answering(f'HTTP/1.1 {status} X\nETag: "a"\n{lines}'))
    assert (response.status, response.error, response.body, response.header("etag")) == (status, None, b"", '"a"')


def test_interim_answers_are_passed_over() -> None:
    interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
    response = ask(
        lambda conn: conn.sendall(
            b"HTTP/1.1 100 Continue\r\n\r\n" + interim + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        )
    )
    assert (response.status, response.body, response.error) == (200, b"ok", None)
    assert response.headers == (("Content-Length", "2"),)


def test_a_switch_of_protocol_nobody_asked_for_is_a_protocol_error() -> None:
    response = ask(answering("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket"))
    assert (response.status, response.error) == (101, "protocol")


def test_an_old_server_without_length_ends_its_body_by_closing() -> None:
    assert ask(answering("HTTP/1.0 200 OK\nContent-Type: text/xml", b"<rss/>")).body == b"<rss/>"


def test_chunks_are_joined_and_trailers_are_no_body() -> None:
    body = b"3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nX-Sum: 1\r\n\r\n"
    response = ask(answering("HTTP/1.1 200 OK\nTransfer-Encoding: chunked", body))
    assert (response.body, response.error) == (b"abcdefg", None)
    assert response.header("x-sum") is None


def test_the_body_of_an_error_answer_is_read_too() -> None:
    response = ask(answering("HTTP/1.1 429 Slow\nRetry-After: 600\nContent-Length: 4", b"slow"))
    assert (response.status, response.error, response.body) == (429, None, b"slow")
    assert response.header("Retry-After") == "600"


# --- P23: size


def test_P23_a_body_that_fills_the_cap_exactly_is_whole() -> None:
    response = ask(feed(b"a" * CAP))
    assert (response.error, response.body_bytes) == (None, CAP)


def test_P23_a_body_announced_larger_than_the_cap_is_not_read() -> None:
    response = ask(feed(b"a" * (CAP + 1)))
    assert (response.status, response.error, response.body, response.body_bytes) == (200, "too_large", b"", 0)


def test_P23_an_endless_body_is_left_at_the_cap_and_not_downloaded() -> None:
    broken_off = threading.Event()

    def talk(conn: socket.socket) -> None:
        conn.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                conn.sendall(b"a" * 65_536)
        except OSError:
            broken_off.set()

    response = ask(talk)
    assert (response.status, response.error, response.body_bytes) == (200, "too_large", CAP)
    assert response.body == b"a" * CAP
    assert broken_off.is_set()


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(bytes(CAP + 1))),
        ("deflate", zlib.compress(bytes(CAP + 1))),
        ("gzip, gzip", gzip.compress(gzip.compress(bytes(50 * 1024 * 1024)))),
        ("gzip", gzip.compress(bytes(50 * 1024 * 1024))[:900]),
    ],
)
def test_P23_a_bomb_stops_at_the_cap_counted_in_decoded_bytes(encoding: str, body: bytes) -> None:
    response = ask(feed(body[:CAP], f"Content-Encoding: {encoding}"))
    assert (response.status, response.error, response.body_bytes) == (200, "too_large", CAP)
    assert response.body == bytes(CAP)


def test_P23_the_promised_cap_is_the_one_in_force() -> None:
    eight_mib = Policy().feed_max_bytes
    bomb = gzip.compress(bytes(eight_mib + 1))
    response = ask(feed(bomb, "Content-Encoding: gzip"), policy=Policy())
    assert (response.error, response.body_bytes, len(response.body)) == ("too_large", eight_mib, eight_mib)


@pytest.mark.parametrize("purpose", ["date", "photo"])
@pytest.mark.parametrize(
    ("lines", "body"),
    [
        ((), bytes(50_000)),
        (("Content-Encoding: gzip",), gzip.compress(bytes(50_000))),
        (("Content-Encoding: gzip, gzip",), gzip.compress(gzip.compress(bytes(50_000_000)))),
    ],
)
def test_P23_of_an_article_page_the_beginning_is_read_and_a_longer_one_is_no_error(
    purpose: Purpose, lines: tuple[str, ...], body: bytes
) -> None:
    policy = dataclasses.replace(SMALL, page_max_bytes=700)
    with serving(feed(body, *lines)) as here:
        transport = Transport(SetClock(), policy, connect_to=ConnectTo(here.to_here()))
        page = Ticket(1, Request(URL, purpose, 7, "news"), "news.example.ac.kr", "lane", NOON + TIME_S)
        response = transport.send(page)
    assert (response.status, response.error, response.body_bytes) == (200, None, 700)
    assert response.body == bytes(700)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(b"<rss/>")),
        ("X-GZIP", gzip.compress(b"<rss/>")),
        ("deflate", zlib.compress(b"<rss/>")),
        ("deflate", zlib.compress(b"<rss/>")[2:-4]),
        ("gzip, deflate", zlib.compress(gzip.compress(b"<rss/>"))),
        ("identity", b"<rss/>"),
        ("UTF-8", b"<rss/>"),
        ("", b"<rss/>"),
    ],
)
def test_every_encoding_we_ask_for_is_undone(encoding: str, body: bytes) -> None:
    response = ask(feed(body, f"Content-Encoding: {encoding}"))
    assert (response.error, response.body, response.body_bytes) == (None, b"<rss/>", 6)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_H17_a_body_that_is_not_what_its_label_says_is_a_named_error(encoding: str) -> None:
    response = ask(feed(b"<rss version='2.0'/>", f"Content-Encoding: {encoding}"))
    assert (response.status, response.error, response.body) == (200, "bad_encoding", b"")


# --- P23: time, on a clock that jumps

READ = bytes(1_000_000)
"""More than sockets hold where the sender's buffer is small: once it is sent, the body is being read."""


def dripping(clock: SetClock, sent: bytes) -> Callable[[socket.socket], None]:
    """Send this, then one byte after the other with time passing in between, until the client has had enough."""

    def talk(conn: socket.socket) -> None:
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        conn.sendall(sent)
        while True:
            clock.at += 0.01
            conn.sendall(b"X")

    return talk


@pytest.mark.parametrize(
    ("sent", "status", "detail"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n" + READ, 200, "the body did not end in time"),
        (b"HTTP/1.1 200 OK\r\nX-", 0, "no answer in time"),
        (b"HTT", 0, "no answer in time"),
    ],
)
def test_P23_a_drip_ends_by_the_deadline_in_the_head_as_in_the_body(sent: bytes, status: int, detail: str) -> None:
    clock = SetClock()
    policy = Policy()
    response = ask(dripping(clock, sent), policy=policy, clock=clock)
    assert (response.status, response.error, response.detail) == (status, "timeout", detail)


def test_P23_an_answer_just_inside_the_deadline_is_an_answer() -> None:
    clock = SetClock()

    def talk(conn: socket.socket) -> None:
        clock.at += TIME_S - 1
        feed(b"late")(conn)

    assert ask(talk, clock=clock).body == b"late"


def test_P23_a_ticket_whose_time_is_over_is_not_sent() -> None:
    with serving(feed()) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        response = transport.send(ticket(deadline=NOON))
    assert (response.status, response.error, here.dials) == (0, "timeout", 0)


def test_P23_a_silent_server_is_left_after_the_seconds_that_were_left() -> None:
    clock = SystemClock()
    with serving(silent) as here:
        transport = Transport(clock, Policy(), connect_to=ConnectTo(here.to_here()))
        response = transport.send(ticket(deadline=clock.now() + 0.7))
    assert (response.status, response.error) == (0, "timeout")
    assert response.ended - response.started <= 0.7


def in_thread(transport: Transport, one: Ticket) -> tuple[threading.Thread, list[Response]]:
    got: list[Response] = []
    thread = threading.Thread(target=lambda: got.append(transport.send(one)))
    thread.start()
    return thread, got


@pytest.mark.parametrize(
    ("url", "sent", "status"),
    [
        (URL, b"", 0),
        (URL, b"HTTP/1.1 200 OK\r\nX-", 0),
        (URL, b"HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n" + READ, 200),
        ("https://news.example.ac.kr/rss", b"", 0),
    ],
)
def test_P23_a_cut_from_another_thread_wakes_a_waiting_request(url: str, sent: bytes, status: int) -> None:
    begun = threading.Event()

    def talk(conn: socket.socket) -> None:
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        conn.sendall(sent)
        begun.set()
        conn.settimeout(10)
        while conn.recv(4096):  # the client's TLS greeting, then its end
            pass

    one = ticket(url)
    with serving(talk, reads_head=url == URL) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        thread, got = in_thread(transport, one)
        assert begun.wait(10)
        transport.cut(one)
        thread.join(10)
    assert (got[0].status, got[0].error) == (status, "timeout")


def test_P23_a_cut_before_the_request_began_keeps_it_from_dialling() -> None:
    one = ticket()
    with serving(feed()) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        transport.cut(one)
        response = transport.send(one)
        again = transport.send(ticket())
    assert (response.error, response.address, here.dials) == ("timeout", "", 1)
    assert again.status == 200


# --- named troubles


def test_a_server_that_resets_is_a_named_result() -> None:
    def talk(conn: socket.socket) -> None:
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        conn.close()

    response = ask(talk)
    assert (response.status, response.error, response.detail) == (0, "reset", "the connection was broken off")


def test_a_server_that_closes_without_a_word_is_a_reset() -> None:
    response = ask(lambda conn: None)
    assert (response.status, response.error, response.detail) == (0, "reset", "closed without an answer")


def test_a_reset_inside_the_body_keeps_the_status() -> None:
    def talk(conn: socket.socket) -> None:
        conn.sendall(b"HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 9\r\n\r\n")
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    response = ask(talk)
    assert response.status == 503
    assert response.error in ("reset", "cut_off")
    assert response.header("retry-after") == "60"


def test_a_port_where_nobody_listens_is_a_named_result() -> None:
    with serving(feed()) as here:
        pass
    transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
    response = transport.send(ticket())
    assert (response.status, response.error, response.address) == (0, "refused_connection", "127.0.0.1")


@pytest.mark.parametrize(
    ("lines", "body", "kept"),
    [
        ("Content-Length: 9", b"abc", b"abc"),
        ("Transfer-Encoding: chunked", b"3\r\nabc\r\n", b"abc"),
        ("Transfer-Encoding: chunked", b"3\r\nabc\r\n9\r\nab", b"abcab"),
        ("Transfer-Encoding: chunked", b"3\r\nabc\r\nzz\r\n", b"abc"),
        ("Transfer-Encoding: chunked", b"3\r\nabc\r\n" + b"1" * 70_000, b"abc"),
        ("Content-Encoding: gzip", gzip.compress(b"abc")[:-8], b"abc"),
        ("Content-Encoding: deflate", zlib.compress(b"abc")[:-4], b"abc"),
    ],
)
def test_a_body_cut_off_is_a_named_result_with_what_had_come(lines: str, body: bytes, kept: bytes) -> None:
    response = ask(answering(f"HTTP/1.1 200 OK\n{lines}", body))
    assert (response.status, response.error) == (200, "cut_off")
    assert (response.body, response.body_bytes) == (kept, len(kept))


@pytest.mark.parametrize(
    ("head", "error"),
    [
        ("HTTP/1.1 200 OK\n" + "\n".join(f"X-{n}: {n}" for n in range(200)), "header_flood"),
        ("HTTP/1.1 200 OK\nX: " + "a" * 70_000, "header_flood"),
        ("HTTP/1.1 200 " + "a" * 70_000, "header_flood"),
        ("SSH-2.0-OpenSSH_9.2", "protocol"),
        ("HTTP/1.1 abc", "protocol"),
        ("HTTP/9 200 OK", "protocol"),
        ("<rss/>", "protocol"),
    ],
)
def test_what_is_no_head_of_an_answer_is_a_named_result(head: str, error: str) -> None:
    response = ask(answering(head))
    assert (response.status, response.error) == (0, error)


@pytest.mark.parametrize("line", ["Transfer-Encoding: gzip, chunked", "Content-Length: 3\nContent-Length: 4"])
def test_a_framing_that_cannot_be_trusted_is_a_protocol_error(line: str) -> None:
    assert ask(answering(f"HTTP/1.1 200 OK\n{line}", b"abc")).error == "protocol"


def test_a_bug_is_not_a_result_but_stops_loudly() -> None:
    def broken(host: str, port: int) -> list[str]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Transport(SetClock(), Policy(), resolve=broken).send(ticket())


FRAGMENTS = [
    b"HTTP/1.1 200 OK\r\n", b"HTTP/1.0 404 \r\n", b"HTTP/1.1 103 X\r\n\r\n", b"HTTP/1.1 304 X\r\n",
    b"\r\n", b"\n", b"\r", b": \r\n", b" folded\r\n", b"X\x00: \xff\r\n",
    b"Content-Length: 3\r\n", b"Content-Length: -1\r\n", b"Content-Length: x\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n", b"3\r\nabc\r\n", b"-1\r\n", b"0\r\n\r\n",
    gzip.compress(b"abc"), b"\x1f\x8b", b"\xea\xb0\x80",
    b"Set-Cookie: a=b; expires=Thu, 99-Foo-9999 99:99:99 GMT; max-age=x\r\n",
]  # fmt: skip


def test_whatever_bytes_a_server_sends_the_result_is_a_value() -> None:
    payload = b""
    with serving(lambda conn: conn.sendall(payload)) as here:
        transport = Transport(SetClock(), SMALL, connect_to=ConnectTo(here.to_here()))

        @settings(max_examples=200, deadline=None)
        @given(st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=9), max_size=9).map(b"".join))
        def any_bytes(drawn: bytes) -> None:
            nonlocal payload
            payload = drawn
            response = transport.send(ticket())
            assert response.status or response.error
            assert response.error in (None, "reset", "protocol", "cut_off", "bad_encoding", "header_flood")
            assert response.body_bytes == len(response.body) <= CAP

        any_bytes()


def test_no_detail_names_a_path_or_an_object_of_this_machine() -> None:
    def talk(conn: socket.socket) -> None:
        conn.sendall(b"\x00\x01junk\r\n\r\n")

    for response in (ask(talk), ask(lambda conn: None), ask(feed(b"x" * 5000))):
        assert response.detail
        assert "/" not in response.detail
        assert "0x" not in response.detail
        assert "<" not in response.detail


def test_requests_on_many_threads_share_a_transport_without_mixing() -> None:
    def echo(conn: socket.socket) -> None:
        head = conn.recv(65_536)
        feed(head.split(b" ")[1])(conn)

    with serving(echo, reads_head=False) as here:
        transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()))
        pairs = [in_thread(transport, ticket(f"http://h{n}.example/{n}", id=n)) for n in range(12)]
        for thread, _ in pairs:
            thread.join(10)
    assert [got[0].body.decode() for _, got in pairs] == [f"/{n}" for n in range(12)]
