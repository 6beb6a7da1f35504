"""Feeds of every format and every kind of damage, against what a reader of the file would note down."""

from __future__ import annotations

import dataclasses
import json
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import feedparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawl import feeds, text, urls
from crawl.characters import tidy
from crawl.errors import FeedUnreadable
from crawl.feedxml import mend
from crawl.model import Entry, Feed
from crawl.policy import Policy
from tests.sim.campus import Campus, Source
from tests.sim.houses import HOUSES

GOLDEN = Path(__file__).parent / "feeds"
PAIRS = sorted(path for path in GOLDEN.glob("*.*") if not path.name.endswith(".expected.json"))
SEEN = datetime.fromisoformat("2026-12-01T00:05:00+09:00").timestamp()
LIMIT = Policy().summary_max_chars
BASE = "https://press.example/rss/feed.xml"


def parse(body: str | bytes, content_type: str | None = None) -> Feed:
    sent = body.encode() if isinstance(body, str) else body
    return feeds.parse(sent, base=BASE, content_type=content_type, seen=SEEN, summary_max_chars=LIMIT)


def rss(*items: str, opening: str = '<?xml version="1.0" encoding="utf-8"?>') -> str:
    inside = "".join(f"<item><link>https://press.example/{n}</link>{item}</item>" for n, item in enumerate(items))
    return f'{opening}<rss version="2.0"><channel><title>한빛대신문</title>{inside}</channel></rss>'


def one(item: str) -> Entry:
    (entry,) = parse(rss(item)).entries
    return entry


def refused(body: str | bytes) -> str:
    with pytest.raises(FeedUnreadable) as trouble:
        parse(body)
    return trouble.value.reason


REASONS = {"empty_body", "html_not_feed", "not_a_feed", "feed_broken", "json_broken"}


def outcome(body: bytes) -> Feed | str:
    """The feed, or the name of what is wrong with it."""
    try:
        return parse(body)
    except FeedUnreadable as trouble:
        return trouble.reason


def at(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp())


def shown(feed: Feed) -> dict[str, Any]:
    """A feed as the golden files write it: defaults left out, moments with the offset of Seoul."""
    entries = []
    for entry in feed.entries:
        facts = {
            f.name: getattr(entry, f.name)
            for f in dataclasses.fields(entry)
            if f.default is dataclasses.MISSING or getattr(entry, f.name) != f.default
        }
        entries.append({name: list(value) if isinstance(value, tuple) else value for name, value in facts.items()})
    return {
        "format": feed.format,
        "title": feed.title,
        "language": feed.language,
        "flags": list(feed.flags),
        "entries": entries,
    }


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.name)
def test_a_feed_gives_what_a_person_reads_in_it(path: Path) -> None:
    expected = json.loads((GOLDEN / f"{path.stem}.expected.json").read_text(encoding="utf-8"))
    for entry in expected["entries"]:
        if "published" in entry:
            entry["published"] = at(entry["published"])
    assert shown(parse(path.read_bytes())) == expected


def clean_feeds() -> dict[str, Source]:
    """One feed of each XML dialect of the simulated campus."""
    kept: dict[str, Source] = {}
    for source in Campus(2, 60, houses=len(HOUSES)).sources:
        dialect = source.dialect
        if source.kind not in ("list", "edition") and dialect.family != "json":
            kept.setdefault(" ".join((dialect.family, dialect.version, dialect.body, source.encoding)), source)
    return kept


CLEAN = clean_feeds()


def test_the_simulated_campus_speaks_every_dialect() -> None:
    assert {parse(source.body(SEEN)).format for source in CLEAN.values()} == {
        "rss09x",
        "rss10",
        "rss20",
        "atom03",
        "atom10",
    }


@pytest.mark.parametrize("dialect", CLEAN)
def test_of_a_clean_feed_we_read_what_the_library_alone_reads(dialect: str) -> None:
    source = CLEAN[dialect]
    body = source.body(SEEN)
    ours = feeds.parse(
        body, base=source.url, content_type=source.content_type, seen=SEEN, summary_max_chars=LIMIT
    ).entries
    alone = feedparser.parse(
        BytesIO(body), response_headers={"content-type": f"application/xml; charset={source.encoding}"}
    )
    assert len(ours) == len(alone.entries) > 9
    for entry, other in zip(ours, alone.entries, strict=True):
        assert entry.title == text.title(other.title, html=True)
        assert entry.url == urls.link(other.link, source.url)
        assert entry.guid == other.get("id")


# ---- what is no feed ----


def test_E19_an_empty_body_has_a_name() -> None:
    assert refused(b"") == "empty_body"
    assert refused(b"\xef\xbb\xbf \r\n\t ") == "empty_body"


@pytest.mark.parametrize(
    "body",
    [
        "<!DOCTYPE html><html><head><title>한빛대신문</title></head><body>점검 중</body></html>",
        '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html xmlns="y"></html>',
        "\n<script>location.href='/login'</script>",
        "<html><body><pre><rss version='2.0'><channel></channel></rss></pre></body></html>",
        "<head><title>옮겼습니다</title></head><body>여기</body>",
        "<br />\n<b>Fatal error</b>: out of memory in <b>/rss.php</b>",
    ],
)
def test_a_page_is_named_as_one(body: str) -> None:
    assert refused(body) == "html_not_feed"


@pytest.mark.parametrize(
    "body",
    [
        "RSS 보기가 금지되어 있습니다.",
        '<?xml version="1.0"?><opml version="2.0"><head><title>목록</title></head><body/></opml>',
        '<?xml version="1.0"?><urlset><url/></urlset>',
        '{"error": "not found"}',
        "[1, 2]",
        b"%PDF-1.7\x00\x01\x02",
        b"\x00\xff\xfe\xfd",
    ],
)
def test_anything_else_is_named_as_no_feed(body: str | bytes) -> None:
    assert refused(body) == "not_a_feed"


