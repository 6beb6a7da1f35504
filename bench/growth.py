"""What the record costs git: `python -m bench.growth [NIGHTS] [HEADLINES]` (120 nights; a file of Korean headlines, one a line).

Real nights on virtual time over 320 sources on 250 servers, 240 new articles a night, each night committed with real git.
A night's cost is the thin pack that a push of its commit sends (`git pack-objects --thin`); the whole history after `git gc`
is printed too. Beside it stand the same records as NDJSON, a line a row and a file a table. `servers_last_night` is replaced
every night and counted apart: every tenth night is committed a second time without its rows, and so is the night before it.
Without a file of headlines the words are made up, as Korean as syllables are. At the end one night is made to roll.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from crawl import pressfile
from crawl.clock import DAY_S, kst_text, parse_at
from crawl.night import Night
from crawl.policy import Policy
from crawl.rolling import LIMITS, Limits
from crawl.store import Store
from tests.nights import feed, registry
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Answer

MIDNIGHT = parse_at("2026-12-01T00:00")
SOURCES, SERVERS, A_NIGHT, SHOWN = 320, 250, 240, 20
EDITED = 0.01
"""The share of titles that are mended on their second day."""
APART_EVERY = 10
KB = 1000


def made_up(rng: random.Random) -> list[str]:
    """Headlines without a meaning: words of common syllables."""
    syllables = [chr(0xAC00 + rng.randrange(11_172)) for _ in range(400)]
    words = ["".join(rng.choices(syllables, k=rng.choice((2, 2, 3, 4)))) for _ in range(6_000)]
    return [" ".join(rng.choices(words, k=rng.randint(4, 9))) for _ in range(50_000)]


@dataclass
class Papers:
    """Feeds that show their newest articles; a night's new ones are spread over some of them.

    No text stands in two articles, or git would find it in the night before: each title is a headline of its own, and a
    summary draws its words one by one, evenly from all, which packs worse than any real sentence.
    """

    headlines: Sequence[str]
    urls: Sequence[str]
    nights: int
    shown: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    number: dict[str, int] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Draw who publishes how much when: (article, night); night -1 is what stood there before."""
        rng, article = random.Random(5), 0
        self.headlines = rng.sample(self.headlines, len(self.headlines))
        self.words = sorted({word for line in self.headlines for word in line.split()})
        self.number = {url: at for at, url in enumerate(self.urls)}
        for url in self.urls:
            self.shown[url] = [(article + at, -1) for at in range(SHOWN)]
            article += SHOWN
        for night in range(1, self.nights):
            for url in rng.choices(self.urls, k=A_NIGHT):
                self.shown[url].append((article, night))
                article += 1

    def answer(self, url: str, headers: Mapping[str, str], now: float) -> Answer:
        """A feed as of its day, or 304; nobody has a robots.txt."""
        if url not in self.shown:
            return Answer(404, (), b"", self._duration_s(url, now))
        night = int((now - MIDNIGHT) // DAY_S)
        current = [one for one in self.shown[url] if one[1] <= night][-SHOWN:]
        mended = [one for one in current if self._mended(*one, night)]
        etag = f'"{current[-1][0]}-{len(mended)}"'
        if headers.get("If-None-Match") == etag:
            return Answer(304, (("ETag", etag),), b"", self._duration_s(url, now))
        body = self._feed(url, current, {article for article, _ in mended})
        return Answer(200, (("ETag", etag), ("Content-Type", "text/xml")), body, self._duration_s(url, now))

    def _duration_s(self, url: str, now: float) -> float:
        """No two nights take equally long, so no two write the same times."""
        return round(0.1 + min(8.0, random.Random(f"{url}{now}").expovariate(1.0)), 3)

    def address(self, host: str) -> str:
        """A public address for each server."""
        return f"11.{random.Random(host).randrange(1, 250)}.{random.Random(host + '/').randrange(1, 250)}.1"

    def closed(self, number: int, ended: float) -> None:
        """The asker hung up."""

    def _mended(self, article: int, published: int, night: int) -> bool:
        return published >= 0 and night > published and random.Random(f"edit{article}").random() < EDITED

    def _feed(self, url: str, articles: Sequence[tuple[int, int]], mended: set[int]) -> bytes:
        host = urlsplit(url).netloc
        items = [self._item(host, self.number[url], *one, mended=one[0] in mended) for one in reversed(articles)]
        head = '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>한빛대신문</title>'
        return f"{head}{''.join(items)}</channel></rss>".encode()

    def _item(self, host: str, paper: int, article: int, night: int, *, mended: bool) -> str:
        rng = random.Random(f"article{article}")
        title = self.headlines[article % len(self.headlines)] + (" (종합)" if mended else "")
        text = " ".join(rng.choices(self.words, k=60))[: rng.randint(120, 240)]
        name = rng.choice("김이박최정강조윤장임") + "".join(rng.choices("서준하윤도현지우민수빈은", k=2))
        date = kst_text(MIDNIGHT + (night if night >= 0 else -1 - article % 90) * DAY_S - rng.randrange(DAY_S))[:19]
        return (
            f"<item><title>{escape(title)}</title><link>http://www.{host}/news/articleView.html?idxno={10_000 + article}</link>"
            f"<description>{escape(text)}</description><author>{name} 기자</author><category>{paper % 40}면</category>"
            f"<pubDate>{date.replace('T', ' ')}</pubDate></item>"
        )


# -- git ---------------------------------------------------------------------------------------------------------------


@dataclass
class Repository:
    """A scratch repository and what each push to it would send."""

    root: Path
    pushes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True)
        self._git("init", "--quiet", "--initial-branch=main")
        for name, value in (("user.name", "bench"), ("user.email", "bench@hub.example"), ("gc.auto", "0"),
                            ("core.looseCompression", "1")):  # fmt: skip
            self._git("config", name, value)

    def commit(self) -> int:
        """Commit what lies there; returns the bytes of the pack that a push sends."""
        first = subprocess.run(
            ["git", "-C", str(self.root), "rev-parse", "--verify", "--quiet", "HEAD"], capture_output=True, check=False
        ).returncode
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message=Night")
        wanted = "HEAD\n" if first else "HEAD\n^HEAD~1\n"
        words = ("pack-objects", "--quiet", "--thin", "--delta-base-offset", "--revs", "--stdout")
        self.pushes.append(len(self._git(*words, given=wanted.encode())))
        return self.pushes[-1]

    def packed_bytes(self) -> int:
        """The whole history after `git gc`."""
        self._git("gc", "--quiet", "--prune=now")
        return sum(path.stat().st_size for path in (self.root / ".git" / "objects" / "pack").iterdir())

    def _git(self, *words: str, given: bytes = b"") -> bytes:
        return subprocess.run(
            ["git", "-C", str(self.root), *words], input=given, capture_output=True, check=True
        ).stdout


