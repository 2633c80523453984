import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';

/** What a range of a work yields: facts as JSON, and numbers in bulk. */
export interface Piece {
  readonly facts: unknown;
  readonly arrays: Readonly<Record<string, Float64Array>>;
}

/** Work of so many units, any range of which can be done alone, on any machine, with the same digits. */
export interface RangedWork {
  /** What a unit is, in words: `bootstrap draws`. */
  readonly what: string;
  /** Digest of all that decides the pieces: equal keys, equal pieces. */
  readonly key: string;
  readonly units: number;
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

/** Gives the pieces of a work: by the shares, or all of it done here. */
export async function piecesOf(shares: Shares | undefined, work: RangedWork): Promise<readonly Piece[]> {
  return shares ? shares.pieces(work) : [await work.range(0, work.units)];
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
