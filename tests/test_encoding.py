"""Encodings: bytes that lie about their charset, or mix two, come out as the text that was written (cases E1-E11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl.encoding import decode

TEXT = "<rss><title>총학생회 선거, 똠방각하도 펲시콜라도 투표</title></rss>"
BAD = "\ufffd"


def declared(label: str, text: str = TEXT) -> str:
    return f'<?xml version="1.0" encoding="{label}"?>\n{text}'


@pytest.mark.parametrize(
    "label",
    [
        "euc-kr", "EUC-KR", "euc_kr", "x-euc-kr", "ks_c_5601-1987", "KSC5601", "ks_c_5601", "KS_C_5601-1989", "korean",
        "ms949", "cp949", "windows-949", "x-windows-949", "uhc", "iso-ir-149",
    ],
)  # fmt: skip
def test_E1_every_korean_label_means_cp949(label: str) -> None:
    for document, content_type in ((declared(label), None), (TEXT, f"text/xml; charset={label}")):
        found = decode(document.encode("cp949"), content_type)
        assert (found.text, found.charset, found.flags) == (document, "cp949", ())


@pytest.mark.parametrize(
    ("damage", "signs"),
    [(b"\xff\xff", 2), (b"\xff", 1), (b"\x80", 1), (b"\xc9\xa1", 1), (b"\xfe\xfe", 1), (b"\xc9", 1)],
)
def test_E3_a_bad_byte_costs_itself_and_no_neighbour(damage: bytes, signs: int) -> None:
    before, after = "<title>대학", "신문 기자</title>"
    found = decode(before.encode("cp949") + damage + after.encode("cp949"), "text/xml; charset=euc-kr")
    assert found.text == before + BAD * signs + after
    assert (found.charset, found.flags) == ("cp949", ("bytes_replaced",))


def test_E3_a_lead_byte_cut_from_its_pair_does_not_eat_the_markup() -> None:
    cut = "<title>대학".encode("cp949")[:-1] + b"</title>"
    assert decode(cut, "text/xml; charset=euc-kr").text == f"<title>대{BAD}</title>"


@pytest.mark.parametrize("content_type", [None, "text/xml; charset=utf-8"])
def test_E3_damaged_utf_8_stays_utf_8(content_type: str | None) -> None:
    whole = "<a>총학생회 선거</a><b>".encode()
    found = decode(whole + b"\xff</b>", content_type)
    assert (found.text, found.charset) == (f"<a>총학생회 선거</a><b>{BAD}</b>", "utf-8")
    cut = "<a>총학생회 선거".encode()[:-1]
    assert decode(cut, content_type).text == f"<a>총학생회 선{BAD}"


def test_E3_E5_damaged_utf_8_under_a_korean_label_is_still_utf_8() -> None:
    found = decode("<a>총학생회 선거</a><b>학생회관".encode()[:-1] + b"</b>", "text/xml; charset=euc-kr")
    assert (found.text, found.charset) == (f"<a>총학생회 선거</a><b>학생회{BAD}</b>", "utf-8")


@pytest.mark.parametrize("label", ["euc-kr", "ks_c_5601-1987", "iso-8859-1", "windows-1252", "us-ascii", "gbk"])
def test_E5_utf_8_wins_over_any_label_where_it_validates(label: str) -> None:
    found = decode(declared(label).encode(), f"text/xml; charset={label}")
    assert (found.text, found.charset) == (declared(label), "utf-8")
    assert found.flags == (() if label == "us-ascii" else ("label_overruled",))


def test_E5_a_byte_order_mark_wins_over_both_labels() -> None:
    found = decode(b"\xef\xbb\xbf" + declared("euc-kr").encode(), "text/xml; charset=euc-kr")
    assert (found.text, found.charset) == (declared("euc-kr"), "utf-8")


def test_E5_a_byte_order_mark_before_other_bytes_is_no_proof() -> None:
    found = decode(b"\xef\xbb\xbf" + declared("euc-kr").encode("cp949"))
    assert (found.text, found.charset) == (declared("euc-kr"), "cp949")


@pytest.mark.parametrize("text", ["<a>호크</a>", "<a>호</a>", "<title>크크크</title>"])
def test_E5_short_hangul_that_happens_to_validate_is_not_taken_for_utf_8(text: str) -> None:
    text.encode("cp949").decode("utf-8")
    assert decode(text.encode("cp949"), "text/xml; charset=euc-kr").text == text


@pytest.mark.parametrize("text", ["<a>A · B</a>", "<a>© 2026 Café</a>", "<a>“quoted”</a>"])
def test_E5_western_signs_in_utf_8_stay_signs_under_a_korean_label(text: str) -> None:
    assert decode(text.encode(), "text/xml; charset=euc-kr").text == text


def test_E7_each_field_is_read_in_its_own_charset_and_the_mix_is_flagged() -> None:
    body = declared("ISO-8859-1", "<a>Café</a>").encode("latin-1") + "<b>총학생회</b><c>é</c>".encode()
    found = decode(body, "text/xml; charset=us-ascii")
    assert found.text == declared("ISO-8859-1", "<a>Café</a><b>총학생회</b><c>é</c>")
    assert "mixed_charsets" in found.flags
    assert "bytes_replaced" not in found.flags


@pytest.mark.parametrize("content_type", [None, "text/xml; charset=utf-8"])
def test_E7_western_items_in_a_utf_8_feed_are_read_and_flagged(content_type: str | None) -> None:
    western = "<a>Campus “smart” – it’s a café</a><a>Übung für señor</a>"
    found = decode(western.encode("windows-1252") + "<b>총학생회 선거</b>".encode(), content_type)
    assert found.text == western + "<b>총학생회 선거</b>"
    assert "mixed_charsets" in found.flags
    assert "bytes_replaced" not in found.flags


@pytest.mark.parametrize("lost", [b"\xea", b"\xea\xb3", b"\xff", b"\xb0", b"\x80"])
def test_E3_a_letter_cut_off_is_not_read_as_a_western_one(lost: bytes) -> None:
    found = decode(
        "<a>총학생회 선거</a><b>결과".encode() + lost + b"...</b><b>A" + lost + b"</b>", "text/xml; charset=utf-8"
    )
    assert found.text == f"<a>총학생회 선거</a><b>결과{BAD}...</b><b>A{BAD}</b>"


@pytest.mark.parametrize("label", ["euc-kr", "utf-8", None])
@pytest.mark.parametrize("between", ["", "\n"])
def test_E7_utf_8_items_in_a_cp949_feed_and_the_other_way_round(label: str | None, between: str) -> None:
    old, new = "<title>총학생회 선거 · 개표</title>", "<title>학생회관·도서관</title>"
    body = old.encode("cp949") + between.encode() + new.encode() + old.encode("cp949")
    found = decode(body, label and f"text/xml; charset={label}")
    assert found.text == old + between + new + old
    assert "mixed_charsets" in found.flags


def test_E9_iso_8859_1_is_honoured_where_the_bytes_are_not_utf_8() -> None:
    document = declared("ISO-8859-1", "<title>Café à la crème, ÀÉÎ</title>")
    found = decode(document.encode("latin-1"), "text/xml; charset=ISO-8859-1")
    assert (found.text, found.charset, found.flags) == (document, "iso-8859-1", ())


@pytest.mark.parametrize("label", ["iso-8859-1", "latin1", "windows-1252"])
def test_E9_its_upper_controls_are_the_signs_of_windows_1252(label: str) -> None:
    assert decode(b"<a>don\x92t \x93go\x94 \x80</a>", f"text/xml; charset={label}").text == "<a>don’t “go” €</a>"


@pytest.mark.parametrize(
    ("label", "text"),
    [("windows-1251", "Студент"), ("koi8-r", "Студент"), ("iso-8859-2", "Łódź"), ("shift_jis", "大学新聞"),
     ("big5", "學生會"), ("euc-jp", "大学新聞"), ("gb18030", "学生会"), ("iso-2022-jp", "大学新聞"),
     ("iso-2022-kr", "총학생회")],
)  # fmt: skip
def test_E9_other_declared_charsets_are_honoured(label: str, text: str) -> None:
    found = decode(text.encode(label), f"text/xml; charset={label}")
    assert (found.text, found.flags) == (text, ())


@pytest.mark.parametrize(
    "content_type", ["text/html; charset:gbk;", "text/html;charset='GBK'", "text/html; CHARSET = gb2312"]
)
def test_E11_a_badly_written_label_counts(content_type: str) -> None:
    assert decode("中文新闻".encode("gbk"), content_type).text == "中文新闻"


@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_charsets_are_seen_with_and_without_their_mark(codec: str, mark: bool) -> None:
    document = declared(codec[:6])
    found = decode((("\ufeff" if mark else "") + document).encode(codec), f"text/xml; charset={codec[:6]}")
    assert (found.text, found.charset, found.flags) == (document, codec, ())


@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
def test_a_wide_label_on_narrow_bytes_is_overruled(encoding: str) -> None:
    found = decode(declared("utf-16").encode(encoding), "text/xml; charset=utf-16")
    assert (found.text, found.charset, found.flags) == (declared("utf-16"), encoding, ("label_overruled",))


@pytest.mark.parametrize("header", ["utf-8", "ISO-8859-1", "windows-1252"])
def test_a_lying_label_is_overruled_by_obvious_korean(header: str) -> None:
    found = decode(TEXT.encode("cp949"), f"text/xml; charset={header}")
    assert (found.text, found.charset, found.flags) == (TEXT, "cp949", ("label_overruled",))


def test_the_documents_own_label_beats_a_servers_western_default() -> None:
    page = '<html><meta http-equiv="Content-Type" content="text/html; charset=euc-kr"><p>펲</p>'
    assert decode(page.encode("cp949"), "text/html; charset=ISO-8859-1").text == page


@pytest.mark.parametrize("label", ["nonsense", "rot13", "base64", "utf-7", "unicode_escape", "x" * 500, "idna"])
def test_an_unknown_label_is_flagged_and_the_bytes_decide(label: str) -> None:
    found = decode(TEXT.encode("cp949"), f"text/xml; charset={label}")
    assert (found.text, found.charset, found.flags) == (TEXT, "cp949", ("charset_guessed", "label_unknown"))


def test_without_any_label_utf_8_is_tried_before_cp949() -> None:
    assert decode(TEXT.encode()).flags == ()
    assert decode(TEXT.encode()).text == TEXT
    found = decode(TEXT.encode("cp949"))
    assert (found.text, found.charset, found.flags) == (TEXT, "cp949", ("charset_guessed",))


def test_a_label_behind_a_php_warning_is_found_and_one_inside_the_items_is_not() -> None:
    noisy = "<br />\n<b>Warning</b>: in <b>/home/x</b><br />\n" + declared("windows-1251", "<a>Студент</a>")
    assert decode(noisy.encode("cp1251")).text == noisy
    feed = '<?xml version="1.0"?><rss><description><![CDATA[<meta charset="shift_jis">총학생회 선거]]></description>'
    assert decode(feed.encode("cp949")).text == feed


def test_E9_western_text_without_any_label_is_not_taken_for_korean() -> None:
    for text in ("<a>Eleição: não há informações</a>", "<a>don’t</a>"):
        assert decode(text.encode("cp1252")).text == text


def test_an_empty_body_is_empty_text() -> None:
    assert decode(b"").text == ""
    assert decode(b"\xef\xbb\xbf").text == ""


@given(
    st.binary(max_size=300),
    st.sampled_from([None, "euc-kr", "utf-8", "iso-8859-1", "utf-16", "gbk", "iso-2022-kr", "?"]),
)
def test_no_bytes_raise(body: bytes, label: str | None) -> None:
    found = decode(body, label and f"text/xml; charset={label}")
    found.text.encode()
    assert list(found.flags) == sorted(set(found.flags))


@given(st.text("가나다라똠펲학생회 abc<>&\n·", min_size=1), st.sampled_from(["cp949", "utf-8"]))
def test_korean_text_survives_under_its_own_label(text: str, charset: str) -> None:
    assert decode(text.encode(charset), f"text/xml; charset={charset}").text == text
