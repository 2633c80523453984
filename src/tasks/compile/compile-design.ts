import { CUISINES } from '../../environment/environment.js';
import type { ConstraintVariant } from '../feasibility.js';

/** Weight of the mean single and of the mean pair in a utility (compiler b.4). */
export interface UtilityWeights {
  readonly single: number;
  readonly pair: number;
}

/** Candidates spread over the ranking of a pool (compiler b.3: substitution, pairing). */
export interface SpreadRule {
  /** Smallest pool. */
  readonly pool: number;
  /** Head of the ranking the choices are spaced over. */
  readonly keep: number;
  /** Smallest difference between first and last chosen similarity. */
  readonly spread: number;
  readonly weights: UtilityWeights;
}

interface ConstraintRule {
  /** How many choices satisfy the constraint; as many of each kind must be in the pool. */
  readonly valid: number;
  /** Head of the ranked violations the others are spaced over. */
  readonly window: number;
  readonly variants: readonly ConstraintVariant[];
  readonly weights: UtilityWeights;
}

interface RegionalRule {
  /** Choices from the top of the ranking, each of a new category. */
  readonly high: number;
  /** Tail of the ranking the others are spaced over. */
  readonly window: number;
  readonly spread: number;
  readonly cuisines: readonly string[];
  readonly weights: UtilityWeights;
}

/** Version of the design block in documents. */
export const DESIGN_VERSION = 'flavourbench-selection-design/1';

/** Where a design is said and seen, for hints. */
export const DESIGN_PLACE = 'the JSON of --design FILE (`compile --print-design` shows every key)';

/** The four families, in the order of the released task sets. */
export const FAMILIES = ['substitution', 'pairing', 'constraint', 'cultural_composition'] as const;
export type ReleasedFamily = (typeof FAMILIES)[number];

/** Every number and list of the compiler; nothing else decides which tasks come out. */
export interface CompileDesign {
  /** In the order they are selected and listed; they share one set of used anchors. */
  readonly families: readonly ReleasedFamily[];
  readonly strata: number;
  readonly perStratum: number;
  /** Most tasks of one family whose anchors share a category. */
  readonly categoryCap: number;
  /** Fewest categories a family must cover. */
  readonly leastCategories: number;
  readonly excludedAnchors: readonly string[];
  /** Categories whose ingredients are anchors and candidates. */
  readonly categories: readonly string[];
  /** Category to the categories of its partners. */
  readonly complements: Readonly<Record<string, readonly string[]>>;
  readonly choices: number;
  readonly select: number;
  readonly leastFeasible: number;
  readonly leastRange: number;
  /**
   * `after`: selected tasks without a unique optimum fail the build, as in the first released panel. `before`: candidates
   * are scored first and those without one do not take part, as in the second (compiler b.8).
   */
  readonly scoreability: 'after' | 'before';
  readonly substitution: SpreadRule;
  readonly pairing: SpreadRule;
  readonly constraint: ConstraintRule;
  readonly cultural_composition: RegionalRule;
}

/** The released values (compiler a.3, a.5, b.1, b.3, b.4). */
export const RELEASED_DESIGN: CompileDesign = {
  families: FAMILIES,
  strata: 4,
  perStratum: 40,
  categoryCap: 24,
  leastCategories: 8,
  excludedAnchors: ['sweet_potato_starch', 'birds_eye_chili', 'perilla_oil', 'squid', 'adjika'],
  categories: [
    'Beverage',
    'Dairy',
    'Fat/Oil',
    'Fish',
    'Fruit',
    'Grain',
    'Herb',
    'Legume',
    'Meat',
    'Nut/Seed',
    'Seafood',
    'Spice',
    'Sweet',
    'Vegetable',
  ],
  complements: {
    Beverage: ['Fruit', 'Herb', 'Spice', 'Sweet'],
    Dairy: ['Fruit', 'Grain', 'Herb', 'Spice', 'Sweet'],
    'Fat/Oil': ['Herb', 'Spice', 'Vegetable', 'Grain'],
    Fish: ['Herb', 'Spice', 'Vegetable', 'Grain'],
    Fruit: ['Dairy', 'Herb', 'Spice', 'Sweet', 'Nut/Seed'],
    Grain: ['Dairy', 'Legume', 'Meat', 'Vegetable', 'Spice'],
    Herb: ['Meat', 'Fish', 'Seafood', 'Vegetable', 'Dairy'],
    Legume: ['Grain', 'Herb', 'Spice', 'Vegetable', 'Fat/Oil'],
    Meat: ['Herb', 'Spice', 'Vegetable', 'Grain'],
    'Nut/Seed': ['Fruit', 'Sweet', 'Grain', 'Vegetable', 'Spice'],
    Seafood: ['Herb', 'Spice', 'Vegetable', 'Grain'],
    Spice: ['Meat', 'Fish', 'Seafood', 'Vegetable', 'Fruit'],
    Sweet: ['Fruit', 'Dairy', 'Grain', 'Nut/Seed', 'Beverage'],
    Vegetable: ['Herb', 'Spice', 'Grain', 'Legume', 'Dairy'],
  },
  choices: 8,
  select: 3,
  leastFeasible: 4,
  leastRange: 1e-6,
  scoreability: 'after',
  substitution: { pool: 12, keep: 40, spread: 0.08, weights: { single: 0.8, pair: 0.2 } },
  pairing: { pool: 16, keep: 48, spread: 0.08, weights: { single: 0.65, pair: 0.35 } },
  constraint: {
    valid: 4,
    window: 32,
    variants: [
      { flag: 'vegan', nova: 2 },
      { flag: 'vegetarian', nova: 2 },
      { flag: 'vegan', nova: 3 },
      { flag: 'vegetarian', nova: 3 },
    ],
    weights: { single: 0.7, pair: 0.3 },
  },
  cultural_composition: {
    high: 4,
    window: 80,
    spread: 0.15,
    cuisines: CUISINES,
    weights: { single: 0.75, pair: 0.25 },
  },
};
