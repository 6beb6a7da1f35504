"""hub.toml's promises: documented keys, every problem at once with its line, and never a ruder policy."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

import crawl.cli
from crawl import hub, hubcolumns, huboptions, hubweb
from crawl.errors import RegistryInvalid
from crawl.huboptions import TlsException
from crawl.model import Options
from crawl.policy import Policy
from tests.nights import outlet

FILE = "data/hub.toml"


def with_value(key: str, value: str) -> bytes:
    """The template with one line of [site] changed."""
    changed, count = re.subn(rf"^{key} = .*$", lambda _: f"{key} = {value}", hub.TEMPLATE, flags=re.MULTILINE)
    assert count == 1
    return changed.encode()


def with_politeness(*lines: str) -> bytes:
    return (hub.TEMPLATE + "\n[politeness]\n" + "\n".join(lines) + "\n").encode()


def line_of(raw: bytes, start: str) -> int:
    return next(number for number, line in enumerate(raw.decode().split("\n"), 1) if line.startswith(start))


def complaints(raw: bytes) -> list[str]:
    with pytest.raises(RegistryInvalid) as trouble:
        hub.parse(raw, FILE)
    return [str(problem) for problem in trouble.value.problems]


def test_the_template_is_valid_and_promises_the_policy_itself() -> None:
    found = hub.parse(hub.TEMPLATE.encode(), FILE)
    assert (found.name, found.name_en) == ("대학언론 허브", "CampusPressHub")
    assert (found.address, found.contact, found.repository, found.operator) == ("", "", "", "")
    assert found.policy() == Policy()
    assert (found.options, found.lane_by, found.addresses, found.tls) == (Options(), "address", (), ())
    assert (found.pictures, found.photo_columns) == ("photo", ())


def test_the_committed_file_is_the_template() -> None:
    assert (Path(__file__).parent.parent / "data" / "hub.toml").read_text("utf-8") == hub.TEMPLATE


def test_the_examples_in_the_comments_are_valid() -> None:
    """Taking the leading # away, as the comments say, gives a hub.toml in order."""
    raw = re.sub(r"^# (?=\[\[?[a-z_]+\]|[a-z_-]+ = )", "", hub.TEMPLATE, flags=re.MULTILINE).encode()
    found = hub.parse(raw, FILE)
    assert found.policy().spacing_s == 5
    assert [(each.kind, each.certificate) for each in found.tls] == [
        ("missing_intermediate", "tls/example-intermediate.pem")
    ]
    assert found.photo_columns == (("hanbit-news", ("카메라사계", "앵글")),)


def test_a_hub_toml_from_before_the_options_keeps_the_promise() -> None:
    before = hub.TEMPLATE[: hub.TEMPLATE.index("[options]")]
    found = hub.parse(before.encode(), FILE)
    assert (found.options, found.lane_by, found.addresses, found.tls) == (Options(), "address", (), ())
    assert (found.pictures, found.photo_columns) == ("photo", ())


def test_every_key_is_documented_by_a_comment_above_it() -> None:
    lines = hub.TEMPLATE.split("\n")
    for key in (*hub.SITE_KEYS, *huboptions.CHOICES, *huboptions.BOT_KEYS):
        at = line_of(hub.TEMPLATE.encode(), f"{key} = ") - 1
        assert lines[at - 1].startswith("# ")
    for key in huboptions.TLS_KEYS:
        assert [line for line in lines if line.startswith(f"#   {key}: ")], key
    for kind in huboptions.TLS_KINDS:
        assert f'"{kind}"' in hub.TEMPLATE
    assert max(len(line) for line in lines) <= 110