def test_broken_json_is_named() -> None:
    assert refused('{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "ht') == "json_broken"
    assert refused('{"items": ' + "[" * 100_000) == "json_broken"


def test_a_feed_cut_off_before_its_first_entry_is_broken() -> None:
    assert refused('<rss version="2.0"><channel><title>한빛') == "feed_broken"
    assert refused('<rss version="2.0"><channel><item><title>가</title><link>https://press.exa') == "feed_broken"


def test_a_feed_without_entries_is_a_feed() -> None:
    assert parse(rss()) == Feed("rss20", "한빛대신문", "", ())
    assert parse('<feed xmlns="http://www.w3.org/2005/Atom"/>') == Feed("atom10", "", "", ())


# ---- the document ----


@pytest.mark.parametrize("before", ["\n", " \t\r\n", "\ufeff", "\ufeff\n", "\n<!-- 머리말 -->\n"])
def test_E13_white_space_before_the_declaration_is_no_damage(before: str) -> None:
    feed = parse(before + rss("<title>가</title>"))
    assert [entry.title for entry in feed.entries] == ["가"]
    assert feed.flags == ()


def test_E15_junk_before_the_document_is_passed_over_within_4_KB_and_flagged() -> None:
    feed = parse("x" * 4_096 + rss("<title>가</title>"))
    assert ([entry.title for entry in feed.entries], feed.flags) == (["가"], ("junk_before",))
    assert refused("x" * 4_200 + rss("<title>가</title>")) == "not_a_feed"


@pytest.mark.parametrize(
    "before",
    [
        "<html><body>",
        "<!DOCTYPE html>\n<html lang='ko'><head><title>RSS</title></head><body><p>점검 안내</p>\n",
        "<body><pre>경고</pre><!-- 광고 --><script>var a = 1</script>",
        "<html>",
    ],
)
def test_E15_a_feed_sent_amid_a_page_is_read_within_4_KB(before: str) -> None:
    for body in (rss("<title>가</title>"), rss("<title>가</title>", opening="")):
        feed = parse(f"{before}{body}</body></html>")
        assert [entry.title for entry in feed.entries] == ["가"]
        assert feed.flags == ("junk_after", "junk_before") or feed.flags == ("junk_before", "junk_after")
    assert refused(before + "<p>" * 1_400 + rss("<title>가</title>")) == "html_not_feed"


@pytest.mark.parametrize(
    "page",
    [
        "<html><body><pre>{}</pre></body></html>",
        "<html><body><textarea>{}</textarea></body></html>",
        "<html><head><script>var feed = '{}'</script></head></html>",
        "<html><body><!-- {} --></body></html>",
        "<html><body><!-- {}",
        "<html><body><code class='xml'>{}",
    ],
)
def test_E15_a_feed_that_a_page_shows_as_an_example_is_no_feed(page: str) -> None:
    assert refused(page.format(rss("<title>가</title>"))) == "html_not_feed"


@pytest.mark.parametrize(
    "mention",
    [
        "&lt;rss version=&quot;2.0&quot;&gt;&lt;channel&gt;&lt;item&gt;",
        "<rss>구독</rss>",
        "<rss version='2.0'>구독</rss>",
        "<rss version='2.0'><channel><title>끝나지 않는다",
        "<feed class='entry'><title>가</title></entry>",
        "<rss version='2.0'/><item></item>",
    ],
)
def test_E15_a_page_that_only_mentions_a_feed_is_a_page(mention: str) -> None:
    assert refused(f"<html><body><p>{mention}</p></body></html>") == "html_not_feed"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("&#xD83D;&#xDE00;", "😀"),
        ("&#55357;&#56832;", "😀"),
        ("반&#xD83D;쪽", "반�쪽"),
        ("&#x110000;&#0;가", "��가"),
        ("&#99999999999999999999;", "&#99999999999999999999;"),
    ],
)
def test_E17_surrogates_and_impossible_numbers_never_lose_a_feed(written: str, read: str) -> None:
    assert one(f"<title>{written}</title>").title == read
    assert one(f"<title><![CDATA[{written}]]></title>").title == read


@pytest.mark.parametrize(
    ("opening", "format"),
    [
        ('<rss version="0.91">', "rss09x"),
        ('<rss version="0.92">', "rss09x"),
        ('<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">', "rss20"),
        ("<rss version='2.0.1'>", "rss20"),
        ("<rss>", "rss"),
        ('<rdf:RDF xmlns:rdf="r" xmlns="http://my.netscape.com/rdf/simple/0.9/">', "rss09x"),
        ('<rdf:RDF xmlns:a="http://www.w3.org/2005/Atom" xmlns="http://purl.org/rss/1.0/">', "rss10"),
        ('<feed version="0.3" xmlns="http://purl.org/atom/ns#">', "atom03"),
        ('<feed xmlns="http://www.w3.org/2005/Atom">', "atom10"),
        ("<feed>", "atom10"),
        ('<a:feed xmlns:a="http://www.w3.org/2005/Atom">', "atom10"),
    ],
)
def test_E21_the_root_names_the_format(opening: str, format: str) -> None:
    name = opening[1:].split()[0].rstrip(">")
    item = "entry" if "feed" in name else "item"
    prefix = "a:" if name.startswith("a:") else ""
    inside = f'<{prefix}link href="https://press.example/1"/><{prefix}title>가</{prefix}title>'
    feed = parse(f"{opening}<{prefix}{item}>{inside}</{prefix}{item}></{name}>")
    assert (feed.format, [(entry.title, entry.url) for entry in feed.entries]) == (
        format,
        [("가", "https://press.example/1")],
    )


