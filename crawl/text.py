"""Text out of what outlets publish: titles, summaries, bylines and tags as plain lines. Pure, never raises.

Everything stored is text (design: sanitised once, at parse). Markup is read by a browser's rules, but only elements
that HTML has count as markup: `<포토뉴스>` and `<Photo>` are what an editor typed.
"""

from __future__ import annotations

import html as standard
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html.entities import html5
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from crawl.characters import cut, tidy, whole
from crawl.prose import BESIDE_THE_TEXT_CSS, EDGE, told

TITLE_MAX_CHARS = 300
BYLINE_MAX_CHARS = 100
TAG_MAX_CHARS = 60
TAGS_MAX = 20
_MARKUP_MAX_CHARS = 10_000  # deep nesting costs the parser the square of its length
_TITLE_MARKUP_MAX_CHARS = 5_000

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


class _Tags(NamedTuple):
    """What counts as markup: where some stands, each `<` that is none, and what is surely written as markup."""

    any: re.Pattern[str]
    none: re.Pattern[str]
    written: re.Pattern[str]


def _tags(names: str, after: str) -> _Tags:
    return _Tags(
        re.compile(rf"</?(?:{names}){after}|<!--", re.IGNORECASE),
        re.compile(rf"<(?!/?(?:{names}){after}|!--)", re.IGNORECASE),
        re.compile(rf"</(?:{names})\s*>|<(?:br|hr|img)\b[^<>]*>", re.IGNORECASE),
    )


_TAGS_OF_TITLES = _tags(_TITLE_NAMES, _AFTER_NAME_IN_TITLE)
_TAGS_OF_PAGES = _tags(_PAGE_NAMES, _AFTER_NAME)
_ESCAPED_AGAIN_MAX = 2
_OPENING_MARKUP_CHARS = 5_000
_TEXT_TIMES = 3
"""A `summary` of more than this many times what may be kept is the text itself: outlets write 90 to 400 characters."""
_TRAIL = re.compile(r" < (?:기사\s?본문|기사\s?목록|본문)(?: [-|] .*)?$")
_PART_SIGN = re.compile(r" (?:[-–—|:·»ㅣ<>]|::) ")
_SECTIONS_MAX = 2
_BLOCK_EDGE = re.compile(rf"(?=</?(?:{_BLOCKS}){_AFTER_NAME})", re.IGNORECASE)
_UNSEEN_CSS = ", ".join(_UNSEEN.split("|"))
_INLINE_DATA = re.compile(r"data:[\w/+.;=-]{0,60},[\w/+=%-]{200,}")
_STYLE = re.compile(r"<style\b[^<>]*>[^<]*</style>", re.IGNORECASE)
_LONG_VALUE = re.compile(r"=(?:\"[^\"<>]{100,}\"|'[^'<>]{100,}')")
_REFERENCE = re.compile(r"&(#\d{1,8}|#[xX][0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});", re.ASCII)
_BARE_AMPERSAND = re.compile(r"&(?!#\d{1,8};|#[xX][0-9a-fA-F]{1,7};|[A-Za-z][A-Za-z0-9]{1,31};)", re.ASCII)
_FORGOTTEN_END = re.compile(r"&(nbsp|amp|lt|gt|quot)(?![A-Za-z0-9;=])", re.ASCII)

