"""Reads the bytes of a robots.txt into the one group that binds us, spelled so that a matcher cannot mistake it. Pure.

Matching paths is protego's work; this room does before it what it would get wrong, and never raises:
- lines end at CR, LF or both and nowhere else; a byte-order mark (whole or cut), zero bytes and invisible blanks at
  the ends of a line do not count; only the first 500 KiB are read (RFC 9309 section 2.5), and no half line of them;
- a group is its agent lines and what follows: blank, unknown and `Sitemap` lines neither begin nor end one (section
  2.2.4). `Crawl-delay` is a line we know, so an agent line after it begins a new group, as in every parser that knows it;
- an agent line names us only by our whole product token, any case, with or without a version (P41). All groups that
  name us are one, and so are all groups of `*`;
- `Allow: /index.html` opens that page and not its folder; a byte that is not ASCII is compared as a byte, so that two
  EUC-KR names never look alike.

Where publishers write what the RFC has no reading for, a Disallow is read as widely as it can have been meant, and an
Allow to the letter: a Disallow without its first slash or with the site's own address in front counts from the root,
one with Korean in it closes the UTF-8 and the EUC-KR spelling.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import Literal

from crawl.encoding import decode
from crawl.policy import AGENT

READ_MAX_BYTES = 500 * 1024
"""What RFC 9309 section 2.5 makes every crawler read; more of a file counts for nothing."""

_LINE_END = re.compile(rb"\r\n?|\n")
_BLANKS_BEFORE = re.compile(
    rb"(?:[\x00-\x20\x7f]|\xc2\xa0|\xe2\x80[\x8b-\x8f]|\xe3\x80\x80|\xef(?:\xbb\xbf?|(?!\xbb)))+"
)
_BLANKS_BEHIND = re.compile(rb"(?:[\x00-\x20\x7f]|\xa0\xc2|[\x8b-\x8f]\x80\xe2|\x80\x80\xe3|\xbf\xbb\xef)+")
"""Read on reversed bytes: a search for blanks up to the end would cost a long line the square of its length."""
_AGENT, _ALLOW, _DISALLOW, _DELAY = "agent", "allow", "disallow", "delay"
_FIELDS = {
    b"useragent": _AGENT, b"allow": _ALLOW, b"disallow": _DISALLOW, b"dissallow": _DISALLOW, b"dissalow": _DISALLOW,
    b"disalow": _DISALLOW, b"diasllow": _DISALLOW, b"disallaw": _DISALLOW, b"crawldelay": _DELAY,
}  # fmt: skip
"""Field names without hyphens and blanks, with the misspellings that crawlers have long accepted."""
_FORGOTTEN_COLON = re.compile(rb"(user[- ]?agent|(?:dis)?allow|crawl[- ]?delay)[ \t]+(\S+)", re.IGNORECASE)
_OURS = re.compile(re.escape(AGENT.partition("/")[0].encode()) + rb"(?![A-Za-z0-9_-])", re.IGNORECASE)
_OWN_ADDRESS = re.compile(rb"https?://[^/?]*", re.IGNORECASE)
_HIGH_ESCAPE = re.compile(rb"%([89A-Fa-f][0-9A-Fa-f])")
_TO_SPELL = re.compile(rb"%([0-9A-Fa-f]{2})|[%i~\x00-\x20\x7f-\xff]")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghjklmnopqrstuvwxyz0123456789-._")
_SWAPPED = {ord("i"): b"~", ord("~"): b"i"}
_NIBBLES = b"GHIJKLMNOPQRSTUV"


@dataclass(slots=True)
class _Group:
    """Everything the groups of one agent say, in the file's order."""

    rules: list[tuple[str, bytes]] = field(default_factory=list)
    delays: list[bytes] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a file says to us.

    `content`: `rules` where at least one group stands in it, `ungrouped` where allow or disallow lines do but no agent
    line, else `none`. `text`: a robots.txt of the group that binds us and nothing else, for protego, in the spelling of
    `spelled`. `named`: that group names us. `delays`: its Crawl-delay values as written.
    """

    content: Literal["rules", "ungrouped", "none"]
    text: str
    named: bool
    delays: tuple[str, ...]


def prepare(body: bytes, cut: bool = False) -> Prepared:
    """Read a file. `cut`: the body goes on beyond these bytes, so its last line may be half a line."""
    groups = {"us": _Group(), "*": _Group()}
    seen: set[str] = set()
    binding: set[str] = set()
    content: Literal["rules", "ungrouped", "none"] = "none"
    heading = False
    for kind, value in _records(_first_bytes(_plain(body), cut)):
        if kind == _AGENT:
            binding = binding if heading else set()
            binding |= _bound(value)
            seen |= binding
            heading, content = True, "rules"
            continue
        heading = False
        content = "ungrouped" if content == "none" else content
        for name in binding:
            if kind == _DELAY:
                groups[name].delays.append(value)
            else:
                groups[name].rules.append((kind, value))
    group = groups["us" if "us" in seen else "*"]
    delays = tuple(delay.decode("utf-8", "replace") for delay in group.delays)
    return Prepared(content, _text(group), "us" in seen, delays)


def _bound(agent: bytes) -> set[str]:
    """Whom an agent line names: `us`, `*` or neither."""
    if _OURS.match(agent.strip(b"* ")):
        return {"us"}
    return {"*"} if agent.split(None, 1)[:1] == [b"*"] else set()


def spelled(octets: bytes) -> str:
    """A path (with its query) in the spelling both sides are compared in: ASCII, one way to write each octet.

    Escapes of unreserved signs are undone (RFC 9309 section 2.2.2), a lone `%` becomes one. A byte above ASCII becomes
    `%` and two letters that are no hex digits: protego compares what it cannot decode as UTF-8 by a replacement
    character, and passes this through, at the length an escape has. `i` and `~` change places on both sides, because
    protego gives paths ending in `index.html` a meaning that RFC 9309 does not.
    """
    return _TO_SPELL.sub(_spelled_sign, octets).decode("ascii")


def _plain(body: bytes) -> bytes:
    """The bytes with ASCII in them as such: UTF-16 becomes UTF-8, and zero bytes elsewhere are nobody's text."""
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        body = decode(body[: 2 * READ_MAX_BYTES]).text.encode("utf-8", "replace")
    return body.replace(b"\x00", b"")


