"""Photo stories told from titles, section labels and outlets' own words, and what only sounds like one (P03)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl import photos
from crawl.model import ArticleKind, Entry
from crawl.photos import PhotoWords, Pictures, short_names
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, outlet, registry
from tests.sim.web import Answer
from tests.test_idle import FEED, FREE, HOST, LIST, ROBOTS, article, asked, hub, photo, rows

WORDS = PhotoWords(short_names("숭대시보"), ("카메라사계", "앵글", "한 컷"))
NO_WORDS = PhotoWords()

MARKED = [
    "[포토뉴스] 주택 공급지 된 교정", "[포토뉴스]드론이 ‘두둥실’", "[포토 포커스] 쓸쓸히 핀 목련",
    "여름, 계절의 제왕 [포토에세이]", "(포토) 첫눈", "<포토뉴스> 눈 덮인 본관", "&lt;포토뉴스&gt; 눈 덮인 본관",
    "【포토】 첫눈", "포토뉴스 | 봄이 온 캠퍼스", "[사진으로 보는 대동제]", "[1면 사진] 비 오는 정문", "[522호/포토] 첫눈",
    "[특집 화보] 개교 70주년", "Photo Essay: Autumn on Campus", "▲[포토] 첫눈", "[ 포토뉴스 ] 첫눈", "[포토/영상] 첫눈",
    # twins of each kind
    "[사진기사] 호수에 비친 도서관", "[화보] 대동제의 밤", "〈포토〉 첫눈", "《사진뉴스》 첫눈", "「포토에세이」 여름",
    "［포토］ 첫눈", "＜포토뉴스＞ 첫눈", "〔포토〕 첫눈", "{사진} 첫눈", "&amp;lt;포토뉴스&amp;gt; 첫눈", "[PHOTO] 첫눈",
    "[Photo News] Snow on campus", "Autumn on Campus (Photo Essay)", "Photo | Snow on campus", "포토에세이：여름",
    "포토스토리 - 새벽을 여는 사람들", "포토뉴스│첫눈", "포토뉴스ㅣ첫눈", "화보 | 대동제", "[단독][포토] 첫눈",
    "[1034호] [포토뉴스] 첫눈", "(속보) <포토> 첫눈", "[제1034호 포토] 첫눈", "[3면/사진] 첫눈", "[4·5면 화보] 대동제",
    "[제522호|포토뉴스] 첫눈", "[12-13면 화보] 대동제", "[포토·영상] 첫눈", "[영상/포토] 첫눈", "[포토&영상] 첫눈",
    "[특집/화보] 대동제", "■ [포토] 첫눈", "▶ ☆ [사진] 첫눈", "[[포토]] 첫눈", "[<포토>] 첫눈", "[현장 포토] 개표의 밤",
    "[오늘의 사진] 첫눈", "[이 주의 사진] 첫눈", "[화보로 보는 70년]", "[사진으로 보는 한 해] 2025", "[ 포 토 ] 첫눈",
    "[포토]", "첫눈 [사진]", "눈 내린 교정 <포토뉴스>",
]  # fmt: skip

UNMARKED = [
    "포토샵 강의 수강생 모집", "사진 동아리 전시회 열려", "축제 포토존 안전사고", "사진학과 졸업전시",
    "불법촬영 사진 유포 … 학내 대응은", "[사진제공=홍보팀] 협약 체결", "[사설] 사진 한 장이 남긴 것",
    "[카드뉴스] 등록금의 모든 것", "포토닉스 연구단 선정", "화보집 발간한 학과", "“사진으로 보는 것과 달랐다” 기숙사 불만",
    "[포토샵 특강] 신청 안내", "Photonics lab opens",
    # twins of each kind
    "[포토존] 설치 안내", "[사진학과] 졸업전시", "[사진 공모전] 수상작 발표", "[사진동아리] 신입 모집",
    "[포토그래퍼를 만나다] 졸업생 인터뷰", "[화보집] 발간", "[글·사진 김한빛 기자] 봄", "(사진/홍보팀) 협약 체결",
    "(사진=홍보팀) 협약 체결", "협약 체결 (사진 제공: 홍보팀)", "협약 체결 [사진=총학생회]",
    "축제 [포토] 현장에서 생긴 일", "총학, [사진]으로 답하다 논란", "사진: 홍보팀 제공", "사진 | 김한빛 기자",
    "사진으로 보는 것과 달랐다 - 기숙사 불만", "Photo-sharing app banned on campus", "Photo contest: apply now",
    "Photoshop | free class", "[Photoshop] free class", "[Photonics] lab opens", "[Photo by Kim] Signing ceremony",
    "Photographer of the year - an interview", "[사진작가 인터뷰] 빛을 담다", "‘포토’ 기능 추가한 학교 앱",
    "포토카드 품절 대란", "[포토카드] 품절 대란", "사진 찍다 추락", "[포토 첫눈", "포토] 첫눈", "[522호] 포토샵 강의",
    "[특집] 사진을 지우는 사람들", "[연대포토] 첫눈", "[카메라사계] 여름", "앵글 | 첫눈", "", "[]", "[1면] 비 오는 정문",
    "[영상] 첫눈", "“[포토]라는 말” 논란", "보도사진전 개막", "[인물사진 촬영] 신청 안내",
]  # fmt: skip

OWN = [
    "[숭대포토] 첫눈", "[숭대 포토] 첫눈", "<숭대포토> 첫눈", "[숭대시보 포토] 첫눈", "[1034호/숭대포토] 첫눈",
    "숭대포토 | 첫눈", "첫눈 [숭대포토]", "[카메라사계] 여름", "여름 [카메라 사계]", "[앵글] 첫눈", "앵글 | 첫눈",
    "[한컷] 첫눈", "[한 컷] 첫눈", "[5면/앵글] 첫눈",
]  # fmt: skip


def kind(title: str, words: PhotoWords = NO_WORDS, **facts: object) -> ArticleKind:
    return photos.marked(replace(Entry("https://press.example/1", title), **facts), words).kind  # type: ignore[arg-type]


@pytest.mark.parametrize("title", MARKED)
def test_P03_a_marked_title_is_a_photo_story_at_every_outlet(title: str) -> None:
    assert kind(title) == "photo"
    assert kind(title, WORDS) == "photo"


@pytest.mark.parametrize("title", UNMARKED)
def test_P03_a_title_that_only_speaks_of_pictures_is_an_article(title: str) -> None:
    assert kind(title) == "article"


@pytest.mark.parametrize("title", OWN)
def test_P03_an_outlet_s_own_words_mark_its_stories_and_nobody_else_s(title: str) -> None:
    assert kind(title, WORDS) == "photo"
    assert kind(title) == "article"


@pytest.mark.parametrize(
    "title",
    [
        "숭대 포토존 사고",
        "[숭대] 포토존 사고",
        "[숭대포토존] 안내",
        "앵글을 바꾼 사람들",
        "[앵글러] 낚시 동아리",
        "카메라사계절 전시",
        "[숭대] 첫눈",
    ],
)
def test_P03_an_outlet_s_own_words_must_stand_there_whole(title: str) -> None:
    assert kind(title, WORDS) == "article"


@pytest.mark.parametrize(
    "section",
    ["포토", "포토뉴스", "사진", "화보", "Photo", "PHOTO", "[포토]", " 포토 뉴스 ", "뉴스 > 포토", "사진기사"],
)
def test_P03_a_list_s_own_section_label_beats_the_title(section: str) -> None:
    assert kind("눈 내린 교정", section=section) == "photo"
    assert kind("사진학과 졸업전시", section=section) == "photo"


@pytest.mark.parametrize("section", ["보도", "사진학과", "포토샵", "사진 공모전", "", "사설", "photonics"])
def test_P03_another_section_label_says_nothing_about_pictures(section: str) -> None:
    assert kind("눈 내린 교정", section=section) == "article"
    assert kind("[포토] 눈 내린 교정", section=section) == "photo"


@pytest.mark.parametrize("tag", ["포토", "포토뉴스", "사진", "화보", "Photo", "photo"])
def test_P03_a_feed_s_category_that_is_a_label_marks_a_photo_story(tag: str) -> None:
    assert kind("눈 내린 교정", tags=("사회", tag)) == "photo"


@pytest.mark.parametrize("tag", ["사진학과", "포토존", "사진 동아리", "포토그래퍼", "보도사진", "축제 사진"])
def test_P03_a_category_that_only_holds_the_word_marks_nothing(tag: str) -> None:
    assert kind("눈 내린 교정", tags=(tag,)) == "article"


def test_P03_a_section_that_is_the_outlet_s_photo_column_marks_its_stories() -> None:
    assert kind("여름", WORDS, section="카메라 사계") == "photo"
    assert kind("여름", WORDS, tags=("앵글",)) == "photo"
    assert kind("여름", section="카메라사계", tags=("앵글",)) == "article"


@pytest.mark.parametrize("other", ["video", "audio", "edition", "photo"])
def test_P03_only_articles_become_photo_stories(other: ArticleKind) -> None:
    assert kind("[포토] 첫눈", kind=other, section="포토") == other


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("숭대시보", "숭대"), ("고대신문", "고대"), ("이대학보", "이대"), ("연세춘추", "연세"), ("숙대신보", "숙대"),
        ("인하대학신문", "인하대"), ("인하대학신문", "인하"), ("가톨릭대학보", "가톨릭대"), ("총신대보", "총신대"),
        ("한빛대학교 학보", "한빛대"), ("한빛대학교신문사", "한빛"), ("중앙대 대학원신문", "중앙대"), ("외대교지", "외대"),
        ("조선대 교육방송국", "조선대"), ("성대방송국 SUBS", "성대"), ("KNU 타임즈", "knu"), ("고함20", "고함20"),
        ("TU TIMES (동명대신문)", "tu"), ("카이스트신문", "카이스트"), ("채널PNU", "채널pnu"),
        ("중부대학교 대학언론사", "중부대"),
    ],
)  # fmt: skip
def test_P03_the_short_names_come_from_the_registered_name(name: str, short: str) -> None:
    assert short in short_names(name)
    assert kind(f"[{short.upper()}포토] 첫눈", PhotoWords(short_names(name))) == "photo"


@pytest.mark.parametrize("name", ["", "신문", "학보", "엷", "대학보", "(학보)"])
def test_P03_a_name_without_a_university_gives_no_word_that_fits_anything(name: str) -> None:
    assert all(len(short) > 1 for short in short_names(name))
    assert kind("[포토존] 안내", PhotoWords(short_names(name))) == "article"


def test_P03_pictures_of_other_articles_are_kept_only_where_the_operator_chose_so() -> None:
    shown = Entry("https://press.example/1", "총학생회 선거", image_url="https://press.example/1.jpg")
    assert photos.Pictures("photo").kept(shown, "a").image_url is None
    assert photos.Pictures("all").kept(shown, "a").image_url == "https://press.example/1.jpg"


def test_P03_every_outlet_is_read_with_its_own_words() -> None:
    both = photos.pictures([outlet("hanbit"), outlet("saebom")], "photo", [("saebom", ("앵글",)), ("gone", ("한 컷",))])
    entry = Entry("https://press.example/1", "[앵글] 첫눈")
    assert both.kept(entry, "saebom").kind == "photo"
    assert both.kept(entry, "hanbit").kind == "article"
    assert both.kept(replace(entry, title="[hanbit 포토] 첫눈"), "hanbit").kind == "photo"
    assert both.kept(entry, "nobody").kind == "article"


def test_a_film_with_a_photo_mark_is_a_film() -> None:
    film = Entry("https://youtu.be/a1B2c3D4-_z", "[포토/영상] 첫눈", section="포토")
    assert photos.Pictures().kept(film, "a").kind == "video"


@given(st.text(max_size=500), st.text(max_size=30), st.lists(st.text(max_size=20), max_size=4))
def test_no_title_makes_it_raise_or_change_anything_but_the_kind(title: str, section: str, tags: list[str]) -> None:
    entry = Entry("https://press.example/1", title, section=section, tags=tuple(tags))
    assert replace(photos.marked(entry, PhotoWords(short_names(title), (section,))), kind="article") == entry


# -- in the record ---------------------------------------------------------------------------------------------------

LOGO = "https://news.hanbit.ac.example/files/house.png"


def shown_in(picture: str, count: int, *, first: int = 1, mark: str = "") -> bytes:
    """A feed whose items all show one picture."""
    head = '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>한빛대신문</title>'
    items = "".join(
        f"<item><title>{mark}기사 {number}</title><link>{article(number)}</link><pubDate>2026-03-04 14:30:00</pubDate>"
        f'<description><![CDATA[<img src="{picture}"> 본문 {number}]]></description></item>'
        for number in range(first, first + count)
    )
    return f"{head}{items}</channel></rss>".encode()


def pictures_of(one: Hub) -> list[tuple[object, ...]]:
    return one.read("SELECT url, image_url FROM articles WHERE image_url IS NOT NULL ORDER BY id")


def hub_of_feed(root: Path, *bodies: bytes, of: Literal["photo", "all"] = "all") -> Hub:
    web = Scripted({FEED: [answer(body=body) for body in bodies], ROBOTS: FREE})
    return Hub(root, web, registry([FEED]), pictures=Pictures(of))


def test_P03_every_feed_s_own_picture_is_kept_where_the_operator_chose_so(memory_path: Path) -> None:
    one = hub_of_feed(memory_path, shown_in("/files/1.jpg", 2))
    one.night()
    picture = "https://news.hanbit.ac.example/files/1.jpg"
    assert pictures_of(one) == [(article(1), picture), (article(2), picture)]
    assert [url for _, url, _ in one.web.heard] == [FEED]
    assert one.breaches() == {}


def test_P03_the_promise_keeps_no_picture_of_other_articles_and_takes_those_back_that_a_hub_had(
    memory_path: Path,
) -> None:
    one = hub_of_feed(memory_path, shown_in("/files/1.jpg", 2), shown_in("/files/1.jpg", 2, first=2))
    one.night(1)
    one.pictures = Pictures("photo")
    one.night(2)
    assert pictures_of(one) == []
    digests = one.dump("articles")
    one.night(3)
    assert one.dump("articles") == digests


@pytest.mark.parametrize("count", [3, 4, 9])
def test_I31_a_picture_of_more_than_three_items_is_a_logo_and_none_keeps_it(count: int, memory_path: Path) -> None:
    one = hub_of_feed(memory_path, shown_in(LOGO, count))
    one.night()
    assert len(pictures_of(one)) == (3 if count == 3 else 0)


def test_I31_a_logo_found_out_later_goes_from_the_earlier_ones_and_never_comes_back(memory_path: Path) -> None:
    looks = [shown_in(LOGO, 2), shown_in(LOGO, 2, first=3), shown_in(LOGO, 4, first=2), shown_in(LOGO, 1, first=9)]
    one = hub_of_feed(memory_path, *looks)
    one.night(1)
    assert len(pictures_of(one)) == 2
    for number in (2, 3, 4):
        one.night(number)
        assert pictures_of(one) == []
    assert one.read("SELECT count(*) FROM articles WHERE changed >= ?", FIRST_NIGHT + DAY_S * 2) == [(2,)]


def test_I31_the_same_picture_at_two_sources_is_counted_for_each(memory_path: Path) -> None:
    other = "https://ubs.saebom.ac.example/rss.xml"
    body = shown_in(LOGO, 2)
    web = Scripted({FEED: [answer(body=body)], other: [answer(body=body.replace(b"//news.hanbit", b"//ubs.saebom"))]})
    web.answers[other] = [answer(body=body.replace(b"news.hanbit.ac.example/news", b"ubs.saebom.ac.example/news"))]
    one = Hub(memory_path, web, registry([FEED, other]), pictures=Pictures("all"))
    one.night()
    assert len(pictures_of(one)) == 4


def stories(count: int, picture: str) -> dict[str, list[Answer]]:
    return {article(number): photo(picture) for number in range(1, count + 1)} | {
        LIST: [rows(*((number, f"[포토] 사진 {number}", "2026-03-04T09:00") for number in range(count, 0, -1)))]
    }


def test_I31_a_logo_in_photo_pages_is_no_picture_and_no_page_is_asked_again(memory_path: Path) -> None:
    one = hub(memory_path, stories(5, "house"))
    for number in range(1, 4):
        one.night(number)
    assert pictures_of(one) == []
    assert one.read("SELECT DISTINCT kind FROM articles") == [("photo",)]
    assert len(asked(one, "photo")) == 5
    assert one.breaches() == {}


def test_P03_three_stories_of_one_picture_keep_it(memory_path: Path) -> None:
    one = hub(memory_path, stories(3, "house"))
    one.night()
    assert len(pictures_of(one)) == 3


def test_P03_a_photo_story_of_a_feed_asks_its_own_page_whatever_the_feed_shows(memory_path: Path) -> None:
    web = Scripted(
        {FEED: [answer(body=shown_in("/files/1.jpg", 1, mark="[포토] "))], ROBOTS: FREE, article(1): photo("a")}
    )
    one = Hub(memory_path, web, registry([FEED]))
    one.night(1)
    one.night(2)
    assert pictures_of(one) == [(article(1), f"{HOST}/a.jpg")]
    assert len(asked(one, "photo")) == 1


def test_P03_a_story_that_loses_its_mark_loses_its_picture(memory_path: Path) -> None:
    answers = {
        LIST: [rows((1, "[포토] 첫눈", "2026-03-04T09:00")), rows((1, "첫눈", "2026-03-04T09:00"))], article(1): photo(),
    }  # fmt: skip
    one = hub(memory_path, answers)
    one.night(1)
    assert len(pictures_of(one)) == 1
    one.night(2)
    assert pictures_of(one) == []


def test_P05_a_listed_film_is_a_video_and_youtube_is_never_asked_for_its_date_or_picture(memory_path: Path) -> None:
    film = "https://youtu.be/a1B2c3D4-_z"
    page = f'<ul><li><a href="{film}">[포토/영상] 개강</a></li><li><a href="{article(1)}">기사</a></li></ul>'
    one = hub(memory_path, {LIST: [answer(body=page.encode())], article(1): photo()})
    one.night(1)
    one.night(2)
    assert one.read("SELECT kind, video_id, video_form, url FROM articles WHERE video_id IS NOT NULL") == [
        ("video", "a1B2c3D4-_z", "video", film)
    ]
    assert not [url for _, url, _ in one.web.heard if "youtu" in url]
    assert one.breaches() == {}


def test_P03_a_log_in_which_a_picture_was_asked_for_is_found_by_that_rule(memory_path: Path) -> None:
    one = hub(memory_path, stories(1, "a"))
    one.night()
    assert one.breaches() == {}
    with closing(sqlite3.connect(one.state / "state.db")) as db, db:
        db.execute("UPDATE request_log SET url = ? WHERE purpose = 'photo'", (f"{HOST}/a.jpg",))
    assert one.breaches()["P03"] == 1


@pytest.mark.parametrize("picture", [LIST, ROBOTS, article(2)])
def test_P03_a_page_that_calls_one_of_our_addresses_its_picture_breaks_no_promise(
    picture: str, memory_path: Path
) -> None:
    answers = {LIST: [rows((1, "[포토] 첫눈", "2026-03-04T09:00"), (2, "기사", ""))], article(2): photo()}
    page = f'<meta property="og:image" content="{picture}">'.encode()
    one = hub(memory_path, answers | {article(1): [answer(body=page)]})
    one.night(1)
    one.night(2)
    assert one.breaches() == {}
