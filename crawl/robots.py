"""Judges an answer for /robots.txt and says what it opens and closes for us (P40 to P45, RFC 9309). Pure.

A settled answer becomes one of three states. `rules`: the file has groups. `no_rules`: there is none (404, 410, another
4xx) or what came is no robots.txt. `unreadable`: nobody could read what the server wants, which is never permission.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from protego import Protego

from crawl import blocks, robotsbytes, urls
from crawl.headers import media_type
from crawl.model import Response
from crawl.policy import AGENT

State = Literal["rules", "no_rules", "unreadable"]
Verdict = Literal["open", "closed", "no_rules"]

_DENIED = (401, 403, 429)
_WANTS_HOPS = (301, 302, 303, 307, 308)
_DELAY = re.compile(
    r"\+?\s*([1-9]\d{0,2}(?:,\d{3})+(?!\d)|\d+(?:[.,]\d*)?|[.,]\d+)(e\+?\d{1,3})?\s*([^\W\d_]*)", re.IGNORECASE
)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_DELAY_CHARS = 64
_UNITS_S = {
    "ms": 0.001, "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "분": 60,
    "h": 3600, "hour": 3600, "hours": 3600, "시간": 3600,
}  # fmt: skip
_NEVER_S = 2.0**31
"""A delay beyond any clock; RFC 9111 section 1.2.2 cuts such numbers here."""
_HTML_START = re.compile(rb"[\s\x00\xef\xbb\xbf]*<[a-z!?]", re.IGNORECASE)
_WALLS = ("login_page", "block_page", "challenge_page")


@dataclass(frozen=True, slots=True)
class Rules:
    """What one origin's robots.txt says to us. `reason` names why: see `read`.

    `named`: a group names CampusPressHub. `delay_s`: the binding group's Crawl-delay.
    """

    state: State
    reason: str
    named: bool = field(default=False, compare=False)
    delay_s: float | None = field(default=None, compare=False)
    _paths: Protego | None = field(default=None, compare=False, repr=False)

    def verdict(self, url: str) -> Verdict:
        """Whether a web path may be asked (P40, P41): the group naming us, or else that of `*`.

        An unreadable file opens nothing: `closed` for every address. That is P42 and not P43, so ask `state` first.
        What is no http(s) address is closed too.
        """
        if self.state == "no_rules":
            return "no_rules"
        return "open" if self._paths is not None and self._opens(url) else "closed"

    def named_verdict(self, url: str) -> Literal["open", "closed"] | None:
        """What the group naming us says about a feed (P44, `feeds.obey_named_group`); None where no group names us."""
        if not self.named:
            return None
        return "open" if self._opens(url) else "closed"

    def crawl_delay_s(self) -> float | None:
        """Seconds the binding group asks for between requests (P21), None where it asks for nothing readable.

        Not limited from below: the larger of this and our own spacing counts, and that is the gate's to say.
        """
        return self.delay_s

    def _opens(self, url: str) -> bool:
        try:
            sent = urls.requestable(url)
        except ValueError:
            return False
        path = robotsbytes.spelled(sent[len(urls.origin(sent)) :].encode("ascii"))
        return self._paths is None or self._paths.can_fetch(f"http://host{path}", AGENT)


def robots_url(url: str) -> str:
    """Where the robots.txt of an address's origin stands (RFC 9309 section 2.3). ValueError: not http(s)."""
    return f"{urls.origin(url)}/robots.txt"


def read(response: Response) -> Rules:
    """Judge a settled answer for /robots.txt (P42); its redirects were followed before, so one left is one too many.

    Reasons. Unreadable: `http_503` and its kin, the names of `Response.error` (`timeout`, `cut_off` …), `no_answer`,
    `too_many_redirects`, `login_page`, `block_page`, `challenge_page`. No rules: `http_404` and its kin,
    `empty`, `html_page`, `no_rule_lines`, `rules_without_agent`. Rules: `rules`, `first_500_kib` where the file is longer.
    """
    status = response.status
    if status == 0:
        return Rules("unreadable", response.error or "no_answer")
    if 300 <= status < 400:
        return Rules("unreadable", _redirected(response))
    if status in _DENIED or not 200 <= status < 500:
        return Rules("unreadable", f"http_{status}")
    if status >= 400:
        wall = blocks.recognise(status, response.headers, response.body, response.url)
        # A site's own "not found" page may carry a login box; only a wall says that the answer was no answer.
        if wall in ("block_page", "challenge_page"):
            return Rules("unreadable", wall)
        return Rules("no_rules", f"http_{status}")
    if response.error is not None and (response.error != "too_large" or not response.body):
        return Rules("unreadable", response.error)
    return _file(response)


def _redirected(response: Response) -> str:
    target = urls.location(response.header("location"), response.url)
    if response.status not in _WANTS_HOPS or target is None:
        return f"http_{response.status}"
    return "login_page" if blocks.is_login_address(target) else "too_many_redirects"


def _file(response: Response) -> Rules:
    """The rules of a file that arrived. HTML counts as a file only where it has whole groups on lines of their own."""
    body = response.body
    found = robotsbytes.prepare(body, cut=response.error == "too_large")
    html = _HTML_START.match(body[:1_000]) is not None
    if found.content != "rules" or html:
        wall = blocks.recognise(response.status, response.headers, body, response.url)
        if wall in _WALLS:
            return Rules("unreadable", wall)
    if found.content != "rules":
        return Rules("no_rules", _why_none(response, found.content, html))
    long = response.error == "too_large" or len(body) > robotsbytes.READ_MAX_BYTES
    delays = [delay for text in found.delays if (delay := _delay_s(text)) is not None]
    return Rules(
        "rules",
        "first_500_kib" if long else "rules",
        found.named,
        max(delays, default=None),
        Protego.parse(found.text),
    )


def _why_none(response: Response, content: str, html: bool) -> str:
    if not response.body.strip(b"\x00\t\r\n \xef\xbb\xbf"):
        return "empty"
    if html or media_type(response.header("content-type")) in ("text/html", "application/xhtml+xml"):
        return "html_page"
    return "rules_without_agent" if content == "ungrouped" else "no_rule_lines"


def _delay_s(text: str) -> float | None:
    """One Crawl-delay value in seconds: the number it begins with, None for words and negatives.

    Of several lines the caller takes the longest. A comma is a decimal sign unless three digits follow it. A unit behind
    the number counts (`1 min`, `2분`), any other word behind it does not change it.
    """
    found = _DELAY.match(text[:_DELAY_CHARS].strip())
    if found is None:
        return None
    digits = found[1].replace(",", "" if _THOUSANDS.fullmatch(found[1]) else ".")
    number = float(digits + (found[2] or ""))
    return min(number * _UNITS_S.get(found[3].lower(), 1), _NEVER_S)
