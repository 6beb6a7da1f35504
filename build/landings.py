"""Where one arrives from elsewhere: a university, a kind of outlet or a region, with its outlets and its newest rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from build import words
from build.filters import landing
from build.pagekinds import Head, Listed, Named
from build.pages import kind_then_name, named
from build.records import Outlet, Press

ROWS = 60


@dataclass(frozen=True, slots=True)
class Group:
    """Outlets under one heading, which may lead to a landing of its own; `path` is empty where there is none."""

    title: str
    path: str
    outlets: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Landing:
    """One university, kind or region. `what` says which of these it is, `more` where its neighbours are, as (path, words)."""

    template: ClassVar[str] = "landing.html"
    head: Head
    what: str
    title: str
    kind: str
    groups: tuple[Group, ...]
    more: tuple[tuple[str, str], ...]
    rows: Listed

    def listed(self) -> Iterable[Listed]:
        """Its newest."""
        return (self.rows,)

    @property
    def outlets(self) -> int:
        """How many outlets it has."""
        return sum(len(group.outlets) for group in self.groups)


def landings(press: Press) -> Iterator[Landing]:
    """Every university, kind and region that has an outlet."""
    places = {outlet.slug: number for number, outlet in enumerate(press.outlets)}

    def newest(outlets: Iterable[Outlet]) -> Listed:
        return Listed("row", tuple(press.index.newest_of((places[outlet.slug] for outlet in outlets), ROWS)))

    for univ, own in sorted(_by(press.outlets, lambda outlet: outlet.univ).items()):
        if landing(univ, "u"):
            yield _university(univ, own, newest(own))
    kinds = _by(press.outlets, lambda outlet: outlet.kind)
    for kind in [*words.KINDS, *sorted(kinds.keys() - words.KINDS.keys())]:
        if kind in kinds and landing(kind, "kind"):
            yield _kind(kind, kinds[kind], newest(kinds[kind]))
    for region, own in sorted(_by(press.outlets, lambda outlet: outlet.region).items()):
        if landing(region, "region"):
            yield _region(region, own, newest(own))


def _by(outlets: Iterable[Outlet], mark: Callable[[Outlet], str]) -> dict[str, list[Outlet]]:
    groups: dict[str, list[Outlet]] = {}
    for outlet in outlets:
        groups.setdefault(mark(outlet), []).append(outlet)
    return groups


def _university(univ: str, outlets: list[Outlet], rows: Listed) -> Landing:
    name = outlets[0].university
    regions = sorted({outlet.region for outlet in outlets if landing(outlet.region, "region")})
    names = "·".join(outlet.name for outlet in outlets)
    return Landing(
        head=Head(
            f"{landing(univ, 'u')}index.html",
            f"{name}의 언론",
            f"{name}의 언론: {names}. 매체 소개와 새 글.",
            nav="outlets",
            feed=f"feeds/u/{univ}.atom",
            feed_title=f"{name} 매체들의 새 글",
        ),
        what="대학",
        title=name,
        kind="",
        groups=(Group("", "", _named(outlets)),),
        more=tuple((landing(region, "region"), f"{region}의 대학 언론") for region in regions),
        rows=rows,
    )


def _kind(kind: str, outlets: list[Outlet], rows: Listed) -> Landing:
    name = words.kind(kind)
    return Landing(
        head=Head(
            f"{landing(kind, 'kind')}index.html",
            f"대학 {name}",
            f"전국 대학의 {name} 매체 목록과 새 글.",
            nav="outlets",
            feed=f"feeds/kind/{kind}.atom",
            feed_title=f"대학 {name}의 새 글",
        ),
        what="종류",
        title=name,
        kind=kind,
        groups=_regions(outlets),
        more=(),
        rows=rows,
    )


def _region(region: str, outlets: list[Outlet], rows: Listed) -> Landing:
    return Landing(
        head=Head(
            f"{landing(region, 'region')}index.html",
            f"{region}의 대학 언론",
            f"{region} 지역 대학 언론의 목록과 새 글.",
            nav="outlets",
        ),
        what="지역",
        title=region,
        kind="",
        groups=_universities(outlets),
        more=(),
        rows=rows,
    )


def _named(outlets: Iterable[Outlet]) -> tuple[Named, ...]:
    """By kind in the order pages list kinds, then by name."""
    return tuple(sorted((named(outlet) for outlet in outlets), key=kind_then_name))


def _regions(outlets: Iterable[Outlet]) -> tuple[Group, ...]:
    """Regions with most outlets first, as the directory has them."""
    groups = [
        Group(region or "지역 미상", landing(region, "region"), _named(own))
        for region, own in _by(outlets, lambda outlet: outlet.region).items()
    ]
    return tuple(sorted(groups, key=lambda group: (-len(group.outlets), group.title)))


def _universities(outlets: Iterable[Outlet]) -> tuple[Group, ...]:
    groups = [
        Group(own[0].university, landing(univ, "u"), _named(own))
        for univ, own in _by(outlets, lambda outlet: outlet.univ).items()
    ]
    return tuple(sorted(groups, key=lambda group: group.title))