def test_a_filled_hub_is_read_trimmed() -> None:
    raw = with_value("address", '" https://hub.example.kr/campus/ "').replace(
        b'contact = ""', b'contact = "press@hub.example.kr"'
    )
    raw = raw.replace(b'repository = ""', b'repository = "some-group/campus.hub"').replace(
        b'operator = ""', 'operator = "모임"'.encode()
    )
    found = hub.parse(b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"), FILE)
    assert found.address == "https://hub.example.kr/campus/"
    assert found.contact == "press@hub.example.kr"
    assert found.repository == "some-group/campus.hub"
    assert found.operator == "모임"


def test_a_contact_may_be_a_web_address() -> None:
    assert (
        hub.parse(with_value("contact", '"https://hub.example.kr/contact"'), FILE).contact
        == "https://hub.example.kr/contact"
    )


@pytest.mark.parametrize(
    ("key", "value", "what", "cure"),
    [
        ("name", '""', "name is empty", "the hub's name"),
        ("name", "3", "name is not text", "double quotes"),
        ("tagline", '"a\\nb"', "tagline holds a control character", "one line"),
        ("address", '"hub.example.kr"', "is not an http(s) address", "https://"),
        ("address", '"https://me:pw@hub.example.kr/"', "carries a user name", "remove"),
        ("address", '"http://localhost:8000/"', "private or loopback", "public"),
        ("address", '"https://hub.example.kr/?x=1"', "User-Agent", "without a query"),
        ("address", '"https://hub.example.kr/(x)"', "User-Agent", "brackets"),
        ("address", '"https://hub.example.kr/한"', "User-Agent", "Hangul"),
        ("contact", '"Kim <kim@hub.example.kr>"', "is neither a mail nor a web address", "name@example.org"),
        ("contact", '"010-1234-5678"', "is neither a mail nor a web address", "name@example.org"),
        ("repository", '"https://github.com/a/b"', "is no repository name", "owner/name"),
        ("repository", '"campus"', "is no repository name", "owner/name"),
    ],
)
def test_a_wrong_value_is_told_at_its_line_with_its_cure(key: str, value: str, what: str, cure: str) -> None:
    raw = with_value(key, value)
    (complaint,) = complaints(raw)
    assert complaint.startswith(f"{FILE}:{line_of(raw, f'{key} = ')}: ")
    assert what in complaint
    assert cure in complaint


def test_unknown_keys_and_tables_are_told_with_a_guess() -> None:
    raw = (
        hub.TEMPLATE.replace('contact = ""', 'contakt = ""').replace("[site]", 'lane = "host"\n[site]')
        + "\n[option]\nx = 1\n"
    )
    told = complaints(raw.encode())
    assert [complaint.split("; ")[0] for complaint in told] == [
        f'{FILE}:{line_of(raw.encode(), "lane")}: the key "lane" is unknown',
        f'{FILE}:{line_of(raw.encode(), "[site]")}: the key "contact" is missing in [site]',
        f'{FILE}:{line_of(raw.encode(), "contakt")}: the key "contakt" is unknown in [site]',
        f"{FILE}:{line_of(raw.encode(), '[option]')}: the table [option] is unknown",
    ]
    assert 'did you mean "contact"?' in told[2]


def test_a_key_outside_its_table_is_told_where_it_belongs() -> None:
    raw = ('name = "x"\n' + hub.TEMPLATE).encode()
    (complaint,) = complaints(raw)
    assert complaint == f'{FILE}:1: the key "name" stands outside its table; move it below the line [site]'


def test_a_missing_site_table_is_told() -> None:
    assert complaints(b"[politeness]\nspacing_s = 5.0\n") == [
        f"{FILE}:1: the table [site] is missing; write [site] and its keys below it"
    ]


@pytest.mark.parametrize(
    ("raw", "line", "what"),
    [
        (b'[site]\nname = "a\n', 2, "this is not TOML"),
        (b"[site]\nname = \xea\xb0\x80\n", 2, "this is not TOML"),
        ('[site]\nname = "한빛"\n'.encode("cp949"), 2, "CP949"),
        (b"", 1, "the file is empty"),
        (b"[site]\nname = [\n", 2, "this is not TOML"),
    ],
)
def test_a_file_that_is_no_toml_is_told_with_its_line(raw: bytes, line: int, what: str) -> None:
    (complaint,) = complaints(raw)
    assert complaint.startswith(f"{FILE}:{line}: ")
    assert what in complaint


def test_P20_a_politer_value_reaches_the_policy_in_force() -> None:
    found = hub.parse(with_politeness("spacing_s = 5.5", "redirects_max = 2"), FILE)
    policy = found.policy()
    assert policy.spacing_s == 5.5
    assert policy.redirects_max == 2
    assert policy.redirect_gap_s == Policy().redirect_gap_s
    policy.refuse_ruder()


def test_every_ruder_value_is_refused_at_its_line() -> None:
    raw = with_politeness("spacing_s = 2.9", "redirects_max = 6", "request_max_s = 31")
    told = complaints(raw)
    assert [complaint.split("; ")[0] for complaint in told] == [
        f"{FILE}:{line_of(raw, 'spacing_s')}: P20: spacing_s = 2.9 is ruder than its floor 3",
        f"{FILE}:{line_of(raw, 'redirects_max')}: P50: redirects_max = 6 is ruder than its floor 5",
        f"{FILE}:{line_of(raw, 'request_max_s')}: P23: request_max_s = 31 is ruder than its floor 30",
    ]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "true", '"5"', "-1", "[5]"])
