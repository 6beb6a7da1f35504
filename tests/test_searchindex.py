"""The search's files: the same from the same articles, few of them new after a night, none of them with what has left."""

from __future__ import annotations

import datetime
import gzip
import random
import re
from dataclasses import replace

import pytest

from build.searchcards import A_FILE, Begins, day_text
from tests.searchfixture import article, built, random_articles, searchable, unpacked

ARTICLES = random_articles(1_500, 3, "총학생회등록금인상 반대 축제 도서관 좌석 abc123")


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    return {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}


def words(path: str, body: bytes) -> str:
    """What a file says, unpacked and decoded as either way of writing reads it."""
    plain = {"gz": gzip.decompress, "z": unpacked, "bin": bytes}[path.rpartition(".")[2]](body)
    return plain.decode("utf-8", "replace") + plain.decode("cp949", "replace") + plain[1:].decode("cp949", "replace")


def test_the_same_articles_give_the_same_bytes_in_whatever_order_they_come() -> None:
    shuffled = list(ARTICLES)
    random.Random(1).shuffle(shuffled)
    assert built(ARTICLES) == built(shuffled)


def test_no_articles_make_a_search_too() -> None:
    assert set(built([])) == {"index.gz", "outlets.gz", "base/days.gz", "base/primer.gz"}


def test_every_path_can_stand_in_a_site() -> None:
    for path in built(ARTICLES):
        assert re.fullmatch(r"[a-z0-9][a-z0-9./-]*\.(gz|z|bin)", path), path


def test_a_night_leaves_every_file_of_the_base_and_the_earlier_cards_alone() -> None:
    before = built(ARTICLES)
    night = [article(9_000 + id, f"총학생회 {id}", day=29 - id % 400, seen=29, summary="등록금") for id in range(30)]
    after = built([*ARTICLES, *night])
    moved = differing(before, after)
    assert not [path for path in moved if path.startswith("base/")]
    cards = [path for path in moved if path.startswith("delta/c/")]
    assert len(cards) <= 30 // A_FILE + 2
    assert "outlets.gz" not in moved
    assert "index.gz" in moved


def test_a_new_month_takes_what_was_new_into_the_base() -> None:
    before, after = built(ARTICLES), built([*ARTICLES, article(9_000, "십이월", day=31)])
    assert differing(before, after) & {path for path in before if path.startswith("base/")}
    assert [path for path in after if path.startswith("delta/c/")] == ["delta/c/0/0.z"]


def test_a_mended_title_changes_its_card_and_its_words_alone() -> None:
    place = next(at for at, one in enumerate(ARTICLES) if at > 50 and one.published)
    mended = list(ARTICLES)
    mended[place] = replace(ARTICLES[place], title=f"{ARTICLES[place].title} 햇")
    moved = differing(built(ARTICLES), built(mended))
    assert len([path for path in moved if "/c/" in path]) == 1
    assert len(moved) <= 8
    assert not [path for path in moved if path.startswith("delta/")]


@pytest.mark.parametrize(("day", "seen"), [(-300, -1), (20, 21)], ids=["base", "delta"])
@pytest.mark.parametrize("title", ["흩뿌려진 꿩깃 이야기", "깃발🪶 흩날린 뜰"], ids=["two bytes", "utf-8"])
def test_an_article_that_left_is_in_no_file(day: int, seen: int, title: str) -> None:
    gone = article(7_777, title, day=day, seen=seen, summary="꿩알 스무 개", byline="꿩 기자")
    held, left = built([*ARTICLES, gone]), built(ARTICLES)
    assert [path for path, body in held.items() if title in words(path, body)]
    for path, body in left.items():
        said = words(path, body)
        assert title not in said, path
        assert "꿩" not in said, path
        assert "7777" not in said, path


def test_files_stay_small() -> None:
    sizes = {path: len(body) for path, body in built(random_articles(12_000, 5)).items()}
    assert max(size for path, size in sizes.items() if "/s/" in path) < 12_000
    assert max(size for path, size in sizes.items() if "/p/" in path) < 6_500
    assert max(size for path, size in sizes.items() if "/c/" in path) < 2_000
    assert any("/p/" in path for path in sizes)


def test_a_text_cannot_break_out_of_its_row() -> None:
    files = built([article(1, "탭\t줄\n끝", day=-40, summary="a\x1fb", byline="c\rd"), article(2, "십일월", day=1)])
    rows = unpacked(files["base/c/0/0.z"])[1:].decode("cp949").split("\n")
    assert [row.split("\t")[0] for row in rows] == ["탭 줄 끝"]
    assert [row.count("\t") for row in rows] == [6]


def test_days_are_named_as_the_calendar_names_them() -> None:
    first = datetime.date(1970, 1, 1)
    for day in [*range(-719_162, 2_932_896, 371), -719_162, 2_932_896, -1, 0, 59, 60]:
        assert day_text(day) == (first + datetime.timedelta(days=day)).isoformat()


def test_addresses_of_an_outlet_are_cut_at_what_most_of_them_share() -> None:
    urls = ["https://a.example/v?id=1", "https://a.example/v?id=22", "https://b.example/x"]
    begins = Begins()
    for id, url in enumerate(urls):
        begins.add(replace(searchable(article(id, "x")), url=url))
    assert begins.most() == {1: "https://a.example/v?id="}
