"""Nights whose process is really killed: at any statement or file operation, or after so much of its own work.

A killed night runs in a forked process on virtual time; its servers' own log is written to a file, so that it outlives the
process and can be held against what the state remembers.
"""

from __future__ import annotations

import errno
import json
import os
import posix
import shutil
import signal
import sqlite3
import sys
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType

from crawl import pressfile, ranges
from crawl.clock import DAY_S, kst_day
from crawl.policy import Policy
from crawl.rolling import Limits
from tests.nights import FIRST_NIGHT, Hub, Scripted, answer, registry, rss
from tests.sim.web import Answer

URLS = [f"https://s{number % 3}.example/rss/{number}.xml" for number in range(6)]
LIMITS = Limits(articles=30, at_once=12)
A_NIGHT = 2
"""New articles of each feed a night: with six feeds, the third night rolls and the fourth rolls again."""
LATE_EDIT = 4
"""The night in which every feed mends its oldest title, which then stands in an older file."""


def title(feed: int, number: int, night: int) -> str:
    """The title of a feed's numbered article as it stands in a night."""
    return f"고친 기사 {feed}-{number}" if number == 1 and night >= LATE_EDIT else f"기사 {feed}-{number}"


def titles(night: int) -> set[str]:
    """Every title that a night's feeds show."""
    return {title(feed, number, night) for feed in range(len(URLS)) for number in range(1, night * A_NIGHT + 1)}


