"""What is asked of the search in its bench, and the plain truth about it: every article read, nothing clever.

Neither the builder nor its normaliser is imported: the truth is NFC, case folding and no spaces, said again here.
"""

from __future__ import annotations

import datetime
import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.searchcorpus import Article, Outlet

DAY_S, KST_S = 86_400, 32_400
_SYNTAX = re.compile('["“”:]')
_PARTICLES = ("은", "는", "이", "가", "을", "를", "에", "의", "와", "과", "로", "도")
_ENGLISH = re.compile(r"[A-Za-z]{2,}")
_DIGITS = re.compile(r"\d[\d,.%]*\d")


@dataclass(frozen=True, slots=True)
class Query:
    """One query: `text` as a reader types it, and what it means. `outlet`: an index into the outlets, -1 for any."""

    sort: str
    text: str
    words: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    outlet: int = -1
    univ: str = ""
    kind: str = ""
    tag: str = ""
    first: int | None = None
    last: int | None = None


def plain(text: str) -> str:
    """A text as it is compared."""
    return "".join(unicodedata.normalize("NFC", text).casefold().split())


class Truth:
    """Every article, with its texts ready to be searched."""

    def __init__(self, articles: Sequence[Article], outlets: Sequence[Outlet]) -> None:
        self.articles, self.outlets = articles, outlets
        self._texts = ["\x00".join(map(plain, (one.title, one.summary, one.byline))) for one in articles]
        self.days = [
            ((one.first_seen if one.published is None else one.published) + KST_S) // DAY_S for one in articles
        ]

    def hits(self, query: Query) -> set[int]:
        """The places of the articles that a query must find."""
        found: Sequence[int] = range(len(self.articles))
        for word in map(plain, query.words):
            found = [at for at in found if word in self._texts[at]]
        for word in map(plain, query.without):
            found = [at for at in found if word not in self._texts[at]]
        return {at for at in found if self._passes(query, at)}

    def _passes(self, query: Query, at: int) -> bool:
        article = self.articles[at]
        outlet = self.outlets[article.outlet]
        dated = (query.first is None and query.last is None) or article.published is not None
        return (
            dated
            and query.outlet in (-1, article.outlet)
            and query.univ in ("", outlet.university)
            and query.kind in ("", article.kind, outlet.kind)
            and (not query.tag or query.tag in article.tags)
            and (query.first is None or self.days[at] >= query.first)
            and (query.last is None or self.days[at] <= query.last)
        )


def queries(articles: Sequence[Article], outlets: Sequence[Outlet], number: int) -> list[Query]:
    """`number` queries of every sort, of one to eight characters a word, most of them from what the articles say."""
    rng = random.Random(7)
    makers = [_inside, _inside, _inside, _particle, _across, _across, _spaced, _english, _digits, _mixed, _several,
              _several, _phrase, _phrase, _without, _filtered, _filtered, _dated, _one, _nowhere]  # fmt: skip
    made: dict[str, Query] = {}
    while len(made) < number:
        article = rng.choice(articles)
        query = makers[len(made) % len(makers)](rng, article, outlets)
        if query is not None:
            made.setdefault(query.text, query)
    return list(made.values())


def _text(rng: random.Random, article: Article) -> str:
    return rng.choice((article.title, article.title, article.summary, article.byline)) or article.title


def _piece(rng: random.Random, text: str, least: int = 2, most: int = 8) -> str | None:
    size = rng.randint(least, most)
    start = rng.randint(0, max(0, len(text) - size))
    piece = text[start : start + size]
    usable = len(piece) >= least and not _SYNTAX.search(piece) and not piece.startswith("-")
    return piece if usable else None


def _words(text: str) -> list[str]:
    return [word for word in text.split() if not _SYNTAX.search(word) and not word.startswith("-")]


