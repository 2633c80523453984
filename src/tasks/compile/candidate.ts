import { fail } from '../../util/error.js';
import { roundHalfEven } from '../../util/round.js';
import type { ConstraintVariant } from '../feasibility.js';
import type { Family } from './design.js';
import type { Eligible } from './space.js';

/** A task before labels and maps: an anchor, its choices and how hard it is (compiler b.3). */
export interface Candidate {
  readonly family: Family;
  readonly anchor: Eligible;
  /** In the order the rule found them. */
  readonly choices: readonly Eligible[];
  readonly difficulty: number;
  readonly variant: ConstraintVariant | null;
  readonly region: string | null;
}

/** The rules that can turn an anchor down. */
export type Rule =
  | 'pool'
  | 'spread'
  | 'constraint_pool'
  | 'single_cuisine'
  | 'direction'
  | 'distinct_categories'
  | 'few_feasible'
  | 'flat'
  | 'tied_optimum';

/** Why an anchor gives no task of a family. */
export interface Rejection {
  readonly family: Family;
  readonly anchor: string;
  readonly variant: ConstraintVariant | null;
  readonly rule: Rule;
  /** The numbers of the matter, as a sentence. */
  readonly detail: string;
}

/** What a family makes of one anchor. */
export interface Generated {
  readonly candidates: readonly Candidate[];
  readonly rejections: readonly Rejection[];
}

/** k items at even places of a list, first and last included (compiler b.2). Error BOUND_EXCEEDED when there are fewer. */
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

/** Ingredients by descending similarity; ties keep the order of the list. */
export function ranked(pool: readonly Eligible[], similarity: Float64Array): Eligible[] {
  return [...pool].sort((a, b) => similarity[b.place]! - similarity[a.place]!);
}

/** The first `count` of `ranked`: only what reaches the similarity of the last of them is sorted. */
export function nearest(pool: readonly Eligible[], similarity: Float64Array, count: number): Eligible[] {
  if (pool.length <= count) return ranked(pool, similarity);
  const values = Float64Array.from(pool, ({ place }) => similarity[place]!).sort();
  const least = values[values.length - count]!;
  const head = pool.filter(({ place }) => similarity[place]! >= least);
  return ranked(head, similarity).slice(0, count);
}

/** A variant as prompts and messages name it. */
export function variantName(variant: ConstraintVariant): string {
  return `${variant.flag}, NOVA at most ${variant.nova}`;
}
