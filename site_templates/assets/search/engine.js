// The search engine: opens the search's files and answers queries, newest first. It knows nothing of the page.
//
//   const engine = new Engine(new URL("../../search/", import.meta.url).href);
//   const results = await engine.search('총학생회 -선거 tag:보도');
//   results.count                    {value, exact}: how many, or at most how many
//   await results.next(10)           the next cards: fewer than asked for at the end, then results.ended, and where so
//                                    many had to be read in vain that the reader may rather be asked whether to go on
//   results.places                   pages of universities and outlets that are called as the query says
//
// Errors: Unreachable where a file cannot be had (ask again later); everything asked before stays usable.

import { Cards, dayNumber } from "./cards.js";
import { Files, Stale, Unreachable } from "./files.js";
import { marks, normal } from "./normal.js";
import { parse } from "./query.js";
import { Found, Plan } from "./streams.js";
import { ONE, Segment, Union } from "./words.js";

export { marks, normal, parse, Unreachable };

const FORMAT = 3;
const NEWEST_OF_ONE = 200;
// Cards read for one portion at most; a query such as 공학 -공학부 would read hundreds before the first result.
const CARDS_A_PORTION = 80;

// Of an outlet, by filter: a page, what stands on the way there, and what it is called.
const PLACES = {
  univ: ({ univ, university }) => [`u/${univ}/`, university, "univ", [univ, university]],
  outlet: ({ slug, name, nameEn, kind }) => [`o/${slug}/`, name, kind, [slug, name, nameEn]],
};
// A university whose short name gives no address has no page (build/filters.py, landing).
const PAGE = /^.\/[a-z\d가-힣-]+\/$/i;
const SAME = (name, word) => name === word;
const BEGINS = (name, word) => word.length > 1 && name.startsWith(word);

const json = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** The outlets and what filters may be called. */
class Names {
  constructor(told) {
    this.base = told.base;
    this.outlets = new Map();
    this.kinds = new Map();
    for (const [id, slug, name, nameEn, university, univ, kind, begin] of told.outlets) {
      this.outlets.set(id, { id, slug, name, nameEn, university, univ, kind, begin });
      if (kind) this.kinds.set(normal(kind), kind);
    }
    for (const [kind, names] of Object.entries(told.kinds)) {
      for (const name of [kind, ...names]) this.kinds.set(normal(name), kind);
    }
  }

  /** The outlets of a filter: those called exactly so, else those whose name has the word in it. */
  matching(filter, word) {
    const all = this.#places(filter);
    const exact = all.filter(({ called }) => called.includes(word));
    const found = exact.length ? exact : all.filter(({ called }) => called.some((name) => name.includes(word)));
    return found.map(({ one }) => one);
  }

  /**
   * The pages of universities and outlets that words may mean, as {path, name, kind}. Those called as all words say
   * together come before those called as any of them, and exactly so before so begun.
   */
  places(words) {
    const all = [...this.#places("univ"), ...this.#places("outlet")];
    for (const asked of [[words.join("")], words]) {
      for (const fits of [SAME, BEGINS]) {
        const meant = ({ path, called }) => PAGE.test(path) && asked.some((word) => called.some((name) => fits(name, word)));
        const found = new Map(all.filter(meant).map((place) => [place.path, place]));
        if (found.size) return Array.from(found.values());
      }
    }
    return [];
  }

  #places(filter) {
    return Array.from(this.outlets.values(), (one) => {
      const [path, name, kind, called] = PLACES[filter](one);
      return { one, path, name, kind, called: called.map(normal).filter(Boolean) };
    });
  }
}

/** One published state of the search: its two segments. */
class Edition {
  constructor(files, told, names, primer) {
    if (told.format !== FORMAT || names.base !== told.base.tag) throw new Stale("index.gz");
    this.names = names;
    this.files = files;
    this.told = told;
    this.base = new Segment(files, "base", told.base);
    this.delta = new Segment(files, "delta", told.delta);
    this.baseCards = new Cards(files, "base", told.base, told.a_file, names.outlets, primer);
    this.deltaCards = new Cards(files, "delta", told.delta, told.a_file, names.outlets, primer);
    this.deltaDays = [];
    for (let at = 0, day = 0; at < told.delta.days.length; at += 2) {
      day += told.delta.days[at];
      for (let left = told.delta.days[at + 1]; left > 0; left--) this.deltaDays.push(day);
    }
  }

