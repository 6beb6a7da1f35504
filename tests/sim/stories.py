"""Seeded campus stories: Korean news, magazine features, radio programmes, English reports.

Randomness comes from `random.Random(text)`: seeding by text is the same in every process, unlike `hash()`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from tests.sim import people
from tests.sim.particles import fill
from tests.sim.topics import Topic, angles

Voice = Literal["news", "feature", "programme", "english"]

_ROLES = ("기자", "기자", "기자", "기자", "수습기자", "편집국장", "부장기자", "객원기자")
_EN_ROLES = ("Reporter", "Editor-in-Chief", "Culture Editor", "Cub Reporter", "Campus Editor")
_BYLINES: dict[Voice, tuple[str, ...]] = {
    "news": tuple(f"{{}} {role}" for role in _ROLES),
    "feature": ("편집위원 {}", "{} 편집위원", "{}"),
    "programme": ("제작부 {}", "아나운서 {}", "{} PD"),
    "english": tuple(f"{{}}, {role}" for role in _EN_ROLES),
}
_RETITLED = ("[수정] {}", "{} (종합)", "[정정] {}", "{}… 본부 “검토 중”")
_EN_RETITLED = ("{} (Updated)", "{} [Corrected]", "{}, Now With a Reply")


@dataclass(frozen=True, slots=True)
class Story:
    """A finished piece of writing. `later_headline` is what it would be called after an edit."""

    headline: str
    later_headline: str
    summary: str
    paragraphs: tuple[str, ...]
    byline: str
    section: str
    tags: tuple[str, ...]
    photo: bool
    minutes: int

    @property
    def text(self) -> str:
        return "\n\n".join(self.paragraphs)


def _korean_slots(rng: random.Random, univ: str, day: int) -> dict[str, str]:
    dept, other = rng.sample(people.DEPARTMENTS, 2)
    return {
        "univ": univ,
        "day": f"지난 {day}일",
        "dept": dept,
        "dept2": other,
        "hall": rng.choice(people.HALLS),
        "lab": rng.choice(people.LABS),
        "name": people.person(rng),
        "student": people.student(rng, dept),
        "prof": people.person(rng),
        "union": rng.choice(people.UNIONS),
        "club": rng.choice(people.CLUBS),
        "num": rng.choice(people.COUNTS),
        "dues": str(rng.randint(21, 189)),
        "won": people.won(rng),
    } | _figures(rng)


def _english_slots(rng: random.Random) -> dict[str, str]:
    return {
        "hall": rng.choice(people.EN_HALLS),
        "name": people.english_person(rng),
        "prof": people.english_person(rng),
        "num": rng.choice(people.EN_COUNTS),
        "won": f"{rng.randint(2, 39)}00 Million Won",
    } | _figures(rng)


def _figures(rng: random.Random) -> dict[str, str]:
    return {
        "n": str(rng.randint(2, 9)),
        "dozens": str(rng.randint(12, 98)),
        "people": f"{rng.randint(102, 2890):,}",
        "years": str(rng.randint(9, 61)),
        "percent": f"{rng.randint(4, 68)}.{rng.randint(1, 9)}%",
    }


def _byline(rng: random.Random, voice: Voice) -> str:
    named = people.english_person if voice == "english" else people.person
    many = 2 if voice == "news" and rng.random() < 0.1 else 1
    return ", ".join(rng.choice(_BYLINES[voice]).format(named(rng)) for _ in range(many))


def _body(rng: random.Random, topic: Topic) -> list[str]:
    return rng.sample(topic.bodies, min(len(topic.bodies), rng.randint(2, 5)))


def write(seed: str, number: int, univ: str, when: datetime, voice: Voice) -> Story:
    """Story `number` of the newsroom `seed` at a university (short name). Same arguments, same story.

    Neighbouring numbers take different angles, so that one paper rarely repeats itself.
    """
    choices = angles(voice)
    start, step = random.Random(f"order/{seed}").randrange(len(choices)), _step(len(choices))
    topic, angle = choices[(start + number * step) % len(choices)]
    rng = random.Random(f"story/{seed}/{number}")
    slots = _english_slots(rng) if voice == "english" else _korean_slots(rng, univ, rng.randint(1, when.day))
    slots |= {slot: rng.choice(words) for slot, words in topic.words.items()}
    headline = fill(rng.choice(angle.headlines), slots)
    lead = fill(rng.choice(angle.leads), slots)
    retitled = rng.choice(_EN_RETITLED if voice == "english" else _RETITLED)
    return Story(
        headline=headline,
        later_headline=retitled.format(headline),
        summary=lead,
        paragraphs=(lead, *(fill(body, slots) for body in _body(rng, topic))),
        byline=_byline(rng, voice),
        section=topic.section,
        tags=topic.tags,
        photo=topic.section == "사진",
        minutes=rng.randint(6, 58),
    )


def as_issue(story: Story, number: int) -> Story:
    """A printed issue in place of a story."""
    title = f"제{number}호"
    return replace(story, headline=title, later_headline=title, summary="", byline="", section="", photo=False)


def _step(size: int) -> int:
    """A stride near the golden section that visits every one of `size` places before any twice."""
    step = max(1, round(size * 0.618))
    while _shares_a_factor(step, size):
        step += 1
    return step


def _shares_a_factor(a: int, b: int) -> bool:
    while b:
        a, b = b, a % b
    return a > 1
