"""Publication dates as Korean campus sites write them, and what such a text honestly says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

KST = timezone(timedelta(hours=9))
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

STYLES = (
    "rfc822", "rfc822_utc", "rfc822_gmt", "rfc822_kst", "rfc822_bare", "space", "dots", "day", "compact", "w3c",
    "w3c_utc", "none",
)  # fmt: skip


def korean(at: float) -> datetime:
    """The moment on a Korean clock."""
    return datetime.fromtimestamp(at, KST)


def http_date(at: float) -> str:
    """The moment as HTTP headers write it (RFC 9110 section 5.6.7)."""
    return _rfc822(datetime.fromtimestamp(at, UTC), "GMT")


def written(at: float, style: str) -> str:
    """The moment in one of STYLES; empty for `none`."""
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
    return ""


def meant(at: float, style: str) -> tuple[int | None, str]:
    """What the written form still says: epoch seconds and `second`, `minute`, `day` or `none`."""
    if style == "none":
        return None, "none"
    if style == "day":
        return int(korean(at).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()), "day"
    if style == "dots":
        return int(at) // 60 * 60, "minute"
    return int(at), "second"


def _rfc822(moment: datetime, zone: str) -> str:
    day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return f"{day}, {moment.day:02d} {month} {moment.year} {moment:%H:%M:%S} {zone}"