_LATIN = "A-Za-z0-9\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
_LOCAL = rf"(?<![{_LATIN}._%+-])(?:mailto:)?(?:\"[^\"@]{{1,64}}\"|[{_LATIN}][{_LATIN}._%+!#$&'*=?^`{{}}~-]*)"
_AT = r"(?:\s?(?:[@＠﹫ⓐ]|골뱅이)\s?|\s?[(\[{]\s?(?:at|@|앳|골뱅이)\s?[)\]}]\s?|%40)"
_HOST = r"[\w-]+(?:\s?[(\[{]\s?(?:dot|닷|점)\s?[)\]}]\s?[\w-]+|[.．。][\w-]+)+[.．。]?(?![\w-])"
_MAIL = re.compile(rf"(?:{_LOCAL}{_AT}|(?<=\w)[@＠﹫]){_HOST}", re.IGNORECASE)
_OPENLY_AT = r"(?:\s(?:at|앳)\s|\s?\(a\)\s?|_at_|#|\*)"
_OPENLY_HOST = r"[a-z0-9-]+(?:(?:\s(?:dot|닷|점)\s|\.)[a-z0-9-]+)+(?![\w-])"
_MAILBOX = re.compile(
    rf"{_MAIL.pattern}|{_LOCAL}[@＠﹫][{_LATIN}.-]*|{_LOCAL}{_OPENLY_AT}{_OPENLY_HOST}", re.IGNORECASE
)
"""In a byline more may be one than in a sentence, which may look `at` something."""
_PHONE = re.compile(r"(?<!\d)\(?0\d{1,2}[-. )]{1,2}\d{3,4}[-. ]\d{4}(?!\d)")
_AT_SIGN = re.compile(r"[@＠﹫ⓐ]|%40|골뱅이|[(\[{]\s?(?:at|앳)\s?[)\]}]", re.IGNORECASE)
_LABEL = re.compile(
    r"^(?:기자명|글쓴이|작성자)\s*[:：|]?\s*|(?:^|[\s|/(,·]+)(?:e-?mail|이?메일|mail|연락처)\s*[:：]?\s*$",
    re.IGNORECASE,
)
_EMPTY_PAIR = re.compile(r"\(\s*\)|<\s*>|\[\s*\]|\{\s*\}|（\s*）|〈\s*〉|＜\s*＞|【\s*】|《\s*》")
_BYLINE_EDGE = " |/·•,;:=-–—ㅣΙ"
_IN_PAIR = re.compile(r"[(\[<（]([^()\[\]<>（）]*)[)\]>）]")
_NOBODY = frozenset({
    "unknown", "noreply", "no-reply", "null", "none", "undefined", "anonymous", "admin", "administrator", "webmaster",
    "관리자", "최고관리자", "운영자", "기자",
})  # fmt: skip
_NOT_LETTERS = re.compile(r"[\W_]+")
_LINE_ENDS = re.compile(r"[\n\r\f]+")


@dataclass(frozen=True, slots=True)
class Opening:
    """What may be kept of a summary or text (P02), and whether it is the start of a whole text."""

    text: str
    whole_text: bool


def plain(markup: str, *, html: bool) -> str:
    """The text of a piece of markup (`html`) or of plain text, as one tidy line, references decoded once too often if
    the outlet encoded once too often (I25)."""
    return tidy(_decoded_again(_read(markup, _TAGS_OF_PAGES) if html else whole(markup)))


def title(raw: str, *, html: bool) -> str:
    """A title as one line of text, bounded; tags out (I23), typed angle brackets kept; empty where nothing is left."""
    raw = raw[:_TITLE_MARKUP_MAX_CHARS]
    text = _read(raw, _TAGS_OF_TITLES) if html else whole(raw)
    return cut(tidy(_decoded_again(text)), TITLE_MAX_CHARS)


def without_trail(title: str, names: Iterable[str]) -> str:
    """A title without what a page's `<title>` appends: `… < 섹션 < 기사본문 - 매체명`, and a last ` - 매체명` or ` | 매체명`
    where it is one of the outlet's `names`. Any other ` - ` is the editor's."""
    if found := _TRAIL.search(title):
        parts = title[: found.start()].split(" < ")
        title = " < ".join(parts[: max(len(parts) - _SECTIONS_MAX, 1)]).strip() or title
    known = {letters for name in names if (letters := _letters(name))}
    if known and _letters(title).endswith(tuple(known)):
        for sign in list(_PART_SIGN.finditer(title))[-_SECTIONS_MAX:]:
            if sign.start() and _letters(title[sign.end() :]) in known:
                return title[: sign.start()]
    return title


def parts(name: str) -> list[str]:
    """What a name like `보도 - 한빛대신문` is put together from; empty for a simple one."""
    found = _PART_SIGN.split(name)
    return found if len(found) > 1 else []


