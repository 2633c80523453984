import type { ScoreMatrix } from '../core/matrix.js';
import type { ModelResult } from '../inference/result.js';
import { type Axis, axisOver } from './interval-axis.js';

/** What the columns of families are drawn on: one axis for all of them, apart from that of the scores, so that they can be compared. */
export interface FamilyScale {
  readonly families: readonly string[];
  readonly axis: Axis;
  /** Score of a random answer, by family; empty where it is not known. */
  readonly chance: Readonly<Record<string, number>>;
}

/** Makes the scale of the family columns over all their values; null where there are less than two families. */
export function familyScale(
  models: readonly ModelResult[],
  families: readonly string[],
  matrix: ScoreMatrix | null,
  width: number,
): FamilyScale | null {
  if (families.length < 2) return null;
  const chance = matrix ? chanceByFamily(matrix) : {};
  const values = models.flatMap(({ familyScores }) => families.map((family) => familyScores[family]!));
  const known = families.flatMap((family) => chance[family] ?? []);
  return { families, chance, axis: axisOver([...values, ...known], width, width < 100 ? 3 : 6) };
}

function chanceByFamily({ chance, families, scale }: ScoreMatrix): Record<string, number> {
  if (!chance) return {};
  const sums = new Map<string, { sum: number; tasks: number }>();
  families.forEach((family, t) => {
    const of = sums.get(family) ?? { sum: 0, tasks: 0 };
    of.sum += chance[t]!;
    of.tasks += 1;
    sums.set(family, of);
  });
  return Object.fromEntries([...sums].map(([family, { sum, tasks }]) => [family, sum / tasks / scale]));
}
