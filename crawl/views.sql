-- The file's own contract: site_* for pages, open_* for researchers (the Datasette edition and exports).
-- Every display rule (which title, which date, what is hidden, which order) lives here and nowhere else.
-- Every view and column is described here in one line, as in schema.sql; a column without words of its own is a
-- column of another table or view under its name, and has that one's words (crawl/columns.py).

-- The articles that may be shown at all: not excluded, of a listed outlet, and not asking for no index.
CREATE VIEW shown AS
SELECT a.id,
       a.outlet,
       NOT (o.title_only OR a.withheld <> '') AS with_summary -- 1 where the summary may be shown [0 or 1]
FROM articles a JOIN outlets o ON o.id = a.outlet
WHERE a.key NOT IN (SELECT key FROM tombstones) AND o.listed AND a.url <> '' AND a.withheld <> 'noindex';

-- One card: an article as the pages show it.
CREATE VIEW site_card AS
SELECT a.id,
       lower(hex(a.key)) AS key, -- 16 hex digits, the hash of the normalised address
       o.slug AS outlet,
       o.name AS outlet_name,
       o.name_en AS outlet_name_en,
       o.university,
       o.kind AS outlet_kind,
       a.kind,
       a.url,
       -- Far beyond any headline: cut, so that one broken feed cannot make a page heavy.
       CASE WHEN length(a.title) > 300 THEN substr(a.title, 1, 299) || '…' ELSE a.title END
         AS title, -- the title, cut at 300 characters
       CASE WHEN v.with_summary THEN a.summary ELSE '' END AS summary, -- the summary, empty where there is none or none is wanted
       CASE WHEN v.with_summary THEN a.summary_derived ELSE 0 END
         AS summary_derived, -- 1 when the summary shown is the start of the text because the outlet gave none [0 or 1]
       a.byline,
       a.published,
       a.precision,
       a.first_seen,
       a.changed,
       -- A date more than a day ahead of our first sight is shown, but does not lead the order.
       CASE WHEN a.published IS NULL OR a.published > a.first_seen + 86400 THEN a.first_seen ELSE a.published END
         AS sort_at, -- the moment it is ordered by: published, or first_seen where that is unknown or in the future [epoch seconds UTC]
       -- Outside the years 1 to 9999 there is no month to stand in.
       CASE WHEN a.published BETWEEN -62135596800 AND 253402268399
            THEN strftime('%Y-%m', a.published, 'unixepoch', '+9 hours') ELSE 'undated' END
         AS month, -- Korean month of publication, YYYY-MM, or undated
       (SELECT json_group_array(t.tag) FROM article_tags x JOIN tags t ON t.id = x.tag WHERE x.article = a.id)
         AS tags, -- the outlet's own sections and keywords, a JSON list of texts
       a.image_url,
       a.media_url,
       a.media_type,
       a.media_bytes,
       a.video_id,
       a.video_form
FROM shown v JOIN articles a ON a.id = v.id JOIN outlets o ON o.id = a.outlet;

-- One outlet as the pages show it, with how much of it is held.
CREATE VIEW site_outlet AS
SELECT o.id,
       o.slug,
       o.name,
       o.name_en,
       o.university,
       o.univ,
       o.kind,
       o.homepage,
       o.region,
       o.status,
       o.title_only,
       o.former,
       o.note,
       coalesce(held.articles, 0) AS articles, -- articles that may be shown [articles]
       held.earliest AS earliest, -- earliest publication date among them, NULL where none is dated [epoch seconds UTC]
       held.since AS since -- when the first of them was first seen, NULL while there is none [epoch seconds UTC]
FROM outlets o
LEFT JOIN (SELECT v.outlet AS outlet, count(*) AS articles, min(a.published) AS earliest, min(a.first_seen) AS since
           FROM shown v JOIN articles a ON a.id = v.id GROUP BY v.outlet) held ON held.outlet = o.id
WHERE o.listed;

