"""Whole nights on virtual time over a web of a few scripted addresses, with the real gate, loop, handlers and store."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from crawl import audit, pressfile
from crawl.articlepages import ArticlePage
from crawl.clock import parse_at
from crawl.dates import Dated
from crawl.errors import FeedUnreadable
from crawl.exclusions import Exclusions
from crawl.finding import Looked
from crawl.idle import Readers
from crawl.model import Due, Entry, Feed, Outlet, Response, Source
from crawl.night import Night, Progress, Summary
from crawl.photos import Pictures
from crawl.policy import Policy
from crawl.probe import Probe
from crawl.registry import Registry
from crawl.robotsbook import PROMISED, Options
from crawl.rolling import LIMITS, Limits
from crawl.store import Store
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Answer

FIRST_NIGHT = parse_at("2026-03-05T00:00")
DAY_S = 86_400


def rss(*titles: str, host: str = "news.hanbit.ac.example", date: str = "2026-03-04 14:30:00", first: int = 1) -> bytes:
    """A small ND Soft like feed; a title's place gives its address, so an edited title stays the same article."""
    items = "".join(
        f"<item><title>{title}</title><link>https://{host}/news/articleView.html?idxno={number}</link>"
        f"<description>{title} 요약</description><pubDate>{date}</pubDate></item>"
        for number, title in enumerate(titles, start=first)
    )
    head = '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>한빛대신문</title>'
    return f"{head}{items}</channel></rss>".encode()


def answer(
    status: int = 200,
    body: bytes = b"",
    *,
    headers: Mapping[str, str] | None = None,
    s: float = 0.5,
    error: str | None = None,
) -> Answer:
    """One answer of a scripted address, `s` seconds long."""
    return Answer(status, tuple((headers or {}).items()), body, s, error)


@dataclass(slots=True)
class Scripted:
    """A web that knows a few addresses; each gives its answers in turn, the last one for ever."""

    answers: dict[str, list[Answer]]
    heard: list[tuple[float, str, Mapping[str, str]]] = field(default_factory=list)

    def answer(self, url: str, headers: Mapping[str, str], now: float) -> Answer:
        """The next answer of an address, noting who asked when."""
        turn = sum(asked == url for _, asked, _ in self.heard)
        self.heard.append((now, url, dict(headers)))
        given = self.answers[url]
        return given[min(turn, len(given) - 1)]

    def address(self, host: str) -> str:
        """Every name leads to one public address (never dialled: time is virtual), a literal to itself."""
        return host if host.replace(".", "").isdigit() else "1.2.3.4"

    def closed(self, number: int, ended: float) -> None:
        """The client hung up; nothing here needs to know."""

    def times(self, url: str) -> list[float]:
        """When an address was asked."""
        return [now for now, asked, _ in self.heard if asked == url]


def outlet(slug: str) -> Outlet:
    """An invented newspaper."""
    return Outlet(slug, f"{slug}신문", f"{slug} News", "한빛대학교", "hanbit", "newspaper", f"https://{slug}.example", "서울",
                  "active", False, (), "")  # fmt: skip


def registry(sources: Sequence[str | Source], exclusions: Exclusions | None = None) -> Registry:
    """A registry of feeds, one outlet per server, in the given order."""
    rows = [one if isinstance(one, Source) else feed(one) for one in sources]
    slugs = list(dict.fromkeys(row.outlet for row in rows))
    return Registry(tuple(outlet(slug) for slug in slugs), tuple(rows), exclusions or Exclusions())


def feed(
    url: str, *, slug: str | None = None, kind: str = "feed", cms: str = "ndsoft", state: str = "active"
) -> Source:
    """A registered feed of the outlet named after its host."""
    name = slug or (urlsplit(url).hostname or "").split(".")[0]
    return Source(name, kind, url, cms, state, "", "")  # type: ignore[arg-type]


def read_list(due: Due, response: Response, seen: float) -> Feed:
    """A stand-in for the readers of list pages: plain links, a date behind each or none, and a link to the older page."""
    text = response.body.decode("utf-8", "replace")
    entries = []
    for url, title, date in re.findall(r'<li><a href="([^"]+)">([^<]+)</a>(?: <time>([^<]+)</time>)?', text):
        at = int(parse_at(date)) if date else None
        kind = "photo" if title.startswith("[포토]") else "article"
        entries.append(Entry(url=urljoin(response.url, url), title=title, published=at, kind=kind,  # type: ignore[arg-type]
                             precision="minute" if at else "none", date_from="feed_kst" if at else "none"))  # fmt: skip
    if not entries:
        raise FeedUnreadable("list_empty")
    older = re.search(r'<a rel="next" href="([^"]+)"', text)
    return Feed("list", "", "ko", tuple(entries), older=urljoin(response.url, older[1]) if older else None)


