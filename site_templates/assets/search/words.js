// The dictionary of one segment, as build/searchwords.py writes it: lists of articles by two neighbouring characters.

import { lowest, Numbers, readIds } from "./bits.js";
import { behind, Stale } from "./files.js";

export const ONE = 0;
const FACET = 0x110000;
const THREE = 0x200000;
const BLOCK = 256;
const HEAD_BYTES = 1;

function spread(number, shards) {
  return ((Math.imul(number % 0x100000000 | 0, 2654435761 | 0) >>> 0) >>> 8) % shards;
}

/** The number of a filter's word such as `tag:보도`. */
function facet(text) {
  let high = 2166136261;
  let low = 40389;
  for (const char of text) {
    const code = char.codePointAt(0);
    high = Math.imul(high ^ code, 16777619) >>> 0;
    low = (Math.imul(low ^ code, 2654435761 | 0) + 12345) >>> 0;
  }
  return (high & 0xfffff) * 0x100000000 + low;
}

/** Two numbers after another, the first of each as the step from the one before. */
export function pairs(flat) {
  const found = new Map();
  let key = 0;
  for (let at = 0; at < flat.length; at += 2) {
    key += flat[at];
    found.set(key, flat[at + 1]);
  }
  return found;
}

/**
 * A list of articles, known from 0 up to but not including `reach`, which `more` moves on.
 * `count` is its whole length (for a union: at most that).
 */
class List {
  constructor(segment, key, count, body, paged) {
    this.segment = segment;
    this.articles = segment.articles;
    this.key = key;
    this.count = count;
    this.disjoint = true;
    this.ids = [];
    this.pages = [];
    this.read = 0;
    let start = count;
    let bytes = body;
    if (paged) {
      const numbers = new Numbers(body);
      const steps = numbers.next();
      const starts = [];
      const befores = [];
      for (let at = 0, sum = 0; at < steps; at++) starts.push((sum += numbers.next()));
      for (let at = 0, sum = -1; at < steps; at++) befores.push((sum += numbers.next()));
      this.pages = starts.map((from, at) => ({ before: befores[at], wanted: (starts[at + 1] ?? count) - from }));
      start = starts[0];
      bytes = body.subarray(numbers.at);
    }
    readIds(bytes, start, segment.articles, count, -1, this.ids);
    this.#reached();
  }

  get complete() {
    return this.read === this.pages.length;
  }

  #reached() {
    this.reach = this.complete ? this.articles : this.ids.at(-1) + 1;
  }

  async more() {
    const { before, wanted } = this.pages[this.read];
    const bytes = await this.segment.page(this.key, this.read);
    if (this.ids.at(-1) === before) {
      readIds(bytes, wanted, this.articles, this.count, before, this.ids);
      this.read++;
      this.#reached();
    }
  }
}

/** Every article that stands in any of several lists; `disjoint` where none stands in two, so that `count` is exact. */
export class Union {
  constructor(lists, articles, disjoint) {
    this.lists = lists;
    this.articles = articles;
    this.disjoint = disjoint;
    this.ids = [];
    this.reach = 0;
    this.count = Math.min(
      articles,
      lists.reduce((sum, list) => sum + list.count, 0),
    );
    this.#merged();
  }

  get complete() {
    return this.lists.every((list) => list.complete);
  }

  /** Takes in what has come within reach since the last time. */
  #merged() {
    const from = this.reach;
    this.reach = this.lists.reduce((least, list) => Math.min(least, list.reach), this.articles);
    const fresh = [];
    for (const list of this.lists) {
      for (let at = lowest(list.ids, from); at < list.ids.length && list.ids[at] < this.reach; at++) fresh.push(list.ids[at]);
    }
    let last = -1;
    for (const id of Uint32Array.from(fresh).sort()) {
      if (id !== last) this.ids.push(id);
      last = id;
    }
  }

  async more() {
    const short = this.lists.filter((list) => list.reach === this.reach && !list.complete);
    await Promise.all(short.map((list) => list.more()));
    this.#merged();
  }
}

export class Segment {
  /** `told`: what the entrance says of it. */
  constructor(files, name, told) {
    this.files = files;
    this.name = name;
    this.articles = told.articles;
    this.tag = parseInt(told.tag, 16);
    this.own = pairs(told.own);
    this.blocks = pairs(told.blocks);
  }

  /** The list of two characters in a row (code points; the second may be ONE: the first alone), or null where nobody has them. */
  async list(first, second) {
    const name = this.#name(first, second);
    if (!name) return null;
    const shard = await this.#shard(...name);
    const entry = shard.find((one) => one.first === first && one.second === second);
    return entry ? new List(this, entry, entry.count, entry.body, entry.paged) : null;
  }

  /** The list of three figures in a row, or null. */
  figures(text) {
    return this.list(text.codePointAt(0), THREE + Number(text.slice(1)));
  }

  /** How many shards a first character fills: a hint at how usual it is, at no cost. */
  weight(first) {
    return this.own.get(first) ?? 0;
  }

  /** The list of a filter's word, or null. */
  filtered(word) {
    return this.list(FACET, facet(word));
  }

  page(key, number) {
    const path = `${this.name}/p/${key.first.toString(16)}/${key.second.toString(16)}-${number}.bin`;
    return this.files.get(path, (bytes) => behind(bytes, this.tag, path));
  }

  #name(first, second) {
    const own = this.own.get(first);
    if (own) return [first.toString(16), spread(second, own), own];
    const block = Math.floor(first / BLOCK);
    const shards = this.blocks.get(block);
    return shards ? [`b${block.toString(16)}`, spread(first, shards), shards] : null;
  }

  #shard(name, number, shards) {
    const path = `${this.name}/s/${name}-${number}.bin`;
    return this.files.get(path, (tagged) => {
      const bytes = behind(tagged, this.tag, path);
      if (bytes[0] !== (shards & 255)) throw new Stale(path);
      const numbers = new Numbers(bytes, HEAD_BYTES);
      const entries = [];
      let first = 0;
      let second = 0;
      for (let left = numbers.next(); left > 0; left--) {
        const step = numbers.next();
        if (step) second = 0;
        first += step;
        second += numbers.next();
        const count = numbers.next();
        const size = numbers.next();
        entries.push({ first, second, count, size: size >> 1, paged: (size & 1) === 1 });
      }
      let at = numbers.at;
      for (const entry of entries) {
        entry.body = bytes.subarray(at, (at += entry.size));
      }
      if (at !== bytes.length) throw new Stale(path);
      return entries;
    });
  }
}
