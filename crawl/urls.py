"""What an address is: whom it asks, how it goes on the wire, and when two of them are the same article. Pure.

Only http and https addresses have a server, origin, host, port, key or wire form: `server`, `origin`, `host`, `port`,
`requestable`, `normal`, `unpaged` and `key` raise ValueError for anything else, credentials and impossible hosts included.
`link`, `location`, `is_public` and `literal_address` never raise.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from hashlib import blake2b
from urllib.parse import quote, unquote_to_bytes, urljoin

from crawl import hosts, videos
from crawl.hosts import is_public

__all__ = ["host", "is_public", "key", "link", "literal_address", "location", "normal", "origin", "port", "requestable",
           "server", "unpaged"]  # fmt: skip

_LONGEST = 8_192
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ADDRESS = re.compile(r"(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.IGNORECASE | re.DOTALL)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY = re.compile(r"(\[[^\[\]@]*\]|[^\[\]@:]*)(?::([0-9]{0,5}))?", re.ASCII)
_INVISIBLE_ENDS = "\ufeff\u200b\u200c\u200d\u2060\u00ad"
_UNSEEN = re.compile(
    "[\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PATH_SAFE = "/:@!$&'()*+,;=-._~%"


@dataclass(frozen=True, slots=True)
class _Parts:
    """An address taken apart: scheme lower case, host canonical, port None where it is the scheme's own."""

    scheme: str
    host: str
    port: int | None
    path: str
    query: str
    fragment: str

    @property
    def authority(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port is None else f"{name}:{self.port}"


def server(url: str) -> str:
    """The lane an address belongs to (P20): its host, `www.` and `m.` folded, port ignored. ValueError: not http(s)."""
    return hosts.folded(_split(url).host)


def origin(url: str) -> str:
    """Scheme, host and port, robots.txt's scope; the scheme's own port is never written. ValueError: not http(s)."""
    parts = _split(url)
    return f"{parts.scheme}://{parts.authority}"


def port(url: str) -> int:
    """The port an address is asked at, the scheme's own where none is written. ValueError: not http(s)."""
    parts = _split(url)
    return _DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port


def host(url: str) -> str:
    """The host an address names: lower case, punycode, no trailing dot; an IP in its usual form, without brackets.

    ValueError: not http(s).
    """
    return _split(url).host


def link(raw: str | None, base: str) -> str | None:
    """A published link as a checked absolute http(s) address, otherwise as published; None where it is not one.

    Trims, drops control characters, writes invisible and bidi ones as browsers send them, resolves against `base`.
    Refuses other schemes, credentials, and impossible hosts.
    """
    text = _tidied(raw or "")
    scheme = _SCHEME.match(text)
    if not text or len(text) > _LONGEST:
        return None
    try:
        if scheme:
            absolute = scheme[1].lower() + text[scheme.end(1) :]
        elif text.startswith("//"):
            absolute = f"{_split(base).scheme}:{text}"
        else:
            absolute = _tidied(urljoin(_absolute_base(base), text))
        absolute = _UNSEEN.sub(lambda found: quote(found[0]), absolute)
        _split(absolute)
    except ValueError:
        return None
    return absolute


def location(raw: str | None, base: str) -> str | None:
    """The target of a Location header in its wire form, or None. Raw bytes of a path arrive as latin-1 text.

    Every such byte is percent-encoded as it is: UTF-8 stays UTF-8, and a server that writes EUC-KR gets EUC-KR back.
    """
    text = raw or ""
    if not text.isascii():
        try:
            sent = text.encode("latin-1")
        except UnicodeEncodeError:
            sent = text.encode("utf-8", "replace")
        text = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in sent)
    target = link(text, base)
    return None if target is None else requestable(target)


