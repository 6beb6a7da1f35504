// Fetches the search's files, keeps the newest of them, and says plainly when one cannot be had.

const WAITS_MS = [250, 1000];

/** A file could not be fetched, after several tries. */
export class Unreachable extends Error {}

/** A file is of another night than the rest: a new site was published meanwhile. */
export class Stale extends Error {}

/** What stands behind the tag that each file of a numbering begins with. Throws Stale where it is not the one awaited. */
export function behind(bytes, tag, path) {
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) !== tag) throw new Stale(path);
  return bytes.subarray(4);
}

async function unzipped(bytes) {
  // A host may have unpacked it on the way already.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Files {
  /** `address` ends in a slash; `keep`: how many files stay in memory. */
  constructor(address, keep = 500) {
    this.address = address;
    this.keep = keep;
    this.held = new Map();
    this.cache = "default";
  }

  /** Forgets everything, and from now on asks the host whether a file is still the same. */
  doubt() {
    this.held.clear();
    this.cache = "no-cache";
  }

  /** What `read` makes of a file's bytes (unpacked), made once as long as it is kept. */
  get(path, read) {
    let kept = this.held.get(path);
    if (kept) this.held.delete(path);
    else {
      kept = this.#fetched(path).then(read);
      kept.catch(() => this.held.get(path) === kept && this.held.delete(path));
    }
    this.held.set(path, kept);
    if (this.held.size > this.keep) this.held.delete(this.held.keys().next().value);
    return kept;
  }

  async #fetched(path) {
    for (let tried = 0; ; tried++) {
      let bytes;
      let trouble;
      try {
        const answer = await fetch(this.address + path, { cache: this.cache });
        if (answer.ok) bytes = await answer.arrayBuffer();
        else trouble = answer.status;
      } catch (error) {
        trouble = error.message;
      }
      if (bytes) return unzipped(new Uint8Array(bytes));
      if (trouble === 404) throw new Stale(path);
      if (tried >= WAITS_MS.length) throw new Unreachable(`${path}: ${trouble}`);
      await new Promise((resolve) => setTimeout(resolve, WAITS_MS[tried]));
    }
  }
}
