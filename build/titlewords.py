"""Korean and English words of headlines, by a few rules that the trends page tells. No dictionary."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

LEAST_CHARS = 2
LEAST_LATIN_CHARS = 3
MOST_CHARS = 20

# Labels before a headline (`[사설]`, `<보도>`) name its section, not what it is about.
_LABELS = re.compile(r"\s*(?:\[[^\]]{0,20}\]|<[^>]{0,20}>|【[^】]{0,20}】|〈[^〉]{0,20}〉|\([^)]{0,10}\))+")
_PIECE = re.compile(r"[A-Za-z][A-Za-z'’-]*[A-Za-z](?:[가-힣]+)?|[가-힣]+(?:[A-Za-z]+)?")
_LATIN_HEAD = re.compile(r"([A-Za-z][A-Za-z'’-]*)([가-힣]*)")
_AFTER_DIGIT = re.compile(r"\d[\d.,]*(?:여|만|천|백|억|조)*[가-힣]{0,3}(?![가-힣])|\d[\d.,]*")

SAFE = ("에서는", "에서도", "으로는", "으로도", "에게는", "에서", "에게", "으로", "부터", "까지", "처럼", "보다",
        "이라는", "라는", "과의", "와의", "에는", "에도", "을", "를")  # fmt: skip
"""Particles cut from whatever leaves two syllables or more: hardly a noun ends in them."""

_LONGEST_FIRST = sorted(SAFE, key=len, reverse=True)

DOUBTFUL = ("이나", "이라", "이란", "은", "는", "이", "가", "의", "에", "도", "로", "과", "와", "만", "나", "란", "들")
"""Particles in which nouns and names end as well (`휴가`, `코로나`): cut only where the rest stands alone: of three syllables or
more once, of two at least as often."""

_LONG = 3

KEPT = (
    "학과",
    "주의",
    "대학로",
    "경기도",
    "강원도",
    "제주도",
    "전라도",
    "경상도",
    "충청도",
    "마을",
    "가을",
    "노을",
    "얼음",
    "믿음",
)
"""Endings that are no particle."""

_VERB_ENDS = """
    하다 한다 했다 된다 됐다 되다 하는 되는 하며 하고 하기 하여 해야 하자 했나 하나 한가 할까 인가 일까 는가 던가 려면
    으며 습니다 합니다 입니다 됩니다 세요 네요 어요 아요 에요 예요 이다 린다 난다 간다 온다 낸다 든다 킨다 운다 른다
    선다 쓴다 본다 준다 긴다 춘다 았다 었다 렸다 났다 졌다 왔다 셨다 녔다 겼다 였다 섰다 췄다 지다 않는 없는 있는 같은
    위해 통해 대해 향해 열린 열려 열다
"""
VERB_ENDS = tuple(_VERB_ENDS.split())
"""Ends of verbs and adjectives: what happened, not what it is about."""

_STOP = """
    가장 각종 간의 개의 거의 결국 계속 관련 그날 그녀 그들 그리고 그의 그저 기반 기자 나는 나도 나를 나의 내가 내년 내일
    너무 누가 누구 다가 다른 다시 다양 당신 당신의 대상 대신 대한 대해 더욱 더한 따라 따른 때문 또는 또한 또다시 마다
    마련 마침내 만에 만의 많은 매년 매일 먼저 모두 모든 모집 무엇 무엇을 바로 바란다 받아 밝혀 방법 방안 번째 벌써 보고
    부문 분야 비롯 사람 사실 사이 상반기 새로 새로운 서로 선보여 선정 성료 소식 속에 속의 속으로 수상 수여 수여식 시작
    신임 실시 아닌 아니라 아래 아직 안내 않고 않은 앞두고 앞서 앞에 앞으로 어디 어디까지 어디로 어떤 어떻게 어제 언제
    얼마나 없는 없다 없이 여러 여러분 역시 연속 열린 열려 예정 오늘 오늘의 오직 오히려 올해 와중 왜냐하면 우리 우리가
    우리는 우리의 위하여 위한 위해 의해 이것 이것은 이곳 이들 이렇게 이루 이룬 이번 이상 이슈 이어 이어져 이어지는
    이야기 이제 이제는 이하 이후 인한 일부 있나 있는 있다 자리 자신 작년 잘못 전반 전체 점검 정도 제공 제대로 조금 주년
    중인 중에 증가 지금 지난 지난해 진행 진출 차지 참가 참여 참석 처음 체결 최근 추진 축하 취임 통한 통해 통해서
    특별 편집장 편집국 하나 하는 하다 하반기 학년 학년도 학기 학번 한다 한번 함께 함께하는 했다 향한 향해 현재 호의 화제
    확대 확정 활동 개최 대학 대학교 대학생 학교 학생 우리대 우리학교 본교 교내 대해서 일까 돌아본다 돌아보다
    만나다 만나 만난 보다 속 것들 이유 시간 시대 세상 의미 생각 그것 하루 마음 사회 문화 종합 보도 기획 기사 사설 칼럼
    기고 독자 인터뷰 포토 사진 영상 뉴스 단신 특집 취재 만평 카드뉴스
