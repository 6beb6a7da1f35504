"""How facts are written: dates, amounts, safe addresses."""

from __future__ import annotations

import pytest

from build import filters
from build.records import Hub
from tests.sitefixture import at


def test_dates_are_korean_days_with_their_weekday() -> None:
    assert filters.date_text(at("2026-03-05 00:00")) == "2026. 3. 5. (목)"
    assert filters.date_text(at("2026-03-05 23:59")) == "2026. 3. 5. (목)"
    assert filters.date_text(at("2026-03-06 00:00")) == "2026. 3. 6. (금)"
    assert filters.day_text("2026-12-01") == "2026. 12. 1. (화)"
    assert filters.date_en("2026-12-01") == "1 December 2026"
    assert filters.month_text("2026-03") == "2026년 3월"


def test_datetime_attributes_carry_the_korean_zone_and_never_more_than_is_known() -> None:
    moment = at("2026-03-05 00:10")
    assert filters.stamp(moment, "minute") == "2026-03-05T00:10:00+09:00"
    assert filters.stamp(moment, "day") == "2026-03-05"
    assert filters.utc_stamp(moment) == "2026-03-04T15:10:00Z"
    assert filters.clock_text(moment + 9) == "00:10:09"


@pytest.mark.parametrize("moment", [-(10**15), -1, 0, 10**15])
def test_no_moment_a_database_can_hold_stops_a_build(moment: int) -> None:
    assert filters.date_text(moment)
    assert filters.utc_stamp(moment)


@pytest.mark.parametrize(
    ("value", "unit", "korean", "english"),
    [
        (3, "s", "3초", "3 seconds"),
        (1, "s", "1초", "1 second"),
        (90, "s", "90초", "90 seconds"),
        (600, "s", "10분", "10 minutes"),
        (3_600, "s", "1시간", "1 hour"),
        (57_600, "s", "16시간", "16 hours"),
        (86_400, "s", "24시간", "24 hours"),
        (604_800, "s", "7일", "7 days"),
        (0, "s after KST midnight", "00:00", "00:00"),
        (21_570, "s after KST midnight", "05:59:30", "05:59:30"),
        (8_388_608, "bytes", "8 MiB", "8 MiB"),
        (1_000_000, "bytes", "1,000,000바이트", "1,000,000 bytes"),
        (200, "characters", "200자", "200 characters"),
        (5, "hops", "5번", "5 hops"),
        (14, "nights", "14밤", "14 nights"),
        (1, "looks per source and night", "1번", "1 time"),
        (2.5, "moons", "2.5 moons", "2.5 moons"),
    ],
)
def test_amounts_of_the_policy_table_in_both_languages(value: float, unit: str, korean: str, english: str) -> None:
    assert filters.amount(value, unit) == korean
    assert filters.amount(value, unit, "en") == english


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//host/x", "/x", "", None, "https://",
     "http://user:secret@host/", "https://h/\nx", "https://h/a b", "https://[::1", "https:\\\\h\\x", "mailto:a@b"],
)  # fmt: skip
def test_only_plain_web_addresses_become_links(url: str | None) -> None:
    assert filters.web(url) == ""


def test_a_web_address_stays_as_published() -> None:
    url = "http://press.example:8080/news/articleView.html?idxno=1&b={x}|y#z"
    assert filters.web(url) == url


def test_english_text_of_english_papers_is_told_from_korean() -> None:
    assert filters.lang_of("Library Opens", "english") == "en"
    assert filters.lang_of("기숙사 Open", "english") == ""
    assert filters.lang_of("2026", "english") == ""
    assert filters.lang_of("Library Opens", "newspaper") == ""


def test_readers_write_to_the_mail_address_or_else_the_page_or_the_repository() -> None:
    mail = Hub(contact="hub@campus.example", repository="https://code.example/o/r")
    assert filters.contact_link(mail, "글 1") == "mailto:hub@campus.example?subject=글%201"
    assert filters.contact_link(Hub(contact="https://campus.example/ask"), "글 1") == "https://campus.example/ask"
    issues = Hub(repository="https://code.example/o/r/")
    assert filters.contact_link(issues, "글 1") == "https://code.example/o/r/issues/new?title=글%201"
    assert filters.contact_link(mail, 'a&b="c"').endswith("?subject=a%26b%3D%22c%22")
    assert filters.contact_link(issues) == "https://code.example/o/r/issues/new"
    assert filters.contact_link(Hub(repository="campus/hub")) == "https://github.com/campus/hub/issues/new"
    assert filters.contact_link(Hub(contact="javascript:alert(1)", repository="ftp://x/")) == ""
    assert filters.contact_link(Hub(contact="a@b?bcc=all@world")) == ""


def test_names_become_anchors() -> None:
    assert filters.anchor(" 서울 특별시 ") == "서울-특별시"
    assert filters.anchor("") == "-"


def test_an_address_that_holds_what_no_address_may_is_written_as_browsers_ask_for_it() -> None:
    assert filters.web('https://a.example/b"c?d=<e>#f') == "https://a.example/b%22c?d=%3Ce%3E#f"
    assert filters.picture("http://a.example/<가>.jpg") == "https://a.example/%3C가%3E.jpg"
    assert filters.web("https://a.example/?a=1&b=[2]|3;4!~") == "https://a.example/?a=1&b=[2]|3;4!~"
