"""Sentences of the politeness rules and of the data design that are easily broken at an edge, each on a small web."""

from __future__ import annotations

import dataclasses
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from crawl import urls
from crawl.exclusions import Exclusion, Exclusions
from crawl.night import Night
from crawl.policy import Policy
from crawl.registry import Registry
from crawl.robotsbook import Options
from crawl.store import Store
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, feed, page, registry, rss
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Answer
from tests.test_idle import FEED, FREE, HOST, LIST, ROBOTS, archive, article, asked, dated, hub, older, photo, rows
from tests.test_store import Killed

POLICY = Policy()
S = "https://s.example"
A, B = f"{S}/rss/a.xml", f"{S}/rss/b.xml"
SL, SL2, SROBOTS = f"{S}/list.html", f"{S}/list2.html", f"{S}/robots.txt"


def fine(host: str = "s.example", first: int = 1) -> Answer:
    return answer(body=rss("기사", host=host, first=first))


def slow(wait: str | None = None, status: int = 429) -> Answer:
    return answer(status, headers={} if wait is None else {"Retry-After": wait})


def lost(one: Hub) -> None:
    (one.state / "state.db").unlink()


def killed(one: Hub, at: float = FIRST_NIGHT) -> None:
    """A scheduled night that dies the moment the web raises Killed."""
    clock = VirtualClock(at)
    store = Store(one.data, one.state, one.books)
    with pytest.raises(Killed):
        Night(store, VirtualWorkers(one.web, clock, POLICY), clock, POLICY, one.books.exclusions,
              readers=one.readers).run()  # fmt: skip
    store.close()


class Deadly(Scripted):
    """Dies while an address is being asked for the first time."""

    deadly: str = ""
    turns: int = 1

    def answer(self, url, headers, now):  # type: ignore[no-untyped-def]
        given = Scripted.answer(self, url, headers, now)
        if url == self.deadly and len(self.times(url)) == self.turns:
            raise Killed
        return given


def with_recheck(one: Hub, day: str) -> None:
    """The operator writes a date into the recheck column of every list."""
    one.books = Registry(
        one.books.outlets,
        tuple(dataclasses.replace(s, recheck=day) if s.kind == "list" else s for s in one.books.sources),
        one.books.exclusions,
    )


# -- --now over midnight ---------------------------------------------------------------------------------------------


def test_P42_a_now_pass_over_midnight_tries_an_unreadable_robots_once(memory_path: Path) -> None:
    one = hub(memory_path, {ROBOTS: [answer(503, s=2)], LIST: [rows((1, "기사", "2026-03-04T09:00"))]})
    start = FIRST_NIGHT + DAY_S - 1
    one.night(at=start, now_pass=True, until=start + 120)
    assert len(one.web.times(ROBOTS)) == 1


def test_P21_a_now_pass_over_midnight_reads_a_long_delay_once(memory_path: Path) -> None:
    slow_robots = [answer(body=b"User-agent: *\nCrawl-delay: 11\n", s=2)]
    one = hub(memory_path, {ROBOTS: slow_robots, LIST: [rows((1, "기사", "2026-03-04T09:00"))]})
    start = FIRST_NIGHT + DAY_S - 1
    one.night(at=start, now_pass=True, until=start + 120)
    assert len(one.web.times(ROBOTS)) == 1


def test_P30_what_failed_after_midnight_in_a_now_pass_is_not_asked_again_that_night(memory_path: Path) -> None:
    one = Hub(
        memory_path, Scripted({A: [answer(body=rss("가", host="s.example"), s=20)], B: [answer(500)]}), registry([A, B])
    )
    one.night(at=FIRST_NIGHT + DAY_S - 5, now_pass=True)
    one.night(at=FIRST_NIGHT + DAY_S + 2 * 3600)
    assert len([at for at in one.web.times(B) if at >= FIRST_NIGHT + DAY_S]) == 1


# -- robots.txt ------------------------------------------------------------------------------------------------------


def test_P36_a_hop_that_slows_the_server_down_between_does_not_lose_the_lists_that_wait_for_robots(
    memory_path: Path,
) -> None:
    """Little room: the robots.txt of s.example is queued but not sent when a hop to s.example gets 429."""
    other, third = "https://other.example/rss.xml", "https://third.example/rss.xml"
    web = Scripted({
        SROBOTS: FREE, SL: [answer(body=page("가", host="s.example", first=1))],
        SL2: [answer(body=page("나", host="s.example", first=2))],
        other: [answer(301, headers={"Location": f"{S}/moved.xml"})], f"{S}/moved.xml": [slow("600")],
        third: [answer(body=rss("다", host="third.example"), s=10)],
    })  # fmt: skip
    books = registry([feed(SL, kind="list"), feed(SL2, kind="list"), other, third])
    one = Hub(memory_path, web, books)
    clock = VirtualClock(FIRST_NIGHT)
    with closing(Store(one.data, one.state, one.books)) as store:
        Night(store, VirtualWorkers(web, clock, POLICY, at_once=2), clock, POLICY, books.exclusions,
              readers=dataclasses.replace(one.readers, page=None)).run()  # fmt: skip
        store.publish()
    found = {
        str(u): f"{r} {w}"
        for u, r, w in one.read("SELECT s.url, l.result, l.reason FROM looks l JOIN sources s ON s.id = l.source")
    }
    assert found.get(SL) == "ok read"
    assert found.get(SL2) == "ok read", found


def test_P42_one_try_a_night_also_where_the_robots_redirect_could_not_be_followed(memory_path: Path) -> None:
    other = "https://other.example/rss.xml"
    web = Scripted({
        other: [slow("30000")], SROBOTS: [answer(302, headers={"Location": "https://other.example/robots.txt"}, s=1)],
        SL: [answer(body=page("가", host="s.example"))],
    })  # fmt: skip
    one = Hub(memory_path, web, registry([other, feed(SL, kind="list")]))
    one.night(1)
    one.night(at=FIRST_NIGHT + 3600)
    assert len(web.times(SROBOTS)) == 1


