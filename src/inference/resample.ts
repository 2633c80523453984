import { type ClusterDesign, pairCount, pairIndex } from '../engine/design.js';
import type {
  BootstrapSummary,
  Engine,
  ExactFlipRequest,
  FlipCounts,
  MaxTStep,
  RandomSource,
  RankSets,
  RunNotes,
} from '../engine/engine.js';
import { MAX_ENUMERATED_CLUSTERS } from '../engine/request.js';
import { loneStrata } from './intervals/lone-strata.js';
import { type InferencePlan, isFrozen } from './plan.js';

/** What the flips of the models say of their pairs. */
export interface PairFlips {
  /** pairs of models. */
  readonly pairExceedances: Float64Array;
  /** Step-down max-T over the comparisons; null where it is not in force. */
  readonly maxTStep: MaxTStep | null;
  /** Flips behind every count: those of the plan, or all sign vectors. */
  readonly flipDraws: number;
  /** All sign vectors were gone through, so that the counts have no Monte Carlo error (decisions 2.2). */
  readonly enumerated: boolean;
}

/** What all the resampling of one inference yields, whichever way the streams are laid out. */
export interface ResampledInference extends PairFlips {
  readonly streams: Readonly<Record<string, number | string>>;
  /** Points, errors, intervals and rank counts of the models. */
  readonly scores: BootstrapSummary;
  /** pairs of models x 2; empty where their intervals are not of the bootstrap. */
  readonly pairIntervals: Float64Array;
  readonly maxTExceedances: Float64Array;
  /** Step-down max-T over the comparisons with chance, by model; null where it is not in force or nothing is known of chance. */
  readonly chanceStep: MaxTStep | null;
  readonly rankSets: RankSets | null;
  /** models x 2; null without chance values, and where intervals are not of the bootstrap. */
  readonly chanceIntervals: Float64Array | null;
  /** models; null without chance values. */
  readonly chanceExceedances: Float64Array | null;
  readonly redraws: number;
  readonly weights: FlipCounts['weights'];
  readonly warnings: readonly string[];
}

export interface DrawOptions {
  readonly design: ClusterDesign;
  readonly plan: InferencePlan;
  /** Pairs of models (`pairIndex` order) that are compared; absent in version 1. */
  readonly compared?: Int32Array;
  /** Pairs whose difference is constant: 1; absent in version 1. */
  readonly constant?: Uint8Array;
  /** Strata weigh exactly in the flips, so that sign vectors may be enumerated. */
  readonly exactWeights?: boolean;
  /** Leave the intervals of pairs out. */
  readonly withoutPairs?: boolean;
  readonly engine: Engine;
  readonly signal?: AbortSignal;
}

/** Forms the share of draws that left a stratum empty over those that count; by weight where multisets are enumerated (decisions 2.5). */
export function emptiedShare({ scores, redraws }: ResampledInference, { draws }: Pick<InferencePlan, 'draws'>): number {
  return scores.enumerated ? scores.enumerated.leftOut / scores.enumerated.total : redraws / draws;
}

/** Makes all draws and flips that the plan names. */
export function resample(options: DrawOptions): Promise<ResampledInference> {
  return options.plan.rng === 'philox' ? counterStreams(options) : replayedStreams(options);
}

function warningsOf(...notes: readonly (RunNotes | null)[]): string[] {
  return [...new Set(notes.flatMap((note) => note?.warnings ?? []))];
}

function bootstrapRequest({ plan, signal }: DrawOptions, random: RandomSource) {
  return {
    draws: plan.draws,
    random,
    scheme: plan.scheme,
    probabilities: [plan.alpha / 2, 1 - plan.alpha / 2],
    ...(signal ? { signal } : {}),
  };
}

/** Tells whether differences of models have intervals of the bootstrap: Student's need no draws, whose quantiles cost more than all else (decisions 2.4). */
function takesPercentiles({ design, plan }: DrawOptions): boolean {
  return isFrozen(plan) || plan.interval === 'percentile' || loneStrata(design).length > 0;
}