def _first_bytes(body: bytes, cut: bool) -> bytes:
    if len(body) <= READ_MAX_BYTES and not cut:
        return body
    # A cut `Disallow` would close too much, a cut `Allow` open too much, and a cut agent name somebody else.
    kept = body[: READ_MAX_BYTES + 1]
    return kept[: max(kept.rfind(b"\n"), kept.rfind(b"\r"), 0)]


def _records(body: bytes) -> list[tuple[str, bytes]]:
    """The lines we know, as (kind, value), comments and blanks gone."""
    found = []
    for raw in _LINE_END.split(body):
        line = _bare(raw.partition(b"#")[0])
        name, colon, value = line.partition(b":")
        kind = _FIELDS.get(re.sub(rb"[-_\s]", b"", name.lower())) if colon else None
        if kind is None:
            forgotten = _FORGOTTEN_COLON.fullmatch(line)
            if forgotten is None:
                continue
            kind = _FIELDS[re.sub(rb"[- ]", b"", forgotten[1].lower())]
            value = forgotten[2]
        found.append((kind, _bare(value)))
    return found


def _bare(text: bytes) -> bytes:
    """Without blanks, byte-order marks and invisible signs at either end."""
    before = _BLANKS_BEFORE.match(text)
    text = text[before.end() :] if before else text
    behind = _BLANKS_BEHIND.match(text[::-1])
    return text[: -behind.end()] if behind else text


def _text(group: _Group) -> str:
    lines = dict.fromkeys(line for kind, value in group.rules if value for line in _lines(kind, value))
    return "\n".join(["User-agent: *", *lines])


def _lines(kind: str, value: bytes) -> list[str]:
    if kind == _ALLOW:
        path = spelled(value)
        # Only `~ndex.html` could still end like that; it opens less than it could.
        return [] if path.endswith("/index.html") else [f"Allow: {path}"]
    value = _OWN_ADDRESS.sub(b"", value, count=1) if _OWN_ADDRESS.match(value) else value
    rooted = value if value.startswith((b"/", b"*")) else b"/" + value
    other = _other_charset(rooted)
    return [f"Disallow: {spelled(form)}" for form in (rooted, other) if form]


def _other_charset(path: bytes) -> bytes | None:
    """The same Korean path in the other of the two charsets Korean servers use; None where there is none."""
    octets = _HIGH_ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode("ascii")), path)
    if octets.isascii():
        return None
    for charset, other in (("utf-8", "cp949"), ("cp949", "utf-8")):
        try:
            text = octets.decode(charset)
        except UnicodeDecodeError:
            continue
        try:
            return text.encode(other)
        except UnicodeEncodeError:
            return None
    return None


def _spelled_sign(found: re.Match[bytes]) -> bytes:
    escape = found[1]
    octet = int(escape, 16) if escape else found[0][0]
    if octet >= 0x80:
        return b"%" + bytes((_NIBBLES[octet >> 4], _NIBBLES[octet & 15]))
    if octet in _SWAPPED:
        return _SWAPPED[octet]
    return bytes((octet,)) if octet in _UNRESERVED else b"%%%02X" % octet
