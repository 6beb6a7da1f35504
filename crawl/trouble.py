"""Gives every expected trouble of the network one name and one plain sentence, whatever library raised it."""

from __future__ import annotations

import errno
import http.client
import os
import ssl
from collections.abc import Iterator

import requests
import urllib3

from crawl import tls


class Trouble(Exception):
    """An exchange that ended early: `error` is a name of `Response.error`, `detail` a short sentence."""

    def __init__(self, error: str, detail: str) -> None:
        self.error, self.detail = error, detail
        super().__init__(f"{error}: {detail}")


def named(raised: BaseException, *, reading_body: bool) -> Trouble | None:
    """The expected trouble behind an exception; None where there is none and the exception is a bug.

    Libraries wrap the same cause in different coats, so the whole chain is looked through, outermost first.
    """
    for cause in _causes(raised):
        trouble = _in_body(cause) if reading_body else None
        trouble = trouble or _anywhere(cause)
        if trouble:
            return trouble
    return None


def _causes(raised: BaseException) -> Iterator[BaseException]:
    waiting, seen = [raised], set()
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        inner = [*one.args, getattr(one, "reason", None), one.__cause__, one.__context__]
        waiting += [each for each in inner if isinstance(each, BaseException)]


def _in_body(cause: BaseException) -> Trouble | None:
    match cause:
        case http.client.IncompleteRead():
            return Trouble("cut_off", "the body ended before its announced end")
        case http.client.LineTooLong():
            return Trouble("cut_off", "the body's chunks are broken")
        case ssl.SSLEOFError():
            return Trouble("cut_off", "the connection ended inside the body")
    return None


def _anywhere(cause: BaseException) -> Trouble | None:
    match cause:
        case Trouble():
            return cause
        case TimeoutError() | urllib3.exceptions.TimeoutError():
            return Trouble("timeout", "")
        case ssl.SSLError():
            return Trouble(*tls.named(cause))
        case ConnectionRefusedError():
            return Trouble("refused_connection", "nobody listens there")
        case http.client.RemoteDisconnected():
            return Trouble("reset", "closed without an answer")
        case ConnectionError():
            return Trouble("reset", "the connection was broken off")
        case http.client.HTTPException():
            return _head(cause)
        case urllib3.exceptions.InvalidHeader() | requests.exceptions.InvalidHeader():
            return Trouble("protocol", "a header contradicts itself")
        case urllib3.exceptions.LocationValueError() | requests.exceptions.InvalidURL() | UnicodeError():
            return Trouble("protocol", "the address cannot be requested")
        case OSError(errno=int(number)) if number in errno.errorcode:
            return Trouble("reset", os.strerror(number).lower())
    return None


def _head(cause: http.client.HTTPException) -> Trouble:
    """http.client bounds the head by itself; it tells length by a type and number by words only."""
    if isinstance(cause, http.client.LineTooLong):
        return Trouble("header_flood", "a header line is too long")
    if "got more than" in str(cause):
        return Trouble("header_flood", "too many header lines")
    return Trouble("protocol", "the answer is not HTTP")
