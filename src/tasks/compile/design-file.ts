import { z } from 'zod';
import { choose } from '../../engine/maps.js';
import { FlavourError, shown } from '../../util/error.js';
import { type CompileDesign, FAMILIES, RELEASED_DESIGN, type SpreadRule } from './design.js';

const count = z.number().int().positive().max(100_000);
const share = z.number().min(0).max(1);
const weights = z.strictObject({ single: share, pair: share });
const spread = z.strictObject({
  least_pool: count.optional(),
  ranked_kept: count.optional(),
  least_spread: z.number().min(0).max(2).optional(),
  weights: weights.optional(),
});
const words = z.array(z.string().min(1).max(200)).max(10_000);

/** The shape of the `design` block of a compiled document, every key optional. */
const designSchema = z.strictObject({
  version: z.string().optional(),
  families: z.array(z.enum(FAMILIES)).min(1).optional(),
  strata: count.optional(),
  tasks_per_stratum: count.optional(),
  tasks_per_family: count.optional(),
  choices_per_task: count.optional(),
  selection_size: count.optional(),
  category_cap: count.optional(),
  least_categories: count.optional(),
  categories: words.optional(),
  complements: z.record(z.string(), words).optional(),
  excluded_anchors: words.optional(),
  least_feasible: count.optional(),
  least_range: z
    .string()
    .regex(/^\d+(\.\d+)?(e-?\d+)?$/)
    .optional(),
  scoreability: z.enum(['after', 'before']).optional(),
  substitution: spread.optional(),
  pairing: spread.optional(),
  constraint: z
    .strictObject({
      valid: count.optional(),
      invalid_window: count.optional(),
      variants: z
        .array(
          z.strictObject({
            flag: z.enum(['vegan', 'vegetarian']),
            maximum_nova: z.number().int().min(1).max(4),
          }),
        )
        .min(1)
        .optional(),
      weights: weights.optional(),
    })
    .optional(),
  cultural_composition: z
    .strictObject({
      high: count.optional(),
      low_window: count.optional(),
      least_spread: z.number().min(0).max(2).optional(),
      cuisines: words.optional(),
      weights: weights.optional(),
    })
    .optional(),
});

type DesignFile = z.infer<typeof designSchema>;

function spreadRule(base: SpreadRule, given: DesignFile['pairing'] = {}): SpreadRule {
  return {
    pool: given.least_pool ?? base.pool,
    keep: given.ranked_kept ?? base.keep,
    spread: given.least_spread ?? base.spread,
    weights: given.weights ?? base.weights,
  };
}

/** A design from the `design` block of a document or a part of it; what is left out keeps its value in `base`. */
export function designFrom(
  value: unknown,
  file: string,
  base: CompileDesign = RELEASED_DESIGN,
): CompileDesign {
  const parsed = designSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new FlavourError(
      'DESIGN_INVALID',
      `${file}: ${issue.path.join('.') || 'design'}: ${issue.message}`,
      {
        hint: 'A design has the shape of the `design` block of a compiled task set.',
        where: { file, path: issue.path.join('.') },
      },
    );
  }
  const given = parsed.data;
  const regional = given.cultural_composition ?? {};
  const design: CompileDesign = {
    families: given.families ?? base.families,
    strata: given.strata ?? base.strata,
    perStratum: given.tasks_per_stratum ?? base.perStratum,
    categoryCap: given.category_cap ?? base.categoryCap,
    leastCategories: given.least_categories ?? base.leastCategories,
    excludedAnchors: given.excluded_anchors ?? base.excludedAnchors,
    categories: given.categories ?? base.categories,
    complements: given.complements ?? base.complements,
    choices: given.choices_per_task ?? base.choices,
    select: given.selection_size ?? base.select,
    leastFeasible: given.least_feasible ?? base.leastFeasible,
    leastRange: given.least_range === undefined ? base.leastRange : Number(given.least_range),
    scoreability: given.scoreability ?? base.scoreability,
    substitution: spreadRule(base.substitution, given.substitution),
    pairing: spreadRule(base.pairing, given.pairing),
    constraint: {
      valid: given.constraint?.valid ?? base.constraint.valid,
      window: given.constraint?.invalid_window ?? base.constraint.window,
      variants:
        given.constraint?.variants?.map(({ flag, maximum_nova: nova }) => ({ flag, nova })) ??
        base.constraint.variants,
      weights: given.constraint?.weights ?? base.constraint.weights,
    },
    cultural_composition: {
      high: regional.high ?? base.cultural_composition.high,
      window: regional.low_window ?? base.cultural_composition.window,
      spread: regional.least_spread ?? base.cultural_composition.spread,
      cuisines: regional.cuisines ?? base.cultural_composition.cuisines,
      weights: regional.weights ?? base.cultural_composition.weights,
    },
  };
  checkDesign(design);
  return design;
}

/** Refuses a design that no environment could satisfy. Error: DESIGN_INVALID. */
export function checkDesign(design: CompileDesign): void {
  const { choices, select, constraint, cultural_composition: regional, families } = design;
  const fail = (what: string): never => {
    throw new FlavourError('DESIGN_INVALID', what, {
      hint: 'The released values are choices 8, selection size 3, four valid choices, four high ones.',
    });
  };
  if (choices < 2 || choices > 16) fail(`choices_per_task is ${choices}; 2 to 16 are possible`);
  if (select < 1 || select >= choices) fail(`selection_size is ${select} of ${choices} choices`);
  if (new Set(families).size !== families.length)
    fail(`families: ${shown(families)} has one twice`);
  if (choose(choices, select) < design.leastFeasible)
    fail(`${choose(choices, select)} portfolios, least_feasible is ${design.leastFeasible}`);
  if (families.includes('constraint')) {
    const feasible = constraint.valid < select ? 0 : choose(constraint.valid, select);
    if (constraint.valid >= choices || feasible < design.leastFeasible)
      fail(
        `${constraint.valid} valid of ${choices} choices give ${feasible} feasible portfolios, least_feasible is ${design.leastFeasible}`,
      );
  }
  if (families.includes('cultural_composition') && regional.high >= choices)
    fail(`cultural_composition.high is ${regional.high} of ${choices} choices`);
}
