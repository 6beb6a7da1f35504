"""What the gate refuses whatever changed: damage, foreign tables, files too large, links that are none, who is left out."""

from __future__ import annotations

import itertools
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from crawl import pressfile, ranges, urls
from crawl.diffrecords import Fault
from crawl.diffrows import Part, Side
from crawl.exclusions import Exclusions
from crawl.registryrows import CMS

_FAULTS_MAX = 50
_REST = "substr(url, instr(url, '://') + 3)"
_PLACE = f"substr({_REST}, 1, instr({_REST} || '/', '/') - 1)"
"""The host of an address as it is written, with a port; in SQL, since Python would take a minute for all of them."""
_TEXT_CHARS = 1_000
"""Three times what the readers keep of any title: more was not written by a crawl."""
_MISSHAPEN = f"""length(key) <> 8 OR length(digest) <> 8 OR length(title) > {_TEXT_CHARS} OR length(byline) > {_TEXT_CHARS}
  OR instr(title, char(0)) OR instr(summary, char(0)) OR instr(byline, char(0)) OR video_id GLOB '*[^A-Za-z0-9_-]*'"""
_COMMENT = re.compile(r"--[^\n]*")
_ONCE = {"outlets": "slug", "tags": "tag", "articles": "key"}
"""What names one row alone: no index in the file holds it, and a work database refuses a second."""


def faults(side: Side, old: Side, *, summary_max_chars: int) -> list[Fault]:
    """Everything wrong with the files of a side; what `old` holds just so was judged when it was taken in."""
    found: list[Fault] = []
    unchanged = frozenset(fact.sha256 for fact in old.facts)
    versions = {fact.name: fact.schema for fact in old.facts}
    schemas = {part.path.name: set(_schema(db)) for part, db in old.connections()}
    for part, db in side.connections():
        name = part.path.name
        if part.fact.size_bytes > pressfile.FILE_MAX_BYTES:
            found.append(
                Fault("file_too_large", name, f"{part.fact.size_bytes:,} bytes, {pressfile.FILE_MAX_BYTES:,} may be")
            )
        if not 1 <= part.fact.schema <= pressfile.SCHEMA_VERSION:
            found.append(Fault("schema_unknown", name, f"version {part.fact.schema}"))
        if part.fact.schema < versions.get(name, 0):
            found.append(Fault("schema_older", name, f"version {part.fact.schema} after {versions[name]}"))
        if part.fact.sha256 not in unchanged:
            whole = [str(row[0]) for row in db.execute("PRAGMA main.integrity_check(3)")]
            found += [Fault("damaged", name, what) for what in whole if what != "ok"]
        found += _foreign(part, db, schemas.get(name, set()))
        found += _orphans(part, db, whole=part.path == side.parts[-1].path, known=part.fact.sha256 in unchanged)
        found += () if part.fact.sha256 in unchanged else _twice(name, db)
        found += _articles(db, summary_max_chars, "FALSE" if part.fact.sha256 in unchanged else _MISSHAPEN)
    found += _overlaps(side.parts)
    found += _missing(side)
    return found


def _foreign(part: Part, db: sqlite3.Connection, before: set[tuple[str, str, str]]) -> Iterator[Fault]:
    """Tables, views, triggers and indexes that are no part of the record, or say something else under a name of ours: pages
    and the edition are read through the file's own views. One that stood `before` as it is may be from a program of then."""
    ours = {_identity(sql) for sql in pressfile.statements(pressfile.PRESS_SQL + pressfile.VIEWS_SQL)}
    ours |= {_identity(sql) for sql in pressfile.statements(pressfile.OLDER_SQL)}
    names = {one[:2] for one in ours}
    for one in _schema(db):
        kind, name, _ = one
        if one[:2] not in names:
            yield Fault("foreign_" + kind, part.path.name, name)
        elif part.fact.schema == pressfile.SCHEMA_VERSION and one not in ours and one not in before:
            yield Fault("altered_" + kind, part.path.name, name)


