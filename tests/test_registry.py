"""The registry's promises: every problem at once, with the right line and a cure; tidying never loses a row."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl import registry, tidy
from crawl.errors import Problem, RegistryInvalid
from crawl.model import Outlet, Source
from crawl.registryrows import OUTLET_COLUMNS, SOURCE_COLUMNS

O_HEAD = "slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note"
S_HEAD = "outlet,kind,url,cms,state,recheck,note"
X_HEAD = "key,scope,reason,requested,since"
HANBIT = "hanbit-news,한빛대신문,Hanbit News,한빛대학교,hanbit,newspaper,https://news.hanbit.example,서울,active,,,"
GAON = (
    "gaon-voice,가온보이스,Gaon Voice,가온대학교,gaon,english,http://voice.gaon.example,부산,active,"
    "1,gaon-old,seen 2025"
)
HANBIT_FEED = "hanbit-news,feed,https://news.hanbit.example/rss/allArticle.xml,ndsoft,active,,"


def books(
    outlets: list[str] | None = None, sources: list[str] | None = None, wishes: list[str] | None = None
) -> dict[str, bytes]:
    """The three files with these rows below their right headers."""
    rows = {
        "data/outlets.csv": [O_HEAD, *([HANBIT] if outlets is None else outlets)],
        "data/sources.csv": [S_HEAD, *([] if sources is None else sources)],
        "data/exclusions.csv": [X_HEAD, *([] if wishes is None else wishes)],
    }
    return {path: ("\n".join(lines) + "\n").encode() for path, lines in rows.items()}


def complaints(files: dict[str, bytes]) -> list[str]:
    """What `check` would print."""
    with pytest.raises(RegistryInvalid) as trouble:
        registry.parse(files)
    return [str(problem) for problem in trouble.value.problems]


def only(files: dict[str, bytes]) -> str:
    """The one complaint about these files."""
    (complaint,) = complaints(files)
    return complaint


def source_fault(url: str, *, kind: str = "feed", state: str = "active") -> str:
    return only(books(sources=[f"hanbit-news,{kind},{url},,{state},,"]))


# -- what a good registry gives ------------------------------------------------------------------


def test_good_rows_become_the_records_of_the_model() -> None:
    found = registry.parse(books([GAON, HANBIT], [HANBIT_FEED]))
    assert found.outlets[0] == Outlet(
        slug="gaon-voice",
        name="가온보이스",
        name_en="Gaon Voice",
        university="가온대학교",
        univ="gaon",
        kind="english",
        homepage="http://voice.gaon.example",
        region="부산",
        status="active",
        title_only=True,
        former=("gaon-old",),
        note="seen 2025",
    )
    assert found.outlets[1].title_only is False
    assert found.outlets[1].former == ()
    assert found.sources == (
        Source("hanbit-news", "feed", "https://news.hanbit.example/rss/allArticle.xml", "ndsoft", "active", "", ""),
    )
    assert found.exclusions.rows == ()


def test_the_empty_registry_is_valid_and_tidy() -> None:
    files = registry.empty()
    assert registry.parse(files).outlets == ()
    assert tidy.tidy(files) == {name: files[name] for name in ("outlets.csv", "sources.csv", "exclusions.csv")}
    assert files["outlets.csv"].decode() == O_HEAD + "\n"
    assert files["sources.csv"].decode() == S_HEAD + "\n"
    assert files["exclusions.csv"].decode() == X_HEAD + "\n"


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_byte_order_mark_and_any_line_end_are_tolerated(mark: bytes, end: bytes) -> None:
    files = books([GAON, HANBIT])
    files["data/outlets.csv"] = mark + files["data/outlets.csv"].replace(b"\n", end)
    assert [outlet.slug for outlet in registry.parse(files).outlets] == ["gaon-voice", "hanbit-news"]


# -- the file as a whole -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoil", "line", "what", "cure"),
    [
        (lambda raw: raw.decode().encode("cp949"), 2, "saved as CP949", "UTF-8"),
        (lambda raw: raw.decode().encode("utf-16"), 1, "UTF-16", "UTF-8"),
        (lambda raw: raw.decode().encode("utf-16-le"), 1, "UTF-16", "UTF-8"),
        (lambda raw: raw.replace("한빛대신".encode(), b"\xed\x95", 1), 2, "damaged on its way", "UTF-8"),
        (lambda raw: raw.replace(b"Hanbit", b"Han\x00bit"), 2, "NUL byte", "UTF-8"),
        (lambda raw: b"PK\x03\x04\x14\x00", 1, "spreadsheet's own file", "CSV UTF-8"),
        (lambda raw: b"", 1, "the file is empty", "init"),
        (lambda raw: b"\xef\xbb\xbf \r\n\n", 1, "the file is empty", "init"),
        (lambda raw: raw.replace(b",", b";"), 1, "separated by semicolons", "commas"),
        (lambda raw: raw.replace(b",", b"\t"), 1, "separated by tabs", "commas"),
    ],
)
def test_a_file_spoiled_by_a_spreadsheet_is_named_with_its_cure(
    spoil: Callable[[bytes], bytes], line: int, what: str, cure: str
) -> None:
    files = books()
    files["data/outlets.csv"] = spoil(files["data/outlets.csv"])
    complaint = only(files)
    assert complaint.startswith(f"data/outlets.csv:{line}: ")
    assert what in complaint
    assert cure in complaint
    with pytest.raises(RegistryInvalid, match=what):
        tidy.tidy(files)


def test_a_missing_file_is_named_in_its_folder() -> None:
    files = books()
    del files["data/exclusions.csv"]
    assert only(files).startswith("data/exclusions.csv:1: the file is missing;")


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        (S_HEAD.replace("recheck", "re_check"), ['the column "re_check" is unknown', 'did you mean "recheck"?',
                                                 'the column "recheck" is missing']),
        (S_HEAD.replace(",recheck", ""), ['the column "recheck" is missing']),
        (S_HEAD + ",editor", ['the column "editor" is unknown']),
        (S_HEAD + ",note", ['the column "note" stands there twice']),
    ],
)  # fmt: skip
def test_a_wrong_header_is_told_column_by_column(header: str, wanted: list[str]) -> None:
    files = books()
    files["data/sources.csv"] = (header + "\n").encode()
    told = " ".join(complaints(files))
    assert all(phrase in told for phrase in wanted)
    with pytest.raises(RegistryInvalid):
        tidy.tidy(files)


def test_columns_in_another_order_are_complained_of_and_put_right() -> None:
    files = books()
    files["data/sources.csv"] = (
        b"note,recheck,state,cms,url,kind,outlet\nmine,,active,ndsoft,https://a.hanbit.example/f,feed,hanbit-news\n"
    )
    assert "the header is not written as it should be" in only(files)
    mended = tidy.tidy(files)["data/sources.csv"].decode()
    assert mended == f"{S_HEAD}\nhanbit-news,feed,https://a.hanbit.example/f,ndsoft,active,,mine\n"


def test_cells_too_many_or_too_few_are_told_with_both_counts() -> None:
    told = complaints(
        books(sources=["hanbit-news,feed,https://a.hanbit.example/f,,active,,one, two", "hanbit-news,feed"])
    )
    assert told[0] == (
        "data/sources.csv:2: the row has 8 cells where 7 are expected; put a cell that holds a comma into double quotes"
    )
    assert told[1].startswith("data/sources.csv:3: the row has 2 cells where 7 are expected; add the missing commas")


def test_a_quote_never_closed_is_told_where_it_opens_and_later_rows_are_still_read() -> None:
    told = complaints(books([GAON.replace("seen", '"seen'), HANBIT.replace("서울", "서을")]))
    assert told[0].startswith("data/outlets.csv:2: a quote opened in this row is never closed;")
    assert told[1].startswith('data/outlets.csv:3: the region "서을" is unknown;')
    assert len(told) == 2


def test_a_quote_inside_a_cell_that_is_not_doubled_is_told() -> None:
    told = complaints(books([HANBIT + '"a "word" here"']))
    assert told[0].startswith("data/outlets.csv:2: text stands behind a closed quote")


def test_an_unreadable_header_is_told_once_and_no_row_is_taken_for_it() -> None:
    files = books()
    files["data/outlets.csv"] = b'"slug"x,name\n' + HANBIT.encode() + b"\n"
    assert "data/outlets.csv:1: text stands behind a closed quote" in only(files)


def test_line_numbers_are_physical_also_after_a_cell_with_line_breaks() -> None:
    told = complaints(books([GAON.replace("seen 2025", '"seen\n2025\nand later"'), HANBIT.replace("서울", "seoul")]))
    assert [complaint.split(": ")[0] for complaint in told] == ["data/outlets.csv:2", "data/outlets.csv:5"]
    assert 'the region "seoul" is unknown' in told[1]


# -- one cell ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "what", "cure"),
    [
        ("newspaper", "newspapr", 'the kind "newspapr" is unknown', 'did you mean "newspaper"?'),
        (",서울,", ",Seoul,", 'the region "Seoul" is unknown', "서울 부산"),
        (",active,", ",alive,", 'the status "alive" is unknown', "active ended"),
        ("hanbit-news", "Hanbit_News", 'the slug "Hanbit_News" is no slug', "a-z, 0-9"),
        ("hanbit-news", "hanbit--news", 'the slug "hanbit--news" is no slug', "single hyphens"),
        ("hanbit-news", "한빛", 'the slug "한빛" is no slug', "a-z"),
        (",active,,", ",active,yes,", 'title_only is "yes"', "leave the cell empty, or write 1"),
        ("한빛대신문", "", 'the cell "name" is empty', "the outlet's own name"),
        ("한빛대학교", "", 'the cell "university" is empty', "the university's name"),
        (",,,", ",,Old Slug,", 'the former slug "Old" is no slug', "separate"),
        (",,,", ",,hanbit-news,", "its own former slug", "remove it"),
        ("https://news.hanbit.example", "", 'the cell "homepage" is empty', "https://"),
        ("https://news.hanbit.example", "news.hanbit.example", "is not an http(s) address", "https://"),
    ],
)
def test_a_wrong_cell_of_an_outlet_is_told_with_what_it_takes(old: str, new: str, what: str, cure: str) -> None:
    told = " ".join(complaints(books([HANBIT.replace(old, new, 1)])))
    assert "data/outlets.csv:2: " in told
    assert what in told
    assert cure in told


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("ftp://a.hanbit.example/f", "is not an http(s) address"),
        ("javascript:alert(1)", "is not an http(s) address"),
        ("https://user:secret@a.hanbit.example/f", "carries a user name or password"),
        ("https://a.hanbit.example/f#top", "ends in a #fragment"),
        ("https://a.hanbit.example/a feed", "has white space in it"),
        ("https://a.hanbit.example:99999/f", "is not an address anybody could ask"),
        ("https:///feed", "is not an address anybody could ask"),
        ("https://-.hanbit.example/f", "has a host that cannot exist"),
    ],
)
def test_a_bad_address_of_a_source_is_told(url: str, what: str) -> None:
    assert what in source_fault(url)


@pytest.mark.parametrize(
    "url",
    ["http://localhost/f", "http://127.0.0.1/f", "http://0x7f.1/f", "http://2130706433/f", "http://10.1.2.3/f",
     "http://192.168.0.9:8080/f", "http://[::1]/f", "http://[fe80::1]/f", "http://169.254.169.254/f",
     "http://press.local/f", "http://intranet/f"],
)  # fmt: skip
def test_P51_a_private_or_loopback_address_is_refused(url: str) -> None:
    assert "points to a private or loopback host (P51)" in source_fault(url)


def test_P51_a_public_ip_address_may_be_registered() -> None:
    found = registry.parse(books(sources=["hanbit-news,feed,http://8.8.8.8/rss,,active,,"]))
    assert found.sources[0].url == "http://8.8.8.8/rss"


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/feeds/videos.xml?channel_id=x",
        "https://youtu.be/x",
        "https://m.youtube.com/@x",
        "https://music.youtube.com/x",
        "https://www.youtube-nocookie.com/x",
    ],
)
def test_P05_youtube_is_only_a_frozen_youtube_source(url: str) -> None:
    assert "YouTube is never requested (P05)" in source_fault(url)
    assert 'set its state to "frozen"' in source_fault(url, kind="youtube")
    frozen = registry.parse(books(sources=[f"hanbit-news,youtube,{url},,frozen,,"]))
    assert frozen.sources[0].kind == "youtube"


def test_P05_only_youtube_is_frozen() -> None:
    assert "only youtube sources are frozen" in source_fault("https://a.hanbit.example/f", state="frozen")
    assert "must be an address on youtube.com" in source_fault(
        "https://a.hanbit.example/f", kind="youtube", state="frozen"
    )


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("hanbit-news,feeds,https://a.hanbit.example/f,,active,,", 'the kind "feeds" is unknown'),
        ("hanbit-news,feed,https://a.hanbit.example/f,ndsotf,active,,", 'the cms "ndsotf" is unknown'),
        ("hanbit-news,feed,https://a.hanbit.example/f,,resting,,", 'the state "resting" is unknown'),
        ("hanbit-news,feed,https://a.hanbit.example/f,,active,soon,", 'the recheck "soon" is not a date'),
        ("hanbit-news,feed,https://a.hanbit.example/f,,active,2026-02-30,", 'the recheck "2026-02-30" is not a date'),
        ("hanbit-news,feed,https://a.hanbit.example/f,,active,20260201,", 'the recheck "20260201" is not a date'),
        ("hanbit-news,feed,https://a.hanbit.example/f,,active,,ask kim@hanbit.example", "holds a mail address"),
        ("hanbit-news,feed,https://a.hanbit.example/f,,active,,be\u200bware", "U+200B"),
        ("hanbit-news,feed,https://a.hanbit.example/f,,active,,bell\x07", "U+0007"),
        ("hanbit-news,feed,https://a.hanbit.example/f,,active,,깨진 \ufffd", "U+FFFD"),
    ],
)
def test_a_wrong_cell_of_a_source_is_told(row: str, what: str) -> None:
    assert what in only(books(sources=[row]))


@pytest.mark.parametrize(
    "row",
    [
        "hanbit-news ,feed,https://a.hanbit.example/f,,active,,",
        "hanbit-news,feed,https://a.hanbit.example/f,,active,,two  spaces",
        "hanbit-news,feed,https://A.Hanbit.Example/f,,active,,",
        "hanbit-news,feed,HTTPS://a.hanbit.example:443/f,,active,,",
        "hanbit-news,feed,https://a.hanbit.example/f,,active,,\u1112\u1161\u11ab",
        "hanbit-news,feed,https://a.hanbit.example/f,,active,,,,",
        "hanbit-news,feed,https://a.hanbit.example/f,,active,,\n,,,,,,",
    ],
)
def test_untidy_writing_is_told_and_check_fix_mends_it(row: str) -> None:
    files = books(sources=[row])
    assert 'run "python -m crawl check --fix"' in only(files)
    registry.parse(tidy.tidy(files))


# -- rows against each other ---------------------------------------------------------------------


def test_an_unknown_outlet_is_told_with_the_closest_name() -> None:
    assert only(books(sources=[HANBIT_FEED.replace("hanbit-news", "hanbit-new")])) == (
        'data/sources.csv:2: the outlet "hanbit-new" is not in outlets.csv; '
        'correct the name or add the outlet (did you mean "hanbit-news"?)'
    )


def test_a_former_slug_leads_to_the_present_one() -> None:
    told = only(books([GAON], ["gaon-old,feed,http://voice.gaon.example/feed,,active,,"]))
    assert 'it is called "gaon-voice" now' in told


def test_sources_are_not_called_strangers_while_outlets_cannot_be_read() -> None:
    files = books(sources=[HANBIT_FEED])
    files["data/outlets.csv"] = files["data/outlets.csv"].decode().encode("cp949")
    assert "saved as CP949" in only(files)


def test_a_slug_taken_twice_and_a_slug_of_the_past_are_told_with_both_lines() -> None:
    twice = only(books([HANBIT, HANBIT.replace("한빛대신문", "한빛타임즈")]))
    assert twice.startswith('data/outlets.csv:3: the slug "hanbit-news" stands in line 2 too;')
    past = only(books([GAON.replace("gaon-old", "hanbit-news"), HANBIT]))
    assert past.startswith('data/outlets.csv:2: the former slug "hanbit-news" belongs to the outlet in line 3 too;')


def test_one_university_has_one_slug() -> None:
    two_names = only(books([GAON.replace(",gaon,", ",hanbit,"), HANBIT]))
    assert two_names.startswith(
        'data/outlets.csv:3: the univ "hanbit" is "한빛대학교" here and "가온대학교" in line 2;'
    )
    two_slugs = only(books([GAON.replace("가온대학교", "한빛대학교"), HANBIT]))
    assert two_slugs.startswith('data/outlets.csv:3: "한빛대학교" has the univ "hanbit" here and "gaon" in line 2;')


@pytest.mark.parametrize(
    "twin",
    ["http://news.hanbit.example/rss/allArticle.xml", "https://www.news.hanbit.example/rss/allArticle.xml",
     "https://m.news.hanbit.example/rss/allArticle.xml", "https://news.hanbit.example//rss/allArticle.xml",
     "https://news.hanbit.example/rss/allArticle.xml/"],
)  # fmt: skip
def test_P11_an_address_and_its_twin_are_told_with_both_lines(twin: str) -> None:
    rows = sorted([HANBIT_FEED, f"hanbit-news,feed,{twin},,paused,,"])
    assert "keep one of the lines 2 and 3" in only(books(sources=rows))


def test_an_active_source_of_an_ended_outlet_is_told() -> None:
    assert "has ended" in only(books([HANBIT.replace(",active,", ",ended,")], [HANBIT_FEED]))
    registry.parse(books([HANBIT.replace(",active,", ",ended,")], [HANBIT_FEED.replace("active", "closed")]))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://ipsi.hanbit.ac.kr/news", "admissions or PR office"),
        ("https://www.newshyu.com/rss", "the university's own PR channel"),
        ("https://feeds.newshyu.com/rss", "the university's own PR channel"),
        ("https://mypnu.net/pnunews/rss", "a community that re-posts"),
        ("https://syjiuqian.com/rss/allArticle.xml", "register www.wknews.net"),
        ("http://weekly.pusan.ac.kr/rss/allArticle.xml", "a twin of channelpnu.pusan.ac.kr"),
        ("https://www.instagram.com/hanbit", "social-media accounts are not collected"),
    ],
)
def test_P04_what_is_no_channel_of_the_outlet_itself_may_not_be_registered(url: str, why: str) -> None:
    assert why in source_fault(url)


def test_P04_a_host_that_only_ends_alike_may_be_registered() -> None:
    registry.parse(books(sources=["hanbit-news,feed,https://notnewshyu.com/rss,,active,,"]))


def test_rows_out_of_order_are_told_one_by_one() -> None:
    told = complaints(books([HANBIT, GAON], [HANBIT_FEED, "gaon-voice,feed,http://voice.gaon.example/feed,,active,,"]))
    assert [complaint.split("; ")[0] for complaint in told] == [
        "data/outlets.csv:3: the row is out of order (sorted by slug)",
        "data/sources.csv:3: the row is out of order (sorted by outlet, kind, url)",
    ]


@pytest.mark.parametrize(
    "wish",
    ["hanbit-news,outlet,outlet-asked,2026-11-01,2026-11-01", "hanbit.example,host,server-asked,,2026-11-01"],
)
def test_P60_who_is_left_out_may_not_stand_in_the_registry(wish: str) -> None:
    told = complaints(books(sources=[HANBIT_FEED], wishes=[wish]))
    assert [complaint.split(": ")[0] for complaint in told] == ["data/outlets.csv:2", "data/sources.csv:2"]
    assert all("is left out by data/exclusions.csv:2 (P60); remove this row" in complaint for complaint in told)


def test_P60_one_new_exclusion_does_not_stop_the_night() -> None:
    files = books([HANBIT], [HANBIT_FEED], ["hanbit-news,outlet,outlet-asked,2026-11-01,2026-11-01"])
    night = registry.for_night(files)
    assert night.exclusions.covers(night.sources[0].url, "hanbit-news") is not None


def test_a_night_bears_untidy_rows_and_reads_them_clean_but_no_wrong_ones() -> None:
    untidy = books([HANBIT, GAON], [HANBIT_FEED.replace("news.hanbit", "NEWS.hanbit") + " see  site "])
    night = registry.for_night(untidy)
    assert night.sources[0].url == "https://news.hanbit.example/rss/allArticle.xml"
    assert night.sources[0].note == "see site"
    with pytest.raises(RegistryInvalid):
        registry.for_night(books(sources=[HANBIT_FEED.replace("https://news.hanbit.example", "http://127.0.0.1")]))


def test_every_problem_of_every_file_is_told_at_once() -> None:
    told = complaints(
        books(
            [GAON.replace("부산", "부싼"), HANBIT.replace("newspaper", "paper")],
            ["hanbit-news,feed,ftp://x.example/f,,active,,", "kunew,feed,https://a.hanbit.example/f,,active,x,"],
            ["no host,host,,,"],
        )
    )
    assert [complaint.split(": ")[0] for complaint in told] == [
        "data/exclusions.csv:2", "data/exclusions.csv:2", "data/exclusions.csv:2",
        "data/outlets.csv:2", "data/outlets.csv:3", "data/sources.csv:2", "data/sources.csv:3", "data/sources.csv:3",
    ]  # fmt: skip


# -- tidying -------------------------------------------------------------------------------------


def test_tidying_sorts_trims_and_normalises_without_touching_the_rest() -> None:
    files = books([HANBIT, GAON], ["hanbit-news, feed ,HTTP://A.Hanbit.Example:80/F?B=1&A=2,,active,,"])
    files["data/outlets.csv"] = b"\xef\xbb\xbf" + files["data/outlets.csv"].replace(b"\n", b"\r\n")
    mended = tidy.tidy(files)
    assert mended["data/outlets.csv"].decode() == f"{O_HEAD}\n{GAON}\n{HANBIT}\n"
    assert mended["data/sources.csv"].decode() == (
        f"{S_HEAD}\nhanbit-news,feed,http://a.hanbit.example/F?B=1&A=2,,active,,\n"
    )
    registry.parse(mended)


def test_tidying_keeps_an_address_of_decomposed_letters_as_it_is() -> None:
    path = "\u1112\u1161\u11ab"
    mended = tidy.tidy(books(sources=[f"hanbit-news,feed,https://a.hanbit.example/{path},,active,,{path}"]))
    assert (
        mended["data/sources.csv"].decode().split("\n")[1]
        == f"hanbit-news,feed,https://a.hanbit.example/{path},,active,,한"
    )


def test_tidying_leaves_alone_what_is_no_public_address() -> None:
    row = "hanbit-news,feed,http://User:PassWord@A.Hanbit.Example:80/F,,active,,"
    assert tidy.tidy(books(sources=[row]))["data/sources.csv"].decode() == f"{S_HEAD}\n{row}\n"


def test_tidying_keeps_wrong_and_repeated_rows_for_people_to_judge() -> None:
    rows = ["zzz,feed,not an address,,maybe,,", HANBIT_FEED, HANBIT_FEED]
    mended = tidy.tidy(books(sources=rows))["data/sources.csv"].decode()
    assert mended == f"{S_HEAD}\n{HANBIT_FEED}\n{HANBIT_FEED}\nzzz,feed,not an address,,maybe,,\n"


def test_tidying_refuses_all_files_when_one_cannot_be_read() -> None:
    files = books(sources=["hanbit-news,feed"])
    with pytest.raises(RegistryInvalid, match="2 cells"):
        tidy.tidy(files)


CELL = st.text(alphabet=st.sampled_from('ab한글 \t\n\r",;0:/.#@%ÀA\u1112\u1161\u00a0\u3000\ufeff'), max_size=12)
TITLE_ONLY = st.sampled_from(["", "1", " 1 ", "2"])
ADDRESS = st.builds("{}{}{}".format, st.sampled_from(["http://", "HTTPS://", "https://", ""]), CELL,
                    st.sampled_from([":80", ":443", ":80:80", ":", "/A", ""]))  # fmt: skip


def _written(columns: tuple[str, ...], rows: list[list[str]]) -> bytes:
    page = io.StringIO(newline="")
    csv.writer(page).writerows([columns, *rows])
    return page.getvalue().encode()


@st.composite
def untidy_books(draw: st.DrawFn) -> dict[str, bytes]:
    rows = {}
    for name, columns in (("outlets.csv", OUTLET_COLUMNS), ("sources.csv", SOURCE_COLUMNS)):
        special = {"url": ADDRESS, "homepage": ADDRESS, "title_only": TITLE_ONLY}
        line = st.tuples(*(special.get(column, CELL) for column in columns)).map(list)
        rows[name] = _written(columns, draw(st.lists(line, max_size=6)))
    scope = st.sampled_from(["outlet", "url", "prefix", "host", "byline", "", "x"])
    key = st.one_of(ADDRESS, CELL, st.just("0123456789ABCDEF"), st.just("A.Example"))
    wishes = draw(st.lists(st.tuples(key, scope, CELL, CELL, CELL).map(list), max_size=6))
    return rows | {"exclusions.csv": _written(registry.COLUMNS["exclusions.csv"], wishes)}


@given(untidy_books())
def test_for_any_readable_tables_tidying_is_idempotent_and_loses_no_row(files: dict[str, bytes]) -> None:
    once = tidy.tidy(files)
    assert tidy.tidy(once) == once
    for name, before in registry.tables(files).items():
        after = registry.tables(once)[name]
        assert len(after.rows) == len(before.rows)
        assert not after.unreadable
        assert not after.untidy
        kept = sorted(_bare(cell) for row in before.rows for cell in row.cells)
        assert sorted(_bare(cell) for row in after.rows for cell in row.cells) == kept


def _bare(cell: str) -> str:
    """What of a cell must survive: its letters, whatever their case, composition, port or white space."""
    plain = "".join(unicodedata.normalize("NFC", cell).split()).lower()
    return plain.replace(":80", "").replace(":443", "").replace(":", "")


@given(st.binary(max_size=200), st.sampled_from(["outlets.csv", "sources.csv", "exclusions.csv"]))
def test_for_any_bytes_reading_and_tidying_end_in_a_registry_or_named_problems(raw: bytes, name: str) -> None:
    files = registry.empty() | {name: raw}
    told: list[Problem] = []
    for read in (registry.parse, registry.for_night, tidy.tidy):
        try:
            read(files)
        except RegistryInvalid as trouble:
            told += trouble.problems or [Problem(name, 0, "nothing was told", "")]
    assert all(problem.line >= 1 and problem.cure for problem in told)


def test_a_missing_header_row_is_said_once() -> None:
    files = {
        "data/outlets.csv": b"hanbit,\xed\x95\x9c\xeb\xb9\x9b,Hanbit,u,u,newspaper,https://h.example,x,active,,,\n"
    }
    with pytest.raises(RegistryInvalid) as told:
        registry.parse(files)
    ours = [problem for problem in told.value.problems if problem.file == "data/outlets.csv"]
    assert [problem.what for problem in ours] == ["the header row is missing"]