def test_E23_a_json_feed_is_told_from_others_before_parsing() -> None:
    assert feeds.is_json_feed((GOLDEN / "json11.json").read_bytes())
    assert feeds.is_json_feed((GOLDEN / "json10.json").read_bytes())
    assert feeds.is_json_feed(b'\xef\xbb\xbf\n{"items": []}')
    assert not feeds.is_json_feed(rss("<title>jsonfeed.org</title>").encode())
    assert not feeds.is_json_feed(b'{"error": 404}')
    assert not feeds.is_json_feed(b"")


def test_control_characters_are_taken_out_and_flagged() -> None:
    feed = parse(rss("<title>총\x08학\x0b선거\x00</title>"))
    assert (feed.entries[0].title, feed.flags) == ("총학 선거", ("bad_characters",))


def test_an_entity_bomb_is_neither_expanded_nor_slow() -> None:
    lols = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 20))
    doctype = f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol">{lols}<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    feed = parse(rss("<title>&l19;</title><description>&f;</description>", opening=doctype))
    assert [(entry.title, entry.summary) for entry in feed.entries] == [("&l19;", "&f;")]


def test_a_document_cut_off_keeps_its_complete_entries_only() -> None:
    whole = rss("<title>가</title>", "<title>나</title>", "<title><![CDATA[다]]></title>")
    for end in range(whole.index("</item>") + 7, len(whole)):
        feed = parse(whole[:end])
        complete = whole[:end].count("</item>")
        assert [entry.title for entry in feed.entries] == ["가", "나", "다"][:complete]
        assert "truncated" in feed.flags


def test_what_follows_the_document_is_ignored_and_only_flagged_if_it_says_something() -> None:
    assert parse(rss("<title>가</title>") + "\n<!-- 3.1초 -->\n").flags == ()
    feed = parse(rss("<title>가</title>") + rss("<title>나</title>"))
    assert ([entry.title for entry in feed.entries], feed.flags) == (["가"], ("junk_after",))


def test_a_nested_item_ends_the_one_around_it() -> None:
    feed = parse(
        '<rss version="2.0"><channel><item><title>밖</title><link>https://press.example/1</link>'
        "<item><title>안</title><link>https://press.example/2</link></item></item></channel></rss>"
    )
    assert [entry.title for entry in feed.entries] == ["밖", "안"]
    assert feed.flags == ("bad_markup",)


def test_two_thousand_entries_all_arrive_in_their_order() -> None:
    feed = parse(rss(*(f"<title>기사 {n}</title><guid isPermaLink='false'>{n}-호</guid>" for n in range(2_000))))
    assert [entry.title for entry in feed.entries] == [f"기사 {n}" for n in range(2_000)]
    assert [entry.guid for entry in feed.entries] == [f"{n}-호" for n in range(2_000)]


def test_a_flood_of_items_ends_at_two_thousand_and_is_flagged() -> None:
    feed = parse(rss(*(f"<title>기사 {n}</title>" for n in range(2_001))))
    assert (len(feed.entries), feed.entries[-1].title, feed.flags) == (2_000, "기사 1999", ("items_capped:2000",))
    items = [{"url": f"/{n}", "title": f"기사 {n}"} for n in range(2_001)]
    feed = parse(json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": items}))
    assert (len(feed.entries), feed.entries[-1].title, feed.flags) == (2_000, "기사 1999", ("items_capped:2000",))


@pytest.mark.parametrize("piece", ["<!--", "<", "<a>", '<a "', "<q>", "<![CDATA[", "<title>", "&", "<x:y z='", "]]>"])
def test_a_million_broken_pieces_are_read_in_one_pass(piece: str) -> None:
    body = '<rss version="2.0"><channel><item>' + piece * (400_000 // len(piece))
    assert refused(body) == "feed_broken"


@pytest.mark.parametrize("element", ["category", "author", "link", "title", "guid", "enclosure"])
def test_an_item_with_a_hundred_thousand_of_one_element_is_read_like_any_other(element: str) -> None:
    entry = one(f"<title>가</title><description>끝</description>{f'<{element}>{{}}</{element}>' * 100_000}")
    assert (entry.title, entry.summary, len(entry.tags) <= 20) == ("가", "끝", True)


# ---- encodings, through the whole reader ----


def test_E1_a_feed_that_says_euc_kr_may_hold_all_of_cp949() -> None:
    body = rss("<title>똠방각하 펲</title>", opening='<?xml version="1.0" encoding="euc-kr"?>').encode("cp949")
    assert [entry.title for entry in parse(body).entries] == ["똠방각하 펲"]
    assert [entry.title for entry in parse(body, "text/xml; charset=KS_C_5601-1987").entries] == ["똠방각하 펲"]


def test_E5_a_feed_that_says_euc_kr_and_is_utf_8_reads_as_utf_8() -> None:
    body = rss("<title>총학생회 😀</title>", opening='<?xml version="1.0" encoding="euc-kr"?>')
    assert [entry.title for entry in parse(body, "text/xml; charset=euc-kr").entries] == ["총학생회 😀"]


def test_E7_items_in_another_charset_than_the_rest_come_out_right() -> None:
    opening, closing = rss("@", opening='<?xml version="1.0" encoding="ISO-8859-1"?>').split("@")
    latin = opening.encode() + b"<title>Caf\xe9</title>"
    body = (
        latin
        + "\n</item><item><link>https://press.example/9</link><title>총학생회</title>\n".encode()
        + closing.encode()
    )
    assert [entry.title for entry in parse(body, "text/xml; charset=us-ascii").entries] == ["Café", "총학생회"]


def test_E9_a_feed_in_utf_16_is_read() -> None:
    body = rss("<title>총학생회</title>", opening='<?xml version="1.0" encoding="utf-16"?>').encode("utf-16")
    assert [entry.title for entry in parse(body).entries] == ["총학생회"]


# ---- addresses ----


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert('xss')",
        " java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "https://user:pw@press.example/",
        "ftp://press.example/1",
        "",
    ],
)
def test_I21_an_item_without_an_address_to_open_is_left_out_and_counted(link: str) -> None:
    feed = parse(f"<rss version='2.0'><channel><item><title>가</title><link>{link}</link></item></channel></rss>")
    assert (feed.entries, feed.flags) == ((), ("no_link:1",))


