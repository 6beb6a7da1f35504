"""The Atom feeds: well-formed, escaped, with ids that last and times from data only."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import feedparser

from build import db, outfeeds
from tests import sitefixture
from tests.sitefixture import Story

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = '</title><script>alert("1")</script> & ]]> &amp; \x0b\ud7ff'


def feeds_of(folder: Path, *stories: Story, base_url: str = "") -> dict[str, bytes]:
    """All feeds by path."""
    sitefixture.fill(folder / "press.db", stories or sitefixture.STORIES)
    with db.opened(folder) as press:
        return {
            feed.path: feed.body({card.id: card for card in press.read(feed.ids)})
            for feed in outfeeds.feeds(press, base_url)
        }


def everything(folder: Path, *stories: Story, base_url: str = "") -> bytes:
    return feeds_of(folder, *stories, base_url=base_url)["feeds/all.atom"]


def entries(document: bytes) -> list[ET.Element]:
    return ET.fromstring(document).findall(f"{ATOM}entry")


def test_every_entry_has_what_rfc_4287_demands(tmp_path: Path) -> None:
    feed = everything(tmp_path, base_url="https://campus.example/press/")
    root = ET.fromstring(feed)
    for needed in ("id", "title", "updated", "author"):
        assert root.find(f"{ATOM}{needed}") is not None
    assert [link.get("href") for link in root.findall(f"{ATOM}link")] == [
        "https://campus.example/press/feeds/all.atom",
        "https://campus.example/press/",
    ]
    assert len(entries(feed)) == len(sitefixture.STORIES)
    for entry in entries(feed):
        for needed in ("id", "title", "updated", "author", "link"):
            assert entry.find(f"{ATOM}{needed}") is not None


def test_a_known_feed_parser_reads_our_feed(tmp_path: Path) -> None:
    parsed = feedparser.parse(everything(tmp_path))
    assert (parsed.bozo, parsed.version) == (False, "atom10")
    newest = parsed.entries[1]
    assert newest.title == "총학생회 선거 투표율 58.2%…두 해 만에 개표 성사"
    assert newest.link == "https://hanbit-news.example/news/1"
    assert newest.published == "2026-11-30T15:01:00Z"
    assert newest.author == "김하늘 기자 (한빛대학보)"
    assert [tag.term for tag in newest.tags] == ["보도", "총학생회"]


def test_hostile_titles_are_text_in_a_feed(tmp_path: Path) -> None:
    document = everything(tmp_path, Story("hanbit-news", HOSTILE, "2026-11-01", HOSTILE, HOSTILE, tags=(HOSTILE,)))
    (entry,) = entries(document)
    expected = HOSTILE.replace("\x0b", "")
    assert entry.findtext(f"{ATOM}title") == expected
    assert entry.findtext(f"{ATOM}summary") == expected
    assert b"<script" not in document


def test_ids_stay_when_the_site_moves_or_a_story_is_edited(tmp_path: Path) -> None:
    before = everything(tmp_path / "a", Story("hanbit-news", "하나", "2026-11-01"), base_url="https://a.example/")
    after = everything(tmp_path / "b", Story("hanbit-news", "둘", "2026-11-02"), base_url="https://b.example/x/")
    assert entries(before)[0].findtext(f"{ATOM}id") == entries(after)[0].findtext(f"{ATOM}id")
    assert ET.fromstring(before).findtext(f"{ATOM}id") == ET.fromstring(after).findtext(f"{ATOM}id")


def test_ids_are_distinct(tmp_path: Path) -> None:
    documents = feeds_of(tmp_path)
    found = [entry.findtext(f"{ATOM}id") or "" for entry in entries(documents["feeds/all.atom"])]
    found += [ET.fromstring(document).findtext(f"{ATOM}id") or "" for document in documents.values()]
    assert len(documents) == 1 + len(sitefixture.OUTLETS)
    assert len(set(found)) == len(found)
    assert all(one.startswith("urn:uuid:") for one in found)


def test_updated_comes_from_data_alone(tmp_path: Path) -> None:
    story = Story("hanbit-news", "x", "2026-11-01", first_seen="2026-11-02 00:05")
    documents = feeds_of(tmp_path, story)
    assert ET.fromstring(documents["feeds/all.atom"]).findtext(f"{ATOM}updated") == "2026-11-01T15:05:00Z"
    assert ET.fromstring(documents["feeds/o/silent-press.atom"]).findtext(f"{ATOM}updated") == "1970-01-01T00:00:00Z"


def test_an_unknown_date_is_not_published_in_a_feed(tmp_path: Path) -> None:
    assert (
        entries(everything(tmp_path, Story("hanbit-news", "x", precision="none")))[0].find(f"{ATOM}published") is None
    )


def test_a_story_without_a_safe_address_is_left_out(tmp_path: Path) -> None:
    assert entries(everything(tmp_path, Story("hanbit-news", "x", "2026-11-01", url="javascript:alert(1)"))) == []


def test_english_titles_of_english_papers_say_so(tmp_path: Path) -> None:
    (entry,) = entries(everything(tmp_path, Story("haneul-times", "Library Opens", "2026-11-01")))
    assert entry.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
