import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { fail } from '../util/error.js';

/** What a range of a work yields: numbers by name. */
export type Piece = Readonly<Record<string, Float64Array>>;

/** Work of so many units, any range of which can be done alone, on any machine, with the same digits (statistics 3.8). */
interface Work {
  /** What a unit is, in words: `bootstrap draws`. */
  readonly what: string;
  readonly units: number;
  /** Digest of all that decides the pieces: equal keys, equal pieces. */
  key(): string;
  /** How many numbers of each name the piece of a range has. */
  lengths(first: number, count: number): Readonly<Record<string, number>>;
  /** Which numbers are counts, and the most that each of them can be in a piece of `count` units; absent where none is. */
  most?(count: number): Readonly<Record<string, number>>;
}

/** Work whose ranges take their time. */
export interface RangedWork extends Work {
  /** Does units `first` to `first` + `count` - 1. */
  range(first: number, count: number): Promise<Piece>;
}

/** Work that is done while the caller waits. */
export interface ImmediateWork extends Work {
  range(first: number, count: number): Piece;
}

/** Who does which ranges of the works of a call. */
export interface Shares {
  /** Pieces of a work: of its whole, in the order of their ranges, or, where this process does but a share, its own. */
  pieces(work: RangedWork): Promise<readonly Piece[]>;
  /** The same of a work that is done at once. */
  piecesNow(work: ImmediateWork): readonly Piece[];
  /** What comes back is but a share, so that what is formed from it is no result. */
  readonly partial: boolean;
}

/**
 * Tells whether the draws of a stream are shared: there are shares, and it is counted, so that any range can be made alone. Errors: USAGE for a share
 * of a replayed one.
 */
export function isShared(
  shares: Shares | undefined,
  { kind }: { readonly kind: 'philox' | 'numpy' },
): shares is Shares {
  if (shares?.partial && kind === 'numpy')
    fail(
      'USAGE',
      null,
      'a replayed stream is drawn from its beginning, and no share of it can be made alone',
      'Leave out --shard, or --rng numpy.',
    );
  return shares !== undefined && kind === 'philox';
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

/** Adds up the numbers of one name. */
export function added([first, ...others]: readonly Piece[], name: string): Float64Array {
  const out = first![name]!.slice();
  for (const piece of others) for (let k = 0; k < out.length; k++) out[k]! += piece[name]![k]!;
  return out;
}
