"""Pages of every kind of campus site against what a careful human reads on them.

The pages were written from facts about the systems, by someone who had not seen the parsers.
"""

from __future__ import annotations

import pytest

from tests.goldenpages import Golden, pairs, wrong


def _name(golden: Golden) -> str:
    return golden.name


@pytest.mark.parametrize("golden", pairs("lists"), ids=_name)
def test_a_list_gives_what_a_person_reads_on_it(golden: Golden) -> None:
    assert wrong(golden) == []


@pytest.mark.parametrize("golden", pairs("articles"), ids=_name)
def test_P11_an_article_page_gives_its_date_its_picture_and_its_wishes(golden: Golden) -> None:
    assert wrong(golden) == []


@pytest.mark.parametrize("golden", pairs("editions"), ids=_name)
def test_an_edition_page_gives_its_issues(golden: Golden) -> None:
    assert wrong(golden) == []
