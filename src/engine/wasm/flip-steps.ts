import type { FlipTotals, Integers } from '../bounds.js';
import { type ClusterDesign, pairCount } from '../design.js';
import type { ExactFlipRequest, MaxTStep, RankSets } from '../engine.js';
import { mostExceedances } from '../step-down.js';
import type { Arena } from './arena.js';
import type { FlipJob, FlipResult } from './flip-job.js';
import type { PreparedFlips } from './flip-tables.js';
import { maxTCounts, putCoarse, putColumns, putInverse, putLevels } from './max-t.js';
import type { PairFamily, StepStatistics } from './reach-families.js';
import type { Rounds } from './reach-settle.js';
import { type DrawStock, rankSetFamilies, rankSetsOf, stepDownFamilies } from './reach-sweep.js';
import type { Runner } from './runner.js';
import { putTinyRest } from './tiny-sums.js';

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
  readonly request: ExactFlipRequest;
}

/** Studentised observed differences of all pairs, and their inverse errors. */
function flipStatistics({ arena, design, weighted, prepared }: FlipStepOptions, lanes: number): StepStatistics {
  const { rows, ranked } = design;
  const { totals, observed: sums } = weighted;
  const { width } = prepared.tables;
  const at = prepared.tables.ranked > 0 ? prepared.tables.inverse : putInverse(arena, totals, rows, ranked, width);
  const reciprocals = arena.get(at, new Float64Array(ranked * width));
  const observed = new Float64Array(pairCount(ranked));
  const inverse = new Float64Array(ranked * lanes);
  const numbers = sums instanceof Float64Array ? sums : null;
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++) {
      const reciprocal = reciprocals[j * width + k]!;
      const difference = numbers ? numbers[j]! - numbers[k]! : Number((sums[j] as bigint) - (sums[k] as bigint));
      observed[pair] = difference * reciprocal;
      inverse[j * lanes + k] = inverse[k * lanes + j] = reciprocal;
    }
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

/** Exceedances over all draws of the pairs of a family whose statistics are not rejected: maxima over these alone. */
async function lastRound(
  options: FlipStepOptions,
  { inverse }: StepStatistics,
  lanes: number,
  { sizes: statistics, least: cut, excluded }: PairFamily,
): Promise<Float64Array> {
  const { arena, runner, design, weighted, draws, prepared, jobs, scratch, bounds, request } = options;
  const { ranked } = design;
  const { rows, width, small } = prepared.tables;
  const mark = arena.mark();
  const reciprocals = new Float64Array(ranked * width);
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++)
      if (statistics[pair]! < cut! && !excluded[pair]) reciprocals[j * width + k] = inverse[j * lanes + k]!;
  const ascending = statistics.filter((t, pair) => t < cut! && !excluded[pair]).sort();
  const estimates = putCoarse(arena, reciprocals, { rows, ranked, width, small });
  const { tiny } = prepared.tables;
  const tables = {
    ...prepared.tables,
    inverse: arena.put(reciprocals),
    ...estimates,
    ...putLevels(arena, ascending, estimates.statistic),
    tiny:
      tiny &&
      putTinyRest(
        arena,
        tiny,
        weighted.totals,
        {
          reciprocals: arena.get(prepared.tables.inverse, new Float64Array(ranked * width)),
          ascending: prepared.levels!.ascending,
        },
        { unit: tiny.unit, rows, ranked, width, reciprocals, ascending },
        bounds > 0,
      ),
  };
  const tally = new Float64Array(ascending.length + 1);
  await runner.run(
    jobs.map((job) => ({ ...job, tables, maximaOnly: true, bounds: tiny ? job.bounds : 0 })),
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
  const flat = Uint8Array.from(statistics, (t, pair) => (t < cut! && !excluded[pair] ? 0 : 1));
  return maxTCounts({ statistics, ascending, flat }, tally, draws);
}

