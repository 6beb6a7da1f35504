"""Reads the response headers the crawler decides by: charset, media type, Retry-After. Pure; nothing here raises."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from crawl import dates
from crawl.clock import DAY_S

_KST_AHEAD_S = 9 * 3600
_SECONDS = re.compile(r"\+?(\d+\.?\d*|\.\d+)", re.ASCII)
_HTTP_DATE = re.compile(r"[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d.*", re.ASCII)
_HTTP_DATE_CHARS = 64
_FOREVER_S = 2.0**31
"""RFC 9111 section 1.2.2: a number of seconds too large to hold counts as 2^31."""
_CHARSET = re.compile(r"(?:^|[;,\s])charset\s*[=:]\s*[\"']?\s*([A-Za-z0-9][A-Za-z0-9._:+-]*)", re.IGNORECASE | re.ASCII)
_LONGEST = 1000


def charset(content_type: str | None) -> str | None:
    """The charset label of a Content-Type, lower case; None where there is none. `charset:gbk;` is one too."""
    found = _CHARSET.search((content_type or "")[:_LONGEST])
    return found[1].lower().rstrip(".:+") if found else None


def media_type(content_type: str | None) -> str:
    """The media type of a Content-Type, lower case, without parameters; empty where there is none."""
    words = re.split(r"[;,\s]", (content_type or "")[:_LONGEST].strip(), maxsplit=1)
    return words[0].lower()


def retry_after_s(value: str | None, *, date: str | None, received: float) -> float | None:
    """How many seconds after the answer the server wants no request (P31); None for invalid, zero, negative or past.

    `value`, `date`: the Retry-After and Date headers as sent. `received`: epoch seconds of the answer's end. Fractions
    are rounded up. The policy's cap is the caller's; only what no clock can hold is cut here, to 2^31.
    """
    text = (value or "").strip()
    seconds = _SECONDS.fullmatch(text)
    if seconds:
        wait = float(math.ceil(min(float(seconds[1]), _FOREVER_S)))
    else:
        until = _http_date(text)
        if until is None:
            return None
        wait = min(until - _reference(until, _http_date((date or "").strip()), received), _FOREVER_S)
    return wait if wait > 0 else None


def _reference(until: int, sent: int | None, received: float) -> float:
    """The moment a Retry-After date counts from: the server's own clock, unless that clock makes no sense.

    A server whose clock is wrong by any amount still means a distance on its own clock, so its Date header counts as
    sane when it is near ours or when it explains the Retry-After date (less than a day before it).
    """
    if sent is not None and (abs(sent - received) <= DAY_S or 0 < until - sent <= DAY_S):
        return sent
    return received


_LAST_YEAR = 2098
_FAR_FUTURE = 2**40


def _http_date(text: str) -> int | None:
    """Epoch seconds of one of the three HTTP dates (RFC 9110 section 5.6.7), GMT where no zone stands; else None."""
    if len(text) > _HTTP_DATE_CHARS or not text.isascii() or not _HTTP_DATE.fullmatch(text):
        return None
    read = dates.read(text, seen=0.0)
    if read.at is None or read.precision == "none":
        # Beyond the dates that an article may bear a server still means what it says: for a very long time (P31).
        return _FAR_FUTURE if any(int(year) > _LAST_YEAR for year in re.findall(r"\b\d{4}\b", text)) else None
    return read.at + _KST_AHEAD_S if read.zone_assumed else read.at


def validator(value: str | None) -> str | None:
    """An ETag or Last-Modified that can be sent back byte for byte (S30, RFC 9110 section 8.8); None for an empty one or one
    with a character no header may carry, which no server could have meant."""
    if not value or not value.strip() or any(ord(char) < 32 or ord(char) == 127 or ord(char) > 255 for char in value):
        return None
    return value


_COOKIE = re.compile(r"\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=(\"?[!#-+\--:<-\[\]-~]*\"?)\s*(?:;|$)")
_COOKIES_MAX = 20


def cookies(
    kept: tuple[tuple[str, str, str], ...], given: Iterable[tuple[str, str]], origin: str
) -> tuple[tuple[str, str, str], ...]:
    """The cookies of one redirect chain after an answer: origin, name, value (P01, RFC 6265 section 5.2, host-only).

    `given`: the answer's headers. A later one of a name takes the earlier's place; broken or too many ones are left out.
    """
    jar = {(where, name): value for where, name, value in kept}
    for key, text in given:
        found = _COOKIE.match(text[:4096]) if key.lower() == "set-cookie" else None
        if found and len(jar) < _COOKIES_MAX:
            jar[origin, found[1]] = found[2]
    return tuple((where, name, value) for (where, name), value in jar.items())


def cookie_header(jar: tuple[tuple[str, str, str], ...], origin: str) -> str | None:
    """The Cookie header for an address of that origin, None for none."""
    return "; ".join(f"{name}={value}" for where, name, value in jar if where == origin) or None
