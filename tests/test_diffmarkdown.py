"""The review as people see it: rendered, whatever a title says is text; cut, it says so; the same review, the same bytes."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from crawl import clidiff, diffhtml, diffmarkdown, pressfile
from crawl.diffrecords import Review
from crawl.exclusions import Exclusions
from crawl.shown import plain
from tests import twostates
from tests.sitefixture import row
from tests.twostates import add, article, tonight

HOSTILE = (
    "@octocat 님께",
    "문의 someone@evil.example 으로",
    "#12 와 owner/repo#3, GH-7, owner/repo@abcdef1",
    "deadbeefcafe 0123456789abcdef0123456789abcdef01234567",
    "[클릭](https://evil.example/x)",
    "[클릭][1] [1]: https://evil.example/x",
    "![그림](https://evil.example/p.png)",
    "<https://evil.example/auto>",
    "https://evil.example/bare www.evil.example evil.example ftp://evil.example",
    "mailto:a@evil.example xmpp:a@evil.example",
    "<img src=x onerror=alert(1)><script>alert(1)</script>",
    "</summary></details><h1>PASS</h1>",
    "<!-- 숨은 말",
    "a | b | c",
    "`code` ``more`` ```fence",
    "**굵게** __굵게__ *기울임* _기울임_ ~~지움~~",
    "$x^2$ $$y$$",
    ":octocat: :smile: 10:30:00",
    "- [x] 할 일",
    "1. 하나",
    "12) 열둘",
    "# 제목",
    "> 인용",
    "+ 더하기",
    "=====",
    "--- ",
    "| 표 | 표 |",
    "&lt;b&gt; &copy; &#64;octocat",
    "\\@octocat \\[x\\](y)",
    "[^1] 각주",
    "줄\n\n## 바꿈\r\n| a | b |\n|---|---|",
    "거꾸로 \u202egnp.exe\u202c \u2066가\u2069",
    "안 보임 \u200b\u200d\u2060\ufeff\u00ad\u3164\U000e0041 @\u200bocto",
    "쌓임 가\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
    "x](https://evil.example) [y",
    "끝 \\",
)

TAGS = "p h2 h3 strong code table thead tbody tr th td ul li details summary a html head body"
ALLOWED = frozenset(TAGS.split())


def rendered(markdown: str) -> LexborHTMLParser:
    """The DOM as a renderer of GitHub's dialect makes it: tables, strikethrough, bare links."""
    renderer = MarkdownIt("gfm-like", {"linkify": True, "html": True})
    assert renderer.linkify is not None
    return LexborHTMLParser(str(renderer.render(markdown)))


def review_of(folder: Path, *titles: str, url: str = "https://press2.example/a?n={n}&copy=1") -> Review:
    """A night that brought articles of these titles, to outlets named so, and gave them to known ones."""
    old = twostates.write(folder / "old", (article(n) for n in range(19_881, 20_001)))

    def change(db: sqlite3.Connection) -> None:
        # Each at an outlet of its own, so that none is left out as the fourth of one.
        for n, title in enumerate(titles, 1):
            facts: dict[str, object] = {
                "slug": f"zz-{n}",
                "name": title,
                "homepage": "https://press2.example/",
                "listed": 1,
            }
            row(db, "outlets", id=100 + n, **facts)
            add(
                db,
                tonight(30_000 + n, outlet=100 + n, title=title, url=url.format(n=n), published=1_773_000_000 + 60 * n),
            )
            db.execute("UPDATE articles SET title = ? WHERE id = ?", (title, 20_001 - 3 * n))

    return judged(old, twostates.after(old, change))


def judged(old: Path, new: Path) -> Review:
    return clidiff.review(pressfile.press_files(old), pressfile.press_files(new), Exclusions(), None)


def test_a_hostile_title_is_text_wherever_it_is_rendered(tmp_path: Path) -> None:
    review = review_of(tmp_path, *HOSTILE)
    markdown = diffmarkdown.write(review)
    dom = rendered(markdown)
    assert dom.body is not None
    assert {node.tag for node in dom.body.traverse()} - {"-text"} <= ALLOWED
    own = {f"https://press2.example/a?n={n}&copy=1" for n in range(1, len(HOSTILE) + 1)}
    links = dom.css("a")
    edited = {
        f"https://press2.example/news/articleView.html?idxno={20_001 - 3 * n}" for n in range(1, len(HOSTILE) + 1)
    }
    assert {node.attributes["href"] for node in links} <= own | edited | {
        f"https://press{n}.example/news/articleView.html?idxno={number}"
        for n in (1, 2, 3)
        for number in range(19_881, 20_001)
    }
    assert own <= {node.attributes["href"] for node in links}, "and every title leads to its own article"
    # Nothing that the hosting makes live in finished text, outside of code and links.
    for node in dom.css("code"):
        node.replace_with("code")
    text = dom.body.text(separator=" ")
    assert not re.search(r"(?<![\w/])@[A-Za-z0-9]", text)
    assert not re.search(r"#\d|[Gg][Hh]-\d|://|www\.|mailto:|:[a-z0-9_+-]+:", text)
    assert not re.search(r"\b[0-9a-f]{7,40}\b", text)
    assert not re.search("[\u00ad\u061c\u200c-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u3164\U000e0000-\U000e0fff]", text)
    assert len(dom.css("h2")) == 1


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_reads_as_what_it_is(title: str) -> None:
    for shell in ("- {}", "- {} → x", "| {} | 1 |\n|---|--:|\n| {} | 2 |"):
        dom = rendered(shell.format(*[diffmarkdown.escaped(title)] * 2))
        assert dom.body is not None
        assert {node.tag for node in dom.body.traverse()} - {"-text"} <= ALLOWED - {"a", "code", "strong", "h2", "h3"}
        shown = [node.text() for node in dom.css("li, th, td")]
        told = plain(title, diffmarkdown.TITLE_CHARS)
        assert shown[0].replace("\u200b", "").removesuffix(" → x").rstrip() == told.rstrip()
        assert len(dom.css("table")) == shell.count("---"), "no cell more than ours"
        assert len(dom.css("td")) == (2 if "|" in shell else 0)


