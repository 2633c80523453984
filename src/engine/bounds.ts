import { lcm } from '../util/divisor.js';
import { fail } from '../util/error.js';
import type { ClusterDesign } from './design.js';
import type { Layout } from './layout.js';

/** Widest accumulator: sums stay below 2^62, so that the difference of two fits 64 bits. */
const WIDEST = 2 ** 62;
const NARROW = 2 ** 31;

/** Integers that hold the sums of a draw. */
export type Accumulator = 'i32' | 'i64';

/** How large the totals of a bootstrap may become. */
export interface BootstrapBound {
  /** No numerator of any draw exceeds this. */
  readonly bound: number;
  readonly accumulator: Accumulator;
}

/** Finds the largest absolute total of a part, its tasks among them. */
export function largestTotal(design: ClusterDesign): number {
  let largest = 0;
  for (const total of design.partTotals) largest = Math.max(largest, Math.abs(total));
  for (const tasks of design.partTasks) largest = Math.max(largest, tasks);
  return largest;
}

/**
 * Bounds the bootstrap numerators: clusters x the largest part total (statistics 1.2).
 *
 * Errors: BOUND_EXCEEDED past 2^62.
 */
export function bootstrapBound(design: ClusterDesign): BootstrapBound {
  const bound = design.clusters * largestTotal(design);
  if (bound >= WIDEST)
    fail(
      'BOUND_EXCEEDED',
      null,
      `bootstrap totals may reach ${bound}, past 2^62`,
      'Use a coarser scale for the scores.',
    );
  return { bound, accumulator: bound < NARROW ? 'i32' : 'i64' };
}

/** How close to the exact ones the totals are. */
export interface WeightKind {
  readonly kind: 'exact' | 'rounded';
  /** Largest relative distance of a weight from its exact value; 0 when exact. */
  readonly relativeError: number;
}

/** Integer weight of a task of each stratum, in place of 1 / (tasks of the stratum). */
interface StratumWeights extends WeightKind {
  readonly values: readonly bigint[];
}

/** Integers as f64 or, past 2^53, as bigint. */
export type Integers = Float64Array | BigInt64Array;

/** What sign flips add up, and how large the sums may become. */
export interface FlipTotals {
  /** C x M cluster totals, cluster-major: what a sign multiplies. f64 integers where the bound is below 2^53. */
  readonly totals: Integers;
  /** rows: what the absolute flipped sums are held against. */
  readonly observed: Integers;
  /** The observed sums are the flipped ones of the vector that has + everywhere. */
  readonly amongFlips: boolean;
  /** No row sum and no difference of two rows exceeds this, observed or flipped. */
  readonly bound: number;
  readonly accumulator: Accumulator;
  readonly weights: WeightKind;
}

/** Totals of a test, and how they follow from those of the parts. */
export interface TestTotals extends FlipTotals {
  readonly linear: LinearTotals;
}

/**
 * Cluster totals as whole numbers times part totals: divisor x total = sum over the parts of the cluster of (scale_s x part total - tasks x centre_sm),
 * where totals were rounded but for a rest that is small beside them.
 */
export interface LinearTotals {
  readonly rounded: boolean;
  /** strata. */
  readonly scale: readonly bigint[];
  /** strata x rows. */
  readonly centre: readonly bigint[];
  readonly divisor: bigint;
}

/** Sums that a vector of + everywhere gives. */
function plainSums(totals: Integers, rows: number): Integers {
  const sums = totals instanceof Float64Array ? new Float64Array(rows) : new BigInt64Array(rows);
  for (let at = 0; at < totals.length; at += rows)
    for (let m = 0; m < rows; m++) (sums[m] as number) += totals[at + m] as number;
  return sums;
}

/** What a task of each stratum weighs, in whole numbers: the least common multiple over the size of its stratum (statistics 6.3). */
export function exactWeights(tasks: readonly bigint[]): bigint[] {
  const multiple = lcm(tasks);
  return tasks.map((n) => multiple / n);
}

/** round(2^k / n), half up (statistics 6.3). */
const roundedWeights = (tasks: readonly bigint[], k: number): bigint[] =>
  tasks.map((n) => ((1n << BigInt(k + 1)) / n + 1n) / 2n);

