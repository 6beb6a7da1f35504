"""The commands as a person runs them, over real sockets on loopback, and the words that promise them."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import build.cli
import crawl.cli
import crawl.clinight
from crawl import dial, hub
from crawl.connectto import ConnectTo
from tests import sitefixture
from tests.nights import rss

ROOT = Path(__file__).parent.parent
OUTLETS = """slug,name,name_en,university,univ,kind,homepage,region,status,title_only,former,note
hanbit-news,한빛대신문,Hanbit News,한빛대학교,hanbit,newspaper,https://news.hanbit.ac.example,서울,active,,,
saebom-ubs,새봄대방송국,Saebom UBS,새봄대학교,saebom,broadcaster,http://ubs.saebom.ac.example,부산,active,,,
"""
SOURCES = """outlet,kind,url,cms,state,recheck,note
hanbit-news,feed,https://news.hanbit.ac.example/rss/allArticle.xml,ndsoft,active,,
saebom-ubs,feed,http://ubs.saebom.ac.example/rss/allArticle.xml,ndsoft,active,,
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder as `init` writes it, with two outlets registered."""
    folder = tmp_path / "data"
    assert crawl.cli.main(["init", "--data", str(folder)]) == 0
    (folder / "outlets.csv").write_text(OUTLETS, encoding="utf-8")
    (folder / "sources.csv").write_text(SOURCES.replace("https://", "http://"), encoding="utf-8")
    return folder


class Campus(BaseHTTPRequestHandler):
    """Serves the same small feed for every host, with an ETag and real 304s; the host `broken` answers with HTML."""

    def do_GET(self) -> None:
        host = self.headers["Host"]
        body = b"<html><body>Not here</body></html>" if "broken" in host else rss(f"{host} 기사", host=host)
        if self.headers.get("If-None-Match") == '"same"':
            self.send_response(304)
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("ETag", '"same"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def web() -> Iterator[str]:
    """`--connect-to` for a loopback server that plays every registered host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Campus)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"::127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def crawl_in(data: Path, command: str, *more: str) -> int:
    words = shlex.split(command)
    folders = ["--data", str(data)] + (
        ["--state", str(data.parent / "state")] if words[0] in ("night", "audit", "plan", "status") else []
    )
    return crawl.cli.main([*words, *folders, *more])


def test_init_writes_a_set_of_files_that_check_finds_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    assert crawl_in(folder, "init") == 0
    names = {path.name for path in folder.iterdir()}
    assert names == {"outlets.csv", "sources.csv", "exclusions.csv", "hub.toml", "press.db"}
    assert crawl_in(folder, "check") == 0
    assert "everything is in order" in capsys.readouterr().out


def test_init_never_writes_over_a_file_and_makes_only_what_is_missing(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (data / "outlets.csv").read_bytes()
    assert crawl_in(data, "init") == 2
    assert "has all its files" in capsys.readouterr().err
    (data / "press.db").unlink()
    (data / "hub.toml").unlink()
    assert crawl_in(data, "init") == 0
    assert "wrote hub.toml, press.db" in capsys.readouterr().out
    assert (data / "outlets.csv").read_bytes() == before
    assert crawl_in(data, "check") == 0


def test_what_the_machine_refuses_is_told_in_a_sentence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data.parent / "state").write_text("a file where the folder should be", encoding="utf-8")
    assert crawl_in(data, "night --at 2026-03-05T00:00 --connect-to ::127.0.0.1:9") == 1
    told = capsys.readouterr().err
    assert str(data.parent / "state") in told
    assert "check who may write there" in told
    assert len(told.splitlines()) == 1


