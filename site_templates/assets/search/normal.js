// What counts as the same text: the twin of build/normal.py, held to it by tests/normal_cases.json.

const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

// Characters whose case folding is not their lower case (sigma, sharp s, ligatures, Cherokee).
const ODD =
  /[\xb5\xdf\u0149\u017f\u01f0\u0345\u0390\u03a3\u03b0\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u0587\u13a0-\u13fd\u1c80-\u1c88\u1e96-\u1e9e\u1f50-\u1f56\u1f80-\u1ffc\uab70-\uabbf\ufb00-\ufb17]/;

function foldOne(char) {
  const code = char.codePointAt(0);
  if (code >= 0x13a0 && code <= 0x13f5) return char;
  if (code >= 0x13f8 && code <= 0x13fd) return String.fromCodePoint(code - 8);
  if (code >= 0xab70 && code <= 0xabbf) return String.fromCodePoint(code - 0xab70 + 0x13a0);
  if (code === 0x1e9e) return "ss";
  return ODD.test(char) ? char.toUpperCase().toLowerCase() : char.toLowerCase();
}

function fold(text) {
  return ODD.test(text) ? Array.from(text, foldOne).join("") : text.toLowerCase();
}

/** The text as it is compared: NFC, case folded, without any space. */
export function normal(text) {
  return fold(text.normalize("NFC")).replace(SPACE, "");
}

/**
 * Where the words (already normal) stand in a text, as sorted, merged [start, end) offsets into its NFC form.
 * A match may cross spaces; they belong to it.
 */
export function marks(text, words) {
  const starts = [];
  const ends = [];
  let folded = "";
  let at = 0;
  for (const char of text) {
    const piece = fold(char).replace(SPACE, "");
    for (let unit = 0; unit < piece.length; unit++) {
      starts.push(at);
      ends.push(at + char.length);
    }
    folded += piece;
    at += char.length;
  }
  const found = [];
  for (const word of words) {
    if (!word) continue;
    for (let place = folded.indexOf(word); place >= 0; place = folded.indexOf(word, place + word.length)) {
      found.push([starts[place], ends[place + word.length - 1]]);
    }
  }
  found.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  const merged = [];
  for (const range of found) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else merged.push(range);
  }
  return merged;
}
