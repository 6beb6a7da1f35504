"""A source whose skin was mended is read whole and as it is, once; its articles keep their place in the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nights import Hub, Scripted, answer, feed, registry
from tests.test_drop import A, a, run, titles, written
from tests.test_watch import HEADLINES

NAMES = HEADLINES[:8]


def hub(path: Path, *bodies: bytes) -> Hub:
    marked = [answer(body=body, headers={"ETag": f'"{number}"'}) for number, body in enumerate(bodies)]
    return written(Hub(path, Scripted({A: marked}), registry([A])))


def reason(one: Hub) -> object:
    return one.read("SELECT reason FROM looks ORDER BY id DESC LIMIT 1")[0][0]


def test_the_next_look_is_unconditional_and_nothing_is_sent_before(
    memory_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = hub(memory_path, a(*NAMES))
    one.night(1)
    assert run(one, "reread", A) == 0
    assert "Nothing was sent" in capsys.readouterr().out
    assert len(one.web.heard) == 1
    one.night(2)
    assert "If-None-Match" not in one.web.heard[-1][2]
    assert reason(one) == "read"


def test_a_held_source_is_read_anew_and_its_articles_move(memory_path: Path) -> None:
    one = hub(memory_path, a(*NAMES), a(*NAMES, first=101), a(*NAMES, first=101), a(*NAMES, first=201))
    one.night(1)
    before = titles(one)
    one.night(2)
    assert reason(one) == "held_moved"
    run(one, "reread", "1")
    one.night(3)
    assert reason(one) == "read"
    assert titles(one) == before
    assert [str(url)[-3:] for (url,) in one.read("SELECT url FROM articles ORDER BY id")] == [
        str(n) for n in range(101, 109)
    ]
    one.night(4)
    assert reason(one) == "held_moved"  # let in once, not for ever


def test_a_mended_skin_may_change_every_title(memory_path: Path) -> None:
    wrong = a(*(f"분류 › {title}" for title in NAMES))
    one = hub(memory_path, wrong, a(*NAMES), a(*NAMES))
    one.night(1)
    one.night(2)
    assert reason(one) == "held_damaged"
    run(one, "reread", A)
    one.night(3)
    assert [title for _, title in titles(one)] == list(NAMES)


def test_the_wish_waits_for_a_look_that_can_be_read(memory_path: Path) -> None:
    one = hub(memory_path, a(*NAMES), a(*NAMES, first=101))
    one.web.answers[A].insert(1, answer(500))
    one.night(1)
    run(one, "reread", A)
    one.night(2)
    one.night(3)
    assert reason(one) == "read"
    assert len(titles(one)) == 8


def test_other_sources_and_robots_copies_stay_as_they_are(memory_path: Path) -> None:
    other = "https://b.hanbit.example/rss"
    one = hub(memory_path, a(*NAMES))
    one.web.answers[other] = [answer(body=a("가"), headers={"ETag": '"b"'})]
    one.books = registry([A, other])
    written(one).night(1)
    run(one, "reread", A)
    one.night(2)
    asked = {url: sent.get("If-None-Match") for _, url, sent in one.web.heard[2:]}
    assert asked == {A: None, other: '"b"'}


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_source_that_no_night_looks_at_cannot_be_read_anew(
    state: str, memory_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = hub(memory_path, a(*NAMES))
    one.night(1)
    one.books = registry([feed(A, state=state)])
    assert run(written(one), "reread", A) == 2
    assert f"sources.csv says {state}" in capsys.readouterr().err
    one.books = registry(["https://b.hanbit.example/rss"])
    assert run(written(one), "reread", A) == 2
    assert "stands no longer in sources.csv" in capsys.readouterr().err
    assert not (one.state / "work.db").exists(), "that would look like a night that was broken off"


def test_status_says_how_a_held_source_is_let_in(memory_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = hub(memory_path, a(*NAMES), a(*NAMES, first=101))
    one.night(1)
    run(one, "status")
    assert "recheck" not in capsys.readouterr().out
    one.night(2)
    run(one, "status")
    assert "recheck column" in capsys.readouterr().out.splitlines()[-1]
