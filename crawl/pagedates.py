"""When a page says its article was published: metadata first, then what readers see in its head. Pure; never raises.

A page shows many dates: today's beside the weather, the paper's last update, edits, comments, other articles. A date
counts where it is labelled as the article's, or stands bare in the article's head; a time of editing never does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from crawl import dates, urls
from crawl.characters import cut, tidy
from crawl.clock import kst_day
from crawl.dates import Dated
from crawl.pagehead import Head, own_title, squeezed

RAW_CHARS = 100
_CANDIDATES_MAX = 200
_STATED = (
    "article:published_time", "og:article:published_time", "article:published", "article.published", "og:published_time",
    "published_time", "datepublished", "date_published", "dable:published_time", "parsely-pub-date", "sailthru.date",
    "pubdate", "publishdate", "publish_date", "publish-date", "publication_date", "citation_publication_date",
    "dc.date.issued", "dcterms.issued", "article:create_date", "regdate", "reg_date",
)  # fmt: skip
"""Names of meta elements that mean the publication date."""
_SCRIPTS_MAX = 20
_JSON_CHARS = 300_000
_NODES_MAX = 200
_ARTICLE = re.compile(r"(?:.*article|.*posting|report)")

_DATE = (
    r"(?:(?<!\d)(?:19|20)\d\d ?[-./년] ?\d{1,2} ?[-./월] ?\d{1,2}(?!\d)"
    r"|(?<![\d.:/-])\d\d ?[-./] ?\d\d ?[-./] ?\d\d(?![\d:])(?! ?[-./] ?\d)"
    r"|(?<!\d)\d\d년 ?\d{1,2}월 ?\d{1,2}일"
    r"|(?<!\d)\d{1,2}[-/]\d{1,2}[-/](?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d{6}(?:\d{6})?(?!\d)"
    r"|\b[A-Za-z]{3,9}\.? ?\d{1,2}(?:st|nd|rd|th)?(?:, ?| )(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Za-z]{3,9}\.?(?:, ?| )(?:19|20)\d\d(?!\d))"
)
_AGO_WORDS = r"\d{1,3} ?(?:초|분|시간|일|주) ?전|어제|방금(?: ?전)?"
_AGO = re.compile(_AGO_WORDS)
_SHORT_DATE = rf"(?:(?<![\d.:/-])\d{{1,2}}[-./]\d{{1,2}}\.? \d{{1,2}}:\d\d|{_AGO_WORDS})"
_SURE_LABEL = (
    r"기사 ?승인|승인|기사 ?입력|입력|최초 ?(?:입력|등록|작성)|등록|작성|게시|게재|송고"
    r"|posted|published|registered|approved|written"
)
_HEAD_LABEL = rf"{_SURE_LABEL}|발행|보도|올린 ?날짜|날짜|일자|date"
_LABEL_END = r"(?: ?일시| ?일자| ?날짜| ?시간| ?시각|일|됨)?(?: on| at| date)?[\s:|)\]>.·•-]{0,4}[(\[]?"
_NOT_BEFORE = r"(?<!최종)(?<!최종 )(?<!마지막)(?<!마지막 )(?<!재)(?<![a-z])"
_LABELLED = re.compile(rf"{_NOT_BEFORE}(?:{_HEAD_LABEL}){_LABEL_END}(?P<date>{_DATE}|{_SHORT_DATE})", re.IGNORECASE)
_SURELY_LABELLED = re.compile(rf"{_NOT_BEFORE}(?:{_SURE_LABEL}){_LABEL_END}(?P<date>{_DATE})", re.IGNORECASE)
DATE = re.compile(_DATE)
OTHER_LABEL = re.compile(
    r"(?:수정|최종|편집(?!장|부|국|인|위원)|갱신|업데이트|변경|개정|마감|기간|접수|일시|시행|행사|개최|생년월일|조회|copyright|©"
    r"|updated?|modified|edited|revised|last)"
    r"[^\d\n]{0,8}\n?[^\d\n]{0,3}$|\d[\s)월화수목금토일]{0,4}[~∼]\s?$",
    re.IGNORECASE,
)
_NEXT_LABEL = re.compile(r"수정|최종|승인|입력|등록|작성|업데이트|조회|댓글|호수|updat|modif|edit", re.IGNORECASE)
_TIME_LINE = re.compile(
    r"(?:[(\[]?[월화수목금토일](?:요일)?[)\]]?\s?)?(?:오전|오후|[ap]m)? ?\d{1,2}(?::\d\d|시)", re.IGNORECASE
)
_AFTER = re.compile(
    r"[ (월화수목금토일)]{0,5}(?:~|∼|- ?\d{1,4} ?[-./년월])"
    r"| ?일?(?: ?부터| ?까지|에서|에 | 열린| ?발간| ?예정| ?기준)"
    r"|[^\d\n]{0,8}(?:\d{1,2}:\d\d(?::\d\d)?)? ?[(\[]?(?:최종 ?)?(?:수정|업데이트|updated|modified)(?![^\d\n]{0,8}\d)",
    re.IGNORECASE,
)
"""What follows a date that is not the article's: the end of a span, an event's words, a word for editing without its own date."""
_TAIL_CHARS = 50
_BARE_REST_CHARS = 60
_BARE_LINES = 40


@dataclass(frozen=True, slots=True)
class Found:
    """A publication date and the words it was read from."""

    dated: Dated
    raw: str


def stated(tree: LexborHTMLParser, *, url: str, seen: float) -> Found | None:
    """The publication date in a page's metadata and structured data. `url`: its address; `seen`: when it was fetched."""
    metas = _metas(tree)
    raws = [metas[name] for name in _STATED if name in metas]
    return _best([*raws, *_json_ld(tree, metas, url)], None, seen)


