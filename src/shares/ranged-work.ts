import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';

/** What a range of a work yields: numbers by name. */
export type Piece = Readonly<Record<string, Float64Array>>;

/** Work of so many units, any range of which can be done alone, on any machine, with the same digits. */
export interface RangedWork {
  /** What a unit is, in words: `bootstrap draws`. */
  readonly what: string;
  /** Digest of all that decides the pieces: equal keys, equal pieces. */
  readonly key: string;
  readonly units: number;
  /** How many numbers of each name a piece of so many units has. */
  lengths(count: number): Readonly<Record<string, number>>;
  /** Does units `first` to `first` + `count` - 1. */
  range(first: number, count: number): Promise<Piece>;
}

/** Who does which ranges of the works of a call. */
export interface Shares {
  /** Pieces of a work: of its whole, in the order of their ranges, or, where this process does but a share, its own. */
  pieces(work: RangedWork): Promise<readonly Piece[]>;
  /** What comes back is but a share, so that what is formed from it is no result. */
  readonly partial: boolean;
}

/** Forms the key of a work from choices, as JSON, and numbers. */
export function workKey(choices: unknown, arrays: readonly (Float64Array | Int32Array | Uint8Array)[] = []): string {
  const head = new TextEncoder().encode(canonicalJson([choices, arrays.map(({ byteLength }) => byteLength)]));
  const bytes = new Uint8Array(head.length + arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  bytes.set(head);
  let at = head.length;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return sha256(bytes);
}

/** Joins the numbers of one name, piece behind piece. */
export function joined(pieces: readonly Piece[], name: string): Float64Array {
  if (pieces.length === 1) return pieces[0]![name]!;
  const out = new Float64Array(pieces.reduce((sum, piece) => sum + piece[name]!.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece[name]!, at);
    at += piece[name]!.length;
  }
  return out;
}

/** Adds up the numbers of one name; none where there is no piece, for a share may have none of the units. */
export function added([first, ...others]: readonly Piece[], name: string): Float64Array {
  const out = first === undefined ? new Float64Array(0) : first[name]!.slice();
  for (const piece of others) for (let k = 0; k < out.length; k++) out[k]! += piece[name]![k]!;
  return out;
}
