import { bootstrapMilliseconds, flipMilliseconds } from '../engine/auto.js';
import type { ClusterDesign } from '../engine/design.js';
import type { OnForecast } from '../engine/forecast-engine.js';
import { fail } from '../util/error.js';
import { counted, thousands } from '../util/format.js';

/** Most data sets of a simulation: rates of a million are known to a thousandth. */
const MOST_DATASETS = 1_000_000;

const HOUR = 3_600_000;

/** What is simulated: data sets of a design, each with so many flips and, where there are any, bootstrap draws. */
interface SimulatedWork {
  readonly datasets: number;
  readonly design: ClusterDesign;
  readonly flips: number;
  readonly draws?: number;
  readonly onForecast?: OnForecast | undefined;
}

/**
 * Says what a simulation will take before it starts, and refuses more data sets than are simulated with the time that their flips alone would
 * take on one thread. Errors: BOUND_EXCEEDED.
 */
export function forecastDatasets({ datasets, design, flips, draws = 0, onForecast }: SimulatedWork): void {
  const random = { kind: 'philox', seed: 0n, stream: 0 } as const;
  const flipped = datasets * flipMilliseconds(design, { draws: flips, random });
  if (datasets <= MOST_DATASETS) {
    const request = { draws, random, scheme: 'joint', probabilities: [], ranks: 'ordinal', pairs: true } as const;
    const drawn = draws === 0 ? 0 : datasets * bootstrapMilliseconds(design, request);
    const what = `${thousands(datasets)} data sets of ${counted(flips, 'flip')}${draws === 0 ? '' : ` and ${counted(draws, 'draw')}`}`;
    onForecast?.({ what, milliseconds: flipped + drawn, bytes: 8 * draws * design.rows });
    return;
  }
  const hours = Math.ceil(flipped / HOUR);
  fail(
    'BOUND_EXCEEDED',
    null,
    `${datasets} data sets of ${counted(flips, 'flip')} would take about ${counted(hours, 'hour')} on one thread; at most ${MOST_DATASETS} are simulated`,
    'A rate over ten thousand data sets is known to half a percent.',
  );
}
