import { type ClusterDesign, pairCount, pairIndex } from '../engine/design.js';
import { pValue, testFamily } from './p-values.js';
import { exactP, type InferenceParts, testResult } from './parts.js';
import type { PairResult } from './result.js';
import { direction, meanDifference } from './totals.js';

/**
 * Gives Cohen's dz of paired values: plain mean over plain standard deviation (divisor n - 1) of the task differences,
 * unweighted and unclustered (statistics 8). The values are integers, so a constant difference is seen exactly: 0 when it
 * is zero, null otherwise.
 */
export function cohenDz(left: ArrayLike<number>, right: ArrayLike<number>): number | null {
  const n = left.length;
  const first = left[0]! - right[0]!;
  let constant = true;
  let sum = 0;
  for (let t = 0; t < n; t += 1) {
    const d = left[t]! - right[t]!;
    if (d !== first) constant = false;
    sum += d;
  }
  if (constant) return first === 0 ? 0 : null;
  const mean = sum / n;
  let squares = 0;
  for (let t = 0; t < n; t += 1) {
    const d = left[t]! - right[t]! - mean;
    squares += d * d;
  }
  return mean / Math.sqrt(squares / (n - 1));
}

/** Forms the result of each pair of models, in the order (0,1), (0,2), ... */
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
