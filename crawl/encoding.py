"""Turns the bytes of a feed or page into text, whatever their label says. Pure; never raises.

Order of judgement (the first that holds):
1. a byte-order mark; UTF-16 and UTF-32 without one where zero bytes lie as they must (a label alone proves nothing);
2. a stateful seven-bit charset (ISO-2022) that is declared and used;
3. strict UTF-8, although another charset is declared: the bytes of Korean text in another charset do not validate;
4. the first declared charset that reads every byte: Content-Type header, then XML declaration or meta element. Western
   one-byte charsets come last and yield to obvious Korean: they read anything, and servers send them thoughtlessly.
   ISO-8859-1 is read as windows-1252, its superset that servers mean, and ASCII counts as no label;
5. without a usable label: CP949 where it makes Korean of the bytes, else windows-1252.
Where the whole does not validate as UTF-8, each line or field is read by itself, so that items of two charsets in one
document both come out right. A byte nobody can read becomes one U+FFFD; its neighbours stay.

Flags of a result:
- `label_unknown`: a declared charset that means nothing to us;
- `label_overruled`: the declared charset was not used, the bytes say otherwise;
- `charset_guessed`: nothing usable was declared and the bytes are not UTF-8;
- `mixed_charsets`: lines or fields in more than one charset;
- `bytes_replaced`: at least one byte had no reading.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass

from crawl import headers


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the charset most of it was read with (`utf-8`, `cp949`, `iso-8859-1` …) and the flags named above."""

    text: str
    charset: str
    flags: tuple[str, ...] = ()


def decode(body: bytes, content_type: str | None = None) -> Decoded:
    """Read a body by its marks, labels and bytes, in the order this module's first lines give."""
    labels, flags = _labels(body, content_type)
    for mark, charset in _MARKS:
        if body.startswith(mark):
            body = body[len(mark) :]
            if charset != "utf-8":
                return _whole(body, charset, flags)
            break
    wide = _wide(body)
    if wide is not None:
        strange = bool(labels) and not any(label.startswith(wide[:6]) for label in labels)
        return _whole(body, wide, [*flags, "label_overruled"] if strange else flags)
    for label in labels:
        if label.startswith("iso2022") and (b"\x1b" in body or b"\x0e" in body):
            return _whole(body, label, flags)
    text = _strictly(body, "utf-8")
    if text is not None and not _reads_better(body, text, labels):
        overruled = bool(labels) and "utf-8" not in labels and not body.isascii()
        return Decoded(text.lstrip("\ufeff"), "utf-8", _named(flags, label_overruled=overruled))
    return _by_pieces(body, labels, flags)


_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_KOREAN = re.compile(r"x?(?:euckr|ksc5601(?:1987|1989|1992)?|ksc56011987|cseuckr|csksc56011987|isoir149|korean"
                     r"|(?:ms|cp|windows|xwindows)?949|uhc|wansung)")  # fmt: skip
_ALIASES = {
    "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "shift_jis": "cp932", "big5": "big5hkscs",
    "ascii": "us-ascii", "iso8859-1": "iso-8859-1", "cp1252": "windows-1252",
}  # fmt: skip
"""Codecs whose label promises less than servers mean by it."""
_TEXT_CODEC = re.compile(
    r"utf-?(?:8|16|32)|(?:iso8859|cp\d|koi8|mac-|gb|big5|euc_|shift_jis|iso2022_|tis|johab|hz|ascii|ptcp|kz)", re.I
)
_WESTERN = ("iso-8859-1", "windows-1252", "iso8859-15")
_XML_LABEL = re.compile(rb"<\?xml[^>]{0,200}?\sencoding\s*=\s*[\"']\s*([A-Za-z0-9._:+-]+)")
_META_LABEL = re.compile(rb"<meta\s[^>]{0,300}?charset\s*[=:]\s*[\"']?\s*([A-Za-z0-9._:+-]+)", re.IGNORECASE)
_HEAD_BYTES = 8_192
_PIECE = re.compile(rb"[<>\r\n]+|[^<>\r\n]+")
_SYLLABLE = re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")
_PAIR = re.compile(rb"[\xa1-\xfe][\xa1-\xfe]")
_HIGH = re.compile(rb"[\x80-\xff]+")
_NO_LEAD = re.compile(rb"[\x80\xff]+")
_UTF8_SIGN = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")
_LONE = re.compile(
    rb"(?:[\x00-\x7f]|[\x85\x91-\x97\x99\xa0\xa9\xab\xb7\xbb\xc0-\xe9\xee-\xfc](?![\x80-\xff])|[\xea-\xed](?=[a-z]))+"
)
"""High bytes that each stand alone: Western text among UTF-8 (E7), but never the first byte of a Korean letter cut off."""
_THREE_BYTES = re.compile("[\u0800-\U0010ffff]")
_ACCENTED = re.compile("[\u0100-\u07ff]")
_RUN_BYTES = 64
_SAMPLE_BYTES = 65_536
_REPLACED = "\ufffd"
_ONE_SIGN = "crawl.encoding.one_sign"


