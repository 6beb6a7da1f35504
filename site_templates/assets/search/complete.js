// What the field offers while a reader types: whole syllables, a syllable in the making, initial consonants alone.
//
//   const complete = new Complete(engine.files);
//   await complete.offers("총하", 8)      [{kind, text, value, ranges}], the likeliest first
//
// `ranges` are the offsets in `text` that were typed. A file that cannot be had offers nothing: typing goes on.

import { normal } from "./normal.js";

const FIRST = 0xac00;
const LAST = 0xd7a3;
const INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
const FINALS = ["", ..."ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"];
// What two keys make of two consonants; some keyboards do so with initials too.
const PAIRS = { ㄳ: "ㄱㅅ", ㄵ: "ㄴㅈ", ㄶ: "ㄴㅎ", ㄺ: "ㄹㄱ", ㄻ: "ㄹㅁ", ㄼ: "ㄹㅂ", ㄽ: "ㄹㅅ", ㄾ: "ㄹㅌ", ㄿ: "ㄹㅍ", ㅀ: "ㄹㅎ", ㅄ: "ㅂㅅ" };
// Vowels that another key may still follow: ㅗ → ㅘㅙㅚ, ㅜ → ㅝㅞㅟ, ㅡ → ㅢ.
const VOWELS_ON = new Map([
  [8, [9, 10, 11]],
  [13, [14, 15, 16]],
  [18, [19]],
]);

function syllable(char) {
  const code = char.codePointAt(0);
  if (code < FIRST || code > LAST) return null;
  const at = code - FIRST;
  return { initial: Math.floor(at / 588), vowel: Math.floor(at / 28) % 21, final: at % 28 };
}

const initialOf = (char) => {
  const parts = syllable(char);
  return parts ? INITIALS[parts.initial] : char;
};

const same = (typed) => (char) => char === typed;
const begins = (typed) => (char) => initialOf(char) === typed;

/** Tests for a syllable that the last key may not have finished, as runs of one test a character. */
function unfinished(typed) {
  const { initial, vowel, final } = syllable(typed);
  const open = (last) => (char) => {
    const other = syllable(char);
    if (!other || other.initial !== initial) return false;
    const on = last === 0 && VOWELS_ON.get(vowel)?.includes(other.vowel);
    if (other.vowel !== vowel && !on) return false;
    return last === 0 || other.final === last || PAIRS[FINALS[other.final]]?.[0] === FINALS[last];
  };
  if (final === 0) return [[open(0)]];
  // The final consonant may yet become the next syllable's initial: 총ㅎ, 총하, but also 하 + ㄱ → 학 → 하가.
  const [stays, leaves] = PAIRS[FINALS[final]] ?? ["", FINALS[final]];
  return [[open(final)], [open(FINALS.indexOf(stays)), begins(leaves)]];
}

/** The runs of tests that a text must pass, one character each, from some word's start on. */
function runs(typed) {
  const chars = Array.from(typed, (char) => PAIRS[char] ?? char).join("");
  const all = Array.from(chars);
  const settled = all.slice(0, -1).map((char) => (INITIALS.includes(char) ? begins(char) : same(char)));
  const last = all.at(-1);
  if (INITIALS.includes(last)) return [[...settled, begins(last)]];
  if (!syllable(last)) return [[...settled, same(last)]];
  return unfinished(last).map((tests) => [...settled, ...tests]);
}

/** The characters of a text as they are compared, each with its offsets, and whether a word begins there. */
function letters(text) {
  const found = [];
  let at = 0;
  let opens = true;
  for (const char of text) {
    const folded = normal(char);
    if (!folded) opens = true;
    for (const one of folded) {
      found.push({ char: one, start: at, end: at + char.length, opens });
      opens = false;
    }
    at += char.length;
  }
  return found;
}

/** Offsets of what was typed in a text, or null where the text is not meant. */
export function matched(typed, text) {
  const word = normal(typed);
  if (!word) return null;
  const all = letters(text);
  for (const tests of runs(word)) {
    for (let start = 0; start + tests.length <= all.length; start++) {
      if (all[start].opens && tests.every((test, at) => test(all[start + at].char))) {
        return [all[start].start, all[start + tests.length - 1].end];
      }
    }
  }
  return null;
}

/** The file that holds what begins with a character, empty where there is none. */
function keyOf(char) {
  const parts = syllable(char);
  if (parts) return `k${parts.initial}`;
  const at = INITIALS.indexOf(PAIRS[char]?.[0] ?? char);
  if (at >= 0) return `k${at}`;
  if (/[a-z]/.test(char)) return `l${char}`;
  return /[0-9]/.test(char) ? "d" : "";
}

const NAMES_FIRST = 3;

/** What begins so before what has it further on; a few names, then words and tags, then the other names. */
function ranked(found) {
  const sorted = [...found.filter((one) => one.whole), ...found.filter((one) => !one.whole)];
  const names = sorted.filter((one) => one.kind === "outlet" || one.kind === "univ");
  const others = sorted.filter((one) => !names.includes(one));
  return [...names.slice(0, NAMES_FIRST), ...others, ...names.slice(NAMES_FIRST)];
}

export class Complete {
  /** `files`: the engine's. */
  constructor(files) {
    this.files = files;
  }

  /** Up to `most` offers for what stands in the field (one word, or the last of several). */
  async offers(typed, most) {
    const key = keyOf(Array.from(normal(typed))[0] ?? "");
    if (!key) return [];
    let rows;
    try {
      rows = await this.files.get(`complete/${key}.gz`, (bytes) => JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return [];
    }
    const found = [];
    const texts = new Set();
    for (const [kind, text, value = text] of rows) {
      const range = matched(typed, text);
      if (range && !texts.has(`${kind} ${value}`)) {
        texts.add(`${kind} ${value}`);
        found.push({ kind, text, value, ranges: [range], whole: range[0] === 0 });
      }
    }
    return ranked(found).slice(0, most);
  }
}