def shown(head: Head, known: Found | None, *, seen: float) -> Found | None:
    """The date with what readers see. `known`: what was stated; where that is a day alone, a time shown for it completes it."""
    return _best(islice(_candidates(head), _CANDIDATES_MAX), known, seen)


def _best(raws: Iterable[str], best: Found | None, seen: float) -> Found | None:
    """The first date, or a later one of the same day with its time."""
    for raw in raws:
        if best is not None and best.dated.precision != "day":
            return best
        dated = dates.read(raw, seen=seen)
        if dated.at is not None:
            found = Found(_midnight_is_a_day(dated), cut(tidy(raw), RAW_CHARS))
            if best is None or (found.dated.precision != "day" and _same_day(best.dated, found.dated)):
                best = found
    return best


def _same_day(one: Dated, other: Dated) -> bool:
    return one.at is not None and other.at is not None and kst_day(one.at) == kst_day(other.at)


def _midnight_is_a_day(dated: Dated) -> Dated:
    """Migrated archives write a day as its Korean midnight, with the zone too."""
    if dated.at is None or dated.precision == "day" or (dated.at + 9 * 3600) % 86_400:
        return dated
    return Dated(dated.at, "day", dated.zone_assumed)


def _metas(tree: LexborHTMLParser) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in tree.css("meta[content]"):
        fields = node.attributes
        name = fields.get("property") or fields.get("name") or fields.get("http-equiv") or ""
        if not name and node.parent is not None and node.parent.tag == "head":
            name = fields.get("itemprop") or ""
        content = (fields.get("content") or "").strip()
        if content:
            found.setdefault(name.strip().lower(), content[:1_000])
    return found


def _candidates(head: Head) -> Iterator[str]:
    """What may be the date, the best first."""
    yield from (stamp.raw for stamp in head.stamps if stamp.stated and stamp.place != "after")
    yield from (stamp.raw for stamp in head.stamps if stamp.place in ("marked", "head"))
    for lines in (head.marked, head.head):
        yield from _labelled(lines, _LABELLED)
    for lines in (head.marked, head.head):
        yield from _bare(lines)
    yield from _ago(head.marked)
    yield from _labelled(head.before, _SURELY_LABELLED)
    yield from (stamp.raw for stamp in head.stamps if stamp.stated)
    yield from _labelled(head.after, _SURELY_LABELLED)


def _labelled(lines: str, label: re.Pattern[str]) -> Iterator[str]:
    for found in label.finditer(lines):
        start, end = found.span("date")
        if not OTHER_LABEL.search(lines, max(0, found.start() - 20), found.start()) and not _AFTER.match(lines, end):
            yield _with_time(lines, start, end)


