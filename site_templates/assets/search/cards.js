// What a result shows, as build/searchcards.py writes it.

import { behind } from "./files.js";
import { normal } from "./normal.js";
import { pairs } from "./words.js";

const FOLDER_FILES = 256;
const DAY_MS = 86400000;

/** Days since 1970-01-01 as YYYY-MM-DD. */
export function dayText(day) {
  const iso = new Date(day * DAY_MS).toISOString();
  return iso.slice(0, iso.indexOf("T"));
}

/** YYYY-MM-DD as days since 1970-01-01. */
export function dayNumber(text) {
  return Math.round(Date.parse(`${text}T00:00:00Z`) / DAY_MS);
}

class Card {
  #texts;

  constructor(id, row, outlets) {
    const [title, url, outlet, when, kind, byline, summary] = row.split("\t");
    const [day, date] = when.split(" ");
    this.id = id;
    this.title = title;
    this.outlet = outlets.get(parseInt(outlet, 36)) ?? null;
    this.url = url.startsWith("=") ? (this.outlet?.begin ?? "") + url.slice(1) : url;
    this.day = parseInt(day, 36);
    this.date = date === undefined ? dayText(this.day) : date;
    this.kind = kind || "article";
    this.byline = byline;
    this.summary = summary;
  }

  /** Whether any of its texts holds a normal word. */
  holds(word) {
    this.#texts ??= [normal(this.title), normal(this.summary), normal(this.byline)];
    return this.#texts.some((text) => text.includes(word));
  }
}

/** Unpacks what was packed behind the primer: a stored block with the primer goes before, for the text to point back to. */
async function unpacked(bytes, primer) {
  const size = primer.length;
  const head = Uint8Array.of(0, size & 255, size >> 8, ~size & 255, (~size >> 8) & 255);
  const stream = new Blob([head, primer, bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer()).subarray(size);
}

export class Cards {
  /** `told`: what the entrance says of the segment. */
  constructor(files, name, told, aFile, outlets, primer) {
    this.files = files;
    this.primer = primer;
    this.name = name;
    this.articles = told.articles;
    this.nights = Array.from(pairs(told.nights));
    this.aFile = aFile;
    this.outlets = outlets;
  }

  /** One article's card; undefined where its file has no such row. */
  async card(id) {
    const number = Math.floor(id / this.aFile);
    const path = `${this.name}/c/${Math.floor(number / FOLDER_FILES)}/${number % FOLDER_FILES}.z`;
    const end = Math.min((number + 1) * this.aFile, this.articles);
    const [, tag] = this.nights.find(([last]) => last >= end);
    const rows = await this.files.get(path, async (tagged) => {
      const bytes = await unpacked(behind(tagged, tag, path), this.primer);
      const encoding = bytes[0] === 0x4b ? "euc-kr" : "utf-8";
      const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(1));
      return text.split("\n").map((row, at) => new Card(number * this.aFile + at, row, this.outlets));
    });
    return rows[id - number * this.aFile];
  }
}
