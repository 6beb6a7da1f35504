"""Subscription lists: ours is valid and always the same; foreign ones are read in whatever state they come (E25)."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import crawl.cli
from crawl import opml, registry
from crawl.opml import Channel

OUTLETS = """slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note
alpha,"알파 & <신문>",Alpha,한빛대학교,hanbit,newspaper,https://alpha.example,서울,active,,,
beta,베타 "방송",Beta,한빛대학교,hanbit,broadcaster,https://blog.portal.example/beta,서울,active,,,
gamma,감마,Gamma,가온대학교,gaon,newspaper,https://gamma.example/news/,부산,active,,,
gone,옛날신문,Gone,가온대학교,gaon,newspaper,https://gone.example,부산,ended,,,
"""
SOURCES = """outlet,kind,url,cms,state,recheck,note
alpha,feed,https://alpha.example/rss.xml?a=1&b=2,,active,,
alpha,list,https://alpha.example/list,,paused,,
beta,youtube,https://www.youtube.com/@beta,,frozen,,
gamma,feed,https://gamma.example/news/old.xml,,paused,,
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for name, content in registry.empty().items():
        (folder / name).write_bytes(content)
    (folder / "outlets.csv").write_text(
        OUTLETS.replace('"알파 & <신문>"', "알파 & <신문>").replace('베타 "방송"', '"베타 ""방송"""')
    )
    (folder / "sources.csv").write_text(SOURCES)
    return folder


def run(data: Path, *words: str) -> int:
    return crawl.cli.main([*words, "--data", str(data)])


def outline(feed: str, title: str = "이름", page: str = "") -> str:
    return f'<outline type="rss" text="{title}" xmlUrl="{feed}" htmlUrl="{page}"/>'


def document(*outlines: str) -> str:
    return f'<?xml version="1.0"?>\n<opml version="1.0"><head/><body>\n{chr(10).join(outlines)}\n</body></opml>'


def imported(data: Path, tmp_path: Path, content: str | bytes, *more: str) -> int:
    file = tmp_path / "list.opml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return run(data, "import-opml", str(file), *more)


# -- ours ----------------------------------------------------------------------------------------------------------


