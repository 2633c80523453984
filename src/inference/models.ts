import type { ScoreMatrix } from '../core/matrix.js';
import type { RosterEntry } from '../core/model-roster.js';
import { pairIndex } from '../engine/design.js';
import { pointRanks, rankIntervals } from './model-ranks.js';
import { testFamily } from './p-values.js';
import { exactP, type InferenceParts, testResult } from './parts.js';
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
  const { matrix, plan, design, strata, drawn } = parts;
  const { scores } = drawn;
  const models = design.ranked;
  const families = familyOrder(matrix.families);
  const familyOf = Int32Array.from(matrix.families, (family) => families.indexOf(family));
  const ranks = pointRanks(order);
  const intervals = rankIntervals({
    counts: scores.rankCounts!,
    models,
    draws: plan.draws,
    alpha: plan.alpha,
  });
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
      pointwise: [scores.quantiles[2 * m]!, scores.quantiles[2 * m + 1]!],
      simultaneous: [score - critical * error, score + critical * error],
      rank: ranks[m]!,
      rankInterval: [intervals[2 * m]!, intervals[2 * m + 1]!],
      group: group[m]!,
      chance: chance[m] ?? null,
      degenerate: error === 0,
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

function chanceResults({ plan, design, exact, enumerated, drawn }: InferenceParts): ChanceResult[] {
  const { chanceExceedances: counts, chanceIntervals: intervals } = drawn;
  if (!counts || !intervals) return [];
  const { ranked, rows } = design;
  const family = testFamily(counts, plan.flips, plan.alpha);
  const score = Number(exact.totals[ranked]) / Number(exact.denominator);
  return Array.from(counts, (count, m) => {
    return {
      ...testResult(family, m, count, exactP(enumerated, pairIndex(m, ranked, rows))),
      score,
      meanDifference: meanDifference(exact, m, ranked),
      interval: [intervals[2 * m]!, intervals[2 * m + 1]!],
      aboveChance: direction(exact, m, ranked) > 0 && family.significant[m]!,
    };
  });
}