def test_P42_one_try_a_night_over_a_kill_in_the_middle_of_a_robots_read(memory_path: Path) -> None:
    web = Deadly({ROBOTS: FREE, LIST: [rows((1, "기사", "2026-03-04T09:00"))]})
    web.deadly = ROBOTS
    one = Hub(memory_path, web, registry([feed(LIST, kind="list")]))
    killed(one)
    one.night(at=FIRST_NIGHT + 60)
    assert one.breaches() == {}
    assert len(web.times(ROBOTS)) == 1


def test_P42_a_challenge_known_by_its_header_is_no_permission_after_a_restart(memory_path: Path) -> None:
    wall = answer(202, headers={"x-amzn-waf-action": "challenge", "Content-Type": "text/html"})
    one = hub(memory_path, {ROBOTS: [wall], LIST: [rows((1, "기사", "2026-03-04T09:00"))]})
    one.night(1)
    assert one.web.times(LIST) == []
    one.night(at=FIRST_NIGHT + 7200, now_pass=True)
    assert one.web.times(LIST) == []


def test_P31_retry_after_of_a_denied_robots_is_obeyed(memory_path: Path) -> None:
    one = hub(memory_path, {ROBOTS: [answer(403, headers={"Retry-After": "86400"}), *FREE],
                            LIST: [rows((1, "기사", "2026-03-04T09:00"))]})  # fmt: skip
    one.night(at=FIRST_NIGHT + 300)
    one.night(2)
    first, *rest = one.web.times(ROBOTS)
    assert all(at >= first + 0.5 + 86400 for at in rest)


def test_P32_a_slow_down_on_robots_counts_for_the_source_it_was_read_for(memory_path: Path) -> None:
    one = hub(
        memory_path, {ROBOTS: [slow("86400"), slow("86400"), *FREE], LIST: [rows((1, "기사", "2026-03-04T09:00"))]}
    )
    one.night(at=FIRST_NIGHT + 300)
    one.night(2)
    assert len(one.web.times(ROBOTS)) == 2
    one.night(3)
    assert len(one.web.times(ROBOTS)) == 2, "night 3 is too early and has no P36"


def test_P43_a_closed_source_stops_its_backfill(memory_path: Path) -> None:
    closed = [answer(body=b"User-agent: *\nAllow: /news/articleList.html?\nDisallow: /news/articleList.html\n")]
    one = hub(memory_path, archive(200) | {ROBOTS: [*FREE, *closed]})
    one.night(1)
    half = len(asked(one, "backfill"))
    for number in (2, 3, 4):
        one.night(number)
    assert one.read("SELECT reason FROM checks ORDER BY id DESC LIMIT 1") == [("closed_by_robots",)]
    assert len(asked(one, "backfill")) == half
    assert one.breaches() == {}


def test_P43_a_recheck_on_the_day_it_was_closed_lets_the_next_night_read_anew(memory_path: Path) -> None:
    closed = answer(body=b"User-agent: *\nDisallow: /\n")
    one = hub(memory_path, {ROBOTS: [closed, *FREE], LIST: [rows((1, "기사", "2026-03-04T09:00"))]})
    one.night(1)
    with_recheck(one, "2026-03-05")
    one.night(at=FIRST_NIGHT + 12 * 3600, now_pass=True)
    one.night(2)
    assert len(one.web.times(LIST)) == 1


def test_P43_a_recheck_is_not_used_up_by_a_night_that_put_the_source_off(memory_path: Path) -> None:
    closed = answer(body=b"User-agent: *\nDisallow: /news/articleList\n")
    one = hub(memory_path, {FEED: [fine("news.hanbit.ac.example"), slow("30000"), fine("news.hanbit.ac.example")],
                            ROBOTS: [closed, *FREE], LIST: [rows((7, "기사", "2026-03-04T09:00"))]})  # fmt: skip
    one.books = registry([FEED, feed(LIST, kind="list")])
    one.night(1)
    with_recheck(one, "2026-03-06")
    one.night(2)
    assert one.web.times(LIST) == []
    one.night(3)
    assert len(one.web.times(LIST)) == 1
    assert one.breaches() == {}


def test_P44_a_star_disallow_does_not_bind_feeds_and_is_no_breach_under_the_option(memory_path: Path) -> None:
    web = Scripted({SROBOTS: [answer(body=b"User-agent: *\nDisallow: /\n")], A: [fine()]})
    one = Hub(memory_path, web, registry([A]), options=Options(obey_named_group=True))
    one.night()
    assert len(web.times(A)) == 1
    assert one.breaches() == {}


# -- slow-downs ------------------------------------------------------------------------------------------------------


def test_P35_a_denial_page_that_looks_like_a_wall_keeps_its_retry_after(memory_path: Path) -> None:
    wall = b"<!doctype html><html><head><title>Access denied</title></head><body><p>You have been blocked</p></body></html>"
    given = answer(403, wall, headers={"Retry-After": "86400", "Content-Type": "text/html"})
    one = Hub(memory_path, Scripted({A: [given, fine()]}), registry([A]))
    one.night(at=FIRST_NIGHT + 300)
    one.night(2)
    one.night(3)
    assert one.web.times(A)[1] >= FIRST_NIGHT + 300.5 + 86400
    assert one.breaches() == {}


def test_P34_a_redirected_feeds_second_bare_429_is_its_own_affair(memory_path: Path) -> None:
    web = Scripted({A: [answer(301, headers={"Location": f"{S}/feed"})], f"{S}/feed": [slow()], B: [fine()]})
    one = Hub(memory_path, web, registry([A, B]))
    one.night(1)
    one.night(2)
    assert web.times(B)[1] < FIRST_NIGHT + DAY_S + 60, "the server's others go on"


# -- lost or older state ---------------------------------------------------------------------------------------------


