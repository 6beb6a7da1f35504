"""A process killed at any moment: no committed row lost, no half file, nothing sent twice; the next night heals."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from crawl import pressfile, ranges
from crawl.errors import StoreDamaged
from tests import killing
from tests.killing import LATE_EDIT, after_work, at_step
from tests.nights import Hub

RANDOM_STEPS, RANDOM_MOMENTS, TWICE = 10, 10, 4
"""How many of each kind; `python -m bench.kills` tries every step, and moments by the hundred."""


@pytest.fixture
def three(memory_path: Path) -> Hub:
    """A hub with three nights behind it; in the fourth a range rolls off and articles of the first range are mended."""
    one = killing.three_nights(memory_path / "three")
    assert [path.name for path in pressfile.press_files(one.data)] == ["press-0001.db", "press.db"]
    return one


def test_the_night_that_is_killed_rolls_a_range_off_and_writes_an_older_file_anew(three: Hub) -> None:
    before = (three.data / "press-0001.db").read_bytes()
    three.night(LATE_EDIT)
    assert [path.name for path in pressfile.press_files(three.data)] == ["press-0001.db", "press-0002.db", "press.db"]
    assert (three.data / "press-0001.db").read_bytes() != before


def test_a_kill_before_any_file_is_flushed_placed_or_taken_away_is_healed(three: Hub, memory_path: Path) -> None:
    names = killing.steps(three, LATE_EDIT, memory_path / "counted")
    touching = [step for step, name in enumerate(names, start=1) if name != "execute"]
    assert len(touching) > 15
    for step in touching:
        one = killing.copied(three, memory_path / f"at-{step}")
        assert killing.killed_night(one, LATE_EDIT, partial(at_step, step=step)) == [], f"killed at step {step}"
        shutil.rmtree(one.root)


def test_a_kill_at_a_random_statement_is_healed_and_one_in_the_healing_too(three: Hub, memory_path: Path) -> None:
    rng, count = random.Random(20), len(killing.steps(three, LATE_EDIT, memory_path / "counted"))
    kills = [[rng.randint(1, count)] for _ in range(RANDOM_STEPS)]
    kills += [[rng.randint(count // 3, count), rng.randint(1, count)] for _ in range(TWICE)]
    for steps in kills:
        one = killing.copied(three, memory_path / "-".join(map(str, steps)))
        wrong = killing.killed_night(one, LATE_EDIT, *(partial(at_step, step=step) for step in steps))
        assert wrong == [], f"killed at steps {steps}"
        shutil.rmtree(one.root)


def test_a_kill_amid_a_statement_or_a_write_is_healed(three: Hub, memory_path: Path) -> None:
    rng = random.Random(21)
    for turn in range(RANDOM_MOMENTS):
        one = killing.copied(three, memory_path / f"moment-{turn}")
        cpu_s = rng.uniform(0.001, 0.12)
        wrong = killing.killed_night(one, LATE_EDIT, partial(after_work, cpu_s=cpu_s))
        assert wrong == [], f"killed after {cpu_s} s of work"
        shutil.rmtree(one.root)


def test_a_disk_that_is_full_at_any_moment_leaves_nothing_behind_and_is_healed(three: Hub, memory_path: Path) -> None:
    rng, names = random.Random(22), killing.steps(three, LATE_EDIT, memory_path / "counted")
    touching = [step for step, name in enumerate(names, start=1) if name != "execute"]
    for step in sorted({*touching, *(rng.randint(1, len(names)) for _ in range(RANDOM_STEPS))}):
        one = killing.copied(three, memory_path / f"full-{step}")
        wrong = killing.killed_night(one, LATE_EDIT, partial(at_step, step=step, fate=killing.full))
        assert wrong == [], f"full at step {step}, {names[step - 1]}"
        shutil.rmtree(one.root)


def killed_in_placing(three: Hub, root: Path) -> Hub:
    """A night killed between two press files: the older ones are in their places, press.db is not."""
    names = killing.steps(three, LATE_EDIT, root / "counted")
    placed = [step for step, name in enumerate(names, start=1) if name == "replace"]
    for step in placed:
        one = killing.copied(three, root / f"placing-{step}")
        killing.in_its_own_process(at_step(partial(killing.run, one, LATE_EDIT), step))
        try:
            ranges.whole(one.data)
        except StoreDamaged:
            return one
    raise AssertionError("no kill left files of two moments")


def test_files_of_two_moments_are_named_by_every_reader_until_the_night_has_gone_on(
    three: Hub, memory_path: Path
) -> None:
    one = killed_in_placing(three, memory_path)
    one.night(LATE_EDIT, at=killing.goes_on(one, LATE_EDIT))
    ranges.whole(one.data)
    one.night(LATE_EDIT + 1)
    assert killing.complete(one, LATE_EDIT + 1) + killing.judged(one) == []


def test_files_of_two_moments_without_their_work_database_are_refused_with_the_cure(
    three: Hub, memory_path: Path
) -> None:
    one = killed_in_placing(three, memory_path)
    for path in one.state.glob("work*"):
        path.unlink()
    with pytest.raises(StoreDamaged, match="one and the same commit of git"):
        one.night(LATE_EDIT + 1)
    for path in pressfile.press_files(one.data):
        path.unlink()
    for path in pressfile.press_files(three.data):
        shutil.copyfile(path, one.data / path.name)
    one.night(LATE_EDIT + 1)
    assert killing.complete(one, LATE_EDIT + 1) + killing.ruder(killing.noted(one)) == []


# -- data and state that do not fit each other ---------------------------------------------------------------------------


def lost(one: Hub, older: Hub) -> None:
    """The state is gone."""
    shutil.rmtree(one.state)


def stale(one: Hub, older: Hub) -> None:
    """The state is that of the first night."""
    shutil.rmtree(one.state)
    shutil.copytree(older.state, one.state)


def refused(one: Hub, older: Hub) -> None:
    """The night's press files were refused by a reviewer: those of the first night stand, the state went on."""
    shutil.rmtree(one.data)
    shutil.copytree(older.data, one.data)


@pytest.mark.parametrize("killed", [False, True], ids=["whole night", "killed night"])
@pytest.mark.parametrize("misfit", [lost, stale, refused])
def test_P10_P20_a_state_lost_stale_or_ahead_loses_no_entry_and_makes_nothing_ruder(
    misfit: Callable[[Hub, Hub], None], killed: bool, memory_path: Path
) -> None:
    one = killing.hub(memory_path / "one")
    one.night(1)
    older = killing.copied(one, memory_path / "older")
    one.night(2)
    one.night(3)
    if killed:
        step = len(killing.steps(one, LATE_EDIT, memory_path / "counted")) // 2
        assert killing.in_its_own_process(at_step(partial(killing.run, one, LATE_EDIT), step)) != 0
    else:
        one.night(LATE_EDIT)
    misfit(one, older)
    one.night(LATE_EDIT, at=killing.goes_on(one, LATE_EDIT))
    assert killing.ruder(killing.noted(one)) == [], "the same day again"
    for number in (LATE_EDIT + 1, LATE_EDIT + 2):
        one.night(number)
        assert killing.complete(one, number) == []
        assert one.breaches() == {}
    assert killing.ruder(killing.noted(one)) == []
    ranges.whole(one.data)