def test_a_permanent_guid_stands_in_for_a_link_that_cannot_be_opened() -> None:
    for link in ("<link/>", "<link></link>", "<link>javascript:x</link>", ""):
        item = f"<item><title>가</title>{link}<guid isPermaLink='True'>https://press.example/7</guid></item>"
        (entry,) = parse(f"<rss version='2.0'><channel>{item}</channel></rss>").entries
        assert entry.url == "https://press.example/7"


def test_a_guid_that_says_it_is_no_link_is_none() -> None:
    item = "<item><title>가</title><guid isPermaLink='false'>https://press.example/7</guid></item>"
    assert parse(f"<rss version='2.0'><channel>{item}</channel></rss>").flags == ("no_link:1",)


def test_I13_relative_links_are_read_against_the_document() -> None:
    entry = '<entry><title>가</title><link href="2026/11/1.html"/></entry>'
    (found,) = parse(f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>').entries
    assert found.url == "https://press.example/rss/2026/11/1.html"


def test_only_links_to_the_article_itself_are_its_link() -> None:
    links = (
        '<link rel="self" href="https://press.example/entry.atom"/>'
        '<link rel="replies" href="https://press.example/c"/><link rel="enclosure" href="https://press.example/e.mp3"/>'
        '<link rel="alternate" type="application/pdf" href="https://press.example/1.pdf"/>'
        '<link rel="http://www.iana.org/assignments/relation/alternate" href="https://press.example/1"/>'
    )
    assert atom_addresses(links) == ["https://press.example/1"]


@pytest.mark.parametrize("relation", ["self", "replies", "enclosure", "edit", "via", "related", "hub"])
def test_an_entry_with_no_link_to_the_article_itself_has_none(relation: str) -> None:
    assert atom_addresses(f'<link rel="{relation}" href="https://press.example/1"/>') == []


def atom_addresses(links: str) -> list[str]:
    entry = f"<entry><title>가</title>{links}</entry>"
    return [found.url for found in parse(f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>').entries]


def test_an_atom_self_link_inside_an_rss_item_is_not_its_link() -> None:
    item = (
        '<atom:link rel="self" href="https://press.example/rss"/><link>https://press.example/1</link><title>가</title>'
    )
    (entry,) = parse(f'<rss version="2.0"><channel><item>{item}</item></channel></rss>').entries
    assert entry.url == "https://press.example/1"


def test_I11_a_base_above_counts_for_rss_links_too_and_never_for_guids() -> None:
    item = "<item><title>가</title><link>a/1</link><guid>b/1</guid></item>"
    (entry,) = parse(f'<rss version="2.0" xml:base="/x/"><channel xml:base="y/">{item}</channel></rss>').entries
    assert (entry.url, entry.guid) == ("https://press.example/x/y/a/1", "b/1")


def test_I9_an_identifier_in_json_is_a_link_only_if_it_is_an_address() -> None:
    item = {"id": "article54", "title": "가"}
    body = {"version": "https://jsonfeed.org/version/1.1", "title": "한빛", "items": [item, {**item, "url": "/54"}]}
    feed = parse(json.dumps(body))
    assert [(entry.url, entry.guid) for entry in feed.entries] == [("https://press.example/54", "article54")]
    assert feed.flags == ("no_link:1",)


# ---- dates ----


@pytest.mark.parametrize(
    ("raw", "moment", "precision", "source"),
    [
        ("2026.03.05 14:30", "2026-03-05T14:30:00+09:00", "minute", "feed_kst"),
        ("2016/6/29 15:07:41", "2016-06-29T15:07:41+09:00", "second", "feed_kst"),
        ("2026년 03월 05일 (목) 오후 02:30", "2026-03-05T14:30:00+09:00", "minute", "feed_kst"),
        ("Thu, 05 Mar 2026 14:30:00 KST", "2026-03-05T05:30:00+00:00", "second", "feed"),
        ("Thu, 05 Mar 2026 14:30:00", "2026-03-05T14:30:00+09:00", "second", "feed_kst"),
        ("\n\t Wed, 02 Jan 2019 07:03:36 GMT\t", "2019-01-02T07:03:36+00:00", "second", "feed"),
        ("Thurs, 11 Oct 2012", "2012-10-11T00:00:00+09:00", "day", "feed_kst"),
    ],
)
def test_D_dates_come_from_our_own_reader(raw: str, moment: str, precision: str, source: str) -> None:
    entry = one(f"<title>가</title><pubDate>{raw}</pubDate>")
    assert (entry.published, entry.precision, entry.date_from) == (at(moment), precision, source)
    assert entry.published_raw == raw.strip()


def test_D29_an_impossible_date_is_no_date_but_stays_readable() -> None:
    entry = one("<title>가</title><pubDate>1513</pubDate>")
    assert (entry.published, entry.precision, entry.published_raw, entry.date_from) == (None, "none", "1513", "none")


def test_no_date_is_invented() -> None:
    entry = one("<title>가</title>")
    assert (entry.published, entry.precision, entry.published_raw, entry.date_from) == (None, "none", "", "none")


def test_the_date_of_publication_beats_later_edits_wherever_it_stands() -> None:
    edited = "<updated>2026-03-09T00:00:00+09:00</updated>"
    for published in ("<pubDate>{}</pubDate>", "<dc:date>{}</dc:date>", "<dcterms:issued>{}</dcterms:issued>"):
        written = published.format("2026-03-05T14:30:00+09:00")
        for item in (edited + written, written + edited):
            assert one(f"<title>가</title>{item}").published == at("2026-03-05T14:30:00+09:00")


def test_an_unreadable_date_gives_way_to_the_next_one() -> None:
    entry = one("<title>가</title><pubDate>곧</pubDate><dc:date>2026-03-05T14:30:00+09:00</dc:date>")
    assert (entry.published, entry.published_raw) == (at("2026-03-05T14:30:00+09:00"), "2026-03-05T14:30:00+09:00")


def test_a_raw_date_is_kept_short() -> None:
    assert len(one(f"<title>가</title><pubDate>{'언젠가 ' * 500}</pubDate>").published_raw) <= 100


# ---- what is kept ----


def test_P02_never_more_than_the_promised_characters_of_summary_or_text_are_kept() -> None:
    long = "긴 글이 이어진다. " * 400
    for element in ("description", "content:encoded", "summary", "itunes:summary"):
        entry = one(f"<title>가</title><{element}>&lt;p&gt;{long}&lt;/p&gt;</{element}>")
        assert 150 < len(entry.summary) <= LIMIT
        assert entry.summary.endswith("…")
        assert entry.summary_derived


def test_P02_the_outlets_own_summary_beats_the_text_in_any_order() -> None:
    own, text = "<description>요약이다.</description>", "<content:encoded>본문이다.</content:encoded>"
    for item in (own + text, text + own):
        entry = one(f"<title>가</title>{item}")
        assert (entry.summary, entry.summary_derived) == ("요약이다.", False)


def test_P02_an_empty_summary_element_leaves_the_start_of_the_text() -> None:
    entry = one("<title>가</title><description> </description><content:encoded>본문이다.</content:encoded>")
    assert (entry.summary, entry.summary_derived) == ("본문이다.", True)


def test_P02_the_files_of_an_article_are_named_but_pictures_are_not_kept() -> None:
    entry = one('<title>가</title><enclosure url="https://press.example/a.JPG" type="" length="3"/>')
    assert (entry.kind, entry.media_url, entry.image_url) == ("article", None, None)


def test_a_missing_title_is_the_start_of_the_summary_or_said_to_be_missing() -> None:
    assert one("<title></title><description>첫 문장이다.</description>").title == "첫 문장이다."
    assert one("<title>  </title>").title == "(제목 없음)"
    assert len(one(f"<description>{'가나다 ' * 60}</description>").title) <= 80


def test_a_title_of_enormous_length_is_bounded() -> None:
    assert len(one(f"<title>{'제목 ' * 100_000}</title>").title) <= 300


def channel(name: str, *titles: str) -> list[str]:
    items = (f"<title>{title}</title>" for title in titles)
    return [entry.title for entry in parse(rss(*items).replace("한빛대신문", name, 1)).entries]


def test_the_channels_own_name_leaves_the_end_of_its_titles() -> None:
    assert channel("한빛대신문", "총학 선거 - 한빛대신문", "개표 - 밤샘") == ["총학 선거", "개표 - 밤샘"]
    assert channel("한빛대신문", "총학 선거 &lt; 보도 &lt; 기사본문 - 한빛") == ["총학 선거"]


def test_a_part_of_the_channels_name_does_where_most_titles_end_in_it() -> None:
    named = [f"{title} - 한빛" for title in ("총학 선거", "개표", "무산")]
    assert channel("보도 - 한빛", *named, "여가와 노동 - 보도") == ["총학 선거", "개표", "무산", "여가와 노동 - 보도"]
    assert channel("보도 - 한빛", *named[:2], "무산") == [*named[:2], "무산"]


def test_mail_addresses_of_reporters_are_never_stored() -> None:
    entry = one(
        "<title>가</title><author>haneul@press.example (김하늘)</author><dc:creator>김하늘</dc:creator>"
        "<description>총학이 모였다. 김하늘 기자 haneul@press.example</description>"
    )
    assert (entry.byline, entry.summary) == ("김하늘", "총학이 모였다. 김하늘 기자")
    assert "@" not in repr(entry)


@pytest.mark.parametrize("author", [".", " ", "haneul@press.example", "&lt;haneul@press.example&gt;"])
def test_a_byline_without_a_name_is_empty(author: str) -> None:
    assert one(f"<title>가</title><author>{author}</author>").byline == ""


def test_the_author_a_podcast_names_is_the_byline_where_there_is_no_other() -> None:
    host = "<title>가</title><itunes:author>진행 윤슬</itunes:author>"
    assert one(host).byline == "진행 윤슬"
    assert one(f"{host}<author>radio@press.example</author>").byline == "진행 윤슬"
    assert one(f"{host}<dc:creator>김하늘</dc:creator>").byline == "김하늘"


def test_several_authors_are_named_once_each() -> None:
    atom = "<author><name>김하늘</name></author><author><name>박서연</name><email>s@x.kr</email></author>"
    entry = f"<entry><link href='https://press.example/1'/><title>가</title>{atom}<author><name>김하늘</name></author></entry>"
    (found,) = parse(f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>').entries
    assert found.byline == "김하늘, 박서연"


def test_tags_are_bounded_in_number_and_length() -> None:
    entry = one("".join(f"<category>주제{n} {'긴' * 100}</category>" for n in range(50)))
    assert len(entry.tags) == 20
    assert all(len(tag) <= 60 for tag in entry.tags)


def test_what_belongs_to_pictures_and_sources_inside_an_item_is_not_the_items_own() -> None:
    foreign = (
        "<title>남의 제목</title><link>https://other.example/</link><description>남의 요약</description><id>9</id>"
    )
    for name in ("image", "source", "media:group", "textInput", "geo:place"):
        for item in (f"<title>가</title><{name}>{foreign}</{name}>", f"<{name}>{foreign}</{name}><title>가</title>"):
            entry = one(item)
            assert (entry.title, entry.url, entry.summary, entry.guid) == ("가", "https://press.example/0", "", None)


def test_elements_of_other_vocabularies_named_like_ours_are_not_ours() -> None:
    foreign = "<x:item><x:title>남의 것</x:title></x:item><x:channel>남</x:channel><x:pubDate>2020-01-01</x:pubDate>"
    entry = one(f"{foreign}<title>가</title>")
    assert (entry.title, entry.published, entry.url) == ("가", None, "https://press.example/0")


# ---- any input ----


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_give_a_feed_or_a_named_refusal(body: bytes) -> None:
    found = outcome(body)
    assert isinstance(found, Feed) or found in REASONS


PIECES = st.sampled_from(
    ["<item>", "</item>", "<entry>", "</entry>", "<title>", "</title>", "<link>", "</link>", "<author>", "</author>",
     "<name>", "<description>", "</description>", "<content type='xhtml'>", "</content>", "<br>", "<![CDATA[", "]]>",
     "<!--", "-->", "&#xD800;", "&amp;amp;", "&", "<", ">", "\ud800", "\x00", "https://press.example/1", "가", "</rss>",
     "<guid>", "</guid>", "<pubDate>", "2026.03.05", "</pubDate>", "<enclosure url='https://press.example/1.mp3'/>",
     "<link href='/2' rel='alternate'/>", "<category term='x'/>", "<width>", "<tags a='b'>", "<links x='y'/>", "'", '"']
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(['<rss version="2.0"><channel>', "<feed>", "<rdf:RDF>"]), st.lists(PIECES, max_size=40))
def test_any_broken_feed_gives_storable_entries_or_a_named_refusal(opening: str, pieces: list[str]) -> None:
    ElementTree.fromstring(mend(opening + "".join(pieces), base=BASE).xml)
    found = outcome((opening + "".join(pieces)).encode("utf-8", "surrogatepass"))
    assert isinstance(found, Feed) or found in {"html_not_feed", "not_a_feed", "feed_broken"}
    for entry in found.entries if isinstance(found, Feed) else ():
        assert entry.url.startswith(("http://", "https://"))
        assert entry.title
        assert len(entry.summary) <= LIMIT
        repr(dataclasses.astuple(entry)).encode()


REFERENCES = st.sampled_from(
    ["&#xD83D;", "&#xDE00;", "&#55357;", "&#xDFFF;&#xD800;", "&#x110000;", "&#0;", "&#12;", "&#x202E;", "&amp;#xD83D;", "&nbsp",
     "&lt;b&gt;", "&amp;lt;p&amp;gt;", "&#", "&#x", "&", ";"]
)  # fmt: skip
MARKUP = st.sampled_from(
    ["<p>", "</p>", "<div class='sharedaddy'>", "</div>", "<figure>", "<figcaption>", "</figcaption>", "<pre><code>", "<table>",
     "<td>", "</tr>", "<svg>", "<template>", "<script>", "</script>", "<style>", "<!--", "<img src='", "<b", "▲ 사진",
     "ⓒ 김하늘 ", "[##_Image|a|", "_##]", "The post ", " appeared first on ", "이 글은 ", "더 보기", "a@press.example",
     "<![CDATA[", "<o:p>", "\f", "\u0301" * 40, "\u200d", "👩", " < 사회 < 기사본문 - 한빛", " - 한빛대신문"]
)  # fmt: skip
WRITING = st.lists(st.text(max_size=5) | REFERENCES | MARKUP, max_size=25).map("".join)


@settings(deadline=None, max_examples=300)
@given(WRITING, WRITING, WRITING, st.booleans())
def test_any_writing_in_a_feed_becomes_storable_lines(title: str, text: str, other: str, in_cdata: bool) -> None:
    if in_cdata:
        title, text = (f"<![CDATA[{piece.replace(']]>', '')}]]>" for piece in (title, text))
    body = rss(
        f"<title>{title}</title><description>{text}</description><author>{other}</author><pubDate>{other}</pubDate>"
    )
    for entry in parse(body.encode("utf-8", "surrogatepass")).entries:
        for line in (entry.title, entry.summary, entry.byline, entry.published_raw, *entry.tags):
            assert line == tidy(line)
        assert len(entry.summary) <= LIMIT
        assert "@press.example" not in entry.byline


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from(PAIRS),
    st.lists(st.tuples(st.integers(0, 6_000), st.integers(0, 40), st.binary(max_size=12)), max_size=6),
)
def test_a_feed_damaged_anywhere_gives_a_feed_or_a_named_refusal(
    path: Path, damages: list[tuple[int, int, bytes]]
) -> None:
    body = path.read_bytes()
    for place, lost, put in damages:
        body = body[:place] + put + body[place + lost :]
    found = outcome(body)
    assert isinstance(found, Feed) or found in REASONS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "url", "title", "items", "authors", "author", "name", "tags", "attachments", "summary"]
            ),
            inner,
        )
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.lists(JSON, max_size=4))
def test_any_json_gives_a_feed_or_a_named_refusal(items: list[object]) -> None:
    body = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": items[:1], "items": items})
    assert parse(body).format == "jsonfeed"


