"""The archive: stable addresses by month of publication, recent days, and how little a new night moves."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from build import archive, db, site, spans
from build.archive import ArchiveIndex, ArchivePage, DayPage
from build.records import Press
from tests import sitefixture
from tests.sitefixture import Story
from tests.test_build_site import built, page, text


def press_of(folder: Path, *stories: Story) -> Press:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "press.db").unlink(missing_ok=True)
    sitefixture.fill(folder / "press.db", stories or sitefixture.STORIES)
    with db.opened(folder) as press:
        return press


def sheets(press: Press) -> dict[str, ArchiveIndex | ArchivePage | DayPage]:
    return {sheet.head.url_path: sheet for sheet in archive.archive(press)}


def months(press: Press) -> dict[str, ArchivePage]:
    return {path: sheet for path, sheet in sheets(press).items() if isinstance(sheet, ArchivePage)}


def keys(press: Press) -> dict[str, bytes]:
    return {
        sheet.head.path: site.key(sheet, (id for listed in sheet.listed() for id in listed.ids), press.index)
        for sheet in archive.archive(press)
    }


def month_of(count: int, day: str = "2026-11-{:02}") -> list[Story]:
    """So many stories spread evenly over November, found in that order."""
    return [
        Story("hanbit-news", f"글 {n}", f"{day.format(1 + n * 30 // count)} 09:00", key=n.to_bytes(8, "little"))
        for n in range(count)
    ]


def ids(sheet: ArchivePage | DayPage) -> list[int]:
    return [id for section in sheet.sections for id in section.rows.ids]


def test_every_article_stands_in_exactly_one_month_or_among_the_undated(tmp_path: Path) -> None:
    press = press_of(tmp_path)
    held = [id for sheet in months(press).values() for id in ids(sheet)]
    assert sorted(held) == list(press.index.ids)
    assert set(months(press)) == {"m/2019-02/", "m/2026-09/", "m/2026-11/", "m/2026-12/", "m/undated/"}


def test_a_month_stands_under_its_days_newest_first(tmp_path: Path) -> None:
    month = months(press_of(tmp_path))["m/2026-11/"]
    assert [(section.title, section.anchor) for section in month.sections] == [
        ("2026. 11. 30. (월)", "d30"),
        ("2026. 11. 29. (일)", "d29"),
    ]
    assert (month.older, month.newer) == (("m/2026-09/", "2026년 9월"), ("m/2026-12/", "2026년 12월"))


def test_a_full_month_is_cut_at_days_of_the_calendar_and_its_calendar_leads_to_each(tmp_path: Path) -> None:
    press = press_of(tmp_path, *month_of(600))
    pages = months(press)
    assert list(pages) == ["m/2026-11/1/", "m/2026-11/9/", "m/2026-11/16/", "m/2026-11/"]
    assert [pages[path].label for path in pages] == [
        "2026년 11월 1일–8일", "2026년 11월 9일–15일", "2026년 11월 16일–23일", "2026년 11월",
    ]  # fmt: skip
    assert pages["m/2026-11/"].span == "11월 24일–30일"
    assert all(len(ids(sheet)) <= archive.MONTH_ROWS for sheet in pages.values())
    calendar = pages["m/2026-11/"].days
    assert [cell.path for cell in calendar if cell.day in (1, 15, 30)] == [
        "m/2026-11/1/#d1", "m/2026-11/9/#d15", "m/2026-11/#d30",
    ]  # fmt: skip
    assert sum(cell.count for cell in calendar) == 600
    assert pages["m/2026-11/"].weekday == date(2026, 11, 1).isoweekday()
    assert [sheet.days for path, sheet in pages.items() if path != "m/2026-11/"] == [(), (), ()]


def test_one_late_story_moves_its_own_days_and_its_months_calendar_alone(tmp_path: Path) -> None:
    before = keys(press_of(tmp_path / "a", *month_of(600)))
    late = Story("hanbit-news", "늦게 찾은 글", "2026-11-03 11:00", first_seen="2026-12-01 00:05")
    after = keys(press_of(tmp_path / "b", *month_of(600), late))
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed == {"m/index.html", "m/2026-11/1/index.html", "m/2026-11/index.html", "day/2026-11-03/index.html"}
    assert before.keys() == after.keys()


def test_days_that_overflow_are_cut_in_two_and_keep_their_address(tmp_path: Path) -> None:
    few = months(press_of(tmp_path / "a", *month_of(600)))
    more = [Story("hanbit-news", f"덤 {n}", f"2026-11-0{1 + n % 8} 12:00") for n in range(60)]
    many = months(press_of(tmp_path / "b", *month_of(600), *more))
    assert set(few) <= set(many)
    assert set(many) - set(few) == {"m/2026-11/5/"}


def test_a_day_of_thousands_is_cut_in_the_order_it_was_found(tmp_path: Path) -> None:
    one_day = [Story("hanbit-news", f"글 {n}", f"2026-11-07 {n % 24:02}:00") for n in range(450)]
    pages = months(press_of(tmp_path, *one_day))
    assert list(pages) == ["m/2026-11/7/", "m/2026-11/7-2/", "m/2026-11/"]
    assert [len(ids(sheet)) for sheet in pages.values()] == [200, 200, 50]
    assert max(ids(pages["m/2026-11/7/"])) == 200
    assert pages["m/2026-11/"].days[6].path == "m/2026-11/7/#d7"


def test_undated_articles_stand_in_the_order_they_were_found_and_full_parts_stay(tmp_path: Path) -> None:
    some = [Story("hanbit-news", f"글 {n}") for n in range(250)]
    pages = months(press_of(tmp_path / "a", *some))
    assert {path: len(ids(sheet)) for path, sheet in pages.items()} == {"m/undated/1/": 200, "m/undated/": 50}
    before, after = (
        keys(press_of(tmp_path / "a", *some)),
        keys(press_of(tmp_path / "b", *some, Story("mulgyeol", "새 글"))),
    )
    assert before["m/undated/1/index.html"] == after["m/undated/1/index.html"]
    assert before["m/undated/index.html"] != after["m/undated/index.html"]


def test_recent_days_have_pages_by_kind_of_outlet_and_older_ones_none(tmp_path: Path) -> None:
    pages = {path: sheet for path, sheet in sheets(press_of(tmp_path)).items() if isinstance(sheet, DayPage)}
    assert list(pages) == ["day/2026-12-01/", "day/2026-11-30/", "day/2026-11-29/"]
    yesterday = pages["day/2026-11-30/"]
    assert [(section.title, len(section.rows)) for section in yesterday.sections] == [
        ("학보", 2), ("방송국", 1), ("영자신문", 1),
    ]  # fmt: skip
    assert yesterday.month == ("m/2026-11/", "2026년 11월")
    assert (yesterday.older, yesterday.newer) == (
        ("day/2026-11-29/", "2026. 11. 29. (일)"),
        ("day/2026-12-01/", "2026. 12. 1. (화)"),
    )


def test_a_day_with_too_many_says_how_many_more_there_are(tmp_path: Path) -> None:
    many = [Story("hanbit-news", f"글 {n}", "2026-11-30 10:00") for n in range(archive.DAY_ROWS + 7)]
    day = sheets(press_of(tmp_path, *many))["day/2026-11-30/"]
    assert isinstance(day, DayPage)
    assert (len(ids(day)), day.rest) == (archive.DAY_ROWS, 7)


def test_the_first_page_names_months_and_recent_days(tmp_path: Path) -> None:
    root = built(tmp_path)
    tree = page(root, "m/index.html")
    assert [text(node) for node in tree.css(".recent a")] == [
        "2026. 12. 1. (화) 2", "2026. 11. 30. (월) 4", "2026. 11. 29. (일) 2",
    ]  # fmt: skip
    assert [text(node) for node in tree.css(".years h3")] == ["2026년", "2019년"]
    assert [text(node) for node in tree.css(".months a")] == ["9월 1", "11월 6", "12월 1", "2월 1"]
    assert "날짜를 알 수 없는 글 1편" in text(tree.css_first("main"))


def test_rows_say_what_and_who_below_their_day_and_lead_to_the_original(tmp_path: Path) -> None:
    site = built(tmp_path)
    month = page(site, "m/2026-12/index.html")
    row = month.css_first("li.row")
    assert row is not None
    assert text(month.css_first("section.day h2")) == "2026. 12. 1. (화)"
    assert row.css_first(".t a").attributes == {  # type: ignore[union-attr]
        "href": "https://hanbit-news.example/news/1", "rel": "noopener",
    }  # fmt: skip
    said = "총학생회 선거 투표율 58.2%…두 해 만에 개표 성사 한빛대학보 학보"
    assert text(row) == said
    elsewhere = page(site, "kind/newspaper/index.html").css("li.row")
    assert [text(one) for one in elsewhere if said in text(one)] == [f"{said} 2026. 12. 1. (화)"]
    assert text(page(site, "m/undated/index.html").css_first("li.row .when")) == "날짜 미상"


def test_home_leads_to_the_days_that_have_pages(tmp_path: Path) -> None:
    many = [Story("hanbit-news", f"글 {n}", "2026-11-30 10:00") for n in range(9)]
    tree = page(built(tmp_path, *many))
    assert text(tree.css_first(".more a")) == "이날의 글 모두"
    assert tree.css_first(".more a").attributes["href"] == "./day/2026-11-30/"  # type: ignore[union-attr]


def test_an_archive_without_articles_says_so(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "data" / "press.db", [], outlets=[], sources=[], nights=False)
    site.build(tmp_path / "data", tmp_path / "site")
    assert "아직 모인 글이 없습니다" in text(page(tmp_path / "site", "m/index.html").css_first("main"))


@pytest.mark.parametrize("year", ["0001", "9999"])
def test_the_first_and_the_last_year_there_is_have_months_too(tmp_path: Path, year: str) -> None:
    odd = [Story("hanbit-news", f"글 {n}", f"{year}-12-{1 + n % 31:02} 00:00") for n in range(250)]
    assert sum(len(ids(sheet)) for sheet in months(press_of(tmp_path, *odd)).values()) == 250


def test_spans_of_a_year_are_named_by_month_and_day(tmp_path: Path) -> None:
    dates = ["2026-01-05", "2026-04-03", "2026-04-20", "2026-09-01"]
    press = press_of(tmp_path, *(Story("hanbit-news", day, f"{day} 09:00") for day in dates))
    parts = spans.of_year(press.index, press.index.by_publication(press.index.ids), 1)
    assert [(part.month_name, part.label) for part in parts] == [
        ("01", "1월–3월"), ("04", "4월 1일–15일"), ("04-16", "4월 16일–30일"), ("07", "7월–12월"),
    ]  # fmt: skip
