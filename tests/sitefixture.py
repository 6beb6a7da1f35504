"""A small fictional press database for tests of the site, made with the crawler's own schema and views."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from crawl.policy import Policy
from crawl.pressfile import SCHEMA_VERSION, VIEWS_SQL

KST = timezone(timedelta(hours=9))
CRAWL = Path(__file__).resolve().parent.parent / "crawl"
NIGHT = "2026-12-01"


def at(text: str) -> int:
    """Epoch seconds of a Korean moment: `2026-12-01 00:05`."""
    return int(datetime.fromisoformat(text).replace(tzinfo=KST).timestamp())


@dataclass(frozen=True, slots=True)
class Story:
    """One article to store; times in Korean, `published` empty where unknown."""

    outlet: str
    title: str
    published: str = ""
    summary: str = ""
    byline: str = ""
    precision: str = "minute"
    first_seen: str = f"{NIGHT} 00:05"
    url: str = ""
    kind: str = "article"
    tags: tuple[str, ...] = ()
    derived: bool = False
    key: bytes = b""
    image_url: str | None = None
    media_url: str | None = None
    media_type: str | None = None
    media_bytes: int | None = None
    video_id: str | None = None
    video_form: str | None = None


# slug, name, name_en, university, univ, kind, region, status, title_only, former
OUTLETS: tuple[tuple[str, str, str, str, str, str, str, str, int, str], ...] = (
    ("hanbit-news", "한빛대학보", "The Hanbit Press", "한빛대학교", "hanbit", "newspaper", "서울", "active", 0, ""),
    ("haneul-times", "하늘타임스", "The Haneul Times", "하늘대학교", "haneul", "english", "서울", "active", 0, ""),
    ("mulgyeol", "교지 물결", "Mulgyeol", "물결대학교", "mulgyeol", "magazine", "부산", "active", 0, "mulgyeol-old"),
    ("nuri-eye", "캠퍼스의 눈", "Campus Eye", "누리대학교", "nuri", "independent", "광주", "active", 1, ""),
    ("saebom-bs", "새봄대방송국", "SBBS", "새봄대학교", "saebom", "broadcaster", "대전", "active", 0, ""),
    ("silent-press", "고요대신문", "Goyo Press", "고요대학교", "goyo", "newspaper", "강원", "active", 0, ""),
    ("solbit-news", "솔빛대신문", "Solbit News", "솔빛대학교", "solbit", "newspaper", "경기", "ended", 0, ""),
)  # fmt: skip

# outlet, kind, url, state, result, reason, status, rest_until, rest_rule
SOURCES: tuple[tuple[str, str, str, str, str, str, int, str, str], ...] = (
    ("hanbit-news", "feed", "https://news.hanbit.example/rss/all.xml", "active", "ok", "read", 200, "", ""),
    ("haneul-times", "feed", "https://times.haneul.example/feed", "active", "not_modified", "http_304", 304, "", ""),
    ("mulgyeol", "feed", "https://mulgyeol.example/rss", "active", "failed", "http_503", 503, f"{NIGHT} 16:05", "P30"),
    ("nuri-eye", "list", "https://eye.nuri.example/list", "active", "refused", "robots_not_read_yet", 0, "", "P40"),
    ("saebom-bs", "feed", "https://bs.saebom.example/rss", "active", "put_off", "rests", 0, f"{NIGHT} 01:05", "P33"),
    ("saebom-bs", "youtube", "https://www.youtube.com/channel/UCexample", "frozen", "", "", 0, "", ""),
    ("silent-press", "feed", "https://goyo.example/rss", "active", "failed", "html_not_feed", 200, "", "P30"),
    ("solbit-news", "feed", "https://solbit.example/rss", "paused", "", "", 0, "", ""),
)  # fmt: skip

STORIES: tuple[Story, ...] = (
    Story("hanbit-news", "총학생회 선거 투표율 58.2%…두 해 만에 개표 성사", f"{NIGHT} 00:01",
          "사흘 동안 이어진 투표에 재학생 5,478명이 참여했다.", "김하늘 기자", tags=("보도", "총학생회")),
    Story("hanbit-news", "도서관 열람실, 시험 기간 밤샘 운영 시작", "2026-11-30 18:20",
          "중앙도서관이 이번 주부터 한 달 동안 자정 뒤에도 문을 연다.", "박서준", tags=("보도",), derived=True),
    Story("hanbit-news", "[포토] 첫눈 내린 본관 앞", "2026-11-30", precision="day", kind="photo"),
    Story("haneul-times", "Library Extends Opening Hours Ahead of Final Exams", "2026-11-30 09:00",
          "Starting next Monday the central library will stay open until two in the morning.", "Choi Yuna"),
    Story("haneul-times", "기숙사 신축 공사 착공", "2026-11-29 09:00", "영자신문이 한국어로 쓴 글."),
    Story("mulgyeol", "우리는 왜 자취방에서 밥을 짓는가", "2026-09-01", precision="day"),
    Story("mulgyeol", "날짜를 밝히지 않은 겨울호 머리말", precision="none", summary="지난 계절을 돌아본다."),
    Story("nuri-eye", "폐과 통보 한 달, 남은 학생들의 시간표", "2026-11-29 11:00", "보여서는 안 되는 요약", "편집부"),
    Story("saebom-bs", "[뉴스] 기숙사 난방 시간 조정", "2026-11-30 20:00", "두 시간 늘린다.", kind="video"),
    Story("solbit-news", "마지막 호를 내며", "2019-02-18 10:00", "스무 해의 기록을 닫는다."),
)  # fmt: skip


def fill(
    path: Path,
    stories: Iterable[Story] = STORIES,
    *,
    outlets: Iterable[tuple[str, str, str, str, str, str, str, str, int, str]] = OUTLETS,
    sources: Iterable[tuple[str, str, str, str, str, str, int, str, str]] = SOURCES,
    first_id: int = 1,
    nights: bool = True,
    breaches: int = 0,
    version: int = SCHEMA_VERSION,
    whole: bool = True,
) -> None:
    """Write one press file. `first_id`: number of its first article; `whole`: False for an older id range."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.executescript((CRAWL / "schema.sql").read_text())
        if whole:
            db.executescript(VIEWS_SQL)
        db.execute(f"PRAGMA user_version = {version}")
        numbers = {row[0]: number for number, row in enumerate(outlets, 1)}
        if whole:
            _registry(db, outlets, sources, numbers)
            if nights:
                _night(db, sources, breaches)
        _stories(db, stories, numbers, first_id)
        db.commit()
    if not whole:
        _list(path, first_id)