def test_no_value_slips_past_the_floor_by_being_no_number(value: str) -> None:
    for name in ("spacing_s", "request_max_s"):
        (complaint,) = complaints(with_politeness(f"{name} = {value}"))
        assert name in complaint


def test_counts_are_whole_numbers() -> None:
    (complaint,) = complaints(with_politeness("redirects_max = 1.5"))
    assert "write a whole number" in complaint


def test_an_unknown_politeness_value_is_told_with_a_guess() -> None:
    (complaint,) = complaints(with_politeness("spacing = 5.0"))
    assert 'the key "spacing" is unknown in [politeness]; remove it (did you mean "spacing_s"?)' in complaint


def test_everything_wrong_is_told_at_once() -> None:
    raw = (
        with_value("name", '""').replace(b'repository = ""', b'repository = "x"')
        + b"\n[politeness]\nspacing_s = 1\n[x]\n"
    )
    assert len(complaints(raw)) == 4


def with_tls(*lines: str, **changes: str | None) -> bytes:
    """The template with one exception; a change of None leaves its key out, `lines` come behind it."""
    facts: dict[str, str | None] = {
        "server": '"press.hanbit.ac.example"',
        "kind": '"weak_dh"',
        "reviewed": '"2026-11-30"',
        "reason": '"낡은 서버"',
    }
    entry = "".join(f"{key} = {value}\n" for key, value in (facts | changes).items() if value is not None)
    return (hub.TEMPLATE + "[[tls]]\n" + entry + "\n".join(lines) + "\n").encode()


def test_P44_the_options_reach_the_gate_s_own_record() -> None:
    raw = with_value("feeds_obey_named_group", "true")
    assert hub.parse(raw, FILE).options == Options(obey_named_group=True, allow_unreachable=False)
    raw = raw.replace(b'robots_unreachable = "wait"', b'robots_unreachable = "allow"')
    assert hub.parse(raw, FILE).options == Options(obey_named_group=True, allow_unreachable=True)


def test_P44_an_unreadable_robots_txt_may_only_let_feeds_pass_that_ask_it_at_all() -> None:
    raw = with_value("robots_unreachable", '"allow"')
    (complaint,) = complaints(raw)
    assert complaint.startswith(f"{FILE}:{line_of(raw, 'robots_unreachable')}: robots_unreachable")
    assert "feeds_obey_named_group = true" in complaint


def test_P20_lanes_may_go_by_host_name() -> None:
    assert hub.parse(with_value("lane_by", '"host"'), FILE).lane_by == "host"


@pytest.mark.parametrize(
    ("key", "value", "cure"),
    [
        ("feeds_obey_named_group", '"true"', "write feeds_obey_named_group = false or true"),
        ("feeds_obey_named_group", "1", "write feeds_obey_named_group = false or true"),
        ("robots_unreachable", '"ignore"', 'write robots_unreachable = "wait" or "allow"'),
        ("robots_unreachable", "true", 'write robots_unreachable = "wait" or "allow"'),
        ("lane_by", '"ip"', 'write lane_by = "address" or "host"'),
        ("pictures", '"none"', 'write pictures = "photo" or "all"'),
        ("pictures", "true", 'write pictures = "photo" or "all"'),
    ],
)
def test_another_value_of_an_option_is_told_with_those_there_are(key: str, value: str, cure: str) -> None:
    raw = with_value(key, value)
    (complaint,) = complaints(raw)
    assert complaint == f"{FILE}:{line_of(raw, key)}: {key} is {value}; {cure}"


