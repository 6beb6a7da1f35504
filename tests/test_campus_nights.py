"""Whole nights over pages as campus systems print them, read by the real readers: what lists, feeds and article pages of one
outlet make of each other (P11, P22, P38, P51, S31; data.md, Identity)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from crawl import readers
from crawl.model import Source
from crawl.policy import Policy
from tests.nights import FIRST_NIGHT, Hub, Scripted, answer, registry
from tests.sim.web import Answer

POLICY = Policy()
SITE = "https://press.saebyeok.example"
LIST, FEED, ROBOTS = f"{SITE}/news/articleList.html?view_type=sm", f"{SITE}/rss/allArticle.xml", f"{SITE}/robots.txt"
BOARD, BOARD_FEED = f"{SITE}/bbs/board.php?bo_table=news", f"{SITE}/bbs/rss.php?bo_table=news"
FREE = [answer(body=b"User-agent: *\nAllow: /\n")]
Row = tuple[str, str, str]
"""Address, title and date (or nothing) of an item."""


class Rest(Scripted):
    """A web of a few addresses where every other one is not found."""

    def answer(self, url: str, headers: Mapping[str, str], now: float) -> Answer:
        if url in self.answers:
            return super().answer(url, headers, now)
        self.heard.append((now, url, dict(headers)))
        return answer(404)


def hub(root: Path, web: dict[str, list[Answer]], *sources: Source) -> Hub:
    one = Hub(root, Rest({ROBOTS: FREE} | web), registry(sources))
    one.readers = readers.real(POLICY)
    return one


def source(url: str, kind: str = "list", cms: str = "ndsoft") -> Source:
    return Source("press", kind, url, cms, "active", "", "")  # type: ignore[arg-type]


def article(number: int, site: str = SITE) -> str:
    return f"{site}/news/articleView.html?idxno={number}"


def undated(numbers: Sequence[int]) -> list[Row]:
    return [(article(number), f"학생회관 {number}호실 이야기", "") for number in numbers]


def webzine(rows: Sequence[Row], *, total: int = 0) -> Answer:
    """A list of the newest ND Soft skin; `total`: how many articles it says there are."""
    items = "".join(
        f'<li class="altlist-webzine-item"><H2 class="altlist-subject"><a href="{url}">\n\t{title}\n</a></H2>'
        f'<p class="altlist-summary">{title}의 앞부분입니다.</p><div class="altlist-info">'
        f'<div class="altlist-info-item">보도</div><div class="altlist-info-item">김하늘 기자</div>'
        f"{f'<div class=altlist-info-item>{date}</div>' if date else ''}</div></li>"
        for url, title, date in rows
    )
    count = f'<div class="altlist-count">총 <strong>{total}</strong>건</div>' if total else ""
    more = f'<script>var pagingType = "more", total = {total}, list_per_page = 20;</script>' if total else ""
    return answer(
        body=f'<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>전체 &lt; 기사목록 - 새벽대신문</title>{more}'
        f'</head><body><div id="sections" class="altlist"><header class="altlist-header">{count}</header>'
        f'<article id="section-list" class="altlist-body"><ul class="altlist-webzine">{items}</ul></article></div>'.encode()
    )


def rss(rows: Sequence[Row]) -> Answer:
    items = "".join(
        f"<item><title>{title}</title><link>{url.replace('&', '&amp;')}</link><pubDate>{date}</pubDate></item>"
        for url, title, date in rows
    )
    return answer(
        body=f'<?xml version="1.0"?><rss version="2.0"><channel><title>새벽</title>{items}</channel></rss>'.encode()
    )


def page(head: str = "", *, s: float = 0.5) -> list[Answer]:
    return [answer(body=f"<!doctype html><html><head>{head}</head><body><h1>기사</h1></body></html>".encode(), s=s)]


def published(day: str) -> list[Answer]:
    return page(f'<meta property="article:published_time" content="{day}T10:00:00+09:00">')


def asked(one: Hub, part: str) -> list[str]:
    return [url for _, url, _ in one.web.heard if part in url]


def test_P11_a_list_whose_articles_lie_on_many_servers_reads_three_pages_a_night_all_the_same(
    memory_path: Path,
) -> None:
    sites = [f"https://{name}.saebyeok.example" for name in ("press", "eng", "mag", "old", "cult", "arts")]
    rows = [(article(number, site), f"개교기념일 소식 {number}호", "") for number, site in enumerate(sites, 1)]
    web = {f"{site}/robots.txt": FREE for site in sites} | {url: page(s=9) for url, _, _ in rows}
    one = hub(memory_path, web | {LIST: [webzine(rows)]}, source(LIST))
    one.night()
    assert len(asked(one, "articleView")) == 3
    assert one.breaches() == {}


def test_P11_a_date_that_the_feed_prints_needs_no_article_page(memory_path: Path) -> None:
    numbers = range(20, 10, -1)
    dated = [(url, title, "Wed, 04 Mar 2026 10:30:00 +0900") for url, title, _ in undated(numbers)]
    looks = {LIST: [webzine(undated(numbers)), webzine(undated(range(21, 10, -1)))], FEED: [rss(dated)]}
    one = hub(memory_path, looks, source(LIST), source(FEED, "feed"))
    one.night(1)
    assert asked(one, "articleView") == []
    found = "SELECT DISTINCT datetime(published, 'unixepoch', '+9 hours'), date_from, byline, source FROM articles"
    assert one.read(found) == [("2026-03-04 10:30:00", "feed", "김하늘 기자", 1)]
    before = one.read("SELECT * FROM articles ORDER BY id")
    one.night(2)
    assert one.read("SELECT * FROM articles ORDER BY id")[:10] == before
    assert asked(one, "articleView") == [article(21)]


def test_P03_a_lists_section_of_photo_stories_counts_for_what_the_feed_showed_first(memory_path: Path) -> None:
    row = (article(3), "봄이 오는 길목에서", "2026-03-04 10:30:00")
    shown = webzine([row]).body.replace("보도".encode(), "포토뉴스".encode())
    looks = {
        FEED: [rss([row]), rss([row, (article(4), "개강", row[2])])],
        LIST: [answer(body=shown), answer(body=shown + b" ")],
    }
    picture = page(f'<meta property="og:image" content="{SITE}/news/photo/3.jpg">')
    one = hub(memory_path, looks | {article(3): picture}, source(FEED, "feed"), source(LIST))
    one.night(1)
    found = "SELECT kind, image_url, source FROM articles WHERE id = 1"
    assert one.read(found) == [("photo", f"{SITE}/news/photo/3.jpg", 1)]
    before = one.read("SELECT a.*, x.tag FROM articles a JOIN article_tags x ON x.article = a.id WHERE a.id = 1")
    one.night(2)
    assert (
        one.read("SELECT a.*, x.tag FROM articles a JOIN article_tags x ON x.article = a.id WHERE a.id = 1") == before
    )
    assert one.read("SELECT result, new, changed FROM looks ORDER BY id")[2:] == [("ok", 1, 0), ("ok", 0, 0)]


def test_S31_pages_that_never_answer_do_not_keep_the_others_from_their_dates(memory_path: Path) -> None:
    bad = {article(number): [answer(status)] for number, status in ((9, 403), (8, 500), (7, 403))}
    good = {article(number): published("2026-03-02") for number in range(1, 7)}
    one = hub(memory_path, {LIST: [webzine(undated(range(9, 0, -1)))]} | bad | good, source(LIST))
    for number in range(1, 6):
        one.night(number)
    assert one.read("SELECT count(*) FROM articles WHERE published IS NOT NULL") == [(6,)]
    assert one.breaches() == {}


def test_P22_an_archive_without_dates_waits_until_its_pages_tell_how_old_it_is(memory_path: Path) -> None:
    first, second = range(60, 40, -1), range(40, 20, -1)
    dates = {article(number): published("2025-06-01" if number > 37 else "2021-06-01") for number in range(1, 61)}
    lists = {LIST: [webzine(undated(first), total=60)]}
    lists |= {
        f"{LIST}&page={at}": [webzine(undated(rows), total=60)] for at, rows in ((2, second), (3, range(20, 0, -1)))
    }
    one = hub(memory_path, lists | dates, source(LIST))
    for number in range(1, 4):
        one.night(number)
    # The archive's first page came in the first night; until it is dated nothing older is asked for.
    assert asked(one, "&page=") == [f"{LIST}&page=2"]
    for number in range(4, 20):
        one.night(number)
    assert asked(one, "&page=") == [f"{LIST}&page=2"]
    old = "SELECT count(*) FROM articles WHERE published < unixepoch('2022-01-01')"
    assert one.read(old) == [(0,)]
    assert one.breaches() == {}


def test_P22_an_archive_without_dates_goes_on_once_its_page_is_dated(memory_path: Path) -> None:
    lists = {LIST: [webzine(undated(range(44, 24, -1)), total=44)]}
    lists[f"{LIST}&page=2"] = [webzine(undated([4, 3]), total=44)]
    lists[f"{LIST}&page=3"] = [webzine(undated([2, 1]), total=44)]
    dates = {article(number): published("2025-06-01") for number in range(1, 45)}
    one = hub(memory_path, lists | dates, source(LIST))
    one.night(1)
    one.night(2)
    assert asked(one, "&page=") == [f"{LIST}&page=2"]
    one.night(3)
    assert asked(one, "&page=") == [f"{LIST}&page=2", f"{LIST}&page=3"]


def test_P22_an_archive_that_gives_one_page_whatever_is_asked_is_left_at_its_second_answer(memory_path: Path) -> None:
    rows = [
        (article(number), f"지난 호 다시 읽기 {number}편", f"2026-02-{number:02} 10:00") for number in range(20, 0, -1)
    ]
    lists = {LIST: [webzine(rows, total=257)]}
    lists |= {f"{LIST}&page={at}": [webzine(rows, total=257)] for at in range(2, 14)}
    one = hub(memory_path, lists, source(LIST))
    for number in range(1, 4):
        one.night(number)
    assert asked(one, "&page=") == [f"{LIST}&page=2", f"{LIST}&page=3"]


def test_S31_a_deleted_article_that_leads_to_the_front_page_learns_nothing_from_it(memory_path: Path) -> None:
    front = page(
        f'<meta name="robots" content="noindex"><meta property="og:image" content="{SITE}/banner.jpg">'
        '<meta property="article:published_time" content="2026-03-04T23:00:00+09:00">'
    )
    rows = [
        (article(3), "지워진 기사 하나", ""),
        (article(2), "[포토] 지워진 사진", "2026-03-01 10:00"),
        (article(1), "남은 기사", ""),
    ]
    web = {LIST: [webzine(rows)], f"{SITE}/": front, f"{SITE}/main.html": front, article(1): published("2026-03-02")}
    web[article(3)], web[article(2)] = ([answer(302, headers={"Location": to})] for to in ("/", "/main.html"))
    one = hub(memory_path, web, source(LIST))
    one.night(1)
    one.night(2)
    shown = "SELECT date(published, 'unixepoch', '+9 hours'), image_url, withheld FROM articles ORDER BY id"
    assert one.read(shown) == [(None, None, ""), ("2026-03-01", None, ""), ("2026-03-02", None, "")]
    assert len(asked(one, "articleView")) == 3


def test_P45_an_archive_that_sends_us_to_a_login_is_denied_and_left_alone_for_a_week(memory_path: Path) -> None:
    rows = [
        (article(number), f"지난 호 다시 읽기 {number}편", f"2026-02-{number:02} 10:00") for number in range(20, 0, -1)
    ]
    login = answer(302, headers={"Location": "/member/login.html?ret=%2Fnews"})
    one = hub(memory_path, {LIST: [webzine(rows, total=257)], f"{LIST}&page=2": [login]}, source(LIST))
    for number in range(1, 9):
        one.night(number)
    assert len(asked(one, "&page=")) == 2
    assert asked(one, "login") == []
    assert one.read("SELECT rule, round((until - since) / 86400) FROM rests") == [("P45", 7.0), ("P45", 14.0)]


def test_P51_a_picture_on_a_private_network_is_no_picture(memory_path: Path) -> None:
    private = ["http://192.168.0.7/a.jpg", "http://localhost:8080/a.jpg", "//10.1.2.3/a.jpg", "http://[::1]/a.jpg"]
    rows = [(article(number), f"[포토] 눈 내린 교정 {number}", "2026-03-04 10:00") for number in range(5, 0, -1)]
    pages = {article(at): page(f'<meta property="og:image" content="{url}">') for at, url in enumerate(private, 2)}
    pages[article(1)] = page(f'<meta property="og:image" content="{SITE}/news/photo/a.jpg">')
    one = hub(memory_path, {LIST: [webzine(rows)]} | pages, source(LIST))
    one.night()
    assert one.read("SELECT image_url FROM articles WHERE image_url IS NOT NULL") == [(f"{SITE}/news/photo/a.jpg",)]
    assert len(asked(one, "articleView")) == 5


def test_P51_nor_is_an_enclosure_there_one(memory_path: Path) -> None:
    items = "".join(
        f"<item><title>새벽방송 {number}회</title><link>{article(number)}</link>"
        f'<enclosure url="{host}/{number}.mp3" type="audio/mpeg" length="9"/></item>'
        for number, host in ((1, "http://172.16.0.9"), (2, SITE))
    )
    body = f'<?xml version="1.0"?><rss version="2.0"><channel><title>새벽</title>{items}</channel></rss>'.encode()
    one = hub(memory_path, {FEED: [answer(body=body)]}, source(FEED, "feed"))
    one.night()
    assert one.read("SELECT media_url FROM articles ORDER BY url") == [(None,), (f"{SITE}/2.mp3",)]


def gnuboard(numbers: Sequence[int]) -> Answer:
    rows = "".join(
        f'<tr><td class="td_num2">{number}</td><td class="td_subject"><div class="bo_tit">'
        f'<a href="{BOARD}&amp;wr_id={number}&amp;page=1">방송국 개편 {number}차 회의</a></div></td>'
        f'<td class="td_name">새벽</td><td class="td_datetime">2026-03-0{number % 4 + 1}</td></tr>'
        for number in numbers
    )
    return answer(
        body=f'<!doctype html><html lang="ko"><body><div id="bo_list"><table><thead><tr><th>번호</th><th>제목</th><th>글쓴이'
        f"</th><th>날짜</th></tr></thead><tbody>{rows}</tbody></table></div>".encode()
    )


def rhymix(numbers: Sequence[int]) -> Answer:
    rows = "".join(
        f'<tr><td class="no">{number}</td><td class="title"><a class="hx" href="/news/{number}">'
        f'방송국 개편 {number}차 회의</a></td><td class="author">새벽</td><td class="time">2026.03.0{number % 4 + 1}</td></tr>'
        for number in numbers
    )
    return answer(
        body=f'<!doctype html><html lang="ko"><body><table class="bd_lst bd_tb_lst"><tbody>{rows}</tbody></table>'.encode()
    )


def test_I15_a_boards_list_and_feed_that_write_their_addresses_differently_show_one_article(tmp_path: Path) -> None:
    numbers, date = range(1020, 1010, -1), "Wed, 04 Mar 2026 10:30:00 +0900"
    pairs = (
        ("gnuboard", BOARD, gnuboard(numbers), BOARD_FEED, f"{SITE}/news/%d"),
        ("xe", f"{SITE}/news", rhymix(numbers), f"{SITE}/news/rss", f"{SITE}/index.php?mid=news&document_srl=%d"),
    )
    for cms, board, shown, feed, form in pairs:
        rows = [(form % number, f"방송국 개편 {number}차 회의", date) for number in numbers]
        one = hub(
            tmp_path / cms, {board: [shown], feed: [rss(rows)]}, source(feed, "feed", cms), source(board, cms=cms)
        )
        one.root.mkdir()
        one.night(1)
        one.night(2)
        assert one.read("SELECT reason, entries FROM looks WHERE night = 1") == [("read", 10), ("read", 10)]
        assert one.read("SELECT count(*) FROM articles") == [(10,)], cms


def test_I15_but_other_boards_and_numbers_stay_articles_of_their_own(memory_path: Path) -> None:
    forms = ["/news/7", "/news/8", "/free/7", "/g5/news/7", "/bbs/board.php?bo_table=free&wr_id=8", "/news", "/7"]
    rows = [(f"{SITE}{form}", f"소식 {number}", "2026-03-04 10:00:00") for number, form in enumerate(forms)]
    one = hub(memory_path, {BOARD_FEED: [rss(rows)]}, source(BOARD_FEED, "feed", "gnuboard"))
    one.night()
    assert one.read("SELECT count(*) FROM articles") == [(len(forms),)]


def university(numbers: Sequence[int], offset: int, total: int) -> Answer:
    """A university's board whose links carry how far down its list they stand."""
    rows = "".join(
        f'<tr><td>{number}</td><td class="b-td-left"><div class="b-title-box"><a href="?mode=view&amp;articleNo={number}'
        f'&amp;article.offset={offset}&amp;articleLimit=10">봄호 {number}번째 글</a></div></td>'
        f'<td><span class="b-writer">새벽</span></td><td><span class="b-date">2026.02.{number % 28 + 1:02}</span></td></tr>'
        for number in numbers
    )
    pages = "".join(
        f'<a href="?mode=list&amp;articleLimit=10&amp;article.offset={at}">{at // 10 + 1}</a>'
        for at in range(0, total, 10)
    )
    return answer(
        body=f'<!doctype html><html lang="ko"><body><table class="board-table"><tbody>{rows}</tbody></table>'
        f'<div class="b-paging-wrap">{pages}</div>'.encode()
    )


