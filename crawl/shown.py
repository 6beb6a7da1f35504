"""Foreign text made plain for a person: what cannot be seen, or turns the writing round, is shown by its number. Pure."""

from __future__ import annotations

import re
import unicodedata

from crawl.characters import cut
from crawl.clock import kst_text

_BLANKS = re.compile(r"[ \t\r\n\x0b\x0c]+")
_ORDINARY = re.compile(r"[ -~가-힣…·‘’“”「」『』<>《》\u2013\u2014]*")
_NO_INK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Letters and signs that leave no ink though they count as visible."""
_MARKS_MAX = 3
_PICTURE_SIGNS = "\u200d\ufe0f"


def plain(text: str, limit_chars: int = 0) -> str:
    """One line in which every character can be seen: others become ⟨U+202E⟩; `limit_chars` cuts it, 0 does not.

    A joiner or a picture sign inside an emoji stays. Marks piled on one letter beyond a few are dropped and counted.
    """
    line = _BLANKS.sub(" ", text).strip()
    if limit_chars:
        line = cut(line, limit_chars)
    if _ORDINARY.fullmatch(line):
        return line
    found: list[str] = []
    piled = 0
    for place, sign in enumerate(line):
        mark = unicodedata.category(sign) in ("Mn", "Me")
        piled = piled + 1 if mark else 0
        if mark and sign not in _NO_INK and sign not in _PICTURE_SIGNS:
            if piled <= _MARKS_MAX:
                found.append(sign)
            elif piled == _MARKS_MAX + 1:
                found.append("⟨marks⟩")
        elif _unseen(sign) and not (sign in _PICTURE_SIGNS and place and _pictures(line[place - 1])):
            found.append(f"⟨U+{ord(sign):04X}⟩")
        else:
            found.append(sign)
    return "".join(found)


def moment(at: int, chars: int = 16) -> str:
    """A stored moment in Korean time, `2026-12-01 00:05`, or its first `chars`; one that no calendar names as its number."""
    return kst_text(at)[:chars] if -62_135_500_000 <= at <= 253_402_200_000 else f"@{at}"


def _unseen(sign: str) -> bool:
    if sign in _NO_INK or "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef":
        return True
    if sign == " ":
        return False
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")


def _pictures(sign: str) -> bool:
    return unicodedata.category(sign) in ("So", "Sk") or "\U0001f000" <= sign <= "\U0001faff" or sign == "\ufe0f"
