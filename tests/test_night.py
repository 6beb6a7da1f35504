"""Whole nights on virtual time: what is stored, what is named, what is asked again and when."""

from __future__ import annotations

import json
import zlib
from datetime import datetime
from pathlib import Path

import pytest

from crawl.model import Source
from crawl.policy import Policy
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, feed, registry, rss
from tests.sim.web import Answer

A = "https://news.hanbit.ac.example/rss/allArticle.xml"
B = "https://news.hanbit.ac.example/rss/S1N1.xml"
C = "http://saebom.example/rss.xml"
POLICY = Policy()


def hub(root: Path, answers: dict[str, list[Answer]], sources: list[str | Source] | None = None) -> Hub:
    return Hub(root, Scripted(dict(answers)), registry(sources if sources is not None else list(answers)))


def outcomes(one: Hub) -> dict[str, tuple[object, ...]]:
    rows = one.read(
        """SELECT s.url, l.result, l.reason, l.new FROM looks l JOIN sources s ON s.id = l.source
           WHERE l.night = (SELECT max(id) FROM nights) ORDER BY l.id"""
    )
    return {str(row[0]): row[1:] for row in rows}


def titles(one: Hub) -> list[str]:
    return [str(row[0]) for row in one.read("SELECT title FROM articles ORDER BY id")]


def test_a_night_stores_what_the_feeds_show_with_korean_dates_and_the_link_as_published(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("총학생회 선거 시작", "기숙사 난방 시간 조정", date="2026.03.04 14:30"))]})
    one.night()
    assert outcomes(one) == {A: ("ok", "read", 2)}
    assert one.read("SELECT title, url, published, precision, date_from, published_raw FROM articles ORDER BY id LIMIT 1") == [
        ("총학생회 선거 시작", "https://news.hanbit.ac.example/news/articleView.html?idxno=1", int(FIRST_NIGHT - 9.5 * 3600),
         "minute", "feed_kst", "2026.03.04 14:30")
    ]  # fmt: skip


def test_a_second_night_sends_the_validators_back_and_304_changes_no_article(tmp_path: Path) -> None:
    first = answer(body=rss("총학생회 선거 시작"), headers={"ETag": 'W/"a--gzip"', "Last-Modified": "yesterday, 14h "})
    one = hub(tmp_path, {A: [first, answer(304)]})
    one.night(1)
    before = one.dump("articles")
    one.night(2)
    sent = one.web.heard[-1][2]
    assert (sent["If-None-Match"], sent["If-Modified-Since"]) == ('W/"a--gzip"', "yesterday, 14h ")
    assert outcomes(one) == {A: ("not_modified", "http_304", 0)}
    assert one.dump("articles") == before


def test_an_unchanged_body_behind_a_200_is_not_parsed_again(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("총학생회 선거 시작"))]})
    one.night(1)
    before = one.dump("articles")
    one.night(2)
    assert outcomes(one) == {A: ("unchanged", "same_body", 0)}
    assert one.dump("articles") == before


def test_validators_of_a_body_that_could_not_be_parsed_are_never_sent(tmp_path: Path) -> None:
    broken = answer(body=b"<html><body>Error</body></html>", headers={"ETag": '"html"'})
    one = hub(tmp_path, {A: [broken, broken]})
    one.night(1)
    one.night(2)
    assert "If-None-Match" not in one.web.heard[-1][2]


def test_S30_every_fourteenth_night_asks_unconditionally(tmp_path: Path) -> None:
    one = hub(
        tmp_path,
        {A: [answer(body=rss("기사"), headers={"ETag": '"v"'}), *[answer(304)] * 13, answer(body=rss("새 기사"))]},
    )
    for number in range(1, 16):
        one.night(number)
    conditional = ["If-None-Match" in headers for _, _, headers in one.web.heard]
    assert conditional == [False] + [True] * 13 + [False]


def test_an_edited_title_is_updated_and_its_earlier_form_kept(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("총학생회 선거 시작")), answer(body=rss("총학생회 선거 개표"))]})
    one.night(1)
    one.night(2)
    assert titles(one) == ["총학생회 선거 개표"]
    assert one.read("SELECT field, old FROM revisions WHERE field = 'title'") == [("title", "총학생회 선거 시작")]
    assert outcomes(one) == {A: ("ok", "read", 0)}


