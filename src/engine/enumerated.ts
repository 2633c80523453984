import { bootstrapBound } from './bounds.js';
import { type ClusterDesign, pairCount, pairIndex } from './design.js';
import { type DistinctRows, distinctRows } from './distinct-rows.js';
import type { BootstrapRequest, BootstrapSummary } from './engine.js';
import { layoutOf, pointValues } from './layout.js';
import { type MultisetValues, multisetValues } from './multiset-values.js';
import { bootstrapMultisets, checkMultisets } from './multisets.js';
import { bootstrapStatistics, rankSets } from './reference/stepdown.js';
import { checkSignal, yieldToEvents } from './signals.js';
import { populationError, weightedQuantile, weightedScratch } from './weighted.js';

/** Values of all multisets, their weights added up, and room to order them in. */
interface Enumeration extends MultisetValues {
  readonly design: ClusterDesign;
  readonly request: BootstrapRequest;
  readonly total: number;
}

/** Opens a function that forms the asked quantiles of values given one by one, into `out` from `at` on. */
function quantileWriter({ weights, count, total }: Enumeration, probabilities: readonly number[]) {
  const scratch = weightedScratch(count);
  return (value: (k: number) => number, out: Float64Array, at: number): void => {
    for (let k = 0; k < count; k++) scratch.values[k] = value(k);
    scratch.weights.set(weights);
    probabilities.forEach((q, p) => {
      out[at + p] = weightedQuantile(scratch, count, total, q);
    });
  };
}

/** Quantiles of all row differences, pairs x probabilities. */
async function pairQuantiles(all: Enumeration): Promise<Float64Array> {
  const { design, request, values, count } = all;
  const { rows } = design;
  const each = request.probabilities.length;
  const write = quantileWriter(all, request.probabilities);
  const out = new Float64Array(pairCount(rows) * each);
  for (let i = 0; i < rows; i++) {
    await yieldToEvents();
    checkSignal(request.signal);
    for (let j = i + 1; j < rows; j++)
      write((k) => values[i * count + k]! - values[j * count + k]!, out, pairIndex(i, j, rows) * each);
  }
  return out;
}

/**
 * Weight of the multisets by the best and the worst rank of each ranked row (decisions 1.2), `ranked` of which there are where row m of the design
 * stands for `copies[m]`.
 */
function weightedRanks({ design, values, weights, count, total }: Enumeration, copies: Int32Array, ranked: number) {
  const { ranked: kinds } = design;
  const cells = () => (total < 2 ** 32 ? new Uint32Array(kinds * ranked) : new Float64Array(kinds * ranked));
  const [best, worst] = [cells(), cells()];
  const sorted = new Float64Array(kinds);
  // Rows at each distinct value, then rows below it.
  const below = new Float64Array(kinds + 1);
  const places = new Int32Array(kinds);
  for (let k = 0; k < count; k++) {
    for (let m = 0; m < kinds; m++) sorted[m] = values[m * count + k]!;
    const distinct = dropRepeats(sorted.sort());
    below.fill(0);
    for (let m = 0; m < kinds; m++) {
      const place = placeIn(sorted, distinct, values[m * count + k]!);
      places[m] = place;
      below[place + 1]! += copies[m]!;
    }
    for (let d = 1; d <= distinct; d++) below[d]! += below[d - 1]!;
    for (let m = 0; m < kinds; m++) {
      const place = places[m]!;
      best[m * ranked + ranked - below[place + 1]!]! += weights[k]!;
      worst[m * ranked + ranked - 1 - below[place]!]! += weights[k]!;
    }
  }
  return { best, worst };
}

/** Leaves each value of an ascending list once, at its front; returns how many. */
function dropRepeats(sorted: Float64Array): number {
  let distinct = 0;
  for (let m = 0; m < sorted.length; m++)
    if (distinct === 0 || sorted[m]! !== sorted[distinct - 1]!) sorted[distinct++] = sorted[m]!;
  return distinct;
}

