import { fail, shown } from '../util/error.js';
import { clopperPearson } from './binomial.js';

/**
 * Gives Holm's step-down adjusted p-values, in input order (statistics 7): never below the raw value, never above 1,
 * monotone in it, equal for equal p. A p outside [0, 1] or not a number is an error that names its place.
 */
export function holm(p: ArrayLike<number>): Float64Array {
  const n = p.length;
  for (let i = 0; i < n; i += 1) {
    const value = p[i]!;
    if (!(value >= 0 && value <= 1))
      fail('P_INVALID', null, `hypothesis ${i} has p = ${shown(value)}`, 'A p-value lies between 0 and 1.');
  }
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => p[a]! - p[b]! || a - b);
  const adjusted = new Float64Array(n);
  let running = 0;
  for (let k = 0; k < n; k += 1) {
    const i = order[k]!;
    running = Math.max(running, Math.min(1, (n - k) * p[i]!));
    adjusted[i] = running;
  }
  return adjusted;
}

/** Gives a p-value by the one rule of the project: (e + 1) / (R + 1), so never zero (statistics 6). */
export function pValue(exceedances: number, draws: number): number {
  return (exceedances + 1) / (draws + 1);
}

export interface TestFamily {
  readonly p: Float64Array;
  readonly holm: Float64Array;
  /** Holm p < alpha, strictly. */
  readonly significant: readonly boolean[];
  /** 99 % Clopper-Pearson interval of the p that endless draws would give. */
  readonly interval99: readonly (readonly [number, number])[];
  /** Holm's decision differs between all lower and all upper ends of those intervals: more draws could change it. */
  readonly couldFlip: readonly boolean[];
}

/** Tests one family of hypotheses from its exceedance counts. */
export function testFamily(exceedances: ArrayLike<number>, draws: number, alpha: number): TestFamily {
  const counts = Float64Array.from(exceedances);
  const known = new Map<number, readonly [number, number]>();
  const interval99 = Array.from(counts, (count) => {
    const before = known.get(count);
    if (before) return before;
    const made = clopperPearson({ count, trials: draws, confidence: 0.99 });
    known.set(count, made);
    return made;
  });
  const p = counts.map((count) => pValue(count, draws));
  const adjusted = holm(p);
  const low = holm(interval99.map(([lower]) => lower));
  const high = holm(interval99.map(([, upper]) => upper));
  return {
    p,
    holm: adjusted,
    significant: Array.from(adjusted, (value) => value < alpha),
    interval99,
    couldFlip: Array.from(low, (value, i) => value < alpha !== high[i]! < alpha),
  };
}
