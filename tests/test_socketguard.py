"""The guard of all tests guards: nothing but loopback, no name but localhost."""

from __future__ import annotations

import socket

import pytest

from tests.conftest import OutsideWorld


@pytest.mark.parametrize("address", ["192.0.2.1", "10.0.0.1", "0.0.0.0", "example.com"])
def test_no_test_can_connect_beyond_loopback(address: str) -> None:
    with socket.socket() as sock:
        sock.settimeout(0.1)
        with pytest.raises(OutsideWorld):
            sock.connect((address, 80))
        with pytest.raises(OutsideWorld):
            sock.connect_ex((address, 80))


def test_no_test_can_send_a_datagram_beyond_loopback() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        with pytest.raises(OutsideWorld):
            sock.sendto(b"x", ("192.0.2.1", 53))
        with pytest.raises(OutsideWorld):
            sock.sendto(b"x", 0, ("example.com", 53))
        with pytest.raises(OutsideWorld):
            sock.sendmsg([b"x"], [], 0, ("192.0.2.1", 53))
    with socket.socket(socket.AF_INET6) as sock, pytest.raises(OutsideWorld):
        sock.connect(("2001:db8::1", 80))


def test_no_test_can_look_up_a_name_but_localhost() -> None:
    for name in ("example.com", "example.com.", "news.example.ac.kr"):
        with pytest.raises(OutsideWorld):
            socket.getaddrinfo(name, 80)
    with pytest.raises(OutsideWorld):
        socket.gethostbyname("example.com")
    with pytest.raises(OutsideWorld):
        socket.gethostbyname_ex("example.com")
    with pytest.raises(OutsideWorld):
        socket.gethostbyaddr("192.0.2.1")
    assert socket.getaddrinfo("localhost", 80)
    assert socket.getaddrinfo("127.0.0.1", 80)
