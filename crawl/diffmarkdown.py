"""The review for a pull request: one screen of Markdown in which no foreign text can be anything but text. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from crawl import urls
from crawl.anomalies import SAMPLES
from crawl.datadiff import ARCHIVED
from crawl.diffrecords import Anomaly, Article, DataDiff, Gone, Review, RowChange, Tally
from crawl.gatechecks import is_link
from crawl.shown import moment, plain

LIMIT_CHARS = 60_000
"""data.md: the hosting cuts or refuses a pull-request body beyond 65,536 characters, counted as UTF-16 units here."""

TITLE_CHARS, VALUE_CHARS = 120, 60
EDITS_MAX, GONE_MAX, ROWS_MAX, CHECKS_MAX, ANOMALIES_MAX = 60, 60, 40, 20, 40
NAMED_PER_OUTLET = SAMPLES

CUT = (
    "**Cut here: {left} more lines.** The whole report is the HTML file beside this one (`crawl diff … --format html`)."
)

_ACTIVE = frozenset("\\`*_[]<>#|~&$")
"""Signs that mean something in Markdown wherever they stand; written as references they can only be text."""
_BEGINNING = re.compile(r"(?:\d+(?=[.)]))?(?P<sign>[-+=.):])")
"""What makes a list, a heading or a rule where a line begins."""
_JOIN = "\u200b"
_LIVE = re.compile(
    r"(?<=@)(?=\w)|(?<=#)(?=\w)|(?<=[Gg][Hh])(?=-\d)|(?<=:)(?=//)|(?<=\bwww)(?=\.)|(?<=\bmailto)(?=:)|(?<=\bxmpp)(?=:)"
    r"|(?<=:)(?=[\w+-]+:)|(?<=[\w.])(?=@)|(?<=\w)(?=\.[A-Za-z])",
    re.IGNORECASE,
)
"""Where the hosting makes a mention, an issue, a link or a picture out of finished text: a blank of no width goes there."""
_COMMIT = re.compile(r"\b[0-9a-f]{7,40}\b", re.IGNORECASE)
_URL_SAFE = "/:?#@!$&+,;=%~-._"
_CROSS_LINKED = ("github.com",)
"""Links there would leave a mark at the other end, which an article's address must not be able to do."""


def escaped(text: str, limit_chars: int = TITLE_CHARS) -> str:
    """Foreign text for Markdown: it shows as what it is and is never a mention, link, picture, table or markup."""
    line = _LIVE.sub(_JOIN, plain(text, limit_chars))
    line = _COMMIT.sub(lambda found: _JOIN.join(re.findall(".{1,6}", found[0])), line)
    begins = _BEGINNING.match(line)
    signs = [_reference(sign) if sign in _ACTIVE or sign == _JOIN else sign for sign in line]
    if begins is not None:
        signs[begins.end() - 1] = _reference(begins["sign"])
    return "".join(signs)


def _reference(sign: str) -> str:
    return f"&#{ord(sign)};"


