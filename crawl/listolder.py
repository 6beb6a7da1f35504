"""The address of a list's next older page, built from the list's own address where the page shows there is more (P22). Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawl import urls
from crawl.skins import Family

_PARAMETERS = (
    "page", "pageIndex", "currPage", "pageNo", "pageNum", "currentPage", "curPage", "cpage", "pg", "paged", "p",
    "article.offset", "pager.offset",
)  # fmt: skip
_PATH_PAGE = re.compile(r"/page/(\d{1,6})/?$")
_PAGED = re.compile(r"/page/\d|[?&.;](?:[a-z]*page|pg|p|offset|paged)(?:index|no|num)?=\d", re.IGNORECASE)
_CALL = re.compile(r"\w\(\s*['\"]?(\d{1,6})['\"]?\s*\)")
_PAGE_NUMBER = re.compile(r"[1-9]\d{0,3}", re.ASCII)
_NO_PAGE = re.compile(r"(?:[a-z_]*(?:day|date|month|year|issue|vol|ho|cate?)[a-z_]*|[dmy]|dd|mm|yy+)", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_PAGERS_MAX = 5
_LINKS_MAX = 3_000
_LARGEST = 1_000_000
_COUNTED = re.compile(r"list_per_page\b\s*[=:]\s*[\"']?(\d{1,4})")


def older(
    tree: LexborHTMLParser, *, url: str, base: str, source: str, family: Family, articles: frozenset[str], items: int
) -> str | None:
    """The next page's address, or None at the end and where there is none by GET.

    `url`: the list's own address; `base`: what links are resolved against; `articles`: addresses of the list's items, which are
    no pages of it; `items`: how many of them are not pinned.
    """
    if not family.page or not items:
        return None
    linked = _linked(tree, base, url, articles)
    if family.page == "path":
        return _older_path(tree, url, linked, family, items)
    parameter = family.page if family.page != "*" else next((name for name in _PARAMETERS if _pages(linked, name)), "")
    if not parameter and any(_PATH_PAGE.search(urlsplit(target).path) for target in linked):
        return _older_path(tree, url, linked, family, items)
    if not parameter:
        linked, parameter = _numbered(tree, base, url)
    if parameter and family.page != "*" and not _pages(linked, parameter):
        parameter = next((name for name in _PARAMETERS if name != "p" and _pages(linked, name)), parameter)
    if not parameter:
        return None
    step = _step(url, parameter, family, _pages(linked, parameter))
    current = _number(url, parameter, 0 if step > 1 else 1)
    if not _more(tree, _pages(linked, parameter), current, source, family, items):
        return None
    value = current + step
    printed = _printed(linked, url, parameter, value, family)
    return _with(_filled(url, printed) if printed else url, parameter, value, family.dropped)


def is_older(url: str) -> bool:
    """Whether an address is that of a list's older page, not of its first."""
    on_path = _PATH_PAGE.search(urlsplit(url).path)
    return (on_path is not None and int(on_path[1]) > 1) or any(_number(url, name, 0) > 1 for name in _PARAMETERS)


def _printed(linked: Iterable[str], url: str, parameter: str, value: int, family: Family) -> str | None:
    """The page's own link to the page sought, unless it says something else of the list's own parameters."""
    own = {name: text for name, text in _query(url) if text and name != parameter and name not in family.dropped}
    for target in linked:
        told = dict(_query(target))
        if _number(target, parameter, -1) == value and all(told.get(name, text) == text for name, text in own.items()):
            return target
    return None


def _filled(url: str, printed: str) -> str:
    """A list's own address, in the form of its pager's link and with what only that knows."""
    known = {name for name, _ in _query(url)}
    more = [field for field in _fields(printed) if field.partition("=")[0] not in known and field.partition("=")[2]]
    parts = urlsplit(printed)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "&".join([*_fields(url), *more]), ""))


def _linked(tree: LexborHTMLParser, base: str, url: str, articles: frozenset[str]) -> list[str]:
    """Links to the list itself, whatever their parameters."""
    own = urlsplit(url).path.rstrip("/").removesuffix("/index.php")
    found: list[str] = []
    for node in tree.css("a[href]")[:_LINKS_MAX]:
        href = node.attributes.get("href") or ""
        if not _PAGED.search(href) or href[:11].lower() == "javascript:":
            continue
        target = urls.link(href, base)
        if target and target not in articles:
            path = urlsplit(target).path.rstrip("/").removesuffix("/index.php")
            if path == own or _PATH_PAGE.sub("", path) == _PATH_PAGE.sub("", own):
                found.append(target)
    return found


