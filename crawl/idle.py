"""The hours after the looks: date pages, backfill and photo checks, little by little until morning (P10, P11, P22, P37, P45).

The pages are chosen here and asked for one at a time per server; each is an ordinary offer to the gate.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from crawl import blocks, members, pages, rests, urls, watch
from crawl.articlepages import ArticlePage
from crawl.errors import FeedUnreadable
from crawl.handle import REDIRECTS, Handler, ReadList
from crawl.model import Due, Feed, Outcome, Page, Refusal, Request, Response, Rest
from crawl.policy import Policy
from crawl.store import Store

YEAR_S = 31_557_600
KNOWN_PAGES_MAX = 5
"""So many older pages in a row may hold nothing new before an archive counts as read."""

_FRONT = re.compile(r"[^/?#]+(?:/(?:index|main|home|default)(?:\.\w{2,5})?)?", re.IGNORECASE)
"""A normalised address of a site's front page, where content systems send who asks for an article that was deleted."""


@dataclass(frozen=True, slots=True)
class Readers:
    """How pages are read; what has no reader is not asked for (P40: nothing is requested that could not be used).

    `page` takes an article page of which only the promised first bytes are searched.
    """

    list: ReadList | None = None
    page: Callable[[Response], ArticlePage] | None = None


NOTHING_READ = Readers()


