import { RANKED_FAMILIES, type Task } from '../tasks/task.js';
import { FlavourError } from '../util/error.js';

/** The panel-family strata of a transfer evaluation, family-major (analyses 9.6). */
export interface TransferStrata {
  readonly labels: readonly { readonly family: string; readonly panel: string }[];
  /** Per stratum: positions of its tasks. */
  readonly members: readonly Int32Array[];
  /** Per stratum: integer weight lcm/n of a task, so that weighted sums give equal strata. */
  readonly weights: readonly number[];
  /** Weighted tasks in all: what a total of bps is divided by, times 100, to give points. */
  readonly divisor: number;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Groups tasks by family and panel. Errors: STRATUM_EMPTY when a family has no task in a panel that others have. */
export function transferStrata(tasks: readonly Task[]): TransferStrata {
  const panels = [...new Set(tasks.map((task) => task.panel))].sort();
  const families = [
    ...RANKED_FAMILIES.filter((family) => tasks.some((task) => task.family === family)),
    ...[...new Set(tasks.map((task) => task.family))]
      .filter((family) => !(RANKED_FAMILIES as readonly string[]).includes(family))
      .sort(),
  ];
  const labels = families.flatMap((family) => panels.map((panel) => ({ family, panel })));
  const members = labels.map(({ family, panel }) => {
    const positions = tasks.flatMap((task, t) =>
      task.family === family && task.panel === panel ? [t] : [],
    );
    if (positions.length > 0) return Int32Array.from(positions);
    throw new FlavourError('STRATUM_EMPTY', `no ${family} task of ${panel} is in the evaluation`, {
      hint: 'Every family needs tasks in every panel.',
    });
  });
  const lcm = members.reduce((m, { length }) => (m / gcd(m, length)) * length, 1);
  return {
    labels,
    members,
    weights: members.map(({ length }) => lcm / length),
    divisor: lcm * labels.length,
  };
}

/** Equal-stratum mean of basis points, in points: one exact integer total, one division. */
export function stratumMean(bps: ArrayLike<number>, strata: TransferStrata): number {
  return weightedTotal(bps, strata) / (strata.divisor * 100);
}

/** The exact integer total behind `stratumMean`. */
export function weightedTotal(bps: ArrayLike<number>, strata: TransferStrata): number {
  let total = 0;
  strata.members.forEach((positions, s) => {
    let sum = 0;
    for (const t of positions) sum += bps[t] as number;
    total += sum * (strata.weights[s] as number);
  });
  return total;
}