-- One source with its newest outcome.
CREATE VIEW site_source AS
SELECT s.id,
       o.slug AS outlet,
       s.kind,
       s.url,
       s.cms,
       s.state,
       s.note,
       s.title,
       s.format,
       s.language,
       coalesce(c.result, '') AS result, -- its newest outcome (as in checks.result), empty where it was never due
       coalesce(c.reason, '') AS reason, -- the named reason of that outcome
       coalesce(c.status, 0) AS status, -- HTTP status of that outcome, 0 where there was none [HTTP status]
       coalesce(c.stage, '') AS stage, -- how far that look came (as in checks.stage)
       c.rest_until,
       coalesce(c.rest_rule, '') AS rest_rule, -- by which rule it rests, empty where it does not
       n.day AS since_day -- the Korean day since which its outcome has been this, YYYY-MM-DD; NULL where it was never due
FROM sources s
JOIN outlets o ON o.id = s.outlet
LEFT JOIN (SELECT source, max(id) AS id FROM checks GROUP BY source) newest ON newest.source = s.id
LEFT JOIN checks c ON c.id = newest.id
LEFT JOIN nights n ON n.id = c.night
WHERE s.listed AND o.listed;

-- One run of the crawler.
CREATE VIEW site_night AS
SELECT n.id,
       n.day,
       n.mode,
       n.started,
       n.ended,
       n.due,
       n.ok,
       n.unchanged,
       n.failed,
       n.refused,
       n.put_off,
       n.new_articles,
       n.changed_articles,
       n.requests,
       n.body_bytes,
       n.breaches
FROM nights n;

-- The table of politeness, in the order of the policy page.
CREATE VIEW site_policy AS
SELECT p.id,
       p.rule,
       p.name,
       p.value,
       p.floor,
       p.unit,
       p.in_force,
       p.breaches
FROM policy p;

-- What each server was sent in the last whole night.
CREATE VIEW site_server AS
SELECT s.server,
       s.requests,
       s.first_start,
       s.last_end
FROM servers_last_night s
WHERE s.last_end >= (SELECT max(started) FROM nights WHERE ended IS NOT NULL);

-- The record itself: one row an article, everything joined.
CREATE VIEW open_articles AS
SELECT a.id AS article,
       c.key,
       c.outlet,
       c.outlet_name,
       c.outlet_name_en,
       c.university,
       o.univ,
       o.region,
       c.outlet_kind,
       a.kind,
       a.url,
       a.title,
       c.summary,
       c.summary_derived,
       a.byline,
       CASE WHEN a.published BETWEEN -62135596800 AND 253402268399 THEN
         CASE a.precision WHEN 'day' THEN strftime('%Y-%m-%d', a.published, 'unixepoch', '+9 hours')
                          WHEN 'hour' THEN strftime('%Y-%m-%d %H', a.published, 'unixepoch', '+9 hours')
                          WHEN 'minute' THEN strftime('%Y-%m-%d %H:%M', a.published, 'unixepoch', '+9 hours')
                          WHEN 'second' THEN strftime('%Y-%m-%d %H:%M:%S', a.published, 'unixepoch', '+9 hours') END END
         AS published_kst, -- published in Korean time, as far as its precision goes: YYYY-MM-DD, or with HH, HH:MM, HH:MM:SS; NULL where unknown
       a.published,
       a.precision,
       a.published_raw,
       a.date_from,
       strftime('%Y-%m-%d %H:%M:%S', a.first_seen, 'unixepoch', '+9 hours') AS first_seen_kst, -- first_seen in Korean time
       a.first_seen,
       strftime('%Y-%m-%d %H:%M:%S', a.changed, 'unixepoch', '+9 hours') AS changed_kst, -- changed in Korean time
       a.changed,
       a.via,
       (SELECT s.id FROM sources s WHERE s.id = a.source AND s.listed) AS source, -- the source that showed it first (open_sources.source), NULL where that is no longer looked at
       c.tags,
       a.image_url,
       a.media_url,
       a.media_type,
       a.media_bytes,
       a.video_id,
       a.video_form
FROM site_card c JOIN articles a ON a.id = c.id JOIN outlets o ON o.id = a.outlet;

