"""The site's feeds: by the rules of their formats, escaped, with ids that last and times from data only."""

from __future__ import annotations

import json
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
import pytest

from build import db, outfeeds, outopml
from crawl import feeds as crawl_feeds
from crawl import opml as crawl_opml
from tests import feedrules, sitefixture
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
    assert list(feedrules.atom(feed)) == []


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
    atoms = {path: body for path, body in documents.items() if path.endswith(".atom")}
    found = [entry.findtext(f"{ATOM}id") or "" for entry in entries(documents["feeds/all.atom"])]
    found += [ET.fromstring(document).findtext(f"{ATOM}id") or "" for document in atoms.values()]
    kinds = {outlet[5] for outlet in sitefixture.OUTLETS}
    assert len(atoms) == 1 + 3 + len(kinds) + 2 * len(sitefixture.OUTLETS)
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


SOUND = Story(
    "saebom-bs", "[라디오] 저녁 방송 12회", "2026-11-30 18:00", "음악과 이야기.", "새봄대방송국", kind="audio", tags=("저녁",),
    media_url="https://bs.saebom.example/a/12.mp3?x=1&y=2", media_type="audio/mpeg", media_bytes=24_100_000,
)  # fmt: skip
BARE_SOUND = Story("saebom-bs", "파일 없는 안내", "2026-11-29 18:00", kind="audio")
ODD_SOUND = Story("saebom-bs", "형식 모름", precision="none", kind="audio", media_url="https://bs.saebom.example/b")
PICTURE = Story("hanbit-news", "[포토] 첫눈", "2026-11-30", precision="day", kind="photo",
                image_url="http://hanbit-news.example/p/1.jpg")  # fmt: skip


def test_every_channel_tells_only_its_own(tmp_path: Path) -> None:
    documents = feeds_of(tmp_path, *sitefixture.STORIES, SOUND)

    def titles(path: str) -> list[str]:
        return [entry.findtext(f"{ATOM}title") or "" for entry in entries(documents[path])]

    assert titles("feeds/photos.atom") == ["[포토] 첫눈 내린 본관 앞"]
    assert titles("feeds/videos.atom") == ["[뉴스] 기숙사 난방 시간 조정"]
    assert titles("feeds/audio.atom") == [SOUND.title]
    assert titles("feeds/kind/english.atom") == titles("feeds/o/haneul-times.atom")
    assert titles("feeds/u/hanbit.atom") == titles("feeds/o/hanbit-news.atom")
    assert len(titles("feeds/kind/english.atom")) == 2
    assert titles("feeds/o/silent-press.atom") == []


def test_a_channel_tells_its_newest_first_and_not_too_many(tmp_path: Path) -> None:
    stories = [
        Story("hanbit-news", f"글 {n}", f"2026-11-{n % 28 + 1:02} 10:{n // 28:02}")
        for n in range(outfeeds.ALL_ENTRIES + 9)
    ]
    documents = feeds_of(tmp_path, *stories)
    order = [story.title for story in sorted(stories, key=lambda story: story.published, reverse=True)]
    for path, most in (("feeds/all", outfeeds.ALL_ENTRIES), ("feeds/u/hanbit", outfeeds.ENTRIES)):
        found = [item["title"] for item in json.loads(documents[f"{path}.json"])["items"]]
        assert found == order[:most]
        assert [entry.findtext(f"{ATOM}title") for entry in entries(documents[f"{path}.atom"])] == found


def checked_json_feed(document: bytes) -> dict[str, Any]:
    """The feed, after the rules of jsonfeed.org/version/1.1 were looked through."""
    assert list(feedrules.json_feed(document)) == []
    feed: dict[str, Any] = json.loads(document)
    return feed


def test_json_feeds_keep_the_rules_of_version_1_1(tmp_path: Path) -> None:
    documents = feeds_of(
        tmp_path, *sitefixture.STORIES, SOUND, BARE_SOUND, ODD_SOUND, PICTURE, base_url="https://campus.example/press/"
    )
    feeds = {path: checked_json_feed(body) for path, body in documents.items() if path.endswith(".json")}
    assert feeds["feeds/all.json"]["feed_url"] == "https://campus.example/press/feeds/all.json"
    assert feeds["feeds/o/hanbit-news.json"]["home_page_url"] == "https://campus.example/press/o/hanbit-news/"
    (snow, _) = sorted(feeds["feeds/photos.json"]["items"], key=lambda item: len(item["title"]))
    assert snow["image"] == "https://hanbit-news.example/p/1.jpg"
    assert snow["content_text"] == snow["title"]
    sound = next(item for item in feeds["feeds/audio.json"]["items"] if item["title"] == SOUND.title)
    assert sound["attachments"] == [
        {"url": SOUND.media_url, "mime_type": "audio/mpeg", "size_in_bytes": 24_100_000},
    ]
    undated = next(item for item in feeds["feeds/audio.json"]["items"] if item["title"] == ODD_SOUND.title)
    assert "date_published" not in undated


def test_a_feed_of_a_site_without_an_address_names_none(tmp_path: Path) -> None:
    feed = checked_json_feed(feeds_of(tmp_path)["feeds/all.json"])
    assert not {"home_page_url", "feed_url", "icon"} & feed.keys()


