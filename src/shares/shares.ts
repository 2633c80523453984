import { fail } from '../util/error.js';
import type { Shard } from '../util/shard.js';
import type { PartDocument, PlacedPiece } from './part-document.js';
import { rangeOf } from './range.js';
import type { Piece, RangedWork, Shares } from './ranged-work.js';

/** Shares that do one range of each work, and remember what came of it. */
export interface RecordingShares extends Shares {
  readonly recorded: readonly PlacedPiece[];
}

/** Opens shares that do the ranges of one shard. */
export function recordingShares(shard: Shard): RecordingShares {
  const recorded: PlacedPiece[] = [];
  return {
    partial: true,
    recorded,
    async pieces({ what, key, units, range }) {
      const { first, count } = rangeOf(shard, units);
      const before = recorded.find((piece) => piece.key === key);
      if (before) return [before.arrays];
      if (count === 0) return [];
      const arrays = await range(first, count);
      recorded.push({ what, key, units, first, count, arrays });
      return [arrays];
    },
  };
}

/** A part, and the file that it stands in. */
export interface PlacedPart {
  readonly file: string;
  readonly part: PartDocument;
}

const AGAIN = 'Run the same shard again.';

/** Errors: PART_INVALID where a piece has other numbers than its work yields. */
function assertFits(file: string, { what, arrays, count }: PlacedPiece, work: RangedWork): void {
  const expected = work.lengths(count);
  const names = Object.keys(arrays).sort().join(', ');
  const wanted = Object.keys(expected).sort().join(', ');
  if (names !== wanted)
    fail('PART_INVALID', { file }, `has of its ${what} the numbers ${names}; ${wanted} are expected`, AGAIN);
  for (const [name, numbers] of Object.entries(arrays)) {
    if (numbers.length !== expected[name]!)
      fail(
        'PART_INVALID',
        { file },
        `has ${numbers.length} numbers ${name} of ${count} ${what}; ${expected[name]} are expected`,
        AGAIN,
      );
    const odd = numbers.findIndex((value) => !Number.isFinite(value));
    if (odd >= 0) fail('PART_INVALID', { file }, `number ${odd + 1} of ${name} is ${numbers[odd]}`, AGAIN);
  }
}

/** The pieces of a work in all parts, in order; null where no part has any. Errors: PART_INVALID where some parts lack theirs. */
function wholeOf(parts: readonly PlacedPart[], work: RangedWork): readonly Piece[] | null {
  const sharing = parts.filter(({ part }) => rangeOf(part.shard, work.units).count > 0);
  const found = sharing.map(({ file, part }) => ({ file, piece: part.pieces.find(({ key }) => key === work.key) }));
  if (found.every(({ piece }) => piece === undefined)) return null;
  return found.map(({ file, piece }) => {
    if (piece === undefined) fail('PART_INVALID', { file }, `lacks its ${work.what}, which other shards have`, AGAIN);
    if (piece.units !== work.units)
      fail('PART_INVALID', { file }, `is of ${piece.units} ${work.what}; ${work.units} are expected`, AGAIN);
    assertFits(file, piece, work);
    return piece.arrays;
  });
}

/**
 * Opens shares that take what the parts of all shards, in their order, did before. A work that hangs on the outcome of another one is done by
 * no shard, for none knows that outcome: it is done here.
 */
export function mergedShares(parts: readonly PlacedPart[]): Shares {
  const inOrder = parts.toSorted((a, b) => a.part.shard.index - b.part.shard.index);
  return {
    partial: false,
    async pieces(work) {
      return wholeOf(inOrder, work) ?? [await work.range(0, work.units)];
    },
  };
}
