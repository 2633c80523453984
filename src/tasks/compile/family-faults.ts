import { fail } from '../../util/error.js';
import { satisfies, variantName } from '../feasibility.js';
import type { CompileDesign, ReleasedFamily } from './compile-design.js';
import { DESIGN_PLACE } from './compile-design.js';
import type { Space } from './eligible.js';

const some = (names: readonly string[]): string =>
  `${names.slice(0, 6).join(', ')}${names.length > 6 ? `, and ${names.length - 6} more` : ''}`;

function categoryCounts({ eligible }: Space): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { category } of eligible) counts.set(category, (counts.get(category) ?? 0) + 1);
  return counts;
}

function substitutionFault(space: Space, { substitution, choices }: CompileDesign): string | null {
  const needed = Math.max(substitution.pool, choices) + 1;
  const [largest] = [...categoryCounts(space)].sort((a, b) => b[1] - a[1]);
  if (!largest || largest[1] >= needed) return null;
  return `no category has ${needed} eligible ingredients, an anchor and ${needed - 1} others (least_pool); the largest, ${largest[0]}, has ${largest[1]}`;
}

function partnersFault(space: Space, { complements }: CompileDesign): string | null {
  const present = categoryCounts(space);
  if ([...present.keys()].some((category) => complements[category]?.some((partner) => present.has(partner))))
    return null;
  return `no category of the tag table has a partner there: it has ${some([...present.keys()])}; say which go together as complements`;
}

function constraintFault(space: Space, { constraint }: CompileDesign): string | null {
  const { eligible } = space;
  if (eligible.every(({ tags }) => tags.nova === null))
    return 'no eligible ingredient has a NOVA level (column nova_level of the tag table)';
  if (constraint.variants.some((variant) => eligible.some(({ tags }) => satisfies(tags, variant)))) return null;
  const variants = constraint.variants.map(variantName).join('; ');
  return `no eligible ingredient meets any of its limits: ${variants} (columns is_vegan, is_vegetarian, nova_level)`;
}

function regionalFault(space: Space, { cultural_composition: { cuisines } }: CompileDesign): string | null {
  if (space.cuisineRow.size === 0)
    return `the environment has no direction of a cuisine (${some(cuisines)}): import it with --directions FILE`;
  const single = space.eligible.some(({ regions }) => {
    const own = regions.filter((region) => cuisines.includes(region));
    return own.length === 1 && space.cuisineRow.has(own[0]!);
  });
  return single
    ? null
    : 'no eligible ingredient is of exactly one cuisine that has a direction (column cuisine_region)';
}

function faultOf(space: Space, design: CompileDesign, family: ReleasedFamily): string | null {
  if (family === 'substitution') return substitutionFault(space, design);
  if (family === 'pairing') return partnersFault(space, design);
  if (family === 'constraint') return partnersFault(space, design) ?? constraintFault(space, design);
  return regionalFault(space, design);
}

/** Says why names are not eligible: how many for each reason, names left out of it. */
export function whyIneligible({ ineligible }: Pick<Space, 'ineligible'>): string {
  const counts = new Map<string, number>();
  for (const reason of ineligible.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const listed = sorted.slice(0, 4).map(([reason, count]) => `of ${count} ${reason}`);
  return `${listed.join('; ')}${sorted.length > 4 ? `; of ${sorted.slice(4).reduce((sum, [, count]) => sum + count, 0)} for other reasons` : ''}`;
}

/**
 * Refuses families for which no anchor could do, all of them at once and each with what is missing (reading 3.6). Errors: FAMILY_IMPOSSIBLE.
 */
export function assertFamiliesPossible(space: Space, design: CompileDesign): void {
  if (space.eligible.length === 0) return;
  const faults = design.families.flatMap((family) => {
    const fault = faultOf(space, design, family);
    return fault === null ? [] : [{ family, fault }];
  });
  if (faults.length === 0) return;
  const others = design.families.filter((family) => !faults.some((each) => each.family === family));
  fail(
    'FAMILY_IMPOSSIBLE',
    null,
    faults.map(({ family, fault }) => `${family}: ${fault}`).join('; '),
    others.length > 0
      ? `Add what is missing, or compile the others with \`--only-families ${others.join(',')}\`.`
      : `Add what is missing, or change what is asked for in ${DESIGN_PLACE}.`,
  );
}
