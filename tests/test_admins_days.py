"""A server admin's days, from the policy page alone: close the pages, slow us down, have us leave; told by the access log."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from build import site
from crawl.clock import DAY_S
from crawl.exclusions import Exclusion, Exclusions
from crawl.policy import Policy
from tests import sitefixture
from tests.nights import FIRST_NIGHT, Hub, Scripted, answer, feed, page, registry, rss
from tests.sim.web import Answer

HOST = "paper.example"
NEWS, SPORTS, LIST = f"https://{HOST}/rss/news.xml", f"https://{HOST}/rss/sports.xml", f"https://{HOST}/list"
ARTICLE = f"https://{HOST}/news/articleView.html?idxno=80"
"""The list shows no date, so the article's own page is opened once for it."""
ROBOTS, ELSEWHERE = f"https://{HOST}/robots.txt", "https://elsewhere.example/rss"
POLICY = Policy()


class Admin(Scripted):
    """The server of one admin, whose robots.txt and answers can be changed between two nights."""

    def puts(self, url: str, given: Answer) -> None:
        """From now on an address answers so."""
        self.answers[url] = [given]

    def log(self, night: int) -> list[tuple[str, int]]:
        """What the server's access log shows of a night: path and second of the night."""
        begins = FIRST_NIGHT + (night - 1) * DAY_S
        return [
            (url.removeprefix(f"https://{HOST}"), int(at - begins))
            for at, url, _ in self.heard
            if HOST in url and begins <= at < begins + DAY_S
        ]


@pytest.fixture
def admin() -> Admin:
    return Admin({
        NEWS: [answer(body=rss("기사 하나", host=HOST))], SPORTS: [answer(body=rss("체육 소식", host=HOST, first=50))],
        LIST: [answer(body=page("목록 기사", host=HOST, first=80))],
        ARTICLE: [answer(body=b"<time>2026-03-04T10:00</time>")], ROBOTS: [answer(404)],
        ELSEWHERE: [answer(body=rss("딴 곳 기사", host="elsewhere.example"))],
    })  # fmt: skip


@pytest.fixture
def hub(tmp_path: Path, admin: Admin) -> Hub:
    return Hub(tmp_path / "hub", admin, registry([NEWS, SPORTS, feed(LIST, kind="list"), ELSEWHERE]))


def copied_from_the_page(folder: Path, lang: str) -> str:
    """The first block for robots.txt that the policy page offers to copy."""
    sitefixture.fill(folder / "press.db")
    sitefixture.hub(folder)
    site.build(folder, folder / "site")
    path = "policy/index.html" if lang == "ko" else "en/policy/index.html"
    block = LexborHTMLParser((folder / "site" / path).read_bytes()).css_first("pre code.copy")
    assert block is not None
    return block.text()


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_P40_P43_P44_the_copied_block_stops_the_pages_for_good_and_the_feeds_go_on(
    lang: str, tmp_path: Path, hub: Hub, admin: Admin
) -> None:
    block = copied_from_the_page(tmp_path / "page", lang)
    hub.night(1)
    feeds, pages = ["/rss/news.xml", "/rss/sports.xml"], ["/list", "/news/articleView.html?idxno=80"]
    assert [path for path, _ in admin.log(1)] == [*feeds, "/robots.txt", *pages]
    admin.puts(ROBOTS, answer(body=block.encode(), headers={"Content-Type": "text/plain"}))
    for night in (2, 3, 4, 5):
        hub.night(night)
    changed_at_noon = FIRST_NIGHT + DAY_S / 2
    asked = [at for at in admin.times(LIST) if at > changed_at_noon + POLICY.robots_max_age_s]
    assert asked == [], "a day after the change, as the page says, the list is left alone"
    assert [path for path, _ in admin.log(3)] == [*feeds, "/robots.txt"]
    for night in (4, 5):
        assert [path for path, _ in admin.log(night)] == feeds, "not even robots.txt again"
    assert hub.breaches() == {}


def test_P31_P33_P36_too_many_requests_gives_the_server_its_two_hours_and_one_more_visit_of_the_rest(
    hub: Hub, admin: Admin
) -> None:
    admin.puts(NEWS, answer(429, headers={"Retry-After": "7200"}))
    hub.night(1)
    (first, *rest) = admin.log(1)
    assert first == ("/rss/news.xml", 0)
    assert [path for path, _ in rest] == ["/rss/sports.xml", "/robots.txt", "/list"]
    assert min(second for _, second in rest) >= 7_200, "nothing for any purpose until the time is over"
    assert admin.times(ELSEWHERE) == [FIRST_NIGHT], "other servers are asked meanwhile"
    admin.puts(NEWS, answer(body=rss("기사 하나", host=HOST)))
    hub.night(2)
    assert [path for path, _ in admin.log(2)][:2] == ["/rss/news.xml", "/rss/sports.xml"], "the next night is as ever"
    assert hub.breaches() == {}


def test_P36_a_second_no_in_one_night_sends_us_away_until_the_next(hub: Hub, admin: Admin) -> None:
    for url in (NEWS, SPORTS):
        admin.puts(url, answer(429, headers={"Retry-After": "600"}))
    hub.night(1)
    assert [path for path, _ in admin.log(1)] == ["/rss/news.xml", "/rss/sports.xml"]
    assert hub.breaches() == {}


def test_P60_who_asks_to_be_left_out_never_hears_from_us_again(hub: Hub, admin: Admin) -> None:
    hub.night(1)
    assert admin.log(1)
    asked = Exclusion(HOST, "host", "asked", date(2026, 3, 5), date(2026, 3, 5))
    hub.books = registry(list(hub.books.sources), Exclusions([asked]))
    for night in (2, 3, 4):
        hub.night(night)
        assert admin.log(night) == [], "no request at all, robots.txt included"
    assert len(admin.times(ELSEWHERE)) == 4
    assert hub.breaches() == {}
