"""What a probe's findings mean for the registry: who is there already, how far a source reaches, and the rows to paste.

What nobody can know from outside stands in the rows as `?what it is`; `check` refuses such a cell until a person fills it in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from crawl import cells, declined, discover, finding, urls
from crawl.clock import DAY_S
from crawl.finding import Looked
from crawl.model import Outlet
from crawl.registry import Registry
from crawl.registrycheck import UNKNOWN
from crawl.registryrows import CMS

How = Literal["registered", "same_server", "same_name", "same_university", "declined"]

_BLOG_HOSTS = ("blog.naver.com", "rss.blog.naver.com", "velog.io", "v2.velog.io", "medium.com", "brunch.co.kr")
"""Hosts of many blogs: a shared server there says nothing of a shared outlet."""

_ENDINGS = re.compile(r"\.(?:ac\.kr|co\.kr|or\.kr|pe\.kr|re\.kr|ne\.kr|tistory\.com|wixsite\.com|[a-z]{2,12})$")


@dataclass(frozen=True, slots=True)
class Kin:
    """Something in the registry that may be the same outlet, or a host that was turned down."""

    how: How
    outlet: str
    url: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far a source reaches: articles shown, how many with a date, the newest and oldest (epoch seconds), how finely the
    coarsest of these is dated, and articles a week between the two; None where it cannot be said."""

    entries: int
    dated: int
    newest: int | None
    oldest: int | None
    precision: str
    per_week: float | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """Everything a maintainer needs to decide. `outlet_row`: None where the outlet is registered."""

    title: str
    language: str
    cms: str
    feed: Looked | None
    list: Looked | None
    kin: tuple[Kin, ...]
    outlet_row: tuple[str, ...] | None
    source_rows: tuple[tuple[str, ...], ...]


def propose(start: str, seen: Sequence[Looked], books: Registry, *, day: str) -> Proposal:
    """What a probe that began at `start` found; `day`: the Korean day it was held on, for the notes."""
    feed, shown = finding.best_feed(seen), finding.best_list(seen)
    # A signpost is called after what it does; the page it leads to bears the outlet's name.
    facts = sorted((one.facts for one in seen if one.facts is not None), key=lambda page: page.forward is not None)
    documents = [one.feed for one in (feed, shown) if one is not None and one.feed is not None]
    title = next((name for name in [page.title for page in facts] + [doc.title for doc in documents] if name), "")
    language = next(
        (word for word in [page.language for page in facts] + [doc.language for doc in documents] if word), ""
    )
    links = "\n".join(entry.url for doc in documents for entry in doc.entries)
    cms = next((page.cms for page in facts if page.cms), "") or discover.cms_of(start) or discover.fingerprint(links)
    home = _home(start, seen)
    addresses = [address for one in seen for address in (one.url, one.at) if address]
    kin = tuple(_kin(dict.fromkeys([start, home, *addresses]), title, books))
    owner = next((one for one in books.outlets if one.slug in {k.outlet for k in kin if k.how in ("registered", "same_server")}),
                 None)  # fmt: skip
    row = None if owner is not None else outlet_row(home, title, books)
    slug = owner.slug if owner is not None else (row or ("",))[0]
    rows = tuple(_source_rows(slug, feed, shown, cms, books, day)) if feed or shown else ()
    return Proposal(title, language, cms, feed, shown, kin, row if rows else None, rows)


def coverage(looked: Looked) -> Coverage:
    """How far a feed or list reaches by the dates it shows."""
    entries = looked.feed.entries if looked.feed is not None else ()
    dates = sorted(one.published for one in entries if one.published is not None)
    order = ("none", "day", "hour", "minute", "second")
    precision = min((one.precision for one in entries if one.published is not None), key=order.index, default="none")
    span_s = dates[-1] - dates[0] if dates else 0
    per_week = round((len(dates) - 1) * 7 * DAY_S / span_s, 1) if span_s >= DAY_S else None
    return Coverage(
        len(entries), len(dates), dates[-1] if dates else None, dates[0] if dates else None, precision, per_week
    )


def _home(start: str, seen: Sequence[Looked]) -> str:
    """The outlet's home page: the page seen as such, else where a feed's articles lead, else the site of the address given."""
    page = next(
        (one.at for one in seen if one.as_what == "page" and one.facts and urlsplit(one.at).path in ("", "/")), None
    )
    if page is not None:
        return page.rstrip("/")
    parts = urlsplit(start)
    if parts.hostname in _BLOG_HOSTS and parts.path.strip("/"):
        return start
    first = next(
        (one.feed.entries[0].url for one in seen if one.result == "feed" and one.feed and one.feed.entries), start
    )
    with suppress(ValueError):
        if urls.server(first) not in _BLOG_HOSTS:
            return urls.origin(first)
    return start


