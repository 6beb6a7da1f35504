"""A look by hand: few requests, all through the gate and all in the log; what is found, and the rows that come of it."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import crawl.cli
from crawl import cliprobe, discover, proposal, registry, urls
from crawl.connectto import ConnectTo
from crawl.errors import FeedUnreadable, Misuse, NightHeld, RegistryInvalid
from crawl.exclusions import Exclusion, Exclusions
from crawl.finding import Looked
from crawl.gate import Gate, Memory, Ticket
from crawl.model import Entry, Feed, Request, Response, Source
from crawl.policy import Policy
from crawl.proposal import Proposal
from crawl.registry import Registry
from crawl.registryrows import OUTLET_COLUMNS, SOURCE_COLUMNS
from crawl.store import Store
from tests import nights
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, rss
from tests.sim.web import Answer

NOON = FIRST_NIGHT + 12 * 3600
SITE = "https://press.hanbit.ac.example"
ROBOTS = f"{SITE}/robots.txt"
FREE = [answer(404)]
KNOWN = nights.registry([nights.feed("https://news.saebom.ac.example/rss/allArticle.xml", slug="saebom-news")])


def html(head: str = "", body: str = "", title: str = "한빛대신문") -> bytes:
    page = f'<!doctype html><html lang="ko"><head><title>{title}</title>{head}</head><body>{body}</body></html>'
    return page.encode()


def announce(href: str, kind: str = "application/rss+xml", title: str = "") -> str:
    return f'<link rel="alternate" type="{kind}" title="{title}" href="{href}">'


ND = '<a href="/news/articleList.html">전체기사</a><a href="/news/articleView.html?idxno=7">총학생회 선거 시작</a>'


def read_list(response: Response, cms: str) -> Feed:
    """A stand-in for the list reader: `ul.known` is a known skin, any other page is none."""
    text = response.body.decode()
    if 'class="known"' not in text:
        raise FeedUnreadable("not_a_list")
    found = re.findall(r'<li><a href="([^"]+)">([^<]+)</a>', text)
    return Feed("gnuboard", "", "ko", tuple(Entry(url, title) for url, title in found))


def a_list(*titles: str) -> bytes:
    rows = "".join(f'<li><a href="{SITE}/b/{number}">{title}</a></li>' for number, title in enumerate(titles))
    return html(body=f'<ul class="known">{rows}</ul>')


@dataclass
class Look:
    """Probes of one scripted web over one data and state folder."""

    root: Path
    answers: dict[str, list[Answer]]
    books: Registry = KNOWN
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        self.hub = Hub(self.root, Scripted(self.answers), self.books)

    def at(self, start: str, now: float = NOON) -> tuple[Looked, ...]:
        self.hub.policy = self.policy
        return self.hub.probe(start, at=now, listed=read_list)

    def proposed(self, start: str) -> Proposal:
        return proposal.propose(start, self.at(start), self.books, day="2026-03-05")

    @property
    def heard(self) -> list[str]:
        return [url for _, url, _ in self.hub.web.heard]

    def breaches(self) -> dict[str, int]:
        return self.hub.breaches()


def gate_ticket(url: str) -> Ticket:
    """A ticket as the gate of a probe makes it."""
    gate = Gate(Policy(), day="2026-03-05", started=NOON, scheduled=False, memory=Memory(next_id=900),
                excluded=lambda request: False, connect_to=ConnectTo(()))  # fmt: skip
    assert gate.offer(Request(url, "feed", None, "site")) is None
    ticket = gate.next_ticket(NOON)
    assert isinstance(ticket, Ticket)
    return ticket


def first_night(look: Look, number: int = 1) -> None:
    """A press.db is there from a night; the probe comes after it."""
    for url in (source.url for source in look.books.sources):
        look.answers.setdefault(url, [answer(body=rss("새봄 기사", host="news.saebom.ac.example"))])
    look.hub.night(number)


# Finding the way


def test_H27_a_feed_that_is_given_costs_its_robots_txt_and_one_look(memory_path: Path) -> None:
    url = f"{SITE}/rss/allArticle.xml"
    look = Look(
        memory_path, {ROBOTS: FREE, url: [answer(body=rss("총학생회 선거 시작", host="press.hanbit.ac.example"))]}
    )
    first_night(look)
    (seen,) = look.at(url)
    assert look.heard[1:] == [ROBOTS, url]
    assert (seen.result, seen.reason, seen.entries, seen.robots) == ("feed", "rss20", 1, "no_rules")
    assert look.breaches() == {}


def test_H27_a_given_feed_without_an_article_is_told_so_and_nothing_else_is_asked(memory_path: Path) -> None:
    url = f"{SITE}/rss/allArticle.xml"
    look = Look(memory_path, {ROBOTS: FREE, url: [answer(body=rss())]})
    assert [(one.result, one.entries) for one in look.at(url)] == [("feed", 0)]


def test_the_feed_a_home_page_announces_is_read_first_and_the_search_ends_there(memory_path: Path) -> None:
    feed = "https://cdn.hanbitpress.example/rss/gn_rss_allArticle.xml"
    home = html(announce("/comments/feed/") + announce(feed), ND)
    look = Look(
        memory_path,
        {
            ROBOTS: FREE, f"{SITE}/": [answer(body=home)],
            "https://cdn.hanbitpress.example/robots.txt": FREE, feed: [answer(body=rss("가", "나"))],
            f"{SITE}/news/articleList.html?view_type=sm": [answer(body=a_list("가", "나", "다"))],
        },
    )  # fmt: skip
    first_night(look)
    found = look.proposed(f"{SITE}/")
    shown = f"{SITE}/news/articleList.html?view_type=sm"
    assert look.heard[1:] == [ROBOTS, f"{SITE}/", "https://cdn.hanbitpress.example/robots.txt", feed, shown]
    assert found.feed is not None
    assert found.list is not None
    assert (found.feed.url, found.feed.entries, found.list.entries, found.cms) == (feed, 2, 3, "ndsoft")
    assert look.breaches() == {}


def test_a_systems_usual_feed_is_tried_only_where_the_page_names_none(memory_path: Path) -> None:
    usual = f"{SITE}/rss/allArticle.xml"
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(body=html(body=ND))], usual: [answer(404)],
                              f"{SITE}/news/articleList.html?view_type=sm": [answer(404)]})  # fmt: skip
    assert [(one.why, one.result, one.reason) for one in look.at(f"{SITE}/")] == [
        ("given", "page", "not_a_list"), ("convention", "failed", "http_404"), ("convention", "failed", "http_404"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "feed"),
    [
        ("https://blog.naver.com/hanbit/2231", "https://rss.blog.naver.com/hanbit.xml"),
        ("https://velog.io/@hanbit", "https://v2.velog.io/rss/@hanbit"),
        ("https://hanbit.tistory.com/12", "https://hanbit.tistory.com/rss"),
        ("https://medium.com/@hanbit/a-post", "https://medium.com/feed/@hanbit"),
    ],
)
def test_a_blog_is_asked_at_the_feed_its_host_is_known_for(given: str, feed: str, memory_path: Path) -> None:
    robots = f"{urls.origin(feed)}/robots.txt"
    look = Look(memory_path, {robots: FREE, feed: [answer(body=rss("가"))]})
    (seen,) = look.at(given)
    assert (seen.url, seen.entries, look.heard) == (feed, 1, [robots, feed])


def test_a_gnuboard_feed_that_nobody_announces_is_never_guessed(memory_path: Path) -> None:
    start = f"{SITE}/bbs/board.php?bo_table=news"
    page = a_list("가").replace(b"<ul", b'<a href="/bbs/board.php?bo_table=free">free</a><ul')
    look = Look(memory_path, {ROBOTS: FREE, start: [answer(body=page)]})
    (seen,) = look.at(start)
    assert (seen.is_sure_list, seen.facts and seen.facts.cms) == (True, "gnuboard")


def test_an_article_leads_to_the_home_page_and_a_signpost_to_the_real_one(memory_path: Path) -> None:
    article, main, feed = f"{SITE}/a/1", f"{SITE}/main/index.html", f"{SITE}/main/rss.xml"
    look = Look(memory_path, {
        ROBOTS: FREE, article: [answer(body=html(body="<p>" + "본문 " * 400))],
        f"{SITE}/": [answer(body=b'<html><head><meta http-equiv="Refresh" content="0; URL=/main/index.html"></head></html>')],
        main: [answer(body=html(body='<a href="rss.xml">RSS</a>'))], feed: [answer(body=rss("가"))],
    })  # fmt: skip
    assert [(one.url, one.why) for one in look.at(article)] == [
        (article, "given"), (f"{SITE}/", "home"), (main, "forwarded"), (feed, "linked"),
    ]  # fmt: skip


def test_a_front_page_is_not_taken_for_the_list_where_its_system_has_one(memory_path: Path) -> None:
    whole, feed = f"{SITE}/news/article_list_all.html", f"{SITE}/data/rss/news.xml"
    front = a_list("가", "나").replace(b"<ul", b'<a href="/news/article.html?no=7">x</a><ul')
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(body=front)], feed: [answer(404)],
                              whole: [answer(body=a_list("가", "나", "다"))]})  # fmt: skip
    found = look.proposed(f"{SITE}/")
    assert found.list is not None
    assert (found.list.url, found.list.entries, found.cms) == (whole, 3, "mediaon")
    assert [row[1:5] for row in found.source_rows] == [("list", whole, "mediaon", "active")]


# Politeness


def test_P10_a_probe_sends_a_handful_of_requests_at_most_hops_included(memory_path: Path) -> None:
    links = "".join(announce(f"/part{number}/rss.xml") for number in range(9))
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(302, headers={"Location": "/hop"})],
                              f"{SITE}/hop": [answer(302, headers={"Location": "/home"})],
                              f"{SITE}/home": [answer(body=html(links, ND))]}
                | {f"{SITE}/part{number}/rss.xml": [answer(302, headers={"Location": f"/part{number}/x.html"})]
                   for number in range(9)}
                | {f"{SITE}/part{number}/x.html": [answer(404)] for number in range(9)})  # fmt: skip
    first_night(look)
    seen = look.at(f"{SITE}/")
    asked = [url for url in look.heard[1:] if url != ROBOTS]
    assert len(asked) == Policy().probe_requests
    assert (seen[-1].rule, seen[-1].reason) == ("P10", "probe_is_over")
    assert look.breaches() == {}


def test_P20_the_requests_of_a_probe_keep_the_pause_and_so_does_the_night_after_it(memory_path: Path) -> None:
    own = f"{SITE}/rss/other.xml"
    books = nights.registry([nights.feed(own, slug="hanbit-news")])
    given = f"{SITE}/rss/allArticle.xml"
    look = Look(memory_path, {ROBOTS: FREE, own: [answer(body=rss("가"))], given: [answer(body=rss("나"))]}, books)
    just_before = FIRST_NIGHT + DAY_S - 5
    first_night(look)
    look.at(given, just_before)
    look.hub.night(2)
    ends = look.hub.read("SELECT started, ended FROM request_log ORDER BY id")
    gaps = [float(str(b[0])) - float(str(a[1])) for a, b in itertools.pairwise(ends)]
    assert min(gaps) == pytest.approx(3)
    assert look.hub.web.times(own)[1] > FIRST_NIGHT + DAY_S, "the night waited for the probe's last answer"
    assert look.breaches() == {}


def test_P40_a_closed_path_is_told_and_not_asked(memory_path: Path) -> None:
    look = Look(memory_path, {ROBOTS: [answer(body=b"User-agent: *\nDisallow: /")]})
    (seen,) = look.at(f"{SITE}/")
    assert (look.heard, seen.result, seen.rule, seen.robots) == ([ROBOTS], "refused", "P40", "closed")


def test_P42_a_robots_txt_that_cannot_be_read_closes_the_site_to_every_probe_of_that_day(memory_path: Path) -> None:
    look = Look(memory_path, {ROBOTS: [answer(503)]})
    first_night(look)
    assert look.at(f"{SITE}/")[0].rule == "P42"
    assert look.at(f"{SITE}/news", NOON + 3600)[0].rule == "P42"
    assert look.heard[1:] == [ROBOTS]
    assert look.breaches() == {}


def test_P21_a_crawl_delay_is_kept_and_told(memory_path: Path) -> None:
    look = Look(memory_path, {ROBOTS: [answer(body=b"User-agent: *\nCrawl-delay: 8")], f"{SITE}/": [answer(404)]})
    assert look.at(f"{SITE}/")[0].crawl_delay_s == 8
    (robots,), (page,) = look.hub.web.times(ROBOTS), look.hub.web.times(f"{SITE}/")
    assert page - robots == pytest.approx(8.5)


def test_P33_a_server_that_asks_for_rest_is_asked_nothing_more_and_the_night_knows_of_it(memory_path: Path) -> None:
    own = f"{SITE}/rss/other.xml"
    books = nights.registry([nights.feed(own, slug="hanbit-news")])
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(429, headers={"Retry-After": "86400"})],
                              own: [answer(body=rss("가"))]}, books)  # fmt: skip
    first_night(look)
    (seen,) = look.at(f"{SITE}/")
    assert (seen.result, seen.reason) == ("failed", "http_429")
    assert look.at(f"{SITE}/a", NOON + 600)[0].reason == "server_resting"
    look.hub.night(2)
    assert len(look.hub.web.times(own)) == 1, "the second night left the server alone"
    assert look.breaches() == {}


def test_P36_a_slow_down_told_to_a_probe_is_none_of_a_source(memory_path: Path) -> None:
    own, other = f"{SITE}/rss/one.xml", f"{SITE}/rss/two.xml"
    books = nights.registry([nights.feed(own, slug="hanbit-news"), nights.feed(other, slug="hanbit-ubs")])
    slow = answer(429, headers={"Retry-After": "600"})
    look = Look(memory_path, {ROBOTS: FREE, own: [slow], other: [answer(body=rss("가"))],
                              f"{SITE}/": [slow, answer(404)]}, books)  # fmt: skip
    first_night(look)
    assert [look.at(f"{SITE}/", NOON + 3600 * hour)[0].status for hour in (0, 1)] == [429, 404]
    assert look.breaches() == {}


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("https://www.youtube.com/@hanbit", "P05"),
        ("https://youtu.be/abc", "P05"),
        ("http://10.0.0.7/rss", "P51"),
        ("http://localhost:8000/rss", "P51"),
        ("https://ipsi.hanbit.ac.kr/", "P04"),
        ("https://www.instagram.com/hanbit", "P04"),
        ("http://www.news.saebom.ac.example/rss/allArticle.xml/", "P11"),
    ],
)
def test_what_may_not_be_registered_is_not_looked_at_either(url: str, rule: str, memory_path: Path) -> None:
    look = Look(memory_path, {})
    (seen,) = look.at(url)
    assert (look.heard, seen.result, seen.rule) == ([], "refused", rule)
    assert seen.detail


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        ("https://www.youtube.com/@hanbit", "P05"),
        ("http://127.0.0.1/x", "P51"),
        ("https://ipsi.hanbit.ac.kr/", "P04"),
        ("https://news.saebom.ac.example/rss/allArticle.xml", "P11"),
        (f"{SITE}/member/login.php", "P38"),
        (f"{SITE}/", "P50"),
    ],
)
def test_P50_a_redirect_leads_nowhere_that_could_not_be_asked_itself(target: str, rule: str, memory_path: Path) -> None:
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(302, headers={"Location": target})]})
    first_night(look)
    (seen,) = look.at(f"{SITE}/")
    assert (look.heard[1:], seen.rule) == ([ROBOTS, f"{SITE}/"], rule)
    assert look.breaches() == {}


def test_P60_who_asked_to_be_left_out_is_not_probed(memory_path: Path) -> None:
    gone = Exclusions([Exclusion("hanbit.ac.example", "host", "outlet_request", None, date(2026, 3, 1))])
    look = Look(memory_path, {}, replace(KNOWN, exclusions=gone))
    assert [one.rule for one in look.at(f"{SITE}/")] == ["P60"]
    assert look.heard == []


def test_P22_probes_of_one_site_share_its_days_budget(memory_path: Path) -> None:
    budget = 5
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(body=html())]})
    look.policy = replace(Policy(), backfill_per_day=budget)
    for number in range(9):
        look.at(f"{SITE}/", NOON + 600 * number)
    assert len(look.heard) == budget
    assert look.at(f"{SITE}/", NOON + 9_000)[0].rule == "P22"


def test_P70_a_probe_leaves_its_rows_in_the_state_and_the_record_as_it_was(memory_path: Path) -> None:
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(body=html())]})
    first_night(look)
    before = (look.hub.data / "press.db").read_bytes()
    look.at(f"{SITE}/")
    look.at(f"{SITE}/", NOON + 60)
    assert (look.hub.data / "press.db").read_bytes() == before
    assert not (look.hub.state / "work.db").exists()
    rows = look.hub.read("SELECT night, mode, purpose, sake, outlet FROM request_log WHERE night < 0 ORDER BY id")
    host = "press.hanbit.ac.example"
    assert rows == [
        (-1, "probe", "robots", "probe", host), (-1, "probe", "probe", "", host), (-2, "probe", "probe", "", host),
    ]  # fmt: skip
    look.hub.night(2)
    assert look.breaches() == {}


def test_two_hands_do_not_probe_and_collect_at_once(memory_path: Path) -> None:
    look = Look(memory_path, {})
    with closing(Store(look.hub.data, look.hub.state, look.books)), pytest.raises(NightHeld):
        look.at(f"{SITE}/")


def test_a_night_that_was_broken_off_is_finished_first(memory_path: Path) -> None:
    look = Look(memory_path, {})
    with closing(Store(look.hub.data, look.hub.state, look.books)) as store:
        store.begin_night("2026-03-05", "scheduled", FIRST_NIGHT)
    with pytest.raises(Misuse, match="finish it"):
        look.at(f"{SITE}/")
    assert (look.hub.state / "work.db").exists()


class _Killed(Exception):
    pass


@dataclass
class _Dying:
    """A web whose robots.txt never comes: the process is gone first."""

    def answer(self, *args: object) -> Answer:
        raise _Killed

    def address(self, host: str) -> str:
        return "1.2.3.4"

    def closed(self, number: int, ended: float) -> None:
        pass


def test_P42_a_probe_that_was_broken_off_forgets_no_request(memory_path: Path) -> None:
    look = Look(memory_path, {ROBOTS: FREE})
    first_night(look)
    scripted, look.hub.web = look.hub.web, _Dying()  # type: ignore[assignment]
    with pytest.raises(_Killed):
        look.at(f"{SITE}/")
    look.hub.web = scripted
    assert look.hub.read("SELECT purpose, error FROM request_log WHERE night < 0") == [("robots", "interrupted")]
    assert look.at(f"{SITE}/", NOON + 60)[0].rule == "P42"
    assert ROBOTS not in look.heard
    assert look.breaches() == {}


def test_a_probe_that_was_killed_is_remembered_even_where_the_press_file_has_changed_since(memory_path: Path) -> None:
    look = Look(memory_path, {})
    first_night(look)
    asked = gate_ticket(f"{SITE}/")
    with closing(Store(look.hub.data, look.hub.state, look.books)) as store, store.transaction():
        store.begin(store.probes.begin(NOON), "2026-03-05", "probe", NOON, asked, NOON)
    (look.hub.data / "press.db").unlink()
    look.answers |= {ROBOTS: FREE, f"{SITE}/": [answer(404)]}
    look.at(f"{SITE}/", NOON + 2)
    with closing(sqlite3.connect(look.hub.state / "state.db")) as db:
        rows = db.execute("SELECT night, error, ended FROM request_log WHERE night < 0 ORDER BY id").fetchall()
    assert rows[0] == (-1, "interrupted", NOON + 2)
    assert [row[0] for row in rows[1:]] == [-2, -2]
    assert min(look.hub.web.times(ROBOTS)) == NOON + 2 + 3


# Rows, twins and coverage


def test_the_rows_are_in_order_for_check_once_a_person_has_filled_them_in(memory_path: Path) -> None:
    url = f"{SITE}/rss/allArticle.xml"
    look = Look(memory_path, {ROBOTS: FREE, url: [answer(body=rss("가", host="press.hanbit.ac.example"))]})
    found = look.proposed(url)
    assert found.outlet_row is not None
    assert found.kin == ()

    def files(row: tuple[str, ...]) -> dict[str, bytes]:
        written = {}
        for name, columns, rows in (
            ("outlets.csv", OUTLET_COLUMNS, [row]),
            ("sources.csv", SOURCE_COLUMNS, found.source_rows),
        ):
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([columns, *rows])
            written[f"data/{name}"] = text.getvalue().encode()
        return written | {"data/exclusions.csv": registry.empty()["exclusions.csv"]}

    with pytest.raises(RegistryInvalid) as raised:
        registry.parse(files(found.outlet_row))
    told = "\n".join(str(problem) for problem in raised.value.problems)
    for column in ("name_en", "university", "univ", "kind", "region"):
        assert f"?{column}"[:5] in told or f'"{column}"' in told
    filled = {"?name in English": "Hanbit News", "?university": "한빛대학교", "?univ": "hanbit", "?kind": "newspaper",
              "?region": "서울"}  # fmt: skip
    books = registry.parse(files(tuple(filled.get(cell, cell) for cell in found.outlet_row)))
    assert (books.outlets[0].slug, books.outlets[0].name) == ("press-hanbit-ac", "한빛대신문")
    assert (books.sources[0].kind, books.sources[0].url, books.sources[0].state) == ("feed", url, "active")


def looked(url: str, *entries: Entry, kind: str = "feed", title: str = "") -> Looked:
    feed = Feed("rss20", title, "ko", entries)
    return Looked(url, "given", "page", kind, "rss20", at=url, status=200, feed=feed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("start", "title", "how", "slug"),
    [
        ("http://www.news.saebom.ac.example/rss/allArticle.xml", "", "registered", "saebom-news"),
        ("https://m.news.saebom.ac.example/news/", "", "same_server", "saebom-news"),
        ("https://saebom.example/", "Saebom-News 신문", "same_name", "saebom-news"),
        ("https://press.skhu.ac.kr/", "", "same_university", "skhu"),
        ("https://popkon.net/", "", "declined", ""),
    ],
)
def test_twins_and_relatives_in_the_registry_are_named(start: str, title: str, how: str, slug: str) -> None:
    campus = replace(nights.outlet("skhu"), homepage="https://media.skhu.ac.kr/")
    books = Registry((*KNOWN.outlets, campus), KNOWN.sources, KNOWN.exclusions)
    found = proposal.propose(start, (looked(start, Entry(start, "가"), title=title),), books, day="2026-03-05")
    assert (how, slug) in [(kin.how, kin.outlet) for kin in found.kin]


def test_a_known_university_fills_in_what_its_other_outlets_say() -> None:
    campus = replace(
        nights.outlet("skhu"), homepage="https://media.skhu.ac.kr/", university="성공회대학교", univ="skhu"
    )
    start = "https://ubs.skhu.ac.kr/rss"
    found = proposal.propose(
        start, (looked(start, Entry(start, "가")),), Registry((campus,), (), Exclusions()), day="2026-03-05"
    )
    assert found.outlet_row is not None
    assert found.outlet_row[0] == "skhu-ubs"
    assert found.outlet_row[3:5] == ("성공회대학교", "skhu")


@pytest.mark.parametrize(
    ("known", "found", "state", "note"),
    [
        (nights.feed(f"{SITE}/rss/allArticle.xml", slug="press"), "list", "paused", "paused: feed preferred"),
        (nights.feed(f"{SITE}/old.xml", slug="press", state="closed"), "list", "active", ""),
        (nights.feed(f"{SITE}/b", slug="press", kind="list"), "feed", "active", "pause the list: feed preferred"),
    ],
)
def test_P11_what_the_registry_asks_already_counts_where_a_second_address_is_proposed(
    known: Source, found: str, state: str, note: str
) -> None:
    seen = looked(f"{SITE}/second", Entry(f"{SITE}/1", "가"), kind=found)
    (row,) = proposal.propose(f"{SITE}/second", (seen,), nights.registry([known]), day="2026-03-05").source_rows
    assert (row[0], row[1], row[4]) == ("press", found, state)
    assert row[6].endswith(note or "1 entries")


def test_P11_a_list_beside_a_feed_is_proposed_paused_and_a_json_feed_by_its_name() -> None:
    feed = replace(looked(f"{SITE}/feed.json", Entry(f"{SITE}/1", "가")), reason="jsonfeed")
    shown = replace(looked(f"{SITE}/list", Entry(f"{SITE}/1", "가"), kind="list"), reason="gnuboard")
    found = proposal.propose(SITE, (feed, shown), KNOWN, day="2026-03-05")
    assert [(row[1], row[3], row[4]) for row in found.source_rows] == [
        ("feed", "jsonfeed", "active"),
        ("list", "", "paused"),
    ]


def test_coverage_says_how_far_a_source_reaches_and_how_finely_it_is_dated() -> None:
    dates = [FIRST_NIGHT - days * DAY_S for days in (0, 3, 14)]
    entries = [Entry(f"{SITE}/{at}", "가", published=int(at), precision="minute") for at in dates]
    reach = proposal.coverage(looked(SITE, *entries, Entry(f"{SITE}/x", "나")))
    assert (reach.entries, reach.dated, reach.oldest, reach.newest) == (4, 3, int(dates[2]), int(dates[0]))
    assert (reach.precision, reach.per_week) == ("minute", 1.0)
    assert proposal.coverage(looked(SITE)).per_week is None


# The command


class Site(BaseHTTPRequestHandler):
    """A home page that announces a feed, on whatever host is asked for."""

    def do_GET(self) -> None:
        body, status = b"", 200
        if self.path == "/rss/allArticle.xml":
            body = rss("총학생회 선거 시작", "축제 일정 확정", host="press.hanbit.ac.example")
        elif self.path == "/":
            body = html(announce("/rss/allArticle.xml"))
        else:
            status = 404
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def served() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"::127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def folders(tmp_path: Path) -> list[str]:
    assert crawl.cli.main(["init", "--data", str(tmp_path / "data")]) == 0
    return ["--data", str(tmp_path / "data"), "--state", str(tmp_path / "state")]


def test_the_command_looks_over_real_sockets_and_prints_rows_to_paste(
    folders: list[str], served: str, capsys: pytest.CaptureFixture[str]
) -> None:
    start = "http://press.hanbit.ac.example/#top"
    assert crawl.cli.main(["probe", start, *folders, "--connect-to", served, "--at", "2026-03-05T12:00"]) == 0
    printed = capsys.readouterr()
    assert "http://press.hanbit.ac.example/rss/allArticle.xml (announced)" in printed.out
    assert "2026-03-04 14:30  총학생회 선거 시작" in printed.out
    row = "press-hanbit-ac,feed,http://press.hanbit.ac.example/rss/allArticle.xml,ndsoft,active,,seen 2026-03-05: 2 entries"
    assert row in printed.out.splitlines()
    assert "looked at http://press.hanbit.ac.example/ (given)" in printed.err
    assert crawl.cli.main(["audit", *folders]) == 0
    assert all(line.split()[-1] == "0" for line in capsys.readouterr().out.splitlines()[1:])


def test_the_command_tells_a_machine_what_it_saw(
    folders: list[str], served: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    feed = "http://press.hanbit.ac.example/rss/allArticle.xml"
    assert crawl.cli.main(["probe", feed, *folders, "--connect-to", served, "--at", "2026-03-05T12:00", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["title"] for one in told["feed"]["samples"]] == ["총학생회 선거 시작", "축제 일정 확정"]
    assert told["feed"]["coverage"]["dated"] == 2
    assert told["sources_csv"][0].split(",")[2] == feed


@pytest.mark.parametrize(
    ("url", "status", "named"),
    [
        ("https://www.youtube.com/@hanbit", 1, "P05"),
        ("http://127.0.0.1:1/", 1, "P51"),
        ("https://ipsi.hanbit.ac.kr/", 1, "admissions or PR office"),
        ("ftp://press.hanbit.ac.example/", 2, "not an http(s) address"),
        ("한빛", 2, "not an http(s) address"),
    ],
)
def test_the_exit_status_says_whether_there_is_anything_to_register(
    url: str, status: int, named: str, folders: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl.cli.main(["probe", url, *folders, "--connect-to", "::127.0.0.1:9"]) == status
    printed = capsys.readouterr()
    assert named in printed.out + printed.err
    assert not Path(folders[3]).exists(), "nothing was opened for it"


@pytest.mark.parametrize(
    ("one", "cure"),
    [
        (Looked("http://pres.example/", "given", "page", "refused", "robots_dns", "P42"), "is it written right?"),
        (Looked("https://old.example/", "given", "page", "refused", "robots_tls_too_old", "P42"), "with http://"),
        (Looked("https://old.example/", "given", "page", "refused", "robots_tls_weak_dh", "P42"), "[[tls]]"),
        (Looked("https://old.example/", "given", "page", "failed", "refused_connection"), "with http://"),
        (Looked("http://old.example/", "given", "page", "failed", "timeout"), "another day"),
        (Looked("http://old.example/", "given", "page", "refused", "robots_http_503", "P42"), "come back tomorrow"),
        (Looked("http://old.example/", "given", "page", "failed", "http_404", status=404), "of a list or feed"),
        (Looked("http://old.example/a", "given", "page", "failed", "http_404", status=404), "the home page"),
        (Looked("http://old.example/", "given", "page", "refused", "redirect_to_login_or_nowhere", "P38"), "never log in"),
        (Looked("http://old.example/", "given", "page", "refused", "closed_by_robots", "P40"), "P44"),
    ],
)  # fmt: skip
def test_where_nothing_can_be_registered_the_screen_says_what_to_try(one: Looked, cure: str) -> None:
    told = cliprobe.screen(one.url, (one,), proposal.propose(one.url, (one,), KNOWN, day="2026-03-05"))
    assert cure in told.splitlines()[-1]


def test_a_feed_that_was_found_empty_is_not_said_to_be_missing(memory_path: Path) -> None:
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(body=html(announce("/rss.xml")))],
                              f"{SITE}/rss.xml": [answer(body=rss())]})  # fmt: skip
    seen = look.at(f"{SITE}/")
    told = cliprobe.screen(f"{SITE}/", seen, proposal.propose(f"{SITE}/", seen, KNOWN, day="2026-03-05"))
    assert "a feed was found, and shows no article now" in told.splitlines()[-1]


def test_the_page_behind_a_signpost_bears_the_outlets_name(memory_path: Path) -> None:
    sign = html('<meta http-equiv="refresh" content="0; url=/main/">', title="새 창")
    look = Look(memory_path, {ROBOTS: FREE, f"{SITE}/": [answer(body=sign)],
                              f"{SITE}/main/": [answer(body=html(announce("/rss.xml"), title="참빛신문"))],
                              f"{SITE}/rss.xml": [answer(body=rss("가"))]})  # fmt: skip
    assert look.proposed(f"{SITE}/").title == "참빛신문"


def test_a_site_of_several_boards_is_registered_by_its_news_and_never_by_everybodys_talk() -> None:
    boards = {"free": "자유게시판", "notice": "학보 공지", "about": "신문사 소개", "culture": "문화", "n2": "대학 뉴스"}
    body = "".join(f'<a href="/bbs/board.php?bo_table={name}">{label}</a>' for name, label in boards.items())
    facts = discover.read(html(body=body), base=f"{SITE}/", content_type=None)
    assert [one.label for one in facts.lists] == ["대학 뉴스", "문화"]


def test_a_boards_page_number_is_no_part_of_the_outlets_name() -> None:
    facts = discover.read(html(title="윤슬학보 1 페이지"), base=f"{SITE}/", content_type=None)
    assert facts.title == "윤슬학보"


def test_a_replay_of_a_probe_must_stay_on_this_machine(folders: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--connect-to", "::192.0.2.1:80"], ["--at", "2026-03-05T12:00"]):
        assert crawl.cli.main(["probe", f"{SITE}/", *folders, *words]) == 2
    assert "this machine" in capsys.readouterr().err


def test_no_page_makes_the_discovery_raise() -> None:
    for body in (b"", b"\xff\xfe\x00", b"<a href='http://[::1'>x</a>" * 9, b'<meta http-equiv=refresh content="0;url=http://[">',
                 b"<link rel=alternate type=application/rss+xml href='javascript:1'>", b"<div>" * 100_000):  # fmt: skip
        begun = time.process_time()
        discover.read(body, base=f"{SITE}/", content_type=None)
        assert time.process_time() - begun < 3, "a page of absurd depth is read in bounded time"