  static async open(files) {
    const [told, names, primer] = await Promise.all([
      files.get("index.gz", json),
      files.get("outlets.gz", (bytes) => new Names(json(bytes))),
      files.get("base/primer.gz", (bytes) => bytes),
    ]);
    return new Edition(files, told, names, primer);
  }

  /** The ids of the base whose day lies in a span: days run backwards. */
  async baseRange(first, last) {
    const [tag, ...flat] = await this.files.get("base/days.gz", json);
    if (tag !== this.base.tag) throw new Stale("base/days.gz");
    let from = 0;
    let to = 0;
    for (let at = 0, day = 0; at < flat.length; at += 2) {
      day += flat[at];
      if (day > last) from += flat[at + 1];
      if (day >= first) to += flat[at + 1];
      else break;
    }
    return [from, Math.max(from, to)];
  }
}

// Of a word, the pairs that look rarest are looked up; the others wait until they are needed.
const PAIRS_FIRST = 2;
const PAIRS_OF_LONG = 3;
const LONG = 5;

/** What a word can be looked up by: figures by threes, others by twos, a single character by itself. */
function pieces(word, segment) {
  const chars = Array.from(word);
  if (chars.length === 1) {
    return [{ key: word, at: 0, weight: Infinity, list: () => segment.list(word.codePointAt(0), ONE) }];
  }
  const found = [];
  for (let at = 0; at + 1 < chars.length; at++) {
    const three = chars.slice(at, at + 3).join("");
    if (/^[0-9]{3}$/.test(three)) {
      found.push({ key: three, at, weight: 0, list: () => segment.figures(three) });
      continue;
    }
    // The second of three figures is told by the three.
    if (/^[0-9]{3}$/.test(chars.slice(at - 1, at + 2).join(""))) continue;
    const [first, second] = [chars[at], chars[at + 1]].map((char) => char.codePointAt(0));
    const weight = (1 + segment.weight(first)) * (1 + segment.weight(second));
    found.push({ key: chars[at] + chars[at + 1], at, weight, list: () => segment.list(first, second) });
  }
  return found;
}

/** The pieces to begin with, and those in reserve. Pieces that overlap tell less than those that do not. */
function chosen(found) {
  const sorted = found.slice().sort((one, other) => one.weight - other.weight || one.at - other.at);
  const first = [];
  for (let left = found.length < LONG ? PAIRS_FIRST : PAIRS_OF_LONG; left > 0 && sorted.length; left--) {
    const apart = sorted.findIndex((one) => first.every((other) => Math.abs(one.at - other.at) > 1));
    first.push(...sorted.splice(Math.max(0, apart), 1));
  }
  return [first, sorted];
}

/** A query made ready for one edition. */
class Question {
  constructor(edition, parsed) {
    this.edition = edition;
    this.parsed = parsed;
    // A word inside another says nothing more.
    const words = Array.from(new Set(parsed.words));
    this.words = words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
    this.without = Array.from(new Set(parsed.without));
    this.days = parsed.from || parsed.to ? [dayNumber(parsed.from ?? "0001-01-01"), dayNumber(parsed.to ?? "9999-12-31")] : null;
    this.filtered = ["outlet", "univ", "kind", "tag", "not"].some((name) => parsed[name].length) || this.days !== null;
    this.alone = this.words.length === 1 && !this.without.length && !this.filtered;
    this.oneCharacter = this.alone && Array.from(this.words[0]).length === 1;
    this.nothing = this.without.some((word) => this.words.some((wanted) => wanted.includes(word)));
    // Words of one or two characters are proved by the lists alone.
    this.proved = [...this.words, ...this.without].every((word) => Array.from(word).length <= 2);
    this.plans = [];
    this.empty = !this.words.length && !this.without.length && !this.filtered;
  }

  /** Whether a card is a result. Throws Stale where it is missing, or lacks what the lists had proved. */
  right = (card) => {
    if (card === undefined) throw new Stale("a card is missing");
    if (this.words.every((word) => card.holds(word))) return !this.without.some((word) => card.holds(word));
    if (this.proved && !this.plans.some((plan) => plan.guessed)) throw new Stale("a card has changed");
    return false;
  };

