"""What a probe has seen so far, and where it should look next: few addresses, the likeliest first, none for curiosity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from crawl import blocks, discover, feeds, urls
from crawl.discover import Candidate, Facts, Why
from crawl.errors import FeedUnreadable
from crawl.model import Feed, Refusal, Response

FEED_TRIES = 3
"""So many addresses that may be the feed are tried; a site that hides it better is asked no further."""
LIST_TRIES = 2
FALLBACK = "links"
"""The list reader's name for a page of which it knows nothing but the shape of its links."""

_FEED_REASONS: frozenset[Why] = frozenset({"host", "announced", "linked", "convention"})

ReadList = Callable[[Response, str], Feed]
"""Reads a list page made by a publishing system (a word of sources.csv, or empty); raises FeedUnreadable."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One address of a probe and what came of it.

    `as_what`: what it was looked at for; `at`: where the answer came from after redirects; `reason`: the feed's format, the
    list's skin, or the named trouble or refusal, which is by `rule`; `robots`: `open no_rules closed unreadable`, or empty
    where no robots.txt was read; `facts`: of a page.
    """

    url: str
    why: Why
    as_what: Literal["page", "feed", "list"]
    result: Literal["feed", "list", "page", "failed", "refused"]
    reason: str
    rule: str = ""
    at: str = ""
    status: int = 0
    robots: str = ""
    crawl_delay_s: float = 0.0
    feed: Feed | None = None
    facts: Facts | None = None
    detail: str = ""

    @property
    def entries(self) -> int:
        """How many articles it shows."""
        return len(self.feed.entries) if self.feed is not None else 0

    @property
    def is_sure_list(self) -> bool:
        """A list of articles whose skin is known, and no front page: that shows a choice, and its system has a list of all."""
        front = urlsplit(self.at).path.strip("/") in ("", "index.html", "main.html", "index.php")
        has_better = front and self.facts is not None and any(one.why == "convention" for one in self.facts.lists)
        return self.result == "list" and self.entries > 0 and self.reason != FALLBACK and not has_better


@dataclass(frozen=True, slots=True)
class Step:
    """The next address and what it is looked at for."""

    candidate: Candidate
    as_what: Literal["page", "feed", "list"]


def judge(step: Step, response: Response, *, read_list: ReadList, summary_max_chars: int) -> Looked:
    """What an answer shows: a feed, a list, or a page that may lead to them. Never raises."""
    one = step.candidate
    known = {"url": one.url, "why": one.why, "as_what": step.as_what, "at": response.url, "status": response.status}
    wall = blocks.recognise(response.status, response.headers, response.body, response.url)
    trouble = response.error or wall or (None if response.status == 200 else f"http_{response.status}")
    if trouble is not None:
        return Looked(**known, result="failed", reason=trouble, detail=response.detail)  # type: ignore[arg-type]
    content_type = response.header("Content-Type")
    try:
        feed = feeds.parse(
            response.body,
            base=response.url,
            content_type=content_type,
            seen=response.ended,
            summary_max_chars=summary_max_chars,
        )
        return Looked(**known, result="feed", reason=feed.format, feed=feed)  # type: ignore[arg-type]
    except FeedUnreadable as unreadable:
        why_no_feed = unreadable.reason
    facts = discover.read(response.body, base=response.url, content_type=content_type)
    try:
        shown = read_list(response, facts.cms)
    except FeedUnreadable as unreadable:
        reason = why_no_feed if step.as_what == "feed" else unreadable.reason
        return Looked(**known, result="page", reason=reason, facts=facts)  # type: ignore[arg-type]
    return Looked(**known, result="list", reason=shown.format, feed=shown, facts=facts)  # type: ignore[arg-type]


def refused(step: Step, refusal: Refusal, detail: str = "") -> Looked:
    """An address that a rule keeps from being asked."""
    one = step.candidate
    return Looked(one.url, one.why, step.as_what, "refused", refusal.reason, refusal.rule, detail=detail)


def following(start: str, seen: Sequence[Looked]) -> Step | None:
    """Where to look next after all that was seen, None where it is enough.

    A feed that was given is enough (H27: adding it costs one look); one that was found is followed by one list at most, since
    only lists reach back; a server that says no, or asks for rest, is not asked further.
    """
    if not seen:
        host = discover.known_feed(start)
        return Step(host, "feed") if host else Step(Candidate(start, "given"), "page")
    last = seen[-1]
    if last.status == 429 or last.reason in ("server_resting", "probe_is_over") or _gives_up(seen[0]):
        return None
    if seen[0].result == "feed":
        return None
    tried = {urls.normal(address) for one in seen for address in (one.url, one.at) if address}
    pages = [one.facts for one in seen if one.facts is not None]
    if not _found_feed(seen):
        step = _next_feed(pages, seen, tried) or _next_page(start, pages, seen, tried)
        if step is not None:
            return step
    return _next_list(pages, seen, tried)


def best_feed(seen: Iterable[Looked]) -> Looked | None:
    """The feed to register, the first one read that shows articles."""
    return next((one for one in seen if one.result == "feed" and one.entries), None)


def best_list(seen: Sequence[Looked]) -> Looked | None:
    """The list to register: one whose skin is known, else the page given, read by the shape of its links."""
    sure = next((one for one in seen if one.is_sure_list), None)
    return sure or next((one for one in seen if one.result == "list" and one.entries and one.why == "given"), None)


def _gives_up(first: Looked) -> bool:
    """Whether the very first answer says that nobody is at home, or that we are not welcome; a page that is gone says neither."""
    return bool(first.rule) or (first.result == "failed" and first.status not in (404, 410) and first.why != "host")


def _found_feed(seen: Iterable[Looked]) -> bool:
    return best_feed(seen) is not None


def _next_feed(pages: Sequence[Facts], seen: Sequence[Looked], tried: set[str]) -> Step | None:
    if sum(one.as_what == "feed" and one.why in _FEED_REASONS for one in seen) >= FEED_TRIES:
        return None
    order = ("announced", "linked", "convention")
    candidates = sorted((one for page in pages for one in page.feeds), key=lambda one: order.index(one.why))
    return next((Step(one, "feed") for one in candidates if urls.normal(one.url) not in tried), None)


def _next_page(start: str, pages: Sequence[Facts], seen: Sequence[Looked], tried: set[str]) -> Step | None:
    """Another page of the site that may know more: the real one behind a signpost, the blog itself, at last the home page."""
    if any(one.is_sure_list for one in seen):
        return None
    ways = [page.forward for page in pages if page.forward is not None]
    if seen[0].why == "host":
        ways.append(Candidate(start, "given"))
    if not any(page.feeds for page in pages):
        ways.append(Candidate(f"{urls.origin(seen[-1].at or start)}/", "home"))
    return next((Step(one, "page") for one in ways if urls.normal(one.url) not in tried), None)


def _next_list(pages: Sequence[Facts], seen: Sequence[Looked], tried: set[str]) -> Step | None:
    if any(one.is_sure_list for one in seen) or sum(one.as_what == "list" for one in seen) >= LIST_TRIES:
        return None
    candidates = [one for page in pages for one in page.lists]
    return next((Step(one, "list") for one in candidates if urls.normal(one.url) not in tried), None)
