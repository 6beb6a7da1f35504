"""What is due tonight: which sources to offer to the gate, and which a rule keeps from being offered at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from crawl.model import Due, Refusal, Request
from crawl.policy import Policy


@dataclass(frozen=True, slots=True)
class Plan:
    """Tonight's offers with what is known of each source, and the sources that are refused before any offer."""

    offers: tuple[tuple[Due, Request], ...]
    refused: tuple[tuple[Due, Refusal], ...]


def night(active: Iterable[Due], *, looks: Mapping[int, int], policy: Policy, reads_lists: bool) -> Plan:
    """The plan of one run over the active sources; what this Korean day has looked at is left out (P10, P11).

    `reads_lists`: whether list pages can be read; what could not be read is not asked for.
    """
    offers, refused = [], []
    for due in active:
        if looks.get(due.source_id, 0) >= policy.looks_per_night:
            continue
        refusal = _refusal(due, reads_lists)
        if refusal is None:
            offers.append((due, look(due)))
        else:
            refused.append((due, refusal))
    return Plan(tuple(offers), tuple(refused))


def _refusal(due: Due, reads_lists: bool) -> Refusal | None:
    if due.source.kind == "youtube":
        return Refusal("P05", "youtube_feeds_are_closed")
    if due.closed and not due.recheck:
        return Refusal("P43", "closed_by_robots")
    if due.source.kind != "feed" and not reads_lists:
        return Refusal("", "no_reader_yet")
    return None


def look(due: Due) -> Request:
    """The request that looks at a source, conditional where the server's own validators belong to that address (S30).

    A page of editions is asked for as the list it is.
    """
    own = due.validators_url == due.source.url
    return Request(
        url=due.source.url,
        purpose="feed" if due.source.kind == "feed" else "list",
        source=due.source_id,
        outlet=due.source.outlet,
        etag=due.etag if own else None,
        last_modified=due.last_modified if own else None,
        json_feed=is_json_feed(due),
        recheck=due.recheck,
        identity=due.identity,
    )


def is_json_feed(due: Due) -> bool:
    """Whether a source is registered as a JSON Feed, by its `cms` or by an address that asks for one (P40)."""
    parts = urlsplit(due.source.url)
    asked = parse_qs(parts.query)
    names = asked.get("feed", []) + asked.get("format", []) + asked.get("type", [])
    return due.source.cms == "jsonfeed" or parts.path.lower().endswith(".json") or "json" in names