def test_our_list_is_opml_with_every_active_feed_under_its_university(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "ours.opml"
    assert run(data, "export-opml", "--out", str(out)) == 0
    root = ElementTree.parse(out).getroot()
    assert (root.tag, root.get("version"), root.findtext("head/title")) == ("opml", "2.0", "대학언론 허브")
    (folder,) = root.findall("body/outline")
    assert folder.get("text") == "한빛대학교"
    (feed,) = folder
    assert feed.attrib == {
        "type": "rss", "text": "알파 & <신문>", "title": "알파 & <신문>", "xmlUrl": "https://alpha.example/rss.xml?a=1&b=2",
        "htmlUrl": "https://alpha.example",
    }  # fmt: skip


def test_the_same_feeds_give_the_same_bytes(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    channels = [Channel(f"매체 {n % 5}", f"https://{n}.example/rss", "", f"대학 {n % 3}") for n in range(30)]
    assert opml.write("목록", channels) == opml.write("목록", reversed(channels))
    run(data, "export-opml")
    assert capsys.readouterr().out.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">')


def test_P60_an_excluded_outlet_is_not_given_away(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "exclusions.csv").write_text(
        "key,scope,reason,requested,since\nalpha,outlet,outlet,2026-03-01,2026-03-01\n"
    )
    run(data, "export-opml")
    assert "alpha.example" not in capsys.readouterr().out


@given(st.lists(st.builds(Channel, st.text("가나<>&\"' \t\n", min_size=1), st.just("https://a.example/?x=1&y='2'"),
                          st.just(""), st.text("가<&\""))))  # fmt: skip
def test_what_we_write_any_reader_of_xml_and_we_ourselves_can_read(channels: list[Channel]) -> None:
    written = opml.write("목록 <1> & 2", channels)
    ElementTree.fromstring(written)
    found = opml.read(written)
    assert [one.feed for one in found.channels] == [one.feed for one in channels]


# -- foreign ones --------------------------------------------------------------------------------------------------


def test_folders_in_folders_and_feeds_without_a_name_are_read() -> None:
    found = opml.read(document('<outline text="A"><outline title="B &amp; C">', outline("https://x.example/f", ""),
                               "</outline>", outline("https://y.example/f", "와이"), "</outline>",
                               outline("feed://z.example/f", "지")).encode())  # fmt: skip
    assert [(one.title, one.feed, one.folder) for one in found.channels] == [
        ("", "https://x.example/f", "A / B & C"), ("와이", "https://y.example/f", "A"), ("지", "http://z.example/f", ""),
    ]  # fmt: skip
    assert found.problems == ()


@pytest.mark.parametrize(
    ("broken", "line", "told"),
    [
        ('<outline text="열린 따옴표 xmlUrl="https://b.example/f"/>', 4, "quotes"),
        ('<outline text="끝이 없다" xmlUrl="https://b.example/f"', 4, "quotes or its end"),
        ('<outline type="rss" text="주소 없음"/>', 4, "no address"),
        (outline("javascript:alert(1)"), 4, "no web address"),
        (outline("../rss.xml"), 4, "no web address"),
        ("<outline text='닫히지 않는 폴더'>", 6, "in the middle"),
    ],
)
def test_E25_what_is_broken_is_named_by_its_line_and_the_rest_is_read(broken: str, line: int, told: str) -> None:
    found = opml.read(document(outline("https://a.example/f"), broken, outline("https://c.example/f")).encode())
    assert [one.feed for one in found.channels] == ["https://a.example/f", "https://c.example/f"]
    (problem,) = found.problems
    assert problem[0] == line
    assert told in problem[1]


def test_E25_mere_sloppiness_is_no_problem() -> None:
    sloppy = "\ufeff \n<opml><body><OUTLINE TEXT='A & B &nbsp; C' XMLURL=https://a.example/f?x=1&y=2></OUTLINE><br>"
    found = opml.read(sloppy.encode())
    assert [(one.title, one.feed) for one in found.channels] == [("A & B C", "https://a.example/f?x=1&y=2")]
    assert found.problems == ()


def test_a_list_in_cp949_is_read_whatever_it_says_of_itself() -> None:
    body = document(outline("https://a.example/f", "고려대신문 한빛 소식")).encode("cp949")
    for said in (body, body.replace(b'"1.0"?', b'"1.0" encoding="euc-kr"?', 1)):
        assert opml.read(said).channels[0].title == "고려대신문 한빛 소식"


def test_nothing_in_a_list_is_expanded_or_fetched() -> None:
    chain = [f'<!ENTITY {letter} "&{before};&{before};">' for before, letter in pairwise("abcdefghij")]
    head = ['<!DOCTYPE opml [<!ENTITY a "하하하">', *chain, '<!ENTITY ext SYSTEM "file:///etc/passwd">]>']
    body = document(outline("https://a.example/f", "&j;&ext;")).partition("\n")[2]
    found = opml.read("\n".join([*head, body]).encode())
    assert [one.title for one in found.channels] == ["&j;&ext;"]


@pytest.mark.parametrize("body", [b"", b"\x00\xff", b"<html><body>no</body></html>", b'{"a": 1}'])
def test_what_is_no_list_is_named(body: bytes) -> None:
    assert opml.read(body).channels == ()
    assert any("no OPML list" in what for _, what in opml.read(body).problems)


@given(st.binary(max_size=300) | st.text("<>\"'=&; outlinexmlUrl/!-[]").map(str.encode))
def test_no_bytes_make_the_reader_raise(body: bytes) -> None:
    opml.read(body)


FLOODS = ("<outline ", '<outline text="', "<outline>", "<!--", "<", "&#", '<outline xmlUrl="https://a.example/"/>\n',
          '<outline text="a" xmlUrl="https://a.example/">')  # fmt: skip


@pytest.mark.parametrize("piece", FLOODS)
def test_a_flood_of_anything_takes_no_more_than_a_second(piece: str) -> None:
    body = (piece * (300_000 // len(piece))).encode()
    began = time.process_time()
    opml.read(body)
    assert time.process_time() - began < 1


# -- into the registry ---------------------------------------------------------------------------------------------


LIST = document(
    outline("http://www.alpha.example/rss.xml/?b=2&amp;a=1"),
    outline("https://alpha.example/second.xml", "알파 둘째"),
    outline("https://feeds.portal.example/beta.xml", "베타", "https://blog.portal.example/beta"),
    outline("https://feeds.portal.example/other.xml", "남의 것", "https://blog.portal.example/other"),
    outline("https://gamma.example/elsewhere.xml", "감마의 이웃"),
    outline("https://gamma.example/news/rss", "감마"),
    outline("https://gamma.example/news/rss/", "감마 또"),
    outline("https://gone.example/rss", "옛날신문"),
    outline("https://www.youtube.com/feeds/videos.xml?channel_id=UC1", "방송"),
    outline("https://news.unn.net/rss", "업계지"),
    outline("http://127.0.0.1/rss", "여기"),
)


def test_a_foreign_list_is_sorted_out_by_what_is_known(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert imported(data, tmp_path, LIST, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert [(one["how"], one["outlet"]) for one in said["channels"]] == [
        ("registered", "alpha"), ("ready", "alpha"), ("ready", "beta"), ("outlet_unknown", ""), ("outlet_unknown", ""),
        ("ready", "gamma"), ("registered", ""), ("refused", "gone"), ("refused", ""), ("refused", ""), ("refused", ""),
    ]  # fmt: skip
    assert [row[:5] for row in said["rows"]] == [
        ["alpha", "feed", "https://alpha.example/second.xml", "", "paused"],
        ["beta", "feed", "https://feeds.portal.example/beta.xml", "", "active"],
        ["gamma", "feed", "https://gamma.example/news/rss", "", "active"],
    ]


def test_the_screen_gives_rows_to_paste_and_reasons(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in data.iterdir()}
    imported(data, tmp_path, LIST)
    said = capsys.readouterr().out
    assert "\nbeta,feed,https://feeds.portal.example/beta.xml,,active,," in said
    assert (
        ",남의 것,?name in English,?university,?univ,?kind,https://blog.portal.example/other,?region,active,,," in said
    )
    assert ",감마의 이웃,?name in English,?university,?univ,?kind,?home page,?region,active,,," in said
    assert "P05" in said
    assert "it is not a student medium" in said
    assert "11 feeds: 3 ready, 2 of unknown outlets, 2 known, 4 refused; nothing was sent" in said
    assert {path: path.read_bytes() for path in data.iterdir()} == before


def test_written_rows_leave_a_registry_in_order_and_a_second_time_adds_nothing(data: Path, tmp_path: Path) -> None:
    assert imported(data, tmp_path, LIST, "--write") == 0
    assert run(data, "check") == 0
    written = (data / "sources.csv").read_bytes()
    assert len(written.splitlines()) == len(SOURCES.splitlines()) + 3
    assert imported(data, tmp_path, LIST, "--write") == 0
    assert (data / "sources.csv").read_bytes() == written
    assert sorted(path.name for path in data.iterdir()) == ["exclusions.csv", "hub.toml", "outlets.csv", "sources.csv"]


def test_an_outlet_filled_in_by_hand_makes_its_feed_ready(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled = "other,남의 것,Other,한빛대학교,hanbit,magazine,https://blog.portal.example/other,서울,active,,,\n"
    (data / "outlets.csv").write_text((data / "outlets.csv").read_text() + filled)
    imported(data, tmp_path, LIST, "--write")
    assert b"\nother,feed,https://feeds.portal.example/other.xml,,active,," in (data / "sources.csv").read_bytes()


def test_a_registry_that_would_be_invalid_is_never_written(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "sources.csv").write_text(SOURCES + "nobody,feed,https://nobody.example/f,,active,,\n")
    before = (data / "sources.csv").read_bytes()
    assert imported(data, tmp_path, LIST, "--write") == 1
    assert "nobody" in capsys.readouterr().err
    assert (data / "sources.csv").read_bytes() == before


def test_P60_what_was_asked_to_be_left_out_does_not_come_back_by_a_list(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "exclusions.csv").write_text(
        "key,scope,reason,requested,since\nelse.example,host,outlet,2026-03-01,2026-03-01\n"
    )
    imported(data, tmp_path, document(outline("https://else.example/rss")))
    assert "left out (P60)" in capsys.readouterr().out


def test_a_broken_list_is_told_by_line_and_ends_with_one(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert imported(data, tmp_path, document('<outline text="x', outline("https://gamma.example/news/rss"))) == 1
    said = capsys.readouterr().out
    assert "list.opml:3: this outline is broken" in said
    assert "gamma,feed,https://gamma.example/news/rss" in said
    assert run(data, "import-opml", str(tmp_path / "missing.opml")) == 2
