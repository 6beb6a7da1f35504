"""Which entries are one article, what their addresses and words become: the kinds of input that broke others (I1 to I29).

Each goes the whole way, from a feed's bytes through the night to the stored rows; twins of a kind stand together.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.nights import Hub, Scripted, answer, feed, registry

FEED = "https://news.hanbit.ac.example/rss/allArticle.xml"
FIRST, SECOND, THIRD = "총학생회 선거 투표 마감", "도서관 열람실 밤새 연다", "동아리 박람회 사흘 동안"
DATE = "<pubDate>Wed, 04 Mar 2026 14:30:00 +0900</pubDate>"


def rss(*items: str, opening: str = '<rss version="2.0">') -> bytes:
    inside = "".join(f"<item>{item}</item>" for item in items)
    return f'<?xml version="1.0" encoding="UTF-8"?>{opening}<channel><title>한빛대신문</title>{inside}</channel></rss>'.encode()


def atom(*entries: str, opening: str = "") -> bytes:
    inside = "".join(f"<entry>{entry}</entry>" for entry in entries)
    return f'<feed xmlns="http://www.w3.org/2005/Atom" {opening}><title>한빛대신문</title>{inside}</feed>'.encode()


def item(title: str, link: str, guid: str = "", more: str = DATE) -> str:
    return f"<title>{title}</title><link>{link}</link>{guid}{more}"


@pytest.fixture
def shown(tmp_path: Path) -> Shown:
    return Shown(tmp_path)


class Shown:
    """A hub with one feed, which shows one body a night."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.hub: Hub | None = None

    def nights(self, *bodies: bytes, at: str = FEED, cms: str = "") -> None:
        """Run a night for each body."""
        web = Scripted({at: [answer(body=body) for body in bodies]})
        self.hub = Hub(self._root / "hub", web, registry([feed(at, cms=cms)]))
        for number in range(1, len(bodies) + 1):
            self.hub.night(number)

    def rows(self, columns: str = "title, url, guid") -> list[tuple[object, ...]]:
        assert self.hub is not None
        return self.hub.read(f"SELECT {columns} FROM articles ORDER BY id")

    def column(self, name: str) -> list[object]:
        return [value for (value,) in self.rows(name)]


def once(shown: Shown, entry: str, columns: str = "title, url, guid") -> tuple[object, ...]:
    """What one item of an RSS feed became."""
    shown.nights(rss(entry))
    (row,) = shown.rows(columns)
    return row


# ---- I1: identifiers are witnesses as they stand ----


@pytest.mark.parametrize(
    "guid",
    [
        "<guid>1234</guid>",
        "<guid isPermaLink='false'>1234</guid>",
        "<guid>article/1234</guid>",
        "<guid>urn:x:1234</guid>",
    ],
)
def test_I1_a_guid_is_never_resolved_and_a_moved_article_stays_one(shown: Shown, guid: str) -> None:
    before = rss(item(FIRST, "http://news.hanbit.ac.example/old/1", guid))
    after = rss(item(FIRST, "https://www.hanbitnews.example/2026/1", guid))
    shown.nights(before, after)
    raw = guid[guid.index(">") + 1 : guid.rindex("<")]
    assert shown.rows() == [(FIRST, "https://www.hanbitnews.example/2026/1", raw)]


def test_I1_an_atom_id_is_never_resolved_against_a_base_that_moves(shown: Shown) -> None:
    entry = f"<title>{FIRST}</title><id>posts/7</id><link href='posts/7.html'/>"
    bases = [f'xml:base="{base}"' for base in ("http://a.example/old/", "https://b.example/new/")]
    shown.nights(*(atom(entry, opening=base) for base in bases))
    assert shown.rows() == [(FIRST, "https://b.example/new/posts/7.html", "posts/7")]


def test_I1_equal_numbers_of_two_sources_are_two_articles(tmp_path: Path) -> None:
    other = "https://news.byeolbit.ac.example/rss"
    web = Scripted(
        {
            FEED: [answer(body=rss(item(FIRST, "https://news.hanbit.ac.example/1", "<guid>1234</guid>")))],
            other: [answer(body=rss(item(SECOND, "https://news.byeolbit.ac.example/1", "<guid>1234</guid>")))],
        }
    )
    hub = Hub(tmp_path / "hub", web, registry([FEED, feed(other, slug="byeolbit")]))
    hub.night()
    assert hub.read("SELECT count(*) FROM articles") == [(2,)]