# ---- twins found by a hostile reader ----

NOON = at("2026-03-05T12:00:00+09:00")


@pytest.mark.parametrize("lost", ["Mon, 01 Jan 0001 00:00:00 +0000", "Thu, 01 Jan 1970 00:00:00 +0000", "어느 날", ""])
@pytest.mark.parametrize("other", ["dc:date", "dcterms:date", "dcterms:created", "updated", "atom:published", "issued"])
def test_D29_where_one_date_is_lost_another_of_the_item_counts(lost: str, other: str) -> None:
    entry = one(f"<title>가</title><pubDate>{lost}</pubDate><{other}>2026-03-05T12:00:00+09:00</{other}>")
    assert (entry.published, entry.date_from) == (NOON, "feed_updated" if other == "updated" else "feed")


@pytest.mark.parametrize("lost", ["Mon, 01 Jan 0001 00:00:00 +0000", "Thu, 01 Jan 1970 00:00:00 +0000"])
def test_D29_a_lost_date_is_none_and_never_a_day_of_this_year(lost: str) -> None:
    entry = one(f"<title>가</title><pubDate>{lost}</pubDate>")
    assert (entry.published, entry.precision, entry.published_raw) == (None, "none", lost)


def test_markup_in_a_date_neither_hides_it_nor_is_stored() -> None:
    entry = one("<title>가</title><pubDate>Thu, 05 Mar 2026 <b>12:00:00</b>&nbsp;+0900</pubDate>")
    assert (entry.published, entry.published_raw) == (NOON, "Thu, 05 Mar 2026 12:00:00 +0900")


