"""The shape of our requests, held against recorded exchanges (re-recorded by `python -m tests.cassettes.record`)."""

from __future__ import annotations

import pytest
from vcr.cassette import Cassette
from vcr.errors import CannotOverwriteExistingCassetteException

from crawl.connectto import ConnectTo
from crawl.transport import ACCEPT_FEED
from tests.cassettes import FOLDER, SHAPES, send, tape


def recorded(name: str) -> tuple[str, str, dict[str, str]]:
    (request,) = Cassette.load(path=str(FOLDER / f"{name}.yaml")).requests
    return request.method, request.uri, dict(request.headers)


def test_every_shape_has_its_cassette_and_no_cassette_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.yaml")) == sorted(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_P01_S30_the_request_sent_today_is_the_one_on_the_tape(name: str) -> None:
    with tape(name, "none") as played:
        response = send(name, connect_to=ConnectTo())
    assert (response.status, response.error, played.play_count) == (200, None, 1)
    assert (response.address, response.replayed) == ("", False)
    assert "한빛대신문" in response.body.decode()
    assert response.header("ETag") == '"5f3"'


@pytest.mark.parametrize("name", SHAPES)
def test_P01_S30_every_header_on_the_tape_is_a_promised_one(name: str) -> None:
    contact_url, request = SHAPES[name]
    method, uri, headers = recorded(name)
    expected = {
        "User-Agent": "CampusPressHub/1.0" + (f" (+{contact_url})" if contact_url else ""),
        "Accept": ACCEPT_FEED if request.purpose == "feed" else "*/*",
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    if request.etag:
        expected["If-None-Match"] = request.etag
    if request.last_modified:
        expected["If-Modified-Since"] = request.last_modified
    assert (method, uri, headers) == ("GET", request.url, expected)


def test_a_request_of_another_shape_does_not_play() -> None:
    with tape("feed-with-contact", "none"), pytest.raises(CannotOverwriteExistingCassetteException):
        send("feed-first-look", connect_to=ConnectTo())