def _schema(db: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """Kind, name and text of all that a file defines but the indexes of its own keys."""
    for kind, name, sql in db.execute("SELECT type, name, sql FROM main.sqlite_master ORDER BY type, name"):
        if kind != "index" or sql is not None:
            virtual = kind == "table" and not re.match(r"CREATE TABLE\b", sql or "")
            yield ("virtual" if virtual else kind), name, _bare(sql or "")


def _identity(sql: str) -> tuple[str, str, str]:
    bare = _bare(sql)
    _, kind, name, _ = bare.split(" ", 3)
    return kind.lower(), name, bare


def _bare(sql: str) -> str:
    """A definition without the words that explain it."""
    return " ".join(_COMMENT.sub("", sql).rstrip("; \n").split())


def _twice(file: str, db: sqlite3.Connection) -> Iterator[Fault]:
    """Rows that share what names one alone."""
    for table, column in _ONCE.items():
        if db.execute(f"PRAGMA main.table_info({table})").fetchone() is not None:
            again = f"SELECT count(*) - count(DISTINCT {column}) FROM main.{table}"
            if count := db.execute(again).fetchone()[0]:
                yield Fault("rows_twice", file, f"{count} of {table} by their {column}")


def _orphans(part: Part, db: sqlite3.Connection, *, whole: bool, known: bool) -> Iterator[Fault]:
    """Rows that refer to nothing. An older range refers to press.db, which no foreign key can (`book`)."""
    name = part.path.name
    asked = {
        "articles": """SELECT count(*) FROM (SELECT DISTINCT outlet, source FROM main.articles)
                       WHERE outlet NOT IN (SELECT id FROM book.outlets) OR source NOT IN (SELECT id FROM book.sources)""",
        "article_tags": "SELECT count(*) FROM (SELECT tag FROM main.article_tags EXCEPT SELECT id FROM book.tags)",
    }
    if not known:
        for table in ("article_tags", "revisions"):
            asked[f"{table} "] = (
                f"SELECT count(*) FROM main.{table} WHERE article NOT IN (SELECT id FROM main.articles)"
            )
    for table, sql in asked.items():
        if db.execute(sql).fetchone()[0]:
            yield Fault("refers_to_nothing", name, table.strip())
    if whole and not known:
        for table in sorted({row[0] for row in db.execute("PRAGMA main.foreign_key_check")} - set(asked)):
            if table not in ("articles", "article_tags", "revisions"):
                yield Fault("refers_to_nothing", name, table)


def keys_twice(side: Side, keys: Iterable[bytes]) -> Iterator[Fault]:
    """New keys that stand in another file too; within one file `faults` sees them."""
    wanted = json.dumps(sorted(key.hex() for key in keys))
    found: dict[bytes, str] = {}
    for part, db in side.connections() if len(side.parts) > 1 else ():
        asked = "SELECT key FROM main.articles WHERE lower(hex(key)) IN (SELECT value FROM json_each(?))"
        for (key,) in db.execute(asked, (wanted,)):
            if (other := found.setdefault(key, part.path.name)) != part.path.name:
                yield Fault("rows_twice", key.hex()[:16], f"in {other} and in {part.path.name}")


def _articles(db: sqlite3.Connection, summary_max_chars: int, misshapen_if: str) -> Iterator[Fault]:
    """Readable articles with a link that is none, more of a summary than may be kept (P02), or texts no crawl would store."""
    rows = db.execute(
        f"""SELECT substr(lower(hex(key)), 1, 16), url, image_url, media_url, length(summary), {misshapen_if} FROM main.articles
             WHERE url <> '' AND (
             lower(substr(url, 1, 7)) NOT IN ('http://', 'https:/') OR instr(url, '@') OR instr(url, char(92))
             OR image_url IS NOT NULL OR media_url IS NOT NULL OR length(summary) > ? OR {misshapen_if}) ORDER BY id""",
        (summary_max_chars,),
    )
    count = 0
    for key, url, picture, media, chars, misshapen in rows:
        wrong = not all(is_link(one) for one in (url, picture, media) if one is not None)
        told = ("bad_link", "") if wrong else ("summary_too_long", f"{chars} characters")
        if misshapen:
            told = ("misshapen", "a key, a text or a film of a shape that no crawl gives it")
        if wrong or misshapen or chars > summary_max_chars:
            count += 1
            if count <= _FAULTS_MAX:
                yield Fault(told[0], key, told[1])
    if count > _FAULTS_MAX:
        yield Fault("bad_articles", "", f"{count - _FAULTS_MAX} more")


def is_link(url: str) -> bool:
    """Whether an address is http or https, with a host that can be, without credentials."""
    return urls.link(url, url) is not None and url.lower().startswith(("http://", "https://"))


def _overlaps(parts: Iterable[Part]) -> Iterator[Fault]:
    """Number ranges that two files hold."""
    held = sorted((part.first, part.last, part.path.name) for part in parts if part.last)
    for (_, last, name), (first, _, other) in itertools.pairwise(held):
        if first <= last:
            yield Fault("numbers_twice", other, f"its numbers begin within those of {name}")


def _missing(side: Side) -> Iterator[Fault]:
    """Older files that press.db speaks of and that are not there or hold other articles, and those it does not speak of."""
    main = side.main()
    held = {part.path.name: part for part in side.parts[:-1]}
    for number, first, last, articles in ranges.listed(main, "main") if main else ():
        name = pressfile.older(side.parts[-1].path.parent, number).name
        part = held.pop(name, None)
        if part is None or part.fact.rows != articles:
            yield Fault("file_missing", name, f"press.db says that it holds {articles} articles")
        elif articles and not first <= part.first <= part.last <= last:
            yield Fault("file_exchanged", name, f"press.db says that it holds articles {first} to {last}")
    for name in held:
        yield Fault("file_unlisted", name, "press.db says nothing of it")


def covered(side: Side, wishes: Exclusions, slugs: Mapping[int, str], cms: Mapping[int, str]) -> dict[int, str]:
    """Articles that can be read though they are left out (P60): number to the reason's code.

    `slugs`: outlets by number; `cms`: the system of each source. Tombstones are asked as well as exclusions.csv.
    """
    found = dict(
        side.each(
            """SELECT a.id, t.reason FROM main.articles a JOIN book.tombstones t ON t.key = a.key
               WHERE a.url <> ''"""
        )
    )
    where, values = _candidates(side, wishes, slugs)
    for id, key, outlet, source, url, byline in side.each(
        f"SELECT id, key, outlet, source, url, byline FROM main.articles WHERE url <> '' AND ({where})", values
    ):
        row = wish(wishes, key, url, slugs.get(outlet, ""), cms.get(source, ""), byline)
        if row is not None:
            found.setdefault(id, row)
    return found


def wish(wishes: Exclusions, key: bytes, url: str, outlet: str, cms: str, byline: str) -> str | None:
    """The reason's code of the row of exclusions.csv that covers an article, if one does."""
    row = wishes.covers(url, outlet, cms=cms) or wishes.by_key(key) or wishes.covers_byline(outlet, byline)
    return None if row is None else row.reason


def _candidates(side: Side, wishes: Exclusions, slugs: Mapping[int, str]) -> tuple[str, list[str]]:
    """A condition that every covered article meets, and few others: the exact question costs too much to ask of all."""
    outlets, keys, hosts = set(), set(), set()
    for row in wishes.rows:
        if row.scope in ("outlet", "byline"):
            outlets.add(row.key.partition(":")[0])
        elif row.scope == "url" and re.fullmatch(r"[0-9a-f]{16}", row.key):
            keys.add(row.key)
        elif row.scope == "url":
            keys |= {urls.key(row.key, name).hex() for name in ("", *CMS)}
        else:
            hosts.add(urls.server(row.key if row.scope == "prefix" else f"https://{row.key}/"))
    asked, values = ["0"], []
    if outlets:
        asked.append("outlet IN (SELECT value FROM json_each(?))")
        values.append(json.dumps([number for number, slug in sorted(slugs.items()) if slug in outlets]))
    if keys:
        asked.append("lower(hex(key)) IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(sorted(keys)))
    if hosts:
        asked.append(f"{_PLACE} IN (SELECT value FROM json_each(?))")
        places = {place for (place,) in side.each(f"SELECT DISTINCT {_PLACE} FROM main.articles WHERE url <> ''")}
        values.append(json.dumps(sorted(place for place in places if _within(place, hosts))))
    return " OR ".join(asked), values


def _within(place: str, hosts: set[str]) -> bool:
    """Whether an address's place is one of these servers or below one; what cannot be read may be."""
    try:
        labels = urls.server(f"https://{place}/").split(".")
    except ValueError:
        return True
    return any(".".join(labels[at:]) in hosts for at in range(len(labels)))
