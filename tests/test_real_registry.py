"""The committed registry: clean, complete, polite, and honest about what nobody has seen."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from crawl import declined, hub, registry, tidy, urls
from crawl.model import Outlet, Source
from crawl.policy import Policy

DATA = Path(__file__).parent.parent / "data"
FILES = {f"data/{name}": (DATA / name).read_bytes() for name in registry.COLUMNS}

KNOWN = """21unews ajou-globe ajou-press cau-gspress cau-herald cau-news cau-ubs cauculture cbnuglobe changwon-journal
changwon-press channelpnu chonnam-tribune chosun-chnews chosun-cueb chosun-world chunchu chungbuk-press chungbuk-times
cju-news cju-times cnu-press cnumedia-press cspress cukjournal cukkyoji ddpress dgistdna dgu-gspress dgupost dgupress
dkherald dknews dkum-dongguk donga-dongan dspress ewha-inews ewha-voice gachon-herald gachonnews gistnews gknu-news
gnu-press goham20 gokmu granitetower gsu-broadcast gwnu-media gyc-inews hallym-news hanbat-herald hannam-media
hanshin-him hansungnews hanyang-journal hgupress hiupress hongik-tidings hoseo-news hufs-gyoji hufspress hynews ijnews
inhapress jejunu-news jj-news joongbu-media kaist-herald kaist-times karts-news kaupress keimyung-gazette kgunews
khu-gspress khu-jubo kiu-news kmcu-chunchoo kmoumedia knou-weekly knu-times knue-news knun koje-news konkuk-popkon
kookje-journal kookmin-press kookminjournal ku-edunews kunews kunsan-press kyungnam-knnews kyungnam-kutimes mednews
mju-news mmu-ebs ok-news pknu-press postech-pbs postech-times sch-news scnu-press seoultech-times seowon-press
shingu-news skhu-media skku-subs skku-times skkuw skuniv-press smu-engnews smu-newspaper snue-hakbo snujn snunews
snuquill sogang-gspaper sogang-sgunews sookmyung-news sookmyung-times soongsil-times ssunews theargus tu-times
tukorea-news ulsan-media univalli uos-press uos-times wknews yeonhee015b yonsei-annals yonsei-yirb yonseiji
yumedia""".split()  # noqa: SIM905 (one slug a line would be longer than the test)

SEEN_FEEDS = {"chunchu", "hufspress", "konkuk-popkon"}
"""Outlets whose feed address was seen in a page or answered; every other feed address is a convention."""


@pytest.fixture(scope="module")
def books() -> registry.Registry:
    return registry.parse(FILES)


@pytest.fixture(scope="module")
def outlets(books: registry.Registry) -> dict[str, Outlet]:
    return {outlet.slug: outlet for outlet in books.outlets}


def sources_of(books: registry.Registry, slug: str) -> list[Source]:
    return [source for source in books.sources if source.outlet == slug]


def test_every_outlet_ever_registered_is_still_accounted_for(outlets: dict[str, Outlet]) -> None:
    former = {slug for outlet in outlets.values() for slug in outlet.former}
    assert len(KNOWN) == len(set(KNOWN)) == 134
    assert not set(KNOWN) - set(outlets) - former


def test_the_committed_registry_is_tidy() -> None:
    assert tidy.tidy(FILES) == FILES


def test_every_outlet_is_fully_described(outlets: dict[str, Outlet]) -> None:
    for outlet in outlets.values():
        assert outlet.name_en, outlet.slug
        assert (outlet.region == "전국") == (outlet.univ == "multi"), outlet.slug
    kinds = Counter(outlet.kind for outlet in outlets.values())
    assert set(kinds) == {"newspaper", "broadcaster", "magazine", "english", "independent"}


def test_every_feed_address_that_is_only_a_convention_says_so(books: registry.Registry) -> None:
    feeds = [source for source in books.sources if source.kind == "feed"]
    assert len(feeds) >= 90
    for feed in feeds:
        expected = "seen" if feed.outlet in SEEN_FEEDS else "CMS convention, never seen to answer"
        assert feed.note.startswith(expected), feed.url


def test_P11_an_outlet_costs_one_look_a_night(books: registry.Registry) -> None:
    active = Counter(source.outlet for source in books.sources if source.state == "active")
    assert set(active.values()) == {1}


def test_whoever_is_not_looked_at_has_the_reason_written_down(
    books: registry.Registry, outlets: dict[str, Outlet]
) -> None:
    for source in books.sources:
        assert (source.state == "paused") == ("paused: " in source.note), source.url
    for slug, outlet in outlets.items():
        if not sources_of(books, slug):
            assert outlet.note, slug


@pytest.mark.parametrize("slug", ["21unews", "goham20", "mednews", "knou-weekly"])
def test_editorial_decisions_are_left_to_people(
    slug: str, books: registry.Registry, outlets: dict[str, Outlet]
) -> None:
    assert "editorial decision" in outlets[slug].note
    assert {source.state for source in sources_of(books, slug)} == {"paused"}
    assert all("editorial decision" in source.note for source in sources_of(books, slug))


@pytest.mark.parametrize(
    ("slug", "server"),
    [
        ("cnumedia-press", "press.cnumedia.jnu.ac.kr"),
        ("chonnam-tribune", "tribune.cnumedia.jnu.ac.kr"),
        ("dgupress", "donggukmedia.com"),
        ("konkuk-popkon", "popkon.konkuk.ac.kr"),
        ("kookmin-press", "media.kookmin.ac.kr"),
        ("channelpnu", "channelpnu.pusan.ac.kr"),
        ("granitetower", "thegranitetower.com"),
    ],
)
def test_papers_that_moved_are_asked_at_their_new_home_only(
    slug: str, server: str, books: registry.Registry, outlets: dict[str, Outlet]
) -> None:
    assert urls.server(outlets[slug].homepage) == server
    assert {urls.server(source.url) for source in sources_of(books, slug)} == {server}


def test_P04_the_reviewed_list_of_declined_hosts_is_itself_in_normal_form() -> None:
    for host in declined.HOSTS:
        assert urls.server(f"https://{host}/") == host


def test_no_mail_address_stands_in_the_committed_files() -> None:
    for path, raw in FILES.items():
        assert not re.search(r"[\w.+-]+@[\w-]+\.\w", raw.decode()), path


def test_the_committed_hub_promises_nothing_it_does_not_know() -> None:
    raw = (DATA / "hub.toml").read_bytes()
    found = hub.parse(raw, "data/hub.toml")
    assert found.name == "대학언론 허브"
    assert found.name_en == "CampusPressHub"
    assert found.policy() == Policy()
    for key in hub.SITE_KEYS:
        assert re.search(rf"^# .*\n{key} = ", raw.decode(), re.MULTILINE), key
