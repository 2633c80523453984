import { fail } from '../../util/error.js';
import { roundHalfEven } from '../../util/round.js';
import type { Eligible } from './eligible.js';

/** Takes k items at even places of a list, first and last included (compiler b.2). Errors: BOUND_EXCEEDED where there are fewer. */
export function spaced<T>(values: readonly T[], k: number): T[] {
  if (values.length < k)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${k} items asked of a list of ${values.length}`,
      'Widen the window the choices are taken from.',
    );
  if (k === 1) return values.slice(0, 1);
  return Array.from({ length: k }, (_, i) => values[roundHalfEven((i * (values.length - 1)) / (k - 1))]!);
}

/** Sorts ingredients by descending similarity; ties keep the order of the list. */
export function ranked(pool: readonly Eligible[], similarity: Float64Array): Eligible[] {
  return [...pool].sort((a, b) => similarity[b.place]! - similarity[a.place]!);
}

/** Gives the first `count` of `ranked`: only what reaches the similarity of the last of them is sorted. */
export function nearest(pool: readonly Eligible[], similarity: Float64Array, count: number): Eligible[] {
  if (pool.length <= count) return ranked(pool, similarity);
  const values = Float64Array.from(pool, ({ place }) => similarity[place]!).sort();
  const least = values[values.length - count]!;
  const head = pool.filter(({ place }) => similarity[place]! >= least);
  return ranked(head, similarity).slice(0, count);
}
