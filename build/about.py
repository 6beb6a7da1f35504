"""/about/ and /en/about/: what this is, for whom, by whom; the last from hub.toml."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from build.pagekinds import Head, Listed
from build.pages import kinds_of
from build.records import Press


@dataclass(frozen=True, slots=True)
class AboutPage:
    """What a newcomer wants to know; `kinds` counts the outlets, which move seldom, and no stories, which move nightly."""

    template: ClassVar[str] = "about.html"
    head: Head
    outlets: int
    field: int
    kinds: tuple[tuple[str, int], ...]
    since: str

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()


def page(press: Press, lang: str) -> AboutPage:
    """The page in Korean or English."""
    hub = press.hub
    korean = lang == "ko"
    return AboutPage(
        head=Head(
            "about/index.html" if korean else "en/about/index.html",
            f"{hub.name}에 대하여" if korean else f"About {hub.name_en}",
            "대학 언론의 새 글을 한곳에서 찾아 원문으로 가는 색인입니다. 누가, 누구를 위해, 어떻게 꾸리는지."
            if korean
            else "An index of Korean student media that leads to the originals: what it is, for whom, and by whom.",
            nav="about" if korean else "en-about",
            lang=lang,
            twin="en/about/" if korean else "about/",
        ),
        outlets=len(press.outlets),
        field=press.hub.field_outlets,
        kinds=kinds_of(press),
        since=press.nights[0].day if press.nights else "",
    )
