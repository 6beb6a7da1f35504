"""P51: which addresses may be dialled, that the one checked is the one dialled, and whose certificate counts."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from crawl import dial
from crawl.connectto import ConnectTo
from crawl.dial import Line
from crawl.gate import Ticket
from crawl.model import Request, Response
from crawl.policy import Policy
from crawl.transport import Transport
from crawl.trouble import Trouble
from tests.loopback import NOON, SetClock, feed, serving, silent

PRIVATE = [
    "127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "255.255.255.255", "224.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "not an address",
]  # fmt: skip


def ticket(url: str = "http://news.example.ac.kr/rss") -> Ticket:
    request = Request(url, "feed", 1, "news")
    return Ticket(1, request, "news.example.ac.kr", "lane", NOON + Policy().request_max_s)


def send(resolve: Callable[[str, int], list[str]], url: str = "http://news.example.ac.kr/rss") -> Response:
    return Transport(SetClock(), Policy(), resolve=resolve).send(ticket(url))


class Dialled(BaseException):
    """Raised in place of a dial; not an Exception, so that nothing on the way takes it for a failed one."""


@pytest.fixture
def dials(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Records where a socket would go and refuses the connection there."""
    seen: list[tuple[str, int]] = []

    class Socket(socket.socket):
        def connect(self, address: tuple[str, int], /) -> None:  # type: ignore[override]
            seen.append(address)
            raise ConnectionRefusedError(111, "refused")

    monkeypatch.setattr(socket, "socket", Socket)
    return seen


@pytest.mark.parametrize("address", PRIVATE)
def test_P51_a_public_name_with_a_private_address_is_refused_without_a_dial(
    address: str, dials: list[tuple[str, int]]
) -> None:
    response = send(lambda host, port: [address])
    assert (response.status, response.error, response.address) == (0, "address_refused", "")
    assert response.detail == f"{address} is not a public address"
    assert dials == []


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://[::ffff:7f00:1]/"])
def test_P51_a_private_address_written_out_is_refused_too(url: str, dials: list[tuple[str, int]]) -> None:
    response = send(dial.look_up, url)
    assert (response.status, response.error, response.address) == (0, "address_refused", "")
    assert dials == []


def test_P51_the_real_socket_layer_is_never_reached_for_a_private_address() -> None:
    with serving(feed()) as here:
        response = send(lambda host, port: ["127.0.0.1"], f"http://news.example.ac.kr:{here.port}/")
    assert (response.error, here.dials) == ("address_refused", 0)


def test_P51_of_mixed_answers_only_the_public_addresses_are_dialled(dials: list[tuple[str, int]]) -> None:
    response = send(lambda host, port: ["10.0.0.1", "203.0.114.7", "::1"])
    assert dials == [("203.0.114.7", 80)]
    assert (response.error, response.address) == ("refused_connection", "203.0.114.7")


def test_P51_a_name_is_looked_up_once_and_that_very_address_is_dialled(dials: list[tuple[str, int]]) -> None:
    answers = iter([["203.0.114.7"], ["127.0.0.1"], ["10.0.0.1"]])
    asked: list[tuple[str, int]] = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return next(answers)

    send(rebinding, "https://news.example.ac.kr/")
    assert asked == [("news.example.ac.kr", 443)]
    assert dials == [("203.0.114.7", 443)]


def test_ipv4_is_dialled_first_each_address_once_and_few_of_them(dials: list[tuple[str, int]]) -> None:
    found = ["2001:4860::1", "203.0.114.1", "203.0.114.1", "2001:4860::2", "203.0.114.2", "203.0.114.3"]
    response = send(lambda host, port: found)
    assert [address for address, _ in dials] == ["203.0.114.1", "203.0.114.2", "203.0.114.3", "2001:4860::1"]
    assert response.address == "2001:4860::1"


