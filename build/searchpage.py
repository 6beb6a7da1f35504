"""The page of the search, and what its engine in the browser reads: the articles of the press as files (searchindex)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from build import filters, searchsheets, words
from build.pagekinds import Head, Listed, Sheet
from build.pages import kinds_of
from build.records import Hub, Press


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
            f"{searchsheets.FOLDER}/index.html",
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


def sheets(press: Press) -> Iterator[Sheet]:
    """The page, and every file of the index."""
    yield page(press)
    yield from searchsheets.sheets(press)
