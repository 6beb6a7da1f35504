"""[photo_columns] in hub.toml: the names of outlets' photo columns that do not say "photo" themselves (P03)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from crawl import cells, filetext
from crawl.csvtable import did_you_mean
from crawl.errors import Problem
from crawl.hubplace import Place
from crawl.model import Outlet

COLUMN_MAX_CHARS = 30
_EXAMPLE = '["카메라사계", "앵글"]'


def columns(table: dict[str, Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The columns by outlet, in the order of the slugs; the table was found faultless before."""
    return tuple((slug, tuple(cells.tidy(name) for name in names)) for slug, names in sorted(table.items()))


def faults(table: dict[str, Any], place: Place) -> Iterator[Problem]:
    """What is wrong in [photo_columns] by itself: keys are slugs, values lists of names, each once."""
    for slug, names in table.items():
        if not cells.is_slug(slug):
            cure = 'write the slug that stands in outlets.csv, for example hanbit-news = ["앵글"]'
            yield place.problem("photo_columns", slug, f'"{slug}" is no slug', cure)
        elif not isinstance(names, list) or not names:
            cure = f"write {slug} = {_EXAMPLE}, or remove the line"
            yield place.problem("photo_columns", slug, f"{slug} is no list of names", cure)
        else:
            for what, cure in _name_faults(names):
                yield place.problem("photo_columns", slug, f"{slug}: {what}", cure)


def _name_faults(names: list[Any]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            yield f"{name} is not text", "put the name into double quotes"
            continue
        plain = "".join(unicodedata.normalize("NFKC", name).split()).casefold()
        if not any(sign.isalnum() for sign in plain):
            yield f'"{name}" is no name', "write the column's name as its headings show it, or remove it"
        elif set("[](){}<>【】〈〉《》「」|") & set(name) or not name.isprintable():
            yield (
                f'the name "{name}" holds brackets or signs nobody sees',
                "write the bare name, without what stands around it",
            )
        elif len(name) > COLUMN_MAX_CHARS:
            yield f'the name "{name}" is longer than a column\'s name', f"write at most {COLUMN_MAX_CHARS} characters"
        elif plain in seen:
            yield f'the name "{name}" stands there twice', "keep one of them"
        seen.add(plain)


def strangers(
    raw: bytes, file: str, noted: Iterable[tuple[str, tuple[str, ...]]], outlets: Iterable[Outlet]
) -> list[Problem]:
    """Columns noted for outlets that are not registered; `raw` and `file` are hub.toml's bytes and its path as shown."""
    place = Place(file, filetext.text(raw, file))
    known = {outlet.slug: outlet for outlet in outlets}
    past = {former: slug for slug, outlet in known.items() for former in outlet.former}
    found = []
    for slug, _ in noted:
        if slug not in known:
            cure = (
                f'it is called "{past[slug]}" now: use that slug'
                if slug in past
                else f"correct it{did_you_mean(slug, known)}"
            )
            found.append(place.problem("photo_columns", slug, f'the outlet "{slug}" is not in outlets.csv', cure))
    return found