def test_an_address_that_does_not_answer_keeps_the_next_ones_waiting_only_shortly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patience: list[float | None] = []

    class Deaf(socket.socket):
        def connect(self, address: tuple[str, int], /) -> None:  # type: ignore[override]
            patience.append(self.gettimeout())
            raise TimeoutError

    monkeypatch.setattr(socket, "socket", Deaf)
    response = send(lambda host, port: ["203.0.114.1", "203.0.114.2"])
    assert patience == [dial.ADDRESS_WAIT_S, Policy().request_max_s - dial.FINISH_S]
    assert (response.error, response.detail) == ("timeout", "no address answered the dial")


def test_the_second_address_answers_where_the_first_refuses() -> None:
    with serving(feed(b"second")) as here:
        line_to = ConnectTo((f"::localhost:{here.port}",))
        transport = Transport(
            SetClock(), Policy(), connect_to=line_to, resolve=lambda host, port: ["127.0.0.2", "127.0.0.1"]
        )
        response = transport.send(ticket())
    assert (response.body, response.address) == (b"second", "127.0.0.1")


def no_such_name(host: str, port: int) -> list[str]:
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def too_long_a_label(host: str, port: int) -> list[str]:
    raise UnicodeError("label too long")


@pytest.mark.parametrize("resolve", [no_such_name, too_long_a_label, lambda host, port: []])
def test_a_name_without_an_address_is_a_named_result(resolve: Callable[[str, int], list[str]]) -> None:
    response = send(resolve)
    assert (response.status, response.error, response.detail) == (0, "dns", "the name has no address")


def test_only_what_connect_to_names_is_led_to_loopback(dials: list[tuple[str, int]]) -> None:
    transport = Transport(
        SetClock(), Policy(), connect_to=ConnectTo(("other.example::127.0.0.1:1",)), resolve=lambda h, p: ["127.0.0.1"]
    )
    response = transport.send(ticket())
    assert (response.error, response.replayed, dials) == ("address_refused", False, [])


def test_connect_to_moves_the_socket_and_keeps_the_registered_host_header() -> None:
    with serving(feed()) as here:
        to = ConnectTo((f"news.example.ac.kr:8080:[::ffff:127.0.0.1]:{here.port}", f"::127.0.0.1:{here.port}"))
        transport = Transport(SetClock(), Policy(), connect_to=to)
        response = transport.send(ticket("http://news.example.ac.kr/rss"))
    assert (response.replayed, response.address) == (True, "127.0.0.1")
    assert b"\r\nHost: news.example.ac.kr\r\n" in here.heads[0]


# --- the line itself


def line(connect_to: ConnectTo, clock: SetClock | None = None) -> Line:
    return Line(clock or SetClock(), NOON + 30, dial.look_up, connect_to)


def is_dialling(one: Line) -> bool:
    """Whether the kernel has sent the first packet and waits for the answer (state SYN_SENT of tcp(7))."""
    handle = one._handle
    return handle is not None and handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 2


def test_P23_a_cut_wakes_a_dial_that_nobody_answers() -> None:
    with socket.socket() as listener, ExitStack() as stack:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        for _ in range(4):  # fill the queue of the listener, so that the next dial hangs
            full = stack.enter_context(socket.socket())
            full.setblocking(False)
            full.connect_ex(("127.0.0.1", port))
        one = line(ConnectTo((f"::127.0.0.1:{port}",)))
        failed: list[BaseException] = []

        def go() -> None:
            try:
                one.open("news.example.ac.kr", 80)
            except (Trouble, TimeoutError) as trouble:
                failed.append(trouble)

        thread = threading.Thread(target=go)
        thread.start()
        while not is_dialling(one):
            pass
        one.cut()
        thread.join(4)
        assert not thread.is_alive()
        thread.join()
        one.close()
    assert isinstance(failed[0], TimeoutError)
    assert one.is_cut


def test_P23_a_cut_line_does_not_dial() -> None:
    with serving(silent) as here:
        one = line(ConnectTo(here.to_here()))
        one.cut()
        with pytest.raises(TimeoutError):
            one.open("news.example.ac.kr", 80)
        one.close()
    assert (here.dials, one.address) == (0, "")