def _labels(body: bytes, content_type: str | None) -> tuple[list[str], list[str]]:
    """The declared charsets as codec names, most credible first, and the flag for those that mean nothing."""
    head = body[:_HEAD_BYTES]
    xml = _XML_LABEL.search(head)
    meta = None if xml or (b"<?xml" in head and b"<html" not in head.lower()) else _META_LABEL.search(head)
    inner = xml or meta
    declared = [headers.charset(content_type), inner[1].decode("ascii") if inner else None]
    known = [codec for label in declared if label and (codec := _codec(label))]
    flags = ["label_unknown"] if any(label and not _codec(label) for label in declared) else []
    usable = [codec for codec in known if codec != "us-ascii"]
    # Python's sort is stable: the header stays before the document's own label.
    return sorted(dict.fromkeys(usable), key=lambda codec: codec in _WESTERN), flags


def _codec(label: str) -> str:
    """The codec a charset label means, empty where it means none; every Korean label means CP949, their superset."""
    plain = re.sub(r"[^a-z0-9]", "", label.lower())
    if _KOREAN.fullmatch(plain):
        return "cp949"
    try:
        name = codecs.lookup(label.lower().removeprefix("x-")).name
    except (LookupError, ValueError):
        return ""
    return _ALIASES.get(name, name) if _TEXT_CODEC.match(name) else ""


