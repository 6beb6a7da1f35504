"""Walls: pages that stand where an answer should be are named, and nothing else is ever called one (P38, P42)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl.blocks import is_login_address, recognise

MARK = "<meta property='og:type' content='article'>"
FOOTER = "<a href='/a'>개인정보처리방침</a> <a href='/b'>이메일무단수집거부</a> <a href='/c'>아이디/비밀번호 찾기</a>"
HEADLINES = [
    "총학생회 선거, 투표율 미달로 무산", "Access Denied: 도서관 전자자료 접속이 차단되었습니다",
    "로그인이 필요합니다, 수강신청 먹통의 이면",
    "Just a moment... 멈춰 선 캠퍼스", "비정상적인 접근 급증에 학사 서버 마비", "회원 전용 게시판 논란 이어져",
    "captcha 도입한 수강신청",
]  # fmt: skip
LOGIN_BOX = (
    "<form action='/login_check'><input name='id'><input type='password' name='pw'><button>로그인</button></form>"
)
MENU = "".join(f"<a href='/news/{name}'>{name}</a> " for name in ("보도", "사회", "문화", "학술", "여론", "사진"))


def page(body: str, title: str = "한빛학보", head: str = "") -> bytes:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>".encode()


def article_list(count: int = 10) -> str:
    heads = [
        f"<li><a href='/news/articleView.html?idxno={n}'>{HEADLINES[n % 7]}</a> 11.0{n % 9}</li>" for n in range(count)
    ]
    return f"<ul>{''.join(heads)}</ul>"


def name(body: bytes | str, status: int = 200, url: str = "", **headers: str) -> str | None:
    sent = body if isinstance(body, bytes) else body.encode()
    return recognise(status, tuple((field.replace("_", "-"), value) for field, value in headers.items()), sent, url)


WALLS: dict[str, tuple[bytes, str]] = {
    # Challenges
    "Cloudflare's wait": (
        page("<noscript>Enable JavaScript and cookies to continue</noscript>", "Just a moment..."),
        "challenge_page",
    ),
    "Cloudflare's wait in Korean": (
        page("<h2>연결이 안전한지 확인하고 있습니다</h2>", "잠시만 기다리십시오…"),
        "challenge_page",
    ),
    "Cloudflare's script alone": (
        page("<script>window._cf_chl_opt={cType:'managed'}</script>", "news.example"),
        "challenge_page",
    ),
    "Cloudflare's captcha": (
        page(
            "<h1>One more step</h1><p>Please complete the security check to access news.example</p>",
            "Attention Required! | Cloudflare",
        ),
        "challenge_page",
    ),
    "a browser check": (
        page("<h1>Checking your browser before accessing news.example</h1><p>DDoS protection by X</p>"),
        "challenge_page",
    ),
    "a human check": (
        page("<p>Verify you are human by completing the action below.</p>", "news.example"),
        "challenge_page",
    ),
    "a recaptcha alone": (
        page("<form><div class='g-recaptcha'></div><button>확인</button></form>", "확인"),
        "challenge_page",
    ),
    "a captcha in Korean": (
        page("<p>자동등록방지 문자를 입력하세요.</p><img src='/c.png'><input name='code'>"),
        "challenge_page",
    ),
    "robots asked in Korean": (page("<p>로봇이 아닙니다</p><input type='checkbox'>", "보안 확인"), "challenge_page"),
    "a page behind a cookie": (
        b"<html><script>document.cookie='k=1;path=/';location.reload();</script></html>",
        "challenge_page",
    ),
    "a cookie and a way on": (
        b"<script>document.cookie = 'a=b'; window.location.href = '/?x=1';</script>",
        "challenge_page",
    ),
    "a cookie by AES": (
        b"<html><body><script>var a=toNumbers('f6'),c=slowAES.decrypt(a);</script></body></html>",
        "challenge_page",
    ),
    "an interruption": (
        page("<h1>Pardon Our Interruption</h1><p>Something made us think you are a bot.</p>"),
        "challenge_page",
    ),
    "Amazon's": (page("<script src='https://a.token.awswaf.com/b/challenge.js'></script>", ""), "challenge_page"),
    "a captcha service": (
        page("<script>var dd={}</script><script src='https://ct.captcha-delivery.com/c.js'></script>"),
        "challenge_page",
    ),
    # Blocks
    "Akamai's": (
        page("<h1>Access Denied</h1>You don't have permission to access it.<p>Reference #18.4f2</p>", "Access Denied"),
        "block_page",
    ),
    "Cloudflare's block": (
        page("<h1>Sorry, you have been blocked</h1>", "Attention Required! | Cloudflare"),
        "block_page",
    ),
    "Cloudflare's 1020": (
        page("<h1>Error 1020</h1><p>Access denied</p>", "Access denied | news.example used Cloudflare"),
        "block_page",
    ),
    "a firewall's": (
        page("The requested URL was rejected. Please consult with your administrator.", "Request Rejected"),
        "block_page",
    ),
    "an old server's": (
        page("<h1>Forbidden</h1><p>You don't have permission to access / on this server.</p>", "403 Forbidden"),
        "block_page",
    ),
    "nginx's": (page("<center><h1>403 Forbidden</h1></center><hr>nginx", "403 Forbidden"), "block_page"),
    "Imperva's": (
        page("<iframe src='/_Incapsula_Resource?x'>Request unsuccessful. Incapsula incident ID: 1</iframe>", ""),
        "block_page",
    ),
    "a plugin's": (page("<p>Your access to this site has been limited. Generated by Wordfence.</p>"), "block_page"),
    "an address banned": (page("<p>Your IP address has been temporarily blocked.</p>", "Error"), "block_page"),
    "unusual traffic": (page("<p>We detected unusual traffic from your network.</p>", "Sorry"), "block_page"),
    "Korean": (page("<h1>접근이 차단되었습니다</h1><p>관리자에게 문의하세요.</p>", "안내"), "block_page"),
    "Korean by an address": (page("<p>귀하의 IP가 관리자에 의해 차단되었습니다.</p>", "안내"), "block_page"),
    "Korean by a firewall": (page("<p>보안정책에 의해 요청이 거부되었습니다.</p>", "웹방화벽"), "block_page"),
    "Korean odd access": (page("<p>비정상적인 접근입니다.</p>", "오류"), "block_page"),
    "Korean odd access in a window": (
        "<script>alert('비정상적인 접근');history.back();</script>".encode("cp949"),
        "block_page",
    ),
    "Korean for foreigners": (page("<p>해외에서의 접속은 제한되어 있습니다.</p>", "안내"), "block_page"),
    "Korean without a right": (page("<p>접근 권한이 없습니다.</p>", "오류"), "block_page"),
    "Korean limit": (page("<p>과도한 접속으로 이용이 제한되었습니다.</p>", "안내"), "block_page"),
    "the state's warning": (b"<script>location.href='http://warning.or.kr/';</script>", "block_page"),
    "plain words": (b"Access Denied", "block_page"),
    "plain Korean words": ("접근이 차단되었습니다.".encode(), "block_page"),
    "plain Korean words in EUC-KR": ("비정상적인 접근이 감지되어 차단되었습니다.".encode("cp949"), "block_page"),
    # Logins
    "a login": (page(LOGIN_BOX, "로그인 | 한빛학보"), "login_page"),
    "a login under a menu": (page(MENU * 6 + LOGIN_BOX, "한빛학보 - 로그인"), "login_page"),
    "a login in English": (page(f"<h1>Sign in</h1>{LOGIN_BOX}", "Hanbit"), "login_page"),
    "a small login without a name": (page(LOGIN_BOX, "한빛대학교"), "login_page"),
    "a single sign-on": (page(LOGIN_BOX, "통합인증시스템"), "login_page"),
    "words": (page("<p>로그인이 필요합니다.</p>", "안내"), "login_page"),
    "other words": (page("<p>로그인 후 이용하실 수 있습니다.</p><a href='/login'>로그인</a>", "알림"), "login_page"),
    "English words": (page("<p>Please log in to continue.</p>", "Hanbit"), "login_page"),
    "a window of words": (
        page("<script>alert('로그인 후 이용해 주세요.'); history.back();</script>", ""),
        "login_page",
    ),
    "a window and a way": (
        page("<script>alert('회원만 됩니다');location.href='/bbs/login.php?url=%2Fb';</script>", ""),
        "login_page",
    ),
    "a way by refresh": (page("", "", "<meta http-equiv='Refresh' content='0; url=/member/login.html'>"), "login_page"),
    "a window of an old board": (
        page("<script>alert('글을 읽을 권한이 없습니다.\\n로그인 후 이용해 보십시오.');</script>", "오류"),
        "login_page",
    ),
    "a window in EUC-KR": ("<script>alert('로그인이 필요한 서비스입니다.');</script>".encode("cp949"), "login_page"),
    "a login with a captcha": (page(LOGIN_BOX + "<div class='g-recaptcha'></div>", "로그인"), "login_page"),
    "no right, but a login": (page("<p>로그인 후 이용해 주세요.</p>", "접근 제한 안내"), "login_page"),
    "a login with its footer": (page(f"<p>한빛</p>{LOGIN_BOX}{FOOTER}", "한빛대학교"), "login_page"),
    # Paywalls
    "a sentence in a rich page": (
        page(f"<p>이 기사는 유료 구독자만 볼 수 있습니다.</p>{article_list()}", "기사", MARK),
        "paywall",
    ),
    "English sentence in a rich page": (
        page(f"<p>Subscribe to continue reading</p>{article_list()}", "Story", MARK),
        "paywall",
    ),
    "subscribers": (
        page("<h1>총장 선거</h1><p>이 기사는 유료 회원 전용입니다. 구독자만 볼 수 있습니다.</p>", "총장 선거"),
        "paywall",
    ),
    "members": (page("<p>회원 전용 콘텐츠입니다.</p>", "한빛학보"), "paywall"),
    "English": (page("<h1>Election</h1><p>Subscribe to continue reading</p>", "Election"), "paywall"),
    "for subscribers": (page("<p>This post is for paid subscribers</p>", "Letter"), "paywall"),
    "a mark": (
        page(
            "<p>첫 문단만.</p>",
            "기사",
            '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>',
        ),
        "paywall",
    ),
}


@pytest.mark.parametrize(("body", "expected"), WALLS.values(), ids=WALLS.keys())
def test_P38_a_wall_is_named(body: bytes, expected: str) -> None:
    assert name(body) == expected


@pytest.mark.parametrize("status", [200, 403, 429, 503])
def test_P38_the_name_does_not_depend_on_the_status(status: int) -> None:
    assert name(WALLS["Cloudflare's wait"][0], status) == "challenge_page"
    assert name(WALLS["Korean"][0], status) == "block_page"
    assert name(page("<h1>Service Unavailable</h1>", "503"), status) is None


def test_P38_a_header_names_a_challenge_whatever_the_body_is() -> None:
    assert name(b"", cf_mitigated="challenge") == "challenge_page"
    assert name(page(article_list()), CF_Mitigated="challenge") == "challenge_page"
    assert name(b"", 202, x_amzn_waf_action="challenge") == "challenge_page"
    assert name(b"", 403, X_Sucuri_Block="XSS1") == "block_page"
    assert name(page(article_list()), server="cloudflare", cf_ray="1") is None
    assert name(page(article_list()), server="AkamaiGHost") is None


RSS = "<rss version='2.0'><channel><title>한빛학보</title>{}</channel></rss>"
ATOM = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Access Denied</title>{}</feed>"
STORY = (
    "<p>"
    + "도서관 전자자료 접속이 차단되었습니다. 비정상적인 접근 때문이라고 한다. 로그인이 필요합니다. " * 30
    + "</p>"
)
ORDINARY: dict[str, bytes] = {
    "a list": page(article_list()),
    "a list with a login box": page(LOGIN_BOX + MENU + article_list()),
    "a list with a login box and the box's words": page(LOGIN_BOX + "<p>로그인 후 이용하세요</p>" + article_list(6)),
    "a short list": page(article_list(3)),
    "a list called by a blocked headline": page(f"<h2>{HEADLINES[1]}</h2>" + article_list(), HEADLINES[1]),
    "a list without numbers": page("".join(f"<a href='/a/{n}'>{head}</a>" for n, head in enumerate(HEADLINES))),
    "an empty list with a login box": page(LOGIN_BOX + "<p>등록된 기사가 없습니다.</p>"),
    "a list with windows waiting": page(
        article_list() + "<script>function w(){alert('로그인이 필요합니다.');location.href='/bbs/login.php';}</script>"
    ),
    "a list with a captcha for comments": page(
        article_list() + "<div class='g-recaptcha'></div><img src='captcha.png'>"
    ),
    "a list behind Cloudflare": page(
        article_list(), head="<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>"
    ),
    "a list that sets a cookie": page(
        article_list() + "<script>document.cookie='a=1';if(0)location.reload();</script>"
    ),
    "two headlines": page("".join(f"<a href='/a/{n}'>{HEADLINES[n]}</a>" for n in (1, 2))),
    "two posts and a login box": page(LOGIN_BOX + article_list(2)),
    "three posts and a login box of a board": page(f"<h2>회원로그인</h2>{LOGIN_BOX}{article_list(3)}"),
    "a themed page with a notice": page(MENU * 5 + "<p>비정상적인 접근은 차단됩니다. 로그인이 필요합니다.</p>"),
    "a themed page of that name": page(MENU * 5 + "<p>안내</p>", "접근 제한 구역 - 한빛학보"),
    "a page with windows waiting": page(
        "<p>" + "총학생회 소개 글이다. " * 20 + "</p><script>function f(){alert('로그인이 필요합니다.')}</script>"
    ),
    "an article marked, its words short": page("<h1>개교 기념</h1><p>비정상적인 접근이 있었다.</p>", "개교 기념", MARK),
    "an article of few words on logins": page("<h1>먹통</h1><p>로그인이 필요합니다.</p>", "먹통", MARK),
    "a list of marked articles": page(
        article_list(6),
        "목록",
        MARK + '<script type="application/ld+json">[{"isAccessibleForFree":false},'
        '{"isAccessibleForFree":false}]</script>',
    ),
    "a shell of an app that keeps a cookie": page(
        "<div id='root'></div><script>document.cookie='a=1';function go(){location.reload()}</script>"
    ),
    "a frame with a cookie": b"<script>document.cookie='a';if(0)location.reload()</script><frameset><frame src='/m'></frameset>",
    "an article": page(f"<h1>{HEADLINES[1]}</h1>{STORY}<p>김한빛 기자</p>", HEADLINES[1]),
    "a long article without marks": page(f"<h1>로그인 대란</h1>{STORY}", "로그인 대란"),
    "a short article by its mark": page(
        "<h1>접근이 차단되었습니다</h1><p>도서관 앞.</p>",
        "접근이 차단되었습니다",
        MARK,
    ),
    "a short article by its element": page(
        "<article><h1>Access Denied</h1><p>A play at the hall.</p></article>", "Access Denied"
    ),
    "a short article by its reporter": page(
        "<h1>비정상적인 접근</h1><p>사진 두 장. 김한빛 기자</p>", "비정상적인 접근 - 한빛학보"
    ),
    "an article with a login box": page(f"<h1>개교</h1>{LOGIN_BOX}{STORY}", "개교 70주년", MARK),
    "an article open to all": page(
        STORY, "기사", '<script type="application/ld+json">{"isAccessibleForFree":true}</script>'
    ),
    "a front page": page(MENU + LOGIN_BOX + article_list(20)),
    "an empty page": page("", ""),
    "a script to the front page": b"<script>location.href='/index.html';</script>",
    "an app's shell": page("<noscript>You need to enable JavaScript to run this app.</noscript><div id='root'></div>"),
    "not found": page("<h1>404 Not Found</h1><p>페이지를 찾을 수 없습니다.</p>", "404 Not Found"),
    "RSS": RSS.format("".join(f"<item><title>{head}</title></item>" for head in HEADLINES)).encode(),
    "RSS behind a declaration": b"<?xml version='1.0'?>\n"
    + RSS.format("<item><title>Access Denied</title></item>").encode(),
    "RSS without items": RSS.format("").encode(),
    "RSS in EUC-KR": RSS.format("<item><title>접근이 차단되었습니다</title></item>").encode("cp949"),
    "RSS with pages inside": RSS.format(
        f"<item><description><![CDATA[{page(LOGIN_BOX, '로그인').decode()}]]></description></item>"
    ).encode(),
    "Atom": ATOM.format("<entry><title>로그인이 필요합니다</title></entry>").encode(),
    "RDF": b"<?xml version='1.0'?><rdf:RDF><item><title>captcha</title></item></rdf:RDF>",
    "JSON Feed": b'{"version":"https://jsonfeed.org/version/1.1","title":"Access Denied","items":[]}',
    "JSON": b'[{"title":"Just a moment..."}]',
    "other XML": b"<?xml version='1.0'?><error>Access Denied</error>",
    "nothing": b"",
    "blanks": b" \r\n\t ",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "robots.txt": b"# no robots please\nSitemap: https://x.example/login.xml\n",
}


@pytest.mark.parametrize("body", ORDINARY.values(), ids=ORDINARY.keys())
def test_P38_what_is_no_wall_is_never_called_one(body: bytes) -> None:
    assert name(body) is None
    assert name(body, url="https://news.hanbit.ac.example/news/articleList.html") is None


def test_P38_a_login_is_known_by_its_address_where_the_page_is_rich() -> None:
    rich = page(MENU + LOGIN_BOX + article_list())
    assert name(rich, url="https://news.hanbit.ac.example/member/login.php?url=/") == "login_page"
    assert name(page(article_list()), url="https://news.hanbit.ac.example/member/login.php") is None


def test_P38_only_the_first_64_kib_are_read() -> None:
    wall = b"<h1>Access Denied</h1>"
    assert name(page("") + b" " * 70_000 + wall) is None
    assert name(b"<title>Just a moment...</title><body>" + b"<!-- x -->" * 10_000) == "challenge_page"
    assert name(page(MENU + LOGIN_BOX + "<style>" + "a{b:c}" * 20_000 + "</style>" + article_list())) is None


HOSTILE = {
    "depth": b"<div>" * 13_000,
    "links": b"<a href=/1>x" * 5_000,
    "words": "접근이 차단 ".encode() * 4_000,
    "quotes": b"<script>alert('" * 4_000,
    "ways": b"<script>" + b"location." * 7_000,
    "attributes": b"<a " + b"x=1 " * 16_000,
    "meta": b"<meta http-equiv=refresh content=url>" * 1_700,
    "blanks": b" " * 65_536,
    "zeros": bytes(65_536),
    "images": b"<img " * 13_000,
    "huge": b"<p>" * 3_000_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_P38_hostile_pages_cost_little(body: bytes) -> None:
    began = time.process_time()
    name(body)
    assert time.process_time() - began < 5


PIECES = st.sampled_from(
    [
        b"<title>",
        b"</title>",
        b"<script>",
        b"</script>",
        b"alert('",
        b"')",
        b"<a href='",
        b"<input type=password>",
        b"<meta http-equiv=refresh content='0;url=",
        b"\x00",
        b"\xff\xfe",
        "로그인".encode("cp949"),
        b"Access Denied",
    ]
)


@given(
    st.lists(st.one_of(PIECES, st.binary(max_size=5)), max_size=40).map(b"".join),
    st.text(max_size=30),
    st.integers(0, 999),
)
def test_P38_no_page_makes_it_raise(body: bytes, text: str, status: int) -> None:
    assert recognise(status, ((text, text), ("Content-Type", text)), body, text) in (
        None,
        "login_page",
        "paywall",
        "challenge_page",
        "block_page",
    )
    assert is_login_address(text) in (True, False)
    assert is_login_address(f"https://news.example/{text}") in (True, False)


LOGIN_ADDRESSES = [
    "/login", "/login/", "/member/login.php", "/bbs/login.php",
    "/bbs/login.php?url=%2Fbbs%2Fboard.php%3Fbo_table%3Dnews", "/login.do", "/Login.aspx",
    "/user/login", "/users/sign_in", "/signin", "/sign-in", "/logon.jsp",
    "/wp-login.php?redirect_to=https%3A%2F%2Fx.example%2F", "/accounts/login/?next=/news/",
    "/admin/adminLoginForm.html", "/member/memberLogin.do", "/member/login_form.php", "/login/form",
    "/login/index.do", "/login;jsessionid=1F", "/sso/index.jsp",
    "/oauth/authorize?client_id=1", "/saml2/login", "/index.php?act=dispMemberLoginForm", "/?mode=login",
    "/index.php?mid=board&act=dispMemberLoginForm",
    "/member/?return_url=%2Fnews%2F", "/auth/check?returnUrl=https://x.example/a", "/?redirect_uri=%2Fnews",
    "/gate?RelayState=/news", "/%EB%A1%9C%EA%B7%B8%EC%9D%B8",
    "https://accounts.google.com/v3/signin/identifier?continue=x", "https://accounts.google.com/ServiceLogin",
    "https://nid.naver.com/nidlogin.login?url=x",
    "https://nid.naver.com/", "https://sso.hanbit.ac.example/", "https://sso.hanbit.ac.example:8443/a?b",
    "HTTPS://LOGIN.hanbit.ac.example/a",
    "https://accounts.kakao.com/login?continue=x", "https://logins.daum.net/accounts/signinform.do",
    "https://login.microsoftonline.com/a/oauth2/authorize",
    "https://news.hanbit.ac.example/member/login.html", "http://hanbit.ac.example/m/login",
    "//sso.hanbit.ac.example/x",
]  # fmt: skip
ORDINARY_ADDRESSES = [
    "", "/", "/news/login-bug-story.html", "/news/why-login-fails", "/login-bug", "/news/2026/login-down/",
    "/tag/login", "/tags/login/", "/news/login",
    "/category/login/page/2", "/plugin", "/plugins/login-box.js", "/blog/in", "/catalogon", "/design-in",
    "/news/articleView.html?idxno=1", "/bbs/board.php?bo_table=login&wr_id=3",
    "/bbs/board.php?bo_table=news&wr_id=3&return_url=%2Fbbs%2Flist.php",
    "/news/articleView.html?idxno=3&returnUrl=/news/articleList.html", "/?page=2", "/?next=2",
    "/news/articleList.html?sc_word=login", "/search?q=login", "https://blogin.example/",
    "https://news.hanbit.ac.example/", "https://login-news.example/a",
    "https://loginews.example/", "https://hanbit.ac.example/ssobi", "/login/2026/11/03/how-to-stay-signed-in",
    "/rss/allArticle.xml", "/member/list", "/account-of-a-strike",
    "https://[::1", "mailto:login@x.example", "login bug", "/news?next=/news?page=2",
]  # fmt: skip


@pytest.mark.parametrize("url", LOGIN_ADDRESSES)
def test_P38_a_login_is_known_by_its_address(url: str) -> None:
    assert is_login_address(url)


@pytest.mark.parametrize("url", ORDINARY_ADDRESSES)
def test_P38_an_address_that_only_speaks_of_logins_is_none(url: str) -> None:
    assert not is_login_address(url)


@pytest.mark.parametrize("path", sorted(Path(__file__).parent.glob("feeds/*.xml")), ids=lambda path: path.stem)
def test_P38_no_feed_of_the_golden_set_is_a_wall(path: Path) -> None:
    assert name(path.read_bytes()) is None