def test_the_same_article_in_two_feeds_of_an_outlet_is_stored_once(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사 하나"))], B: [answer(body=rss("기사 하나"))]})
    one.night()
    assert titles(one) == ["기사 하나"]


BAD: dict[str, tuple[Answer, str]] = {
    "html": (answer(body=b"<!doctype html><html><head><title>x</title></head><body>hi</body></html>"), "html_not_feed"),
    "empty": (answer(body=b""), "empty_body"),
    "9 MiB": (answer(body=b"<rss>" + b" " * (9 * 1024 * 1024)), "too_large"),
    "drip": (answer(body=rss("끝없는 답"), s=100_000), "timeout"),
    "reset": (answer(0, error="reset"), "reset"),
    "dead": (answer(0, error="refused_connection"), "refused_connection"),
    "500": (answer(500), "http_500"),
    "404": (answer(404), "http_404"),
    "204": (answer(204), "http_204"),
    "unasked 304": (answer(304), "not_modified_unasked"),
    "no target": (answer(302), "redirect_without_target"),
    "a script as target": (answer(301, headers={"Location": "javascript:alert(1)"}), "redirect_target_refused"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_becomes_a_named_result_and_the_night_goes_on(kind: str, tmp_path: Path) -> None:
    bad, reason = BAD[kind]
    one = hub(
        tmp_path,
        {A: [answer(body=rss("먼저 있던 기사")), bad], C: [answer(body=rss("다른 매체", host="saebom.example"))]},
    )
    one.night(1)
    one.night(2)
    assert outcomes(one)[A][:2] == ("failed", reason)
    assert outcomes(one)[C][0] == "unchanged"
    assert titles(one) == ["먼저 있던 기사", "다른 매체"], "nothing stored is lost"
    assert one.breaches() == {}


def test_surrogate_entities_a_wrong_charset_label_and_script_links_cost_no_feed(tmp_path: Path) -> None:
    body = rss("&#xD83D;&#xDE00; 축제", "속보").replace(
        b"https://news.hanbit.ac.example/news/articleView.html?idxno=2", b"javascript:alert(1)"
    )
    one = hub(tmp_path, {A: [answer(body=body, headers={"Content-Type": "text/xml; charset=euc-kr"})]})
    one.night()
    assert len(titles(one)) == 1
    assert titles(one)[0].endswith("축제")


def test_P30_a_failed_source_is_looked_at_again_the_next_night_and_not_before(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(500), answer(body=rss("돌아온 기사"))]})
    one.night(1)
    one.night(at=FIRST_NIGHT + 7200, now_pass=True)
    assert len(one.web.heard) == 1
    one.night(2)
    assert titles(one) == ["돌아온 기사"]


def test_P30_a_hundred_failures_do_not_drop_a_source(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(410)]})
    for number in range(1, 31):
        one.night(number)
    assert len(one.web.heard) == 30
    assert len(one.dump("checks")) == 1, "one row per change of outcome"


def test_P10_a_day_whose_state_was_lost_is_not_collected_twice(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사"))]})
    one.night(1)
    (one.state / "state.db").unlink()
    summary = one.night(at=FIRST_NIGHT + 3600)
    assert summary.night is None
    assert len(one.web.heard) == 1


def test_an_older_state_drops_its_validators_so_that_a_304_loses_no_entry(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사"), headers={"ETag": '"v"'})]})
    one.night(1)
    (one.data / "press.db").unlink()
    one.night(2)
    assert "If-None-Match" not in one.web.heard[-1][2]
    assert titles(one) == ["기사"]


def test_P50_a_redirect_is_a_fresh_request_after_its_gap_and_one_look(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(301, headers={"Location": "https://new.example/rss"}, s=2)],
                         "https://new.example/rss": [answer(body=rss("옮긴 기사"))]}, [A])  # fmt: skip
    one.night()
    assert one.web.times("https://new.example/rss") == [FIRST_NIGHT + 2 + POLICY.redirect_gap_s]
    assert titles(one) == ["옮긴 기사"]
    assert one.read("SELECT hop, parent FROM request_log ORDER BY id") == [(0, None), (1, 1)]
    assert outcomes(one) == {A: ("ok", "read", 1)}