# ---- I3, I15, I17: one article under several spellings of its address ----

SPELLINGS = {
    "I3": ["https://news.hanbit.ac.example/travel-tips", "https://news.hanbit.ac.example/travel-tips/",
           "https://news.hanbit.ac.example//travel-tips"],
    "I15": ["https://news.hanbit.ac.example/v?a=1&amp;b=2", "https://news.hanbit.ac.example/v?b=2&amp;a=1",
            "http://news.hanbit.ac.example:80/v?a=1&amp;b=2", "https://news.hanbit.ac.example:443/v?a=1&amp;b=2",
            "https://news.hanbit.ac.example/v;jsessionid=8F3C?a=1&amp;b=2",
            "https://news.hanbit.ac.example/v?a=1&amp;PHPSESSID=0a1b2c3d&amp;b=2",
            "https://news.hanbit.ac.example/v?a=1&amp;b=2&amp;utm_source=rss"],
    "I17": ["https://news.hanbit.ac.example/%ea%b8%b0", "https://news.hanbit.ac.example/%EA%B8%B0",
            "https://news.hanbit.ac.example/기", unicodedata.normalize("NFD", "https://news.hanbit.ac.example/기")],
}  # fmt: skip


def stays_one(shown: Shown, spellings: Sequence[str]) -> None:
    shown.nights(*(rss(item(FIRST, link)) for link in spellings))
    assert len(shown.rows()) == 1


def together_one(shown: Shown, spellings: Sequence[str]) -> None:
    shown.nights(rss(*(item(FIRST, link) for link in spellings)))
    (row,) = shown.rows("url")
    assert row == (spellings[0].replace("&amp;", "&"),)


def test_I3_a_trailing_slash_makes_no_second_article_on_another_night(shown: Shown) -> None:
    stays_one(shown, SPELLINGS["I3"])


def test_I3_nor_in_one_document_and_the_link_stays_as_published(shown: Shown) -> None:
    together_one(shown, SPELLINGS["I3"][::-1])


def test_I3_the_root_is_a_page_of_its_own(shown: Shown) -> None:
    shown.nights(
        rss(item(FIRST, "https://a.example/"), item(SECOND, "https://a.example"), item(THIRD, "https://a.example/a"))
    )
    assert shown.column("title") == [FIRST, THIRD]


def test_I15_order_ports_and_sessions_make_no_second_article_on_another_night(shown: Shown) -> None:
    stays_one(shown, SPELLINGS["I15"])


def test_I15_nor_in_one_document(shown: Shown) -> None:
    together_one(shown, SPELLINGS["I15"])


def test_I15_other_parameters_and_ports_do(shown: Shown) -> None:
    links = ["a.example/v?a=1&amp;b=2", "a.example/v?a=2&amp;b=1", "a.example:8080/v?a=1&amp;b=2", "a.example/v?a=1"]
    shown.nights(rss(*(item(f"{FIRST} {n}", f"https://{link}") for n, link in enumerate(links))))
    assert len(shown.rows()) == 4


def test_I17_percent_encodings_make_no_second_article_on_another_night(shown: Shown) -> None:
    stays_one(shown, SPELLINGS["I17"])


def test_I17_nor_in_one_document(shown: Shown) -> None:
    together_one(shown, SPELLINGS["I17"])


def test_I17_the_bytes_of_an_euc_kr_address_are_left_alone(shown: Shown) -> None:
    links = ["https://a.example/%B1%E2%BB%E7", "https://a.example/%b1%e2%bb%e7", "https://a.example/%EA%B8%B0%EC%82%AC"]
    shown.nights(rss(*(item(f"{FIRST} {n}", link) for n, link in enumerate(links))))
    assert shown.column("url") == [links[0], links[2]]


# ---- I5: what changes in one document (floods over nights belong to the watch) ----


