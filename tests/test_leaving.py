"""Leaving (P60) and coming back, over whole nights on virtual time."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from build import site
from build import wishes as build_wishes
from build.records import BuildError
from crawl import exclusions, urls
from crawl import registry as registry_files
from crawl.cli import main
from crawl.exclusions import Exclusion, Exclusions, Scope, byline_key
from crawl.leaving import Left
from crawl.model import Source
from crawl.photos import Pictures
from crawl.registry import Registry
from crawl.rolling import Limits
from crawl.store import Store
from tests import sitefixture
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, feed, registry, rss
from tests.sim.web import Answer

A = "https://s.example/rss"
B = "https://other.example/rss"
LIST = "https://board.example/list"
FREE = [answer(404)]
KEY_OF_ONE = urls.key("https://s.example/news/articleView.html?idxno=1", "ndsoft")


def asked(key: str, scope: Scope, *, reason: str = "asked", since: str = "2026-03-06") -> Exclusion:
    return Exclusion(key, scope, reason, None, date.fromisoformat(since))


def signed(*bylines: str, host: str = "s.example") -> bytes:
    """A feed whose articles are signed."""
    body = rss(*(f"기사 {number}" for number, _ in enumerate(bylines, 1)), host=host)
    for byline in bylines:
        body = body.replace(b"</pubDate></item>", f"</pubDate><author>{byline}</author></item >".encode(), 1)
    return body.replace(b"</item >", b"</item>")


def hub(root: Path, answers: dict[str, list[Answer]] | None = None, sources: Sequence[str | Source] = (A, B)) -> Hub:
    """Two outlets with three articles each, after their first night."""
    web = {A: [answer(body=rss("하나", "둘", "셋", host="s.example"), headers={"ETag": '"a"'}), answer(304)],
           B: [answer(body=rss("넷", "다섯", "여섯", host="other.example"))]}  # fmt: skip
    one = Hub(root, Scripted(web | (answers or {})), registry(sources))
    one.night(1)
    return one


def wish(one: Hub, *rows: Exclusion) -> None:
    """What exclusions.csv says from now on."""
    one.books = replace(one.books, exclusions=Exclusions(rows))


def exclude(one: Hub) -> Left:
    """The command's work: open, publish."""
    with closing(Store(one.data, one.state, one.books)) as store:
        store.publish()
        return store.left


def titles(one: Hub) -> list[str]:
    return [str(title) for (title,) in one.read("SELECT title FROM articles WHERE url <> '' ORDER BY id")]


def everything(one: Hub) -> str:
    """All text of both files, as SQL."""
    dumps = []
    for path in (*sorted(one.data.glob("press*.db")), one.state / "state.db"):
        with closing(sqlite3.connect(path)) as db:
            dumps.append("\n".join(db.iterdump()))
    return "\n".join(dumps)


# -- what goes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "left"),
    [
        (asked("https://s.example/news/articleView.html?idxno=1", "url"), ["둘", "셋", "넷", "다섯", "여섯"]),
        (asked(KEY_OF_ONE.hex(), "url"), ["둘", "셋", "넷", "다섯", "여섯"]),
        (asked("https://s.example/news", "prefix"), ["넷", "다섯", "여섯"]),
        (asked("s.example", "host"), ["넷", "다섯", "여섯"]),
        (asked("s", "outlet"), ["넷", "다섯", "여섯"]),
    ],
    ids=lambda value: f"{value.scope}-{value.key[:5]}" if isinstance(value, Exclusion) else "",
)
def test_P60_a_wish_empties_what_it_covers_and_nothing_else(row: Exclusion, left: list[str], memory_path: Path) -> None:
    one = hub(memory_path)
    wish(one, row)
    done = exclude(one)
    assert titles(one) == left
    assert done.articles == 6 - len(left)
    emptied = one.read("SELECT id, outlet, source, first_seen, changed = first_seen FROM articles WHERE url = ''")
    assert [row[0] for row in emptied] == list(range(1, 7 - len(left)))
    assert all(row[1:] == (1, 1, int(FIRST_NIGHT), 1) for row in emptied), "number, outlet, source and time stay"
    nothing = "title || summary || byline || published_raw || coalesce(guid, '') || coalesce(published, '')"
    assert one.read(f"SELECT DISTINCT {nothing} FROM articles WHERE url = ''") == [("",)]
    since = int(FIRST_NIGHT) + DAY_S
    assert one.read("SELECT key, since, reason FROM tombstones ORDER BY key") == [
        (key, since, "asked") for (key,) in one.read("SELECT key FROM articles WHERE url = '' ORDER BY key")
    ]


