"""The gate on its own: who may be asked when, and which rule says no."""

from __future__ import annotations

import pytest

from crawl.clock import kst_midnight
from crawl.connectto import ConnectTo
from crawl.gate import Gate, Memory, Permit, Refused, Ticket
from crawl.model import Purpose, Request, Rest
from crawl.policy import Policy
from crawl.robots import Rules
from crawl.robotsbook import Copy

DAY = "2026-03-05"
MIDNIGHT = kst_midnight(DAY)
POLICY = Policy()


def gate(*, memory: Memory | None = None, scheduled: bool = True, excluded: str = "", connect_to: str = "") -> Gate:
    return Gate(
        POLICY,
        day=DAY,
        started=MIDNIGHT,
        scheduled=scheduled,
        memory=memory or Memory(),
        excluded=lambda request: excluded in (request.url, request.outlet),
        connect_to=ConnectTo((connect_to,) if connect_to else ()),
    )


def ask(url: str, source: int = 1, *, purpose: Purpose = "feed", hop: int = 0, not_before: float = 0.0) -> Request:
    return Request(url, purpose, source, "hanbit", hop=hop, not_before=not_before, parent=1 if hop else None)


def ticket(door: Gate, now: float) -> Ticket:
    step = door.next_ticket(now)
    assert isinstance(step, Ticket)
    return step


def refusal(door: Gate, now: float) -> str:
    step = door.next_ticket(now)
    assert isinstance(step, Refused)
    return f"{step.refusal.rule} {step.refusal.reason}"


def test_P20_same_server_waits_three_seconds_between_requests() -> None:
    door = gate()
    door.offer(ask("https://news.hanbit.ac.example/a", 1))
    door.offer(ask("https://news.hanbit.ac.example/b", 2))
    first = ticket(door, MIDNIGHT)
    assert door.next_ticket(MIDNIGHT + 100) is None, "the first is still on the way"
    door.settle(first, MIDNIGHT + 7)
    assert door.next_time() == MIDNIGHT + 7 + POLICY.spacing_s
    assert door.next_ticket(MIDNIGHT + 7 + POLICY.spacing_s - 0.001) is None
    assert ticket(door, MIDNIGHT + 7 + POLICY.spacing_s).request.source == 2


@pytest.mark.parametrize(
    "twin",
    [
        "http://www.hanbit.ac.example/rss",
        "https://m.hanbit.ac.example/rss",
        "https://HANBIT.ac.example:8443/rss",
        "https://hanbit.ac.example./rss",
    ],
)
def test_P20_twins_of_a_host_share_one_lane(twin: str) -> None:
    door = gate()
    door.offer(ask("https://hanbit.ac.example/a", 1))
    door.offer(ask(twin, 2))
    ticket(door, MIDNIGHT)
    assert door.next_ticket(MIDNIGHT) is None


def test_P20_different_servers_do_not_wait_for_each_other() -> None:
    door = gate()
    for number in range(5):
        door.offer(ask(f"https://s{number}.example/rss", number))
    assert {ticket(door, MIDNIGHT).server for _ in range(5)} == {f"s{number}.example" for number in range(5)}


def test_P20_a_restart_remembers_when_a_server_was_last_asked() -> None:
    door = gate(memory=Memory(next_id=9, last_ends=(("s.example", MIDNIGHT + 10),)))
    door.offer(ask("https://s.example/rss"))
    assert door.next_time() == MIDNIGHT + 10 + POLICY.spacing_s
    assert ticket(door, MIDNIGHT + 10 + POLICY.spacing_s).id == 9


def test_P50_a_hop_waits_for_its_own_gap_and_for_the_target_servers_spacing() -> None:
    door = gate(memory=Memory(last_ends=(("new.example", MIDNIGHT + 9),)))
    door.offer(ask("https://new.example/rss", hop=1, not_before=MIDNIGHT + 10))
    assert door.next_time() == MIDNIGHT + 12
    door = gate(memory=Memory(last_ends=(("new.example", MIDNIGHT + 5),)))
    door.offer(ask("https://new.example/rss", hop=1, not_before=MIDNIGHT + 10))
    assert door.next_time() == MIDNIGHT + 10


def test_P50_a_hop_goes_before_the_servers_other_looks() -> None:
    door = gate()
    door.offer(ask("https://s.example/a", 1))
    door.offer(ask("https://s.example/b", 2))
    door.offer(ask("https://s.example/moved", 1, hop=1, not_before=MIDNIGHT + 3))
    assert ticket(door, MIDNIGHT + 3).request.hop == 1


