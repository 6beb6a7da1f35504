"""The campus web's pages are right themselves: lists, articles, films and issues say what the truth says, and nothing else."""

from __future__ import annotations

import re
from datetime import datetime
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest

from crawl import hub, registry
from tests.sim import datewords, films, listings, pictures, storypages, truth
from tests.sim.access import Access
from tests.sim.campus import Campus, Outlet, Source
from tests.sim.hosts import split
from tests.sim.houses import HOUSES
from tests.sim.skins import SKINS
from tests.sim.stories import write
from tests.sim.web import Web

NIGHT = datetime(2026, 12, 1, tzinfo=datewords.KST).timestamp()
DAY_S = 86_400


@pytest.fixture(scope="module")
def campus() -> Campus:
    """A world with every house and nothing else."""
    return Campus(2, 0, houses=len(HOUSES))


def house(campus: Campus, name: str) -> Outlet:
    return next(outlet for outlet in campus.outlets if outlet.house == name)


def lists(campus: Campus) -> list[Source]:
    return [source for source in campus.sources if source.kind != "feed"]


def asked(web: Web, url: str, at: float = NIGHT) -> tuple[int, str]:
    """Status and text of one answer, decoded as the page itself says."""
    answer = web.answer(url, {}, at)
    label = re.search(rb'charset="?([\w-]+)', answer.body)
    return answer.status, answer.body.decode({"euc-kr": "cp949"}.get(label[1].decode() if label else "", "utf-8"))


def links(text: str, base: str) -> dict[str, str]:
    """Absolute target -> the text of its links, tags out and blanks collapsed."""
    found: dict[str, str] = {}
    for target, inside in re.findall(r'<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)</a>', text, re.DOTALL):
        words = " ".join(unescape(re.sub(r"<[^>]+>", " ", inside)).split())
        found[urljoin(base, unescape(target))] = f"{found.get(urljoin(base, unescape(target)), '')} {words}".strip()
    return found


def test_the_campus_without_houses_is_what_it_was() -> None:
    plain, housed = Campus(1, 24), Campus(1, 24, houses=5)
    assert [source.url for source in housed.sources][: len(plain.sources)] == [source.url for source in plain.sources]
    assert len(housed.outlets) == 29
    assert [outlet.house != "" for outlet in housed.outlets] == [False] * 24 + [True] * 5


def test_houses_can_be_registered_and_stand_on_servers_of_their_own(campus: Campus) -> None:
    both = Campus(1, 24, houses=len(HOUSES))
    files = both.registry_files()
    books = registry.parse(files)
    assert len(books.sources) == len(both.sources)
    assert hub.parse(files["hub.toml"], "hub.toml").contact
    assert {source.kind for source in both.sources} == {"feed", "list", "edition"}
    hosts = [split(source.url)[0] for source in campus.sources]
    assert len(set(hosts)) == len(hosts)
    assert all(host.endswith((".example", ".test")) for host in hosts)
    assert {source.skin for source in lists(campus)} == set(SKINS)


def test_every_list_links_to_each_of_its_pieces_by_title_and_writes_its_date(campus: Campus) -> None:
    web = Web(campus)
    for source in lists(campus):
        status, text = asked(web, source.url)
        found, shown = links(text, source.url), list(truth.items(source, NIGHT))
        assert (status, len(shown) > 3) == (200, True), source.url
        for item in shown:
            assert " ".join(item.title.split()) in found[item.url], (source.url, item.title)
            date = datewords.written(item.piece.published, SKINS[source.skin].dates, NIGHT)
            assert date in text, (source.url, date)
            assert (item.published is None) == (date == "")
            for words in (item.byline, item.section, item.summary[:25]):
                assert words in unescape(text), (source.url, words)


def test_boxes_and_banners_hold_what_no_list_shows(campus: Campus) -> None:
    web, with_decoys = Web(campus), 0
    for source in lists(campus):
        _, text = asked(web, source.url)
        shown = {item.url for item in truth.items(source, NIGHT)}
        others = {url for url in links(text, source.url) if truth.identity(source.outlet, url, NIGHT) is None}
        assert shown.isdisjoint(others)
        with_decoys += "지난해 가장 많이 읽힌 기사" in text
    assert with_decoys >= 15
    assert "___currentTime" in asked(web, house(campus, "ndsoft C webzine").sources[0].url)[1]
    assert 'id="sample"' in asked(web, house(campus, "ndsoft C text").sources[0].url)[1]
    assert "fa-lock" in asked(web, house(campus, "gnuboard").sources[0].url)[1]


