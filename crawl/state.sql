-- What changes every night and is not part of the public record. It lives in the work database during a
-- night and in state/state.db between nights (design/data.md).

CREATE TABLE request_log (
  id INTEGER PRIMARY KEY,           -- number in order of starting
  night INTEGER NOT NULL,           -- nights.id; below zero: a look by hand, which is no night
  day TEXT NOT NULL,                -- the night's Korean day
  mode TEXT NOT NULL,               -- scheduled, now or probe
  run_started REAL NOT NULL,        -- when the run began that sent it; a night may be run in several parts
  started REAL NOT NULL,            -- start, epoch seconds
  ended REAL,                       -- end of the answer; NULL while under way or if the process was killed
  server TEXT NOT NULL,             -- host name, www. and m. folded, no port
  lane TEXT NOT NULL,               -- the queue it went through: the server, or its address; ?server: not known yet (P20)
  address TEXT NOT NULL,            -- address dialled
  replayed INTEGER NOT NULL,        -- 1 when --connect-to sent the socket elsewhere
  purpose TEXT NOT NULL,            -- feed, list, date, photo, robots, ...
  sake TEXT NOT NULL,               -- for robots: the purpose it was read for
  origin TEXT NOT NULL,             -- for robots: the origin it was read for; for a page: the address first asked for
  source INTEGER,                   -- sources.id
  outlet TEXT NOT NULL,             -- outlet slug
  hop INTEGER NOT NULL,             -- 0, or the number of the redirect hop
  parent INTEGER,                   -- the row that redirected here
  url TEXT NOT NULL,                -- address asked for
  agent TEXT NOT NULL,              -- User-Agent as sent
  referer TEXT NOT NULL,            -- Referer as sent (always empty, P01)
  conditional INTEGER NOT NULL,     -- 1 when If-None-Match or If-Modified-Since was sent
  status INTEGER NOT NULL,          -- HTTP status, 0 where there was none
  error TEXT NOT NULL,              -- named trouble, empty where there was none
  body_bytes INTEGER NOT NULL,      -- decoded bytes read
  retry_after_s REAL,               -- Retry-After in seconds, uncapped; NULL for none
  crawl_delay_s REAL,               -- Crawl-delay that applied; NULL for none
  robots TEXT NOT NULL,             -- verdict of robots.txt, empty where it was not asked
  robots_age_s REAL,                -- age of the copy the verdict came from
  put_off INTEGER NOT NULL,         -- 1 when this request had been put off before
  recheck TEXT NOT NULL             -- the operator's date that let a source closed by robots.txt be looked at again (P43)
) STRICT;

CREATE TABLE looks (
  id INTEGER PRIMARY KEY,           -- number in order
  night INTEGER NOT NULL,           -- nights.id
  day TEXT NOT NULL,                -- the night's Korean day
  source INTEGER NOT NULL,          -- sources.id
  at REAL NOT NULL,                 -- when the outcome was known
  request INTEGER,                  -- the request-log row that ended the look; NULL when none was sent
  stage TEXT NOT NULL,              -- how far it came, as in checks.stage
  result TEXT NOT NULL,             -- its outcome, as in checks.result
  reason TEXT NOT NULL,             -- the named reason
  status INTEGER NOT NULL,          -- HTTP status, 0 where there was none
  entries INTEGER NOT NULL,         -- entries that the feed or list showed
  new INTEGER NOT NULL,             -- articles first seen
  changed INTEGER NOT NULL          -- articles whose content changed
) STRICT;

CREATE TABLE validators (
  source INTEGER PRIMARY KEY,       -- sources.id
  url TEXT NOT NULL,                -- the address they were given for
  etag TEXT,                        -- byte for byte as sent, NULL for none
  last_modified TEXT,               -- byte for byte as sent, NULL for none
  body_digest BLOB,                 -- digest of the last well-parsed body
  seen REAL NOT NULL                -- when
) STRICT;

CREATE TABLE rests (
  id INTEGER PRIMARY KEY,           -- number in order
  night INTEGER NOT NULL,           -- nights.id
  scope TEXT NOT NULL,              -- server or source
  subject TEXT NOT NULL,            -- server name or sources.id
  since REAL NOT NULL,              -- end of the answer that caused it
  until REAL NOT NULL,              -- until when it is left alone
  rule TEXT NOT NULL,               -- by which rule
  what TEXT NOT NULL,               -- all, looks, photo or backfill
  by_start INTEGER NOT NULL,        -- 1 when only a run that starts after until may ask again (P32)
  request INTEGER                   -- the request-log row that caused it; NULL for a closed path that was never asked (P45)
) STRICT;

CREATE TABLE robots (
  origin TEXT PRIMARY KEY,          -- scheme, host and port
  read_at REAL NOT NULL,            -- when its robots.txt was read
  status INTEGER NOT NULL,          -- the answer, kept to be judged again
  error TEXT NOT NULL,              -- named trouble, empty where there was none
  content_type TEXT NOT NULL,       -- media type as sent, empty where there was none
  body BLOB NOT NULL,               -- the file as sent
  until REAL                        -- not asked for again before this (Retry-After, P31); NULL for none
) STRICT, WITHOUT ROWID;

CREATE TABLE pages (
  url TEXT NOT NULL,                -- an article page, or an older list page
  purpose TEXT NOT NULL,            -- date, photo or backfill
  article INTEGER,                  -- articles.id it is read for
  source INTEGER NOT NULL,          -- sources.id
  tries INTEGER NOT NULL,           -- failed tries in a row
  until REAL,                       -- not before this; NULL: at any time
  done INTEGER NOT NULL,            -- 1 once it was read (S31: once per purpose)
  PRIMARY KEY (purpose, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE backfills (
  source INTEGER PRIMARY KEY,       -- sources.id of a list
  next_url TEXT,                    -- the older page to read next; empty once the end was reached, NULL while not known
  stops INTEGER NOT NULL,           -- denials in a row (P45)
  held TEXT NOT NULL DEFAULT ''     -- why the archive was left because of what it showed, empty where it was not
) STRICT;

CREATE TABLE logos (
  source INTEGER NOT NULL,          -- sources.id
  picture TEXT NOT NULL,            -- address of a picture that too many of its articles showed (I31)
  PRIMARY KEY (source, picture)
) STRICT, WITHOUT ROWID;

CREATE TABLE state_meta (
  name TEXT PRIMARY KEY,            -- press_digest: the press files this state belongs to; last_night: the newest night it knows
  value TEXT NOT NULL               -- what is remembered under that name
) STRICT, WITHOUT ROWID;