/** One bootstrap (stream 0) and one set of flips (stream 1) serve models, pairs and chance alike. */
async function counterStreams(options: DrawOptions): Promise<ResampledInference> {
  const { design, plan, engine, constant = new Uint8Array(0), withoutPairs = false } = options;
  const { rows, ranked } = design;
  const source = (stream: number): RandomSource => ({ kind: 'philox', seed: plan.seed, stream });
  const sets = { alpha: plan.alpha, excluded: constant };
  const scores = await engine.bootstrap(design, {
    ...bootstrapRequest(options, source(0)),
    bandProbability: 1 - plan.alpha,
    ranks: plan.ranks,
    pairs: (!withoutPairs || rows > ranked) && takesPercentiles(options),
    enumerate: plan.bootstrap === 'enumerated',
    rankSets: plan.rank_sets === 'bootstrap' && ranked > 1 ? sets : undefined,
  });
  const { flips, chance: chanceStep, enumerated } = await counterFlips(options, source(1));
  const quantiles = scores.pairQuantiles;
  const pairs = modelPairs(rows, ranked);
  const chance = rows > ranked ? Array.from({ length: ranked }, (_, m) => pairIndex(m, ranked, rows)) : null;
  return {
    streams: { bootstrap: 0, flips: 1 },
    scores,
    pairIntervals: quantiles ? pick(quantiles, pairs, 2) : new Float64Array(0),
    pairExceedances: pick(flips.pairs, pairs, 1),
    maxTExceedances: flips.maxT!,
    maxTStep: flips.maxTStep,
    chanceStep,
    rankSets: scores.rankSets ?? flips.rankSets,
    flipDraws: flips.draws,
    enumerated,
    chanceIntervals: chance && quantiles && pick(quantiles, chance, 2),
    chanceExceedances: chance && pick(flips.pairs, chance, 1),
    redraws: scores.redraws,
    weights: flips.weights,
    warnings: warningsOf(scores, flips),
  };
}

/** Flips the pairs of models alone by the test of a plan: stream 1, as the flips of an inference are. */
export async function pairFlips(options: DrawOptions): Promise<PairFlips> {
  const { design, plan } = options;
  const { flips, enumerated } = await counterFlips(
    { ...options, design: selectRows(design, design.ranked, (row, r) => row[r]!) },
    { kind: 'philox', seed: plan.seed, stream: 1 },
  );
  return { pairExceedances: flips.pairs, maxTStep: flips.maxTStep, flipDraws: flips.draws, enumerated };
}

/** Flips of the test in force, over all sign vectors where there are no more of them than flips. */
async function counterFlips(options: DrawOptions, random: RandomSource) {
  const { design, plan, engine, compared, exactWeights = false, signal } = options;
  const { rows, ranked, clusters } = design;
  const enumerated =
    plan.exact === 'decides' && exactWeights && clusters <= MAX_ENUMERATED_CLUSTERS && 2 ** clusters <= plan.flips;
  const request = { test: plan.test, maxT: true, signal };
  const run = (of: ClusterDesign, more: Partial<ExactFlipRequest>): Promise<FlipCounts> =>
    enumerated
      ? engine.exactFlips(of, { ...request, ...more })
      : engine.flips(of, { ...request, ...more, draws: plan.flips, random });
  const maxT = plan.multiplicity === 'max-t' && ranked > 1;
  const flips = await run(design, {
    stepDown: maxT ? { alpha: plan.alpha, excluded: others(pairCount(ranked), compared) } : undefined,
    rankSets:
      plan.rank_sets === 'flips' && ranked > 1
        ? { alpha: plan.alpha, excluded: new Uint8Array(pairCount(ranked)) }
        : undefined,
  });
  if (!maxT || rows === ranked) return { flips, chance: null, enumerated };
  const withChance = Int32Array.from({ length: ranked }, (_, m) => pairIndex(m, ranked, rows));
  const family = { alpha: plan.alpha, excluded: others(pairCount(rows), withChance) };
  const { maxTStep } = await run({ ...design, ranked: rows }, { stepDown: family });
  const chance = maxTStep && {
    exceedances: pick(maxTStep.exceedances, [...withChance], 1),
    attainable: Uint8Array.from(withChance, (pair) => maxTStep.attainable[pair]!),
  };
  return { flips, chance, enumerated };
}