-- The outlets, with how much of each is held and since when: what was published before, or is missing between, is not known here.
CREATE VIEW open_outlets AS
SELECT o.slug AS outlet,
       o.name,
       o.name_en,
       o.university,
       o.univ,
       o.kind,
       o.homepage,
       o.region,
       o.status,
       o.title_only,
       o.former,
       o.note,
       (SELECT count(*) FROM sources s WHERE s.outlet = o.id AND s.listed AND s.state = 'active')
         AS sources, -- addresses of it that are looked at every night [sources]
       coalesce(held.articles, 0) AS articles, -- articles held [articles]
       coalesce(held.undated, 0) AS undated, -- how many of them show no date [articles]
       date(held.earliest, 'unixepoch', '+9 hours') AS earliest_kst, -- earliest publication day among them, YYYY-MM-DD in Korean time
       date(held.latest, 'unixepoch', '+9 hours') AS latest_kst, -- latest publication day among them, YYYY-MM-DD in Korean time
       date(held.since, 'unixepoch', '+9 hours') AS since_kst, -- day on which its first article was first seen: from here on its new articles are followed, YYYY-MM-DD in Korean time
       date(held.newest, 'unixepoch', '+9 hours') AS newest_kst, -- day on which its newest article was first seen, YYYY-MM-DD in Korean time
       coalesce(held.looked, 0) AS looked -- how many of them were found on their night; the others come from older list pages and imported files [articles]
FROM outlets o
LEFT JOIN (SELECT v.outlet AS outlet, count(*) AS articles, sum(a.published IS NULL) AS undated, min(a.published) AS earliest,
                  max(a.published) AS latest, min(a.first_seen) AS since, max(a.first_seen) AS newest, sum(a.via = 'look') AS looked
           FROM shown v JOIN articles a ON a.id = v.id GROUP BY v.outlet) held ON held.outlet = o.id
WHERE o.listed;

-- The addresses that are looked at, each with its newest outcome.
CREATE VIEW open_sources AS
SELECT s.id AS source,
       c.outlet,
       c.kind,
       c.url,
       c.cms,
       c.state,
       c.note,
       c.title,
       c.format,
       c.language,
       c.result,
       c.reason,
       c.status,
       c.stage,
       c.since_day,
       c.rest_until,
       c.rest_rule
FROM site_source c JOIN sources s ON s.id = c.id;

-- What is missing, by source: each stretch of nights in which the outcome of a source stayed the same. Rows of failed, refused and put_off are its gaps.
CREATE VIEW open_checks AS
SELECT c.id,
       c.source,
       o.slug AS outlet,
       n.day AS from_day, -- Korean day of the first night with this outcome, YYYY-MM-DD
       lead(n.day) OVER (PARTITION BY c.source ORDER BY c.id)
         AS until_day, -- Korean day of the night in which it changed to another, YYYY-MM-DD; NULL where it still holds
       c.result,
       c.reason,
       c.status,
       c.stage,
       c.rest_until,
       c.rest_rule
FROM checks c
JOIN nights n ON n.id = c.night
JOIN sources s ON s.id = c.source
JOIN outlets o ON o.id = s.outlet
WHERE s.listed AND o.listed;

-- The runs of the crawler.
CREATE VIEW open_nights AS
SELECT n.id AS night,
       n.day,
       n.mode,
       datetime(n.started, 'unixepoch', '+9 hours') AS started_kst, -- started in Korean time
       n.started,
       datetime(n.ended, 'unixepoch', '+9 hours') AS ended_kst, -- ended in Korean time; NULL if it was broken off
       n.ended,
       n.due,
       n.ok,
       n.unchanged,
       n.failed,
       n.refused,
       n.put_off,
       n.new_articles,
       n.changed_articles,
       n.requests,
       n.body_bytes,
       n.breaches
FROM nights n;

-- What is missing altogether: stretches of Korean days between the first and the last night without a whole night.
CREATE VIEW open_gaps AS
SELECT date(w.day, '+1 day') AS first_day, -- first day without a night, YYYY-MM-DD
       date(w.next, '-1 day') AS last_day, -- last day without a night, YYYY-MM-DD
       CAST(julianday(w.next) - julianday(w.day) AS INTEGER) - 1 AS days -- how many days [days]
