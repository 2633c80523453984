import { fixed } from '../../util/format.js';
import { type ConstraintVariant, satisfies, variantName } from '../feasibility.js';
import type { CompileDesign, SpreadRule } from './compile-design.js';
import { type Eligible, regionsOverlap, type Space } from './eligible.js';
import { type Candidate, type Family, type Generated, type Rejection, type Rule, similaritiesTo } from './family.js';
import { nearest, ranked, spaced } from './ranking.js';

/**
 * Spreads choices evenly over the nearest part of a pool: the same category for substitution, complementary categories for
 * pairing; a region in common, no word in common (compiler b.3).
 */
export function spreadCandidates(
  space: Space,
  design: CompileDesign,
  family: 'substitution' | 'pairing',
): Family<Eligible>['candidates'] {
  const partners = ({ category }: Eligible) =>
    family === 'substitution' ? [category] : (design.complements[category] ?? []);
  return (anchor, similarity) => spreadCandidate(space, design, design[family], anchor, partners(anchor), similarity);
}

function spreadCandidate(
  space: Space,
  design: CompileDesign,
  rule: SpreadRule,
  anchor: Eligible,
  categories: readonly string[],
  similarity: Float64Array,
): Generated<Eligible> {
  const shares = new Set(space.sharesWord[anchor.place]);
  const category = space.ofCategories(categories);
  const region = category.filter((item) => item.place !== anchor.place && regionsOverlap(space, anchor, item));
  const pool = region.filter((item) => !shares.has(item.place));
  const reject = (name: 'pool' | 'spread', detail: string): Generated<Eligible> => ({
    candidates: [],
    rejections: [{ anchor: anchor.name, variant: null, rule: name, detail }],
  });
  const least = Math.max(rule.pool, design.choices);
  if (pool.length < least) {
    return reject(
      'pool',
      `${pool.length} candidates, ${least} needed: ${category.length - Number(category.includes(anchor))} others of fitting category, ${region.length} of them with a region in common, ${pool.length} of those without a shared word`,
    );
  }
  const choices = spaced(nearest(pool, similarity, rule.keep), design.choices);
  const spread = similarity[choices[0]!.place]! - similarity[choices.at(-1)!.place]!;
  if (spread < rule.spread) {
    return reject('spread', `similarities spread over ${fixed(spread, 4)}, ${rule.spread} needed`);
  }
  return {
    candidates: [{ anchor, choices, difficulty: 1 / spread, variant: null, region: null }],
    rejections: [],
  };
}

/** Gives the rank that orders variants by looseness: the limit, and a fifth more for vegetarian (compiler b.3). */
export function constraintDifficulty({ flag, nova }: ConstraintVariant): number {
  return nova + (flag === 'vegetarian' ? 0.2 : 0);
}

/** Takes the most similar complements that satisfy a variant, and violations spread over the most similar ones (compiler b.3). */
export function constraintCandidates(space: Space, design: CompileDesign): Family<Eligible>['candidates'] {
  return (anchor, similarity) => variantCandidates(space, design, anchor, similarity);
}

function variantCandidates(
  space: Space,
  design: CompileDesign,
  anchor: Eligible,
  similarity: Float64Array,
): Generated<Eligible> {
  const { valid, window, variants } = design.constraint;
  const invalid = design.choices - valid;
  const shares = new Set(space.sharesWord[anchor.place]);
  const order = ranked(
    space
      .ofCategories(design.complements[anchor.category] ?? [])
      .filter((item) => item.tags.nova !== null && !shares.has(item.place)),
    similarity,
  );
  const candidates: Candidate<Eligible>[] = [];
  const rejections: Rejection[] = [];
  for (const variant of variants) {
    const good: Eligible[] = [];
    const bad: Eligible[] = [];
    for (const item of order) (satisfies(item.tags, variant) ? good : bad).push(item);
    if (good.length < valid || bad.length < invalid) {
      rejections.push({
        anchor: anchor.name,
        variant,
        rule: 'constraint_pool',
        detail: `${good.length} complements are ${variantName(variant)} and ${bad.length} are not; ${valid} and ${invalid} needed`,
      });
      continue;
    }
    candidates.push({
      anchor,
      choices: [...good.slice(0, valid), ...spaced(bad.slice(0, window), invalid)],
      difficulty: constraintDifficulty(variant),
      variant,
      region: null,
    });
  }
  return { candidates, rejections };
}

/** Eligible ingredients by projection on a cuisine, and the projections by place. */
interface CuisineRanking {
  readonly order: readonly Eligible[];
  readonly projection: Float64Array;
}

type CuisineRankings = ReadonlyMap<string, CuisineRanking>;

/** One ranking for each cuisine the environment has a direction for. */
function rankCuisines(space: Space): CuisineRankings {
  return new Map(
    [...space.cuisineRow].map(([cuisine, row]) => {
      const projection = similaritiesTo(space, [{ row }]);
      return [cuisine, { order: ranked(space.eligible, projection), projection }];
    }),
  );
}

/**
 * Takes the best of new categories and a spread of the worst for the one cuisine the anchor belongs to; the anchor itself
 * only removes the names that share a word with it (compiler b.3).
 */
export function regionalCandidates(space: Space, design: CompileDesign): Family<Eligible>['candidates'] {
  const cuisines = rankCuisines(space);
  return (anchor) => regionalCandidate(space, design, cuisines, anchor);
}

function regionalCandidate(
  space: Space,
  design: CompileDesign,
  cuisines: CuisineRankings,
  anchor: Eligible,
): Generated<Eligible> {
  const rule = design.cultural_composition;
  const reject = (name: Rule, detail: string): Generated<Eligible> => ({
    candidates: [],
    rejections: [{ anchor: anchor.name, variant: null, rule: name, detail }],
  });
  const own = rule.cuisines.filter((cuisine) => anchor.regions.includes(cuisine));
  if (own.length !== 1) {
    return reject(
      'single_cuisine',
      `it belongs to ${own.length} of the ${rule.cuisines.length} cuisines, exactly one is needed`,
    );
  }
  const region = own[0]!;
  const ranking = cuisines.get(region);
  if (!ranking) return reject('direction', `the environment has no direction ${region}`);
  const shares = new Set(space.sharesWord[anchor.place]);
  const order = ranking.order.filter((item) => !shares.has(item.place));
  const used = new Set<string>();
  const high: Eligible[] = [];
  for (const item of order) {
    if (high.length === rule.high) break;
    if (used.has(item.category)) continue;
    used.add(item.category);
    high.push(item);
  }
  const taken = new Set(high);
  const tail = [...order]
    .reverse()
    .filter((item) => !taken.has(item))
    .slice(0, rule.window);
  const low = design.choices - rule.high;
  if (high.length < rule.high || tail.length < low) {
    return reject(
      'distinct_categories',
      `${high.length} ingredients of different categories on top and ${tail.length} below; ${rule.high} and ${low} needed`,
    );
  }
  const bottom = spaced(tail, low);
  const mean = (items: readonly Eligible[]): number =>
    items.reduce((sum, item) => sum + ranking.projection[item.place]!, 0) / items.length;
  const spread = mean(high) - mean(bottom);
  if (spread < rule.spread) {
    return reject('spread', `projections spread over ${fixed(spread, 4)}, ${rule.spread} needed`);
  }
  const candidate = {
    anchor,
    choices: [...high, ...bottom],
    difficulty: 1 / spread,
    variant: null,
    region,
  };
  return { candidates: [candidate], rejections: [] };
}
