"""The bytes of a file people edit, as text: UTF-8, with the accidents of spreadsheets named and their
cure."""

from __future__ import annotations

import re

from crawl.errors import Problem, RegistryInvalid

BOM = b"\xef\xbb\xbf"
RESAVE = 'save it again as UTF-8 (spreadsheet: file type "CSV UTF-8", with commas; editor: encoding UTF-8)'

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_HANGUL = re.compile(r"[가-힣]")


def _resave(file: str) -> str:
    return RESAVE if file.endswith(".csv") else "save it again in a text editor with the encoding UTF-8"


def text(raw: bytes, file: str) -> str:
    """What the file says, without a byte-order mark; `file` is its name as shown to people.

    Raises RegistryInvalid where it is empty, not UTF-8 or holds NUL bytes.
    """
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _unreadable(file, 1, "the file is saved as UTF-16", _resave(file))
    if raw.startswith(b"PK\x03\x04"):
        raise _unreadable(file, 1, "this is a spreadsheet's own file, not plain text", _resave(file))
    if not raw.removeprefix(BOM).strip():
        raise _unreadable(
            file, 1, "the file is empty", 'restore it, or remove it and let "python -m crawl init" make a new one'
        )
    if b"\x00" in raw:
        what = "the file is saved as UTF-16" if _wide(raw) else "there is a NUL byte"
        raise _unreadable(file, line_of(raw, raw.index(b"\x00")), what, _resave(file))
    try:
        return raw.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as exc:
        at = exc.start + (len(BOM) if raw.startswith(BOM) else 0)
        raise _unreadable(file, line_of(raw, at), _encoding_fault(raw), _resave(file)) from exc


def lines(written: str) -> list[str]:
    """The physical lines with their ends, counted as editors count them (CRLF, LF or a lone CR)."""
    return _LINE.findall(written)


def line_of(raw: bytes, at: int) -> int:
    """The number of the physical line that byte `at` stands in."""
    before = raw[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return before.count(b"\n") + 1


def _wide(raw: bytes) -> bool:
    """Whether the NULs look like the empty halves of UTF-16 rather than a stray byte."""
    return raw.count(b"\x00") * 4 >= len(raw)


def _encoding_fault(raw: bytes) -> str:
    read = raw.decode("utf-8", "replace")
    damaged = read.count("�")
    sound = sum(1 for character in read if character > "\x7f") - damaged
    if sound > damaged:
        return "a byte here is not UTF-8, so the text was damaged on its way"
    try:
        if _HANGUL.search(raw.decode("cp949")):
            return "the file is saved as CP949 (EUC-KR), the Korean Windows encoding"
    except UnicodeDecodeError:
        pass
    return "the file is not UTF-8"


def _unreadable(file: str, line: int, what: str, cure: str) -> RegistryInvalid:
    return RegistryInvalid([Problem(file, line, what, cure)])
