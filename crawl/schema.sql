-- The committed database (press.db), schema version 3. Every table and column is described here and nowhere else, in one
-- line; the unit of a number stands at the end in brackets. crawl/columns.py reads them for the dictionary in the file.
-- STRICT tables, append-only integer keys in first-seen order, epoch seconds UTC, no secondary index, no FTS
-- (design/data.md: both are made in scratch copies, so that a night costs git little).

-- The media, as outlets.csv names them; one that left the file keeps its row.
CREATE TABLE outlets (
  id INTEGER PRIMARY KEY,           -- number in first-seen order, never reused
  slug TEXT NOT NULL,               -- short name, used in addresses
  name TEXT NOT NULL,               -- name in Korean, as the outlet writes it
  name_en TEXT NOT NULL,            -- name in English, romanised where the outlet has none
  university TEXT NOT NULL,         -- university in Korean
  univ TEXT NOT NULL,               -- the university's slug
  kind TEXT NOT NULL,               -- newspaper, broadcaster, magazine, english or independent
  homepage TEXT NOT NULL,           -- the outlet's own front page
  region TEXT NOT NULL,             -- province or metropolitan city
  status TEXT NOT NULL,             -- active or ended
  title_only INTEGER NOT NULL,      -- 1 when the outlet wants no summaries shown [0 or 1]
  former TEXT NOT NULL,             -- earlier slugs, separated by spaces
  note TEXT NOT NULL,               -- what a maintainer should know
  listed INTEGER NOT NULL           -- 1 while the outlet stands in outlets.csv [0 or 1]
) STRICT;

-- The addresses of the outlets that are looked at, as sources.csv lists them, and what each said of itself.
CREATE TABLE sources (
  id INTEGER PRIMARY KEY,           -- number in first-seen order, never reused
  outlet INTEGER NOT NULL REFERENCES outlets(id), -- the outlet it belongs to
  kind TEXT NOT NULL,               -- feed, list, edition or youtube
  url TEXT NOT NULL,                -- the registered address
  cms TEXT NOT NULL,                -- name of the publishing system or list skin, empty if unknown
  state TEXT NOT NULL,              -- active, paused, closed or frozen, from sources.csv
  note TEXT NOT NULL,               -- what a maintainer should know
  listed INTEGER NOT NULL,          -- 1 while the source stands in sources.csv [0 or 1]
  rechecked TEXT NOT NULL,          -- the recheck date that was last acted on (P43), empty for none
  title TEXT NOT NULL,              -- the channel's own title as last seen
  format TEXT NOT NULL,             -- rss09x, rss10, rss20, atom03, atom10, jsonfeed, or a list page's skin, as last seen
  language TEXT NOT NULL            -- the channel's own language tag as last seen
) STRICT;

