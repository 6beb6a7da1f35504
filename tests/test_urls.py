"""Addresses: lanes, the wire form, safe links and one key per article (H21, I1-I21, P20, P51)."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl.urls import (
    host,
    is_public,
    key,
    link,
    literal_address,
    location,
    normal,
    origin,
    port,
    requestable,
    server,
    unpaged,
)

BASE = "https://press.example.ac.kr/news/list.html?page=1"


@pytest.mark.parametrize(
    "url",
    [
        "http://news.example.ac.kr/a",
        "https://NEWS.Example.AC.KR:8443/b?c#d",
        "http://www.news.example.ac.kr/",
        "http://m.news.example.ac.kr",
        "http://www.m.news.example.ac.kr./",
        "http://WWW.news.example.ac.kr.:80/",
        "http://news%2Eexample.ac.kr/",
        "http://ｎｅｗｓ.example。ac.kr/",
    ],
)
def test_P20_one_server_whatever_scheme_port_case_www_or_m(url: str) -> None:
    assert server(url) == "news.example.ac.kr"


def test_P20_other_subdomains_are_servers_of_their_own() -> None:
    assert server("http://cdn.example.ac.kr/") == "cdn.example.ac.kr"
    assert server("http://www2.example.ac.kr/") == "www2.example.ac.kr"
    assert server("http://mnews.example.ac.kr/") == "mnews.example.ac.kr"
    assert server("http://www.kr/") == "www.kr"


def test_P20_a_korean_name_and_its_punycode_are_one_server() -> None:
    names = [
        "http://www.학보.한국/",
        "http://xn--on3b395b.xn--3e0b707e/",
        "http://XN--ON3B395B.xn--3e0b707e",
        "http://%ED%95%99%EB%B3%B4.한국/",
    ]
    assert len({server(name) for name in names}) == 1
    assert server(names[0]).isascii()


def test_P20_an_ip_address_is_one_server_in_every_spelling() -> None:
    spelled = [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1:8080/",
        "http://127.1./",
        "http://0177.0.0.01/",
    ]
    assert {server(url) for url in spelled} == {"127.0.0.1"}
    assert server("http://[2001:DB8:0:0::1]/") == "2001:db8::1"


def test_origin_host_and_port() -> None:
    assert origin("HTTP://Example.kr:80/a") == "http://example.kr"
    assert origin("https://example.kr:443") == "https://example.kr"
    assert origin("https://example.kr:8443/a?b") == "https://example.kr:8443"
    assert origin("http://[::1]:8080/") == "http://[::1]:8080"
    assert origin("http://www.example.kr/") != origin("http://example.kr/")
    assert host("http://WWW.example.kr.:81/") == "www.example.kr"
    assert (port("http://a.kr/"), port("https://a.kr"), port("http://a.kr:8080/")) == (80, 443, 8080)


@pytest.mark.parametrize(
    "url",
    ["", "example.kr", "ftp://a.kr/", "http:/a.kr", "http:a.kr", "http://", "http:///a", "http://a b.kr/", "http://a..kr/",
     "http://u:p@a.kr/", "http://a.kr:99999/", "http://a.kr:0/", "http://a.kr:x/", "http://[::1/", "http://256.1.1.1/"],
)  # fmt: skip
def test_only_an_http_address_has_a_server(url: str) -> None:
    for function in (server, origin, host, port, requestable, normal, key):
        with pytest.raises(ValueError):  # noqa: PT011 - its message is for people
            function(url)
    assert link(url if url != "example.kr" else "ftp://x", BASE) is None


@pytest.mark.parametrize(
    "raw",
    [
        "javascript:alert('xss')", " java\nscript:alert(1)", "JavaScript:alert(1)", "\x01javascript:alert(1)",
        "java\tscript:alert(1)", "java\x00script:alert(1)", "\ufeffjavascript:alert(1)", "data:text/html,x",
        "vbscript:x", "mailto:press@example.kr", "tel:02", "ftp://a.kr/", "file:///etc/passwd", "at://did:plc:abc/x",
        "urn:uuid:1", "http://user:pass@a.kr/", "http://user@a.kr/", "//user@a.kr/", "http://a.kr:pass@b.kr/",
        "http://", "https:", "http:///x", "///x", "http:x", "http://a kr/", "http://.kr/", "http://a.kr:port/", None, "",
        "  \n", "http://" + "a" * 10_000,
    ],
)  # fmt: skip
def test_I21_a_link_nobody_may_open_is_none(raw: str | None) -> None:
    assert link(raw, BASE) is None


@pytest.mark.parametrize(
    ("raw", "base", "absolute"),
    [
        ("http://a.kr/b", BASE, "http://a.kr/b"),
        (" \n https://a.kr/b\t", BASE, "https://a.kr/b"),
        ("https://a.kr/b\n  c", BASE, "https://a.kr/b  c"),
        ("HTTPS://a.kr/B", BASE, "https://a.kr/B"),
        ("//a.kr/b", BASE, "https://a.kr/b"),
        ("/b", BASE, "https://press.example.ac.kr/b"),
        ("b.html", BASE, "https://press.example.ac.kr/news/b.html"),
        ("?idxno=1", BASE, "https://press.example.ac.kr/news/list.html?idxno=1"),
        ("../b", BASE, "https://press.example.ac.kr/b"),
        ("/기사/1", BASE, "https://press.example.ac.kr/기사/1"),
        ("http:\\\\a.kr\\b?c=\\", BASE, "http://a.kr/b?c=\\"),
        ("http://a.kr\\@b.kr/", BASE, "http://a.kr/@b.kr/"),
        ("http://한국.kr/", BASE, "http://한국.kr/"),
        ("2023/1.html", "https://a.kr/blog/atom.xml", "https://a.kr/blog/2023/1.html"),
        ("FC2-1", "https://a.kr/ongoing/When/201x/2013/08/14/", "https://a.kr/ongoing/When/201x/2013/08/14/FC2-1"),
        ("http://a.kr/b", "not an address", "http://a.kr/b"),
    ],
)
def test_I11_I13_a_link_is_absolute_and_otherwise_as_published(raw: str, base: str, absolute: str) -> None:
    assert link(raw, base) == absolute


def test_a_relative_link_without_a_usable_base_is_none() -> None:
    assert link("/b", "ftp://a.kr/") is None
    assert link("b", "") is None


@pytest.mark.parametrize(
    ("sent", "target"),
    [
        ("/기사".encode(), "https://press.example.ac.kr/%EA%B8%B0%EC%82%AC"),
        ("/기사".encode("euc-kr"), "https://press.example.ac.kr/%B1%E2%BB%E7"),
        ("/news?q=총학".encode(), "https://press.example.ac.kr/news?q=%EC%B4%9D%ED%95%99"),
        ("/%EA%B8%B0/사".encode(), "https://press.example.ac.kr/%EA%B8%B0/%EC%82%AC"),
        (b"/%b1%e2", "https://press.example.ac.kr/%b1%e2"),
        ("https://www.학보.kr/기".encode(), "https://www.xn--on3b395b.kr/%EA%B8%B0"),
        (b" https://a.kr/b c#d\r\n", "https://a.kr/b%20c"),
        (b"b", "https://press.example.ac.kr/news/b"),
        (b"javascript:alert(1)", None),
        (b"", None),
    ],
)
def test_H21_raw_bytes_in_a_location_become_percent_encoded(sent: bytes, target: str | None) -> None:
    assert location(sent.decode("latin-1"), BASE) == target


def test_H21_a_location_decoded_already_is_read_all_the_same() -> None:
    assert location("/기사", BASE) == "https://press.example.ac.kr/%EA%B8%B0%EC%82%AC"
    assert location(None, BASE) is None


@pytest.mark.parametrize(
    ("url", "wire"),
    [
        ("http://a.kr", "http://a.kr/"),
        ("HTTP://A.kr:80/b#c", "http://a.kr/b"),
        ("http://a.kr?b", "http://a.kr/?b"),
        ("http://a.kr/기/%b1%e2?q=가 나&r=%EA", "http://a.kr/%EA%B8%B0/%b1%e2?q=%EA%B0%80%20%EB%82%98&r=%EA"),
        ("http://a.kr/100%", "http://a.kr/100%25"),
        ("http://a.kr/%zz", "http://a.kr/%25zz"),
        ('http://a.kr/"<>|`', "http://a.kr/%22%3C%3E%7C%60"),
        ("http://a.kr/open/../closed/./x", "http://a.kr/closed/x"),
        ("http://a.kr/open/%2e%2E/closed", "http://a.kr/closed"),
        ("http://a.kr/../..", "http://a.kr/"),
        ("http://a.kr//news//x", "http://a.kr//news//x"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ],
)
def test_what_goes_on_the_wire_is_ascii_and_otherwise_untouched(url: str, wire: str) -> None:
    assert requestable(url) == wire
    assert requestable(wire) == wire


SAME: list[list[str]] = [
    [  # I3, scheme, www, m, port, double slash, fragment
        "http://a.ac.kr/travel-tips", "https://a.ac.kr/travel-tips/", "http://www.a.ac.kr/travel-tips",
        "http://m.a.ac.kr/travel-tips", "http://A.ac.kr:80//travel-tips", "https://a.ac.kr:443/travel-tips#top",
        "http://a.ac.kr/travel-tips#:~:text=x", "http://a.ac.kr/x/../travel-tips", "http://a.ac.kr./travel-tips?",
    ],
    ["http://a.kr", "http://a.kr/", "https://www.a.kr/#top", "http://a.kr//", "http://a.kr/?utm_source=x"],
    [  # I15
        "http://a.kr/v?b=2&a=1", "http://a.kr/v?a=1&b=2", "http://a.kr:80/v?a=1&b=2&PHPSESSID=0a1b",
        "http://a.kr/v;jsessionid=0A1B.node1?a=1&b=2", "http://a.kr/v?a=1&amp;b=2", "http://a.kr/v?&a=1&&b=2&",
        "http://a.kr/v?a=1&utm_source=rss&utm_medium=x&b=2", "http://a.kr/v?fbclid=I&a=1&b=2&gclid=2",
        "http://a.kr/v?a=1&b=2&JSESSIONID=x", "http://a.kr/v?%61=1&b=2",
    ],
    [  # I17, I19
        "http://a.kr/%ea%b8%b0", "http://a.kr/%EA%B8%B0", "http://a.kr/기", "http://a.kr/\u1100\u1175",
        "http://a.kr/%E1%84%80%E1%85%B5",
    ],
    ["http://a.kr/%B1%E2%BB%E7", "http://a.kr/%b1%e2%bb%e7", "https://www.a.kr/%b1%E2%bb%E7/"],
    ["http://a.kr/?q=%EA%B0%80+%EB%82%98", "http://a.kr/?q=가%20나", "http://a.kr/?q=가 나"],
    ["http://a.kr/%7Epress/a(1)", "http://a.kr/~press/a%281%29"],
    [  # ND Soft
        "http://a.kr/news/articleView.html?idxno=1234", "https://www.a.kr/news/articleView.html?idxno=1234&page=3&total=99",
        "http://m.a.kr/news/articleView.html?idxno=1234", "http://a.kr//news/articleView.html?idxno=1234",
        "http://a.kr/news/articleViewAmp.html?idxno=1234", "http://a.kr/news/articleView.html?sc_word=x&idxno=1234#0DKU",
        "http://a.kr/news/articleView.html?idxno=1234&replyAll=&reply_sc_order_by=C",
    ],
    [  # AMP copies of others
        "http://a.kr/2025/04/30/69899", "http://a.kr/2025/04/30/69899/amp/", "http://a.kr/amp/2025/04/30/69899",
        "http://a.kr/2025/04/30/69899?amp", "http://a.kr/2025/04/30/69899/?amp=1", "http://amp.a.kr/2025/04/30/69899",
        "http://a.kr/2025/04/30/69899?outputType=amp",
    ],
    ["http://a.kr/b.html", "http://a.kr/b.amp.html"],
    [  # Gnuboard
        "http://a.kr/bbs/board.php?bo_table=univJubo&wr_id=7", "http://a.kr/bbs/board.php?wr_id=7&bo_table=univJubo&page=2",
        "http://www.a.kr/bbs/board.php?bo_table=univJubo&wr_id=7&sca=&sfl=wr_subject&stx=x#c_8",
    ],
    [  # XpressEngine, Rhymix
        "http://a.kr/?document_srl=55", "http://a.kr/index.php?mid=news&page=4&document_srl=55",
        "http://a.kr/index.php?document_srl=55&listStyle=viewer&sort_index=regdate",
    ],
    [  # university boards: how far down which list they stood, and in what order it was said
        "http://a.kr/n/u.do?mode=view&articleNo=7&article.offset=0&articleLimit=10",
        "http://a.kr/n/u.do?article.offset=20&articleLimit=10&articleNo=7&mode=view",
    ],
    ["http://a.kr/p/na/ntt/selectNttInfo.do?nttSn=7&currPage=1", "http://a.kr/p/na/ntt/selectNttInfo.do?mi=2&nttSn=7"],
    ["http://a.kr/u/selectBbsNttView.do?nttNo=7&pageIndex=2", "http://a.kr/u/selectBbsNttView.do?nttNo=7&key=3"],
    ["http://a.kr/front/cmsboardview.do?siteId=p&pkid=7&currentPage=2", "http://a.kr/front/cmsboardview.do?siteId=p&pkid=7"],
    ["http://a.kr/media/42?action=view&no=7", "http://a.kr/media/42/?no=7&action=view&page=3"],
    ["http://a.kr/reports/?category=53&idx=7", "http://a.kr/reports/?idx=7&category=&page=2"],
    ["http://a.kr/detail.php?number=7&thread=03r02", "http://a.kr/detail.php?thread=03r02&number=7&page=2"],
    ["http://a.kr/news/?q=YToy&bmode=view&idx=7&t=board", "http://a.kr/news/?bmode=view&idx=7&t=board&page=2"],
    [  # Naver Blog
        "https://blog.naver.com/press/223", "https://m.blog.naver.com/press/223",
        "https://blog.naver.com/PostView.naver?blogId=press&logNo=223&redirect=Dlog",
        "https://blog.naver.com/press/223?fromRss=true&trackingCode=rss",
    ],
    ["http://a.kr/#!/view/12", "https://www.a.kr/#!/view/12"],
    [  # YouTube
        "https://www.youtube.com/watch?v=a1B2c3D4-_z", "https://youtu.be/a1B2c3D4-_z?si=x", "https://m.youtube.com/shorts/a1B2c3D4-_z",
        "http://www.youtube.com/watch?list=PL1&v=a1B2c3D4-_z&t=10s", "https://www.youtube.com/live/a1B2c3D4-_z",
    ],
    ["http://한국.kr/a", "http://xn--3e0b707e.kr/a"],
]  # fmt: skip


@pytest.mark.parametrize("twins", SAME, ids=lambda twins: normal(twins[0]))
def test_I3_I15_I17_twins_of_one_article_have_one_key(twins: list[str]) -> None:
    assert {normal(url) for url in twins} == {normal(twins[0])}
    assert {key(url) for url in twins} == {key(twins[0])}
    assert len(key(twins[0])) == 8


@pytest.mark.parametrize("twins", SAME, ids=lambda twins: normal(twins[0]))
def test_the_key_of_a_normalised_or_wire_address_is_the_same_key(twins: list[str]) -> None:
    for url in twins:
        assert normal(f"http://{normal(url)}") == normal(url)
        if "#!" not in url:
            assert key(requestable(url)) == key(url)


def test_different_articles_have_different_keys() -> None:
    others = [
        "http://a.kr/news/articleView.html?idxno=1235", "http://a.kr/bbs/view.html?idxno=1234",
        "http://a.kr/bbs/view.html?table=bbs_28&idxno=1234", "http://b.kr/news/articleView.html?idxno=1234",
        "http://a.kr/bbs/board.php?bo_table=univJubo&wr_id=8", "http://a.kr/bbs/board.php?bo_table=free&wr_id=7",
        "http://a.kr/Travel-tips", "http://a.kr:8080/travel-tips", "http://a.kr/#!/view/13", "http://a.kr/a%2Fb",
        "http://a.kr/a/b", "http://a.kr/?p=1", "http://a.kr/?p=2", "http://a.kr/v?a=1&a=2", "http://a.kr/v?a=2&a=1",
        "https://youtu.be/a1B2c3D4-_Z", "https://www.youtube.com/playlist?list=PL1", "https://evil.example/watch?v=a1B2c3D4-_z",
        "http://a.kr/n/u.do?mode=download&articleNo=7&attachNo=1", "http://a.kr/n/u.do?mode=download&articleNo=7&attachNo=2",
        "http://a.kr/n/v.do?mode=view&articleNo=7", "http://a.kr/news/?idx=7", "http://a.kr/news/?idx=7&page=2",
        "http://a.kr/media/43?action=view&no=7", "http://a.kr/media/v?action=view&no=7&b=1", "http://a.kr/pdf/view.php?no=7&page=2",
        "http://a.kr/v?q=1%2B1", "http://a.kr/v?q=1+1", "http://a.kr/v?q=a%26b=c", "http://a.kr/v?q=a&b=c",
    ]  # fmt: skip
    every = [normal(url) for url in [twins[0] for twins in SAME] + others]
    assert len(set(every)) == len(every)
    assert len({key(url) for url in [twins[0] for twins in SAME] + others}) == len(every)


def test_I17_an_euc_kr_path_is_never_turned_into_other_signs() -> None:
    assert normal("http://a.kr/%b1%e2%bb%e7") == "a.kr/%B1%E2%BB%E7"
    assert normal("http://a.kr/%ea%b8%b0") == "a.kr/기"


def test_I3_the_shape_of_a_normalised_address() -> None:
    assert normal("https://www.a.kr:443/b/c/?y=2&x=1#d") == "a.kr/b/c?x=1&y=2"
    assert normal("http://a.kr/") == "a.kr"
    assert normal("http://a.kr:8080/b") == "a.kr:8080/b"


def test_nd_soft_sources_drop_noise_on_any_article_path_but_never_on_boards() -> None:
    plain = key("http://a.kr/news/articleView.html?idxno=9")
    assert key("http://a.kr/news/articlePrint.html?idxno=9", "ndsoft") == plain
    assert key("http://a.kr/articleView.html?idxno=9&page=2", "ndsoft") == plain
    assert key("http://a.kr/news/articleView.html?page=2&idxno=9", "ndsoft") == plain
    assert key("http://a.kr/bbs/view.html?idxno=9", "ndsoft") != plain
    assert normal("http://a.kr/news/articleView.html?idxno=90000015817").endswith("idxno=90000015817")
    assert key("http://a.kr/news/articleView.html?idxno=x") != key("http://a.kr/news/articleView.html?idxno=y")


def test_I15_a_boards_wordless_address_is_its_long_one_and_a_blogs_categories_are_noise() -> None:
    assert key("http://a.kr/xe/news/55", "xe") == key("http://a.kr/index.php?mid=free&document_srl=55", "xe")
    assert key("http://a.kr/news/7", "gnuboard") == key(
        "http://a.kr/bbs/board.php?wr_id=7&bo_table=news&page=3", "gnuboard"
    )
    assert key("http://a.kr/g5/news/7", "gnuboard") == key(
        "http://a.kr/g5/bbs/board.php?bo_table=news&wr_id=7", "gnuboard"
    )
    assert key("http://a.kr/news/7", "gnuboard") != key("http://a.kr/g5/news/7", "gnuboard")
    assert key("http://a.kr/749?category=51", "tistory") == key("http://a.kr/749", "tistory")
    assert key("http://a.kr/entry/a?category=51", "tistory") != key("http://a.kr/entry/b?category=51", "tistory")
    assert key("http://a.kr/news/7") != key("http://a.kr/news/7", "gnuboard")


def test_a_list_page_in_a_link_is_told_from_what_names_the_article() -> None:
    assert unpaged("http://www.a.kr/b/view.jsp?seq=7&nowPage=3&b=2") == "a.kr/b/view.jsp?b=2&seq=7"
    assert unpaged("http://a.kr/b/view.jsp?b=2&seq=7&pager.offset=20") == "a.kr/b/view.jsp?b=2&seq=7"
    for plain in (
        "http://a.kr/b/view.jsp?b=2&seq=7",
        "http://a.kr/?page=7",
        "http://a.kr/page/7",
        "http://a.kr/?p=7&home_page=1",
    ):
        assert unpaged(plain) is None


PRIVATE = [
    "127.0.0.1", "127.255.0.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.0.9", "192.0.0.200", "192.0.2.1",
    "192.88.99.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::808:808", "64:ff9b:1::1",
    "2002:7f00:1::", "2002:808:808::1", "2001::1", "2001:1::1", "2001:20::1",
    "2001:db8::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1",
    "fe80::1%eth0", "2606:4700::1111%eth0", "fec0::1", "ff02::1", "100::1", "5f00::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_P51_no_address_but_a_public_one_is_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "garbage",
    ["", "x", "a.kr", "8.8.8.8 ", " 8.8.8.8", "8.8.8", "010.8.8.8", "0x8.8.8.8", "[::1]", "8.8.8.8/32", "1" * 999],
)
def test_P51_garbage_is_not_public(garbage: str) -> None:
    assert not is_public(garbage)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "211.115.1.1", "172.32.0.1", "2606:4700::1111", "2400:cb00::1"]
)
def test_P51_ordinary_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1/", "127.0.0.1"), ("http://2130706433/", "127.0.0.1"), ("http://0x7f.1", "127.0.0.1"),
        ("http://0x7F000001/", "127.0.0.1"), ("http://017700000001:80/", "127.0.0.1"), ("http://127.1", "127.0.0.1"),
        ("http://0177.0.0.1/", "127.0.0.1"), ("http://127.0.0.1./", "127.0.0.1"), ("http://0/", "0.0.0.0"),
        ("http://①②⑦.⓪.⓪.①/", "127.0.0.1"), ("http://127%2E0.0.1/", "127.0.0.1"), ("http://127。0.0.1/", "127.0.0.1"),
        ("http://10.257/", "10.0.1.1"), ("https://[::1]:8443/", "::1"), ("http://[0:0:0:0:0:0:0:1]/", "::1"),
        ("http://[::ffff:127.0.0.1]/", "::ffff:7f00:1"), ("http://[fe80::1%25eth0]/", "fe80::1%25eth0"),
        ("127.1", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"),
        ("http://a.kr/", None), ("http://1.2.3.4.5/", None), ("http://a.127/", None), ("http://08.1.1.1/", None),
        ("http://1.kr/", None), ("", None), ("a.kr", None), ("mailto:x", None),
    ],
)  # fmt: skip
def test_P51_a_host_written_as_an_address_is_seen_through_every_disguise(url: str, address: str | None) -> None:
    assert literal_address(url) == address
    assert address is None or not is_public(address)


ADDRESSES = st.lists(
    st.sampled_from(
        ["http", "https", "://", "//", ":", "/", "a.kr", "www.", "m.", "amp.", "한국.kr", "%EA%B8%B0", "%b1", "%", "?", "&", "=",
         "#", "#!/", ";jsessionid=1", "utm_x=1", "idxno=12", "/news/articleView.html", "amp", "..", ".", "@", "\\", "[::1]",
         "127.1", ":80", " ", "\n", "\x00", "기", "ᄀ", "ᅵ", "\ud800", "é", "%2F", "%2e", "+", "\ufeff", "ß", "K"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@given(st.one_of(st.text(st.characters(), max_size=60), ADDRESSES), st.one_of(st.just(BASE), ADDRESSES))
def test_no_text_raises_and_every_link_has_a_server_and_a_wire_form(raw: str, base: str) -> None:
    literal_address(raw)
    is_public(raw)
    target = location(raw, base)
    assert target is None or requestable(target) == target
    absolute = link(raw, base)
    if absolute is None:
        return
    assert absolute.startswith(("http://", "https://"))
    wire = requestable(absolute)
    assert wire.isascii()
    assert requestable(wire) == wire
    assert (server(wire), origin(wire)) == (server(absolute), origin(absolute))
    assert link(absolute, base) == absolute


@given(ADDRESSES.map(lambda rest: f"http://a.ac.kr/{rest}"), st.sampled_from(["", "ndsoft", "gnuboard"]))
def test_a_key_is_the_same_over_all_its_twins(url: str, cms: str) -> None:
    if link(url, BASE) is None:
        return
    once = normal(url, cms)
    assert normal(f"http://{once}", cms) == once
    twins = [url.replace("http://", "https://www.", 1), url.replace("http://a.ac.kr", "http://m.A.ac.kr:80/", 1)]
    assert {key(twin, cms) for twin in twins} == {key(url, cms)}
    assert "#" in url or key(requestable(url), cms) == key(url, cms)


@pytest.mark.parametrize(
    ("raw", "absolute"),
    [
        ("https://press.example/\u202e가", "https://press.example/%E2%80%AE가"),
        ("/news/a\u200b1", "https://press.example.ac.kr/news/a%E2%80%8B1"),
        ("https://press.example/?a=\ufeff1", "https://press.example/?a=%EF%BB%BF1"),
        ("https://press\u200b.example/1", "https://press%E2%80%8B.example/1"),
    ],
)
def test_I21_invisible_and_bidi_characters_of_a_link_are_written_out(raw: str, absolute: str) -> None:
    found = link(raw, BASE)
    assert found == absolute
    assert key(found) == key(raw if raw.startswith("http") else f"https://press.example.ac.kr{raw}")


def test_keys_once_given_stay_as_they_are() -> None:
    """Stored articles, tombstones and hashed rows of exclusions.csv are known by nothing else: a change of `key` must keep
    every row of keys.csv, or bring the stored ones along."""
    with (Path(__file__).parent / "keys.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 36
    assert {row["url"]: key(row["url"], row["cms"]).hex() for row in rows} == {row["url"]: row["key"] for row in rows}
