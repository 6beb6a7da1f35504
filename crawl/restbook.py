"""Who rests until when: every rest in force, asked before each request."""

from __future__ import annotations

from collections.abc import Iterable

from crawl.model import Request, Rest

WEB = frozenset({"list", "date", "photo", "backfill", "edition", "home", "probe"})
"""Purposes that robots.txt is read before (P40)."""


def is_look(request: Request) -> bool:
    """Whether a request asks a source for its list or feed, as its first hop."""
    return request.hop == 0 and request.purpose in ("feed", "list")


def group(request: Request) -> str:
    """The group of purposes a request belongs to, a robots.txt to the group of what it is read for."""
    purpose = request.sake or request.purpose
    return purpose if purpose in ("photo", "backfill") else "looks"


class RestBook:
    """The rests in force; of two for one subject and group the one that ends later counts (P31)."""

    def __init__(self, run_started: float) -> None:
        """`run_started`: when this run began, for rests that only a later run ends (P32)."""
        self._run_started = run_started
        self._rests: dict[tuple[str, str, str], Rest] = {}

    def learn(self, rests: Iterable[Rest]) -> None:
        """Take note of rests."""
        for rest in rests:
            key = (rest.scope, rest.subject, rest.what)
            known = self._rests.get(key)
            if known is None or (known.until, known.by_start) < (rest.until, rest.by_start):
                self._rests[key] = rest

    def of_server(self, server: str, request: Request, now: float) -> Rest | None:
        """The rest that keeps a request from this server now, the one ending last."""
        return self._longest("server", server, request, now)

    def of_source(self, request: Request, now: float) -> Rest | None:
        """The rest of the source that a request is for."""
        return self._longest("source", str(request.source), request, now)

    def of_outlet(self, request: Request, now: float) -> Rest | None:
        """The rest of an outlet's backfill or the like (P45)."""
        return self._longest("outlet", request.outlet, request, now)

    def _longest(self, scope: str, subject: str, request: Request, now: float) -> Rest | None:
        found = (self._rests.get((scope, subject, what)) for what in ("all", group(request)))
        return max(
            (rest for rest in found if rest and self._binds(rest, now)), key=lambda rest: rest.until, default=None
        )

    def _binds(self, rest: Rest, now: float) -> bool:
        return self._run_started <= rest.until if rest.by_start else now < rest.until