  async plan(segment, days) {
    const nobody = new Plan(null, new Set(), [], null, 0, 0);
    if (this.nothing || this.empty || !segment.articles) return nobody;
    const [now, later] = this.#pieces(segment);
    const [words, filters, minus, range] = await Promise.all([
      Promise.all(now.map((piece) => piece.list())),
      this.#filters(segment),
      this.#minus(segment),
      this.days && !days ? this.edition.baseRange(...this.days) : [0, segment.articles],
    ]);
    if (words.includes(null) || filters === null) return nobody;
    return new Plan([...words, ...filters], new Set(words), minus, this.#spare(later), ...range);
  }

  /** What the words are looked up by: at first, and where that proves too little. */
  #pieces(segment) {
    const now = new Map();
    const later = new Map();
    for (const word of this.words) {
      const [first, others] = chosen(pieces(word, segment));
      for (const piece of first) now.set(piece.key, piece);
      for (const piece of others) later.set(piece.key, piece);
    }
    for (const key of now.keys()) later.delete(key);
    return [Array.from(now.values()), Array.from(later.values()).sort((one, other) => one.weight - other.weight)];
  }

  /** Brings the next few pieces; null where none are left. */
  #spare(later) {
    if (!later.length) return null;
    return async () => ({
      lists: await Promise.all(later.slice(0, PAIRS_FIRST).map((piece) => piece.list())),
      spare: this.#spare(later.slice(PAIRS_FIRST)),
    });
  }

  async #filters(segment) {
    const { outlet, univ, kind, tag } = this.parsed;
    const lists = [
      this.#outlets(segment, "outlet", outlet),
      this.#universities(segment, univ),
      this.#any(segment, this.#kinds(kind), kind.length, false),
      ...tag.map(({ word }) => segment.filtered(`tag:${word}`)),
    ];
    const found = await Promise.all(lists);
    return found.includes(null) ? null : found.filter((list) => list !== undefined);
  }

  #kinds(asked) {
    return asked.map(({ word }) => `kind:${this.edition.names.kinds.get(word) ?? word}`);
  }

  #outlets(segment, filter, asked) {
    const ids = asked.flatMap(({ word }) => this.edition.names.matching(filter, word).map((one) => one.id));
    return this.#any(segment, Array.from(new Set(ids), (id) => `outlet:${id}`), asked.length, true);
  }

  /** Universities: one list each, however many outlets they have. */
  #universities(segment, asked) {
    const found = asked.flatMap(({ word }) => this.edition.names.matching("univ", word).map((one) => one.univ || one.university));
    return this.#any(segment, Array.from(new Set(found), (univ) => `univ:${univ}`), asked.length, true);
  }

  async #any(segment, names, asked, disjoint) {
    if (!asked) return undefined;
    const lists = (await Promise.all(names.map((name) => segment.filtered(name)))).filter(Boolean);
    if (lists.length < 2) return lists[0] ?? null;
    return new Union(lists, segment.articles, disjoint);
  }

  /** Lists of what must not be: words of one or two characters, filters, and the undated where days are asked for. */
  async #minus(segment) {
    const asked = this.without
      .filter((word) => Array.from(word).length <= 2)
      .map((word) => pieces(word, segment)[0].list());
    for (const { filter, word } of this.parsed.not) {
      if (filter === "tag") asked.push(segment.filtered(`tag:${word}`));
      else if (filter === "kind") asked.push(this.#any(segment, this.#kinds([{ word }]), 1, false));
      else if (filter === "univ") asked.push(this.#universities(segment, [{ word }]));
      else asked.push(this.#outlets(segment, filter, [{ word }]));
    }
    if (this.days) asked.push(segment.filtered("undated"));
    return (await Promise.all(asked)).filter(Boolean);
  }
}

/** What a query found: asked for in portions, newest first. */
class Results {
  constructor(engine, parsed) {
    this.engine = engine;
    this.query = parsed;
    this.given = 0;
    this.known = [];
    this.taken = [];
    this.ended = false;
    this.count = { value: 0, exact: false };
    this.next = this.next.bind(this);
    this.last = Promise.resolve();
  }

  /** The pages that the query's words may mean (see Names). */
  get places() {
    const { words, outlet, univ } = this.query;
    return this.edition.names.places([...words, ...[...outlet, ...univ].map(({ word }) => word)]);
  }

  /** The next `wanted` cards. Calls wait for one another. */
  next(wanted) {
    this.last = this.last.catch(() => {}).then(() => this.#steadily(() => this.#next(wanted)));
    return this.last;
  }

  /** Looks the query up; `count` is then known. */
  async begin() {
    await this.#steadily(() => {});
    return this;
  }

  async #steadily(work) {
    for (let tried = 0; ; tried++) {
      try {
        if (!this.question) await this.#prepare();
        return await work();
      } catch (error) {
        // Half-read lists cannot be read on: the next try begins anew, behind what has been given.
        this.question = null;
        if (error instanceof Unreachable) throw error;
        // Another night was published while we read, or what came is no file of ours at all.
        if (tried >= 1) throw new Unreachable(error.message);
        this.engine.renew();
      }
    }
  }

  async #prepare() {
    const edition = await this.engine.edition();
    const question = new Question(edition, this.query);
    const [base, delta, limit] = await this.#plans(edition, question);
    this.edition = edition;
    this.newest = edition.told.base.newest;
    this.found = [
      new Found(delta.chunks, edition.deltaCards, question.right, delta.refined),
      new Found(base.chunks, edition.baseCards, question.right, base.refined),
    ];
    this.limit = limit;
    this.question = question;
    this.behind = new Set(this.known);
  }

  async #plans(edition, question) {
    const [base, delta] = await Promise.all([
      question.plan(edition.base, null),
      question.plan(edition.delta, edition.deltaDays),
    ]);
    question.plans = [base, delta];
    const recent = await newestOf(delta, edition.deltaDays, question.days);
    const { value, exact } = base.count;
    this.count = { value: value + recent.length, exact: value + recent.length === 0 || (exact && question.proved && !delta.guessed) };
    const refinedBase = async (waiting) => ((await base.refine(waiting[0])) ? base.chunks() : null);
    const refinedDelta = async (waiting) => {
      const left = new Set(waiting);
      if (!(await delta.refine(0))) return null;
      const ids = await newestOf(delta, edition.deltaDays, question.days);
      return once(ids.filter((id) => left.has(id)));
    };
    return [
      { chunks: base.chunks(), refined: refinedBase },
      { chunks: once(recent), refined: refinedDelta },
      question.oneCharacter ? NEWEST_OF_ONE : Infinity,
    ];
  }

  async #next(wanted) {
    // What was found before a file could not be had is not lost: the next call gives it.
    const cards = this.taken;
    const purse = { cards: wanted + this.behind.size + CARDS_A_PORTION };
    let card = null;
    while (cards.length < wanted && this.given < this.limit) {
      card = await this.#one(wanted - cards.length, purse);
      if (!card) break;
      const key = card.url || card.title;
      // Begun anew behind what was given, which another night may have added to or taken from.
      if (this.behind.size && (card.day > this.reached || this.behind.has(key))) continue;
      this.known.push(key);
      this.reached = card.day;
      cards.push(card);
      this.given++;
    }
    if (cards.length < wanted && card !== undefined) {
      this.ended = true;
      if (this.limit === Infinity) this.count = { value: this.given, exact: true };
    }
    this.taken = [];
    return cards;
  }

  /** The newer of the two segments' next cards, taken; null at the end, undefined where the purse is empty. */
  async #one(wanted, purse) {
    const [delta, base] = this.found;
    const recent = await delta.head(wanted, purse);
    if (recent === undefined || recent?.day >= this.newest) return recent && delta.take();
    const older = await base.head(wanted, purse);
    if (older === undefined) return undefined;
    if (recent && (!older || recent.day >= older.day)) return delta.take();
    return older ? base.take() : null;
  }
}

/** Every candidate of the delta, newest first. */
async function newestOf(plan, days, span) {
  let ids = [];
  for await (const chunk of plan.chunks(false)) ids = ids.concat(chunk);
  if (span) ids = ids.filter((id) => days[id] >= span[0] && days[id] <= span[1]);
  return ordered(ids, days);
}

function ordered(ids, days) {
  return ids.slice().sort((one, other) => days[other] - days[one] || other - one);
}

async function* once(ids) {
  yield ids;
}

export class Engine {
  #edition = null;

  /** `address`: the search's folder, ending in a slash. `keep`: how many files stay in memory. */
  constructor(address, keep) {
    this.files = new Files(address, keep);
  }

  /** Reads the entrance, so that the first query need not wait for it. */
  edition() {
    this.#edition ??= Edition.open(this.files).catch((error) => {
      this.#edition = null;
      throw error;
    });
    return this.#edition;
  }

  renew() {
    this.#edition = null;
    this.files.doubt();
  }

  /** Answers a query; `count` of what comes back is known, its cards are asked for with `next`. */
  search(text) {
    return new Results(this, parse(text)).begin();
  }
}
