"""Videos collected before YouTube's feeds were closed, from a file to entries fit for the record (P05). Pure; nothing is asked.

A file is CSV with the header `outlet,url,title,published` (and `summary`, `byline` where wanted), or one JSON object of the
same names a line. One bad line and nothing is taken from the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from crawl import csvtable, dates, filetext, text, urls, videos
from crawl.clock import DAY_S, kst_midnight
from crawl.csvtable import did_you_mean
from crawl.errors import Problem, RegistryInvalid
from crawl.model import Entry, Outlet
from crawl.policy import LAST_VIDEO_DAY
from crawl.registry import Registry

NEEDED = ("outlet", "url", "title", "published")
OPTIONAL = ("summary", "byline")
FIRST_VIDEO_DAY = "2005-04-23"
"""The day of the first video on YouTube: a date before it is a slip."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one line says, as written, with its number in the file."""

    number: int
    said: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Film:
    """A video fit for the record: its line, its outlet's slug, its identity (data.md) and its facts."""

    line: int
    outlet: str
    key: bytes
    entry: Entry


def read(raw: bytes, file: str, registry: Registry, *, seen: float, summary_max_chars: int) -> tuple[Film, ...]:
    """The videos of a file in its order. `file`: its name as shown to people; `seen`: now, epoch seconds.

    Raises RegistryInvalid with every bad line: unreadable, an unknown outlet or one without a frozen youtube source, no
    video's address, no date that can be checked, published after LAST_VIDEO_DAY, left out by its outlet's wish (P60).
    """
    found: list[Problem] = []
    films = []
    judge = _Judge(registry, seen, summary_max_chars)
    for line in _lines(raw, file, found):
        faults = list(judge.faults(line.said))
        found += [Problem(file, line.number, what, cure) for what, cure in faults]
        if not faults:
            films.append(judge.film(line))
    if found:
        raise RegistryInvalid(found)
    return tuple(films)


def refuse_buried(films: Iterable[Film], file: str, buried: Iterable[bytes]) -> None:
    """Raise RegistryInvalid for videos whose address must never be collected again (P60); `buried`: keys of such addresses."""
    gone = set(buried)
    what, cure = "this address was asked to be left out (P60)", "remove the line"
    found = [Problem(file, film.line, what, cure) for film in films if film.key in gone]
    if found:
        raise RegistryInvalid(found)


def _lines(raw: bytes, file: str, found: list[Problem]) -> list[Line]:
    if not raw.removeprefix(filetext.BOM).strip():
        found.append(
            Problem(file, 1, "the file is empty", f'begin it with "{",".join(NEEDED)}" and write a video a line')
        )
        return []
    try:
        written = filetext.text(raw, file)
    except RegistryInvalid as trouble:
        found += trouble.problems
        return []
    if written.lstrip().startswith("["):
        found.append(
            Problem(file, 1, "this is one JSON list", "write one object a line, without [ and ] and the commas between")
        )
        return []
    if written.lstrip().startswith("{"):
        return list(_objects(written, file, found))
    header = [name.strip().strip('"') for name in next(iter(filetext.lines(written.lstrip())), "").split(",")]
    table = csvtable.read(raw, file, (*NEEDED, *(name for name in OPTIONAL if name in header)))
    found += table.unreadable
    return [Line(row.line, dict(zip(table.columns, row.cells, strict=True))) for row in table.rows]


def _objects(written: str, file: str, found: list[Problem]) -> Iterator[Line]:
    """The lines of a file of JSON objects."""
    example = '{"outlet": "…", "url": "…", "title": "…", "published": "…"}'
    for number, line in enumerate(filetext.lines(written), start=1):
        if not line.strip():
            continue
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            found.append(Problem(file, number, "this is no JSON object", f"write {example} on one line"))
            continue
        faults = [
            *((f'the name "{name}" is unknown', f"remove it{did_you_mean(name, (*NEEDED, *OPTIONAL))}")
              for name in said if name not in (*NEEDED, *OPTIONAL)),
            *((f'the name "{name}" is missing', f"write {example}") for name in NEEDED if name not in said),
            *((f"{name} is not text", "put the value into double quotes") for name, value in said.items()
              if name in (*NEEDED, *OPTIONAL) and not isinstance(value, str)),
        ]  # fmt: skip
        found += [Problem(file, number, what, cure) for what, cure in faults]
        if not faults:
            yield Line(number, said)


