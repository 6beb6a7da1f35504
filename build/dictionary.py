"""The open_* tables' descriptions in Korean. The database describes itself in English; each sentence here answers one there."""

# ruff: noqa: E501 - a sentence and its answer are read side by side; broken up, neither could be searched for.

from __future__ import annotations

KOREAN = {
    # tables
    "The record itself: one row an article, everything joined.": "기록의 본체. 글 하나가 한 줄이고, 매체와 태그까지 이어 붙였습니다.",
    "The outlets, with how much of each is held and since when: what was published before, or is missing between, is not known here.": (
        "매체와, 매체마다 얼마나 언제부터 실었는지. 그전에 나왔거나 사이에 빠진 글은 여기서 알 수 없습니다."
    ),
    "The addresses that are looked at, each with its newest outcome.": "확인하는 주소와 가장 최근 결과.",
    "What is missing, by source: each stretch of nights in which the outcome of a source stayed the same. Rows of failed, refused and put_off are its gaps.": (
        "주소별로 빠진 것. 결과가 같았던 밤들을 한 줄로 묶었습니다. failed, refused, put_off인 줄이 빈 구간입니다."
    ),
    "The runs of the crawler.": "수집한 밤들.",
    "What is missing altogether: stretches of Korean days between the first and the last night without a whole night.": (
        "통째로 빠진 것. 첫 밤과 마지막 밤 사이에서 끝까지 수집한 밤이 없는 날들."
    ),
    "Edits that outlets made after we first saw an article.": "처음 본 뒤에 매체가 고친 제목과 요약.",
    "The sections and keywords of each outlet, by its own words.": "매체가 스스로 붙인 섹션과 열쇠말.",
    "Which article stands under which section or keyword; the same as open_articles.tags, to be joined.": (
        "어느 글이 어느 섹션·열쇠말에 드는지. open_articles.tags와 같고, 이어 붙이기 좋게 풀어 놓았습니다."
    ),
    "How much left the record, by reason; what it was is not told.": "까닭별로 기록에서 빠진 글의 수. 무엇이었는지는 적지 않습니다.",
    "What each server was sent in the last whole night, so that anyone can hold us to the policy.": (
        "끝까지 수집한 마지막 밤에 서버마다 보낸 요청. 누구나 원칙을 지켰는지 따질 수 있습니다."
    ),
    "The table of politeness that the last night obeyed, with how often it was broken.": (
        "마지막 밤이 따른 원칙의 값과, 어긴 횟수."
    ),
    "The dictionary of the open_* tables.": "open_* 표들의 사전.",
    # columns
    "number in first-seen order, never reused": "처음 본 순서의 번호. 다시 쓰지 않습니다",
    "name in Korean, as the outlet writes it": "매체가 쓰는 그대로의 한국어 이름",
    "name in English, romanised where the outlet has none": "영문 이름. 매체에 없으면 로마자로 옮겼습니다",
    "university in Korean": "대학의 한국어 이름",
    "the university's slug": "대학의 짧은 이름",
    "newspaper, broadcaster, magazine, english or independent": (
        "newspaper(학보), broadcaster(방송국), magazine(교지), english(영자신문), independent(독립언론)"
    ),
    "the outlet's own front page": "매체의 누리집",
    "province or metropolitan city": "광역시·도",
    "active or ended": "active(운영 중), ended(마침)",
    "1 when the outlet wants no summaries shown": "매체가 요약을 싣지 말라고 했으면 1",
    "earlier slugs, separated by spaces": "예전의 짧은 이름들. 빈칸으로 나눔",
    "what a maintainer should know": "운영자가 알아 둘 것",
    "feed, list, edition or youtube": "feed(피드), list(기사 목록), edition(지면), youtube(유튜브)",
    "the registered address": "등록된 주소",
    "name of the publishing system or list skin, empty if unknown": "게시 시스템이나 목록 꼴의 이름. 모르면 빔",
    "active, paused, closed or frozen, from sources.csv": (
        "active(확인함), paused(쉼), closed(닫음), frozen(더는 확인하지 않음). sources.csv에서"
    ),
    "the channel's own title as last seen": "주소가 스스로 밝힌 제목(마지막으로 본 것)",
    "rss09x, rss10, rss20, atom03, atom10, jsonfeed, or a list page's skin, as last seen": (
        "rss09x, rss10, rss20, atom03, atom10, jsonfeed 또는 목록 꼴의 이름(마지막으로 본 것)"
    ),
    "the channel's own language tag as last seen": "주소가 스스로 밝힌 언어(마지막으로 본 것)",
    "article, photo, video, audio or edition": "article(글), photo(사진), video(영상), audio(소리), edition(지면)",
    "the address exactly as published": "매체가 낸 그대로의 주소",
    "the title as text": "제목",
    "who wrote it, without mail addresses": "글쓴이. 메일 주소는 뺐습니다",
    "publication time, NULL where unknown (never invented)": "낸 때. 모르면 NULL이고, 지어내지 않습니다",
    "second, minute, hour, day or none": "날짜의 정밀도: second, minute, hour, day, none(모름)",
    "the date as the source wrote it": "매체가 적은 그대로의 날짜",
    "feed (zone written), feed_kst (no zone, Korean time assumed), feed_updated (a feed that gives only its last change: the first one seen), list (a list page), list_resolved (its year-less or relative date, resolved when first seen), page (the article's own page), library (the same, by a library), import or none": (
        "날짜의 출처: feed(시간대까지 적힌 피드), feed_kst(시간대가 없어 한국 시간으로 봄), feed_updated(고친 때만 적힌 피드에서 처음 본 값), "
        "list(목록), list_resolved(해가 없거나 ‘3일 전’ 같은 날짜를 처음 본 때에 풀어 적음), page(글의 쪽), library(글의 쪽, 라이브러리로 읽음), import(가져옴), none(없음)"
    ),
    "when a crawl first saw it": "처음 본 때",
    "when its content last changed for us": "내용이 바뀐 것을 마지막으로 본 때",
    "look (found on its night), backfill (an older list page) or import (from a file)": (
        "look(그날 밤에 봄), backfill(지난 목록에서), import(파일에서)"
    ),
    "address of a photo story's picture (P03)": "사진 기사의 사진 주소(P03)",
    "address of an enclosure": "딸린 파일의 주소",
    "media type of the enclosure": "딸린 파일의 종류",
    "length of the enclosure as the feed says": "피드가 밝힌 딸린 파일의 크기",
    "YouTube's identifier of a video; NULL where it is none": "유튜브 영상의 이름. 아니면 NULL",
    "video, shorts or live, as its address says": "주소로 본 video(영상), shorts(쇼츠), live(방송)",
    "the outlet's own section or keyword": "매체가 붙인 섹션이나 열쇠말",
    "the article": "글",
    "the edited article": "고친 글",
    "when we saw the new value": "새 값을 본 때",
    "title or summary": "title(제목) 또는 summary(요약)",
    "the value before": "고치기 전의 값",
    "the value after": "고친 뒤의 값",
    "number of the run": "수집의 번호",
    "the Korean day it belongs to, YYYY-MM-DD": "그 밤의 날짜(한국), YYYY-MM-DD",
    "scheduled, or now (an inspecting pass by hand)": "scheduled(정해진 밤) 또는 now(손으로 한 점검)",
    "first moment of the run": "시작한 때",
    "last moment; NULL if it was broken off": "끝난 때. 도중에 끊겼으면 NULL",
    "sources that were due": "확인할 차례였던 주소",
    "sources read anew": "새로 읽은 주소",
    "sources with the same content (304 or same digest)": "바뀌지 않은 주소(304이거나 내용이 같음)",
    "sources whose answer was a failure": "읽지 못한 주소",
    "sources our own rules did not let us ask": "우리 원칙에 따라 묻지 않은 주소",
    "sources left for later because their server rested, or the night ended": "서버가 쉬거나 밤이 끝나 미룬 주소",
    "articles first seen": "처음 본 글",
    "articles whose content changed": "내용이 바뀐 글",
    "requests sent": "보낸 요청",
    "decoded bytes read": "읽은 바이트(압축을 푼 것)",
    "rows that the audit of the night found": "그 밤의 감사에서 드러난 어긴 일",
    "number in order": "차례 번호",
    "the source": "주소",
    "planned, asked, answered, parsed or stored: how far it came": (
        "어디까지 갔는지: planned(계획), asked(물음), answered(답), parsed(읽음), stored(적음)"
    ),
    "ok, unchanged, not_modified, failed, refused, put_off or not_reached": (
        "결과: ok(읽음), unchanged·not_modified(그대로), failed(실패), refused(묻지 않음), put_off(미룸), not_reached(차례가 오지 않음)"
    ),
    "the named reason": "까닭의 이름",
    "HTTP status, 0 where there was none": "HTTP 상태. 없으면 0",
    "until when it rests; NULL for no rest": "언제까지 쉬는지. 쉬지 않으면 NULL",
    "by which rule it rests": "어느 원칙에 따라 쉬는지",
    "order on the page": "쪽에 놓이는 차례",
    "the rule's ID": "원칙의 이름표",
    "the value's name in the policy table; the rule's own where it has no number": "값의 이름. 수가 없는 원칙은 원칙의 이름",
    "the value obeyed; NULL for a rule without a number": "따른 값. 수가 없는 원칙은 NULL",
    "the rudest value allowed": "허용하는 가장 거친 값",
    "unit of the value": "값의 단위",
    "1 when enforced and audited, 0 when announced but not yet built": "지키고 감사하면 1, 예고만 했으면 0",
    "how often the last night broke it": "마지막 밤에 어긴 횟수",
    "reason code": "까닭의 이름",
    "server name, www. and m. folded, no port": "서버 이름. www.와 m.은 하나로 보고, 포트는 뺌",
    "requests sent to it last night": "지난밤 그 서버에 보낸 요청",
    "start of the first one": "첫 요청을 시작한 때",
    "end of the last one": "마지막 요청이 끝난 때",
    "16 hex digits, the hash of the normalised address": "주소를 가지런히 한 것의 해시. 16진수 16자리",
    "short name, used in addresses": "주소에 쓰는 짧은 이름",
    "the summary, empty where there is none or none is wanted": "요약. 없거나 싣지 않기로 했으면 빔",
    "1 when the summary shown is the start of the text because the outlet gave none": (
        "매체의 요약이 없어 본문 첫머리를 썼으면 1"
    ),
    "the outlet's own sections and keywords, a JSON list of texts": "매체가 붙인 섹션과 열쇠말. JSON 목록",
    "its newest outcome (as in checks.result), empty where it was never due": "가장 최근 결과. 차례가 온 적이 없으면 빔",
    "the named reason of that outcome": "그 결과의 까닭",
    "HTTP status of that outcome, 0 where there was none": "그 결과의 HTTP 상태. 없으면 0",
    "how far that look came (as in checks.stage)": "그때 어디까지 갔는지",
    "by which rule it rests, empty where it does not": "어느 원칙에 따라 쉬는지. 쉬지 않으면 빔",
    "the Korean day since which its outcome has been this, YYYY-MM-DD; NULL where it was never due": (
        "결과가 이렇게 된 날(한국), YYYY-MM-DD. 차례가 온 적이 없으면 NULL"
    ),
    "published in Korean time, as far as its precision goes: YYYY-MM-DD, or with HH, HH:MM, HH:MM:SS; NULL where unknown": (
        "낸 때를 한국 시간으로, 아는 데까지만: YYYY-MM-DD 또는 HH, HH:MM, HH:MM:SS까지. 모르면 NULL"
    ),
    "first_seen in Korean time": "first_seen을 한국 시간으로",
    "changed in Korean time": "changed를 한국 시간으로",
    "started in Korean time": "started를 한국 시간으로",
    "ended in Korean time; NULL if it was broken off": "ended를 한국 시간으로. 도중에 끊겼으면 NULL",
    "seen in Korean time": "seen을 한국 시간으로",
    "first_start in Korean time": "first_start를 한국 시간으로",
    "last_end in Korean time": "last_end를 한국 시간으로",
    "the source that showed it first (open_sources.source), NULL where that is no longer looked at": (
        "처음 보여 준 주소(open_sources.source). 이제 확인하지 않는 주소면 NULL"
    ),
    "addresses of it that are looked at every night": "밤마다 확인하는 주소의 수",
    "articles held": "실은 글",
    "how many of them show no date": "그 가운데 날짜가 없는 글",
    "earliest publication day among them, YYYY-MM-DD in Korean time": "가장 이른 낸 날(한국), YYYY-MM-DD",
    "latest publication day among them, YYYY-MM-DD in Korean time": "가장 늦은 낸 날(한국), YYYY-MM-DD",
    "day on which its first article was first seen: from here on its new articles are followed, YYYY-MM-DD in Korean time": (
        "첫 글을 처음 본 날(한국), YYYY-MM-DD. 이날부터 새 글을 따라갑니다"
    ),
    "day on which its newest article was first seen, YYYY-MM-DD in Korean time": "가장 새 글을 처음 본 날(한국), YYYY-MM-DD",
    "how many of them were found on their night; the others come from older list pages and imported files": (
        "그 가운데 그날 밤에 찾은 글. 나머지는 지난 목록과 가져온 파일에서 왔습니다"
    ),
    "Korean day of the first night with this outcome, YYYY-MM-DD": "이 결과가 시작된 밤의 날짜(한국), YYYY-MM-DD",
    "Korean day of the night in which it changed to another, YYYY-MM-DD; NULL where it still holds": (
        "다른 결과로 바뀐 밤의 날짜(한국), YYYY-MM-DD. 아직 그대로면 NULL"
    ),
    "first day without a night, YYYY-MM-DD": "밤이 빠진 첫날, YYYY-MM-DD",
    "last day without a night, YYYY-MM-DD": "밤이 빠진 마지막 날, YYYY-MM-DD",
    "how many days": "며칠인지",
    "articles of the outlet under it": "그 아래 놓인 매체의 글",
    "day on which the first of them was first seen, YYYY-MM-DD in Korean time": "그 첫 글을 처음 본 날(한국), YYYY-MM-DD",
    "day on which the newest of them was first seen, YYYY-MM-DD in Korean time": "그 가장 새 글을 처음 본 날(한국), YYYY-MM-DD",
    "addresses that are not collected again": "다시 모으지 않는 주소",
    "day of the first, YYYY-MM-DD in Korean time": "그 첫날(한국), YYYY-MM-DD",
    "day of the last, YYYY-MM-DD in Korean time": "그 마지막 날(한국), YYYY-MM-DD",
    "what it holds": "담긴 것",
    "the table or view it stands in": "들어 있는 표",
    "the column": "칸의 이름",
    "unit of its values, empty where they have none": "값의 단위. 없으면 빔",
    "number in first-seen order": "처음 본 순서의 번호",
}

UNITS = {
    "0 or 1": "0 또는 1",
    "epoch seconds UTC": "1970년부터의 초(UTC)",
    "sources": "곳",
    "articles": "편",
    "requests": "번",
    "bytes": "바이트",
    "log rows": "줄",
    "HTTP status": "HTTP 상태",
    "days": "일",
    "see unit": "unit 칸 참고",
}


def told(english: str, lang: str) -> tuple[str, str]:
    """A description for readers of that language, and its own language where that is another."""
    if lang != "ko":
        return english, ""
    korean = KOREAN.get(english)
    return (korean, "") if korean else (english, "en")


def unit(english: str, lang: str) -> str:
    """A unit for readers of that language."""
    return UNITS.get(english, english) if lang == "ko" else english
