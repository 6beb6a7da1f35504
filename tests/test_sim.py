"""The simulated campus web is right itself: it may judge only if its words, feeds, moods and log can be trusted."""

from __future__ import annotations

import ast
import csv
import io
import json
import os
import re
import subprocess
import sys
import tomllib
from datetime import datetime
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from crawl import hub, registry
from tests.sim import datewords
from tests.sim.campus import OPENED, Campus, Source, encoded
from tests.sim.hosts import fold, split
from tests.sim.listings import href
from tests.sim.newsroom import Piece
from tests.sim.particles import fill, particle
from tests.sim.skins import SKINS
from tests.sim.stories import write

NIGHT = datetime(2026, 12, 1, tzinfo=datewords.KST).timestamp()
DAY_S = 86_400
SIM = Path(__file__).parent / "sim"


@pytest.fixture(scope="module")
def campus() -> Campus:
    """A world wide enough to hold every kit; nothing in it changes by being read."""
    return Campus(2, 60)


@pytest.mark.parametrize(
    ("word", "wanted", "right"),
    [
        ("학교", "은", "는"), ("총학생회", "이", "가"), ("등록금", "을", "을"), ("동아리", "과", "와"),
        ("서울", "으로", "로"), ("부산", "으로", "으로"), ("항해사", "으로", "로"), ("‘이음’", "이", "이"),
        ("‘파도’", "을", "를"), ("『여백』", "은", "은"), ("17", "이", "이"), ("42", "은", "는"), ("10", "과", "과"),
        ("TV", "을", "를"), ("PDM", "이", "이"), ("3.1%", "이", "가"), ("한민서(사학 3) 씨", "은", "는"),
        ("목수", "이라는", "라는"), ("책", "이며", "이며"), ("기숙사 4동", "이나", "이나"),
    ],
)  # fmt: skip
def test_a_particle_fits_the_last_sound_of_its_word(word: str, wanted: str, right: str) -> None:
    assert particle(word, wanted) == right


def test_a_template_with_an_unknown_slot_or_particle_is_an_error() -> None:
    assert (
        fill("{a|은} {b|을} {c|lower}", {"a": "새봄대", "b": "책", "c": "A Quiet Room"}) == "새봄대는 책을 a quiet room"
    )
    with pytest.raises(KeyError):
        fill("{unknown}", {})
    with pytest.raises(KeyError):
        fill("{a|뿐}", {"a": "책"})


@pytest.mark.parametrize("voice", ["news", "feature", "programme", "english"])
def test_every_angle_of_every_voice_can_be_written(voice: str) -> None:
    stories = [write("voices", number, "한빛대", datetime(2026, 11, 30), voice) for number in range(400)]  # type: ignore[arg-type]  # noqa: DTZ001
    assert all("{" not in story.headline + story.text and "  " not in story.text for story in stories)
    assert all(story.byline and story.summary and len(story.paragraphs) >= 3 for story in stories)
    assert len({story.headline for story in stories}) > 150
    korean = [any("가" <= char <= "힣" for char in story.text) for story in stories]
    assert not any(korean) if voice == "english" else all(korean)


def test_neighbouring_stories_of_a_paper_do_not_repeat_a_headline() -> None:
    headlines = [write("desk", number, "솔빛대", datetime(2026, 11, 3), "news").headline for number in range(40)]  # noqa: DTZ001
    assert len(set(headlines)) == 40


