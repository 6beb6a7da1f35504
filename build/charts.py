"""Charts as SVG in a page: ink on paper, labelled directly, told in words too. Numbers in, markup out; looks are charts.css's."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

BAR_WIDTH = 100
SPARK_WIDTH, SPARK_HEIGHT = 104, 26
COLUMNS_WIDTH, COLUMNS_HEIGHT = 340, 104
_TOP, _BOTTOM, _SIDE = 20, 22, 2
_END_LABEL = 64
_DIGIT = 8


def bar(value: float, most: float) -> Markup:
    """A bar for a table's row, beside the figure it repeats (so nothing is told of it). `most`: the value of a full one."""
    width = round(BAR_WIDTH * max(0.0, min(1.0, value / most)), 1) if most > 0 else 0
    return Markup(  # nothing but a figure is put in, so nothing need be escaped
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        f'<rect class="ink" width="{_short(width)}" height="8"/></svg>'
    )


def spark(values: Sequence[float], told: str) -> Markup:
    """A line of small change over months, its last point marked; `told` is what it says in words."""
    most = max((*values, 1))
    points = _points(values, SPARK_WIDTH - 8, SPARK_HEIGHT - 8, most, 4, 4)
    last = points[-1] if points else (4.0, SPARK_HEIGHT - 4.0)
    return Markup(
        '<svg class="spark" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}" focusable="false">'
        '<polyline class="line" points="{}"/><circle class="ink" cx="{}" cy="{}" r="2.5"/></svg>'
    ).format(
        SPARK_WIDTH, SPARK_HEIGHT, SPARK_WIDTH, SPARK_HEIGHT, told, _path(points), _short(last[0]), _short(last[1])
    )


def columns(points: Sequence[tuple[str, int]], *, name: str, title: str, told: str) -> Markup:
    """A column for each month, the first and last named, the highest and the last with their figures.

    `points`: (label, value), oldest first. `name`: letters and digits, its own on the page. `told`: what it says in words.
    """
    most = max((*(value for _, value in points), 1))
    step = (COLUMNS_WIDTH - 2 * _SIDE) / max(len(points), 1)
    floor = COLUMNS_HEIGHT - _BOTTOM
    rects, figures = [], []
    highest = max(range(len(points)), key=lambda at: (points[at][1], at), default=0)
    for at, (_, value) in enumerate(points):
        height = round((floor - _TOP) * value / most, 1)
        x = _SIDE + at * step
        if value:
            rects.append(
                f'<rect class="ink" x="{_short(x + step * 0.12)}" y="{_short(floor - height)}" '
                f'width="{_short(step * 0.76)}" height="{_short(height)}"/>'
            )
        near = at != highest and abs(at - highest) * step < _END_LABEL
        if at == highest or (at == len(points) - 1 and not near):
            figures.append(_figure(at, points, step, floor))
    return _framed(
        "columns", (COLUMNS_WIDTH, COLUMNS_HEIGHT), name, title, told,
        Markup("".join(rects)) + Markup("").join([_floor(floor), *figures, *_ends(points)]),
    )  # fmt: skip


def _figure(at: int, points: Sequence[tuple[str, int]], step: float, floor: float) -> Markup:
    """A column's figure above it. At the edges it leans inwards, and so stands above the neighbours it reaches over."""
    most = max((*(value for _, value in points), 1))
    words = f"{points[at][1]:,}"
    over = 1 + int(len(words) * _DIGIT / step)
    if at < over:
        anchor, x, under = "start", at * step, points[at : at + over + 1]
    elif at >= len(points) - over:
        anchor, x, under = "end", (at + 1) * step, points[at - over : at + 1]
    else:
        anchor, x, under = "middle", (at + 0.5) * step, points[at : at + 1]
    height = round((floor - _TOP) * max(value for _, value in under) / most, 1)
    return _text(_SIDE + x, floor - height - 5, words, anchor, "figure")


def framed(body: Markup, *, kind: str, size: tuple[int, int], name: str, title: str, told: str) -> Markup:
    """Any drawing as a picture that says in words what it shows. `size`: width and height of its own pixels."""
    return _framed(kind, size, name, title, told, body)


def _framed(kind: str, size: tuple[int, int], name: str, title: str, told: str, body: Markup) -> Markup:
    return Markup(
        '<svg class="chart {}" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-labelledby="{}-title {}-told" '
        'focusable="false"><title id="{}-title">{}</title><desc id="{}-told">{}</desc>{}</svg>'
    ).format(kind, *size, *size, name, name, name, title, name, told, body)


def _floor(y: float) -> Markup:
    return Markup('<line class="rule" x1="0" x2="{}" y1="{}" y2="{}"/>').format(COLUMNS_WIDTH, _short(y), _short(y))


def _ends(points: Sequence[tuple[str, int]]) -> list[Markup]:
    if not points:
        return []
    ends = [_text(_SIDE, COLUMNS_HEIGHT - 6, points[0][0], "start", "label")]
    if len(points) > 1:
        ends.append(_text(COLUMNS_WIDTH - _SIDE, COLUMNS_HEIGHT - 6, points[-1][0], "end", "label"))
    return ends


def _text(x: float, y: float, words: str, anchor: str, kind: str) -> Markup:
    return Markup('<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>').format(
        kind, _short(x), _short(y), anchor, words
    )


def _points(
    values: Sequence[float], width: float, height: float, most: float, left: float, top: float
) -> list[tuple[float, float]]:
    step = width / max(len(values) - 1, 1)
    return [(left + at * step, top + height * (1 - value / most)) for at, value in enumerate(values)]


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)


def _short(value: float) -> str:
    """A coordinate to a tenth of a pixel, without needless zeros."""
    return f"{value:.1f}".removesuffix(".0")
