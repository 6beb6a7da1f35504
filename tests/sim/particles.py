"""Korean particles after any word: the form follows from how the word's last sound ends."""

from __future__ import annotations

_PAIRS = {
    "은": ("은", "는"), "이": ("이", "가"), "을": ("을", "를"), "과": ("과", "와"), "으로": ("으로", "로"),
    "이라": ("이라", "라"), "이라는": ("이라는", "라는"), "이나": ("이나", "나"), "이며": ("이며", "며"),
}  # fmt: skip
"""A particle named by its form after a consonant -> (that form, the form after a vowel)."""

_DIGIT_READINGS = dict(zip("0123456789", "영일이삼사오육칠팔구", strict=True))
# Only the letter names that end in a consonant matter: 엘, 엠, 엔, 알.
_LETTER_READINGS = {"l": "엘", "m": "엠", "n": "엔", "r": "알"}
_SILENT = set("'\"’”)]}』」》〉>.,!?… ")
_RIEUL = 8


def _final(word: str) -> int:
    """The number of the last sound's final consonant (0 where there is none), brackets and quotes skipped."""
    for char in reversed(word):
        if char in _SILENT:
            continue
        spoken = _DIGIT_READINGS.get(char) or _LETTER_READINGS.get(char.lower()) or char
        return (ord(spoken) - 0xAC00) % 28 if "가" <= spoken <= "힣" else 0
    return 0


def particle(word: str, wanted: str) -> str:
    """The form of a particle that fits after `word`: `particle("학교", "은")` is `는`. May raise KeyError."""
    closed, after_vowel = _PAIRS[wanted]
    final = _final(word)
    if wanted == "으로" and final == _RIEUL:
        return after_vowel
    return closed if final else after_vowel


def fill(template: str, slots: dict[str, str]) -> str:
    """Fill `{name}`, `{name|particle}` and `{name|lower}`. KeyError for a slot or particle nobody gave."""
    first, *parts = template.split("{")
    out = [first]
    for part in parts:
        inside, _, rest = part.partition("}")
        name, _, wanted = inside.partition("|")
        word = slots[name]
        if wanted == "lower":
            out += [word.lower(), rest]
        else:
            out += [word, particle(word, wanted) if wanted else "", rest]
    return "".join(out)
