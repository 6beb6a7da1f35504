"""Sheets to bytes: reads the cards that are needed, renders each once per form, and keeps the pieces on disk, not in memory."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import cast

from build.notes import Notes
from build.pagekinds import Form, Listed, Plain, Read, Ready, Single, Whole, is_deferred, is_drawn, is_noted, is_page
from build.records import Card
from build.render import Renderer
from build.spill import Spill

AT_ONCE = 2_000
"""Articles rendered in one go: enough that a template's start costs nothing."""


class Maker:
    """Makes sheets; one build's pieces live as long as it does, in a file without a name in `folder`."""

    def __init__(self, renderer: Renderer, read: Read, folder: Path, notes: Notes | None = None) -> None:
        self._renderer = renderer
        self._notes = notes or Notes()
        self._folder = folder
        self._pieces: dict[Form, Spill] = {}
        self._held = Spill(folder)
        self._read_anew = read

    def __call__(self, sheets: Sequence[Single]) -> Iterator[bytes]:
        """The bytes of each sheet, in that order."""
        ready = [sheet.worked_out(self._read) if is_deferred(sheet) else cast(Ready, sheet) for sheet in sheets]
        self._prepare(ready)
        cards: dict[int, Card] = {}
        for sheet in ready:
            if isinstance(sheet, Plain):
                yield sheet.content
            elif is_drawn(sheet):
                self._have(cards, sheet.ids)
                yield sheet.body({id: cards[id] for id in sheet.ids})
            elif is_noted(sheet):
                yield sheet.content_of(self._noted(sheet.needs))
            elif is_page(sheet):
                yield self._renderer.page(sheet, self._show)

    def files(self, sheet: Whole) -> Iterator[tuple[str, bytes]]:
        """Every file of a whole, as path below its folder and content."""
        note = yield from sheet.files(self._noted(sheet.needs), self._read, self._folder)
        self._notes.keep(sheet.folder, repr(sheet), note)

    def _noted(self, wholes: Iterable[Whole]) -> list[bytes]:
        """The note of each; one that was lost is worked out anew."""
        notes = []
        for whole in wholes:
            note = self._notes.find(whole.folder, repr(whole))
            if note is None:
                for _ in self.files(whole):
                    continue
                note = self._notes.find(whole.folder, repr(whole))
                assert note is not None
            notes.append(note)
        return notes

    def close(self) -> None:
        """Give the disk back."""
        for spill in (self._held, *self._pieces.values()):
            spill.close()

    def _read(self, ids: Iterable[int]) -> list[Card]:
        """The cards of these, in that order. A first build shows most of them in several forms: read once, they are at hand."""
        wanted = list(ids)
        fresh = {card.id: card for card in self._read_anew(self._held.missing(wanted))}
        self._held.keep(list(fresh), [marshal.dumps(_values(card)) for card in fresh.values()])
        return [fresh[id] if id in fresh else Card(*marshal.loads(self._held.get(id))) for id in wanted]

    def _have(self, cards: dict[int, Card], ids: Sequence[int]) -> None:
        """Let `cards` hold these; what was read for earlier sheets stays while that is little, as neighbours often share it."""
        missing = [id for id in ids if id not in cards]
        if missing and len(cards) > AT_ONCE:
            cards.clear()
            missing = list(ids)
        cards.update((card.id, card) for card in self._read(sorted(missing)))

    def _prepare(self, sheets: Sequence[Ready]) -> None:
        wanted: dict[Form, set[int]] = {}
        for sheet in sheets:
            if is_page(sheet):
                for listed in sheet.listed():
                    wanted.setdefault(listed.form, set()).update(listed.ids)
        for form, ids in wanted.items():
            if form not in self._pieces:
                self._pieces[form] = Spill(self._folder)
            todo = self._pieces[form].missing(sorted(ids))
            for at in range(0, len(todo), AT_ONCE):
                some = todo[at : at + AT_ONCE]
                pieces = self._renderer.pieces(form, self._read(some))
                self._pieces[form].keep(some, [piece.encode() for piece in pieces])

    def _show(self, listed: Listed) -> str:
        if not listed.ids:
            return ""
        pieces = self._pieces[listed.form]
        return b"\n".join([pieces.get(id) for id in listed.ids]).decode()


_values = attrgetter(*(field.name for field in fields(Card)))
