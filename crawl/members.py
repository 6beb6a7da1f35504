"""Which entries are marked for those who pay or belong: they get no card (P38). Pure.

A mark stands like a photo story's: in brackets at the very start or end of a title, or bare before a bar or colon at its
start; as the list's section or a category that says nothing else; as a lock before the title; or it is the sentence that
stands in place of a summary (`이 글은 유료 구독자만 읽을 수 있습니다`). An article about paid parking or a members' meeting
is none of it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from crawl.model import Entry, Feed

_WHO = r"(?:유료|정기|후원)?(?:구독|구독자|독자|회원|후원|후원자|멤버|멤버십|멤버쉽|서포터즈?|조합원)"
_WHAT = r"(?:기사|글|콘텐츠|컨텐츠|뉴스|포스트)"
_SURE = (
    rf"{_WHO}(?:전용|한정|공개|만|에게만|에게만공개){_WHAT}?|유료(?:전용|한정|공개|회원|구독자?|{_WHAT})"
    r"|(?:for)?(?:paid|paying|premium)?-?(?:subscribers?|members?|supporters?)-?(?:only|exclusive)|paid-?(?:post|article|content)"
)
_SURE_MARK = re.compile(_SURE)
_MARK = re.compile(rf"{_SURE}|유료|paid")
"""In lower case and without spaces."""
_BRACKETS = str.maketrans(dict.fromkeys("({<〔〈《「『【〖", "[") | dict.fromkeys(")}>〕〉》」』】〗", "]"))
_GROUP = re.compile(r"\[\s*([^\[\]]{1,30}?)\s*\]\s*")
_LAST_GROUP = re.compile(r"\[\s*([^\[\]]{1,30}?)\s*\]$")
_BARE = re.compile(r"([^\[\]|:]{1,20}?)\s*[|:]\s*\S")
_LOCKS = ("🔒", "🔐", "🔏")
_SENTENCE = re.compile(
    rf"[이본] ?{_WHAT}[은는] (?:\S+ ){{0,2}}?(?:유료|구독|회원|후원|멤버)(?:\S{{0,3}} )?\S{{0,3}}?"
    r"(?=전용|만|에게)(?:\S+ ){0,3}?(?:전용 ?(?:\S{1,4})?입니다|수 ?있(?:습니다|어요)|공개(?:됩|합)니다)"
    r"|this (?:post|article|story|content) is (?:only )?(?:for|available to) "
    r"(?:(?:paid|paying|premium) (?:subscribers|members)|(?:subscribers|members) only)",
    re.IGNORECASE,
)
_TITLE_MAX_CHARS = 400


def without(feed: Feed) -> Feed:
    """A document without its entries for payers and members, their number among its flags (`members_only:N`)."""
    free = tuple(entry for entry in feed.entries if not is_marked(entry))
    left_out = len(feed.entries) - len(free)
    return replace(feed, entries=free, flags=(*feed.flags, f"members_only:{left_out}")) if left_out else feed


def is_marked(entry: Entry) -> bool:
    """Whether an entry says of itself that not everybody may read it."""
    if any(_SURE_MARK.fullmatch(_plain(tag)) for tag in entry.tags) or _MARK.fullmatch(_plain(entry.section)):
        return True
    return _is_titled(entry.title) or _SENTENCE.search(entry.summary) is not None


def _is_titled(title: str) -> bool:
    text = unicodedata.normalize("NFKC", title[:_TITLE_MAX_CHARS]).translate(_BRACKETS).strip()
    if text.startswith(_LOCKS):
        return True
    at = 0
    while (group := _GROUP.match(text, at)) is not None:
        if _MARK.fullmatch(_plain(group[1])):
            return True
        at = group.end()
    marks = (_LAST_GROUP.search(text), _BARE.match(text))
    return any(mark is not None and _MARK.fullmatch(_plain(mark[1])) for mark in marks)


def _plain(words: str) -> str:
    return "".join(unicodedata.normalize("NFKC", words[:60]).split()).casefold()
