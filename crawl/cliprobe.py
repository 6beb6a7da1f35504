"""The command `probe`: a polite look at a site before it is registered, told so that the rows can be pasted."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from contextlib import closing
from dataclasses import asdict
from urllib.parse import urlsplit

from crawl import cells, finding, listpages, proposal, registry
from crawl.clifiles import read_hub, read_registry
from crawl.clinight import contact_url, moment, refuse_loose_replay, ways_to
from crawl.clock import SystemClock, kst_day, kst_text
from crawl.connectto import ConnectTo
from crawl.csvtable import write
from crawl.errors import Misuse
from crawl.finding import Looked
from crawl.model import Entry, Feed, Response
from crawl.policy import Policy
from crawl.probe import Probe, may_not_be_asked
from crawl.proposal import Coverage, Kin, Proposal
from crawl.registryrows import OUTLET_COLUMNS, SOURCE_COLUMNS
from crawl.store import Store
from crawl.tls import Contexts
from crawl.transport import Transport
from crawl.urls import requestable
from crawl.workers import ThreadWorkers

SAMPLES = 3
"""So many articles are shown, so that a person can tell whether titles and dates are right."""

REFUSAL_WORDS = {
    "P04": "it is not an outlet's own channel",
    "P05": "YouTube is never asked",
    "P10": "a look by hand is a handful of requests",
    "P11": "the nights look at it already",
    "P21": "its robots.txt asks for longer pauses than a night can keep",
    "P22": "this site was asked enough today; come back tomorrow",
    "P33": "its server asked for a rest; come back later",
    "P38": "it leads to a login page, and we never log in; try an address that anybody may read",
    "P40": "its robots.txt closes it; a feed, if you know its address, may be registered all the same (P44)",
    "P42": "its robots.txt could not be read, which is no permission; come back tomorrow",
    "P50": "it redirects where no request may follow; give the address that a browser ends at",
    "P51": "it is no public address",
    "P60": "it asked to be left out",
}
"""What a refusal means to somebody who does not know the rules by heart."""

KIN_WORDS = {
    "registered": "is registered with this very address",
    "same_server": "is registered on the same server",
    "same_name": "is registered under the same name",
    "same_university": "is registered and of the same university (perhaps another medium of it)",
    "declined": "may not be registered",
}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """The command's words."""
    probe = commands.add_parser(
        "probe", help="look at a site politely before registering it, and print the rows to paste"
    )
    probe.add_argument("url", metavar="URL", help="its home page, or any list, article or feed of it")
    probe.add_argument("--connect-to", metavar="H1:P1:H2:P2", action="append", default=[],
                       help="send the socket elsewhere, as curl does")  # fmt: skip
    probe.add_argument("--at", metavar="2026-03-05T00:00", help="where the clock of a replay starts")
    probe.add_argument("--ca-file", metavar="FILE", help="certificates to trust in a replay; only with --connect-to")
    probe.set_defaults(run=run)
    return probe


def run(args: argparse.Namespace) -> int:
    """Look, and tell what was seen: 0 something to register, 1 nothing usable or refused by rule. Raises Misuse."""
    connect_to = ConnectTo(args.connect_to)
    settings = read_hub(args.data)
    refuse_loose_replay(args, connect_to)
    start = _start(args.url)
    books = registry.for_night(read_registry(args.data))
    clock = SystemClock(None if args.at is None else moment(args.at))
    told = may_not_be_asked(start, books)
    if told is not None:
        # Nothing is opened or looked up for an address that no rule lets us ask.
        first = finding.following(start, ())
        assert first is not None
        return _tell(args, start, (finding.refused(first, *told),), books, kst_day(clock.now()))
    ways = ways_to(settings, connect_to)
    contexts = Contexts(settings.tls, folder=args.data, ca_file=args.ca_file)
    signal.signal(signal.SIGTERM, _stop)
    policy = settings.policy()
    with closing(Store(args.data, args.state, books)) as store:
        transport = Transport(
            clock, policy, contact_url=contact_url(settings), connect_to=connect_to, tls=contexts, resolve=ways.resolve
        )
        with closing(ThreadWorkers(ways.following(transport.send), transport.cut, clock)) as workers:
            probe = Probe(store, workers, clock, policy, books, _read_list, connect_to=connect_to, options=settings.options,
                          lane_of=ways.lane_of, meet=ways.meet, tell=_progress)  # fmt: skip
            seen = probe.look(start)
    return _tell(args, start, seen, books, kst_day(clock.now()))


