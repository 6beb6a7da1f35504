"""The policy pages: every rule in both languages, every number from the table."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from build import site
from build.check import check
from crawl.policy import ANNOUNCED, Policy
from tests import sitefixture

TEMPLATES = sorted((Path(__file__).resolve().parent.parent / "site_templates").glob("*policy*.html"))
RULES = sorted({rule.rule for rule in Policy().rules()})
PAGES = {"ko": "policy/index.html", "en": "en/policy/index.html"}


def pages(folder: Path, *changes: str, breaches: int = 0, **hub: str) -> dict[str, LexborHTMLParser]:
    """Both pages of a small hub, after these SQL statements on its database."""
    sitefixture.fill(folder / "press.db", breaches=breaches)
    with closing(sqlite3.connect(folder / "press.db")) as raw:
        for change in changes:
            raw.execute(change)
        raw.commit()
    sitefixture.hub(folder, **hub)
    site.build(folder, folder / "site")
    assert check(folder / "site") == []
    return {lang: LexborHTMLParser((folder / "site" / path).read_bytes()) for lang, path in PAGES.items()}


def main(tree: LexborHTMLParser) -> str:
    node = tree.css_first("main")
    assert node is not None
    return " ".join(node.text(separator=" ").split())


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_policy_template_has_a_digit_in_its_text(template: Path) -> None:
    text = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<[^>]*>", "", template.read_text("utf-8"), flags=re.DOTALL)
    assert re.findall(r".*\d.*", text) == []


def test_there_are_policy_templates_to_look_at() -> None:
    assert {path.name for path in TEMPLATES} == {"policy.html", "policy_ko.html", "policy_en.html", "_policy.html"}


def test_no_expression_of_a_policy_template_is_a_number() -> None:
    for template in TEMPLATES:
        for expression in re.findall(r"\{\{(.*?)\}\}", template.read_text("utf-8"), flags=re.DOTALL):
            assert not re.search(r"(?<![\w'\[])\d", expression), (template.name, expression)


@pytest.mark.parametrize("lang", PAGES)
def test_every_rule_of_the_table_has_words_on_the_page(tmp_path: Path, lang: str) -> None:
    tree = pages(tmp_path)[lang]
    told = [str(node.attributes["id"]) for node in tree.css("p.rule")]
    assert sorted(told) == RULES
    for node in tree.css("p.rule"):
        assert len(node.text().replace(str(node.attributes["id"]), "")) > 20


@pytest.mark.parametrize("lang", PAGES)
def test_every_row_of_the_table_is_on_the_page(tmp_path: Path, lang: str) -> None:
    tree = pages(tmp_path)[lang]
    rows = [(row.css_first("th").text(), row.css_first("code")) for row in tree.css(".scroll table")[0].css("tbody tr")]  # type: ignore[union-attr]
    expected = [(rule.rule, rule.name if rule.value is not None else None) for rule in Policy().rules()]
    assert [(rule, code.text() if code else None) for rule, code in rows] == expected


@pytest.mark.parametrize(
    ("lang", "amounts"),
    [
        ("ko", ["200자", "00:00", "05:59:30", "1번", "3초", "30초", "8 MiB", "16시간", "24시간", "1시간", "14밤", "3초", "5번"]),
        ("en", ["200 characters", "00:00", "05:59:30", "1 time", "3 seconds", "30 seconds", "8 MiB", "16 hours", "24 hours",
                "1 hour", "14 nights", "3 seconds", "5 hops"]),
    ],
)  # fmt: skip
def test_the_numbers_in_the_words_are_those_of_the_table(tmp_path: Path, lang: str, amounts: list[str]) -> None:
    assert [node.text() for node in pages(tmp_path)[lang].css("p.rule b")] == amounts


def test_P20_another_value_in_the_table_is_another_value_on_the_page(tmp_path: Path) -> None:
    tree = pages(tmp_path, "UPDATE policy SET value = 7 WHERE name = 'spacing_s'")["ko"]
    assert [node.text() for node in tree.css("#P20 b")] == ["7초"]


def test_rules_not_yet_in_force_are_listed_as_announced(tmp_path: Path) -> None:
    both = pages(tmp_path)
    for lang, word in (("ko", "예고"), ("en", "announced")):
        marked = {str(node.attributes["id"]) for node in both[lang].css("p.rule.soon")}
        assert marked == set(ANNOUNCED)
        for rule in ANNOUNCED:
            assert word in both[lang].css_first(f"#{rule}").text()  # type: ignore[union-attr]
    assert f"예고한 원칙 {len(set(ANNOUNCED))}" in main(both["ko"])


def test_robots_txt_is_not_claimed_before_it_is_read(tmp_path: Path) -> None:
    before = pages(tmp_path / "a")
    assert "robots.txt를 읽는 부분은 아직 만들고 있습니다" in main(before["ko"])
    assert "Reading robots.txt is still being built" in main(before["en"])
    after = pages(tmp_path / "b", "UPDATE policy SET in_force = 1")
    assert "아직 만들고 있습니다" not in main(after["ko"])
    assert "still being built" not in main(after["en"])
    assert not after["ko"].css("p.rule.soon")


def test_broken_rules_are_counted_where_they_stand(tmp_path: Path) -> None:
    both = pages(tmp_path, breaches=4)
    assert "지난밤 어긴 횟수 4" in both["ko"].css_first("#P20").text()  # type: ignore[union-attr]
    assert "broken last night: 4" in both["en"].css_first("#P20").text()  # type: ignore[union-attr]
    assert both["ko"].css_first(".figs .bad dd").text() == "4"  # type: ignore[union-attr]
    assert [node.text() for node in both["ko"].css("td .broken")] == ["4"]


def test_a_night_without_breaches_says_zero(tmp_path: Path) -> None:
    tree = pages(tmp_path)["ko"]
    assert tree.css_first(".figs .kept dd").text() == "0"  # type: ignore[union-attr]
    assert not tree.css(".broken")


def test_what_each_server_was_sent_is_told_with_its_times(tmp_path: Path) -> None:
    for tree in pages(tmp_path).values():
        rows = [[cell.text() for cell in row.css("th, td")] for row in tree.css("details tbody tr")]
        assert rows == [
            ["news.hanbit.example", "1", "00:00:00", "00:00:02"],
            ["times.haneul.example", "1", "00:01:00", "00:01:02"],
        ]


def test_the_crawlers_name_stands_in_both_languages(tmp_path: Path) -> None:
    for tree in pages(tmp_path).values():
        assert tree.css_first("#P01 code").text() == "CampusPressHub/1.0"  # type: ignore[union-attr]


def test_how_to_leave_names_the_contact_or_says_there_is_none(tmp_path: Path) -> None:
    with_mail = pages(tmp_path / "a", contact="hub@campus.example")
    for tree in with_mail.values():
        assert tree.css_first("#leave + p a").attributes["href"] == "mailto:hub@campus.example"  # type: ignore[union-attr]
        assert "개인정보" not in main(tree)
    in_public = pages(tmp_path / "b", repository="campus/hub")
    assert "개인정보는 적지 마세요" in main(in_public["ko"])
    nobody = pages(tmp_path / "c")
    assert "연락처를 적어 두지 않았습니다" in main(nobody["ko"])
    assert "has not given a contact" in main(nobody["en"])


def test_P61_what_may_remain_is_said_honestly(tmp_path: Path) -> None:
    both = pages(tmp_path)
    assert "git" in both["ko"].css_first("#P61").text()  # type: ignore[union-attr]
    assert "git history" in both["en"].css_first("#P61").text()  # type: ignore[union-attr]


def test_a_table_of_another_version_still_gives_a_page(tmp_path: Path) -> None:
    """New words meet the table of the night before the change: a rule or number it lacks is said, not invented."""
    changes = ("DELETE FROM policy WHERE rule = 'P50'", "INSERT INTO policy VALUES (999, 'P99', 'x', 1, 1, 's', 1, 0)")
    both = pages(tmp_path, *changes)
    assert "(다음 수집 뒤에 표시)" in both["ko"].css_first("#P50").text()  # type: ignore[union-attr]
    assert "(shown after the next night)" in both["en"].css_first("#P50").text()  # type: ignore[union-attr]
    assert "P99" in main(both["ko"])


def test_today_no_number_of_the_page_is_missing(tmp_path: Path) -> None:
    both = pages(tmp_path)
    assert "다음 수집 뒤에" not in main(both["ko"])
    assert "after the next night" not in main(both["en"])
