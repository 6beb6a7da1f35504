"""When a server says no: politeness.md's tables P32 to P36 with their timelines, as whole nights on virtual time."""

from __future__ import annotations

from email.utils import formatdate
from itertools import pairwise
from pathlib import Path

import pytest

from crawl.policy import Policy
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, registry, rss
from tests.sim.web import Answer

POLICY = Policy()
A, B, C, D = (f"https://s.example/rss/{name}.xml" for name in "abcd")
ELSEWHERE = "https://other.example/rss.xml"
FIVE_PAST = FIRST_NIGHT + 300


def fine(name: str = "기사", s: float = 0.5) -> Answer:
    return answer(body=rss(name, host="s.example", first=sum(map(ord, name)) % 97), s=s)


def slow(wait: str | None = None, status: int = 429) -> Answer:
    return answer(status, headers={} if wait is None else {"Retry-After": wait})


def hub(root: Path, answers: dict[str, list[Answer]]) -> Hub:
    return Hub(root, Scripted(dict(answers)), registry(list(answers)))


def results(one: Hub, night: int | None = None) -> dict[str, str]:
    """The outcome of each source in a night (the last one by default): result, reason and rule."""
    rows = one.read(
        """SELECT s.url, l.result, l.reason FROM looks l JOIN sources s ON s.id = l.source
           WHERE l.night = coalesce(?, (SELECT max(id) FROM nights)) ORDER BY l.id""",
        night,
    )
    return {str(url)[-5:-4] if "rss/" in str(url) else "other": f"{result} {reason}" for url, result, reason in rows}


def test_P33_a_slow_down_stops_the_whole_server_and_no_other(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow("30000")], B: [fine()], ELSEWHERE: [fine()]})
    one.night()
    assert results(one) == {"a": "failed http_429", "b": "put_off server_resting", "other": "ok read"}
    assert one.web.times(B) == []
    assert one.breaches() == {}


@pytest.mark.parametrize("wait", ["600", "in 600", "599.5"])
def test_P36_put_off_sources_are_looked_at_once_when_the_rest_ends(wait: str, tmp_path: Path) -> None:
    value = formatdate(FIRST_NIGHT + 0.5 + 600, usegmt=True) if wait == "in 600" else wait
    one = hub(tmp_path, {A: [slow(value)], B: [fine()]})
    one.night()
    (asked,) = one.web.times(B)
    assert 599 <= asked - (FIRST_NIGHT + 0.5) <= 601
    assert results(one) == {"a": "failed http_429", "b": "ok read"}
    assert one.read("SELECT put_off FROM request_log ORDER BY id") == [(0,), (1,)]
    assert one.breaches() == {}


def test_P36_the_designs_example_C_answers_then_B_slows_down_so_D_waits_for_tomorrow(tmp_path: Path) -> None:
    """A gets 429 with RA 600 at 00:05; B, C, D put off; from 00:15 the batch B, C one after the other."""
    one = hub(tmp_path, {A: [slow("600")], C: [fine("씨")], B: [slow("600")], D: [fine()]})
    one.night(at=FIVE_PAST)
    assert results(one) == {
        "a": "failed http_429",
        "c": "ok read",
        "b": "failed http_429",
        "d": "put_off server_slowed_twice",
    }
    quarter_past = FIVE_PAST + 0.5 + 600
    assert one.web.times(C) == [quarter_past]
    assert one.web.times(B) == [quarter_past + 0.5 + POLICY.spacing_s]
    assert one.web.times(D) == []
    assert one.breaches() == {}


def test_P36_had_B_been_first_C_and_D_wait_for_tomorrow(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow("600")], B: [slow("600")], C: [fine()], D: [fine()]})
    one.night(at=FIVE_PAST)
    assert results(one) == {
        "a": "failed http_429", "b": "failed http_429", "c": "put_off server_slowed_twice", "d": "put_off server_slowed_twice",
    }  # fmt: skip
    assert one.breaches() == {}


