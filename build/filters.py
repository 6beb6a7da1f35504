"""How facts are written for readers: Korean dates, numbers, amounts of the policy table, safe addresses. All pure."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from urllib.parse import quote, urlsplit, urlunsplit

from build.records import Hub

KST = timezone(timedelta(hours=9), "KST")
WEEKDAYS = "월화수목금토일"
_HANGUL = re.compile("[ᄀ-ᇿ㄰-㆏가-힣]")
_LATIN = re.compile("[A-Za-z]")
_PLAIN = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#][!#-;=?-~]*)?")
# What may stand in no address, and what browsers ask for in its place.
_ENCODED = str.maketrans({'"': "%22", "<": "%3C", ">": "%3E"})
_KEPT = "!#$%&'()*+,-./:;=?@[]_~"
_RFC3986 = re.compile(rf"[A-Za-z0-9{re.escape(_KEPT)}]+")
_UNSAFE = re.compile(r"[\s\\\x00-\x20\x7f]")


def kst(at: float) -> datetime:
    """A moment (epoch seconds) in Korean time, at most the last moment a calendar can write."""
    return datetime.fromtimestamp(_within(at), KST)


def _within(at: float) -> float:
    return min(max(at, -62_135_500_000), 253_402_200_000)


def kst_day(at: float) -> str:
    """The Korean day of a moment: `2026-03-05`."""
    return day_of(int(_within(at) + 32_400) // 86_400)


@lru_cache(maxsize=20_000)
def day_of(number: int) -> str:
    """The Korean day of `Index.day`: `2026-03-05`."""
    return kst(number * 86_400).date().isoformat()


@lru_cache(maxsize=20_000)
def day_text(day: str) -> str:
    """A day `2026-03-05` as readers write it: `2026. 3. 5. (목)`; anything else as it came."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found.year}. {found.month}. {found.day}. ({WEEKDAYS[found.weekday()]})"


def date_text(at: float) -> str:
    """The Korean day of a moment for readers: `2026. 3. 5. (목)`."""
    return day_text(kst_day(at))


def date_en(day: str) -> str:
    """A day `2026-03-05` for English readers: `5 March 2026`."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found.day} {_MONTHS_EN[found.month - 1]} {found.year}"


_MONTHS_EN = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def clock_text(at: float) -> str:
    """The Korean time of a moment: `00:05:09`."""
    return kst(at).strftime("%H:%M:%S")


def stamp(at: float, precision: str = "second") -> str:
    """A `datetime` attribute no finer than what is known: `2026-03-05`, or `2026-03-05T00:10:00+09:00`."""
    day, second = divmod(int(_within(at) + 32_400), 86_400)
    if precision == "day":
        return day_of(day)
    return f"{day_of(day)}T{second // 3_600:02}:{second // 60 % 60:02}:{second % 60:02}+09:00"


def utc_stamp(at: float) -> str:
    """A moment as feeds write it: `2026-03-04T15:10:00Z`."""
    return datetime.fromtimestamp(_within(at), UTC).isoformat(timespec="seconds")[:19] + "Z"


def month_text(month: str) -> str:
    """`2026-03` as `2026년 3월`."""
    year, number = month.split("-")
    return f"{int(year)}년 {int(number)}월"


def number(value: float) -> str:
    """A figure with thousands separated: `1,234`; a fraction only where there is one."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,g}"


def amount(value: float, unit: str, lang: str = "ko") -> str:
    """A value of the policy table with its unit in words. Units it does not know stand as the table writes them."""
    if unit == "s after KST midnight":
        hours, minutes, seconds = int(value) // 3600, int(value) % 3600 // 60, int(value) % 60
        return f"{hours:02}:{minutes:02}" + (f":{seconds:02}" if seconds else "")
    if unit == "s":
        return _span(value, lang)
    if unit == "bytes":
        return f"{number(value / 1_048_576)} MiB" if value % 1_048_576 == 0 else _counted(value, "bytes", lang)
    return _counted(value, unit, lang)


def _span(seconds: float, lang: str) -> str:
    for size, unit, least in ((86_400, "days", 2), (3_600, "hours", 1), (60, "minutes", 1)):
        if seconds >= size * least and seconds % size == 0:
            return _counted(seconds / size, unit, lang)
    return _counted(seconds, "seconds", lang)


_COUNTERS = {
    "days": ("일", "days"),
    "hours": ("시간", "hours"),
    "minutes": ("분", "minutes"),
    "seconds": ("초", "seconds"),
    "bytes": ("바이트", "bytes"),
    "characters": ("자", "characters"),
    "hops": ("번", "hops"),
    "nights": ("밤", "nights"),
    "looks per source and night": ("번", "times"),
    "looks": ("곳", "addresses"),
    "sources": ("곳", "addresses"),
    "pages": ("쪽", "pages"),
    "requests": ("번", "requests"),
    "tries": ("번", "tries"),
    "years": ("년", "years"),
}
"""Units of the table in both languages; what follows the first word (`requests per outlet and day`) is the words' to say."""


