"""Host names of the fictional web, and the simulator's own idea of which of them are one server."""

from __future__ import annotations

import random
from urllib.parse import urlsplit

from tests.sim.places import University

_NAMES = {
    "newspaper": ("news.{u}.ac.example", "press.{u}.ac.example", "www.{u}news.example", "{u}hakbo.example"),
    "english": ("herald.{u}.ac.example", "www.{u}herald.example", "{u}post.test"),
    "broadcaster": ("radio.{u}.ac.example", "www.{u}bs.test"),
    "magazine": ("{u}gyoji.example", "www.{u}review.test"),
    "independent": ("m.{u}indie.example", "{u}indie.test", "www.{u}zine.example"),
}
_BLOGS = {"tistory": "{u}-{kind}.story.example", "ghost": "{u}-{kind}.letters.test"}


def home_of(place: University, kind: str, cms: str, shares: bool, rng: random.Random) -> str:
    """The host an outlet lives on; `shares`: the university's one media host."""
    if shares:
        return f"media.{place.slug}.ac.example"
    pattern = _BLOGS.get(cms) or rng.choice(_NAMES[kind])
    return pattern.format(u=place.slug, kind=kind)


def fold(host: str) -> str:
    """The server a host name belongs to: any case, no trailing dot, no port, `www.` and `m.` twins together."""
    name = host.lower()
    if not name.startswith("[") and ":" in name:
        name = name[: name.index(":")]
    name = name.rstrip(".")
    for twin in ("www.", "m."):
        if name.startswith(twin) and "." in name[len(twin) :]:
            name = name[len(twin) :]
            break
    return name


def split(url: str) -> tuple[str, str]:
    """An address as (folded server, path with query)."""
    parts = urlsplit(url)
    path = parts.path or "/"
    return fold(parts.netloc.rpartition("@")[2]), f"{path}?{parts.query}" if parts.query else path
