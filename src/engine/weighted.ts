import { blockedSum } from './moments.js';

/** Values with whole weights, and room to order them in. */
export interface WeightedScratch {
  readonly values: Float64Array;
  readonly weights: Float64Array;
}

/** Opens room to order n values. */
export function weightedScratch(n: number): WeightedScratch {
  return { values: new Float64Array(n), weights: new Float64Array(n) };
}

/**
 * Forms the weighted standard deviation, the population value: sqrt(sum w (x - mean)^2 / W), sums in blocks as in statistics 5.3; 0
 * where all values are the same f64 (decisions 5.1).
 */
export function populationError(n: number, weights: Float64Array, total: number, value: (k: number) => number): number {
  let same = 1;
  while (same < n && value(same) === value(0)) same++;
  if (same >= n) return 0;
  const mean = blockedSum(n, (k) => weights[k]! * value(k)) / total;
  const squares = blockedSum(n, (k) => {
    const d = value(k) - mean;
    return weights[k]! * (d * d);
  });
  return Math.sqrt(squares / total);
}

function swap(scratch: WeightedScratch, a: number, b: number): void {
  const { values, weights } = scratch;
  const value = values[a]!;
  values[a] = values[b]!;
  values[b] = value;
  const weight = weights[a]!;
  weights[a] = weights[b]!;
  weights[b] = weight;
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function weigh(weights: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += weights[k]!;
  return sum;
}

/**
 * Finds the least of n values whose cumulative weight reaches q x total (decisions 5.1). Weights are whole and at least 1. The
 * values and weights in `scratch` change places.
 */
export function weightedQuantile(scratch: WeightedScratch, n: number, total: number, q: number): number {
  const { values, weights } = scratch;
  const wanted = Math.max(1, q * total);
  let low = 0;
  let high = n - 1;
  let before = 0;
  while (low < high) {
    const pivot = median(values[low]!, values[(low + high) >>> 1]!, values[high]!);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i <= j) swap(scratch, i++, j--);
    }
    const left = before + weigh(weights, low, j + 1);
    if (left >= wanted) {
      high = j;
      continue;
    }
    const level = left + weigh(weights, j + 1, i);
    if (level >= wanted) return pivot;
    before = level;
    low = i;
  }
  return values[low]!;
}
