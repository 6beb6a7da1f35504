"""One queue of requests, of a server or of all servers at one address: what waits and when the next may be asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from crawl.model import Request


class Lane:
    """The queue of one server, or of servers that share an address (P20).

    `last_end`: end of its last request, epoch seconds; `last_gap_s`: the gap that request promised to whatever follows.
    """

    __slots__ = ("_gap_s", "last_end", "last_gap_s", "name", "on_the_way", "queue", "turn")

    def __init__(self, name: str, gap_s: Callable[[Request], float], last_end: float = float("-inf")) -> None:
        """`gap_s`: the gap a request promises on either side of itself."""
        self.name = name
        self._gap_s = gap_s
        self.last_end = last_end
        self.last_gap_s = 0.0
        self.queue: deque[Request] = deque()
        self.on_the_way = False
        self.turn = 0
        """Counts every change, so that an outdated place in the gate's heap can be told."""

    def add(self, request: Request, *, first: bool = False) -> None:
        """Queue a request; a redirect hop finishes its own chain before anything else of the server."""
        if first or request.hop:
            self.queue.appendleft(request)
        else:
            self.queue.append(request)
        self.turn += 1

    def ready_at(self) -> float:
        """When the head of the queue may start; call only on a lane with something queued.

        Of the gap the last request promised and the one this promises, the larger counts (P20).
        """
        head = self.queue[0]
        return max(self.last_end + max(self.last_gap_s, self._gap_s(head)), head.not_before)

    def take(self) -> Request:
        """The head of the queue, which now is on the way: the lane is in no heap until `settle`."""
        self.turn += 1
        self.on_the_way = True
        return self.queue.popleft()

    def drop(self) -> Request:
        """The head of the queue, taken out without being sent: the lane keeps its time."""
        self.turn += 1
        return self.queue.popleft()

    def settle(self, request: Request, ended: float) -> None:
        """The request on the way has ended."""
        self.turn += 1
        self.on_the_way = False
        self.last_end = max(self.last_end, ended)
        self.last_gap_s = self._gap_s(request)

    def join(self, other: Lane) -> None:
        """Take over what waits in another lane, and its time; the other is done with."""
        self.turn += 1
        other.turn += 1
        self.queue.extend(other.queue)
        other.queue.clear()
        self.last_end = max(self.last_end, other.last_end)
        self.last_gap_s = max(self.last_gap_s, other.last_gap_s)