def _read_list(response: Response, cms: str) -> Feed:
    """A page as the reader of lists sees it."""
    return listpages.parse(
        response.body,
        base=response.url,
        content_type=response.header("Content-Type"),
        cms=cms,
        seen=response.ended,
        summary_max_chars=Policy().summary_max_chars,
    )


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def _start(url: str) -> str:
    """The address as it can be asked. Raises Misuse."""
    typed = url.strip()
    if "://" not in typed and "." in typed.partition("/")[0]:
        typed = f"https://{typed}"
    try:
        return requestable(cells.tidy_address(typed.partition("#")[0]))
    except ValueError as trouble:
        raise Misuse(f"{url}: not an http(s) address; copy it from the browser's address bar") from trouble


def _progress(looked: Looked) -> None:
    print(f"looked at {looked.url} ({looked.why}): {_outcome(looked)}", file=sys.stderr, flush=True)


def _tell(args: argparse.Namespace, start: str, seen: tuple[Looked, ...], books: registry.Registry, day: str) -> int:
    found = proposal.propose(start, seen, books, day=day)
    usable = found.feed is not None or found.list is not None
    print(json.dumps(facts(start, seen, found), ensure_ascii=False) if args.json else screen(start, seen, found))
    return 0 if usable else 1


def _outcome(one: Looked) -> str:
    """What came of one address, in words."""
    if one.result == "refused":
        by = f" by {one.rule}" if one.rule else ""
        return f"not asked{by}: {one.reason}" + (f" ({one.detail})" if one.detail else "")
    if one.result == "failed":
        return f"failed: {one.reason}"
    what = (
        f"{one.result} ({one.reason}), {one.entries} entries"
        if one.feed is not None
        else f"a page, no list ({one.reason})"
    )
    moved = f", moved to {one.at}" if one.at != one.url else ""
    return what + moved


def _robots_words(one: Looked) -> str:
    delay = f", Crawl-delay {one.crawl_delay_s:g} s" if one.crawl_delay_s else ""
    words = {
        "open": "open",
        "no_rules": "no rules",
        "closed": "closed to us",
        "unreadable": "unreadable",
        "": "not read",
    }
    return f"robots.txt: {words.get(one.robots, one.robots)}{delay}"


def screen(start: str, seen: tuple[Looked, ...], found: Proposal) -> str:
    """All of it for a person, on a screen or two."""
    lines = [start, f"  name: {found.title or 'not seen'}    language: {found.language or 'not told'}    "
                    f"system: {found.cms or 'not recognised'}", "", "Looked at"]  # fmt: skip
    for number, one in enumerate(seen, start=1):
        lines += [f"  {number}. {one.url} ({one.why})", f"     {_outcome(one)}; {_robots_words(one)}"]
    for name, source in (("Feed", found.feed), ("List", found.list)):
        if source is not None and source.feed is not None:
            lines += ["", f"{name} {source.at or source.url}", f"  {_reach(proposal.coverage(source))}"]
            lines += [f"    {_sample(entry)}" for entry in source.feed.entries[:SAMPLES]]
            if source.reason == finding.FALLBACK:
                lines.append("  its skin is not known: compare titles and dates with the page")
    lines += ["", "In the registry"]
    lines += [f"  {_kin_words(kin)}" for kin in found.kin] or ["  nothing like it"]
    return "\n".join([*lines, "", *_to_do(seen, found)])


def _kin_words(kin: Kin) -> str:
    who = f"{kin.outlet} " if kin.outlet else ""
    return f"{who}{KIN_WORDS[kin.how]}: {kin.url}" + (f" ({kin.told})" if kin.told else "")


def _reach(reach: Coverage) -> str:
    if reach.newest is None or reach.oldest is None:
        return f"{reach.entries} entries, none with a date"
    pace = f", about {reach.per_week:g} a week" if reach.per_week is not None else ""
    days = f"{kst_day(reach.oldest)} to {kst_day(reach.newest)}"
    return f"{reach.entries} entries, {reach.dated} dated (to the {reach.precision}), {days}{pace}"


def _sample(entry: Entry) -> str:
    shown = 10 if entry.precision == "day" else 16
    when = "no date" if entry.published is None else kst_text(entry.published)[:shown]
    who = f" / {entry.byline}" if entry.byline else ""
    return f"{when}  {entry.title}{who}"