-- The stored articles: title, date, address and a short summary, never the text. Older ranges of numbers stand in press-000N.db.
CREATE TABLE articles (
  id INTEGER PRIMARY KEY,           -- number in first-seen order, never reused
  key BLOB NOT NULL,                -- 8-byte hash of the normalised address, the article's identity
  outlet INTEGER NOT NULL REFERENCES outlets(id), -- the outlet
  source INTEGER NOT NULL REFERENCES sources(id), -- the source that showed it first
  kind TEXT NOT NULL,               -- article, photo, video, audio or edition
  url TEXT NOT NULL,                -- the address exactly as published
  guid TEXT,                        -- the feed's raw identifier, NULL where it is no identity
  title TEXT NOT NULL,              -- the title as text
  summary TEXT NOT NULL,            -- the outlet's summary, shortened; empty where there is none
  summary_derived INTEGER NOT NULL, -- 1 when the summary is the start of the text because the outlet gave none [0 or 1]
  byline TEXT NOT NULL,             -- who wrote it, without mail addresses
  published INTEGER,                -- publication time, NULL where unknown (never invented) [epoch seconds UTC]
  precision TEXT NOT NULL,          -- second, minute, hour, day or none
  published_raw TEXT NOT NULL,      -- the date as the source wrote it
  date_from TEXT NOT NULL,          -- feed (zone written), feed_kst (no zone, Korean time assumed), feed_updated (a feed that gives only its last change: the first one seen), list (a list page), list_resolved (its year-less or relative date, resolved when first seen), page (the article's own page), library (the same, by a library), import or none
  first_seen INTEGER NOT NULL,      -- when a crawl first saw it [epoch seconds UTC]
  changed INTEGER NOT NULL,         -- when its content last changed for us [epoch seconds UTC]
  via TEXT NOT NULL,                -- look (found on its night), backfill (an older list page) or import (from a file)
  image_url TEXT,                   -- address of a photo story's picture (P03)
  media_url TEXT,                   -- address of an enclosure
  media_type TEXT,                  -- media type of the enclosure
  media_bytes INTEGER,              -- length of the enclosure as the feed says [bytes]
  video_id TEXT,                    -- YouTube's identifier of a video; NULL where it is none
  video_form TEXT,                  -- video, shorts or live, as its address says
  withheld TEXT NOT NULL DEFAULT '', -- what the article's own page asks to leave out: nosnippet (its summary) or noindex (its card)
  digest BLOB NOT NULL              -- 8-byte hash of the content columns, to tell a change
) STRICT;

-- The words under which outlets file their articles.
CREATE TABLE tags (
  id INTEGER PRIMARY KEY,           -- number in first-seen order
  tag TEXT NOT NULL                 -- the outlet's own section or keyword
) STRICT;

-- Which article stands under which tag. Rolls with the articles.
CREATE TABLE article_tags (
  article INTEGER NOT NULL REFERENCES articles(id), -- the article
  tag INTEGER NOT NULL REFERENCES tags(id),         -- the tag
  PRIMARY KEY (article, tag)
) STRICT, WITHOUT ROWID;

-- Edits: the value that a title or summary had before. Rolls with the articles.
CREATE TABLE revisions (
  id INTEGER PRIMARY KEY,           -- number in first-seen order
  article INTEGER NOT NULL REFERENCES articles(id), -- the edited article
  seen INTEGER NOT NULL,            -- when we saw the new value [epoch seconds UTC]
  field TEXT NOT NULL,              -- title or summary
  old TEXT NOT NULL                 -- the value before
) STRICT;

-- One row a run of the crawler, with what it did.
CREATE TABLE nights (
  id INTEGER PRIMARY KEY,           -- number of the run
  day TEXT NOT NULL,                -- the Korean day it belongs to, YYYY-MM-DD
  mode TEXT NOT NULL,               -- scheduled, or now (an inspecting pass by hand)
  started INTEGER NOT NULL,         -- first moment of the run [epoch seconds UTC]
  ended INTEGER,                    -- last moment; NULL if it was broken off [epoch seconds UTC]
  due INTEGER NOT NULL,             -- sources that were due [sources]
  ok INTEGER NOT NULL,              -- sources read anew [sources]
  unchanged INTEGER NOT NULL,       -- sources with the same content (304 or same digest) [sources]
  failed INTEGER NOT NULL,          -- sources whose answer was a failure [sources]
  refused INTEGER NOT NULL,         -- sources our own rules did not let us ask [sources]
  put_off INTEGER NOT NULL,         -- sources left for later because their server rested, or the night ended [sources]
  new_articles INTEGER NOT NULL,    -- articles first seen [articles]
  changed_articles INTEGER NOT NULL,-- articles whose content changed [articles]
  requests INTEGER NOT NULL,        -- requests sent [requests]
  body_bytes INTEGER NOT NULL,      -- decoded bytes read [bytes]
  breaches INTEGER NOT NULL         -- rows that the audit of the night found [log rows]
) STRICT;

-- One row each time that the outcome of looking at a source changed; it holds until the next row of that source.
CREATE TABLE checks (
  id INTEGER PRIMARY KEY,           -- number in order
  source INTEGER NOT NULL REFERENCES sources(id), -- the source
  night INTEGER NOT NULL REFERENCES nights(id),   -- the night in which the outcome changed to this
  stage TEXT NOT NULL,              -- planned, asked, answered, parsed or stored: how far it came
  result TEXT NOT NULL,             -- ok, unchanged, not_modified, failed, refused, put_off or not_reached
  reason TEXT NOT NULL,             -- the named reason
  status INTEGER NOT NULL,          -- HTTP status, 0 where there was none [HTTP status]
  rest_until INTEGER,               -- until when it rests; NULL for no rest [epoch seconds UTC]
  rest_rule TEXT NOT NULL           -- by which rule it rests
) STRICT;

-- The table of politeness that the last night obeyed, with how often it was broken.
CREATE TABLE policy (
  id INTEGER PRIMARY KEY,           -- order on the page
  rule TEXT NOT NULL,               -- the rule's ID
  name TEXT NOT NULL,               -- the value's name in the policy table; the rule's own where it has no number
  value REAL,                       -- the value obeyed; NULL for a rule without a number [see unit]
  floor REAL,                       -- the rudest value allowed [see unit]
  unit TEXT NOT NULL,               -- unit of the value
  in_force INTEGER NOT NULL,        -- 1 when enforced and audited, 0 when announced but not yet built [0 or 1]
  breaches INTEGER NOT NULL         -- how often the last night broke it [log rows]
) STRICT;

-- Articles that left and must not come back: nothing of them but a hash.
CREATE TABLE tombstones (
  key BLOB PRIMARY KEY,             -- hash of an address that must never be collected again
  since INTEGER NOT NULL,           -- since when [epoch seconds UTC]
  reason TEXT NOT NULL              -- reason code
) STRICT, WITHOUT ROWID;

-- Which row of exclusions.csv was carried out here, and which tombstones answer it: they go when it is withdrawn.
CREATE TABLE wishes (
  wish BLOB NOT NULL,               -- 8-byte hash of the row's scope and key
  key BLOB NOT NULL,                -- key of a tombstone that answers it; empty where the row itself is meant
  PRIMARY KEY (wish, key)
) STRICT, WITHOUT ROWID;

-- What each server was sent in the last night; replaced every night.
CREATE TABLE servers_last_night (
  server TEXT PRIMARY KEY,          -- server name, www. and m. folded, no port
  requests INTEGER NOT NULL,        -- requests sent to it last night [requests]
  first_start INTEGER NOT NULL,     -- start of the first one [epoch seconds UTC]
  last_end INTEGER NOT NULL,        -- end of the last one [epoch seconds UTC]
  rest_until INTEGER                -- until when it asked to be left alone; NULL where it did not [epoch seconds UTC]
) STRICT, WITHOUT ROWID;

-- The files beside press.db that hold the older articles, with their tags and edits; press.db itself holds those after.
CREATE TABLE older_files (
  file INTEGER PRIMARY KEY,         -- the file's number: 1 is press-0001.db
  first INTEGER NOT NULL,           -- number of the oldest article that it may hold
  last INTEGER NOT NULL,            -- number of the newest article that it may hold
  articles INTEGER NOT NULL         -- articles that it holds [articles]
) STRICT;