def test_P50_the_sixth_hop_is_refused() -> None:
    refused = gate().offer(ask("https://s.example/a", hop=POLICY.redirects_max + 1))
    assert refused is not None
    assert (refused.rule, refused.reason) == ("P50", "too_many_redirects")


@pytest.mark.parametrize("purpose", ["list", "date", "photo", "backfill", "edition", "home", "probe"])
def test_P40_robots_txt_goes_before_every_web_request_and_only_once(purpose: Purpose) -> None:
    door = gate()
    door.offer(ask("https://s.example/a", 1, purpose=purpose))
    door.offer(ask("https://s.example/b", 2, purpose=purpose))
    first = ticket(door, MIDNIGHT)
    assert (first.request.purpose, first.request.url, first.request.sake) == (
        "robots",
        "https://s.example/robots.txt",
        purpose,
    )
    door.settle(first, MIDNIGHT + 1)
    assert door.next_ticket(MIDNIGHT + 60) is None, "everything of this origin waits for its robots.txt"
    door.read_robots("https://s.example", Copy(Rules("no_rules", "http_404"), MIDNIGHT + 1))
    gap_s = POLICY.backfill_spacing_s if purpose == "backfill" else POLICY.spacing_s
    assert door.next_ticket(MIDNIGHT + 1 + gap_s - 0.001) is None
    second = ticket(door, MIDNIGHT + 1 + gap_s)
    assert (second.request.source, second.permit) == (1, Permit("no_rules", gap_s, None))


def test_P40_a_copy_older_than_a_day_is_read_again() -> None:
    old = Copy(Rules("no_rules", "http_404"), MIDNIGHT - POLICY.robots_max_age_s)
    door = gate(memory=Memory(copies=(("https://s.example", old),)))
    door.offer(ask("https://s.example/a", purpose="list"))
    door.offer(ask("https://t.example/a", 2, purpose="list"))
    assert ticket(door, MIDNIGHT).request.purpose == "list", "exactly a day old still counts"
    door = gate(memory=Memory(copies=(("https://s.example", old),)))
    door.offer(ask("https://s.example/a", purpose="list"))
    assert ticket(door, MIDNIGHT + 1).request.purpose == "robots"


def test_P42_an_unreadable_robots_txt_of_last_night_is_tried_again_and_of_tonight_not() -> None:
    for read_at, expected in ((MIDNIGHT - 3600, "robots"), (MIDNIGHT, "P42 robots_http_503")):
        copy = Copy(Rules("unreadable", "http_503"), read_at)
        door = gate(memory=Memory(copies=(("https://s.example", copy),)))
        door.offer(ask("https://s.example/a", purpose="list"))
        step = door.next_ticket(MIDNIGHT + 1)
        if isinstance(step, Ticket):
            assert step.request.purpose == expected
        else:
            assert isinstance(step, Refused)
            assert f"{step.refusal.rule} {step.refusal.reason}" == expected


def test_P44_a_feed_is_looked_at_without_robots_txt() -> None:
    door = gate()
    door.offer(ask("https://s.example/rss", purpose="feed"))
    assert ticket(door, MIDNIGHT).request.purpose == "feed"


def test_P05_youtube_is_never_asked_for_any_purpose() -> None:
    for url in (
        "https://www.youtube.com/feeds/videos.xml?channel_id=UC1",
        "https://youtu.be/x",
        "http://m.youtube.com/",
    ):
        refused = gate().offer(ask(url))
        assert refused is not None
        assert refused.rule == "P05"


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://10.1.2.3/rss", "http://[::1]/", "http://169.254.169.254/latest", "http://localhost/",
     "http://2130706433/", "http://0x7f.1/", "http://a.localhost:8000/"],
)  # fmt: skip
def test_P51_a_private_address_is_refused_and_only_a_replay_may_go_there(url: str) -> None:
    refused = gate().offer(ask(url))
    assert refused is not None
    assert refused.rule == "P51"
    assert gate(connect_to="::127.0.0.1:8000").offer(ask(url)) is None


@pytest.mark.parametrize("excluded", ["https://s.example/rss", "hanbit"])
def test_P60_an_excluded_address_or_outlet_is_never_queued(excluded: str) -> None:
    door = gate(excluded=excluded)
    refused = door.offer(ask("https://s.example/rss"))
    assert refused is not None
    assert refused.rule == "P60"
    assert door.next_time() is None