def test_P36_at_most_two_put_off_looks_are_out_on_the_whole_run(tmp_path: Path) -> None:
    answers = {}
    for server in range(4):
        answers[f"https://s{server}.example/first.xml"] = [slow("600")]
        answers[f"https://s{server}.example/second.xml"] = [answer(body=rss("기사", host=f"s{server}.example"), s=10)]
    one = hub(tmp_path, answers)
    one.night()
    rows = one.read("SELECT started, ended FROM request_log WHERE put_off ORDER BY id")
    assert len(rows) == 4
    spans = [(float(str(started)), float(str(ended))) for started, ended in rows]
    for started, _ in spans:
        assert sum(begun <= started < over for begun, over in spans) <= 2
    assert spans[2][0] >= max(spans[0][1], spans[1][1]), "the next batch comes when both have settled"


def test_P36_tonights_first_slow_down_in_a_second_look_lets_the_others_still_be_asked(tmp_path: Path) -> None:
    long_before = hub(tmp_path, {A: [slow("86400"), slow("600")], B: [fine()], C: [fine("씨")]})
    long_before.night(at=FIVE_PAST)
    assert results(long_before) == {
        "a": "failed http_429",
        "b": "put_off server_resting",
        "c": "put_off server_resting",
    }
    long_before.night(2)
    # Last night's rest ends at 00:05:00.5; A is asked then and slows down (tonight's first): B and C follow ten minutes later.
    assert results(long_before) == {"a": "failed http_429", "b": "ok read", "c": "ok read"}
    again = FIVE_PAST + DAY_S + 0.5
    assert long_before.web.times(A)[1] == again
    assert long_before.web.times(B)[0] >= again + 0.5 + 600
    assert long_before.breaches() == {}


def test_P36_a_rest_that_outlasts_the_night_leaves_the_others_to_the_next(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow("21600"), fine()], B: [fine()]})
    one.night(1)
    assert results(one)["b"] == "put_off server_resting"
    one.night(2)
    assert results(one) == {"a": "ok read", "b": "ok read"}


def test_P36_a_source_that_was_itself_refused_waits_for_the_next_night(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow("600"), fine()]})
    one.night()
    assert len(one.web.times(A)) == 1


def test_P33_429_without_retry_after_rests_the_server_an_hour(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow()], B: [fine()]})
    one.night()
    assert one.web.times(B) == [FIRST_NIGHT + 0.5 + POLICY.slow_down_rest_s]


def test_P34_the_second_bare_429_in_a_row_is_that_sources_own_affair_when_others_answered(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow()], B: [fine()], C: [fine("씨")]})
    one.night(1)
    one.night(2)
    assert results(one) == {"a": "failed http_429", "b": "unchanged same_body", "c": "unchanged same_body"}
    assert one.web.times(B)[1] == FIRST_NIGHT + DAY_S + 0.5 + POLICY.spacing_s, "the others go on at once"
    assert ("P34",) in one.read("SELECT rule FROM rests WHERE night = 2")
    assert one.breaches() == {}


def test_P34_when_none_of_the_others_answered_since_the_whole_server_rests_again(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow()], B: [answer(500)]})
    one.night(1)
    one.night(2)
    assert one.web.times(B)[1] == FIRST_NIGHT + DAY_S + 0.5 + POLICY.slow_down_rest_s
    assert one.breaches() == {}


def test_P34_when_another_was_slowed_down_since_the_whole_server_rests_again(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow()], B: [slow("60"), fine()], C: [fine("씨")]})
    one.night(1)
    one.night(2)
    assert one.web.times(B)[1] >= FIRST_NIGHT + DAY_S + 0.5 + POLICY.slow_down_rest_s
    assert one.breaches() == {}


def test_P33_row_5_a_server_error_without_retry_after_concerns_the_source_alone(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(503)], B: [fine()]})
    one.night()
    assert results(one) == {"a": "failed http_503", "b": "ok read"}


