"""Nights killed by the hundred: `python -m bench.kills [RANDOM]` at so many random steps and moments (200), `every` at each step.

Each killed night is looked at, run again and followed by another; whatever is lost, doubled, half-written, sent twice or
forgotten is printed.
"""

from __future__ import annotations

import random
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tests import anyweb, killing
from tests.killing import LATE_EDIT, Kill, after_work, at_step


def randomly(count: int, steps: int) -> Iterator[tuple[str, tuple[Kill, ...]]]:
    """Half of them before a step, half amid the work; every fourth is killed again as it heals."""
    rng = random.Random(count)
    for turn in range(count):
        drawn: list[tuple[str, Kill]] = []
        for _ in range(2 if turn % 4 == 3 else 1):
            if turn % 2:
                step = rng.randint(1, steps)
                drawn.append((f"step {step}", partial(at_step, step=step)))
            else:
                cpu_s = rng.uniform(0.0005, 0.12)
                drawn.append((f"{cpu_s:.4f} s of work", partial(after_work, cpu_s=cpu_s)))
        yield " and ".join(name for name, _ in drawn), tuple(kill for _, kill in drawn)


def main(words: Sequence[str]) -> int:
    """Kill them; 1 where anything went wrong."""
    wrong = killed = 0
    begun = time.perf_counter()
    with anyweb.in_memory() as root:
        three = killing.three_nights(Path(root, "three"))
        steps = len(killing.steps(three, LATE_EDIT, Path(root, "counted")))
        every = [(f"step {step}", (partial(at_step, step=step),)) for step in range(1, steps + 1)]
        for name, kills in every if words == ["every"] else randomly(int(words[0]) if words else 200, steps):
            one = killing.copied(three, Path(root, "one"))
            found = killing.killed_night(one, LATE_EDIT, *kills)
            killed += 1
            if found:
                wrong += 1
                print(f"killed at {name}: {found}", flush=True)
            shutil.rmtree(one.root)
    print(f"{killed} nights of {steps} steps killed: {wrong} went wrong; {time.perf_counter() - begun:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
