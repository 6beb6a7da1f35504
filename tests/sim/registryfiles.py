"""The files a maintainer would edit to register the fictional world: three tables and hub.toml."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tests.sim.pictures import COLUMN

if TYPE_CHECKING:
    from tests.sim.campus import Outlet

OUTLETS = ("slug", "name", "name_en", "university", "univ", "kind", "homepage", "region", "status", "title_only",
           "former", "note")  # fmt: skip
SOURCES = ("outlet", "kind", "url", "cms", "state", "recheck", "note")
EXCLUSIONS = ("key", "scope", "reason", "requested", "since")

HUB = """\
# 견본 허브: 여기 나오는 대학과 언론사, 기사는 모두 지어낸 것입니다.
# A sample hub: every university, outlet and story in it is invented.
[site]
name = "캠퍼스프레스허브 견본"
name_en = "CampusPressHub Sample"
tagline = "지어낸 대학들의 학보, 방송, 교지를 한자리에"
address = ""
contact = "desk@hub.example"
repository = "hub-example/sample"
operator = "견본 편집부"
"""


def files(outlets: Iterable[Outlet]) -> dict[str, bytes]:
    """File name -> bytes, rows sorted as the registry wants them."""
    outlets = list(outlets)
    media = [
        (
            o.slug,
            o.name,
            o.name_en,
            o.place.name,
            o.place.slug,
            o.kind,
            o.homepage,
            o.place.region,
            "active",
            "",
            "",
            "",
        )
        for o in outlets
    ]
    sources = [(o.slug, source.kind, source.url, source.cms, "active", "", "") for o in outlets for source in o.sources]
    return {
        "outlets.csv": _table(OUTLETS, media),
        "sources.csv": _table(SOURCES, sources),
        "exclusions.csv": _table(EXCLUSIONS, []),
        "hub.toml": (HUB + _columns(outlets)).encode(),
    }


def _columns(outlets: Iterable[Outlet]) -> str:
    """The photo columns whose names do not say so."""
    lines = [f'{outlet.slug} = ["{COLUMN}"]' for outlet in outlets if "column" in outlet.mix]
    return "\n".join(["\n[photo_columns]", *lines, ""]) if lines else ""


def _table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> bytes:
    page = io.StringIO(newline="")
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(sorted(rows))
    return page.getvalue().encode()
