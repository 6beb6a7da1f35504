"""One build: from the data folder to the finished site."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from build import (
    about,
    archive,
    botfile,
    comforts,
    currents,
    datapage,
    db,
    directory,
    feedpage,
    home,
    landings,
    media,
    nights,
    outfeeds,
    outopml,
    pages,
    policypage,
    searchpage,
    sharepicture,
    sitemap,
    status,
    trendpages,
)
from build.index import Index
from build.ledger import KEY_BYTES
from build.make import Maker
from build.notes import Notes
from build.pagekinds import Plain, Sheet, is_deferred, is_drawn, is_noted, is_page, is_whole
from build.partbook import PartBook
from build.records import BuildMisuse, Hub, Press
from build.render import TEMPLATES, Renderer
from build.tags import links_of
from build.write import Claim, Step, Written, alone, publish, refuse_foreign, workshop

ASSETS = (
    "style.css",
    "charts.css",
    "media.css",
    "record.css",
    "search.css",
    "site.js",
    "media.js",
    "mine.js",
    "status.js",
    "icon.svg",
)

Kind = Callable[[Press, str], Iterable[Sheet]]
KINDS: tuple[tuple[str, Kind], ...] = (
    ("assets", lambda press, base_url: assets()),
    ("outlets", lambda press, base_url: pages.outlets(press)),
    ("directory", lambda press, base_url: [directory.page(press)]),
    ("landings", lambda press, base_url: landings.landings(press)),
    ("archive", lambda press, base_url: archive.archive(press)),
    ("media", lambda press, base_url: media.media(press)),
    ("policy", lambda press, base_url: [policypage.page(press, "ko"), policypage.page(press, "en")]),
    ("status", lambda press, base_url: [status.page(press)]),
    ("nights", lambda press, base_url: nights.sheets(press)),
    ("data", datapage.sheets),
    ("about", lambda press, base_url: [about.page(press, "ko"), about.page(press, "en")]),
    ("404", lambda press, base_url: [pages.missing()]),
    ("home, tags and trends", lambda press, base_url: counted(press)),
    ("search", lambda press, base_url: searchpage.sheets(press)),
    ("comforts", lambda press, base_url: comforts.comforts(press)),
    ("feeds", outfeeds.feeds),
    ("feed list", lambda press, base_url: [feedpage.page(press, len(outopml.own_feeds(press)))]),
    ("pictures", lambda press, base_url: sharepicture.files()),
    ("opml", lambda press, base_url: outopml.files(press)),
    ("bot", botfile.files),
)
"""Every kind of page: its name in the budget, and what yields its sheets from the press and the site's address."""

_BASE = re.compile(
    r"(?:https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?=/|$)|(?=/))"  # an address, or just its folder
    r"(?:/(?:[A-Za-z0-9._~!$&()*+,;=:@-]|%[0-9A-Fa-f]{2})+)*/*"
)
"""What every reader of feeds, of robots.txt and of the sitemap takes for an address (RFC 3986), without a name and password."""

_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)


def build(data: Path, out: Path, base_url: str | None = None, *, step: Step = lambda done, expected: None) -> Written:
    """Build the site of `data` into `out`; `base_url` overrides hub.toml's address. Raises BuildError."""
    hub = db.read_hub(data)
    base = checked_base(hub.address if base_url is None else base_url)
    ours = stamp(hub, base)
    refuse_foreign(out)
    with ExitStack() as stack:
        stack.enter_context(alone(out))
        press = stack.enter_context(db.opened(data, PartBook(workshop(out), ours)))
        renderer, notes = Renderer(hub, base, links_of(press.index).of), Notes(workshop(out), ours)
        make = stack.enter_context(closing(Maker(renderer, press.read, workshop(out).parent, notes)))
        return publish(out, claims(press, base), make, make.files, stamp=ours, step=step)


def counted(press: Press) -> Iterator[Sheet]:
    """The home page and all pages about tags and words: the months they look at are read once."""
    held = currents.MonthsRead(press)
    yield home.home(press, currents.currents(held))
    yield from trendpages.tags_and_trends(held)


def checked_base(base_url: str) -> str:
    """The address the site will stand at, ending in a slash; empty where it is not known. Raises BuildMisuse."""
    if not base_url:
        return ""
    if not _BASE.fullmatch(base_url):
        raise BuildMisuse(
            f"{base_url!r}: the base address must look like https://name/ or https://name/folder/, "
            "a name or folder in Hangul as a browser copies it (xn--…, %ED…)"
        )
    return base_url.rstrip("/") + "/"


def claims(press: Press, base_url: str) -> Iterator[Claim]:
    """Every file of the site, with the digest of what it is made from."""
    places: list[sitemap.Place] = []
    links = links_of(press.index)
    for name, sheets in KINDS:
        for sheet in sheets(press, base_url):
            if isinstance(sheet, Plain):
                yield Claim(sheet.path, name, sheet)
            elif is_drawn(sheet):
                yield Claim(sheet.path, name, sheet, key(sheet, sheet.ids, press.index))
            elif is_noted(sheet):
                yield Claim(sheet.path, name, sheet, key(sheet, (), press.index))
            elif is_whole(sheet):
                yield Claim(sheet.folder, name, sheet, key(sheet, (), press.index))
            elif is_deferred(sheet):
                places.append(sitemap.place(sheet.head, (), press.index))
                yield Claim(sheet.head.path, name, sheet, key(sheet, (), press.index))
            elif is_page(sheet):
                listed = tuple(sheet.listed())
                shown = [id for some in listed for id in some.ids]
                tagged = links.mark(shown) if any(some.form in TAGGED for some in listed) else ""
                places.append(sitemap.place(sheet.head, shown, press.index))
                yield Claim(sheet.head.path, name, sheet, key(sheet, shown, press.index, tagged))
    for file in sitemap.files(places, base_url):
        yield Claim(file.path, "sitemap", file)


TAGGED = frozenset({"card", "own"})
"""Forms that show an article's tags."""


def key(sheet: Sheet, shown: Iterable[int], index: Index, tagged: str = "") -> bytes:
    """What tells a sheet from any other state of it: its fields, the cards of the articles it shows, where their tags lead."""
    digest = blake2b(f"{type(sheet).__module__}.{sheet!r}".encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES)
    digest.update(index.digest(shown))
    digest.update(tagged.encode("utf-8", "surrogatepass"))
    return digest.digest()


def stamp(hub: Hub, base_url: str) -> bytes:
    """What all pages depend on: code, templates, libraries, whose site it is and where it will stand."""
    digest = blake2b(digest_size=KEY_BYTES)
    facts = (hub, base_url, platform.python_version(), version("jinja2"), version("markupsafe"))
    digest.update(repr(facts).encode("utf-8", "surrogatepass"))
    for path in sorted((*Path(__file__).parent.glob("*.py"), *TEMPLATES.glob("*.html"))):
        content = path.read_bytes()
        digest.update(f"\n{path.name} {len(content)}\n".encode() + content)
    return digest.digest()


def assets() -> Iterator[Plain]:
    """Styles, scripts and the icon, each without the lines that are nothing but a comment: a sixth of their weight."""
    scripts = sorted(f"search/{path.name}" for path in (TEMPLATES / "assets" / "search").glob("*.js"))
    for name in (*ASSETS, *scripts):
        content = (TEMPLATES / "assets" / name).read_bytes()
        yield Plain(f"assets/{name}", _COMMENT.sub(b"", content) if name.endswith((".css", ".js")) else content)
