"""What a page asks indexes to leave out: robots meta elements and X-Robots-Tag headers. Pure; never raises.

Words addressed to CampusPressHub by name stand instead of those for everybody; words for another crawler are not ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from crawl import dates
from crawl.policy import AGENT

_US = AGENT.partition("/")[0].lower()
_LONGEST = 1_000
_WORDS_WITH_VALUE = frozenset({"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"})
_NAMED = re.compile(r"\s*([a-z0-9_*-][a-z0-9_*./ -]{0,60}?)\s*:\s*(.*)", re.DOTALL)
_UNTIL = re.compile(r"unavailable_after\s*:\s*(.*)", re.DOTALL)
_NO_SNIPPET = re.compile(r"max-snippet\s*:\s*0(?![0-9])")


@dataclass(frozen=True, slots=True)
class Wishes:
    """`noindex`: show the article nowhere. `nosnippet`: show nothing of its text."""

    noindex: bool = False
    nosnippet: bool = False


def read(tree: LexborHTMLParser | None, headers: Iterable[tuple[str, str]], *, seen: float) -> Wishes:
    """The wishes of a page (None: a body that is no page) and of its answer's headers. `seen`: epoch seconds of the fetch."""
    rules = [rule for name, value in headers if name.lower() == "x-robots-tag" for rule in _header(value)]
    for node in tree.css("meta[name]") if tree is not None else ():
        agent = (node.attributes.get("name") or "").strip().lower()
        if agent in (_US, "robots"):
            words = (node.attributes.get("content") or "")[:_LONGEST].lower()
            rules.append(("" if agent == "robots" else agent, words))
    ours = [words for agent, words in rules if agent == _US]
    return _wishes(ours or [words for agent, words in rules if agent in ("", "*")], seen)


def _header(value: str) -> list[tuple[str, str]]:
    """One header as agents and their words; a name holds until the next (`bot: noindex, other: nofollow`)."""
    rules: list[tuple[str, str]] = []
    agent, words = "", ""
    rest = value[:_LONGEST].lower()
    dated = _UNTIL.search(rest)
    until = dated[0] if dated else ""
    for part in (rest[: dated.start()] if dated else rest).split(","):
        named = _NAMED.fullmatch(part)
        if named and named[1] not in _WORDS_WITH_VALUE:
            rules.append((agent, words))
            agent, words = named[1].partition("/")[0].strip(), named[2]
        else:
            words += f",{part}"
    # A date holds commas of its own and so ends its header.
    return [*rules, (agent, f"{words},{until}")]


def _wishes(rules: list[str], seen: float) -> Wishes:
    noindex = nosnippet = False
    for rule in rules:
        words = {word for word in re.split(r"[\s,;]+", rule) if word}
        noindex = noindex or bool(words & {"noindex", "none"}) or _is_over(rule, seen)
        nosnippet = nosnippet or "nosnippet" in words or _NO_SNIPPET.search(rule) is not None
    return Wishes(noindex, nosnippet)


def _is_over(rule: str, seen: float) -> bool:
    found = _UNTIL.search(rule)
    at = dates.read(found[1], seen=seen).at if found else None
    return at is not None and at <= seen
