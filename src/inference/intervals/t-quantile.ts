import { normalQuantile } from '../../util/normal.js';

/** Gamma(x + 1/2) / Gamma(x) for x > 0: the asymptotic series far out, and x / (x + 1/2) times the next one on the way there. */
function gammaRatio(x: number): number {
  let factor = 1;
  let y = x;
  for (; y < 32; y += 1) factor *= y / (y + 0.5);
  const r = 1 / y;
  const series =
    1 + r * (-1 / 8 + r * (1 / 128 + r * (5 / 1024 + r * (-21 / 32768 + r * (-399 / 262144 + (r * 869) / 4194304)))));
  return factor * Math.sqrt(y) * series;
}

function nonzero(x: number): number {
  return Math.abs(x) < 1e-300 ? 1e-300 : x;
}

/** The continued fraction of the incomplete beta function I_x(a, b) by Lentz's method, without the factor before it. */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / nonzero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 1_000_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    const step = c * d;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return fraction;
}

/** P(T > t) and the density at t > 0 of Student's t with `df` degrees of freedom; `constant` is the density at 0. */
function upperTail(t: number, df: number, constant: number): { tail: number; density: number } {
  const ratio = (t / df) * t;
  const density = constant * Math.exp((-(df + 1) / 2) * Math.log1p(ratio));
  const x = 1 / (1 + ratio);
  // x^(df/2) (1 - x)^(1/2) / B(df/2, 1/2) is t x^(df/2 + 1/2) times the density at 0, which is t times the density at t.
  const front = t * density;
  const far = x < (df / 2 + 1) / (df / 2 + 2.5);
  const tail = far ? (front / df) * betaFraction(df / 2, 0.5, x) : 0.5 - front * betaFraction(0.5, df / 2, 1 - x);
  return { tail, density };
}

/**
 * Finds the t with P(T > t) = tail for Student's t with `df` degrees of freedom, a real number above 0, for 0 < tail < 1/2:
 * Newton's method for the logarithm of the tail as a function of log t. It is concave there, so every step after the first lands
 * above the root. To ten significant digits, so that no platform's logarithm can show (decisions 2.4).
 */
export function tQuantile(tail: number, df: number): number {
  if (!(tail > 0 && tail < 0.5) || !(df > 0))
    throw new RangeError(`no quantile of t at ${tail} with ${df} degrees of freedom`);
  const constant = gammaRatio(df / 2) / Math.sqrt(Math.PI * df);
  let t = -normalQuantile(tail);
  for (let i = 0; i < 200; i += 1) {
    const { tail: beyond, density } = upperTail(t, df, constant);
    const step = (Math.log(beyond / tail) * beyond) / (density * t);
    const next = t * Math.exp(step);
    if (Math.abs(next - t) <= 1e-13 * t) return Number(next.toPrecision(10));
    t = next;
  }
  return Number(t.toPrecision(10));
}