class Idle:
    """Chooses what is asked for when the looks are over, and settles the answers."""

    def __init__(
        self,
        store: Store,
        policy: Policy,
        handler: Handler,
        readers: Readers,
        dues: Mapping[int, Due],
        *,
        day: str,
        now_pass: bool,
        backfill: bool = True,
    ) -> None:
        """`dues`: the active sources; `now_pass`: an inspecting pass reads date pages only (P10); `backfill`: older pages."""
        self._store, self._policy, self._handler, self._readers = store, policy, handler, readers
        self._dues, self._day, self._now_pass, self._backfill = dues, day, now_pass, backfill
        self._waiting: defaultdict[str, list[Page]] = defaultdict(list)
        self._out: dict[str, Page] = {}
        self._dates_left: dict[int, int] = {}
        self._known_in_a_row: Counter[int] = Counter()
        self._page_before: dict[int, frozenset[bytes]] = {}
        self._closed: set[int] = set()

    def close(self, source: int) -> None:
        """A source was found closed by its robots.txt: its pages and its archive are left alone with it (P43)."""
        self._closed.add(source)
        for queue in self._waiting.values():
            queue[:] = [page for page in queue if page.source != source]

    def begin(self, now: float) -> None:
        """Choose tonight's pages, dates before older lists before photos."""
        recall, lost_at = self._store.recall, self._store.recall.lost_at()
        # A state that was lost may have known of rests, so their longest is kept (data.md).
        photos_may = now >= lost_at + self._policy.photo_rest_s and not self._now_pass
        backfill_may = self._backfill and now >= lost_at + self._policy.backfill_stop_later_s and not self._now_pass
        self._closed |= {row for row, due in self._dues.items() if due.closed and not due.recheck}
        dues = {row: due for row, due in self._dues.items() if row not in self._closed}
        wanted: list[Page] = []
        if self._readers.page is not None:
            wanted += recall.pages_without_date(dues)
            asked = recall.date_pages_asked(self._day)
            self._dates_left = {row: self._policy.date_pages_per_list - asked.get(row, 0) for row in self._dues}
        if self._readers.list is not None and backfill_may:
            wanted += recall.older_pages(dues)
        if self._readers.page is not None and photos_may:
            wanted += recall.pages_without_photo(dues)
        for page in wanted:
            self._waiting[urls.server(page.url)].append(page)

    def hosts(self) -> set[str]:
        """The hosts of the pages chosen."""
        return {urls.host(page.url) for queue in self._waiting.values() for page in queue}

    def offers(self, now: float, second_look_waits: Callable[[str, float], bool]) -> list[Request]:
        """What may be offered now: at most one page per server that has none under way."""
        found = []
        for server, queue in self._waiting.items():
            if server in self._out or second_look_waits(server, now):
                continue
            page = next((page for page in queue if self._may(page, now)), None)
            if page is not None:
                queue.remove(page)
                self._out[server] = page
                outlet = self._dues[page.source].source.outlet
                found.append(Request(page.url, page.purpose, page.source, outlet, origin=page.url))
        return found

    def next_time(self, now: float) -> float | None:
        """When the next page may be offered that may not yet; None where none is waiting."""
        times = [
            page.until
            for server, queue in self._waiting.items()
            if server not in self._out
            for page in queue
            if page.until is not None and page.until > now and self._budget(page)
        ]
        return min(times, default=None)

    def settle(self, request: Request, response: Response, *, row: int) -> Outcome:
        """What an answer to a page means; a redirect goes on as a hop and settles later."""
        due, page = self._dues[request.source or 0], self._page(request)
        if request.hop == 0 and page.purpose == "date":
            self._dates_left[page.source] -= 1
        if response.status in REDIRECTS and not response.error:
            onward = self._handler.page_redirected(request, response, row)
            if onward is not None:
                return onward
        brought = rests.after(request, response, rests.Past(), self._policy)
        blocked = _wall(response)
        denied = blocked is not None or response.status in rests.DENIALS
        if page.purpose == "backfill" and denied and not rests.slow_down(response):
            return Outcome(None, rests=(*brought, self._stopped(page, response.ended)))
        fate = pages.fate(page.tries, response, self._policy)
        fate = replace(fate, done=False, until=rests.next_night(response.ended, self._policy)) if blocked else fate
        outcome: Outcome | None = self._read(due, page, response) if fate.done else Outcome(None)
        if outcome is None:
            fate = self._unreadable(page, response)
            outcome = Outcome(None)
        self._store.pages.keep_page(page, fate)
        if not fate.done:
            self._back(replace(page, tries=fate.tries, until=fate.until))
        else:
            self._out.pop(urls.server(page.url), None)
        return replace(outcome, rests=brought)

    def refused(self, request: Request, refusal: Refusal, now: float) -> Outcome:
        """A rule forbids a page tonight: it waits until the rule's time is over, else for another night.

        A closed archive stops the outlet's backfill (P45).
        """
        page = self._page(request)
        self._out.pop(urls.server(page.url), None)
        if refusal.rule == "P22":
            outlet = self._dues[page.source].source.outlet
            for queue in self._waiting.values():
                queue[:] = [one for one in queue if self._dues[one.source].source.outlet != outlet]
        if page.purpose == "backfill" and refusal.reason == "closed_by_robots":
            return Outcome(None, rests=(self._stopped(page, now),))
        if refusal.until is not None:
            self._waiting[urls.server(page.url)].append(replace(page, until=refusal.until))
        return Outcome(None)

    def _may(self, page: Page, now: float) -> bool:
        return (page.until is None or page.until <= now) and self._budget(page)

    def _budget(self, page: Page) -> bool:
        """Whether a list may still read this page for a date: what is under way at other servers counts already (P11)."""
        if page.purpose != "date":
            return True
        under_way = sum(one.purpose == "date" and one.source == page.source for one in self._out.values())
        return self._dates_left.get(page.source, 0) > under_way

    def _page(self, request: Request) -> Page:
        """The page a request, or the chain it continues, is for."""
        return next(page for page in self._out.values() if page.url == request.origin)

    def _back(self, page: Page) -> None:
        server = urls.server(page.url)
        self._out.pop(server, None)
        self._waiting[server].append(page)

    def _stopped(self, page: Page, ended: float) -> Rest:
        self._out.pop(urls.server(page.url), None)
        stops = self._store.pages.stop_backfill(page.source)
        return rests.stopped(self._dues[page.source].source.outlet, ended, stops, self._policy)

    def _unreadable(self, page: Page, response: Response) -> pages.Fate:
        """An older page that could not be read tonight is tried on other nights; then the archive ends there."""
        if page.tries + 1 >= self._policy.page_tries:
            self._store.pages.move_backfill(page.source, "")
            return pages.Fate(0, None, True)
        return pages.Fate(page.tries + 1, rests.next_night(response.ended, self._policy), False)

    def _read(self, due: Due, page: Page, response: Response) -> Outcome | None:
        if page.purpose == "backfill":
            return self._older(due, page, response)
        assert self._readers.page is not None
        if response.url != page.url and _FRONT.fullmatch(urls.normal(response.url)):
            return Outcome(None)  # the article is gone: its date and picture are not those of the page shown instead
        self._store.pages.learn(page, self._handler.picture(due, self._readers.page(response)), response.ended)
        if page.purpose == "date" and self._store.pages.too_old(page, self._oldest(response)):
            self._store.pages.move_backfill(page.source, "")
        return Outcome(None)

    def _oldest(self, response: Response) -> float:
        return response.ended - self._policy.backfill_years * YEAR_S

    def _older(self, due: Due, page: Page, response: Response) -> Outcome | None:
        """An older list page: its entries, and the way on. None where it could not be read.

        The archive ends where no older page is linked, where all is too old, where the pager leads back or gives the same
        page again, or after several pages of which everything is known; it is left, by name, where it shows damage or known
        articles under new addresses. It waits after a page whose new entries lack dates until those are known.
        """
        assert self._readers.list is not None
        try:
            now = self._store.recall.list_time(page.source, response.ended)
            feed = members.without(self._readers.list(due, response, now))
        except FeedUnreadable:
            return None
        oldest = self._oldest(response)
        young = [entry for entry in feed.entries if entry.published is None or entry.published >= oldest]
        filed = self._handler.file(due, young, response.ended)
        doubt = watch.held_page(replace(feed, entries=tuple(young)), filed, self._store.shelf.known(page.source))
        if doubt:
            self._store.pages.hold_backfill(page.source, doubt)
            return Outcome(None)
        fresh = [one.change.entry for one in filed if one.change.action == "insert"]
        self._known_in_a_row[page.source] = 0 if fresh else self._known_in_a_row[page.source] + 1
        on = feed.older if young and self._known_in_a_row[page.source] < KNOWN_PAGES_MAX else None
        if on is not None and (on == page.url or self._store.recall.page_was_read(on) or self._same_again(due, feed)):
            on = None
        self._store.pages.move_backfill(page.source, on or "")
        if on and all(entry.published is not None for entry in fresh):
            self._waiting[urls.server(on)].append(Page(on, "backfill", page.source, None))
        return Outcome(None, filed=filed, via="backfill")

    def _same_again(self, due: Due, feed: Feed) -> bool:
        """Whether an older page shows the articles of the page before it: some systems give one page whatever is asked."""
        shown = frozenset(urls.key(entry.url, due.source.cms) for entry in feed.entries)
        before, self._page_before[due.source_id] = self._page_before.get(due.source_id), shown
        return shown == before


def _wall(response: Response) -> str | None:
    """What stands where a page should be, by name: a wall, or a redirect to a login, which is not followed (P38)."""
    if response.status in REDIRECTS and not response.error:
        target = urls.location(response.header("Location"), response.url)
        return "redirect_to_login" if target is not None and blocks.is_login_address(target) else None
    return blocks.recognise(response.status, response.headers, response.body, response.url)
