"""A fresh reader in Chromium, and what goes over its wire."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

SORTS = {"c": "cards", "s": "shards", "p": "pages"}
"""The folders of a segment."""

FIRST = 10
"""How many results are read at first."""


@dataclass
class Cost:
    """What asking cost: bytes over the wire (with headers) and requests, per query."""

    bytes: list[int] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)

    def add(self, size: int, requests: int) -> None:
        """One query more."""
        self.bytes.append(size)
        self.requests.append(requests)

    def told(self) -> str:
        """Median and p90."""
        requests = f"{percentile(self.requests, 50):.0f} / {percentile(self.requests, 90):.0f} requests"
        return f"{kb(self.bytes, 50)} / {kb(self.bytes, 90)} KB, {requests}"


def percentile(values: Sequence[float], percent: int) -> float:
    """A percentile."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]


def kb(values: Sequence[float], percent: int) -> str:
    """A percentile of bytes in KB."""
    return f"{percentile(values, percent) / 1000:.1f}"


class Wire:
    """Listens to what a page sends and gets."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.session: CDPSession = context.new_cdp_session(page)
        self.session.send("Network.enable")
        self.session.on("Network.loadingFinished", self._finished)
        self.session.on("Network.requestServedFromCache", lambda event: self._cached.add(event["requestId"]))
        self.session.on("Network.responseReceived", self._answered)
        self._cached: set[str] = set()
        self._sorts: dict[str, str] = {}
        self.bytes = self.requests = 0
        self.by_sort: Counter[str] = Counter()
        """Bytes of each sort of file: cards, shards, pages of long lists, others."""

    def _answered(self, event: dict[str, Any]) -> None:
        folder = urlsplit(event["response"]["url"]).path.split("/")[-3:-1]
        self._sorts[event["requestId"]] = next((SORTS[name] for name in folder if name in SORTS), "entrance")

    def _finished(self, event: dict[str, Any]) -> None:
        size = int(event["encodedDataLength"])
        if event["requestId"] not in self._cached and size:
            self.bytes += size
            self.requests += 1
            self.by_sort[self._sorts.get(event["requestId"], "entrance")] += size

    def since(self, page: Page, before: tuple[int, int]) -> tuple[int, int]:
        """Bytes and requests since then; waits for the events to have come in."""
        page.wait_for_timeout(15)
        return self.bytes - before[0], self.requests - before[1]


@contextmanager
def opened(browser: Browser, address: str, *, slow: bool = False) -> Iterator[tuple[Page, Wire]]:
    """A fresh reader: nothing cached, the page itself loaded."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(600_000)
    wire = Wire(context, page)
    page.goto(address)
    page.wait_for_function("window.ready")
    if slow:
        wire.session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        wire.session.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 60, "downloadThroughput": -1, "uploadThroughput": -1},
        )
    try:
        yield page, wire
    finally:
        context.close()
