"""Pages of pictures, films, sound and printed issues: what stands on them, how they grow, and what they ask a browser for."""

from __future__ import annotations

from pathlib import Path

import pytest

from build import db, filters, media, site
from build.index import FILM, PICTURE
from build.media import MediaPage
from build.records import Press
from tests import sitefixture
from tests.sitefixture import Story
from tests.test_build_site import HOSTILE, built, page, text

SHOWN = (
    Story("hanbit-news", "[포토] 첫눈", "2026-11-30 10:00", kind="photo", image_url="http://hanbit-news.example/snow.jpg"),
    Story("mulgyeol", "[화보] 사진 주소가 없는 글", "2026-10-02 10:00", kind="photo"),
    Story("hanbit-news", "날짜 없는 사진", kind="photo", image_url="https://hanbit-news.example/old.jpg"),
    Story("saebom-bs", "가로 영상", "2026-11-30 20:00", kind="video", video_id="abcdefghij1", video_form="video"),
    Story("saebom-bs", "세로 영상", "2026-11-29 20:00", kind="video", video_id="abcdefghij2", video_form="shorts"),
    Story("saebom-bs", "방송 중인 영상", "2026-11-28 20:00", kind="video", video_id="abcdefghij3", video_form="live"),
    Story("saebom-bs", "영상 기사", "2026-11-27 20:00", kind="video"),
    Story("haneul-times", "Story with a film", "2026-11-26 20:00", video_id="abcdefghij4", video_form="video"),
    Story("saebom-bs", "점심 라디오", "2026-11-30 12:00", kind="audio", media_url="http://saebom-bs.example/a.mp3",
          media_type="audio/mpeg", media_bytes=24_100_000),
    Story("hanbit-news", "제1700호", "2026-11-23", kind="edition", media_url="http://hanbit-news.example/1700.pdf"),
)  # fmt: skip


def press_of(folder: Path, *stories: Story) -> Press:
    sitefixture.fill(folder / "press.db", stories or SHOWN)
    with db.opened(folder) as press:
        return press


def pages(press: Press) -> dict[str, MediaPage]:
    return {sheet.head.url_path: sheet for sheet in media.media(press)}


def ids(sheet: MediaPage) -> list[int]:
    return [id for listed in sheet.listed() for id in listed.ids]


def photos(count: int, outlet: str = "hanbit-news", year: int = 2026) -> list[Story]:
    return [
        Story(outlet, f"[포토] {n}", f"{year}-{1 + n % 12:02}-{1 + n % 28:02} 10:00", kind="photo",
              image_url=f"https://{outlet}.example/{n}.jpg")
        for n in range(count)
    ]  # fmt: skip


def test_each_medium_has_a_page_and_one_for_each_outlet(tmp_path: Path) -> None:
    assert set(pages(press_of(tmp_path))) == {
        "photos/", "photos/o/hanbit-news/", "photos/o/mulgyeol/", "videos/", "videos/o/saebom-bs/",
        "videos/o/haneul-times/", "audio/", "audio/o/saebom-bs/", "editions/", "editions/o/hanbit-news/",
    }  # fmt: skip


def test_pictures_stand_by_month_and_those_without_a_date_come_last(tmp_path: Path) -> None:
    front = pages(press_of(tmp_path))["photos/"]
    assert [(section.title, list(section.wide.ids)) for section in front.sections] == [
        ("2026년 11월", [1]), ("2026년 10월", [2]), ("날짜 미상", [3]),
    ]  # fmt: skip
    assert front.outlets == (("mulgyeol", "교지 물결", 1), ("hanbit-news", "한빛대학보", 2))


def test_films_are_those_of_channels_and_of_articles_and_upright_ones_stand_apart(tmp_path: Path) -> None:
    front = pages(press_of(tmp_path))["videos/"]
    assert [(list(section.wide.ids), list(section.upright.ids)) for section in front.sections] == [([4, 6, 7, 8], [5])]


