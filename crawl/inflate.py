"""Undoes content encodings piece by piece, so that a bomb costs neither memory nor time (P23)."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Protocol

from crawl.trouble import Trouble

PIECE_BYTES = 64 * 1024
LAYERS_MAX = 3
MEMBERS_MAX = 1_000
"""gzip members in one body; thousands of empty ones would cost time without ever filling the cap."""
_GZIP, _ZLIB, _RAW = 31, 15, -15
_NOT_ASKED_FOR = frozenset({"br", "zstd", "compress", "x-compress", "dcb", "dcz"})


class _Decoder(Protocol):
    """What `zlib.decompressobj` gives; zlib does not export the type's name."""

    @property
    def eof(self) -> bool: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def inflated(pieces: Iterable[bytes], encodings: str, cap_bytes: int) -> Iterator[bytes]:
    """Yield the decoded body of `pieces` in small pieces, `cap_bytes` of it at most.

    `encodings`: the Content-Encoding value, e.g. `gzip` or `gzip, gzip`; names that are no compression are
    passed over, as browsers do. Every layer is held to the cap, the bytes on the wire too. Raises Trouble:
    `too_large` once the cap is full and more would come, `bad_encoding` where the label does not fit,
    `cut_off` where a stream has no end.
    """
    layers = [name.strip().lower() for name in encodings.split(",")]
    layers = [name for name in layers if name in _DECODERS or name in _NOT_ASKED_FOR]
    unasked = [name for name in layers if name in _NOT_ASKED_FOR]
    if unasked:
        raise Trouble("bad_encoding", f"the body is encoded as {unasked[0]}, which was not asked for")
    if len(layers) > LAYERS_MAX:
        raise Trouble("bad_encoding", f"{len(layers)} encodings one over the other")
    flow = _capped(pieces, cap_bytes)
    for name in reversed(layers):
        flow = _capped(_DECODERS[name](flow), cap_bytes)
    return flow


def _capped(pieces: Iterable[bytes], cap_bytes: int) -> Iterator[bytes]:
    left = cap_bytes
    for piece in pieces:
        if len(piece) > left:
            if left:
                yield piece[:left]
            raise Trouble("too_large", "the body is larger than the cap")
        left -= len(piece)
        yield piece


def _gunzip(pieces: Iterable[bytes]) -> Iterator[bytes]:
    members, fed, decoder = 0, 0, zlib.decompressobj(_GZIP)
    for piece in pieces:
        while piece:
            fed += len(piece)
            try:
                yield from _squeezed(decoder, piece)
            except zlib.error:
                if members:
                    return  # padding after a whole member is passed over, as gzip itself does
                raise Trouble("bad_encoding", "the body is labelled gzip but is not") from None
            piece = decoder.unused_data
            if decoder.eof:
                members, fed, decoder = members + 1, 0, zlib.decompressobj(_GZIP)
            if members > MEMBERS_MAX:
                raise Trouble("bad_encoding", "the body is made of too many gzip members")
    if fed > bool(members):  # one stray byte after a member is padding too short to be told from a new member
        raise Trouble("cut_off", "the gzip stream has no end")


def _undeflate(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """RFC 9110 section 8.4.1.2 means a zlib stream; some servers send a bare one: the first bytes tell."""
    stream, head = iter(pieces), b""
    while len(head) < 2 and (piece := next(stream, b"")):
        head += piece
    if not head:
        return
    is_zlib = head[0] & 0x0F == zlib.DEFLATED and int.from_bytes(head[:2], "big") % 31 == 0
    decoder = zlib.decompressobj(_ZLIB if is_zlib else _RAW)
    try:
        for piece in chain((head,), stream):
            yield from _squeezed(decoder, piece)
            if decoder.eof:
                return
    except zlib.error:
        raise Trouble("bad_encoding", "the body is labelled deflate but is not") from None
    raise Trouble("cut_off", "the deflate stream has no end")


def _squeezed(decoder: _Decoder, piece: bytes) -> Iterator[bytes]:
    while out := decoder.decompress(piece, PIECE_BYTES):
        yield out
        if decoder.eof:
            return
        piece = decoder.unconsumed_tail


_DECODERS = {"gzip": _gunzip, "x-gzip": _gunzip, "deflate": _undeflate}
