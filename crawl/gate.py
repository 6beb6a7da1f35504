"""The only maker of tickets (in progress)."""

from __future__ import annotations

from crawl.model import Request


class Ticket:
    """Leave to send one request, once. Made by the Gate only; `Transport.send` spends it.

    `id` is the request-log row; `deadline` the epoch second by which everything about it is over (P23).
    """

    __slots__ = ("_spent", "deadline", "id", "lane", "request", "server")

    def __init__(self, id: int, request: Request, server: str, lane: str, deadline: float) -> None:
        self.id, self.request, self.server, self.lane, self.deadline = id, request, server, lane, deadline
        self._spent = False

    def spend(self) -> Request:
        """Give the request out, once. Raises RuntimeError the second time (a bug, so it stops loudly)."""
        if self._spent:
            raise RuntimeError(f"ticket {self.id} was spent already")
        self._spent = True
        return self.request
