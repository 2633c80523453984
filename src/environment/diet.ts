import { type Environment, type IngredientTags, tagsOfRow } from './environment.js';

export type Diet = 'vegan' | 'vegetarian';

export interface DietRule {
  readonly diet: Diet | null;
  /** Highest NOVA level allowed, or null for any. */
  readonly maximumNova: number | null;
}

/** Says whether the tags meet the rule: an absent NOVA level never meets a limit (compiler a.4). */
export function meetsDiet(tags: IngredientTags, { diet, maximumNova }: DietRule): boolean {
  if (diet !== null && !tags[diet]) return false;
  return maximumNova === null || (tags.nova !== null && tags.nova <= maximumNova);
}

/** Says why an ingredient misses a rule: a list of reasons, empty when it is feasible. */
export function dietMisses(environment: Environment, row: number, rule: DietRule): string[] {
  const tags = tagsOfRow(environment, row, 'dietary feasibility');
  const reasons: string[] = [];
  if (rule.diet !== null && !tags[rule.diet]) reasons.push(`not ${rule.diet}`);
  if (rule.maximumNova !== null) {
    if (tags.nova === null) reasons.push('no NOVA level');
    else if (tags.nova > rule.maximumNova) reasons.push(`NOVA ${tags.nova} above ${rule.maximumNova}`);
  }
  return reasons;
}

/** Says whether the rows have as many categories as there are rows (compiler a.4 composition feasibility). */
export function allCategoriesDiffer(environment: Environment, rows: readonly number[]): boolean {
  return (
    new Set(rows.map((row) => tagsOfRow(environment, row, 'composition feasibility').category)).size === rows.length
  );
}
