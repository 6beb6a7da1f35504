"""A page of an outlet's printed issues to their entries: PDF files, or viewer pages where no file is offered. Pure.

Such pages are hand-made and share no markup: an issue is a link to a PDF or a viewer, with a name (`제1234호`) and perhaps a
day in the same row or under the same heading. Forms, rules and prices are PDF files too; where most files are named like
issues, those that are not are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal
from urllib.parse import unquote_plus, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawl import dates, encoding, pagepicture, pagetree, text, urls
from crawl.characters import cut, tidy
from crawl.dates import Dated
from crawl.errors import FeedUnreadable
from crawl.feeditems import UNTITLED
from crawl.model import Entry, Feed
from crawl.pagedates import DATE

_LINKS_MAX = 2_000
_ENTRIES_MAX = 500
_LINES_MAX = 40
_LINE_CHARS = 200
_CLIMB_MAX = 6
_SHORT_CHARS = 20

_ROWS = frozenset({"tr", "li", "article", "figure", "dl"})
_BOXES = frozenset({"nav", "footer", "aside", "noscript", "template"})
_BOX_CLIMB_MAX = 60
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt", "strong", "caption", "th"})
_DOWNLOAD = re.compile(r"down|attach|atch|file", re.IGNORECASE)
_PDF_WORD = re.compile(r"(?<![a-z])pdf(?![a-z])", re.IGNORECASE)
_VIEWER = re.compile(
    r"e-?book|flip|issuu\.com|e-?paper|paper-?view|e-?catalog|ecatalog|pdf-?view|viewer|joomag|calameo|yumpu",
    re.IGNORECASE,
)
_VIEWER_LABEL = re.compile(r"e-?book|이북|(?:지면|신문|pdf) ?보기", re.IGNORECASE)
_ISSUE = re.compile(
    r"제? ?\d{1,5} ?호|[가-힣\d]호(?![가-힣])|\b(?:vol|no|issue)\b\.? ?\d|\b(?:spring|summer|autumn|fall|winter) (?:19|20)\d\d",
    re.IGNORECASE,
)
_PAPERS = re.compile(
    r"규정|규칙|강령|세칙|신청서|약관|방침|단가|양식|지원서|정관|안내문|모집|공고|요강|안내서|광고|소개서|브로슈어|media.?kit|brochure"
)
_COMMON_WORDS = re.compile(
    r"pdf|e-?book|e-?paper|download|다운로드|다운|내려받기|바로가기|보기|열기|파일|첨부|지면|신문|원본|미리|전체|크게|클릭"
    r"|새창|view|open|file|click|here|now|read|more|자세히|발행일|등록일|작성일|날짜|호수|번호|제목|조회수?"
    r"|\d+(?:\.\d+)? ?[kmg]b|으로|로|하기|받기",
    re.IGNORECASE,
)
_FILE_END = re.compile(r"\.pdf$", re.IGNORECASE)
_SHEET = re.compile(r"제?\d{1,3}(?:\s?[~,·-]\s?\d{1,3})*\s?(?:면|쪽)|p(?:age)?\.?\s?\d{1,3}", re.IGNORECASE)
_SIZE_TAIL = re.compile(
    r"\s*(?:\d+(?:\.\d+)?\s?[KMG]B(?:ytes?)?|[\[(]\s*(?:\d+(?:\.\d+)?\s?[KMG]B(?:ytes?)?|PDF(?: ?(?:다운로드|보기))?)\s*[\])]"
    r"|\sPDF(?: ?(?:다운로드|보기))?)$",
    re.IGNORECASE,
)
_SHORT_DAY = re.compile(r"\d ?[-./월] ?\d|전$|어제|오늘")
_PIECE_OF_DAY = re.compile(r" ?일")


@dataclass(frozen=True, slots=True)
class _Link:
    """A link to an issue: where readers go, and the file where that is known. `label`: what the link says."""

    node: LexborNode
    url: str
    pdf: str | None
    label: str


def parse(body: bytes, *, base: str, content_type: str | None, seen: float, summary_max_chars: int) -> Feed:
    """Read a page of issues. Entries are of kind `edition`; `media_url` is the PDF, None where a row has only a viewer.

    Arguments as those of `feeds.parse`; nothing is summarised. Flags: `not_issues:N` files were left out, `no_date:N`,
    `items_capped`. Raises FeedUnreadable: `empty_body`, `no_editions`.
    """
    found = encoding.decode(body, content_type)
    if not found.text.strip("\ufeff \t\r\n\x00"):
        raise FeedUnreadable("empty_body")
    tree = pagetree.tree(found.text)
    links = _links(tree, pagepicture.base(tree, base))
    rows = _rows(links)
    filed = {row.mem_id for link, row in zip(links, rows, strict=True) if link.pdf}
    lines = {row.mem_id: list(islice(_strings(row), _LINES_MAX)) for row in {row.mem_id: row for row in rows}.values()}
    entries = _once(
        _entry(link, lines[row.mem_id], _heading(row), seen)
        for link, row in zip(links, rows, strict=True)
        if link.pdf or row.mem_id not in filed
    )
    issues = [entry for entry in entries if entry.published is not None or _ISSUE.search(entry.title)]
    kept = issues if len(issues) * 2 >= len(entries) else entries
    if not kept:
        raise FeedUnreadable("no_editions")
    noticed = {
        "not_issues": len(entries) - len(kept),
        "no_date": sum(entry.published is None for entry in kept[:_ENTRIES_MAX]),
    }
    flags = [f"{name}:{count}" for name, count in noticed.items() if count]
    if len(kept) > _ENTRIES_MAX or len(links) == _LINKS_MAX:
        flags.append("items_capped")
    heading = tree.css_first("title")
    title = text.title(heading.text(), html=False) if heading is not None else ""
    return Feed("editions", title, "", tuple(kept[:_ENTRIES_MAX]), (*found.flags, *flags))


def _links(tree: LexborHTMLParser, base: str) -> list[_Link]:
    """Links to issues outside the page's own menus and edges, in order."""
    found = (_link(node, base) for node in tree.css("a[href], area[href]")[:_LINKS_MAX] if not _boxed(node))
    return [link for link in found if link is not None]


