"""The frozen records that pass between rooms: one shape per stage, no dict across a module edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OutletKind = Literal["newspaper", "broadcaster", "magazine", "english", "independent"]
SourceKind = Literal["feed", "list", "edition", "youtube"]
ArticleKind = Literal["article", "photo", "video", "audio", "edition"]
Precision = Literal["second", "minute", "hour", "day", "none"]
VideoForm = Literal["video", "shorts", "live"]
Withheld = Literal["", "nosnippet", "noindex"]
Purpose = Literal["feed", "list", "date", "photo", "robots", "backfill", "edition", "home", "probe"]
Stage = Literal["planned", "asked", "answered", "parsed", "stored"]
Result = Literal["ok", "unchanged", "not_modified", "failed", "refused", "put_off", "not_reached"]

HEALTHY: tuple[Result, ...] = ("ok", "unchanged", "not_modified")
"""Results of a look that brought what it should."""


@dataclass(frozen=True, slots=True)
class Outlet:
    """A medium, one row of outlets.csv."""

    slug: str
    name: str
    name_en: str
    university: str
    univ: str
    kind: OutletKind
    homepage: str
    region: str
    status: Literal["active", "ended"]
    title_only: bool
    former: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Source:
    """One address of an outlet that we check, one row of sources.csv."""

    outlet: str
    kind: SourceKind
    url: str
    cms: str
    state: Literal["active", "paused", "closed", "frozen"]
    recheck: str
    note: str


@dataclass(frozen=True, slots=True)
class Due:
    """A source to look at tonight, with what the last well-parsed answer left us (S30).

    `validators_url`: the address that gave them (after redirects not always the registered one).
    `failures`: failed looks in a row until now. `closed`: its robots.txt was found closed (P43); `recheck`: the date by which
    an operator asked to look again, empty where none asked or it was done. `identity`: its last body was not compressed as said.
    """

    source_id: int
    source: Source
    failures: int = 0
    closed: bool = False
    recheck: str = ""
    identity: bool = False
    validators_url: str = ""
    etag: str | None = None
    last_modified: str | None = None
    body_digest: bytes | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody would like to ask. No field of it can loosen a rule.

    `not_before`: epoch seconds, the earliest start this request itself requires (P50).
    `parent`: request-log row this one continues (a redirect hop), else None.
    `sake`: for a robots.txt, the purpose it is read for; `origin`: what the whole chain of redirects is for, the origin of a
    robots.txt or the page first asked for (P50).
    `put_off`: it was put off once already tonight (P36). `json_feed`: a feed that robots.txt is read before (P40).
    `recheck`: the operator's date that made the look due (P43), for the log. `cookies`: origin, name and value of what this
    redirect chain was given (P01: none outlives it). `identity`: ask for no compression, as the last answer's was a lie.
    """

    url: str
    purpose: Purpose
    source: int | None
    outlet: str
    etag: str | None = None
    last_modified: str | None = None
    not_before: float = 0.0
    hop: int = 0
    parent: int | None = None
    sake: Purpose | None = None
    origin: str = ""
    put_off: bool = False
    json_feed: bool = False
    recheck: str = ""
    cookies: tuple[tuple[str, str, str], ...] = ()
    identity: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """The operator's choices about feeds and robots.txt (P44); the defaults are the promise."""

    obey_named_group: bool = False
    allow_unreachable: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A "no" of the gate with the rule that says it; `until` when that rule names an end."""

    rule: str
    reason: str
    until: float | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """One settled request. Expected trouble is a value: `status` 0 and a named `error`.

    `error` names: timeout, dns, refused_connection, reset, cut_off, too_large, bad_encoding, header_flood, protocol,
    address_refused, tls and its named states tls_untrusted, tls_missing_intermediate, tls_expired, tls_wrong_name,
    tls_weak_certificate, tls_weak_dh, tls_legacy, tls_too_old. `headers` keep their order and bytes (latin-1 text).
    `body` is decoded from its content encoding; `body_bytes` counts decoded bytes read, kept or not.
    """

    url: str
    status: int
    started: float
    ended: float
    error: str | None = None
    detail: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    body_bytes: int = 0
    address: str = ""
    agent: str = ""
    referer: str = ""
    replayed: bool = False

    def header(self, name: str) -> str | None:
        """The first header of that name, any case, byte for byte as sent; None where there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


