import { fixed } from '../../util/format.js';
import type { CompileDesign, SpreadRule } from './design.js';
import type { Family, Generated } from './family.js';
import { nearest, spaced } from './ranking.js';
import { type Eligible, regionsOverlap, type Space } from './space.js';

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
  return (anchor, similarity) => candidateOf(space, design, design[family], anchor, partners(anchor), similarity);
}

function candidateOf(
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
