"""Host names and IP addresses: their one usual form, and which addresses the whole internet may be asked at. Pure."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import unquote_to_bytes

_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
_NEVER_PUBLIC = [
    ipaddress.ip_network(net)
    for net in (
        "192.0.0.0/24", "192.88.99.0/24", "224.0.0.0/4", "2001::/23", "2002::/16", "3fff::/20",
    )
]  # fmt: skip
"""What Python's own `is_global` lets through in one version or another (IANA's special-purpose registries)."""


def is_public(address: str) -> bool:
    """Whether an IP address is one the whole internet may be asked at (P51). False for names, zones and garbage.

    IPv6 counts only where it is given out (2000::/3) and carries no IPv4 address inside, which could be a private one.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if "%" in address or ip.is_private or not ip.is_global:
        return False
    if ip.version == 6 and ip not in _GIVEN_OUT:
        return False
    return not any(ip in net for net in _NEVER_PUBLIC if net.version == ip.version)


def canonical(raw: str) -> str:
    """A host, as written in an address, in its one form: an IP literal, or a lower-case ASCII name without a final dot.

    Korean names become punycode. Raises ValueError where nothing can be called so.
    """
    if raw.startswith("["):
        literal, percent, zone = raw[1:-1].partition("%")
        return f"{ipaddress.IPv6Address(literal)}{percent}{zone.lower()}"
    name = raw
    if "%" in name:
        sent = unquote_to_bytes(name)
        try:
            name = sent.decode("utf-8")
        except UnicodeDecodeError:
            name = sent.decode("cp949")
    if not name.isascii():
        name = name.encode("idna").decode("ascii")
    name = name.lower().removesuffix(".")
    if not _NAME.fullmatch(name):
        raise ValueError(f"not a host name: {raw[:200]!r}")
    return _ipv4(name) if _ends_in_number(name) else name


def is_literal(host: str) -> bool:
    """Whether a canonical host is an IP address."""
    return ":" in host or _ends_in_number(host)


def folded(host: str) -> str:
    """`www.` and `m.` in front dropped, as often as they stand there, while a name with a dot remains (P20)."""
    while host.startswith(("www.", "m.")) and "." in (rest := host.partition(".")[2]):
        host = rest
    return host


def _ends_in_number(name: str) -> bool:
    return _NUMBER.fullmatch(name.rpartition(".")[2]) is not None


def _ipv4(name: str) -> str:
    """The address behind a number-like host, as resolvers read it: decimal, octal, hex, fewer than four parts."""
    *heads, last = [_number(part) for part in name.split(".")]
    if len(heads) > 3 or any(head > 255 for head in heads) or last >= 256 ** (4 - len(heads)):
        raise ValueError(f"not an IPv4 address: {name[:200]!r}")
    return str(ipaddress.IPv4Address(last + sum(head << (24 - 8 * place) for place, head in enumerate(heads))))


def _number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if len(part) > 1 and part.startswith("0") else 10)
