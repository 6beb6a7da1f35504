"""What the formats of feeds and lists demand, rule by rule: RFC 4287, RSS 2.0, OPML 2.0 and the sitemap protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import feedparser

ATOM = "{http://www.w3.org/2005/Atom}"
XML = "{http://www.w3.org/XML/1998/namespace}"
ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+")
_OF_JSON_FEEDS = frozenset(
    (
        "version",
        "title",
        "home_page_url",
        "feed_url",
        "icon",
        "description",
        "user_comment",
        "language",
        "authors",
        "items",
    )
)
_OF_JSON_ITEMS = frozenset((
    "id", "url", "title", "content_text", "date_published", "date_modified", "authors", "tags", "language", "image",
    "attachments",
))  # fmt: skip
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_RFC822 = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}", re.ASCII)
_NOT_IN_IRIS = re.compile(r"[\x00-\x20<>\"{}|\\^`\x7f-\x9f\u200e\u200f\u202a-\u202e\ue000-\uf8ff]")


def atom(document: bytes) -> Iterator[str]:
    """What RFC 4287 forbids in this document."""
    feed = ET.fromstring(document)
    if feed.tag != f"{ATOM}feed":
        yield f"the root is {feed.tag}"
    parsed = feedparser.parse(document)
    if parsed.bozo or parsed.version != "atom10":
        yield f"feedparser reads {parsed.version!r} with {parsed.get('bozo_exception')}"
    if not feed.get(f"{XML}lang"):
        yield "the feed has no language"
    yield from _once(feed, "id", "title", "updated")
    yield from _at_most_once(feed, "subtitle", "rights", "icon", "logo", "generator")
    if not feed.findall(f"{ATOM}author/{ATOM}name"):
        yield "the feed has no author (4.1.1)"
    yield from _links(feed)
    entries = feed.findall(f"{ATOM}entry")
    yield from _unique("id", (entry.findtext(f"{ATOM}id") or "" for entry in (feed, *entries)))
    for entry in entries:
        yield from _once(entry, "id", "title", "updated")
        yield from _at_most_once(entry, "published", "summary", "content", "rights", "source")
        yield from _links(entry)
        if not [link for link in entry.findall(f"{ATOM}link") if link.get("rel", "alternate") == "alternate"]:
            yield "an entry has neither content nor an alternate link (4.1.2)"
        if not entry.findtext(f"{ATOM}author/{ATOM}name"):
            yield "an author has no name (3.2.1)"
        yield from (
            "a category has no term (4.2.2)" for node in entry.findall(f"{ATOM}category") if not node.get("term")
        )
    for node in feed.iter():
        if node.tag in (f"{ATOM}updated", f"{ATOM}published") and not _moment(node.text or ""):
            yield f"no date of RFC 3339: {node.text}"
        if node.tag == f"{ATOM}id" and not re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", node.text or ""):
            yield f"no IRI that lasts: {node.text}"
        if node.tag in (f"{ATOM}title", f"{ATOM}summary", f"{ATOM}subtitle", f"{ATOM}rights") and len(node):
            yield "text that holds elements (3.1.1.1)"


def rss(document: bytes) -> Iterator[str]:
    """What RSS 2.0, its best practices and Apple's names forbid in this document."""
    root = ET.fromstring(document)
    parsed = feedparser.parse(document)
    if parsed.bozo or parsed.version != "rss20" or root.get("version") != "2.0":
        yield f"feedparser reads {parsed.version!r} with {parsed.get('bozo_exception')}"
    (channel,) = root
    for name in ("title", "link", "description", "language", f"{ITUNES}explicit", f"{ITUNES}author"):
        if len(channel.findall(name)) != 1 or not channel.findtext(name):
            yield f"the channel has not one {name}"
    if channel.find(f"{ITUNES}category") is None or channel.find(f"{ITUNES}image") is None:
        yield "the channel has no category or image"
    own = [link.get("href") or "" for link in channel.findall(f"{ATOM}link") if link.get("rel") == "self"]
    addresses = [
        channel.findtext("link") or "",
        *own,
        *(node.get("href") or "" for node in channel.iter(f"{ITUNES}image")),
    ]
    items = channel.findall("item")
    yield from _unique("guid", (item.findtext("guid") or "" for item in items))
    for item in items:
        for name in ("title", "link", "guid", "description", "enclosure"):
            if len(item.findall(name)) != 1:
                yield f"an item has not one {name}"
        addresses.append(item.findtext("link") or "")
        if item.find("guid").get("isPermaLink") != "false":  # type: ignore[union-attr]
            yield "a guid that is no address says it is one"
        for enclosure in item.findall("enclosure"):
            addresses.append(enclosure.get("url") or "")
            if not re.fullmatch(r"\d+", enclosure.get("length") or ""):
                yield f"an enclosure's length is {enclosure.get('length')!r}"
            if not MEDIA_TYPE.fullmatch(enclosure.get("type") or ""):
                yield f"an enclosure's type is {enclosure.get('type')!r}"
    yield from (f"no full URL: {url}" for url in addresses if not (whole(url) and url.isascii()))
    for node in channel.iter():
        if node.tag in ("pubDate", "lastBuildDate"):
            text = node.text or ""
            if not _RFC822.fullmatch(text) or parsedate_to_datetime(text).strftime("%a") != text[:3]:
                yield f"no date of RFC 822: {text}"


