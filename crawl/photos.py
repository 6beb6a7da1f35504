"""Which entries are photo stories (P03): by the list's section label, a mark in the title, or an outlet's own column. Pure.

A mark stands in brackets at the very start or end of a title, or bare before a bar, colon or dash at its start; never in
the middle, where `사진` is only a word. Seasonal pictures without any mark cannot be told from a title and are left alone.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from crawl import videos
from crawl.model import Entry, Outlet


@dataclass(frozen=True, slots=True)
class PhotoWords:
    """What means "photo story" at one outlet only: `short_names` that stand before 포토 (`숭대`), and `columns`, the names of
    its photo columns (`카메라사계`) as an operator noted them in hub.toml."""

    short_names: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pictures:
    """What this hub keeps of pictures. `of`: photo stories only, or every entry whose feed shows a picture (P03); `words`: what
    means "photo story" at which outlet (slug)."""

    of: Literal["photo", "all"] = "photo"
    words: Mapping[str, PhotoWords] = field(default_factory=dict)

    def kept(self, entry: Entry, outlet: str) -> Entry:
        """The entry of an outlet (slug) as the kind it is, with its picture where one may be kept."""
        entry = marked(videos.marked(entry), self.words.get(outlet, PhotoWords()))
        return entry if self.of == "all" or entry.image_url is None else replace(entry, image_url=None)


def pictures(
    outlets: Iterable[Outlet], of: Literal["photo", "all"], columns: Iterable[tuple[str, tuple[str, ...]]]
) -> Pictures:
    """The words of every registered outlet, with the photo `columns` that hub.toml notes by slug."""
    noted = dict(columns)
    return Pictures(of, {one.slug: PhotoWords(short_names(one.name), noted.get(one.slug, ())) for one in outlets})


LABELS = frozenset({"포토", "포토뉴스", "사진", "화보", "photo"})
"""Section labels that say by themselves what stands in the section, in lower case and without spaces."""

_BEFORE = "특집|기획|현장|캠퍼스|오늘의|이주의|금주의|이달의|today's|campus"
_AFTER = (
    "뉴스|에세이|포커스|스토리|이야기|스케치|갤러리|기획|특집|기사|다큐|르포|앨범|컷|모음|저널|리포트|칼럼|슬라이드"
    "|news|essay|focus|story|stories|sketch|gallery|feature|features|journal|report|album|oftheweek|ofthemonth|oftheday|oftheissue"
)
_MARK = re.compile(rf"(?:{_BEFORE})?(?:포토|사진|화보|photos?)(?:{_AFTER})?|inphotos|inpictures")
"""A word that marks photo stories, in lower case and without spaces."""

_SEEN_IN_PICTURES = re.compile(r"(?:사진으로|화보로|포토로)보는.+")
_COMPANIONS = frozenset({"영상", "동영상", "비디오", "video", "특집"})
"""What may share a bracket with a mark: `[포토/영상]`. A name there makes it a credit: `(사진/홍보팀)`."""

_NUMBER = r"제?\d{1,4}(?:[~,·/-]\d{1,4})*(?:면|호|쪽|p)|(?:vol|no)\.?\d{1,4}"
_PLACE = re.compile(_NUMBER)
_PLACE_BEFORE = re.compile(rf"(?:{_NUMBER})[/·,:|_-]?(?=.)")
_TOGETHER = re.compile(r"[/·&+,|]")
_BULLETS = " \t▲△▴▶▷►▸◆◇◈■□▪●○◎★☆※☞·•∙*"
_OPENING, _CLOSING = "[({<〔〈《「『【〖〘〚⟨⟪‹«⦅", "])}>〕〉》」』】〗〙〛⟩⟫›»⦆"
_SIGNS = str.maketrans(
    dict.fromkeys(_OPENING, "[")
    | dict.fromkeys(_CLOSING, "]")
    | dict.fromkeys("│┃∣❘¦ǀ\u1175", "|")
    | dict.fromkeys("‐‑‒–—―─━−", "-")
    | {"∶": ":", "ᆞ": "·", "・": "·", "•": "·", "‧": "·", "⋅": "·", "’": "'"}
)
_GROUP = re.compile(r"\[+\s*([^\[\]]{1,40}?)\s*\]+")
_BARE = re.compile(r"([^\[\]|:]{1,30}?)\s*(?:[|:]|-(?=\s))\s*(.+)")
_CREDIT = re.compile(r".{0,30}(?:제공|출처|촬영|기자)")
_TITLE_MAX_CHARS = 400


def marked(entry: Entry, words: PhotoWords) -> Entry:
    """The entry as a photo story where its section label, title or outlet says so (P03); other kinds stay what they are."""
    if entry.kind != "article":
        return entry
    if _is_labelled(entry, words) or _is_titled(entry.title, words):
        return replace(entry, kind="photo")
    return entry


def is_label(words: str) -> bool:
    """Whether a section's name says by itself, at any outlet, that photo stories stand in it."""
    return _MARK.fullmatch(_plain(_bracketed(words))) is not None


