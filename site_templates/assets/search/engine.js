// The search engine: opens the search's files and answers queries, newest first. It knows nothing of the page.
//
//   const engine = new Engine(new URL("../../search/", import.meta.url).href);
//   const results = await engine.search('총학생회 -선거 tag:보도');
//   results.count                    {value, exact}: how many, or at most how many
//   await results.next(10)           the next cards; fewer than asked for at the end, then results.ended
//
// Errors: Unreachable where a file cannot be had (ask again later); everything asked before stays usable.

import { Cards, dayNumber } from "./cards.js";
import { Files, Stale, Unreachable } from "./files.js";
import { marks, normal } from "./normal.js";
import { parse } from "./query.js";
import { Found, Plan } from "./streams.js";
import { END, Segment, Union } from "./words.js";

export { marks, normal, parse, Unreachable };

const FORMAT = 1;
const NEWEST_OF_ONE = 200;

// Where a character stands in so many articles, reading cards finds the next sooner than reading its lists.
const COMMON = 0.15;

const json = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** The outlets and what filters may be called. */
class Names {
  constructor(told) {
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
    const names = (one) => (filter === "outlet" ? [one.slug, one.name, one.nameEn] : [one.univ, one.university]).map(normal);
    const all = Array.from(this.outlets.values(), (one) => [one, names(one)]);
    const exact = all.filter(([, called]) => called.includes(word));
    const found = exact.length ? exact : all.filter(([, called]) => called.some((name) => name.includes(word)));
    return found.map(([one]) => one);
  }
}

/** One published state of the search: its two segments. */
class Edition {
  constructor(files, told, names) {
    if (told.format !== FORMAT) throw new Stale("another format");
    this.names = names;
    this.files = files;
    this.told = told;
    this.base = new Segment(files, "base", told.base);
    this.delta = new Segment(files, "delta", told.delta);
    this.baseCards = new Cards(files, "base", told.a_file, names.outlets);
    this.deltaCards = new Cards(files, "delta", told.a_file, names.outlets);
    this.deltaDays = [];
    for (let at = 0, day = 0; at < told.delta.days.length; at += 2) {
      day += told.delta.days[at];
      for (let left = told.delta.days[at + 1]; left > 0; left--) this.deltaDays.push(day);
    }
  }

  static async open(files) {
    const [told, names] = await Promise.all([
      files.get("index.gz", json),
      files.get("outlets.gz", (bytes) => new Names(json(bytes))),
    ]);
    return new Edition(files, told, names);
  }

  /** The ids of the base whose day lies in a span: days run backwards. */
  async baseRange(first, last) {
    const flat = await this.files.get("base/days.gz", json);
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

/** Positions of the pairs to look up in a word: all of a short one, every other of a long one, always the last. */
function covering(length) {
  const starts = [];
  for (let at = 0; at < length - 1; at += length > 3 ? 2 : 1) starts.push(at);
  if (starts.at(-1) !== length - 2) starts.push(length - 2);
  return starts;
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
    // Words of two characters are proved by the lists alone.
    this.proved = [...this.words, ...this.without].every((word) => Array.from(word).length === 2);
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
    const nobody = new Plan(null, new Set(), [], 0, 0);
    if (this.nothing || this.empty || !segment.articles) return nobody;
    const [words, filters, minus, range] = await Promise.all([
      this.#words(segment),
      this.#filters(segment),
      this.#minus(segment),
      this.days && !days ? this.edition.baseRange(...this.days) : [0, segment.articles],
    ]);
    if (words === null || filters === null) return nobody;
    return new Plan([...words, ...filters], new Set(words), minus, ...range);
  }

  async #words(segment) {
    const wanted = new Map();
    const ones = [];
    for (const word of this.words) {
      const codes = Array.from(word, (char) => char.codePointAt(0));
      if (codes.length === 1) ones.push(codes[0]);
      else for (const at of covering(codes.length)) wanted.set(`${codes[at]} ${codes[at + 1]}`, [codes[at], codes[at + 1]]);
    }
    const lists = await Promise.all([
      ...Array.from(wanted.values(), (pair) => segment.list(...pair)),
      ...ones.map((char) => this.#one(segment, char, wanted.size > 0)),
    ]);
    if (lists.includes(null)) return null;
    return lists.filter((list) => list !== undefined);
  }

  /** The list of a character; undefined where the cards are the better proof. */
  async #one(segment, char, others) {
    const one = await segment.one(char);
    if (!one) return null;
    if (others && one.count >= segment.articles * COMMON) return undefined;
    return segment.holding(char);
  }

