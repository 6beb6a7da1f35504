"""The search's base over many builds: no article of it is read while nothing in it is new, and history leaves no trace."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from build import db, searchlists, searchpage, site
from build.make import Maker
from build.notes import Notes
from build.records import Card, Hub
from build.render import Renderer
from build.write import publish, workshop
from tests import sitefixture
from tests.sitefixture import Story

WORDS = ["총학생회", "등록금", "인상", "반대", "축제", "도서관", "좌석", "기숙사", "장학금", "abc123", "새내기", "학식"]
OUTLETS = ("hanbit-news", "haneul-times", "mulgyeol", "nuri-eye")


@pytest.fixture(autouse=True)
def search_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands around the search is built in other tests."""
    monkeypatch.setattr(site, "KINDS", tuple(kind for kind in site.KINDS if kind[0] in ("search", "404")))


def story(number: int, *, month: int = 9, day: int | None = None, tags: tuple[str, ...] = ()) -> Story:
    """One of many; always the same for a number."""
    chance = random.Random(number)
    when = f"2026-{month:02}-{chance.randint(1, 28) if day is None else day:02}"
    title, summary = (" ".join(chance.choices(WORDS, k=k)) for k in (3, 12))
    url = f"https://{chance.choice(OUTLETS)}.example/news/{number}"
    return Story(chance.choice(OUTLETS), f"{title} {number}", f"{when} 10:00", summary, first_seen=f"{when} 12:00",
                 tags=tags or (chance.choice(("보도", "기획")),), url=url)  # fmt: skip


STORIES = [*(story(number) for number in range(60)), *(story(number, month=11) for number in range(60, 70))]


def fill(data: Path, stories: Iterable[Story]) -> None:
    data.mkdir(exist_ok=True)
    (data / "press.db").unlink(missing_ok=True)
    sitefixture.fill(data / "press.db", stories)


