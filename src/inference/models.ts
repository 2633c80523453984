import type { ScoreMatrix } from '../core/matrix.js';
import { pairIndex } from '../engine/design.js';
import { testFamily } from './montecarlo.js';
import { exactP, type InferenceParts, testResult } from './parts.js';
import { pointRanks, rankIntervals } from './ranks.js';
import type { ChanceResult, ModelResult } from './result.js';
import { familyOrder } from './strata.js';
import { direction, meanDifference } from './totals.js';

/** One record a model, in row order. `order`: models best first; `group`: statistical group by model. */
export function modelResults(
  parts: InferenceParts,
  order: Int32Array,
  group: Int32Array,
): ModelResult[] {
  const { matrix, plan, design, strata, drawn } = parts;
  const { scores } = drawn;
  const models = design.ranked;
  const families = familyOrder(matrix.families);
  const familyOf = Int32Array.from(matrix.families, (family) => families.indexOf(family));
  const ranks = pointRanks(order);
  const intervals = rankIntervals({
    counts: scores.rankCounts as Uint32Array,
    models,
    draws: plan.draws,
    alpha: plan.alpha,
  });
  const chance = chanceResults(parts);
  const critical = scores.bandCritical as number;
  return matrix.models.map((modelId, m) => {
    const score = scores.points[m] as number;
    const error = scores.standardErrors[m] as number;
    return {
      index: m,
      modelId,
      score,
      familyScores: means(matrix, m, families, familyOf),
      stratumScores: means(matrix, m, strata.labels, strata.ofTask),
      standardError: error,
      pointwise: [scores.quantiles[2 * m] as number, scores.quantiles[2 * m + 1] as number],
      simultaneous: [score - critical * error, score + critical * error],
      rank: ranks[m] as number,
      rankInterval: [intervals[2 * m] as number, intervals[2 * m + 1] as number],
      group: group[m] as number,
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
    const k = ofTask[t] as number;
    sums[k] = (sums[k] as number) + (matrix.values[model * ofTask.length + t] as number);
    sizes[k] = (sizes[k] as number) + 1;
  }
  return Object.fromEntries(
    labels.map((label, k) => [label, (sums[k] as number) / (sizes[k] as number) / matrix.scale]),
  );
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
      interval: [intervals[2 * m] as number, intervals[2 * m + 1] as number],
      aboveChance: direction(exact, m, ranked) > 0 && (family.significant[m] as boolean),
    };
  });
}