def test_P60_a_byline_takes_the_articles_of_that_outlet_under_that_name(memory_path: Path) -> None:
    one = hub(memory_path, {A: [answer(body=signed("김하늘", "이바다", "김하늘"))],
                            B: [answer(body=signed("김하늘", host="other.example"))]})  # fmt: skip
    wish(one, asked(f"s:{byline_key('s', '김하늘')}", "byline"))
    exclude(one)
    assert one.read("SELECT outlet, byline FROM articles WHERE url <> '' ORDER BY id") == [(1, "이바다"), (2, "김하늘")]


def test_P60_edits_and_tags_go_with_their_article_and_shared_tags_stay(memory_path: Path) -> None:
    first, then = (
        rss(title, "둘", host="s.example").replace(b"</item>", b"<category>%s</category></item>" % "보도".encode(), 2)
        .replace(b"</item>", b"<category>%s</category></item>" % "단독".encode(), 1)
        for title in ("처음 제목", "고친 제목")
    )  # fmt: skip
    one = hub(memory_path, {A: [answer(body=first), answer(body=then)]})
    one.night(2)
    assert one.read("SELECT old FROM revisions ORDER BY id") == [("처음 제목",), ("처음 제목 요약",)]
    wish(one, asked("https://s.example/news/articleView.html?idxno=1", "url"))
    exclude(one)
    assert one.read("SELECT count(*) FROM revisions") == [(0,)]
    assert one.read("SELECT tag FROM tags") == [("보도",)]
    assert one.read("SELECT article FROM article_tags") == [(2,)]


def test_P60_a_tag_goes_though_a_kill_amid_the_files_and_a_lost_state_parted_it_from_its_article(
    memory_path: Path,
) -> None:
    body = rss("하나", "둘", host="s.example").replace(b"</item>", "<category>단독</category></item>".encode(), 1)
    web = {A: [answer(body=body)], B: [answer(body=rss("셋", "넷", "다섯", host="other.example"))]}
    one = Hub(memory_path, Scripted(web), registry([A, B]), limits=Limits(articles=4, at_once=3))
    one.night(1)
    newest = (one.data / "press.db").read_bytes()
    wish(one, asked("https://s.example/news/articleView.html?idxno=1", "url"))
    exclude(one)
    (one.data / "press.db").write_bytes(newest)
    shutil.rmtree(one.state)
    assert "단독".encode() in newest
    exclude(one)
    assert "단독".encode() not in (one.data / "press.db").read_bytes()
    assert one.read("SELECT key FROM tombstones") == [(KEY_OF_ONE,)]


def test_P60_of_an_outlet_that_leaves_only_its_slug_stays_in_the_record(memory_path: Path) -> None:
    one = hub(memory_path)
    wish(one, asked("s", "outlet"))
    done = exclude(one)
    assert (done.outlets, done.sources, done.articles) == (1, 1, 3)
    assert one.read("SELECT slug, name, homepage, university, listed FROM outlets WHERE id = 1") == [
        ("s", "", "", "", 0)
    ]
    assert one.read("SELECT count(*) FROM site_source") == [(1,)]
    assert one.read("SELECT slug FROM site_outlet") == [("other",)]
    text = everything(one)
    assert "https://s.example" not in text, "no address of it is anywhere, state and log included"
    assert "https://other.example/rss" in text


def test_P60_an_outlet_that_was_renamed_and_left_at_once_is_found_under_its_former_slug(memory_path: Path) -> None:
    one = hub(memory_path)
    outlets = (replace(one.books.outlets[0], slug="new", former=("s",)), *one.books.outlets[1:])
    sources = (replace(one.books.sources[0], outlet="new"), *one.books.sources[1:])
    one.books = Registry(outlets, sources, Exclusions([asked("new", "outlet")]))
    assert exclude(one).articles == 3


def test_P60_no_request_is_sent_to_who_left_though_the_registry_still_names_it(memory_path: Path) -> None:
    one = hub(memory_path)
    wish(one, asked("s", "outlet"))
    one.night(2)
    one.night(3)
    assert len(one.web.times(A)) == 1
    assert len(one.web.times(B)) == 3
    assert titles(one) == ["넷", "다섯", "여섯"]
    assert one.breaches() == {}


