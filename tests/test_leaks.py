"""No artefact holds a byte of who left (P60): files, pages, feeds, edition, reports and whatever the commands print."""

from __future__ import annotations

import gzip
import html
import json
import shutil
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import pytest

from build import explore, site
from crawl import registry as registry_files
from crawl.cli import main
from crawl.exclusions import byline_key
from crawl.rolling import Limits
from crawl.store import Store
from tests import searchfixture, sitefixture, wholesite
from tests.nights import Hub, Scripted, answer, registry, rss
from tests.sitefixture import Story

A, B = "https://hanbit.example/rss", "https://haneul.example/rss"
TITLE, EDITED, BYLINE, TAG = "보랏빛 우산을 접은 날", "초록빛 우산을 접은 날", "나은별 & 한결", "우산장수전"
ADDRESS = "https://hanbit.example/news/articleView.html?idxno=770031"
SECRETS = (TITLE, EDITED, BYLINE, TAG, "idxno=770031", "우산장수의 요약")
STAYS = "남아 있는 기사"
PLAIN = {".gz": gzip.decompress, ".z": searchfixture.unpacked}

OUTLETS = "slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note\n" + "".join(
    f"{slug},{slug}신문,{slug} News,한빛대학교,hanbit,newspaper,https://{slug}.example/,서울,active,,,\n"
    for slug in ("hanbit", "haneul")
)
SOURCES = "outlet,kind,url,cms,state,recheck,note\n" + "".join(
    f"{slug},feed,https://{slug}.example/rss,ndsoft,active,,\n" for slug in ("hanbit", "haneul")
)

WISHES = {
    "one address": f"{ADDRESS},url,asked,,2026-03-06",
    "a private key": "KEY,url,asked,,2026-03-06",
    "a prefix": "https://hanbit.example/news,prefix,asked,,2026-03-06",
    "a host": "hanbit.example,host,asked,,2026-03-06",
    "an outlet": "hanbit,outlet,asked,,2026-03-06",
    "a byline": f"hanbit:{byline_key('hanbit', BYLINE)},byline,asked,,2026-03-06",
}


def forms(secret: str) -> Iterator[bytes]:
    """The ways in which bytes may hold a text."""
    for text in {unicodedata.normalize(form, secret) for form in ("NFC", "NFD")}:
        for written in spellings(text):
            yield from (written.encode(), written.encode("utf-16-le"), written.encode("utf-16-be"))
        legacy = text.encode("cp949", "ignore")
        if legacy.decode("cp949") == text:
            yield legacy


def spellings(text: str) -> Iterator[str]:
    """A text as it is, and as HTML, addresses and JSON write it."""
    yield from (text, html.escape(text), quote(text), quote(text).lower(), quote(text, safe="?=&"))
    yield "".join(sign if sign.isascii() else f"&#{ord(sign)};" for sign in text)
    yield "".join(sign if sign.isascii() else f"&#x{ord(sign):x};" for sign in text)
    escaped = json.dumps(text)[1:-1]
    yield from (escaped, escaped.upper().replace("\\U", "\\u"), "".join(f"\\u{ord(sign):04x}" for sign in text))


def found(secret: str, artefacts: dict[str, bytes]) -> list[str]:
    """The artefacts that hold a secret in some form."""
    needles = set(forms(secret))
    return sorted(name for name, raw in artefacts.items() if any(needle in raw for needle in needles))


