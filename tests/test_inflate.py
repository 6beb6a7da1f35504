"""Content encodings are undone in small pieces, whatever the body is made of."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl.inflate import LAYERS_MAX, MEMBERS_MAX, inflated
from crawl.trouble import Trouble

MIB = 1024 * 1024


def pieces(body: bytes, size: int) -> Iterator[bytes]:
    return (body[at : at + size] for at in range(0, len(body), size))


def decoded(body: bytes, encodings: str, *, cap_bytes: int = MIB, size: int = 7) -> bytes:
    return b"".join(inflated(pieces(body, size), encodings, cap_bytes))


def trouble(body: bytes, encodings: str, *, cap_bytes: int = MIB, size: int = 7) -> str:
    with pytest.raises(Trouble) as caught:
        decoded(body, encodings, cap_bytes=cap_bytes, size=size)
    return caught.value.error


def drained(flow: Iterator[bytes]) -> tuple[int, str | None]:
    """Bytes that came and the name of what ended them, keeping none of it."""
    count = 0
    try:
        for piece in flow:
            count += len(piece)
    except Trouble as trouble:
        return count, trouble.error
    return count, None


@given(st.binary(max_size=5_000), st.integers(1, 999), st.sampled_from(["gzip", "deflate", "gzip, deflate", ""]))
def test_what_was_encoded_comes_back_however_it_is_cut_into_pieces(plain: bytes, size: int, encodings: str) -> None:
    body = plain
    for name in encodings.split(", "):
        body = {"gzip": gzip.compress(body), "deflate": zlib.compress(body), "": body}[name]
    assert decoded(body, encodings, size=size) == plain


@given(st.binary(max_size=300), st.integers(1, 99), st.sampled_from(["gzip", "deflate", "gzip, gzip"]))
def test_any_bytes_are_a_body_or_a_named_trouble(body: bytes, size: int, encodings: str) -> None:
    _, error = drained(inflated(pieces(body, size), encodings, MIB))
    assert error in (None, "bad_encoding", "cut_off")


@given(st.binary(min_size=1, max_size=300), st.data())
def test_every_cut_inside_a_stream_is_noticed(plain: bytes, data: st.DataObject) -> None:
    body = gzip.compress(plain)
    at = data.draw(st.integers(1, len(body) - 1))
    assert trouble(body[:at], "gzip") == "cut_off"


def test_an_empty_body_is_empty_whatever_its_label() -> None:
    assert [decoded(b"", name) for name in ("gzip", "deflate", "gzip, gzip", "")] == [b""] * 4


def test_gzip_members_are_joined_and_padding_after_them_is_passed_over() -> None:
    body = gzip.compress(b"one ") + gzip.compress(b"two")
    assert decoded(body, "gzip") == b"one two"
    assert decoded(body + bytes(512), "gzip") == b"one two"
    assert decoded(body + b"\n", "gzip") == b"one two"
    assert trouble(body + gzip.compress(b"three")[:12], "gzip") == "cut_off"


@pytest.mark.parametrize("size", [1, 50, 100_000])
def test_P23_the_cap_counts_decoded_bytes_to_the_byte(size: int) -> None:
    body = gzip.compress(b"a" * 1_000)
    assert decoded(body, "gzip", cap_bytes=1_000, size=size) == b"a" * 1_000
    assert drained(inflated(pieces(body, size), "gzip", 999)) == (999, "too_large")


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_P23_a_bomb_costs_flat_memory(layers: int) -> None:
    bomb = gzip.compress(bytes(100 * MIB))
    for _ in range(layers - 1):
        bomb = gzip.compress(bomb)
    tracemalloc.start()
    result = drained(inflated(pieces(bomb, 65_536), ", ".join(["gzip"] * layers), 8 * MIB))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result == (8 * MIB, "too_large")
    assert peak < MIB


def test_P23_bytes_that_decode_to_nothing_are_held_to_the_cap_as_well() -> None:
    def endless() -> Iterator[bytes]:
        squeezer = zlib.compressobj(wbits=31)
        yield squeezer.compress(b"<rss>") + squeezer.flush(zlib.Z_SYNC_FLUSH)
        while True:
            yield squeezer.flush(zlib.Z_FULL_FLUSH) or b"\x00\x00\x00\xff\xff"

    assert drained(inflated(endless(), "gzip", 10_000)) == (5, "too_large")
    hollow = gzip.compress(gzip.compress(b"") * (MEMBERS_MAX + 1))
    assert trouble(hollow, "gzip, gzip") == "bad_encoding"


def test_more_layers_than_anybody_needs_are_refused() -> None:
    assert trouble(b"x", ", ".join(["gzip"] * (LAYERS_MAX + 1))) == "bad_encoding"
