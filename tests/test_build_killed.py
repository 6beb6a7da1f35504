"""A build that dies, or whose disk fills, at any of its steps: what stands is the old site or the new one, whole."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from build import folders, site
from build.cli import main
from tests import sitefixture
from tests.sitefixture import Story

WRITES = frozenset({"os.mkdir", "os.link", "os.rename", "os.remove", "os.rmdir", "os.truncate", "shutil.rmtree"})
SHUT, TRIED, ODD = 1, 60, 70
"""The exit status of a build whose disk failed, how many steps there are at least, and the status of a broken test."""


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def writes(event: str, args: tuple[object, ...]) -> bool:
    """Whether this is a step that changes the disk."""
    if event == "open":
        mode, flags = args[1], args[2]
        return (isinstance(mode, str) and mode[:1] in "wxa") or bool(isinstance(flags, int) and flags & os.O_WRONLY)
    return event in WRITES


def stepped(folder: Path, data: Path, at: Callable[[int], None], *, exchange: bool = True) -> tuple[int, list[str]]:
    """Build into `folder`/site in a process of its own, calling `at` before each step that changes the disk there.

    Gives the exit status (negative for a signal) and the steps of a build that came to its end.
    """
    told = folder.parent / "steps"
    told.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        status = ODD
        try:
            with open(os.devnull, "w") as nowhere:
                sys.stdout = sys.stderr = nowhere
                steps, here = list[str](), str(folder)

                def watch(event: str, args: tuple[object, ...]) -> None:
                    if (event in WRITES or event == "open") and here in repr(args) and writes(event, args):
                        steps.append(event)
                        at(len(steps))

                if not exchange:
                    folders._exchange = lambda one, other: False
                sys.addaudithook(watch)
                status = main(["site", "--data", str(data), "--out", str(folder / "site")])
                told.write_text("\n".join(steps))
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(ended), told.read_text().split() if told.exists() else []


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`old` with a site and its workshop, `data` of another day, and what must come of it in `new`."""
    root = tmp_path_factory.mktemp("killed")
    sitefixture.fill(root / "olddata" / "press.db")
    site.build(root / "olddata", root / "old" / "site")
    sitefixture.fill(root / "data" / "press.db", [*sitefixture.STORIES[1:], Story("mulgyeol", "새 글", "2026-11-30")])
    site.build(root / "data", root / "new" / "site")
    return root


def tried(sites: Path, place: Path, at: Callable[[int], None], *, exchange: bool = True) -> tuple[int, list[str]]:
    """One build over a fresh copy of the old site."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(sites / "old", place)
    return stepped(place, sites / "data", at, exchange=exchange)


def moments(steps: list[str]) -> list[int]:
    """Some of many steps: a few on the way, each at which something is renamed (the sites change places, the ledger comes
    into its own) with the next, and the last."""
    count = len(steps)
    assert count > TRIED
    renames = [number for number, step in enumerate(steps, 1) if step == "os.rename"]
    assert renames
    near = {number + more for number in renames for more in (0, 1)}
    return sorted({*range(1, count, count // 5), *near, count - 1, count} & {*range(1, count + 1)})


def whole(sites: Path, place: Path) -> None:
    """What stands is the old site or the new one, and the next build makes it the new one with nothing left over."""
    assert content(place / "site") in (content(sites / "old" / "site"), content(sites / "new" / "site"))
    site.build(sites / "data", place / "site")
    assert content(place / "site") == content(sites / "new" / "site")
    assert sorted(path.name for path in place.iterdir()) == [".site.build", "site"]
    held = content(place / ".site.build" / "ground")
    assert held.items() <= content(sites / "new" / "site").items(), "who left stays nowhere (P60)"


@pytest.mark.parametrize("exchange", [True, False], ids=["exchanged", "two renames"])
def test_a_build_killed_before_any_step_leaves_a_whole_site(sites: Path, tmp_path: Path, exchange: bool) -> None:
    place = tmp_path / "place"
    ended, steps = tried(sites, place, lambda count: None, exchange=exchange)
    assert ended == 0
    whole(sites, place)
    for moment in moments(steps):

        def kill(count: int, moment: int = moment) -> None:
            if count == moment:
                os.kill(os.getpid(), signal.SIGKILL)

        assert tried(sites, place, kill, exchange=exchange)[0] == -signal.SIGKILL
        if not (place / "site").exists():  # between two renames: the next build brings it back
            assert not exchange
            shutil.move(place / ".site.build" / "old", place / "site")
        whole(sites, place)


@pytest.mark.parametrize(
    ("exchange", "lasting"), [(True, True), (False, False)], ids=["exchanged, from then on", "two renames, once"]
)
def test_a_build_whose_disk_fails_at_any_step_leaves_a_whole_site(
    sites: Path, tmp_path: Path, exchange: bool, lasting: bool
) -> None:
    place = tmp_path / "place"
    _, steps = tried(sites, place, lambda count: None, exchange=exchange)
    for moment in moments(steps):

        def fail(count: int, moment: int = moment) -> None:
            if count == moment or (lasting and count > moment):
                raise OSError(errno.ENOSPC, "No space left on device")

        ended, _ = tried(sites, place, fail, exchange=exchange)
        assert ended in (0, SHUT), "a failing disk is told in words, by a status of its own"
        assert (place / "site").is_dir(), f"at step {moment} of {len(steps)}"
        whole(sites, place)


def test_a_folder_that_may_not_be_written_to_keeps_its_site(sites: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"

    def refuse(count: int) -> None:
        raise PermissionError(errno.EROFS, "Read-only file system")

    assert tried(sites, place, refuse)[0] == SHUT
    assert content(place) == content(sites / "old")


def test_the_test_would_see_a_half_site(sites: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    shutil.copytree(sites / "old", place)
    (place / "site" / "index.html").write_bytes(b"half")
    with pytest.raises(AssertionError):
        whole(sites, place)
