import { type ClusterDesign, pairCount, pairIndex } from '../engine/design.js';
import { cohenDz } from './effect.js';
import { pValue, testFamily } from './montecarlo.js';
import { exactP, type InferenceParts, testResult } from './parts.js';
import type { PairResult } from './result.js';
import { direction, meanDifference } from './totals.js';

/** One record a pair of models, in the order (0,1), (0,2), ... */
export function pairResults({ matrix, plan, design, exact, enumerated, drawn }: InferenceParts): PairResult[] {
  const { ranked, rows } = design;
  const tasks = matrix.tasks.length;
  const counts = drawn.pairExceedances;
  const family = testFamily(counts, plan.flips, plan.alpha);
  const results = new Array<PairResult>(pairCount(ranked));
  for (let left = 0, k = 0; left < ranked; left += 1)
    for (let right = left + 1; right < ranked; right += 1, k += 1) {
      const sign = direction(exact, left, right);
      results[k] = {
        ...testResult(family, k, counts[k]!, exactP(enumerated, pairIndex(left, right, rows))),
        left,
        right,
        meanDifference: meanDifference(exact, left, right),
        interval: [drawn.pairIntervals[2 * k]!, drawn.pairIntervals[2 * k + 1]!],
        dz: cohenDz(
          matrix.values.subarray(left * tasks, (left + 1) * tasks),
          matrix.values.subarray(right * tasks, (right + 1) * tasks),
        ),
        maxTP: pValue(drawn.maxTExceedances[k]!, plan.flips),
        direction: sign > 0 ? 'left_higher' : sign < 0 ? 'right_higher' : 'tie',
        degenerate: equalEverywhere(design, left, right),
      };
    }
  return results;
}

function equalEverywhere(design: ClusterDesign, left: number, right: number): boolean {
  const { rows, partTotals } = design;
  for (let at = 0; at < partTotals.length; at += rows)
    if (partTotals[at + left] !== partTotals[at + right]) return false;
  return true;
}
