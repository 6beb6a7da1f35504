"""P04: what may never be registered is refused by name, and student papers are never taken for it."""

from __future__ import annotations

import pytest

from crawl import declined, registry
from crawl.errors import RegistryInvalid

OUTLETS = """slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note
hanbit-news,{name},Hanbit News,한빛대학교,hanbit,newspaper,https://news.hanbit.ac.example,서울,active,,,
"""
SOURCES = """outlet,kind,url,cms,state,recheck,note
hanbit-news,{kind},{url},,{state},,
"""
EXCLUSIONS = "key,scope,reason,requested,since\n"


def problems(url: str, *, kind: str = "list", state: str = "active", name: str = "한빛대신문") -> list[str]:
    """What `check` says of a registry whose only source has this address."""
    files = {
        "data/outlets.csv": OUTLETS.format(name=name).encode(),
        "data/sources.csv": SOURCES.format(url=url, kind=kind, state=state).encode(),
        "data/exclusions.csv": EXCLUSIONS.encode(),
    }
    try:
        registry.parse(files)
    except RegistryInvalid as trouble:
        return [str(problem) for problem in trouble.problems]
    return []


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://ipsi.hanbit.ac.kr/notice", "admissions or PR office"),
        ("https://ipsi2.hanbit.ac.kr/notice", "admissions or PR office"),
        ("https://go.hanbit.ac.kr/", "admissions or PR office"),
        ("https://admission.hanbit.edu/news", "admissions or PR office"),
        ("https://www.hanbit.ac.kr/pressrelease/list.do", '"pressrelease" looks like'),
        ("https://www.hanbit.ac.kr/kr/press-releases", '"press-releases" looks like'),
        ("https://www.hanbit.ac.kr/%EB%B3%B4%EB%8F%84%EC%9E%90%EB%A3%8C/1", '"보도자료" looks like'),
        ("https://www.hanbit.ac.kr/iphak/board", '"iphak" looks like'),
        ("https://m.facebook.com/hanbitnews", "social-media"),
        ("https://x.com/hanbitnews", "social-media"),
        ("https://gall.dcinside.com/board/lists?id=hanbit", "community board"),
        ("https://n.news.naver.com/article/001/1", "portal"),
        ("https://tv.naver.com/hanbit", "video service"),
        ("https://finance.naver.com/item/main?code=1", "real-time"),
        ("https://bit.ly/3abc", "register the address it leads to"),
        ("https://rss.app/feeds/abc.xml", "third party"),
        ("https://web.archive.org/web/2020/http://news.hanbit.ac.example/", "third party's copy"),
    ],
)  # fmt: skip
def test_P04_check_refuses_channels_that_are_no_outlets_own(url: str, named: str) -> None:
    (told,) = problems(url)
    assert told.startswith("data/sources.csv:2: ")
    assert named in told
    assert "; remove the row, or have the reason reviewed" in told


@pytest.mark.parametrize(
    "url",
    [
        "https://press.hanbit.ac.kr/news/articleList.html?view_type=sm",
        "https://news.hanbit.ac.kr/",
        "https://hanbit.ac.kr/press/na/ntt/selectNttList.do",
        "https://www.hanbit.ac.kr/skpress",
        "https://enews.hanbit.ac.kr/pr-club/list",
        "https://gonews.hanbit.ac.kr/",
        "https://enter.ac.kr/press",
        "https://brunch.co.kr/@hanbit",
        "https://hanbitx.com/",
        "https://blog.naver.com/hanbit",
        "https://admission-stories.example/press-release",
    ],
)
def test_P04_student_media_are_never_taken_for_an_office(url: str) -> None:
    assert problems(url) == []


def test_P05_a_channel_stands_frozen_or_not_at_all() -> None:
    channel = "https://www.youtube.com/channel/UCx"
    assert problems(channel, kind="youtube", state="frozen") == []
    assert any("P05" in told for told in problems(channel))


@pytest.mark.parametrize("host", declined.HOSTS)
def test_P04_every_declined_host_is_refused_with_everything_below_it(host: str) -> None:
    assert declined.reason_for(f"https://www.{host}/feed")
    assert declined.reason_for(f"http://sub.{host}/")
    assert declined.reason_for(f"https://not{host}/") is None


def test_what_a_probe_left_open_is_not_in_order_until_somebody_fills_it_in() -> None:
    (told,) = problems("https://news.hanbit.ac.example/rss", name="?the outlet's own name")
    assert told == 'data/outlets.csv:2: the cell "name" still says "?the outlet\'s own name"; write what is meant'