def test_an_unknown_option_is_told_with_a_guess() -> None:
    raw = hub.TEMPLATE.replace("lane_by", "lanes_by").encode()
    (complaint,) = complaints(raw)
    assert complaint.startswith(f'{FILE}:{line_of(raw, "lanes_by")}: the key "lanes_by" is unknown in [options]')
    assert 'did you mean "lane_by"?' in complaint
    (complaint,) = complaints(hub.TEMPLATE.replace("addresses =", "adresses =").encode())
    assert 'unknown in [bot]; remove it (did you mean "addresses"?)' in complaint


def test_S34_addresses_are_read_in_their_one_spelling() -> None:
    raw = with_value("addresses", '[" 1.2.3.4 ", "1.2.3.4/32", "2400:0001::/48"]').replace(b', "1.2.3.4/32"', b"")
    assert hub.parse(raw, FILE).addresses == ("1.2.3.4", "2400:1::/48")


@pytest.mark.parametrize(
    ("value", "what", "cure"),
    [
        ('["10.0.0.7"]', "is not on the public internet", "servers see"),
        ('["127.0.0.1"]', "is not on the public internet", "servers see"),
        ('["0.0.0.0/0"]', "is not on the public internet", "servers see"),
        ('["1.2.3.4/24"]', "is an address inside a network", 'write the network "1.2.3.0/24"'),
        ('["press.example.kr"]', "is neither an IP address nor a network", "in double quotes"),
        ("[1]", "is not text", "in double quotes"),
        ('"1.2.3.4"', "addresses is no list", "or [] where"),
        ('["1.2.3.4", "1.2.3.4/32"]', "stands there twice", "remove one"),
    ],
)
def test_S34_what_is_no_public_address_is_told(value: str, what: str, cure: str) -> None:
    raw = with_value("addresses", value)
    (complaint,) = complaints(raw)
    assert complaint.startswith(f"{FILE}:{line_of(raw, 'addresses')}: ")
    assert what in complaint
    assert cure in complaint


def test_a_reviewed_exception_is_read() -> None:
    assert hub.parse(with_tls(), FILE).tls == (
        TlsException("press.hanbit.ac.example", "weak_dh", "", "2026-11-30", "낡은 서버"),
    )
    certificate = with_tls(kind='"missing_intermediate"', certificate='"tls/hanbit.pem"', reviewed="2026-11-30")
    assert hub.parse(certificate, FILE).tls == (
        TlsException("press.hanbit.ac.example", "missing_intermediate", "tls/hanbit.pem", "2026-11-30", "낡은 서버"),
    )


@pytest.mark.parametrize(
    ("key", "changes", "what"),
    [
        ("server", {"server": None}, 'the key "server" is missing in [[tls]]'),
        ("server", {"server": '"www.hanbit.ac.example"'}, "is no server name"),
        ("server", {"server": '"hanbit.ac.example:8443"'}, "is no server name"),
        ("server", {"server": '"https://hanbit.ac.example/"'}, "is no server name"),
        ("server", {"server": '"*.ac.example"'}, "is no server name"),
        ("server", {"server": '"*"'}, "is no server name"),
        ("server", {"server": "3"}, "server is not text"),
        ("kind", {"kind": '"expired"'}, 'kind "expired" is unknown'),
        ("kind", {"kind": '"self_signed"'}, 'kind "self_signed" is unknown'),
        ("kind", {"kind": '"missing_intermediate"'}, "needs the certificate"),
        ("certificate", {"certificate": '"tls/x.pem"'}, "weak_dh uses no certificate"),
        (
            "certificate",
            {"kind": '"missing_intermediate"', "certificate": '"../x.pem"'},
            "no path below the data folder",
        ),
        (
            "certificate",
            {"kind": '"missing_intermediate"', "certificate": '"/etc/x.pem"'},
            "no path below the data folder",
        ),
        (
            "certificate",
            {"kind": '"missing_intermediate"', "certificate": '"tls/x.key"'},
            "no path below the data folder",
        ),
        ("reviewed", {"reviewed": None}, 'the key "reviewed" is missing in [[tls]]'),
        ("reviewed", {"reviewed": '"2026-02-30"'}, "reviewed is not a day"),
        ("reviewed", {"reviewed": "2026-11-30T00:00:00"}, "reviewed is not a day"),
        ("reason", {"reason": None}, 'the key "reason" is missing in [[tls]]'),
        ("reason", {"reason": '" "'}, "reason does not say why"),
    ],
)
def test_a_faulty_exception_is_told_at_its_line(key: str, changes: dict[str, str | None], what: str) -> None:
    raw = with_tls(**changes)
    (complaint,) = complaints(raw)
    start = f"{key} = " if changes.get(key) else "[[tls]]"
    assert complaint.startswith(f"{FILE}:{line_of(raw, start)}: ")
    assert what in complaint
    assert "; write " in complaint or "; remove " in complaint