def _inside(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    words = [word for word in _words(_text(rng, article)) if len(word) >= 2]
    piece = _piece(rng, rng.choice(words)) if words else None
    return Query("inside a word", piece, (piece,)) if piece else None


def _particle(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    words = [word for word in _words(article.title + " " + article.summary) if word.endswith(_PARTICLES)]
    words = [word for word in words if 2 <= len(word) <= 8]
    word = rng.choice(words) if words else ""
    return Query("with a particle", word, (word,)) if word else None


def _across(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    words = _words(_text(rng, article))
    if len(words) < 2:
        return None
    at = rng.randrange(len(words) - 1)
    piece = words[at][-rng.randint(1, 4) :] + words[at + 1][: rng.randint(1, 4)]
    return _across_query(article, piece)


def _across_query(article: Article, piece: str) -> Query | None:
    usable = not piece.startswith("-") and any(
        plain(piece) in plain(text) for text in (article.title, article.summary, article.byline)
    )
    return Query("across a space", piece, (piece,)) if usable else None


def _spaced(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    words = [word for word in _words(_text(rng, article)) if len(word) >= 3]
    if not words:
        return None
    word = rng.choice(words)
    cut = rng.randint(1, len(word) - 1)
    return Query("a phrase with a space the text has not", f'"{word[:cut]} {word[cut:]}"', (word,))


def _english(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    found = _ENGLISH.findall(article.title + " " + article.summary)
    if not found:
        return None
    word = rng.choice(found)[: rng.randint(2, 8)]
    return Query("English", rng.choice((word, word.lower(), word.upper())), (word,))


def _digits(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    found = _DIGITS.findall(article.title + " " + article.summary)
    word = rng.choice(found)[:8] if found else ""
    return Query("digits", word, (word,)) if word else None


def _mixed(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    words = [word for word in _words(article.title + " " + article.summary) if re.search("[0-9A-Za-z]", word)]
    words = [word for word in words if re.search("[가-힣]", word)]
    piece = _piece(rng, rng.choice(words)) if words else None
    return Query("mixed", piece, (piece,)) if piece else None


def _several(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    pieces = [
        _piece(rng, _joined(_text(rng, article)), 1 if rng.random() < 0.2 else 2, 5) for _ in range(rng.randint(2, 3))
    ]
    words = tuple(piece for piece in pieces if piece)
    return Query("several words", " ".join(words), words) if len(words) > 1 else None


def _joined(text: str) -> str:
    words = _words(text)
    return max(words, key=len) if words else ""


def _phrase(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    words = _words(article.title)
    if len(words) < 3:
        return None
    at = rng.randrange(len(words) - 2)
    phrase = " ".join(words[at : at + rng.randint(2, 3)])
    found = plain(phrase) in plain(article.title)
    return Query("a phrase", f'"{phrase}"', (phrase,)) if found else None


def _without(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    word, other = _piece(rng, _joined(_text(rng, article)), 2, 4), _piece(rng, _joined(article.summary), 1, 4)
    if not word or not other or plain(other) in plain(word):
        return None
    return Query("without a word", f"{word} -{other}", (word,), (other,))


def _filtered(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    word = _piece(rng, _joined(_text(rng, article)), 2, 5)
    if not word:
        return None
    outlet, words = outlets[article.outlet], (word,)
    draw = rng.randrange(5)
    if draw == 0:
        return Query("outlet:", f'outlet:"{outlet.name}" {word}', words, outlet=article.outlet)
    if draw == 1:
        return Query("univ:", f"{word} univ:{outlet.university}", words, univ=outlet.university)
    if draw == 2:
        kind = rng.choice((article.kind, outlet.kind))
        return Query("kind:", f"kind:{kind} {word}", words, kind=kind)
    if draw == 3 and article.tags:
        return Query("tag:", f"{word} tag:{article.tags[0].lower()}", words, tag=article.tags[0])
    return Query("a filter alone", f"outlet:{outlet.slug}", outlet=article.outlet)


def _dated(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    word = _piece(rng, _joined(_text(rng, article)), 2, 4)
    if not word or article.published is None:
        return None
    day = (article.published + KST_S) // DAY_S
    first, last = day - rng.randint(0, 400), day + rng.randint(0, 100)
    draw = rng.randrange(3)
    if draw == 0:
        return Query("from:", f"from:{_date(first)} {word}", (word,), first=first)
    if draw == 1:
        return Query("to:", f"{word} to:{_date(last)}", (word,), last=last)
    return Query("from: to:", f"from:{_date(first)} to:{_date(last)} {word}", (word,), first=first, last=last)


def _date(day: int) -> str:
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=day)).isoformat()


def _one(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    piece = _piece(rng, _joined(_text(rng, article)), 1, 1)
    return Query("one character", piece, (piece,)) if piece else None


def _nowhere(rng: random.Random, article: Article, outlets: Sequence[Outlet]) -> Query | None:
    word = "".join(chr(0xAC00 + rng.randrange(11_172)) for _ in range(rng.randint(2, 5)))
    if rng.random() < 0.5:
        start = _piece(rng, _joined(article.title), 2, 4)
        word = f"{start}{word[:2]}" if start else word
    return Query("nowhere", word, (word,))


def typed(word: str) -> Iterator[str]:
    """What stands in the field while a Korean word is being typed, key by key."""
    for at, char in enumerate(word):
        for state in _states(char):
            yield word[:at] + state


def _states(char: str) -> list[str]:
    code = ord(char) - 0xAC00
    if not 0 <= code < 11_172:
        return [char]
    states = ["ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"[code // 588], chr(0xAC00 + code - code % 28)]
    return states if code % 28 == 0 else [*states, char]
