"""The judge of manners: the published rules, held against the servers' own log and nothing else.

It shares no code and no number with the crawler: every figure below is read off the public promise (politeness.md).
What it cannot see from outside (why a source was not asked) it does not judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import ip_address
from urllib.parse import urlsplit

from tests.sim.anyservers import INNER, Robots, Seen
from tests.sim.testimony import (
    DAY_S,
    HAIR_S,
    KST,
    LONGEST_S,
    Asked,
    Run,
    Watched,
    kst_day,
    kst_second,
    lost,
    readable,
    slowed,
    wait_s,
)

GAP_S, OLDER_GAP_S, HOP_GAP_S, BARE_REST_S = 3.0, 5.0, 3.0, 3600.0
NIGHT_S = 5 * 3600 + 59 * 60 + 30
HOP_WITHIN_S = 600.0
"""A later request for an address that has a reason of its own to be asked is no hop any more."""


def judge(log: Sequence[Seen], registry: Iterable[Watched], runs: Sequence[Run]) -> list[str]:
    """Every breach of a promise that the servers can see, as sentences that begin with the rule's ID."""
    return Trial(sorted(log, key=lambda seen: (seen.started, seen.ended)), list(registry), list(runs)).verdict()


@dataclass(slots=True)
class Trial:
    """One log under judgement."""

    log: list[Seen]
    registry: list[Watched]
    runs: list[Run]
    asked: list[Asked] = field(default_factory=list)
    found: list[str] = field(default_factory=list)

    def verdict(self) -> list[str]:
        self._understand()
        self._manners()
        self._spacing()
        self._hours_and_looks()
        self._rests()
        self._late_starts()
        self._cuts()
        self._robots()
        self._redirects()
        return self.found

    def _breach(self, rule: str, seen: Seen, why: str) -> None:
        at = datetime.fromtimestamp(seen.started, KST).strftime("%m-%d %H:%M:%S.%f")[:-3]
        self.found.append(f"{rule} {at} {seen.url}: {why}")

    def _understand(self) -> None:
        """Whose request is which: a registered address, a robots.txt, or the hop that an earlier answer pointed to."""
        by_url = {watched.url: watched for watched in self.registry}
        pending: dict[str, Asked] = {}
        for seen in self.log:
            before = pending.pop(seen.url, None)
            fresh = seen.url in by_url or urlsplit(seen.url).path.startswith(INNER)
            if before is not None and seen.started < before.seen.ended + (HOP_WITHIN_S if fresh else DAY_S):
                asked = Asked(seen, before.watched, before.robots_for, before.hop + 1, before, before.page)
            elif seen.url in by_url:
                asked = Asked(seen, by_url[seen.url])
            elif urlsplit(seen.url).path == "/robots.txt":
                asked = Asked(seen, None, seen.url.removesuffix("/robots.txt"))
            elif (path := urlsplit(seen.url).path).startswith(INNER):
                _, page, number, _ = path.split("/")
                asked = Asked(seen, self.registry[int(number)], page=page)
            else:
                asked = Asked(seen, None)
                self._breach("P04", seen, "nobody gave this address")
            self.asked.append(asked)
            # A page that leads to itself may be tried anew: what comes after its fifth hop is not taken for a sixth.
            if seen.location and not seen.cut and not (asked.hop == 5 and seen.location == seen.url and fresh):
                pending[seen.location] = asked

    def _manners(self) -> None:
        for seen in self.log:
            names = {name.lower() for name in seen.headers}
            agent = next((value for name, value in seen.headers.items() if name.lower() == "user-agent"), "")
            if not agent.startswith("CampusPressHub/1.0") or names & {"referer", "cookie"}:
                self._breach("P01", seen, f"said {agent!r} with {sorted(names)}")
            if seen.ended - seen.started > LONGEST_S + HAIR_S:
                self._breach("P23", seen, f"lasted {seen.ended - seen.started} s")
            host = urlsplit(seen.url).hostname or ""
            if host == "inside.example" or (host.replace(".", "").isdigit() and not ip_address(host).is_global):
                self._breach("P51", seen, "a private address")

    def _spacing(self) -> None:
        """P20, P21: from the end of one to the start of the next the larger of the two promised gaps."""
        last: dict[str, tuple[float, float]] = {}
        for asked in self.asked:
            seen, gap = asked.seen, self._gap_s(asked)
            if seen.server in last:
                free, before = last[seen.server]
                if seen.started < free + max(gap, before) - HAIR_S:
                    self._breach(
                        "P20", seen, f"{seen.started - free:.3f} s after an end, {max(gap, before):g} promised"
                    )
            free, before = last.get(seen.server, (float("-inf"), 0.0))
            last[seen.server] = (seen.ended, gap) if seen.ended >= free else (free, max(gap, before))

    def _gap_s(self, asked: Asked) -> float:
        if not asked.is_web:
            return GAP_S
        least = OLDER_GAP_S if asked.page == "older" else GAP_S
        copy = self._copy(asked)
        return max(least, (copy.delay_s or 0.0) if copy else 0.0)

    def _copy(self, asked: Asked) -> Robots | None:
        """The rules in force for a web request: the last whole answer about its origin within a day; None: none."""
        known = self._answer_about(asked)
        if known is None or known.seen.ended < asked.seen.started - DAY_S - HAIR_S:
            return None
        return readable(known.seen)

    def _answer_about(self, asked: Asked) -> Asked | None:
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(asked.seen.url))
        told = (a for a in reversed(self.asked) if a.robots_for == origin and a.seen.ended <= asked.seen.started)
        return next((a for a in told if not a.seen.location and not lost(a.seen)), None)

    def _hours_and_looks(self) -> None:
        """P10, P11: scheduled requests stand between midnight and 05:59:30; one look a source and day."""
        looks: dict[tuple[str, str], int] = defaultdict(int)
        dates: dict[tuple[str, str], int] = defaultdict(int)
        for asked in self.asked:
            seen = asked.seen
            run = self._run(seen.started)
            if run is None:
                self._breach("P10", seen, "no run was on")
            elif run.is_scheduled and kst_second(seen.started) > NIGHT_S + HAIR_S:
                self._breach("P10", seen, "outside the night's hours")
            if asked.page in ("photo", "older") and run is not None and not run.is_scheduled:
                self._breach("P10", seen, "an inspecting pass fetched pages")
            if asked.page == "date" and asked.hop == 0 and asked.watched is not None:
                dates[asked.watched.url, kst_day(seen.started)] += 1
                if dates[asked.watched.url, kst_day(seen.started)] > 3:
                    self._breach("P11", seen, "a fourth page for dates")
            if asked.is_look:
                looks[seen.url, kst_day(seen.started)] += 1
                if looks[seen.url, kst_day(seen.started)] > 1:
                    self._breach("P11", seen, "looked at twice on one day")

    def _run(self, at: float) -> Run | None:
        return next((run for run in reversed(self.runs) if run.started <= at <= run.ended), None)

    def _rests(self) -> None:
        """P31, P33, P34, P35: who said no is left alone for as long as it said."""
        for at, asked in enumerate(self.asked):
            seen = asked.seen
            if lost(seen):
                continue
            wait = wait_s(seen)
            if slowed(seen) and self._may_be_photos(asked):
                self._photo_rests(at, asked, wait)
            elif slowed(seen):
                rest = wait if wait is not None else 0.0 if self._own_affair(at) else BARE_REST_S
                rule = "P31" if wait is not None else "P33"
                for later in self.asked[at + 1 :]:
                    if later.seen.server == seen.server and later.seen.started < seen.ended + rest - 1:
                        self._breach(
                            rule, later.seen, f"{later.seen.started - seen.ended:.1f} s into a rest of {rest:g}"
                        )
            elif seen.status in (401, 403, 404, 410, 451) and wait is not None and asked.watched and not asked.page:
                for later in self.asked[at + 1 :]:
                    if later.is_look and later.watched == asked.watched and later.seen.started < seen.ended + wait - 1:
                        self._breach("P35", later.seen, "a source that was denied with a Retry-After")

    def _may_be_photos(self, asked: Asked) -> bool:
        """Whether an answer came to a photo page, or to a robots.txt that may have been read for one (P37)."""
        return asked.page == "photo" or (bool(asked.robots_for) and any(a.page == "photo" for a in self.asked))

    def _photo_rests(self, at: int, asked: Asked, wait: float | None) -> None:
        """P37: no photo page of the server for seven days; with Retry-After nothing else of it until that ends, an hour at
        least; without, no older page that night."""
        ended, sure = asked.seen.ended, asked.page == "photo"
        others = (max(wait, 3600.0) if sure else wait) if wait is not None else 0.0
        for later in self.asked[at + 1 :]:
            if later.seen.server != asked.seen.server:
                continue
            after = later.seen.started - ended
            if later.page == "photo" and sure and after < 7 * DAY_S - 1:
                self._breach("P37", later.seen, "a photo page within seven days of a slow-down")
            elif later.page == "older" and sure and wait is None and kst_day(later.seen.started) == kst_day(ended):
                self._breach("P37", later.seen, "an older page in a night of a slow-down")
            elif after < others - 1 and (later.page != "date" or not sure or after < (wait or 0) - 1):
                self._breach("P37", later.seen, f"{after:.1f} s into a rest of {others:g} after a photo page")

    def _own_affair(self, at: int) -> bool:
        """P34: the source's second bare 429 in a row, others of the server answered well since and none was slowed."""
        asked = self.asked[at]
        if asked.watched is None or asked.page:
            return False
        day = kst_day(asked.seen.started)
        mine = [a for a in self.asked[:at] if a.watched == asked.watched and not a.page and not lost(a.seen)]
        before = [a for a in mine if kst_day(a.seen.started) < day]
        if not before or before[-1].seen.status != 429 or wait_s(before[-1].seen) is not None:
            return False
        between = self.asked[self.asked.index(before[-1]) + 1 : at]
        others = [a for a in between if a.seen.server == asked.seen.server and a.watched != asked.watched]
        told = [
            a for a in others if slowed(a.seen) and a.page != "photo" and (a.watched is not None or not asked.is_web)
        ]
        looks = [a for a in others if a.watched and not a.page and not lost(a.seen)]
        well = [a for a in looks if a.seen.status // 100 == 2 or a.seen.status == 304]
        return bool(well) and not told

    def _late_starts(self) -> None:
        """P32: after two long rests in a row only a run that starts 90 minutes after the second."""
        for watched in self.registry:
            mine = [a for a in self.asked if a.watched == watched and not a.page]
            long_before, bound = 0, float("-inf")
            for asked in mine:
                run = self._run(asked.seen.started)
                if asked.hop == 0 and run is not None and run.started <= bound:
                    self._breach("P32", asked.seen, "a run that began too early after two long rests")
                if lost(asked.seen):
                    continue
                wait = wait_s(asked.seen) if slowed(asked.seen) else None
                if asked.seen.status // 100 == 2 or asked.seen.status == 304:
                    long_before, bound = 0, float("-inf")
                elif wait is not None and wait >= 3600:
                    long_before += 1
                    bound = asked.seen.ended + wait + 5400 - 1 if long_before > 1 else bound

    def _cuts(self) -> None:
        """P36: when two distinct sources of a server were slowed down in one night, nothing else of it is looked at."""
        slow: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
        for asked in self.asked:
            if asked.watched is not None and slowed(asked.seen) and asked.page != "photo":
                slow[asked.seen.server, kst_day(asked.seen.started)].setdefault(asked.watched.url, asked.seen.ended)
        for (server, day), sources in slow.items():
            if len(sources) < 2:
                continue
            cut = sorted(sources.values())[1]
            for asked in self.asked:
                seen = asked.seen
                ours = asked.is_look or (asked.page in ("photo", "older") and asked.hop == 0)
                if ours and seen.server == server and seen.started >= cut and kst_day(seen.started) == day:
                    self._breach("P36", asked.seen, "after a second source of the server was slowed down")

    def _robots(self) -> None:
        """P40, P42, P21: no web request without a readable copy that opens the path; one try a day for each origin."""
        tries: dict[tuple[str, str], int] = defaultdict(int)
        for asked in self.asked:
            seen = asked.seen
            if asked.robots_for and asked.hop == 0:
                tries[asked.robots_for, kst_day(seen.started)] += 1
                if tries[asked.robots_for, kst_day(seen.started)] > 1:
                    self._breach("P42", seen, "robots.txt asked twice on one day")
            if not asked.is_web:
                continue
            copy = self._copy(asked)
            if copy is None:
                self._breach("P40", seen, "no readable robots.txt of the last day")
            elif any(urlsplit(seen.url).path.startswith(path) for path in copy.closed):
                self._breach("P40", seen, "a closed path")
            elif (copy.delay_s or 0) > 10:
                self._breach("P21", seen, "a Crawl-delay beyond ten seconds")

    def _redirects(self) -> None:
        for asked in self.asked:
            if asked.hop > 5:
                self._breach("P50", asked.seen, f"hop {asked.hop}")
            if asked.parent is not None and asked.seen.started < asked.parent.seen.ended + HOP_GAP_S - HAIR_S:
                self._breach("P50", asked.seen, "too soon after the redirecting answer")


def never_again(log: Iterable[Seen], closed_since: Iterable[tuple[str, float]]) -> list[str]:
    """P43: an address found closed at a moment is asked no more; `closed_since` as the crawler itself reported it."""
    first = dict(reversed(list(closed_since)))
    return [f"P43 {s.url}: asked after it was found closed" for s in log if s.started > first.get(s.url, float("inf"))]
