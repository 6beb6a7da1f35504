"""Every page of the site: its path, its template and the records it shows. Nothing is rendered or written here."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from build import filters, words
from build.index import UNDATED, grouped, month_name
from build.pagekinds import (
    Directory,
    Head,
    Listed,
    Missing,
    Month,
    MonthPage,
    Named,
    OutletPage,
    Page,
    PolicyPage,
    Region,
    Section,
    University,
)
from build.records import FIELD_OUTLETS, Outlet, Press, Source

OUTLET_CARDS = 50
MONTH_CARDS = 100


def kinds_of(press: Press) -> tuple[tuple[str, int], ...]:
    """Kinds of outlets with how many there are of each, in the order pages list them."""
    counts = Counter(outlet.kind for outlet in press.outlets)
    return tuple((kind, counts[kind]) for kind in words.KINDS if counts[kind])


def directory(press: Press) -> Directory:
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
        field=FIELD_OUTLETS,
    )


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
    newest = index.newest_first(ids)
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
        cards=Listed("card", tuple(newest[:OUTLET_CARDS])),
        silence="" if ids else words.silence(outlet, list(sources)),
        years=calendar({month_name(month): len(held) for month, held in months.items()}),
        undated=len(undated),
        total=len(ids),
        told_at=(night.ended or night.started) if night else 0,
    )
    yield from _month_pages(named(outlet), {month_name(month): held for month, held in months.items()}, undated)


def calendar(counts: dict[str, int]) -> tuple[tuple[str, tuple[Month, ...]], ...]:
    """Years, newest first, with all their months; `counts` by month, `2026-03`."""
    years = sorted({month[:4] for month in counts}, reverse=True)
    names = [f"{number:02}" for number in range(1, 13)]
    return tuple(
        (year, tuple(Month(f"{year}-{name}", counts.get(f"{year}-{name}", 0)) for name in names)) for year in years
    )


def _month_pages(outlet: Named, months: dict[str, array[int]], undated: array[int]) -> Iterator[MonthPage]:
    order = sorted(months)
    labels = {month: filters.month_text(month) for month in order}
    for at, month in enumerate(order):
        before = (f"o/{outlet.slug}/{order[at - 1]}/", labels[order[at - 1]]) if at else None
        after = (f"o/{outlet.slug}/{order[at + 1]}/", labels[order[at + 1]]) if at + 1 < len(order) else None
        yield from _parts(outlet, month, labels[month], months[month], before, after)
    if undated:
        yield from _parts(outlet, "undated", "날짜 미상", undated, None, None)


NO_DATE_NOTE = "매체가 날짜를 밝히지 않아, 처음 본 순서로 놓았습니다"


def _parts(
    outlet: Named,
    month: str,
    label: str,
    ids: array[int],
    before: tuple[str, str] | None,
    after: tuple[str, str] | None,
) -> Iterator[MonthPage]:
    """A month in pages of a hundred, filled from its oldest day on: a page once full never moves its cards.

    The newest, still filling part is the month's own address; full older parts are numbered from the oldest.
    """
    parts = [ids[at : at + MONTH_CARDS] for at in range(0, len(ids), MONTH_CARDS)]
    base = f"o/{outlet.slug}/{month}/"
    paths = [f"{base}{number}/" for number in range(1, len(parts))] + [base]
    for at, part in enumerate(parts):
        numbered = f" ({at + 1})" if len(parts) > 1 and at + 1 < len(parts) else ""
        title = f"{outlet.name} {label}{numbered}"
        yield MonthPage(
            head=Head(
                f"{paths[at]}index.html",
                title,
                f"{outlet.name}의 {label} 글 목록{numbered}.",
                nav="outlets",
                feed=f"feeds/o/{outlet.slug}.atom",
                feed_title=f"{outlet.name}의 새 글",
            ),
            outlet=outlet,
            label=label,
            sections=(
                Section(
                    f"글 {len(part)}편",
                    NO_DATE_NOTE if month == "undated" else "",
                    Listed("card", tuple(reversed(part))),
                ),
            ),
            part=at + 1 if numbered else 0,
            older=(paths[at - 1], f"{label} 앞선 글") if at else before,
            newer=(paths[at + 1], f"{label} 다음 글") if at + 1 < len(parts) else after,
        )


def policy(press: Press, lang: str) -> PolicyPage:
    """The policy page in Korean or English."""
    korean = lang == "ko"
    return PolicyPage(
        head=Head(
            "policy/index.html" if korean else "en/policy/index.html",
            "수집 원칙" if korean else "How we collect",
            "무엇을, 언제, 얼마나 천천히 모으고 어떻게 빼 드리는지 적은 원칙과 지킨 기록."
            if korean
            else "What we collect, when and how gently, how to be left out, and how well we kept to it.",
            nav="policy" if korean else "en-policy",
            lang=lang,
            twin="en/policy/" if korean else "policy/",
        ),
        rows=press.policy,
        servers=press.servers,
        night=press.last_night,
        hub=press.hub,
    )


def missing() -> Missing:
    """The page for addresses that lead nowhere."""
    return Missing(head=Head("404.html", "찾는 쪽이 없습니다", "이 주소에는 쪽이 없습니다."))