@pytest.mark.parametrize("status", [401, 403, 404, 410, 451])
def test_P35_a_denial_concerns_the_source_alone_even_with_retry_after(status: int, tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(status, headers={"Retry-After": "600"})], B: [fine()]})
    one.night()
    assert results(one) == {"a": f"failed http_{status}", "b": "ok read"}
    assert len(one.web.times(A)) == 1
    assert one.breaches() == {}


def test_P32_the_designs_example_with_a_day_of_retry_after(tmp_path: Path) -> None:
    """Night 1 at 00:05; night 2 put off, P36 at 00:05 gets the second; night 3's run starts too early; asked in night 4."""
    one = hub(tmp_path, {A: [slow("86400"), slow("86400"), fine()]})
    one.night(at=FIVE_PAST)
    for number in (2, 3, 4):
        one.night(number)
    first = FIVE_PAST + 0.5
    asked = one.web.times(A)
    assert (asked[0], asked[2]) == (FIVE_PAST, FIRST_NIGHT + 3 * DAY_S)
    assert asked[1] == first + DAY_S
    assert results(one, 3) == {"a": "put_off source_resting"}
    assert results(one, 4) == {"a": "ok read"}
    assert one.breaches() == {}


def test_P32_an_answer_between_resets_and_a_bare_429_or_a_failure_does_neither(tmp_path: Path) -> None:
    reset = hub(tmp_path / "reset", {A: [slow("86000"), fine(), slow("86000"), fine()]})
    kept = hub(tmp_path / "kept", {A: [slow("86000"), answer(500), slow("86000"), fine()]})
    for number in range(1, 6):
        reset.night(number)
        kept.night(number)
    assert len(reset.web.times(A)) == 5, "two long rests that are not in a row are each only their own time"
    assert len(kept.web.times(A)) == 4, "a failure between does not reset: the second long rest costs a night"
    assert ("P32",) in kept.read("SELECT DISTINCT rule FROM rests")
    assert ("P32",) not in reset.read("SELECT DISTINCT rule FROM rests")


def test_P31_losing_the_state_does_not_forget_a_rest_of_the_public_record(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow("90000", 503), fine()], B: [fine()]})
    one.night(1)
    (one.state / "state.db").unlink()
    one.night(2)
    assert all(now >= FIRST_NIGHT + DAY_S for now in one.web.times(B))
    assert one.web.times(A)[1:] == [] or one.web.times(A)[1] >= FIRST_NIGHT + 0.5 + DAY_S


def test_P38_a_login_page_is_named_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    login = (
        "<!doctype html><html><head><title>로그인</title></head><body><h1>로그인이 필요합니다</h1>"
        '<form action="/login" method="post"><input name="id"><input type="password" name="pw"></form></body></html>'
    )
    one = hub(tmp_path, {A: [answer(body=login.encode(), headers={"Content-Type": "text/html; charset=utf-8"})]})
    one.night()
    assert results(one) == {"a": "failed login_page"}
    assert one.read("SELECT rest_rule FROM checks") == [("P38",)]
    assert one.dump("articles") == []


def test_P38_a_redirect_to_a_login_is_not_followed(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [answer(302, headers={"Location": "https://s.example/member/login.php?return_url=/rss"})]})
    one.night()
    assert len(one.web.heard) == 1
    assert results(one) == {"a": "failed redirect_to_login"}


def test_a_night_that_only_waits_for_a_rest_to_end_still_tells_so_every_minute(tmp_path: Path) -> None:
    one = hub(tmp_path, {A: [slow("1800")], B: [fine()]})
    one.night()
    moments = [progress.now for progress in one.told]
    assert moments[-1] - moments[0] > 1800
    assert max(later - earlier for earlier, later in pairwise(moments)) <= 60
    assert one.web.times(B) == [FIRST_NIGHT + 0.5 + 1800]
