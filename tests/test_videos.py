"""Every form in which people copy a YouTube address, and what only looks like one."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl import videos
from crawl.model import ArticleKind, Entry, VideoForm
from crawl.urls import key, normal
from crawl.videos import Video, recognise

ID = "a1B2c3D4-_z"

FORMS: list[tuple[str, VideoForm]] = [
    (f"https://www.youtube.com/watch?v={ID}", "video"),
    (f"http://youtube.com/watch?v={ID}", "video"),
    (f"HTTPS://WWW.YouTube.COM/watch?v={ID}", "video"),
    (f"https://www.youtube.com./watch?v={ID}", "video"),
    (f"https://www.youtube.com:443/watch?v={ID}", "video"),
    (f"https://m.youtube.com/watch?v={ID}", "video"),
    (f"https://music.youtube.com/watch?v={ID}&list=RDAMVM1", "video"),
    (f"https://www.youtube.com/watch?v={ID}&t=95s", "video"),
    (f"https://www.youtube.com/watch?list=PLabc&index=3&v={ID}", "video"),
    (f"https://www.youtube.com/watch?feature=player_embedded&amp;v={ID}", "video"),
    (f"https://www.youtube.com/watch?app=desktop&v={ID}&pp=ygUD", "video"),
    (f"https://www.youtube.com/watch/?v={ID}", "video"),
    (f"https://www.youtube.com//watch?v={ID}", "video"),
    (f"https://www.youtube.com/watch/{ID}", "video"),
    (f"https://www.youtube.com/watch_popup?v={ID}", "video"),
    (f"https://www.youtube.com/watch.php?v={ID}", "video"),
    (f"https://www.youtube.com/?v={ID}", "video"),
    (f"https://www.youtube.com/watch#v={ID}", "video"),
    (f"https://www.youtube.com/watch#!v={ID}&feature=related", "video"),
    (f"https://m.youtube.com/#/watch?v={ID}", "video"),
    (f"https://youtu.be/{ID}", "video"),
    (f"http://youtu.be/{ID}/", "video"),
    (f"https://youtu.be/{ID}?si=Abc&t=10", "video"),
    (f"https://youtu.be/{ID}&feature=share", "video"),
    (f"https://www.youtu.be/{ID}", "video"),
    (f"https://www.youtube.com/embed/{ID}", "video"),
    (f"https://www.youtube.com/embed/{ID}?rel=0&start=5", "video"),
    (f"https://www.youtube-nocookie.com/embed/{ID}", "video"),
    (f"https://youtube-nocookie.com/v/{ID}", "video"),
    (f"https://www.youtube.com/v/{ID}", "video"),
    (f"http://www.youtube.com/v/{ID}&hl=ko_KR&fs=1", "video"),
    (f"https://www.youtube.com/e/{ID}", "video"),
    (f"https://www.youtube.com/attribution_link?a=xyz&u=%2Fwatch%3Fv%3D{ID}%26feature%3Dshare", "video"),
    (f"https://www.youtube.com/attribution_link?u=https%3A%2F%2Fyoutu.be%2F{ID}", "video"),
    (f"https://www.youtube.com/shorts/{ID}", "shorts"),
    (f"https://m.youtube.com/shorts/{ID}/?feature=share", "shorts"),
    (f"https://youtube.com/attribution_link?u=/shorts/{ID}", "shorts"),
    (f"https://www.youtube.com/live/{ID}", "live"),
    (f"https://youtube.com/live/{ID}?si=Abc", "live"),
]

NONE = [
    f"https://youtube.com.evil.example/watch?v={ID}",
    f"https://notyoutube.com/watch?v={ID}",
    f"https://youtube.com@evil.example/watch?v={ID}",
    f"https://evil.example@youtube.com/watch?v={ID}",
    f"https://evil.example/youtube.com/watch?v={ID}",
    f"https://evil.example/?u=https://youtube.com/watch?v={ID}",
    f"https://evil.example\\@youtube.com/watch?v={ID}",
    f"https://youtube.com\\.evil.example/watch?v={ID}",
    f"https://youtu.be.example/{ID}",
    f"https://youtu.be.example.com/{ID}",
    f"https://xyoutu.be/{ID}",
    f"https://y0utube.com/watch?v={ID}",
    f"https://www.youtube.co/watch?v={ID}",
    f"https://www.youtube.com:8443/watch?v={ID}",
    f"https://youtube-nocookie.com.example/embed/{ID}",
    f"https://studio.youtube.com/watch?v={ID}",
    f"ftp://youtube.com/watch?v={ID}",
    f"//youtu.be/{ID}",
    f"youtu.be/{ID}",
    f"javascript:location='https://youtu.be/{ID}'",
    f"https://i.ytimg.com/vi/{ID}/hqdefault.jpg",
    f"https://www.youtube.com/watch?v={ID[:-1]}",
    f"https://www.youtube.com/watch?v={ID}x",
    f"https://youtu.be/{ID}x",
    f"https://youtu.be/{ID[:-1]}.",
    f"https://www.youtube.com/watch?v={ID[:-1]}%20",
    f"https://www.youtube.com/watch?v={ID[:-1]}가",
    f"https://www.youtube.com/watch?V={ID}",
    f"https://www.youtube.com/watch?w={ID}",
    f"https://www.youtube.com/shorts/{ID}/comments",
    f"https://www.youtube.com/{ID}",
    "https://www.youtube.com/embed/videoseries?list=PLabc",
    "https://www.youtube.com/embed/live_stream?channel=UCabc",
    "https://www.youtube.com/playlist?list=PLabcdefghi",
    "https://www.youtube.com/watch?list=PLabcdefghi",
    "https://www.youtube.com/channel/UCabcdefghi",
    "https://www.youtube.com/@hanbitnews1",
    "https://www.youtube.com/@hanbit/live",
    "https://www.youtube.com/@hanbit/shorts",
    "https://www.youtube.com/c/hanbitnews1",
    "https://www.youtube.com/user/hanbitnews1",
    "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc",
    f"https://www.youtube.com/redirect?q=https://youtu.be/{ID}",
    f"https://www.youtube.com/attribution_link?u=https%3A%2F%2Fevil.example%2Fwatch%3Fv%3D{ID}",
    f"https://www.youtube.com/attribution_link?u=%2F%2Fevil.example%2Fwatch%3Fv%3D{ID}",
    f"https://www.youtube.com/attribution_link?u=%2Fattribution_link%3Fu%3D%252Fwatch%253Fv%253D{ID}",
    "https://www.youtube.com/watch?v=",
    "https://www.youtube.com/watch#v=",
    "https://www.youtube.com/",
    "https://[youtube.com]/",
    "https://youtube.com:99999/watch?v=" + ID,
    "",
]


@pytest.mark.parametrize(("url", "form"), FORMS)
def test_every_form_of_an_address_leads_to_its_video(url: str, form: VideoForm) -> None:
    assert recognise(url) == Video(ID, form)


@pytest.mark.parametrize("url", NONE)
def test_what_only_looks_like_a_video_is_none(url: str) -> None:
    assert recognise(url) is None


@pytest.mark.parametrize("url", [url for url, _ in FORMS])
def test_I3_all_forms_of_one_video_are_one_article(url: str) -> None:
    assert normal(url) == f"youtube.com/{ID}"
    assert key(url) == key(f"https://youtu.be/{ID}")


def test_I3_two_videos_are_two_articles_although_only_a_capital_differs() -> None:
    assert key("https://youtu.be/aaaaaaaaaaa") != key("https://youtu.be/aaaaaaaaaaA")


def test_a_playlist_or_channel_keeps_the_identity_of_its_address() -> None:
    assert normal("https://www.youtube.com/playlist?list=PLabc") == "youtube.com/playlist?list=PLabc"
    assert normal(f"https://www.youtube.com:8443/watch?v={ID}") == f"youtube.com:8443/watch?v={ID}"


def test_an_entry_whose_own_link_is_a_video_is_one() -> None:
    found = videos.marked(Entry(f"https://www.youtube.com/shorts/{ID}", "개강 총회"))
    assert (found.kind, found.video_id, found.video_form) == ("video", ID, "shorts")
    assert found.url == f"https://www.youtube.com/shorts/{ID}"


@pytest.mark.parametrize("kind", ["audio", "edition"])
def test_an_entry_that_brings_a_file_of_its_own_stays_what_it_is(kind: ArticleKind) -> None:
    entry = Entry(f"https://youtu.be/{ID}", "12회", kind=kind, media_url="https://a.example/12.mp3")
    assert videos.marked(entry) == entry


def test_an_entry_with_another_link_is_untouched() -> None:
    entry = Entry("https://press.example/1", "영상", kind="video", media_url="https://press.example/1.mp4")
    assert videos.marked(entry) is entry
    assert dataclasses.replace(entry, url=f"https://youtu.be/{ID}") != videos.marked(entry)


PIECES = st.lists(
    st.sampled_from(
        ["https://", "http://", "youtube.com", "youtu.be", "www.", "m.", "/watch", "/shorts/", "/live/", "?v=", "&v=", ID, "#!",
         "@", ":443", "[", "]", "%", "\x00", "가", "/attribution_link?u=", "/", "\\", "&amp;", "."]
    ),
    max_size=10,
).map("".join)  # fmt: skip


@given(st.one_of(st.text(max_size=80), PIECES))
def test_no_text_raises_and_what_is_found_is_an_id(url: str) -> None:
    found = recognise(url)
    assert found is None or (len(found.id) == 11 and found.id.isascii())
