"""What many nights cost, and the long form of the proof for any web.

`python -m bench.nights sixty` : 60 nights over 320 sources on 90 servers.
`python -m bench.nights large` : 3 nights over 3,200 sources on 900 servers, killed and started again at random moments.
`python -m bench.nights anyweb [WORLDS] [FIRST]` : so many drawn worlds, judged by their servers' own log.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from crawl.clock import DAY_S, parse_at
from crawl.gate import Ticket
from crawl.idle import Readers
from crawl.model import Response, Source
from crawl.night import Night
from crawl.policy import Policy
from crawl.registry import Registry
from crawl.store import Store
from tests import anyweb
from tests.nights import feed, read_list, registry, rss
from tests.sim import anyworlds
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Answer

MIDNIGHT = parse_at("2026-12-01T00:00")
POLICY = Policy()
PAUSE_S = 5.0
"""How long the machine takes to start a killed night again."""
CHANGED = 0.2
"""The share of sources that show something new each night; the others answer 304."""


@dataclass
class Servers:
    """Healthy servers with feeds and lists of thirty entries; each notes what it was asked and how long it took."""

    urls: Sequence[str]
    spent_s: float = 0.0
    asked: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def answer(self, url: str, headers: Mapping[str, str], now: float) -> Answer:
        """A feed, a list page or a robots.txt."""
        begun = time.process_time()
        host, path = urlsplit(url).netloc, urlsplit(url).path
        night = int((now - MIDNIGHT) // DAY_S)
        s = round(random.Random(f"{url}{night}").uniform(0.05, 0.9), 3)
        self.asked.setdefault(host, []).append((now, s))
        given = self._robots(s) if path == "/robots.txt" else self._page(url, host, night, headers, s)
        self.spent_s += time.process_time() - begun
        return given

    def address(self, host: str) -> str:
        """One public address for each server."""
        return f"11.{random.Random(host).randrange(1, 250)}.{random.Random(host + '/').randrange(1, 250)}.1"

    def closed(self, number: int, ended: float) -> None:
        """The asker hung up."""

    def _robots(self, s: float) -> Answer:
        return Answer(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /admin/\n", s)

    def _page(self, url: str, host: str, night: int, headers: Mapping[str, str], s: float) -> Answer:
        version = sum(random.Random(f"{url}{past}").random() < CHANGED for past in range(night))
        etag = f'"{version}"'
        if headers.get("If-None-Match") == etag:
            return Answer(304, (("ETag", etag),), b"", s)
        first = 1 + version * 3 + 1000 * (hash_of(url) % 90_000)
        titles = [f"총학생회 소식 {number}" for number in range(first, first + 30)]
        if "list" in url:
            rows = "".join(
                f'<li><a href="https://{host}/a?idxno={number}">{title}</a> <time>2026-11-30T10:00</time></li>'
                for number, title in enumerate(titles, start=first)
            )
            return Answer(200, (("ETag", etag), ("Content-Type", "text/html")), f"<ul>{rows}</ul>".encode(), s)
        return Answer(
            200, (("ETag", etag), ("Content-Type", "application/rss+xml")), rss(*titles, host=host, first=first), s
        )


def hash_of(text: str) -> int:
    """A number that is the same in every process."""
    return random.Random(text).getrandbits(32)


def addresses(sources: int, servers: int) -> Iterator[str]:
    """So many addresses on so many servers: one has a great many, as a shared host does, the others what is left."""
    crowd = sources // 20
    for at in range(sources):
        server = 0 if at < crowd else 1 + (at - crowd) % (servers - 1)
        yield f"https://s{server}.example/{'list' if at % 7 == 6 else 'rss'}/{at}"


class Killed(BaseException):
    """The process is no more."""


class MortalWorkers(VirtualWorkers):
    """Workers whose process dies at a moment of the clock."""

    dies_at = float("inf")

    def wait(self, until: float | None) -> list[tuple[Ticket, Response]]:
        if self._clock.now() >= self.dies_at:
            self.close()
            raise Killed
        return super().wait(until)


def night(root: Path, books: Registry, web: Servers, number: int, kills: Sequence[float]) -> float:
    """One night, started again soon after each kill; returns when it ended, seconds after its midnight."""
    at = midnight = MIDNIGHT + number * DAY_S
    for dies_at in (*(midnight + kill for kill in kills), float("inf")):
        clock = VirtualClock(at)
        workers = MortalWorkers(web, clock, POLICY)
        workers.dies_at = dies_at
        try:
            with closing(Store(root / "data", root / "state", books)) as store:
                summary = Night(store, workers, clock, POLICY, books.exclusions, readers=Readers(read_list)).run()
                store.publish()
        except Killed:
            at = clock.now() + PAUSE_S
            continue
        broken = [finding.rule.name for finding in summary.findings if finding.rows]
        assert not broken, f"the audit finds {broken}"
        return clock.now() - midnight
    raise AssertionError("a night without an end")


def nights(count: int, sources: int, servers: int, *, kills_a_night: int) -> None:
    """Run them and print one line for each."""
    rows: list[str | Source] = [
        feed(url, kind="list" if "/list/" in url else "feed") for url in addresses(sources, servers)
    ]
    books, web, rng = registry(rows), Servers([str(row) for row in rows]), random.Random(sources)
    print(f"{sources} sources on {servers} servers")
    with anyweb.in_memory() as root:
        for number in range(count):
            web.asked.clear()
            web.spent_s = 0.0
            kills = sorted(rng.uniform(1, 500) for _ in range(kills_a_night))
            cpu = time.process_time()
            ended = night(root, books, web, number, kills)
            cpu = time.process_time() - cpu - web.spent_s
            # A kill takes the busiest server's request with it, the pause after it and the gap that starts anew.
            lost_s = len(kills) * (PAUSE_S + POLICY.spacing_s)
            busiest = max(sum(s + POLICY.spacing_s for _, s in asked) for asked in web.asked.values())
            bound = busiest - POLICY.spacing_s + lost_s
            size = (root / "data" / "press.db").stat().st_size / 2**20
            asked = Counter({host: len(times) for host, times in web.asked.items()})
            print(
                f"night {number + 1:2}: {asked.total()} requests, busiest server {asked.most_common(1)[0][1]}, end {ended:7.1f} s"
                f" = {ended / bound:.3f} x bound {bound:7.1f} s; {cpu:5.2f} s CPU, press.db {size:5.1f} MiB,"
                f" peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB",
                flush=True,
            )
            assert ended <= 1.05 * bound, "later than the spacing itself asks for"


def any_webs(count: int, first: int) -> int:
    """So many worlds; prints each that goes wrong with its seed. Returns how many did."""
    wrong, cpu = 0, time.process_time()
    for seed in range(first, first + count):
        with anyweb.in_memory() as root:
            found = anyweb.tell(root, anyworlds.draw(seed))
        if found:
            wrong += 1
            print(f"seed {seed}: {found[0]}", flush=True)
    print(f"{count} worlds from seed {first}: {wrong} wrong, {time.process_time() - cpu:.0f} s CPU")
    return wrong


def main(words: Sequence[str]) -> int:
    """The command line; 1 where a world went wrong, 2 for misuse."""
    match words:
        case ["sixty"]:
            nights(60, 320, 90, kills_a_night=0)
        case ["large"]:
            nights(3, 3_200, 900, kills_a_night=3)
        case ["anyweb", *numbers]:
            count, first = (
                (*(int(number) for number in numbers), 3_000, 0)[:2] if len(numbers) != 1 else (int(numbers[0]), 0)
            )
            return 1 if any_webs(count, first) else 0
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
