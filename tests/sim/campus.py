"""Fictional universities, their outlets, sources and servers, all drawn from one seed; nothing here knows a crawler."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from tests.sim import listings, registryfiles, storypages
from tests.sim.datewords import meant, written
from tests.sim.feedtext import STAMP, Channel, document
from tests.sim.hosts import fold, home_of, split
from tests.sim.houses import HOUSES, House
from tests.sim.kits import KITS, PAGE, Dialect, Kit
from tests.sim.newsroom import Newsroom, Piece, Rhythm
from tests.sim.places import University, names, university
from tests.sim.skins import SKINS
from tests.sim.stories import Voice

OPENED = 1_788_188_400.0
"""2026-09-01 00:00 in Korea: the autumn term, in which every newsroom begins to publish."""
KINDS = ("newspaper", "english", "broadcaster", "magazine", "independent")
_VOICES: dict[str, Voice] = {
    "newspaper": "news", "english": "english", "broadcaster": "programme", "magazine": "feature", "independent": "news",
}  # fmt: skip
_RHYTHMS: dict[str, tuple[Rhythm, ...]] = {
    "newspaper": ("weekly", "daily"), "english": ("monthly",), "broadcaster": ("programme",), "magazine": ("seasonal",),
    "independent": ("daily", "monthly"),
}  # fmt: skip
VALIDATORS = ("both", "etag", "weak", "modified", "none", "unquoted", "never_matches")


class Source:
    """One address of an outlet: a feed, a list page with its older pages, or a page of editions."""

    def __init__(self, outlet: Outlet, url: str, dialect: Dialect, kit: Kit, section: str = "") -> None:
        self.outlet, self.url, self.dialect, self.section = outlet, url, dialect, section
        self.kind = "feed" if dialect.family != "html" else "edition" if kit.skin == "editions" else "list"
        self.cms, self.items, self.dates = kit.cms, kit.items, kit.dates
        self.encoding, self.declared, self.label = kit.encoding, kit.declared, kit.label
        self.skin, self.page_arg = kit.skin, kit.page_arg
        self.media_type = kit.media_type if self.kind == "feed" else "text/html"
        self._cached: tuple[int, bytes] = (-1, b"")

    def every(self, now: float) -> list[Piece]:
        """All pieces this address has to show at that moment, newest first."""
        return [piece for piece in reversed(self.outlet.published_by(now)) if self.section in ("", piece.story.section)]

    def shown(self, now: float) -> list[Piece]:
        """The pieces this address lists at that moment, newest first; older pages and pinned notices not counted."""
        if not self.section:
            return self.outlet.desk.newest(now, self.items)
        recent = self.outlet.desk.newest(now, self.items * 12)
        return [piece for piece in recent if piece.story.section == self.section][: self.items]

    def meant(self, piece: Piece, now: float = 0.0) -> tuple[int | None, str]:
        """The date this address gives for a piece at that moment: epoch seconds or None, and its precision."""
        if self.kind != "feed":
            return meant(piece.published, SKINS[self.skin].dates, now)
        return meant(piece.published, self.dates if self.dialect.date_tag else "none")

    def body(self, now: float) -> bytes:
        """What a healthy server sends at that moment; a feed is made once for every change of the outlet."""
        if self.kind != "feed":
            page = self.older(now, 1)
            assert page is not None
            return page
        version = self.outlet.desk.version(now)
        if self._cached[0] != version:
            text = document(self._channel(), self.shown(now), now)
            self._cached = (version, encoded(text, self.encoding))
        body = self._cached[1]
        return body.replace(STAMP.encode(), written(now, "rfc822").encode()) if self.dialect.stamped else body

    def older(self, now: float, page: int) -> bytes | None:
        """A page of a list, 1 the newest; None where there is none."""
        text = listings.page(self, now, page)
        return None if text is None else encoded(text, self.encoding)

    @property
    def content_type(self) -> str:
        return f"{self.media_type}; charset={self.label}" if self.label else self.media_type

    def _channel(self) -> Channel:
        outlet = self.outlet
        title = f"{outlet.name} - {self.section}" if self.section else outlet.name
        language = "en" if outlet.kind == "english" else "ko"
        about = f"{outlet.place.name} {outlet.name}"
        account = outlet.place.slug
        return Channel(title, outlet.homepage, about, language, self.declared, self.dialect, self.dates, account)


def encoded(text: str, encoding: str) -> bytes:
    """The text in that encoding; what it lacks becomes a character reference, as blog software does it."""
    body = text.encode(encoding, "xmlcharrefreplace")
    if encoding == "euc_kr" and _FILLER in body:
        # Python spells syllables beyond KS X 1001 in eight bytes, which no Korean site ever did.
        parts = [char if len(char.encode("euc_kr", "ignore")) <= 2 else f"&#{ord(char)};" for char in text]
        body = "".join(parts).encode(encoding, "xmlcharrefreplace")
    return body


_FILLER = b"\xa4\xd4"


@dataclass(eq=False)
class Outlet:
    """One medium with its desk and its addresses; `house`: the family of one with pages to read."""

    slug: str
    name: str
    name_en: str
    place: University
    kind: str
    homepage: str
    desk: Newsroom
    kit: Kit
    house: str = ""
    mix: frozenset[str] = frozenset()
    sources: list[Source] = field(default_factory=list)

    def published_by(self, now: float) -> list[Piece]:
        """The truth to compare with: every piece out at that moment, oldest first."""
        return self.desk.published_by(now)

    def story_page(self, piece: Piece, now: float) -> tuple[bytes, tuple[tuple[str, str], ...]]:
        """The page of an article at that moment, and headers of its own."""
        hides, logo = "hides" in self.mix, "logo" in self.mix
        text, headers = storypages.page(
            self.name, piece, now, self.kit.story, declared=self.kit.declared, hides=hides, logo=logo
        )
        return encoded(text, self.kit.encoding), headers


@dataclass(eq=False)
class Server:
    """One machine: its folded name, the sources it serves, its habits with validators, its invented address."""

    name: str
    validators: str
    address: str
    gzip: bool
    robots: str | None
    sources: list[Source] = field(default_factory=list)


class Campus:
    """The whole fictional world of one seed."""

    def __init__(
        self, seed: int = 1, outlets: int = 24, *, houses: int = 0, opened: float = OPENED, items_max: int = 50
    ) -> None:
        """`houses`: so many outlets with pages to read, beside the `outlets` that have feeds.

        `opened`: epoch seconds when every newsroom begins; `items_max`: no feed or page shows more pieces.
        """
        self.seed, self._opened, self._items_max = seed, opened, items_max
        self._rng = random.Random(f"campus/{seed}")
        self.servers: dict[str, Server] = {}
        self.outlets = [self._outlet(at, *spot) for at, spot in enumerate(_spots(outlets))]
        self.outlets += [self._housed(HOUSES[at % len(HOUSES)], at, (outlets + 2) // 3 + at) for at in range(houses)]

    @cached_property
    def by_address(self) -> dict[tuple[str, str], Source]:
        """Folded server name and path with query -> source, whichever twin or port was asked."""
        return {split(source.url): source for outlet in self.outlets for source in outlet.sources}

    @property
    def sources(self) -> list[Source]:
        return [source for outlet in self.outlets for source in outlet.sources]

    def registry_files(self) -> dict[str, bytes]:
        """outlets.csv, sources.csv, exclusions.csv and hub.toml that register this world."""
        return registryfiles.files(self.outlets)

    def _outlet(self, at: int, place: University, kind: str, turn: int, shares: bool) -> Outlet:
        kits = KITS[kind]
        kit = kits[(turn + self.seed) % len(kits)]
        kit = replace(kit, items=min(kit.items, self._items_max))
        host = home_of(place, kind, kit.cms, shares, self._rng)
        prefix = f"/{kind}" if shares else ""
        port = ":8080" if at % 17 == 16 else ""
        name, name_en = names(kind, place, turn)
        desk = Newsroom(
            f"{self.seed}/{place.slug}/{kind}",
            place.short,
            _VOICES[kind],
            self._rng.choice(_RHYTHMS[kind]),
            opened=self._opened,
            address=f"https://{host}{prefix}{kit.article}",
            first_number=1000 * (1 + at % 90),
        )
        slug = f"{place.slug}-{kind}"
        outlet = Outlet(slug, name, name_en, place, kind, f"http://{host}{prefix}/", desk, kit)
        self._sources(outlet, kit, f"http://{host}{port}{prefix}", turn, shares)
        return outlet

    def _housed(self, house: House, at: int, number: int) -> Outlet:
        """An outlet of its own at a university of its own."""
        place = university(number)
        host = house.host.format(u=place.slug)
        kit = replace(house.kit, items=min(house.kit.items, self._items_max), skin=house.skin or "plain")
        name, name_en = names(house.kind, place, at)
        article = house.kit.article.replace("{u}", place.slug)
        desk = Newsroom(
            f"{self.seed}/house/{at}",
            place.short,
            _VOICES[house.kind],
            house.rhythm,
            opened=self._opened - house.back_days * 86_400,
            # As its list is: the demo's web has no certificates to be asked over TLS.
            address=f"http://{host}{article}",
            first_number=1000 * (2 + at % 80),
            mix=house.mix,
            short=re.sub(r"(신문|학보|방송국)$", "", name.split()[0]),
        )
        kit = replace(kit, story=house.story or "plain")
        homepage = f"http://{host}/"
        outlet = Outlet(
            f"{place.slug}-{house.kind}", name, name_en, place, house.kind, homepage, desk, kit, house.name, house.mix
        )
        if kit.feed:
            outlet.sources.append(
                Source(outlet, f"http://{host}{kit.feed.replace('{u}', place.slug)}", kit.dialect, kit)
            )
        if house.skin:
            outlet.sources.append(Source(outlet, f"http://{host}{kit.list_page.replace('{u}', place.slug)}", PAGE, kit))
        self._server(fold(host)).sources += outlet.sources
        return outlet

    def _sources(self, outlet: Outlet, kit: Kit, root: str, turn: int, shares: bool) -> None:
        """A feed always; where the host is not shared by three outlets, sometimes a section's feed and a list page."""
        outlet.sources.append(Source(outlet, root + kit.feed, kit.dialect, kit))
        if kit.section and turn % 2 == 0 and not shares:
            feed = kit.section.format(k=1 + turn % 5)
            fewer = replace(kit, items=min(kit.items, 20))
            outlet.sources.append(Source(outlet, root + feed, kit.dialect, fewer, section="대학"))
        if kit.list_page and turn % 3 and (outlet.kind == "newspaper" or not shares):
            outlet.sources.append(Source(outlet, root + kit.list_page, PAGE, replace(kit, items=min(kit.items, 20))))
        self._server(fold(split(root)[0])).sources += outlet.sources

    def _server(self, name: str) -> Server:
        if name not in self.servers:
            rng, number = self._rng, len(self.servers)
            # From a public range, since a private one would have to be refused (P51); nobody ever dials it.
            address = f"11.{20 + number // 250}.{number % 250}.{rng.randint(1, 250)}"
            robots = rng.choice((None, "User-agent: *\nDisallow: /admin/\n", "User-agent: *\nCrawl-delay: 5\n"))
            validators = VALIDATORS[number % len(VALIDATORS)]
            self.servers[name] = Server(name, validators, address, rng.random() < 0.5, robots)
        return self.servers[name]


def _spots(count: int) -> Iterator[tuple[University, str, int, bool]]:
    """Where the outlets stand: three at each university, every fifth university with one host for all of its media.

    Gives university, kind, how many of that kind came before, and whether the host is shared.
    """
    before: Counter[str] = Counter()
    for at in range(count):
        number, chair = divmod(at, 3)
        kind = KINDS[0] if chair == 0 else KINDS[1 + (2 * number + chair - 1) % 4]
        yield university(number), kind, before[kind], number % 5 == 3
        before[kind] += 1
