"""Pagefind beside it: the same articles, the same queries, the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser

from bench.searchqueries import Query, Truth


def run(browser: Browser, folder: Path, truth: Truth, asked: Sequence[Query]) -> None:
    """To come."""
