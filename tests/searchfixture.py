"""Small made-up articles for tests of the search, and its files as a folder to serve."""

from __future__ import annotations

import random
import shutil
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import cast

from bench.searchcorpus import Article, Outlet
from build.searchcards import Medium, Searchable, day_text
from build.searchindex import Known, base_order, delta_order, entrance, outlets, parted, segment
from build.searchprimer import PRIMER

DAY_S, KST_S = 86_400, 32_400
NOVEMBER = 1_793_458_800
"""2026-11-01T00:00+09:00, epoch seconds."""

ASSETS = Path(__file__).resolve().parent.parent / "site_templates" / "assets" / "search"
KINDS = {"photo": ("사진",), "video": ("영상",)}

OUTLETS = (
    Outlet(
        "hanbit-news",
        "한빛대학보",
        "The Hanbit Press",
        "한빛대학교",
        "hanbit",
        "newspaper",
        "https://hanbit.example/news/",
    ),
    Outlet(
        "haneul-times",
        "하늘타임스",
        "The Haneul Times",
        "하늘대학교",
        "haneul",
        "english",
        "https://haneul.example/?id=",
    ),
    Outlet("mulgyeol", "교지 물결", "Mulgyeol", "물결대학교", "mulgyeol", "magazine", "https://mulgyeol.example/"),
    Outlet("hanbit-bs", "한빛대방송국", "HBS", "한빛대학교", "hanbit", "broadcaster", "https://bs.hanbit.example/v/"),
)


def article(
    id: int, title: str, *, day: int = -40, summary: str = "", byline: str = "", outlet: int = 0, kind: str = "article",
    published: bool = True, seen: int | None = None, tags: tuple[str, ...] = (),
) -> Article:  # fmt: skip
    """One article; `day` counts from 1 November 2026, and it was found the same day or on the day `seen`."""
    found = NOVEMBER + (day if seen is None else seen) * DAY_S + 300
    at = NOVEMBER + day * DAY_S + 100 + id % 80_000
    url = f"{OUTLETS[outlet].url}{id}"
    return Article(id, outlet, kind, url, title, summary, byline, at if published else None, found, tags)


def random_articles(number: int, seed: int, alphabet: str = "학생회총 등록금a B1.가") -> list[Article]:
    """Articles of a few characters only, so that all sorts of lists grow long: four fifths in the base, the rest in November."""
    rng = random.Random(seed)

    def text(most: int) -> str:
        return "".join(rng.choices(alphabet, k=rng.randint(0, most))).strip()

    made = []
    for id in range(1, number + 1):
        recent = id > number * 4 // 5
        day = rng.randint(0, 28) if recent and rng.random() < 0.8 else rng.randint(-900, -2)
        seen = rng.randint(max(0, day), 28) if recent else -1
        made.append(
            article(id, text(12) or "무제", day=day, seen=seen, summary=text(30), byline=text(4), outlet=rng.randrange(4),
                    kind=rng.choice(("article", "article", "photo", "video")), published=rng.random() < 0.95,
                    tags=tuple(sorted(set(rng.choices(("보도", "기획", "AI"), k=rng.randint(0, 2))))))
        )  # fmt: skip
    return made


def searchable(one: Article) -> Searchable:
    """An article as the builder takes it."""
    sort_at = one.first_seen if one.published is None else one.published
    day = (sort_at + KST_S) // DAY_S
    date = "" if one.published is None else day_text(day)
    return Searchable(
        one.id, one.outlet + 1, one.kind, one.url, one.title, one.summary, one.byline, date, sort_at, day, one.first_seen,
        one.tags,
    )  # fmt: skip


def built(articles: Iterable[Article]) -> dict[str, bytes]:
    """Every file of the search over these articles, as the build puts it together of two segments."""
    return dict(_files(articles))


def _files(articles: Iterable[Article]) -> Iterator[tuple[str, bytes]]:
    by_id = {one.id: searchable(one) for one in articles}
    first_seen = {id: one.first_seen for id, one in by_id.items()}
    sort_at = {id: one.sort_at for id, one in by_id.items()}
    in_base, in_delta = parted(list(by_id), first_seen)
    asked = {medium.id: medium for medium in media(OUTLETS)}
    base = yield from _below("base", segment((by_id[id] for id in base_order(in_base, sort_at)), asked))
    delta_ids = delta_order(in_delta, first_seen, sort_at)
    delta = yield from _below("delta", segment((by_id[id] for id in delta_ids), asked, base.begins))
    yield "outlets.gz", outlets(asked.values(), base, KINDS)
    yield "index.gz", entrance(base.told, delta.told)


def _below(folder: str, files: Generator[tuple[str, bytes], None, Known]) -> Generator[tuple[str, bytes], None, Known]:
    while True:
        try:
            path, body = next(files)
        except StopIteration as end:
            return cast(Known, end.value)
        yield f"{folder}/{path}", body


def media(outlets: Sequence[Outlet]) -> list[Medium]:
    """Outlets as the builder takes them."""
    return [
        Medium(at + 1, one.slug, one.name, one.name_en, one.university, one.univ, one.kind)
        for at, one in enumerate(outlets)
    ]


def unpacked(body: bytes) -> bytes:
    """What a file of cards holds behind its tag."""
    return zlib.decompressobj(-15, zdict=PRIMER).decompress(body[4:])


def put(folder: Path, articles: Iterable[Article]) -> None:
    """Write the files below `folder`/search, in place of others, and the engine beside them."""
    shutil.rmtree(folder / "search", ignore_errors=True)
    for path, body in built(articles).items():
        target = folder / "search" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body)
    shutil.copytree(ASSETS, folder / "assets" / "search", dirs_exist_ok=True)
