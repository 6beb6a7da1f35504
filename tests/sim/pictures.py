"""Photo stories as campus papers mark them, their false friends, and the picture that an article's page names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urljoin

from tests.sim.datewords import korean
from tests.sim.stories import Story

Marked = Literal["", "title", "section", "column"]
"""How a piece is known as a photo story: not at all, by its title, its section's label, or the outlet's own column."""

COLUMN = "앵글"
"""A column that only the outlet's own setting makes a photo column."""
_SCENES = (
    "첫눈 내린 교정", "은행잎 쌓인 오르막", "시험 마지막 날의 함성", "안개 낀 호수", "불 밝힌 실험실", "졸업식 날의 꽃다발",
    "비 오는 정문", "눈 덮인 본관", "봄이 온 운동장",
)  # fmt: skip
_EN_SCENES = ("First Snow at the Gate", "Lanterns on the Lake", "A Quiet Library at Noon")
_MARKS = (
    "[포토뉴스] {}", "[포토뉴스]{}", "[포토 포커스] {}", "{} [포토에세이]", "(포토) {}",
    "[{short}포토] {}", "<포토뉴스> {}", "【포토】 {}",
    "포토뉴스 | {}", "[사진으로 보는 대동제] {}", "[1면 사진] {}", "[522호/포토] {}", "[특집 화보] {}",
    "▲[포토] {}", "[ 포토뉴스 ] {}",
    "[포토/영상] {}",
)  # fmt: skip
_EN_MARKS = ("Photo Essay: {}", "[Photo] {}")
_FALSE = (
    "포토샵 강의 수강생 모집", "사진 동아리 전시회 열려", "축제 포토존 안전사고",
    "사진학과 졸업전시", "불법촬영 사진 유포… 학내 대응은",
    "[사진제공=홍보팀] 협약 체결", "[사설] 사진 한 장이 남긴 것", "[카드뉴스] 등록금 한눈에 보기", "포토닉스 연구단 선정",
    "화보집 발간한 학과", "“사진으로 보는 것과 달랐다” 기숙사 불만", "[포토샵 특강] 신청 안내",
)  # fmt: skip
_SIGNED = (
    "R&D 예산 삭감, 대학원생 {}명의 답", "<대학신문> 지령 {}호를 맞다", "“A+ & 재수강” 논란 {}일째",
    "C++·Python 강의 {}개 신설",
    "총여학생회 투표 1 < 2? {}표 차", "[인터뷰] 학생회장에게 던진 {}가지 물음",
    "축제 D-{} 준비 한창", '"밥값 {}원" 학생식당의 비밀',
)  # fmt: skip
"""Headlines whose signs mean something to machines, and must come through as they are."""
_EN_FALSE = ("Photonics Lab Opens Phase {}", "Photography Club Wins Prize No. {}")


def posed(story: Story, number: int, short: str, *, english: bool, column: bool) -> tuple[Story, Marked]:
    """The story of that number as a photo story, a false friend of one, full of signs, or itself.

    `short`: the outlet's short name.
    """
    turn, at = divmod(number, 12)
    if at == 3:
        scenes, marks = (_EN_SCENES, _EN_MARKS) if english else (_SCENES, _MARKS)
        shape, scene = marks[turn % len(marks)], _scene(scenes, number)
        return _retitled(story, shape, scene, short, english=english), "title"
    if at == 1 and not english:
        return _retitled(story, "{}", _SIGNED[turn % len(_SIGNED)].format(number), short, english=False), ""
    if at == 7:
        friends = _EN_FALSE if english else _FALSE
        return _retitled(story, "{}", friends[turn % len(friends)].format(number), short, english=english), ""
    if at == 9 and not english:
        label = ("포토", "포토뉴스", "사진", "화보")[turn % 4]
        return replace(
            _retitled(story, "{}", _scene(_SCENES, number), short, english=english), section=label
        ), "section"
    if at == 10 and column:
        return _retitled(story, f"[{COLUMN}] {{}}", _scene(_SCENES, number), short, english=english), "column"
    return story, "title" if story.photo else ""


def _scene(scenes: tuple[str, ...], number: int) -> str:
    return f"{scenes[number * 5 % len(scenes)]} {number}"


def _retitled(story: Story, shape: str, words: str, short: str, *, english: bool) -> Story:
    title, later = (shape.format(text, short=short) for text in (words, words + (", Again" if english else ", 다시")))
    tags = () if story.photo else story.tags
    section = story.section if english else "대학"
    return replace(story, headline=title, later_headline=later, section=section, tags=tags, photo=False)


@dataclass(frozen=True, slots=True)
class Picture:
    """What og:image holds, and the address it means; `meant` is empty where it is the site's logo."""

    written: str
    meant: str


def picture(page: str, number: int, published: float, *, always_logo: bool) -> Picture:
    """The picture that the page of a piece names, asked for at that address; `always_logo`: all of an outlet's are one."""
    month, host = f"{korean(published):%Y%m}", page.partition("://")[2].partition("/")[0]
    name = f"{number}_{number * 7 % 991}_{number * 13 % 9973}"
    if always_logo:
        return Picture("/img/share.png", "")
    written = (
        f"https://cdn.{host}/news/photo/{month}/{name}.jpg",
        f"/news/photo/{month}/{name}.JPG",
        f"//cdn.{host}/news/photo/{month}/{name}.png",
        f"https://{host}/photo/view?name={name}&size=l",
        f"/data/photo/{month}/교정 {number}.jpg",
        f"https://{host}/image/logo/snslogo_20260212105736.png",
        f"../photo/{month}/{name}.jpeg",
    )[number % 7]
    return Picture(written, "" if "/image/logo/" in written else urljoin(page, written))
