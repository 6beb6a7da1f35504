"""Invented people and places that stories draw from."""

from __future__ import annotations

import random

_SURNAMES = "김이박최정강조윤장임한오서신권황안송류홍전고문손양배백허남"
_GIVEN = (
    "하늘", "지우", "민서", "서준", "예린", "도현", "수빈", "은채", "태오", "가을", "나래", "솔", "이든", "라온",
    "시우", "다은", "유진", "해찬", "보미", "주원", "아인", "현서", "채원", "건우", "소율", "찬희", "여름", "정후",
    "세아", "로운",
)  # fmt: skip
_EN_SURNAMES = ("Kim", "Lee", "Park", "Choi", "Jung", "Han", "Yoon", "Seo", "Oh", "Nam", "Hwang", "Moon")
_EN_GIVEN = (
    "Ha-neul", "Ji-woo", "Min-seo", "Seo-jun", "Ye-rin", "Do-hyun", "Su-bin", "Eun-chae", "Tae-o", "Ga-eul", "Na-rae",
    "Sol",
)  # fmt: skip
DEPARTMENTS = (
    "국어국문학과", "사학과", "철학과", "경제학과", "사회학과", "미디어학부", "수학과", "물리학과", "화학공학과",
    "기계공학부", "컴퓨터학부", "간호학과", "조경학과", "해양학과", "도자공예과", "무용과", "불어불문학과", "심리학과",
    "통계학과", "산림자원학과",
)  # fmt: skip
HALLS = (
    "학생회관", "중앙광장", "제2공학관", "인문관", "대강당", "노천극장", "백주년기념관", "예술관", "중앙도서관",
    "체육관",
)  # fmt: skip
LABS = ("제2공학관", "자연과학관", "생명과학관", "신소재동")
EN_HALLS = ("the Main Library", "the Student Union", "Hanul Hall", "Science Building 3", "the Amphitheatre")
UNIONS = ("총학생회", "총동아리연합회", "단과대 학생회", "중앙운영위원회", "학생복지위원회")
CLUBS = (
    "풍물패 ‘들소리’", "밴드 ‘유리창’", "연극회 ‘무대밖’", "합창단 ‘온음’", "천문회 ‘별길’", "사진회 ‘빛살’",
    "수어회 ‘손말’", "산악부 ‘마루’", "춤패 ‘쏜살’", "탈반 ‘똠방’",
)  # fmt: skip
COUNTS = ("두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
EN_COUNTS = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def person(rng: random.Random) -> str:
    """An invented Korean name."""
    return rng.choice(_SURNAMES) + rng.choice(_GIVEN)


def english_person(rng: random.Random) -> str:
    """The same in an English paper."""
    return f"{rng.choice(_EN_SURNAMES)} {rng.choice(_EN_GIVEN)}"


def student(rng: random.Random, dept: str) -> str:
    """A student as Korean papers introduce one: `한민서(사학 3) 씨`."""
    return f"{person(rng)}({dept.removesuffix('부').removesuffix('과')} {rng.randint(1, 4)}) 씨"


def won(rng: random.Random) -> str:
    """A sum of a university's size."""
    hundred_millions, ten_millions = rng.randint(1, 18), rng.randint(2, 9)
    sums = f"{hundred_millions}억 원", f"{hundred_millions}억 {ten_millions}천만 원", f"{ten_millions}천만 원"
    return rng.choice(sums)
