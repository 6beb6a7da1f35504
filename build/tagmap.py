"""A map of tags that stand together: near where they often do. The same tags always make the same map, on any machine."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from markupsafe import Markup

from build import charts

MOST_TAGS = 26
CANDIDATES = 120
LINES_EACH = 3
TOGETHER_LEAST = 3
OUTLETS_LEAST = 2
TAGS_LEAST = 5
"""Fewer make no map."""

LABEL_CHARS = 11
_STEPS = 260
_PUSHES = 400
_GAP_X, _GAP_Y = 10.0, 7.0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tags, the articles that have both, and how near that makes them (0 to 1)."""

    one: int
    other: int
    together: int
    near: float


@dataclass(frozen=True, slots=True)
class TagMap:
    """The tags of a map with their articles, most used first, and the pairs its lines join, nearest first.

    `tags`: (number, articles); pairs know a tag by its place in them.
    """

    tags: tuple[tuple[int, int], ...]
    pairs: tuple[Pair, ...]


def chosen(articles: Iterable[tuple[int, Sequence[int]]], keys: Sequence[str]) -> TagMap | None:
    """The map of some articles, given as (outlet, tags); None where too few tags stand together.

    Only tags that several outlets use count. `keys`: what decides where all else is even.
    """
    held = [(outlet, tags) for outlet, tags in articles if tags]
    uses, outlets = Counter[int](), Counter[int]()
    for number, _ in {(tag, outlet) for outlet, tags in held for tag in tags}:
        outlets[number] += 1
    for _, tags in held:
        uses.update(tags)
    ranked = sorted(
        (tag for tag in uses if outlets[tag] >= OUTLETS_LEAST and uses[tag] >= TOGETHER_LEAST),
        key=lambda tag: (-uses[tag], keys[tag]),
    )
    among = set(ranked[:CANDIDATES])
    together: Counter[tuple[int, int]] = Counter()
    for _, tags in held:
        together.update(combinations(sorted(among.intersection(tags)), 2))
    return _picked(uses, together, keys)


def _picked(uses: Counter[int], together: Counter[tuple[int, int]], keys: Sequence[str]) -> TagMap | None:
    near = {
        pair: count / sqrt(uses[pair[0]] * uses[pair[1]]) for pair, count in together.items() if count >= TOGETHER_LEAST
    }
    order = sorted(near, key=lambda pair: (-near[pair], -together[pair], keys[pair[0]], keys[pair[1]]))
    kept: list[tuple[int, int]] = []
    lines: Counter[int] = Counter()
    for pair in order:
        new = sum(1 for tag in pair if not lines[tag])
        if len(lines) + new <= MOST_TAGS and min(lines[pair[0]], lines[pair[1]]) < LINES_EACH:
            kept.append(pair)
            lines.update(pair)
    if len(lines) < TAGS_LEAST:
        return None
    tags = sorted(lines, key=lambda tag: (-uses[tag], keys[tag]))
    place = {tag: at for at, tag in enumerate(tags)}
    return TagMap(
        tuple((tag, uses[tag]) for tag in tags),
        tuple(_pair(place[one], place[other], together[one, other], near[one, other]) for one, other in kept),
    )


def _pair(one: int, other: int, together: int, near: float) -> Pair:
    return Pair(min(one, other), max(one, other), together, near)


def drawn(tags: TagMap, names: Sequence[str], *, size: tuple[int, int], name: str, title: str, told: str) -> Markup:
    """The map as a picture of that size (pixels); `names` of its tags in their order."""
    boxes = [_Label(name, uses, tags.tags[0][1]) for name, (_, uses) in zip(names, tags.tags, strict=True)]
    spots = places(tags, size, [(box.width, box.height) for box in boxes])
    lines = [
        Markup('<line class="tie w{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
            3 if pair.near >= 0.4 else 2 if pair.near >= 0.2 else 1, *spots[pair.one], *spots[pair.other]
        )
        for pair in tags.pairs
    ]
    labels = [
        Markup(
            '<rect class="paper" x="{}" y="{}" width="{}" height="{}"/>'
            '<text class="tag s{}" x="{}" y="{}" text-anchor="middle">{}</text>'
        ).format(
            round(x - box.width / 2) - 2,
            y - box.size // 2,
            round(box.width) + 4,
            box.size,
            box.step,
            x,
            y + box.size // 3,
            box.text,
        )
        for box, (x, y) in zip(boxes, spots, strict=True)
    ]
    return charts.framed(
        Markup("").join([*lines, *labels]), kind="tagmap", size=size, name=name, title=title, told=told
    )