def _wide(body: bytes) -> str | None:
    """UTF-16 or UTF-32 by the zero bytes that ASCII signs leave in it; None where they do not lie as they must."""
    head = body[:_HEAD_BYTES]
    head = head[: len(head) // 4 * 4] or head
    zeros = [head[place::4].count(0) for place in range(4)]
    quarter = len(head) // 4
    if quarter and zeros[2] == zeros[3] == quarter:
        return "utf-32-le"
    if quarter and zeros[0] == zeros[1] == quarter:
        return "utf-32-be"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if (even + odd) * 20 < len(head) or not head:
        return None
    if odd > 4 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 4 * odd else None


def _whole(body: bytes, charset: str, flags: list[str]) -> Decoded:
    text = body.decode(charset, "replace").lstrip("\ufeff")
    return Decoded(text, charset, _named(flags, bytes_replaced=_REPLACED in text))


def _named(flags: list[str], **found: bool) -> tuple[str, ...]:
    return tuple(sorted({*flags, *(name for name, holds in found.items() if holds)}))


def _strictly(body: bytes, charset: str) -> str | None:
    try:
        return body.decode(charset)
    except UnicodeDecodeError:
        return None


def _reads_better(body: bytes, text: str, labels: list[str]) -> bool:
    """Whether bytes that validate as UTF-8 are still better read as the declared Korean charset.

    A few Hangul syllables in a row (`호`, `크`) are CP949 bytes that form two-byte UTF-8: Latin with strange accents,
    Greek, Cyrillic. Korean in real UTF-8 takes three bytes a syllable, and its signs (`·`, `©`) lie below U+0100.
    """
    return labels[:1] == ["cp949"] and not _surely_utf8(text) and _strictly(body, "cp949") is not None


def _surely_utf8(text: str) -> bool:
    return _THREE_BYTES.search(text) is not None or _ACCENTED.search(text) is None


def _by_pieces(body: bytes, labels: list[str], flags: list[str]) -> Decoded:
    """A body that is not UTF-8 as a whole: choose its charset, then read every line or field by itself."""
    base = _base(body, labels)
    pieces = [_piece(found[0], base) for found in _PIECE.finditer(body)]
    text = "".join(piece for piece, _ in pieces).lstrip("\ufeff")
    used = Counter(charset for _, charset in pieces if charset)
    charset = max(used, key=lambda name: (used[name], name == base), default=base)
    found = _named(
        flags,
        charset_guessed=not labels and charset != "utf-8",
        label_overruled=bool(labels) and charset not in labels,
        mixed_charsets=len(used) > 1,
        bytes_replaced=_REPLACED in text,
    )
    return Decoded(text, charset, found)


def _base(body: bytes, labels: list[str]) -> str:
    """The charset of what is not UTF-8 in a body; `utf-8` itself where it is UTF-8 with damage."""
    others = [label for label in labels if not label.startswith("utf-")]
    if not others:
        if _is_hangul(body):
            return "cp949"
        if labels or _mostly_utf8(body):
            return "utf-8"
        clean = _PAIR.search(body) is not None and _strictly(body, "cp949") is not None
        return "cp949" if clean or any(_is_hangul(found[0]) for found in _PIECE.finditer(body)) else "windows-1252"
    if others[0] in _WESTERN:
        return "cp949" if _is_hangul(body) else others[0]
    return next((label for label in [*others, "cp949"] if _strictly(body, label) is not None), others[0])


def _piece(piece: bytes, base: str) -> tuple[str, str]:
    """One line or field and the charset that read it (empty for plain ASCII)."""
    if piece.isascii():
        return piece.decode("ascii"), ""
    text = _strictly(piece, "utf-8")
    if text is not None and (base in (*_WESTERN, "utf-8") or _surely_utf8(text)):
        return text, "utf-8"
    if base == "utf-8":
        base = "cp949" if _is_hangul(piece) else "windows-1252" if _LONE.fullmatch(piece) else base
    elif _mostly_utf8(piece):
        base = "utf-8"
    codec = "windows-1252" if base == "iso-8859-1" else base
    return piece.decode(codec, _ONE_SIGN if base == "cp949" else "replace"), base


def _mostly_utf8(sent: bytes) -> bool:
    """Whether more three-byte signs stand in it than bytes that are no UTF-8: UTF-8 that was cut or hit, not CP949."""
    sample = _sample(sent)
    return sample.decode("utf-8", "replace").count(_REPLACED) < len(_UTF8_SIGN.findall(sample))


def _is_hangul(sent: bytes) -> bool:
    """Whether CP949 makes Korean of it: most signs the common syllables, hardly a byte without a reading."""
    sample = _sample(sent)
    text = sample.decode("cp949", _ONE_SIGN)
    signs = sum(not char.isascii() for char in text)
    return len(_SYLLABLE.findall(sample)) * 10 >= signs * 6 > 6 and text.count(_REPLACED) * 20 <= signs


def _sample(sent: bytes) -> bytes:
    """Enough bytes to judge by, from the first high one on."""
    first = _HIGH.search(sent)
    return sent[first.start() : first.start() + _SAMPLE_BYTES] if first else b""


def _one_sign(error: UnicodeError) -> tuple[str, int]:
    """Replace what CP949 cannot read, and no neighbour: a byte, or two that are a pair by their place among others.

    A pair nobody defined shifts nothing; a stray byte must be skipped alone, or the rest of the word would be read
    across its pairs. The number of high bytes up to the next ASCII sign tells one from the other.
    """
    assert isinstance(error, UnicodeDecodeError)
    never = _NO_LEAD.match(error.object, error.start)
    if never:
        return _REPLACED * len(never[0]), never.end()
    run = _HIGH.match(error.object, error.start, error.start + _RUN_BYTES)
    return _REPLACED, error.start + (2 if run is not None and len(run[0]) % 2 == 0 else 1)


codecs.register_error(_ONE_SIGN, _one_sign)
