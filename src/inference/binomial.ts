import { normalQuantile } from '../util/normal.js';

/** log(n!) minus Stirling's approximation for n = 0..15, to full precision. */
const STIRLING_ERROR = [
  0, 0.08106146679532726, 0.0413406959554093, 0.0276779256849983, 0.02079067210376509, 0.0166446911898212,
  0.0138761288230707, 0.0118967099458918, 0.010411265261972, 0.00925546218271273, 0.00833056343336287,
  0.00757367548795184, 0.00694284010720953, 0.00640899418800421, 0.00595137011275885, 0.0055547335519628,
];

function stirlingError(n: number): number {
  if (n < STIRLING_ERROR.length) return STIRLING_ERROR[n]!;
  const s = 1 / (n * n);
  return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / n;
}

/** x log(x / m) + m - x without cancellation near x = m. */
function deviance(x: number, m: number): number {
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const v = (x - m) / (x + m);
  let sum = (x - m) * v;
  let term = 2 * x * v;
  for (let j = 1; j < 1000; j += 1) {
    term *= v * v;
    const next = sum + term / (2 * j + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}

/** p and 1 - p, both to full precision: near 1 one of them is lost in the other. */
interface Odds {
  readonly p: number;
  readonly q: number;
}

/** P(X = k) for X binomial(n, p), 0 < p < 1, 0 <= k <= n: Loader's saddle-point form, accurate for large n. */
function mass(k: number, n: number, { p, q }: Odds): number {
  if (k === 0) return Math.exp(n * (p < 0.5 ? Math.log1p(-p) : Math.log(q)));
  if (k === n) return Math.exp(n * (q < 0.5 ? Math.log1p(-q) : Math.log(p)));
  const error = stirlingError(n) - stirlingError(k) - stirlingError(n - k);
  const fit = deviance(k, n * p) + deviance(n - k, n * q);
  return Math.exp(error - fit) / Math.sqrt((2 * Math.PI * k * (n - k)) / n);
}

/** Gives P(X = k) for X binomial(n, p). */
export function binomialMass(k: number, n: number, p: number): number {
  return mass(k, n, { p, q: 1 - p });
}

/** P(X >= k) for X binomial(n, p), 1 <= k <= n and p below k / n: Lentz's continued fraction of the incomplete beta. */
function upperTail(k: number, n: number, odds: Odds): number {
  const { p, q } = odds;
  const b = n - k + 1;
  let c = 1;
  let d = 1 / nonzero(1 - ((k + b) * p) / (k + 1));
  let fraction = d;
  for (let m = 1; m < 100_000; m += 1) {
    const even = (m * (b - m) * p) / ((k + 2 * m - 1) * (k + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    fraction *= c * d;
    const odd = (-(k + m) * (k + b + m) * p) / ((k + 2 * m) * (k + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    const step = c * d;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return mass(k, n, odds) * q * fraction;
}

function nonzero(x: number): number {
  return Math.abs(x) < 1e-300 ? 1e-300 : x;
}

/** Wilson's score limit, below the share for z < 0 and above it for z > 0: where the search starts. */
function wilson(k: number, n: number, z: number): number {
  const share = k / n;
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return (share + (z * z) / (2 * n) + half) / (1 + (z * z) / n);
}

/**
 * Newton's method for a root between 0 and 1. The logarithm of a binomial tail is concave, so steps come from one side; once
 * one is below 1e-8 of the root, the error left is below the digits that are kept.
 */
function newton(start: number, step: (x: number) => number): number {
  let x = start;
  for (let i = 0; i < 100; i += 1) {
    const next = Math.min(Math.max(x - step(x), x / 16), 1 - (1 - x) / 16);
    if (Math.abs(next - x) <= 1e-8 * Math.min(next, 1 - next)) return next;
    x = next;
  }
  return x;
}

/** The p at which P(X >= k) = tail, for 1 <= k <= n. */
function lowerLimit(k: number, n: number, tail: number): number {
  if (k === n) return tail ** (1 / n);
  return newton(wilson(k, n, normalQuantile(tail)), (p) => {
    const odds = { p, q: 1 - p };
    const value = upperTail(k, n, odds);
    return (Math.log(value / tail) * value * p) / (mass(k, n, odds) * k);
  });
}

/** The p at which P(X <= k) = tail, for 0 <= k < n: successes and failures change places. */
function upperLimit(k: number, n: number, tail: number): number {
  if (k === 0) return -Math.expm1(Math.log(tail) / n);
  return newton(Math.min(wilson(k, n, -normalQuantile(tail)), 1 - 1e-12), (q) => {
    const odds = { p: 1 - q, q };
    const value = upperTail(n - k, n, odds);
    return (-Math.log(value / tail) * value * odds.p) / (mass(n - k, n, odds) * (n - k));
  });
}

export interface ProportionOptions {
  readonly count: number;
  readonly trials: number;
  /** 0.99 for a 99 % interval. */
  readonly confidence: number;
}

/** Clopper-Pearson interval of a proportion, to ten significant digits so that no platform's log can show. */
export function clopperPearson(options: ProportionOptions): [number, number] {
  const { count, trials, confidence } = options;
  const tail = (1 - confidence) / 2;
  const low = count === 0 ? 0 : lowerLimit(count, trials, tail);
  const high = count === trials ? 1 : upperLimit(count, trials, tail);
  return [Number(low.toPrecision(10)), Number(high.toPrecision(10))];
}
