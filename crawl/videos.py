"""Which addresses are YouTube videos, and which video: every form people copy, and none that only looks like one. Pure.

YouTube is never asked (P05): all that is known of a video stands in its address. The identifier is 11 signs; the words
`videoseries` and `live_stream`, of that length too, stand in embedded playlists and channels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, unquote, urlsplit

from crawl import hosts
from crawl.model import Entry, VideoForm

HOSTS = frozenset({"youtube.com", "music.youtube.com", "youtube-nocookie.com", "youtu.be"})
"""Servers whose addresses may name a video, `www.` and `m.` folded."""

_ID = re.compile(r"(?!videoseries|live_stream)[A-Za-z0-9_-]{11}")
_NAMED = re.compile(r"/(?P<way>watch|shorts|live|embed|v|e)/(?P<id>[^/&]+)(?:&[^/]*)?")
_SHORT = re.compile(r"/(?P<id>[^/&]+)(?:&[^/]*)?")
_WATCH = re.compile(r"(?:/watch(?:_popup)?(?:\.php)?)?")
_FORMS: Mapping[str, VideoForm] = {"shorts": "shorts", "live": "live"}
_ANCHORED = re.compile(r"!?/?(?:watch)?\??(v=[^&].*)")
_LONGEST = 8_192


@dataclass(frozen=True, slots=True)
class Video:
    """A video by its identifier and the form its address names: `shorts`, `live`, else `video`."""

    id: str
    form: VideoForm


def recognise(url: str) -> Video | None:
    """The video an http(s) address leads to; None for channels, playlists and everything that is not YouTube's. Never raises."""
    try:
        parts = urlsplit(url.strip()[:_LONGEST])
        if parts.scheme not in ("http", "https") or "@" in parts.netloc or parts.port not in (None, 80, 443):
            return None
        server = hosts.folded(hosts.canonical(parts.hostname or ""))
        return at(server, parts.path, parts.query, parts.fragment)
    except ValueError:
        return None


def at(server: str, path: str, query: str, fragment: str) -> Video | None:
    """The same of an address taken apart: folded server name, path, query and fragment as they are written."""
    if server not in HOSTS:
        return None
    path = re.sub("/+", "/", unquote(path)).removesuffix("/")
    if server == "youtu.be":
        short = _SHORT.fullmatch(path)
        return _video(short["id"], "video") if short else None
    if named := _NAMED.fullmatch(path):
        return _video(named["id"], _FORMS.get(named["way"], "video"))
    if _WATCH.fullmatch(path):
        anchored = _ANCHORED.fullmatch(fragment)
        asked = _fields(query).get("v", "") or (_fields(anchored[1])["v"] if anchored else "")
        return _video(asked, "video")
    if path == "/attribution_link" and (target := _fields(query).get("u", "")):
        inside = target if target.startswith(("http://", "https://")) else f"https://youtube.com/{target.lstrip('/')}"
        return None if "/attribution_link" in inside else recognise(inside)
    return None


def marked(entry: Entry) -> Entry:
    """The entry as a video where its own link is one; a file it brings along (a podcast) or an edition stays what it is."""
    video = recognise(entry.url) if entry.kind in ("article", "photo", "video") else None
    return entry if video is None else replace(entry, kind="video", video_id=video.id, video_form=video.form)


def _video(id: str, form: VideoForm) -> Video | None:
    return Video(id, form) if _ID.fullmatch(id) else None


def _fields(query: str) -> dict[str, str]:
    """Each field's first value; `&amp;` as feeds write it."""
    found: dict[str, str] = {}
    for name, value in parse_qsl(re.sub(r"&(?:amp;)+", "&", query)):
        found.setdefault(name, value)
    return found
