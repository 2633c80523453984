import type { CandidatePool } from '../candidates.js';

/** Properties a selected task could differ in (analyses 4). */
export const PROPERTIES = [
  'chance_score',
  'optimal_margin',
  'distinct_score_count',
  'zero_portfolio_share',
  'score_map_standard_deviation',
  'reference_model_mean_score',
] as const;
export type Property = (typeof PROPERTIES)[number];

/** What the properties of a task are read from. */
export interface PropertySource {
  readonly pool: CandidatePool;
  /** Per pool task. */
  readonly maps: readonly Uint16Array[];
  readonly chance: ArrayLike<number>;
  readonly margin: ArrayLike<number>;
}

/** Adds numbers in their order. */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i += 1) total += values[i]!;
  return total;
}

/** Computes a property of pool task t; `gate` is the row left out of the reference mean. */
export function propertyValue(source: PropertySource, property: Property, t: number, gate: number): number {
  const map = source.maps[t]!;
  const { pool } = source;
  switch (property) {
    case 'chance_score':
      return source.chance[t]! / 100;
    case 'optimal_margin':
      return source.margin[t]! / 100;
    case 'distinct_score_count':
      return new Set(map).size;
    case 'zero_portfolio_share':
      return map.filter((score) => score === 0).length / map.length;
    case 'score_map_standard_deviation': {
      const mean = sum(map) / map.length;
      return Math.sqrt(map.reduce((s, x) => s + (x - mean) ** 2, 0) / map.length) / 100;
    }
    case 'reference_model_mean_score': {
      let total = 0;
      let cells = 0;
      for (let m = 0; m < pool.models.length; m += 1) {
        const at = m * pool.tasks.length + t;
        if (m === gate || pool.valid[at] === 0) continue;
        total += pool.scores[at]! / 100;
        cells += 1;
      }
      return cells === 0 ? 0 : total / cells;
    }
  }
}

/** Divides (mean of one group - mean of the other) by the root of their mean variance; 0 where that is nothing (analyses 4). */
export function standardizedDifference(values: Float64Array, group: Uint8Array): number {
  const part = (wanted: number) => values.filter((_, i) => group[i] === wanted);
  const facts = (list: Float64Array) => {
    const mean = sum(list) / list.length;
    const squares = list.reduce((s, x) => s + (x - mean) ** 2, 0);
    return { mean, variance: squares / Math.max(1, list.length - 1) };
  };
  const left = part(1);
  const right = part(0);
  if (left.length === 0 || right.length === 0) return 0;
  const a = facts(left);
  const b = facts(right);
  const scale = Math.sqrt((a.variance + b.variance) / 2);
  return scale <= 1e-12 ? 0 : (a.mean - b.mean) / scale;
}

/** Averages the members of a group, and the others. */
export function groupMeans(values: Float64Array, group: Uint8Array): [number, number] {
  const mean = (wanted: number) => {
    const part = values.filter((_, i) => group[i] === wanted);
    return sum(part) / part.length;
  };
  return [mean(1), mean(0)];
}