def test_P60_the_log_keeps_when_and_whom_but_not_what_for_and_the_audit_still_holds(memory_path: Path) -> None:
    picture = 'og:image" content="https://s.example/p.jpg"'
    page = answer(body=f"<html><head><meta property={picture}></head></html>".encode())
    photo = "https://s.example/news/articleView.html?idxno=1"
    one = hub(memory_path, {A: [answer(body=rss("[포토] 하나", "둘", host="s.example"))], photo: [page],
                            "https://s.example/robots.txt": FREE})  # fmt: skip
    assert one.web.times(photo)
    before = one.read("SELECT id, started, ended, server, address FROM request_log ORDER BY id")
    wish(one, asked(photo, "url"))
    done = exclude(one)
    assert (done.requests, done.pages) == (1, 1)
    assert one.read("SELECT id, started, ended, server, address FROM request_log ORDER BY id") == before
    assert f"'{photo}'" not in everything(one)
    assert f"'{photo[:-1]}2'" in everything(one)
    assert one.breaches() == {}
    one.night(2)
    assert len(one.web.times(photo)) == 1
    assert one.breaches() == {}


def test_P60_the_log_forgets_the_page_of_an_article_that_left_for_its_byline(memory_path: Path) -> None:
    photo = "https://s.example/news/articleView.html?idxno=1"
    body = signed("김하늘", "이바다").replace("기사".encode(), "[포토] 기사".encode())
    page = answer(body=b"<html></html>")
    one = hub(memory_path, {A: [answer(body=body)], photo: [page], f"{photo[:-1]}2": [page],
                            "https://s.example/robots.txt": FREE})  # fmt: skip
    assert one.web.times(photo)
    wish(one, asked(f"s:{byline_key('s', '김하늘')}", "byline"))
    assert exclude(one).requests == 1
    assert f"'{photo}'" not in everything(one)
    assert f"'{photo[:-1]}2'" in everything(one)
    assert one.breaches() == {}


def test_P60_a_host_takes_its_robots_txt_its_archive_and_its_line_of_last_night(memory_path: Path) -> None:
    row = '<ul><li><a href="https://board.example/1">하나</a> <time>2026-03-04T09:00</time></li></ul>'
    page = f'{row}<a rel="next" href="/list?page=2">'.encode()
    answers = {
        LIST: [answer(body=page)],
        "https://board.example/list?page=2": [answer(500)],
        "https://board.example/robots.txt": FREE,
    }
    one = hub(memory_path, answers, [A, feed(LIST, kind="list", cms="")])
    for table in ("robots", "backfills", "pages"):
        assert one.read(f"SELECT count(*) FROM {table}") != [(0,)], table
    wish(one, asked("board.example", "host"))
    exclude(one)
    for table in ("robots", "backfills", "pages"):
        assert one.read(f"SELECT count(*) FROM {table}") == [(0,)], table
    assert one.read("SELECT server FROM servers_last_night") == [("s.example",)]
    assert "https://board.example" not in everything(one)


def test_P60_a_picture_on_a_host_that_left_goes_from_articles_that_stay_and_does_not_come_back(
    memory_path: Path,
) -> None:
    body = rss("하나", host="s.example").replace(
        b"</item>", b'<enclosure url="https://cdn.example/a.mp3" type="audio/mpeg" length="5"/></item>'
    )
    changed = body.replace("하나".encode(), "하나 더".encode())
    one = hub(memory_path, {A: [answer(body=body), answer(body=changed)]})
    one.pictures = Pictures("all")
    assert one.read("SELECT media_url FROM articles WHERE id = 1") == [("https://cdn.example/a.mp3",)]
    wish(one, asked("cdn.example", "host"))
    assert exclude(one).pictures == 1
    assert one.read("SELECT title, media_url, media_type FROM articles WHERE id = 1") == [("하나", None, None)]
    one.night(2)
    assert one.read("SELECT title, media_url FROM articles WHERE id = 1") == [("하나 더", None)]


def test_P60_carrying_out_twice_changes_no_byte(memory_path: Path) -> None:
    one = hub(memory_path)
    wish(one, asked("s", "outlet"), asked("https://other.example/news/articleView.html?idxno=2", "url"))
    assert exclude(one) != Left()
    first = {path.name: path.read_bytes() for folder in (one.data, one.state) for path in folder.iterdir()}
    assert exclude(one) == Left()
    assert {path.name: path.read_bytes() for folder in (one.data, one.state) for path in folder.iterdir()} == first
    assert sorted(first) == ["press.db", "state.db"]


