// Candidates of one segment, newest first: articles that every list of the query names.

/** Ids of `ids` (ascending) that lie in [from, to). */
function within(ids, from, to) {
  return ids.slice(lowest(ids, from), lowest(ids, to));
}

/** Where the first id of at least `wanted` stands. */
function lowest(ids, wanted) {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function common(ids, others) {
  return ids.filter((id) => {
    const at = lowest(others, id);
    return at < others.length && others[at] === id;
  });
}

function except(ids, others) {
  return ids.filter((id) => {
    const at = lowest(others, id);
    return at >= others.length || others[at] !== id;
  });
}

// Reading so many cards costs less than the next pages of the other lists.
const CARDS_RATHER = 4;

/**
 * What to look for in a segment. `lists`: all must name an article; those in `loose` are proved again on the card.
 * `minus`: none may name it. [from, to): the range of ids. `guessed`: whether the cards had to tell after all.
 */
export class Plan {
  constructor(lists, loose, minus, from, to) {
    this.lists = lists;
    this.loose = loose;
    this.minus = minus;
    this.from = from;
    this.to = to;
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
    let at = this.from;
    const every = [...this.lists, ...this.minus];
    while (at < this.to) {
      const reach = every.reduce((least, list) => Math.min(least, list.reach), this.to);
      if (reach > at) {
        yield this.#between(this.lists, at, reach);
        at = reach;
        continue;
      }
      const few = guessing && this.#few(at);
      if (few) {
        this.guessed = true;
        yield few;
        return;
      }
      await Promise.all(every.filter((list) => list.reach <= at).map((list) => list.more()));
    }
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
    for (const others of sorted.slice(1)) ids = common(ids, others);
    for (const list of this.minus) ids = except(ids, list.ids);
    return ids;
  }
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** Candidates of a plan whose cards have been read and found right, in order: a queue that fills as it is asked. */
export class Found {
  /** `ids`: an async generator of chunks in the order of the results; `cards`: reads a card; `right`: judges one. */
  constructor(chunks, cards, right) {
    this.chunks = chunks;
    this.cards = cards;
    this.right = right;
    this.waiting = [];
    this.ready = [];
    this.ended = false;
  }

  /** The next right card, or null at the end; about `wanted` of them are read at once. */
  async head(wanted) {
    while (!this.ready.length) {
      while (this.waiting.length < wanted && !this.ended) {
        const { value, done } = await this.chunks.next();
        if (done) this.ended = true;
        else for (const id of value) this.waiting.push(id);
        if (this.waiting.length) break;
      }
      if (!this.waiting.length) return null;
      const batch = await Promise.all(this.waiting.splice(0, wanted).map((id) => this.cards.card(id)));
      for (const card of batch) if (this.right(card)) this.ready.push(card);
    }
    return this.ready[0];
  }

  take() {
    return this.ready.shift();
  }
}
