import { fail } from '../util/error.js';
import type { Shard } from '../util/shard.js';
import type { PartDocument, PlacedPiece } from './part-document.js';
import { rangeOf } from './range.js';
import type { Piece, RangedWork, Shares } from './ranged-work.js';

type Facts = Omit<RangedWork, 'range'>;

/** What is left of a work: nothing, or a range of it, and what becomes of that. */
type Rest =
  | { readonly done: readonly Piece[] }
  | { readonly first: number; readonly count: number; end(piece: Piece): readonly Piece[] };

function sharesBy(partial: boolean, restOf: (work: Facts) => Rest): Shares {
  return {
    partial,
    async pieces(work) {
      const rest = restOf(work);
      return 'done' in rest ? rest.done : rest.end(await work.range(rest.first, rest.count));
    },
    piecesNow(work) {
      const rest = restOf(work);
      return 'done' in rest ? rest.done : rest.end(work.range(rest.first, rest.count));
    },
  };
}

/** Shares that do one range of each work, and remember what came of it. */
export interface RecordingShares extends Shares {
  readonly recorded: readonly PlacedPiece[];
  /** Whether the call has any work that is shared out. */
  shared(): boolean;
}

/**
 * Opens shares that do the ranges of one shard. Where a work has no unit for it, one is done that is not kept, so that whoever asked has something to
 * go on with.
 */
export function recordingShares(shard: Shard): RecordingShares {
  const recorded: PlacedPiece[] = [];
  let shared = false;
  const shares = sharesBy(true, (work) => {
    const { what, units } = work;
    const { first, count } = rangeOf(shard, units);
    shared ||= units > 0;
    if (count === 0) return { first: 0, count: Math.min(1, units), end: (piece) => [piece] };
    const key = work.key();
    const before = recorded.find((piece) => piece.key === key);
    if (before) return { done: [before.arrays] };
    return {
      first,
      count,
      end(arrays) {
        recorded.push({ what, key, units, first, count, arrays });
        return [arrays];
      },
    };
  });
  return { ...shares, recorded, shared: () => shared };
}

/** A part, and the file that it stands in. */
export interface PlacedPart {
  readonly file: string;
  readonly part: PartDocument;
}

const AGAIN = 'Run the same shard again.';

/** No number is larger in size: all are made of scores that are whole numbers below it, and sums of their squares stay finite. */
const MOST_SIZE = 2 ** 53;

/** Errors: PART_INVALID where a piece has other numbers than its work yields. */
function assertFits(file: string, { what, arrays, first, count }: PlacedPiece, work: Facts): void {
  const expected = work.lengths(first, count);
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
    const most = work.most?.(count)[name];
    const odd = numbers.findIndex((value) =>
      most === undefined
        ? !(Math.abs(value) <= MOST_SIZE)
        : !(Number.isSafeInteger(value) && value >= 0 && value <= most),
    );
    if (odd >= 0)
      fail(
        'PART_INVALID',
        { file },
        `number ${odd + 1} of ${name} is ${numbers[odd]}${most === undefined || most === Number.MAX_SAFE_INTEGER ? '' : `; a count up to ${most} is expected`}`,
        AGAIN,
      );
  }
}

/** The pieces of a work in all parts, in order. Errors: SHARDS_DIFFER where no part has any, PART_INVALID where some lack theirs. */
function wholeOf(parts: readonly PlacedPart[], work: Facts): readonly Piece[] {
  const { what, units } = work;
  const sharing = parts.filter(({ part }) => rangeOf(part.shard, units).count > 0);
  const own = work.key();
  const found = sharing.map(({ file, part }) => ({ file, piece: part.pieces.find(({ key }) => key === own) }));
  if (found.length > 0 && found.every(({ piece }) => piece === undefined))
    fail(
      'SHARDS_DIFFER',
      { file: found[0]!.file },
      `is a share of other ${what} than those of its call: what they are made from is not what it was`,
      'Call merge where the files stand that the shares were made of, unchanged.',
    );
  return found.map(({ file, piece }) => {
    if (piece === undefined) fail('PART_INVALID', { file }, `lacks its ${what}, which other shards have`, AGAIN);
    if (piece.units !== units)
      fail('PART_INVALID', { file }, `is of ${piece.units} ${what}; ${units} are expected`, AGAIN);
    assertFits(file, piece, work);
    return piece.arrays;
  });
}

/**
 * Opens shares that take what the parts of all shards, in their order, did before. No work of a call may hang on the outcome of another one, for a
 * share knows none.
 */
export function mergedShares(parts: readonly PlacedPart[]): Shares {
  const inOrder = parts.toSorted((a, b) => a.part.shard.index - b.part.shard.index);
  return sharesBy(false, (work) =>
    work.units === 0 ? { first: 0, count: 0, end: (piece) => [piece] } : { done: wholeOf(inOrder, work) },
  );
}