def test_I5_the_same_item_twice_in_one_document_is_one_article(shown: Shown) -> None:
    twice = item(FIRST, "https://a.example/1", "<guid>7</guid>")
    shown.nights(rss(twice, twice), rss(twice, item(SECOND, "https://a.example/2", "<guid>8</guid>"), twice))
    assert shown.column("title") == [FIRST, SECOND]


def test_I5_two_articles_of_one_title_and_day_in_one_document_stay_two(shown: Shown) -> None:
    shown.nights(rss(item("사설", "https://a.example/1"), item("사설", "https://a.example/2")))
    assert shown.column("url") == ["https://a.example/1", "https://a.example/2"]


def test_I5_guids_that_change_at_each_fetch_make_no_second_article(shown: Shown) -> None:
    shown.nights(*(rss(item(FIRST, "https://a.example/1", f"<guid>{stamp}</guid>")) for stamp in (901, 902, 903)))
    assert shown.column("title") == [FIRST]


# ---- I7, I9: what is no identity, and no address ----


@pytest.mark.parametrize("guid", ["0", "", " ", "-", "null", "None", "undefined", "NULL"])
def test_I7_a_guid_that_says_nothing_leaves_identity_to_the_link(shown: Shown, guid: str) -> None:
    said = f"<guid isPermaLink='false'>{guid}</guid>"
    first, second = item(FIRST, "https://a.example/1", said), item(SECOND, "https://a.example/2", said)
    shown.nights(rss(first), rss(second))
    assert shown.rows("title, guid") == [(FIRST, None), (SECOND, None)]


@pytest.mark.parametrize("guid", ["article", "https://a.example/", "한빛대신문"])
def test_I7_a_guid_that_all_items_share_is_no_identity(shown: Shown, guid: str) -> None:
    said = f"<guid isPermaLink='false'>{guid}</guid>"
    both = rss(item(FIRST, "https://a.example/1", said), item(SECOND, "https://a.example/2", said))
    shown.nights(both, rss(item(THIRD, "https://a.example/3", said)))
    assert shown.column("title") == [FIRST, SECOND, THIRD]


@pytest.mark.parametrize("guid", ["article54", "at://did:plc:abc/app.post/54", "tag:a.example,2026:54", "/54", "54"])
def test_I9_an_identifier_is_a_link_only_if_it_is_an_address(shown: Shown, guid: str) -> None:
    shown.nights(
        rss(f"<title>{FIRST}</title><guid>{guid}</guid>", item(SECOND, "https://a.example/2", f"<guid>{guid}b</guid>"))
    )
    assert shown.rows() == [(SECOND, "https://a.example/2", f"{guid}b")]


def test_I9_an_identifier_that_is_an_address_stands_in_for_a_missing_link(shown: Shown) -> None:
    assert once(shown, f"<title>{FIRST}</title><guid>https://a.example/54</guid>")[1] == "https://a.example/54"


def test_I9_in_json_feed_too(shown: Shown) -> None:
    items = [{"id": "article54", "title": FIRST}, {"id": "https://a.example/55", "title": SECOND}]
    body = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "한빛", "items": items}).encode()
    robots = "https://news.hanbit.ac.example/robots.txt"
    url = "https://news.hanbit.ac.example/feed.json"
    web = Scripted({url: [answer(body=body)], robots: [answer(404)]})
    hub = Hub(shown._root / "hub", web, registry([feed(url, cms="jsonfeed")]))
    hub.night()
    assert hub.read("SELECT title, url FROM articles") == [(SECOND, "https://a.example/55")]


# ---- I11, I13: what a relative link is relative to ----


