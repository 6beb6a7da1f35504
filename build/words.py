"""Korean words for the database's own terms: kinds, states and outcomes, in sentences a publisher understands."""

from __future__ import annotations

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

_ERRORS = {
    "timeout": "정해 둔 시간 안에 답을 다 보내지 못했습니다.",
    "dns": "서버의 주소를 찾을 수 없었습니다.",
    "refused_connection": "서버가 연결을 받지 않았습니다.",
    "reset": "서버가 연결을 도중에 끊었습니다.",
    "cut_off": "답이 끝나기 전에 끊겼습니다.",
    "tls": "보안 연결(인증서)에 문제가 있었습니다.",
    "too_large": "답이 읽기로 한 크기보다 컸습니다.",
    "bad_encoding": "답의 압축을 풀 수 없었습니다.",
    "header_flood": "답의 머리글이 지나치게 많았습니다.",
    "protocol": "서버의 답이 HTTP 형식에 맞지 않았습니다.",
    "address_refused": "공개된 인터넷 주소가 아니어서 묻지 않았습니다.",
    "redirect_without_target": "다른 주소로 옮겼다고 했지만 새 주소를 알려 주지 않았습니다.",
    "not_modified_unasked": "묻지 않았는데 바뀌지 않았다는 답만 보냈습니다.",
    "empty_body": "빈 답을 보냈습니다.",
    "html_not_feed": "피드 대신 일반 웹 페이지를 보냈습니다.",
    "not_a_feed": "피드가 아닌 것을 보냈습니다.",
    "feed_broken": "피드가 깨져 있어 읽을 수 없었습니다.",
    "json_broken": "피드가 깨져 있어 읽을 수 없었습니다.",
    "json_feed_needs_robots": "robots.txt를 먼저 읽어야 하는 종류의 피드라 아직 읽지 않습니다.",
    "robots_not_read_yet": "robots.txt를 먼저 읽어야 하는 주소라 아직 묻지 않습니다.",
    "youtube_feeds_are_closed": "유튜브가 robots.txt로 막은 주소라 묻지 않습니다.",
    "too_many_redirects": "주소가 너무 여러 번 옮겨져 따라가기를 멈췄습니다.",
    "already_looked_at": "그날 이미 확인해 다시 묻지 않았습니다.",
    "excluded": "제외 요청에 따라 묻지 않습니다.",
    "private_address": "공개된 인터넷 주소가 아니어서 묻지 않았습니다.",
}

_STATUSES = {
    401: "서버가 로그인 없이는 볼 수 없다고 답했습니다.",
    403: "서버가 접근을 허락하지 않았습니다.",
    404: "그 주소에 아무것도 없다고 답했습니다.",
    410: "없앤 주소라고 답했습니다.",
    429: "서버가 요청을 줄여 달라고 했습니다.",
    451: "법적인 까닭으로 볼 수 없다고 답했습니다.",
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
        who = "이 주소가" if source.reason == "source_resting" else "서버가"
        return "wait", f"{who} 쉬는 중이라 다음으로 미뤘습니다.{_rest(source, at)}"
    if source.result == "not_reached":
        return "wait", "밤이 끝나도록 차례가 오지 않았습니다. 다음 수집 때 봅니다."
    mood = "wait" if source.result == "refused" else "bad"
    begun = f" {since}같은 상태입니다." if since else ""
    return mood, f"{_why(source)}{begun}{_rest(source, at)}"


def _why(source: Source) -> str:
    if source.reason in _ERRORS:
        return _ERRORS[source.reason]
    if source.status in _STATUSES:
        return f"{_STATUSES[source.status].rstrip('.')}({source.status})."
    if source.status >= 500:
        return f"서버에 오류가 났습니다({source.status})."
    if source.result == "refused":
        return f"우리 원칙에 따라 묻지 않았습니다({source.rest_rule or source.reason})."
    return f"읽을 수 있는 피드가 아니었습니다({source.reason or source.status})."


def _rest(source: Source, at: int) -> str:
    if source.rest_until is None or source.rest_until <= at:
        return ""
    return f" {date_text(source.rest_until)} {clock_text(source.rest_until)[:5]} 뒤에 다시 봅니다."


def silence(outlet: Outlet, sources: list[Source]) -> str:
    """Why an outlet has no stories here, in one sentence."""
    if not sources:
        return "아직 등록된 피드나 기사 목록이 없습니다."
    moods = {health(source)[0] for source in sources}
    if all(source.state != "active" for source in sources):
        return "등록된 주소를 지금은 확인하지 않아 모인 글이 없습니다."
    if all(source.result == "" for source in sources if source.state == "active"):
        return "등록은 되었지만 아직 첫 수집을 하지 않았습니다."
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
