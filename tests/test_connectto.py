"""`--connect-to` reads curl's own notation and says which part it cannot read."""

from __future__ import annotations

import dataclasses

import pytest

from crawl.connectto import ConnectTo
from crawl.errors import Misuse


def test_a_named_host_and_port_go_where_the_mapping_says() -> None:
    to = ConnectTo(("news.example.ac.kr:80:127.0.0.1:8000",))
    assert to.target("news.example.ac.kr", 80) == ("127.0.0.1", 8000)
    assert to.target("news.example.ac.kr", 443) is None
    assert to.target("other.example.ac.kr", 80) is None


def test_empty_fields_match_everything_and_keep_what_was_asked() -> None:
    assert ConnectTo(("::127.0.0.1:8000",)).target("a.example", 443) == ("127.0.0.1", 8000)
    assert ConnectTo((":80:127.0.0.1:",)).target("a.example", 80) == ("127.0.0.1", 80)
    assert ConnectTo(("a.example:::8080",)).target("a.example", 80) == ("a.example", 8080)


def test_a_host_that_is_no_host_matches_no_name() -> None:
    assert ConnectTo(("a.example::127.0.0.1:1",)).target("1:2:g", 80) is None


def test_the_first_mapping_that_matches_wins() -> None:
    to = ConnectTo(("a.example:80:127.0.0.1:1", "a.example::127.0.0.1:2", "::127.0.0.1:3"))
    assert [to.target("a.example", 80), to.target("a.example", 443), to.target("b.example", 80)] == [
        ("127.0.0.1", 1),
        ("127.0.0.1", 2),
        ("127.0.0.1", 3),
    ]


def test_ipv6_stands_in_brackets_on_both_sides_in_any_spelling() -> None:
    to = ConnectTo(("[2001:DB8:0::1]:443:[::1]:8443",))
    assert to.target("2001:db8::1", 443) == ("::1", 8443)
    assert to.target("[2001:db8::1]", 443) == ("::1", 8443)


def test_names_are_compared_without_case_trailing_dot_and_in_their_wire_form() -> None:
    to = ConnectTo(("News.Example.AC.KR.::127.0.0.1:1", "신문.한국::127.0.0.1:2"))
    assert to.target("NEWS.example.ac.kr", 80) == ("127.0.0.1", 1)
    assert to.target("xn--z92b13l.xn--3e0b707e", 80) == ("127.0.0.1", 2)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a.example:80:127.0.0.1", "3 fields"),
        ("", "1 fields"),
        ("a.example:80:::1:8000", "6 fields"),
        ("a.example:http:127.0.0.1:8000", "the port to match, 'http'"),
        ("a.example:80:127.0.0.1:0", "the port to dial, '0'"),
        ("a.example:80:127.0.0.1:65536", "the port to dial, '65536'"),
        ("a.example:80:127.0.0.1:٨٠", "the port to dial"),
        ("a/b:80:127.0.0.1:8000", "the name to match, 'a/b'"),
        ("a.example:80:two words:8000", "the name to dial, 'two words'"),
        ("a.example:80:[::g]:8000", "the name to dial, '[::g]'"),
        ("[::1:80:127.0.0.1:8000", "'[' at position 1"),
        ("[::1]x:80:127.0.0.1:8000", "'x' at position 6"),
    ],
)
def test_a_mapping_that_cannot_be_read_is_a_misuse_naming_the_part(text: str, part: str) -> None:
    with pytest.raises(Misuse) as caught:
        ConnectTo(("ok.example:80:127.0.0.1:1", text))
    assert part in str(caught.value)
    assert repr(text) in str(caught.value)


def test_only_loopback_says_no_as_soon_as_one_target_may_lead_outside() -> None:
    assert ConnectTo(("::127.0.0.1:1", "a.example::[::1]:2", "b.example::localhost:3")).only_loopback
    assert not ConnectTo(("::127.0.0.1:1", "a.example::192.0.2.1:2")).only_loopback
    assert not ConnectTo(("a.example::b.example:2",)).only_loopback
    assert not ConnectTo(("a.example:::8080",)).only_loopback


def test_no_mapping_at_all_is_not_only_loopback() -> None:
    assert not ConnectTo().only_loopback
    assert ConnectTo(()).target("a.example", 80) is None


def test_mappings_are_values_that_cannot_be_changed() -> None:
    to = ConnectTo(("::127.0.0.1:1",))
    assert to == ConnectTo(("::127.0.0.1:1",))
    with pytest.raises(dataclasses.FrozenInstanceError):
        to.detours = ()  # type: ignore[misc]


def test_only_an_empty_host_and_port_with_a_named_target_leads_everything_elsewhere() -> None:
    assert ConnectTo(("::127.0.0.1:8000",)).catches_all
    assert ConnectTo(("a.example:443:127.0.0.1:8443", "::127.0.0.1:")).catches_all
    for partial in ("a.example::127.0.0.1:8000", ":80:127.0.0.1:8000", ":::8000"):
        assert not ConnectTo((partial,)).catches_all, partial
