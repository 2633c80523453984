import type { RankSets } from '../engine.js';
import type { DrawTotal } from '../step-down.js';
import type { Arena } from './arena.js';
import { openFamilies, putFamilies, type ReachFamilies, type ReachShape, settleFamilies } from './reach-families.js';
import { type DrawSource, type SweepJob, type SweepWork, sweepScratch } from './reaching-job.js';
import { type Runner, ranges } from './runner.js';
import { boundBytes } from './step-families.js';
import { mostExceedances } from './step-rounds.js';

/** Draws that can be gone through again and again. */
export interface DrawStock {
  readonly draws: number;
  /** Nanoseconds to make a draw, roughly. */
  readonly cost: number;
  /** Goes through the first `most` draws: `work` is given sources, and the draws in them. */
  each(most: number, work: (from: DrawSource, first: number, count: number) => Promise<void>): Promise<void>;
}

/** What rank sets are formed of. */
export interface RankSetOptions extends ReachShape {
  readonly arena: Arena;
  readonly runner: Runner;
  readonly stock: DrawStock;
  readonly total: DrawTotal;
  readonly alpha: number;
  readonly signal: AbortSignal | undefined;
}

/** Draws that thresholds are read off. */
const PILOT = 2048;

/** Runs jobs over draws of a stock, `cost` nanoseconds a draw beside making it. */
async function sweep(
  { arena, runner, stock, signal, ranked, lanes }: RankSetOptions,
  most: number,
  cost: number,
  besides: number,
  job: SweepWork,
  take?: (counts: Int32Array) => void,
): Promise<void> {
  const mark = arena.mark();
  let scratch: number[] | undefined;
  await stock.each(most, async (from, first, count) => {
    const own = { ...job, from, ranked, lanes, first, count } as SweepJob;
    const tables = own.kind === 'reaching' ? own.tables : null;
    scratch ??= Array.from({ length: runner.lanes }, () => arena.take(sweepScratch(own, tables)));
    const jobs = ranges(count, stock.cost + cost, runner.lanes, besides).map(
      (range): SweepJob => ({ ...own, first: first + range.first, count: range.count }),
    );
    await runner.run(jobs, scratch, { signal, take: (counts) => take?.(counts as Int32Array) });
  });
  arena.reset(mark);
}

/**
 * Reads thresholds off the first draws: those that twice the share alpha, and a little more, reach with the largest statistic of a
 * family. What never leaves a family, the reverses, is reached by about half as many.
 */
async function readThresholds(options: RankSetOptions, families: ReachFamilies): Promise<void> {
  const { arena, stock, statistics, ranked, lanes, alpha } = options;
  const draws = Math.min(stock.draws, PILOT);
  const mark = arena.mark();
  const maximaStride = boundBytes(draws);
  const maxima = arena.take(ranked * maximaStride);
  const inverse = arena.put(Float32Array.from(statistics.inverse));
  const slack = arena.put(new Float64Array(ranked));
  await sweep(options, draws, ranked * lanes * 0.2, 0, { kind: 'row-maxima', inverse, slack, maxima, maximaStride });
  const wanted = 2 * alpha * draws;
  const place = draws - Math.ceil(wanted + 4 * Math.sqrt(wanted)) - 4;
  const threshold = (values: Float32Array): number => (place < 0 ? 0 : values.sort()[place]! * (1 - 1e-6));
  const over = new Float32Array(draws);
  families.rows.forEach((family, j) => {
    const own = new Float32Array(arena.memory.buffer, maxima + j * maximaStride, draws).slice();
    for (let d = 0; d < draws; d++) if (own[d]! > over[d]!) over[d] = own[d]!;
    family.threshold = threshold(own);
  });
  families.pairs.threshold = threshold(over);
  arena.reset(mark);
}

/** Forms the rank sets of studentised differences over draws (decisions 1.3): every draw is gone through once, but for misjudged thresholds. */
export async function rankSetsOver(options: RankSetOptions): Promise<RankSets> {
  const { arena, stock, statistics, total, alpha, ranked, lanes } = options;
  const { observed } = statistics;
  const empty = () => new Uint8Array(ranked * ranked);
  const sets = { simultaneous: empty(), marginalAbove: empty(), marginalBelow: empty() };
  const most = mostExceedances(total, alpha);
  if (most < 0) return sets;
  const families = openFamilies(statistics, ranked, lanes);
  await readThresholds(options, families);
  const everyone = [...families.rows, families.pairs];
  for (let attempt = 0; everyone.some(({ least }) => least === null); attempt++) {
    const mark = arena.mark();
    const made = putFamilies(arena, options, families);
    const { tables } = made;
    const counts = new Int32Array(tables.cells);
    const cost = ranked * lanes * 0.12;
    await sweep(options, stock.draws, cost, tables.cells * 4, { kind: 'reaching', tables }, (part) => {
      for (let k = 0; k < counts.length; k++) counts[k]! += part[k]!;
    });
    settleFamilies(families, made, counts, most, attempt);
    arena.reset(mark);
  }
  const all = families.pairs.least!;
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++) {
      const t = observed[pair]!;
      const [above, below] = t > 0 ? [j, k] : [k, j];
      const size = Math.abs(t);
      if (size >= all) sets.simultaneous[above * ranked + below] = 1;
      if (size >= families.rows[above]!.least!) sets.marginalAbove[above * ranked + below] = 1;
      if (size >= families.rows[below]!.least!) sets.marginalBelow[below * ranked + above] = 1;
    }
  return sets;
}
