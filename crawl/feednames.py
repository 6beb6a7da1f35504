"""What we read of a feed: namespaces, elements and attributes, and the names they get for the library. Pure."""

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
    ("media", "content"): "media:content", ("media", "thumbnail"): "media:content",
    ("itunes", "summary"): "other", ("itunes", "author"): "presenter", ("", "guid"): "guid", ("", "id"): "guid",
    ("", "pubdate"): "published", ("", "published"): "published", ("dc", "date"): "date",
    ("dcterms", "date"): "date", ("", "date"): "date", ("", "issued"): "issued", ("dcterms", "issued"): "issued",
    ("", "created"): "created", ("dcterms", "created"): "created", ("", "updated"): "updated",
    ("", "modified"): "updated", ("dcterms", "modified"): "updated",
}  # fmt: skip
"""What we read of an item: namespace and name in lower case, and the name it gets."""
RAW = frozenset({
    "other", "author", "presenter", "guid", "permalink", "published", "date", "issued", "created", "updated",
})  # fmt: skip
"""Of those, what the library would misread or keep only once: it hands them on untouched, as attributes of AS_IS."""
UNLIKE_HTML = RAW - {"author"}
"""No page has such elements, so that they are elements of the item even amid its markup."""
AS_IS = "asis"
LINE_END = "\u2028"
"""Stands for the line ends of a text."""
TYPED = frozenset({"title", "summary", "content"})
"""Those whose `type` says whether they hold HTML."""
WRITINGS = frozenset({"summary", "content", "content:encoded", "other"})
ATTRIBUTES = {
    "link": ("rel", "href", "type"), "enclosure": ("url", "type", "length"), "category": ("term", "label"),
    "media:content": ("url", "medium", "type"), "title": ("type", "mode"), "summary": ("type", "mode"),
    "content": ("type", "mode"),
}  # fmt: skip


def space(uri: str) -> str:
    """Our name of a namespace; `other` for one we do not read."""
    uri = uri.lower()
    if uri.rstrip("/").endswith("purl.org/rss/1.0"):
        return ""
    return next((ours for part, ours in _SPACES if part in uri), "other")
