import { sortedQuantile } from '../../engine/quantile.js';

/** A space the check can ask: similarity of two of its rows. */
export interface SubstitutionSpace {
  readonly name: string;
  /** Vocabulary, in row order. */
  readonly names: readonly string[];
  /** Food group of each row. */
  readonly groups: readonly string[];
  similarity(a: number, b: number): number;
}

/** Rows of an observed replacement, and whether training never saw it. */
export interface SubstitutionPair {
  readonly source: number;
  readonly target: number;
  readonly novel: boolean;
}

/** Rank of the target in the whole vocabulary, averaged over pairs. */
export interface VocabularyRanks {
  readonly size: number;
  readonly mean_reciprocal_rank: number;
  readonly hit_at_1: number;
  readonly hit_at_3: number;
  readonly hit_at_10: number;
  readonly mean_rank: number;
  readonly median_rank: number;
  /** What uniform ranks would give. */
  readonly chance: {
    readonly mean_reciprocal_rank: number;
    readonly hit_at_1: number;
    readonly hit_at_3: number;
    readonly hit_at_10: number;
  };
}

/** Gives the similarities of a source to the whole vocabulary; pairs come sorted by source, so the last one is kept. */
export function similarityRows(space: SubstitutionSpace): (source: number) => Float64Array {
  const row = new Float64Array(space.names.length);
  let kept = -1;
  return (source) => {
    if (source !== kept) for (let i = 0; i < row.length; i += 1) row[i] = space.similarity(source, i);
    kept = source;
    return row;
  };
}

/** Ranks the target among candidates, best first; equals share the middle: 1 + better + half of the other equals. */
export function rankOf(
  similarities: Float64Array,
  { source, target }: SubstitutionPair,
  candidates: Iterable<number>,
): { rank: number; size: number } {
  const own = similarities[target]!;
  let better = 0;
  let equal = 0;
  let size = 0;
  for (const candidate of candidates) {
    if (candidate === source) continue;
    size += 1;
    const other = similarities[candidate]!;
    if (other > own) better += 1;
    else if (other === own) equal += 1;
  }
  return { rank: 1 + better + 0.5 * (equal - 1), size };
}

/** Ranks the targets among all names but the source. At least one pair. */
export function vocabularyRanks(space: SubstitutionSpace, pairs: readonly SubstitutionPair[]): VocabularyRanks {
  const everything = space.names.map((_, i) => i);
  const rows = similarityRows(space);
  const ranks = Float64Array.from(pairs, (pair) => rankOf(rows(pair.source), pair, everything).rank).sort();
  const n = ranks.length;
  const size = space.names.length - 1;
  const hit = (k: number) => ranks.filter((rank) => rank <= k).length / n;
  let harmonic = 0;
  for (let k = 1; k <= size; k += 1) harmonic += 1 / k;
  return {
    size,
    mean_reciprocal_rank: ranks.reduce((sum, rank) => sum + 1 / rank, 0) / n,
    hit_at_1: hit(1),
    hit_at_3: hit(3),
    hit_at_10: hit(10),
    mean_rank: ranks.reduce((a, b) => a + b, 0) / n,
    median_rank: sortedQuantile(ranks, 0.5),
    chance: {
      mean_reciprocal_rank: harmonic / size,
      hit_at_1: 1 / size,
      hit_at_3: Math.min(1, 3 / size),
      hit_at_10: Math.min(1, 10 / size),
    },
  };
}
