"""Korean search for Datasette: any part of a word is found, from one syllable on.

The table `search_index` of public.db holds titles, summaries and bylines as overlapping pairs of characters, and
`ko_match(words)` makes the FTS5 query that finds them:

    select … where article in (select rowid from search_index where search_index match ko_match(:words))
"""

from __future__ import annotations

import re
import unicodedata

from datasette import hookimpl

_WORD = re.compile(r"[^\W_]+")


def split(text: str) -> str:
    """A text as the index holds it: each word as its pairs of characters, and its last character alone."""
    return " ".join(pair for word in _words(text) for pair in [*_pairs(word), word[-1]])


def match(text: str) -> str:
    """The FTS5 query of what a reader typed: every word must occur, anywhere within a word. Nothing typed finds nothing."""
    asked = (f'"{" ".join(_pairs(word))}"' if len(word) > 1 else f'"{word}" *' for word in _words(text or ""))
    return " AND ".join(asked) or '""'


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text.casefold()))


def _pairs(word: str) -> list[str]:
    return [word[place : place + 2] for place in range(len(word) - 1)]


@hookimpl
def prepare_connection(conn):
    conn.create_function("ko_match", 1, match, deterministic=True)
