"""/sitemap.xml and /robots.txt: every page for search engines, with the moment its stories last changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote
from xml.sax.saxutils import escape

from build import filters
from build.index import Index
from build.pagekinds import Head, Plain

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PAGES_MAX = 50_000
"""A sitemap holds no more addresses than this; the protocol's other limit, 50 MB, is 1,000 bytes an address away."""

NOT_TOLD = frozenset({"404.html", "mine/"})
"""Pages that ask not to be found."""


@dataclass(frozen=True, slots=True)
class Place:
    """One page: its address below the root, and when one of its stories last changed for us (epoch seconds).

    `changed` is None where no story stands on it: then nothing honest can be said.
    """

    url_path: str
    changed: int | None


def place(head: Head, shown: Iterable[int], index: Index) -> Place:
    """Where a page stands in the sitemap; `shown`: the articles on it."""
    return Place(head.url_path, index.last_change(shown))


def files(places: Sequence[Place], base_url: str) -> Iterator[Plain]:
    """robots.txt, and the sitemap where the site knows its address: a sitemap's addresses must be whole."""
    whole = base_url.startswith("http")
    lines = ["User-agent: *", "Allow: /", *([f"Sitemap: {base_url}sitemap.xml"] if whole else [])]
    yield Plain("robots.txt", ("\n".join(lines) + "\n").encode())
    if not whole:
        return
    told = [one for one in places if one.url_path not in NOT_TOLD]
    parts = [told[at : at + PAGES_MAX] for at in range(0, len(told), PAGES_MAX)]
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
