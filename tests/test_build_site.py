"""One whole build: what reaches a page, and that the same database gives the same bytes."""

from __future__ import annotations

import io
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from build import db, site, write
from build.check import check
from build.cli import main
from build.index import Index
from build.pagekinds import Head, Missing
from build.progress import Teller, budget
from build.records import BuildError, BuildMisuse
from build.write import Written
from tests import sitefixture
from tests.sitefixture import Story


def built(folder: Path, *stories: Story, base_url: str | None = None, breaches: int = 0, **hub: str) -> Path:
    """A site of these stories, checked."""
    sitefixture.fill(folder / "data" / "press.db", stories or sitefixture.STORIES, breaches=breaches)
    if hub:
        sitefixture.hub(folder / "data", **hub)
    site.build(folder / "data", folder / "site", base_url)
    assert check(folder / "site") == []
    return folder / "site"


def page(root: Path, path: str = "index.html") -> LexborHTMLParser:
    return LexborHTMLParser((root / path).read_bytes())


def story(tree: LexborHTMLParser, title: str) -> LexborNode:
    return next(node for node in tree.css("li.story") if title in node.text())


def text(node: LexborNode | None) -> str:
    assert node is not None
    return " ".join(node.text(separator=" ").split())


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_the_pages_of_this_floor_are_there(tmp_path: Path) -> None:
    paths = set(content(built(tmp_path)))
    assert {
        "index.html", "404.html", "outlets/index.html", "policy/index.html", "en/policy/index.html",
        "o/hanbit-news/index.html", "o/hanbit-news/2026-11/index.html", "o/mulgyeol/undated/index.html",
        "o/silent-press/index.html", "feeds/all.atom", "feeds/o/silent-press.atom", "assets/style.css",
    } <= paths  # fmt: skip


def test_a_card_says_who_what_when_and_leads_to_the_original(tmp_path: Path) -> None:
    card = story(page(built(tmp_path, contact="hub@campus.example")), "투표율")
    link = card.css_first("h3 a")
    assert link is not None
    assert link.attributes == {"href": "https://hanbit-news.example/news/1", "rel": "noopener"}
    assert text(card.css_first("h3")) == "총학생회 선거 투표율 58.2%…두 해 만에 개표 성사"
    assert text(card.css_first(".outlet")) == "한빛대학보"
    assert text(card.css_first(".v")) == "학보"
    assert text(card.css_first("time")) == "2026. 12. 1. (화)"
    assert card.css_first("time").attributes["datetime"] == "2026-12-01T00:01:00+09:00"  # type: ignore[union-attr]
    assert text(card.css_first(".by")) == "김하늘 기자"
    assert text(card.css_first("p")) == "사흘 동안 이어진 투표에 재학생 5,478명이 참여했다."
    assert [text(tag) for tag in card.css(".tag")] == ["보도", "총학생회"]
    report = card.css_first("a.report")
    assert report is not None
    assert (report.attributes["href"] or "").startswith("mailto:hub@campus.example?subject=")


def test_below_the_name_of_its_outlet_a_card_leaves_it_out(tmp_path: Path) -> None:
    root = built(tmp_path)
    for path in ("o/hanbit-news/index.html", "o/hanbit-news/2026-11/index.html"):
        own = page(root, path)
        assert "한빛대학보" in text(own.css_first("main header.who"))
        assert own.css("li.story time")
        assert own.css("li.story .who, li.story .outlet") == []


def test_without_a_contact_a_card_leads_to_the_policy_on_leaving(tmp_path: Path) -> None:
    root = built(tmp_path)
    assert page(root).css_first("a.report").attributes["href"] == "./policy/#leave"  # type: ignore[union-attr]
    month = page(root, "o/hanbit-news/2026-11/index.html")
    assert month.css_first("a.report").attributes["href"] == "../../../policy/#leave"  # type: ignore[union-attr]


def test_day_dates_unknown_dates_kinds_and_derived_summaries_are_marked(tmp_path: Path) -> None:
    front = page(built(tmp_path))
    photo = story(front, "첫눈")
    assert text(photo.css_first(".mark")) == "사진"
    assert photo.css_first("time").attributes["datetime"] == "2026-11-30"  # type: ignore[union-attr]
    undated = story(front, "겨울호")
    assert text(undated.css_first(".when")) == "날짜 미상 2026. 12. 1. (화) 처음 봄"
    assert text(story(front, "열람실").css_first(".tags")) == "본문 첫머리 보도"
    assert photo.css_first("p") is None


