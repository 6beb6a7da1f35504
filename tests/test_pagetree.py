"""Strange pages as trees in bounded work: what would cost the parser the square of its length is gone before it."""

from __future__ import annotations

import pytest

from crawl import pagetree


@pytest.mark.parametrize(
    "body",
    [
        "<select>" + "<option>가" * 1_000,
        "<SELECT>" + "<Option value=1>가</Option>" * 1_000,
        "<div>" * 50_000,
        "<p " + " ".join(f"a{number}=1" for number in range(5_000)) + ">",
        "".join(f"<body a{number}=1>" for number in range(1_000)),
        "".join(f"<body a{number}=1></body>" for number in range(1_000)),
        "".join(f"<html a{number}=1>" for number in range(1_000)),
    ],
)
def test_what_grows_with_its_square_is_cut_off_before_parsing(body: str) -> None:
    tree = pagetree.tree(f"<html><body><h1>기사</h1>{body}")
    assert tree.css_first("h1").text() == "기사"  # type: ignore[union-attr]
    assert len(tree.css("option")) <= 500
    assert len(tree.css("div")) <= 1_500
    assert all(len(node.attributes) <= 250 for node in tree.css("*"))


def test_an_ordinary_page_keeps_its_choices_its_body_and_its_attributes() -> None:
    page = "<html lang=ko><body class=a><select><option>1면<option selected>2면</select><p id=b class=c>글</p></body></html>"
    tree = pagetree.tree(page)
    assert [node.text() for node in tree.css("option")] == ["1면", "2면"]
    assert tree.body is not None
    assert tree.body.attributes == {"class": "a"}
    assert tree.css_first("p#b.c") is not None
