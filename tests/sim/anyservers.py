"""A small web drawn from anything: a few servers with tempers, robots.txt files that change, pages that answer in turns.

It knows no crawler. It notes every request with what it answered, so that a judge needs nothing else.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import urlsplit

from tests.sim.datewords import http_date
from tests.sim.hosts import fold
from tests.sim.web import Answer

Temper = Literal["healthy", "slow", "drip", "dead", "reset", "no_name", "private_name", "shy"]
Kind = Literal["feed", "list", "json"]
Where = Literal["here", "there", "loop", "self", "chain", "private", "private_name", "login"]


@dataclass(frozen=True, slots=True)
class Robots:
    """One robots.txt as a server's admin means it.

    `closed`: path beginnings closed to us; `delay_s`: Crawl-delay for us; `named`: written for us by name, with an open
    group for everybody else. `wait`: Retry-After. `moved`: served by the site of that number; itself: a ring.
    """

    status: int = 200
    closed: tuple[str, ...] = ()
    delay_s: float | None = None
    named: bool = False
    html: bool = False
    drips: bool = False
    wait: str = ""
    moved: int | None = None

    def text(self) -> str:
        """The file."""
        lines = [f"Disallow: {path}" for path in self.closed] or ["Disallow:"]
        lines += [] if self.delay_s is None else [f"Crawl-delay: {self.delay_s:g}"]
        ours = "User-agent: CampusPressHub" if self.named else "User-agent: *"
        others = ["User-agent: *", "Disallow:" if self.closed else "Disallow: /", ""] if self.named else []
        return "\n".join([*others, ours, *lines, ""])


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a page. `status` 0 breaks the line; `wait`: Retry-After (`in 600`: a date so far ahead)."""

    status: int = 200
    wait: str = ""
    where: Where = "here"
    drips: bool = False
    lies: bool = False
    rubbish: bool = False
    s: float = 0.4


