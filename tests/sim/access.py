"""The servers' own record of who asked what and when: the independent witness of the crawler's manners."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Access:
    """One request as the server saw it. Times are epoch seconds; `ended`: the last byte sent or the line dropped.

    `status` is 0 where no status line was sent; `server` is folded by the simulator's own rule.
    """

    server: str
    host: str
    path: str
    url: str
    started: float
    ended: float
    status: int
    headers: Mapping[str, str]

    @property
    def agent(self) -> str:
        """The User-Agent as sent, empty where none was."""
        return next((value for name, value in self.headers.items() if name.lower() == "user-agent"), "")


def smallest_gap(log: Iterable[Access]) -> dict[str, float]:
    """For each server asked twice or more: the least seconds from the end of a request to the start of the next.

    Requests that overlap give a negative gap. An earlier request that outlasts later ones counts until its own end.
    """
    gaps: dict[str, float] = {}
    busy_until: dict[str, float] = {}
    for access in sorted(log, key=lambda access: (access.started, access.ended)):
        before = busy_until.get(access.server)
        if before is not None:
            gap = access.started - before
            gaps[access.server] = min(gap, gaps.get(access.server, gap))
        busy_until[access.server] = max(access.ended, before if before is not None else access.ended)
    return gaps


def count(log: Iterable[Access]) -> dict[str, int]:
    """How many requests each server saw."""
    return dict(Counter(access.server for access in log))


def line(access: Access) -> str:
    """The access as one JSON line."""
    row = {"server": access.server, "host": access.host, "started": access.started, "ended": access.ended}
    row |= {"status": access.status, "path": access.path, "url": access.url, "user_agent": access.agent}
    return json.dumps(row | {"headers": dict(access.headers)}, ensure_ascii=False)


def read(lines: Iterable[str]) -> list[Access]:
    """Accesses back from the JSON lines of a log file."""
    rows = [json.loads(text) for text in lines if text.strip()]
    names = ("server", "host", "path", "url", "started", "ended", "status", "headers")
    return [Access(*(row[name] for name in names)) for row in rows]
