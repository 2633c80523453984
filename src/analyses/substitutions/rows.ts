import type { SubstitutionResult } from './check.js';

/** Where people's substitutes stand in one space. */
export interface SubstitutionRow {
  readonly space: string;
  readonly pairs: number;
  readonly percentile: number;
  readonly low: number;
  readonly high: number;
  /** Null where training saw every pair. */
  readonly novel: { readonly pairs: number; readonly percentile: number } | null;
  readonly hitAt10: number;
}

/** One row a space. */
export function substitutionRows(spaces: readonly SubstitutionResult[]): SubstitutionRow[] {
  return spaces.map(({ space, all, novel, vocabulary }) => ({
    space,
    pairs: all.pairs,
    percentile: all.percentile,
    low: all.interval[0],
    high: all.interval[1],
    novel: novel && { pairs: novel.pairs, percentile: novel.percentile },
    hitAt10: vocabulary.hit_at_10,
  }));
}
