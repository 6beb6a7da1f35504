"""The one tree of expected errors; every child names its subject so that a message can name place and cure."""

from __future__ import annotations

from dataclasses import dataclass


class CrawlError(Exception):
    """Anything this application refuses or cannot do, with a message fit for the person who runs it."""


class Misuse(CrawlError):
    """A command used against its meaning (exit status 2)."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong in a file people edit: where (`line` 0: the file as a whole), what, and what to do about it."""

    file: str
    line: int
    what: str
    cure: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.what}; {self.cure}"


class RegistryInvalid(CrawlError):
    """The registry or hub.toml has problems; all of them are listed at once."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = sorted(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class PolicyRuder(CrawlError):
    """A politeness value is ruder than its floor (politeness.md: refused at start)."""

    def __init__(self, rule: str, name: str, value: float, floor: float) -> None:
        self.rule, self.name, self.value, self.floor = rule, name, value, floor
        super().__init__(
            f"{rule}: {name} = {value:g} is ruder than its floor {floor:g}; use the floor or a politer value"
        )


class FeedUnreadable(CrawlError):
    """A body that is not a feed; `.reason` is the named result stored for the source."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}" if detail else reason)


class StoreDamaged(CrawlError):
    """A database file fails its integrity, order or count check; nothing was replaced."""

    def __init__(self, path: str, what: str, cure: str = "take the last good version from git") -> None:
        self.path, self.what, self.cure = path, what, cure
        super().__init__(f"{path}: {what}; nothing was changed; {cure}")


class NightHeld(CrawlError):
    """Another night holds the lock of this state folder."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path}: another night is running with this folder; wait until it has ended")
