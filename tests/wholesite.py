"""A site with every kind of page, plain and hostile: built once, walked by all tests in the browser."""

from __future__ import annotations

import re
import sqlite3
import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from urllib.parse import quote

from build import site
from build.serve import SiteServer
from tests import sitefixture
from tests.sitefixture import OUTLETS, Story

HOSTILE = (
    '<script>alert("x")</script>',
    "</a></h3></li></ol></main><h1>나는 제목이다</h1>",
    '" onmouseover="alert(1)" style="position:fixed',
    "<img src=x onerror=alert(1)><svg/onload=alert(2)>",
    "&lt;b&gt; &amp;amp; &#x3C;i>",
    "{{ 7 * 7 }}{% raw %}{# #}",
    "\x1d\x1e제어 문자\x00",
    "\u202e뒤집힌 글자\u2066",
    "مجلة الجامعة تصدر عددا جديدا",
    "👩‍👩‍👧‍👦🏳️‍🌈 🇰🇷 그림 글자",
    "긴 제목 " * 1_250,
    "가" * 5_000,
    "Donaudampfschifffahrt" * 12,
)
PASSWORD = "t0psecret"
LINKS = (
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "vbscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    'https://hanbit-news.example/"><script>alert(1)</script>',
    "https://hanbit-news.example/?q=<b>&amp;",
    "https://hanbit-news.example/' onclick='alert(1)",
    f"https://reader:{PASSWORD}@hanbit-news.example/",
    "https://hanbit-news.example/\u202egpj.exe",
    "https://hanbit-news.example/기사?쪽=1",
    "https://hanbit-news.example/" + "a" * 2_000,
    "https://[::1",
    "//elsewhere.example/",
    "https:///nowhere",
)
WORDS = (
    """</title></a><script>alert('매체')</script><!-- ]]> -->""",
    "\u202e\u2066مجلة\u200f 2026 الجامعة\x00",
    '" onmouseover="alert(1)" x="👩‍👩‍👧‍👦',
    "=cmd|'/C calc'!A0",
    "아주 긴 이름 " * 40,
)
"""What the registry, hub.toml or a server might bring into names and notes."""

STRANGERS = tuple(
    (
        f"stranger-{number}",
        words,
        words,
        f"{words} 대학",
        f"stranger-{number}",
        "independent",
        words,
        "active",
        0,
        words,
    )
    for number, words in enumerate(WORDS)
)
"""Outlets whose names are no names."""

PICTURES = "https://pictures.example"
MEDIA = (("photo", "사진"), ("video", "영상"), ("audio", "소리"), ("edition", "지면"))
TOPICS = ("총학생회", "등록금", "축제", "기숙사", "도서관", "셔틀버스", "장학금", "동아리")
FOLDERS = {"o", "u", "kind", "region", "t", "nights"}
BASE = "https://campus.example/press/"


def stories() -> Iterator[Story]:
    """Stories of every kind, from fourteen months, by every outlet; then the hostile ones in all their forms."""
    yield from sitefixture.STORIES
    slugs = [outlet[0] for outlet in OUTLETS]
    for number, (month, slug) in enumerate(product(range(14), [slug for slug in slugs if slug != "silent-press"] * 9)):
        year, place = divmod(9 + month, 12)
        one, other = TOPICS[number % 8], TOPICS[(number * 3 + month) % 8]
        yield Story(slug, f"{one} {other} 소식 {number}", f"{2025 + year}-{place + 1:02}-{1 + number % 28:02} 10:00",
                    f"{one}와 {other}에 관한 이야기.", tags=tuple({one: 0, other: 0}))  # fmt: skip
    for number, (kind, word) in enumerate(MEDIA * 8):
        yield made(
            kind, Story(slugs[number % 5], f"[{word}] 가을 {number}", f"2026-11-{1 + number % 28:02} 12:00"), number
        )
    for number, words in enumerate(HOSTILE):
        story = Story(
            "hanbit-news", words, f"2026-11-{10 + number} 10:00", words[:200], words[:100], tags=(words[:60],)
        )
        yield story
        yield replace(story, outlet="haneul-times", published="", precision="none")
        for kind, _ in MEDIA:
            yield made(kind, replace(story, outlet="mulgyeol"), number)
    for slug, words, *_ in STRANGERS:
        yield Story(
            slug, f"{words} 첫 글", "2026-11-30 09:00", f"{words} 요약", words, tags=(words, f"#{words[:40]}", "축제")
        )
        yield made("photo", Story(slug, f"[사진] {words}", "2026-11-30 08:00"), len(slug))
    for number, link in enumerate(LINKS):
        for kind in ("article", *(kind for kind, _ in MEDIA)):
            yield made(kind, Story("hanbit-news", f"주소 {number} {kind}", "2026-11-08 10:00", url=link, image_url=link,
                                   media_url=link, video_id=link), number)  # fmt: skip