def test_the_podcast_keeps_the_rules_of_rss_2_and_itunes(tmp_path: Path) -> None:
    documents = feeds_of(tmp_path, SOUND, BARE_SOUND, ODD_SOUND, base_url="https://campus.example/")
    channel = ET.fromstring(documents["feeds/audio.rss"]).find("channel")
    assert channel is not None
    itunes = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
    for needed in ("title", "link", "description", "language", f"{itunes}author", f"{itunes}explicit"):
        assert channel.findtext(needed), needed
    assert channel.findtext(f"{itunes}block") == "Yes"
    assert channel.find(f"{itunes}image").get("href") == "https://campus.example/assets/cover.png"  # type: ignore[union-attr]
    items = channel.findall("item")
    assert {item.findtext("title") for item in items} == {SOUND.title, ODD_SOUND.title}
    first = next(item for item in items if item.findtext("title") == SOUND.title)
    enclosure = first.find("enclosure")
    assert enclosure is not None
    assert enclosure.attrib == {"url": SOUND.media_url, "length": "24100000", "type": "audio/mpeg"}
    assert parsedate_to_datetime(first.findtext("pubDate") or "").timestamp() == sitefixture.at(SOUND.published)
    assert (first.find("guid").get("isPermaLink"), first.findtext("guid", "")[:9]) == ("false", "urn:uuid:")  # type: ignore[union-attr]
    odd = next(item for item in items if item.findtext("title") == ODD_SOUND.title)
    assert odd.find("pubDate") is None
    assert odd.find("enclosure").get("length") == "0"  # type: ignore[union-attr]
    assert list(feedrules.rss(documents["feeds/audio.rss"])) == []
    parsed = feedparser.parse(documents["feeds/audio.rss"])
    assert (parsed.bozo, parsed.version) == (False, "rss20")
    assert parsed.entries[0].enclosures[0].type == "audio/mpeg"


@pytest.mark.parametrize("path", ["feeds/all.atom", "feeds/all.json", "feeds/audio.atom", "feeds/audio.rss"])
def test_our_own_crawler_reads_our_feeds(tmp_path: Path, path: str) -> None:
    document = feeds_of(tmp_path, *sitefixture.STORIES, SOUND, base_url="https://campus.example/")[path]
    feed = crawl_feeds.parse(
        document, base=f"https://campus.example/{path}", content_type=None, seen=sitefixture.at("2026-12-02 00:00"),
        summary_max_chars=200,
    )  # fmt: skip
    shown = [SOUND] if "audio" in path else [*sitefixture.STORIES, SOUND]
    assert {entry.title for entry in feed.entries} == {story.title for story in shown}
    sound = next(entry for entry in feed.entries if entry.title == SOUND.title)
    assert sound.summary == SOUND.summary
    assert sound.media_url == SOUND.media_url
    assert sound.published == sitefixture.at(SOUND.published)


def test_hostile_words_are_text_in_every_format(tmp_path: Path) -> None:
    hostile = HOSTILE + "\u202e=cmd|' /C calc'!A0"
    story = Story("saebom-bs", hostile, "2026-11-01", hostile, hostile, tags=(hostile,), kind="audio",
                  media_url="https://x.example/a.mp3", media_type='audio/mpeg" onload="x')  # fmt: skip
    documents = feeds_of(tmp_path, story, base_url="https://campus.example/")
    item = checked_json_feed(documents["feeds/all.json"])["items"][0]
    assert HOSTILE.replace("\x0b", "") in item["title"]
    assert item["attachments"][0]["mime_type"] == "audio/mpeg"
    for path, document in documents.items():
        if not path.endswith(".json"):
            ET.fromstring(document)
            assert b"<script" not in document, path


def test_an_enclosure_with_an_unsafe_address_is_left_out(tmp_path: Path) -> None:
    story = Story("saebom-bs", "x", "2026-11-01", kind="audio", media_url="javascript:alert(1)")
    documents = feeds_of(tmp_path, story)
    assert all(b"javascript" not in body for body in documents.values())
    assert ET.fromstring(documents["feeds/audio.rss"]).findall("channel/item") == []


def subscriptions(folder: Path) -> bytes:
    sitefixture.fill(folder / "press.db")
    with db.opened(folder) as press:
        (file,) = outopml.files(press)
    assert file.path == "opml.xml"
    return file.content


def test_the_subscription_list_holds_living_outlets_own_feeds(tmp_path: Path) -> None:
    document = subscriptions(tmp_path)
    root = ET.fromstring(document)
    assert (root.tag, root.get("version"), bool(root.findtext("head/title"))) == ("opml", "2.0", True)
    leaves = [node for node in root.iter("outline") if node.get("type")]
    assert {node.get("type") for node in leaves} == {"rss"}
    assert all(node.get("text") for node in root.iter("outline"))
    assert {node.get("xmlUrl") for node in leaves} == {
        source[2] for source in sitefixture.SOURCES if source[1] == "feed" and source[3] == "active"
    }
    assert [node.get("text") for node in root.findall("body/outline")] == [
        "고요대학교", "물결대학교", "새봄대학교", "하늘대학교", "한빛대학교",
    ]  # fmt: skip


def test_our_own_reader_of_lists_reads_ours(tmp_path: Path) -> None:
    found = crawl_opml.read(subscriptions(tmp_path))
    assert found.problems == ()
    hanbit = next(channel for channel in found.channels if channel.title == "한빛대학보")
    assert (hanbit.feed, hanbit.page) == ("https://news.hanbit.example/rss/all.xml", "https://hanbit-news.example/")


def test_paused_closed_and_excluded_feeds_are_not_given_away(tmp_path: Path) -> None:
    given = [(*source[:3], state, "ok", reason, 200, "", "") for source, state, reason in (
        (sitefixture.SOURCES[0], "active", "read"), (sitefixture.SOURCES[1], "paused", "read"),
        (sitefixture.SOURCES[2], "active", "excluded"), (sitefixture.SOURCES[4], "closed", "read"),
    )]  # fmt: skip
    sitefixture.fill(tmp_path / "press.db", sources=given)
    with db.opened(tmp_path) as press:
        assert [source.outlet for _, source in outopml.own_feeds(press)] == ["hanbit-news"]
