"""/sitemap.xml and /robots.txt: every page for search engines, with the moment its stories last changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote
from xml.sax.saxutils import escape

from build import filters
from build.index import Index
from build.pagekinds import Plain, Sheet, is_deferred, is_page

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PAGES_MAX = 50_000
"""A sitemap holds no more addresses than this; the protocol's other limit, 50 MB, is 1,000 bytes an address away."""

NOT_TOLD = frozenset({"404.html"})


@dataclass(frozen=True, slots=True)
class Place:
    """One page: its address below the root, and when one of its stories last changed for us (epoch seconds).

    `changed` is None where no story stands on it: then nothing honest can be said.
    """

    url_path: str
    changed: int | None


def place(sheet: Sheet, index: Index) -> Place | None:
    """Where a sheet stands in the sitemap; None for what is no page or asks not to be found."""
    if is_deferred(sheet):
        return Place(sheet.head.url_path, None)
    if not is_page(sheet) or sheet.head.path in NOT_TOLD:
        return None
    changed = [index.changed[id] for listed in sheet.listed() for id in listed.ids]
    return Place(sheet.head.url_path, max(changed, default=None))


def files(places: Sequence[Place], base_url: str) -> Iterator[Plain]:
    """robots.txt, and the sitemap where the site knows its address: a sitemap's addresses must be whole."""
    whole = base_url.startswith("http")
    lines = ["User-agent: *", "Allow: /", *([f"Sitemap: {base_url}sitemap.xml"] if whole else [])]
    yield Plain("robots.txt", ("\n".join(lines) + "\n").encode())
    if not whole:
        return
    parts = [places[at : at + PAGES_MAX] for at in range(0, len(places), PAGES_MAX)]
    if len(parts) == 1:
        yield Plain("sitemap.xml", _pages(parts[0], base_url))
        return
    for number, part in enumerate(parts, 1):
        yield Plain(f"sitemap-{number}.xml", _pages(part, base_url))
    yield Plain("sitemap.xml", _parts(parts, base_url))


def _pages(places: Sequence[Place], base_url: str) -> bytes:
    lines = [f"<url><loc>{_address(base_url, one.url_path)}</loc>{_lastmod(one.changed)}</url>" for one in places]
    return _document("urlset", lines)


def _parts(parts: Sequence[Sequence[Place]], base_url: str) -> bytes:
    lines = [
        f"<sitemap><loc>{_address(base_url, f'sitemap-{number}.xml')}</loc>"
        f"{_lastmod(max((one.changed for one in part if one.changed is not None), default=None))}</sitemap>"
        for number, part in enumerate(parts, 1)
    ]
    return _document("sitemapindex", lines)


def _document(name: str, lines: Sequence[str]) -> bytes:
    whole = [f'<?xml version="1.0" encoding="UTF-8"?>\n<{name} xmlns="{NAMESPACE}">', *lines, f"</{name}>\n"]
    return "\n".join(whole).encode()


def _address(base_url: str, path: str) -> str:
    return escape(base_url + quote(path))


def _lastmod(at: int | None) -> str:
    return "" if at is None else f"<lastmod>{filters.utc_stamp(at)}</lastmod>"