def test_P31_a_backfill_pages_slow_down_outlives_a_lost_state(memory_path: Path) -> None:
    one = hub(memory_path, archive(3) | {older(2): [slow("86400")]})
    one.night(at=FIRST_NIGHT + 300)
    until = one.web.times(older(2))[0] + 0.5 + 86400
    lost(one)
    one.night(2)
    assert [at for at, _, _ in one.web.heard if FIRST_NIGHT + DAY_S <= at < until] == []


def test_P31_a_robots_slow_down_outlives_a_lost_state(memory_path: Path) -> None:
    one = hub(memory_path, {ROBOTS: [slow("86400"), *FREE], LIST: [rows((1, "기사", "2026-03-04T09:00"))]})
    one.night(at=FIRST_NIGHT + 300)
    lost(one)
    one.night(2)
    assert all(at >= FIRST_NIGHT + 300.5 + 86400 for at, _, _ in one.web.heard[1:])


def test_P37_losing_the_state_means_no_photo_check_for_7_days_and_no_backfill_for_30(memory_path: Path) -> None:
    answers = {
        LIST: [rows((2, "[포토] 둘", "2026-03-04T09:00"), next_page=2)],
        older(2): [rows((9, "지난 기사", "2026-02-01T09:00"))], article(2): [slow(), *photo()],
    }  # fmt: skip
    one = hub(memory_path, answers)
    one.night(1)
    lost(one)
    heard = len(one.web.heard)
    one.night(2)
    assert {url for _, url, _ in one.web.heard[heard:]} <= {LIST, ROBOTS}


def test_P45_a_stopped_backfill_stays_stopped_when_the_state_is_lost(memory_path: Path) -> None:
    one = hub(memory_path, archive(3) | {older(2): [answer(403)]})
    one.night(1)
    lost(one)
    one.night(2)
    assert len(one.web.times(older(2))) == 1


def test_P35_a_longer_rest_of_the_same_denial_is_written_for_the_public_record(memory_path: Path) -> None:
    one = Hub(
        memory_path, Scripted({A: [answer(403), answer(403, headers={"Retry-After": "86400"}), fine()]}), registry([A])
    )
    one.night(1)
    one.night(at=FIRST_NIGHT + DAY_S + 300)
    lost(one)
    one.night(3)
    assert all(at >= FIRST_NIGHT + DAY_S + 300.5 + 86400 for at in one.web.times(A)[2:])


def test_P32_a_third_long_rest_is_written_for_the_public_record(memory_path: Path) -> None:
    web = Scripted({A: [slow("3600"), slow("3600"), slow("86400"), fine()]})
    one = Hub(memory_path, web, registry([A]))
    for number in (1, 2):
        one.night(number)
    one.night(at=FIRST_NIGHT + 2 * DAY_S + 300 + 9000)
    assert len(web.times(A)) == 3
    lost(one)
    one.night(4)
    assert len(web.times(A)) == 3


def test_P32_the_second_long_rest_counts_as_the_second_when_the_state_was_lost_between(memory_path: Path) -> None:
    web = Scripted({A: [slow("86400"), slow("86400"), fine()]})
    one = Hub(memory_path, web, registry([A]))
    one.night(at=FIRST_NIGHT + 300)
    lost(one)
    one.night(2)
    assert len(web.times(A)) == 2
    one.night(3)
    assert len(web.times(A)) == 2, "night 3's run is too early and has no P36"


def test_D_a_refused_data_change_rewinds_the_backfill(memory_path: Path) -> None:
    one = hub(memory_path, archive(10) | {older(2): [answer(500), answer(500), answer(500), *archive(10)[older(2)]]})
    one.night(1, until=FIRST_NIGHT + 60)
    before = (one.data / "press.db").read_bytes()
    one.night(2)
    assert one.read("SELECT count(*) FROM articles WHERE via = 'backfill'") == [(10,)]
    (one.data / "press.db").write_bytes(before)
    for number in range(3, 40):
        one.night(number)
    assert one.read("SELECT count(*) FROM articles WHERE via = 'backfill'") == [(10,)]


def test_D_a_night_counts_nothing_of_one_whose_data_was_refused(memory_path: Path) -> None:
    one = Hub(
        memory_path,
        Scripted({A: [answer(body=rss(*"가나다"[:count], host="s.example")) for count in (1, 2, 3)]}),
        registry([A]),
    )
    one.night(1)
    before = (one.data / "press.db").read_bytes()
    one.night(2)
    (one.data / "press.db").write_bytes(before)
    one.night(3)
    assert one.read("SELECT day, requests, new_articles FROM nights") == [("2026-03-05", 1, 1), ("2026-03-07", 1, 2)]
    assert one.read("SELECT count(*) FROM request_log l JOIN nights n ON n.id = l.night AND n.day <> l.day") == [(0,)]
    assert one.breaches() == {}


def test_D_a_refused_data_change_does_not_lose_a_date_or_a_picture(memory_path: Path) -> None:
    one = hub(memory_path, {LIST: [rows((1, "기사", ""), (2, "[포토] 둘", ""))], article(1): [answer(500), *dated()],
                            article(2): [answer(500), *photo()]})  # fmt: skip
    one.night(1, until=FIRST_NIGHT + 8)
    before = (one.data / "press.db").read_bytes()
    one.night(2)
    assert one.read("SELECT count(*) FROM articles WHERE url = ? AND published IS NOT NULL", article(1)) == [(1,)]
    (one.data / "press.db").write_bytes(before)
    for number in range(3, 40):
        one.night(number)
    assert one.read("SELECT count(*) FROM articles WHERE url = ? AND published IS NOT NULL", article(1)) == [(1,)]


# -- pages -----------------------------------------------------------------------------------------------------------


