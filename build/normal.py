"""The one normaliser of the search: what counts as the same text, for the index, the site and Datasette.

Its twin is site_templates/assets/search/normal.js; tests/normal_cases.json is the table both must pass.
"""

from __future__ import annotations

import re
import unicodedata

_SPACES = re.compile("[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def normal(text: str) -> str:
    """The text as it is compared: NFC, case folded, without any space (`학생 자치` and `학생자치` are one)."""
    return _SPACES.sub("", unicodedata.normalize("NFC", text).casefold())
