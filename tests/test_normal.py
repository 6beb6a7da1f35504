"""What counts as the same text, held to the table that the browser's twin is held to as well."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build.normal import normal

CASES = json.loads((Path(__file__).parent / "normal_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_every_case_of_the_shared_table(text: str, expected: str) -> None:
    assert normal(text) == expected


def test_what_readers_take_for_the_same_is_the_same() -> None:
    assert normal("학생 자치") == normal("학생자치") == normal("학생\u3000자치")
    assert normal("학생") == normal("\u1112\u1161\u11a8\u1109\u1162\u11bc")
    assert normal("STRASSE") == normal("Straße") == normal("strasse")
    assert normal("ΟΔΟΣ") == normal("οδος") == normal("οδοσ")
    assert normal("학생") != normal("학셍")


def test_every_character_that_python_calls_a_space_goes_and_no_other() -> None:
    gone = {code for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000 and not normal(chr(code))}
    assert gone == {code for code in range(sys.maxunicode + 1) if chr(code).isspace()}


@given(st.text(), st.text())
def test_a_part_that_ends_at_a_space_stays_a_part(start: str, end: str) -> None:
    assert normal(start) in normal(f"{start} {end}")
    assert normal(end) in normal(f"{start} {end}")
