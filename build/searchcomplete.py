"""What the search's field offers while a reader types: outlets, universities, tags and frequent words of headlines.

One file for each initial consonant, Latin letter, and all figures, so that a key costs a few kilobytes once. A name of
several words stands under each word's initial. Words and tags are counted over what was found before this month alone:
the files stay as they are while the month lasts.

JavaScript reads them in site_templates/assets/search/complete.js.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from build import titlewords
from build.normal import normal
from build.searchcards import Medium, Searchable, gzipped
from build.searchindex import in_base

INITIALS = tuple(f"k{number}" for number in range(19))
LETTERS = tuple(f"l{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
FIGURES = "d"
KEYS = (*INITIALS, *LETTERS, FIGURES)
WORDS_AN_INITIAL, TAGS_AN_INITIAL = 250, 120
LEAST_COUNT = 3
PLACES = 3
"""How many words of a name it is found by."""

_FIRST, _LAST, _PER_INITIAL = 0xAC00, 0xD7A3, 588


def files(articles: Iterable[Searchable], media: Iterable[Medium]) -> Iterator[tuple[str, bytes]]:
    """Every file, as path below the search's folder and content: rows of [kind, text, value], the likeliest first.

    `kind`: outlet, univ, tag or word; `value`: what the filter of that kind is given, left out where it is the text.
    """
    tags, words = _counted(articles)
    rows: dict[str, list[list[str]]] = {key: [] for key in KEYS}
    for row in _names(media):
        for key in _keys(row[1]):
            rows[key].append(row)
    for kind, counted, most in (("tag", tags, TAGS_AN_INITIAL), ("word", words, WORDS_AN_INITIAL)):
        taken: Counter[str] = Counter()
        for text, count in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
            for key in _keys(text) if count >= LEAST_COUNT else ():
                taken[key] += 1
                if taken[key] <= most:
                    rows[key].append([kind, text])
    for key in KEYS:
        yield f"complete/{key}.gz", gzipped(_json(rows[key]))


def key_of(char: str) -> str:
    """The file that a first character (of a normal text) is found in, empty where none is kept for it."""
    if "가" <= char <= "힣":
        return INITIALS[(ord(char) - _FIRST) // _PER_INITIAL]
    if "a" <= char <= "z":
        return f"l{char}"
    return FIGURES if "0" <= char <= "9" else ""


def _keys(text: str) -> list[str]:
    """The files a text stands in: those of its first words."""
    found = (key_of(normal(word)[:1]) for word in text.split()[:PLACES])
    return list(dict.fromkeys(key for key in found if key))


def _names(media: Iterable[Medium]) -> Iterator[list[str]]:
    seen: set[tuple[str, ...]] = set()
    for medium in sorted(media, key=lambda one: one.id):
        for row in (
            ["outlet", medium.name, medium.slug],
            ["outlet", medium.name_en, medium.slug],
            ["univ", medium.university, medium.univ],
        ):
            if row[1] and tuple(row) not in seen:
                seen.add(tuple(row))
                yield row


def _counted(articles: Iterable[Searchable]) -> tuple[Counter[str], Counter[str]]:
    """How many articles have each tag, and each word in their title. Of two ways to write a tag the usual one counts."""
    tags: Counter[str] = Counter()
    pieces: Counter[str] = Counter()
    for article in in_base(articles):
        tags.update(set(article.tags))
        pieces.update(set(titlewords.pieces(article.title)))
    words: Counter[str] = Counter()
    for piece, word in titlewords.settled(pieces).items():
        words[word] += pieces[piece]
    usual: dict[str, str] = {}
    for tag, _ in sorted(tags.items(), key=lambda one: (-one[1], one[0])):
        usual.setdefault(normal(tag), tag)
    merged: Counter[str] = Counter()
    for tag, count in tags.items():
        merged[usual[normal(tag)]] += count
    # A word that is a tag too is offered once, as the word: it finds what the tag finds and more.
    return Counter({tag: count for tag, count in merged.items() if tag not in words}), words


def _json(what: Any) -> bytes:
    return json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode()
