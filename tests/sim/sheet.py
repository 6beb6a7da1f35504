"""What a list page is told before a skin writes it down, and the shells that all skins share."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from tests.sim.datewords import korean, written


@dataclass(frozen=True, slots=True)
class Row:
    """A piece on a list. `href` as the skin writes links; `at`: epoch seconds; `body` stands for an inner text cut short."""

    number: int
    href: str
    title: str
    byline: str
    section: str
    summary: str
    at: float
    date: str
    image: str
    film: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list: `page` of `pages`, made at `now`; `pinned` rows stand above all others.

    `path`: the list's own path with its query; `decoys`: rows of boxes beside the list, which are none of its items.
    """

    outlet: str
    host: str
    path: str
    rows: tuple[Row, ...]
    pinned: tuple[Row, ...]
    decoys: tuple[Row, ...]
    page: int
    pages: int
    now: float
    english: bool
    declared: str
    page_arg: str

    def link(self, page: int) -> str:
        """The path of another page of this list."""
        if self.page_arg == "/page/":
            return f"{self.path.rstrip('/')}/page/{page}/"
        joint = "&" if "?" in self.path else "?"
        if self.page_arg == "article.offset":
            return f"{self.path}{joint}mode=list&article.offset={(page - 1) * 10}&articleLimit=10"
        return f"{self.path}{joint}{self.page_arg}={page}"

    def around(self) -> range:
        """The page numbers a pager shows, the first of the next ten included."""
        first = (self.page - 1) // 10 * 10 + 1
        return range(first, min(self.pages, first + 10) + 1)


def e(text: str) -> str:
    """Text as it stands in a page."""
    return escape(text, quote=True)


def padded(text: str) -> str:
    """Text with the tabs and newlines that templates leave around it."""
    return f"\n\t\t\t\t\t\t\t\t{e(text)}\n\t\t\t\t\t\t\t"


def document(listing: Listing, title: str, head: str, body: str) -> str:
    """The whole page with what any site puts around its own: styles, scripts, an old-fashioned counter."""
    language = "en" if listing.english else "ko"
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="{listing.declared}">\n'
        f'<meta name="viewport" content="width=1200">\n<title>{e(title)}</title>\n{head}\n'
        '<style>.wrap{width:1200px;margin:0 auto}.side{float:right;width:300px}.hit:after{content:"2020-01-01 00:00"}</style>\n'
        "<script>(function(w,l){w[l]=w[l]||[];w[l].push({'start':new Date(),'url':'/news/articleView.html?idxno=1'});})"
        f"(window,'layer');</script>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def footer(listing: Listing) -> str:
    """Addresses, a licence date and a copyright line: dates that belong to no article."""
    return (
        f'<footer id="footer"><ul><li>제호: {e(listing.outlet)}</li><li>등록일: 2011년 5월 16일</li>'
        '<li>발행인: 견본</li></ul><a href="/intro/privacy.html">개인정보처리방침</a> <a href="/member/login.html">로그인</a>'
        f"<p>저작권자 © {e(listing.outlet)} 무단전재 및 재배포 금지</p></footer>"
    )


def banner(listing: Listing) -> str:
    """Today as a page's head tells it, which is no article's date."""
    here = korean(listing.now)
    return f"UPDATED. {written(listing.now, 'hyphen')} ({'월화수목금토일'[here.weekday()]})"