@pytest.mark.parametrize(
    ("at", "opening", "entry", "address"),
    [
        ("https://a.example/ongoing/ongoing.atom", "", "<entry xml:base='When/201x/2013/08/14/'><link href='FC2-1'/>",
         "https://a.example/ongoing/When/201x/2013/08/14/FC2-1"),
        ("https://a.example/x.atom", "xml:base='https://b.example/y/'", "<entry xml:base='z/'><link href='1'/>",
         "https://b.example/y/z/1"),
        ("https://a.example/x.atom", "xml:base='/y/'", "<entry><link xml:base='z/' href='1'/>", "https://a.example/y/z/1"),
        ("https://a.example/x.atom", "xml:base='/y/'", "<entry><link href='/1'/>", "https://a.example/1"),
        ("https://a.example/x.atom", "xml:base='/y/'", "<entry><link href='?p=1'/>", "https://a.example/y/?p=1"),
        ("https://a.example/x.atom", "xml:base='/y/'", "<entry><link href='//b.example/1'/>", "https://b.example/1"),
    ],
)  # fmt: skip
def test_I11_bases_nest_and_count_for_links(shown: Shown, at: str, opening: str, entry: str, address: str) -> None:
    body = f"<feed xmlns='http://www.w3.org/2005/Atom' {opening}>{entry}<title>{FIRST}</title></entry></feed>"
    shown.nights(body.encode(), at=at)
    assert shown.column("url") == [address]


@pytest.mark.parametrize(
    ("at", "link", "address"),
    [
        ("https://a.example/blog/atom.xml", "2023/1.html", "https://a.example/blog/2023/1.html"),
        ("https://a.example/blog/", "2023/1.html", "https://a.example/blog/2023/1.html"),
        ("https://a.example/blog", "./1.html", "https://a.example/1.html"),
        ("https://a.example/rss/x.xml", "../news/articleView.html?idxno=1", "https://a.example/news/articleView.html?idxno=1"),
        ("https://a.example/rss/x.xml?page=1", "1.html", "https://a.example/rss/1.html"),
    ],
)  # fmt: skip
def test_I13_a_relative_link_is_read_against_the_documents_directory(
    shown: Shown, at: str, link: str, address: str
) -> None:
    shown.nights(atom(f"<title>{FIRST}</title><link href='{link}'/>"), at=at)
    assert shown.column("url") == [address]


# ---- I19: composed letters ----


def test_I19_decomposed_korean_is_composed_in_every_field(shown: Shown) -> None:
    said = item("총학생회", "https://a.example/1", "", "<description>각 단과대</description><author>김하늘</author>"
                "<category>학생</category>")  # fmt: skip
    shown.nights(rss(unicodedata.normalize("NFD", said)))
    assert shown.rows("title, summary, byline") == [("총학생회", "각 단과대", "김하늘")]
    assert shown.hub is not None
    assert shown.hub.read("SELECT tag FROM tags") == [("학생",)]


def test_I19_the_same_title_composed_later_is_no_edit(shown: Shown) -> None:
    composed = rss(item("총학생회", "https://a.example/1"))
    shown.nights(unicodedata.normalize("NFD", composed.decode()).encode(), composed)
    assert shown.hub is not None
    assert shown.hub.read("SELECT count(*) FROM revisions") == [(0,)]


# ---- I21, I23, I25: what may be opened, and shown ----


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert('xss')", "JaVaScRiPt:alert(1)", " java\nscript:alert(1)", "java&#9;script:alert(1)",
        "&#x6A;avascript:alert(1)", "data:text/html;base64,PHNjcmlwdD4=", "vbscript:msgbox", "file:///etc/passwd",
        "ftp://a.example/1", "mailto:a@a.example", "https://user:pw@a.example/1", "https:///1", "https://", "about:blank",
        "feed:javascript:alert(1)", "http://127.0.0.1/1", "http://[::1]/1", "http://localhost/1",
    ],
)  # fmt: skip
def test_I21_a_link_nobody_may_open_is_no_article(shown: Shown, link: str) -> None:
    shown.nights(rss(item(FIRST, link), item(SECOND, "https://a.example/2")))
    assert shown.rows("title, url") == [(SECOND, "https://a.example/2")]


@pytest.mark.parametrize("link", [" https://a.example/1\n", "HTTPS://a.example/1", "<![CDATA[https://a.example/1]]>"])
def test_I21_white_space_and_case_hide_no_good_link(shown: Shown, link: str) -> None:
    shown.nights(rss(item(FIRST, link)))
    assert [str(url).lower() for url in shown.column("url")] == ["https://a.example/1"]


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:video/mp4,x"])
def test_I21_nor_is_an_unsafe_enclosure_kept(shown: Shown, link: str) -> None:
    more = f"<enclosure url='{link}' type='audio/mpeg' length='3'/>"
    assert once(shown, item(FIRST, "https://a.example/1", "", more), "media_url, kind") == (None, "article")


