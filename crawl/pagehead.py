"""Where an article's head lies on its page: its lines around the title and before the text. Pure; never raises.

Old content systems share no markup, but they share an order: title, a line about writer and date, the text. The page's own
title says which line is the article's; a box of other things counts for nothing, unless it holds that title itself.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborHTMLParser

from crawl import pagelines
from crawl.pagelines import HEADING_RANK, TITLE_RANK, Line, Lines

_TITLE_CHARS = 1_000
_REGION_CHARS = 20_000
_PROSE_CHARS = 160
_SENTENCE_CHARS = 50
_SENTENCE = re.compile(r"[다요까]\.(?:\s|$|[”\"’'])")
_END = frozenset({
    "관련기사", "관련뉴스", "댓글목록", "댓글쓰기", "이전글", "다음글", "이전기사", "다음기사", "많이본기사", "많이본뉴스",
    "인기기사", "최신기사", "최신뉴스", "다른기사보기", "이기사를공유합니다",
    "relatedarticles", "comments", "leaveareply", "저작권자",
})  # fmt: skip
"""Lines with which the article has ended, letters only."""
_NOT_LETTERS = re.compile(r"[\W_]+")
_SPLIT_TITLE = re.compile(r"\s+[<>|:·ㅣ»›]\s+|\s+[-–—]\s+")
_EDIT_LABEL = re.compile(
    r"(?:수정|최종|편집(?!장|부|국|인|위원)|갱신|업데이트|updated?|modified|edited)\W*$", re.IGNORECASE
)

Place = Literal["marked", "head", "before", "after"]


@dataclass(frozen=True, slots=True)
class Stamp:
    """A date in an attribute or element made for it. `stated`: it says it is the publication date."""

    raw: str
    place: Place
    stated: bool


@dataclass(frozen=True, slots=True)
class Head:
    """The lines of a page around its article. `title`: the page's name for itself.

    `marked`: lines in elements named for an article's head; `head`: between title and text; `before`: above the title;
    `after`: below the text. The title's own lines are in none of them.
    """

    title: str = ""
    marked: str = ""
    head: str = ""
    before: str = ""
    after: str = ""
    stamps: tuple[Stamp, ...] = ()


def read(tree: LexborHTMLParser) -> Head:
    """The article's head, found by what the page calls itself in its og:title or `<title>`."""
    title = own_title(tree)
    page = pagelines.read(tree)
    at = _title_at(page, title)
    return _regions(page, at, title, _no_text(page, at))


def squeezed(text: str) -> str:
    """Letters and digits only, to compare titles by."""
    return _NOT_LETTERS.sub("", unicodedata.normalize("NFKC", text)).casefold()


def own_title(tree: LexborHTMLParser) -> str:
    """What a page calls itself, the outlet's name often included; empty where it has no title."""
    for css in ("meta[property='og:title' i]", "title"):
        node = tree.css_first(css)
        said = (node.attributes.get("content") or node.text()) if node is not None else ""
        if said.strip():
            return said[:_TITLE_CHARS].strip()
    return ""


def _title_at(page: Lines, title: str) -> int:
    """The line that begins the article's title; -1 where none can be told.

    It says what the page calls itself, in the highest heading; if it is said more than once, the last time before the text.
    Where no heading and no line outside the boxes says it, it is the first heading.
    """
    names = (squeezed(title), squeezed(_SPLIT_TITLE.split(title)[0]))
    text_at = next((number for number, line in enumerate(page.lines) if page.inside(line, "body")), len(page.lines))
    same: dict[int, tuple[bool, int, bool, int]] = {}
    first: dict[int, int] = {}
    for number, line in enumerate(page.lines):
        boxed = page.inside(line, "other")
        if line.stamp or page.inside(line, "home") or (boxed and not names[1]):
            continue
        if names[1] and _same_title(squeezed(line.text), names):
            same[number] = (boxed, line.rank, number >= text_at, -number if number < text_at else number)
        elif not boxed and line.rank <= TITLE_RANK:
            first.setdefault(line.rank, number)
    best = min(same, key=lambda number: same[number], default=-1)
    if best >= 0 and (not same[best][0] or same[best][1] <= TITLE_RANK or not first):
        return best
    return next((first[rank] for rank in sorted(first)), best)


def _same_title(called: str, names: tuple[str, str]) -> bool:
    """Whether a line says most of the title, or the title after its section."""
    if not called:
        return False
    if called in names[0]:
        return len(called) * 2 >= len(names[1])
    return len(names[1]) > 3 and names[1] in called and len(called) <= 2 * len(names[1])


def _no_text(page: Lines, at: int) -> frozenset[int]:
    """Boxes that are not only what their names say: those around the title, and those named for the text that hold the line
    about writer and date, or a title, before it."""
    found = set(page.lines[at].boxes) if at >= 0 else set()
    begun: set[int] = set()
    for line in page.lines:
        texts = [box for box in line.boxes if page.kinds[box] == "body"]
        if _is_prose(line.text):
            begun.update(texts)
        elif line.rank == TITLE_RANK or page.inside(line, "meta"):
            found.update(box for box in texts if box not in begun)
    return frozenset(found)


def _regions(page: Lines, at: int, title: str, own: frozenset[int]) -> Head:
    heading = page.lines[at].heading if at >= 0 else -1
    names = squeezed(title)
    has_text = any(page.inside(line, "body", but=own) for line in page.lines[max(at, 0) :])
    kept: dict[Place, list[str]] = {"marked": [], "head": [], "before": [], "after": []}
    stamps: list[Stamp] = []
    place: Place = "before"
    previous = ""
    for number, line in enumerate(page.lines):
        below = number > at >= 0
        if number == at:
            place = "head"
        if page.inside(line, "other", but=own) or page.inside(line, "home"):
            continue
        if page.inside(line, "body", but=own) or (below and not has_text and not line.stamp and _is_prose(line.text)):
            place = "after" if below else place
            continue
        letters = squeezed(line.text)
        if below and letters in _END and (place == "after" or not has_text):
            break
        if line.stamp:
            if line.stated or not _EDIT_LABEL.search(previous):
                stamps.append(Stamp(line.text, _where(page, line, place, own), line.stated))
        elif not (line.heading == heading >= 0 or line.rank <= HEADING_RANK or (len(letters) > 5 and letters in names)):
            kept[_where(page, line, place, own)].append(line.text)
            previous = line.text
    return Head(
        title, **{where: "\n".join(lines)[:_REGION_CHARS] for where, lines in kept.items()}, stamps=tuple(stamps)
    )


def _where(page: Lines, line: Line, place: Place, own: frozenset[int]) -> Place:
    """A box named for heads counts above the title only where it holds the title, too; one for the meta line always."""
    if place == "after":
        return place
    if page.inside(line, "meta"):
        return "marked"
    heads = [box for box in line.boxes if page.kinds[box] == "head"]
    return "marked" if any(place == "head" or box in own for box in heads) else place


def _is_prose(text: str) -> bool:
    return len(text) >= _PROSE_CHARS or (len(text) >= _SENTENCE_CHARS and _SENTENCE.search(text) is not None)
