import { type ClusterDesign, pairIndex } from '../engine/design.js';
import type { DecidedPairs } from './decisions/decided-pairs.js';
import { DECISIONS } from './decisions/decisions.js';
import { floorP } from './decisions/multiplicity.js';
import { pValue, testFamily } from './p-values.js';
import { decidedTest, exactP, frozenTest, type InferenceParts } from './parts.js';
import type { PairResult, TestResult } from './result.js';
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
export function pairResults(parts: InferenceParts): PairResult[] {
  const { matrix, plan, design, exact, drawn, decided, intervals, equal } = parts;
  const { ranked } = design;
  const tasks = matrix.tasks.length;
  const results: PairResult[] = [];
  const testOf = decided ? decidedPair(parts, decided) : frozenPair(parts);
  const flips = drawn.flipDraws;
  const pairEnds = parts.bounded?.pairs ?? intervals.pairs;
  for (let left = 0, k = 0; left < ranked; left += 1)
    for (let right = left + 1; right < ranked; right += 1, k += 1) {
      const sign = direction(exact, left, right);
      const single = drawn.maxTExceedances[k]!;
      results.push({
        ...testOf(k, left, right),
        left,
        right,
        meanDifference: meanDifference(exact, left, right),
        interval: [pairEnds[2 * k]!, pairEnds[2 * k + 1]!],
        dz: cohenDz(
          matrix.values.subarray(left * tasks, (left + 1) * tasks),
          matrix.values.subarray(right * tasks, (right + 1) * tasks),
        ),
        maxTP: drawn.enumerated ? single / flips : pValue(single, plan.flips),
        direction: sign > 0 ? 'left_higher' : sign < 0 ? 'right_higher' : 'tie',
        degenerate: equalEverywhere(design, left, right),
        equalWithin: equal && { p: equal.p[k]!, holm: equal.holm[k]!, equal: equal.equalWithin[k] === 1 },
      });
    }
  return results;
}

type PairTest = TestResult & Pick<PairResult, 'maxTStepP' | 'verdict'>;

/** The test of a pair as version 1 has it. */
function frozenPair({ plan, design, enumerated, drawn }: InferenceParts) {
  const counts = drawn.pairExceedances;
  const family = testFamily(counts, plan.flips, plan.alpha);
  return (k: number, left: number, right: number): PairTest => ({
    ...frozenTest(family, k, counts[k]!, exactP(enumerated, pairIndex(left, right, design.rows))),
    maxTStepP: null,
    verdict: null,
  });
}

/** The test of a pair, decided; one that is none of the comparisons asked for has only its own p. */
function decidedPair(parts: InferenceParts, { place, tests, said, differing }: DecidedPairs) {
  const { plan, drawn } = parts;
  return (pair: number): PairTest => {
    const k = place[pair]!;
    const count = drawn.pairExceedances[pair]!;
    const differingClusters = differing[pair]!;
    if (k < 0) {
      const p = pValue(count, drawn.flipDraws);
      return {
        ...{ exceedances: count, p, holm: 1, significant: false, pInterval99: null, holmCouldFlip: null },
        ...{ exactP: null, pKind: 'sampled', maxTStepP: null },
        verdict: { decision: 'untested', differingClusters, floor: floorP(differingClusters), ...NOTHING },
      };
    }
    const decision = DECISIONS[said.decision[k]!]!;
    return {
      ...decidedTest(tests, k, count, parts),
      maxTStepP: plan.multiplicity === 'max-t' ? tests.adjusted[k]! : null,
      verdict: {
        decision,
        differingClusters,
        floor: tests.floor[k]!,
        untestable: decision === 'untestable' ? said.untestable : null,
        clustersNeeded: decision === 'untestable' ? said.clustersNeeded : null,
        couldTurn: tests.couldTurn[k] === 1,
      },
    };
  };
}

const NOTHING = { untestable: null, clustersNeeded: null, couldTurn: false } as const;

function equalEverywhere(design: ClusterDesign, left: number, right: number): boolean {
  const { rows, partTotals } = design;
  for (let at = 0; at < partTotals.length; at += rows)
    if (partTotals[at + left] !== partTotals[at + right]) return false;
  return true;
}
