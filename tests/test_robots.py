"""robots.txt: what an answer opens and closes for us, whatever its bytes look like (P40 to P45, RFC 9309)."""

from __future__ import annotations

import codecs
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl.model import Response
from crawl.robots import Rules, read, robots_url
from crawl.robotsbytes import READ_MAX_BYTES
from crawl.urls import requestable

SITE = "https://news.hanbit.ac.example"


def answer(
    body: bytes | str = b"",
    status: int = 200,
    error: str | None = None,
    headers: tuple[tuple[str, str], ...] = (),
    url: str = f"{SITE}/robots.txt",
) -> Response:
    sent = body.encode() if isinstance(body, str) else body
    return Response(url, status, 0.0, 1.0, error=error, headers=headers, body=sent)


def rules(body: bytes | str) -> Rules:
    return read(answer(body))


def verdict(body: bytes | str, path: str = "/") -> str:
    return rules(body).verdict(SITE + path)


CLOSE = "Disallow: /"


# Whom a group names (P41, RFC 9309 section 2.2.1).

NAMES_US = [
    "CampusPressHub", "campuspresshub", "CAMPUSPRESSHUB", "CampusPressHub/1.0", "campuspresshub/1.0",
    "CampusPressHub/2.7-beta",
    "CampusPressHub 1.0", "CampusPressHub/1.0 (+https://hub.example/bot)", "CampusPressHub*", "*CampusPressHub*",
    "CampusPressHub/*",
    "CampusPressHub\t# our guest", "  CampusPressHub  ", "CampusPressHub;",
]  # fmt: skip
NAMES_OTHERS = [
    "Campus", "CampusPress", "CampusPressHubBot", "CampusPressHub-News", "CampusPressHub_2", "CampusPressHub2", "Hub",
    "Press",
    "PressHub", "MyCampusPressHub", "Campus Press Hub", "Googlebot", "Yeti", "", "C", "*bot", "Mozilla/5.0",
]  # fmt: skip


@pytest.mark.parametrize("agent", NAMES_US)
def test_P41_a_group_that_names_us_wins_over_everyone(agent: str) -> None:
    closing = rules(f"User-agent: *\nAllow: /\n\nUser-agent: {agent}\nDisallow: /")
    assert (closing.verdict(f"{SITE}/news"), closing.named) == ("closed", True)
    opening = rules(f"User-agent: {agent}\nAllow: /\n\nUser-agent: *\nDisallow: /")
    assert (opening.verdict(f"{SITE}/news"), opening.named) == ("open", True)


@pytest.mark.parametrize("agent", NAMES_OTHERS)
def test_P41_a_group_for_part_of_our_name_or_more_than_it_does_not_bind_us(agent: str) -> None:
    closing = rules(f"User-agent: {agent}\nDisallow: /\n\nUser-agent: *\nDisallow: /admin")
    assert (closing.verdict(f"{SITE}/news"), closing.named) == ("open", False)
    opening = rules(f"User-agent: {agent}\nAllow: /\n\nUser-agent: *\nDisallow: /")
    assert (opening.verdict(f"{SITE}/news"), opening.named) == ("closed", False)


def test_P41_R13_all_groups_that_name_us_are_one_whatever_version_they_write() -> None:
    found = rules(
        "User-agent: CampusPressHub/1.0\nDisallow: /a\n\nUser-agent: Yeti\nDisallow: /\n\n"
        "User-agent: campuspresshub\nDisallow: /b\nCrawl-delay: 7\n\nUser-agent: CampusPressHub/0.9\nDisallow: /c\n"
    )
    assert [found.verdict(SITE + path) for path in ("/a", "/b", "/c", "/d")] == ["closed"] * 3 + ["open"]
    assert found.crawl_delay_s() == 7


def test_R11_all_groups_of_everyone_are_one() -> None:
    text = "User-agent: *\nDisallow: /a\n\nUser-agent: Yeti\nDisallow:\n\nUser-agent: *\nDisallow: /b\n"
    assert [verdict(text, path) for path in ("/a", "/b", "/c")] == ["closed", "closed", "open"]


def test_R15_a_site_that_opens_only_the_search_engines_is_closed_to_us() -> None:
    assert verdict("User-agent: Yeti\nAllow: /\n\nUser-agent: *\nDisallow: /") == "closed"
    assert verdict("User-agent: *\nDisallow: /\n\nUser-agent: Yeti\nUser-agent: Googlebot\nAllow: /\n") == "closed"


# What is one group (RFC 9309 sections 2.1, 2.2.4).

