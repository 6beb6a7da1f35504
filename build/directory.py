"""The directory of outlets by region, university and kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from build.pagekinds import Head, Listed, Named
from build.pages import kind_then_name, kinds_of, named
from build.records import Press


@dataclass(frozen=True, slots=True)
class University:
    """One university of the directory with its outlets; `univ` is its short name, empty where it has none."""

    name: str
    univ: str
    outlets: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """One region of the directory."""

    name: str
    universities: tuple[University, ...]

    @property
    def outlets(self) -> int:
        """How many outlets it has."""
        return sum(len(university.outlets) for university in self.universities)


@dataclass(frozen=True, slots=True)
class Directory:
    """All listed outlets by region, university and kind."""

    template: ClassVar[str] = "outlets.html"
    head: Head
    regions: tuple[Region, ...]
    kinds: tuple[tuple[str, int], ...]
    outlets: int
    field: int

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()


def page(press: Press) -> Directory:
    """The directory: regions with most outlets first, universities and outlets by name."""
    by_region: dict[str, dict[tuple[str, str], list[Named]]] = {}
    for outlet in press.outlets:
        university = outlet.university, outlet.univ
        by_region.setdefault(outlet.region or "지역 미상", {}).setdefault(university, []).append(named(outlet))
    regions = [
        Region(
            name,
            tuple(
                University(university, univ, tuple(sorted(outlets, key=kind_then_name)))
                for (university, univ), outlets in sorted(universities.items())
            ),
        )
        for name, universities in by_region.items()
    ]
    return Directory(
        head=Head("outlets/index.html", "매체", "이 색인이 잇는 대학 언론을 지역·대학·종류로 찾습니다.", nav="outlets"),
        regions=tuple(sorted(regions, key=lambda region: (-region.outlets, region.name))),
        kinds=kinds_of(press),
        outlets=len(press.outlets),
        field=press.hub.field_outlets,
    )