def made(kind: str, story: Story, number: int) -> Story:
    """The same story as a picture, a film, a sound or a printed issue; what it already names stays."""
    match kind:
        case "photo":
            return replace(story, kind=kind, image_url=story.image_url or f"{PICTURES}/{number}.jpg")
        case "video":
            form = ("video", "shorts", "live")[number % 3]
            return replace(story, kind=kind, video_id=story.video_id or f"film{number:07}", video_form=form)
        case "audio":
            return replace(story, kind=kind, media_url=story.media_url or f"{PICTURES}/{number}.mp3", media_bytes=9_000_000,
                           media_type="audio/mpeg")  # fmt: skip
        case "edition":
            return replace(story, kind=kind, media_url=story.media_url or f"{PICTURES}/{number}.pdf", media_bytes=12_000_000,
                           media_type="application/pdf")  # fmt: skip
    return story


def build(folder: Path) -> Path:
    """The whole site below that folder."""
    sources = [(stranger[0], "feed", link, "active", "failed", words, 0, "", words)
               for stranger in STRANGERS for words, link in zip(WORDS * len(LINKS), LINKS, strict=False)]  # fmt: skip
    sitefixture.fill(
        folder / "press.db",
        stories(),
        outlets=(*sitefixture.OUTLETS, *STRANGERS),
        sources=(*sitefixture.SOURCES, *sources),
    )
    estrange(folder / "press.db")
    sitefixture.hub(folder, name="대학언론 허브", contact="hub@campus.example", address=BASE)
    site.build(folder, folder / "site")
    return folder / "site"


def bare(folder: Path) -> Path:
    """The site of a hub before its first night, without an outlet, a contact or a tagline."""
    sitefixture.fill(folder / "press.db", [], outlets=[], sources=[], nights=False)
    sitefixture.hub(folder, name="새 허브", tagline="", address=BASE)
    site.build(folder, folder / "site")
    return folder / "site"


def estrange(press: Path) -> None:
    """Let every other text about outlets, sources and servers be one of the strange ones."""
    with closing(sqlite3.connect(press)) as db:
        for (slug, words, *_), link in zip(STRANGERS, LINKS, strict=False):
            db.execute("UPDATE outlets SET homepage = ?, note = ? WHERE slug = ?", (link, words, slug))
            db.execute(
                "UPDATE sources SET title = ?, note = ?, cms = ?, language = ?, format = ? "
                "WHERE outlet = (SELECT id FROM outlets WHERE slug = ?)",
                (*(words,) * 5, slug),
            )
            db.execute("INSERT INTO servers_last_night VALUES (?, 1, 0, 1, NULL)", (words,))
        db.commit()


@contextmanager
def served(root: Path) -> Iterator[str]:
    """The address of that site on this machine, as long as it is needed."""
    with SiteServer(root, 0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.address
        finally:
            server.shutdown()
            thread.join()


def shape(path: str) -> str:
    """What kind of page stands at a path: names, dates and numbers in it told by what they are."""
    parts: list[str] = []
    for part in path.removesuffix("index.html").split("/"):
        if parts and parts[-1] in FOLDERS and part:
            parts.append("*")
        elif part in {outlet[5] for outlet in OUTLETS}:
            parts.append("KIND")
        else:
            parts.append(re.sub(r"\d", "9", part) if re.fullmatch(r"[\d-]+", part) else part)
    return "/".join(parts)


def pages(root: Path) -> list[str]:
    """The heaviest page of every kind, and the lightest below every first folder, below the site's front page."""
    kinds: dict[str, list[tuple[int, str]]] = {}
    folders: dict[str, list[tuple[int, str]]] = {}
    for file in root.rglob("*.html"):
        path = file.relative_to(root).as_posix()
        sized = (file.stat().st_size, path)
        kinds.setdefault(shape(path), []).append(sized)
        folders.setdefault(path.partition("/")[0], []).append(sized)
    chosen = {max(sizes)[1] for sizes in kinds.values()} | {min(sizes)[1] for sizes in folders.values()}
    return sorted(quote(path.removesuffix("index.html")) for path in chosen)


def dot(width: int, height: int) -> bytes:
    """A grey PNG of that size."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = (b"\0" + b"\x80" * width) * height
    size = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
