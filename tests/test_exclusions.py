"""P60's reach: whom a row of exclusions.csv covers, twins included, and nobody else."""

from __future__ import annotations

from datetime import date

import pytest

from crawl import registry, urls
from crawl.errors import RegistryInvalid
from crawl.exclusions import Exclusion, Exclusions, Scope, byline_key, grave

HEAD = "key,scope,reason,requested,since"
ARTICLE = "https://news.hanbit.example/news/articleView.html?idxno=41"


def asked(*rows: str) -> Exclusions:
    """The exclusions of a registry whose exclusions.csv has these rows."""
    raw = "\n".join([HEAD, *rows, ""]).encode()
    return registry.parse(registry.empty() | {"exclusions.csv": raw}).exclusions


def refused(row: str) -> str:
    with pytest.raises(RegistryInvalid) as trouble:
        asked(row)
    return str(trouble.value)


def test_a_row_becomes_a_record_with_its_days() -> None:
    (row,) = asked("hanbit-news,outlet,outlet-asked,2026-11-01,2026-11-02").rows
    assert row == Exclusion("hanbit-news", "outlet", "outlet-asked", date(2026, 11, 1), date(2026, 11, 2))
    (own,) = asked("hanbit-news,outlet,maintainers,,2026-11-02").rows
    assert own.requested is None


def test_P60_an_excluded_outlet_is_covered_at_any_address_even_an_unreadable_one() -> None:
    wish = asked("hanbit-news,outlet,outlet-asked,,2026-11-01")
    assert wish.covers("https://elsewhere.example/x", "hanbit-news") is wish.rows[0]
    assert wish.covers("not an address", "hanbit-news") is wish.rows[0]
    assert wish.covers("https://elsewhere.example/x", "hanbit-news-2") is None
    assert wish.covers("not an address", "gaon-voice") is None


@pytest.mark.parametrize(
    "twin",
    [
        ARTICLE,
        "http://news.hanbit.example/news/articleView.html?idxno=41",
        "https://www.news.hanbit.example/news/articleView.html?idxno=41",
        "https://m.news.hanbit.example/news/articleView.html?idxno=41",
        "https://NEWS.hanbit.example:443//news/articleView.html?idxno=41&replyAll=#top",
        "https://news.hanbit.example/news/articleViewAmp.html?idxno=41",
    ],
)
@pytest.mark.parametrize("cms", ["", "ndsoft"])
def test_P60_an_excluded_address_is_covered_under_every_twin(twin: str, cms: str) -> None:
    wish = asked(f"{ARTICLE},url,author-asked,,2026-11-01")
    assert wish.covers(twin, "hanbit-news", cms=cms) is wish.rows[0]
    assert wish.covers(twin.replace("41", "410"), "hanbit-news", cms=cms) is None


def test_P60_a_private_request_names_only_the_key_the_database_uses() -> None:
    key = urls.key(ARTICLE, "ndsoft")
    for written in (key.hex(), key.hex().upper()):
        wish = Exclusions([Exclusion(written.lower(), "url", "private", None, date(2026, 11, 1))])
        assert wish.covers(ARTICLE, "hanbit-news", cms="ndsoft") is wish.rows[0]
        assert wish.covers(ARTICLE.replace("41", "42"), "hanbit-news", cms="ndsoft") is None
        assert wish.by_key(key) is wish.rows[0]
    assert wish.by_key(bytes(8)) is None


def test_P60_a_key_is_found_whichever_system_made_it() -> None:
    odd = "https://news.hanbit.example/mobile/articleViewNew.html?idxno=41&page=3"
    wish = asked(f"{odd},url,author-asked,,2026-11-01")
    assert urls.key(odd, "ndsoft") != urls.key(odd)
    assert wish.by_key(urls.key(odd, "ndsoft")) is wish.rows[0]
    assert wish.by_key(urls.key(odd)) is wish.rows[0]
    assert wish.by_key(urls.key(ARTICLE.replace("41", "42"))) is None