@pytest.mark.parametrize("stamp", [1772679600, 1772679600.5, "1772679600", 1772679600000])
def test_E23_a_number_is_a_moment_in_json_feed(stamp: object) -> None:
    item = {"id": 1, "url": "https://press.example/1", "title": "가", "date_published": stamp}
    feed = parse(json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [item]}))
    assert feed.entries[0].published == NOON


@pytest.mark.parametrize(
    "body",
    [
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>가</title><id>https://press.example/5</id></entry></feed>',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
        '<item rdf:about="https://press.example/5"><title>가</title></item></rdf:RDF>',
    ],
)
def test_I9_where_the_format_names_items_by_address_that_is_the_link_of_one_without(body: str) -> None:
    assert [entry.url for entry in parse(body).entries] == ["https://press.example/5"]


def test_I9_a_guid_said_to_be_no_address_is_no_link() -> None:
    body = '<rss><channel><item><title>가</title><guid isPermaLink="false">https://a.example/5</guid></item></channel></rss>'
    assert parse(body).entries == ()


def test_an_identifier_holds_no_invisible_or_bidi_character() -> None:
    assert one("<title>가</title><guid isPermaLink='false'>a\u202eb\u200bc</guid>").guid == "abc"


@pytest.mark.parametrize(
    "item",
    [
        "<title>가<link>https://press.example/1</link><guid>5</guid>",
        "<title>가</titel><link>https://press.example/1</link><guid>5</guid>",
        "<title>가<title><link>https://press.example/1</link><guid>5</guid>",
        "<title>가</title><link>https://press.example/1<guid>5</guid>",
        "<title>가</title><link>https://press.example/1</link><description>나<b>다<guid>5</guid>",
        "<category>보도<category>사회</category><title>가</title><link>https://press.example/1</link><guid>5</guid>",
    ],
)
def test_a_missing_or_misspelt_end_tag_costs_nothing_of_the_rest(item: str) -> None:
    feed = parse(
        f"<rss><channel><item>{item}</item><item><title>나</title><link>https://a.example/2</link></item></channel></rss>"
    )
    assert [(entry.title, entry.url, entry.guid) for entry in feed.entries] == [
        ("가", "https://press.example/1", "5"),
        ("나", "https://a.example/2", None),
    ]
    assert feed.flags == ("bad_markup",)