def test_the_same_seed_gives_the_same_world_in_every_process() -> None:
    script = (
        "import hashlib; from tests.sim.campus import Campus; from tests.sim.web import Web\n"
        "c = Campus(5, 12); w = Web(c, 3); h = hashlib.sha256(repr(sorted(c.registry_files().items())).encode())\n"
        "for s in c.sources: a = w.answer(s.url, {}, 1796050800.0); h.update(repr(a).encode())\n"
        "print(h.hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], cwd=SIM.parent.parent, env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1]
    assert len(runs[0]) == 65
    assert Campus(5, 12).registry_files() != Campus(6, 12).registry_files()


def test_looking_ahead_first_never_changes_the_past() -> None:
    ahead, straight = Campus(4, 6), Campus(4, 6)
    for early, late in zip(ahead.outlets, straight.outlets, strict=True):
        early.published_by(NIGHT + 90 * DAY_S)
        told = [(piece.url, piece.published, piece.headline(NIGHT)) for piece in early.published_by(NIGHT)]
        assert told == [(piece.url, piece.published, piece.headline(NIGHT)) for piece in late.published_by(NIGHT)]
        assert told
        assert [moment for _, moment, _ in told] == sorted(moment for _, moment, _ in told)
        assert all(OPENED <= moment <= NIGHT for _, moment, _ in told)


def test_a_second_night_shows_unchanged_new_and_retitled(campus: Campus) -> None:
    kept = grown = 0
    for source in campus.sources:
        before, after = source.shown(NIGHT), source.shown(NIGHT + DAY_S)
        kept += [piece.url for piece in before] == [piece.url for piece in after]
        grown += {piece.url for piece in after} > set() and {p.url for p in after} != {p.url for p in before}
    retitled = [
        piece.headline(NIGHT + DAY_S)
        for outlet in campus.outlets
        for piece in outlet.published_by(NIGHT)
        if piece.headline(NIGHT) != piece.headline(NIGHT + DAY_S)
    ]
    assert kept > 10
    assert grown > 10
    assert retitled


def test_the_registry_files_are_what_the_registry_wants(campus: Campus) -> None:
    files = campus.registry_files()
    outlets = list(csv.reader(io.StringIO(files["outlets.csv"].decode(), newline="")))
    sources = list(csv.DictReader(io.StringIO(files["sources.csv"].decode(), newline="")))
    header = "slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note"
    assert ",".join(outlets[0]) == header
    assert all(len(row) == 12 for row in outlets)
    assert len(outlets) == 61
    assert list(sources[0]) == ["outlet", "kind", "url", "cms", "state", "recheck", "note"]
    assert {row["kind"] for row in sources} == {"feed", "list"}
    assert {row["kind"] for row in csv.DictReader(io.StringIO(files["outlets.csv"].decode()))} == {
        "newspaper", "broadcaster", "magazine", "english", "independent",
    }  # fmt: skip
    assert files["exclusions.csv"] == b"key,scope,reason,requested,since\n"
    assert set(tomllib.loads(files["hub.toml"].decode())["site"]) == {
        "name", "name_en", "tagline", "address", "contact", "repository", "operator",
    }  # fmt: skip
    books = registry.parse(files)
    assert (len(books.outlets), len(books.sources)) == (60, len(campus.sources))
    assert hub.parse(files["hub.toml"], "hub.toml").contact == "desk@hub.example"


def test_every_host_is_fictional_and_no_server_has_more_than_four_sources(campus: Campus) -> None:
    hosts = [split(source.url)[0] for source in campus.sources]
    assert all(host.endswith((".example", ".test")) for host in hosts)
    assert all(piece.url.startswith("https://") for outlet in campus.outlets for piece in outlet.published_by(NIGHT))
    assert max(len(server.sources) for server in campus.servers.values()) <= 4
    assert any(len({source.outlet for source in server.sources}) > 1 for server in campus.servers.values())
    urls = " ".join(source.url for source in campus.sources)
    assert all(mark in urls for mark in ("//www.", "//m.", ":8080/"))


def test_the_world_speaks_every_dialect_and_every_encoding(campus: Campus) -> None:
    spoken = {(source.dialect.family, source.dialect.version) for source in campus.sources}
    assert spoken >= {("rss", "0.91"), ("rss", "0.92"), ("rss", "2.0"), ("rdf", "2.0"), ("html", "2.0")}
    assert {family for family, _ in spoken} == {"rss", "rdf", "atom03", "atom10", "json", "html"}
    assert {source.encoding for source in campus.sources} == {"utf-8", "euc_kr", "cp949"}
    assert {source.dates for source in campus.sources} >= {
        "rfc822",
        "space",
        "dots",
        "rfc822_kst",
        "rfc822_bare",
        "none",
    }


def links_to(text: str, source: Source, piece: Piece) -> bool:
    """Whether a page has a link to a piece, in the form of its skin, around the piece's headline."""
    target = re.escape(escape(href(SKINS[source.skin], piece)))
    inside = re.findall(rf'<a href="{target}"[^>]*>(.*?)</a>', text, re.DOTALL)
    return any(escape(piece.headline(NIGHT)) in text for text in inside)


def test_every_feed_decodes_is_well_formed_and_tells_the_truth(campus: Campus) -> None:
    for source in campus.sources:
        text = source.body(NIGHT).decode(source.encoding)
        shown = source.shown(NIGHT)
        assert len(shown) >= 5, source.url
        if source.dialect.family == "json":
            titles = [item["title"] for item in json.loads(text)["items"]]
        elif source.dialect.family == "html":
            titles = [piece.headline(NIGHT) for piece in shown if links_to(text, source, piece)]
        else:
            root = ElementTree.fromstring(text.partition("?>")[2])
            titles = ["".join(node.itertext()) for node in root.iter() if node.tag.rpartition("}")[2] == "title"][1:]
        assert titles == [piece.headline(NIGHT) for piece in shown], source.url


@pytest.mark.parametrize(
    ("style", "text", "meant"),
    [
        ("rfc822", "Thu, 05 Mar 2026 14:30:09 +0900", (1_772_688_609, "second")),
        ("rfc822_utc", "Thu, 05 Mar 2026 05:30:09 +0000", (1_772_688_609, "second")),
        ("rfc822_gmt", "Thu, 05 Mar 2026 05:30:09 GMT", (1_772_688_609, "second")),
        ("rfc822_kst", "Thu, 05 Mar 2026 14:30:09 KST", (1_772_688_609, "second")),
        ("rfc822_bare", "Thu, 05 Mar 2026 14:30:09", (1_772_688_609, "second")),
        ("space", "2026-03-05 14:30:09", (1_772_688_609, "second")),
        ("dots", "2026.03.05 14:30", (1_772_688_600, "minute")),
        ("day", "2026-03-05", (1_772_636_400, "day")),
        ("compact", "20260305143009", (1_772_688_609, "second")),
        ("w3c", "2026-03-05T14:30:09+09:00", (1_772_688_609, "second")),
        ("w3c_utc", "2026-03-05T05:30:09Z", (1_772_688_609, "second")),
        ("none", "", (None, "none")),
    ],
)
def test_dates_are_written_as_korean_sites_write_them(style: str, text: str, meant: tuple[int | None, str]) -> None:
    moment = datetime(2026, 3, 5, 14, 30, 9, tzinfo=datewords.KST).timestamp()
    assert datewords.written(moment, style) == text
    assert datewords.meant(moment, style) == meant


@pytest.mark.parametrize(
    ("host", "server"),
    [
        ("News.Hanbit.ac.example", "news.hanbit.ac.example"), ("www.hanbitnews.example:8080", "hanbitnews.example"),
        ("m.saebomindie.example", "saebomindie.example"), ("hanbit.example.", "hanbit.example"), ("[::1]:80", "[::1]:80"),
        ("m.example", "m.example"), ("www.m.hanbit.example", "m.hanbit.example"),
    ],
)  # fmt: skip
def test_twins_ports_and_capitals_are_one_server(host: str, server: str) -> None:
    assert fold(host) == server


def test_a_cp949_paper_prints_syllables_that_euc_kr_lacks() -> None:
    beyond = "똠방".encode("cp949")
    assert any(byte < 0xA1 for byte in beyond)
    assert encoded("똠방", "cp949") == beyond
    assert encoded("똠방", "euc_kr") == "&#46624;방".encode("cp949")
    assert any(
        "똠" in piece.story.text
        for outlet in Campus(1, 24).outlets
        for piece in outlet.published_by(NIGHT)
        if outlet.sources[0].encoding == "cp949"
    )


def test_the_judge_shares_no_judgement_with_the_crawler() -> None:
    for path in SIM.glob("*.py"):
        allowed = {"crawl.model", "crawl.policy", "crawl.gate"} if path.name == "virtual.py" else set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name for name in names if name.split(".")[0] in ("crawl", "build")} <= allowed, path.name