/** For each stratum: sum over its parts of the range of the row totals, zero included. */
function spreadByStratum(design: ClusterDesign): Float64Array {
  const { rows, strata, partStratum, partTotals } = design;
  const spread = new Float64Array(strata);
  for (let p = 0; p < partStratum.length; p++) {
    let low = 0;
    let high = 0;
    for (let m = 0; m < rows; m++) {
      const total = partTotals[p * rows + m]!;
      if (total < low) low = total;
      if (total > high) high = total;
    }
    spread[partStratum[p]!]! += high - low;
  }
  return spread;
}

const weigh = (spread: Float64Array, weights: readonly bigint[]): number =>
  weights.reduce((sum, weight, s) => sum + Number(weight) * spread[s]!, 0);

/** lcm / n of each stratum where the sums fit; else round(2^k / n) with the largest k for which they do (statistics 6.3). */
function chooseWeights(tasks: readonly bigint[], spread: Float64Array): StratumWeights {
  const exact = exactWeights(tasks);
  if (weigh(spread, exact) < WIDEST) return { kind: 'exact', values: exact, relativeError: 0 };
  for (let k = 61; k >= 1; k--) {
    const values = roundedWeights(tasks, k);
    if (weigh(spread, values) >= WIDEST) continue;
    const errors = values.map((value, s) => (Number(value) * Number(tasks[s])) / 2 ** k - 1);
    return { kind: 'rounded', values, relativeError: Math.max(...errors.map(Math.abs)) };
  }
  fail('BOUND_EXCEEDED', null, 'weighted totals of the sign flips pass 2^62', 'Use a coarser scale for the scores.');
}

function weightedTotals(design: ClusterDesign, weights: readonly bigint[], exactInDouble: boolean): Integers {
  const { rows, clusters, partCluster, partStratum, partTotals } = design;
  if (exactInDouble) {
    const out = new Float64Array(clusters * rows);
    for (let p = 0; p < partCluster.length; p++) {
      const at = partCluster[p]! * rows;
      const weight = Number(weights[partStratum[p]!]);
      for (let m = 0; m < rows; m++) out[at + m]! += weight * partTotals[p * rows + m]!;
    }
    return out;
  }
  const out = new BigInt64Array(clusters * rows);
  for (let p = 0; p < partCluster.length; p++) {
    const at = partCluster[p]! * rows;
    const weight = weights[partStratum[p]!]!;
    for (let m = 0; m < rows; m++) out[at + m]! += weight * BigInt(partTotals[p * rows + m]!);
  }
  return out;
}

/** The larger of: any row's sum of absolute totals; sum over clusters of (largest - smallest row total). */
function flipBound(totals: Integers, rows: number): number {
  const absolute = new Float64Array(rows);
  const values = totals instanceof Float64Array ? totals : Float64Array.from(totals, Number);
  let ranges = 0;
  for (let at = 0; at < totals.length; at += rows) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let m = 0; m < rows; m++) {
      const total = values[at + m]!;
      absolute[m]! += Math.abs(total);
      if (total < low) low = total;
      if (total > high) high = total;
    }
    ranges += high - low;
  }
  return absolute.reduce((a, b) => Math.max(a, b), ranges);
}

/**
 * Weighs the cluster totals of the sign flips (statistics 6.3) and finds the integers that hold their sums.
 *
 * Errors: BOUND_EXCEEDED where sums pass 2^62 even with rounded weights.
 */
export function flipTotals(design: ClusterDesign, layout: Layout): TestTotals {
  const spread = spreadByStratum(design);
  const { values, ...weights } = chooseWeights(Array.from(layout.stratumTasks, BigInt), spread);
  const exactInDouble = weigh(spread, values) < 2 ** 53;
  const totals = weightedTotals(design, values, exactInDouble);
  const bound = flipBound(totals, design.rows);
  return {
    totals,
    observed: plainSums(totals, design.rows),
    amongFlips: true,
    bound,
    accumulator: bound < NARROW ? 'i32' : 'i64',
    weights,
    linear: {
      ...{ rounded: false, scale: values, divisor: 1n },
      centre: new Array<bigint>(values.length * design.rows).fill(0n),
    },
  };
}
