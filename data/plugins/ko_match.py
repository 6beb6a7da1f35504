"""Korean search for Datasette: any part of a word is found, from one syllable on.

The table `search_index` of public.db holds titles, summaries and bylines as overlapping pairs of characters, and
`ko_match(words)` makes the FTS5 query that finds them:

    select … where article in (select rowid from search_index where search_index match ko_match(:words))
"""

from __future__ import annotations

import re
import unicodedata

from datasette import hookimpl

_SPACES = re.compile("[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_SAID = re.compile(r"[^\W_]+")


def normal(text: str) -> str:
    """What counts as the same text: build/normal.py of the repository, said again, for Datasette has this file alone."""
    return _SPACES.sub("", unicodedata.normalize("NFC", text).casefold())


def split(text: str) -> str:
    """A text as the index holds it, pairs across its spaces too: between two signs, all pairs and the last character."""
    return " ".join(pair for run in _SAID.findall(normal(text)) for pair in [*_pairs(run), run[-1]])


def match(text: str) -> str:
    """The FTS5 query of what a reader typed: every word must occur, anywhere. Nothing typed finds nothing."""
    runs = [run for word in _SPACES.split(text or "") for run in _SAID.findall(normal(word))]
    return " AND ".join(f'"{" ".join(_pairs(run))}"' if len(run) > 1 else f'"{run}" *' for run in runs) or '""'


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]


@hookimpl
def prepare_connection(conn):
    conn.create_function("ko_match", 1, match, deterministic=True)