def test_english_titles_of_english_papers_carry_their_language(tmp_path: Path) -> None:
    front = page(built(tmp_path))
    assert story(front, "Library").css_first("h3").attributes["lang"] == "en"  # type: ignore[union-attr]
    assert story(front, "Library").css_first("p").attributes["lang"] == "en"  # type: ignore[union-attr]
    assert "lang" not in story(front, "신축").css_first("h3").attributes  # type: ignore[union-attr]


def test_home_shows_last_nights_figures_with_broken_rules(tmp_path: Path) -> None:
    figures = text(page(built(tmp_path, breaches=2)).css_first("aside .figs"))
    assert figures == "새 글 10 확인한 주소 2 / 6 보낸 요청 5 어긴 원칙 2"


def test_an_outlet_page_tells_who_they_are_and_how_its_sources_fare(tmp_path: Path) -> None:
    root = built(tmp_path)
    tree = page(root, "o/mulgyeol/index.html")
    assert text(tree.css_first("h1")) == "교지 물결"
    assert text(tree.css_first(".kicker")) == "교지 물결대학교 · 부산"
    assert tree.css_first(".links a").attributes["href"] == "https://mulgyeol.example/"  # type: ignore[union-attr]
    assert "서버에 오류가 났습니다(503)." in text(tree.css_first(".health"))
    assert "예전 이름: mulgyeol-old" in text(tree.css_first("aside"))
    assert "2026. 9. 1. (화)부터" in text(tree.css_first("#months"))
    assert "운영을 마친 매체" in text(page(root, "o/solbit-news/index.html").css_first("main"))
    assert "제목만 싣고" in text(page(root, "o/nuri-eye/index.html").css_first("main"))
    assert "보여서는" not in (root / "o/nuri-eye/index.html").read_text()


def test_an_outlet_without_stories_says_why(tmp_path: Path) -> None:
    tree = page(built(tmp_path), "o/silent-press/index.html")
    assert text(tree.css_first(".empty")) == "아직 한 번도 읽지 못했습니다. 까닭은 ‘수집 상태’에 적었습니다."
    assert "피드 대신 일반 웹 페이지를 보냈습니다." in text(tree.css_first(".health"))


def test_the_directory_says_how_much_of_the_field_it_covers(tmp_path: Path) -> None:
    assert text(page(built(tmp_path / "unsaid"), "outlets/index.html").css_first(".lead")).startswith(
        "7곳 을 이 색인이 잇습니다."
    )
    (tmp_path / "data").mkdir()
    sitefixture.hub(tmp_path / "data", more="[web]\nfield_outlets = 354\n")
    tree = page(built(tmp_path), "outlets/index.html")
    assert text(tree.css_first(".lead")).startswith("전국 4년제 대학의 언론은 약 354곳")
    assert "7곳" in text(tree.css_first(".lead b"))
    assert [text(node) for node in tree.css(".region h2")] == ["서울", "강원", "경기", "광주", "대전", "부산"]
    assert len(tree.css(".region dd")) == 7


def test_an_empty_database_gives_a_site_with_words(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "data" / "press.db", [], outlets=[], sources=[], nights=False)
    site.build(tmp_path / "data", tmp_path / "site")
    assert check(tmp_path / "site") == []
    front = text(page(tmp_path / "site").css_first("body"))
    assert "첫 수집을 기다리고 있습니다" in front
    assert "아직 등록된 매체가 없습니다" in text(page(tmp_path / "site", "outlets/index.html").css_first("main"))
    assert "아직 수집한 밤이 없어" in text(page(tmp_path / "site", "policy/index.html").css_first("main"))


HOSTILE = [
    '<script>alert("x")</script>',
    "</a></h3></li></ol></main><h1>나는 제목이다</h1>",
    '" onmouseover="alert(1)" style="position:fixed',
    "&lt;b&gt; &amp;amp; &#x3C;i>",
    "{{ 7 * 7 }}{% raw %}{# #}",
    "\x1d\x1e제어 문자\x00",
    "\u202e뒤집힌 글자\u2066",
    "긴 제목 " * 1_250,
    "가" * 5_000,
]


