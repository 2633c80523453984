import type { FlipTotals, Integers } from '../bounds.js';
import { type ClusterDesign, pairCount, pairIndex } from '../design.js';
import type { BootstrapRequest, ExactFlipRequest, MaxTStep, RankSets } from '../engine.js';
import { blockedSum } from '../moments.js';
import { checkSignal, yieldToEvents } from '../signals.js';
import { type DrawTotal, type Family, type StepDown, stepDown } from '../step-down.js';
import type { ValueTable } from './select.js';
import { absolute, difference, flippedSums, inverseRootSquares } from './signflip.js';

/** Studentised differences of ranked rows, observed and in every draw. */
export interface PairStatistics {
  readonly ranked: number;
  readonly draws: number;
  /** Weight of each draw; null: 1. */
  readonly weights: Float64Array | null;
  readonly total: DrawTotal;
  /** j minus k. */
  observed(j: number, k: number): number;
  drawn(draw: number, j: number, k: number): number;
  /** Ranked pairs that take no part: 1. */
  readonly excluded: Uint8Array;
}

/** Where pair (j, k) stands, whichever row comes first. */
const place = (j: number, k: number, ranked: number): number =>
  j < k ? pairIndex(j, k, ranked) : pairIndex(k, j, ranked);

/** The hypotheses "j is not above k" of the given ordered pairs. */
function orderedFamily(statistics: PairStatistics, ordered: readonly (readonly [number, number])[]): Family {
  const { draws, ranked, excluded } = statistics;
  return {
    observed: Float64Array.from(ordered, ([j, k]) => statistics.observed(j, k)),
    members: Uint8Array.from(ordered, ([j, k]) => 1 - excluded[place(j, k, ranked)]!),
    maxima: (active) =>
      Float64Array.from({ length: draws }, (_, draw) =>
        ordered.reduce((most, [j, k], h) => (active[h] ? Math.max(most, statistics.drawn(draw, j, k)) : most), 0),
      ),
  };
}

function everyOrderedPair(ranked: number): (readonly [number, number])[] {
  const rows = Array.from({ length: ranked }, (_, m) => m);
  return rows.flatMap((j) => rows.filter((k) => k !== j).map((k) => [j, k] as const));
}

/** Runs the step-down of one family of ordered pairs: all, or those that name `model` (decisions 1.3). */
export function orderedStepDown(
  statistics: PairStatistics,
  alpha: number,
  model: number | null,
): { readonly ordered: readonly (readonly [number, number])[]; readonly result: StepDown } {
  const ordered = everyOrderedPair(statistics.ranked).filter((pair) => model === null || pair.includes(model));
  const { total, weights } = statistics;
  return {
    ordered,
    result: stepDown({ family: orderedFamily(statistics, ordered), draws: total, weights, alpha }),
  };
}

/** Forms rank sets: one family of all ordered pairs, and one for each row (decisions 1.3). */
export function rankSets(statistics: PairStatistics, alpha: number): RankSets {
  const { ranked } = statistics;
  const empty = () => new Uint8Array(ranked * ranked);
  const sets = { simultaneous: empty(), marginalAbove: empty(), marginalBelow: empty() };
  const all = orderedStepDown(statistics, alpha, null);
  all.ordered.forEach(([j, k], h) => {
    sets.simultaneous[j * ranked + k] = all.result.rejected[h]!;
  });
  for (let model = 0; model < ranked; model++) {
    const own = orderedStepDown(statistics, alpha, model);
    own.ordered.forEach(([j, k], h) => {
      if (j === model) sets.marginalAbove[model * ranked + k] = own.result.rejected[h]!;
      else sets.marginalBelow[model * ranked + j] = own.result.rejected[h]!;
    });
  }
  return sets;
}

/** Runs step-down max-T over unordered pairs whose absolute observed statistics are given (decisions 3.1). */
export function pairStepDown(statistics: PairStatistics, observed: Float64Array, alpha: number): StepDown {
  const { draws, ranked, excluded, total, weights } = statistics;
  const pairs = everyOrderedPair(ranked).filter(([j, k]) => j < k);
  const family: Family = {
    observed,
    members: excluded.map((out) => 1 - out),
    maxima: (active) =>
      Float64Array.from({ length: draws }, (_, draw) =>
        pairs.reduce(
          (most, [j, k], h) => (active[h] ? Math.max(most, Math.abs(statistics.drawn(draw, j, k))) : most),
          0,
        ),
      ),
  };
  return stepDown({ family, draws: total, weights, alpha });
}

/** Runs step-down max-T as observed, and with every pair at its largest attainable statistic (decisions 3.1). */
export function maxTStep(statistics: PairStatistics, attainable: Float64Array, alpha: number): MaxTStep {
  const { ranked } = statistics;
  const observed = new Float64Array(pairCount(ranked));
  for (const [j, k] of everyOrderedPair(ranked))
    if (j < k) observed[pairIndex(j, k, ranked)] = Math.abs(statistics.observed(j, k));
  return {
    exceedances: pairStepDown(statistics, observed, alpha).exceedances,
    attainable: pairStepDown(statistics, attainable, alpha).rejected,
  };
}

