import { gcd, lcm } from '../util/divisor.js';
import { flipTotals, type Integers, type LinearTotals, type TestTotals } from './bounds.js';
import type { ClusterDesign } from './design.js';
import type { FlipTest } from './engine.js';
import type { Layout } from './layout.js';

/** Binary digits after the point of the leverage factors g_s. */
const FACTOR_BITS = 20n;

/** Largest integer whose square is not above n. */
function integerRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** What the residuals of each stratum are made of: integers over common denominators (decisions 3.2). */
interface StratumFactors {
  /** L, the least common multiple of the tasks of the strata. */
  readonly multiple: bigint;
  /** H, the sum of h'. */
  readonly sum: bigint;
  /** A_s = L / tasks. */
  readonly weights: readonly bigint[];
  /** h'_s = K w_s^2 / clusters, K the least common multiple of the clusters, w_s = 1 where strata weigh alike. */
  readonly shares: readonly bigint[];
  /** round(2^20 g_s). */
  readonly factors: readonly bigint[];
}

/** With `squares` of the weights of the strata, which the totals hold already: h'_s = K w_s^2 / clusters. */
function stratumFactors(layout: Layout, squares: readonly bigint[]): StratumFactors {
  const tasks = Array.from(layout.stratumTasks, BigInt);
  const clusters = tasks.map((_, s) => BigInt(layout.stratumStart[s + 1]! - layout.stratumStart[s]!));
  const multiple = lcm(tasks);
  const common = lcm(clusters);
  const shares = clusters.map((n, s) => (squares[s]! * common) / n);
  const sum = shares.reduce((a, b) => a + b, 0n);
  // 1 - h_s = (n^2 H - n H + K w^2) / (n^2 H); rounding half up: half of floor(2 x root) + 1.
  const factors = clusters.map((n, s) => {
    const square = n * n * sum;
    const four = (square << (2n * FACTOR_BITS + 2n)) / (square - n * sum + squares[s]! * common);
    return (integerRoot(four) + 1n) >> 1n;
  });
  return { multiple, sum, weights: tasks.map((n) => multiple / n), shares, factors };
}

const squaredWeights = ({ weights, strata }: ClusterDesign): bigint[] =>
  Array.from({ length: strata }, (_, s) => BigInt(weights?.[s] ?? 1) ** 2n);

/** Residuals of every cluster and row (C x M, cluster-major), and U L H 2^20 of every row, as exact integers (decisions 3.2). */
function exactResiduals(
  design: ClusterDesign,
  layout: Layout,
): { residuals: bigint[]; observed: bigint[]; linear: Pick<LinearTotals, 'scale' | 'centre'> } {
  const { rows, clusters, strata, partCluster, partStratum, partTasks, partTotals } = design;
  const { multiple, sum, weights, shares, factors } = stratumFactors(layout, squaredWeights(design));
  const total = (s: number, m: number): bigint => BigInt(layout.stratumTotals[s * rows + m]!);
  const weighted = Array.from({ length: rows }, (_, m) =>
    weights.reduce((u, weight, s) => u + weight * total(s, m), 0n),
  );
  const scale = weights.map((weight, s) => weight * factors[s]! * multiple * sum);
  const centre = Array.from({ length: strata * rows }, (_, at) => {
    const s = Math.floor(at / rows);
    const m = at % rows;
    return weights[s]! * factors[s]! * (weights[s]! * total(s, m) * sum - weighted[m]! * shares[s]!);
  });
  const residuals = new Array<bigint>(clusters * rows).fill(0n);
  partCluster.forEach((c, p) => {
    const s = partStratum[p]!;
    const tasks = BigInt(partTasks[p]!);
    for (let m = 0; m < rows; m++) {
      const at = c * rows + m;
      residuals[at] = residuals[at]! + scale[s]! * BigInt(partTotals[p * rows + m]!) - tasks * centre[s * rows + m]!;
    }
  });
  return { residuals, observed: weighted.map((u) => (u * multiple * sum) << FACTOR_BITS), linear: { scale, centre } };
}

/** Sums stay below 2^62, so that the difference of two fits 64 bits. */
const WIDEST_BITS = 62;

const bitLength = (x: bigint): number => x.toString(2).length;

const size = (x: bigint): bigint => (x < 0n ? -x : x);

