"""One channel of the site as all feed formats need it: what it is called, where it stands, whose articles it tells."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from build import filters
from build.records import Card

# Names derived from facts of the database alone, so that an entry keeps its id when the site moves.
_NAMESPACE = uuid.UUID("6f1d1b52-6a58-5d0e-9a3e-2c2f0f3b8c11")

_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+")

RIGHTS = "글과 사진의 권리는 각 매체에 있습니다."


@dataclass(frozen=True, slots=True)
class Channel:
    """What is told in one place of the site, newest first.

    `name` is what its id is made from, `place` its files' path without the ending, `page` the page it follows; `base_url` is
    the site's address, a path, or empty; `began`: epoch seconds it is as old as while it is empty; `hub`: who tells it.
    """

    name: str
    place: str
    title: str
    subtitle: str
    ids: tuple[int, ...]
    base_url: str
    page: str
    hub: str
    began: int = 0

    def address(self, path: str) -> str:
        """The whole address of a file of the site; empty while the site's own is not known."""
        return f"{self.base_url}{quote(path)}" if self.base_url.startswith("http") else ""

    def updated(self, cards: Iterable[Card]) -> int:
        """When the newest change of these happened (epoch seconds)."""
        return max((card.changed for card in cards), default=self.began)


def told(cards: Iterable[Card]) -> list[Card]:
    """The cards a feed may lead to: those with a safe address."""
    return [card for card in cards if filters.uri(card.url)]


def title(card: Card) -> str:
    """Its title, or words for none: a feed's entry must have one."""
    return card.title or "(제목 없음)"


def author(card: Card) -> str:
    """Who wrote it and where."""
    return f"{card.byline} ({card.outlet_name})" if card.byline else card.outlet_name


def published(card: Card) -> int | None:
    """When it was published (epoch seconds), None where that is not known."""
    return None if card.precision == "none" else card.published


def lasting_id(name: str) -> str:
    """An id that stays when the site moves: a URN made from a name."""
    return uuid.uuid5(_NAMESPACE, name).urn


def entry_id(card: Card) -> str:
    """The id of an article in every feed of ours."""
    return lasting_id(f"article:{card.key}")


def media_type(card: Card) -> str:
    """The type of its enclosure: what the outlet's feed said, else what its kind suggests."""
    given = (card.media_type or "").strip().lower()
    if _MEDIA_TYPE.fullmatch(given):
        return given
    return {"audio": "audio/mpeg", "video": "video/mp4", "edition": "application/pdf"}.get(
        card.kind, "application/octet-stream"
    )
