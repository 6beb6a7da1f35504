"""What only a reader's own browser does: the page of own outlets, reading without a network, the site on a home screen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from build.pagekinds import Head, Listed, Plain
from build.records import Hub, Press

MANIFEST = "manifest.webmanifest"
WORKER = "sw.js"
PAPER = "#fbfaf6"

_WORKER_FILE = Path(__file__).resolve().parent.parent / "site_templates" / "assets" / WORKER


@dataclass(frozen=True, slots=True)
class Mine:
    """The page of own outlets: empty as built, filled by the browser that knows them."""

    template: ClassVar[str] = "mine.html"
    head: Head

    def listed(self) -> Iterable[Listed]:
        """No card is known here."""
        return ()


def comforts(press: Press) -> Iterator[Mine | Plain]:
    """The page of own outlets, the worker at the root (its reach ends where it stands), the manifest."""
    yield Mine(Head("mine/index.html", "내 매체", "고른 매체의 새 글만 이 브라우저에 모읍니다.", nav="mine"))
    yield Plain(WORKER, _WORKER_FILE.read_bytes())
    yield Plain(MANIFEST, manifest(press.hub))


def manifest(hub: Hub) -> bytes:
    """The web app manifest; its addresses are relative to itself, so it holds wherever the site stands."""
    whole = {
        "name": hub.name,
        "description": hub.tagline or hub.name,
        "lang": "ko",
        "start_url": "./",
        "scope": "./",
        "display": "minimal-ui",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [{"src": "assets/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1).encode() + b"\n"
