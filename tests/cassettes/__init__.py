"""Recorded exchanges that prove the shape of our requests: method, address, header names and values.

They are made by `python -m tests.cassettes.record` alone; tests only replay them and never record.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import vcr
from vcr.stubs.urllib3_stubs import VCRRequestsHTTPConnection, VCRRequestsHTTPSConnection

from crawl.connectto import ConnectTo
from crawl.dial import PlainConnection, PlainPool, TlsConnection, TlsPool
from crawl.gate import Ticket
from crawl.model import Purpose, Request, Response
from crawl.policy import Policy
from crawl.tls import Contexts
from crawl.transport import Transport
from tests.loopback import NOON, SetClock

FOLDER = Path(__file__).parent
SHAPES: dict[str, tuple[str, Request]] = {}
"""Cassette name to the contact address in force and the request that is sent."""


class Plain(VCRRequestsHTTPConnection):  # type: ignore[misc]
    """vcrpy passes over a pool with a connection class of its own unless it is told."""

    _baseclass = PlainConnection


class Tls(VCRRequestsHTTPSConnection):  # type: ignore[misc]
    """The same for TLS."""

    _baseclass = TlsConnection


def _shape(name: str, url: str, purpose: Purpose = "feed", contact_url: str = "", **validators: Any) -> None:
    SHAPES[name] = contact_url, Request(url, purpose, 1, "news", **validators)


_shape("feed-first-look", "http://news.example.ac.kr/rss/allArticle.xml")
_shape("feed-with-contact", "http://news.example.ac.kr/rss?no=1&b=%EA%B0%80", contact_url="https://hub.example/bot")
_shape("feed-again-with-validators", "http://news.example.ac.kr/feed/", etag='W/"66-5f3"',
       last_modified="Thu, 05 Mar 2026 05:30:00 GMT")  # fmt: skip
_shape("feed-with-a-bare-etag", "http://news.example.ac.kr:8080/feed/", etag="RSS-f3fd")
_shape("feed-over-tls", "https://press.example.ac.kr/feed/")
_shape("robots", "https://press.example.ac.kr/robots.txt", "robots", contact_url="https://hub.example/bot")


def tape(name: str, record_mode: str) -> Any:
    """The cassette of that name as a context manager."""
    return vcr.use_cassette(
        str(FOLDER / f"{name}.yaml"),
        record_mode=record_mode,
        match_on=["method", "uri", "headers"],
        decode_compressed_response=False,
        custom_patches=((PlainPool, "ConnectionCls", Plain), (TlsPool, "ConnectionCls", Tls)),
    )


def send(name: str, *, connect_to: ConnectTo, ca_file: str | None = None) -> Response:
    """Send one of the shapes at noon of 2026-12-01."""
    contact_url, request = SHAPES[name]
    transport = Transport(
        SetClock(), Policy(), contact_url=contact_url, connect_to=connect_to, tls=Contexts(ca_file=ca_file)
    )
    return transport.send(Ticket(1, request, "news.example.ac.kr", "lane", NOON + Policy().request_max_s))
