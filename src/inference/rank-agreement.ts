import type { ScoreMatrix } from '../core/matrix.js';
import { lcm } from '../util/divisor.js';
import { fail } from '../util/error.js';
import { familyOrder, panelOrder } from './strata.js';

/** One panel and family of a matrix. */
export interface Stratum {
  readonly panel: string;
  readonly family: string;
  /** Columns, in matrix order. */
  readonly tasks: Int32Array;
}

/** Panel and family of each column. */
type Columns = Pick<ScoreMatrix, 'panels' | 'families'>;

/** Forms strata with families outermost: the order of the published precision and transfer streams (analyses 1, 9.6). */
export function familyMajor(columns: Columns, panels: readonly string[] = panelOrder(columns.panels)): Stratum[] {
  return familyOrder(columns.families)
    .flatMap((family) => panels.map((panel) => stratum(columns, panel, family)))
    .filter(({ tasks }) => tasks.length > 0);
}

/** Forms strata with panels outermost: the order of score definitions and pool comparisons (analyses 4, 5). */
export function panelMajor(columns: Columns): Stratum[] {
  const families = familyOrder(columns.families);
  return panelOrder(columns.panels)
    .flatMap((panel) => families.map((family) => stratum(columns, panel, family)))
    .filter(({ tasks }) => tasks.length > 0);
}

function stratum({ panels, families }: Columns, panel: string, family: string): Stratum {
  const tasks = panels.flatMap((name, t) => (name === panel && families[t] === family ? [t] : []));
  return { panel, family, tasks: Int32Array.from(tasks) };
}

/** Gives the common size of all strata. Errors: STRATUM_UNEQUAL naming two strata that differ. */
export function equalSize(strata: readonly Stratum[]): number {
  const first = strata[0]!;
  const other = strata.find(({ tasks }) => tasks.length !== first.tasks.length);
  if (other === undefined) return first.tasks.length;
  fail(
    'STRATUM_UNEQUAL',
    null,
    `${first.panel} ${first.family} has ${first.tasks.length} tasks and ${other.panel} ${other.family} has ${other.tasks.length}`,
    'This analysis needs strata of one size; freeze a balanced core first.',
  );
}

/** Integer weights that make parts of different sizes weigh alike in exact totals. */
export interface EqualWeights {
  /** Per part: lcm / size. */
  readonly weights: readonly number[];
  /** lcm x parts: what a weighted total is divided by to give the mean of the parts' means. */
  readonly divisor: number;
}

/** Finds the weights under which parts of these sizes weigh alike. */
export function equalWeights(sizes: readonly number[]): EqualWeights {
  const multiple = Number(lcm(sizes.map(BigInt)));
  return { weights: sizes.map((size) => multiple / size), divisor: multiple * sizes.length };
}

/** Sums the weighted values of one row over some strata; exact for integers. */
export function stratifiedTotal(
  value: (task: number) => number,
  strata: readonly Pick<Stratum, 'tasks'>[],
  weights: readonly number[],
): number {
  let total = 0;
  strata.forEach(({ tasks }, s) => {
    let sum = 0;
    for (const t of tasks) sum += value(t);
    total += sum * weights[s]!;
  });
  return total;
}

/** Scores every model: the mean over strata of stratum means, in points; one exact integer total, one division. */
export function stratifiedScores(
  { models, tasks, values, scale }: Pick<ScoreMatrix, 'models' | 'tasks' | 'values' | 'scale'>,
  strata: readonly Pick<Stratum, 'tasks'>[],
): Float64Array {
  const { weights, divisor } = equalWeights(strata.map((stratum) => stratum.tasks.length));
  return Float64Array.from(models, (_, m) => {
    const row = m * tasks.length;
    return stratifiedTotal((t) => values[row + t]!, strata, weights) / divisor / scale;
  });
}

/** Sorts indices by value descending; equal values keep their order. */
export function descending(values: ArrayLike<number>): Int32Array {
  return Int32Array.from({ length: values.length }, (_, i) => i).sort((a, b) => values[b]! - values[a]! || a - b);
}