  async #filters(segment) {
    const { outlet, univ, kind, tag } = this.parsed;
    const lists = [
      this.#outlets(segment, "outlet", outlet),
      this.#outlets(segment, "univ", univ),
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

  async #any(segment, names, asked, disjoint) {
    if (!asked) return undefined;
    const lists = (await Promise.all(names.map((name) => segment.filtered(name)))).filter(Boolean);
    if (lists.length < 2) return lists[0] ?? null;
    return new Union(lists, segment.articles, disjoint);
  }

  /** Lists of what must not be: words of two characters, filters, and the undated where days are asked for. */
  async #minus(segment) {
    const asked = this.without
      .map((word) => Array.from(word, (char) => char.codePointAt(0)))
      .filter((codes) => codes.length === 2)
      .map((codes) => segment.list(...codes));
    for (const { filter, word } of this.parsed.not) {
      if (filter === "tag") asked.push(segment.filtered(`tag:${word}`));
      else if (filter === "kind") asked.push(this.#any(segment, this.#kinds([{ word }]), 1, false));
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
    this.ended = false;
    this.count = { value: 0, exact: false };
    this.next = this.next.bind(this);
    this.last = Promise.resolve();
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
        // Another night was published while we read: begin anew in it, behind what has been given.
        if (!(error instanceof Stale)) throw error;
        this.question = null;
        if (tried >= 1) throw new Unreachable(`the search is being renewed (${error.message})`);
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
      new Found(delta.chunks, edition.deltaCards, question.right),
      new Found(base.chunks, edition.baseCards, question.right),
    ];
    this.limit = limit;
    this.question = question;
    for (let skipped = 0; skipped < this.given; skipped++) if (!(await this.#one(this.given - skipped))) break;
  }

  async #plans(edition, question) {
    if (question.oneCharacter) return this.#oneCharacter(edition, question);
    const [base, delta] = await Promise.all([
      question.plan(edition.base, null),
      question.plan(edition.delta, edition.deltaDays),
    ]);
    question.plans = [base, delta];
    const recent = await newestOf(delta, edition.deltaDays, question.days);
    const { value, exact } = base.count;
    this.count = { value: value + recent.length, exact: value + recent.length === 0 || (exact && question.proved) };
    return [{ chunks: base.chunks() }, { chunks: once(recent) }, Infinity];
  }

  async #oneCharacter(edition, question) {
    const char = question.words[0].codePointAt(0);
    const [base, delta] = await Promise.all([edition.base.one(char), edition.delta.one(char)]);
    this.count = { value: (base?.count ?? 0) + (delta?.count ?? 0), exact: true };
    const recent = ordered(delta?.ids ?? [], edition.deltaDays);
    return [{ chunks: once(base?.ids ?? []) }, { chunks: once(recent) }, NEWEST_OF_ONE];
  }

  async #next(wanted) {
    const cards = [];
    while (cards.length < wanted && this.given < this.limit) {
      const card = await this.#one(wanted - cards.length);
      if (!card) break;
      cards.push(card);
      this.given++;
    }
    if (cards.length < wanted) {
      this.ended = true;
      if (this.limit === Infinity) this.count = { value: this.given, exact: true };
    }
    return cards;
  }

  /** The newer of the two segments' next cards, taken; null at the end. */
  async #one(wanted) {
    const [delta, base] = this.found;
    const recent = await delta.head(wanted);
    if (recent && recent.day >= this.newest) return delta.take();
    const older = await base.head(wanted);
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