ONE_GROUP = {
    "agents stacked": "User-agent: Yeti\nUser-agent: *\nUser-agent: Daum\nDisallow: /",
    "blank lines inside": "User-agent: *\n\n\n\nDisallow: /",
    "blank line between agents": "User-agent: *\n\nUser-agent: Yeti\n\nDisallow: /",
    "comment between agents": "User-agent: *\n# 네이버\nUser-agent: Yeti\nDisallow: /",
    "unknown line between agents": "User-agent: *\nUnknown: 1\nUser-agent: Yeti\nDisallow: /",
    "unknown line before rules": "User-agent: *\nNoarchive: /\nDisallow: /",
    "sitemap between agents": "User-agent: *\nSitemap: https://x.example/s.xml\nUser-agent: Yeti\nDisallow: /",
    "host between agents": "User-agent: *\nHost: x.example\nUser-agent: Yeti\nDisallow: /",
    "request rate between agents": "User-agent: *\nRequest-rate: 1/5\nUser-agent: Yeti\nDisallow: /",
    "visit time before rules": "User-agent: *\nVisit-time: 0100-0500\nUser-agent: Yeti\nDisallow: /",
    "Daum's ownership line inside": "User-agent: *\nDaumWebMasterTool:0a1b2c:d3+e==\nDisallow: /",
    "Daum's ownership line first": "DaumWebMasterTool:0a1b2c:d3+e==\nUser-agent: *\nDisallow: /",
    "garbage between agents": "User-agent: *\n<<<>>>\nUser-agent: Yeti\nDisallow: /",
    "sitemap between rules": "User-agent: *\nDisallow: /a\nSitemap: https://x.example/s.xml\nDisallow: /",
    "blank line between rules": "User-agent: *\nDisallow: /a\n\nDisallow: /",
    "delay between rules": "User-agent: *\nDisallow: /a\nCrawl-delay: 4\nDisallow: /",
    "a comment behind the agent": "User-agent: * # everyone\nDisallow: / # everything",
    "words behind the star": "User-agent: * all\nDisallow: /",
    "hash without blank": "User-agent: *#x\nDisallow: /#x",
}


@pytest.mark.parametrize("text", ONE_GROUP.values(), ids=ONE_GROUP.keys())
def test_P41_what_does_not_end_a_group_does_not_free_us_from_it(text: str) -> None:
    assert verdict(text, "/news") == "closed"


NOT_OURS = {
    "a rule ended the group": "User-agent: *\nDisallow: /a\nUser-agent: Yeti\nDisallow: /",
    "an empty rule ended the group": "User-agent: *\nDisallow:\nUser-agent: Yeti\nDisallow: /",
    "a delay ended the group": "User-agent: *\nCrawl-delay: 4\nUser-agent: Yeti\nDisallow: /",
    "a group naming us without rules": "User-agent: *\nDisallow: /\n\nUser-agent: CampusPressHub",
    "a group naming us with a delay only": "User-agent: CampusPressHub\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /",
    "an agent line without a name": "User-agent: *\nDisallow: /a\nUser-agent:\nDisallow: /",
    "only others": "User-agent: Yeti\nDisallow: /",
    "rules before any agent": "Disallow: /\nUser-agent: *\nDisallow: /a",
}


@pytest.mark.parametrize("text", NOT_OURS.values(), ids=NOT_OURS.keys())
def test_P41_a_rule_of_another_group_closes_nothing_for_us(text: str) -> None:
    assert verdict(text, "/news") == "open"


# Lines and bytes.

