"""The choices of an operator in hub.toml beyond who they are: [options], [bot] and the reviewed exceptions of [[tls]]."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, get_args

from crawl import cells, urls
from crawl.csvtable import did_you_mean
from crawl.errors import Problem
from crawl.hubplace import Place
from crawl.model import Options

LaneBy = Literal["address", "host"]
PicturesOf = Literal["photo", "all"]
TlsKind = Literal["missing_intermediate", "weak_dh", "legacy_renegotiation"]

CHOICES: dict[str, tuple[bool | str, ...]] = {
    "feeds_obey_named_group": (False, True),
    "robots_unreachable": ("wait", "allow"),
    "lane_by": get_args(LaneBy),
    "pictures": get_args(PicturesOf),
}
"""Every key of [options] with its values, the default first."""

BOT_KEYS = ("addresses",)
TLS_KEYS = ("server", "kind", "certificate", "reviewed", "reason")
TLS_KINDS = get_args(TlsKind)

_CERTIFICATE = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*\.(?:pem|crt)")


@dataclass(frozen=True, slots=True)
class TlsException:
    """What was reviewed for one old server; its certificate is verified all the same.

    `server`: its name as the request log writes it. `certificate`: path below the data folder of the intermediate that the
    server forgets to send, only for `missing_intermediate`. `reviewed`: a day YYYY-MM-DD.
    """

    server: str
    kind: TlsKind
    certificate: str
    reviewed: str
    reason: str


def robots_options(table: dict[str, Any]) -> Options:
    """P44 as [options] chooses it; the table was found faultless before."""
    chosen = {key: table.get(key, values[0]) for key, values in CHOICES.items()}
    return Options(bool(chosen["feeds_obey_named_group"]), chosen["robots_unreachable"] == "allow")


def options_faults(table: dict[str, Any], place: Place) -> Iterator[Problem]:
    """What is wrong in [options]."""
    for key, value in table.items():
        values = CHOICES.get(key)
        if values is None:
            cure = f"remove it{did_you_mean(key, CHOICES)}"
            yield place.problem("options", key, f'the key "{key}" is unknown in [options]', cure)
        elif type(value) is not type(values[0]) or value not in values:
            said = " or ".join(_written(each) for each in values)
            yield place.problem("options", key, f"{key} is {_written(value)}", f"write {key} = {said}")
    if table.get("robots_unreachable") == "allow" and table.get("feeds_obey_named_group") is not True:
        what = 'robots_unreachable = "allow" has no meaning while feeds are read without robots.txt (P44)'
        cure = 'write "wait", or let feeds obey robots.txt with feeds_obey_named_group = true'
        yield place.problem("options", "robots_unreachable", what, cure)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def bot_faults(table: dict[str, Any], place: Place) -> Iterator[Problem]:
    """What is wrong in [bot]: addresses are whole, public IP addresses or networks, each once (S34)."""
    for key in table:
        if key not in BOT_KEYS:
            cure = f"remove it{did_you_mean(key, BOT_KEYS)}"
            yield place.problem("bot", key, f'the key "{key}" is unknown in [bot]', cure)
    written = table.get("addresses", [])
    if not isinstance(written, list):
        cure = 'write addresses = ["…", "…"], or [] where there are none that last'
        yield place.problem("bot", "addresses", "addresses is no list", cure)
        return
    seen: set[str] = set()
    for value in written:
        fault = _network_fault(value)
        if fault is None and network(value) in seen:
            fault = ("stands there twice", "remove one of the two")
        if fault is None:
            seen.add(network(value))
        else:
            yield place.problem("bot", "addresses", f"the address {_written(value)} {fault[0]}", fault[1])


def network(written: str) -> str:
    """An address or network in its one spelling: `192.0.2.7`, `192.0.2.0/24`. ValueError: it is neither."""
    found = ipaddress.ip_network(written.strip())
    return str(found.network_address) if found.num_addresses == 1 else str(found)


def _network_fault(value: Any) -> tuple[str, str] | None:
    example = 'write an address such as "192.0.2.7" or a network such as "192.0.2.0/24" in double quotes'
    if not isinstance(value, str):
        return "is not text", example
    try:
        found = ipaddress.ip_network(value.strip())
    except ValueError:
        try:
            inside = ipaddress.ip_network(value.strip(), strict=False)
        except ValueError:
            return "is neither an IP address nor a network", example
        return "is an address inside a network", f'write the network "{inside}", or the address without its /number'
    ends = (found.network_address, found.broadcast_address)
    if "%" in value or not all(urls.is_public(str(end)) for end in ends):
        return "is not on the public internet", "write the addresses that servers see; leave out your own network's"
    return None


def tls_faults(entries: list[Any], place: Place) -> Iterator[Problem]:
    """What is wrong in the entries of [[tls]]; no key of theirs can turn verification off."""
    seen: set[tuple[str, str]] = set()
    for nth, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            yield place.problem(
                "", "tls", "an exception of tls is no table", "write [[tls]] and its keys below it", nth=nth
            )
            continue
        for key, what, cure in _tls_entry(entry):
            yield place.problem("tls", key, what, cure, nth=nth)
        twin = (str(entry.get("server")), str(entry.get("kind")))
        if twin in seen:
            what = f"{twin[0]} has its exception {twin[1]} already"
            yield place.problem("tls", "server", what, "remove one of the two", nth=nth)
        seen.add(twin)


def _tls_entry(entry: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Every fault of one exception as key, what, cure."""
    for key in entry:
        if key not in TLS_KEYS:
            cure = f"remove it{did_you_mean(key, TLS_KEYS)}; certificates are always verified"
            yield key, f'the key "{key}" is unknown in [[tls]]', cure
    wanted = ("server", "kind", "reviewed", "reason")
    for key in wanted:
        if key not in entry:
            yield key, f'the key "{key}" is missing in [[tls]]', f"write {key} = {_TLS_EXAMPLES[key]}"
    for key in TLS_KEYS:
        if key in entry and (fault := _tls_fault(key, entry[key])):
            yield key, f"{key} {fault}", f"write {key} = {_TLS_EXAMPLES[key]}"
    needs = entry.get("kind") == "missing_intermediate"
    if needs and "certificate" not in entry:
        cure = f"write certificate = {_TLS_EXAMPLES['certificate']}"
        yield "kind", "missing_intermediate needs the certificate that the server forgets to send", cure
    elif not needs and "certificate" in entry and entry.get("kind") in TLS_KINDS:
        yield "certificate", f"{entry['kind']} uses no certificate", "remove the line"


