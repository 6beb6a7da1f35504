"""Press files of any size for tests and benchmarks of the diff: invented outlets, plain rows, written without a night."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from crawl import pressfile, urls
from tests.sitefixture import row

DAY_S = 86_400
FIRST_NIGHT = 1_772_636_400
"""2026-03-05 00:00 in Korea."""
NIGHTS = 6
TONIGHT = FIRST_NIGHT + NIGHTS * DAY_S
"""The night after those that every written state knows of."""
WORDS = (
    "총학생회",
    "등록금",
    "도서관",
    "기숙사",
    "축제",
    "학생식당",
    "캠퍼스",
    "강의평가",
    "동아리",
    "졸업전시",
    "교환학생",
    "장학금",
)

Facts = Mapping[str, Any]


def article(number: int, outlets: int = 3, **over: Any) -> dict[str, Any]:
    """A full row: one article an hour up to the eve of the first night, outlets in turn; `over` sets columns."""
    outlet = number % outlets + 1
    host = f"press{outlet}.example"
    facts: dict[str, Any] = {
        "id": number, "outlet": outlet, "source": outlet, "kind": "article", "guid": f"{host}-{number}",
        "url": f"https://{host}/news/articleView.html?idxno={number}",
        "title": f"{WORDS[number % 12]} {WORDS[number // 12 % 12]} {number}번째 소식",
        "summary": f"{number}번째 기사의 짧은 요약이다.",
        "summary_derived": 0, "byline": "김하늘 기자", "published": FIRST_NIGHT - 3600 - (20_000 - number) * 3600,
        "precision": "minute", "published_raw": "", "date_from": "feed_kst", "via": "look", "image_url": None, "media_url": None,
        "media_type": None, "media_bytes": None, "video_id": None, "video_form": None, "withheld": "",
    } | over  # fmt: skip
    facts.setdefault("first_seen", FIRST_NIGHT - DAY_S if facts["published"] is None else facts["published"] + 1800)
    facts.setdefault("changed", facts["first_seen"])
    if "key" not in facts:
        facts["key"] = _key(str(facts["url"]))
    facts.setdefault("digest", hashlib.blake2b(repr(sorted(facts.items())).encode(), digest_size=8).digest())
    return facts


def _key(url: str) -> bytes:
    """The identity a crawl would give it; what no crawl would take has one all the same."""
    try:
        return urls.key(url, "ndsoft")
    except ValueError:
        return hashlib.blake2b(url.encode(), digest_size=8).digest()


def tonight(number: int, **over: Any) -> dict[str, Any]:
    """A row first seen tonight."""
    return article(
        number, **({"published": TONIGHT - 7200, "first_seen": TONIGHT + 60, "changed": TONIGHT + 60} | over)
    )


def write(folder: Path, articles: Iterable[Facts], *, outlets: int = 3, spans: Sequence[tuple[int, int]] = ()) -> Path:
    """press.db, and press-000N.db for every span of numbers in `spans`, of six nights. Returns the folder."""
    folder.mkdir(parents=True)
    listed = list(articles)
    for place, (first, last) in enumerate(spans, 1):
        inside = [facts for facts in listed if first <= facts["id"] <= last]
        with closing(_made(pressfile.older(folder, place), pressfile.OLDER_SQL)) as db:
            _fill(db, inside)
            db.commit()
    hot = [facts for facts in listed if not any(first <= facts["id"] <= last for first, last in spans)]
    with closing(_made(folder / "press.db", pressfile.PRESS_SQL + pressfile.VIEWS_SQL)) as db:
        for number in range(1, outlets + 1):
            row(db, "outlets", id=number, slug=f"press-{number}", name=f"{number}번째 신문",
                univ=f"univ-{number}", kind="newspaper",
                homepage=f"https://press{number}.example/", status="active", listed=1)  # fmt: skip
            row(db, "sources", id=number, outlet=number, kind="feed", url=f"https://press{number}.example/rss", cms="ndsoft",
                state="active", listed=1, format="rss20")  # fmt: skip
        for number, word in enumerate(WORDS, 1):
            row(db, "tags", id=number, tag=word)
        for place, (first, last) in enumerate(spans, 1):
            count = sum(first <= facts["id"] <= last for facts in listed)
            row(db, "older_files", file=place, first=first, last=last, articles=count)
        row(db, "policy", id=1, rule="P20", name="spacing_s", value=3.0, floor=3.0, unit="s", in_force=1)
        for number in range(1, NIGHTS + 1):
            night(db, number, outlets)
        _fill(db, hot)
        db.commit()
    return folder


def night(db: sqlite3.Connection, number: int, outlets: int = 3, **over: Any) -> None:
    """A scheduled night in which every source was read; the first is number 1."""
    at = FIRST_NIGHT + (number - 1) * DAY_S
    facts = {"id": number, "day": f"2026-03-{4 + number:02}", "mode": "scheduled", "started": at, "ended": at + 600,
             "due": outlets,
             "ok": outlets, "requests": outlets, "new_articles": 40}  # fmt: skip
    row(db, "nights", **(facts | over))


def after(
    old: Path, change: Callable[[sqlite3.Connection], object] = lambda db: None, *, number: int = NIGHTS + 1
) -> Path:
    """A copy of a state beside it, one night later, with `change` made in press.db; `number` 0 writes no night."""
    folder = old.with_name(f"{old.name}-after")
    shutil.copytree(old, folder)
    with closing(sqlite3.connect(folder / "press.db", isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        if number:
            night(db, number)
        change(db)
    return folder


def add(db: sqlite3.Connection, *articles: Facts) -> None:
    """Put rows of articles into an open file."""
    for facts in articles:
        row(db, "articles", **facts)


def _made(path: Path, sql: str) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(sql)
    db.execute(f"PRAGMA user_version = {pressfile.SCHEMA_VERSION}")
    return db


def _fill(db: sqlite3.Connection, listed: Sequence[Facts]) -> None:
    if listed:
        names = list(listed[0])
        marks = ", ".join(f":{name}" for name in names)
        db.executemany(f"INSERT INTO articles ({', '.join(names)}) VALUES ({marks})", listed)
        db.executemany(
            "INSERT INTO article_tags VALUES (?, ?)", ((facts["id"], facts["id"] % 12 + 1) for facts in listed)
        )
