"""Entries for those who pay or belong get no card (P38)."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawl import members
from crawl.model import Entry, Feed
from tests.nights import Hub, Scripted, answer, feed, registry, rss

MARKED = [
    "[유료] 총장 단독 인터뷰", "[유료기사] 재정 보고서 뜯어보기", "(구독자 전용) 겨울호 특집", "【회원전용】 편집후기",
    "편집장의 편지 [후원회원 전용]", "[기획][멤버십 전용] 학과 통폐합 그 후", "유료 | 십 년의 기록", "독자 전용: 못다 한 이야기",
    "🔒 편집장의 편지", "<유료 구독자 전용> 뒷이야기", "[Members only] Notes from the newsroom", "［유료］ 좌담",
    "Editor's letter (Subscribers-only)", "[Paid] The long read",
]  # fmt: skip
FREE = [
    "유료 주차 첫날 혼란", "회원 전용 게시판 폐쇄 논란", "[사설] 유료 강의실 대관을 멈춰라", "구독자 1만 명 넘은 학교 채널",
    "[회원 모집] 학보사 수습기자", "멤버십 도입한 학생식당", "[독자 기고] 도서관에서", "[후원] 발전기금 모금 시작",
    "(회원) 총회 열려", "Paid internships are rare", "[Members] New faces", "회원: 동아리의 주인", "[유료화 논란] 프린터실",
    "[구독] 이달의 책", "도서관 자물쇠 🔒 바뀐다",
]  # fmt: skip
ABOUT = "이 글은 회원들이 함께 썼고 누구나 읽을 수 있습니다. 본 기사는 유료 주차장을 다룹니다."


@pytest.mark.parametrize("title", MARKED)
def test_P38_a_mark_for_payers_or_members_is_known(title: str) -> None:
    assert members.is_marked(Entry("https://a.example/1", title))


@pytest.mark.parametrize("title", FREE)
def test_P38_an_article_about_paying_or_members_is_none(title: str) -> None:
    assert not members.is_marked(
        Entry("https://a.example/1", title, summary=f"{title}. 이 글은 누구나 읽는다.", tags=("유료", "회원"))
    )


@pytest.mark.parametrize(
    "summary",
    [
        "이 글은 유료 구독자만 읽을 수 있습니다.", "좌담을 싣는다. 본 기사는 회원 전용 기사입니다.",
        "이 콘텐츠는 후원 회원에게 공개됩니다.", "이 포스트는 구독자만 볼 수 있어요",
        "This post is for paid subscribers", "This article is for subscribers only.",
    ],
)  # fmt: skip
def test_P38_so_is_the_sentence_in_place_of_a_summary(summary: str) -> None:
    assert members.is_marked(Entry("https://a.example/1", "편집장의 편지", summary=summary))


def test_P38_a_category_or_section_that_says_nothing_else_is_one() -> None:
    assert members.is_marked(Entry("https://a.example/1", "좌담", tags=("특집", "멤버십 전용")))
    assert members.is_marked(Entry("https://a.example/1", "좌담", section="유료"))


def test_what_is_left_out_is_counted_and_the_rest_stays_in_order() -> None:
    entries = tuple(Entry(f"https://a.example/{at}", title) for at, title in enumerate(("하나", MARKED[0], "둘")))
    found = members.without(Feed("rss20", "", "ko", entries, ("bozo",)))
    assert [entry.title for entry in found.entries] == ["하나", "둘"]
    assert found.flags == ("bozo", "members_only:1")


def test_P38_nothing_of_such_an_entry_is_stored(memory_path: Path) -> None:
    url = "https://news.hanbit.ac.example/rss/allArticle.xml"
    web = Scripted({url: [answer(body=rss("봄 축제", "[유료] 총장 인터뷰", "개강"))]})
    one = Hub(memory_path, web, registry([feed(url)]))
    one.night()
    assert one.read("SELECT title FROM articles ORDER BY id") == [("봄 축제",), ("개강",)]
    assert one.read("SELECT reason FROM looks") == [("members_only:1",)]
