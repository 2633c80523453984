import type { ScoreMatrix } from '../core/matrix.js';
import { assertKnown } from '../core/named-choice.js';
import { RANKED_FAMILIES } from '../tasks/task.js';
import { gcd, lcm } from '../util/divisor.js';
import { fail, shown } from '../util/error.js';
import { joinedNames } from '../util/joined.js';

/** `panel-family`: the paper's strata, one a panel and family. `family`: the released code's, panels pooled. */
export type StrataMode = 'panel-family' | 'family';

/** A partition of the tasks whose parts weigh the same in a score, or as `weights` say. */
export interface Strata {
  readonly mode: StrataMode;
  /** S labels: `pairing`, or `panel_1/pairing`; panel-major, families in order. */
  readonly labels: readonly string[];
  /** Per task: index into `labels`. */
  readonly ofTask: Int32Array;
  /** Per stratum: number of tasks. */
  readonly sizes: Int32Array;
  /** Per stratum whole numbers in whose ratio they weigh, whose sum is a multiple of their number; absent where all weigh the same. */
  readonly weights?: readonly number[];
}

/** What families weigh in a score; one that is not named weighs 1. */
export type FamilyWeights = Readonly<Record<string, number>>;

/** Lists the families of a matrix: the ranked ones in their published order, then any others by first appearance. */
export function familyOrder(families: readonly string[]): string[] {
  const present = new Set(families);
  const ranked = RANKED_FAMILIES.filter((family) => present.has(family));
  return [...new Set<string>([...ranked, ...families])];
}

/** Lists panels by first appearance. */
export function panelOrder(panels: readonly string[]): string[] {
  return [...new Set(panels)];
}

/**
 * Forms the strata of a matrix. Only combinations that hold a task count, so no stratum is empty. Two panels and families whose joined labels
 * would be one are two strata, and labels then stand in quotes (decisions 5.2). Errors: FAMILY_UNKNOWN, and USAGE for a weight that is none.
 */
export function strataOf(
  matrix: Pick<ScoreMatrix, 'tasks' | 'panels' | 'families'>,
  mode: StrataMode,
  familyWeights: FamilyWeights = {},
): Strata {
  const families = familyOrder(matrix.families);
  const panels = mode === 'family' ? [''] : panelOrder(matrix.panels);
  const familyNumber = new Map(families.map((family, f) => [family, f]));
  const panelNumber = new Map(panels.map((panel, p) => [panel, p]));
  const cellOf = (t: number) =>
    (mode === 'family' ? 0 : panelNumber.get(matrix.panels[t]!)!) * families.length +
    familyNumber.get(matrix.families[t]!)!;
  const cells = [...new Set(matrix.tasks.map((_, t) => cellOf(t)))].sort((a, b) => a - b);
  const index = new Map(cells.map((cell, s) => [cell, s]));
  const ofTask = Int32Array.from(matrix.tasks, (_, t) => index.get(cellOf(t))!);
  const sizes = new Int32Array(cells.length);
  for (const s of ofTask) sizes[s] = sizes[s]! + 1;
  const pairs = cells.map(
    (cell) => [panels[Math.floor(cell / families.length)]!, families[cell % families.length]!] as const,
  );
  const labels = mode === 'family' ? pairs.map(([, family]) => family) : joinedNames(pairs, '/');
  const weights = stratumWeights(
    pairs.map(([, family]) => family),
    familyWeights,
  );
  return { mode, labels, ofTask, sizes, ...(weights === null ? {} : { weights }) };
}

/** Forms the strata of a matrix as a plan weighs them (decisions 4.3). Errors: those of `strataOf`. */
export function plannedStrata(
  matrix: Pick<ScoreMatrix, 'tasks' | 'panels' | 'families'>,
  plan: { readonly strata: StrataMode; readonly family_weights?: FamilyWeights },
): Strata {
  return strataOf(matrix, plan.strata, plan.family_weights);
}

/** Gives the share of each stratum in a score; they sum to 1. */
export function stratumShares({ sizes, weights }: Pick<Strata, 'sizes' | 'weights'>): readonly number[] {
  const total = weights?.reduce((sum, weight) => sum + weight, 0);
  return Array.from(sizes, (_, s) => (weights === undefined ? 1 / sizes.length : weights[s]! / total!));
}

/** Decimal places that the weight of a family may have. */
const MOST_PLACES = 6;

/**
 * Shares the weights of families among their strata, which weigh the same inside a family, as the least whole numbers whose sum is a multiple of
 * their number (decisions 4.3); null where all are equal. Errors: FAMILY_UNKNOWN, USAGE for a weight that is none.
 */
function stratumWeights(families: readonly string[], given: FamilyWeights): number[] | null {
  const known = new Set(families);
  for (const [family, weight] of Object.entries(given)) {
    assertKnown(family, { option: '--family-weights', noun: 'family', known });
    if (!(weight > 0 && weight <= 1e6 && Number(weight.toFixed(MOST_PLACES)) === weight))
      fail(
        'USAGE',
        null,
        `--family-weights gives ${shown(family)} ${shown(weight)}`,
        `A weight is a number above 0 with at most ${MOST_PLACES} decimals, up to a million; --without-families leaves tasks out.`,
      );
  }
  if (Object.keys(given).length === 0) return null;
  const own = (family: string) => BigInt(families.reduce((n, other) => n + Number(other === family), 0));
  const parts = lcm(families.map(own));
  const whole = families.map(
    (family) => (BigInt(Math.round((given[family] ?? 1) * 10 ** MOST_PLACES)) * parts) / own(family),
  );
  const divisor = whole.reduce(gcd);
  const least = whole.map((weight) => weight / divisor);
  if (least.every((weight) => weight === 1n)) return null;
  const count = BigInt(families.length);
  const times =
    count /
    gcd(
      count,
      least.reduce((sum, weight) => sum + weight, 0n),
    );
  return least.map((weight) => Number(weight * times));
}