def test_P11_date_pages_that_redirect_count_among_the_three(memory_path: Path) -> None:
    moved = {article(n): [answer(302, headers={"Location": f"{HOST}/v/{n}"})] for n in range(1, 8)}
    targets = {f"{HOST}/v/{n}": dated() for n in range(1, 8)}
    one = hub(memory_path, {LIST: [rows(*((n, f"기사 {n}", "") for n in range(7, 0, -1)))]} | moved | targets)
    one.night()
    assert one.breaches() == {}
    assert len([1 for _, url in asked(one, "date") if url.startswith(f"{HOST}/news/")]) == 3


def test_P20_P21_a_crawl_delay_holds_over_the_border_of_two_runs(memory_path: Path) -> None:
    one = hub(memory_path, {ROBOTS: [answer(body=b"User-agent: *\nCrawl-delay: 8\n")], FEED: [fine("news.hanbit.ac.example", 50)],
                            LIST: [rows((1, "기사", "2026-03-04T09:00"))]})  # fmt: skip
    one.night()
    (ended,) = (float(str(row[0])) for row in one.read("SELECT max(ended) FROM request_log"))
    one.books = registry([feed(LIST, kind="list"), FEED])
    one.night(at=ended + 1, now_pass=True)
    assert one.web.times(FEED)[0] >= ended + 8
    assert one.breaches() == {}


def test_P22_robots_redirects_of_backfill_stay_within_120(memory_path: Path) -> None:
    far = "https://archive.example"
    answers = archive(116)
    last = older(117)
    answers[last] = [answer(body=(
        f'<!doctype html><html><body><ul><li><a href="{article(5000)}">지난 기사</a> <time>2026-02-01T09:00</time></li></ul>'
        f'<a rel="next" href="{far}/list?page=9">다음</a></body></html>').encode())]  # fmt: skip
    answers |= {
        f"{far}/robots.txt": [answer(301, headers={"Location": f"{far}/r1"})],
        f"{far}/r1": [answer(301, headers={"Location": f"{far}/r2"})],
        f"{far}/r2": [answer(301, headers={"Location": f"{far}/r3"})],
        f"{far}/r3": FREE, f"{far}/list?page=9": [rows((6000, "더 지난 기사", "2026-02-01T09:00"))],
    }  # fmt: skip
    one = hub(memory_path, answers)
    one.night()
    assert len(one.web.times(f"{far}/robots.txt")) <= 1
    assert len(one.web.heard) <= POLICY.backfill_per_day


def test_P22_nothing_older_than_three_years_also_where_only_the_page_shows_the_date(memory_path: Path) -> None:
    one = hub(memory_path, {LIST: [rows((9, "새 기사", "2026-03-04T09:00"), next_page=2)],
                            older(2): [rows((1, "옛 기사", ""))], article(1): dated("2015-05-01T10:00")})  # fmt: skip
    for number in (1, 2):
        one.night(number)
    assert one.breaches() == {}
    assert one.read("SELECT title FROM articles WHERE url <> ''") == [("새 기사",)]
    one.web.answers[LIST] = [rows((10, "더 새 기사", "2026-03-06T09:00"))]
    one.night(3)
    assert one.read("SELECT id FROM articles WHERE title = '더 새 기사'") == [(3,)], (
        "a number is never given away twice"
    )


def test_S31_a_kill_in_the_middle_of_a_page_is_one_of_its_three_tries(memory_path: Path) -> None:
    web = Deadly({ROBOTS: FREE, LIST: [rows((9, "[포토] 첫눈", "2026-03-04T09:00"))], article(9): [answer(500)]})
    web.deadly, web.turns = article(9), 2
    one = Hub(memory_path, web, registry([feed(LIST, kind="list")]))
    killed(one)
    one.night(at=FIRST_NIGHT + 400, until=FIRST_NIGHT + 3000)
    assert len(web.times(article(9))) <= 3


def test_P45_the_second_stop_in_a_row_of_an_outlet_lasts_14_days_whichever_list_met_it(memory_path: Path) -> None:
    other = f"{HOST}/news/photoList.html"
    answers = archive(3) | {older(2): [answer(403), answer(500)]}
    second = page("사진", first=500).replace(b"</ul>", f'</ul><a rel="next" href="{other}?page=2">n</a>'.encode())
    answers |= {other: [answer(body=second)], f"{other}?page=2": [answer(403)]}
    one = hub(memory_path, answers)
    one.books = registry([feed(LIST, kind="list"), feed(other, kind="list")])
    one.readers = dataclasses.replace(one.readers, page=None)
    for number in range(1, 40):
        one.night(number)
    rests = one.read("SELECT round((until - since) / 86400.0) FROM rests WHERE rule = 'P45' ORDER BY id")
    assert [row[0] for row in rests[:3]] == [7, 14, 30]
    assert one.breaches() == {}


def test_lossless_backfill_goes_on_when_the_first_older_page_is_known_from_the_feed(memory_path: Path) -> None:
    one = hub(memory_path, {
        FEED: [answer(body=rss("하나", "둘", "셋", "넷"))],
        LIST: [rows((4, "넷", "2026-03-04T09:00"), (3, "셋", "2026-03-04T08:00"), next_page=2)],
        older(2): [rows((2, "둘", "2026-03-03T09:00"), (1, "하나", "2026-03-03T08:00"), next_page=3)],
        older(3): [rows((900, "지난 기사", "2026-02-01T09:00"))],
    })  # fmt: skip
    one.books = registry([FEED, feed(LIST, kind="list")])
    for number in (1, 2, 3):
        one.night(number)
    assert one.read("SELECT count(*) FROM articles WHERE title = '지난 기사'") == [(1,)]


def test_lossless_backfill_goes_on_when_new_articles_pushed_a_whole_page_down(memory_path: Path) -> None:
    """Between two nights two new articles push the pages of two on by one: the next page shows what was read already."""

    def listing(newest: int, number: int) -> Answer:
        top = newest - 2 * (number - 1)
        found = [(n, f"기사 {n}", "2026-02-01T09:00") for n in (top, top - 1) if n > 0]
        return rows(*found, next_page=number + 1 if top > 2 else None)

    first, later = 20, 22
    web = {LIST: [listing(first, 1), listing(later, 1)]}
    web |= {older(n): [listing(first, n) if n <= 5 else listing(later, n)] for n in range(2, 13)}
    one = hub(memory_path, web)
    one.night(1, until=FIRST_NIGHT + 8.5 + 4 * 5.5)
    read = len(asked(one, "backfill"))
    assert read == 4
    for number in (2, 3, 4):
        one.night(number)
    assert one.read("SELECT count(*) FROM articles") == [(22,)]


