// Reads what build/searchbits.py writes: small numbers as bytes, ascending lists as Rice codes of their gaps.

const RUN_MAX = 24;

/** Numbers in groups of seven bits, one after another. */
export class Numbers {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  next() {
    let number = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError("a list of numbers ends too early");
      number += (byte & 127) * scale;
      if (byte < 128) return number;
      scale *= 128;
    }
  }
}

function bitLength(number) {
  return 32 - Math.clz32(number);
}

function riceBits(universe, count) {
  return Math.max(0, bitLength((universe * 177) / (256 * Math.max(1, count))) - 1);
}

/**
 * Appends `wanted` ids to `ids`, read from the bytes. `count` is the length of the whole list, `universe` how many
 * numbers there are, `before` the id that stands before the first.
 */
export function readIds(bytes, wanted, universe, count, before, ids) {
  const low = riceBits(universe, count);
  const width = Math.max(1, bitLength(universe));
  let at = 0;
  let window = 0; // the next bits, highest first
  let held = 0;
  const fill = () => {
    while (held <= 24) {
      window |= (at < bytes.length ? bytes[at] : 0) << (24 - held);
      at++;
      held += 8;
    }
  };
  const take = (number) => {
    if (number === 0) return 0;
    if (number > 24) {
      const high = take(number - 16);
      return high * 65536 + take(16);
    }
    fill();
    const value = window >>> (32 - number);
    window <<= number;
    held -= number;
    return value;
  };
  let last = before;
  for (let read = 0; read < wanted; read++) {
    fill();
    const run = Math.min(RUN_MAX, Math.clz32(~window));
    let gap;
    if (run === RUN_MAX) {
      take(RUN_MAX);
      gap = take(width);
    } else {
      take(run + 1);
      gap = run * 2 ** low + take(low);
    }
    last += gap + 1;
    ids.push(last);
  }
  if (at * 8 - held > bytes.length * 8) throw new RangeError("a list of articles ends too early");
  return ids;
}

/** Where the first id of at least `wanted` stands in an ascending list. */
export function lowest(ids, wanted) {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
