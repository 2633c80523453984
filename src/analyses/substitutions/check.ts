import { sortedQuantile } from '../../engine/quantile.js';
import { holm } from '../../inference/p-values.js';
import { fail } from '../../util/error.js';
import { joinedKey } from '../../util/joined.js';
import { type SourceDraws, type SubstitutionEstimate, sourceEstimate } from './estimate.js';
import {
  rankOf,
  type SubstitutionPair,
  type SubstitutionSpace,
  similarityRows,
  type VocabularyRanks,
  vocabularyRanks,
} from './ranks.js';

/** One observed replacement: what stood in a recipe and what took its place. */
export type Substitution = readonly [source: string, target: string];

interface SubstitutionOptions extends Pick<SourceDraws, 'draws' | 'random' | 'shares'> {
  readonly spaces: readonly SubstitutionSpace[];
  /** Held-out events, as observed. */
  readonly test: readonly Substitution[];
  /** Events a model could have been trained on: pairs among them are not novel. */
  readonly train: readonly Substitution[];
  /** Fewest candidates a food group must offer. */
  readonly minGroup: number;
  readonly alpha: number;
}

export interface SubstitutionResult {
  readonly space: string;
  readonly all: SubstitutionEstimate & { readonly holm_p: number; readonly significant: boolean };
  /** null when every pair was seen in training. */
  readonly novel: SubstitutionEstimate | null;
  /** Candidates that the food groups offer the pairs. */
  readonly candidates: {
    readonly minimum: number;
    readonly median: number;
    readonly maximum: number;
  };
  readonly vocabulary: VocabularyRanks;
}

export interface SubstitutionCoverage {
  readonly train_events: number;
  readonly test_events: number;
  /** Test events with this end, or both, in the vocabulary; both also means that they differ. */
  readonly source_mapped_events: number;
  readonly target_mapped_events: number;
  readonly mapped_events: number;
  readonly unique_pairs: number;
  readonly sources: number;
  readonly targets: number;
  readonly novel_pairs: number;
}

const rowsOf = (names: readonly string[]) => new Map(names.map((name, i) => [name, i]));

/** Unique directed pairs whose ends stand in the vocabulary by exact name, by (source, target) text. */
function mappedPairs(options: SubstitutionOptions, names: readonly string[]) {
  const row = rowsOf(names);
  const key = ([source, target]: Substitution) => joinedKey(source, target);
  const mapped = options.test.filter(([source, target]) => source !== target && row.has(source) && row.has(target));
  const trained = new Set(options.train.map(key));
  const unique = new Map(mapped.map((pair) => [key(pair), pair]));
  const pairs = [...unique.values()]
    .sort((a, b) => (a[0] === b[0] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? -1 : 1))
    .map((pair): SubstitutionPair => {
      const [source, target] = pair;
      return {
        source: row.get(source)!,
        target: row.get(target)!,
        novel: !trained.has(key(pair)),
      };
    });
  return { mapped, pairs };
}

/**
 * Makes the Recipe1MSubs check: do people's replacements rank high within their food group, in a space that was not made from
 * them (analyses 8)? Errors: SCHEMA_INVALID when spaces differ in vocabulary, no event maps, or a food group is too small.
 */
export function substitutionCheck(options: SubstitutionOptions): {
  readonly coverage: SubstitutionCoverage;
  readonly results: readonly SubstitutionResult[];
} {
  const [first] = options.spaces;
  if (first === undefined) fail('USAGE', null, 'no environment to check was given');
  const other = options.spaces.find(({ names }) => names.join('\n') !== first.names.join('\n'));
  if (other !== undefined) {
    fail(
      'SCHEMA_INVALID',
      null,
      `environments ${first.name} and ${other.name} have different vocabularies`,
      'Spaces are compared over the same names in the same order; run them one by one.',
    );
  }
  const { mapped, pairs } = mappedPairs(options, first.names);
  if (pairs.length === 0) {
    fail(
      'SCHEMA_INVALID',
      null,
      'no test event has both ends in the vocabulary',
      'Names are matched exactly; check their spelling against `flavourbench env show`.',
    );
  }
  const row = rowsOf(first.names);
  const raw = options.spaces.map((space, k) => checked(space, pairs, options, k));
  const adjusted = holm(raw.map(({ all }) => all.p));
  return {
    coverage: {
      train_events: options.train.length,
      test_events: options.test.length,
      source_mapped_events: options.test.filter(([source]) => row.has(source)).length,
      target_mapped_events: options.test.filter(([, target]) => row.has(target)).length,
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
        holm_p: adjusted[k]!,
        significant: adjusted[k]! < options.alpha,
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
  const sizes = new Float64Array(pairs.length);
  const percentiles = pairs.map((pair, i) => {
    const group = space.groups[pair.target]!;
    const { rank, size } = rankOf(rows(pair.source), pair, members.get(group)!);
    if (size < Math.max(2, options.minGroup)) {
      fail(
        'SCHEMA_INVALID',
        null,
        `food group ${group} offers ${size} candidates for ${space.names[pair.source]}; ${options.minGroup} are needed`,
        'Lower --min-group, or use a larger vocabulary.',
      );
    }
    sizes[i] = size;
    return (size - rank) / (size - 1);
  });
  sizes.sort();
  const novel = pairs.flatMap((pair, i) => (pair.novel ? [i] : []));
  const estimate = (chosen: readonly number[], kind: SourceDraws['kind']) =>
    sourceEstimate(
      {
        sources: chosen.map((i) => pairs[i]!.source),
        percentiles: chosen.map((i) => percentiles[i]!),
      },
      { draws: options.draws, random: options.random, shares: options.shares, kind, space: index },
    );
  return {
    space: space.name,
    all: estimate([...pairs.keys()], 'all'),
    novel: novel.length === 0 ? null : estimate(novel, 'novel'),
    candidates: {
      minimum: sortedQuantile(sizes, 0),
      median: sortedQuantile(sizes, 0.5),
      maximum: sortedQuantile(sizes, 1),
    },
    vocabulary: vocabularyRanks(space, pairs),
  };
}

/** Where people's substitutes stand in one space. */
interface SubstitutionRow {
  readonly space: string;
  readonly pairs: number;
  readonly percentile: number;
  readonly low: number;
  readonly high: number;
  /** Null where training saw every pair. */
  readonly novel: { readonly pairs: number; readonly percentile: number } | null;
  readonly hitAt10: number;
}

/** Lists one row a space, as figure and table show it. */
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