def requestable(url: str) -> str:
    """The form of an address that goes on the wire: ASCII only, no fragment, no dot segments. ValueError: not http(s).

    What is percent-encoded already stays as it is; Korean becomes UTF-8.
    """
    parts = _split(url)
    path = "/".join(_without_dots(parts.path.split("/"))) or "/"
    query = f"?{_wire(parts.query, '?')}" if parts.query else ""
    return f"{parts.scheme}://{parts.authority}{_wire(path)}{query}"


def literal_address(url: str) -> str | None:
    """The IP address where an address (or a bare host) is written as one, in usual form: `http://0x7f.1/` is 127.0.0.1.

    None for names and for what is no address.
    """
    bare = "/" not in url and "\\" not in url
    named = f"[{url}]" if bare and url.count(":") > 1 and "[" not in url else url
    try:
        name = _split(f"http://{named}/" if bare else url).host
    except ValueError:
        return None
    return name if hosts.is_literal(name) else None


def _tidied(url: str) -> str:
    """An address as a browser reads it: no control characters, no blanks around, no backslashes before the query."""
    if not url.isascii() or not url.isprintable():
        url = "".join(char for char in url if unicodedata.category(char) not in ("Cc", "Cs"))
    url = url.strip().strip(_INVISIBLE_ENDS).strip()
    if "\\" in url:
        end = min((at for at in (url.find("?"), url.find("#")) if at >= 0), default=len(url))
        url = url[:end].replace("\\", "/") + url[end:]
    return url


def _split(url: str) -> _Parts:
    """Take an http(s) address apart. Raises ValueError for anything else, credentials and impossible hosts included."""
    found = _ADDRESS.fullmatch(_tidied(url))
    place = found and _AUTHORITY.fullmatch(found[2])
    if not found or not place:
        raise ValueError(f"not an http or https address: {url[:200]!r}")
    scheme = found[1].lower()
    port = int(place[2]) if place[2] else None
    if port is not None and not 0 < port < 65_536:
        raise ValueError(f"no such port: {url[:200]!r}")
    return _Parts(
        scheme,
        hosts.canonical(place[1]),
        None if port == _DEFAULT_PORTS[scheme] else port,
        found[3],
        (found[4] or "")[1:],
        (found[5] or "")[1:],
    )


def _absolute_base(base: str) -> str:
    text = _tidied(base)
    _split(text)
    return text


def _wire(text: str, also_safe: str = "") -> str:
    return quote(_LONE_PERCENT.sub("%25", text), safe=_PATH_SAFE + also_safe)


def _without_dots(segments: list[str]) -> list[str]:
    """Path segments with `.` and `..` resolved (RFC 3986 section 5.2.4), written with `%2e` or not."""
    kept: list[str] = []
    for place, segment in enumerate(segments):
        dots = re.sub("%2e", ".", segment, flags=re.IGNORECASE)
        if dots == ".." and len(kept) > 1:
            kept.pop()
        if dots not in (".", ".."):
            kept.append(segment)
        elif place == len(segments) - 1:
            kept.append("")
    return kept


# Identity (data.md): when two addresses are one article.

_SESSION = re.compile(
    r"phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|session_?id|sess_?id", re.I
)
_TRACKER = re.compile(
    r"utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_[ce]id|mkt_tok"
    r"|_ga|_gl|_hsenc|_hsmi|__hs\w+|vero_id|oly_\w+|rb_clickid|_openstat|wickedid|napm|fromrss|trackingcode"
    r"|__twitter_impression|amp",
    re.I,
)
_AMP_PAGE = re.compile(r"(?:(?<=/articleview)amp|\.amp)(?=\.html$)", re.I)
_ND_ARTICLE = re.compile(r"/news/articleview\.html", re.I)
_ND_PAGE = re.compile(r"(?:.*/)?article\w+\.html|/news/.*", re.I)
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
_ARTICLE_PAGES: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, str] | None], ...] = (
    (re.compile(r".*/bbs/board\.php"), ("bo_table", "wr_id"), None),
    (re.compile(r"/news/article\.html"), ("no",), None),
    (re.compile(r"/news/view\.php"), ("idx",), None),
    (re.compile(r".*/artclView\.do"), (), None),
    (re.compile(r"(?:.*/)?(?:index\.php)?"), ("document_srl",), None),
    (re.compile(r".*\.do"), ("articleNo",), ("mode", "view")),
    (re.compile(r".*/selectNttInfo\.do"), ("nttSn",), None),
    (re.compile(r".*/selectBbsNttView\.do"), ("nttNo",), None),
    (re.compile(r".*/cmsboardview\.do"), ("pkid", "siteId"), None),
    (re.compile(r".*/[0-9]+"), ("no",), ("action", "view")),
    (re.compile(r".*/detail\.php"), ("number", "thread"), None),
    (re.compile(r"/reports"), ("idx",), None),
    (re.compile(r".*"), ("idx",), ("bmode", "view")),
)
"""Paths that only one content system uses, the parameters that name the article there, and one that must say so; all others
are noise: a board's links carry the page of the list they stand on, which changes as articles come."""

