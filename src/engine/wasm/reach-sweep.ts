import type { RankSets } from '../engine.js';
import type { Arena } from './arena.js';
import { type PairFamily, putFamilies, type ReachFamilies, type ReachShape } from './reach-families.js';
import { type Rounds, settleFamilies } from './reach-settle.js';
import { type DrawSource, type ReachResult, type SweepJob, type SweepWork, sweepScratch } from './reaching-job.js';
import { NANOSECONDS_A_RESULT, type Runner, ranges } from './runner.js';

/** Draws that can be gone through again and again. */
export interface DrawStock {
  readonly draws: number;
  /** Nanoseconds to make a draw, roughly. */
  readonly cost: number;
  /**
   * Goes through the first `most` draws: `work` is given sources, and the draws in them. Draws no pair of which reaches `least` may be left
   * out; 0: none.
   */
  each(
    most: number,
    least: number,
    work: (from: DrawSource, first: number, count: number) => Promise<void>,
  ): Promise<void>;
}

/** What families are stepped down with. */
export interface SweepOptions extends ReachShape {
  readonly arena: Arena;
  readonly runner: Runner;
  readonly stock: DrawStock;
  readonly signal: AbortSignal | undefined;
}

/** Draws that thresholds are read off. */
const PILOT = 2048;

/** Runs jobs over draws of a stock, `cost` nanoseconds a draw beside making it. */
async function sweep(
  { arena, runner, stock, signal, ranked, lanes }: SweepOptions,
  over: { readonly draws: number; readonly least: number; readonly cost: number; readonly besides: number },
  job: SweepWork,
  take?: (result: ReachResult) => void,
): Promise<void> {
  const mark = arena.mark();
  let scratch: number[] | undefined;
  await stock.each(over.draws, over.least, async (from, first, count) => {
    const own = { ...job, from, ranked, lanes, first, count } as SweepJob;
    const tables = own.kind === 'reaching' ? own.tables : null;
    scratch ??= Array.from({ length: runner.lanes }, () => arena.take(sweepScratch(own, tables)));
    const jobs = ranges(count, stock.cost + over.cost, runner.lanes, over.besides).map(
      (range): SweepJob => ({ ...own, first: first + range.first, count: range.count }),
    );
    await runner.run(jobs, scratch, { signal, take: (result) => take?.(result as ReachResult) });
  });
  arena.reset(mark);
}

/**
 * Reads thresholds off the first draws: those that twice the level, and a little more, reach with the largest statistic of a family. The
 * reverses, which never leave an ordered family, are reached by about half as many.
 */
async function readThresholds(options: SweepOptions, families: ReachFamilies): Promise<void> {
  const { arena, stock, statistics, ranked, lanes } = options;
  const draws = Math.min(stock.draws, PILOT);
  const mark = arena.mark();
  const maximaStride = Math.ceil((draws + 4) / 16) * 64;
  const maxima = arena.take(ranked * maximaStride);
  const inverse = arena.put(Float32Array.from(statistics.inverse));
  const slack = arena.put(new Float64Array(ranked));
  const cost = ranked * lanes * 0.2;
  await sweep(
    options,
    { draws, least: 0, cost, besides: 0 },
    { kind: 'row-maxima', inverse, slack, maxima, maximaStride },
  );
  const threshold = (values: Float32Array, most: number): number => {
    const wanted = (2 * Math.max(most, 0) * draws) / stock.draws;
    const place = draws - Math.ceil(wanted + 4 * Math.sqrt(wanted)) - 4;
    return place < 0 ? 0 : values.sort()[place]! * (1 - 1e-6);
  };
  const over = new Float32Array(draws);
  for (let j = 0; j < ranked; j++) {
    const own = new Float32Array(arena.memory.buffer, maxima + j * maximaStride, draws).slice();
    for (let d = 0; d < draws; d++) if (own[d]! > over[d]!) over[d] = own[d]!;
    const family = families.rows[j];
    if (family) family.threshold = threshold(own, family.most);
  }
  for (const family of families.pairs) family.threshold = threshold(over.slice(), family.most);
  arena.reset(mark);
}

