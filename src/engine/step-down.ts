/** How exceedances become a p: (e + 1) / (draws + 1) of sampled draws, e / total where every possible draw is counted. */
export interface DrawTotal {
  /** Draws, or the sum of their weights. */
  readonly total: number;
  readonly kind: 'sampled' | 'all';
}

/** Tells whether a hypothesis that `exceedances` draws reach is rejected (decisions 3.1). */
export function rejects(exceedances: number, { total, kind }: DrawTotal, alpha: number): boolean {
  return (kind === 'all' ? exceedances / total : (exceedances + 1) / (total + 1)) < alpha;
}

/** Finds how many draws a rejected hypothesis may be reached by at most; -1 where nothing can be rejected. */
export function mostExceedances(draws: DrawTotal, alpha: number): number {
  let most = Math.max(0, Math.floor(alpha * draws.total) - 3);
  if (!rejects(0, draws, alpha)) return -1;
  while (most > 0 && !rejects(most, draws, alpha)) most--;
  while (rejects(most + 1, draws, alpha)) most++;
  return most;
}

/** Hypotheses that are tested together. */
export interface Family {
  /** Observed statistic of each hypothesis. */
  readonly observed: Float64Array;
  /** 1: the hypothesis takes part. */
  readonly members: Uint8Array;
  /** Largest of 0 and the statistics of the hypotheses marked 1, in each draw. */
  maxima(active: Uint8Array): Float64Array;
}

/** One round of step-down. */
export interface StepDownRound {
  /** Statistics above it are rejected; null where no statistic could be. */
  readonly critical: number | null;
  readonly rejected: readonly number[];
}

/** What step-down decides. */
export interface StepDown {
  readonly rejected: Uint8Array;
  /** Draws, or their weight, that reach each hypothesis in its round; the total for those that take no part. */
  readonly exceedances: Float64Array;
  readonly rounds: readonly StepDownRound[];
}

/** What a step-down runs over. */
export interface StepDownOptions {
  readonly family: Family;
  readonly draws: DrawTotal;
  /** Weight of each draw; null: 1. */
  readonly weights: Float64Array | null;
  readonly alpha: number;
}

/**
 * Tests a family by sets: in each round the draws that reach a statistic with their maximum over the active hypotheses are
 * counted, what is rejected leaves, and the rest goes on until a round rejects nothing (decisions 3.1).
 */
export function stepDown({ family, draws, weights, alpha }: StepDownOptions): StepDown {
  const { observed, members } = family;
  const active = members.slice();
  const rejected = new Uint8Array(members.length);
  const exceedances = new Float64Array(members.length).fill(draws.total);
  const rounds: StepDownRound[] = [];
  for (let least = 0; ; ) {
    const tail = sortedTail(family.maxima(active), weights);
    const out: number[] = [];
    let most = least;
    active.forEach((here, h) => {
      if (here === 0) return;
      const reached = tail.reaching(observed[h]!);
      exceedances[h] = Math.max(least, reached);
      if (!rejects(reached, draws, alpha)) return;
      out.push(h);
      most = Math.max(most, exceedances[h]!);
    });
    rounds.push({ critical: tail.critical((reached) => rejects(reached, draws, alpha)), rejected: out });
    if (out.length === 0) return { rejected, exceedances, rounds };
    for (const h of out) {
      active[h] = 0;
      rejected[h] = 1;
    }
    least = most;
  }
}

/** Maxima in order, and how much weight lies at or above a value. */
function sortedTail(maxima: Float64Array, weights: Float64Array | null) {
  const order = Uint32Array.from(maxima, (_, draw) => draw).sort((a, b) => maxima[b]! - maxima[a]!);
  const values = Float64Array.from(order, (draw) => maxima[draw]!);
  const sums = new Float64Array(values.length);
  let sum = 0;
  order.forEach((draw, k) => {
    sum += weights === null ? 1 : weights[draw]!;
    sums[k] = sum;
  });
  /** Weight of the maxima that are at least `value`. */
  const reaching = (value: number): number => {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (values[middle]! >= value) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : sums[low - 1]!;
  };
  return {
    reaching,
    critical: (rejected: (reached: number) => boolean): number | null =>
      rejected(0) ? values.find((value) => !rejected(reaching(value)))! : null,
  };
}