class _Judge:
    """Judges the lines of one file against the registry."""

    def __init__(self, registry: Registry, seen: float, limit: int) -> None:
        self._outlets: dict[str, Outlet] = {outlet.slug: outlet for outlet in registry.outlets}
        self._past = {former: slug for slug, outlet in self._outlets.items() for former in outlet.former}
        self._on_youtube = {one.outlet for one in registry.sources if one.kind == "youtube"}
        self._exclusions = registry.exclusions
        self._seen, self._limit = seen, limit

    def faults(self, said: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """What is wrong with a line, each with its cure."""
        slug = said["outlet"].strip()
        yield from self._outlet_faults(slug)
        url = said["url"].strip()
        if videos.recognise(url) is None:
            yield (
                f'"{url}" is no address of a YouTube video',
                "write it as https://www.youtube.com/watch?v=… with its 11 signs",
            )
        elif self._exclusions.covers(url, slug) or self._exclusions.covers_byline(slug, self._byline(said)):
            yield "this video is left out by exclusions.csv (P60)", "remove the line; the exclusion stays"
        if not text.title(said["title"], html=False):
            yield "the title is empty", "write the title that the video has"
        yield from self._date_faults(said["published"].strip())

    def _outlet_faults(self, slug: str) -> Iterator[tuple[str, str]]:
        if slug not in self._outlets:
            known = f'it is called "{self._past[slug]}" now: use that slug' if slug in self._past else ""
            cure = known or f"correct the name or add the outlet{did_you_mean(slug, self._outlets)}"
            yield f'the outlet "{slug}" is not in outlets.csv', cure
        elif slug not in self._on_youtube:
            row = f"{slug},youtube,https://www.youtube.com/@…,,frozen,,"
            yield f'the outlet "{slug}" has no youtube source', f'add its channel to sources.csv: "{row}"'

    def _date_faults(self, written: str) -> Iterator[tuple[str, str]]:
        cure = "write it as 2026-03-05 or 2026-03-05 14:30"
        at = dates.read(written, seen=self._seen).at
        if not written:
            yield (
                "published is empty, so nobody can tell whether it is from before YouTube's feeds were closed (P05)",
                cure,
            )
        elif at is None:
            yield f'published "{written}" is no date', cure
        elif at != dates.read(written, seen=self._seen + 400 * DAY_S).at:
            yield f'published "{written}" is another day whenever it is read', cure
        elif at >= kst_midnight(LAST_VIDEO_DAY) + DAY_S:
            yield f"it was published after {LAST_VIDEO_DAY}, the last day that is taken (P05)", "remove the line"
        elif at < kst_midnight(FIRST_VIDEO_DAY) - DAY_S:
            yield f'published "{written}" is before YouTube began', "correct the date"

    def film(self, line: Line) -> Film:
        """The record of a line that was found faultless."""
        said = line.said
        dated = dates.read(said["published"].strip(), seen=self._seen)
        title = text.title(said["title"], html=False)
        entry = Entry(
            url=urls.link(said["url"], "https://www.youtube.com/") or said["url"],
            title=title,
            summary=text.summary(said.get("summary", ""), html=False, limit=self._limit, title=title),
            byline=self._byline(said),
            published=dated.at,
            precision=dated.precision,
            published_raw=said["published"].strip(),
            date_from="import",
        )
        return Film(line.number, said["outlet"].strip(), urls.key(entry.url), videos.marked(entry))

    @staticmethod
    def _byline(said: Mapping[str, str]) -> str:
        return text.byline(said.get("byline", ""))