/**
 * Steps families down over draws, each of which is gone through once, but where thresholds were misjudged (decisions 1.3, 3.1): a draw
 * matters by the pairs that reach a threshold.
 *
 * Errors: ABORTED once the signal is raised.
 */
export async function stepDownFamilies(options: SweepOptions, families: ReachFamilies): Promise<Rounds> {
  const { arena, stock, ranked, lanes } = options;
  const rounds: Rounds = { exceedances: new Map(), last: 0 };
  const everyone = [...families.rows, ...families.pairs];
  for (const family of everyone) if (family.most < 0) family.least = Number.POSITIVE_INFINITY;
  const open = (): boolean => everyone.some(({ least }) => least === null);
  if (open()) await readThresholds(options, families);
  while (open()) {
    const mark = arena.mark();
    const made = putFamilies(arena, options, families);
    const { tables } = made;
    const counts = new Int32Array(tables.cells);
    const fronts: Uint8Array[] = [];
    const least = tables.rows ? 0 : tables.least;
    const cost = ranked * lanes * 0.12;
    await sweep(
      options,
      { draws: stock.draws, least, cost, besides: tables.cells * NANOSECONDS_A_RESULT },
      { kind: 'reaching', tables },
      (part) => {
        for (let k = 0; k < counts.length; k++) counts[k]! += part.counts[k]!;
        if (part.fronts.length > 0) fronts.push(part.fronts);
      },
    );
    settleFamilies(families, made, counts, fronts, rounds);
    arena.reset(mark);
  }
  return rounds;
}

/** Opens the families of rank sets: of each row, and of all ordered pairs (decisions 1.3). */
export function rankSetFamilies(
  { statistics, ranked, lanes }: ReachShape,
  { most, excluded }: { readonly most: number; readonly excluded: Uint8Array },
): { readonly rows: ReachFamilies['rows']; readonly pairs: PairFamily } {
  const { observed, inverse } = statistics;
  const rows = Array.from({ length: ranked }, () => ({
    sizes: new Float64Array(ranked).fill(-1),
    most,
    threshold: 0,
    least: null,
  }));
  const sizes = new Float64Array(observed.length);
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++) {
      if (excluded[pair] || !(inverse[j * lanes + k]! > 0)) continue;
      const size = Math.abs(observed[pair]!);
      sizes[pair] = size;
      rows[j]!.sizes[k] = size;
      rows[k]!.sizes[j] = size;
    }
  const more = { ordered: true, fronts: false, attained: false, ceiling: Number.POSITIVE_INFINITY };
  return { rows, pairs: { sizes, excluded, most, threshold: 0, least: null, ...more } };
}

/** Reads rank sets off families that are known. */
export function rankSetsOf(
  { statistics, ranked }: ReachShape,
  { rows, pairs }: ReturnType<typeof rankSetFamilies>,
): RankSets {
  const { observed } = statistics;
  const empty = () => new Uint8Array(ranked * ranked);
  const sets = { simultaneous: empty(), marginalAbove: empty(), marginalBelow: empty() };
  if ([pairs, ...rows].every(({ least }) => least === Number.POSITIVE_INFINITY)) return sets;
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++) {
      const above = observed[pair]! > 0 ? j : k;
      const below = j + k - above;
      if (pairs.sizes[pair]! >= pairs.least!) sets.simultaneous[above * ranked + below] = 1;
      if (rows[above]!.sizes[below]! >= rows[above]!.least!) sets.marginalAbove[above * ranked + below] = 1;
      if (rows[below]!.sizes[above]! >= rows[below]!.least!) sets.marginalBelow[below * ranked + above] = 1;
    }
  return sets;
}
