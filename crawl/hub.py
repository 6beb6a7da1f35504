"""hub.toml: who runs this hub and where, their choices, and politer values than the promised ones, every problem at once."""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crawl import cells, filetext, hubcolumns, huboptions, hubweb
from crawl.csvtable import did_you_mean
from crawl.errors import PolicyRuder, Problem, RegistryInvalid
from crawl.huboptions import LaneBy, PicturesOf, TlsException
from crawl.hubplace import Place
from crawl.model import Options
from crawl.policy import Policy

TEMPLATE = """\
# 이 허브의 이름과 주소, 운영자를 적는 파일입니다. 고친 뒤 "python -m crawl check"로 확인하세요.
# Who runs this hub and where. After an edit, "python -m crawl check" tells what is wrong.

[site]
# 허브 이름. 모든 화면의 맨 위에 나옵니다.
# The hub's name, at the top of every page. Must not be empty.
name = "대학언론 허브"

# 영문 이름.
# The name in English. Must not be empty.
name_en = "CampusPressHub"

# 이름 아래에 한 줄로 나오는 소개.
# One line below the name; may be empty.
tagline = "대학 언론의 새 기사를 제목과 링크로 모읍니다"

# 공개된 사이트의 주소(예: https://hub.example.kr/). 적어 두면 수집기가 모든 요청에서 이 주소를 밝히고,
# 비워 두면 이름만 밝힙니다.
# The public address of the site. When given, every request names it (P01) and the site's feeds use it for
# their own links; while it is empty, requests carry the crawler's name alone.
address = ""

# 언론사와 서버 관리자가 연락할 메일 주소나 웹 주소.
# 비어 있으면 예약된 밤 수집은 시작하지 않습니다.
# Where outlets and server admins reach the operator: a mail address or a web address. A scheduled night does
# not start while it is empty.
contact = ""

# 이 허브의 저장소("소유자/이름"). 예약된 밤 수집은 이 저장소에서만 시작합니다.
# 복제한 저장소가 같은 언론사에 두 번 요청하지 않게 하려는 것입니다.
# The repository this hub runs in, as "owner/name". A scheduled night starts in that repository only, so that
# copies of it do not double the load on the same outlets. Empty: no scheduled night.
repository = ""

# 운영 주체(모임이나 단체 이름). 비워 둘 수 있습니다.
# The group or organisation that runs the hub; may be empty.
operator = ""

[options]
# 우리 이름(CampusPressHub)을 적은 robots.txt 묶음을 RSS·Atom 피드에도 적용할지 정합니다(P44).
# false: 피드는 구독하라고 공개한 주소이므로 robots.txt를 보지 않고 읽습니다.
# true: 피드도 robots.txt를 먼저 읽고, 우리 이름의 묶음이 막으면 묻지 않습니다. Crawl-delay도 지킵니다.
# Whether a robots.txt group that names CampusPressHub binds feeds too (P44). false: feeds are read without
# robots.txt. true: robots.txt is read before feeds, a group with our name may close them, and the Crawl-delay
# of the group that applies is kept; what is written for everybody (*) still closes no feed.
feeds_obey_named_group = false

# 위 값이 true일 때, robots.txt를 읽지 못하면 그 서버의 피드를 어떻게 할지 정합니다.
# "wait": 다음 밤까지 기다립니다. "allow": 피드만은 읽습니다.
# While the option above is true: what happens to a server's feeds when its robots.txt cannot be read. "wait":
# they wait for the next night. "allow": feeds are read all the same; web pages wait in any case.
robots_unreachable = "wait"

# 한 서버로 칠 묶음을 무엇으로 정하는지 고릅니다(P20).
# "address": 이름이 달라도 같은 IP 주소로 이어지면 한 서버로 칩니다. "host": 이름만 봅니다.
# What counts as one server, which is never asked twice at once (P20). "address": names that lead to one IP
# address count as one server (shared hosting). "host": only the name counts.
lane_by = "address"

# 어떤 글의 사진 주소를 적어 둘지 정합니다(P03). 사진은 언제나 매체의 서버에서 바로 보이고, 받아 두지 않습니다.
# "photo": 사진 기사만. "all": 피드가 글마다 스스로 보여 주는 첫 사진도. 매체들이 바랄 때만 쓰세요.
# Of which entries we note the address of a picture (P03); it is always shown from the outlet's own server and
# never copied. "photo": of photo stories only. "all": also the first picture that a feed itself shows in any
# entry; only where the hub's publishers want it.
pictures = "photo"

[bot]
# 우리 요청이 나가는 IP 주소나 대역. 정책 쪽과 /bot.json, /bot/ips.json에 실립니다(S34).
# 빌려 쓰는 실행 환경처럼 늘 같은 주소가 없으면 비워 둡니다. 그러면 없다고 밝힙니다.
# The IP addresses or networks our requests come from, published on the policy page, in /bot.json and
# /bot/ips.json (S34), written as ["192.0.2.7", "2001:db8:5::/48"]. Leave it empty where there are none that
# last (hosted runners); the page then says so.
addresses = []

# 사이트 밖에서 이 허브를 찾는 데 쓰는 값입니다. 모두 비워 둘 수 있습니다.
# What helps to find this hub elsewhere; all of it may stay empty.
[web]
# 이 허브가 다루는 분야의 매체가 모두 몇 곳쯤인지. 매체 목록과 소개 쪽이 그 가운데 얼마를 잇는지 말합니다.
# 0이면 말하지 않습니다.
# About how many outlets the field has in all; the directory and the about page say how much of it is covered.
# 0: nothing is said. 354: a survey of 192 four-year universities in Korea, reported in January 2026 (137
# papers, 130 broadcasters, 65 English papers, 22 magazines).
field_outlets = 354

# 데이터셋을 살펴보는 Datasette를 따로 띄웠다면 그 주소. 데이터 쪽에서 잇습니다.
# Where a Datasette edition of this hub's data is served, if anywhere; the data page leads there.
datasette = ""

# 구글 서치 콘솔과 네이버 서치어드바이저가 준 확인 값. <meta> 태그의 content="…" 안에 있는 글자만 적습니다.
# What Google Search Console and Naver Search Advisor gave to prove that the site is yours: only the text
# inside content="…" of their <meta> tag.
google_site_verification = ""
naver_site_verification = ""

# 약속보다 더 조심스럽게 수집하고 싶을 때만 씁니다. 약속보다 거친 값은 거절됩니다.
# Only to be politer than promised; a ruder value is refused. The names and the promised values are those of
# crawl/policy.py. Take the leading # away to use the table:
# [politeness]
# spacing_s = 5.0

# 이름에 "포토"가 없는 사진 꼭지를 매체마다 적습니다. 제목의 말머리나 섹션 이름이 이와 같은 글은 사진 기사로
# 다룹니다(P03). 왼쪽은 outlets.csv의 slug, 오른쪽은 꼭지 이름입니다. 쓰려면 맨 앞의 #를 지우세요.
# Photo columns whose names do not say so, by outlet: what carries one of these names as its heading or its
# section is a photo story (P03). Left a slug of outlets.csv, right the names. Take the leading # away:
# [photo_columns]
# hanbit-news = ["카메라사계", "앵글"]

# 낡은 서버와 보안 연결을 맺기 위해 사람이 살펴본 예외입니다. 서버 하나에 [[tls]] 하나씩 씁니다.
# 어떤 예외도 인증서 확인을 끄지 않습니다.
# Reviewed exceptions for old servers, one [[tls]] each. None of them turns certificate verification off.
#   server: the server's name without www., m. and port (서버 이름)
#   kind: "missing_intermediate" (it forgets to send an intermediate certificate: 중간 인증서를 보내지 않음),
#         "weak_dh" (its Diffie-Hellman key is too short; another exchange is used: 짧은 DH 열쇠) or
#         "legacy_renegotiation" (it knows only the old way to renegotiate: 옛 재협상 방식)
#   certificate: only for missing_intermediate, that certificate as a PEM file below this folder (중간 인증서 파일)
#   reviewed: the day somebody looked, "YYYY-MM-DD" (살펴본 날)
#   reason: why it is needed and what was looked at (까닭)
# [[tls]]
# server = "press.example.ac.kr"
# kind = "missing_intermediate"
# certificate = "tls/example-intermediate.pem"
# reviewed = "2026-12-01"
# reason = "the server sends its own certificate only; this one was taken from its issuer's own pages"
"""
"""The hub.toml of a new hub; every key stands in it with what it is for."""

