"""hub.toml's promises: documented keys, every problem at once with its line, and never a ruder policy."""

from __future__ import annotations

import re

import pytest

from crawl import hub
from crawl.errors import RegistryInvalid
from crawl.policy import Policy

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


def test_every_key_is_documented_by_a_comment_above_it() -> None:
    lines = hub.TEMPLATE.split("\n")
    for key in hub.SITE_KEYS:
        at = line_of(hub.TEMPLATE.encode(), f"{key} = ") - 1
        assert lines[at - 1].startswith("# ")
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
        + "\n[options]\nx = 1\n"
    )
    told = complaints(raw.encode())
    assert [complaint.split("; ")[0] for complaint in told] == [
        f'{FILE}:{line_of(raw.encode(), "lane")}: the key "lane" is unknown',
        f'{FILE}:{line_of(raw.encode(), "[site]")}: the key "contact" is missing in [site]',
        f'{FILE}:{line_of(raw.encode(), "contakt")}: the key "contakt" is unknown in [site]',
        f"{FILE}:{line_of(raw.encode(), '[options]')}: the table [options] is unknown",
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
