"""A month of nights over outlets of all skins, its database compared with what a perfect reader would know.

`python -m bench.month [NIGHTS] [SEED] [--misses N]`: 30 nights over 60 outlets; prints a table with a line for each family, and
the first N misses of each column. Expected is what the servers' own log shows to have been told, no more.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from crawl import audit, hub, photos, readers, registry
from crawl.clock import DAY_S, parse_at
from crawl.night import Night
from crawl.policy import Policy
from crawl.store import Store
from tests import anyweb
from tests.sim import truth
from tests.sim.campus import Campus
from tests.sim.houses import HOUSES
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Web

FIRST_NIGHT = parse_at("2026-12-16T00:00")
"""So that the year ends within the month, and dates without one must be read across its end."""
POLICY = Policy()
KST_S = 9 * 3600
STEPS_S = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "none": 1}
COLUMNS = (
    "recall",
    "precision",
    "title",
    "date",
    "exact",
    "byline",
    "section",
    "summary",
    "kind",
    "film",
    "picture",
    "wish",
)


@dataclass(frozen=True, slots=True)
class Row:
    """An article as the database holds it."""

    tags: tuple[str, ...]
    outlet: str
    url: str
    title: str
    byline: str
    summary: str
    published: int | None
    precision: str
    kind: str
    film: str
    form: str | None
    image: str | None
    withheld: str


@dataclass
class Score:
    """Right and all of each column, with what was missed in words."""

    right: Counter[str] = field(default_factory=Counter)
    every: Counter[str] = field(default_factory=Counter)
    misses: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def count(self, column: str, is_right: bool, miss: str) -> None:
        """One more fact that a page showed."""
        self.every[column] += 1
        self.right[column] += is_right
        if not is_right:
            self.misses[column].append(miss)

    def cell(self, column: str) -> str:
        """`100 %` of so many, or how many of how many."""
        right, every = self.right[column], self.every[column]
        return "-" if not every else f"100% {every}" if right == every else f"{right}/{every}"


def run(root: Path, campus: Campus, web: Web, nights: int) -> None:
    """The nights, with the real gate, loop, readers and store on virtual time."""
    files = campus.registry_files()
    books, settings = registry.parse(files), hub.parse(files["hub.toml"], "hub.toml")
    pictures = photos.pictures(books.outlets, settings.pictures, settings.photo_columns)
    for number in range(nights):
        clock = VirtualClock(FIRST_NIGHT + number * DAY_S)
        workers = VirtualWorkers(web, clock, POLICY)
        with closing(Store(root / "data", root / "state", books)) as store:
            summary = Night(
                store, workers, clock, POLICY, books.exclusions, readers=readers.real(POLICY), pictures=pictures
            ).run()
            store.publish()
        broken = [(finding.rule.name, finding.rows[:3]) for finding in summary.findings if finding.rows]
        assert not broken, f"the audit finds {broken}"


def stored(root: Path) -> Iterator[Row]:
    """Every article of the finished database."""
    with closing(audit.open_files(root / "data", root / "state")) as db:
        tags: defaultdict[int, list[str]] = defaultdict(list)
        for article, tag in db.execute("SELECT x.article, t.tag FROM article_tags x JOIN tags t ON t.id = x.tag"):
            tags[article].append(tag)
        rows = db.execute(
            """SELECT a.id, o.slug, a.url, a.title, a.byline, a.summary, a.published, a.precision, a.kind,
               coalesce(a.video_id, ''), a.video_form, a.image_url, a.withheld
               FROM articles a JOIN outlets o ON o.id = a.outlet ORDER BY a.id"""
        )
        for article, *facts in rows:
            yield Row(tuple(tags[article]), *facts)


def compare(campus: Campus, web: Web, rows: Sequence[Row], end: float) -> dict[str, Score]:
    """The scores by family, a house's own name or `feeds` with their system."""
    book = truth.known(campus, web.log)
    outlets = {outlet.slug: outlet for outlet in campus.outlets}
    families = {slug: outlet.house or f"feed {outlet.kit.cms}".strip() for slug, outlet in outlets.items()}
    scores: defaultdict[str, Score] = defaultdict(Score)
    found: dict[tuple[str, int], Row] = {}
    for row in rows:
        piece = truth.identity(outlets[row.outlet], row.url, end)
        key = (row.outlet, piece.number if piece else -1)
        scores[families[row.outlet]].count("precision", key in book and key not in found, f"{row.url} {row.title}")
        found.setdefault(key, row)
    for key, one in book.items():
        score = scores[families[key[0]]]
        stored_row = found.get(key)
        score.count("recall", stored_row is not None, f"{one.item.url} {one.item.title}")
        if stored_row is not None:
            _facts(score, one, stored_row)
    return dict(scores)