def _counted(value: float, unit: str, lang: str) -> str:
    korean, english = _COUNTERS.get(unit) or _COUNTERS.get(unit.split(" ")[0]) or (f" {unit}", unit)
    if lang == "ko":
        return f"{number(value)}{korean}"
    return f"{number(value)} {_ONE.get(english, english[:-1]) if value == 1 and english.endswith('s') else english}"


_ONE = {"addresses": "address", "tries": "try"}


def web(url: str | None) -> str:
    """The address if a page may link to it (http or https, a host, no name or password in it), else nothing."""
    if not url or _UNSAFE.search(url):
        return ""
    if _PLAIN.fullmatch(url):  # nearly all of hundreds of thousands: taking them to pieces would cost seconds
        return url
    try:
        parts = urlsplit(url)
        safe = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return ""
    return url.translate(_ENCODED) if safe else ""


def uri(url: str | None) -> str:
    """The same address in the letters of RFC 3986, for feeds and lists: some of their readers know no others."""
    safe = web(url)
    if not safe or _RFC3986.fullmatch(safe):
        return safe
    parts = urlsplit(safe)
    try:
        host = parts.netloc.encode("idna").decode() if not parts.netloc.isascii() else parts.netloc
    except UnicodeError:
        return ""
    return urlunsplit((parts.scheme, host, *(quote(part, safe=_KEPT) for part in parts[2:])))


def picture(url: str | None) -> str:
    """A picture's address for a page: over https, as browsers would ask anyway; nothing where it may not stand in one."""
    safe = web(url)
    return "https" + safe[safe.index(":") :] if safe else ""


def film_id(name: str | None) -> str:
    """A YouTube film's name for an address; nothing where it is not one."""
    return name if name and re.fullmatch(r"[A-Za-z0-9_-]{6,20}", name) else ""


_FILE_TYPES = {
    "audio/mpeg": "MP3", "audio/mp3": "MP3", "audio/mp4": "M4A", "audio/x-m4a": "M4A", "audio/aac": "AAC",
    "audio/ogg": "OGG", "audio/wav": "WAV", "audio/x-wav": "WAV", "application/pdf": "PDF",
}  # fmt: skip


def file_facts(media_type: str | None, size_bytes: int | None) -> str:
    """What a reader wants to know of a file before fetching it: `MP3 · 24.1 MB`; empty where nothing is known."""
    kind = _FILE_TYPES.get((media_type or "").partition(";")[0].strip().lower(), "")
    if not size_bytes or size_bytes < 0:
        return kind
    size = (
        f"{number(round(size_bytes / 1e6, 1))} MB"
        if size_bytes >= 950_000
        else f"{number(max(1, size_bytes // 1_000))} KB"
    )
    return f"{kind} · {size}" if kind else size


def bare(url: str) -> str:
    """An address for the eye: without scheme and closing slash, and without a name and password that may stand in it."""
    return re.sub(r"^(?i:https?)://(?:[^/?#]*@)?(?:www\.)?", "", url.strip()).rstrip("/")


def anchor(text: str) -> str:
    """An `id` made from a name."""
    return re.sub(r"\s+", "-", text.strip()) or "-"


def landing(name: str, folder: str) -> str:
    """Where the page of a university (`u`), `kind` or `region` stands; nothing where its name gives no address."""
    return f"{folder}/{name}/" if re.fullmatch(r"[A-Za-z0-9가-힣][A-Za-z0-9가-힣-]*", name) else ""


def lang_of(text: str, outlet_kind: str) -> str:
    """`en` for the English text of an English paper, else nothing (the page's own language holds)."""
    return "en" if outlet_kind == "english" and _LATIN.search(text) and not _HANGUL.search(text) else ""


def contact_link(hub: Hub, subject: str = "") -> str:
    """Where a reader writes to: the hub's mail address or page, else its repository's issues, else nothing."""
    if re.fullmatch(r"[^@\s<>\"?&#]+@[^@\s<>\"?&#]+", hub.contact):
        return f"mailto:{hub.contact}" + (f"?subject={_in_address(subject)}" if subject else "")
    if web(hub.contact):
        return hub.contact
    if repository(hub):
        return f"{repository(hub)}/issues/new" + (f"?title={_in_address(subject)}" if subject else "")
    return ""


def _in_address(text: str) -> str:
    """Text for the query of an address; letters of any script stay, since fifty links of a page carry it."""
    return re.sub(r"[^\w.·-]", lambda found: quote(found.group()), text)


def repository(hub: Hub) -> str:
    """The address of the hub's repository (`owner/name` on GitHub, or an address), or nothing."""
    if re.fullmatch(r"[\w.-]+/[\w.-]+", hub.repository):
        return f"https://github.com/{hub.repository}"
    return web(hub.repository).rstrip("/")
