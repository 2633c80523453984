/** erfc(x) for x >= 0: series near zero, Lentz's continued fraction beyond; relative error about 1e-15. */
function erfcPositive(x: number): number {
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; n < 200; n += 1) {
      term *= (-x * x) / n;
      const next = sum + term / (2 * n + 1);
      if (next === sum) break;
      sum = next;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let c = x;
  let d = 0;
  let fraction = x;
  for (let n = 1; n < 500; n += 1) {
    d = 1 / (x + (n / 2) * d);
    c = x + n / 2 / c;
    const step = c * d;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

/** Computes P(Z <= x) of the standard normal distribution. */
export function normalCdf(x: number): number {
  const tail = erfcPositive(Math.abs(x) / Math.SQRT2) / 2;
  return x > 0 ? 1 - tail : tail;
}

/** Finds the x with P(Z <= x) = p, for 0 < p < 1: Newton's method on the smaller tail, from a rational first guess. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`${p} is no probability between 0 and 1`);
  const q = Math.min(p, 1 - p);
  if (q === 0.5) return 0;
  const t = Math.sqrt(-2 * Math.log(q));
  let x = -(t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t)));
  for (let i = 0; i < 60; i += 1) {
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    const error = (normalCdf(x) - q) / density;
    const next = x - error / (1 + (x * error) / 2);
    if (Math.abs(next - x) <= 1e-15 * Math.abs(next)) return p < 0.5 ? next : -next;
    x = next;
  }
  return p < 0.5 ? x : -x;
}
