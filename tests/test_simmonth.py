"""Nights over lists, article pages, films and issues: the database must say what the pages told, as the servers' log has it."""

from __future__ import annotations

import pytest

from bench import month
from crawl.clock import DAY_S
from tests import anyweb
from tests.sim.campus import Campus
from tests.sim.web import Web

NIGHTS = 16
HOUSES = 15
ALWAYS = ("recall", "precision", "date", "kind", "picture", "wish")


@pytest.fixture(scope="module")
def scores() -> dict[str, month.Score]:
    """What sixteen nights over the demo's houses brought, by family; their audits found nothing."""
    campus = Campus(4, 0, houses=HOUSES)
    web = Web(campus, 4)
    with anyweb.in_memory() as root:
        month.run(root, campus, web, NIGHTS)
        rows = list(month.stored(root))
    return month.compare(campus, web, rows, month.FIRST_NIGHT + NIGHTS * DAY_S)


@pytest.mark.parametrize(
    "family", ["ndsoft A", "gnuboard", "plain, no dates", "ndsoft C webzine", "k2web", "xe", "ndsoft D", "mediaon", "editions",
               "film feed", "ndsoft B English", "velog"],
)  # fmt: skip
def test_P02_P03_P11_what_the_pages_of_a_family_told_is_what_the_database_says(
    scores: dict[str, month.Score], family: str
) -> None:
    score = scores[family]
    assert score.every["recall"] > 10
    wrong = {column: score.misses[column][:3] for column in ALWAYS if score.right[column] < score.every[column]}
    assert wrong == {}


def test_I31_P03_pictures_are_those_of_the_pages_that_were_read(scores: dict[str, month.Score]) -> None:
    assert sum(score.every["picture"] for score in scores.values()) > 30
    assert sum(score.every["film"] for score in scores.values()) > 3


def test_a_score_tells_what_is_missing_and_what_is_wrong() -> None:
    campus = Campus(4, 0, houses=1)
    web = Web(campus, 4)
    web.answer(campus.sources[0].url, {}, month.FIRST_NIGHT)
    [score] = month.compare(campus, web, [], month.FIRST_NIGHT).values()
    assert (score.right["recall"], score.every["recall"]) == (0, 20)
    piece = campus.sources[0].shown(month.FIRST_NIGHT)[0]
    row = month.Row(
        (), campus.outlets[0].slug, piece.url, "다른 제목", "", "", None, "none", "video", "", None, None, ""
    )
    stray = month.Row(
        (), campus.outlets[0].slug, "https://news.example/1", "", "", "", None, "none", "article", "", None, None, ""
    )
    [score] = month.compare(campus, web, [row, row, stray], month.FIRST_NIGHT).values()
    assert (score.right["recall"], score.right["precision"], score.every["precision"]) == (1, 1, 3)
    assert [score.right[column] for column in ("title", "date", "exact", "byline", "kind")] == [0] * 5