@pytest.mark.parametrize(
    ("url", "covered"),
    [
        ("https://blog.example/hanbit", True),
        ("http://www.blog.example/hanbit/", True),
        ("https://blog.example/hanbit/12", True),
        ("https://blog.example/hanbit?page=2", True),
        ("https://blog.example/x/../hanbit/12", True),
        ("https://blog.example/%68anbit/12", True),
        ("https://blog.example/hanbit2", False),
        ("https://blog.example/hanbit-news/12", False),
        ("https://blog.example/", False),
        ("https://other.example/hanbit/12", False),
    ],
)
def test_P60_a_prefix_goes_by_whole_path_segments(url: str, covered: bool) -> None:
    wish = asked("https://blog.example/hanbit/,prefix,outlet-asked,,2026-11-01")
    assert (wish.covers(url, "any") is not None) is covered


@pytest.mark.parametrize(
    ("url", "covered"),
    [
        ("https://hanbit.example/x", True),
        ("http://www.hanbit.example:8080/x", True),
        ("https://m.hanbit.example/", True),
        ("https://news.hanbit.example/x", True),
        ("https://HANBIT.example/x", True),
        ("https://nothanbit.example/x", False),
        ("https://example/x", False),
        ("https://hanbit.example.net/x", False),
    ],
)
def test_P60_a_host_is_that_server_and_what_is_below_it(url: str, covered: bool) -> None:
    wish = asked("hanbit.example,host,server-asked,,2026-11-01")
    assert (wish.covers(url, "any") is not None) is covered


def test_P60_a_host_written_with_www_is_the_same_server() -> None:
    wish = asked("www.hanbit.example,host,server-asked,,2026-11-01")
    assert wish.covers("https://hanbit.example/x", "any") is wish.rows[0]


def test_P60_a_byline_is_covered_for_its_outlet_alone_and_the_file_names_nobody() -> None:
    key = byline_key("hanbit-news", "홍길동 기자")
    wish = asked(f"hanbit-news:{key},byline,author-asked,,2026-11-01")
    assert wish.covers_byline("hanbit-news", " 홍길동  기자 ") is wish.rows[0]
    assert wish.covers_byline("hanbit-news", "홍길순 기자") is None
    assert wish.covers_byline("gaon-voice", "홍길동 기자") is None
    assert key != byline_key("gaon-voice", "홍길동 기자")
    assert wish.covers(ARTICLE, "hanbit-news") is None


def test_no_exclusions_cover_nothing() -> None:
    assert Exclusions().covers(ARTICLE, "hanbit-news", cms="ndsoft") is None
    assert Exclusions().by_key(urls.key(ARTICLE)) is None
    assert Exclusions().covers_byline("hanbit-news", "누구") is None


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("hanbit-news,outlets,asked,,2026-11-01", 'the scope "outlets" is unknown'),
        ("Hanbit News,outlet,asked,,2026-11-01", "is no outlet's slug"),
        ("https://hanbit.example/,host,asked,,2026-11-01", "write the bare host"),
        ("hanbit,host,asked,,2026-11-01", "is no host name"),
        ("ac.kr,host,asked,,2026-11-01", "would cover every host below a public suffix"),
        ("hanbit.example/x,url,asked,,2026-11-01", "is not an http(s) address"),
        ("0123456789abcde,url,asked,,2026-11-01", "is not an http(s) address"),
        ("https://hanbit.example/?id=1,prefix,asked,,2026-11-01", "has a query"),
        ("hanbit-news:홍길동,byline,asked,,2026-11-01", "never the name"),
        ("0123456789abcdef,byline,asked,,2026-11-01", "is no byline key"),
        ("hanbit-news,outlet,,,2026-11-01", 'the cell "reason" is empty'),
        ("hanbit-news,outlet,mail kim@hanbit.example,,2026-11-01", "holds a mail address"),
        ("hanbit-news,outlet,asked,yesterday,2026-11-01", 'the requested "yesterday" is not a date'),
        ("hanbit-news,outlet,asked,,", 'the cell "since" is empty'),
        ("hanbit-news,outlet,asked,,2026-13-01", 'the since "2026-13-01" is not a date'),
        (",outlet,asked,,2026-11-01", 'the cell "key" is empty'),
    ],
)
def test_an_exclusion_that_would_cover_nobody_or_too_many_is_refused(row: str, what: str) -> None:
    told = refused(row)
    assert told.startswith("exclusions.csv:2: ")
    assert what in told


