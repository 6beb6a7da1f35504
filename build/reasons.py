"""Why a source could not be read, in Korean sentences that its publisher understands; the crawler names each reason."""

from __future__ import annotations

import re

_NETWORK = {
    "timeout": "정해 둔 시간 안에 답을 다 보내지 못했습니다.",
    "dns": "서버의 주소를 찾을 수 없었습니다.",
    "refused_connection": "서버가 연결을 받지 않았습니다.",
    "reset": "서버가 연결을 도중에 끊었습니다.",
    "cut_off": "답이 끝나기 전에 끊겼습니다.",
    "tls": "보안 연결(인증서)에 문제가 있었습니다.",
    "tls_untrusted": "서버의 인증서를 믿을 수 있는 곳에서 발급했는지 확인하지 못했습니다.",
    "tls_missing_intermediate": "서버가 중간 인증서를 함께 보내지 않아 인증서를 확인하지 못했습니다.",
    "tls_expired": "서버의 인증서가 쓸 수 있는 기간을 벗어났습니다.",
    "tls_wrong_name": "서버의 인증서가 다른 이름으로 발급된 것이었습니다.",
    "tls_weak_certificate": "서버의 인증서가 오늘날 쓰기에는 너무 약한 방식으로 만들어졌습니다.",
    "tls_weak_dh": "서버의 보안 연결이 너무 약한 열쇠를 써서 연결하지 않았습니다.",
    "tls_legacy": "서버의 보안 연결이 더는 쓰지 않는 옛 방식이라 연결하지 않았습니다.",
    "tls_too_old": "서버의 보안 연결이 너무 낡은 판이라 연결하지 않았습니다.",
    "too_large": "답이 읽기로 한 크기보다 컸습니다.",
    "bad_encoding": "답의 압축을 풀 수 없었습니다.",
    "header_flood": "답의 머리글이 지나치게 많았습니다.",
    "protocol": "서버의 답이 HTTP 형식에 맞지 않았습니다.",
    "address_refused": "공개된 인터넷 주소가 아니어서 묻지 않았습니다.",
    "no_answer": "서버가 답하지 않았습니다.",
}

_ANSWERS = {
    "redirect_target_refused": "옮겼다는 새 주소가 따라갈 수 있는 웹 주소가 아닙니다.",
    "redirect_to_itself": "같은 주소로 다시 가라는 답만 되풀이합니다.",
    "interrupted": "확인하던 중에 수집이 끊겨 답을 알 수 없습니다.",
    "redirect_without_target": "다른 주소로 옮겼다고 했지만 새 주소를 알려 주지 않았습니다.",
    "not_modified_unasked": "묻지 않았는데 바뀌지 않았다는 답만 보냈습니다.",
    "empty_body": "빈 답을 보냈습니다.",
    "html_not_feed": "피드 대신 일반 웹 페이지를 보냈습니다.",
    "not_a_feed": "피드가 아닌 것을 보냈습니다.",
    "feed_broken": "피드가 깨져 있어 읽을 수 없었습니다.",
    "json_broken": "피드가 깨져 있어 읽을 수 없었습니다.",
    "not_a_list": "글 목록이 있을 자리에 글 목록으로 보이는 것이 없었습니다.",
    "list_empty": "글 목록의 자리는 있지만 글이 하나도 없었습니다.",
    "board_message": "글 목록 대신 게시판의 안내 말만 나왔습니다.",
    "feed_not_list": "글 목록이 있을 자리에 피드나 데이터가 나왔습니다. 운영자가 등록을 고칠 일입니다.",
    "no_editions": "지면 보기가 있을 자리에 지면 파일로 가는 주소가 하나도 없었습니다.",
    "login_page": "글 목록이 있을 자리에 로그인 화면이 나왔습니다.",
    "redirect_to_login": "로그인 화면으로 가라고 해서 따라가지 않았습니다.",
    "paywall": "글 목록이 있을 자리에 돈을 내야 볼 수 있다는 안내가 나왔습니다.",
    "challenge_page": "사람인지 확인하는 화면이 나왔습니다. 풀어 보려 하지 않고 물러났습니다.",
    "block_page": "접근을 막는다는 안내가 나왔습니다. 우리를 막은 것으로 보고 물러났습니다.",
}

_ASK = "운영자가 확인하고 sources.csv의 recheck 칸에 날짜를 적으면 다시 받아들입니다."

_HELD = {
    "held_empty": f"글이 여럿 있던 자리가 비어 있어 받아들이지 않고 지켜봅니다. {_ASK}",
    "held_damaged": f"제목이 한꺼번에 바뀌거나 깨져 있어 받아들이지 않고 지켜봅니다. {_ASK}",
    "held_skin": f"목록의 짜임이 바뀌어 낯선 글만 보이므로 받아들이지 않고 지켜봅니다. {_ASK}",
    "held_moved": f"이미 아는 글이 한꺼번에 새 주소로 나타나 받아들이지 않고 지켜봅니다. {_ASK}",
    "held_dates": f"글의 날짜가 모두 같은 날로 바뀌거나 오늘로 적혀 있어 받아들이지 않고 지켜봅니다. {_ASK}",
}

