"""JSON Feed 1.1: the same entries as the Atom feeds, for readers and scripts that like JSON better."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from build import feedchannel, filters
from build.feedchannel import Channel
from build.records import Card

VERSION = "https://jsonfeed.org/version/1.1"
TYPE = "application/feed+json"

_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def document(channel: Channel, cards: Iterable[Card]) -> bytes:
    """The channel as a JSON Feed; `cards` newest first. `_outlet` is ours: an outlet's own feed says of which kind it is."""
    feed: dict[str, Any] = {"version": VERSION, "title": channel.title}
    if channel.address(""):
        feed["home_page_url"] = channel.address(channel.page)
        feed["feed_url"] = channel.address(f"{channel.place}.json")
        feed["icon"] = channel.address("assets/cover.png")
    if channel.subtitle:
        feed["description"] = channel.subtitle
    feed["user_comment"] = feedchannel.RIGHTS
    feed["language"] = "ko"
    feed["authors"] = [{"name": channel.hub or channel.title}]
    told = feedchannel.told(cards)
    kinds = {card.outlet_kind for card in told}
    if channel.name.startswith("outlet:") and len(kinds) == 1:
        feed["_outlet"] = {"kind": kinds.pop()}
    # An item a line: an encoder told to indent is a slow one.
    items = ",\n".join([f"  {_ENCODE(_item(card))}" for card in told])
    head = json.dumps(feed, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{head},\n "items": [\n{items}\n ]\n}}\n'.encode()


def _item(card: Card) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": feedchannel.entry_id(card),
        "url": filters.uri(card.url),
        "title": feedchannel.title(card),
        # One of the contents must be there: the summary, else the title once more.
        "content_text": card.summary or feedchannel.title(card),
    }
    published = feedchannel.published(card)
    if published is not None:
        item["date_published"] = filters.utc_stamp(published)
    item["date_modified"] = filters.utc_stamp(card.changed)
    item["authors"] = [{"name": feedchannel.author(card)}]
    if card.tags:
        item["tags"] = list(card.tags)
    if lang := filters.lang_of(card.title, card.outlet_kind):
        item["language"] = lang
    if image := filters.picture(filters.uri(card.image_url)):
        item["image"] = image
    if media := filters.uri(card.media_url):
        item["attachments"] = [_attachment(card, media)]
    return item


def _attachment(card: Card, media: str) -> dict[str, Any]:
    found: dict[str, Any] = {"url": media, "mime_type": feedchannel.media_type(card)}
    if card.media_bytes and card.media_bytes > 0:
        found["size_in_bytes"] = card.media_bytes
    return found
