"""The same database gives the same bytes: on any day, in any time zone, language and hash order, pages made in any order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from build import site
from tests.test_build_killed import content

ROOT = Path(__file__).resolve().parent.parent
ELSEWHERE = (
    {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "1"},
    {"TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "2", "LANGUAGE": "tr"},
)
PROGRAM = """
import time, sys
time.time = lambda: 4_000_000_000.0
time.time_ns = lambda: 4_000_000_000_000_000_000
time.tzset()
import locale
from contextlib import suppress
with suppress(locale.Error):
    locale.setlocale(locale.LC_ALL, "")
from build.cli import main
sys.exit(main(["site", "--data", sys.argv[1], "--out", sys.argv[2]]))
"""
CLOCK = re.compile(
    r"\b(?:now|today|utcnow|localtime|gmtime|mktime|ctime|time_ns|getlocale|setlocale|gettz|astimezone)\(\)|\btime\.time\b|\btime\(\)"
)


@pytest.mark.parametrize("there", ELSEWHERE, ids=["Kiritimati", "St. John's"])
def test_the_same_bytes_on_any_day_in_any_zone_language_and_hash_order(
    whole_site: Path, tmp_path: Path, there: dict[str, str]
) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "PYTHON"))} | there
    command = [sys.executable, "-c", PROGRAM, str(whole_site.parent), str(tmp_path / "site")]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "site") == content(whole_site)


def test_the_same_bytes_in_any_order_of_building(
    whole_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sitemap alone names pages in the order they were made."""
    monkeypatch.setattr(site, "KINDS", tuple(reversed(site.KINDS)))
    site.build(whole_site.parent, tmp_path / "site")
    here, there = content(whole_site), content(tmp_path / "site")
    lines = [sorted(found.pop("sitemap.xml").splitlines()) for found in (here, there)]
    assert lines[0] == lines[1]
    assert here == there


def test_no_code_that_makes_pages_reads_a_clock_or_a_language() -> None:
    """A running command tells its reader how long it takes; that alone may look."""
    found = {
        path.name: CLOCK.findall(path.read_text("utf-8"))
        for path in (ROOT / "build").glob("*.py")
        if path.name not in ("progress.py", "serve.py")
    }
    assert len(found) > 50
    assert {name: hits for name, hits in found.items() if hits} == {}
