"""Whether a title or summary advertises what a broken-into site advertises; campus news about the same things does not. Pure.

A word alone proves nothing: students study 카지노경영, watch 토토로 and warn of 불법 토토. What adverts have and news has not
is several such words at once, or one with an invitation.
"""

from __future__ import annotations

import re
import unicodedata

ENOUGH = 2

_SURE = re.compile(
    "카지노사이트|바카라사이트|토토사이트|슬롯사이트|홀덤사이트|파워볼사이트|사설토토|먹튀검증|먹튀사이트|꽁머니|릴게임|바다이야기게임"
    "|카지노추천|바카라추천|토토추천|출장안마|출장마사지|출장샵|콜걸|조건만남|오피사이트|키스방|휴게텔|룸살롱|야동사이트|비아그라구매"
    "|비아그라판매|시알리스구매|정품비아그라|소액결제현금화|신용카드현금화|작업대출|아이디판매|onlinecasino|casinosite|buyviagra|totosite"
)
"""Read without blanks and signs, so that 카.지.노 사이트 is one word."""
_DOUBTFUL = re.compile(
    r"(?<![가-힣])카지노(?!\s?(?:학|경영|산업|관광|딜러|호텔|리조트|복합|자본|로얄))|(?<![가-힣])바카라(?!\s?(?:글라스|크리스털|크리스탈))"
    r"|(?<![가-힣])토토(?![로즐와]|\s?가)|먹튀|(?<![가-힣])슬롯(?!머신|형|카)|(?<![가-힣])홀덤|파워볼|비아그라|시알리스|(?<![가-힣])성인용품"
    r"|안전놀이터|메이저놀이터|(?<![가-힣])야동|\bcasino\b|\bbaccarat\b|\bviagra\b|\bcialis\b|\bslots?\b|\bporn\b|\bescorts?\b"
)
_INVITING = re.compile(
    r"추천|가입\s?(?:코드|쿠폰|머니)|쿠폰|보너스|첫충|입금|환전|충전|총판|배팅|베팅|고수익|당일\s?지급|텔레그램|텔레\s?문의|카톡\s?문의|주소\s?안내"
    r"|바로\s?가기|후기\s?좋은|\bbonus\b|\bpromo\b|\bbet(?:ting)?\b"
)
_NEWS = re.compile(
    r"학과|학부|전공|수업|실습|졸업|취업|채용|특강|강연|인터뷰|동아리|대학생|대학가|학생|학우|총학|교수|본교|우리 대학|캠퍼스"
    r"|예방|중독|근절|규제|단속|논란|피해|비판|처벌|경찰|검거|구속|사설\]|칼럼|연극|영화|전시|공연|소설|역사|축제"
)
_ROOTS = (
    "카지노",
    "바카라",
    "토토",
    "먹튀",
    "슬롯",
    "홀덤",
    "파워볼",
    "꽁머니",
    "릴게임",
    "바다이야기",
    "출장",
    "콜걸",
    "조건만남",
    "오피사이트",
    "키스방",
    "휴게텔",
    "룸살롱",
    "야동",
    "비아그라",
    "시알리스",
    "현금화",
    "작업대출",
    "아이디판매",
    "성인용품",
    "놀이터",
    "casino",
    "baccarat",
    "viagra",
    "cialis",
    "slot",
    "porn",
    "escort",
    "totosite",
)
"""One of these is in every word that counts: ordinary texts need no closer look."""
_SIGNS = re.compile(r"[\W_]+")


def advertises(text: str) -> bool:
    """Whether a text reads like an advert of gambling, sex, pills or loans."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    joined = _SIGNS.sub("", plain)
    if not any(root in joined for root in _ROOTS):
        return False
    sure = set(_SURE.findall(joined))
    doubtful = set(_DOUBTFUL.findall(plain))
    inviting = min(len(set(_INVITING.findall(plain))), 2)
    return bool(sure or doubtful) and (
        2 * len(sure) + len(doubtful) + inviting - (2 if _NEWS.search(plain) else 0) >= ENOUGH
    )