"""
STOP = frozenset(_STOP.split())
"""Words of every headline, and of every campus."""

_STOP_LATIN = """
    about after all also and any are back been before being best between but can day days does down during each even
    every first for from get gets give goes going has have held her here hers him his hold holds how into its it's just
    let like look made make makes making many may more most much new next not now off one ones only open opens other our
    out over own part see she should since some such take takes tell than that the their them then there these they this
    those through time times today too two under until upon was way ways we what when where which while who whose why
    will with without would year years you your students student university campus college news kicks press
"""
STOP_LATIN = frozenset(_STOP_LATIN.split())
"""The same of English headlines."""


def pieces(title: str) -> list[str]:
    """The words of a headline as they stand, particles and all; figures, their units and the label before it left out."""
    text = unicodedata.normalize("NFC", title)
    label = _LABELS.match(text)
    text = _AFTER_DIGIT.sub(" ", text[label.end() :] if label else text)
    return [_folded(piece) for piece in _PIECE.findall(text) if len(piece) <= MOST_CHARS]


def _folded(piece: str) -> str:
    """Latin letters small, but for an abbreviation's (`AI`, `MT로`)."""
    head = _LATIN_HEAD.fullmatch(piece) if piece[0].isascii() else None
    if not head or (head[1].isupper() and len(head[1]) <= 4):
        return piece
    return head[1].lower().removesuffix("'s").removesuffix("’s") + head[2]


def settled(alone: Mapping[str, int]) -> dict[str, str]:
    """What each piece counts as; a piece that counts for nothing is left out. `alone`: how often each stands in a month."""
    found = ((piece, _word(piece, alone)) for piece in alone)
    return {piece: word for piece, word in found if word}


def _word(piece: str, alone: Mapping[str, int]) -> str:
    if piece[0].isascii():
        return _latin(piece)
    plain = _cut_safe(piece)
    if plain in STOP or piece.endswith(VERB_ENDS):
        return ""
    plain = without_particle(plain, lambda word: alone.get(word, 0))
    # What is left with this ending is a verb (`터지는`) far more often than a noun that never stands alone.
    return "" if len(plain) < LEAST_CHARS or plain in STOP or plain.endswith("는") else plain


def without_particle(word: str, alone: Callable[[str], int]) -> str:
    """A word without the doubtful particle at its end, if there is one; `alone`: how often a word stands by itself."""
    if not word.endswith(DOUBTFUL) or word.endswith(KEPT):
        return word
    for particle in DOUBTFUL:
        stem = word.removesuffix(particle)
        if stem != word and len(stem) >= LEAST_CHARS:
            needed = 1 if len(stem) >= _LONG else max(alone(word), 1)
            if stem in STOP or alone(stem) >= needed:
                return stem
    return word


def _cut_safe(piece: str) -> str:
    if not piece.endswith(SAFE) or piece.endswith(KEPT):
        return piece
    for particle in _LONGEST_FIRST:
        if piece.endswith(particle) and len(piece) - len(particle) >= LEAST_CHARS:
            return piece[: -len(particle)]
    return piece


def _latin(piece: str) -> str:
    head = _LATIN_HEAD.fullmatch(piece)
    if head is None:
        return piece
    word = head[1] if not head[2] or head[2] in SAFE or head[2] in DOUBTFUL else piece
    short = len(word) < (LEAST_CHARS if word.isupper() else LEAST_LATIN_CHARS)
    return "" if short or word.lower() in STOP_LATIN else word
