import { type ConstraintVariant, satisfies } from '../feasibility.js';
import { type Candidate, type Generated, type Rejection, ranked, spaced, variantName } from './candidate.js';
import type { CompileDesign } from './design.js';
import type { Eligible, Space } from './space.js';

/** Rank that orders variants by looseness: the limit, and a fifth more for vegetarian (compiler b.3). */
export function constraintDifficulty({ flag, nova }: ConstraintVariant): number {
  return nova + (flag === 'vegetarian' ? 0.2 : 0);
}

export interface ConstraintRequest {
  readonly space: Space;
  readonly design: CompileDesign;
  readonly anchor: Eligible;
  readonly similarity: Float64Array;
}

/** The most similar complements that satisfy a variant, and violations spread over the most similar ones (compiler b.3). */
export function constraintCandidates(request: ConstraintRequest): Generated {
  const { space, design, anchor, similarity } = request;
  const { valid, window, variants } = design.constraint;
  const invalid = design.choices - valid;
  const shares = new Set(space.sharesWord[anchor.place]);
  const order = ranked(
    space
      .ofCategories(design.complements[anchor.category] ?? [])
      .filter((item) => item.tags.nova !== null && !shares.has(item.place)),
    similarity,
  );
  const candidates: Candidate[] = [];
  const rejections: Rejection[] = [];
  for (const variant of variants) {
    const good: Eligible[] = [];
    const bad: Eligible[] = [];
    for (const item of order) (satisfies(item.tags, variant) ? good : bad).push(item);
    if (good.length < valid || bad.length < invalid) {
      rejections.push({
        family: 'constraint',
        anchor: anchor.name,
        variant,
        rule: 'constraint_pool',
        detail: `${good.length} complements are ${variantName(variant)} and ${bad.length} are not; ${valid} and ${invalid} needed`,
      });
      continue;
    }
    candidates.push({
      family: 'constraint',
      anchor,
      choices: [...good.slice(0, valid), ...spaced(bad.slice(0, window), invalid)],
      difficulty: constraintDifficulty(variant),
      variant,
      region: null,
    });
  }
  return { candidates, rejections };
}
