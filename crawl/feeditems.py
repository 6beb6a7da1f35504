"""What every feed format offers of an item, and how that becomes an entry fit for storing (P02). Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import unquote

from crawl import dates, feedpictures, text, urls
from crawl.characters import cut, whole
from crawl.model import ArticleKind, Entry, Precision

UNTITLED = "(제목 없음)"
_STAND_IN_MAX_CHARS = 80
_GUID_MAX_CHARS = 1_000
_DATE_MAX_CHARS = 100
_DATE_MARKUP_MAX_CHARS = 1_000
_AUTHORS_MAX = 20
ITEMS_MAX = 2_000
"""Whole archives of a paper in one feed stay below; a flood of items ends here."""
_MANY = 3
"""So many titles with one ending show that the ending is none of theirs."""
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,80}")
_NO_IDENTITY = frozenset({"", "0", "-", "null", "none", "undefined"})
_BY_ENDING: dict[str, str] = {
    "mp3": "audio", "m4a": "audio", "ogg": "audio", "wav": "audio", "mp4": "video", "m4v": "video", "webm": "video",
    "jpg": "image", "jpeg": "image", "png": "image", "gif": "image", "webp": "image", "svg": "image", "bmp": "image",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of writing as a feed holds it: HTML source, or plain text."""

    source: str = ""
    html: bool = False


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file a feed attaches to an item, as written."""

    address: str
    media_type: str = ""
    length: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One item as published. `addresses`, `summaries`, `texts`, `dates` and `enclosures`: the best candidate first; `edited`:
    dates of its last change; `presenter`: who counts as author where nobody else does; `pictures`: addresses of those that
    stand beside its writing."""

    title: Passage
    addresses: tuple[str, ...]
    guid: str
    summaries: tuple[Passage, ...]
    texts: tuple[Passage, ...]
    authors: tuple[str, ...]
    dates: tuple[str, ...]
    tags: tuple[str, ...]
    enclosures: tuple[Enclosure, ...]
    pictures: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    presenter: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A whole document of any format: what it is (`Feed.format`), its own title and language, its items, and notices of
    what had to be repaired."""

    format: str
    title: Passage
    language: str
    items: tuple[Item, ...]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Media:
    kind: ArticleKind = "article"
    url: str | None = None
    media_type: str | None = None
    length_bytes: int | None = None


def entries(
    items: Iterable[Item],
    *,
    base: str,
    seen: float,
    summary_max_chars: int,
    pictures: bool = False,
    channel: str = "",
) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The entries of a document in its order, and flags with counts. `channel`: the document's own title, which some append
    to those of its items.

    `no_link:N` items without an address that can be opened were left out, and `duplicates:N` that say the same a second
    time; `guid_repeated:N` entries lost a guid that is no identity.
    """
    kept: dict[Entry, None] = {}
    no_link = duplicates = 0
    for item, title in _titled(items, channel):
        entry = _entry(item, title, base, seen, summary_max_chars)
        if entry is not None and pictures:
            entry = replace(entry, image_url=_picture(item, entry.url, base))
        if entry is None:
            no_link += 1
        elif entry in kept:
            duplicates += 1
        else:
            kept[entry] = None
    counts = Counter(entry.guid for entry in kept if entry.guid is not None)
    repeated = sum(count for count in counts.values() if count > 1)
    unique = tuple(
        replace(entry, guid=None) if entry.guid is not None and counts[entry.guid] > 1 else entry for entry in kept
    )
    noticed = {"no_link": no_link, "duplicates": duplicates, "guid_repeated": repeated}
    return unique, tuple(f"{name}:{count}" for name, count in noticed.items() if count)


def http_only(address: str) -> str:
    """An identifier that is an address of its own, else nothing: `article54` is no link (I9)."""
    stripped = address.strip()
    return stripped if re.match(r"https?://", stripped, re.IGNORECASE) else ""


def _titled(items: Iterable[Item], channel: str) -> list[tuple[Item, str]]:
    """The items with their titles, without the outlet's name at the end of them.

    Of a channel named `보도 - 한빛대신문` a part counts as the name where most titles end in it.
    """
    found = [(item, text.title(item.title.source, html=item.title.html)) for item in items]
    names = [channel]
    for part in text.parts(channel):
        ending = sum(text.without_trail(title, (part,)) != title for _, title in found)
        if ending >= _MANY and 2 * ending > len(found):
            names.append(part)
    return [(item, text.without_trail(title, names)) for item, title in found]


