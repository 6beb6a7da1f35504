"""One answer to stored facts and new offers: the only place that knows the order of things."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Protocol

from crawl import decide, feeds, headers, rests, urls
from crawl.errors import FeedUnreadable
from crawl.model import (
    Check,
    Due,
    Entry,
    Filed,
    Outcome,
    Refusal,
    Request,
    Response,
    Result,
    Stage,
    StoredArticle,
    Validators,
)
from crawl.policy import Policy

REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Shelf(Protocol):
    """What handling may ask of the store: articles by identity (data.md, Identity)."""

    def article(self, key: bytes) -> StoredArticle | None: ...

    def by_guid(self, source: int, guid: str) -> StoredArticle | None: ...

    def buried(self, key: bytes) -> bool: ...


class Exclusion(Protocol):
    """Whether an address of an outlet was asked to be left out (P60)."""

    def __call__(self, url: str, outlet: str, cms: str = "") -> bool: ...


class Handler:
    """Turns answers into outcomes; it holds the policy and asks the shelf, nothing else."""

    def __init__(self, policy: Policy, shelf: Shelf, excluded: Exclusion) -> None:
        self._policy = policy
        self._shelf = shelf
        self._excluded = excluded

    def answer(self, due: Due, request: Request, response: Response, *, row: int) -> Outcome:
        """What an answer to a look at a feed means (P23, P31, P33, P35, P50, S30); `row`: its request-log row."""
        if response.error:
            return self._failed(due, request, response, "asked" if not response.status else "answered", response.error)
        if response.status in REDIRECTS:
            return self._redirected(due, request, response, row)
        if response.status == 304:
            return self._not_modified(due, request, response)
        if response.status != 200:
            return self._failed(due, request, response, "answered", f"http_{response.status}")
        return self._body(due, request, response)

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
        refusal: Refusal | None = None,
    ) -> Outcome:
        brought = rests.after(request, response, failures=due.failures, policy=self._policy)
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

    def _redirected(self, due: Due, request: Request, response: Response, row: int) -> Outcome:
        target = urls.location(response.header("Location"), response.url)
        if target is None:
            return self._failed(due, request, response, "answered", "redirect_without_target")
        own = target == due.validators_url
        hop = Request(
            url=target,
            purpose=request.purpose,
            source=request.source,
            outlet=request.outlet,
            etag=due.etag if own else None,
            last_modified=due.last_modified if own else None,
            not_before=response.ended + self._policy.redirect_gap_s,
            hop=request.hop + 1,
            parent=row,
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

    def _not_modified(self, due: Due, request: Request, response: Response) -> Outcome:
        if request.etag is None and request.last_modified is None:
            return self._failed(due, request, response, "answered", "not_modified_unasked")
        return Outcome(Check(due.source_id, "answered", "not_modified", "http_304", response.status))

    def _body(self, due: Due, request: Request, response: Response) -> Outcome:
        body_digest = blake2b(response.body, digest_size=16).digest()
        etag = headers.validator(response.header("ETag"))
        last_modified = headers.validator(response.header("Last-Modified"))
        validators = Validators(request.url, etag, last_modified, body_digest)
        if body_digest == due.body_digest:
            check = Check(due.source_id, "answered", "unchanged", "same_body", response.status)
            return Outcome(check, validators=validators)
        if feeds.is_json_feed(response.body):
            refusal = Refusal("P40", "json_feed_needs_robots")
            return self._failed(due, request, response, "answered", refusal.reason, refusal)
        try:
            feed = feeds.parse(
                response.body,
                base=response.url,
                content_type=response.header("Content-Type"),
                seen=response.ended,
                summary_max_chars=self._policy.summary_max_chars,
            )
        except FeedUnreadable as trouble:
            return self._failed(due, request, response, "answered", trouble.reason)
        filed = tuple(self._file(due, feed.entries, response.ended))
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

    def _file(self, due: Due, entries: Iterable[Entry], now: float) -> Iterable[Filed]:
        seen: set[bytes] = set()
        for entry in entries:
            key = urls.key(entry.url, due.source.cms)
            if key in seen:
                continue
            seen.add(key)
            if self._shelf.buried(key) or self._excluded(entry.url, due.source.outlet, due.source.cms):
                continue
            old = self._shelf.article(key)
            if old is None and entry.guid is not None:
                old = self._shelf.by_guid(due.source_id, entry.guid)
            elif old is not None and old.source != due.source_id:
                # Another source of ours showed it first: its record stands, two feeds do not overwrite each other.
                continue
            yield Filed(key, old, decide.change(old, entry, now))
