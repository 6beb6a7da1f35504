"""How pages are read: lists by their skins, pages of editions, and article pages for the one fact they are asked for."""

from __future__ import annotations

from crawl import articlepages, editions, listpages
from crawl.articlepages import ArticlePage
from crawl.idle import Readers
from crawl.model import Due, Feed, Response
from crawl.policy import Policy


def real(policy: Policy) -> Readers:
    """The readers of a real night; `policy` says how much of a summary is kept (P02)."""

    def read_list(due: Due, response: Response, seen: float) -> Feed:
        kind, base = response.header("Content-Type"), response.url
        limit = policy.summary_max_chars
        if due.source.kind == "edition":
            return editions.parse(response.body, base=base, content_type=kind, seen=seen, summary_max_chars=limit)
        cms = due.source.cms
        return listpages.parse(response.body, base=base, content_type=kind, cms=cms, seen=seen, summary_max_chars=limit)

    def read_page(response: Response) -> ArticlePage:
        return articlepages.read(response, seen=response.ended)

    return Readers(read_list, read_page)
