"""One answer to stored facts and new offers: the only place that knows the order of things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Protocol

from crawl import blocks, decide, feeds, headers, members, rests, robots, urls, watch
from crawl.articlepages import ArticlePage
from crawl.errors import FeedUnreadable
from crawl.model import (
    Change,
    Check,
    Due,
    Entry,
    Feed,
    Filed,
    Outcome,
    Refusal,
    Request,
    Response,
    Rest,
    Result,
    Stage,
    StoredArticle,
    Validators,
)
from crawl.photos import Pictures
from crawl.policy import Policy
from crawl.rests import Past
from crawl.robots import Rules
from crawl.watch import Known

LINK_MAX_CHARS = 2_000
"""A longer address is no address of an article; browsers and feeds cut it."""

REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Shelf(Protocol):
    """What handling may ask of the store: articles by identity (data.md, Identity)."""

    def article(self, key: bytes) -> StoredArticle | None: ...

    def by_guid(self, source: int, guid: str) -> StoredArticle | None: ...

    def numbered(self, row: int) -> StoredArticle | None: ...

    def buried(self, key: bytes) -> bool: ...

    def title_only(self, outlet: str) -> bool: ...

    def known(self, source: int) -> Known: ...

    def is_logo(self, source: int, picture: str) -> bool: ...


class Exclusion(Protocol):
    """Whether an address of an outlet was asked to be left out (P60)."""

    def __call__(self, url: str, outlet: str, cms: str = "", byline: str = "") -> bool: ...


PastOf = Callable[[int, int, str, int], Past]
"""What came before: source, its failures in a row, the server that answered, the log row of the answer."""

ReadList = Callable[[Due, Response, float], Feed]
"""Reads a list page as of a moment, by which dates without a year are told; raises FeedUnreadable."""


class Handler:
    """Turns answers into outcomes; it holds the policy and asks the shelf, nothing else."""

    def __init__(
        self,
        policy: Policy,
        shelf: Shelf,
        excluded: Exclusion,
        past: PastOf,
        read_list: ReadList | None = None,
        pictures: Pictures = Pictures(),  # noqa: B008 - a frozen value
    ) -> None:
        """`past`: what earlier answers say; `read_list`: reads a list page, None while lists are not asked; `pictures`: P03."""
        self._policy = policy
        self._shelf = shelf
        self._excluded = excluded
        self._past = past
        self._read_list = read_list
        self._pictures = pictures

    def answer(self, due: Due, request: Request, response: Response, *, row: int) -> Outcome:
        """What an answer to a look means (P23, P31 to P35, P38, P50, S30); `row`: its request-log row."""
        if response.error:
            return self._failed(
                due, request, response, "asked" if not response.status else "answered", response.error, row
            )
        if response.status in REDIRECTS:
            return self._redirected(due, request, response, row)
        blocked = blocks.recognise(response.status, response.headers, response.body, response.url)
        if blocked is not None and not rests.slow_down(response):
            return self._walled(due, request, response, blocked)
        if response.status == 304:
            return self._not_modified(due, request, response, row)
        if response.status != 200:
            return self._failed(due, request, response, "answered", f"http_{response.status}", row)
        return self._body(due, request, response, row)

    def robots(self, request: Request, response: Response, *, row: int) -> tuple[Outcome, Rules | None]:
        """What an answer for a robots.txt means: its rules, or a hop to follow with none yet (P40, P42, P50)."""
        target = urls.location(response.header("Location"), response.url) if response.status in REDIRECTS else None
        if target is not None and not response.error and not blocks.is_login_address(target):
            hop = replace(
                request,
                url=target,
                not_before=response.ended + self._policy.redirect_gap_s,
                hop=request.hop + 1,
                parent=row,
            )
            return Outcome(None, offers=(hop,)), None
        past = self._past(request.source or 0, 0, urls.server(request.url), row)
        return Outcome(None, rests=rests.after(request, response, past, self._policy)), robots.read(response)

    def refused(self, due: Due, refusal: Refusal) -> Check:
        """The check of a source that a rule kept from being asked."""
        result: Result = "refused" if refusal.until is None else "put_off"
        if refusal.reason == "night_over":
            result = "not_reached"
        return Check(
            source=due.source_id,
            stage="planned",
            result=result,
            reason=refusal.reason,
            rest_until=refusal.until,
            rest_rule=refusal.rule,
        )

    def _failed(
        self,
        due: Due,
        request: Request,
        response: Response,
        stage: Stage,
        reason: str,
        row: int,
        refusal: Refusal | None = None,
    ) -> Outcome:
        past = self._past(due.source_id, due.failures, urls.server(request.url), row)
        brought = rests.after(request, response, past, self._policy)
        own = next(rest for rest in brought if rest.scope == "source")
        check = Check(
            source=due.source_id,
            stage=stage,
            result="refused" if refusal else "failed",
            reason=reason,
            status=response.status,
            rest_until=own.until,
            rest_rule=refusal.rule if refusal else own.rule,
        )
        return Outcome(check, rests=brought)

    def _walled(self, due: Due, request: Request, response: Response, reason: str) -> Outcome:
        """A login, paywall, block or challenge page: nothing of it is kept, the source rests until the next night (P38)."""
        wished = response.ended + (rests.retry_after_s(response, self._policy) or 0)
        until = max(rests.next_night(response.ended, self._policy), wished)
        rule = "P35" if response.status in rests.DENIALS else "P38"
        rest = Rest("source", str(request.source), response.ended, until, rule)
        check = Check(due.source_id, "answered", "failed", reason, response.status, rest.until, rest.rule)
        return Outcome(check, rests=(rest,))

    def _redirected(self, due: Due, request: Request, response: Response, row: int) -> Outcome:
        target = urls.location(response.header("Location"), response.url)
        if target is None:
            given = "redirect_target_refused" if response.header("Location") else "redirect_without_target"
            return self._failed(due, request, response, "answered", given, row)
        if blocks.is_login_address(target):
            return self._walled(due, request, response, "redirect_to_login")
        jar = _cookies(request, response)
        if target == request.url and jar == request.cookies:
            # The very same request would get the very same answer; with a new cookie it may not (P50).
            return self._failed(due, request, response, "answered", "redirect_to_itself", row)
        own = target == due.validators_url
        hop = replace(
            request,
            url=target,
            etag=due.etag if own else None,
            last_modified=due.last_modified if own else None,
            not_before=response.ended + self._policy.redirect_gap_s,
            hop=request.hop + 1,
            parent=row,
            cookies=jar,
        )
        return Outcome(None, offers=(hop,))

    def hop_refused(self, due: Due, request: Request, ended: float, refusal: Refusal) -> Outcome:
        """The outcome of a look whose next redirect hop a rule forbids; the source rests like any failed one (P50)."""
        rest = rests.failed(request.source, ended, failures=due.failures, policy=self._policy)
        check = Check(
            due.source_id,
            "answered",
            "refused",
            refusal.reason,
            rest_until=rest.until,
            rest_rule=refusal.rule,
        )
        return Outcome(check, rests=(rest,))

    def _not_modified(self, due: Due, request: Request, response: Response, row: int) -> Outcome:
        if request.etag is None and request.last_modified is None:
            return self._failed(due, request, response, "answered", "not_modified_unasked", row)
        return Outcome(Check(due.source_id, "answered", "not_modified", "http_304", response.status))

    def _body(self, due: Due, request: Request, response: Response, row: int) -> Outcome:
        body_digest = blake2b(response.body, digest_size=16).digest()
        etag = headers.validator(response.header("ETag"))
        last_modified = headers.validator(response.header("Last-Modified"))
        validators = Validators(request.url, etag, last_modified, body_digest)
        if body_digest == due.body_digest:
            check = Check(due.source_id, "answered", "unchanged", "same_body", response.status)
            return Outcome(check, validators=validators)
        if request.purpose == "feed" and not request.json_feed and feeds.is_json_feed(response.body):
            # Read without robots.txt, as only RSS and Atom may be: nothing is kept; `cms` = jsonfeed registers it rightly.
            refusal = Refusal("P40", "json_feed_needs_robots")
            return self._failed(due, request, response, "answered", refusal.reason, row, refusal)
        try:
            feed = members.without(self._parse(due, response))
        except FeedUnreadable as trouble:
            return self._failed(due, request, response, "answered", trouble.reason, row)
        filed, doubt = self._watched(due, feed, response.ended)
        if doubt:
            return Outcome(Check(due.source_id, "parsed", "failed", doubt, response.status, entries=len(feed.entries)))
        return Outcome(
            Check(
                source=due.source_id,
                stage="stored",
                result="ok",
                reason=" ".join(feed.flags) or "read",
                status=response.status,
                entries=len(feed.entries),
                new=sum(one.change.action == "insert" for one in filed),
                changed=sum(one.change.action == "update" for one in filed),
            ),
            filed=filed,
            validators=None if "truncated" in feed.flags else validators,
            feed=feed,
        )

    def _watched(self, due: Due, feed: Feed, now: float) -> tuple[tuple[Filed, ...], str]:
        """The decisions about a document, and why it is held, if it is; the operator's `recheck` lets it in.

        What a person let in, or asked to be read anew, may show known articles under new addresses: they are moved.
        """
        filed, known = self.file(due, feed.entries, now), self._shelf.known(due.source_id)
        doubt = watch.held(feed, filed, known, now)
        if doubt and not due.recheck:
            return filed, doubt
        reread = not known.format and any(kept.source == due.source_id for kept in known.articles)
        if doubt or (reread and watch.reappeared(filed, known, len(feed.entries))):
            filed = tuple(self._moved(filed, watch.moves(filed, known), now))
        return filed, ""

    def _moved(self, filed: Iterable[Filed], moves: Mapping[bytes, int], now: float) -> Iterator[Filed]:
        for one in filed:
            old = self._shelf.numbered(moves[one.key]) if one.key in moves else None
            yield one if old is None else Filed(one.key, old, decide.change(old, one.change.entry, now))

    def _parse(self, due: Due, response: Response) -> Feed:
        if due.source.kind != "feed":
            assert self._read_list is not None
            return self._read_list(due, response, response.ended)
        return feeds.parse(
            response.body,
            base=response.url,
            content_type=response.header("Content-Type"),
            seen=response.ended,
            summary_max_chars=self._policy.summary_max_chars,
            pictures=self._pictures.of == "all",
        )

    def file(self, due: Due, entries: Iterable[Entry], now: float) -> tuple[Filed, ...]:
        """The decision about each entry of a document, by its identity; excluded and buried addresses are left out."""
        return tuple(self._file(due, entries, now))

    def page_redirected(self, request: Request, response: Response, row: int) -> Outcome | None:
        """The next hop of an article or older list page; None where the target is no address or a login (P38)."""
        target = urls.location(response.header("Location"), response.url)
        if target is None or blocks.is_login_address(target):
            return None
        at = response.ended + self._policy.redirect_gap_s
        jar = _cookies(request, response)
        hop = replace(request, url=target, not_before=at, hop=request.hop + 1, parent=row, cookies=jar)
        return Outcome(None, offers=(hop,))

    def _without_logo(self, source: int, entry: Entry) -> Entry:
        """I31: what a source showed with too many articles is its logo, and stays away."""
        logo = entry.image_url is not None and self._shelf.is_logo(source, entry.image_url)
        return replace(entry, image_url=None) if logo else entry

    def _without_left_out(self, entry: Entry, outlet: str) -> Entry:
        """An entry without a picture or an enclosure that may not be shown."""
        if not self._may_be_shown(entry.image_url, outlet):
            entry = replace(entry, image_url=None)
        if not self._may_be_shown(entry.media_url, outlet):
            entry = replace(entry, media_url=None, media_type=None, media_bytes=None)
        return entry

    def picture(self, due: Due, found: ArticlePage) -> ArticlePage:
        """What an article's page showed, without a picture that may not be shown."""
        return found if self._may_be_shown(found.picture, due.source.outlet) else replace(found, picture=None)

    def _may_be_shown(self, file: str | None, outlet: str) -> bool:
        """Whether readers may be sent to a file: it was not asked to be left out (P60) and lies on no private network, where
        a page that shows it would have its reader's browser knock at that reader's own machines."""
        return file is None or not (_leads_inside(file) or self._excluded(file, outlet))

    def _file(self, due: Due, entries: Iterable[Entry], now: float) -> Iterable[Filed]:
        seen: set[bytes] = set()
        title_only = self._shelf.title_only(due.source.outlet)
        for published in entries:
            if len(published.url) > LINK_MAX_CHARS or _leads_inside(published.url):
                continue
            entry = self._without_logo(due.source_id, self._pictures.kept(published, due.source.outlet))
            entry = self._without_left_out(entry, due.source.outlet)
            if title_only:
                entry = replace(entry, summary="", summary_derived=False)
            if entry.guid is None and due.source.kind == "list":
                entry = replace(entry, guid=urls.unpaged(entry.url, due.source.cms))
            key = urls.key(entry.url, due.source.cms)
            if key in seen:
                continue
            seen.add(key)
            if self._shelf.buried(key) or self._excluded(entry.url, due.source.outlet, due.source.cms, entry.byline):
                continue
            old = self._shelf.article(key)
            if old is None and entry.guid is not None:
                old = self._shelf.by_guid(due.source_id, entry.guid)
            elif old is not None and old.source != due.source_id and not old.is_empty:
                # Another source of ours showed it first: its record stands, two feeds do not overwrite each other.
                completed = decide.completed(old, entry)
                if completed is not None:
                    yield Filed(key, old, completed)
                continue
            change = decide.change(old, entry, now)
            # What an outlet took back is kept nowhere, not even as an earlier form.
            yield Filed(key, old, change if not title_only else _without_summaries(change))


def _without_summaries(change: Change) -> Change:
    return replace(change, revisions=tuple(one for one in change.revisions if one.field != "summary"))


def _cookies(request: Request, response: Response) -> tuple[tuple[str, str, str], ...]:
    """What the next hop of a chain may bring back to the origins that gave it (P01)."""
    return headers.cookies(request.cookies, response.headers, urls.origin(request.url))


def _leads_inside(url: str) -> bool:
    """Whether a link names this machine or a private network, where no reader can follow it."""
    literal = urls.literal_address(url)
    return urls.host(url) == "localhost" or (literal is not None and not urls.is_public(literal))
