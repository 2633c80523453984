import { counted, general } from '../../util/format.js';
import type { Multiplicity } from '../plan.js';

/**
 * The least p that a sign-flip test can give in which `differing` clusters differ: 2 / 2^c, at most 1 (decisions 2.2). Past 2^1022 it
 * stays at the least normal double, so that no p is 0.
 */
export function floorP(differing: number): number {
  return Math.min(1, 2 ** Math.max(1 - differing, -1022));
}

/** Gives the floor of each hypothesis by the clusters in which it differs. */
export function floorsOf(differing: Int32Array): Float64Array {
  let most = 0;
  for (let k = 0; k < differing.length; k += 1) most = Math.max(most, differing[k]!);
  const known = Float64Array.from({ length: most + 1 }, (_, c) => floorP(c));
  const floors = new Float64Array(differing.length);
  for (let k = 0; k < floors.length; k += 1) floors[k] = known[differing[k]!]!;
  return floors;
}

export interface LeastPOptions {
  readonly differing: number;
  readonly flips: number;
  /** All sign vectors of those clusters are counted: there are no more of them than flips, and weights are exact. */
  readonly counted: boolean;
}

/** The least p that this many flips can show: the floor, or 1 / (flips + 1) where sign vectors are drawn and that is more. */
export function leastP({ differing, flips, counted: all }: LeastPOptions): number {
  return all ? floorP(differing) : Math.max(floorP(differing), 1 / (flips + 1));
}

/** Finds the least number of clusters at which `tests` hypotheses could be rejected together: tests x 2 / 2^C < alpha (decisions 2.3). */
export function clustersNeeded(tests: number, alpha: number): number {
  let clusters = 1;
  while (tests * floorP(clusters) >= alpha) clusters += 1;
  return clusters;
}

/** Finds the least number of flips R at which 1 / (R + 1), times the number of tests, is below alpha (decisions 2.3). */
export function flipsNeeded(tests: number, alpha: number): number {
  let flips = Math.max(1, Math.floor(tests / alpha) - 2);
  while (tests * (1 / (flips + 1)) >= alpha) flips += 1;
  return flips;
}

export interface MultiplicityOptions {
  /** What was asked for by name. */
  readonly asked?: Multiplicity;
  /** What the command takes unless something speaks against it. */
  readonly usual: Multiplicity;
  readonly tests: number;
  readonly clusters: number;
  readonly flips: number;
  readonly alpha: number;
}

interface MultiplicityChoice {
  readonly multiplicity: Multiplicity;
  /** Why, in words; `multiplicity_reason` of documents. */
  readonly reason: string;
}

/**
 * Chooses how the error rate is kept (decisions 3.1): as asked for; else as the command does, but never by Holm where Holm could reject
 * nothing: where all the tests times the least p that the clusters and flips allow do not stay below alpha. It looks at no score.
 */
export function chooseMultiplicity(options: MultiplicityOptions): MultiplicityChoice {
  const { asked, usual, tests, clusters, flips, alpha } = options;
  if (asked !== undefined) return { multiplicity: asked, reason: 'asked for' };
  if (usual === 'max-t') return { multiplicity: 'max-t', reason: 'default' };
  const all = 2 ** clusters <= flips;
  const least = tests * leastP({ differing: clusters, flips, counted: all });
  if (least < alpha) return { multiplicity: 'holm', reason: 'default' };
  const why = all || floorP(clusters) > 1 / (flips + 1) ? counted(clusters, 'cluster') : counted(flips, 'flip');
  return {
    multiplicity: 'max-t',
    reason: `over ${counted(tests, 'test')} Holm could reject nothing: with ${why} its least p is ${general(Math.min(1, least), 3)}`,
  };
}