def test_P50_a_loop_ends_after_five_hops_and_is_named(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(302, headers={"Location": B})], B: [answer(302, headers={"Location": A})]}, [A])
    one.night()
    assert len(one.web.heard) == 1 + POLICY.redirects_max
    assert outcomes(one)[A][:2] == ("refused", "too_many_redirects")
    assert one.breaches() == {}


def test_a_redirect_to_the_same_address_without_a_new_cookie_is_not_asked_again(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(302, headers={"Location": A})]})
    one.night()
    assert len(one.web.heard) == 1
    assert outcomes(one)[A][:2] == ("failed", "redirect_to_itself")


def test_P51_a_redirect_to_a_private_address_is_not_followed(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(302, headers={"Location": "http://169.254.169.254/latest/meta-data"})]})
    one.night()
    assert len(one.web.heard) == 1
    assert outcomes(one)[A][:2] == ("refused", "private_address")


def test_validators_belong_to_the_address_that_gave_them(tmp_path: Path) -> None:
    target = "https://new.example/rss"
    one = hub(tmp_path, {A: [answer(301, headers={"Location": target})],
                         target: [answer(body=rss("기사"), headers={"ETag": '"t"'}), answer(304)]}, [A])  # fmt: skip
    one.night(1)
    one.night(2)
    (_, asked_a, first), (_, asked_b, second) = one.web.heard[-2:]
    assert (asked_a, "If-None-Match" in first) == (A, False)
    assert (asked_b, second["If-None-Match"]) == (target, '"t"')
    assert outcomes(one)[A][0] == "not_modified"


def test_P40_a_feed_address_that_turns_out_to_be_a_json_feed_stores_nothing(tmp_path: Path) -> None:
    body = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "한빛", "items": [
        {"id": "1", "url": "https://news.hanbit.ac.example/1", "title": "기사"}]}).encode()  # fmt: skip
    one = hub(tmp_path, {A: [answer(body=body, headers={"Content-Type": "application/feed+json"})]})
    one.night()
    assert titles(one) == []
    assert outcomes(one)[A][:2] == ("refused", "json_feed_needs_robots")


@pytest.mark.parametrize("state", ["paused", "closed", "frozen"])
def test_only_active_sources_are_due(state: str, tmp_path: Path) -> None:
    one = hub(tmp_path, {}, [feed(A, state=state)])
    one.night()
    assert one.web.heard == []


def test_P10_what_six_hours_cannot_hold_is_named_and_asked_the_next_night(tmp_path: Path) -> None:
    many = [f"https://slow.example/rss/{number}.xml" for number in range(40)]
    one = hub(tmp_path, {url: [answer(404, s=28)] for url in many})
    one.night(at=FIRST_NIGHT + 6 * 3600 - 600)
    results = [row[0] for row in outcomes(one).values()]
    assert results.count("not_reached") > 0
    assert results.count("failed") == len(one.web.heard) == int((600 - 30) / 31) + 1
    assert results.count("failed") + results.count("not_reached") == 40
    assert max(now for now, _, _ in one.web.heard) <= FIRST_NIGHT + POLICY.night_last_start_s
    assert one.breaches() == {}