def searched(root: Path) -> dict[str, bytes]:
    folder = root / "search"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """The folders of the files that differ."""
    return {path.partition("/")[0] for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def fresh(folder: Path, stories: Iterable[Story]) -> dict[str, bytes]:
    """The search's files of a first build."""
    folder.mkdir()
    fill(folder / "data", stories)
    site.build(folder / "data", folder / "site")
    return searched(folder / "site")


def reads(data: Path, root: Path) -> set[int]:
    """Build; the articles whose words any sheet was made from."""
    found: set[int] = set()
    with db.opened(data) as press:

        def read(ids: Iterable[int]) -> list[Card]:
            wanted = list(ids)
            found.update(wanted)
            return press.read(wanted)

        with closing(Maker(Renderer(Hub(), "", lambda id, tag: ""), read, root.parent, Notes(workshop(root)))) as make:
            publish(root, site.claims(press, ""), make, make.files)
    return found


def test_a_night_reads_no_article_of_the_base(tmp_path: Path) -> None:
    data, root = tmp_path / "data", tmp_path / "site"
    fill(data, STORIES)
    assert reads(data, root) == set(range(1, 71))
    assert reads(data, root) == set()
    fill(data, [*STORIES, story(900, month=11, day=29)])
    assert reads(data, root) == set(range(61, 72))
    fill(data, [replace(STORIES[0], summary="고친 요약"), *STORIES[1:], story(900, month=11, day=29)])
    assert set(range(1, 61)) <= reads(data, root)


def histories(chance: random.Random) -> Iterator[list[Story]]:
    """A press from build to build: nights, mended and removed stories, a new month, an outlet's first."""
    stories = list(STORIES[:40]) + STORIES[60:]
    for number in range(100, 108):
        what = chance.choice(("night", "mend", "remove", "month", "late", "nothing"))
        place = chance.randrange(len(stories))
        if what in ("night", "month"):
            stories += [story(10 * number + each, month=11 if what == "night" else 12, day=1) for each in range(3)]
        elif what == "late":
            stories.append(story(10 * number, month=8))
        elif what == "mend":
            stories[place] = replace(stories[place], title=f"{stories[place].title} 고침", tags=("보도", "AI"))
        elif what == "remove":
            stories[place] = replace(stories[place], title="없음", summary="", tags=())
        yield list(stories)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_the_history_the_same_articles_give_the_same_files(tmp_path: Path, seed: int) -> None:
    data, root = tmp_path / "data", tmp_path / "site"
    for number, stories in enumerate(histories(random.Random(seed))):
        fill(data, stories)
        site.build(data, root)
        if number % 3 == 2:
            assert searched(root) == fresh(tmp_path / f"fresh-{number}", stories)


@pytest.mark.parametrize("spoil", ["append", "swap", "remove", "strange", "link"])
@pytest.mark.parametrize("part", ["base/c", "base/s", "delta/s"])
def test_a_file_of_the_index_that_was_written_to_is_made_again(tmp_path: Path, spoil: str, part: str) -> None:
    data, root = tmp_path / "data", tmp_path / "site"
    fill(data, STORIES)
    site.build(data, root)
    before = searched(root)
    victim = sorted(path for path in (root / "search" / part).rglob("*") if path.is_file())[0]
    if spoil == "append":
        victim.write_bytes(victim.read_bytes() + b"x")
    elif spoil == "swap":
        victim.write_bytes(victim.read_bytes()[::-1])
    elif spoil == "remove":
        victim.unlink()
    elif spoil == "strange":
        (victim.parent / "stranger.gz").write_text("x")
    else:
        victim.unlink()
        victim.symlink_to(root / "404.html")
    done = site.build(data, root)
    assert searched(root) == before
    assert done.written <= 1
    assert not [path for path in (root / "search").rglob("*") if path.is_symlink()]


@pytest.mark.parametrize("spoil", ["lose", "cut", "flip", "empty"])
@pytest.mark.parametrize("night", [False, True])
def test_a_note_that_is_lost_or_damaged_costs_time_and_nothing_else(tmp_path: Path, spoil: str, night: bool) -> None:
    data, root = tmp_path / "data", tmp_path / "site"
    fill(data, STORIES)
    site.build(data, root)
    for note in sorted((tmp_path / ".site.build").glob("*.note")):
        body = note.read_bytes()
        if spoil == "lose":
            note.unlink()
        else:
            note.write_bytes({"cut": body[:-9], "flip": body[:-3] + bytes([body[-3] ^ 1]) + body[-2:]}.get(spoil, b""))
    stories = [*STORIES, story(900, month=11, day=29)] if night else STORIES
    fill(data, stories)
    site.build(data, root)
    assert searched(root) == fresh(tmp_path / "fresh", stories)


@pytest.mark.parametrize("fact", ["univ = 'elsewhere'", "univ = '', university = '다른대학교'", "kind = 'magazine'"])
def test_what_the_registry_says_anew_of_an_outlet_reaches_the_base(tmp_path: Path, fact: str) -> None:
    data, root = tmp_path / "data", tmp_path / "site"
    for folder in (data, tmp_path / "again"):
        fill(folder, STORIES)
    site.build(data, root)
    before = searched(root)
    for folder in (data, tmp_path / "again"):
        with closing(sqlite3.connect(folder / "press.db")) as raw, raw:
            raw.execute(f"UPDATE outlets SET {fact} WHERE slug = 'hanbit-news'")
    site.build(data, root)
    assert changed(before, searched(root)) & {"base", "delta"} == {"base", "delta"}
    site.build(tmp_path / "again", tmp_path / "fresh")
    assert searched(root) == searched(tmp_path / "fresh")


def test_an_outlet_that_no_story_of_the_base_is_of_leaves_the_base_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    fill(data, STORIES)

    def base(name: str) -> tuple[str, str]:
        with db.opened(data) as press:
            changed = [replace(one, name_en="New Name") if one.slug == name else one for one in press.outlets]
            sheets = list(searchpage.sheets(replace(press, outlets=tuple(changed))))
        return repr(sheets[1]), repr(sheets[4])

    assert base("silent-press")[0] == base("")[0]
    assert base("silent-press")[1] != base("")[1]


def test_lists_that_wait_on_disk_come_back_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    articles = [set(chance.choices(WORDS, k=4)) | {chance.choice("가나다a")} for _ in range(100)]

    def lists() -> dict[str, dict[str, list[int]]]:
        made = searchlists.Lists()
        for id, words in enumerate(articles):
            made.add(id, words)
        return {first: {word: list(ids) for word, ids in words.items()} for first, words in made.by_first()}

    held = lists()
    assert list(held) == sorted(held)
    assert held["총"]["총학생회"] == [id for id, words in enumerate(articles) if "총학생회" in words]
    for at_once in (1, 7, 50, 99, 100):
        monkeypatch.setattr(searchlists, "AT_ONCE", at_once)
        assert lists() == held


def test_a_note_counts_for_its_own_state_and_code_alone(tmp_path: Path) -> None:
    """A build that was broken off leaves notes of files that never came to stand."""
    Notes(tmp_path, b"code").keep("search/base", "state", b"note")
    assert Notes(tmp_path, b"code").find("search/base", "state") == b"note"
    assert Notes(tmp_path, b"code").find("search/base", "another") is None
    assert Notes(tmp_path, b"other").find("search/base", "state") is None
