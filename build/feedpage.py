"""/feeds/: every feed of the site in one place, and how to use one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from build import outfeeds
from build.feedchannel import Channel
from build.pagekinds import Head, Listed
from build.records import Press


@dataclass(frozen=True, slots=True)
class FeedLink:
    """One channel: its title, and its files' path without the ending."""

    title: str
    place: str


@dataclass(frozen=True, slots=True)
class FeedPage:
    """The channels of everything and of kinds of stories, of kinds of outlets, and of universities with their outlets."""

    template: ClassVar[str] = "feeds.html"
    head: Head
    whole: tuple[FeedLink, ...]
    kinds: tuple[FeedLink, ...]
    universities: tuple[tuple[str, FeedLink | None, tuple[FeedLink, ...]], ...]
    podcast: str
    own: int

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()


def page(press: Press, own: int) -> FeedPage:
    """The page; `own` is how many feeds of the outlets themselves the OPML file holds."""
    channels = list(outfeeds.channels(press, "", {}))
    by_name = {channel.name: channel for channel in channels}
    outlets = sorted(press.outlets, key=lambda one: (one.university, one.univ, one.name))
    universities = []
    for (university, univ), group in groupby(outlets, key=lambda one: (one.university, one.univ)):
        whole = by_name.get(f"university:{univ}")
        links = tuple(_link(by_name[f"outlet:{one.slug}"]) for one in group)
        # With a single outlet the university's feed would only say the same.
        universities.append((university, _link(whole) if whole and len(links) > 1 else None, links))
    return FeedPage(
        head=Head(
            "feeds/index.html", "피드", "새 글을 피드 리더로 받아 보는 주소. 전체, 종류, 대학, 매체마다 있습니다.", nav="feeds"
        ),
        whole=tuple(_link(by_name[name]) for name in ("all", "photos", "videos", "audio")),
        kinds=tuple(_link(channel) for channel in channels if channel.name.startswith("kind:")),
        universities=tuple(universities),
        podcast=f"{by_name['audio'].place}.rss",
        own=own,
    )  # fmt: skip


def _link(channel: Channel) -> FeedLink:
    return FeedLink(channel.title, channel.place)
