import { integers } from '../../engine/numpy.js';
import { philoxDraw } from '../../engine/philox.js';
import { sortedQuantile } from '../../engine/quantile.js';
import { pcgWordSource } from '../../engine/wasm/numpy.js';
import { CROSSED_STREAM } from '../../transfer/stream.js';
import type { TransferStrata } from '../../transfer/transfer-strata.js';

/** Replicates the published stream makes at once. */
const CHUNK = 1000;

interface CrossedOptions {
  /** seeds x tasks, row-major basis points: treatment minus control. */
  readonly differences: Int32Array;
  readonly seeds: number;
  readonly strata: TransferStrata;
  readonly draws: number;
  readonly random: { readonly kind: 'philox' | 'numpy'; readonly seed: bigint };
}

/**
 * Makes the crossed bootstrap (analyses 9.7): every draw resamples the training seeds once, and the tasks within each stratum on
 * their own; each chosen seed meets each chosen task. Returns the exact weighted integer total of each draw; divided by
 * `seeds x divisor x 100` it is the difference in points.
 */
export function crossedTotals(options: CrossedOptions): Float64Array {
  const { differences, seeds, strata, draws } = options;
  const tasks = differences.length / seeds;
  const totals = new Float64Array(draws);
  const column = new Float64Array(tasks);
  const use = (draw: number, rows: Int32Array, at: number, picks: readonly Picks[]) => {
    column.fill(0);
    for (let i = at; i < at + seeds; i += 1) {
      const base = rows[i]! * tasks;
      for (let t = 0; t < tasks; t += 1) column[t]! += differences[base + t]!;
    }
    let total = 0;
    picks.forEach(({ indices, start }, s) => {
      const positions = strata.members[s]!;
      let sum = 0;
      for (let j = start; j < start + positions.length; j += 1) {
        sum += column[positions[indices[j]!]!]!;
      }
      total += sum * strata.weights[s]!;
    });
    totals[draw] = total;
  };
  if (options.random.kind === 'numpy') replayed(options, use);
  else counted(options, use);
  return totals;
}

interface Picks {
  readonly indices: Int32Array;
  readonly start: number;
}

type Use = (draw: number, rows: Int32Array, at: number, picks: readonly Picks[]) => void;

function counted({ seeds, strata, draws, random }: CrossedOptions, use: Use): void {
  for (let draw = 0; draw < draws; draw += 1) {
    const words = philoxDraw({ seed: random.seed, stream: CROSSED_STREAM, draw });
    const rows = words.indices(seeds, seeds);
    const picks = strata.members.map(({ length }) => ({
      indices: words.indices(length, length),
      start: 0,
    }));
    use(draw, rows, 0, picks);
  }
}

function replayed({ seeds, strata, draws, random }: CrossedOptions, use: Use): void {
  const source = pcgWordSource(random.seed);
  for (let first = 0; first < draws; first += CHUNK) {
    const count = Math.min(CHUNK, draws - first);
    const rows = integers(source, seeds, count * seeds);
    const indices = strata.members.map(({ length }) => integers(source, length, count * length));
    for (let d = 0; d < count; d += 1) {
      const picks = strata.members.map(({ length }, s) => ({
        indices: indices[s]!,
        start: d * length,
      }));
      use(first + d, rows, d * seeds, picks);
    }
  }
}

/** Takes the percentile interval of integer totals: quantiles first, one division after. */
export function percentileInterval(totals: Float64Array, divisor: number, alpha: number): readonly [number, number] {
  const sorted = totals.slice().sort();
  return [sortedQuantile(sorted, alpha / 2) / divisor, sortedQuantile(sorted, 1 - alpha / 2) / divisor];
}