TABLES = ("site", "options", "bot", "web", "politeness", "photo_columns", "tls")
SITE_KEYS = ("name", "name_en", "tagline", "address", "contact", "repository", "operator")

_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")
_MAIL = re.compile(r"[^\s@<>()\",;:]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Hub:
    """Who runs this hub. `address` is the public site's (empty: none), `contact` a mail or web address,
    `repository` `owner/name`; `politer` holds the policy fields set politer than promised. `options`: P44; `lane_by`: what
    counts as one server (P20); `pictures` and `photo_columns` (by slug): P03; `addresses`: IP addresses and networks we come
    from (S34); `tls`: reviewed exceptions."""

    name: str
    name_en: str
    tagline: str
    address: str
    contact: str
    repository: str
    operator: str
    politer: tuple[tuple[str, float], ...] = ()
    options: Options = Options()  # noqa: RUF009 - a frozen value
    lane_by: LaneBy = "address"
    pictures: PicturesOf = "photo"
    photo_columns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    addresses: tuple[str, ...] = ()
    tls: tuple[TlsException, ...] = ()

    def policy(self) -> Policy:
        """The politeness table in force: the promise, with the politer values of this hub."""
        return dataclasses.replace(Policy(), **dict(self.politer))  # type: ignore[arg-type]


def parse(raw: bytes, file: str) -> Hub:
    """The hub that hub.toml describes; `file` is its path as shown to people.

    Raises RegistryInvalid with every problem: no UTF-8, no TOML, unknown or missing keys, wrong types, bad
    addresses, values ruder than the policy.
    """
    written = filetext.text(raw, file)
    try:
        tree = tomllib.loads(written.replace("\r\n", "\n").replace("\r", "\n"))
    except tomllib.TOMLDecodeError as exc:
        raise RegistryInvalid([_syntax(file, written, str(exc))]) from exc
    place = Place(file, written)
    problems = list(_unknown_tables(tree, place))
    if "site" not in tree:
        problems.append(place.problem("", "", "the table [site] is missing", "write [site] and its keys below it"))
    tables = {name: _table(tree, name, place, problems) for name in TABLES if name != "tls"}
    entries = tree.get("tls", [])
    if not isinstance(entries, list):
        entries = []
        problems.append(place.problem("", "tls", "tls is no list of tables", "write [[tls]], with two brackets"))
    if isinstance(tree.get("site"), dict):
        problems += _site(tables["site"], place)
    problems += huboptions.options_faults(tables["options"], place)
    problems += huboptions.bot_faults(tables["bot"], place)
    problems += hubweb.faults(tables["web"], place)
    problems += huboptions.tls_faults(entries, place)
    problems += hubcolumns.faults(tables["photo_columns"], place)
    problems += _politeness(tables["politeness"], place)
    if problems:
        raise RegistryInvalid(problems)
    return Hub(
        **{key: tables["site"][key].strip() for key in SITE_KEYS},
        politer=tuple(sorted(tables["politeness"].items())),
        options=huboptions.robots_options(tables["options"]),
        lane_by=tables["options"].get("lane_by", "address"),
        pictures=tables["options"].get("pictures", "photo"),
        photo_columns=hubcolumns.columns(tables["photo_columns"]),
        addresses=tuple(huboptions.network(written) for written in tables["bot"].get("addresses", [])),
        tls=tuple(huboptions.tls_exception(entry) for entry in entries),
    )


def _table(tree: dict[str, Any], name: str, place: Place, problems: list[Problem]) -> dict[str, Any]:
    """The table of that name; an empty one, and a problem, where something else has its name."""
    found = tree.get(name, {})
    if isinstance(found, dict):
        return found
    problems.append(place.problem("", name, f"{name} is no table", f"write [{name}] on a line of its own"))
    return {}


def _syntax(file: str, written: str, message: str) -> Problem:
    found = _AT_LINE.search(message)
    line = int(found[1]) if found and found[1] else max(1, len(filetext.lines(written)))
    reason = _AT_LINE.sub("", message)
    return Problem(
        file, line, f"this is not TOML ({reason})", 'write each line as key = "value", text in double quotes'
    )


def _unknown_tables(tree: dict[str, Any], place: Place) -> Iterator[Problem]:
    for name, value in tree.items():
        if name in TABLES:
            continue
        if name in SITE_KEYS and not isinstance(value, dict):
            yield place.problem("", name, f'the key "{name}" stands outside its table', "move it below the line [site]")
        else:
            kind = f"table [{name}]" if isinstance(value, dict) else f'key "{name}"'
            guess = did_you_mean(name, (*TABLES, *SITE_KEYS))
            yield place.problem("", name, f"the {kind} is unknown", f"remove it{guess}")


def _site(site: dict[str, Any], place: Place) -> Iterator[Problem]:
    for key, value in site.items():
        if key not in SITE_KEYS:
            cure = f"remove it{did_you_mean(key, SITE_KEYS)}"
            yield place.problem("site", key, f'the key "{key}" is unknown in [site]', cure)
        elif not isinstance(value, str):
            yield place.problem("site", key, f"{key} is not text", "put the value into double quotes")
        elif any(character < " " or character == "\x7f" for character in value):
            yield place.problem("site", key, f"{key} holds a control character or a line break", "write it on one line")
        else:
            fault = _site_fault(key, value.strip())
            if fault:
                yield place.problem(
                    "site", key, f'{key} "{value}" {fault[0]}' if value else f"{key} {fault[0]}", fault[1]
                )
    for key in SITE_KEYS:
        if key not in site:
            yield place.problem("site", key, f'the key "{key}" is missing in [site]', f'write {key} = ""')


def _site_fault(key: str, value: str) -> tuple[str, str] | None:
    """What is wrong with a value of [site], and the cure."""
    if not value:
        return ("is empty", "write the hub's name") if key in ("name", "name_en") else None
    if key == "address":
        fault = cells.address_fault(value)
        if fault is None and ("?" in value or not value.isascii() or set(value) & set('()\\<>"')):
            return (
                "cannot stand in a request's User-Agent",
                "write a plain address without a query, brackets or Hangul",
            )
        return fault
    if key == "contact" and not _MAIL.fullmatch(value):
        if value.lower().startswith(("http://", "https://")):
            return cells.address_fault(value)
        return "is neither a mail nor a web address", "write name@example.org or https://… and nothing around it"
    if key == "repository" and not _REPOSITORY.fullmatch(value):
        return "is no repository name", 'write "owner/name", without an address around it'
    return None


def _politeness(table: dict[str, Any], place: Place) -> Iterator[Problem]:
    """P: a value may only be politer than its floor, and must be a number a night can be counted with."""
    fields = {field.name: str(field.type) for field in dataclasses.fields(Policy)}
    for key, value in table.items():
        if key not in fields:
            guess = did_you_mean(key, fields)
            yield place.problem("politeness", key, f'the key "{key}" is unknown in [politeness]', f"remove it{guess}")
        elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            yield place.problem(
                "politeness", key, f"{key} is not a number", f"write a number, for example {_promised(key)}"
            )
        elif value < 0 or (fields[key] == "int" and not isinstance(value, int)):
            what = f"{key} = {value} is no value that can be counted with"
            cure = "write a whole number, not below zero" if fields[key] == "int" else "write a number not below zero"
            yield place.problem("politeness", key, what, cure)
        else:
            try:
                changed: dict[str, Any] = {key: value}
                dataclasses.replace(Policy(), **changed).refuse_ruder()
            except PolicyRuder as exc:
                what = f"{exc.rule}: {key} = {value:g} is ruder than its floor {exc.floor:g}"
                yield place.problem(
                    "politeness", key, what, f"use {exc.floor:g} or a politer value, or remove the line"
                )


def _promised(key: str) -> str:
    return f"{key} = {getattr(Policy(), key):g}"
