import { clopperPearson } from './binomial.js';
import { holm } from './holm.js';

/** The one p-value rule of the project: (e + 1) / (R + 1), so never zero (statistics 6). */
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

/** One family of hypotheses from its exceedance counts. */
export function testFamily(exceedances: ArrayLike<number>, draws: number, alpha: number): TestFamily {
  const counts = Float64Array.from(exceedances);
  const known = new Map<number, readonly [number, number]>();
  const interval99 = Array.from(counts, (count) => {
    const seen = known.get(count);
    if (seen) return seen;
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