def test_more_than_a_page_holds_is_found_by_year_and_parts_lead_to_each_other(tmp_path: Path) -> None:
    press = press_of(tmp_path, *photos(150), *photos(30, "mulgyeol", 2024))
    found = pages(press)
    front = found["photos/"]
    assert len(ids(front)) == media.NEWEST
    assert front.years == (("photos/2026/", "2026년"), ("photos/2024/", "2024년"))
    assert found["photos/2026/"].spans == (("photos/2026/01/", "1월–6월"),)
    assert found["photos/2026/01/"].older == ("photos/2024/", "2024년 1월–12월")
    assert found["photos/2026/01/"].newer == ("photos/2026/", "2026년 7월–12월")
    of_years = [id for path, sheet in found.items() if path.startswith("photos/2") for id in ids(sheet)]
    assert sorted(of_years) == list(press.index.ids)
    assert {"photos/o/hanbit-news/2026/", "photos/o/hanbit-news/2026/01/"} <= set(found)
    assert "photos/o/mulgyeol/2024/" not in found, "thirty stand on the outlet's own page"


def test_one_more_picture_moves_no_other_half_of_its_year(tmp_path: Path) -> None:
    before = pages(press_of(tmp_path / "a", *photos(150)))
    late = Story("hanbit-news", "[포토] 새것", "2026-12-01 00:01", kind="photo", image_url="https://h.example/n.jpg")
    after = pages(press_of(tmp_path / "b", *photos(150), late))
    assert {path for path in after if after[path] != before.get(path) and not path.startswith("photos/o/")} == {
        "photos/", "photos/2026/",
    }  # fmt: skip


def test_undated_pictures_are_kept_in_the_order_they_were_found(tmp_path: Path) -> None:
    many = [Story("mulgyeol", f"[포토] {n}", kind="photo") for n in range(120)]
    found = pages(press_of(tmp_path, *many))
    assert {path: len(ids(sheet)) for path, sheet in found.items() if "/o/" not in path and path[0] == "p"} == {
        "photos/": 48, "photos/undated/1/": 96, "photos/undated/": 24,
    }  # fmt: skip
    assert found["photos/"].undated == "photos/undated/"


def test_I29_pictures_come_over_https_lazily_without_a_referrer_in_a_box_of_known_size(tmp_path: Path) -> None:
    picture = page(built(tmp_path, *SHOWN), "photos/index.html").css_first("li.tile img")
    assert picture is not None
    assert picture.attributes == {
        "src": "https://hanbit-news.example/snow.jpg", "alt": "[포토] 첫눈", "width": "320", "height": "240",
        "loading": "lazy", "decoding": "async", "referrerpolicy": "no-referrer",
    }  # fmt: skip


def test_a_picture_without_an_address_is_a_tile_of_text(tmp_path: Path) -> None:
    tiles = page(built(tmp_path, *SHOWN), "photos/o/mulgyeol/index.html").css("li.tile")
    assert len(tiles) == 1
    assert tiles[0].css_first("img") is None
    assert text(tiles[0].css_first(".pic.lost span")) == "[화보] 사진 주소가 없는 글"
    assert tiles[0].css_first(".pic").attributes["href"] == "https://mulgyeol.example/news/2"  # type: ignore[union-attr]


def test_films_show_youtubes_own_picture_and_no_frame_before_a_click(tmp_path: Path) -> None:
    root = built(tmp_path, *SHOWN)
    tree = page(root, "videos/index.html")
    sources = {node.attributes["alt"]: node.attributes["src"] for node in tree.css("li.film img")}
    assert sources["가로 영상"] == "https://i.ytimg.com/vi/abcdefghij1/mqdefault.jpg"
    assert sources["세로 영상"] == "https://i.ytimg.com/vi/abcdefghij2/hqdefault.jpg"
    assert "영상 기사" not in sources
    assert len(tree.css("button.play")) == 4
    assert text(next(node for node in tree.css("li.film") if "방송 중" in node.text()).css_first(".mark")) == "실시간"
    assert [path for path in root.rglob("*.html") if b"<iframe" in path.read_bytes()] == []


@pytest.mark.parametrize("name", ["../../x", "abc", "a b c d e f", 'x" onerror="y', "", None])
def test_what_is_no_name_of_a_film_reaches_no_address(name: str | None) -> None:
    assert filters.film_id(name) == ""