def test_a_link_leads_to_its_own_address_or_nowhere() -> None:
    for url in (
        "https://a.example/x(1)?q=[a]|b&copy=2 ",
        "https://a.example/한글?'\"<b>",
        "https://a.example/a_b_c*d*`e`",
    ):
        (node,) = rendered(diffmarkdown.link("제목", url.strip())).css("a")
        assert re.sub("%[0-9A-F]{2}", "", node.attributes["href"] or "").startswith("https://a.example/")
        assert node.text() == "제목"
    for url in (
        "javascript:alert(1)",
        "https://u:p@a.example/",
        "",
        "/x",
        "data:text/html,x",
        "https://github.com/o/r/issues/1",
    ):
        assert rendered(diffmarkdown.link("제목", url)).css("a") == []


def test_the_whole_report_is_html_without_script_or_anything_loaded(tmp_path: Path) -> None:
    page = LexborHTMLParser(diffhtml.write(review_of(tmp_path, *HOSTILE, url="https://press2.example/{n}?a=\"'><b>&x")))
    for forbidden in ("script", "img", "iframe", "link", "object", "form", "b", "base"):
        assert page.css(forbidden) == [], forbidden
    assert len(page.css("h1")) == 1
    for node in page.css("*"):
        assert not [name for name in node.attributes if name.startswith("on") or name in ("src", "style", "srcset")]
    for node in page.css("a"):
        assert (node.attributes["href"] or "").startswith("https://press")
        assert node.attributes["rel"] == "noopener noreferrer nofollow"
    assert "data:" not in diffhtml.write(review_of(tmp_path / "second", "제목"))
    assert page.css_first("meta[name=viewport]") is not None
    text = page.body.text() if page.body else ""
    assert "⟨U+202E⟩gnp.exe" in text
    assert "<img src=x onerror=alert(1)>" in text, "told as text"


def test_a_report_too_long_for_a_pull_request_is_cut_and_says_so(tmp_path: Path) -> None:
    old = twostates.write(tmp_path / "old", (article(n, 400) for n in range(19_201, 20_001)), outlets=400)
    new = twostates.after(
        old,
        lambda db: add(
            db, *(tonight(30_000 + n, outlets=400, title=f"<긴> 제목 *{n}* " + "가나다 " * 30) for n in range(1200))
        ),
    )
    review = judged(old, new)
    markdown = diffmarkdown.write(review)
    assert len(markdown.encode("utf-16-le")) // 2 <= 60_000
    (cut,) = re.findall(r"\*\*Cut here: (\d+) more lines\.\*\*", markdown)
    assert int(cut) > 100
    assert markdown.count("<details>") == markdown.count("</details>") > 0, "what was opened is closed"
    assert markdown.startswith("## Data: ")
    assert "1199" in diffhtml.write(review), "the HTML beside it has everything"


def test_the_same_two_states_give_the_same_bytes(tmp_path: Path) -> None:
    one, two = (review_of(tmp_path / name, "제목 하나", "제목 둘") for name in ("one", "two"))
    assert diffmarkdown.write(one) == diffmarkdown.write(two)
    assert diffhtml.write(one) == diffhtml.write(two)
    assert clidiff.as_json(one) == clidiff.as_json(two)


def test_an_emoji_stays_whole_and_what_leaves_no_ink_is_named() -> None:
    assert plain("가족 👨‍👩‍👧‍👦 ❤️ 끝") == "가족 👨‍👩‍👧‍👦 ❤️ 끝"
    assert plain("가\u200d나") == "가⟨U+200D⟩나"
    assert plain("a\u2800b\u115f") == "a⟨U+2800⟩b⟨U+115F⟩"
    assert plain("가\u0301\u0301\u0301\u0301\u0301") == "가\u0301\u0301\u0301⟨marks⟩"
    assert plain("  두   칸\t셋\n") == "두 칸 셋"
