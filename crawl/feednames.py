"""What we read of a feed: namespaces, elements and attributes, and our names of them. Pure."""

from __future__ import annotations

_SPACES = (
    ("purl.org/dc/elements", "dc"), ("purl.org/dc/terms", "dcterms"), ("/rss/1.0/modules/content", "content"),
    ("itunes.com/dtds", "itunes"), ("search.yahoo.com/mrss", "media"),
    ("w3.org/2005/atom", ""), ("purl.org/atom/ns", ""), ("my.netscape.com/rdf", ""),
)  # fmt: skip
USUAL_PREFIXES = {
    "": "", "rss": "", "atom": "", "atom10": "", "a10": "", "dc": "dc", "dcterms": "dcterms", "content": "content",
    "itunes": "itunes", "media": "media",
}  # fmt: skip
CHANNEL = {("", "title"): "title", ("", "language"): "language", ("dc", "language"): "language"}
ITEM = {
    ("", "title"): "title", ("", "link"): "link", ("", "author"): "author", ("dc", "creator"): "author",
    ("", "description"): "summary", ("", "abstract"): "summary", ("", "summary"): "summary",
    ("", "content"): "content", ("content", "encoded"): "content:encoded", ("", "fullitem"): "content:encoded",
    ("", "category"): "category", ("dc", "subject"): "category", ("", "enclosure"): "enclosure",
    ("media", "content"): "picture", ("media", "thumbnail"): "picture",
    ("itunes", "summary"): "itunes:summary", ("itunes", "author"): "itunes:author", ("", "guid"): "guid", ("", "id"): "guid",
    ("", "pubdate"): "published", ("", "published"): "published", ("dc", "date"): "date",
    ("dcterms", "date"): "date", ("", "date"): "date", ("", "issued"): "issued", ("dcterms", "issued"): "issued",
    ("", "created"): "created", ("dcterms", "created"): "created", ("", "updated"): "updated",
    ("", "modified"): "updated", ("dcterms", "modified"): "updated",
}  # fmt: skip
"""What we read of an item: namespace and name in lower case, and our name of it."""
UNLIKE_HTML = frozenset(
    {"itunes:summary", "itunes:author", "guid", "published", "date", "issued", "created", "updated"}
)
"""Those of ITEM that no page has, so that they are elements of the item even amid its markup."""
ATTRIBUTES = {
    "link": ("rel", "href", "type"), "enclosure": ("url", "type", "length"), "category": ("term", "label"),
    "picture": ("url", "medium", "type"), "title": ("type", "mode"), "summary": ("type", "mode"), "content": ("type", "mode"),
}  # fmt: skip


def space(uri: str) -> str:
    """Our name of a namespace; `other` for one we do not read."""
    uri = uri.lower()
    if uri.rstrip("/").endswith("purl.org/rss/1.0"):
        return ""
    return next((ours for part, ours in _SPACES if part in uri), "other")
