import { type ClusterDesign, pairIndex } from '../design.js';
import type { ExactFlipRequest, FlipCounts, RankSets } from '../engine.js';
import { layoutOf, pointValues } from '../layout.js';

/** Rows up to here fill few blocks of lanes, whatever their order. */
const FEW_ROWS = 64;
/** Draws up to here are gone through faster than tables of pairs are put into another order. */
const FEW_DRAWS = 1024;

/** Counts flips of a design. */
export type CountFlips = (design: ClusterDesign, request: ExactFlipRequest) => Promise<FlipCounts>;

/** Ranked rows by score, best first, then the others as they stand. */
function byScore(design: ClusterDesign): Int32Array {
  const { rows, ranked } = design;
  const points = pointValues(design, layoutOf(design));
  const order = Int32Array.from({ length: rows }, (_, m) => m);
  order.subarray(0, ranked).sort((a, b) => points[b]! - points[a]! || a - b);
  return order;
}

/** The place of pair (i, j) among pairs of n rows, whichever stands first. */
const placeOf = (i: number, j: number, n: number): number => (i < j ? pairIndex(i, j, n) : pairIndex(j, i, n));

/** Takes cells of pairs from `from[place of (to[i], to[j])]`. */
function permutedPairs<T extends Float64Array | Uint8Array>(from: T, to: Int32Array, n: number): T {
  const out = from.slice() as T;
  for (let pair = 0, i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++, pair++) out[pair] = from[placeOf(to[i]!, to[j]!, n)]!;
  return out;
}

function permutedRows(design: ClusterDesign, order: Int32Array): ClusterDesign {
  const { rows, partTotals } = design;
  return {
    ...design,
    partTotals: partTotals.map((_, at) => partTotals[at - (at % rows) + order[at % rows]!]!),
  };
}

function permutedSets(sets: RankSets, places: Int32Array, ranked: number): RankSets {
  const permuted = (cells: Uint8Array): Uint8Array => {
    const out = new Uint8Array(cells.length);
    for (let at = 0, j = 0; j < ranked; j++) {
      const row = places[j]! * ranked;
      for (let k = 0; k < ranked; k++) out[at++] = cells[row + places[k]!]!;
    }
    return out;
  };
  return {
    simultaneous: permuted(sets.simultaneous),
    marginalAbove: permuted(sets.marginalAbove),
    marginalBelow: permuted(sets.marginalBelow),
  };
}

/**
 * Counts flips of a wide table with its rows in order of score where step-down is asked for: pairs that are rejected early then stand
 * together, and later rounds pass over whole blocks of them. No count depends on the order of rows; results come back in the
 * order that was given.
 */
export async function flipsByScore(
  design: ClusterDesign,
  draws: number,
  request: ExactFlipRequest,
  count: CountFlips,
): Promise<FlipCounts> {
  const { rows, ranked } = design;
  const { stepDown, rankSets } = request;
  if (ranked <= FEW_ROWS || draws <= FEW_DRAWS || !stepDown) return count(design, request);
  const order = byScore(design);
  const places = new Int32Array(rows);
  order.forEach((row, place) => {
    places[row] = place;
  });
  const excluded = (pairs: Uint8Array): Uint8Array => permutedPairs(pairs, order, ranked);
  const counts = await count(permutedRows(design, order), {
    ...request,
    stepDown: stepDown.excluded ? { ...stepDown, excluded: excluded(stepDown.excluded) } : stepDown,
    ...(rankSets ? { rankSets: { ...rankSets, excluded: excluded(rankSets.excluded) } } : {}),
  });
  const { maxT, maxTStep } = counts;
  return {
    ...counts,
    pairs: permutedPairs(counts.pairs, places, rows),
    rows: counts.rows.map((_, m) => counts.rows[places[m]!]!),
    maxT: maxT && permutedPairs(maxT, places, ranked),
    maxTStep: maxTStep && {
      exceedances: permutedPairs(maxTStep.exceedances, places, ranked),
      attainable: permutedPairs(maxTStep.attainable, places, ranked),
    },
    rankSets: counts.rankSets && permutedSets(counts.rankSets, places, ranked),
  };
}