/** Bootstrap values and what they estimate. */
export interface BootstrapStatistics {
  readonly table: ValueTable;
  readonly ranked: number;
  /** rows: the point values. */
  readonly points: Float64Array;
  /** Weight of each draw where all possible draws are enumerated; null: sampled. */
  readonly weights: Float64Array | null;
  readonly excluded: Uint8Array;
}

/**
 * Studentises the differences of bootstrap values: the error of a pair is the standard deviation over draws of the difference of
 * both rows, each less its mean, with divisor draws - 1; the population value of weighted draws (decisions 1.3).
 */
export function bootstrapStatistics(options: BootstrapStatistics): PairStatistics {
  const { table, ranked, points, weights, excluded } = options;
  const { values, draws, rows } = table;
  const weight = (draw: number): number => (weights === null ? 1 : weights[draw]!);
  const total = weights === null ? draws : weights.reduce((a, b) => a + b, 0);
  const means = Float64Array.from(
    { length: ranked },
    (_, m) => blockedSum(draws, (draw) => weight(draw) * values[draw * rows + m]!) / total,
  );
  const inverse = new Float64Array(pairCount(ranked));
  for (let j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++) {
      const squares = blockedSum(draws, (draw) => {
        const at = draw * rows;
        const d = values[at + j]! - means[j]! - (values[at + k]! - means[k]!);
        return weight(draw) * (d * d);
      });
      const error = Math.sqrt(squares / (weights === null ? Math.max(1, total - 1) : total));
      inverse[pairIndex(j, k, ranked)] = error > 0 ? 1 / error : 0;
    }
  return {
    ranked,
    draws,
    weights,
    total: { total, kind: weights === null ? 'sampled' : 'all' },
    excluded,
    observed: (j, k) => (points[j]! - points[k]!) * inverse[place(j, k, ranked)]!,
    drawn: (draw, j, k) =>
      (values[draw * rows + j]! - points[j]! - (values[draw * rows + k]! - points[k]!)) * inverse[place(j, k, ranked)]!,
  };
}

/** Forms the rank sets that a request asks for from values of its draws. */
export function tableRankSets(
  ranked: number,
  points: Float64Array,
  { rankSets: sets }: BootstrapRequest,
  table: ValueTable,
): RankSets | null {
  if (!sets) return null;
  const { excluded, alpha } = sets;
  return rankSets(bootstrapStatistics({ table, ranked, points, weights: null, excluded }), alpha);
}

/** Largest attainable statistic of each ranked pair: the sum of its absolute cluster totals over their root sum of squares (decisions 3.1). */
function attainableStatistics(totals: Integers, rows: number, ranked: number, inverse: Float64Array): Float64Array {
  const out = new Float64Array(pairCount(ranked));
  for (let i = 0; i < ranked; i++)
    for (let j = i + 1; j < ranked; j++) {
      let sum = 0n;
      for (let at = 0; at < totals.length; at += rows) sum += BigInt(absolute(difference(totals, at + i, at + j)));
      const pair = pairIndex(i, j, ranked);
      out[pair] = Number(sum) * inverse[pair]!;
    }
  return out;
}

/** Sign vectors to go through: some, or all there are. */
export interface SignVectors {
  readonly vectors: Iterable<Int8Array>;
  readonly all: boolean;
}

/**
 * Runs the step-downs that a request for flips asks for (decisions 1.4, 3.1).
 *
 * Errors: ABORTED once the signal is raised.
 */
export async function flipStepDowns(
  { rows, ranked }: ClusterDesign,
  weighted: FlipTotals,
  signs: SignVectors,
  { stepDown: step, rankSets: sets, signal }: ExactFlipRequest,
): Promise<{ readonly maxTStep: MaxTStep | null; readonly rankSets: RankSets | null }> {
  if (!step && !sets) return { maxTStep: null, rankSets: null };
  const { totals, observed } = weighted;
  const drawn: Integers[] = [];
  for (const vector of signs.vectors) {
    if (drawn.length % 256 === 0) {
      await yieldToEvents();
      checkSignal(signal);
    }
    drawn.push(flippedSums(totals, rows, vector));
  }
  const inverse = inverseRootSquares(totals, rows, ranked);
  const statistic = (sums: Integers, j: number, k: number): number =>
    Number(difference(sums, j, k)) * inverse[place(j, k, ranked)]!;
  const statistics: PairStatistics = {
    ranked,
    draws: drawn.length,
    weights: null,
    total: { total: drawn.length, kind: signs.all && weighted.amongFlips ? 'all' : 'sampled' },
    observed: (j, k) => statistic(observed, j, k),
    drawn: (draw, j, k) => statistic(drawn[draw]!, j, k),
    excluded: Uint8Array.from(inverse, (value) => (value === 0 ? 1 : 0)),
  };
  return {
    maxTStep: step
      ? maxTStep(
          { ...statistics, excluded: statistics.excluded.map((out, pair) => out | (step.excluded?.[pair] ?? 0)) },
          attainableStatistics(totals, rows, ranked, inverse),
          step.alpha,
        )
      : null,
    rankSets: sets ? rankSets({ ...statistics, excluded: sets.excluded }, sets.alpha) : null,
  };
}
