"""Hosts that may not be registered, each with the reason a reviewer agreed to; a small list, changed like any
code.

P04: only channels the outlet itself runs. The same paper under two addresses would be asked twice a night
(P11), so old homes, staging hosts and copies stand here too, with the address to use instead.
"""

from __future__ import annotations

_PUBLIC_RELATIONS = "it is the university's own PR channel, not a student medium (P04)"
_REPOSTS = "it is a community that re-posts other outlets' articles (P04)"
_SOCIAL = "social-media accounts are not collected"
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

OFFICES = frozenset({"admission", "admissions", "enter", "ipsi", "iphak", "pr"})
"""First labels under `.ac.kr` that name a university's admissions or PR office (P04)."""


def reason(server: str) -> str | None:
    """Why sources of this server (`urls.server`) may not be registered, or None where they may."""
    labels = server.split(".")
    for at in range(len(labels)):
        found = HOSTS.get(".".join(labels[at:]))
        if found:
            return found
    if server.endswith(".ac.kr") and labels[0] in OFFICES:
        return "it looks like a university's admissions or PR office (P04)"
    return None