def test_elements_named_in_a_title_that_ends_properly_are_its_words() -> None:
    assert one("<title>[<link>] 태그 설명</title>").title == "[<link>] 태그 설명"


MRSS = 'xmlns:media="http://search.yahoo.com/mrss/"'
PICTURE = "https://press.example/files/1.jpg"
SHOWN = [
    f'<media:content url="{PICTURE}" medium="image"><media:credit>사진부</media:credit></media:content>',
    f'<media:content url="{PICTURE}" type="image/jpeg"/>',
    f'<media:content url="{PICTURE}"/>',
    f'<media:thumbnail url="{PICTURE}"/>',
    '<media:thumbnail url="/files/1.jpg"/>',
    f'<enclosure url="{PICTURE}" type="image/jpeg" length="3"/>',
    f'<enclosure url="{PICTURE}" type="" length="3"/>',
    f'<description>&lt;p&gt;&lt;img alt="" src="{PICTURE}"&gt; 기사 본문입니다.&lt;/p&gt;</description>',
    f"<description><![CDATA[<IMG SRC='{PICTURE}'>기사 본문입니다.]]></description>",
    "<description><![CDATA[<img class=a src=/files/1.jpg>기사]]></description>",
    f'<content:encoded><![CDATA[<p>기사</p><img src="{PICTURE}" width="640" height="480">]]></content:encoded>',
    f'<description><![CDATA[<img src="data:image/gif;base64,R0" data-src="{PICTURE}">기사]]></description>',
    f'<description><![CDATA[<img src="/blank.gif" data-lazy-src="{PICTURE}">기사]]></description>',
    f'<description><![CDATA[<img src="//s.example/b.gif" width="1" height="1"><img src="{PICTURE}">기사]]></description>',
    f'<description><![CDATA[<img src="/logo.png"><img src="{PICTURE}">기사]]></description>',
    f'<enclosure url="https://press.example/1.mp3" type="audio/mpeg"/><media:thumbnail url="{PICTURE}"/>',
    f'<media:content url="https://press.example/1.mp4" type="video/mp4"/><media:thumbnail url="{PICTURE}"/>',
    f'<media:content url="{PICTURE}"/><description><![CDATA[<img src="/files/2.jpg">기사]]></description>',
]


def with_pictures(item: str, *, pictures: bool) -> Entry:
    body = rss(f"<title>가</title>{item}").replace("<rss ", f"<rss {MRSS} ").encode()
    (entry,) = feeds.parse(
        body, base=BASE, content_type=None, seen=SEEN, summary_max_chars=LIMIT, pictures=pictures
    ).entries
    return entry