def test_sounds_say_type_and_length_and_ask_for_nothing_before_a_click(tmp_path: Path) -> None:
    tree = page(built(tmp_path, *SHOWN), "audio/index.html")
    sound = tree.css_first("li.sound")
    assert "MP3 · 24.1 MB" in text(sound)
    assert tree.css_first("button.listen").attributes["data-sound"] == "https://saebom-bs.example/a.mp3"  # type: ignore[union-attr]
    audio = tree.css_first("noscript audio")
    assert audio is not None
    assert (audio.attributes["preload"], "autoplay" in audio.attributes) == ("none", False)


def test_issues_lead_to_their_pdf(tmp_path: Path) -> None:
    tree = page(built(tmp_path, *SHOWN), "editions/index.html")
    assert tree.css_first("a.open").attributes["href"] == "http://hanbit-news.example/1700.pdf"  # type: ignore[union-attr]
    assert text(tree.css_first("a.open")) == "PDF 열기: 제1700호"


def test_home_shows_a_strip_of_pictures_and_of_films_one_of_each_outlet(tmp_path: Path) -> None:
    tree = page(built(tmp_path, *SHOWN, *photos(3, "mulgyeol")))
    assert [text(node.css_first(".outlet")) for node in tree.css(".strip li.tile")] == ["한빛대학보", "교지 물결"]
    assert [node.attributes["alt"] for node in tree.css(".strip li.film img")] == ["가로 영상", "Story with a film"]


def test_a_strip_has_only_what_can_be_shown(tmp_path: Path) -> None:
    index = press_of(tmp_path).index
    assert media.newest_few(index, media.PHOTOS, 6, marks=PICTURE).ids == (3,)
    assert media.newest_few(index, media.VIDEOS, 6, marks=FILM).ids == (4, 8)


def test_a_medium_without_anything_says_what_will_stand_there(tmp_path: Path) -> None:
    root = built(tmp_path, Story("hanbit-news", "글", "2026-11-30"))
    for slug, words in (("photos", "사진 기사가 없습니다"), ("videos", "영상이 없습니다"), ("audio", "팟캐스트가 없습니다"),
                        ("editions", "지면이 없습니다")):  # fmt: skip
        assert words in text(page(root, f"{slug}/index.html").css_first(".empty")), slug
    assert not page(root).css(".strip")


def test_hostile_titles_are_only_text_in_every_form(tmp_path: Path) -> None:
    kinds = ("photo", "video", "audio", "edition")
    stories = [
        Story("hanbit-news", words, f"2026-11-2{n} 10:00", kind=kind, image_url="https://h.example/a.jpg",
              media_url='https://h.example/a"onerror="x.mp3', media_type=words[:20], video_id="abcdefghij1")
        for n, words in enumerate(HOSTILE) for kind in kinds
    ]  # fmt: skip
    root = built(tmp_path, *stories)
    for slug in ("photos", "videos", "audio", "editions"):
        tree = page(root, f"{slug}/index.html")
        assert len(tree.css("h1")) == 1
        assert not tree.css("[onmouseover], [onerror], [style]")
        assert [node for node in tree.css("script") if not node.attributes.get("src")] == []


def test_file_facts_say_no_more_than_is_known() -> None:
    said = [filters.file_facts(*facts) for facts in (
        ("audio/mpeg", 24_100_000), ("audio/x-m4a", None), (None, 1_000_000), ("text/html", 0), ("audio/mpeg; x=1", 1_500),
        ("application/pdf", -1),
    )]  # fmt: skip
    assert said == ["MP3 · 24.1 MB", "M4A", "1 MB", "", "MP3 · 1 KB", "PDF"]


def test_the_same_database_gives_the_same_pages(tmp_path: Path) -> None:
    press_of(tmp_path)
    site.build(tmp_path, tmp_path / "one")
    site.build(tmp_path, tmp_path / "two")
    for slug in ("photos", "videos", "audio", "editions"):
        assert (tmp_path / "one" / slug / "index.html").read_bytes() == (
            tmp_path / "two" / slug / "index.html"
        ).read_bytes()