def _facts(score: Score, one: truth.Known, row: Row) -> None:
    """Each fact that a page showed of a piece, against the row; where none was shown none may be stored."""
    item, where = one.item, f"{one.item.url}: "
    score.count("title", _plain(row.title) == _plain(item.title), f"{where}{row.title!r} for {item.title!r}")
    told = f"{row.published} {row.precision} for {one.published} {one.precision}"
    # A page read for its picture gives nothing else (P02): a photo story of a list without dates needs a second reading.
    if not (one.from_page and item.kind == "photo" and one.reads < 2 and row.published is None):
        dates = [(one.published, one.precision), *([one.on_page] if one.reads else [])]
        score.count("date", any(_agree(row, *date) for date in dates), where + told)
        score.count("exact", row.precision in {precision for _, precision in dates}, where + told)
    score.count("byline", row.byline == item.byline, f"{where}{row.byline!r} for {item.byline!r}")
    if item.section:
        score.count("section", item.section in row.tags, f"{where}{row.tags} for {item.section!r}")
    begins = _plain(row.summary)[:30] == _plain(item.summary)[:30] if item.summary else not row.summary
    if one.wish == "":
        score.count("summary", begins, f"{where}{row.summary[:60]!r} for {item.summary[:60]!r}")
    score.count("kind", row.kind == item.kind, f"{where}{row.kind} for {item.kind}: {item.title}")
    if item.film or row.film:
        score.count("film", (row.film, row.form) == (item.film, item.form), f"{where}{row.film} {row.form}")
    if one.reads and item.kind == "photo":
        is_right = truth.same_address(row.image or "", one.picture or "")
        score.count("picture", is_right, f"{where}{row.image} for {one.picture}")
    if one.reads:
        score.count("wish", row.withheld == one.wish, f"{where}{row.withheld!r} for {one.wish!r}")


def _agree(row: Row, at: int | None, precision: str) -> bool:
    """Whether two dates say the same as far as the vaguer of them goes."""
    if row.published is None or at is None:
        return row.published is at
    step = max(STEPS_S[row.precision], STEPS_S[precision])
    return (row.published + KST_S) // step == (at + KST_S) // step


def _plain(text: str) -> str:
    return " ".join(text.split())


def told(scores: Mapping[str, Score], misses: int) -> None:
    """Print the table and the first misses."""
    total = Score()
    print(f"{'family':20}" + "".join(f"{column:>12}" for column in COLUMNS))
    for family, score in sorted(scores.items()):
        print(f"{family:20}" + "".join(f"{score.cell(column):>12}" for column in COLUMNS))
        total.right += score.right
        total.every += score.every
    print(f"{'all':20}" + "".join(f"{total.cell(column):>12}" for column in COLUMNS))
    for family, score in sorted(scores.items()) if misses else ():
        for column in COLUMNS:
            for miss in score.misses[column][:misses]:
                print(f"{family} / {column}: {miss}")


def main(words: Sequence[str]) -> int:
    """The command line; 1 where a fact that was shown is missing or wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.month", description=__doc__)
    parser.add_argument("nights", nargs="?", type=int, default=30)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--outlets", type=int, default=60)
    parser.add_argument("--misses", type=int, default=0, help="print so many misses of each family and column")
    args = parser.parse_args(words)
    houses = min(len(HOUSES), args.outlets)
    campus = Campus(args.seed, args.outlets - houses, houses=houses)
    web, begun = Web(campus, args.seed), time.perf_counter()
    with anyweb.in_memory() as root:
        run(root, campus, web, args.nights)
        end = FIRST_NIGHT + args.nights * DAY_S
        scores = compare(campus, web, list(stored(root)), end)
    told(scores, args.misses)
    print(
        f"{args.nights} nights, {len(campus.outlets)} outlets, {len(web.log)} requests, {time.perf_counter() - begun:.0f} s"
    )
    return 0 if all(score.right == score.every for score in scores.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
