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
from build.filters import amount
from crawl import robots
from crawl.model import Options, Refusal, Request, Response
from crawl.policy import ANNOUNCED, Policy
from crawl.robotsbook import Copy, RobotsBook
from tests import sitefixture

TEMPLATES = sorted((Path(__file__).resolve().parent.parent / "site_templates").glob("*policy*.html"))
DESIGN = {
    "P01", "P02", "P03", "P04", "P05", "P10", "P11", "P20", "P21", "P22", "P23", "P30", "P31", "P32", "P33", "P34", "P35",
    "P36", "P37", "P38", "P40", "P41", "P42", "P43", "P44", "P45", "P50", "P51", "P60", "P61", "P70",
    "S01", "S30", "S31", "S32", "S33", "S34",
}  # fmt: skip
"""Every rule that was ever promised in public."""

NOT_YET = {"ko": "(표에 오르면 표시)", "en": "(shown once it is in the table)"}
PAGES = {"ko": "policy/index.html", "en": "en/policy/index.html"}


Both = dict[str, LexborHTMLParser]
"""The page by its language."""


def pages(folder: Path, *changes: str, breaches: int = 0, more: str = "", **hub: str) -> Both:
    """Both pages of a small hub, after these SQL statements on its database."""
    sitefixture.fill(folder / "press.db", breaches=breaches)
    with closing(sqlite3.connect(folder / "press.db")) as raw:
        for change in changes:
            raw.execute(change)
        raw.commit()
    sitefixture.hub(folder, more, **hub)
    site.build(folder, folder / "site")
    assert check(folder / "site") == []
    return {lang: LexborHTMLParser((folder / "site" / path).read_bytes()) for lang, path in PAGES.items()}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """Both pages of a small hub that chose nothing."""
    return pages(tmp_path_factory.mktemp("plain"))


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
def test_every_rule_of_the_table_has_words_on_the_page(plain: Both, lang: str) -> None:
    tree = plain[lang]
    told = [str(node.attributes["id"]) for node in tree.css("p.rule")]
    assert sorted(told) == sorted(DESIGN)
    assert {rule.rule for rule in Policy().rules()} == DESIGN
    for node in tree.css("p.rule"):
        assert len(node.text().replace(str(node.attributes["id"]), "")) > 20


@pytest.mark.parametrize("lang", PAGES)
def test_every_row_of_the_table_is_on_the_page(plain: Both, lang: str) -> None:
    tree = plain[lang]
    rows = [(row.css_first("th").text(), row.css_first("code")) for row in tree.css(".scroll table")[0].css("tbody tr")]  # type: ignore[union-attr]
    expected = [(rule.rule, rule.name if rule.value is not None else None) for rule in Policy().rules()]
    assert [(rule, code.text() if code else None) for rule, code in rows] == expected


@pytest.mark.parametrize("lang", PAGES)
def test_every_number_of_the_table_stands_in_the_words_of_its_rule(plain: Both, lang: str) -> None:
    tree = plain[lang]
    for rule in Policy().rules():
        if rule.value is not None:
            shown = [node.text() for node in tree.css(f"#{rule.rule} b")]
            assert amount(rule.value, rule.unit, lang) in shown, rule.name


@pytest.mark.parametrize("lang", PAGES)
def test_every_number_in_the_words_is_one_of_its_rule_s_table_or_of_a_rule_it_speaks_of(plain: Both, lang: str) -> None:
    tree = plain[lang]
    known = {amount(rule.value, rule.unit, lang) for rule in Policy().rules() if rule.value is not None}
    assert {node.text() for node in tree.css("p.rule b")} <= known