@pytest.mark.parametrize("which", ["data", "state"])
def test_P60_files_of_two_days_or_machines_are_both_emptied(which: str, memory_path: Path) -> None:
    """The command may run where the state is not, and an older state or record may come back after it."""
    one = hub(memory_path)
    shutil.copytree(one.root / which, one.root / "older")
    wish(one, asked("s", "outlet"))
    exclude(one)
    shutil.rmtree(one.root / which)
    shutil.move(one.root / "older", one.root / which)
    one.night(2)
    assert "https://s.example" not in everything(one)
    assert titles(one) == ["넷", "다섯", "여섯"]


def test_P60_what_is_taken_over_from_a_broken_night_is_held_against_the_wishes(memory_path: Path) -> None:
    one = hub(memory_path)
    left = one.root / "left"
    shutil.copytree(one.data, left / "data")
    shutil.copytree(one.state, left / "state")
    other = Hub(left, one.web, one.books)
    with closing(Store(other.data, other.state, other.books)) as store:
        store.begin_night("2026-03-06", "scheduled", FIRST_NIGHT + DAY_S)  # and is killed
    wish(one, asked("s", "outlet"))
    exclude(one)
    shutil.copy(left / "state" / "work.db", one.state / "work.db")
    one.night(2)
    assert "https://s.example" not in everything(one)


# -- coming back -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        asked("s", "outlet"),
        asked("s.example", "host"),
        asked("https://s.example/news", "prefix"),
        asked(KEY_OF_ONE.hex(), "url"),
        asked("https://s.example/news/articleView.html?idxno=1", "url"),
    ],
    ids=lambda row: row.scope,
)
def test_P60_a_withdrawn_wish_brings_everything_back_the_next_night_under_its_old_numbers(
    row: Exclusion, memory_path: Path
) -> None:
    one = hub(memory_path)
    one.web.answers[A] = one.web.answers[A][:1]
    facts = "id, key, outlet, source, title, summary, published, first_seen"
    before = one.read(f"SELECT {facts} FROM articles ORDER BY id")
    registered = one.read("SELECT * FROM sources"), one.read("SELECT * FROM outlets")
    wish(one, row)
    one.night(2)
    assert len(titles(one)) < 6
    wish(one)
    one.night(3)
    assert one.read(f"SELECT {facts} FROM articles ORDER BY id") == before
    assert (one.read("SELECT * FROM sources"), one.read("SELECT * FROM outlets")) == registered
    assert one.read("SELECT count(*) FROM tombstones") == one.read("SELECT count(*) FROM wishes") == [(0,)]
    assert one.read("SELECT count(*) FROM revisions") == [(0,)], "to be emptied is no edit"
    assert one.breaches() == {}


def test_P60_a_withdrawn_byline_comes_back_too(memory_path: Path) -> None:
    one = hub(memory_path, {A: [answer(body=signed("김하늘", "이바다"))]})
    wish(one, asked(f"s:{byline_key('s', '김하늘')}", "byline"))
    one.night(2)
    assert one.read("SELECT byline FROM articles WHERE url <> '' AND outlet = 1") == [("이바다",)]
    wish(one)
    one.night(3)
    assert one.read("SELECT id, byline FROM articles WHERE outlet = 1 ORDER BY id") == [(1, "김하늘"), (2, "이바다")]


def test_P60_a_tombstone_that_another_wish_justifies_stays(memory_path: Path) -> None:
    one = hub(memory_path)
    one.web.answers[A] = one.web.answers[A][:1]
    prefix = asked("https://s.example/news", "prefix", reason="server-asked", since="2026-03-07")
    wish(one, asked(KEY_OF_ONE.hex(), "url"), prefix)
    one.night(2)
    assert one.read("SELECT reason FROM tombstones WHERE key = ?", KEY_OF_ONE) == [("asked",)], "the older of the two"
    wish(one, asked(KEY_OF_ONE.hex(), "url"))
    one.night(3)
    assert titles(one) == ["둘", "셋", "넷", "다섯", "여섯"]
    assert one.read("SELECT key FROM tombstones") == [(KEY_OF_ONE,)]
    wish(one)
    one.night(4)
    assert titles(one)[0] == "하나"