def test_P10_nothing_starts_before_midnight_or_after_the_last_start() -> None:
    door = gate()
    door.offer(ask("https://s.example/rss"))
    assert door.next_ticket(MIDNIGHT - 1) is None
    assert door.next_time() == MIDNIGHT
    late = MIDNIGHT + POLICY.night_last_start_s
    assert refusal(door, late + 0.001) == "P10 night_over"
    door.offer(ask("https://s.example/rss"))
    assert isinstance(door.next_ticket(late), Ticket)


def test_P10_when_the_night_is_over_even_a_lane_that_must_still_wait_is_refused_at_once() -> None:
    late = MIDNIGHT + POLICY.night_last_start_s
    door = gate(memory=Memory(last_ends=(("s.example", late),)))
    door.offer(ask("https://s.example/rss"))
    assert refusal(door, late + 1) == "P10 night_over"
    assert door.next_time() is None


def test_P11_a_source_is_looked_at_once_a_night_even_when_offered_twice() -> None:
    door = gate()
    door.offer(ask("https://s.example/rss"))
    door.offer(ask("https://s.example/rss"))
    door.settle(ticket(door, MIDNIGHT), MIDNIGHT + 1)
    assert refusal(door, MIDNIGHT + 60) == "P11 already_looked_at"


def test_P30_a_restart_does_not_look_again_at_what_the_day_has_seen() -> None:
    door = gate(memory=Memory(looks=((1, 1),)), scheduled=False)
    door.offer(ask("https://s.example/rss"))
    assert refusal(door, MIDNIGHT + 50_000) == "P11 already_looked_at"


def test_P33_P36_a_resting_server_is_not_asked_and_its_sources_come_back_when_the_rest_ends() -> None:
    door = gate()
    door.offer(ask("https://www.s.example/a", 1))
    door.offer(ask("https://s.example/b", 2))
    door.settle(ticket(door, MIDNIGHT), MIDNIGHT + 1, slowed=True)
    door.rest([Rest("server", "s.example", MIDNIGHT + 1, MIDNIGHT + 601, "P33")])
    assert door.next_ticket(MIDNIGHT + 4) is None
    assert door.next_time() == MIDNIGHT + 601
    second = ticket(door, MIDNIGHT + 601)
    assert (second.request.source, second.request.put_off) == (2, True)


def test_P31_a_restart_does_not_forget_retry_after() -> None:
    rest = Rest("server", "s.example", MIDNIGHT, MIDNIGHT + 8 * 3600, "P33")
    door = gate(memory=Memory(rests=(rest,)))
    door.offer(ask("https://s.example/rss"))
    step = door.next_ticket(MIDNIGHT)
    assert isinstance(step, Refused)
    assert (step.refusal.rule, step.refusal.reason, step.refusal.until) == ("P33", "server_resting", rest.until)


def test_P10_an_inspecting_pass_does_not_stay_for_the_end_of_a_rest() -> None:
    door = gate(memory=Memory(rests=(Rest("server", "s.example", MIDNIGHT, MIDNIGHT + 60, "P33"),)), scheduled=False)
    door.offer(ask("https://s.example/rss"))
    assert refusal(door, MIDNIGHT) == "P33 server_resting"


def test_P31_a_shorter_rest_never_replaces_a_longer_one() -> None:
    door = gate()
    door.rest([Rest("server", "s.example", MIDNIGHT, MIDNIGHT + 600, "P33")])
    door.rest([Rest("server", "s.example", MIDNIGHT, MIDNIGHT + 60, "P33")])
    door.offer(ask("https://s.example/rss"))
    assert door.next_ticket(MIDNIGHT + 61) is None
    assert door.next_time() == MIDNIGHT + 600


def test_P35_a_resting_source_does_not_hold_up_its_server() -> None:
    door = gate(memory=Memory(rests=(Rest("source", "1", MIDNIGHT, MIDNIGHT + 600, "P35"),)))
    door.offer(ask("https://s.example/a", 1))
    door.offer(ask("https://s.example/b", 2))
    assert refusal(door, MIDNIGHT) == "P35 source_resting"
    assert ticket(door, MIDNIGHT).request.source == 2


def test_a_ticket_is_spent_once() -> None:
    door = gate()
    door.offer(ask("https://s.example/a"))
    one = ticket(door, MIDNIGHT)
    assert one.spend().url == "https://s.example/a"
    with pytest.raises(RuntimeError, match="spent already"):
        one.spend()


def test_P23_a_ticket_carries_the_moment_by_which_all_is_over() -> None:
    door = gate()
    door.offer(ask("https://s.example/a"))
    assert ticket(door, MIDNIGHT + 5).deadline == MIDNIGHT + 5 + POLICY.request_max_s
