"""Where the socket goes instead of the registered address: replays on loopback, where alone P51 is lifted."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass

from crawl.errors import Misuse

PORT_MAX = 65_535
_FIELDS = ("the name to match", "the port to match", "the name to dial", "the port to dial")
_FIELD = re.compile(r"\[[^\]]*\]|[^:\[\]]*")
_NAME = re.compile(r"[^\s/@?#%\[\]:]+")


@dataclass(frozen=True, slots=True)
class Detour:
    """One mapping; an empty name or a port of None matches everything, or keeps what was asked for."""

    name: str
    port: int | None
    to_name: str
    to_port: int | None

    def matches(self, host: str, port: int) -> bool:
        """Whether a request for `host`:`port` takes this detour."""
        try:
            named = self.name in ("", _folded(host))
        except ValueError:
            return False
        return named and self.port in (None, port)


@dataclass(frozen=True, slots=True, init=False)
class ConnectTo:
    """All mappings of one run; the first that matches wins."""

    detours: tuple[Detour, ...]

    def __init__(self, texts: Sequence[str] = ()) -> None:
        """`texts`: curl's `NAME1:PORT1:NAME2:PORT2`, IPv6 in brackets. Raises Misuse naming what is wrong."""
        object.__setattr__(self, "detours", tuple(_detour(text) for text in texts))

    def target(self, host: str, port: int) -> tuple[str, int] | None:
        """Name (or address) and port to dial for `host`:`port`; None where nothing maps it."""
        for detour in self.detours:
            if detour.matches(host, port):
                return detour.to_name or host, port if detour.to_port is None else detour.to_port
        return None

    @property
    def catches_all(self) -> bool:
        """Whether every host and port is led elsewhere, so that nothing can reach the real web."""
        return any(not detour.name and detour.port is None and detour.to_name for detour in self.detours)

    @property
    def only_loopback(self) -> bool:
        """Whether there are mappings and each of them leads to this machine itself."""
        return bool(self.detours) and all(_is_loopback(detour.to_name) for detour in self.detours)


def _detour(text: str) -> Detour:
    fields = _fields(text)
    name, to_name = (_name(text, fields, at) for at in (0, 2))
    port, to_port = (_port(text, fields, at) for at in (1, 3))
    return Detour(name, port, to_name, to_port)


def _fields(text: str) -> list[str]:
    fields, at = [], 0
    while True:
        found = _FIELD.match(text, at)
        end = found.end() if found else at
        if end < len(text) and text[end] != ":":
            raise _misuse(text, f"{text[end]!r} at position {end + 1} is out of place")
        fields.append(text[at:end])
        if end == len(text):
            break
        at = end + 1
    if len(fields) != len(_FIELDS):
        raise _misuse(text, f"{len(fields)} fields between colons instead of {len(_FIELDS)} (IPv6 goes in brackets)")
    return fields


def _name(text: str, fields: list[str], at: int) -> str:
    name = fields[at]
    if name.startswith("["):
        try:
            return str(ipaddress.IPv6Address(name[1:-1]))
        except ValueError:
            raise _misuse(text, f"{_FIELDS[at]}, {name!r}, is not an IPv6 address") from None
    if name and not _NAME.fullmatch(name):
        raise _misuse(text, f"{_FIELDS[at]}, {name!r}, is not a host name")
    try:
        return _folded(name)
    except UnicodeError:
        raise _misuse(text, f"{_FIELDS[at]}, {name!r}, is not a host name") from None


def _port(text: str, fields: list[str], at: int) -> int | None:
    port = fields[at]
    if not port:
        return None
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 0 < int(port) <= PORT_MAX:
        raise _misuse(text, f"{_FIELDS[at]}, {port!r}, is not a number from 1 to {PORT_MAX}")
    return int(port)


def _folded(host: str) -> str:
    """The one spelling two host names are compared in; a Korean name in the form it has on the wire."""
    host = host.strip("[]").rstrip(".").lower()
    if ":" in host:
        return str(ipaddress.IPv6Address(host))
    return host if host.isascii() else host.encode("idna").decode("ascii")


def _is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _misuse(text: str, what: str) -> Misuse:
    return Misuse(f"--connect-to {text!r}: {what}; write NAME1:PORT1:NAME2:PORT2, an empty field matches or keeps all")
