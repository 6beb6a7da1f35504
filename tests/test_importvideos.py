"""Videos from before October 2026, brought in from a file: every bad line told at once, nothing asked, twice is once (P05)."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import crawl.cli
from crawl import importvideos, urls
from crawl.errors import RegistryInvalid
from crawl.exclusions import Exclusion, Exclusions, byline_key
from crawl.importvideos import Film
from crawl.policy import Policy
from crawl.registry import Registry
from tests.nights import FIRST_NIGHT, Hub, Scripted, answer, feed, registry, rss

NOW = FIRST_NIGHT + 300 * 86_400
LIMIT = Policy().summary_max_chars
CHANNEL = "https://www.youtube.com/@hanbit"
FEED = "https://hanbit.example/rss.xml"
FILM = "https://youtu.be/a1B2c3D4-_z"
HEADER = "outlet,url,title,published"


def books(exclusions: Exclusions | None = None) -> Registry:
    """An outlet with a youtube source, one without, one that was renamed."""
    found = registry([feed(FEED), feed(CHANNEL, slug="hanbit", kind="youtube", state="frozen"),
                      feed("https://saebom.example/rss", state="paused")], exclusions)  # fmt: skip
    renamed = dataclasses.replace(found.outlets[1], former=("old-name",))
    return dataclasses.replace(found, outlets=(found.outlets[0], renamed))


def read(written: str | bytes, registered: Registry | None = None) -> tuple[Film, ...]:
    raw = written.encode() if isinstance(written, str) else written
    return importvideos.read(raw, "films.csv", registered or books(), seen=NOW, summary_max_chars=LIMIT)


def told(written: str | bytes, registered: Registry | None = None) -> list[str]:
    with pytest.raises(RegistryInvalid) as trouble:
        read(written, registered)
    return [str(problem) for problem in trouble.value.problems]


def csv(*rows: str, header: str = HEADER) -> str:
    return "\n".join([header, *rows, ""])


def test_a_csv_line_becomes_a_video_with_its_facts() -> None:
    header = f"{HEADER},summary,byline"
    url, byline = "https://www.youtube.com/shorts/a1B2c3D4-_z?si=x", "김한빛 기자 kim@hanbit.example"
    row = f'hanbit,{url},"개강, 그 첫날 ",2026-03-05 14:30,봄이 왔습니다.,{byline}'
    (film,) = read(csv(row, header=header))
    entry = film.entry
    assert (film.line, film.outlet, film.key) == (2, "hanbit", urls.key(FILM))
    assert (entry.kind, entry.video_id, entry.video_form) == ("video", "a1B2c3D4-_z", "shorts")
    assert (entry.title, entry.summary, entry.byline) == ("개강, 그 첫날", "봄이 왔습니다.", "김한빛 기자")
    assert (entry.published, entry.precision, entry.published_raw) == (1772688600, "minute", "2026-03-05 14:30")
    assert (entry.date_from, entry.url) == ("import", "https://www.youtube.com/shorts/a1B2c3D4-_z?si=x")


def test_a_json_line_says_the_same_as_a_csv_line() -> None:
    said = {"outlet": "hanbit", "url": FILM, "title": "개강", "published": "2026-03-05", "byline": "김한빛"}
    from_csv = read(csv(f"hanbit,{FILM},개강,2026-03-05,김한빛", header=f"{HEADER},byline"))[0]
    from_json = read("\n" + json.dumps(said, ensure_ascii=False) + "\n")[0]
    assert from_json == from_csv
    assert (
        read(b"\xef\xbb\xbf" + csv(f"hanbit,{FILM},개강,2026-03-05,김한빛", header=f"{HEADER},byline").encode())[0]
        == from_csv
    )


def test_P02_a_summary_is_cut_by_the_policy() -> None:
    (film,) = read(csv(f"hanbit,{FILM},개강,2026-03-05,{'가' * 500}", header=f"{HEADER},summary"))
    assert 0 < len(film.entry.summary) <= LIMIT


@pytest.mark.parametrize(
    ("row", "what", "cure"),
    [
        (f"nobody,{FILM},개강,2026-03-05", 'the outlet "nobody" is not in outlets.csv', "add the outlet"),
        (f"hanbi,{FILM},개강,2026-03-05", 'the outlet "hanbi" is not in outlets.csv', 'did you mean "hanbit"?'),
        (
            f"old-name,{FILM},개강,2026-03-05",
            'the outlet "old-name" is not in outlets.csv',
            'it is called "saebom" now',
        ),
        (
            f"saebom,{FILM},개강,2026-03-05",
            "has no youtube source",
            "saebom,youtube,https://www.youtube.com/@…,,frozen,,",
        ),
        (
            "hanbit,https://youtube.com.evil.example/watch?v=a1B2c3D4-_z,개강,2026-03-05",
            "is no address of a YouTube video",
            "watch?v=",
        ),
        ("hanbit,https://youtu.be/a1B2c3D4-_,개강,2026-03-05", "is no address of a YouTube video", "11 signs"),
        ("hanbit,https://www.youtube.com/@hanbit,개강,2026-03-05", "is no address of a YouTube video", "11 signs"),
        ("hanbit,,개강,2026-03-05", '"" is no address of a YouTube video', "watch?v="),
        (f"hanbit,{FILM}, ,2026-03-05", "the title is empty", "write the title"),
        (f"hanbit,{FILM},개강,", "published is empty", "write it as 2026-03-05"),
        (f"hanbit,{FILM},개강,언젠가", 'published "언젠가" is no date', "write it as 2026-03-05"),
        (f"hanbit,{FILM},개강,2026-13-05", "is no date", "write it as 2026-03-05"),
        (f"hanbit,{FILM},개강,3일 전", "is another day whenever it is read", "write it as 2026-03-05"),
        (f"hanbit,{FILM},개강,03-05", "is another day whenever it is read", "write it as 2026-03-05"),
        (f"hanbit,{FILM},개강,2026-10-01", "after 2026-09-30, the last day that is taken (P05)", "remove the line"),
        (f"hanbit,{FILM},개강,2026-09-30T15:00:00Z", "after 2026-09-30", "remove the line"),
        (f"hanbit,{FILM},개강,2004-12-31", "before YouTube began", "correct the date"),
    ],
)
def test_P05_a_line_that_cannot_be_taken_is_told_with_its_cure(row: str, what: str, cure: str) -> None:
    (complaint,) = told(csv(row))
    assert complaint.startswith("films.csv:2: ")
    assert what in complaint
    assert cure in complaint


@pytest.mark.parametrize("last", ["2026-09-30", "2026-09-30 23:59:59", "2026-09-30T14:59:59Z"])
def test_P05_the_last_day_itself_is_taken(last: str) -> None:
    assert len(read(csv(f"hanbit,{FILM},개강,{last}"))) == 1


def test_every_bad_line_is_told_at_once() -> None:
    rows = ("nobody,x,,", f"hanbit,{FILM},개강,2026-03-05", f"saebom,{FILM},개강,2026-11-01")
    assert [complaint.split(": ")[0] for complaint in told(csv(*rows))] == ["films.csv:2"] * 4 + ["films.csv:4"] * 2


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"", "the file is empty; begin it with"),
        (b'[{"outlet": "hanbit"}]', "write one object a line"),
        ("outlet,url,title,published\nhanbit,x,개강,2026-03-05\n".encode("cp949"), "CP949"),
        (b"outlet,url,title\nhanbit,x,y\n", 'the column "published" is missing'),
        (b"outlet,url,title,published,likes\n", 'the column "likes" is unknown'),
        (b"outlet;url;title;published\n", "separated by semicolons"),
        (b"outlet,url,title,published\nhanbit,x\n", "the row has 2 cells"),
        (b'{"outlet": "hanbit"\n', "this is no JSON object"),
        (b'{"outlet": "hanbit", "url": "x", "title": "y"}\n', 'the name "published" is missing'),
        (b'{"outlet": "hanbit", "url": "x", "title": "y", "published": 3}\n', "published is not text"),
        (
            b'{"outlet": "hanbit", "url": "x", "title": "y", "published": "", "titel": ""}\n',
            'the name "titel" is unknown',
        ),
        (b'{"a": 1}\n[]\n', "this is no JSON object"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(raw: bytes, what: str) -> None:
    assert any(what in complaint for complaint in told(raw))


@pytest.mark.parametrize(
    ("key", "scope"),
    [
        ("hanbit", "outlet"), (FILM, "url"), ("https://www.youtube.com/watch?v=a1B2c3D4-_z", "url"),
        (urls.key(FILM).hex(), "url"),
        (f"hanbit:{byline_key('hanbit', '김한빛')}", "byline"),
    ],
)  # fmt: skip
def test_P60_what_asked_to_be_left_out_is_refused(key: str, scope: str) -> None:
    wish = Exclusion(key, scope, "outlet-asked", None, date(2026, 11, 1))  # type: ignore[arg-type]
    (complaint,) = told(
        csv(f"hanbit,{FILM},개강,2026-03-05,김한빛", header=f"{HEADER},byline"), books(Exclusions([wish]))
    )
    assert "is left out by exclusions.csv (P60); remove the line" in complaint


@given(st.binary(max_size=300), st.text(max_size=200))
def test_no_file_makes_it_stumble(raw: bytes, row: str) -> None:
    for written in (raw, csv(row).encode("utf-8", "replace"), ("{" + row).encode("utf-8", "replace")):
        with contextlib.suppress(RegistryInvalid):
            read(written)


# -- the command -----------------------------------------------------------------------------------------------------

OUTLETS = """slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note
hanbit,한빛대신문,Hanbit News,한빛대학교,hanbit,newspaper,https://hanbit.example,서울,active,,,
"""
SOURCES = f"""outlet,kind,url,cms,state,recheck,note
hanbit,feed,{FEED},ndsoft,active,,
hanbit,youtube,{CHANNEL},,frozen,,
"""
GOOD = csv(
    f"hanbit,{FILM},개강,2026-03-05",
    f"hanbit,{FILM}?t=3,개강 다시,2026-03-06",
    "hanbit,https://youtu.be/bbbbbbbbbbb,종강,2026-06-20",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A hub whose registry has a channel, and whose first night has run."""
    assert crawl.cli.main(["init", "--data", str(tmp_path / "data")]) == 0
    (tmp_path / "data" / "outlets.csv").write_text(OUTLETS, encoding="utf-8")
    (tmp_path / "data" / "sources.csv").write_text(SOURCES, encoding="utf-8")
    night(tmp_path)
    return tmp_path


