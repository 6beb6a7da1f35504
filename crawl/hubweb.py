"""[web] in hub.toml: what the pages say about this hub elsewhere. The crawler uses none of it and only checks it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crawl import cells
from crawl.csvtable import did_you_mean
from crawl.errors import Problem
from crawl.hubplace import Place

FIELD = "field_outlets"
KEYS = (FIELD, "datasette", "google_site_verification", "naver_site_verification")

FIELD_MOST = 100_000

_TOKEN = re.compile(r"[A-Za-z0-9_-]{10,100}=?=?")


def faults(table: dict[str, Any], place: Place) -> Iterator[Problem]:
    """What is wrong in [web]: unknown keys, an address that is none, a verification that is more than its content."""
    for key, value in table.items():
        if key not in KEYS:
            cure = f"remove it{did_you_mean(key, KEYS)}"
            yield place.problem("web", key, f'the key "{key}" is unknown in [web]', cure)
        elif key == FIELD:
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= FIELD_MOST:
                cure = "write a whole number, 0 where nobody knows"
                yield place.problem("web", key, f"{key} = {value} is no number of outlets", cure)
        elif not isinstance(value, str):
            yield place.problem("web", key, f"{key} is not text", "put the value into double quotes")
        elif value.strip() and (fault := _fault(key, value.strip())):
            yield place.problem("web", key, f'{key} "{value}" {fault[0]}', fault[1])


def _fault(key: str, value: str) -> tuple[str, str] | None:
    if key == "datasette":
        return cells.address_fault(value)
    if _TOKEN.fullmatch(value):
        return None
    if "<" in value or "content=" in value:
        return "is more than its content", "write only what stands between the quotes after content="
    return "is no verification", "write the letters and digits that the search engine gave you, nothing around them"