class _Label:
    """A tag's writing: larger the more it is used, cut where it is long."""

    def __init__(self, name: str, uses: int, most: int) -> None:
        self.step = 3 if uses * 3 >= most else 2 if uses * 10 >= most else 1
        self.size = (13, 14, 16, 19)[self.step]
        self.text = name if len(name) <= LABEL_CHARS else name[: LABEL_CHARS - 1] + "…"
        wide = sum(1 if unicodedata.east_asian_width(char) in "WF" else 0.6 for char in self.text)
        self.width = wide * self.size
        self.height = float(self.size)


def places(tags: TagMap, size: tuple[int, int], boxes: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Where each label's middle stands: joined tags drawn together, all others apart, no label on another or over the edge.

    Springs and charges for a fixed number of steps from fixed places, then labels are pushed off one another. Only sums,
    products and roots, whose results are the same on every machine.
    """
    spots = _start(len(tags.tags), size)
    for step in range(_STEPS):
        _relax(spots, tags.pairs, size, 1 - step / _STEPS)
    _spread(spots, size)
    for _ in range(_PUSHES):
        if not _push(spots, boxes, size):
            break
    return [(round(x), round(y)) for x, y in spots]


def _start(many: int, size: tuple[int, int]) -> list[list[float]]:
    """A rough ring with some noise, the same every time."""
    spots, seed = [], 20_261_201
    for at in range(many):
        noise = []
        for _ in range(2):
            seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
            noise.append(seed / 2_147_483_648 - 0.5)
        turn = 4 * at / many
        side, along = int(turn), turn - int(turn)
        x, y = ((along, 0.0), (1.0, along), (1 - along, 1.0), (0.0, 1 - along))[side]
        spots.append([size[0] * (0.2 + 0.6 * x + 0.1 * noise[0]), size[1] * (0.2 + 0.6 * y + 0.1 * noise[1])])
    return spots


def _relax(spots: list[list[float]], pairs: Sequence[Pair], size: tuple[int, int], heat: float) -> None:
    room = sqrt(size[0] * size[1] / len(spots))
    moves = [[(size[0] / 2 - x) * 0.06, (size[1] / 2 - y) * 0.06] for x, y in spots]
    for one, other in combinations(range(len(spots)), 2):
        dx, dy = spots[one][0] - spots[other][0], spots[one][1] - spots[other][1]
        square = max(dx * dx + dy * dy, 1.0)
        if square > 9 * room * room:
            continue
        push = room * room / square
        for place, sign in ((one, 1), (other, -1)):
            moves[place][0] += sign * dx * push
            moves[place][1] += sign * dy * push
    for pair in pairs:
        dx, dy = spots[pair.one][0] - spots[pair.other][0], spots[pair.one][1] - spots[pair.other][1]
        pull = sqrt(dx * dx + dy * dy) / room * (0.3 + pair.near)
        for place, sign in ((pair.one, -1), (pair.other, 1)):
            moves[place][0] += sign * dx * pull
            moves[place][1] += sign * dy * pull
    most = room * 0.5 * heat + 0.5
    for spot, (dx, dy) in zip(spots, moves, strict=True):
        far = sqrt(dx * dx + dy * dy)
        scale = min(1.0, most / far) if far else 0.0
        spot[0] += dx * scale
        spot[1] += dy * scale


def _spread(spots: list[list[float]], size: tuple[int, int]) -> None:
    """Fill the paper: stretch what the springs made to its width and height, halfway to even steps along each."""
    for axis in (0, 1):
        order = sorted(range(len(spots)), key=lambda at: (spots[at][axis], at))
        low, high = spots[order[0]][axis], spots[order[-1]][axis]
        margin = (60, 24)[axis]
        for rank, at in enumerate(order):
            along = (spots[at][axis] - low) / max(high - low, 1.0)
            even = rank / max(len(order) - 1, 1)
            spots[at][axis] = margin + (along + even) / 2 * (size[axis] - 2 * margin)


def _push(spots: list[list[float]], boxes: Sequence[tuple[float, float]], size: tuple[int, int]) -> bool:
    """One round of pushing labels off one another and back onto the paper; whether anything had to move."""
    moved = False
    for one, other in combinations(range(len(spots)), 2):
        dx, dy = spots[other][0] - spots[one][0], spots[other][1] - spots[one][1]
        over_x = (boxes[one][0] + boxes[other][0]) / 2 + _GAP_X - abs(dx)
        over_y = (boxes[one][1] + boxes[other][1]) / 2 + _GAP_Y - abs(dy)
        if over_x > 0 and over_y > 0:
            moved = True
            axis, over, way = (1, over_y, dy) if over_y <= over_x else (0, over_x, dx)
            half = (over / 2 + 0.5) * (1 if way >= 0 else -1)
            spots[one][axis] -= half
            spots[other][axis] += half
    for spot, box in zip(spots, boxes, strict=True):
        for axis in (0, 1):
            edge = box[axis] / 2 + 4
            held = min(max(spot[axis], edge), size[axis] - edge)
            moved = moved or held != spot[axis]
            spot[axis] = held
    return moved
