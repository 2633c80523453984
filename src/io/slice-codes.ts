import { utf8Text } from '#platform';

/** More steps than this, and this many for each search, happen only where somebody made the texts for it. */
const PATIENCE = { steps: 65_536, each: 16 };

/** Numbers runs of bytes, equal ones alike, in the order in which they first come. */
export interface SliceCodes {
  /** Gives the number of the text in `bytes[start, end)`, of which `hash` is the sum. */
  code(start: number, end: number, hash?: number): number;
  /** Tells whether the text of a number is that in `bytes[start, end)`: quicker than `code` where the number can be guessed. */
  is(code: number, start: number, end: number): boolean;
  /** Gives the number of a text that may stand nowhere in the bytes as it is; one that does may have another number as well. */
  codeOfText(text: string): number;
  /** Makes the list of the different texts, by number. */
  texts(): string[];
  readonly size: number;
}

/** The sum of no bytes. */
export const NO_BYTES = 0x811c9dc5 | 0;

/** Adds a byte to the sum by which texts are found. */
export const addByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193) ^ (hash >>> 15);

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = NO_BYTES;
  for (let i = start; i < end; i += 1) hash = addByte(hash, bytes[i]!);
  return hash;
}

/**
 * Numbers the texts of UTF-8 bytes by a table with open addressing, so that a text that stands in a million rows becomes one string. Texts made
 * to meet in one place of the table only make it slower: past some patience it is given up for a Map.
 *
 *     table[hash & mask] = code + 1;  from[code], to[code], hashes[code]
 */
export function sliceCodes(bytes: Uint8Array): SliceCodes {
  let mask = 63;
  let table = new Int32Array(mask + 1);
  let room = 32;
  let from = new Int32Array(room);
  let to = new Int32Array(room);
  let hashes = new Int32Array(room);
  let size = 0;
  let searches = 0;
  let steps = 0;
  let byText: Map<string, number> | undefined;
  const odd = new Map<string, number>();
  const oddTexts = new Map<number, string>();

  const grow = () => {
    room *= 2;
    const wider = (array: Int32Array) => {
      const next = new Int32Array(room);
      next.set(array);
      return next;
    };
    [from, to, hashes] = [wider(from), wider(to), wider(hashes)];
    if (byText) return;
    mask = 2 * room - 1;
    table = new Int32Array(mask + 1);
    for (let code = 0; code < size; code += 1) {
      if (to[code]! < 0) continue;
      let place = hashes[code]! & mask;
      while (table[place] !== 0) place = (place + 1) & mask;
      table[place] = code + 1;
    }
  };
  const add = (start: number, end: number, hash: number): number => {
    if (size === room) grow();
    from[size] = start;
    to[size] = end;
    hashes[size] = hash;
    size += 1;
    return size - 1;
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // From the end, for names mostly begin alike, four bytes at once; the last four may have been seen already.
  const same = (code: number, start: number, end: number): boolean => {
    const shift = to[code]! - end;
    if (from[code]! - start !== shift) return false;
    let i = end - 4;
    for (; i >= start; i -= 4) if (view.getInt32(i) !== view.getInt32(i + shift)) return false;
    if (end - start >= 4) return view.getInt32(start) === view.getInt32(start + shift);
    for (i += 3; i >= start; i -= 1) if (bytes[i] !== bytes[i + shift]) return false;
    return true;
  };
  const text = (code: number) => oddTexts.get(code) ?? utf8Text(bytes, from[code], to[code]);
  const texts = () => Array.from({ length: size }, (_, code) => text(code));
  const codeByText = (key: string, known: Map<string, number>, start: number, end: number): number => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const code = add(start, end, 0);
    known.set(key, code);
    return code;
  };

  return {
    code(start, end, hash = hashOf(bytes, start, end)) {
      if (byText) return codeByText(utf8Text(bytes, start, end), byText, start, end);
      let place = hash & mask;
      searches += 1;
      for (let entry = table[place]!; entry !== 0; entry = table[place]!) {
        const code = entry - 1;
        if (hashes[code] === hash && same(code, start, end)) return code;
        place = (place + 1) & mask;
        steps += 1;
      }
      if (steps > PATIENCE.steps + PATIENCE.each * searches)
        byText = new Map(Array.from({ length: size }, (_, code) => [text(code), code]));
      const before = mask;
      const code = add(start, end, hash);
      if (mask !== before) for (place = hash & mask; table[place] !== 0; ) place = (place + 1) & mask;
      table[place] = code + 1;
      return code;
    },
    is: (code, start, end) => code < size && same(code, start, end),
    codeOfText(key) {
      const code = codeByText(key, odd, -1, -1);
      oddTexts.set(code, key);
      return code;
    },
    texts,
    get size() {
      return size;
    },
  };
}
