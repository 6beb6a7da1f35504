"""What the crawler says about itself to machines: /bot.json and /bot/ips.json (S34)."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from build import filters
from build.pagekinds import Plain
from build.records import AGENT, ROBOTS_TOKEN, Hub, PolicyRow, Press

BOT = "bot.json"
ADDRESSES = "bot/ips.json"
BOT_KEYS = (
    "name", "user_agent", "robots_txt", "purpose", "operator", "contact", "policy", "addresses", "signed", "rules", "last_night",
)  # fmt: skip
"""What /bot.json always holds, in this order."""

_PURPOSE = {
    "ko": "대학 언론이 공개한 글의 제목과 짧은 요약을 모아 원문으로 이어 주는 공개 색인",
    "en": "A public index of Korean student media: titles, short summaries and links to the originals",
}
_NONE_LAST = "There is no address that lasts: hosted runners have another one every night."


def files(press: Press, base_url: str) -> Iterator[Plain]:
    """Both files; `base_url` is where the site will stand, empty where that is not known."""
    yield Plain(BOT, _json(_bot(press, base_url)))
    yield Plain(ADDRESSES, _json(_addresses(press.hub)))


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def _bot(press: Press, base_url: str) -> dict[str, Any]:
    hub = press.hub
    return {
        "name": hub.name_en,
        "user_agent": {"begins_with": AGENT, "in_full": hub.user_agent},
        "robots_txt": {
            "token": ROBOTS_TOKEN,
            "asked_before": [
                "lists",
                "article pages",
                "photo checks",
                "editions",
                "home pages",
                "JSON Feeds",
                "older pages",
            ],
            "binds_rss_and_atom_feeds": hub.feeds_obey_named_group,
            "feeds_while_unreadable": hub.robots_unreachable if hub.feeds_obey_named_group else None,
        },
        "purpose": _PURPOSE,
        "operator": hub.operator,
        "contact": filters.contact_link(hub).removeprefix("mailto:"),
        "policy": {"ko": f"{base_url}policy/", "en": f"{base_url}en/policy/"},
        "addresses": {"lasting": list(hub.addresses), "list": f"{base_url}{ADDRESSES}"},
        "signed": any(row.rule == "S01" and row.in_force for row in press.policy),
        "rules": [_rule(rule, tuple(rows)) for rule, rows in groupby(sorted(press.policy, key=_of), key=_of)],
        "last_night": _night(press),
    }


def _of(row: PolicyRow) -> str:
    return row.rule


def _rule(rule: str, rows: tuple[PolicyRow, ...]) -> dict[str, Any]:
    return {
        "rule": rule,
        "in_force": any(row.in_force for row in rows),
        "broken_last_night": sum(row.breaches for row in rows),
        "values": [
            {"name": row.name, "value": _whole(row.value), "limit": _whole(row.floor), "unit": row.unit}
            for row in rows
            if row.value is not None
        ],
    }


def _whole(value: float | None) -> float | int | None:
    return int(value) if value is not None and value == int(value) else value


def _night(press: Press) -> dict[str, Any] | None:
    night = press.last_night
    if night is None:
        return None
    return {
        "day": night.day,
        "started": filters.stamp(night.started),
        "ended": None if night.ended is None else filters.stamp(night.ended),
        "requests": night.requests,
        "servers": len(press.servers),
        "broken": night.breaches,
    }


def _addresses(hub: Hub) -> dict[str, Any]:
    """The list in the form that search engines publish theirs in, so that a firewall's script can read it."""
    prefixes = [_prefix(written) for written in hub.addresses]
    return {"prefixes": prefixes} if prefixes else {"prefixes": [], "note": _NONE_LAST}


def _prefix(written: str) -> dict[str, str]:
    found = ipaddress.ip_network(written, strict=False)
    return {f"ipv{found.version}Prefix": str(found)}


def faults(path: str, body: bytes) -> Iterable[str]:
    """What is wrong with one of the two files as it stands, in words."""
    try:
        found = json.loads(body)
    except ValueError as exc:
        return [f"is no JSON ({exc})"]
    if not isinstance(found, dict):
        return ["holds no object"]
    if path == BOT:
        return [f"{key} is missing" for key in BOT_KEYS if key not in found]
    if path == ADDRESSES:
        return _prefix_faults(found.get("prefixes"))
    return []


def _prefix_faults(prefixes: Any) -> list[str]:
    if not isinstance(prefixes, list):
        return ["prefixes is missing"]
    wrong = []
    for each in prefixes:
        try:
            ((name, written),) = each.items()
            right = name == f"ipv{ipaddress.ip_network(written).version}Prefix"
        except (AttributeError, ValueError):
            right = False
        if not right:
            wrong.append(f"{each!r} is no network")
    return wrong
