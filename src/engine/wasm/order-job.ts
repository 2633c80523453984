import { normalQuantile } from '../../util/normal.js';
import { interpolate, quantilePlace } from '../quantile.js';
import type { Arena } from './arena.js';
import type { Kernels } from './kernels.js';
import { type FormedValues, rowValues, type ValueMatrix } from './value-matrix.js';

/** Which order statistics are wanted, and cuts that should enclose their tails, as the kernel takes them (assembly/select.ts). */
export interface OrderRanks {
  /** Address of the ranks, ascending, i32. */
  readonly ranks: number;
  /** How many ranks. */
  readonly count: number;
  /** How many of them lie in the lower tail; -1 when some rank lies in neither tail. */
  readonly lowCount: number;
  /** Distances of the cuts from the mean, in standard deviations. */
  readonly lowInner: number;
  readonly lowOuter: number;
  readonly highInner: number;
  readonly highOuter: number;
}

/** Order statistics of rows or of differences of rows. */
export interface OrderJob extends ValueMatrix {
  readonly kind: 'order';
  readonly order: OrderRanks;
  /** Zeros, one a draw: what a plain row is compared with. */
  readonly zeros: number;
  /** Left and right row of each item, i32 pairs, from item `first` on; right -1 is zero. */
  readonly items: number;
  readonly first: number;
  readonly count: number;
  /** Mean of each row, f64. */
  readonly means: number;
  /** items x ranks f64. */
  readonly out: number;
}

/** Bytes that ordering a value takes. */
export const SCRATCH_PER_DRAW = 24;

/** Finds the bytes of scratch that an order job needs. */
export function orderScratch(draws: number, formed: FormedValues | null = null): number {
  return draws * (SCRATCH_PER_DRAW + (formed ? 16 : 0)) + 128;
}

/** Writes the order statistics of items first .. first + count - 1 to `out`. */
export function runOrderJob(kernels: Kernels, memory: WebAssembly.Memory, job: OrderJob, scratch: number): void {
  const { order, draws, first, count, zeros } = job;
  const own = scratch + draws * SCRATCH_PER_DRAW + 64;
  const items = new Int32Array(memory.buffer, job.items, (first + count) * 2);
  const means = new Float64Array(memory.buffer, job.means);
  for (let item = first; item < first + count; item++) {
    const left = items[item * 2]!;
    const right = items[item * 2 + 1]!;
    kernels.orderStatistics({
      ranks: order.ranks,
      count: order.count,
      lowCount: order.lowCount,
      lowInner: order.lowInner,
      lowOuter: order.lowOuter,
      highInner: order.highInner,
      highOuter: order.highOuter,
      left: rowValues(kernels, job, left, 0, draws, own),
      right: right < 0 ? zeros : rowValues(kernels, job, right, 0, draws, own + draws * 8),
      n: draws,
      mean: means[left]! - (right < 0 ? 0 : means[right]!),
      scratch,
      out: job.out + item * order.count * 8,
    });
  }
}

/** Tails wider than this share of the draws are not worth the scan. */
const WIDEST_TAIL = 0.2;
/** Cuts lie this much nearer the mean, or farther, than a normal curve would have them: the spread comes from a sample. */
const CAUTION = 0.05;
/** Below this many draws everything is gone through. */
const SMALLEST = 512;

/** Standard deviations between the mean and the value that a share p of a normal curve lies beyond. */
const distance = (p: number): number => -normalQuantile(p);

/** Inner and outer cut, in standard deviations, of a tail whose ranks are nth to last from the end, counted from 1. */
function cuts(nearest: number, farthest: number, n: number): { inner: number; outer: number } {
  const noise = (count: number) => (4 * Math.sqrt(count)) / n;
  const far = farthest / n - noise(farthest);
  return {
    inner: (1 - CAUTION) * distance(Math.min(0.45, nearest / n + noise(nearest))),
    outer: far > 0 ? (1 + CAUTION) * distance(far) : Number.MAX_VALUE,
  };
}

const NONE = { inner: Number.MAX_VALUE, outer: Number.MAX_VALUE };

/** The order statistics that some quantiles rest on, and how quantiles are formed from them (statistics 4). */
export interface QuantileRanks {
  readonly order: OrderRanks;
  /** Turns the order statistics of item `item` into quantiles, written to `out` from `at` on. */
  write(statistics: Float64Array, item: number, out: Float64Array, at: number): void;
}

/**
 * Finds the order statistics that the given quantiles of n draws need, and puts their ranks into kernel memory. `between` forms a quantile from
 * two of them and the fraction between.
 */
export function quantileRanks(
  arena: Arena,
  n: number,
  probabilities: readonly number[],
  between: (a: number, b: number, fraction: number) => number = interpolate,
): QuantileRanks {
  const places = probabilities.map((q) => quantilePlace(n, q));
  const ranks = [...new Set(places.flatMap(({ below, above }) => [below, above]))].sort((a, b) => a - b);
  const lows = ranks.filter((rank) => rank + 1 < n * WIDEST_TAIL);
  const highs = ranks.filter((rank) => n - rank < n * WIDEST_TAIL);
  const tails = n >= SMALLEST && lows.length + highs.length === ranks.length;
  const index = new Map(ranks.map((rank, k) => [rank, k]));
  const low = tails && lows.length > 0 ? cuts(lows.at(-1)! + 1, lows[0]! + 1, n) : NONE;
  const high = tails && highs.length > 0 ? cuts(n - highs[0]!, n - highs.at(-1)!, n) : NONE;
  return {
    order: {
      ranks: arena.put(Int32Array.from(ranks)),
      count: ranks.length,
      lowCount: tails ? lows.length : -1,
      lowInner: low.inner,
      lowOuter: low.outer,
      highInner: high.inner,
      highOuter: high.outer,
    },
    write(statistics, item, out, at) {
      const base = item * ranks.length;
      places.forEach(({ below, above, fraction }, k) => {
        const a = statistics[base + index.get(below)!]!;
        const b = statistics[base + index.get(above)!]!;
        out[at + k] = between(a, b, fraction);
      });
    },
  };
}