@pytest.mark.parametrize("line", ["verify = false", "insecure = true", "check_hostname = false", 'ca_file = "x.pem"'])
def test_nothing_in_the_file_turns_verification_off(line: str) -> None:
    key = line.split()[0]
    (complaint,) = complaints(with_tls(line))
    assert f'the key "{key}" is unknown in [[tls]]' in complaint
    assert "certificates are always verified" in complaint
    assert complaints(hub.TEMPLATE.replace("[options]\n", f"[options]\n{line}\n").encode())


def test_two_exceptions_are_told_apart_by_their_lines() -> None:
    raw = with_tls() + b'[[tls]]\nserver = "a.example"\nkind = "weak_dh"\nreviewed = "x"\nreason = "y"\n'
    (complaint,) = complaints(raw)
    last = raw.decode().split("\n").index('reviewed = "x"') + 1
    assert complaint.startswith(f"{FILE}:{last}: reviewed is not a day")


def test_the_same_exception_twice_is_told() -> None:
    (complaint,) = complaints(with_tls() + with_tls()[len(hub.TEMPLATE.encode()) :])
    assert "press.hanbit.ac.example has its exception weak_dh already" in complaint


@pytest.mark.parametrize("text", ["tls = 1\n", "tls = [1]\n", "bot = 1\n", 'options = "x"\n', "[tls]\nserver = 1\n"])
def test_a_table_of_the_wrong_shape_is_told(text: str) -> None:
    site = hub.TEMPLATE[: hub.TEMPLATE.index("[options]")]
    raw = text + site if not text.startswith("[") else site + text
    (complaint,) = complaints(raw.encode())
    assert "write [" in complaint


def test_a_hub_file_in_another_encoding_is_refused_with_an_editors_cure() -> None:
    with pytest.raises(RegistryInvalid, match="text editor"):
        hub.parse('[site]\nname = "대학언론 허브"\n'.encode("cp949"), "data/hub.toml")


def with_columns(*lines: str) -> bytes:
    return (hub.TEMPLATE + "\n[photo_columns]\n" + "\n".join(lines) + "\n").encode()


def test_P03_a_hub_may_note_every_picture_its_feeds_show() -> None:
    assert hub.parse(with_value("pictures", '"all"'), FILE).pictures == "all"


def test_P03_photo_columns_are_read_by_outlet() -> None:
    raw = with_columns('saebom-ubs = [" 한  컷 "]', 'hanbit-news = ["카메라사계", "앵글"]')
    assert hub.parse(raw, FILE).photo_columns == (("hanbit-news", ("카메라사계", "앵글")), ("saebom-ubs", ("한 컷",)))


@pytest.mark.parametrize(
    ("line", "what", "cure"),
    [
        ('Hanbit_News = ["앵글"]', '"Hanbit_News" is no slug', "outlets.csv"),
        ('hanbit-news = "앵글"', "hanbit-news is no list of names", 'write hanbit-news = ["카메라사계", "앵글"]'),
        ("hanbit-news = []", "hanbit-news is no list of names", "or remove the line"),
        ("hanbit-news = [3]", "hanbit-news: 3 is not text", "double quotes"),
        ('hanbit-news = [" "]', 'hanbit-news: " " is no name', "or remove it"),
        ('hanbit-news = ["…"]', 'hanbit-news: "…" is no name', "or remove it"),
        ('hanbit-news = ["[앵글]"]', "holds brackets", "bare name"),
        ('hanbit-news = ["앵글", "앵 글"]', 'the name "앵 글" stands there twice', "keep one"),
        (f'hanbit-news = ["{"가" * 31}"]', "is longer than a column's name", "at most 30"),
    ],
)
def test_P03_a_wrong_photo_column_is_told_at_its_line(line: str, what: str, cure: str) -> None:
    raw = with_columns('saebom-ubs = ["앵글"]', line)
    (complaint,) = complaints(raw)
    assert complaint.startswith(f"{FILE}:{line_of(raw, line.split(' ')[0] + ' = ' + line.split(' = ')[1])}: ")
    assert what in complaint
    assert cure in complaint


