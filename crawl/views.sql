-- The file's own contract: site_* for pages, open_* for the Datasette edition and exports.
-- Every display rule (which title, which date, what is hidden, which order) lives here and nowhere else.

-- Articles a reader may see: not excluded, of a listed outlet.
CREATE VIEW site_card AS
SELECT a.id,
       lower(hex(a.key)) AS key,
       o.slug AS outlet,
       o.name AS outlet_name,
       o.name_en AS outlet_name_en,
       o.university,
       o.kind AS outlet_kind,
       a.kind,
       a.url,
       -- Far beyond any headline: cut, so that one broken feed cannot make a page heavy.
       CASE WHEN length(a.title) > 300 THEN substr(a.title, 1, 299) || '…' ELSE a.title END AS title,
       CASE WHEN o.title_only OR a.withheld <> '' THEN '' ELSE a.summary END AS summary,
       CASE WHEN o.title_only OR a.withheld <> '' THEN 0 ELSE a.summary_derived END AS summary_derived,
       a.byline,
       a.published,
       a.precision,
       a.first_seen,
       a.changed,
       -- A date more than a day ahead of our first sight is shown, but does not lead the order.
       CASE WHEN a.published IS NULL OR a.published > a.first_seen + 86400
            THEN a.first_seen ELSE a.published END AS sort_at,
       -- Outside the years 1 to 9999 there is no month to stand in.
       CASE WHEN a.published BETWEEN -62135596800 AND 253402268399
            THEN strftime('%Y-%m', a.published, 'unixepoch', '+9 hours') ELSE 'undated' END AS month,
       (SELECT json_group_array(t.tag) FROM article_tags x JOIN tags t ON t.id = x.tag WHERE x.article = a.id) AS tags,
       a.image_url,
       a.media_url,
       a.media_type,
       a.video_id,
       a.video_form
FROM articles a JOIN outlets o ON o.id = a.outlet
WHERE a.key NOT IN (SELECT key FROM tombstones) AND o.listed AND a.url <> '' AND a.withheld <> 'noindex';

CREATE VIEW site_outlet AS
SELECT o.id, o.slug, o.name, o.name_en, o.university, o.univ, o.kind, o.homepage, o.region, o.status,
       o.title_only, o.former, o.note,
       (SELECT count(*) FROM articles a WHERE a.outlet = o.id AND a.url <> '' AND a.withheld <> 'noindex') AS articles,
       (SELECT min(a.published) FROM articles a WHERE a.outlet = o.id) AS earliest,
       (SELECT min(a.first_seen) FROM articles a WHERE a.outlet = o.id) AS since
FROM outlets o WHERE o.listed;

-- Each source with its newest outcome; result is '' where it was never due.
CREATE VIEW site_source AS
SELECT s.id, o.slug AS outlet, s.kind, s.url, s.cms, s.state, s.note, s.title, s.format, s.language,
       coalesce(c.result, '') AS result, coalesce(c.reason, '') AS reason, coalesce(c.status, 0) AS status,
       coalesce(c.stage, '') AS stage, c.rest_until, coalesce(c.rest_rule, '') AS rest_rule,
       n.day AS since_day
FROM sources s
JOIN outlets o ON o.id = s.outlet
LEFT JOIN checks c ON c.id = (SELECT max(id) FROM checks WHERE source = s.id)
LEFT JOIN nights n ON n.id = c.night
WHERE s.listed AND o.listed;

CREATE VIEW site_night AS
SELECT id, day, mode, started, ended, due, ok, unchanged, failed, refused, put_off, new_articles, changed_articles,
       requests, body_bytes, breaches
FROM nights;

CREATE VIEW site_policy AS
SELECT id, rule, name, value, floor, unit, in_force, breaches FROM policy;

CREATE VIEW site_server AS
SELECT server, requests, first_start, last_end FROM servers_last_night
WHERE last_end >= (SELECT max(started) FROM nights WHERE ended IS NOT NULL);

-- The reviewable record for researchers: one row an article, everything joined, nothing hidden but what P60 hides and what asks for no index.
CREATE VIEW open_articles AS
SELECT a.id, lower(hex(a.key)) AS key, o.slug AS outlet, o.university, o.kind AS outlet_kind, a.kind, a.url, a.title,
       CASE WHEN o.title_only OR a.withheld <> '' THEN '' ELSE a.summary END AS summary,
       a.summary_derived, a.byline, a.published, a.precision, a.published_raw, a.date_from, a.first_seen, a.changed,
       a.media_url, a.media_type, a.media_bytes, a.video_id, a.video_form
FROM articles a JOIN outlets o ON o.id = a.outlet
WHERE a.key NOT IN (SELECT key FROM tombstones) AND o.listed AND a.url <> '' AND a.withheld <> 'noindex';