def test_lossless_an_older_page_that_cannot_be_read_once_does_not_end_the_archive(memory_path: Path) -> None:
    one = hub(
        memory_path,
        archive(5) | {older(3): [answer(body=b"<html><body>DB error</body></html>"), *archive(5)[older(3)]]},
    )
    for number in range(1, 40):
        one.night(number)
    assert one.read("SELECT count(*) FROM articles WHERE via = 'backfill'") == [(5,)]


# -- leaving ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("private", [True, False])
def test_P60_an_article_excluded_by_its_database_key_is_not_asked_for_its_photo(
    private: bool, memory_path: Path
) -> None:
    shown = f"{HOST}/news/articleView.html?idxno=2&page=1"
    item = f'<li><a href="{shown.replace("&", "&amp;") if False else shown}">[포토] 둘</a> <time>2026-03-04T09:00</time></li>'
    one = hub(memory_path, {LIST: [answer(body=f"<html><body><ul>{item}</ul></body></html>".encode())], shown: photo()})
    one.night(1, until=FIRST_NIGHT + 5)
    assert one.read("SELECT count(*) FROM articles") == [(1,)]
    assert one.web.times(shown) == []
    key = urls.key(shown, "ndsoft").hex() if private else f"{HOST}/news/articleView.html?idxno=2"
    row = Exclusion(key, "url", "asked", None, date(2026, 3, 5))
    one.books = Registry(one.books.outlets, one.books.sources, Exclusions([row]))
    one.night(2)
    assert one.web.times(shown) == []


def test_P60_what_an_excluded_byline_publishes_is_not_collected(memory_path: Path) -> None:
    from crawl.exclusions import byline_key

    body = rss("기사", host="s.example").replace(b"</item>", b"<author>Kim</author></item>")
    row = Exclusion("s:" + byline_key("s", "Kim"), "byline", "asked", None, date(2026, 3, 1))
    one = Hub(memory_path, Scripted({A: [answer(body=body)]}), registry([A], Exclusions([row])))
    one.night()
    assert one.read("SELECT count(*) FROM articles WHERE byline = 'Kim'") == [(0,)]


@pytest.mark.parametrize("private", [True, False])
def test_P60_the_database_key_of_a_system_binds_photo_checks(private: bool, memory_path: Path) -> None:
    shown = f"{HOST}/articleView.html?idxno=2&page=7"
    assert urls.key(shown, "ndsoft") != urls.key(shown, "")
    item = f'<li><a href="{shown}">[포토] 둘</a> <time>2026-03-04T09:00</time></li>'
    one = hub(memory_path, {LIST: [answer(body=f"<html><body><ul>{item}</ul></body></html>".encode())], shown: photo()})
    one.books = registry([feed(LIST, kind="list", cms="ndsoft")])
    one.night(1, until=FIRST_NIGHT + 5)
    assert one.read("SELECT count(*) FROM articles") == [(1,)]
    assert one.web.times(shown) == []
    key = urls.key(shown, "ndsoft").hex() if private else f"{HOST}/news/articleView.html?idxno=2"
    row = Exclusion(key, "url", "asked", None, date(2026, 3, 5))
    one.books = Registry(one.books.outlets, one.books.sources, Exclusions([row]))
    one.night(2)
    assert one.web.times(shown) == []


def test_P37_a_robots_read_for_a_photo_rests_photos_a_week_and_its_looks_until_R(memory_path: Path) -> None:
    other = "https://pics.example/articleView.html?idxno=1"
    item = f'<li><a href="{other}">[포토] 둘</a> <time>2026-03-04T09:00</time></li>'
    one = hub(memory_path, {LIST: [answer(body=f"<html><body><ul>{item}</ul></body></html>".encode())], other: photo(),
                            "https://pics.example/robots.txt": [slow("60"), *FREE]})  # fmt: skip
    for number in range(1, 8):
        one.night(number)
    rests = {(str(w), float(str(u)) - float(str(s))) for w, s, u in one.read("SELECT what, since, until FROM rests")}
    assert rests == {("photo", POLICY.photo_rest_s), ("looks", 3600.0), ("backfill", 3600.0)}
    assert len(one.web.times("https://pics.example/robots.txt")) == 1
    one.night(9)
    assert len(one.web.times(other)) == 1
    assert one.breaches() == {}


def test_P36_robots_slow_down_and_a_feeds_are_two_sources(memory_path: Path) -> None:
    c, d = f"{S}/rss/c.xml", f"{S}/rss/d.xml"
    web = Scripted(
        {
            SROBOTS: [slow("600")],
            SL: [answer(body=page("가", host="s.example"))],
            A: [slow("600")],
            c: [fine()],
            d: [fine()],
        }
    )
    one = Hub(memory_path, web, registry([feed(SL, kind="list"), A, c, d]))
    one.night()
    assert len(web.times(A)) == 1
    assert web.times(c) == web.times(d) == web.times(SL) == []
    assert one.breaches() == {}


def test_S30_a_redirected_feed_gets_one_unconditional_look_every_14th_night(memory_path: Path) -> None:
    body = answer(body=rss("기사", host="s.example"), headers={"ETag": '"v1"'})
    web = Scripted(
        {
            A: [answer(301, headers={"Location": f"{S}/feed"})],
            f"{S}/feed": [body, *[answer(304)] * 13, body, answer(304)],
        }
    )
    one = Hub(memory_path, web, registry([A]))
    for number in range(1, 30):
        one.night(number)
    sent = ["If-None-Match" in h for _, u, h in web.heard if u.endswith("/feed")]
    assert sent.index(False, 1) <= 14
    assert not any("If-None-Match" in h for _, u, h in web.heard if u == A)
    assert one.breaches() == {}