@pytest.mark.parametrize("item", SHOWN)
def test_P03_the_first_picture_an_entry_shows_is_read_only_where_it_may_be_kept(item: str) -> None:
    assert with_pictures(item, pictures=True).image_url == PICTURE
    kept = with_pictures(item, pictures=False)
    assert kept.image_url is None
    assert dataclasses.replace(with_pictures(item, pictures=True), image_url=None) == kept


@pytest.mark.parametrize(
    "item",
    [
        '<media:content url="https://press.example/1.mp4" type="video/mp4"/>',
        '<media:content medium="image"/>',
        '<media:thumbnail url="javascript:alert(1)"/>',
        '<media:thumbnail url="https://user:word@press.example/1.jpg"/>',
        '<media:thumbnail url="https://press.example/images/default.png"/>',
        '<media:thumbnail url="https://press.example/0"/>',
        '<enclosure url="https://press.example/1.mp3" type="audio/mpeg"/>',
        '<description><![CDATA[<img src="https://stat.example/b.gif" width="1" height="1">기사]]></description>',
        '<description><![CDATA[<img class="emoji" src="https://cdn.example/1f600.png">기사]]></description>',
        "<description>&amp;lt;img src=/1.jpg&amp;gt; 라고 쓰면</description>",
        "<description>사진 없음</description>",
    ],
)
def test_P03_what_is_no_picture_of_the_entry_is_none(item: str) -> None:
    assert with_pictures(item, pictures=True).image_url is None


def test_P03_a_json_feed_s_image_is_the_picture_of_its_item() -> None:
    item = {"id": "1", "url": "https://press.example/1", "title": "가", "image": PICTURE}
    body = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "한빛", "items": [item]}).encode()
    for pictures, kept in ((True, PICTURE), (False, None)):
        read = feeds.parse(body, base=BASE, content_type=None, seen=SEEN, summary_max_chars=LIMIT, pictures=pictures)
        assert [entry.image_url for entry in read.entries] == [kept]


# ---- what goes to the library ----


@pytest.mark.parametrize("path", [path for path in PAIRS if path.suffix == ".xml"], ids=lambda path: path.name)
def test_what_the_library_gets_is_well_formed_and_keeps_its_line_of_declaration(path: Path) -> None:
    """It looks for an encoding in the whole first line, from each `encoding=` on: an hour for 8 MiB of them."""
    source = path.read_bytes().decode("utf-8", "replace")
    xml = mend(source + "<title>encoding='x' </title>", base=BASE).xml
    ElementTree.fromstring(xml)
    assert xml.partition(b"\n")[0] == b'<?xml version="1.0" encoding="utf-8"?>'
    assert not feedparser.parse(BytesIO(xml)).bozo


def test_the_end_of_a_cdata_section_inside_a_text_is_text() -> None:
    body = rss("<title>가 ]]> 나 ]]&gt; 다 &amp; 라</title><guid>]]>&lt;\"'</guid>")
    ElementTree.fromstring(mend(body, base=BASE).xml)
    (entry,) = parse(body).entries
    assert (entry.title, entry.guid) == ("가 ]]> 나 ]]> 다 & 라", "]]><\"'")


def test_floods_end_before_the_library() -> None:
    flood = "".join(
        f"<category>{n}</category><link>/{n}</link><title>{n}</title><content>{n}</content>" for n in range(60)
    )
    mended = mend(rss(*[flood] * 210), base=BASE)
    items = ElementTree.fromstring(mended.xml).findall("channel/item")
    assert [len(items[0].findall(name)) for name in ("category", "link", "title", "content")] == [50, 50, 1, 2]
    assert sum(len(item) for item in items) <= 20_000 + 210 * 5
    assert mended.flags == ("repeats_capped:20000",)
    assert all(item.find("link") is not None and item.find("title") is not None for item in items)
    assert len(ElementTree.fromstring(mend(rss(*[""] * 2_001), base=BASE).xml).findall("channel/item")) == 2_000


def test_each_date_and_name_of_an_item_arrives_as_written_whatever_the_library_makes_of_such() -> None:
    dated = "<pubDate>곧</pubDate><pubDate>2026-03-05 12:00:00</pubDate><dc:date>x</dc:date>"
    entry = one(
        f"<title>가</title>{dated}<guid>  1  호\n</guid><author>김하늘</author><author>a@b.example (이바다)</author>"
    )
    assert (entry.published_raw, entry.byline, entry.guid) == ("2026-03-05 12:00:00", "김하늘, 이바다", "1  호")


def test_lines_of_a_text_stay_lines() -> None:
    written = "▲ 학생회관 앞에 모인 학생들\n총학생회가 예산을 공개했다.\r\n▲ 또 다른 사진\u2028끝."
    for text_of_it in (written, f"<![CDATA[{written}]]>"):
        assert (
            one(f"<title>가</title><description>{text_of_it}</description>").summary
            == "총학생회가 예산을 공개했다. 끝."
        )


def test_two_summaries_are_both_the_outlets_own() -> None:
    entry = one("<title>가</title><description/><abstract>가</abstract><description>둘째 요약입니다.</description>")
    assert (entry.summary, entry.summary_derived) == ("둘째 요약입니다.", False)


def test_a_tag_with_a_label_alone_takes_nothing_from_the_next() -> None:
    assert one('<title>가</title><category label="보도"/><category>사회</category>').tags == ("보도", "사회")


def test_a_link_to_an_xhtml_page_is_a_link_and_a_file_without_a_type_is_no_page() -> None:
    body = '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>가</title>{}</entry></feed>'
    links = '<link type="application/xhtml+xml" href="/1"/><link rel="enclosure" href="/1.mp3"/>'
    (entry,) = parse(body.format(links)).entries
    assert (entry.url, entry.media_url, entry.media_type) == (
        "https://press.example/1",
        "https://press.example/1.mp3",
        None,
    )
    assert entry.kind == "audio"