/** Marks all pairs but the given ones; undefined where none is left. */
function others(count: number, kept: Int32Array | undefined): Uint8Array | undefined {
  if (kept === undefined || kept.length === count) return undefined;
  const marked = new Uint8Array(count).fill(1);
  for (const pair of kept) marked[pair] = 0;
  return marked;
}

/** The published analysis' four streams, seeds S to S + 3, with its batches (statistics 0). */
async function replayedStreams(options: DrawOptions): Promise<ResampledInference> {
  const { design, plan, engine, signal } = options;
  const { rows, ranked } = design;
  const source = (offset: bigint, batch: number): RandomSource => ({
    kind: 'numpy',
    seed: plan.seed + offset,
    batch,
  });
  const models = selectRows(design, ranked, (row, r) => row[r]!);
  const overChance = (row: Float64Array, r: number) => row[r]! - row[ranked]!;
  const hasChance = rows > ranked;
  const scores = await engine.bootstrap(
    hasChance
      ? selectRows(design, 2 * ranked, (row, r) => (r < ranked ? row[r]! : overChance(row, r - ranked)))
      : models,
    { ...bootstrapRequest(options, source(0n, 250)), bandProbability: 1 - plan.alpha, ranks: 'ordinal' },
  );
  const flips = { draws: plan.flips, ...(signal ? { signal } : {}) };
  const chance = hasChance
    ? await engine.flips(selectRows(design, ranked, overChance), {
        ...flips,
        random: source(1n, 1000),
      })
    : null;
  const pairFlips = await engine.flips(models, { ...flips, random: source(2n, 1000), maxT: true });
  const pairs = await engine.bootstrap(models, {
    ...bootstrapRequest(options, source(3n, 250)),
    pairs: true,
  });
  const name = (offset: bigint) => (plan.seed + offset).toString();
  return {
    streams: {
      score_bootstrap: name(0n),
      ...(hasChance ? { chance_flips: name(1n) } : {}),
      pair_flips: name(2n),
      pair_bootstrap: name(3n),
    },
    scores,
    pairIntervals: pairs.pairQuantiles!,
    pairExceedances: pairFlips.pairs,
    maxTExceedances: pairFlips.maxT!,
    maxTStep: null,
    chanceStep: null,
    rankSets: null,
    flipDraws: plan.flips,
    enumerated: false,
    chanceIntervals: hasChance ? scores.quantiles.slice(2 * ranked, 4 * ranked) : null,
    chanceExceedances: chance?.rows ?? null,
    redraws: scores.redraws + pairs.redraws,
    weights: pairFlips.weights,
    warnings: warningsOf(scores, chance, pairFlips, pairs),
  };
}

/** The same design with other rows, each formed from the old ones part by part. */
function selectRows(
  design: ClusterDesign,
  rows: number,
  value: (row: Float64Array, r: number) => number,
): ClusterDesign {
  const parts = design.partCluster.length;
  const partTotals = new Float64Array(parts * rows);
  for (let p = 0; p < parts; p += 1) {
    const row = design.partTotals.subarray(p * design.rows, (p + 1) * design.rows);
    for (let r = 0; r < rows; r += 1) partTotals[p * rows + r] = value(row, r);
  }
  return { ...design, rows, partTotals };
}

/** Places of the pairs of models among the pairs of all rows; null where these are all. */
function modelPairs(rows: number, ranked: number): Int32Array | null {
  if (rows === ranked) return null;
  const places = new Int32Array(pairCount(ranked));
  for (let i = 0, k = 0; i < ranked; i += 1)
    for (let j = i + 1; j < ranked; j += 1, k += 1) places[k] = pairIndex(i, j, rows);
  return places;
}

function pick(values: Float64Array, places: ArrayLike<number> | null, width: number): Float64Array {
  if (places === null || places.length * width === values.length) return values;
  const picked = new Float64Array(places.length * width);
  for (let k = 0; k < places.length; k += 1)
    for (let w = 0; w < width; w += 1) picked[k * width + w] = values[places[k]! * width + w]!;
  return picked;
}
