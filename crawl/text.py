"""Text out of what outlets publish: titles, summaries, bylines and tags as plain lines. Pure, never raises.

Everything stored is text (design: sanitised once, at parse). Markup is read by a browser's rules, but only elements
that HTML has count as markup: `<포토뉴스>` and `<Photo>` are what an editor typed.
"""

from __future__ import annotations

import html as standard
import re
from collections.abc import Iterable
from html.entities import html5

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawl.characters import cut, tidy, whole

TITLE_MAX_CHARS = 300
BYLINE_MAX_CHARS = 100
TAG_MAX_CHARS = 60
TAGS_MAX = 20
_MARKUP_MAX_CHARS = 50_000  # deep nesting costs the parser the square of its length

_BLOCKS = (
    "address|article|aside|blockquote|br|caption|center|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|"
    "main|nav|ol|option|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul"
)
_UNSEEN = "iframe|math|noscript|object|script|select|style|svg|template|textarea|title"
_INLINE = (
    "a|abbr|acronym|b|big|button|cite|code|del|dfn|em|embed|font|i|img|input|ins|kbd|label|mark|o:p|q|rp|rt|ruby|s|samp|small|"
    "source|span|strike|strong|sub|sup|tt|u|var|wbr"
)
_TITLE_NAMES = rf"{_INLINE}|{_UNSEEN}|br|center|div|h[1-6]|li|ol|p|table|tbody|td|tr|ul"
_PAGE_NAMES = (
    rf"{_INLINE}|{_UNSEEN}|{_BLOCKS}|[a-z]\w?:[a-z]+|area|audio|base|bdi|bdo|body|col|colgroup|data|details|head|html|legend|"
    "link|map|meta|param|picture|progress|summary|time|track|video"
)
_AFTER_NAME = r"(?=[\s/>]|$)"
_AFTER_NAME_IN_TITLE = r"(?=\s*/?>|[\s/]+[a-z][\w:.-]*\s*=|[\s/][\x20-\x7e]{0,300}?>)"
"""A title may say `A<B` and go on; a tag there is closed or has an attribute."""


def _tag(names: str, after: str) -> re.Pattern[str]:
    return re.compile(rf"</?(?:{names}){after}|<!--", re.IGNORECASE)


def _not_tag(names: str, after: str) -> re.Pattern[str]:
    return re.compile(rf"<(?!/?(?:{names}){after}|!--)", re.IGNORECASE)


_TAGS = {True: _tag(_TITLE_NAMES, _AFTER_NAME_IN_TITLE), False: _tag(_PAGE_NAMES, _AFTER_NAME)}
_NO_TAGS = {True: _not_tag(_TITLE_NAMES, _AFTER_NAME_IN_TITLE), False: _not_tag(_PAGE_NAMES, _AFTER_NAME)}
_WRITTEN_TAGS = {
    narrow: re.compile(rf"</(?:{names})\s*>|<(?:br|hr|img)\b[^<>]*>", re.IGNORECASE)
    for narrow, names in ((True, _TITLE_NAMES), (False, _PAGE_NAMES))
}
_ESCAPED_AGAIN_MAX = 2
_BLOCK_EDGE = re.compile(rf"(?=</?(?:{_BLOCKS}){_AFTER_NAME})", re.IGNORECASE)
_UNSEEN_CSS = ", ".join(_UNSEEN.split("|"))
_CAPTIONS_CSS = "figcaption, .wp-caption-text, .wp-caption-dd, .gallery-caption, .photo-caption, .image-caption"
_TAIL_MAX_CHARS = 1_000
_CAPTION_MARK = "▲"
_CAPTION_MAX_CHARS = 200
_INLINE_DATA = re.compile(r"data:[\w/+.;=-]{0,60},[\w/+=%-]{200,}")
_REFERENCE = re.compile(r"&(#\d{1,8}|#[xX][0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});", re.ASCII)
_BARE_AMPERSAND = re.compile(r"&(?!#\d{1,8};|#[xX][0-9a-fA-F]{1,7};|[A-Za-z][A-Za-z0-9]{1,31};)", re.ASCII)
_FORGOTTEN_END = re.compile(r"&(nbsp|amp|lt|gt|quot)(?![A-Za-z0-9;=])", re.ASCII)