def as_ndjson(data: Path, folder: Path) -> None:
    """The same records, a line a row and a file a table; `servers_last_night` is counted apart."""
    with closing(pressfile.read_only(data / "press.db")) as db:
        for table in pressfile.tables(pressfile.PRESS_SQL):
            if table == "servers_last_night":
                continue
            rows = db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")
            names = [column[0] for column in rows.description]
            with open(folder / f"{table}.ndjson", "w", encoding="utf-8") as file:
                for row in rows:
                    facts = {name: value.hex() if isinstance(value, bytes) else value
                             for name, value in zip(names, row, strict=True)}  # fmt: skip
                    file.write(json.dumps(facts, ensure_ascii=False, separators=(",", ":")) + "\n")


def without_servers(press: Path, target: Path) -> None:
    """The same file, written the same way, without what each server was sent."""
    work = target.with_name("work.db")
    shutil.copyfile(press, work)
    with closing(sqlite3.connect(work, isolation_level=None)) as db:
        db.execute("DELETE FROM servers_last_night")
    pressfile.place(pressfile.write(work, target, pressfile.Part(pressfile.PRESS_SQL, pressfile.VIEWS_SQL)), target)
    work.unlink()


# -- the nights --------------------------------------------------------------------------------------------------------


@cache
def books() -> tuple[str, ...]:
    """320 feeds on 250 servers."""
    return tuple(f"https://s{at % SERVERS}.example/rss/{at}" for at in range(SOURCES))


