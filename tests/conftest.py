"""Shared by all tests. The socket guard: no test may speak to anything but this machine itself."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests import wholesite

# The same examples on every machine and every run: a test's result depends on nothing but the code.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.load_profile("repeatable")


class OutsideWorld(BaseException):
    """A test tried to reach beyond loopback; not an Exception, so that no code under test can swallow it."""


def _is_loopback(address: object) -> bool:
    try:
        ip = ipaddress.ip_address(str(address))
    except ValueError:
        return False
    return ip.is_loopback


def _may_look_up(name: object) -> bool:
    """`localhost` and address literals ask no name server; None and "" mean this machine."""
    text = name.decode("ascii", "replace") if isinstance(name, bytes) else name
    if text in (None, "", "localhost"):
        return True
    try:
        ipaddress.ip_address(str(text))
    except ValueError:
        return False
    return True


def _guard(event: str, args: tuple[Any, ...]) -> None:
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        if not _may_look_up(args[0]):
            raise OutsideWorld(f"a test looked up the name {args[0]!r}")
    elif event == "socket.gethostbyaddr":
        if args[0] != "localhost" and not _is_loopback(args[0]):
            raise OutsideWorld(f"a test looked up the address {args[0]!r}")
    elif event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        target = args[1]
        if isinstance(target, tuple) and target[0] != "localhost" and not _is_loopback(target[0]):
            raise OutsideWorld(f"a test reached for {target[0]!r}")


def _asks_first(name: str) -> None:
    """A name given to a socket is looked up before the audit event is raised, so these are guarded by themselves."""
    real = getattr(socket.socket, name)

    def guarded(self: socket.socket, *args: Any) -> Any:
        if isinstance(args[-1], tuple) and not _may_look_up(args[-1][0]):
            raise OutsideWorld(f"a test reached for {args[-1][0]!r}")
        return real(self, *args)

    setattr(socket.socket, name, guarded)


for _name in ("connect", "connect_ex", "sendto"):
    _asks_first(_name)
# An audit hook sees every socket of the interpreter, C code's included, and cannot be undone by a test.
sys.addaudithook(_guard)


@pytest.fixture
def memory_path(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one: whole nights flush to disk thousands of times, and their subject is
    not the disk."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="campuspresshub-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def whole_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with every kind of page, plain and hostile."""
    return wholesite.build(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="session")
def whole_address(whole_site: Path) -> Iterator[str]:
    """Where that site is served."""
    with wholesite.served(whole_site) as address:
        yield address