def test_the_same_wish_twice_is_told_with_both_lines() -> None:
    with pytest.raises(RegistryInvalid, match=r"exclusions.csv:3: the key .* stands in line 2 too"):
        asked("hanbit-news,outlet,asked,,2026-11-01", "hanbit-news,outlet,asked,,2026-11-02")


def test_an_outlet_left_out_under_an_old_slug_is_told_its_present_one() -> None:
    outlet = "slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note\n" + (
        "gaon-voice,가온보이스,,가온대학교,gaon,english,http://voice.gaon.example,부산,active,,gaon-old,\n"
    )
    files = {"outlets.csv": outlet.encode(), "exclusions.csv": f"{HEAD}\ngaon-old,outlet,asked,,2026-11-01\n".encode()}
    with pytest.raises(RegistryInvalid, match='write "gaon-voice"'):
        registry.for_night(registry.empty() | files)


HOSTS = ("hanbit.example", "www.hanbit.example", "news.hanbit.example", "amp.hanbit.example", "nothanbit.example",
         "www.youtube.com", "youtu.be", "한빛.example", "xn--hu5b23z.example", "HANBIT.example:8080",
         "hanbit.example.")  # fmt: skip
PATHS = ("", "/", "/news/1", "/news/1?utm_source=x", "//news/1/", "/amp/news/1", "/dQw4w9WgXcQ", "/watch?v=dQw4w9WgXcQ",
         "/news?v=2", "\\news\\1", "/news/articleView.html?idxno=41&page=2")  # fmt: skip
ROWS = [Exclusion(f"https://{host}{path}", scope, "asked", None, date(2026, 11, 1))
        for host in HOSTS[:8] for path in PATHS[:9] for scope in ("url", "prefix")]  # fmt: skip
ROWS += [
    Exclusion(host, "host", "asked", None, date(2026, 11, 1)) for host in ("hanbit.example", "youtube.com", "youtu.be")
]


@pytest.mark.parametrize("scope", ["url", "prefix", "host"])
def test_P60_the_quick_no_never_differs_from_a_comparison_of_normal_forms(scope: str) -> None:
    addresses = [f"https://{host}{path}" for host in HOSTS for path in PATHS]
    for row in (row for row in ROWS if row.scope == scope):
        wish, own = Exclusions([row]), row.key if scope == "host" else urls.normal(row.key)
        for address in addresses:
            normal = urls.normal(address)
            expected = {
                "url": normal == own,
                "prefix": normal == own or normal.startswith((f"{own}/", f"{own}?")),
                "host": f".{urls.server(address)}".endswith(f".{own}"),
            }[scope]
            assert (wish.covers(address, "any") is not None) is expected, (row, address)
            key = urls.key(address)
            assert (wish.every(address, "any", key=key) == {row}) is (
                expected or (scope == "url" and key == urls.key(row.key))
            )


def test_P60_all_rows_that_cover_an_article_are_told() -> None:
    byline = f"hanbit-news:{byline_key('hanbit-news', '김하늘')}"
    rows: list[tuple[str, Scope]] = [
        (ARTICLE, "url"), (urls.key(ARTICLE).hex(), "url"), ("hanbit-news", "outlet"), ("hanbit.example", "host"),
        ("https://news.hanbit.example/news", "prefix"), (byline, "byline"), ("gaon.example", "host"), ("gaon-voice", "outlet"),
    ]  # fmt: skip
    wish = Exclusions(Exclusion(key, scope, "asked", None, date(2026, 11, 1)) for key, scope in rows)
    found = wish.every(ARTICLE, "hanbit-news", key=urls.key(ARTICLE), byline="김하늘")
    assert found == set(wish.rows[:6])


def test_P60_a_grave_is_the_same_for_all_twins_and_for_itself() -> None:
    graves = {grave(twin) for twin in (ARTICLE, ARTICLE.replace("https://", "http://www."), f"{ARTICLE}&utm_source=x")}
    (one,) = graves
    assert grave(one) == one
    assert urls.server(one) == "left-out.invalid"
    assert grave(ARTICLE.replace("41", "42")) != one
    assert grave("no address") == grave("no address") != one