def test_P03_photo_columns_that_are_no_table_are_told() -> None:
    (complaint,) = complaints(hub.TEMPLATE.replace("[site]", 'photo_columns = ["앵글"]\n[site]').encode())
    assert "photo_columns is no table; write [photo_columns] on a line of its own" in complaint


def test_P03_a_photo_column_of_nobody_is_told_with_the_outlet_that_was_meant() -> None:
    raw = with_columns('hanbit-new = ["앵글"]', 'old-name = ["앵글"]', 'saebom-ubs = ["앵글"]')
    known = [outlet("hanbit-news"), dataclasses.replace(outlet("saebom-ubs"), former=("old-name",))]
    told = [str(one) for one in hubcolumns.strangers(raw, FILE, hub.parse(raw, FILE).photo_columns, known)]
    assert told == [
        f'{FILE}:{line_of(raw, "hanbit-new = ")}: the outlet "hanbit-new" is not in outlets.csv; '
        'correct it (did you mean "hanbit-news"?)',
        f'{FILE}:{line_of(raw, "old-name = ")}: the outlet "old-name" is not in outlets.csv; '
        'it is called "saebom-ubs" now: use that slug',
    ]


def test_P03_check_holds_the_photo_columns_against_the_registry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    assert crawl.cli.main(["init", "--data", str(data)]) == 0
    (data / "hub.toml").write_bytes(with_columns('hanbit-news = ["앵글"]'))
    capsys.readouterr()
    assert crawl.cli.main(["check", "--data", str(data)]) == 1
    line = line_of((data / "hub.toml").read_bytes(), "hanbit-news = ")
    assert f'{data}/hub.toml:{line}: the outlet "hanbit-news" is not in outlets.csv' in capsys.readouterr().out


def with_web(*lines: str) -> bytes:
    found = hub.TEMPLATE
    for line in lines:
        key = line.partition(" ")[0]
        found = re.sub(rf"^{key} = .*\n", "", found, flags=re.MULTILINE)
        found = found.replace("[web]\n", f"[web]\n{line}\n")
    return found.encode()


def test_every_key_of_the_web_table_is_documented_and_may_be_empty() -> None:
    written = hub.TEMPLATE.partition("[web]\n")[2].partition("\n[")[0]
    assert re.findall(r"^([a-z_]+) = (?:\"\"|354)$", written, flags=re.MULTILINE) == list(hubweb.KEYS)
    hub.parse(hub.TEMPLATE.partition("# 사이트 밖에서")[0].encode(), FILE)


@pytest.mark.parametrize(
    "line",
    [
        'datasette = "https://data.campus.example/"',
        'google_site_verification = "rXOxyZounnZasA8Z7oaD3c14JdjS9aKSWvsR1EbUSIQ"',
        'naver_site_verification = "3f1c6a0be8a94ad3b2d8f0a1c5e7d9b24a6f8c1e"',
        'naver_site_verification = " "',
        "field_outlets = 0",
        "field_outlets = 90",
    ],
)
def test_what_search_engines_give_is_taken_as_it_stands(line: str) -> None:
    hub.parse(with_web(line), FILE)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('datasette = "data.campus.example"', "datasette"),
        ('datasette = "javascript:alert(1)"', "datasette"),
        ('google_site_verification = "<meta name=x content=abcdefghijkl>"', "content="),
        ('naver_site_verification = "content=abcdefghijklmno"', "content="),
        ('naver_site_verification = "짧다"', "is no verification"),
        ("google_site_verification = 12345678901", "is not text"),
        ('google = "abcdefghijklmno"', "unknown in [web]"),
        ('field_outlets = "354"', "no number of outlets"),
        ("field_outlets = -1", "no number of outlets"),
        ("field_outlets = true", "no number of outlets"),
    ],
)
def test_a_wrong_value_of_the_web_table_is_told_with_its_line(line: str, told: str) -> None:
    raw = with_web(line)
    (complaint,) = complaints(raw)
    assert complaint.startswith(f"{FILE}:{line_of(raw, line[:9])}:")
    assert told in complaint
