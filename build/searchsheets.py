"""The files of the search as sheets: both segments, and what is made from what is known of them."""

from __future__ import annotations

import json
from array import array
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from build import filters, searchcomplete, searchindex, words
from build.index import day_number
from build.pagekinds import Read
from build.part import DIGEST_BYTES
from build.records import Card, Outlet, Press
from build.searchcards import Medium, Searchable, day_text
from build.searchindex import Known

FOLDER = "search"
AT_ONCE = 2_000

KINDS = {name: (korean,) for name, korean in (words.KINDS | words.CARD_KINDS | {"article": "기사"}).items()}
"""What readers may write after `kind:` beside our own terms."""


@dataclass(frozen=True, slots=True)
class Segment:
    """All files of one segment; the delta needs the base. `made_from`: digest of its articles and of facts of their outlets."""

    folder: str
    made_from: str
    needs: tuple[Segment, ...]
    ids: array[int] = field(repr=False)
    press: Press = field(repr=False)

    def files(self, notes: Sequence[bytes], read: Read, scratch: Path) -> Generator[tuple[str, bytes], None, bytes]:
        """The base notes what is offered of its articles too: those of this month would move it every night."""
        media = {medium.id: medium for medium in _media(self.press.outlets)}
        index = self.press.index
        if self.needs:
            ids = searchindex.delta_order(self.ids, index.first_seen, index.sort_at)
            begins = _told(notes[0])[0].begins
            known = yield from searchindex.segment(_articles(self.press, ids, read), media, begins, scratch)
            return _note(known, {})
        articles = _articles(self.press, searchindex.base_order(self.ids, index.sort_at), read)
        counts = searchcomplete.Counts()
        known = yield from searchindex.segment(counts.watch(articles), media, None, scratch)
        return _note(known, counts.offered())


@dataclass(frozen=True, slots=True)
class Entrance:
    """The file that is read first."""

    needs: tuple[Segment, Segment]
    path: str = f"{FOLDER}/index.gz"

    def content_of(self, notes: Sequence[bytes]) -> bytes:
        """What is told of both segments."""
        base, delta = (_told(note)[0].told for note in notes)
        return searchindex.entrance(base, delta)


@dataclass(frozen=True, slots=True)
class Outlets:
    """The file of outlets; `media`: digest of them."""

    needs: tuple[Segment]
    media: str
    press: Press = field(repr=False)
    path: str = f"{FOLDER}/outlets.gz"

    def content_of(self, notes: Sequence[bytes]) -> bytes:
        """Names, and what addresses begin with."""
        return searchindex.outlets(_media(self.press.outlets), _told(notes[0])[0], KINDS)


@dataclass(frozen=True, slots=True)
class Offer:
    """What the field offers for one initial; `media`: digest of the outlets."""

    needs: tuple[Segment]
    media: str
    key: str
    press: Press = field(repr=False)

    @property
    def path(self) -> str:
        """Its file."""
        return f"{FOLDER}/complete/{self.key}.gz"

    def content_of(self, notes: Sequence[bytes]) -> bytes:
        """Names, tags and words."""
        return searchcomplete.file(self.key, _told(notes[0])[1].get(self.key, ()), _media(self.press.outlets))


def sheets(press: Press) -> Iterator[Segment | Entrance | Outlets | Offer]:
    """Every file of the index. No article of a segment is read unless something in it is new."""
    index = press.index
    in_base, in_delta = searchindex.parted(index.ids, index.first_seen)
    base = Segment(f"{FOLDER}/base", _made_from(press, in_base), (), in_base, press)
    delta = Segment(f"{FOLDER}/delta", _made_from(press, in_delta), (base,), in_delta, press)
    media = _digest(repr(_media(press.outlets)).encode("utf-8", "surrogatepass"))
    yield base
    yield delta
    yield Entrance((base, delta))
    yield Outlets((base,), media, press)
    for key in searchcomplete.KEYS:
        yield Offer((base,), media, key, press)


def _made_from(press: Press, ids: array[int]) -> str:
    """Digest of the articles, and of what is found by their outlets but stands on no card."""
    index = press.index
    outlets = [press.outlets[place] for place in sorted({index.outlet[id] for id in ids})]
    facts = [(one.id, one.univ) for one in outlets]
    return _digest(repr(facts).encode("utf-8", "surrogatepass"), index.digest(ids))


def _digest(*parts: bytes) -> str:
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def _note(known: Known, offered: dict[str, list[list[str]]]) -> bytes:
    return json.dumps([dict(known.told), list(known.begins.items()), offered]).encode()


def _told(note: bytes) -> tuple[Known, dict[str, Any]]:
    told, begins, offered = json.loads(note)
    return Known(told, dict(begins)), offered


def _articles(press: Press, ids: Sequence[int], read: Read) -> Iterator[Searchable]:
    numbers = {outlet.slug: outlet.id for outlet in press.outlets}
    for at in range(0, len(ids), AT_ONCE):
        for card in read(ids[at : at + AT_ONCE]):
            yield _searchable(card, numbers[card.outlet], press.index.day[card.id])


def _searchable(card: Card, outlet: int, sort_day: int) -> Searchable:
    """An article as the search knows it; an address that no page may link to stays outside."""
    return Searchable(
        id=card.id,
        outlet=outlet,
        kind=card.kind,
        url=filters.web(card.url),
        title=card.title,
        summary=card.summary,
        byline=card.byline,
        date="" if card.published is None or card.precision == "none" else day_text(day_number(card.published)),
        sort_at=card.sort_at,
        sort_day=sort_day,
        first_seen=card.first_seen,
        tags=card.tags,
    )


def _media(outlets: Iterable[Outlet]) -> list[Medium]:
    return [Medium(one.id, one.slug, one.name, one.name_en, one.university, one.univ, one.kind) for one in outlets]