_OWN_RULES = {
    "json_feed_needs_robots": "robots.txt를 먼저 봐야 하는 JSON 피드를 보내 읽지 않았습니다. 운영자가 등록을 고칠 일입니다.",
    "robots_not_read_yet": "robots.txt를 먼저 읽어야 하는 주소라 아직 묻지 않습니다.",
    "closed_by_robots": "robots.txt가 이 주소를 닫아 두어 묻지 않습니다. 열렸다면 알려 주세요. 운영자가 확인한 뒤에 다시 봅니다.",
    "crawl_delay_too_long": "robots.txt가 바라는 간격이 하룻밤에 지키기에는 길어 묻지 않았습니다. 밤마다 다시 살펴봅니다.",
    "youtube_feeds_are_closed": "유튜브가 robots.txt로 막은 주소라 묻지 않습니다.",
    "youtube_is_never_asked": "유튜브로 이어지는 주소라 묻지 않습니다.",
    "source_closed": "이 출처의 주소를 robots.txt가 막고 있어 그 기사 쪽과 지난 목록도 묻지 않습니다.",
    "no_reader_yet": "이런 종류의 주소를 읽는 기능을 아직 만들고 있어 묻지 않습니다.",
    "too_many_redirects": "주소가 너무 여러 번 옮겨져 따라가기를 멈췄습니다.",
    "already_looked_at": "그날 이미 확인해 다시 묻지 않았습니다.",
    "excluded": "제외 요청에 따라 묻지 않습니다.",
    "private_address": "공개된 인터넷 주소가 아니어서 묻지 않았습니다.",
    "server_slowed_twice": "같은 서버가 한 밤에 거듭 요청을 줄여 달라고 해서 다음 날로 미뤘습니다.",
    "server_resting": "서버가 쉬는 중이라 다음으로 미뤘습니다.",
    "source_resting": "이 주소가 쉬는 중이라 다음으로 미뤘습니다.",
    "outlet_resting": "이 매체의 지난 글을 채우는 일을 쉬는 중이라 다음으로 미뤘습니다.",
    "outlet_budget": "이 매체에 하루에 보낼 수 있는 요청을 다 써서 다음으로 미뤘습니다.",
    "night_over": "밤이 끝나도록 차례가 오지 않았습니다.",
}

_BEFORE_REGISTERING = {
    "address_cannot_be_registered": "등록할 수 있는 웹 주소가 아니라 묻지 않았습니다.",
    "may_not_be_registered": "학생 매체가 스스로 꾸리는 곳이 아니라 등록하지 않으며 묻지도 않았습니다.",
    "registered_already": "이미 등록된 주소라 따로 묻지 않았습니다.",
    "redirect_to_login_or_nowhere": "로그인 화면이나 주소가 아닌 곳으로 가라고 해서 따라가지 않았습니다.",
    "probe_is_over": "등록 전에 살펴보는 요청의 수를 다 써서 더 묻지 않았습니다.",
}

_REASONS = _NETWORK | _ANSWERS | _HELD | _OWN_RULES | _BEFORE_REGISTERING

_STATUSES = {
    401: "서버가 로그인 없이는 볼 수 없다고 답했습니다.",
    403: "서버가 접근을 허락하지 않았습니다.",
    404: "그 주소에 아무것도 없다고 답했습니다.",
    410: "서버가 그 주소를 아주 없앴다고 답했습니다.",
    429: "서버가 요청을 줄여 달라고 했습니다.",
    451: "법적인 까닭으로 볼 수 없다고 답했습니다.",
}

_ROBOTS_PAGES = {
    "login_page": "로그인 화면이 나옴",
    "challenge_page": "사람인지 확인하는 화면이 나옴",
    "block_page": "접근을 막는다는 안내가 나옴",
    "timeout": "제때 답하지 않음",
    "no_answer": "답하지 않음",
    "dns": "서버의 주소를 찾지 못함",
    "too_many_redirects": "주소가 너무 여러 번 옮겨짐",
    "private_address": "공개된 인터넷 주소가 아님",
    "excluded": "제외를 요청한 주소로 이어짐",
}


def known(reason: str) -> str:
    """The sentence of a reason whatever the status was; empty where the reason has none."""
    if reason.startswith("robots_") and reason not in _REASONS:
        why = _robots(reason.removeprefix("robots_"))
        return f"robots.txt를 읽지 못했습니다({why}). 허락으로 여기지 않고 다음 밤을 기다립니다."
    # What a held look saw stands behind a colon (`held_skin:OLD>NEW`).
    return _REASONS.get(reason.partition(":")[0] if reason.startswith("held_") else reason, "")


def of_status(status: int) -> str:
    """The sentence of an HTTP status that is a failure; empty where there is none."""
    if status in _STATUSES:
        return f"{_STATUSES[status].rstrip('.')}({status})."
    return f"서버에 오류가 났습니다({status})." if status >= 500 else ""


def _robots(reason: str) -> str:
    """Why robots.txt could not be read, in a few words."""
    status = re.fullmatch(r"http_(\d{3})", reason)
    if status:
        return f"서버의 답 {status[1]}"
    return _ROBOTS_PAGES.get(reason, "보안 연결 문제" if reason.startswith("tls") else "답이 온전하지 않음")
