"""Sheets to bytes: reads the cards that are needed, renders each once per form, and keeps the pieces on disk, not in memory."""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from build.pagekinds import Form, Listed, Plain, Read, Ready, Sheet, is_deferred, is_drawn, is_page
from build.records import Card
from build.render import Renderer

AT_ONCE = 2_000
"""Articles rendered in one go: enough that a template's start costs nothing."""


class Maker:
    """Makes sheets; one build's pieces live as long as it does, in a file without a name in `folder`."""

    def __init__(self, renderer: Renderer, read: Read, folder: Path) -> None:
        self._renderer = renderer
        self._read = read
        self._folder = folder
        self._pieces: dict[Form, _Pieces] = {}

    def __call__(self, sheets: Sequence[Sheet]) -> Iterator[bytes]:
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
            elif is_page(sheet):
                yield self._renderer.page(sheet, self._show)

    def close(self) -> None:
        """Give the disk back."""
        for pieces in self._pieces.values():
            pieces.close()

    def _have(self, cards: dict[int, Card], ids: Sequence[int]) -> None:
        """Let `cards` hold these; what was read for earlier sheets stays while that is little, as neighbours often share it."""
        missing = [id for id in ids if id not in cards]
        if missing and len(cards) > AT_ONCE:
            cards.clear()
            missing = list(ids)
        cards.update((card.id, card) for card in self._read(sorted(missing)))

    def _prepare(self, sheets: Sequence[Ready]) -> None:
        for sheet in sheets:
            if is_page(sheet):
                for listed in sheet.listed():
                    if listed.form not in self._pieces:
                        self._pieces[listed.form] = _Pieces(self._folder)
                    self._pieces[listed.form].want(listed.ids)
        for form, pieces in self._pieces.items():
            todo = sorted(pieces.wanted)
            for at in range(0, len(todo), AT_ONCE):
                some = todo[at : at + AT_ONCE]
                pieces.keep(some, self._renderer.pieces(form, self._read(some)))
            pieces.wanted.clear()

    def _show(self, listed: Listed) -> str:
        return self._pieces[listed.form].joined(listed.ids) if listed.ids else ""


class _Pieces:
    """The rendered pieces of one form: in a file, with where each stands by article number."""

    def __init__(self, folder: Path) -> None:
        self.wanted: set[int] = set()
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (closed by close)
        self._starts = array("q")
        self._sizes = array("i")
        self._end = 0

    def want(self, ids: Sequence[int]) -> None:
        """Note what is still to be rendered of these."""
        if ids:
            missing = max(ids) + 1 - len(self._starts)
            if missing > 0:
                self._starts.extend([-1] * missing)
                self._sizes.extend([0] * missing)
            self.wanted.update(id for id in ids if self._starts[id] < 0)

    def keep(self, ids: Sequence[int], pieces: Sequence[str]) -> None:
        """Put the pieces of these away."""
        bodies = [piece.encode() for piece in pieces]
        for id, body in zip(ids, bodies, strict=True):
            self._starts[id], self._sizes[id] = self._end, len(body)
            self._end += len(body)
        self._file.write(b"".join(bodies))
        self._file.flush()

    def joined(self, ids: Sequence[int]) -> str:
        """The pieces of these, one under another."""
        file = self._file.fileno()
        return b"\n".join([os.pread(file, self._sizes[id], self._starts[id]) for id in ids]).decode()

    def close(self) -> None:
        self._file.close()