def short_names(name: str) -> tuple[str, ...]:
    """What an outlet may call itself before 포토: `숭대시보` is also `숭대`, `인하대학신문` also `인하대` and `인하`."""
    whole = _plain(re.sub(r"\(.*?\)|（.*?）", "", name))
    first = _plain(name.split()[0]) if name.split() else ""
    found = dict.fromkeys([whole, *_stems(whole), *_stems(first)])
    return tuple(short for short in found if len(short) > 1)


_MEDIUM = re.compile(
    r"(?:대학원|영자|교육)?(?:신문사?|방송국?)$|(?:대학)?언론[사원]$|학보사?$|시보$|신보$|춘추$|주보$|저널$|교지$|뉴스$|위클리$|타임[즈스]$"
    r"|헤럴드$|글로브$|트리뷴$|포스트$|가제트$|보이스$|(?<=대)보$"
)


def _stems(name: str) -> Iterator[str]:
    """A name without the word for the medium, then shorter and shorter forms of the university in it."""
    stem = _MEDIUM.sub("", name)
    yield stem
    for tail, kept in (("대학교", "대"), ("대학", "대"), ("대", "")):
        if stem.endswith(tail) and len(stem) > len(tail) + 1:
            yield from (stem.removesuffix(tail) + kept, stem.removesuffix(tail))


def _is_labelled(entry: Entry, words: PhotoWords) -> bool:
    """A list's own label, or a feed's category that is one."""
    columns = {_plain(column) for column in words.columns}
    own = {_plain(_bracketed(part)) for part in re.split(r"[>›»/|]", entry.section)} - {""}
    others = {_plain(tag) for tag in entry.tags}
    return bool(own & columns or others & columns or others & LABELS) or any(_MARK.fullmatch(part) for part in own)


def _is_titled(title: str, words: PhotoWords) -> bool:
    text = _bracketed(title)
    if any(_says_photo(inside, words) for inside in _groups(text)):
        return True
    bare = _BARE.fullmatch(text)
    if bare is None or _CREDIT.fullmatch(bare[2]):
        return False
    said = _without_place(_plain(bare[1]))
    return _MARK.fullmatch(said) is not None or _is_own(said, words)


def _bracketed(title: str) -> str:
    """A title with one kind of brackets, bars and dashes, single spaces, and no bullet before it."""
    text = unicodedata.normalize("NFKC", html.unescape(html.unescape(title[:_TITLE_MAX_CHARS])))
    return " ".join(text.translate(_SIGNS).split()).lstrip(_BULLETS)


def _groups(text: str) -> Iterator[str]:
    """What stands in brackets at the start, where several may follow each other, and at the end."""
    at = 0
    while (group := _GROUP.match(text, at)) is not None:
        yield group[1]
        at = group.end()
        while text[at : at + 1] == " ":
            at += 1
    *_, last = [None, *_GROUP.finditer(text, at)]
    if last is not None and last.end() == len(text):
        yield last[1]


def _says_photo(inside: str, words: PhotoWords) -> bool:
    """Whether a bracket marks a photo story: its words together, without page and issue."""
    said = _without_place(_plain(inside))
    if _MARK.fullmatch(said) or _SEEN_IN_PICTURES.fullmatch(said) or _is_own(said, words):
        return True
    parts = [part for part in _TOGETHER.split(said) if part and not _PLACE.fullmatch(part)]
    marks = [part for part in parts if _MARK.fullmatch(part) or _is_own(part, words)]
    return bool(marks) and all(part in marks or part in _COMPANIONS for part in parts)


def _is_own(said: str, words: PhotoWords) -> bool:
    """Whether this is an outlet's own column, or its short name before 포토."""
    if any(said == _plain(column) for column in words.columns):
        return True
    name, photo, rest = said.partition("포토")
    return bool(photo) and _MARK.fullmatch(photo + rest) is not None and name in map(_plain, words.short_names)


def _without_place(said: str) -> str:
    while (place := _PLACE_BEFORE.match(said)) is not None:
        said = said[place.end() :]
    return said


def _plain(words: str) -> str:
    return "".join(unicodedata.normalize("NFKC", words).strip("[]").split()).casefold()
