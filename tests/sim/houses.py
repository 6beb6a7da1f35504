"""Outlets with pages to read: one for each kind of site that students publish on, most of them with a list and no feed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.sim.kits import GHOST as GHOST_FEED
from tests.sim.kits import MEDIUM, NAVER, PODCAST, TISTORY, VELOG, WORDPRESS, Dialect, Kit
from tests.sim.newsroom import Rhythm

_PHOTO = frozenset({"photo"})
_HIDES = frozenset({"photo", "hides"})


@dataclass(frozen=True, slots=True)
class House:
    """One such outlet. `name`: its family in tables; `skin`: of its list, empty for none; `story`: of its article pages.

    `kit`: addresses, feed and encoding; an empty `feed` there means none. `back_days`: for how long before the others it has
    published already. `mix`: as a newsroom has it, with `hides` (some pages ask to be left out of indexes) and `logo` (all
    pages name one and the same picture).
    """

    name: str
    kind: str
    host: str
    kit: Kit
    skin: str
    story: str
    rhythm: Rhythm = "daily"
    back_days: int = 0
    mix: frozenset[str] = _PHOTO


def _list(cms: str, article: str, page: str, items: int, *, page_arg: str = "page", encoding: str = "utf-8") -> Kit:
    """The kit of a site with a list and no feed."""
    declared = {"cp949": "euc-kr"}.get(encoding, encoding)
    kit = Kit(cms, article, "", Dialect("html"), "none", items, list_page=page, encoding=encoding, declared=declared)
    return replace(kit, page_arg=page_arg)


def _feed(cms: str, article: str, feed: str, dialect: Dialect, dates: str, items: int, **more: str) -> Kit:
    return Kit(cms, article, feed, dialect, dates, items, **more)


def _gnu(board: str) -> Kit:
    return _list("gnuboard", f"/bbs/board.php?bo_table={board}&wr_id={{n}}", f"/bbs/board.php?bo_table={board}", 15)


def _nd(view: str = "sm", *, encoding: str = "utf-8") -> Kit:
    page = f"/news/articleList.html?view_type={view}"
    return _list("ndsoft", "/news/articleView.html?idxno={n}", page, 20, encoding=encoding)


HOUSES: tuple[House, ...] = (
    House("ndsoft A", "newspaper", "news.{u}.ac.example", _nd(), "ndsoft-block", "ndsoft-old", "weekly"),
    House("gnuboard", "newspaper", "media.{u}.ac.example",
          _gnu("news"), "gnuboard", "gnuboard"),
    House("plain, no dates", "independent", "{u}wall.example", _list("", "/read/{n}", "/articles", 12), "plain-undated", "plain",
          "programme", mix=_HIDES),
    House("ndsoft C webzine", "newspaper", "press.{u}.ac.example", _nd(), "ndsoft-webzine", "ndsoft-new"),
    House("films", "broadcaster", "ubs.{u}.ac.example", _list("", "/watch/{n}", "/replay", 15), "plain", "plain", "programme",
          mix=frozenset({"film"})),
    House("velog", "independent", "velog.{u}.example",
          _feed("", "/@{u}/post-{n}", "/rss/@{u}", VELOG, "rfc822_gmt", 20), "", "ghost", "monthly"),
    House("k2web", "newspaper", "www.{u}.ac.example",
          _list("k2web", "/bbs/press/4930/{n}/artclView.do", "/press/16922/subview.do", 10), "k2web", "k2web"),
    House("xe", "newspaper", "www.{u}unews.example", _list("xe", "/news/{n}", "/index.php?mid=news", 20), "xe", "xe"),
    House("ndsoft D", "newspaper", "{u}herald.example", _nd(encoding="cp949"), "ndsoft-table",
          "ndsoft-table"),
    House("mediaon", "newspaper", "www.{u}un.example",
          _list("mediaon", "/news/article.html?no={n}", "/news/article_list_all.html", 20), "mediaon", "mediaon"),
    House("wordpress list", "magazine", "{u}culture.example",
          _list("wordpress", "/archives/{n}", "/?cat=243", 10, page_arg="paged"), "wordpress", "wordpress", "monthly"),
    House("editions", "newspaper", "paper.{u}.ac.example", _list("", "/pdf/{u}_{n}.pdf", "/pdf/", 30), "editions", "", "issue",
          back_days=120, mix=frozenset({"issue"})),
    House("film feed", "broadcaster", "feed.{u}bs.example",
          _feed("", "/program/{n}", "/rss.xml", replace(PODCAST, enclosures=False), "rfc822", 20), "", "plain", "programme",
          mix=frozenset({"film", "look_alike"})),
    House("ndsoft B English", "english", "herald.{u}.ac.example", _nd(), "ndsoft-type", "ndsoft-old",
          "monthly"),
    House("tistory list", "magazine", "{u}gyoji.story.example", _list("tistory", "/{n}", "/category", 12), "tistory", "tistory",
          "monthly"),
    House("naver blog", "magazine", "rss.blog.{u}.example",
          _feed("naver", "/{u}/22{n}", "/{u}.xml", NAVER, "rfc822", 50), "", "ghost", "monthly"),
    House("ndsoft C text", "newspaper", "times.{u}.ac.example", _nd(), "ndsoft-text", "ndsoft-new",
          "weekly", back_days=200),
    House("ndsoft C tile", "newspaper", "photo.{u}.ac.example",
          _nd("tm"), "ndsoft-tile", "ndsoft-new"),
    House("ndsoft mobile", "newspaper", "m.news.{u}.example", _nd(), "ndsoft-mobile", "ndsoft-old"),
    House("ndsoft B", "newspaper", "hakbo.{u}.ac.example", _nd(), "ndsoft-type", "ndsoft-old",
          mix=frozenset({"photo", "column"})),
    House("gnuboard, days", "broadcaster", "radio.{u}.ac.example",
          _gnu("radio"), "gnuboard-full", "gnuboard"),
    House("k2web, dots", "english", "english.{u}.ac.example",
          _list("k2web", "/bbs/eng/1110/{n}/artclView.do", "/eng/777/subview.do", 10), "k2web-dot", "k2web", "monthly"),
    House("ntt", "newspaper", "press.{u}.example",
          _list("", "/press/na/ntt/selectNttInfo.do?nttSn={n}", "/press/na/ntt/selectNttList.do?mi=1054", 10,
                page_arg="currPage"), "ntt", "ntt", "weekly"),
    House("smu", "newspaper", "seng.{u}.ac.example",
          _list("", "/newspaper/university.do?mode=view&articleNo={n}", "/newspaper/university.do", 10,
                page_arg="article.offset"), "smu", "ntt", "weekly"),
    House("shingu", "newspaper", "news.{u}college.example",
          _list("", "/detail.php?number={n}&thread=03r02", "/list.php?thread=03r02", 15), "numbered-korean", "shingu", "weekly"),
    House("ulsan", "broadcaster", "media.{u}.example",
          _list("", "/media/4205?action=view&no={n}", "/media/4205", 10, page_arg="pageIndex"), "numbered", "ntt", "programme"),
    House("sogang", "newspaper", "sgunews.{u}.example",
          _list("", "/front/cmsboardview.do?siteId=press&bbsConfigFK=3582&pkid={n}",
                "/front/cmsboardlist.do?siteId=press&bbsConfigFK=3582", 10, page_arg="currentPage"), "numbered", "ntt", "weekly"),
    House("chungbuk", "newspaper", "portal.{u}.example",
          _list("", "/ktimes/news/main2.php?mode=view&section=113&idx={n}",
                "/ktimes/news/main2.php?mode=listall&section=113", 20),
          "numbered-minute", "plain", "weekly"),
    House("kgu", "newspaper", "www.{u}gunews.example",
          _list("", "/news/view.php?idx={n}&mcode=m648iai", "/news/list.php?mcode=m648iai", 15), "kgu", "kgu"),
    House("seoultech", "newspaper", "times.{u}.example",
          _list("", "/reports/?category=53&idx={n}", "/reports/?category=53", 10), "seoultech", "seoultech"),
    House("ghost list", "independent", "press.{u}.letters.example",
          _list("ghost", "/p{n}/", "/tag/news/", 15, page_arg="/page/"), "ghost", "ghost"),
    House("plain", "independent", "www.{u}inside.example", _list("", "/view/{n}", "/news", 15), "plain-korean", "plain"),
    House("plain English", "english", "{u}tribune.example", _list("", "/story/{n}", "/stories", 15), "plain-english", "plain",
          "monthly"),
    House("plain, ago", "independent", "now.{u}.example", _list("", "/post/{n}", "/posts", 15), "plain-relative", "plain"),
    House("one picture", "newspaper", "one.{u}.ac.example", _nd(), "ndsoft-block", "ndsoft-old",
          mix=frozenset({"photo", "logo"})),
    House("medium", "independent", "medium.{u}.example",
          _feed("", "/p/{n}", "/feed", MEDIUM, "rfc822_gmt", 10), "", "ghost", "monthly"),
    House("tistory feed", "magazine", "{u}20.story.example",
          _feed("tistory", "/{n}", "/rss", TISTORY, "rfc822", 10), "", "tistory", "monthly"),
    House("wordpress feed", "independent", "{u}alli.example",
          _feed("wordpress", "/{n}", "/feed/", WORDPRESS, "rfc822_utc", 10), "", "wordpress"),
    House("ghost feed", "independent", "{u}note.letters.example",
          _feed("ghost", "/note-{n}/", "/rss/", GHOST_FEED, "rfc822_gmt", 15), "", "ghost"),
    House("gnuboard, old", "magazine", "old.{u}.ac.example",
          _gnu("old"), "gnuboard", "gnuboard",
          "monthly", back_days=400),
)  # fmt: skip
"""The first fifteen are what the demo shows."""
