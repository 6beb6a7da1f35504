"""Every page of the site: its path, its template and the records it shows. Nothing is rendered or written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from build import filters, words
from build.pagekinds import (
    Directory,
    Head,
    Home,
    Missing,
    Month,
    MonthPage,
    OutletPage,
    PolicyPage,
    Region,
    Section,
    University,
)
from build.records import FIELD_OUTLETS, Card, Night, Outlet, Press, Source

HOME_CARDS = 50
HOME_DAYS = 7
DAY_CARDS = 24
DAY_CARDS_PER_OUTLET = 3
OUTLET_CARDS = 50
MONTH_CARDS = 100


def newest_first(cards: list[Card]) -> list[Card]:
    """Cards in the order readers meet them; of two of one moment the later found comes first."""
    return sorted(cards, key=lambda card: (card.sort_at, card.id), reverse=True)


def home(press: Press) -> Home:
    """The home page by days; which of them is today only the reader's own clock can say."""
    sections: list[Section] = []
    left = HOME_CARDS
    for day, cards in filters.by_day(newest_first(list(press.cards)))[:HOME_DAYS]:
        if left <= 0:
            break
        section = _day_section(day, cards, min(left, DAY_CARDS))
        left -= len(section.cards)
        sections.append(section)
    return Home(
        head=Head("index.html", press.hub.name, press.hub.tagline, nav="home"),
        sections=tuple(sections),
        night=press.last_night,
        state=words.night_state(press.last_night) if press.last_night else "",
        kinds=_kinds(press),
        outlets=len(press.outlets),
    )


def _day_section(day: str, cards: list[Card], most: int) -> Section:
    shown: list[Card] = []
    per_outlet: Counter[str] = Counter()
    rest: Counter[tuple[str, str]] = Counter()
    for card in cards:
        if per_outlet[card.outlet] < DAY_CARDS_PER_OUTLET and len(shown) < most:
            per_outlet[card.outlet] += 1
            shown.append(card)
        else:
            rest[card.outlet, card.outlet_name] += 1
    ranked = sorted(rest.items(), key=lambda item: (-item[1], item[0]))
    named, others = ranked[:6], ranked[6:]
    return Section(
        title=filters.day_text(day),
        note="",
        day=day,
        cards=tuple(shown),
        more=tuple((slug, name, count) for (slug, name), count in named),
        others=sum(count for _, count in others),
    )


def _kinds(press: Press) -> tuple[tuple[str, int], ...]:
    counts = Counter(outlet.kind for outlet in press.outlets)
    return tuple((kind, counts[kind]) for kind in words.KINDS if counts[kind])


def directory(press: Press) -> Directory:
    """The directory: regions with most outlets first, universities and outlets by name."""
    by_region: dict[str, dict[str, list[Outlet]]] = {}
    for outlet in press.outlets:
        by_region.setdefault(outlet.region or "지역 미상", {}).setdefault(outlet.university, []).append(outlet)
    regions = [
        Region(
            name,
            tuple(
                University(university, tuple(sorted(outlets, key=_kind_then_name)))
                for university, outlets in sorted(universities.items())
            ),
        )
        for name, universities in by_region.items()
    ]
    speaking = {card.outlet for card in press.cards}
    return Directory(
        head=Head("outlets/index.html", "매체", "이 색인이 잇는 대학 언론을 지역·대학·종류로 찾습니다.", nav="outlets"),
        regions=tuple(sorted(regions, key=lambda region: (-region.outlets, region.name))),
        kinds=_kinds(press),
        outlets=len(press.outlets),
        field=FIELD_OUTLETS,
        silent=frozenset(outlet.slug for outlet in press.outlets if outlet.slug not in speaking),
    )


def _kind_then_name(outlet: Outlet) -> tuple[int, str]:
    order = list(words.KINDS)
    return (order.index(outlet.kind) if outlet.kind in order else len(order), outlet.name)


def outlet_pages(
    outlet: Outlet, cards: list[Card], sources: list[Source], night: Night | None
) -> Iterator[OutletPage | MonthPage]:
    """An outlet's own page as the newest night left it, its months and its undated cards."""
    newest = newest_first(cards)
    months: dict[str, list[Card]] = {}
    for card in sorted(cards, key=_by_publication, reverse=True):
        months.setdefault(card.month, []).append(card)
    undated = months.pop("undated", [])
    dated = [card for month in months.values() for card in month]
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
        cards=tuple(newest[:OUTLET_CARDS]),
        silence="" if cards else words.silence(outlet, sources),
        years=_years(months),
        undated=len(undated),
        total=len(cards),
        first=min(dated, key=lambda card: card.published or 0, default=None),
        told_at=(night.ended or night.started) if night else 0,
    )
    yield from _month_pages(outlet, months, undated)


def _by_publication(card: Card) -> tuple[int, int]:
    return (card.first_seen if card.published is None else card.published, card.id)


def _years(months: dict[str, list[Card]]) -> tuple[tuple[str, tuple[Month, ...]], ...]:
    years = sorted({month[:4] for month in months}, reverse=True)
    names = [f"{number:02}" for number in range(1, 13)]
    return tuple(
        (year, tuple(Month(f"{year}-{name}", len(months.get(f"{year}-{name}", ()))) for name in names))
        for year in years
    )


def _month_pages(outlet: Outlet, months: dict[str, list[Card]], undated: list[Card]) -> Iterator[MonthPage]:
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
    outlet: Outlet,
    month: str,
    label: str,
    cards: list[Card],
    before: tuple[str, str] | None,
    after: tuple[str, str] | None,
) -> Iterator[MonthPage]:
    """A month in pages of a hundred, filled from its oldest day on: a page once full never moves its cards.

    The newest, still filling part is the month's own address; full older parts are numbered from the oldest.
    """
    oldest_first = cards[::-1]
    parts = [oldest_first[at : at + MONTH_CARDS] for at in range(0, len(cards), MONTH_CARDS)]
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
            sections=(Section(f"글 {len(part)}편", NO_DATE_NOTE if month == "undated" else "", tuple(part[::-1])),),
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
        ),
        rows=press.policy,
        servers=press.servers,
        night=press.last_night,
        hub=press.hub,
    )


def missing() -> Missing:
    """The page for addresses that lead nowhere."""
    return Missing(head=Head("404.html", "찾는 쪽이 없습니다", "이 주소에는 쪽이 없습니다."))