def night(folder: Path, number: int = 1) -> Hub:
    one = Hub(folder, Scripted({FEED: [answer(body=rss("기사", host="hanbit.example"))]}), books())
    one.night(number)
    return one


def take_in(folder: Path, written: str) -> int:
    (folder / "films.csv").write_text(written, encoding="utf-8")
    return crawl.cli.main(
        ["import-videos", str(folder / "films.csv"), "--data", str(folder / "data"), "--state", str(folder / "state")]
    )


def rows(folder: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "data" / "press.db")) as db:
        return db.execute(sql).fetchall()


def test_P05_import_videos_files_each_video_once_and_asks_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert take_in(folder, GOOD) == 0
    assert "2 videos taken in, 1 known already or written twice" in capsys.readouterr().out
    assert rows(folder, "SELECT a.title, a.kind, video_id, date_from, via, s.kind FROM articles a"
                        " JOIN sources s ON s.id = a.source WHERE via = 'import' ORDER BY a.id") == [
        ("개강", "video", "a1B2c3D4-_z", "import", "import", "youtube"),
        ("종강", "video", "bbbbbbbbbbb", "import", "import", "youtube"),
    ]  # fmt: skip
    assert rows(folder, "SELECT title FROM site_card WHERE video_id IS NOT NULL ORDER BY id") == [("개강",), ("종강",)]
    assert crawl.cli.main(["audit", "--data", str(folder / "data"), "--state", str(folder / "state")]) == 0


