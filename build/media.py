"""Pictures, films, sound and printed issues: the newest of each, all by year, and the same for each outlet alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from build import filters, spans
from build.index import SHORTS, UNDATED, Index, grouped, month_name
from build.outfeeds import CARD_KINDS
from build.pagekinds import Form, Head, Listed
from build.records import Press
from build.spans import Span

NEWEST = 48
"""How many stand on the first page of all, and of an outlet."""

MOST = 96
"""How many one page of a year holds at most."""

Link = tuple[str, str]
"""Where something stands below the root, and words for it."""


@dataclass(frozen=True, slots=True)
class Medium:
    """One sort of what outlets make. `slug` names its folder, `form` how each stands there.

    `kind`: of which kind its articles are; `film`: whether any article with a film counts too.
    """

    slug: str
    label: str
    form: Form
    kind: str
    lead: str
    empty: str
    film: bool = False


PHOTOS, VIDEOS, AUDIO, EDITIONS = (
    Medium(
        "photos",
        "사진",
        "tile",
        "photo",
        "매체가 사진 기사로 실은 것을 달별로 모았습니다. 사진은 매체의 서버에서 바로 오고, 이 색인에는 두지 않습니다.",
        "아직 사진 기사가 없습니다. 매체가 사진 기사로 실은 글이 수집되면 이 자리에 놓입니다.",
    ),
    Medium(
        "videos",
        "영상",
        "film",
        "video",
        "대학 방송국과 매체의 영상입니다. 누르기 전에는 유튜브에서 미리보기 그림만 받고, 누르면 그 자리에서 틉니다.",
        "아직 영상이 없습니다. 매체의 유튜브 채널이나 영상 기사가 수집되면 이 자리에 놓입니다.",
        film=True,
    ),
    Medium(
        "audio",
        "소리",
        "sound",
        "audio",
        "라디오와 팟캐스트입니다. 소리 파일은 매체의 서버에 있고, 틀기 전에는 아무것도 받지 않습니다.",
        "아직 라디오나 팟캐스트가 없습니다. 소리 파일이 든 피드가 수집되면 이 자리에 놓입니다.",
    ),
    Medium(
        "editions",
        "지면",
        "issue",
        "edition",
        "매체가 PDF로 펴낸 신문과 잡지의 호별 목록입니다. 파일은 매체의 서버에서 열립니다.",
        "아직 지면이 없습니다. 매체의 지면 보기(PDF) 목록이 수집되면 이 자리에 놓입니다.",
    ),
)
MEDIA = (PHOTOS, VIDEOS, AUDIO, EDITIONS)


@dataclass(frozen=True, slots=True)
class MediaSection:
    """One month of a page. `upright`: films taller than wide, which stand apart."""

    title: str
    anchor: str
    wide: Listed
    upright: Listed


@dataclass(frozen=True, slots=True)
class MediaPage:
    """The newest of one medium, or of one outlet's, or up to so many of one year.

    `way`: the pages above it; `spans`: the other pages of its year; `undated`: where those without a date stand;
    `outlets` as (slug, name, how many).
    """

    template: ClassVar[str] = "media.html"
    head: Head
    medium: str
    title: str
    way: tuple[Link, ...]
    sections: tuple[MediaSection, ...]
    lead: str = ""
    empty: str = ""
    years: tuple[Link, ...] = ()
    spans: tuple[Link, ...] = ()
    undated: str = ""
    outlets: tuple[tuple[str, str, int], ...] = ()
    older: Link | None = None
    newer: Link | None = None

    def listed(self) -> Iterable[Listed]:
        """What all its months show."""
        for section in self.sections:
            yield section.wide
            yield section.upright


@dataclass(frozen=True, slots=True)
class _Set:
    """Whose pages are being made: all of a medium, or one outlet's. `base`: their folder; `way`: the pages above it."""

    index: Index
    medium: Medium
    base: str
    title: str
    way: tuple[Link, ...]
    ids: Sequence[int]

    def head(self, path: str, title: str) -> Head:
        """What a page of it says about itself."""
        about = f"{title}: 대학 언론의 {self.medium.label} 모음."
        if self.medium.kind not in CARD_KINDS:
            return Head(f"{path}index.html", title, about, nav=self.medium.slug)
        feed = f"feeds/{self.medium.slug}.atom"
        return Head(
            f"{path}index.html", title, about, self.medium.slug, feed=feed, feed_title=f"새 {self.medium.label}"
        )

    @property
    def inside(self) -> tuple[Link, ...]:
        """The way to the pages within it."""
        return (*self.way, (self.base, self.title))


def media(press: Press) -> Iterator[MediaPage]:
    """Every page of every medium."""
    for medium in MEDIA:
        ids = held(press.index, medium)
        base = f"{medium.slug}/"
        by_outlet = grouped(ids, press.index.outlet)
        whose = sorted(
            ((press.outlets[number].slug, press.outlets[number].name, len(own)) for number, own in by_outlet.items()),
            key=lambda outlet: (outlet[1], outlet[0]),
        )
        whole = _Set(press.index, medium, base, medium.label, (), ids)
        yield from _pages(whole, tuple(whose))
        for number, own in by_outlet.items():
            outlet = press.outlets[number]
            title = f"{outlet.name} {medium.label}"
            yield from _pages(_Set(press.index, medium, f"{base}o/{outlet.slug}/", title, whole.inside, own), ())