SPELLINGS: dict[str, bytes] = {
    "line feeds": b"User-agent: *\nDisallow: /x\n",
    "no last line end": b"User-agent: *\nDisallow: /x",
    "CR LF": b"User-agent: *\r\nDisallow: /x\r\n",
    "CR only": b"User-agent: *\rDisallow: /x\r",
    "all kinds of ends": b"# a\r\n\rUser-agent: *\r\r\n\nDisallow: /x",
    "byte-order mark": codecs.BOM_UTF8 + b"User-agent: *\nDisallow: /x",
    "two byte-order marks": codecs.BOM_UTF8 * 2 + b"User-agent: *\nDisallow: /x",
    "a cut byte-order mark": b"\xef\xbbUser-agent: *\nDisallow: /x",
    "a mark inside the file": b"# joined\n" + codecs.BOM_UTF8 + b"User-agent: *\n" + codecs.BOM_UTF8 + b"Disallow: /x",
    "UTF-16": codecs.BOM_UTF16_LE + "# 로봇\r\nUser-agent: *\r\nDisallow: /x".encode("utf-16-le"),
    "UTF-16, big end first": codecs.BOM_UTF16_BE + "User-agent: *\nDisallow: /x".encode("utf-16-be"),
    "UTF-16 without a mark": "User-agent: *\nDisallow: /x".encode("utf-16-le"),
    "zero bytes": b"\x00User-agent: *\x00\nDis\x00allow: /x\x00",
    "blanks everywhere": b"  User-agent \t:\t *  \n \t Disallow\t:  /x \t \n",
    "no blanks": b"User-agent:*\nDisallow:/x",
    "no-break blanks": b"User-agent: *\xc2\xa0\n\xc2\xa0Disallow: /x\xc2\xa0\xc2\xa0",
    "wide and unseen blanks": "User-agent:\u3000*\u200b\nDisallow: /x\u3000".encode(),
    "capitals": b"USER-AGENT: *\nDISALLOW: /x",
    "small letters": b"user-agent: *\ndisallow: /x",
    "no hyphen": b"Useragent: *\nDisallow: /x",
    "a blank for the hyphen": b"User agent: *\nDisallow: /x",
    "no colon": b"User-agent *\nDisallow /x",
    "misspelled": b"User-agent: *\nDissallow: /x",
    "misspelled otherwise": b"User-agent: *\nDisalow: /x",
    "a CP949 comment": "# 로봇 안내 똠방각하\nUser-agent: * # 모든\nDisallow: /x # 관리자".encode("cp949"),
    "a UTF-8 comment": "# 네이버 검색로봇\nUser-agent: *\nDisallow: /x # 관리자".encode(),
    "bytes of no charset": b"# \xff\xfe\x80\nUser-agent: *\n\xff\xff: \x80\nDisallow: /x",
    "an unclosed comment of HTML": b"User-agent: *\nDisallow: /x\n<!-- served in 3 ms",
}