def json_feed(document: bytes) -> Iterator[str]:
    """What jsonfeed.org/version/1.1 forbids in this document; members of our own are objects whose names begin with `_`."""
    feed = json.loads(document)
    if feed.get("version") != "https://jsonfeed.org/version/1.1" or not feed.get("title"):
        yield "no version or title"
    own = {name for name, value in feed.items() if name.startswith("_") and isinstance(value, dict)}
    if strange := feed.keys() - _OF_JSON_FEEDS - own:
        yield f"members the standard does not know: {sorted(strange)}"
    yield from _unique("id", (item.get("id") for item in feed["items"]))
    places = [feed[name] for name in ("home_page_url", "feed_url", "icon") if name in feed]
    for item in feed["items"]:
        if strange := item.keys() - _OF_JSON_ITEMS:
            yield f"members of an item the standard does not know: {sorted(strange)}"
        texts = [item.get(name) for name in ("id", "url", "title", "content_text")]
        texts += [author.get("name") for author in item["authors"]] + item.get("tags", [])
        if not all(isinstance(text, str) and text for text in texts):
            yield f"an item's text is none: {texts}"
        places += [
            item["url"],
            *(one["url"] for one in item.get("attachments", [])),
            *filter(None, [item.get("image")]),
        ]
        for name in ("date_published", "date_modified"):
            if name in item and not _moment(item[name]):
                yield f"no date: {item[name]}"
        for attachment in item.get("attachments", []):
            if not MEDIA_TYPE.fullmatch(attachment["mime_type"]) or attachment.get("size_in_bytes", 1) <= 0:
                yield f"no attachment: {attachment}"
    yield from (f"no whole address: {place}" for place in places if not whole(place))


def opml(document: bytes) -> Iterator[str]:
    """What OPML 2.0 forbids in this document."""
    root = ET.fromstring(document)
    if root.tag != "opml" or root.get("version") != "2.0" or [node.tag for node in root] != ["head", "body"]:
        yield "not an opml of version 2.0 with a head and a body"
    if not root.findtext("head/title"):
        yield "the list has no title"
    if not root.findall("body/outline"):
        yield "the body has no outline"
    for node in root.iter("outline"):
        if not node.get("text"):
            yield "an outline has no text"
        if node.get("type") == "rss" and not whole(node.get("xmlUrl") or ""):
            yield f"a subscription to {node.get('xmlUrl')!r}"
        if node.get("htmlUrl") is not None and not whole(node.get("htmlUrl") or ""):
            yield f"a page at {node.get('htmlUrl')!r}"


def sitemap(document: bytes, base_url: str) -> Iterator[str]:
    """What the sitemap protocol forbids in this document, which stands at the site's root."""
    root = ET.fromstring(document)
    if root.tag not in (f"{SITEMAP}urlset", f"{SITEMAP}sitemapindex"):
        yield f"the root is {root.tag}"
    if len(root) > 50_000 or len(document) > 50 * 1024 * 1024:
        yield "too large"
    addresses = [node.findtext(f"{SITEMAP}loc") or "" for node in root]
    yield from _unique("loc", addresses)
    for address in addresses:
        if not (address.startswith(base_url) and address.isascii() and whole(address) and len(address) < 2_048):
            yield f"no address of this site: {address}"
    for node in root.iter(f"{SITEMAP}lastmod"):
        if not _moment(node.text or ""):
            yield f"no date: {node.text}"


def whole(url: str) -> bool:
    """Whether an address is absolute, of the web, and written as addresses are."""
    if _NOT_IN_IRIS.search(url):
        return False
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc


def _moment(text: str) -> bool:
    try:
        return bool(_RFC3339.fullmatch(text)) and datetime.fromisoformat(text) is not None
    except ValueError:
        return False


def _links(parent: ET.Element) -> Iterator[str]:
    links = parent.findall(f"{ATOM}link")
    for link in links:
        if not whole(link.get("href") or ""):
            yield f"no whole address: {link.get('href')}"
        if link.get("type") is not None and not MEDIA_TYPE.fullmatch(link.get("type") or ""):
            yield f"no media type: {link.get('type')}"
        if link.get("length") is not None and not re.fullmatch(r"\d+", link.get("length") or ""):
            yield f"no length: {link.get('length')}"
    alternates = [(link.get("type"), link.get("hreflang")) for link in links if link.get("rel") == "alternate"]
    if len(set(alternates)) != len(alternates):
        yield "two alternates of one type and language (4.1.1)"


def _once(parent: ET.Element, *names: str) -> Iterator[str]:
    for name in names:
        found = parent.findall(f"{ATOM}{name}")
        if len(found) != 1 or not (found[0].text or "").strip():
            yield f"{parent.tag} has not one {name}, with words in it"


def _at_most_once(parent: ET.Element, *names: str) -> Iterator[str]:
    return (f"{parent.tag} has more than one {name}" for name in names if len(parent.findall(f"{ATOM}{name}")) > 1)


def _unique(what: str, values: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            yield f"the {what} {value!r} stands twice"
        seen.add(value)