@pytest.mark.parametrize(
    ("lang", "rule", "amounts"),
    [
        ("ko", "P10", ["00:00", "05:59:30", "6번"]),
        ("ko", "P11", ["1번", "3쪽"]),
        ("ko", "P22", ["3년", "5초", "120번"]),
        ("ko", "P32", ["1시간", "90분"]),
        ("ko", "P36", ["2곳", "2곳"]),
        ("ko", "P37", ["7일", "1시간"]),
        ("ko", "P45", ["24시간", "7일", "14일", "30일"]),
        ("ko", "S31", ["30일", "3번", "1시간"]),
        ("en", "P10", ["00:00", "05:59:30", "6 requests"]),
        ("en", "P11", ["1 time", "3 pages"]),
        ("en", "P22", ["3 years", "5 seconds", "120 requests"]),
        ("en", "P32", ["1 hour", "90 minutes"]),
        ("en", "P36", ["2 addresses", "2 addresses"]),
        ("en", "S31", ["30 days", "3 tries", "1 hour"]),
    ],
)
def test_numbers_are_written_as_people_read_them(plain: Both, lang: str, rule: str, amounts: list[str]) -> None:
    assert [node.text() for node in plain[lang].css(f"#{rule} b")] == amounts


def test_P20_another_value_in_the_table_is_another_value_on_the_page(tmp_path: Path) -> None:
    tree = pages(tmp_path, "UPDATE policy SET value = 7 WHERE name = 'spacing_s'")["ko"]
    assert [node.text() for node in tree.css("#P20 b")] == ["7초"]


def test_rules_not_yet_in_force_are_listed_as_announced(plain: Both) -> None:
    soon = DESIGN - {rule.rule for rule in Policy().rules() if rule.in_force}
    assert soon <= set(ANNOUNCED)
    both = plain
    for lang, word in (("ko", "예고"), ("en", "announced")):
        marked = {str(node.attributes["id"]) for node in both[lang].css("p.rule.soon")}
        assert marked == soon
        for rule in soon:
            assert word in both[lang].css_first(f"#{rule} .id").text()  # type: ignore[union-attr]
    assert f"예고한 원칙 {len(soon)}" in main(both["ko"])


def test_robots_txt_is_not_claimed_before_it_is_read(tmp_path: Path) -> None:
    before = pages(tmp_path / "a", "UPDATE policy SET in_force = 0 WHERE rule = 'P42'")
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
    assert not both["ko"].css("#P20 .kept")


def test_a_night_without_breaches_says_zero(plain: Both) -> None:
    tree = plain["ko"]
    assert tree.css_first(".figs .kept dd").text() == "0"  # type: ignore[union-attr]
    assert not tree.css(".broken")


def test_each_rule_in_force_says_how_often_last_night_broke_it(plain: Both) -> None:
    both = plain
    for lang, told in (("ko", "어긴 횟수 0"), ("en", "broken: 0")):
        for node in both[lang].css("p.rule"):
            kept = [each.text() for each in node.css(".kept")]
            assert kept == ([] if "soon" in str(node.attributes["class"]) else [told])


def test_last_night_s_totals_are_told(tmp_path: Path) -> None:
    both = pages(tmp_path)
    for lang, names in (("ko", ["보낸 요청", "다음으로 미룸"]), ("en", ["Requests sent", "Put off"])):
        told = {
            node.css_first("dt").text(): node.css_first("dd").text()  # type: ignore[union-attr]
            for node in both[lang].css("dl.totals div")
        }
        assert [told[name] for name in names] == ["5", "1"]
        assert list(told.values()) == ["5", "6", "1", "1", "2", "1", "1", "0"]
    assert "00:00:00에 시작해 00:12:41에 마쳤습니다" in main(both["ko"])
    cut = pages(tmp_path / "cut", "UPDATE nights SET ended = NULL, mode = 'now'")
    assert "지난 점검" in main(cut["ko"])
    assert "broken off" in main(cut["en"])


def test_what_each_server_was_sent_is_told_with_its_times(plain: Both) -> None:
    for tree in plain.values():
        rows = [[cell.text() for cell in row.css("th, td")] for row in tree.css("details tbody tr")]
        assert rows == [
            ["news.hanbit.example", "1", "00:00:00", "00:00:02"],
            ["times.haneul.example", "1", "00:01:00", "00:01:02"],
        ]


def test_the_crawlers_name_stands_in_both_languages(plain: Both) -> None:
    for tree in plain.values():
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