def read_page(response: Response) -> ArticlePage:
    """A stand-in for the reader of article pages: the date and the picture's address."""
    date = re.search(rb"<time>([^<]+)</time>", response.body)
    picture = re.search(rb'og:image" content="([^"]+)"', response.body)
    return ArticlePage(
        Dated(int(parse_at(date[1].decode())), "minute", True) if date else None,
        date[1].decode() if date else "",
        "page" if date else "none",
        picture[1].decode() if picture else None,
        noindex=b"noindex" in response.body,
        nosnippet=b"nosnippet" in response.body,
    )


def page(*titles: str, host: str = "news.hanbit.ac.example", first: int = 1) -> bytes:
    """A small list page."""
    rows = "".join(
        f'<li><a href="https://{host}/news/articleView.html?idxno={number}">{title}</a></li>'
        for number, title in enumerate(titles, start=first)
    )
    return f"<!doctype html><html><body><ul>{rows}</ul></body></html>".encode()


def no_list(response: Response, cms: str) -> Feed:
    """A stand-in for the reader of list pages of a site that has none."""
    raise FeedUnreadable("not_a_list")


@dataclass(slots=True)
class Hub:
    """A data and a state folder with the nights run over them."""

    root: Path
    web: Scripted
    books: Registry
    policy: Policy = field(default_factory=Policy)
    options: Options = PROMISED
    told: list[Progress] = field(default_factory=list)
    readers: Readers = field(default_factory=lambda: Readers(read_list, read_page))
    pictures: Pictures = field(default_factory=Pictures)
    limits: Limits = LIMITS

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def state(self) -> Path:
        return self.root / "state"

    def night(
        self,
        number: int = 1,
        *,
        at: float | None = None,
        now_pass: bool = False,
        until: float | None = None,
        backfill: bool = True,
    ) -> Summary:
        """Run the night of the given number (1 = the first), or a run that starts at `at`."""
        clock = VirtualClock(FIRST_NIGHT + (number - 1) * DAY_S if at is None else at)
        workers = VirtualWorkers(self.web, clock, self.policy)
        with closing(Store(self.data, self.state, self.books, self.limits)) as store:
            night = Night(store, workers, clock, self.policy, self.books.exclusions, now_pass=now_pass, until=until,
                          promise=Policy(), options=self.options, readers=self.readers, backfill=backfill, pictures=self.pictures,
                          tell=self.told.append)  # fmt: skip
            summary = night.run()
            store.publish()
        return summary

    def probe(
        self, url: str, *, at: float = FIRST_NIGHT + DAY_S / 2, listed: Callable[[Response, str], Feed] = no_list
    ) -> tuple[Looked, ...]:
        """Look at a site by hand, at noon after the first night; `listed`: how its list pages are read."""
        clock = VirtualClock(at)
        workers = VirtualWorkers(self.web, clock, self.policy)
        with closing(Store(self.data, self.state, self.books)) as store:
            return Probe(store, workers, clock, self.policy, self.books, listed).look(url)

    def read(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Rows of the finished files, press and state together."""
        with closing(audit.open_files(self.data, self.state)) as db:
            return db.execute(sql, values).fetchall()

    def breaches(self, policy: Policy | None = None) -> dict[str, int]:
        """What the strict audit finds in the finished files, by the name of the table's row, zeros left out."""
        with closing(audit.open_files(self.data, self.state)) as db:
            found = audit.audit(db, policy or Policy(), audit.excluded_before(self.books.exclusions))
        return {name: rows for name, rows in audit.breach_counts(found).items() if rows}

    def dump(self, table: str) -> list[tuple[object, ...]]:
        """A table of press.db as rows."""
        with closing(pressfile.read_only(self.data / "press.db")) as db:
            return db.execute(f"SELECT * FROM {table}").fetchall()

    def press(self) -> sqlite3.Connection:
        """press.db for reading."""
        return pressfile.read_only(self.data / "press.db")
