"""What goes wrong with a feed on its way: a healthy body in, the body and content type of an ill one out."""

from __future__ import annotations

import gzip
import re
from functools import cache

HUGE_BYTES = 9 * 1024 * 1024
BOMB_BYTES = 48 * 1024 * 1024
_PAGE = """<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><title>홈페이지 점검 안내</title></head>
<body><h1>홈페이지를 점검하고 있습니다</h1><p>더 나은 서비스를 위해 서버를 옮기는 중입니다. 내일 다시 찾아 주세요.</p>
<img src="/images/banner.png"></body></html>
"""
_WARNING = (
    b"<br />\n<b>Warning</b>: mysql_connect(): Too many connections in <b>/home/paper/db.php</b> on line <b>12</b>"
    b"<br />\n"
)
_OPENING = re.compile(rb"<(item|entry)[ >]")


def damaged(kind: str, body: bytes, content_type: str, encoding: str) -> tuple[bytes, str]:
    """The body and content type that a mood of that kind makes of a healthy feed."""
    match kind:
        case "html":
            return _PAGE.encode(), "text/html; charset=utf-8"
        case "empty":
            return b"", content_type
        case "huge":
            return body + _padding(), content_type
        case "bomb":
            return _bomb(), content_type
        case "truncated":
            return body[: len(body) * 2 // 3], content_type
        case "warning":
            return _WARNING + body, content_type
        case "wrong_charset":
            return _mislabelled(body, content_type, encoding)
        case "surrogates":
            return re.sub(rb"(<title[^>]*>)", rb"\1&#xD83D;&#xDE00; ", body), content_type
        case "javascript":
            return _poisoned(body), content_type
    return body, content_type


def _mislabelled(body: bytes, content_type: str, encoding: str) -> tuple[bytes, str]:
    """UTF-8 that header and declaration call EUC-KR."""
    text = re.sub(r'encoding="[^"]*"', 'encoding="euc-kr"', body.decode(encoding), count=1)
    return text.encode(), f"{content_type.partition(';')[0]}; charset=euc-kr"


def _poisoned(body: bytes) -> bytes:
    """Every second item's link turned into a script."""
    cuts = [found.start() for found in _OPENING.finditer(body)]
    parts = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    bad = re.compile(rb'(<link>|<link [^>]*href="|"url": ")https?://')
    return b"".join(bad.sub(rb"\1javascript:alert(1)//", part) if at % 2 else part for at, part in enumerate(parts))


@cache
def _padding() -> bytes:
    return b"<!-- " + b"x" * HUGE_BYTES + b" -->"


@cache
def _bomb() -> bytes:
    """A few kilobytes that swell to BOMB_BYTES."""
    head = b'<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>'
    return gzip.compress(head + b" " * BOMB_BYTES, 6)