def _kin(addresses: Iterable[str], title: str, books: Registry) -> Iterable[Kin]:
    asked = [address for address in addresses if cells.address_fault(address) is None]
    normals = {urls.normal(address) for address in asked}
    servers = {urls.server(address) for address in asked} - set(_BLOG_HOSTS)
    places = [(one.outlet, one.url) for one in books.sources] + [(one.slug, one.homepage) for one in books.outlets]
    told: set[str] = set()
    for same in (True, False):
        for slug, address in places:
            if cells.address_fault(address) is not None or slug in told:
                continue
            if same and urls.normal(address) in normals:
                told.add(slug)
                yield Kin("registered", slug, address)
            elif not same and urls.server(address) in servers:
                told.add(slug)
                yield Kin("same_server", slug, address)
    name = _letters(title)
    for one in books.outlets:
        if one.slug not in told and name and name in (_letters(one.name), _letters(one.name_en)):
            told.add(one.slug)
            yield Kin("same_name", one.slug, one.homepage)
    for address in asked:
        why = declined.reason_for(address)
        if why is not None:
            yield Kin("declined", "", address, why)
    for one in books.outlets:
        if one.slug not in told and _campus(one.homepage) in {_campus(address) for address in asked} - {""}:
            yield Kin("same_university", one.slug, one.homepage)


def _letters(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _campus(url: str) -> str:
    """The university's own domain, empty for a host outside one."""
    with suppress(ValueError):
        labels = urls.server(url).split(".")
        if labels[-2:] == ["ac", "kr"] and len(labels) > 2:
            return ".".join(labels[-3:])
    return ""


def outlet_row(home: str, title: str, books: Registry) -> tuple[str, ...]:
    """The row of outlets.csv, with what the neighbours of the same university say, and `?` where only a person can know."""
    campus = _campus(home)
    near: Outlet | None = next((one for one in books.outlets if campus and _campus(one.homepage) == campus), None)
    return (
        _slug(home, books),
        title or f"{UNKNOWN}the outlet's own name",
        f"{UNKNOWN}name in English",
        near.university if near else f"{UNKNOWN}university",
        near.univ if near else f"{UNKNOWN}univ",
        f"{UNKNOWN}kind",
        cells.tidy_address(home),
        near.region if near else f"{UNKNOWN}region",
        "active",
        "",
        "",
        "",
    )


def _slug(home: str, books: Registry) -> str:
    """A slug after the host, the university first, or a mark where that one is taken."""
    with suppress(ValueError):
        host, path = urls.server(home), urlsplit(home).path.strip("/")
        word = path.partition("/")[0].lstrip("@") if host in _BLOG_HOSTS else _ENDINGS.sub("", host)
        labels = [part for part in re.split(r"[^a-z0-9]+", word.lower()) if part]
        found = "-".join(reversed(labels) if host.endswith(".ac.kr") else labels)
        taken = {slug for one in books.outlets for slug in (one.slug, *one.former)}
        if cells.is_slug(found) and found not in taken:
            return found
    return f"{UNKNOWN}slug"


def _source_rows(
    slug: str, feed: Looked | None, shown: Looked | None, cms: str, books: Registry, day: str
) -> Iterable[tuple[str, ...]]:
    """One row an address; an outlet is asked at one of them a night, at its feed where it has one (P11)."""
    known = {urls.normal(one.url) for one in books.sources if cells.address_fault(one.url) is None}
    asked = {one.kind for one in books.sources if one.outlet == slug and one.state == "active"}
    system = cms if cms in CMS else ""
    for kind, one in (("feed", feed), ("list", shown)):
        if one is None:
            continue
        address = cells.tidy_address(one.at or one.url)
        if urls.normal(address) in known or cells.address_fault(address) is not None:
            continue
        paused = kind == "list" and (feed is not None or "feed" in asked)
        note = f"seen {day}; paused: feed preferred" if paused else f"seen {day}: {one.entries} entries"
        if kind == "feed" and "list" in asked:
            note += "; pause the list: feed preferred"
        name = "jsonfeed" if kind == "feed" and one.reason == "jsonfeed" else system
        yield (slug, kind, address, name, "paused" if paused else "active", "", note)