_LATIN = "A-Za-z0-9\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
_LOCAL = rf"(?<![{_LATIN}._%+-])(?:mailto:)?(?:\"[^\"@]{{1,64}}\"|[{_LATIN}][{_LATIN}._%+!#$&'*=?^`{{}}~-]*)"
_AT = r"(?:\s?[@＠﹫]\s?|\s?[(\[{]\s?(?:at|앳|골뱅이)\s?[)\]}]\s?)"
_HOST = r"[\w-]+(?:\s?[(\[{]\s?(?:dot|닷|점)\s?[)\]}]\s?[\w-]+|[.．。][\w-]+)+[.．。]?(?![\w-])"
_MAIL = re.compile(rf"(?:{_LOCAL}{_AT}|(?<=\w)[@＠﹫]){_HOST}", re.IGNORECASE)
_MAILBOX = re.compile(rf"{_MAIL.pattern}|{_LOCAL}[@＠﹫][{_LATIN}.-]*", re.IGNORECASE)
_AT_SIGN = re.compile(r"[@＠﹫]|[(\[{]\s?(?:at|앳|골뱅이)\s?[)\]}]", re.IGNORECASE)
_EMPTY_PAIR = re.compile(r"\(\s*\)|<\s*>|\[\s*\]|\{\s*\}|（\s*）|〈\s*〉|＜\s*＞|【\s*】|《\s*》")
_BYLINE_EDGE = " |/·•,;:=-–—ㅣΙ"
_IN_PAIR = re.compile(r"[(\[<（]([^()\[\]<>（）]*)[)\]>）]")
_NOBODY = frozenset({"unknown", "noreply", "no-reply", "null", "none", "undefined", "anonymous"})
_FEED_TAIL = re.compile(
    r"(?:^|\s)(?:The post\s.{0,400}?\s?(?:first )?appeared first (?:on|at)\s.{0,200}"
    r"|(?:이 글|게시물|글)\s.{0,400}?처음 (?:등장|게시|발행)\S{0,8}다\.?(?:\s.{0,100})?)$",
    re.IGNORECASE,
)
_MORE_TAIL = re.compile(
    r"\s*\[?(?:더\s?보기|더 읽기|계속 읽기|자세히 보기|read more|continue reading)\]?[\s.…→»>]*$", re.IGNORECASE
)
_ELLIPSIS_TAIL = re.compile(r"\s*\[(?:…|\.{3})\]$")
_NOT_LETTERS = re.compile(r"[\W_]+")


def plain(markup: str, *, html: bool) -> str:
    """The text of a piece of markup (`html`) or of plain text, as one tidy line, references decoded once too often if
    the outlet encoded once too often (I25)."""
    return tidy(_decoded_again(_read(markup, narrow=False, captions=True) if html else whole(markup)))


def title(raw: str, *, html: bool) -> str:
    """A title as one line of text, bounded; tags out (I23), typed angle brackets kept; empty where nothing is left."""
    text = _read(raw, narrow=True, captions=True) if html else whole(raw[:_MARKUP_MAX_CHARS])
    return cut(tidy(_decoded_again(text)), TITLE_MAX_CHARS)


def summary(raw: str, *, html: bool, limit: int, title: str) -> str:
    """At most `limit` characters (P02) of a summary or of a text's start; empty where it says no more than the title.

    Without picture captions, the tails feeds append, and mail addresses.
    """
    text = _read(raw, narrow=False, captions=False) if html else whole(raw[:_MARKUP_MAX_CHARS])
    text = tidy(_decoded_again(text))[: limit + _TAIL_MAX_CHARS]
    text = _MORE_TAIL.sub("", _FEED_TAIL.sub("", _ELLIPSIS_TAIL.sub("…", text)))
    if _AT_SIGN.search(text):
        text = tidy(_EMPTY_PAIR.sub("", _MAIL.sub("", text)))
    letters = _NOT_LETTERS.sub("", text).casefold()
    if not letters or _NOT_LETTERS.sub("", title).casefold().startswith(letters):
        return ""
    return cut(text, limit)


