"""Insert, update or skip, with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crawl import decide
from crawl.clock import parse_at
from crawl.model import Entry, Precision, Revision, StoredArticle


def at(text: str) -> int:
    return int(parse_at(text))


SEEN = parse_at("2026-12-01T00:10")
ENTRY = Entry(
    url="https://news.hanbit.example/news/articleView.html?idxno=1",
    title="총학생회 선거 투표 마감",
    guid="1",
    summary="개표는 오늘 밤 시작한다.",
    byline="김하늘 기자",
    published=at("2026-11-30T14:30"),
    precision="minute",
    published_raw="2026-11-30 14:30",
    date_from="feed_kst",
    tags=("보도", "학생자치"),
)


def stored(entry: Entry) -> StoredArticle:
    return StoredArticle(5, b"12345678", 1, int(SEEN), entry, decide.digest(entry))


def test_an_unknown_entry_is_inserted() -> None:
    assert decide.change(None, ENTRY, SEEN).action == "insert"


def test_the_same_entry_is_skipped() -> None:
    assert decide.change(stored(ENTRY), ENTRY, SEEN).action == "skip"
    assert decide.change(stored(ENTRY), replace(ENTRY, tags=("학생자치", "보도")), SEEN).action == "skip"


def test_I27_an_edited_title_updates_and_keeps_the_earlier_one() -> None:
    change = decide.change(stored(ENTRY), replace(ENTRY, title="총학생회 선거 개표 시작"), SEEN)
    assert (change.action, change.reason) == ("update", "edited")
    assert change.revisions == (Revision("title", ENTRY.title),)


def test_an_edited_summary_is_a_revision_and_a_new_byline_is_not() -> None:
    summary = decide.change(stored(ENTRY), replace(ENTRY, summary="개표가 끝났다."), SEEN)
    byline = decide.change(stored(ENTRY), replace(ENTRY, byline="이도윤 기자"), SEEN)
    assert summary.revisions == (Revision("summary", ENTRY.summary),)
    assert (byline.action, byline.revisions) == ("update", ())


def test_a_new_address_under_the_same_guid_is_a_move() -> None:
    change = decide.change(stored(ENTRY), replace(ENTRY, url="https://hanbit.example/1"), SEEN)
    assert (change.action, change.reason) == ("update", "moved")


@pytest.mark.parametrize("raw", ["3시간 전", "12월 31일", "어제"])
def test_D17_a_date_that_depends_on_when_it_was_read_is_resolved_once(raw: str) -> None:
    first = replace(ENTRY, published=at("2026-11-30T21:10"), published_raw=raw)
    later = replace(ENTRY, published=at("2026-12-01T21:10"), published_raw=raw)
    assert decide.change(stored(first), later, SEEN + 86_400).action == "skip"


def test_D17_a_relative_date_that_has_aged_keeps_the_first_reading() -> None:
    first = replace(ENTRY, published=at("2026-11-30T21:10"), published_raw="3시간 전")
    later = replace(ENTRY, published=at("2026-11-30T23:10"), published_raw="25시간 전")
    assert decide.change(stored(first), later, SEEN + 86_400).entry.published == first.published


def test_a_corrected_full_date_is_taken() -> None:
    change = decide.change(
        stored(ENTRY), replace(ENTRY, published=at("2026-11-29T09:00"), published_raw="2026-11-29 09:00"), SEEN
    )
    assert change.action == "update"
    assert change.entry.published == parse_at("2026-11-29T09:00")


def test_a_date_that_vanished_from_the_feed_is_not_lost() -> None:
    change = decide.change(
        stored(ENTRY), replace(ENTRY, published=None, precision="none", published_raw="", date_from="none"), SEEN
    )
    assert change.action == "skip"


def test_the_date_of_an_edit_never_moves_a_date_that_is_known() -> None:
    later = replace(
        ENTRY, published=at("2026-12-01T09:00"), published_raw="2026-12-01T00:00:00Z", date_from="feed_updated"
    )
    for known in (ENTRY, replace(ENTRY, published_raw="2026-11-30T05:30:00Z", date_from="feed_updated")):
        assert decide.change(stored(known), later, SEEN).action == "skip"
        edited = decide.change(stored(known), replace(later, title="총학생회 선거 개표 시작"), SEEN)
        assert (edited.entry.published, edited.entry.date_from) == (ENTRY.published, known.date_from)
        assert edited.revisions == (Revision("title", ENTRY.title),)


def test_the_date_of_an_edit_stands_where_none_is_known_until_a_better_one_comes() -> None:
    undated = replace(ENTRY, published=None, precision="none", published_raw="", date_from="none")
    edit = replace(
        ENTRY, published=at("2026-12-01T09:00"), published_raw="2026-12-01T00:00:00Z", date_from="feed_updated"
    )
    assert decide.change(stored(undated), edit, SEEN).entry.published == edit.published
    assert decide.change(stored(edit), ENTRY, SEEN).entry.published == ENTRY.published


@pytest.mark.parametrize(
    ("day", "precision", "kept"),
    [("2026-11-30T00:00", "day", True), ("2026-11-29T00:00", "day", False), ("2026-11-30T14:31", "minute", False),
     ("2026-11-30T14:30", "second", False)],
)  # fmt: skip
def test_a_list_that_prints_last_years_articles_by_the_day_alone_takes_no_time_away(
    day: str, precision: Precision, kept: bool
) -> None:
    printed = replace(ENTRY, published=at(day), precision=precision, published_raw=day, date_from="list")
    change = decide.change(stored(ENTRY), printed, SEEN)
    assert (change.action == "skip") is kept
    assert change.entry.published == (ENTRY.published if kept else at(day))