def _bare(lines: str) -> Iterator[str]:
    """Dates that stand by themselves in a short line."""
    offset = 0
    for line in lines.split("\n")[:_BARE_LINES]:
        for found in DATE.finditer(line):
            start, end = offset + found.start(), offset + found.end()
            alone = len(line) - len(found[0]) <= _BARE_REST_CHARS
            if alone and not OTHER_LABEL.search(lines, max(0, start - 20), start) and not _AFTER.match(lines, end):
                yield _with_time(lines, start, end)
        offset += len(line) + 1


def _ago(lines: str) -> Iterator[str]:
    yield from (line for line in lines.split("\n")[:_BARE_LINES] if _AGO.fullmatch(line))


def _with_time(lines: str, start: int, end: int) -> str:
    """A date with what follows it in its line, and in the next where that is its time; up to the next label."""
    stop = lines.find("\n", end)
    stop = len(lines) if stop < 0 else stop
    if not lines[end:stop].strip(" .()월화수목금토일요") and _TIME_LINE.match(lines, stop + 1):
        after = lines.find("\n", stop + 1)
        stop = len(lines) if after < 0 else after
    stop = min(stop, end + _TAIL_CHARS)
    label = _NEXT_LABEL.search(lines, end, stop)
    return lines[start : label.start() if label else stop].replace("\n", " ").strip(" l|ㅣ,·(")


def _json_ld(tree: LexborHTMLParser, metas: dict[str, str], url: str) -> Iterator[str]:
    """Publication dates of structured data: of the node about this page, else of the first article, else of the page."""
    articles: list[dict[str, Any]] = []
    pages: list[dict[str, Any]] = []
    for script in tree.css("script[type]")[:_NODES_MAX]:
        if "ld+json" in (script.attributes.get("type") or "").lower() and len(articles) < _SCRIPTS_MAX:
            for node in _nodes(_json(script.text())):
                types = [str(kind).rpartition("/")[2].lower() for kind in _many(node.get("@type"))[:10]]
                if any(_ARTICLE.fullmatch(kind) for kind in types):
                    articles.append(node)
                elif "webpage" in types or "itempage" in types:
                    pages.append(node)
    title = own_title(tree)
    own = _keys((url, metas.get("og:url", "")))
    about = [node for node in articles if _is_about(node, own, title)]
    strangers = [node for node in articles if node not in about and not (_addresses(node) and node.get("headline"))]
    for node in (*about, *strangers, *pages):
        raw = node.get("datePublished")
        if isinstance(raw, str):
            yield raw


def _json(source: str) -> Any:
    try:
        return json.loads(source[:_JSON_CHARS].strip().removeprefix("<!--").removesuffix("-->"), strict=False)
    except (ValueError, RecursionError):
        return None


def _nodes(data: Any) -> list[dict[str, Any]]:
    """The nodes a document is about: its own, its lists' and graph's; never what they mention."""
    found: list[dict[str, Any]] = []
    waiting = [data]
    while waiting and len(found) < _NODES_MAX:
        one = waiting.pop(0)
        if isinstance(one, list):
            waiting[:0] = one[:_NODES_MAX]
        elif isinstance(one, dict):
            found.append(one)
            waiting[:0] = [one[name] for name in ("@graph", "mainEntity", "mainEntityOfPage") if name in one]
    return found


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_about(node: dict[str, Any], own: set[bytes], title: str) -> bool:
    headline = node.get("headline")
    called = squeezed(headline[:300]) if isinstance(headline, str) else ""
    return bool(_keys(_addresses(node)) & own) or bool(called and called in squeezed(title))


def _addresses(node: dict[str, Any]) -> tuple[str, ...]:
    page = node.get("mainEntityOfPage")
    named = (node.get("url"), node.get("@id"), page.get("@id") if isinstance(page, dict) else page)
    return tuple(one for one in named if isinstance(one, str) and one.startswith("http"))


def _keys(addresses: tuple[str, ...]) -> set[bytes]:
    found = set()
    for address in addresses:
        try:
            found.add(urls.key(address))
        except ValueError:
            continue
    return found
