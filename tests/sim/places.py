"""Invented universities and the names their media bear."""

from __future__ import annotations

from dataclasses import dataclass

_STEMS = (
    ("한빛", "hanbit", "서울"), ("새봄", "saebom", "경기"), ("솔빛", "solbit", "강원"),
    ("미르내", "mirnae", "전북"), ("도담", "dodam", "부산"), ("해오름", "haeoreum", "울산"),
    ("여울", "yeoul", "충남"), ("다온", "daon", "대전"), ("별하", "byeolha", "대구"),
    ("윤슬", "yunseul", "제주"), ("늘봄", "neulbom", "광주"), ("하늬", "hanui", "인천"),
    ("온새미", "onsaemi", "경북"), ("푸르내", "pureunae", "경남"), ("시나래", "sinarae", "충북"),
    ("너울", "neoul", "전남"), ("찬솔", "chansol", "세종"), ("마루", "maru", "서울"),
    ("아라", "ara", "부산"), ("초롱", "chorong", "경기"), ("달품", "dalpum", "서울"),
    ("참샘", "chamsaem", "대전"), ("은여울", "eunyeoul", "강원"), ("물빛", "mulbit", "충북"),
    ("가람솔", "garamsol", "서울"), ("누리봄", "nuribom", "광주"), ("샛별", "saetbyeol", "경기"),
    ("한결", "hangyeol", "대구"), ("바람새", "baramsae", "전남"), ("꽃담", "kkotdam", "경북"),
    ("라온", "raon", "인천"), ("소담", "sodam", "경남"), ("높새", "nopsae", "강원"),
    ("이든", "ideun", "충남"), ("그린내", "geurinnae", "전북"), ("단미", "danmi", "제주"),
)  # fmt: skip
_FORMS = (
    ("대학교", "대", "University", ""), ("여자대학교", "여대", "Women’s University", "-w"),
    ("과학기술대학교", "과기대", "University of Science and Technology", "-tech"),
    ("예술대학교", "예대", "University of the Arts", "-arts"),
    ("교육대학교", "교대", "University of Education", "-edu"),
    ("외국어대학교", "외대", "University of Foreign Studies", "-lang"),
)  # fmt: skip
_PAPERS = (("{short}신문", "{en} University News"), ("{stem}학보", "The {en} Hakbo"), ("{short} 타임즈", "{en} Weekly"))
_ENGLISH = ("The {en} Herald", "The {en} Tribune", "{en} Post", "The {en} Courier")
_RADIO = (("{short}방송국", "{en} Campus Radio"), ("{stem} 교육방송국", "{en} Educational Broadcasting"))
_MAGAZINES = (("둘레", "Dulle"), ("틈새", "Teumsae"), ("여백", "Yeobaek"), ("고랑", "Gorang"), ("물음", "Mureum"))
_INDEPENDENTS = (
    ("서랍", "Seorap"),
    ("담장너머", "Over the Wall"),
    ("이면지", "Scrap Paper"),
    ("교문밖", "Outside the Gate"),
)


@dataclass(frozen=True, slots=True)
class University:
    """An invented university; `short` as students say it (한빛대)."""

    slug: str
    name: str
    short: str
    stem: str
    en: str
    region: str


def university(number: int) -> University:
    """The n-th university (0, 1, 2 …); there are as many as stems times forms. Raises IndexError beyond."""
    stem, roman, region = _STEMS[number % len(_STEMS)]
    long, short, _, suffix = _FORMS[number // len(_STEMS)]
    return University(roman + suffix, stem + long, stem + short, stem, roman.capitalize(), region)


def names(kind: str, place: University, number: int) -> tuple[str, str]:
    """The name of an outlet of that kind in Korean and English."""
    words = {"short": place.short, "stem": place.stem, "en": place.en}
    match kind:
        case "newspaper":
            ko, en = _PAPERS[number % len(_PAPERS)]
        case "english":
            ko = en = _ENGLISH[number % len(_ENGLISH)]
        case "broadcaster":
            ko, en = _RADIO[number % len(_RADIO)]
        case "magazine":
            word, roman = _MAGAZINES[number % len(_MAGAZINES)]
            ko, en = f"{{short}} 교지 ‘{word}’", f"{roman}, the {{en}} Review"
        case _:
            word, roman = _INDEPENDENTS[number % len(_INDEPENDENTS)]
            ko, en = f"{{short}} 독립언론 {word}", f"{roman} ({{en}})"
    return ko.format(**words), en.format(**words)