def test_P36_a_third_feed_is_next_day_also_for_a_later_run_of_that_day(memory_path: Path) -> None:
    c = f"{S}/rss/c.xml"
    web = Scripted({A: [slow("600"), fine()], B: [slow("600"), fine()], c: [fine()]})
    one = Hub(memory_path, web, registry([A, B, c]))
    one.night()
    one.night(at=FIRST_NIGHT + 2 * 3600)
    one.night(at=FIRST_NIGHT + 12 * 3600, now_pass=True)
    assert web.times(c) == []
    one.night(2)
    assert len(web.times(c)) == 1
    assert one.breaches() == {}


def test_P43_date_and_photo_pages_of_a_closed_source_are_not_asked(memory_path: Path) -> None:
    closed = answer(body=b"User-agent: *\nDisallow: /news/articleList\n")
    one = hub(memory_path, {ROBOTS: [*FREE, closed], LIST: [rows(*((n, f"기사 {n}", "") for n in range(15, 0, -1)))]}
              | {article(n): dated() for n in range(1, 16)})  # fmt: skip
    for number in (1, 2, 3, 4):
        one.night(number)
    assert one.read("SELECT reason FROM checks ORDER BY id DESC LIMIT 1") == [("closed_by_robots",)]
    assert one.breaches() == {}


def test_P22_a_later_run_that_day_has_no_new_budget(memory_path: Path) -> None:
    one = hub(memory_path, archive(300))
    one.night(1)
    one.books = registry([feed(LIST, kind="list"), FEED])
    one.web.answers[FEED] = [fine("news.hanbit.ac.example")]
    one.night(at=FIRST_NIGHT + 4 * 3600)
    assert len(asked(one, "backfill")) == 118
    assert one.breaches() == {}


def test_P32_a_restart_of_the_same_night_after_the_margin_keeps_the_run_rule(memory_path: Path) -> None:
    web = Scripted({A: [slow("3600"), slow("3600"), fine()]})
    one = Hub(memory_path, web, registry([A]))
    one.night(1)
    one.night(2)
    one.night(at=FIRST_NIGHT + DAY_S + 3 * 3600)
    assert len(web.times(A)) == 2, "never a second time the same night"
    one.night(3)
    assert len(web.times(A)) == 3


def test_P50_a_hop_to_a_resting_server_is_not_followed(memory_path: Path) -> None:
    other = "https://other.example/rss.xml"
    web = Scripted({other: [slow("30000")], A: [answer(302, headers={"Location": "https://other.example/a.xml"})]})
    one = Hub(memory_path, web, registry([other, A]))
    one.night()
    assert len(web.heard) == 2
    assert one.breaches() == {}


def test_control_P60_the_photo_would_be_asked_without_an_exclusion(memory_path: Path) -> None:
    shown = f"{HOST}/news/articleView.html?idxno=2&page=1"
    item = f'<li><a href="{shown}">[포토] 둘</a> <time>2026-03-04T09:00</time></li>'
    one = hub(memory_path, {LIST: [answer(body=f"<html><body><ul>{item}</ul></body></html>".encode())], shown: photo()})
    one.night(1, until=FIRST_NIGHT + 5)
    one.night(2)
    assert len(one.web.times(shown)) == 1


def test_P31_a_page_denied_with_retry_after_is_not_asked_before_its_end(memory_path: Path) -> None:
    one = hub(memory_path, {LIST: [rows((9, "[포토] 첫눈", "2026-03-04T09:00"))],
                            article(9): [answer(403, headers={"Retry-After": "86400"}), *photo()]})  # fmt: skip
    one.night(at=FIRST_NIGHT + 300)
    one.night(2)
    first, *later = one.web.times(article(9))
    assert all(at >= first + 0.5 + 86400 for at in later)


def test_P31_a_hops_slow_down_rests_the_server_that_said_it_also_when_the_state_is_lost(memory_path: Path) -> None:
    c = "https://t.example/c.xml"
    web = Scripted({c: [fine("t.example")], A: [answer(302, headers={"Location": "https://t.example/a.xml"})],
                    "https://t.example/a.xml": [slow("86400"), fine()]})  # fmt: skip
    one = Hub(memory_path, web, registry([c, A]))
    one.night(at=FIRST_NIGHT + 300)
    said = web.times("https://t.example/a.xml")[0] + 0.5
    lost(one)
    one.night(2)
    assert all(at >= said + 86400 for at in web.times(c)[1:])


def test_P37_the_rest_of_looks_after_a_photos_slow_down_outlives_a_lost_state(memory_path: Path) -> None:
    one = hub(memory_path, {LIST: [rows((9, "[포토] 첫눈", "2026-03-04T09:00"))], article(9): [slow("86400")]})
    one.night(at=FIRST_NIGHT + 300)
    said = one.web.times(article(9))[0] + 0.5
    lost(one)
    one.night(2)
    assert all(at >= said + 86400 for at in one.web.times(LIST)[1:])


def salvaged(one: Hub) -> None:
    """Another change of the press files was merged while the broken-off night's work database lay there."""
    import sqlite3

    with closing(sqlite3.connect(one.data / "press.db", isolation_level=None)) as db:
        db.execute("UPDATE outlets SET note = 'mended by hand'")


def test_S31_P45_a_rescued_night_remembers_gone_pages_and_stops(memory_path: Path) -> None:
    web = Deadly({ROBOTS: FREE, LIST: [rows((9, "[포토] 첫눈", "2026-03-04T09:00"), (8, "[포토] 둘", "2026-03-04T08:00"))],
                  article(9): [answer(404)], article(8): photo()})  # fmt: skip
    web.deadly = article(8)
    one = Hub(memory_path, web, registry([feed(LIST, kind="list")]))
    killed(one)
    salvaged(one)
    one.night(2)
    assert len(web.times(article(9))) == 1
    assert one.breaches() == {}