_LIST_PAGE = re.compile(
    r"(?:now|cur|curr|current|list|goto|c|s|n|b)?[_-]?page(?:[_-]?(?:no|num|index|idx|number))?|pg|(?:[a-z]+\.)?offset",
    re.I,
)
_TISTORY_ARTICLE = re.compile(r"/(?:[0-9]{1,9}|entry/.+)")
_SHORT_FORMS = {
    "xe": re.compile(r"((?:/.*)?/)(?P<document_srl>[0-9]{1,18})"),
    "gnuboard": re.compile(r"((?:/.*)?)/(?P<bo_table>[\w-]+)/(?P<wr_id>[0-9]{1,18})"),
}
"""Articles' wordless addresses by content system, with the same parameters in them."""


def normal(url: str, cms: str = "") -> str:
    """The normalised address: equal for every spelling of one article, `host/path?query`. ValueError: not http(s).

    Scheme, `www.`, `m.`, AMP copies, default port, repeated and trailing slashes, the order of parameters, session
    ids, trackers and the fragment do not count; a fragment that is a page's name (`#!/…`, `#/…`) does.
    Percent-encoding is undone where it hides valid UTF-8, then NFC; other bytes (EUC-KR) stay encoded, in upper case.
    A YouTube video is `youtube.com/ID` in whatever form it was copied.
    `cms`: the source's content system (sources.csv), whose noise is dropped too. Never fit for a request.
    """
    parts = _split(url)
    name = hosts.folded(parts.host)
    while name.startswith("amp.") and name.count(".") > 1:
        name = hosts.folded(name[4:])
    place = f"[{name}]" if ":" in name else name
    if parts.port is not None and parts.port not in _DEFAULT_PORTS.values():
        place += f":{parts.port}"
    video = videos.at(place, parts.path, parts.query, parts.fragment)
    if video is not None:
        return f"youtube.com/{video.id}"
    path, pairs = _as_article(name, _normal_path(parts.path), _normal_query(parts.query), cms)
    query = "&".join(f"{field}={value}" if equals else field for field, equals, value in pairs)
    fragment = f"#{_canonical(parts.fragment, '!/?&=')}" if parts.fragment.startswith(("!", "/")) else ""
    return place + path + (f"?{query}" if query else "") + fragment


def unpaged(url: str, cms: str = "") -> str | None:
    """A normalised address without the list's page that a board's link says it stands on; None where it says none.

    A second witness only, within one list: elsewhere such a number may be an issue's own page. ValueError: not http(s).
    """
    place, asked, query = normal(url, cms).partition("?")
    fields = query.split("&") if asked else []
    kept = [field for field in fields if not _LIST_PAGE.fullmatch(field.partition("=")[0])]
    return f"{place}?{'&'.join(kept)}" if kept and len(kept) < len(fields) else None


def key(url: str, cms: str = "") -> bytes:
    """An article's key: 8 bytes of BLAKE2b over its normalised address. ValueError: not http(s)."""
    return blake2b(normal(url, cms).encode("utf-8"), digest_size=8).digest()


