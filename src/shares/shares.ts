import type { Shard } from '../util/shard.js';
import type { PartDocument, PlacedPiece } from './part-document.js';
import type { Piece, RangedWork, Shares } from './ranged-work.js';

/** The units of a share: the I-th of N ranges that are as equal as can be. */
export function rangeOf({ index, count }: Shard, units: number): { readonly first: number; readonly count: number } {
  const first = Math.floor(((index - 1) * units) / count);
  return { first, count: Math.floor((index * units) / count) - first };
}

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
      if (before) return [before];
      if (count === 0) return [];
      const piece = await range(first, count);
      recorded.push({ what, key, units, first, count, ...piece });
      return [piece];
    },
  };
}

/** The pieces of a work in all parts, in order; null where they do not make up the whole. */
function wholeOf(parts: readonly PartDocument[], { key, units }: RangedWork): readonly Piece[] | null {
  const found = parts
    .flatMap(({ pieces }) => pieces.filter((piece) => piece.key === key))
    .sort((a, b) => a.first - b.first);
  let next = 0;
  for (const { first, count } of found) {
    if (first !== next) return null;
    next += count;
  }
  return next === units ? found : null;
}

/**
 * Opens shares that take what parts did before. A work that hangs on the outcome of another one is done by no shard, for none knows that
 * outcome: it is done here.
 */
export function mergedShares(parts: readonly PartDocument[]): Shares {
  return {
    partial: false,
    async pieces(work) {
      return wholeOf(parts, work) ?? [await work.range(0, work.units)];
    },
  };
}