def test_P05_the_same_file_again_changes_no_byte(folder: Path) -> None:
    assert take_in(folder, GOOD) == 0
    before = (folder / "data" / "press.db").read_bytes(), (folder / "state" / "state.db").read_bytes()
    assert take_in(folder, GOOD) == 0
    assert ((folder / "data" / "press.db").read_bytes(), (folder / "state" / "state.db").read_bytes()) == before


def test_P05_one_bad_line_and_nothing_is_taken(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "data" / "press.db").read_bytes()
    assert take_in(folder, GOOD + "hanbit,https://youtu.be/ccccccccccc,가을,2026-10-01\n") == 1
    assert "films.csv:5: it was published after 2026-09-30" in capsys.readouterr().err
    assert (folder / "data" / "press.db").read_bytes() == before


def test_P60_a_buried_address_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(folder / "data" / "press.db")) as db, db:
        db.execute("INSERT INTO tombstones VALUES (?, 0, 'asked')", (urls.key(FILM),))
    before = (folder / "data" / "press.db").read_bytes()
    assert take_in(folder, GOOD) == 1
    err = capsys.readouterr().err
    assert "films.csv:2: this address was asked to be left out (P60); remove the line" in err
    assert "films.csv:3: " in err
    assert (folder / "data" / "press.db").read_bytes() == before


def test_P05_a_night_after_the_import_goes_on_as_before_and_never_asks_youtube(folder: Path) -> None:
    assert take_in(folder, GOOD) == 0
    one = night(folder, 2)
    assert [url for _, url, _ in one.web.heard] == [FEED]
    assert one.read("SELECT count(*) FROM articles WHERE via = 'import'") == [(2,)]
    assert one.breaches() == {}


def test_P05_a_later_video_in_the_record_is_found_by_the_audit(folder: Path) -> None:
    assert take_in(folder, GOOD) == 0
    with closing(sqlite3.connect(folder / "data" / "press.db")) as db, db:
        db.execute("UPDATE articles SET published = unixepoch('2026-10-01') - 32400 WHERE video_id = 'bbbbbbbbbbb'")
    one = Hub(folder, Scripted({}), books())
    assert one.breaches()["P05"] == 1


def test_P05_what_a_feed_showed_first_stays_as_it_is(folder: Path) -> None:
    body = rss("개강 영상").replace(b"https://news.hanbit.ac.example/news/articleView.html?idxno=1", FILM.encode())
    Hub(folder, Scripted({FEED: [answer(body=body)]}), books()).night(2)
    assert take_in(folder, GOOD) == 0
    assert rows(folder, "SELECT title, via FROM articles WHERE video_id IS NOT NULL ORDER BY id") == [
        ("개강 영상", "look"), ("종강", "import"),
    ]  # fmt: skip
