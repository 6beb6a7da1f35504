"""Tells an article's prose from what stands around it in a feed: captions, share boxes, the tails platforms append. Pure.

It works on paragraphs, the pieces between block ends of a page or between lines of a text, so that a caption without an
end of its own costs nothing but itself.
"""

from __future__ import annotations

import re

from crawl.characters import tidy

EDGE = "\f"
"""Stands for the end of a block: white space to HTML, so that it may stand anywhere, and to us once it was read."""
_CARDS = ("bookmark", "file", "audio", "video", "button", "signup", "product")
BESIDE_THE_TEXT_CSS = ", ".join(
    (
        "figcaption, .wp-caption-text, .wp-caption-dd, .gallery-caption, .photo-caption, .image-caption, button, pre > code",
        ", ".join(f".kg-{card}-card" for card in _CARDS),
        "figure[data-ke-type=opengraph], .og-text, .container_postbtn, .another_category, .revenue_unit_wrap",
        ".sharedaddy, .jp-relatedposts, .addtoany_share_save_container, .a2a_kit, .sns-share, .sns_share, .social-share",
        ".share-box, .share_box, .medium-feed-link, .adsbygoogle",
    )
)
"""Captions, code, and boxes of WordPress, Ghost, Tistory and Medium that are no part of what an article says."""

_PIECES = re.compile(r"[\f\n\r]+")
_TISTORY_PICTURE = re.compile(r"\[##_[^\[\]#]{0,40}\|[^#]{0,600}?_##\]")
_CAPTION_MARK = "▲"
_CAPTION_MAX_CHARS = 200
_CAPTION_TO_ITS_CREDIT = re.compile(
    r"▲[^▲]{1,150}?(?:[(\[<]\s?(?:사진|ⓒ|©)[^()\[\]<>]{0,30}[)\]>]|[ⓒ©]\s?[가-힣]{2,4}(?: (?:수습)?기자)?(?=\s))\s+(?=\S)"
)
_CREDIT = re.compile(r"[\[(<〈]?\s?(?:(?:사진|그래픽|일러스트|삽화|출처)\s?(?:제공|출처|촬영)?\s?[=:/|·ⓒ]|[ⓒ©])")
_CREDIT_MAX_CHARS = 60
_SHARING = frozenset({
    "공유", "공유하기", "페이스북", "트위터", "카카오톡", "카카오스토리", "네이버밴드", "밴드", "url복사", "url",
    "링크복사", "링크", "복사", "복사하기", "인쇄", "인쇄하기", "스크랩", "글자크기", "구독하기", "좋아요",
    "신고하기", "facebook", "twitter", "kakaotalk", "share", "tweet", "print", "email", "this", "on", "like",
})  # fmt: skip
_WORDS = re.compile(r"[^\W_]+")
_SHARING_MAX_CHARS = 100
_ABOUT_ITSELF = re.compile(
    r"(?:이|본|위|해당) (?:글|기사|원고|칼럼|포스트|게시물|콘텐츠)[은는] [^.!?]{0,120}?"
    r"(?:(?:실린|게재된|게시된|발행된|수록된|작성된|기고된|기고한|연재된|옮긴) (?:글|기사|원고|칼럼|콘텐츠|것)(?:입니다|이다|임)?"
    r"|(?:실렸|게재되었|게재됐|게시되었|게시됐|발행되었|발행됐|수록되었|수록됐|작성되었|작성됐|등장했)(?:습니다|다))\.?"
)
_APPEARED = re.compile(r"\s?(?:first )?appeared first (?:on|at)\s.{0,200}$", re.IGNORECASE)
_THE_POST = re.compile(r"(?:^|\s)The post\s", re.IGNORECASE)
_APPEARED_KO = re.compile(r"\s?처음 (?:등장|게시|발행)\S{0,8}다\.?(?:\s.{0,100})?$")
_THE_POST_KO = re.compile(r"(?:^|\s)(?:이 글|게시물|글)\s")
_TAIL_MAX_CHARS = 400
_ON_MEDIUM = re.compile(r"\s?was originally published in .{1,120} on Medium(?:, where .{0,150})?\.?$")
_MORE_TAIL = re.compile(
    r"\s*\[?(?:더\s?보기|더 읽기|계속 읽기|자세히 보기|(?:read more|continue reading)(?: on .{1,80}?)?)\]?[\s.…→»>]*$",
    re.IGNORECASE,
)
_ELLIPSIS_TAIL = re.compile(r"\s*(?:\[(?:…|\.{3})\]|\.{4,})$")


def told(text: str, *, title: str, enough: int) -> str:
    """What a text tells, as one tidy line of at most little more than `enough` characters: paragraphs that are captions,
    credits, share boxes or say where the text appeared are left out."""
    if "[##_" in text:
        text = _TISTORY_PICTURE.sub(EDGE, text)
    kept: list[str] = []
    length = 0
    after_caption = False
    for piece in _PIECES.split(text):
        paragraph = tidy(piece) if piece.strip() else ""
        if not paragraph:
            continue
        paragraph = paragraph[: enough + _TAIL_MAX_CHARS + 1]
        caption = _without_caption(paragraph)
        if not caption or (_is_credit(paragraph) and (after_caption or not kept)):
            after_caption = True
            continue
        after_caption = False
        if _is_beside(paragraph) or not (said := _without_tail(caption, title)):
            continue
        kept.append(said)
        length += len(said) + 1
        if length > enough:
            break
    return " ".join(kept)


def _without_caption(paragraph: str) -> str:
    """A paragraph without the caption it is, or begins with where a credit ends that."""
    if not paragraph.startswith(_CAPTION_MARK):
        return paragraph
    credited = _CAPTION_TO_ITS_CREDIT.match(paragraph)
    if credited:
        return _without_caption(paragraph[credited.end() :])
    return "" if len(paragraph) <= _CAPTION_MAX_CHARS else paragraph


def _is_credit(paragraph: str) -> bool:
    short = len(paragraph) <= _CREDIT_MAX_CHARS and not paragraph.endswith("다.")
    return short and _CREDIT.match(paragraph) is not None


def _is_beside(paragraph: str) -> bool:
    """Whether a paragraph is a row of share buttons, or says only where the text was published."""
    words = _WORDS.findall(paragraph.lower()) if len(paragraph) <= _SHARING_MAX_CHARS else []
    return (bool(words) and _SHARING.issuperset(words)) or _ABOUT_ITSELF.fullmatch(paragraph) is not None


def _without_tail(paragraph: str, title: str) -> str:
    text = _ELLIPSIS_TAIL.sub("…", paragraph)
    for word, ending, beginning in (("appeared", _APPEARED, _THE_POST), ("처음", _APPEARED_KO, _THE_POST_KO)):
        if word in text and (found := ending.search(text)):
            start = beginning.search(text, max(found.start() - _TAIL_MAX_CHARS, 0), found.start() + 1)
            text = text[: start.start()] if start else text
    if "originally" in text and (found := _ON_MEDIUM.search(text)):
        text = text[: found.start()].removesuffix(title)
    return _MORE_TAIL.sub("", text).strip()