def _numbered(tree: LexborHTMLParser, base: str, url: str) -> tuple[list[str], str]:
    """Links to the list itself whose words are the number that one parameter of theirs has, and that parameter."""
    own = urlsplit(url).path.rstrip("/")
    found: dict[str, list[str]] = {}
    for node in tree.css("a[href*='=']")[:_LINKS_MAX]:
        number = (node.text() or "").strip(" []\n\t\r")
        if not _PAGE_NUMBER.fullmatch(number):
            continue
        target = urls.link(node.attributes.get("href"), base)
        if target and urlsplit(target).path.rstrip("/") == own:
            for name, value in _query(target):
                if value == number and not _NO_PAGE.fullmatch(name):
                    found.setdefault(name, []).append(target)
    best = max(found, key=lambda name: len(found[name]), default="")
    following = _number(url, best, 1) + 1
    return (found[best], best) if best and following in _pages(found[best], best) else ([], "")


def _pages(linked: Iterable[str], parameter: str) -> list[int]:
    return [page for target in linked if (page := _number(target, parameter, -1)) >= 0]


def _number(url: str, parameter: str, otherwise: int) -> int:
    for name, value in _query(url):
        if name == parameter and value.isdecimal() and value.isascii() and int(value[:8]) < _LARGEST:
            return int(value[:8])
    return otherwise


def _query(url: str) -> list[tuple[str, str]]:
    query = re.sub(r"&(?:amp;)+", "&", urlsplit(url).query)
    return parse_qsl(query, keep_blank_values=True, encoding="latin-1", max_num_fields=None)


def _fields(url: str) -> list[str]:
    return [field for field in re.sub(r"&(?:amp;)+", "&", urlsplit(url).query).split("&") if field]


def _step(url: str, parameter: str, family: Family, pages: Sequence[int]) -> int:
    if not parameter.endswith(".offset"):
        return 1
    if parameter != "article.offset":
        places = sorted({_number(url, parameter, 0), *pages})
        return min((after - before for before, after in itertools.pairwise(places)), default=0) or 10
    return _number(url, "articleLimit", family.page_step if family.page_step > 1 else 10) or 10


def _more(tree: LexborHTMLParser, pages: list[int], current: int, source: str, family: Family, items: int) -> bool:
    if any(page > current for page in pages):
        return True
    total = tree.css_first(".altlist-count strong") if "altlist-count" in source else None
    count = re.sub(r"\D", "", total.text())[:9] if total is not None else ""
    if count:
        printed = _COUNTED.search(source, max(source.find("list_per_page"), 0))
        return current * (int(printed[1]) if printed else family.page_items) < int(count)
    pagers = tree.css(family.pager)[:_PAGERS_MAX]
    # A pager that calls a script names the same pages; the parameter is the family's own.
    if family.page != "*" and any(page > current for pager in pagers for page in _called(pager)):
        return True
    return 0 < family.page_items <= items and not any(_DIGIT.search(pager.text()) for pager in pagers)


def _called(pager: LexborNode) -> list[int]:
    calls = [
        f"{node.attributes.get('href') or ''} {node.attributes.get('onclick') or ''}" for node in pager.css("a")[:50]
    ]
    return [int(found[1]) for call in calls if (found := _CALL.search(call[:300]))]


def _older_path(tree: LexborHTMLParser, url: str, linked: list[str], family: Family, items: int) -> str | None:
    parts = urlsplit(url)
    on_path = _PATH_PAGE.search(parts.path)
    by_query = bool(parts.query) and not on_path
    current = int(on_path[1]) if on_path else _number(url, "paged", 1)
    pages = [int(found[1]) for target in linked if (found := _PATH_PAGE.search(urlsplit(target).path))]
    pages += _pages(linked, "paged")
    following = tree.css_first("link[rel=next][href], .nav-previous a[href], a.next[href], a.older-posts[href]")
    pager = bool(pages) or any(_DIGIT.search(node.text()) for node in tree.css(family.pager)[:_PAGERS_MAX])
    if not any(page > current for page in pages) and following is None and (pager or items < family.page_items):
        return None
    for target in linked:
        found = _PATH_PAGE.search(urlsplit(target).path)
        if found is not None and int(found[1]) == current + 1:
            return target
    if by_query:
        return _with(url, "paged", current + 1, ())
    path = _PATH_PAGE.sub("", parts.path).rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, f"{path}/page/{current + 1}/", parts.query, ""))


def _with(url: str, parameter: str, value: int, dropped: tuple[str, ...]) -> str:
    """An address with one parameter set, in its place where it had it, and without those that are no part of a list's."""
    parts = urlsplit(url)
    fields = _fields(url)
    kept: list[str] = []
    done = False
    for field in fields:
        name = field.partition("=")[0]
        if name == parameter:
            kept += [] if done else [f"{quote(parameter, safe='.')}={value}"]
            done = True
        elif name not in dropped:
            kept.append(field)
    if not done:
        kept.append(f"{quote(parameter, safe='.')}={value}")
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "&".join(kept), ""))
