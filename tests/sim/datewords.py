"""Publication dates as Korean campus sites write them, and what such a text honestly says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

KST = timezone(timedelta(hours=9))
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_LONG_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip

STYLES = (
    "rfc822", "rfc822_utc", "rfc822_gmt", "rfc822_kst", "rfc822_bare", "space", "dots", "day", "compact", "w3c",
    "w3c_utc", "none",
)  # fmt: skip
"""How feeds write dates."""
PAGE_STYLES = (
    "hyphen", "dots", "alt", "alt_day", "mobile", "gnuboard", "xe", "dotday", "dotday_end", "spaced", "spaced_day",
    "english", "relative", "space", "hour", "korean", "glued", "korean_day", "day", "short_year", "w3c", "none",
)  # fmt: skip
"""How lists and article pages write them; some leave the year out or count from the moment of the request."""


def korean(at: float) -> datetime:
    """The moment on a Korean clock."""
    return datetime.fromtimestamp(at, KST)


def http_date(at: float) -> str:
    """The moment as HTTP headers write it (RFC 9110 section 5.6.7)."""
    return _rfc822(datetime.fromtimestamp(at, UTC), "GMT")


def written(at: float, style: str, now: float = 0.0) -> str:
    """The moment in one of STYLES or, on a page made at `now`, of PAGE_STYLES; empty for `none`."""
    here, there = korean(at), datetime.fromtimestamp(at, UTC)
    match style:
        case "rfc822":
            return _rfc822(here, "+0900")
        case "rfc822_utc":
            return _rfc822(there, "+0000")
        case "rfc822_gmt":
            return _rfc822(there, "GMT")
        case "rfc822_kst":
            return _rfc822(here, "KST")
        case "rfc822_bare":
            return _rfc822(here, "").strip()
        case "space":
            return f"{here:%Y-%m-%d %H:%M:%S}"
        case "dots":
            return f"{here:%Y.%m.%d %H:%M}"
        case "day":
            return f"{here:%Y-%m-%d}"
        case "compact":
            return f"{here:%Y%m%d%H%M%S}"
        case "w3c":
            return f"{here:%Y-%m-%dT%H:%M:%S}+09:00"
        case "w3c_utc":
            return f"{there:%Y-%m-%dT%H:%M:%SZ}"
    return _on_page(here, style, korean(now))


def _on_page(here: datetime, style: str, now: datetime) -> str:
    this_year, today = here.year == now.year, here.date() == now.date()
    match style:
        case "hyphen":
            return f"{here:%Y-%m-%d %H:%M}"
        case "alt":
            return f"{here:%m-%d %H:%M}" if this_year else f"{here:%Y-%m-%d %H:%M}"
        case "alt_day":
            return f"{here:%m-%d %H:%M}" if this_year else f"{here:%Y-%m-%d}"
        case "mobile":
            return f"{here:%m.%d %H:%M}" if this_year else f"{here:%Y.%m.%d %H:%M}"
        case "gnuboard":
            return f"{here:%H:%M}" if today else f"{here:%m-%d}"
        case "xe":
            return f"{here:%H:%M}" if today else f"{here:%Y.%m.%d}"
        case "dotday":
            return f"{here:%Y.%m.%d}"
        case "dotday_end":
            return f"{here:%Y.%m.%d}."
        case "spaced":
            return f"{here.year}. {here.month}. {here.day}. {here:%H:%M}"
        case "spaced_day":
            return f"{here.year}. {here.month}. {here.day}."
        case "english":
            return f"{_LONG_MONTHS[here.month - 1]} {here.day}, {here.year}"
        case "relative":
            return _ago(here, now)
        case "hour":
            return f"{here:%Y-%m-%d %H}"
        case "korean":
            noon = "오전" if here.hour < 12 else "오후"
            return f"{here.year}년 {here.month}월 {here.day}일 {noon} {(here.hour - 1) % 12 + 1}:{here:%M}"
        case "glued":
            return f"{here:%Y}년{here:%m}월{here:%d}일 {here:%H}시{here:%M}분"
        case "korean_day":
            return f"{here.year}년 {here.month}월 {here.day}일"
        case "short_year":
            return f"{here:%y-%m-%d %H:%M}"
    return ""


def _ago(here: datetime, now: datetime) -> str:
    hours = int((now - here).total_seconds() // 3600)
    if hours < 1:
        return "방금 전"
    if hours < 24:
        return f"{hours}시간 전"
    return f"{hours // 24}일 전" if hours < 7 * 24 else f"{here:%Y.%m.%d}"


def meant(at: float, style: str, now: float = 0.0) -> tuple[int | None, str]:
    """What the written form still says: epoch seconds and `second`, `minute`, `hour`, `day` or `none`."""
    here = korean(at)
    match style:
        case "none":
            return None, "none"
        case "relative":
            hours = int((now - at) // 3600)
            said = korean(now - (hours if hours < 24 else hours // 24 * 24) * 3600) if hours < 7 * 24 else here
            return _midnight(said), "day"
        case "day" | "dotday" | "dotday_end" | "spaced_day" | "english" | "korean_day":
            return _midnight(here), "day"
        case "gnuboard":
            return (int(at) // 60 * 60, "minute") if here.date() == korean(now).date() else (_midnight(here), "day")
        case "alt_day" if here.year != korean(now).year:
            return _midnight(here), "day"
        case "hour":
            return int(at) // 3600 * 3600, "hour"
        case "dots" | "hyphen" | "alt" | "alt_day" | "mobile" | "xe" | "spaced" | "korean" | "glued" | "short_year":
            return int(at) // 60 * 60, "minute"
    return int(at), "second"


def _midnight(moment: datetime) -> int:
    return int(moment.replace(hour=0, minute=0, second=0, microsecond=0).timestamp())


def _rfc822(moment: datetime, zone: str) -> str:
    day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return f"{day}, {moment.day:02d} {month} {moment.year} {moment:%H:%M:%S} {zone}"