@pytest.mark.parametrize("body", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_R1_the_same_rules_are_read_however_the_bytes_lie(body: bytes) -> None:
    found = rules(body)
    assert found.state == "rules"
    assert [found.verdict(SITE + path) for path in ("/x", "/x/1?a=b", "/y")] == ["closed", "closed", "open"]


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_R1_only_CR_and_LF_end_a_line(sign: str) -> None:
    assert verdict(f"User-agent: *\nAllow: /{sign}Disallow: /\n", "/news") == "open"
    assert verdict(f"User-agent: *\n# note{sign}Disallow: /\n", "/news") == "open"
    assert verdict(f"User-agent: *\nDisallow: /a{sign}b\n", "/a") == "open"


# Paths (RFC 9309 sections 2.2.2 and 2.2.3).

PATHS = """
# rules, where `-` closes, `+` opens and `;` parts them | path | verdict
-/fish | /fish | closed
-/fish | /fish.html | closed
-/fish | /fish/salmon | closed
-/fish | /fishheads | closed
-/fish | /fish.php?id=1 | closed
-/fish | /Fish | open
-/fish | /catfish | open
-/fish | /?id=fish | open
-/fish/ | /fish | open
-/fish/ | /fish/ | closed
-/fish/ | /animals/fish/ | open
-/*.php | /index.php | closed
-/*.php | /a/b.php?c | closed
-/*.php | /php/ | open
-/*.php | /windows.PHP | open
-/*.php$ | /a.php | closed
-/*.php$ | /a.php?b | open
-/*.php$ | /a.php5 | open
-/fish*.php | /fish.php | closed
-/fish*.php | /fishheads/c.php?x | closed
-/fish*.php | /Fish.PHP | open
-* | / | closed
-* | /a/b?c | closed
-/* | /a | closed
-*/test | /a/test | closed
-*/test | /test | closed
-*/test | /testing/a | closed
-*/test | /a/tes | open
-/$ | / | closed
-/$ | /a | open
- | /a | open
-/;+/ | /a | open
+/;-/ | /a | open
-/;+/p | /page | open
+/page;-/*.htm | /page.htm | closed
+/$;-/ | / | open
+/$;-/ | /page.htm | closed
+/example/page/;-/example/page/disallowed.gif | /example/page/disallowed.gif | closed
+/example/page/;-/example/page/disallowed.gif | /example/page/ | open
+/news/;-/ | /news/1 | open
-/news/;+/news/articleView | /news/articleView.html?idxno=1 | open
-/*? | /news/articleView.html?idxno=3 | closed
-/*? | /news/articleView.html | open
-/*?utm_ | /a?utm_source=x | closed
-/*?utm_ | /a?idxno=1&utm_source=x | open
-/*&page= | /l?a=1&page=2 | closed
-/a?b=c | /a?b=c&d | closed
-/a?b=c | /a?b=d | open
-/*.gif$;-/*.jpg$ | /x/y.jpg | closed
+/board;-/*?p= | /board?p=1 | closed
-/a**b | /axxb | closed
-/a$b | /a$b | closed
-/a$b | /a | open
-/%2A | /* | closed
-/%2a | /b | open
-/%24 | /$ | closed
-/path/file-with-a-%2A.html | /path/file-with-a-*.html | closed
-/path/foo-%24 | /path/foo-$ | closed
-/foo/bar/%62%61%7A | /foo/bar/baz | closed
-/foo/bar/baz | /foo/bar/%62%61%7a | closed
-/%69ndex | /index | closed
-/index | /%69ndex | closed
-/~kim | /%7Ekim | closed
-/%7ekim | /~kim | closed
-/~kim | /ikim | open
-/ikim | /~kim | open
-/a%2Fb | /a/b | open
-/a/b | /a%2Fb | open
-/a%2fb | /a%2Fb | closed
-/a b | /a%20b | closed
-/a%20b | /a b | closed
-/100% | /100%25 | closed
-/100%25 | /100% | closed
-/%2541 | /A | open
-/%2541 | /%41 | open
-/%2541 | /%2541 | closed
-/a;b=1 | /a;b=1 | closed
-//a | //a/b | closed
-//a | /a | open
-/a/b | /x/../a/./b | closed
-/[a] | /[a] | closed
-/robots.txt | /robots.txt | open
-/ | /robots.txt?x | open
# Korean, in either charset, escaped or not (R7)
-/게시판 | /%EA%B2%8C%EC%8B%9C%ED%8C%90 | closed
-/게시판 | /%ea%b2%8c%ec%8b%9c%ed%8c%90/1 | closed
-/게시판 | /게시판 | closed
-/%ea%b2%8c | /게시판 | closed
-/%EA%B2%8C | /%ea%b2%8c | closed
-/게시판 | /게시물 | open
-/*판$ | /게시판 | closed
-/%B0%D4 | /%b0%d4%BD%C3 | closed
-/%b0%d4 | /%B0%D4 | closed
-/%B0%D4 | /%B0%D5 | open
-/%B0%D4 | /%C0%D4 | open
-/%B0%D4 | /%EF%BF%BD%EF%BF%BD | open
-/%EF%BF%BD | /%B0 | open
-/%B0%D4 | /%25B0%25D4 | open
-/%25B0%25D4 | /%B0%D4 | open
-/게시판 | /%B0%D4%BD%C3%C6%C7 | closed
-/%B0%D4 | /%EA%B2%8C | closed
-/%8Cc | /%8c%63 | closed
+/기사;-/ | /%EA%B8%B0%EC%82%AC | open
+/기사;-/ | /%B1%E2%BB%E7 | closed
+/%B1%E2;-/ | /%B1%E2 | open
+/%B1%E2;-/ | /%B1%E3 | closed
# Google's index page extension is not in the RFC
-/;+/index.html | / | closed
-/;+/index.html | /index.html | open
-/a/;+/a/index.html | /a/ | closed
-/a/;+/a/index.html | /a/index.html | open
+/a/index.html;-/a/index.html/ | /a/index.html/b | closed
-/;+/index.htm | / | closed
-/;+/%69ndex.html | / | closed
-/;+/~ndex.html | / | closed
-/;+/*/index.html | /a/ | closed
# what the RFC has no reading for closes what it can have meant, and opens nothing
-admin | /admin/1 | closed
-admin | /news | open
-https://news.hanbit.ac.example/admin | /admin | closed
-https://news.hanbit.ac.example | /a | closed
-/;+news | /news | closed
-/;+https://news.hanbit.ac.example/ | /news | closed
"""
ROWS = [row.split(" | ") for row in PATHS.splitlines() if row and row[0] in "-+"]


@pytest.mark.parametrize(("lines", "path", "expected"), ROWS)
def test_P40_R7_R9_a_path_is_open_or_closed_as_the_longest_rule_says(lines: str, path: str, expected: str) -> None:
    fields = [{"-": "Disallow: ", "+": "Allow: "}[line[0]] + line[1:] for line in re.split(r";(?=[-+])", lines)]
    assert verdict("\n".join(["User-agent: *", *fields]), path) == expected


def test_R7_a_rule_in_raw_CP949_bytes_closes_its_page_and_no_other() -> None:
    body = b"User-agent: *\nDisallow: /" + "게시판".encode("cp949") + b"\nDisallow: /" + "똠".encode("cp949")
    assert verdict(body, "/%B0%D4%BD%C3%C6%C7?no=1") == "closed"
    assert verdict(body, "/%EA%B2%8C%EC%8B%9C%ED%8C%90") == "closed"
    assert verdict(body, "/%8cc") == "closed"
    assert verdict(body, "/%B0%D4%BD%C3%C6%C8") == "open"


def test_P40_the_host_and_the_fragment_of_an_address_do_not_count() -> None:
    found = rules("User-agent: *\nDisallow: /a\n")
    assert found.verdict("http://other.example:8080/a#b") == "closed"
    assert found.verdict(f"{SITE}#/a") == "open"
    assert found.verdict(SITE) == "open"


@pytest.mark.parametrize(
    "url", ["", "/a", "ftp://x.example/", "https://", "https://user:pw@x.example/", "https://[::1/"]
)
def test_P40_what_cannot_be_asked_is_never_open(url: str) -> None:
    assert rules("User-agent: *\nDisallow:\n").verdict(url) == "closed"


# Shapes of real files.


def test_a_deny_all_file_with_named_openings_closes_us_and_a_file_of_openings_does_not() -> None:
    file = (
        "User-agent: *\nDisallow: /\n\nUser-Agent: Googlebot\nCrawl-delay: 1\nAllow: /news/\nDisallow: /*.css$\n\n"
        "User-agent: NaverBot\nUser-agent: Yeti\nCrawl-delay: 1\nDisallow: /*.gif$\nDisallow: /np/"
    )
    assert verdict(file, "/news/1") == "closed"
    assert rules(file).crawl_delay_s() is None
    assert verdict("User-agent: *\nAllow: /", "/news/1") == "open"
    assert verdict("User-Agent: *\nAllow: /\nDisallow: /admin/\nHost: https://x.example\n", "/admin/") == "closed"


# Crawl-delay (P21).

DELAYS: list[tuple[str, float | None]] = [
    ("10", 10), ("0", 0), ("1", 1), ("0.2", 0.2), (".5", 0.5), ("5.", 5), ("10.0", 10), ("10.01", 10.01), ("+8", 8),
    (" 8 ", 8), ("008", 8),
    ("8 # slow", 8), ("8#x", 8), ("1,5", 1.5), ("1,000", 1000), ("0,500", 0.5), ("1e1", 10), ("1E2", 100),
    ("10s", 10), ("10 seconds", 10), ("10초", 10),
    ("500ms", 0.5), ("2m", 120), ("1 minute", 60), ("1분", 60), ("1h", 3600), ("10 please", 10), ("10;", 10),
    ("5/1", 5),
    ("-1", None), ("-0.5", None), ("- 5", None), ("", None), ("ten", None), ("slow", None), ("nan", None),
    ("inf", None), ("Infinity", None),
    ("NaN", None), ("0x10", 0), ("#5", None), ("천천히", None), ("$5", None), ("--5", None),
    ("1e999", 2.0**31), ("9" * 400, 2.0**31), ("9" * 100_000, 2.0**31), ("99999999999", 2.0**31), ("86400", 86400),
]  # fmt: skip


@pytest.mark.parametrize(("value", "seconds"), DELAYS, ids=[value[:20] for value, _ in DELAYS])
def test_P21_a_crawl_delay_is_the_number_it_begins_with(value: str, seconds: float | None) -> None:
    assert rules(f"User-agent: *\nCrawl-delay: {value}\nDisallow: /x\n").crawl_delay_s() == pytest.approx(seconds)


def test_P21_of_several_delays_the_longest_counts() -> None:
    assert rules("User-agent: *\nCrawl-delay: 4\nCrawl-delay: 12\nCrawl-delay: 1\n").crawl_delay_s() == 12
    assert rules("User-agent: *\nCrawl-delay: 4\nCrawl-delay: soon\nCrawl-delay: -9\n").crawl_delay_s() == 4
    assert rules("User-agent: *\nCrawl-delay: 4\n\nUser-agent: *\nCrawl-delay: 6\n").crawl_delay_s() == 6


def test_P21_the_delay_is_that_of_the_group_that_binds_us() -> None:
    assert rules("User-agent: *\nCrawl-delay: 4\n\nUser-agent: CampusPressHub\nCrawl-delay: 8\n").crawl_delay_s() == 8
    assert rules("User-agent: *\nCrawl-delay: 4\n\nUser-agent: CampusPressHub\nDisallow: /a\n").crawl_delay_s() is None
    assert rules("User-agent: Yeti\nCrawl-delay: 4\n").crawl_delay_s() is None
    assert rules("User-agent: Yeti\nUser-agent: *\nCrawl-delay: 4\n").crawl_delay_s() == 4
    assert rules("Crawl-delay: 4\nUser-agent: *\nDisallow: /a\n").crawl_delay_s() is None


@pytest.mark.parametrize("field", ["crawl-delay", "CRAWL-DELAY", "Crawl delay", "Crawldelay", "Crawl-Delay "])
def test_P21_the_field_is_known_in_every_writing(field: str) -> None:
    assert rules(f"User-agent: *\n{field}: 9\n").crawl_delay_s() == 9


def test_P21_without_a_file_there_is_no_delay() -> None:
    assert read(answer(status=404)).crawl_delay_s() is None
    assert read(answer(status=503)).crawl_delay_s() is None


# Feeds (P44).


def test_P44_only_a_group_that_names_us_speaks_of_feeds() -> None:
    feed = f"{SITE}/rss/allArticle.xml"
    assert rules("User-agent: *\nDisallow: /\n").named_verdict(feed) is None
    assert rules("User-agent: CampusPress\nDisallow: /\n").named_verdict(feed) is None
    assert rules("User-agent: CampusPressHub/1.0\nDisallow: /rss/\n").named_verdict(feed) == "closed"
    assert rules("User-agent: CampusPressHub\nDisallow: /news/\n").named_verdict(feed) == "open"
    assert rules("User-agent: CampusPressHub\n\nUser-agent: *\nDisallow: /rss/").named_verdict(feed) == "closed"
    for unread in (answer(status=404), answer(status=503), answer("<html>"), answer(b"", 0, "timeout")):
        assert read(unread).named_verdict(feed) is None


# The answer itself (P42).

HTML = "<!doctype html><html><head><title>한빛학보</title></head><body><a href='/news/'>기사 목록</a></body></html>"
LOGIN = "<html><head><title>로그인</title></head><body><form><input name=id><input type=password name=pw></form></body></html>"
CHALLENGE = (
    "<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script></body></html>"
)
BLOCKED = (
    "<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1><p>Reference #18.2</p></body></html>"
)
CLOSING = "User-agent: *\nDisallow: /\n"

ANSWERS: list[tuple[str, Response, str, str]] = [
    ("gone server error", answer(CLOSING, 500), "unreadable", "http_500"),
    ("R3 unavailable", answer("", 503), "unreadable", "http_503"),
    ("bad gateway", answer(HTML, 502), "unreadable", "http_502"),
    ("a status of a cache", answer("", 520), "unreadable", "http_520"),
    ("a status of nobody", answer("", 999), "unreadable", "http_999"),
    ("R3 time-out", answer(b"", 0, "timeout"), "unreadable", "timeout"),
    ("R3 no such host", answer(b"", 0, "dns"), "unreadable", "dns"),
    ("R3 reset", answer(b"", 0, "reset"), "unreadable", "reset"),
    ("TLS trouble", answer(b"", 0, "tls"), "unreadable", "tls"),
    ("nothing at all", answer(b"", 0), "unreadable", "no_answer"),
    ("a body that came before the time-out", answer("User-agent: *\nAllow: /", 0, "timeout"), "unreadable", "timeout"),
    ("unauthorised", answer("", 401), "unreadable", "http_401"),
    ("forbidden", answer("User-agent: *\nAllow: /", 403), "unreadable", "http_403"),
    ("H15 too many requests", answer("", 429), "unreadable", "http_429"),
    ("R5 not found", answer(HTML, 404), "no_rules", "http_404"),
    ("not found although rules stand in it", answer(CLOSING, 404), "no_rules", "http_404"),
    ("not found and cut off", answer(HTML, 404, "cut_off"), "no_rules", "http_404"),
    ("not found with a login box", answer(LOGIN, 404), "no_rules", "http_404"),
    ("gone", answer("", 410), "no_rules", "http_410"),
    ("bad request", answer("", 400), "no_rules", "http_400"),
    ("payment required", answer("", 402), "no_rules", "http_402"),
    ("teapot", answer("", 418), "no_rules", "http_418"),
    ("legal reasons", answer("", 451), "no_rules", "http_451"),
    ("a block page as not acceptable", answer(BLOCKED, 406), "unreadable", "block_page"),
    ("a challenge as not found", answer(CHALLENGE, 404), "unreadable", "challenge_page"),
    ("R17 a hop too many", answer("", 301, headers=(("Location", "/r2.txt"),)), "unreadable", "too_many_redirects"),
    ("R17 another status", answer("", 308, headers=(("location", "//b.example"),)), "unreadable", "too_many_redirects"),
    ("a way to a login", answer("", 302, headers=(("Location", "/member/login.php"),)), "unreadable", "login_page"),
    ("a way to nowhere", answer("", 302), "unreadable", "http_302"),
    ("not modified", answer("", 304), "unreadable", "http_304"),
    ("cut off", answer("User-agent: *\nAllow: /", 200, "cut_off"), "unreadable", "cut_off"),
    ("a lie about its encoding", answer("User-agent: *\nAllow: /", 200, "bad_encoding"), "unreadable", "bad_encoding"),
    ("too large and nothing kept", answer(b"", 200, "too_large"), "unreadable", "too_large"),
    ("a challenge", answer(CHALLENGE), "unreadable", "challenge_page"),
    ("a block page", answer(BLOCKED), "unreadable", "block_page"),
    ("a block in plain words", answer("비정상적인 접근이 감지되어 접속이 차단되었습니다."), "unreadable", "block_page"),
    ("a login page", answer(LOGIN), "unreadable", "login_page"),
    ("a login in EUC-KR", answer(LOGIN.encode("cp949")), "unreadable", "login_page"),
    ("a challenge with rules on its lines", answer(f"{CHALLENGE}\n{CLOSING}"), "unreadable", "challenge_page"),
    ("the front page", answer(HTML), "no_rules", "html_page"),
    ("a script that leads to the front page", answer("<script>location.href='/';</script>"), "no_rules", "html_page"),
    ("a page that talks of rules", answer(f"<html><p>User-agent: *<br>{CLOSE}</p></html>"), "no_rules", "html_page"),
    ("nothing in it", answer(""), "no_rules", "empty"),
    ("blank lines", answer(codecs.BOM_UTF8 + b"\r\n \r\n"), "no_rules", "empty"),
    ("no content", answer("", 204), "no_rules", "empty"),
    ("comments only", answer("# 안내\n# nothing here\n"), "no_rules", "no_rule_lines"),
    ("a sitemap only", answer("Sitemap: https://x.example/s.xml\n"), "no_rules", "no_rule_lines"),
    ("prose", answer("File not found."), "no_rules", "no_rule_lines"),
    ("JSON", answer('{"error": "not found"}'), "no_rules", "no_rule_lines"),
    ("bytes", answer(bytes(range(256)) * 20), "no_rules", "no_rule_lines"),
    ("rules of nobody", answer("Disallow: /\nAllow: /a\n"), "no_rules", "rules_without_agent"),
    ("rules under a label of HTML", answer(CLOSING, headers=(("Content-Type", "text/html"),)), "rules", "rules"),
    ("rules in a page of HTML", answer(f"<html><body><pre>\n{CLOSING}</pre></body></html>"), "rules", "rules"),
    ("rules that speak of logins and blocks", answer(f"# Access Denied, 로그인이 필요합니다\n{CLOSING}"), "rules", "rules"),
    ("rules as a part", answer(CLOSING, 206), "rules", "rules"),
    ("a group without rules", answer("User-agent: *\n"), "rules", "rules"),
]  # fmt: skip


@pytest.mark.parametrize(("sent", "state", "reason"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_P42_what_an_answer_means(sent: Response, state: str, reason: str) -> None:
    found = read(sent)
    assert (found.state, found.reason) == (state, reason)
    expected = {"unreadable": "closed", "no_rules": "no_rules"}.get(state)
    assert expected is None or found.verdict(f"{SITE}/news") == expected


def test_P42_a_header_of_a_challenge_counts_without_its_page() -> None:
    found = read(answer("", headers=(("cf-mitigated", "challenge"),)))
    assert (found.state, found.reason) == ("unreadable", "challenge_page")


def test_P42_rules_are_equal_by_what_they_mean_for_the_night() -> None:
    assert read(answer(status=404)) == Rules("no_rules", "http_404")
    assert read(answer(status=404)) != read(answer(status=410))


# Size.


def filled(tail: str, size: int) -> bytes:
    head = b"User-agent: *\nDisallow: /first\n"
    room = size - len(head)
    return head + b"#" * (room - 1) + b"\n" + tail.encode()


def test_R_only_the_first_500_kib_count() -> None:
    inside = filled("", READ_MAX_BYTES - len("Disallow: /last\n")) + b"Disallow: /last\n"
    assert [verdict(inside, path) for path in ("/first", "/last")] == ["closed", "closed"]
    outside = filled("Disallow: /last\n", READ_MAX_BYTES)
    assert [verdict(outside, path) for path in ("/first", "/last")] == ["closed", "open"]
    ending = filled("", READ_MAX_BYTES - len("Disallow: /last")) + b"Disallow: /last"
    assert [verdict(ending + more, "/last") for more in (b"", b"\n", b"\r\nAllow: /", b"/page")] == ["closed"] * 3 + [
        "open"
    ]
    assert (rules(inside).reason, rules(outside).reason) == ("rules", "first_500_kib")


@pytest.mark.parametrize("cut_at", [1, 8, 12])
def test_R_half_a_line_at_the_end_opens_and_closes_nothing(cut_at: int) -> None:
    body = filled("Allow: /first/page/of/many\nDisallow: /b\n", READ_MAX_BYTES - cut_at)
    assert [verdict(body, path) for path in ("/first/page/of/many", "/b")] == ["closed", "open"]
    ended = answer(b"User-agent: *\nDisallow: /first\nAllow: /f", error="too_large")
    assert (read(ended).reason, read(ended).verdict(f"{SITE}/first")) == ("first_500_kib", "closed")


def test_R_a_file_of_480_kb_is_parsed_in_seconds_and_asked_in_no_time() -> None:
    lines = "".join(f"Disallow: /board/{number}/*/x{number}$\n" for number in range(15_500))
    body = f"User-agent: *\n{lines}Disallow: /end\n".encode()
    assert 470_000 < len(body) < READ_MAX_BYTES
    began = time.process_time()
    found = rules(body)
    assert [found.verdict(SITE + path) for path in ("/end", "/board/13999/a/x13999", "/open")] == [
        "closed",
        "closed",
        "open",
    ]
    assert time.process_time() - began < 10


HOSTILE = {
    "a line of 100 KB": b"User-agent: *\nDisallow: /" + b"a" * 100_000 + b"\nDisallow: /x\n",
    "stars for 100 KB": b"User-agent: *\nDisallow: /" + b"*a" * 50_000 + b"\nDisallow: /x\n",
    "blanks for 100 KB": b"User-agent: *\nDisallow: /a" + b" " * 100_000 + b"b\nDisallow: /x\n",
    "unseen blanks for 100 KB": b"User-agent: *\n" + b"\xc2\xa0" * 50_000 + b"Disallow: /x" + b"\xc2\xa0" * 50_000,
    "percent signs for 100 KB": b"User-agent: *\nDisallow: /" + b"%" * 100_000 + b"\nDisallow: /x\n",
    "agents for 400 KB": b"User-agent: *\nUser-agent: CampusPressHub\n" * 9_000 + b"Disallow: /x\n" * 5_000,
    "line ends for 400 KB": b"User-agent: *\n" + b"\r" * 400_000 + b"Disallow: /x",
    "colons for 100 KB": b"User-agent: *\n" + b":" * 100_000 + b"\nDisallow: /x",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_R_hostile_sizes_cost_little_and_hide_no_rule(body: bytes) -> None:
    began = time.process_time()
    found = rules(body)
    assert (found.verdict(f"{SITE}/x"), found.verdict(f"{SITE}/y")) == ("closed", "open")
    assert time.process_time() - began < 5


PIECES = st.sampled_from(
    [b"User-agent:", b"Disallow:", b"Allow:", b"Crawl-delay:", b"CampusPressHub", b"*", b"/", b"$", b"%", b"%B0", b"\n", b"\r",
     b" ", b"\x00", b"\xef\xbb\xbf", b"\xff\xfe", b"#", b"<html>", b"9", b"-", b"e9"]
)  # fmt: skip
FILES = st.lists(st.one_of(PIECES, st.binary(max_size=4)), max_size=60).map(b"".join)
URLS = st.one_of(st.text(max_size=40), st.text(max_size=40).map(lambda tail: f"{SITE}/{tail}"))


@given(
    FILES,
    URLS,
    st.sampled_from([0, 200, 206, 301, 404, 429, 503, 999]),
    st.sampled_from([None, "too_large", "cut_off"]),
)
def test_R_no_bytes_and_no_address_make_it_raise(body: bytes, url: str, status: int, error: str | None) -> None:
    found = read(answer(body, status, error))
    assert found.verdict(url) in ("open", "closed", "no_rules")
    assert found.named_verdict(url) in ("open", "closed", None)
    delay = found.crawl_delay_s()
    assert delay is None or 0 <= delay <= 2.0**31


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_R_a_path_closed_by_its_own_spelling_is_closed(tail: str) -> None:
    sent = requestable(f"{SITE}/x{tail.replace(chr(92), '')}")
    assert (
        verdict(f"User-agent: *\nDisallow: {sent.removeprefix(SITE).replace('*', '%2A')}\n", sent.removeprefix(SITE))
        == "closed"
    )


# Where it stands (RFC 9309 section 2.3).


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://news.hanbit.ac.example/news/1?a=b#c", "https://news.hanbit.ac.example/robots.txt"),
        ("HTTP://WWW.Hanbit.ac.example:80/", "http://www.hanbit.ac.example/robots.txt"),
        ("http://hanbit.ac.example:8080/a/b/", "http://hanbit.ac.example:8080/robots.txt"),
        ("https://hanbit.ac.example:443", "https://hanbit.ac.example/robots.txt"),
        ("http://한빛.example/게시판", "http://xn--xx3br43b.example/robots.txt"),
        ("http://[2001:db8::1]:81/x", "http://[2001:db8::1]:81/robots.txt"),
    ],
)
def test_P40_each_origin_has_its_own_file(url: str, expected: str) -> None:
    assert robots_url(url) == expected


def test_P40_what_is_no_web_address_has_no_file() -> None:
    with pytest.raises(ValueError, match="not an http"):
        robots_url("ftp://x.example/a")
