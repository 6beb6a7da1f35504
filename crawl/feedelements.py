"""What a feed document holds of what we read: elements by our names, item by item. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Element(NamedTuple):
    """One element with the name of feednames, its text decoded (of XHTML its source), its known attributes."""

    name: str
    text: str
    attributes: tuple[tuple[str, str], ...] = ()

    def attribute(self, name: str) -> str:
        """An attribute's value; empty where there is none."""
        return next((value for key, value in self.attributes if key == name), "")


@dataclass(frozen=True, slots=True)
class Document:
    """A feed's own elements and those of each item in their order, the format and xml:lang of its root, and what had to
    be repaired.

    Flags: `bad_characters`, `junk_before`, `junk_after`, `truncated`, `bad_entities`, `bad_markup`, `items_capped:N` (only
    the first N were read).
    """

    format: str
    language: str
    channel: tuple[Element, ...]
    items: tuple[tuple[Element, ...], ...]
    flags: tuple[str, ...]
