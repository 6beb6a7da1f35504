"""Hosts that may not be registered, each with the reason a reviewer agreed to; a small list, changed like any
code.

P04: only channels the outlet itself runs. The same paper under two addresses would be asked twice a night
(P11), so old homes, staging hosts and copies stand here too, with the address to use instead.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from crawl import urls

_PUBLIC_RELATIONS = "it is the university's own PR channel, not a student medium (P04)"
_REPOSTS = "it is a community that re-posts other outlets' articles (P04)"
_SOCIAL = "social-media accounts are not collected"
_COMMUNITY = "it is a community board, where anybody posts, not an outlet's own channel (P04)"
_PORTAL = "it is a portal, which shows other outlets' articles (P04)"
_VIDEO = "it is a video service; only YouTube channels may stand in the registry, frozen (P05)"
_LIVE = "stock and real-time data are not collected"
_SHORT = "it is a short link; register the address it leads to"
_MADE_UP = "it is a feed that a third party makes from other people's pages; register the outlet's own address (P04)"
_STORED = "it is a third party's copy; register the outlet's own address (P04)"
_CLASS = "it is a class project, not a standing medium"
_TRADE = "it is not a student medium"
_NO_OUTLET = "a review did not find it to be an outlet's own channel"

HOSTS: dict[str, str] = {
    "facebook.com": _SOCIAL,
    "instagram.com": _SOCIAL,
    "threads.net": _SOCIAL,
    "tiktok.com": _SOCIAL,
    "twitter.com": _SOCIAL,
    "x.com": _SOCIAL,
    "band.us": _SOCIAL,
    "fb.com": _SOCIAL,
    "linkedin.com": _SOCIAL,
    "linktr.ee": _SOCIAL,
    "open.kakao.com": _SOCIAL,
    "pf.kakao.com": _SOCIAL,
    "t.me": _SOCIAL,
    "clien.net": _COMMUNITY,
    "dcinside.com": _COMMUNITY,
    "everytime.kr": _COMMUNITY,
    "fmkorea.com": _COMMUNITY,
    "koreapas.com": _COMMUNITY,
    "orbi.kr": _COMMUNITY,
    "snulife.com": _COMMUNITY,
    "theqoo.net": _COMMUNITY,
    "news.daum.net": _PORTAL,
    "news.google.com": _PORTAL,
    "news.nate.com": _PORTAL,
    "news.naver.com": _PORTAL,
    "news.zum.com": _PORTAL,
    "v.daum.net": _PORTAL,
    "chzzk.naver.com": _VIDEO,
    "sooplive.co.kr": _VIDEO,
    "tv.kakao.com": _VIDEO,
    "tv.naver.com": _VIDEO,
    "twitch.tv": _VIDEO,
    "vimeo.com": _VIDEO,
    "bithumb.com": _LIVE,
    "finance.daum.net": _LIVE,
    "finance.naver.com": _LIVE,
    "finance.yahoo.com": _LIVE,
    "investing.com": _LIVE,
    "krx.co.kr": _LIVE,
    "tradingview.com": _LIVE,
    "upbit.com": _LIVE,
    "bit.ly": _SHORT,
    "han.gl": _SHORT,
    "me2.do": _SHORT,
    "naver.me": _SHORT,
    "tinyurl.com": _SHORT,
    "url.kr": _SHORT,
    "vo.la": _SHORT,
    "feed43.com": _MADE_UP,
    "fetchrss.com": _MADE_UP,
    "politepol.com": _MADE_UP,
    "rss.app": _MADE_UP,
    "rsshub.app": _MADE_UP,
    "archive.today": _STORED,
    "web.archive.org": _STORED,
    "webcache.googleusercontent.com": _STORED,
    "inews.kyungnam.ac.kr": _PUBLIC_RELATIONS,
    "kaunews.kau.ac.kr": _PUBLIC_RELATIONS,
    "newshyu.com": _PUBLIC_RELATIONS,
    "newsletter.cu.ac.kr": _PUBLIC_RELATIONS,
    "webzine.koreatech.ac.kr": _PUBLIC_RELATIONS,
    "webzine.skku.edu": _PUBLIC_RELATIONS,
    "webzine.unist.ac.kr": _PUBLIC_RELATIONS,
    "webzine.yeonsung.ac.kr": _PUBLIC_RELATIONS,
    "khuplaza.com": _REPOSTS,
    "kung.kr": _REPOSTS,
    "mypnu.net": _REPOSTS,
    "liliumpumilum.com": "it shows a copy of another outlet's articles",
    "stakehelp.com": "it shows altered copies of brunch pages; register the brunch address",
    "syjiuqian.com": "it shows a copy of 원대신문; register www.wknews.net",
    "winebark.com": "it shows a copy of another outlet's articles",
    "builder.hufs.ac.kr": "it is a twin of hufs.ac.kr",
    "cic.cju.ac.kr": "it is a twin of cju.ac.kr",
    "edulife.cju.ac.kr": "it is a twin of cju.ac.kr",
    "dgupress.com": "동대신문 has moved; register www.donggukmedia.com",
    "futureedu.smu.ac.kr": "it is a twin of sbe.smu.ac.kr",
    "herald.pusan.ac.kr": "it is a twin of channelpnu.pusan.ac.kr",
    "hubbleye.com": "it is a twin of snuquill.com",
    "kunsan-univ-press.withbluedot.site": "it is a twin of press.kunsan.ac.kr",
    "mednews.tistory.com": "의대생신문 has moved; register e-mednews.org",
    "news.jj.ac.kr": "전주대신문 has moved; register www.jj.ac.kr/jjnews/",
    "popkon.net": "건대신문 has moved; register popkon.konkuk.ac.kr",
    "press.cbnu.ac.kr": "it is a twin of press.chungbuk.ac.kr",
    "press.cnumedia.com": "전대신문 has moved; register press.cnumedia.jnu.ac.kr",
    "press.kookmin.ac.kr": "국민대신문 has moved; register media.kookmin.ac.kr",
    "snujn.moukri.com": "it is a twin of www.snujn.com",
    "tribune.cnumedia.com": "Chonnam Tribune has moved; register tribune.cnumedia.jnu.ac.kr",
    "weekly.pusan.ac.kr": "it is a twin of channelpnu.pusan.ac.kr",
    "heterosis.net": _NO_OUTLET,
    "hongiknewstest.blogspot.com": _NO_OUTLET,
    "ink-yeoun.com": _CLASS,
    "jinkuk.tistory.com": _CLASS,
    "myhubs.org": _CLASS,
    "skhu-weditor.com": _CLASS,
    "campusn.co.kr": "it is unclear who runs it",
    "dhnews.co.kr": _TRADE,
    "krgs.org": _TRADE,
    "kyosu.net": _TRADE,
    "news.unn.net": _TRADE,
    "spotlightuniv.com": _TRADE,
    "studentnews.co.kr": _TRADE,
}
"""Server name (`www.` and `m.` folded) to the reason; hosts below it are meant too."""

_OFFICE = re.compile(r"(?:admissions?|adms?|apply|enter|go|goipsi|hongbo|ipsi|iphak|pr)\d{0,2}")
"""First labels under a university's domain that name its admissions or PR office (P04)."""

