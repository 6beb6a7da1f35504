"""One server's queue: what waits for it and when it may be asked next."""

from __future__ import annotations

from collections import deque

from crawl.model import Request


class Lane:
    """The queue of one server (P20). `free_at` is the earliest start of the next request, epoch seconds."""

    __slots__ = ("free_at", "name", "on_the_way", "queue", "turn")

    def __init__(self, name: str, free_at: float = 0.0) -> None:
        self.name = name
        self.free_at = free_at
        self.queue: deque[Request] = deque()
        self.on_the_way = False
        self.turn = 0
        """Counts every change, so that an outdated place in the gate's heap can be told."""

    def add(self, request: Request) -> None:
        """Queue a request; a redirect hop finishes its own chain before anything else of the server."""
        if request.hop:
            self.queue.appendleft(request)
        else:
            self.queue.append(request)
        self.turn += 1

    def ready_at(self) -> float:
        """When the head of the queue may start; call only on a lane with something queued."""
        return max(self.free_at, self.queue[0].not_before)

    def take(self) -> Request:
        """The head of the queue, which now is on the way: the lane is in no heap until `settle`."""
        self.turn += 1
        self.on_the_way = True
        return self.queue.popleft()

    def drop(self) -> Request:
        """The head of the queue, refused: nothing was sent, so the lane keeps its time."""
        self.turn += 1
        return self.queue.popleft()

    def settle(self, ended: float, gap_s: float) -> None:
        """The request on the way has ended: the next may start `gap_s` after its end (P20)."""
        self.turn += 1
        self.on_the_way = False
        self.free_at = max(self.free_at, ended + gap_s)