/** Opens the family of max-T over all pairs, and that in which every pair stands at its largest attainable statistic. */
function maxTFamilies(
  { observed }: StepStatistics,
  limits: Float64Array,
  most: number,
  excluded: Uint8Array,
): { readonly own: PairFamily; readonly atBest: PairFamily } {
  const more = { ordered: false, excluded, most, threshold: 0, least: null, ceiling: Number.POSITIVE_INFINITY };
  const taking = (sizes: Float64Array): Float64Array => {
    const out = new Float64Array(sizes.length);
    for (let pair = 0; pair < out.length; pair++) if (!excluded[pair]) out[pair] = Math.abs(sizes[pair]!);
    return out;
  };
  return {
    own: { ...more, sizes: taking(observed), fronts: true, attained: false },
    atBest: { ...more, sizes: taking(limits), fronts: false, attained: true },
  };
}

/** Reads step-down max-T off its families (decisions 3.1). */
async function maxTStepOf(
  options: FlipStepOptions,
  statistics: StepStatistics,
  lanes: number,
  { own, atBest }: ReturnType<typeof maxTFamilies>,
  { exceedances }: Rounds,
): Promise<MaxTStep> {
  const { draws, counts } = options;
  const fewer = own.least !== Number.POSITIVE_INFINITY || options.request.stepDown!.excluded !== undefined;
  const last = fewer ? await lastRound(options, statistics, lanes, own) : counts!;
  const limits = atBest.sizes;
  const reached = new Float64Array(last.length);
  const attained = new Uint8Array(last.length);
  for (let pair = 0; pair < reached.length; pair++) {
    const size = own.sizes[pair]!;
    const gone = size >= own.least! ? exceedances.get(size) : undefined;
    reached[pair] = limits[pair] === 0 ? draws : (gone ?? last[pair]!);
    attained[pair] = limits[pair]! >= atBest.least! ? 1 : 0;
  }
  return { exceedances: reached, attainable: attained };
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
  const { arena, runner, design, weighted, draws, all, prepared, jobs, bounds, request } = options;
  const { stepDown, rankSets: sets, signal } = request;
  const { tables } = prepared;
  const { ranked } = design;
  const { source, kept } = jobs[0]!;
  const lanes = Math.ceil(ranked / 4) * 4;
  const stock: DrawStock = {
    draws,
    cost: 20 + tables.clusters * (tables.lanes * 0.004 + 0.05),
    each(most, least, work) {
      // Of tiny sums bounds are places, each of which has a bound.
      const threshold = prepared.tiny
        ? prepared.tiny.tops.findIndex((top) => top >= least)
        : Math.fround(least * (1 - 1e-6));
      const reach =
        bounds && least > 0 ? { bounds, bytes: prepared.tiny ? (1 as const) : (4 as const), threshold } : null;
      return work({ kind: 'flips', tables, source, kept, reach }, 0, most);
    },
  };
  const statistics = flipStatistics(options, lanes);
  const { unit } = tables.tiny ?? {};
  const shape = { statistics, ranked, lanes, largest: largestSums(weighted.totals, design), unit };
  const kind = all && weighted.amongFlips ? 'all' : 'sampled';
  const most = ({ alpha }: { readonly alpha: number }): number => {
    const fewest = mostExceedances({ total: draws, kind }, alpha);
    // Among all sign vectors two, one the opposite of the other, reach every statistic there is.
    return kind === 'all' && fewest < 2 ? -1 : fewest;
  };
  const ranks = sets ? rankSetFamilies(shape, { most: most(sets), excluded: sets.excluded }) : null;
  const none = new Uint8Array(pairCount(ranked));
  const tests = stepDown
    ? maxTFamilies(
        statistics,
        attainable(options, statistics.inverse, lanes),
        most(stepDown),
        stepDown.excluded ?? none,
      )
    : null;
  const pairs = [...(tests ? [tests.own, tests.atBest] : []), ...(ranks ? [ranks.pairs] : [])];
  const rounds = await stepDownFamilies({ ...shape, arena, runner, stock, signal }, { rows: ranks?.rows ?? [], pairs });
  return {
    maxTStep: tests && (await maxTStepOf(options, statistics, lanes, tests, rounds)),
    rankSets: ranks && rankSetsOf(shape, ranks),
  };
}