def summary(raw: str, *, html: bool, limit: int, title: str) -> str:
    """At most `limit` characters (P02) of a summary or of a text's start; empty where it says no more than the title.

    Without picture captions, what platforms put around an article, the tails feeds append, and mail addresses.
    """
    return opening(raw, html=html, limit=limit, title=title).text


def opening(raw: str, *, html: bool, limit: int, title: str) -> Opening:
    """`summary`, and whether what was given is a whole text rather than a summary (P02)."""
    raw = _light(raw) if html else raw
    text = ""
    # The start of a long post is enough, unless captions and boxes fill it.
    for size in (_OPENING_MARKUP_CHARS, _MARKUP_MAX_CHARS):
        part = _start(raw, size)
        read = _read(part, _TAGS_OF_PAGES, edge=EDGE, unseen=BESIDE_THE_TEXT_CSS) if html else whole(part)
        text = told(_decoded_again(read), title=title, enough=limit * _TEXT_TIMES)
        if len(text) > limit * _TEXT_TIMES or size >= len(raw):
            break
    whole_text = len(text) > limit * _TEXT_TIMES
    if _AT_SIGN.search(text):
        text = tidy(_EMPTY_PAIR.sub("", _MAIL.sub("", text)))
    letters = _letters(text)
    if not letters or _letters(title).startswith(letters):
        return Opening("", False)
    return Opening(cut(text, limit), whole_text)


def byline(raw: str) -> str:
    """Who wrote it, without mail addresses and telephone numbers; empty for a dot, a placeholder or nothing."""
    text = plain(raw[:2_000], html=True)
    text = tidy(_EMPTY_PAIR.sub("", _PHONE.sub("", _MAILBOX.sub("", text)))).strip(_BYLINE_EDGE)
    text = _LABEL.sub("", text).strip(_BYLINE_EDGE)
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


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()


def _read(markup: str, tags: _Tags, *, edge: str = " ", unseen: str = "") -> str:
    """The text of markup, `edge` at the ends of its blocks, without what the selector `unseen` names; markup that was
    escaped, as a whole or in part, is read again."""
    markup = whole(markup)
    if "<![CDATA[" in markup:
        markup = markup.replace("<![CDATA[", "").replace("]]>", "")
    if "<" not in markup and "&" not in markup:
        return markup
    text = _from_html(markup, tags, edge, unseen)
    for _ in range(_ESCAPED_AGAIN_MAX):
        if "<" not in text or not tags.written.search(text):
            break
        text = _from_html(text, tags, edge, unseen)
    return text


def _from_html(markup: str, tags: _Tags, edge: str, unseen: str) -> str:
    markup = _FORGOTTEN_END.sub(r"&\1;", markup)
    if not tags.any.search(markup):
        return decoded(markup)
    markup = _start(_INLINE_DATA.sub("", markup), _MARKUP_MAX_CHARS)
    markup = tags.none.sub("&lt;", _BARE_AMPERSAND.sub("&amp;", markup))
    if edge != " ":
        markup = _LINE_ENDS.sub(" ", markup)
    tree = LexborHTMLParser(_BLOCK_EDGE.sub(edge, markup), is_fragment=True)
    _without(tree, f"{_UNSEEN_CSS}, {unseen}" if unseen else _UNSEEN_CSS)
    return tree.text() if tree.root is not None else ""


def _light(markup: str) -> str:
    """Markup without what weighs much and says nothing: comments, styles, long values of attributes."""
    shown, *commented = markup.split("<!--")
    markup = shown + "".join(piece.partition("-->")[2] for piece in commented)
    return _LONG_VALUE.sub('=""', _STYLE.sub("", _INLINE_DATA.sub("", markup)))


def _start(markup: str, size: int) -> str:
    """At most `size` characters of markup, not ending amid a tag."""
    part = markup[:size]
    amid = len(markup) > size and part.rfind("<") > part.rfind(">")
    return part[: part.rfind("<")] if amid else part


def _without(tree: LexborHTMLParser, css: str) -> None:
    # Innermost first: a node inside one already freed must not be touched again.
    for node in reversed({node.mem_id: node for node in tree.css(css)}.values()):
        node.decompose()