def test_P61_what_may_remain_is_said_honestly(plain: Both) -> None:
    both = plain
    for lang, words in (
        ("ko", ["git", "pull request", "보고서", "남이", "해시", "짐작"]),
        ("en", ["git", "history", "pull requests", "reports", "others", "hash", "guesses"]),
    ):
        told = both[lang].css_first("#P61").text()  # type: ignore[union-attr]
        assert [word for word in words if word not in told] == []


def test_P60_erasing_is_not_claimed_before_it_is_in_force(tmp_path: Path) -> None:
    before = pages(tmp_path / "a", "UPDATE policy SET in_force = (rule <> 'P61')")
    assert "예고한 것입니다" in before["ko"].css_first("#P60 .yet").text()  # type: ignore[union-attr]
    assert "is announced" in before["en"].css_first("#P60 .yet").text()  # type: ignore[union-attr]
    after = pages(tmp_path / "b", "UPDATE policy SET in_force = 1")
    assert not after["ko"].css("#P60 .yet")
    assert not after["en"].css("#P60 .yet")


def test_a_table_of_another_version_still_gives_a_page(tmp_path: Path) -> None:
    """New words meet the table of the night before the change: a rule or number it lacks is said, not invented."""
    changes = ("DELETE FROM policy WHERE rule = 'P50'", "INSERT INTO policy VALUES (999, 'P99', 'x', 1, 1, 's', 1, 0)")
    both = pages(tmp_path, *changes)
    for lang, unknown in (("ko", "다음 수집부터 표에 오름"), ("en", "in the table from the next night on")):
        told = both[lang].css_first("#P50").text()  # type: ignore[union-attr]
        assert NOT_YET[lang] in told
        assert unknown in told
    assert "P99" in main(both["ko"])


def test_no_word_asks_for_a_number_that_the_table_does_not_have() -> None:
    for template in TEMPLATES:
        asked = set(re.findall(r"(?:\bn|plain)\('(\w+)'\)", template.read_text("utf-8")))
        assert asked - {rule.name for rule in Policy().rules()} == set(), template.name


def feed_and_list(options: Options, text: str) -> dict[str, Refusal | None]:
    """What a robots.txt does to a feed and a list of its server under these options."""
    rules = robots.read(Response("https://hanbit.example/robots.txt", 200, 0, 0, body=text.encode()))
    book = RobotsBook(Policy(), "2026-12-01", options)
    asked = [Request(f"https://hanbit.example/{purpose}", purpose, 1, "hanbit-news") for purpose in ("feed", "list")]
    return {each.purpose: book.refusal(each, Copy(rules, 0)) if book.needed(each) else None for each in asked}


@pytest.mark.parametrize("lang", PAGES)
def test_P40_P44_the_block_shown_stops_lists_but_not_feeds(tmp_path: Path, lang: str) -> None:
    tree = pages(tmp_path, contact="hub@campus.example")[lang]
    verdicts = feed_and_list(Options(), tree.css("code.copy")[0].text())
    assert verdicts["list"] == Refusal("P43", "closed_by_robots")
    assert verdicts["feed"] is None
    beside = tree.css(".beside")[0].text()
    assert {"ko": "멈추지 않습니다. RSS·Atom 피드", "en": "It does not stop RSS and Atom feeds"}[lang] in beside
    assert tree.css_first(".beside a").attributes["href"] == "#leave"  # type: ignore[union-attr]


