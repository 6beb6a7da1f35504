// A query as readers write it: words, "phrases", -without, and filters such as tag:보도 or from:2024-03.

import { normal } from "./normal.js";

export const FILTERS = ["outlet", "kind", "univ", "tag", "from", "to"];

const NAMES = new Map([
  ...FILTERS.map((name) => [name, name]),
  ["매체", "outlet"],
  ["종류", "kind"],
  ["대학", "univ"],
  ["태그", "tag"],
  ["부터", "from"],
  ["까지", "to"],
]);

// What no page shows (build/rows.py) stands in no text, but may be copied along from elsewhere.
const UNSEEN = /[\p{Cc}\p{Bidi_C}]/gu;

// A phrase may also open with the quotes that telephones write; then either kind closes it.
const TOKEN = /(-?)(?:([^\s:"“”]+):(?:(?=["“”])|(?=\S)))?(?:["“”]([^"“”]*)(?:["“”]|$)|(\S+))/gu;

/** First and last day (YYYY-MM-DD) of a year, month or day written with - . / or nothing between; null if none. */
export function period(text) {
  const found =
    /^(\d{4})[-./년]?$/.exec(text) ??
    /^(\d{4})[-./년](\d{1,2})[-./월]?$/.exec(text) ??
    /^(\d{4})[-./년](\d{1,2})[-./월](\d{1,2})[.일]?$/.exec(text) ??
    /^(\d{4})(\d{2})(\d{2})?$/.exec(text);
  if (!found) return null;
  const [year, month, day] = found.slice(1).map((digits) => (digits === undefined ? undefined : Number(digits)));
  const two = (number) => String(number).padStart(2, "0");
  if (month !== undefined && (month < 1 || month > 12)) return null;
  const days = new Date(Date.UTC(2000, month ?? 12, 0));
  days.setUTCFullYear(year, month ?? 12, 0);
  const last = days.getUTCDate();
  if (day !== undefined && (day < 1 || day > last)) return null;
  const start = [found[1], two(month ?? 1), two(day ?? 1)].join("-");
  return [start, [found[1], two(month ?? 12), two(day ?? last)].join("-")];
}

/**
 * The parts of a query in order, each `{raw, start, end, without, filter, text, word, phrase}`: `filter` is one of
 * FILTERS or "", `text` what was written, `word` its normal form. Parts that say nothing are left out.
 */
export function parts(query) {
  const found = [];
  for (const match of query.matchAll(TOKEN)) {
    const [raw, dash, name, phrase, plain] = match;
    const start = match.index;
    const filter = name === undefined ? "" : (NAMES.get(normal(name)) ?? "");
    let text = phrase ?? plain;
    if (name !== undefined && !filter) text = `${name}:${text}`;
    if (dash && filter === "" && phrase === undefined && !text) continue;
    let word = normal(text.replace(UNSEEN, ""));
    // Quotes only hold a filter's words together.
    if (filter) word = word.replace(/["“”]/g, "");
    if (word) {
      found.push({ raw, start, end: start + raw.length, without: dash === "-", filter, text, word, phrase: phrase !== undefined });
    }
  }
  return found;
}

/** A query sorted into what must be there, what must not, and the filters; `troubles` names what cannot be meant. */
export function parse(query) {
  const parsed = { text: query, words: [], without: [], outlet: [], kind: [], univ: [], tag: [], not: [], from: null, to: null, troubles: [] };
  for (const part of parts(query)) {
    if (!part.filter) (part.without ? parsed.without : parsed.words).push(part.word);
    else if (part.filter === "from" || part.filter === "to") {
      const days = period(part.text.trim());
      if (!days || part.without) parsed.troubles.push({ part, why: "date" });
      else parsed[part.filter] = part.filter === "from" ? days[0] : days[1];
    } else if (part.without) parsed.not.push({ filter: part.filter, word: part.word, part });
    else parsed[part.filter].push({ word: part.word, part });
  }
  return parsed;
}

/** A filter as it stands in a query. */
export function written(filter, text) {
  return /[\s"“”]/u.test(text) ? `${filter}:"${text.replace(/["“”]/gu, " ").trim()}"` : `${filter}:${text}`;
}
