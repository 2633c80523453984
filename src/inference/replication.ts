import type { ScoreMatrix } from '../core/matrix.js';
import { ordinalSpearman, pearson } from '../util/correlation.js';
import { type FamilyWeights, familyOrder, panelOrder } from './strata.js';

/** How two panels of tasks agree about the models: descriptive, no test (statistics 12). */
export interface Replication {
  readonly panels: readonly [string, string];
  /** Null for a constant score vector or fewer than two models. */
  readonly scorePearson: number | null;
  readonly rankSpearman: number | null;
  /** By model: mean over families, as they weigh, inside the first and inside the second panel, in points. */
  readonly scores: readonly (readonly [number, number])[];
}

/** Compares two panels, or gives null unless the tasks form exactly two panels that hold the same families. */
export function panelReplication(matrix: ScoreMatrix, weights: FamilyWeights = {}): Replication | null {
  const panels = panelOrder(matrix.panels);
  const families = familyOrder(matrix.families);
  if (panels.length !== 2) return null;
  const models = matrix.models.length;
  const tasks = matrix.tasks.length;
  const sums = new Float64Array(models * 2 * families.length);
  const sizes = new Float64Array(2 * families.length);
  for (let t = 0; t < tasks; t += 1) {
    const cell = panels.indexOf(matrix.panels[t]!) * families.length + families.indexOf(matrix.families[t]!);
    sizes[cell] = sizes[cell]! + 1;
    for (let m = 0; m < models; m += 1) {
      const at = m * sizes.length + cell;
      sums[at] = sums[at]! + matrix.values[m * tasks + t]!;
    }
  }
  if (sizes.some((size) => size === 0)) return null;
  const own = families.map((family) => weights[family] ?? 1);
  const all = own.reduce((sum, weight) => sum + weight, 0);
  const mean = (model: number, side: 0 | 1): number => {
    let total = 0;
    for (let f = 0; f < families.length; f += 1) {
      const cell = side * families.length + f;
      total += own[f]! * (sums[model * sizes.length + cell]! / sizes[cell]!);
    }
    return total / all / matrix.scale;
  };
  const scores = Array.from({ length: models }, (_, m) => [mean(m, 0), mean(m, 1)] as const);
  const first = scores.map(([score]) => score);
  const second = scores.map(([, score]) => score);
  return {
    panels: [panels[0]!, panels[1]!],
    scorePearson: pearson(first, second),
    rankSpearman: models < 2 ? null : ordinalSpearman(first, second),
    scores,
  };
}
