import { equalWeights, familyMajor, type Stratum } from '../inference/rank-agreement.js';
import { familyOrder } from '../inference/strata.js';
import type { Task } from '../tasks/task.js';
import { fail } from '../util/error.js';

/** The panel-family strata of an evaluation, family-major, each of equal weight (analyses 9.6). */
export interface TransferStrata {
  /** Per stratum: positions of its tasks. */
  readonly members: readonly Int32Array[];
  /** Per stratum: integer weight lcm/n of a task, so that weighted sums give equal strata. */
  readonly weights: readonly number[];
  /** Weighted tasks in all: what a total of bps is divided by, times 100, to give points. */
  readonly divisor: number;
}

/** Lists the panels, families and strata of tasks; panels in text order, whichever task comes first (analyses 0.1). */
export function familyPanels(tasks: readonly Task[]): {
  readonly strata: readonly Stratum[];
  readonly families: readonly string[];
  readonly panels: readonly string[];
} {
  const columns = {
    panels: tasks.map((task) => task.panel),
    families: tasks.map((task) => task.family),
  };
  const panels = [...new Set(columns.panels)].sort();
  return {
    strata: familyMajor(columns, panels),
    families: familyOrder(columns.families),
    panels,
  };
}

/** Groups tasks by family and panel. Errors: STRATUM_EMPTY when a family has no task in a panel that others have. */
export function transferStrata(tasks: readonly Task[]): TransferStrata {
  const { strata, families, panels } = familyPanels(tasks);
  for (const family of families)
    for (const panel of panels) {
      if (strata.some((stratum) => stratum.family === family && stratum.panel === panel)) continue;
      fail(
        'STRATUM_EMPTY',
        null,
        `no ${family} task of ${panel} is in the evaluation`,
        'Every family needs tasks in every panel.',
      );
    }
  const members = strata.map((stratum) => stratum.tasks);
  return { members, ...equalWeights(members.map(({ length }) => length)) };
}

/** Forms the equal-stratum mean of basis points, in points: one exact integer total, one division. */
export function stratumMean(bps: ArrayLike<number>, strata: TransferStrata): number {
  return weightedTotal(bps, strata) / (strata.divisor * 100);
}

/** Forms the exact integer total behind `stratumMean`. */
export function weightedTotal(bps: ArrayLike<number>, strata: TransferStrata): number {
  let total = 0;
  strata.members.forEach((positions, s) => {
    let sum = 0;
    for (const t of positions) sum += bps[t]!;
    total += sum * strata.weights[s]!;
  });
  return total;
}
