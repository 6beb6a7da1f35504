"""Who is left out (P60): the rows of exclusions.csv, and whether an address or an outlet is covered by one.

What a `key` is, by scope: `outlet` the outlet's slug · `url` one article's or page's address, or for a
private request the 16 hex digits of its database key · `prefix` an address: it and everything below it, by
whole path segments · `host` a host name: exactly that server (`www.` and `m.` folded, any port) and every
host below it · `byline` an outlet's slug, a colon and 16 hex digits (`byline_key`): what that outlet
publishes under that byline.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, get_args

from crawl import cells, urls
from crawl.cells import Cells, Findings
from crawl.csvtable import Row, Table
from crawl.registryrows import CMS, Placed

EXCLUSION_COLUMNS = ("key", "scope", "reason", "requested", "since")
Scope = Literal["outlet", "url", "prefix", "host", "byline"]

GRAVES = "left-out.invalid"
"""A host that can never exist (RFC 2606)."""

_HEX_KEY = re.compile(r"[0-9a-f]{16}")
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]*[a-z0-9])(?=[/?#]|$)", re.IGNORECASE)
_WIDE_LABELS = frozenset({"ac", "co", "go", "hs", "kg", "ms", "ne", "or", "pe", "re", "sc", "es"})


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One wish to be left out. `requested`: the day it was asked, None where the maintainers decided it
    themselves; `since`: the Korean day from which it binds. `reason` is a short code and names no person."""

    key: str
    scope: Scope
    reason: str
    requested: date | None
    since: date


class Exclusions:
    """All rows, ready to be asked; they bind by normal forms, so every http/https/www/m/slash twin is
    covered."""

    def __init__(self, rows: Iterable[Exclusion] = ()) -> None:
        self.rows = tuple(rows)
        self._outlets = {row.key: row for row in self.rows if row.scope == "outlet"}
        self._bylines = {row.key: row for row in self.rows if row.scope == "byline"}
        self._hosts = {urls.server(f"https://{row.key}/"): row for row in self.rows if row.scope == "host"}
        self._prefixes = [(urls.normal(row.key), row) for row in self.rows if row.scope == "prefix"]
        self._addresses = [row for row in self.rows if row.scope == "url" and not _HEX_KEY.fullmatch(row.key)]
        self._private = {bytes.fromhex(row.key): row for row in self.rows if row.scope == "url"
                         and _HEX_KEY.fullmatch(row.key)}  # fmt: skip
        self._keys: dict[str, dict[bytes, tuple[Exclusion, ...]]] = {}
        self._named = {_place(row.key) for row in self._addresses} | {
            _place(row.key) for row in self.rows if row.scope == "prefix"
        }
        self._near: dict[str, bool] = {}

    def covers(self, url: str, outlet: str, *, cms: str = "") -> Exclusion | None:
        """The row that forbids this address of this outlet (slug), or None.

        `cms`: the source's system, so that an article's key is the one the database uses. Never raises: an
        address that cannot be read is covered only by its outlet.
        """
        return next(self._covering(url, outlet, cms), None)

    def every(self, url: str, outlet: str, *, cms: str = "", key: bytes = b"", byline: str = "") -> set[Exclusion]:
        """All rows that cover an article of this outlet: by its address, its database key or its byline."""
        rows = set(self._covering(url, outlet, cms, hidden=not key))
        by_name = self.covers_byline(outlet, byline)
        return rows.union(self._of_key(key), () if by_name is None else (by_name,))

    def by_key(self, key: bytes) -> Exclusion | None:
        """The `url` row whose address has this 8-byte database key, whatever system made the key; else
        None."""
        return next(self._of_key(key), None)

    def covers_byline(self, outlet: str, byline: str) -> Exclusion | None:
        """The row that forbids what this outlet (slug) publishes under this byline, or None."""
        if not self._bylines or not byline:
            return None
        return self._bylines.get(f"{outlet}:{byline_key(outlet, byline)}")

    def _covering(self, url: str, outlet: str, cms: str, *, hidden: bool = True) -> Iterator[Exclusion]:
        """`hidden`: whether the address may be one of a private request, which names no server."""
        if outlet in self._outlets:
            yield self._outlets[outlet]
        if not self.rows or not ((hidden and self._private) or self._may_concern(url)):
            return
        try:
            server, normal, keys = (
                urls.server(url),
                urls.normal(url),
                {name: urls.key(url, name) for name in ("", cms)},
            )
        except ValueError:
            return
        labels = server.split(".")
        parents = (".".join(labels[at:]) for at in range(len(labels)))
        yield from (self._hosts[parent] for parent in parents if parent in self._hosts)
        for prefix, row in self._prefixes:
            if normal == prefix or normal.startswith((prefix + "/", prefix + "?")):
                yield row
        for name, key in keys.items():
            yield from self._of_cms(name).get(key, ())

    def _may_concern(self, url: str) -> bool:
        """Whether some row may name the server of an address: a quick no for nearly all of a large record."""
        plain = _PLAIN_HOST.match(url)
        if plain is None:
            return True
        host = plain[1].lower()
        if host not in self._near:
            try:
                labels = urls.server(f"https://{host}/").split(".")
                place = _place(f"https://{host}/")
            except ValueError:
                return True
            parents = {".".join(labels[at:]) for at in range(len(labels))}
            # One video has addresses on several hosts.
            video = "youtu" in host and "youtube.com" in self._named
            self._near[host] = video or place in self._named or not parents.isdisjoint(self._hosts)
        return self._near[host]

    def _of_key(self, key: bytes) -> Iterator[Exclusion]:
        for name in ("", *CMS):
            yield from self._of_cms(name).get(key, ())

    def _of_cms(self, cms: str) -> dict[bytes, tuple[Exclusion, ...]]:
        """The `url` rows by their keys as that system makes them; private rows are keys already."""
        if cms not in self._keys:
            found: dict[bytes, tuple[Exclusion, ...]] = {}
            for key, row in [*self._private.items(), *((urls.key(row.key, cms), row) for row in self._addresses)]:
                found[key] = (*found.get(key, ()), row)
            self._keys[cms] = found
        return self._keys[cms]


