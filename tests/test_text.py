"""Titles, summaries, bylines and tags as lines of text, whatever an outlet's software made of them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawl import text
from crawl.characters import cut, tidy, whole


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("<b>속보</b> <img src=x onerror=alert(1)>", "속보"),
        ("<B CLASS='x'>속보</B>총학", "속보총학"),
        ("속보<br/>총학<BR>선거", "속보 총학 선거"),
        ("<script>alert(1)</script>속보<style>b{}</style>", "속보"),
        ("<a href='javascript:x'>속보</a>", "속보"),
        ("<!-- 초안 -->속보", "속보"),
        ("&lt;b&gt;속보&lt;/b&gt;", "속보"),
        ("<![CDATA[속보]]>", "속보"),
        ("속보 <img src='x", "속보"),
        ("<i>속보</i> &lt;b&gt;총학&lt;/b&gt; &amp;lt;br&amp;gt;선거", "속보 총학 선거"),
        ("a<b", "a<b"),
        ("A<B 비교", "A<B 비교"),
        ("A&lt;B 비교", "A<B 비교"),
        ("3<p and q", "3<p and q"),
        ("속보 <input disabled>", "속보"),
    ],
)
def test_I23_tags_leave_a_title_and_its_text_stays(raw: str, read: str) -> None:
    assert text.title(raw, html=True) == read


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("&quot;가&quot;", '"가"'),
        ("&amp;quot;가&amp;quot;", '"가"'),
        ("&amp;#39;Text&amp;#39; &amp;quot;가&amp;quot;", "'Text' \"가\""),
        ("&amp;amp;lt;b&amp;amp;gt;", "&lt;b&gt;"),
        ("AT&amp;T &amp; R&D", "AT&T & R&D"),
        ("A&notice &copy=1 &nosuch;", "A&notice &copy=1 &nosuch;"),
        ("가&nbsp;나&nbsp다&nbspx", "가 나 다&nbspx"),
        ("가&nbsp 나", "가 나"),
        ("&#8216;조용&#8217; &middot; &#x3D;", "‘조용’ · ="),
        ("&#128;100", "€100"),
    ],
)
def test_I25_references_are_decoded_as_often_as_they_were_encoded(raw: str, read: str) -> None:
    assert text.title(raw, html=True) == read


@pytest.mark.parametrize(
    "title",
    [
        "<포토뉴스> 눈 덮인 본관",
        "<PD수첩> 그 뒤",
        "<Photo> Autumn",
        "학점 < 4.0 > 3.5",
        "1 <2> 3",
        "좋아요 <3",
        "<The Argus>",
    ],
)
def test_angle_brackets_an_editor_typed_survive(title: str) -> None:
    assert text.title(title, html=True) == title
    assert text.title(title.replace("<", "&lt;").replace(">", "&gt;"), html=True) == title
    assert text.title(title, html=False) == title


def test_plain_titles_are_taken_at_their_word() -> None:
    assert text.title("부등호 < 와 <b>태그</b>", html=False) == "부등호 < 와 <b>태그</b>"
    assert text.title("&quot;가&quot;", html=False) == '"가"'
    assert text.title("&lt;b&gt;", html=False) == "&lt;b&gt;"


def test_I19_titles_are_composed() -> None:
    assert text.title(unicodedata.normalize("NFD", "총학생회"), html=False) == "총학생회"


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("\ufeff성인 ADHD", "성인 ADHD"),
        ("총\u200b학\u2060생\xad회\u200e", "총학생회"),
        ("\u202e거꾸로\u202c \u2066가두기\u2069", "거꾸로 가두기"),
        ("가\u3000나\xa0다\u2028라\x85마\u3164바", "가 나 다 라 마 바"),
        ("\x00가\x1b[0m\x7f\x9f", "가[0m"),
        ("👩\u200d🎓 졸업 ❤\ufe0f\u200d🔥", "👩\u200d🎓 졸업 ❤\ufe0f\u200d🔥"),
        ("가\u200d나 \u200d", "가나"),
        ("깨진 \ufffd 글자", "깨진 \ufffd 글자"),
        ("\ud83d\ude00 반쪽 \ud83d", "😀 반쪽 \ufffd"),
        ("  \t ", ""),
        ("\u3164\u200b", ""),
    ],
)
def test_invisible_and_deceiving_characters_go(raw: str, read: str) -> None:
    assert text.title(raw, html=False) == read
    assert text.title(raw, html=True) == read


def test_a_pile_of_marks_on_one_letter_is_cut_before_it_is_composed() -> None:
    assert len(tidy(f"가a{chr(0x0316) * 20_000}나")) <= 40


def test_block_ends_become_spaces_and_inline_ends_do_not() -> None:
    table = "<table><tr><td>다</td><td>라</td></tr></table>"
    markup = f"<div><p>첫<b>째</b></p><p>둘째</p><ul><li>가</li><li>나</li></ul>{table}</div>"
    assert text.plain(markup, html=True) == "첫째 둘째 가 나 다 라"


def test_what_a_page_does_not_show_is_not_text() -> None:
    markup = "<svg><title>그림</title><style>x</style></svg>글<template>틀</template><noscript>끔</noscript><iframe>틀</iframe>"
    assert text.plain(markup, html=True) == "글"


def test_markup_escaped_as_a_whole_is_read_as_markup() -> None:
    assert text.plain("&lt;p&gt;총학이 &lt;b&gt;모였다&lt;/b&gt;.&lt;/p&gt;", html=True) == "총학이 모였다."


def test_embedded_pictures_do_not_eat_the_text() -> None:
    markup = f'<img src="data:image/png;base64,{"A" * 300_000}"><p>사진 뒤의 글</p>'
    assert text.summary(markup, html=True, limit=200, title="") == "사진 뒤의 글"


@pytest.mark.parametrize(
    "markup",
    ["<div>" * 200_000, "<b><p>" * 100_000, "<a>" * 300_000, "<style>" * 100_000, "&" * 500_000, "<div>▲" * 100_000],
)
def test_pathological_markup_is_read_without_falling_over(markup: str) -> None:
    assert "<" not in text.plain(markup + "끝", html=True)


# ---- summaries ----


def summary(raw: str, *, limit: int = 200, title: str = "제목", html: bool = True) -> str:
    return text.summary(raw, html=html, limit=limit, title=title)


def test_P02_a_summary_is_cut_inside_the_limit_at_a_word() -> None:
    cut_off = summary("총학생회가 등록금 동결을 요구하며 본관 앞에 모였다", limit=20)
    assert cut_off == "총학생회가 등록금 동결을 요구하며…"
    assert summary("가" * 300, limit=20) == "가" * 19 + "…"
    assert summary("가" * 200) == "가" * 200
    assert len(summary("가나다라마바사 " * 60)) <= 200


def test_a_cut_breaks_no_visible_character() -> None:
    assert cut("가나👩\u200d🎓다", 5) == "가나…"
    assert cut("가나e\u0301\u0301다라", 5) == "가나…"
    assert cut("가🇰🇷나다", 3) == "가…"
    assert cut("🇰🇷🇰🇷🇰🇷", 4) == "🇰🇷…"
    assert cut("가나👍🏽다", 4) == "가나…"


def test_a_cut_leaves_no_loose_punctuation() -> None:
    assert cut("가나다라, 마바사", 6) == "가나다라…"
    assert cut("가나다라 (마바사", 7) == "가나다라…"


def test_a_cut_of_nothing_is_nothing() -> None:
    assert (cut("가나", 0), cut("가나", 1), cut("", 5), cut("가나", 2)) == ("", "…", "", "가나")


def test_P02_picture_captions_are_no_part_of_a_summary() -> None:
    markup = (
        "<figure><img src=a><figcaption>사진 = 박서연</figcaption></figure><p class='wp-caption-text'>대동제 무대</p>"
        "<p>▲ 무대에 오른 합창단</p><p>첫 문단이다.</p>"
    )
    assert summary(markup) == "첫 문단이다."
    assert summary("<p>▲ 사진 한 장뿐인 글</p>") == ""


@pytest.mark.parametrize(
    "tail",
    [
        "<p>The post <a href='x'>제목</a> appeared first on <a href='y'>미리내 웹진</a>.</p>",
        " The post 제목 appeared first on 미리내",
        "<p>게시물 제목이 미리내에 처음 등장했습니다.</p>",
        "<a href='x'>더 보기</a>",
        " Continue reading...",
        " <a>Read more</a> »",
    ],
)
def test_tails_that_feeds_append_go(tail: str) -> None:
    assert summary(f"<p>첫 문단이다.</p>{tail}") == "첫 문단이다."


@pytest.mark.parametrize(
    "around",
    [
        "<figure class='kg-card kg-image-card'><img src=a><figcaption>무대</figcaption></figure>@",
        "<figure class='kg-card kg-bookmark-card'><a><div class='kg-bookmark-title'>지난 기사</div></a></figure>@",
        "<p>▲ 무대에 오른 합창단<br>ⓒ 김하늘 기자</p>@",
        "<div>▲ 무대</div><p>사진 = 김하늘 기자</p>@",
        "<p>[사진=홍보팀]</p>@",
        "<p>▲ 무대 (사진=홍보팀) @</p>",
        "▲ 무대에 오른 합창단 ⓒ김하늘 기자 @",
        "▲ 무대에 오른 합창단\n@",
        "<script>var a = '글'</script><style>p{}</style><!-- 초안 -->@",
        "<p>페이스북 트위터 카카오톡 URL 복사</p>@",
        "@<div class='sharedaddy'><h3>Share this:</h3><ul><li>Facebook</li></ul></div>",
        "@<p>공유하기 | 인쇄 | 스크랩</p>",
        "<button>더보기</button>@",
        "<pre><code>print('글')</code></pre>@",
        '[##_Image|kage@abc/img.jpg|CDM|1.3|{"caption":"무대"}_##]@',
        "<figure data-ke-type='opengraph'><a><div class='og-text'><p class='og-title'>규정</p></div></a></figure>@",
        "<p>이 글은 한빛교지 89호에 실린 글입니다.</p>@",
        "@<p>본 기사는 한빛대신문 441호에 게재되었습니다.</p>",
        "@<p>제목 was originally published in 한빛 on Medium, where people are continuing the conversation.</p>",
        "@ 제목 was originally published in 한빛 on Medium.",
        "@<p>Continue reading on 한빛 »</p>",
    ],
)
def test_P02_what_platforms_put_around_an_article_is_no_part_of_a_summary(around: str) -> None:
    assert summary(around.replace("@", "<p>첫 문단이다.</p>" if "<" in around else "첫 문단이다.")) == "첫 문단이다."


@pytest.mark.parametrize(
    "said",
    [
        "이 글은 학생의 삶을 다룬다.",
        "이 글은 지난 3월 작성된 대자보를 둘러싼 논쟁을 다룬다.",
        "사진 동아리가 전시회를 열었다.",
        "사진=기억이라고 믿는 사람들이 지난 5일 학생회관에 모여 한 학기 동안 찍은 장면을 이야기했다고 전했다.",
        "공유 자전거가 캠퍼스에 들어왔다.",
        "더보기를 누르면 나타나는 것들",
        "한 문장 ▲ 목록 하나 ▲ 목록 둘",
        "The post office appeared first in 1905.",
    ],
)
def test_P02_what_only_looks_like_it_stays(said: str) -> None:
    assert summary(f"<p>{said}</p>") == said


def test_P02_a_caption_that_cannot_be_told_from_the_text_stays_with_it() -> None:
    one_piece = f"▲ 무대에 오른 합창단 {'노래가 이어졌다. ' * 20}"
    assert summary(one_piece).startswith("▲ 무대에 오른 합창단 노래가")


@pytest.mark.parametrize("end", [".......", "....", " [...]", " [&#8230;]"])
def test_a_text_that_was_cut_ends_in_one_ellipsis(end: str) -> None:
    assert summary(f"소리가 들리는 이{end}") == "소리가 들리는 이…"


def test_P02_a_long_summary_is_told_from_a_short_one() -> None:
    for raw, whole_text in (("가나다 " * 60, False), ("가나다 " * 250, True), (f"<p>{'가나다 ' * 250}</p>", True)):
        assert text.opening(raw, html=True, limit=200, title="").whole_text is whole_text


@pytest.mark.parametrize(
    "heavy",
    [
        f"<figure><img srcset='{'https://press.example/a-name.jpg 300w, ' * 40}'><figcaption>무대</figcaption></figure>"
        * 30,
        f"<!--[if gte mso 9]><xml><w:x>{'<w:lsd/>' * 3_000}</w:x></xml><![endif]-->",
        f"<style>{'p.mso { margin: 0 } ' * 2_000}</style>",
        f'<p style="{"mso-font: a; " * 2_000}"></p>',
        f'<img src="data:image/png;base64,{"A" * 40_000}">',
        "<p><br/></p>" * 400,
    ],
)
def test_P02_what_weighs_much_and_says_nothing_hides_no_text(heavy: str) -> None:
    assert summary(f"{heavy}<p>첫 문단이다.</p>") == "첫 문단이다."


@pytest.mark.parametrize(
    ("raw", "cut_off"),
    [
        ("총학 선거 < 보도 < 기사본문 - 한빛대신문", "총학 선거"),
        ("총학 선거 < 대학 < 보도 < 기사본문 - 한빛대신문", "총학 선거"),
        ("학점 < 4.0 논란 < 대학 < 보도 < 기사본문 - 한빛대신문", "학점 < 4.0 논란"),
        ("총학 선거 < 보도 < 기사본문", "총학 선거"),
        ("총학 선거 - 한빛대신문", "총학 선거"),
        ("총학 선거 | 한빛 대신문", "총학 선거"),
        ("총학 선거 – 한빛대신문", "총학 선거"),
        ("총학 선거 - 보도 - 한빛대신문", "총학 선거 - 보도"),
        ("총학 선거 - 결선 투표로", "총학 선거 - 결선 투표로"),
        ("한빛대신문 - 창간 70년", "한빛대신문 - 창간 70년"),
        ("한빛대신문", "한빛대신문"),
        ("창간 70년 한빛대신문", "창간 70년 한빛대신문"),
        ("학점 < 4.0", "학점 < 4.0"),
        ("- 한빛대신문", "- 한빛대신문"),
    ],
)
def test_a_trail_leaves_a_title_and_an_editors_dash_stays(raw: str, cut_off: str) -> None:
    assert text.without_trail(raw, ("한빛대신문", "")) == cut_off


def test_an_excerpt_mark_becomes_an_ellipsis() -> None:
    assert summary("<p>이어지는 글 [&#8230;]</p>") == "이어지는 글…"


@pytest.mark.parametrize("raw", ["총학 선거!", "<p>총학 선거</p>", "총학…", "", "<p></p>", "…", "🎉"])
def test_a_summary_that_says_no_more_than_the_title_is_empty(raw: str) -> None:
    assert summary(raw, title="총학 선거") == ""


def test_a_summary_that_goes_on_after_the_title_stays() -> None:
    assert summary("총학 선거 무산", title="총학 선거") == "총학 선거 무산"


def test_mail_addresses_leave_a_summary() -> None:
    assert (
        summary("김하늘 기자(haneul@press.example) 총학이 모였다. 제보 tip＠press.example")
        == "김하늘 기자 총학이 모였다. 제보"
    )


# ---- bylines and tags ----


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("김하늘 기자", "김하늘 기자"),
        ("haneul@press.example (김하늘)", "김하늘"),
        ("김하늘 <haneul@press.example>", "김하늘"),
        ("김하늘 기자 haneul@press.example", "김하늘 기자"),
        ("김하늘haneul@press.example", "김하늘"),
        ("김하늘 | mailto:haneul@press.example", "김하늘"),
        ("김하늘(사회부) haneul＠press.example", "김하늘(사회부)"),
        ("(사진) 김하늘", "(사진) 김하늘"),
        ("서울=이정준 기자", "서울=이정준 기자"),
        ("<![CDATA[]]>", ""),
        ("haneul@press", ""),
        (".", ""),
        (" - ", ""),
        ("", ""),
        ("noreply@blogger.example (Unknown)", ""),
        ("<b>김하늘</b>&nbsp;기자", "김하늘 기자"),
    ],
)
def test_a_byline_is_a_name_and_no_mail_address(raw: str, name: str) -> None:
    assert text.byline(raw) == name


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("기자명 김주성 기자", "김주성 기자"),
        ("글쓴이: 김주성", "김주성"),
        ("글·사진 김주성", "글·사진 김주성"),
        ("최고관리자", ""),
        ("admin", ""),
        ("관리자", ""),
    ],
)
def test_a_label_is_no_part_of_a_name_and_an_office_is_nobody(raw: str, name: str) -> None:
    assert text.byline(raw) == name


def test_tags_are_cleaned_and_told_apart_without_case() -> None:
    assert text.tags([" 문화 ", "<b>문화</b>", "Campus", "CAMPUS", "", "-", "R&amp;D"]) == ("문화", "Campus", "R&D")


# ---- any text ----

ANY = (
    st.text()
    | st.text(st.sampled_from("<>&;#x/ab\"'=-!가각\u1100\u1161\u200d\ud83d\ude00\ufe0f▲@. \n"))
    | st.lists(
        st.sampled_from(
            ["<b>", "</b>", "<p>", "<!--", "<script>", "&amp;", "&#xD83D;", "&#", "가", "▲", "<td>", "@x.kr", "…"]
        )
    ).map("".join)
)


@settings(deadline=None)
@given(ANY, st.booleans())
def test_any_text_becomes_one_storable_line(raw: str, html: bool) -> None:
    for line in (
        text.plain(raw, html=html),
        text.title(raw, html=html),
        text.summary(raw, html=html, limit=30, title="가"),
        text.byline(raw),
        *text.tags([raw]),
    ):
        line.encode("utf-8")
        assert line == " ".join(line.split())
        assert line == unicodedata.normalize("NFC", line)
        assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in line)
    assert len(text.summary(raw, html=html, limit=30, title="가")) <= 30


@settings(deadline=None)
@given(ANY, st.integers(0, 40))
def test_any_cut_keeps_its_limit_and_a_tidy_line_stays_tidy(raw: str, limit: int) -> None:
    line = tidy(raw)
    assert tidy(line) == line
    assert len(cut(line, limit)) <= limit
    assert whole(whole(raw)) == whole(raw)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("김주성 기자 press@", "김주성 기자"),
        ("김주성 기자/name@", "김주성 기자"),
        ("김주성 기자 name@한빛.한국", "김주성 기자"),
        ("김주성 기자 name(at)outlet.example", "김주성 기자"),
        ("김주성 기자 name [at] outlet [dot] example", "김주성 기자"),
        ("김주성 기자 ｎａｍｅ＠outlet.example", "김주성 기자"),
        ("김주성 기자＜name＠outlet.example＞", "김주성 기자"),
        ("김주성 기자 name﹫outlet．example", "김주성 기자"),
        ("김주성 o'neil@outlet.example", "김주성"),
        ('김주성 "a b"@outlet.example', "김주성"),
        ("김주성@outlet.example", "김주성"),
        ("김주성 기자 (name at outlet.example)", "김주성 기자"),
        ("김주성 name AT outlet DOT example", "김주성"),
        ("김주성 기자 name골뱅이outlet.example", "김주성 기자"),
        ("김주성 기자 name(@)outlet.example", "김주성 기자"),
        ("김주성 기자 name (a) outlet.example", "김주성 기자"),
        ("김주성 기자 name#outlet.example", "김주성 기자"),
        ("김주성 기자 name_at_outlet.example", "김주성 기자"),
        ("김주성 기자 nameⓐoutlet.example", "김주성 기자"),
        ("김주성 기자 name%40outlet.example", "김주성 기자"),
        ("김주성 기자&nbsp;name&#64;outlet.example", "김주성 기자"),
        ("김주성 기자 / E-mail : name@outlet.example", "김주성 기자"),
        ("김주성 기자 이메일: name@outlet.example", "김주성 기자"),
        ("김주성 기자 010-1234-5678", "김주성 기자"),
        ("김주성 기자 <a href='mailto:name@outlet.example'>메일</a>", "김주성 기자"),
        ("name@outlet.example 기자", ""),
        ("김메일", "김메일"),
        ("C# Park", "C# Park"),
        ("Kim at The Argus", "Kim at The Argus"),
        ("김주성 기자 @hanbit_news", "김주성 기자 @hanbit_news"),
    ],
)
def test_a_mail_address_leaves_a_byline_however_it_is_written(raw: str, name: str) -> None:
    assert text.byline(raw) == name


def test_an_account_name_is_no_mail_address_and_stays_in_a_summary() -> None:
    raw = "제보는 name(at)outlet.example 로, 소식은 인스타그램 @hanbit.news 에서"
    assert text.summary(raw, html=False, limit=200, title="") == "제보는 로, 소식은 인스타그램 @hanbit.news 에서"


def test_I23_markup_escaped_in_part_leaves_a_summary() -> None:
    raw = '<table><tr><td>사진</td></tr></table>&lt;!-- 글 --&gt;&lt;div class="md"&gt;&lt;p&gt;개교 80주년&lt;/p&gt;&lt;/div&gt;'
    assert text.summary(raw, html=True, limit=200, title="") == "사진 개교 80주년"
