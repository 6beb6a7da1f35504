// Candidates of one segment, newest first: articles that every list of the query names.

import { lowest } from "./bits.js";

/** Ids of `ids` (ascending) that lie in [from, to). */
function within(ids, from, to) {
  return ids.slice(lowest(ids, from), lowest(ids, to));
}

const holds = (ids, id) => ids[lowest(ids, id)] === id;

// Reading so many cards costs less than the next pages of the other lists.
const CARDS_RATHER = 4;

/**
 * What to look for in a segment. `lists`: all must name an article; those in `loose` are proved again on the card.
 * `minus`: none may name it. [from, to): the range of ids. `guessed`: whether the cards had to tell after all.
 * `spare`: brings further lists, `{lists, spare}`, for when too many cards are read in vain; null where none are left.
 */
export class Plan {
  constructor(lists, loose, minus, spare, from, to) {
    this.lists = lists;
    this.loose = loose;
    this.minus = minus;
    this.spare = spare;
    this.from = from;
    this.to = to;
    this.at = from;
    this.guessed = false;
  }

  /** How many articles the lists name: `{value, exact}`, where not exact at most so many. */
  get count() {
    if (this.lists === null) return { value: 0, exact: true };
    const span = Math.max(0, this.to - this.from);
    if ([...this.lists, ...this.minus].every((list) => list.complete)) {
      const free = !this.lists.length && !this.minus.length;
      return { value: free ? span : this.#between(this.lists, this.from, this.to).length, exact: true };
    }
    const value = this.lists.reduce((least, list) => Math.min(least, list.count), span);
    const [only, ...others] = this.lists;
    return { value, exact: !others.length && !this.minus.length && only.disjoint && span === only.articles };
  }

  /** Chunks of ids, ascending; each covers the ids up to a point that the next begins from. */
  async *chunks(guessing = true) {
    if (this.lists === null) return;
    const telling = worthReading(this.lists, this.loose);
    if (telling.length < this.lists.length) this.guessed = true;
    this.lists = telling;
    this.at = this.from;
    while (this.at < this.to) {
      const at = this.at;
      const every = [...this.lists, ...this.minus];
      const reach = every.reduce((least, list) => Math.min(least, list.reach), this.to);
      if (reach > at) {
        this.at = reach;
        yield this.#between(this.lists, at, reach);
        continue;
      }
      const few = guessing && this.#few(at);
      if (few) {
        this.guessed = true;
        this.at = this.to;
        yield few;
        return;
      }
      await Promise.all(every.filter((list) => list.reach <= at).map((list) => list.more()));
    }
  }

  /** Takes the spare lists into account, from an id on or from where the chunks ended; false where there are none. */
  async refine(from = this.at) {
    if (!this.spare || this.lists === null) return false;
    const { lists, spare } = await this.spare();
    this.spare = spare;
    this.from = from;
    if (lists.includes(null)) this.lists = null;
    else {
      this.lists = [...this.lists, ...lists];
      for (const list of lists) this.loose.add(list);
    }
    return true;
  }

  /** The rest, where one list is wholly known and names only a few more; the cards will tell. */
  #few(at) {
    if (this.minus.length || !this.lists.every((list) => list.complete || this.loose.has(list))) return null;
    const known = this.lists.filter((list) => list.complete);
    if (!known.length) return null;
    const left = this.#between(known, at, this.to);
    return left.length <= CARDS_RATHER ? left : null;
  }

  #between(lists, from, to) {
    const sorted = lists.map((list) => within(list.ids, from, to)).sort((one, other) => one.length - other.length);
    let ids = sorted[0] ?? range(from, to);
    for (const others of sorted.slice(1)) ids = ids.filter((id) => holds(others, id));
    for (const list of this.minus) ids = ids.filter((id) => !holds(list.ids, id));
    return ids;
  }
}

// A list that names more than half of all articles, beside one that names less than a tenth, costs more than it tells.
const MUCH = 0.5;
const LITTLE = 0.1;

function worthReading(lists, loose) {
  if (!lists.some((list) => list.count < list.articles * LITTLE)) return lists;
  return lists.filter((list) => !loose.has(list) || list.complete || list.count < list.articles * MUCH);
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

// After so many cards of which fewer than half were right, the spare lists are worth their bytes.
const TRIED = 6;

/** Candidates whose cards have been read and found right, in order: a queue that fills as it is asked. */
export class Found {
  /**
   * `chunks`: an async iterator of candidates in order; `cards`: reads a card; `right`: judges one;
   * `refined`: an async function that is given the candidates read but not tried, and returns the chunks that replace
   * them and all that follow, or null.
   */
  constructor(chunks, cards, right, refined) {
    this.chunks = chunks;
    this.cards = cards;
    this.right = right;
    this.refined = refined;
    this.waiting = [];
    this.ready = [];
    this.ended = false;
    this.tried = 0;
    this.passed = 0;
    this.missed = 0;
  }

  /** The next right card, null at the end, undefined where `purse.cards` have been read; about `wanted` are read at once. */
  async head(wanted, purse) {
    while (!this.ready.length) {
      if (this.refined && this.tried >= TRIED && this.passed * 2 < this.tried) await this.#refine();
      while (!this.waiting.length && !this.ended) await this.#more();
      if (!this.waiting.length) return null;
      if (purse.cards <= 0) return undefined;
      // The more in vain, the more at once: each batch is a way to the host and back.
      const some = Math.min(purse.cards, Math.max(wanted, this.missed));
      const batch = await Promise.all(this.waiting.splice(0, some).map((id) => this.cards.card(id)));
      for (const card of batch) if (this.right(card)) this.ready.push(card);
      purse.cards -= batch.length;
      this.tried += batch.length;
      this.passed += this.ready.length;
      this.missed = this.ready.length ? 0 : this.missed + batch.length;
    }
    return this.ready[0];
  }

  take() {
    return this.ready.shift();
  }

  async #more() {
    const { value, done } = await this.chunks.next();
    if (done) this.ended = true;
    else for (const id of value) this.waiting.push(id);
  }

  async #refine() {
    const chunks = await this.refined(this.waiting);
    if (!chunks) {
      this.refined = null;
      return;
    }
    this.tried = 0;
    this.passed = 0;
    this.chunks = chunks;
    this.waiting = [];
    this.ended = false;
  }
}
