import type { FlipTotals, Integers } from '../bounds.js';
import { type ClusterDesign, pairCount, pairIndex } from '../design.js';
import type { ExactFlipRequest, MaxTStep, RankSets, StepDownRequest } from '../engine.js';
import type { DrawTotal } from '../step-down.js';
import type { Arena } from './arena.js';
import type { FlipJob, FlipResult } from './flip-job.js';
import type { PreparedFlips } from './flip-tables.js';
import { maxTCounts, putCoarse, putColumns, putInverse } from './max-t.js';
import { type DrawStock, rankSetsOver } from './reach-rank-sets.js';
import { type Runner, ranges } from './runner.js';
import {
  boundAll,
  boundBytes,
  leastRejected,
  pairFamilies,
  type StepSession,
  type StepStatistics,
  squareTable,
} from './step-families.js';
import { type OpenFamily, stepDownFamilies } from './step-rounds.js';
import { stepSession, type TileSpace } from './step-tiles.js';
import type { SumJob } from './sum-job.js';

/** Flips that were counted, and what is asked for beside the counts. */
export interface FlipStepOptions {
  readonly arena: Arena;
  readonly runner: Runner;
  readonly design: ClusterDesign;
  readonly weighted: FlipTotals;
  readonly draws: number;
  /** All sign vectors there are. */
  readonly all: boolean;
  readonly prepared: PreparedFlips;
  /** The jobs that counted all draws, and scratch for such jobs. */
  readonly jobs: readonly FlipJob[];
  readonly scratch: readonly number[];
  /** Address of a bound of the largest statistic of each draw over all pairs, f32; 0: not formed. */
  readonly bounds: number;
  /** Exceedances of single-step max-T, where it was asked for. */
  readonly counts: Float64Array | null;
  /** Tiles of the sums; those of all draws are made where one tile holds them. */
  readonly space: TileSpace;
  readonly request: ExactFlipRequest;
  readonly valueBytes: number;
}

/** Studentised observed differences and their inverse errors; pairs marked in `excluded` take no part. */
function flipStatistics(
  { arena, design, weighted, prepared }: FlipStepOptions,
  lanes: number,
  excluded: Uint8Array | undefined,
): StepStatistics {
  const { rows, ranked } = design;
  const { totals, observed: sums } = weighted;
  const { width } = prepared.tables;
  const at = prepared.tables.ranked > 0 ? prepared.tables.inverse : putInverse(arena, totals, rows, ranked, width);
  const reciprocals = arena.get(at, new Float64Array(ranked * width));
  const observed = new Float64Array(pairCount(ranked));
  const inverse = squareTable(ranked, lanes, (j, k) => {
    const pair = pairIndex(j, k, ranked);
    const reciprocal = excluded?.[pair] ? 0 : reciprocals[j * width + k]!;
    const difference = sums instanceof Float64Array ? sums[j]! - sums[k]! : sums[j]! - sums[k]!;
    observed[pair] = Number(difference) * reciprocal;
    return reciprocal;
  });
  return { observed, inverse };
}

/** Largest attainable statistic of each ranked pair: the sum of its absolute cluster totals over its error (decisions 3.1). */
function attainable({ arena, design, weighted }: FlipStepOptions, inverse: Float64Array, lanes: number): Float64Array {
  const { rows, ranked, clusters } = design;
  const width = Math.ceil(ranked / 8) * 8;
  const mark = arena.mark();
  const sums = arena.take(ranked * width * 8);
  const totals = putColumns(arena, weighted.totals, rows);
  const whole = !(weighted.totals instanceof Float64Array);
  arena.kernels.attainableSums({ totals, clusters, ranked, lanes: width, whole, sums });
  const made = arena.get(sums, new Float64Array(ranked * width));
  arena.reset(mark);
  const out = new Float64Array(pairCount(ranked));
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++) out[pair] = made[j * width + k]! * inverse[j * lanes + k]!;
  return out;
}

/** Exceedances over all draws of the pairs whose statistics are below `cut`: maxima over these alone. */
async function lastRound(
  options: FlipStepOptions,
  { observed, inverse }: StepStatistics,
  lanes: number,
  cut: number,
): Promise<Float64Array> {
  const { arena, runner, design, draws, prepared, jobs, scratch, request } = options;
  const { ranked } = design;
  const { rows, width } = prepared.tables;
  const mark = arena.mark();
  const reciprocals = new Float64Array(ranked * width);
  const statistics = observed.map(Math.abs);
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++)
      if (statistics[pair]! < cut) reciprocals[j * width + k] = inverse[j * lanes + k]!;
  const ascending = statistics.filter((t) => t < cut).sort();
  const tables = {
    ...prepared.tables,
    inverse: arena.put(reciprocals),
    coarse: putCoarse(arena, reciprocals, { rows, ranked, width }),
    levels: arena.put(ascending),
    levelCount: ascending.length,
  };
  const tally = new Float64Array(ascending.length + 1);
  await runner.run(
    jobs.map((job) => ({ ...job, tables, maximaOnly: true, bounds: 0 })),
    scratch,
    {
      signal: request.signal,
      take(result) {
        (result as FlipResult).levels.forEach((count, level) => {
          tally[level]! += count;
        });
      },
    },
  );
  arena.reset(mark);
  const flat = Uint8Array.from(statistics, (t) => (t < cut ? 0 : 1));
  return maxTCounts({ statistics, ascending, flat }, tally, draws);
}

