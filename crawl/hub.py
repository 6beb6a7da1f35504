"""hub.toml: who runs this hub and where, and politer values than the promised ones, every problem at once."""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crawl import cells, filetext
from crawl.csvtable import did_you_mean
from crawl.errors import PolicyRuder, Problem, RegistryInvalid
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

# 약속보다 더 조심스럽게 수집하고 싶을 때만 씁니다. 약속보다 거친 값은 거절됩니다.
# Only to be politer than promised; a ruder value is refused. The names and the promised values are those of
# crawl/policy.py. Take the leading # away to use the table:
# [politeness]
# spacing_s = 5.0
"""
"""The hub.toml of a new hub; every key stands in it with what it is for."""

SITE_KEYS = ("name", "name_en", "tagline", "address", "contact", "repository", "operator")

_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")
_MAIL = re.compile(r"[^\s@<>()\",;:]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Hub:
    """Who runs this hub. `address` is the public site's (empty: none), `contact` a mail or web address,
    `repository` `owner/name`; `politer` holds the policy fields set politer than promised."""

    name: str
    name_en: str
    tagline: str
    address: str
    contact: str
    repository: str
    operator: str
    politer: tuple[tuple[str, float], ...] = ()

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
    place = _Place(file, written)
    problems = list(_unknown_tables(tree, place))
    site = tree.get("site")
    if not isinstance(site, dict):
        site = {}
        problems.append(place.problem("", "", "the table [site] is missing", "write [site] and its keys below it"))
    else:
        problems += _site(site, place)
    politeness = tree.get("politeness", {})
    if not isinstance(politeness, dict):
        politeness = {}
        problems.append(
            place.problem("", "politeness", "politeness is no table", "write [politeness] on a line of its own")
        )
    problems += _politeness(politeness, place)
    if problems:
        raise RegistryInvalid(problems)
    return Hub(**{key: site[key].strip() for key in SITE_KEYS}, politer=tuple(sorted(politeness.items())))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a key stands in the file, as far as a search by line can tell."""

    file: str
    written: str

    def problem(self, table: str, key: str, what: str, cure: str) -> Problem:
        return Problem(self.file, self._line(table, key), what, cure)

    def _line(self, table: str, key: str) -> int:
        """The line of `key` in `[table]`; the table's line where the key is not found, else the first."""
        best, inside = 1, not table
        wanted = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
        for number, line in enumerate(filetext.lines(self.written), start=1):
            header = re.match(r"\s*\[+\s*[\"']?([^\]\"']+)", line)
            if header:
                inside = header[1].strip() == table
                best = number if header[1].strip() in (table, key) and best == 1 else best
            elif inside and key and wanted.match(line):
                return number
        return best


def _syntax(file: str, written: str, message: str) -> Problem:
    found = _AT_LINE.search(message)
    line = int(found[1]) if found and found[1] else max(1, len(filetext.lines(written)))
    reason = _AT_LINE.sub("", message)
    return Problem(
        file, line, f"this is not TOML ({reason})", 'write each line as key = "value", text in double quotes'
    )


def _unknown_tables(tree: dict[str, Any], place: _Place) -> Iterator[Problem]:
    for name, value in tree.items():
        if name in ("site", "politeness"):
            continue
        if name in SITE_KEYS and not isinstance(value, dict):
            yield place.problem("", name, f'the key "{name}" stands outside its table', "move it below the line [site]")
        else:
            kind = f"table [{name}]" if isinstance(value, dict) else f'key "{name}"'
            guess = did_you_mean(name, ("site", "politeness", *SITE_KEYS))
            yield place.problem("", name, f"the {kind} is unknown", f"remove it{guess}")


def _site(site: dict[str, Any], place: _Place) -> Iterator[Problem]:
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


def _politeness(table: dict[str, Any], place: _Place) -> Iterator[Problem]:
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
