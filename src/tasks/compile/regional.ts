import { fixed } from '../../util/format.js';
import type { CompileDesign } from './design.js';
import { type Family, type Generated, type Rule, similaritiesTo } from './family.js';
import { ranked, spaced } from './ranking.js';
import type { Eligible, Space } from './space.js';

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
  return (anchor) => candidateOf(space, design, cuisines, anchor);
}

function candidateOf(
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
