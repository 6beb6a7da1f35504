"""The history purge of docs/purge.md, tried on a scratch repository with real git (P61)."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from crawl import pressfile
from crawl.exclusions import Exclusion, Exclusions
from crawl.store import Store
from tests.nights import Hub, Scripted, answer, registry, rss

SCRIPT = Path(__file__).resolve().parent.parent / "docs" / "purge.sh"
URL = "https://s.example/rss"
TITLE = "보랏빛 우산을 접은 날"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


def git(folder: Path, *words: str) -> bytes:
    """What a git command prints, by an author of its own."""
    who = ("-c", "user.name=Hub", "-c", "user.email=hub@campus.example", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, check=True)
    return done.stdout


def objects(folder: Path) -> list[bytes]:
    """The bytes of every object that any reference of a repository reaches."""
    names = [line.split()[0].decode() for line in git(folder, "rev-list", "--objects", "--all").splitlines()]
    return [git(folder, "cat-file", kind, name)
            for name in names for kind in [git(folder, "cat-file", "-t", name).decode().strip()]]  # fmt: skip


def holding(folder: Path, word: str) -> int:
    return sum(word.encode() in raw for raw in objects(folder))


def purge(repo: Path, into: Path, *paths: str, words: str = f"{TITLE}\n") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(SCRIPT), str(into), *paths], cwd=repo, input=words, capture_output=True, text=True, check=False
    )


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Three nights committed one by one, a report of one of them, and the wish carried out."""
    web = Scripted(
        {URL: [answer(body=rss(*titles, host="s.example")) for titles in ([TITLE], [TITLE, "둘"], [TITLE, "둘", "셋"])]}
    )
    one = Hub(tmp_path / "repo", web, registry([URL]))
    one.root.mkdir()
    git(one.root, "init", "--quiet", "--initial-branch=main")
    (one.root / ".gitignore").write_text("state/\n")
    for night in (1, 2, 3):
        one.night(night)
        (one.root / "README.md").write_text(f"night {night}\n")
        git(one.root, "add", ".")
        git(one.root, "commit", "--quiet", "-m", f"Night {night}")
    git(one.root, "tag", "v1")
    one.books = replace(one.books, exclusions=Exclusions([Exclusion("s", "outlet", "asked", None, date(2026, 3, 8))]))
    with closing(Store(one.data, one.state, one.books)) as store:
        store.publish()
    git(one.root, "commit", "--quiet", "--all", "-m", "Carry out a wish to be left out")
    return one.root


def test_P61_the_documented_command_leaves_no_object_with_the_title(repo: Path, tmp_path: Path) -> None:
    assert holding(repo, TITLE) == 3, "git's history holds every night's file"
    done = purge(repo, tmp_path / "new")
    assert (done.returncode, done.stderr) == (0, "")
    assert holding(tmp_path / "new", TITLE) == 0
    assert git(tmp_path / "new", "log", "--format=%s").decode().splitlines() == [
        "Begin the databases' history anew", "Night 3", "Night 2", "Night 1"]  # fmt: skip
    assert git(tmp_path / "new", "show", "HEAD~2:README.md") == b"night 2\n"
    assert (tmp_path / "new/data/press.db").read_bytes() == (repo / "data/press.db").read_bytes()
    with closing(pressfile.read_only(tmp_path / "new/data/press.db")) as db:
        pressfile.check(db, tmp_path / "new/data/press.db")
    assert git(repo, "status", "--porcelain") == b"", "the old repository stays as it was"


def test_P61_a_title_in_another_file_is_told_and_goes_where_its_path_is_given(repo: Path, tmp_path: Path) -> None:
    (repo / "reports").mkdir()
    (repo / "reports/night.md").write_text(f"# {TITLE}\n", "utf-8")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "A report")
    git(repo, "rm", "--quiet", "reports/night.md")
    git(repo, "commit", "--quiet", "-m", "No report")
    done = purge(repo, tmp_path / "told")
    assert done.returncode == 1
    assert "still holds one of the words" in done.stderr
    assert TITLE not in done.stdout + done.stderr
    assert purge(repo, tmp_path / "new", "reports/night.md").returncode == 0
    assert holding(tmp_path / "new", TITLE) == 0


@pytest.mark.parametrize("fault", ["changed", "there", "wordless"])
def test_the_purge_refuses_what_would_go_wrong(fault: str, repo: Path, tmp_path: Path) -> None:
    if fault == "changed":
        (repo / "README.md").write_text("not committed\n")
    if fault == "there":
        (tmp_path / "new").mkdir()
    done = purge(repo, tmp_path / "new", words="\n" if fault == "wordless" else f"{TITLE}\n")
    assert done.returncode == 2
    assert not (tmp_path / "new" / ".git").exists()