def _boxed(node: LexborNode) -> bool:
    return any(above.tag in _BOXES for above in _above(node, _BOX_CLIMB_MAX))


def _link(node: LexborNode, base: str) -> _Link | None:
    fields = node.attributes
    url = urls.link(fields.get("href"), base)
    if url is None:
        return None
    label = tidy(" ".join(_strings(node))) or tidy(fields.get("title") or fields.get("aria-label") or "")
    picture = node.css_first("img[alt]")
    label = label or (tidy(picture.attributes.get("alt") or "") if picture is not None else "")
    label = cut(label, _LINE_CHARS)
    parts = urlsplit(url)
    place, query = unquote_plus(parts.path), unquote_plus(parts.query)
    viewer = _VIEWER.search(f"{parts.netloc}{place}") is not None
    hinted = f"{label} {fields.get('title') or ''} {fields.get('type') or ''}"
    if _FILE_END.search(place) or (parts.query and not viewer and _names_pdf(query)):
        return _Link(node, url, url, label)
    if viewer:
        return _Link(node, url, _shown_file(query, url), label)
    if _DOWNLOAD.search(f"{place}?{query}") and _PDF_WORD.search(hinted):
        return _Link(node, url, url, label)
    return _Link(node, url, None, label) if _VIEWER_LABEL.search(label) else None


def _names_pdf(query: str) -> bool:
    return any(_FILE_END.search(field) for field in query.split("&"))


def _shown_file(query: str, viewer: str) -> str | None:
    """The file a viewer's address names (`viewer.html?file=/data/1234.pdf`)."""
    named = next((value for field in query.split("&") if _FILE_END.search(value := field.partition("=")[2])), None)
    return urls.link(named, viewer)


def _strings(node: LexborNode) -> Iterator[str]:
    """The lines of text inside an element, as far as a row needs them."""
    for inner in islice(node.traverse(include_text=True), _LINES_MAX * 5):
        if inner.tag == "-text" and (line := tidy((inner.text_content or "")[:_LINE_CHARS])):
            yield line


