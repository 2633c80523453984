import { fixed } from '../../util/format.js';
import { type Generated, nearest, spaced } from './candidate.js';
import type { SpreadRule } from './design.js';
import { type Eligible, regionsOverlap, type Space } from './space.js';

export interface SpreadRequest {
  readonly space: Space;
  readonly family: 'substitution' | 'pairing';
  readonly rule: SpreadRule;
  readonly choices: number;
  readonly anchor: Eligible;
  /** Categories that may stand beside the anchor's. */
  readonly categories: readonly string[];
  /** Of the anchor with every eligible ingredient. */
  readonly similarity: Float64Array;
}

/**
 * Choices spread evenly over the nearest part of a pool: the same category for substitution, complementary categories for
 * pairing; region in common, no word in common (compiler b.3).
 */
export function spreadCandidates(request: SpreadRequest): Generated {
  const { space, family, rule, anchor, similarity, categories } = request;
  const shares = new Set(space.sharesWord[anchor.place]);
  const category = space.ofCategories(categories);
  const region = category.filter((item) => item.place !== anchor.place && regionsOverlap(space, anchor, item));
  const pool = region.filter((item) => !shares.has(item.place));
  const reject = (name: 'pool' | 'spread', detail: string): Generated => ({
    candidates: [],
    rejections: [{ family, anchor: anchor.name, variant: null, rule: name, detail }],
  });
  const least = Math.max(rule.pool, request.choices);
  if (pool.length < least) {
    return reject(
      'pool',
      `${pool.length} candidates, ${least} needed: ${category.length - Number(category.includes(anchor))} others of fitting category, ${region.length} of them with a region in common, ${pool.length} of those without a shared word`,
    );
  }
  const choices = spaced(nearest(pool, similarity, rule.keep), request.choices);
  const spread = similarity[choices[0]!.place]! - similarity[choices.at(-1)!.place]!;
  if (spread < rule.spread) {
    return reject('spread', `similarities spread over ${fixed(spread, 4)}, ${rule.spread} needed`);
  }
  return {
    candidates: [{ family, anchor, choices, difficulty: 1 / spread, variant: null, region: null }],
    rejections: [],
  };
}
