import { type DietRule, meetsDiet } from './diet.js';
import { type Environment, type IngredientTags, needTags } from './environment.js';
import { centroid, projections, type Scored } from './similarity.js';

/** Lighter and heavier reductions of a score by category: [alone, among several categories] (compiler a.6). */
const PENALTIES: readonly {
  readonly categories: ReadonlySet<string>;
  readonly sizes: readonly [number, number];
}[] = [
  { categories: new Set(['Meat', 'Fish', 'Seafood']), sizes: [0.35, 0.15] },
  { categories: new Set(['Sweet']), sizes: [0.3, 0.1] },
  { categories: new Set(['Fat', 'Nuts']), sizes: [0.25, 0.12] },
];
const MOST_PENALTY = 0.6;
const PRIMARIES = 8;
const BEST = 4;
const SECONDARIES = 8;
const CLUSTER_OVERLAP = 0.1;

export interface Primary extends Scored {
  readonly secondaries: readonly Scored[];
}

interface Pairings {
  readonly primaries: readonly Primary[];
  /** Groups of primaries with much the same secondaries; each primary is in one. */
  readonly clusters: readonly (readonly string[])[];
  /** Secondaries of two or more primaries. */
  readonly bridges: readonly string[];
}

function penaltyOf(tags: IngredientTags): number {
  const own = new Set([tags.category, tags.foodGroup]);
  let sum = 0;
  for (const { categories, sizes } of PENALTIES)
    if ([...own].some((category) => categories.has(category))) sum += sizes[own.size > 1 ? 1 : 0];
  return Math.min(MOST_PENALTY, sum);
}

function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let common = 0;
  for (const row of a) if (b.has(row)) common += 1;
  return common / (a.size + b.size - common);
}

/**
 * Finds partners for one or more ingredients (compiler a.6 find_pairings). A score is the cosine with the seeds' centroid, reduced
 * by a category penalty; rows that miss the diet rule or share a word with a seed are left out. Eight primaries; for each, the
 * centroid of the seeds and it gives four secondaries, then four that no other primary has, filled to eight.
 */
export function findPairings(
  environment: Environment,
  options: { readonly seeds: readonly number[]; readonly rule: DietRule },
): Pairings {
  const { seeds, rule } = options;
  const tags = needTags(environment, 'find-pairings');
  const { names } = environment;
  const keep = tags.map((each) => (each === null ? 0 : 1 - penaltyOf(each)));
  const seedWords = new Set(seeds.flatMap((row) => names[row]!.split('_')));
  const allowed = names.flatMap((name, row) =>
    !seeds.includes(row) &&
    tags[row] &&
    meetsDiet(tags[row], rule) &&
    !name.split('_').some((word) => seedWords.has(word))
      ? [row]
      : [],
  );
  const ranked = (rows: readonly number[], exclude: ReadonlySet<number>): Scored[] => {
    const cosines = projections(environment, centroid(environment, rows));
    return allowed
      .filter((row) => !exclude.has(row))
      .map((row) => ({ row, name: names[row]!, value: cosines[row]! * keep[row]! }))
      .sort((a, b) => b.value - a.value || a.row - b.row);
  };
  const first = ranked(seeds, new Set()).slice(0, PRIMARIES);
  const taken = new Set(first.map(({ row }) => row));
  const lists = first.map(({ row }) => ranked([...seeds, row], taken));
  const best = lists.map((list) => list.slice(0, BEST));
  const listed = new Set(best.flat().map(({ row }) => row));
  const primaries = first.map((primary, i): Primary => {
    const secondaries = [...best[i]!];
    const rest = lists[i]!.slice(BEST);
    for (const candidate of rest) {
      if (secondaries.length >= SECONDARIES) break;
      if (listed.has(candidate.row)) continue;
      listed.add(candidate.row);
      secondaries.push(candidate);
    }
    for (const candidate of rest) {
      if (secondaries.length >= SECONDARIES) break;
      if (!secondaries.includes(candidate)) secondaries.push(candidate);
    }
    return { ...primary, secondaries };
  });
  return { primaries, clusters: clustersOf(primaries), bridges: bridgesOf(primaries) };
}

function clustersOf(primaries: readonly Primary[]): string[][] {
  const sets = primaries.map(({ secondaries }) => new Set(secondaries.map(({ row }) => row)));
  const free = new Set(primaries.keys());
  const clusters: string[][] = [];
  for (const leader of primaries.keys()) {
    if (!free.has(leader)) continue;
    const members = [...free].filter((i) => i === leader || jaccard(sets[leader]!, sets[i]!) >= CLUSTER_OVERLAP);
    for (const i of members) free.delete(i);
    clusters.push(members.map((i) => primaries[i]!.name));
  }
  return clusters;
}

function bridgesOf(primaries: readonly Primary[]): string[] {
  const counts = new Map<string, number>();
  for (const { secondaries } of primaries)
    for (const { name } of secondaries) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([name]) => name);
}
