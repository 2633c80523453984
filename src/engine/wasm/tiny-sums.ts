import type { FlipTotals, Integers } from '../bounds.js';
import { pairCount } from '../design.js';
import type { Arena } from './arena.js';
import type { SmallSums } from './small-sums.js';

/** Where the inputs lie of sums whose differences do not pass 63 (assembly/tiny.ts). */
export interface TinyTables {
  readonly limits: number;
  readonly places: number;
  readonly steps: number;
  readonly tops: number;
}

/** Largest difference. */
const LARGEST = 63;
/** Draws below which tables of pairs take longer than they save. */
const LEAST_DRAWS = 20_000;
/** Rows whose tables of pairs a cache holds. */
const MOST_ROWS = 400;
const PLACES = 32;
const LAST_PLACE = 255;

/** Tells whether flips are gone through sixteen at a time: their sums are tiny, and there are many. */
export function areTiny({ bound, totals }: FlipTotals, rows: number, small: SmallSums, draws: number): boolean {
  if (!(totals instanceof Float64Array)) return false;
  return rows <= MOST_ROWS && draws >= LEAST_DRAWS && Math.ceil(bound / small.divisor) <= LARGEST;
}

/** Puts the least sizes that pass what is observed, less one, into kernel memory. */
export function putTinyLimits(arena: Arena, observed: Float64Array, { divisor }: SmallSums): number {
  const rows = observed.length;
  const limits = new Int8Array(pairCount(rows));
  for (let pair = 0, i = 0; i < rows; i++)
    for (let j = i + 1; j < rows; j++, pair++)
      limits[pair] = Math.min(127, Math.ceil(Math.abs(observed[i]! - observed[j]!) / divisor) - 1);
  return arena.put(limits);
}

/** Levels none twice, ascending, and how many there are up to each, equal ones counted. */
function distinctLevels(ascending: Float64Array): { readonly levels: Float64Array; readonly upTo: Int32Array } {
  const levels: number[] = [];
  const upTo: number[] = [];
  for (let k = 0; k < ascending.length; k++) {
    if (k + 1 < ascending.length && ascending[k + 1] === ascending[k]) continue;
    levels.push(ascending[k]!);
    upTo.push(k + 1);
  }
  return { levels: Float64Array.from(levels), upTo: Int32Array.from(upTo) };
}

/** The pairs that take part, those whose reciprocal is not 0, and the levels that are counted. */
interface PlacedPairs {
  /** ranked x width. */
  readonly reciprocals: Float64Array;
  readonly ascending: Float64Array;
  readonly rows: number;
  readonly ranked: number;
  readonly width: number;
}

/** Puts places of statistics into kernel memory: how many distinct levels are reached, less those that hardly a draw does not reach where there are too many. */
export function putPlaces(
  arena: Arena,
  totals: Integers,
  { divisor }: SmallSums,
  { reciprocals, ascending, rows, ranked, width }: PlacedPairs,
): Omit<TinyTables, 'limits'> {
  const { levels, upTo } = distinctLevels(ascending);
  const passed = Math.max(0, levels.length - LAST_PLACE);
  const places = new Uint8Array(pairCount(rows) * PLACES);
  const clusters = totals.length / rows;
  for (let pair = 0, i = 0; i < rows; i++)
    for (let j = i + 1; j < rows; j++, pair++) {
      const reciprocal = j < ranked ? reciprocals[i * width + j]! : 0;
      if (!(reciprocal > 0)) continue;
      let most = 0;
      for (let c = 0; c < clusters; c++)
        most += Math.abs((totals[c * rows + i] as number) - (totals[c * rows + j] as number));
      most /= divisor;
      for (let size = most % 2, level = 0; size <= most; size += 2) {
        const statistic = size * divisor * reciprocal;
        while (level < levels.length && levels[level]! <= statistic) level++;
        places[pair * PLACES + (size >> 1)] = Math.max(0, level - passed);
      }
    }
  const steps = new Int32Array(LAST_PLACE + 1);
  const tops = new Float32Array(LAST_PLACE + 1);
  const zeros = levels[0] === 0 ? 1 : 0;
  for (let place = 0; place <= LAST_PLACE; place++) {
    const level = Math.max(zeros, place + passed);
    steps[place] = place === 0 && passed > 0 ? -1 : level === 0 ? 0 : (upTo[level - 1] ?? ascending.length);
    tops[place] = (levels[level] ?? Number.POSITIVE_INFINITY) * (1 + 1e-6);
  }
  return { places: arena.put(places), steps: arena.put(steps), tops: arena.put(tops) };
}
