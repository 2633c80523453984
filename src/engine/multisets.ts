import { fail } from '../util/error.js';
import type { ClusterDesign } from './design.js';
import type { BootstrapRequest } from './engine.js';
import type { Layout } from './layout.js';

/** The multisets of n things taken n times, in descending lexicographic order of their counts. */
export interface Multisets {
  /** n. */
  readonly size: number;
  /** binomial(2n - 1, n) of them. */
  readonly count: number;
  /** count x size: how often each thing is taken. */
  readonly counts: Uint8Array;
  /** count: the ordered draws that each stands for, n! / (k_1! ... k_n!); together n^n. */
  readonly weights: Float64Array;
}

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}

const multisetCount = (n: number): number => binomial(2 * n - 1, n);

/** Counts the parts of each stratum. */
const stratumSizes = ({ partStratum, strata }: ClusterDesign): number[] => {
  const sizes = new Array<number>(strata).fill(0);
  for (const s of partStratum) sizes[s]!++;
  return sizes;
};

/** The sizes of what is drawn: all clusters once, or the parts of each stratum among themselves. */
const drawnSizes = (design: ClusterDesign, scheme: BootstrapRequest['scheme']): number[] =>
  scheme === 'joint' ? [design.clusters] : stratumSizes(design);

/**
 * Counts the different bootstraps of a design (decisions 5.1): binomial(2C - 1, C) multisets of C clusters, or the product of such
 * numbers over strata; rounded past 2^53, infinite past the range of f64. Where they are no more than the draws that are asked for,
 * `enumerate` goes through them.
 */
export function countMultisets(design: ClusterDesign, scheme: BootstrapRequest['scheme']): number {
  return drawnSizes(design, scheme).reduce((product, n) => product * multisetCount(n), 1);
}

/**
 * Checks that the bootstraps of a design can be enumerated.
 *
 * Errors: BOUND_EXCEEDED where there are more than `draws`, or where their weights pass 2^53.
 */
export function checkMultisets(design: ClusterDesign, scheme: BootstrapRequest['scheme'], draws: number): void {
  const count = countMultisets(design, scheme);
  if (count > draws)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${count} different bootstraps of ${design.clusters} clusters; at most the ${draws} draws asked for are enumerated`,
      'Draw bootstraps at random instead.',
    );
  const ordered = drawnSizes(design, scheme).reduce((product, n) => product * n ** n, 1);
  if (ordered > 2 ** 53)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${ordered} ordered bootstraps; weights are exact up to 2^53`,
      'Draw at random instead.',
    );
}

/** Lists the multisets of n things taken n times. */
export function listMultisets(n: number): Multisets {
  const count = multisetCount(n);
  const counts = new Uint8Array(count * n);
  const weights = new Float64Array(count);
  const taken = new Uint8Array(n);
  let at = 0;
  const fill = (thing: number, left: number, weight: number): void => {
    if (thing === n - 1) {
      taken[thing] = left;
      counts.set(taken, at * n);
      weights[at++] = weight;
      return;
    }
    for (let k = left; k >= 0; k--) {
      taken[thing] = k;
      fill(thing + 1, left - k, weight * binomial(left, k));
    }
  };
  fill(0, n, 1);
  return { size: n, count, counts, weights };
}

/** How one stratum follows from the multisets of a bootstrap. */
export interface StratumMultisets {
  readonly sets: Multisets;
  /** Place in a multiset of each part of the stratum. */
  readonly places: Int32Array;
  /** Multiset number b takes entry floor(b / every) mod count of `sets`. */
  readonly every: number;
}

/** All bootstraps of a design: what each stratum draws, and the weight of each. */
export interface BootstrapMultisets {
  readonly strata: readonly StratumMultisets[];
  /** A weight for every multiset; the last stratum changes fastest. */
  readonly weights: Float64Array;
}

/** Lays out the bootstraps of a design, checked before: joint, one list serves all strata; stratified, each has its own. */
export function bootstrapMultisets(
  design: ClusterDesign,
  layout: Layout,
  scheme: BootstrapRequest['scheme'],
): BootstrapMultisets {
  const { stratumStart } = layout;
  if (scheme === 'joint') {
    const sets = listMultisets(design.clusters);
    const strata = Array.from({ length: design.strata }, (_, s) => ({
      sets,
      places: design.partCluster.slice(stratumStart[s]!, stratumStart[s + 1]!),
      every: 1,
    }));
    return { strata, weights: sets.weights };
  }
  const lists = stratumSizes(design).map(listMultisets);
  let every = 1;
  const strata = lists
    .toReversed()
    .map((sets) => {
      const stratum = { sets, places: Int32Array.from({ length: sets.size }, (_, p) => p), every };
      every *= sets.count;
      return stratum;
    })
    .toReversed();
  const weights = Float64Array.from({ length: every }, (_, b) =>
    strata.reduce((weight, { sets, every: step }) => weight * sets.weights[Math.floor(b / step) % sets.count]!, 1),
  );
  return { strata, weights };
}
