"""Writes pieces down as a feed in one dialect; text out, encoded by the source that serves it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from tests.sim.datewords import written
from tests.sim.kits import Dialect
from tests.sim.newsroom import Piece

STAMP = "@@now@@"
"""Where a stamped feed shows the moment of the request."""

_NAMESPACES = (
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
)


@dataclass(frozen=True, slots=True)
class Channel:
    """What a feed says about itself, and how it is written."""

    title: str
    home: str
    about: str
    language: str
    declared: str
    dialect: Dialect
    dates: str
    account: str = ""


def document(channel: Channel, pieces: Iterable[Piece], now: float) -> str:
    """The whole feed, newest piece first, as it reads at `now`."""
    match channel.dialect.family:
        case "rss":
            return _rss(channel, pieces, now)
        case "rdf":
            return _rdf(channel, pieces, now)
        case "json":
            return _json(channel, pieces, now)
    return _atom(channel, pieces, now)


def _tag(name: str, text: str, *, cdata: bool = False) -> str:
    inside = f"<![CDATA[{text}]]>" if cdata and "]]>" not in text else escape(text)
    return f"<{name}>{inside}</{name}>\n"


def _html(piece: Piece) -> str:
    return "".join(f"<p>{escape(paragraph)}</p>" for paragraph in piece.story.paragraphs)


def _description(channel: Channel, piece: Piece) -> str:
    match channel.dialect.body:
        case "summary" | "both":
            return piece.story.summary
        case "html":
            return _html(piece)
        case "cut":
            return f"{piece.story.text[:120]}......."
    return ""


def _head(channel: Channel) -> str:
    return f'<?xml version="1.0" encoding="{channel.declared}"?>\n'


def _rss(channel: Channel, pieces: Iterable[Piece], now: float) -> str:
    dialect = channel.dialect
    parts = [_head(channel), f'<rss version="{dialect.version}"']
    parts += [_NAMESPACES if dialect.version == "2.0" else "", ">\n<channel>\n", _tag("title", channel.title)]
    parts += [_tag("link", channel.home), _tag("description", channel.about), _tag("language", channel.language)]
    parts += [_tag("generator", dialect.generator) if dialect.generator else ""]
    parts += [_tag("lastBuildDate", STAMP) if dialect.stamped else ""]
    parts += [_rss_item(channel, piece, now) for piece in pieces]
    return "".join([*parts, "</channel>\n</rss>\n"])


def _rss_item(channel: Channel, piece: Piece, now: float) -> str:
    dialect, story = channel.dialect, piece.story
    parts = ["<item>\n", _tag("title", piece.headline(now), cdata=dialect.cdata), _tag("link", link(dialect, piece))]
    if dialect.body != "encoded":
        parts += [_tag("description", _description(channel, piece), cdata=dialect.cdata)]
    if dialect.body in ("both", "encoded"):
        parts.append(_tag("content:encoded", _html(piece), cdata=True))
    if dialect.author_tag:
        parts.append(
            _tag(
                dialect.author_tag,
                channel.account if dialect.author == "account" else story.byline,
                cdata=dialect.cdata,
            )
        )
    if dialect.categories:
        parts += [_tag("category", word, cdata=dialect.cdata) for word in dict.fromkeys((story.section, *story.tags))]
    if dialect.date_tag and channel.dates != "none":
        parts.append(_tag(dialect.date_tag, written(piece.published, channel.dates)))
    if dialect.guid == "link":
        parts.append(f'<guid isPermaLink="true">{escape(piece.url)}</guid>\n')
    elif dialect.guid == "own":
        parts.append(f'<guid isPermaLink="false">{escape(piece.guid)}</guid>\n')
    if dialect.enclosures:
        size = story.minutes * 960_000
        parts.append(f'<enclosure url="{escape(media_address(piece))}" length="{size}" type="audio/mpeg"/>\n')
        parts.append(_tag("itunes:duration", f"{story.minutes}:00"))
    return "".join([*parts, "</item>\n"])


def link(dialect: Dialect, piece: Piece) -> str:
    """The address of a piece as this dialect links to it."""
    return piece.url + dialect.link_tail


def media_address(piece: Piece) -> str:
    """Where the recording of a programme lies."""
    return f"{piece.url.replace('/episode/', '/audio/')}.mp3"


def _rdf(channel: Channel, pieces: Iterable[Piece], now: float) -> str:
    pieces = list(pieces)
    parts = [_head(channel), '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"']
    parts += [' xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">\n']
    parts += [f"<channel rdf:about={quoteattr(channel.home)}>\n", _tag("title", channel.title)]
    parts += [_tag("link", channel.home), _tag("description", channel.about), "<items><rdf:Seq>\n"]
    parts += [f"<rdf:li rdf:resource={quoteattr(piece.url)}/>\n" for piece in pieces]
    parts += ["</rdf:Seq></items>\n</channel>\n"]
    for piece in pieces:
        parts += [f"<item rdf:about={quoteattr(piece.url)}>\n", _tag("title", piece.headline(now))]
        parts += [_tag("link", piece.url), _tag("description", _description(channel, piece))]
        parts += [_tag("dc:creator", piece.story.byline), _tag("dc:subject", piece.story.section)]
        parts += [_tag("dc:date", written(piece.published, channel.dates)), "</item>\n"]
    return "".join([*parts, "</rdf:RDF>\n"])


def _atom(channel: Channel, pieces: Iterable[Piece], now: float) -> str:
    old = channel.dialect.family == "atom03"
    space = "http://purl.org/atom/ns#" if old else "http://www.w3.org/2005/Atom"
    changed = "modified" if old else "updated"
    parts = [_head(channel), f'<feed xmlns="{space}"{" version=" + quoteattr("0.3") if old else ""}']
    parts += [f" xml:lang={quoteattr(channel.language)}>\n", _tag("title", channel.title)]
    parts += [f'<link rel="alternate" type="text/html" href={quoteattr(channel.home)}/>\n', _tag("id", channel.home)]
    pieces = list(pieces)
    parts += [_tag(changed, written(piece.published, "w3c")) for piece in pieces[:1]]
    for piece in pieces:
        date = written(piece.published, channel.dates)
        parts += ["<entry>\n", _tag("title", piece.headline(now)), _tag("id", f"tag:{piece.guid}")]
        parts += [f'<link rel="alternate" type="text/html" href={quoteattr(piece.url)}/>\n']
        parts += [_tag(channel.dialect.date_tag, date), _tag(changed, date), _tag("summary", piece.story.summary)]
        parts += ["<author>", _tag("name", piece.story.byline), "</author>\n"]
        parts += [f"<category term={quoteattr(word)}/>\n" for word in _words(channel, piece)]
        kind = "text/html" if old else "html"
        mode = ' mode="escaped"' if old else ""
        parts += [f'<content type="{kind}"{mode}>{escape(_html(piece))}</content>\n</entry>\n']
    return "".join([*parts, "</feed>\n"])


def _words(channel: Channel, piece: Piece) -> list[str]:
    return list(dict.fromkeys((piece.story.section, *piece.story.tags))) if channel.dialect.categories else []


def _json(channel: Channel, pieces: Iterable[Piece], now: float) -> str:
    items = [
        {
            "id": piece.guid,
            "url": piece.url,
            "title": piece.headline(now),
            "summary": piece.story.summary,
            "content_text": piece.story.text,
            "date_published": written(piece.published, channel.dates),
            "authors": [{"name": piece.story.byline}],
            "tags": _words(channel, piece),
        }
        for piece in pieces
    ]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": channel.title, "home_page_url": channel.home}
    return json.dumps(feed | {"language": channel.language, "items": items}, ensure_ascii=False)