def test_hostile_text_is_only_text(tmp_path: Path) -> None:
    stories = [
        Story("hanbit-news", f"{n}: {words}", f"2026-11-0{1 + n} 10:00", words[:200], words[:100], tags=(words[:60],))
        for n, words in enumerate(HOSTILE)
    ]
    root = built(tmp_path, *stories)
    for path in ("index.html", "o/hanbit-news/index.html", "o/hanbit-news/2026-11/index.html"):
        tree = page(root, path)
        assert len(tree.css("h1")) == 1
        assets = {f"{'../' * path.count('/') or './'}assets/{file.name}" for file in (root / "assets").glob("*.js")}
        assert {node.attributes.get("src") for node in tree.css("script")} <= assets
        assert not tree.css("[onmouseover], [style]")
        assert len(tree.css("li.story")) == len(HOSTILE) if path != "index.html" else True
        raw = (root / path).read_text()
        assert not re.search("[\x00-\x08\x0e-\x1f\u202a-\u202e\u2066-\u2069]", raw)
    tree = page(root, "o/hanbit-news/index.html")
    assert text(story(tree, "0:").css_first("h3")) == '0: <script>alert("x")</script>'
    assert text(story(tree, "3:").css_first("h3")) == "3: &lt;b&gt; &amp;amp; &#x3C;i>"
    assert text(story(tree, "4:").css_first("h3")) == "4: {{ 7 * 7 }}{% raw %}{# #}"
    assert len(text(story(tree, "8:").css_first("h3"))) == 300


