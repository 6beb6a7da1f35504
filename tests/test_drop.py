"""Taking back what one night stored of one source: exactly that, in any order, and no number ever given twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import crawl.cli
from crawl import csvtable, pressfile
from crawl.idle import Readers
from crawl.model import Due, Feed, Response
from crawl.registry import Registry
from crawl.registryrows import OUTLET_COLUMNS, SOURCE_COLUMNS
from tests.nights import DAY_S, FIRST_NIGHT, Hub, Scripted, answer, feed, read_list, read_page, registry, rss
from tests.test_watch import HEADLINES

A, B = "https://a.hanbit.example/rss", "https://b.hanbit.example/rss"
FIRST, SECOND, THIRD = "2026-03-05", "2026-03-06", "2026-03-07"


def written(one: Hub) -> Hub:
    """A hub whose registry stands in files too, as the commands read it."""
    one.data.mkdir(parents=True, exist_ok=True)
    for name, content in files(one.books).items():
        (one.data / name).write_bytes(content)
    return one


def files(books: Registry) -> dict[str, bytes]:
    outlets = [
        (o.slug, o.name, o.name_en, o.university, o.univ, o.kind, o.homepage, o.region, o.status, "", "", o.note)
        for o in books.outlets
    ]
    sources = [(s.outlet, s.kind, s.url, s.cms, s.state, s.recheck, s.note) for s in books.sources]
    return {
        "outlets.csv": csvtable.write(OUTLET_COLUMNS, outlets),
        "sources.csv": csvtable.write(SOURCE_COLUMNS, sources),
        "exclusions.csv": b"key,scope,reason,requested,since\n",
    }


def hub(path: Path, **bodies: list[bytes]) -> Hub:
    """`a` and `b`: what each feed shows night after night."""
    web = {{"a": A, "b": B}[name]: [answer(body=body) for body in given] for name, given in bodies.items()}
    return written(Hub(path, Scripted(web), registry(list(web))))


def run(one: Hub, *words: str) -> int:
    return crawl.cli.main([*words, "--data", str(one.data), "--state", str(one.state)])


def drop(one: Hub, day: str, *more: str, source: str = A) -> int:
    return run(one, "drop", "--source", source, "--night", day, *more)


def titles(one: Hub, outlet: str = "a") -> list[tuple[object, ...]]:
    return one.read(
        """SELECT a.id, a.title FROM articles a JOIN outlets o ON o.id = a.outlet
           WHERE o.slug = ? AND a.url <> '' ORDER BY a.id""",
        outlet,
    )


def a(*names: str, first: int = 1) -> bytes:
    return rss(*names, host="a.hanbit.example", first=first)


def b(*names: str) -> bytes:
    return rss(*names, host="b.hanbit.example")


def test_one_night_of_one_source_is_taken_back_and_nothing_else(
    memory_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = hub(memory_path, a=[a("하나", "둘"), a("하나", "둘", "셋", "넷")], b=[b("가"), b("가", "나")])
    one.night(1)
    one.night(2)
    others, nights = titles(one, "b"), one.dump("nights")
    assert drop(one, SECOND) == 0
    assert "2 articles and 0 edits are taken back" in capsys.readouterr().out
    assert [title for _, title in titles(one)] == ["하나", "둘"]
    assert titles(one, "b") == others
    assert one.dump("nights") == nights
    with one.press() as db:
        pressfile.check(db, one.data / "press.db")


def test_what_was_taken_back_comes_again_when_it_is_still_shown(memory_path: Path) -> None:
    marked = [answer(body=a("하나")), answer(body=a("하나", "둘"), headers={"ETag": '"2"'})]
    one = written(Hub(memory_path, Scripted({A: marked}), registry([A])))
    one.night(1)
    one.night(2)
    drop(one, SECOND)
    one.night(3)
    assert "If-None-Match" not in one.web.heard[-1][2]
    assert [title for _, title in titles(one)] == ["하나", "둘"]


def test_dropping_twice_is_dropping_once(memory_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = hub(memory_path, a=[a("하나"), a("하나", "둘")])
    one.night(1)
    one.night(2)
    drop(one, SECOND)
    once = (one.data / "press.db").read_bytes()
    capsys.readouterr()
    drop(one, SECOND)
    assert "0 articles and 0 edits" in capsys.readouterr().out
    assert (one.data / "press.db").read_bytes() == once


def lose_the_state(one: Hub) -> None:
    (one.state / "state.db").unlink()


@pytest.mark.parametrize("meanwhile", [lambda one: None, lose_the_state])
def test_a_number_is_never_given_twice_even_when_the_state_is_lost(
    memory_path: Path, meanwhile: Callable[[Hub], None]
) -> None:
    one = hub(memory_path, a=[a("하나"), a("하나", "둘", "셋"), a("하나", "넷", "다섯", "여섯")])
    one.night(1)
    one.night(2)
    assert [row for row, _ in titles(one)] == [1, 2, 3]
    drop(one, SECOND)
    meanwhile(one)
    one.night(3)
    assert titles(one) == [(1, "하나"), (4, "넷"), (5, "다섯"), (6, "여섯")]
    drop(one, THIRD)
    one.night(4)
    assert [row for row, _ in titles(one)] == [1, 7, 8, 9]


def test_the_emptied_row_says_nothing_and_is_shown_to_nobody(memory_path: Path) -> None:
    secret = "이름이 남으면 안 되는 제목"
    one = hub(memory_path, a=[a("하나"), a("하나", secret)])
    one.night(1)
    one.night(2)
    drop(one, SECOND)
    assert secret.encode() not in (one.data / "press.db").read_bytes()
    with one.press() as db:
        for view, number in (("site_card", "id"), ("open_articles", "article")):
            assert [row[0] for row in db.execute(f"SELECT {number} FROM {view}")] == [1]
        assert db.execute("SELECT articles FROM site_outlet").fetchall() == [(1,)]


def test_tags_only_the_dropped_articles_bore_go_with_them(memory_path: Path) -> None:
    tagged = a("하나", "둘").replace(
        b"<title>\xeb\x91\x98</title>", "<title>둘</title><category>엉뚱한 말</category>".encode()
    )
    one = hub(memory_path, a=[a("하나"), tagged])
    one.night(1)
    one.night(2)
    assert [tag for _, tag in one.dump("tags")] == ["엉뚱한 말"]
    drop(one, SECOND)
    assert one.dump("tags") == []
    assert one.dump("article_tags") == []


def test_edits_of_the_night_are_undone_and_leave_no_trace(memory_path: Path) -> None:
    one = hub(memory_path, a=[a("처음 제목", "둘"), a("망가진 제목", "둘")])
    one.night(1)
    before = one.dump("articles")
    one.night(2)
    drop(one, SECOND)
    assert one.dump("articles") == before
    assert one.dump("revisions") == []


@pytest.mark.parametrize(
    ("third", "title", "revisions"),
    [("셋째 밤 제목", "셋째 밤 제목", [("처음 제목",), ("처음 제목 요약",)]), ("처음 제목", "처음 제목", [])],
)
def test_a_later_edit_stands_as_if_the_dropped_night_had_not_been(
    memory_path: Path, third: str, title: str, revisions: list[tuple[str]]
) -> None:
    one = hub(memory_path, a=[a("처음 제목"), a("둘째 밤 제목"), a(third)])
    for number in (1, 2, 3):
        one.night(number)
    drop(one, SECOND)
    assert titles(one) == [(1, title)]
    assert one.read("SELECT old FROM revisions ORDER BY id") == revisions


def test_edits_of_one_night_that_came_in_two_looks_go_back_to_the_first_value(memory_path: Path) -> None:
    one = hub(memory_path, a=[a("처음"), a("둘째"), a("셋째")])
    one.night(1)
    one.night(2)
    one.night(3)
    drop(one, THIRD)
    drop(one, SECOND)
    assert titles(one) == [(1, "처음")]
    assert one.dump("revisions") == []


def test_an_edit_of_another_source_stays(memory_path: Path) -> None:
    one = hub(memory_path, a=[a("하나")], b=[b("가"), b("나")])
    one.night(1)
    one.night(2)
    drop(one, SECOND)
    assert titles(one, "b")[0][1] == "나"
    assert len(one.dump("revisions")) == 2


def test_changes_without_a_record_are_counted(memory_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dated = rss("하나", host="a.hanbit.example", date="2026-03-03 10:00:00")
    one = hub(memory_path, a=[a("하나"), dated])
    one.night(1)
    one.night(2)
    drop(one, SECOND)
    assert "1 more articles changed" in capsys.readouterr().out


def test_a_dry_run_says_the_same_and_changes_nothing(memory_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = hub(memory_path, a=[a("하나"), a("하나 고침", "둘")])
    one.night(1)
    one.night(2)
    before = {path: path.read_bytes() for path in one.root.rglob("*") if path.is_file()}
    assert drop(one, SECOND, "--dry-run") == 0
    said = capsys.readouterr().out
    assert "1 articles and 2 edits would be taken back" in said
    assert "nothing was changed" in said
    assert {path: path.read_bytes() for path in one.root.rglob("*") if path.is_file()} == before
    drop(one, SECOND, "--json")
    assert '"articles": 1, "edits": 2' in capsys.readouterr().out


def test_the_first_night_of_a_source_taken_back_is_as_if_it_had_never_been_read(memory_path: Path) -> None:
    one = hub(memory_path, a=[a(*(f"글 {n}" for n in range(8))), a(*(f"글 {n}" for n in range(8)), first=100)])
    one.night(1)
    drop(one, FIRST)
    assert titles(one) == []
    one.night(2)
    assert len(titles(one)) == 8


@pytest.mark.parametrize("meant", ["1", "http://www.a.hanbit.example/rss/", A])
def test_a_source_is_meant_by_its_number_or_any_spelling_of_its_address(memory_path: Path, meant: str) -> None:
    one = hub(memory_path, a=[a("하나")])
    one.night(1)
    assert drop(one, FIRST, source=meant) == 0
    assert titles(one) == []


@pytest.mark.parametrize(
    ("source", "day", "told"),
    [("https://a.hanbit.example/rsss", FIRST, "did you mean"), ("9", FIRST, "no such source"), (A, "gestern", "not a day"),
     ("nonsense", FIRST, "no such source")],
)  # fmt: skip
def test_a_wrong_word_is_misuse_with_a_hint(
    memory_path: Path, source: str, day: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one = hub(memory_path, a=[a("하나")])
    one.night(1)
    assert drop(one, day, source=source) == 2
    assert told in capsys.readouterr().err
    assert not (one.state / "work.db").exists(), "that would look like a night that was broken off"


def test_without_a_night_there_is_nothing_to_drop(memory_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = hub(memory_path, a=[a("하나")])
    assert drop(one, FIRST) == 2
    assert "no press.db" in capsys.readouterr().err


def test_a_night_that_ends_after_midnight_of_another_day_is_no_part_of_it(memory_path: Path) -> None:
    one = hub(memory_path, a=[a("하나"), a("하나", "둘")])
    one.night(1)
    one.night(at=FIRST_NIGHT + DAY_S)
    drop(one, FIRST)
    assert [title for _, title in titles(one)] == ["둘"]


def page(*names: str, first: int) -> bytes:
    rows = "".join(
        f'<li><a href="/{first + n}">{name}</a> <time>2026-03-04T14:30</time></li>' for n, name in enumerate(names)
    )
    return f"<ul>{rows}</ul>".encode()


def skin(due: Due, response: Response, seen: float) -> Feed:
    """A stand-in for the list reader that knows two skins, by the numbers of their articles."""
    listed = read_list(due, response, seen)
    return replace(listed, format="gnuboard" if "/5" in listed.entries[0].url else "links")


def test_a_strange_skin_that_was_let_in_by_mistake_and_taken_back_is_held_again(memory_path: Path) -> None:
    at, robots = "https://a.hanbit.example/list", "https://a.hanbit.example/robots.txt"
    known, strange = HEADLINES[:8], [f"다른 누리집의 {n}번째 알림 글" for n in range(8)]
    web = {
        at: [answer(body=page(*known, first=101)), *[answer(body=page(*strange, first=501))] * 3],
        robots: [answer(404)],
    }
    one = written(Hub(memory_path, Scripted(web), registry([feed(at, kind="list")]), readers=Readers(skin, read_page)))
    reasons = "SELECT reason FROM looks WHERE source = 1 ORDER BY id"
    one.night(1)
    one.night(2)
    run(one, "reread", at)
    one.night(3)
    assert [why for (why,) in one.read(reasons)] == ["read", "held_skin:links>gnuboard", "read"]
    drop(one, THIRD, source=at)
    one.night(4)
    assert one.read(reasons)[-1] == ("held_skin:links>gnuboard",)
    assert len(titles(one)) == 8


def test_a_night_that_left_nothing_is_told_so(memory_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = hub(memory_path, a=[a("하나")])
    one.night(1)
    assert drop(one, "2026-01-01") == 0
    assert "left nothing of this source" in capsys.readouterr().out
