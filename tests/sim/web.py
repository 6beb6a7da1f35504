"""The simulated web: one call answers one request, at a given moment, as the fictional servers would, and notes it."""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime

from tests.sim import access, routes
from tests.sim.access import Access
from tests.sim.campus import Campus, Server
from tests.sim.damage import damaged
from tests.sim.datewords import http_date
from tests.sim.hosts import split
from tests.sim.moods import HEALTHY, Mood

Headers = tuple[tuple[str, str], ...]
_SILENT = {"dead": "refused_connection", "reset": "reset", "no_name": "dns"}
_BEHIND = re.compile(r"/(moved|loop|hop)/")
_PRIVATE = "10.11.12.13"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `error` names a line that broke (status 0 unless it broke inside the body).

    `duration_s` may be infinite (a drip); then the asker tells `Web.closed` when it hung up. `number` is the
    access's place in the log.
    """

    status: int
    headers: Headers = ()
    body: bytes = b""
    duration_s: float = 0.0
    error: str | None = None
    number: int = -1


class Web:
    """All servers of a campus with their moods and their access log.

    `temperaments`: a mood by folded server name or by full address (which wins). A server not named is healthy.
    """

    def __init__(self, campus: Campus, seed: int = 1, temperaments: Mapping[str, Mood] | None = None) -> None:
        self.campus, self._seed = campus, seed
        self._moods = {_key(where): mood for where, mood in (temperaments or {}).items()}
        self._turns: Counter[tuple[str, str]] = Counter()
        self._asked: Counter[str] = Counter()
        self.log: list[Access] = []

    def answer(self, url: str, headers: Mapping[str, str], now: float) -> Answer:
        """The answer that begins at `now`, noted in the log with the end it would have."""
        name, path = split(url)
        server = self._server(name)
        if server is None:
            given = Answer(0, error="dns", duration_s=0.1)
        else:
            mood = self._mood(name, path)
            duration_s = self._duration_s(name, mood)
            given = self._given(server, name, path, headers, mood, now, duration_s)
            given = replace(given, duration_s=duration_s, headers=_dated(given, now + duration_s))
        given = replace(given, number=len(self.log))
        host = url.partition("://")[2].partition("/")[0].partition("?")[0]
        ended = now + given.duration_s
        self.log.append(Access(name, host, path, url, now, ended, given.status, dict(headers)))
        return given

    def closed(self, number: int, at: float, status: int | None = None) -> None:
        """The exchange noted under `number` ended at `at`, be it that the asker hung up; `status`: what went out."""
        noted = self.log[number]
        self.log[number] = replace(noted, ended=at, status=noted.status if status is None else status)

    def address(self, host: str) -> str:
        """What the simulated name service says for a host name; empty where it knows none."""
        name = split(f"http://{host}/")[0]
        server = self._server(name)
        mood = self._moods.get((name, ""), HEALTHY)
        if server is None or mood.kind == "no_name":
            return ""
        return _PRIVATE if mood.kind == "private_name" else server.address

    def smallest_gap(self) -> dict[str, float]:
        """Least seconds between an end and the next start, for each server asked twice or more."""
        return access.smallest_gap(self.log)

    def count(self) -> dict[str, int]:
        """How many requests each server saw."""
        return access.count(self.log)

    def _server(self, name: str) -> Server | None:
        return self.campus.servers.get(name) or self.campus.servers.get(name.removeprefix("moved."))

    def _mood(self, name: str, path: str) -> Mood:
        for key in ((name, path), (name, "")):
            mood = self._moods.get(key)
            if mood is None or (path == "/robots.txt" and not mood.everywhere) or _beyond(path):
                continue
            self._turns[key] += 1
            return mood if mood.strikes(self._turns[key] - 1) else HEALTHY
        return HEALTHY

    def _duration_s(self, name: str, mood: Mood) -> float:
        if mood.kind == "drip":
            return math.inf
        if mood.duration_s is not None:
            return mood.duration_s
        self._asked[name] += 1
        return round(random.Random(f"{self._seed}/{name}/{self._asked[name]}").uniform(0.05, 0.9), 3)

    def _given(
        self,
        server: Server,
        name: str,
        path: str,
        headers: Mapping[str, str],
        mood: Mood,
        now: float,
        duration_s: float,
    ) -> Answer:
        if mood.kind in _SILENT:
            return Answer(0, error=_SILENT[mood.kind])
        if mood.kind == "status":
            return _refusing(mood, now + duration_s)
        if mood.kind == "redirect" or _beyond(path) in ("loop", "hop"):
            return _redirect(mood, name, path)
        if path == "/robots.txt":
            return _robots(server)
        found = routes.find(self.campus, server, path.removeprefix("/moved"), now)
        if isinstance(found, routes.Told):
            return _story(found, now)
        if found is None or (found.page > 1 and found.source.older(now, found.page) is None):
            return Answer(404, (("Content-Type", "text/html"),), b"<title>404</title>")
        return _served(server, found, mood, headers, now)


def _key(where: str) -> tuple[str, str]:
    return split(where) if "://" in where else (where, "")


def _beyond(path: str) -> str:
    """`moved`, `loop` or `hop` for a path behind a redirect, which no mood strikes again."""
    found = _BEHIND.match(path)
    return found[1] if found else ""


def _dated(given: Answer, at: float) -> Headers:
    if given.error is not None and given.status == 0:
        return ()
    date = (("Date", http_date(at)),) if math.isfinite(at) else ()
    return (*date, *given.headers)


def _refusing(mood: Mood, ended: float) -> Answer:
    wait = mood.retry_after
    if wait.startswith("in "):
        wait = http_date(ended + float(wait[3:]))
    headers = [("Content-Type", "text/html; charset=utf-8")] + ([("Retry-After", wait)] if wait else [])
    return Answer(mood.status, tuple(headers), f"<title>{mood.status}</title>".encode())


def _redirect(mood: Mood, name: str, path: str) -> Answer:
    match _beyond(path) or mood.to:
        case "loop":
            target = path.replace("/loop/1/", "/loop/2/") if "/loop/1/" in path else f"/loop/1{_bare(path)}"
        case "hop" | "chain":
            found = re.match(r"/hop/(\d+)/", path)
            target = f"/hop/{int(found[1]) + 1 if found else 1}{_bare(path)}"
        case "host":
            target = f"http://moved.{name}{path}"
        case "private":
            target = f"http://{_PRIVATE}{path}"
        case "login":
            target = "/member/login.php?return=feed"
        case _:
            target = f"/moved{path}"
    status = mood.status if 300 <= mood.status < 400 else 302
    return Answer(status, (("Location", target), ("Content-Type", "text/html")), b"<title>moved</title>")


def _bare(path: str) -> str:
    """The path without the hop in front of it."""
    return re.sub(r"^/(loop|hop)/\d+", "", path)


def _robots(server: Server) -> Answer:
    if server.robots is None:
        return Answer(404, (("Content-Type", "text/html"),), b"<title>404</title>")
    return Answer(200, (("Content-Type", "text/plain"),), server.robots.encode())


def _story(found: routes.Told, now: float) -> Answer:
    body, own = found.outlet.story_page(found.piece, now)
    return Answer(200, (("Content-Type", "text/html"), *own), body)


def _served(server: Server, found: routes.Shown, mood: Mood, headers: Mapping[str, str], now: float) -> Answer:
    source = found.source
    healthy = source.body(now) if found.page == 1 else source.older(now, found.page) or b""
    changed = source.outlet.desk.changed_at(now)
    validators = _validators(server.validators, healthy, changed) if mood.kind in _HONEST else ()
    if mood.kind == "stubborn" and ("If-None-Match" in headers or "If-Modified-Since" in headers):
        return Answer(304, validators)
    if _unchanged(server.validators, validators, headers, changed):
        return Answer(304, validators)
    body, content_type = damaged(mood.kind, healthy, source.content_type, source.encoding)
    sent = (("Content-Type", content_type), *validators)
    if mood.kind in ("bomb", "gzip_lie"):
        sent += (("Content-Encoding", "gzip"),)
    if mood.kind == "cut_off":
        return Answer(200, (*sent, ("Content-Length", str(len(body)))), body[: len(body) // 2], error="cut_off")
    return Answer(200, sent, body)


_HONEST = ("healthy", "slow", "private_name", "stubborn", "surrogates", "javascript", "wrong_charset")
"""Moods whose answers carry validators."""


def _validators(habit: str, body: bytes, changed: float) -> Headers:
    """ETag and Last-Modified as this server writes them."""
    tag = hashlib.sha256(body).hexdigest()[:16]
    etag = {"weak": f'W/"{tag}"', "unquoted": tag}.get(habit, f'"{tag}"')
    with_etag = (("ETag", etag),) if habit in ("both", "etag", "weak", "unquoted", "never_matches") else ()
    return (*with_etag, *((("Last-Modified", http_date(changed)),) if habit in ("both", "modified") else ()))


def _unchanged(habit: str, validators: Headers, headers: Mapping[str, str], changed: float) -> bool:
    """Whether a conditional request gets a 304 (RFC 9110 section 13: If-None-Match goes before If-Modified-Since)."""
    current = dict(validators)
    asked = headers.get("If-None-Match")
    if asked is not None and "ETag" in current:
        if habit == "never_matches":
            return False
        known = [tag.strip().removeprefix("W/") for tag in asked.split(",")]
        return current["ETag"].removeprefix("W/") in known
    since = headers.get("If-Modified-Since")
    if since is None or "Last-Modified" not in current:
        return False
    try:
        return int(changed) <= parsedate_to_datetime(since).timestamp()
    except ValueError:
        return False