def _to_do(seen: tuple[Looked, ...], found: Proposal) -> list[str]:
    if not found.source_rows:
        if found.feed is not None or found.list is not None:
            return ["Every address found is registered already: nothing to paste."]
        return [f"Nothing to register here: {_why_nothing(seen)}."]
    lines = ["To paste"]
    if found.outlet_row is not None:
        lines += ["data/outlets.csv", *_csv(OUTLET_COLUMNS, [found.outlet_row])]
    lines += ["data/sources.csv", *_csv(SOURCE_COLUMNS, found.source_rows)]
    fill = 'Fill in every cell that begins with "?", then: ' if found.outlet_row is not None else "Then: "
    return [*lines, f"{fill}python -m crawl check --fix && python -m crawl check"]


def _why_nothing(seen: tuple[Looked, ...]) -> str:
    """The likeliest reason, with what to do about it."""
    first = seen[0]
    if first.rule == "P42" and (cure := _cure(first)):
        return f"its robots.txt could not be read ({first.reason}); {cure} (P42)"
    if first.rule in REFUSAL_WORDS:
        return f"{REFUSAL_WORDS[first.rule]} ({first.rule})"
    if first.rule:
        return f"{first.rule} forbids it"
    if first.result == "feed":
        return "it is a feed, and shows no article now; look again when it has some"
    if first.result == "failed" and not first.status:
        return f"the server could not be reached ({first.reason}); {_cure(first) or 'try again another day'}"
    if first.result == "failed":
        at_home = urlsplit(first.url).path in ("", "/")
        return (
            f"the address answers {first.reason}; try {'the address of a list or feed' if at_home else 'the home page'}"
        )
    if any(one.result == "feed" for one in seen):
        return "a feed was found, and shows no article now; look again when it has some"
    closed = next((one.rule for one in seen if one.rule in REFUSAL_WORDS), None)
    told = f" (of one of its addresses: {REFUSAL_WORDS[closed]}, {closed})" if closed else ""
    return (
        f"no feed and no list of articles was found{told}; try the address of its list of articles. "
        "A page of printed issues (PDF) is registered by hand, with the kind edition"
    )


def _cure(one: Looked) -> str:
    """What to try where a server could not be talked to; empty where only time helps."""
    trouble = one.reason.removeprefix("robots_")
    if trouble == "dns":
        return "no server has this name: is it written right?"
    if trouble.removeprefix("tls_") in ("missing_intermediate", "weak_dh", "legacy"):
        return "try http://, or review an exception for it: [[tls]] in hub.toml"
    if one.url.startswith("https:") and trouble.startswith(("tls", "refused_connection", "reset", "timeout")):
        return "if it is an older one, give its address with http://"
    return ""


def _csv(columns: tuple[str, ...], rows: list[tuple[str, ...]] | tuple[tuple[str, ...], ...]) -> list[str]:
    return write(columns, rows).decode("utf-8").splitlines()


def facts(start: str, seen: tuple[Looked, ...], found: Proposal) -> dict[str, object]:
    """All of it for a machine."""

    def source(one: Looked | None) -> dict[str, object] | None:
        if one is None or one.feed is None:
            return None
        samples = [
            {"title": entry.title, "url": entry.url, "byline": entry.byline, "published": entry.published,
             "precision": entry.precision, "published_raw": entry.published_raw}
            for entry in one.feed.entries[:SAMPLES]
        ]  # fmt: skip
        return {"url": one.at or one.url, "format": one.reason, "flags": one.feed.flags, "samples": samples,
                "coverage": asdict(proposal.coverage(one))}  # fmt: skip

    looked = [
        {"url": one.url, "why": one.why, "at": one.at, "result": one.result, "reason": one.reason, "rule": one.rule,
         "status": one.status, "robots": one.robots, "crawl_delay_s": one.crawl_delay_s, "entries": one.entries}
        for one in seen
    ]  # fmt: skip
    return {
        "url": start, "title": found.title, "language": found.language, "cms": found.cms, "looked": looked,
        "feed": source(found.feed), "list": source(found.list), "kin": [asdict(kin) for kin in found.kin],
        "outlets_csv": None if found.outlet_row is None else _csv(OUTLET_COLUMNS, [found.outlet_row])[1],
        "sources_csv": _csv(SOURCE_COLUMNS, found.source_rows)[1:],
    }  # fmt: skip
