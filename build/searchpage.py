"""The page of the search, and what its engine in the browser reads: the articles of the press as files (searchindex)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from build import filters, searchcomplete, searchindex, words
from build.pagekinds import Head, Listed, Plain
from build.pages import kinds_of
from build.records import Card, Hub, Press
from build.searchcards import Medium, Searchable, day_text

FOLDER = "search"
AT_ONCE = 2_000
DAY_S, KST_S = 86_400, 32_400

KINDS = {name: (korean,) for name, korean in (words.KINDS | words.CARD_KINDS | {"article": "기사"}).items()}
"""What readers may write after `kind:` beside our own terms."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The field, how to ask, and the kinds that a click narrows to, as (our term, Korean word).

    `report`: where readers ask to have a card removed, `{url}` where its address goes; empty where nobody can be asked.
    """

    template: ClassVar[str] = "search.html"
    head: Head
    outlet_kinds: tuple[tuple[str, str], ...]
    card_kinds: tuple[tuple[str, str], ...]
    report: str = ""

    def listed(self) -> Iterable[Listed]:
        """None: what it shows is looked up in the browser."""
        return ()


def page(press: Press) -> SearchPage:
    """The one page of the search."""
    return SearchPage(
        head=Head(
            f"{FOLDER}/index.html",
            "찾기",
            "전국 대학언론의 제목·요약·글쓴이에서 낱말을 찾습니다. 띄어쓰기가 달라도, 낱말 가운데에 있어도 찾습니다.",
            nav="search",
        ),
        outlet_kinds=tuple((name, words.kind(name)) for name, _ in kinds_of(press)),
        card_kinds=tuple((name, word) for name, word in words.CARD_KINDS.items() if name in press.index.kinds),
        report=_report(press.hub),
    )


def _report(hub: Hub) -> str:
    named = filters.contact_link(hub, "신고·삭제 ")
    return f"{named}{{url}}" if named != filters.contact_link(hub) else named


def sheets(press: Press) -> Iterator[SearchPage | Plain]:
    """The page, and every file of the index."""
    yield page(press)
    articles, media = list(_articles(press)), _media(press)
    for found in (searchindex.files(articles, media, KINDS), searchcomplete.files(articles, media)):
        for path, body in found:
            yield Plain(f"{FOLDER}/{path}", body)


def _articles(press: Press) -> Iterator[Searchable]:
    numbers = {outlet.slug: outlet.id for outlet in press.outlets}
    ids = press.index.ids
    for at in range(0, len(ids), AT_ONCE):
        for card in press.read(ids[at : at + AT_ONCE]):
            yield _searchable(card, numbers[card.outlet], press.index.day[card.id])


def _searchable(card: Card, outlet: int, sort_day: int) -> Searchable:
    """An article as the search knows it; an address that no page may link to stays outside."""
    known = card.published is not None and card.precision != "none"
    return Searchable(
        id=card.id,
        outlet=outlet,
        kind=card.kind,
        url=filters.web(card.url),
        title=card.title,
        summary=card.summary,
        byline=card.byline,
        date=day_text(((card.published or 0) + KST_S) // DAY_S) if known else "",
        sort_at=card.sort_at,
        sort_day=sort_day,
        first_seen=card.first_seen,
        tags=card.tags,
    )


def _media(press: Press) -> list[Medium]:
    return [
        Medium(one.id, one.slug, one.name, one.name_en, one.university, one.univ, one.kind) for one in press.outlets
    ]
