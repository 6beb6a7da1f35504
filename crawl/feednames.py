"""What we read of a feed: namespaces, elements and attributes, and the names they get for the parser. Pure."""

from __future__ import annotations

_SPACES = (
    ("purl.org/dc/elements", "dc"), ("purl.org/dc/terms", "dcterms"), ("/rss/1.0/modules/content", "content"),
    ("itunes.com/dtds", "itunes"), ("w3.org/2005/atom", ""), ("purl.org/atom/ns", ""), ("my.netscape.com/rdf", ""),
)  # fmt: skip
USUAL_PREFIXES = {
    "": "", "rss": "", "atom": "", "atom10": "", "a10": "", "dc": "dc", "dcterms": "dcterms", "content": "content",
    "itunes": "itunes",
}  # fmt: skip
CHANNEL = {("", "title"): "title", ("", "language"): "language", ("dc", "language"): "language"}
ITEM = {
    ("", "title"): "title", ("", "link"): "link", ("", "author"): "author", ("dc", "creator"): "author",
    ("", "description"): "description", ("", "abstract"): "description", ("", "summary"): "summary",
    ("", "content"): "content", ("content", "encoded"): "content:encoded", ("", "fullitem"): "content:encoded",
    ("", "category"): "category", ("dc", "subject"): "category", ("", "enclosure"): "enclosure",
    ("itunes", "summary"): "rawsummary", ("itunes", "author"): "rawauthor", ("", "guid"): "rawguid", ("", "id"): "rawguid",
    ("", "pubdate"): "rawpublished", ("", "published"): "rawpublished", ("dc", "date"): "rawdate",
    ("dcterms", "date"): "rawdate", ("", "date"): "rawdate", ("", "issued"): "rawissued", ("dcterms", "issued"): "rawissued",
    ("", "created"): "rawcreated", ("dcterms", "created"): "rawcreated", ("", "updated"): "rawupdated",
    ("", "modified"): "rawupdated", ("dcterms", "modified"): "rawupdated",
}  # fmt: skip
"""What we read of an item: namespace and name in lower case, and the name it gets. The parser knows no `raw…`."""
ATTRIBUTES = {
    "link": ("rel", "href", "type"), "enclosure": ("url", "type", "length"), "category": ("term", "label"),
    "title": ("type", "mode"), "summary": ("type", "mode"), "content": ("type", "mode"),
    "description": ("type", "mode"),
}  # fmt: skip


def space(uri: str) -> str:
    """Our name of a namespace; `other` for one we do not read."""
    uri = uri.lower()
    if uri.rstrip("/").endswith("purl.org/rss/1.0"):
        return ""
    return next((ours for part, ours in _SPACES if part in uri), "other")