@pytest.mark.parametrize("url", ["javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "https://a:b@h/"])
def test_a_dangerous_address_gives_a_title_without_link(tmp_path: Path, url: str) -> None:
    root = built(tmp_path, Story("hanbit-news", "글", "2026-12-01", url=url))
    assert page(root).css_first("li.story h3 a") is None
    assert text(page(root).css_first("li.story h3")) == "글"
    # The database itself is the record as it was published; everything made from it must be safe.
    made = {path: body for path, body in content(root).items() if not path.endswith(".db")}
    assert [path for path, body in made.items() if url.encode() in body] == []


def test_hostile_names_of_outlets_and_hubs_are_only_text(tmp_path: Path) -> None:
    bad = '"><script>alert(1)</script>'
    outlets = [("bad", bad, bad, bad, "bad", "newspaper", bad, "active", 0, bad)]
    sources = [("bad", "feed", "javascript:alert(1)", "active", "failed", bad, 0, "", bad)]
    sitefixture.fill(
        tmp_path / "data" / "press.db", [Story("bad", bad, "2026-12-01")], outlets=outlets, sources=sources
    )
    sitefixture.hub(tmp_path / "data", name=bad, tagline=bad, operator=bad, contact=bad, repository=bad)
    site.build(tmp_path / "data", tmp_path / "site")
    assert check(tmp_path / "site") == []
    for path in (tmp_path / "site").rglob("*.html"):
        scripts = LexborHTMLParser(path.read_bytes()).css("script")
        assert [script.text() for script in scripts if not script.attributes.get("src")] == []
        assert all((script.attributes["src"] or "").lstrip("./").startswith("assets/") for script in scripts)


def test_a_slug_that_would_leave_the_site_stops_the_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outlets = [("../../evil", "악", "evil", "악대", "e", "newspaper", "서울", "active", 0, "")]
    sitefixture.fill(tmp_path / "press.db", [], outlets=outlets, sources=[])
    assert main(["site", "--data", str(tmp_path), "--out", str(tmp_path / "site")]) == 1
    assert "correct the slug" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_the_same_database_gives_the_same_bytes_on_any_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = content(built(tmp_path / "one"))
    monkeypatch.setattr("time.time", lambda: 4_000_000_000.0)
    monkeypatch.setenv("TZ", "America/New_York")
    assert content(built(tmp_path / "two")) == one


def test_a_second_build_writes_nothing(tmp_path: Path) -> None:
    root = built(tmp_path)
    before = root.stat().st_ino
    again = site.build(tmp_path / "data", root)
    assert (again.written, again.removed) == (0, 0)
    assert root.stat().st_ino == before


def test_a_new_story_leaves_old_months_and_other_outlets_as_they_are(tmp_path: Path) -> None:
    root = built(tmp_path)
    before = content(root)
    os.remove(tmp_path / "data" / "press.db")
    stories = [*sitefixture.STORIES, Story("hanbit-news", "새 글", "2026-12-01 00:02")]
    sitefixture.fill(tmp_path / "data" / "press.db", stories)
    site.build(tmp_path / "data", root)
    after = content(root)
    changed = {path for path in after if after[path] != before.get(path)}
    assert {path for path in changed if path.endswith(".html")} == {
        "index.html", "o/hanbit-news/index.html", "o/hanbit-news/2026-12/index.html", "day/2026-12-01/index.html",
        "kind/newspaper/index.html", "region/서울/index.html", "u/hanbit/index.html", "m/index.html",
        "m/2026-12/index.html", "trends/index.html", "nights/index.html", "nights/2026-12/index.html",
    }  # fmt: skip
    assert {"feeds/all.atom", "feeds/o/hanbit-news.atom"} <= changed


def published(folder: Path) -> dict[str, bytes]:
    return content(folder / "site")


CHANGES = {
    "a new story": "CREATE TEMP TABLE more AS SELECT * FROM articles WHERE id = 1; "
    "UPDATE more SET id = 101, key = x'0102030405060708', title = 'new'; INSERT INTO articles SELECT * FROM more",
    "an edited title": "UPDATE articles SET title = 'edited' WHERE id = 4",
    "a tag": "INSERT INTO article_tags VALUES (5, 1)",
    "a removed story": "DELETE FROM article_tags WHERE article = 1; DELETE FROM articles WHERE id = 1",
    "a tombstone": "INSERT INTO tombstones SELECT key, 0, 'request' FROM articles WHERE id = 10",
    "an outlet's new name": "UPDATE outlets SET name = '새 이름' WHERE slug = 'mulgyeol'",
    "an outlet that left": "UPDATE outlets SET listed = 0 WHERE slug = 'saebom-bs'",
    "titles only": "UPDATE outlets SET title_only = 1",
    "a night": "INSERT INTO nights SELECT id + 1, '2026-12-02', mode, started + 86400, ended + 86400, due, ok, unchanged, "
    "failed, refused, put_off, new_articles, changed_articles, requests, body_bytes, breaches FROM nights",
    "a source that fails": "UPDATE checks SET result = 'failed', reason = 'timeout', status = 0",
    "a date": "UPDATE articles SET published = published - 86400 * 40 WHERE id = 2",
    "a broken promise": "UPDATE policy SET breaches = 3",
    "nothing": "",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_build_after_another_gives_the_same_bytes_as_a_first_one(tmp_path: Path, change: str) -> None:
    built(tmp_path)
    with closing(sqlite3.connect(tmp_path / "data" / "press.db")) as raw:
        raw.executescript(change)
        raw.commit()
    site.build(tmp_path / "data", tmp_path / "site")
    site.build(tmp_path / "data", tmp_path / "first" / "site")
    assert published(tmp_path) == published(tmp_path / "first")


def test_whose_site_it_is_and_where_it_stands_reach_every_page_at_once(tmp_path: Path) -> None:
    built(tmp_path)
    sitefixture.hub(tmp_path / "data", name="우리 허브", contact="hub@campus.example")
    site.build(tmp_path / "data", tmp_path / "site", "https://campus.example/x/")
    site.build(tmp_path / "data", tmp_path / "first" / "site", "https://campus.example/x/")
    assert published(tmp_path) == published(tmp_path / "first")


@pytest.mark.parametrize("spoil", ["append", "swap", "remove", "strange"])
def test_a_page_that_was_written_to_is_made_again(tmp_path: Path, spoil: str) -> None:
    root = built(tmp_path)
    before = content(root)
    victim = root / "o" / "mulgyeol" / "2026-09" / "index.html"
    if spoil == "append":
        victim.write_bytes(victim.read_bytes() + b"<script>")
    elif spoil == "swap":
        victim.write_bytes(victim.read_bytes()[::-1])
    elif spoil == "remove":
        victim.unlink()
    else:
        (root / "o" / "stranger.html").write_text("x")
    site.build(tmp_path / "data", root)
    assert content(root) == before


@pytest.mark.parametrize("spoil", ["lose", "cut", "flip", "empty", "lie"])
def test_a_ledger_that_is_lost_or_damaged_costs_time_and_nothing_else(tmp_path: Path, spoil: str) -> None:
    root = built(tmp_path)
    ledger = tmp_path / ".site.build" / "ledger"
    whole = ledger.read_bytes()
    with closing(sqlite3.connect(tmp_path / "data" / "press.db")) as raw:
        raw.execute("UPDATE articles SET title = 'edited' WHERE id = 4")
        raw.commit()
    if spoil == "lose":
        ledger.unlink()
    else:
        body = {
            "cut": whole[:-20],
            "flip": whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:],
            "empty": b"",
            "lie": b"x\n" + whole[50:],
        }
        ledger.write_bytes(body[spoil])
    done = site.build(tmp_path / "data", root)
    assert done.made == len(content(root))
    site.build(tmp_path / "data", tmp_path / "first" / "site")
    assert published(tmp_path) == published(tmp_path / "first")


ALIKE = 3
"""Pages that tell of what changed and yet come out the same."""


def always(data: Path) -> int:
    """How many files are cheaper to make than to ask about."""
    with db.opened(data) as press:
        return sum(not claim.key for claim in site.claims(press, ""))


def test_a_second_build_renders_next_to_nothing(tmp_path: Path) -> None:
    root = built(tmp_path)
    again = site.build(tmp_path / "data", root)
    assert again.made == always(tmp_path / "data")


def test_a_story_more_renders_its_own_pages_alone(tmp_path: Path) -> None:
    root = built(tmp_path)
    index = {path: path.read_bytes() for path in (root / "search").rglob("*.*")}
    stories = [*sitefixture.STORIES, Story("hanbit-news", "새 글", "2026-12-01 00:02")]
    os.remove(tmp_path / "data" / "press.db")
    sitefixture.fill(tmp_path / "data" / "press.db", stories)
    done = site.build(tmp_path / "data", root)
    # In so small a press, the words of a story touch most of the search's files of this month.
    searched = [path for path in (root / "search").rglob("*.*") if index.get(path) != path.read_bytes()]
    assert all("/delta/" in path.as_posix() or path.name == "index.gz" for path in searched)
    assert done.written - len(searched) < 25
    assert done.made <= done.written + always(tmp_path / "data") + ALIKE


def test_a_fact_of_every_page_is_in_its_key() -> None:
    """Two pages that differ in any field have two keys, whatever their cards."""
    index = Index([], [])
    head = Head("a/index.html", "제목", "설명")
    pages = [
        Missing(head), Missing(replace(head, title="x")), Missing(replace(head, lang="en")), Missing(replace(head, feed="x")),
    ]  # fmt: skip
    assert len({site.key(page, (), index) for page in pages}) == len(pages)


@pytest.mark.parametrize("moment", range(12))
def test_a_build_killed_at_any_moment_leaves_a_whole_site(tmp_path: Path, moment: int) -> None:
    """Killed at one of many moments between its first file and its end; what stands is the old site or the new one."""
    root = built(tmp_path)
    old = content(root)
    sitefixture.fill(tmp_path / "new" / "press.db", [*sitefixture.STORIES, Story("mulgyeol", "새 글", "2026-11-30")])
    site.build(tmp_path / "new", tmp_path / "expected" / "site")
    new = published(tmp_path / "expected")
    program = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom build import site\n"
        "calls = 0\n"
        "def watch(event, args):\n"
        "    global calls\n"
        "    if event in ('open', 'os.mkdir', 'os.link', 'os.rename', 'os.remove', 'os.rmdir', 'ctypes.dlsym'):\n"
        f"        calls += '.site' in repr(args) or event == 'ctypes.dlsym'\n"
        f"        if calls > {moment * moment}:\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(watch)\n"
        f"site.build(Path({str(tmp_path / 'new')!r}), Path({str(root)!r}))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=False, cwd=Path(__file__).parent.parent).returncode
    assert ended in (-9, 0)
    assert content(root) in (old, new)
    site.build(tmp_path / "new", root)
    assert content(root) == new


def test_a_site_in_a_folder_of_a_host_works_and_knows_its_address(tmp_path: Path) -> None:
    root = built(tmp_path, base_url="https://campus.example/press")
    front = page(root)
    assert front.css_first('link[rel="canonical"]').attributes["href"] == "https://campus.example/press/"  # type: ignore[union-attr]
    assert not [node.attributes["href"] for node in front.css("a") if (node.attributes["href"] or "").startswith("/")]
    lost = page(root, "404.html")
    assert lost.css_first('link[rel="stylesheet"]').attributes["href"] == "/press/assets/style.css"  # type: ignore[union-attr]
    assert lost.css_first('link[rel="canonical"]') is None


def test_the_address_of_hub_toml_counts_where_none_is_given(tmp_path: Path) -> None:
    root = built(tmp_path, address="https://campus.example/x/")
    assert "https://campus.example/x/outlets/" in (root / "outlets/index.html").read_text()


@pytest.mark.parametrize(
    "url",
    [
        "campus.example", "ftp://x/", "https://", "//x/", "https://x/?q", "https://x/#f", "https://[::1", "javascript:alert(1)",
        "https://user:word@x/", "https://x/a b/", 'https://x/"><script>', "https://한국.example/", "https://x/허브/", "https://x:y/",
        "https://x/\nSitemap: https://y/", "https://x//y/", "https://x/%zz/",
    ],
)  # fmt: skip
def test_a_base_address_that_is_none_is_misuse(url: str) -> None:
    with pytest.raises(BuildMisuse, match="must look like"):
        site.checked_base(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/",
        "/press",
        "https://x.example",
        "http://127.0.0.1:8000/",
        "https://[::1]:8000/a",
        "https://xn--3e0b707e.example/%ED%97%88/~b_c/",
    ],
)
def test_a_base_address_that_every_reader_understands_is_taken(url: str) -> None:
    assert site.checked_base(url) == (url.rstrip("/") + "/" if url else "")


def test_two_builds_of_one_site_at_once_never_spoil_it(tmp_path: Path) -> None:
    root = built(tmp_path)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    with write.alone(root), pytest.raises(BuildError, match="another build"):
        site.build(tmp_path / "data", root, "https://campus.example/")
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_build_without_a_database_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(BuildMisuse, match="no database"):
        site.build(tmp_path / "data", tmp_path / "site")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_no_page_shows_a_running_total_of_others(tmp_path: Path) -> None:
    """What changes every night may stand on the home, outlet and policy pages, not on months or the directory."""
    root = built(tmp_path)
    before = {
        path: body
        for path, body in content(root).items()
        if ("/20" in path and not path.startswith("nights/")) or path == "outlets/index.html"
    }
    os.remove(tmp_path / "data" / "press.db")
    sitefixture.fill(tmp_path / "data" / "press.db", breaches=3)
    site.build(tmp_path / "data", root)
    after = content(root)
    assert {path: after[path] for path in before} == before


def test_a_log_gets_a_line_a_minute_and_the_end_a_budget() -> None:
    now = [0.0]
    out = io.StringIO()
    teller = Teller(out, lambda: now[0])
    for second in range(0, 180, 7):
        now[0] = float(second)
        teller(second * 100, 20_000 if second > 70 else 0)
    teller.close()
    assert out.getvalue() == "6,300 files\n12,600 files of about 20,000\n"
    done = Written(3, 0, 0, 90_000_000, 3, (("home", 1, 1_000_000), ("outlets", 2, 89_000_000)))
    assert [" ".join(line.split()) for line in budget(done).splitlines()] == [
        "outlets 2 files 89,000,000 bytes",
        "home 1 files 1,000,000 bytes",
        "all 3 files 90,000,000 bytes, 10.0 % of 900,000,000",
    ]


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sitefixture.fill(tmp_path / "press.db")
    out = str(tmp_path / "site")
    assert main(["site", "--data", str(tmp_path), "--out", out]) == 0
    assert re.search(r"site: \d+ files written, 0 unchanged, 0 removed; [\d,]+ bytes in all\n", capsys.readouterr().out)
    assert main(["check", out]) == 0
    assert "no flaw found" in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv", [[], ["nonsense"], ["site", "--data", "nowhere"], ["check", "nowhere"], ["serve", "nowhere"]]
)
def test_misuse_exits_with_two(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert capsys.readouterr().err


def test_help_is_no_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "site" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("path", "lang", "marked"),
    [
        ("index.html", "ko", "새 글"),
        ("outlets/index.html", "ko", "매체"),
        ("o/mulgyeol/index.html", "ko", "매체"),
        ("policy/index.html", "ko", "수집 원칙"),
        ("en/policy/index.html", "en", "How we collect"),
    ],
)
def test_the_menu_that_pages_share_still_knows_where_it_stands(
    tmp_path: Path, path: str, lang: str, marked: str
) -> None:
    tree = page(built(tmp_path), path)
    assert [text(node) for node in tree.css("nav.main [aria-current]")] == [marked]
    assert ("How to be left out" in text(tree.css_first("footer"))) == (lang == "en")
    (home,) = {node.attributes["href"] for node in tree.css("header.mast a")}
    assert home == ("../" * path.count("/") or "./")
