import { flipMilliseconds } from '../engine/auto.js';
import type { ClusterDesign } from '../engine/design.js';
import { fail } from '../util/error.js';
import { counted } from '../util/format.js';

/** Most data sets of a simulation: rates of a million are known to a thousandth. */
const MOST_DATASETS = 1_000_000;

const HOUR = 3_600_000;

/** Refuses more data sets than are simulated, and says how long their flips alone would take on one thread. Errors: BOUND_EXCEEDED. */
export function assertDatasets(datasets: number, flips: number, design: ClusterDesign): void {
  if (datasets <= MOST_DATASETS) return;
  const random = { kind: 'philox', seed: 0n, stream: 0 } as const;
  const hours = Math.ceil((datasets * flipMilliseconds(design, { draws: flips, random })) / HOUR);
  fail(
    'BOUND_EXCEEDED',
    null,
    `${datasets} data sets of ${counted(flips, 'flip')} would take about ${counted(hours, 'hour')} on one thread; at most ${MOST_DATASETS} are simulated`,
    'A rate over ten thousand data sets is known to half a percent.',
  );
}
