"""What machines read about the crawler: valid, the same every time, and taken from the table (S34)."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from build import site
from build.botfile import ADDRESSES, BOT, BOT_KEYS
from build.check import check
from build.db import read_hub
from crawl import clinight, hub
from crawl.policy import AGENT, Policy
from tests import sitefixture


def made(folder: Path, more: str = "", base_url: str | None = None, breaches: int = 0, **keys: str) -> Path:
    """The site of a small hub, checked."""
    sitefixture.fill(folder / "press.db", breaches=breaches)
    sitefixture.hub(folder, more, **keys)
    site.build(folder, folder / "site", base_url)
    assert check(folder / "site") == []
    return folder / "site"


def read(root: Path, path: str = BOT) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / path).read_bytes())
    return found


def test_S34_a_machine_learns_who_comes_and_where_to_write(tmp_path: Path) -> None:
    found = read(made(tmp_path, contact="hub@campus.example", address="https://hub.example/", operator="모임"))
    assert tuple(found) == BOT_KEYS
    assert found["name"] == "CampusPressHub"
    assert found["user_agent"] == {"begins_with": AGENT, "in_full": f"{AGENT} (+https://hub.example/policy/)"}
    assert found["robots_txt"]["token"] == "CampusPressHub"
    assert found["robots_txt"]["binds_rss_and_atom_feeds"] is False
    assert found["robots_txt"]["feeds_while_unreadable"] is None
    assert (found["operator"], found["contact"]) == ("모임", "hub@campus.example")
    assert found["policy"] == {"ko": "https://hub.example/policy/", "en": "https://hub.example/en/policy/"}
    assert found["addresses"] == {"lasting": [], "list": "https://hub.example/bot/ips.json"}
    assert found["signed"] is False
    assert set(found["purpose"]) == {"ko", "en"}


def test_every_rule_and_number_is_the_table_s(tmp_path: Path) -> None:
    found = read(made(tmp_path, breaches=3))
    told = {
        (rule["rule"], value["name"]): (value["value"], value["limit"], value["unit"])
        for rule in found["rules"]
        for value in rule["values"]
    }
    table = [rule for rule in Policy().rules() if rule.value is not None]
    assert told == {(rule.rule, rule.name): (rule.value, rule.floor, rule.unit) for rule in table}
    assert [rule["rule"] for rule in found["rules"]] == sorted({rule.rule for rule in Policy().rules()})
    in_force = {rule["rule"] for rule in found["rules"] if rule["in_force"]}
    assert in_force == {rule.rule for rule in Policy().rules() if rule.in_force}
    broken = {rule["rule"]: rule["broken_last_night"] for rule in found["rules"] if rule["broken_last_night"]}
    assert broken == {"P20": 3}


def test_last_night_is_told_or_that_there_was_none(tmp_path: Path) -> None:
    assert read(made(tmp_path / "a"))["last_night"] == {
        "day": "2026-12-01", "started": "2026-12-01T00:00:00+09:00", "ended": "2026-12-01T00:12:41+09:00",
        "requests": 5, "servers": 2, "broken": 0,
    }  # fmt: skip
    sitefixture.fill(tmp_path / "b" / "press.db", nights=False)
    site.build(tmp_path / "b", tmp_path / "b" / "site")
    empty = read(tmp_path / "b" / "site")
    assert (empty["last_night"], empty["rules"]) == (None, [])


def test_S34_addresses_are_listed_as_other_crawlers_list_theirs(tmp_path: Path) -> None:
    root = made(tmp_path, '[bot]\naddresses = ["1.2.3.4", "5.6.7.0/24", "2400:1::/48"]\n')
    assert read(root, ADDRESSES) == {
        "prefixes": [{"ipv4Prefix": "1.2.3.4/32"}, {"ipv4Prefix": "5.6.7.0/24"}, {"ipv6Prefix": "2400:1::/48"}]
    }
    assert read(root)["addresses"]["lasting"] == ["1.2.3.4", "5.6.7.0/24", "2400:1::/48"]


def test_S34_no_lasting_address_is_said_and_not_left_open(tmp_path: Path) -> None:
    found = read(made(tmp_path), ADDRESSES)
    assert found["prefixes"] == []
    assert "no address that lasts" in found["note"]


def test_P44_the_options_are_told_to_machines_too(tmp_path: Path) -> None:
    root = made(tmp_path, '[options]\nfeeds_obey_named_group = true\nrobots_unreachable = "allow"\n')
    assert read(root)["robots_txt"]["binds_rss_and_atom_feeds"] is True
    assert read(root)["robots_txt"]["feeds_while_unreadable"] == "allow"


def test_the_same_database_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = made(tmp_path / "a", contact="hub@campus.example"), made(tmp_path / "b", contact="hub@campus.example")
    for path in (BOT, ADDRESSES):
        assert (one / path).read_bytes() == (other / path).read_bytes()


def test_without_an_address_links_are_relative_to_the_file(tmp_path: Path) -> None:
    assert read(made(tmp_path))["policy"]["ko"] == "policy/"


@pytest.mark.parametrize("address", ["https://hub.example/", "https://hub.example/press", ""])
def test_P01_the_full_name_shown_is_the_one_requests_carry(tmp_path: Path, address: str) -> None:
    toml = hub.TEMPLATE.replace('address = ""', f'address = "{address}"', 1)
    (tmp_path / "hub.toml").write_text(toml, "utf-8")
    contact = clinight.contact_url(hub.parse(toml.encode(), "hub.toml"))
    assert read_hub(tmp_path).user_agent == (f"{AGENT} (+{contact})" if contact else AGENT)


def test_the_site_reads_hub_toml_as_the_crawler_does(tmp_path: Path) -> None:
    toml = hub.TEMPLATE
    for old, new in (
        ("feeds_obey_named_group = false", "feeds_obey_named_group = true"),
        ('robots_unreachable = "wait"', 'robots_unreachable = "allow"'),
        ('lane_by = "address"', 'lane_by = "host"'),
        ("addresses = []", 'addresses = ["1.2.3.4", "2400:1::/48"]'),
    ):
        assert toml.count(f"\n{old}\n") == 1
        toml = toml.replace(f"\n{old}\n", f"\n{new}\n")
    (tmp_path / "hub.toml").write_text(toml, "utf-8")
    here, there = read_hub(tmp_path), hub.parse(toml.encode(), "hub.toml")
    assert (here.feeds_obey_named_group, here.robots_unreachable) == (True, "allow")
    assert (there.options.obey_named_group, there.options.allow_unreachable) == (True, True)
    assert (here.lane_by, here.addresses) == (there.lane_by, there.addresses)
    assert (read_hub(tmp_path / "nowhere").lane_by, hub.parse(hub.TEMPLATE.encode(), "x").lane_by) == (
        "address",
        "address",
    )


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        (BOT, None, "bot.json: is missing"),
        (ADDRESSES, None, "bot/ips.json: is missing"),
        (BOT, b"{", "bot.json: is no JSON"),
        (BOT, b"[]", "bot.json: holds no object"),
        (BOT, b"{}", "bot.json: rules is missing"),
        (ADDRESSES, b"{}", "bot/ips.json: prefixes is missing"),
        (ADDRESSES, b'{"prefixes": [{"ipv4Prefix": "1.2.3.4/24"}]}', "is no network"),
        (ADDRESSES, b'{"prefixes": [{"ipv4Prefix": "2400:1::/48"}]}', "is no network"),
        (ADDRESSES, b'{"prefixes": ["1.2.3.4"]}', "is no network"),
        (ADDRESSES, b'{"prefixes": [{}]}', "is no network"),
    ],
)
def test_the_checker_knows_both_files(tmp_path: Path, path: str, body: bytes | None, said: str) -> None:
    root = made(tmp_path)
    if body is None:
        (root / path).unlink()
    else:
        (root / path).write_bytes(body)
    assert [flaw for flaw in check(root) if said in str(flaw)]


def test_a_table_in_another_order_still_gives_one_entry_a_rule(tmp_path: Path) -> None:
    sitefixture.fill(tmp_path / "press.db")
    with closing(sqlite3.connect(tmp_path / "press.db")) as raw:
        raw.execute("UPDATE policy SET id = 1000 - id")
        raw.commit()
    site.build(tmp_path, tmp_path / "site")
    rules = [rule["rule"] for rule in read(tmp_path / "site")["rules"]]
    assert rules == sorted(set(rules))
