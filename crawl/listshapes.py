"""The list of a page that no skin fits: found by its links, which look alike as articles' addresses do. Pure.

Links in boxes beside the list are left out, by element names and class words, and by headings that name such a box
(`많이 본 뉴스`) as long as more remains than the box holds. An item is the largest element that holds links of one article only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawl import listlinks, listrows, urls
from crawl.listleaves import Columns
from crawl.listrows import Row
from crawl.listtext import children, classes, decoy, words
from crawl.skins import BY_NAME, FAMILIES, Family

LINKS_MAX = 3_000
_CLIMB_MAX = 40
_NAMES_LEAST = 3
_TITLE_CHARS = 6
_MEAN_CHARS = 8
_SHORT_TITLE = re.compile(r"[^\W\d_].*[^\W_]")
_NUMBERED = re.compile(r"/0\?|\?.")
_HEADINGS_MAX = 200
_BOX_HEADING = re.compile(
    r"(?:(?:오늘의|최근|주간|월간|실시간|가장|이 ?시각)\s*)?"
    r"(?:많이\s?본|인기|화제의?|베스트|추천|관련|포토|최신|실시간|지난|댓글\s?많은|핫|공감)\s?\S{0,3}\s?"
    r"(?:뉴스|기사|글|게시물|이슈|갤러리|소식|클릭|순)?(?:\s?(?:top\s?)?\d{0,2})?"
    r"|(?:most|top|popular|best|recent|latest|related|trending|hot)"
    r"\s(?:read|viewed|popular|commented|articles?|news|posts?|stories|issues?)"
    r"|photo\s?news|best|hot|ranking",
    re.IGNORECASE,
)
_NO_ARTICLE = re.compile(
    r"/(?:tags?|categor(?:y|ies)|author|search|login|members?|feed|rss|wp-content|wp-admin|privacy|about)(?:/|$|\.)|/page(?:/\d|/?$)"
    r"|(?:login|register|logout|search|write|list|rss)\w*\.(?:php|html?|jsp|do|asp)"
    r"|\.(?:jpe?g|png|gif|webp|pdf|zip|hwpx?|mp3|mp4|css|js|xml)$",
    re.IGNORECASE,
)
_ROW_TAGS = frozenset({"li", "article"})
_EDGES = frozenset({"body", "html", "main", "table", "tbody", "ul", "ol"})


@dataclass(frozen=True, slots=True)
class _Link:
    node: LexborNode
    url: str
    name: str


def find(
    tree: LexborHTMLParser, *, roots: Sequence[LexborNode], source: str, base: str, cms: str, last: bool = False
) -> tuple[Family, list[Row]] | None:
    """The family of the page's list and its items in page order; None where nothing on it looks like a list.

    `roots`: where to look; an empty one means the whole page without its side boxes. `last`: it may be a list's last page, with
    an item or two that have dates or writers.
    """
    nodes = (
        [node for root in roots for node in root.css("a[href], a[onclick]")]
        if roots
        else tree.css("a[href], a[onclick]")
    )
    sides = listlinks.Sides()
    shown = [
        (node, url)
        for node in nodes[:LINKS_MAX]
        if (roots or not sides.hold(node)) and (url := listlinks.address(node, base)) is not None
    ]
    films = [_Link(node, url, name) for node, url in shown if (name := listlinks.film(url))]
    family, links = _of_a_family(tree, shown, source, base, cms) or (
        BY_NAME["links"], _alike(shown, base) or _titled(films)
    )  # fmt: skip
    few = not links and last
    links = links or (_alike(shown, base, least=1) if few else [])
    if not links:
        return None
    if not roots:
        links = _without_boxes(tree, links)
    order = {node.mem_id: number for number, (node, _) in enumerate(shown)} if films else {}
    rows = [row for row in _rows(links, films, order) if row.date or row.byline or not few]
    return (family, rows) if rows else None


def _titled(films: list[_Link]) -> list[_Link]:
    """Links to films where so many of them have titles that they are a list of their own."""
    titled = {link.name for link in films if len(words(link.node).strip()) >= _TITLE_CHARS}
    return [link for link in films if link.name in titled] if len(titled) >= _NAMES_LEAST else []


def _of_a_family(
    tree: LexborHTMLParser, shown: list[tuple[LexborNode, str]], source: str, base: str, cms: str
) -> tuple[Family, list[_Link]] | None:
    best: tuple[Family, list[_Link]] | None = None
    most = 0
    own = listlinks.own(tree, base)
    for family in FAMILIES:
        if family.article is None or (family.told and cms not in family.cms and family.told not in source):
            continue
        itself = listlinks.named(own, family)
        links = [
            _Link(node, url, name) for node, url in shown if (name := listlinks.named(url, family)) and name != itself
        ]
        count = len({link.name for link in links})
        if count > most:
            best, most = (family, links), count
    return best


def _alike(shown: list[tuple[LexborNode, str]], base: str, least: int = _NAMES_LEAST) -> list[_Link]:
    """The largest group of links of one shape with titles for words, on the page's own server; of fewer than usual articles
    where addresses are numbered."""
    groups: dict[str, list[_Link]] = {}
    own = _server(base)
    for node, url in shown:
        if _server(url) != own or url.partition("#")[0] == base or _NO_ARTICLE.search(urlsplit(url).path):
            continue
        shape = _shape(url)
        if shape:
            groups.setdefault(shape, []).append(_Link(node, url, listlinks.same(url)))
    best: list[_Link] = []
    most = 0
    for shape, links in groups.items():
        texts = {
            link.name: max(len(words(link.node).strip()), 0)
            for link in links
            if len(words(link.node).strip()) >= _TITLE_CHARS
        }
        weight = sum(min(size, _CLIMB_MAX) for size in texts.values())
        enough = len(texts) >= (least if _NUMBERED.search(shape) else _NAMES_LEAST)
        if enough and weight > most and sum(texts.values()) >= _MEAN_CHARS * len(texts):
            # A short title is told from a menu's word by the number in its address.
            short = (
                {link.name for link in links if _SHORT_TITLE.search(words(link.node))}
                if _NUMBERED.search(shape)
                else set()
            )
            best, most = [link for link in links if link.name in texts or link.name in short], weight
    return best


def _server(url: str) -> str:
    try:
        return urls.server(url)
    except ValueError:
        return ""


def _shape(url: str) -> str:
    """What addresses of one kind have in common; empty for a front page."""
    parts = urlsplit(url)
    path = [segment for segment in parts.path.split("/") if segment]
    if path:
        path[-1] = "0" if path[-1].isdecimal() else re.sub(r"\d+", "0", path[-1]) if "." in path[-1] else "*"
    keys = sorted({field.partition("=")[0] for field in parts.query.split("&") if field})
    return (
        f"{len(path)}/{'/'.join(re.sub(r'[0-9]+', '0', segment) for segment in path)}?{'&'.join(keys)}"
        if path or keys
        else ""
    )


def _without_boxes(tree: LexborHTMLParser, links: list[_Link]) -> list[_Link]:
    """The links that stand in no box whose heading names it as one beside the list, while more remain than it holds."""
    holders = _holders(links)
    for heading in tree.css("h2, h3, h4, h5, dt, caption, strong")[:_HEADINGS_MAX]:
        text = words(heading).strip()
        if len(text) > 20 or not _BOX_HEADING.fullmatch(text):
            continue
        box = heading.parent
        for _ in range(4):
            if box is None or box.tag in ("body", "html"):
                box = None
                break
            if box.mem_id in holders:
                break
            box = box.parent
        if box is None or box.mem_id not in holders:
            continue
        inside = holders[box.mem_id]
        left = [link for link in links if link.node.mem_id not in inside]
        if len({link.name for link in left}) >= len({link.name for link in links if link.node.mem_id in inside}):
            links = left
    return links


def _holders(links: list[_Link]) -> dict[int, set[int]]:
    """For each element above some link, the links below it."""
    holders: dict[int, set[int]] = {}
    for link in links:
        one = link.node.parent
        for _ in range(_CLIMB_MAX):
            if one is None or one.tag in ("body", "html"):
                break
            holders.setdefault(one.mem_id, set()).add(link.node.mem_id)
            one = one.parent
    return holders


def _rows(links: list[_Link], films: list[_Link], order: dict[int, int]) -> list[Row]:
    """The items of the links, and of the `films` that stand in a row with them. `order`: of links on the page (`mem_id`)."""
    owner = _owners(links)
    alone = len({link.name for link in links}) == 1
    placed = [(link, _root(link.node, owner, alone)) for link in links]
    if films and (among := _among(placed, films)):
        placed = sorted([*placed, *among], key=lambda one: order[one[0].node.mem_id])
        owner |= {root.mem_id: link.name for link, root in among}
    by_name: dict[tuple[str, int], list[_Link]] = {}
    roots: dict[tuple[str, int], LexborNode] = {}
    for link, root in placed:
        place = (link.name, root.mem_id)
        roots.setdefault(place, root)
        by_name.setdefault(place, []).append(link)
    rows: list[tuple[int, Row]] = []
    columns = Columns()
    for place, mine in by_name.items():
        root = roots[place]
        if decoy(root) or not any(words(link.node).strip() or link.node.css_first("img[alt]") for link in mine):
            continue
        row = listrows.by_shape(
            _with_following(root, owner), [link.node for link in mine], mine[0].url, mine[0].name, columns
        )
        if listrows.secret(root, row.title):
            continue
        parent = root.parent
        rows.append((parent.mem_id if parent is not None else 0, row))
    dated = Counter(group for group, row in rows if row.date)
    if dated and len(rows) > sum(dated.values()):
        # Boxes of other articles show no dates where the list does.
        rows = [(group, row) for group, row in rows if group in dated]
    return [row for _, row in rows]


def _among(placed: list[tuple[_Link, LexborNode]], films: list[_Link]) -> list[tuple[_Link, LexborNode]]:
    """Those films, with their items, that are items beside the others: of the same parent and tag, and in none of them."""
    items = {root.mem_id for _, root in placed}
    beside = {(root.parent.mem_id, root.tag) for _, root in placed if root.parent is not None}
    found: list[tuple[_Link, LexborNode]] = []
    for film in films:
        one: LexborNode | None = film.node
        for _ in range(_CLIMB_MAX):
            if one is None or one.mem_id in items or one.parent is None:
                break
            if (one.parent.mem_id, one.tag) in beside:
                found.append((film, one))
                break
            one = one.parent
    return found


def _owners(links: list[_Link]) -> dict[int, str | None]:
    """For each element above links: the one article they name, or None for several."""
    owner: dict[int, str | None] = {}
    for link in links:
        one: LexborNode | None = link.node
        for _ in range(_CLIMB_MAX):
            if one is None or one.tag in ("body", "html"):
                break
            known = owner.get(one.mem_id, link.name)
            owner[one.mem_id] = link.name if known == link.name else None
            one = one.parent
    return owner


def _root(node: LexborNode, owner: dict[int, str | None], alone: bool) -> LexborNode:
    """The item a link belongs to: as far up as links of its article are alone."""
    one = node
    for _ in range(_CLIMB_MAX):
        above = one.parent
        if above is None or owner.get(above.mem_id) is None:
            break
        if one.tag in _ROW_TAGS or (one.tag == "tr" and (alone or _cells(one) > 1)) or (alone and above.tag in _EDGES):
            break
        one = above
    return one


def _cells(row: LexborNode) -> int:
    return sum(child.tag in ("td", "th") for child in children(row)[:20])


def _with_following(root: LexborNode, owner: dict[int, str | None]) -> list[LexborNode]:
    """An item and, for a heading, a `dt` or a row of one cell, what follows it up to the next article."""
    found = [root]
    if (
        (root.tag == "tr" and _cells(root) == 1)
        or root.tag in ("dt", "h1", "h2", "h3", "h4", "h5", "a")
        or "title" in classes(root)
    ):
        one = root.next
        while one is not None and len(found) < 8 and one.mem_id not in owner:
            found.append(one)
            one = one.next
    return found