def test_P10_a_start_after_six_sends_nothing_and_says_so(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사"))]})
    summary = one.night(at=FIRST_NIGHT + 6 * 3600)
    assert summary.night is None
    assert "P10" in summary.why
    assert one.web.heard == []


def test_P10_an_inspecting_pass_looks_at_any_hour_but_not_twice_a_day(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사"))]})
    one.night(at=FIRST_NIGHT + 15 * 3600, now_pass=True)
    one.night(at=FIRST_NIGHT + 16 * 3600, now_pass=True)
    assert one.web.times(A) == [FIRST_NIGHT + 15 * 3600]
    assert one.breaches() == {}


def test_until_ends_a_night_early(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사"), s=10)], B: [answer(body=rss("기사"))]})
    one.night(until=FIRST_NIGHT + 5)
    assert outcomes(one)[B][:2] == ("not_reached", "night_over")


def test_the_press_file_is_the_same_bytes_for_the_same_content(tmp_path: Path) -> None:
    files = []
    for name in ("one", "two"):
        one = hub(tmp_path / name, {A: [answer(body=rss("기사 하나", "기사 둘"))], C: [answer(500)]})
        one.night()
        files.append((one.data / "press.db").read_bytes())
    assert zlib.crc32(files[0]) == zlib.crc32(files[1])
    assert files[0] == files[1]


def test_a_second_identical_night_changes_only_the_nights_own_rows(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사 하나"))], C: [answer(404)]})
    one.night(1)
    tables = ("outlets", "sources", "articles", "tags", "article_tags", "revisions", "checks", "policy")
    before = {table: one.dump(table) for table in tables}
    one.night(2)
    assert {table: one.dump(table) for table in tables} == before
    assert len(one.dump("nights")) == 2


def test_the_night_publishes_the_table_it_obeyed_and_what_each_server_was_sent(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사"), s=1)], B: [answer(500, s=1)]})
    one.night()
    stored = one.read("SELECT rule, value, breaches FROM policy WHERE name = 'spacing_s'")
    assert stored == [("P20", POLICY.spacing_s, 0)]
    ended = int(FIRST_NIGHT + 2 + POLICY.spacing_s)
    assert one.read("SELECT * FROM servers_last_night") == [
        ("news.hanbit.ac.example", 2, int(FIRST_NIGHT), ended, None)
    ]


def test_the_two_logs_agree(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사"))], B: [answer(302, headers={"Location": C})], C: [answer(500)]})
    one.night(1)
    one.night(2)
    ours = one.read("SELECT started, url FROM request_log ORDER BY id")
    assert sorted(ours) == sorted((now, url) for now, url, _ in one.web.heard)


def test_a_source_that_leaves_the_registry_keeps_its_articles_and_is_asked_no_more(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사"))], C: [answer(body=rss("다른", host="saebom.example"))]})
    one.night(1)
    one.books = registry([C])
    one.night(2)
    assert titles(one) == ["기사", "다른"]
    assert len(one.web.times(A)) == 1
    assert one.read("SELECT listed FROM sources ORDER BY id") == [(0,), (1,)]


def test_a_source_that_changes_from_http_to_https_stays_the_same_source(tmp_path: Path) -> None:
    one = hub(tmp_path, {C: [answer(body=rss("기사"))]})
    one.night(1)
    secure = C.replace("http:", "https:")
    one.web.answers[secure] = [answer(body=rss("기사"))]
    one.books = registry([secure])
    one.night(2)
    assert one.read("SELECT id, url FROM sources") == [(1, secure)]
    assert FIRST_NIGHT + DAY_S in one.web.times(secure)


def test_a_link_that_leads_into_a_private_network_or_is_endless_is_no_article(tmp_path: Path) -> None:
    body = rss("안쪽", "이 컴퓨터", "끝없는", "기사")
    for number, bad in ((1, "http://10.0.0.7/x"), (2, "http://localhost/x"), (3, f"https://a.example/{'x' * 3000}")):
        body = body.replace(
            f"https://news.hanbit.ac.example/news/articleView.html?idxno={number}<".encode(), f"{bad}<".encode()
        )
    one = hub(tmp_path, {A: [answer(body=body)]})
    one.night()
    assert titles(one) == ["기사"]


LOST = "Thu, 01 Jan 1970 00:00:00 +0000"


@pytest.mark.parametrize(
    ("written", "published", "precision"),
    [
        ("Thu, 05 Mar 2026 00:30:00 KST", "2026-03-05T00:30:00+09:00", "second"),
        ("2026년 03월 04일 (수) 오후 02:30", "2026-03-04T14:30:00+09:00", "minute"),
        ("2026/3/4 14:30:41", "2026-03-04T14:30:41+09:00", "second"),
        ("26.03.04", "2026-03-04T00:00:00+09:00", "day"),
        ("20260304143000", "2026-03-04T14:30:00+09:00", "second"),
        ("어제", "2026-03-04T00:00:00+09:00", "day"),
        (LOST, None, "none"),
        ("1513", None, "none"),
    ],
)
def test_D17_a_date_is_stored_as_first_read_and_a_second_night_changes_nothing(
    tmp_path: Path, written: str, published: str | None, precision: str
) -> None:
    changed = rss("선거", date=written) + b"<!-- made anew -->"
    one = hub(tmp_path, {A: [answer(body=rss("선거", date=written)), answer(body=changed)]})
    stored = []
    for number in (1, 2):
        one.night(number)
        stored.append(one.read("SELECT published, precision, published_raw FROM articles"))
    moment = None if published is None else int(datetime.fromisoformat(published).timestamp())
    assert stored[0] == stored[1] == [(moment, precision, written)]


@pytest.mark.parametrize("label", ["euc-kr", "ks_c_5601-1987", "utf-8", "iso-8859-1"])
def test_E1_korean_text_in_cp949_is_stored_whatever_label_it_wears(tmp_path: Path, label: str) -> None:
    title = "똠방각하 펲, 총학생회 선거 결과"
    body = rss(title).decode().replace('encoding="UTF-8"', f'encoding="{label}"').encode("cp949")
    one = hub(tmp_path, {A: [answer(body=body, headers={"Content-Type": f"text/xml; charset:{label};"})]})
    one.night()
    assert one.read("SELECT title, summary FROM articles") == [(title, f"{title} 요약")]


@pytest.mark.parametrize(
    "twin",
    [
        "http://www.hanbit.ac.example/news/articleView.html?idxno=1",
        "https://m.hanbit.ac.example:443//news/articleView.html?idxno=1&amp;replyAll=&amp;reply_sc_order_by=C",
        "https://hanbit.ac.example/news/articleViewAmp.html?idxno=1#:~:text=a",
        "https://HANBIT.ac.example./news/articleView.html?PHPSESSID=5&amp;idxno=1",
        "https://hanbit.ac.example/news/articleView.html/?idxno=1",
    ],
)
def test_I15_every_twin_of_an_address_is_one_article(tmp_path: Path, twin: str) -> None:
    body = rss("선거", host="hanbit.ac.example")
    moved = body.replace(b"https://hanbit.ac.example/news/articleView.html?idxno=1", twin.encode())
    assert moved != body
    one = hub(tmp_path, {A: [answer(body=body), answer(body=moved)]})
    one.night(1)
    one.night(2)
    assert one.read("SELECT count(*) FROM articles") == [(1,)]


def test_H17_after_a_body_that_was_not_compressed_as_said_the_next_night_asks_for_no_compression(
    tmp_path: Path,
) -> None:
    lie = answer(body=rss("기사"), headers={"Content-Encoding": "gzip"})
    one = hub(tmp_path, {A: [lie, answer(body=rss("기사"))]})
    one.night(1)
    assert outcomes(one)[A][:2] == ("failed", "bad_encoding")
    for number in (2, 3):
        one.night(number)
    sent = [headers["Accept-Encoding"] for _, _, headers in one.web.heard]
    assert sent == ["gzip, deflate", "identity", "gzip, deflate"]


def test_H19_P01_a_cookie_lives_for_one_redirect_chain_and_goes_only_where_it_came_from(tmp_path: Path) -> None:
    door = "https://door.example/in"
    given = {"Location": door, "Set-Cookie": "seen=1; Path=/; HttpOnly"}
    back = {"Location": A, "Set-Cookie": "other=2"}
    one = hub(
        tmp_path, {A: [answer(302, headers=given), answer(body=rss("기사"))], door: [answer(302, headers=back)]}, [A]
    )
    one.night(1)
    assert outcomes(one)[A][0] == "ok", "the same address twice with a new cookie is no loop"
    assert [headers.get("Cookie") for _, _, headers in one.web.heard] == [None, None, "seen=1"]
    one.night(2)
    assert "Cookie" not in one.web.heard[-1][2]
    assert one.breaches() == {}


def test_H9_an_expires_of_zero_costs_no_validators(tmp_path: Path) -> None:
    first = answer(body=rss("기사"), headers={"ETag": '"v"', "Expires": "0", "Cache-Control": "no-store"})
    one = hub(tmp_path, {A: [first, answer(304)]})
    one.night(1)
    one.night(2)
    assert one.web.heard[-1][2]["If-None-Match"] == '"v"'


def test_H7_validators_are_the_servers_own_never_ours(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(body=rss("기사")), answer(body=rss("기사"))]})
    one.night(1)
    one.night(2)
    assert not {"If-None-Match", "If-Modified-Since"} & set(one.web.heard[-1][2])
