"""Charts as readers and their programs meet them: sound SVG, told in words, nothing of a hostile name alive in it."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from build import charts, tagmap

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "\"><script>alert(1)</script>' onload=x &amp; </title>"


def parsed(markup: Markup) -> ElementTree.Element:
    return ElementTree.fromstring(str(markup).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def map_of(many: int, *, name: str = "태그") -> tuple[tagmap.TagMap, list[str]]:
    """A ring of tags, each joined to the next."""
    pairs = tuple(tagmap.Pair(at, at + 1, 5, 0.5) for at in range(many - 1))
    return tagmap.TagMap(tuple((at, 100 - at) for at in range(many)), pairs), [f"{name}{at}" for at in range(many)]


@pytest.mark.parametrize(
    ("value", "most", "width"), [(5, 10, "50"), (0, 10, "0"), (20, 10, "100"), (3, 0, "0"), (1, 3, "33.3")]
)
def test_a_bar_is_as_long_as_its_share_and_never_longer_than_its_room(value: int, most: int, width: str) -> None:
    svg = parsed(charts.bar(value, most))
    assert svg.find(f"{SVG}rect").get("width") == width  # type: ignore[union-attr]
    assert svg.get("aria-hidden") == "true"


def test_columns_name_their_ends_and_their_highest_and_tell_all_in_words() -> None:
    points = [
        ("26. 1.", 3),
        ("26. 2.", 0),
        *((f"26. {at}.", 2) for at in range(3, 10)),
        ("26. 10.", 1_200),
        ("26. 11.", 1),
    ]
    svg = parsed(charts.columns(points, name="uses", title="글", told="1월 3편"))
    assert [node.text for node in svg.iter(f"{SVG}text")] == ["1,200", "26. 1.", "26. 11."]
    assert len(list(svg.iter(f"{SVG}rect"))) == 10  # none for the month without
    told = {node.get("id"): node.text for node in svg if node.get("id")}
    assert svg.get("role") == "img"
    assert [told[id] for id in str(svg.get("aria-labelledby")).split()] == ["글", "1월 3편"]


def test_no_figure_of_a_column_leaves_the_paper_or_stands_on_a_higher_neighbour() -> None:
    for points in ([9, 9, 9, 9, 12_345], [12_345, 1, 1, 1, 1], [5, 4, 3, 2, 9_000, 8_999, 1], [1], [7, 7]):
        svg = parsed(charts.columns([(str(at), value) for at, value in enumerate(points)], name="x", title="", told=""))
        rects = [(float(r.get("x", 0)), float(r.get("width", 0)), float(r.get("y", 0))) for r in svg.iter(f"{SVG}rect")]
        for text in (node for node in svg.iter(f"{SVG}text") if node.get("class") == "figure"):
            wide = 7.5 * len(text.text or "")
            left = (
                float(text.get("x", 0)) - {"start": 0.0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "")]
            )
            assert left >= -2
            assert left + wide <= charts.COLUMNS_WIDTH + 2
            under = [y for x, width, y in rects if x < left + wide - 2 and x + width > left + 2]
            assert float(text.get("y", 0)) <= min(under, default=charts.COLUMNS_HEIGHT), points


def test_charts_of_nothing_are_still_pictures() -> None:
    assert parsed(charts.columns([], name="x", title="글", told="")).get("role") == "img"
    assert parsed(charts.columns([("1", 0), ("2", 0)], name="x", title="글", told="")).get("role") == "img"
    assert parsed(charts.spark([], "")).get("role") == "img"
    assert parsed(charts.spark([0, 0, 0], "없음")).get("aria-label") == "없음"


def test_a_hostile_name_is_only_text_in_every_chart() -> None:
    tags, names = map_of(6, name=HOSTILE)
    for markup in (
        charts.spark([1, 2], HOSTILE),
        charts.columns([(HOSTILE, 1), (HOSTILE, 2)], name="x", title=HOSTILE, told=HOSTILE),
        tagmap.drawn(tags, names, size=(400, 400), name="x", title=HOSTILE, told=HOSTILE),
    ):
        svg = parsed(markup)
        assert not list(svg.iter(f"{SVG}script"))
        assert not [key for node in svg.iter() for key in node.attrib if key.startswith("on") or key == "style"]


def test_the_same_tags_make_the_same_map() -> None:
    tags, names = map_of(20)
    first = tagmap.drawn(tags, names, size=(760, 520), name="x", title="", told="")
    assert first == tagmap.drawn(*map_of(20), size=(760, 520), name="x", title="", told="")
    assert first != tagmap.drawn(*map_of(19), size=(760, 520), name="x", title="", told="")


@pytest.mark.parametrize("size", [(760, 520), (358, 620)], ids=["desk", "phone"])
@pytest.mark.parametrize("many", [5, 13, tagmap.MOST_TAGS])
def test_no_label_of_the_map_stands_on_another_or_over_the_edge(many: int, size: tuple[int, int]) -> None:
    close = tuple(tagmap.Pair(one, other, 9, 1.0) for other in range(many) for one in range(other))
    tags = tagmap.TagMap(tuple((at, 50) for at in range(many)), close)
    boxes = [(160.0 - 9 * (at % 9), 19.0) for at in range(many)]
    spots = tagmap.places(tags, size, boxes)
    for one, (x, y) in enumerate(spots):
        assert boxes[one][0] / 2 <= x <= size[0] - boxes[one][0] / 2
        assert boxes[one][1] / 2 <= y <= size[1] - boxes[one][1] / 2
        for other in range(one):
            apart_x = abs(x - spots[other][0]) - (boxes[one][0] + boxes[other][0]) / 2
            apart_y = abs(y - spots[other][1]) - (boxes[one][1] + boxes[other][1]) / 2
            assert max(apart_x, apart_y) >= 0, (one, other)


def test_tags_that_stand_together_are_drawn_together() -> None:
    pairs = tuple(tagmap.Pair(3 * at + i, 3 * at + j, 9, 0.8) for at in range(4) for i, j in ((0, 1), (0, 2), (1, 2)))
    tags = tagmap.TagMap(tuple((at, 50) for at in range(12)), pairs)
    spots = tagmap.places(tags, (760, 520), [(50.0, 16.0)] * 12)

    def far(one: int, other: int) -> float:
        return math.dist(spots[one], spots[other])

    joined = [far(pair.one, pair.other) for pair in pairs]
    others = [far(one, other) for one in range(12) for other in range(one) if one // 3 != other // 3]
    assert 2 * sum(joined) / len(joined) < sum(others) / len(others)


def test_the_map_needs_several_outlets_and_several_articles_for_a_tag() -> None:
    keys = [f"t{at}" for at in range(8)]
    shared = [(outlet, [at, at + 1]) for at in range(7) for outlet in (1, 2, 3)]
    found = tagmap.chosen(shared, keys)
    assert found is not None
    assert {tag for tag, _ in found.tags} == set(range(8))
    assert tagmap.chosen([(1, tags) for _, tags in shared], keys) is None  # one outlet's own habit
    assert tagmap.chosen(shared[::3], keys) is None
    assert tagmap.chosen([], keys) is None
