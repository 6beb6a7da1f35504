"""The files a command begins with: the registry and hub.toml of a data folder, by the paths that messages name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from crawl import hub, hubcolumns
from crawl.errors import Problem, RegistryInvalid
from crawl.model import Outlet

REGISTRY_FILES = ("outlets.csv", "sources.csv", "exclusions.csv")


def read_registry(data: Path) -> dict[str, bytes]:
    """The registry files by the path a message should name."""
    return {str(data / name): (data / name).read_bytes() for name in REGISTRY_FILES if (data / name).exists()}


def read_hub(data: Path) -> hub.Hub:
    """hub.toml. Raises RegistryInvalid with every problem."""
    path = data / "hub.toml"
    if not path.exists():
        raise RegistryInvalid(
            [Problem(str(path), 0, "there is no such file", "let `python -m crawl init` write one and fill it in")]
        )
    return hub.parse(path.read_bytes(), str(path))


def unknown_columns(data: Path, settings: hub.Hub, outlets: Iterable[Outlet] | None) -> list[Problem]:
    """hub.toml's photo columns of outlets that are not registered (P03); `outlets` None: the registry could not be read."""
    path = data / "hub.toml"
    return (
        [] if outlets is None else hubcolumns.strangers(path.read_bytes(), str(path), settings.photo_columns, outlets)
    )
