"""Korean words for the database's own terms: kinds, states and outcomes, in sentences a publisher understands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from build import reasons
from build.filters import clock_text, date_text, day_text
from build.records import Night, Outlet, Source

KINDS = {
    "newspaper": "학보",
    "broadcaster": "방송국",
    "magazine": "교지",
    "english": "영자신문",
    "independent": "독립언론",
}
"""Outlet kinds in the order pages list them."""

CARD_KINDS = {"photo": "사진", "video": "영상", "audio": "소리", "edition": "지면"}
"""Marks of cards that are not plain articles."""

SOURCE_KINDS = {"feed": "피드", "list": "기사 목록", "edition": "지면", "youtube": "유튜브 채널"}

_STATES = {
    "paused": "지금은 확인하지 않습니다. 주소가 맞는지 먼저 살펴보고 있습니다.",
    "closed": "매체의 뜻이나 robots.txt에 따라 확인하지 않습니다.",
    "frozen": "더는 확인하지 않습니다. 그전에 모은 글만 남아 있습니다.",
}


def kind(name: str) -> str:
    """An outlet kind in Korean; an unknown one as it stands."""
    return KINDS.get(name, name)


def card_kind(name: str) -> str:
    """The mark of a card, empty for plain articles."""
    return CARD_KINDS.get(name, "")


def source_kind(name: str) -> str:
    """A source kind in Korean; an unknown one as it stands."""
    return SOURCE_KINDS.get(name, name)


def health(source: Source, watched: bool = False, at: int = 0) -> tuple[str, str]:
    """A source's state as (mood, sentence); mood is `good`, `wait` or `bad`, for a mark beside the words.

    `watched`: whether another source of the same outlet is being looked at; `at`: when the newest night ended,
    a rest that was over by then is no longer told.
    """
    if source.state == "paused" and watched:
        return "wait", "같은 매체의 다른 주소를 보고 있어 이 주소는 확인하지 않습니다."
    if source.state in _STATES:
        return "wait", _STATES[source.state]
    since = f"{day_text(source.since_day)}부터 " if source.since_day else ""
    if source.result == "":
        return "wait", "아직 한 번도 확인하지 않았습니다. 다음 수집 때 처음 봅니다."
    if source.result in ("ok", "unchanged", "not_modified"):
        return "good", f"{since}잘 읽히고 있습니다."
    if source.result == "put_off":
        told = reasons.known(source.reason) or "서버가 쉬는 중이라 다음으로 미뤘습니다."
        return "wait", f"{told}{_rest(source, at)}"
    if source.result == "not_reached":
        return "wait", "밤이 끝나도록 차례가 오지 않았습니다. 다음 수집 때 봅니다."
    mood = "wait" if source.result == "refused" else "bad"
    begun = f" {since}같은 상태입니다." if since else ""
    return mood, f"{_why(source)}{begun}{_rest(source, at)}"


def _why(source: Source) -> str:
    told = reasons.known(source.reason) or reasons.of_status(source.status)
    if told:
        return told
    if source.result == "refused":
        return f"우리 원칙에 따라 묻지 않았습니다({_term(source.rest_rule) or _term(source.reason)})."
    return f"읽을 수 있는 피드가 아니었습니다({_term(source.reason) or source.status})."


def _term(reason: str) -> str:
    """A reason that is one of the crawler's own words, if not one we have a sentence for; else nothing."""
    return reason if re.fullmatch("[A-Za-z0-9_]{1,40}", reason) else ""


def _rest(source: Source, at: int) -> str:
    if source.rest_until is None or source.rest_until <= at:
        return ""
    return f" {date_text(source.rest_until)} {clock_text(source.rest_until)[:5]} 뒤에 다시 봅니다."


def standing(sources: Sequence[Source], at: int) -> tuple[str, str]:
    """How an outlet fares as a whole, as (mood, sentence): well if one of its sources does; nothing where it has none."""
    if not sources:
        return "", ""
    moods = {health(source, True, at)[0] for source in sources}
    active = [source for source in sources if source.state == "active"]
    if "good" in moods:
        return "good", "새 글을 밤마다 읽고 있습니다."
    if "bad" in moods:
        return "bad", "지금은 새 글을 읽지 못하고 있습니다."
    if not active:
        return "wait", "지금은 새 글을 확인하지 않습니다."
    if all(source.result == "" for source in active):
        return "wait", "첫 수집을 기다리고 있습니다."
    return "wait", "지금은 새 글을 묻지 않고 기다립니다."


def silence(outlet: Outlet, sources: list[Source]) -> str:
    """Why an outlet has no stories here, in one sentence."""
    if not sources:
        return "아직 등록된 피드나 기사 목록이 없습니다."
    moods = {health(source)[0] for source in sources}
    if all(source.state != "active" for source in sources):
        return "등록된 주소를 지금은 확인하지 않아 모인 글이 없습니다."
    if all(source.result == "" for source in sources if source.state == "active"):
        return "등록은 되었지만 아직 첫 수집을 하지 않았습니다."
    if all(source.reason == "closed_by_robots" for source in sources if source.state == "active"):
        return "robots.txt가 닫아 둔 주소뿐이라 모인 글이 없습니다."
    if "good" in moods:
        return "피드는 읽었지만 그 안에 실을 글이 없었습니다."
    if outlet.status == "ended":
        return "운영을 마친 매체이고, 지금 읽을 수 있는 글이 없습니다."
    return "아직 한 번도 읽지 못했습니다. 까닭은 ‘수집 상태’에 적었습니다."


def night_state(night: Night) -> str:
    """What a reader should know about a night that did not go as it should; empty when all went well."""
    if night.ended is None:
        return "지난 수집이 도중에 끊겼습니다. 그때까지 모은 글만 실었습니다."
    if night.due and not night.ok + night.unchanged:
        return "지난 수집에서는 어느 매체도 읽지 못했습니다. 아래 글은 그전에 모은 것입니다."
    if 2 * (night.ok + night.unchanged) < night.due:
        return "지난 수집에서는 절반이 넘는 매체를 읽지 못해, 빠진 새 글이 있을 수 있습니다."
    return ""


def night_trouble(night: Night) -> str:
    """What did not go as it should in a night of the past; empty when all went well."""
    if night.ended is None:
        return "도중에 끊겼습니다. 그때까지 모은 글은 실었습니다."
    if night.due and not night.ok + night.unchanged:
        return "어느 매체도 읽지 못했습니다."
    if 2 * (night.ok + night.unchanged) < night.due:
        return "절반이 넘는 매체를 읽지 못했습니다."
    return ""
