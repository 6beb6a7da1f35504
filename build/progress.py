"""What a build tells the person who waits for it: how far it is while it lasts, and what the site weighs at its end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from build.write import SITE_MAX_BYTES, Written

LINE_EVERY_S = 60


class Teller:
    """Shows a build's progress: a bar on a terminal, a line a minute in a log. `clock`: seconds that only go on."""

    def __init__(self, out: TextIO = sys.stderr, clock: Callable[[], float] = time.monotonic) -> None:
        self._out, self._clock = out, clock
        self._last_line = clock()
        self._bar: Bar | None = None
        if out.isatty():
            self._bar = Bar(TextColumn("files"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                            console=Console(file=out), transient=True)  # fmt: skip
            self._task = self._bar.add_task("files", total=None)
            self._bar.start()

    def __call__(self, done: int, expected: int) -> None:
        """Take note: files settled so far, and how many the build before had (0 where none is known)."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=max(done, expected) if expected else None)
        elif self._clock() >= self._last_line + LINE_EVERY_S:
            self._last_line = self._clock()
            print(f"{done:,} files" + (f" of about {expected:,}" if expected else ""), file=self._out, flush=True)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._bar is not None:
            self._bar.stop()


def budget(done: Written) -> str:
    """The weight of the site by kind of page, heaviest first, and how much of what its host allows is used."""
    rows = sorted(done.kinds, key=lambda row: (-row[2], row[0]))
    lines = [f"  {kind:<12}{files:>9,} files{size:>15,} bytes" for kind, files, size in rows]
    used = 100 * done.site_bytes / SITE_MAX_BYTES
    files = sum(row[1] for row in rows)
    lines.append(f"  {'all':<12}{files:>9,} files{done.site_bytes:>15,} bytes, {used:.1f} % of {SITE_MAX_BYTES:,}")
    return "\n".join(lines)