@pytest.mark.parametrize(
    "row", [asked("board", "outlet"), asked("https://board.example/1", "url")], ids=lambda row: row.scope
)
def test_P60_an_archive_comes_back_by_being_read_again(row: Exclusion, memory_path: Path) -> None:
    def page(number: int, more: bool = True) -> Answer:
        row = (
            f'<li><a href="https://board.example/{number}">기사 {number}</a> <time>2026-03-0{number}T09:00</time></li>'
        )
        after = f'<a rel="next" href="https://board.example/list?page={5 - number}">' if more else ""
        return answer(body=f"<html><body><ul>{row}</ul>{after}</body></html>".encode())

    one = hub(memory_path, {LIST: [page(3)], "https://board.example/robots.txt": FREE,
                            "https://board.example/list?page=2": [page(2)],
                            "https://board.example/list?page=3": [page(1, more=False)]},
              [feed(LIST, kind="list", cms="")])  # fmt: skip
    one.night(2)
    assert titles(one) == ["기사 3", "기사 2", "기사 1"]
    wish(one, row)
    one.night(3)
    assert "기사 1" not in titles(one)
    wish(one)
    one.night(4)
    assert titles(one) == ["기사 3", "기사 2", "기사 1"]
    assert one.read("SELECT max(id) FROM articles") == [(3,)]
    assert one.breaches() == {}


def test_P60_the_page_of_a_photo_story_that_comes_back_is_read_for_its_picture_again(memory_path: Path) -> None:
    photo = "https://s.example/news/articleView.html?idxno=1"
    page = answer(body=b'<html><head><meta property="og:image" content="https://s.example/p.jpg"></head></html>')
    one = hub(memory_path, {A: [answer(body=rss("[포토] 하나", host="s.example"))], photo: [page],
                            "https://s.example/robots.txt": FREE})  # fmt: skip
    assert one.read("SELECT image_url FROM articles WHERE id = 1") == [("https://s.example/p.jpg",)]
    wish(one, asked(photo, "url"))
    one.night(2)
    assert "p.jpg" not in everything(one)
    wish(one)
    one.night(3)
    assert one.read("SELECT image_url FROM articles WHERE id = 1") == [("https://s.example/p.jpg",)]
    assert one.breaches() == {}


# -- the build ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def built(tmp_path: Path) -> Path:
    sitefixture.fill(tmp_path / "press.db")
    return tmp_path


def csv(data: Path, *rows: str) -> None:
    (data / "exclusions.csv").write_text("\n".join(["key,scope,reason,requested,since", *rows, ""]), "utf-8")


@pytest.mark.parametrize(
    "row",
    [
        "hanbit-news,outlet,asked,,2026-12-01",
        "hanbit.example,host,asked,,2026-12-01",
        "https://hanbit-news.example/news/,prefix,asked,,2026-12-01",
        "https://hanbit-news.example/news/1,url,asked,,2026-12-01",
        f"hanbit-news:{byline_key('hanbit-news', '김하늘 기자')},byline,asked,,2026-12-01",
    ],
)
def test_P60_nothing_is_built_before_a_wish_was_carried_out(row: str, built: Path) -> None:
    csv(built, row)
    with pytest.raises(BuildError, match=r"exclusions.csv:2: .* run `python -m crawl exclude`"):
        site.build(built, built / "site")
    assert not (built / "site").exists()
    for name in ("outlets.csv", "sources.csv"):
        shutil.copy(EMPTY / name, built / name)
    assert main(["exclude", "--data", str(built), "--state", str(built / "state")]) == 0
    site.build(built, built / "site")


EMPTY = Path(__file__).resolve().parent.parent / "data"


def test_P60_a_row_as_a_spreadsheet_saves_it_is_the_same_row(built: Path) -> None:
    csv(built)
    site.build(built, built / "site")
    row = exclusions.Exclusion("hanbit-news", "outlet", "asked", None, date(2026, 12, 1))
    with closing(sqlite3.connect(built / "press.db")) as db:
        db.execute("INSERT INTO wishes VALUES (?, x'')", (exclusions.mark(row),))
        db.commit()
    (built / "exclusions.csv").write_bytes(
        "\ufeffkey,scope,reason,requested,since\r\n hanbit-news ,outlet,asked,,2026-12-01\r\n".encode()
    )
    site.build(built, built / "site")


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"who,why\nme,so\n", b'key,scope\n"open,outlet\n'])
def test_P60_an_unreadable_list_of_who_left_stops_the_build(raw: bytes, built: Path) -> None:
    (built / "exclusions.csv").write_bytes(raw)
    with pytest.raises(BuildError, match="run `python -m crawl check`"):
        site.build(built, built / "site")


