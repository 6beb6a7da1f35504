"""Lists of ascending numbers as bits (Rice codes of their gaps), and small numbers as bytes: how the search is stored.

JavaScript reads them in site_templates/assets/search/bits.js.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import sub

RUN_MAX = 24
"""A gap of this many quotients or more is written out in full: a word of one long-gone month costs no page of ones."""

_TABLED_MAX_BITS = 11


def varint(number: int) -> bytes:
    """A number from 0 in groups of seven bits, lowest first, the highest bit set on all but the last."""
    return _VARINTS[number]


def varints(numbers: Iterable[int]) -> bytes:
    """Several numbers one after another."""
    return b"".join(map(_VARINTS.__getitem__, numbers))


class _Varints(dict[int, bytes]):
    """Numbers as bytes; the small ones, of which there are millions, are made once."""

    def __missing__(self, number: int) -> bytes:
        out, left = bytearray(), number
        while left > 127:
            out.append(left & 127 | 128)
            left >>= 7
        out.append(left)
        made = bytes(out)
        if number < _KEPT_VARINTS:
            self[number] = made
        return made


_KEPT_VARINTS = 1 << 14
_VARINTS = _Varints()


def rice_bits(universe: int, count: int) -> int:
    """How many low bits a gap is written with, from what the reader knows too: about ln 2 of the mean gap."""
    return max(0, (universe * 177 // (256 * max(1, count))).bit_length() - 1)


class Rice:
    """Writes lists of numbers below `universe`; keeps its code tables from list to list."""

    def __init__(self, universe: int) -> None:
        """`universe`: how many numbers there are."""
        self._width = max(1, universe.bit_length())
        self.universe = universe
        self._tables: dict[int, _Codes] = {}

    def codes(self, ids: Sequence[int], count: int, before: int = -1) -> list[str]:
        """The code of every id of an ascending list as text of 0 and 1.

        `count`: how long the whole list is, which sets the code; `before`: the id that stands before the first.
        """
        bits = rice_bits(self.universe, count)
        table = self._tables.get(bits)
        if table is None:
            table = self._tables[bits] = _Codes(bits, self._width)
        gaps = [ids[0] - before, *map(sub, ids[1:], ids)]
        code: Callable[[int], str] = table.__getitem__ if bits <= _TABLED_MAX_BITS else table.made
        return list(map(code, gaps))


def packed(codes: Iterable[str]) -> bytes:
    """Codes as bytes, the first bit highest, filled up with zeros."""
    text = "".join(codes)
    if not text:
        return b""
    size = (len(text) + 7) // 8
    return int(text.ljust(size * 8, "0"), 2).to_bytes(size, "big")


class _Codes(dict[int, str]):
    """The code of each gap (1 or more) for one number of low bits, made when first asked for."""

    def __init__(self, bits: int, width: int) -> None:
        super().__init__()
        self._bits, self._width = bits, width

    def __missing__(self, gap: int) -> str:
        code = self[gap] = self.made(gap)
        return code

    def made(self, gap: int) -> str:
        """The code itself."""
        gap -= 1
        run = gap >> self._bits
        if run >= RUN_MAX:
            return f"{'1' * RUN_MAX}{gap:0{self._width}b}"
        if not self._bits:
            return "1" * run + "0"
        return f"{'1' * run}0{gap & ((1 << self._bits) - 1):0{self._bits}b}"