/** Step-down max-T over all pairs (decisions 3.1). */
async function maxTSteps(
  options: FlipStepOptions,
  session: StepSession,
  total: DrawTotal,
  { alpha, excluded }: StepDownRequest,
): Promise<MaxTStep> {
  const { arena, draws, counts } = options;
  const { lanes } = session.tiles;
  const statistics = flipStatistics(options, lanes, excluded);
  const { observed, inverse } = statistics;
  const mark = arena.mark();
  const limits = attainable(options, inverse, lanes);
  const both = pairFamilies(session, statistics, { ordered: false, sizes: [observed.map(Math.abs), limits] });
  const { ranked } = session.tiles;
  const bytes = boundBytes(draws);
  const bounds = new Uint8Array(arena.memory.buffer, both.bounds, bytes);
  if (options.bounds) bounds.set(new Uint8Array(arena.memory.buffer, options.bounds, bytes));
  else {
    bounds.fill(0);
    const place = { from: 0, to: ranked, rowBounds: 0, boundStride: 0, most: both.bounds, later: true };
    await boundAll(session, inverse, place);
  }
  new Uint8Array(arena.memory.buffer).copyWithin(both.bounds + bytes, both.bounds, both.bounds + bytes);
  await stepDownFamilies(both, total, alpha);
  arena.reset(mark);
  const [family, atBest] = both.families as [OpenFamily, OpenFamily];
  const cut = leastRejected(family);
  const fewer = excluded !== undefined || family.open < family.levels.length;
  const last = fewer ? await lastRound(options, statistics, lanes, cut) : counts!;
  const at = new Map<number, number>();
  for (let k = family.levels.length - 1; k >= family.open; k--) at.set(family.levels[k]!, family.exceedances[k]!);
  const reach = leastRejected(atBest);
  const flat = (pair: number): boolean => observed[pair] === 0 && limits[pair] === 0;
  return {
    exceedances: last.map((count, pair) => (flat(pair) ? draws : (at.get(Math.abs(observed[pair]!)) ?? count))),
    attainable: Uint8Array.from(limits, (limit) => (limit >= reach ? 1 : 0)),
  };
}

/** By ranked row: no flipped sum is larger. */
function largestSums(totals: Integers, { rows, ranked }: ClusterDesign): Float64Array {
  const out = new Float64Array(ranked);
  for (let at = 0; at < totals.length; at += rows)
    for (let m = 0; m < ranked; m++) out[m]! += Math.abs(Number(totals[at + m]!));
  return out;
}

/**
 * Runs the step-downs that a request for flips asks for, over the same flips made again (decisions 1.4, 3.1).
 *
 * Errors: ABORTED once the signal is raised.
 */
export async function flipSteps(
  options: FlipStepOptions,
): Promise<{ readonly maxTStep: MaxTStep | null; readonly rankSets: RankSets | null }> {
  const { arena, runner, weighted, draws, all, prepared, jobs, scratch, space, request, valueBytes } = options;
  const { stepDown, rankSets: sets, signal } = request;
  const { tables } = prepared;
  const { source } = jobs[0]!;
  const tiles = space.open(async (tile, reach) => {
    const cost = 20 + tables.clusters * (tables.lanes * 0.004 + 0.05) + tile.ranked;
    // Byte tables that are not kept are built by every job: one a lane then.
    const each = Math.ceil(tile.draws / runner.lanes);
    const pieces = tables.table === 0 ? ranges(tile.draws, 30e6 / each, 1) : session.split(tile.draws, cost);
    const made = pieces.map(
      (range): SumJob => ({ kind: 'sums', tables, source, tile, reach: reach ?? null, ...range }),
    );
    await runner.run(made, scratch, { signal });
    return reach === undefined;
  }, true);
  const session = stepSession({ arena, tiles, runner, valueBytes, signal });
  const total: DrawTotal = { total: draws, kind: all && weighted.amongFlips ? 'all' : 'sampled' };
  const maxTStep = stepDown ? await maxTSteps(options, session, total, stepDown) : null;
  if (!sets) return { maxTStep, rankSets: null };
  const { ranked } = options.design;
  const { lanes } = tiles;
  const stock: DrawStock = {
    draws,
    cost: 20 + tables.clusters * (tables.lanes * 0.004 + 0.05),
    each: (most, work) => work({ kind: 'flips', tables, source }, 0, most),
  };
  const statistics = flipStatistics(options, lanes, sets.excluded);
  const largest = largestSums(weighted.totals, options.design);
  const { alpha } = sets;
  return {
    maxTStep,
    rankSets: await rankSetsOver({ arena, runner, statistics, ranked, lanes, largest, stock, total, alpha, signal }),
  };
}
