"""One build: from the data folder to the finished site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from build import botfile, db, outfeeds, pages
from build.records import BuildMisuse, Card, Press, Source
from build.render import TEMPLATES, Renderer
from build.write import Written, publish

ASSETS = ("style.css", "site.js", "icon.svg")


def build(data: Path, out: Path, base_url: str | None = None) -> Written:
    """Build the site of `data` into `out`; `base_url` overrides hub.toml's address. Raises BuildError."""
    press = db.load(data)
    return publish(out, files(press, checked_base(press.hub.address if base_url is None else base_url)))


def checked_base(base_url: str) -> str:
    """The address the site will stand at, ending in a slash; empty where it is not known. Raises BuildMisuse."""
    if not base_url:
        return ""
    try:
        parts = urlsplit(base_url)
    except ValueError:
        parts = urlsplit("")
    whole = parts.scheme in ("http", "https") and bool(parts.netloc)
    path = not parts.scheme and not parts.netloc and parts.path.startswith("/")
    if not (whole or path) or parts.query or parts.fragment:
        raise BuildMisuse(f"{base_url!r}: the base address must look like https://name/ or https://name/folder/")
    return base_url.rstrip("/") + "/"


def files(press: Press, base_url: str) -> Iterator[tuple[str, bytes]]:
    """Every file of the site as path and content, outlet by outlet so that no more than one's cards are held."""
    for name in ASSETS:
        yield f"assets/{name}", (TEMPLATES / "assets" / name).read_bytes()
    renderer = Renderer(press.hub, base_url)
    cards: dict[str, list[Card]] = {}
    for card in press.cards:
        cards.setdefault(card.outlet, []).append(card)
    sources: dict[str, list[Source]] = {}
    for source in press.sources:
        sources.setdefault(source.outlet, []).append(source)
    front = pages.home(press)
    wanted = {card.id for section in front.sections for card in section.cards}
    kept: dict[int, str] = {}
    for outlet in press.outlets:
        own = cards.get(outlet.slug, [])
        fragments = renderer.cards(own)
        kept |= {id: fragment for id, fragment in fragments.items() if id in wanted}
        for page in pages.outlet_pages(outlet, own, sources.get(outlet.slug, []), press.last_night):
            yield page.head.path, renderer.page(page, fragments)
        feed = outfeeds.of_outlet(outlet, own, base_url)
        yield feed.path, feed.body
    for single in (
        front,
        pages.directory(press),
        pages.policy(press, "ko"),
        pages.policy(press, "en"),
        pages.missing(),
    ):
        yield single.head.path, renderer.page(single, kept)
    everything = outfeeds.all_outlets(press, base_url)
    yield everything.path, everything.body
    yield from botfile.files(press, base_url)
