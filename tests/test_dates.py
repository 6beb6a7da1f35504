"""Dates: what Korean sites and feeds write, and the moment it means (cases D1-D29 and their kinds)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl.dates import Dated, read

KST = timezone(timedelta(hours=9))
SEEN = datetime(2026, 12, 1, 0, 5, tzinfo=KST).timestamp()
NOTHING = Dated(None, "none", False)


def kst(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=KST).timestamp())


def shown(raw: str, seen: float = SEEN) -> tuple[str | None, str]:
    """The moment in Korean time and its precision."""
    dated = read(raw, seen=seen)
    at = None if dated.at is None else datetime.fromtimestamp(dated.at, KST).strftime("%Y-%m-%d %H:%M:%S")
    return at, dated.precision


@pytest.mark.parametrize(
    ("raw", "moment", "precision"),
    [
        ("2016/6/29 15:07:41", "2016-06-29 15:07:41", "second"),
        ("2016-6-9 5:07:41", "2016-06-09 05:07:41", "second"),
        ("2026.03.02 14:05", "2026-03-02 14:05:00", "minute"),
        ("2024.05.28  20:16:25", "2024-05-28 20:16:25", "second"),
        ("2026. 3. 2. 14:05", "2026-03-02 14:05:00", "minute"),
        ("2023. 10. 4.", "2023-10-04 00:00:00", "day"),
        ("2026.07.01.", "2026-07-01 00:00:00", "day"),
        ("2016.05.07", "2016-05-07 00:00:00", "day"),
        ("2018-04-02 05", "2018-04-02 05:00:00", "hour"),
        ("2018-04-02 05 | 600호 ㅣ 조회수 : 65", "2018-04-02 05:00:00", "hour"),
        ("2026.03.05 - 14:30", "2026-03-05 14:30:00", "minute"),
        ("writer  |  2018-03-06 07:38", "2018-03-06 07:38:00", "minute"),
        ("[2026.03.05 14:30]", "2026-03-05 14:30:00", "minute"),
    ],
)
def test_D1_a_numeric_date_keeps_its_own_month_and_time(raw: str, moment: str, precision: str) -> None:
    assert shown(raw) == (moment, precision)


@pytest.mark.parametrize("run", ["2026-01-31T12:00", "2026-12-01T00:05", "2031-07-15T06:00"])
@pytest.mark.parametrize("raw", ["2016/6/29 15:07:41", "2026년 3월 5일", "26.03.05", "Thu, 03 Sep 15 00:01:01 +0200"])
def test_D1_a_complete_date_never_depends_on_the_day_of_the_run(raw: str, run: str) -> None:
    assert read(raw, seen=kst(run)) == read(raw, seen=SEEN)


@pytest.mark.parametrize(
    ("raw", "moment", "precision"),
    [
        ("2026년 3월 5일", "2026-03-05 00:00:00", "day"),
        ("2026년3월5일", "2026-03-05 00:00:00", "day"),
        ("2026년 3월 5일자", "2026-03-05 00:00:00", "day"),
        ("2026년 03월 05일 (목) 오후 02:30", "2026-03-05 14:30:00", "minute"),
        ("2026년 6월 9일 오전 10:30", "2026-06-09 10:30:00", "minute"),
        ("2013.08.14 23시 54분", "2013-08-14 23:54:00", "minute"),
        ("2013년06월19일 10시35분", "2013-06-19 10:35:00", "minute"),
        ("2026년 3월 5일 오후 2시", "2026-03-05 14:00:00", "hour"),
        ("2026년 3월 5일 14시 30분 15초", "2026-03-05 14:30:15", "second"),
        ("2026.3.5 14시30분 12면", "2026-03-05 14:30:00", "minute"),
        ("2026. 3. 5. 오후 2:30:00", "2026-03-05 14:30:00", "second"),
        ("2026.3.5 오전 12:30", "2026-03-05 00:30:00", "minute"),
        ("2026.3.5 오후 12:30", "2026-03-05 12:30:00", "minute"),
        ("2026-03-05 2:30 PM", "2026-03-05 14:30:00", "minute"),
        ("2026-03-05 12:30 a.m.", "2026-03-05 00:30:00", "minute"),
        ("2026-03-05 오후 14:30", "2026-03-05 14:30:00", "minute"),
        ("2026年3月5日 14時30分", "2026-03-05 14:30:00", "minute"),
        ("2026 년 3 월 5 일 14 시 30 분", "2026-03-05 14:30:00", "minute"),
        ("3월 5, 2026 2:30 오후", "2026-03-05 14:30:00", "minute"),
    ],
)
def test_D3_korean_words_for_date_and_time_are_read(raw: str, moment: str, precision: str) -> None:
    assert shown(raw) == (moment, precision)
    assert read(raw, seen=SEEN).zone_assumed


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        ("Thu, 05 Mar 2026 14:30:00 KST", "2026-03-05 14:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 JST", "2026-03-05 14:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 GMT", "2026-03-05 23:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 UTC", "2026-03-05 23:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 UT", "2026-03-05 23:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 Z", "2026-03-05 23:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 EST", "2026-03-06 04:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 PDT", "2026-03-06 06:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 +0900 (KST)", "2026-03-05 14:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 GMT+0900", "2026-03-05 14:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 UTC+9", "2026-03-05 14:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 +09:00", "2026-03-05 14:30:00"),
        ("2026-03-05 14:30:00+09", "2026-03-05 14:30:00"),
        ("2026-03-05 14:30:00 한국시간", "2026-03-05 14:30:00"),
        ("2026-03-05 14:30:00 Asia/Seoul", "2026-03-05 14:30:00"),
        ("2026-03-05T14:30:00-05:00", "2026-03-06 04:30:00"),
        ("2026-03-05T14:30:00+05:30", "2026-03-05 18:00:00"),
        ("Thu, 05 Mar 2026 14:30:00 + 0900", "2026-03-05 14:30:00"),
        ("2026-03-05T14:30:00[Asia/Seoul]", "2026-03-05 14:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 대한민국 표준시", "2026-03-05 14:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 Korea Standard Time", "2026-03-05 14:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 Etc/UTC", "2026-03-05 23:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 Coordinated Universal Time", "2026-03-05 23:30:00"),
        ("Thu, 05 Mar 2026 14:30:00 (협정 세계시)", "2026-03-05 23:30:00"),
    ],
)
def test_D5_a_written_zone_is_obeyed(raw: str, moment: str) -> None:
    assert shown(raw) == (moment, "second")
    assert not read(raw, seen=SEEN).zone_assumed


def test_D5_korean_time_in_utc() -> None:
    utc = datetime.fromisoformat("2026-03-05T05:30:00+00:00").timestamp()
    assert read("Thu, 05 Mar 2026 14:30:00 KST", seen=SEEN).at == utc


@pytest.mark.parametrize(
    "raw",
    [
        "Thu, 05 Mar 2026 14:30:00",
        "2026-03-05 14:30:00",
        "2026-03-05T14:30:00",
        "Thu Mar  5 14:30:00 2026",
        "Thu, 05 Mar 2026 14:30:00 XYZ",
        "Thu, 05 Mar 2026 14:30:00 +9900",
    ],
)
def test_D7_without_a_usable_zone_korean_time_is_assumed_and_flagged(raw: str) -> None:
    assert read(raw, seen=SEEN) == Dated(kst("2026-03-05T14:30:00"), "second", True)


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        ("Mo, 25 Jun 2018 11:41:36", "2018-06-25 11:41:36"),
        ("목, 05 3월 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("Do, 05 Mar 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("jeudi, 05 Mar 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("木, 05 Mar 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("Qui, 05 Março 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("Do, 05 Mär. 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("Seg, 24 Set 2018 19:42:40 +0900", "2018-09-24 19:42:40"),
        ("목요일, 05 Mar 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("05 Mar 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("2026.3.5 목 14:30:00", "2026-03-05 14:30:00"),
        ("2026.03.05 Thu 14:30:00", "2026-03-05 14:30:00"),
        ("2026-03-05 (목) 14:30:00", "2026-03-05 14:30:00"),
        ("2026-03-05 ㈭ 14:30:00", "2026-03-05 14:30:00"),
        ("2026-03-05 14:30:00 (목)", "2026-03-05 14:30:00"),
        ("목, 05 03 2026 14:30:00 +0900", "2026-03-05 14:30:00"),
        ("Thu, 5 3 2026 14:30:00", "2026-03-05 14:30:00"),
    ],
)
def test_D9_a_weekday_in_any_language_is_passed_over(raw: str, moment: str) -> None:
    assert shown(raw) == (moment, "second")


@pytest.mark.parametrize(
    ("raw", "moment", "precision"),
    [
        ("20260305143000", "2026-03-05 14:30:00", "second"),
        ("202603051430", "2026-03-05 14:30:00", "minute"),
        ("2026030514", "2026-03-05 14:00:00", "hour"),
        ("20260305", "2026-03-05 00:00:00", "day"),
        ("20260305 143000", "2026-03-05 14:30:00", "second"),
        ("20260305T143000", "2026-03-05 14:30:00", "second"),
        ("20260305T053000Z", "2026-03-05 14:30:00", "second"),
        ("20260305T1430+0900", "2026-03-05 14:30:00", "minute"),
        ("20260305-143000", "2026-03-05 14:30:00", "second"),
        ("20260305_143000", "2026-03-05 14:30:00", "second"),
        ("20260305143000123", "2026-03-05 14:30:00", "second"),
        ("2026-03-05 14-30-00", "2026-03-05 14:30:00", "second"),
        ("2026-03-05T14.30.00", "2026-03-05 14:30:00", "second"),
        ("2026:03:05 14:30:00", "2026-03-05 14:30:00", "second"),
        ("1772688600.5", "2026-03-05 14:30:00", "second"),
        ("@1772688600", "2026-03-05 14:30:00", "second"),
        ("1772688600", "2026-03-05 14:30:00", "second"),
        ("1772688600000", "2026-03-05 14:30:00", "second"),
    ],
)
def test_D11_bare_digits_keep_their_time(raw: str, moment: str, precision: str) -> None:
    assert shown(raw) == (moment, precision)


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        ("Thu, 03 Sep 15 00:01:01 +0200", "2015-09-03 07:01:01"),
        ("Thursday, 05-Mar-26 14:30:00 KST", "2026-03-05 14:30:00"),
        ("Fri, 31 Dec 99 23:59:59 KST", "1999-12-31 23:59:59"),
        ("5 Mar 126 14:30:00", "2026-03-05 14:30:00"),
    ],
)
def test_D13_a_two_digit_year_is_of_our_time(raw: str, moment: str) -> None:
    assert shown(raw) == (moment, "second")


@pytest.mark.parametrize(
    ("raw", "moment", "precision"),
    [
        ("26.03.05", "2026-03-05 00:00:00", "day"),
        ("26/03/05 14:30", "2026-03-05 14:30:00", "minute"),
        ("26-09-07 14:05", "2026-09-07 14:05:00", "minute"),
        ("14-06-22 14:11", "2014-06-22 14:11:00", "minute"),
        ("'26.3.5", "2026-03-05 00:00:00", "day"),
        ("26년 3월 5일", "2026-03-05 00:00:00", "day"),
        ("99.12.31", "1999-12-31 00:00:00", "day"),
        ("46.01.01", "1946-01-01 00:00:00", "day"),
        ("45.12.31", "2045-12-31 00:00:00", "day"),
        ("12/31/26", "2026-12-31 00:00:00", "day"),
    ],
)
def test_D15_of_two_digits_the_year_comes_first(raw: str, moment: str, precision: str) -> None:
    assert shown(raw) == (moment, precision)


@pytest.mark.parametrize(
    ("raw", "moment", "precision"),
    [
        ("12월 31일", "2025-12-31 00:00:00", "day"),
        ("12월 1일", "2026-12-01 00:00:00", "day"),
        ("12월 2일", "2026-12-02 00:00:00", "day"),
        ("12월 3일", "2025-12-03 00:00:00", "day"),
        ("3월 5일 (목) 오후 2:30", "2026-03-05 14:30:00", "minute"),
        ("09-07 09:22", "2026-09-07 09:22:00", "minute"),
        ("09.07 09:22", "2026-09-07 09:22:00", "minute"),
        ("12-02 23:00", "2025-12-02 23:00:00", "minute"),
        ("Mar 5", "2026-03-05 00:00:00", "day"),
        ("5 Mar 14:30", "2026-03-05 14:30:00", "minute"),
        ("2월 29일", "2024-02-29 00:00:00", "day"),
        ("3월 5일 1441호", "2026-03-05 00:00:00", "day"),
        ("00:03", "2026-12-01 00:03:00", "minute"),
        ("14:05", "2026-11-30 14:05:00", "minute"),
    ],
)
def test_D17_without_a_year_it_is_the_newest_such_day_not_later_than_tomorrow(
    raw: str, moment: str, precision: str
) -> None:
    assert shown(raw) == (moment, precision)


@pytest.mark.parametrize(
    ("raw", "moment", "precision"),
    [
        ("3시간 전", "2026-11-30 00:00:00", "day"),
        ("3시간전", "2026-11-30 00:00:00", "day"),
        ("입력 3시간 전", "2026-11-30 00:00:00", "day"),
        ("한 시간 전", "2026-11-30 00:00:00", "day"),
        ("1시간 30분 전", "2026-11-30 00:00:00", "day"),
        ("30분 전", "2026-11-30 00:00:00", "day"),
        ("5분 전", "2026-12-01 00:00:00", "day"),
        ("6분 전", "2026-11-30 00:00:00", "day"),
        ("10초 전", "2026-12-01 00:00:00", "day"),
        ("23시간 전", "2026-11-30 00:00:00", "day"),
        ("25시간 전", "2026-11-29 00:00:00", "day"),
        ("2일 전", "2026-11-29 00:00:00", "day"),
        ("이틀 전", "2026-11-29 00:00:00", "day"),
        ("일주일 전", "2026-11-24 00:00:00", "day"),
        ("어제", "2026-11-30 00:00:00", "day"),
        ("어제 14:30", "2026-11-30 14:30:00", "minute"),
        ("그저께", "2026-11-29 00:00:00", "day"),
        ("오늘", "2026-12-01 00:00:00", "day"),
        ("방금 전", "2026-12-01 00:00:00", "day"),
        ("방금", "2026-12-01 00:00:00", "day"),
        ("2 hours ago", "2026-11-30 00:00:00", "day"),
        ("an hour ago", "2026-11-30 00:00:00", "day"),
        ("1 day, 3 hours ago", "2026-11-29 00:00:00", "day"),
        ("2 days ago", "2026-11-29 00:00:00", "day"),
        ("yesterday", "2026-11-30 00:00:00", "day"),
        ("just now", "2026-12-01 00:00:00", "day"),
    ],
)
def test_D17_relative_dates_count_from_our_fetch(raw: str, moment: str, precision: str) -> None:
    assert shown(raw) == (moment, precision)


@pytest.mark.parametrize(
    "raw",
    [
        "통일농구 오늘은 친선 남북대결",
        "문화누리카드가 다음 달부터 전국의 모든 대학에서 4월 8일 쓰인다",
        "오늘밤 기온 뚝",
        "남자배구 한일전 승리",
    ],
)
def test_D17_a_sentence_that_mentions_a_day_is_not_dated_by_it(raw: str) -> None:
    assert read(raw, seen=SEEN) == NOTHING


@pytest.mark.parametrize(
    "raw", ["3개월 전", "1년 전", "99999주 전", "1년 2일 전", "2 months ago", "last week", "내일", "시간 전"]
)
def test_D17_what_names_no_day_is_no_date(raw: str) -> None:
    assert read(raw, seen=SEEN) == NOTHING


def test_D19_a_date_weeks_ahead_stays_what_it_says() -> None:
    assert shown("Tue, 22 Dec 2026 10:00:00 +0900") == ("2026-12-22 10:00:00", "second")


@pytest.mark.parametrize(
    ("raw", "moment", "precision"),
    [
        ("Tue, 01 Dec 2026 24:00:00 +0900", "2026-12-02 00:00:00", "second"),
        ("2026-12-31 24:00", "2027-01-01 00:00:00", "minute"),
        ("Tue, 01 Dec 2026 23:59:60 +0900", "2026-12-01 23:59:59", "second"),
        ("2026-12-01T14:30:60+09:00", "2026-12-01 14:30:59", "second"),
    ],
)
def test_D21_twenty_four_hours_and_leap_seconds_have_a_moment(raw: str, moment: str, precision: str) -> None:
    assert shown(raw) == (moment, precision)


@pytest.mark.parametrize("raw", ["2026-03-05 25:99", "2026-03-05 24:30", "2026-03-05 14:75", "2026.03.05 조회 1234"])
def test_D21_an_unreadable_time_leaves_the_day(raw: str) -> None:
    assert shown(raw) == ("2026-03-05 00:00:00", "day")


@pytest.mark.parametrize(
    "raw",
    [
        "Thurs, 11 Oct 2012",
        "Thursday,October 11,2012",
        "Thu, 11 October 2012",
        "October 11th, 2012",
        "11 Oct. 2012",
        "11-Oct-2012",
        "2012 Oct 11",
        "10/11/2012",
        "11.10.2012",
    ],
)
def test_D23_odd_english_dates_name_their_day(raw: str) -> None:
    assert shown(raw) == ("2012-10-11 00:00:00", "day")


@pytest.mark.parametrize("zone", ["-0000", "+0000", "GMT", "+00:00"])
def test_D25_zero_offsets_of_any_sign_are_utc(zone: str) -> None:
    dated = read(f"Mon, 6 Aug 2018 18:11:54 {zone}", seen=SEEN)
    assert dated == Dated(int(datetime.fromisoformat("2018-08-06T18:11:54+00:00").timestamp()), "second", False)


@pytest.mark.parametrize(
    "raw",
    [
        "\n\t Wed, 02 Jan 2019 07:03:36 GMT\t",
        "\ufeffWed, 02 Jan 2019 07:03:36 GMT\u200b",
        "Wed,\u00a002\u00a0Jan\u00a02019\u00a007:03:36\u00a0GMT",
        "Wed,\u300002 Jan\u20032019\r\n07:03:36 GMT",
        "Wed, 02 Jan 2019 07:03:36 GMT\x00",
        "Ｗｅｄ， ０２ Ｊａｎ ２０１９ ０７：０３：３６ ＧＭＴ",
    ],
)
def test_D27_white_space_and_width_do_not_matter(raw: str) -> None:
    assert shown(raw) == ("2019-01-02 16:03:36", "second")


@pytest.mark.parametrize(
    "raw",
    [
        "1513", "2026", "1513-01-01", "0000-00-00 00:00:00", "0001-01-01T00:00:00Z", "1900-01-01", "1945-12-31",
        "2100-01-01", "9999-12-31", "20261301", "2026-02-30", "2026-13-05", "Thu, 32 Mar 2026", "13월 1일",
        "1970-01-01T00:00:00Z", "0", "-1", "2026-03", "2026년 3월", "2026년 3월호", "", " ", "abc", "null", "?",
        "2026-W10-4", "2026-064", "1.5", "제397호",
    ],
)  # fmt: skip
def test_D29_what_is_out_of_range_or_incomplete_is_no_date(raw: str) -> None:
    assert read(raw, seen=SEEN) == NOTHING


@pytest.mark.parametrize(
    "raw",
    [
        "Thu, 01 Jan 1970 00:00:00 +0000", "Thu, 01 Jan 1970 09:00:00 +0900", "Wed, 31 Dec 1969 19:00:00 -0500",
        "Wed, 31 Dec 1969 23:59:59 GMT", "1970.01.01 09:00", "1970년 1월 1일 오전 9:00", "01 Jan 1970", "1970-01-01 00:00:00",
        "Thu Jan 01 00:00:00 UTC 1970", "Mon, 01 Jan 0001 00:00:00 +0000", "Mon, 01-Jan-0001 00:00:00 GMT",
        "January 1, 0001", "1/1/0001 12:00:00 AM", "Wed, 30 Nov -0001 00:00:00 +0000", "Wed, 30 Nov -1 00:00:00",
        "1 Jan 1945", "1945년 1월 1일",
        "단기 4359년 3월 5일", "3월 5일 4359", "Fri, 31 Dec 9999 23:59:59 GMT", "31 Feb 2026 10:00",
    ],
)  # fmt: skip
def test_D29_a_day_with_a_year_that_counts_for_nothing_is_not_a_day_of_this_year(raw: str) -> None:
    assert read(raw, seen=SEEN) == NOTHING


@pytest.mark.parametrize("raw", ["1946-01-01", "1954.3.1", "2099-12-31", "1970-01-02", "1969-12-31"])
def test_D29_the_whole_life_of_campus_papers_is_in_range(raw: str) -> None:
    assert read(raw, seen=SEEN).precision == "day"


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        ("승인 2014.11.25 21:33", "2014-11-25 21:33:00"),
        ("입력 2026.09.21 14:11", "2026-09-21 14:11:00"),
        ("등록일 2026.09.21 14:11", "2026-09-21 14:11:00"),
        ("기사입력 : 2026-09-21 14:11", "2026-09-21 14:11:00"),
        ("승인 2022.10.06 10:00 | 수정 2022.10.07 13:14", "2022-10-06 10:00:00"),
        ("수정 2022.10.07 13:14 | 승인 2022.10.06 10:00", "2022-10-06 10:00:00"),
        ("최종편집 : 2016.5.31 화 22:31", "2016-05-31 22:31:00"),
    ],
)
def test_labels_are_dropped_and_an_edit_yields_to_the_publication(raw: str, moment: str) -> None:
    assert shown(raw) == (moment, "minute")


def test_labels_glued_to_their_dates_are_dropped() -> None:
    assert shown("승인2022.10.06l수정2022.10.07 13:14l397호 1면") == ("2022-10-06 00:00:00", "day")


@pytest.mark.parametrize("raw", ["승인 2010.09.08 00:00", "2010-09-08 00:00:00", "2010-09-08T00:00"])
def test_midnight_without_a_zone_is_a_day_without_a_time(raw: str) -> None:
    assert read(raw, seen=SEEN) == Dated(kst("2010-09-08"), "day", True)


def test_midnight_with_a_zone_is_a_moment() -> None:
    assert shown("Wed, 08 Sep 2010 00:00:00 +0900") == ("2010-09-08 00:00:00", "second")


@pytest.mark.parametrize(
    ("raw", "moment", "precision"),
    [
        ("2026-03-05T14:30:00+09:00", "2026-03-05 14:30:00", "second"),
        ("2026-03-05T05:30:00.123Z", "2026-03-05 14:30:00", "second"),
        ("2026-03-05T14:30:00,5+0900", "2026-03-05 14:30:00", "second"),
        ("2026-03-05t05:30z", "2026-03-05 14:30:00", "minute"),
        ("2026-03-05T14+09:00", "2026-03-05 14:00:00", "hour"),
        ("2026-03-05", "2026-03-05 00:00:00", "day"),
        ("2026-03-05+09:00", "2026-03-05 00:00:00", "day"),
        ("Thu Mar 05 14:30:00 KST 2026", "2026-03-05 14:30:00", "second"),
        ("Thu Mar 05 14:30:00 +0900 2026", "2026-03-05 14:30:00", "second"),
        ("Thu Mar 05 2026 14:30:00 GMT+0900 (한국 표준시)", "2026-03-05 14:30:00", "second"),
        ("05/Mar/2026:14:30:00 +0900", "2026-03-05 14:30:00", "second"),
    ],
)
def test_iso_asctime_and_program_forms_are_read(raw: str, moment: str, precision: str) -> None:
    assert shown(raw) == (moment, precision)


def test_a_text_far_too_long_for_a_date_is_none() -> None:
    assert read("1" * 1_000_000, seen=SEEN) == NOTHING
    assert read("가 " * 500 + "2026-03-05", seen=SEEN) == NOTHING


@pytest.mark.parametrize("piece", ["1시간 ", "1 ", "1.", "a ", "1 abc ", "3 월 ", "오후", "(a", "2026-01-01 ", "-/. "])
def test_no_repetition_takes_a_parser_long(piece: str) -> None:
    """Would not return for years if a pattern could match one text in many ways."""
    raw = piece * (300 // len(piece))
    read(raw, seen=SEEN)
    read(f"2026-03-05 {raw}"[:300], seen=SEEN)


PIECES = st.sampled_from(
    ["2026", "26", "3", "05", "월", "일", "년", "오후", "am", "-", ".", "/", ":", " ", "T", "Z", "+0900", "Mar", "전",
     "시간", "ago", "어제", "24", "60", "99", "(목)", ",", "시", "분", "\x00", "１", "٣"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=14).map("".join)))
def test_no_text_raises_and_every_date_is_in_range(raw: str) -> None:
    dated = read(raw, seen=SEEN)
    assert (dated.at is None) == (dated.precision == "none")
    if dated.at is not None:
        assert kst("1946-01-01") <= dated.at < kst("2100-01-01")
        assert dated.precision != "day" or (dated.at + 9 * 3600) % 86_400 == 0


@given(st.integers(kst("1971-01-01"), kst("2099-12-30")))
def test_every_moment_survives_every_common_writing(at: int) -> None:
    moment = datetime.fromtimestamp(at, KST)
    for form in ("%Y-%m-%dT%H:%M:%S%z", "%a, %d %b %Y %H:%M:%S %z", "%Y.%m.%d %H:%M:%S KST", "%Y%m%d%H%M%S+0900",
                 "%Y년 %m월 %d일 %p %I:%M:%S KST"):  # fmt: skip
        assert read(moment.strftime(form), seen=SEEN) == Dated(at, "second", False)
