"""Two pictures of our own, drawn from rectangles: for links shared elsewhere (Open Graph) and as the feeds' cover.

They show a front page without a word, since a hub's name is its operator's to choose, and no outlet's picture is used.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from build.pagekinds import Plain

SHARE, SHARE_SIZE = "assets/share.png", (1200, 630)
COVER, COVER_SIZE = "assets/cover.png", (1400, 1400)

_PALETTE = ("fbfaf6", "1d1b18", "635d54", "c9c2b4", "174a8b", "a3262a", "7d5208", "0c6054", "69308a", "ece7db")
_PAPER, _INK, _SOFT, _LINE, _TILE = 0, 1, 2, 3, 9
_INKS = (4, 5, 6, 7, 8)

Box = tuple[int, int, int, int, int]
"""Left, top, width, height, colour."""


def files() -> Iterator[Plain]:
    """Both pictures."""
    yield Plain(SHARE, _png(SHARE_SIZE, [*_mast(80, 70, 1040), *_stories(80, 236, 1040, columns=3, rows=2)]))
    yield Plain(COVER, _png(COVER_SIZE, [*_mast(120, 150, 1160), *_stories(120, 330, 1160, columns=2, rows=5)]))


def _mast(left: int, top: int, width: int) -> Iterator[Box]:
    """A name's place, and the double rule below it."""
    yield left, top, width * 46 // 100, 66, _INK
    yield left + width - width * 14 // 100, top + 44, width * 14 // 100, 14, _SOFT
    yield left, top + 102, width, 4, _INK
    yield left, top + 112, width, 4, _INK


def _stories(left: int, top: int, width: int, *, columns: int, rows: int) -> Iterator[Box]:
    """Stories side by side: who in its ink, a headline of two lines, a summary; one of them a picture."""
    gap = 48
    column = (width - gap * (columns - 1)) // columns
    for number in range(columns * rows):
        x, y = left + number % columns * (column + gap), top + number // columns * 190
        if number == columns - 1:
            yield x, y, column, 142, _TILE
            yield x + column * 6 // 10, y + 26, 40, 40, 6
            continue
        yield x, y, 84 + number * 29 % 50, 12, _INKS[number % len(_INKS)]
        yield x, y + 30, column, 20, _INK
        yield x, y + 62, column * (55 + number * 17 % 35) // 100, 20, _INK
        yield x, y + 100, column * 95 // 100, 10, _LINE
        yield x, y + 120, column * (60 + number * 23 % 30) // 100, 10, _LINE


def _png(size: tuple[int, int], boxes: list[Box]) -> bytes:
    """A PNG with a palette (RFC 2083), one byte a pixel."""
    width, height = size
    lines = [bytearray(width) for _ in range(height)]
    for left, top, wide, high, colour in boxes:
        for line in lines[top : top + high]:
            line[left : left + wide] = bytes([colour]) * len(line[left : left + wide])
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + line for line in lines), 9)
    palette = bytes.fromhex("".join(_PALETTE))
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
