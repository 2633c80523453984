import { holm } from '../p-values.js';
import type { Multiplicity } from '../plan.js';
import { below, type DecidedTests, type StepDownCounts } from './deciding-p.js';
import { clustersNeeded, flipsNeeded, floorP, leastP } from './multiplicity.js';

/**
 * What is said of a pair. `higher`, `lower`: the first is, by the test in force. `identical`: no cluster differs. `untestable`: no
 * outcome of these clusters could be rejected. `open`: neither told apart nor untestable.
 */
export const DECISIONS = ['higher', 'lower', 'open', 'identical', 'untestable'] as const;
export type Decision = (typeof DECISIONS)[number];

const CODE = Object.fromEntries(DECISIONS.map((decision, code) => [decision, code])) as Record<Decision, number>;

/** Why nothing could be rejected: too few clusters in the design, or too few in which the two differ. */
export type UntestableReason = 'by_design' | 'differ_in_few';

export interface DecisionOptions {
  readonly tests: DecidedTests;
  /** c by hypothesis. */
  readonly differing: Int32Array;
  /** Sign of the first minus the second, by hypothesis. */
  readonly direction: ArrayLike<number>;
  /** C of the design. */
  readonly clusters: number;
  readonly flips: number;
  readonly multiplicity: Multiplicity;
  readonly stepDown?: StepDownCounts | null;
  readonly alpha: number;
}

/** What a set of tests decides, and what it could not have decided whatever the data. */
export interface Decisions {
  /** By hypothesis: index into `DECISIONS`. */
  readonly decision: Uint8Array;
  /** Why those are untestable that are. */
  readonly untestable: UntestableReason;
  /** Least number of clusters, all of them differing, at which every hypothesis could be rejected. */
  readonly clustersNeeded: number;
  /** Least number of flips that lets every testable hypothesis be rejected; null where the flips at hand do. */
  readonly flipsNeeded: number | null;
}

/**
 * Says of each hypothesis what its test decides (decisions 2.3). Untestable is one that is not rejected even if every p stood at its
 * floor: under Holm the floors in order; under max-T, not `attainable`, or a floor that is not below alpha. More flips are
 * called for only where the floors, but not the least p of so many flips, would let some hypothesis be rejected.
 */
export function decisions(options: DecisionOptions): Decisions {
  const { tests, differing, direction, clusters, alpha } = options;
  const { possible, lacking, together } = possibleRejections(options);
  const byDesign = together * floorP(clusters) >= alpha;
  const decision = new Uint8Array(differing.length);
  for (let k = 0; k < decision.length; k += 1) {
    if (tests.rejected[k]) decision[k] = direction[k]! > 0 ? CODE.higher : CODE.lower;
    else if (differing[k] === 0) decision[k] = CODE.identical;
    else decision[k] = possible[k] ? CODE.open : CODE.untestable;
  }
  return {
    decision,
    untestable: byDesign ? 'by_design' : 'differ_in_few',
    clustersNeeded: clustersNeeded(together, alpha),
    flipsNeeded: lacking ? flipsNeeded(together, alpha) : null,
  };
}

interface Possible {
  /** By hypothesis: some outcome of the clusters at hand would be rejected, given flips enough. */
  readonly possible: Uint8Array;
  /** Some of those would not be with the flips at hand. */
  readonly lacking: boolean;
  /** By how many the least p is multiplied. */
  readonly together: number;
}

function possibleRejections(options: DecisionOptions): Possible {
  const { tests, differing, flips, multiplicity, stepDown, alpha } = options;
  const { floor } = tests;
  if (multiplicity === 'holm' || !stepDown) {
    const possible = below(holm(floor), alpha);
    const reached = below(
      holm(floor.map((_, k) => leastP({ differing: differing[k]!, flips, counted: tests.exact[k] === 1 }))),
      alpha,
    );
    return {
      possible,
      lacking: possible.some((yes, k) => yes > reached[k]!),
      together: Math.max(1, differing.length),
    };
  }
  const { attainable, enumerated, draws } = stepDown;
  const few = !enumerated && 1 / (draws + 1) >= alpha;
  const possible = below(floor, alpha);
  for (let k = 0; k < possible.length && !few; k += 1) if (attainable[k] !== 1) possible[k] = 0;
  return { possible, lacking: few && possible.includes(1), together: 1 };
}