/** Gives ranks 1..n by value descending; equal values take consecutive ranks in their order (analyses 0.2). */
export function ordinalRanksDescending(values: ArrayLike<number>): Int32Array {
  const ranks = new Int32Array(values.length);
  descending(values).forEach((i, k) => {
    ranks[i] = k + 1;
  });
  return ranks;
}

/** Gives ranks by value descending: 1 + the number strictly above, which equal values share (decisions 1.1). */
export function sharedRanksDescending(values: ArrayLike<number>): Int32Array {
  const ranks = new Int32Array(values.length);
  const order = descending(values);
  order.forEach((i, k) => {
    const above = order[k - 1];
    ranks[i] = above !== undefined && values[above] === values[i] ? ranks[above]! : k + 1;
  });
  return ranks;
}

/** Correlates two rank vectors: 1 - 6 sum d^2 / (n (n^2 - 1)); 1 for a single model. */
export function rankCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const n = a.length;
  if (n < 2) return 1;
  let squares = 0;
  for (let i = 0; i < n; i += 1) squares += (a[i]! - b[i]!) ** 2;
  return 1 - (6 * squares) / (n * (n * n - 1));
}

/** Gives the share of all pairs that two score vectors order alike; equal scores are an order of their own (analyses 0.2). */
export function pairAgreement(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const n = a.length;
  if (n < 2) return 1;
  let same = 0;
  for (let i = 0; i < n; i += 1)
    for (let j = i + 1; j < n; j += 1) {
      const left = Math.sign(a[i]! - a[j]!);
      const right = Math.sign(b[i]! - b[j]!);
      if (left === right) same += 1;
    }
  return same / ((n * (n - 1)) / 2);
}

/** How an alternative board stands to the primary one. */
export interface RankAgreement {
  readonly rank_spearman: number;
  readonly pair_order_agreement: number;
  /** Share of the first five that both boards name. */
  readonly top_five_overlap: number;
  /** Who leads; of several that share the lead the first. */
  readonly leader: string;
  readonly original_leader: string;
  /** Whether the same ones lead, however many share the lead; by `first` the first of them alone is compared. */
  readonly leader_kept: boolean;
  readonly mean_absolute_shift: number;
  readonly maximum_absolute_shift: number;
}

/** What a shared lead is: of all that have the highest value, or, as version 1 and the published analyses have it, of the first of them alone. */
export type LeadRule = 'all' | 'first';

/** Finds the numbers of those that have the highest value: all, or the first of them. */
export function leadersOf(values: ArrayLike<number>, rule: LeadRule): number[] {
  let most = 0;
  for (let m = 1; m < values.length; m += 1) if (values[m]! > values[most]!) most = m;
  if (rule === 'first') return [most];
  const all: number[] = [];
  for (let m = most; m < values.length; m += 1) if (values[m] === values[most]) all.push(m);
  return all;
}

/** Tells whether the same ones lead by both values of the models. */
export function sameLead(a: ArrayLike<number>, b: ArrayLike<number>, rule: LeadRule): boolean {
  const [left, right] = [leadersOf(a, rule), leadersOf(b, rule)];
  return left.length === right.length && left.every((m, k) => m === right[k]);
}

/** Compares two score vectors over the same models; rank ties follow the models' order. */
export function rankAgreement(
  models: readonly string[],
  alternative: ArrayLike<number>,
  primary: ArrayLike<number>,
  rule: LeadRule = 'all',
): RankAgreement {
  const first = descending(alternative);
  const second = descending(primary);
  const top = Math.min(5, models.length);
  const five = new Set(second.subarray(0, top));
  const shifts = models.map((_, m) => Math.abs(alternative[m]! - primary[m]!));
  return {
    rank_spearman: rankCorrelation(ordinalRanksDescending(alternative), ordinalRanksDescending(primary)),
    pair_order_agreement: pairAgreement(alternative, primary),
    top_five_overlap: first.subarray(0, top).filter((m) => five.has(m)).length / top,
    leader: models[first[0]!]!,
    original_leader: models[second[0]!]!,
    leader_kept: sameLead(alternative, primary, rule),
    mean_absolute_shift: shifts.reduce((a, b) => a + b, 0) / shifts.length,
    maximum_absolute_shift: Math.max(...shifts),
  };
}
