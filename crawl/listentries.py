"""Rows of a list to entries fit for storing (P02): each article once, its dates resolved, its words cleaned. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser

from crawl import listdates, listrows, text
from crawl.characters import cut, tidy
from crawl.feeditems import UNTITLED
from crawl.listdates import Moment, Written
from crawl.listrows import Row
from crawl.model import Entry
from crawl.skins import Family

_BREADCRUMB = re.compile(r"\s<\s[^<>]{1,40}(?:\s<\s[^<>]{1,60})*$")
_LIST_WORDS = re.compile(r"기사본문|기사목록|전체기사")
_TRAILING_COUNT = re.compile(r"(?<=\S)\s+[\[(]\s?\d{1,4}\s?[\])]$|\s*새글$")
_SECTIONS_MAX = 200
_MENU_CSS = "a[href*=section_code], a[href*=sec_no], a[href*=category]"
_COMMON_SECTIONS = frozenset({
    "보도", "대학", "학내", "교내", "대학보도", "사회", "문화", "학술", "여론", "기획", "특집", "사설", "칼럼",
    "오피니언", "종합", "인터뷰", "사람", "인물", "스포츠", "국제", "경제", "정치", "과학", "취재", "포토", "사진",
    "화보", "문예", "연재", "기고", "독자", "시론", "만평", "만화", "영상", "뉴스", "공지", "라이프", "캠퍼스",
    "campus", "culture", "society", "opinion", "news", "feature", "features", "people", "sports", "world",
    "editorial", "column", "science", "international", "interview", "photo", "report",
})  # fmt: skip
_SECTION_PAIR = re.compile(r"[^\W\d_]\s?[/·&]\s?[^\W\d_]")


def merged(rows: Sequence[Row]) -> list[Row]:
    """Each article once, where it first stands, with all that any of its places says."""
    kept: dict[str, Row] = {}
    for row in rows:
        first = kept.get(row.name)
        if first is None:
            kept[row.name] = row
            continue
        kept[row.name] = replace(
            first,
            title=row.title if row.title and (not first.title or first.title.endswith(("…", "..."))) else first.title,
            summary=first.summary or row.summary,
            byline=first.byline or row.byline,
            section=first.section or row.section,
            date=first.date or row.date,
            lone=first.lone or row.lone,
        )
    return list(kept.values())


def decided(rows: list[Row], tree: LexborHTMLParser) -> list[Row]:
    """Each lone part of a meta line as section or byline: a section is one that the page names as such elsewhere."""
    if not any(row.lone for row in rows):
        return rows
    sections = {row.section.casefold() for row in rows if row.section}
    sections |= {menu.text().strip().casefold() for menu in tree.css(_MENU_CSS)[:_SECTIONS_MAX]}
    told: list[Row] = []
    for row in rows:
        word = row.lone.strip().casefold()
        if not word:
            told.append(row)
        elif word in sections or word in _COMMON_SECTIONS or _SECTION_PAIR.search(word):
            told.append(replace(row, section=row.section or row.lone))
        else:
            told.append(replace(row, byline=row.byline or row.lone))
    return told


def entries(
    rows: Sequence[Row], tree: LexborHTMLParser, family: Family, *, now: float, limit: int
) -> tuple[tuple[Entry, ...], Counter[str]]:
    """The entries of a page's items and what was noticed about them. `now`: epoch seconds by the page's clock; `limit`: the most
    characters of a summary (P02)."""
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
    section = cut(text.title(row.section, html=True), text.TAG_MAX_CHARS)
    title = _title(row.title, family, site)
    summary = text.summary(row.summary, html=True, limit=limit, title=title) if row.summary else ""
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


def _title(raw: str, family: Family, site: str) -> str:
    title = text.title(raw, html=True)
    if _LIST_WORDS.search(title):
        title = _BREADCRUMB.sub("", title)
    if site and title.endswith(f" - {site}"):
        title = title.removesuffix(f" - {site}").rstrip()
    if family.board:
        title = _TRAILING_COUNT.sub("", title) or title
    return title