@pytest.mark.parametrize("lang", PAGES)
def test_P44_under_the_option_the_block_shown_stops_feeds_too(tmp_path: Path, lang: str) -> None:
    tree = pages(tmp_path, more="[options]\nfeeds_obey_named_group = true\n")[lang]
    verdicts = feed_and_list(Options(obey_named_group=True), tree.css("code.copy")[0].text())
    assert verdicts["list"] == verdicts["feed"] == Refusal("P43", "closed_by_robots")
    beside = tree.css(".beside")[0].text()
    assert {"ko": "그리고 RSS·Atom 피드", "en": "and RSS and Atom feeds"}[lang] in beside
    assert {"ko": "멈추지 않습니다", "en": "does not stop"}[lang] not in main(tree)
    longer = tree.css("code.copy")[1].text() + "1"
    assert feed_and_list(Options(obey_named_group=True), longer)["feed"] == Refusal("P21", "crawl_delay_too_long")
    assert {"ko": "웹 페이지와 피드를 닫은 것", "en": "closing your web pages and feeds"}[lang] in tree.css(".beside")[
        1
    ].text()
    assert {"ko": "피드도 기다립니다", "en": "feeds wait too"}[lang] in tree.css_first("#P44").text()  # type: ignore[union-attr]


def test_P44_feeds_that_go_on_while_robots_txt_is_unreadable_are_told(tmp_path: Path) -> None:
    both = pages(tmp_path, more='[options]\nfeeds_obey_named_group = true\nrobots_unreachable = "allow"\n')
    assert "읽지 못한 밤에도 피드만은 읽습니다" in both["ko"].css_first("#P44").text()  # type: ignore[union-attr]
    assert "feeds alone are read" in both["en"].css_first("#P44").text()  # type: ignore[union-attr]


@pytest.mark.parametrize("lang", PAGES)
def test_P21_the_slower_block_shown_is_kept_and_a_longer_one_closes(plain: Both, lang: str) -> None:
    text = plain[lang].css("code.copy")[1].text()
    assert text.splitlines()[0] == "User-agent: CampusPressHub"
    assert feed_and_list(Options(), text)["list"] is None
    longer = re.sub(r"\d+$", lambda found: str(int(found.group()) + 1), text)
    assert feed_and_list(Options(), longer)["list"] == Refusal("P21", "crawl_delay_too_long")


def test_P20_what_counts_as_one_server_is_told_as_chosen(tmp_path: Path) -> None:
    by_address = pages(tmp_path / "a")
    assert "같은 IP 주소로 이어지면 한 서버" in by_address["ko"].css_first("#P20").text()  # type: ignore[union-attr]
    by_host = pages(tmp_path / "b", more='[options]\nlane_by = "host"\n')
    assert "IP 주소가 같아도 다른 서버" in by_host["ko"].css_first("#P20").text()  # type: ignore[union-attr]
    assert "even at one IP address" in by_host["en"].css_first("#P20").text()  # type: ignore[union-attr]


def test_S34_where_we_come_from_is_told_or_that_no_address_lasts(tmp_path: Path) -> None:
    nowhere = pages(tmp_path / "a")
    assert "늘 쓰는 IP 주소가 없습니다" in nowhere["ko"].css_first("#S34").text()  # type: ignore[union-attr]
    assert "no IP address that lasts" in nowhere["en"].css_first("#S34").text()  # type: ignore[union-attr]
    known = pages(tmp_path / "b", more='[bot]\naddresses = ["1.2.3.4", "2400:1::/48"]\n')
    for tree in known.values():
        assert [node.text() for node in tree.css("#S34 code")] == ["1.2.3.4", "2400:1::/48"]


def test_S34_the_page_leads_to_what_machines_read(plain: Both) -> None:
    for lang, tree in plain.items():
        root = "../" if lang == "ko" else "../../"
        links = {node.attributes["href"] for node in tree.css("main a")}
        assert {f"{root}bot.json", f"{root}bot/ips.json"} <= links


def test_S01_no_signature_is_claimed(plain: Both) -> None:
    both = plain
    assert "서명하지 않습니다" in both["ko"].css_first("#S01").text()  # type: ignore[union-attr]
    assert "not signed today" in both["en"].css_first("#S01").text()  # type: ignore[union-attr]


def test_P01_the_whole_name_of_our_requests_is_shown_where_the_site_has_an_address(tmp_path: Path) -> None:
    for tree in pages(tmp_path, address="https://hub.example/").values():
        assert tree.css("#P01 code")[1].text() == "CampusPressHub/1.0 (+https://hub.example/policy/)"
