"""Checks a finished site as a reader's browser would meet it: links, required parts, weights. Nothing is requested."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

from selectolax.lexbor import LexborHTMLParser, LexborNode

from build import botfile
from build.records import BuildMisuse
from build.render import CSP
from build.write import SITE_MAX_BYTES

CARDS = 50
CARDS_RAW_BYTES = 65_000
CARDS_GZIP_BYTES = 19_000
ASSETS_GZIP_BYTES = 30_000
LOADED = {"script": "src", "img": "src", "iframe": "src", "audio": "src", "video": "src", "source": "src"}
PICTURES = ("img",)
PLAYERS = ("audio", "video")
_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")


@dataclass(frozen=True, slots=True, order=True)
class Flaw:
    """One thing wrong with a site: in which file, what, and what to do."""

    path: str
    what: str
    cure: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}; {self.cure}"


@dataclass(slots=True)
class _Seen:
    """What was read of all pages before links are followed."""

    ids: dict[str, set[str]] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    loads: dict[frozenset[str], str] = field(default_factory=dict)
    """Styles and scripts that are asked for together, with the first page that does so."""


def check(site: Path) -> list[Flaw]:
    """Everything wrong with the site in that folder, in order of path. Raises BuildMisuse where there is none."""
    if not (site / "index.html").is_file():
        raise BuildMisuse(f"{site}: no site here; build one with `python -m build site --out {site}`")
    paths = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    seen, root = _Seen(), site_root(site)
    flaws: list[Flaw] = []
    for path in paths:
        if path.endswith(".html"):
            flaws += _page(path, (site / path).read_bytes(), root, seen)
        elif path.endswith((".atom", ".rss", ".xml")):
            flaws += _feed(path, (site / path).read_bytes())
        elif path.endswith(".json"):
            flaws += [
                Flaw(path, what, "mend what writes it") for what in botfile.faults(path, (site / path).read_bytes())
            ]
    for path in (botfile.BOT, botfile.ADDRESSES):
        if path not in paths:
            flaws.append(Flaw(path, "is missing", "build the site anew"))
    flaws += _dead_links(seen, set(paths), root)
    flaws += _heavy(site, seen.loads)
    flaws += _whole(site, paths)
    return sorted(flaws)


def site_root(site: Path) -> str:
    """The path the site was built to stand at (`/` or `/folder/`), as its 404 page says."""
    try:
        html = (site / "404.html").read_bytes()
    except FileNotFoundError:
        return "/"
    node = LexborHTMLParser(html).css_first('meta[name="site-root"]')
    return (node.attributes.get("content") if node else None) or "/"


def _page(path: str, body: bytes, root: str, seen: _Seen) -> Iterator[Flaw]:
    tree = LexborHTMLParser(body)
    asked = [node.attributes.get("src") or "" for node in tree.css("script[src]")]
    asked += [node.attributes.get("href") or "" for node in tree.css('link[rel="stylesheet"]')]
    seen.loads.setdefault(frozenset(_target(path, unquote(one), root) or "" for one in asked), path)
    seen.ids[path] = {str(node.attributes.get("id")) for node in tree.css("[id]")}
    yield from _required(path, tree)
    for node in tree.css("*"):
        yield from _node(path, node, seen)
    cards = len(tree.css("li.story"))
    if cards:
        share = max(1, -(-cards // CARDS))
        packed = len(gzip.compress(body, mtime=0))
        if len(body) > CARDS_RAW_BYTES * share or packed > CARDS_GZIP_BYTES * share:
            yield Flaw(path, f"{len(body):,} bytes, {packed:,} packed, for {cards} cards", "make its cards lighter")


def _required(path: str, tree: LexborHTMLParser) -> Iterator[Flaw]:
    def content(selector: str, attribute: str = "content") -> str:
        node = tree.css_first(selector)
        return (node.attributes.get(attribute) if node else None) or ""

    if len(tree.css("h1")) != 1:
        yield Flaw(path, f"{len(tree.css('h1'))} h1 headings", "give the page exactly one")
    title = tree.css_first("head > title")
    wanted = {
        "a title": title.text(strip=True) if title else "",
        "lang on html": content("html", "lang"),
        "meta charset": content("meta[charset]", "charset"),
        "meta viewport": content('meta[name="viewport"]'),
        "meta description": content('meta[name="description"]'),
        "meta color-scheme": content('meta[name="color-scheme"]'),
        "a main element": content("main", "id"),
    }
    for name, value in wanted.items():
        if not value:
            yield Flaw(path, f"{name} is missing", "add it to the template")
    if content('meta[http-equiv="Content-Security-Policy"]') != CSP:
        yield Flaw(path, "the content security policy is missing or another one", "take it from build/render.py")


def _node(path: str, node: LexborNode, seen: _Seen) -> Iterator[Flaw]:
    tag, attributes = node.tag or "", node.attributes
    if tag == "style" or "style" in attributes or (tag == "script" and not _is_loaded_or_data(attributes)):
        yield Flaw(path, f"inline style or script in <{tag}>", "move it to the assets")
    for name in attributes:
        if name.startswith("on"):
            yield Flaw(path, f"an inline handler {name} in <{tag}>", "move it to the assets")
    if tag in ("a", "link") and attributes.get("href") is not None:
        yield from _link(path, tag, attributes, seen)
    source = attributes.get(LOADED.get(tag, ""))
    if source:
        waits = tag in PLAYERS and attributes.get("preload") == "none" and "autoplay" not in attributes
        yield from _loaded(path, tag, source, waits, seen)


def _is_loaded_or_data(attributes: dict[str, str | None]) -> bool:
    """Whether a script comes from a file, or is a block of data that no browser runs."""
    return bool(attributes.get("src")) or attributes.get("type") == "application/ld+json"


def _link(path: str, tag: str, attributes: dict[str, str | None], seen: _Seen) -> Iterator[Flaw]:
    href = attributes["href"] or ""
    scheme = _scheme(href)
    if scheme in ("http", "https") or href.startswith("//"):
        rel = (attributes.get("rel") or "").split()
        if tag == "link" and "canonical" not in rel and not ("alternate" in rel and attributes.get("hreflang")):
            yield Flaw(path, f"<link> makes the browser ask {href}", "serve it from the site")
        elif tag == "a" and "noopener" not in rel:
            yield Flaw(path, f"the link to {href} has no rel=noopener", "add it")
    elif scheme not in ("", "mailto"):
        yield Flaw(path, f"a link with the scheme {scheme}:", "link to http, https or mailto only")
    elif not scheme:
        seen.links.append((path, href))


def _loaded(path: str, tag: str, source: str, waits: bool, seen: _Seen) -> Iterator[Flaw]:
    if _scheme(source) in ("", "data"):
        if not source.startswith("data:"):
            seen.links.append((path, source))
    elif not ((tag in PICTURES or waits) and _scheme(source) == "https"):
        yield Flaw(path, f"<{tag}> makes the browser ask {source}", "serve it from the site")


def _scheme(url: str) -> str:
    found = re.match(r"\s*([A-Za-z][A-Za-z0-9+.-]*):", url)
    return found.group(1).lower() if found else ""


def _feed(path: str, body: bytes) -> Iterator[Flaw]:
    try:
        ET.fromstring(body)
    except ET.ParseError as exc:
        yield Flaw(path, f"not well-formed XML ({exc})", "mend what writes it")


def _dead_links(seen: _Seen, paths: set[str], root: str) -> Iterator[Flaw]:
    known: dict[tuple[str, str], str] = {}
    for path, href in seen.links:
        place = (path.rpartition("/")[0], href) if not href.startswith("#") else (path, href)
        if place not in known:
            known[place] = _dead(path, href, seen, paths, root)
        if known[place]:
            yield Flaw(path, f"the link {href!r} {known[place]}", "correct the link or make the page")


def _dead(path: str, href: str, seen: _Seen, paths: set[str], root: str) -> str:
    """Why a link leads nowhere; empty where it leads somewhere."""
    parts = urlsplit(href)
    target = _target(path, unquote(parts.path), root)
    if target is None:
        return "leaves the site"
    if target not in paths:
        return "leads to nothing"
    fragment = unquote(parts.fragment)
    if fragment and fragment not in seen.ids.get(target, set()):
        return "names a place that is not on the page"
    return ""


def _target(path: str, link: str, root: str) -> str | None:
    if not link:
        return path
    if link.startswith("/"):
        if not link.startswith(root):
            return None
        steps, link = [], link[len(root) :]
    else:
        steps = list(PurePosixPath(path).parent.parts)
    for step in link.split("/"):
        if step == "..":
            if not steps:
                return None
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    if link == "" or link.endswith(("/", "/.", "/..")) or link in (".", ".."):
        steps.append("index.html")
    return "/".join(steps)


def _heavy(site: Path, loads: dict[frozenset[str], str]) -> Iterator[Flaw]:
    """Pages whose styles and scripts, with all that these import, weigh too much together."""
    for asked, page in loads.items():
        known: set[str] = set()
        waiting = {path for path in asked if (site / path).is_file()}
        packed = 0
        while waiting:
            path = waiting.pop()
            body = (site / path).read_bytes()
            known.add(path)
            packed += len(gzip.compress(body, mtime=0))
            near = {_target(path, name, "/") or "" for name in _IMPORT.findall(body.decode("utf-8", "replace"))}
            waiting |= {other for other in near - known if (site / other).is_file()}
        if packed > ASSETS_GZIP_BYTES:
            what = f"its styles and scripts weigh {packed:,} bytes packed"
            yield Flaw(page, what, f"keep to {ASSETS_GZIP_BYTES:,}")


def _whole(site: Path, paths: list[str]) -> Iterator[Flaw]:
    whole = sum((site / path).stat().st_size for path in paths)
    if whole > SITE_MAX_BYTES:
        yield Flaw(".", f"the site weighs {whole:,} bytes", f"keep to {SITE_MAX_BYTES:,}")