_OFFICE_PATH = re.compile(
    r"admissions?|bodo|bodojaryo|hongbo|ipsi|iphak|press[-_]?releases?|보도자료|입학처|입학안내|홍보실|홍보팀",
    re.IGNORECASE,
)
"""Steps of a path on a university's own host that name such an office or its press releases; never the word `press` alone,
which is what student papers call themselves."""

_CAMPUS = (".ac.kr", ".edu")


def reason(server: str) -> str | None:
    """Why sources of this server (`urls.server`) may not be registered, or None where they may."""
    labels = server.split(".")
    for at in range(len(labels)):
        found = HOSTS.get(".".join(labels[at:]))
        if found:
            return found
    below = server.removesuffix(".ac.kr").removesuffix(".edu")
    if below != server and "." in below and _OFFICE.fullmatch(labels[0]):
        return "it looks like a university's admissions or PR office (P04)"
    return None


def reason_for(url: str) -> str | None:
    """Why an address may not be registered, by its server or by a step of its path. ValueError: not http(s)."""
    server = urls.server(url)
    found = reason(server)
    if found is None and server.endswith(_CAMPUS):
        for step in unquote(urlsplit(url).path).split("/"):
            if _OFFICE_PATH.fullmatch(step):
                return f'"{step}" looks like a university\'s admissions or PR office (P04)'
    return found
