"""Records to HTML: Jinja2 with autoescape and StrictUndefined; articles many at a time, pages joined from the pieces."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from build import filters, structured, words
from build.pagekinds import Form, Listed, Page
from build.records import AGENT, ROBOTS_TOKEN, Card, Hub

TEMPLATES = Path(__file__).resolve().parent.parent / "site_templates"
FORMS: dict[Form, str] = {
    "card": "_cards.html",
    "own": "_cards.html",
    "row": "_rows.html",
    "dated": "_rows.html",
    "tile": "_tiles.html",
    "film": "_films.html",
    "sound": "_sounds.html",
    "issue": "_issues.html",
}
"""The template of each form: it writes `cards` in that `form`, one after another, each followed by `end`."""

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; "
    "media-src https:; frame-src https://www.youtube-nocookie.com; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'"
)

FILTERS: dict[str, Callable[..., object]] = {
    "amount": filters.amount,
    "anchor": filters.anchor,
    "bare": filters.bare,
    "card_kind": words.card_kind,
    "clock": filters.clock_text,
    "date": filters.date_text,
    "date_en": filters.date_en,
    "day": filters.day_text,
    "film_id": filters.film_id,
    "health": words.health,
    "kind": words.kind,
    "landing": filters.landing,
    "lang_of": filters.lang_of,
    "month": filters.month_text,
    "number": filters.number,
    "picture": filters.picture,
    "source_kind": words.source_kind,
    "stamp": filters.stamp,
    "url_part": quote,
    "web": filters.web,
}
"""What templates may ask of a value, beside the two that know whose site this is."""

# Two control characters that `rows.clean` lets through in no text: the way to the root differs from page to page
# while a card is rendered once, and cards are rendered many at a time.
ROOT_MARK = "\x1d"
CARD_END = "\x1e"


class Shell(Extension):
    """What makes the same few lines of thousands of pages cheap.

    `{% once WHAT %} … {% endonce %}` is rendered once for each value of WHAT, on which alone its content may depend; and
    `{{ root }}` in a template's own text costs nothing, being what it stands for.
    """

    tags = {"once"}  # noqa: RUF012 (as the base class has it)

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self._made: dict[tuple[object, ...], Markup] = {}

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Put the mark in the place of its name."""
        return source.replace("{{ root }}", ROOT_MARK)

    def parse(self, parser: Parser) -> nodes.Node:
        """A block that is called for only where it was not yet."""
        line = next(parser.stream).lineno
        what = parser.parse_tuple()
        body = parser.parse_statements(("name:endonce",), drop_needle=True)
        call = self.call_method("_once", [nodes.Const(parser.name), nodes.Const(line), what])
        return nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _once(self, template: str, line: int, what: object, caller: Callable[[], str]) -> Markup:
        key = (template, line, what)
        if key not in self._made:
            self._made[key] = Markup(caller())
        return self._made[key]


class _Environment(Environment):
    """Jinja's own, with plain dicts for what all templates know: its chains of them cost a twentieth of a build."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What a template knows besides what it is given."""
        return {**self.globals, **(d or {})}


class Renderer:
    """Templates of one build; it holds who runs the site and where it will stand."""

    def __init__(
        self, hub: Hub, base_url: str, tag_path: Callable[[int, str], str], templates: Path = TEMPLATES
    ) -> None:
        """`base_url`: absolute address, path, or nothing; it ends in a slash where there is one. `tag_path`: where an article's
        tag leads, if anywhere.
        """
        self._base_url = base_url if base_url.startswith("http") else ""
        self._prefix = urlsplit(base_url).path or "/"
        self._env = _Environment(
            loader=FileSystemLoader(templates),
            auto_reload=False,  # else every page asks the disk whether its templates changed
            extensions=[Shell],
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
        )
        self._env.filters |= FILTERS | {"report": self._report, "tag_path": tag_path}
        self._env.globals |= {
            "agent": AGENT,
            "contact": filters.contact_link(hub),
            "csp": Markup(CSP),  # of its signs none ends an attribute in double quotes
            "file_facts": filters.file_facts,
            "hub": hub,
            "repository": filters.repository(hub),
            "robots_token": ROBOTS_TOKEN,
            "root": ROOT_MARK,
        }
        self._hub = hub
        self._names_card = filters.contact_link(hub, "0") != filters.contact_link(hub)
        self._write_to = filters.contact_link(hub, "신고·삭제 ")

    def pieces(self, form: Form, cards: Sequence[Card]) -> list[str]:
        """Each card in that form as one list item; ways to the root still to be filled in by `page`."""
        template = self._env.get_template(FORMS[form])
        whole = template.render(cards=cards, form=form, end=Markup(CARD_END))
        return [piece.strip() for piece in whole.split(CARD_END)[: len(cards)]]

    def page(self, page: Page, show: Callable[[Listed], str]) -> bytes:
        """A whole page; `show` gives the pieces of what it lists, one under another."""
        missing = page.head.path == "404.html"
        html = self._env.get_template(page.template).render(
            page=page,
            head=page.head,
            show=lambda listed: Markup(show(listed)),
            site=self._base_url,
            structured=Markup(structured.told(page, self._hub, self._base_url)),
            canonical="" if missing or not self._base_url else self._base_url + quote(page.head.url_path),
            prefix=self._prefix,
        )
        # A 404 page answers for addresses of any depth, so its own links start at the host's root.
        return html.replace(ROOT_MARK, self._prefix if missing else page.head.root).encode() + b"\n"

    def _report(self, card: Card) -> str:
        """Where a reader says that something is wrong with a card, or asks to have it removed."""
        return self._write_to + str(card.id) if self._names_card else self._write_to