def night(root: Path, web: Papers, number: int, limits: Limits = LIMITS) -> int:
    """One night; returns its new articles."""
    clock, policy = VirtualClock(MIDNIGHT + number * DAY_S), Policy()
    registered = registry([feed(url) for url in books()])
    with closing(Store(root / "data", root / "state", registered, limits)) as store:
        Night(store, VirtualWorkers(web, clock, policy), clock, policy, registered.exclusions).run()
        store.publish()
        shown = "SELECT new_articles FROM nights ORDER BY id DESC LIMIT 1"
    with closing(pressfile.read_only(root / "data" / "press.db")) as db:
        return int(db.execute(shown).fetchone()[0])


def growth(root: Path, nights: int, headlines: Sequence[str]) -> bool:
    """Run, commit, print; whether the promises hold."""
    web = Papers(headlines, books(), nights + 1)
    ours, lines, apart = Repository(root / "git"), Repository(root / "ndjson"), []
    begun = time.perf_counter()
    previous = root / "previous.db"
    for number in range(nights):
        new = night(root, web, number)
        press = root / "data" / "press.db"
        shutil.copyfile(press, ours.root / "press.db")
        as_ndjson(root / "data", lines.root)
        sent, as_lines = ours.commit(), lines.commit()
        if number and number % APART_EVERY == 0:
            bare = Repository(root / f"bare-{number}")
            without_servers(previous, bare.root / "press.db")
            bare.commit()
            without_servers(press, bare.root / "press.db")
            apart.append(sent - bare.commit())
            shutil.rmtree(bare.root)
        shutil.copyfile(press, previous)
        if number % APART_EVERY == 0 or number == 1:
            print(
                f"night {number + 1:3}: {new:4} new, press.db {press.stat().st_size / KB:6.0f} KB, push {sent / KB:6.1f} KB,"
                f" as NDJSON {as_lines / KB:6.1f} KB; {time.perf_counter() - begun:4.0f} s",
                flush=True,
            )
    holds = _verdict(ours, lines, apart)
    _roll(root, web, nights, ours)
    return holds


def _verdict(ours: Repository, lines: Repository, apart: Sequence[int]) -> bool:
    servers = statistics.mean(apart) / KB
    each, as_lines = (statistics.mean(one.pushes[1:]) / KB for one in (ours, lines))
    record, worst = each - servers, max(ours.pushes[1:]) / KB
    packed, packed_lines = (one.packed_bytes() / KB / len(one.pushes) for one in (ours, lines))
    count = len(ours.pushes) - 1
    print(
        f"a push, mean of {count} nights: {each:.1f} KB (worst {worst:.1f}), of it servers_last_night {servers:.1f} KB"
    )
    print(f"  the record alone {record:.1f} KB, as NDJSON {as_lines:.1f} KB: {record / as_lines:.2f} times")
    print(f"  the whole history after git gc: {packed:.1f} KB a night, NDJSON {packed_lines:.1f} KB")
    holds = {"<= 1.3 x NDJSON": record <= 1.3 * as_lines, "<= 120 KB": each <= 120, "servers <= 15 KB": servers <= 15}
    print("  " + ", ".join(f"{name}: {'holds' if kept else 'BROKEN'}" for name, kept in holds.items()))
    return all(holds.values())


def _roll(root: Path, web: Papers, number: int, ours: Repository) -> None:
    """What the night costs in which a range rolls off: four fifths of what there is."""
    with closing(pressfile.read_only(root / "data" / "press.db")) as db:
        articles = db.execute("SELECT count(*) FROM articles").fetchone()[0]
    night(root, web, number, Limits(articles=articles - 1, at_once=articles * 4 // 5))
    for path in pressfile.press_files(root / "data"):
        shutil.copyfile(path, ours.root / path.name)
    older = (root / "data" / "press-0001.db").stat().st_size
    print(f"the night that rolls {older / KB:.0f} KB off into press-0001.db: push {ours.commit() / KB:.1f} KB, once")


def main(words: Sequence[str]) -> int:
    """The command line; 1 where a promise is broken."""
    nights = next((int(word) for word in words if word.isdecimal()), 120)
    named = [Path(word) for word in words if not word.isdecimal()]
    headlines = named[0].read_text("utf-8").splitlines() if named else made_up(random.Random(1))
    print(f"{nights} nights, {A_NIGHT} new articles a night, {SOURCES} sources on {SERVERS} servers, "
          f"{'headlines of ' + named[0].name if named else 'made-up headlines'}, SQLite {sqlite3.sqlite_version}")  # fmt: skip
    with tempfile.TemporaryDirectory() as root:
        return 0 if growth(Path(root), nights, headlines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
