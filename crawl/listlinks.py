"""The links of a list page: where they lead, which article each names, and which stand in boxes beside the list. Pure."""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawl import urls, videos
from crawl.listtext import classes
from crawl.skins import BY_NAME, Family

_VIEW_CALL = re.compile(
    r"jf_\w{0,20}?view\w{0,20}\(\s*['\"]?([\w-]+)['\"]?\s*,\s*['\"]?(\d+)['\"]?\s*(?:,\s*['\"]?(\d+)['\"]?)?",
    re.IGNORECASE,
)
_GO_CALL = re.compile(
    r"(?:location(?:\.href)?\s*=|window\.open\(|location\.(?:assign|replace)\()\s*['\"]([^'\"\s]{1,500})['\"]"
)
_DEEP = re.compile(r"[?&]enc=([A-Za-z0-9+/=_%-]{8,4000})")
_NTT = re.compile(r"selectNttList|selectNttInfo|/ntt/", re.IGNORECASE)
_DEPTH_MAX = 60
_SIDE = re.compile(
    r"aside|(?:main|primary|secondary|td-\S+)-sidebar|sidebar[-_](?:inner|wrap\S*|widgets?|area|primary|secondary)|"
    r"(?:sub[-_]?)?side(?:[-_]?(?:bar|wrap|area|box|menu|right|left|content|cont|r|l))?\d?|(?:right|left)[-_]?(?:bar|side|wing)|"
    r"widget(?:[-_]\S+)?|rank(?:ing)?(?:[-_]\S+)?|popular(?:[-_]\S+)?|best(?:[-_]\S+)?|most[-_]?(?:read|view|viewed|popular|comment)\S*|"
    r"hot[-_]?news|recent_art|recent[-_](?:posts|news|list)|lst_pop|lat|latest_wr|relat(?:ed|ion)\S*|auto-article|box-skin|"
    r"foot(?:er)?(?:[-_](?:wrap|area|inner))?|header|hd|gnb|lnb|snb|tnb|nav|navbar|menu|quick(?:[-_]?menu)?|banner\S*|wing|ticker|"
    r"weather_box|breadcrumbs?|prev[-_]?next|view-aside",
    re.IGNORECASE,
)
_SIDE_TAGS = frozenset({"aside", "footer", "nav"})


def base(tree: LexborHTMLParser, url: str) -> str:
    """The address that links are resolved against: `<base href>`, else the page's own."""
    found = tree.css_first("base[href]")
    return (urls.link(found.attributes.get("href"), url) if found is not None else None) or url


def own(tree: LexborHTMLParser, base: str) -> str:
    """What the page says it is: an article's own page links itself, and is no list."""
    said = tree.css_first('meta[property="og:url"][content]')
    canonical = tree.css_first("link[rel=canonical][href]")
    raw = (
        said.attributes.get("content")
        if said is not None
        else canonical.attributes.get("href")
        if canonical is not None
        else ""
    )
    return urls.link(raw, base) or base


def address(link: LexborNode, base: str) -> str | None:
    """Where a link leads, also where a script is asked to go there; None for a link to nowhere."""
    attributes = link.attributes
    href = (attributes.get("href") or "").strip()
    if href and not href.startswith("#") and href[:11].lower() != "javascript:":
        found = urls.link(href, base)
        return _deep(found, base) if found and "enc=" in found else found
    script = f"{href[:500]} {(attributes.get('onclick') or '')[:500]}"
    if going := _GO_CALL.search(script):
        return urls.link(going[1], base)
    call = _VIEW_CALL.search(script)
    if call:
        place = f"/bbs/{call[1]}/{call[2]}/{call[3]}" if call[3] else f"/commonNotice/{call[1]}/{call[2]}"
        return urls.link(f"{place}/artclView.do", base)
    number = attributes.get("data-id") or ""
    if number.isdecimal() and _NTT.search(base):
        return urls.link(f"selectNttInfo.do?nttSn={number}", base)
    return None


def _deep(url: str, base: str) -> str:
    """The article behind a K2Web deep link: its path, without the list's state that rides along."""
    sent = _DEEP.search(url)
    if not sent:
        return url
    code = unquote(sent[1]).replace("-", "+").replace("_", "/")
    try:
        parts = base64.b64decode(code + "=" * (-len(code) % 4)).decode("utf-8").split("|@@|")
    except (binascii.Error, ValueError):
        return url
    path = unquote(parts[1]) if len(parts) > 1 else ""
    return (urls.link(path.partition("?")[0], base) if path.startswith("/") else None) or url


def named(url: str, family: Family, *, pretty: bool = False) -> str | None:
    """What names the article in its address, or None where the address is no article's of this family."""
    if family.never is not None and family.never.search(url):
        return None
    for pattern in (family.article, family.pretty if pretty else None):
        found = pattern.search(url) if pattern is not None else None
        if found:
            groups = found.groupdict()
            name = next((text for text in groups.values() if text), None)
            return name if name is not None else same(url)
    return None


def film(url: str) -> str | None:
    """What names a YouTube film that an item links in place of an article, or None for any other address."""
    found = videos.recognise(url) if "youtu" in url else None
    # Behind the identifier, for one that ends in digits is no number of an article.
    return f"{found.id} youtube" if found is not None else None


def same(url: str) -> str:
    """A name for what has no number: its normalised address."""
    try:
        return urls.normal(url)
    except ValueError:
        return url


def document(link: LexborNode, url: str) -> str | None:
    """XpressEngine's number of a document, from the address or the twin beside it."""
    family = BY_NAME["xe"]
    return named(url, family) or named(f"?{link.attributes.get('data-viewer') or ''}".replace("&amp;", "&"), family)


class Sides:
    """Tells whether an element stands in a box beside the list; remembers what it saw on the way up."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def hold(self, node: LexborNode) -> bool:
        path: list[int] = []
        one: LexborNode | None = node
        verdict = False
        while one is not None and len(path) < _DEPTH_MAX and one.tag not in ("body", "html"):
            known = self._known.get(one.mem_id)
            if known is not None or _is_side(one):
                verdict = known is None or known
                break
            path.append(one.mem_id)
            one = one.parent
        if verdict and one is not None:
            self._known[one.mem_id] = True
        for place in path:
            self._known[place] = verdict
        return verdict


def _is_side(node: LexborNode) -> bool:
    if node.tag in _SIDE_TAGS:
        return True
    names = f"{classes(node)} {node.attributes.get('id') or ''}"
    return len(names) > 1 and any(_SIDE.fullmatch(word) for word in names.split())