@pytest.mark.parametrize("name", [house.name for house in HOUSES if house.skin])
def test_older_pages_hold_every_piece_once_and_end_as_their_family_does(campus: Campus, name: str) -> None:
    source, web = house(campus, name).sources[-1], Web(campus)
    skin, seen = SKINS[source.skin], list[int]()
    if not skin.pages:
        assert split_rows(asked(web, f"{source.url}?page=2")[1]) == split_rows(asked(web, source.url)[1])
        return
    pinned = {piece.number for piece in listings.pinned(source, NIGHT)}
    every = {piece.number for piece in source.outlet.published_by(NIGHT)}
    last = -(-len(every) // source.items)
    for page in range(1, last + 1):
        status, text = asked(web, page_url(source, page))
        items = list(truth.items(source, NIGHT, page))
        assert status == 200
        assert all(item.url in links(text, source.url) for item in items)
        seen += [item.piece.number for item in items if item.piece.number not in pinned]
        if page < last and source.skin not in ("ndsoft-webzine", "ndsoft-text", "ndsoft-tile"):
            assert page_url(source, page + 1)[-9:] in unescape(text)
    assert len(seen) == len(set(seen))
    assert set(seen) == every - pinned
    status, text = asked(web, page_url(source, last + 1))
    if skin.past_end == "missing":
        assert status == 404
    elif skin.past_end == "empty":
        assert len(links(text, source.url).keys() & {source.outlet.desk.address.format(n=n) for n in every}) == 0
    else:
        assert split_rows(text) == split_rows(asked(web, source.url)[1])


def split_rows(text: str) -> list[str]:
    """The targets of all links of a page, in order."""
    return re.findall(r'<a href="([^"]*\d+[^"]*)"', text)


def page_url(source: Source, page: int) -> str:
    """Where another page of a list is, by the family's convention."""
    if page == 1:
        return source.url
    if source.page_arg == "/page/":
        return f"{source.url}page/{page}/"
    joint = "&" if "?" in source.url else "?"
    if source.page_arg == "article.offset":
        return f"{source.url}{joint}mode=list&article.offset={(page - 1) * 10}&articleLimit=10"
    return f"{source.url}{joint}{source.page_arg}={page}"


def test_every_article_page_tells_the_date_that_is_meant_and_names_its_picture(campus: Campus) -> None:
    web = Web(campus)
    for outlet in campus.outlets:
        if outlet.house == "editions":
            continue
        look = storypages.LOOKS[outlet.kit.story]
        for piece in outlet.published_by(NIGHT)[-8:]:
            status, text = asked(web, piece.page)
            assert status == 200, piece.page
            written = datewords.written(piece.published, look.dates)
            assert written in text or written.replace("-", ".") in text or written.replace("Z", "+00:00") in text or (
                written.endswith("+09:00") and datewords.written(piece.published, "w3c_utc")[:19] in text
            ), (piece.page, written)  # fmt: skip
            image = re.search(r'og:image" content="([^"]*)"', text)
            assert image is not None
            shown = pictures.picture(piece.page, piece.number, piece.published, always_logo="logo" in outlet.mix)
            assert unescape(image[1]) == shown.written
            assert shown.meant == "" or shown.meant.startswith(("http://", "https://"))


def test_some_pages_ask_to_be_left_out_by_meta_element_or_by_header(campus: Campus) -> None:
    outlet, web = house(campus, "plain, no dates"), Web(campus)
    told = set()
    for piece in outlet.published_by(NIGHT):
        answer = web.answer(piece.page, {}, NIGHT)
        header = dict(answer.headers).get("X-Robots-Tag", "")
        meta = re.search(rb'name="robots" content="([^"]*)"', answer.body)
        wish, where = storypages.wish(piece)
        assert wish in (header + (meta[1].decode() if meta else ""))
        assert (header != "", meta is not None) == (where == "header", where == "meta")
        told.add((wish, where))
    assert told == {("", ""), ("noindex", "meta"), ("noindex", "header"), ("nosnippet", "meta")}


@pytest.mark.parametrize("seed", [1, 2])
def test_films_have_an_id_of_eleven_signs_that_only_true_addresses_give(seed: int) -> None:
    forms = {films.film(str(seed), number).form for number in range(9)}
    assert forms == {"video", "shorts", "live"}
    for number in range(30):
        film, other = films.film(str(seed), number), films.look_alike(str(seed), number)
        assert re.fullmatch(r"[\w-]{11}", film.id)
        assert film.id in film.url
        assert (urlsplit(film.url).hostname or "").endswith(("youtube.com", "youtu.be"))
        assert not (urlsplit(other.url).hostname or "").endswith((".youtube.com", "youtu.be"))
        assert (other.id, other.form) == ("", None)


def test_photo_stories_are_marked_and_their_false_friends_are_not() -> None:
    story = write("photo", 1, "한빛대", datetime(2026, 11, 30), "news")  # noqa: DTZ001
    plain = [pictures.posed(story, 12 * turn + 3, "숭대", english=False, column=False) for turn in range(20)]
    assert {marked for _, marked in plain} == {"title"}
    assert len({re.sub(r"[\w ]+ \d+", "", one.headline) for one, _ in plain}) >= 12
    assert any("[숭대포토]" in one.headline for one, _ in plain)
    false = [pictures.posed(story, 12 * turn + 7, "숭대", english=False, column=False) for turn in range(20)]
    assert {marked for _, marked in false} == {""}
    labelled, marked = pictures.posed(story, 9, "숭대", english=False, column=False)
    assert (labelled.section, marked) == ("포토", "section")
    assert "포토" not in labelled.headline


def test_the_truth_of_a_log_is_what_its_answers_told() -> None:
    campus = Campus(2, 0, houses=3)
    outlet = house(campus, "plain, no dates")
    source, web = outlet.sources[0], Web(campus)
    assert truth.known(campus, web.log) == {}
    web.answer(source.url, {}, NIGHT)
    book = truth.known(campus, web.log)
    assert set(book) == {(outlet.slug, piece.number) for piece in source.shown(NIGHT)}
    assert {(one.published, one.precision, one.reads) for one in book.values()} == {(None, "none", 0)}
    newest = source.shown(NIGHT)[0]
    web.answer(newest.page, {}, NIGHT + 5)
    one = truth.known(campus, web.log)[outlet.slug, newest.number]
    assert (one.published, one.precision, one.from_page) == (newest.published // 60 * 60, "minute", True)
    denied = Access(split(source.url)[0], "", newest.page.partition("example")[2], newest.page, NIGHT, NIGHT, 503, {})
    assert not truth.known(campus, [web.log[0], denied])[outlet.slug, newest.number].reads


def test_a_retitled_piece_is_known_by_what_the_last_page_called_it() -> None:
    campus = Campus(2, 0, houses=3)
    outlet = house(campus, "plain, no dates")
    source, web = outlet.sources[0], Web(campus)
    for day in range(40):
        web.answer(source.url, {}, NIGHT + day * DAY_S)
    book = truth.known(campus, web.log)
    edited = [known for known in book.values() if known.item.title == known.item.piece.story.later_headline]
    assert edited
    assert len(book) > len(source.shown(NIGHT))


def test_an_address_is_about_its_piece_however_it_is_spelt(campus: Campus) -> None:
    outlet = house(campus, "ndsoft A")
    piece = outlet.published_by(NIGHT)[-1]
    number = outlet.desk.first_number + piece.number
    host = split(piece.page)[0]
    assert truth.identity(outlet, f"http://m.{host}/news/articleView.html?idxno={number}&replyAll=", NIGHT) is piece
    assert truth.identity(outlet, f"http://{host}/news/articleView.html?idxno={number + 10**6}", NIGHT) is None
    assert truth.identity(outlet, f"http://{host}/bbs/view.html?idxno={number}", NIGHT) is None
    broadcaster = house(campus, "films")
    film = next(piece for piece in broadcaster.published_by(NIGHT) if piece.film is not None)
    assert truth.identity(broadcaster, film.url, NIGHT) is film


@pytest.mark.parametrize(
    ("style", "text", "meant"),
    [
        ("alt", "11-05 14:30", (1_793_856_600, "minute")), ("mobile", "11.05 14:30", (1_793_856_600, "minute")),
        ("gnuboard", "11-05", (1_793_804_400, "day")), ("xe", "2026.11.05", (1_793_856_600, "minute")),
        ("hour", "2026-11-05 14", (1_793_854_800, "hour")), ("spaced", "2026. 11. 5. 14:30", (1_793_856_600, "minute")),
        ("english", "November 5, 2026", (1_793_804_400, "day")), ("korean_day", "2026년 11월 5일", (1_793_804_400, "day")),
        ("korean", "2026년 11월 5일 오후 2:30", (1_793_856_600, "minute")),
        ("short_year", "26-11-05 14:30", (1_793_856_600, "minute")), ("relative", "2026.11.05", (1_793_804_400, "day")),
    ],
)  # fmt: skip
def test_pages_write_dates_as_korean_sites_do(style: str, text: str, meant: tuple[int, str]) -> None:
    moment = datetime(2026, 11, 5, 14, 30, 9, tzinfo=datewords.KST).timestamp()
    assert datewords.written(moment, style, NIGHT) == text
    assert datewords.meant(moment, style, NIGHT) == meant


def test_a_year_is_left_out_only_while_it_lasts_and_hours_ago_mean_a_day() -> None:
    moment = datetime(2026, 11, 5, 14, 30, 9, tzinfo=datewords.KST).timestamp()
    next_year = datetime(2027, 1, 2, tzinfo=datewords.KST).timestamp()
    assert datewords.written(moment, "alt", next_year) == "2026-11-05 14:30"
    assert datewords.written(moment, "alt_day", next_year) == "2026-11-05"
    assert datewords.meant(moment, "alt_day", next_year)[1] == "day"
    assert datewords.written(moment, "gnuboard", next_year) == "11-05"
    assert datewords.written(moment, "gnuboard", moment + 600) == "14:30"
    assert datewords.written(moment, "relative", moment + 3 * 3600) == "3시간 전"
    assert datewords.meant(moment, "relative", moment + 3 * 3600) == (1_793_804_400, "day")
    assert set(datewords.PAGE_STYLES) >= {skin.dates for skin in SKINS.values()}
