"""What the diff of a large record costs: `python -m bench.diff [ROWS]` compares 450,000 rows with a seeded change set.

Prints CPU seconds of the comparison and whether it found exactly what was changed.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from datetime import date
from pathlib import Path

from crawl import clidiff, diffhtml, diffmarkdown, pressfile
from crawl.exclusions import Exclusion, Exclusions
from tests import twostates

PER_FILE = 50_000
OUTLETS = 150
WISHES = Exclusions(
    [Exclusion(f"gone{n}.example", "host", "outlet-asked", None, date(2026, 3, 1)) for n in range(20)]
    + [Exclusion(f"https://press{n}.example/old", "prefix", "outlet-asked", None, date(2026, 3, 1)) for n in range(3)]
    + [Exclusion(f"{n:016x}", "url", "author-asked", None, date(2026, 3, 1)) for n in range(900_000, 900_050)]
)
"""As many as a hub may have after years, none of which any row is covered by."""


def main(rows: int, *, everywhere: bool) -> None:
    """Compare a record of so many rows with a later one; `everywhere`: edits in every file, else in the newest alone."""
    pick = random.Random(20_260_305)
    with tempfile.TemporaryDirectory() as scratch:
        spans = [(first + 1, first + PER_FILE) for first in range(0, rows - PER_FILE, PER_FILE)]
        old = twostates.write(Path(scratch) / "old", map(_article, range(1, rows + 1)), outlets=OUTLETS,
                              spans=spans)  # fmt: skip
        new = Path(scratch) / "new"
        shutil.copytree(old, new)
        chosen = pick.sample(range(1 if everywhere else rows - PER_FILE + 1, rows + 1), 900)
        retitled, retagged, gone = (sorted(chosen[part::3]) for part in range(3))
        gone = gone[:40]
        for path in pressfile.press_files(new):
            with closing(sqlite3.connect(path)) as db:
                db.executemany("UPDATE articles SET title = title || ' (수정)' WHERE id = ?", ((n,) for n in retitled))
                db.executemany("UPDATE article_tags SET tag = tag % 12 + 1 WHERE article = ?", ((n,) for n in retagged))
                for n in gone:
                    db.execute("DELETE FROM article_tags WHERE article = ?", (n,))
                    db.execute("UPDATE articles SET url = '', title = '', summary = '' WHERE id = ?", (n,))
                if path.name == "press.db":
                    twostates.night(db, twostates.NIGHTS + 1, OUTLETS)
                    twostates.add(db, *(twostates.tonight(rows + n, outlets=OUTLETS) for n in range(1, 241)))
                db.commit()
        sides = [pressfile.press_files(folder) for folder in (old, new)]
        size = sum(path.stat().st_size for path in sides[1])
        begun = time.process_time()
        found = clidiff.review(*sides, WISHES, None)
        judged = time.process_time()
        told = len(diffmarkdown.write(found)), len(diffhtml.write(found))
        ended = time.process_time()
        exact = (
            [one.id for one in found.diff.new] == list(range(rows + 1, rows + 241))
            and {one.after.id for one in found.diff.edits if "title" in one.fields} == set(retitled)
            and {one.after.id for one in found.diff.edits if one.fields == ("tags",)} == set(retagged)
            and len(found.diff.gone) == len(gone)
        )
        where = "everywhere" if everywhere else "in the newest file"
        print(f"{rows:,} rows in {len(sides[0])} files, {size / 1e6:.0f} MB, edits {where}")
        print(f"  compared and judged in {judged - begun:.2f} s of CPU, reports in {ended - judged:.2f} s ({told[0]:,} and "
              f"{told[1]:,} characters); exact: {exact}; {found.verdict}")  # fmt: skip


def _article(number: int) -> twostates.Facts:
    """A row as long as real ones are: 36 MB for 50,000 (data.md)."""
    summary = f"{number}번째 기사의 요약. " + "학생들은 이번 결정에 아쉬움을 나타냈다. " * 6
    return twostates.article(number, OUTLETS, summary=summary, key=number.to_bytes(8, "big"))


if __name__ == "__main__":
    for spread in (False, True):
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 450_000, everywhere=spread)