def test_P42_a_rescued_night_remembers_an_unreadable_robots(memory_path: Path) -> None:
    slow_feed = "https://other.example/rss.xml"
    web = Deadly({ROBOTS: [answer(503)], LIST: [rows((9, "기사", "2026-03-04T09:00"))], FEED: [fine("news.hanbit.ac.example")],
                  slow_feed: [fine("other.example")]})  # fmt: skip
    web.deadly = FEED
    one = Hub(memory_path, web, registry([feed(LIST, kind="list"), FEED, slow_feed]))
    killed(one)
    salvaged(one)
    one.night(at=FIRST_NIGHT + 600)
    assert len(web.times(ROBOTS)) == 1
    one.night(2)
    assert len(web.times(LIST)) == 0
    assert len(web.times(slow_feed)) >= 1


def test_P33_a_rescued_nights_rests_and_looks_stay_with_their_own_sources(memory_path: Path) -> None:
    """The merged change put a new source first; the numbers in the rescued log must still mean the same sources."""
    web = Deadly({A: [answer(500)], B: [fine()], "https://x.example/1.xml": [fine("x.example")]})
    web.deadly = B
    one = Hub(memory_path, web, registry([A, B]))
    killed(one)
    (one.data / "press.db").unlink()
    one.books = registry(["https://x.example/1.xml", A, B])
    one.night(at=FIRST_NIGHT + 3 * 3600)
    assert len(web.times(A)) == 1
    assert len(web.times(B)) == 1


def test_P11_P10_date_pages_of_a_now_pass_over_midnight_count_for_the_new_day(memory_path: Path) -> None:
    one = hub(memory_path, {LIST: [rows(*((n, f"기사 {n}", "") for n in range(7, 0, -1)))]}
              | {article(n): dated() for n in range(1, 8)})  # fmt: skip
    one.night(at=FIRST_NIGHT + DAY_S - 7, now_pass=True)
    one.night(at=FIRST_NIGHT + DAY_S + 7200)
    new_day = [at for at, _ in asked(one, "date") if at >= FIRST_NIGHT + DAY_S]
    assert len(new_day) <= 3


def test_P36_after_a_restart_a_put_off_source_still_gets_its_one_second_look(memory_path: Path) -> None:
    web = Deadly({A: [slow("600")], B: [fine()], "https://x.example/1.xml": [answer(302, headers={"Location": "https://x.example/2.xml"})],
                  "https://x.example/2.xml": [fine("x.example")]})  # fmt: skip
    web.deadly = "https://x.example/2.xml"
    one = Hub(memory_path, web, registry([A, B, "https://x.example/1.xml"]))
    killed(one)
    one.night(at=FIRST_NIGHT + 60)
    assert [round(at - FIRST_NIGHT) for at in web.times(B)] in ([600], [601])
    assert one.breaches() == {}


def test_P50_a_kill_in_the_middle_of_a_chain_asks_nothing_of_the_chain_again(memory_path: Path) -> None:
    web = Deadly({A: [answer(302, headers={"Location": f"{S}/one"})], f"{S}/one": [answer(302, headers={"Location": f"{S}/two"})],
                  f"{S}/two": [fine()]})  # fmt: skip
    web.deadly = f"{S}/one"
    one = Hub(memory_path, web, registry([A]))
    killed(one)
    one.night(at=FIRST_NIGHT + 60)
    assert len(web.heard) == 2
    assert one.breaches() == {}
    one.night(2)
    assert len(web.times(f"{S}/two")) == 1


def test_P50_the_last_hop_may_start_at_05_59_30_and_no_later(memory_path: Path) -> None:
    for late, hops in ((0.0, 1), (0.1, 0)):
        web = Scripted({A: [answer(302, headers={"Location": f"{S}/one"})], f"{S}/one": [fine()]})
        one = Hub(memory_path / str(hops), web, registry([A]))
        one.night(at=FIRST_NIGHT + POLICY.night_last_start_s - 3.5 + late)
        assert len(web.times(f"{S}/one")) == hops
        assert one.breaches() == {}


@pytest.mark.parametrize(("delay", "looks"), [("10", 1), ("10.0", 1), ("10.5", 0)])
def test_P21_ten_seconds_is_kept_and_more_is_refused_and_read_nightly(
    delay: str, looks: int, memory_path: Path
) -> None:
    one = hub(memory_path, {ROBOTS: [answer(body=f"User-agent: *\nCrawl-delay: {delay}\n".encode())],
                            LIST: [rows((1, "기사", "2026-03-04T09:00"))]})  # fmt: skip
    one.night(1)
    one.night(2)
    assert len(one.web.times(LIST)) == 2 * looks
    assert len(one.web.times(ROBOTS)) == 2 - looks, (
        "a copy of 86,399.5 s is still good; above 10 s it is read every night"
    )
    assert one.breaches() == {}


def test_P36_nothing_gets_stuck_behind_a_refused_robots_and_the_idle_hours_come(memory_path: Path) -> None:
    """As above, seen from elsewhere: one stuck look keeps every server's backfill from beginning (P10)."""
    other, third = "https://other.example/rss.xml", "https://third.example/rss.xml"
    web = Scripted({
        SROBOTS: FREE, SL: [answer(body=page("가", host="s.example", first=1))],
        SL2: [answer(body=page("나", host="s.example", first=2))],
        other: [answer(301, headers={"Location": f"{S}/moved.xml"})], f"{S}/moved.xml": [slow("600")],
        third: [answer(body=rss("다", host="third.example"), s=10)],
        ROBOTS: FREE, **archive(116),
    })  # fmt: skip
    books = registry([feed(SL, kind="list"), feed(SL2, kind="list"), other, third, feed(LIST, kind="list")])
    one = Hub(memory_path, web, books)
    clock = VirtualClock(FIRST_NIGHT)
    with closing(Store(one.data, one.state, one.books)) as store:
        Night(store, VirtualWorkers(web, clock, POLICY, at_once=2), clock, POLICY, books.exclusions,
              readers=dataclasses.replace(one.readers, page=None)).run()  # fmt: skip
        store.publish()
    assert len(web.times(older(117))) == 1