@dataclass(frozen=True, slots=True)
class Page:
    """A registered address: `replies` in turn, the last one for ever.

    `inner`: for a list, the answers of the pages it leads to, in turn: an undated article, a photo story, older pages.
    Without any it leads nowhere.
    """

    path: str
    kind: Kind
    replies: tuple[Reply, ...] = (Reply(),)
    inner: tuple[Reply, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """A server: `shy_s`: whoever asks sooner after the last answer gets 429 with `wait`; `robots`: from when which file."""

    host: str
    temper: Temper = "healthy"
    scheme: str = "https"
    shy_s: float = 0.0
    wait: str = ""
    robots: tuple[tuple[float, Robots], ...] = ((0.0, Robots(404)),)
    pages: tuple[Page, ...] = ()

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as its server saw it, and what the server answered.

    `ended`: the last byte sent, or the line dropped. `cut`: the asker was gone before the end. `robots`: the rules that
    the answer carried, for the origin `robots_for`; `location`: the full address it redirects to.
    """

    server: str
    url: str
    started: float
    ended: float
    status: int
    headers: Mapping[str, str]
    wait: str = ""
    location: str = ""
    robots: Robots | None = None
    robots_for: str = ""
    cut: bool = False


@dataclass
class AnyWeb:
    """The servers of one drawn world, answering from their own clock."""

    sites: tuple[Site, ...]
    log: list[Seen] = field(default_factory=list)
    _turns: Counter[str] = field(default_factory=Counter)
    _free: dict[str, float] = field(default_factory=dict)

    def answer(self, url: str, headers: Mapping[str, str], now: float) -> Answer:
        """Answer and note it with the end it would have."""
        parts = urlsplit(url)
        site = next((site for site in self.sites if site.host == (parts.hostname or "")), None)
        given, seen = self._given(site, url, headers, now)
        seen = replace(
            seen, started=now, ended=now + given.duration_s, status=given.status, url=url,
            server=fold(parts.netloc), headers=dict(headers),
        )  # fmt: skip
        self.log.append(seen)
        self._free[seen.server] = seen.ended if math.isfinite(seen.ended) else now
        return replace(given, number=len(self.log) - 1)

    def closed(self, number: int, at: float, status: int | None = None) -> None:
        """The asker hung up at that moment."""
        seen = self.log[number]
        self.log[number] = replace(seen, ended=at, cut=True)
        self._free[seen.server] = at

    def address(self, host: str) -> str:
        """What the name service says; empty for a name it does not know."""
        at, site = next(((at, site) for at, site in enumerate(self.sites) if site.host == host), (0, None))
        if site is None:
            return "10.9.8.7" if host.startswith("inside.") else host if host.replace(".", "").isdigit() else ""
        if site.temper in ("no_name", "private_name"):
            return "" if site.temper == "no_name" else "10.11.12.13"
        return f"11.7.{at // 200}.{1 + at % 200}"

    def _given(self, site: Site | None, url: str, headers: Mapping[str, str], now: float) -> tuple[Answer, Seen]:
        blank = Seen("", url, now, now, 0, headers)
        if site is None or site.temper in ("no_name", "dead", "reset"):
            broken = {"dead": "refused_connection", "reset": "reset"}
            return Answer(0, error=broken.get(site.temper if site else "", "dns"), duration_s=0.1), blank
        s = {"slow": 11.0, "drip": math.inf}.get(site.temper, 0.4)
        path = urlsplit(url).path
        if site.temper == "shy" and now < self._free.get(fold(site.host), -math.inf) + site.shy_s:
            return _said(Reply(429, site.wait, s=s), blank, now)
        if path == "/robots.txt" or path.startswith("/robots-of/"):
            return self._robots(site, path, blank, now, s)
        return self._page(site, path, blank, headers, now, s)

    def _robots(self, site: Site, path: str, blank: Seen, now: float, s: float) -> tuple[Answer, Seen]:
        owner = site if path == "/robots.txt" else self.sites[int(path.rsplit("/", 1)[1])]
        rules = [rules for since, rules in owner.robots if since <= now][-1]
        noted = replace(blank, robots=rules, robots_for=owner.origin)
        if rules.moved is not None and (path == "/robots.txt" or self.sites[rules.moved] is owner):
            target = f"{self.sites[rules.moved].origin}/robots-of/{self.sites.index(owner)}"
            return Answer(302, (("Location", target),), duration_s=s), replace(noted, robots=None, location=target)
        if rules.status != 200:
            return _said(Reply(rules.status, rules.wait, s=s), noted, now)
        body = "<!doctype html><html><body>없는 쪽</body></html>" if rules.html else rules.text()
        kind = "text/html" if rules.html else "text/plain"
        duration_s = math.inf if rules.drips else s
        return Answer(200, (("Content-Type", kind),), body.encode(), duration_s), noted

    def _page(
        self, site: Site, path: str, blank: Seen, headers: Mapping[str, str], now: float, s: float
    ) -> tuple[Answer, Seen]:
        if path.startswith(INNER):
            return self._inner(site, path, blank, now, s)
        moved = path.startswith("/to/")
        at = int(path.rsplit("/", 1)[1]) if moved else -1
        every = [(owner, page) for owner in self.sites for page in owner.pages]
        owner, page = (
            every[at] if moved else next(((site, page) for page in site.pages if page.path == path), (site, None))
        )
        if page is None:
            return _said(Reply(404, s=s), blank, now)
        left = int(path.split("/")[2]) if moved else 0
        if left:
            target = f"{site.origin}/to/{left if left == 9 else left - 1}/{at}"
            return _redirect(target, blank, s)
        if moved:
            reply = Reply(s=s)
        else:
            turn = self._turns[page.path + site.host]
            self._turns[page.path + site.host] += 1
            reply = page.replies[min(turn, len(page.replies) - 1)]
        reply = replace(reply, s=math.inf if reply.drips else max(s, reply.s))
        if 300 <= reply.status < 400 and reply.status != 304:
            return _redirect(self._target(site, page, reply, every.index((owner, page))), blank, reply.s, reply.status)
        if reply.status != 200:
            return _said(reply, blank, now)
        return _served(owner, page, every.index((owner, page)), reply, headers, now), blank

    def _inner(self, site: Site, path: str, blank: Seen, now: float, s: float) -> tuple[Answer, Seen]:
        """A page that a list leads to."""
        _, kind, number, which = path.split("/")
        page = [page for owner in self.sites for page in owner.pages][int(number)]
        turn = self._turns[f"inner {number}"]
        self._turns[f"inner {number}"] += 1
        reply = page.inner[min(turn, len(page.inner) - 1)] if page.inner else Reply(404)
        reply = replace(reply, s=math.inf if reply.drips else max(s, reply.s))
        if 300 <= reply.status < 400 and reply.status != 304:
            return _redirect(f"{site.origin}{path}", blank, reply.s, reply.status)
        if reply.status != 200:
            return _said(reply, blank, now)
        body = _OLDER if kind == "older" else _ARTICLE
        next_page = f"{site.origin}/older/{number}/{int(which) + 1}" if kind == "older" else ""
        text = body.format(link=f"{site.origin}/old/{number}/{which}", version=which, older=next_page)
        return Answer(200, (("Content-Type", "text/html"),), text.encode(), reply.s), blank

    def _target(self, site: Site, page: Page, reply: Reply, at: int) -> str:
        there = self.sites[(self.sites.index(site) + 1) % len(self.sites)]
        match reply.where:
            case "there":
                return f"{there.origin}/to/0/{at}"
            case "loop":
                return f"{there.origin}/to/9/{at}"
            case "chain":
                return f"{there.origin}/to/3/{at}"
            case "self":
                return f"{site.origin}{page.path}"
            case "private":
                return "http://10.1.2.3/feed"
            case "private_name":
                return "http://inside.example/feed"
            case "login":
                return f"{site.origin}/member/login.php"
        return f"{site.origin}/to/0/{at}"


def _said(reply: Reply, blank: Seen, now: float) -> tuple[Answer, Seen]:
    """A bare answer with a Retry-After where one is given."""
    if reply.status == 0:
        return Answer(0, error="reset", duration_s=reply.s), blank
    wait = reply.wait
    ended = now + (reply.s if math.isfinite(reply.s) else 30)
    if wait.startswith("in "):
        wait = http_date(ended + float(wait[3:]))
    sent = (("Retry-After", wait),) if wait else ()
    given = Answer(reply.status, (("Date", http_date(ended)), ("Content-Type", "text/plain"), *sent), b"no", reply.s)
    return given, replace(blank, wait=wait)


def _redirect(target: str, blank: Seen, s: float, status: int = 302) -> tuple[Answer, Seen]:
    return Answer(status, (("Location", target),), b"", s), replace(blank, location=target)


def _served(site: Site, page: Page, at: int, reply: Reply, headers: Mapping[str, str], now: float) -> Answer:
    version = int(now // (2 * 86_400))
    etag = f'"{page.path}{version}"'
    if headers.get("If-None-Match") == etag:
        return Answer(304, (("ETag", etag),), b"", reply.s)
    link = f"{site.origin}/article/{page.path.strip('/').replace('/', '-')}-{version}"
    body = _RUBBISH if reply.rubbish else _BODIES[page.kind].format(link=link, version=version)
    if page.inner and not reply.rubbish:
        body += _MORE.format(origin=site.origin, at=at, version=version)
    label = "euc-kr" if reply.lies else "utf-8"
    kind = {"feed": "application/rss+xml", "json": "application/feed+json", "list": "text/html"}[page.kind]
    return Answer(200, (("Content-Type", f"{kind}; charset={label}"), ("ETag", etag)), body.encode(), reply.s)


_RUBBISH = "<html><body>점검 중입니다</body></html>"
_BODIES: dict[Kind, str] = {
    "feed": '<?xml version="1.0"?><rss version="2.0"><channel><title>봄</title><item><title>총학 {version}</title>'
    "<link>{link}</link></item></channel></rss>",
    "json": '{{"version": "https://jsonfeed.org/version/1.1", "title": "봄", "items": '
    '[{{"id": "{link}", "url": "{link}", "title": "축제 {version}"}}]}}',
    "list": '<!doctype html><ul><li><a href="{link}">총학 {version}</a> <time>2026-03-04T10:00</time></li></ul>',
}
_MORE = (
    '<li><a href="{origin}/date/{at}/{version}">날짜 없는 기사</a></li>'
    '<li><a href="{origin}/photo/{at}/{version}">[포토] 축제</a> <time>2026-03-04T09:00</time></li>'
    '<a rel="next" href="{origin}/older/{at}/1">다음</a>'
)
_OLDER = (
    '<ul><li><a href="{link}">지난 기사 {version}</a> <time>2026-02-01T10:00</time></li>'
    '<a rel="next" href="{older}">다음</a></ul>'
)
_ARTICLE = '<meta property="og:image" content="{link}.jpg"><p><time>2026-03-03T10:00</time> {version}{older}</p>'
INNER = ("/date/", "/photo/", "/older/")
"""Where the pages stand that a list leads to; the number behind is the list's place among all registered addresses."""
