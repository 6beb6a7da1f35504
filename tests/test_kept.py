"""What of an article reaches the files, over whole nights: no more words than promised, no date that moves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crawl.clock import parse_at
from crawl.policy import Policy
from tests.nights import FIRST_NIGHT, Hub, Scripted, answer, registry

FEED = "https://news.hanbit.ac.example/rss/allArticle.xml"
LIMIT = Policy().summary_max_chars
LAST_WORDS = "끝까지 읽은 사람만 아는 마지막 문장"


def rss(more: str, title: str = "총학생회 선거 투표 마감") -> bytes:
    item = f"<item><title>{title}</title><link>https://news.hanbit.ac.example/1</link>{more}</item>"
    return f'<rss version="2.0"><channel><title>한빛대신문</title>{item}</channel></rss>'.encode()


def atom(more: str, title: str = "총학생회 선거 투표 마감") -> bytes:
    entry = f"<entry><title>{title}</title><link href='https://news.hanbit.ac.example/1'/><id>1</id>{more}</entry>"
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>한빛대신문</title>{entry}</feed>'.encode()


def nights(root: Path, *bodies: bytes, title_only: bool = False) -> Hub:
    books = registry([FEED])
    if title_only:
        books = replace(books, outlets=tuple(replace(outlet, title_only=True) for outlet in books.outlets))
    hub = Hub(root / "hub", Scripted({FEED: [answer(body=body) for body in bodies]}), books)
    for number in range(1, len(bodies) + 1):
        hub.night(number)
    return hub


def stored_bytes(hub: Hub) -> bytes:
    return b"".join(
        path.read_bytes() for folder in (hub.data, hub.state) for path in folder.rglob("*") if path.is_file()
    )


# ---- words ----


@pytest.mark.parametrize("element", ["description", "content:encoded", "itunes:summary", "summary", "fullitem"])
def test_P02_of_a_whole_text_only_its_start_reaches_any_file(tmp_path: Path, element: str) -> None:
    text = f"투표가 끝났다. {'개표는 밤새 이어진다. ' * 80}{LAST_WORDS}"
    hub = nights(tmp_path, rss(f"<{element}><![CDATA[<p>{text}</p>]]></{element}>"))
    ((summary, derived),) = hub.read("SELECT summary, summary_derived FROM articles")
    assert str(summary).startswith("투표가 끝났다. 개표는")
    assert (len(str(summary)) <= LIMIT, derived) == (True, 1)
    assert LAST_WORDS.encode() not in stored_bytes(hub)


def test_P02_an_outlets_own_summary_is_not_marked_as_derived(tmp_path: Path) -> None:
    lead = "개표는 밤새 이어진다. " * 25
    hub = nights(tmp_path, rss(f"<description>{lead}</description>"))
    ((summary, derived),) = hub.read("SELECT summary, summary_derived FROM articles")
    assert (len(str(summary)) <= LIMIT, derived) == (True, 0)


def test_P02_of_a_title_only_outlet_no_word_of_a_summary_reaches_any_file(tmp_path: Path) -> None:
    body = f"<description>{LAST_WORDS}</description><author>김하늘 기자</author>"
    hub = nights(tmp_path, rss(body), rss(body, "총학생회 선거 개표"), title_only=True)
    assert hub.read("SELECT title, summary, summary_derived, byline FROM articles") == [
        ("총학생회 선거 개표", "", 0, "김하늘 기자")
    ]
    assert LAST_WORDS.encode() not in stored_bytes(hub)


def test_P02_a_title_only_outlets_unchanged_feed_is_unchanged(tmp_path: Path) -> None:
    same = rss(f"<description>{LAST_WORDS}</description>")
    hub = nights(tmp_path, same, same + b"\n", title_only=True)
    assert hub.read("SELECT changed_articles FROM nights") == [(0,), (0,)]


def test_P02_an_outlet_that_wants_titles_alone_from_now_on_keeps_none_of_its_stored_summaries(tmp_path: Path) -> None:
    edits = [f"<description>{LAST_WORDS} {number}</description>" for number in (1, 2)]
    hub = nights(tmp_path, *(rss(edit) for edit in edits))
    assert hub.read("SELECT count(*) FROM revisions") == [(1,)]
    hub.books = replace(hub.books, outlets=tuple(replace(outlet, title_only=True) for outlet in hub.books.outlets))
    hub.night(3)
    assert hub.read("SELECT summary FROM articles") == [("",)]
    assert LAST_WORDS.encode() not in stored_bytes(hub)
    assert hub.read("SELECT changed_articles FROM nights WHERE id = 3") == [(0,)]


# ---- dates ----


def test_D17_a_relative_date_of_a_feed_is_resolved_once_to_its_day(tmp_path: Path) -> None:
    hub = nights(tmp_path, *(rss(f"<pubDate>{said}</pubDate>") for said in ("3시간 전", "27시간 전", "2일 전")))
    assert hub.read("SELECT published, precision FROM articles") == [(int(FIRST_NIGHT) - 86_400, "day")]


def test_D17_at_five_past_midnight_three_hours_ago_was_yesterday(tmp_path: Path) -> None:
    hub = Hub(tmp_path / "hub", Scripted({FEED: [answer(body=rss("<pubDate>3시간 전</pubDate>"))]}), registry([FEED]))
    hub.night(at=parse_at("2026-03-05T00:05"))
    assert hub.read("SELECT published FROM articles") == [(int(parse_at("2026-03-04T00:00")),)]


def test_an_entry_that_only_says_when_it_was_updated_keeps_the_first_date_known(tmp_path: Path) -> None:
    said = [
        ("2026-03-04T10:00:00+09:00", "총학생회 선거 투표 마감"),
        ("2026-03-05T23:00:00+09:00", "총학생회 선거 개표"),
    ]
    hub = nights(tmp_path, *(atom(f"<updated>{at}</updated>", title) for at, title in said))
    assert hub.read("SELECT title, published, date_from FROM articles") == [
        ("총학생회 선거 개표", int(parse_at("2026-03-04T10:00")), "feed_updated")
    ]
    assert hub.read("SELECT field, old FROM revisions") == [("title", "총학생회 선거 투표 마감")]


def test_the_date_of_publication_takes_its_place_when_it_comes(tmp_path: Path) -> None:
    updated = "<updated>2026-03-04T10:00:00+09:00</updated>"
    hub = nights(tmp_path, atom(updated), atom(f"{updated}<published>2026-03-01T09:00:00+09:00</published>"))
    assert hub.read("SELECT published, date_from FROM articles") == [(int(parse_at("2026-03-01T09:00")), "feed")]


def test_P22_a_feeds_own_next_page_is_not_followed(tmp_path: Path) -> None:
    more = '<link rel="next" href="https://news.hanbit.ac.example/rss?page=2"/>'
    body = atom("").replace(b"<title>", more.encode() + b"<title>", 1)
    hub = nights(tmp_path, body)
    assert [asked for _, asked, _ in hub.web.heard] == [FEED]