def link(text: str, url: str) -> str:
    """Foreign text that leads to an address, or the text alone where the address is none to follow."""
    told = escaped(text) or "(no title)"
    if not url or not is_link(url) or urls.server(url) in _CROSS_LINKED or any(sign <= " " for sign in url):
        return told
    return f"[{told}]({quote(url, safe=_URL_SAFE).replace('&', '&amp;')})"


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the report: what opens it, its lines, what closes it. Cut, it still closes."""

    opening: str
    lines: tuple[str, ...]
    closing: str = ""


def write(review: Review) -> str:
    """The report, under LIMIT_CHARS, with an explicit cut line where it does not fit."""
    diff = review.diff
    quiet = {one.outlet for one in review.anomalies if one.outlet}
    sections = [
        _Section(_head(review), ()),
        _Section("", tuple(_coverage(diff)), "\n"),
        *_anomalies(review.anomalies),
        *_outlets(diff, quiet),
        *_new_titles(diff),
        *_edits(diff),
        *_gone(diff.gone),
        *_archives(diff),
        *_changes("Registry", diff.registry),
        *_changes("Politeness table", diff.policy),
        _Section(_foot(diff), ()),
    ]
    return _fitted(sections)


def _fitted(sections: Sequence[_Section]) -> str:
    left = sum(len(one.lines) for one in sections)
    room = LIMIT_CHARS - _length(CUT.format(left=left)) - 2
    parts: list[str] = []
    for one in sections:
        room -= _length(one.opening + one.closing)
        if room < 0:
            return "".join(parts) + "\n" + CUT.format(left=left) + "\n"
        parts.append(one.opening)
        for line in one.lines:
            room -= _length(line) + 1
            if room < 0:
                return "".join(parts) + one.closing + "\n" + CUT.format(left=left) + "\n"
            parts.append(line + "\n")
            left -= 1
        parts.append(one.closing)
    return "".join(parts)


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _head(review: Review) -> str:
    diff = review.diff
    counts = Counter(one.weight for one in review.anomalies)
    words = ", ".join(f"{counts[weight]} {weight}" for weight in ("block", "look", "proposal") if counts[weight])
    archived = sum(one.archived for one in diff.outlets)
    lines = [
        f"## Data: {review.verdict}\n",
        f"{words}\n" if words else "nothing unusual\n",
        f"**{sum(one.new for one in diff.outlets)} new** · {archived} from archives · {len(diff.edits)} changed · "
        f"{len(diff.gone)} gone · {sum(one.after for one in diff.outlets)} articles after\n",
    ]
    return "\n".join(lines) + "\n"


def _coverage(diff: DataDiff) -> Iterable[str]:
    if diff.nights:
        yield "| night | due | ok | unchanged | failed | refused | put off | new | changed | requests | breaches |"
        yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for one in diff.nights:
        ended = "not ended" if one.ended is None else moment(one.ended)[11:]
        span = f"{escaped(one.day)} {moment(one.started)[11:]}–{ended} {'' if one.mode == 'scheduled' else escaped(one.mode)}"
        numbers = (one.due, one.ok, one.unchanged, one.failed, one.refused, one.put_off, one.new_articles, one.changed_articles,
                   one.requests, one.breaches)  # fmt: skip
        yield f"| {span.strip()} | " + " | ".join(map(str, numbers)) + " |"
    yield ""
    seen = diff.coverage
    yield (
        f"{seen.sources} listed sources: {seen.failing} failing, {seen.resting} resting, {seen.closed_by_robots} closed by "
        "robots.txt."
    )
    if diff.checks:
        yield ""
        told = Counter(f"{one.result}: {one.reason}" for one in diff.checks)
        listed = sorted(told.items(), key=lambda item: (-item[1], item[0]))
        yield f"New outcomes: {', '.join(f'{count} {escaped(what)}' for what, count in listed[:CHECKS_MAX])}."


def _anomalies(listed: Sequence[Anomaly]) -> Iterable[_Section]:
    if not listed:
        return
    lines = []
    for one in listed[:ANOMALIES_MAX]:
        where = f"**{escaped(one.outlet)}** " if one.outlet else ""
        lines.append(f"- `{one.weight.upper()}` `{one.name}` {where}{escaped(one.told, 0)}")
        lines += [f"  - {escaped(sample)}" for sample in one.samples]
    if len(listed) > ANOMALIES_MAX:
        lines.append(f"- … and {len(listed) - ANOMALIES_MAX} more in the full report")
    yield _Section("### To look at\n\n", tuple(lines), "\n")


def _outlets(diff: DataDiff, unusual: set[str]) -> Iterable[_Section]:
    moving = [one for one in diff.outlets if one.new or one.archived or one.changed or one.gone]
    first = [one for one in moving if one.slug in unusual]
    rest = [one for one in moving if one.slug not in unusual]
    head = "| outlet | before | new | archives | changed | gone | after |\n|---|--:|--:|--:|--:|--:|--:|\n"
    if first:
        yield _Section(f"### Outlets with something to look at\n\n{head}", tuple(map(_row, first)), "\n")
    if rest:
        still = len(diff.outlets) - len(moving)
        summary = f"{len(rest)} outlets as usual, {still} without a change"
        yield _folded(summary, head, tuple(map(_row, rest)))


def _row(one: Tally) -> str:
    numbers = (one.before, one.new, one.archived, one.changed, one.gone, one.after)
    return f"| {escaped(one.slug)} {escaped(one.name, VALUE_CHARS)} | " + " | ".join(map(str, numbers)) + " |"


def _folded(summary: str, head: str, lines: tuple[str, ...]) -> _Section:
    return _Section(f"<details><summary>{summary}</summary>\n\n{head}", lines, "\n</details>\n\n")


def _new_titles(diff: DataDiff) -> Iterable[_Section]:
    shown: Counter[str] = Counter()
    lines = []
    for one in sorted(diff.new, key=lambda one: (one.outlet, one.id)):
        if one.via in ARCHIVED or one.hidden:
            continue
        shown[one.outlet] += 1
        if shown[one.outlet] <= NAMED_PER_OUTLET:
            lines.append(f"- {escaped(one.outlet)}: {link(one.title, one.url)} {_when(one)}".rstrip())
    if lines:
        yield _folded(f"New titles, up to {NAMED_PER_OUTLET} of an outlet", "", tuple(lines))


def _when(one: Article) -> str:
    """Its date as far as it is known, Korean time."""
    return "" if one.published is None else moment(one.published, 10 if one.precision == "day" else 16)


def _edits(diff: DataDiff) -> Iterable[_Section]:
    if not diff.edits:
        return
    fields = Counter(field for edit in diff.edits for field in edit.fields)
    lines = [", ".join(f"{escaped(name)} {count}" for name, count in sorted(fields.items())), ""]
    retitled = [edit for edit in diff.edits if "title" in edit.fields and not edit.after.hidden]
    for edit in retitled[:EDITS_MAX]:
        lines.append(
            f"- {escaped(edit.after.outlet)}: {escaped(edit.before.title)} → {link(edit.after.title, edit.after.url)}"
        )
    if len(retitled) > EDITS_MAX:
        lines.append(f"- … and {len(retitled) - EDITS_MAX} more in the full report")
    yield _folded(f"{len(diff.edits)} changed articles, {len(retitled)} with another title", "", tuple(lines))


def _gone(gone: Sequence[Gone]) -> Iterable[_Section]:
    if not gone:
        return
    lines = [f"- {count} {escaped(reason or 'without a reason on record')}"
             for reason, count in sorted(Counter(one.reason for one in gone).items())]  # fmt: skip
    lines += ["", *(f"- `{one.key}` {escaped(one.outlet)} {escaped(one.reason)}".rstrip() for one in gone[:GONE_MAX])]
    if len(gone) > GONE_MAX:
        lines.append(f"- … and {len(gone) - GONE_MAX} more in the full report")
    yield _folded(f"{len(gone)} articles gone (keys only; a pull request is for ever)", "", tuple(lines))


def _archives(diff: DataDiff) -> Iterable[_Section]:
    lines = []
    for tally in diff.outlets:
        if tally.archived:
            days = sorted(
                _when(one)[:7] for one in diff.new if one.outlet == tally.slug and one.via in ARCHIVED and _when(one)
            )
            span = f", {days[0]} to {days[-1]}" if days else ""
            lines.append(f"- {escaped(tally.slug)}: {tally.archived}{span}")
    if lines:
        total = sum(one.archived for one in diff.outlets)
        yield _folded(f"Backfill and imports brought {total} older articles", "", tuple(lines))


def _changes(title: str, changes: Sequence[RowChange]) -> Iterable[_Section]:
    if not changes:
        return
    lines = []
    for one in changes[:ROWS_MAX]:
        told = "; ".join(f"{escaped(column)} {escaped(before, VALUE_CHARS)} → {escaped(after, VALUE_CHARS)}"
                         for column, before, after in one.fields)  # fmt: skip
        lines.append(f"- {one.table} {escaped(one.name)} {one.how} {told}".rstrip())
    if len(changes) > ROWS_MAX:
        lines.append(f"- … and {len(changes) - ROWS_MAX} more in the full report")
    yield _folded(f"{title}: {len(changes)} rows changed", "", tuple(lines))


def _foot(diff: DataDiff) -> str:
    lines = []
    for side, facts in (("before", diff.old_files), ("after", diff.new_files)):
        for one in facts:
            lines.append(f"{side} {escaped(one.name)}: schema {one.schema}, {one.rows} rows, {one.size_bytes:,} bytes, "
                         f"sha256 `{one.sha256[:16]}`")  # fmt: skip
    wishes = "no exclusions.csv" if diff.wishes is None else f"{diff.wishes} rows of exclusions.csv asked"
    lines.append(
        f"{wishes}; {diff.tombstones[0]} new tombstones, {diff.tombstones[1]} withdrawn; {diff.revisions[0]} edits recorded"
    )
    return "<details><summary>Files</summary>\n\n" + "".join(f"- {line}\n" for line in lines) + "\n</details>\n"