/** Largest less smallest of the values from `at` on. */
function range(values: readonly bigint[], at: number, count: number): bigint {
  let low = values[at]!;
  let high = low;
  for (const value of values.slice(at, at + count)) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low;
}

/** No row sum, no difference of two rows and no observed value or difference of two exceeds this. */
function boundOf(residuals: readonly bigint[], observed: readonly bigint[]): bigint {
  const rows = observed.length;
  const absolute = observed.map(() => 0n);
  let ranges = 0n;
  for (let at = 0; at < residuals.length; at += rows) {
    for (let m = 0; m < rows; m++) absolute[m] = absolute[m]! + size(residuals[at + m]!);
    ranges += range(residuals, at, rows);
  }
  const sizes = [...absolute, ...observed.map(size), ranges, range(observed, 0, rows)];
  return range([0n, ...sizes], 0, sizes.length + 1);
}

/** Divides by 2^k, half up. */
const shifted = (values: readonly bigint[], k: number): readonly bigint[] =>
  k === 0 ? values : values.map((x) => (x + (1n << BigInt(k - 1))) >> BigInt(k));

/** Scales and centres in units of `unit`, to the nearest whole one: totals in that unit follow from them but for what is left of each part. */
function roundedLinear({ scale, centre }: Pick<LinearTotals, 'scale' | 'centre'>, unit: bigint): LinearTotals {
  const half = unit >> 1n;
  const nearest = (x: bigint) => (x < 0n ? x - half : x + half) / unit;
  return { rounded: true, scale: scale.map(nearest), centre: centre.map(nearest), divisor: 1n };
}

/** Greatest common divisor of all values; 1 where all are zero. */
function commonDivisor(values: readonly bigint[]): bigint {
  let divisor = 0n;
  for (const x of values) if (divisor !== 1n && x !== 0n) divisor = gcd(divisor, size(x));
  return divisor === 0n ? 1n : divisor;
}

/**
 * Forms what the centred test flips: residuals of the fit that the null restricts, as integers divided by their greatest common
 * divisor, and the observed value that the flipped sums are held against (decisions 3.2). With one stratum they are those of
 * `flipTotals`. Past 2^62 both are divided by the least power of two that makes them fit, and `weights` says `rounded`.
 *
 * Errors: BOUND_EXCEEDED as `flipTotals`, where there is one stratum.
 */
function centredTotals(design: ClusterDesign, layout: Layout): TestTotals {
  if (design.strata === 1) return flipTotals(design, layout);
  const exact = exactResiduals(design, layout);
  const undivided = [...exact.residuals, ...exact.observed];
  const divisor = commonDivisor(undivided);
  const values = divisor === 1n ? undivided : undivided.map((x) => x / divisor);
  const cells = exact.residuals.length;
  const width = bitLength(boundOf(values.slice(0, cells), values.slice(cells)));
  for (let k = Math.max(0, width - WIDEST_BITS); ; k++) {
    const fitting = shifted(values, k);
    const totals = fitting.slice(0, cells);
    const observed = fitting.slice(cells);
    const bound = boundOf(totals, observed);
    if (bitLength(bound) > WIDEST_BITS) continue;
    const integers = (of: readonly bigint[]): Integers =>
      bound < 1n << 53n ? Float64Array.from(of, Number) : BigInt64Array.from(of);
    const largest = totals.reduce((most, x) => Math.max(most, Math.abs(Number(x))), 1);
    return {
      totals: integers(totals),
      observed: integers(observed),
      amongFlips: false,
      bound: Number(bound),
      accumulator: bound < 1n << 31n ? 'i32' : 'i64',
      weights: k === 0 ? { kind: 'exact', relativeError: 0 } : { kind: 'rounded', relativeError: 0.5 / largest },
      linear:
        k === 0 ? { rounded: false, ...exact.linear, divisor } : roundedLinear(exact.linear, divisor << BigInt(k)),
    };
  }
}

/** Forms what a test flips. Errors: BOUND_EXCEEDED as `flipTotals`. */
export function testTotals(design: ClusterDesign, layout: Layout, test: FlipTest = 'sign-flip'): TestTotals {
  return test === 'centred' ? centredTotals(design, layout) : flipTotals(design, layout);
}
