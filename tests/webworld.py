"""The world around a page under test: pictures come from here or fail, and nothing leaves this machine."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from tests.wholesite import PICTURES, dot

PICTURE_HOSTS = frozenset({"i.ytimg.com", urlsplit(PICTURES).hostname, "hanbit-news.example"})
"""Whom a page may ask for a picture: YouTube for its thumbnails, and the outlets of `wholesite`."""

_DOT = dot(320, 180)


def outside(page: Page, address: str, *, pictures: bool = True) -> list[str]:
    """Answer everything that is not the site itself; gives the list that will hold what should never have been asked.

    `pictures`: whether the outlets' servers and YouTube are up. A picture that fails is no trouble of the page.
    """
    strange: list[str] = []

    def answer(route: Route) -> None:
        request = route.request
        if request.url.startswith(address):
            route.continue_()
        elif request.resource_type == "image" and urlsplit(request.url).hostname in PICTURE_HOSTS:
            if "referer" in request.headers:
                strange.append(f"{request.url} was told where it is shown")
            if pictures:
                route.fulfill(body=_DOT, content_type="image/png")
            else:
                route.abort()
        else:
            strange.append(request.url)
            route.abort()

    page.route("**/*", answer)
    return strange