@pytest.mark.parametrize(
    "row", [asked("한글", "outlet"), asked("https://s.example/%EA?q=1", "url"), asked(KEY_OF_ONE.hex(), "url")]
)
def test_P60_the_build_knows_a_row_by_the_same_mark_as_the_crawler(row: Exclusion) -> None:
    assert build_wishes.mark(row.scope, row.key) == exclusions.mark(row)


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(memory_path: Path) -> Hub:
    """A hub whose folder holds the files that people edit."""
    one = hub(memory_path, {A: [answer(body=signed("김하늘 기자", "이바다", "김하늘·이바다"))]})
    for name, raw in registry_files.empty().items():
        (one.data / name).write_bytes(raw)
    return one


def exclude_in(one: Hub, *words: str) -> int:
    return main(["exclude", *words, "--data", str(one.data), "--state", str(one.state)])


def test_P60_a_dry_run_tells_what_would_go_and_changes_nothing(folder: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    csv(folder.data, "s,outlet,asked,,2026-03-06")
    before = {path.name: path.read_bytes() for root in (folder.data, folder.state) for path in root.iterdir()}
    assert exclude_in(folder, "--dry-run", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["articles"], told["outlets"], told["sources"], told["dry_run"]) == (3, 1, 1, True)
    assert {path.name: path.read_bytes() for root in (folder.data, folder.state) for path in root.iterdir()} == before
    assert exclude_in(folder, "--json") == 0
    assert json.loads(capsys.readouterr().out) == told | {"dry_run": False}
    assert exclude_in(folder) == 0
    assert "0 articles, 0 outlets and 0 sources emptied" in capsys.readouterr().out


def test_P60_a_withdrawn_wish_is_told_with_what_may_come_back(folder: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    csv(folder.data, "s,outlet,asked,,2026-03-06")
    assert exclude_in(folder) == 0
    csv(folder.data)
    capsys.readouterr()
    assert exclude_in(folder) == 0
    told = capsys.readouterr().out
    assert "0 rows, 0 carried out for the first time, 1 withdrawn" in told
    assert "3 emptied articles may be filled again" in told


def test_P60_the_row_of_a_private_request_names_nothing_and_works(
    folder: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "https://www.s.example/news/articleView.html?idxno=2"
    assert exclude_in(folder, "--row-for", url) == 0
    row = capsys.readouterr().out.strip()
    assert row.split(",")[:3] == [urls.key(url, "ndsoft").hex(), "url", "private-request"]
    csv(folder.data, row)
    assert main(["check", "--data", str(folder.data)]) == 0
    assert exclude_in(folder) == 0
    assert folder.read("SELECT id FROM articles WHERE url = ''") == [(2,)]
    assert exclude_in(folder, "--row-for", "https://new.example/1") == 0
    assert "no such article is stored" in capsys.readouterr().err
    assert exclude_in(folder, "--row-for", "ftp://new.example/1") == 2


def test_P60_the_rows_of_a_name_cover_every_way_in_which_it_is_written(
    folder: Hub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("김하늘\n"))
    assert exclude_in(folder, "--rows-for-byline", "s") == 0
    told = capsys.readouterr()
    assert "2 stored articles bear this name, written in 2 ways" in told.err
    assert "하늘" not in told.out
    rows = told.out.split()
    assert len(rows) == 3, "the name alone, too"
    csv(folder.data, *rows)
    assert main(["check", "--data", str(folder.data)]) == 0
    assert exclude_in(folder) == 0
    assert folder.read("SELECT byline FROM articles WHERE url <> '' AND outlet = 1") == [("이바다",)]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert exclude_in(folder, "--rows-for-byline", "s") == 2


def test_exclude_waits_for_no_night_and_needs_a_record(
    folder: Hub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Store(folder.data, folder.state, folder.books)):
        assert exclude_in(folder) == 2
    assert "another night is running" in capsys.readouterr().err
    assert main(["exclude", "--data", str(tmp_path), "--state", str(tmp_path / "state")]) == 2
    assert "nothing to empty before a first night" in capsys.readouterr().err