/** Finds the place of a value among the first `length` of an ascending list, which holds it. */
function placeIn(sorted: Float64Array, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Weighted quantile of the largest standardised distance from the point values over ranked rows (statistics 5.4, decisions 5.1). */
function bandCritical(all: Enumeration, points: Float64Array, errors: Float64Array, probability: number): number {
  const { design, values, count } = all;
  const maxima = new Float64Array(count);
  for (let m = 0; m < design.ranked; m++) {
    const safe = errors[m]! > 0 ? errors[m]! : 1;
    for (let k = 0; k < count; k++)
      maxima[k] = Math.max(maxima[k]!, Math.abs(values[m * count + k]! - points[m]!) / safe);
  }
  const out = new Float64Array(1);
  quantileWriter(all, [probability])((k) => maxima[k]!, out, 0);
  return out[0]!;
}

/** Rank sets whose shares are shares of the weight of all multisets (decisions 1.3, 5.1). */
function weightedRankSets({ design, request, values, weights, count }: Enumeration, points: Float64Array) {
  if (!request.rankSets) return null;
  const { rows, ranked } = design;
  const table = {
    draws: count,
    rows,
    values: values.map((_, at) => values[(at % rows) * count + Math.floor(at / rows)]!),
  };
  const { alpha, excluded } = request.rankSets;
  return rankSets(bootstrapStatistics({ table, ranked, points, weights, excluded }), alpha);
}

/** Says of all rows what is known of those that stand for them. */
function ofAllRows(
  summary: BootstrapSummary,
  alike: DistinctRows,
  { probabilities }: BootstrapRequest,
): BootstrapSummary {
  const { points, standardErrors, quantiles, bestRankCounts, worstRankCounts } = summary;
  const ranks = (counts: BootstrapSummary['bestRankCounts']) =>
    counts && alike.rankedRows(counts, counts.length / alike.design.ranked);
  return {
    ...summary,
    points: alike.rows(points),
    standardErrors: alike.rows(standardErrors),
    quantiles: alike.rows(quantiles, probabilities.length),
    bestRankCounts: ranks(bestRankCounts),
    worstRankCounts: ranks(worstRankCounts),
  };
}

/**
 * Answers a bootstrap request by all multisets of clusters with their exact weights in place of draws (decisions 5.1). Every
 * backend calls this, so its digits are theirs.
 *
 * Errors: BOUND_EXCEEDED where there are more multisets than draws, or totals or weights do not fit; ABORTED once the signal is raised.
 */
export async function enumeratedBootstrap(given: ClusterDesign, request: BootstrapRequest): Promise<BootstrapSummary> {
  const { probabilities, bandProbability, scheme, signal } = request;
  checkMultisets(given, scheme, request.draws);
  // Quantiles of a difference tell its sign, and rank sets may leave out one pair and not the like of it.
  const alike = request.pairs || request.rankSets ? null : distinctRows(given);
  const { design, copies } = alike ?? { design: given, copies: new Int32Array(given.rows).fill(1) };
  const { bound } = bootstrapBound(design);
  const layout = layoutOf(design);
  const made = await multisetValues(design, layout, bootstrapMultisets(design, layout, scheme), { bound, signal });
  const { values, weights, count } = made;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const all: Enumeration = { ...made, design, request, total };
  const { rows } = design;
  const points = pointValues(design, layout);
  const errors = new Float64Array(rows);
  const quantiles = new Float64Array(rows * probabilities.length);
  const write = quantileWriter(all, probabilities);
  for (let m = 0; m < rows; m++) {
    const value = (k: number): number => values[m * count + k]!;
    errors[m] = populationError(count, weights, total, value);
    write(value, quantiles, m * probabilities.length);
  }
  const ranks = request.ranks === 'shared' ? weightedRanks(all, copies, given.ranked) : null;
  const summary = {
    draws: count,
    redraws: made.leftOut.count,
    enumerated: { total, leftOut: made.leftOut.weight },
    points,
    standardErrors: errors,
    quantiles,
    bandCritical: bandProbability === undefined ? null : bandCritical(all, points, errors, bandProbability),
    rankCounts: null,
    bestRankCounts: ranks?.best ?? null,
    worstRankCounts: ranks?.worst ?? null,
    pairQuantiles: request.pairs ? await pairQuantiles(all) : null,
    rankSets: weightedRankSets(all, points),
  };
  return alike ? ofAllRows(summary, alike, request) : summary;
}
