"""The articles of one press file as columns, packed: what the index is put together from, and what is kept between builds."""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass, field, fields
from hashlib import blake2b

MAGIC = b"campuspresshub part 2\n"
DIGEST_BYTES = 16
CARD_DIGEST_BYTES = 8


@dataclass(slots=True)
class Part:
    """Columns of equal length, one place an article, ascending by number; names are numbered within the part.

    `digests`: CARD_DIGEST_BYTES an article as one number; `tags`: all tags one after another, `tag_counts` of each article.
    """

    ids: array[int] = field(default_factory=lambda: array("i"))
    outlet: array[int] = field(default_factory=lambda: array("i"))
    kind: array[int] = field(default_factory=lambda: array("h"))
    marks: array[int] = field(default_factory=lambda: array("b"))
    published: array[int] = field(default_factory=lambda: array("q"))
    first_seen: array[int] = field(default_factory=lambda: array("q"))
    changed: array[int] = field(default_factory=lambda: array("q"))
    sort_at: array[int] = field(default_factory=lambda: array("q"))
    month: array[int] = field(default_factory=lambda: array("i"))
    tag_counts: array[int] = field(default_factory=lambda: array("i"))
    tags: array[int] = field(default_factory=lambda: array("i"))
    digests: array[int] = field(default_factory=lambda: array("Q"))
    outlets: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    tag_names: list[str] = field(default_factory=list)


_ARRAYS = [each.name for each in fields(Part) if each.name not in ("outlets", "kinds", "tag_names")]


def pack(part: Part, key: bytes) -> bytes:
    """A part as bytes of this machine's own order, under the digest of what it was read from."""
    columns = [getattr(part, name) for name in _ARRAYS]
    head = json.dumps(
        [part.outlets, part.kinds, part.tag_names, [column.itemsize * len(column) for column in columns]]
    ).encode()
    body = len(head).to_bytes(8, "little") + head + b"".join(column.tobytes() for column in columns)
    return MAGIC + key + blake2b(body, digest_size=DIGEST_BYTES).digest() + body


def unpack(packed: bytes, key: bytes) -> Part | None:
    """The part, or None where the bytes are damaged or were read from something else than what `key` is the digest of."""
    start = len(MAGIC) + len(key) + DIGEST_BYTES
    body = memoryview(packed)[start:]
    if packed[:start] != MAGIC + key + blake2b(body, digest_size=DIGEST_BYTES).digest():
        return None
    at = 8 + int.from_bytes(body[:8], "little")
    part = Part()
    part.outlets, part.kinds, part.tag_names, sizes = json.loads(bytes(body[8:at]))
    for name, size in zip(_ARRAYS, sizes, strict=True):
        getattr(part, name).frombytes(body[at : at + size])
        at += size
    return part