def byline(raw: str) -> str:
    """Who wrote it, without mail addresses; empty for a dot, a placeholder or nothing."""
    text = plain(raw[:2_000], html=True)
    text = tidy(_EMPTY_PAIR.sub("", _MAILBOX.sub("", text))).strip(_BYLINE_EDGE)
    paired = _IN_PAIR.fullmatch(text)
    text = paired[1].strip(_BYLINE_EDGE) if paired else text
    if not any(char.isalnum() for char in text) or text.casefold() in _NOBODY:
        return ""
    return cut(text, BYLINE_MAX_CHARS)


def tags(raw: Iterable[str]) -> tuple[str, ...]:
    """An outlet's own sections and keywords in its order: cleaned, without doubles, bounded in length and count."""
    kept: dict[str, str] = {}
    for term in raw:
        text = cut(title(term, html=True), TAG_MAX_CHARS)
        if text and any(char.isalnum() for char in text):
            kept.setdefault(text.casefold(), text)
        if len(kept) == TAGS_MAX:
            break
    return tuple(kept.values())


def decoded(text: str) -> str:
    """Text with the references HTML knows replaced by their characters, once; everything else as it stands."""
    return _REFERENCE.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    known = found[1].startswith("#") or f"{found[1]};" in html5
    return standard.unescape(found[0]) if known else found[0]


def _decoded_again(text: str) -> str:
    """I25: decoded again where a known reference is left, unless a `<` would come of it. Twice at most."""
    for _ in range(2 if "&" in text else 0):
        again = decoded(text)
        if again.count("<") != text.count("<"):
            break
        text = again
    return text


def _read(markup: str, *, narrow: bool, captions: bool) -> str:
    """The text of markup; markup that was escaped, as a whole or in part, is read again."""
    markup = whole(markup)
    if "<![CDATA[" in markup:
        markup = markup.replace("<![CDATA[", "").replace("]]>", "")
    if "<" not in markup and "&" not in markup:
        return markup
    text = _from_html(markup, narrow=narrow, captions=captions)
    for _ in range(_ESCAPED_AGAIN_MAX):
        if not _WRITTEN_TAGS[narrow].search(text):
            break
        text = _from_html(text, narrow=narrow, captions=captions)
    return text


def _from_html(markup: str, *, narrow: bool, captions: bool) -> str:
    markup = _FORGOTTEN_END.sub(r"&\1;", markup)
    if not _TAGS[narrow].search(markup):
        return decoded(markup)
    markup = _INLINE_DATA.sub("", markup)[:_MARKUP_MAX_CHARS]
    markup = _NO_TAGS[narrow].sub("&lt;", _BARE_AMPERSAND.sub("&amp;", markup))
    tree = LexborHTMLParser(_BLOCK_EDGE.sub(" ", markup), is_fragment=True)
    _without(tree, _UNSEEN_CSS if captions else f"{_UNSEEN_CSS}, {_CAPTIONS_CSS}")
    if not captions and _CAPTION_MARK in markup:
        _without_marked_captions(tree)
    return tree.text() if tree.root is not None else ""


def _without(tree: LexborHTMLParser, css: str) -> None:
    # One query per removal: a list of nodes may hold children of one already freed.
    while (node := tree.css_first(css)) is not None:
        node.decompose()


def _without_marked_captions(tree: LexborHTMLParser) -> None:
    """Take out blocks that open with ▲, as Korean desks mark what a picture shows, while other text remains."""
    while (node := next((n for n in tree.css("p, td, dd, div, span") if _is_caption(n)), None)) is not None:
        node.decompose()


def _is_caption(node: LexborNode) -> bool:
    text = node.text().strip()
    return text.startswith(_CAPTION_MARK) and len(text) <= _CAPTION_MAX_CHARS
