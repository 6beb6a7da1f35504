"""What the search's field offers while a reader types: outlets, universities, tags and frequent words of headlines.

One file for each initial consonant, Latin letter, and all figures, so that a key costs a few kilobytes once. A name of
several words stands under each word's initial. Words and tags are counted over what was found before this month alone:
the files stay as they are while the month lasts.

JavaScript reads them in site_templates/assets/search/complete.js.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from build import titlewords
from build.normal import normal
from build.searchcards import Medium, Searchable, gzipped
from build.searchindex import written

INITIALS = tuple(f"k{number}" for number in range(19))
LETTERS = tuple(f"l{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
FIGURES = "d"
KEYS = (*INITIALS, *LETTERS, FIGURES)
WORDS_AN_INITIAL, TAGS_AN_INITIAL = 250, 120
LEAST_COUNT = 3
PLACES = 3
"""How many words of a name it is found by."""

_FIRST, _LAST, _PER_INITIAL = 0xAC00, 0xD7A3, 588


class Counts:
    """Counts the tags and the words of headlines of articles that pass by."""

    def __init__(self) -> None:
        self._tags: Counter[str] = Counter()
        self._pieces: Counter[str] = Counter()

    def watch(self, articles: Iterable[Searchable]) -> Iterator[Searchable]:
        """The same articles."""
        for article in articles:
            self._tags.update(set(article.tags))
            self._pieces.update(set(titlewords.pieces(article.title)))
            yield article

    def offered(self) -> dict[str, list[list[str]]]:
        """By file: rows of [kind, text], the likeliest first."""
        tags, words = self._counted()
        rows: dict[str, list[list[str]]] = {key: [] for key in KEYS}
        for kind, counted, most in (("tag", tags, TAGS_AN_INITIAL), ("word", words, WORDS_AN_INITIAL)):
            taken: Counter[str] = Counter()
            for text, count in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
                for key in _keys(text) if count >= LEAST_COUNT else ():
                    taken[key] += 1
                    if taken[key] <= most:
                        rows[key].append([kind, text])
        return rows

    def _counted(self) -> tuple[Counter[str], Counter[str]]:
        """How many articles have each tag, and each word in their title. Of two ways to write a tag the usual one counts."""
        words: Counter[str] = Counter()
        for piece, word in titlewords.settled(self._pieces).items():
            words[word] += self._pieces[piece]
        usual: dict[str, str] = {}
        for tag, _ in sorted(self._tags.items(), key=lambda one: (-one[1], one[0])):
            usual.setdefault(normal(tag), tag)
        merged: Counter[str] = Counter()
        for tag, count in self._tags.items():
            merged[usual[normal(tag)]] += count
        # A word that is a tag too is offered once, as the word: it finds what the tag finds and more.
        return Counter({tag: count for tag, count in merged.items() if tag not in words}), words


def file(key: str, offered: Sequence[Sequence[str]], media: Iterable[Medium]) -> bytes:
    """The file of a key: rows of [kind, text, value], names first, then what is offered of articles.

    `kind`: outlet, univ, tag or word; `value`: what the filter of that kind is given, left out where it is the text.
    """
    return gzipped(written([*(row for row in _names(media) if key in _keys(row[1])), *offered]))


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
