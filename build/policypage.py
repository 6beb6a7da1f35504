"""The policy page: what is promised, and how well it was kept, in Korean and English."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from build import filters
from build.pagekinds import Head, Listed
from build.records import Hub, Night, PolicyRow, Press, Server


@dataclass(frozen=True, slots=True)
class PolicyPage:
    """The promises, in words of the template and numbers of the table."""

    template: ClassVar[str] = "policy.html"
    head: Head
    rows: tuple[PolicyRow, ...]
    servers: tuple[Server, ...]
    night: Night | None
    hub: Hub

    def listed(self) -> Iterable[Listed]:
        """None."""
        return ()

    def amount(self, name: str) -> str:
        """The value of that name with its unit; words of its own where the table does not have it yet."""
        for row in self.rows:
            if row.name == name and row.value is not None:
                return filters.amount(row.value, row.unit, self.head.lang)
        return "(표에 오르면 표시)" if self.head.lang == "ko" else "(shown once it is in the table)"

    def plain(self, name: str) -> str:
        """The bare figure of that name, as a robots.txt would hold it; empty where the table does not have it yet."""
        return next((f"{row.value:g}" for row in self.rows if row.name == name and row.value is not None), "")

    def known(self, rule: str) -> bool:
        """Whether the table has that rule."""
        return any(row.rule == rule for row in self.rows)

    def in_force(self, rule: str) -> bool:
        """Whether that rule is enforced and audited."""
        return any(row.rule == rule and row.in_force for row in self.rows)

    def broken(self, rule: str) -> int:
        """How often the last night broke that rule."""
        return sum(row.breaches for row in self.rows if row.rule == rule)

    @property
    def breaches(self) -> int:
        """How often the last night broke any rule."""
        return sum(row.breaches for row in self.rows)

    def rules(self, in_force: bool) -> int:
        """How many rules are in force, or announced."""
        return len({row.rule for row in self.rows if self.in_force(row.rule) == in_force})

    @property
    def requests(self) -> int:
        """Requests sent last night, over all servers."""
        return sum(server.requests for server in self.servers)


def page(press: Press, lang: str) -> PolicyPage:
    """The policy page in Korean or English."""
    korean = lang == "ko"
    return PolicyPage(
        head=Head(
            "policy/index.html" if korean else "en/policy/index.html",
            "수집 원칙" if korean else "How we collect",
            "무엇을, 언제, 얼마나 천천히 모으고 어떻게 빼 드리는지 적은 원칙과 지킨 기록."
            if korean
            else "What we collect, when and how gently, how to be left out, and how well we kept to it.",
            nav="policy" if korean else "en-policy",
            lang=lang,
            twin="en/policy/" if korean else "policy/",
        ),
        rows=press.policy,
        servers=press.servers,
        night=press.last_night,
        hub=press.hub,
    )