FROM (SELECT d.day AS day, lead(d.day) OVER (ORDER BY d.day) AS next
      FROM (SELECT DISTINCT day FROM nights WHERE ended IS NOT NULL) d) w
WHERE w.next > date(w.day, '+1 day');

-- Edits that outlets made after we first saw an article.
CREATE VIEW open_revisions AS
SELECT r.id,
       r.article,
       o.slug AS outlet,
       datetime(r.seen, 'unixepoch', '+9 hours') AS seen_kst, -- seen in Korean time
       r.seen,
       r.field,
       r.old,
       coalesce(lead(r.old) OVER (PARTITION BY r.article, r.field ORDER BY r.id),
                CASE r.field WHEN 'title' THEN a.title WHEN 'summary' THEN a.summary END)
         AS new -- the value after
FROM revisions r JOIN shown v ON v.id = r.article JOIN articles a ON a.id = v.id JOIN outlets o ON o.id = a.outlet
WHERE v.with_summary OR r.field = 'title';

-- The sections and keywords of each outlet, by its own words.
CREATE VIEW open_tags AS
SELECT o.slug AS outlet,
       t.tag,
       count(*) AS articles, -- articles of the outlet under it [articles]
       date(min(a.first_seen), 'unixepoch', '+9 hours') AS since_kst, -- day on which the first of them was first seen, YYYY-MM-DD in Korean time
       date(max(a.first_seen), 'unixepoch', '+9 hours') AS newest_kst -- day on which the newest of them was first seen, YYYY-MM-DD in Korean time
FROM shown v JOIN articles a ON a.id = v.id JOIN outlets o ON o.id = a.outlet
JOIN article_tags x ON x.article = a.id JOIN tags t ON t.id = x.tag
GROUP BY o.slug, t.tag;

-- Which article stands under which section or keyword; the same as open_articles.tags, to be joined.
CREATE VIEW open_article_tags AS
SELECT x.article,
       t.tag
FROM shown v JOIN article_tags x ON x.article = v.id JOIN tags t ON t.id = x.tag;

-- How much left the record, by reason; what it was is not told.
CREATE VIEW open_removals AS
SELECT t.reason,
       count(*) AS articles, -- addresses that are not collected again [articles]
       date(min(t.since), 'unixepoch', '+9 hours') AS since_kst, -- day of the first, YYYY-MM-DD in Korean time
       date(max(t.since), 'unixepoch', '+9 hours') AS newest_kst -- day of the last, YYYY-MM-DD in Korean time
FROM tombstones t GROUP BY t.reason;

-- What each server was sent in the last whole night, so that anyone can hold us to the policy.
CREATE VIEW open_servers AS
SELECT s.server,
       s.requests,
       datetime(s.first_start, 'unixepoch', '+9 hours') AS first_start_kst, -- first_start in Korean time
       s.first_start,
       datetime(s.last_end, 'unixepoch', '+9 hours') AS last_end_kst, -- last_end in Korean time
       s.last_end
FROM site_server s;

-- The table of politeness that the last night obeyed, with how often it was broken.
CREATE VIEW open_policy AS
SELECT p.id,
       p.rule,
       p.name,
       p.value,
       p.floor,
       p.unit,
       p.in_force,
       p.breaches
FROM site_policy p;

-- The dictionary's tables and views. Its rows are the comments above them.
CREATE VIEW site_table AS
SELECT t.id, -- order in the dictionary
       t.name, -- the table or view
       t.kind, -- table or view
       t.about -- what it holds
FROM described_tables t;

-- The dictionary: every column of every table and view. Its rows are the comments beside them.
CREATE VIEW site_column AS
SELECT c.id, -- order in the dictionary
       c.relation, -- the table or view it stands in
       c.name, -- the column
       c.unit, -- unit of its values, empty where they have none
       c.about -- what it holds
FROM described_columns c;

-- The dictionary of the open_* tables.
CREATE VIEW open_columns AS
SELECT c.relation,
       c.name,
       c.unit,
       c.about
FROM site_column c WHERE c.relation LIKE 'open\_%' ESCAPE '\';
