"""Every page of the site: its path, its template and the records it shows. Nothing is rendered or written here."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from build import filters, media, spans, words
from build.index import UNDATED, Index, grouped, month_name
from build.pagekinds import (
    Head,
    Listed,
    Missing,
    Month,
    MonthPage,
    Named,
    OutletPage,
    Page,
    Section,
)
from build.records import Outlet, Press, Source
from build.spans import Span

OUTLET_CARDS = 50
MONTH_CARDS = 100
"""Cards of one page; what a month holds beyond them stands on pages named by the day they begin on."""

Step = tuple[str, str]
"""Where a neighbouring page stands below the root, and words for it."""


def kinds_of(press: Press) -> tuple[tuple[str, int], ...]:
    """Kinds of outlets with how many there are of each, in the order pages list them."""
    counts = Counter(outlet.kind for outlet in press.outlets)
    return tuple((kind, counts[kind]) for kind in words.KINDS if counts[kind])


def kind_then_name(outlet: Named) -> tuple[int, str]:
    """What outlets are sorted by: kinds in the order pages list them, then names."""
    order = list(words.KINDS)
    return (order.index(outlet.kind) if outlet.kind in order else len(order), outlet.name)


def named(outlet: Outlet) -> Named:
    """Which outlet it is, for pages that show no more of it."""
    return Named(outlet.slug, outlet.name, outlet.kind, outlet.university, outlet.status, not outlet.articles)


def outlets(press: Press) -> Iterator[Page]:
    """Every outlet's own pages."""
    by_outlet = press.index.by_outlet()
    sources: dict[str, list[Source]] = {}
    for source in press.sources:
        sources.setdefault(source.outlet, []).append(source)
    for number, outlet in enumerate(press.outlets):
        yield from outlet_pages(press, outlet, by_outlet.get(number, ()), sources.get(outlet.slug, []))


def outlet_pages(
    press: Press, outlet: Outlet, ids: Sequence[int], sources: Sequence[Source]
) -> Iterator[OutletPage | MonthPage]:
    """An outlet's own page as the newest night left it, its months and its undated cards."""
    index, night = press.index, press.last_night
    months = grouped(index.by_publication(ids), index.month)
    undated = months.pop(UNDATED, array("i"))
    about = f"{outlet.university} {words.kind(outlet.kind)}".strip()
    yield OutletPage(
        head=Head(
            f"o/{outlet.slug}/index.html",
            outlet.name,
            f"{about} {outlet.name}: 새 글과 지난 글, 수집 상태.",
            nav="outlets",
            feed=f"feeds/o/{outlet.slug}.atom",
            feed_title=f"{outlet.name}의 새 글",
        ),
        outlet=outlet,
        sources=tuple(sources),
        cards=Listed("own", tuple(index.newest(ids, OUTLET_CARDS))),
        silence="" if ids else words.silence(outlet, list(sources)),
        years=calendar({month_name(month): len(held) for month, held in months.items()}),
        undated=len(undated),
        total=len(ids),
        told_at=(night.ended or night.started) if night else 0,
        media=media.of_outlet(index, ids, outlet.slug),
    )
    yield from _month_pages(index, named(outlet), months, undated)


def calendar(counts: dict[str, int]) -> tuple[tuple[str, tuple[Month, ...]], ...]:
    """Years, newest first, with all their months; `counts` by month, `2026-03`."""
    years = sorted({month[:4] for month in counts}, reverse=True)
    names = [f"{number:02}" for number in range(1, 13)]
    return tuple(
        (year, tuple(Month(f"{year}-{name}", counts.get(f"{year}-{name}", 0)) for name in names)) for year in years
    )


def _month_pages(
    index: Index, outlet: Named, months: dict[int, array[int]], undated: array[int]
) -> Iterator[MonthPage]:
    """Every month in spans of its days, as the archive has them, each leading to its neighbours; then what has no date."""
    own = {month: f"o/{outlet.slug}/{month_name(month)}/" for month in sorted(months)}
    steps = [(path, filters.month_text(month_name(month))) for month, path in own.items()]
    for at, (month, path) in enumerate(own.items()):
        before = steps[at - 1] if at else None
        after = steps[at + 1] if at + 1 < len(steps) else None
        yield from _month(outlet, path, spans.of_month(index, months[month], MONTH_CARDS), before, after)
    yield from _undated(outlet, undated)


NO_DATE_NOTE = "매체가 날짜를 밝히지 않아, 처음 본 순서로 놓았습니다"


def _month(
    outlet: Named, own: str, parts: Sequence[Span], before: Step | None, after: Step | None
) -> Iterator[MonthPage]:
    """A month's own page with its last days, and a page for each earlier span of a month that is full."""
    month = f"{parts[0].first.year}년 {parts[0].first.month}월"
    steps = [(f"{own}{part.day_name}/", part.label) for part in parts[:-1]] + [(own, parts[-1].label)]
    for at, part in enumerate(parts):
        last = at + 1 == len(parts)
        yield _cards_page(
            outlet,
            steps[at][0],
            month if last else f"{part.first.year}년 {part.label}",
            part.label if last and at else "",
            part.ids,
            older=steps[at - 1] if at else before,
            newer=after if last else steps[at + 1],
        )


def _undated(outlet: Named, ids: Sequence[int]) -> Iterator[MonthPage]:
    """What shows no date, in the order it was found: numbered parts from the oldest, the newest at the address itself."""
    own = f"o/{outlet.slug}/undated/"
    parts = [ids[at : at + MONTH_CARDS] for at in range(0, len(ids), MONTH_CARDS)]
    paths = [f"{own}{number}/" for number in range(1, len(parts))] + [own]
    for at, part in enumerate(parts):
        last = at + 1 == len(parts)
        yield _cards_page(
            outlet,
            paths[at],
            "날짜 미상" if last else f"날짜 미상 ({at + 1})",
            "",
            part,
            note=NO_DATE_NOTE,
            older=(paths[at - 1], "먼저 찾은 글") if at else None,
            newer=None if last else (paths[at + 1], "나중에 찾은 글"),
        )


def _cards_page(
    outlet: Named,
    path: str,
    label: str,
    span: str,
    ids: Sequence[int],
    *,
    note: str = "",
    older: Step | None,
    newer: Step | None,
) -> MonthPage:
    """One page of cards, `ids` oldest first."""
    return MonthPage(
        head=Head(
            f"{path}index.html",
            f"{outlet.name} {label}",
            f"{outlet.name}의 {label} 글 목록.",
            nav="outlets",
            feed=f"feeds/o/{outlet.slug}.atom",
            feed_title=f"{outlet.name}의 새 글",
        ),
        outlet=outlet,
        label=label,
        span=span,
        sections=(Section(f"글 {len(ids)}편", note, Listed("own", tuple(reversed(ids)))),),
        older=older,
        newer=newer,
    )


def missing() -> Missing:
    """The page for addresses that lead nowhere."""
    return Missing(head=Head("404.html", "찾는 쪽이 없습니다", "이 주소에는 쪽이 없습니다."))
