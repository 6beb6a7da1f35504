"""Articles to search: real Korean headlines where a file of them is given, and campus headlines put together from parts.

Deterministic for a number and a file. Nothing of the search itself is imported here, so that a check against these
articles shares no mistake with it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

OUTLETS = 320
NEWEST = 1_795_964_400
"""2026-11-30T00:00+09:00, epoch seconds: the last night of a month, when the delta is largest."""
DAY_S = 86_400
SPAN_DAYS = 7_300
A_NIGHT = 300
SUMMARY_CHARS = 150


def _split(text: str) -> list[str]:
    return text.split("|")


_SURNAMES = "김이박최정강조윤장임한오서신권황안송류홍"
_GIVEN = "서준하윤도현지우민수빈은영채원호진아율시연재희태경성주혜림"
_NAMES = _split(
    "한빛|하늘|물결|누리|새봄|고요|솔빛|가람|단비|마루|아라|여울|미르|두레|너른|다온|라온|나래|온새|이든|"
    "도담|해찬|푸른|달빛|별하|윤슬|바다|들꽃|보람|소담|예솔|한울|참빛|큰솔|새론|초롱|다솜|가온|느루|벼리"
)
_MEDIA = ("대학보", "대신문", "대방송국", "교지", "타임스", "대학신문", "저널", "매거진")
_WHO = _split(
    "총학생회|학생자치회|단과대|학생회|비상대책위원회|대학본부|교무처|학생처|도서관|생활관|국제처|동아리연합회|"
    "졸업준비위원회|대학원총학생회|교수회|직원노조|청소노동자|외국인|유학생|신입생|재학생|휴학생|졸업생|편집국|"
    "인권센터|학생상담센터"
)
_WHAT = _split(
    "등록금 인상 반대|기숙사 신축|축제 라인업|총장 직선제|학식 가격|셔틀버스 증차|강의평가 공개|장학금 확대|"
    "수강신청 대란|전공 자율 선택제|무전공 입학|학과 통폐합|성평등 위원회|캠퍼스 안전|도서관 좌석|"
    "학생 자치 예산|교내 주차 문제|글로컬대학 30|AI 활용 강의|ChatGPT 가이드라인|온라인 강의 질|"
    "국가장학금 2유형|RISE 사업|천원의 아침밥|새내기 배움터|농촌 봉사활동|중앙동아리 등록|학생 식당 위생|"
    "실험실 안전사고|강사법 시행|전세 사기 피해|청년 주거|취업 박람회|창업 동아리"
)
_HOW = _split(
    "논의 시작|요구 성명 발표|결국 무산|두 해 만에 성사|찬반 투표 가결|공청회 열려|협의체 구성|"
    "설문 결과 58.2% 찬성|학생들 “소통 없었다”|예산 3억 5천만 원 배정|내년부터 시행|전면 재검토|"
    "무엇이 문제인가|어디까지 왔나|현장을 가다|정족수 미달로 연기|임시총회 소집|합의안 도출|감사 결과 공개|"
    "후보 단독 출마|투표율 41.7%로 마감|1,204명 서명|개선 약속"
)
_MARKS = ("", "", "", "", "[보도] ", "[기획] ", "[사설] ", "[포토] ", "[인터뷰] ", "<사회> ", "[칼럼] ")
_PLAIN = (
    "지난 {d}일 {who}는 {what} 문제를 두고 임시 회의를 열었다. ",
    "{who} 관계자는 “{what}에 대한 학우들의 의견을 충분히 듣겠다”고 밝혔다. ",
    "이번 {what} 안건은 재학생 {n}명이 참여한 설문에서 {p}%의 찬성을 얻었다. ",
    "{who}와 {who2}의 입장 차가 좁혀지지 않으면서 {what}은 다음 학기로 미뤄졌다. ",
    "{name}({major} {y}) 학우는 “{what}이 왜 필요한지 모르겠다”며 아쉬움을 드러냈다. ",
)
_MAJORS = _split("국어국문학과|경제학부|컴퓨터공학과|사회학과|기계공학부|간호학과|영어영문학과|시각디자인학과|물리학과")
_TAGS = _split("보도|기획|사설|칼럼|문화|사회|학술|인터뷰|총학생회|등록금|기숙사|축제|장학금|동아리|취업|AI|인권|환경")


@dataclass(frozen=True, slots=True)
class Outlet:
    """A made-up medium."""

    slug: str
    name: str
    name_en: str
    university: str
    univ: str
    kind: str
    url: str


@dataclass(frozen=True, slots=True)
class Article:
    """A made-up article; times are epoch seconds, `published` None where unknown; `outlet` an index into `outlets()`."""

    id: int
    outlet: int
    kind: str
    url: str
    title: str
    summary: str
    byline: str
    published: int | None
    first_seen: int
    tags: tuple[str, ...]


def outlets() -> list[Outlet]:
    """The media, several to a university."""
    kinds = ("newspaper", "newspaper", "broadcaster", "magazine", "english", "newspaper", "independent", "magazine")
    made = []
    for at in range(OUTLETS):
        name, medium = _NAMES[at % len(_NAMES)], at // len(_NAMES)
        made.append(
            Outlet(
                f"press-{at:03}",
                f"{name}{_MEDIA[medium]}",
                f"Campus {at} Times",
                f"{name}대학교",
                f"univ-{at % len(_NAMES):02}",
                kinds[medium],
                f"http://www.press{at:03}.example/news/articleView.html?idxno=",
            )
        )
    return made


def articles(number: int, headlines: Sequence[str]) -> Iterator[Article]:
    """`number` articles in the order they were found: an archive first, then nights of 300."""
    rng = random.Random(number)
    made = outlets()
    archive = max(0, number - 40 * A_NIGHT) if number > 40 * A_NIGHT else number * 3 // 4
    weights = [1 / (1 + at % 40) ** 0.5 for at in range(OUTLETS)]
    chosen = rng.choices(range(OUTLETS), weights, k=number)
    numbers = [count(1_000 + 7 * at) for at in range(OUTLETS)]
    for at in range(number):
        if at < archive:
            seen = NEWEST - 60 * DAY_S + at % 3_600
            published: int | None = seen - int(SPAN_DAYS * rng.random() ** 1.3 * DAY_S) - 3_600
        else:
            night = (at - archive) // max(1, (number - archive) // 40)
            seen = NEWEST - (39 - min(night, 39)) * DAY_S + 300
            late = DAY_S if rng.random() < 0.9 else 400 * DAY_S
            published = seen - int(rng.random() * late)
        draw = rng.random()
        if draw < 0.01:
            published = None
        elif draw < 0.2 and published is not None:
            published -= (published + 32_400) % DAY_S
        yield _article(rng, at, made[chosen[at]], chosen[at], next(numbers[chosen[at]]), published, seen, headlines)


def read_headlines(path: str) -> list[str]:
    """The lines of a file."""
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip()]


def _article(
    rng: random.Random,
    id: int,
    outlet: Outlet,
    at: int,
    number: int,
    published: int | None,
    seen: int,
    headlines: Sequence[str],
) -> Article:
    real = bool(headlines) and rng.random() < 0.5
    title = rng.choice(headlines) if real else _title(rng, outlet)
    draw = rng.random()
    if draw < 0.08:
        summary = ""
    elif headlines and draw < 0.6:
        summary = _cut(" ".join(rng.choices(headlines, k=6)))
    else:
        summary = _cut("".join(_plain(rng) for _ in range(4)))
    byline = f"{_name(rng)} 기자" if rng.random() < 0.8 else ""
    kind = rng.choices(("article", "photo", "video", "edition"), (90, 6, 3, 1))[0]
    tags = tuple(sorted(set(rng.choices(_TAGS, k=rng.randint(0, 3)))))
    return Article(id, at, kind, f"{outlet.url}{number}", title, summary, byline, published, seen, tags)


def _title(rng: random.Random, outlet: Outlet) -> str:
    who = rng.choice(_WHO)
    if rng.random() < 0.3:
        who = f"{outlet.university[:-3]}대 {who}"
    return f"{rng.choice(_MARKS)}{who}, {rng.choice(_WHAT)} {rng.choice(_HOW)}"


def _plain(rng: random.Random) -> str:
    return rng.choice(_PLAIN).format(
        d=rng.randint(1, 30),
        who=rng.choice(_WHO),
        who2=rng.choice(_WHO),
        what=rng.choice(_WHAT),
        n=f"{rng.randint(80, 9_000):,}",
        p=rng.randint(20, 95),
        name=_name(rng),
        major=rng.choice(_MAJORS),
        y=rng.randint(18, 26),
    )


def _name(rng: random.Random) -> str:
    return rng.choice(_SURNAMES) + "".join(rng.choices(_GIVEN, k=2))


def _cut(text: str) -> str:
    return text if len(text) <= SUMMARY_CHARS else text[: SUMMARY_CHARS - 1].rstrip() + "…"