_TLS_EXAMPLES = {
    "server": '"press.example.ac.kr", the name without www., m. and port',
    "kind": " or ".join(f'"{kind}"' for kind in TLS_KINDS),
    "certificate": '"tls/name.pem", a path below the data folder that ends in .pem or .crt',
    "reviewed": '"2026-12-01", the day somebody looked',
    "reason": '"…", why it is needed and what was looked at',
}


def _tls_fault(key: str, value: Any) -> str | None:
    if key == "reviewed":
        return None if type(value) is date or (isinstance(value, str) and cells.is_day(value)) else "is not a day"
    if not isinstance(value, str):
        return "is not text"
    if key == "server":
        return (
            None
            if cells.is_host(value) and urls.server(f"https://{value}/") == value
            else f'"{value}" is no server name'
        )
    if key == "kind":
        return None if value in TLS_KINDS else f'"{value}" is unknown'
    if key == "certificate":
        return None if _CERTIFICATE.fullmatch(value) else f'"{value}" is no path below the data folder'
    return None if value.strip() and value.isprintable() else "does not say why in one line"


def tls_exception(entry: dict[str, Any]) -> TlsException:
    """One exception; the entry was found faultless before."""
    reviewed = entry["reviewed"]
    day = reviewed if isinstance(reviewed, str) else reviewed.isoformat()
    return TlsException(entry["server"], entry["kind"], entry.get("certificate", ""), day, entry["reason"].strip())
