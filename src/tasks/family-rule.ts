import { isObject, type JsonObject } from '../io/json.js';
import { dataText } from '../util/text.js';

/** Weight of the mean single and of the mean pair. */
export interface MapWeights {
  readonly single: number;
  readonly pair: number;
}

/** How portfolios of a family are scored, as a task file states it (compiler b.5, docs/environments.md). */
export interface FamilyRule {
  /** Weights by part of the utility, those of nothing left out; null where the file states none. */
  readonly utility: Readonly<Record<string, number>> | null;
  /** What a portfolio must keep to; empty where nothing limits it. */
  readonly limits: readonly string[];
}

/** Weights as the document's design states them, else as the two percentages in the name of the method do; null where neither does. */
export function statedWeights(design: unknown, family: string, method: unknown): MapWeights | null {
  const rule = isObject(design) ? design[family] : undefined;
  const block = isObject(rule) ? rule.weights : undefined;
  if (isObject(block) && typeof block.single === 'number' && typeof block.pair === 'number')
    return { single: block.single, pair: block.pair };
  const percents = dataText(method).match(/\d+(?:\.\d+)?(?=pct)/g);
  if (percents?.length !== 2) return null;
  return { single: Number(percents[0]) / 100, pair: Number(percents[1]) / 100 };
}

/** What the design of a world says of the utility of a family; null for a document that is of no world. */
export function worldUtility(design: unknown, family: string): JsonObject | null {
  const utility = isObject(design) && isObject(design.utilities) ? design.utilities[family] : undefined;
  return isObject(utility) ? utility : null;
}

/** What the single of a published family is, and what limits its portfolios. */
const PUBLISHED: Readonly<Record<string, { readonly single: string; readonly limits: readonly string[] }>> = {
  substitution: { single: 'similarity to the anchor', limits: [] },
  pairing: { single: 'affinity with the anchor', limits: [] },
  constraint: { single: 'similarity to the anchor', limits: ['diet', 'highest NOVA level'] },
  cultural_composition: { single: 'closeness to the cuisine', limits: ['different categories'] },
};

const WORLD_PARTS: readonly (readonly [key: string, part: string])[] = [
  ['similarity', 'similarity to the anchor'],
  ['value', 'value of its members'],
  ['coherence', 'coherence'],
  ['synergy', 'stated synergy'],
];

function worldRule(utility: JsonObject): FamilyRule {
  const parts = WORLD_PARTS.flatMap(([key, part]) => {
    const weight = utility[key];
    return typeof weight === 'number' && weight !== 0 ? [[part, weight] as const] : [];
  });
  return {
    utility: Object.fromEntries(parts),
    limits: [
      ...(utility.constrained === true ? ['limits of the world'] : []),
      ...(utility.distinct_categories === true ? ['different categories'] : []),
    ],
  };
}

function ruleOf(design: unknown, family: string, row: JsonObject): FamilyRule {
  const utility = worldUtility(design, family);
  if (utility !== null) return worldRule(utility);
  const oracle = isObject(row.oracle_reference) ? row.oracle_reference : {};
  const weights = statedWeights(design, family, oracle.method);
  const published = PUBLISHED[family];
  if (weights === null || published === undefined) return { utility: null, limits: [] };
  return { utility: { [published.single]: weights.single, coherence: weights.pair }, limits: published.limits };
}

/** Reads how the families of a task file are scored, from its design or else from the first row of each. */
export function familyRules(design: unknown, rows: readonly JsonObject[]): ReadonlyMap<string, FamilyRule> {
  const rules = new Map<string, FamilyRule>();
  for (const row of rows) {
    const family = dataText(row.family);
    if (!rules.has(family)) rules.set(family, ruleOf(design, family, row));
  }
  return rules;
}
