/** log(n!) minus Stirling's approximation for n = 0..15, to full precision. */
const STIRLING_ERROR = [
  0, 0.08106146679532726, 0.0413406959554093, 0.0276779256849983, 0.02079067210376509,
  0.0166446911898212, 0.0138761288230707, 0.0118967099458918, 0.010411265261972,
  0.00925546218271273, 0.00833056343336287, 0.00757367548795184, 0.00694284010720953,
  0.00640899418800421, 0.00595137011275885, 0.0055547335519628,
];

function stirlingError(n: number): number {
  if (n < STIRLING_ERROR.length) return STIRLING_ERROR[n] as number;
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

/** P(X = k) for X binomial(n, p), 0 < p < 1, 0 <= k <= n: Loader's saddle-point form, accurate for large n. */
export function binomialMass(k: number, n: number, p: number): number {
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  if (k === n) return Math.exp(n * Math.log(p));
  const error = stirlingError(n) - stirlingError(k) - stirlingError(n - k);
  const fit = deviance(k, n * p) + deviance(n - k, n * (1 - p));
  return Math.exp(error - fit) / Math.sqrt((2 * Math.PI * k * (n - k)) / n);
}

/** P(X >= k) for X binomial(n, p), 1 <= k <= n and p below k / n: Lentz's continued fraction of the incomplete beta. */
function upperTail(k: number, n: number, p: number): number {
  const b = n - k + 1;
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((k + b) * p) / (k + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
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
  return binomialMass(k, n, p) * (1 - p) * fraction;
}

function nonzero(x: number): number {
  return Math.abs(x) < 1e-300 ? 1e-300 : x;
}

/** The p at which P(X >= k) = tail, for 1 <= k <= n: Newton's method inside a shrinking bracket. */
function lowerLimit(k: number, n: number, tail: number): number {
  if (k === n) return tail ** (1 / n);
  let low = 0;
  let high = k / n;
  let p = high / 2;
  for (let i = 0; i < 200; i += 1) {
    const value = upperTail(k, n, p);
    if (value > tail) high = p;
    else low = p;
    const slope = (binomialMass(k, n, p) * k) / p;
    const newton = p - (Math.log(value / tail) * value) / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - p) <= 4e-16 * next) return next;
    p = next;
  }
  return p;
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
  const high = count === trials ? 1 : 1 - lowerLimit(trials - count, trials, tail);
  return [Number(low.toPrecision(10)), Number(high.toPrecision(10))];
}
