"""The Atom feeds: well-formed, escaped, with ids that last and times from data only."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import feedparser

from build import db, outfeeds
from build.records import Press
from tests import sitefixture
from tests.sitefixture import Story

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = '</title><script>alert("1")</script> & ]]> &amp; \x0b\ud7ff'


def press_of(folder: Path, *stories: Story) -> Press:
    sitefixture.fill(folder / "press.db", stories or sitefixture.STORIES)
    return db.load(folder)


def entries(feed: outfeeds.OutFeed) -> list[ET.Element]:
    return ET.fromstring(feed.body).findall(f"{ATOM}entry")


def test_every_entry_has_what_rfc_4287_demands(tmp_path: Path) -> None:
    feed = outfeeds.all_outlets(press_of(tmp_path), "https://campus.example/press/")
    root = ET.fromstring(feed.body)
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
    parsed = feedparser.parse(outfeeds.all_outlets(press_of(tmp_path), "").body)
    assert (parsed.bozo, parsed.version) == (False, "atom10")
    newest = parsed.entries[1]
    assert newest.title == "총학생회 선거 투표율 58.2%…두 해 만에 개표 성사"
    assert newest.link == "https://hanbit-news.example/news/1"
    assert newest.published == "2026-11-30T15:01:00Z"
    assert newest.author == "김하늘 기자 (한빛대학보)"
    assert [tag.term for tag in newest.tags] == ["보도", "총학생회"]


def test_hostile_titles_are_text_in_a_feed(tmp_path: Path) -> None:
    press = press_of(tmp_path, Story("hanbit-news", HOSTILE, "2026-11-01", HOSTILE, HOSTILE, tags=(HOSTILE,)))
    (entry,) = entries(outfeeds.all_outlets(press, ""))
    expected = HOSTILE.replace("\x0b", "")
    assert entry.findtext(f"{ATOM}title") == expected
    assert entry.findtext(f"{ATOM}summary") == expected
    assert b"<script" not in outfeeds.all_outlets(press, "").body


def test_ids_stay_when_the_site_moves_or_a_story_is_edited(tmp_path: Path) -> None:
    before = outfeeds.all_outlets(
        press_of(tmp_path / "a", Story("hanbit-news", "하나", "2026-11-01")), "https://a.example/"
    )
    after = outfeeds.all_outlets(
        press_of(tmp_path / "b", Story("hanbit-news", "둘", "2026-11-02")), "https://b.example/x/"
    )
    assert entries(before)[0].findtext(f"{ATOM}id") == entries(after)[0].findtext(f"{ATOM}id")
    assert ET.fromstring(before.body).findtext(f"{ATOM}id") == ET.fromstring(after.body).findtext(f"{ATOM}id")


def test_ids_are_distinct(tmp_path: Path) -> None:
    press = press_of(tmp_path)
    found = [entry.findtext(f"{ATOM}id") or "" for entry in entries(outfeeds.all_outlets(press, ""))]
    found += [
        ET.fromstring(outfeeds.of_outlet(outlet, [], "").body).findtext(f"{ATOM}id") or "" for outlet in press.outlets
    ]
    assert len(set(found)) == len(found)
    assert all(one.startswith("urn:uuid:") for one in found)


def test_updated_comes_from_data_alone(tmp_path: Path) -> None:
    story = Story("hanbit-news", "x", "2026-11-01", first_seen="2026-11-02 00:05")
    press = press_of(tmp_path, story)
    assert ET.fromstring(outfeeds.all_outlets(press, "").body).findtext(f"{ATOM}updated") == "2026-11-01T15:05:00Z"
    silent = next(outlet for outlet in press.outlets if outlet.slug == "silent-press")
    assert ET.fromstring(outfeeds.of_outlet(silent, [], "").body).findtext(f"{ATOM}updated") == "1970-01-01T00:00:00Z"


def test_an_unknown_date_is_not_published_in_a_feed(tmp_path: Path) -> None:
    press = press_of(tmp_path, Story("hanbit-news", "x", precision="none"))
    assert entries(outfeeds.all_outlets(press, ""))[0].find(f"{ATOM}published") is None


def test_a_story_without_a_safe_address_is_left_out(tmp_path: Path) -> None:
    press = press_of(tmp_path, Story("hanbit-news", "x", "2026-11-01", url="javascript:alert(1)"))
    assert entries(outfeeds.all_outlets(press, "")) == []


def test_english_titles_of_english_papers_say_so(tmp_path: Path) -> None:
    press = press_of(tmp_path, Story("haneul-times", "Library Opens", "2026-11-01"))
    assert entries(outfeeds.all_outlets(press, ""))[0].get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