def _normal_path(raw: str) -> str:
    segments = [_without_session(segment) for segment in raw.split("/")]
    kept = [_canonical(segment) for segment in _without_dots(segments) if segment]
    while kept and kept[-1].lower() == "amp":
        kept.pop()
    while len(kept) > 1 and kept[0].lower() == "amp":
        del kept[0]
    return _AMP_PAGE.sub("", "".join(f"/{segment}" for segment in kept))


def _without_session(segment: str) -> str:
    first, *others = segment.split(";")
    return ";".join([first, *(part for part in others if not _SESSION.fullmatch(part.partition("=")[0]))])


def _normal_query(raw: str) -> list[tuple[str, str, str]]:
    """Parameters as (name, `=` or nothing, value), sorted by name; equal names keep their order, which may matter."""
    fields = re.sub(r"&(?:amp;)+", "&", raw).split("&")
    pairs = []
    for field, equals, value in (field.replace("+", "%20").partition("=") for field in fields if field):
        name = _canonical(field)
        if not _SESSION.fullmatch(name) and not _TRACKER.fullmatch(name) and (name, value) != ("outputType", "amp"):
            pairs.append((name, equals, _canonical(_without_session(value))))
    return sorted(pairs, key=lambda pair: pair[0])


def _as_article(
    name: str, path: str, pairs: list[tuple[str, str, str]], cms: str
) -> tuple[str, list[tuple[str, str, str]]]:
    """Path and parameters without the noise of the content system that made them (facts of each system's addresses)."""
    values = {field: value for field, _, value in reversed(pairs) if value}
    idxno = values.get("idxno", "")
    nd_soft = _ND_PAGE.fullmatch(path) if cms == "ndsoft" else _ND_ARTICLE.fullmatch(path)
    if nd_soft and _NUMBER.fullmatch(idxno):
        return "/news/articleView.html", [("idxno", "=", idxno)]
    if name == "blog.naver.com" and path.startswith("/PostView.") and {"blogId", "logNo"} <= values.keys():
        return f"/{values['blogId']}/{values['logNo']}", []
    path, values = _long_form(path, values, cms)
    if cms == "xe" and "document_srl" in values:
        # One number for the whole site, whatever board, folder or form of address it was shown under.
        return "/", [("document_srl", "=", values["document_srl"])]
    if cms == "tistory" and _TISTORY_ARTICLE.fullmatch(path):
        return path, []
    for page, wanted, sign in _ARTICLE_PAGES:
        said = sign is None or values.get(sign[0]) == sign[1]
        if said and all(field in values for field in wanted) and page.fullmatch(path):
            path = path.removesuffix("/index.php")
            names = wanted if sign is None else sorted((*wanted, sign[0]))
            return path, [(field, "=", values[field]) for field in names]
    return path, pairs


def _long_form(path: str, values: dict[str, str], cms: str) -> tuple[str, dict[str, str]]:
    """The wordless address of a board's article as its system's long one: lists and feeds of one board may differ in it."""
    short = _SHORT_FORMS.get(cms)
    found = short.fullmatch(path) if short is not None else None
    if found is None or values.keys() & found.groupdict().keys():
        return path, values
    before, named = found[1], found.groupdict()
    return (before if cms == "xe" else f"{before}/bbs/board.php"), values | named


def _canonical(text: str, also_safe: str = "") -> str:
    """One spelling for a part of an address: NFC where its bytes are UTF-8, `%XX` where not; ASCII signs encoded."""
    sent = unquote_to_bytes(text)
    try:
        shown = unicodedata.normalize("NFC", sent.decode("utf-8"))
    except UnicodeDecodeError:
        return quote(sent, safe=also_safe)
    if shown.isascii():
        return quote(shown, safe=also_safe)
    return "".join(char if not char.isascii() and char.isprintable() else quote(char, safe=also_safe) for char in shown)