def _rows(links: list[_Link]) -> list[LexborNode]:
    """The row of each link: its table row or list item, else the largest element around it that holds no other issue."""
    around: dict[int, set[str]] = {}
    paths = [_above(link.node, _CLIMB_MAX) for link in links]
    for link, path in zip(links, paths, strict=True):
        for node in path:
            around.setdefault(node.mem_id, set()).add(link.pdf or link.url)
    rows = []
    for link, path in zip(links, paths, strict=True):
        row = next((node for node in path if node.tag in _ROWS), None)
        if row is None:
            alone = [
                node for node in path if len(around[node.mem_id]) == 1 and node.tag not in ("body", "html", "main")
            ]
            row = alone[-1] if alone else link.node
        rows.append(row)
    return rows


def _above(node: LexborNode, levels: int) -> list[LexborNode]:
    path: list[LexborNode] = []
    parent = node.parent
    while parent is not None and len(path) < levels and parent.tag not in ("body", "html"):
        path.append(parent)
        parent = parent.parent
    return path


def _entry(link: _Link, lines: list[str], heading: str, seen: float) -> Entry:
    title = _title(link, lines, heading)
    said = [line for line in lines if line != title]
    found, raw, how = _date([*said, title, heading if _ISSUE.search(heading) else ""], seen)
    return Entry(
        url=link.url,
        title=title,
        published=found.at if found else None,
        precision=found.precision if found else "none",
        published_raw=raw,
        date_from=how,
        kind="edition",
        media_url=link.pdf,
        media_type="application/pdf" if link.pdf else None,
    )


def _heading(row: LexborNode) -> str:
    """The nearest heading above a row, within the blocks around it."""
    node: LexborNode | None = row
    for _ in range(3):
        before = node.prev if node is not None else None
        for _ in range(_LINES_MAX):
            if before is None:
                break
            if before.tag in _HEADINGS:
                return cut(tidy(" ".join(_strings(before))), _LINE_CHARS)
            before = before.prev
        node = node.parent if node is not None else None
    return ""


def _title(link: _Link, lines: list[str], heading: str) -> str:
    """The issue's name, from the link, its row or the heading above; else the file's name."""
    said = [line for line in (link.label, *lines) if _tells(line)]
    named = next((line for line in said if _ISSUE.search(line)), "")
    if not named and _ISSUE.search(heading):
        page = link.label if _tells(link.label) and not DATE.search(link.label) else ""
        named = f"{heading} {page}".strip()
    elif named and _SHEET.fullmatch(link.label.strip()) and link.label.strip() not in named:
        # Files of one row are told apart by the page each holds.
        named = f"{named} {link.label.strip()}"
    worded = next((line for line in said if any(char.isalpha() for char in DATE.sub("", line))), "")
    dated = next((line for line in said if DATE.search(line)), "")
    name = named or worded or dated or _file_name(link) or (heading if _tells(heading) else "")
    return text.title(_FILE_END.sub("", _SIZE_TAIL.sub("", name)).strip(" |-·"), html=False) or UNTITLED


def _tells(line: str) -> bool:
    """Whether a line says more than that there is a file to open."""
    return any(char.isalnum() for char in _COMMON_WORDS.sub("", line))


def _file_name(link: _Link) -> str:
    parts = urlsplit(link.pdf or link.url)
    name = unquote_plus(parts.path).rpartition("/")[2]
    return tidy(name).replace("_", " ") if _FILE_END.search(name) and "\ufffd" not in name else ""


def _date(lines: list[str], seen: float) -> tuple[Dated | None, str, Literal["list", "list_resolved", "none"]]:
    """The first day the lines name; one without a year or a relative one is resolved now."""
    for line in lines:
        found = DATE.search(line)
        if found:
            day = _PIECE_OF_DAY.match(line, found.end())
            raw = line[found.start() : day.end() if day else found.end()]
            dated = dates.read(raw, seen=seen)
            if dated.at is not None:
                return dated, raw, "list"
    for line in lines:
        if len(line) <= _SHORT_CHARS and _SHORT_DAY.search(line) and not _ISSUE.search(line):
            dated = dates.read(line, seen=seen)
            if dated.at is not None:
                return dated, line, "list_resolved"
    return None, "", "none"


def _once(entries: Iterator[Entry]) -> list[Entry]:
    """Each issue once, without the forms and rules among them."""
    kept: dict[bytes, Entry] = {}
    for entry in entries:
        if _ISSUE.search(entry.title) or not _PAPERS.search(entry.title):
            kept.setdefault(urls.key(entry.media_url or entry.url), entry)
    return list(kept.values())
