"""Reads JSON Feed 1.0 and 1.1 (E23): the same items as from any other feed. Pure."""

from __future__ import annotations

import json
from itertools import islice

from crawl.errors import FeedUnreadable
from crawl.feeditems import ITEMS_MAX, Enclosure, Item, Passage, Said, http_only

_SAME_MAX = 50


def read(source: str) -> Said:
    """The feed in `source`. Members of a wrong type count as missing.

    Raises FeedUnreadable: `json_broken` (not JSON), `not_a_feed` (JSON that is no JSON Feed).
    """
    try:
        found = json.loads(source)
    except (ValueError, RecursionError) as trouble:
        raise FeedUnreadable("json_broken", str(trouble)[:200]) from trouble
    feed = _object(found)
    claims = "jsonfeed.org/version" in _text(feed, "version") or "title" in feed
    if not claims or not isinstance(feed.get("items"), list):
        raise FeedUnreadable("not_a_feed", "JSON without the version and the items of a JSON Feed")
    offered = _objects(feed, "items", ITEMS_MAX + 1)
    items = tuple(_item(one) for one in offered[:ITEMS_MAX])
    flags = (f"items_capped:{ITEMS_MAX}",) if len(offered) > ITEMS_MAX else ()
    return Said("jsonfeed", Passage(_text(feed, "title")), _text(feed, "language"), items, flags)


def _item(one: dict[str, object]) -> Item:
    guid = _text(one, "id")
    return Item(
        title=Passage(_text(one, "title")),
        addresses=(_text(one, "url"), http_only(guid), _text(one, "external_url")),
        guid=guid,
        summaries=(Passage(_text(one, "summary")),),
        texts=(Passage(_text(one, "content_text")), Passage(_text(one, "content_html"), html=True)),
        authors=tuple(_text(author, "name") for author in (*_objects(one, "authors"), _object(one.get("author")))),
        dates=(_text(one, "date_published"),),
        edited=(_text(one, "date_modified"),),
        tags=tuple(tag for tag in islice(_list(one, "tags"), _SAME_MAX) if isinstance(tag, str)),
        enclosures=tuple(
            Enclosure(_text(file, "url"), _text(file, "mime_type"), _text(file, "size_in_bytes"))
            for file in _objects(one, "attachments")
        ),
        pictures=(_text(one, "image"), _text(one, "banner_image")),
    )


def _text(where: dict[str, object], name: str) -> str:
    """A member as text; numbers too, as some write their ids."""
    value = where.get(name)
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 10**18 else ""


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(where: dict[str, object], name: str) -> list[object]:
    value = where.get(name)
    return value if isinstance(value, list) else []


def _objects(where: dict[str, object], name: str, most: int = _SAME_MAX) -> list[dict[str, object]]:
    return list(islice((value for value in _list(where, name) if isinstance(value, dict)), most))
