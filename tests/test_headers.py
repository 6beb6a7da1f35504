"""Headers: charset labels, media types, and how long a server asks us to stay away (H11, H13, P31)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl.headers import charset, cookie_header, cookies, media_type, retry_after_s, validator

RECEIVED = datetime(2026, 12, 1, 0, 0, 30, tzinfo=UTC).timestamp()
DATE = "Tue, 01 Dec 2026 00:00:00 GMT"


@pytest.mark.parametrize(
    ("content_type", "label"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ("text/html; charset:gbk;", "gbk"),
        ("text/html;charset=EUC-KR", "euc-kr"),
        ('text/xml; charset="ks_c_5601-1987"', "ks_c_5601-1987"),
        ("text/xml; charset='utf-8'", "utf-8"),
        ("text/xml; CharSet = UTF-8 ; q=1", "utf-8"),
        ("text/xml charset=utf-8", "utf-8"),
        ("text/xml; version=1; charset=utf-8; charset=euc-kr", "utf-8"),
        ("charset=utf-8", "utf-8"),
        ("text/html; charset=", None),
        ("text/html; charset=;", None),
        ("text/html; x-charset=utf-8", None),
        ("text/html", None),
        ("", None),
        (None, None),
    ],
)
def test_E11_a_charset_label_is_found_however_it_is_written(content_type: str | None, label: str | None) -> None:
    assert charset(content_type) == label


@pytest.mark.parametrize(
    ("content_type", "kind"),
    [
        ("Application/RSS+XML; charset=utf-8", "application/rss+xml"),
        ("text/xml", "text/xml"),
        (" text/html charset=utf-8", "text/html"),
        ("application/json,text/html", "application/json"),
        ("", ""),
        (None, ""),
    ],
)
def test_the_media_type_is_lower_case_without_parameters(content_type: str | None, kind: str) -> None:
    assert media_type(content_type) == kind


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120), ("  120 ", 120), ("1.5", 2), ("1.", 1), (".2", 1), ("+3", 3), ("0120", 120), ("86401", 86401),
        ("604800", 604800),
    ],
)  # fmt: skip
def test_H11_seconds_are_read_and_fractions_rounded_up(value: str, seconds: float) -> None:
    assert retry_after_s(value, date=DATE, received=RECEIVED) == seconds


@pytest.mark.parametrize(
    "value",
    [
        None, "", " ", "0", "0.0", "-5", "-1.5", "120junk", "junk", "120 s", "1e3", "0x10", "1.5.2", "NaN", "inf",
        "１２０", "٣", "어제", "yesterday", "3 hours ago", "2026-12-02", "Wed", "\x00", "120;5",
    ],
)  # fmt: skip
def test_H11_anything_else_is_no_retry_after(value: str | None) -> None:
    assert retry_after_s(value, date=DATE, received=RECEIVED) is None


@pytest.mark.parametrize("value", ["9" * 30, "9" * 5000, "0" * 5000 + "1" * 400])
def test_H11_absurd_numbers_are_bounded_and_never_raise(value: str) -> None:
    assert retry_after_s(value, date=DATE, received=RECEIVED) == 2.0**31


@pytest.mark.parametrize(
    "value",
    [
        "Tue, 01 Dec 2026 00:10:00 GMT",
        "Tuesday, 01-Dec-26 00:10:00 GMT",
        "Tue Dec  1 00:10:00 2026",
        "Tue, 01 Dec 2026 00:10:00",
        "Tue, 01 Dec 2026 09:10:00 +0900",
    ],
)
def test_H13_all_three_http_dates_count_from_the_responses_own_date(value: str) -> None:
    assert retry_after_s(value, date=DATE, received=RECEIVED) == 600
    assert retry_after_s(value, date=None, received=RECEIVED) == 570


def test_H13_a_server_with_a_wrong_clock_means_its_own_time() -> None:
    wait = retry_after_s("Fri, 01 Jan 2021 00:10:00 GMT", date="Fri, 01 Jan 2021 00:00:00 GMT", received=RECEIVED)
    assert wait == 600


@pytest.mark.parametrize("date", [None, "", "junk", "Mon, 01 Jan 2001 00:00:00 GMT", "Fri, 01 Jan 2038 00:00:00 GMT"])
def test_H13_a_senseless_date_header_is_not_measured_against(date: str | None) -> None:
    assert retry_after_s("Tue, 01 Dec 2026 00:10:00 GMT", date=date, received=RECEIVED) == 570


@pytest.mark.parametrize("value", ["Wed, 21 Oct 2015 07:28:00 GMT", DATE, "Sunday, 06-Nov-94 08:49:37 GMT"])
def test_H13_the_past_and_the_present_are_no_wait(value: str) -> None:
    assert retry_after_s(value, date=DATE, received=RECEIVED) is None


@pytest.mark.parametrize(
    "value",
    [
        "Tue, 01 Dec 99999 00:10:00 GMT",
        "Tue, 32 Dec 2026 00:10:00 GMT",
        "Tue, 01 Dec 2026 00:10:00 GMT" + " " * 60 + "x",
    ],
)
def test_H13_impossible_or_overlong_dates_are_none(value: str) -> None:
    assert retry_after_s(value, date=DATE, received=RECEIVED) is None


def test_H13_a_far_date_is_not_capped_here() -> None:
    assert retry_after_s("Tue, 08 Dec 2026 00:00:00 GMT", date=DATE, received=RECEIVED) == 7 * 86_400


@given(st.text(max_size=100), st.text(max_size=40))
def test_no_header_raises(value: str, date: str) -> None:
    charset(value)
    media_type(value)
    wait = retry_after_s(value, date=date, received=RECEIVED)
    assert wait is None or 0 < wait <= 2.0**31


@pytest.mark.parametrize(
    "value", ['"abc"', 'W/"abc--gzip"', "RSS-f3fd", "Wed, 03 Jan 2018 14:11:52 GMT       ", '"\xb0\xa1"']
)
def test_H1_H5_a_validator_is_kept_byte_for_byte(value: str) -> None:
    assert validator(value) == value


@pytest.mark.parametrize("value", [None, "", "   ", "a\r\nX: y", "a\x00b", "\x7f", "가"])
def test_a_validator_that_no_header_could_carry_is_dropped(value: str | None) -> None:
    assert validator(value) is None


@pytest.mark.parametrize("year", [2099, 2100, 2126, 9999])
def test_H13_P31_a_date_in_a_far_year_is_a_very_long_wait_not_none(year: int) -> None:
    wait_s = retry_after_s(f"Thu, 31 Dec {year} 23:59:59 GMT", date=None, received=1_796_094_000.0)
    assert wait_s is not None
    assert wait_s > 365 * 86_400


HERE = "https://a.example"


def test_P01_a_chains_cookies_keep_name_and_value_and_nothing_else() -> None:
    given = [
        ("Set-Cookie", "a=1; Path=/; Secure"),
        ("set-cookie", 'b="x y"'),
        ("SET-COOKIE", "c=; Max-Age=0"),
        ("X", "d=4"),
    ]
    jar = cookies((), given, HERE)
    assert jar == ((HERE, "a", "1"), (HERE, "c", ""))
    assert cookies(jar, [("Set-Cookie", "a=2")], HERE)[0] == (HERE, "a", "2")
    assert (cookie_header(jar, HERE), cookie_header(jar, "http://a.example")) == ("a=1; c=", None)


@pytest.mark.parametrize("broken", ["", "novalue", "=1", "a=1\r\nX: y", "a=가", "a b=1", "\x00=1"])
def test_a_broken_cookie_is_left_out(broken: str) -> None:
    assert cookies((), [("Set-Cookie", broken)], HERE) == ()
