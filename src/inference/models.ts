import type { ScoreMatrix } from '../core/matrix.js';
import type { RosterEntry } from '../core/model-roster.js';
import { pairIndex } from '../engine/design.js';
import { pointRanks, rankIntervals } from './model-ranks.js';
import { testFamily } from './p-values.js';
import { decidedTest, exactP, frozenTest, type InferenceParts } from './parts.js';
import type { ChanceResult, ModelResult } from './result.js';
import { familyOrder } from './strata.js';
import { direction, meanDifference } from './totals.js';

/** Forms the result of each model, in row order. `order`: models best first; `group`: statistical group by model. */
export function modelResults(
  parts: InferenceParts,
  order: Int32Array,
  group: Int32Array,
  names?: readonly RosterEntry[],
): ModelResult[] {
  const { matrix, plan, design, strata, exact, drawn, decided, intervals, bounded } = parts;
  const { scores } = drawn;
  const models = design.ranked;
  const families = familyOrder(matrix.families);
  const familyOf = Int32Array.from(matrix.families, (family) => families.indexOf(family));
  const ranks = pointRanks(exact, order, plan.ranks);
  const ranged = rankIntervals({
    best: scores.bestRankCounts ?? scores.rankCounts!,
    worst: scores.worstRankCounts ?? scores.rankCounts!,
    total: scores.enumerated?.total,
    models,
    draws: plan.draws,
    alpha: plan.alpha,
  });
  const sharing = new Map<number, number>();
  for (const rank of ranks) sharing.set(rank, (sharing.get(rank) ?? 0) + 1);
  const between = (ends: Int32Array | Float64Array, m: number) => [ends[2 * m]!, ends[2 * m + 1]!] as const;
  const chance = chanceResults(parts);
  const critical = scores.bandCritical!;
  return matrix.models.map((modelId, m) => {
    const score = scores.points[m]!;
    const error = scores.standardErrors[m]!;
    return {
      index: m,
      modelId,
      name: names?.[m]?.name ?? modelId,
      slotId: names?.[m]?.slotId ?? null,
      score,
      familyScores: means(matrix, m, families, familyOf),
      stratumScores: means(matrix, m, strata.labels, strata.ofTask),
      standardError: error,
      scoreBounds: bounded && between(bounded.scores, m),
      pointwise: between(bounded?.pointwise ?? intervals.rows, m),
      simultaneous: bounded ? between(bounded.simultaneous, m) : [score - critical * error, score + critical * error],
      unbounded: intervals.unbounded && intervals.unbounded[m] === 1,
      rank: ranks[m]!,
      rankTied: decided && sharing.get(ranks[m]!)! > 1,
      rankInterval: between(ranged, m),
      rankSet: decided?.sets ? between(decided.sets.simultaneous, m) : null,
      rankSetMarginal: decided?.sets ? between(decided.sets.marginal, m) : null,
      letters: decided?.letters?.[m] ?? null,
      openWith: decided?.open?.[m] ?? null,
      group: group[m]!,
      chance: chance[m] ?? null,
      degenerate: intervals.degenerate ? intervals.degenerate[m] === 1 : error === 0,
    };
  });
}

/** Mean of one model over the tasks of each class, in points. */
function means(
  matrix: ScoreMatrix,
  model: number,
  labels: readonly string[],
  ofTask: Int32Array,
): Record<string, number> {
  const sums = new Float64Array(labels.length);
  const sizes = new Float64Array(labels.length);
  for (let t = 0; t < ofTask.length; t += 1) {
    const k = ofTask[t]!;
    sums[k] = sums[k]! + matrix.values[model * ofTask.length + t]!;
    sizes[k] = sizes[k]! + 1;
  }
  return Object.fromEntries(labels.map((label, k) => [label, sums[k]! / sizes[k]! / matrix.scale]));
}

function chanceResults(parts: InferenceParts): ChanceResult[] {
  const { plan, design, exact, enumerated, drawn, decided } = parts;
  const { chanceExceedances: counts } = drawn;
  const { chance: intervals } = parts.intervals;
  if (!counts || !intervals) return [];
  const { ranked, rows } = design;
  const family = decided ? null : testFamily(counts, plan.flips, plan.alpha);
  const score = Number(exact.totals[ranked]) / Number(exact.denominator);
  return Array.from(counts, (count, m) => {
    const test = family
      ? frozenTest(family, m, count, exactP(enumerated, pairIndex(m, ranked, rows)))
      : decidedTest(decided!.chance!, m, count, parts);
    return {
      ...test,
      score,
      meanDifference: meanDifference(exact, m, ranked),
      interval: [intervals[2 * m]!, intervals[2 * m + 1]!],
      aboveChance: direction(exact, m, ranked) > 0 && test.significant,
    };
  });
}