def test_a_file_that_is_not_there_is_no_question_of_a_full_disk(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert crawl_in(data, "import-videos no-such-file.csv") == 1
    told = capsys.readouterr().err
    assert "no-such-file.csv" in told
    assert "written right" in told
    assert "disk" not in told


def test_a_damaged_state_is_named_with_its_cure(data: Path, web: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert crawl_in(data, f"night --at 2026-03-05T00:00 --connect-to {web}") == 0
    (data.parent / "state" / "state.db").write_bytes(b"garbage" * 1000)
    assert crawl_in(data, f"night --at 2026-03-06T00:00 --connect-to {web}") == 1
    assert "move it away" in capsys.readouterr().err


def test_check_names_every_error_with_its_line_and_the_cure(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "sources.csv").write_text(SOURCES.replace("saebom-ubs,feed", "saebom-usb,fed"), encoding="utf-8")
    with (data / "hub.toml").open("a", encoding="utf-8") as file:
        file.write("\n[politeness]\nspacing_s = 1\n")
    (data / "press.db").write_bytes(b"not a database")
    assert crawl_in(data, "check") == 1
    printed = capsys.readouterr().out
    for wanted in ("sources.csv:3: ", "saebom-usb", "fed", "hub.toml:", "spacing_s", "press.db"):
        assert wanted in printed
    for line in printed.splitlines():
        assert re.match(r".+(:\d+)?: .+; .+", line), line


def test_check_names_a_stored_text_that_is_not_utf_8(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "press.db").unlink()
    sitefixture.fill(data / "press.db")
    capsys.readouterr()
    crawl_in(data, "check")
    assert "UTF-8" not in capsys.readouterr().out
    with closing(sqlite3.connect(data / "press.db")) as db, db:
        db.execute("UPDATE articles SET byline = CAST(x'b1e8' AS TEXT) WHERE id = 3")
    assert crawl_in(data, "check") == 1
    told = capsys.readouterr().out
    assert "holds a text that is not UTF-8 in articles.byline (row 3)" in told
    assert "from git" in told


def test_check_fix_sorts_and_then_finds_nothing(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head, first, second = OUTLETS.splitlines()
    (data / "outlets.csv").write_text("\r\n".join(["\ufeff" + head, second, first, ""]), encoding="utf-8")
    assert crawl_in(data, "check") == 1
    assert crawl_in(data, "check --fix") == 0
    assert (data / "outlets.csv").read_text(encoding="utf-8") == OUTLETS


def test_check_json_can_be_read_by_a_machine(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "outlets.csv").write_text(OUTLETS.replace("newspaper", "paper"), encoding="utf-8")
    capsys.readouterr()
    assert crawl_in(data, "check --json") == 1
    problem = json.loads(capsys.readouterr().out)[0]
    assert (problem["line"], set(problem)) == (2, {"file", "line", "what", "cure"})


def configure(data: Path, **values: str) -> None:
    """Fill in keys of hub.toml."""
    text = (data / "hub.toml").read_text(encoding="utf-8")
    for key, value in values.items():
        assert f'{key} = ""' in text
        text = text.replace(f'{key} = ""', f'{key} = "{value}"', 1)
    (data / "hub.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def never_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night that gets as far as opening its store is a failed test: nothing may be looked up, dialled or written."""

    def opened(*args: object) -> None:
        raise AssertionError("the night began")

    monkeypatch.setattr("crawl.clinight.Store", opened)
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)


@pytest.mark.usefixtures("never_sends")
@pytest.mark.parametrize(
    ("values", "here", "named"),
    [
        ({}, "press/hub", "needs a contact"),
        ({"repository": "press/hub"}, "press/hub", "needs a contact"),
        ({"contact": "hub@example.org"}, "press/hub", "fill in repository"),
        ({"contact": "hub@example.org", "repository": "press/hub"}, "fork/hub", "this is fork/hub"),
        ({"contact": "hub@example.org", "repository": "press/hub"}, "", "no GITHUB_REPOSITORY, no git origin"),
    ],
)
def test_a_scheduled_night_runs_only_where_hub_toml_says_and_with_a_contact(
    values: dict[str, str], here: str, named: str, data: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    configure(data, **values)
    if here:
        monkeypatch.setenv("GITHUB_REPOSITORY", here)
    assert crawl_in(data, "night") == 2
    assert named in capsys.readouterr().err
    assert not (data.parent / "state").exists()


@pytest.mark.usefixtures("never_sends")
def test_a_scheduled_night_begins_where_hub_toml_says(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(data, contact="hub@example.org", repository="press/hub")
    monkeypatch.setenv("GITHUB_REPOSITORY", "Press/Hub")
    with pytest.raises(AssertionError, match="the night began"):
        crawl_in(data, "night")


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("https://forge.example/press/hub.git", "press/hub"),
        ("https://forge.example/press/hub", "press/hub"),
        ("https://forge.example/press/hub/", "press/hub"),
        ("https://somebody:secret@forge.example/press/hub.git", "press/hub"),
        ("git@forge.example:press/hub.git", "press/hub"),
        ("ssh://git@forge.example:22/press/hub.x.git", "press/hub.x"),
        ("", ""),
    ],
)
def test_the_repository_is_the_workflows_own_word_or_else_gits_origin(origin: str, name: str, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    if origin:
        subprocess.run(["git", "-C", str(tmp_path), "config", "remote.origin.url", origin], check=True)
    assert crawl.clinight.repository_here(tmp_path, {}) == name
    assert crawl.clinight.repository_here(tmp_path, {"GITHUB_REPOSITORY": "other/one"}) == "other/one"


def test_P20_lanes_go_by_address_unless_the_operator_or_a_replay_says_otherwise() -> None:
    settings = hub.parse(hub.TEMPLATE.encode(), "hub.toml")
    promised = crawl.clinight.ways_to(settings, ConnectTo())
    assert promised.lane_of("news.example") == "?news.example"
    assert promised.resolve is not dial.look_up
    by_host = dataclasses.replace(settings, lane_by="host")
    for ways in (
        crawl.clinight.ways_to(by_host, ConnectTo()),
        crawl.clinight.ways_to(settings, ConnectTo(["::127.0.0.1:8000"])),
    ):
        assert (ways.lane_of("news.example"), ways.resolve) == ("news.example", dial.look_up)


def test_the_options_of_hub_toml_reach_the_night(data: Path, web: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (data / "hub.toml").read_text(encoding="utf-8")
    text = text.replace("feeds_obey_named_group = false", "feeds_obey_named_group = true")
    (data / "hub.toml").write_text(text, encoding="utf-8")
    assert crawl_in(data, f"night --at 2026-03-05T00:00 --connect-to {web}") == 0
    with closing(sqlite3.connect(data.parent / "state" / "state.db")) as db:
        asked = db.execute("SELECT purpose, count(*) FROM request_log GROUP BY purpose ORDER BY purpose").fetchall()
    assert asked == [("feed", 2), ("robots", 2)]


def test_a_replay_asks_for_neither_contact_nor_repository(data: Path, web: str) -> None:
    assert crawl_in(data, f"night --at 2026-03-05T00:00 --connect-to {web}") == 0


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("--connect-to ::192.0.2.1:80", "this machine"),
        ("--connect-to news.hanbit.ac.example::127.0.0.1:9", "this machine"),
        ("--connect-to ::127.0.0.1:9 --at yesterday", "--at yesterday"),
        ("--connect-to nonsense", "nonsense"),
        ("--now --at 2026-03-05T00:00", "--at is for replays"),
        ("--now --ca-file roots.pem", "--ca-file is for replays"),
        ("--connect-to ::127.0.0.1:9 --only nobody", "nobody"),
        ("--connect-to ::127.0.0.1:9 --until noon", "--until noon"),
    ],
)
def test_night_names_what_was_misused(words: str, named: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert crawl_in(data, f"night {words}") == 2
    assert named in capsys.readouterr().err


def test_a_broken_registry_stops_the_night_before_anything_is_sent(data: Path, web: str) -> None:
    (data / "sources.csv").write_text(SOURCES.replace("hanbit-news,feed", "hanbit-news,fead"), encoding="utf-8")
    assert crawl_in(data, f"night --now --connect-to {web}") == 1
    assert not (data.parent / "state").exists()


def test_two_nights_over_real_sockets_end_with_one_screen_and_an_audit_of_zeros(
    data: Path, web: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl_in(data, f"night --at 2026-03-05T00:00 --connect-to {web}") == 0
    first = capsys.readouterr().out
    assert "2 read, 0 unchanged" in first
    assert "0 breaches" in first
    assert len(first.splitlines()) <= 24
    assert crawl_in(data, f"night --at 2026-03-06T00:00 --connect-to {web} --json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["unchanged"], facts["asked"], facts["answered"], facts["breaches"]) == (2, 2, 2, 0)
    assert crawl_in(data, "audit") == 0
    table = capsys.readouterr().out.splitlines()[1:]
    assert all(line.split()[-1] == "0" for line in table)
    assert {line.split()[0] for line in table} >= {"P01", "P02", "P10", "P11", "P20", "P23", "P30", "P31", "P33", "P35", "P50",
                                                   "P51", "P60", "P70"}  # fmt: skip


def test_a_breach_in_the_log_makes_audit_exit_one_and_names_the_row(
    data: Path, web: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl_in(data, f"night --at 2026-03-05T00:00 --connect-to {web}") == 0
    with closing(sqlite3.connect(data.parent / "state" / "state.db")) as db, contextlib.suppress(StopIteration):
        db.execute("UPDATE request_log SET agent = 'Mozilla/5.0' WHERE id = 2")
        db.commit()
    capsys.readouterr()
    assert crawl_in(data, "audit") == 1
    assert re.search(r"^P01 .* 1  2$", capsys.readouterr().out, re.MULTILINE)


def test_a_night_stopped_by_sigterm_publishes_what_it_has_and_goes_on_later(data: Path, web: str) -> None:
    """As a job in the background, where the shell has made Ctrl-C ignored."""
    asked, go_on = threading.Event(), threading.Event()

    class Slow(Campus):
        def do_GET(self) -> None:
            if "saebom" in self.headers["Host"]:
                asked.set()
                go_on.wait(30)
            with contextlib.suppress(OSError):
                super().do_GET()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    command = [sys.executable, "-m", "crawl", "night", "--data", str(data), "--state", str(data.parent / "state"),
               "--at", "2026-03-05T00:00", "--connect-to", f"::127.0.0.1:{server.server_port}"]  # fmt: skip
    ignoring = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)  # noqa: E731
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, preexec_fn=ignoring) as night:
        assert asked.wait(30)
        night.send_signal(signal.SIGTERM)
        told = night.communicate(timeout=30)[1]
    go_on.set()
    server.shutdown()
    thread.join()
    server.server_close()
    assert night.returncode == 1
    assert "run again to finish the night" in told
    assert "Traceback" not in told
    crawl_in(data, f"night --at 2026-03-05T00:10 --connect-to {web}")
    with closing(sqlite3.connect(data / "press.db")) as db:
        assert db.execute("SELECT count(*) FROM nights").fetchone() == (1,)
        due, ok, failed, requests = db.execute("SELECT due, ok, failed, requests FROM nights").fetchone()
        assert (due, ok + failed, requests) == (2, 2, 2), "every source has its outcome, none was asked twice"
        assert db.execute("SELECT count(*) FROM articles").fetchone() == (ok,)


def test_failing_sources_are_named_and_fewer_than_half_answering_is_an_error(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(ThreadingHTTPServer(("127.0.0.1", 0), Campus).socket) as closed:
        port = closed.getsockname()[1]
    assert crawl_in(data, f"night --at 2026-03-05T00:00 --connect-to ::127.0.0.1:{port}") == 1
    printed = capsys.readouterr().out
    assert printed.count("refused_connection") == 2
    assert "http://ubs.saebom.ac.example/rss/allArticle.xml" in printed


def test_audit_without_a_night_says_which_file_is_missing(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert crawl_in(data, "audit") == 1
    assert "state.db" in capsys.readouterr().err


README_COMMANDS = [
    (name, line.split("#")[0].strip())
    for name in ("README.md", "README.ko.md")
    for block in re.findall(r"```\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
    if line.strip()
]


@pytest.mark.parametrize(("name", "line"), README_COMMANDS)
def test_every_command_of_the_readme_exists(name: str, line: str) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for command in line.split(" && "):
        match shlex.split(command):
            case ["make", target, *_]:
                assert target in targets
            case ["python", "-m", "crawl", *words]:
                assert crawl.cli._parser().parse_args(words).run
            case ["python", "-m", "build", *words]:
                assert words[0] in ("site", "check", "serve")
            case [program, *_]:
                assert program in ("sqlite3", "git"), f"{name} names {program}"


def test_no_politeness_number_stands_in_a_readme() -> None:
    for name in ("README.md", "README.ko.md"):
        text = re.sub(r"```.*?```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"\d+ ?(seconds|minutes|hours|초|분 |시간)", text), name


def test_help_stands_for_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for parser in (crawl.cli._parser(), build.cli._parser()):
        for line in parser.format_help().splitlines():
            assert "==SUPPRESS==" not in line