@pytest.mark.parametrize(
    "title",
    [
        "<![CDATA[<b>속보</b> <img src=x onerror=alert(1)>]]>", "&lt;b&gt;속보&lt;/b&gt;", "<b>속보</b>",
        "<![CDATA[&lt;b&gt;속보&lt;/b&gt;]]>", "<![CDATA[<script>alert(1)</script>속보]]>", "<![CDATA[속보<!-- -->]]>",
        "<![CDATA[<svg onload=alert(1)>속보</svg>]]>속보", "속보&lt;iframe src='javascript:alert(1)'&gt;&lt;/iframe&gt;",
    ],
)  # fmt: skip
def test_I23_a_title_is_text_without_its_tags(shown: Shown, title: str) -> None:
    assert once(shown, item(title, "https://a.example/1"))[0] == "속보"


@pytest.mark.parametrize("element", ["description", "content:encoded", "author", "category"])
def test_I23_so_is_every_other_field(shown: Shown, element: str) -> None:
    markup = f"<{element}><![CDATA[<b onclick=alert(1)>속보</b><script>alert(2)</script>]]></{element}>"
    shown.nights(rss(item(FIRST, "https://a.example/1", "", markup)))
    assert shown.hub is not None
    stored = [*shown.rows("summary, byline")[0], *(tag for (tag,) in shown.hub.read("SELECT tag FROM tags"))]
    assert [value for value in stored if value] == ["속보"]


@pytest.mark.parametrize(
    ("title", "read"),
    [
        ("&amp;amp;#39;Text&amp;amp;#39;", "'Text'"),
        ("&amp;quot;가&amp;quot;", '"가"'),
        ("&amp;#39;가&amp;#39; &amp;quot;나&amp;quot;", "'가' \"나\""),
        ("<![CDATA[&quot;가&quot;]]>", '"가"'),
        ("<![CDATA[&amp;quot;가&amp;quot;]]>", '"가"'),
        ("R&amp;amp;D", "R&D"),
        ("R&D", "R&D"),
        ("&amp;nosuch; 5&amp;lt;6", "&nosuch; 5<6"),
        ("&amp;hellip;&amp;middot;&amp;nbsp;끝", "…· 끝"),
    ],
)
def test_I25_references_encoded_once_too_often_are_decoded(shown: Shown, title: str, read: str) -> None:
    assert once(shown, item(title, "https://a.example/1"))[0] == read


def test_I25_but_never_into_markup(shown: Shown) -> None:
    title = "&amp;amp;lt;script&amp;amp;gt;alert(1)&amp;amp;lt;/script&amp;amp;gt;"
    assert "<script" not in str(once(shown, item(title, "https://a.example/1"))[0])


# ---- I27: an edited article ----


def test_I27_an_edited_title_is_taken_and_the_earlier_one_kept(shown: Shown) -> None:
    shown.nights(rss(item(FIRST, "https://a.example/1")), rss(item(f"{FIRST} 연장", "https://a.example/1")))
    assert shown.column("title") == [f"{FIRST} 연장"]
    assert shown.hub is not None
    assert shown.hub.read("SELECT field, old FROM revisions") == [("title", FIRST)]


@pytest.mark.parametrize(
    "link", ["http://a.example/1/", "https://www.a.example/1", "https://a.example/1?utm_source=rss"]
)
def test_I27_also_under_another_spelling_of_the_address(shown: Shown, link: str) -> None:
    shown.nights(rss(item(FIRST, "https://a.example/1")), rss(item(SECOND, link)))
    assert shown.rows("title, url") == [(SECOND, link)]


def test_I27_a_title_that_comes_back_is_an_edit_too_and_an_unchanged_one_none(shown: Shown) -> None:
    shown.nights(*(rss(item(title, "https://a.example/1"), DATE) for title in (FIRST, SECOND, FIRST, FIRST)))
    assert shown.hub is not None
    assert shown.hub.read("SELECT old FROM revisions ORDER BY rowid") == [(FIRST,), (SECOND,)]
