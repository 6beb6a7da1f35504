"""Rows of a list to entries fit for storing (P02): each article once, its dates resolved, its words cleaned. Pure."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser

from crawl import listdates, listfacts, listrows, text
from crawl.characters import cut, tidy
from crawl.feeditems import UNTITLED
from crawl.listdates import Moment, Written
from crawl.listrows import Row
from crawl.model import Entry
from crawl.skins import Family

_BREADCRUMB = re.compile(r"\s<\s[^<>]{1,40}(?:\s<\s[^<>]{1,60})*$")
_LIST_WORDS = re.compile(r"기사본문|기사목록|전체기사")
_ESCAPED = re.compile(
    r"<([a-z][a-z1-6]*)(?:\s[^<>]{0,300})?>[^<]{0,300}</\1\s*>|<(?:br|img)\b[^<>]{0,300}>", re.IGNORECASE
)
_COUNT = re.compile(r"(?<=\S)\s*(?:\[\s?(\d{1,4})\s?\]|\(\s?(\d{1,4})\s?\))$")
_COUNTS_LEAST = 3
_SHARE = {1: 4, 2: 2}
_SECTIONS_MAX = 200
_MENU_CSS = "a[href*=section_code], a[href*=sec_no], a[href*=category]"
_COMMON_SECTIONS = frozenset({
    "보도", "대학", "학내", "교내", "대학보도", "사회", "문화", "학술", "여론", "기획", "특집", "사설", "칼럼",
    "오피니언", "종합", "인터뷰", "사람", "인물", "스포츠", "국제", "경제", "정치", "과학", "취재", "포토", "사진",
    "화보", "문예", "연재", "기고", "독자", "시론", "만평", "만화", "영상", "뉴스", "공지", "라이프", "캠퍼스",
    "campus", "culture", "society", "opinion", "news", "feature", "features", "people", "sports", "world",
    "editorial", "column", "science", "international", "interview", "photo", "report",
})  # fmt: skip
_WRITERS_LEAST = 2
_PERSON_OR_OUTLET = re.compile(
    r"^[가-힣]{3}$|^[가-힣] [가-힣]{1,2}$|^[a-z][a-z.'-]*(?: [a-z][a-z.'-]*){1,3}$"
    r"|(?:신문|신문사|학보|학보사|방송국?|미디어\S*|교지|저널|press|times|herald|tribune|post)$",
    re.IGNORECASE,
)
_SECTION_PAIR = re.compile(r"[^\W\d_]\s?[/·&]\s?[^\W\d_]")


def merged(rows: Sequence[Row]) -> list[Row]:
    """Each article once, where it first stands, with all that any of its places says."""
    kept: dict[str, Row] = {}
    before = ""
    for row in rows:
        first = kept.get(row.name)
        # A link of its own right below the title's, in another row of the table, is the article's lead.
        lead = row.title if first is not None and before == row.name and listfacts.sentence(row.title) else ""
        before = row.name
        if first is None:
            kept[row.name] = row
            continue
        kept[row.name] = replace(
            first,
            title=row.title if row.title and (not first.title or first.title.endswith(("…", "..."))) else first.title,
            summary=first.summary or row.summary or (lead if lead != first.title else ""),
            byline=first.byline or row.byline,
            section=first.section or row.section,
            date=first.date or row.date,
            lone=first.lone or row.lone,
        )
    return list(kept.values())


def decided(rows: list[Row], tree: LexborHTMLParser) -> list[Row]:
    """Each lone part of a meta line as section or byline: a section is one that the page names as such elsewhere, or that is
    unlike all its writers, who are told by their words (`기자`)."""
    if not any(row.lone for row in rows):
        return rows
    sections = {row.section.casefold() for row in rows if row.section}
    sections |= {menu.text().strip().casefold() for menu in tree.css(_MENU_CSS)[:_SECTIONS_MAX]}
    everyone = [row.byline for row in rows if row.byline and row.section]
    all_titled = len(everyone) >= _WRITERS_LEAST and all(listfacts.is_writer(byline) for byline in everyone)

    def unlike(lone: str) -> bool:
        return all_titled and lone not in everyone and not _PERSON_OR_OUTLET.search(lone)

    told: list[Row] = []
    for row in rows:
        word = row.lone.strip().casefold()
        if not word:
            told.append(row)
        elif word in sections or word in _COMMON_SECTIONS or _SECTION_PAIR.search(word) or unlike(row.lone):
            told.append(replace(row, section=row.section or row.lone))
        else:
            told.append(replace(row, byline=row.byline or row.lone))
    return told


def entries(
    rows: Sequence[Row], tree: LexborHTMLParser, family: Family, *, now: float, limit: int
) -> tuple[tuple[Entry, ...], Counter[str]]:
    """The entries of a page's items and what was noticed about them. `now`: epoch seconds by the page's clock; `limit`: the most
    characters of a summary (P02)."""
    if family.board:
        rows = _without_counts(rows)
    written = [Written(row.date, _number(row.name), row.pinned) for row in rows]
    moments = listdates.resolve(written, now=now, falling=family.falling)
    notices = Counter(
        pinned=sum(row.pinned for row in rows),
        no_date=sum(moment.dated.at is None for moment in moments),
        resolved_year=sum(moment.resolved == "year" for moment in moments),
        relative=sum(moment.resolved == "relative" for moment in moments),
    )
    named = tree.css_first('meta[property="og:site_name"]')
    site = tidy(named.attributes.get("content") or "") if named is not None else ""
    return tuple(_entry(row, moment, family, limit, site) for row, moment in zip(rows, moments, strict=True)), notices


def _number(name: str) -> int | None:
    digits = re.search(r"\d{1,18}$", name, re.ASCII)
    return int(digits[0]) if digits else None


def _entry(row: Row, moment: Moment, family: Family, limit: int, site: str) -> Entry:
    section = cut(text.title(row.section, html=_escaped(row.section)), text.TAG_MAX_CHARS)
    title = _title(row.title, site)
    summary = text.summary(row.summary, html=_escaped(row.summary), limit=limit, title=title) if row.summary else ""
    dated = moment.dated
    return Entry(
        url=row.url,
        title=title or UNTITLED,
        guid=f"document_srl={row.name}" if family.name == "xe" and row.name.isdecimal() else None,
        summary=summary,
        byline=text.byline(row.byline or (listrows.lead_writer(row.summary) if family.name == "mediaon" else "")),
        published=dated.at,
        precision=dated.precision,
        published_raw=cut(tidy(row.date), 100),
        date_from="none" if dated.at is None else "list_resolved" if moment.resolved else "list",
        tags=text.tags([section]) if section else (),
        section=section,
    )


def _without_counts(rows: Sequence[Row]) -> list[Row]:
    """Titles without the comment counts that a board's template printed after them as plain text.

    A number in brackets is the title's own (`(3)` of a serial) unless many of the page's titles end in one (a quarter
    in `[3]`, half in `(3)`): not by ones up or down, as the parts of a serial do, and not after one and the same title.
    """
    for bracket, share in _SHARE.items():
        counted = [(row.title[: found.start()], int(found[bracket])) for row in rows if (found := _count(row, bracket))]
        numbers = [number for _, number in counted]
        stems = {stem for stem, _ in counted}
        if len(stems) < max(_COUNTS_LEAST, len(rows) / share) or len(stems) < len(counted) or _serial(numbers):
            continue
        return [
            replace(row, title=row.title[: found.start()]) if (found := _count(row, bracket)) else row for row in rows
        ]
    return list(rows)


def _count(row: Row, bracket: int) -> re.Match[str] | None:
    found = _COUNT.search(row.title)
    return found if found is not None and found[bracket] else None


def _serial(numbers: Sequence[int]) -> bool:
    steps = [after - before for before, after in itertools.pairwise(numbers)]
    return steps.count(-1) > len(steps) / 2 or steps.count(1) > len(steps) / 2


def _escaped(text: str) -> bool:
    """Whether text that a page decodes to is markup all the same: it was escaped once too often."""
    return "<" in text and _ESCAPED.search(text) is not None


def _title(raw: str, site: str) -> str:
    title = text.title(raw, html=_escaped(raw))
    if _LIST_WORDS.search(title):
        title = _BREADCRUMB.sub("", title)
    if site and title.endswith(f" - {site}"):
        title = title.removesuffix(f" - {site}").rstrip()
    return title
