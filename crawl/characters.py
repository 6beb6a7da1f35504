"""Characters fit for storing: whole, visible, composed (I19), cut without breaking one apart. Pure, never raises."""

from __future__ import annotations

import re
import sys
import unicodedata

_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_REFERENCE = re.compile(r"&#(?:[xX]0{0,6}([dD][89a-fA-F][0-9a-fA-F]{2})|0{0,6}(5[5-7]\d{3}));", re.ASCII)
_BLANKS = re.compile("[\\s\x85\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u3164\uffa0]+")
_JUNK = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_PICTURE = "\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001faff"
_LONE_JOINER = re.compile(f"(?<![{_PICTURE}])\u200d+|\u200d+(?![{_PICTURE}])")
_STACKED_MAX = 30
_SHORT_CHARS = 300
"""Marks on one letter (UAX 15, stream-safe text): composing costs the square of their number. It may, in a short text."""
_MARK = "".join(f"\\U{code:08x}" for code in range(sys.maxunicode + 1) if unicodedata.combining(chr(code)))
_STACKED = re.compile(f"([{_MARK}]{{{_STACKED_MAX}}})[{_MARK}]+")
_TRAILING = " \t,.·…:;/|-–—~(［[{<《〈“‘「『"
_SEARCHED = 40


def whole(text: str) -> str:
    """Text without surrogates: written pairs, as references too, become their character (E17), lone ones U+FFFD."""
    text = _SURROGATE_REFERENCE.sub(_surrogate, text)
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def tidy(text: str) -> str:
    """Text as one line of visible characters: white space folded, NFC; controls, bidi overrides, zero-width junk out.

    A zero-width joiner stays inside an emoji. U+FFFD stays: a reader should see what was lost.
    """
    text = _JUNK.sub("", _BLANKS.sub(" ", whole(text)))
    if "\u200d" in text:
        text = _LONE_JOINER.sub("", text)
    if text.isascii():
        return text.strip()
    if len(text) > _SHORT_CHARS:
        text = _STACKED.sub(r"\1", text)
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of a tidy text, ended by … where something is missing; at a blank if one is near."""
    if len(text) <= limit:
        return text
    if limit < 1:
        return ""
    end = limit - 1
    blank = text.rfind(" ", end - end // 5, end + 1)
    end = blank if blank > 0 else _boundary(text, end)
    return (text[:end].rstrip(_TRAILING) or text[:end].rstrip()) + "…"


def _surrogate(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else int(found[2])
    return chr(code) if 0xD800 <= code <= 0xDFFF else found[0]


def _boundary(text: str, end: int) -> int:
    """The last place at or before `end` that splits no visible character."""
    for place in range(end, max(end - _SEARCHED, 0), -1):
        if not _joined(text, place):
            return place
    return end


def _joined(text: str, place: int) -> bool:
    """Whether the characters before and at `place` make one: marks, jamo, emoji sequences, flags."""
    before, after = text[place - 1], text[place]
    if after == "\u200d" or before == "\u200d" or unicodedata.category(after).startswith("M"):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7ff":
        return True
    flags = re.search("[\U0001f1e6-\U0001f1ff]*$", text[max(place - _SEARCHED, 0) : place])
    return "\U0001f1e6" <= after <= "\U0001f1ff" and flags is not None and len(flags[0]) % 2 == 1
