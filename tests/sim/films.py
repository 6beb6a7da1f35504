"""Where a newsroom's films lie: YouTube addresses in the forms people paste, and hosts that only look like it."""

from __future__ import annotations

import random
import string
from dataclasses import dataclass
from typing import Literal

Form = Literal["video", "shorts", "live"]
_SIGNS = string.ascii_letters + string.digits + "-_"
_FORMS: tuple[tuple[str, Form], ...] = (
    ("https://www.youtube.com/watch?v={id}", "video"),
    ("https://youtu.be/{id}?si=Zq0aB1c2D3e4F5g6", "video"),
    ("https://www.youtube.com/shorts/{id}", "shorts"),
    ("https://youtube.com/live/{id}?feature=share", "live"),
    ("https://m.youtube.com/watch?app=desktop&v={id}&t=30s", "video"),
    ("https://youtube.com/shorts/{id}?feature=share", "shorts"),
    ("https://www.youtube.com/embed/{id}", "video"),
    ("https://www.youtube.com/watch?list=PLfilms&v={id}&index=2", "video"),
    ("https://youtu.be/{id}", "video"),
)
_LOOK_ALIKES = (
    "https://youtube.com.films.example/watch?v={id}",
    "https://notyoutube.example/shorts/{id}",
    "https://youtu.be.example/{id}",
    "https://films.example/go?to=https://www.youtube.com/watch?v={id}",
)


@dataclass(frozen=True, slots=True)
class Film:
    """An address with the film it truly leads to; `id` is empty and `form` None for a look-alike."""

    url: str
    id: str
    form: Form | None


def film(seed: str, number: int) -> Film:
    """The film of a piece of that number; neighbouring numbers take other forms."""
    shape, form = _FORMS[number % len(_FORMS)]
    name = _name(seed, number)
    return Film(shape.format(id=name), name, form)


def look_alike(seed: str, number: int) -> Film:
    """An address that is no film, whatever it looks like."""
    return Film(_LOOK_ALIKES[number % len(_LOOK_ALIKES)].format(id=_name(seed, number)), "", None)


def _name(seed: str, number: int) -> str:
    rng = random.Random(f"film/{seed}/{number}")
    return "".join(rng.choice(_SIGNS) for _ in range(11))
