"""/status/: every source once, in words; what each server was sent; and the words of /about/ and /feeds/ around it."""

from __future__ import annotations

from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from build import db, status
from tests import sitefixture
from tests.test_build_site import built, page, text


def groups(folder: Path, **given: object) -> dict[str, list[tuple[str, str]]]:
    """(outlet, sentence) of every source by its group."""
    sitefixture.fill(folder / "press.db", **given)  # type: ignore[arg-type]
    with db.opened(folder) as press:
        found = status.page(press)
    return {
        group.name: [(line.outlet, line.sentence) for part in group.parts for line in part.lines]
        for group in found.groups
    }


def test_every_source_stands_there_once_in_words(tmp_path: Path) -> None:
    root = built(tmp_path)
    lines = page(root, "status/index.html").css(".sources li")
    assert len(lines) == len(sitefixture.SOURCES)
    shown = sorted(line.css_first(".address").attributes["href"] or "" for line in lines)  # type: ignore[union-attr]
    assert shown == sorted(source[2] for source in sitefixture.SOURCES)
    for line in lines:
        sentence = text(line.css_first("p"))
        assert sentence.endswith("다.")
        assert "_" not in sentence


def test_sources_are_sorted_by_how_they_fare(tmp_path: Path) -> None:
    found = groups(tmp_path)
    assert list(found) == ["bad", "wait", "idle", "good"]
    assert [name for name, _ in found["bad"]] == ["고요대신문", "교지 물결"]
    assert {name for name, _ in found["good"]} == {"한빛대학보", "하늘타임스"}
    assert {name for name, _ in found["idle"]} == {"새봄대방송국", "솔빛대신문"}
    assert sum(len(lines) for lines in found.values()) == len(sitefixture.SOURCES)


def test_a_mood_nobody_is_in_is_not_shown(tmp_path: Path) -> None:
    only_good = [source for source in sitefixture.SOURCES if source[4] == "ok"]
    assert list(groups(tmp_path, sources=only_good)) == ["good"]


def test_what_was_refused_or_closed_is_read_before_what_only_waits_for_its_first_night(tmp_path: Path) -> None:
    sources = [
        ("hanbit-news", "feed", "https://news.hanbit.example/rss", "closed", "", "", 0, "", ""),
        ("mulgyeol", "feed", "https://mulgyeol.example/rss", "active", "refused", "closed_by_robots", 0, "", "P40"),
        ("nuri-eye", "feed", "https://eye.nuri.example/rss", "active", "", "", 0, "", ""),
    ]
    found = groups(tmp_path, sources=sources)
    assert [name for name, _ in found["wait"]] == ["교지 물결", "한빛대학보"]
    assert [name for name, _ in found["idle"]] == ["캠퍼스의 눈"]


def test_many_sources_that_fare_well_are_folded_by_region_and_those_that_do_not_stand_open(tmp_path: Path) -> None:
    many = status.FOLDED_FROM + 1
    regions = {outlet[0]: outlet[6] for outlet in sitefixture.OUTLETS}
    sources = [
        (slug, "feed", f"https://{slug}.example/{result}/{number}", "active", result, reason, 200, "", "")
        for result, reason in (("ok", "read"), ("failed", "html_not_feed"))
        for number, slug in zip(range(many), list(regions) * many, strict=False)
    ]
    sitefixture.fill(tmp_path / "press.db", sources=sources)
    with db.opened(tmp_path) as press:
        found = {group.name: group for group in status.page(press).groups}
    assert [(part.region, len(part.lines)) for part in found["bad"].parts] == [("", many)]
    assert found["good"].parts[0].region == "서울"
    assert sum(len(part.lines) for part in found["good"].parts) == found["good"].count == many
    slugs = {outlet[1]: outlet[0] for outlet in sitefixture.OUTLETS}
    assert all(regions[slugs[line.outlet]] == part.region for part in found["good"].parts for line in part.lines)


def test_outlets_without_any_address_are_named(tmp_path: Path) -> None:
    sources = [source for source in sitefixture.SOURCES if source[0] not in ("mulgyeol", "silent-press")]
    sitefixture.fill(tmp_path / "press.db", sources=sources)
    with db.opened(tmp_path) as press:
        assert status.page(press).bare == (("silent-press", "고요대신문"), ("mulgyeol", "교지 물결"))


def test_the_page_says_what_each_server_was_sent_and_when(tmp_path: Path) -> None:
    rows = page(built(tmp_path), "status/index.html").css("#servers tbody tr")
    assert [[text(cell) for cell in row.css("th, td")] for row in rows] == [
        ["news.hanbit.example", "1", "00:00:00", "00:00:02"],
        ["times.haneul.example", "1", "00:01:00", "00:01:02"],
    ]


def test_a_publisher_finds_whom_to_tell(tmp_path: Path) -> None:
    tree = page(built(tmp_path, contact="hub@campus.example"), "status/index.html")
    links = [link.attributes["href"] for link in tree.css("#publishers a")]
    assert links == ["mailto:hub@campus.example", "../policy/#leave", "../policy/"]


def about(root: Path, lang: str) -> LexborHTMLParser:
    return page(root, "about/index.html" if lang == "ko" else "en/about/index.html")


def test_about_says_who_runs_it_in_both_languages(tmp_path: Path) -> None:
    root = built(tmp_path, operator="학보 모임", repository="someone/hub", contact="hub@campus.example", name="우리 허브",
                 name_en="Our Hub")  # fmt: skip
    korean, english = (text(about(root, lang).css_first("main")) for lang in ("ko", "en"))
    assert "학보 모임에서 꾸립니다." in korean
    assert "run by 학보 모임." in english
    assert ("우리 허브에 대하여" in korean, "About Our Hub" in english) == (True, True)
    assert "7곳 이 등록되어 있습니다" in korean
    assert "We have collected every night since 1 December 2026." in english
    for lang in ("ko", "en"):
        assert "https://github.com/someone/hub" in [link.attributes["href"] for link in about(root, lang).css("main a")]


def test_a_hub_without_a_name_of_its_operator_says_so(tmp_path: Path) -> None:
    root = built(tmp_path)
    assert "아직 밝히지 않았습니다" in text(about(root, "ko").css_first("main"))
    assert "has not given a name yet" in text(about(root, "en").css_first("main"))


def test_every_feed_of_the_site_stands_on_the_feeds_page(tmp_path: Path) -> None:
    root = built(tmp_path)
    tree = page(root, "feeds/index.html")
    linked = {(link.attributes["href"] or "").removeprefix("../") for link in tree.css("main a")}
    there = {path.relative_to(root).as_posix() for path in (root / "feeds").rglob("*") if path.suffix != ".html"}
    there = {path for path in there if path.endswith((".atom", ".json", ".rss"))}
    # A university with a single outlet has feeds for those who guess its address, but the page names them once.
    alone = {f"feeds/u/{outlet[4]}.{ending}" for outlet in sitefixture.OUTLETS for ending in ("atom", "json")}
    assert there - linked == alone
    assert {"feeds/audio.rss", "opml.xml", "feeds/kind/english.atom"} <= linked
