"""Putting a site in place: whole or not at all, and no more than differs."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from build import folders, write
from build.pagekinds import Plain, Sheet
from build.records import BuildError, BuildMisuse
from build.write import Claim, Written

OURS = ("404.html", b'<meta name="site-root" content="/">')
HOUSE = [".site.build", "site"]
FIRST = [OURS, ("index.html", b"one"), ("o/a/index.html", b"two")]


def publish(out: Path, files: Iterable[tuple[str, bytes]], key: bytes = b"") -> Written:
    """Put these files in place; with a key all of them count as made from that state."""
    return write.publish(out, (Claim(path, "page", Plain(path, body), key) for path, body in files), bodies)


def bodies(sheets: Sequence[Sheet]) -> Iterator[bytes]:
    for sheet in sheets:
        assert isinstance(sheet, Plain)
        yield sheet.content


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def wrote(written: int, unchanged: int, removed: int, size: int) -> Written:
    files = written + unchanged
    return Written(written, unchanged, removed, size, files, (("page", files, size),))


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_first_build_writes_everything(tmp_path: Path) -> None:
    assert publish(tmp_path / "deep" / "site", FIRST) == wrote(3, 0, 0, 41)
    assert content(tmp_path / "deep" / "site") == dict(FIRST)
    assert names(tmp_path / "deep") == HOUSE


def test_the_same_files_again_write_nothing(tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(site, FIRST)
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (site, *site.rglob("*"))}
    assert publish(site, FIRST) == wrote(0, 3, 0, 41)
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (site, *site.rglob("*"))} == before


def test_only_what_differs_is_written_and_what_no_page_claims_is_removed(tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(site, FIRST)
    kept = (site / "index.html").stat()
    assert publish(site, [OURS, ("index.html", b"one"), ("o/b/index.html", b"new")]) == wrote(1, 2, 1, 41)
    assert content(site) == dict([OURS, ("index.html", b"one"), ("o/b/index.html", b"new")])
    assert not (site / "o" / "a").exists()
    assert ((site / "index.html").stat().st_mtime_ns, (site / "index.html").stat().st_ino) == (
        kept.st_mtime_ns,
        kept.st_ino,
    )


def test_an_old_page_is_never_changed_in_place(tmp_path: Path) -> None:
    """Unchanged files are shared between the old and the new site: writing into one would change the other."""
    site = tmp_path / "site"
    publish(site, FIRST)
    held = os.open(site / "index.html", os.O_RDONLY)
    try:
        publish(site, [OURS, ("index.html", b"changed")])
        assert os.read(held, 100) == b"one"
    finally:
        os.close(held)


def test_a_build_that_fails_on_the_way_leaves_the_previous_site(tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(site, FIRST)

    def broken() -> Iterator[tuple[str, bytes]]:
        yield OURS
        yield "index.html", b"half"
        raise BuildError("a page that cannot be made")

    with pytest.raises(BuildError, match="cannot be made"):
        publish(site, broken())
    assert content(site) == dict(FIRST)
    assert names(tmp_path) == HOUSE


def test_a_killed_build_leaves_the_previous_site_and_the_next_one_cleans_up(tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(site, FIRST)
    program = (
        "import os, signal\nfrom pathlib import Path\nfrom build.pagekinds import Plain\n"
        "from build.write import Claim, publish\n"
        "def files():\n"
        f"    for path, body in (('404.html', {OURS[1]!r}), ('index.html', b'half')):\n"
        "        yield Claim(path, 'page', Plain(path, body))\n"
        "def made(sheets):\n"
        "    yield sheets[0].content\n    yield sheets[1].content\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        f"publish(Path({str(site)!r}), files(), made)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    assert content(site) == dict(FIRST)
    assert names(tmp_path) == HOUSE
    publish(site, FIRST)
    assert content(tmp_path / ".site.build" / "ground").items() <= dict(FIRST).items()
    publish(site, [OURS, ("index.html", b"three")])
    assert content(site) == dict([OURS, ("index.html", b"three")])
    assert names(tmp_path) == HOUSE


def test_a_build_killed_between_its_two_renames_is_undone_by_the_next(tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(site, FIRST)
    site.rename(tmp_path / ".site.build" / "old")
    assert publish(site, FIRST) == wrote(0, 3, 0, 41)
    assert names(tmp_path) == HOUSE


def test_without_an_exchanging_rename_the_swap_takes_two_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_exchange", lambda one, other: False)
    site = tmp_path / "site"
    publish(site, FIRST)
    publish(site, [OURS, ("index.html", b"three")])
    assert content(site) == dict([OURS, ("index.html", b"three")])
    assert names(tmp_path) == HOUSE


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(BuildMisuse, match="did not make"):
        publish(tmp_path, FIRST)
    assert content(tmp_path) == {"thesis.txt": b"years of work"}


def test_a_checkout_is_left_alone_even_if_it_holds_our_site(tmp_path: Path) -> None:
    publish(tmp_path / "site", FIRST)
    (tmp_path / "site" / ".git").mkdir()
    with pytest.raises(BuildMisuse, match="did not make"):
        publish(tmp_path / "site", FIRST)


def test_a_file_where_the_site_should_stand_is_named(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("x")
    with pytest.raises(BuildMisuse, match="is a file"):
        publish(tmp_path / "site", FIRST)


def test_a_link_to_the_site_stays_a_link_and_what_it_leads_to_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    (tmp_path / "site").symlink_to("www/press")
    for first in ("one", "two", "three"):
        publish(tmp_path / "site", [OURS, ("index.html", first.encode()), ("kept.html", b"the same")])
        assert (tmp_path / "site").is_symlink()
        assert content(tmp_path / "www" / "press") == {
            OURS[0]: OURS[1], "index.html": first.encode(), "kept.html": b"the same"
        }  # fmt: skip
    assert names(tmp_path / "www") == [".press.build", "press"]


def test_a_second_build_of_the_same_site_is_turned_away_while_the_first_is_at_work(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("site")
    with write.alone(tmp_path / "site"):
        for same in ("site", "link"):
            with pytest.raises(BuildError, match="another build"), write.alone(tmp_path / same):
                raise AssertionError("two builds at once")
        with write.alone(tmp_path / "other"):
            pass
    assert names(tmp_path) == ["link"]
    with write.alone(tmp_path / "site"):
        publish(tmp_path / "site", FIRST)
    assert names(tmp_path) == [".site.build", "link", "site"]


def test_a_lock_dies_with_its_build(tmp_path: Path) -> None:
    program = (
        "import os, pathlib, sys; from build import write\nwith write.alone(pathlib.Path(sys.argv[1])): os._exit(9)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "site")]
    ended = subprocess.run(command, check=False, cwd=Path(__file__).parent.parent)
    assert ended.returncode == 9
    with write.alone(tmp_path / "site"):
        publish(tmp_path / "site", FIRST)
    assert content(tmp_path / "site") == dict(FIRST)


@pytest.mark.parametrize("path", ["../out.html", "/etc/x", "o//x", "o/../x", "o/.git/x", "a\x00b", "o/a b/x"])
def test_a_path_that_could_leave_the_site_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(BuildError, match="not a path of a site"):
        publish(tmp_path / "site", [OURS, (path, b"x")])
    assert not (tmp_path / "site").exists()


def test_two_pages_for_one_path_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="two pages claim this path"):
        publish(tmp_path / "site", [OURS, ("index.html", b"x"), ("index.html", b"y")])


def test_a_site_too_big_for_its_host_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "SITE_MAX_BYTES", 40)
    with pytest.raises(BuildError, match=r"passes 40 bytes at o/a/index\.html"):
        publish(tmp_path / "site", FIRST)
    assert list(tmp_path.iterdir()) == []


def test_a_page_becomes_a_folder_and_a_folder_a_page(tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(site, [OURS, ("x", b"page"), ("y/z", b"deep")])
    publish(site, [OURS, ("x/z", b"deep"), ("y", b"page")])
    assert content(site) == dict([OURS, ("x/z", b"deep"), ("y", b"page")])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("keyed", [False, True])
def test_build_after_build_the_site_is_just_what_was_claimed(tmp_path: Path, seed: int, keyed: bool) -> None:
    """Whatever the ground holds, folders where files go among it; and nothing that the site no longer shows stays there (P60)."""
    chance = random.Random(seed)
    site = tmp_path / "site"
    paths = ["index.html", "a", "a/b", "a/b/c", "a/d", "o/x/index.html", "o/y/index.html", "o/y/z"]
    for _ in range(12):
        bodies_of = {OURS[0]: OURS[1]}
        for path in chance.sample(paths, chance.randrange(len(paths))):
            parents = {path[:at] for at, sign in enumerate(path) if sign == "/"}
            if not parents & bodies_of.keys() and not any(other.startswith(f"{path}/") for other in bodies_of):
                bodies_of[path] = chance.choice([b"one", b"two", b"three"])
        claims = [Claim(path, "page", Plain(path, body), body if keyed else b"") for path, body in bodies_of.items()]
        before = content(site) if site.exists() else {}
        done = write.publish(site, claims, bodies)
        assert content(site) == bodies_of
        assert content(tmp_path / ".site.build" / "ground").items() <= bodies_of.items()
        assert done.written == sum(before.get(path) != body for path, body in bodies_of.items())
        assert done.removed == len(before.keys() - bodies_of.keys())
        if chance.random() < 0.2:
            with suppress(FileExistsError):
                (tmp_path / ".site.build" / "ground" / "a").mkdir(parents=True)
