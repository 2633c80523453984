import { scaleLinear } from 'd3-scale';
import type { ModelResult } from '../inference/result.js';
import { fixed, placesFor } from '../util/format.js';

/** A horizontal axis over values, in pixels from its left end. */
export interface Axis {
  readonly width: number;
  at(value: number): number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

/** Makes an axis over values, with round ends. A range of one value gets some room about it. */
export function axisOver(values: readonly number[], width: number, most = 5): Axis {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((greatest, value) => Math.max(greatest, value), Number.NEGATIVE_INFINITY);
  const room = low === high ? Math.max(Math.abs(low) / 10, 1e-9) : 0;
  const scale = scaleLinear([low - room, high + room], [0, width]).nice(most);
  const marks = scale.ticks(most);
  const places = Math.min(...[placesFor(marks)], placesNeeded(marks));
  return {
    width,
    at: (value) => scale(value),
    ticks: marks.map((value) => ({ at: scale(value), text: fixed(value, places) })),
  };
}

/** Decimal places that tell round numbers apart. */
function placesNeeded(values: readonly number[]): number {
  for (let places = 0; places < 12; places += 1)
    if (values.every((value) => Math.abs(value - Number(value.toFixed(places))) < 1e-12)) return places;
  return 12;
}

/** An axis that holds every score, interval and chance value of some models. */
export function scoreAxis(models: readonly ModelResult[], width: number): Axis {
  return axisOver(
    models.flatMap(({ score, pointwise, simultaneous, chance }) => [
      score,
      ...pointwise,
      ...simultaneous,
      ...(chance ? [chance.score] : []),
    ]),
    width,
  );
}