def test_S31_three_tries_hold_over_nights_and_restarts(memory_path: Path) -> None:
    one = hub(memory_path, {LIST: [rows((9, "[포토] 첫눈", "2026-03-04T09:00"))], article(9): [answer(500)]})
    one.night(1, until=FIRST_NIGHT + 70)
    one.night(at=FIRST_NIGHT + 80, until=FIRST_NIGHT + 400)
    one.night(at=FIRST_NIGHT + 1000, until=FIRST_NIGHT + 1100)
    one.night(2, until=FIRST_NIGHT + DAY_S + 1000)
    assert one.breaches() == {}


def test_S30_excluded_and_lifted_entries_come_back(memory_path: Path) -> None:
    row = Exclusion(f"{S}/news/articleView.html?idxno=1", "url", "asked", None, date(2026, 3, 1))
    web = Scripted({A: [answer(body=rss("기사", host="s.example"), headers={"ETag": '"1"'})]})
    one = Hub(memory_path, web, registry([A], Exclusions([row])))
    one.night(1)
    one.books = registry([A])
    for number in range(2, 20):
        one.night(number)
    assert one.read("SELECT count(*) FROM articles") == [(1,)]


def test_P37_rests_of_a_photos_robots_under_P36(memory_path: Path) -> None:
    """A photo's 429 with Retry-After while a list of the same server is still put off elsewhere (P36 for it)."""
    f2 = f"{HOST}/rss/second.xml"
    one = hub(memory_path, {FEED: [slow("600"), fine("news.hanbit.ac.example")], f2: [fine("news.hanbit.ac.example", 50)],
                            LIST: [rows((9, "[포토] 첫눈", "2026-03-04T09:00"))],
                            article(9): [slow("60"), *photo()]})  # fmt: skip
    one.books = registry([feed(LIST, kind="list"), FEED, f2])
    one.night(1)
    assert len(one.web.times(f2)) == 1
    assert one.breaches() == {}


def test_P45_success_resets_also_when_it_came_by_another_page(memory_path: Path) -> None:
    one = hub(memory_path, archive(4) | {older(2): [answer(403), *archive(4)[older(2)]], older(3): [answer(403)]})
    for number in range(1, 20):
        one.night(number)
    rests = one.read("SELECT round((until - since) / 86400.0) FROM rests WHERE rule = 'P45' ORDER BY id")
    assert [row[0] for row in rests[:2]] == [7, 7]
    assert one.breaches() == {}


def test_P43_recheck_second_time_and_future_day(memory_path: Path) -> None:
    closed = answer(body=b"User-agent: *\nDisallow: /\n")
    one = hub(memory_path, {ROBOTS: [closed], LIST: [rows((1, "기사", "2026-03-04T09:00"))]})
    one.night(1)
    with_recheck(one, "2026-03-08")
    for number in (2, 3, 4, 5, 6):
        one.night(number)
    with_recheck(one, "2026-03-12")
    for number in (7, 8, 9):
        one.night(number)
    assert [int((at - FIRST_NIGHT) // DAY_S) + 1 for at in one.web.times(ROBOTS)] == [1, 4, 8]
    assert one.breaches() == {}


def test_P43_a_recheck_that_met_an_unreadable_robots_does_not_reopen_the_source_for_ever(memory_path: Path) -> None:
    closed = answer(body=b"User-agent: *\nDisallow: /\n")
    one = hub(memory_path, {ROBOTS: [closed, answer(503)], LIST: [rows((1, "기사", "2026-03-04T09:00"))]})
    one.night(1)
    with_recheck(one, "2026-03-06")
    for number in range(2, 8):
        one.night(number)
    assert len(one.web.times(ROBOTS)) == 2


def test_P10_a_second_look_goes_before_backfill_of_its_server(memory_path: Path) -> None:
    one = hub(memory_path, archive(80) | {FEED: [slow("60")], f"{HOST}/b.xml": [fine("news.hanbit.ac.example", 300)]})
    one.books = registry([feed(LIST, kind="list"), FEED, f"{HOST}/b.xml"])
    one.night(1)
    (second,) = one.web.times(f"{HOST}/b.xml")
    assert all(at > second for at, _ in asked(one, "backfill"))
    assert one.breaches() == {}


def test_P50_a_robots_redirect_is_not_asked_for_again_on_restart_in_its_middle(memory_path: Path) -> None:
    web = Deadly({ROBOTS: [answer(301, headers={"Location": f"{HOST}/r2"})], f"{HOST}/r2": FREE,
                  LIST: [rows((1, "기사", "2026-03-04T09:00"))]})  # fmt: skip
    web.deadly = f"{HOST}/r2"
    one = Hub(memory_path, web, registry([feed(LIST, kind="list")]))
    killed(one)
    one.night(at=FIRST_NIGHT + 60)
    assert len(web.times(ROBOTS)) == 1


def test_S31_a_page_is_read_once_also_when_its_link_is_spelled_anew(memory_path: Path) -> None:
    def shown(night: int) -> str:
        return f"{article(1)}&page={night}"

    lists = [answer(body=f'<ul><li><a href="{shown(n)}">[포토] 첫눈</a> <time>2026-03-04T09:00</time></li></ul>'.encode())
             for n in range(1, 5)]  # fmt: skip
    nothing = {shown(n): [answer(body=b"<html><body>no picture</body></html>")] for n in range(1, 5)}
    one = hub(memory_path, {LIST: lists} | nothing)
    for number in range(1, 5):
        one.night(number)
    assert one.read("SELECT count(*) FROM articles") == [(1,)]
    assert len(asked(one, "photo")) == 1
