import { integers, pcg64, philoxDraw } from '../engine/index.js';
import { sortedQuantile } from '../engine/quantile.js';
import { holm } from '../inference/holm.js';
import { FlavourError } from '../util/error.js';
import {
  rankOf,
  type SubstitutionPair,
  type SubstitutionSpace,
  similarityRows,
  type VocabularyRanks,
  vocabularyRanks,
} from './substitution-ranks.js';

/** Philox streams of the source bootstrap, all pairs and novel pairs. */
export const SUBSTITUTION_STREAMS = { all: 5, novel: 6 } as const;

/** Draws the published stream makes at once. */
const CHUNK = 2000;

/** One observed replacement: what stood in a recipe and what took its place. */
export type Substitution = readonly [source: string, target: string];

export interface SubstitutionOptions {
  readonly spaces: readonly SubstitutionSpace[];
  /** Held-out events, as observed. */
  readonly test: readonly Substitution[];
  /** Events a model could have been trained on: pairs among them are not novel. */
  readonly train: readonly Substitution[];
  /** Fewest candidates a food group must offer. */
  readonly minGroup: number;
  readonly draws: number;
  readonly alpha: number;
  /** Replayed seeds step by 10 a space and by 1 for novel pairs (analyses 8). */
  readonly random: { readonly kind: 'philox' | 'numpy'; readonly seed: bigint };
}

export interface SubstitutionEstimate {
  readonly pairs: number;
  readonly sources: number;
  /** Mean over sources of the mean percentile of their observed targets; chance is one half. */
  readonly percentile: number;
  readonly interval: readonly [number, number];
  readonly exceedances: number;
  /** One-sided. */
  readonly p: number;
}

export interface SubstitutionResult {
  readonly space: string;
  readonly all: SubstitutionEstimate & { readonly holm_p: number; readonly significant: boolean };
  /** null when every pair was seen in training. */
  readonly novel: SubstitutionEstimate | null;
  readonly vocabulary: VocabularyRanks;
}

export interface SubstitutionCoverage {
  readonly test_events: number;
  readonly mapped_events: number;
  readonly unique_pairs: number;
  readonly sources: number;
  readonly targets: number;
  readonly novel_pairs: number;
}

/** Unique directed pairs whose ends stand in the vocabulary by exact name, by (source, target) text. */
function mappedPairs(options: SubstitutionOptions, names: readonly string[]) {
  const row = new Map(names.map((name, i) => [name, i]));
  const key = ([source, target]: Substitution) => `${source}\0${target}`;
  const mapped = options.test.filter(
    ([source, target]) => source !== target && row.has(source) && row.has(target),
  );
  const seen = new Set(options.train.map(key));
  const unique = new Map(mapped.map((pair) => [key(pair), pair]));
  const pairs = [...unique.values()]
    .sort((a, b) => (a[0] === b[0] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? -1 : 1))
    .map((pair): SubstitutionPair => {
      const [source, target] = pair;
      return {
        source: row.get(source) as number,
        target: row.get(target) as number,
        novel: !seen.has(key(pair)),
      };
    });
  return { mapped, pairs };
}

/**
 * The Recipe1MSubs check: do people's replacements rank high within their food group, in a space that was not made from
 * them (analyses 8)? Errors: SCHEMA_INVALID when spaces differ in vocabulary, no event maps, or a food group is too small.
 */
export function substitutionCheck(options: SubstitutionOptions): {
  readonly coverage: SubstitutionCoverage;
  readonly results: readonly SubstitutionResult[];
} {
  const [first] = options.spaces;
  if (first === undefined) throw new FlavourError('USAGE', 'no environment to check was given');
  const other = options.spaces.find(({ names }) => names.join('\n') !== first.names.join('\n'));
  if (other !== undefined) {
    throw new FlavourError(
      'SCHEMA_INVALID',
      `environments ${first.name} and ${other.name} have different vocabularies`,
      { hint: 'Spaces are compared over the same names in the same order; run them one by one.' },
    );
  }
  const { mapped, pairs } = mappedPairs(options, first.names);
  if (pairs.length === 0) {
    throw new FlavourError('SCHEMA_INVALID', 'no test event has both ends in the vocabulary', {
      hint: 'Names are matched exactly; check their spelling against `flavourbench env show`.',
    });
  }
  const raw = options.spaces.map((space, k) => checked(space, pairs, options, k));
  const adjusted = holm(raw.map(({ all }) => all.p));
  return {
    coverage: {
      test_events: options.test.length,
      mapped_events: mapped.length,
      unique_pairs: pairs.length,
      sources: new Set(pairs.map(({ source }) => source)).size,
      targets: new Set(pairs.map(({ target }) => target)).size,
      novel_pairs: pairs.filter(({ novel }) => novel).length,
    },
    results: raw.map((result, k) => ({
      ...result,
      all: {
        ...result.all,
        holm_p: adjusted[k] as number,
        significant: (adjusted[k] as number) < options.alpha,
      },
    })),
  };
}

