"""Every kind of page, the styles and the icon before the Nu Html Checker: no error."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests import wholesite

JAR = Path(__file__).resolve().parent / "validator" / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
UNKNOWN = re.compile("Property “(line-clamp|paint-order)” doesn't exist")
"""Properties that browsers know and this checker does not yet."""


def checker() -> list[str]:
    """How to start the checker; without it or Java the test skips, or fails where VALIDATOR_REQUIRED is set."""
    java = shutil.which("java")
    if java and JAR.is_file():
        return [
            java,
            "-Xss4m",
            "-jar",
            str(JAR),
            "--format",
            "gnu",
            "--errors-only",
            "--also-check-css",
            "--also-check-svg",
        ]
    lack = "the HTML checker needs Java and `npm ci --prefix tests/validator --ignore-scripts`"
    if os.environ.get("VALIDATOR_REQUIRED"):
        pytest.fail(lack)
    pytest.skip(lack)


def errors(*files: Path) -> list[str]:
    """What the checker says against these files."""
    done = subprocess.run([*checker(), *map(str, files)], capture_output=True, text=True, timeout=300)
    return [line for line in (done.stderr + done.stdout).splitlines() if line and not UNKNOWN.search(line)]


def test_every_kind_of_page_and_every_style_is_valid(whole_site: Path, tmp_path: Path) -> None:
    """Of a site with strange words, and of a hub before its first night."""
    paths = [unquote(path) for path in wholesite.pages(whole_site)]
    files = [whole_site / path / ("" if path.endswith(".html") else "index.html") for path in paths]
    assets = [*whole_site.rglob("*.css"), *whole_site.rglob("*.svg")]
    assert errors(*files, *assets, *wholesite.bare(tmp_path).rglob("*.html")) == []


def test_the_checker_would_find_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><html lang=ko><title>x</title><p><ul></ul></p><img src=x>")
    assert len(errors(page)) >= 2
