import { z } from 'zod';
import { choose } from '../../engine/maps.js';
import { fail, shown } from '../../util/error.js';
import { checked } from '../../util/schema.js';
import { variantName } from '../feasibility.js';
import {
  type CompileDesign,
  DESIGN_VERSION,
  FAMILIES,
  RELEASED_DESIGN,
  type ReleasedFamily,
  type SpreadRule,
  type UtilityWeights,
} from './compile-design.js';

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
  version: z.literal(DESIGN_VERSION).optional(),
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
      cuisines: words.min(1).optional(),
      weights: weights.optional(),
    })
    .optional(),
});

const HINT =
  'Leave a key out of the design to keep its released value; `compile --print-design` shows them, docs/compiler.md says what each means.';

type DesignFile = z.infer<typeof designSchema>;

function spreadRule(base: SpreadRule, given: DesignFile['pairing'] = {}): SpreadRule {
  return {
    pool: given.least_pool ?? base.pool,
    keep: given.ranked_kept ?? base.keep,
    spread: given.least_spread ?? base.spread,
    weights: given.weights ?? base.weights,
  };
}

/**
 * Reads a design from the `design` block of a document or a part of it; what is left out keeps its value in `base`. Whether the whole can
 * be satisfied is for `checkDesign` to say. Errors: DESIGN_INVALID.
 */
export function designFrom(value: unknown, file: string, base: CompileDesign = RELEASED_DESIGN): CompileDesign {
  const given = checked(
    designSchema,
    value,
    { file },
    'A design has the shape of the `design` block of a compiled task set; `compile --print-design` prints one.',
    'DESIGN_INVALID',
  );
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
        given.constraint?.variants?.map(({ flag, maximum_nova: nova }) => ({ flag, nova })) ?? base.constraint.variants,
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
  const perFamily = design.strata * design.perStratum;
  if (given.tasks_per_family !== undefined && given.tasks_per_family !== perFamily)
    fail(
      'DESIGN_INVALID',
      { file, path: 'tasks_per_family' },
      `${given.tasks_per_family}; ${design.strata} strata of ${design.perStratum} tasks make ${perFamily}`,
      HINT,
    );
  return design;
}

const weightsBlock = ({ single, pair }: UtilityWeights) => ({ single, pair });

/** Writes the design as a document holds it: everything a reader needs to check counts or to compile again. */
export function designBlock(design: CompileDesign) {
  const { substitution, pairing, constraint, cultural_composition: regional } = design;
  const spread = (rule: typeof substitution) => ({
    least_pool: rule.pool,
    ranked_kept: rule.keep,
    least_spread: rule.spread,
    weights: weightsBlock(rule.weights),
  });
  return {
    version: DESIGN_VERSION,
    families: [...design.families],
    strata: design.strata,
    tasks_per_stratum: design.perStratum,
    tasks_per_family: design.strata * design.perStratum,
    choices_per_task: design.choices,
    selection_size: design.select,
    category_cap: design.categoryCap,
    least_categories: design.leastCategories,
    categories: [...design.categories],
    excluded_anchors: [...design.excludedAnchors],
    complements: Object.fromEntries(
      Object.entries(design.complements).map(([category, partners]) => [category, [...partners]]),
    ),
    least_feasible: design.leastFeasible,
    least_range: String(design.leastRange),
    scoreability: design.scoreability,
    substitution: spread(substitution),
    pairing: spread(pairing),
    constraint: {
      valid: constraint.valid,
      invalid_window: constraint.window,
      variants: constraint.variants.map(({ flag, nova }) => ({ flag, maximum_nova: nova })),
      weights: weightsBlock(constraint.weights),
    },
    cultural_composition: {
      high: regional.high,
      low_window: regional.window,
      least_spread: regional.spread,
      cuisines: [...regional.cuisines],
      weights: weightsBlock(regional.weights),
    },
  };
}

/** Refuses a design that no environment could satisfy. Errors: DESIGN_INVALID with the first key that cannot be. */
export function checkDesign(design: CompileDesign): void {
  const broken = designRules(design).find(({ kept }) => !kept);
  if (broken) fail('DESIGN_INVALID', { path: broken.path }, broken.what, HINT);
}

interface DesignRule {
  readonly kept: boolean;
  readonly path: string;
  readonly what: string;
}

function designRules(design: CompileDesign): DesignRule[] {
  const { choices, select, leastFeasible, families, constraint, cultural_composition: regional } = design;
  const used = (family: ReleasedFamily) => families.includes(family);
  const rule = (kept: boolean, path: string, what: string): DesignRule => ({ kept, path, what });
  const enough = (family: ReleasedFamily, key: string, window: number, taken: number): DesignRule =>
    rule(!used(family) || window >= taken, `${family}.${key}`, `${window}; ${taken} choices are taken from it`);
  const { valid } = constraint;
  const feasible = valid < select ? 0 : choose(valid, select);
  const names = constraint.variants.map(variantName);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return [
    rule(choices >= 2 && choices <= 16, 'choices_per_task', `${choices}; 2 to 16 are possible`),
    rule(select >= 1 && select < choices, 'selection_size', `${select} of ${choices} choices`),
    rule(new Set(families).size === families.length, 'families', `${shown(families)} has one twice`),
    rule(
      choose(choices, select) >= leastFeasible,
      'least_feasible',
      `${leastFeasible}; there are ${choose(choices, select)} portfolios`,
    ),
    enough('substitution', 'ranked_kept', design.substitution.keep, choices),
    enough('pairing', 'ranked_kept', design.pairing.keep, choices),
    rule(
      !used('constraint') || (valid < choices && feasible >= leastFeasible),
      'constraint.valid',
      `${valid} valid of ${choices} choices give ${feasible} feasible portfolios, least_feasible is ${leastFeasible}`,
    ),
    enough('constraint', 'invalid_window', constraint.window, choices - valid),
    rule(!used('constraint') || twice === undefined, 'constraint.variants', `${shown(twice)} stands twice`),
    rule(
      !used('cultural_composition') || regional.high < choices,
      'cultural_composition.high',
      `${regional.high} of ${choices} choices`,
    ),
    enough('cultural_composition', 'low_window', regional.window, choices - regional.high),
  ];
}