def held(index: Index, medium: Medium) -> list[int]:
    """The articles of a medium, in the order they were found."""
    own = index.of_kind(medium.kind)
    return sorted({*own, *index.films()}) if medium.film else list(own)


def of_outlet(index: Index, ids: Sequence[int], slug: str) -> tuple[Link, ...]:
    """Where an outlet's pictures, films, sounds and issues stand, as far as it has any."""
    kinds = {index.kinds[kind] for kind in set(map(index.kind.__getitem__, ids))}
    film = not index.films().isdisjoint(ids)
    return tuple((f"{one.slug}/o/{slug}/", one.label) for one in MEDIA if one.kind in kinds or (one.film and film))


def newest_few(index: Index, medium: Medium, most: int, *, marks: int) -> Listed:
    """The newest of a medium for a strip, one of each outlet and none upright; `marks`: what each must have."""
    once: dict[int, int] = {}
    for id in index.newest_first(held(index, medium)):
        if index.marks[id] & marks == marks and not index.marks[id] & SHORTS:
            once.setdefault(index.outlet[id], id)
        if len(once) == most:
            break
    return Listed(medium.form, tuple(once.values()))


def _pages(whole: _Set, outlets: tuple[tuple[str, str, int], ...]) -> Iterator[MediaPage]:
    """The first page with the newest; where there are more, the years, and what has no date."""
    index = whole.index
    dated = [id for id in index.by_publication(whole.ids) if index.month[id] != UNDATED]
    undated = [id for id in whole.ids if index.month[id] == UNDATED]
    more = len(whole.ids) > NEWEST
    years = {year: list(ids) for year, ids in groupby(dated, key=lambda id: _year(index, id))} if more else {}
    no_date = f"{whole.base}undated/" if more and undated else ""
    yield MediaPage(
        head=whole.head(whole.base, whole.title),
        medium=whole.medium.slug,
        title=whole.title,
        way=whole.way,
        sections=_months(index, whole.medium, index.newest_first(whole.ids)[:NEWEST]),
        lead="" if whole.way else whole.medium.lead,
        empty="" if whole.ids else whole.medium.empty,
        years=tuple((f"{whole.base}{year}/", f"{year}년") for year in reversed(years)),
        undated=no_date,
        outlets=outlets,
    )
    yield from _years(whole, years)
    if no_date:
        yield from _undated(whole, no_date, undated)


def _years(whole: _Set, years: dict[str, list[int]]) -> Iterator[MediaPage]:
    """The pages of all years, each leading to its neighbours; a year's last one stands at the year's own address."""
    placed: list[tuple[str, str, Span]] = []
    for year, ids in years.items():
        parts = spans.of_year(whole.index, ids, MOST)
        placed += [(year, f"{whole.base}{year}/{part.month_name}/", part) for part in parts[:-1]]
        placed.append((year, f"{whole.base}{year}/", parts[-1]))
    steps = [(path, f"{year}년 {part.label}") for year, path, part in placed]
    for at, (year, path, part) in enumerate(placed):
        own = path == f"{whole.base}{year}/"
        title = f"{whole.title} {year}년" if own else f"{whole.title} {steps[at][1]}"
        yield MediaPage(
            head=whole.head(path, title),
            medium=whole.medium.slug,
            title=f"{year}년" if own else steps[at][1],
            way=whole.inside if own else (*whole.inside, (f"{whole.base}{year}/", f"{year}년")),
            sections=_months(whole.index, whole.medium, list(reversed(part.ids))),
            spans=tuple((to, each.label) for of, to, each in placed if of == year and to != path) if own else (),
            older=steps[at - 1] if at else None,
            newer=steps[at + 1] if at + 1 < len(steps) else None,
        )


def _undated(whole: _Set, base: str, ids: Sequence[int]) -> Iterator[MediaPage]:
    """In the order they were found: numbered parts from the oldest, the newest at the address itself."""
    parts = [ids[at : at + MOST] for at in range(0, len(ids), MOST)]
    paths = [f"{base}{number}/" for number in range(1, len(parts))] + [base]
    for at, part in enumerate(parts):
        title = NO_DATE if at + 1 == len(parts) else f"{NO_DATE} ({at + 1})"
        yield MediaPage(
            head=whole.head(paths[at], f"{whole.title} {title}"),
            medium=whole.medium.slug,
            title=title,
            way=whole.inside,
            sections=_months(whole.index, whole.medium, list(reversed(part))),
            older=(paths[at - 1], "먼저 찾은 것") if at else None,
            newer=(paths[at + 1], "나중에 찾은 것") if at + 1 < len(parts) else None,
        )


NO_DATE = "날짜 미상"


def _months(index: Index, medium: Medium, ids: Sequence[int]) -> tuple[MediaSection, ...]:
    """By month of publication, newest month first, in the order given; what has no date comes last."""
    sections = []
    for month, own in sorted(grouped(ids, index.month).items(), reverse=True):
        name = month_name(month)
        sections.append(
            MediaSection(
                title=NO_DATE if month == UNDATED else filters.month_text(name),
                anchor=f"m{name}",
                wide=Listed(medium.form, tuple(id for id in own if not index.marks[id] & SHORTS)),
                upright=Listed(medium.form, tuple(id for id in own if index.marks[id] & SHORTS)),
            )
        )
    return tuple(sections)


def _year(index: Index, id: int) -> str:
    return month_name(index.month[id])[:4]