def test_P22_articles_that_moved_down_a_board_between_two_nights_of_an_archive_are_not_doubled(
    memory_path: Path,
) -> None:
    board = f"{SITE}/newspaper/university.do"
    older = f"{board}?articleLimit=10&article.offset="
    before, after = range(40, 0, -1), range(44, 0, -1)
    web = {board: [university(before[:10], 0, 40), university(after[:10], 0, 44)]}
    web[f"{older}10"] = [university(before[10:20], 10, 40)]
    # The night breaks off here; four articles later the rest of the archive stands four places further down.
    web[f"{older}20"] = [answer(503), answer(503), answer(503), university(after[20:30], 20, 44)]
    web[f"{older}30"] = [university(after[30:40], 30, 44)]
    one = hub(memory_path, web, source(board, cms=""))
    one.night(1, until=FIRST_NIGHT + 600)
    assert one.read("SELECT count(*) FROM articles") == [(20,)]
    one.night(2)
    assert one.read("SELECT count(*), count(DISTINCT title) FROM articles") == [(40, 40)]


def test_P22_nor_where_only_the_links_say_on_which_page_they_stand(memory_path: Path) -> None:
    board = f"{SITE}/board/list.jsp?b=2"

    def listed(numbers: Sequence[int], at: int) -> Answer:
        rows = "".join(
            f'<tr><td>{number}</td><td><a href="/board/view.jsp?b=2&amp;seq={number}&amp;nowPage={at}">여름호 {number}번째 글</a>'
            f"</td><td>새벽</td><td>2026.02.{number % 28 + 1:02}</td></tr>"
            for number in numbers
        )
        pages = "".join(f'<a href="/board/list.jsp?b=2&amp;nowPage={page}">{page}</a>' for page in (1, 2, 3))
        return answer(
            body='<!doctype html><html lang="ko"><body><table><thead><tr><th>번호</th><th>제목</th><th>글쓴이</th>'
            f'<th>날짜</th></tr></thead><tbody>{rows}</tbody></table><div class="paging">{pages}</div>'.encode()
        )

    web = {board: [listed(range(30, 20, -1), 1), listed(range(34, 24, -1), 1)]}
    web[f"{board}&nowPage=2"] = [listed(range(20, 10, -1), 2)]
    web[f"{board}&nowPage=3"] = [answer(503), answer(503), answer(503), listed(range(14, 4, -1), 3)]
    one = hub(memory_path, web, source(board, cms=""))
    one.night(1, until=FIRST_NIGHT + 600)
    one.night(2)
    assert one.read("SELECT count(*), count(DISTINCT title) FROM articles") == [(30, 30)]
    before = one.dump("articles")
    one.night(3)
    assert one.dump("articles") == before


def test_P02_an_outlet_that_wants_titles_only_from_now_on_gets_no_record_of_its_earlier_summaries(
    memory_path: Path,
) -> None:
    row = (article(1), "개강 첫 주 풍경", "2026-03-04 10:00")
    one = hub(memory_path, {LIST: [webzine([row]), webzine([row, (article(2), "학생총회", row[2])])]}, source(LIST))
    one.night(1)
    assert one.read("SELECT summary FROM articles") == [("개강 첫 주 풍경의 앞부분입니다.",)]
    one.books = replace(one.books, outlets=tuple(replace(each, title_only=True) for each in one.books.outlets))
    one.night(2)
    assert one.read("SELECT summary FROM articles") == [("",), ("",)]
    assert one.read("SELECT * FROM revisions") == []