def _entry(item: Item, title: str, base: str, seen: float, limit: int) -> Entry | None:
    url = next((found for raw in item.addresses if (found := urls.link(raw, base))), None)
    if url is None:
        return None
    summary, derived = _summary(item, limit, title)
    title = title or cut(summary, _STAND_IN_MAX_CHARS) or UNTITLED
    published, precision, raw, source = _date(item, seen)
    media = next((kept for one in item.enclosures if (kept := _media(one, base))), _Media())
    return Entry(
        url=url,
        title=title,
        guid=_guid(item.guid),
        summary="" if summary == title else summary,
        summary_derived=derived and summary != title,
        byline=_byline(item.authors, url) or _byline((item.presenter,), url),
        published=published,
        precision=precision,
        published_raw=raw,
        date_from=source,
        tags=text.tags(item.tags),
        kind=media.kind,
        media_url=media.url,
        media_type=media.media_type,
        media_bytes=media.length_bytes,
    )


def _summary(item: Item, limit: int, title: str) -> tuple[str, bool]:
    """The outlet's summary, or with True the start of the text (P02): one that stands where the summary belongs, too."""
    long = ""
    for passage in item.summaries:
        found = text.opening(passage.source, html=passage.html, limit=limit, title=title)
        if found.text and not found.whole_text:
            return found.text, False
        long = long or found.text
    if long:
        return long, True
    texts = (text.summary(one.source, html=one.html, limit=limit, title=title) for one in item.texts)
    start = next((found for found in texts if found), "")
    return start, bool(start)


def _guid(raw: str) -> str | None:
    """The identifier as published, or None where it is no identity (I7)."""
    guid = _CONTROLS.sub("", whole(raw)).strip()
    return None if guid.lower() in _NO_IDENTITY or len(guid) > _GUID_MAX_CHARS else guid


def _byline(authors: Iterable[str], url: str) -> str:
    """The names, each once; a name that is part of the address is an account, no person."""
    accounts = {part.lstrip("@").casefold() for part in unquote(url).split("/")[2:]}
    names = dict.fromkeys(text.byline(author) for author in islice(authors, _AUTHORS_MAX))
    people = [name for name in names if name and name.lstrip("@").casefold() not in accounts]
    return cut(", ".join(people), text.BYLINE_MAX_CHARS)


def _date(item: Item, seen: float) -> tuple[int | None, Precision, str, str]:
    """Moment, precision, the words it was read from, and `feed`, `feed_kst`, `feed_updated` or `none`; never invented."""
    first = ""
    for number, raw in enumerate((*item.dates, *item.edited)):
        if written := cut(text.plain(raw[:_DATE_MARKUP_MAX_CHARS], html=True), _DATE_MAX_CHARS):
            first = first or written
            found = dates.read(written, seen=seen)
            if found.at is not None:
                edited = number >= len(item.dates)
                source = "feed_updated" if edited else "feed_kst" if found.zone_assumed else "feed"
                return found.at, found.precision, written, source
    return None, "none", first, "none"


def _picture(item: Item, url: str, base: str) -> str | None:
    """The first picture an entry shows: beside its writing, as a file, or in the writing (P03)."""
    files = (one.address for one in item.enclosures if _typed(one)[1] == "image")
    writings = (passage.source for passage in (*item.texts, *item.summaries) if passage.html)
    return feedpictures.first((*item.pictures, *files), writings, base=base, page=url)


def _typed(enclosure: Enclosure) -> tuple[str | None, str]:
    """A file's media type where it is one, and its family, by the ending of its address where the type does not say."""
    written = enclosure.media_type.partition(";")[0].strip().lower()
    media_type = written if _MEDIA_TYPE.fullmatch(written) else None
    family = (media_type or "").partition("/")[0]
    if family in ("", "application"):
        ending = re.split(r"[?#]", enclosure.address.strip(), maxsplit=1)[0].rpartition(".")[2].lower()
        family = _BY_ENDING.get(ending, family)
    return media_type, family


def _media(enclosure: Enclosure, base: str) -> _Media | None:
    """What to keep of a file; None for pictures (P03) and unsafe addresses."""
    address = urls.link(enclosure.address, base)
    media_type, family = _typed(enclosure)
    if address is None or family == "image":
        return None
    kind: ArticleKind = "audio" if family == "audio" else "video" if family == "video" else "article"
    length = enclosure.length.strip()
    known = length.isascii() and length.isdigit() and len(length) < 16 and int(length) > 0
    return _Media(kind, address, media_type, int(length) if known else None)