def _list(older: Path, first: int) -> None:
    """Let the press.db beside an older file know of it."""
    with closing(sqlite3.connect(older)) as db:
        articles, last = db.execute("SELECT count(*), coalesce(max(id), ?) FROM articles", (first,)).fetchone()
    with closing(sqlite3.connect(older.with_name("press.db"))) as db:
        number = int(older.stem.removeprefix("press-"))
        db.execute("INSERT INTO older_files VALUES (?, ?, ?, ?)", (number, first, last, articles))
        db.commit()


def _registry(
    db: sqlite3.Connection,
    outlets: Iterable[tuple[str, str, str, str, str, str, str, str, int, str]],
    sources: Iterable[tuple[str, str, str, str, str, str, int, str, str]],
    numbers: dict[str, int],
) -> None:
    for slug, name, name_en, university, univ, kind, region, status, title_only, former in outlets:
        row(db, "outlets", id=numbers[slug], slug=slug, name=name, name_en=name_en, university=university, univ=univ,
            kind=kind, homepage=f"https://{slug}.example/", region=region, status=status, title_only=title_only,
            former=former, listed=1)  # fmt: skip
    for number, (outlet, kind, url, state, *_) in enumerate(sources, 1):
        row(db, "sources", id=number, outlet=numbers[outlet], kind=kind, url=url, state=state, listed=1,
            format="rss20", language="ko")  # fmt: skip


def row(db: sqlite3.Connection, table: str, **values: object) -> None:
    """Add one row; a column left out is empty text or zero where it must not be NULL."""
    for _, column, kind, needed, *_ in db.execute(f"PRAGMA table_info({table})").fetchall():
        if needed and column not in values and column != "id":
            values[column] = {"TEXT": "", "BLOB": b""}.get(kind, 0)
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))


def _night(
    db: sqlite3.Connection, sources: Iterable[tuple[str, str, str, str, str, str, int, str, str]], breaches: int
) -> None:
    night = (1, NIGHT, "scheduled", at(f"{NIGHT} 00:00"), at(f"{NIGHT} 00:12") + 41, 6, 1, 1, 2, 1, 1, 10, 0, 5, 81_234)
    db.execute(f"INSERT INTO nights VALUES ({', '.join('?' * 16)})", (*night, breaches))
    for number, (_, _, _, _, result, reason, status, until, rule) in enumerate(sources, 1):
        if result:
            rest = at(until) if until else None
            row(db, "checks", id=number, source=number, night=1, stage="answered", result=result, reason=reason,
                status=status, rest_until=rest, rest_rule=rule)  # fmt: skip
    for number, rule_row in enumerate(Policy().rules(), 1):
        broken = breaches if rule_row.name == "spacing_s" else 0
        values = (number, rule_row.rule, rule_row.name, rule_row.value, rule_row.floor, rule_row.unit)
        db.execute("INSERT INTO policy VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*values, int(rule_row.in_force), broken))
    for server, start in (("news.hanbit.example", "00:00"), ("times.haneul.example", "00:01")):
        moment = at(f"{NIGHT} {start}")
        db.execute("INSERT INTO servers_last_night VALUES (?, ?, ?, ?, NULL)", (server, 1, moment, moment + 2))


def _stories(db: sqlite3.Connection, stories: Iterable[Story], numbers: dict[str, int], first_id: int) -> None:
    tags: dict[str, int] = {}
    for number, story in enumerate(stories, first_id):
        seen = at(story.first_seen)
        published = at(story.published) if story.published else None
        url = story.url or f"https://{story.outlet}.example/news/{number}"
        key = story.key or number.to_bytes(8, "big")
        row(db, "articles", id=number, key=key, outlet=numbers[story.outlet], source=1, kind=story.kind, url=url,
            title=story.title, summary=story.summary, summary_derived=int(story.derived), byline=story.byline,
            published=published, precision=story.precision, published_raw=story.published, date_from="feed",
            first_seen=seen, changed=seen, digest=b"digest00", image_url=story.image_url, media_url=story.media_url,
            media_type=story.media_type, media_bytes=story.media_bytes, video_id=story.video_id,
            video_form=story.video_form)  # fmt: skip
        for tag in story.tags:
            if tag not in tags:
                tags[tag] = len(tags) + 1
                db.execute("INSERT INTO tags VALUES (?, ?)", (tags[tag], tag))
            db.execute("INSERT INTO article_tags VALUES (?, ?)", (number, tags[tag]))


def hub(data: Path, more: str = "", **site: str) -> None:
    """Write DATA/hub.toml with these keys of its [site] table, and `more` tables behind it."""
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in site.items()]
    (data / "hub.toml").write_text("[site]\n" + "\n".join(lines) + "\n" + more, "utf-8")