function checked(
  space: SubstitutionSpace,
  pairs: readonly SubstitutionPair[],
  options: SubstitutionOptions,
  index: number,
) {
  const members = new Map<string, number[]>();
  space.groups.forEach((group, i) => {
    const list = members.get(group) ?? [];
    list.push(i);
    members.set(group, list);
  });
  const rows = similarityRows(space);
  const percentiles = pairs.map((pair) => {
    const group = space.groups[pair.target] as string;
    const { rank, size } = rankOf(rows(pair.source), pair, members.get(group) as number[]);
    if (size < Math.max(2, options.minGroup)) {
      throw new FlavourError(
        'SCHEMA_INVALID',
        `food group ${group} offers ${size} candidates for ${space.names[pair.source]}; ${options.minGroup} are needed`,
        { hint: 'Lower --min-group, or use a larger vocabulary.' },
      );
    }
    return (size - rank) / (size - 1);
  });
  const seed = options.random.seed + 10n * BigInt(index);
  const novel = pairs.flatMap(({ novel: isNew }, i) => (isNew ? [i] : []));
  const every = pairs.map((_, i) => i);
  const estimate = (chosen: readonly number[], kind: 'all' | 'novel') =>
    sourceEstimate(pairs, percentiles, chosen, options, kind, kind === 'all' ? seed : seed + 1n);
  return {
    space: space.name,
    all: estimate(every, 'all'),
    novel: novel.length === 0 ? null : estimate(novel, 'novel'),
    vocabulary: vocabularyRanks(space, pairs),
  };
}

function sourceEstimate(
  pairs: readonly SubstitutionPair[],
  percentiles: readonly number[],
  chosen: readonly number[],
  { draws, random }: SubstitutionOptions,
  kind: 'all' | 'novel',
  seed: bigint,
): SubstitutionEstimate {
  const sums = new Map<number, { total: number; count: number }>();
  for (const i of chosen) {
    const { source } = pairs[i] as SubstitutionPair;
    const entry = sums.get(source) ?? { total: 0, count: 0 };
    entry.total += percentiles[i] as number;
    entry.count += 1;
    sums.set(source, entry);
  }
  const means = Float64Array.from(sums.values(), ({ total, count }) => total / count);
  const S = means.length;
  const percentile = means.reduce((a, b) => a + b, 0) / S;
  const values = new Float64Array(draws);
  const source = random.kind === 'numpy' ? pcg64(seed) : undefined;
  for (let start = 0; start < draws; start += CHUNK) {
    const count = Math.min(CHUNK, draws - start);
    const chunk = source ? integers(source, S, count * S) : undefined;
    for (let d = 0; d < count; d += 1) {
      const indices =
        chunk?.subarray(d * S, (d + 1) * S) ??
        philoxDraw({
          seed: random.seed,
          stream: SUBSTITUTION_STREAMS[kind],
          draw: start + d,
        }).indices(S, S);
      let total = 0;
      for (let i = 0; i < S; i += 1) total += means[indices[i] as number] as number;
      values[start + d] = total / S;
    }
  }
  const excess = percentile - 0.5;
  const exceedances = values.filter((value) => value - percentile >= excess).length;
  const sorted = values.sort();
  return {
    pairs: chosen.length,
    sources: S,
    percentile,
    interval: [sortedQuantile(sorted, 0.025), sortedQuantile(sorted, 0.975)],
    exceedances,
    p: (exceedances + 1) / (draws + 1),
  };
}
