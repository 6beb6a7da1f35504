"""The whole review as one HTML file: no script, nothing loaded, every change in it. Pure."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, StrictUndefined

from crawl.diffrecords import Article, Review
from crawl.gatechecks import is_link
from crawl.shown import moment, plain

_TEMPLATE = Path(__file__).with_name("diffreport.html").read_text(encoding="utf-8")

NIGHT_COLUMNS = ("due", "ok", "unchanged", "failed", "refused", "put_off", "new_articles", "changed_articles", "requests",
                 "body_bytes", "breaches")  # fmt: skip
TALLY_COLUMNS = ("before", "new", "archived", "changed", "retitled", "gone", "after")

TITLES_MAX = 500
"""Titles of one outlet: a night that brings a whole archive must still open in a browser."""


def write(review: Review) -> str:
    """The report; same review, same bytes."""
    pages = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    pages.filters["plain"] = plain
    pages.filters["moment"] = moment
    page = pages.from_string(_TEMPLATE)
    return page.render(
        review=review,
        diff=review.diff,
        night_columns=NIGHT_COLUMNS,
        tally_columns=TALLY_COLUMNS,
        followable=is_link,
        when=_when,
        titles_max=TITLES_MAX,
    )


def _when(one: Article) -> str:
    """Its date as far as it is known, Korean time."""
    return "" if one.published is None else moment(one.published, 10 if one.precision == "day" else 16)