@dataclass(slots=True)
class Noting(Scripted):
    """Papers that grow from day to day; each request is noted in a file before it is answered."""

    log: Path = Path()
    answers: dict[str, list[Answer]] = field(default_factory=dict)

    def answer(self, url: str, headers: Mapping[str, str], now: float) -> Answer:
        """The whole paper of that day; a server knows its page by the day."""
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(json.dumps([now, url]) + "\n")
        feed, night = URLS.index(url), 1 + int((now - FIRST_NIGHT) // DAY_S)
        etag = f'"{night}"'
        if headers.get("If-None-Match") == etag:
            return answer(304, headers={"ETag": etag})
        shown = [title(feed, number, night) for number in range(1, night * A_NIGHT + 1)]
        return answer(body=rss(*shown, host=f"p{feed}.s{feed % 3}.example"), headers={"ETag": etag})


def noted(one: Hub) -> list[tuple[float, str]]:
    """All requests that any process sent, by the servers' own log."""
    log = one.root / "heard.jsonl"
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    return [(float(now), str(url)) for now, url in map(json.loads, lines)]


def hub(root: Path) -> Hub:
    """A hub over these papers in a folder, new or as it was left."""
    return Hub(root, Noting({}, log=root / "heard.jsonl"), registry(URLS), limits=LIMITS)


def three_nights(root: Path) -> Hub:
    """Three whole nights: the first range of articles has rolled off."""
    one = hub(root)
    for number in (1, 2, 3):
        one.night(number)
    return one


def copied(one: Hub, root: Path) -> Hub:
    """The same hub in another folder."""
    shutil.copytree(one.root, root)
    return hub(root)


# -- killing -----------------------------------------------------------------------------------------------------------


def in_its_own_process(task: Callable[[], None]) -> int:
    """Run a task in a forked process; returns the number of the signal that ended it, 0 where it came to its end."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            task()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status)
    assert os.WEXITSTATUS(status) == 0, "the night itself failed"
    return 0


STEPS = frozenset({"execute", "replace", "unlink", "fsync"})
"""The calls that reach the disk: every statement, a file put in place, taken away or flushed."""


def killed() -> None:
    """Nothing of the program runs afterwards."""
    os.kill(os.getpid(), signal.SIGKILL)


def full() -> None:
    """The disk takes no more; the program cleans up behind itself and ends."""
    raise OSError(errno.ENOSPC, "no space left on the device")


def at_step(
    task: Callable[[], None], step: int, count: Path | None = None, fate: Callable[[], None] = killed
) -> Callable[[], None]:
    """The task, met by its fate before its numbered step (0: never); `count` gets the name of each."""

    def run() -> None:
        done: list[str] = []

        def seen(frame: FrameType, event: str, called: object) -> None:
            name = getattr(called, "__name__", "")
            of = getattr(called, "__self__", None)
            if event == "c_call" and name in STEPS and (isinstance(of, sqlite3.Connection) or of is posix):
                done.append(name)
                if len(done) == step:
                    fate()

        sys.setprofile(seen)
        with suppress(*((OSError,) if fate is full else ())):
            task()
        sys.setprofile(None)
        if count is not None:
            count.write_text("\n".join(done))

    return run


def after_work(task: Callable[[], None], cpu_s: float) -> Callable[[], None]:
    """The task, ended by the system itself after so much work, wherever that is: amid a statement, a write, a flush."""

    def run() -> None:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, max(cpu_s, 0.001))
        task()
        signal.setitimer(signal.ITIMER_PROF, 0)

    return run


def steps(one: Hub, night: int, root: Path) -> list[str]:
    """The steps of a night, by name."""
    whole = copied(one, root)
    assert in_its_own_process(at_step(partial(run, whole, night), 0, root / "steps")) == 0
    return (root / "steps").read_text().splitlines()


def run(one: Hub, number: int) -> None:
    """A night, or what is left of one."""
    one.night(number, at=goes_on(one, number))


# -- judging -----------------------------------------------------------------------------------------------------------


Kill = Callable[[Callable[[], None]], Callable[[], None]]
"""Makes of a task one that is killed."""


def killed_night(one: Hub, number: int, *kills: Kill) -> list[str]:
    """Kill a night, look at what is left and let it be run again, as often as there are kills; then let it end and go on to
    the next one. Returns what went wrong."""
    wrong: list[str] = []
    committed = {url for (url,) in one.read("SELECT url FROM articles")}
    stored = set(committed)
    for kill in kills:
        in_its_own_process(kill(partial(run, one, number)))
        wrong += _left(one, committed)
        stored |= _stored(one)
    one.night(number, at=goes_on(one, number))
    wrong += _healed(one)
    lost = stored - {url for (url,) in one.read("SELECT url FROM articles")}
    wrong += [f"lost: {sorted(map(str, lost))}"] if lost else []
    one.night(number + 1)
    return wrong + _healed(one) + complete(one, number + 1) + judged(one)


def complete(one: Hub, night: int) -> list[str]:
    """Whether the record holds what the papers of a night show, each once."""
    found, shown = Counter(str(name) for (name,) in one.read("SELECT title FROM articles")), Counter(titles(night))
    return [] if found == shown else [f"missing: {sorted(shown - found)}, too many: {sorted(found - shown)}"]


def goes_on(one: Hub, number: int) -> float:
    """The moment at which a killed night is started again: a minute after its last request."""
    midnight = FIRST_NIGHT + (number - 1) * DAY_S
    return max([midnight, *(now + 60 for now, _ in noted(one) if now >= midnight)])


def _left(one: Hub, committed: set[object]) -> list[str]:
    """What a kill may leave: whole press files that hold every committed row, and a scratch file that no one commits."""
    wrong = [f"{path.name} is left" for path in one.data.iterdir() if path.suffix not in (".db", ".new")]
    held: set[object] = set()
    for path in pressfile.press_files(one.data):
        with closing(pressfile.read_only(path)) as db:
            pressfile.check(db, path)
            held |= {url for (url,) in db.execute("SELECT url FROM articles")}
    wrong += [f"in no press file: {sorted(map(str, committed - held))}"] if committed - held else []
    return wrong


def _stored(one: Hub) -> set[object]:
    """The addresses of the articles that the killed process had stored for good."""
    work = one.state / "work.db"
    if not work.exists():
        return set()
    with closing(sqlite3.connect(work)) as db:
        return {url for (url,) in db.execute("SELECT url FROM articles")}


def _healed(one: Hub) -> list[str]:
    wrong = [
        f"{path.name} is left"
        for path in one.data.iterdir()
        if not path.name.startswith("press") or path.suffix != ".db"
    ]
    wrong += [f"state/{path.name} is left" for path in one.state.iterdir() if path.name != "state.db"]
    ranges.whole(one.data)
    doubled = one.read("SELECT count(*) - count(DISTINCT key) + count(*) - count(DISTINCT id) FROM articles")
    return wrong + ([f"doubled rows: {doubled}"] if doubled != [(0,)] else [])


def judged(one: Hub) -> list[str]:
    """What the strict audit and the servers' own log say against the hub."""
    wrong = [f"the audit finds {name}: {rows}" for name, rows in one.breaches().items()]
    heard = noted(one)
    remembered = Counter(str(url) for (url,) in one.read("SELECT url FROM request_log"))
    forgotten = Counter(url for _, url in heard) - remembered
    return wrong + ([f"sent and forgotten: {dict(forgotten)}"] if forgotten else []) + ruder(heard)


def ruder(heard: list[tuple[float, str]]) -> list[str]:
    """What the servers' own log says: two looks at a source in a day, two requests without the promised gap."""
    wrong = []
    looks = Counter((kst_day(now), url) for now, url in heard)
    wrong += [f"{url} was asked {times} times on {day}" for (day, url), times in looks.items() if times > 1]
    servers = defaultdict(list)
    for now, url in heard:
        servers[url.split("/")[2]].append(now)
    for server, times in servers.items():
        gaps = [later - earlier for earlier, later in zip(sorted(times), sorted(times)[1:], strict=False)]
        if min(gaps, default=DAY_S) < Policy().spacing_s + 0.5:
            wrong.append(f"{server} was asked again after {min(gaps)} s")
    return wrong
