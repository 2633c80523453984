import { type ConstraintVariant, satisfies, variantName } from '../feasibility.js';
import type { CompileDesign } from './design.js';
import type { Candidate, Family, Generated, Rejection } from './family.js';
import { ranked, spaced } from './ranking.js';
import type { Eligible, Space } from './space.js';

/** Gives the rank that orders variants by looseness: the limit, and a fifth more for vegetarian (compiler b.3). */
export function constraintDifficulty({ flag, nova }: ConstraintVariant): number {
  return nova + (flag === 'vegetarian' ? 0.2 : 0);
}

/** Takes the most similar complements that satisfy a variant, and violations spread over the most similar ones (compiler b.3). */
export function constraintCandidates(space: Space, design: CompileDesign): Family<Eligible>['candidates'] {
  return (anchor, similarity) => candidatesOf(space, design, anchor, similarity);
}

function candidatesOf(
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