def unpacked(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by path; what is packed is opened."""
    return {
        path.relative_to(folder).as_posix(): PLAIN.get(path.suffix, bytes)(path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


@dataclass
class Place:
    """A hub on disk, whose commands can be run as people run them."""

    one: Hub
    printed: bytes = b""

    def run(self, capsys: pytest.CaptureFixture[str], *words: str) -> int:
        status = main([*words, "--data", str(self.one.data)])
        told = capsys.readouterr()
        self.printed += (told.out + told.err).encode()
        return status

    def artefacts(self) -> dict[str, bytes]:
        """Every file of the hub but the registry people write, the site, the edition, and what was printed."""
        folders = (
            self.one.data,
            self.one.state,
            self.one.root / "site",
            self.one.root / ".site.build",
            self.one.root / "edition",
            self.one.root / "reports",
        )
        files = {
            f"{folder.relative_to(self.one.root)}/{name}": body
            for folder in folders
            for name, body in unpacked(folder).items()
            if folder.name in ("site", "edition", ".site.build") or not name.endswith(".csv")
        }
        return files | {"printed": self.printed}

    def build(self) -> None:
        site.build(self.one.data, self.one.root / "site", "https://hub.example/")
        explore.write(self.one.data, self.one.root / "edition")


def item(title: str, byline: str, tag: str, address: str, summary: str = "우산장수의 요약") -> str:
    return (
        f"<item><title>{title}</title><link>{address}</link><description>{summary}</description><author>{html.escape(byline)}</author>"
        f"<category>{tag}</category><pubDate>2026-03-04 14:30:00</pubDate></item>"
    )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Two nights: the story that will leave is edited in the second, and stands in an older file by then."""
    stays = rss(STAYS, host="hanbit.example")
    first, then = (
        stays.replace(b"</channel>", (item(title, BYLINE, TAG, ADDRESS) + "</channel>").encode())
        for title in (TITLE, EDITED)
    )
    others = rss(*(f"하늘의 기사 {number}" for number in range(9)), host="haneul.example")
    web = {A: [answer(body=first), answer(body=then)], B: [answer(body=others)]}
    one = Hub(tmp_path, Scripted(web), registry([A, B]), limits=Limits(articles=4, at_once=3))
    one.data.mkdir(parents=True)
    for name, raw in registry_files.empty().items():
        (one.data / name).write_bytes(raw)
    (one.data / "outlets.csv").write_text(OUTLETS, "utf-8")
    (one.data / "sources.csv").write_text(SOURCES, "utf-8")
    for night in (1, 2):
        one.books = registry_files.for_night({str(path): path.read_bytes() for path in one.data.glob("*.csv")})
        one.night(night)
    assert (one.data / "press-0001.db").exists()
    return Place(one)


def test_the_search_for_leaks_finds_every_form() -> None:
    for secret in SECRETS:
        for form in forms(secret):
            assert found(secret, {"it": b"..." + form + b"..."}) == ["it"]
    assert found(TITLE, {"it": STAYS.encode()}) == []


def test_control_before_the_wish_the_story_stands_everywhere(place: Place) -> None:
    place.build()
    held = {secret: set(found(secret, place.artefacts())) for secret in SECRETS}
    for secret in (EDITED, BYLINE, "idxno=770031"):
        assert {
            "data/press-0001.db",
            "site/feeds/all.atom",
            "site/feeds/o/hanbit.atom",
            "site/index.html",
            "site/search/delta/c/0/0.z",
            "edition/public.db",
        } <= held[secret], secret
    assert {"data/press-0001.db", "edition/public.db"} <= held[TITLE], "the earlier title, as an edit"
    assert "data/press.db" in held[TAG]


@pytest.mark.parametrize("wish", WISHES)
def test_P60_no_artefact_holds_a_byte_of_who_left(wish: str, place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    one, row = place.one, WISHES[wish]
    place.build()
    before = one.root / "before"
    shutil.copytree(one.data, before)
    if "KEY" in row:
        assert main(["exclude", "--row-for", ADDRESS, "--data", str(one.data)]) == 0
        row = row.replace("KEY", capsys.readouterr().out.split(",")[0])
    (one.data / "exclusions.csv").write_text(f"key,scope,reason,requested,since\n{row}\n", "utf-8")
    state = ("--state", str(one.state))
    assert place.run(capsys, "exclude", "--dry-run", *state) == 0
    assert place.run(capsys, "exclude", *state) == 0
    (one.root / "reports").mkdir()
    for format in ("md", "html", "json"):
        report = one.root / "reports" / f"diff.{format}"
        place.run(capsys, "diff", str(before), str(one.data), "--format", format, "--out", str(report), *state)
    for command in ("status", "plan", "audit"):
        place.run(capsys, command, *state)
    place.build()
    one.books = registry_files.for_night({str(path): path.read_bytes() for path in one.data.glob("*.csv")})
    one.night(3)
    secrets = [secret for secret in SECRETS if not (wish == "one address" and secret in row)]
    artefacts = place.artefacts()
    assert {secret: found(secret, artefacts) for secret in secrets} == {secret: [] for secret in secrets}
    assert (STAYS.encode() in artefacts["site/index.html"]) is (wish not in ("an outlet", "a host", "a prefix"))
    assert one.breaches() == {}


def test_P60_a_withdrawn_wish_brings_the_outlet_back_the_next_night(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    one, empty = place.one, (place.one.data / "exclusions.csv").read_bytes()
    (one.data / "exclusions.csv").write_text(f"key,scope,reason,requested,since\n{WISHES['an outlet']}\n", "utf-8")
    place.run(capsys, "exclude", "--state", str(one.state))
    place.build()
    assert found(EDITED, place.artefacts()) == []
    (one.data / "exclusions.csv").write_bytes(empty)
    one.books = registry_files.for_night({str(path): path.read_bytes() for path in one.data.glob("*.csv")})
    one.night(3)
    place.build()
    assert {"data/press-0001.db", "site/feeds/all.atom", "site/o/hanbit/index.html"} <= set(
        found(EDITED, place.artefacts())
    )


def test_P60_a_night_broken_off_amid_its_work_keeps_nothing_of_who_left(place: Place) -> None:
    """The work database of a killed night is a file too, with whatever its freed pages still held."""
    one = place.one
    books = replace(one.books, exclusions=type(one.books.exclusions)())
    with closing(Store(one.data, one.state, books, one.limits)) as store, store.transaction():
        store.readable().execute("UPDATE articles SET title = title || title WHERE byline <> ''")
    (one.data / "exclusions.csv").write_text(f"key,scope,reason,requested,since\n{WISHES['a byline']}\n", "utf-8")
    books = registry_files.for_night({str(path): path.read_bytes() for path in one.data.glob("*.csv")})
    with closing(Store(one.data, one.state, books, one.limits)) as store:
        assert store.left.articles == 1
    work = {path.name: path.read_bytes() for path in one.state.glob("work*")}
    assert "work.db" in work
    assert {secret: found(secret, work) for secret in SECRETS} == {secret: [] for secret in SECRETS}
    with closing(sqlite3.connect(one.state / "work.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


LEFT = "자주빛 우체통을 떠난 날"


def test_P60_a_site_made_after_stories_left_is_the_site_that_never_had_them(tmp_path: Path) -> None:
    """In every form a page has, with tags that others bear too: pages, feeds, tag map, trends, search, CSV and workshop."""
    tags = ("축제", "총학생회", "우체통전")
    left = [replace(wholesite.made(kind, Story("mulgyeol", f"{LEFT} {kind}", f"2026-{day} 10:00"), 7),
                    tags=tags, summary=f"{LEFT} 요약", byline=LEFT)
            for day, kind in (("12-01", "article"), ("11-30", "article"), ("11-12", "article"), ("11-13", "photo"),
                              ("11-14", "video"), ("11-15", "audio"), ("11-16", "edition"))]  # fmt: skip
    press = tmp_path / "data" / "press.db"
    sitefixture.fill(press, [*wholesite.stories(), *left], outlets=(*sitefixture.OUTLETS, *wholesite.STRANGERS))
    site.build(press.parent, tmp_path / "site", wholesite.BASE)
    shown = set(found(LEFT, unpacked(tmp_path / "site")))
    for needed in ("index.html", "photos/index.html", "videos/index.html", "audio/index.html", "editions/index.html",
                   "m/2026-11/index.html", "t/축제/index.html", "feeds/all.atom", "feeds/audio.rss", "data/articles/2026-11.csv",
                   "o/mulgyeol/2026-11/index.html", "day/2026-11-12/index.html"):  # fmt: skip
        assert needed in shown, needed
    assert any(path.startswith("search/") for path in shown)
    assert "우체통전" in (tmp_path / "site/tags/index.html").read_text("utf-8")
    with closing(sqlite3.connect(press)) as db:
        db.execute("DELETE FROM article_tags WHERE article IN (SELECT id FROM articles WHERE byline = ?)", (LEFT,))
        db.execute("DELETE FROM articles WHERE byline = ?", (LEFT,))
        db.execute("DELETE FROM tags WHERE tag = '우체통전'")
        db.commit()
        db.execute("VACUUM")
    site.build(press.parent, tmp_path / "site", wholesite.BASE)
    site.build(press.parent, tmp_path / "never" / "site", wholesite.BASE)
    assert unpacked(tmp_path / "site") == unpacked(tmp_path / "never" / "site")
    for secret in (LEFT, "우체통전"):
        assert found(secret, unpacked(tmp_path / "site") | unpacked(tmp_path / ".site.build")) == []