@dataclass(frozen=True, slots=True)
class Entry:
    """One item as parsed from a feed or list: only text, checked http(s) addresses and known facts (P02).

    `published`: epoch seconds or None, never invented. `date_from`: `feed` (the zone was written), `feed_kst` (no
    zone: Korean time assumed), `feed_updated` (a feed that gives only its last change: the first one seen), `list` (a
    list page, Korean time), `list_resolved` (a list's relative or year-less date, resolved when first seen), `page`
    (the article's own page), `library` (the same, found by a library), `import` or `none`. `guid` is the raw
    identifier, never resolved, or None where it is no identity (missing, blank, `0`, repeated in the document).
    `section`: the list's own label, kept among the tags (P03). `video_id`: YouTube's, with the `video_form` its
    address names. `withheld`: what the article's own page asks us to leave out, its summary or its card.
    """

    url: str
    title: str
    guid: str | None = None
    summary: str = ""
    summary_derived: bool = False
    byline: str = ""
    published: int | None = None
    precision: Precision = "none"
    published_raw: str = ""
    date_from: str = "none"
    tags: tuple[str, ...] = ()
    kind: ArticleKind = "article"
    image_url: str | None = None
    media_url: str | None = None
    media_type: str | None = None
    media_bytes: int | None = None
    section: str = ""
    video_id: str | None = None
    video_form: VideoForm | None = None
    withheld: Withheld = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """One parsed document. `format`: `rss09x rss10 rss20 atom03 atom10 jsonfeed rss`, or a list's skin; `flags`: named notices
    about repairs. `older`: a list's own link to its next older page (P22)."""

    format: str
    title: str
    language: str
    entries: tuple[Entry, ...]
    flags: tuple[str, ...] = ()
    older: str | None = None


@dataclass(frozen=True, slots=True)
class StoredArticle:
    """An article as the database holds it, with its entry facts for comparison."""

    id: int
    key: bytes
    source: int
    first_seen: int
    entry: Entry
    digest: bytes

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left of it but its number and key (P60); it may be filled again and is no known article."""
        return not self.entry.url


@dataclass(frozen=True, slots=True)
class Revision:
    """One field's earlier value, kept when a title or summary was edited."""

    field: str
    old: str


@dataclass(frozen=True, slots=True)
class Change:
    """What to do with one entry and why."""

    action: Literal["insert", "update", "skip"]
    reason: str
    entry: Entry
    revisions: tuple[Revision, ...] = ()


@dataclass(frozen=True, slots=True)
class Rest:
    """Who rests until when, by which rule.

    `subject`: server name, sources.id, origin or outlet slug. `what` rests: everything, or one group of purposes (date pages
    belong to `looks`). `by_start`: over only in a run that starts after `until` (P32).
    """

    scope: Literal["server", "source", "outlet"]
    subject: str
    since: float
    until: float
    rule: str
    what: Literal["all", "looks", "photo", "backfill"] = "all"
    by_start: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """One source's outcome in a night."""

    source: int
    stage: Stage
    result: Result
    reason: str
    status: int = 0
    rest_until: float | None = None
    rest_rule: str = ""
    entries: int = 0
    new: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True)
class Validators:
    """What the server gave with a well-parsed body, to send back unchanged (S30, RFC 9110 section 8.8)."""

    url: str
    etag: str | None
    last_modified: str | None
    body_digest: bytes


@dataclass(frozen=True, slots=True)
class Filed:
    """One entry's decision with its identity and the row it changes, if any."""

    key: bytes
    old: StoredArticle | None
    change: Change


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything one settled request means. `check` is None while a redirect chain goes on (`offers`)."""

    check: Check | None
    filed: tuple[Filed, ...] = ()
    rests: tuple[Rest, ...] = ()
    validators: Validators | None = None
    feed: Feed | None = None
    offers: tuple[Request, ...] = ()
    via: Literal["look", "backfill"] = "look"


@dataclass(frozen=True, slots=True)
class Page:
    """A page to read for one fact of an article (`date`, `photo`), or an older list page (`backfill`, no article)."""

    url: str
    purpose: Literal["date", "photo", "backfill"]
    source: int
    article: int | None
    tries: int = 0
    until: float | None = None
