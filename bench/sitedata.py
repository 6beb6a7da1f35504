"""Press files of any size for the site's benchmark: invented outlets, years of months, written by the crawler's own rolling."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from crawl import rolling, workdb
from crawl.clock import DAY_S, kst_day, parse_at
from tests.sitefixture import row

OUTLETS = 134
YEARS = 12
TAGS = 900
NEWEST = int(parse_at("2026-11-28T00:05"))
"""The last nights of a month, when the search holds most apart as new."""
NIGHTS, A_NIGHT = 28, 300
"""How much of the record was found night by night, if it is large enough; the rest is an archive."""
KINDS = ("newspaper", "newspaper", "broadcaster", "english", "magazine", "independent")
REGIONS = ("서울", "경기", "부산", "대구", "광주", "대전", "강원", "전북", "충남", "제주")
_WORDS = """
    총학생회 선거 등록금 도서관 축제 학보사 기숙사 장학금 취업 강의 평가 학과 통폐합 총장 개교기념일
    동아리 수강신청 캠퍼스 셔틀버스 교수 연구실 학생회관 식당 물가 인상 토론회 열려 학우들 목소리
    담다 새내기 졸업 전시회 음악회 방송제 인터뷰 기획 사설 만평 국제교류 봉사 활동 지역 상생 대자보
    휴학 계절학기 성적 공지 논란 해명 간담회 결과 발표 이어져 환경 미화 노동자 처우 개선 요구 서명
    운동 확산 투표율 저조 연장 무산
"""
WORDS = _WORDS.split()
ARTICLE = (
    "id, key, outlet, source, kind, url, title, summary, summary_derived, byline, published, precision, published_raw, "
    "date_from, first_seen, changed, via, image_url, video_id, video_form, digest"
)


def make(folder: Path, articles: int) -> None:
    """Press files with so many articles below `folder`/data; the work database stays in `folder`/state for `add`."""
    for name in ("data", "state"):
        (folder / name).mkdir(parents=True)
    work, _ = workdb.prepare(folder / "data", folder / "state")
    with closing(workdb.connect(work)) as db:
        chance = random.Random(7)
        with workdb.transaction(db):
            _registry(db, chance)
            recent = min(NIGHTS * A_NIGHT, articles // 10)
            began = NEWEST - NIGHTS * DAY_S
            _insert(db, _articles(chance, 1, articles - recent, NEWEST - YEARS * 365 * DAY_S, began), chance)
            _insert(db, _articles(chance, articles - recent + 1, recent, began, NEWEST), chance)
            _night(db, 1, NEWEST, articles)
        rolling.rebuild(db, work, folder / "data")


def add(folder: Path, articles: int) -> None:
    """One night more: so many new articles, nearly all of them of its day, a few found late."""
    work, _ = workdb.prepare(folder / "data", folder / "state")
    with closing(workdb.connect(work)) as db:
        last, nights = db.execute("SELECT max(id), (SELECT max(id) FROM nights) FROM articles").fetchone()
        began = NEWEST + nights * DAY_S
        chance = random.Random(last)
        with workdb.transaction(db):
            late = articles // 20
            fresh = _articles(chance, last + 1, articles - late, began - DAY_S, began, found=began)
            _insert(db, fresh, chance)
            older = _articles(chance, last + 1 + articles - late, late, began - 400 * DAY_S, began, found=began)
            _insert(db, older, chance)
            _night(db, nights + 1, began, articles)
        rolling.rebuild(db, work, folder / "data")


def _registry(db: sqlite3.Connection, chance: random.Random) -> None:
    for number in range(1, OUTLETS + 1):
        slug = f"press-{number:03}"
        row(db, "outlets", id=number, slug=slug, name=f"가온{number}대신문", name_en=f"Gaon {number} Press",
            university=f"가온{number // 2}대학교", univ=f"gaon-{number // 2}", kind=chance.choice(KINDS),
            homepage=f"https://{slug}.example/", region=chance.choice(REGIONS), status="active", listed=1)  # fmt: skip
        row(db, "sources", id=number, outlet=number, kind="feed", url=f"https://{slug}.example/rss", state="active",
            listed=1, format="rss20", language="ko")  # fmt: skip
    # Few words head many stories, most head a few: as with real sections and keywords.
    db.executemany(
        "INSERT INTO tags VALUES (?, ?)",
        ((number, f"{WORDS[number % len(WORDS)]}{number // len(WORDS) or ''}") for number in range(1, TAGS + 1)),
    )


def _articles(
    chance: random.Random, first: int, count: int, oldest: int, newest: int, found: int | None = None
) -> Iterator[tuple[object, ...]]:
    """So many from a stretch of time; `found`: when, if not as they appeared."""
    weights = [1 / (1 + number % 20) for number in range(OUTLETS)]
    for number in range(first, first + count):
        published: int | None = oldest + (newest - oldest) * (number - first) // count + chance.randrange(3_600)
        seen = found or min(newest, int(published or 0) + 3_600)
        if chance.random() < 0.03:
            published = None
        (outlet,) = chance.choices(range(1, OUTLETS + 1), weights)
        kind = chance.choices(("article", "photo", "video", "audio", "edition"), (90, 5, 3, 1, 1))[0]
        summary = " ".join(chance.choices(WORDS, k=chance.randrange(10, 50)))[:200] if chance.random() < 0.85 else ""
        picture = f"https://press-{outlet:03}.example/photo/{number}.jpg" if kind == "photo" else None
        film = blake2b(number.to_bytes(8, "big"), digest_size=4).hexdigest() + "abc" if kind == "video" else None
        yield (
            number, blake2b(str(number).encode(), digest_size=8).digest(), outlet, outlet, kind,
            f"https://press-{outlet:03}.example/news/articleView.html?idxno={number}",
            " ".join(chance.choices(WORDS, k=chance.randrange(4, 10))), summary, int(chance.random() < 0.3),
            f"{chance.choice(WORDS)} 기자", published, "minute" if published else "none", "", "feed", seen, seen, "look",
            picture, film, "video" if film else None, number.to_bytes(8, "big"),
        )  # fmt: skip


def _insert(db: sqlite3.Connection, articles: Iterator[tuple[object, ...]], chance: random.Random) -> None:
    marks = ", ".join("?" * len(ARTICLE.split(", ")))
    for article in articles:
        db.execute(f"INSERT INTO articles ({ARTICLE}) VALUES ({marks})", article)
        words = {min(TAGS, int(chance.paretovariate(0.8))) for _ in range(chance.randrange(4))}
        db.executemany("INSERT INTO article_tags VALUES (?, ?)", [(article[0], word) for word in sorted(words)])


def _night(db: sqlite3.Connection, number: int, began: int, articles: int) -> None:
    row(db, "nights", id=number, day=kst_day(began), mode="scheduled", started=began, ended=began + 700, due=OUTLETS,
        ok=OUTLETS, new_articles=articles, requests=OUTLETS)  # fmt: skip
    if number == 1:
        for source in range(1, OUTLETS + 1):
            row(db, "checks", id=source, source=source, night=1, stage="stored", result="ok", reason="read", status=200)
