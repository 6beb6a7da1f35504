"""Reads what campus papers write about from `words/*.txt`: topics with their headlines, summaries and words.

One line, one thing; how it begins says what: `@ section | tag, tag` a topic; `slot: a; b` a word list; `= ` a
headline; `- ` a summary for the headlines just above it; `+ ` a paragraph any story of the topic may use;
`#` a remark. Text names slots as `{slot}`, `{slot|particle}` or `{slot|lower}`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_WORDS = Path(__file__).parent / "words"


@dataclass(slots=True)
class Angle:
    """Headlines and summaries that belong together."""

    headlines: list[str] = field(default_factory=list)
    leads: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Topic:
    """One kind of story."""

    section: str
    tags: tuple[str, ...]
    angles: list[Angle] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)


def _add_line(topic: Topic, line: str) -> None:
    mark, text = line[:2], line[2:].strip()
    if mark == "= ":
        if not topic.angles or topic.angles[-1].leads:
            topic.angles.append(Angle())
        topic.angles[-1].headlines.append(text)
    elif mark == "- ":
        topic.angles[-1].leads.append(text)
    elif mark == "+ ":
        topic.bodies.append(text)
    else:
        slot, found, words = line.partition(": ")
        if not found:
            raise ValueError(f"no such line in a word file: {line!r}")
        topic.words[slot] = tuple(word.strip() for word in words.split(";"))


@cache
def angles(voice: str) -> tuple[tuple[Topic, Angle], ...]:
    """Every angle of a voice (`news`, `feature`, `programme`, `english`) with its topic, in file order."""
    topics: list[Topic] = []
    for line in (_WORDS / f"{voice}.txt").read_text("utf-8").splitlines():
        if line.startswith("@ "):
            section, _, tags = line[2:].partition(" | ")
            topics.append(Topic(section, tuple(tag.strip() for tag in tags.split(","))))
        elif line and not line.startswith("#"):
            _add_line(topics[-1], line)
    return tuple((topic, angle) for topic in topics for angle in topic.angles)