def _place(url: str) -> str:
    """The host an address is known by, whichever copy of the site it leads to."""
    return urls.normal(url).split("/", 1)[0].split("?", 1)[0].partition(":")[0]


def mark(row: Exclusion) -> bytes:
    """The 8 bytes by which the database notes that a wish was carried out; the build makes them anew from the file."""
    return hashlib.blake2b(f"{row.scope}\n{row.key}".encode(), digest_size=8).digest()


def grave(url: str) -> str:
    """What stands in place of an address that was asked to be left out: the same for all its twins, leading nowhere."""
    try:
        normal = urls.normal(url)
    except ValueError:
        normal = url
    if normal.startswith(f"{GRAVES}/"):
        return url
    return f"https://{GRAVES}/{hashlib.blake2b(normal.encode(), digest_size=8).hexdigest()}"


def byline_key(outlet: str, byline: str) -> str:
    """The 16 hex digits that stand for a byline of an outlet, so that exclusions.csv names no person."""
    plain = " ".join(unicodedata.normalize("NFC", byline).casefold().split())
    return hashlib.blake2b(f"{outlet}\n{plain}".encode(), digest_size=8).hexdigest()


def exclusion(table: Table, row: Row, found: Findings) -> Placed[Exclusion] | None:
    """The exclusion of a row, or None where something is wrong in it."""
    read, before = Cells(table, row, found), len(found.wrong)
    scope = read.word("scope", get_args(Scope))
    key = read.needed("key", "an address, a host, a slug or a 16-digit key")
    reason, requested, since = read.remark("reason"), read.day("requested"), read.day("since")
    if not reason:
        read.add(
            'the cell "reason" is empty',
            "write a short reason that names no person, for example outlet-asked",
        )
    if not since:
        read.add('the cell "since" is empty', "write the day from which it binds, as YYYY-MM-DD")
    plain = tidy_key(key, scope)
    if plain != key:
        read.untidy(f'the key "{key}" has capitals or a default port')
    fault = _key_fault(plain, scope) if key and scope in get_args(Scope) else None
    if fault:
        read.add(f'the key "{key}" {fault[0]}', fault[1])
    if len(found.wrong) > before:
        return None
    values: dict[str, Any] = {
        "key": plain,
        "scope": scope,
        "reason": reason,
        "requested": date.fromisoformat(requested) if requested else None,
        "since": date.fromisoformat(since),
    }
    return Placed(row.line, Exclusion(**values))


def tidy_key(key: str, scope: str) -> str:
    """The key as this project writes it: hosts and hex digits in lower case, an address as `tidy_address`
    leaves it."""
    if scope in ("host", "byline") or (scope == "url" and _HEX_KEY.fullmatch(key.lower())):
        return key.lower()
    return cells.tidy_address(key) if scope in ("url", "prefix") else key


def _key_fault(key: str, scope: str) -> tuple[str, str] | None:
    """Why this key cannot stand for this scope, and the cure; a wrong key would leave somebody in unseen."""
    if scope == "outlet":
        return None if cells.is_slug(key) else ("is no outlet's slug", "write the slug of outlets.csv")
    if scope == "host":
        return _host_fault(key)
    if scope == "byline":
        slug, _, digits = key.partition(":")
        if cells.is_slug(slug) and _HEX_KEY.fullmatch(digits):
            return None
        return (
            "is no byline key",
            "write the outlet's slug, a colon and the 16 hex digits of the byline, never the name",
        )
    if scope == "url" and _HEX_KEY.fullmatch(key):
        return None
    fault = cells.address_fault(key)
    if fault is None and scope == "prefix" and "?" in key:
        return "has a query, and a prefix goes by path segments", "cut it at the ?, or exclude each address"
    return fault


def _host_fault(key: str) -> tuple[str, str] | None:
    if not cells.is_host(key):
        return (
            "is no host name",
            "write the bare host, for example press.example.ac.kr, without http:// or a path",
        )
    labels = key.split(".")
    if len(labels) == 2 and labels[1] == "kr" and labels[0] in _WIDE_LABELS:
        return "would cover every host below a public suffix", "write the whole host name"
    return None
